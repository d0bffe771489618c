/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays against a judge that knows brute force alone; sizes against what is published; what is impossible
 * against all rows there are; models of PICT; every complaint word by word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/combine.h>
#include <corridor/rng.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_MAX 256
#define TEXT_MAX 8192

/* A model with what it is made of, for a judge of our own. */
struct sample {
    struct cor_words words;
    struct cor_combine_model *model;
    uint32_t width, levels[WIDTH_MAX];
};

static void must(enum cor_status status, const struct cor_error *error) {
    if (status != COR_OK)
        fail_msg("%s: %s (%s)", error->place, error->cause, error->remedy);
}

static void begin(struct sample *sample) {
    struct cor_error error = COR_NO_ERROR;
    *sample = (struct sample){0};
    cor_words_init(&sample->words);
    must(cor_combine_model_create(&sample->words, &sample->model, &error), &error);
}

static void end(struct sample *sample) {
    cor_combine_model_destroy(sample->model);
    cor_words_fini(&sample->words);
}

/* Parameters p0, p1, .. with the values 0 .. levels-1, of which the last `invalid` are invalid. */
static void add(struct sample *sample, uint32_t levels, uint32_t invalid) {
    struct cor_combine_level level[64];
    char name[16], text[64][12];
    struct cor_error error = COR_NO_ERROR;
    assert_true(levels <= 64 && sample->width < WIDTH_MAX);
    for (uint32_t i = 0; i < levels; i++) {
        snprintf(text[i], sizeof text[i], "%u", i);
        level[i] = (struct cor_combine_level){
            .text = text[i], .value = cor_integer(i), .invalid = i + invalid >= levels};
    }
    snprintf(name, sizeof name, "p%u", sample->width);
    sample->levels[sample->width++] = levels;
    must(cor_combine_add_parameter(sample->model, name, COR_VALUE_TYPE_INTEGER, level, levels, NULL, &error),
         &error);
}

/* "3^4 2^2" */
static void add_all(struct sample *sample, const char *levels) {
    unsigned count, times;
    int used;
    for (; sscanf(levels, "%u^%u%n", &count, &times, &used) == 2; levels += used)
        for (unsigned i = 0; i < times; i++)
            add(sample, count, 0);
}

static void constrain(struct sample *sample, const char *text) {
    struct cor_error error = COR_NO_ERROR;
    must(cor_combine_add_constraint(sample->model, text, NULL, &error), &error);
}

static struct cor_combine_request of_strength(uint32_t strength) {
    struct cor_combine_request request = cor_default_combine_request();
    request.strength = strength;
    request.moves = 2000;
    return request;
}

static struct cor_combine_array generate(const struct sample *sample,
                                         const struct cor_combine_request *request) {
    struct cor_combine_array array;
    struct cor_error error = COR_NO_ERROR;
    must(cor_combine_generate(sample->model, request, &array, &error), &error);
    return array;
}

static struct cor_combine_judgement judge(const struct sample *sample,
                                          const struct cor_combine_request *request, const uint32_t *rows,
                                          size_t row_count) {
    struct cor_combine_judgement judgement;
    struct cor_error error = COR_NO_ERROR;
    must(cor_combine_check(sample->model, request, rows, row_count, &judgement, &error), &error);
    return judgement;
}

typedef bool rule(const uint32_t *row);

static bool anything(const uint32_t *row) {
    (void)row;
    return true;
}

/* Is some row that the rule allows, and whose invalid values are these alone, one with the combination? */
static bool brute_possible(const struct sample *sample, rule *allowed, const bool *fixed,
                           const uint32_t *level, bool mixed, uint32_t invalid_wanted) {
    uint32_t row[WIDTH_MAX] = {0};
    for (uint32_t p = 0; p < sample->width; p++)
        row[p] = fixed[p] ? level[p] : 0;
    for (;;) {
        uint32_t invalid = 0, p = 0;
        for (uint32_t q = 0; q < sample->width; q++)
            invalid += cor_combine_level(sample->model, q, row[q])->invalid;
        if (allowed(row) && (mixed || invalid == invalid_wanted))
            return true;
        for (p = 0; p < sample->width; p++) {
            if (fixed[p])
                continue;
            if (++row[p] < sample->levels[p])
                break;
            row[p] = 0;
        }
        if (p == sample->width)
            return false;
    }
}

