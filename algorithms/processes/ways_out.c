/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Modules that call exit, _exit or assert get those of guard.c. In the program corridor the dynamic linker
 * sees to it, which looks there first. In an interpreter that has loaded libcorridor.so it looks in the C
 * library first: there the places in which it has put what it found are written anew. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "internal.h"

#include <assert.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A place that holds the address of a function and nothing else. */
static bool is_place(uint64_t info) {
#if defined __x86_64__
    const uint64_t kinds[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64};
#elif defined __aarch64__
    const uint64_t kinds[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_ABS64};
#else
    const uint64_t kinds[] = {UINT64_MAX};
#endif
    bool is = false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        is = is || ELF64_R_TYPE(info) == kinds[k];
    return is;
}

/* Ours of that name; NULL: it is left as it is. */
static void *function_in_place(const char *name) {
    void *function = NULL;
    if (strcmp(name, "exit") == 0)
        *(void (**)(int)) & function = exit;
    else if (strcmp(name, "_exit") == 0)
        *(void (**)(int)) & function = _exit;
    else if (strcmp(name, "_Exit") == 0)
        *(void (**)(int)) & function = _Exit;
    else if (strcmp(name, "__assert_fail") == 0)
        *(void (**)(const char *, const char *, unsigned, const char *)) & function = __assert_fail;
    return function;
}

/* What becomes read-only after loading stays so. */
static void put_function(const struct dl_phdr_info *object, void **place, void *function) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)place / page * page;
    bool is_fixed = false;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const Elf64_Phdr *header = &object->dlpi_phdr[i];
        const uintptr_t start = object->dlpi_addr + header->p_vaddr;
        is_fixed = is_fixed || (header->p_type == PT_GNU_RELRO && (uintptr_t)place >= start &&
                                (uintptr_t)place < (start + header->p_memsz + page - 1) / page * page);
    }
    if (*place == function || mprotect((void *)at, page, PROT_READ | PROT_WRITE) != 0)
        return;
    *place = function;
    if (is_fixed)
        mprotect((void *)at, page, PROT_READ);
}

/* Entries of the dynamic section that are addresses. The linker has added where the object lies. */
static const void *address(const struct dl_phdr_info *object, const Elf64_Dyn *dynamic, Elf64_Sxword tag) {
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == tag)
            return (const void *)(dynamic->d_un.d_ptr >= object->dlpi_addr
                                      ? dynamic->d_un.d_ptr
                                      : object->dlpi_addr + dynamic->d_un.d_ptr);
    return NULL;
}

static size_t number(const Elf64_Dyn *dynamic, Elf64_Sxword tag) {
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == tag)
            return dynamic->d_un.d_val;
    return 0;
}

static void go_through(const struct dl_phdr_info *object) {
    const Elf64_Dyn *dynamic = NULL;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const Elf64_Dyn *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    const Elf64_Sym *symbols = address(object, dynamic, DT_SYMTAB);
    const char *names = address(object, dynamic, DT_STRTAB);
    const struct {
        const Elf64_Rela *first;
        size_t size;
    } lists[] = {{address(object, dynamic, DT_JMPREL), number(dynamic, DT_PLTRELSZ)},
                 {address(object, dynamic, DT_RELA), number(dynamic, DT_RELASZ)}};
    for (size_t l = 0; symbols && names && l < sizeof lists / sizeof *lists; l++)
        for (size_t r = 0; lists[l].first && r < lists[l].size / sizeof(Elf64_Rela); r++) {
            const Elf64_Rela *entry = &lists[l].first[r];
            void *function = is_place(entry->r_info) && entry->r_addend == 0
                                 ? function_in_place(names + symbols[ELF64_R_SYM(entry->r_info)].st_name)
                                 : NULL;
            if (function)
                put_function(object, (void **)(object->dlpi_addr + entry->r_offset), function);
        }
}

/* Objects are listed in the order in which they were loaded. */
struct walk {
    size_t known, seen;
};

static int look_at(struct dl_phdr_info *object, size_t size, void *subject) {
    struct walk *walk = subject;
    (void)size;
    if (walk->seen++ >= walk->known)
        go_through(object);
    return 0;
}

size_t processes__objects_loaded(void) {
    struct walk walk = {.known = SIZE_MAX};
    dl_iterate_phdr(look_at, &walk);
    return walk.seen;
}

void processes__catch_ways_out(size_t known) {
    struct walk walk = {.known = known};
    dl_iterate_phdr(look_at, &walk);
}
