/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a test fails: each choice changed alone; and the curve: how probable the failure was behind the first
 * choices, by futures that are drawn by a law (Monte Carlo). Intervals are those of Clopper and Pearson.
 * Half of what may be wrong is for the moments - all that could be asked for, as which are follows from what
 * came -, half for what came in the place of the choice with the largest rise: of futures of their own, for
 * it was chosen by those of its moment. So all hold together (Bonferroni). */
#include <corridor/subject.h>

#include <corridor/array.h>
#include <corridor/descriptive.h>
#include <corridor/rng.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* May another one be executed, of about so many? */
static bool goes_on(struct cor_why_asked *asked, uint64_t count) {
    struct cor_tries *tries = &asked->tries;
    tries->is_stopped =
        !cor_tries_go_on(tries, 1) || (asked->go_on && !asked->go_on(asked->self, tries->count, count));
    tries->count += !tries->is_stopped;
    return !tries->is_stopped;
}

/* ---- each choice changed alone */

/* Changes it in the copy; false: there is no such way. */
static bool change(struct cor_choices *copy, size_t index, enum cor_way way) {
    struct cor_choice *items = copy->items, moved = items[index];
    const size_t last = copy->count - 1;
    const size_t to = way == COR_WAY_LATER && index < last ? index + 1 : last;
    if (way != COR_WAY_GONE && (index == last || (way == COR_WAY_LAST && index + 1 == last)))
        return false; /* it is the last; behind all others is behind the next one */
    memmove(&items[index], &items[index + 1], (to - index) * sizeof *items);
    moved.at = items[to].at;
    items[to] = moved;
    copy->count -= way == COR_WAY_GONE;
    return true;
}

enum cor_status cor_need_choices(struct cor_why_asked *asked, struct cor_needed *needed,
                                 struct cor_error *error) {
    const struct cor_choices *choices = &asked->test->choices;
    struct cor_subject_test copy = *asked->test;
    struct cor_run run;
    enum cor_status status = COR_OK;
    copy.choices = (struct cor_choices){0};
    for (size_t c = 0; c < choices->count; c++) {
        needed[c] = (struct cor_needed){0};
        for (int way = 0; way < COR_WAYS; way++) {
            if (asked->subject->is_unordered && way != COR_WAY_GONE)
                continue;
            COR_TRY_OUT(cor_choices_copy(&copy.choices, choices, error));
            if (!change(&copy.choices, c, (enum cor_way)way))
                continue;
            if (!goes_on(asked, COR_WAYS * choices->count))
                goto out;
            COR_TRY_OUT(asked->subject->run(asked->bench, &copy, NULL, &run, error));
            needed[c].tried |= (uint8_t)(1u << way);
            needed[c].goes |= (uint8_t)((run.class != asked->class) << way);
            needed[c].passes |= (uint8_t)((run.class == 0) << way);
        }
    }
out:
    cor_choices_fini(&copy.choices);
    return status;
}

/* ---- the curve */

#define SPARE ((1 - COR_CURVE_LEVEL) / 2) /* what may be wrong of the moments, and of the others */

static void count(struct cor_fail_share *fails, const struct cor_run *run, uint64_t class) {
    fails->futures++;
    fails->alike += run->class == class;
    fails->cut += run->is_cut;
}

/* Whatever would have come of those that were cut. */
static void take_interval(struct cor_fail_share *fails, size_t of) {
    const double level = 1 - SPARE / (double)of;
    fails->share = (double)fails->alike / (double)fails->futures;
    fails->low = cor_proportion_clopper_pearson(fails->alike, fails->futures, level).low;
    fails->high = cor_proportion_clopper_pearson(fails->alike + fails->cut, fails->futures, level).high;
}

/* How far the intervals of a moment and the next one are from each other; 0 or less: they meet. */
static double distance(const struct cor_curve_moment *moment) {
    const struct cor_fail_share *one = &moment[0].fails, *other = &moment[1].fails;
    return fmax(other->low - one->high, one->low - other->high);
}

bool cor_curve_parts(const struct cor_curve *curve, size_t moment) {
    return moment > 0 && distance(&curve->moments[moment - 1]) > 0;
}

bool cor_curve_is_flat(const struct cor_curve *curve) {
    size_t m = 1;
    while (m < curve->count && !cor_curve_parts(curve, m))
        m++;
    return m >= curve->count;
}

