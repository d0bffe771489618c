/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/question.h>

#include "test_parts.h"

#include <corridor/array.h>
#include <corridor/attribute_json.h>
#include <corridor/kind_judge.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_MOST ((size_t)1 << 24) /* bytes, as of a session */

static enum cor_status read_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_asked *asked = into;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    asked->parameters = *json;
    asked->parameters.parent = NULL; /* what it was reached from ends with the reading */
    COR_JSON_CHILDREN(item, json) {
        double value;
        COR_TRY(cor_json_real(&item, -1e300, 1e300, &value, error));
    }
    return COR_OK;
}

static enum cor_status read_values(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_asked *asked = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_AGENTS_MAX, error));
    asked->agent_count = (uint32_t)cor_json_size(json);
    COR_TRY(cor_made(asked->columns = cor_calloc(1, sizeof *asked->columns), error));
    COR_TRY(cor_made(asked->columns[0] = cor_calloc(asked->agent_count, sizeof **asked->columns), error));
    for (uint32_t a = 0; a < asked->agent_count; a++) {
        const struct cor_json item = cor_json_at(json, a);
        COR_TRY(cor_json_real(&item, -1e300, 1e300, &asked->columns[0][a], error));
    }
    return COR_OK;
}

static const struct cor_field attribute_fields[] = {{"name", COR_REQUIRED, COR_KNOWN_FIELD},
                                                    COR_ROWS_OF(cor_attribute_fields),
                                                    {"values", COR_REQUIRED, COR_KNOWN_FIELD},
                                                    {0}};

static enum cor_status read_attributes(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_asked *asked = into;
    COR_TRY(cor_json_expect_array(json, 1, COR_ATTRIBUTES_MAX, error));
    const uint32_t count = (uint32_t)cor_json_size(json);
    double **columns = cor_calloc((size_t)1 + count, sizeof *columns);
    asked->attributes = cor_calloc(count, sizeof *asked->attributes);
    if (!columns || !asked->attributes) {
        free(columns);
        return cor_fail_memory(error);
    }
    columns[0] = asked->columns[0];
    free(asked->columns);
    asked->columns = columns;
    for (uint32_t a = 0; a < count; a++) {
        const struct cor_json item = cor_json_at(json, a);
        asked->attribute_count++;
        /* An attribute and a column of it; null: the agent has no value. */
        struct cor_json values;
        COR_TRY(cor_attribute_read_named(&item, attribute_fields, &asked->attributes[a], error));
        COR_TRY(cor_json_need(&item, "values", &values, error));
        COR_TRY(cor_json_expect_array(&values, asked->agent_count, asked->agent_count, error));
        double *column = columns[1 + a] = cor_calloc(asked->agent_count, sizeof *column);
        COR_TRY(cor_made(column, error));
        COR_JSON_CHILDREN(value, &values) {
            column[value.index] = (double)NAN;
            if (!cor_json_is_null(&value))
                COR_TRY(
                    cor_attribute_read_number(&value, &asked->attributes[a], &column[value.index], error));
        }
    }
    return COR_OK;
}

static enum cor_status read_kind(const struct cor_json *json, void *into, struct cor_error *error) {
    int kind;
    COR_TRY(cor_json_one_of(json, cor_structure_adopted_words, "kind of structure", &kind, error));
    ((struct cor_asked *)into)->kind = (enum cor_structure_kind)kind;
    return COR_OK;
}

static enum cor_status read_parents(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_lists *lists = &((struct cor_asked *)into)->structure;
    COR_TRY(cor_json_expect_array(json, lists->block_count, lists->block_count, error));
    for (uint32_t b = 0; b < lists->block_count; b++) {
        const struct cor_json item = cor_json_at(json, b);
        int64_t parent = COR_NOBODY;
        if (!cor_json_is_null(&item))
            COR_TRY(cor_json_integer(&item, 0, (int64_t)lists->block_count - 1, &parent, error));
        COR_TRY(cor_lists_hang(lists, b, (uint32_t)parent, error));
    }
    return COR_OK;
}

