/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The subject of the layer: its tests are what a system is given, its choices inputs and resets. What the
 * system chooses among rivals is drawn as in the test of that number: it is no choice of these. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/hash.h>
#include <corridor/rng.h>
#include <corridor/subject_file.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    const struct cor_efsm_experiment *experiment;
    uint32_t arm;
    struct cor_online_input *inputs; /* owned, with their values [input][variable]: of the test under way */
    int64_t *values;
    size_t input_capacity, value_capacity;
    struct cor_choices *making; /* of a test that a planner makes: gets what it gives; else NULL */
    uint32_t resets;            /* seen so far there */
    struct cor_bytes *story;    /* gets moves as text; NULL: nobody reads them */
    struct drawing *drawing;    /* of a future; else NULL */
    bool *allowed;              /* owned; [transition] */
    /* Of the last run: */
    uint64_t digest;
    enum cor_test_verdict verdict;
    uint32_t moves;
    bool is_made;             /* by a planner */
    char *failure, *sentence; /* owned; NULL: it did not fail */
    char words[512];          /* why it ended so */
};

/* ---- what is said of a move */

static void put_arguments(struct cor_bytes *text, const struct cor_efsm *model,
                          const struct cor_efsm_label *label, const int64_t *values, bool by_parameter) {
    for (uint32_t p = 0; p < label->parameter_count; p++) {
        char *value =
            cor_efsm_value_text(model, label->parameters[p], values[by_parameter ? label->parameters[p] : p]);
        cor_bytes_print(text, "%s%s", p == 0 ? "(" : ", ", value ? value : "");
        text->status = value ? text->status : COR_STATUS_MEMORY;
        free(value);
    }
    if (label->parameter_count > 0)
        cor_bytes_print(text, ")");
}

static void put_observation(struct cor_bytes *text, const struct cor_efsm *model,
                            const struct cor_efsm_observation *observation) {
    const int64_t *at = observation->arguments;
    for (uint32_t o = 0; o < observation->label_count; o++) {
        const uint32_t label = observation->labels[o];
        cor_bytes_print(text, "%s%s", o == 0 ? "" : ", ",
                        label == COR_NONE ? "?" : model->outputs[label].name);
        if (label == COR_NONE)
            continue;
        put_arguments(text, model, &model->outputs[label], at, false);
        at += model->outputs[label].parameter_count;
    }
    if (observation->label_count == 0)
        cor_bytes_print(text, "nothing");
}

/* "at closed, input ENTER(7) gave Opened". */
static void put_move(struct cor_bytes *text, const struct cor_efsm *model,
                     const struct cor_online_move *move) {
    cor_bytes_print(text, "at %s, input %s", model->location_names[move->rows[0]],
                    model->inputs[move->input].name);
    put_arguments(text, model, &model->inputs[move->input], move->values, true);
    cor_bytes_print(text, " gave ");
    if (move->trouble == COR_SYSTEM_WELL)
        put_observation(text, model, move->observation);
    else
        cor_bytes_print(text, "no answer");
}

#define ALLOWED_SHOWN 8u

/* All that would have been allowed, each answer by its transition. */
static enum cor_status put_allowed(struct cor_bytes *text, const struct cor_efsm *model,
                                   const struct cor_online_move *move, struct cor_error *error) {
    const struct cor_efsm_label *input = &model->inputs[move->input];
    const size_t width = cor_belief_width(model);
    struct cor_efsm_observation answer = {0};
    int64_t all[COR_EFSM_VARIABLES_MAX];
    enum cor_status status = COR_OK;
    cor_bytes_print(text, "; allowed: ");
    for (uint32_t w = 0; w < move->allowed->why_count && w < ALLOWED_SHOWN; w++) {
        const struct cor_efsm_explanation *why = &move->allowed->why[w];
        cor_efsm_observation_clear(&answer);
        for (uint32_t v = 0; v < model->variable_count; v++)
            all[v] = move->rows[why->state * width + 1 + v];
        for (uint32_t p = 0; p < input->parameter_count; p++)
            all[input->parameters[p]] = move->values[input->parameters[p]];
        if (why->transition != COR_NONE)
            COR_TRY_OUT(cor_efsm_observation_of(model, why->transition, all, &answer, error));
        cor_bytes_print(text, "%s", w == 0 ? "" : "; or ");
        put_observation(text, model, &answer);
        if (why->transition != COR_NONE)
            cor_bytes_print(text, " [%s]", model->transition_names[why->transition]);
    }
    if (move->allowed->why_count > ALLOWED_SHOWN)
        cor_bytes_print(text, "; or %u more", move->allowed->why_count - ALLOWED_SHOWN);
out:
    cor_efsm_observation_fini(&answer);
    return status;
}

