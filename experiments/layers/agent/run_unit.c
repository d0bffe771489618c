/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/run_unit.h>

#include "unit_rows.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define CHUNK 64 /* cases made at a time, so that an agent in another process is asked for many at once */

/* Cases on their way to the agent. */
struct chunk {
    struct cor_agent_case asked[CHUNK];
    struct cor_judged_case judged[CHUNK];
    bool own[CHUNK];
    bool is_interleaved[CHUNK];          /* more than one intention was at work */
    struct cor_aut_outcome first[CHUNK]; /* owned; what it came to then, where it was */
    struct cor_aut_outcome other;        /* owned; of a further interleaving */
    struct cor_value *values;            /* owned; arguments and beliefs of each */
    uint32_t stride;                     /* values of one case */
};

struct cor_unit_runner {
    struct cor_unit_runner_definition definition;
    struct chunk chunk;
    struct cor_case_values values;
    struct cor_trace trace, designed_trace;
    struct cor_aut_outcome outcomes[2]; /* where there are relations: of the agent, and of the design */
    bool *unbuilt;                      /* owned; [plan] the arm or the agent says that it is not there yet */
    struct cor_findings *known;         /* owned; [unit] of the repetition that is known */
    bool *is_known;                     /* owned; [unit] */
    uint32_t known_repetition;
    uint32_t present; /* unit run last */
    struct cor_agent_code
        *intention; /* owned, as the next: the design as it stands; NULL: not asked for yet */
    struct cor_aut_session *designed;
};

/* A unit under way. */
struct unit_run {
    struct cor_unit_runner *runner;
    const struct cor_unit_request *request;
    uint32_t unit;
    struct cor_aut_session *session; /* whose cases these are */
    struct cor_unit_cases cases;
    struct cor_unit_judgement judgement;
    struct cor_unit_judgement intended; /* the same by the design itself, if is_intended */
    bool is_intended;
    struct cor_unit_judgement **events; /* owned, with what it points to; [event] NULL where not asked for */
    uint64_t executed;                  /* cases */
    uint32_t asked_again, differed, hung; /* as in struct cor_unit_outcome */
    uint64_t *hashes;  /* owned; [case] what was reported, of the first COR_TRIALS_KEPT; NULL: not kept */
    uint64_t all_hash; /* of what was reported in all cases, in their order */
    struct agent_layer__unit_rows *rows; /* NULL: nothing is written */
};

static const struct cor_design *design_of(const struct cor_unit_runner *runner) {
    return runner->definition.file->design;
}

enum cor_status cor_unit_runner_create(const struct cor_unit_runner_definition *definition,
                                       struct cor_unit_runner **runner, struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint32_t units = definition->file->order.units.count;
    struct cor_unit_runner *made = *runner = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->definition = *definition;
    cor_trace_init(&made->trace);
    cor_trace_init(&made->designed_trace);
    const struct cor_design *design = definition->file->design;
    uint32_t most = 0;
    for (uint32_t e = 0; e < design->event_count; e++)
        if (design->events[e].parameter_count > most)
            most = design->events[e].parameter_count;
    made->chunk.stride = most + design->field_count;
    made->chunk.values = cor_calloc((size_t)CHUNK * made->chunk.stride, sizeof *made->chunk.values);
    made->known = cor_calloc(units, sizeof *made->known);
    made->is_known = cor_calloc(units, sizeof *made->is_known);
    made->unbuilt = cor_calloc(design->plan_count, sizeof *made->unbuilt);
    for (uint32_t p = 0; made->unbuilt && p < design->plan_count; p++)
        made->unbuilt[p] = (definition->unbuilt && definition->unbuilt[p]) ||
                           cor_aut_trigger(definition->session, p) == COR_AUT_NOT_YET;
    if (!made->unbuilt || !made->chunk.values || !made->known || !made->is_known)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(cor_case_values_init(&made->values, definition->file->design, error));
    return COR_OK;
out:
    cor_unit_runner_destroy(made);
    *runner = NULL;
    return status;
}

