/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random streams, against the published answers of Philox, against a Philox written down once more from the
 * paper, and against exact counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/rng.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <string.h>

/* The high half of a product, by schoolbook multiplication of 32-bit halves. */
static uint64_t high_product(uint64_t a, uint64_t b) {
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, cross = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)cross;
    return a1 * b1 + (cross >> 32) + (other >> 32);
}

/* Philox4x64-10 as in Salmon et al. (SC 2011), section 3.3 and table 2. */
static void philox(const uint64_t counter[4], const uint64_t key[2], uint64_t out[4]) {
    const uint64_t m0 = UINT64_C(0xD2E7470EE14C6C93), m1 = UINT64_C(0xCA5A826395121157);
    uint64_t k0 = key[0], k1 = key[1];
    memcpy(out, counter, 4 * sizeof *out);
    for (int round = 0; round < 10; round++) {
        uint64_t next[4] = {high_product(m1, out[2]) ^ out[1] ^ k0, m1 * out[2],
                            high_product(m0, out[0]) ^ out[3] ^ k1, m0 * out[0]};
        memcpy(out, next, sizeof next);
        k0 += UINT64_C(0x9E3779B97F4A7C15);
        k1 += UINT64_C(0xBB67AE8584CAA73B);
    }
}

struct known_answer {
    uint64_t counter[4], key[2], words[4];
};

/* Random123, tests/kat_vectors, lines "philox4x64 10". The third row are digits of pi. */
static const struct known_answer known_answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
    {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
     {UINT64_MAX, UINT64_MAX},
     {0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}},
    {{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
     {0x452821e638d01377, 0xbe5466cf34e90c6c},
     {0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}},
};

static void philox_gives_the_known_answers(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof known_answers / sizeof *known_answers; i++) {
        const struct known_answer *known = &known_answers[i];
        struct cor_rng rng = {.used = COR_RNG_BUFFER};
        uint64_t own[4];
        memcpy(rng.counter, known->counter, sizeof rng.counter);
        memcpy(rng.key, known->key, sizeof rng.key);
        philox(known->counter, known->key, own);
        for (int word = 0; word < 4; word++) {
            assert_true(cor_rng_word(&rng) == known->words[word]);
            assert_true(own[word] == known->words[word]);
        }
    }
}

/* Word i of a stream is word i % 4 of Philox at the counter (i / 4, identity, suite and sequence, arm). */
static void a_name_gives_the_words_of_its_philox_counters(void **unused) {
    (void)unused;
    struct cor_stream_name name = {.seed = 0x0123456789ABCDEF,
                                   .identity = 0xFEDCBA9876543210,
                                   .arm = 3,
                                   .suite = 0xA0000001,
                                   .sequence = 0xB0000002,
                                   .entity = 0xC0000003,
                                   .purpose = COR_PURPOSE_WALK};
    struct cor_rng rng = cor_rng_named(&name);
    const uint64_t key[2] = {name.seed, UINT64_C(7) << 32 | 0xC0000003};
    for (uint64_t i = 0; i < 1000; i++) {
        const uint64_t counter[4] = {i / 4, name.identity, UINT64_C(0xA0000001) << 32 | 0xB0000002, 3};
        uint64_t block[4];
        philox(counter, key, block);
        assert_true(cor_rng_word(&rng) == block[i % 4]);
        if (i == 0)
            assert_true(cor_rng_first_word(&name) == block[0]);
    }
}

/* Names that differ in one bit of one field, each against each. */
static void streams_of_different_names_differ(void **unused) {
    (void)unused;
    enum { MOST = 1000 };
    static struct cor_stream_name names[MOST];
    static uint64_t first[MOST][2];
    uint32_t count = 0;
    for (int bit = 0; bit < 64; bit++) {
        names[count++] = (struct cor_stream_name){.seed = UINT64_C(1) << bit};
        names[count++] = (struct cor_stream_name){.identity = UINT64_C(1) << bit};
    }
    for (int bit = 0; bit < 32; bit++) {
        names[count++] = (struct cor_stream_name){.arm = UINT32_C(1) << bit};
        names[count++] = (struct cor_stream_name){.suite = UINT32_C(1) << bit};
        names[count++] = (struct cor_stream_name){.sequence = UINT32_C(1) << bit};
        names[count++] = (struct cor_stream_name){.entity = UINT32_C(1) << bit};
    }
    for (const struct cor_term *term = cor_terms(COR_FAMILY_PURPOSE); term->word; term++)
        names[count++] = (struct cor_stream_name){.purpose = (enum cor_purpose)term->number};
    assert_in_range(count, 2 * 64 + 4 * 32 + 20, MOST);
    for (uint32_t i = 0; i < count; i++) {
        struct cor_rng rng = cor_rng_named(&names[i]);
        first[i][0] = cor_rng_word(&rng);
        first[i][1] = cor_rng_word(&rng);
        for (uint32_t j = 0; j < i; j++) {
            assert_true(first[i][0] != first[j][0]);
            assert_true(first[i][1] != first[j][1]);
        }
    }
}