struct brute {
    uint64_t covered, excluded, missing;
};

/* All combinations of the chosen parameters, by hand. */
static void brute_set(const struct sample *sample, rule *allowed, bool mixed,
                      const struct cor_combine_array *array, const uint32_t *set, uint32_t count,
                      struct brute *brute) {
    uint32_t level[WIDTH_MAX] = {0};
    bool fixed[WIDTH_MAX] = {0};
    for (uint32_t i = 0; i < count; i++)
        fixed[set[i]] = true;
    for (;;) {
        uint32_t invalid = 0, i = 0;
        bool found = false;
        for (uint32_t j = 0; j < count; j++)
            invalid += !mixed && cor_combine_level(sample->model, set[j], level[set[j]])->invalid;
        for (size_t r = 0; r < array->row_count && !found && invalid <= 1; r++) {
            const uint32_t *row = array->levels + r * sample->width;
            uint32_t row_invalid = 0;
            for (uint32_t p = 0; p < sample->width; p++)
                row_invalid += !mixed && cor_combine_level(sample->model, p, row[p])->invalid;
            found = allowed(row) && row_invalid == invalid;
            for (uint32_t j = 0; j < count; j++)
                found = found && row[set[j]] == level[set[j]];
        }
        if (invalid <= 1) {
            brute->covered += found;
            if (!found && brute_possible(sample, allowed, fixed, level, mixed, invalid))
                brute->missing++;
            else if (!found)
                brute->excluded++;
        }
        for (i = 0; i < count; i++) {
            if (++level[set[i]] < sample->levels[set[i]])
                break;
            level[set[i]] = 0;
        }
        if (i == count)
            return;
    }
}

static void brute_sets(const struct sample *sample, rule *allowed, bool mixed,
                       const struct cor_combine_array *array, uint32_t strength, uint32_t *set,
                       uint32_t chosen, uint32_t from, struct brute *brute) {
    if (chosen == strength) {
        brute_set(sample, allowed, mixed, array, set, strength, brute);
        return;
    }
    for (uint32_t p = from; p < sample->width; p++) {
        set[chosen] = p;
        brute_sets(sample, allowed, mixed, array, strength, set, chosen + 1, p + 1, brute);
    }
}

/* Generator, checker and brute force say the same. */
static size_t agree(const struct sample *sample, const struct cor_combine_request *request, rule *allowed) {
    uint32_t set[COR_COMBINE_STRENGTH_MAX];
    struct brute brute = {0};
    struct cor_combine_array array = generate(sample, request);
    struct cor_combine_judgement judgement = judge(sample, request, array.levels, array.row_count);
    for (size_t r = 0; r < array.row_count; r++)
        assert_true(allowed(array.levels + r * sample->width));
    brute_sets(sample, allowed, request->policy == COR_COMBINE_T_WISE, &array, request->strength, set, 0, 0,
               &brute);
    assert_int_equal(brute.missing, 0);
    assert_int_equal(judgement.missing, 0);
    assert_int_equal(judgement.bad_row_count, 0);
    assert_int_equal(judgement.covered, brute.covered);
    assert_int_equal(judgement.excluded, brute.excluded);
    assert_int_equal(array.excluded_count, brute.excluded);
    /* Of no row at all the checker misses what is possible, and only that. */
    judgement = judge(sample, request, array.levels, 0);
    assert_int_equal(judgement.missing, brute.covered);
    assert_int_equal(judgement.excluded, brute.excluded);
    size_t rows = array.row_count;
    cor_combine_array_fini(&array);
    return rows;
}

/* The first arrays go the same ways as the others, which take long; where memory is watched fewer are enough.
 */
#ifdef __SANITIZE_ADDRESS__
enum { ARRAYS = 6 };
#else
enum { ARRAYS = 7 };
#endif
static bool in_full;