static void forget(struct cor_unit_runner *runner) {
    for (uint32_t u = 0; runner->known && u < runner->definition.file->order.units.count; u++)
        cor_findings_fini(&runner->known[u]);
    if (runner->is_known)
        memset(runner->is_known, 0, runner->definition.file->order.units.count * sizeof *runner->is_known);
}

void cor_unit_runner_destroy(struct cor_unit_runner *runner) {
    if (!runner)
        return;
    forget(runner);
    cor_case_values_fini(&runner->values);
    cor_trace_fini(&runner->trace);
    cor_trace_fini(&runner->designed_trace);
    cor_aut_outcome_fini(&runner->outcomes[0]);
    cor_aut_outcome_fini(&runner->outcomes[1]);
    cor_aut_close(runner->designed);
    cor_agent_code_destroy(runner->intention);
    for (uint32_t i = 0; i < CHUNK; i++)
        cor_aut_outcome_fini(&runner->chunk.first[i]);
    cor_aut_outcome_fini(&runner->chunk.other);
    free(runner->chunk.values);
    free(runner->unbuilt);
    free(runner->known);
    free(runner->is_known);
    free(runner);
}

/* What the agent draws from in a case: named by all that the case is. */
static uint64_t seed_of(const struct cor_unit_runner *runner, uint32_t unit, uint32_t repetition,
                        uint64_t index) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, runner->definition.settings.seed);
    hash = cor_hash_word(hash, unit);
    hash = cor_hash_word(hash, repetition);
    return cor_hash_word(hash, index);
}

/* Makes case `index` the entry `at` of the chunk. Behind all cases of the unit come their second
 * interleavings, then the third: of those in which several intentions are at work. */
static void make_case(struct unit_run *run, uint64_t number, uint32_t at) {
    const uint64_t index = number % run->cases.count;
    struct cor_unit_runner *runner = run->runner;
    const struct cor_design *design = design_of(runner);
    struct cor_case_values *values = &runner->values;
    struct chunk *chunk = &runner->chunk;
    struct cor_value *beliefs = chunk->values + (size_t)at * chunk->stride;
    struct cor_value *arguments = beliefs + design->field_count;
    cor_unit_case_make(&run->cases, index, values);
    uint32_t parameters = design->events[values->event].parameter_count;
    if (design->field_count > 0)
        memcpy(beliefs, values->beliefs, design->field_count * sizeof *beliefs);
    if (parameters > 0)
        memcpy(arguments, values->arguments, parameters * sizeof *arguments);
    chunk->asked[at] =
        (struct cor_agent_case){.event = values->event,
                                .arguments = arguments,
                                .beliefs = beliefs,
                                .seed = seed_of(runner, run->unit, run->request->repetition, index),
                                .interleaving = (uint32_t)(number / run->cases.count),
                                .steps = runner->definition.settings.step_limit,
                                .rounds = runner->definition.settings.cycle_limit};
    chunk->judged[at] = (struct cor_judged_case){.index = (uint32_t)number,
                                                 .valid = values->valid,
                                                 .applicable = cor_unit_case_applicable(&run->cases, values),
                                                 .asked = &chunk->asked[at]};
    chunk->own[at] = values->own;
    if (run->rows)
        agent_layer__rows_count_classes(run->rows, &run->cases, values);
}

static enum cor_status open_designed(struct cor_unit_runner *runner, struct cor_error *error) {
    if (runner->designed)
        return COR_OK;
    runner->intention = cor_agent_code_create(runner->definition.file->design);
    COR_TRY(cor_made(runner->intention, error));
    struct cor_aut_definition definition = cor_default_aut(runner->definition.file->design);
    definition.way = COR_AUT_INTERPRETER;
    definition.code = runner->intention;
    return cor_aut_open(&definition, &runner->designed, error);
}

