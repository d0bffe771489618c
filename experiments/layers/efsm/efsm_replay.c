/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the commands about result files and tests know of the layer: tests executed again, shrunk, told. */
#include "internal.h"
#include "isolation.h"
#include "output.h"
#include "show_view.h"
#include "subject_commands.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/efsm_layer.h>
#include <corridor/efsm_result.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct answers {
    struct cor_recorded_answer *items; /* owned, with what they hold */
    size_t count, capacity;
};

static enum cor_status add(struct answers *answers, bool is_reset, uint8_t trouble, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&answers->items, &answers->capacity, answers->count + 1, error));
    answers->items[answers->count++] =
        (struct cor_recorded_answer){.is_reset = is_reset, .trouble = (enum cor_system_trouble)trouble};
    return COR_OK;
}

/* What the system said of goals with the answer to a move; `next`, `end`: rows of such words. */
static enum cor_status gather_told(const struct cor_layer_tables *model, uint32_t move, uint64_t *next,
                                   uint64_t end, const struct cor_efsm_experiment *experiment,
                                   struct cor_recorded_answer *answer, struct cor_error *error) {
    const uint64_t first = *next;
    for (; *next < end; ++*next) {
        const struct cor_efsm_goal_row *row = cor_layer_row(model, COR_EFSM_TABLE_GOALS, *next);
        if (row->move != move)
            break;
        if (row->goal >= experiment->told_count || *next - first >= COR_TOLD_GOALS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, "goals", NULL,
                            "move %u has goals that the experiment does not let the system speak of", move);
    }
    answer->told_count = (uint32_t)(*next - first);
    COR_TRY(cor_made(answer->told = cor_calloc(answer->told_count, sizeof *answer->told), error));
    for (uint32_t t = 0; t < answer->told_count; t++) {
        const struct cor_efsm_goal_row *row = cor_layer_row(model, COR_EFSM_TABLE_GOALS, first + t);
        answer->told[t] = (struct cor_goal_word){row->goal, row->adds != 0};
    }
    return COR_OK;
}

/* What the system said in a test: the first reset, then each move, with a reset wherever one was made. */
static enum cor_status gather(const struct cor_layer_tables *model, const struct cor_efsm_test_row *test,
                              const struct cor_efsm_experiment *experiment, struct answers *answers,
                              struct cor_error *error) {
    uint64_t count, told_count;
    const uint64_t first = cor_layer_rows_of(model, COR_EFSM_TABLE_MOVES, test->arm, test->suite, &count);
    uint64_t told = cor_layer_rows_of(model, COR_EFSM_TABLE_GOALS, test->arm, test->suite, &told_count);
    const uint64_t told_end = told + told_count;
    uint32_t attempt = 0;
    uint8_t trouble = 0; /* of the last move */
    if (count != test->moves)
        return cor_fail(error, COR_STATUS_INPUT, cor_arm_entry(model->head, test->arm)->name,
                        "without \"brief\" the file has them all",
                        "of what a program said in test %u there are only %llu of %u moves", test->suite,
                        (unsigned long long)count, test->moves);
    const bool at_once = count == 0 && test->trouble != 0;
    COR_TRY(add(answers, true, at_once ? test->trouble : 0, error));
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, i);
        for (; attempt < row->attempt; attempt++)
            COR_TRY(add(answers, true, 0, error));
        COR_TRY(add(answers, false, row->trouble, error));
        struct cor_efsm_observation *observation = &answers->items[answers->count - 1].observation;
        answers->items[answers->count - 1].timeout = row->timeout != 0;
        for (uint32_t o = 0; o < row->outputs; o++) {
            const uint16_t code = cor_efsm_outputs(model)[row->output_start + o];
            COR_TRY(
                cor_efsm_observation_label(observation, code == 0 ? COR_NONE : (uint32_t)code - 1, error));
        }
        for (uint32_t v = 0; v < row->values; v++)
            COR_TRY(cor_efsm_observation_argument(
                observation, (int64_t)cor_efsm_values(model)[row->value_start + v], error));
        COR_TRY(gather_told(model, row->move, &told, told_end, experiment,
                            &answers->items[answers->count - 1], error));
        trouble = row->trouble;
    }
    for (; attempt < test->resets; attempt++)
        COR_TRY(add(answers, true, trouble == 0 ? test->trouble : 0, error));
    return COR_OK;
}

