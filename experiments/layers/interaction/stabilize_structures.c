/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts from any structure: which there are, and what comes of a run from one. */
#include "internal.h"
#include "loop.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/course.h>
#include <corridor/hash.h>
#include <corridor/stabilize_structures.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N COR_STABILIZE_AGENTS_MAX
#define WITHIN_USUAL 3
#define STAYS_USUAL 20
#define CASES_MOST 10000
#define STATES_USUAL 20000000
#define SETTLING 1000 /* cases in which values may come to rest; and, in the end, sleep is waited for */
#define WEATHERS_MOST 65536
#define LOOKED_AT 200000    /* structures, for one that is inside in a weather, where they are more than .. */
#define KEPT_SEQUENCES 16   /* from which kept bytes are taken; */
#define KEPT_FIRST 3000000u /* the first of them */
#define KEPT_BYTES 65536u   /* of each, at most */
#define DRAWS_MOST 200000   /* of parameters, for so many agents; of a start, for so few that are wrong */

/* ---- "stabilize" in the file */

static const char *const structure_words[] = {"any", "own", NULL};

static const char *const kept_words[] = {"none", "mixed", NULL};

static const struct cor_field corrupt_fields[] = {
    {"structure", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct cor_structures_asked, is_own, structure_words, 0, "structure")},
    {"values", COR_OPTIONAL, COR_BOOL_FIELD(struct cor_structures_asked, values)},
    {"kept", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct cor_structures_asked, has_kept, kept_words, 0, "kept bytes")},
    {"agents", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_structures_asked, wrong, 1, N)},
    {0}};
static const struct cor_field within_fields[] = {
    {"cases", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_structures_asked, within, 1, CASES_MOST)}, {0}};
static const struct cor_field sample_fields[] = {
    {"share", COR_OPTIONAL, COR_REAL_FIELD(struct cor_structures_asked, share, 0.5, 0.9999)},
    {"error", COR_OPTIONAL, COR_REAL_FIELD(struct cor_structures_asked, error, 1e-9, 0.2)},
    {0}};

static enum cor_status read_corrupt(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_structures_asked *asked = into;
    COR_TRY(cor_json_fields(json, corrupt_fields, into, error));
    return asked->is_own && !asked->values && !asked->has_kept
               ? cor_json_fail(json, error,
                               "\"structure\": \"any\", \"values\": true, or \"kept\": \"mixed\"",
                               "corrupts nothing")
               : COR_OK;
}

static enum cor_status read_within(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_fields(json, within_fields, into, error);
}

static enum cor_status read_sample(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_structures_asked *asked = into;
    asked->is_sampled = true;
    return cor_json_is_object(json) ? cor_json_fields(json, sample_fields, into, error)
                                    : cor_json_bool(json, &asked->is_sampled, error);
}

static const struct cor_field asked_fields[] = {
    {"corrupt", COR_OPTIONAL, COR_READ_FIELD(read_corrupt)},
    {"within", COR_OPTIONAL, COR_READ_FIELD(read_within)},
    {"stays", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_structures_asked, stays, 1, CASES_MOST)},
    {"states", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_structures_asked, states_most, 1, 1000000000)},
    {"sample", COR_OPTIONAL, COR_READ_FIELD(read_sample)},
    {0}};

enum cor_status cor_structures_asked_read(const struct cor_experiment *experiment,
                                          struct cor_structures_asked *asked, struct cor_error *error) {
    struct cor_json json;
    *asked = (struct cor_structures_asked){.within = WITHIN_USUAL,
                                           .stays = STAYS_USUAL,
                                           .states_most = STATES_USUAL,
                                           .share = 0.99,
                                           .error = 0.01};
    return cor_json_find(&experiment->root, "stabilize", &json)
               ? cor_json_fields(&json, asked_fields, asked, error)
               : COR_OK;
}

/* ---- structures by numbers */

/* Ways to put the agents that are left, by how many these are and how many partitions there are: restricted
 * growth strings, in whose order structures are numbered. */
struct growth {
    uint64_t ways[N + 1][N + 2];
};

static void count_ways(struct growth *growth, uint32_t agents) {
    for (uint32_t used = 0; used <= agents + 1; used++)
        growth->ways[0][used] = 1;
    for (uint32_t left = 1; left <= agents; left++)
        for (uint32_t used = 0; used + left <= agents; used++)
            growth->ways[left][used] = used * growth->ways[left - 1][used] + growth->ways[left - 1][used + 1];
}

static void structure_at(const struct growth *growth, uint32_t agents, uint64_t number, uint8_t *label) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < agents; i++) {
        const uint64_t each = growth->ways[agents - 1 - i][used];
        uint64_t joins = each > 0 ? number / each : 0;
        joins = joins < used ? joins : used;
        number -= joins * each;
        label[i] = (uint8_t)joins;
        used += joins == used;
    }
}

/* ---- what is fixed */

/* A weather, and what it has led the agents to. */
struct weather {
    uint8_t *chains; /* owned; [chain] its state */
    uint8_t state[N];
    double value[N];
    uint8_t level[N];   /* the one that is nearest to its value */
    double *attributes; /* owned; [attribute][agent] */
    uint8_t inside[N];  /* the first structure that is inside */
    bool is_settled;    /* the next case changes nothing */
};

/* What an algorithm may have kept. */
struct kept {
    unsigned char *bytes; /* owned */
    uint32_t size;
    const char *how; /* it came about, by the number of a sequence */
    uint32_t sequence;
};

struct cor_starts {
    struct cor_structures_asked asked;
    struct cor_arm arm;      /* that of the experiment, with a walk that is given */
    struct cor_suite *suite; /* owned; whose configuration has the start that was taken last */
    struct growth growth;
    uint32_t agents;
    uint8_t own[N];          /* the structure of the suite */
    uint32_t state_count[N]; /* [agent] */
    const struct cor_effect *effect[N];
    struct weather *weathers; /* owned; those that are not set aside */
    size_t weather_capacity;
    uint32_t weather_count, set_aside, unsettled;
    struct kept kept[1 + 2 * KEPT_SEQUENCES]; /* the first is nothing */
    uint32_t kept_count;
    uint64_t structures;
    double numbers;
    uint32_t waits; /* cases on end for which something outside may be quiet */
    bool draws, is_open;
    bool is_unwalled; /* somebody else's algorithm, and no cell is around it */
};

