/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two conversions: the system structure into an acquaintances graph, and the graph into a set of sets. */
#include "spada.h"

#include <string.h>

/* What building the graph needs. */
struct builder {
    const struct cor_task *task; /* its structure: that of the kept graph, if there is one */
    const struct cor_host *host;
    const uint32_t *kept; /* of each agent, see keep_graph; NULL: nothing is kept */
    uint32_t forgotten;   /* block, or SPADA_NOBODY */
    uint32_t *present;    /* the agents that take part, ascending */
    uint32_t present_count;
    uint32_t *known_to; /* [agent] the last to whom it was made known, as a place + 1 */
};

static struct spada_agent *state_of(const struct cor_host *host, uint32_t agent) {
    return host->agent(host, agent)->state;
}

static uint32_t wanted_acquaintances(const struct cor_task *task) {
    return (uint32_t)task->rules->parameters[SPADA_ACQUAINTANCES];
}

/* What is kept of an agent: its leader, SPADA_NOBODY if it took no part; number of acquaintances; these. */
enum { KEPT_LEADER, KEPT_COUNT, KEPT_HEAD };

static const uint32_t *kept_of(const struct builder *builder, uint32_t agent) {
    size_t each = KEPT_HEAD + wanted_acquaintances(builder->task);
    const uint32_t *kept = builder->kept ? builder->kept + agent * each : NULL;
    return kept && kept[KEPT_LEADER] != SPADA_NOBODY ? kept : NULL;
}

static size_t kept_size(const struct cor_task *task) {
    return (KEPT_HEAD + wanted_acquaintances(task)) * (size_t)task->agent_count * sizeof(uint32_t);
}

static bool keep_graph(const struct cor_task *task, const struct cor_host *host) {
    size_t each = KEPT_HEAD + wanted_acquaintances(task), bytes = kept_size(task);
    uint32_t *all = host->alloc(host, bytes);
    if (!all)
        return false;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const struct spada_agent *self = state_of(host, i);
        uint32_t *kept = all + i * each;
        kept[KEPT_LEADER] = self->is_absent ? SPADA_NOBODY : self->leader;
        kept[KEPT_COUNT] = self->acquaintance_count;
        for (uint32_t a = 0; a < self->acquaintance_count; a++)
            kept[KEPT_HEAD + a] = self->acquaintances[a];
    }
    return host->keep(host, all, (uint32_t)bytes) != 0;
}

/* The place in a block of the member that leads: in a kept graph its leader, else one drawn. */
static uint32_t draw_centre(const struct builder *builder, const uint32_t *members, uint32_t size) {
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t *kept = kept_of(builder, members[i]);
        if (kept && kept[KEPT_LEADER] == members[i])
            return i;
    }
    return cor_random_below(builder->host->random[COR_STREAM_ALGORITHM], size);
}

/* One block: one member leads, the others are on its list. */
static bool build_star(const struct builder *builder, const uint32_t *members, uint32_t size) {
    const struct cor_host *host = builder->host;
    uint32_t centre = draw_centre(builder, members, size);
    struct spada_office *office = host->alloc(host, sizeof *office);
    struct spada_member *list = host->alloc(host, (size_t)size * sizeof *list);
    if (!office || !list)
        return false;
    office->members = list;
    office->capacity = size;
    struct spada_agent *leader = state_of(host, members[centre]);
    const size_t width = spada__width(leader->criteria);
    leader->office = office;
    if (width > 0)
        office->rows = host->alloc(host, size * width * sizeof *office->rows);
    if (!spada__open_view(leader, host, office) || (width > 0 && !office->rows))
        return false;
    for (uint32_t i = 0; i < size; i++) {
        double value = builder->task->values[0][members[i]];
        office->sum += value;
        struct spada_agent *member = state_of(host, members[i]);
        member->leader = members[centre];
        if (width > 0)
            spada__add_row(leader, office->sums, member->row, 1);
        if (width > 0 && i != centre)
            memcpy(office->rows + office->count * width, member->row, width * sizeof *member->row);
        if (i != centre)
            list[office->count++] = (struct spada_member){.agent = members[i], .value = value};
    }
    return true;
}

static bool build_stars(const struct builder *builder) {
    const struct cor_task *task = builder->task;
    for (uint32_t b = 0; b < task->block_count; b++) {
        const uint32_t *members = task->members + task->block_start[b];
        uint32_t size = task->block_start[b + 1] - task->block_start[b];
        if (b != builder->forgotten && !build_star(builder, members, size))
            return false;
    }
    return true;
}