/* A copy goes on where the original was, wherever in its buffer that is, and neither disturbs the other. */
static void a_copy_goes_on_where_the_original_was(void **unused) {
    (void)unused;
    for (int given = 0; given < 3 * COR_RNG_BUFFER; given++) {
        struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 5});
        for (int i = 0; i < given; i++)
            (void)cor_rng_word(&rng);
        struct cor_rng copy = rng;
        for (int i = 0; i < 50; i++) {
            uint64_t word = cor_rng_word(&rng);
            assert_true(cor_rng_word(&copy) == word);
        }
    }
}

/* What cor_rng_below makes of one 32-bit word: the result, or -1 when it is rejected. The second word of the
 * stream, all ones, is accepted for every bound. */
static int64_t below_of_word(uint32_t word, uint32_t bound) {
    struct cor_rng rng = {.word = {(uint64_t)word << 32, UINT64_MAX}};
    uint32_t result = cor_rng_below(&rng, bound);
    return rng.used == 1 ? (int64_t)result : -1;
}

/* The words that give `result` are consecutive; from where to where is found by bisection on the product
 * word * bound, which grows with the word. */
static uint32_t first_word_of(uint32_t result, uint32_t bound) {
    uint64_t product = (uint64_t)result << 32; /* least product whose high half is the result */
    return (uint32_t)((product + bound - 1) / bound);
}

static void check_result(uint32_t result, uint32_t bound) {
    uint64_t first = first_word_of(result, bound);
    uint64_t end = result + 1 == bound ? UINT64_C(1) << 32 : first_word_of(result + 1, bound);
    uint64_t share = (UINT64_C(1) << 32) / bound;
    assert_in_range(end - first, share, share + 1);
    assert_int_equal(below_of_word((uint32_t)(end - 1), bound), result);
    assert_int_equal(below_of_word((uint32_t)(end - share), bound), result);
    /* Where one word too many leads to the result, exactly one is rejected. */
    if (end - first > share)
        assert_int_equal(below_of_word((uint32_t)first, bound), -1);
}

/* Every result has exactly floor(2^32 / bound) of all 2^32 words: counted for every result of small bounds,
 * and for samples of the results of large ones. */
static void every_result_below_a_bound_has_the_same_share_of_words(void **unused) {
    (void)unused;
    static const uint32_t bounds[] = {
        1,          2,           3,          5,           7,           10,          64,         641,
        1000,       4096,        10007,      65536,       65537,       0x01000000,  0x55555555, 0x55555556,
        0x7FFFFFFF, 0x80000000u, 0x80000001, 0xAAAAAAABu, 0xC0000000u, 0xFFFFFFFEu, 0xFFFFFFFFu};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 11});
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        uint32_t bound = bounds[i];
        for (uint32_t result = 0; bound <= 65537 && result < bound; result++)
            check_result(result, bound);
        for (int sample = 0; bound > 65537 && sample < 2000; sample++)
            check_result((uint32_t)(cor_rng_word(&rng) % bound), bound);
        check_result(0, bound);
        check_result(bound - 1, bound);
    }
}

/* The number of rejected words of a whole stretch by counting, and what they are. */
static void the_words_rejected_are_those_counted(void **unused) {
    (void)unused;
    const uint32_t bound = 0xC0000001u; /* a quarter of all words is rejected */
    uint32_t rejected = 0;
    for (uint32_t word = 0; word < 1u << 20; word++) {
        uint64_t product = (uint64_t)word * bound;
        int64_t expected =
            (product & UINT32_MAX) < (UINT64_C(1) << 32) % bound ? -1 : (int64_t)(product >> 32);
        assert_int_equal(below_of_word(word, bound), expected);
        rejected += expected < 0;
    }
    assert_in_range(rejected, (1u << 18) - 1000, (1u << 18) + 1000);
}

