/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws against the law itself, enumerated: chi-square over all outcomes. Complaints against a corpus. */
#include "../internal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "invalid_corpus.h"

#define INVALID TEST_SOURCE_DIR "/experiments/layers/interaction/tests/invalid/parameters.txt"
enum { CAPACITY = 40 };

static struct cor_rng stream(uint64_t seed) {
    return cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_TEST});
}

/* Laws from one object: "parameters", then "fallback", "more" (later fragments, in order), "constraints",
 * "set". */
static enum cor_status read_laws(const struct cor_json *json, struct cor_parameter_laws *laws,
                                 struct cor_error *error) {
    struct cor_json child, list;
    enum cor_status status = cor_json_need(json, "parameters", &child, error);
    if (status == COR_OK)
        status = cor_parameter_laws_add(laws, &child, error);
    if (cor_json_find(json, "fallback", &child))
        cor_parameter_laws_fall_back(laws, &child);
    if (cor_json_find(json, "more", &list))
        for (size_t i = 0; i < cor_json_size(&list) && status == COR_OK; i++) {
            child = cor_json_at(&list, i);
            status = cor_parameter_laws_add(laws, &child, error);
        }
    if (status == COR_OK && cor_json_find(json, "constraints", &child))
        status = cor_parameter_laws_constrain(laws, &child, error);
    if (status == COR_OK && cor_json_find(json, "set", &child))
        status = cor_parameter_laws_set(laws, &child, error);
    /* The fallback is read now, so what it is part of must still be there. */
    return status == COR_OK ? cor_parameter_laws_finish(laws, error) : status;
}

struct subject {
    struct cor_json_document *document;
    struct cor_parameter_laws *laws;
    struct cor_rng rng;
    int64_t integers[CAPACITY];
    double reals[CAPACITY];
    struct cor_draw draw;
};