static bool is_first_look(const struct cor_curve *curve) {
    return curve->count <= COR_CURVE_MOMENTS; /* the end is no look */
}

/* The moment half-way between two: of the first ones where there are most choices between, then where the
 * intervals are farthest apart. False: there is none. */
static bool find_moment(const struct cor_curve *curve, uint32_t *choices) {
    double widest = 0;
    for (size_t m = 0; m + 1 < curve->count; m++) {
        const uint32_t from = curve->moments[m].choices, to = curve->moments[m + 1].choices;
        const double width = is_first_look(curve) ? (double)(to - from) : distance(&curve->moments[m]);
        if (to - from < 2 || !(width > widest))
            continue;
        widest = width;
        *choices = from + (to - from) / 2;
    }
    return widest > 0;
}

/* Futures that come in all, as far as that can be said. */
static uint64_t expect(const struct cor_curve *curve, size_t choices) {
    uint64_t moments = curve->count;
    if (is_first_look(curve))
        moments = choices < COR_CURVE_MOMENTS ? choices : COR_CURVE_MOMENTS;
    for (size_t m = 0; m + 1 < curve->count && !is_first_look(curve); m++)
        for (uint32_t gap = curve->moments[m + 1].choices - curve->moments[m].choices;
             gap > 1 && distance(&curve->moments[m]) > 0; gap -= gap / 2)
            moments++;
    return (moments + COR_CURVE_OTHERS) * curve->effort;
}

enum { OF_MOMENTS, OF_OTHERS };

/* Follows future `number` of so many, and counts it; *whole false: no more is to be. */
static enum cor_status follow(struct cor_why_asked *asked, struct cor_curve *curve,
                              struct cor_curve_moment *moment, uint64_t identity, uint32_t number,
                              uint32_t of, struct cor_run *run, bool *whole, struct cor_error *error) {
    const struct cor_subject_test *test = asked->test;
    uint64_t seeds[1 + COR_FORKS_AHEAD];
    /* The first of a moment says what all come to there. */
    const uint32_t ahead = number % (1 + COR_FORKS_AHEAD) != 1 ? 0
                           : of - number - 1 < COR_FORKS_AHEAD ? of - number - 1
                                                               : COR_FORKS_AHEAD;
    for (uint32_t n = 0; n <= ahead; n++) {
        const struct cor_stream_name name = {.seed = curve->by.seed,
                                             .identity = identity,
                                             .suite = test->suite,
                                             .sequence = test->sequence,
                                             .entity = moment->choices,
                                             .purpose = COR_PURPOSE_WHY,
                                             .ordinal = number + n};
        seeds[n] = cor_rng_first_word(&name);
    }
    const struct cor_fork fork = {.future = curve->by.future,
                                  .choices = moment->choices,
                                  .seed = seeds[0],
                                  .ahead = curve->by.ahead,
                                  .forked = moment->forked,
                                  .seeds = seeds + 1,
                                  .seed_count = ahead};
    *whole = goes_on(asked, expect(curve, test->choices.count));
    if (!*whole)
        return COR_OK;
    COR_TRY(asked->subject->follow(asked->bench, test, &fork, run, error));
    if (run->does_not_repeat) {
        curve->does_not_repeat = true;
        curve->differs_later = run->forked == moment->forked;
        curve->stopped = moment->choices;
        *whole = false;
        return COR_OK;
    }
    moment->forked = run->forked;
    count(&moment->fails, run, asked->class);
    return COR_OK;
}

/* Puts a moment behind so many choices among the others; *whole false: it did not come to an end, and has the
 * futures that were followed until then, which depends on nothing that came of them. */
static enum cor_status look(struct cor_why_asked *asked, struct cor_curve *curve, uint32_t choices,
                            bool *whole, struct cor_error *error) {
    struct cor_curve_moment moment = {.choices = choices};
    struct cor_run run;
    size_t at = 0;
    *whole = true;
    for (uint32_t n = 0; n < curve->effort && *whole; n++)
        COR_TRY(follow(asked, curve, &moment, OF_MOMENTS, n, curve->effort, &run, whole, error));
    if (curve->does_not_repeat || moment.fails.futures == 0)
        return COR_OK;
    take_interval(&moment.fails, asked->test->choices.count);
    COR_TRY(COR_RESERVE(&curve->moments, &curve->capacity, curve->count + 1, error));
    while (at < curve->count && curve->moments[at].choices < choices)
        at++;
    memmove(&curve->moments[at + 1], &curve->moments[at], (curve->count++ - at) * sizeof moment);
    curve->moments[at] = moment;
    return COR_OK;
}

