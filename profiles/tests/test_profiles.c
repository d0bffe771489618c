/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/influence.h>
#include <corridor/profile.h>
#include <corridor/walk.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX };

static struct cor_rng stream(uint32_t entity) {
    return cor_rng_named(&(struct cor_stream_name){.seed = 3, .purpose = COR_PURPOSE_TEST, .entity = entity});
}

static struct cor_profile *profile_of(uint32_t count, const double *probability, const double *start) {
    struct cor_profile *profile;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_profile_create("test", count, NULL, probability, start, &profile, &error), COR_OK);
    return profile;
}

static struct cor_profile *profile_of_text(const char *text) {
    struct cor_json_document *document;
    struct cor_profile *profile;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_json_parse(text, "text", &document, &error), COR_OK);
    struct cor_json root = cor_json_root(document);
    assert_int_equal(cor_profile_from_json(&root, "unnamed", &profile, &error), COR_OK);
    cor_json_destroy(document);
    return profile;
}

static struct cor_profile *random_profile(uint32_t states, uint32_t entity) {
    struct cor_profile_law law = {.states = states, .degree_min = 0.1, .power = 3, .ring = 0.05};
    struct cor_rng rng = stream(entity);
    struct cor_profile *profile;
    assert_int_equal(cor_profile_random(&law, "random", &rng, &profile, NULL), COR_OK);
    return profile;
}

/* The least u whose product u * n reaches `bound`. */
static uint64_t first_draw(uint64_t bound, uint32_t n) {
    return (bound + n - 1) / n;
}

/* How many of the 2^32 draws give each state, counted from the cells alone. */
static void count_draws(const struct cor_alias_cell *row, uint32_t n, uint64_t *draws) {
    memset(draws, 0, n * sizeof *draws);
    for (uint32_t c = 0; c < n; c++) {
        uint64_t base = (uint64_t)c << 32, end = first_draw(base + (UINT64_C(1) << 32), n);
        uint64_t kept = row[c].alias == c ? end : first_draw(base + row[c].threshold, n);
        draws[c] += kept - first_draw(base, n);
        draws[row[c].alias] += end - kept;
    }
}

static void assert_exact(const double *law, uint32_t n) {
    static double rows[MOST * MOST];
    struct cor_profile *profile;
    uint64_t draws[MOST], all = 0;
    for (uint32_t i = 0; i < n; i++)
        memcpy(rows + (size_t)i * n, law, n * sizeof *law);
    assert_int_equal(cor_profile_create("p", n, NULL, rows, law, &profile, NULL), COR_OK);
    count_draws(profile->alias + (size_t)n * (n - 1), n, draws);
    for (uint32_t i = 0; i < n; i++) {
        double off = fabs((double)draws[i] - law[i] * 4294967296.0);
        assert_true(off <= (double)n);
        assert_true(law[i] > 0.0 || draws[i] == 0);
        all += draws[i];
    }
    assert_true(all == UINT64_C(1) << 32);
    cor_profile_destroy(profile);
}

static void alias_tables_hold_the_law(void **state) {
    (void)state;
    struct cor_rng rng = stream(0);
    for (uint32_t n = 1; n <= MOST; n++) {
        for (int kind = 0; kind < 4; kind++) { /* equal, uniform, skewed, with holes */
            double law[MOST], sum = 0.0;
            for (uint32_t i = 0; i < n; i++) {
                double u = 1.0 - cor_rng_unit(&rng), v = cor_rng_unit(&rng);
                law[i] = kind == 0 ? 1.0 : kind == 1 ? u : u * u * u * u * u * u * u * u;
                if (kind == 3 && i > 0 && v < 0.7)
                    law[i] = 0.0;
                sum += law[i];
            }
            for (uint32_t i = 0; i < n; i++)
                law[i] /= sum;
            assert_exact(law, n);
        }
    }
    double certain[3] = {0.0, 1.0, 0.0};
    assert_exact(certain, 3);
    double nearly[3] = {1e-300, 0.5, 0.5};
    assert_exact(nearly, 3);
}

/* The draws next to every border between two outcomes, where the tables alone say what must come. */
static void the_tables_decide_draws_at_the_borders(void **state) {
    (void)state;
    const double probability[9] = {0.0, 1.0, 0.0, 0.5, 0.25, 0.25, 0.1, 0.0, 0.9};
    struct cor_profile *profile = profile_of(3, probability, NULL);
    for (uint32_t from = 0; from < 4; from++) {
        for (uint32_t c = 0; c < 3; c++) {
            const struct cor_alias_cell *cell = &profile->alias[from * 3 + c];
            uint64_t base = (uint64_t)c << 32, first = first_draw(base, 3),
                     end = first_draw(base + (UINT64_C(1) << 32), 3);
            uint64_t kept = cell->alias == c ? end : first_draw(base + cell->threshold, 3);
            const uint64_t draws[4] = {first, kept - 1, kept, end - 1};
            for (int k = 0; k < 4; k++)
                if (draws[k] >= first && draws[k] < end)
                    assert_int_equal(cor_profile_next(profile, from, (uint32_t)draws[k]),
                                     draws[k] < kept ? c : cell->alias);
        }
    }
    assert_int_equal(cor_profile_next(profile, 0, 0), 1); /* what is impossible never comes */
    cor_profile_destroy(profile);
}

