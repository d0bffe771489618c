/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A formula along a trace. Its three-valued value is two values of two-valued machines: the worst, in which
 * an unknown condition neither holds nor is violated, and the best, in which it does both; they are one state
 * as long as nothing is unknown (Bruns and Godefroid, Model checking partial state spaces with 3-valued
 * temporal logics, CAV 1999, section 3.2).
 *
 * When it is fixed: knowing more about conditions never changes "holds" or "violated", so one continuation
 * tells of these for all of its length: that in which all is unknown. "Unknown" is fixed if no continuation
 * without unknown conditions ends otherwise, since knowing more could only help. */
#include "watch.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static void reaches_fini(struct temporal__reaches *reaches);
static enum cor_status temporal__distance(struct temporal__reaches *reaches,
                                          const struct temporal__machine *machine, uint32_t state,
                                          const struct cor_temporal_degrees *degrees, uint32_t left,
                                          struct cor_temporal_distance *distance,
                                          struct cor_error *error) COR_MUST_USE;

enum { WALK_MAX = 2048, SEARCH_MAX = 4096 };

struct cor_temporal_watch {
    struct temporal__machine machine;
    uint32_t worst, best; /* states */
    uint64_t length, decided_at;
    uint32_t *list; /* owned; states of a search */
    struct temporal__reaches reaches;
};

COR_WORDS(cor_temporal_word, enum cor_temporal_value, "violated", "holds", "unknown")

enum cor_status cor_temporal_parse(const char *text, const char *const *names, const char *place,
                                   struct cor_temporal **formula, struct cor_error *error) {
    *formula = NULL;
    struct temporal__tree *tree = cor_calloc(1, sizeof *tree);
    struct cor_temporal *made = cor_calloc(1, sizeof *made);
    enum cor_status status = tree && made ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        status = temporal__parse(text, names, place, tree, error);
    if (status == COR_OK)
        status = temporal__lower(tree, place, made, error);
    free(tree);
    if (status != COR_OK)
        cor_temporal_destroy(made);
    else
        *formula = made;
    return status;
}

void cor_temporal_destroy(struct cor_temporal *formula) {
    if (!formula)
        return;
    free(formula->nodes);
    free(formula->obligations);
    free(formula);
}

enum cor_status cor_temporal_watch_create(const struct cor_temporal *formula,
                                          struct cor_temporal_watch **watch, struct cor_error *error) {
    *watch = NULL;
    struct cor_temporal_watch *made = cor_calloc(1, sizeof *made);
    uint32_t *list = cor_calloc(SEARCH_MAX + 1, sizeof *list);
    enum cor_status status = made && list ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        status = temporal__machine_init(&made->machine, formula, error);
    if (status != COR_OK) {
        free(made);
        free(list);
        return status;
    }
    made->list = list;
    cor_temporal_restart(made);
    *watch = made;
    return COR_OK;
}

void cor_temporal_watch_destroy(struct cor_temporal_watch *watch) {
    if (!watch)
        return;
    temporal__machine_fini(&watch->machine);
    reaches_fini(&watch->reaches);
    free(watch->list);
    free(watch);
}

void cor_temporal_restart(struct cor_temporal_watch *watch) {
    watch->worst = watch->best = 0;
    watch->length = 0;
    watch->decided_at = COR_TEMPORAL_OPEN;
}

/* Whether a search may go on. */
static bool may_search(const struct temporal__machine *machine, uint32_t steps, uint32_t most) {
    return steps < most && machine->remainders.work < TEMPORAL__SEARCH_WORK_MAX;
}

static bool is_true_at_end(const struct temporal__machine *machine, uint32_t state) {
    return (machine->facts[state] & TEMPORAL__AT_END) != 0;
}

/* Finds out whether the value of a state stays where all that comes is unknown, which is the least that can
 * make it true, and the most that can make it false. What is found of a state depends on it alone, so that it
 * is the same whatever the watch saw before. */
