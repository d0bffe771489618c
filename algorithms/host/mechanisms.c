/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mechanism at work: it is shown copies, in this process or in a cell, and what it writes is looked at here
 * before anybody sees it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "mechanisms.h"
#include "algorithm.h"
#include "local.h"

#include <corridor/array.h>
#include <corridor/module_cell.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MEMORY_MOST ((size_t)1 << 28) /* bytes that a mechanism may have in a call */

/* The beginning of a page. What a cell wrote is not believed: looked at before it is used. */
struct head {
    struct cor_module_page cell;
    struct cor_stream_name name;
    uint32_t block_count, nests;
    enum cor_progress progress; /* that it gave */
    double cost;
    struct cor_fault_counts fault;
    struct cor_error trouble; /* of the first write that was refused */
    char complaint[200];
};

/* Memory of a call. */
struct piece {
    struct piece *next;
    size_t unused; /* keeps what follows aligned */
};

struct cor_mechanism_desk {
    struct cor_mechanism_definition definition;
    struct cor_mechanism mechanism; /* as loaded: in a cell, and of one here only what it declares */
    void *handle;                   /* in a cell */
    const struct cor_mechanism_task *task;

    unsigned char *page; /* owned; shared memory, and what lies in it: */
    size_t page_bytes;
    struct head *head;
    double *shown, *written;   /* [column][agent] */
    unsigned char *is_written; /* [column][agent] */
    uint32_t *start, *members, *parent;
    uint32_t block_room, member_room;

    const double **columns; /* owned; [column] of `shown` */
    bool *is_declared;      /* owned; [column] it may be written */
    double *left;           /* owned; [column][agent] as they are left, if */
    bool *has_writes;       /* owned; [column] */
    struct piece *pieces;   /* owned */
    size_t bytes;           /* of these */
    struct host__stream stream;
    struct cor_module_cell cell;
    char what[96]; /* "the mechanism NAME" */
};

static uint32_t column_count(const struct cor_mechanism_desk *desk) {
    return desk->definition.rules->value_count;
}

/* ---- the page */

/* A page with room for so many blocks and members at least, in the place of the one that there is. */
static enum cor_status make_page(struct cor_mechanism_desk *desk, uint32_t blocks, uint32_t members,
                                 struct cor_error *error) {
    blocks = blocks > desk->block_room ? blocks : desk->block_room;
    members = members > desk->member_room ? members : desk->member_room;
    const size_t agents = desk->definition.agent_count, cells = agents * column_count(desk);
    size_t end = 0;
    const size_t head = cor_page_reserve(&end, sizeof *desk->head),
                 shown = cor_page_reserve(&end, cells * sizeof(double)),
                 written = cor_page_reserve(&end, cells * sizeof(double)),
                 flags = cor_page_reserve(&end, cells),
                 start = cor_page_reserve(&end, (blocks + (size_t)1) * 4),
                 list = cor_page_reserve(&end, members * (size_t)4),
                 parent = cor_page_reserve(&end, blocks * (size_t)4);
    unsigned char *page = mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return cor_fail_memory(error);
    cor_module_cell_end(&desk->cell);
    if (desk->page)
        munmap(desk->page, desk->page_bytes);
    desk->page = page;
    desk->page_bytes = end;
    desk->block_room = blocks;
    desk->member_room = members;
    desk->head = (struct head *)(page + head);
    desk->shown = (double *)(page + shown);
    desk->written = (double *)(page + written);
    desk->is_written = page + flags;
    desk->start = (uint32_t *)(page + start);
    desk->members = (uint32_t *)(page + list);
    desk->parent = (uint32_t *)(page + parent);
    desk->cell.page = &desk->head->cell;
    for (uint32_t c = 0; c < column_count(desk); c++)
        desk->columns[c] = desk->shown + c * agents;
    return COR_OK;
}

/* How many beginnings of blocks there are: who has no block has none. */
static size_t start_count(const struct cor_lists *structure) {
    return structure->block_count > 0 ? structure->block_count + (size_t)1 : 0;
}