char *efsm_layer__failure(const char *location, const char *input, const char *const *names,
                          const bool *is_allowed, bool may_be_quiet, size_t count) {
    char *text = cor_format("%s %s ", location, input);
    const char *between = "";
    for (size_t t = 0; t < count; t++)
        if (is_allowed[t]) {
            text = cor_join_take(text, between, cor_strdup(names[t]));
            between = "|";
        }
    return may_be_quiet ? cor_join_take(text, between, cor_strdup(EFSM_LAYER__QUIET)) : text;
}

static enum cor_status note_failure(struct bench *bench, const struct cor_online_move *move,
                                    struct cor_error *error) {
    const struct cor_efsm *model = bench->experiment->model;
    struct cor_bytes sentence = {0};
    bool may_be_quiet = false;
    memset(bench->allowed, 0, model->transition_count * sizeof *bench->allowed);
    for (uint32_t w = 0; w < move->allowed->why_count; w++) {
        const uint32_t transition = move->allowed->why[w].transition;
        may_be_quiet = may_be_quiet || transition == COR_NONE;
        if (transition != COR_NONE)
            bench->allowed[transition] = true;
    }
    bench->failure =
        efsm_layer__failure(model->location_names[move->rows[0]], model->inputs[move->input].name,
                            model->transition_names, bench->allowed, may_be_quiet, model->transition_count);
    COR_TRY(cor_made(bench->failure, error));
    cor_bytes_print(&sentence, "move %u: ", move->number);
    put_move(&sentence, model, move);
    const enum cor_status status = put_allowed(&sentence, model, move, error);
    bench->sentence = cor_bytes_text_take(&sentence, error);
    COR_TRY(status);
    return bench->sentence ? COR_OK : COR_STATUS_MEMORY;
}

/* ---- the story, a move a line */

static enum cor_status tell_move(struct bench *bench, const struct cor_online_move *move,
                                 struct cor_error *error) {
    const struct cor_efsm *model = bench->experiment->model;
    struct cor_bytes *story = bench->story;
    for (; bench->resets < move->attempt; bench->resets++)
        cor_bytes_print(story, "      The system is reset.\n");
    cor_bytes_print(story, "%4u. ", move->number);
    put_move(story, model, move);
    if (move->allowed)
        COR_TRY(put_allowed(story, model, move, error));
    const uint32_t by = move->step->why_count == 1 ? move->step->why[0].transition : COR_NONE;
    if (by != COR_NONE)
        cor_bytes_print(story, " [%s]", model->transition_names[by]);
    cor_bytes_print(story, "\n");
    return COR_OK;
}

/* ---- executing */

static enum cor_status add_choice(struct cor_choices *choices, const struct cor_choice *choice,
                                  struct cor_error *error) {
    COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, choices->count + 1, error));
    choices->items[choices->count++] = *choice;
    return COR_OK;
}

