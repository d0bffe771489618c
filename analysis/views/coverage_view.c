/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the test cases cover, and what they do not, as sheets: first what is covered and what it would cost
 * to see more, then what was likely and never seen, then the rest. And traps that walks were steered to. */
#include "views.h"

#include <corridor/array.h>
#include <corridor/coverage.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `...`: the kind, or from where in a struct its cells come. */
#define WORD(key, heading, meaning) \
    { key, heading, "", meaning, COR_CELL_WORD }
#define COUNT(key, heading, meaning, ...) \
    { key, heading, "1", meaning, __VA_ARGS__ }
#define NUMBER(key, heading, unit, meaning, ...) \
    { key, heading, unit, meaning, __VA_ARGS__, COR_DIGITS_FOUR }
#define MORE_NUMBER(key, heading, unit, meaning, ...) \
    { key, heading, unit, meaning, __VA_ARGS__, COR_DIGITS_FOUR, COR_COLUMN_MORE }
#define PERCENT(key, heading, meaning, ...) \
    { key, heading, "%", meaning, __VA_ARGS__, 1 }
#define BAR(key, heading, meaning, ...) \
    { key, heading, "%", meaning, __VA_ARGS__, 1, COR_COLUMN_BAR }
#define OF_ARM \
    { "arm", "arm", "", "name of the arm; \"all\": all arms together", COR_CELL_WORD, 0, COR_COLUMN_GROUP }
#define OF_ENVIRONMENT                                                                                     \
    {                                                                                                      \
        "environment", "environment", "", "name of the environment; \"all\": all together", COR_CELL_WORD, \
            0, COR_COLUMN_GROUP                                                                            \
    }
#define DATA_COUNT(key, meaning, ...) \
    { key, key, "1", meaning, __VA_ARGS__, 0, COR_COLUMN_DATA }
#define DATA_NUMBER(key, meaning, ...) \
    { key, key, "1", meaning, __VA_ARGS__, COR_DIGITS_FOUR, COR_COLUMN_DATA }
#define DATA_FLAG(key, meaning, ...) \
    { key, key, "", meaning, __VA_ARGS__, 0, COR_COLUMN_DATA }
#define OF(type, member) COR_CELL_OF(struct cor_##type, member)

/* A share (struct cor_covered) as four columns. */
#define COVERED(key, heading, of)                                                       \
    PERCENT(key "_pct", heading, "mean share of " of, COR_CELL_REAL),                   \
        DATA_COUNT(key "_n", "units the mean is over", OF(covered, n)),                 \
        DATA_NUMBER(key "_covered", "covered, summed over the units: numbers, or mass", \
                    OF(covered, covered)),                                              \
        DATA_NUMBER(key "_possible", "possible, summed over the units", OF(covered, possible))

/* At a glance: the campaign, where its suites can be taken together, else the mean over suites. */
#define GLANCE                                                                                              \
    {"level",                                                                                               \
     "level",                                                                                               \
     "",                                                                                                    \
     "campaign or suite: by whom the figures of this row are covered",                                      \
     COR_CELL_WORD,                                                                                         \
     0,                                                                                                     \
     COR_COLUMN_DATA},                                                                                      \
        PERCENT("states_pct", "states", "states visited", COR_CELL_REAL),                                   \
        BAR("transitions_pct", "transitions", "transitions of positive probability taken", COR_CELL_REAL),  \
        PERCENT("likely_transitions_pct", "of\nlikely",                                                     \
                "of the fewest transitions with 95 % of the stationary mass", COR_CELL_REAL),               \
        PERCENT("transition_mass_pct", "by\nmass", "stationary mass of the transitions taken",              \
                COR_CELL_REAL),                                                                             \
        NUMBER("unseen_law", "unseen,\nexact", "1",                                                         \
               "chance that the next step is new (a transition never taken), exact from the profile",       \
               OF(unseen, law)),                                                                            \
        MORE_NUMBER("unseen_good_turing", "unseen,\nestimated", "1",                                        \
                    "the same, estimated from the walks alone (Good and Turing)", OF(unseen, good_turing)), \
        MORE_NUMBER("cases_law", "to a new one,\nexact", "cases",                                           \
                    "cases until the next new step, by the exact chance; not available where all is taken", \
                    OF(unseen, cases_law)),                                                                 \
        MORE_NUMBER("cases_good_turing", "to a new one,\nestimated", "cases",                               \
                    "the same from the walks alone", OF(unseen, cases_good_turing))

static const struct cor_column_definition summary_sheet_columns[] = {
    {"looked_at", "", "", "what the file holds, in words", COR_CELL_TEXT, 0, 0},
    {"environments", "environments", "", "their names, and whether profiles differ", COR_CELL_TEXT, 0,
     COR_COLUMN_MORE},
    {"seed", "seed", "", "of the campaign", COR_CELL_WORD, 0, COR_COLUMN_MORE},
    {"complete", "complete", "", "the campaign is: else what is not covered yet may be later", COR_CELL_FLAG,
     0, COR_COLUMN_MORE},
    DATA_COUNT("suite", "the only suite looked at", COR_CELL_COUNT),
};
COR_SHEET_DEFINITION(summary_sheet, "summary", "", "the file", COR_SHEET_RECORD, 0);

static const struct cor_column_definition arms_sheet_columns[] = {
    WORD("arm", "arm", "name of the arm; \"all\": all arms together"),
    DATA_COUNT("code", "of the arm, in catalog/arm", COR_CELL_COUNT),
    DATA_FLAG("by_profile", "its walks follow its profiles, so that something is expected by law",
              OF(arm_coverage, by_profile)),
    COUNT("suites", "suites", "suites", OF(arm_coverage, suites)),
    DATA_COUNT("sequences", "test sequences", OF(arm_coverage, sequences)),
    DATA_COUNT("cases", "test cases generated", OF(arm_coverage, cases)),
    DATA_COUNT("chains", "chains, summed over suites", OF(arm_coverage, chains)),
    GLANCE,
    DATA_COUNT("parameter_pairs", "pairs of parameters that vary", OF(arm_coverage, parameter_pairs)),
    DATA_COUNT("parameter_cells", "cells of such pairs", OF(arm_coverage, cells)),
    DATA_COUNT("parameter_cells_drawn", "thereof cells with a suite", OF(arm_coverage, cells_drawn)),
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "At a glance", "an arm, all its environments", 0, 0);

