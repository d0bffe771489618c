/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What executes the sequences of an arm: a runner, its generators, the weather; and the states that were
 * seen. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/explored.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

/* ---- states that were seen */

static void seen_put(struct process_layer__seen *seen, uint64_t fingerprint) {
    size_t slot = (size_t)(fingerprint & (seen->slot_count - 1));
    while (seen->slots[slot] != 0)
        slot = (slot + 1) & (seen->slot_count - 1);
    seen->slots[slot] = fingerprint;
}

static enum cor_status seen_grow(struct process_layer__seen *seen, struct cor_error *error) {
    struct process_layer__seen larger = *seen;
    larger.slot_count = seen->slot_count > 0 ? 2 * seen->slot_count : 1024;
    COR_TRY(cor_made(larger.slots = cor_calloc(larger.slot_count, sizeof *larger.slots), error));
    for (size_t s = 0; s < seen->slot_count; s++)
        if (seen->slots[s] != 0)
            seen_put(&larger, seen->slots[s]);
    free(seen->slots);
    *seen = larger;
    return COR_OK;
}

enum cor_status process_layer__seen_add(struct process_layer__seen *seen, uint64_t fingerprint, bool *is_new,
                                        struct cor_error *error) {
    fingerprint += fingerprint == 0;
    *is_new = false;
    if (seen->slot_count > 0)
        for (size_t slot = (size_t)(fingerprint & (seen->slot_count - 1)); seen->slots[slot] != 0;
             slot = (slot + 1) & (seen->slot_count - 1))
            if (seen->slots[slot] == fingerprint)
                return COR_OK;
    if (seen->count >= PROCESS_LAYER__SEEN_MAX) {
        seen->is_full = true;
        return COR_OK;
    }
    if (2 * (seen->count + 1) > seen->slot_count)
        COR_TRY(seen_grow(seen, error));
    seen_put(seen, fingerprint);
    seen->count++;
    *is_new = true;
    return COR_OK;
}

void process_layer__seen_clear(struct process_layer__seen *seen) {
    if (seen->count > 0)
        memset(seen->slots, 0, seen->slot_count * sizeof *seen->slots);
    seen->count = 0;
    seen->is_full = false;
    seen->traps = 0;
}

static enum cor_status seen_join(struct process_layer__seen *seen, const struct process_layer__report *report,
                                 struct cor_error *error) {
    for (size_t f = 0; f < report->fresh_count; f++) {
        bool is_new;
        COR_TRY(process_layer__seen_add(seen, report->fresh[f], &is_new, error));
    }
    seen->is_full = seen->is_full || report->fills;
    return COR_OK;
}

/* What a report added is taken back, or is added again. */
static enum cor_status seen_take_back(struct process_layer__seen *seen,
                                      const struct process_layer__report *report, struct cor_error *error) {
    struct process_layer__seen left = {.traps = seen->traps}, gone = {0};
    enum cor_status status = seen_join(&gone, report, error);
    for (size_t s = 0; s < seen->slot_count && status == COR_OK; s++) {
        bool is_new = false;
        if (seen->slots[s] != 0)
            status = process_layer__seen_add(&gone, seen->slots[s], &is_new, error);
        if (is_new && status == COR_OK)
            status = process_layer__seen_add(&left, seen->slots[s], &is_new, error);
    }
    left.is_full = seen->is_full && !report->fills;
    process_layer__seen_fini(&gone);
    process_layer__seen_fini(status == COR_OK ? seen : &left);
    if (status == COR_OK)
        *seen = left;
    return status;
}

void process_layer__seen_fini(struct process_layer__seen *seen) {
    free(seen->slots);
    *seen = (struct process_layer__seen){0};
}

void process_layer__report_fini(struct process_layer__report *report) {
    cor_process_schedule_fini(&report->schedule);
    free(report->fresh);
    *report = (struct process_layer__report){0};
}

/* ---- a rig */

/* The state that all processes show together, if the event has changed it. */
static enum cor_status notice(void *data, const struct cor_cluster *cluster,
                              const struct cor_process_event *event, struct cor_error *error) {
    struct process_layer__rig *rig = data;
    struct process_layer__report *report = rig->report;
    uint32_t changed;
    bool is_new;
    cor_cluster_values(cluster, event->process, &changed);
    if (changed == 0 || rig->seen->is_full)
        return COR_OK;
    const uint64_t state = process_layer__abstract_state(cluster);
    COR_TRY(process_layer__seen_add(rig->seen, state, &is_new, error));
    if (!is_new)
        return COR_OK;
    COR_TRY(COR_RESERVE(&report->fresh, &report->fresh_capacity, report->fresh_count + 1, error));
    report->fresh[report->fresh_count++] = state;
    return COR_OK;
}

