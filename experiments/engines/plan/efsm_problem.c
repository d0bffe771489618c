/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/astar.h>
#include <corridor/efsm_bound.h>
#include <corridor/efsm_inputs.h>
#include <corridor/efsm_problem.h>
#include <corridor/hash.h>
#include <corridor/routine.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number of so many bytes at a place of the packed form, stored less `low`. */
struct field {
    int64_t low;
    size_t at, size;
};

/* The transitions of a site that each of its vectors may enable in some state: guards are mostly about
 * parameters, and these are known before. */
struct tries {
    uint32_t *first, *transitions; /* owned; [vector + 1], and the transitions one vector behind the other */
    unsigned char *inputs;         /* owned; [vector][input_size]: packed; of several kinds of inputs */
};

struct cor_efsm_problem {
    struct cor_planning_problem seen;
    const struct cor_efsm *model;
    uint64_t *after, *denied; /* owned; as planners see them */
    uint32_t *way_of;         /* owned; likewise */
    const struct cor_efsm_goal *goal;
    struct cor_efsm_site *sites;   /* owned; by location, then by label */
    uint32_t *first_site;          /* owned; [location + 1] */
    struct tries *tries;           /* owned; [site] */
    uint32_t *first_trap, *traps;  /* owned; [transition + 1], and the traps on each transition */
    uint32_t *last_number, *lasts; /* owned; [transition] 1 + number of those that a trap wants before it,
                                      0: of the others; [number] transition */
    uint32_t last_count, site_count;
    uint32_t resets; /* allowed; counted in `used` unless any number is */
    struct field location, last, label, used;
    struct field fields[COR_EFSM_VARIABLES_MAX]; /* [variable]: in states; of parameters in inputs */
    uint64_t *slots; /* owned; while expanding: the number of the expansion, and 1 + input; of others: free */
    size_t slot_capacity;
    uint32_t expansions; /* of sites, by which slots are told apart */
    uint64_t *hits;      /* owned; while expanding */
    /* The transitions as straight-line code. */
    struct cor_routine routine;
    struct cor_part *parts; /* owned; [transition] guard, updates and arguments of outputs; NULL: they take
                               too many cells */
    uint16_t *results;      /* owned; cells of what the parts assign, transition by transition */
    uint32_t *first_result; /* owned; [transition] */
    int64_t *cells; /* owned; while expanding: the values of the variables, and those of the routine */
    bool is_partial;
};

static struct field field_of(int64_t low, int64_t high, size_t *end) {
    const uint64_t span = (uint64_t)high - (uint64_t)low;
    struct field field = {low, *end, 0};
    for (uint64_t left = span; left > 0; left >>= 8)
        field.size++;
    *end += field.size;
    return field;
}

static void put(struct field field, int64_t value, unsigned char *bytes) {
    uint64_t left = (uint64_t)value - (uint64_t)field.low;
    if (field.size == 1) { /* which is most of them */
        bytes[field.at] = (unsigned char)left;
        return;
    }
    for (size_t i = 0; i < field.size; i++, left >>= 8)
        bytes[field.at + i] = (unsigned char)left;
}

static int64_t get(struct field field, const unsigned char *bytes) {
    uint64_t value = 0;
    for (size_t i = field.size; i-- > 0;)
        value = value << 8 | bytes[field.at + i];
    return (int64_t)(value + (uint64_t)field.low);
}

/* Where everything lies in states and inputs. An input has room for the parameters of one label. */
static void lay_out(struct cor_efsm_problem *p) {
    const struct cor_efsm *model = p->model;
    size_t end = 0;
    p->location = field_of(0, model->location_count - 1, &end);
    for (uint32_t v = 0; v < model->variable_count; v++)
        if (model->variables[v].kind == COR_EFSM_STATE)
            p->fields[v] = field_of(model->variables[v].low, model->variables[v].high, &end);
    p->last = field_of(0, p->last_count, &end);
    p->used = field_of(0, p->resets == COR_RESETS_ANY ? 0 : p->resets, &end);
    p->seen.state_size = end > 0 ? end : 1;
    p->seen.input_size = 1;
    for (uint32_t i = 0; i < model->input_count; i++) {
        end = 0;
        p->label = field_of(0, model->input_count - (p->resets == 0), &end);
        for (uint32_t a = 0; a < model->inputs[i].parameter_count; a++)
            field_of(model->variables[model->inputs[i].parameters[a]].low,
                     model->variables[model->inputs[i].parameters[a]].high, &end);
        p->seen.input_size = end > p->seen.input_size ? end : p->seen.input_size;
    }
}

