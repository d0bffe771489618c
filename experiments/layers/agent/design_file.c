/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A design from its file: names first, then what refers to them. */
#include "design_reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

static enum cor_status read_format(const struct cor_json *json, void *into, struct cor_error *error) {
    static const char *const formats[] = {"agent-unit/1", NULL};
    int index;
    (void)into;
    return cor_json_one_of(json, formats, "format", &index, error);
}

static enum cor_status read_agent(const struct cor_json *json, void *into, struct cor_error *error) {
    struct agent_layer__reader *reader = into;
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    if (name[0] == '\0' || !cor_is_printable(name))
        return cor_json_fail(json, error, "at least a letter, and no control characters",
                             "no name for an agent");
    reader->file->design = reader->design = cor_design_create(name);
    return cor_made(reader->design, error);
}

static enum cor_status read_expectation(const struct cor_json *json, void *into, struct cor_error *error) {
    (void)into;
    return cor_json_expect_object(json, NULL, error);
}

static const struct cor_field root_fields[] = {
    {"format", COR_REQUIRED, COR_READ_FIELD(read_format)},
    {"agent", COR_REQUIRED, COR_READ_FIELD(read_agent)},
    {"note", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_note)},
    {"types", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_types)},
    {"beliefs", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_beliefs)},
    {"belief_values", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_start_values)},
    {"events", COR_REQUIRED, COR_READ_FIELD(agent_layer__read_events)},
    {"entry", COR_REQUIRED, COR_READ_FIELD(agent_layer__read_entries)},
    {"messages_out", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_messages)},
    {"actions", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_actions)},
    {"plans", COR_REQUIRED, COR_READ_FIELD(agent_layer__read_plans)},
    {"rings", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_rings)},
    {"test", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_settings)},
    {"expect", COR_OPTIONAL, COR_READ_FIELD(read_expectation)},
    {0}};

/* Plans that are meant to be in a ring are in one. */
static enum cor_status check_rings(const struct cor_design_file *file, const struct cor_json *root,
                                   struct cor_error *error) {
    const struct cor_design *design = file->design;
    const struct cor_units *units = &file->order.units;
    for (uint32_t r = 0; r < design->ring_count; r++) {
        const struct cor_indices *plans = &design->rings[r].plans;
        const uint32_t unit = file->order.unit_of_plan[plans->items[0]];
        bool together = unit != COR_NONE && units->units[unit].kind == COR_UNIT_KIND_RING;
        for (uint32_t p = 1; p < plans->count; p++)
            together = together && file->order.unit_of_plan[plans->items[p]] == unit;
        if (together || !design->rings[r].meant)
            continue;
        struct cor_json rings = {0};
        (void)cor_json_find(root, "rings", &rings);
        const struct cor_json ring = cor_json_at(&rings, r);
        return cor_json_fail(&ring, error, "corridor agent order shows the rings",
                             "these plans call each other in no ring");
    }
    return COR_OK;
}

static enum cor_status read_all(struct cor_design_file *file, const struct cor_json_document *document,
                                struct cor_error *error) {
    const struct cor_json root = cor_json_root(document);
    struct agent_layer__reader reader = {.file = file, .root = &root};
    COR_TRY(cor_json_expect_kind(&root, COR_KIND_DESIGN, error));
    COR_TRY(cor_json_fields(&root, root_fields, &reader, error));
    COR_TRY(cor_unit_order_init(&file->order, file->design, error));
    COR_TRY(check_rings(file, &root, error));
    COR_TRY(agent_layer__read_own_cases(file, &root, error));
    file->path = cor_strdup(cor_json_name(document));
    file->text = cor_json_text(&root);
    return file->path && file->text ? COR_OK : cor_fail_memory(error);
}

/* Takes the document, whose reading gave `status`. */
static enum cor_status read_document_take(enum cor_status status, struct cor_json_document *document,
                                          struct cor_design_file **file, struct cor_error *error) {
    *file = NULL;
    COR_TRY_OUT(status);
    *file = cor_calloc(1, sizeof **file);
    COR_TRY_OUT(cor_made(*file, error));
    COR_TRY_OUT(read_all(*file, document, error));
out:
    cor_json_destroy(document);
    if (status != COR_OK) {
        cor_design_file_destroy(*file);
        *file = NULL;
    }
    return status;
}

enum cor_status cor_design_file_read(const char *path, struct cor_design_file **file,
                                     struct cor_error *error) {
    struct cor_json_document *document;
    enum cor_status status = cor_json_read(path, &document, error);
    return read_document_take(status, document, file, error);
}

enum cor_status cor_design_file_parse(const char *text, const char *name, struct cor_design_file **file,
                                      struct cor_error *error) {
    struct cor_json_document *document;
    enum cor_status status = cor_json_parse(text, name, &document, error);
    return read_document_take(status, document, file, error);
}

void cor_design_file_destroy(struct cor_design_file *file) {
    if (!file)
        return;
    for (uint32_t i = 0; i < file->own_case_count; i++) {
        free(file->own_cases[i].arguments);
        free(file->own_cases[i].beliefs);
    }
    free(file->own_cases);
    cor_unit_order_fini(&file->order);
    cor_design_destroy(file->design);
    free(file->text);
    free(file->path);
    free(file);
}
