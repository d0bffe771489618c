/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The algorithms there are: built in, modules and programs. */
#include "algorithm.h"
#include "external.h"
#include "guest.h"
#include "mechanisms.h"
#include "remote.h"

#include <corridor/array.h>
#include <corridor/digest.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct entry {
    struct cor_algorithm algorithm;
    struct host__description description; /* of a module that is loaded elsewhere */
    void *handle;                         /* owned, of a module that is loaded in this process */
    struct cor_counter *counters;   /* owned; its counters, if code coverage is one of them, else NULL */
    struct host__external *program; /* owned; NULL: it is none. Then `algorithm` is not used */
    char *origin;                   /* owned; path or command, NULL: built-in or embedded */
    bool is_embedded;
    char digest[COR_DIGEST_TEXT]; /* of the file; empty: built-in, or not known */
};

struct cor_registry {
    struct cor_isolation_definition isolation;
    struct entry **entries; /* owned, each on its own: an algorithm stays where it is when the list grows */
    size_t capacity;
    uint32_t count;
    struct cor_traffic *traffic; /* borrowed; may be NULL */
    struct host__mechanism_modules mechanisms;
};

static void destroy_entry(struct entry *entry) {
    if (!entry)
        return;
    free(entry->counters);
    cor_module_close(entry->handle);
    host__description_fini(&entry->description);
    host__external_close(entry->program);
    COR_FREE(entry->origin, entry);
}

/* Appends a blank entry; the registry owns it. */
static enum cor_status append(struct cor_registry *registry, struct entry **entry, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&registry->entries, &registry->capacity, (size_t)registry->count + 1, error));
    COR_TRY(cor_made(*entry = cor_calloc(1, sizeof **entry), error));
    registry->entries[registry->count++] = *entry;
    return COR_OK;
}

static enum cor_status add_builtin(struct cor_registry *registry, const struct cor_algorithm *algorithm,
                                   struct cor_error *error) {
    struct entry *entry;
    COR_TRY(append(registry, &entry, error));
    return cor_module_copy(&host__algorithm_kind, algorithm, "built-in", &entry->algorithm, error);
}

enum cor_status cor_registry_create(const struct cor_isolation_definition *isolation,
                                    struct cor_registry **registry, struct cor_error *error) {
    COR_TRY(cor_made(*registry = cor_calloc(1, sizeof **registry), error));
    (*registry)->isolation =
        isolation ? *isolation : (struct cor_isolation_definition){.which = COR_ISOLATION_NEVER};
    enum cor_status status = COR_OK;
    for (uint32_t i = 0; host__builtin(i); i++)
        COR_TRY_OUT(add_builtin(*registry, host__builtin(i), error));
    for (uint32_t i = 0; host__embedded(i); i++) {
        COR_TRY_OUT(add_builtin(*registry, &host__embedded(i)->algorithm, error));
        struct entry *entry = (*registry)->entries[(*registry)->count - 1];
        entry->is_embedded = true;
        memcpy(entry->digest, host__embedded(i)->digest, sizeof entry->digest);
    }
out:
    if (status != COR_OK) {
        cor_registry_destroy(*registry);
        *registry = NULL;
    }
    return status;
}

void cor_registry_destroy(struct cor_registry *registry) {
    if (!registry)
        return;
    for (uint32_t i = 0; i < registry->count; i++)
        destroy_entry(registry->entries[i]);
    free(registry->entries);
    host__mechanisms_fini(&registry->mechanisms);
    free(registry);
}

const struct cor_isolation_definition *cor_registry_isolation(const struct cor_registry *registry) {
    return &registry->isolation;
}

uint32_t cor_registry_size(const struct cor_registry *registry) {
    return registry->count;
}

const struct cor_algorithm *cor_registry_at(const struct cor_registry *registry, uint32_t index) {
    COR_ASSERT(index < registry->count);
    const struct entry *entry = registry->entries[index];
    return entry->program ? &entry->program->algorithm : &entry->algorithm;
}

bool cor_algorithm_is_program(const struct cor_algorithm *algorithm) {
    return host__external_of(algorithm) != NULL;
}

const char *cor_registry_origin(const struct cor_registry *registry, uint32_t index) {
    COR_ASSERT(index < registry->count);
    const struct entry *entry = registry->entries[index];
    return entry->origin ? entry->origin : entry->is_embedded ? "embedded" : "built-in";
}