/* How many structures are looked at for one that is inside: all that a question without a sample would go
 * through. */
static uint64_t looked_at(const struct cor_starts *s) {
    const uint64_t all = s->growth.ways[s->agents][0];
    return all <= LOOKED_AT || all <= s->asked.states_most ? all : LOOKED_AT;
}

struct cor_starts_size cor_starts_size(const struct cor_starts *s) {
    return (struct cor_starts_size){.agents = s->agents,
                                    .structures = s->structures,
                                    .weathers = s->weather_count + s->set_aside,
                                    .set_aside = s->set_aside,
                                    .saw_all = looked_at(s) == s->growth.ways[s->agents][0],
                                    .unsettled = s->unsettled,
                                    .kept = s->kept_count,
                                    .numbers = s->numbers,
                                    .draws = s->draws};
}

void cor_starts_destroy(struct cor_starts *s) {
    if (!s)
        return;
    for (uint32_t w = 0; w < s->weather_count; w++) {
        free(s->weathers[w].chains);
        free(s->weathers[w].attributes);
    }
    for (uint32_t k = 0; k < s->kept_count; k++)
        free(s->kept[k].bytes);
    free(s->weathers);
    cor_suite_destroy(s->suite);
    free(s);
}

/* Makes the start that of the suite. */
static enum cor_status take_start(const struct cor_starts *s, const struct cor_structure_start *start,
                                  struct cor_error *error) {
    struct cor_configuration *c = s->suite->configuration;
    const struct weather *weather = &s->weathers[start->weather];
    struct cor_walk *walk = &s->suite->recorded[0];
    c->initial_partitions = 0;
    for (uint32_t i = 0; i < s->agents; i++) {
        const uint32_t partition = start->label[i];
        c->initial_partition[i] = partition;
        c->initial_partitions = partition >= c->initial_partitions ? partition + 1 : c->initial_partitions;
        c->initial_state[i] = s->asked.values ? start->state[i] : weather->state[i];
        c->initial_value[i] = s->asked.values ? s->effect[i]->level[start->level[i]] : weather->value[i];
    }
    for (uint32_t a = 0; a < c->attribute_count; a++) {
        struct cor_agent_attribute *attribute = &c->attributes[a];
        for (uint32_t i = 0; i < s->agents; i++) {
            const struct cor_attribute_rule *rule = &attribute->rules[c->type[i]];
            double **levels = rule->source == COR_ATTRIBUTE_LEVEL && s->asked.values ? rule->level : NULL;
            const size_t profile = (size_t)(s->effect[i] - c->effects) % c->profile_count;
            if (rule->source != COR_ATTRIBUTE_COMPUTED)
                attribute->initial[i] =
                    levels ? levels[profile][start->level[i]] : weather->attributes[a * s->agents + i];
        }
    }
    for (uint32_t k = 0; k <= walk->case_count; k++)
        memcpy(walk->states + (size_t)k * c->chain_count, weather->chains, c->chain_count);
    return s->kept_count > 1
               ? cor_configuration_set_kept(c, s->kept[start->kept].bytes, s->kept[start->kept].size, error)
               : COR_OK;
}

/* Does the structure keep to the limits that the algorithm promises to keep? */
static bool keeps_limits(const struct cor_starts *s, const uint8_t *label) {
    const struct cor_configuration *c = s->suite->configuration;
    uint32_t sizes[N] = {0}, count = 0;
    if (!(s->arm.algorithm->capabilities & COR_LIMITS))
        return true;
    for (uint32_t i = 0; i < s->agents; i++)
        count += sizes[label[i]]++ == 0;
    for (uint32_t b = 0; b < count; b++)
        if (sizes[b] < c->limits.size_min || sizes[b] > c->limits.size_max)
            return false;
    return count >= c->limits.count_min && count <= c->limits.count_max;
}

/* Looks for a structure that is inside in the weather, which is the last one. Where these are not all, every
 * so-manyth: the first ones have nearly all agents in one partition. */
static enum cor_status find_inside(struct cor_starts *s, bool *found, struct cor_error *error) {
    struct weather *weather = &s->weathers[s->weather_count - 1];
    const uint64_t most = looked_at(s), step = s->growth.ways[s->agents][0] / most;
    struct cor_structure_start start = {.weather = s->weather_count - 1};
    const bool values = s->asked.values;
    *found = false;
    for (uint64_t number = 0; number < most && !*found; number++) {
        enum cor_inside inside;
        structure_at(&s->growth, s->agents, number * step, start.label);
        if (!keeps_limits(s, start.label))
            continue;
        s->asked.values = false; /* those to which the weather leads */
        const enum cor_status status = take_start(s, &start, error);
        s->asked.values = values;
        COR_TRY(status);
        COR_TRY(cor_suite_start(s->suite, &inside, error));
        *found = inside == COR_INSIDE_INSIDE || inside == COR_INSIDE_EDGE;
    }
    memcpy(weather->inside, start.label, sizeof weather->inside);
    return COR_OK;
}

/* Where the weather leads the agents, from the suite's own states. */
static enum cor_status settle(const struct cor_starts *s, struct weather *weather, struct cor_error *error) {
    const struct cor_configuration *c = s->suite->configuration;
    struct cor_state *state;
    COR_TRY(cor_state_create(c, &state, error));
    struct cor_stream_name name = s->suite->name;
    cor_state_restart(state, weather->chains);
    uint64_t before = 0, now = cor_state_hash(state);
    const bool draws = cor_state_draws(state);
    for (name.identity = 1; name.identity <= SETTLING && (draws || now != before); name.identity++) {
        cor_state_perceive(state, weather->chains, &name);
        before = now;
        now = cor_state_hash(state);
    }
    weather->is_settled = now == before;
    memcpy(weather->state, state->agent_state, s->agents);
    memcpy(weather->value, state->value, s->agents * sizeof *weather->value);
    for (uint32_t i = 0; i < s->agents; i++)
        for (uint32_t level = 1; level < s->state_count[i]; level++)
            if (fabs(s->effect[i]->level[level] - weather->value[i]) <
                fabs(s->effect[i]->level[weather->level[i]] - weather->value[i]))
                weather->level[i] = (uint8_t)level;
    const double *const *columns = cor_state_columns(state);
    for (uint32_t a = 0; a < c->attribute_count; a++)
        memcpy(weather->attributes + (size_t)a * s->agents, columns[1 + a],
               s->agents * sizeof *weather->attributes);
    cor_state_destroy(state);
    return COR_OK;
}