static const struct cor_column_definition environments_sheet_columns[] = {
    OF_ARM,
    WORD("environment", "environment", "name of the environment; \"all\": all together"),
    DATA_COUNT("code", "of the environment, in catalog/environment", COR_CELL_COUNT),
    COUNT("profiles", "profiles", "profiles in suites", OF(environment_coverage, profiles)),
    DATA_FLAG("same_in_all_suites", "its profile is the same in all suites, bit for bit",
              OF(environment_coverage, fixed)),
    DATA_FLAG("lawful", "all its profiles have a stationary law", OF(environment_coverage, lawful)),
    DATA_COUNT("walks", "chains in sequences", OF(environment_coverage, walks)),
    DATA_COUNT("steps", "steps of these walks", OF(environment_coverage, steps)),
    DATA_COUNT("steps_outside", "steps that the profile gives no probability",
               OF(environment_coverage, steps_outside)),
    GLANCE,
};
COR_SHEET_DEFINITION(environments_sheet, "environments", "By environment", "an environment of an arm",
                     COR_SHEET_FIRST | COR_SHEET_MORE, 0);

static const struct cor_column_definition unseen_sheet_columns[] = {
    OF_ARM,
    WORD("environment", "environment", "name of the environment; \"all\": all together"),
    WORD("level", "level", "suite: mean over profiles in suites; campaign: all suites as one"),
    COUNT("n", "profiles", "profiles it is about", OF(unseen, n)),
    NUMBER("unseen_law", "by law", "1",
           "stationary mass of the transitions never taken, known from the profile", OF(unseen, law)),
    NUMBER("unseen_good_turing", "by walks", "1",
           "the same by Good and Turing: transitions taken once / steps", OF(unseen, good_turing)),
    NUMBER("cases_law", "cases, by law", "cases", "1 / the sum of it over a suite's chains",
           OF(unseen, cases_law)),
    NUMBER("cases_good_turing", "cases, by walks", "cases", "the same from the walks alone",
           OF(unseen, cases_good_turing)),
    COUNT("transitions_unseen", "never taken", "reachable transitions never taken", OF(unseen, unseen)),
    COUNT("likely_unseen", "likely", "likely ones among them", OF(unseen, unseen_likely)),
    COUNT("transitions_once", "once", "transitions taken once", OF(unseen, once)),
    NUMBER("transitions_unseen_chao", "at least", "1",
           "transitions never taken, by Chao's bound from the walks alone", OF(unseen, chao)),
};
COR_SHEET_DEFINITION(unseen_sheet, "unseen", "Unseen", "what an environment's walks leave open",
                     COR_SHEET_DATA, 0);

static const struct cor_column_definition missed_sheet_columns[] = {
    OF_ARM,
    OF_ENVIRONMENT,
    WORD("of_environment", "environment", "environment of the transition"),
    WORD("in_arm", "in arm", "where it was missed; not available: in no suite at all"),
    COUNT("suite", "suite", "number of the suite", COR_CELL_COUNT),
    COUNT("profile", "profile", "number of the profile in it", COR_CELL_COUNT),
    COUNT("from", "from", "number of the state it leaves", OF(missed, from)),
    COUNT("to", "to", "number of the state it enters", OF(missed, to)),
    NUMBER("probability", "probability", "1", "of the transition", OF(missed, probability)),
    NUMBER("expected", "expected", "times", "steps x stationary mass", OF(missed, expected)),
    NUMBER("chance", "chance of\nmissing it", "1",
           "by the law, from the walks' own first states; at most, as lengths are rounded down by up to 3 %",
           OF(missed, chance)),
    WORD("from_name", "", "name of the state it leaves, where the experiment gives one"),
    WORD("to_name", "", "name of the state it enters"),
};
COR_SHEET_DEFINITION(missed_sheet, "missed",
                     "Likely but unseen  (never taken although it was to be expected)",
                     "a transition that was never taken", COR_SHEET_FIRST | COR_SHEET_MORE, 0);

