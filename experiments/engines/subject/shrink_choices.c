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
    struct cor_choices *choices;     /* of it: parts; */
    struct cor_choices whole;        /* owned; as they were */
    struct cor_subject_test attempt; /* with some of them */
    struct cor_choices happened;
    uint64_t wanted;          /* class */
    bool *gone, *tried;       /* owned; [part] left out; in what is tried */
    bool *idle;               /* owned; [part] with those that do not happen */
    uint32_t *owner;          /* owned; [part] */
    bool has_lesser;          /* the test has such choices */
    bool is_last;             /* the test is the one that is kept */
    bool is_by_itself;        /* it has choices that stand for what comes by itself */
    bool as_one;              /* what is of one cause is tried as one choice */
    bool is_costly;           /* more choices were executed than: */
    uint64_t cost, cost_most; /* choices executed, about; at most; 0: as many as it takes */
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
    s->cost += s->is_by_itself ? s->whole.count : s->attempt.choices.count;
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

/* Is another one worth it? */
static bool goes_on(struct shrinker *s) {
    s->is_costly = s->is_costly || (s->cost_most > 0 && s->cost >= s->cost_most);
    if (s->is_costly && s->cost_most > 0)
        s->of->progress.tries.is_stopped = true;
    return !s->of->progress.tries.is_stopped && cor_shrinking_goes_on(s->of);
}

/* Does the failure stay without the choices marked? Once there is no more to be tried, no. */
static enum cor_status stays_without(void *self, bool *gone, bool *stays, struct cor_error *error) {
    struct shrinker *s = self;
    struct cor_run run;
    *stays = false;
    if (!goes_on(s))
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

static enum cor_status take_out(struct shrinker *s, struct cor_error *error) {
    const struct cor_tries *tries = &s->of->progress.tries;
    const struct cor_subject *subject = s->of->subject;
    struct cor_minimizing parts = {.count = (uint32_t)s->choices->count,
                                   .try = stays_without,
                                   .self = s,
                                   .gone = s->gone,
                                   .tries = tries,
                                   .owner = s->owner,
                                   .window_most = WINDOW_MOST,
                                   .pairs_most = COR_PAIRS_MOST,
                                   .sets_most = s->is_last ? s->of->sets_most : 0,
                                   .is_loop = is_loop};
    bool moved = true;
    for (size_t i = 0; i < s->choices->count; i++) {
        const uint32_t who = s->owner[i] = s->choices->items[i].who;
        parts.owner_count = who >= parts.owner_count ? who + 1 : parts.owner_count;
    }
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
            COR_TRY(make_lesser(s, s->gone, s->tried, &moved, error));
        leave_out(s, s->gone);
        if (!moved && subject->shrink_scene && s->is_last && !tries->is_stopped)
            COR_TRY(subject->shrink_scene(s->bench, s->of, &s->attempt, &moved, error));
    }
    /* What is left of the choices, in place. */
    size_t left = 0;
    for (size_t i = 0; i < s->choices->count; i++)
        if (!s->gone[i])
            s->choices->items[left++] = s->choices->items[i];
    memset(s->gone, 0, left * sizeof *s->gone);
    s->choices->count = left;
    return COR_OK;
}

/* ---- what comes by itself */

#define SPANS 32u /* of a test, each of which is left to itself or not; choice c is in c * SPANS / count */

static enum cor_status make_left(struct shrinker *s, const bool *spans, struct cor_error *error) {
    const size_t count = s->choices->count;
    for (size_t c = 0; c < count; c++)
        s->tried[c] = spans[c * SPANS / count];
    s->attempt.choices.count = 0;
    return s->of->subject->by_itself(s->test, s->tried, s->as_one, &s->attempt.choices, error);
}

/* Does the failure stay where those spans are left to themselves, by fewer choices? */
static enum cor_status stays_by_itself(void *self, bool *spans, bool *stays, struct cor_error *error) {
    struct shrinker *s = self;
    struct cor_run run;
    *stays = false;
    COR_TRY(make_left(s, spans, error));
    if (s->attempt.choices.count >= s->choices->count || !cor_shrinking_goes_on(s->of))
        return COR_OK;
    s->cost += s->whole.count;
    COR_TRY(s->of->subject->run(s->bench, &s->attempt, &s->happened, &run, error));
    *stays = run.class == s->wanted;
    if (*stays)
        s->of->progress.choices = s->attempt.choices.count;
    return COR_OK;
}

static uint32_t count_defaults(const struct shrinker *s) {
    const struct cor_subject *subject = s->of->subject;
    uint32_t count = 0;
    for (size_t i = 0; i < s->choices->count && subject->by_itself; i++)
        count += s->choices->items[i].kind == subject->is_default;
    return count;
}

/* *is_less: so there are fewer choices than where each stays for itself. */
static enum cor_status is_less_as_one(struct shrinker *s, bool *is_less, struct cor_error *error) {
    bool all[SPANS];
    memset(all, true, sizeof all);
    s->as_one = false;
    COR_TRY(make_left(s, all, error));
    const size_t each = s->attempt.choices.count;
    s->as_one = true;
    COR_TRY(make_left(s, all, error));
    *is_less = s->attempt.choices.count < each;
    return COR_OK;
}

/* Leaves as much of the test to itself as can be, what is of one cause as one if that helps; *moved:
 * something. */
