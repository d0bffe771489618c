/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What searches found and how far they looked: sheets, generators beside each other, regions, levels, cells
 * of patterns; verdicts. */
#include "layer_verdicts.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/descriptive.h>
#include <corridor/search_result.h>
#include <corridor/survival.h>
#include <corridor/two_samples.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines joined by "and", as a condition. Takes the text. */
static char *condition_of(char *lines) {
    char *condition = cor_strdup("");
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
        condition = cor_join_take(condition, " and ", cor_strdup(line));
    free(lines);
    return condition;
}

/* Whether entry `a` of catalog target has a fault; of row `a` the "class" of a finding, the condition that a
 * "region" is. */
static enum cor_status make(const void *data, const char *what, uint64_t a, uint64_t b,
                            struct cor_query_value *value, struct cor_error *error) {
    const struct cor_layer_tables *search = &((const struct views__asking *)data)->tables;
    (void)b;
    if (strcmp(what, "fault") == 0) {
        bool has;
        COR_TRY(cor_arm_has_fault(&search->head->catalog[COR_SEARCH_CATALOG_TARGET][a], &has, error));
        *value = (struct cor_query_value){COR_QUERY_INTEGER, .integer = has};
        return COR_OK;
    }
    value->kind = COR_QUERY_TEXT;
    if (strcmp(what, "class") == 0) {
        const struct cor_failure_class class =
            cor_search_class(cor_layer_row(search, COR_SEARCH_TABLE_FINDINGS, a));
        char text[COR_FAILURE_CLASS_TEXT];
        return cor_made((value->text = cor_strdup(cor_failure_class_text(&class, text))), error);
    }
    const struct cor_search_region_row *row = cor_layer_row(search, COR_SEARCH_TABLE_REGIONS, a);
    char *lines;
    COR_TRY(cor_search_text(search, row->text_start, row->text, &lines, error));
    return cor_made((value->text = condition_of(lines)), error);
}

/* What questions share: arms that are searched, by whose islands a failure was found. */
static const char *const statements[] = {
    "create temp table arms as"
    " with sums as materialized (select arm, count(*) as tries, sum(first > 0) as hits, sum(cases) as cases,"
    "  min(target) as target from islands group by arm)"
    " select a.rowid as number, a.name, ifnull(tries, 0) as tries, ifnull(hits, 0) as hits,"
    "  ifnull(cases, 0) as cases, tries is not null and made('fault', t.rowid, 0) as has_fault"
    "  from catalog_arm a left join sums on arm = a.name left join catalog_target t on t.name = target",
    NULL};

static const struct views__source source = {cor_search_result_init, make, statements};

/* ---- what a search has found, how far it looked, and where */

