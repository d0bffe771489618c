/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of what works beside an algorithm: mechanisms and monitors. They work in this process, which is the
 * check's own: whatever crashes or never ends is found by who started it. What they are asked is made of the
 * tasks of algorithms: a mechanism does its work in one, a monitor looks at several cases made of one. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/mechanism_host.h>
#include <corridor/monitors.h>

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOOKS 12u     /* of a monitor, at one task */
#define MOST 1e6      /* of an attribute */
#define NEEDS_MOST 64 /* columns that a mechanism reads or writes */

/* What is checked. */
static struct {
    const char *origin;
    const struct cor_mechanism *mechanism; /* NULL: it is a monitor: */
    const struct cor_monitor *monitor;
    uint32_t fault_count, alarms;
    bool is_judged;                /* what it gives, too; else only whether it is the same */
    struct cor_algorithm stand_in; /* that declares as much: of it tasks are made */
    const char *needs[NEEDS_MOST + 1];
} beside;

/* The constant that the module, or what is built in, exports by that symbol; NULL: none. */
static const void *exported(const char *text, const char *symbol) {
    void *handle = dlopen(text, RTLD_NOW | RTLD_LOCAL);
    const void *found = handle ? dlsym(handle, symbol) : NULL;
    if (handle && !found)
        dlclose(handle);
    return found; /* stays open: it is used */
}

static const struct cor_monitor *builtin_monitor(const char *name) {
    const struct cor_monitor *monitor = NULL;
    for (size_t i = 0; (monitor = cor_monitor_builtin(i)); i++)
        if (strcmp(monitor->name, name) == 0)
            break;
    return monitor;
}

static const struct cor_mechanism *builtin_mechanism(const char *name) {
    const struct cor_mechanism *mechanism = NULL;
    for (size_t i = 0; (mechanism = cor_mechanism_builtin(i)); i++)
        if (strcmp(mechanism->name, name) == 0)
            break;
    return mechanism;
}

const char *cor_conformance_beside(size_t index) {
    size_t mechanisms = 0;
    while (cor_mechanism_builtin(mechanisms))
        mechanisms++;
    const struct cor_monitor *monitor = index < mechanisms ? NULL : cor_monitor_builtin(index - mechanisms);
    return index < mechanisms ? cor_mechanism_builtin(index)->name : monitor ? monitor->name : NULL;
}

bool cor_conformance_is_beside(const char *name) {
    return builtin_mechanism(name) || builtin_monitor(name);
}

bool conformance__is_beside(const char *text) {
    if (!strchr(text, '/'))
        return cor_conformance_is_beside(text);
    return exported(text, COR_MECHANISM_SYMBOL) || exported(text, COR_MONITOR_SYMBOL);
}

/* ---- to be loaded */

static void add_need(const char *name) {
    char known[COR_NEED_SIZE], unit[COR_NEED_SIZE];
    const size_t length = strcspn(name, " [");
    uint32_t count = 0;
    if (strcmp(name, "value") == 0)
        return;
    for (; beside.needs[count]; count++)
        if (cor_algorithm_need(beside.needs[count], known, unit) && strlen(known) == length &&
            strncmp(known, name, length) == 0)
            return;
    if (count < NEEDS_MOST)
        beside.needs[count] = name;
}

static enum cor_status load_mechanism(struct conformance__probe *probe) {
    const struct cor_mechanism *m;
    COR_TRY(cor_registry_mechanism(probe->registry, beside.origin, &m, &probe->error));
    beside.mechanism = m;
    for (beside.fault_count = 0; m->faults && m->faults[beside.fault_count].name;)
        beside.fault_count++;
    for (uint32_t i = 0; m->needs && m->needs[i]; i++)
        add_need(m->needs[i]);
    for (uint32_t i = 0; m->writes[i]; i++)
        add_need(m->writes[i]);
    beside.stand_in = (struct cor_algorithm){COR_ALGORITHM, .name = m->name, .version = m->version,
                                             .parameters = m->parameters, .needs = beside.needs};
    return COR_OK;
}

