/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shrinking a test: delta debugging over its choices, then pairs of them if they are few; then those that say
 * how large it is become lesser ones where they need not be what they are. A choice that is taken out takes
 * along those that are not possible without it; the time of each that stays stays, so what waited for time to
 * pass needs no choices in between. */
#include <corridor/subject.h>

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum cor_status cor_choices_copy(struct cor_choices *to, const struct cor_choices *from,
                                 struct cor_error *error) {
    COR_TRY(COR_RESERVE(&to->items, &to->capacity, from->count, error));
    if (from->count > 0)
        memcpy(to->items, from->items, from->count * sizeof *to->items);
    to->count = from->count;
    COR_TRY(COR_RESERVE(&to->values, &to->value_capacity, from->value_count, error));
    if (from->value_count > 0)
        memcpy(to->values, from->values, from->value_count * sizeof *to->values);
    to->value_count = from->value_count;
    return COR_OK;
}

void cor_choices_fini(struct cor_choices *choices) {
    free(choices->items);
    free(choices->values);
    *choices = (struct cor_choices){0};
}

struct shrinker {
    struct cor_shrinking *of;
    void *bench;
    const struct cor_subject_test *test;
    const struct cor_choices *choices; /* of it: parts */
    struct cor_subject_test attempt;   /* with some of them */
    struct cor_choices happened;
    uint64_t wanted; /* class */
    bool *idle;      /* [part] with those that do not happen */
    bool has_lesser; /* the test has such choices */
    bool is_last;    /* the test is the one that is kept */
};

/* The attempt has all choices but those; there is room for as many. */
static void leave_out(struct shrinker *s, const bool *gone) {
    struct cor_choices *left = &s->attempt.choices;
    left->count = 0;
    for (size_t i = 0; i < s->choices->count; i++)
        if (!gone[i])
            left->items[left->count++] = s->choices->items[i];
}

static enum cor_status run_without(struct shrinker *s, const bool *gone, struct cor_run *run,
                                   struct cor_error *error) {
    leave_out(s, gone);
    return s->of->subject->run(s->bench, &s->attempt, &s->happened, run, error);
}

static bool is_loop(const void *self, uint32_t from, uint32_t to) {
    const struct shrinker *s = self;
    return s->of->subject->is_loop(s->test, from, to);
}

/* Marks the choices of the attempt that did not happen: what happened is a part of it, in order. Which of two
 * it was that happened later than both is not known: the marks stand only if it fails without them, too. */
static enum cor_status mark_impossible(struct shrinker *s, bool *gone, struct cor_error *error) {
    const size_t count = s->choices->count;
    struct cor_run run;
    size_t happened = 0, idle = 0;
    memcpy(s->idle, gone, count * sizeof *gone);
    for (size_t i = 0; i < count; i++) {
        if (gone[i])
            continue;
        if (happened < s->happened.count &&
            cor_choice_is(&s->choices->items[i], &s->happened.items[happened]))
            happened++;
        else
            s->idle[i] = true, idle++;
    }
    if (idle == 0)
        return COR_OK;
    COR_TRY(run_without(s, s->idle, &run, error));
    if (run.class == s->wanted)
        memcpy(gone, s->idle, count * sizeof *gone);
    return COR_OK;
}

bool cor_shrinking_goes_on(struct cor_shrinking *shrinking) {
    struct cor_tries *tries = &shrinking->progress.tries;
    tries->is_stopped = !cor_tries_go_on(tries, 1) ||
                        (shrinking->go_on && !shrinking->go_on(shrinking->self, &shrinking->progress));
    tries->count += !tries->is_stopped;
    return !tries->is_stopped;
}

static void count_left(struct shrinker *s, const bool *gone) {
    s->of->progress.choices = 0;
    for (size_t i = 0; i < s->choices->count; i++)
        s->of->progress.choices += !gone[i];
}

/* Does the failure stay without the choices marked? Once there is no more to be tried, no. */
static enum cor_status stays_without(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct shrinker *s = self;
    struct cor_run run;
    *stays = false;
    if (!cor_shrinking_goes_on(s->of))
        return COR_OK;
    COR_TRY(run_without(s, gone, &run, error));
    *stays = run.class == s->wanted;
    if (!*stays)
        return COR_OK;
    COR_TRY(mark_impossible(s, gone, error));
    count_left(s, gone);
    return COR_OK;
}

