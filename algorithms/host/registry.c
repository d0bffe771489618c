/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>

#include "session.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The built-in algorithms, in the order a user sees them; each is a library named in CMakeLists.txt. */
#define COR_BUILTINS(X) X(psopp) X(spada) X(random) X(deal)

#define COR_DECLARE(name) extern const struct cor_algorithm cor_algorithm_##name;
COR_BUILTINS(COR_DECLARE)
#undef COR_DECLARE

/* An algorithm in a module of its own. */
struct module {
    void *handle; /* owned */
    struct cor_algorithm algorithm;
};

struct entry {
    struct module module; /* without a handle: built-in */
    char *path;           /* owned; NULL: built-in */
};

struct cor_registry {
    struct entry **entries; /* owned, each on its own: an algorithm stays where it is when the list grows */
    size_t capacity;
    uint32_t count;
};

static void module_close(struct module *module) {
    if (module->handle)
        dlclose(module->handle);
    *module = (struct module){0};
}

/* Opens the module at `path`, checks what it exports and copies it. COR_STATUS_PLUGIN says why it cannot be
 * used; then nothing stays open. Of the module's code, only what the dynamic linker runs by itself has run.
 */
static enum cor_status module_open(struct module *module, const char *path, struct cor_error *error) {
    *module = (struct module){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!module->handle)
        return cor_fail(error, COR_STATUS_PLUGIN, path, NULL, "cannot load the module: %s", dlerror());
    const void *exported = dlsym(module->handle, COR_ALGORITHM_SYMBOL);
    enum cor_status status = exported
                                 ? cor__algorithm_copy(&module->algorithm, exported, path, error)
                                 : cor_fail(error, COR_STATUS_PLUGIN, path, "see <corridor/plugin.h>",
                                            "the module exports no constant \"%s\"", COR_ALGORITHM_SYMBOL);
    if (status == COR_OK)
        status = cor__algorithm_check(&module->algorithm, path, error);
    if (status != COR_OK)
        module_close(module);
    return status;
}

static void destroy_entry(struct entry *entry) {
    if (!entry)
        return;
    module_close(&entry->module);
    free(entry->path);
    free(entry);
}

/* Appends a blank entry; the registry owns it. */
static enum cor_status append(struct cor_registry *registry, struct entry **entry, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&registry->entries, &registry->capacity, (size_t)registry->count + 1, error));
    *entry = cor_calloc(1, sizeof **entry);
    if (!*entry)
        return cor_fail_memory(error);
    registry->entries[registry->count++] = *entry;
    return COR_OK;
}

static enum cor_status add_builtin(struct cor_registry *registry, const struct cor_algorithm *algorithm,
                                   struct cor_error *error) {
    struct entry *entry;
    COR_TRY(append(registry, &entry, error));
    COR_TRY(cor__algorithm_copy(&entry->module.algorithm, algorithm, "built-in", error));
    return cor__algorithm_check(&entry->module.algorithm, "built-in", error);
}

enum cor_status cor_registry_create(struct cor_registry **registry, struct cor_error *error) {
    static const struct cor_algorithm *const builtins[] = {
#define COR_LIST(name) &cor_algorithm_##name,
        COR_BUILTINS(COR_LIST)
#undef COR_LIST
    };
    *registry = cor_calloc(1, sizeof **registry);
    if (!*registry)
        return cor_fail_memory(error);
    enum cor_status status = COR_OK;
    for (size_t i = 0; status == COR_OK && i < sizeof builtins / sizeof *builtins; i++)
        status = add_builtin(*registry, builtins[i], error);
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
    free(registry);
}

uint32_t cor_registry_size(const struct cor_registry *registry) {
    return registry->count;
}

const struct cor_algorithm *cor_registry_at(const struct cor_registry *registry, uint32_t index) {
    COR_ASSERT(index < registry->count);
    return &registry->entries[index]->module.algorithm;
}

const char *cor_registry_origin(const struct cor_registry *registry, uint32_t index) {
    COR_ASSERT(index < registry->count);
    const char *path = registry->entries[index]->path;
    return path ? path : "built-in";
}

static enum cor_status unknown(const struct cor_registry *registry, const char *name,
                               struct cor_error *error) {
    const char **names = cor_calloc((size_t)registry->count + 1, sizeof *names);
    if (!names)
        return cor_fail_memory(error);
    for (uint32_t i = 0; i < registry->count; i++)
        names[i] = cor_registry_at(registry, i)->name;
    char known[1024];
    cor_known_names(name, names, known, sizeof known);
    free(names);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "there is no algorithm \"%s\"", name);
}

/* The module at `path`, loaded now unless it is here already. */
static enum cor_status find_module(struct cor_registry *registry, const char *path,
                                   const struct cor_algorithm **algorithm, struct cor_error *error) {
    for (uint32_t i = 0; i < registry->count; i++)
        if (registry->entries[i]->path && strcmp(registry->entries[i]->path, path) == 0) {
            *algorithm = cor_registry_at(registry, i);
            return COR_OK;
        }
    struct entry *entry;
    COR_TRY(append(registry, &entry, error));
    enum cor_status status = module_open(&entry->module, path, error);
    if (status == COR_OK && !(entry->path = cor_strdup(path)))
        status = cor_fail_memory(error);
    if (status == COR_OK)
        *algorithm = &entry->module.algorithm;
    else
        destroy_entry(registry->entries[--registry->count]);
    return status;
}

enum cor_status cor_registry_find(struct cor_registry *registry, const char *name,
                                  const struct cor_algorithm **algorithm, struct cor_error *error) {
    *algorithm = NULL;
    if (strchr(name, '/'))
        return find_module(registry, name, algorithm, error);
    for (uint32_t i = 0; i < registry->count; i++)
        if (strcmp(cor_registry_at(registry, i)->name, name) == 0) {
            *algorithm = cor_registry_at(registry, i);
            return COR_OK;
        }
    return unknown(registry, name, error);
}
