/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <corridor/loader.h>

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <link.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* The version words come first in every version, so they can be read before anything else is believed. */
enum cor_status cor_module_copy(const struct cor_module_kind *kind, const void *exported, const char *origin,
                                void *copy, struct cor_error *error) {
    uint32_t head[4];
    memcpy(head, exported, sizeof head);
    uint32_t magic = head[0], major = head[1], minor = head[2], size = head[3];
    char remedy[256];
    snprintf(remedy, sizeof remedy, "its first fields are %s of %s", kind->first_fields, kind->header);
    if (magic != kind->magic)
        return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy,
                        "\"%s\" is not %s: it begins with 0x%08X, not with 0x%08X", kind->symbol, kind->what,
                        magic, kind->magic);
    if (major == kind->major && minor <= kind->minor && (size < kind->size_least || size > kind->size))
        return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy,
                        "struct_size is %u, but version %u.%u has %zu bytes", size, major, minor, kind->size);
    snprintf(remedy, sizeof remedy, "rebuild it against the %s of this version", kind->header);
    if (major != kind->major || minor > kind->minor)
        return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy,
                        "built for plug-in version %u.%u, but this is %u.%u", major, minor, kind->major,
                        kind->minor);
    memset(copy, 0, kind->size);
    memcpy(copy, exported, size);
    return kind->check(copy, origin, error);
}

static enum cor_status no_symbol(const struct cor_module_kind *kind, const char *path,
                                 struct cor_error *error) {
    char remedy[128];
    snprintf(remedy, sizeof remedy, "see %s", kind->header);
    return cor_fail(error, COR_STATUS_PLUGIN, path, remedy, "the module exports no constant \"%s\"",
                    kind->symbol);
}

enum cor_status cor_module_is_there(const char *path, struct cor_error *error) {
    if (access(path, F_OK) == 0)
        return COR_OK;
    return cor_fail_errno(error, COR_STATUS_FILE, path,
                          path[0] == '~' ? "write the home folder out: ~ stands for nothing here" : NULL,
                          "cannot open");
}

enum cor_status cor_module_open(const struct cor_module_kind *kind, const char *path, void **handle,
                                void *copy, struct cor_error *error) {
    *handle = NULL;
    if (strchr(path, '/'))
        COR_TRY(cor_module_is_there(path, error));
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle)
        return cor_fail(error, COR_STATUS_PLUGIN, path, NULL, "cannot load the module: %s", dlerror());
    const void *exported = dlsym(*handle, kind->symbol);
    enum cor_status status =
        exported ? cor_module_copy(kind, exported, path, copy, error) : no_symbol(kind, path, error);
    if (status != COR_OK) {
        cor_module_close(*handle);
        *handle = NULL;
    }
    return status;
}

void cor_module_settle(void) {
    static bool may_ring = true; /* false once calls are forbidden, for good: no alarm can be set then */
    const struct itimerval never = {{0, 0}, {0, 0}};
    sigset_t none;
    if (may_ring && setitimer(ITIMER_REAL, &never, NULL) != 0)
        may_ring = errno != EPERM;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    fesetenv(FE_DFL_ENV);
    const char *locale = setlocale(LC_ALL, NULL); /* asking costs a hundredth of setting */
    if (!locale || strcmp(locale, "C") != 0)
        setlocale(LC_ALL, "C");
    umask(077);
}

/* Where the loop below looks. */
struct search {
    uintptr_t function, *origin;
    struct cor_module_piece *pieces;
    uint32_t most, count;
};

/* Writable pieces of one loaded object; what becomes read-only after loading (RELRO) is none. */
static void list_pieces(const struct dl_phdr_info *info, struct search *search) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), relro_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            relro_end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    for (int i = 0; i < info->dlpi_phnum && search->count < search->most; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W))
            continue;
        uintptr_t start = info->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;
        start = relro_end > start && relro_end <= end ? relro_end : start;
        start = start / page * page;
        end = (end + page - 1) / page * page;
        if (end > start)
            search->pieces[search->count++] = (struct cor_module_piece){(void *)start, end - start};
    }
}

/* The object that holds the function; not the program itself. */
static int look_at(struct dl_phdr_info *info, size_t size, void *subject) {
    struct search *search = subject;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || search->function < start ||
            search->function >= start + info->dlpi_phdr[i].p_memsz)
            continue;
        if (getauxval(AT_PHDR) != (uintptr_t)info->dlpi_phdr) {
            *search->origin = info->dlpi_addr;
            list_pieces(info, search);
        }
        return 1;
    }
    return 0;
}

uint32_t cor_module_variables(uintptr_t function, struct cor_module_piece *pieces, uint32_t most,
                              uintptr_t *origin) {
    struct search search = {.function = function, .origin = origin, .pieces = pieces, .most = most};
    dl_iterate_phdr(look_at, &search);
    return search.count;
}

void *cor_module_symbol(uintptr_t function, const char *name) {
    struct cor_module_piece pieces[1];
    uintptr_t origin = 0;
    Dl_info info;
    void *address, *symbol = NULL;
    memcpy(&address, &function, sizeof address);
    (void)cor_module_variables(function, pieces, 1, &origin);
    if (origin == 0 || dladdr(address, &info) == 0)
        return NULL;
    void *handle = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    if (handle)
        symbol = dlsym(handle, name);
    /* dlsym() looks into what the module needs, too. */
    if (symbol && (dladdr(symbol, &info) == 0 || (uintptr_t)info.dli_fbase != origin))
        symbol = NULL;
    cor_module_close(handle);
    return symbol;
}

void cor_module_close(void *handle) {
    if (handle)
        dlclose(handle);
}
