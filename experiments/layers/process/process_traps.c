/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traps of distributed programs: conditions over what processes show, in the language of the corridor. They
 * are parsed behind its text, a line each, and so may use all that it declares. */
#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the parser says of a line, said of the condition that stands in it. */
static enum cor_status refuse(const struct cor_error *said, size_t lines, const char *const *names,
                              const char *const *conditions, uint32_t count, uint32_t *wrong,
                              struct cor_error *error) {
    char place[sizeof said->place];
    size_t line = 0, column = 0;
    snprintf(place, sizeof place, "%s", said->place);
    char *const second = strrchr(place, ':');
    if (second)
        *second = '\0';
    char *const first = strrchr(place, ':');
    if (first && second) {
        line = strtoul(first + 1, NULL, 10);
        column = strtoul(second + 1, NULL, 10);
    }
    *wrong = line > lines && line - lines <= count ? (uint32_t)(line - lines - 1) : 0;
    const size_t before = strlen("invariant : ") + strlen(names[*wrong]);
    return column > before ? cor_fail(error, said->status, NULL, said->remedy, "column %zu of \"%.200s\": %s",
                                      column - before, conditions[*wrong], said->cause)
                           : cor_fail(error, said->status, NULL, said->remedy, "%s", said->cause);
}

/* The corridor's text and the traps behind it. lines: of the former. */
static char *whole_text(const struct cor_process_arm *arm, const char *const *names,
                        const char *const *conditions, uint32_t count, size_t *lines) {
    const char *text = arm->corridor_text;
    const size_t length = strlen(text);
    char *whole = cor_format("%s%s", text, length > 0 && text[length - 1] == '\n' ? "" : "\n");
    *lines = 0;
    for (const char *at = whole; at && (at = strchr(at, '\n')); at++)
        ++*lines;
    for (uint32_t t = 0; t < count && whole; t++)
        whole = cor_join_take(whole, "", cor_format("invariant %s: %s\n", names[t], conditions[t]));
    return whole;
}

enum cor_status cor_process_traps_make(const struct cor_process_arm *arm, const char *const *names,
                                       const char *const *conditions, uint32_t count,
                                       struct cor_process_traps *traps, uint32_t *wrong,
                                       struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    size_t lines;
    *traps = (struct cor_process_traps){0};
    COR_ASSERT(count <= COR_PROCESS_TRAPS_MAX);
    for (*wrong = 0; *wrong < count; ++*wrong)
        if (conditions[*wrong][0] == '\0' || !cor_is_printable(conditions[*wrong]) ||
            !cor_is_printable(names[*wrong]))
            return cor_fail(error, COR_STATUS_INPUT, NULL, "\"any(a in agents: a.role == 'leader')\"",
                            "name and condition are one line each, with something in it, and without "
                            "control characters");
    char *text = whole_text(arm, names, conditions, count, &lines);
    COR_TRY(cor_made(text, error));
    enum cor_status status = cor_corridor_parse(text, arm->corridor->name, &traps->corridor, &said);
    free(text);
    if (status == COR_STATUS_INPUT)
        return refuse(&said, lines, names, conditions, count, wrong, error);
    if (status != COR_OK) {
        *error = said;
        return status;
    }
    traps->count = count;
    traps->first = traps->corridor->constraint_count - count;
    traps->watched = cor_calloc(traps->corridor->constraint_count, sizeof *traps->watched);
    COR_TRY(cor_made(traps->watched, error));
    for (*wrong = 0; *wrong < count; ++*wrong) {
        const uint32_t c = traps->first + *wrong;
        traps->watched[c] = true;
        if (strcmp(traps->corridor->constraints[c].name, names[*wrong]) != 0)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "letters, digits and _", "\"%.80s\" is no name",
                            names[*wrong]);
        if (traps->corridor->constraints[c].channel != COR_NONE)
            return cor_fail(error, COR_STATUS_INPUT, NULL,
                            "write a condition over attributes, or an invariant",
                            "agree() is of all events together, and a trap is met after one");
    }
    return COR_OK;
}

void cor_process_traps_fini(struct cor_process_traps *traps) {
    cor_corridor_destroy(traps->corridor);
    free(traps->watched);
    *traps = (struct cor_process_traps){0};
}

uint32_t cor_process_trap(const struct cor_process_arm *arm, const char *name) {
    for (uint32_t t = 0; t < arm->traps.count; t++)
        if (strcmp(arm->traps.corridor->constraints[arm->traps.first + t].name, name) == 0)
            return t;
    return COR_NONE;
}

enum cor_status process_layer__traps_read(const struct cor_json *json, struct cor_process_arm *arm,
                                          struct cor_error *error) {
    const char *names[COR_PROCESS_TRAPS_MAX], *conditions[COR_PROCESS_TRAPS_MAX];
    struct cor_error said = COR_NO_ERROR;
    uint32_t wrong = 0;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    const size_t count = cor_json_size(json);
    if (count > COR_PROCESS_TRAPS_MAX)
        return cor_json_fail(json, error, "leave some out", "%zu traps, and at most %d may be", count,
                             COR_PROCESS_TRAPS_MAX);
    for (size_t t = 0; t < count; t++) {
        const struct cor_json item = cor_json_at(json, t);
        names[t] = item.key;
        COR_TRY(cor_json_string(&item, &conditions[t], error));
    }
    if (count == 0)
        return COR_OK;
    const enum cor_status status =
        cor_process_traps_make(arm, names, conditions, (uint32_t)count, &arm->traps, &wrong, &said);
    if (status != COR_STATUS_INPUT) {
        *error = said;
        return status;
    }
    const struct cor_json item = cor_json_at(json, wrong);
    return cor_json_fail(&item, error, said.remedy, "%s", said.cause);
}
