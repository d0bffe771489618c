/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/explored.h>

#include <corridor/array.h>
#include <corridor/fields.h>

#include <math.h>
#include <stdlib.h>

/* What is read, and who knows the inputs. */
struct reading {
    struct cor_explored explored; /* first */
    cor_find_input *find;
    const void *of;
};

enum cor_status cor_explored_input_read(const struct cor_json *json, cor_find_input *find, const void *of,
                                        struct cor_explored_input *input, struct cor_error *error) {
    *input = (struct cor_explored_input){.name = json->key, .low = -1e300, .high = 1e300};
    if (find)
        COR_TRY(find(of, json, input, error));
    COR_TRY(cor_json_expect_array(json, 2, 2, error));
    const struct cor_json first = cor_json_at(json, 0), second = cor_json_at(json, 1);
    COR_TRY(cor_json_real(&first, input->low, input->high, &input->low, error));
    COR_TRY(cor_json_real(&second, input->low, input->high, &input->high, error));
    if (input->is_integer && (floor(input->low) != input->low || floor(input->high) != input->high))
        return cor_json_fail(json, error, "write whole numbers", "\"%s\" is drawn from whole numbers",
                             json->key);
    if (!(input->low < input->high))
        return cor_json_fail(json, error, "widen it, or leave the parameter out", "is a range of one value");
    return COR_OK;
}

static enum cor_status read_inputs(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    const size_t count = cor_json_size(json);
    COR_TRY(cor_json_expect_object(json, NULL, error));
    if (count < 1 || count > COR_INPUT_DESIGN_INPUTS_MAX)
        return cor_json_fail(json, error, "name the parameters of which you want to know",
                             "has %zu inputs, expected 1 to %d", count, COR_INPUT_DESIGN_INPUTS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(
            cor_explored_input_read(&item, reading->find, reading->of, &reading->explored.inputs[i], error));
    }
    reading->explored.design.inputs = (uint32_t)count;
    return COR_OK;
}

static enum cor_status read_measures(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_explored *explored = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_MEASURES_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_string(&item, &explored->measures[explored->measure_count++], error));
    }
    return COR_OK;
}

static const struct cor_field fields[] = {
    {"design", COR_REQUIRED,
     COR_ONE_OF_FIELD(struct cor_explored, design.kind, cor_input_design_words, 0, "design")},
    {"points", COR_REQUIRED,
     COR_INTEGER_FIELD(struct cor_explored, design.points, 1, COR_INPUT_DESIGN_ROWS_MAX)},
    {"inputs", COR_REQUIRED, COR_READ_FIELD(read_inputs)},
    {"measures", COR_OPTIONAL, COR_READ_FIELD(read_measures)},
    {0}};

enum cor_status cor_explored_read(const struct cor_json *json, cor_find_input *find, const void *of,
                                  struct cor_explored *explored, struct cor_error *error) {
    struct reading reading = {.find = find, .of = of};
    const enum cor_status status = cor_json_fields(json, fields, &reading, error);
    *explored = reading.explored;
    COR_TRY(status);
    const struct cor_input_design *design = &explored->design;
    if (design->points < cor_input_design_fewest[design->kind])
        return cor_json_fail(json, error, "give it more", "has %u points; %s has at least %u", design->points,
                             cor_input_design_words[design->kind], cor_input_design_fewest[design->kind]);
    if (cor_input_design_rows(design) > COR_INPUT_DESIGN_ROWS_MAX)
        return cor_json_fail(json, error, "give it fewer points or inputs",
                             "makes a design of %llu rows; at most %d are made",
                             (unsigned long long)cor_input_design_rows(design), COR_INPUT_DESIGN_ROWS_MAX);
    return COR_OK;
}

enum cor_status cor_explored_make(struct cor_explored *explored, const struct cor_json *json, uint64_t seed,
                                  uint32_t stream, uint32_t suites, struct cor_error *error) {
    const uint64_t rows = cor_input_design_rows(&explored->design);
    if (explored->rows)
        return COR_OK;
    if (suites == 0 || suites > rows)
        return cor_json_fail(json, error, "let \"suites\" be as many as rows",
                             "is a design of %llu rows, each a suite: %s", (unsigned long long)rows,
                             suites == 0 ? "the experiment has no end" : "there are more suites");
    const struct cor_stream_name name = {.seed = seed, .arm = stream, .purpose = COR_PURPOSE_COMBINE};
    struct cor_rng rng = cor_rng_named(&name);
    explored->rows = cor_calloc(rows * explored->design.inputs, sizeof *explored->rows);
    COR_TRY(cor_made(explored->rows, error));
    return cor_input_design_make(&explored->design, &rng, explored->rows, error);
}

void cor_explored_fini(struct cor_explored *explored) {
    if (!explored)
        return;
    free(explored->rows);
    *explored = (struct cor_explored){.rows = NULL};
}

uint32_t cor_explored_stream(const struct cor_explored *explored, uint32_t suite) {
    return explored && suite < cor_input_design_rows(&explored->design)
               ? cor_input_design_stream(&explored->design, suite)
               : suite;
}

double cor_explored_value(const struct cor_explored *explored, uint32_t input, uint32_t suite) {
    const struct cor_explored_input *its = &explored->inputs[input];
    const uint64_t row = suite % cor_input_design_rows(&explored->design);
    const double at = explored->rows[row * explored->design.inputs + input];
    double value = its->low + at * (its->high - its->low);
    if (its->is_integer)
        value = explored->design.kind == COR_INPUT_DESIGN_MORRIS
                    ? floor(value + 0.5)
                    : its->low + floor(at * (its->high - its->low + 1));
    return value < its->high ? value : its->high;
}

void cor_explored_set(const struct cor_explored *explored, uint32_t suite) {
    for (uint32_t i = 0; explored && i < explored->design.inputs; i++) {
        const struct cor_explored_input *its = &explored->inputs[i];
        const double value = cor_explored_value(explored, i, suite);
        if (its->real)
            *its->real = value;
        if (its->whole)
            *its->whole = (uint32_t)value;
    }
}