static const struct cor_column_definition search_sheet_columns[] = {
    {"cases", "cases", "cases", "test cases executed, including those of the generators", COR_CELL_COUNT, 0,
     0},
    {"first", "first failure", "cases",
     "test cases to the first failure, it included: the least of all searches; nothing: none was found",
     COR_CELL_COUNT, 0, 0, .asked = "first, iif(first is null, 'good', 'bad') as tone"},
    {"classes", "classes", "classes", "different classes of failures found", COR_CELL_COUNT, 0, 0,
     .asked = "(select count(distinct made('class', rowid, 0)) from findings)"},
    {"searches", "searches", "1", "islands of all arms", COR_CELL_COUNT, 0, 0},
    {"found", "that found", "searches", "thereof with a failure found", COR_CELL_COUNT, 0, 0},
    {"tests", "tests", "tests", "executed", COR_CELL_COUNT, 0, 0},
    {"failing", "that failed", "tests", "of these", COR_CELL_COUNT, 0, 0},
    {"interrupted", "interrupted", "searches", "ended before their budget", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(search_sheet, "search", "Search", "the file", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition islands_sheet_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"island", "island", "1", "number, from 0", COR_CELL_COUNT, 0, 0, .asked = "suite"},
    {"cases", "cases", "cases", "executed", COR_CELL_COUNT, 0, 0},
    {"tests", "tests", "tests", "executed", COR_CELL_COUNT, 0, 0},
    {"failing", "failing", "tests", "that failed", COR_CELL_COUNT, 0, 0},
    {"first", "first failure", "cases", "executed up to it, it included; nothing: none", COR_CELL_COUNT, 0, 0,
     .asked = "nullif(first, 0)"},
    {"classes", "classes", "classes", "of failures", COR_CELL_COUNT, 0, 0},
    {"features", "features", "features", "seen", COR_CELL_COUNT, 0, 0},
    {"last_new", "last new", "cases", "executed when the last new feature was seen", COR_CELL_COUNT, 0, 0},
    {"kept", "kept", "tests", "in the corpus", COR_CELL_COUNT, 0, 0,
     .asked = "(select count(*) from corpus c where c.arm = i.arm and c.suite = i.suite)"},
    {"interrupted", "interrupted", "", "before the budget was used up", COR_CELL_FLAG, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(islands_sheet, "islands", "Searches", "an island of a search", 0, 24);

static const struct cor_column_definition findings_sheet_columns[] = {
    {"key", "key", "", "ARM/ISLAND/TEST, for --test", COR_CELL_WORD, 0, 0,
     .asked = "arm || '/' || suite || '/' || test"},
    {"class", "class", "", "of the failure", COR_CELL_WORD, 0, 0, .asked = "made('class', rowid, 0)"},
    {"first", "after", "cases", "executed by its island up to it, it included", COR_CELL_COUNT, 0, 0},
    {"case", "in case", "1", "of the test", COR_CELL_COUNT, 0, 0},
    {"tests", "tests", "tests", "of the island that failed so", COR_CELL_COUNT, 0, 0},
    {"mutation", "made by", "", "how the test was made", COR_CELL_WORD, 0, 0,
     .asked = "(select mutation  from tests t where t.arm = f.arm and t.suite = f.suite and t.test ="
              " f.test limit 1)"},
};
COR_SHEET_DEFINITION(findings_sheet, "findings", "Findings", "the first test of a class of failures", 0, 40);

static const struct cor_column_definition stages_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"island", "island", "1", "number, from 0", COR_CELL_COUNT, 0, 0, .asked = "suite"},
    {"stage", "stage", "1", "from 0: tests by the law", COR_CELL_COUNT, 0, 0},
    {"climbs", "climbs", "1", "that came to this stage", COR_CELL_COUNT, 0, 0},
    {"tests", "tests", "tests", "made in it", COR_CELL_COUNT, 0, 0},
    {"rose", "rose", "tests", "thereof taken as the start of tests of the next stage", COR_CELL_COUNT, 0, 0},
    {"lowest", "lowest", "1", "the least of the highest levels of these tests", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"highest", "highest", "1", "the greatest of them", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(stages, "stages", "Stages", "a stage of splitting", 0, 40);

/* Regions of parameters that searches have learned: what they are, and how much better than the law. */
static const struct cor_column_definition regions_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"island", "island", "1", "number, from 0", COR_CELL_COUNT, 0, 0, .asked = "suite"},
    {"round", "round", "1", "of learning, from 1", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"settled", "settled", "", "suites were drawn from it to the end, and nothing was learned from them",
     COR_CELL_FLAG, 0, 0},
    {"suites", "from", "suites", "learned from", COR_CELL_COUNT, 0, 0},
    {"cases", "after", "cases", "executed by the island when it was learned", COR_CELL_COUNT, 0, 0},
    {"target", "target", "", "what is to be met: the seam reached, its condition held, or activated",
     COR_CELL_WORD, 0, 0,
     .asked = "case target when 1 then 'reached' when 2 then 'held'  when 3 then 'activated' else '' end"},
    {"inside", "inside", "1",
     "share of the suites learned from within the region that met the target: they chose it, so it is "
     "flattered",
     COR_CELL_ESTIMATE, 3, COR_COLUMN_DATA, .asked = "inside_hits, inside"},
    {"law", "by law", "1", "share of the suites drawn by the arm's law that met the target",
     COR_CELL_ESTIMATE, 3, 0, .asked = "law_hits, law"},
    {"fresh", "in region", "1", "the same of suites drawn in the region after it was learned",
     COR_CELL_ESTIMATE, 3, 0, .asked = "fresh_hits, fresh"},
    {"chance", "chance", "1",
     "probability of so many in the region, or more, if it were no better than the law (Fisher)",
     COR_CELL_REAL, 3, 0},
    {"support", "of law", "1", "share of the law's draws within the region", COR_CELL_REAL, 3, 0,
     .asked = "iif(support > 0, 1.0 * support_inside / support, 0)"},
    {"region", "region", "", "constraints, all of which are to hold", COR_CELL_TEXT, 0, 0,
     .asked = "made('region', rowid, 0)"},
};
COR_SHEET_DEFINITION(regions, "regions", "Regions", "a region that was learned", 0, 60);

static const char put_search[] =
    "with sums as (select ifnull(sum(cases), 0) as cases, min(nullif(first, 0)) as first,"
    " count(*) as searches,  ifnull(sum(first > 0), 0) as found, ifnull(sum(tests), 0) as tests,"
    " ifnull(sum(failing), 0) as failing,  ifnull(sum(interrupted), 0) as interrupted,"
    " ifnull(max(features), 0) as features,  ifnull(max(last_new), 0) as last_new from"
    " islands)select {columns}, iif(searches > 0 and found = 0,"
    " format('Nothing failed in %d test cases of %d tests. At most %d features were'  ||"
    " ' seen in a search, the last new one after %d of its cases.', cases, tests, features,"
    " last_new), null)  as remark,"
    " 'Tests of a search are no sample of the experiment''s laws: no rate is made of them.' as"
    " remark, iif(interrupted > 0,"
    " format('%d %s interrupted before the budget was used up; what was found is kept.', "
    " interrupted, iif(interrupted = 1, 'search was', 'searches were')), null) as remark from"
    " sums";

static const char put_islands[] = "select {columns} from islands i";

static const char put_findings[] = "select {columns} from findings f";

/* Regions that were learned, and searches that learn regions and found none. */
static const char put_regions[] =
    "select {columns} from regions;select"
    " format('%s, island %d: in %d suites no region was found in which the seam is provoked more often than "
    "by'  || ' chance.', arm, suite, tests) as remark from islands i where generator = 'directed' and not "
    "exists (select 1 from regions r where r.arm = i.arm and r.suite = i.suite and settled)";

/* Level functions that never rose say so: there is nothing to split at. */
static const char put_stages[] =
    "select {columns} from stages;select format('%s, island %d: ', i.arm, i.suite) || case when"
    " highest is null then "
    " format('the level was undefined in all %d tests: there was nothing to split at.', i.tests)"
    "  when lowest < highest then 'the budget was used up before the first stage was over.' "
    " else"
    " format('the level function never rose: %d tests came to the level %g, no more and no less, and there'  "
    " || ' was nothing to split at. A level that rises on the way to failing is needed (--level).',   "
    "i.tests, highest) end as remark from islands i join stages s on s.arm = i.arm and s.suite = i.suite and "
    "stage = 0 where (select sum(rose) from stages o where o.arm = i.arm and o.suite = i.suite) = 0 order by "
    "i.rowid";

static enum cor_status compare_searches(const struct cor_layer_tables *search, double level,
                                        struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

static enum cor_status make_searches(const struct cor_view_request *request, struct cor_sheets *sheets,
                                     struct cor_view_findings *findings, struct cor_error *error) {
    COR_FINISHED(views__asking) struct views__asking asking = {0};
    COR_FINISHED(cor_query_answer) struct cor_query_answer learns = {0};
    (void)findings;
    COR_TRY(views__asking_init(&source, request, &asking, error));
    const uint64_t *count = asking.tables.count;
    COR_TRY(views__ask(&asking, put_search, cor_sheets_add(sheets, &search_sheet), error));
    COR_TRY(compare_searches(&asking.tables, asking.level, sheets, error));
    COR_TRY(views__ask(&asking, put_islands, cor_sheets_add(sheets, &islands_sheet), error));
    if (count[COR_SEARCH_TABLE_FINDINGS] > 0)
        COR_TRY(views__ask(&asking, put_findings, cor_sheets_add(sheets, &findings_sheet), error));
    COR_TRY(cor_query_collect(asking.query, "select 1 from islands where generator = 'directed' limit 1",
                              NULL, &learns, error));
    if (learns.rows > 0 || count[COR_SEARCH_TABLE_REGIONS] > 0)
        COR_TRY(views__ask(&asking, put_regions, cor_sheets_add(sheets, &regions), error));
    if (count[COR_SEARCH_TABLE_STAGES] > 0)
        COR_TRY(views__ask(&asking, put_stages, cor_sheets_add(sheets, &stages), error));
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_of_searches[] = {
    &islands_sheet,        &search_sheet,        &findings_sheet, &regions, &views__search_shares,
    &views__search_curves, &views__search_pairs, &stages,         NULL};

const struct cor_view views__view_searches = {
    .name = "searches",
    .command = "show",
    .summary = "show what searches found, and which generator finds more",
    .manual =
        "Prints what the searches of a file found - classes of failures, each with the first test that "
        "failed so and the cases executed up to it -, how far each island looked, regions that were "
        "learned, and, where an arm was searched by several generators, which finds more and sooner: "
        "shares with intervals, curves, log-rank tests and A12 for each pair, after Holm's correction. "
        "With --test, only the test file of one of them is printed, for corridor replay and corridor "
        "shrink. With --regions, the experiment that was searched is printed, with one more arm for each "
        "region on which a search has settled, for corridor run.",
    .options = "level test regions",
    .schema = "corridor-searches",
    .version = 1,
    .layer = &cor_search_schema,
    .sheets = sheets_of_searches,
    .make = make_searches,
};

/* ---- which generator finds more, and sooner: repetitions are islands, each an observation; those that found
 * nothing are censored at their budget */

#define REPETITIONS_WANTED 20

/* Repetitions of an arm of the search. */
struct group {
    const char *name, *target;
    uint16_t target_code, arm;
    double *time, *late; /* owned; late: as time, but censored ones are behind all others */
    bool *event;         /* owned */
    size_t n;
    uint64_t found, classes, budget;
};
#define GROUP(member) COR_CELL_OF(struct group, member)
#define MEDIAN(member) COR_CELL_OF(struct cor_survival_quantile, member)
static const struct cor_column_definition shares_columns[] = {
    {"target", "arm", "", "arm of the experiment", GROUP(target), 0, COR_COLUMN_GROUP},
    {"generator", "generator", "", "its search, by name", GROUP(name)},
    {"repetitions", "repetitions", "1", "islands", GROUP(n)},
    {"found", "found", "repetitions", "with a failure found", GROUP(found)},
    {"share", "share", "1", "of repetitions that found one, with Wilson's interval", COR_CELL_ESTIMATE, 2, 0},
    {"median", "median", "cases", "to the first failure (Kaplan and Meier); nothing: not reached",
     MEDIAN(time)},
    {"median_low", "from", "cases", "lower end of its interval (Brookmeyer and Crowley)", MEDIAN(low)},
    {"median_high", "to", "cases", "upper end; nothing: not within the budget", MEDIAN(high)},
    {"mean", "mean", "cases", "cases to the first failure, cut at the budget", COR_CELL_REAL, 0, 0},
    {"classes", "classes", "classes", "mean number of different classes of failures", COR_CELL_REAL, 2, 0},
    {"budget", "budget", "cases", "the least of a repetition", GROUP(budget), 0, COR_COLUMN_DATA},
};
const struct cor_sheet_definition views__search_shares =
    COR_SHEET_OVER(shares_columns, "shares", "Generators", "a generator on an arm of the experiment", 0, 0);

#define RANK(member) COR_CELL_OF(struct cor_log_rank, member)
#define EFFECT(member) COR_CELL_OF(struct cor_effect_size, member)
static const struct cor_column_definition pairs_columns[] = {
    {"target", "arm", "", "arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"a", "A", "", "a search", COR_CELL_WORD, 0, 0},
    {"b", "B", "", "another", COR_CELL_WORD, 0, 0},
    {"chi_square", "chi-square", "1", "log-rank statistic", RANK(chi_square), COR_DIGITS_FOUR},
    {"p", "p", "1", "of the log-rank test", RANK(p), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"p_holm", "p (Holm)", "1", "corrected for all pairs of this sheet", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"a12", "A sooner", "1",
     "A12 of Vargha and Delaney: how often A finds its first failure sooner, equal ones counted half",
     EFFECT(a12), 3},
    {"low", "from", "1", "lower end of its interval (DeLong, logit)", EFFECT(bounds.low), 3},
    {"high", "to", "1", "upper end", EFFECT(bounds.high), 3},
    {"magnitude", "effect", "", "negligible, small, medium, large", COR_CELL_WORD, 0, 0},
};
const struct cor_sheet_definition views__search_pairs =
    COR_SHEET_OVER(pairs_columns, "pairs", "Each generator against each", "two generators on an arm", 0, 0);

#define STEP(member) COR_CELL_OF(struct cor_survival_step, member)
static const struct cor_column_definition curves_columns[] = {
    {"target", "arm", "", "arm of the experiment", GROUP(target)},
    {"generator", "generator", "", "its search, by name", GROUP(name)},
    {"cases", "cases", "cases", "the step is here", STEP(time)},
    {"at_risk", "at risk", "", "repetitions without a failure so far", STEP(at_risk)},
    {"found", "found", "", "thereof with the first failure here", STEP(events)},
    {"censored", "censored", "", "thereof ended here without one", STEP(censored)},
    {"survival", "without", "1", "share without a failure (Kaplan and Meier)", STEP(survival),
     COR_DIGITS_FOUR},
    {"low", "low", "1", "lower bound (Greenwood, log-log)", STEP(bounds.low), COR_DIGITS_FOUR},
    {"high", "high", "1", "upper bound", STEP(bounds.high), COR_DIGITS_FOUR},
};
const struct cor_sheet_definition views__search_curves =
    COR_SHEET_OVER(curves_columns, "curves", "Curves", "a step of a curve", COR_SHEET_DATA, 0);

struct groups {
    struct group *group; /* owned */
    size_t count;
};

static int compare_targets(const void *one, const void *other) {
    const struct group *a = one, *b = other;
    return a->target_code != b->target_code ? (a->target_code > b->target_code ? 1 : -1)
                                            : (a->arm > b->arm) - (a->arm < b->arm);
}

static enum cor_status gather_searches(const struct views__repetition *repetitions, size_t count,
                                       struct groups *groups, struct cor_error *error) {
    COR_TRY(cor_made(groups->group = cor_calloc(count, sizeof *groups->group), error));
    for (size_t i = 0; i < count; i++) {
        const struct views__repetition *it = &repetitions[i];
        struct group *group = groups->count > 0 ? &groups->group[groups->count - 1] : NULL;
        if (!group || group->arm != it->arm) {
            group = &groups->group[groups->count];
            *group = (struct group){.name = it->name,
                                    .target = it->target,
                                    .time = cor_calloc(count, sizeof *group->time),
                                    .late = cor_calloc(count, sizeof *group->late),
                                    .event = cor_calloc(count, sizeof *group->event)};
            groups->count++;
            if (!group->time || !group->late || !group->event)
                return cor_fail_memory(error);
        }
        group->arm = it->arm;
        const bool event = it->first > 0;
        group->time[group->n] = (double)(event ? it->first : it->cases);
        group->late[group->n] = event ? (double)it->first : INFINITY;
        group->event[group->n] = event;
        group->found += event;
        group->classes += it->classes;
        group->budget = group->n == 0 || it->cases < group->budget ? it->cases : group->budget;
        group->target_code = it->target_code;
        group->n++;
    }
    qsort(groups->group, groups->count, sizeof *groups->group, compare_targets);
    return COR_OK;
}

/* The log-rank test of two generators. */
static enum cor_status test_pair(const struct group *a, const struct group *b, struct cor_log_rank *test,
                                 struct cor_error *error) {
    const size_t n = a->n + b->n;
    double *time = cor_calloc(n, sizeof *time);
    bool *event = cor_calloc(n, sizeof *event);
    uint32_t *group = cor_calloc(n, sizeof *group);
    enum cor_status status = time && event && group ? COR_OK : cor_fail_memory(error);
    for (size_t i = 0; status == COR_OK && i < n; i++) {
        const bool second = i >= a->n;
        const size_t at = second ? i - a->n : i;
        time[i] = (second ? b : a)->time[at];
        event[i] = (second ? b : a)->event[at];
        group[i] = second;
    }
    if (status == COR_OK)
        status = cor_log_rank(time, event, group, n, 2, test, NULL, error);
    COR_FREE(time, event, group);
    return status;
}

struct pair {
    const struct group *a, *b;
    struct cor_log_rank test;
};

static enum cor_status compare(const struct groups *groups, double level, struct cor_sheets *sheets,
                               struct cor_error *error) {
    struct cor_sheet *shares = cor_sheets_add(sheets, &views__search_shares),
                     *curves = cor_sheets_add(sheets, &views__search_curves);
    bool few = false;
    for (size_t g = 0; g < groups->count; g++) {
        const struct group *group = &groups->group[g];
        const struct cor_estimate share = cor_estimate_suites(level, group->found, group->n);
        struct cor_survival curve;
        COR_TRY(cor_survival_init(&curve, group->time, group->event, group->n, level, error));
        const struct cor_survival_quantile median = cor_survival_quantile(&curve, 0.5);
        const struct cor_restricted_mean mean = cor_survival_restricted_mean(&curve, (double)group->budget);
        COR_SHEET_PUT(shares, struct group, group);
        cor_sheet_estimate(shares, &share);
        COR_SHEET_PUT(shares, struct cor_survival_quantile, &median);
        cor_sheet_reals(shares, 2, (const double[]){mean.mean, (double)group->classes / (double)group->n});
        COR_SHEET_PUT(shares, struct group, group);
        for (size_t i = 0; i < curve.step_count; i++) {
            COR_SHEET_PUT(curves, struct group, group);
            COR_SHEET_PUT(curves, struct cor_survival_step, &curve.step[i]);
        }
        cor_survival_fini(&curve);
        few = few || groups->group[g].n < REPETITIONS_WANTED;
    }
    if (few)
        cor_sheet_remark(shares, "Fewer than %d repetitions: differences of this size are often chance.",
                         REPETITIONS_WANTED);
    /* All pairs on one target, of all targets; Holm's correction is over all of them. */
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__search_pairs);
    const size_t most = groups->count * groups->count / 2 + 1;
    size_t count = 0;
    COR_FREED struct pair *pairs = cor_calloc(most, sizeof *pairs);
    COR_FREED double *p = cor_calloc(most, sizeof *p);
    COR_TRY(pairs && p ? COR_OK : cor_fail_memory(error));
    for (size_t a = 0; a < groups->count; a++)
        for (size_t b = a + 1; b < groups->count; b++) {
            if (groups->group[a].target_code != groups->group[b].target_code)
                continue;
            pairs[count] = (struct pair){.a = &groups->group[a], .b = &groups->group[b]};
            COR_TRY(test_pair(pairs[count].a, pairs[count].b, &pairs[count].test, error));
            p[count] = pairs[count].test.p;
            count++;
        }
    COR_TRY(cor_holm(p, count, error));
    bool untold = false;
    for (size_t i = 0; i < count; i++) {
        const struct pair *pair = &pairs[i];
        struct cor_effect_size effect; /* of B against A: late is great */
        COR_TRY(cor_a12(pair->b->late, pair->b->n, pair->a->late, pair->a->n, level, &effect, error));
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, pair->a->target);
        cor_sheet_word(sheet, pair->a->name);
        cor_sheet_word(sheet, pair->b->name);
        COR_SHEET_PUT(sheet, struct cor_log_rank, &pair->test);
        cor_sheet_real(sheet, p[i]);
        COR_SHEET_PUT(sheet, struct cor_effect_size, &effect);
        if (isnan(pair->test.p)) /* neither found anything: that is no small effect */
            cor_sheet_nothing(sheet);
        else
            cor_sheet_word(sheet, cor_magnitude_word(cor_magnitude_of(effect.a12)));
        untold = untold || isnan(pairs[i].test.p);
    }
    if (untold)
        cor_sheet_remark(sheet, "n/a: no failure was found by either, so nothing can be told apart.");
    return COR_OK;
}

enum cor_status views__compare_repetitions(const struct views__repetition *repetitions, size_t count,
                                           double level, struct cor_sheets *sheets, struct cor_error *error) {
    struct groups groups = {0};
    enum cor_status status = gather_searches(repetitions, count, &groups, error);
    if (status == COR_OK)
        status = compare(&groups, level, sheets, error);
    for (size_t g = 0; g < groups.count; g++) {
        COR_FREE(groups.group[g].time, groups.group[g].late, groups.group[g].event);
    }
    free(groups.group);
    return status;
}

static bool is_comparison(const struct views__repetition *repetitions, size_t count) {
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            if (repetitions[a].arm != repetitions[b].arm &&
                repetitions[a].target_code == repetitions[b].target_code)
                return true;
    return false;
}

/* Generators beside each other, where an arm of the experiment was searched by more than one: shares that
 * found something, curves, and each generator against each. */
static enum cor_status compare_searches(const struct cor_layer_tables *search, double level,
                                        struct cor_sheets *sheets, struct cor_error *error) {
    const uint64_t count = search->count[COR_SEARCH_TABLE_ISLANDS];
    struct views__repetition *repetitions = cor_calloc(count + 1, sizeof *repetitions);
    COR_TRY(cor_made(repetitions, error));
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_search_island_row *row = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        repetitions[i] = (struct views__repetition){
            .name = views__search_arm_name(search, row->arm),
            .target = search->head->catalog[COR_SEARCH_CATALOG_TARGET][row->target].name,
            .target_code = row->target,
            .arm = row->arm,
            .first = row->first,
            .cases = row->cases,
            .classes = row->classes};
    }
    const enum cor_status status = is_comparison(repetitions, count)
                                       ? views__compare_repetitions(repetitions, count, level, sheets, error)
                                       : COR_OK;
    free(repetitions);
    return status;
}

/* ---- searches as tests: one of an arm with a fault passes if it found a failure, one of an arm without
 * passes if it found none */

static const struct views__asked_verdicts asked = {
    .source = &source,
    .arms = "select name, case when tries = 0 then 'no searches' when has_fault then iif(hits > 0, 'found', "
            "'not found')"
            "  when hits > 0 then 'FAILS' else 'passes' end, tries > 0 and has_fault = (hits > 0),"
            " has_fault and hits > 0, hits, tries, tries, cases, 'searches' from arms order by number",
    .leads =
        "select 'test', null, 'show', 'searches --test', arm || '/' || suite || '/' || test, '> test.json'"
        " from findings where arm = :arm limit 1",
    .findings = "select sum(tries > 0 and has_fault and hits = 0) as undetected,"
                " sum(tries > 0 and not has_fault and hits > 0) as unexpected from arms",
    .tests =
        "select arm, cast(suite as text), iif((first > 0) = has_fault, 'passed', 'failed'), null, null,"
        " iif(first > 0, format('a failure after %d test cases, %d classes in %d', first, classes, i.cases),"
        "  format('no failure in %d test cases of %d tests', i.cases, tests)), arm || ' island ' || suite,"
        " iif(first > 0, 'yes', 'no') as found from islands i join arms on name = arm order by i.rowid",
    .none = "the file has no searches"};

const struct views__layer_verdicts views__verdicts_of_search = {.layer = &cor_search_schema, .asked = &asked};

/* ---- which outcomes are possible at all: cells of a pattern space that searches came to, each with its
 * probability by the law, which only tests drawn by the law tell */

#define AXES 3
#define MAP_COLUMNS 64
#define MAP_ROWS 20

/* A cell of an arm of the experiment, over all islands. */
struct cell {
    uint16_t target;
    double low[AXES];
    uint64_t by_search, by_law, sampled, of; /* tests; of the law: sampled of a fixed number */
    double share;
    struct cor_bounds bounds;
};

static const struct cor_column_definition cells_sheet_columns[] = {
    {"arm", "", "", "arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"first", "first", "", "lower end of the first amount", COR_CELL_OF(struct cell, low[0]),
     COR_DIGITS_FOUR},
    {"second", "second", "", "of the second", COR_CELL_OF(struct cell, low[1]), COR_DIGITS_FOUR},
    {"third", "third", "", "of the third", COR_CELL_OF(struct cell, low[2]), COR_DIGITS_FOUR},
    {"by_search", "by search", "tests", "of searches that came to it", COR_CELL_OF(struct cell, by_search)},
    {"by_law", "by law", "tests", "drawn by the law that came to it", COR_CELL_OF(struct cell, by_law)},
    {"sampled", "sampled", "tests", "thereof among a number fixed beforehand",
     COR_CELL_OF(struct cell, sampled), 0, COR_COLUMN_DATA},
    {"of", "of", "tests", "that number, over all islands", COR_CELL_OF(struct cell, of), 0, COR_COLUMN_DATA},
    {"probability", "probability", "1", "of the cell by the law: the share of these, which is unbiased",
     COR_CELL_OF(struct cell, share), COR_DIGITS_FOUR},
    {"low", "low", "1", "lower end of its interval (Clopper-Pearson)", COR_CELL_OF(struct cell, bounds.low),
     COR_DIGITS_FOUR},
    {"high", "high", "1", "upper end", COR_CELL_OF(struct cell, bounds.high), COR_DIGITS_FOUR},
};
COR_SHEET_DEFINITION(cells_sheet, "cells", "Possible outcomes", "a cell of the pattern space", 0, 30);

/* A search beside the others. */
struct filled {
    const char *arm, *pattern;
    uint64_t islands, tests, cells, alone;
    double missing;
};
#define FILLED(member) COR_CELL_OF(struct filled, member)
static const struct cor_column_definition filled_sheet_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", FILLED(arm)},
    {"islands", "islands", "1", "searches that know nothing of each other", FILLED(islands)},
    {"tests", "tests", "tests", "that are in cells", FILLED(tests)},
    {"cells", "cells", "1", "that any of them came to", FILLED(cells)},
    {"alone", "alone", "1", "thereof that no other search of the arm came to", FILLED(alone)},
    {"missing", "missing", "1", "chance that the next test by the law is in a new cell (Good and Turing)",
     FILLED(missing), COR_DIGITS_FOUR},
    {"pattern", "pattern", "", "amounts by widths of cells", COR_TEXT_OF(struct filled, pattern)},
};
COR_SHEET_DEFINITION(filled_sheet, "filled", "The pattern space", "a search", 0, 0);

