/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages word by word, small cases worked out by hand, limits, long traces, random texts. Random formulas
 * against the definition are in naive_temporal.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "messages.h"

#include <corridor/temporal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"alarm", "inside", "door.open", NULL};

static struct cor_temporal *parsed(const char *text) {
    struct cor_temporal *formula;
    struct cor_error error = COR_NO_ERROR;
    if (cor_temporal_parse(text, names, NULL, &formula, &error) != COR_OK)
        fail_msg("%s: %s", text, error.cause);
    return formula;
}

static struct cor_temporal_watch *watching(const struct cor_temporal *formula) {
    struct cor_temporal_watch *watch;
    assert_int_equal(cor_temporal_watch_create(formula, &watch, NULL), COR_OK);
    return watch;
}

static uint8_t value_of(char letter) {
    return letter == 'h' ? COR_TEMPORAL_HOLDS : letter == 'v' ? COR_TEMPORAL_VIOLATED : COR_TEMPORAL_UNKNOWN;
}

/* A state of which every condition is the same. */
static void step_all(struct cor_temporal_watch *watch, char letter) {
    const uint8_t value = value_of(letter);
    struct cor_error error = COR_NO_ERROR;
    if (cor_temporal_step(watch, (const uint8_t[]){value, value, value}, &error) != COR_OK)
        fail_msg("%s", error.cause);
}

/* By hand: the verdict after 0, 1, .. states, and the deciding state. */
struct by_hand {
    const char *text, *alarm, *inside, *verdicts;
    uint64_t decided_at;
};

#define OPEN COR_TEMPORAL_OPEN

static const struct by_hand cases[] = {
    /* The trace of no states. */
    {"alarm", "", "", "v", OPEN},
    {"not alarm", "", "", "h", OPEN},
    {"true", "", "", "h", OPEN},
    {"next alarm", "", "", "v", OPEN},
    {"weak_next alarm", "", "", "h", OPEN},
    {"always alarm", "", "", "h", OPEN},
    {"eventually alarm", "", "", "v", OPEN},
    {"alarm until inside", "", "", "v", OPEN},
    {"alarm weak_until inside", "", "", "h", OPEN},
    {"once alarm", "", "", "v", OPEN},
    {"historically alarm", "", "", "h", OPEN},
    {"previous alarm", "", "", "v", OPEN},
    {"alarm since inside", "", "", "v", OPEN},
    /* One state, and more. */
    {"true", "v", "v", "hh", 0},
    {"alarm", "h", "v", "vh", 0},
    {"alarm", "u", "v", "vu", 0},
    {"next alarm", "vh", "vv", "vvh", 1},
    {"next alarm", "h", "v", "vv", OPEN},
    {"next not alarm", "h", "v", "vv", OPEN},
    {"weak_next alarm", "h", "v", "hh", OPEN},
    {"weak_next alarm", "hv", "vv", "hhv", 1},
    {"always alarm", "hhvh", "vvvv", "hhhvv", 2},
    {"always alarm", "hhuh", "vvvv", "hhhuu", OPEN},
    {"eventually alarm", "vvh", "vvv", "vvvh", 2},
    {"alarm until inside", "hhv", "vvh", "vvvh", 2},
    {"alarm until inside", "hv", "vv", "vvv", 1},
    {"alarm weak_until inside", "hhh", "vvv", "hhhh", OPEN},
    {"alarm weak_until inside", "hv", "vv", "hhv", 1},
    {"alarm weak_until[0, 1] inside", "hh", "vv", "hhh", 1},
    {"eventually[1, 2] alarm", "hvv", "vvv", "vvvv", 2},
    {"eventually[1, 2] alarm", "hvh", "vvv", "vvvh", 2},
    {"always[1, 2] alarm", "vhh", "vvv", "hhhh", 2},
    {"always[1, 2] alarm", "vh", "vv", "hhh", OPEN},
    {"next[1, 2] alarm", "vhh", "vvv", "vvvh", 2},
    {"next[1, 2] alarm", "vh", "vv", "vvv", OPEN},
    {"next[1, 2] alarm", "vv", "vv", "vvv", 1},
    {"always (alarm implies eventually[0, 3] inside)", "hvvvv", "vvvvv", "hvvvvv", 3},
    {"always (alarm implies eventually[0, 3] inside)", "hvvvv", "vvvhv", "hvvvhh", OPEN},
    {"always (alarm implies eventually inside)", "hvvvvhv", "vvvvhvv", "hvvvvhvv", OPEN},
    /* The past. */
    {"previous alarm", "h", "v", "vv", 0},
    {"eventually (inside and previous alarm)", "hvh", "hhv", "vvhh", 1},
    {"always (inside implies once alarm)", "vhv", "vvh", "hhhh", 1},
    {"always (inside implies once[1, 1] alarm)", "vhvv", "vvhh", "hhhhv", 3},
    {"always (inside implies historically[0, 1] alarm)", "hhv", "hhh", "hhhv", 2},
    {"eventually (inside and previous[1, 2] alarm)", "hhv", "vhh", "vvvh", 2},
    {"always (inside implies (not alarm since door.open))", "vv", "hh", "hvv", 0},
    /* What lies behind the past may still come. */
    {"eventually (inside and historically eventually alarm)", "vvh", "hvv", "vvvh", 2},
    /* Nothing can come any more, though no condition says so by itself. */
    {"eventually (alarm and next false)", "hv", "vv", "vvv", 0},
    {"always eventually false", "h", "v", "hv", 0},
    {"eventually always true", "h", "v", "vh", 0},
    {"(always alarm) or eventually not alarm", "hv", "vv", "hhh", 1},
    /* Three values: an excluded middle is unknown where its condition is. */
    {"alarm or not alarm", "u", "v", "hu", 0},
    {"alarm and not inside", "u", "u", "vu", 0},
    {"inside and alarm", "u", "v", "vv", 0},
    {"next alarm or next not alarm", "hu", "vv", "vvu", 1},
};

