/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monitors: which there are, their instances, and how these go over from one structure to the next. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <corridor/array.h>
#include <corridor/loader.h>
#include <corridor/module_cell.h>
#include <corridor/monitors.h>
#include <corridor/observe.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { FAULT_TEXT = 4096 };

/* The beginning of a page. What a cell wrote is not believed: looked at before it is used. */
struct head {
    struct cor_module_page cell;
    char name[COR_MONITORS_NAME];
    char faults[FAULT_TEXT]; /* names, each ended by 0, the last by two */
    uint32_t watches, tolerance;
    uint64_t state_size;

    uint64_t now, formed;
    uint32_t block_count;
    uint32_t alarm, organization, agent; /* what came of the looks: see struct cor_monitors_answer */
    uint32_t is_garbled;
    char complaint[256];
};

struct cor_monitors {
    char *path, *fault_name; /* owned */
    bool in_cell;
    uint32_t subject;
    struct cor_monitors_system system;
    struct cor_monitor monitor; /* where it is loaded: here, or in the cell */
    void *handle;               /* owned; of a module that is loaded here */
    struct cor_monitors_introduction said;
    char what[COR_MONITORS_NAME + 16]; /* "the monitor NAME" */

    /* The page and what lies in it: an instance for each agent, or organization. */
    unsigned char *page; /* owned; shared memory */
    size_t page_bytes;
    struct head *head;
    double *values;         /* [column][agent] */
    uint32_t *start;        /* [block + 1] */
    uint32_t *members;      /* block after block */
    uint32_t *names;        /* [block] */
    unsigned char *states;  /* [instance * stride] */
    uint32_t *has_instance; /* [instance] */
    size_t stride, state_bytes;
    uint32_t block_room, member_room;

    /* Scratch of a look, as large as a block can be. */
    double *view_values;                   /* owned; [column][member], as below */
    const double **view_columns;           /* owned; [column] */
    unsigned char *view_filters;           /* owned; [filter][member] */
    struct cor_objective *view_conditions; /* owned; [condition] */
    const struct cor_objective **view_list;

    struct cor_lists before; /* the structure that was looked at last */
    bool has_before;
    uint32_t next_name;
    uint32_t *place_of; /* owned; [agent] the first block that it is in */
    uint32_t *owner;    /* owned; [block] whose instance it goes on with */
    size_t owner_capacity;

    struct cor_module_cell cell;
    unsigned char *before_look; /* owned; what instances remember, for a second try */
};

static enum cor_status cell_look(struct cor_monitors *monitors, struct cor_turn_report *report,
                                 struct cor_error *error) COR_MUST_USE;
static enum cor_status cell_load(struct cor_monitors *monitors, struct cor_error *error) COR_MUST_USE;
static void cell_make(struct cor_monitors *monitors, const struct cor_monitors_definition *definition);

extern const struct cor_monitor cor_monitor_exact, cor_monitor_lagging;

static const struct cor_monitor *const builtins[] = {&cor_monitor_exact, &cor_monitor_lagging, NULL};

const struct cor_monitor *cor_monitor_builtin(size_t index) {
    return builtins[index];
}

static enum cor_status unusable(const char *origin, struct cor_error *error, const char *what) {
    return cor_fail(error, COR_STATUS_PLUGIN, origin, "see <corridor/monitor.h>",
                    "the monitor cannot be used: %s", what);
}