void cor_efsm_problem_pack(const struct cor_efsm_problem *problem, uint32_t location, const int64_t *values,
                           uint32_t last, void *state) {
    memset(state, 0, problem->seen.state_size);
    put(problem->location, location, state);
    for (uint32_t v = 0; v < problem->model->variable_count; v++)
        if (problem->model->variables[v].kind == COR_EFSM_STATE)
            put(problem->fields[v], values[v], state);
    put(problem->last, last == COR_NONE ? 0 : problem->last_number[last], state);
}

void cor_efsm_problem_unpack(const struct cor_efsm_problem *problem, const void *state, uint32_t *location,
                             int64_t *values, uint32_t *last) {
    *location = (uint32_t)get(problem->location, state);
    for (uint32_t v = 0; v < problem->model->variable_count; v++)
        if (problem->model->variables[v].kind == COR_EFSM_STATE)
            values[v] = get(problem->fields[v], state);
    const int64_t number = get(problem->last, state);
    *last = number == 0 ? COR_NONE : problem->lasts[number - 1];
}

void cor_efsm_problem_start(const struct cor_efsm_problem *problem, void *state) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    cor_efsm_start(problem->model, values);
    cor_efsm_problem_pack(problem, problem->model->initial, values, COR_NONE, state);
}

/* The place of parameter `a` of the label, behind those before it. */
static struct field field_of_parameter(const struct cor_efsm_problem *p, const struct cor_efsm_label *label,
                                       uint32_t a, size_t *end) {
    const struct cor_efsm_variable *variable = &p->model->variables[label->parameters[a]];
    return field_of(variable->low, variable->high, end);
}

void cor_efsm_problem_pack_input(const struct cor_efsm_problem *problem, uint32_t label,
                                 const int64_t *values, void *input) {
    const struct cor_efsm_label *of = &problem->model->inputs[label];
    size_t end = problem->label.at + problem->label.size;
    memset(input, 0, problem->seen.input_size);
    put(problem->label, label, input);
    for (uint32_t a = 0; a < of->parameter_count; a++)
        put(field_of_parameter(problem, of, a, &end), values[of->parameters[a]], input);
}

void cor_efsm_problem_unpack_input(const struct cor_efsm_problem *problem, const void *input, uint32_t *label,
                                   int64_t *values) {
    *label = (uint32_t)get(problem->label, input);
    const struct cor_efsm_label *of = &problem->model->inputs[*label];
    size_t end = problem->label.at + problem->label.size;
    for (uint32_t a = 0; a < of->parameter_count; a++)
        values[of->parameters[a]] = get(field_of_parameter(problem, of, a, &end), input);
}

static void fill_inputs(struct cor_efsm_problem *p);

void cor_efsm_problem_allow_resets(struct cor_efsm_problem *problem, uint32_t most) {
    problem->resets = most;
    lay_out(problem); /* with a reset beside the inputs these have at most a byte more */
    fill_inputs(problem);
}

uint32_t cor_efsm_problem_resets(const struct cor_efsm_problem *problem) {
    return problem->resets;
}

bool cor_efsm_problem_is_reset(const struct cor_efsm_problem *problem, const void *input) {
    return get(problem->label, input) == problem->model->input_count;
}

void cor_efsm_problem_reset(const struct cor_efsm_problem *problem, const void *from, void *state) {
    const int64_t used = get(problem->used, from);
    cor_efsm_problem_start(problem, state);
    put(problem->used, problem->used.size == 0 ? 0 : used + 1, state);
}

void cor_efsm_problem_carry(const struct cor_efsm_problem *problem, const void *from, void *state) {
    put(problem->used, get(problem->used, from), state);
}

/* Expanding. */

/* cor_efsm_step, of the values in the cells, which are those of the state `from`: what is assigned is put
 * over its bytes. */