/* *moved: one is lesser now. */
static enum cor_status make_lesser(struct shrinker *s, bool *gone, bool *attempt, bool *moved,
                                   struct cor_error *error) {
    const struct cor_subject *subject = s->of->subject;
    const size_t count = s->choices->count;
    for (size_t i = 0; i < count && s->has_lesser && !s->of->progress.tries.is_stopped; i++) {
        struct cor_choice *choice = &s->choices->items[i];
        bool stays = false;
        if (gone[i] || choice->kind != subject->measured)
            continue;
        memcpy(attempt, gone, count * sizeof *gone);
        choice->kind = subject->lesser;
        COR_TRY(stays_without(s, attempt, &stays, error));
        if (stays)
            memcpy(gone, attempt, count * sizeof *gone);
        else
            choice->kind = subject->measured;
        *moved = *moved || stays;
    }
    return COR_OK;
}

#define WINDOW_MOST 64u /* choices in a row, such as those of an election */

static enum cor_status take_out(struct shrinker *s, bool *gone, bool *attempt, const uint32_t *owner,
                                uint32_t owner_count, struct cor_error *error) {
    const struct cor_tries *tries = &s->of->progress.tries;
    const struct cor_minimizing parts = {.count = (uint32_t)s->choices->count,
                                         .try = stays_without,
                                         .self = s,
                                         .gone = gone,
                                         .tries = tries,
                                         .owner = owner,
                                         .owner_count = owner_count,
                                         .window_most = WINDOW_MOST,
                                         .pairs_most = COR_PAIRS_MOST,
                                         .sets_most = s->is_last ? s->of->sets_most : 0,
                                         .is_loop = is_loop};
    const struct cor_subject *subject = s->of->subject;
    bool moved = true;
    if (subject->is_loop)
        COR_TRY(cor_minimize(&parts, COR_MINIMIZE_LOOPS, &moved, error));
    moved = true;
    while (moved && !tries->is_stopped) {
        COR_TRY(cor_minimize(&parts, COR_MINIMIZE_SET, &moved, error));
        COR_TRY(cor_minimize(&parts, COR_MINIMIZE_WINDOWS, &moved, error));
        if (!moved)
            COR_TRY(cor_minimize(&parts, COR_MINIMIZE_PAIRS, &moved, error));
        if (!moved)
            COR_TRY(cor_minimize(&parts, COR_MINIMIZE_SETS, &moved, error));
        if (!moved)
            COR_TRY(make_lesser(s, gone, attempt, &moved, error));
        leave_out(s, gone);
        if (!moved && subject->shrink_scene && s->is_last && !tries->is_stopped)
            COR_TRY(subject->shrink_scene(s->bench, s->of, &s->attempt, &moved, error));
    }
    return COR_OK;
}

/* Shrinks one test, until there were so many tries (0: as many as it takes), with those before it. is_last:
 * it is the one that is kept. */