/* Sizes that tools are compared by; 120 and 18 combinations are those of paper 000, tables 1 and 3. */
static void arrays_are_as_small_as_the_best_known(void **unused) {
    static const struct {
        const char *levels;
        size_t rows;
    } cases[] = {
        {"3^4", 9}, {"3^13", 15},           {"2^100", 10},         {"5^1 4^1 3^1 2^1", 20}, {"3^2 2^1", 9},
        {"2^1", 2}, {"4^15 3^17 2^29", 29}, {"4^1 3^39 2^35", 21}, {"10^20", 190},
    };
    (void)unused;
    for (size_t i = 0; i < (in_full ? sizeof cases / sizeof *cases : ARRAYS); i++) {
        struct sample sample;
        begin(&sample);
        add_all(&sample, cases[i].levels);
        struct cor_combine_request request = cor_default_combine_request();
        request.strength = sample.width > 1 ? 2 : 1;
        struct cor_combine_array array = generate(&sample, &request);
        struct cor_combine_judgement judgement = judge(&sample, &request, array.levels, array.row_count);
        assert_int_equal(judgement.missing + judgement.bad_row_count + judgement.excluded, 0);
        if (array.row_count > cases[i].rows)
            fail_msg("%s: %zu rows, %zu are known", cases[i].levels, array.row_count, cases[i].rows);
        cor_combine_array_fini(&array);
        end(&sample);
    }
}

static void every_strength_covers_what_brute_force_looks_for(void **unused) {
    (void)unused;
    for (uint32_t strength = 1; strength <= 6; strength++) {
        struct sample sample;
        begin(&sample);
        add_all(&sample, "3^2 2^4 4^1");
        struct cor_combine_request request = of_strength(strength);
        size_t rows = agree(&sample, &request, anything);
        static const size_t least[] = {0, 4, 12, 36, 72, 144, 288};
        assert_true(rows >= least[strength]);
        end(&sample);
    }
}

static bool switched(const uint32_t *row) {
    for (uint32_t p = 1; p < 5; p++)
        if ((row[0] == 0) != (row[p] == 0))
            return false;
    return true;
}

static bool ordered(const uint32_t *row) {
    return row[0] + row[1] <= row[2] + 1 && row[3] != row[4];
}

static bool chained(const uint32_t *row) {
    return (row[0] != 1 || row[1] == 1) && (row[1] != 1 || row[2] == 1) && (row[2] != 1 || row[3] == 1) &&
           !(row[3] == 1 && row[4] == 0);
}

static bool undefined_is_false(const uint32_t *row) {
    return row[1] != 0 && (row[0] / row[1] == 1 || row[2] == 2);
}

/* What constraints imply, too, is found to be impossible, and nothing else. */
static void constraints_exclude_what_brute_force_says(void **unused) {
    static const struct {
        const char *levels, *text;
        rule *allowed;
    } cases[] = {
        {"2^1 3^4",
         "(p0 = 0 implies p1 = 0 and p2 = 0 and p3 = 0 and p4 = 0) and "
         "(p0 != 0 implies p1 != 0 and p2 != 0 and p3 != 0 and p4 != 0)",
         switched},
        {"3^5", "p0 + p1 <= p2 + 1 and not p3 = p4", ordered},
        {"2^4 3^1",
         "(p0 = 1 implies p1 = 1) and (p1 = 1 implies p2 = 1) and (p2 = 1 implies p3 = 1) and not (p3 = 1 "
         "and p4 = 0)",
         chained},
        {"3^4", "p0 / p1 = 1 or p2 = 2", undefined_is_false}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t strength = 1; strength <= 4; strength++) {
            struct sample sample;
            begin(&sample);
            add_all(&sample, cases[i].levels);
            constrain(&sample, cases[i].text);
            struct cor_combine_request request = of_strength(strength);
            agree(&sample, &request, cases[i].allowed);
            end(&sample);
        }
}

/* Random clauses, as the rule below reads them. */
static uint32_t clause_count, clause[16][3][2];

static bool clauses_hold(const uint32_t *row) {
    for (uint32_t i = 0; i < clause_count; i++)
        if (row[clause[i][0][0]] == clause[i][0][1] && row[clause[i][1][0]] == clause[i][1][1] &&
            row[clause[i][2][0]] == clause[i][2][1])
            return false;
    return true;
}

