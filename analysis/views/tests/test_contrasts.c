/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contrasts of files whose figures were worked out by hand. Bootstrap and survival have tests of their own in
 * the room statistics; here it is what they are asked. */
#include "two_suites.h"

#include <corridor/contrasts.h>
#include <corridor/view.h>

#include <stdlib.h>

#define CASES 10

static const char *const arms[] = {"A", "B", "C"};

/* A sequence of ten cases, detected at `gray` through the gray box and at `black`, where it ends, through
 * both; 0 = not at all. */
static void put_detected(struct small *small, uint16_t number, uint32_t gray, uint32_t black) {
    struct cor_sequence_row *sequence = small_row(small, COR_TABLE_SEQUENCES);
    sequence->sequence = number;
    sequence->cases = CASES;
    sequence->executed = black > 0 ? black : CASES;
    if (gray > 0 && gray != black)
        put_reorganization(small, number, gray, 1, 'f', 'p');
    if (black > 0)
        put_reorganization(small, number, black, 1, 'f', 'f');
}

/* A suite of two sequences. */
static void put_pair(struct small *small, uint16_t arm, uint32_t suite, const uint32_t gray[2],
                     const uint32_t black[2]) {
    cor_record_begin(small->record, arm, suite);
    put_suite(small, 10, 1, 0, 2);
    for (uint16_t s = 0; s < 2; s++)
        put_detected(small, s, gray[s], black[s]);
    small_append(small);
}

#define TWO(a, b) ((const uint32_t[]){a, b})