static void draws_follow_the_law(void **state) {
    (void)state;
    enum { DRAWS = 200000, N = 7 };
    double law[N] = {0.4, 0.25, 0.15, 0.1, 0.06, 0.03, 0.01}, chi_square = 0.0, same[N * N];
    uint32_t count[N] = {0};
    for (uint32_t i = 0; i < N; i++)
        memcpy(same + i * N, law, sizeof law);
    struct cor_profile *profile = profile_of(N, same, law);
    struct cor_rng rng = stream(1);
    for (uint32_t i = 0; i < DRAWS; i++) {
        uint64_t word = cor_rng_word(&rng);
        count[cor_profile_next(profile, i % (N + 1), (uint32_t)word)]++;
    }
    for (uint32_t i = 0; i < N; i++)
        chi_square += (count[i] - DRAWS * law[i]) * (count[i] - DRAWS * law[i]) / (DRAWS * law[i]);
    assert_true(gsl_cdf_chisq_Q(chi_square, N - 1) > 1e-3);
    cor_profile_destroy(profile);
}

static void the_stationary_law_of_two_states_is_exact(void **state) {
    (void)state;
    const double leave[][2] = {{0.2, 0.3}, {1.0, 1.0}, {0.5, 1e-12}, {1e-9, 1e-15}};
    for (size_t k = 0; k < sizeof leave / sizeof *leave; k++) {
        double a = leave[k][0], b = leave[k][1], law[2];
        const double probability[4] = {1.0 - a, a, b, 1.0 - b};
        struct cor_profile *profile = profile_of(2, probability, NULL);
        assert_int_equal(cor_profile_stationary(profile, law, NULL), COR_OK);
        assert_true(fabs(law[0] / (b / (a + b)) - 1.0) < 1e-14); /* relative: rare states are right, too */
        assert_true(fabs(law[1] / (a / (a + b)) - 1.0) < 1e-14);
        assert_true(fabs(profile->start[0] - law[0]) == 0.0);
        cor_profile_destroy(profile);
    }
}

/* Power iteration of the lazy chain (stay with 1/2), which has no period, from the first state, or a uniform
 * start. */
static void iterate(const struct cor_profile *profile, const double *start, double *law) {
    double next[MOST];
    uint32_t n = profile->state_count;
    for (uint32_t i = 0; i < n; i++)
        law[i] = start ? start[i] : 1.0 / n;
    for (int step = 0; step < 3000; step++) {
        for (uint32_t j = 0; j < n; j++) {
            next[j] = 0.5 * law[j];
            for (uint32_t i = 0; i < n; i++)
                next[j] += 0.5 * law[i] * profile->probability[i * n + j];
        }
        memcpy(law, next, n * sizeof *law);
    }
}

static void assert_long_run(struct cor_profile *profile, const double *start) {
    double law[MOST], expected[MOST], sum = 0.0;
    assert_int_equal(cor_profile_stationary(profile, law, NULL), COR_OK);
    iterate(profile, start, expected);
    for (uint32_t i = 0; i < profile->state_count; i++) {
        assert_true(fabs(law[i] - expected[i]) < 1e-10);
        sum += law[i];
    }
    assert_true(fabs(sum - 1.0) < 1e-14);
    cor_profile_destroy(profile);
}

static void assert_stationary(struct cor_profile *profile) {
    assert_long_run(profile, NULL);
}

static void the_stationary_law_is_that_of_iteration(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= MOST; n = n * 3 / 2 + 1)
        assert_stationary(random_profile(n, n));
    assert_stationary(random_profile(MOST, 9));
    const double periodic[9] = {0, 1, 0, 0.5, 0, 0.5, 0, 1, 0};
    assert_stationary(profile_of(3, periodic, NULL));
    /* States 0 and 3 are passed through; {1, 4} and {2} are closed. */
    const double several[25] = {0.1, 0.3, 0.2, 0.4, 0,   0,   0.6, 0, 0,   0.4, 0, 0,  1,
                                0,   0,   0.5, 0.1, 0.2, 0.1, 0.1, 0, 0.7, 0,   0, 0.3};
    assert_stationary(profile_of(5, several, NULL));
    const double starts[][5] = {{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}, {0.5, 0, 0.125, 0.25, 0.125}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        assert_long_run(profile_of(5, several, starts[i]), starts[i]);
    const double one[1] = {1};
    assert_stationary(profile_of(1, one, NULL));
}

static void assert_refused(uint32_t count, const char *const *states, const double *probability,
                           const double *start, const char *message) {
    struct cor_profile *profile;
    struct cor_error error = COR_NO_ERROR;
    char text[2048];
    assert_int_equal(cor_profile_create("p", count, states, probability, start, &profile, &error),
                     COR_STATUS_INPUT);
    assert_null(profile);
    cor_error_text(&error, text, sizeof text);
    assert_string_equal(text, message);
}