static void random_constraints_and_invalid_values_agree_with_brute_force(void **unused) {
    struct cor_stream_name name = {.seed = 7, .purpose = COR_PURPOSE_TEST};
    struct cor_rng rng = cor_rng_named(&name);
    (void)unused;
    uint32_t satisfiable = 0;
    for (uint32_t round = 0; round < 300; round++) {
        struct sample sample;
        struct cor_error error = COR_NO_ERROR;
        begin(&sample);
        for (uint32_t p = 0; p < 5; p++) {
            uint32_t levels = 2 + cor_rng_below(&rng, 3);
            uint32_t invalid = cor_rng_below(&rng, 3) == 0;
            add(&sample, levels, invalid);
        }
        clause_count = cor_rng_below(&rng, 13);
        for (uint32_t i = 0; i < clause_count; i++) {
            char text[200];
            for (uint32_t j = 0; j < 3; j++) {
                clause[i][j][0] = cor_rng_below(&rng, 5);
                clause[i][j][1] = cor_rng_below(&rng, sample.levels[clause[i][j][0]]);
            }
            if (cor_rng_below(&rng, 2) == 0) /* two parameters */
                memcpy(clause[i][2], clause[i][1], sizeof clause[i][1]);
            snprintf(text, sizeof text, "not (p%u = %u and p%u = %u and p%u = %u)", clause[i][0][0],
                     clause[i][0][1], clause[i][1][0], clause[i][1][1], clause[i][2][0], clause[i][2][1]);
            constrain(&sample, text);
        }
        struct cor_combine_request request = of_strength(1 + cor_rng_below(&rng, 3));
        request.seed = round;
        request.moves = 100;
        request.policy = cor_rng_below(&rng, 4) == 0 ? COR_COMBINE_T_WISE : COR_COMBINE_VALID_T_WISE;
        bool none[WIDTH_MAX] = {0};
        uint32_t zero[WIDTH_MAX] = {0};
        bool any = brute_possible(&sample, clauses_hold, none, zero, request.policy == COR_COMBINE_T_WISE, 0);
        if (any)
            agree(&sample, &request, clauses_hold);
        else {
            struct cor_combine_array array;
            assert_int_equal(cor_combine_generate(sample.model, &request, &array, &error),
                             COR_STATUS_UNSATISFIABLE);
        }
        satisfiable += any;
        end(&sample);
    }
    assert_true(satisfiable > 200);
}

static bool never_both(const uint32_t *row) {
    return !(row[0] == 2 && row[1] == 2);
}

/* The checker is no rubber stamp: an array less one row, or with one cell changed, is judged as brute force
 * judges it. */
static void the_checker_finds_what_was_taken_away(void **unused) {
    struct sample sample;
    (void)unused;
    begin(&sample);
    add_all(&sample, "3^5");
    constrain(&sample, "not (p0 = 2 and p1 = 2)");
    struct cor_combine_request request = of_strength(2);
    struct cor_combine_array array = generate(&sample, &request);
    for (size_t r = 0; r < array.row_count; r++) {
        uint32_t *rows = malloc(array.row_count * sample.width * sizeof *rows), set[2];
        struct brute brute = {0};
        assert_non_null(rows);
        memcpy(rows, array.levels, array.row_count * sample.width * sizeof *rows);
        for (uint32_t p = 0; p < sample.width; p++)
            rows[r * sample.width + p] = rows[p];
        struct cor_combine_array less = {.levels = rows, .row_count = array.row_count};
        brute_sets(&sample, never_both, false, &less, 2, set, 0, 0, &brute);
        struct cor_combine_judgement judgement = judge(&sample, &request, rows, array.row_count);
        assert_int_equal(judgement.missing, brute.missing);
        assert_int_equal(judgement.first_missing.count, brute.missing > 0 ? 2 : 0);
        rows[r * sample.width] = rows[r * sample.width + 1] = 2; /* breaks the constraint */
        judgement = judge(&sample, &request, rows, array.row_count);
        assert_int_equal(judgement.bad_row_count, 1);
        assert_int_equal(judgement.first_bad_row, r);
        assert_string_equal(judgement.first_broken, "not (p0 = 2 and p1 = 2)");
        free(rows);
    }
    cor_combine_array_fini(&array);
    end(&sample);
}

