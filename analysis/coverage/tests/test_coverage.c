/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage of small files worked out by hand, of files that contradict themselves or hold next to nothing,
 * and the memory it takes. */
#include "small_result.h"

#include "failing_allocations.h"

#include <corridor/array.h>
#include <corridor/coverage.h>
#include <corridor/json.h>
#include <corridor/view.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char *const arms[] = {"first", "second"};

static void assert_near(double found, double expected) {
    if (!(fabs(found - expected) <= 1e-9))
        fail_msg("%.17g is not %.17g", found, expected);
}

static void put_arc(struct small *small, uint16_t profile, uint16_t from, uint16_t to, double p,
                    uint64_t count) {
    struct cor_transition_row *arc = small_row(small, COR_TABLE_TRANSITIONS);
    arc->profile = profile;
    arc->from = from;
    arc->to = to;
    arc->probability = p;
    arc->count = count;
}

static void put_visits(struct small *small, uint16_t profile, const uint64_t *counts, uint16_t states) {
    for (uint16_t i = 0; i < states; i++) {
        struct cor_visit_row *visit = small_row(small, COR_TABLE_VISITS);
        visit->profile = profile;
        visit->state = i;
        visit->count = counts[i];
    }
}

static struct cor_profile_row *put_profile(struct small *small, uint16_t number, uint16_t states) {
    struct cor_profile_row *profile = small_row(small, COR_TABLE_PROFILES);
    profile->profile = number;
    profile->states = states;
    return profile;
}

static void put_chain(struct small *small, uint32_t number, uint16_t profile) {
    struct cor_chain_row *chain = small_row(small, COR_TABLE_CHAINS);
    chain->chain = number;
    chain->profile = profile;
}

static void put_sequence(struct small *small, uint16_t number, uint32_t cases, const uint8_t *walks,
                         size_t bytes) {
    uint64_t start = 0;
    OK(cor_record_put(small->record, COR_VECTOR_WALK, walks, bytes, &start, &small->error));
    struct cor_sequence_row *sequence = small_row(small, COR_TABLE_SEQUENCES);
    sequence->sequence = number;
    sequence->cases = cases;
    sequence->walk_start = start;
}

static struct cor_suite_row *begin_suite(struct small *small, uint16_t arm, uint32_t number,
                                         uint32_t sequences) {
    cor_record_begin(small->record, arm, number);
    struct cor_suite_row *suite = small_row(small, COR_TABLE_SUITES);
    suite->sequences = sequences;
    suite->measure = COR_MEASURE_RANGE;
    return suite;
}

/* Three states; from 0 to 0 or 1 evenly, from 1 back to 0, and 2, which leads to 0, is never entered. So the
 * shares are 2/3, 1/3, 0. One sequence, two chains of four cases: 0 0 0 1 0 and 1 0 0 0 0. */
static void put_by_hand(struct small *small) {
    begin_suite(small, 0, 0, 1);
    put_profile(small, 0, 3)->arcs = 4;
    put_arc(small, 0, 0, 0, .5, 5);
    put_arc(small, 0, 0, 1, .5, 1);
    put_arc(small, 0, 1, 0, 1, 2);
    put_arc(small, 0, 2, 0, 1, 0);
    put_visits(small, 0, (const uint64_t[]){8, 2, 0}, 3);
    put_chain(small, 0, 0);
    put_chain(small, 1, 0);
    put_sequence(small, 0, 4, (const uint8_t[]){0, 0, 0, 1, 0, 1, 0, 0, 0, 0}, 10);
    small_append(small);
}