static void subject_init(struct subject *subject, const char *text, bool analysed) {
    struct cor_error error = COR_NO_ERROR;
    char note[500];
    memset(subject, 0, sizeof *subject);
    enum cor_status status = cor_json_parse(text, "laws", &subject->document, &error);
    if (status == COR_OK)
        status = cor_parameter_laws_create(&subject->laws, &error);
    struct cor_json root = {0};
    if (status == COR_OK) {
        root = cor_json_root(subject->document);
        status = read_laws(&root, subject->laws, &error);
    }
    if (status == COR_OK && analysed)
        status = cor_parameter_laws_analyse(subject->laws, note, sizeof note, &error);
    if (status != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    assert_true(cor_parameter_laws_capacity(subject->laws) <= CAPACITY);
    subject->rng = stream(1);
}

static void subject_fini(struct subject *subject) {
    cor_parameter_laws_destroy(subject->laws);
    cor_json_destroy(subject->document);
}

static enum cor_status draw(struct subject *s, struct cor_error *error) {
    return cor_parameter_laws_draw(s->laws, &s->rng, s->integers, s->reals, &s->draw, error);
}

static void must_draw(struct subject *s) {
    struct cor_error error = COR_NO_ERROR;
    if (draw(s, &error) != COR_OK)
        fail_msg("%s", error.cause);
}

static int64_t integer(const struct subject *s, const char *name) {
    int index = cor_parameter_laws_find(s->laws, name);
    assert_true(index >= 0);
    assert_true(s->reals[index] == (double)s->integers[index]);
    return s->integers[index];
}

static double real(const struct subject *s, const char *name) {
    int index = cor_parameter_laws_find(s->laws, name);
    assert_true(index >= 0 && !cor_parameter_laws_is_integer(s->laws, (uint32_t)index));
    return s->reals[index];
}

struct histogram {
    size_t cells;
    double *weight; /* of each outcome, up to a common factor; 0: impossible */
    uint32_t *seen;
    uint32_t draws;
};

static void histogram_init(struct histogram *h, size_t cells) {
    *h = (struct histogram){cells, calloc(cells, sizeof *h->weight), calloc(cells, sizeof *h->seen), 0};
    assert_true(h->weight && h->seen);
}

/* Fails if what was seen is further from the law than five standard deviations of chi-square. Frees. */
static void assert_follows(struct histogram *h) {
    double total = 0, chi = 0, rest_expected = 0, rest_seen = 0;
    size_t freedom = 0;
    for (size_t i = 0; i < h->cells; i++)
        total += h->weight[i];
    for (size_t i = 0; i < h->cells; i++) {
        double expected = h->weight[i] / total * h->draws, seen = h->seen[i];
        if (h->weight[i] == 0)
            assert_int_equal(h->seen[i], 0);
        if (expected >= 5) {
            chi += (seen - expected) * (seen - expected) / expected;
            freedom++;
        } else {
            rest_expected += expected;
            rest_seen += seen;
        }
    }
    if (rest_expected >= 5) {
        chi += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
        freedom++;
    }
    assert_true(freedom >= 3);
    double k = (double)freedom - 1;
    if (fabs(chi - k) > 5 * sqrt(2 * k))
        fail_msg("chi-square %.1f with %.0f degrees of freedom", chi, k);
    free(h->weight);
    free(h->seen);
}

enum { SIDE = 32 };

static size_t cell_of(int64_t s_min, int64_t s_max, int64_t n_min, int64_t n_max, bool all) {
    size_t sizes = (size_t)(s_min * SIDE + s_max);
    return all ? (sizes * SIDE + (size_t)n_min) * SIDE + (size_t)n_max : sizes;
}

/* All four draws, sorted in pairs, in C rather than in text. `one_count`: n_max is set to n_min (fault F5d).
 */
static void enumerate_paper(struct histogram *h, int64_t n, bool one_count, bool all) {
    for (int64_t a = 2; a <= n; a++)
        for (int64_t b = 2; b <= n; b++)
            for (int64_t c = 1; c <= n / 2; c++)
                for (int64_t d = 1; d <= n / 2; d++) {
                    int64_t s_min = a < b ? a : b, s_max = a < b ? b : a;
                    int64_t n_min = c < d ? c : d, n_max = one_count ? n_min : c < d ? d : c;
                    if (n_min * s_min > n || n_max * s_max < n || (n + s_max - 1) / s_max > n / s_min)
                        continue;
                    h->weight[cell_of(s_min, s_max, n_min, n_max, all)] += 1;
                }
}

static void check_paper(int64_t n, bool one_count, bool analysed, bool all, uint32_t draws) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "{\"parameters\": [{\"agents\": %d}, {\"s_min <= s_max\": [2, \"agents\"], \"n_min <= n_max\": [1, "
        "\"agents / 2\"]}], \"constraints\": [\"n_min * s_min <= agents\", \"n_max * s_max >= agents\", "
        "\"ceil_div(agents, s_max) <= agents / s_min\"]%s}",
        (int)n, one_count ? ", \"set\": {\"n_max\": \"n_min\"}" : "");
    struct subject s;
    struct histogram h;
    subject_init(&s, text, analysed);
    histogram_init(&h, all ? (size_t)SIDE * SIDE * SIDE * SIDE : (size_t)SIDE * SIDE);
    enumerate_paper(&h, n, one_count, all);
    for (; h.draws < draws; h.draws++) {
        must_draw(&s);
        assert_false(s.draw.fallback);
        assert_true(s.draw.attempts >= 1);
        h.seen[cell_of(integer(&s, "s_min"), integer(&s, "s_max"), integer(&s, "n_min"), integer(&s, "n_max"),
                       all)]++;
    }
    assert_follows(&h);
    subject_fini(&s);
}

static void draws_follow_the_law_of_the_paper(void **unused) {
    (void)unused;
    for (int analysed = 0; analysed < 2; analysed++) { /* what z3 cuts off could not be accepted anyway */
        check_paper(7, false, analysed, true, 40000);
        check_paper(12, false, analysed, true, 200000);
        check_paper(30, false, analysed, false, 100000);
    }
}

static void draws_follow_the_law_of_the_paper_with_one_count(void **unused) {
    (void)unused;
    for (int analysed = 0; analysed < 2; analysed++) {
        check_paper(8, true, analysed, true, 40000);
        check_paper(13, true, analysed, true, 60000);
    }
}