static bool step(struct cor_efsm_problem *p, uint32_t transition, const void *from, unsigned char *state) {
    const struct cor_efsm *model = p->model;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    if (!p->parts) {
        int64_t next[COR_EFSM_VARIABLES_MAX];
        if (!cor_efsm_step(model, transition, p->cells, next))
            return false;
        cor_efsm_problem_pack(p, t->target, next, transition, state);
        cor_efsm_problem_carry(p, from, state);
        return true;
    }
    if (!cor_routine_run(&p->routine, p->parts[transition], p->cells))
        return false;
    const uint16_t *result = p->results + p->first_result[transition];
    cor_copy_few(state, from, p->seen.state_size);
    put(p->location, t->target, state);
    put(p->last, p->last_number[transition], state);
    for (uint32_t u = 0; u < t->update_count; u++) {
        const struct cor_efsm_variable *variable = &model->variables[t->updates[u].variable];
        const int64_t value = p->cells[*result++];
        if (value < variable->low || value > variable->high)
            return false;
        put(p->fields[t->updates[u].variable], value, state);
    }
    for (uint32_t o = 0; o < t->output_count; o++) {
        const struct cor_efsm_label *label = &model->outputs[t->outputs[o].label];
        for (uint32_t a = 0; a < label->parameter_count; a++) {
            const struct cor_efsm_variable *variable = &model->variables[label->parameters[a]];
            const int64_t value = p->cells[*result++];
            if (value < variable->low || value > variable->high)
                return false;
        }
    }
    return true;
}

/* One input, if anything is enabled. */
static enum cor_status try_input(struct cor_efsm_problem *p, uint32_t vector, const struct tries *tries,
                                 const void *from, uint32_t last, struct cor_expansion *expansion,
                                 struct cor_error *error) {
    const int64_t *values = p->cells;
    unsigned char state[COR_EFSM_VARIABLES_MAX * 8 + 24];
    bool any = false;
    for (uint32_t i = tries->first[vector]; i < tries->first[vector + 1]; i++) {
        const uint32_t t = tries->transitions[i];
        if (!step(p, t, from, state))
            continue;
        if (!any) {
            COR_TRY(
                cor_expansion_input(&p->seen, expansion, tries->inputs + vector * p->seen.input_size, error));
            any = true;
        }
        /* The traps that the transition hits from these values, `last` before it. */
        for (uint32_t w = 0; w < p->seen.trap_words; w++)
            p->hits[w] = 0;
        for (uint32_t j = p->first_trap[t]; j < p->first_trap[t + 1]; j++) {
            const struct cor_efsm_trap *trap = &p->goal->traps[p->traps[j]];
            if ((trap->previous == COR_NONE || trap->previous == last) &&
                (trap->constraint.node_count == 0 || cor_expression_holds(&trap->constraint, values)))
                cor_trap_add(p->hits, p->traps[j]);
        }
        COR_TRY(cor_expansion_outcome(&p->seen, expansion, (struct cor_expanded_outcome){t, NAN}, state,
                                      p->hits, error));
    }
    return COR_OK;
}

static bool have_equal_effect(const struct cor_efsm_problem *p, const struct cor_expansion *e, uint32_t a,
                              uint32_t b) {
    const uint32_t one = e->first[a], other = e->first[b], count = e->first[a + 1] - one;
    if (e->first[b + 1] - other != count)
        return false;
    for (uint32_t o = 0; o < count; o++)
        if (e->outcomes[one + o].label != e->outcomes[other + o].label)
            return false;
    const size_t size = p->seen.state_size, words = p->seen.trap_words;
    return memcmp(e->states + one * size, e->states + other * size, count * size) == 0 &&
           memcmp(e->hits + one * words, e->hits + other * words, count * words * sizeof *e->hits) == 0;
}

/* Takes back the newest input if one of the label from `first` on has the same effect. */
static void merge(struct cor_efsm_problem *p, struct cor_expansion *e, uint32_t slot_count) {
    const uint32_t input = e->input_count - 1;
    const uint32_t first = e->first[input], count = e->first[input + 1] - first;
    uint64_t hash = COR_HASH_SEED;
    for (uint32_t o = first; o < first + count; o++)
        hash = cor_hash_word(hash, e->outcomes[o].label);
    hash = cor_hash_bytes(hash, e->states + first * p->seen.state_size, count * p->seen.state_size);
    uint32_t slot = (uint32_t)cor_hash_bytes(hash, e->hits + (size_t)first * p->seen.trap_words,
                                             (size_t)count * p->seen.trap_words * sizeof *e->hits) &
                    (slot_count - 1);
    for (; p->slots[slot] >> 32 == p->expansions; slot = (slot + 1) & (slot_count - 1))
        if (have_equal_effect(p, e, (uint32_t)p->slots[slot] - 1, input)) {
            e->outcome_count = e->first[input];
            e->input_count--;
            return;
        }
    p->slots[slot] = (uint64_t)p->expansions << 32 | (input + 1);
}

