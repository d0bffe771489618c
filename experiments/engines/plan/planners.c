/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the paper compares with: planners that look at no goal. "antiant" prefers what was done least, so
 * that it goes where it was not; "random" draws. Both draw among inputs that differ in effect. The anti-ant
 * variant of the paper is not described there; this one counts how often a transition was taken (or was
 * taken from this state), and draws among those counted least. */
#include "planners.h"

#include <corridor/array.h>
#include <corridor/pool.h>
#include <corridor/rng.h>

#include <math.h>
#include <string.h>

struct baseline {
    struct cor_planner_definition definition;
    bool counts; /* antiant */
    struct cor_rng rng;
    struct cor_expansion expansion;
    struct cor_pool keys; /* a transition that was taken, in one state or in all: its label, and the state */
    uint64_t *visits;     /* owned; [key] */
    size_t visit_capacity;
    unsigned char *key; /* owned; one key */
    uint32_t *best;     /* owned; outcomes */
    size_t best_capacity;
};

static void destroy(void *self) {
    struct baseline *b = self;
    if (!b)
        return;
    cor_expansion_fini(&b->expansion);
    cor_pool_fini(&b->keys);
    COR_FREE(b->visits, b->key, b->best, b);
}

static enum cor_status create(const struct cor_planner_definition *definition, bool counts, void **self,
                              struct cor_error *error) {
    struct baseline *b = cor_calloc(1, sizeof *b);
    COR_TRY(cor_made(b, error));
    b->definition = *definition;
    b->counts = counts;
    b->rng =
        cor_rng_named(&(struct cor_stream_name){.seed = definition->seed, .purpose = COR_PURPOSE_PLANNER});
    b->keys.size = sizeof(uint32_t) + (definition->by_state ? definition->problem->state_size : 0);
    b->key = cor_calloc(1, b->keys.size);
    if (!b->key) {
        destroy(b);
        return cor_fail_memory(error);
    }
    *self = b;
    return COR_OK;
}

static enum cor_status create_antiant(const struct cor_planner_definition *definition, void **self,
                                      struct cor_error *error) {
    return create(definition, true, self, error);
}

static enum cor_status create_random(const struct cor_planner_definition *definition, void **self,
                                     struct cor_error *error) {
    return create(definition, false, self, error);
}

/* Counting. */

static const void *key_of(const struct baseline *b, const void *state, uint32_t label) {
    memcpy(b->key, &label, sizeof label);
    if (b->definition.by_state)
        memcpy(b->key + sizeof label, state, b->definition.problem->state_size);
    return b->key;
}

static enum cor_status observe(void *self, const void *state, const void *input, uint32_t label,
                               const void *next, struct cor_error *error) {
    struct baseline *b = self;
    (void)input, (void)next;
    if (!b->counts)
        return COR_OK;
    const uint32_t count = b->keys.count;
    uint32_t key;
    COR_TRY(COR_RESERVE(&b->visits, &b->visit_capacity, (size_t)count + 1, error));
    COR_TRY(cor_pool_add(&b->keys, key_of(b, state, label), b->keys.size, &key, error));
    if (key == count)
        b->visits[key] = 0;
    b->visits[key]++;
    return COR_OK;
}

/* Choosing. */

/* The outcomes whose transition was taken least. */
static enum cor_status find_best(struct baseline *b, const void *state, uint32_t *count,
                                 struct cor_error *error) {
    const struct cor_expansion *expansion = &b->expansion;
    uint64_t least = UINT64_MAX;
    COR_TRY(COR_RESERVE(&b->best, &b->best_capacity, expansion->outcome_count, error));
    *count = 0;
    for (uint32_t o = 0; o < expansion->outcome_count; o++) {
        const uint32_t key =
            b->counts ? cor_pool_find(&b->keys, key_of(b, state, expansion->outcomes[o].label), b->keys.size)
                      : COR_NONE;
        const uint64_t visits = key == COR_NONE ? 0 : b->visits[key];
        if (visits < least) {
            least = visits;
            *count = 0;
        }
        if (visits == least)
            b->best[(*count)++] = o;
    }
    return COR_OK;
}

