/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/aut_session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void agents__identity_clear(struct agents__identity *identity, uint32_t plan_count) {
    for (uint32_t i = 0; i < identity->fault_count; i++) {
        free(identity->faults[i].name);
        free(identity->faults[i].meaning);
    }
    free(identity->name);
    free(identity->version);
    identity->name = identity->version = NULL;
    identity->forgets = false;
    identity->fault_count = 0;
    for (uint32_t i = 0; i < plan_count; i++)
        identity->triggers[i] = COR_NONE;
}

void agents__identity_fini(struct agents__identity *identity) {
    agents__identity_clear(identity, 0);
    free(identity->faults);
    free(identity->triggers);
    *identity = (struct agents__identity){0};
}

enum cor_status agents__identity_add_fault(struct agents__identity *identity, const char *name,
                                           const char *meaning, struct cor_error *error) {
    COR_TRY(
        COR_RESERVE(&identity->faults, &identity->fault_capacity, (size_t)identity->fault_count + 1, error));
    struct agents__fault_text *fault = &identity->faults[identity->fault_count++];
    fault->name = cor_strdup(name);
    fault->meaning = cor_strdup(meaning);
    return fault->name && fault->meaning ? COR_OK : cor_fail_memory(error);
}

void agents__identity_wire(struct agents__identity *identity, const struct cor_design *design,
                           const char *plan, const char *event) {
    uint32_t index = cor_design_find(design, COR_NAME_PLAN, plan);
    uint32_t trigger = event ? cor_design_find(design, COR_NAME_EVENT, event) : COR_AUT_NOT_YET;
    if (index != COR_NONE && identity->triggers[index] != design->plans[index].trigger)
        identity->triggers[index] = trigger;
}

enum cor_status agents__identity_has_fault(const struct agents__identity *identity, const char *fault,
                                           const char *place, struct cor_error *error) {
    if (!fault || strcmp(fault, "none") == 0)
        return COR_OK;
    const char **names = cor_calloc((size_t)identity->fault_count + 2, sizeof *names);
    COR_TRY(cor_made(names, error));
    names[0] = "none";
    bool has = false;
    for (uint32_t i = 0; i < identity->fault_count; i++) {
        names[i + 1] = identity->faults[i].name;
        has = has || strcmp(names[i + 1], fault) == 0;
    }
    char known[1024];
    cor_known_names(fault, names, known, sizeof known);
    free(names);
    return has ? COR_OK
               : cor_fail(error, COR_STATUS_INPUT, place, known, "agent \"%s\" has no fault \"%s\"",
                          identity->name ? identity->name : "", fault);
}

enum cor_trace_end agents__end_by(enum cor_death death) {
    switch (death) {
    case COR_DEATH_EXIT:
        return COR_TRACE_END_EXITED;
    case COR_DEATH_CPU_TIME:
    case COR_DEATH_ENDED:
        return COR_TRACE_END_HUNG;
    case COR_DEATH_SIGNAL:
    case COR_DEATH_MEMORY:
    case COR_DEATH_UNKNOWN:
        break;
    }
    return COR_TRACE_END_CRASHED;
}