/* Do two states of a chain act alike on all who perceive it, making the same of every state of an agent?
 * Where several environments act together, each state is its own. */
static bool are_alike(const struct cor_configuration *c, uint32_t chain, uint32_t one, uint32_t other) {
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            const uint32_t own = cor_configuration_chain(c, c->type[i], g);
            const struct cor_effect *e = cor_configuration_effect(c, c->type[i], own);
            const size_t states = e->state_count;
            if (e->other_count > 0)
                return one == other;
            if (own != chain)
                continue;
            const size_t from = e->relevant[one] * states, to = e->relevant[other] * states;
            if (memcmp(e->next + from, e->next + to, states) != 0 ||
                (e->cumulative && memcmp(e->cumulative + from * states, e->cumulative + to * states,
                                         states * states * sizeof *e->cumulative) != 0))
                return one == other;
        }
    return true;
}

static enum cor_status add_weather(struct cor_starts *s, uint64_t number, const uint8_t *kinds,
                                   const uint32_t *counts, struct cor_error *error) {
    const struct cor_configuration *c = s->suite->configuration;
    COR_TRY(COR_RESERVE(&s->weathers, &s->weather_capacity, (size_t)s->weather_count + 1, error));
    struct weather *weather = &s->weathers[s->weather_count];
    *weather = (struct weather){
        .chains = cor_calloc(c->chain_count, 1),
        .attributes = cor_calloc((size_t)c->attribute_count * s->agents + 1, sizeof *weather->attributes)};
    s->weather_count++;
    COR_TRY(weather->chains && weather->attributes ? COR_OK : cor_fail_memory(error));
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        weather->chains[chain] = kinds[chain * (size_t)COR_PROFILE_STATES_MAX + number % counts[chain]];
        number /= counts[chain];
    }
    COR_TRY(settle(s, weather, error));
    bool found;
    COR_TRY(find_inside(s, &found, error));
    if (found) {
        s->unsettled += !weather->is_settled;
        return COR_OK;
    }
    free(weather->chains);
    free(weather->attributes);
    s->weather_count--;
    s->set_aside++;
    return COR_OK;
}

static enum cor_status go_through_weathers(struct cor_starts *s, struct cor_error *error) {
    const struct cor_configuration *c = s->suite->configuration;
    uint8_t *kinds = cor_calloc(c->chain_count, COR_PROFILE_STATES_MAX);
    uint32_t *counts = cor_calloc(c->chain_count, sizeof *counts);
    enum cor_status status = kinds && counts ? COR_OK : cor_fail_memory(error);
    double all = 1;
    for (uint32_t chain = 0; chain < c->chain_count && status == COR_OK; chain++) {
        /* The states that are gone through: the first of those that act alike. */
        uint8_t *its = kinds + chain * (size_t)COR_PROFILE_STATES_MAX;
        for (uint32_t state = 0; state < s->suite->profiles[c->profile_of_chain[chain]]->state_count;
             state++) {
            uint32_t k = 0;
            while (k < counts[chain] && !are_alike(c, chain, its[k], state))
                k++;
            if (k == counts[chain])
                its[counts[chain]++] = (uint8_t)state;
        }
        all *= counts[chain];
    }
    if (status == COR_OK && all > WEATHERS_MOST)
        status = cor_fail(error, COR_STATUS_INPUT, s->suite->experiment->path,
                          "fewer agents, or places, have fewer chains: --agents, or another --suite",
                          "arm %s: %" PRIu32 " chains have %.3g states together, expected at most %d",
                          s->arm.name, c->chain_count, all, WEATHERS_MOST);
    for (uint64_t number = 0; status == COR_OK && number < (uint64_t)all; number++)
        status = add_weather(s, number, kinds, counts, error);
    free(kinds);
    free(counts);
    return status;
}

/* What is not gone through is refused. */
static enum cor_status check_arm(const struct cor_experiment *experiment, const struct cor_arm *arm,
                                 struct cor_error *error) {
    const char *what = NULL;
    if (experiment->model->kind != COR_STRUCTURE_PARTITIONING)
        return cor_fail(error, COR_STATUS_INPUT, experiment->path, "partitionings are numbered so far",
                        "arm %s: its structures are of kind %s, which are not gone through", arm->name,
                        cor_structure_words[experiment->model->kind]);
    if (experiment->model->comes_and_goes)
        return cor_fail(error, COR_STATUS_INPUT, experiment->path,
                        "leave \"arrives\", \"fails\" and \"present\" out of the types of the model",
                        "arm %s: agents come and go, and who is there is not gone through", arm->name);
    if (arm->clocks.case_ticks > 0)
        what = "its execution is continuous, and a state in mid-course is none that is gone through";
    else if (arm->mechanism_count > 0)
        what = "mechanisms beside the algorithm keep something of their own, which is not gone through";
    else if (arm->monitors.algorithm)
        what = "monitors under test keep something of their own, which is not gone through";
    return what ? cor_fail(error, COR_STATUS_INPUT, experiment->path, "leave it out of an arm that is asked",
                           "arm %s: %s", arm->name, what)
                : COR_OK;
}