#define FEW 16 /* inputs that are compared with each other */

/* Free slots for the inputs of a site; how many. */
static enum cor_status clear_slots(struct cor_efsm_problem *p, const struct cor_efsm_site *site,
                                   uint32_t *slot_count, struct cor_error *error) {
    const size_t before = p->slot_capacity;
    for (*slot_count = 1; *slot_count < 2 * site->vector_count;)
        *slot_count *= 2;
    COR_TRY(COR_RESERVE(&p->slots, &p->slot_capacity, *slot_count, error));
    memset(p->slots + before, 0, (p->slot_capacity - before) * sizeof *p->slots);
    if (++p->expansions == 0) { /* the numbers begin again */
        memset(p->slots, 0, p->slot_capacity * sizeof *p->slots);
        p->expansions = 1;
    }
    return COR_OK;
}

/* Beginning again, unless that is where it is. */
static enum cor_status add_reset(struct cor_efsm_problem *p, const void *from,
                                 struct cor_expansion *expansion, struct cor_error *error) {
    unsigned char input[COR_EFSM_VARIABLES_MAX * 8 + 8] = {0}, state[COR_EFSM_VARIABLES_MAX * 8 + 24];
    cor_efsm_problem_start(p, state);
    cor_efsm_problem_carry(p, from, state);
    if (memcmp(state, from, p->seen.state_size) == 0)
        return COR_OK;
    cor_efsm_problem_reset(p, from, state);
    put(p->label, p->model->input_count, input);
    memset(p->hits, 0, p->seen.trap_words * sizeof *p->hits);
    COR_TRY(cor_expansion_input(&p->seen, expansion, input, error));
    return cor_expansion_outcome(&p->seen, expansion, (struct cor_expanded_outcome){COR_NONE, 1}, state,
                                 p->hits, error);
}

static enum cor_status expand(void *self, const void *state, struct cor_expansion *expansion,
                              struct cor_error *error) {
    struct cor_efsm_problem *p = self;
    int64_t *values = p->cells;
    uint32_t location, last;
    cor_efsm_start(p->model, values);
    cor_efsm_problem_unpack(p, state, &location, values, &last);
    for (uint32_t i = p->first_site[location]; i < p->first_site[location + 1]; i++) {
        const struct cor_efsm_site *site = &p->sites[i];
        uint32_t slot_count = 1;
        if (site->vector_count > FEW)
            COR_TRY(clear_slots(p, site, &slot_count, error));
        const struct tries *tries = &p->tries[i];
        const uint32_t first = expansion->input_count;
        for (uint32_t v = 0; v < site->vector_count; v++) {
            const uint32_t before = expansion->input_count;
            if (tries->first[v] == tries->first[v + 1])
                continue;
            for (uint32_t a = 0; a < site->input->parameter_count; a++)
                values[site->input->parameters[a]] =
                    site->vectors[(size_t)v * site->input->parameter_count + a];
            COR_TRY(try_input(p, v, tries, state, last, expansion, error));
            if (expansion->input_count > before && site->vector_count > FEW)
                merge(p, expansion, slot_count);
            else if (expansion->input_count > before) { /* the same of few */
                const uint32_t input = expansion->input_count - 1;
                for (uint32_t other = first; other < input && expansion->input_count > input; other++)
                    if (have_equal_effect(p, expansion, other, input)) {
                        expansion->outcome_count = expansion->first[input];
                        expansion->input_count--;
                    }
            }
        }
    }
    return p->resets == 0 || (p->used.size > 0 && get(p->used, state) == p->resets)
               ? COR_OK
               : add_reset(p, state, expansion, error);
}

/* Making it. */