/* Is a failure the first of its class in the suite? And keeps the class if it is: *is_first. */
static bool is_new_class(const struct process_layer__suite *suite,
                         const struct cor_process_outcome *outcome) {
    for (size_t k = 0; k < suite->kept_count; k++)
        if (suite->kept[k].violated == outcome->violated && suite->kept[k].end == outcome->end)
            return false;
    return true;
}

bool process_layer__is_doubted(const struct process_layer__suite *suite, bool is_last,
                               const struct cor_process_outcome *outcome) {
    if (outcome->is_by_machine || outcome->end == COR_PROCESS_END_LEAKED)
        return false;
    return is_last || (process_layer__has_failed(outcome) && is_new_class(suite, outcome));
}

enum cor_status process_layer__keep_class(struct process_layer__suite *suite,
                                          const struct cor_process_outcome *outcome, bool *is_first,
                                          struct cor_error *error) {
    *is_first = is_new_class(suite, outcome);
    if (!*is_first)
        return COR_OK;
    COR_TRY(COR_RESERVE(&suite->kept, &suite->kept_capacity, suite->kept_count + 1, error));
    suite->kept[suite->kept_count++] = (struct process_layer__kept){outcome->violated, outcome->end};
    return COR_OK;
}

enum cor_status process_layer__rig_create(const struct cor_process_experiment *experiment, uint32_t number,
                                          const struct cor_process_traps *traps,
                                          struct process_layer__rig **rig, struct cor_error *error) {
    const struct cor_process_arm *arm = &experiment->arms[number];
    struct cor_process_setting setting = cor_process_setting_of(experiment, number);
    enum cor_status status = COR_OK;
    struct process_layer__rig *made = cor_calloc(1, sizeof *made);
    *rig = NULL;
    COR_TRY(cor_made(made, error));
    setting.traps = traps;
    made->experiment = experiment;
    made->arm = number;
    made->profile = arm->environment.profile;
    cor_walk_init(&made->walk);
    COR_TRY_OUT(cor_process_runner_create(&setting, &made->runner, error));
    cor_process_runner_listen(made->runner, &(struct cor_process_listener){made, notice});
    COR_TRY_OUT(cor_made(made->states = cor_calloc(arm->cases, 1), error));
    COR_TRY_OUT(cor_made(made->weather = cor_calloc(arm->cases, sizeof(struct cor_weather *)), error));
    COR_TRY_OUT(process_layer__rig_restart(made, error));
    *rig = made;
out:
    if (status != COR_OK)
        process_layer__rig_destroy(made);
    return status;
}

static void destroy_generators(struct process_layer__rig *rig) {
    const struct cor_process_arm *arm = &rig->experiment->arms[rig->arm];
    for (uint32_t g = 0; g < arm->generator_count; g++) {
        cor_schedule_generator_destroy(arm->generators[g], rig->generators[g]);
        rig->generators[g] = NULL;
    }
}

void process_layer__rig_destroy(struct process_layer__rig *rig) {
    if (!rig)
        return;
    destroy_generators(rig);
    process_layer__report_fini(&rig->again);
    cor_process_runner_destroy(rig->runner);
    cor_walk_fini(&rig->walk);
    free(rig->states);
    free(rig->weather);
    free(rig);
}

enum cor_status process_layer__rig_restart(struct process_layer__rig *rig, struct cor_error *error) {
    const struct cor_process_arm *arm = &rig->experiment->arms[rig->arm];
    const struct cor_schedule_options options = cor_process_generator_options(arm);
    destroy_generators(rig);
    cor_process_runner_forget(rig->runner);
    for (uint32_t g = 0; g < arm->generator_count; g++)
        COR_TRY(cor_schedule_generator_create(arm->generators[g], cor_process_runner_cluster(rig->runner),
                                              &options, &rig->generators[g], error));
    return COR_OK;
}