/* Where there are relations, whose rows the design says by its bodies alone: is it those that are left? */
static enum cor_status compare_rows(struct unit_run *run, const struct cor_judged_case *judged,
                                    struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    const struct cor_design *design = design_of(runner);
    for (uint32_t p = 0; p < design->plan_count; p++)
        if (runner->unbuilt[p])
            return COR_OK;
    COR_TRY(open_designed(runner, error));
    for (int i = 0; i < 2; i++)
        if (!runner->outcomes[i].design)
            COR_TRY(cor_aut_outcome_init(&runner->outcomes[i], design, error));
    COR_TRY(cor_aut_run(runner->designed, judged->asked, &runner->designed_trace, error));
    return cor_judge_rows(&run->judgement, judged, &runner->trace, &runner->designed_trace, runner->outcomes,
                          error);
}

/* Runs the case at `at` of the chunk, judges it, and keeps what there is to keep. */
static enum cor_status run_case(struct unit_run *run, uint32_t at, struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    const struct cor_unit_request *request = run->request;
    const struct cor_judged_case *judged = &runner->chunk.judged[at];
    if (request->watch && request->watch(request->watch_context, run->judgement.cases))
        return COR_STATUS_INTERRUPTED; /* a case may take as long as an agent that hangs is given */
    COR_TRY(cor_aut_run(run->session, judged->asked, &runner->trace, error));
    COR_TRY(cor_judge_case(&run->judgement, judged, &runner->trace, error));
    run->hung += runner->trace.end == COR_TRACE_END_HUNG;
    if (design_of(runner)->relation_count > 0 && run->session != runner->designed)
        COR_TRY(compare_rows(run, judged, error));
    if (!run->hashes)
        return COR_OK;
    uint64_t hash = agent_layer__trace_hash(&runner->trace, runner->definition.codes->word_count,
                                            &design_of(runner)->words);
    run->all_hash = cor_hash_word(run->all_hash, hash);
    if (judged->index >= COR_TRIALS_KEPT)
        return COR_OK;
    run->hashes[judged->index] = hash;
    return run->rows ? agent_layer__rows_put_trial(run->rows, &run->cases, judged, runner->chunk.own[at],
                                                   &runner->trace, hash, error)
                     : COR_OK;
}

static enum cor_status read_outcome(const struct unit_run *run, struct cor_aut_outcome *outcome,
                                    const struct cor_agent_case *asked, struct cor_error *error) {
    if (!outcome->design)
        COR_TRY(cor_aut_outcome_init(outcome, design_of(run->runner), error));
    return cor_aut_outcome_read(outcome, asked, &run->runner->trace, error);
}

/* Further interleavings of case `index`, whose first came to `first`. */
static enum cor_status run_interleavings(struct unit_run *run, uint64_t index,
                                         const struct cor_aut_outcome *first, struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    struct chunk *chunk = &runner->chunk;
    const uint32_t count = runner->definition.settings.interleavings - 1;
    cor_judge_interleaved(&run->judgement);
    for (uint32_t i = 0; i < count; i++)
        make_case(run, (uint64_t)(i + 1) * run->cases.count + index, i);
    COR_TRY(cor_aut_ahead(run->session, chunk->asked, count, error));
    for (uint32_t i = 0; i < count; i++) {
        COR_TRY(run_case(run, i, error));
        COR_TRY(read_outcome(run, &chunk->other, &chunk->asked[i], error));
        COR_TRY(cor_judge_interleaving(&run->judgement, first, &chunk->other, chunk->judged[i].index,
                                       runner->trace.event_count, error));
    }
    return COR_OK;
}