static enum cor_status make_sites(struct cor_efsm_problem *p, struct cor_error *error) {
    const struct cor_efsm *model = p->model;
    /* Each site has a transition of its own. */
    p->sites = cor_calloc(model->transition_count + 1, sizeof *p->sites);
    p->first_site = cor_calloc(model->location_count + 1, sizeof *p->first_site);
    if (!p->sites || !p->first_site)
        return cor_fail_memory(error);
    for (uint32_t l = 0; l < model->location_count; l++) {
        for (uint32_t i = 0; i < model->input_count; i++) {
            struct cor_efsm_site *site = &p->sites[p->site_count];
            uint32_t count = 0;
            for (uint32_t t = 0; t < model->transition_count; t++)
                count += model->transitions[t].source == l && model->transitions[t].input == i;
            if (count == 0)
                continue;
            p->site_count++;
            *site = (struct cor_efsm_site){.input = &model->inputs[i], .label = i};
            COR_TRY(cor_made(site->transitions = cor_calloc(count, sizeof *site->transitions), error));
            for (uint32_t t = 0; t < model->transition_count; t++)
                if (model->transitions[t].source == l && model->transitions[t].input == i)
                    site->transitions[site->transition_count++] = t;
            COR_TRY(cor_efsm_site_fill(model, p->goal, site, error));
            p->is_partial = p->is_partial || site->partial;
        }
        p->first_site[l + 1] = p->site_count;
    }
    return COR_OK;
}

/* For each vector, the transitions whose guard no range of the state variables excludes. */
static enum cor_status make_site_tries(const struct cor_efsm *model, const struct cor_efsm_site *site,
                                       size_t input_size, struct tries *tries, struct cor_error *error) {
    const uint32_t parameters = site->input->parameter_count;
    int64_t low[COR_EFSM_VARIABLES_MAX], high[COR_EFSM_VARIABLES_MAX];
    size_t capacity = 0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < model->variable_count; v++) {
        low[v] = model->variables[v].low;
        high[v] = model->variables[v].high;
    }
    tries->first = cor_calloc((size_t)site->vector_count + 1, sizeof *tries->first);
    tries->inputs = cor_calloc((size_t)site->vector_count + 1, input_size);
    if (!tries->first || !tries->inputs)
        return cor_fail_memory(error);
    for (uint32_t v = 0; v < site->vector_count; v++) {
        for (uint32_t a = 0; a < parameters; a++)
            low[site->input->parameters[a]] = high[site->input->parameters[a]] =
                site->vectors[(size_t)v * parameters + a];
        COR_TRY(COR_RESERVE(&tries->transitions, &capacity, (size_t)count + site->transition_count, error));
        for (uint32_t i = 0; i < site->transition_count; i++) {
            const uint32_t t = site->transitions[i];
            if (cor_expression_decide(&model->transitions[t].guard, low, high) != COR_DECISION_NEVER)
                tries->transitions[count++] = t;
        }
        tries->first[v + 1] = count;
    }
    return COR_OK;
}

/* The vectors of each site as inputs. */
static void fill_inputs(struct cor_efsm_problem *p) {
    int64_t values[COR_EFSM_VARIABLES_MAX];
    for (uint32_t i = 0; i < p->site_count; i++) {
        const struct cor_efsm_site *site = &p->sites[i];
        for (uint32_t v = 0; v < site->vector_count; v++) {
            for (uint32_t a = 0; a < site->input->parameter_count; a++)
                values[site->input->parameters[a]] =
                    site->vectors[(size_t)v * site->input->parameter_count + a];
            cor_efsm_problem_pack_input(p, site->label, values, p->tries[i].inputs + v * p->seen.input_size);
        }
    }
}

static enum cor_status add_part(struct cor_efsm_problem *p, uint32_t transition, uint16_t **result,
                                struct cor_error *error) {
    const struct cor_efsm *model = p->model;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    struct cor_part *part = &p->parts[transition];
    *part = cor_routine_begin(&p->routine);
    p->first_result[transition] = (uint32_t)(*result - p->results);
    COR_TRY(cor_routine_add_constraint(&p->routine, &t->guard, part, error));
    for (uint32_t u = 0; u < t->update_count; u++)
        COR_TRY(cor_routine_add_value(&p->routine, &t->updates[u].value, part, (*result)++, error));
    for (uint32_t o = 0; o < t->output_count; o++)
        for (uint32_t a = 0; a < model->outputs[t->outputs[o].label].parameter_count; a++)
            COR_TRY(
                cor_routine_add_value(&p->routine, &t->outputs[o].arguments[a], part, (*result)++, error));
    return COR_OK;
}