/* The first draw of the parameters of a suite that gives so many agents. */
static enum cor_status find_draw(const struct cor_experiment *experiment, uint32_t arm_index, uint32_t suite,
                                 uint32_t agents, uint32_t *draw, struct cor_error *error) {
    const struct cor_arm *arm = &experiment->arms[arm_index];
    const uint32_t capacity = cor_parameter_laws_capacity(arm->laws);
    int64_t *integers = cor_calloc(capacity, sizeof *integers), found = -1;
    double *reals = cor_calloc(capacity, sizeof *reals);
    enum cor_status status = integers && reals ? COR_OK : cor_fail_memory(error);
    for (*draw = 0; status == COR_OK && *draw < DRAWS_MOST; ++*draw) {
        status = cor_suite_draw(experiment, arm_index, suite, *draw, integers, reals, error);
        found = arm->roles.agents.given;
        if (status == COR_OK && arm->roles.agents.expression.text &&
            !cor_expression_value(&arm->roles.agents.expression, integers, &found))
            found = -1;
        if (found == (int64_t)agents)
            break;
    }
    if (status == COR_OK && found != (int64_t)agents)
        status = cor_fail(error, COR_STATUS_INPUT, "--agents", "see \"agents\" in its model",
                          "arm %s: none of %d configurations that were drawn has %" PRIu32 " agents",
                          arm->name, DRAWS_MOST, agents);
    free(integers);
    free(reals);
    return status;
}

static enum cor_status make_suite(struct cor_starts *s, const struct cor_experiment *experiment, uint32_t arm,
                                  uint32_t suite, uint32_t agents, struct cor_error *error) {
    const bool is_chosen = s->arm.configurations || s->arm.configuration_traps || s->arm.explored;
    COR_DESTROYED(cor_suite) struct cor_suite *drawn = NULL;
    COR_FINISHED(cor_walk) struct cor_walk walk = {0};
    uint32_t draw = 0;
    if (agents > 0 && !is_chosen)
        COR_TRY(find_draw(experiment, arm, suite, agents, &draw, error));
    COR_TRY(cor_suite_generate_drawn(experiment, arm, suite, draw, &drawn, error));
    const struct cor_configuration *c = drawn->configuration;
    cor_walk_init(&walk);
    if (agents > 0 && c->agent_count != agents)
        return cor_fail(error, COR_STATUS_INPUT, "--agents", "leave it out, or choose another --suite",
                        "arm %s: its configurations are chosen, and suite %" PRIu32 " has %" PRIu32 " agents",
                        s->arm.name, suite, c->agent_count);
    if (c->agent_count > N)
        return cor_fail(
            error, COR_STATUS_INPUT, experiment->path, "ask of fewer: --agents 8, or another --suite",
            "arm %s: suite %" PRIu32 " has %" PRIu32 " agents, and structures of at most %u are numbered",
            s->arm.name, suite, c->agent_count, N);
    COR_TRY(cor_walk_resize(&walk, c->chain_count, s->asked.within + s->asked.stays + SETTLING, error));
    memset(walk.states, 0, ((size_t)walk.case_count + 1) * c->chain_count);
    s->arm.traps = NULL;
    s->arm.source = &cor_source_recorded;
    return cor_suite_of_walk(drawn, &s->arm, &walk, &s->suite, error);
}

/* Does anything but the algorithm draw, can it be seen whether that does, and for how long may something that
 * is outside be quiet? */
static enum cor_status look_at_arm(struct cor_starts *s, struct cor_error *error) {
    const struct cor_arm *arm = &s->arm;
    const struct cor_configuration *c = s->suite->configuration;
    const struct interaction__text *text = s->suite->experiment->text_corridor;
    struct cor_state *state;
    struct cor_session *session;
    COR_TRY(cor_state_create(c, &state, error));
    const bool draws = cor_state_draws(state);
    cor_state_destroy(state);
    COR_TRY(cor_session_create(&arm->session, &session, error));
    s->is_open =
        cor_session_is_open(session) && !cor_algorithm_is_program(arm->algorithm) && !arm->session.origin;
    cor_session_destroy(session);
    const bool rings_by_chance =
        c->monitor.fault == COR_MONITOR_FAULT_MISSED || c->monitor.fault == COR_MONITOR_FAULT_FALSE;
    s->draws = draws || rings_by_chance || c->adoption.fault != COR_ADOPTION_FAULT_NONE ||
               arm->result.fault != COR_RESULT_FAULT_NONE ||
               arm->session.agents.fault != COR_CRASH_FAULT_NONE ||
               arm->session.mail.mode != COR_MAIL_IN_ORDER;
    s->waits = arm->activation_delay;
    if (c->monitor.fault == COR_MONITOR_FAULT_LATE && c->monitor.delay_cases > s->waits)
        s->waits = c->monitor.delay_cases;
    for (uint32_t i = 0; text && i < interaction__text_count(text); i++)
        if (interaction__text_kind(text, i) & COR_TEXT_TRIGGER &&
            interaction__text_cases(text, i) > s->waits + 1)
            s->waits = interaction__text_cases(text, i) - 1;
    if (draws || rings_by_chance)
        s->waits = UINT32_MAX; /* for ever, perhaps */
    return COR_OK;
}

/* ---- starts */

/* The most agents that two partitionings can have in common, the partitions of one being those of the other
 * in some order: an assignment by shortest augmenting paths (Kuhn and Munkres), of agents with has[i]. */
static uint32_t in_common(const uint8_t *one, const uint8_t *other, const bool *has, uint32_t agents) {
    int cost[N + 1][N + 1] = {{0}}, row_price[N + 1] = {0}, column_price[N + 1] = {0};
    uint32_t row_of[N + 1] = {0}, way[N + 1] = {0}, common = 0;
    for (uint32_t i = 0; i < agents; i++)
        if (has[i])
            cost[one[i] + 1][other[i] + 1]--;
    for (uint32_t row = 1; row <= agents; row++) {
        int least[N + 1];
        bool used[N + 1] = {false};
        uint32_t at = 0;
        row_of[0] = row;
        for (uint32_t j = 0; j <= agents; j++)
            least[j] = INT32_MAX;
        do {
            int step = INT32_MAX;
            uint32_t next = 0;
            const uint32_t from = row_of[at];
            used[at] = true;
            for (uint32_t j = 1; j <= agents; j++) {
                if (used[j])
                    continue;
                const int reduced = cost[from][j] - row_price[from] - column_price[j];
                if (reduced < least[j]) {
                    least[j] = reduced;
                    way[j] = at;
                }
                if (least[j] < step) {
                    step = least[j];
                    next = j;
                }
            }
            for (uint32_t j = 0; j <= agents; j++) {
                if (used[j]) {
                    row_price[row_of[j]] += step;
                    column_price[j] -= step;
                } else
                    least[j] -= step;
            }
            at = next;
        } while (row_of[at] != 0);
        for (; at != 0; at = way[at])
            row_of[at] = row_of[way[at]];
    }
    for (uint32_t j = 1; j <= agents; j++)
        common += (uint32_t)-cost[row_of[j]][j];
    return common;
}