/* What monitor.h asks beyond the version. */
static enum cor_status check_monitor(const void *copy, const char *origin, struct cor_error *error) {
    const struct cor_monitor *monitor = copy;
    const uint32_t all = COR_MONITOR_ORGANIZATION | COR_MONITOR_AGENT;
    if (!monitor->name || !monitor->version || !monitor->summary || !monitor->name[0] ||
        strlen(monitor->name) >= COR_MONITORS_NAME || !cor_is_printable(monitor->name))
        return unusable(origin, error, "say its name, version and summary");
    if (!monitor->look)
        return unusable(origin, error, "it has no look()");
    if ((monitor->watches & all) == 0 || (monitor->watches & ~all) != 0)
        return unusable(origin, error, "say whom it watches: organizations, agents, or both");
    if (monitor->tolerance > COR_MONITOR_TOLERANCE_MAX)
        return unusable(origin, error, "its tolerance is above 1000 looks");
    if (monitor->state_size > COR_MONITOR_STATE_BYTES_MAX)
        return unusable(origin, error, "its state is larger than 1 MiB");
    size_t bytes = 1;
    for (uint32_t f = 0; monitor->faults && monitor->faults[f].name; f++) {
        const char *name = monitor->faults[f].name;
        bytes += strlen(name) + 1;
        if (f == COR_MONITOR_FAULTS_MAX || bytes > FAULT_TEXT)
            return unusable(origin, error, "its list of faults has no end");
        if (!name[0] || !cor_is_printable(name) || strcmp(name, "none") == 0)
            return unusable(origin, error, "each fault has a name, which is not \"none\"");
    }
    return COR_OK;
}

static const struct cor_module_kind monitor_kind = {.symbol = COR_MONITOR_SYMBOL,
                                                    .what = "a monitor",
                                                    .first_fields = "COR_MONITOR",
                                                    .header = "<corridor/monitor.h>",
                                                    .magic = COR_MONITOR_MAGIC,
                                                    .major = COR_MONITOR_MAJOR,
                                                    .minor = COR_MONITOR_MINOR,
                                                    .size = sizeof(struct cor_monitor),
                                                    .size_least = sizeof(struct cor_monitor),
                                                    .check = check_monitor};

/* Writes what the monitor says of itself into the head. */
static void introduce(struct cor_monitors *m) {
    struct head *head = m->head;
    char *at = head->faults;
    strcpy(head->name, m->monitor.name);
    for (uint32_t f = 0; m->monitor.faults && m->monitor.faults[f].name; f++)
        at = stpcpy(at, m->monitor.faults[f].name) + 1;
    *at = '\0';
    head->watches = m->monitor.watches;
    head->tolerance = m->monitor.tolerance;
    head->state_size = m->monitor.state_size;
}

/* The fault called fault_name among those the monitor has; COR_STATUS_INPUT: there is none. */
static enum cor_status find_fault(struct cor_monitors *m, struct cor_error *error) {
    const char *names[COR_MONITOR_FAULTS_MAX + 2];
    uint32_t count = 0;
    names[count++] = "none";
    m->head->faults[FAULT_TEXT - 1] = m->head->faults[FAULT_TEXT - 2] = '\0';
    for (const char *at = m->head->faults; *at && count <= COR_MONITOR_FAULTS_MAX; at += strlen(at) + 1)
        names[count++] = at;
    names[count] = NULL;
    for (m->said.fault = 0; m->said.fault < count; m->said.fault++)
        if (strcmp(names[m->said.fault], m->fault_name) == 0)
            return COR_OK;
    char known[1024];
    cor_known_names(m->fault_name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "the monitor %s has no fault \"%s\"", m->said.name,
                    m->fault_name);
}

/* ---- the page */

static uint32_t instance_count(const struct cor_monitors *m) {
    return m->subject == COR_MONITOR_AGENT ? m->system.agent_count : m->block_room;
}

/* A page with room for so many blocks, members and states at least: no room is given up, since what the old
 * one had goes over. */