bool cor_registry_is_module(const struct cor_registry *registry, uint32_t index) {
    COR_ASSERT(index < registry->count);
    return registry->entries[index]->origin && !registry->entries[index]->program;
}

const char *cor_registry_digest(const struct cor_registry *registry, const struct cor_algorithm *algorithm) {
    for (uint32_t i = 0; i < registry->count; i++)
        if (cor_registry_at(registry, i) == algorithm)
            return registry->entries[i]->digest[0] ? registry->entries[i]->digest : NULL;
    return NULL;
}

bool cor_registry_is_foreign(const struct cor_registry *registry, const struct cor_algorithm *algorithm) {
    for (uint32_t i = 0; i < registry->count; i++)
        if (cor_registry_at(registry, i) == algorithm)
            return registry->entries[i]->origin || registry->entries[i]->is_embedded;
    return false;
}

struct cor_session_definition cor_registry_session(const struct cor_registry *registry,
                                                   const struct cor_algorithm *algorithm) {
    struct cor_session_definition definition = cor_default_session(algorithm);
    definition.is_full = registry->isolation.is_full;
    if (host__external_of(algorithm))
        return definition; /* the program has a cell, the host's part of the session needs none */
    for (uint32_t i = 0; i < registry->count; i++)
        if (&registry->entries[i]->algorithm == algorithm)
            definition.origin = registry->entries[i]->origin;
    bool isolated = cor_registry_is_foreign(registry, algorithm)
                        ? registry->isolation.which != COR_ISOLATION_NEVER
                        : registry->isolation.which == COR_ISOLATION_ALWAYS;
    definition.is_fresh = registry->isolation.is_fresh;
    definition.place = isolated ? COR_SESSION_IN_CELL : COR_SESSION_IN_PROCESS;
    definition.strict =
        isolated && definition.origin && algorithm->wake; /* decentralised means decentralised */
    return definition;
}

enum cor_status cor_registry_needs(const struct cor_registry *registry, const struct cor_algorithm *algorithm,
                                   struct cor_needs *needs, struct cor_error *error) {
    const struct host__external *program = host__external_of(algorithm);
    if (program)
        return cor_traffic_replays(program->traffic)
                   ? COR_OK
                   : cor_needs_of_program(needs, program->command, program->is_path, error);
    const struct cor_session_definition session = cor_registry_session(registry, algorithm);
    if (session.place != COR_SESSION_IN_CELL)
        return COR_OK;
    return host__remote_needs(session.origin ? session.origin : algorithm->name, needs, error);
}

enum origin { MODULE, PROGRAM, COMMAND };

static enum cor_status load_module(const struct cor_registry *registry, struct entry *entry,
                                   const char *origin, enum origin kind, struct cor_error *error) {
    COR_TRY(cor_made(entry->origin = cor_strdup(origin), error));
    if (kind == MODULE) {
        COR_TRY(host__external_check_module(origin, error));
        /* Loads the module here, or has it loaded and described in a cell. Its version and what it declares
         * are checked there, and what comes from there is checked again. */
        if (registry->isolation.which == COR_ISOLATION_NEVER) {
            COR_TRY(cor_module_open(&host__algorithm_kind, origin, &entry->handle, &entry->algorithm, error));
            COR_TRY(host__cover(&entry->algorithm, origin, &entry->counters, error));
        } else {
            COR_TRY(host__remote_describe(origin, registry->isolation.is_full, &entry->description, error));
            COR_TRY(cor_module_copy(&host__algorithm_kind, &entry->description.algorithm, origin,
                                    &entry->algorithm, error));
        }
        return cor_file_digest(origin, entry->digest, error);
    }
    if (kind == PROGRAM) {
        /* Where traffic is replayed, the program need not be there. */
        const char *recorded = cor_traffic_replays(registry->traffic)
                                   ? cor_traffic_digest(registry->traffic, entry->origin)
                                   : NULL;
        if (!recorded)
            COR_TRY(cor_file_digest(entry->origin, entry->digest, error));
        else
            snprintf(entry->digest, sizeof entry->digest, "%s", recorded);
    }
    const struct host__external_definition definition = {
        .command = origin,
        .is_path = kind == PROGRAM,
        .traffic = registry->traffic,
        .digest = kind == PROGRAM ? entry->digest : NULL,
        .is_full = registry->isolation.is_full,
    };
    return host__external_open(&definition, &entry->program, error);
}

