/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Designs read from files, their units, classes and cases, against what the paper prints and against brute
 * force. Orders of random designs: test_order.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/agent_fault.h>
#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/unit_cases.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGENTS TEST_SOURCE_DIR "/experiments/library/agents/"

static struct cor_design_file *design_of(const char *path) {
    struct cor_design_file *file;
    struct cor_error error = COR_NO_ERROR;
    if (cor_design_file_read(path, &file, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return file;
}

static struct cor_design_file *parsed(const char *text) {
    struct cor_design_file *file;
    struct cor_error error = COR_NO_ERROR;
    if (cor_design_file_parse(text, "text", &file, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return file;
}

static struct cor_unit_cases cases_of(const struct cor_design_file *file, const char *unit,
                                      const struct cor_test_settings *settings) {
    struct cor_unit_cases cases;
    struct cor_error error = COR_NO_ERROR;
    uint32_t index;
    assert_int_equal(cor_design_file_unit(file, unit, NULL, &index, &error), COR_OK);
    if (cor_unit_cases_init(&cases, file, index, settings, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return cases;
}

static void check_list(const struct cor_design *design, const struct cor_units *units,
                       const struct cor_json *expected) {
    assert_int_equal(units->count, cor_json_size(expected));
    for (uint32_t u = 0; u < units->count; u++) {
        const struct cor_json item = cor_json_at(expected, u);
        const char *name;
        char *found = cor_unit_name(design, units, u);
        assert_int_equal(cor_json_string(&item, &name, NULL), COR_OK);
        assert_string_equal(found, name);
        free(found);
    }
}

/* The list that a figure's file expects under `key`. */
static void check_expectation(const char *path, const char *key, const struct cor_design *design,
                              const struct cor_units *units) {
    struct cor_json_document *document;
    struct cor_json expect, list;
    assert_int_equal(cor_json_read(path, &document, NULL), COR_OK);
    const struct cor_json root = cor_json_root(document);
    assert_true(cor_json_find(&root, "expect", &expect));
    assert_true(cor_json_find(&expect, key, &list));
    check_list(design, units, &list);
    cor_json_destroy(document);
}

static void the_units_of_fig_2_are_those_of_the_paper(void **state) {
    (void)state;
    struct cor_design_file *file = design_of(AGENTS "fig2.json");
    check_expectation(AGENTS "fig2.json", "final_scc", file->design, &file->order.units);
    cor_design_file_destroy(file);
}

static void the_four_lists_of_fig_4_are_printed_letter_by_letter(void **state) {
    (void)state;
    static const char *const keys[COR_PAPER_STEPS] = {"step1", "step2", "step3", "final"};
    struct cor_design_file *file = design_of(AGENTS "fig4.json");
    struct cor_units steps[COR_PAPER_STEPS];
    assert_int_equal(cor_paper_order_init(steps, file->design, NULL), COR_OK);
    for (int s = 0; s < COR_PAPER_STEPS; s++)
        check_expectation(AGENTS "fig4.json", keys[s], file->design, &steps[s]);
    cor_paper_order_fini(steps);
    cor_design_file_destroy(file);
}

/* A line "unit;combinations;valid;invalid_single". */
static void check_counts(const struct cor_design_file *file, uint32_t unit, const char *line) {
    struct cor_unit_cases cases;
    char *name = cor_unit_name(file->design, &file->order.units, unit);
    assert_int_equal(cor_unit_cases_init(&cases, file, unit, NULL, NULL), COR_OK);
    char *found = cor_format("%s;%llu;%llu;%llu\n", name, (unsigned long long)cases.combinations,
                             (unsigned long long)cases.valid, (unsigned long long)cases.invalid_single);
    assert_string_equal(found, line);
    free(found);
    free(name);
    cor_unit_cases_fini(&cases);
}

static void the_stock_manager_has_the_order_and_counts_of_the_data(void **state) {
    (void)state;
    char line[512];
    struct cor_design_file *file = design_of(AGENTS "stock_manager.json");
    FILE *counts = fopen(AGENTS "stock_manager_counts.csv", "r");
    assert_non_null(counts);
    assert_non_null(fgets(line, sizeof line, counts)); /* names of columns */
    for (uint32_t u = 0; u < file->order.units.count; u++) {
        assert_non_null(fgets(line, sizeof line, counts));
        check_counts(file, u, line);
    }
    assert_null(fgets(line, sizeof line, counts));
    fclose(counts);
    cor_design_file_destroy(file);
}

/* "variable domain valid|invalid" a class. */
static void check_classes(const struct cor_unit_cases *cases, const char *const *expected) {
    for (uint32_t v = 0; v < cases->variable_count; v++) {
        const struct cor_unit_variable *variable = &cases->variables[v];
        for (uint32_t c = 0; c < variable->class_count; c++) {
            const struct cor_unit_class *class = &cases->classes[variable->first_class + c];
            char name[64], domain[64];
            cor_unit_variable_text(cases, &cases->entries[0], variable, name, sizeof name);
            cor_unit_class_text(cases, variable, class, domain, sizeof domain);
            char *found = cor_format("%s %s %s", name, domain, class->valid ? "valid" : "invalid");
            assert_non_null(*expected);
            assert_string_equal(found, *expected++);
            free(found);
        }
    }
    assert_null(*expected);
}

static void the_classes_of_table_1_are_those_of_the_paper(void **state) {
    (void)state;
    static const char *const table[] = {"stock (-inf, 0) invalid",
                                        "stock 0 valid",
                                        "stock (0, 200) valid",
                                        "stock 200 valid",
                                        "stock (200, +inf) invalid",
                                        "price (-inf, 0.0) invalid",
                                        "price 0.0 valid",
                                        "price (0.0, +inf) valid",
                                        "bookName null invalid",
                                        "bookName not null valid",
                                        "supplier Amazon valid",
                                        "supplier Angus&Robertson valid",
                                        "supplier Powells valid",
                                        "supplier Dymocks valid",
                                        NULL};
    struct cor_design_file *file = design_of(AGENTS "paper_table1.json");
    struct cor_unit_cases cases = cases_of(file, "PT(Look_up)", NULL);
    check_classes(&cases, table);
    assert_int_equal(cases.combinations, 120);
    assert_int_equal(cases.count, 120);
    cor_unit_cases_fini(&cases);
    cor_design_file_destroy(file);
}

/* How many of the cases are valid. */
static uint64_t count_valid(const struct cor_unit_cases *cases) {
    struct cor_case_values values;
    uint64_t valid = 0;
    assert_int_equal(cor_case_values_init(&values, cases->file->design, NULL), COR_OK);
    for (uint64_t i = 0; i < cases->count; i++) {
        cor_unit_case_make(cases, i, &values);
        valid += values.valid;
    }
    cor_case_values_fini(&values);
    return valid;
}

static void table_4_has_18_combinations_4_of_them_valid(void **state) {
    (void)state;
    static const char *const table[] = {"BookID (-inf, 0) invalid",
                                        "BookID 0 valid",
                                        "BookID (0, +inf) valid",
                                        "NumberOrdered (-inf, 0) invalid",
                                        "NumberOrdered 0 invalid",
                                        "NumberOrdered (0, +inf) valid",
                                        "Urgent true valid",
                                        "Urgent false valid",
                                        NULL};
    struct cor_design_file *file = design_of(AGENTS "paper_table3.json");
    struct cor_unit_cases cases = cases_of(file, "PT(Out_of_stock_response)", NULL);
    check_classes(&cases, table);
    assert_int_equal(cases.count, 18);
    assert_int_equal(count_valid(&cases), 4);
    cor_unit_cases_fini(&cases);
    cor_design_file_destroy(file);
}

/* Of any two variables all pairs of classes, each in some case. */
static void check_pairs(const struct cor_unit_cases *cases) {
    struct cor_case_values values;
    const struct cor_case_entry *entry = &cases->entries[0];
    bool *seen = cor_calloc((size_t)cases->class_count * cases->class_count, sizeof *seen);
    assert_int_equal(cor_case_values_init(&values, cases->file->design, NULL), COR_OK);
    for (uint64_t i = 0; i < cases->count; i++) {
        cor_unit_case_make(cases, i, &values);
        for (uint32_t a = 0; a < entry->variable_count; a++)
            for (uint32_t b = 0; b < entry->variable_count; b++)
                seen[values.classes[a] * cases->class_count + values.classes[b]] = true;
    }
    for (uint32_t a = 0; a < cases->class_count; a++)
        for (uint32_t b = 0; b < cases->class_count; b++) {
            bool same = false;
            for (uint32_t v = 0; v < entry->variable_count; v++) {
                const struct cor_unit_variable *of = &cases->variables[v];
                same =
                    same || (a - of->first_class < of->class_count && b - of->first_class < of->class_count);
            }
            assert_true(same || seen[a * cases->class_count + b]);
        }
    cor_case_values_fini(&values);
    free(seen);
}

static void check_reduced(const char *path, const char *unit, uint64_t rows) {
    struct cor_design_file *file = design_of(path);
    struct cor_test_settings settings = file->design->settings;
    settings.policy = COR_POLICY_T_WISE;
    settings.strength = 2;
    struct cor_unit_cases cases = cases_of(file, unit, &settings);
    assert_int_equal(cases.count, rows);
    check_pairs(&cases);
    cor_unit_cases_fini(&cases);
    cor_design_file_destroy(file);
}

/* The least there can be: 5 times 4 classes, 3 times 3. The paper's tool needed 24 and 9. */
static void tables_1_and_4_are_reduced_to_20_and_9(void **state) {
    (void)state;
    check_reduced(AGENTS "paper_table1.json", "PT(Look_up)", 20);
    check_reduced(AGENTS "paper_table3.json", "PT(Out_of_stock_response)", 9);
}

/* Each invalid class is in cases whose other classes are valid, and these are all there; no case has two. */
static void check_single(const struct cor_unit_cases *cases) {
    struct cor_case_values values;
    bool *beside = cor_calloc((size_t)cases->class_count * cases->class_count, sizeof *beside);
    assert_int_equal(cor_case_values_init(&values, cases->file->design, NULL), COR_OK);
    for (uint64_t i = 0; i < cases->count; i++) {
        uint32_t invalid = COR_NONE, count = 0;
        cor_unit_case_make(cases, i, &values);
        for (uint32_t v = 0; v < cases->entries[values.entry].variable_count; v++)
            if (!cases->classes[values.classes[v]].valid) {
                invalid = values.classes[v];
                count++;
            }
        assert_int_equal(count, values.valid ? 0 : 1);
        for (uint32_t v = 0; count > 0 && v < cases->entries[values.entry].variable_count; v++)
            beside[invalid * cases->class_count + values.classes[v]] = true;
    }
    for (uint32_t e = 0; e < cases->entry_count; e++)
        for (uint32_t a = 0; a < cases->entries[e].variable_count; a++)
            for (uint32_t b = 0; b < cases->entries[e].variable_count; b++) {
                const struct cor_unit_variable *one = &cases->variables[cases->entries[e].first_variable + a];
                const struct cor_unit_variable *other =
                    &cases->variables[cases->entries[e].first_variable + b];
                for (uint32_t i = one->first_class; a != b && i < one->first_class + one->class_count; i++)
                    for (uint32_t v = other->first_class; v < other->first_class + other->class_count; v++)
                        if (!cases->classes[i].valid && cases->classes[v].valid)
                            assert_true(beside[i * cases->class_count + v]);
            }
    cor_case_values_fini(&values);
    free(beside);
}

static void invalid_values_come_one_at_a_time_with_every_valid_class(void **state) {
    (void)state;
    struct cor_design_file *file = design_of(AGENTS "stock_manager.json");
    for (uint32_t u = 0; u < file->order.units.count; u++) {
        struct cor_unit_cases cases;
        assert_int_equal(cor_unit_cases_init(&cases, file, u, NULL, NULL), COR_OK);
        check_single(&cases);
        cor_unit_cases_fini(&cases);
    }
    cor_design_file_destroy(file);
}

static bool lies_in(const struct cor_unit_class *class, struct cor_value value) {
    if (class->kind == COR_CLASS_VALUE)
        return cor_value_equal(class->sample, value);
    double number = value.kind == COR_VALUE_INTEGER ? (double)value.as.integer : value.as.real;
    double low = class->low.kind == COR_VALUE_INTEGER ? (double)class->low.as.integer : class->low.as.real;
    double high =
        class->high.kind == COR_VALUE_INTEGER ? (double)class->high.as.integer : class->high.as.real;
    return (class->low.kind == COR_VALUE_NULL || number > low) &&
           (class->high.kind == COR_VALUE_NULL || number < high);
}

/* Every value of a range lies in exactly one class, and samples lie in their own. */
static void classes_divide_the_values_of_a_domain(void **state) {
    (void)state;
    static const char text[] =
        "{\"format\":\"agent-unit/1\",\"agent\":\"A\",\"entry\":[\"e\"],\"events\":[{\"name\":\"e\",\"kind\":"
        "\"percept\",\"params\":[{\"name\":\"a\",\"type\":\"int\",\"valid\":[\">= -3\",\"!= 2\",\"< 9\"]},"
        "{\"name\":\"b\",\"type\":\"int\"},{\"name\":\"c\",\"type\":\"float\",\"valid\":[\"> 0.25\"]}]}],"
        "\"plans\":[{\"name\":\"p\",\"trigger\":\"e\",\"bounds\":{\"b\":[1,2]},"
        "\"context\":\"b < 0.5 or -b > 7 or 4 <= b or c != 3\"}]}";
    struct cor_design_file *file = parsed(text);
    struct cor_unit_cases cases = cases_of(file, "PT(p)", NULL);
    static const char *const expected[] = {"a (-inf, -3) invalid",
                                           "a -3 valid",
                                           "a (-3, 2) valid",
                                           "a 2 invalid",
                                           "a (2, 9) valid",
                                           "a 9 invalid",
                                           "a (9, +inf) invalid",
                                           "b (-inf, -7) valid",
                                           "b -7 valid",
                                           "b (-7, 0.5) valid",
                                           "b 1 valid",
                                           "b 2 valid",
                                           "b (2, 4) valid",
                                           "b 4 valid",
                                           "b (4, +inf) valid",
                                           "c (-inf, 0.25) invalid",
                                           "c 0.25 invalid",
                                           "c (0.25, 3.0) valid",
                                           "c 3.0 valid",
                                           "c (3.0, +inf) valid",
                                           NULL};
    check_classes(&cases, expected);
    for (uint32_t v = 0; v < cases.variable_count; v++)
        for (int64_t number = -2000; number <= 2000; number++) {
            uint32_t in = 0;
            struct cor_value value = v < 2 ? cor_integer(number) : cor_real((double)number / 8);
            for (uint32_t c = 0; c < cases.variables[v].class_count; c++)
                in += lies_in(&cases.classes[cases.variables[v].first_class + c], value);
            assert_int_equal(in, 1);
        }
    for (uint32_t c = 0; c < cases.class_count; c++)
        assert_true(lies_in(&cases.classes[c], cases.classes[c].sample));
    cor_unit_cases_fini(&cases);
    cor_design_file_destroy(file);
}

/* Ends of the integers, and reals between which there is nothing. */
static void classes_without_values_are_none(void **state) {
    (void)state;
    static const char text[] =
        "{\"format\":\"agent-unit/1\",\"agent\":\"A\",\"entry\":[\"e\"],\"events\":[{\"name\":\"e\",\"kind\":"
        "\"percept\",\"params\":[{\"name\":\"a\",\"type\":\"int\"},{\"name\":\"b\",\"type\":\"float\"}]}],"
        "\"plans\":[{\"name\":\"p\",\"trigger\":\"e\",\"bounds\":{"
        "\"a\":[-9223372036854775808,9223372036854775807,9223372036854775806],"
        "\"b\":[1.7976931348623157e308,1e300,1.0,1.0000000000000002]}}]}";
    static const char *const expected[] = {"a -9223372036854775808 valid",
                                           "a (-9223372036854775808, 9223372036854775806) valid",
                                           "a 9223372036854775806 valid",
                                           "a 9223372036854775807 valid",
                                           "b (-inf, 1.0) valid",
                                           "b 1.0 valid",
                                           "b 1.0000000000000002 valid",
                                           "b (1.0000000000000002, 1e+300) valid",
                                           "b 1e+300 valid",
                                           "b (1e+300, 1.7976931348623157e+308) valid",
                                           "b 1.7976931348623157e+308 valid",
                                           NULL};
    struct cor_design_file *file = parsed(text);
    struct cor_unit_cases cases = cases_of(file, "PT(p)", NULL);
    check_classes(&cases, expected);
    for (uint32_t c = 0; c < cases.class_count; c++)
        assert_true(lies_in(&cases.classes[c], cases.classes[c].sample));
    cor_unit_cases_fini(&cases);
    cor_design_file_destroy(file);
}

static void words_that_strings_are_compared_with_are_classes(void **state) {
    (void)state;
    static const char text[] =
        "{\"format\":\"agent-unit/1\",\"agent\":\"A\",\"entry\":[\"e\"],\"events\":[{\"name\":\"e\",\"kind\":"
        "\"percept\",\"params\":[{\"name\":\"s\",\"type\":\"string\",\"valid\":[\"!= null\",\"!= 'no'\"]}]}],"
        "\"plans\":[{\"name\":\"p\",\"trigger\":\"e\",\"context\":\"s = 'yes' or s = 'maybe'\"}]}";
    static const char *const expected[] = {"s null invalid",
                                           "s no invalid",
                                           "s yes valid",
                                           "s maybe valid",
                                           "s other than 'no', 'yes', 'maybe' valid",
                                           NULL};
    struct cor_design_file *file = parsed(text);
    struct cor_unit_cases cases = cases_of(file, "PT(p)", NULL);
    check_classes(&cases, expected);
    cor_unit_cases_fini(&cases);
    cor_design_file_destroy(file);
}

/* What conditions read varies, listed or not; what only expressions of values read does not. */
static void fields_that_conditions_read_vary(void **state) {
    (void)state;
    static const char text[] =
        "{\"format\":\"agent-unit/1\",\"agent\":\"A\",\"entry\":[\"e\"],"
        "\"beliefs\":[{\"name\":\"b\",\"fields\":{\"In_context\":\"int\",\"In_branch\":\"bool\",\"Added\":"
        "\"int\"}}],"
        "\"events\":[{\"name\":\"e\",\"kind\":\"percept\"}],\"plans\":[{\"name\":\"p\",\"trigger\":\"e\","
        "\"context\":\"In_context > 5\",\"writes\":[\"b\"],\"body\":[{\"if\":\"In_branch\",\"then\":["
        "{\"set\":\"b.Added\",\"to\":\"Added + 1\"}]}]}]}";
    static const char *const expected[] = {"b.In_context (-inf, 5) valid", "b.In_context 5 valid",
                                           "b.In_context (5, +inf) valid", "b.In_branch true valid",
                                           "b.In_branch false valid",      NULL};
    struct cor_design_file *file = parsed(text);
    struct cor_unit_cases cases = cases_of(file, "PT(p)", NULL);
    check_classes(&cases, expected);
    cor_unit_cases_fini(&cases);
    cor_design_file_destroy(file);
}

/* No boundary separates Level >= NumberOrdered from its denial, nor from Level = NumberOrdered: samples do,
 * for any seed. */
static void samples_show_all_outcomes_of_a_comparison_between_variables(void **state) {
    (void)state;
    struct cor_design_file *file = design_of(AGENTS "stock_manager.json");
    struct cor_test_settings settings = file->design->settings;
    struct cor_case_values values;
    uint32_t level;
    assert_int_equal(cor_case_values_init(&values, file->design, NULL), COR_OK);
    assert_int_equal(cor_design_look_up_field(file->design, "stock.Level", NULL, &level, NULL), COR_OK);
    for (settings.seed = 1; settings.seed <= 1000; settings.seed++) {
        struct cor_unit_cases cases = cases_of(file, "PT(Supply_from_stock)", &settings);
        bool below = false, equal = false, above = false;
        for (uint64_t i = 0; i < cases.count; i++) {
            cor_unit_case_make(&cases, i, &values);
            int64_t has = values.beliefs[level].as.integer, wants = values.arguments[1].as.integer;
            below = below || (values.valid && has < wants);
            equal = equal || (values.valid && has == wants);
            above = above || (values.valid && has > wants);
        }
        assert_true(below && equal && above);
        cor_unit_cases_fini(&cases);
    }
    cor_case_values_fini(&values);
    cor_design_file_destroy(file);
}

static void check_equal_cases(const struct cor_unit_cases *a, const struct cor_unit_cases *b) {
    struct cor_case_values values[2];
    assert_int_equal(a->count, b->count);
    assert_int_equal(cor_case_values_init(&values[0], a->file->design, NULL), COR_OK);
    assert_int_equal(cor_case_values_init(&values[1], b->file->design, NULL), COR_OK);
    for (uint64_t i = 0; i < a->count; i++) {
        cor_unit_case_make(a, i, &values[0]);
        cor_unit_case_make(b, b->count - 1 - i, &values[1]);
        cor_unit_case_make(b, i, &values[1]);
        assert_int_equal(values[0].event, values[1].event);
        for (uint32_t p = 0; p < a->file->design->events[values[0].event].parameter_count; p++)
            assert_true(cor_value_equal(values[0].arguments[p], values[1].arguments[p]));
        for (uint32_t f = 0; f < a->file->design->field_count; f++)
            assert_true(cor_value_equal(values[0].beliefs[f], values[1].beliefs[f]));
    }
    cor_case_values_fini(&values[0]);
    cor_case_values_fini(&values[1]);
}

/* Whatever order they are made in, and whatever else was made before. */
static void cases_are_a_function_of_their_number(void **state) {
    (void)state;
    struct cor_design_file *file = design_of(AGENTS "stock_manager.json");
    struct cor_design_file *again = design_of(AGENTS "stock_manager.json");
    struct cor_unit_cases before = cases_of(again, "PT(Regular_order)", NULL);
    for (uint32_t u = 0; u < file->order.units.count; u++) {
        struct cor_unit_cases cases, same;
        assert_int_equal(cor_unit_cases_init(&cases, file, u, NULL, NULL), COR_OK);
        assert_int_equal(cor_unit_cases_init(&same, again, u, NULL, NULL), COR_OK);
        check_equal_cases(&cases, &same);
        cor_unit_cases_fini(&cases);
        cor_unit_cases_fini(&same);
    }
    cor_unit_cases_fini(&before);
    cor_design_file_destroy(again);
    cor_design_file_destroy(file);
}

static void cases_of_the_user_come_last(void **state) {
    (void)state;
    struct cor_design_file *file = design_of(TEST_SOURCE_DIR "/experiments/layers/agent/tests/invalid/valid.json");
    struct cor_unit_cases cases = cases_of(file, "PT(Go)", NULL);
    struct cor_case_values values;
    uint32_t weight;
    assert_int_equal(cases.own_count, 1);
    assert_int_equal(cases.count, cases.valid + cases.invalid_single + 1);
    assert_int_equal(cor_case_values_init(&values, file->design, NULL), COR_OK);
    cor_unit_case_make(&cases, cases.count - 1, &values);
    assert_int_equal(cor_design_look_up_field(file->design, "load.Weight", NULL, &weight, NULL), COR_OK);
    assert_true(values.own && values.valid);
    assert_true(cor_value_equal(values.arguments[0], cor_integer(7)));
    assert_true(cor_value_equal(values.arguments[1], cor_integer(0)));
    assert_true(cor_value_equal(values.beliefs[weight], cor_integer(3)));
    cor_case_values_fini(&values);
    cor_unit_cases_fini(&cases);
    cor_design_file_destroy(file);
}

/* 10^7 combinations are made by number: nothing of them is stored. */
static void ten_million_cases_are_not_stored(void **state) {
    (void)state;
    static const char text[] =
        "{\"format\":\"agent-unit/"
        "1\",\"agent\":\"A\",\"types\":{\"D\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\","
        "\"h\",\"i\",\"j\"]},\"entry\":[\"e\"],\"events\":[{\"name\":\"e\",\"kind\":\"percept\",\"params\":["
        "{\"name\":\"p\",\"type\":\"D\"},{\"name\":\"q\",\"type\":\"D\"},{\"name\":\"r\",\"type\":\"D\"},"
        "{\"name\":\"s\",\"type\":\"D\"},{\"name\":\"t\",\"type\":\"D\"},{\"name\":\"u\",\"type\":\"D\"},"
        "{\"name\":\"v\",\"type\":\"D\"}]}],\"plans\":[{\"name\":\"P\",\"trigger\":\"e\"}],"
        "\"test\":{\"policy\":\"all\"}}";
    struct cor_design_file *file = parsed(text);
    struct cor_unit_cases cases = cases_of(file, "PT(P)", NULL);
    struct cor_case_values values;
    assert_int_equal(cases.count, 10000000);
    assert_null(cases.entries[0].row_ranks);
    assert_int_equal(cor_case_values_init(&values, file->design, NULL), COR_OK);
    for (uint64_t i = 0; i < cases.count; i += 99991) {
        uint64_t number = 0;
        cor_unit_case_make(&cases, i, &values);
        for (uint32_t v = 0; v < 7; v++)
            number = 10 * number + (values.classes[v] - cases.variables[v].first_class);
        assert_int_equal(number, i);
    }
    cor_case_values_fini(&values);
    cor_unit_cases_fini(&cases);
    cor_design_file_destroy(file);
}

static void the_faults_of_the_stock_manager_can_be_applied(void **state) {
    (void)state;
    struct cor_design_file *file = design_of(AGENTS "stock_manager.json");
    struct cor_agent_faults faults;
    struct cor_agent_code *code;
    uint32_t m16;
    assert_int_equal(cor_agent_faults_read(&faults, AGENTS "stock_manager_faults.json", file->design, NULL),
                     COR_OK);
    assert_int_equal(faults.count, 19);
    for (uint32_t f = 0; f < faults.count; f++) {
        assert_true(faults.faults[f].must_count > 0);
        assert_int_equal(cor_agent_fault_apply(&faults.faults[f], file->design, &code, NULL), COR_OK);
        cor_agent_code_destroy(code);
    }
    assert_int_equal(cor_agent_faults_find(&faults, "M16", &m16, NULL), COR_OK);
    assert_int_equal(cor_agent_fault_apply(&faults.faults[m16], file->design, &code, NULL), COR_OK);
    uint32_t plan = cor_design_find(file->design, COR_NAME_PLAN, "Out_of_stock_response");
    assert_true(code->plans[plan]->absent);
    cor_agent_code_destroy(code);
    assert_int_equal(cor_agent_faults_find(&faults, "M20", &m16, NULL), COR_STATUS_INPUT);
    cor_agent_faults_fini(&faults);
    cor_design_file_destroy(file);
}

static void check_mutants(const char *path, uint32_t least_operators) {
    struct cor_design_file *file = design_of(path);
    struct cor_agent_faults mutants;
    bool used[COR_FAULT_OPERATOR_CODES] = {false};
    uint32_t operators = 0;
    assert_int_equal(cor_agent_mutants(&mutants, file->design, NULL), COR_OK);
    for (uint32_t m = 0; m < mutants.count; m++) {
        struct cor_agent_code *code;
        uint32_t found;
        used[mutants.faults[m].operator] = true;
        assert_int_equal(cor_agent_faults_find(&mutants, mutants.faults[m].name, &found, NULL), COR_OK);
        assert_int_equal(found, m);
        assert_int_equal(cor_agent_fault_apply(&mutants.faults[m], file->design, &code, NULL), COR_OK);
        cor_agent_code_destroy(code);
    }
    for (int i = 1; i < COR_FAULT_OPERATOR_CODES; i++)
        operators += used[i];
    assert_true(operators >= least_operators);
    cor_agent_faults_fini(&mutants);
    cor_design_file_destroy(file);
}

static void every_operator_fits_somewhere_and_every_mutant_can_be_applied(void **state) {
    (void)state;
    check_mutants(AGENTS "stock_manager.json", COR_FAULT_OPERATOR_CODES - 1);
    check_mutants(TEST_SOURCE_DIR "/experiments/layers/agent/tests/invalid/valid.json", 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_units_of_fig_2_are_those_of_the_paper),
        cmocka_unit_test(the_four_lists_of_fig_4_are_printed_letter_by_letter),
        cmocka_unit_test(the_stock_manager_has_the_order_and_counts_of_the_data),
        cmocka_unit_test(the_classes_of_table_1_are_those_of_the_paper),
        cmocka_unit_test(table_4_has_18_combinations_4_of_them_valid),
        cmocka_unit_test(tables_1_and_4_are_reduced_to_20_and_9),
        cmocka_unit_test(invalid_values_come_one_at_a_time_with_every_valid_class),
        cmocka_unit_test(classes_divide_the_values_of_a_domain),
        cmocka_unit_test(classes_without_values_are_none),
        cmocka_unit_test(words_that_strings_are_compared_with_are_classes),
        cmocka_unit_test(fields_that_conditions_read_vary),
        cmocka_unit_test(samples_show_all_outcomes_of_a_comparison_between_variables),
        cmocka_unit_test(cases_are_a_function_of_their_number),
        cmocka_unit_test(cases_of_the_user_come_last),
        cmocka_unit_test(ten_million_cases_are_not_stored),
        cmocka_unit_test(the_faults_of_the_stock_manager_can_be_applied),
        cmocka_unit_test(every_operator_fits_somewhere_and_every_mutant_can_be_applied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