/* x in 1..10, y in x..12, x + y <= 14. In stages of their own x stays uniform and only y is drawn again; in
 * one stage both are, so an x with little room for y is rarer. */
static void check_stages(bool one_stage, bool analysed) {
    struct subject s;
    struct histogram h;
    subject_init(
        &s,
        one_stage
            ? "{\"parameters\": [{\"x\": [1, 10], \"y\": [\"x\", 12]}], \"constraints\": [\"x + y <= 14\"]}"
            : "{\"parameters\": [{\"x\": [1, 7]}, {\"y\": [\"x\", 12]}], \"constraints\": [\"x + y <= 14\"]}",
        analysed);
    histogram_init(&h, 16 * 16);
    for (int x = 1; x <= 7; x++) {
        int accepted = 0;
        for (int y = x; y <= 12; y++)
            accepted += x + y <= 14;
        for (int y = x; y <= 12; y++)
            if (x + y <= 14)
                h.weight[x * 16 + y] = one_stage ? 1.0 / (12 - x + 1) : 1.0 / accepted;
    }
    for (; h.draws < 30000; h.draws++) {
        must_draw(&s);
        h.seen[integer(&s, "x") * 16 + integer(&s, "y")]++;
    }
    assert_follows(&h);
    subject_fini(&s);
}

static void only_the_stage_that_fails_is_drawn_again(void **unused) {
    (void)unused;
    for (int i = 0; i < 4; i++)
        check_stages(i % 2, i / 2);
}

/* A constraint that could narrow a range whose bounds read a name of the same stage: x is likelier the
 * smaller it is, whether or not z3 was asked. */
static void check_dependent_range(bool analysed) {
    struct subject s;
    struct histogram h;
    subject_init(&s, "{\"parameters\": [{\"x\": [1, 10], \"y\": [1, \"x\"]}], \"constraints\": [\"y <= 2\"]}",
                 analysed);
    histogram_init(&h, 16 * 16);
    for (int x = 1; x <= 10; x++)
        for (int y = 1; y <= 2 && y <= x; y++)
            h.weight[x * 16 + y] = 1.0 / x;
    for (; h.draws < 30000; h.draws++) {
        must_draw(&s);
        h.seen[integer(&s, "x") * 16 + integer(&s, "y")]++;
    }
    assert_follows(&h);
    subject_fini(&s);
}

static void dependent_ranges_keep_the_law(void **unused) {
    (void)unused;
    check_dependent_range(false);
    check_dependent_range(true);
}

/* The draws of a law are those of its lines, in the order of the file. */
static void draws_come_in_the_order_of_the_file(void **unused) {
    (void)unused;
    struct subject s;
    subject_init(
        &s,
        "{\"parameters\": [{\"x\": [1, 10], \"u\": [0.5, 1.5], \"a <= b\": [0, \"x * 9\"], \"k\": 7}, "
        "{\"p + q + r\": 2, \"y\": [\"x\", \"x + k\"], \"z\": \"a - y\", \"w\": 0.25}]}",
        true);
    struct cor_rng by_hand = stream(1);
    for (int i = 0; i < 1000; i++) {
        must_draw(&s);
        int64_t x = cor_rng_between(&by_hand, 1, 10);
        double u = cor_rng_unit(&by_hand);
        int64_t a = cor_rng_between(&by_hand, 0, x * 9);
        int64_t b = cor_rng_between(&by_hand, 0, x * 9);
        double one = cor_rng_unit(&by_hand);
        double other = cor_rng_unit(&by_hand);
        int64_t y = cor_rng_between(&by_hand, x, x + 7);
        assert_int_equal(integer(&s, "x"), x);
        assert_true(real(&s, "u") == 0.5 + u);
        assert_int_equal(integer(&s, "a"), a < b ? a : b);
        assert_int_equal(integer(&s, "b"), a < b ? b : a);
        assert_true(real(&s, "p") == 2 * fmin(one, other));
        assert_true(real(&s, "r") == 2 * (1 - fmax(one, other)));
        assert_int_equal(integer(&s, "y"), y);
        assert_int_equal(integer(&s, "z"), (a < b ? a : b) - y);
        assert_true(real(&s, "w") == 0.25);
        assert_int_equal(s.draw.attempts, 1);
    }
    subject_fini(&s);
}