static void bad_profiles_are_refused(void **state) {
    (void)state;
    const double good[4] = {0.5, 0.5, 1, 0}, short_row[4] = {0.5, 0.4, 1, 0}, negative[4] = {1.5, -0.5, 1, 0},
                 no_number[4] = {NAN, 1, 1, 0}, bad_start[2] = {0.5, 0.6};
    const char *const twice[] = {"a", "a"}, *const empty[] = {"a", ""},
                      *const reserved[] = {"stationary", "b"};
    assert_refused(0, NULL, good, NULL, "p: its number of states is out of range\n  use 1 .. 64 states");
    assert_refused(65, NULL, good, NULL, "p: its number of states is out of range\n  use 1 .. 64 states");
    assert_refused(2, NULL, short_row, NULL,
                   "p: the probabilities from \"s0\" sum to 0.9\n  probabilities sum to 1 (within 1e-9)");
    assert_refused(2, NULL, negative, NULL,
                   "p: probability 0 from \"s0\" is 1.5\n  a probability lies between 0 and 1");
    assert_refused(2, NULL, no_number, NULL,
                   "p: probability 0 from \"s0\" is nan\n  a probability lies between 0 and 1");
    assert_refused(
        2, NULL, good, bad_start,
        "p: the probabilities of the first state sum to 1.1\n  probabilities sum to 1 (within 1e-9)");
    assert_refused(2, twice, good, NULL,
                   "p: two states are called \"a\"\n  give each state a name of its own");
    assert_refused(2, empty, good, NULL,
                   "p: state 1 cannot be called \"\"\n  a state needs a name of at least one character");
    assert_refused(2, reserved, good, NULL,
                   "p: state 0 cannot be called \"stationary\"\n  \"stationary\" is the word for the "
                   "stationary law; call "
                   "the state otherwise");
}

static void profiles_are_read_from_json(void **state) {
    (void)state;
    struct cor_profile *profile = profile_of_text(
        "{\"name\": \"wind\", \"description\": \"x\", \"source\": {}, \"states\": [\"calm\", \"windy\"], "
        "\"start\": \"windy\","
        "\"transitions\": {\"windy\": {\"calm\": 0.25, \"windy\": 0.75}, \"calm\": {\"calm\": 1}}}");
    const double probability[4] = {1, 0, 0.25, 0.75};
    assert_string_equal(profile->name, "wind");
    assert_memory_equal(profile->probability, probability, sizeof probability);
    assert_true(profile->start[1] >= 1.0);
    assert_int_equal(cor_profile_arcs(profile), 3);
    assert_int_equal(cor_profile_state(profile, "windy"), 1);
    assert_int_equal(cor_profile_state(profile, "wind"), -1);
    assert_null(profile->states[2]);
    cor_profile_destroy(profile);
    profile = profile_of_text("{\"states\": [\"a\", \"b\"], \"start\": {\"a\": 0.25, \"b\": 0.75},"
                              "\"transitions\": {\"a\": {\"b\": 1}, \"b\": {\"a\": 1}}}");
    assert_string_equal(profile->name, "unnamed");
    assert_true(fabs(profile->start[0] - 0.25) == 0.0);
    cor_profile_destroy(profile);
}

static void assert_warnings(const char *states, const char *transitions, const char *start, uint32_t count,
                            const char *message) {
    char json[1000], text[4000];
    snprintf(json, sizeof json, "{\"states\": [%s], \"transitions\": {%s}, \"start\": \"%s\"}", states,
             transitions, start);
    struct cor_profile *profile = profile_of_text(json);
    assert_int_equal(cor_profile_warnings(profile, text, sizeof text), count);
    assert_string_equal(text, message);
    assert_int_equal(cor_profile_warnings(profile, text, 20), count); /* no sentence fits: all are left out */
    assert_string_equal(text, "");
    cor_profile_destroy(profile);
}

static void warnings_say_what_they_mean(void **state) {
    (void)state;
    assert_warnings("\"a\", \"b\"", "\"a\": {\"a\": 0.5, \"b\": 0.5}, \"b\": {\"a\": 1}", "a", 0, "");
    assert_warnings("\"a\"", "\"a\": {\"a\": 1}", "a", 1,
                    "state \"a\" is the only one: the environment never changes.");
    assert_warnings("\"a\", \"b\"", "\"a\": {\"b\": 1}, \"b\": {\"a\": 1}", "a", 1,
                    "states \"a\" and \"b\" form a class of period 2: at a given case only a part of them is "
                    "possible, depending "
                    "on the first state, so shares at one case of many sequences differ from the shares in "
                    "the long run.");
    assert_warnings(
        "\"a\", \"b\", \"c\"", "\"a\": {\"a\": 1}, \"b\": {\"a\": 1}, \"c\": {\"b\": 1}", "b", 2,
        "state \"c\" cannot be reached from the start: no test case will ever show it, and the coverage of "
        "states "
        "and transitions stays below 100 %.\n"
        "state \"a\" is absorbing: a sequence that enters it sees no change of the environment any more.");
    assert_warnings("\"a\", \"b\", \"c\"",
                    "\"a\": {\"b\": 0.5, \"c\": 0.5}, \"b\": {\"b\": 0.5, \"c\": 0.5}, \"c\": {\"b\": 1}",
                    "a", 1,
                    "states \"b\" and \"c\" form a closed class: a sequence that enters it never sees the "
                    "other states again, "
                    "which so occur only early in a sequence.");
}

