/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test files: what is given to a system, an input or a reset a line, with all that it takes to give it again.
 * An experiment with one arm (corridor/subject_file.h), and beside its members
 *   "efsm_test": {"suite": 0, "expected": "closed ENTER miss", "input": 3, "model": "0x..", "system": "0x.."}
 *   "schedule": [["input", "ENTER", 7], ["reset"], ..] */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/fields.h>
#include <corridor/hash.h>
#include <corridor/json_names.h>
#include <corridor/subject_file.h>

#include <stdlib.h>
#include <string.h>

#define SCHEDULE_MOST 1000000
#define VALUES_MOST 10000000 /* of all inputs together */

static const char *const kinds[] = {[EFSM_LAYER__INPUT] = "input", [EFSM_LAYER__RESET] = "reset", NULL};

/* ---- what is given */

static enum cor_status read_input(const struct cor_json *json, const struct cor_efsm *model,
                                  struct cor_choices *choices, struct cor_choice *choice,
                                  struct cor_error *error) {
    const struct cor_json first = cor_json_at(json, 1);
    const char *name;
    COR_TRY(cor_json_string(&first, &name, error));
    COR_TRY(cor_json_find_name(&first, COR_WORD_NAMES(model->input_names, model->input_count), name,
                               &choice->what, error, "%s has no input \"%.80s\"", model->name, name));
    const struct cor_efsm_label *label = &model->inputs[choice->what];
    if (cor_json_size(json) != label->parameter_count + 2)
        return cor_json_fail(json, error, NULL, "\"%s\" has %u parameters, and %zu are given", name,
                             label->parameter_count, cor_json_size(json) - 2);
    COR_TRY(COR_RESERVE(&choices->values, &choices->value_capacity,
                        choices->value_count + label->parameter_count, error));
    choice->nth = (uint32_t)choices->value_count;
    for (uint32_t p = 0; p < label->parameter_count; p++) {
        const struct cor_efsm_variable *variable = &model->variables[label->parameters[p]];
        const struct cor_json item = cor_json_at(json, p + 2);
        int64_t value;
        COR_TRY(cor_efsm_read_value(&item, variable, &value, error));
        if (value < variable->low || value > variable->high) {
            COR_FINISHED(cor_bytes) struct cor_bytes range = {0};
            cor_efsm_print_value(variable, variable->low, &range);
            cor_bytes_print(&range, " .. ");
            cor_efsm_print_value(variable, variable->high, &range);
            return cor_json_fail(&item, error, cor_bytes_text(&range), "lies outside of the domain of \"%s\"",
                                 variable->name);
        }
        choices->values[choices->value_count++] = value;
    }
    return COR_OK;
}

static enum cor_status read_choice(const struct cor_json *json, const struct cor_efsm *model,
                                   struct cor_choices *choices, struct cor_error *error) {
    struct cor_choice choice = {0};
    int kind;
    COR_TRY(cor_json_expect_array(json, 1, COR_EFSM_VARIABLES_MAX + 2, error));
    const struct cor_json first = cor_json_at(json, 0);
    COR_TRY(cor_json_one_of(&first, kinds, "choice", &kind, error));
    choice.kind = (uint16_t)kind;
    if (kind == EFSM_LAYER__RESET ? cor_json_size(json) != 1 : cor_json_size(json) < 2)
        return cor_json_fail(json, error,
                             kind == EFSM_LAYER__RESET ? "[\"reset\"]" : "[\"input\", name, parameters ..]",
                             "such a choice has another form");
    if (kind == EFSM_LAYER__INPUT)
        COR_TRY(read_input(json, model, choices, &choice, error));
    if (choices->value_count > VALUES_MOST)
        return cor_json_fail(json, error, "a shorter test", "has more than %d parameters so far",
                             VALUES_MOST);
    choices->items[choices->count++] = choice;
    return COR_OK;
}

void efsm_layer__values_of(const struct cor_efsm *model, const struct cor_choices *choices,
                           const struct cor_choice *choice, int64_t *values) {
    const struct cor_efsm_label *label = &model->inputs[choice->what];
    for (uint32_t v = 0; v < model->variable_count; v++)
        values[v] = model->variables[v].low;
    for (uint32_t p = 0; p < label->parameter_count; p++)
        values[label->parameters[p]] = choices->values[choice->nth + p];
}