static enum cor_status shrink_one(struct cor_shrinking *shrinking, void *bench, uint32_t number, bool is_last,
                                  uint64_t tries_most, struct cor_shrunk *shrunk, struct cor_error *error) {
    const struct cor_subject *subject = shrinking->subject;
    struct cor_subject_test *test = &shrinking->tests[number];
    struct cor_choices *choices = &test->choices;
    struct cor_tries *tries = &shrinking->progress.tries;
    struct shrinker s = {.of = shrinking,
                         .bench = bench,
                         .test = test,
                         .choices = choices,
                         .attempt = *test,
                         .is_last = is_last};
    bool *gone = cor_calloc(choices->count + 1, sizeof *gone);
    bool *attempt = cor_calloc(choices->count + 1, sizeof *attempt);
    uint32_t *owner = cor_calloc(choices->count + 1, sizeof *owner), owner_count = 0;
    struct cor_run run;
    enum cor_status status;
    s.attempt.choices = (struct cor_choices){0};
    *shrunk = (struct cor_shrunk){.best = number};
    *tries = (struct cor_tries){.count = tries->count, .most = tries_most};
    shrinking->progress.test = number;
    shrinking->progress.choices = choices->count;
    s.idle = cor_calloc(choices->count + 1, sizeof *s.idle);
    COR_TRY_OUT(cor_made(gone && attempt && owner ? s.idle : NULL, error));
    COR_TRY_OUT(cor_choices_copy(&s.attempt.choices, choices, error));
    COR_TRY_OUT(subject->run(bench, test, &s.happened, &run, error));
    if (run.class == 0) {
        char remedy[64];
        snprintf(remedy, sizeof remedy, "a %s that fails", subject->test);
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, NULL, remedy, "the %s does not fail", subject->test));
    }
    s.wanted = run.class;
    for (size_t i = 0; i < choices->count; i++) {
        s.has_lesser = s.has_lesser || choices->items[i].kind == subject->lesser;
        owner[i] = choices->items[i].who;
        owner_count = owner[i] >= owner_count ? owner[i] + 1 : owner_count;
    }
    COR_TRY_OUT(mark_impossible(&s, gone, error));
    count_left(&s, gone);
    COR_TRY_OUT(take_out(&s, gone, attempt, owner, owner_count, error));
    /* What is left of the choices, in place. */
    size_t left = 0;
    for (size_t i = 0; i < choices->count; i++)
        if (!gone[i])
            choices->items[left++] = choices->items[i];
    choices->count = left;
    for (size_t i = 0; i < left; i++)
        shrunk->size += subject->measured == COR_NO_KIND || choices->items[i].kind == subject->measured;
    shrunk->is_minimal = !tries->is_stopped;
    shrunk->is_ended = tries->is_stopped && !tries->is_used_up;
    shrunk->are_pairs = left <= COR_PAIRS_MOST;
    shrunk->are_sets = is_last && shrinking->sets_most > 0 && left <= shrinking->sets_most;
out:
    free(gone);
    free(attempt);
    free(owner);
    free(s.idle);
    cor_choices_fini(&s.attempt.choices);
    cor_choices_fini(&s.happened);
    return status;
}

#define SCOUT_TRIES 1500u /* with which it is seen which of several tests gets smallest */

enum cor_status cor_shrink_tests(struct cor_shrinking *shrinking, void *bench, struct cor_error *error) {
    const uint64_t budget = shrinking->budget, share = budget / (shrinking->count + 1);
    const uint64_t scout_tries = shrinking->is_lone                  ? 0
                                 : budget > 0 && share < SCOUT_TRIES ? share
                                                                     : SCOUT_TRIES;
    struct cor_shrunk *best = &shrinking->shrunk, each = {0};
    uint32_t scouted = 0;
    shrinking->progress = (struct cor_shrink_progress){0};
    *best = each;
    for (uint32_t t = 0; t < shrinking->count && scout_tries > 0 && !each.is_ended; t++, scouted++) {
        COR_TRY(shrink_one(shrinking, bench, t, false, shrinking->progress.tries.count + scout_tries, &each,
                           error));
        if (t == 0 || each.size < best->size)
            *best = each;
    }
    if (!each.is_ended) {
        COR_TRY(shrink_one(shrinking, bench, best->best, true, budget, &each, error));
        *best = each;
    }
    best->is_ended = each.is_ended;
    best->tried = shrinking->progress.tries.count;
    best->count = scouted > 0 ? scouted : 1;
    return COR_OK;
}

enum cor_status cor_shrink_here(struct cor_shrinking *shrinking, void *bench, bool is_program, bool *differs,
                                struct cor_error *error) {
    const struct cor_subject *subject = shrinking->subject;
    struct cor_run first, again;
    struct cor_error said = COR_NO_ERROR;
    COR_TRY(subject->run(bench, &shrinking->tests[0], NULL, &first, error));
    const enum cor_status status = cor_shrink_tests(shrinking, bench, &said);
    *differs = status == COR_STATUS_INPUT && is_program && first.class != 0;
    if (*differs)
        return COR_OK;
    if (status != COR_OK)
        return cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
    COR_TRY(subject->run(bench, &shrinking->tests[shrinking->shrunk.best], NULL, &again, error));
    *differs = first.class != again.class;
    return COR_OK;
}
