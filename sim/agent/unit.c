/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/unit.h>

#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>

void cor_units_init(struct cor_units *units) {
    *units = (struct cor_units){0};
}

void cor_units_fini(struct cor_units *units) {
    free(units->units);
    agent__indices_fini(&units->members);
    cor_units_init(units);
}

enum cor_status cor_units_add(struct cor_units *units, enum cor_unit_kind kind, uint32_t event,
                              const uint32_t *members, uint32_t member_count, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&units->units, &units->capacity, (size_t)units->count + 1, error));
    struct cor_unit unit = {
        .kind = kind, .event = event, .first_member = units->members.count, .member_count = member_count};
    for (uint32_t m = 0; m < member_count; m++)
        COR_TRY(agent__indices_add(&units->members, members[m], error));
    units->units[units->count++] = unit;
    return COR_OK;
}

char *cor_unit_name(const struct cor_design *design, const struct cor_units *units, uint32_t index) {
    static const char *const codes[COR_UNIT_KIND_CODES] = {
        [COR_UNIT_KIND_PLAN] = "PT", [COR_UNIT_KIND_EVENT] = "ET", [COR_UNIT_KIND_RING] = "CT"};
    const struct cor_unit *unit = &units->units[index];
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "%s(", codes[unit->kind]);
    if (unit->kind == COR_UNIT_KIND_EVENT)
        fputs(design->events[unit->event].name, out);
    for (uint32_t m = 0; m < unit->member_count && unit->kind != COR_UNIT_KIND_EVENT; m++)
        fprintf(out, "%s%s", m > 0 ? "," : "", design->plans[cor_unit_members(units, unit)[m]].name);
    fputc(')', out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