/* What a planner gives becomes choices. */
static enum cor_status take_move(struct bench *bench, const struct cor_online_move *move,
                                 struct cor_error *error) {
    const struct cor_efsm_label *input = &bench->experiment->model->inputs[move->input];
    struct cor_choices *made = bench->making;
    struct cor_choice choice = {.kind = EFSM_LAYER__RESET};
    for (; bench->resets < move->attempt; bench->resets++)
        COR_TRY(add_choice(made, &choice, error));
    choice = (struct cor_choice){
        .kind = EFSM_LAYER__INPUT, .what = move->input, .nth = (uint32_t)made->value_count};
    COR_TRY(
        COR_RESERVE(&made->values, &made->value_capacity, made->value_count + input->parameter_count, error));
    for (uint32_t p = 0; p < input->parameter_count; p++)
        made->values[made->value_count++] = move->values[input->parameters[p]];
    return add_choice(made, &choice, error);
}

static enum cor_status note(void *context, const struct cor_online_move *move, struct cor_error *error) {
    struct bench *bench = context;
    bench->digest = efsm_layer__hash_move(bench->digest, bench->experiment->model, move);
    if (bench->making)
        COR_TRY(take_move(bench, move, error));
    if (bench->story)
        COR_TRY(tell_move(bench, move, error));
    return move->allowed ? note_failure(bench, move, error) : COR_OK;
}

/* ---- futures: inputs that are drawn, of a system whose choices are drawn anew */

enum { UNIFORM, FREQUENCIES };

#define INPUTS_ALIKE "each input of the model alike, with any values of its parameters, the system choosing "
#define DRAWS_NOTHING "it draws nothing"
static const struct cor_future futures[] = {
    [UNIFORM] = {"uniform", INPUTS_ALIKE "among rivals alike", NULL},
    [FREQUENCIES] = {"frequencies", INPUTS_ALIKE "by the frequencies of its arm", NULL},
    {"fair", INPUTS_ALIKE "in turns", DRAWS_NOTHING},
    {"adversary", INPUTS_ALIKE "the worst for a planner", DRAWS_NOTHING},
};

struct drawing {
    const struct cor_fork *fork;
    struct cor_rng rng;
    uint32_t left; /* inputs to come */
    bool has_begun, is_other, goes_on;
    uint64_t forked;
    struct cor_choice next; /* the first; its values, as digits of `at`, of the domains of its parameters */
    int64_t values[COR_EFSM_VARIABLES_MAX];
};

static bool future_of(uint32_t index, struct cor_future *future) {
    if (index >= sizeof futures / sizeof *futures)
        return false;
    *future = futures[index];
    return true;
}

static uint64_t values_of(const struct cor_efsm_variable *parameter) {
    return (uint64_t)parameter->high - (uint64_t)parameter->low + 1;
}

static bool draw(void *context, struct cor_system *system, struct cor_online_input *given) {
    struct bench *bench = context;
    struct drawing *drawing = bench->drawing;
    const struct cor_efsm *model = bench->experiment->model;
    if (!drawing->has_begun) {
        drawing->forked = bench->digest;
        drawing->is_other = drawing->fork->forked != 0 && drawing->fork->forked != drawing->forked;
        cor_simulator_fork(
            system, drawing->fork->future == FREQUENCIES ? COR_CHOOSING_FREQUENCIES : COR_CHOOSING_UNIFORM,
            drawing->fork->seed);
    }
    drawing->has_begun = true;
    if (drawing->left == 0 || drawing->is_other)
        return false;
    drawing->left--;
    struct cor_choice choice = {
        .kind = EFSM_LAYER__INPUT, .what = cor_rng_below(&drawing->rng, model->input_count), .spare = 1};
    const struct cor_efsm_label *input = &model->inputs[choice.what];
    uint64_t place = 1;
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        const struct cor_efsm_variable *parameter = &model->variables[input->parameters[p]];
        const uint32_t value = cor_rng_below(&drawing->rng, (uint32_t)values_of(parameter));
        drawing->values[input->parameters[p]] = parameter->low + value;
        choice.at += place * value;
        place *= values_of(parameter);
    }
    if (!drawing->goes_on)
        drawing->next = choice;
    drawing->goes_on = true;
    *given = (struct cor_online_input){.input = choice.what, .values = drawing->values};
    return true;
}