static const struct cor_column_definition covered_sheet_columns[] = {
    OF_ARM,
    OF_ENVIRONMENT,
    WORD("measure", "", "what is covered"),
    COVERED("chain", "chain", "what one chain saw in one sequence, as in Table 1 of paper 003"),
    COVERED("sequence", "sequence", "what all chains of a profile saw in one sequence"),
    COVERED("suite", "suite", "what all chains of a profile saw in all sequences of a suite"),
    COVERED("campaign", "campaign",
            "what all suites saw, where the profile of an environment is the same in all"),
    {"meaning", "", "", "what the measure counts", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(covered_sheet, "covered", "Covered by whom  (mean share; all arms)", "a measure",
                     COR_SHEET_FIRST | COR_SHEET_MORE, 0);

static const struct cor_column_definition growth_sheet_columns[] = {
    OF_ARM,
    OF_ENVIRONMENT,
    WORD("over", "over",
         "cases of a sequence (one chain), sequences of a suite (all chains of a profile), suites"),
    COUNT("at", "after", "so many of them", OF(coverage_point, at)),
    COUNT("n", "of",
          "chains in sequences that long; profiles in suites; environments: what the means are over",
          OF(coverage_point, n)),
    PERCENT("states_pct", "states", "states visited so far", OF(coverage_point, states)),
    BAR("transitions_pct", "transitions", "transitions taken so far", OF(coverage_point, arcs)),
    PERCENT("transition_mass_pct", "by\nmass", "their stationary mass", OF(coverage_point, arc_mass)),
    {"distinct", "different", "1", "different transitions taken so far; of suites",
     OF(coverage_point, distinct)},
    DATA_COUNT("expected_n", "walks that the rest is about", OF(coverage_point, expected_n)),
    DATA_NUMBER("expected_states_pct", "states to be expected by law, %",
                OF(coverage_point, expected_states)),
    PERCENT("expected_transitions_pct", "expected",
            "transitions to be expected by law, from the walks' first states",
            OF(coverage_point, expected_arcs)),
    DATA_NUMBER("observed_states_pct", "states that the same walks visited, %",
                OF(coverage_point, observed_states)),
    PERCENT("observed_transitions_pct", "observed", "transitions that the same walks took",
            OF(coverage_point, observed_arcs)),
};
COR_SHEET_DEFINITION(growth_sheet, "growth", "Growth  (all arms, all environments)", "a point of a curve",
                     COR_SHEET_FIRST | COR_SHEET_MORE, 0);

static const struct cor_column_definition states_sheet_columns[] = {
    OF_ARM,
    OF_ENVIRONMENT,
    COUNT("state", "state", "its number", COR_CELL_COUNT),
    WORD("name", "name", "its name, where the experiment gives the profile"),
    COUNT("visits", "visits", "visits, over all suites of the arm", COR_CELL_COUNT),
    NUMBER("stationary", "stationary", "1",
           "its share in the long run; of profiles that are the same in all suites", COR_CELL_REAL),
};
COR_SHEET_DEFINITION(states_sheet, "states", "States", "a state of an environment", COR_SHEET_DATA, 0);

static const struct cor_column_definition matrix_sheet_columns[] = {
    OF_ARM,
    OF_ENVIRONMENT,
    COUNT("from", "from", "number of a state", COR_CELL_COUNT),
    COUNT("to", "to", "number of a state", COR_CELL_COUNT),
    COUNT("taken", "taken", "times, over all suites of the arm", COR_CELL_COUNT),
    NUMBER("probability", "probability", "1", "of profiles that are the same in all suites", COR_CELL_REAL),
};
COR_SHEET_DEFINITION(matrix_sheet, "matrix", "Transitions", "a transition that was taken or could be",
                     COR_SHEET_DATA, 0);

static const struct cor_column_definition pairs_sheet_columns[] = {
    WORD("arm", "arm", "name of the arm; \"all\": all arms together"),
    COUNT("pairs", "pairs", "pairs of chains, summed over suites", OF(pair_coverage, pairs)),
    COUNT("pairs_looked_at", "looked at", "thereof looked at", OF(pair_coverage, pairs_looked_at)),
    COVERED("sequence", "in a\nsequence",
            "the pairs of states that two chains are in at the same case of a sequence"),
    COVERED("sequence_mass", "by\nmass", "the same, each weighted by the product of both stationary laws"),
    COVERED("suite", "in a\nsuite", "such pairs in all sequences of a suite"),
    COVERED("suite_mass", "by\nmass", "the same, weighted"),
};
COR_SHEET_DEFINITION(pairs_sheet, "pairs", "Pairs of states of two chains at the same case", "an arm",
                     COR_SHEET_MORE, 0);

static const struct cor_column_definition parameters_sheet_columns[] = {
    OF_ARM,
    WORD("parameter", "parameter", "its name, or a column of table suites"),
    DATA_COUNT("code", "in catalog/parameter; not available for columns of table suites", COR_CELL_COUNT),
    COUNT("n", "suites", "values", OF(parameter_coverage, n)),
    COUNT("undefined", "no\nnumbers", "values that are no finite numbers, left out",
          OF(parameter_coverage, undefined)),
    DATA_FLAG("whole", "only whole numbers were drawn", OF(parameter_coverage, whole)),
    DATA_FLAG("main", "takes part in pairs", OF(parameter_coverage, main)),
    NUMBER("min", "min", "1", "least value", OF(parameter_coverage, min)),
    NUMBER("median", "median", "1", "of at most 4096 evenly spaced suites", OF(parameter_coverage, median)),
    NUMBER("max", "max", "1", "greatest value", OF(parameter_coverage, max)),
    WORD("drawn", "drawn", "equal parts of min to max: digits are tenths of the fullest, . = never drawn"),
};
COR_SHEET_DEFINITION(parameters_sheet, "parameters", "Configurations  (all arms)", "a parameter",
                     COR_SHEET_FIRST | COR_SHEET_MORE, 0);

static const struct cor_column_definition bins_sheet_columns[] = {
    OF_ARM,
    WORD("parameter", "parameter", "its name"),
    COUNT("bin", "bin", "number of a part of its range", COR_CELL_COUNT),
    NUMBER("from", "from", "1", "begin of it", COR_CELL_REAL),
    NUMBER("to", "to", "1", "end of it", COR_CELL_REAL),
    COUNT("count", "count", "suites in it", COR_CELL_COUNT),
};
COR_SHEET_DEFINITION(bins_sheet, "bins", "Where parameters were drawn", "a part of a parameter's range",
                     COR_SHEET_DATA, 0);

static const struct cor_column_definition probes_sheet_columns[] = {
    WORD("arm", "arm", "name of the arm"),
    WORD("probe", "probe", "name of the probe"),
    COUNT("count", "times", "times, over all buckets and suites", COR_CELL_COUNT),
    COUNT("reached", "reached", "buckets that were reached", COR_CELL_COUNT),
    COUNT("buckets", "buckets", "buckets it has", COR_CELL_COUNT),
    {"never_in", "never in bucket", "",
     "buckets that were never reached; not known where what is counted is hashed", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(probes_sheet, "probes", "White-box probes  (what the algorithms say they did, by size)",
                     "a probe of an arm", COR_SHEET_MORE, 0);

static const struct cor_column_definition buckets_sheet_columns[] = {
    OF_ARM,
    WORD("probe", "probe", "name of the probe"),
    COUNT("bucket", "bucket", "its number", OF(probe_coverage, bucket)),
    COUNT("count", "count", "times it was reached", OF(probe_coverage, count)),
    COUNT("suites", "suites", "suites in which it was", OF(probe_coverage, suites)),
    {"description", "description", "", "what the probe counts",
     COR_TEXT_OF(struct cor_probe_coverage, description)},
};
COR_SHEET_DEFINITION(buckets_sheet, "buckets", "Buckets of probes", "a bucket of a probe", COR_SHEET_DATA, 0);

/* The level that says most: the campaign, if its suites can be taken together. */
static enum cor_coverage_level main_level(const struct cor_coverage *coverage) {
    const struct cor_arm_coverage *all = &coverage->arm[0];
    return all->environment_count > 0 && all->environment[0]->fixed ? COR_COVERAGE_CAMPAIGN
                                                                    : COR_COVERAGE_SUITE;
}

static void put_glance(struct cor_sheet *sheet, const struct cor_coverage *coverage,
                       const struct cor_environment_coverage *environment) {
    enum cor_coverage_level level = environment->fixed ? main_level(coverage) : COR_COVERAGE_SUITE;
    const struct cor_covered *covered = environment->covered[level];
    const struct cor_unseen *open =
        level == COR_COVERAGE_SUITE ? &environment->suite : &environment->campaign;
    cor_sheet_word(sheet, cor_coverage_level_id(level));
    cor_sheet_real(sheet, cor_covered_percent(&covered[COR_COVERED_STATES]));
    cor_sheet_real(sheet, cor_covered_percent(&covered[COR_COVERED_ARCS]));
    cor_sheet_real(sheet, cor_covered_percent(&covered[COR_COVERED_LIKELY_ARCS]));
    cor_sheet_real(sheet, cor_covered_percent(&covered[COR_COVERED_ARC_MASS]));
    COR_SHEET_PUT(sheet, struct cor_unseen, open);
}

static void fill_summary(struct cor_sheet *sheet, const struct cor_coverage *coverage) {
    const struct cor_arm_coverage *all = &coverage->arm[0];
    char names[1024] = "none";
    size_t used = 0;
    for (size_t i = 1; i < all->environment_count && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 1 ? ", " : "",
                                 all->environment[i]->name);
    cor_sheet_row(sheet);
    cor_sheet_text(
        sheet, "%zu arms, %" PRIu64 " suites, %" PRIu64 " test sequences, %" PRIu64 " test cases generated",
        coverage->arm_count - 1, all->suites, all->sequences, all->cases);
    cor_sheet_text(sheet, "%s; %s", names,
                   all->environment_count > 0 && all->environment[0]->fixed
                       ? "each profile is the same in all suites"
                       : "profiles differ between suites");
    cor_sheet_text(sheet, "0x%016" PRIx64, coverage->head->seed);
    cor_sheet_flag(sheet, coverage->head->complete);
    if (coverage->suite >= 0)
        cor_sheet_count(sheet, (uint64_t)coverage->suite);
    else
        cor_sheet_nothing(sheet);
    if (coverage->suite >= 0)
        cor_sheet_remark(sheet, "Only suite %" PRId64 ".", coverage->suite);
    if (!coverage->head->complete)
        cor_sheet_remark(sheet, "The campaign is not complete: what is not covered yet may be later.");
}

static void fill_arms(struct cor_sheet *sheet, const struct cor_coverage *coverage) {
    cor_sheet_title(sheet, "At a glance  (environment profiles covered by %s)",
                    main_level(coverage) == COR_COVERAGE_CAMPAIGN ? "all suites of the arm together"
                                                                  : "their suite, mean over profiles");
    for (size_t a = 0; a < coverage->arm_count; a++) {
        const struct cor_arm_coverage *arm = &coverage->arm[a];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, arm->name);
        if (a > 0)
            cor_sheet_count(sheet, arm->code);
        else
            cor_sheet_nothing(sheet);
        COR_SHEET_PUT(sheet, struct cor_arm_coverage, arm);
        if (arm->environment_count > 0)
            put_glance(sheet, coverage, arm->environment[0]);
        for (int i = 0; arm->environment_count == 0 && i < 9; i++)
            cor_sheet_nothing(sheet);
        COR_SHEET_PUT(sheet, struct cor_arm_coverage, arm);
    }
    const struct cor_arm_coverage *all = &coverage->arm[0];
    cor_sheet_remark(sheet,
                     "of likely: of the fewest transitions with 95 %% of the stationary mass; by mass: each "
                     "weighted by it. unseen: chance that the next step is new (a transition never taken), "
                     "exact by the profile's law, or estimated from the walks alone; to a new one: cases "
                     "until then; n/a where nothing is left.");
    for (size_t a = 1; a < coverage->arm_count; a++)
        if (!coverage->arm[a].by_profile)
            cor_sheet_remark(
                sheet,
                "%s walks anywhere or is steered, not by its profiles: nothing is expected of it by law.",
                coverage->arm[a].name);
    if (all->environment_count > 0 && !all->environment[0]->lawful)
        cor_sheet_remark(sheet, "Some profiles have probabilities that do not sum to 1: without stationary "
                                "law, mass is n/a or of the others.");
    if (all->environment_count > 0 && all->environment[0]->steps_outside > 0)
        cor_sheet_remark(sheet, "%" PRIu64 " of %" PRIu64 " steps are none of their profile's transitions.",
                         all->environment[0]->steps_outside, all->environment[0]->steps);
}

/* An environment of an arm. */
struct place {
    const struct cor_coverage *coverage;
    const struct cor_arm_coverage *arm;
    const struct cor_environment_coverage *environment;
};

typedef void fill_place(struct cor_sheet *sheet, const struct place *place);

/* A sheet of all environments of all arms; from the one of all (number 0) on, or without it. */
static struct cor_sheet *fill_each(struct cor_sheets *sheets, const struct cor_sheet_definition *definition,
                                   const struct cor_coverage *coverage, size_t first, fill_place *fill) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, definition);
    for (size_t a = 0; a < coverage->arm_count; a++)
        for (size_t i = first; i < coverage->arm[a].environment_count; i++)
            fill(sheet, &(struct place){coverage, &coverage->arm[a], coverage->arm[a].environment[i]});
    return sheet;
}

static void begin(struct cor_sheet *sheet, const char *arm, const char *second) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm);
    cor_sheet_word(sheet, second);
}