static enum cor_status run_cases(struct unit_run *run, struct cor_error *error) {
    const struct cor_unit_request *request = run->request;
    struct chunk *chunk = &run->runner->chunk;
    _Static_assert(COR_INTERLEAVINGS_MOST <= CHUNK, "the interleavings of a case are a chunk");
    COR_TRY(cor_aut_begin_suite(run->session, error));
    for (uint64_t first = 0; first < run->cases.count; first += CHUNK) {
        uint64_t left = run->cases.count - first;
        const uint32_t count = left < CHUNK ? (uint32_t)left : CHUNK;
        for (uint32_t i = 0; i < count; i++)
            make_case(run, first + i, i);
        COR_TRY(cor_aut_ahead(run->session, chunk->asked, count, error));
        for (uint32_t i = 0; i < count; i++) {
            COR_TRY(run_case(run, i, error));
            chunk->is_interleaved[i] = run->runner->trace.intention_count > 1;
            if (chunk->is_interleaved[i])
                COR_TRY(read_outcome(run, &chunk->first[i], &chunk->asked[i], error));
        }
        for (uint32_t i = 0; i < count && run->runner->definition.settings.interleavings > 1; i++)
            if (chunk->is_interleaved[i])
                COR_TRY(run_interleavings(run, first + i, &chunk->first[i], error));
    }
    return request->watch && request->watch(request->watch_context, run->judgement.cases)
               ? COR_STATUS_INTERRUPTED
               : COR_OK;
}

static enum cor_status begin(struct unit_run *run, struct cor_error *error) {
    const struct cor_unit_runner_definition *definition = &run->runner->definition;
    if (!run->session)
        run->session = definition->session;
    COR_TRY(cor_unit_cases_init(&run->cases, definition->file, run->unit, &definition->settings, error));
    COR_TRY(cor_unit_judgement_begin(definition->file->design, &definition->file->order.units, run->unit,
                                     &run->judgement, error));
    run->judgement.unbuilt = run->runner->unbuilt;
    return COR_OK;
}

/* The cases of an event's own unit, for what cannot be judged without them. */
static enum cor_status run_own_cases(const struct unit_run *run, uint32_t event, struct cor_error *error) {
    struct unit_run own = {.runner = run->runner,
                           .request = run->request,
                           .unit = run->runner->definition.file->order.unit_of_event[event]};
    enum cor_status status = COR_OK;
    if (own.unit == COR_NONE)
        return COR_OK;
    COR_TRY_OUT(begin(&own, error));
    COR_TRY_OUT(run_cases(&own, error));
    struct cor_unit_judgement *kept = cor_calloc(1, sizeof *kept);
    COR_TRY_OUT(cor_made(kept, error));
    *kept = own.judgement;
    own.judgement = (struct cor_unit_judgement){0};
    run->events[event] = kept;
out:
    cor_unit_cases_fini(&own.cases);
    cor_unit_judgement_fini(&own.judgement);
    return status;
}

/* The same cases by the design itself: what was to be seen in them. */
static enum cor_status run_intended(struct unit_run *run, struct cor_error *error) {
    COR_TRY(open_designed(run->runner, error));
    struct unit_run designed = {
        .runner = run->runner, .request = run->request, .unit = run->unit, .session = run->runner->designed};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(begin(&designed, error));
    COR_TRY_OUT(run_cases(&designed, error));
    run->intended = designed.judgement;
    run->is_intended = true;
    designed.judgement = (struct cor_unit_judgement){0};
out:
    cor_unit_cases_fini(&designed.cases);
    cor_unit_judgement_fini(&designed.judgement);
    return status;
}

#define ROUNDS_BEYOND 100000 /* and as many steps more: what a design that ends is given to do so */
#define STEPS_BEYOND 1000000

/* Does the design come to an end by itself in all valid cases, if it is given more steps and rounds? */
static enum cor_status find_whether_it_ends(struct unit_run *run, bool *ends, struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    struct agent_layer__unit_rows *rows = run->rows;
    *ends = true;
    run->rows = NULL; /* its classes are counted already */
    for (uint64_t index = 0; index < run->cases.count && *ends; index++) {
        make_case(run, index, 0);
        if (!runner->chunk.judged[0].valid)
            continue;
        runner->chunk.asked[0].rounds = ROUNDS_BEYOND;
        runner->chunk.asked[0].steps = STEPS_BEYOND;
        enum cor_status status =
            cor_aut_run(runner->designed, &runner->chunk.asked[0], &runner->designed_trace, error);
        if (status != COR_OK) {
            run->rows = rows;
            return status;
        }
        *ends = runner->designed_trace.end == COR_TRACE_END_QUIET;
    }
    run->rows = rows;
    return COR_OK;
}