static void small_cases_by_hand(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct by_hand *c = &cases[i];
        struct cor_temporal *formula = parsed(c->text);
        struct cor_temporal_watch *watch = watching(formula);
        char verdicts[16] = {cor_temporal_word(cor_temporal_verdict(watch))[0]};
        for (size_t at = 0; c->alarm[at]; at++) {
            const uint8_t state[] = {value_of(c->alarm[at]), value_of(c->inside[at]), COR_TEMPORAL_VIOLATED};
            assert_int_equal(cor_temporal_step(watch, state, NULL), COR_OK);
            verdicts[at + 1] = cor_temporal_word(cor_temporal_verdict(watch))[0];
        }
        if (strcmp(verdicts, c->verdicts) != 0 || cor_temporal_decided_at(watch) != c->decided_at)
            fail_msg("%s: alarm %s, inside %s: %s, decided at %lld", c->text, c->alarm, c->inside, verdicts,
                     (long long)cor_temporal_decided_at(watch));
        cor_temporal_watch_destroy(watch);
        cor_temporal_destroy(formula);
    }
}

/* Pairs of texts that mean the same: precedences, spellings, directions. */
static const char *const equal[][2] = {
    {"always alarm and inside", "(always alarm) and inside"},
    {"not alarm until inside", "(not alarm) until inside"},
    {"eventually alarm until inside", "(eventually alarm) until inside"},
    {"alarm until inside and door.open", "(alarm until inside) and door.open"},
    {"alarm until inside until door.open", "alarm until (inside until door.open)"},
    {"alarm since inside until door.open", "alarm since (inside until door.open)"},
    {"alarm or inside and door.open", "alarm or (inside and door.open)"},
    {"alarm implies inside implies door.open", "alarm implies (inside implies door.open)"},
    {"alarm || inside && !door.open", "alarm or (inside and (not door.open))"},
    {"! ! alarm", "alarm"},
    {"next[1,1] alarm", "next alarm"},
    {"weak_next alarm", "not next not alarm"},
    {"always[2, 4] alarm", "not eventually[2, 4] not alarm"},
    {"alarm\n\tuntil [0,\n 3]\r\ninside", "alarm until[0, 3] inside"},
};

static uint32_t drawn(uint64_t *seed, uint32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*seed >> 33) % below);
}

