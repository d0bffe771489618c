/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an arm is made of: the one place that says which code it executes. */
#include <corridor/arm_components.h>

#include "internal.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/layer.h>
#include <corridor/mechanism_host.h>

#include <stdlib.h>
#include <string.h>

static bool is_module_path(const char *name) {
    return strchr(name, '/') != NULL;
}

uint32_t cor_arm_component_count(const struct cor_arm *arm) {
    return (arm->monitors.algorithm ? 2u : 1u) + arm->mechanism_count;
}

struct cor_arm_component cor_arm_component_at(const struct cor_experiment *experiment,
                                              const struct cor_arm *arm, uint32_t index) {
    const struct cor_registry *registry = experiment->registry;
    COR_ASSERT(index < cor_arm_component_count(arm));
    if (index == 0)
        return (struct cor_arm_component){.is = COR_COMPONENT_ALGORITHM,
                                          .name = arm->algorithm->name,
                                          .digest = cor_registry_digest(registry, arm->algorithm),
                                          .is_foreign = cor_registry_is_foreign(registry, arm->algorithm)};
    const struct cor_arm_monitors *monitors = &arm->monitors;
    if (index == 1 && monitors->algorithm)
        return (struct cor_arm_component){.is = COR_COMPONENT_MONITOR,
                                          .name = monitors->algorithm,
                                          .digest = monitors->digest,
                                          .is_foreign = is_module_path(monitors->algorithm)};
    const struct cor_mechanism *mechanism =
        arm->mechanisms[index - 1 - (monitors->algorithm != NULL)].mechanism;
    const char *name = cor_registry_mechanism_origin(registry, mechanism);
    return (struct cor_arm_component){.is = COR_COMPONENT_MECHANISM,
                                      .name = name,
                                      .digest = cor_registry_mechanism_digest(registry, mechanism),
                                      .is_foreign = is_module_path(name)};
}

void cor_arm_component_put(const struct cor_arm_component *component, struct cor_json_writer *writer) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", component->name);
    cor_json_put_string(writer, "sha256", component->digest);
    cor_json_close(writer);
}

static enum cor_status note_digest(const struct cor_experiment *experiment, struct cor_arm *arm,
                                   struct cor_error *error) {
    for (uint32_t i = 0; i < cor_arm_component_count(arm); i++) {
        const char *digest = cor_arm_component_at(experiment, arm, i).digest;
        if (!digest)
            continue;
        char *before = arm->digest;
        arm->digest = cor_format("%s%s", before ? before : "", digest);
        free(before);
        COR_TRY(cor_made(arm->digest, error));
    }
    return COR_OK;
}

enum cor_status interaction__components_note(struct cor_experiment *experiment, struct cor_error *error) {
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        COR_TRY(note_digest(experiment, &experiment->arms[a], error));
    return COR_OK;
}

void cor_arm_tell_code(const struct cor_experiment *experiment, const struct cor_arm *arm,
                       struct cor_arm_head *head) {
    head->digest = arm->digest;
    for (uint32_t i = 0; i < cor_arm_component_count(arm); i++) {
        const struct cor_arm_component component = cor_arm_component_at(experiment, arm, i);
        head->foreign = head->foreign || component.is_foreign;
        head->unasked = head->unasked || (component.is_foreign && i > 0);
    }
}

bool cor_arms_are_known(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t count) {
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t i = 0; i < cor_arm_component_count(&arms[a]); i++) {
            const struct cor_arm_component component = cor_arm_component_at(experiment, &arms[a], i);
            const bool is_command = i == 0 && cor_algorithm_is_program(arms[a].algorithm);
            if ((is_command || (i > 0 && component.is_foreign)) && !component.digest)
                return false;
        }
    return true;
}

/* Has an arm before `arm`, or the arm itself before that component, the same? */
static bool is_put(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t arm,
                   const struct cor_arm_component *component, uint32_t index) {
    for (uint32_t a = 0; a <= arm; a++)
        for (uint32_t i = 1; i < (a < arm ? cor_arm_component_count(&arms[a]) : index); i++) {
            const struct cor_arm_component other = cor_arm_component_at(experiment, &arms[a], i);
            if (other.is == component->is && other.digest && strcmp(other.name, component->name) == 0)
                return true;
        }
    return false;
}

static void put_modules(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t count,
                        enum cor_component which, const char *key, struct cor_json_writer *writer) {
    bool is_open = false;
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t i = 1; i < cor_arm_component_count(&arms[a]); i++) {
            const struct cor_arm_component component = cor_arm_component_at(experiment, &arms[a], i);
            if (component.is != which || !component.digest || is_put(experiment, arms, a, &component, i))
                continue;
            if (!is_open)
                cor_json_open_array(writer, key);
            is_open = true;
            cor_arm_component_put(&component, writer);
        }
    if (is_open)
        cor_json_close(writer);
}

void cor_arms_put_beside(const struct cor_experiment *experiment, const struct cor_arm *arms, uint32_t count,
                         struct cor_json_writer *writer) {
    struct cor_arm_head head = {0};
    for (uint32_t a = 0; a < count; a++)
        cor_arm_tell_code(experiment, &arms[a], &head);
    if (!head.unasked)
        return;
    cor_json_put_bool(writer, "foreign_programs", true);
    put_modules(experiment, arms, count, COR_COMPONENT_MONITOR, "monitors", writer);
    put_modules(experiment, arms, count, COR_COMPONENT_MECHANISM, "mechanisms", writer);
}

/* Does the algorithm work in a cell, or in a process behind the same walls: is it a program? */
static bool has_cell(const struct cor_arm *arm) {
    return arm->session.place == COR_SESSION_IN_CELL || cor_algorithm_is_program(arm->algorithm);
}

enum cor_status cor_arms_look_at_isolation(const char *path, const struct cor_experiment *experiment,
                                           const struct cor_arm *arms, uint32_t count, char **warnings,
                                           struct cor_error *error) {
    struct cor_needs needs = {0};
    bool has_cells = false;
    enum cor_status status = COR_OK;
    for (uint32_t a = 0; a < count && status == COR_OK; a++)
        if (has_cell(&arms[a])) {
            has_cells = true;
            status = cor_registry_needs(experiment->registry, arms[a].algorithm, &needs, error);
        }
    for (uint32_t a = 0; a < count && status == COR_OK; a++)
        if (arms[a].monitors.in_cell) {
            has_cells = true;
            status = cor_needs_of_module(&needs, arms[a].monitors.algorithm, error);
        }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t i = 0; i < arms[a].mechanism_count && status == COR_OK; i++) {
            const char *module =
                cor_registry_mechanism_cell(experiment->registry, arms[a].mechanisms[i].mechanism);
            has_cells = has_cells || module;
            if (module)
                status = cor_needs_of_module(&needs, module, error);
        }
    if (status == COR_OK && has_cells)
        status = cor_guarantees_look(path, &needs, cor_registry_isolation(experiment->registry)->is_full,
                                     warnings, error);
    cor_needs_fini(&needs);
    return status;
}