static size_t occurrences(const char *text, const char *of) {
    size_t count = 0;
    for (const char *at = strstr(text, of); at; at = strstr(at + 1, of))
        count++;
    return count;
}

static void profiles_are_shown(void **state) {
    (void)state;
    struct cor_profile *profile = profile_of_text(
        "{\"name\": \"p\", \"states\": [\"a\\\"b\", \"c\"], \"transitions\": {\"a\\\"b\": {\"c\": 1}, \"c\": "
        "{\"c\": 0.75, \"a\\\"b\": 0.25}}}");
    char *dot = cor_profile_dot(profile, NULL), *text = cor_profile_text(profile, SIZE_MAX, NULL);
    assert_int_equal(occurrences(dot, " -> "), cor_profile_arcs(profile));
    assert_non_null(strstr(dot, "s0 [label=\"a\\\"b\\n20.0 %\""));
    assert_non_null(strstr(dot, "s1 -> s0 [label=\"0.25\""));
    assert_string_equal(text, "profile p: 2 states, 3 transitions\n\n"
                              "state   share   start   mean stay   next\n"
                              "a\"b     20.00%  20.00%           1   c 1\n"
                              "c       80.00%  80.00%           4   c 0.75, a\"b 0.25\n");
    free(dot);
    free(text);
    cor_profile_destroy(profile);
}

/* The states of a picture in their order, whatever they are called. */
static void pictures_keep_the_order_of_states(void **state) {
    (void)state;
    struct cor_profile *profile = profile_of_text(
        "{\"name\": \"p<1\", \"states\": [\"z\", \"m\", \"a\"], \"transitions\": {"
        "\"z\": {\"m\": 1}, \"m\": {\"z\": 0.0004, \"a\": 0.9996}, \"a\": {\"z\": 0.75, \"a\": 0.25}}}");
    char *map = cor_profile_heat_map(profile, NULL), *graph = cor_profile_dot(profile, NULL);
    const char *z = strstr(map, "right\">z<"), *m = strstr(map, "right\">m<"), *a = strstr(map, "right\">a<");
    assert_true(z && z < m && m < a);
    assert_true(strstr(map, "<td>z</td><td>m</td><td>a</td>"));
    assert_non_null(strstr(map, "p&#60;1"));
    assert_int_equal(occurrences(map, "<td bgcolor="), 9);
    assert_int_equal(occurrences(map, "<font"), 5); /* the possible ones */
    assert_true(strstr(z, "bgcolor=\"#ffffff\"></td>") < m && strstr(z, ">100</font>") < m);
    assert_true(strstr(m, ">&lt;0.1</font>") < a && strstr(m, ">100</font>") < a);
    assert_non_null(strstr(a, ">75</font>"));
    assert_non_null(strstr(graph, "s0 [label=\"z\\n30.0 %\", width=1.60, pos=\"0.00,1.70!\""));
    assert_non_null(strstr(graph, "s1 [label=\"m\\n"));
    free(map);
    free(graph);
    cor_profile_destroy(profile);
}

/* Of equally likely ones, those that come first; PRISM's labels end in the numbers of their states. */
static void equals_keep_their_places(void **state) {
    (void)state;
    struct cor_profile *profile = profile_of_text(
        "{\"name\": \"p\", \"states\": [\"a b\", \"a_b_2\", \"a_b\", \"a.b\"], \"transitions\": {"
        "\"a b\": {\"a b\": 0.25, \"a_b_2\": 0.25, \"a_b\": 0.25, \"a.b\": 0.25}, \"a_b_2\": {\"a b\": 1},"
        "\"a_b\": {\"a b\": 1}, \"a.b\": {\"a b\": 1}}}");
    char *text = cor_profile_text(profile, SIZE_MAX, NULL), *prism = cor_profile_prism(profile, NULL);
    assert_non_null(strstr(text, "a b 0.25, a_b_2 0.25, a_b 0.25, a.b 0.25\n"));
    assert_non_null(strstr(prism, "label \"a_b\" = s=0;\nlabel \"a_b_2\" = s=1;\nlabel \"a_b_66\" = s=2;\n"
                                  "label \"a_b_3\" = s=3;\n"));
    free(text);
    free(prism);
    cor_profile_destroy(profile);
    profile = profile_of_text("{\"states\": [\"a\", \"b\"], \"start\": {\"a\": 0.25, \"b\": 0.75},"
                              "\"transitions\": {\"a\": {\"b\": 1}, \"b\": {\"a\": 1}}}");
    prism = cor_profile_prism(profile, NULL);
    assert_non_null(strstr(prism, "init 2;")); /* the first state is drawn, in a state of its own */
    assert_non_null(strstr(prism, "[] s=2 -> 0.25:(s'=0) + 0.75:(s'=1);"));
    free(prism);
    cor_profile_destroy(profile);
}