uint32_t cor_starts_wrong(const struct cor_starts *s, const struct cor_structure_start *start) {
    const struct weather *weather = &s->weathers[start->weather];
    bool has[N];
    for (uint32_t i = 0; i < s->agents; i++)
        has[i] = !s->asked.values ||
                 (start->state[i] == weather->state[i] && start->level[i] == weather->level[i]);
    return s->agents - in_common(start->label, weather->inside, has, s->agents);
}

static bool is_few(const struct cor_starts *s, const struct cor_structure_start *start) {
    return s->asked.wrong == 0 || cor_starts_wrong(s, start) <= s->asked.wrong;
}

static void put_structure(const struct cor_starts *s, uint64_t number, struct cor_structure_start *start) {
    *start = (struct cor_structure_start){0};
    if (s->asked.is_own)
        memcpy(start->label, s->own, sizeof start->label);
    else
        structure_at(&s->growth, s->agents, number, start->label);
}

bool cor_starts_at(const struct cor_starts *s, uint64_t number, struct cor_structure_start *start) {
    put_structure(s, number % s->structures, start);
    number /= s->structures;
    start->weather = (uint32_t)(number % s->weather_count);
    number /= s->weather_count;
    start->kept = (uint32_t)(number % s->kept_count);
    number /= s->kept_count;
    for (uint32_t i = 0; i < s->agents && s->asked.values; i++) {
        start->state[i] = (uint8_t)(number % s->state_count[i]);
        number /= s->state_count[i];
        start->level[i] = (uint8_t)(number % s->state_count[i]);
        number /= s->state_count[i];
    }
    return is_few(s, start);
}

/* Uniform below any bound of 64 bits. */
static uint64_t below(struct cor_rng *rng, uint64_t bound) {
    const uint64_t most = UINT64_MAX - (UINT64_MAX % bound + 1) % bound;
    uint64_t word = cor_rng_word(rng);
    while (word > most)
        word = cor_rng_word(rng);
    return word % bound;
}

enum cor_status cor_starts_draw(const struct cor_starts *s, uint32_t number,
                                struct cor_structure_start *start, struct cor_error *error) {
    struct cor_stream_name name = s->suite->name;
    name.purpose = COR_PURPOSE_SEARCH;
    name.sequence = number;
    struct cor_rng rng = cor_rng_named(&name);
    for (uint32_t tries = 0; tries < DRAWS_MOST; tries++) {
        const uint64_t structure = below(&rng, s->structures);
        put_structure(s, structure, start);
        start->weather = cor_rng_below(&rng, s->weather_count);
        start->kept = s->kept_count > 1 ? cor_rng_below(&rng, s->kept_count) : 0;
        for (uint32_t i = 0; i < s->agents && s->asked.values; i++) {
            start->state[i] = (uint8_t)cor_rng_below(&rng, s->state_count[i]);
            start->level[i] = (uint8_t)cor_rng_below(&rng, s->state_count[i]);
        }
        if (is_few(s, start))
            return COR_OK;
    }
    return cor_fail(error, COR_STATUS_INPUT, s->suite->experiment->path,
                    "more agents, or no values, so that all can be gone through",
                    "arm %s: of %d starts that were drawn in none at most %" PRIu32 " agents are wrong",
                    s->arm.name, DRAWS_MOST, s->asked.wrong);
}

char *cor_starts_text(const struct cor_starts *s, const struct cor_structure_start *start) {
    const struct cor_test_model *model = s->suite->experiment->model;
    const struct cor_configuration *c = s->suite->configuration;
    char *text = cor_strdup("");
    uint32_t partitions = 0;
    for (uint32_t i = 0; i < s->agents; i++)
        partitions = start->label[i] >= partitions ? start->label[i] + 1u : partitions;
    for (uint32_t b = 0; b < partitions; b++) {
        const char *before = b > 0 ? " {" : "{";
        for (uint32_t i = 0; i < s->agents; i++)
            if (start->label[i] == b) {
                text = cor_join_take(text, "", cor_format("%s%" PRIu32, before, i));
                before = " ";
            }
        text = cor_join_take(text, "", cor_strdup("}"));
    }
    for (uint32_t chain = 0; chain < c->chain_count; chain++) {
        const struct cor_profile *profile = s->suite->profiles[c->profile_of_chain[chain]];
        text = cor_join_take(text, chain > 0 ? ", " : "; ",
                             cor_format("%s %s", model->environments[c->profile_of_chain[chain]].name,
                                        profile->states[s->weathers[start->weather].chains[chain]]));
    }
    for (uint32_t i = 0; i < s->agents && s->asked.values; i++)
        text = cor_join_take(text, i > 0 ? " " : "; states and values ",
                             cor_format("%u/%u", start->state[i], start->level[i]));
    if (s->kept_count > 1 && start->kept == 0)
        return cor_join_take(text, "", cor_strdup("; nothing kept"));
    return start->kept == 0 ? text
                            : cor_join_take(text, "",
                                            cor_format("; kept: %s %" PRIu32, s->kept[start->kept].how,
                                                       s->kept[start->kept].sequence));
}

/* ---- runs */

/* One process at work. */
struct worker {
    const struct cor_starts *starts;
    struct cor_session *session;
    struct cor_record *record;
    struct cor_runner *runner;
    struct cor_course course; /* of the case: whether the algorithm draws */
    struct cor_session_memory memory;
    uint64_t *hashes; /* owned; [case] the state that it left behind */
    bool is_watched;
};