static bool hangs_on_limit(const struct cor_findings *findings) {
    for (uint32_t f = 0; f < findings->count; f++)
        if (cor_finding_is_of_limit(&findings->items[f]))
            return true;
    return false;
}

static bool needs_intention(const struct cor_findings *findings) {
    for (uint32_t f = 0; f < findings->count; f++)
        if (cor_finding_needs_intention(&findings->items[f]))
            return true;
    return false;
}

static enum cor_status find_out(struct unit_run *run, struct cor_error *error);

/* All units that this one needs, at last or at length, in order. */
static enum cor_status list_needed(const struct unit_run *run, struct cor_indices *needed,
                                   struct cor_error *error) {
    const struct cor_unit_order *order = &run->runner->definition.file->order;
    enum cor_status status = COR_OK;
    bool *is_needed = cor_calloc(run->unit + 1, sizeof *is_needed);
    COR_TRY(cor_made(is_needed, error));
    is_needed[run->unit] = true;
    for (uint32_t u = run->unit + 1; u-- > 0;)
        for (uint32_t d = order->dependency_start[u]; is_needed[u] && d < order->dependency_start[u + 1]; d++)
            is_needed[order->dependencies[d]] = true;
    for (uint32_t u = 0; u < run->unit; u++) {
        if (!is_needed[u])
            continue;
        COR_TRY_OUT(COR_RESERVE(&needed->items, &needed->capacity, (size_t)needed->count + 1, error));
        needed->items[needed->count++] = u;
    }
out:
    free(is_needed);
    return status;
}

/* What was found of a unit, which is run if it was not yet. */
static enum cor_status learn(const struct unit_run *run, uint32_t unit, struct cor_error *error) {
    struct cor_unit_request request = *run->request;
    struct unit_run below = {.runner = run->runner, .request = &request, .unit = unit};
    if (run->runner->is_known[unit])
        return COR_OK;
    request.record = NULL;
    return find_out(&below, error);
}

static enum cor_status gather_below(const struct unit_run *run, struct cor_findings *below,
                                    struct cor_error *error) {
    struct cor_indices needed = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(list_needed(run, &needed, error));
    for (uint32_t i = 0; i < needed.count; i++) {
        const struct cor_findings *known = &run->runner->known[needed.items[i]];
        COR_TRY_OUT(learn(run, needed.items[i], error));
        COR_TRY_OUT(
            COR_RESERVE(&below->items, &below->capacity, (size_t)below->count + known->count + 1, error));
        if (known->count > 0)
            memcpy(below->items + below->count, known->items, known->count * sizeof *known->items);
        below->count += known->count;
    }
out:
    free(needed.items);
    return status;
}

/* Judges the unit; units below are looked at only if there is something to explain. */
static enum cor_status judge(struct unit_run *run, struct cor_findings *findings, struct cor_error *error) {
    struct cor_findings below = {0};
    struct cor_judge_context context = {.events = (const struct cor_unit_judgement *const *)run->events,
                                        .below = &below};
    enum cor_status status = COR_OK;
    findings->count = 0;
    COR_TRY_OUT(cor_judge_unit(&run->judgement, &context, findings, error));
    if (needs_intention(findings) && !run->is_intended)
        COR_TRY_OUT(run_intended(run, error));
    context.intended = run->is_intended ? &run->intended : NULL;
    if (run->is_intended && hangs_on_limit(findings))
        COR_TRY_OUT(find_whether_it_ends(run, &context.intended_ends, error));
    if (findings->count == 0)
        goto out;
    COR_TRY_OUT(gather_below(run, &below, error));
    findings->count = 0;
    COR_TRY_OUT(cor_judge_unit(&run->judgement, &context, findings, error));
out:
    cor_findings_fini(&below);
    return status;
}