/* One of these: a transition first, then one of its inputs, so that none counts more for having many. */
static uint32_t draw(struct baseline *b, uint32_t count) {
    const struct cor_expanded_outcome *outcomes = b->expansion.outcomes;
    uint32_t labels = 0, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_new = true;
        for (uint32_t j = 0; j < i && is_new; j++)
            is_new = outcomes[b->best[j]].label != outcomes[b->best[i]].label;
        if (is_new && cor_rng_below(&b->rng, ++labels) == 0)
            kept = outcomes[b->best[i]].label;
    }
    uint32_t chosen = b->best[0], seen = 0;
    for (uint32_t i = 0; i < count; i++)
        if (outcomes[b->best[i]].label == kept && cor_rng_below(&b->rng, ++seen) == 0)
            chosen = b->best[i];
    return chosen;
}

static enum cor_status choose(void *self, const void *state, const uint64_t *covered,
                              struct cor_plan_choice *choice, struct cor_error *error) {
    struct baseline *b = self;
    const struct cor_planning_problem *problem = b->definition.problem;
    uint32_t count, input;
    *choice = (struct cor_plan_choice){.left = COR_NONE,
                                       .label = COR_NONE,
                                       .expected = (double)NAN,
                                       .proof = COR_PROOF_NONE,
                                       .degree = COR_DEGREE_INFINITE};
    if (cor_all_covered(problem, covered)) {
        choice->advice = COR_ADVICE_COVERED;
        return COR_OK;
    }
    COR_TRY(cor_expand(problem, state, &b->expansion, error));
    choice->candidates = b->expansion.input_count;
    if (b->expansion.input_count == 0) {
        choice->advice = COR_ADVICE_GIVE_UP;
        choice->method = "a dead end: no input enables anything";
        return COR_OK;
    }
    if (b->counts) {
        COR_TRY(find_best(b, state, &count, error));
        /* The input of an outcome. */
        const uint32_t outcome = draw(b, count);
        uint32_t low = 0, high = b->expansion.input_count;
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            if (b->expansion.first[middle] <= outcome)
                low = middle;
            else
                high = middle;
        }
        input = low;
    } else {
        input = cor_rng_below(&b->rng, b->expansion.input_count);
    }
    choice->advice = COR_ADVICE_INPUT;
    choice->input = b->expansion.inputs + input * problem->input_size;
    return COR_OK;
}

const struct cor_planner_kind plan__planner_antiant = {
    .name = "antiant",
    .summary = "what was done least, whatever the goal",
    .create = create_antiant,
    .destroy = destroy,
    .choose = choose,
    .observe = observe,
};

const struct cor_planner_kind plan__planner_random = {
    .name = "random",
    .summary = "any input, whatever the goal",
    .create = create_random,
    .destroy = destroy,
    .choose = choose,
    .observe = NULL,
};

/* ---- planners */

const char *cor_reading_word(size_t index) {
    static const char *const words[] = {"hope", "forced", "expected"};
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

COR_WORDS(cor_proof_word, enum cor_plan_proof, "none", "bfs", "fixpoint", "bound")

const struct cor_planner_kind *const cor_planner_kinds[] = {
    &plan__planner_search, &plan__planner_paper, &plan__planner_antiant, &plan__planner_random, NULL};

const struct cor_planner_kind *cor_planner_find(const char *name) {
    for (size_t i = 0; cor_planner_kinds[i]; i++)
        if (strcmp(cor_planner_kinds[i]->name, name) == 0)
            return cor_planner_kinds[i];
    return NULL;
}

struct cor_planner_definition cor_default_planner(void) {
    return (struct cor_planner_definition){
        .reading = COR_READING_HOPE, .state_budget = COR_PLANNER_STATES, .depth = COR_PLANNER_DEPTH};
}