static int compare_reals(double a, double b) {
    return isnan(a) || isnan(b) ? isnan(b) - isnan(a) : (a > b) - (a < b);
}

static int compare_cells(const void *a, const void *b) {
    const struct cell *x = a, *y = b;
    int order = (x->target > y->target) - (x->target < y->target);
    for (int i = 0; i < AXES && order == 0; i++)
        order = compare_reals(x->low[i], y->low[i]);
    return order;
}

/* What the cells of a file are made of. */
struct making {
    const struct cor_layer_tables *search;
    struct cell *cells; /* owned; by compare_cells, each once */
    size_t count;
    bool is_independent; /* a suite has one sequence */
};

static const struct cor_search_island_row *island_of(const struct cor_layer_tables *search, uint16_t arm) {
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *row = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i);
        if (row->arm == arm)
            return row;
    }
    return NULL;
}

static bool is_law(const struct cor_layer_tables *search, uint16_t arm) {
    const struct cor_search_island_row *island = island_of(search, arm);
    return island && strcmp(cor_result_name(search->result, COR_SEARCH_CATALOG_GENERATOR, island->generator),
                            "random") == 0;
}

/* The cells of all islands as they stand, then those that are one put together. */
static enum cor_status gather_cells(struct making *making, struct cor_error *error) {
    const struct cor_layer_tables *search = making->search;
    const uint64_t count = search->count[COR_SEARCH_TABLE_CELLS];
    COR_TRY(cor_made(making->cells = cor_calloc(count + 1, sizeof *making->cells), error));
    for (uint64_t i = 0; i < count; i++) {
        const struct cor_search_cell_row *row = cor_layer_row(search, COR_SEARCH_TABLE_CELLS, i);
        const struct cor_search_island_row *island = island_of(search, row->arm);
        const bool by_law = is_law(search, row->arm);
        making->cells[i] = (struct cell){.target = island ? island->target : 0,
                                         .low = {row->low_1, row->low_2, row->low_3},
                                         .by_search = by_law ? 0 : row->tests,
                                         .by_law = by_law ? row->tests : 0,
                                         .sampled = by_law ? row->sampled : 0};
    }
    if (count > 0)
        qsort(making->cells, count, sizeof *making->cells, compare_cells);
    for (uint64_t i = 0; i < count; i++) {
        struct cell *last = making->count > 0 ? &making->cells[making->count - 1] : NULL;
        const struct cell *cell = &making->cells[i];
        if (!last || compare_cells(last, cell) != 0) {
            making->cells[making->count++] = *cell;
            continue;
        }
        last->by_search += cell->by_search;
        last->by_law += cell->by_law;
        last->sampled += cell->sampled;
    }
    return COR_OK;
}