static struct cor_coverage *make_coverage(struct cor_result *result) {
    struct cor_coverage_options options = {.suite = -1};
    struct cor_coverage *coverage = NULL;
    struct cor_error error = COR_NO_ERROR;
    if (cor_coverage_create(result, &options, &coverage, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return coverage;
}

/* All that the view shows of a suite (or all), as one text. */
static char *write_all(struct cor_result *result, uint32_t suite) {
    char *text = NULL;
    size_t size = 0;
    struct cor_error error = COR_NO_ERROR;
    struct cor_sheets *sheets;
    const struct cor_view *view = cor_view_find("coverage");
    const struct cor_view_request request = {.result = result, .suite = suite};
    struct cor_view_findings findings;
    const struct cor_sheet *sheet;
    FILE *file = open_memstream(&text, &size);
    OK(cor_sheets_create(view->schema, view->version, &sheets, &error));
    OK(view->make(&request, sheets, &findings, &error));
    OK(cor_sheets_text(sheets, &COR_STYLE_PLAIN, file, &error));
    OK(cor_sheets_json(sheets, file, &error));
    for (size_t i = 0; (sheet = cor_sheets_at(sheets, i)) != NULL; i++)
        OK(cor_sheet_csv(sheet, file, &error));
    cor_sheets_destroy(sheets);
    fclose(file);
    return text;
}

static void coverage_is_as_worked_out_by_hand(void **state) {
    (void)state;
    struct small small;
    small_open(&small, "coverage_by_hand");
    put_by_hand(&small);
    struct cor_result *result = small_finish(&small, arms, 2);
    struct cor_coverage *coverage = make_coverage(result);
    assert_int_equal(coverage->arm_count, 3);
    const struct cor_arm_coverage *arm = &coverage->arm[1];
    assert_int_equal(arm->environment_count, 2);
    assert_int_equal(coverage->arm[2].environment_count, 0);
    const struct cor_environment_coverage *environment = arm->environment[1];
    const struct cor_covered *chain = environment->covered[COR_COVERAGE_CHAIN],
                             *suite = environment->covered[COR_COVERAGE_SUITE];
    assert_near(cor_covered_percent(&chain[COR_COVERED_STATES]), 200.0 / 3);
    assert_near(cor_covered_percent(&chain[COR_COVERED_ARCS]), (75 + 50) / 2.0); /* 00 01 10 of four; 10 00 */
    assert_near(cor_covered_percent(&chain[COR_COVERED_REACHABLE_ARCS]), 100 * (1 + 2.0 / 3) / 2);
    assert_near(cor_covered_percent(&chain[COR_COVERED_ARC_MASS]), 100 * (1 + 2.0 / 3) / 2);
    assert_near(cor_covered_percent(&suite[COR_COVERED_STATES]), 200.0 / 3);
    assert_near(cor_covered_percent(&suite[COR_COVERED_REACHABLE_STATES]), 100);
    assert_near(cor_covered_percent(&suite[COR_COVERED_ARCS]), 75);
    assert_near(cor_covered_percent(&suite[COR_COVERED_LIKELY_ARCS]), 100);
    assert_int_equal(environment->suite.unseen, 0); /* 2 to 0 cannot be reached */
    assert_int_equal(environment->suite.once, 1);
    assert_near(environment->suite.law, 0);
    assert_near(environment->suite.good_turing, 1.0 / 8);
    assert_near(environment->suite.cases_good_turing, 4); /* two chains */
    assert_true(isnan(environment->suite.cases_law));
    assert_true(environment->fixed && environment->lawful);
    assert_near(cor_covered_percent(&environment->covered[COR_COVERAGE_CAMPAIGN][COR_COVERED_ARCS]), 75);
    assert_int_equal(environment->missed_count, 0);
    assert_near(environment->share[0], 2.0 / 3);
    assert_int_equal(environment->taken[0], 5);
    assert_int_equal(environment->visits[0], 8);
    /* After one case: 00 by the first, 10 by the second. */
    assert_int_equal(environment->cases.count, 2);
    assert_near(environment->cases.point[0].arcs, 25);
    assert_near(environment->cases.point[0].states, 50);
    assert_near(environment->cases.point[1].arcs, (25 + 50) / 2.0); /* 00; 10 00 */
    assert_int_equal(environment->cases.point[1].at, 2);
    /* Pairs at cases 0 .. 4: 01 00 00 10 00, three of nine. */
    assert_int_equal(arm->pairs.pairs, 1);
    assert_near(cor_covered_percent(&arm->pairs.suite), 100.0 / 3);
    assert_near(cor_covered_percent(&arm->pairs.suite_mass), 100 * (4 + 2 + 2) / 9.0);
    char *text = write_all(result, COR_ANY_SUITE);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
    cor_coverage_destroy(coverage);
    small_close(&small, result);
}

/* A transition of mass 1/3 that eight steps did not take. */
static void missed_transitions_are_told_with_their_chance(void **state) {
    (void)state;
    struct small small;
    small_open(&small, "coverage_missed");
    for (uint32_t s = 0; s < 2; s++) {
        begin_suite(&small, 1, s, 1);
        put_profile(&small, 0, 2)->arcs = 3;
        put_arc(&small, 0, 0, 0, .5, 4);
        put_arc(&small, 0, 0, 1, .5, 0);
        put_arc(&small, 0, 1, 0, 1, 0);
        put_visits(&small, 0, (const uint64_t[]){5, 0}, 2);
        put_chain(&small, 0, 0);
        put_sequence(&small, 0, 4, (const uint8_t[]){0, 0, 0, 0, 0}, 5);
        small_append(&small);
    }
    struct cor_result *result = small_finish(&small, arms, 2);
    struct cor_coverage *coverage = make_coverage(result);
    const struct cor_environment_coverage *environment = coverage->arm[2].environment[1];
    assert_int_equal(environment->missed_count, 2);
    for (size_t m = 0; m < 2; m++) {
        const struct cor_missed *missed = &environment->missed[m];
        assert_int_equal(missed->suite, -1);
        assert_near(missed->expected, 8 / 3.0);
        /* 0 to 1 in no step of two walks; 1 to 0 only if 1 was entered in the last step or never */
        assert_near(missed->chance, missed->from == 0 ? 1 / 256.0 : 4 / 256.0);
    }
    assert_near(environment->campaign.law, 2 / 3.0);
    assert_near(environment->campaign.cases_law, 1.5);
    assert_near(environment->campaign.good_turing, 0);
    assert_true(isnan(environment->campaign.cases_good_turing));
    assert_int_equal(environment->campaign.unseen_likely, 2);
    cor_coverage_destroy(coverage);
    small_close(&small, result);
}

static void one_arm_and_one_suite_can_be_chosen(void **state) {
    (void)state;
    struct small small;
    struct cor_coverage *coverage = NULL;
    struct cor_error error = COR_NO_ERROR;
    small_open(&small, "coverage_one");
    put_by_hand(&small);
    struct cor_result *result = small_finish(&small, arms, 2);
    struct cor_coverage_options options = {.arm = "second", .suite = -1};
    OK(cor_coverage_create(result, &options, &coverage, &error));
    assert_int_equal(coverage->arm_count, 2);
    assert_int_equal(coverage->arm[0].suites, 0);
    cor_coverage_destroy(coverage);
    options = (struct cor_coverage_options){.arm = "first", .suite = 0};
    OK(cor_coverage_create(result, &options, &coverage, &error));
    assert_int_equal(coverage->arm[1].suites, 1);
    char *text = write_all(result, 0);
    assert_non_null(strstr(text, "Only suite 0"));
    free(text);
    cor_coverage_destroy(coverage);
    options.suite = 1;
    assert_int_equal(cor_coverage_create(result, &options, &coverage, &error), COR_STATUS_INPUT);
    assert_null(coverage);
    assert_string_equal(error.place, "suite 1");
    error = COR_NO_ERROR;
    options = (struct cor_coverage_options){.arm = "frist", .suite = -1};
    assert_int_equal(cor_coverage_create(result, &options, &coverage, &error), COR_STATUS_INPUT);
    assert_non_null(strstr(error.remedy, "did you mean \"first\""));
    small_close(&small, result);
}

static void almost_empty_files_are_shown_without_nan_or_inf(void **state) {
    (void)state;
    for (int what = 0; what < 5; what++) {
        struct small small;
        small_open(&small, "coverage_nothing");
        if (what > 0)
            begin_suite(&small, 0, 0, what == 4);
        if (what > 1)
            put_profile(&small, 0, 2);
        if (what > 1)
            put_visits(&small, 0, (const uint64_t[]){what == 4, 0}, 2);
        if (what > 2)
            put_chain(&small, 0, 0);
        if (what > 3)
            put_sequence(&small, 0, 0, (const uint8_t[]){0}, 1);
        if (what > 0)
            small_append(&small);
        struct cor_result *result = small_finish(&small, arms, what == 0 ? 0 : 2);
        struct cor_coverage *coverage = make_coverage(result);
        char *text = write_all(result, COR_ANY_SUITE);
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        free(text);
        if (what == 4) { /* one state of two visited; no transitions, no law */
            const struct cor_environment_coverage *environment = coverage->arm[1].environment[1];
            assert_near(cor_covered_percent(&environment->covered[COR_COVERAGE_SUITE][COR_COVERED_STATES]),
                        50);
            assert_true(
                isnan(cor_covered_percent(&environment->covered[COR_COVERAGE_SUITE][COR_COVERED_ARCS])));
            assert_true(isnan(environment->suite.law) && isnan(environment->suite.good_turing));
            assert_false(environment->lawful);
        }
        cor_coverage_destroy(coverage);
        small_close(&small, result);
    }
}

typedef void spoil(struct small *small);

static void bad_count(struct small *small) {
    ((struct cor_transition_row *)cor_record_at(small->record, COR_TABLE_TRANSITIONS, 1))->count = 7;
}
static void bad_visit(struct small *small) {
    ((struct cor_visit_row *)cor_record_at(small->record, COR_TABLE_VISITS, 0))->count++;
}
static void bad_visit_state(struct small *small) {
    ((struct cor_visit_row *)cor_record_at(small->record, COR_TABLE_VISITS, 0))->state = 3;
}
static void bad_arc(struct small *small) {
    ((struct cor_transition_row *)cor_record_at(small->record, COR_TABLE_TRANSITIONS, 1))->to = 3;
}
static void many_states(struct small *small) {
    ((struct cor_profile_row *)cor_record_at(small->record, COR_TABLE_PROFILES, 0))->states = UINT16_MAX;
}
static void no_states(struct small *small) {
    ((struct cor_profile_row *)cor_record_at(small->record, COR_TABLE_PROFILES, 0))->states = 0;
}
static void few_states(struct small *small) {
    ((struct cor_profile_row *)cor_record_at(small->record, COR_TABLE_PROFILES, 0))->states = 1;
}
static void bad_chain(struct small *small) {
    ((struct cor_chain_row *)cor_record_at(small->record, COR_TABLE_CHAINS, 1))->profile = 1;
}
static void misnumbered_chain(struct small *small) {
    ((struct cor_chain_row *)cor_record_at(small->record, COR_TABLE_CHAINS, 1))->chain = 2;
}
static void long_walk(struct small *small) {
    ((struct cor_sequence_row *)cor_record_at(small->record, COR_TABLE_SEQUENCES, 0))->cases = UINT32_MAX;
}
static void more_sequences(struct small *small) {
    ((struct cor_suite_row *)cor_record_at(small->record, COR_TABLE_SUITES, 0))->sequences = 0;
}
static void unknown_arm(struct small *small) {
    ((struct cor_suite_row *)cor_record_at(small->record, COR_TABLE_SUITES, 0))->arm = 9;
}
static void unknown_parameter(struct small *small) {
    ((struct cor_parameter_row *)small_row(small, COR_TABLE_PARAMETERS))->parameter = 9;
}
static void unknown_counter(struct small *small) {
    ((struct cor_counter_row *)small_row(small, COR_TABLE_COUNTERS))->counter = 9;
}
static void many_profiles(struct small *small) {
    for (uint16_t p = 1; p < 100; p++)
        put_profile(small, p, 256);
}

/* The suite worked out by hand again, kept open so that it can be spoilt. */
static void put_open(struct small *small) {
    begin_suite(small, 0, 0, 1);
    put_profile(small, 0, 3)->arcs = 4;
    put_arc(small, 0, 0, 0, .5, 5);
    put_arc(small, 0, 0, 1, .5, 1);
    put_arc(small, 0, 1, 0, 1, 2);
    put_visits(small, 0, (const uint64_t[]){8, 2, 0}, 3);
    put_chain(small, 0, 0);
    put_chain(small, 1, 0);
    put_sequence(small, 0, 4, (const uint8_t[]){0, 0, 0, 1, 0, 1, 0, 0, 0, 0}, 10);
}

static void contradictions_are_refused_with_place_and_cause(void **state) {
    static const struct {
        spoil *spoil;
        const char *place, *cause;
    } cases[] = {
        {bad_count, "table transitions",
         "0 to 1 of profile 0 is said to be taken 7 times, the walks take it 1 times"},
        {bad_visit, "table visits",
         "state 0 of profile 0 is said to be visited 9 times, the walks visit it 8 times"},
        {bad_visit_state, "table visits", "there is no state 3 of a profile 0"},
        {bad_arc, "table transitions", "profile 0 has no transition 0 to 3"},
        {many_states, "table profiles", "profile 0 of 65535 states"},
        {no_states, "table profiles", "profile 0 of 0 states"},
        {few_states, "table transitions", "profile 0 has no transition 0 to 1"},
        {bad_chain, "table chains", "chain 1 of profile 1"},
        {misnumbered_chain, "table chains", "chain 2 of profile 0, expected chain 1"},
        {long_walk, "table sequences", "a walk begins or ends behind the 10 bytes"},
        {more_sequences, "table sequences", "has 0 sequences, found number 0"},
        {unknown_arm, "table suites", "catalog/arm lacks"},
        {unknown_parameter, "table parameters", "row 0: parameter is 9, which means nothing"},
        {unknown_counter, "table counters", "row 0: counter is 9, which means nothing"},
        {many_profiles, "table profiles", "brings the suite above 4194304 transitions that could be"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cor_coverage_options options = {.suite = -1};
        struct cor_coverage *coverage = NULL;
        struct cor_error error = COR_NO_ERROR;
        struct small small;
        small_open(&small, "coverage_bad");
        put_open(&small);
        cases[i].spoil(&small);
        small_append(&small);
        struct cor_result *result = small_finish(&small, arms, 2);
        assert_int_equal(cor_coverage_create(result, &options, &coverage, &error), COR_STATUS_INPUT);
        assert_null(coverage);
        if (strcmp(error.place, cases[i].place) != 0 || !strstr(error.cause, cases[i].cause))
            fail_msg("%zu: %s: %s", i, error.place, error.cause);
        small_close(&small, result);
    }
}

static void probabilities_that_are_none_are_refused(void **state) {
    static const double values[] = {NAN, INFINITY, -INFINITY, -1, 1e300};
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct small small;
        small_open(&small, "coverage_nan");
        put_open(&small);
        ((struct cor_transition_row *)cor_record_at(small.record, COR_TABLE_TRANSITIONS, 0))->probability =
            values[i];
        small_append(&small);
        struct cor_result *result = small_finish(&small, arms, 2);
        struct cor_coverage_options options = {.suite = -1};
        struct cor_coverage *coverage = NULL;
        struct cor_error error = COR_NO_ERROR;
        assert_int_equal(cor_coverage_create(result, &options, &coverage, &error), COR_STATUS_INPUT);
        assert_non_null(strstr(error.cause, "probability is"));
        small_close(&small, result);
    }
}

/* Suites that each have profiles of their own, of up to 30 states. */
static struct cor_result *many_suites(struct small *small, uint32_t suites) {
    small_open(small, "coverage_memory");
    for (uint32_t s = 0; s < suites; s++) {
        uint16_t n = (uint16_t)(30 - s % 7);
        uint8_t *walk = cor_calloc(2000, 1);
        uint64_t *visits = cor_calloc(n, sizeof *visits);
        assert_true(walk && visits);
        begin_suite(small, (uint16_t)(s >= suites / 2), s, 2)->groups = s;
        put_profile(small, 0, n)->arcs = n;
        for (uint16_t i = 0; i < n; i++)
            put_arc(small, 0, i, (uint16_t)((i + 1) % n), 1, (uint64_t)(2 * (999 / n + (i < 999 % n))));
        for (uint32_t i = 0; i < 1000; i++)
            walk[i] = (uint8_t)(i % n);
        for (uint32_t i = 0; i < 1000; i++)
            visits[walk[i]] += 2;
        put_visits(small, 0, visits, n);
        put_chain(small, 0, 0);
        put_sequence(small, 0, 999, walk, 1000);
        put_sequence(small, 1, 999, walk, 1000);
        free(walk);
        free(visits);
        small_append(small);
    }
    return small_finish(small, arms, 2);
}

/* A result keeps the chunk of each column that was read last, or all of a short one: it has one of each from
 * now on. */
static void read_a_row_of_each(struct cor_result *result) {
    struct cor_error error = COR_NO_ERROR;
    unsigned char row[1024];
    for (uint32_t t = 0; t < COR_TABLE_COUNT; t++) {
        assert_true(cor_schema((enum cor_table)t)->row_size <= sizeof row);
        if (cor_result_size(result, t) > 0)
            assert_int_equal(cor_result_read(result, t, 0, 1, row, &error), COR_OK);
    }
    if (cor_result_vector_size(result, COR_VECTOR_WALK) > 0)
        assert_int_equal(cor_result_read_vector(result, COR_VECTOR_WALK, 0, 1, row, &error), COR_OK);
}

static int64_t memory_of(uint32_t suites) {
    struct small small;
    struct cor_result *result = many_suites(&small, suites);
    read_a_row_of_each(result);
    int64_t before = cor_allocations_held();
    cor_allocations_mark_held();
    struct cor_coverage *coverage = make_coverage(result);
    int64_t most = cor_allocations_most_held() - before;
    assert_int_equal(coverage->arm[0].suites, suites);
    /* Groups were 0, 1, 2, ...: of more than 4096 every second one counts for the median. */
    const struct cor_parameter_coverage *groups = &coverage->arm[0].parameter[0];
    assert_string_equal(groups->name, "groups");
    assert_near(groups->median, suites > 4096 ? suites / 2 - 1 : (suites - 1) / 2.0);
    for (uint32_t b = 0; b < groups->bins; b++)
        assert_true(groups->bin[b] + 1 >= suites / groups->bins &&
                    groups->bin[b] <= suites / groups->bins + 1);
    cor_coverage_destroy(coverage);
    assert_int_equal(cor_allocations_held(), before);
    small_close(&small, result);
    return most;
}

#ifdef __SANITIZE_ADDRESS__
enum { MANY_SUITES = 2600 };
#else
enum { MANY_SUITES = 5000 };
#endif

static void memory_is_bounded_and_does_not_grow_with_suites(void **state) {
    (void)state;
    /* Buffers are full from 2,048 rows on. */
    int64_t few = memory_of(2100), many = memory_of(MANY_SUITES);
    print_message("memory: %" PRId64 " bytes with 2100 suites, %" PRId64 " with %d\n", few, many,
                  MANY_SUITES);
    assert_true(many <= few + few / 100);
    /* The bound of the header: buffers, the largest suite, three arms (all is one) of all environments, of
     * one of 30 states, and of four parameters. */
    int64_t suite = 34 * 900 + (200 + 3712) * 30 + 3000 + 2;
    int64_t arm = 2 * 10000 + 20 * 30 * (30 + 200) + 4 * 33000;
    assert_true(many <= 24000000 + suite + 3 * arm);
}

/* Whichever allocation fails, the answer is a status and nothing leaks. Only names of states are a service
 * that may fail: states are numbered then. */
static void every_failing_allocation_is_a_status_and_leaks_nothing(void **state) {
    (void)state;
    struct small small;
    struct cor_coverage_options options = {.suite = -1};
    small_open(&small, "coverage_oom");
    put_by_hand(&small);
    struct cor_result *result = small_finish(&small, arms, 2);
    read_a_row_of_each(result);
    int64_t before = cor_allocations_held();
    size_t unnamed = 0;
    for (size_t n = 1;; n++) {
        struct cor_coverage *coverage = NULL;
        struct cor_error error = COR_NO_ERROR;
        cor_allocations_begin((long)n, false);
        enum cor_status status = cor_coverage_create(result, &options, &coverage, &error);
        bool failed = cor_allocations_end() >= (long)n;
        cor_coverage_destroy(coverage);
        assert_int_equal(cor_allocations_held(), before);
        if (!failed) {
            OK(status);
            print_message("%zu allocations, %zu for names\n", n - 1, unnamed);
            assert_true(n > 100 && unnamed < 10);
            break;
        }
        unnamed += status == COR_OK;
        assert_true(status == COR_STATUS_MEMORY || status == COR_OK);
    }
    small_close(&small, result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage_is_as_worked_out_by_hand),
        cmocka_unit_test(missed_transitions_are_told_with_their_chance),
        cmocka_unit_test(one_arm_and_one_suite_can_be_chosen),
        cmocka_unit_test(almost_empty_files_are_shown_without_nan_or_inf),
        cmocka_unit_test(contradictions_are_refused_with_place_and_cause),
        cmocka_unit_test(probabilities_that_are_none_are_refused),
        cmocka_unit_test(memory_is_bounded_and_does_not_grow_with_suites),
        cmocka_unit_test(every_failing_allocation_is_a_status_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