static void random_profiles_obey_their_law(void **state) {
    (void)state;
    const struct cor_profile_law law = {.states = 20, .degree_min = 0.33, .power = 6, .ring = 0.125};
    struct cor_rng rng = stream(2), again = stream(2);
    double degrees = 0.0;
    uint32_t self = 0;
    for (int k = 0; k < 100; k++) {
        struct cor_profile *profile, *same;
        assert_int_equal(cor_profile_random(&law, "r", &rng, &profile, NULL), COR_OK);
        assert_int_equal(cor_profile_random(&law, "r", &again, &same, NULL), COR_OK);
        assert_memory_equal(profile->probability, same->probability, 400 * sizeof(double));
        for (uint32_t i = 0; i < 20; i++) {
            const double *row = profile->probability + i * 20;
            uint32_t degree = 0;
            for (uint32_t j = 0; j < 20; j++)
                degree += row[j] > 0.0;
            assert_in_range(degree, 7, 20); /* ceil(6.6) */
            assert_true(fabs(row[(i + 1) % 20] - 0.125) == 0.0);
            degrees += degree;
            self += row[i] > 0.0;
        }
        cor_profile_destroy(profile);
        cor_profile_destroy(same);
    }
    /* Degrees are uniform in 7 .. 20, standard deviation 4.03; an arc to itself is as likely as any other
     * of 19. */
    assert_true(fabs(degrees / 2000 - 13.5) < 4 * 4.03 / sqrt(2000));
    assert_true(fabs(self / 2000.0 - 12.5 / 19) < 4 * 0.475 / sqrt(2000));
}

static void laws_at_the_edges_are_taken_and_those_beyond_refused(void **state) {
    (void)state;
    struct cor_rng rng = stream(4);
    struct cor_profile *profile;
    const struct cor_profile_law equal = {.states = 8, .degree_min = 1.0, .power = 0, .ring = 0.3};
    assert_int_equal(cor_profile_random(&equal, "r", &rng, &profile, NULL), COR_OK);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t j = 0; j < 8; j++)
            assert_true(fabs(profile->probability[i * 8 + j] - (j == (i + 1) % 8 ? 0.3 : 0.1)) < 1e-15);
    cor_profile_destroy(profile);
    const struct cor_profile_law steep = {.states = 64, .degree_min = 0.0, .power = 16, .ring = 0.0};
    assert_int_equal(cor_profile_random(&steep, "r", &rng, &profile, NULL), COR_OK);
    cor_profile_destroy(profile);
    const struct cor_profile_law bad[] = {{.states = 1, .ring = 0.5},       {.states = 65, .ring = 0.5},
                                          {.states = 8, .degree_min = 1.1}, {.states = 8, .degree_min = NAN},
                                          {.states = 8, .power = 17},       {.states = 8, .ring = -0.1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(cor_profile_random(&bad[i], "r", &rng, &profile, NULL), COR_STATUS_INPUT);
        assert_null(profile);
    }
}

enum { CHAINS = 21, CASES = 333 };

struct scene {
    struct cor_profile *profiles[3];
    uint16_t profile_of_chain[CHAINS];
    struct cor_stream_name name;
};

static void scene_init(struct scene *scene) {
    scene->profiles[0] = random_profile(5, 50);
    scene->profiles[1] = random_profile(64, 51);
    scene->profiles[2] = random_profile(2, 52);
    for (uint32_t c = 0; c < CHAINS; c++)
        scene->profile_of_chain[c] = (uint16_t)(c * 7 % 3);
    scene->name = (struct cor_stream_name){.seed = 11, .arm = 1, .suite = 2, .sequence = 3};
}

static void scene_fini(struct scene *scene) {
    for (int i = 0; i < 3; i++)
        cor_profile_destroy(scene->profiles[i]);
}

static void walk(const struct scene *scene, uint32_t chains, uint32_t cases, const struct cor_source *source,
                 struct cor_walk *walk) {
    const struct cor_walk_definition definition = {
        .source = source,
        .profiles = (const struct cor_profile *const *)scene->profiles,
        .profile_of_chain = scene->profile_of_chain,
        .chain_count = chains,
        .case_count = cases,
        .name = scene->name,
    };
    assert_int_equal(cor_walk_begin(walk, &definition, NULL), COR_OK);
    assert_int_equal(walk->known, cases);
    assert_int_equal(walk->chain_count, chains);
    assert_int_equal(walk->case_count, cases);
}

/* The documented order of draws, done again one chain at a time. */
static void assert_walked(const struct scene *scene, const struct cor_walk *walk,
                          const struct cor_source *source) {
    for (uint32_t c = 0; c < walk->chain_count; c++) {
        const struct cor_profile *profile = scene->profiles[scene->profile_of_chain[c]];
        struct cor_stream_name name = scene->name;
        name.purpose = COR_PURPOSE_WALK;
        name.entity = c;
        struct cor_rng rng = cor_rng_named(&name);
        uint32_t now = profile->state_count;
        uint64_t word = 0;
        for (uint32_t i = 0; i < walk->case_count; i++) {
            if (i % 2 == 0)
                word = cor_rng_word(&rng);
            uint32_t bits = i % 2 == 0 ? (uint32_t)(word & UINT32_MAX) : (uint32_t)(word >> 32);
            if (source == &cor_source_uniform && i > 0)
                now = (uint32_t)((uint64_t)bits * profile->state_count / 4294967296u);
            else
                now = cor_profile_next(profile, now, bits);
            assert_int_equal(cor_walk_at(walk, i)[c], now);
        }
    }
}