/* Uniform on the simplex of three: each mean 1/3, variance 1/18, covariance -1/36 (Dirichlet (1, 1, 1)). */
static void a_simplex_is_drawn_uniformly(void **unused) {
    (void)unused;
    enum { DRAWS = 100000 };
    struct subject s;
    subject_init(&s, "{\"parameters\": [{\"a + b + c\": 1, \"share\": [0.1, 0.3]}]}", false);
    static const char *const names[] = {"a", "b", "c"};
    double mean[3] = {0}, product[3][3] = {{0}}, share = 0;
    for (int i = 0; i < DRAWS; i++) {
        must_draw(&s);
        for (int p = 0; p < 3; p++) {
            assert_true(real(&s, names[p]) >= 0);
            mean[p] += real(&s, names[p]) / DRAWS;
            for (int q = 0; q < 3; q++)
                product[p][q] += real(&s, names[p]) * real(&s, names[q]) / DRAWS;
        }
        /* Differences of multiples of 2^-53 are exact, and so is their sum. */
        assert_true(real(&s, "a") + real(&s, "b") + real(&s, "c") == 1);
        assert_true(real(&s, "share") >= 0.1 && real(&s, "share") <= 0.3);
        share += real(&s, "share") / DRAWS;
    }
    for (int p = 0; p < 3; p++) {
        assert_true(fabs(mean[p] - 1.0 / 3) < 0.004);
        for (int q = 0; q < 3; q++)
            assert_true(fabs(product[p][q] - mean[p] * mean[q] - (p == q ? 1.0 / 18 : -1.0 / 36)) < 0.002);
    }
    assert_true(fabs(share - 0.2) < 0.001);
    subject_fini(&s);
}

/* Four equal numbers of 1..n are a matter of 1 in n^3. The fallback has a helper, n stays as drawn. */
static void fallback_is_flagged(void **unused) {
    (void)unused;
    struct subject s;
    subject_init(
        &s,
        "{\"parameters\": [{\"n\": [900, 1000]}, {\"a\": [1, \"n\"], \"b\": [1, \"n\"], \"c\": [1, \"n\"], "
        "\"d\": [1, \"n\"]}, {\"p\": [1, 4]}], \"more\": [[{\"later\": [5, 6]}]], "
        "\"constraints\": [\"a == b == c == d\", \"later + a > 0\"], "
        "\"fallback\": [{\"half\": [1, \"n / 2\"]}, {\"a\": \"2 * half\", \"b\": \"a\", \"c\": \"a\", "
        "\"d\": \"c\"}, {\"p\": [2, 3]}]}",
        true);
    assert_int_equal(cor_parameter_laws_size(s.laws), 7);
    assert_int_equal(cor_parameter_laws_capacity(s.laws), 8);
    assert_int_equal(cor_parameter_laws_find(s.laws, "half"), -1); /* a helper is no parameter */
    for (int i = 0; i < 20; i++) {
        must_draw(&s);
        assert_true(s.draw.fallback);
        assert_int_equal(s.draw.attempts, COR_DRAWS_MAX);
        assert_true(integer(&s, "n") >= 900 && integer(&s, "a") % 2 == 0 &&
                    integer(&s, "a") <= integer(&s, "n"));
        assert_true(integer(&s, "a") == integer(&s, "b") && integer(&s, "c") == integer(&s, "d"));
        assert_true(integer(&s, "a") == integer(&s, "c") && integer(&s, "a") > 0);
        assert_true(integer(&s, "p") == 2 || integer(&s, "p") == 3);
        assert_true(integer(&s, "later") == 5 || integer(&s, "later") == 6);
    }
    subject_fini(&s);
}