static void environment_row(struct cor_sheet *sheet, const struct place *place) {
    const struct cor_environment_coverage *environment = place->environment;
    begin(sheet, place->arm->name, environment->name);
    if (environment != place->arm->environment[0])
        cor_sheet_count(sheet, environment->code);
    else
        cor_sheet_nothing(sheet);
    COR_SHEET_PUT(sheet, struct cor_environment_coverage, environment);
    put_glance(sheet, place->coverage, environment);
}

static void unseen_row(struct cor_sheet *sheet, const struct place *place, enum cor_coverage_level level,
                       const struct cor_unseen *open) {
    begin(sheet, place->arm->name, place->environment->name);
    cor_sheet_word(sheet, cor_coverage_level_id(level));
    COR_SHEET_PUT(sheet, struct cor_unseen, open);
}

static void unseen_rows(struct cor_sheet *sheet, const struct place *place) {
    unseen_row(sheet, place, COR_COVERAGE_SUITE, &place->environment->suite);
    unseen_row(sheet, place, COR_COVERAGE_CAMPAIGN, &place->environment->campaign);
}

/* The arm, and the environment in it, that a code stands for. */
static const struct cor_arm_coverage *arm_of(const struct cor_coverage *coverage, uint16_t code) {
    for (size_t a = 1; a < coverage->arm_count; a++)
        if (coverage->arm[a].code == code)
            return &coverage->arm[a];
    return &coverage->arm[0];
}