/* Straight-line code of all transitions, if they do not take too many cells. */
static enum cor_status make_parts(struct cor_efsm_problem *p, struct cor_error *error) {
    const struct cor_efsm *model = p->model;
    size_t results = 0;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        results += model->transitions[t].update_count;
        for (uint32_t o = 0; o < model->transitions[t].output_count; o++)
            results += model->outputs[model->transitions[t].outputs[o].label].parameter_count;
    }
    p->parts = cor_calloc(model->transition_count, sizeof *p->parts);
    p->results = cor_calloc(results, sizeof *p->results);
    p->first_result = cor_calloc(model->transition_count, sizeof *p->first_result);
    if (!p->parts || !p->results || !p->first_result)
        return cor_fail_memory(error);
    COR_TRY(cor_routine_init(&p->routine, model->variable_count, error));
    uint16_t *result = p->results;
    for (uint32_t t = 0; t < model->transition_count && p->parts; t++) {
        struct cor_error tried = COR_NO_ERROR;
        const enum cor_status status = add_part(p, t, &result, &tried);
        if (status == COR_STATUS_MEMORY)
            return cor_fail_memory(error);
        if (status != COR_OK) {
            free(p->parts);
            p->parts = NULL;
        }
    }
    p->cells = cor_calloc(p->routine.cell_count + COR_EFSM_VARIABLES_MAX, sizeof *p->cells);
    COR_TRY(cor_made(p->cells, error));
    memcpy(p->cells, p->routine.cells, p->routine.cell_count * sizeof *p->cells);
    return COR_OK;
}

enum cor_status cor_efsm_problem_create(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                        struct cor_efsm_problem **problem, struct cor_error *error) {
    struct cor_efsm_problem *p = cor_calloc(1, sizeof *p);
    enum cor_status status = COR_OK;
    COR_TRY(cor_made(p, error));
    p->model = model;
    p->goal = goal;
    p->seen.self = p;
    p->seen.expand = expand;
    /* Which traps are on each transition, what each waits for, and which transitions one wants before it. */
    const uint32_t transitions = p->model->transition_count, traps = p->goal->trap_count + p->goal->way_count;
    size_t count = 0;
    for (uint32_t k = 0; k < traps; k++)
        count += p->goal->traps[k].transition_count;
    p->seen.trap_count = p->goal->trap_count;
    p->seen.way_count = p->goal->way_count;
    p->seen.trap_words = cor_trap_words(traps);
    p->first_trap = cor_calloc(transitions + 1, sizeof *p->first_trap);
    p->traps = cor_calloc(count, sizeof *p->traps);
    p->after = cor_calloc((size_t)traps * p->seen.trap_words, sizeof *p->after);
    p->denied = cor_calloc((size_t)traps * p->seen.trap_words, sizeof *p->denied);
    p->way_of = cor_calloc(p->goal->way_count, sizeof *p->way_of);
    p->hits = cor_calloc(p->seen.trap_words, sizeof *p->hits);
    p->last_number = cor_calloc(transitions, sizeof *p->last_number);
    p->lasts = cor_calloc(transitions, sizeof *p->lasts);
    if (!p->first_trap || !p->traps || !p->after || !p->denied || !p->way_of || !p->hits || !p->last_number ||
        !p->lasts)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t t = 0; t < transitions; t++) {
        p->first_trap[t + 1] = p->first_trap[t];
        for (uint32_t k = 0; k < traps; k++) {
            const struct cor_efsm_trap *trap = &p->goal->traps[k];
            bool is_on = false;
            for (uint32_t j = 0; j < trap->transition_count && !is_on; j++)
                is_on = trap->transitions[j] == t;
            if (is_on)
                p->traps[p->first_trap[t + 1]++] = k;
        }
    }
    for (uint32_t k = 0; k < traps; k++) {
        const struct cor_efsm_trap *trap = &p->goal->traps[k];
        for (uint32_t a = 0; a < trap->after_count; a++)
            cor_trap_add(p->after + (size_t)k * p->seen.trap_words, trap->after[a]);
        for (uint32_t d = 0; d < trap->denied_count; d++)
            cor_trap_add(p->denied + (size_t)k * p->seen.trap_words, trap->denied[d]);
        if (k >= p->goal->trap_count)
            p->way_of[k - p->goal->trap_count] = trap->way_of;
        if (trap->previous == COR_NONE || p->last_number[trap->previous] != 0)
            continue;
        p->lasts[p->last_count++] = trap->previous;
        p->last_number[trap->previous] = p->last_count;
    }
    p->seen.after = p->after;
    p->seen.denied = p->goal->denies ? p->denied : NULL;
    p->seen.way_of = p->way_of;
    lay_out(p);
    COR_TRY_OUT(make_sites(p, error));
    COR_TRY_OUT(cor_made(p->tries = cor_calloc((size_t)p->site_count + 1, sizeof *p->tries), error));
    for (uint32_t i = 0; i < p->site_count; i++)
        COR_TRY_OUT(make_site_tries(p->model, &p->sites[i], p->seen.input_size + 1, &p->tries[i], error));
    fill_inputs(p);
    COR_TRY_OUT(make_parts(p, error));
    *problem = p;
    p = NULL;
