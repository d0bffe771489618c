/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A whole program under this linkage is told by the environment instead, all its processes counting together:
 * FAILING_ALLOCATIONS=COUNTER_FILE:K:once|always, the file holding eight bytes; K = 0 only counts. */
#include "failing_allocations.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);

static struct {
    _Atomic long *count; /* of this process, or shared by those of a program; NULL: nothing counts */
    _Atomic long own;
    long fails_at;
    bool for_good;
    int64_t held, most_held;
} state;

__attribute__((constructor)) static void begin_as_told(void) {
    char path[512], word[16];
    const char *text = getenv("FAILING_ALLOCATIONS");
    if (!text || sscanf(text, "%511[^:]:%ld:%15s", path, &state.fails_at, word) != 3)
        return;
    state.for_good = strcmp(word, "always") == 0;
    int file = open(path, O_RDWR);
    void *memory =
        file >= 0 ? mmap(NULL, sizeof *state.count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (file >= 0)
        close(file);
    state.count = memory == MAP_FAILED ? NULL : memory;
}

void cor_allocations_begin(long fails_at, bool for_good) {
    state.own = 0;
    state.fails_at = fails_at;
    state.for_good = for_good;
    state.count = &state.own;
}

long cor_allocations_end(void) {
    state.count = NULL;
    return state.own;
}

bool cor_allocation_fails(void) {
    if (!state.count)
        return false;
    long now = atomic_fetch_add(state.count, 1) + 1;
    return state.fails_at > 0 && (now == state.fails_at || (state.for_good && now > state.fails_at));
}

void *cor_allocation_real(size_t size) {
    return __real_malloc(size);
}

int64_t cor_allocations_held(void) {
    return state.held;
}

int64_t cor_allocations_most_held(void) {
    return state.most_held;
}

void cor_allocations_mark_held(void) {
    state.most_held = state.held;
}

static int64_t size_of(void *memory) {
    return memory ? (int64_t)malloc_usable_size(memory) : 0;
}

static void *hold(void *memory) {
    state.held += size_of(memory);
    state.most_held = state.held > state.most_held ? state.held : state.most_held;
    return memory;
}

void *__wrap_malloc(size_t size) {
    return cor_allocation_fails() ? NULL : hold(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    return cor_allocation_fails() ? NULL : hold(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size) {
    int64_t before = size_of(memory);
    void *made = cor_allocation_fails() ? NULL : __real_realloc(memory, size);
    state.held -= made ? before : 0;
    return hold(made);
}

void __wrap_free(void *memory) {
    state.held -= size_of(memory);
    __real_free(memory);
}

char *__wrap_strndup(const char *text, size_t size) {
    size_t length = strnlen(text, size);
    char *copy = __wrap_malloc(length + 1);
    if (!copy)
        return NULL;
    copy[length] = '\0';
    return memcpy(copy, text, length);
}

char *__wrap_strdup(const char *text) {
    return __wrap_strndup(text, strlen(text));
}