static void missed_rows(struct cor_sheet *sheet, const struct place *place) {
    const struct cor_environment_coverage *environment = place->environment;
    for (size_t m = 0; m < environment->missed_count; m++) {
        const struct cor_missed *one = &environment->missed[m];
        size_t k = 1;
        while (k + 1 < place->arm->environment_count && place->arm->environment[k]->code != one->environment)
            k++;
        const struct cor_environment_coverage *of = place->arm->environment[k];
        begin(sheet, place->arm->name, environment->name);
        cor_sheet_word(sheet, of->name);
        if (one->suite >= 0) {
            cor_sheet_word(sheet, arm_of(place->coverage, one->arm)->name);
            cor_sheet_count(sheet, (uint64_t)one->suite);
            cor_sheet_count(sheet, one->profile);
        }
        for (int i = 0; one->suite < 0 && i < 3; i++)
            cor_sheet_nothing(sheet);
        COR_SHEET_PUT(sheet, struct cor_missed, one);
        cor_sheet_word(sheet, of->state_name ? of->state_name[one->from] : NULL);
        cor_sheet_word(sheet, of->state_name ? of->state_name[one->to] : NULL);
    }
}

static void put_covered(struct cor_sheet *sheet, const struct cor_covered *share) {
    cor_sheet_real(sheet, cor_covered_percent(share));
    COR_SHEET_PUT(sheet, struct cor_covered, share);
}

static void covered_rows(struct cor_sheet *sheet, const struct place *place) {
    const struct cor_environment_coverage *environment = place->environment;
    for (int m = 0; m < COR_COVERED_COUNT; m++) {
        begin(sheet, place->arm->name, environment->name);
        cor_sheet_word(sheet, cor_covered_id((enum cor_covered_measure)m));
        for (int level = 0; level < COR_COVERAGE_LEVEL_COUNT; level++)
            put_covered(sheet, &environment->covered[level][m]);
        cor_sheet_text(sheet, "%s", cor_covered_meaning((enum cor_covered_measure)m));
    }
}

static void curve_rows(struct cor_sheet *sheet, const struct place *place, const char *over,
                       const struct cor_coverage_curve *curve) {
    for (size_t k = 0; k < curve->count; k++) {
        begin(sheet, place->arm->name, place->environment->name);
        cor_sheet_word(sheet, over);
        COR_SHEET_PUT(sheet, struct cor_coverage_point, &curve->point[k]);
    }
}

static void growth_rows(struct cor_sheet *sheet, const struct place *place) {
    curve_rows(sheet, place, "cases", &place->environment->cases);
    curve_rows(sheet, place, "sequences", &place->environment->sequences);
    curve_rows(sheet, place, "suites", &place->environment->suites);
}

static void states_rows(struct cor_sheet *sheet, const struct place *place) {
    const struct cor_environment_coverage *environment = place->environment;
    for (uint32_t i = 0; i < environment->states; i++) {
        begin(sheet, place->arm->name, environment->name);
        cor_sheet_count(sheet, i);
        cor_sheet_word(sheet, environment->state_name ? environment->state_name[i] : NULL);
        cor_sheet_count(sheet, environment->visits[i]);
        cor_sheet_real(sheet, environment->share && environment->lawful ? environment->share[i] : NAN);
    }
}

static void matrix_rows(struct cor_sheet *sheet, const struct place *place) {
    const struct cor_environment_coverage *environment = place->environment;
    for (uint32_t c = 0; c < environment->states * environment->states; c++) {
        double probability = environment->probability ? environment->probability[c] : NAN;
        if (environment->taken[c] == 0 && !(probability > 0))
            continue;
        begin(sheet, place->arm->name, environment->name);
        cor_sheet_counts(
            sheet, 3,
            (const uint64_t[]){c / environment->states, c % environment->states, environment->taken[c]});
        cor_sheet_real(sheet, probability);
    }
}

static void draw_matrices(const void *context, const struct cor_style *style, FILE *file) {
    const struct cor_coverage *coverage = context;
    const struct cor_arm_coverage *all = &coverage->arm[0];
    for (size_t i = 1; i < all->environment_count; i++)
        if (all->environment[i]->probability && all->environment[i]->states <= 64) {
            /* Rows and columns are states: what was taken how often, in powers of ten. */
            const struct cor_environment_coverage *environment = all->environment[i];
            uint32_t n = environment->states;
            fprintf(file,
                    "%s%s%s  from (row) to (column): 0 = taken up to 9 times, 1 = up to 99 times ..., . = "
                    "never\n      ",
                    style->strong, environment->name, style->plain);
            for (uint32_t j = 0; j < n; j++)
                fprintf(file, "%3" PRIu32, j);
            for (uint32_t k = 0; k < n; k++) {
                fprintf(file, "\n   %3" PRIu32, k);
                for (uint32_t j = 0; j < n; j++) {
                    uint64_t times = environment->taken[k * n + j];
                    if (times > 0)
                        fprintf(file, "%3d", (int)log10((double)times));
                    else
                        fprintf(file, "  %c", environment->probability[k * n + j] > 0 ? '.' : ' ');
                }
                if (environment->state_name)
                    fprintf(file, "  %s", environment->state_name[k]);
            }
            fputc('\n', file);
        }
}

static void fill_pairs(struct cor_sheet *sheet, const struct cor_coverage *coverage) {
    for (size_t a = 0; a < coverage->arm_count; a++) {
        const struct cor_pair_coverage *found = &coverage->arm[a].pairs;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, coverage->arm[a].name);
        COR_SHEET_PUT(sheet, struct cor_pair_coverage, found);
        put_covered(sheet, &found->sequence);
        put_covered(sheet, &found->sequence_mass);
        put_covered(sheet, &found->suite);
        put_covered(sheet, &found->suite_mass);
    }
    if (coverage->arm[0].pairs.pairs_looked_at < coverage->arm[0].pairs.pairs)
        cor_sheet_remark(sheet, "Of suites with more than %d chains, pairs among %d evenly spaced chains.",
                         COR_COVERAGE_CHAINS_MAX, COR_COVERAGE_CHAINS_MAX);
}

