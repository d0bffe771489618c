/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loop: suites, sequences, cases, and what the boxes say. A runner of its own makes the onlooker: it
 * shares the state of the one that executes, and executes nothing. */
#include "loop.h"

#include <corridor/array.h>
#include <corridor/course.h>
#include <corridor/hash.h>
#include <corridor/run.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cor_onlooker {
    struct interaction__text *text; /* owned */
    struct cor_runner view;         /* its lists, record and what it has of the text are owned */
    struct cor_onlooker_seen seen;
};

enum cor_status cor_onlooker_create(const char *path, const struct cor_experiment *experiment,
                                    struct cor_onlooker **onlooker, struct cor_error *error) {
    COR_DESTROYED(cor_onlooker) struct cor_onlooker *made = cor_calloc(1, sizeof *made);
    *onlooker = NULL;
    COR_TRY(cor_made(made, error));
    COR_TRY(interaction__text_read_path(path, &made->text, error));
    COR_TRY(interaction__text_check_experiment(made->text, experiment, false, error));
    COR_TRY(cor_record_create(&cor_interaction_schema, &made->view.record, error));
    made->seen.record = made->view.record;
    *onlooker = cor_taken(&made);
    return COR_OK;
}

void cor_onlooker_destroy(struct cor_onlooker *onlooker) {
    if (!onlooker)
        return;
    interaction__text_suite_destroy(onlooker->view.text);
    cor_lists_fini(&onlooker->view.structure);
    cor_record_destroy(onlooker->view.record);
    interaction__text_destroy(onlooker->text);
    free(onlooker);
}

uint32_t cor_onlooker_count(const struct cor_onlooker *onlooker) {
    return interaction__text_count(onlooker->text);
}

bool cor_onlooker_is_of_time(const struct cor_onlooker *onlooker, uint32_t constraint) {
    return interaction__text_kind(onlooker->text, constraint) == COR_TEXT_TIME;
}

bool cor_onlooker_judges_initial(const struct cor_onlooker *onlooker, uint32_t constraint) {
    return interaction__text_kind(onlooker->text, constraint) & COR_TEXT_INVARIANT;
}

const char *cor_onlooker_name(const struct cor_onlooker *onlooker, uint32_t constraint) {
    return interaction__text_name(onlooker->text, constraint);
}

const char *cor_onlooker_says(const struct cor_onlooker *onlooker, uint32_t constraint) {
    return interaction__text_sentence(onlooker->text, constraint);
}

const char *cor_onlooker_kind(const struct cor_onlooker *onlooker) {
    return cor_structure_words[interaction__text_structure(onlooker->text)];
}

enum cor_status cor_onlooker_begin(struct cor_onlooker *onlooker, const struct cor_runner *runner,
                                   struct cor_error *error) {
    struct cor_runner *view = &onlooker->view;
    interaction__text_suite_destroy(view->text);
    view->text = NULL;
    view->suite = runner->suite;
    view->configuration = runner->configuration;
    view->state = runner->state;
    view->limits = runner->limits;
    view->sequence = (struct cor_sequence){.index = runner->sequence.index};
    cor_record_begin(view->record, (uint16_t)runner->suite->arm_index, runner->suite->index);
    onlooker->seen = (struct cor_onlooker_seen){.record = view->record};
    COR_TRY(interaction__text_suite_create(view, onlooker->text, false, error));
    return interaction__text_begin(view, error);
}

enum cor_status cor_onlooker_case(struct cor_onlooker *onlooker, const struct cor_runner *runner,
                                  struct cor_error *error) {
    struct cor_runner *view = &onlooker->view;
    const struct cor_case this_case = {.number = runner->sequence.number, .alarm = runner->sequence.alarm};
    struct cor_judgement kind;
    bool failed;
    view->sequence.number = this_case.number;
    COR_TRY(cor_state_lists(view->state, &view->structure, error));
    COR_TRY(interaction__text_look_on(view, &this_case, &kind, error));
    onlooker->seen.states++;
    if (kind.violation_count > 0 && onlooker->seen.off_kind++ == 0) {
        onlooker->seen.kind_case = this_case.number;
        onlooker->seen.kind_first = kind.kept[0];
    }
    return interaction__text_end_case(view, &this_case, &failed, error);
}

enum cor_status cor_onlooker_end(struct cor_onlooker *onlooker, struct cor_error *error) {
    return interaction__text_end(&onlooker->view, error);
}

const struct cor_onlooker_seen *cor_onlooker_seen(const struct cor_onlooker *onlooker) {
    return &onlooker->seen;
}

enum cor_status cor_suite_start(const struct cor_suite *suite, enum cor_inside *inside,
                                struct cor_error *error) {
    const struct interaction__text *text = suite->experiment->text_corridor;
    struct cor_runner view = {.suite = suite, .configuration = suite->configuration, .limits = COR_NO_LIMITS};
    enum cor_status status = COR_OK;
    cor_lists_init(&view.structure);
    COR_TRY_OUT(cor_state_create(view.configuration, &view.state, error));
    if (text) {
        COR_TRY_OUT(cor_record_create(&cor_interaction_schema, &view.record, error));
        cor_record_begin(view.record, (uint16_t)suite->arm_index, suite->index);
        COR_TRY_OUT(interaction__text_suite_create(&view, text, false, error));
        COR_TRY_OUT(interaction__text_begin(&view, error));
        COR_TRY_OUT(interaction__text_ask_all(&view, error));
        *inside = interaction__text_inside(&view);
    } else
        *inside = cor_monitor_dissimilarity(view.state) <= view.configuration->threshold ? COR_INSIDE_INSIDE
                                                                                         : COR_INSIDE_OUTSIDE;
out:
    interaction__text_suite_destroy(view.text);
    cor_record_destroy(view.record);
    cor_state_destroy(view.state);
    cor_lists_fini(&view.structure);
    return status;
}

/* ---- run */

