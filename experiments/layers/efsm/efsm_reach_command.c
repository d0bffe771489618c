/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"
#include "running.h"
#include "show_view.h"

#include <corridor/efsm_reach.h>

#include <stdlib.h>

static const struct cor_column_definition traps_sheet_columns[] = {
    {"trap", "trap", "", "its id", COR_CELL_WORD, 0, 0},
    {"moves", "moves", "1", "from the initial state to the end of the one that covers it, at best",
     COR_CELL_COUNT, 0, 0},
    {"proof", "proof", "",
     "why this is so: \"least\" number of moves; \"unreachable\", by a fixpoint; or \"none\"", COR_CELL_WORD,
     0, 0},
    {"rings", "rings", "1", "the last ring that is not empty", COR_CELL_COUNT, 0, 0},
    {"end", "ended by", "", "fixpoint, initial state, depth, budget or beyond arithmetic", COR_CELL_WORD, 0,
     0},
    {"backend", "back end", "", "explicit or symbolic", COR_CELL_WORD, 0, 0},
    {"states", "states", "1", "explicit: that reach the trap", COR_CELL_COUNT, 0, 0},
    {"cubes", "cubes", "1", "symbolic: of all rings", COR_CELL_COUNT, 0, 0},
    {"questions", "z3", "1", "symbolic: questions to z3", COR_CELL_COUNT, 0, 0},
    {"undecided", "undecided", "1", "symbolic: thereof undecided by z3", COR_CELL_COUNT, 0, 0}};
COR_SHEET_DEFINITION(traps_sheet, "traps", "Traps", "a row a trap of the goal", 0, 0);

static const struct cor_column_definition rings_sheet_columns[] = {
    {"trap", "trap", "", "its id", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"ring", "ring", "1", "moves left, the one that covers the trap included; 0: all rings together",
     COR_CELL_COUNT, 0, 0},
    {"location", "location", "", "where", COR_CELL_WORD, 0, 0},
    {"constraint", "constraint", "", "the states there", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(rings_sheet, "rings", "Constraints of the locations",
                     "a row a ring of a location that has states in it", 0, 0);

static const struct cor_column_definition guards_sheet_columns[] = {
    {"trap", "trap", "", "its id", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"ring", "ring", "1", "moves left", COR_CELL_COUNT, 0, 0},
    {"transition", "transition", "", "the first move of a shortest path", COR_CELL_WORD, 0, 0},
    {"constraint", "constraint", "", "the states and inputs for which it is that", COR_CELL_TEXT, 0, 0}};
COR_SHEET_DEFINITION(guards_sheet, "guards", "Guarding constraints",
                     "a row a ring of a transition that leads on from there", 0, 0);

struct shown {
    struct cor_sheet *traps, *rings, *guards;
    int64_t ring;   /* -1 = all */
    bool undecided; /* of some trap: a limit came before the answer */
    bool is_cut;    /* as in struct cor_solver_statistics */
};

static void fill_trap(struct cor_sheet *sheet, const struct cor_efsm_trap *trap,
                      const struct cor_efsm_reach *reach, enum cor_efsm_backend backend) {
    const struct cor_efsm_reach_summary s = cor_efsm_reach_summary(reach);
    const bool symbolic = backend == COR_EFSM_SYMBOLIC, known = s.initial != COR_EFSM_FAR;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, trap->id);
    if (known)
        cor_sheet_count(sheet, s.initial);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_word(sheet, s.end == COR_EFSM_END_BEYOND     ? "none"
                          : known                          ? "least"
                          : s.end == COR_EFSM_END_FIXPOINT ? "unreachable"
                                                           : "none");
    cor_sheet_count(sheet, s.rings);
    cor_sheet_word(sheet, cor_efsm_end_word(s.end));
    cor_sheet_word(sheet, cor_efsm_backend_word(backend));
    if (symbolic)
        cor_sheet_nothing(sheet);
    else
        cor_sheet_count(sheet, s.states);
    const struct cor_question_count asked = cor_solver_statistics_sum(&s.asked);
    const uint64_t counts[] = {s.cubes, asked.asked, asked.undecided};
    for (int i = 0; i < 3; i++)
        if (symbolic)
            cor_sheet_count(sheet, counts[i]);
        else
            cor_sheet_nothing(sheet);
}

static void put_constraint(struct cor_sheet *sheet, const struct cor_efsm_trap *trap, uint32_t ring,
                           const char *where, const char *text) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, trap->id);
    cor_sheet_count(sheet, ring);
    cor_sheet_word(sheet, where);
    cor_sheet_text(sheet, "%s", text);
}