static void fill_parameters(struct cor_sheet *sheet, const struct cor_coverage *coverage) {
    const struct cor_arm_coverage *all = &coverage->arm[0];
    for (size_t a = 0; a < coverage->arm_count; a++)
        for (size_t i = 0; i < coverage->arm[a].parameter_count; i++) {
            const struct cor_parameter_coverage *parameter = &coverage->arm[a].parameter[i];
            begin(sheet, coverage->arm[a].name, parameter->name);
            if (parameter->of_suite)
                cor_sheet_nothing(sheet);
            else
                cor_sheet_count(sheet, parameter->code);
            COR_SHEET_PUT(sheet, struct cor_parameter_coverage, parameter);
            /* A bin as a digit: tenths of the fullest one, . = empty. */
            uint64_t most = 1;
            char text[COR_COVERAGE_BINS + 1] = "";
            for (uint32_t b = 0; b < parameter->bins; b++)
                most = parameter->bin[b] > most ? parameter->bin[b] : most;
            for (uint32_t b = 0; b < parameter->bins; b++) {
                double part = 10 * (double)parameter->bin[b] / (double)most;
                text[b] = parameter->bin[b] == 0 ? '.' : (char)('0' + (part >= 9 ? 9 : (int)part));
            }
            cor_sheet_word(sheet, text);
        }
    cor_sheet_remark(sheet,
                     "drawn: equal parts of min to max; digits: tenths of the fullest, . = never drawn.");
    if (all->cells > 0)
        cor_sheet_remark(sheet,
                         "Pairs of parameters (%d x %d cells, up to %d parameters that vary): %" PRIu64
                         " of %" PRIu64 " cells drawn (%.1f %%).",
                         COR_COVERAGE_GRID, COR_COVERAGE_GRID, COR_COVERAGE_MAIN_MAX, all->cells_drawn,
                         all->cells, 100 * (double)all->cells_drawn / (double)all->cells);
}

/* The buckets of a probe that were never reached, as ranges. Of places of a program's code, which are hashed,
 * nobody knows which buckets have any. */
static void put_never(struct cor_sheet *sheet, const struct cor_probe_coverage *bucket, size_t count) {
    char text[512] = "";
    size_t used = 0;
    if (strstr(bucket->description, COR_HASHED_BUCKETS)) {
        cor_sheet_text(sheet, "not known: hashed");
        return;
    }
    for (size_t i = 0; i < count && used < sizeof text; i++) {
        size_t last = i;
        if (bucket[i].count > 0)
            continue;
        while (last + 1 < count && bucket[last + 1].count == 0)
            last++;
        used += (size_t)snprintf(text + used, sizeof text - used, last > i ? "%s%u-%u" : "%s%u",
                                 used > 0 ? ", " : "", bucket[i].bucket, bucket[last].bucket);
        i = last;
    }
    cor_sheet_text(sheet, "%s", text);
    cor_sheet_tone(sheet, COR_TONE_BAD);
}

static void destroy(void *coverage) {
    cor_coverage_destroy(coverage);
}