static char *choice_line(const struct cor_subject_test *test, const struct cor_choice *choice) {
    const struct cor_efsm *model =
        ((const struct cor_efsm_experiment *)(const void *)test->experiment)->model;
    const struct cor_efsm_label *label = &model->inputs[choice->what];
    struct cor_bytes line = {0};
    cor_bytes_print(&line, "[\"%s\"", kinds[choice->kind]);
    if (choice->kind == EFSM_LAYER__INPUT) {
        cor_bytes_print(&line, ", ");
        cor_json_print_string(&line, label->name);
        for (uint32_t p = 0; p < label->parameter_count; p++) {
            cor_bytes_print(&line, ", ");
            cor_efsm_print_value(&model->variables[label->parameters[p]],
                                 test->choices.values[choice->nth + p], &line);
        }
    }
    cor_bytes_print(&line, "]");
    return cor_bytes_text_take(&line, NULL);
}

/* ---- what a failure hangs on: the model, and the system beside it */

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

enum cor_status efsm_layer__marks(const struct cor_efsm_experiment *experiment, uint32_t arm,
                                  struct cor_efsm_marks *marks, struct cor_error *error) {
    const struct cor_efsm_arm *it = &experiment->arms[arm];
    const struct cor_json root = cor_json_root(experiment->model->document);
    COR_FREED char *text = cor_json_text(&root);
    COR_TRY(cor_made(text, error));
    *marks = (struct cor_efsm_marks){.model = hash_text(COR_HASH_SEED, text), .system = COR_HASH_SEED};
    marks->system = hash_text(hash_text(marks->system, it->mutant), it->command);
    marks->system = hash_text(marks->system, it->files.digest);
    marks->system = cor_hash_word(cor_hash_word(marks->system, it->choosing), experiment->head.seed);
    for (uint32_t t = 0; it->weights && t <= experiment->model->transition_count; t++)
        marks->system = cor_hash_bytes(marks->system, &it->weights[t], sizeof it->weights[t]);
    return COR_OK;
}

/* ---- a test */

struct reading {
    uint32_t suite;
    uint64_t input;
    const char *expected;
    struct cor_efsm_marks marks;
    struct cor_json at;
};

static const struct cor_field fields[] = {
    {"suite", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, suite, 0, 1000000)},
    {"expected", COR_REQUIRED, COR_STRING_FIELD(struct reading, expected), COR_PLACE_AT(struct reading, at)},
    {"input", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, input, 0, SCHEDULE_MOST)},
    {"model", COR_OPTIONAL, COR_SEED_FIELD(struct reading, marks.model)},
    {"system", COR_OPTIONAL, COR_SEED_FIELD(struct reading, marks.system)},
    {0}};

/* How far the text goes on with this name and `behind`; 0: not at all. */
static size_t goes_on(const char *text, const char *name, char behind) {
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && text[length] == behind ? length + 1 : 0;
}

/* Is the text made of these names, and "quiet", with | in between? Names may have such in them: a part begins
 * wherever one before it may end. */
static enum cor_status are_names(const char *text, const struct cor_efsm *model, bool *are,
                                 struct cor_error *error) {
    const size_t length = strlen(text);
    COR_FREED bool *begins = cor_calloc(length + 1, sizeof *begins);
    COR_TRY(cor_made(begins, error));
    begins[0] = true;
    for (size_t at = 0; at < length && !*are; at++)
        for (uint32_t t = 0; begins[at] && t <= model->transition_count; t++) {
            const char *name = t < model->transition_count ? model->transition_names[t] : EFSM_LAYER__QUIET;
            const size_t next = goes_on(text + at, name, '|');
            if (next > 0)
                begins[at + next] = true;
            *are = *are || goes_on(text + at, name, '\0') > 0;
        }
    return COR_OK;
}

/* "closed ENTER miss|quiet", of names that the model has? */
static enum cor_status is_failure(const char *text, const struct cor_efsm *model, bool *is,
                                  struct cor_error *error) {
    *is = false;
    for (uint32_t l = 0; l < model->location_count; l++) {
        const size_t location = goes_on(text, model->location_names[l], ' ');
        for (uint32_t i = 0; location > 0 && i < model->input_count; i++) {
            const size_t input = goes_on(text + location, model->input_names[i], ' ');
            if (input > 0 && !*is)
                COR_TRY(are_names(text + location + input, model, is, error));
        }
    }
    return COR_OK;
}