static bool is_false(const char *text) {
    return text[0] == 'f' && text[1] == 'a';
}

static enum cor_status fill_reach(struct shown *shown, const struct cor_efsm_reach_definition *definition,
                                  const struct cor_efsm_reach *reach, struct cor_error *error) {
    const struct cor_efsm_reach_summary summary = cor_efsm_reach_summary(reach);
    const uint32_t rings = summary.rings;
    shown->undecided = shown->undecided || summary.end == COR_EFSM_END_BEYOND ||
                       (summary.end == COR_EFSM_END_BUDGET && summary.initial == COR_EFSM_FAR);
    shown->is_cut = shown->is_cut || summary.asked.is_cut;
    fill_trap(shown->traps, definition->trap, reach, definition->backend);
    for (uint32_t ring = 0; ring <= rings; ring++)
        if (shown->ring < 0 ? ring > 0 : ring == (uint32_t)shown->ring) {
            char *text;
            for (uint32_t l = 0; l < definition->model->location_count; l++) {
                COR_TRY(cor_efsm_reach_location_text(reach, l, ring, &text, error));
                if (!is_false(text))
                    put_constraint(shown->rings, definition->trap, ring, definition->model->location_names[l],
                                   text);
                free(text);
            }
            for (uint32_t t = 0; t < definition->model->transition_count && ring > 0; t++) {
                COR_TRY(cor_efsm_reach_guard_text(reach, t, ring, &text, error));
                if (!is_false(text))
                    put_constraint(shown->guards, definition->trap, ring,
                                   definition->model->transition_names[t], text);
                free(text);
            }
        }
    return COR_OK;
}

struct request {
    struct cor_sheet_options sheets;
    const char *goal, *output;
    int backend;  /* -1 = by size */
    int64_t ring; /* -1 = all */
    uint32_t depth;
    bool to_fixpoint, from_start, summary, force;
};

static enum cor_status print_reach(const struct request *request, const struct cor_efsm *model,
                                   const struct cor_efsm_goal *goal, const struct cor_efsm_constraints *kept,
                                   bool *undecided, struct cor_error *error) {
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_sheets_create("corridor-efsm-reach", 1, &sheets, error));
    struct shown shown = {cor_sheets_add(sheets, &traps_sheet),
                          cor_sheets_add(sheets, &rings_sheet),
                          cor_sheets_add(sheets, &guards_sheet),
                          request->summary ? INT64_MAX : request->ring,
                          false,
                          false};
    for (uint32_t i = 0; i < goal->trap_count + goal->way_count; i++) {
        struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(model, &goal->traps[i], COR_EFSM_EXPLICIT);
        if (kept)
            definition.backend = COR_EFSM_SYMBOLIC;
        else if (request->backend >= 0)
            definition.backend = (enum cor_efsm_backend)request->backend;
        else if (request->from_start || !cor_efsm_is_small(model, definition.state_budget))
            definition.backend = COR_EFSM_SYMBOLIC;
        definition.depth = request->depth;
        definition.until_initial = !request->to_fixpoint;
        definition.from_start = request->from_start;
        definition.doing = cor_progress_doing;
        struct cor_efsm_reach *reach = kept ? kept->reach[i] : NULL;
        if (!kept)
            COR_TRY(cor_efsm_reach_create(&definition, &reach, error));
        status = fill_reach(&shown, &definition, reach, error);
        if (!kept)
            cor_efsm_reach_destroy(reach);
        COR_TRY(status);
    }
    cor_progress_doing(NULL);
    *undecided = shown.undecided;
    if (shown.is_cut)
        cor_say("note: " COR_SOLVER_CUT_TEXT);
    return cor_show_sheets(&request->sheets, sheets, "rings", error);
}

/* Finds the constraints that planners use, and writes them. */
static enum cor_status write_constraints(const struct request *request, const struct cor_efsm *model,
                                         const struct cor_efsm_goal *goal,
                                         struct cor_efsm_constraints *constraints, struct cor_error *error) {
    COR_FREED char *text = NULL;
    COR_TRY(cor_output_check_before(request->output, request->force, error));
    COR_TRY(cor_efsm_constraints_find(model, goal, request->depth, request->from_start, cor_progress_doing,
                                      constraints, error));
    cor_progress_doing(NULL);
    COR_TRY(cor_efsm_constraints_text(constraints, &text, error));
    return cor_output_text(request->output, text, request->force, error);
}