static void lay_out(void *owner) {
    struct cor_mechanism_desk *desk = owner;
    const struct cor_lists *structure = desk->task->structure;
    const size_t agents = desk->definition.agent_count;
    struct head *head = desk->head;
    for (uint32_t c = 0; c < column_count(desk); c++)
        memcpy(desk->shown + c * agents, desk->task->columns[c], agents * sizeof *desk->shown);
    memset(desk->is_written, 0, agents * column_count(desk));
    if (structure->block_count > 0)
        memcpy(desk->start, structure->start, start_count(structure) * sizeof *desk->start);
    else
        desk->start[0] = 0;
    if (structure->member_count > 0)
        memcpy(desk->members, structure->members, structure->member_count * sizeof *desk->members);
    if (structure->nests && structure->block_count > 0)
        memcpy(desk->parent, structure->parent, structure->block_count * sizeof *desk->parent);
    head->block_count = structure->block_count;
    head->nests = structure->nests;
    head->name = desk->task->name;
    head->progress = COR_FAILED;
    head->cost = 0;
    head->fault = (struct cor_fault_counts){0};
    head->trouble = COR_NO_ERROR;
    head->complaint[0] = '\0';
}

/* ---- its services, in the process in which it works */

static struct cor_mechanism_desk *desk_of(const struct cor_mechanism_host *host) {
    return host->self;
}

static void release(struct cor_mechanism_desk *desk) {
    while (desk->pieces) {
        struct piece *next = desk->pieces->next;
        free(desk->pieces);
        desk->pieces = next;
    }
    desk->bytes = 0;
}

static void *alloc(const struct cor_mechanism_host *host, size_t bytes) {
    struct cor_mechanism_desk *desk = desk_of(host);
    const size_t whole = sizeof(struct piece) + bytes; /* nothing takes room, too */
    if (bytes > MEMORY_MOST ||
        whole > MEMORY_MOST - desk->bytes) { /* told if it ends with it, and says nothing itself */
        if (desk->head->complaint[0] == '\0')
            snprintf(desk->head->complaint, sizeof desk->head->complaint,
                     "it asked for more than %zu MiB of memory in one call", MEMORY_MOST >> 20);
        return NULL;
    }
    struct piece *piece = cor_calloc(1, whole);
    if (!piece)
        return NULL;
    desk->bytes += whole;
    piece->next = desk->pieces;
    desk->pieces = piece;
    return piece + 1;
}

static void complain(const struct cor_mechanism_host *host, const char *text) {
    struct head *head = desk_of(host)->head;
    snprintf(head->complaint, sizeof head->complaint, "%s", text ? text : "it says not why");
}