/* Algorithms may rely on a structure of the kind; partitionings were looked at. */
static enum cor_status check_kind(const struct cor_json *root, const struct cor_asked *asked,
                                  struct cor_error *error) {
    struct cor_json child;
    struct cor_judgement judgement;
    char text[200];
    if (asked->kind == COR_STRUCTURE_PARTITIONING) {
        if (!cor_json_find(root, "parents", &child))
            return COR_OK;
        return cor_json_fail(&child, error, "leave it out, or say the \"kind\"",
                             "partitions stand below none");
    }
    COR_TRY(cor_json_need(root, "structure", &child, error));
    struct cor_kind_judge *judge;
    COR_TRY(cor_kind_judge_create(asked->kind, &judge, error));
    const enum cor_status status =
        cor_kind_judge_look(judge, &asked->structure, asked->agent_count, &COR_NO_LIMITS, &judgement, error);
    cor_kind_judge_destroy(judge);
    COR_TRY(status);
    if (judgement.violation_count == 0)
        return COR_OK;
    cor_violation_kind_text(asked->kind, &judgement.kept[0], text, sizeof text);
    return cor_json_fail(&child, error, NULL, "is not of the kind \"%s\": %s",
                         cor_structure_words[asked->kind], text);
}

/* Of a partitioning, each agent once: algorithms may rely on it. */
static enum cor_status read_structure(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_asked *asked = into;
    const bool has_labels = asked->kind == COR_STRUCTURE_PARTITIONING;
    COR_FREED uint32_t *members = cor_calloc(asked->agent_count, sizeof *members);
    COR_FREED bool *is_in = cor_calloc(asked->agent_count, sizeof *is_in);
    COR_TRY(cor_made(members, error));
    COR_TRY(cor_made(is_in, error));
    COR_TRY(cor_json_expect_array(json, has_labels ? 1 : 0, has_labels ? asked->agent_count : COR_AGENTS_MAX,
                                  error));
    COR_JSON_CHILDREN(block, json) {
        COR_TRY(cor_json_expect_array(&block, has_labels ? 1 : 0, asked->agent_count, error));
        COR_JSON_CHILDREN(item, &block) {
            int64_t agent;
            COR_TRY(cor_json_integer(&item, 0, (int64_t)asked->agent_count - 1, &agent, error));
            if (is_in[agent] && has_labels)
                COR_TRY(cor_json_fail(&item, error, "a structure has each agent once",
                                      "agent %lld is in it twice", (long long)agent));
            is_in[agent] = true;
            members[item.index] = (uint32_t)agent;
        }
        COR_TRY(cor_lists_put(&asked->structure, members, cor_json_size(&block), error));
    }
    for (uint32_t a = 0; a < asked->agent_count; a++)
        if (!is_in[a] && has_labels)
            COR_TRY(
                cor_json_fail(json, error, "a structure has each agent once", "agent %u is in no block", a));
    return COR_OK;
}

/* Two hexadecimal digits a byte. */
static enum cor_status read_kept(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_asked *asked = into;
    const char *text;
    COR_TRY(cor_json_string(json, &text, error));
    const size_t length = strlen(text);
    if (length % 2 != 0 || length > 2 * KEPT_MOST || text[strspn(text, "0123456789abcdef")])
        return cor_json_fail(json, error, "two of the digits 0-9, a-f a byte", "is no list of bytes");
    asked->kept_size = (uint32_t)(length / 2);
    COR_TRY(cor_made(asked->kept = cor_calloc(asked->kept_size + 1, 1), error));
    for (uint32_t i = 0; i < asked->kept_size; i++)
        asked->kept[i] = (unsigned char)strtoul((const char[]){text[2 * i], text[2 * i + 1], 0}, NULL, 16);
    return COR_OK;
}

static void put_identity(void *into, size_t index, int64_t number) {
    ((uint32_t *)into)[index] = (uint32_t)number;
}

static enum cor_status read_identity(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_asked *asked = into;
    COR_TRY(cor_made(asked->identity = cor_calloc(asked->agent_count, sizeof *asked->identity), error));
    if (asked->identity_count == 0)
        return cor_json_fail(json, error, "say how many there were: \"agent_identities\"", "needs a number");
    return sequence__read_ascending(json, asked->agent_count, 0, (int64_t)asked->identity_count - 1,
                                    put_identity, asked->identity, error);
}

static enum cor_status read_schedule(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_mail_record_read(json, &((struct cor_asked *)into)->schedule, error);
}