static enum cor_status follow_unknown(struct cor_temporal_watch *watch, uint32_t start) {
    struct temporal__machine *machine = &watch->machine;
    const bool truth = is_true_at_end(machine, start);
    const struct temporal__input input = {truth ? 0 : machine->mask, truth ? 0 : machine->mask};
    const uint32_t search = ++machine->search;
    uint32_t state = start;
    for (uint32_t count = 0; may_search(machine, count, WALK_MAX) && is_true_at_end(machine, state) == truth;
         count++) {
        if (machine->visits[state] == search) { /* round and round */
            machine->facts[start] |= TEMPORAL__FIXED;
            return COR_OK;
        }
        machine->visits[state] = search;
        COR_TRY(temporal__machine_move(machine, state, input, &state));
    }
    machine->facts[start] |= TEMPORAL__NOT_FIXED;
    return COR_OK;
}

/* Finds out whether any continuation without unknown conditions changes the value of a state. */
static enum cor_status search_known(struct cor_temporal_watch *watch, uint32_t start) {
    struct temporal__machine *machine = &watch->machine;
    const bool truth = is_true_at_end(machine, start);
    const uint64_t inputs = UINT64_C(1) << (machine->formula->condition_count % 64);
    const uint32_t search = ++machine->search;
    uint32_t count = 1, steps = 0;
    bool is_settled = true;
    watch->list[0] = start;
    machine->visits[start] = search;
    for (uint32_t i = 0; i < count && is_settled; i++) {
        for (uint64_t yes = 0; yes < inputs && is_settled; yes++) {
            uint32_t next;
            COR_TRY(temporal__machine_move(machine, watch->list[i],
                                           (struct temporal__input){yes, ~yes & machine->mask}, &next));
            is_settled = is_true_at_end(machine, next) == truth && may_search(machine, ++steps, SEARCH_MAX);
            if (machine->visits[next] != search)
                watch->list[count++] = next;
            machine->visits[next] = search;
        }
    }
    machine->facts[start] |= is_settled ? TEMPORAL__SETTLED : TEMPORAL__NOT_SETTLED;
    return COR_OK;
}

/* Whether the value of a state is FIXED, or SETTLED. A search that becomes too large says that it is not. */
static enum cor_status ask(struct cor_temporal_watch *watch, uint32_t state, uint8_t yes, uint8_t no,
                           bool *is_so) {
    struct temporal__machine *machine = &watch->machine;
    enum cor_status status = COR_OK;
    if ((machine->facts[state] & (yes | no)) == 0)
        status = yes == TEMPORAL__FIXED ? follow_unknown(watch, state) : search_known(watch, state);
    if (status == COR_STATUS_INPUT) {
        machine->facts[state] |= no;
        machine->remainders.status = status = COR_OK;
        machine->remainders.error = COR_NO_ERROR;
    }
    *is_so = (machine->facts[state] & yes) != 0;
    return status;
}

static enum cor_status is_fixed(struct cor_temporal_watch *watch, bool *fixed) {
    const enum cor_temporal_value verdict = cor_temporal_verdict(watch);
    if (verdict != COR_TEMPORAL_UNKNOWN)
        return ask(watch, verdict == COR_TEMPORAL_HOLDS ? watch->worst : watch->best, TEMPORAL__FIXED,
                   TEMPORAL__NOT_FIXED, fixed);
    COR_TRY(ask(watch, watch->worst, TEMPORAL__SETTLED, TEMPORAL__NOT_SETTLED, fixed));
    return *fixed ? ask(watch, watch->best, TEMPORAL__SETTLED, TEMPORAL__NOT_SETTLED, fixed) : COR_OK;
}