static enum cor_status make_coverage(const struct cor_view_request *request, struct cor_sheets *sheets,
                                     struct cor_view_findings *findings, struct cor_error *error) {
    struct cor_coverage_options options = {
        .arm = request->arm, .suite = request->suite == COR_ANY_SUITE ? -1 : (int64_t)request->suite};
    struct cor_coverage *coverage;
    (void)findings;
    COR_TRY(cor_coverage_create(request->result, &options, &coverage, error));
    /* Takes over the coverage, of which matrices are drawn. */
    fill_summary(cor_sheets_add(sheets, &summary_sheet), coverage);
    fill_arms(cor_sheets_add(sheets, &arms_sheet), coverage);
    fill_each(sheets, &environments_sheet, coverage, 0, environment_row);
    fill_each(sheets, &unseen_sheet, coverage, 0, unseen_rows);
    struct cor_sheet *sheet = fill_each(sheets, &missed_sheet, coverage, 0, missed_rows);
    const struct cor_arm_coverage *all = &coverage->arm[0];
    if (all->environment_count != 0) {
        const struct cor_unseen *open =
            all->environment[0]->fixed ? &all->environment[0]->campaign : &all->environment[0]->suite;
        cor_sheet_remark(sheet,
                         "%" PRIu64 " transitions never taken, %" PRIu64
                         " of them likely ones; by Chao's bound, from the walks alone, at least %.0f. Among "
                         "thousands of transitions some are missed by chance.",
                         open->unseen, open->unseen_likely, isnan(open->chao) ? 0 : ceil(open->chao));
    }
    fill_each(sheets, &covered_sheet, coverage, 0, covered_rows);
    fill_each(sheets, &growth_sheet, coverage, 0, growth_rows);
    fill_each(sheets, &states_sheet, coverage, 1, states_rows);
    fill_each(sheets, &matrix_sheet, coverage, 1, matrix_rows);
    fill_pairs(cor_sheets_add(sheets, &pairs_sheet), coverage);
    fill_parameters(cor_sheets_add(sheets, &parameters_sheet), coverage);
    struct cor_sheet *bins = cor_sheets_add(sheets, &bins_sheet),
                     *probes = cor_sheets_add(sheets, &probes_sheet),
                     *buckets = cor_sheets_add(sheets, &buckets_sheet);
    for (size_t a = 0; a < coverage->arm_count; a++) {
        const struct cor_arm_coverage *arm = &coverage->arm[a];
        for (size_t i = 0; i < arm->parameter_count; i++) {
            const struct cor_parameter_coverage *parameter = &arm->parameter[i];
            bool each = parameter->whole && parameter->max - parameter->min < parameter->bins;
            for (uint32_t b = 0; b < parameter->bins; b++) {
                double low = (double)b / parameter->bins, high = (b + 1.0) / parameter->bins;
                begin(bins, arm->name, parameter->name);
                cor_sheet_count(bins, b);
                cor_sheet_real(bins,
                               each ? parameter->min + b : parameter->min * (1 - low) + parameter->max * low);
                cor_sheet_real(bins, each ? parameter->min + b
                                          : parameter->min * (1 - high) + parameter->max * high);
                cor_sheet_count(bins, parameter->bin[b]);
            }
        }
        for (size_t i = 0; i < arm->probe_count; i++) {
            begin(buckets, arm->name, arm->probe[i].name);
            COR_SHEET_PUT(buckets, struct cor_probe_coverage, &arm->probe[i]);
        }
        if (a > 0) {
            for (size_t i = 0, end; i < arm->probe_count; i = end) {
                uint64_t count = 0, reached = 0;
                for (end = i; end < arm->probe_count && arm->probe[end].code == arm->probe[i].code; end++) {
                    reached += arm->probe[end].count > 0;
                    count += arm->probe[end].count;
                }
                begin(probes, arm->name, arm->probe[i].name);
                cor_sheet_counts(probes, 3, (const uint64_t[]){count, reached, end - i});
                put_never(probes, &arm->probe[i], end - i);
            }
        }
    }
    if (coverage->arm_count == 2) /* of one arm only, what can be looked at */
        cor_sheets_draw(sheets, draw_matrices, coverage, destroy);
    else
        cor_coverage_destroy(coverage);
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_made[] = {
    &arms_sheet,       &summary_sheet, &environments_sheet, &covered_sheet, &unseen_sheet,
    &missed_sheet,     &growth_sheet,  &states_sheet,       &matrix_sheet,  &pairs_sheet,
    &parameters_sheet, &bins_sheet,    &probes_sheet,       &buckets_sheet, NULL};

const struct cor_view views__view_coverage = {
    .name = "coverage",
    .command = "coverage",
    .summary = "show what the test cases covered, and what not",
    .schema = "corridor-coverage",
    .version = 2,
    .sheets = sheets_made,
    .make = make_coverage,
};

/* ---- what became of the traps that walks were steered to, and what weighted means say of walks of the
 * profiles. A weight is 2^-halvings of a mantissa: as a double it may be 0, where it counts for nothing
 * beside others */

static const uint32_t points[] = {1, 3, 10, 30, 100, 300, 1000, 3000, 10000};
#define POINTS (sizeof points / sizeof *points)

/* A weighted mean: its sum in the present suite, and of the suites' means. */
struct mean {
    double here, sum, squares;
};

struct trap {
    uint64_t sequences, impossible, covered, cases;
    double probability; /* sum */
    struct mean weighted;
};

struct arm {
    struct trap *traps; /* owned */
    size_t trap_count, capacity;
    uint64_t suites, sequences, by_profile, failed, unweighted, covered[POINTS], all;
    double weight, squares, largest;
    struct mean fails;
};

#define ARM(member) COR_CELL_OF(struct arm, member)
static const struct cor_column_definition trap_arms_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"suites", "suites", "1", "suites", ARM(suites)},
    {"sequences", "sequences", "1", "test sequences, without continuations of failed ones", ARM(sequences)},
    {"by_profile", "by\nprofile", "1", "thereof sequences that follow the profiles", ARM(by_profile)},
    {"covered", "covered", "1", "traps that a sequence covers, on average", COR_CELL_REAL, COR_DIGITS_FOUR,
     0},
    {"failed", "failed", "1", "sequences in which the gray or the black box failed", ARM(failed)},
    {"failed_weighted", "rate", "1", "weighted: share of the sequences of the profiles that fail",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"failed_error", "+-", "1", "its standard error, over suites", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"effective", "effective", "1", "so many sequences of equal weight would say as much", COR_CELL_REAL, 1,
     0},
    {"largest_share", "largest", "1", "share of the largest weight in the sum of all", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(trap_arms, "arms", "Arms with traps", "an arm", 0, 0);

#define TRAP(member) COR_CELL_OF(struct trap, member)
static const struct cor_column_definition traps_sheet_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"number", "trap", "1", "in the order of the experiment, from 0", COR_CELL_COUNT, 0, 0},
    {"sequences", "sequences", "1", "test sequences", TRAP(sequences)},
    {"impossible", "impossible", "1", "thereof in suites whose environments cannot meet it",
     TRAP(impossible)},
    {"covered", "covered", "1", "sequences that cover it", TRAP(covered)},
    {"case", "at case", "1", "mean case in which they do", COR_CELL_REAL, 1, 0},
    {"probability", "exact", "1",
     "probability that a sequence of the profiles covers it, in closed form; not available where the system "
     "has its say",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"weighted", "weighted", "1", "the same from what was executed, by weights", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"error", "+-", "1", "standard error of weighted, over suites", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"name", "", "", "the trap", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(traps_sheet, "traps", "Traps", "a trap of an arm", 0, 40);

static const struct cor_column_definition trap_growth_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"cases", "cases", "1", "from the beginning of a sequence", COR_CELL_COUNT, 0, 0},
    {"covered", "traps covered", "1", "in so many cases, on average over sequences", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0}};
COR_SHEET_DEFINITION(trap_growth, "growth", "Traps covered by cases", "an arm and a number of cases", 0, 0);

static double weight_of(const struct cor_sequence_rows *sequence) {
    const struct cor_steered_row *row = sequence->steered;
    return !row ? 1
                : ldexp(row->weight_mantissa,
                        row->weight_halvings < 5000 ? -(int)row->weight_halvings : -5000);
}

static bool fails(const struct cor_sequence_rows *sequence) {
    for (size_t i = 0; i < sequence->reorganization_count; i++)
        if (cor_is_detected(&sequence->reorganizations[i]))
            return true;
    return false;
}

static void end_suite(struct mean *mean, size_t sequences) {
    const double value = mean->here / (double)sequences;
    mean->sum += value;
    mean->squares += value * value;
    mean->here = 0;
}

/* The mean over suites, and its standard error; nothing where a sequence has no weight. */
static void put_mean(struct cor_sheet *sheet, const struct arm *arm, const struct mean *mean) {
    const double n = (double)arm->suites, value = mean->sum / n;
    const double spread = fmax(mean->squares - n * value * value, 0) / (n - 1);
    cor_sheet_real(sheet, arm->unweighted ? NAN : value);
    cor_sheet_real(sheet, arm->unweighted || arm->suites < 2 ? NAN : sqrt(spread / n));
}