/* Runs a case once more, and compares what was reported: *differs. */
static enum cor_status repeat(struct unit_run *run, uint32_t index, bool with_trace, bool *differs,
                              struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    struct agent_layer__unit_rows *rows = run->rows;
    run->rows = NULL; /* its classes are counted already */
    make_case(run, index, 0);
    run->rows = rows;
    COR_TRY(cor_aut_run(runner->definition.session, &runner->chunk.asked[0], &runner->trace, error));
    uint64_t hash = agent_layer__trace_hash(&runner->trace, runner->definition.codes->word_count,
                                            &design_of(runner)->words);
    const bool is_of_machine = runner->trace.end == COR_TRACE_END_HUNG;
    *differs = index < COR_TRIALS_KEPT && !is_of_machine && hash != run->hashes[index];
    run->asked_again += index < COR_TRIALS_KEPT && !is_of_machine;
    run->differed += *differs;
    if (index < COR_TRIALS_KEPT)
        cor_judge_repetition(&run->judgement, index, runner->trace.event_count, hash == run->hashes[index]);
    if (rows && with_trace && index >= COR_TRIALS_KEPT)
        COR_TRY(agent_layer__rows_put_trial(rows, &run->cases, &runner->chunk.judged[0], runner->chunk.own[0],
                                            &runner->trace, hash, error));
    return rows && with_trace ? agent_layer__rows_put_trace(rows, index, &runner->trace, error) : COR_OK;
}

static int compare_indices(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Smallest cases of findings, of races both, each once, in order. */
static uint32_t list_smallest(const struct unit_run *run, const struct cor_findings *findings,
                              uint32_t *indices) {
    uint32_t count = 0, distinct = 0;
    for (uint32_t f = 0; f < findings->count; f++) {
        indices[count++] = findings->items[f].smallest;
        if (cor_finding_is_race(&findings->items[f]))
            indices[count++] = (uint32_t)(findings->items[f].smallest % run->cases.count);
    }
    if (count > 1)
        qsort(indices, count, sizeof *indices, compare_indices);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || indices[i] != indices[i - 1])
            indices[distinct++] = indices[i];
    return distinct;
}

/* Does the case, in a fresh process, show what the finding says? */
static enum cor_status comes_again(struct unit_run *run, const struct cor_finding *finding, bool *comes,
                                   struct cor_error *error) {
    struct cor_findings alone = {0};
    *comes = false;
    enum cor_status status = cor_unit_run_case(run->runner, run->unit, run->request->repetition,
                                               finding->smallest, &run->runner->trace, NULL, &alone, error);
    for (uint32_t f = 0; f < alone.count && status == COR_OK; f++)
        *comes = *comes || (alone.items[f].check == finding->check && alone.items[f].plan == finding->plan &&
                            alone.items[f].subject == finding->subject);
    cor_findings_fini(&alone);
    return status;
}

/* What was found of a case that came otherwise, and does not come again, is not held against the agent: that
 * it cannot be repeated is. */
static enum cor_status acquit(struct unit_run *run, const uint32_t *indices, const bool *differs,
                              uint32_t count, struct cor_findings *findings, struct cor_error *error) {
    uint32_t kept = 0;
    for (uint32_t f = 0; f < findings->count; f++) {
        const struct cor_finding *finding = &findings->items[f];
        bool stays = true;
        for (uint32_t i = 0; i < count; i++)
            stays = stays && !(differs[i] && indices[i] == finding->smallest);
        stays =
            stays || cor_finding_is_of_all(finding) || finding->check == COR_AUT_CHECK_AGENT_NOT_REPEATABLE;
        if (!stays && !cor_finding_is_race(finding))
            COR_TRY(comes_again(run, finding, &stays, error));
        if (stays)
            findings->items[kept++] = *finding;
    }
    findings->count = kept;
    return COR_OK;
}

/* In a fresh process: the last case that can be compared, so that an agent which remembers earlier ones is
 * found out, and those that findings name. Whatever differs is a finding, too. */