static void walks_draw_as_documented(void **state) {
    (void)state;
    struct scene scene;
    struct cor_walk first;
    scene_init(&scene);
    cor_walk_init(&first);
    walk(&scene, CHAINS, CASES, &cor_source_profile, &first);
    assert_walked(&scene, &first, &cor_source_profile);
    walk(&scene, CHAINS, CASES + 1, &cor_source_uniform, &first);
    assert_walked(&scene, &first, &cor_source_uniform);
    for (uint32_t cases = 0; cases < 4; cases++) {
        walk(&scene, 9, cases, &cor_source_profile, &first);
        assert_walked(&scene, &first, &cor_source_profile);
    }
    walk(&scene, 0, 10, &cor_source_profile, &first);
    cor_walk_fini(&first);
    cor_walk_fini(&first);
    scene_fini(&scene);
}

static void chains_do_not_disturb_each_other(void **state) {
    (void)state;
    struct scene scene;
    struct cor_walk all, some;
    scene_init(&scene);
    cor_walk_init(&all);
    cor_walk_init(&some);
    walk(&scene, CHAINS, CASES, &cor_source_profile, &all);
    for (uint32_t c = 0; c < CHAINS; c++) /* every other chain gets another profile */
        if (c != 5)
            scene.profile_of_chain[c] = (uint16_t)((scene.profile_of_chain[c] + 1) % 3);
    walk(&scene, 6, CASES + 50, &cor_source_profile, &some);
    uint32_t others_equal = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        assert_int_equal(cor_walk_at(&all, i)[5], cor_walk_at(&some, i)[5]);
        others_equal += cor_walk_at(&all, i)[4] == cor_walk_at(&some, i)[4];
    }
    assert_true(others_equal < CASES);
    scene.name.sequence++;
    walk(&scene, 6, CASES, &cor_source_profile, &all);
    assert_memory_not_equal(all.states, some.states, 6 * CASES);
    cor_walk_fini(&all);
    cor_walk_fini(&some);
    scene_fini(&scene);
}

/* A source that answers to what it is told: the next state is the number of alarms so far, two cases at a
 * time. */
static enum cor_status begin_counting(struct cor_walk *walk, struct cor_error *error) {
    (void)error;
    walk->known = 0;
    memset(walk->states, 0, walk->chain_count);
    assert_int_equal(*(uint32_t *)walk->memory, 0);
    return COR_OK;
}

static enum cor_status next_counting(struct cor_walk *walk, const struct cor_observation *observed,
                                     struct cor_error *error) {
    (void)error;
    uint32_t *alarms = walk->memory;
    *alarms += observed->alarm;
    for (int i = 0; i < 2 && walk->known < walk->case_count; i++) {
        walk->known++;
        memset(walk->states + (size_t)walk->known * walk->chain_count, (int)*alarms, walk->chain_count);
    }
    return COR_OK;
}

static uint32_t walks_ended;
static void end_counting(struct cor_walk *walk) {
    walks_ended += walk->case_count;
}

static void a_source_answers_to_what_is_observed_and_is_put_back_by_copying(void **state) {
    (void)state;
    const struct cor_source counting = {.name = "counting",
                                        .memory_size = sizeof(uint32_t),
                                        .begin = begin_counting,
                                        .next = next_counting,
                                        .end = end_counting};
    const struct cor_walk_definition definition = {.source = &counting, .chain_count = 3, .case_count = 9};
    const struct cor_observation quiet = {.alarm = false}, loud = {.alarm = true};
    struct cor_walk walk, saved;
    cor_walk_init(&walk);
    cor_walk_init(&saved);
    for (int round = 0; round < 2; round++) { /* memory of the walk before is not seen */
        assert_int_equal(cor_walk_begin(&walk, &definition, NULL), COR_OK);
        assert_int_equal(walk.known, 0);
        assert_int_equal(cor_walk_reach(&walk, 1, &loud, NULL), COR_OK);
        assert_int_equal(cor_walk_reach(&walk, 2, &loud, NULL), COR_OK); /* known: nobody is asked */
        assert_int_equal(cor_walk_reach(&walk, 3, &quiet, NULL), COR_OK);
        assert_int_equal(cor_walk_copy(&saved, &walk, NULL), COR_OK);
        for (uint32_t i = 4; i <= 7; i++)
            assert_int_equal(cor_walk_reach(&walk, i, &loud, NULL), COR_OK);
        assert_int_equal(cor_walk_copy(&walk, &saved, NULL), COR_OK);
        assert_int_equal(walk.known, 4);
        assert_int_equal(walk.case_count, 9);
        for (uint32_t i = 4; i <= 5; i++)
            assert_int_equal(cor_walk_reach(&walk, i, &loud, NULL), COR_OK);
        static const uint8_t expected[] = {0, 1, 1, 1, 1, 2, 2};
        cor_walk_end(&walk);
        assert_int_equal(walk.case_count, 6);
        for (uint32_t i = 0; i <= walk.case_count; i++)
            for (uint32_t c = 0; c < 3; c++)
                assert_int_equal(cor_walk_at(&walk, i)[c], expected[i]);
    }
    assert_int_equal(walks_ended, 12);
    cor_walk_fini(&walk);
    cor_walk_fini(&saved);
}

