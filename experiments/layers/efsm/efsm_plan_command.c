/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "efsm_text.h"
#include "running.h"
#include "show_view.h"

#include <corridor/array.h>
#include <corridor/efsm_reach.h>
#include <corridor/planner.h>
#include <corridor/rehearsal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLAN_COLUMNS(kind, digits, length_meaning)                                                          \
    {"length", "length", "1", length_meaning, kind, digits, 0},                                             \
        {"proven",      "proven", "", "that no plan is shorter; without a length: that there is none",      \
         COR_CELL_FLAG, 0,        0},                                                                       \
        {"bound", "bound", "1", "no plan that covers all has fewer moves", kind, digits, 0},                \
        {"resets", "resets", "1", "thereof, each a move", COR_CELL_COUNT, 0, 0},                            \
        {"reading",     "reading", "", "of what the system chooses: hope, forced or expected",              \
         COR_CELL_WORD, 0,         0},                                                                      \
        {"proof",                                                                                           \
         "proof",                                                                                           \
         "",                                                                                                \
         "bfs (all shorter ways were looked at), fixpoint (all that can be met was), bound (no way can be " \
         "shorter) or none",                                                                                \
         COR_CELL_WORD,                                                                                     \
         0,                                                                                                 \
         0},                                                                                                \
        {"planner", "planner", "", "who made it", COR_CELL_WORD, 0, 0},                                     \
        {"method", "method", "", "how it was found", COR_CELL_TEXT, 0, 0},                                  \
        {"goal", "goal", "", "its name", COR_CELL_WORD, 0, 0},                                              \
        {"covered", "covered", "1", "traps covered by the path", COR_CELL_COUNT, 0, 0},                     \
        {"traps", "traps", "1", "of the goal", COR_CELL_COUNT, 0, 0}, {                                     \
        "why", "why", "", "there is no length, or no proof", COR_CELL_TEXT, 0, 0                            \
    }

static const struct cor_column_definition plan_sheet_columns[] = {
    PLAN_COLUMNS(COR_CELL_COUNT, 0, "moves; forced: at most, whatever the system chooses")};