/* The weather of the cases from `first` on, as the walk says. */
static void take_weather(struct process_layer__rig *rig, uint32_t first) {
    const struct cor_process_arm *arm = &rig->experiment->arms[rig->arm];
    for (uint32_t c = first; c < arm->cases; c++) {
        rig->states[c] = rig->profile ? *cor_walk_at(&rig->walk, c + 1) : 0;
        rig->weather[c] = &arm->environment.weather[rig->states[c]];
    }
}

enum cor_status process_layer__rig_weather(struct process_layer__rig *rig, uint32_t suite, uint32_t sequence,
                                           struct cor_error *error) {
    const struct cor_process_arm *arm = &rig->experiment->arms[rig->arm];
    static const uint16_t first = 0;
    const struct cor_walk_definition definition = {
        .source = &cor_source_profile,
        .profiles = &rig->profile,
        .profile_of_chain = &first,
        .chain_count = 1,
        .case_count = arm->cases,
        .name = cor_process_stream_name(rig->experiment, suite, sequence)};
    cor_explored_set(rig->experiment->explored, suite);
    if (rig->profile)
        COR_TRY(cor_walk_begin(&rig->walk, &definition, error));
    take_weather(rig, 0);
    return COR_OK;
}

void process_layer__rig_weather_fork(struct process_layer__rig *rig, uint32_t number,
                                     const struct cor_stream_name *name) {
    if (!rig->profile)
        return;
    rig->walk.definition.name.seed = name->seed;
    cor_walk_fork(&rig->walk, number, name->sequence);
    take_weather(rig, number);
}

/* Makes a sequence; nothing is learnt from it. */
static enum cor_status make_sequence(struct process_layer__rig *rig, uint32_t suite, uint32_t sequence,
                                     struct process_layer__seen *seen, struct process_layer__report *report,
                                     struct cor_error *error) {
    const struct cor_process_arm *arm = &rig->experiment->arms[rig->arm];
    const struct cor_stream_name name = cor_process_stream_name(rig->experiment, suite, sequence);
    const uint32_t g = sequence % arm->generator_count;
    const bool was_full = seen->is_full;
    rig->seen = seen;
    rig->report = report;
    report->fresh_count = 0;
    COR_TRY(process_layer__rig_weather(rig, suite, sequence, error));
    COR_TRY(cor_process_run(rig->runner, &name, arm->generators[g], rig->generators[g], rig->weather,
                            arm->cases, &report->schedule, &report->outcome, error));
    report->fills = seen->is_full && !was_full;
    return COR_OK;
}

enum cor_status process_layer__rig_run(struct process_layer__rig *rig, uint32_t suite, uint32_t sequence,
                                       struct process_layer__seen *seen, struct process_layer__report *report,
                                       struct cor_error *error) {
    COR_TRY(make_sequence(rig, suite, sequence, seen, report, error));
    return process_layer__rig_learn(rig, sequence, seen, report, error);
}

/* ---- programs in other languages: what one child does for many schedules */

bool process_layer__has_child(const struct process_layer__rig *rig) {
    return cor_process_way_of(rig->experiment->arms[rig->arm].command) == COR_PROCESS_COMMAND;
}

#define TRIES_MOST 4 /* at what the machine ends */

enum cor_status process_layer__settle(const struct process_layer__trial *trial,
                                      const struct process_layer__suite *suite, bool is_last,
                                      const struct cor_process_outcome *outcome, bool *leaks,
                                      struct cor_error *error) {
    struct cor_process_outcome was = *outcome, now;
    const bool is_killed =
        was.is_by_machine && was.end != COR_PROCESS_END_HANG; /* a hang came twice already */
    uint32_t otherwise = 0;
    *leaks = false;
    if (!is_killed && !process_layer__is_doubted(suite, is_last, outcome))
        return COR_OK;
    for (uint32_t tries = 0; tries < TRIES_MOST && otherwise < 2; tries++) {
        COR_TRY(trial->again(trial->self, &now, error));
        const bool is_same = cor_process_outcome_is_same(&was, &now);
        if (now.is_by_machine && !is_same)
            continue;
        if (is_same || was.is_by_machine)
            trial->take(trial->self);
        if (is_same || (was.is_by_machine && !process_layer__has_failed(&now)))
            return COR_OK;
        otherwise += !was.is_by_machine;
        if (was.is_by_machine)
            was = now;
    }
    *leaks = otherwise == 2;
    return COR_OK;
}

