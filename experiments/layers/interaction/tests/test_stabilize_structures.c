/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts from any structure: each comes once, by its number; draws are uniform; how many agents are wrong is
 * what trying all of them says; weathers; and what comes of runs whose end is known beforehand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "require.h"

#include <corridor/stabilize_structures.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = COR_STABILIZE_AGENTS_MAX, MOST = 20000 };

static char folder[] = "/tmp/corridor_structures_XXXXXX";
static char path[64];

/* Lamps and fans under a sky, of which two states act alike; what is said beside that, and of the arm. */
static struct cor_experiment *experiment_of(uint32_t agents, const char *model, const char *others,
                                            const char *arm) {
    struct cor_experiment *experiment;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(
        out,
        "{\"corridor_experiment\": 1, \"name\": \"t\", \"seed\": \"0x5\", \"suites\": 1, \"sequences\": 1, "
        "\"cases\": 3, \"model\": {\"corridor_model\": 1, \"agents\": %u, \"groups\": {\"count\": %u}, "
        "\"environments\": {\"sky\": {\"scope\": \"all\", \"profile\": {\"states\": [\"dark\", \"dim\", "
        "\"bright\"], \"transitions\": {\"dark\": {\"dim\": 1}, \"dim\": {\"bright\": 1}, \"bright\": "
        "{\"dark\": 1}}}}}, \"types\": {\"lamp\": {\"count\": %u, \"environment\": \"sky\", \"relevant\": "
        "{\"night\": [\"dark\", \"dim\"], \"day\": [\"bright\"]}, \"states\": {\"on\": 0.9, \"off\": 0.1}, "
        "\"influence\": {\"night\": \"on\", \"day\": \"off\"}}, \"fan\": {\"environment\": \"sky\", "
        "\"states\": {\"on\": 0.6, \"off\": 0.3}, \"influence\": {\"dark\": \"off\", \"dim\": \"off\", "
        "\"bright\": \"on\"}}}%s}, %s \"arms\": [{\"name\": \"A\", %s}]}",
        agents, agents, (agents + 1) / 2, model, others, arm);
    assert_int_equal(fclose(out), 0);
    REQUIRE(cor_experiment_read(path, &experiment, &said));
    return experiment;
}

#define MODEL ", \"invariant\": {\"threshold\": 0.2}"
#define EXACT "\"algorithm\": \"exact\", \"parameters\": {\"budget\": 100000}"

static struct cor_starts *starts_of(const struct cor_experiment *experiment,
                                    struct cor_structures_asked *asked) {
    struct cor_starts *starts;
    REQUIRE(cor_structures_asked_read(experiment, asked, &said));
    REQUIRE(cor_starts_create(experiment, 0, 0, 0, asked, &starts, &said));
    return starts;
}

/* The structure as a number that is the same for the same partitions, whatever their labels. */
static uint64_t canonical(const uint8_t *label, uint32_t agents) {
    uint64_t code = 0;
    for (uint32_t i = 0; i < agents; i++) {
        uint32_t first = 0;
        while (label[first] != label[i])
            first++;
        code = code * N + first;
    }
    return code;
}

static int compare_codes(const void *one, const void *other) {
    const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

static size_t sort_unique(uint64_t *codes, size_t count) {
    size_t kept = 0;
    qsort(codes, count, sizeof *codes, compare_codes);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || codes[i] != codes[i - 1])
            codes[kept++] = codes[i];
    return kept;
}