COR_SHEET_DEFINITION(plan_sheet, "plan", "Plan", "the plan", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition expected_sheet_columns[] = {
    PLAN_COLUMNS(COR_CELL_REAL, 6, "expected moves")};
COR_SHEET_DEFINITION(expected_sheet, "plan", "Plan", "the plan", COR_SHEET_RECORD | COR_SHEET_TOP, 0);

static const struct cor_column_definition path_sheet_columns[] = {
    {"move", "move", "1", "from 1", COR_CELL_COUNT, 0, 0},
    {"transition", "transition", "", "that the plan counts on; forced: the worst; of a reset none",
     COR_CELL_WORD, 0, 0},
    {"input", "input", "", "label and parameters", COR_CELL_TEXT, 0, 0},
    {"rivals", "or", "", "what else the system may choose", COR_CELL_TEXT, 0, 0},
    {"outputs", "outputs", "", "what it says", COR_CELL_TEXT, 0, 0},
    {"location", "location", "", "behind the move", COR_CELL_WORD, 0, 0},
    {"state", "state", "", "behind the move", COR_CELL_TEXT, 0, 0},
    {"covers", "covers", "", "traps", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(path_sheet, "path", "Path",
                     "a row a move; where the system may choose, one of the ways it may go", COR_SHEET_TOP,
                     0);

static const struct cor_column_definition traps_sheet_columns[] = {
    {"trap", "trap", "", "its id", COR_CELL_WORD, 0, 0},
    {"move", "move", "1", "that covers it", COR_CELL_COUNT, 0, 0},
    {"found", "found", "",
     "covered; out of reach (proven, from the start); lost on the way (proven, by what was covered before); "
     "or "
     "not covered",
     COR_CELL_WORD, 0, 0}};
COR_SHEET_DEFINITION(traps_sheet, "traps", "Traps", "a row a trap of the goal", 0, 0);

struct request {
    struct cor_sheet_options sheets;
    const char *goal, *weights, *constraints;
    int planner;
    uint32_t moves;
    int64_t depth;  /* -1: that of the constraints, or as always */
    int64_t resets; /* -1: as many as the model says */
    struct cor_planner_definition how;
};

/* A plan in the making, move by move. */
struct walk {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal;
    const struct cor_planning_problem *problem;
    const struct cor_planner_kind *kind;
    struct cor_rehearsal rehearsal;
    struct cor_plan_choice first, last; /* choices; what they borrow is not used */
    bool has_first;
    uint64_t *lost, *lost_first; /* owned; what the last choice, and the first, say is out of reach */
    uint32_t *covered_at;        /* owned; [trap] move, 0 = not */
    uint32_t moves, moves_max, resets_max;
    uint32_t bound; /* no plan that covers all is shorter; 0: not known */
    bool is_part;   /* some choice did not plan for all that was left */
    bool undecided; /* neither a plan nor the proof that there is none */
    double shown;   /* when it was last said how far it is */
    struct cor_sheet *path;
};

/* What else the input enables. */
static char *rivals_text(const struct walk *w, const struct cor_rehearsed_move *move) {
    char *text = cor_strdup("");
    for (uint32_t i = 0; i < move->enabled_count; i++)
        if (move->enabled[i] != move->transition)
            text = cor_join_take(text, ", ", cor_strdup(w->model->transition_names[move->enabled[i]]));
    return text;
}

static void see_move(void *context, const struct cor_rehearsed_move *move) {
    struct walk *w = context;
    w->moves++;
    (void)cor_progress_goes_on(&w->shown, "planning move %u", w->moves + 1);
    for (uint32_t t = 0; t < w->problem->trap_count; t++)
        if (cor_trap_is_in(move->gained, t))
            w->covered_at[t] = w->moves;
    cor_sheet_row(w->path);
    cor_sheet_count(w->path, w->moves);
    if (move->transition == COR_NONE) {
        cor_sheet_nothing(w->path);
        cor_sheet_word(w->path, "reset");
        cor_sheet_nothing(w->path);
        cor_sheet_nothing(w->path);
        cor_sheet_word(w->path, w->model->location_names[w->model->initial]);
        cor_sheet_text_take(w->path, cor_efsm_state_text(w->model, move->next));
        cor_sheet_word(w->path, "");
        return;
    }
    cor_sheet_word(w->path, w->model->transition_names[move->transition]);
    cor_sheet_text_take(w->path, cor_efsm_input_text(w->model, move->input, move->values));
    if (move->enabled_count > 1)
        cor_sheet_text_take(w->path, rivals_text(w, move));
    else
        cor_sheet_nothing(w->path);
    cor_sheet_text_take(w->path, cor_efsm_answer_text(w->model, move->transition, move->values));
    cor_sheet_word(w->path, w->model->location_names[w->model->transitions[move->transition].target]);
    cor_sheet_text_take(w->path, cor_efsm_state_text(w->model, move->next));
    /* The names of the traps in the set. */
    char *text = cor_strdup("");
    for (uint32_t t = 0; t < w->problem->trap_count; t++)
        if (cor_trap_is_in(move->gained, t))
            text = cor_join_take(text, ", ", cor_strdup(w->goal->traps[t].id));
    cor_sheet_text_take(w->path, text);
}

static void see_choice(void *context, const struct cor_plan_choice *choice) {
    struct walk *w = context;
    const size_t size = w->problem->trap_words * sizeof *w->lost;
    if (choice->lost)
        memcpy(w->lost, choice->lost, size);
    if (!w->has_first) {
        w->has_first = true;
        w->first = *choice;
        memcpy(w->lost_first, w->lost, size);
    }
    w->last = *choice;
    w->is_part = w->is_part || (choice->advice == COR_ADVICE_INPUT && choice->is_part);
}

/* No plan covers all. */
static bool is_split(const struct walk *w) {
    return w->is_part && w->first.whole != COR_PROOF_NONE;
}

/* What a plan lacks that does not cover all. */
static const char *lack(const struct walk *w) {
    switch (w->last.advice) {
    case COR_ADVICE_LOST:
        return w->moves == 0 ? "nothing of the goal can be reached: all states that can be met were looked at"
               : is_split(w)
                   ? "the rest of the goal cannot be reached"
                   : "the rest cannot be reached from where the path ends; another way may cover more";
    case COR_ADVICE_PREVENTED:
        return "no way of giving inputs reaches the goal for certain: the system can choose otherwise "
               "(--reading hope: with luck)";
    case COR_ADVICE_GIVE_UP:
        return w->last.method;
    case COR_ADVICE_INPUT:
        return "not reached within so many moves (--moves)";
    case COR_ADVICE_COVERED:
        break;
    }
    return NULL;
}

/* What is to be said of a plan that does not do all, or is not proven to be shortest; NULL: nothing. */
static char *reason(const struct walk *w) {
    const char *short_of = w->last.advice == COR_ADVICE_COVERED ? NULL : lack(w);
    if (short_of)
        return cor_strdup(short_of);
    if (is_split(w))
        return cor_strdup(
            "no way of giving inputs covers all for certain: the system can choose otherwise; the path "
            "covers trap by trap, with luck");
    if (w->first.proof != COR_PROOF_NONE && !w->is_part)
        return NULL;
    const char *why = w->is_part ? "planned trap by trap: all together are more than the budget of states"
                                 : "this planner does not prove that its plans are shortest";
    if (w->bound == 0)
        return cor_strdup(why);
    return w->bound < w->moves
               ? cor_format("%s; none has fewer than %u moves, so at most %.1f %% could be saved", why,
                            w->bound, 100.0 * (w->moves - w->bound) / w->moves)
               : cor_format("%s", why);
}

/* How short a plan that covers all could be; of a plan that is proven its length. */
static void put_bound(const struct walk *w, const struct cor_planner_definition *definition, bool covers_all,
                      struct cor_sheet *sheet) {
    const bool expected = definition->reading == COR_READING_EXPECTED;
    const double least = expected && !isnan(w->first.expected) ? w->first.expected : w->moves;
    if (covers_all && w->first.proof != COR_PROOF_NONE)
        expected ? cor_sheet_real(sheet, least) : cor_sheet_count(sheet, w->moves);
    else if (w->bound == 0 || is_split(w))
        cor_sheet_nothing(sheet);
    else
        expected ? cor_sheet_real(sheet, w->bound) : cor_sheet_count(sheet, w->bound);
}

/* Whether there is neither a plan nor the proof that there is none. */
static bool fill_plan(const struct walk *w, const struct cor_planner_definition *definition,
                      struct cor_sheet *sheet) {
    const bool done = w->last.advice == COR_ADVICE_COVERED;
    const bool split = is_split(w);
    const bool none =
        split ||
        (w->moves == 0 && (w->last.advice == COR_ADVICE_LOST || w->last.advice == COR_ADVICE_PREVENTED));
    const bool expected = definition->reading == COR_READING_EXPECTED && !isnan(w->first.expected);
    uint32_t covered = 0;
    for (uint32_t t = 0; t < w->problem->trap_count; t++)
        covered += cor_trap_is_in(w->rehearsal.covered, t);
    cor_sheet_row(sheet);
    if (!done || split || (definition->reading == COR_READING_EXPECTED && w->is_part))
        cor_sheet_nothing(sheet);
    else if (definition->reading == COR_READING_EXPECTED)
        cor_sheet_real(sheet, w->moves == 0 ? 0 : expected ? w->first.expected : NAN);
    else
        cor_sheet_count(sheet, w->moves);
    cor_sheet_flag(sheet, w->moves == 0 && done ? true
                          : done && !split      ? w->first.proof != COR_PROOF_NONE && !w->is_part
                                                : none);
    put_bound(w, definition, done && !split && !w->is_part, sheet);
    cor_sheet_count(sheet, w->rehearsal.resets);
    cor_sheet_word(sheet, cor_reading_word(definition->reading));
    cor_sheet_word(sheet, cor_proof_word(split        ? w->first.whole
                                         : !done      ? none ? w->last.proof : COR_PROOF_NONE
                                         : w->is_part ? COR_PROOF_NONE
                                                      : w->first.proof));
    cor_sheet_word(sheet, w->kind->name);
    const bool has_method = w->first.advice == COR_ADVICE_INPUT && w->first.method;
    cor_sheet_word(sheet, has_method ? w->first.method : NULL);
    cor_sheet_word(sheet, w->goal->name);
    cor_sheet_count(sheet, covered);
    cor_sheet_count(sheet, w->problem->trap_count);
    char *why = reason(w);
    if (why)
        cor_sheet_text_take(sheet, why);
    else
        cor_sheet_nothing(sheet);
    return !done && !none;
}

/* What the planner said, or what the flow through the model's graph says. */
static enum cor_status find_bound(struct walk *w, struct cor_error *error) {
    uint32_t bound;
    w->bound = w->first.bound;
    COR_FREED uint64_t *none = cor_calloc(w->problem->trap_words, sizeof *none);
    COR_TRY(cor_made(none, error));
    const enum cor_status status =
        cor_efsm_walk_bound(w->model, w->goal, w->model->initial, none, w->resets_max, &bound, error);
    if (status == COR_OK && bound != COR_NO_WALK && bound > w->bound)
        w->bound = bound;
    return status;
}

/* Plays the plan, and shows it unless it takes too many resets. */
static enum cor_status show(const struct cor_sheet_options *options, struct walk *w,
                            const struct cor_planner_definition *definition, bool *too_many,
                            struct cor_error *error) {
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    COR_TRY(cor_sheets_create("corridor-efsm-plan", 1, &sheets, error));
    struct cor_sheet *plan =
        cor_sheets_add(sheets, definition->reading == COR_READING_EXPECTED ? &expected_sheet : &plan_sheet);
    w->path = cor_sheets_add(sheets, &path_sheet);
    const struct cor_rehearsal_definition played = {.kind = w->kind,
                                                    .planner = *definition,
                                                    .moves = w->moves_max,
                                                    .resets = w->resets_max,
                                                    .seed = definition->seed,
                                                    .context = w,
                                                    .see_choice = see_choice,
                                                    .see_move = see_move};
    cor_progress_doing("planning");
    const enum cor_status status = cor_rehearse(&played, &w->rehearsal, error);
    cor_progress_doing(NULL);
    COR_TRY(status);
    *too_many = w->rehearsal.end == COR_ADVICE_INPUT && w->rehearsal.length < w->moves_max;
    if (*too_many)
        return COR_OK;
    COR_TRY(find_bound(w, error));
    w->undecided = fill_plan(w, definition, plan);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &traps_sheet);
    for (uint32_t t = 0; t < w->problem->trap_count; t++) {
        const bool covered = cor_trap_is_in(w->rehearsal.covered, t);
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, w->goal->traps[t].id);
        if (covered)
            cor_sheet_count(sheet, w->covered_at[t]);
        else
            cor_sheet_nothing(sheet);
        cor_sheet_word(sheet, covered                            ? "covered"
                              : cor_trap_is_in(w->lost_first, t) ? "out of reach"
                              : cor_trap_is_in(w->lost, t)       ? "lost on the way"
                                                                 : "not covered");
    }
    return cor_show_sheets(options, sheets, "path", error);
}

#define WEIGHT_MAX 1e12 /* as in an experiment: sums stay finite */

/* "t2=3,t3=1": how often transitions are taken, one beside the other; 1 of those that are not named. */
static enum cor_status read_weights(const char *text, const struct cor_efsm *model, double *weights,
                                    struct cor_error *error) {
    for (uint32_t t = 0; t < model->transition_count; t++)
        weights[t] = 0;
    for (const char *at = text; *at;) {
        const int length = (int)strcspn(at, "=,"), whole = (int)strcspn(at, ",");
        uint32_t t = 0;
        char *end = NULL;
        while (t < model->transition_count && (strncmp(model->transition_names[t], at, (size_t)length) != 0 ||
                                               model->transition_names[t][length] != '\0'))
            t++;
        if (t == model->transition_count || at[length] != '=' || weights[t] > 0)
            return cor_fail(error, COR_STATUS_INPUT, "--weights",
                            "write TRANSITION=NUMBER, several with commas", "\"%.*s\": %s", whole, at,
                            at[length] != '='              ? "no number behind it"
                            : t == model->transition_count ? "no transition is called so"
                                                           : "the transition has a weight already");
        weights[t] = strtod(at + length + 1, &end);
        if (end != at + whole || !(weights[t] > 0 && weights[t] <= WEIGHT_MAX))
            return cor_fail(error, COR_STATUS_INPUT, "--weights", "write a number above 0, up to 1e12",
                            "\"%.*s\": no weight", whole, at);
        at = *end == ',' ? end + 1 : end;
    }
    for (uint32_t t = 0; t < model->transition_count; t++)
        weights[t] = weights[t] > 0 ? weights[t] : 1;
    return COR_OK;
}

static enum cor_status plan(const struct request *request, struct walk *w,
                            struct cor_planner_definition *definition, bool *too_many,
                            struct cor_error *error) {
    const struct cor_planning_problem *problem = w->problem;
    COR_FREED double *weights = cor_calloc(w->model->transition_count, sizeof *weights);
    enum cor_status status = COR_OK;
    w->lost_first = cor_calloc(problem->trap_words, sizeof *w->lost_first);
    w->lost = cor_calloc(problem->trap_words, sizeof *w->lost);
    w->covered_at = cor_calloc(problem->trap_count, sizeof *w->covered_at);
    if (!weights || !w->lost || !w->lost_first || !w->covered_at)
        COR_TRY_OUT(cor_fail_memory(error));
    if (request->weights) {
        COR_TRY_OUT(read_weights(request->weights, w->model, weights, error));
        definition->weights = weights;
    }
    COR_TRY_OUT(show(&request->sheets, w, definition, too_many, error));
out:
    cor_rehearsal_fini(&w->rehearsal);
    COR_FREE(w->lost, w->lost_first, w->covered_at);
    return status;
}

static const char *planner_word(size_t index) {
    return cor_planner_kinds[index] ? cor_planner_kinds[index]->name : NULL;
}

/* A plan with resets, or with none. Any number first, which keeps states few; counted where that came to too
 * many, or where a plan has more ways than the one that is shown. Other planners plan none: they are reset
 * where they do not know how to go on. */
static enum cor_status plan_with_resets(const struct request *request, struct walk *w,
                                        struct cor_planner_definition *definition, struct cor_error *error) {
    const bool plans_resets = w->resets_max > 0 && w->kind == cor_planner_kinds[0];
    bool is_counted = definition->reading != COR_READING_HOPE, too_many = true;
    enum cor_status status = COR_OK;
    for (int attempt = 0; attempt < 2 && too_many && status == COR_OK; attempt++, is_counted = true) {
        COR_DESTROYED(cor_efsm_problem) struct cor_efsm_problem *problem = NULL;
        struct walk one = *w;
        COR_TRY(cor_efsm_problem_create(one.model, one.goal, &problem, error));
        if (plans_resets)
            cor_efsm_problem_allow_resets(problem, is_counted ? one.resets_max : COR_RESETS_ANY);
        one.problem = definition->problem = cor_efsm_planning_problem(problem);
        definition->efsm = problem;
        status = plan(request, &one, definition, &too_many, error);
        w->undecided = one.undecided;
    }
    return status;
}

static enum cor_exit run_efsm_plan(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_efsm) struct cor_efsm *model = NULL;
    COR_FINISHED(cor_efsm_goal) struct cor_efsm_goal made = {0};
    struct walk w = {.kind = cor_planner_kinds[request->planner], .moves_max = request->moves};
    struct cor_planner_definition definition = request->how;
    struct cor_efsm_constraints constraints = {0};
    enum cor_status status = COR_OK;
    if (request->constraints && (request->depth >= 0 || strcmp(w.kind->name, "paper") != 0))
        return cor_misuse(arguments->command, "--constraints %s",
                          request->depth >= 0 ? "are of a depth of their own: leave out --depth"
                                              : "are for --planner paper");
    if (request->weights && request->how.reading != COR_READING_EXPECTED)
        return cor_misuse(arguments->command, "weighs nothing but with --reading expected");
    COR_TRY_OUT(cor_efsm_read(arguments->words[0], &model, &error));
    COR_TRY_OUT(cor_efsm_goal_find(model, request->goal, &made, &w.goal, &error));
    w.model = definition.model = model;
    w.resets_max = request->resets >= 0 ? (uint32_t)request->resets : model->resets;
    definition.goal = w.goal;
    definition.depth = request->depth >= 0 ? (uint32_t)request->depth : COR_PLANNER_DEPTH;
    if (request->constraints) {
        COR_TRY_OUT(cor_efsm_constraints_read(request->constraints, model, w.goal, &constraints, &error));
        definition.constraints = &constraints;
        definition.depth = constraints.depth;
    }
    COR_TRY_OUT(plan_with_resets(request, &w, &definition, &error));
out:
    cor_efsm_constraints_fini(&constraints);
    return status != COR_OK ? cor_report(&error) : w.undecided ? COR_EXIT_UNDECIDED : COR_EXIT_DONE;
}