static void all_rows_are_those_that_the_constraints_allow(void **unused) {
    struct sample sample;
    (void)unused;
    begin(&sample);
    add(&sample, 3, 1);
    add(&sample, 3, 1);
    add(&sample, 2, 0);
    constrain(&sample, "not (p0 = 2 and p1 = 2)");
    struct cor_combine_request request = of_strength(2);
    request.policy = COR_COMBINE_ALL;
    struct cor_combine_array array = generate(&sample, &request);
    assert_int_equal(array.row_count, 16);
    assert_int_equal(judge(&sample, &request, array.levels, 16).missing, 0);
    assert_int_equal(judge(&sample, &request, array.levels, 15).missing, 1);
    cor_combine_array_fini(&array);
    request.policy = COR_COMBINE_VALID_ALL;
    array = generate(&sample, &request);
    assert_int_equal(array.valid_row_count, 8);
    assert_int_equal(array.row_count, 12); /* each of two invalid values with two of the others' */
    assert_int_equal(judge(&sample, &request, array.levels, 12).missing, 0);
    assert_int_equal(judge(&sample, &request, array.levels, 8).missing, 8);
    cor_combine_array_fini(&array);
    end(&sample);
}

/* Table 3 of paper 000 by its classes: 18 combinations, 4 of valid classes, and one invalid at a time. */
static void invalid_values_come_one_at_a_time(void **unused) {
    struct sample sample;
    (void)unused;
    begin(&sample);
    add(&sample, 3, 1);
    add(&sample, 3, 2);
    add(&sample, 2, 0);
    struct cor_combine_request request = of_strength(2);
    request.policy = COR_COMBINE_VALID_ALL;
    struct cor_combine_array array = generate(&sample, &request);
    assert_int_equal(array.valid_row_count, 4);
    assert_int_equal(array.row_count, 4 + 2 + 4);
    for (size_t r = 0; r < array.row_count; r++) {
        uint32_t invalid = 0;
        for (uint32_t p = 0; p < 3; p++)
            invalid += cor_combine_level(sample.model, p, array.levels[3 * r + p])->invalid;
        assert_int_equal(invalid, r >= 4);
    }
    cor_combine_array_fini(&array);
    end(&sample);
}

static void parts_are_covered_more_strongly(void **unused) {
    struct sample sample;
    struct cor_error error = COR_NO_ERROR;
    (void)unused;
    begin(&sample);
    add_all(&sample, "3^6");
    uint32_t members[] = {4, 1, 2};
    must(cor_combine_add_part(sample.model, members, 3, 3, NULL, &error), &error);
    struct cor_combine_request request = of_strength(2);
    struct cor_combine_array array = generate(&sample, &request);
    struct cor_combine_judgement judgement = judge(&sample, &request, array.levels, array.row_count);
    assert_int_equal(judgement.missing, 0);
    assert_int_equal(judgement.wanted, 12 * 9 + 27); /* pairs within the part are covered with it */
    assert_true(array.row_count >= 27 && array.row_count <= 29);
    struct brute brute = {0};
    uint32_t set[] = {1, 2, 4};
    brute_set(&sample, anything, false, &array, set, 3, &brute);
    assert_int_equal(brute.covered, 27);
    cor_combine_array_fini(&array);
    end(&sample);
}

static void rows_to_keep_come_first_and_are_completed(void **unused) {
    struct sample sample;
    struct cor_error error = COR_NO_ERROR;
    (void)unused;
    begin(&sample);
    add_all(&sample, "3^4");
    constrain(&sample, "p0 = 2 implies p1 = 2");
    uint32_t whole[] = {0, 0, 0, 0}, open[] = {2, COR_COMBINE_ANY, COR_COMBINE_ANY, 1};
    must(cor_combine_add_row(sample.model, whole, "rows:1", &error), &error);
    must(cor_combine_add_row(sample.model, whole, "rows:2", &error), &error);
    must(cor_combine_add_row(sample.model, open, "rows:3", &error), &error);
    struct cor_combine_request request = of_strength(2);
    struct cor_combine_array array = generate(&sample, &request);
    assert_memory_equal(array.levels, whole, sizeof whole);
    assert_memory_equal(array.levels + 4, whole, sizeof whole);
    assert_int_equal(array.levels[8], 2);
    assert_int_equal(array.levels[9], 2);
    assert_int_equal(array.levels[11], 1);
    assert_int_equal(judge(&sample, &request, array.levels, array.row_count).missing, 0);
    cor_combine_array_fini(&array);
    open[1] = 0;
    must(cor_combine_add_row(sample.model, open, "rows:4", &error), &error);
    assert_int_equal(cor_combine_generate(sample.model, &request, &array, &error), COR_STATUS_UNSATISFIABLE);
    assert_string_equal(error.place, "rows:4");
    assert_string_equal(error.cause, "the constraints exclude a row to keep: p0 = 2 implies p1 = 2");
    end(&sample);
}