/* Of the state and what the algorithm keeps, which is all that a next case without a draw depends on. */
static enum cor_status hash_of(struct worker *w, uint64_t *hash, struct cor_error *error) {
    *hash = cor_state_hash(w->runner->state);
    if (!(w->starts->arm.algorithm->capabilities & COR_KEEPS))
        return COR_OK;
    COR_TRY(cor_session_save(w->session, &w->memory, error));
    *hash = cor_hash_bytes(*hash, w->memory.kept, w->memory.kept_size);
    return COR_OK;
}

static enum cor_status run_case(struct worker *w, bool *drew, uint64_t *hash, struct cor_error *error) {
    w->course.identity = w->runner->sequence.number + 1;
    w->course.is_there = false;
    w->course.draw_count = 0;
    COR_TRY(cor_sequence_case(w->runner, error));
    *drew = *drew || (w->runner->sequence.reorganized &&
                      (!w->is_watched || !w->course.is_there || w->course.draw_count > 0));
    return hash_of(w, hash, error);
}

/* What the rows say of each case. */
struct seen {
    uint32_t last_out, last_in, last_unknown, first_alarm_late, last_alarm;
    uint32_t first_in, first_left; /* from case `within` on it is inside; and is left behind that */
};

static void look_at_rows(struct worker *w, uint32_t cases, struct seen *seen) {
    struct cor_case_tables tables = cor_case_tables_of(w->record);
    struct cor_case_cursor cursor = {0};
    const uint32_t within = w->starts->asked.within;
    *seen = (struct seen){0};
    tables.has_text = w->runner->text != NULL;
    for (uint32_t k = 1; k <= cases && k <= tables.case_count; k++) {
        const struct cor_case_rows rows = cor_case_at(&tables, k - 1, &cursor);
        const enum cor_case_answer inside = cor_case_inside(&rows);
        const bool alarm = cor_case_alarm(&rows) != COR_CASE_NO;
        if (inside == COR_CASE_UNKNOWN)
            seen->last_unknown = k;
        if (inside == COR_CASE_YES)
            seen->last_in = k;
        if (inside == COR_CASE_NO)
            seen->last_out = k;
        if (alarm) {
            seen->last_alarm = k;
            if (k > within && seen->first_alarm_late == 0)
                seen->first_alarm_late = k;
        }
        if (k >= within && inside == COR_CASE_YES && seen->first_in == 0)
            seen->first_in = k;
        if (inside == COR_CASE_NO && seen->first_in > 0 && seen->first_left == 0)
            seen->first_left = k;
    }
}

/* Outside at the end: for ever? It is where a state without a draw comes again, or, waited for up to some
 * cases, where nothing rings any more and the state is the one before. */
static enum cor_status look_at_end(struct worker *w, const struct seen *seen, uint32_t cases,
                                   struct cor_structure_outcome *outcome, struct cor_error *error) {
    const struct cor_starts *s = w->starts;
    struct cor_record *record = w->record;
    uint64_t hash = w->hashes[cases];
    outcome->end = COR_STARTED_OUT;
    for (size_t i = cor_record_size(record, COR_TABLE_CONSTRAINTS); i-- > 0;) {
        const struct cor_constraint_row *row = cor_record_at(record, COR_TABLE_CONSTRAINTS, i);
        if (row->case_ == cases && row->verdict == COR_VERDICT_FAILED)
            outcome->violated = row->constraint; /* the first */
    }
    if (outcome->was_stopped) {
        outcome->at = cases;
        return COR_OK;
    }
    for (uint32_t k = cases - 1; !outcome->drew && s->waits == 0 && k > seen->last_in; k--)
        if (w->hashes[k] == hash && seen->last_alarm > k) {
            outcome->end = COR_STARTED_LOOPS;
            outcome->at = cases - k;
            return COR_OK;
        }
    uint32_t same = 0, waited = 0;
    if (s->waits >= SETTLING || seen->last_alarm == cases)
        return COR_OK;
    for (; same <= s->waits && waited < SETTLING; waited++) {
        const uint64_t before = hash;
        COR_TRY(run_case(w, &outcome->drew, &hash, error));
        if (w->runner->sequence.alarm || w->runner->sequence.reorganized)
            return COR_OK;
        same = hash == before ? same + 1 : 0;
    }
    struct seen later;
    look_at_rows(w, w->runner->sequence.number, &later);
    if (same > s->waits && waited < SETTLING && later.last_out == w->runner->sequence.number)
        outcome->end = COR_STARTED_SLEEPS;
    return COR_OK;
}

static enum cor_status begin_run(struct worker *w, const struct cor_structure_run *run,
                                 struct cor_error *error) {
    const struct cor_suite *suite = w->starts->suite;
    COR_TRY(take_start(w->starts, &run->start, error));
    cor_record_begin(w->record, (uint16_t)suite->arm_index, suite->index);
    struct cor_walk_definition walk = cor_suite_walk_definition(suite, 0, NULL);
    walk.name.sequence = run->sequence;
    return cor_sequence_begin(w->runner, &walk, error);
}