static enum cor_status see_all(const struct cor_view_request *request, struct arm *arms,
                               struct cor_error *error) {
    static const char *const columns[] = {"sequence", "case", "gray", "black", NULL};
    const struct cor_reading readings[] = {{COR_TABLE_TRAPS, NULL}, {COR_TABLE_REORGANIZATIONS, columns}};
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    COR_TRY(cor_suite_reader_create(request->result, readings, 2, &reader, error));
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        struct arm *arm = &arms[suite->arm];
        const struct cor_trap_row *rows = suite->table[COR_TABLE_TRAPS].row;
        size_t seen = 0;
        if (suite->table[COR_TABLE_TRAPS].count == 0)
            continue;
        for (size_t i = 0; i < suite->table[COR_TABLE_TRAPS].count; i++) {
            const struct cor_sequence_rows *sequence = &suite->sequence[rows[i].sequence];
            if (!sequence->branch) {
                const struct cor_trap_row *row = &rows[i];
                const double weight = weight_of(sequence);
                const size_t before = arm->trap_count;
                if (row->trap >= before) {
                    COR_TRY(COR_RESERVE(&arm->traps, &arm->capacity, row->trap + 1u, error));
                    memset(arm->traps + before, 0, (row->trap + 1u - before) * sizeof *arm->traps);
                    arm->trap_count = row->trap + 1u;
                }
                struct trap *trap = &arm->traps[row->trap];
                trap->sequences++;
                trap->impossible += row->moves == UINT32_MAX;
                trap->covered += row->case_ > 0;
                trap->cases += row->case_;
                trap->probability += row->probability;
                trap->weighted.here += row->case_ > 0 ? weight : 0;
                arm->all += row->case_ > 0;
                for (size_t p = 0; p < POINTS; p++)
                    arm->covered[p] += row->case_ > 0 && row->case_ <= points[p];
            }
        }
        for (uint32_t s = 0; s < suite->row.sequences; s++)
            if (suite->sequence[s].row && !suite->sequence[s].branch) {
                const struct cor_sequence_rows *sequence = &suite->sequence[s];
                const double weight = weight_of(sequence);
                const bool failed = fails(sequence);
                arm->sequences++;
                arm->by_profile += !sequence->steered || sequence->steered->by_profile;
                arm->failed += failed;
                arm->unweighted += isnan(weight) ? 1 : 0;
                arm->weight += weight;
                arm->squares += weight * weight;
                arm->largest = fmax(arm->largest, weight);
                arm->fails.here += failed ? weight : 0;
                seen++;
            }
        arm->suites++;
        for (size_t t = 0; t < arm->trap_count && seen > 0; t++)
            end_suite(&arm->traps[t].weighted, seen);
        if (seen > 0)
            end_suite(&arm->fails, seen);
    }
    return COR_OK;
}

static enum cor_status make_traps(const struct cor_view_request *request, struct cor_sheets *sheets,
                                  struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    const size_t count = head->catalog_size[COR_CATALOG_ARM];
    struct arm *arms = cor_calloc(count, sizeof *arms);
    enum cor_status status = COR_OK;
    (void)findings;
    COR_TRY(cor_made(arms, error));
    COR_TRY_OUT(see_all(request, arms, error));
    struct cor_sheet *of_arms = cor_sheets_add(sheets, &trap_arms),
                     *of_traps = cor_sheets_add(sheets, &traps_sheet),
                     *of_growth = cor_sheets_add(sheets, &trap_growth);
    for (size_t a = 0; a < count; a++) {
        const struct cor_catalog_entry *entry = &head->catalog[COR_CATALOG_ARM][a];
        if (arms[a].sequences == 0)
            continue;
        const struct arm *arm = &arms[a];
        cor_sheet_row(of_arms);
        cor_sheet_word(of_arms, entry->name);
        COR_SHEET_PUT(of_arms, struct arm, arm);
        cor_sheet_real(of_arms, (double)arm->all / (double)arm->sequences);
        COR_SHEET_PUT(of_arms, struct arm, arm);
        put_mean(of_arms, arm, &arm->fails);
        cor_sheet_real(of_arms, arm->unweighted ? NAN : arm->weight * arm->weight / arm->squares);
        cor_sheet_real(of_arms, arm->unweighted ? NAN : arm->largest / arm->weight);
        if (arm->unweighted)
            cor_sheet_remark(of_arms, "%s: walks are chosen, not drawn: tests, and no estimate", entry->name);
        /* The names of an arm's traps stand in its description. */
        struct cor_json_document *document;
        struct cor_json list = {0};
        COR_TRY_OUT(cor_json_parse(entry->description, entry->name, &document, error));
        const struct cor_json root = cor_json_root(document);
        const bool named = cor_json_find(&root, "traps", &list);
        for (size_t t = 0; t < arm->trap_count; t++) {
            const struct trap *trap = &arm->traps[t];
            const struct cor_json item = named && t < cor_json_size(&list) ? cor_json_at(&list, t) : root;
            const char *name = NULL;
            if (cor_json_is_string(&item) && cor_json_string(&item, &name, NULL) != COR_OK)
                name = NULL;
            cor_sheet_row(of_traps);
            cor_sheet_word(of_traps, entry->name);
            cor_sheet_count(of_traps, t);
            COR_SHEET_PUT(of_traps, struct trap, trap);
            cor_sheet_real(of_traps, trap->covered ? (double)trap->cases / (double)trap->covered : NAN);
            cor_sheet_real(of_traps, trap->probability / (double)trap->sequences);
            put_mean(of_traps, arm, &trap->weighted);
            cor_sheet_word(of_traps, name);
        }
        cor_json_destroy(document);
        for (size_t p = 0; p < POINTS; p++) {
            cor_sheet_row(of_growth);
            cor_sheet_word(of_growth, entry->name);
            cor_sheet_count(of_growth, points[p]);
            cor_sheet_real(of_growth, (double)arm->covered[p] / (double)arm->sequences);
            if (arm->covered[p] == arm->all)
                break;
        }
    }
    if (cor_sheet_size(of_arms) == 0)
        cor_sheet_remark(of_arms, "no arm of this file has traps");
out:
    for (size_t a = 0; a < count; a++)
        free(arms[a].traps);
    free(arms);
    return status;
}

static const struct cor_sheet_definition *const sheets_of_traps[] = {&trap_arms, &traps_sheet, &trap_growth,
                                                                     NULL};

const struct cor_view views__view_traps = {
    .name = "traps",
    .command = "show",
    .summary = "show which target situations (traps) were reached",
    .manual =
        "For each arm with traps (\"environment\": {\"traps\": ..}): how many a sequence covers, how that "
        "grows with cases, and in which case; the exact probability that a sequence of the profiles "
        "covers a trap, where the environment alone decides, beside the weighted share of the sequences "
        "executed; the weighted rate of failing sequences; and how much the weights can carry. Of arms "
        "whose walks are chosen there are no rates.",
    .schema = "corridor-traps",
    .version = 1,
    .sheets = sheets_of_traps,
    .make = make_traps,
};