enum cor_status efsm_layer__test_read(const char *text, const char *path,
                                      const struct cor_layer_options *options, struct cor_subject_test *test,
                                      struct cor_error *error) {
    struct reading reading = {0};
    COR_FINISHED(cor_subject_file) struct cor_subject_file file = {0};
    struct cor_efsm_experiment *experiment = NULL;
    struct cor_choices *choices = &test->choices;
    bool is_known;
    enum cor_status status = COR_OK;
    *test = (struct cor_subject_test){0};
    COR_TRY_OUT(cor_subject_file_read(text, path, COR_KIND_EFSM_TEST, &file, error));
    const struct cor_json schedule = file.schedule;
    COR_TRY_OUT(cor_json_fields(&file.own, fields, &reading, error));
    COR_TRY_OUT(cor_efsm_experiment_parse(file.experiment, path, NULL, &experiment, error));
    COR_TRY_OUT(cor_subject_file_check_arms(&file, &experiment->head, error));
    COR_TRY_OUT(is_failure(reading.expected, experiment->model, &is_known, error));
    if (strcmp(reading.expected, COR_NO_FAILURE) != 0 && !is_known)
        COR_TRY_OUT(cor_json_fail(&reading.at, error,
                                  "\"LOCATION INPUT TRANSITION\", several transitions with | in between, "
                                  "\"" EFSM_LAYER__QUIET "\" where no transition is possible; or "
                                  "\"" COR_NO_FAILURE "\"",
                                  "\"%.80s\" is no failure of %s", reading.expected,
                                  experiment->model->name));
    COR_TRY_OUT(cor_made(experiment->expected = cor_strdup(reading.expected), error));
    experiment->marks = reading.marks;
    if (options)
        COR_TRY_OUT(efsm_layer__settle(experiment, options, &test->warnings, error));
    COR_TRY_OUT(cor_json_expect_array(&schedule, 0, SCHEDULE_MOST, error));
    COR_TRY_OUT(COR_RESERVE(&choices->items, &choices->capacity, cor_json_size(&schedule), error));
    COR_JSON_CHILDREN(item, &schedule)
        COR_TRY_OUT(read_choice(&item, experiment->model, choices, error));
    test->experiment = &experiment->head;
    test->suite = reading.suite;
    test->expected = experiment->expected;
    test->at = reading.input;
out:
    if (status != COR_OK) {
        cor_choices_fini(choices);
        cor_efsm_experiment_destroy(experiment);
    }
    return status;
}

uint32_t efsm_layer__inputs(const struct cor_subject_test *test) {
    uint32_t count = 0;
    for (size_t c = 0; c < test->choices.count; c++)
        count += test->choices.items[c].kind == EFSM_LAYER__INPUT;
    return count;
}

static void put(const struct cor_subject_test *test, struct cor_json_writer *writer) {
    const struct cor_efsm_experiment *experiment = (const void *)test->experiment;
    struct cor_efsm_marks marks;
    const uint32_t inputs = efsm_layer__inputs(test);
    cor_json_put_integer(writer, "suite", test->suite);
    cor_json_put_string(writer, "expected", test->expected);
    if (inputs > 0) /* a failing test ends with its failure */
        cor_json_put_integer(writer, "input", inputs);
    if (efsm_layer__marks(experiment, test->arm, &marks, NULL) != COR_OK)
        return; /* they are for people */
    cor_json_put_word(writer, "model", marks.model);
    cor_json_put_word(writer, "system", marks.system);
}

enum cor_status efsm_layer__test_write(const struct cor_subject_test *test, char **text,
                                       struct cor_error *error) {
    /* What is given is a planner's no more: neither are budgets and the rows that are kept. */
    static const char *const left_out[] = {"runs",  "moves",    "resets",        "states",
                                           "depth", "optimise", "compare_moves", "brief",
                                           "stop",  "name",     "description",   NULL};
    static const struct cor_subject_file_form form = {COR_KIND_EFSM_TEST, left_out, put, choice_line};
    return cor_subject_file_text(&form, test, text, error);
}