static enum cor_status make_page(struct cor_monitors *m, uint32_t blocks, uint32_t members,
                                 struct cor_error *error) {
    const struct cor_monitors old = *m;
    const uint32_t old_instances = old.page ? instance_count(&old) : 0;
    const size_t cells = (size_t)m->system.column_count * m->system.agent_count;
    size_t end = 0;
    m->block_room = blocks = blocks > old.block_room ? blocks : old.block_room;
    m->member_room = members = members > old.member_room ? members : old.member_room;
    m->stride = (size_t)(m->said.state_size + 15) / 16 * 16;
    m->state_bytes = m->stride * instance_count(m);
    const size_t head = cor_page_reserve(&end, sizeof *m->head),
                 values = cor_page_reserve(&end, cells * sizeof(double)),
                 start = cor_page_reserve(&end, (blocks + (size_t)1) * 4),
                 list = cor_page_reserve(&end, members * (size_t)4),
                 names = cor_page_reserve(&end, blocks * (size_t)4),
                 has = cor_page_reserve(&end, instance_count(m) * (size_t)4),
                 states = cor_page_reserve(&end, m->state_bytes);
    void *page = mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned char *before_look = cor_calloc(1, end - has);
    if (page == MAP_FAILED || !before_look) {
        if (page != MAP_FAILED)
            munmap(page, end);
        free(before_look);
        *m = old;
        return cor_fail_memory(error);
    }
    m->page = page;
    m->page_bytes = end;
    m->before_look = before_look;
    m->head = (struct head *)(m->page + head);
    m->cell.page = &m->head->cell;
    m->values = (double *)(m->page + values);
    m->start = (uint32_t *)(m->page + start);
    m->members = (uint32_t *)(m->page + list);
    m->names = (uint32_t *)(m->page + names);
    m->has_instance = (uint32_t *)(m->page + has);
    m->states = m->page + states;
    if (!old.page)
        return COR_OK;
    *m->head = *old.head;
    memcpy(m->names, old.names, old.block_room * sizeof *m->names);
    if (old.stride == m->stride) {
        memcpy(m->has_instance, old.has_instance, old_instances * sizeof *m->has_instance);
        memcpy(m->states, old.states, old_instances * m->stride);
    }
    munmap(old.page, old.page_bytes);
    free(old.before_look);
    return COR_OK;
}

/* ---- what an instance sees */

static void garble(struct head *head, const char *format, ...) COR_PRINTF(2, 3);
static void garble(struct head *head, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    head->is_garbled = 1;
    vsnprintf(head->complaint, sizeof head->complaint, format, arguments);
    va_end(arguments);
}

/* One instance looks at these members of the block. */
static void look_one(struct cor_monitors *m, uint32_t instance, uint32_t block, uint32_t agent,
                     const uint32_t *members, uint32_t count) {
    const struct cor_monitors_system *s = &m->system;
    struct head *head = m->head;
    for (uint32_t c = 0; c < s->column_count; c++) {
        m->view_columns[c] = m->view_values + (size_t)c * count;
        for (uint32_t i = 0; i < count; i++)
            m->view_values[(size_t)c * count + i] = m->values[(size_t)c * s->agent_count + members[i]];
    }
    for (uint32_t f = 0; f < s->filter_count; f++)
        for (uint32_t i = 0; i < count; i++)
            m->view_filters[(size_t)f * count + i] = s->filters[f][members[i]];
    const struct cor_monitor_view view = {.struct_size = sizeof view,
                                          .fault = m->said.fault,
                                          .now = head->now,
                                          .formed = head->formed,
                                          .organization = m->names[block],
                                          .agent = agent,
                                          .size = m->start[block + 1] - m->start[block],
                                          .member_count = count,
                                          .members = members,
                                          .column_count = s->column_count,
                                          .condition_count = s->condition_count,
                                          .columns = s->columns,
                                          .values = m->view_columns,
                                          .conditions = m->view_list,
                                          .looks = s->looks};
    struct cor_monitor_alarm alarm = {view.organization, agent};
    unsigned char *state = m->states + instance * m->stride;
    if (!m->has_instance[instance])
        memset(state, 0, m->stride);
    m->has_instance[instance] = 1;
    if (m->in_cell)
        cor_module_settle();
    const int gave = m->monitor.look(state, &view, &alarm);
    bool is_member = alarm.agent == COR_MONITOR_NOBODY;
    for (uint32_t i = 0; i < count && !is_member; i++)
        is_member = members[i] == alarm.agent;
    if (gave != 0 && gave != 1)
        garble(head, "look() of %s gave %d, which is neither 0 nor 1", m->what, gave);
    else if (gave == 1 && alarm.organization != view.organization)
        garble(head, "%s raised an alarm for organization %u, but it watches %u", m->what, alarm.organization,
               view.organization);
    else if (gave == 1 && !is_member)
        garble(head, "%s raised an alarm for agent %u, which it does not see", m->what, alarm.agent);
    if (gave == 1 && !head->is_garbled && !head->alarm) {
        head->alarm = 1;
        head->organization = block;
        head->agent = alarm.agent;
    }
}