struct replay {
    struct cor_layer_tables model;
    struct cor_efsm_experiment *experiment; /* owned */
};

static void close_replay(void *self) {
    COR_FREED struct replay *replay = self;
    if (!replay)
        return;
    cor_efsm_experiment_destroy(replay->experiment);
    cor_layer_tables_fini(&replay->model);
}

/* What programs said stands in the file: none is started. */
static enum cor_status open_replay(struct cor_result *result, const char *path, bool trust,
                                   enum cor_isolation isolation, const char *traffic, void **self,
                                   struct cor_error *error) {
    (void)trust;
    (void)isolation;
    if (traffic)
        return cor_fail(error, COR_STATUS_INPUT, "--replay-traffic", "leave it out",
                        "what programs said on line stands in the result file");
    struct replay *replay = *self = cor_calloc(1, sizeof *replay);
    COR_TRY(cor_made(replay, error));
    enum cor_status status = cor_efsm_result_init(result, &replay->model, error);
    if (status == COR_OK)
        status =
            cor_efsm_experiment_parse(replay->model.head->experiment, path, NULL, &replay->experiment, error);
    if (status != COR_OK) {
        close_replay(replay);
        *self = NULL;
        return status;
    }
    bool is_program = false;
    for (uint32_t a = 0; a < replay->experiment->head.arm_count; a++)
        is_program = is_program || replay->experiment->arms[a].command;
    if (is_program)
        cor_say("note: programs are not started: their answers stand in %s; corridor run asks them again",
                path);
    return COR_OK;
}

static enum cor_status execute(void *self, uint16_t arm, uint32_t suite, struct cor_record *record,
                               struct cor_error *error) {
    struct replay *replay = self;
    struct answers answers = {0};
    struct cor_system *system = NULL;
    struct cor_suite_counts tally;
    uint64_t count;
    enum cor_status status = COR_OK;
    if (replay->experiment->arms[arm].command) {
        const uint64_t test = cor_layer_rows_of(&replay->model, COR_EFSM_TABLE_TESTS, arm, suite, &count);
        COR_TRY_OUT(gather(&replay->model, cor_layer_row(&replay->model, COR_EFSM_TABLE_TESTS, test),
                           replay->experiment, &answers, error));
        COR_TRY_OUT(cor_recording_create(answers.items, answers.count, &system, error));
    }
    COR_TRY_OUT(cor_efsm_execute(replay->experiment, arm, suite, system, NULL, record, &tally, error));
out:
    for (size_t i = 0; i < answers.count; i++) {
        cor_efsm_observation_fini(&answers.items[i].observation);
        free(answers.items[i].told);
    }
    free(answers.items);
    return status;
}

/* Tests on line: systems of ours by their names, programs by what they answered then. */
static const struct cor_replayer replayer = {
    .open = open_replay, .execute = execute, .close = close_replay, .first = "moves"};

/* ---- tests, each alone: executed, told, made small, kept */

static struct cor_test_row test_of_row(const struct cor_layer_tables *model, uint64_t index) {
    const struct cor_efsm_test_row *row = cor_layer_row(model, COR_EFSM_TABLE_TESTS, index);
    return (struct cor_test_row){
        .arm = row->arm, .suite = row->suite, .size = row->moves, .digest = row->replies};
}