/* Marks the members of the forgotten block and lists the others. */
static void list_present(struct builder *builder) {
    const struct cor_task *task = builder->task;
    if (builder->forgotten != SPADA_NOBODY)
        for (uint32_t i = task->block_start[builder->forgotten];
             i < task->block_start[builder->forgotten + 1]; i++)
            state_of(builder->host, task->members[i])->is_absent = true;
    for (uint32_t i = 0; i < task->agent_count; i++)
        if (!state_of(builder->host, i)->is_absent)
            builder->present[builder->present_count++] = i;
}

/* `count` different places among the others of present[place], each set of them equally likely (Floyd). */
static void draw_acquaintances(const struct builder *builder, uint32_t place, struct spada_agent *self,
                               uint32_t count) {
    uint32_t others = builder->present_count - 1;
    for (uint32_t last = others - count; last < others; last++) {
        uint32_t drawn = cor_random_below(builder->host->random[COR_STREAM_ALGORITHM], last + 1);
        uint32_t agent = builder->present[drawn + (drawn >= place)]; /* no branch: it could only be guessed */
        if (builder->known_to[agent] == place + 1)
            agent = builder->present[last < place ? last : last + 1];
        builder->known_to[agent] = place + 1;
        self->acquaintances[self->acquaintance_count++] = agent;
    }
}

/* Leaders know their members' values, so they begin with the shares of all of them. A member keeps just
 * enough to have an estimate, which the first share that comes outweighs. */
static void begin_share(const struct cor_task *task, uint32_t agent, struct spada_agent *self) {
    double value = task->values[0][agent];
    self->share = (struct spada_share){.sum = value * SPADA_WEIGHT_KEPT, .weight = SPADA_WEIGHT_KEPT};
    if (self->leader == agent) {
        self->share.sum = self->office->sum - (self->office->sum - value) * SPADA_WEIGHT_KEPT;
        self->share.weight = spada_size(self->office) - self->office->count * SPADA_WEIGHT_KEPT;
    }
    self->mean_before = spada_mean(self);
}

/* Each agent's acquaintances are memory of its own: nobody else may see them later. */
static bool build_agents(const struct builder *builder) {
    const struct cor_rules *rules = builder->task->rules;
    uint32_t wanted = wanted_acquaintances(builder->task);
    uint32_t count = builder->present_count > wanted ? wanted : builder->present_count - 1; /* unused if 0 */
    for (uint32_t place = 0; place < builder->present_count; place++) {
        uint32_t agent = builder->present[place];
        struct spada_agent *self = state_of(builder->host, agent);
        begin_share(builder->task, agent, self);
        /* Criteria of the text ask nobody for the mean. */
        self->gossip_left =
            self->leader == agent && !self->criteria ? (uint32_t)rules->parameters[SPADA_GOSSIP_ROUNDS] : 0;
        self->acquaintances = builder->host->alloc(builder->host, wanted * sizeof *self->acquaintances);
        if (!self->acquaintances)
            return false;
        const uint32_t *kept = kept_of(builder, agent);
        if (!kept)
            draw_acquaintances(builder, place, self, count);
        for (uint32_t a = 0; kept && a < kept[KEPT_COUNT]; a++)
            self->acquaintances[self->acquaintance_count++] = kept[KEPT_HEAD + a];
    }
    return true;
}

/* The kept graph's partitions in place of the structure's. Whom the graph does not know enters it with those
 * of its block that it does not know either. */
static bool restore_blocks(struct builder *builder, struct cor_task *graph) {
    const struct cor_task *task = builder->task;
    const struct cor_host *host = builder->host;
    uint32_t n = task->agent_count, *label = host->alloc(host, n * sizeof *label);
    uint32_t *start = host->alloc(host, (2 * (size_t)n + 2) * sizeof *start);
    uint32_t *members = host->alloc(host, n * sizeof *members);
    if (!label || !start || !members)
        return false;
    for (uint32_t b = 0; b < task->block_count; b++)
        for (uint32_t i = task->block_start[b]; i < task->block_start[b + 1]; i++)
            label[task->members[i]] = n + b;
    for (uint32_t a = 0; a < n; a++)
        label[a] = kept_of(builder, a) ? kept_of(builder, a)[KEPT_LEADER] : label[a];
    uint32_t used = 0, blocks = 0, *size_of = host->alloc(host, 2 * (size_t)n * sizeof *size_of);
    if (!size_of)
        return false;
    for (uint32_t a = 0; a < n; a++)
        size_of[label[a]]++;
    for (uint32_t l = 0; l < 2 * n; l++) { /* from now on: the place of the next member */
        uint32_t size = size_of[l];
        size_of[l] = used;
        if (size > 0)
            start[blocks++] = used;
        used += size;
    }
    start[blocks] = used;
    for (uint32_t a = 0; a < n; a++)
        members[size_of[label[a]]++] = a;
    *graph = *task;
    graph->block_count = blocks;
    graph->block_start = start;
    graph->members = members;
    builder->task = graph;
    return true;
}