/* All instances look, in the process that has the monitor; what comes of it is in the head. */
static void look_all(struct cor_monitors *m) {
    struct head *head = m->head;
    const uint32_t agents = m->system.agent_count;
    if (m->subject == COR_MONITOR_ORGANIZATION) {
        for (uint32_t b = 0; b < head->block_count && !head->is_garbled; b++)
            look_one(m, b, b, COR_MONITOR_NOBODY, m->members + m->start[b], m->start[b + 1] - m->start[b]);
        return;
    }
    /* An agent of several organizations looks for the first, one of none does not. */
    memset(m->place_of, 0xff, agents * sizeof *m->place_of);
    for (uint32_t b = head->block_count; b-- > 0;)
        for (uint32_t i = m->start[b]; i < m->start[b + 1]; i++)
            m->place_of[m->members[i]] = b;
    for (uint32_t a = 0; a < agents && !head->is_garbled; a++)
        if (m->place_of[a] != COR_NOBODY)
            look_one(m, a, m->place_of[a], a, &a, 1);
}

/* ---- from one structure to the next */

/* Names, and instances of organizations, go over to the structure as it is. */
static enum cor_status succeed(struct cor_monitors *m, const struct cor_lists *now, struct cor_error *error) {
    if (now->block_count > m->block_room || now->member_count > m->member_room) {
        cor_module_cell_end(&m->cell);
        COR_TRY(make_page(m, 2 * now->block_count, 2 * now->member_count, error));
    }
    if (!m->has_before)
        cor_lists_clear(&m->before);
    COR_TRY(COR_RESERVE(&m->owner, &m->owner_capacity, (size_t)now->block_count + 1, error));
    COR_TRY(cor_lists_succeed(&m->before, now, m->system.agent_count, m->owner, error));
    const uint32_t olds = m->before.block_count;
    const bool moves = m->subject == COR_MONITOR_ORGANIZATION;
    COR_FREED uint32_t *names = cor_calloc(olds, sizeof *names), *has = cor_calloc(olds, sizeof *has);
    COR_FREED unsigned char *states = cor_calloc(olds, m->stride + 1);
    if (!names || !has || !states)
        return cor_fail_memory(error);
    memcpy(names, m->names, olds * sizeof *names);
    if (moves) {
        memcpy(has, m->has_instance, olds * sizeof *has);
        memcpy(states, m->states, olds * m->stride);
    }
    for (uint32_t b = 0; b < now->block_count; b++) {
        const uint32_t o = m->owner[b];
        m->names[b] = o != COR_NOBODY ? names[o] : m->next_name++;
        if (moves)
            m->has_instance[b] = o != COR_NOBODY && has[o];
        if (moves && o != COR_NOBODY)
            memcpy(m->states + b * m->stride, states + o * m->stride, m->stride);
    }
    m->head->formed = m->head->now;
    m->has_before = true;
    return cor_lists_copy(&m->before, now, error);
}

enum cor_status cor_monitors_look(struct cor_monitors *m, bool is_time, const struct cor_lists *structure,
                                  const double *const *values, struct cor_monitors_answer *answer,
                                  struct cor_error *error) {
    const struct cor_monitors_system *s = &m->system;
    *answer = (struct cor_monitors_answer){
        .agent = COR_NOBODY, .organization = COR_NOBODY, .smoke = COR_SMOKE_NONE};
    m->head->now++;
    answer->is_new = !m->has_before || !cor_lists_same_blocks(&m->before, structure);
    if (answer->is_new)
        COR_TRY(succeed(m, structure, error));
    if (!is_time)
        return COR_OK;
    struct head *head = m->head;
    head->block_count = structure->block_count;
    head->alarm = head->is_garbled = 0;
    m->start[0] = 0; /* lists that never had a block have no arrays */
    if (structure->block_count > 0)
        memcpy(m->start, structure->start, (structure->block_count + (size_t)1) * sizeof *m->start);
    if (structure->member_count > 0)
        memcpy(m->members, structure->members, structure->member_count * sizeof *m->members);
    for (uint32_t c = 0; c < s->column_count; c++)
        memcpy(m->values + (size_t)c * s->agent_count, values[c], s->agent_count * sizeof(double));
    if (m->in_cell) {
        struct cor_turn_report report;
        COR_TRY(cell_look(m, &report, error));
        answer->smoke = report.smoke;
        answer->by_machine = report.by_machine;
        answer->fate = report.fate;
        memcpy(answer->complaint, report.words, sizeof answer->complaint);
    } else {
        look_all(m);
    }
    if (answer->smoke == COR_SMOKE_NONE && head->is_garbled) {
        answer->smoke = COR_SMOKE_GARBLED;
        head->complaint[sizeof head->complaint - 1] = '\0';
        memcpy(answer->complaint, head->complaint, sizeof answer->complaint);
        cor_make_printable(answer->complaint);
    }
    answer->alarm = answer->smoke == COR_SMOKE_NONE && head->alarm != 0;
    if (answer->alarm) {
        answer->organization = head->organization;
        answer->agent = head->agent;
    }
    return COR_OK;
}