static void spellings_mean_the_same(void **unused) {
    (void)unused;
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
        struct cor_temporal *formulas[2];
        struct cor_temporal_watch *watches[2];
        for (int side = 0; side < 2; side++) {
            formulas[side] = parsed(equal[i][side]);
            watches[side] = watching(formulas[side]);
        }
        for (int trace = 0; trace < 100; trace++) {
            for (int at = 0; at < 8; at++) {
                const uint8_t state[] = {(uint8_t)drawn(&seed, 3), (uint8_t)drawn(&seed, 3),
                                         (uint8_t)drawn(&seed, 3)};
                for (int side = 0; side < 2; side++)
                    assert_int_equal(cor_temporal_step(watches[side], state, NULL), COR_OK);
                if (cor_temporal_verdict(watches[0]) != cor_temporal_verdict(watches[1]) ||
                    cor_temporal_decided_at(watches[0]) != cor_temporal_decided_at(watches[1]))
                    fail_msg("%s", equal[i][0]);
            }
            for (int side = 0; side < 2; side++)
                cor_temporal_restart(watches[side]);
        }
        for (int side = 0; side < 2; side++) {
            cor_temporal_watch_destroy(watches[side]);
            cor_temporal_destroy(formulas[side]);
        }
    }
}

/* Refused, with these words. */
static void assert_refused(const char *text, const char *place, const char *message) {
    struct cor_temporal *formula;
    struct cor_error error = COR_NO_ERROR;
    char said[4096] = "";
    assert_int_equal(cor_temporal_parse(text, names, place, &formula, &error), COR_STATUS_INPUT);
    assert_null(formula);
    cor_error_text(&error, said, sizeof said);
    assert_string_equal(said, message);
}

static void messages_word_by_word(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        assert_refused(messages[i][0], NULL, messages[i][1]);
    assert_refused("alrm", "f.corridor: /formulas/a",
                   "f.corridor: /formulas/a: column 1 of \"alrm\": there is no condition \"alrm\"\n"
                   "  did you mean \"alarm\"? known: alarm, inside, door.open");
    struct cor_temporal *formula;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_temporal_parse("p", (const char *const[]){NULL}, NULL, &formula, &error),
                     COR_STATUS_INPUT);
    assert_string_equal(error.cause, "column 1 of \"p\": there is no condition \"p\"");
    assert_string_equal(error.remedy, "");
}

/* `text` with `count` copies of `before` in front and of `behind` behind it. */
static char *wrapped(const char *before, const char *text, const char *behind, size_t count) {
    char *made = calloc(count * (strlen(before) + strlen(behind)) + strlen(text) + 1, 1), *end = made;
    for (size_t i = 0; i < count; i++)
        end += sprintf(end, "%s", before);
    end += sprintf(end, "%s", text);
    for (size_t i = 0; i < count; i++)
        end += sprintf(end, "%s", behind);
    return made;
}

/* The largest that is read, and what is said of one more. */
static void assert_limit(const char *before, const char *text, const char *behind, size_t most,
                         const char *said) {
    char *fits = wrapped(before, text, behind, most), *more = wrapped(before, text, behind, most + 1);
    struct cor_temporal *formula = parsed(fits);
    struct cor_temporal_watch *watch = watching(formula);
    step_all(watch, 'h');
    cor_temporal_watch_destroy(watch);
    cor_temporal_destroy(formula);
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_temporal_parse(more, names, NULL, &formula, &error), COR_STATUS_INPUT);
    if (!strstr(error.cause, said) || !error.remedy[0])
        fail_msg("%s (%s)", error.cause, error.remedy);
    free(fits);
    free(more);
}