/* A path of a program: as the record has it, else as the file is. */
static bool is_program(const struct cor_registry *registry, const char *path) {
    return (cor_traffic_replays(registry->traffic) && cor_traffic_digest(registry->traffic, path)) ||
           cor_is_program_file(path);
}

void cor_registry_use_traffic(struct cor_registry *registry, struct cor_traffic *traffic) {
    registry->traffic = traffic;
}

/* What comes from there, loaded now unless it is here already. Before it may be, not even its file is read.
 */
static enum cor_status find_origin(struct cor_registry *registry, const char *origin, bool is_command,
                                   const struct cor_algorithm **algorithm, struct cor_error *error) {
    for (uint32_t i = 0; i < registry->count; i++) {
        const struct entry *entry = registry->entries[i];
        const bool was_command = entry->program && !entry->program->is_path;
        if (entry->origin && strcmp(entry->origin, origin) == 0 && was_command == is_command) {
            *algorithm = cor_registry_at(registry, i);
            return COR_OK;
        }
    }
    struct entry *entry;
    COR_TRY(cor_trust_check(&registry->isolation.trust, origin, error));
    COR_TRY(append(registry, &entry, error));
    const enum origin kind = is_command ? COMMAND : is_program(registry, origin) ? PROGRAM : MODULE;
    enum cor_status status = load_module(registry, entry, origin, kind, error);
    if (status == COR_OK)
        *algorithm = cor_registry_at(registry, registry->count - 1);
    else
        destroy_entry(registry->entries[--registry->count]);
    return status;
}

enum cor_status cor_registry_command(struct cor_registry *registry, const char *command,
                                     const struct cor_algorithm **algorithm, struct cor_error *error) {
    *algorithm = NULL;
    return find_origin(registry, command, true, algorithm, error);
}

enum cor_status cor_registry_find(struct cor_registry *registry, const char *name,
                                  const struct cor_algorithm **algorithm, struct cor_error *error) {
    *algorithm = NULL;
    struct stat there;
    if (strchr(name, ' ') && !memchr(name, '/', strcspn(name, " ")) && stat(name, &there) != 0)
        return cor_fail(
            error, COR_STATUS_INPUT, NULL,
            "a program with its words is an arm's \"algorithm\": {\"command\": \"python3 mine.py\"}",
            "there is no algorithm and no file \"%s\"", name);
    if (strchr(name, '/'))
        return find_origin(registry, name, false, algorithm, error);
    for (uint32_t i = 0; i < registry->count; i++)
        if (strcmp(cor_registry_at(registry, i)->name, name) == 0) {
            *algorithm = cor_registry_at(registry, i);
            return COR_OK;
        }
    const char **names = cor_calloc((size_t)registry->count + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (uint32_t i = 0; i < registry->count; i++)
        names[i] = cor_registry_at(registry, i)->name;
    char known[1024];
    cor_known_names(name, names, known, sizeof known);
    free(names);
    if (stat(name, &there) == 0 && S_ISREG(there.st_mode))
        snprintf(known, sizeof known, "write ./%s", name);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "there is no algorithm \"%s\"", name);
}

enum cor_status cor_registry_mechanism(struct cor_registry *registry, const char *name,
                                       const struct cor_mechanism **mechanism, struct cor_error *error) {
    return host__mechanism_find(&registry->mechanisms, &registry->isolation, name, mechanism, error);
}

const char *cor_registry_mechanism_origin(const struct cor_registry *registry,
                                          const struct cor_mechanism *mechanism) {
    for (uint32_t i = 0; i < registry->mechanisms.count; i++)
        if (&registry->mechanisms.entries[i]->mechanism == mechanism)
            return registry->mechanisms.entries[i]->path;
    return mechanism->name;
}

const char *cor_registry_mechanism_cell(const struct cor_registry *registry,
                                        const struct cor_mechanism *mechanism) {
    for (uint32_t i = 0; i < registry->mechanisms.count; i++)
        if (&registry->mechanisms.entries[i]->mechanism == mechanism)
            return registry->mechanisms.entries[i]->handle ? NULL : registry->mechanisms.entries[i]->path;
    return NULL;
}

const char *cor_registry_mechanism_digest(const struct cor_registry *registry,
                                          const struct cor_mechanism *mechanism) {
    for (uint32_t i = 0; i < registry->mechanisms.count; i++)
        if (&registry->mechanisms.entries[i]->mechanism == mechanism)
            return registry->mechanisms.entries[i]->digest;
    return NULL;
}
