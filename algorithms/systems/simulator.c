/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system that does what a model says. Its choices are its own: nothing of the planner is known to it but,
 * to the adversary, the goal. */
#include <corridor/array.h>
#include <corridor/efsm_reach.h>
#include <corridor/fields.h>
#include <corridor/json_names.h>
#include <corridor/pool.h>
#include <corridor/rng.h>
#include <corridor/system.h>

#include <stdlib.h>
#include <string.h>

#define EXPLICIT_STATES_MOST UINT64_C(10000000) /* that the explicit back end keeps distances for */

struct simulator {
    struct cor_system system;
    struct cor_simulator_definition definition;
    struct cor_rng rng;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t location;
    uint32_t *enabled;     /* owned; [transition] */
    struct cor_pool asked; /* FAIR: location, input and values of the state */
    uint32_t *turns;       /* owned; [asked] how often */
    size_t turn_capacity;
    struct cor_efsm_reach **reaches; /* owned; [trap]; made when first asked for */
    bool *covered, *hit;             /* owned; [trap]; by all moves, by this one */
    uint32_t last;                   /* transition before; COR_NONE */
};

const char *cor_choosing_word(size_t index) {
    static const char *const words[] = {"uniform", "adversary", "fair", "frequencies"};
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

enum cor_status cor_choosing_read(const struct cor_json *json, const char *what, enum cor_choosing *choosing,
                                  struct cor_error *error) {
    const char *names[8] = {0};
    int index = 0;
    for (size_t i = 0; cor_choosing_word(i); i++)
        names[i] = cor_choosing_word(i);
    COR_TRY(cor_json_one_of(json, names, what, &index, error));
    if (index == COR_CHOOSING_FREQUENCIES)
        return cor_json_fail(json, error, "{\"frequencies\": {\"TRANSITION\": 0.9}}", "says no frequencies");
    *choosing = (enum cor_choosing)index;
    return COR_OK;
}

enum cor_status cor_frequencies_read(const struct cor_json *json, const struct cor_efsm *model,
                                     double **weights, struct cor_error *error) {
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_TRY(cor_made(*weights = cor_calloc((size_t)model->transition_count + 1, sizeof **weights), error));
    for (uint32_t t = 0; t <= model->transition_count; t++)
        (*weights)[t] = 1;
    COR_JSON_CHILDREN(item, json) {
        uint32_t t;
        COR_TRY(cor_json_find_name(&item, COR_WORD_NAMES(model->transition_names, model->transition_count),
                                   item.key, &t, error, "there is no transition \"%s\"", item.key));
        COR_TRY(cor_json_real(&item, 0, 1e12, &(*weights)[t], error));
    }
    return COR_OK;
}

void cor_system_close(struct cor_system *system) {
    if (system)
        system->kind->close(system);
}

static enum cor_status reset_simulator(struct cor_system *system, enum cor_system_trouble *trouble,
                                       struct cor_error *error) {
    struct simulator *simulator = (struct simulator *)system;
    (void)error;
    *trouble = COR_SYSTEM_WELL;
    cor_efsm_start(simulator->definition.model, simulator->values);
    simulator->location = simulator->definition.model->initial;
    simulator->last = COR_NONE;
    return COR_OK;
}

static uint32_t by_weight(struct simulator *simulator, uint32_t count) {
    const double *weights = simulator->definition.weights;
    double sum = 0, at;
    for (uint32_t i = 0; i < count; i++)
        sum += weights[simulator->enabled[i]];
    if (!(sum > 0))
        return cor_rng_below(&simulator->rng, count);
    at = cor_rng_unit(&simulator->rng) * sum;
    for (uint32_t i = 0; i < count; i++) {
        at -= weights[simulator->enabled[i]];
        if (at < 0)
            return i;
    }
    while (count > 1 && !(weights[simulator->enabled[count - 1]] > 0)) /* rounding */
        count--;
    return count - 1;
}

/* Each rival in its turn. */
static enum cor_status by_turn(struct simulator *simulator, uint32_t label, uint32_t count, uint32_t *chosen,
                               struct cor_error *error) {
    int64_t key[COR_EFSM_VARIABLES_MAX + 2] = {simulator->location, label};
    const uint32_t known = simulator->asked.count;
    uint32_t asked;
    memcpy(key + 2, simulator->values, simulator->definition.model->variable_count * sizeof *key);
    COR_TRY(COR_RESERVE(&simulator->turns, &simulator->turn_capacity, (size_t)known + 1, error));
    COR_TRY(cor_pool_add(&simulator->asked, key, simulator->asked.size, &asked, error));
    if (asked == known)
        simulator->turns[asked] = 0;
    *chosen = simulator->turns[asked]++ % count;
    return COR_OK;
}

static bool is_open(const struct simulator *simulator, uint32_t trap) {
    const struct cor_efsm_trap *it = &simulator->definition.goal->traps[trap];
    for (uint32_t a = 0; a < it->after_count; a++)
        if (!simulator->covered[it->after[a]])
            return false;
    return !simulator->covered[trap];
}

/* Whether the transition, which may be one that only the simulator has, covers an open trap. */
static bool covers(const struct simulator *simulator, uint32_t trap, uint32_t transition,
                   const int64_t *values) {
    const struct cor_efsm_trap *it = &simulator->definition.goal->traps[trap];
    return is_open(simulator, trap) && transition < simulator->definition.goal_model->transition_count &&
           cor_efsm_hits_behind(simulator->definition.goal_model, it, transition, simulator->last, values);
}

/* How bad a rival is for the planner. */
static enum cor_status badness_of(struct simulator *simulator, uint32_t transition, const int64_t *values,
                                  uint64_t *badness, struct cor_error *error) {
    const struct cor_efsm *model = simulator->definition.model;
    int64_t next[COR_EFSM_VARIABLES_MAX];
    bool enabled = cor_efsm_step(model, transition, values, next);
    COR_ASSERT(enabled);
    *badness = UINT64_MAX - 1;
    for (uint32_t trap = 0; trap < simulator->definition.goal->trap_count; trap++) {
        struct cor_efsm_reach *reach;
        if (covers(simulator, trap, transition, values)) {
            *badness = 0;
            return COR_OK;
        }
        if (!is_open(simulator, trap))
            continue;
        const struct cor_efsm *m = simulator->definition.goal_model;
        if (!simulator->reaches[trap]) {
            const bool small = cor_efsm_is_small(m, EXPLICIT_STATES_MOST);
            const struct cor_efsm_reach_definition definition = cor_default_efsm_reach(
                m, &simulator->definition.goal->traps[trap], small ? COR_EFSM_EXPLICIT : COR_EFSM_SYMBOLIC);
            COR_TRY(cor_efsm_reach_create(&definition, &simulator->reaches[trap], error));
        }
        reach = simulator->reaches[trap];
        const uint32_t distance = cor_efsm_reach_distance(reach, model->transitions[transition].target, next);
        if (distance != COR_EFSM_FAR && distance < *badness)
            *badness = distance;
    }
    return COR_OK;
}

static enum cor_status by_badness(struct simulator *simulator, const int64_t *values, uint32_t count,
                                  uint32_t *chosen, struct cor_error *error) {
    uint64_t worst = 0;
    *chosen = 0;
    for (uint32_t i = 0; i < count && count > 1; i++) {
        uint64_t badness;
        COR_TRY(badness_of(simulator, simulator->enabled[i], values, &badness, error));
        if (badness > worst) {
            worst = badness;
            *chosen = i;
        }
    }
    const uint32_t taken = simulator->enabled[*chosen];
    const uint32_t traps = simulator->definition.goal->trap_count;
    for (uint32_t trap = 0; trap < traps; trap++) /* judged by what was covered before the move */
        simulator->hit[trap] = covers(simulator, trap, taken, values);
    for (uint32_t trap = 0; trap < traps; trap++)
        simulator->covered[trap] = simulator->covered[trap] || simulator->hit[trap];
    return COR_OK;
}

static enum cor_status choose(struct simulator *simulator, uint32_t label, const int64_t *values,
                              uint32_t count, uint32_t *chosen, struct cor_error *error) {
    *chosen = 0;
    switch (simulator->definition.choosing) {
    case COR_CHOOSING_UNIFORM:
        *chosen = count > 1 ? cor_rng_below(&simulator->rng, count) : 0;
        return COR_OK;
    case COR_CHOOSING_FREQUENCIES:
        *chosen = count > 1 ? by_weight(simulator, count) : 0;
        return COR_OK;
    case COR_CHOOSING_FAIR:
        return count > 1 ? by_turn(simulator, label, count, chosen, error) : COR_OK;
    case COR_CHOOSING_ADVERSARY:
        return by_badness(simulator, values, count, chosen, error);
    }
    return COR_OK;
}

static enum cor_status give_simulator(struct cor_system *system, uint32_t label, const int64_t *values,
                                      struct cor_efsm_observation *observation,
                                      enum cor_system_trouble *trouble, struct cor_error *error) {
    struct simulator *simulator = (struct simulator *)system;
    const struct cor_efsm *model = simulator->definition.model;
    int64_t all[COR_EFSM_VARIABLES_MAX];
    uint32_t chosen;
    *trouble = COR_SYSTEM_WELL;
    cor_efsm_observation_clear(observation);
    memcpy(all, simulator->values, model->variable_count * sizeof *all);
    cor_efsm_put_input(model, label, values, all);
    const uint32_t count = cor_efsm_find_enabled(model, simulator->location, label, all, simulator->enabled);
    if (count == 0)
        return COR_OK;
    COR_TRY(choose(simulator, label, all, count, &chosen, error));
    const uint32_t taken = simulator->enabled[chosen];
    COR_TRY(cor_efsm_observation_of(model, taken, all, observation, error));
    bool stepped = cor_efsm_step(model, taken, all, simulator->values);
    COR_ASSERT(stepped);
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind != COR_EFSM_STATE)
            simulator->values[v] = model->variables[v].low;
    simulator->location = model->transitions[taken].target;
    simulator->last = taken;
    return COR_OK;
}