static void each_structure_comes_once(void **state) {
    static const uint64_t bell[] = {1, 1, 2, 5, 15, 52, 203};
    static uint64_t all[50000], mine[MOST];
    (void)state;
    for (uint32_t n = 2; n <= 6; n++) {
        struct cor_structures_asked asked;
        struct cor_experiment *experiment = experiment_of(n, MODEL, "", EXACT);
        struct cor_starts *starts = starts_of(experiment, &asked);
        const struct cor_starts_size size = cor_starts_size(starts);
        /* All labellings, n to the power of n. */
        size_t count = 1, found;
        for (uint32_t i = 0; i < n; i++)
            count *= n;
        for (size_t k = 0; k < count; k++) {
            uint8_t label[N];
            size_t rest = k;
            for (uint32_t i = 0; i < n; i++, rest /= n)
                label[i] = (uint8_t)(rest % n);
            all[k] = canonical(label, n);
        }
        found = sort_unique(all, count);
        assert_int_equal(found, bell[n]);
        assert_int_equal(size.structures, bell[n]);
        assert_int_equal(size.weathers, 2); /* dark and dim are one */
        assert_true(size.numbers == 2.0 * (double)bell[n]);
        for (uint64_t w = 0; w < 2; w++) {
            for (uint64_t k = 0; k < bell[n]; k++) {
                struct cor_structure_start start;
                assert_true(cor_starts_at(starts, w * bell[n] + k, &start));
                assert_int_equal(start.weather, w);
                uint32_t used = 0; /* new partitions come in order */
                for (uint32_t i = 0; i < n; i++) {
                    assert_true(start.label[i] <= used);
                    used += start.label[i] == used;
                }
                mine[k] = canonical(start.label, n);
            }
            assert_int_equal(sort_unique(mine, bell[n]), bell[n]);
            assert_memory_equal(mine, all, bell[n] * sizeof *mine);
        }
        cor_starts_destroy(starts);
        cor_experiment_destroy(experiment);
    }
}

/* What may have been kept is a digit of the number, and each of it is drawn as often. */
static void what_is_kept_comes_all(void **state) {
    static const char *const arms[] = {EXACT, "\"algorithm\": \"spada\"",
                                       "\"algorithm\": \"spada\", \"parameters\": {\"graph_kept\": 1}"};
    struct cor_structures_asked asked;
    (void)state;
    for (size_t a = 0; a < sizeof arms / sizeof *arms; a++) {
        struct cor_experiment *experiment =
            experiment_of(5, MODEL, "\"stabilize\": {\"corrupt\": {\"kept\": \"mixed\"}},", arms[a]);
        struct cor_starts *starts = starts_of(experiment, &asked);
        const struct cor_starts_size size = cor_starts_size(starts);
        uint32_t seen[64] = {0}, least = UINT32_MAX, most = 0;
        struct cor_structure_start start;
        assert_true(size.kept <= 33 && (a == 2) == (size.kept > 2)); /* of the others nothing is kept */
        assert_true(size.numbers == 2.0 * 52 * size.kept);
        for (uint64_t k = 0; k < (uint64_t)size.numbers; k++) {
            assert_true(cor_starts_at(starts, k, &start));
            assert_int_equal(start.kept, k / 104);
        }
        for (uint32_t k = 0; k < 3300; k++) {
            REQUIRE(cor_starts_draw(starts, k, &start, &said));
            seen[start.kept]++;
        }
        for (uint32_t k = 0; k < size.kept; k++) {
            least = seen[k] < least ? seen[k] : least;
            most = seen[k] > most ? seen[k] : most;
        }
        assert_true(most - least <= 3300 / size.kept); /* far beyond what chance does */
        cor_starts_destroy(starts);
        cor_experiment_destroy(experiment);
    }
}

static void states_and_values_come_all(void **state) {
    static uint64_t codes[MOST];
    struct cor_structures_asked asked;
    (void)state;
    struct cor_experiment *experiment =
        experiment_of(3, MODEL, "\"stabilize\": {\"corrupt\": {\"values\": true}},", EXACT);
    struct cor_starts *starts = starts_of(experiment, &asked);
    const size_t count = (size_t)5 * 2 * 64;
    assert_true(cor_starts_size(starts).numbers == (double)count);
    for (size_t k = 0; k < count; k++) {
        struct cor_structure_start start;
        assert_true(cor_starts_at(starts, k, &start));
        codes[k] = canonical(start.label, 3) * 2 + start.weather;
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(start.state[i] < 2 && start.level[i] < 2);
            codes[k] = codes[k] * 4 + start.state[i] * 2u + start.level[i];
        }
    }
    assert_int_equal(sort_unique(codes, count), count);
    cor_starts_destroy(starts);
    cor_experiment_destroy(experiment);
}

/* Do two structures agree on the agents that are not in the set? */
static bool agree_without(const uint8_t *one, const uint8_t *other, uint32_t agents, uint32_t set) {
    for (uint32_t i = 0; i < agents; i++)
        for (uint32_t j = 0; j < i; j++)
            if (!(set >> i & 1) && !(set >> j & 1) && (one[i] == one[j]) != (other[i] == other[j]))
                return false;
    return true;
}