const struct cor_command cor_command_efsm_plan = {
    .name = "efsm plan",
    .summary = "find inputs that cover a goal, and whether fewer could",
    .operands = "MODEL.json --goal GOAL",
    .takes = {1, 1, "needs one model"},
    .request_size = sizeof(struct request),
    .manual = "Plans from the initial state. The planner search looks at all states that matter together "
              "with the traps covered, within a budget; where all traps together are more than that, it "
              "takes the nearest first, and says so. Where the system may choose, a plan is read in one of "
              "three ways: hope (it is kind), forced (the plan holds whatever it chooses, and its length is "
              "that of the worst case), expected (least expected moves; rivals have the weights given, else "
              "are equally likely). That there is no plan is said only when it is proven. GOAL is a goal of "
              "the model, a transition, or all-transitions, transition-pairs, all-locations or "
              "guard-boundaries. With --json, length, proven, reading and path stand at the top.",
    .options =
        {
            {"goal", 'g', "GOAL", "cover this goal", COR_TEXT(goal),
             .required = "needs --goal: one of the model's (corridor efsm show lists them), all-transitions, "
                         "transition-pairs, all-locations or guard-boundaries"},
            {"planner", 0, "NAME", "plan by this planner", COR_WORD(planner, planner_word, 0, 0)},
            {"reading", 0, "NAME", "read choices of the system in this way",
             COR_WORD(how.reading, cor_reading_word, 0, COR_READING_HOPE)},
            {"weights", 0, "LIST",
             "expected: weight transitions by how often they are taken, \"t3=0.9,t4=0.1\"", COR_TEXT(weights),
             .otherwise = "1 each"},
            {"states", 0, "N", "look at no more than N states in one search",
             COR_INTEGER(how.state_budget, 1, 100000000, COR_PLANNER_STATES)},
            {"moves", 0, "N", "make at most N moves", COR_INTEGER(moves, 1, 10000000, 10000)},
            {"resets", 0, "N", "begin again at most N times, a move each",
             COR_INTEGER(resets, 0, COR_EFSM_RESETS_MAX, -1), .otherwise = "as the model says, else 0"},
            {"depth", 0, "K", "planner paper: compute constraints off line to this depth; 0 = complete",
             COR_INTEGER(depth, 0, 1000000, -1), .otherwise = "2, or that of --constraints"},
            {"constraints", 0, "C.json", "planner paper: take those that efsm reach -o wrote",
             COR_TEXT(constraints)},
            {"optimise", 0, "N", "planner paper: optimise inputs of the N best candidates; 0 = all",
             COR_INTEGER(how.optimised, 0, COR_PLANNER_OPTIMISED_MAX, 0)},
            {"seed", 0, "N", "seed planners that draw with N", COR_INTEGER(how.seed, 0, INT64_MAX, 0)},
            COR_SHEET_OPTIONS(sheets, "print the path as CSV"),
        },
    .examples =
        {"corridor efsm plan experiments/library/efsm/counter3.json --goal trap_t3",
         "corridor efsm plan experiments/library/efsm/inres_initiator.json --goal all-transitions --json",
         "corridor efsm plan experiments/library/efsm/lossy_link.json --goal trap_fin --reading expected"},
    .run = run_efsm_plan,
};