enum cor_status process_layer__look_again(struct cor_process_runner *runner,
                                          const struct cor_stream_name *name,
                                          const struct cor_process_schedule *schedule,
                                          const struct cor_process_outcome *outcome, bool *differs,
                                          struct cor_error *error) {
    struct cor_process_outcome again;
    const enum cor_status status = cor_process_replay(runner, name, schedule, NULL, &again, error);
    *differs = !again.is_by_machine &&
               (again.digest != outcome->digest || !cor_process_outcome_is_same(&again, outcome));
    return status;
}

/* A sequence, again in a fresh child: what its suite has seen is what it had seen before. */
struct again {
    struct process_layer__rig *rig;
    struct process_layer__suite *suite;
    uint32_t sequence;
    struct process_layer__report *report;
    bool is_out; /* nothing of it is in what was seen */
};

static enum cor_status make_again(void *self, struct cor_process_outcome *outcome, struct cor_error *error) {
    struct again *again = self;
    struct process_layer__rig *rig = again->rig;
    struct process_layer__seen *seen = &again->suite->seen;
    if (!again->is_out)
        COR_TRY(seen_take_back(seen, again->report, error));
    again->is_out = true;
    cor_process_runner_forget(rig->runner);
    COR_TRY(make_sequence(rig, again->suite->suite, again->sequence, seen, &rig->again, error));
    *outcome = rig->again.outcome;
    return seen_take_back(seen, &rig->again, error);
}

static void take_again(void *self) {
    struct again *again = self;
    const struct process_layer__report was = *again->report;
    *again->report = again->rig->again;
    again->rig->again = was;
}

enum cor_status process_layer__rig_run_settled(struct process_layer__rig *rig,
                                               struct process_layer__suite *suite, uint32_t sequence,
                                               struct process_layer__report *report,
                                               struct cor_error *error) {
    struct again again = {rig, suite, sequence, report, false};
    const struct process_layer__trial trial = {&again, make_again, take_again};
    /* The child of the first is a fresh one. */
    const bool is_last = sequence > 0 && sequence + 1 == rig->experiment->sequences;
    bool leaks = false;
    COR_TRY(make_sequence(rig, suite->suite, sequence, &suite->seen, report, error));
    if (process_layer__has_child(rig))
        COR_TRY(process_layer__settle(&trial, suite, is_last, &report->outcome, &leaks, error));
    if (leaks) {
        process_layer__end_by(&report->outcome, COR_PROCESS_END_LEAKED, PROCESS_LAYER__OTHERWISE);
        report->fresh_count = 0;
        report->fills = false;
    }
    if (again.is_out)
        COR_TRY(seen_join(&suite->seen, report, error));
    return process_layer__rig_learn(rig, sequence, &suite->seen, report, error);
}

enum cor_status process_layer__rig_begin(struct process_layer__rig *rig, uint32_t suite, uint32_t sequence,
                                         struct cor_error *error) {
    const struct cor_process_arm *arm = &rig->experiment->arms[rig->arm];
    const struct cor_stream_name name = cor_process_stream_name(rig->experiment, suite, sequence);
    const uint32_t g = sequence % arm->generator_count;
    return arm->generators[g]->learn ? arm->generators[g]->begin(rig->generators[g], &name, error) : COR_OK;
}

enum cor_status process_layer__rig_learn(struct process_layer__rig *rig, uint32_t sequence,
                                         struct process_layer__seen *seen,
                                         const struct process_layer__report *report,
                                         struct cor_error *error) {
    const struct cor_process_arm *arm = &rig->experiment->arms[rig->arm];
    const uint32_t g = sequence % arm->generator_count;
    const uint64_t new_traps = report->outcome.met & ~seen->traps;
    seen->traps |= new_traps;
    if (!arm->generators[g]->learn)
        return COR_OK;
    return arm->generators[g]->learn(rig->generators[g], &report->schedule,
                                     (struct cor_schedule_news){report->fresh_count,
                                                                (uint32_t)__builtin_popcountll(new_traps),
                                                                process_layer__has_failed(&report->outcome)},
                                     error);
}

void process_layer__end_by(struct cor_process_outcome *outcome, enum cor_process_end end,
                           const char *sentence) {
    *outcome = (struct cor_process_outcome){
        .end = end, .violated = COR_NONE, .end_process = COR_NONE, .one = COR_NONE, .other = COR_NONE};
    snprintf(outcome->sentence, sizeof outcome->sentence, "%s", sentence);
}
