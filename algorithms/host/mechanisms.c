/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mechanisms that work beside the algorithm under test: those that are built in, loaded modules, and one at
 * work, which is shown copies and whose writes are checked. */
#include "mechanisms.h"

#include "algorithm.h"
#include "local.h"

#include <corridor/array.h>
#include <corridor/loader.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_LONGEST 1000u
#define MEMORY_MOST ((size_t)1 << 28) /* bytes that a mechanism may have in a call */

uint32_t cor_mechanism_parameter_count(const struct cor_mechanism *mechanism) {
    uint32_t count = 0;
    while (mechanism->parameters && mechanism->parameters[count].name)
        count++;
    return count;
}

bool cor_mechanism_writes(const struct cor_mechanism *mechanism, const char *column) {
    for (uint32_t i = 0; mechanism->writes[i]; i++)
        if (strcmp(mechanism->writes[i], column) == 0)
            return true;
    return false;
}

static enum cor_status unusable(const char *origin, const char *name, const char *remedy,
                                struct cor_error *error) {
    return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy, "mechanism \"%s\" cannot be used",
                    name ? name : "(none)");
}

static enum cor_status check_copy(const void *copy, const char *origin, struct cor_error *error) {
    const struct cor_mechanism *m = copy;
    if (!m->name || !cor_algorithm_is_name(m->name))
        return unusable(origin, m->name, "names are [a-z][a-z0-9_]*, at most 63 characters", error);
    if (!m->version || !m->summary || !m->cost_unit || !m->work)
        return unusable(origin, m->name, "say its version, summary and cost_unit, and give it a work()",
                        error);
    uint32_t writes = 0, needs = 0;
    char name[COR_NEED_SIZE], unit[COR_NEED_SIZE];
    while (m->writes && writes < LIST_LONGEST && m->writes[writes])
        writes++;
    if (writes == 0 || writes == LIST_LONGEST)
        return unusable(origin, m->name, "say which columns it writes; end the list with NULL", error);
    for (; m->needs && m->needs[needs]; needs++)
        if (needs == LIST_LONGEST || !cor_algorithm_need(m->needs[needs], name, unit))
            return unusable(origin, m->name,
                            "needs are \"name\" or \"name [unit]\" of a column; end the list with NULL",
                            error);
    for (uint32_t i = 0; m->parameters && m->parameters[i].name; i++) {
        const struct cor_parameter *p = &m->parameters[i];
        if (i == LIST_LONGEST || !cor_algorithm_is_name(p->name) || !p->unit || !p->meaning ||
            !(p->min <= p->value && p->value <= p->max))
            return unusable(origin, m->name,
                            "parameters have a name, unit, meaning, and a default within their range", error);
    }
    return COR_OK;
}

static const struct cor_module_kind mechanism_kind = {.symbol = COR_MECHANISM_SYMBOL,
                                                      .what = "a mechanism",
                                                      .first_fields = "COR_MECHANISM",
                                                      .header = "<corridor/mechanism.h>",
                                                      .magic = COR_MECHANISM_MAGIC,
                                                      .major = COR_MECHANISM_MAJOR,
                                                      .minor = COR_MECHANISM_MINOR,
                                                      .size = sizeof(struct cor_mechanism),
                                                      .size_least = sizeof(struct cor_mechanism),
                                                      .check = check_copy};

extern const struct cor_mechanism cor_mechanism_balance;
static const struct cor_mechanism *const builtins[] = {&cor_mechanism_balance};
#define BUILTINS (sizeof builtins / sizeof *builtins)

const struct cor_mechanism *cor_mechanism_builtin(size_t index) {
    return index < BUILTINS ? builtins[index] : NULL;
}

