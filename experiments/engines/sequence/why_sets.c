/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes that make a failure go only together: as few as do it, by delta debugging. */
#include "why_search.h"

#include <corridor/array.h>
#include <corridor/minimize.h>

#include <stdlib.h>
#include <string.h>

#define TOLD_MOST 64 /* causes of a set */

/* The number, in another course, of the message that is the same: from and to the same agents, of the same
 * kind, the so-many-th such. COR_COURSE_NONE: it is not sent there. */
static uint32_t find_again(const struct cor_course *course, uint32_t number, const struct cor_course *other) {
    const struct cor_course_message *it = &course->messages[number];
    uint32_t before = 0;
    for (uint32_t i = 0; i < number; i++)
        before += sequence__why_is_same(&course->messages[i], it);
    for (uint32_t i = 0; i < other->message_count; i++)
        if (sequence__why_is_same(&other->messages[i], it) && before-- == 0)
            return i;
    return COR_COURSE_NONE;
}

/* The same of several parts where mail comes as it comes: what is changed first changes how later messages
 * are counted, so each is looked for in the course of all before it. */
static enum cor_status execute_set(struct why *w, const struct part *parts, size_t count, const bool *gone,
                                   struct cor_test_result *result, struct cor_error *error) {
    struct cor_course course = {.identity = w->identity};
    uint32_t *numbers = cor_calloc(count, sizeof *numbers);
    bool *left = cor_calloc(count, sizeof *left);
    enum cor_status status = COR_OK;
    size_t changed = 0;
    if (!numbers || !left) {
        status = cor_fail_memory(error);
        goto out;
    }
    memset(left, true, count);
    for (size_t i = 0; i < count; i++) {
        if (gone && gone[i])
            continue;
        numbers[i] = parts[i].number;
        if (changed++ > 0 && parts[i].kind == COR_WHY_MESSAGE) {
            if (!sequence__why_may_execute(w))
                goto out;
            COR_TRY_OUT(sequence__why_execute(w, parts, i, left, numbers, &(struct together){.told = &course},
                                              result, error));
            numbers[i] = find_again(&w->report->course, parts[i].number, &course);
        }
        left[i] = numbers[i] == COR_COURSE_NONE; /* what is not sent any more cannot be lost */
    }
    if (sequence__why_may_execute(w))
        COR_TRY_OUT(
            sequence__why_execute(w, parts, count, left, numbers, &(struct together){0}, result, error));
out:
    cor_course_fini(&course);
    free(numbers);
    free(left);
    return status;
}

struct search {
    struct why *why;
    struct part *parts;
    bool is_held;
};

/* Does the failure stay away without the changes that are marked? */
static enum cor_status try_without(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct search *search = self;
    struct why *w = search->why;
    struct cor_test_result result;
    *stays = false;
    if (!sequence__why_may_execute(w))
        return COR_OK;
    const struct together how = {.held = search->is_held ? &w->report->course : NULL};
    COR_TRY(sequence__why_execute(w, search->parts, w->part_count, gone, NULL, &how, &result, error));
    *stays = !sequence__why_is_there(w, &result);
    return COR_OK;
}

/* The failure goes with all parts changed where mail comes as it comes, and comes back with any of them as it
 * was. Where mail was held when the set was found, it is held for that, too: what comes of one change may
 * else stand in for another. */
static enum cor_status confirm_set(struct why *w, const struct part *parts, size_t count, bool is_held,
                                   bool *is_confirmed, struct cor_test_result *instead,
                                   struct cor_error *error) {
    const struct together held = {.held = &w->report->course};
    struct cor_test_result result;
    bool *gone = cor_calloc(count, sizeof *gone);
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(gone, error));
    *is_confirmed = false;
    COR_TRY_OUT(execute_set(w, parts, count, NULL, &result, error));
    if (w->is_stopped || sequence__why_is_there(w, &result))
        goto out;
    for (size_t i = 0; i < count; i++) {
        gone[i] = true;
        if (!is_held)
            COR_TRY_OUT(execute_set(w, parts, count, gone, &instead[i], error));
        else if (sequence__why_may_execute(w))
            COR_TRY_OUT(sequence__why_execute(w, parts, count, gone, NULL, &held, &instead[i], error));
        gone[i] = false;
        if (w->is_stopped || !sequence__why_is_there(w, &instead[i]))
            goto out;
    }
    *is_confirmed = true;
out:
    free(gone);
    return status;
}

static enum cor_status name_set(struct why *w, const struct part *parts, const bool *gone, bool is_held,
                                bool *is_confirmed, struct cor_error *error) {
    struct part set[TOLD_MOST];
    struct cor_test_result instead[TOLD_MOST];
    size_t count = 0;
    *is_confirmed = false;
    for (size_t i = 0; i < w->part_count; i++) {
        if (gone[i])
            continue;
        if (count == TOLD_MOST)
            return COR_OK;
        set[count++] = parts[i];
    }
    COR_TRY(confirm_set(w, set, count, is_held, is_confirmed, instead, error));
    for (size_t i = 0; i < count && *is_confirmed; i++) {
        COR_TRY(sequence__why_name(w, &set[i], error));
        w->report->causes[w->report->cause_count - 1].instead = instead[i];
    }
    w->report->is_set = *is_confirmed;
    return COR_OK;
}

/* A smallest set of parts that have to be changed together, if all of them together make the failure go. */
static enum cor_status search_set(struct why *w, bool is_held, uint32_t way, bool *is_found,
                                  struct cor_error *error) {
    struct cor_test_result result;
    struct search search = {w, cor_calloc(w->part_count, sizeof *search.parts), is_held};
    bool *gone = cor_calloc(w->part_count, sizeof *gone), moved;
    enum cor_status status = COR_OK;
    *is_found = false;
    if (!search.parts || !gone) {
        status = cor_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < w->part_count; i++) {
        search.parts[i] = w->parts[i];
        (void)sequence__why_next_way(&search.parts[i], way);
        gone[i] = !sequence__why_can_be(w, &search.parts[i]);
    }
    if (!sequence__why_may_execute(w))
        goto out;
    const struct together how = {.held = is_held ? &w->report->course : NULL};
    COR_TRY_OUT(sequence__why_execute(w, search.parts, w->part_count, gone, NULL, &how, &result, error));
    if (sequence__why_is_there(w, &result))
        goto out;
    COR_TRY_OUT(cor_minimize_set((uint32_t)w->part_count, try_without, &search, gone, &moved, error));
    if (!w->is_stopped)
        COR_TRY_OUT(name_set(w, search.parts, gone, is_held, is_found, error));
out:
    free(search.parts);
    free(gone);
    return status;
}

enum cor_status sequence__why_sets(struct why *w, bool *is_found, struct cor_error *error) {
    *is_found = false;
    for (int held = w->can_hold ? 1 : 0; held >= 0 && !*is_found && !w->is_stopped; held--)
        for (uint32_t way = 0; way < COR_WHY_WAYS_OF_MAIL && !*is_found && !w->is_stopped; way++) {
            COR_TRY(search_set(w, held == 1, way, is_found, error));
            w->report->is_held = *is_found && held == 1;
        }
    return COR_OK;
}