static double chi_square(const uint32_t *counts, uint32_t cells, double expected) {
    double sum = 0;
    for (uint32_t i = 0; i < cells; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return sum;
}

static void draws_are_uniform(void **unused) {
    (void)unused;
    for (uint32_t bound = 2; bound <= 40; bound += 19) {
        struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .entity = bound});
        uint32_t below[40] = {0}, between[40] = {0}, unit[40] = {0};
        for (uint32_t i = 0; i < 2000 * bound; i++) {
            below[cor_rng_below(&rng, bound)]++;
            int64_t shifted = cor_rng_between(&rng, -7, (int64_t)bound - 8);
            assert_in_range(shifted + 7, 0, bound - 1);
            between[shifted + 7]++;
            double u = cor_rng_unit(&rng);
            assert_true(u >= 0 && u < 1);
            unit[(uint32_t)(u * bound)]++;
        }
        double limit = gsl_cdf_chisq_Pinv(1 - 1e-4, bound - 1);
        assert_true(chi_square(below, bound, 2000) < limit);
        assert_true(chi_square(between, bound, 2000) < limit);
        assert_true(chi_square(unit, bound, 2000) < limit);
    }
}

static void draws_between_reach_the_extremes(void **unused) {
    (void)unused;
    struct cor_rng rng = {.word = {UINT64_MAX, 0, 0}};
    assert_true(cor_rng_between(&rng, INT64_MIN, INT64_MIN + 9) == INT64_MIN + 9);
    rng.used = 0;
    assert_true(cor_rng_between(&rng, INT64_MAX - 9, INT64_MAX) == INT64_MAX);
    rng.used = 0;
    assert_true(cor_rng_between(&rng, -1, -1) == -1);
    rng.used = 0;
    assert_true(cor_rng_between(&rng, 0, (int64_t)UINT32_MAX - 1) == (int64_t)UINT32_MAX - 1);
}

static void unit_draws_reach_0_and_stay_below_1(void **unused) {
    (void)unused;
    struct cor_rng rng = {.word = {UINT64_MAX, 2047, 2048, UINT64_C(1) << 63}};
    assert_true(cor_rng_unit(&rng) == 1 - 0x1p-53);
    assert_true(cor_rng_unit(&rng) == 0);
    assert_true(cor_rng_unit(&rng) == 0x1p-53);
    assert_true(cor_rng_unit(&rng) == 0.5);
}

/* The rank of a permutation of 0 .. 3 among all 24. */
static uint32_t rank_of(const uint32_t items[4]) {
    uint32_t rank = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t smaller = 0;
        for (uint32_t j = i + 1; j < 4; j++)
            smaller += items[j] < items[i];
        rank = rank * (4 - i) + smaller;
    }
    return rank;
}

static void shuffling_is_uniform(void **unused) {
    (void)unused;
    uint32_t counts[24] = {0};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 2});
    for (int i = 0; i < 24 * 4000; i++) {
        uint32_t items[4] = {0, 1, 2, 3};
        cor_rng_shuffle(&rng, items, 4);
        counts[rank_of(items)]++;
    }
    assert_true(chi_square(counts, 24, 4000) < gsl_cdf_chisq_Pinv(1 - 1e-4, 23));
}

static void shuffling_fewer_than_two_draws_nothing(void **unused) {
    (void)unused;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 2});
    uint32_t one = 7;
    cor_rng_shuffle(&rng, NULL, 0);
    cor_rng_shuffle(&rng, &one, 1);
    assert_int_equal(one, 7);
    assert_int_equal(rng.used, COR_RNG_BUFFER); /* nothing to choose, nothing drawn */
}

static void gsl_gives_the_same_words(void **unused) {
    (void)unused;
    gsl_rng *gsl = gsl_rng_alloc(cor_rng_gsl_type());
    assert_non_null(gsl);
    gsl_rng_set(gsl, 42);
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 42, .purpose = COR_PURPOSE_TEST});
    for (int i = 0; i < 100; i++) {
        assert_true(gsl_rng_get(gsl) == cor_rng_word(&rng) >> 32);
        assert_true(gsl_rng_uniform(gsl) == cor_rng_unit(&rng));
    }
    gsl_rng *clone = gsl_rng_clone(gsl);
    assert_true(gsl_rng_get(clone) == cor_rng_word(&rng) >> 32);
    assert_true(gsl_rng_min(gsl) == 0 && gsl_rng_max(gsl) == UINT32_MAX);
    gsl_rng_free(clone);
    gsl_rng_free(gsl);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(a_name_gives_the_words_of_its_philox_counters),
        cmocka_unit_test(streams_of_different_names_differ),
        cmocka_unit_test(a_copy_goes_on_where_the_original_was),
        cmocka_unit_test(every_result_below_a_bound_has_the_same_share_of_words),
        cmocka_unit_test(the_words_rejected_are_those_counted),
        cmocka_unit_test(draws_are_uniform),
        cmocka_unit_test(draws_between_reach_the_extremes),
        cmocka_unit_test(unit_draws_reach_0_and_stay_below_1),
        cmocka_unit_test(shuffling_is_uniform),
        cmocka_unit_test(shuffling_fewer_than_two_draws_nothing),
        cmocka_unit_test(gsl_gives_the_same_words),
    };
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
