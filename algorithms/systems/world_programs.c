/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that are worlds, kept between those who use them: known by their command and their greeting. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROCESSES_MOST 4 /* that are free, of a program */

struct program {
    char *key, *hello; /* owned */
    struct systems__process *free;
    uint32_t free_count;
};

struct cor_world_programs {
    struct program *programs; /* owned */
    size_t count, capacity;
};

enum cor_status systems__process_create(const struct cor_lines_definition *lines, double answer_seconds,
                                        struct systems__process **process, struct cor_error *error) {
    struct systems__process *made = cor_calloc(1, sizeof *made);
    *process = made;
    COR_TRY(cor_made(made, error));
    const enum cor_status status = cor_conversation_init(&made->talk, lines, answer_seconds, error);
    if (status == COR_OK)
        return COR_OK;
    cor_conversation_fini(&made->talk);
    free(made);
    *process = NULL;
    return status;
}

void systems__process_destroy(struct systems__process *process) {
    if (!process)
        return;
    cor_conversation_part(&process->talk);
    cor_conversation_fini(&process->talk);
    free(process);
}

enum cor_status cor_world_programs_create(struct cor_world_programs **kept, struct cor_error *error) {
    return cor_made(*kept = cor_calloc(1, sizeof **kept), error);
}

/* Those that another process of ours started are its business. */
void cor_world_programs_part(struct cor_world_programs *kept) {
    for (size_t p = 0; p < kept->count; p++) {
        struct program *program = &kept->programs[p];
        for (struct systems__process *next; program->free; program->free = next) {
            next = program->free->next;
            if (program->free->starter == getpid())
                systems__process_destroy(program->free);
        }
        program->free_count = 0;
    }
}

void cor_world_programs_destroy(struct cor_world_programs *kept) {
    if (!kept)
        return;
    cor_world_programs_part(kept);
    for (size_t p = 0; p < kept->count; p++) {
        free(kept->programs[p].key);
        free(kept->programs[p].hello);
    }
    free(kept->programs);
    free(kept);
}

static struct program *find(const struct cor_world_programs *kept, const char *key) {
    for (size_t p = 0; kept && p < kept->count; p++)
        if (strcmp(kept->programs[p].key, key) == 0)
            return &kept->programs[p];
    return NULL;
}

const char *systems__kept_hello(const struct cor_world_programs *kept, const char *key) {
    const struct program *program = find(kept, key);
    return program ? program->hello : NULL;
}

enum cor_status systems__keep_hello(struct cor_world_programs *kept, const char *key, const char *hello,
                                    struct cor_error *error) {
    if (!kept || find(kept, key))
        return COR_OK;
    COR_TRY(COR_RESERVE(&kept->programs, &kept->capacity, kept->count + 1, error));
    const struct program made = {.key = cor_strdup(key), .hello = cor_strdup(hello)};
    if (made.key && made.hello) {
        kept->programs[kept->count++] = made;
        return COR_OK;
    }
    free(made.key);
    free(made.hello);
    return cor_fail_memory(error);
}

void systems__keep_process(struct cor_world_programs *kept, const char *key,
                           struct systems__process *process) {
    struct program *program = find(kept, key);
    if (!program || program->free_count == PROCESSES_MOST) {
        systems__process_destroy(process);
        return;
    }
    process->next = program->free;
    program->free = process;
    program->free_count++;
}

struct systems__process *systems__take_process(struct cor_world_programs *kept, const char *key) {
    struct program *program = find(kept, key);
    for (struct systems__process **at = program ? &program->free : NULL; at && *at; at = &(*at)->next) {
        struct systems__process *process = *at;
        if (process->starter != getpid())
            continue;
        *at = process->next;
        program->free_count--;
        process->next = NULL;
        return process;
    }
    return NULL;
}