/* ---- their life */

static enum cor_status load(struct cor_monitors *m, struct cor_error *error) {
    if (m->in_cell)
        return cell_load(m, error);
    if (strchr(m->path, '/')) {
        COR_TRY(cor_module_open(&monitor_kind, m->path, &m->handle, &m->monitor, error));
    } else {
        const struct cor_monitor *const *it = builtins;
        while (*it && strcmp((*it)->name, m->path) != 0)
            it++;
        if (!*it) {
            const char *name = m->path;
            const char *names[sizeof builtins / sizeof *builtins];
            char known[1024];
            for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
                names[i] = builtins[i] ? builtins[i]->name : NULL;
            cor_known_names(name, names, known, sizeof known);
            return cor_fail(error, COR_STATUS_INPUT, NULL, known, "there is no monitor \"%s\"", name);
        }
        COR_TRY(cor_module_copy(&monitor_kind, *it, "built-in", &m->monitor, error));
    }
    introduce(m);
    return COR_OK;
}

static enum cor_status check_subject(const struct cor_monitors *m, struct cor_error *error) {
    const bool is_agent = m->subject == COR_MONITOR_AGENT;
    if (m->said.watches & m->subject)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, NULL,
                    is_agent ? "write \"for\": \"organization\"" : "write \"for\": \"agent\"",
                    "the monitor %s does not watch %s", m->said.name, is_agent ? "agents" : "organizations");
}

/* What it says of itself, in a page that is gone when its states have room. */
static enum cor_status hear(struct cor_monitors *m, struct cor_error *error) {
    COR_TRY(make_page(m, 1, 1, error));
    COR_TRY(load(m, error));
    m->said = (struct cor_monitors_introduction){
        .watches = m->head->watches, .tolerance = m->head->tolerance, .state_size = m->head->state_size};
    memcpy(m->said.name, m->head->name, sizeof m->said.name);
    COR_TRY(find_fault(m, error));
    COR_TRY(check_subject(m, error));
    /* What is more than the built-in monitors look at is refused: overlooked it would be a missed alarm. */
    if (!strchr(m->path, '/')) {
        if (m->system.agent_count > COR_OBSERVE_MEMBERS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "take fewer agents, or a module",
                            "the monitor %s looks at %d agents at most; there are %u", m->said.name,
                            COR_OBSERVE_MEMBERS_MAX, m->system.agent_count);
        for (uint32_t c = 0; c < m->system.condition_count; c++)
            if (m->system.conditions[c].step_count > COR_OBSERVE_STEPS_MAX)
                return cor_fail(error, COR_STATUS_INPUT, NULL, "make two triggers of it, or take a module",
                                "the monitor %s reckons conditions of %d steps at most; a trigger has %u",
                                m->said.name, COR_OBSERVE_STEPS_MAX, m->system.conditions[c].step_count);
        uint32_t waiting = 0;
        for (uint32_t c = 0; m->system.looks && c < m->system.condition_count; c++)
            waiting += m->system.looks[c] > 1;
        if (waiting > COR_OBSERVE_WAITS_MAX)
            return cor_fail(error, COR_STATUS_INPUT, NULL, "take fewer of them, or a module",
                            "the monitor %s counts cases of %d triggers for \"each\" at most; there are %u",
                            m->said.name, COR_OBSERVE_WAITS_MAX, waiting);
    }
    cor_module_cell_end(&m->cell);
    return COR_OK;
}

