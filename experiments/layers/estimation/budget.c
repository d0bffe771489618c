/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many repetitions there will be, and of splitting how many trajectories each of their stages has: known
 * before the first of them, so that stopping favours nothing. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/work.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REPETITIONS_MIN 10  /* fewer carry no interval */
#define REPETITIONS_GOOD 60 /* of splitting: of so many, 20 mostly come out effective */
#define EFFORT_LEAST 5

static enum cor_status run_pilot(void *argument, void *answer, size_t size, struct cor_error *error) {
    (void)size;
    return estimation_layer__pilot_run(argument, answer, error);
}

/* An effort of at most so many trajectories, that is still one. */
static int64_t effort_within(double most) {
    return most >= ESTIMATION_LAYER__EFFORT ? ESTIMATION_LAYER__EFFORT
           : most > EFFORT_LEAST            ? (int64_t)most
                                            : EFFORT_LEAST;
}

void estimation_layer__effort_all(struct cor_estimation *e, int64_t effort) {
    e->effort = effort;
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++)
        e->efforts[i] = effort;
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++)
        e->keep[i] = 1;
}

void estimation_layer__effort_fit(struct cor_estimation *e) {
    const double most = (double)e->sequences * (double)e->case_most;
    estimation_layer__effort_all(e, effort_within((double)e->budget / (2 * REPETITIONS_MIN * most)));
}

enum cor_status estimation_layer__effort_read(const struct cor_json *json, struct cor_estimation *e,
                                              struct cor_error *error) {
    int64_t effort = ESTIMATION_LAYER__EFFORT, most = 0;
    if (json->value && !cor_json_is_array(json))
        COR_TRY(cor_json_integer(json, 2, COR_ESTIMATION_EFFORT_MAX, &effort, error));
    estimation_layer__effort_all(e, effort);
    if (!json->value || !cor_json_is_array(json))
        return COR_OK;
    COR_TRY(cor_json_expect_array(json, 1, COR_LEVELS_MAX + 1, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_integer(&item, 2, COR_ESTIMATION_EFFORT_MAX, &effort, error));
        e->efforts[i] = effort;
        most = effort > most ? effort : most;
    }
    for (size_t i = cor_json_size(json); i <= COR_LEVELS_MAX; i++) /* the last is that of all behind it */
        e->efforts[i] = effort;
    e->effort = most;
    return COR_OK;
}

/* Is it the same in all stages? */
static bool is_one_effort(const struct cor_estimation *e) {
    for (uint32_t i = 1; i <= e->level_count; i++)
        if (e->efforts[i] != e->efforts[0])
            return false;
    return true;
}

void estimation_layer__effort_put(const struct cor_estimation *e, struct cor_json_writer *w) {
    if (is_one_effort(e)) {
        cor_json_put_integer(w, "effort", e->efforts[0]);
        return;
    }
    cor_json_open_array(w, "effort");
    for (uint32_t i = 0; i <= e->level_count; i++)
        cor_json_put_integer(w, NULL, e->efforts[i]);
    cor_json_close(w);
}

enum cor_status estimation_layer__keep_read(const struct cor_json *json, struct cor_estimation *e,
                                            struct cor_error *error) {
    if (!json->value)
        return COR_OK;
    COR_TRY(cor_json_expect_array(json, 1, COR_LEVELS_MAX + 1, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_real(&item, 0.001, 1, &e->keep[i], error));
    }
    return COR_OK;
}

/* Stages up to the last in which not all go on. */
static uint32_t kept_stages(const struct cor_estimation *e) {
    uint32_t count = e->level_count + 1;
    while (count > 0 && !(e->keep[count - 1] < 1))
        count--;
    return count;
}

void estimation_layer__keep_put(const struct cor_estimation *e, struct cor_json_writer *w) {
    const uint32_t count = kept_stages(e);
    if (count == 0)
        return;
    cor_json_open_array(w, "keep");
    for (uint32_t i = 0; i < count; i++)
        cor_json_put_real(w, NULL, e->keep[i]);
    cor_json_close(w);
}

/* Nothing to split at. */
static enum cor_status refuse_level(const struct cor_json *root, const struct cor_estimation *e,
                                    const struct estimation_layer__pilot *pilot, struct cor_error *error) {
    if (e->property && (e->guide || e->tried_count > 0))
        return cor_json_fail(
            root, error,
            "\"level\": a number over reactions and probes, such as \"partitions\", or "
            "conditions; or method \"plain\"",
            "no case of the pilot (%llu) came nearer to \"%.160s\" than another: it asks for "
            "words, or for what is true or false, and there is nothing to split at",
            (unsigned long long)pilot->cases, e->property);
    if (e->tried_count > 0)
        return cor_json_fail(root, error,
                             "\"level\": a number over reactions and probes, or conditions, the nearest to "
                             "failing last; or \"property\", whose formula says what is to happen",
                             "nothing that is known of a case rises on the way to such a failure (%u levels "
                             "tried, %llu cases of the pilot), and there is nothing to split at",
                             e->tried_count, (unsigned long long)pilot->cases);
    return cor_json_fail(
        root, error,
        "a level that rises on the way to failing (corridor show FILE traps shows what is met), or "
        "method "
        "\"likelihood\"",
        "the level function never rises: %llu cases of the pilot came to one level only, and "
        "there is nothing to split at",
        (unsigned long long)pilot->cases);
}

/* Efforts by what the pilot saw, and what a repetition costs with them. `fits`: they are what the budget
 * holds. */