/* Does the search of that arm have a test in the cell? */
static bool comes_to(const struct making *making, uint16_t arm, const struct cell *cell) {
    const struct cor_layer_tables *search = making->search;
    for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_CELLS]; i++) {
        const struct cor_search_cell_row *row = cor_layer_row(search, COR_SEARCH_TABLE_CELLS, i);
        const double low[] = {row->low_1, row->low_2, row->low_3};
        bool is_it = row->arm == arm;
        for (int a = 0; a < AXES && is_it; a++)
            is_it = compare_reals(low[a], cell->low[a]) == 0;
        if (is_it)
            return true;
    }
    return false;
}

static enum cor_status put_filled(const struct making *making, struct cor_sheet *sheet, bool *any,
                                  struct cor_error *error) {
    const struct cor_layer_tables *search = making->search;
    for (size_t a = 0; a < cor_arm_count(search->head); a++) {
        const struct cor_catalog_entry *entry = cor_arm_entry(search->head, a);
        struct filled filled = {.arm = entry->name, .missing = NAN};
        struct cor_unseen_counts counts = {0};
        char *pattern;
        const uint16_t arm = (uint16_t)entry->code;
        /* The member "pattern" of the description of the arm; NULL: it has none. */
        struct cor_json_document *document;
        struct cor_json child;
        const char *text;
        enum cor_status status = COR_OK;
        pattern = NULL;
        COR_TRY(cor_json_parse(entry->description, "catalog/arm", &document, error));
        const struct cor_json root = cor_json_root(document);
        if (cor_json_find(&root, "pattern", &child))
            status = cor_json_string(&child, &text, error);
        if (status == COR_OK && cor_json_find(&root, "pattern", &child))
            status = cor_made(pattern = cor_strdup(text), error);
        cor_json_destroy(document);
        COR_TRY(status);
        if (!pattern)
            continue;
        *any = true;
        filled.pattern = pattern;
        const struct cor_search_island_row *island = island_of(search, arm);
        for (uint64_t i = 0; i < search->count[COR_SEARCH_TABLE_ISLANDS]; i++)
            filled.islands +=
                ((const struct cor_search_island_row *)cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, i))
                    ->arm == arm;
        for (size_t c = 0; c < making->count && island; c++) {
            const struct cell *cell = &making->cells[c];
            if (cell->target != island->target || isnan(cell->low[0]) || !comes_to(making, arm, cell))
                continue;
            bool is_alone = true;
            for (size_t other = 0; other < cor_arm_count(search->head) && is_alone; other++)
                is_alone =
                    other == a || !comes_to(making, (uint16_t)cor_arm_entry(search->head, other)->code, cell);
            filled.cells++;
            filled.alone += is_alone;
            filled.tests += is_law(search, arm) ? cell->by_law : cell->by_search;
            counts.once += cell->by_law == 1;
            counts.draws += cell->by_law;
        }
        if (is_law(search, arm))
            filled.missing = cor_missing_mass(&counts);
        COR_SHEET_PUT(sheet, struct filled, &filled);
        free(pattern);
    }
    return COR_OK;
}