static enum cor_status repeat_some(struct unit_run *run, struct cor_findings *findings,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    uint32_t *indices = cor_calloc(2 * (size_t)findings->count + 1, sizeof *indices);
    bool *differs = cor_calloc(2 * (size_t)findings->count + 1, sizeof *differs), last_differs;
    COR_TRY_OUT(cor_made(indices && differs ? indices : NULL, error));
    uint32_t count = list_smallest(run, findings, indices);
    uint64_t last = run->cases.count < COR_TRIALS_KEPT ? run->cases.count : COR_TRIALS_KEPT;
    COR_TRY_OUT(cor_aut_restart(run->runner->definition.session, error));
    if (last > 0)
        COR_TRY_OUT(repeat(run, (uint32_t)last - 1, false, &last_differs, error));
    for (uint32_t i = 0; i < count; i++)
        COR_TRY_OUT(repeat(run, indices[i], true, &differs[i], error));
    if (run->judgement.differed.hit > 0) {
        COR_TRY_OUT(judge(run, findings, error));
        COR_TRY_OUT(acquit(run, indices, differs, count, findings, error));
    }
out:
    free(differs);
    free(indices);
    return status;
}

static void end(struct unit_run *run) {
    for (uint32_t e = 0; run->events && e < design_of(run->runner)->event_count; e++) {
        if (run->events[e])
            cor_unit_judgement_fini(run->events[e]);
        free(run->events[e]);
    }
    free(run->events);
    free(run->hashes);
    cor_unit_cases_fini(&run->cases);
    cor_unit_judgement_fini(&run->judgement);
    cor_unit_judgement_fini(&run->intended);
}

static enum cor_status find_out(struct unit_run *run, struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    struct cor_interpreter *interpreter = cor_aut_interpreter(runner->definition.session);
    struct cor_findings *findings = &runner->known[run->unit];
    enum cor_status status = COR_OK;
    run->events = cor_calloc(design_of(runner)->event_count, sizeof *run->events);
    COR_TRY_OUT(cor_made(run->events, error));
    COR_TRY_OUT(begin(run, error));
    const uint64_t numbers = run->cases.count * runner->definition.settings.interleavings;
    run->hashes = cor_calloc(numbers < COR_TRIALS_KEPT ? numbers : COR_TRIALS_KEPT, sizeof *run->hashes);
    COR_TRY_OUT(cor_made(run->hashes, error));
    if (run->rows)
        COR_TRY_OUT(agent_layer__rows_begin(run->rows, &run->cases, run->request->repetition, error));
    if (interpreter)
        cor_interpreter_clear_branches(interpreter);
    COR_TRY_OUT(run_cases(run, error));
    run->executed = run->judgement.cases;
    if (run->rows)
        run->rows->trace_hash = run->all_hash;
    if (run->rows)
        COR_TRY_OUT(agent_layer__rows_put_unit(run->rows, &run->cases, &run->judgement,
                                               runner->definition.code, interpreter, error));
    const struct cor_design *design = design_of(run->runner);
    for (uint32_t m = 0; m < run->judgement.plan_count; m++) {
        uint32_t event = design->plans[run->judgement.plans[m].plan].trigger;
        if (!run->events[event] && cor_unit_judgement_asks(&run->judgement, event))
            COR_TRY_OUT(run_own_cases(run, event, error));
    }
    COR_TRY_OUT(judge(run, findings, error));
    COR_TRY_OUT(repeat_some(run, findings, error));
    if (run->rows)
        COR_TRY_OUT(agent_layer__rows_put_findings(run->rows, findings, run->cases.count, error));
    runner->is_known[run->unit] = true;
out:
    end(run);
    return status;
}