#define LIMIT(member, least) \
    { #member, COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_limits, member, least, COR_UNLIMITED - 1) }
static const struct cor_field limits_fields[] = {
    LIMIT(size_min, 1), LIMIT(size_max, 1), LIMIT(count_min, 0), LIMIT(count_max, 0), {0}};
static const struct cor_limits no_limits = {1, COR_UNLIMITED, 0, COR_UNLIMITED};

static const struct cor_field stream_fields[] = {
    {"seed", COR_REQUIRED, COR_SEED_FIELD(struct cor_stream_name, seed)},
    {"arm", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_stream_name, arm, 0, UINT16_MAX)},
    {"suite", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_stream_name, suite, 0, UINT32_MAX)},
    {"sequence", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_stream_name, sequence, 0, UINT32_MAX)},
    {"case", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_stream_name, identity, 0, INT64_MAX)},
    {0}};

/* Agents first: what follows is about them. */
static const struct cor_field task_fields[] = {
    {"corridor_task", COR_REQUIRED, COR_VERSION_FIELD},
    {"said", COR_OPTIONAL, COR_STRING_FIELD(struct cor_asked, said)},
    {"algorithm", COR_REQUIRED, COR_STRING_FIELD(struct cor_asked, algorithm)},
    {"fault", COR_REQUIRED, COR_STRING_FIELD(struct cor_asked, fault)},
    {"measure", COR_REQUIRED, COR_TERM_FIELD(struct cor_asked, measure, COR_FAMILY_MEASURE)},
    {"threshold", COR_REQUIRED, COR_REAL_FIELD(struct cor_asked, threshold, 0, 1e300)},
    {"limits", COR_REQUIRED, COR_OBJECT_FIELD(struct cor_asked, limits, limits_fields, &no_limits)},
    {"budget", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_asked, budget, 1, INT64_MAX)},
    {"interim_units", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_asked, interim_units, 1, INT64_MAX)},
    {"mail", COR_OPTIONAL, COR_OBJECT_FIELD(struct cor_asked, mail, cor_mail_fields, &cor_mail_default)},
    {"agents", COR_OPTIONAL,
     COR_OBJECT_FIELD(struct cor_asked, agents, cor_crash_fields, &cor_crash_default)},
    {"stream", COR_REQUIRED, COR_OBJECT_FIELD(struct cor_asked, name, stream_fields, NULL)},
    {"answer", COR_REQUIRED, COR_SEED_FIELD(struct cor_asked, answer)},
    {"agent_identities", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_asked, identity_count, 1, COR_AGENTS_MAX)},
    {"parameters", COR_REQUIRED, COR_READ_FIELD(read_parameters)},
    {"values", COR_REQUIRED, COR_READ_FIELD(read_values)},
    {"kind", COR_OPTIONAL, COR_READ_FIELD(read_kind)},
    {"attributes", COR_OPTIONAL, COR_READ_FIELD(read_attributes)},
    {"structure", COR_REQUIRED, COR_READ_FIELD(read_structure)},
    {"parents", COR_OPTIONAL, COR_READ_FIELD(read_parents)},
    {"agent_identity", COR_OPTIONAL, COR_READ_FIELD(read_identity)},
    {"kept", COR_OPTIONAL, COR_READ_FIELD(read_kept)},
    {"schedule", COR_OPTIONAL, COR_READ_FIELD(read_schedule)},
    {0}};