/* A stage that can always be met never falls back. */
static void fallback_is_not_needed(void **unused) {
    (void)unused;
    struct subject s;
    subject_init(
        &s, "{\"parameters\": [{\"a\": [1, 9]}], \"constraints\": [\"a > 8\"], \"fallback\": [{\"a\": 9}]}",
        false);
    uint32_t most = 0;
    for (int i = 0; i < 500; i++) {
        must_draw(&s);
        assert_false(s.draw.fallback);
        assert_int_equal(integer(&s, "a"), 9);
        most = s.draw.attempts > most ? s.draw.attempts : most;
    }
    assert_true(most > 20); /* one in nine is met */
    subject_fini(&s);
    if (!cor_solver_is_there())
        skip();
    subject_init(&s, "{\"parameters\": [{\"a\": [1, 9]}], \"constraints\": [\"a > 8\"]}", true);
    for (int i = 0; i < 500; i++) { /* z3 has left only the 9 */
        must_draw(&s);
        assert_int_equal(s.draw.attempts, 1);
    }
    subject_fini(&s);
}

static void drawing_gives_up_without_fallback(void **unused) {
    (void)unused;
    struct subject s;
    struct cor_error error = COR_NO_ERROR;
    subject_init(&s,
                 "{\"parameters\": [{\"a\": [1, 9999], \"b\": [1, 9999], \"c\": [1, 9999]}], "
                 "\"constraints\": [\"a == b == c\"]}",
                 false);
    assert_int_equal(draw(&s, &error), COR_STATUS_UNSATISFIABLE);
    assert_string_equal(error.cause, "no parameters that meet the constraints were drawn in 10000 attempts");
    subject_fini(&s);
}

/* A later line of the same names takes the place of the earlier one, stage and all. */
static void later_fragments_replace_earlier_ones(void **unused) {
    (void)unused;
    struct subject s;
    struct cor_error error = COR_NO_ERROR;
    subject_init(
        &s,
        "{\"parameters\": [{\"n\": [10, 20]}, {\"x\": [1, \"n\"], \"y\": \"x + n\"}], "
        "\"more\": [[{\"n\": 50, \"z\": \"y * 2\"}], {\"x\": [3, 4]}], \"constraints\": [\"z > 0\"]}",
        true);
    assert_int_equal(cor_parameter_laws_size(s.laws), 4);
    for (int i = 0; i < 100; i++) {
        must_draw(&s);
        assert_int_equal(integer(&s, "n"), 50);
        assert_true(integer(&s, "x") == 3 || integer(&s, "x") == 4);
        assert_int_equal(integer(&s, "y"), integer(&s, "x") + 50);
        assert_int_equal(integer(&s, "z"), integer(&s, "y") * 2);
    }
    subject_fini(&s);
    /* A default is for what nobody gave. */
    struct cor_parameter_laws *laws;
    struct cor_json_document *document;
    assert_int_equal(cor_parameter_laws_create(&laws, &error), COR_OK);
    assert_int_equal(cor_json_parse("[{\"x\": 3}]", "laws", &document, &error), COR_OK);
    struct cor_json root = cor_json_root(document);
    assert_int_equal(cor_parameter_laws_add(laws, &root, &error), COR_OK);
    assert_int_equal(cor_parameter_laws_default(laws, "x", true, 8, &error), COR_OK);
    assert_int_equal(cor_parameter_laws_default(laws, "y", true, 8, &error), COR_OK);
    assert_int_equal(cor_parameter_laws_default(laws, "share", false, 0.5, &error), COR_OK);
    assert_int_equal(cor_parameter_laws_finish(laws, &error), COR_OK);
    struct cor_rng rng = stream(1);
    struct cor_draw drawn;
    int64_t integers[CAPACITY];
    double reals[CAPACITY];
    assert_int_equal(cor_parameter_laws_draw(laws, &rng, integers, reals, &drawn, &error), COR_OK);
    assert_true(reals[0] == 3 && reals[1] == 8 && reals[2] == 0.5);
    assert_string_equal(cor_parameter_laws_text(laws, 0), "\"x\": 3");
    assert_string_equal(cor_parameter_laws_names(laws)[1], "y");
    assert_string_equal(cor_parameter_laws_names(laws)[2], "");
    assert_null(cor_parameter_laws_names(laws)[3]);
    cor_parameter_laws_destroy(laws);
    cor_parameter_laws_destroy(NULL);
    cor_json_destroy(document);
}