enum cor_status cor_monitors_create(const struct cor_monitors_definition *definition,
                                    const struct cor_monitors_system *system, struct cor_monitors **monitors,
                                    struct cor_error *error) {
    COR_DESTROYED(cor_monitors) struct cor_monitors *m = cor_calloc(1, sizeof *m);
    *monitors = NULL;
    COR_TRY(cor_made(m, error));
    cor_lists_init(&m->before);
    m->subject = definition->subject;
    m->in_cell = definition->in_cell && strchr(definition->monitor, '/');
    m->path = cor_strdup(definition->monitor);
    m->fault_name = cor_strdup(definition->fault);
    COR_TRY(cor_made(m->path, error));
    COR_TRY(cor_made(m->fault_name, error));
    if (system)
        m->system = *system;
    const uint32_t agents = m->system.agent_count;
    const struct cor_monitors_system *s = &m->system;
    m->view_values = cor_calloc((size_t)s->column_count * s->agent_count, sizeof *m->view_values);
    m->view_columns = cor_calloc(s->column_count, sizeof *m->view_columns);
    m->view_filters = cor_calloc((size_t)s->filter_count * s->agent_count, 1);
    m->view_conditions = cor_calloc(s->condition_count, sizeof *m->view_conditions);
    m->view_list = cor_calloc(s->condition_count, sizeof *m->view_list);
    m->place_of = cor_calloc(s->agent_count, sizeof *m->place_of);
    const bool is_made = m->view_values && m->view_columns && m->view_filters && m->view_conditions &&
                         m->view_list && m->place_of;
    for (uint32_t c = 0; is_made && c < s->condition_count; c++) {
        m->view_conditions[c] = s->conditions[c];
        m->view_conditions[c].filters = m->view_filters;
        m->view_list[c] = &m->view_conditions[c];
    }
    COR_TRY(is_made ? COR_OK : cor_fail_memory(error));
    cell_make(m, definition);
    if (m->in_cell && definition->introduction)
        m->said = *definition->introduction;
    else
        COR_TRY(hear(m, error));
    snprintf(m->what, sizeof m->what, "the monitor %s", m->said.name);
    COR_TRY(make_page(m, agents + 1, agents + 1, error));
    *monitors = cor_taken(&m);
    return COR_OK;
}

void cor_monitors_destroy(struct cor_monitors *m) {
    if (!m)
        return;
    cor_module_cell_fini(&m->cell);
    cor_module_close(m->handle);
    if (m->page)
        munmap(m->page, m->page_bytes);
    free(m->before_look);
    m->page = NULL;
    m->before_look = NULL;
    cor_lists_fini(&m->before);
    COR_FREE(m->view_values, m->view_columns, m->view_filters, m->view_conditions, m->view_list, m->place_of,
             m->owner, m->path, m->fault_name, m);
}

const struct cor_monitors_introduction *cor_monitors_introduction(const struct cor_monitors *m) {
    return &m->said;
}

void cor_monitors_restart(struct cor_monitors *m) {
    memset(m->has_instance, 0, instance_count(m) * sizeof *m->has_instance);
    m->has_before = false;
    m->head->now = m->head->formed = 0;
    m->next_name = 0;
}

/* ---- kept, and set again */

struct cor_monitors_saved {
    struct cor_lists before; /* owned, as all here */
    unsigned char *states;
    uint32_t *names, *has_instance;
    uint64_t now, formed;
    uint32_t next_name, blocks, instances;
    bool has_before;
};

void cor_monitors_saved_destroy(struct cor_monitors_saved *saved) {
    if (!saved)
        return;
    cor_lists_fini(&saved->before);
    COR_FREE(saved->states, saved->names, saved->has_instance, saved);
}