static void limits_are_said(void **unused) {
    (void)unused;
    assert_limit("(", "alarm", ")", COR_TEMPORAL_DEPTH_MAX - 1, "nested more than 200 deep");
    assert_limit("not ", "alarm", "", COR_TEMPORAL_DEPTH_MAX - 1, "nested more than 200 deep");
    assert_limit("next ", "alarm", "", COR_TEMPORAL_DEPTH_MAX - 1, "nested more than 200 deep");
    assert_limit("alarm until ", "alarm", "", COR_TEMPORAL_DEPTH_MAX - 1, "nested more than 200 deep");
    assert_limit("alarm and ", "true", "", 499, "more than 1000 names and operators");
    assert_limit("eventually[0, 1000] ", "alarm", "", 4,
                 "the bounds of the formula reach over 5000 states in sum; at most 4000 can be followed");
    assert_limit("", "alarm", " ", COR_TEMPORAL_BYTES_MAX - 5, "the formula has 65537 bytes; at most 65536");
    char text[1024] = "", letters[65][4];
    const char *many[66] = {NULL};
    for (int i = 0; i < 65; i++) {
        snprintf(letters[i], sizeof letters[i], "c%d", i);
        many[i] = letters[i];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " and " : "", letters[i]);
    }
    struct cor_temporal *formula;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_temporal_parse(text, many, NULL, &formula, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "the formula names more than 64 different conditions");
    /* All 64, each with a bit of its own. */
    *strstr(text, " and c64") = '\0';
    uint8_t state[65];
    memset(state, COR_TEMPORAL_HOLDS, sizeof state);
    assert_int_equal(cor_temporal_parse(text, many, NULL, &formula, &error), COR_OK);
    struct cor_temporal_watch *watch = watching(formula);
    for (int i = -1; i < 64; i++) {
        cor_temporal_restart(watch);
        if (i >= 0)
            state[i] = COR_TEMPORAL_VIOLATED;
        assert_int_equal(cor_temporal_step(watch, state, NULL), COR_OK);
        assert_int_equal(cor_temporal_verdict(watch), i < 0 ? COR_TEMPORAL_HOLDS : COR_TEMPORAL_VIOLATED);
        state[i < 0 ? 0 : i] = COR_TEMPORAL_HOLDS;
    }
    cor_temporal_watch_destroy(watch);
    cor_temporal_destroy(formula);
}

/* 2^15 pasts, and as many futures: more than is kept, so that much is forgotten on the way. */
static void what_is_forgotten_is_learnt_again(void **unused) {
    (void)unused;
    enum { STATES = 60000, BACK = 15 };
    struct cor_temporal *past =
        parsed("always (alarm implies (previous[15, 15] alarm or not previous[15, 15] true "
               "or door.open))");
    struct cor_temporal *future = parsed("always (inside implies weak_next[15, 15] inside)");
    struct cor_temporal_watch *watches[2] = {watching(past), watching(future)};
    static uint8_t trace[STATES + 1][3];
    uint64_t seed = 7;
    for (int at = 0; at < STATES; at++) {
        trace[at][0] = (uint8_t)(drawn(&seed, 4) > 0);
        trace[at][1] =
            (uint8_t)(at < BACK ? drawn(&seed, 2) : trace[at - BACK][1] | (drawn(&seed, 200) == 0));
        trace[at][2] = at < BACK || trace[at - BACK][0] ? (uint8_t)drawn(&seed, 2) : COR_TEMPORAL_HOLDS;
    }
    for (int at = 0; at < STATES; at++)
        for (int side = 0; side < 2; side++) {
            assert_int_equal(cor_temporal_step(watches[side], trace[at], NULL), COR_OK);
            assert_int_equal(cor_temporal_verdict(watches[side]), COR_TEMPORAL_HOLDS);
            assert_true(cor_temporal_decided_at(watches[side]) == COR_TEMPORAL_OPEN);
        }
    /* One state that breaks either is seen, at once. */
    trace[STATES][0] = COR_TEMPORAL_HOLDS;
    trace[STATES][1] = !trace[STATES - BACK][1];
    trace[STATES][2] = COR_TEMPORAL_VIOLATED;
    for (int side = 0; side < 2; side++) {
        const bool breaks = side == 0 ? !trace[STATES - BACK][0] : trace[STATES - BACK][1];
        assert_int_equal(cor_temporal_step(watches[side], trace[STATES], NULL), COR_OK);
        assert_int_equal(cor_temporal_verdict(watches[side]),
                         breaks ? COR_TEMPORAL_VIOLATED : COR_TEMPORAL_HOLDS);
        assert_true(cor_temporal_decided_at(watches[side]) ==
                    (breaks ? (uint64_t)STATES : COR_TEMPORAL_OPEN));
    }
    cor_temporal_watch_destroy(watches[0]);
    cor_temporal_watch_destroy(watches[1]);
    cor_temporal_destroy(past);
    cor_temporal_destroy(future);
}