static enum cor_status load(struct host__mechanism_modules *modules,
                            const struct cor_isolation_definition *isolation, const char *path,
                            const struct cor_mechanism **mechanism, struct cor_error *error) {
    for (uint32_t i = 0; i < modules->count; i++)
        if (strcmp(modules->entries[i]->path, path) == 0) {
            *mechanism = &modules->entries[i]->mechanism;
            return COR_OK;
        }
    COR_TRY(cor_trust_check(&isolation->trust, path, error));
    if (isolation->which != COR_ISOLATION_NEVER)
        return cor_fail(error, COR_STATUS_INPUT, path, "if you trust it, say --isolate never",
                        "a mechanism that is not built in works in the process of Corridor itself");
    COR_TRY(COR_RESERVE(&modules->entries, &modules->capacity, (size_t)modules->count + 1, error));
    struct host__mechanism_module *module = cor_calloc(1, sizeof *module);
    COR_TRY(cor_made(module, error));
    modules->entries[modules->count++] = module;
    COR_TRY(cor_made(module->path = cor_strdup(path), error));
    COR_TRY(cor_file_digest(path, module->digest, error));
    COR_TRY(cor_module_open(&mechanism_kind, path, &module->handle, &module->mechanism, error));
    *mechanism = &module->mechanism;
    return COR_OK;
}

enum cor_status host__mechanism_find(struct host__mechanism_modules *modules,
                                     const struct cor_isolation_definition *isolation, const char *name,
                                     const struct cor_mechanism **mechanism, struct cor_error *error) {
    const char *names[BUILTINS + 1] = {NULL};
    char known[512];
    *mechanism = NULL;
    if (strchr(name, '/'))
        return load(modules, isolation, name, mechanism, error);
    for (size_t i = 0; i < BUILTINS; i++) {
        names[i] = builtins[i]->name;
        if (strcmp(names[i], name) == 0) {
            *mechanism = builtins[i];
            return COR_OK;
        }
    }
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "there is no mechanism \"%s\"", name);
}

void host__mechanisms_fini(struct host__mechanism_modules *modules) {
    for (uint32_t i = 0; i < modules->count; i++) {
        cor_module_close(modules->entries[i]->handle);
        free(modules->entries[i]->path);
        free(modules->entries[i]);
    }
    free(modules->entries);
}

/* Memory of a call. */
struct piece {
    struct piece *next;
    size_t unused; /* keeps what follows aligned */
};

struct cor_mechanism_desk {
    uint32_t agent_count, column_count;
    double *shown;          /* owned; [column][agent] a copy */
    double *written;        /* owned; [column][agent] */
    bool *is_written;       /* owned; [column][agent] */
    bool *has_writes;       /* owned; [column] */
    const double **columns; /* owned; [column] of `shown` */
    struct cor_lists structure;
    const struct cor_mechanism_task *task;
    struct piece *pieces; /* owned */
    size_t bytes;
    struct host__stream stream;
    struct cor_error trouble; /* of the first write that was refused */
    char complaint[256];
};

enum cor_status cor_mechanism_desk_create(uint32_t agent_count, uint32_t column_count,
                                          struct cor_mechanism_desk **desk, struct cor_error *error) {
    const size_t cells = (size_t)agent_count * column_count;
    struct cor_mechanism_desk *d = *desk = cor_calloc(1, sizeof *d);
    COR_TRY(cor_made(d, error));
    d->agent_count = agent_count;
    d->column_count = column_count;
    d->shown = cor_calloc(cells, sizeof *d->shown);
    d->written = cor_calloc(cells, sizeof *d->written);
    d->is_written = cor_calloc(cells, sizeof *d->is_written);
    d->has_writes = cor_calloc(column_count, sizeof *d->has_writes);
    d->columns = cor_calloc(column_count, sizeof(double *));
    cor_lists_init(&d->structure);
    if (d->shown && d->written && d->is_written && d->has_writes && d->columns)
        return COR_OK;
    cor_mechanism_desk_destroy(d);
    *desk = NULL;
    return cor_fail_memory(error);
}

static void release(struct cor_mechanism_desk *desk) {
    while (desk->pieces) {
        struct piece *next = desk->pieces->next;
        free(desk->pieces);
        desk->pieces = next;
    }
    desk->bytes = 0;
}

void cor_mechanism_desk_destroy(struct cor_mechanism_desk *desk) {
    if (!desk)
        return;
    release(desk);
    cor_lists_fini(&desk->structure);
    free(desk->shown);
    free(desk->written);
    free(desk->is_written);
    free(desk->has_writes);
    free(desk->columns);
    free(desk);
}

static struct cor_mechanism_desk *desk_of(const struct cor_mechanism_host *host) {
    return host->self;
}