/* Can a column hold the number? NaN is none. */
static bool mechanism_fits(const struct cor_value_column *column, double number) {
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

static enum cor_status refuse_number(const struct cor_mechanism_desk *desk, uint32_t column, uint32_t agent,
                                     double number, struct cor_error *error) {
    const struct cor_value_column *of = &desk->definition.rules->columns[column];
    char range[160];
    if (of->type == COR_COLUMN_BOOLEAN)
        snprintf(range, sizeof range, "0 or 1");
    else if (of->type == COR_COLUMN_WORDS)
        snprintf(range, sizeof range, "the place of a word, 0 to %u", of->word_count - 1);
    else
        snprintf(range, sizeof range, "%s from %.10g to %.10g",
                 of->type == COR_COLUMN_INTEGER ? "an integer" : "a number", of->min, of->max);
    char text[32] = "NaN";
    if (!isnan(number))
        snprintf(text, sizeof text, "%.10g", number);
    return cor_fail(error, COR_STATUS_PLUGIN, NULL, range, "%s wrote %s as \"%s\" of agent %u", desk->what,
                    text, of->name, agent);
}

static enum cor_status check_write(const struct cor_mechanism_desk *desk, uint32_t column, uint32_t agent,
                                   double number, struct cor_error *error) {
    const uint32_t columns = column_count(desk), agents = desk->definition.agent_count;
    if (column >= columns || agent >= agents)
        return cor_fail(error, COR_STATUS_PLUGIN, NULL, NULL,
                        "%s wrote to column %u of agent %u, but there are %u columns and %u agents",
                        desk->what, column, agent, columns, agents);
    if (!desk->is_declared[column])
        return cor_fail(error, COR_STATUS_PLUGIN, NULL, "it writes what it declares in \"writes\" alone",
                        "%s wrote \"%s\", which it did not declare", desk->what,
                        desk->definition.rules->columns[column].name);
    return mechanism_fits(&desk->definition.rules->columns[column], number)
               ? COR_OK
               : refuse_number(desk, column, agent, number, error);
}

static int write(const struct cor_mechanism_host *host, uint32_t column, uint32_t agent, double value) {
    struct cor_mechanism_desk *desk = desk_of(host);
    if (desk->head->trouble.status != COR_OK ||
        check_write(desk, column, agent, value, &desk->head->trouble) != COR_OK)
        return 0;
    desk->written[(size_t)column * desk->definition.agent_count + agent] = value;
    desk->is_written[(size_t)column * desk->definition.agent_count + agent] = 1;
    return 1;
}

static void work(void *owner) {
    struct cor_mechanism_desk *desk = owner;
    struct head *head = desk->head;
    struct cor_rules rules = *desk->definition.rules;
    rules.fault = desk->definition.fault;
    rules.budget = 0;
    rules.parameters = desk->definition.parameters;
    rules.parameter_count = cor_parameter_count(desk->definition.mechanism->parameters);
    const struct cor_task shown = {.struct_size = sizeof shown,
                                   .agent_count = desk->definition.agent_count,
                                   .rules = &rules,
                                   .values = desk->columns,
                                   .block_count = head->block_count,
                                   .block_start = desk->start,
                                   .members = desk->members,
                                   .block_parent = head->nests ? desk->parent : NULL};
    host__stream_init(&desk->stream, &head->name, COR_PURPOSE_MECHANISM, head->name.entity);
    const struct cor_mechanism_host host = {.struct_size = sizeof host,
                                            .minor = COR_MECHANISM_MINOR,
                                            .self = desk,
                                            .random = &desk->stream.view,
                                            .alloc = alloc,
                                            .write = write,
                                            .complain = complain,
                                            .cost = &head->cost,
                                            .fault = &head->fault};
    if (desk->definition.path)
        cor_module_settle();
    head->progress = desk->mechanism.work(&shown, &host);
    release(desk);
}

static enum cor_status load_mechanism(void *owner, struct cor_error *error) {
    struct cor_mechanism_desk *desk = owner;
    return cor_module_open(&host__mechanism_kind, desk->definition.path, &desk->handle, &desk->mechanism,
                           error);
}

/* ---- a desk */

enum cor_status cor_mechanism_desk_create(const struct cor_mechanism_definition *definition,
                                          struct cor_mechanism_desk **desk, struct cor_error *error) {
    const uint32_t columns = definition->rules->value_count, agents = definition->agent_count;
    struct cor_mechanism_desk *d = *desk = cor_calloc(1, sizeof *d);
    COR_TRY(cor_made(d, error));
    d->definition = *definition;
    d->mechanism = *definition->mechanism;
    snprintf(d->what, sizeof d->what, "the mechanism %s", definition->mechanism->name);
    d->cell = (struct cor_module_cell){.path = definition->path,
                                       .what = d->what,
                                       .is_full = definition->is_full,
                                       .cpu_seconds = definition->cpu_seconds,
                                       .owner = d,
                                       .load = load_mechanism,
                                       .lay_out = lay_out,
                                       .work = work};
    d->left = cor_calloc((size_t)agents * columns, sizeof *d->left);
    d->has_writes = cor_calloc(columns, sizeof *d->has_writes);
    d->is_declared = cor_calloc(columns, sizeof *d->is_declared);
    d->columns = cor_calloc(columns, sizeof(double *));
    enum cor_status status = d->left && d->has_writes && d->is_declared && d->columns
                                 ? make_page(d, agents + 1, agents + 1, error)
                                 : cor_fail_memory(error);
    for (uint32_t c = 0; status == COR_OK && c < columns; c++)
        d->is_declared[c] = cor_mechanism_writes(definition->mechanism, definition->rules->columns[c].name);
    if (status == COR_OK)
        return COR_OK;
    cor_mechanism_desk_destroy(d);
    *desk = NULL;
    return status;
}

void cor_mechanism_desk_destroy(struct cor_mechanism_desk *desk) {
    if (!desk)
        return;
    cor_module_cell_fini(&desk->cell);
    if (desk->page)
        munmap(desk->page, desk->page_bytes);
    release(desk);
    COR_FREE(desk->left, desk->has_writes, desk->is_declared, desk->columns, desk);
}

/* ---- what came of it */

static bool is_same(const void *one, const void *other, size_t count, size_t size) {
    return count == 0 || memcmp(one, other, count * size) == 0;
}

/* COR_STATUS_PLUGIN: it did something else than its work. */
static enum cor_status take_outcome(struct cor_mechanism_desk *desk, struct cor_mechanism_outcome *outcome,
                                    struct cor_error *error) {
    struct head *head = desk->head;
    if (head->trouble.status != COR_OK) {
        *error = head->trouble;
        return error->status;
    }
    /* What it was shown is what it still sees. */
    const struct cor_lists *is = desk->task->structure;
    const size_t agents = desk->definition.agent_count;
    const char *what = NULL;
    if (!is_same(desk->start, is->start, start_count(is), sizeof *is->start) ||
        !is_same(desk->members, is->members, is->member_count, sizeof *is->members) ||
        (is->nests && !is_same(desk->parent, is->parent, is->block_count, sizeof *is->parent)))
        what = "the structure";
    for (uint32_t c = 0; c < column_count(desk) && !what; c++)
        if (!is_same(desk->shown + c * agents, desk->task->columns[c], agents, sizeof(double)))
            what = desk->definition.rules->columns[c].name;
    COR_TRY(what ? cor_fail(error, COR_STATUS_PLUGIN, NULL, "it changes nothing but by write()",
                            "%s changed %s that it was shown", desk->what, what)
                 : COR_OK);
    if (head->progress != COR_DONE && head->progress != COR_FAILED)
        return cor_fail(error, COR_STATUS_PLUGIN, NULL, "COR_DONE or COR_FAILED", "work() of %s gave %d",
                        desk->what, (int)head->progress);
    if (head->progress != COR_DONE) {
        outcome->smoke = COR_SMOKE_COMPLAINED;
        head->complaint[sizeof head->complaint - 1] = '\0';
        return cor_fail(error, COR_STATUS_PLUGIN, NULL, NULL, "%s failed%s%s", desk->what,
                        head->complaint[0] ? ": " : "", head->complaint);
    }
    outcome->cost = head->cost;
    if (!isfinite(outcome->cost) || outcome->cost < 0)
        return cor_fail(error, COR_STATUS_PLUGIN, NULL, "a cost is a number of at least 0",
                        "%s says that it cost %.10g", desk->what, outcome->cost);
    outcome->fault = head->fault;
    if ((outcome->fault.activated > 0 && outcome->fault.held == 0) ||
        (outcome->fault.held > 0 && outcome->fault.reached == 0))
        return cor_fail(error, COR_STATUS_PLUGIN, NULL,
                        "a fault that strikes holds, and one that holds is reached",
                        "%s counts its fault as no fault can be", desk->what);
    /* What it wrote, and all else as it was. What a cell left is checked again: it may not have come by
     * write(). */
    for (uint32_t c = 0; c < column_count(desk); c++) {
        const bool is_real = desk->definition.rules->columns[c].type == COR_COLUMN_REAL;
        double *left = desk->left + c * agents;
        memcpy(left, desk->task->columns[c], agents * sizeof *left);
        for (uint32_t i = 0; i < agents; i++) {
            if (!desk->is_written[c * agents + i])
                continue;
            const double before = left[i], after = desk->written[c * agents + i];
            COR_TRY(check_write(desk, c, i, after, error));
            left[i] = after;
            desk->has_writes[c] = true;
            outcome->written++;
            if (is_real && isfinite(before))
                outcome->moved += fabs(after - before);
        }
    }
    return COR_OK;
}

enum cor_status cor_mechanism_work(struct cor_mechanism_desk *desk, const struct cor_mechanism_task *task,
                                   struct cor_mechanism_outcome *outcome, struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    *outcome = (struct cor_mechanism_outcome){.smoke = COR_SMOKE_NONE};
    memset(desk->has_writes, 0, column_count(desk) * sizeof *desk->has_writes);
    if (task->structure->block_count > desk->block_room || task->structure->member_count > desk->member_room)
        COR_TRY(make_page(desk, 2 * task->structure->block_count, 2 * task->structure->member_count, error));
    desk->task = task;
    if (desk->definition.path) {
        struct cor_turn_report report;
        COR_TRY(cor_module_cell_turn(&desk->cell, &report, error));
        outcome->smoke = report.smoke;
        outcome->by_machine = report.by_machine;
        outcome->fate = report.fate;
        memcpy(outcome->complaint, report.words, sizeof outcome->complaint);
        if (report.smoke != COR_SMOKE_NONE)
            return COR_OK;
    } else {
        lay_out(desk);
        work(desk);
    }
    if (take_outcome(desk, outcome, &said) != COR_OK) {
        const enum cor_smoke smoke = outcome->smoke == COR_SMOKE_NONE ? COR_SMOKE_GARBLED : outcome->smoke;
        memset(desk->has_writes, 0, column_count(desk) * sizeof *desk->has_writes);
        *outcome = (struct cor_mechanism_outcome){.smoke = smoke, .by_machine = outcome->by_machine};
        /* As long as it may be: a cell need not have ended its text. */
        snprintf(outcome->complaint, sizeof outcome->complaint, "%.160s%s%.80s", said.cause,
                 said.remedy[0] ? "; right: " : "", said.remedy);
        cor_make_printable(outcome->complaint);
    }
    return COR_OK;
}

const double *cor_mechanism_desk_column(const struct cor_mechanism_desk *desk, uint32_t column) {
    return desk->has_writes[column] ? desk->left + (size_t)column * desk->definition.agent_count : NULL;
}

/* ---- mechanisms that work beside the algorithm under test: those that are built in, and modules, which are
 * loaded here where they are trusted, else in a cell that says what they declare. One at work is in
 * mechanisms.c */

#define LIST_LONGEST 1000u
#define DESCRIBED_MOST ((size_t)1 << 20) /* bytes of what a module says of itself */
#define LOAD_SECONDS 10                  /* of CPU time, to be loaded in a cell */

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
    for (uint32_t i = 0; m->faults && m->faults[i].name; i++)
        if (i == LIST_LONGEST || !cor_algorithm_is_name(m->faults[i].name) || !m->faults[i].meaning ||
            strcmp(m->faults[i].name, "none") == 0)
            return unusable(origin, m->name,
                            "faults have a name as mechanisms have, but not \"none\", and a meaning; end the "
                            "list with a name NULL",
                            error);
    return host__parameters_check(m->parameters, origin, error);
}