/* Can the values of each input be drawn alike, and told? */
static enum cor_status check_domains(const struct cor_efsm *model, struct cor_error *error) {
    for (uint32_t i = 0; i < model->input_count; i++) {
        double all = 1;
        for (uint32_t p = 0; p < model->inputs[i].parameter_count; p++)
            all *= (double)values_of(&model->variables[model->inputs[i].parameters[p]]);
        if (all > UINT32_MAX)
            return cor_fail(error, COR_STATUS_INPUT, "--curve", "smaller domains of its parameters",
                            "input \"%s\" has more than 2^32 values, which are not drawn",
                            model->inputs[i].name);
    }
    return COR_OK;
}

static void begin(struct bench *bench) {
    COR_FREE(bench->failure, bench->sentence);
    bench->failure = bench->sentence = NULL;
    bench->digest = COR_HASH_SEED;
    bench->resets = 0;
    bench->is_made = false;
}

static struct cor_run run_of(struct bench *bench, const struct cor_online_outcome *outcome) {
    bench->verdict = outcome->verdict;
    bench->moves = outcome->moves;
    snprintf(bench->words, sizeof bench->words, "%s", outcome->words);
    return (struct cor_run){.class = cor_failure_class(bench->failure),
                            .digest = bench->digest,
                            .choices = (size_t)outcome->moves + outcome->resets,
                            .failure = bench->failure ? bench->failure : COR_NO_FAILURE,
                            .sentence = bench->sentence ? bench->sentence : bench->words};
}

static enum cor_status run(void *self, const struct cor_subject_test *test, struct cor_choices *happened,
                           struct cor_run *run, struct cor_error *error) {
    struct bench *bench = self;
    const struct cor_efsm *model = bench->experiment->model;
    const struct cor_choices *choices = &test->choices;
    const size_t width = model->variable_count;
    struct cor_online_outcome outcome = {0};
    begin(bench);
    COR_TRY(COR_RESERVE(&bench->inputs, &bench->input_capacity, choices->count, error));
    COR_TRY(COR_RESERVE(&bench->values, &bench->value_capacity, choices->count * width, error));
    for (size_t c = 0; c < choices->count; c++) {
        const struct cor_choice *choice = &choices->items[c];
        int64_t *values = bench->values + c * width;
        bench->inputs[c] = (struct cor_online_input){
            .is_reset = choice->kind == EFSM_LAYER__RESET, .input = choice->what, .values = values};
        if (choice->kind == EFSM_LAYER__INPUT)
            efsm_layer__values_of(model, choices, choice, values);
    }
    const struct efsm_layer__given given = {.experiment = bench->experiment,
                                            .arm = bench->arm,
                                            .run = test->suite,
                                            .count = (uint32_t)choices->count,
                                            .inputs = bench->inputs,
                                            .more = bench->drawing ? draw : NULL};
    COR_TRY(efsm_layer__give(&given, note, bench, &outcome, error));
    *run = run_of(bench, &outcome);
    cor_online_outcome_fini(&outcome);
    if (!happened || run->class == 0)
        return COR_OK;
    happened->count = 0;
    for (size_t c = 0; c < run->choices; c++)
        COR_TRY(add_choice(happened, &choices->items[c], error));
    return COR_OK;
}

static enum cor_status make(void *self, struct cor_subject_test *test, struct cor_run *run,
                            struct cor_error *error) {
    struct bench *bench = self;
    struct cor_online_outcome outcome = {0};
    begin(bench);
    bench->is_made = true;
    test->choices.count = test->choices.value_count = 0;
    bench->making = &test->choices;
    const enum cor_status status =
        cor_efsm_test(bench->experiment, bench->arm, test->suite, NULL, note, NULL, bench, &outcome, error);
    bench->making = NULL;
    COR_TRY(status);
    *run = run_of(bench, &outcome);
    cor_online_outcome_fini(&outcome);
    return COR_OK;
}