/* Bounds of a thousand, counted exactly. */
static void far_bounds(void **unused) {
    (void)unused;
    struct cor_temporal *formula = parsed("always (alarm implies eventually[10, 1000] inside)");
    struct cor_temporal_watch *watch = watching(formula);
    const uint8_t alarm[] = {1, 0, 0}, inside[] = {0, 1, 0}, nothing[] = {0, 0, 0};
    for (int at = 0; at < 2500; at++)
        assert_int_equal(cor_temporal_step(watch,
                                           at == 700 || at == 1600 ? alarm
                                           : at == 1700            ? inside
                                                                   : nothing,
                                           NULL),
                         COR_OK);
    /* 1700 is the last that helps the first alarm; the second is met by it, too. */
    assert_int_equal(cor_temporal_verdict(watch), COR_TEMPORAL_HOLDS);
    cor_temporal_restart(watch);
    for (int at = 0; at < 2500; at++)
        assert_int_equal(cor_temporal_step(watch,
                                           at == 699    ? alarm
                                           : at == 1700 ? inside
                                                        : nothing,
                                           NULL),
                         COR_OK);
    assert_int_equal(cor_temporal_verdict(watch), COR_TEMPORAL_VIOLATED);
    assert_true(cor_temporal_decided_at(watch) == 1699);
    cor_temporal_watch_destroy(watch);
    cor_temporal_destroy(formula);
}

/* An alarm in each state, and never back: of all that is owed the oldest implies the rest, so that a step
 * costs no more for a bound of a thousand. Where the trace ends before, nobody is accused. */
static void many_alarms_at_once(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "always (alarm implies (eventually[0, 1000] inside or not next[1000, 1000] true))",
        "always (alarm implies not (not inside until[1000, 1000] not inside))"};
    const uint8_t alarm[] = {1, 0, 0}, both[] = {1, 1, 0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct cor_temporal *formula = parsed(texts[i]);
        struct cor_temporal_watch *watch = watching(formula);
        for (int at = 0; at <= 3000; at++) {
            assert_int_equal(cor_temporal_step(watch, at == 900 ? both : alarm, NULL), COR_OK);
            assert_int_equal(cor_temporal_verdict(watch),
                             at < 1901 ? COR_TEMPORAL_HOLDS : COR_TEMPORAL_VIOLATED);
        }
        assert_true(cor_temporal_decided_at(watch) == 1901);
        cor_temporal_watch_destroy(watch);
        cor_temporal_destroy(formula);
    }
}

/* Texts made of pieces of the language, and of anything: none crashes, none takes long; what is read can be
 * followed, or is refused in words. */
static void random_texts(void **unused) {
    (void)unused;
    static const char *const pieces[] = {"always ", "eventually", "next ",      "weak_next ", "historically ",
                                         "once",    "previous ",  "[0, 3] ",    "[2,7]",      "[1, 900] ",
                                         "alarm ",  "inside ",    "door.open ", "until",      "weak_until ",
                                         "since ",  "and ",       "or ",        "implies ",   "not ",
                                         "!",       "(",          "(",          ")",          ")",
                                         "true ",   "false ",     "&&",         "||",         " ",
                                         "[",       ",",          "]",          "7",          "\n",
                                         "alrm",    "\xc3\xa9",   ".",          "-",          "'"};
    enum { PIECES = sizeof pieces / sizeof *pieces };
    uint64_t seed = 3;
    unsigned read = 0;
    for (int round = 0; round < 100000; round++) {
        char text[512] = "";
        const uint32_t length = 1 + drawn(&seed, 2 + (uint32_t)round % 23),
                       kinds = drawn(&seed, 3) ? 29 : PIECES;
        for (uint32_t i = 0; i < length; i++)
            strcat(text, pieces[drawn(&seed, kinds)]);
        struct cor_temporal *formula;
        struct cor_error error = COR_NO_ERROR;
        if (cor_temporal_parse(text, names, NULL, &formula, &error) != COR_OK) {
            assert_true(error.status == COR_STATUS_INPUT && error.cause[0]);
            continue;
        }
        struct cor_temporal_watch *watch = watching(formula);
        for (int at = 0; at < 4; at++) {
            const uint8_t state[] = {(uint8_t)drawn(&seed, 3), (uint8_t)drawn(&seed, 3),
                                     (uint8_t)drawn(&seed, 3)};
            assert_int_equal(cor_temporal_step(watch, state, &error), COR_OK);
        }
        cor_temporal_watch_destroy(watch);
        cor_temporal_destroy(formula);
        read++;
    }
    assert_in_range(read, 1000, 99000);
}