enum cor_status cor_runner_create(const struct cor_execution *execution, struct cor_record *record,
                                  struct cor_runner **runner, struct cor_error *error) {
    const struct cor_suite *suite = execution->suite;
    COR_DESTROYED(cor_runner) struct cor_runner *r = cor_calloc(1, sizeof *r);
    *runner = NULL;
    COR_TRY(cor_made(r, error));
    r->suite = suite;
    r->configuration = suite->configuration;
    r->session = execution->session;
    r->log_solutions = execution->log_solutions;
    r->record = record;
    r->rules = cor_suite_rules(suite);
    r->limits = suite->arm->algorithm->capabilities & COR_LIMITS ? r->configuration->limits : COR_NO_LIMITS;
    cor_outcome_init(&r->outcome);
    cor_walk_init(&r->walk);
    cor_record_begin(record, (uint16_t)suite->arm_index, suite->index);
    cor_session_clear_counters(r->session);
    cor_session_identify(r->session, r->configuration->agent_identity, r->configuration->identity_count);
    cor_session_attend(r->session, NULL);
    const struct cor_configuration *c = r->configuration;
    const uint32_t columns = 1 + c->attribute_count;
    r->label = cor_calloc(c->agent_count, sizeof *r->label);
    r->values_before = cor_calloc((size_t)columns * c->agent_count, sizeof *r->values_before);
    r->columns_before = cor_calloc(columns, sizeof(double *));
    COR_TRY(cor_made(r->label, error));
    COR_TRY(cor_made(r->values_before, error));
    COR_TRY(cor_made(r->columns_before, error));
    for (uint32_t column = 0; column < columns; column++)
        r->columns_before[column] = r->values_before + (size_t)column * c->agent_count;
    COR_TRY(cor_state_create(c, &r->state, error));
    cor_session_attend(r->session, r->state->absent);
    const uint32_t *cells;
    cor_session_counters(r->session, &cells);
    const uint32_t cell_count = cells[cor_algorithm_counter_count(r->suite->arm->algorithm)];
    r->counted = cor_calloc(cell_count, sizeof *r->counted);
    r->probes_before = cor_calloc(cell_count, sizeof *r->probes_before);
    r->probes = cor_calloc(cell_count, sizeof *r->probes);
    COR_TRY(cor_made(r->counted, error));
    COR_TRY(cor_made(r->probes_before, error));
    COR_TRY(cor_made(r->probes, error));
    COR_TRY(cor_adopter_create(c->agent_count, &r->adopter, error));
    COR_TRY(cor_oracle_create(c->agent_count, &r->oracle, error));
    cor_oracle_attend(r->oracle, r->state->absent);
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        COR_TRY(cor_kind_judge_create(c->kind, &r->kinds, error));
    COR_TRY(interaction__note_configuration(r, error));
    if (suite->experiment->text_corridor)
        COR_TRY(interaction__text_suite_create(r, suite->experiment->text_corridor, true, error));
    if (suite->arm->monitors.algorithm)
        COR_TRY(interaction__monitors_create(r, error));
    COR_TRY(interaction__mechanisms_create(r, error));
    if (suite->arm->clocks.case_ticks > 0)
        COR_TRY(interaction__time_create(r, error));
    *runner = cor_taken(&r);
    return COR_OK;
}

void cor_runner_count(const struct cor_runner *runner, struct cor_suite_counts *counts) {
    counts->asked_again += runner->counts.asked_again;
    counts->differed += runner->counts.differed;
    counts->by_machine += runner->counts.by_machine;
}

enum cor_status cor_runner_finish(struct cor_runner *runner, struct cor_error *error) {
    return interaction__note_counts(runner, error);
}

void cor_runner_destroy(struct cor_runner *runner) {
    if (!runner)
        return;
    free(runner->label);
    cor_walk_fini(&runner->walk);
    cor_state_destroy(runner->state);
    cor_adopter_destroy(runner->adopter);
    cor_oracle_destroy(runner->oracle);
    interaction__text_suite_destroy(runner->text);
    interaction__time_destroy(runner->time);
    interaction__monitors_destroy(runner->monitors);
    interaction__mechanisms_destroy(runner->mechanisms);
    cor_kind_judge_destroy(runner->kinds);
    cor_outcome_fini(&runner->outcome);
    cor_lists_fini(&runner->structure);
    cor_session_memory_fini(&runner->memory);
    cor_lists_fini(&runner->before);
    cor_lists_fini(&runner->answer_before);
    cor_lists_fini(&runner->answer);
    COR_FREE(runner->values_before, runner->columns_before, runner->counted, runner->probes_before,
             runner->probes, runner);
}