/* Without `ahead` as many inputs come as the experiment has moves. */
static enum cor_status follow(void *self, const struct cor_subject_test *test, const struct cor_fork *fork,
                              struct cor_run *it, struct cor_error *error) {
    struct bench *bench = self;
    const struct cor_efsm_experiment *experiment = bench->experiment;
    struct cor_subject_test first = *test;
    first.choices.count = fork->choices;
    const uint32_t moves = efsm_layer__inputs(&first),
                   left = experiment->moves > moves ? experiment->moves - moves : 0;
    struct drawing drawing = {
        .fork = fork,
        .left = fork->ahead > 0 ? fork->ahead : left,
        .rng = cor_rng_named(&(struct cor_stream_name){.seed = fork->seed, .purpose = COR_PURPOSE_WHY})};
    COR_TRY(check_domains(experiment->model, error));
    if (fork->future == FREQUENCIES && experiment->arms[bench->arm].choosing != COR_CHOOSING_FREQUENCIES)
        return cor_fail(error, COR_STATUS_INPUT, "--future", "uniform",
                        "the system of arm \"%.80s\" has no frequencies", experiment->arms[bench->arm].name);
    bench->drawing = &drawing;
    const enum cor_status status = run(bench, &first, NULL, it, error);
    bench->drawing = NULL;
    COR_TRY(status);
    it->forked = drawing.has_begun ? drawing.forked : bench->digest;
    it->does_not_repeat = !drawing.has_begun || drawing.is_other;
    it->is_cut = it->class == 0 && drawing.left > 0; /* there was trouble, or too much is possible */
    it->goes_on = drawing.goes_on;
    it->next = drawing.next;
    return COR_OK;
}

enum cor_status efsm_layer__tell(void *self, const struct cor_subject_test *test, enum cor_story_form form,
                                 char **text, struct cor_error *error) {
    struct bench *bench = self;
    struct cor_bytes story = {0};
    struct cor_run it;
    (void)form;
    *text = NULL;
    bench->story = &story;
    const enum cor_status status = run(bench, test, NULL, &it, error);
    bench->story = NULL;
    if (status == COR_OK && it.class == 0)
        cor_bytes_print(&story, "No answer was wrong: %s.\n", bench->words);
    if (status == COR_OK && it.class != 0)
        cor_bytes_print(&story, "The last answer is wrong: %s.\n", it.failure);
    *text = cor_bytes_text_take(&story, error);
    if (status == COR_OK)
        return *text ? COR_OK : COR_STATUS_MEMORY;
    free(*text);
    *text = NULL;
    return status;
}

static char *text_of(const struct cor_subject_test *test, const struct cor_choice *choice) {
    const struct cor_efsm *model =
        ((const struct cor_efsm_experiment *)(const void *)test->experiment)->model;
    struct cor_bytes text = {0};
    struct cor_error error = COR_NO_ERROR;
    int64_t values[COR_EFSM_VARIABLES_MAX] = {0};
    if (choice->kind == EFSM_LAYER__RESET)
        return cor_strdup("The system is reset");
    const struct cor_efsm_label *input = &model->inputs[choice->what];
    uint64_t digits = choice->at;
    for (uint32_t p = 0; p < input->parameter_count && choice->spare; p++) { /* it was drawn */
        const struct cor_efsm_variable *parameter = &model->variables[input->parameters[p]];
        values[input->parameters[p]] = parameter->low + (int64_t)(digits % values_of(parameter));
        digits /= values_of(parameter);
    }
    if (!choice->spare)
        efsm_layer__values_of(model, &test->choices, choice, values);
    cor_bytes_print(&text, "Input %s", input->name);
    put_arguments(&text, model, &model->inputs[choice->what], values, true);
    return cor_bytes_text_take(&text, &error);
}

static void close_bench(void *self) {
    struct bench *bench = self;
    if (!bench)
        return;
    begin(bench);
    COR_FREE(bench->inputs, bench->values, bench->allowed, bench);
}