static enum cor_exit run_efsm_reach(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    COR_DESTROYED(cor_efsm) struct cor_efsm *model = NULL;
    COR_FINISHED(cor_efsm_goal) struct cor_efsm_goal made = {0};
    const struct cor_efsm_goal *goal;
    COR_FINISHED(cor_efsm_constraints) struct cor_efsm_constraints constraints = {0};
    bool undecided = false;
    enum cor_status status = COR_OK;
    if (request->output && (request->to_fixpoint || request->backend == COR_EFSM_EXPLICIT))
        return cor_misuse(arguments->command, "-o writes what planners use: %s",
                          request->to_fixpoint ? "not with --fixpoint" : "not with --backend explicit");
    if (request->from_start && request->backend == COR_EFSM_EXPLICIT)
        return cor_misuse(arguments->command,
                          "--from-start is of the symbolic back end: leave out --backend explicit");
    COR_TRY_OUT(cor_efsm_read(arguments->words[0], &model, &error));
    COR_TRY_OUT(cor_efsm_goal_find(model, request->goal, &made, &goal, &error));
    if (request->output)
        COR_TRY_OUT(write_constraints(request, model, goal, &constraints, &error));
    COR_TRY_OUT(print_reach(request, model, goal, request->output ? &constraints : NULL, &undecided, &error));
out:
    return status != COR_OK ? cor_report(&error) : undecided ? COR_EXIT_UNDECIDED : COR_EXIT_DONE;
}

const struct cor_command cor_command_efsm_reach = {
    .name = "efsm reach",
    .summary = "find the states from which a goal can be covered",
    .operands = "MODEL.json --goal GOAL",
    .takes = {1, 1, "needs one model"},
    .request_size = sizeof(struct request),
    .manual = "Off-line reachability of paper 004, section 3.1. For each trap of the goal, backwards from "
              "it: ring k of a location is the constraint of the states that need exactly k moves more, and "
              "the guarding constraint of a transition says for which states and inputs it is the first of "
              "these moves. It ends when the initial state is in a ring, with no further ring (--fixpoint), "
              "or at a depth. A trap is said to be unreachable only with that proof. GOAL is a goal of the "
              "model, a transition, or all-transitions, transition-pairs, all-locations or guard-boundaries.",
    .options =
        {
            {"goal", 'g', "GOAL", "reach this goal", COR_TEXT(goal),
             .required = "needs --goal: one of the model's (corridor efsm show lists them), all-transitions, "
                         "transition-pairs, all-locations or guard-boundaries"},
            {"ring", 0, "K", "show this ring only; 0 is all rings together",
             COR_INTEGER(ring, 0, UINT32_MAX - 1, -1)},
            {"depth", 0, "K", "go through at most K rings", COR_INTEGER(depth, 1, UINT32_MAX - 1, 0)},
            {"fixpoint", 0, NULL, "go on behind the ring of the initial state until there are no more",
             COR_FLAG(to_fixpoint)},
            {"from-start", 0, NULL,
             "symbolic, and faster where guards are large: leave out states beyond the bounds that all moves "
             "from the start keep, location by location",
             COR_FLAG(from_start)},
            {"backend", 0, "NAME",
             "compute explicit (a distance for each state) or symbolic (constraints, with z3)",
             COR_WORD(backend, cor_efsm_backend_word, 0, -1),
             .otherwise = "explicit for up to 10^7 states, else symbolic"},
            {"output", 'o', "C.json", "write the constraints there, for --constraints of plan and test",
             COR_TEXT(output)},
            {"force", 'f', NULL, "replace C.json", COR_FLAG(force)},
            {"summary", 0, NULL, "show the traps alone, without constraints", COR_FLAG(summary)},
            COR_SHEET_OPTIONS(sheets, "print the rings as CSV"),
        },
    .examples =
        {"corridor efsm reach experiments/library/efsm/counter3.json --goal trap_t3 --depth 2",
         "corridor efsm reach experiments/library/efsm/inres_initiator.json --goal t8 --ring 0 --backend "
         "symbolic",
         "corridor efsm reach experiments/library/efsm/lossy_link.json --goal all-transitions --summary",
         "corridor efsm reach experiments/library/efsm/billing_wide.json --goal exceeded --from-start "
         "--depth 10 "
         "-o C.json --summary"},
    .run = run_efsm_reach,
};