/* The law below, step by step as the manual says it. */
struct by_hand {
    int64_t n, a, b, c, d, e;
    double share;
    uint32_t attempts;
    bool fallback;
};

static void draw_by_hand(struct cor_rng *rng, bool set, struct by_hand *h) {
    *h = (struct by_hand){.attempts = 1, .n = cor_rng_between(rng, 2, 30)};
    for (uint32_t attempt = 1;; attempt++) {
        int64_t one = cor_rng_between(rng, 1, h->n);
        int64_t other = cor_rng_between(rng, 1, h->n);
        h->a = one < other ? one : other;
        h->b = one < other ? other : one;
        h->c = cor_rng_between(rng, 1, h->n);
        h->attempts = attempt > h->attempts ? attempt : h->attempts;
        if (h->a * h->c <= h->n)
            break;
    }
    h->share = 0.25 + cor_rng_unit(rng) * 0.5;
    h->d = h->a + h->c;
    if (h->n <= 5) { /* the constant 5 is not below n, as often as it is tried */
        int64_t n = cor_rng_between(rng, 40, 50);
        int64_t b = cor_rng_between(rng, 1, n);
        *h = (struct by_hand){n, 1, b, 1, 2, 0, 0.5, COR_DRAWS_MAX, true};
    }
    h->e = set ? h->n + 1 : 7;
}

/* Pairs, dependent ranges, values that follow, constants with a constraint and with an override, a stage of
 * reals, a fallback: what is drawn, word for word of the stream, and how often. */
static void draws_are_those_of_the_manual(void **unused) {
    (void)unused;
    static const char text[] =
        "{\"parameters\": [{\"n\": [2, 30]}, {\"a <= b\": [1, \"n\"], \"c\": [1, "
        "\"n\"]}, {\"share\": [0.25, 0.75]}, "
        "{\"d\": \"a + c\"}, {\"five\": 5}, {\"e\": 7}, {\"f\": \"3 + 4\"}], "
        "\"fallback\": [{\"n\": [40, 50]}, {\"a\": 1, \"b\": [1, \"n\"], \"c\": 1, "
        "\"share\": 0.5, \"d\": \"a + c\", "
        "\"five\": 5, \"e\": 7, \"f\": 7}], \"constraints\": [\"a * c <= n\", \"five < n\"]%s}";
    for (int set = 0; set < 2; set++) {
        struct subject s;
        char laws[1000];
        uint32_t fallbacks = 0;
        snprintf(laws, sizeof laws, text, set ? ", \"set\": {\"e\": \"n + 1\"}" : "");
        subject_init(&s, laws, false);
        struct cor_rng rng = s.rng;
        for (int i = 0; i < 300; i++) {
            struct by_hand h;
            must_draw(&s);
            draw_by_hand(&rng, set, &h);
            assert_int_equal(integer(&s, "n"), h.n);
            assert_int_equal(integer(&s, "a"), h.a);
            assert_int_equal(integer(&s, "b"), h.b);
            assert_int_equal(integer(&s, "c"), h.c);
            assert_int_equal(integer(&s, "d"), h.d);
            assert_int_equal(integer(&s, "e"), h.e);
            assert_int_equal(integer(&s, "five"), 5);
            assert_int_equal(integer(&s, "f"), 7);
            assert_true(real(&s, "share") >= h.share && real(&s, "share") <= h.share);
            assert_int_equal(s.draw.attempts, h.attempts);
            assert_int_equal(s.draw.fallback, h.fallback);
            fallbacks += h.fallback;
        }
        assert_in_range(fallbacks, 10, 100);
        subject_fini(&s);
    }
}

/* Sorted pairs within the classes of both, though they are drawn from the whole range. */
static void pairs_are_drawn_within_their_classes(void **unused) {
    (void)unused;
    struct subject s;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_class within[] = {{.low = 3, .high = 4}, {.low = 8, .high = 9}};
    subject_init(&s, "{\"parameters\": [{\"s <= t\": [1, 10]}]}", false);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(interaction__laws_draw_within(s.laws, &s.rng, within, s.integers, s.reals, 10000,
                                                       &s.draw, &error),
                         COR_OK);
        assert_in_range(integer(&s, "s"), 3, 4);
        assert_in_range(integer(&s, "t"), 8, 9);
    }
    subject_fini(&s);
}