static void *alloc(const struct cor_mechanism_host *host, size_t bytes) {
    struct cor_mechanism_desk *desk = desk_of(host);
    if (bytes > MEMORY_MOST - desk->bytes)
        return NULL;
    struct piece *piece = cor_calloc(1, sizeof *piece + bytes);
    if (!piece)
        return NULL;
    desk->bytes += bytes;
    piece->next = desk->pieces;
    desk->pieces = piece;
    return piece + 1;
}

static void complain(const struct cor_mechanism_host *host, const char *text) {
    snprintf(desk_of(host)->complaint, sizeof desk_of(host)->complaint, "%.200s", text);
}

bool cor_mechanism_fits(const struct cor_value_column *column, double number) {
    if (!isfinite(number))
        return false;
    if (column->type == COR_COLUMN_REAL)
        return number >= column->min && number <= column->max;
    if (number != floor(number))
        return false;
    return column->type == COR_COLUMN_BOOLEAN ? number == 0 || number == 1
           : column->type == COR_COLUMN_WORDS ? number >= 0 && number < column->word_count
                                              : number >= column->min && number <= column->max;
}

static void refuse_number(struct cor_mechanism_desk *desk, const struct cor_value_column *column,
                          uint32_t agent, double number) {
    char range[160];
    if (column->type == COR_COLUMN_BOOLEAN)
        snprintf(range, sizeof range, "0 or 1");
    else if (column->type == COR_COLUMN_WORDS)
        snprintf(range, sizeof range, "the place of a word, 0 to %u", column->word_count - 1);
    else
        snprintf(range, sizeof range, "%s from %.10g to %.10g",
                 column->type == COR_COLUMN_INTEGER ? "an integer" : "a number", column->min, column->max);
    char text[32] = "NaN";
    if (!isnan(number))
        snprintf(text, sizeof text, "%.10g", number);
    (void)cor_fail(&desk->trouble, COR_STATUS_PLUGIN, NULL, range,
                   "mechanism \"%s\" wrote %s as \"%s\" of agent %u", desk->task->mechanism->name, text,
                   column->name, agent);
}

static int write(const struct cor_mechanism_host *host, uint32_t column, uint32_t agent, double value) {
    struct cor_mechanism_desk *desk = desk_of(host);
    const struct cor_mechanism *mechanism = desk->task->mechanism;
    if (desk->trouble.status != COR_OK)
        return 0;
    if (column >= desk->column_count || agent >= desk->agent_count) {
        (void)cor_fail(
            &desk->trouble, COR_STATUS_PLUGIN, NULL, NULL,
            "mechanism \"%s\" wrote to column %u of agent %u, but there are %u columns and %u agents",
            mechanism->name, column, agent, desk->column_count, desk->agent_count);
        return 0;
    }
    const struct cor_value_column *of = &desk->task->rules->columns[column];
    if (!cor_mechanism_writes(mechanism, of->name)) {
        (void)cor_fail(&desk->trouble, COR_STATUS_PLUGIN, NULL,
                       "it writes what it declares in \"writes\" alone",
                       "mechanism \"%s\" wrote \"%s\", which it did not declare", mechanism->name, of->name);
        return 0;
    }
    if (!cor_mechanism_fits(of, value)) {
        refuse_number(desk, of, agent, value);
        return 0;
    }
    desk->written[(size_t)column * desk->agent_count + agent] = value;
    desk->is_written[(size_t)column * desk->agent_count + agent] = true;
    desk->has_writes[column] = true;
    return 1;
}

static enum cor_status lay_out(struct cor_mechanism_desk *desk, const struct cor_mechanism_task *task,
                               struct cor_error *error) {
    const size_t agents = desk->agent_count;
    desk->task = task;
    desk->trouble = COR_NO_ERROR;
    desk->complaint[0] = '\0';
    for (uint32_t c = 0; c < desk->column_count; c++) {
        desk->columns[c] = desk->shown + c * agents;
        memcpy(desk->shown + c * agents, task->columns[c], agents * sizeof *desk->shown);
        if (desk->has_writes[c])
            memset(desk->is_written + c * agents, 0, agents * sizeof *desk->is_written);
        desk->has_writes[c] = false;
    }
    return cor_lists_copy(&desk->structure, task->structure, error);
}

static bool is_same(const void *one, const void *other, size_t count, size_t size) {
    return count == 0 || memcmp(one, other, count * size) == 0;
}