/* A map of two amounts: over all cells of an arm of the experiment. */
struct map {
    char mark[MAP_ROWS][MAP_COLUMNS + 1];
    double low[2], high[2];
    int columns, rows;
};

static void draw_map(const void *context, const struct cor_style *style, FILE *file) {
    const struct map *map = context;
    fprintf(file,
            "%sCells%s  # by the law, o by searches alone\n"
            "  first amount %.6g to %.6g across, second %.6g to %.6g upwards\n",
            style->strong, style->plain, map->low[0], map->high[0], map->low[1], map->high[1]);
    for (int r = map->rows - 1; r >= 0; r--)
        fprintf(file, "  |%s\n", map->mark[r]);
    fputs("  +", file);
    for (int c = 0; c < map->columns; c++)
        fputc('-', file);
    fputc('\n', file);
}

/* How many steps of the least distance lie between the least and the greatest of an axis, at most `most`. */
static int steps_of(const struct making *making, uint16_t target, int axis, int most, double *low,
                    double *high) {
    double step = INFINITY, last = NAN;
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < making->count; i++)
        if (making->cells[i].target == target && !isnan(making->cells[i].low[axis])) {
            *low = fmin(*low, making->cells[i].low[axis]);
            *high = fmax(*high, making->cells[i].low[axis]);
            last = making->cells[i].low[axis];
            for (size_t j = 0; j < i; j++) {
                const double apart = fabs(last - making->cells[j].low[axis]);
                if (making->cells[j].target == target && apart > 0)
                    step = fmin(step, apart);
            }
        }
    if (isnan(last))
        return 0;
    const double steps = isinf(step) ? 1 : round((*high - *low) / step) + 1;
    return steps > most ? most : (int)steps;
}