static void a_branch_shares_its_prefix_and_then_goes_its_own_way(void **state) {
    (void)state;
    enum { PREFIX = 40 };
    struct scene scene;
    struct cor_walk parent, child, again;
    scene_init(&scene);
    cor_walk_init(&parent);
    cor_walk_init(&child);
    cor_walk_init(&again);
    walk(&scene, CHAINS, 100, &cor_source_profile, &parent);
    const struct cor_branch branch = {scene.name.sequence, PREFIX};
    struct cor_walk_definition definition = parent.definition;
    definition.name.sequence = 77;
    definition.branch = &branch;
    assert_int_equal(cor_walk_begin(&child, &definition, NULL), COR_OK);
    assert_memory_equal(child.states, parent.states, (PREFIX + 1) * CHAINS);
    assert_memory_not_equal(child.states, parent.states, 101 * CHAINS);
    definition.recorded = &parent; /* the same prefix, as it was read */
    assert_int_equal(cor_walk_begin(&again, &definition, NULL), COR_OK);
    assert_memory_equal(again.states, child.states, 101 * CHAINS);
    for (uint32_t c = 0; c < CHAINS; c++) { /* behind it: a word a case, the high half of it */
        struct cor_stream_name name = definition.name;
        name.purpose = COR_PURPOSE_WALK;
        name.entity = c;
        struct cor_rng rng = cor_rng_named(&name);
        for (uint32_t i = PREFIX; i < 100; i++)
            assert_int_equal(cor_walk_at(&child, i + 1)[c],
                             cor_profile_next(scene.profiles[scene.profile_of_chain[c]],
                                              cor_walk_at(&child, i)[c],
                                              (uint32_t)(cor_rng_word(&rng) >> 32)));
    }
    definition = parent.definition;
    definition.source = &cor_source_recorded;
    definition.recorded = &parent;
    assert_int_equal(cor_walk_begin(&again, &definition, NULL), COR_OK);
    assert_memory_equal(again.states, parent.states, 101 * CHAINS);
    cor_walk_fini(&parent);
    cor_walk_fini(&child);
    cor_walk_fini(&again);
    scene_fini(&scene);
}

static void an_arm_names_a_source_and_unknown_ones_are_refused(void **state) {
    (void)state;
    const struct cor_source *source = NULL;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_source_find("uniform", &source, &error), COR_OK);
    assert_ptr_equal(source, &cor_source_uniform);
    assert_int_equal(cor_source_find("recorded", &source, &error), COR_STATUS_INPUT);
    assert_string_equal(error.cause, "unknown source of walks \"recorded\"");
    assert_string_equal(error.remedy, "known: profile, uniform");
}

/* Over a long walk, transitions out of each state follow its row. */
static void walks_follow_the_profile(void **state) {
    (void)state;
    enum { STEPS = 100000, N = 5 };
    struct scene scene;
    struct cor_walk walked;
    double counts[N][N] = {{0}}, chi_square = 0.0;
    uint32_t degrees = 0;
    scene_init(&scene);
    cor_walk_init(&walked);
    scene.profile_of_chain[0] = 0;
    walk(&scene, 1, STEPS, &cor_source_profile, &walked);
    for (uint32_t i = 1; i < STEPS; i++)
        counts[walked.states[i - 1]][walked.states[i]]++;
    for (uint32_t i = 0; i < N; i++) {
        double left = 0.0;
        for (uint32_t j = 0; j < N; j++)
            left += counts[i][j];
        for (uint32_t j = 0; j < N; j++) {
            double expected = left * scene.profiles[0]->probability[i * N + j];
            assert_true(expected > 0.0 || counts[i][j] <= 0.0);
            if (expected > 0.0) {
                chi_square += (counts[i][j] - expected) * (counts[i][j] - expected) / expected;
                degrees++;
            }
        }
        degrees--;
    }
    assert_true(gsl_cdf_chisq_Q(chi_square, degrees) > 1e-3);
    cor_walk_fini(&walked);
    scene_fini(&scene);
}

static struct cor_influence *influence_of(const struct cor_profile *profile, const char *text) {
    struct cor_json_document *document;
    struct cor_influence *influence;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_json_parse(text, "text", &document, &error), COR_OK);
    struct cor_json root = cor_json_root(document);
    assert_int_equal(cor_influence_from_json(&root, profile, &influence, &error), COR_OK);
    cor_json_destroy(document);
    return influence;
}

static struct cor_profile *sky(void) {
    return profile_of_text(
        "{\"states\": [\"night\", \"low\", \"high\"], \"transitions\": {\"night\": {\"low\": 1}, "
        "\"low\": {\"night\": 0.5, \"high\": 0.5}, \"high\": {\"low\": 1}}}");
}