/* By its failing move, and what was allowed there. */
static enum cor_status failure_of_row(const struct cor_layer_tables *model, uint64_t index, char **failure,
                                      struct cor_error *error) {
    const struct cor_efsm_test_row *test = cor_layer_row(model, COR_EFSM_TABLE_TESTS, index);
    const size_t transitions = model->head->catalog_size[COR_EFSM_CATALOG_TRANSITION]; /* 0: none */
    uint64_t count, allowed_count;
    const uint64_t first = cor_layer_rows_of(model, COR_EFSM_TABLE_MOVES, test->arm, test->suite, &count);
    const uint64_t allowed =
        cor_layer_rows_of(model, COR_EFSM_TABLE_ALLOWED, test->arm, test->suite, &allowed_count);
    const struct cor_efsm_move_row *move = NULL;
    if (test->verdict != COR_TEST_FAIL)
        return COR_OK;
    for (uint64_t i = first; i < first + count && !move; i++) {
        const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, i);
        move = row->move == test->failed ? row : NULL;
    }
    if (transitions == 0)
        return cor_fail(error, COR_STATUS_INPUT, "/catalog/transition", "the file is not as it was written",
                        "has no transition 0");
    if (!move)
        return cor_fail(error, COR_STATUS_INPUT, cor_arm_entry(model->head, test->arm)->name,
                        "the file is not as it was written",
                        "test %u failed at move %u, which it does not have", test->suite, test->failed);
    COR_FREED const char **names = cor_calloc(transitions, sizeof *names);
    COR_FREED bool *is_allowed = cor_calloc(transitions, sizeof *is_allowed);
    COR_TRY(cor_made(names ? is_allowed : NULL, error));
    for (uint64_t i = allowed; i < allowed + allowed_count; i++) {
        const struct cor_efsm_allowed_row *row = cor_layer_row(model, COR_EFSM_TABLE_ALLOWED, i);
        if (row->transition >= transitions) /* of a file that was changed a code may have any number */
            return cor_fail(error, COR_STATUS_INPUT, "/catalog/transition",
                            "the file is not as it was written", "transition %u is not among %zu",
                            row->transition, transitions);
        is_allowed[row->transition] = true;
    }
    for (size_t t = 0; t < transitions; t++)
        names[t] = cor_efsm_name(model, COR_EFSM_CATALOG_TRANSITION, (uint16_t)t);
    *failure = efsm_layer__failure(cor_efsm_name(model, COR_EFSM_CATALOG_LOCATION, move->location),
                                   cor_efsm_name(model, COR_EFSM_CATALOG_INPUT, move->input), names + 1,
                                   is_allowed + 1, is_allowed[0], transitions - 1);
    return cor_made(*failure, error);
}

/* The system chooses by chance; a program does as it does, and what the planner draws is drawn. That of the
 * experiment is asked: a program may be called like a word. */
static bool no_law(const struct cor_json *experiment, const struct cor_json *described, const char *name,
                   char why[COR_NO_LAW_BYTES]) {
    struct cor_json arms, system;
    const char *word = "";
    (void)described;
    for (size_t a = 0; cor_json_find(experiment, "arms", &arms) && a < cor_json_size(&arms); a++) {
        const struct cor_json arm = cor_json_at(&arms, a);
        const char *called = cor_json_called(&arm);
        if (called && strcmp(called, name) == 0 && cor_json_find(&arm, "system", &system) &&
            cor_json_string(&system, &word, NULL) != COR_OK)
            word = "";
    }
    const bool is_worst = strcmp(word, cor_choosing_word(COR_CHOOSING_ADVERSARY)) == 0;
    snprintf(why, COR_NO_LAW_BYTES, "%s",
             is_worst ? "the adversary chooses the worst" : "a fair system chooses by turns, not by chance");
    return is_worst || strcmp(word, cor_choosing_word(COR_CHOOSING_FAIR)) == 0;
}

static const struct cor_lack lacks[] = {
    {"search", "planners search for inputs, each in its own way", "corridor efsm test MODEL --planner WORD"},
    {"estimate", "tests of a model are drawn as they are: nothing makes a failure more frequent",
     "corridor decide FILE 'P <= 0.01 [ failed ]'"},
    {"explore", "weights of a model stand in its arms, and are not drawn",
     "an arm for each, and corridor show FILE"},
    {0}};

const struct cor_layer_commands cor_commands_of_efsm;
const struct cor_layer_commands cor_commands_of_efsm = {&cor_efsm_schema,
                                                        .replayer = &replayer,
                                                        .shows_suites = true,
                                                        .failures = "tests",
                                                        .tested = &cor_efsm_layer,
                                                        .tell = efsm_layer__tell,
                                                        .load = cor_efsm_result_init,
                                                        .test = test_of_row,
                                                        .failure = failure_of_row,
                                                        .keys = "ARM/SUITE",
                                                        .is_suite = true,
                                                        .sequences = COR_EFSM_TABLE_TESTS,
                                                        .no_law = no_law,
                                                        .not_of_shrink = cor_not_of_shrink,
                                                        .not_of_replay = cor_not_of_replay,
                                                        .lacks = lacks,
                                                        .tests = "tests of a model"};
