/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mechanisms that work beside the algorithm under test: those that are built in, and modules, which are
 * loaded here where they are trusted, else in a cell that says what they declare. One at work is in
 * mechanism_desk.c. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "mechanisms.h"

#include "algorithm.h"

#include <corridor/array.h>
#include <corridor/module_cell.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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
                                                     .size_least = sizeof(struct cor_mechanism),
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
                                            .work = no_work};
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
    free(module->path);
    free(module);
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
    COR_TRY(COR_RESERVE(&modules->entries, &modules->capacity, (size_t)modules->count + 1, error));
    struct host__mechanism_module *module = cor_calloc(1, sizeof *module);
    COR_TRY(cor_made(module, error));
    const enum cor_status status = load_module(module, isolation, path, error);
    if (status != COR_OK) {
        destroy_module(module);
        return status;
    }
    modules->entries[modules->count++] = module;
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
    for (uint32_t i = 0; i < modules->count; i++)
        destroy_module(modules->entries[i]);
    free(modules->entries);
}