static enum cor_status run_start(struct worker *w, const struct cor_structure_run *run,
                                 struct cor_structure_outcome *outcome, struct cor_error *error) {
    const struct cor_starts *s = w->starts;
    const uint32_t within = s->asked.within, cases = within + s->asked.stays;
    struct seen seen;
    *outcome = (struct cor_structure_outcome){.violated = COR_NOBODY, .drew = s->draws};
    COR_TRY(begin_run(w, run, error));
    for (uint32_t k = 1; k <= cases && !cor_sequence_is_over(w->runner); k++)
        COR_TRY(run_case(w, &outcome->drew, &w->hashes[k], error));
    const uint32_t executed = w->runner->sequence.number;
    outcome->was_stopped = executed < cases || cor_sequence_is_over(w->runner);
    look_at_rows(w, executed, &seen);
    bool is_machines = false;
    for (size_t i = 0; i < cor_record_size(w->record, COR_TABLE_REORGANIZATIONS); i++) {
        const struct cor_reorganization_row *row = cor_record_at(w->record, COR_TABLE_REORGANIZATIONS, i);
        is_machines = is_machines || cor_smoke_is_of_machine((enum cor_smoke)row->smoke);
    }
    if (is_machines || seen.last_unknown >= within) {
        outcome->end = COR_STARTED_UNKNOWN;
        return COR_OK;
    }
    outcome->was_quiet = seen.last_out == 0 && seen.last_alarm == 0;
    outcome->back = seen.last_out < executed ? seen.last_out + 1 : 0;
    outcome->from = within;
    if (outcome->was_stopped)
        outcome->back = 0;
    /* Is the state its own successor: as in the case before, and as in all in which something may be pending?
     */
    uint32_t same = 0;
    while (same + 1 < executed && w->hashes[executed - same] == w->hashes[executed - same - 1])
        same++;
    outcome->rests = same > s->waits;
    if (outcome->back > 0 && outcome->back <= within) {
        outcome->end = seen.first_alarm_late > 0 ? COR_STARTED_RANG : COR_STARTED_BACK;
        outcome->at = seen.first_alarm_late;
        return COR_OK;
    }
    if (seen.first_left > 0 && (seen.first_in == within || outcome->back > 0)) {
        outcome->end = COR_STARTED_LEFT;
        outcome->from = seen.first_in;
        outcome->at = seen.first_left;
        return COR_OK;
    }
    outcome->end = COR_STARTED_LATE;
    return outcome->back > 0 ? COR_OK : look_at_end(w, &seen, executed, outcome, error);
}

static enum cor_status open_worker(struct worker *w, const struct cor_starts *s, bool is_watched,
                                   struct cor_error *error) {
    struct cor_configuration *c = s->suite->configuration;
    for (uint32_t i = 0; i < s->agents; i++)
        c->initial_partition[i] = i; /* room for as many partitions as there can be */
    c->initial_partitions = s->agents;
    *w = (struct worker){.starts = s, .is_watched = is_watched};
    w->hashes = cor_calloc((size_t)s->asked.within + s->asked.stays + 1, sizeof *w->hashes);
    COR_TRY(cor_made(w->hashes, error));
    COR_TRY(cor_session_create(&s->arm.session, &w->session, error));
    COR_TRY(cor_record_create(&cor_interaction_schema, &w->record, error));
    COR_TRY(cor_runner_create(&(struct cor_execution){.suite = s->suite, .session = w->session}, w->record,
                              &w->runner, error));
    cor_session_watch(w->session, is_watched ? &w->course : NULL);
    return COR_OK;
}

static void close_worker(struct worker *w) {
    cor_runner_destroy(w->runner);
    cor_session_destroy(w->session);
    cor_record_destroy(w->record);
    cor_course_fini(&w->course);
    cor_session_memory_fini(&w->memory);
    free(w->hashes);
}

/* ---- what an algorithm may have kept */

struct kept_answer {
    uint32_t size;
    unsigned char bytes[KEPT_BYTES];
};

/* In a child: what is kept of sequences from starts that are drawn; then likewise, garbled by the algorithm.
 */
static enum cor_status run_to_keep(void *argument, void *answers, size_t size, struct cor_error *error) {
    const struct cor_starts *s = argument;
    struct worker w;
    enum cor_status status = open_worker(&w, s, false, error);
    COR_TRY_OUT(status);
    for (uint32_t i = 0; i < size / sizeof(struct kept_answer); i++) {
        struct kept_answer *answer = (struct kept_answer *)answers + i;
        struct cor_structure_run run = {.sequence = KEPT_FIRST + i % KEPT_SEQUENCES};
        bool drew = false;
        cor_session_garble(w.session, i >= KEPT_SEQUENCES);
        COR_TRY_OUT(cor_starts_draw(s, run.sequence, &run.start, error));
        COR_TRY_OUT(begin_run(&w, &run, error));
        for (uint32_t k = 0; k < s->asked.within && !cor_sequence_is_over(w.runner); k++)
            COR_TRY_OUT(run_case(&w, &drew, &w.hashes[0], error)); /* which saves what is kept */
        if (w.memory.kept_size > KEPT_BYTES)
            COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, s->suite->experiment->path,
                                 "leave \"kept\" out, or choose fewer --agents",
                                 "arm %s: its algorithm keeps %" PRIu32 " bytes, and at most %u can be asked",
                                 s->arm.name, w.memory.kept_size, KEPT_BYTES));
        answer->size = w.memory.kept_size;
        if (answer->size > 0)
            memcpy(answer->bytes, w.memory.kept, answer->size);
    }
out:
    close_worker(&w);
    return status;
}

static enum cor_status add_kept(struct cor_starts *s, const struct kept_answer *from, uint32_t size,
                                const struct kept_answer *rest, const char *how, uint32_t sequence,
                                struct cor_error *error) {
    struct kept *kept = &s->kept[s->kept_count];
    if (size == 0)
        return COR_OK;
    COR_TRY(cor_made(kept->bytes = cor_calloc(size, 1), error));
    s->kept_count++;
    kept->size = size;
    kept->how = how;
    kept->sequence = sequence;
    memcpy(kept->bytes, from->bytes, size);
    for (uint32_t i = size / 2; rest && i < size && i < rest->size; i++)
        kept->bytes[i] = rest->bytes[i];
    return COR_OK;
}

/* An algorithm that has no cell around it takes the child along: that is its trouble, not ours. */
static enum cor_status blame(const struct cor_starts *s, enum cor_status status, struct cor_error *error) {
    char cause[200];
    if (status != COR_STATUS_INTERNAL || !s->is_unwalled)
        return status;
    snprintf(cause, sizeof cause, "%.190s", error->cause);
    *error = COR_NO_ERROR;
    return cor_fail(error, COR_STATUS_PLUGIN, s->arm.name,
                    "leave out --isolate never: in a cell a crash is an outcome like others",
                    "the algorithm did not get through its runs: %s", cause);
}