/* Drawn anew, a line keeps the constraints of all stages, also of later ones. */
static void what_is_drawn_anew_keeps_the_constraints(void **unused) {
    (void)unused;
    struct subject s;
    uint32_t kept = 0;
    subject_init(&s,
                 "{\"parameters\": [{\"x\": [1, 9]}, {\"y\": [1, 9]}], \"constraints\": [\"x % 2 == 0\", "
                 "\"x + y < 12\"]}",
                 false);
    for (uint32_t i = 0; i < 400; i++) {
        must_draw(&s);
        const int64_t x = integer(&s, "x"), y = integer(&s, "y");
        if (!cor_parameter_laws_redraw(s.laws, i % 2, false, &s.rng, s.integers, s.reals))
            continue;
        assert_true(integer(&s, "x") % 2 == 0 && integer(&s, "x") + integer(&s, "y") < 12);
        assert_int_equal(i % 2 ? integer(&s, "x") : integer(&s, "y"), i % 2 ? x : y);
        kept++;
    }
    assert_in_range(kept, 50, 350);
    subject_fini(&s);
}

/* A worker that is told the ranges draws what the planner, who asked z3, would draw. */
static void a_worker_told_the_ranges_draws_as_the_planner(void **unused) {
    (void)unused;
    if (!cor_solver_is_there())
        skip();
    static const char text[] = "{\"parameters\": [{\"x\": [1, 100], \"y\": [1, 100], \"d\": \"x - y\"}], "
                               "\"constraints\": [\"x + 90 < y\", \"d % 2 == 0\"]}";
    struct subject planner, worker;
    /* x and y are more than 90 apart, by an even number; d follows from them and is not drawn. */
    int64_t bounds[6], expected[6] = {1, 8, 93, 100, INT64_MIN, INT64_MAX};
    double low, high;
    subject_init(&planner, text, true);
    subject_init(&worker, text, false);
    cor_parameter_laws_get_bounds(planner.laws, bounds);
    for (int i = 0; i < 6; i++)
        assert_int_equal(bounds[i], expected[i]);
    cor_parameter_laws_set_bounds(worker.laws, bounds);
    for (int i = 0; i < 200; i++) {
        must_draw(&planner);
        must_draw(&worker);
        assert_memory_equal(planner.integers, worker.integers, sizeof planner.integers);
    }
    cor_parameter_laws_range(worker.laws, 1, &low, &high);
    assert_true(low == 1 && high == 100); /* what the law says, not what draws are clipped to */
    subject_fini(&planner);
    subject_fini(&worker);
}

/* Laws of three parameters, and what they say of a point. */
struct small_law {
    const char *text;
    bool (*holds)(int64_t, int64_t, int64_t);
    bool clipped[3]; /* drawn by a range, in a stage with constraints that are due */
};

static bool fits(int64_t n, int64_t s, int64_t k) {
    return n >= 2 && n <= 12 && s >= 2 && s <= n && k >= 1 && k <= n / 2 && k * s <= n;
}

static bool fits_loosely(int64_t n, int64_t s, int64_t k) {
    return fits(n, s, k) && k * s < n;
}

static bool on_two_sides(int64_t a, int64_t b, int64_t c) {
    return a >= 0 && a <= 50 && b >= 0 && b <= 50 && c == 0 && (a - 50) * b == 0;
}

static bool on_a_line(int64_t a, int64_t b, int64_t c) {
    return a >= 0 && a <= 50 && b >= 0 && b <= 50 && c == 1 && a == 7 * b + 3;
}

static bool sorted_apart(int64_t c, int64_t a, int64_t b) {
    return c >= 5 && c <= 20 && a >= 1 && a <= b && b <= c && a + 10 <= b;
}