static void as_many_are_wrong_as_trying_all_says(void **state) {
    struct cor_structures_asked asked;
    (void)state;
    struct cor_experiment *experiment = experiment_of(6, MODEL, "", EXACT);
    struct cor_starts *starts = starts_of(experiment, &asked);
    struct cor_structure_start start, right = {0};
    uint32_t rights = 0, few = 0;
    for (uint64_t k = 0; k < 203; k++) {
        assert_true(cor_starts_at(starts, k, &start));
        if (cor_starts_wrong(starts, &start) == 0) {
            right = start;
            rights++;
        }
    }
    assert_int_equal(rights, 1);
    for (uint64_t k = 0; k < 203; k++) {
        uint32_t least = 6;
        assert_true(cor_starts_at(starts, k, &start));
        for (uint32_t set = 0; set < 64; set++)
            if (agree_without(start.label, right.label, 6, set)) {
                const uint32_t size = (uint32_t)__builtin_popcount(set);
                least = size < least ? size : least;
            }
        assert_int_equal(cor_starts_wrong(starts, &start), least);
        few += least <= 1;
    }
    cor_starts_destroy(starts);
    asked.wrong = 1;
    REQUIRE(cor_starts_create(experiment, 0, 0, 0, &asked, &starts, &said));
    for (uint64_t k = 0; k < 203; k++)
        few -= cor_starts_at(starts, k, &start);
    assert_int_equal(few, 0);
    for (uint32_t k = 0; k < 200; k++) {
        REQUIRE(cor_starts_draw(starts, k, &start, &said));
        assert_true(cor_starts_wrong(starts, &start) <= 1);
    }
    cor_starts_destroy(starts);
    cor_experiment_destroy(experiment);
}

/* 30 classes; 55.8 is the quantile 0.002 of chi-square with 29 degrees of freedom, and the draws are always
 * the same. */
static void draws_are_uniform(void **state) {
    enum { DRAWS = 15000 };
    struct cor_structures_asked asked;
    struct cor_structure_start start, known;
    uint32_t hits[30] = {0};
    double sum = 0;
    (void)state;
    struct cor_experiment *experiment = experiment_of(4, MODEL, "", EXACT);
    struct cor_starts *starts = starts_of(experiment, &asked);
    for (uint32_t k = 0; k < DRAWS; k++) {
        REQUIRE(cor_starts_draw(starts, k, &start, &said));
        uint32_t at = 0;
        for (; at < 30; at++) {
            assert_true(cor_starts_at(starts, at, &known));
            if (known.weather == start.weather && memcmp(known.label, start.label, 4) == 0)
                break;
        }
        assert_true(at < 30);
        hits[at]++;
    }
    for (uint32_t at = 0; at < 30; at++)
        sum += (hits[at] - DRAWS / 30.0) * (hits[at] - DRAWS / 30.0) / (DRAWS / 30.0);
    assert_true(sum < 55.8);
    cor_starts_destroy(starts);
    cor_experiment_destroy(experiment);
}

/* Runs from all starts; how many of each end, and of the first one that is not quiet its outcome. */
static struct cor_structure_outcome ends_of(const char *model, const char *others, const char *arm,
                                            uint32_t *ends, uint32_t *aside) {
    static struct cor_structure_run runs[MOST];
    static struct cor_structure_outcome outcomes[MOST], again[MOST];
    struct cor_structures_asked asked;
    struct cor_structure_outcome first = {.back = 0};
    struct cor_experiment *experiment = experiment_of(4, model, others, arm);
    struct cor_starts *starts = starts_of(experiment, &asked);
    const struct cor_starts_size size = cor_starts_size(starts);
    struct cor_starts_work work = {.runs = runs, .jobs = 1, .goes_exactly = true};
    memset(ends, 0, (COR_STARTED_UNKNOWN + 1) * sizeof *ends);
    for (uint64_t k = 0; k < (uint64_t)size.numbers; k++)
        work.count += cor_starts_at(starts, k, &runs[work.count].start);
    REQUIRE(cor_starts_run(starts, &work, outcomes, &said));
    work.jobs = 3;
    REQUIRE(cor_starts_run(starts, &work, again, &said));
    assert_memory_equal(outcomes, again, work.count * sizeof *outcomes);
    for (size_t i = work.count; i-- > 0;) {
        ends[outcomes[i].end]++;
        first = outcomes[i].was_quiet ? first : outcomes[i];
    }
    *aside = size.set_aside;
    cor_starts_destroy(starts);
    cor_experiment_destroy(experiment);
    return first;
}