/* A step of which not all was seen before. */
static enum cor_status step(struct cor_temporal_watch *watch, uint64_t holds, uint64_t unknown) {
    struct temporal__machine *machine = &watch->machine;
    const struct temporal__input worst = {holds, machine->mask & ~holds & ~unknown};
    const struct temporal__input best = {holds | unknown, machine->mask & ~holds};
    machine->remainders.work = 0;
    COR_TRY(temporal__machine_tidy(machine, &watch->worst, &watch->best));
    const bool is_one = watch->worst == watch->best && unknown == 0;
    COR_TRY(temporal__machine_move(machine, watch->worst, worst, &watch->worst));
    if (!is_one)
        COR_TRY(temporal__machine_move(machine, watch->best, best, &watch->best));
    else
        watch->best = watch->worst;
    bool fixed;
    COR_TRY(is_fixed(watch, &fixed));
    if (fixed)
        watch->decided_at = watch->length - 1;
    return COR_OK;
}

enum cor_status cor_temporal_step(struct cor_temporal_watch *watch, const uint8_t *conditions,
                                  struct cor_error *error) {
    struct temporal__machine *machine = &watch->machine;
    const struct cor_temporal *formula = machine->formula;
    watch->length++;
    if (watch->decided_at != COR_TEMPORAL_OPEN)
        return COR_OK;
    COR_ASSERT(machine->remainders.status == COR_OK);
    uint64_t holds = 0, unknown = 0;
    for (uint32_t i = 0; i < formula->condition_count; i++) {
        const uint8_t value = conditions[formula->conditions[i]];
        COR_ASSERT(value <= COR_TEMPORAL_UNKNOWN);
        holds |= (uint64_t)(value & 1) << i;
        unknown |= (uint64_t)(value >> 1) << i;
    }
    /* Nothing is unknown, and the move was made before: most steps. */
    if (unknown == 0 && watch->worst == watch->best) {
        const struct temporal__input input = {holds, machine->mask & ~holds};
        const struct temporal__move *move =
            &machine->moves[temporal__move_slot(machine, watch->worst, input)];
        if (move->from != 0 && (machine->facts[move->to] & TEMPORAL__NOT_FIXED)) {
            watch->worst = watch->best = move->to;
            return COR_OK;
        }
    }
    enum cor_status status = step(watch, holds, unknown);
    if (status != COR_OK && error)
        *error = machine->remainders.error;
    return status;
}

enum cor_temporal_value cor_temporal_verdict(const struct cor_temporal_watch *watch) {
    if (is_true_at_end(&watch->machine, watch->worst))
        return COR_TEMPORAL_HOLDS;
    return is_true_at_end(&watch->machine, watch->best) ? COR_TEMPORAL_UNKNOWN : COR_TEMPORAL_VIOLATED;
}

uint64_t cor_temporal_decided_at(const struct cor_temporal_watch *watch) {
    return watch->decided_at;
}

enum cor_status cor_temporal_distance(struct cor_temporal_watch *watch,
                                      const struct cor_temporal_degrees *degrees, uint32_t left,
                                      struct cor_temporal_distance *distance, struct cor_error *error) {
    const bool holds = is_true_at_end(&watch->machine, watch->worst);
    if (watch->decided_at == COR_TEMPORAL_OPEN)
        return temporal__distance(&watch->reaches, &watch->machine, watch->worst, degrees, left, distance,
                                  error);
    *distance = (struct cor_temporal_distance){holds ? 0 : COR_TEMPORAL_NEVER, 0};
    return COR_OK;
}

/* ---- how far a formula is from holding: over the decision diagram that a state of the machine is. The way
 * is that of search-based testing, an approach level with a branch distance behind it (Wegener, Baresel and
 * Sthamer, Evolutionary test environment for automatic structural testing, 2001): states that have to come,
 * then how far the conditions of the last state were from what they ask of the next one */

/* Of a node at a position that is there, itself counted; of a remainder, of the states to come. */
struct temporal__reach {
    uint32_t least; /* no fewer suffice, whatever they are */
    uint32_t states;
    double degree;
};

#define FAR COR_TEMPORAL_NEVER

static const struct temporal__reach none = {FAR, FAR, 0}, done = {0, 0, 0}, here = {1, 1, 0};

struct asking {
    const struct temporal__machine *machine;
    struct temporal__reaches *reaches;
    const struct cor_temporal_degrees *degrees;
    const uint32_t *words; /* of the state */
    uint32_t left;
};