static void influences_by_table_are_read(void **state) {
    (void)state;
    struct cor_profile *profile = sky();
    struct cor_influence *influence = influence_of(
        profile,
        "{\"environment\": \"sky\", \"relevant\": {\"dark\": [\"night\"], \"light\": [\"high\", \"low\"]},"
        "\"states\": {\"sure\": 0.95, \"poor\": 4e-1}, \"initial\": \"poor\","
        "\"influence\": {\"dark\": \"sure\", \"light\": {\"sure\": \"poor\"}}}");
    const uint8_t relevant[3] = {0, 1, 1}, next[4] = {0, 0, 1, 1};
    assert_int_equal(influence->environment_states, 3);
    assert_int_equal(influence->relevant_count, 2);
    assert_int_equal(influence->state_count, 2);
    assert_string_equal(influence->relevant_names[1], "light");
    assert_string_equal(influence->state_names[1], "poor");
    assert_memory_equal(influence->relevant, relevant, sizeof relevant);
    assert_memory_equal(influence->next, next, sizeof next);
    assert_null(influence->cumulative);
    assert_true(fabs(influence->level[1] - 0.4) == 0.0);
    assert_int_equal(influence->initial, 1);
    cor_influence_destroy(influence);
    cor_profile_destroy(profile);
}

static void influences_by_chance_draw_as_described(void **state) {
    (void)state;
    struct cor_profile *profile = sky();
    struct cor_influence *influence =
        influence_of(profile, "{\"states\": {\"a\": 0, \"b\": 1, \"c\": 2}, \"influence\": {\"low\": {\"a\": "
                              "{\"a\": 0.25, \"b\": 0.75},"
                              "\"b\": {\"c\": 1}, \"c\": {\"a\": 0.125, \"b\": 0.125, \"c\": 0.75}}, "
                              "\"high\": {\"c\": {\"c\": 0.5, \"b\": 0.5}}}}");
    const uint32_t all = UINT32_MAX, low[9] = {1u << 30, all, all, 0, 0, all, 1u << 29, 1u << 30, all};
    const uint8_t next[9] = {0, 1, 2, 1, 2, 2, 0, 1, 1}; /* a tie goes to the first */
    assert_memory_equal(influence->cumulative + 9, low, sizeof low);
    assert_memory_equal(influence->next, next, sizeof next);
    assert_int_equal(cor_influence_next(influence, 1, 0, (1u << 30) - 1), 0);
    assert_int_equal(cor_influence_next(influence, 1, 0, 1u << 30), 1);
    assert_int_equal(cor_influence_next(influence, 1, 0, all), 1); /* never c, which is impossible */
    assert_int_equal(cor_influence_next(influence, 1, 1, 0), 2);
    assert_int_equal(cor_influence_next(influence, 1, 2, all), 2);
    for (uint32_t s = 0; s < 3; s++) {
        assert_int_equal(cor_influence_next(influence, 0, s, 0), s); /* nothing is said of night: as before */
        assert_int_equal(cor_influence_next(influence, 0, s, all), s);
    }
    cor_influence_destroy(influence);
    cor_profile_destroy(profile);
}

static void a_range_of_levels_takes_over_the_states(void **state) {
    (void)state;
    struct cor_profile *profile = sky();
    cor_influence_destroy(influence_of(profile, "{\"level\": [0.5, 0.5]}")); /* a range of one value is one */
    struct cor_influence *read = influence_of(profile, "{\"level\": [0.2, 1.0]}");
    const uint8_t next[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2}, relevant[3] = {0, 1, 2};
    assert_int_equal(read->state_count, 3);
    assert_string_equal(read->state_names[2], "high");
    assert_memory_equal(read->next, next, sizeof next);
    assert_memory_equal(read->relevant, relevant, sizeof relevant);
    assert_true(isnan(read->level[0]) && isnan(read->level[2]));
    assert_true(read->level_low >= 0.2 && read->level_high <= 1.0);
    assert_int_equal(read->initial, 0);
    cor_influence_destroy(read);
    cor_profile_destroy(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alias_tables_hold_the_law),
        cmocka_unit_test(the_tables_decide_draws_at_the_borders),
        cmocka_unit_test(draws_follow_the_law),
        cmocka_unit_test(the_stationary_law_of_two_states_is_exact),
        cmocka_unit_test(the_stationary_law_is_that_of_iteration),
        cmocka_unit_test(bad_profiles_are_refused),
        cmocka_unit_test(profiles_are_read_from_json),
        cmocka_unit_test(warnings_say_what_they_mean),
        cmocka_unit_test(profiles_are_shown),
        cmocka_unit_test(pictures_keep_the_order_of_states),
        cmocka_unit_test(equals_keep_their_places),
        cmocka_unit_test(random_profiles_obey_their_law),
        cmocka_unit_test(laws_at_the_edges_are_taken_and_those_beyond_refused),
        cmocka_unit_test(walks_draw_as_documented),
        cmocka_unit_test(a_source_answers_to_what_is_observed_and_is_put_back_by_copying),
        cmocka_unit_test(a_branch_shares_its_prefix_and_then_goes_its_own_way),
        cmocka_unit_test(an_arm_names_a_source_and_unknown_ones_are_refused),
        cmocka_unit_test(chains_do_not_disturb_each_other),
        cmocka_unit_test(walks_follow_the_profile),
        cmocka_unit_test(influences_by_table_are_read),
        cmocka_unit_test(influences_by_chance_draw_as_described),
        cmocka_unit_test(a_range_of_levels_takes_over_the_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