static void put_map(const struct making *making, uint16_t target, struct cor_sheets *sheets) {
    struct map *map = cor_calloc(1, sizeof *map);
    if (!map) {
        cor_sheets_fail(sheets);
        return;
    }
    map->columns = steps_of(making, target, 0, MAP_COLUMNS, &map->low[0], &map->high[0]);
    map->rows = steps_of(making, target, 1, MAP_ROWS, &map->low[1], &map->high[1]);
    if (map->columns == 0 || map->rows == 0) {
        free(map);
        return;
    }
    for (int r = 0; r < map->rows; r++)
        memset(map->mark[r], ' ', (size_t)map->columns);
    for (size_t i = 0; i < making->count; i++) {
        const struct cell *cell = &making->cells[i];
        if (cell->target != target || isnan(cell->low[0]))
            continue;
        const double across = map->high[0] > map->low[0]
                                  ? (cell->low[0] - map->low[0]) / (map->high[0] - map->low[0])
                                  : 0,
                     up = map->high[1] > map->low[1]
                              ? (cell->low[1] - map->low[1]) / (map->high[1] - map->low[1])
                              : 0;
        char *mark = &map->mark[(int)lround(up * (map->rows - 1))][(int)lround(across * (map->columns - 1))];
        *mark = cell->by_law > 0 || *mark == '#' ? '#' : 'o';
    }
    cor_sheets_draw(sheets, draw_map, map, free);
}

