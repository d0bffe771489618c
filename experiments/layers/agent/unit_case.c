/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One case of a unit: its values, whether it can be, and how it is told. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_case_values_init(struct cor_case_values *values, const struct cor_design *design,
                                     struct cor_error *error) {
    uint32_t parameters = 0;
    enum cor_status status = COR_OK;
    *values = (struct cor_case_values){0};
    for (uint32_t e = 0; e < design->event_count; e++)
        if (design->events[e].parameter_count > parameters)
            parameters = design->events[e].parameter_count;
    values->classes = cor_calloc((size_t)design->field_count + parameters, sizeof *values->classes);
    COR_TRY_OUT(cor_made(values->classes, error));
    values->arguments = cor_calloc(parameters, sizeof *values->arguments);
    COR_TRY_OUT(cor_made(values->arguments, error));
    values->beliefs = cor_calloc(design->field_count, sizeof *values->beliefs);
    COR_TRY_OUT(cor_made(values->beliefs, error));
    values->slots = cor_calloc((size_t)design->field_count + parameters, sizeof *values->slots);
    COR_TRY_OUT(cor_made(values->slots, error));
out:
    if (status != COR_OK)
        cor_case_values_fini(values);
    return status;
}

void cor_case_values_fini(struct cor_case_values *values) {
    free(values->classes);
    free(values->arguments);
    free(values->beliefs);
    free(values->slots);
    *values = (struct cor_case_values){0};
}

static void make_own(const struct cor_unit_cases *cases, uint32_t index, struct cor_case_values *values) {
    const struct cor_design *design = cases->file->design;
    const struct cor_own_case *own = &cases->file->own_cases[cases->own[index]];
    uint32_t arguments = design->events[own->event].parameter_count;
    values->own = !own->solved;
    values->solved = own->solved;
    values->valid = own->valid;
    values->event = own->event;
    for (values->entry = 0; cases->entries[values->entry].event != own->event;)
        values->entry++;
    if (arguments > 0)
        memcpy(values->arguments, own->arguments, arguments * sizeof *own->arguments);
    if (design->field_count > 0)
        memcpy(values->beliefs, own->beliefs, design->field_count * sizeof *own->beliefs);
    for (uint32_t v = 0; v < cases->entries[values->entry].variable_count; v++) {
        const struct cor_unit_variable *variable =
            &cases->variables[cases->entries[values->entry].first_variable + v];
        const uint32_t slot = variable->slot;
        values->classes[v] =
            agent_layer__class_of(cases, variable,
                                  slot < design->field_count ? values->beliefs[slot]
                                                             : values->arguments[slot - design->field_count]);
    }
}

/* Ranks become classes, and classes values. */
static void fill(const struct cor_unit_cases *cases, const struct cor_case_entry *entry,
                 struct cor_case_values *values) {
    const struct cor_design *design = cases->file->design;
    values->own = values->solved = false;
    values->valid = true;
    values->event = entry->event;
    values->entry = (uint32_t)(entry - cases->entries);
    for (uint32_t f = 0; f < design->field_count; f++)
        values->beliefs[f] = design->fields[f].start;
    for (uint32_t v = 0; v < entry->variable_count; v++) {
        const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
        uint32_t class = cases->ranked[variable->first_class + values->classes[v]];
        values->classes[v] = class;
        values->valid &= cases->classes[class].valid;
        if (variable->slot < design->field_count)
            values->beliefs[variable->slot] = cases->classes[class].sample;
        else
            values->arguments[variable->slot - design->field_count] = cases->classes[class].sample;
    }
}