/* With the conditions that the system below has. */
static enum cor_status open_monitors(const struct conformance__trial *trial, uint32_t fault,
                                     struct cor_monitors **monitors, struct cor_error *error) {
    static const struct cor_objective_step steps[2][4] = {
        /* At most half of what all could have; at most four members. */
        {{.what = COR_OBJECTIVE_SUM, .by_block = 1, .filter = COR_OBJECTIVE_NO_FILTER},
         {.what = COR_OBJECTIVE_CONSTANT, .constant = 1.5, .filter = COR_OBJECTIVE_NO_FILTER},
         {.what = COR_OBJECTIVE_LESS_EQUAL, .by_block = 1, .left = 0, .right = 1},
         {.what = COR_OBJECTIVE_ALL_OF, .left = COR_NO_BLOCK, .right = 2}},
        {{.what = COR_OBJECTIVE_COUNT, .by_block = 1, .filter = COR_OBJECTIVE_NO_FILTER},
         {.what = COR_OBJECTIVE_CONSTANT, .constant = 4, .filter = COR_OBJECTIVE_NO_FILTER},
         {.what = COR_OBJECTIVE_LESS_EQUAL, .by_block = 1, .left = 0, .right = 1},
         {.what = COR_OBJECTIVE_ALL_OF, .left = COR_NO_BLOCK, .right = 2}}};
    static const struct cor_objective conditions[] = {{4, 0, steps[0], NULL}, {4, 0, steps[1], NULL}};
    static const struct cor_monitor_column columns[] = {{"value", ""}};
    static struct cor_monitors_system system;
    system = (struct cor_monitors_system){.agent_count = trial ? trial->task.agent_count : 0,
                                          .column_count = 1,
                                          .condition_count = 2,
                                          .columns = columns,
                                          .conditions = conditions};
    const bool by_organization = !beside.monitor || (beside.monitor->watches & COR_MONITOR_ORGANIZATION) != 0;
    const struct cor_monitors_definition definition = {
        .monitor = beside.origin,
        .fault = fault == 0 ? "none" : beside.monitor->faults[fault - 1].name,
        .subject = by_organization ? COR_MONITOR_ORGANIZATION : COR_MONITOR_AGENT};
    return cor_monitors_create(&definition, trial ? &system : NULL, monitors, error);
}

static enum cor_status load_monitor(struct conformance__probe *probe) {
    struct cor_monitors *made;
    const struct cor_monitor *found = strchr(beside.origin, '/') ? exported(beside.origin, COR_MONITOR_SYMBOL)
                                                                 : builtin_monitor(beside.origin);
    enum cor_status status = open_monitors(NULL, 0, &made, &probe->error);
    /* It watches agents alone; all else of it was looked at before. */
    if (status == COR_STATUS_INPUT && (found->watches & COR_MONITOR_AGENT)) {
        probe->error = COR_NO_ERROR;
        status = COR_OK;
    }
    cor_monitors_destroy(made);
    COR_TRY(status);
    beside.monitor = found;
    while (found->faults && found->faults[beside.fault_count].name)
        beside.fault_count++;
    beside.stand_in = (struct cor_algorithm){COR_ALGORITHM, .name = found->name, .version = found->version};
    return COR_OK;
}

enum cor_status conformance__beside_load(struct conformance__probe *probe, const char *text,
                                         const char **shape, uintptr_t *function) {
    const bool is_mechanism =
        strchr(text, '/') ? exported(text, COR_MECHANISM_SYMBOL) != NULL : builtin_mechanism(text) != NULL;
    beside.origin = text;
    COR_TRY(is_mechanism ? load_mechanism(probe) : load_monitor(probe));
    probe->algorithm = &beside.stand_in;
    *shape = is_mechanism ? "mechanism" : "monitor";
    *function = is_mechanism ? (uintptr_t)beside.mechanism->work : (uintptr_t)beside.monitor->look;
    return COR_OK;
}

/* ---- at work */

/* The value lies in 0 .. 1. What an attribute is in the user's model nobody knows here: a load, the place of
 * a word; so what is written to it may be nearly any number. */
static void widen(struct conformance__trial *trial) {
    for (uint32_t c = 1; c < trial->rules.value_count; c++) {
        trial->described[c].min = -MOST;
        trial->described[c].max = MOST;
    }
}

static bool try(struct conformance__probe *probe, uint32_t agents, uint64_t seed) {
    if (!conformance__probe_try(probe, agents, seed, 0, 0))
        return false;
    widen(&probe->trial);
    return true;
}

/* Values that are all alike, as small or as large as can be, and some that nobody has. An attribute without a
 * unit may be a yes or a word: it is not shown more than 1; and no attribute less than 0, which many cannot
 * be. */