static enum cor_status open_bench(const struct cor_experiment_head *head, uint32_t arm, void **self,
                                  struct cor_error *error) {
    struct bench *bench = cor_calloc(1, sizeof *bench);
    *self = NULL;
    COR_TRY(cor_made(bench, error));
    bench->experiment = (const void *)head;
    bench->arm = arm;
    bench->allowed = cor_calloc(bench->experiment->model->transition_count + 1, sizeof *bench->allowed);
    if (!bench->allowed) {
        close_bench(bench);
        return cor_fail_memory(error);
    }
    *self = bench;
    return COR_OK;
}

/* Of so few steps all sets are tried: in a moment, or, beside a program that is started for each, in some
 * seconds. */
#define SETS_MOST 12
#define SETS_MOST_OF_PROGRAMS 7

/* In this process, a program beside it; what is left is given once more to a program that had nothing before.
 */
static enum cor_status shrink(void *self, struct cor_shrinking *shrinking, bool *differs,
                              struct cor_error *error) {
    const struct bench *bench = self;
    const bool is_program = bench->experiment->arms[bench->arm].command;
    shrinking->sets_most = is_program ? SETS_MOST_OF_PROGRAMS : SETS_MOST;
    return cor_shrink_here(shrinking, self, is_program, differs, error);
}

/* ---- what became of what is expected */

static enum cor_expected find(const void *self, const struct cor_subject_test *test, char *why, size_t size) {
    const struct bench *bench = self;
    const char *expected = test->expected;
    const bool expects_none = strcmp(expected, COR_NO_FAILURE) == 0;
    enum cor_expected found = COR_EXPECTED_IS_OPEN;
    if (bench->failure && (expects_none || strcmp(bench->failure, expected) == 0)) {
        snprintf(why, size, "%s: %s", bench->failure, bench->sentence);
        found = COR_EXPECTED_COMES;
    } else if (bench->failure)
        snprintf(why, size, "%s was not judged to the end, for the test failed by %s: %s", expected,
                 bench->failure, bench->sentence);
    else if (bench->verdict == COR_TEST_TROUBLE)
        snprintf(why, size, "the system is in trouble at move %u: %s", bench->moves, bench->words);
    else if (bench->moves == 0)
        snprintf(why, size, "nothing was given to the system");
    else if (bench->is_made ? bench->verdict != COR_TEST_PASS : bench->moves < efsm_layer__inputs(test))
        snprintf(why, size, "there is no verdict behind move %u: %s", bench->moves, bench->words);
    else if (bench->moves < test->at)
        snprintf(why, size, "the test ends with input %u, and what is expected came with input %" PRIu64,
                 bench->moves, test->at);
    else {
        snprintf(why, size, "nothing fails: the model allows all %u answers", bench->moves);
        found = COR_EXPECTED_IS_GONE;
    }
    /* What it was made of and is no more, behind all else. */
    const struct cor_efsm_marks *kept = &bench->experiment->marks;
    struct cor_efsm_marks now;
    if (efsm_layer__marks(bench->experiment, bench->arm, &now, NULL) == COR_OK)
        cor_subject_put_changes(why, size, "the model", cor_subject_changed(kept->model, now.model),
                                "the system", cor_subject_changed(kept->system, now.system));
    return found;
}

static const char *why_otherwise(const struct cor_experiment_head *head, uint32_t arm) {
    const struct cor_efsm_experiment *experiment = (const void *)head;
    return experiment->arms[arm].command
               ? "the program may look at a clock, or draw by lot; else it was changed since"
               : "was this program changed since? Its mutants and planners are not those of the file";
}

const struct cor_subject efsm_layer__subject = {
    .test = "test",
    .choice = "step",
    .measure = "input",
    .measured = EFSM_LAYER__INPUT,
    .lesser = COR_NO_KIND,
    .open = open_bench,
    .close = close_bench,
    .make = make,
    .run = run,
    .future = future_of,
    .follow = follow,
    .text = text_of,
    .find = find,
    .shrink = shrink,
    .read = efsm_layer__test_read,
    .write = efsm_layer__test_write,
    .why_otherwise = why_otherwise,
};