static void ends_are_those_that_are_known_beforehand(void **state) {
    uint32_t ends[COR_STARTED_UNKNOWN + 1], aside;
    struct cor_structure_outcome first;
    (void)state;
    /* What finds the best structure is back in the first case, whose alarm calls it. */
    first = ends_of(MODEL, "", EXACT, ends, &aside);
    assert_int_equal(ends[COR_STARTED_BACK], 30);
    assert_int_equal(first.back, 1);
    assert_false(first.drew);
    assert_int_equal(aside, 0);
    /* Called two cases later it is just in time, four cases later too late. */
    first = ends_of(MODEL, "", EXACT ", \"activation_delay\": 2", ends, &aside);
    assert_int_equal(ends[COR_STARTED_BACK], 30);
    assert_int_equal(first.back, 3);
    first = ends_of(MODEL, "", EXACT ", \"activation_delay\": 4", ends, &aside);
    assert_true(ends[COR_STARTED_LATE] > 0 && ends[COR_STARTED_LATE] + ends[COR_STARTED_BACK] == 30);
    assert_int_equal(first.end, COR_STARTED_LATE);
    assert_int_equal(first.back, 5);
    /* Where the monitor waits for longer than the run is, it is late there, and no sleep. */
    first = ends_of(MODEL, "", EXACT ", \"monitor\": {\"fault\": \"late\", \"delay\": 30}", ends, &aside);
    assert_int_equal(first.end, COR_STARTED_OUT);
    assert_int_equal(ends[COR_STARTED_SLEEPS], 0);
    /* Nobody is called by what has no trigger. */
    first = ends_of("",
                    "\"corridor\": [\"structure partitioning\", \"trigger some: count(organizations) >= 1\", "
                    "\"invariant two: count(organizations) == 2\"],",
                    EXACT, ends, &aside);
    assert_int_equal(first.end, COR_STARTED_SLEEPS);
    assert_int_equal(ends[COR_STARTED_SLEEPS], 2 * (15 - 7)); /* 7 structures of 4 agents have 2 partitions */
    assert_int_equal(ends[COR_STARTED_BACK], 2 * 7);
    /* In a weather in which nothing is inside nothing is asked: alone each is, together they differ. */
    first =
        ends_of(", \"structure\": {\"size_min\": 1, \"size_max\": 1, \"count_min\": 4, \"count_max\": 4}, "
                "\"invariant\": {\"threshold\": 0.55}",
                "", EXACT, ends, &aside);
    assert_int_equal(aside, 1);
    (void)first;
}

static void values_that_move_leave_it_again(void **state) {
    uint32_t ends[COR_STARTED_UNKNOWN + 1], aside;
    (void)state;
    /* What fits values that are wrong need not fit those to which they go, slowly. */
    const struct cor_structure_outcome first =
        ends_of(", \"inertia\": [0.2, 0.2], \"structure\": {\"size_min\": 1, \"size_max\": 3, "
                "\"count_min\": 2, \"count_max\": 3}" MODEL,
                "\"stabilize\": {\"corrupt\": {\"structure\": \"own\", \"values\": true}, \"within\": "
                "{\"cases\": 1}, \"stays\": 30},",
                EXACT, ends, &aside);
    (void)first;
    assert_true(ends[COR_STARTED_BACK] > 0 && ends[COR_STARTED_LEFT] + ends[COR_STARTED_RANG] > 0);
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/e.json", folder);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_structure_comes_once),
        cmocka_unit_test(states_and_values_come_all),
        cmocka_unit_test(what_is_kept_comes_all),
        cmocka_unit_test(as_many_are_wrong_as_trying_all_says),
        cmocka_unit_test(draws_are_uniform),
        cmocka_unit_test(ends_are_those_that_are_known_beforehand),
        cmocka_unit_test(values_that_move_leave_it_again),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