enum cor_status cor_unit_run(struct cor_unit_runner *runner, const struct cor_unit_request *request,
                             struct cor_unit_outcome *outcome, struct cor_error *error) {
    const struct cor_unit_runner_definition *definition = &runner->definition;
    struct agent_layer__unit_rows rows = {
        .record = request->record, .file = definition->file, .codes = definition->codes};
    struct unit_run run = {.runner = runner, .request = request, .unit = request->unit};
    COR_ASSERT(request->unit < definition->file->order.units.count);
    if (runner->known_repetition != request->repetition)
        forget(runner);
    runner->known_repetition = request->repetition;
    run.rows = request->record ? &rows : NULL;
    rows.seed = definition->settings.seed;
    enum cor_status status = find_out(&run, error);
    agent_layer__rows_fini(&rows);
    COR_TRY(status);
    runner->present = request->unit;
    const struct cor_findings *findings = &runner->known[request->unit];
    *outcome = (struct cor_unit_outcome){.cases = run.executed,
                                         .findings = findings->count,
                                         .asked_again = run.asked_again,
                                         .differed = run.differed,
                                         .by_machine = run.hung};
    for (uint32_t f = 0; f < findings->count; f++)
        outcome->worse += findings->items[f].severity != COR_SEVERITY_NOTE;
    return COR_OK;
}

/* Judges the one case that was run, the first of the chunk, beside what the design does in it. */
static enum cor_status judge_alone(struct unit_run *run, struct cor_findings *findings,
                                   struct cor_error *error) {
    struct cor_unit_runner *runner = run->runner;
    struct cor_judge_context context = {0};
    struct unit_run designed = {.runner = runner, .request = run->request, .unit = run->unit};
    enum cor_status status = COR_OK;
    COR_TRY(cor_judge_unit(&run->judgement, &context, findings, error));
    if (!needs_intention(findings))
        return COR_OK;
    COR_TRY(open_designed(runner, error));
    designed.session = runner->designed;
    COR_TRY_OUT(begin(&designed, error));
    struct cor_agent_case asked = runner->chunk.asked[0];
    COR_TRY_OUT(cor_aut_run(runner->designed, &asked, &runner->designed_trace, error));
    COR_TRY_OUT(
        cor_judge_case(&designed.judgement, &runner->chunk.judged[0], &runner->designed_trace, error));
    asked.rounds = ROUNDS_BEYOND;
    asked.steps = STEPS_BEYOND;
    COR_TRY_OUT(cor_aut_run(runner->designed, &asked, &runner->designed_trace, error));
    context.intended = &designed.judgement;
    context.intended_ends =
        !runner->chunk.judged[0].valid || runner->designed_trace.end == COR_TRACE_END_QUIET;
    findings->count = 0;
    COR_TRY_OUT(cor_judge_unit(&run->judgement, &context, findings, error));
out:
    end(&designed);
    return status;
}

enum cor_status cor_unit_run_case(struct cor_unit_runner *runner, uint32_t unit, uint32_t repetition,
                                  uint64_t index, struct cor_trace *trace, struct cor_case_values *values,
                                  struct cor_findings *findings, struct cor_error *error) {
    const struct cor_unit_request request = {.unit = unit, .repetition = repetition};
    struct unit_run run = {.runner = runner, .request = &request, .unit = unit};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(begin(&run, error));
    bool is_there = index < run.cases.count;
    if (!is_there && index / run.cases.count < runner->definition.settings.interleavings) {
        /* An interleaving, if several intentions are at work in the case. */
        make_case(&run, index % run.cases.count, 0);
        COR_TRY_OUT(cor_aut_restart(runner->definition.session, error));
        COR_TRY_OUT(cor_aut_run(runner->definition.session, &runner->chunk.asked[0], trace, error));
        is_there = trace->intention_count > 1;
    }
    if (!is_there)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, NULL, "cases are numbered from 0",
                             "the unit has only %llu cases", (unsigned long long)run.cases.count));
    make_case(&run, index, 0);
    COR_TRY_OUT(cor_aut_restart(runner->definition.session, error));
    COR_TRY_OUT(cor_aut_run(runner->definition.session, &runner->chunk.asked[0], trace, error));
    if (values)
        cor_unit_case_make(&run.cases, index % run.cases.count, values);
    if (findings) {
        COR_TRY_OUT(cor_judge_case(&run.judgement, &runner->chunk.judged[0], trace, error));
        COR_TRY_OUT(judge_alone(&run, findings, error));
    }
out:
    end(&run);
    return status;
}