/* Kept bytes of other sequences; and those garbled or, where the algorithm cannot do that, half of them, and
 * half of each of two. */
static enum cor_status take_kept(struct cor_starts *s, struct cor_error *error) {
    const bool garbles = s->arm.algorithm->garble != NULL;
    const size_t size = (garbles ? 2u : 1u) * KEPT_SEQUENCES * sizeof(struct kept_answer);
    struct kept_answer *answers = cor_calloc(size, 1);
    COR_TRY(cor_made(answers, error));
    enum cor_status status = blame(s, cor_in_child(run_to_keep, s, answers, size, error), error);
    for (uint32_t i = 0; i < KEPT_SEQUENCES && status == COR_OK; i++) {
        const struct kept_answer *own = &answers[i], *next = &answers[(i + 1) % KEPT_SEQUENCES];
        status = add_kept(s, own, own->size, NULL, "as in sequence", i, error);
        if (status != COR_OK || own->size == 0)
            continue;
        if (garbles)
            status = add_kept(s, own + KEPT_SEQUENCES, own[KEPT_SEQUENCES].size, NULL,
                              "garbled, as in sequence", i, error);
        else if (i % 2 == 0)
            status = add_kept(s, own, own->size / 2, NULL, "the first half of sequence", i, error);
        else
            status = add_kept(s, own, own->size, next, "one half of the next, one of sequence", i, error);
    }
    free(answers);
    return status;
}

struct share_of_work {
    const struct cor_starts *starts;
    const struct cor_starts_work *work;
};

/* In a child: each jobs-th run. */
static enum cor_status do_share(void *argument, uint32_t number, void *answers, size_t size,
                                struct cor_error *error) {
    const struct share_of_work *share = argument;
    const struct cor_starts *s = share->starts;
    const struct cor_starts_work *work = share->work;
    struct worker w;
    enum cor_status status = open_worker(&w, s, work->goes_exactly && s->is_open, error);
    (void)size;
    COR_TRY_OUT(status);
    for (size_t i = number; i < work->count; i += work->jobs)
        COR_TRY_OUT(run_start(&w, &work->runs[i], (struct cor_structure_outcome *)answers + i, error));
out:
    close_worker(&w);
    return status;
}

#define AT_ONCE 4096u /* runs, between which it is asked whether to go on */

enum cor_status cor_starts_run(const struct cor_starts *s, const struct cor_starts_work *work,
                               struct cor_structure_outcome *outcomes, struct cor_error *error) {
    for (size_t done = 0; done < work->count; done += AT_ONCE) {
        struct cor_starts_work part = *work;
        struct share_of_work share = {s, &part};
        part.runs += done;
        part.count = work->count - done < AT_ONCE ? work->count - done : AT_ONCE;
        part.jobs = work->jobs < part.count ? work->jobs : (uint32_t)part.count;
        if (work->go_on && !work->go_on(work->self, "starts"))
            return cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted");
        COR_TRY(blame(s,
                      cor_in_children(do_share, &share, part.jobs, outcomes + done,
                                      part.count * sizeof *outcomes, error),
                      error));
    }
    return COR_OK;
}

enum cor_status cor_starts_suite(struct cor_starts *s, const struct cor_structure_start *start,
                                 const struct cor_suite **suite, struct cor_walk *walk,
                                 struct cor_error *error) {
    const uint32_t chains = s->suite->configuration->chain_count, cases = s->asked.within + s->asked.stays;
    COR_TRY(take_start(s, start, error));
    *suite = s->suite;
    COR_TRY(cor_walk_resize(walk, chains, cases, error));
    memcpy(walk->states, s->suite->recorded[0].states, ((size_t)cases + 1) * chains);
    return COR_OK;
}

enum cor_status cor_starts_create(const struct cor_experiment *experiment, uint32_t arm, uint32_t suite,
                                  uint32_t agents, const struct cor_structures_asked *asked,
                                  struct cor_starts **starts, struct cor_error *error) {
    COR_DESTROYED(cor_starts) struct cor_starts *s = cor_calloc(1, sizeof *s);
    *starts = NULL;
    COR_TRY(cor_made(s, error));
    s->kept_count = 1;
    s->asked = *asked;
    s->arm = experiment->arms[arm];
    s->is_unwalled = cor_registry_is_foreign(experiment->registry, s->arm.algorithm) &&
                     cor_registry_isolation(experiment->registry)->which == COR_ISOLATION_NEVER;
    COR_TRY(check_arm(experiment, &s->arm, error));
    COR_TRY(make_suite(s, experiment, arm, suite, agents, error));
    struct cor_configuration *c = s->suite->configuration;
    s->agents = c->agent_count;
    count_ways(&s->growth, s->agents);
    s->numbers = 1;
    uint32_t label[N], used = 0;
    for (uint32_t i = 0; i < s->agents; i++) {
        uint32_t known = 0;
        while (known < used && label[known] != c->initial_partition[i])
            known++;
        label[known] = c->initial_partition[i];
        used += known == used;
        s->own[i] = (uint8_t)known;
        c->initial_partition[i] = i; /* whoever makes room does so for as many as there can be */
    }
    c->initial_partitions = s->agents;
    for (uint32_t g = 0; g < c->group_count; g++)
        for (uint32_t i = c->group_start[g]; i < c->group_start[g + 1]; i++) {
            s->effect[i] = cor_configuration_effect(c, c->type[i], cor_configuration_chain(c, c->type[i], g));
            s->state_count[i] = s->effect[i]->state_count;
            if (asked->values)
                s->numbers *= (double)s->state_count[i] * s->state_count[i];
        }
    s->structures = asked->is_own ? 1 : s->growth.ways[s->agents][0];
    COR_TRY(look_at_arm(s, error));
    COR_TRY(go_through_weathers(s, error));
    if (asked->has_kept && s->arm.algorithm->capabilities & COR_KEEPS && s->weather_count > 0)
        COR_TRY(take_kept(s, error));
    s->numbers *= (double)s->structures * s->weather_count * s->kept_count;
    *starts = cor_taken(&s);
    return COR_OK;
}
