/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <corridor/lines.h>

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* In the program's process. */
static _Noreturn void live(void *argument) {
    const struct cor_lines *lines = argument;
    if (lines->is_path)
        execl(lines->command, lines->command, (char *)NULL);
    else
        execl("/bin/sh", "sh", "-c", lines->command, (char *)NULL);
    _exit(127);
}

/* What sh is told: it gives its place to a command, unless that is more than words. */
static char *script_of(const char *command) {
    return cor_format("%s%s", strpbrk(command, "=;&|<>()$`\n") ? "" : "exec ", command);
}

enum cor_status cor_lines_init(struct cor_lines *lines, const struct cor_lines_definition *definition,
                               struct cor_error *error) {
    *lines = (struct cor_lines){.is_path = definition->is_path, .cpu_seconds = definition->cpu_seconds};
    COR_TRY(cor_cell_init(&lines->cell, error));
    COR_TRY(COR_RESERVE(&lines->heard, &lines->capacity, definition->line_most, error));
    lines->command = definition->is_path ? cor_strdup(definition->command) : script_of(definition->command);
    COR_TRY(cor_made(lines->command, error));
    if (lines->cpu_seconds <= 0)
        return COR_OK;
    void *shared =
        mmap(NULL, sizeof *lines->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return cor_fail_memory(error);
    lines->shared = shared;
    return COR_OK;
}

void cor_lines_fini(struct cor_lines *lines) {
    cor_cell_fini(&lines->cell);
    if (lines->shared)
        munmap(lines->shared, sizeof *lines->shared);
    free(lines->command);
    free(lines->heard);
    lines->shared = NULL;
    lines->command = lines->heard = NULL;
}

enum cor_status cor_lines_start(struct cor_lines *lines, struct cor_error *error) {
    lines->start = lines->end = 0;
    const struct cor_cell_definition definition = {.life = live,
                                                   .argument = lines,
                                                   .place = lines->shared ? &lines->shared->place : NULL,
                                                   .cpu_seconds = lines->cpu_seconds};
    return cor_cell_start(&lines->cell, &definition, error);
}

bool cor_lines_started(const struct cor_lines *lines) {
    return lines->cell.keeper != 0;
}

/* Reads what there is. */
static enum cor_turn hear(struct cor_lines *lines) {
    if (lines->start > 0) {
        memmove(lines->heard, lines->heard + lines->start, lines->end - lines->start);
        lines->end -= lines->start;
        lines->start = 0;
    }
    if (lines->end == lines->capacity)
        return COR_TURN_FLOOD;
    ssize_t got = cor_cell_read(&lines->cell, lines->heard + lines->end, lines->capacity - lines->end);
    if (got < 0)
        return COR_TURN_CLOSED;
    lines->end += (size_t)got;
    return COR_TURN_LINE;
}

enum cor_turn cor_lines_hear(struct cor_lines *lines, double deadline, char **line) {
    size_t looked = lines->start;
    for (;;) {
        char *end = memchr(lines->heard + looked, '\n', lines->end - looked);
        if (end) {
            *end = '\0';
            *line = lines->heard + lines->start;
            lines->start = (size_t)(end - lines->heard) + 1;
            return COR_TURN_LINE;
        }
        size_t seen = lines->end - lines->start;
        double left = deadline - cor_now();
        int sight = left > 0 ? cor_cell_wait(&lines->cell, 0, left) : 0;
        if (sight == 0)
            return COR_TURN_LATE;
        enum cor_turn turn = sight & COR_SIGHT_READABLE ? hear(lines) : COR_TURN_CLOSED;
        if (turn != COR_TURN_LINE)
            return turn;
        looked = lines->start + seen;
    }
}

enum cor_turn cor_lines_say(struct cor_lines *lines, const char *text, double deadline) {
    size_t size = strlen(text), sent = 0;
    if (lines->shared) /* by two: an even place may idle */
        atomic_fetch_add_explicit(&lines->shared->place, 2, memory_order_relaxed);
    while (sent < size) {
        ssize_t wrote = cor_cell_write(&lines->cell, text + sent, size - sent);
        if (wrote < 0)
            return COR_TURN_CLOSED;
        sent += (size_t)wrote;
        double left = deadline - cor_now();
        int sight = wrote > 0 ? COR_SIGHT_WRITABLE : left > 0 ? cor_cell_wait(&lines->cell, 1, left) : 0;
        if (sight == 0)
            return COR_TURN_LATE;
        enum cor_turn turn = sight & COR_SIGHT_READABLE ? hear(lines)
                             : sight == COR_SIGHT_DEAD  ? COR_TURN_CLOSED
                                                        : COR_TURN_LINE;
        if (turn != COR_TURN_LINE)
            return turn;
    }
    return COR_TURN_LINE;
}

bool cor_lines_pending(const struct cor_lines *lines) {
    return lines->end > lines->start;
}

void cor_lines_end(struct cor_lines *lines, double seconds) {
    if (!cor_lines_started(lines))
        return;
    cor_cell_end(&lines->cell, seconds);
    cor_grave_text(lines->cell.grave, lines->last_words, sizeof lines->last_words);
    lines->start = lines->end = 0;
}

enum cor_death cor_lines_death(const struct cor_lines *lines) {
    const struct cor_grave *grave = lines->cell.grave;
    bool by_signal = !lines->is_path && grave->death == COR_DEATH_EXIT && grave->code > 128;
    return by_signal ? COR_DEATH_SIGNAL : grave->death;
}

void cor_grave_text(const struct cor_grave *grave, char *text, size_t size) {
    char how[128] = "";
    if (grave->death == COR_DEATH_EXIT)
        snprintf(how, sizeof how, "its process ended by itself with exit code %d", grave->code);
    else if (grave->death == COR_DEATH_SIGNAL)
        snprintf(how, sizeof how, "its process was ended by signal %d (%s)", grave->code,
                 strsignal(grave->code));
    else if (grave->death == COR_DEATH_CPU_TIME)
        snprintf(how, sizeof how, "its process did not get on, and was ended");
    else if (grave->death == COR_DEATH_ENDED)
        snprintf(how, sizeof how, "its process was ended");
    else
        snprintf(how, sizeof how, "its process disappeared");
    int words = (int)(grave->size < COR_LAST_WORDS ? grave->size : COR_LAST_WORDS);
    snprintf(text, size, "%s%s%.*s", how, words > 0 ? "; it last said: " : "", words, grave->words);
}