static void make_odd(struct conformance__trial *trial, uint64_t seed) {
    const uint32_t n = trial->task.agent_count;
    for (uint32_t c = 0; c < trial->rules.value_count && seed > 0; c++) {
        const double most = trial->described[c].unit[0] ? trial->described[c].max : 1;
        double *column = trial->values + (size_t)c * n;
        for (uint32_t i = 0; i < n; i++)
            column[i] = c > 0 && seed == 3 && (c * n + i) % 3 == 0 ? NAN
                        : seed == 1 || (seed == 3 && i % 2 == 0)   ? 0
                                                                   : most;
    }
}

static uint64_t hash_real(uint64_t hash, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return cor_hash_word(hash, isnan(number) ? 0 : bits);
}

static void put_structure(struct conformance__probe *probe, const struct cor_task *task,
                          struct cor_lists *structure) {
    cor_lists_clear(structure);
    for (uint32_t b = 0; b < task->block_count; b++)
        conformance__probe_trouble(probe, cor_lists_put(structure, task->members + task->block_start[b],
                                                        task->block_start[b + 1] - task->block_start[b],
                                                        &probe->error));
}

/* A refusal with words is an answer. */
static void judge(struct conformance__probe *probe, enum cor_smoke smoke, const char *complaint) {
    if (beside.is_judged && smoke != COR_SMOKE_NONE &&
        !(smoke == COR_SMOKE_COMPLAINED && strchr(complaint, ':')))
        conformance__probe_broken(probe, "%s", complaint);
}

static struct cor_mechanism_desk *open_desk(struct conformance__probe *probe,
                                            const struct conformance__trial *trial, uint32_t fault) {
    struct cor_mechanism_desk *desk;
    const struct cor_mechanism_definition definition = {.mechanism = beside.mechanism,
                                                        .rules = &trial->rules,
                                                        .parameters = trial->parameters,
                                                        .fault = fault,
                                                        .agent_count = trial->task.agent_count};
    conformance__probe_trouble(probe, cor_mechanism_desk_create(&definition, &desk, &probe->error));
    return desk;
}

/* A case at the desk: what came of it. */
static uint64_t do_work(struct conformance__probe *probe, struct cor_mechanism_desk *desk,
                        const struct conformance__trial *trial) {
    struct cor_mechanism_outcome outcome;
    struct cor_lists structure;
    cor_lists_init(&structure);
    put_structure(probe, &trial->task, &structure);
    const struct cor_mechanism_task task = {
        .columns = trial->columns, .structure = &structure, .name = trial->name};
    conformance__fill_stack(probe->stack_fill);
    conformance__probe_trouble(probe, cor_mechanism_work(desk, &task, &outcome, &probe->error));
    judge(probe, outcome.smoke, outcome.complaint);
    uint64_t hash = cor_hash_word(COR_HASH_SEED, outcome.smoke);
    hash = hash_real(cor_hash_word(hash, outcome.written), outcome.cost);
    for (uint32_t c = 0; c < trial->rules.value_count; c++) {
        const double *column = cor_mechanism_desk_column(desk, c);
        for (uint32_t i = 0; column && i < trial->task.agent_count; i++)
            hash = hash_real(hash, column[i]);
    }
    cor_lists_fini(&structure);
    return hash;
}

/* A sequence of cases: values go round among the agents, and structures come and go. */
static uint64_t do_looks(struct conformance__probe *probe, struct cor_monitors *monitors,
                         const struct conformance__trial *trial) {
    const uint32_t n = trial->task.agent_count;
    uint64_t hash = COR_HASH_SEED;
    COR_FREED double *values = cor_calloc(n, sizeof *values);
    struct cor_lists structure;
    cor_lists_init(&structure);
    conformance__probe_trouble(probe, cor_made(values, &probe->error));
    cor_monitors_restart(monitors);
    for (uint32_t l = 0; l < LOOKS && !probe->broken; l++) {
        struct cor_monitors_answer answer;
        const uint32_t blocks = l < LOOKS / 3 ? 0 : l < LOOKS / 3 * 2 ? 1 + n / 3 : 1;
        for (uint32_t i = 0; i < n; i++)
            values[i] = trial->values[(i + l) % n];
        cor_lists_clear(&structure);
        for (uint32_t b = 0; b < (blocks > 0 ? blocks : trial->task.block_count); b++) {
            const uint32_t first = blocks > 0 ? (uint32_t)((uint64_t)b * n / blocks) : trial->start[b],
                           end =
                               blocks > 0 ? (uint32_t)(((uint64_t)b + 1) * n / blocks) : trial->start[b + 1];
            conformance__probe_trouble(
                probe, cor_lists_put(&structure, trial->members + first, end - first, &probe->error));
        }
        conformance__fill_stack(probe->stack_fill);
        conformance__probe_trouble(probe, cor_monitors_look(monitors, true, &structure,
                                                            (const double *const[]){values}, &answer,
                                                            &probe->error));
        judge(probe, answer.smoke, answer.complaint);
        beside.alarms += answer.alarm;
        hash = cor_hash_word(cor_hash_word(hash, answer.smoke), answer.alarm);
        hash = cor_hash_word(hash, answer.organization);
        hash = cor_hash_word(hash, answer.agent);
    }
    cor_lists_fini(&structure);
    return hash;
}