static uint32_t plus(uint32_t a, uint32_t b) {
    return a > FAR - b ? FAR : a + b;
}

static uint32_t greatest(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static struct temporal__reach both(struct temporal__reach a, struct temporal__reach b) {
    return (struct temporal__reach){greatest(a.least, b.least), greatest(a.states, b.states),
                                    a.degree + b.degree};
}

/* The nearer of two. */
static struct temporal__reach either(struct temporal__reach a, struct temporal__reach b) {
    const bool is_first = a.states < b.states || (a.states == b.states && a.degree <= b.degree);
    const uint32_t sure = least(a.least, b.least);
    struct temporal__reach nearer = is_first ? a : b;
    nearer.least = sure;
    return nearer;
}

/* until: the right side in the first state of the window, and the left one on the way there. */
static struct temporal__reach until(struct temporal__reach left, struct temporal__reach right, uint32_t low) {
    const uint32_t way = low > 0 ? plus(left.least, low - 1) : 0;
    return (struct temporal__reach){greatest(plus(right.least, low), way), plus(right.states, low),
                                    right.degree + (low > 0 ? left.degree : 0)};
}

/* release: the right side through all of the window, or until the trace ends, which may be at once; or the
 * left one here. */
static struct temporal__reach release(const struct asking *asking, struct temporal__reach left,
                                      struct temporal__reach right, uint32_t low, uint32_t high) {
    const uint32_t through = high == TEMPORAL__UNBOUNDED ? asking->left : plus(right.states, high);
    const struct temporal__reach stays = {
        low > 0 ? 1 : right.least, right.states == FAR ? FAR : least(through, asking->left), right.degree};
    return either(low > 0 ? left : both(left, right), stays);
}

static struct temporal__reach reach_remainder(const struct asking *asking, uint32_t remainder);

/* A word of the past in the next state, from its cells. How it will be in later ones the cells do not say. */
static struct temporal__reach look_back(const struct asking *asking, const struct temporal__node *node,
                                        struct temporal__reach left, struct temporal__reach right) {
    const bool is_since = node->kind == TEMPORAL__KIND_SINCE;
    const bool is_unbounded = node->high == TEMPORAL__UNBOUNDED;
    const uint32_t *cells = asking->words + 1 + node->first;
    const uint32_t last = is_unbounded ? 1 : node->high;
    struct temporal__reach made = is_since ? none : here;
    for (uint32_t k = is_unbounded ? 0 : node->low; k <= last; k++) {
        struct temporal__reach cell = right;
        if (k > 0) {
            const struct temporal__reach before = reach_remainder(asking, cells[k - 1]);
            cell = is_since ? both(left, before) : either(left, before);
        }
        made = is_since ? either(made, cell) : both(made, cell);
    }
    made.least = 1;
    return made;
}

static struct temporal__reach reach_node(const struct asking *asking, uint32_t index) {
    const struct cor_temporal *formula = asking->machine->formula;
    const struct temporal__node *node = &formula->nodes[index];
    const struct temporal__reach left = asking->reaches->of_node[node->left],
                                 right = asking->reaches->of_node[node->right];
    switch (node->kind) {
    case TEMPORAL__KIND_FALSE:
        return none;
    case TEMPORAL__KIND_YES:
        return (struct temporal__reach){1, 1, asking->degrees[formula->conditions[node->first]].of};
    case TEMPORAL__KIND_NO:
        return (struct temporal__reach){1, 1, asking->degrees[formula->conditions[node->first]].of_denial};
    case TEMPORAL__KIND_AND:
        return both(left, right);
    case TEMPORAL__KIND_OR:
        return either(left, right);
    case TEMPORAL__KIND_UNTIL:
        return until(left, right, node->low);
    case TEMPORAL__KIND_RELEASE:
        return release(asking, left, right, node->low, node->high);
    case TEMPORAL__KIND_SINCE:
    case TEMPORAL__KIND_TRIGGER:
        return look_back(asking, node, left, right);
    default:
        return here;
    }
}

static struct temporal__reach reach_obligation(const struct asking *asking,
                                               const struct temporal__obligation *obligation) {
    const struct temporal__node *node = &asking->machine->formula->nodes[obligation->node];
    const struct temporal__reach left = asking->reaches->of_node[node->left],
                                 right = asking->reaches->of_node[node->right];
    if (node->kind == TEMPORAL__KIND_UNTIL)
        return until(left, right, obligation->low);
    struct temporal__reach stays = release(asking, left, right, obligation->low, obligation->high);
    stays.least = 0; /* where the trace ends it is kept */
    return stays;
}

static struct temporal__reach reach_remainder(const struct asking *asking, uint32_t remainder) {
    struct temporal__reaches *reaches = asking->reaches;
    if (remainder <= TEMPORAL__REMAINDER_TRUE)
        return remainder == TEMPORAL__REMAINDER_TRUE ? done : none;
    if (reaches->stamps[remainder] == reaches->step)
        return reaches->of_remainder[remainder];
    const struct temporal__choice choice = asking->machine->remainders.choices[remainder];
    const struct temporal__reach met =
        both(reach_obligation(asking, &asking->machine->formula->obligations[choice.obligation]),
             reach_remainder(asking, choice.met));
    const struct temporal__reach made = either(met, reach_remainder(asking, choice.unmet));
    reaches->stamps[remainder] = reaches->step;
    reaches->of_remainder[remainder] = made;
    return made;
}

static enum cor_status make_room(struct temporal__reaches *reaches, const struct temporal__machine *machine,
                                 struct cor_error *error) {
    const size_t room = machine->remainders.count, had = reaches->stamp_capacity;
    if (!reaches->of_node)
        COR_TRY(cor_made(
            reaches->of_node = cor_calloc(machine->formula->node_count, sizeof *reaches->of_node), error));
    COR_TRY(COR_RESERVE(&reaches->of_remainder, &reaches->capacity, room, error));
    COR_TRY(COR_RESERVE(&reaches->stamps, &reaches->stamp_capacity, room, error));
    if (reaches->stamp_capacity > had)
        memset(reaches->stamps + had, 0, (reaches->stamp_capacity - had) * sizeof *reaches->stamps);
    if (++reaches->step == 0) {
        memset(reaches->stamps, 0, reaches->stamp_capacity * sizeof *reaches->stamps);
        reaches->step = 1;
    }
    return COR_OK;
}

/* How far a state of the machine is from holding; see cor_temporal_distance. */
static enum cor_status temporal__distance(struct temporal__reaches *reaches,
                                          const struct temporal__machine *machine, uint32_t state,
                                          const struct cor_temporal_degrees *degrees, uint32_t left,
                                          struct cor_temporal_distance *distance, struct cor_error *error) {
    const uint32_t *words = machine->words + (size_t)state * machine->width;
    const struct asking asking = {machine, reaches, degrees, words, left};
    COR_TRY(make_room(reaches, machine, error));
    for (uint32_t i = 0; i < machine->formula->node_count; i++)
        reaches->of_node[i] = reach_node(&asking, i);
    const struct temporal__reach made = words[0] == TEMPORAL__BEFORE_THE_TRACE
                                            ? reaches->of_node[machine->formula->node_count - 1]
                                            : reach_remainder(&asking, words[0]);
    const bool holds_at_end = (machine->facts[state] & TEMPORAL__AT_END) != 0;
    *distance = (struct cor_temporal_distance){least(made.states, left), made.degree};
    if (made.least > left && !holds_at_end)
        *distance = (struct cor_temporal_distance){FAR, 0};
    return COR_OK;
}

/* idempotent */
static void reaches_fini(struct temporal__reaches *reaches) {
    free(reaches->of_node);
    free(reaches->of_remainder);
    free(reaches->stamps);
    *reaches = (struct temporal__reaches){0};
}