/* Ranges against every point: whether examples reach their ends, or z3 has to find where they are. */
static void ranges_are_clipped_to_what_can_hold(void **unused) {
    (void)unused;
    if (!cor_solver_is_there())
        skip();
    static const struct small_law laws[] = {
        {"{\"parameters\": [{\"n\": [2, 12]}, {\"s\": [2, \"n\"], \"k\": [1, \"n / 2\"]}], "
         "\"constraints\": [\"k * s <= n\"]}",
         fits,
         {false, true, true}},
        {"{\"parameters\": [{\"n\": [2, 12]}, {\"s\": [2, \"n\"], \"k\": [1, \"n / 2\"]}], "
         "\"constraints\": [\"k * s < n\"]}",
         fits_loosely,
         {false, true, true}},
        {"{\"parameters\": [{\"a\": [0, 50], \"b\": [0, 50], \"c\": 0}], \"constraints\": [\"(a - 50) * b == "
         "c\"]}",
         on_two_sides,
         {true, true, false}},
        {"{\"parameters\": [{\"a\": [0, 50], \"b\": [0, 50], \"c\": 1}], \"constraints\": [\"a == 7 * b + 3 "
         "* c\"]}",
         on_a_line,
         {true, true, false}},
        {"{\"parameters\": [{\"c\": [5, 20]}, {\"a <= b\": [1, \"c\"]}], \"constraints\": [\"a + 10 <= b\"]}",
         sorted_apart,
         {false, true, true}},
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        int64_t low[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, high[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
        for (int64_t at = 0; at < INT64_C(51) * 51 * 51; at++) {
            int64_t point[3] = {at % 51, at / 51 % 51, at / 51 / 51};
            if (!laws[i].holds(point[0], point[1], point[2]))
                continue;
            for (int v = 0; v < 3; v++) {
                low[v] = point[v] < low[v] ? point[v] : low[v];
                high[v] = point[v] > high[v] ? point[v] : high[v];
            }
        }
        struct subject s;
        int64_t bounds[6];
        subject_init(&s, laws[i].text, true);
        cor_parameter_laws_get_bounds(s.laws, bounds);
        for (int v = 0; v < 3; v++) {
            assert_int_equal(bounds[2 * v], laws[i].clipped[v] ? low[v] : INT64_MIN);
            assert_int_equal(bounds[2 * v + 1], laws[i].clipped[v] ? high[v] : INT64_MAX);
        }
        subject_fini(&s);
    }
}

/* From reading up to the first draw. */
static enum cor_status try_laws(const char *path, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_parameter_laws *laws = NULL;
    char note[500];
    enum cor_status status = cor_json_read(path, &document, error);
    if (status == COR_OK)
        status = cor_parameter_laws_create(&laws, error);
    if (status == COR_OK) {
        struct cor_json root = cor_json_root(document);
        status = read_laws(&root, laws, error);
    }
    if (status == COR_OK)
        status = cor_parameter_laws_analyse(laws, note, sizeof note, error);
    cor_parameter_laws_destroy(laws);
    cor_json_destroy(document);
    return status;
}

static void invalid_laws_are_refused_in_so_many_words(void **unused) {
    (void)unused;
    invalid_build = cor_solver_is_there() ? "" : ".without-z3";
    invalid_corpus(INVALID, 25, try_laws);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_follow_the_law_of_the_paper),
        cmocka_unit_test(draws_follow_the_law_of_the_paper_with_one_count),
        cmocka_unit_test(only_the_stage_that_fails_is_drawn_again),
        cmocka_unit_test(dependent_ranges_keep_the_law),
        cmocka_unit_test(draws_come_in_the_order_of_the_file),
        cmocka_unit_test(a_simplex_is_drawn_uniformly),
        cmocka_unit_test(fallback_is_flagged),
        cmocka_unit_test(fallback_is_not_needed),
        cmocka_unit_test(drawing_gives_up_without_fallback),
        cmocka_unit_test(later_fragments_replace_earlier_ones),
        cmocka_unit_test(draws_are_those_of_the_manual),
        cmocka_unit_test(pairs_are_drawn_within_their_classes),
        cmocka_unit_test(what_is_drawn_anew_keeps_the_constraints),
        cmocka_unit_test(a_worker_told_the_ranges_draws_as_the_planner),
        cmocka_unit_test(ranges_are_clipped_to_what_can_hold),
        cmocka_unit_test(invalid_laws_are_refused_in_so_many_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