static void share_effort(struct cor_estimation *e, const struct estimation_layer__pilot *pilot, bool fits,
                         double *cost) {
    *cost = pilot->cost;
    if (!fits || !(pilot->cost > 0))
        return;
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++)
        e->keep[i] = pilot->keep[i];
    const double one = pilot->cost / (double)e->effort; /* a repetition costs as much as its trajectories */
    const int64_t mean = effort_within(((double)e->budget - (double)pilot->cases) / (REPETITIONS_GOOD * one));
    *cost = 0;
    e->effort = 0;
    for (uint32_t i = 0; i <= COR_LEVELS_MAX; i++) {
        const double wanted = (double)mean * pilot->shares[i];
        e->efforts[i] = wanted < EFFORT_LEAST ? EFFORT_LEAST : (int64_t)(wanted + 0.5);
        if (i > e->level_count)
            continue;
        e->effort = e->efforts[i] > e->effort ? e->efforts[i] : e->effort;
        *cost += pilot->costs[i] * (double)e->efforts[i];
    }
}

/* What was found, so that it can be given by hand. */
static enum cor_status note_pilot(const struct cor_estimation *e, const struct estimation_layer__pilot *pilot,
                                  double cost, char **notes, struct cor_error *error) {
    char level[1024] = "", efforts[768] = "", keep[768] = "";
    const uint32_t last = is_one_effort(e) ? 0 : e->level_count;
    const uint32_t kept = kept_stages(e);
    size_t used = 0, used_of_keep = 0;
    if (e->level_text)
        snprintf(level, sizeof level, "level: --level \"%.1000s\"\n", e->level_text);
    for (uint32_t i = 0; i <= last; i++)
        used += (size_t)snprintf(efforts + used, sizeof efforts - used, "%s%lld", i > 0 ? "," : "",
                                 (long long)e->efforts[i]);
    for (uint32_t i = 0; i < kept; i++)
        used_of_keep += (size_t)snprintf(keep + used_of_keep, sizeof keep - used_of_keep, "%s%g",
                                         i > 0 ? "," : ", keep ", e->keep[i]);
    char *said = cor_format("%s%spilot: %llu cases, %u levels, effort %s%s, %.0f cases a repetition%s\n",
                            *notes, level, (unsigned long long)pilot->cases, e->level_count, efforts, keep,
                            cost, pilot->arrives ? "" : "; no trajectory failed");
    free(*notes);
    *notes = said;
    return cor_made(said, error);
}

/* What splitting needs to know first. */
static enum cor_status make_pilot(const struct cor_json *root, struct cor_estimation *e, bool fits,
                                  double *cost, char **notes, struct cor_error *error) {
    struct estimation_layer__pilot pilot;
    e->fits = fits;
    COR_TRY(cor_in_child(run_pilot, e, &pilot, sizeof pilot, error));
    if (!pilot.rises)
        return refuse_level(root, e, &pilot, error);
    if (e->tried_count > 0)
        COR_TRY(estimation_layer__level_take(e, root, e->tried[pilot.tried], error));
    for (uint32_t i = 0; i < pilot.level_count; i++)
        e->levels[i] = pilot.levels[i];
    e->level_count = e->level_count > 0 ? e->level_count : pilot.level_count;
    e->pilot_cases = (int64_t)pilot.cases;
    share_effort(e, &pilot, fits, cost);
    if (e->budget > 0)
        e->repetitions = (int64_t)(((double)e->budget - (double)pilot.cases) / *cost);
    return note_pilot(e, &pilot, *cost, notes, error);
}

#define DRAWS_OF_A_CASE 100 /* that count as one test case, where they are more than a repetition has */

double estimation_layer__draws_of_repetition(const struct cor_estimation *e) {
    return e->region_text && e->region_probability > 0 ? (1 - e->share) / e->region_probability : 0;
}

enum cor_status estimation_layer__repetitions_count(const struct cor_json *root, struct cor_estimation *e,
                                                    bool fits, uint32_t suite_count, char **notes,
                                                    struct cor_error *error) {
    const bool known = e->repetitions > 0;
    double most = (double)e->sequences * (double)e->case_most; /* cases of a repetition */
    const double drawing = estimation_layer__draws_of_repetition(e) / DRAWS_OF_A_CASE;
    const bool is_drawing = drawing > most && !known && e->budget > 0;
    if (is_drawing)
        most = drawing; /* the budget is for whichever is more */
    if (!known)
        e->repetitions = e->budget > 0 ? (int64_t)((double)e->budget / most) : suite_count;
    if (e->method == COR_ESTIMATION_SPLITTING && e->pilot_cases < 0)
        COR_TRY(make_pilot(root, e, fits, &most, notes, error));
    if (e->repetitions == 0 && e->budget == 0)
        return cor_json_fail(root, error, "a budget of test cases (--budget)", "the experiment is endless");
    if (e->repetitions < REPETITIONS_MIN && !known) {
        const double pilot = e->pilot_cases > 0 ? (double)e->pilot_cases : 0;
        char remedy[96];
        snprintf(remedy, sizeof remedy, "a budget of %.0f test cases or more (--budget)",
                 ceil(REPETITIONS_MIN * most + pilot));
        return cor_json_fail(
            root, error, remedy, "%s holds %lld repetitions (suites%s): at least %d carry an interval",
            e->budget > 0 ? "the budget" : "the experiment",
            (long long)(e->repetitions < 0 ? 0 : e->repetitions),
            is_drawing ? ", of which drawing parameters in the region takes more than the test "
                         "cases; a hundred draws count as one"
                       : "",
            REPETITIONS_MIN);
    }
    if (e->repetitions >= COR_ESTIMATION_REPETITIONS_MAX)
        return cor_json_fail(root, error, "a smaller budget", "more than %u repetitions",
                             COR_ESTIMATION_REPETITIONS_MAX - 1);
    return COR_OK;
}