/* What it was shown is what it still sees. */
static enum cor_status check_shown(const struct cor_mechanism_desk *desk, struct cor_error *error) {
    const struct cor_lists *seen = &desk->structure, *is = desk->task->structure;
    const char *what = NULL;
    if (!is_same(seen->start, is->start, is->block_count + (size_t)1, sizeof *is->start) ||
        !is_same(seen->members, is->members, is->member_count, sizeof *is->members) ||
        (is->nests && !is_same(seen->parent, is->parent, is->block_count, sizeof *is->parent)))
        what = "the structure";
    for (uint32_t c = 0; c < desk->column_count && !what; c++)
        if (!is_same(desk->shown + (size_t)c * desk->agent_count, desk->task->columns[c], desk->agent_count,
                     sizeof(double)))
            what = desk->task->rules->columns[c].name;
    return what ? cor_fail(error, COR_STATUS_PLUGIN, NULL, "it changes nothing but by write()",
                           "mechanism \"%s\" changed %s that it was shown", desk->task->mechanism->name, what)
                : COR_OK;
}

/* What it wrote, and all else as it was. */
static void sum_up(struct cor_mechanism_desk *desk, struct cor_mechanism_outcome *outcome) {
    for (uint32_t c = 0; c < desk->column_count; c++) {
        const size_t first = (size_t)c * desk->agent_count;
        const bool is_real = desk->task->rules->columns[c].type == COR_COLUMN_REAL;
        for (uint32_t i = 0; desk->has_writes[c] && i < desk->agent_count; i++) {
            const double before = desk->task->columns[c][i];
            if (!desk->is_written[first + i]) {
                desk->written[first + i] = before;
                continue;
            }
            outcome->written++;
            if (is_real && isfinite(before))
                outcome->moved += fabs(desk->written[first + i] - before);
        }
    }
}

enum cor_status cor_mechanism_work(struct cor_mechanism_desk *desk, const struct cor_mechanism_task *task,
                                   struct cor_mechanism_outcome *outcome, struct cor_error *error) {
    const struct cor_mechanism *mechanism = task->mechanism;
    *outcome = (struct cor_mechanism_outcome){0};
    COR_TRY(lay_out(desk, task, error));
    struct cor_rules rules = *task->rules;
    rules.fault = 0;
    rules.budget = 0;
    rules.parameters = task->parameters;
    rules.parameter_count = cor_mechanism_parameter_count(mechanism);
    const struct cor_task shown = {.struct_size = sizeof shown,
                                   .agent_count = desk->agent_count,
                                   .rules = &rules,
                                   .values = desk->columns,
                                   .block_count = desk->structure.block_count,
                                   .block_start = desk->structure.start,
                                   .members = desk->structure.members,
                                   .block_parent = cor_lists_parents(&desk->structure)};
    host__stream_init(&desk->stream, &task->name, COR_PURPOSE_MECHANISM, task->name.entity);
    const struct cor_mechanism_host host = {.struct_size = sizeof host,
                                            .minor = COR_MECHANISM_MINOR,
                                            .self = desk,
                                            .random = &desk->stream.view,
                                            .alloc = alloc,
                                            .write = write,
                                            .complain = complain,
                                            .cost = &outcome->cost};
    const enum cor_progress progress = mechanism->work(&shown, &host);
    release(desk);
    if (desk->trouble.status != COR_OK)
        return cor_fail(error, desk->trouble.status, NULL, desk->trouble.remedy, "%s", desk->trouble.cause);
    COR_TRY(check_shown(desk, error));
    if (progress != COR_DONE)
        return cor_fail(error, COR_STATUS_PLUGIN, NULL, NULL, "mechanism \"%s\" failed%s%s", mechanism->name,
                        desk->complaint[0] ? ": " : "", desk->complaint);
    if (!isfinite(outcome->cost) || outcome->cost < 0)
        return cor_fail(error, COR_STATUS_PLUGIN, NULL, "a cost is a number of at least 0",
                        "mechanism \"%s\" says that it cost %.10g", mechanism->name, outcome->cost);
    sum_up(desk, outcome);
    return COR_OK;
}

const double *cor_mechanism_desk_column(const struct cor_mechanism_desk *desk, uint32_t column) {
    return desk->has_writes[column] ? desk->written + (size_t)column * desk->agent_count : NULL;
}