void cor_unit_case_make(const struct cor_unit_cases *cases, uint64_t index, struct cor_case_values *values) {
    const struct cor_case_entry *entry = cases->entries;
    COR_ASSERT(index < cases->count);
    const uint64_t made = cases->count - cases->own_count - cases->solved_count;
    if (index >= made) {
        make_own(cases, (uint32_t)(index - made), values);
        return;
    }
    while (index >= entry->first_case + entry->case_count)
        entry++;
    index -= entry->first_case;
    if (index >= entry->row_count) {
        /* Rows with one invalid class: variable after variable, class after class. */
        uint64_t row = index - entry->row_count;
        const struct cor_unit_variable *variables = cases->variables + entry->first_variable;
        uint32_t invalid = 0;
        for (;; invalid++) {
            const struct cor_unit_variable *variable = &variables[invalid];
            COR_ASSERT(invalid < entry->variable_count);
            uint64_t rows = (uint64_t)(variable->class_count - variable->valid_count) * variable->single_rows;
            if (row < rows)
                break;
            row -= rows;
        }
        for (uint32_t v = 0; v < entry->variable_count; v++)
            values->classes[v] = (uint32_t)(row % variables[invalid].single_rows) % variables[v].valid_count;
        values->classes[invalid] =
            variables[invalid].valid_count + (uint32_t)(row / variables[invalid].single_rows);
    } else if (entry->row_ranks) {
        memcpy(values->classes, entry->row_ranks + index * entry->variable_count,
               entry->variable_count * sizeof *values->classes);
    } else {
        /* Combination `index` of all: the last variable changes fastest. */
        for (uint32_t v = entry->variable_count; v-- > 0;) {
            const struct cor_unit_variable *variable = &cases->variables[entry->first_variable + v];
            uint32_t count = entry->only_valid ? variable->valid_count : variable->class_count;
            values->classes[v] = (uint32_t)(index % count);
            index /= count;
        }
    }
    fill(cases, entry, values);
}

bool cor_unit_case_applicable(const struct cor_unit_cases *cases, struct cor_case_values *values) {
    const struct cor_design *design = cases->file->design;
    const struct cor_units *units = &cases->file->order.units;
    const struct cor_unit *unit = &units->units[cases->unit];
    cor_design_view(design, values->event, values->beliefs, values->arguments, values->slots);
    for (uint32_t m = 0; m < unit->member_count; m++) {
        const struct cor_design_plan *plan = &design->plans[cor_unit_members(units, unit)[m]];
        if (plan->trigger == values->event &&
            (!plan->code.has_context || cor_expression_judge(&plan->code.context, values->slots)))
            return true;
    }
    return false;
}

/* "other than 'a', 'b'" */
static void put_others(const struct cor_unit_cases *cases, const struct cor_unit_variable *variable,
                       const struct cor_domain *domain, char *text, size_t size) {
    const char *between = "other than ";
    snprintf(text, size, "not null");
    for (uint32_t c = 0; c < variable->class_count; c++) {
        const struct cor_unit_class *class = &cases->classes[variable->first_class + c];
        char value[256];
        if (class->kind != COR_CLASS_VALUE || class->sample.kind == COR_VALUE_NULL)
            continue;
        cor_value_text(class->sample, domain, &cases->file->design->words, value, sizeof value);
        size_t used = between[0] == 'o' ? 0 : strlen(text);
        snprintf(text + used, size - used, "%s%s", between, value);
        between = ", ";
    }
}

void cor_unit_class_text(const struct cor_unit_cases *cases, const struct cor_unit_variable *variable,
                         const struct cor_unit_class *class, char *text, size_t size) {
    const struct cor_design *design = cases->file->design;
    const struct cor_domain *domain = &design->domains[variable->domain];
    char low[64] = "-inf", high[64] = "+inf";
    switch (class->kind) {
    case COR_CLASS_VALUE:
        if (class->sample.kind == COR_VALUE_WORD)
            snprintf(text, size, "%s", cor_words_text(&design->words, class->sample.as.word));
        else
            cor_value_text(class->sample, domain, &design->words, text, size);
        return;
    case COR_CLASS_OTHER:
        put_others(cases, variable, domain, text, size);
        return;
    case COR_CLASS_INTERVAL:
        break;
    }
    if (class->low.kind != COR_VALUE_NULL)
        cor_value_text(class->low, domain, &design->words, low, sizeof low);
    if (class->high.kind != COR_VALUE_NULL)
        cor_value_text(class->high, domain, &design->words, high, sizeof high);
    snprintf(text, size, "(%s, %s)", low, high);
}

void cor_unit_variable_text(const struct cor_unit_cases *cases, const struct cor_case_entry *entry,
                            const struct cor_unit_variable *variable, char *text, size_t size) {
    const struct cor_design *design = cases->file->design;
    const char *name = cor_design_slot_name(design, entry->event, variable->slot);
    if (variable->slot < design->field_count || cases->entry_count == 1)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s.%s", design->events[entry->event].name, name);
}