out:
    cor_efsm_problem_destroy(p);
    return status;
}

void cor_efsm_problem_destroy(struct cor_efsm_problem *problem) {
    if (!problem)
        return;
    for (uint32_t i = 0; i < problem->site_count; i++) {
        cor_efsm_site_fini(&problem->sites[i]);
        if (problem->tries) {
            COR_FREE(problem->tries[i].first, problem->tries[i].transitions, problem->tries[i].inputs);
        }
    }
    COR_FREE(problem->tries, problem->after, problem->denied, problem->way_of, problem->sites,
             problem->first_site, problem->first_trap, problem->traps, problem->last_number, problem->lasts);
    cor_routine_fini(&problem->routine);
    COR_FREE(problem->parts, problem->results, problem->first_result, problem->cells, problem->slots,
             problem->hits, problem);
}

const struct cor_planning_problem *cor_efsm_planning_problem(const struct cor_efsm_problem *problem) {
    return &problem->seen;
}

bool cor_efsm_problem_is_partial(const struct cor_efsm_problem *problem) {
    return problem->is_partial;
}

/* ---- the state equation of a model as a guide */

struct efsm_guide {
    struct cor_guide head;
    const struct cor_efsm_problem *problem;
    struct cor_efsm_bound *bound; /* owned */
};

static enum cor_status bound(void *self, const void *state, const uint64_t *covered, uint32_t *moves,
                             struct cor_error *error) {
    const struct efsm_guide *g = self;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t location, last;
    cor_efsm_problem_unpack(g->problem, state, &location, values, &last);
    return cor_efsm_bound_moves(g->bound, location, values, covered, moves, error);
}

static bool follow(void *self, const void *from, const uint64_t *from_covered, const void *input,
                   uint32_t label, const void *state, const uint64_t *covered) {
    const struct efsm_guide *g = self;
    int64_t values[COR_EFSM_VARIABLES_MAX], inputs[COR_EFSM_VARIABLES_MAX], next[COR_EFSM_VARIABLES_MAX];
    uint32_t location, target, last, input_label;
    if (cor_efsm_problem_is_reset(g->problem, input)) /* the equation knows none */
        return false;
    cor_efsm_problem_unpack(g->problem, from, &location, values, &last);
    cor_efsm_problem_unpack(g->problem, state, &target, next, &last);
    cor_efsm_problem_unpack_input(g->problem, input, &input_label, inputs);
    return cor_efsm_bound_follow(g->bound, location, values, from_covered, label, inputs, next, covered);
}

static void spent(const void *self, uint64_t *questions, double *seconds) {
    const struct efsm_guide *g = self;
    const struct cor_solver_statistics statistics = cor_efsm_bound_statistics(g->bound);
    const struct cor_question_count sum = cor_solver_statistics_sum(&statistics);
    *questions = sum.asked;
    *seconds = sum.seconds;
}

enum cor_status cor_efsm_guide_create(const struct cor_efsm_problem *problem, const struct cor_efsm *model,
                                      const struct cor_efsm_goal *goal, struct cor_guide **guide,
                                      struct cor_error *error) {
    struct efsm_guide *g = cor_calloc(1, sizeof *g);
    *guide = NULL;
    COR_TRY(cor_made(g, error));
    g->head = (struct cor_guide){.self = g, .bound = bound, .follow = follow, .spent = spent};
    g->problem = problem;
    const enum cor_status status = cor_efsm_bound_create(model, goal, &g->bound, error);
    if (status != COR_OK) {
        free(g);
        return status;
    }
    *guide = &g->head;
    return COR_OK;
}

void cor_efsm_guide_destroy(struct cor_guide *guide) {
    if (!guide)
        return;
    struct efsm_guide *g = guide->self;
    cor_efsm_bound_destroy(g->bound);
    free(g);
}