const struct cor_module_kind host__mechanism_kind = {.symbol = COR_MECHANISM_SYMBOL,
                                                     .what = "a mechanism",
                                                     .first_fields = "COR_MECHANISM",
                                                     .header = "<corridor/mechanism.h>",
                                                     .magic = COR_MECHANISM_MAGIC,
                                                     .major = COR_MECHANISM_MAJOR,
                                                     .minor = COR_MECHANISM_MINOR,
                                                     .size = sizeof(struct cor_mechanism),
                                                     .size_least = offsetof(struct cor_mechanism, faults),
                                                     .check = check_copy};

extern const struct cor_mechanism cor_mechanism_balance;
static const struct cor_mechanism *const builtins[] = {&cor_mechanism_balance};
#define BUILTINS (sizeof builtins / sizeof *builtins)

const struct cor_mechanism *cor_mechanism_builtin(size_t index) {
    return index < BUILTINS ? builtins[index] : NULL;
}

/* Loading in a cell. What a mechanism declares travels as that of an algorithm would (describe.h): its cost's
 * unit in the place of the budget's, and what it writes in the place of constraints. */
struct loading {
    const char *path;
    struct loading_page {
        struct cor_module_page cell;
        uint64_t size;
        unsigned char bytes[DESCRIBED_MOST];
    } * page; /* shared */
};

