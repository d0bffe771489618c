/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A design from its file: names first, then what refers to them. */
#include "design_reader.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

enum cor_status agent_layer__read_items(const struct cor_json *json, size_t least,
                                        const struct cor_field *fields,
                                        const struct agent_layer__reader *reader, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, least, COR_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct agent_layer__reader one = *reader;
        COR_TRY(cor_json_fields(&item, fields, &one, error));
    }
    return COR_OK;
}

enum cor_status agent_layer__look_up(const struct cor_json *json, struct agent_layer__reader *reader,
                                     enum cor_design_name what, uint32_t *index, struct cor_error *error) {
    const char *name;
    COR_TRY(agent_layer__read_text(json, &name, reader->place, error));
    return cor_design_look_up(reader->design, what, name, reader->place, index, error);
}

enum cor_status agent_layer__read_conditions(const struct cor_json *json, struct agent_layer__reader *reader,
                                             agent_layer__condition_adder *add, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, COR_ITEMS_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        const char *text;
        COR_TRY(agent_layer__read_text(&item, &text, reader->place, error));
        COR_TRY(add(reader->design, reader->index, reader->parameter, text, reader->place, error));
    }
    return COR_OK;
}

enum cor_status agent_layer__check_conditions(const struct cor_json *json, struct agent_layer__reader *reader,
                                              const char *name, uint32_t domain,
                                              const struct cor_condition *conditions, uint32_t count,
                                              struct cor_error *error) {
    const struct cor_domain *of = &reader->design->domains[domain];
    struct agent_layer__boundaries boundaries = {0};
    struct agent_layer__classes classes = {0};
    enum cor_status status = COR_OK;
    bool any = false;
    COR_TRY_OUT(agent_layer__boundaries_add_conditions(&boundaries, conditions, count, error));
    COR_TRY_OUT(agent_layer__classes_add(&classes, of, &boundaries, error));
    for (uint32_t i = 0; i < classes.count && !any; i++)
        any =
            agent_layer__conditions_hold(conditions, count, agent_layer__class_value(&classes.items[i], of));
    if (!any) {
        char *said = cor_json_text(json);
        status = cor_json_fail(json, error, "change one of these conditions, or leave it out",
                               "no value of \"%s\" meets %s", name, said ? said : "these conditions");
        free(said);
    }
out:
    agent_layer__boundaries_fini(&boundaries);
    free(classes.items);
    return status;
}

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
    {"test", COR_OPTIONAL, COR_READ_FIELD(agent_layer__read_settings)},
    {"expect", COR_OPTIONAL, COR_READ_FIELD(read_expectation)},
    {0}};

enum cor_status cor_design_file_unit(const struct cor_design_file *file, const char *name, const char *place,
                                     uint32_t *unit, struct cor_error *error) {
    const struct cor_units *units = &file->order.units;
    enum cor_status status = COR_OK;
    char remedy[1024], **names = cor_calloc(units->count + 1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (*unit = 0; *unit < units->count; ++*unit) {
        names[*unit] = cor_unit_name(file->design, units, *unit);
        COR_TRY_OUT(cor_made(names[*unit], error));
        if (strcmp(names[*unit], name) == 0)
            goto out;
    }
    cor_known_names(name, (const char *const *)names, remedy, sizeof remedy);
    status = cor_fail(error, COR_STATUS_INPUT, place, remedy, "there is no unit \"%s\"", name);
out:
    for (uint32_t i = 0; i < units->count; i++)
        free(names[i]);
    free(names);
    return status;
}

static enum cor_status read_all(struct cor_design_file *file, const struct cor_json_document *document,
                                struct cor_error *error) {
    const struct cor_json root = cor_json_root(document);
    struct agent_layer__reader reader = {.file = file, .root = &root};
    COR_TRY(cor_json_expect_kind(&root, COR_KIND_DESIGN, error));
    COR_TRY(cor_json_fields(&root, root_fields, &reader, error));
    COR_TRY(cor_unit_order_init(&file->order, file->design, error));
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