static struct cor_contrasts *make_contrasts(struct cor_result *result) {
    struct cor_contrasts *contrasts = NULL;
    struct cor_error error = COR_NO_ERROR;
    if (cor_contrasts_create(result, 0.95, &contrasts, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return contrasts;
}

static struct cor_sheets *show(struct cor_result *result) {
    struct cor_sheets *sheets = NULL;
    struct cor_error error = COR_NO_ERROR;
    struct cor_view_findings findings = {0};
    const struct cor_view_request request = {.result = result, .level = 0.95};
    OK(cor_sheets_create("contrasts", 2, &sheets, &error));
    OK(cor_view_find("contrasts")->make(&request, sheets, &findings, &error));
    return sheets;
}

/* Suite 2 is A's alone. Sequences end at: A 2, 10 | 4 (black), 6; B 10, 10 | 10, 8. */
static struct cor_result *make_by_hand(struct small *small, const char *experiment) {
    small_open(small, "contrasts");
    small->experiment = experiment;
    put_pair(small, 0, 0, TWO(2, 0), TWO(0, 0));
    put_pair(small, 0, 1, TWO(4, 6), TWO(4, 0));
    put_pair(small, 0, 2, TWO(1, 1), TWO(0, 0));
    put_pair(small, 1, 0, TWO(0, 0), TWO(0, 0));
    put_pair(small, 1, 1, TWO(0, 8), TWO(0, 0));
    return small_finish(small, arms, 3);
}

#define PAIRED_AB                                                                                           \
    "{\"name\": \"by hand\", \"mode\": \"paired\", \"contrasts\": [{\"name\": \"x\", \"between\": [\"A\", " \
    "\"B\"]}]}"

static void paired_contrasts_are_as_worked_out_by_hand(void **state) {
    (void)state;
    struct small small;
    struct cor_result *result = make_by_hand(&small, PAIRED_AB);
    struct cor_contrasts *contrasts = make_contrasts(result);
    assert_string_equal(contrasts->experiment, "by hand");
    assert_true(contrasts->paired);
    assert_int_equal(contrasts->left_out, 1);
    assert_near(contrasts->horizon, 10);
    assert_int_equal(contrasts->count, 2);
    const struct cor_contrast *x = &contrasts->contrast[0];
    assert_string_equal(x->name, "x");
    assert_int_equal(x->pair_count, 1);
    const struct cor_contrast_side *a = &x->pair[0].side[0], *b = &x->pair[0].side[1];
    assert_string_equal(a->arm, "A");
    assert_int_equal(a->suites, 2);
    assert_int_equal(a->sequences, 4);
    assert_int_equal(a->suites_detecting, 2);
    assert_int_equal(a->sequences_detecting, 3);
    assert_near(a->share.mean, 75);
    assert_near(a->median, 4); /* half are detected by then */
    assert_near(a->cases, 5.5);
    assert_int_equal(b->suites_detecting, 1);
    assert_int_equal(b->sequences_detecting, 1);
    assert_near(b->share.mean, 25);
    assert_true(isnan(b->median));
    assert_near(b->cases, 9.5);
    assert_near(x->pair[0].share.value.mean, 50);
    assert_int_equal(x->pair[0].share.above, 2);
    assert_int_equal(x->pair[0].share.below, 0);
    assert_near(x->pair[0].share.p, 0.5);
    assert_int_equal(x->pair[0].share.sign, 0); /* two suites, both alike: neither interval nor test */
    assert_near(x->pair[0].cases.value.mean, -4);
    assert_int_equal(x->pair[0].cases.below, 2);

    /* Then the boxes, for both arms, in suites that both have. */
    const struct cor_contrast *boxes = &contrasts->contrast[1];
    assert_int_equal(boxes->pair_count, 2);
    a = boxes->pair[0].side;
    assert_int_equal(a[0].box, COR_GRAY_BOX);
    assert_int_equal(a[0].sequences_detecting, 3);
    assert_int_equal(a[1].box, COR_BLACK_BOX);
    assert_int_equal(a[1].sequences_detecting, 1);
    assert_near(a[1].cases, 8.5); /* 10 10 4 10 */
    assert_near(boxes->pair[1].share.value.mean, 25);
    assert_int_equal(boxes->found[0], 2);
    assert_int_equal(boxes->found[1], 1);
    assert_near(boxes->share.value.mean, (50 + 25) / 2.0);
    cor_contrasts_destroy(contrasts);
    small_close(&small, result);
}

/* Arms with suites of their own keep them all, and have none in common; an arm's boxes still do. */
static void independent_arms_keep_all_their_suites(void **state) {
    (void)state;
    struct small small;
    struct cor_result *result = make_by_hand(
        &small, "{\"name\": \"i\", \"contrasts\": [{\"name\": \"x\", \"between\": [\"A\", \"B\"]}]}");
    struct cor_contrasts *contrasts = make_contrasts(result);
    const struct cor_contrast_pair *pair = &contrasts->contrast[0].pair[0];
    assert_int_equal(contrasts->left_out, 0);
    assert_int_equal(pair->side[0].suites, 3);
    assert_near(pair->side[0].share.mean, 500.0 / 6);
    assert_near(pair->share.value.mean, 500.0 / 6 - 25);
    assert_true(pair->share.p > 0.1 && pair->share.p <= 1); /* three suites and two: ten ways to deal them */
    assert_int_equal(pair->share.sign, 0);
    assert_int_equal(pair->share.above + pair->share.below, 0);
    pair = &contrasts->contrast[1].pair[0];
    assert_int_equal(pair->share.above, 3);
    assert_near(pair->share.p, 0.25);
    cor_contrasts_destroy(contrasts);
    small_close(&small, result);
}

/* Of `suites` suites `better` have a detection in A that B lacks, at 1 in one or in both sequences. */
static struct cor_result *make_better(struct small *small, uint32_t suites, uint32_t better) {
    small_open(small, "better");
    small->experiment = PAIRED_AB;
    for (uint32_t s = 0; s < suites; s++)
        put_pair(small, 0, s, TWO(s < better, s < better && s % 2), TWO(0, 0));
    for (uint32_t s = 0; s < suites; s++)
        put_pair(small, 1, s, TWO(0, 0), TWO(0, 0));
    return small_finish(small, arms, 3);
}

static void claims_need_suites(void **state) {
    static const struct {
        uint32_t suites, better;
        double p;
        int sign;
    } cases[] = {{20, 8, 2.0 / 256, 1}, {20, 6, 2.0 / 64, 1}, {20, 3, 0.25, 0}, {20, 0, 1, 0}, {1, 1, 1, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct small small;
        struct cor_result *result = make_better(&small, cases[i].suites, cases[i].better);
        struct cor_contrasts *contrasts = make_contrasts(result);
        const struct cor_contrast_pair *pair = &contrasts->contrast[0].pair[0];
        assert_int_equal(pair->share.above, cases[i].better);
        assert_near(pair->share.p, cases[i].p);
        assert_int_equal(pair->share.sign, cases[i].sign);
        assert_int_equal(pair->cases.sign, -cases[i].sign);
        if (cases[i].better == 3) /* the interval alone would have claimed it */
            assert_true(pair->share.value.low > 0);
        cor_contrasts_destroy(contrasts);
        small_close(&small, result);
    }
}

/* Pairs of one name are averaged, and their order is that of the file. */
static void pairs_of_one_name_are_averaged(void **state) {
    (void)state;
    struct small small;
    small_open(&small, "pairs");
    small.experiment =
        "{\"name\": \"p\", \"mode\": \"paired\", \"contrasts\": ["
        "{\"name\": \"y\", \"between\": [\"C\", \"A\"]}, {\"name\": \"x\", \"between\": [\"A\", "
        "\"B\"]}, {\"name\": \"y\", \"between\": [\"B\", \"C\"]}]}";
    for (uint32_t s = 0; s < 4; s++)
        put_pair(&small, 0, s, TWO(1, 0), TWO(0, 0));
    for (uint32_t s = 0; s < 4; s++)
        put_pair(&small, 1, s, TWO(0, 0), TWO(0, 0));
    for (uint32_t s = 0; s < 4; s++)
        put_pair(&small, 2, s, TWO(3, 5), TWO(0, 0));
    struct cor_result *result = small_finish(&small, arms, 3);
    struct cor_contrasts *contrasts = make_contrasts(result);
    assert_int_equal(contrasts->count, 3);
    assert_string_equal(contrasts->contrast[0].name, "y");
    assert_int_equal(contrasts->contrast[0].pair_count, 2);
    assert_int_equal(contrasts->contrast[0].found[0], 1);
    assert_int_equal(contrasts->contrast[0].found[1], 2);
    assert_near(contrasts->contrast[0].share.value.mean, ((100 - 50) + (0 - 100)) / 2.0);
    assert_near(contrasts->contrast[0].cases.value.mean, ((4 - 5.5) + (10 - 4)) / 2);
    assert_int_equal(contrasts->contrast[2].pair_count, 3);
    cor_contrasts_destroy(contrasts);
    small_close(&small, result);
}

/* A's first suite is its own: what is observed in its second counts for the only common one. */
static void suites_left_out_leave_no_gap(void **state) {
    (void)state;
    struct small small;
    small_open(&small, "gap");
    small.experiment = PAIRED_AB;
    put_pair(&small, 0, 5, TWO(0, 0), TWO(0, 0));
    put_pair(&small, 0, 6, TWO(2, 0), TWO(0, 0));
    put_pair(&small, 1, 6, TWO(0, 0), TWO(0, 0));
    struct cor_result *result = small_finish(&small, arms, 3);
    struct cor_contrasts *contrasts = make_contrasts(result);
    const struct cor_contrast_side *a = &contrasts->contrast[0].pair[0].side[0];
    assert_int_equal(contrasts->left_out, 1);
    assert_int_equal(a->suites, 1);
    assert_int_equal(a->suites_detecting, 1);
    assert_near(a->share.mean, 50);
    assert_near(contrasts->contrast[0].pair[0].share.value.mean, 50);
    cor_contrasts_destroy(contrasts);
    small_close(&small, result);
}

/* An arm that never ran, and a file in which nothing did. */
static void an_arm_that_never_ran_is_shown_as_not_available(void **state) {
    (void)state;
    struct small small;
    small_open(&small, "nothing");
    small.experiment = PAIRED_AB;
    put_pair(&small, 0, 0, TWO(1, 0), TWO(0, 0));
    struct cor_result *result = small_finish(&small, arms, 3);
    struct cor_contrasts *contrasts = make_contrasts(result);
    assert_int_equal(contrasts->left_out, 1);
    const struct cor_contrast_pair *pair = &contrasts->contrast[0].pair[0];
    assert_true(isnan(pair->side[0].share.mean) && isnan(pair->side[0].cases) &&
                isnan(pair->share.value.mean));
    assert_int_equal(pair->share.sign, 0);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    struct cor_sheets *sheets = show(result);
    OK(cor_sheets_text(sheets, &COR_STYLE_PLAIN, file, &small.error));
    OK(cor_sheets_json(sheets, file, &small.error));
    fclose(file);
    cor_sheets_destroy(sheets);
    assert_non_null(strstr(text, "n/a"));
    assert_null(strstr(text, "nan"));
    free(text);
    cor_contrasts_destroy(contrasts);
    small_close(&small, result);
}

static void wrong_contrasts_are_refused_with_place_and_cause(void **state) {
    static const struct {
        const char *experiment, *place, *cause;
    } wrong[] = {
        {"{}", "experiment: /", "lacks the key \"name\""},
        {"{\"name\": \"e\"}", "experiment: /", "has no contrasts"},
        {"{\"name\": \"e\", \"contrasts\": 1}", "experiment: /contrasts", "is an integer, expected an array"},
        {"{\"name\": \"e\", \"contrasts\": []}", "experiment: /contrasts",
         "has 0 items, expected at least 1"},
        {"{\"name\": \"e\", \"contrasts\": [{\"name\": \"x\", \"between\": [\"A\"]}]}",
         "experiment: /contrasts/0/between", "has 1 items, expected 2"},
        {"{\"name\": \"e\", \"contrasts\": [{\"name\": \"x\", \"between\": [\"A\", \"D\"]}]}",
         "experiment: /contrasts/0/between/1", "catalog/arm has no \"D\""},
        {"{\"name\": \"e\", \"contrasts\": [{\"name\": \"x\", \"between\": [\"A\", 1]}]}",
         "experiment: /contrasts/0/between/1", "is an integer, expected a string"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct small small;
        struct cor_result *result = make_by_hand(&small, wrong[i].experiment);
        struct cor_contrasts *contrasts = NULL;
        assert_int_equal(cor_contrasts_create(result, 0.95, &contrasts, &small.error), COR_STATUS_INPUT);
        assert_null(contrasts);
        assert_string_equal(small.error.place, wrong[i].place);
        assert_string_equal(small.error.cause, wrong[i].cause);
        small_close(&small, result);
    }
}

static void assert_has(const char *text, const char *expected) {
    if (!strstr(text, expected))
        fail_msg("no \"%s\" in:\n%s", expected, text);
}

static const struct cor_table_cell *cell(const struct cor_sheet *sheet, size_t row, const char *key) {
    const struct cor_sheet_definition *definition = cor_sheet_definition(sheet);
    size_t column = 0;
    while (strcmp(definition->columns[column].key, key) != 0)
        column++;
    return cor_sheet_cell(sheet, row, column);
}

static void the_view_says_what_the_contrasts_say(void **state) {
    static const struct cor_style marks = {"<", "+", "-", "~", ">", false, 0};
    (void)state;
    struct small small;
    struct cor_result *result = make_better(&small, 20, 8);
    struct cor_sheets *sheets = show(result);
    const struct cor_sheet *differences = cor_sheets_find(sheets, "differences"),
                           *sides = cor_sheets_find(sheets, "sides"),
                           *contrasts = cor_sheets_find(sheets, "contrasts");
    assert_int_equal(cor_sheet_size(contrasts), 2);
    assert_string_equal(cell(differences, 0, "contrast")->text, "x");
    assert_string_equal(cell(differences, 0, "share_verdict")->text, "first");
    assert_string_equal(cell(differences, 0, "cases_verdict")->text, "first");
    assert_string_equal(cell(differences, 0, "claim")->text, "A finds more, and sooner");
    assert_int_equal(cell(differences, 0, "share_suites_above")->count, 8);
    assert_int_equal(cell(differences, 0, "share_suites_below")->count, 0);
    assert_near(cell(differences, 0, "share_p")->real, 2.0 / 256);
    assert_int_equal(cell(differences, 0, "cases_suites_above")->count, 0);
    assert_int_equal(cell(differences, 0, "cases_suites_below")->count, 8);
    assert_near(cell(differences, 0, "cases_p")->real, 2.0 / 256);
    assert_string_equal(cell(sides, 0, "arm")->text, "A");
    assert_int_equal(cell(sides, 0, "suites_detecting")->count, 8);
    assert_int_equal(cell(sides, 0, "suites")->count, 20);
    assert_int_equal(cell(sides, 0, "sequences_detecting")->count, 12);
    assert_int_equal(cell(sides, 0, "sequences")->count, 40);
    assert_near(cell(sides, 0, "share_pct")->estimate->mean, 30);
    assert_int_equal(cell(contrasts, 1, "found_first")->count, 1);
    assert_int_equal(cell(contrasts, 1, "found_second")->count, 0);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    OK(cor_sheets_text(sheets, &marks, file, &small.error));
    fclose(file);
    assert_has(text, "+A finds more, and sooner>");
    for (char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 120);
    free(text);
    cor_sheets_destroy(sheets);
    small_close(&small, result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paired_contrasts_are_as_worked_out_by_hand),
        cmocka_unit_test(independent_arms_keep_all_their_suites),
        cmocka_unit_test(claims_need_suites),
        cmocka_unit_test(pairs_of_one_name_are_averaged),
        cmocka_unit_test(suites_left_out_leave_no_gap),
        cmocka_unit_test(an_arm_that_never_ran_is_shown_as_not_available),
        cmocka_unit_test(wrong_contrasts_are_refused_with_place_and_cause),
        cmocka_unit_test(the_view_says_what_the_contrasts_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
