/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was solved for a design, as JSON and back: an experiment that is read again asks nobody. */
#include <corridor/design_check.h>

#include "design_reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static void put_case(struct cor_json_writer *writer, const struct cor_design_file *file,
                     const struct cor_own_case *own) {
    const struct cor_design *design = file->design;
    const struct cor_design_event *event = &design->events[own->event];
    char *unit = cor_unit_name(design, &file->order.units, own->unit);
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "unit", unit ? unit : "");
    cor_json_put_string(writer, "event", event->name);
    cor_design_put_arguments(writer, design, event, own->arguments);
    cor_json_open_object(writer, "beliefs");
    for (uint32_t f = 0; f < design->field_count; f++)
        if (!cor_value_equal(own->beliefs[f], design->fields[f].start))
            cor_design_put_value(writer, design->fields[f].full_name, design, design->fields[f].domain,
                                 own->beliefs[f]);
    cor_json_close(writer);
    cor_json_put_bool(writer, "valid", own->valid);
    cor_json_close(writer);
    free(unit);
}

void cor_design_put_solved(struct cor_json_writer *writer, const struct cor_design_file *file,
                           const struct cor_design_findings *findings) {
    cor_json_open_object(writer, "solved");
    cor_json_open_array(writer, "cases");
    for (uint32_t i = 0; i < file->own_case_count; i++)
        if (file->own_cases[i].solved)
            put_case(writer, file, &file->own_cases[i]);
    cor_json_close(writer);
    cor_json_open_array(writer, "found");
    for (uint32_t f = 0; f < findings->count; f++) {
        const struct cor_design_finding *it = &findings->items[f];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "check", cor_term_word(COR_FAMILY_AUT_CHECK, (int)it->check));
        cor_json_put_string(writer, "severity", cor_term_word(COR_FAMILY_SEVERITY, (int)it->severity));
        cor_json_put_string(writer, "ground", cor_ground_word(it->ground));
        cor_json_put_string(writer, "about", it->about);
        cor_json_put_string(writer, "plan", it->plan);
        cor_json_put_string(writer, "text", it->text);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
}

/* A finding as it stands. */
struct said {
    const char *ground, *about, *plan, *text;
    int check, severity;
};

static const struct cor_field finding_fields[] = {
    {"check", COR_REQUIRED, COR_TERM_FIELD(struct said, check, COR_FAMILY_AUT_CHECK)},
    {"severity", COR_REQUIRED, COR_TERM_FIELD(struct said, severity, COR_FAMILY_SEVERITY)},
    {"ground", COR_REQUIRED, COR_STRING_FIELD(struct said, ground)},
    {"about", COR_REQUIRED, COR_STRING_FIELD(struct said, about)},
    {"plan", COR_REQUIRED, COR_STRING_FIELD(struct said, plan)},
    {"text", COR_REQUIRED, COR_STRING_FIELD(struct said, text)},
    {0}};

/* Where they go. */
struct into {
    struct cor_design_file *file;
    struct cor_design_findings *findings;
};

static enum cor_status read_finding(const struct cor_json *json, struct cor_design_findings *findings,
                                    struct cor_error *error) {
    struct said said = {0};
    COR_TRY(cor_json_fields(json, finding_fields, &said, error));
    enum cor_ground ground = COR_GROUND_STRUCTURE;
    while (ground <= COR_GROUND_OPEN && strcmp(cor_ground_word(ground), said.ground) != 0)
        ground++;
    if (ground > COR_GROUND_OPEN)
        return cor_json_fail(json, error, "structure, witness, proof or open", "no ground is called \"%s\"",
                             said.ground);
    const struct cor_design_finding finding = {.check = (enum cor_aut_check)said.check,
                                               .severity = (enum cor_severity)said.severity,
                                               .ground = ground,
                                               .about = (char *)(uintptr_t)said.about,
                                               .plan = (char *)(uintptr_t)said.plan,
                                               .text = (char *)(uintptr_t)said.text};
    return cor_design_findings_add(findings, &finding, error);
}

static enum cor_status read_found(const struct cor_json *json, void *with, struct cor_error *error) {
    struct into *into = with;
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(read_finding(&item, into->findings, error));
    }
    return COR_OK;
}

static enum cor_status read_cases(const struct cor_json *json, void *with, struct cor_error *error) {
    return agent_layer__read_solved_cases(json, ((struct into *)with)->file, error);
}

static const struct cor_field fields[] = {{"cases", COR_REQUIRED, COR_READ_FIELD(read_cases)},
                                          {"found", COR_REQUIRED, COR_READ_FIELD(read_found)},
                                          {0}};

enum cor_status cor_design_read_solved(const struct cor_json *json, struct cor_design_file *file,
                                       struct cor_design_findings *findings, struct cor_error *error) {
    struct into into = {file, findings};
    return cor_json_fields(json, fields, &into, error);
}