/* The same rows again, and others with another seed. */
static void the_same_seed_gives_the_same_rows(void **unused) {
    struct cor_combine_array array[3];
    (void)unused;
    for (uint64_t i = 0; i < 3; i++) {
        struct sample sample;
        begin(&sample);
        add_all(&sample, "4^3 3^4 2^9");
        constrain(&sample, "p0 = 1 implies p5 > 0");
        struct cor_combine_request request = of_strength(2);
        request.seed = 1 + i / 2;
        array[i] = generate(&sample, &request);
        end(&sample);
    }
    assert_int_equal(array[0].row_count, array[1].row_count);
    assert_memory_equal(array[0].levels, array[1].levels, array[0].row_count * 16 * sizeof(uint32_t));
    assert_true(array[0].row_count != array[2].row_count ||
                memcmp(array[0].levels, array[2].levels, array[0].row_count * 16 * sizeof(uint32_t)) != 0);
    for (uint64_t i = 0; i < 3; i++)
        cor_combine_array_fini(&array[i]);
}

struct published {
    char name[32];
    size_t pict, jenny, prototype, best;
    uint32_t owner[4096], level[4096]; /* of each value, numbered through */
    uint32_t excluded[128][8], length[128];
    uint32_t excluded_count;
};

static void read_excluded(struct sample *sample, struct published *model, char *line) {
    for (char *next, *at = line; at; at = next) {
        char text[400] = "not (";
        uint32_t *of = model->excluded[model->excluded_count], value, length = 0;
        int used;
        next = strchr(at, ',');
        if (next)
            *next++ = '\0';
        for (; sscanf(at, "%u%n", &value, &used) == 1; at += used) {
            size_t written = strlen(text);
            of[length++] = value;
            snprintf(text + written, sizeof text - written, "%sp%u = %u", length > 1 ? " and " : "",
                     model->owner[value], model->level[value]);
        }
        strcat(text, ")");
        model->length[model->excluded_count++] = length;
        constrain(sample, text);
    }
}

/* The next model of the file; false at its end. */
static bool read_published(FILE *file, struct sample *sample, struct published *model) {
    char line[TEXT_MAX];
    do {
        if (!fgets(line, sizeof line, file))
            return false;
    } while (line[0] == '#' || sscanf(line, "%31s %zu %zu %zu %zu", model->name, &model->pict, &model->jenny,
                                      &model->prototype, &model->best) != 5);
    begin(sample);
    assert_non_null(fgets(line, sizeof line, file));
    add_all(sample, line);
    uint32_t value = 0;
    for (uint32_t p = 0; p < sample->width; p++)
        for (uint32_t l = 0; l < sample->levels[p]; l++, value++) {
            model->owner[value] = p;
            model->level[value] = l;
        }
    assert_non_null(fgets(line, sizeof line, file));
    model->excluded_count = 0;
    read_excluded(sample, model, line);
    return true;
}

/* Pairs that no row has, by rows alone; none of the rows holds what is excluded. */
static size_t pairs_without_row(const struct sample *sample, const struct published *model,
                                const struct cor_combine_array *array) {
    size_t missing = 0;
    for (size_t r = 0; r < array->row_count; r++)
        for (uint32_t i = 0; i < model->excluded_count; i++) {
            bool holds = true;
            for (uint32_t j = 0; j < model->length[i]; j++)
                holds = holds && array->levels[r * sample->width + model->owner[model->excluded[i][j]]] ==
                                     model->level[model->excluded[i][j]];
            assert_false(holds);
        }
    for (uint32_t p = 0; p < sample->width; p++)
        for (uint32_t q = p + 1; q < sample->width; q++) {
            bool seen[64] = {0};
            for (size_t r = 0; r < array->row_count; r++)
                seen[array->levels[r * sample->width + p] * sample->levels[q] +
                     array->levels[r * sample->width + q]] = true;
            for (uint32_t i = 0; i < sample->levels[p] * sample->levels[q]; i++)
                missing += !seen[i];
        }
    return missing;
}

/* All models take long: the first three go the same ways, the full test has all, and where memory is watched
 * two are enough. */
#ifdef __SANITIZE_ADDRESS__
static uint32_t published = 2;
#else
static uint32_t published = 3;
#endif
enum { ALL_PUBLISHED = 35 };