static void find_rise(struct cor_curve *curve) {
    double most = 0;
    for (size_t m = 1; m < curve->count; m++) {
        const struct cor_curve_moment *behind = &curve->moments[m], *before = behind - 1;
        const double rise = behind->fails.share - before->fails.share;
        if (behind->choices - before->choices > 1 || !cor_curve_parts(curve, m) || !(rise > most))
            continue;
        most = rise;
        curve->rise = m;
    }
}

/* What came: the row of that text, which is taken over. */
static enum cor_status find_other(struct cor_curve *curve, char *text, struct cor_other **other,
                                  struct cor_error *error) {
    for (size_t o = 0; o < curve->other_count; o++) {
        *other = &curve->others[o];
        if (text && (*other)->text ? strcmp((*other)->text, text) == 0 : text == (*other)->text) {
            free(text);
            return COR_OK;
        }
    }
    if (COR_RESERVE(&curve->others, &curve->other_capacity, curve->other_count + 1, error) != COR_OK) {
        free(text);
        return COR_STATUS_MEMORY;
    }
    *other = &curve->others[curve->other_count++];
    **other = (struct cor_other){.text = text};
    return COR_OK;
}

static int compare_others(const void *one, const void *other) {
    const struct cor_other *a = one, *b = other;
    if (a->fails.share != b->fails.share)
        return a->fails.share > b->fails.share ? -1 : 1;
    return strcmp(a->text ? a->text : "", b->text ? b->text : "");
}

static enum cor_status look_at_others(struct cor_why_asked *asked, struct cor_curve *curve,
                                      struct cor_error *error) {
    const struct cor_curve_moment *before = &curve->moments[curve->rise - 1];
    struct cor_curve_moment moment = {.choices = before->choices, .forked = before->forked};
    const struct cor_subject_test *test = asked->test;
    struct cor_other *other;
    struct cor_run run;
    bool whole = true;
    const uint32_t futures = COR_CURVE_OTHERS * curve->effort;
    for (uint32_t n = 0; n < futures; n++) {
        COR_TRY(follow(asked, curve, &moment, OF_OTHERS, n, futures, &run, &whole, error));
        if (!whole)
            break;
        char *text = run.goes_on ? asked->subject->text(test, &run.next) : NULL;
        COR_TRY(!run.goes_on || text ? COR_OK : cor_fail_memory(error));
        COR_TRY(find_other(curve, text, &other, error));
        count(&other->fails, &run, asked->class);
    }
    char *own = asked->subject->text(test, &test->choices.items[before->choices]);
    COR_TRY(cor_made(own, error));
    for (size_t o = 0; o < curve->other_count; o++) {
        take_interval(&curve->others[o].fails, curve->other_count);
        curve->others[o].is_own = curve->others[o].text && strcmp(curve->others[o].text, own) == 0;
    }
    free(own);
    if (curve->other_count > 0)
        qsort(curve->others, curve->other_count, sizeof *curve->others, compare_others);
    return COR_OK;
}

enum cor_status cor_curve_draw(struct cor_why_asked *asked, struct cor_curve *curve,
                               struct cor_error *error) {
    uint32_t choices = 0;
    bool whole = true;
    COR_ASSERT(asked->test->choices.count > 0 && asked->test->choices.count < UINT32_MAX);
    COR_TRY(COR_RESERVE(&curve->moments, &curve->capacity, 1, error));
    curve->moments[curve->count++] = (struct cor_curve_moment){
        .choices = (uint32_t)asked->test->choices.count, .fails = {.share = 1, .low = 1, .high = 1}};
    do
        COR_TRY(look(asked, curve, choices, &whole, error));
    while (whole && find_moment(curve, &choices));
    find_rise(curve);
    return whole && curve->rise > 0 ? look_at_others(asked, curve, error) : COR_OK;
}

void cor_curve_fini(struct cor_curve *curve) {
    for (size_t o = 0; o < curve->other_count; o++)
        free(curve->others[o].text);
    free(curve->others);
    free(curve->moments);
    *curve = (struct cor_curve){0};
}