static void close_simulator(struct cor_system *system) {
    COR_FREED struct simulator *simulator = (struct simulator *)system;
    for (uint32_t t = 0; simulator->reaches && t < simulator->definition.goal->trap_count; t++)
        cor_efsm_reach_destroy(simulator->reaches[t]);
    COR_FREE(simulator->reaches, simulator->covered, simulator->hit, simulator->enabled);
    cor_pool_fini(&simulator->asked);
    free(simulator->turns);
}

static const struct cor_system_kind kind = {reset_simulator, give_simulator, close_simulator};

void cor_simulator_fork(struct cor_system *system, enum cor_choosing choosing, uint64_t seed) {
    if (system->kind != &kind)
        return;
    struct simulator *simulator = (struct simulator *)system;
    simulator->definition.choosing = choosing;
    simulator->rng = cor_rng_named(&(struct cor_stream_name){.seed = seed, .purpose = COR_PURPOSE_RIVAL});
}

uint32_t cor_simulator_state(const struct cor_system *system, int64_t *values) {
    COR_ASSERT(system->kind == &kind);
    const struct simulator *simulator = (const struct simulator *)(const void *)system;
    memcpy(values, simulator->values, simulator->definition.model->variable_count * sizeof *values);
    return simulator->location;
}

enum cor_status cor_simulator_create(const struct cor_simulator_definition *definition,
                                     struct cor_system **system, struct cor_error *error) {
    struct simulator *made = cor_calloc(1, sizeof *made);
    enum cor_system_trouble well;
    *system = NULL;
    COR_TRY(cor_made(made, error));
    made->system.kind = &kind;
    made->definition = *definition;
    made->rng = cor_rng_named(&(struct cor_stream_name){
        .seed = definition->seed, .suite = definition->run, .purpose = COR_PURPOSE_RIVAL});
    const bool plays = definition->choosing == COR_CHOOSING_ADVERSARY;
    COR_ASSERT(!plays || (definition->goal && definition->goal_model));
    made->asked.size = (definition->model->variable_count + 2) * sizeof(int64_t);
    made->enabled = cor_calloc(definition->model->transition_count, sizeof *made->enabled);
    made->reaches = plays ? cor_calloc(definition->goal->trap_count, sizeof(struct cor_efsm_reach *)) : NULL;
    made->covered = plays ? cor_calloc(definition->goal->trap_count, sizeof *made->covered) : NULL;
    made->hit = plays ? cor_calloc(definition->goal->trap_count, sizeof *made->hit) : NULL;
    if (!made->enabled || (plays && (!made->reaches || !made->covered || !made->hit))) {
        close_simulator(&made->system);
        return cor_fail_memory(error);
    }
    *system = &made->system;
    return reset_simulator(&made->system, &well, error);
}