/* Of the 35 models that tools with constraints are compared by, none takes more rows than the earlier
 * prototype needed, which needed fewer than PICT and jenny. */
static void published_models_take_no_more_rows_than_named(void **unused) {
    FILE *file = fopen(TEST_SOURCE_DIR "/experiments/engines/combine/tests/casa_models.txt", "r");
    struct published *model = malloc(sizeof *model);
    struct sample sample;
    uint32_t count = 0, best = 0;
    (void)unused;
    assert_true(file && model);
    for (; count < published && read_published(file, &sample, model); count++) {
        struct cor_combine_request request = cor_default_combine_request();
        struct cor_combine_array array = generate(&sample, &request);
        struct cor_combine_judgement judgement = judge(&sample, &request, array.levels, array.row_count);
        assert_int_equal(judgement.missing + judgement.bad_row_count, 0);
        assert_int_equal(judgement.excluded, array.excluded_count);
        assert_int_equal(pairs_without_row(&sample, model, &array), array.excluded_count);
        if (array.row_count > model->prototype || array.row_count > model->pict ||
            array.row_count > model->jenny)
            fail_msg("%s: %zu rows, %zu are named", model->name, array.row_count, model->prototype);
        best += array.row_count <= model->best;
        cor_combine_array_fini(&array);
        end(&sample);
    }
    assert_int_equal(count, published);
    assert_true(5 * best >= 3 * count);
    assert_true(published < ALL_PUBLISHED || !read_published(file, &sample, model)); /* there are no more */
    free(model);
    fclose(file);
}

static enum cor_status read_pict(struct sample *sample, const char *text, struct cor_error *error) {
    begin(sample);
    enum cor_status status = cor_combine_read_text(text, "m.pict", sample->model, error);
    sample->width = cor_combine_parameter_count(sample->model);
    for (uint32_t p = 0; p < sample->width; p++)
        sample->levels[p] = cor_combine_level_count(sample->model, p);
    return status;
}

/* A constraint of PICT's language over A: 1, 2, 3; B: x, Y z, ~w; C: 0.5, 2 against the rows it should allow.
 */
