/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/process_event.h>

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word, *meaning;
} kinds[] = {
#define ROW(NAME, word, is_fault, meaning) {word, meaning},
    COR_PROCESS_EVENT_KINDS(ROW)
#undef ROW
};

void cor_process_schedule_fini(struct cor_process_schedule *schedule) {
    free(schedule->events);
    *schedule = (struct cor_process_schedule){0};
}

const char *cor_process_event_kind_word(enum cor_process_event_kind kind) {
    return (unsigned)kind < COR_PROCESS_EVENT_KIND_COUNT ? kinds[kind].word : "?";
}

const char *cor_process_event_kind_meaning(enum cor_process_event_kind kind) {
    return (unsigned)kind < COR_PROCESS_EVENT_KIND_COUNT ? kinds[kind].meaning : "?";
}

enum cor_process_event_kind cor_process_event_kind_of(const char *word) {
    int kind = 0;
    while (kind < COR_PROCESS_EVENT_KIND_COUNT && strcmp(kinds[kind].word, word) != 0)
        kind++;
    return (enum cor_process_event_kind)kind;
}