static enum cor_status load_there(void *owner, struct cor_error *error) {
    struct loading *loading = owner;
    struct cor_mechanism m;
    void *handle;
    COR_TRY(cor_module_open(&host__mechanism_kind, loading->path, &handle, &m, error));
    const struct cor_algorithm said = {COR_ALGORITHM,
                                       .name = m.name,
                                       .version = m.version,
                                       .summary = m.summary,
                                       .budget_unit = m.cost_unit,
                                       .parameters = m.parameters,
                                       .constraints = m.writes,
                                       .faults = m.faults,
                                       .needs = m.needs};
    loading->page->size = host__description_write(&said, loading->page->bytes, DESCRIBED_MOST);
    return loading->page->size <= DESCRIBED_MOST ? COR_OK
                                                 : cor_fail(error, COR_STATUS_PLUGIN, loading->path, NULL,
                                                            "what the module says of itself is too long");
}

static enum cor_progress no_work(const struct cor_task *task, const struct cor_mechanism_host *host) {
    (void)task, (void)host;
    COR_ASSERT(false && "code of a mechanism that is loaded elsewhere");
    return COR_FAILED;
}

/* What was said there, checked again as what is loaded here is. */
static enum cor_status take_description(struct host__mechanism_module *module, const struct loading *loading,
                                        struct cor_error *error) {
    const uint64_t size = loading->page->size;
    COR_TRY(host__description_read(loading->page->bytes, size < DESCRIBED_MOST ? size : DESCRIBED_MOST,
                                   loading->path, &module->description, error));
    const struct cor_algorithm *said = &module->description.algorithm;
    const struct cor_mechanism mechanism = {COR_MECHANISM,
                                            .name = said->name,
                                            .version = said->version,
                                            .summary = said->summary,
                                            .cost_unit = said->budget_unit,
                                            .parameters = said->parameters,
                                            .writes = said->constraints,
                                            .needs = said->needs,
                                            .work = no_work,
                                            .faults = said->faults};
    return cor_module_copy(&host__mechanism_kind, &mechanism, loading->path, &module->mechanism, error);
}