static void picts_constraints_mean_what_pict_says(void **unused) {
    static const struct {
        const char *text;
        const char *allowed; /* rows as digits of levels, blanks between; "all" less "-" ones */
    } cases[] = {
        {"IF [A] = 1 THEN [B] = \"x\";", "000 001 100 101 110 111 120 121 200 201 210 211 220 221"},
        {"IF [a] = 1 THEN [b] = \"X\" ELSE [C] > 1;", "000 001 101 111 121 201 211 221"},
        {"[A] IN {1, 3} AND NOT [B] LIKE \"y*\";", "000 001 020 021 200 201 220 221"},
        {"[B] NOT IN {\"x\", \"y Z\"};", "020 021 120 121 220 221"},
        {"[B] LIKE \"?\" OR ([A] >= 2 AND [C] <> 0.5);",
         "000 001 020 021 100 101 111 120 121 200 201 211 220 221"},
        {"[A] = [C];", "101 111 121"},
        {"[A] > [C];", "000 010 020 100 110 120 200 201 210 211 220 221"},
        {"IsNegative(B) AND [A] < 2;", "020 021"},
        {"NOT (IsPositive([B]) OR [A] = 2) ;", "020 021 220 221"},
        {"# nothing\nif not [B] = \"x\" then\n [A] = 3;", "000 001 100 101 200 201 210 211 220 221"},
        {"[B] > \"w\" AND [C] = 2.0;", "001 101 201 011 111 211"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample sample;
        struct cor_error error = COR_NO_ERROR;
        char text[500];
        snprintf(text, sizeof text, "# a comment\nA: 1, 2, 3\nB: x | ex, Y z (10) , ~w\nC: 0.5, 2\n\n%s\n",
                 cases[i].text);
        must(read_pict(&sample, text, &error), &error);
        struct cor_combine_request request = of_strength(2);
        request.policy = COR_COMBINE_ALL;
        struct cor_combine_array array = generate(&sample, &request);
        size_t wanted = (strlen(cases[i].allowed) + 1) / 4;
        for (size_t r = 0; r < array.row_count; r++) {
            char row[4] = {0};
            for (uint32_t p = 0; p < 3; p++)
                row[p] = (char)('0' + array.levels[3 * r + p]);
            if (!strstr(cases[i].allowed, row))
                fail_msg("%s allows %s", cases[i].text, row);
        }
        if (array.row_count != wanted)
            fail_msg("%s: %zu rows, %zu wanted", cases[i].text, array.row_count, wanted);
        cor_combine_array_fini(&array);
        end(&sample);
    }
}

static void picts_parameters_and_sub_models_are_read(void **unused) {
    struct sample sample;
    struct cor_error error = COR_NO_ERROR;
    (void)unused;
    must(read_pict(&sample,
                   "Size: 1, 2 , ~-1\r\nThe name: \"a, b\", c | d\nCopy: <Size>, 7\nLast: 1, x\n"
                   "{ Size, copy, LAST } @ 3\n{ Size, Last }\n",
                   &error),
         &error);
    assert_int_equal(sample.width, 4);
    assert_string_equal(cor_combine_level(sample.model, 0, 2)->text, "~-1");
    assert_true(cor_combine_level(sample.model, 0, 2)->invalid);
    assert_int_equal(cor_combine_level(sample.model, 0, 2)->value.as.integer, -1);
    assert_string_equal(cor_combine_parameter_name(sample.model, 1), "The name");
    assert_string_equal(cor_combine_level(sample.model, 1, 0)->text, "a, b");
    assert_string_equal(cor_combine_level(sample.model, 1, 1)->text, "c");
    assert_int_equal(sample.levels[2], 4);
    assert_true(cor_combine_level(sample.model, 2, 2)->invalid);
    assert_int_equal(cor_combine_level(sample.model, 3, 0)->value.kind, COR_VALUE_WORD);
    struct cor_combine_request request = of_strength(2);
    struct cor_combine_array array = generate(&sample, &request);
    assert_true(array.valid_row_count >= 12); /* 2 * 3 * 2 of the part */
    assert_int_equal(judge(&sample, &request, array.levels, array.row_count).missing, 0);
    cor_combine_array_fini(&array);
    end(&sample);
}

static void rows_are_read_as_they_are_written(void **unused) {
    struct sample sample;
    struct cor_error error = COR_NO_ERROR;
    struct cor_combine_rows rows;
    (void)unused;
    must(read_pict(&sample, "A: 1, 2, ~-1\nB: \"x, y\", z\n", &error), &error);
    must(cor_combine_read_rows("B;A\n\n\"x, y\"; 1.0\r\nz;~-1\nz;-1", "rows", sample.model, true, &rows,
                               &error),
         &error);
    static const uint32_t wanted[] = {0, 0, 2, 1, 2, 1}, lines[] = {3, 4, 5};
    assert_int_equal(rows.row_count, 3);
    assert_memory_equal(rows.levels, wanted, sizeof wanted);
    assert_memory_equal(rows.lines, lines, sizeof lines);
    cor_combine_rows_fini(&rows);
    must(cor_combine_read_rows("A,B\n2,\n", "rows", sample.model, false, &rows, &error), &error);
    assert_int_equal(rows.levels[0], 1);
    assert_true(rows.levels[1] == COR_COMBINE_ANY);
    cor_combine_rows_fini(&rows);
    end(&sample);
}

int main(int count, char **arguments) {
    in_full = count > 1 && strcmp(arguments[1], "full") == 0;
    published = in_full ? ALL_PUBLISHED : published;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_as_small_as_the_best_known),
        cmocka_unit_test(every_strength_covers_what_brute_force_looks_for),
        cmocka_unit_test(constraints_exclude_what_brute_force_says),
        cmocka_unit_test(random_constraints_and_invalid_values_agree_with_brute_force),
        cmocka_unit_test(the_checker_finds_what_was_taken_away),
        cmocka_unit_test(all_rows_are_those_that_the_constraints_allow),
        cmocka_unit_test(invalid_values_come_one_at_a_time),
        cmocka_unit_test(parts_are_covered_more_strongly),
        cmocka_unit_test(rows_to_keep_come_first_and_are_completed),
        cmocka_unit_test(the_same_seed_gives_the_same_rows),
        cmocka_unit_test(published_models_take_no_more_rows_than_named),
        cmocka_unit_test(picts_constraints_mean_what_pict_says),
        cmocka_unit_test(picts_parameters_and_sub_models_are_read),
        cmocka_unit_test(rows_are_read_as_they_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