/* Whether a suite of the experiment has one sequence. */
static bool has_one_sequence(const struct cor_result_header *head) {
    struct cor_json_document *document;
    struct cor_json experiment, sequences;
    int64_t count = 0;
    if (cor_json_parse(head->experiment, "the file's experiment", &document, NULL) != COR_OK)
        return false;
    const struct cor_json root = cor_json_root(document);
    const bool is_one = cor_json_find(&root, "experiment", &experiment) &&
                        cor_json_find(&experiment, "sequences", &sequences) &&
                        cor_json_integer(&sequences, 1, 1, &count, NULL) == COR_OK;
    cor_json_destroy(document);
    return is_one;
}

static enum cor_status make_cells(const struct cor_view_request *request, struct cor_sheets *sheets,
                                  struct cor_view_findings *findings, struct cor_error *error) {
    struct cor_layer_tables search;
    struct making making = {.search = &search};
    bool any = false;
    enum cor_status status = COR_OK;
    COR_TRY(cor_search_result_init(request->result, &search, error));
    making.is_independent = has_one_sequence(search.head);
    COR_TRY_OUT(gather_cells(&making, error));
    /* Shares of the law, of each arm of the experiment. */
    const double level = views__view_level(request);
    for (size_t i = 0; i < making.count; i++) {
        struct cell *cell = &making.cells[i];
        for (size_t j = 0; j < making.count; j++)
            if (making.cells[j].target == cell->target)
                cell->of += making.cells[j].sampled;
        cell->share = cell->of > 0 ? (double)cell->sampled / (double)cell->of : (double)NAN;
        cell->bounds = cell->of > 0 && making.is_independent
                           ? cor_proportion_clopper_pearson(cell->sampled, cell->of, level)
                           : (struct cor_bounds){NAN, NAN};
    }
    COR_TRY_OUT(put_filled(&making, cor_sheets_add(sheets, &filled_sheet), &any, error));
    if (!any)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, request->path,
                             "corridor explore EXPERIMENT --method patterns -o FILE makes one",
                             "has no search that fills a pattern space"));
    for (uint64_t i = 0; i < search.count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *row = cor_layer_row(&search, COR_SEARCH_TABLE_ISLANDS, i);
        findings->interrupted += row->interrupted != 0;
    }
    const size_t interrupted = findings->interrupted;
    struct cor_sheet *sheet = cor_sheets_add(sheets, &cells_sheet);
    for (size_t i = 0; i < making.count; i++) {
        cor_sheet_row(sheet);
        cor_sheet_word(
            sheet, cor_result_name(making.search->result, COR_SEARCH_CATALOG_TARGET, making.cells[i].target));
        COR_SHEET_PUT(sheet, struct cell, &making.cells[i]);
    }
    cor_sheet_remark(sheet, "n/a for all amounts: tests that do not say them.");
    if (!making.is_independent)
        cor_sheet_remark(sheet,
                         "Sequences of a suite are alike: probabilities have no intervals. Let a suite "
                         "have one sequence.");
    if (interrupted > 0)
        cor_sheet_remark(
            sheet,
            "%zu %s interrupted before the budget was used up. So nobody fixed the number of "
            "sequences by the law beforehand: probabilities lean to cells that short ones come to.",
            interrupted, interrupted == 1 ? "search was" : "searches were");
    for (size_t i = 0; i < making.count; i++)
        if (i == 0 || making.cells[i].target != making.cells[i - 1].target)
            put_map(&making, making.cells[i].target, sheets);
out:
    free(making.cells);
    cor_layer_tables_fini(&search);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&cells_sheet, &filled_sheet, NULL};

const struct cor_view views__view_cells = {
    .name = "cells",
    .command = "show",
    .summary = "show which outcomes are possible",
    .manual =
        "Cells of the amounts that corridor explore --method patterns searched for: which searches came "
        "to each, and its probability by the experiment's law, by tests that were drawn by it alone.",
    .schema = "corridor-cells",
    .version = 1,
    .layer = &cor_search_schema,
    .sheets = sheets_made,
    .make = make_cells,
};