static enum cor_status load_in_cell(struct host__mechanism_module *module, bool is_full,
                                    struct cor_error *error) {
    struct loading loading = {.path = module->path};
    struct loading_page *page = loading.page =
        mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return cor_fail_memory(error);
    struct cor_module_cell cell = {.path = module->path,
                                   .what = "the mechanism",
                                   .page = &page->cell,
                                   .is_full = is_full,
                                   .cpu_seconds = LOAD_SECONDS,
                                   .owner = &loading,
                                   .load = load_there};
    enum cor_status status = cor_module_cell_start(&cell, error);
    cor_module_cell_fini(&cell);
    if (status == COR_OK)
        status = take_description(module, &loading, error);
    munmap(page, sizeof *page);
    return status;
}

static enum cor_status load_module(struct host__mechanism_module *module,
                                   const struct cor_isolation_definition *isolation, const char *path,
                                   struct cor_error *error) {
    COR_TRY(cor_made(module->path = cor_strdup(path), error));
    if (isolation->which == COR_ISOLATION_NEVER)
        COR_TRY(cor_module_open(&host__mechanism_kind, path, &module->handle, &module->mechanism, error));
    else
        COR_TRY(load_in_cell(module, isolation->is_full, error));
    return cor_file_digest(path, module->digest, error);
}

static void destroy_module(struct host__mechanism_module *module) {
    cor_module_close(module->handle);
    host__description_fini(&module->description);
    COR_FREE(module->path, module);
}

enum cor_status host__mechanism_find(struct host__mechanism_modules *modules,
                                     const struct cor_isolation_definition *isolation, const char *name,
                                     const struct cor_mechanism **mechanism, struct cor_error *error) {
    const char *names[BUILTINS + 1] = {NULL};
    char known[512];
    *mechanism = NULL;
    if (strchr(name, '/')) {
        for (uint32_t i = 0; i < modules->count; i++)
            if (strcmp(modules->entries[i]->path, name) == 0) {
                *mechanism = &modules->entries[i]->mechanism;
                return COR_OK;
            }
        COR_TRY(cor_trust_check(&isolation->trust, name, error));
        COR_TRY(COR_RESERVE(&modules->entries, &modules->capacity, (size_t)modules->count + 1, error));
        struct host__mechanism_module *module = cor_calloc(1, sizeof *module);
        COR_TRY(cor_made(module, error));
        const enum cor_status status = load_module(module, isolation, name, error);
        if (status != COR_OK) {
            destroy_module(module);
            return status;
        }
        modules->entries[modules->count++] = module;
        *mechanism = &module->mechanism;
        return COR_OK;
    }
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
    for (uint32_t i = 0; i < modules->count; i++)
        destroy_module(modules->entries[i]);
    free(modules->entries);
}