/* By hand: how far it is after a trace of states in which alarm is 2 off, inside 5, their denials 3 and 7. */
static void distances_by_hand(void **state) {
    static const struct {
        const char *text, *alarm, *inside;
        uint32_t left, states;
        double degree;
    } rows[] = {
        {"eventually alarm", "", "", 9, 1, 2},
        {"eventually alarm", "v", "v", 9, 1, 2},
        {"eventually alarm", "h", "v", 9, 0, 0},
        {"eventually alarm", "v", "v", 0, COR_TEMPORAL_NEVER, 0},
        {"eventually (alarm and inside)", "v", "v", 9, 1, 7},
        {"eventually (alarm or not inside)", "v", "h", 9, 1, 2},
        {"eventually not (alarm or inside)", "h", "h", 9, 1, 10},
        {"eventually (alarm and next[1, 4] alarm)", "v", "v", 9, 5, 4},
        {"eventually (alarm and next[1, 4] alarm)", "h", "v", 9, 4, 2},
        {"eventually (alarm and next[1, 4] alarm)", "hhh", "vvv", 9, 2, 2},
        {"eventually (alarm and next[1, 4] alarm)", "hhh", "vvv", 2, 2, 2},
        {"eventually (alarm and next[1, 4] alarm)", "hhh", "vvv", 1, COR_TEMPORAL_NEVER, 0},
        {"eventually (alarm and next[1, 4] alarm)", "hhv", "vvv", 4, COR_TEMPORAL_NEVER, 0},
        {"eventually (alarm and next[1, 4] alarm)", "hhv", "vvv", 5, 5, 4},
        {"not always (alarm implies eventually[0, 3] inside)", "v", "h", 9, 4, 9},
        {"not always (alarm implies eventually[0, 3] inside)", "h", "v", 9, 3, 7},
        {"not always (alarm implies eventually[0, 3] inside)", "hvv", "vvv", 9, 1, 7},
        {"always inside", "v", "h", 9, 9, 5},
        {"always inside", "v", "v", 9, COR_TEMPORAL_NEVER, 0},
        {"always[0, 3] inside", "v", "h", 9, 3, 5},
        {"alarm until[2, 4] inside", "h", "v", 9, 2, 7},
        {"alarm until[2, 4] inside", "hh", "vv", 9, 1, 5},
        {"eventually (inside and once alarm)", "v", "v", 9, 1, 7},
        {"eventually (inside and once alarm)", "h", "v", 9, 1, 5},
        {"eventually (inside and previous alarm)", "h", "v", 9, 1, 5},
        {"eventually (inside and historically alarm)", "h", "v", 9, 1, 7},
        {"eventually (inside and historically alarm)", "v", "v", 9, COR_TEMPORAL_NEVER, 0},
    };
    static const struct cor_temporal_degrees degrees[] = {{2, 3}, {5, 7}, {0, 0}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct cor_temporal *formula = parsed(rows[r].text);
        struct cor_temporal_watch *watch = watching(formula);
        struct cor_temporal_distance distance;
        for (size_t i = 0; rows[r].alarm[i]; i++)
            assert_int_equal(
                cor_temporal_step(watch,
                                  (const uint8_t[]){value_of(rows[r].alarm[i]), value_of(rows[r].inside[i]),
                                                    COR_TEMPORAL_VIOLATED},
                                  NULL),
                COR_OK);
        assert_int_equal(cor_temporal_distance(watch, degrees, rows[r].left, &distance, NULL), COR_OK);
        if (distance.states != rows[r].states || fabs(distance.degree - rows[r].degree) > 0)
            fail_msg("%s after %s, %s: %u states, %g", rows[r].text, rows[r].alarm, rows[r].inside,
                     distance.states, distance.degree);
        cor_temporal_watch_destroy(watch);
        cor_temporal_destroy(formula);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(small_cases_by_hand),
        cmocka_unit_test(spellings_mean_the_same),
        cmocka_unit_test(messages_word_by_word),
        cmocka_unit_test(limits_are_said),
        cmocka_unit_test(what_is_forgotten_is_learnt_again),
        cmocka_unit_test(far_bounds),
        cmocka_unit_test(many_alarms_at_once),
        cmocka_unit_test(random_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