static void put_lists(struct cor_json_writer *writer, const struct cor_case_question *question) {
    const struct cor_configuration *c = question->suite->configuration;
    const struct cor_lists *before = question->before;
    cor_json_open_array(writer, "values");
    for (uint32_t a = 0; a < c->agent_count; a++)
        cor_json_put_real(writer, NULL, question->columns[0][a]);
    cor_json_close(writer);
    if (c->kind != COR_STRUCTURE_PARTITIONING)
        cor_json_put_string(writer, "kind", cor_structure_words[c->kind]);
    if (c->attribute_count > 0)
        cor_json_open_array(writer, "attributes");
    for (uint32_t i = 0; i < c->attribute_count; i++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", c->attributes[i].name);
        cor_attribute_put(writer, &c->attributes[i]);
        cor_json_open_array(writer, "values");
        for (uint32_t a = 0; a < c->agent_count; a++)
            cor_attribute_put_number(writer, &c->attributes[i], question->columns[1 + i][a]);
        cor_json_close(writer);
        cor_json_close(writer);
    }
    if (c->attribute_count > 0)
        cor_json_close(writer);
    cor_json_open_array(writer, "structure");
    for (uint32_t b = 0; b < before->block_count; b++) {
        cor_json_open_array(writer, NULL);
        for (uint32_t m = before->start[b]; m < before->start[b + 1]; m++)
            cor_json_put_integer(writer, NULL, before->members[m]);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    if (before->nests) {
        cor_json_open_array(writer, "parents");
        for (uint32_t b = 0; b < before->block_count; b++)
            if (before->parent[b] == COR_NOBODY)
                cor_json_put_string(writer, NULL, NULL);
            else
                cor_json_put_integer(writer, NULL, before->parent[b]);
        cor_json_close(writer);
    }
    if (!c->agent_identity)
        return;
    cor_json_open_array(writer, "agent_identity");
    for (uint32_t a = 0; a < c->agent_count; a++)
        cor_json_put_integer(writer, NULL, c->agent_identity[a]);
    cor_json_close(writer);
}

static enum cor_status put_kept(struct cor_json_writer *writer, const struct cor_session_memory *memory,
                                struct cor_error *error) {
    char *text = cor_calloc(2 * (size_t)memory->kept_size + 1, 1);
    COR_TRY(cor_made(text, error));
    for (uint32_t i = 0; i < memory->kept_size; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", memory->kept[i]);
    if (memory->kept_size > 0)
        cor_json_put_string(writer, "kept", text);
    free(text);
    return COR_OK;
}

enum cor_status cor_question_text(const struct cor_case_question *question,
                                  const struct cor_mail_record *schedule, const char *said, char **text,
                                  struct cor_error *error) {
    const struct cor_arm *arm = question->suite->arm;
    const struct cor_configuration *c = question->suite->configuration;
    const struct cor_algorithm *algorithm = arm->algorithm;
    if (question->objective)
        return cor_fail(
            error, COR_STATUS_INPUT, NULL, "corridor replay executes the sequence itself",
            "a task with an objective of the corridor as a text is not kept in a file of its own");
    if (c->presence_chain)
        return cor_fail(error, COR_STATUS_INPUT, NULL, "corridor replay executes the sequence itself",
                        "a task of agents that come and go is not kept in a file of its own");
    const struct cor_asked asked = {
        .said = said,
        .algorithm = algorithm->name,
        .fault = cor_algorithm_fault_name(algorithm, arm->fault),
        .limits = c->limits,
        .threshold = c->threshold,
        .measure = arm->session.measure,
        .budget = question->rules.budget,
        .interim_units = arm->session.interim_units,
        .mail = arm->session.mail,
        .agents = arm->session.agents,
        .name = question->name,
        .identity_count = c->agent_identity ? c->identity_count : 0,
        .answer = question->digest,
    };
    struct cor_json_writer *writer;
    char *compact = NULL;
    *text = NULL;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_task", 1);
    cor_json_put_fields(writer, task_fields, &asked);
    cor_json_open_object(writer, "parameters");
    for (uint32_t i = 0; i < question->rules.parameter_count; i++)
        cor_json_put_real(writer, algorithm->parameters[i].name, question->rules.parameters[i]);
    cor_json_close(writer);
    put_lists(writer, question);
    const enum cor_status status = put_kept(writer, question->memory, error);
    if (schedule)
        cor_mail_record_write(schedule, writer, "schedule");
    cor_json_close(writer);
    if (status != COR_OK) {
        cor_json_writer_destroy(writer);
        return status;
    }
    COR_TRY(cor_json_text_take(writer, 0, &compact, error));
    cor_json_shorten(compact);
    const enum cor_status laid_out = sequence__lay_out(compact, text, error);
    free(compact);
    return laid_out;
}

enum cor_status cor_asked_read(const char *path, struct cor_asked **asked, struct cor_error *error) {
    struct cor_json_document *document;
    *asked = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    struct cor_asked *made = cor_calloc(1, sizeof *made);
    if (!made) {
        cor_json_destroy(document);
        return cor_fail_memory(error);
    }
    *made = (struct cor_asked){.document = document, .mail = cor_mail_default, .agents = cor_crash_default};
    cor_lists_init(&made->structure);
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_expect_kind(&root, COR_KIND_TASK, error);
    if (status == COR_OK)
        status = cor_json_fields(&root, task_fields, made, error);
    if (status == COR_OK)
        status = check_kind(&root, made, error);
    if (status == COR_OK)
        *asked = made;
    else
        cor_asked_destroy(made);
    return status;
}

void cor_asked_destroy(struct cor_asked *asked) {
    if (!asked)
        return;
    cor_lists_fini(&asked->structure);
    cor_mail_record_destroy(asked->schedule);
    cor_json_destroy(asked->document);
    free(asked->identity);
    for (uint32_t a = 0; asked->columns && a <= asked->attribute_count; a++)
        free(asked->columns[a]);
    free(asked->columns);
    for (uint32_t a = 0; a < asked->attribute_count; a++)
        cor_attribute_fini_declaration(&asked->attributes[a]);
    free(asked->attributes);
    free(asked->kept);
    free(asked);
}

/* The parameters of the algorithm by their names, or as it proposes them. */
static double *match_parameters(const struct cor_asked *asked, const struct cor_algorithm *algorithm,
                                char **notes) {
    const uint32_t count = cor_algorithm_parameter_count(algorithm);
    double *values = cor_calloc((size_t)count + 1, sizeof *values);
    char *proposed = cor_strdup(""), *unknown = cor_strdup("");
    for (uint32_t i = 0; i < count && values; i++) {
        const struct cor_parameter *parameter = &algorithm->parameters[i];
        struct cor_json item;
        values[i] = parameter->value;
        if (!cor_json_find(&asked->parameters, parameter->name, &item) ||
            cor_json_real(&item, parameter->min, parameter->max, &values[i], NULL) != COR_OK)
            proposed = cor_join_take(proposed, ", ", cor_strdup(parameter->name));
    }
    COR_JSON_CHILDREN(item, &asked->parameters) {
        if (cor_algorithm_parameter(algorithm, item.key) < 0)
            unknown = cor_join_take(unknown, ", ", cor_strdup(item.key));
    }
    *notes = cor_strdup("");
    if (proposed && proposed[0])
        *notes = cor_join_take(
            *notes, "\n",
            cor_format("has no value that the algorithm takes for %s: their defaults are taken", proposed));
    if (unknown && unknown[0])
        *notes = cor_join_take(*notes, "\n",
                               cor_format("names parameters that the algorithm has not: %s", unknown));
    free(proposed);
    free(unknown);
    return values;
}

static enum cor_status reorganize(const struct cor_asked *asked, struct cor_session *session,
                                  const struct cor_rules *rules, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    static const uint32_t nothing = 0;
    const struct cor_task task = {
        .struct_size = sizeof task,
        .agent_count = asked->agent_count,
        .rules = rules,
        .values = (const double *const *)asked->columns,
        .block_count = asked->structure.block_count,
        .block_start = asked->structure.start ? asked->structure.start : &nothing,
        .members = asked->structure.members,
        .block_parent = cor_lists_parents(&asked->structure),
    };
    cor_session_restart(session);
    if (asked->identity)
        cor_session_identify(session, asked->identity, asked->identity_count);
    cor_session_schedule(session, asked->schedule);
    COR_TRY(cor_session_keep(session, asked->kept, asked->kept_size, error));
    return cor_session_reorganize(session, &task, &asked->name, outcome, error);
}

enum cor_status cor_asked_ask(const struct cor_asked *asked, const struct cor_algorithm *algorithm,
                              uint32_t fault, struct cor_outcome *outcome, char **notes,
                              struct cor_error *error) {
    COR_DESTROYED(cor_session) struct cor_session *session = NULL;
    struct cor_session_definition definition = cor_default_session(algorithm);
    COR_FREED struct cor_value_column *columns = NULL;
    if (!cor_algorithm_makes(algorithm, (enum cor_organized)asked->kind))
        return cor_fail(error, COR_STATUS_INPUT, NULL, "ask one that makes such structures (corridor list)",
                        "%s does not promise the kind \"%s\" of the task's structure", algorithm->name,
                        cor_structure_words[asked->kind]);
    COR_FREED double *parameters = match_parameters(asked, algorithm, notes);
    COR_TRY(cor_made(parameters, error));
    COR_TRY(cor_made(*notes, error));
    COR_TRY(cor_attribute_check_needs(asked->attributes, asked->attribute_count, algorithm,
                                      cor_json_name(asked->document), error));
    COR_TRY(cor_attribute_columns(asked->attributes, asked->attribute_count, &columns, error));
    struct cor_rules rules = cor_default_rules(algorithm, &asked->limits, asked->threshold, parameters);
    rules.value_count = 1 + asked->attribute_count;
    rules.columns = columns;
    rules.fault = fault;
    rules.budget = asked->budget;
    rules.organized = (uint32_t)asked->kind;
    definition.measure = asked->measure;
    definition.mail = asked->mail;
    definition.agents = asked->agents;
    definition.interim_units = asked->interim_units;
    COR_TRY(cor_session_create(&definition, &session, error));
    return reorganize(asked, session, &rules, outcome, error);
}
