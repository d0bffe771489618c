/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties asked of rows made by hand, whose answers are read off them. */
#include <corridor/property.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* a: an alarm that nothing answers; r: one that a reorganization answers; f: one that it answers in vain; b:
 * one whose structure is no partitioning, though what the monitor measures is low; e: either answer is right;
 * .: quiet. Of a corridor as a text also i: an invariant is violated without an alarm; u: one is unknown; t:
 * what is said of time is violated. */
struct sequence {
    struct cor_case_row cases[16];
    struct cor_reorganization_row reorganizations[16];
    struct cor_case_tables rows;
    struct cor_constraint_row constraints[16];
    struct cor_violation_row violations[16];
};

static void make(struct sequence *s, const char *letters) {
    *s = (struct sequence){0};
    s->rows.has_text = strpbrk(letters, "iut") != NULL;
    for (uint32_t i = 0; letters[i]; i++) {
        const char letter = letters[i];
        s->cases[i] =
            (struct cor_case_row){.case_ = i + 1,
                                  .alarm = strchr("arfb", letter) != NULL,
                                  .reorganized = strchr("rfb", letter) != NULL,
                                  .inside = strchr(".iut", letter) ? COR_INSIDE_INSIDE
                                            : letter == 'e'        ? COR_INSIDE_EDGE
                                                                   : COR_INSIDE_OUTSIDE,
                                  .gray = letter == 'f' ? COR_VERDICT_FAILED : COR_VERDICT_NOT_JUDGED,
                                  .dissimilarity = (float)i / 4};
        s->rows.case_count++;
        if (s->cases[i].reorganized)
            s->reorganizations[s->rows.reorganization_count++] = (struct cor_reorganization_row){
                .case_ = i + 1,
                .moved = 10 * (i + 1),
                .gray = s->cases[i].gray,
                .black = letter == 'b' ? COR_VERDICT_FAILED : COR_VERDICT_PASSED,
                .dissimilarity_after = 0.5,
                .inside_after = letter == 'f' ? COR_INSIDE_OUTSIDE : COR_INSIDE_INSIDE};
        if (letter == 'i' || letter == 'u' || (letter == 'a' && s->rows.has_text))
            s->constraints[s->rows.constraint_count++] = (struct cor_constraint_row){
                .case_ = i + 1,
                .box = COR_BOX_DETECT,
                .verdict = letter == 'u' ? COR_VERDICT_UNDECIDED : COR_VERDICT_FAILED};
        if (letter == 't')
            s->violations[s->rows.violation_count++] =
                (struct cor_violation_row){.case_ = i + 1, .box = COR_BOX_TIME, .check = COR_CHECK_FORMULA};
    }
    s->rows.cases = s->cases;
    s->rows.reorganizations = s->reorganizations;
    s->rows.constraints = s->constraints;
    s->rows.violations = s->violations;
}

/* `smoke` NULL: nothing ended the sequence. */
static struct cor_property_value ask_cut(const char *text, const char *letters,
                                         const struct cor_violation_row *smoke) {
    struct cor_property *property;
    struct cor_property_value value;
    struct cor_error error = {0};
    struct sequence sequence;
    make(&sequence, letters);
    if (smoke) {
        sequence.rows.violations = smoke;
        sequence.rows.violation_count = 1;
    }
    if (cor_property_parse(text, NULL, &property, &error) != COR_OK)
        fail_msg("%s", error.cause);
    assert_int_equal(cor_property_ask(property, &sequence.rows, &value, &error), COR_OK);
    cor_property_destroy(property);
    return value;
}

static struct cor_property_value ask(const char *text, const char *letters) {
    return ask_cut(text, letters, NULL);
}