/* One who works, for a task: a desk or monitors. */
struct worker {
    struct cor_mechanism_desk *desk;
    struct cor_monitors *monitors;
};

static struct worker hire(struct conformance__probe *probe, const struct conformance__trial *trial,
                          uint64_t seed) {
    struct worker worker = {NULL, NULL};
    const uint32_t fault = (uint32_t)(seed % (beside.fault_count + 1));
    if (beside.mechanism)
        worker.desk = open_desk(probe, trial, fault);
    else
        conformance__probe_trouble(probe, open_monitors(trial, fault, &worker.monitors, &probe->error));
    return worker;
}

static uint64_t work(struct conformance__probe *probe, const struct worker *worker,
                     const struct conformance__trial *trial) {
    return worker->desk ? do_work(probe, worker->desk, trial) : do_looks(probe, worker->monitors, trial);
}

static void dismiss(struct worker *worker) {
    cor_mechanism_desk_destroy(worker->desk);
    cor_monitors_destroy(worker->monitors);
}

static uint64_t work_once(struct conformance__probe *probe, uint64_t seed) {
    struct worker worker = hire(probe, &probe->trial, seed);
    const uint64_t digest = work(probe, &worker, &probe->trial);
    dismiss(&worker);
    return digest;
}

static uint64_t seeds_of(void) {
    return beside.fault_count > CONFORMANCE__SEEDS ? beside.fault_count + 1 : CONFORMANCE__SEEDS + 1;
}

/* ---- the checks */

void conformance__check_works(struct conformance__probe *probe) {
    beside.is_judged = true;
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(); seed++)
            for (uint64_t odd = 0; odd < 4; odd++)
                if (try(probe, *n, seed)) {
                    make_odd(&probe->trial, odd);
                    work_once(probe, seed);
                }
    if (beside.monitor && beside.alarms == 0 && !probe->broken)
        conformance__probe_remark(probe, "it raised no alarm, whatever it was shown: the column value alone");
}

void conformance__check_beside_repeatable(struct conformance__probe *probe) {
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < seeds_of(); seed++) {
            if (!try(probe, *n, seed))
                continue;
            struct worker worker = hire(probe, &probe->trial, seed);
            const uint64_t first = work(probe, &worker, &probe->trial);
            if (work(probe, &worker, &probe->trial) != first)
                conformance__probe_broken(probe, "the same task gives another outcome the second time");
            conformance__probe_trouble(probe, conformance__trial_make(&probe->other, probe->algorithm, *n,
                                                                      seed + 77, &probe->error));
            widen(&probe->other);
            work(probe, &worker, &probe->other);
            if (work(probe, &worker, &probe->trial) != first)
                conformance__probe_broken(probe, "the same task gives another outcome after another task");
            dismiss(&worker);
            if (work_once(probe, seed) != first)
                conformance__probe_broken(probe, "the same task gives another outcome when it begins anew");
        }
}

void conformance__check_beside_digests(struct conformance__probe *probe) {
    for (const uint32_t *n = conformance__sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++)
            if (try(probe, *n, seed)) {
                fprintf(probe->out, "D%016" PRIx64 "\n", work_once(probe, seed));
                fflush(probe->out);
            }
}

void conformance__check_beside_parameters(struct conformance__probe *probe) {
    const struct cor_parameter *list = beside.stand_in.parameters;
    beside.is_judged = true;
    if (cor_parameter_count(list) == 0)
        conformance__probe_skip(probe, "it has no parameters");
    for (uint32_t p = 0; p < cor_parameter_count(list); p++)
        for (const uint32_t *n = conformance__sizes; *n > 0; n++)
            for (int is_most = 0; is_most < 2; is_most++)
                if (try(probe, *n, 0)) {
                    probe->trial.parameters[p] = is_most ? list[p].max : list[p].min;
                    work_once(probe, 0);
                }
}