enum cor_status cor_monitors_save(const struct cor_monitors *m, struct cor_monitors_saved **saved,
                                  struct cor_error *error) {
    cor_monitors_saved_destroy(*saved);
    struct cor_monitors_saved *s = *saved = cor_calloc(1, sizeof *s);
    COR_TRY(cor_made(s, error));
    cor_lists_init(&s->before);
    s->blocks = m->block_room;
    s->instances = instance_count(m);
    s->states = cor_calloc(m->state_bytes + 1, 1);
    s->names = cor_calloc(s->blocks, sizeof *s->names);
    s->has_instance = cor_calloc(s->instances, sizeof *s->has_instance);
    if (!s->states || !s->names || !s->has_instance)
        return cor_fail_memory(error);
    memcpy(s->states, m->states, m->state_bytes);
    memcpy(s->names, m->names, s->blocks * sizeof *s->names);
    memcpy(s->has_instance, m->has_instance, s->instances * sizeof *s->has_instance);
    s->now = m->head->now;
    s->formed = m->head->formed;
    s->next_name = m->next_name;
    s->has_before = m->has_before;
    return cor_lists_copy(&s->before, &m->before, error);
}

enum cor_status cor_monitors_restore(struct cor_monitors *m, const struct cor_monitors_saved *s,
                                     struct cor_error *error) {
    COR_ASSERT(s->blocks <= m->block_room && s->instances <= instance_count(m)); /* rooms only grow */
    memcpy(m->states, s->states, s->instances * m->stride);
    memcpy(m->names, s->names, s->blocks * sizeof *m->names);
    memcpy(m->has_instance, s->has_instance, s->instances * sizeof *m->has_instance);
    m->head->now = s->now;
    m->head->formed = s->formed;
    m->next_name = s->next_name;
    m->has_before = s->has_before;
    return cor_lists_copy(&m->before, &s->before, error);
}

/* ---- A module in a process of its own, forked from the session's, so that it knows the system
 * (module_cell.h) */

static enum cor_status load_cell(void *owner, struct cor_error *error) {
    struct cor_monitors *m = owner;
    COR_TRY(cor_module_open(&monitor_kind, m->path, &m->handle, &m->monitor, error));
    introduce(m);
    return COR_OK;
}

/* Instances remember what they did before the look, also if it was begun before. */
static void lay_out(void *owner) {
    struct cor_monitors *m = owner;
    unsigned char *remembered = (unsigned char *)m->has_instance;
    memcpy(remembered, m->before_look, (size_t)(m->page + m->page_bytes - remembered));
    m->head->alarm = m->head->is_garbled = 0;
}

static void work(void *owner) {
    look_all(owner);
}

/* In a cell (monitors.c), which is made: the module is loaded there and says what it is; all instances
 * look. */
static void cell_make(struct cor_monitors *m, const struct cor_monitors_definition *definition) {
    m->cell = (struct cor_module_cell){.path = m->path,
                                       .what = m->what,
                                       .page = m->cell.page,
                                       .is_full = definition->is_full,
                                       .cpu_seconds = definition->cpu_seconds,
                                       .owner = m,
                                       .load = load_cell,
                                       .lay_out = lay_out,
                                       .work = work};
}

static enum cor_status cell_load(struct cor_monitors *m, struct cor_error *error) {
    const uint32_t all = COR_MONITOR_ORGANIZATION | COR_MONITOR_AGENT;
    struct head *head = m->head;
    COR_TRY(cor_module_cell_start(&m->cell, error));
    head->name[sizeof head->name - 1] = '\0';
    if (head->state_size > COR_MONITOR_STATE_BYTES_MAX || head->tolerance > COR_MONITOR_TOLERANCE_MAX ||
        (head->watches & ~all) != 0 || !cor_is_printable(head->name))
        return cor_fail(error, COR_STATUS_PLUGIN, m->path, "see <corridor/monitor.h>",
                        "what the monitor says of itself makes no sense");
    return COR_OK;
}

static enum cor_status cell_look(struct cor_monitors *m, struct cor_turn_report *report,
                                 struct cor_error *error) {
    const unsigned char *remembered = (const unsigned char *)m->has_instance;
    memcpy(m->before_look, remembered, (size_t)(m->page + m->page_bytes - remembered));
    return cor_module_cell_turn(&m->cell, report, error);
}