static uint32_t as_u32(uint64_t count) {
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static enum cor_verdict verdict_of(const struct cor_judgement *judgement, uint32_t unknown) {
    return judgement->violation_count > 0 ? COR_VERDICT_FAILED
           : unknown > 0                  ? COR_VERDICT_UNDECIDED
                                          : COR_VERDICT_PASSED;
}

#define SAMPLE_OF 100 /* sound results, of which one is asked for again */

/* Through a box: what is violated is noted, what is unknown said by the verdict. Box 0: for nobody to see. */
static enum cor_status judge(struct cor_runner *r, const struct cor_lists *lists, uint32_t number, int box,
                             struct cor_judgement *judgement, enum cor_verdict *verdict,
                             struct cor_error *error) {
    const uint32_t agents = r->configuration->agent_count;
    uint32_t unknown = 0;
    if (r->text)
        COR_TRY(interaction__text_judge_lists(r, lists, judgement, &unknown, error));
    else if (r->kinds)
        COR_TRY(cor_kind_judge_look(r->kinds, lists, agents, &r->limits, judgement, error));
    else
        cor_oracle_judge(r->oracle, lists, agents, &r->limits, judgement);
    *verdict = verdict_of(judgement, unknown);
    return r->text && box > 0 ? interaction__text_note(r, number, (enum cor_box)box, error) : COR_OK;
}

static enum cor_status is_violated(struct cor_runner *r, const struct cor_lists *lists, bool *violated,
                                   struct cor_error *error) {
    struct cor_judgement judgement;
    enum cor_verdict verdict;
    COR_TRY(judge(r, lists, 0, 0, &judgement, &verdict, error));
    *violated = *violated || judgement.violation_count > 0;
    return COR_OK;
}

/* Do the algorithm's own moves leave an agent elsewhere than its solution has it? Where an agent may be in
 * several organizations, whoever makes moves of its own is asked again. */
static bool is_moved_elsewhere(struct cor_runner *r) {
    const struct cor_outcome *outcome = &r->outcome;
    const struct cor_lists *solution = &outcome->solution;
    const uint32_t agents = r->configuration->agent_count;
    if (!outcome->has_moves || r->kinds)
        return outcome->has_moves;
    memset(r->label, 0xff, agents * sizeof *r->label); /* in no block */
    for (size_t i = 0; i < outcome->move_count; i++)
        if (outcome->moves[i].agent < agents && outcome->moves[i].block < solution->block_count)
            r->label[outcome->moves[i].agent] = outcome->moves[i].block;
    for (uint32_t b = 0; b < solution->block_count; b++)
        for (uint32_t m = solution->start[b]; m < solution->start[b + 1]; m++)
            if (r->label[solution->members[m]] != b)
                return true;
    return false;
}

/* Is the outcome one to be asked for again? Each that is or becomes a failure of any box, and a few others:
 * of the first sequence of each suite the first, second, fourth, eighth reorganization and so on, so that
 * nobody is believed who was never asked; of all, one in a hundred. */
static enum cor_status is_doubted(struct cor_runner *r, const struct cor_stream_name *name, bool *doubted,
                                  struct cor_error *error) {
    struct cor_stream_name drawn = *name;
    drawn.purpose = COR_PURPOSE_CONFIRMATION;
    struct cor_rng rng = cor_rng_named(&drawn);
    const uint32_t number = r->sequence.mail.reorganizations + 1;
    const bool is_sampled = r->sequence.index == 0 && (number & (number - 1)) == 0;
    *doubted = r->outcome.smoke != COR_SMOKE_NONE || is_sampled || cor_rng_below(&rng, SAMPLE_OF) == 0;
    if (!*doubted)
        COR_TRY(is_violated(r, &r->outcome.solution, doubted, error));
    *doubted = *doubted || is_moved_elsewhere(r);
    for (size_t i = 0; i < r->outcome.interim_count && !*doubted; i++)
        COR_TRY(is_violated(r, &r->outcome.interims[i].solution, doubted, error));
    return COR_OK;
}

/* The adapter (003, 4.3): shows the algorithm the present structure and brings back what it makes of it. A
 * result that comes late was asked for in the case before: nothing but the values has changed since. */
static enum cor_status ask_algorithm(struct cor_runner *r, const struct cor_case *this_case,
                                     struct cor_error *error) {
    bool late = r->sequence.is_held_back;
    const double *const *columns = late ? r->columns_before : cor_state_columns(r->state);
    const struct cor_stream_name *name = late ? &r->sequence.asked : &this_case->name;
    const struct cor_task task = {
        .struct_size = sizeof task,
        .agent_count = r->configuration->agent_count,
        .rules = &r->rules,
        .values = columns,
        .block_count = r->structure.block_count,
        .block_start = r->structure.start,
        .members = r->structure.members,
        .block_parent = cor_lists_parents(&r->structure),
        .objective = interaction__text_suite_objective(r),
    };
    bool again = cor_session_can_confirm(r->session);
    if (again || r->keeps_questions)
        COR_TRY(cor_session_save(r->session, &r->memory, error));
    COR_TRY(cor_session_reorganize(r->session, &task, name, &r->outcome, error));
    if (again)
        COR_TRY(is_doubted(r, name, &again, error));
    if (again) {
        enum cor_confirmation confirmation;
        COR_TRY(cor_session_confirm(r->session, &r->memory, &task, name, &r->outcome, &confirmation, error));
        r->counts.asked_again += confirmation != COR_CONFIRMATION_UNTOLD;
        r->counts.differed += confirmation == COR_CONFIRMATION_DIFFERENT;
        r->counts.by_machine += confirmation == COR_CONFIRMATION_UNTOLD;
    }
    if (r->keeps_questions) {
        r->asked_name = *name;
        r->asked_columns = columns;
        if (r->time && !late) {
            interaction__result_keep_columns(r); /* before the case is over, they change */
            r->asked_columns = r->columns_before;
        }
        r->asked_digest = cor_outcome_digest(&r->outcome);
    }
    if (r->outcome.smoke == COR_SMOKE_NONE)
        COR_TRY(interaction__result_spoil(r, this_case, error));
    r->sequence.is_held_back = false;
    return COR_OK;
}

/* Interim solutions of an anytime algorithm: judged like solutions, but never adopted. */
static enum cor_status judge_interims(struct cor_runner *r, const struct cor_case *this_case,
                                      struct cor_reorganization_row *row, struct cor_error *error) {
    for (size_t i = 0; i < r->outcome.interim_count; i++) {
        struct cor_judgement judgement;
        enum cor_verdict verdict;
        COR_TRY(judge(r, &r->outcome.interims[i].solution, this_case->number, COR_BOX_INTERIM, &judgement,
                      &verdict, error));
        row->interim_looks++;
        row->interim_failed += judgement.violation_count > 0;
        COR_TRY(interaction__note_violations(r, this_case, COR_BOX_INTERIM, &judgement, error));
    }
    return COR_OK;
}

enum cor_status interaction__judge_solution(struct cor_runner *r, const struct cor_case *this_case,
                                            struct cor_reorganization_row *row, struct cor_error *error) {
    struct cor_judgement judgement;
    enum cor_verdict verdict;
    COR_TRY(judge(r, &r->outcome.solution, this_case->number, COR_BOX_GRAY, &judgement, &verdict, error));
    row->gray = (uint8_t)verdict;
    row->gray_violations = judgement.violation_count;
    COR_TRY(judge_interims(r, this_case, row, error));
    return interaction__note_violations(r, this_case, COR_BOX_GRAY, &judgement, error);
}

enum cor_status interaction__note_adoption(struct cor_runner *r, struct cor_reorganization_row *row,
                                           struct cor_error *error) {
    const struct cor_adoption_report *report = &r->adoption;
    COR_TRY(cor_state_lists(r->state, &r->structure, error));
    r->sequence.adoptions.drawn += report->drawn;
    r->sequence.adoptions.struck += report->struck;
    row->moved = report->moved;
    row->own_moves = r->outcome.has_moves != 0;
    row->adoption_fault = (uint8_t)(report->corrupted < UINT8_MAX ? report->corrupted : UINT8_MAX);
    row->partitions_after = r->structure.block_count;
    return COR_OK;
}

bool interaction__moves_are_judged(const struct cor_runner *r) {
    return r->text && r->suite->arm->judge_moves;
}

enum cor_status interaction__end_moves(struct cor_runner *r, const struct cor_case *this_case,
                                       struct cor_error *error) {
    bool failed = false;
    COR_TRY(interaction__text_moves_end(r, this_case, &failed, error));
    if (failed && r->sequence.first_failure == 0)
        r->sequence.first_failure = this_case->number;
    return COR_OK;
}

enum cor_status interaction__adopt(struct cor_runner *r, const struct cor_case *this_case,
                                   struct cor_error *error) {
    const struct cor_move *moves = r->outcome.has_moves ? r->outcome.moves : NULL;
    const bool is_watched = interaction__moves_are_judged(r);
    if (is_watched) {
        COR_TRY(interaction__text_watch_moves(r, this_case, error));
        cor_adopter_watch(r->adopter, interaction__text_see_move, r);
    }
    COR_TRY(cor_adopt(r->adopter, r->state, &r->outcome.solution, moves, r->outcome.move_count,
                      &this_case->name, &r->adoption, error));
    cor_adopter_watch(r->adopter, NULL, NULL);
    return is_watched ? interaction__end_moves(r, this_case, error) : COR_OK;
}

double interaction__dissimilarity(const struct cor_runner *r) {
    const struct cor_configuration *c = r->configuration;
    return cor_oracle_dissimilarity(&r->structure, r->state->value, r->state->absent, c->agent_count,
                                    c->measure);
}

enum cor_status interaction__judge_structure(struct cor_runner *r, const struct cor_case *this_case,
                                             struct cor_reorganization_row *row, struct cor_error *error) {
    const struct cor_configuration *c = r->configuration;
    struct cor_judgement judgement;
    enum cor_verdict verdict;
    COR_TRY(judge(r, &r->structure, this_case->number, COR_BOX_BLACK, &judgement, &verdict, error));
    row->black = (uint8_t)verdict;
    row->black_violations = judgement.violation_count;
    row->agreement = COR_VERDICT_NOT_JUDGED;
    if (row->gray == COR_VERDICT_PASSED || row->gray == COR_VERDICT_UNDECIDED) {
        uint32_t before = judgement.violation_count;
        /* C7. */
        const uint32_t agents = r->configuration->agent_count;
        if (r->kinds)
            COR_TRY(cor_kind_judge_compare(r->kinds, &r->structure, &r->outcome.solution, agents, &judgement,
                                           error));
        else
            cor_oracle_compare(r->oracle, &r->structure, &r->outcome.solution, agents, &judgement);
        /* Where values go on while a solution is adopted, a constraint may fail though all are where it
         * has them. */
        const bool differs = r->time && r->text ? before > judgement.count[COR_CHECK_CONSTRAINT]
                                                : row->black == COR_VERDICT_FAILED;
        bool agrees = judgement.violation_count == before && !differs;
        row->agreement = agrees ? COR_VERDICT_PASSED : COR_VERDICT_FAILED;
    }
    row->dissimilarity_after = interaction__dissimilarity(r);
    enum cor_inside inside = cor_oracle_inside(row->dissimilarity_after, c->threshold);
    if (r->text) {
        interaction__text_restructure(r);
        COR_TRY(interaction__text_ask_all(r, error));
        inside = interaction__text_inside(r);
    }
    row->inside_after = (uint8_t)inside;
    return interaction__note_violations(r, this_case, COR_BOX_BLACK, &judgement, error);
}

void interaction__note_no_result(const struct cor_runner *r, struct cor_reorganization_row *row) {
    row->gray = row->black = COR_VERDICT_SMOKE;
    row->agreement = COR_VERDICT_NOT_JUDGED;
    row->partitions_after = r->structure.block_count;
    row->inside_after = COR_INSIDE_NOT_LOOKED;
    row->dissimilarity_after = NAN;
}

/* Of what algorithms are to make small: before, and after if there is a result. */
static enum cor_status note_objective(struct cor_runner *r, uint32_t number, double before,
                                      struct cor_error *error) {
    double after = NAN;
    if (r->outcome.smoke == COR_SMOKE_NONE)
        COR_TRY(interaction__text_weigh(r, &r->structure, &after, error));
    struct cor_objective_row *row = cor_record_row(r->record, COR_TABLE_OBJECTIVES, error);
    if (!row)
        return error->status;
    row->sequence = (uint16_t)r->sequence.index;
    row->case_ = number;
    row->before = before;
    row->after = after;
    return COR_OK;
}

struct cor_reorganization_row *interaction__ask(struct cor_runner *r, const struct cor_case *this_case,
                                                double *weighed, struct cor_error *error) {
    struct cor_reorganization_row *row = cor_record_row(r->record, COR_TABLE_REORGANIZATIONS, error);
    if (!row)
        return NULL;
    row->sequence = (uint16_t)r->sequence.index;
    row->case_ = this_case->number;
    row->partitions_before = r->structure.block_count;
    /* NaN: started by an alarm some cases ago */
    row->dissimilarity_before = isnan(this_case->looked) ? interaction__dissimilarity(r) : this_case->looked;
    if (interaction__text_weigh(r, &r->structure, weighed, error) != COR_OK ||
        ask_algorithm(r, this_case, error) != COR_OK ||
        cor_lists_copy(&r->before, &r->structure, error) != COR_OK)
        return NULL;
    if (r->state->absent && r->before.member_count < r->state->present_count)
        *weighed =
            NAN; /* some have just come: a number of the others alone could not be held against that after */
    row->stop = (uint8_t)r->outcome.stop;
    row->smoke = (uint8_t)r->outcome.smoke;
    row->spent = r->outcome.spent;
    row->rounds = as_u32(r->outcome.rounds);
    row->messages = as_u32(r->outcome.messages);
    row->messages_lost = as_u32(r->outcome.messages_lost);
    row->fault_reached = as_u32(r->outcome.fault.reached);
    row->fault_held = as_u32(r->outcome.fault.held);
    row->fault_activated = as_u32(r->outcome.fault.activated);
    row->fault_in_result = r->outcome.fault.in_result != 0;
    if (interaction__note_smoke(r, this_case, error) != COR_OK)
        return NULL;
    r->sequence.last_reorganized = this_case->number;
    return row;
}

enum cor_status interaction__end_reorganization(struct cor_runner *r, const struct cor_case *this_case,
                                                const struct cor_reorganization_row *row, double weighed,
                                                struct cor_case_row *case_row, struct cor_error *error) {
    struct cor_sequence *s = &r->sequence;
    if (interaction__text_suite_objective(r))
        COR_TRY(note_objective(r, this_case->number, weighed, error));
    const uint32_t chains = r->outcome.chains;
    bool failed = cor_is_detection(row->gray) || cor_is_detection(row->black);
    s->mail.reorganizations++;
    s->mail.failed += failed;
    s->mail.messages = row->messages > s->mail.messages ? row->messages : s->mail.messages;
    s->mail.chains = chains > s->mail.chains ? chains : s->mail.chains;
    case_row->reorganized = 1;
    case_row->gray = row->gray;
    case_row->black = row->black;
    s->is_stopped = s->is_stopped || cor_is_detection(row->black); /* a monitor may have ended it */
    if (s->first_failure == 0 && (cor_is_detection(row->gray) || cor_is_detection(row->black)))
        s->first_failure = this_case->number;
    bool passed = row->gray == COR_VERDICT_PASSED && row->black == COR_VERDICT_PASSED &&
                  row->agreement == COR_VERDICT_PASSED && row->fault_activated == 0;
    return passed && !r->log_solutions
               ? COR_OK
               : interaction__note_failure(r, this_case, row->gray, row->black, error);
}

static enum cor_status reorganize(struct cor_runner *r, const struct cor_case *this_case,
                                  struct cor_case_row *case_row, struct cor_error *error) {
    double weighed;
    struct cor_reorganization_row *row = interaction__ask(r, this_case, &weighed, error);
    if (!row)
        return error->status;
    if (r->outcome.smoke != COR_SMOKE_NONE) {
        interaction__note_no_result(r, row);
    } else {
        COR_TRY(interaction__judge_solution(r, this_case, row, error));
        COR_TRY(interaction__adopt(r, this_case, error));
        COR_TRY(interaction__note_adoption(r, row, error));
        COR_TRY(interaction__judge_structure(r, this_case, row, error));
    }
    return interaction__end_reorganization(r, this_case, row, weighed, case_row, error);
}

bool interaction__is_looked_at(const struct cor_runner *r, const struct cor_case *this_case) {
    const uint32_t every = r->suite->arm->look_every;
    return this_case->alarm || (every > 0 && this_case->name.identity % every == 0);
}

enum cor_status interaction__monitor(struct cor_runner *r, struct cor_case *this_case,
                                     struct cor_error *error) {
    this_case->dissimilarity = cor_monitor_dissimilarity(r->state);
    bool due = this_case->dissimilarity > r->configuration->threshold;
    if (r->text)
        COR_TRY(interaction__text_watch(r, &due, error));
    if (r->monitors)
        return interaction__monitors_look(r, this_case, error);
    /* Agents that came are in no partition, those that went may leave too small ones, or too few. */
    if (r->state->absent) {
        const struct cor_structure *s = &r->state->structure;
        due = due || cor_state_outside(r->state) > 0;
        if (!r->text && r->state->present_count > 0)
            due = due || s->partition_count < r->limits.count_min || s->partition_count > r->limits.count_max;
        for (uint32_t p = 0; !r->text && p < s->partition_count; p++)
            due = due || s->size[p] < r->limits.size_min || s->size[p] > r->limits.size_max;
    }
    this_case->alarm =
        cor_monitor_raise(&r->sequence.monitor, &r->configuration->monitor, due, &this_case->name);
    return COR_OK;
}

bool interaction__can_be_asked(const struct cor_runner *r) {
    const uint64_t agents = r->state->present_count;
    const struct cor_limits *l = &r->limits;
    const uint64_t least = (agents + l->size_max - 1) / l->size_max, most = agents / l->size_min;
    return !r->state->absent || (agents > 0 && (least > l->count_min ? least : l->count_min) <=
                                                   (most < l->count_max ? most : l->count_max));
}

enum cor_status interaction__judge_look(struct cor_runner *r, struct cor_case *this_case,
                                        struct cor_judgement *judgement, enum cor_verdict *detect,
                                        struct cor_error *error) {
    this_case->inside = COR_INSIDE_NOT_LOOKED;
    this_case->looked = NAN;
    *detect = COR_VERDICT_NOT_JUDGED;
    cor_judgement_init(judgement);
    if (r->text) /* in each case: time, and triggers that wait, ask for all of them */
        COR_TRY(interaction__text_see(r, this_case, error));
    if (r->monitors)
        interaction__monitors_see(r, this_case);
    if (interaction__monitors_are_over(r)) {
        this_case->inside = COR_INSIDE_NOT_LOOKED;
        *detect = COR_VERDICT_SMOKE;
        cor_judgement_add(judgement, COR_CHECK_MONITOR_SMOKE, COR_NOBODY, COR_NOBODY, NAN, NAN);
        return COR_OK;
    }
    if (!interaction__is_looked_at(r, this_case)) {
        this_case->inside = COR_INSIDE_NOT_LOOKED; /* whatever time has seen */
        return COR_OK;
    }
    if (r->monitors) {
        interaction__monitors_judge(r, this_case, judgement);
    } else if (r->text) {
        interaction__text_judge_alarm(this_case, judgement);
    } else {
        this_case->looked = r->time ? interaction__time_measure(r) : interaction__dissimilarity(r);
        /* R-Detect, where the corridor is no text. */
        double threshold = r->configuration->threshold, looked = this_case->looked;
        this_case->inside = cor_oracle_inside(looked, threshold);
        /* Where agents come and go, the structure may have ceased to be one. */
        if (r->state->absent) {
            cor_oracle_judge(r->oracle, &r->structure, r->configuration->agent_count, &r->limits, judgement);
            if (r->state->present_count == 0 ? r->structure.block_count > 0
                                             : judgement->violation_count > 0) {
                this_case->inside = COR_INSIDE_OUTSIDE;
                threshold = looked = NAN; /* it is not about these */
            }
        }
        cor_judgement_init(judgement);
        cor_oracle_judge_alarm(this_case->alarm, this_case->inside, looked, threshold, judgement);
    }
    if (!interaction__can_be_asked(r) &&
        this_case->inside == COR_INSIDE_OUTSIDE) { /* no structure could be right */
        cor_judgement_init(judgement);
        this_case->inside = COR_INSIDE_UNKNOWN;
    }
    *detect = verdict_of(judgement, this_case->inside == COR_INSIDE_UNKNOWN);
    return COR_OK;
}

/* The session's white-box counters, and how many cells they have. */
static const uint64_t *probe_cells(const struct cor_runner *r, const uint32_t **start, size_t *count) {
    const uint64_t *cells = cor_session_counters(r->session, start);
    *count = (*start)[cor_algorithm_counter_count(r->suite->arm->algorithm)];
    return cells;
}

enum cor_status cor_sequence_begin(struct cor_runner *runner, const struct cor_walk_definition *walk,
                                   struct cor_error *error) {
    struct cor_sequence *s = &runner->sequence;
    struct cor_walk_definition definition = *walk;
    COR_ASSERT(walk->chain_count == runner->configuration->chain_count);
    *s = (struct cor_sequence){.index = walk->name.sequence};
    if (walk->branch) {
        s->branch = *walk->branch;
        definition.branch = &s->branch;
        COR_TRY(interaction__note_branch(runner, error));
    }
    COR_TRY(cor_walk_begin(&runner->walk, &definition, error));
    cor_state_restart(runner->state, cor_walk_at(&runner->walk, 0));
    cor_session_restart(runner->session);
    COR_TRY(cor_session_keep(runner->session, runner->configuration->initial_kept,
                             runner->configuration->initial_kept_size, error));
    const uint32_t *start;
    size_t probes;
    const uint64_t *cells = probe_cells(runner, &start, &probes);
    memcpy(runner->probes_before, cells, probes * sizeof *cells);
    if (runner->text)
        COR_TRY(interaction__text_begin(runner, error));
    if (runner->monitors)
        interaction__monitors_begin(runner->monitors);
    if (runner->time)
        interaction__time_begin(runner);
    if (runner->mechanisms)
        interaction__mechanisms_begin(runner);
    return cor_state_lists(runner->state, &runner->structure, error);
}

const uint64_t *cor_runner_counters(struct cor_runner *runner, const uint32_t **start) {
    size_t count;
    const uint64_t *cells = probe_cells(runner, start, &count);
    for (size_t i = 0; i < count; i++)
        runner->probes[i] = cells[i] - runner->probes_before[i];
    return runner->probes;
}

bool cor_sequence_is_over(const struct cor_runner *runner) {
    return runner->sequence.is_stopped || runner->sequence.number == runner->walk.case_count;
}

uint32_t cor_sequence_first_failure(const struct cor_runner *runner) {
    return runner->sequence.first_failure;
}

/* Reorganizes if it is time to: at an alarm, or so many cases after it, or one more if the result is late. */
static enum cor_status answer(struct cor_runner *r, const struct cor_case *this_case,
                              struct cor_case_row *row, struct cor_error *error) {
    struct cor_sequence *s = &r->sequence;
    if (r->suite->arm->mock)
        return interaction__mechanism_test(r, this_case, row, error);
    if (this_case->alarm && s->cases_to_activation == 0)
        s->cases_to_activation = r->suite->arm->activation_delay + 1;
    if (s->cases_to_activation == 0 || --s->cases_to_activation > 0 || !interaction__can_be_asked(r))
        return COR_OK;
    if (interaction__result_is_late(r, this_case)) {
        s->cases_to_activation = 1;
        return COR_OK;
    }
    return reorganize(r, this_case, row, error);
}

void interaction__count_probes(struct cor_runner *r, bool is_over) {
    const uint32_t *start;
    size_t count;
    const uint64_t *cells = probe_cells(r, &start, &count);
    for (size_t i = 0; i < count; i++)
        r->counted[i] = is_over ? cells[i] - r->counted[i] : cells[i];
}

void interaction__show_reaction(struct cor_runner *r, const struct cor_case *this_case,
                                const struct cor_case_row *row) {
    struct cor_reaction reaction = {.alarm = this_case->alarm,
                                    .reorganized = row->reorganized != 0,
                                    .failed = cor_is_detection(row->gray) || cor_is_detection(row->black) ||
                                              cor_record_size(r->record, COR_TABLE_VIOLATIONS) >
                                                  r->violations_before,
                                    .dissimilarity = this_case->dissimilarity,
                                    .partitions = r->structure.block_count,
                                    .smallest = r->configuration->agent_count,
                                    .counted = r->counted};
    for (uint32_t b = 0; b < r->structure.block_count; b++) {
        const uint32_t size = cor_lists_size(&r->structure, b);
        reaction.smallest = size < reaction.smallest ? size : reaction.smallest;
        reaction.largest = size > reaction.largest ? size : reaction.largest;
    }
    if (row->reorganized) {
        const size_t last = cor_record_size(r->record, COR_TABLE_REORGANIZATIONS) - 1;
        const struct cor_reorganization_row *it = cor_record_at(r->record, COR_TABLE_REORGANIZATIONS, last);
        reaction.reached = it->fault_reached;
        reaction.held = it->fault_held;
        reaction.activated = it->fault_activated;
    }
    interaction__count_probes(r, true);
    r->reaction = reaction;
    cor_walk_see(&r->walk, this_case->number, &reaction);
}

struct cor_case_row *interaction__case_row(struct cor_runner *r, struct cor_error *error) {
    struct cor_case_row *row = cor_record_row(r->record, COR_TABLE_CASES, error);
    if (!row)
        return NULL;
    row->sequence = (uint16_t)r->sequence.index;
    row->case_ = r->sequence.number;
    row->gray = row->black = COR_VERDICT_NOT_JUDGED;
    return row;
}

enum cor_status interaction__note_look(struct cor_runner *r, const struct cor_case *this_case,
                                       enum cor_verdict detect, struct cor_case_row *row,
                                       struct cor_error *error) {
    row->alarm = this_case->alarm;
    row->inside = (uint8_t)this_case->inside;
    row->detect = (uint8_t)detect;
    row->dissimilarity = (float)this_case->dissimilarity;
    return r->text && r->keeps_grounds ? interaction__text_find_grounds(r, error) : COR_OK;
}

enum cor_status interaction__end_case(struct cor_runner *r, const struct cor_case *this_case,
                                      struct cor_error *error) {
    bool failed = false;
    if (r->text)
        COR_TRY(interaction__text_end_case(r, this_case, &failed, error));
    if (failed && r->sequence.first_failure == 0)
        r->sequence.first_failure = this_case->number;
    return COR_OK;
}

enum cor_status cor_sequence_case(struct cor_runner *runner, struct cor_error *error) {
    struct cor_runner *r = runner;
    struct cor_sequence *s = &r->sequence;
    COR_ASSERT(!cor_sequence_is_over(r));
    struct cor_case this_case = {.number = ++s->number, .name = r->suite->name};
    r->violations_before = cor_record_size(r->record, COR_TABLE_VIOLATIONS);
    const uint64_t *identity = r->walk.definition.case_identity;
    this_case.name.identity = identity ? identity[s->number - 1] : s->number;
    /* The first cases of a branch draw from the streams of its parent. */
    this_case.name.sequence = this_case.name.identity <= s->branch.prefix ? s->branch.parent : s->index;
    /* Where the chains are in this case. What a source is told is what the system showed in the case before.
     */
    const struct cor_observation observed = {
        .name = this_case.name,
        .alarm = r->sequence.alarm,
        .reorganized = r->sequence.reorganized,
        .dissimilarity = r->sequence.dissimilarity,
        .agent_count = r->configuration->agent_count,
        .values = r->state->value,
    };
    COR_TRY(cor_walk_reach(&r->walk, r->sequence.number, &observed, error));
    if (r->time)
        return interaction__time_case(r, &this_case, error);
    if (cor_state_attend(r->state, cor_walk_at(&r->walk, s->number))) {
        COR_TRY(cor_state_lists(r->state, &r->structure, error));
        if (r->text)
            interaction__text_restructure(r);
    }
    cor_state_perceive(r->state, cor_walk_at(&r->walk, s->number), &this_case.name);
    enum cor_verdict detect;
    struct cor_judgement judgement;
    COR_TRY(interaction__monitor(r, &this_case, error));
    COR_TRY(interaction__judge_look(r, &this_case, &judgement, &detect, error));
    COR_TRY(interaction__note_violations(r, &this_case, COR_BOX_DETECT, &judgement, error));
    struct cor_case_row *row = interaction__case_row(r, error);
    if (!row)
        return error->status;
    COR_TRY(interaction__note_look(r, &this_case, detect, row, error));
    const bool shown = r->observed || cor_walk_sees(&r->walk);
    if (shown)
        interaction__count_probes(r, false);
    COR_TRY(answer(r, &this_case, row, error));
    COR_TRY(interaction__end_case(r, &this_case, error));
    if (shown)
        interaction__show_reaction(r, &this_case, row);
    s->alarm = this_case.alarm;
    s->reorganized = row->reorganized != 0;
    s->dissimilarity = this_case.dissimilarity;
    return r->mechanisms && !r->suite->arm->mock ? interaction__mechanisms_work(r, &this_case, error)
                                                 : COR_OK;
}

void cor_runner_observe(struct cor_runner *runner, bool wanted) {
    runner->observed = wanted;
}

const struct cor_reaction *cor_sequence_reaction(const struct cor_runner *runner) {
    COR_ASSERT(runner->observed);
    return &runner->reaction;
}

void cor_runner_keep_questions(struct cor_runner *runner, bool wanted) {
    runner->keeps_questions = wanted;
}

bool cor_runner_watch(struct cor_runner *runner, struct cor_course *course) {
    const bool shows = cor_session_shows_mail(runner->session);
    cor_session_watch(runner->session, shows ? course : NULL);
    return shows;
}

void cor_runner_keep_grounds(struct cor_runner *runner, bool wanted) {
    runner->keeps_grounds = wanted;
}

const struct cor_constraint_ground *cor_sequence_grounds(const struct cor_runner *runner, size_t *count) {
    COR_ASSERT(runner->keeps_grounds);
    *count = 0;
    return runner->text ? interaction__text_suite_grounds(runner, count) : NULL;
}

bool cor_sequence_question(const struct cor_runner *runner, struct cor_case_question *question) {
    COR_ASSERT(runner->keeps_questions);
    *question = (struct cor_case_question){.suite = runner->suite,
                                           .name = runner->asked_name,
                                           .rules = runner->rules,
                                           .columns = runner->asked_columns,
                                           .objective = interaction__text_suite_objective(runner),
                                           .before = &runner->before,
                                           .solution = &runner->outcome.solution,
                                           .after = &runner->structure,
                                           .memory = &runner->memory,
                                           .digest = runner->asked_digest};
    return runner->sequence.number > 0 && runner->sequence.last_reorganized == runner->sequence.number;
}

void cor_sequence_adoptions(const struct cor_runner *runner, uint64_t *drawn, uint64_t *struck) {
    *drawn = runner->sequence.adoptions.drawn;
    *struck = runner->sequence.adoptions.struck;
}

const struct cor_state *cor_sequence_state(const struct cor_runner *runner) {
    return runner->state;
}

const struct cor_walk *cor_sequence_walk(const struct cor_runner *runner) {
    return &runner->walk;
}

uint32_t cor_sequence_executed(const struct cor_runner *runner) {
    return runner->sequence.number;
}

void cor_sequence_fork(struct cor_runner *runner, uint32_t sequence) {
    struct cor_sequence *s = &runner->sequence;
    s->branch = (struct cor_branch){s->index, s->number};
    s->index = sequence;
    runner->walk.definition.branch = NULL;
    cor_walk_fork(&runner->walk, s->number, sequence);
}

enum cor_status cor_sequence_turn(struct cor_runner *runner, const struct cor_source *source,
                                  uint32_t sequence, uint32_t cases, struct cor_error *error) {
    struct cor_walk *walk = &runner->walk;
    COR_ASSERT(cases >= runner->sequence.number);
    COR_TRY(cor_walk_resize(walk, walk->chain_count, cases, error));
    walk->definition.source = source;
    walk->definition.case_count = cases;
    walk->definition.case_identity = NULL;
    cor_sequence_fork(runner, sequence);
    return COR_OK;
}

void cor_sequence_cut(struct cor_runner *runner) {
    cor_walk_cut(&runner->walk, runner->sequence.number);
}

enum cor_status cor_sequence_end(struct cor_runner *runner, struct cor_error *error) {
    COR_ASSERT(runner->sequence.number <= runner->walk.known);
    if (runner->time)
        COR_TRY(interaction__time_end(runner, error));
    cor_walk_end(&runner->walk);
    if (runner->text)
        COR_TRY(interaction__text_end(runner, error));
    COR_TRY(interaction__note_sequence(runner, error));
    COR_TRY(interaction__note_traps(runner, error));
    return interaction__note_schedule(runner, error);
}

struct cor_saved_sequence {
    struct cor_sequence sequence;
    struct cor_lists answer_before;
    double *values_before;   /* owned; [column][agent] */
    uint64_t *probes_before; /* owned; [cell] */
    struct cor_state *state;
    struct cor_walk walk;
    struct cor_session_memory memory;
    struct interaction__text_saved *text; /* owned; NULL: there is none, likewise */
    struct interaction__monitors_saved *monitors;
    void *mechanisms; /* owned; what changes of them; NULL: there are none */
    struct cor_record_mark mark;
};

static size_t values_before_count(const struct cor_runner *runner) {
    return ((size_t)1 + runner->configuration->attribute_count) * runner->configuration->agent_count;
}

enum cor_status cor_saved_sequence_create(const struct cor_runner *runner, struct cor_saved_sequence **saved,
                                          struct cor_error *error) {
    struct cor_saved_sequence *s = *saved = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    enum cor_status status;
    s->values_before = cor_calloc(values_before_count(runner), sizeof *s->values_before);
    COR_TRY_OUT(cor_made(s->values_before, error));
    const uint32_t *start;
    size_t probes;
    probe_cells(runner, &start, &probes);
    COR_TRY_OUT(cor_made(s->probes_before = cor_calloc(probes, sizeof *s->probes_before), error));
    COR_TRY_OUT(cor_state_create(runner->configuration, &s->state, error));
    size_t size;
    if (runner->mechanisms && interaction__mechanisms_memory(runner->mechanisms, &size))
        COR_TRY_OUT(cor_made(s->mechanisms = cor_calloc(1, size), error));
out:
    if (status != COR_OK) {
        cor_saved_sequence_destroy(s);
        *saved = NULL;
    }
    return status;
}

void cor_saved_sequence_destroy(struct cor_saved_sequence *saved) {
    if (!saved)
        return;
    cor_state_destroy(saved->state);
    cor_walk_fini(&saved->walk);
    cor_session_memory_fini(&saved->memory);
    interaction__text_saved_destroy(saved->text);
    interaction__monitors_saved_destroy(saved->monitors);
    cor_lists_fini(&saved->answer_before);
    COR_FREE(saved->values_before, saved->probes_before, saved->mechanisms, saved);
}

enum cor_status cor_sequence_save(const struct cor_runner *runner, struct cor_saved_sequence *saved,
                                  struct cor_error *error) {
    COR_ASSERT(!runner->time);
    size_t values = values_before_count(runner) * sizeof *runner->values_before;
    const uint32_t *start;
    size_t probes;
    probe_cells(runner, &start, &probes);
    memcpy(saved->probes_before, runner->probes_before, probes * sizeof *runner->probes_before);
    saved->sequence = runner->sequence;
    memcpy(saved->values_before, runner->values_before, values);
    COR_TRY(cor_lists_copy(&saved->answer_before, &runner->answer_before, error));
    saved->mark = cor_record_mark(runner->record);
    COR_TRY(cor_state_copy(saved->state, runner->state, error));
    COR_TRY(cor_walk_copy(&saved->walk, &runner->walk, error));
    if (runner->text)
        COR_TRY(interaction__text_save(runner, &saved->text, error));
    if (runner->monitors)
        COR_TRY(interaction__monitors_save(runner, &saved->monitors, error));
    if (runner->mechanisms) {
        void *memory = interaction__mechanisms_memory(runner->mechanisms, &values);
        memcpy(saved->mechanisms, memory, values);
    }
    return cor_session_save(runner->session, &saved->memory, error);
}

enum cor_status cor_sequence_restore(struct cor_runner *runner, const struct cor_saved_sequence *saved,
                                     struct cor_error *error) {
    COR_ASSERT(saved->walk.chain_count == runner->walk.chain_count);
    COR_TRY(cor_state_copy(runner->state, saved->state, error));
    COR_TRY(cor_walk_copy(&runner->walk, &saved->walk, error));
    COR_TRY(cor_session_restore(runner->session, &saved->memory, error));
    COR_TRY(cor_state_lists(runner->state, &runner->structure, error));
    if (runner->text)
        COR_TRY(interaction__text_restore(runner, saved->text, error));
    if (runner->monitors)
        COR_TRY(interaction__monitors_restore(runner, saved->monitors, error));
    size_t values = values_before_count(runner) * sizeof *runner->values_before;
    memcpy(runner->values_before, saved->values_before, values);
    if (runner->mechanisms) {
        void *memory = interaction__mechanisms_memory(runner->mechanisms, &values);
        memcpy(memory, saved->mechanisms, values);
    }
    COR_TRY(cor_lists_copy(&runner->answer_before, &saved->answer_before, error));
    const uint32_t *start;
    size_t probes;
    probe_cells(runner, &start, &probes);
    memcpy(runner->probes_before, saved->probes_before, probes * sizeof *runner->probes_before);
    runner->sequence = saved->sequence;
    cor_record_rewind(runner->record, &saved->mark);
    return COR_OK;
}