static void test_formulas(void **state) {
    (void)state;
    static const struct {
        const char *text, *letters;
        double value;
        uint32_t decided;
    } rows[] = {
        {"P >= 0.9 [ always (alarm implies eventually[0, 1] inside) ]", "..r.", 1, 0},
        {"P >= 0.9 [ always (alarm implies eventually[0, 1] inside) ]", ".fr.", 1, 0},
        {"P >= 0.9 [ always (alarm implies eventually[0, 1] inside) ]", ".ffr", 0, 3},
        {"P >= 0.9 [ always (alarm implies eventually[0, 1] inside) ]", "..f", 0, 0},
        {"P [ eventually failed ]", "..f.", 1, 3},
        {"P [ eventually gray = 'failed' ]", "..r.", 0, 0},
        {"P [ eventually moved > 25 ]", ".rr", 1, 3},
        {"P [ eventually moved > 30 ]", ".rr", 0, 0},
        {"P [ always (moved > 25 or not moved >= 10) ]", ".", 1, 0},
        {"P [ always (dissimilarity <= 0.5 and inside) ]", "...", 1, 0},
        {"P [ always (dissimilarity <= 0.5 and inside) ]", "....", 0, 4},
        {"P [ eventually dissimilarity_after < 1 ]", "..", NAN, 0},
        {"P [ next[2, 2] case = 3 ]", "...", 1, 3},
        {"P [ always inside ]", ".e.", 1, 0},
        {"P [ eventually not inside ]", ".e.a", 1, 4},
        {"P [ always inside ]", ".b", 0, 2},
        {"P [ always inside ]", "..i.", 0, 3},
        {"P [ always inside ]", ".u.", NAN, 0},
        {"P [ always inside ]", ".ui", 0, 3},
        {"P [ always inside ]", "t.r", 1, 0},
        {"P [ eventually (not inside and not alarm) ]", "ai", 1, 2},
        {"P [ eventually failed ]", ".i.", 0, 0},
        {"P [ eventually failed ]", ".it", 1, 3},
        {"P[moved>5&&!failed or alarm]", "r", 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cor_property_value value = ask(rows[i].text, rows[i].letters);
        if (isnan(rows[i].value) != isnan(value.value) ||
            (!isnan(value.value) && value.value != rows[i].value) || value.decided != rows[i].decided)
            fail_msg("%s of %s: %g, decided %u", rows[i].text, rows[i].letters, value.value, value.decided);
    }
}

/* A mechanism works behind the last case, a monitor fails in it: what was open by then is not known. */
static void test_cut(void **state) {
    (void)state;
    static const struct {
        const char *text, *letters;
        double by_mechanism, by_monitor;
    } rows[] = {
        {"P [ always not alarm ]", "...", NAN, NAN}, {"P [ always not alarm ]", "..a", 0, NAN},
        {"P [ always not alarm ]", ".a.", 0, 0},     {"P [ eventually failed ]", "...", NAN, NAN},
        {"P [ eventually failed ]", ".f.", 1, 1},    {"E [ sum moved ]", ".r.", NAN, NAN},
        {"E [ max moved ]", ".r.", NAN, NAN},        {"E [ moved at 2 ]", ".r.", 20, 20},
        {"E [ moved at 3 ]", "..r", 30, NAN},        {"S [ dissimilarity ]", "...", NAN, NAN},
    };
    for (size_t i = 0; i < 2 * (sizeof rows / sizeof *rows); i++) {
        const bool is_monitor = i % 2 != 0;
        const double expected = is_monitor ? rows[i / 2].by_monitor : rows[i / 2].by_mechanism;
        struct cor_violation_row smoke = {
            .case_ = 3, .check = is_monitor ? COR_CHECK_MONITOR_SMOKE : COR_CHECK_MECHANISM_SMOKE};
        const double value = ask_cut(rows[i / 2].text, rows[i / 2].letters, &smoke).value;
        if (isnan(expected) != isnan(value) || (!isnan(value) && value != expected))
            fail_msg("%s of %s: %g", rows[i / 2].text, rows[i / 2].letters, value);
    }
}

static void test_amounts(void **state) {
    (void)state;
    static const struct {
        const char *text, *letters;
        double value;
    } rows[] = {
        {"E <= 40 [ moved ]", ".r.r", 15},
        {"E <= 40 [ sum moved ]", ".r.r", 60},
        {"E [ max moved ]", ".r.r", 40},
        {"E [ min moved ]", ".r.r", 0},
        {"E [ moved at 2 ]", ".r.r", 20},
        {"E [ moved at 5 ]", ".r.r", NAN},
        {"E [ sum dissimilarity_after ]", "rr", 1},
        {"E [ sum dissimilarity_after ]", "r.", NAN},
        {"Q 0.9 <= 3 [ sum (2 * moved + 1) ]", "r.", 22},
        {"E [ sum alarm ]", ".r.a", 2},
        {"S <= 1 [ dissimilarity ]", "...", 0.25},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double value = ask(rows[i].text, rows[i].letters).value;
        if (isnan(rows[i].value) != isnan(value) || (!isnan(value) && fabs(value - rows[i].value) > 1e-12))
            fail_msg("%s of %s: %g", rows[i].text, rows[i].letters, value);
    }
}

/* What a sequence of at most 8 cases, of 5 agents, can say. */
static void test_ranges(void **state) {
    (void)state;
    static const struct cor_property_limits limits = {8, 5};
    static const struct {
        const char *text;
        double low, high;
    } rows[] = {
        {"P [ eventually alarm ]", 0, 1},
        {"E [ alarm ]", 0, 1},
        {"E [ sum alarm ]", 0, 8},
        {"E [ sum (3 - alarm) ]", 2, 24}, /* of one case to 8 */
        {"E [ sum (alarm - 2) ]", -16, -1},
        {"E [ max (2 * inside - failed) ]", -1, 2},
        {"E [ reorganized at 3 ]", 0, 1},
        {"E [ case ]", 1, 8},
        {"E [ sum moved ]", 0, 40},
        {"Q 0.9 [ min moved ]", 0, 5},
        {"S [ moved - alarm ]", -1, 5},
        {"E [ sum min(messages, 10) ]", 0, 80},
        {"E [ sum adoption_fault ]", 0, 8 * 255},
        {"E [ alarm / 4 ]", 0, 0},
        {"E [ alarm / 4.0 ]", 0, 0.25},
        {"E [ abs(alarm - moved) * 0.5 ]", 0, 2.5},
        {"E [ moved / case ]", 0, 5},
        {"E [ moved / alarm ]", -INFINITY, INFINITY},
        {"E [ moved % 3 ]", 0, 2},
        {"E [ sum messages ]", 0, INFINITY},
        {"E [ 0 * messages ]", 0, 0},
        {"E [ max dissimilarity ]", -INFINITY, INFINITY},
        {"E [ messages - messages_lost ]", -INFINITY, INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cor_property *property;
        assert_int_equal(cor_property_parse(rows[i].text, NULL, &property, NULL), COR_OK);
        const struct cor_real_range range = cor_property_range(property, &limits);
        if (range.low != rows[i].low || range.high != rows[i].high)
            fail_msg("%s: %g .. %g", rows[i].text, range.low, range.high);
        cor_property_destroy(property);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *cause, *remedy;
    } rows[] = {
        {"", "column 1 of \"\": expected P, E, Q or S", "P >= 0.99"},
        {"Pr >= 0.9 [ alarm ]", "expected P, E, Q or S", "P >= 0.99"},
        {"P >= 1.1 [ alarm ]", "column 6 of \"P >= 1.1 [ alarm ]\": the probability lies between 0 and 1",
         ""},
        {"P >= 90% [ alarm ]",
         "column 8 of \"P >= 90% [ alarm ]\": the probability is a number without \"%\"",
         "write 0.9 for 90 %"},
        {"P >= 99.9 % [ alarm ]", "the probability is a number without \"%\"", "write 0.999 for 99.9 %"},
        {"P >= 90 [ alarm ]", "the probability lies between 0 and 1", "write 0.9 for 90 %"},
        {"Q 95% [ moved ]", "the share of the quantile is a number without \"%\"", "write 0.95 for 95 %"},
        {"E <= 40% [ moved ]", "the bound is a number without \"%\"", "write 0.4 for 40 %"},
        {"P = 0.9 [ alarm ]", "expected \"[\"", "P >= 0.99"},
        {"P >= [ alarm ]", "expected the probability", ""},
        {"P [ alarm", "expected \"]\" at the end", ""},
        {"P [ ]", "there is nothing between the brackets", ""},
        {"P [ eventually alram ]", "there is no condition \"alram\"", "alarm"},
        {"P [ eventually moved ]", "\"moved\" is a number, not a condition", "compare it: moved > 3"},
        {"P [ eventually gray ]", "\"gray\" is a word, not a condition", "gray = 'failed'"},
        {"P [ eventually mvoed > 3 ]", "mvoed", "moved"},
        {"P [ eventually gray = 'fialed' ]", "fialed", ""},
        {"P [ eventually (alarm ]", "expected an operator or \")\", found the end", ""},
        {"P [ true ]", "\"true\" is satisfied before the first case", "say what a case has to show"},
        {"P [ alarm and false ]", "\"alarm and false\" is violated before the first case", ""},
        {"Q [ moved ]", "expected the share of the quantile", ""},
        {"Q 1 [ moved ]", "a quantile's share lies between 0 and 1 (exclusive)", ""},
        {"E <= 4 [ alarm implies inside ]", "", ""},
        {"E [ moved at x ]", "expected a case behind \"at\"", "from 1"},
        {"S [ max moved ]", "what holds in the long run is a mean over cases", "S <= 0.2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cor_property *property;
        struct cor_error error = {0};
        if (cor_property_parse(rows[i].text, "--question", &property, &error) != COR_STATUS_INPUT)
            fail_msg("%s is taken", rows[i].text);
        assert_null(property);
        if (!strstr(error.cause, rows[i].cause) || !strstr(error.remedy, rows[i].remedy))
            fail_msg("%s: %s: %s", rows[i].text, error.cause, error.remedy);
    }
}

/* Takes the cases of a sequence. */
static void take(struct cor_property *property, const struct sequence *s, size_t count) {
    struct cor_case_cursor cursor = {0};
    for (size_t c = 0; c < count; c++) {
        const struct cor_case_rows of_case = cor_case_at(&s->rows, c, &cursor);
        assert_int_equal(cor_property_take(property, &of_case, NULL), COR_OK);
    }
}

/* How far it is after cases of make(): the measure is 0.25 greater in each, from 0, and 0.5 behind a
 * reorganization; the threshold is 0.625. */
static void test_distances(void **state) {
    (void)state;
    static const struct {
        const char *text, *letters;
        uint32_t left, cases;
        double degree;
    } rows[] = {
        {"P [ eventually dissimilarity > 1.5 ]", "...", 9, 1, 1 + 0x1p-20},
        {"P [ eventually dissimilarity >= 1.5 ]", "...", 9, 1, 1},
        {"P [ eventually moved >= 37 ]", ".rr", 9, 1, 7},
        {"P [ eventually (moved >= 37 and dissimilarity >= 1) ]", ".rr", 9, 1, 7.5},
        {"P [ eventually alarm ]", "..", 9, 1, 0.375},
        {"P [ eventually not alarm ]", "...a", 9, 0, 0},
        {"P [ eventually not (alarm or case = 1) ]", "a", 9, 1, 0.625 + 1},
        {"P [ eventually not inside ]", "..", 9, 1, 0.375},
        {"P [ eventually (not inside and case > 9) ]", ".r", 9, 1, 0.125 + 8},
        {"P [ eventually failed ]", "..", 9, 1, 1},
        {"P [ eventually gray = 'failed' ]", "..", 9, 1, 1},
        {"P [ eventually dissimilarity_after > 3 ]", "..", 9, 1, INFINITY},
        {"P [ eventually (reorganized and next[1, 3] reorganized) ]", ".rr", 9, 2, 0},
        {"P [ eventually (reorganized and next[1, 3] reorganized) ]", ".r.", 9, 4, 2},
        {"P [ eventually (reorganized and next[1, 3] reorganized) ]", ".rr", 1, COR_PROPERTY_NEVER, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct cor_property *property;
        struct cor_property_distance distance;
        struct sequence s;
        make(&s, rows[i].letters);
        assert_int_equal(cor_property_parse(rows[i].text, NULL, &property, NULL), COR_OK);
        assert_int_equal(cor_property_begin(property, NULL), COR_OK);
        take(property, &s, s.rows.case_count);
        const size_t last = s.rows.case_count - 1;
        const double found = (double)s.cases[last].dissimilarity;
        const struct cor_property_measures measures = {found, s.cases[last].reorganized ? 0.5 : found, 0.625};
        assert_int_equal(cor_property_distance(property, &measures, rows[i].left, &distance, NULL), COR_OK);
        if (distance.cases != rows[i].cases ||
            (distance.degree != rows[i].degree && fabs(distance.degree - rows[i].degree) > 1e-12))
            fail_msg("%s of %s: %u cases, %.9g", rows[i].text, rows[i].letters, distance.cases,
                     distance.degree);
        cor_property_destroy(property);
    }
}

/* What was taken of a sequence, taken once more, leads on as it did. */
static void test_sequences_part(void **state) {
    (void)state;
    static const char *const formulas[] = {"P [ eventually (alarm and next[1, 2] alarm) ]",
                                           "P [ always (alarm implies eventually[0, 1] inside) ]",
                                           "P [ eventually (moved > 25 and previous alarm) ]"};
    static const char *const whole[] = {".frr.", "a.aaa", "rrr..", ".fff.", "..r.r"};
    for (size_t f = 0; f < sizeof formulas / sizeof *formulas; f++)
        for (size_t w = 0; w < sizeof whole / sizeof *whole; w++) {
            struct cor_property *property;
            struct sequence s, other;
            uint8_t kept[3][128];
            make(&s, whole[w]);
            make(&other, "aaaaa");
            assert_int_equal(cor_property_parse(formulas[f], NULL, &property, NULL), COR_OK);
            assert_int_equal(cor_property_begin(property, NULL), COR_OK);
            assert_in_range(cor_property_width(property), 1, sizeof kept[0]);
            for (size_t c = 0; c < 3; c++) {
                cor_property_restart(property);
                take(property, &s, c + 1);
                memcpy(kept[c], cor_property_taken(property), cor_property_width(property));
            }
            cor_property_restart(property);
            take(property, &other, 5);
            cor_property_restart(property);
            for (size_t c = 0; c < 3; c++)
                assert_int_equal(cor_property_retake(property, kept[c], NULL), COR_OK);
            struct cor_case_cursor cursor = {0};
            for (size_t c = 0; c < 5; c++) {
                const struct cor_case_rows of_case = cor_case_at(&s.rows, c, &cursor);
                if (c >= 3)
                    assert_int_equal(cor_property_take(property, &of_case, NULL), COR_OK);
            }
            const struct cor_property_value now = cor_property_now(property),
                                            at_once = ask(formulas[f], whole[w]);
            assert_true(now.value == at_once.value && now.decided == at_once.decided);
            cor_property_destroy(property);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances), cmocka_unit_test(test_sequences_part),
        cmocka_unit_test(test_formulas),  cmocka_unit_test(test_cut),
        cmocka_unit_test(test_amounts),   cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