static enum cor_status leave_to_itself(struct shrinker *s, bool *moved, struct cor_error *error) {
    bool spans[SPANS] = {false};
    const struct cor_minimizing parts = {
        .count = SPANS, .try = stays_by_itself, .self = s, .gone = spans, .tries = &s->of->progress.tries};
    COR_TRY(is_less_as_one(s, &s->as_one, error));
    *moved = false;
    if (s->as_one)
        COR_TRY(cor_minimize(&parts, COR_MINIMIZE_SET, moved, error));
    s->as_one = *moved;
    if (!*moved)
        COR_TRY(cor_minimize(&parts, COR_MINIMIZE_SET, moved, error));
    if (!*moved)
        return COR_OK;
    COR_TRY(make_left(s, spans, error));
    return cor_choices_copy(s->choices, &s->attempt.choices, error);
}

/* Where taking choices out costs much, or leaves many, what comes by itself is left to do so: in the test as
 * it was, if that is shorter than what is left by then, and in what is left. Each step makes it shorter. */
static enum cor_status take_out_or_leave(struct shrinker *s, struct cor_error *error) {
    struct cor_tries *tries = &s->of->progress.tries;
    COR_FINISHED(cor_choices) struct cor_choices listed = {0};
    const bool may_leave = s->of->subject->by_itself && s->whole.count > COR_PAIRS_MOST;
    bool moved = false;
    s->cost_most = may_leave ? s->of->patience : 0;
    COR_TRY(take_out(s, error));
    s->cost_most = 0;
    tries->is_stopped = tries->is_stopped && !s->is_costly;
    if (!may_leave || tries->is_stopped || (!s->is_costly && s->choices->count <= COR_PAIRS_MOST))
        return COR_OK;
    COR_TRY(cor_choices_copy(&listed, s->choices, error));
    COR_TRY(cor_choices_copy(s->choices, &s->whole, error));
    COR_TRY(leave_to_itself(s, &moved, error));
    if (s->choices->count >= listed.count) {
        COR_TRY(cor_choices_copy(s->choices, &listed, error));
        moved = s->is_costly;
    }
    s->is_by_itself = count_defaults(s) > 0;
    do {
        if (moved)
            COR_TRY(take_out(s, error));
        COR_TRY(leave_to_itself(s, &moved, error));
        s->is_by_itself = s->is_by_itself || moved;
    } while (moved && !tries->is_stopped);
    return COR_OK;
}

/* Shrinks one test, until there were so many tries (0: as many as it takes), with those before it. is_last:
 * it is the one that is kept. */
static enum cor_status shrink_one(struct cor_shrinking *shrinking, void *bench, uint32_t number, bool is_last,
                                  uint64_t tries_most, struct cor_shrunk *shrunk, struct cor_error *error) {
    const struct cor_subject *subject = shrinking->subject;
    struct cor_subject_test *test = &shrinking->tests[number];
    struct cor_choices *choices = &test->choices;
    const size_t size = choices->count + 1;
    struct cor_tries *tries = &shrinking->progress.tries;
    struct shrinker s = {.of = shrinking,
                         .bench = bench,
                         .test = test,
                         .choices = choices,
                         .attempt = *test,
                         .gone = cor_calloc(size, sizeof *s.gone),
                         .tried = cor_calloc(size, sizeof *s.tried),
                         .idle = cor_calloc(size, sizeof *s.idle),
                         .owner = cor_calloc(size, sizeof *s.owner),
                         .is_last = is_last};
    struct cor_run run;
    enum cor_status status;
    s.attempt.choices = (struct cor_choices){0};
    *shrunk = (struct cor_shrunk){.best = number};
    *tries = (struct cor_tries){.count = tries->count, .most = tries_most};
    shrinking->progress.test = number;
    shrinking->progress.choices = choices->count;
    COR_TRY_OUT(cor_made(s.gone && s.tried && s.idle ? s.owner : NULL, error));
    COR_TRY_OUT(cor_choices_copy(&s.attempt.choices, choices, error));
    COR_TRY_OUT(cor_choices_copy(&s.whole, choices, error));
    COR_TRY_OUT(subject->run(bench, test, &s.happened, &run, error));
    if (run.class == 0) {
        char remedy[64];
        snprintf(remedy, sizeof remedy, "a %s that fails", subject->test);
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, NULL, remedy, "the %s does not fail", subject->test));
    }
    s.wanted = run.class;
    for (size_t i = 0; i < choices->count; i++)
        s.has_lesser = s.has_lesser || choices->items[i].kind == subject->lesser;
    s.is_by_itself = count_defaults(&s) > 0;
    COR_TRY_OUT(mark_impossible(&s, s.gone, error));
    count_left(&s, s.gone);
    COR_TRY_OUT(take_out_or_leave(&s, error));
    shrunk->defaults = count_defaults(&s);
    for (size_t i = 0; i < choices->count; i++)
        shrunk->size += shrunk->defaults > 0 || subject->measured == COR_NO_KIND ||
                        choices->items[i].kind == subject->measured;
    shrunk->is_minimal = !tries->is_stopped;
    shrunk->is_ended = tries->is_stopped && !tries->is_used_up;
    shrunk->are_pairs = choices->count <= COR_PAIRS_MOST;
    shrunk->are_sets = is_last && shrinking->sets_most > 0 && choices->count <= shrinking->sets_most;
    shrunk->cost = s.cost;
out:
    free(s.gone);
    free(s.tried);
    free(s.idle);
    free(s.owner);
    cor_choices_fini(&s.whole);
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
    uint64_t cost_left = COR_PATIENCE_SCOUTS * shrinking->patience;
    for (uint32_t t = 0; t < shrinking->count && scout_tries > 0 && !each.is_ended &&
                         (shrinking->patience == 0 || cost_left > 0);
         t++, scouted++) {
        COR_TRY(shrink_one(shrinking, bench, t, false, shrinking->progress.tries.count + scout_tries, &each,
                           error));
        cost_left -= each.cost < cost_left ? each.cost : cost_left;
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