enum cor_progress spada__begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct spada *spada = state;
    struct cor_task graph;
    struct builder builder = {.task = task, .host = host, .forgotten = SPADA_NOBODY};
    if (task->kept_size == kept_size(task))
        builder.kept = task->kept;
    builder.present = host->alloc(host, task->agent_count * sizeof *builder.present);
    builder.known_to = host->alloc(host, task->agent_count * sizeof *builder.known_to);
    if (!builder.present || !builder.known_to || !spada__read_criteria(task, host))
        return COR_FAILED;
    if (builder.kept && !restore_blocks(&builder, &graph))
        return COR_FAILED;
    if (!builder.kept)
        builder.forgotten = spada__seams[task->rules->fault].forget(task, host);
    spada->is_defaced = builder.forgotten != SPADA_NOBODY;
    list_present(&builder);
    if (!build_stars(&builder) || !build_agents(&builder))
        return COR_FAILED;
    return COR_DONE;
}

/* Marked edges as leaders' lists have them, so what is wrong in them shows; others as agents know each other.
 */
void spada__graph(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const struct spada_agent *self = state_of(host, i);
        if (self->is_absent)
            continue;
        for (uint32_t a = 0; a < self->acquaintance_count; a++)
            host->put_edge(host, i, self->acquaintances[a], 0);
        if (self->leader != i)
            continue;
        host->put_edge(host, i, i, 1);
        for (uint32_t m = 0; m < self->office->count; m++)
            host->put_edge(host, i, self->office->members[m].agent, 1);
    }
}

/* Sets as the leaders' lists name them, not as connected components: a component would swallow an agent that
 * is on two lists, and so hide what a lost message has done. */
static uint32_t gather_lists(const struct cor_task *task, const struct cor_host *host,
                             struct spada_sets *sets, uint32_t *room) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const struct spada_agent *self = state_of(host, i);
        if (self->is_absent || self->leader != i)
            continue;
        struct spada_set *set = &sets->sets[sets->count++];
        *set = (struct spada_set){.members = room + used};
        set->members[set->count++] = i;
        for (uint32_t m = 0; m < self->office->count; m++)
            set->members[set->count++] = self->office->members[m].agent;
        used += set->count;
    }
    return used;
}

/* Sets as the agents themselves say, for a run that the budget cut off with mail under way: who has just left
 * one list may not yet be on the other, but has one word. Two passes: how many follow each leader, then who.
 */
static void gather_words(const struct cor_task *task, const struct cor_host *host, struct spada_sets *sets,
                         uint32_t *room, uint32_t *set_of) {
    uint32_t n = task->agent_count, used = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!state_of(host, i)->is_absent)
            set_of[state_of(host, i)->leader]++;
    for (uint32_t leader = 0; leader < n; leader++)
        if (set_of[leader] > 0) {
            uint32_t followers = set_of[leader];
            set_of[leader] = sets->count;
            sets->sets[sets->count++].members = room + used;
            used += followers;
        }
    for (uint32_t i = 0; i < n; i++)
        if (!state_of(host, i)->is_absent) {
            struct spada_set *set = &sets->sets[set_of[state_of(host, i)->leader]];
            set->members[set->count++] = i;
        }
}

/* Agents on lists and leaders together; with loss, more than there are agents. */
static size_t listed(const struct cor_task *task, const struct cor_host *host) {
    size_t total = task->agent_count;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const struct spada_agent *self = state_of(host, i);
        if (!self->is_absent && self->leader == i)
            total += self->office->count;
    }
    return total;
}

enum cor_progress spada__result(void *state, const struct cor_task *task, const struct cor_host *host) {
    const struct spada *spada = state;
    struct spada_sets sets = {.sets = host->alloc(host, task->agent_count * sizeof *sets.sets)};
    uint32_t *room = host->alloc(host, listed(task, host) * sizeof *room);
    uint32_t *set_of = host->alloc(host, task->agent_count * sizeof *set_of);
    if (!sets.sets || !room || !set_of)
        return COR_FAILED;
    if (*host->spent >= task->rules->budget)
        gather_words(task, host, &sets, room, set_of);
    else
        gather_lists(task, host, &sets, room);
    if (spada->is_defaced)
        host->fault->in_result = 1;
    if (task->rules->parameters[SPADA_GRAPH_KEPT] != 0 && !keep_graph(task, host))
        return COR_FAILED;
    spada__seams[task->rules->fault].deface(&sets, task, host);
    for (uint32_t i = 0; i < sets.count; i++)
        host->put_block(host, sets.sets[i].members, sets.sets[i].count);
    return COR_DONE;
}
