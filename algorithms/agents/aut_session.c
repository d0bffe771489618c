/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/aut_session.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/rows.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- any program over JSON lines (docs/learn/test-an-agent.md). The session's side reads what it says;
 * nothing of ours runs in its process but what starts it */

#define LINE_MOST ((size_t)1 << 20) /* bytes of a line */

struct agents__program {
    const struct cor_design *design;
    char *fault, *design_json;         /* owned; may be NULL */
    struct agents__identity *identity; /* borrowed */
    struct cor_conversation talk;
    struct agents__reporter reporter;
    struct cor_rows rows;         /* of relations, when a case begins */
    struct cor_aut_value *values; /* owned; of one line */
    size_t value_capacity;
};

static void put_value(struct cor_json_writer *writer, const struct cor_design *design, const char *name,
                      const struct cor_domain *domain, struct cor_value value) {
    if (value.kind == COR_VALUE_INTEGER && domain->type == COR_VALUE_TYPE_BOOLEAN)
        cor_json_put_bool(writer, name, value.as.integer != 0);
    else if (value.kind == COR_VALUE_INTEGER)
        cor_json_put_integer(writer, name, value.as.integer);
    else if (value.kind == COR_VALUE_REAL)
        cor_json_put_real(writer, name, value.as.real);
    else
        cor_json_put_string(writer, name,
                            value.kind == COR_VALUE_WORD ? cor_words_text(&design->words, value.as.word)
                                                         : NULL);
}

/* A JSON value as it crosses the line; what it quotes lives as long as the document. */
static enum cor_status take_value(const struct cor_json *json, struct cor_aut_value *value,
                                  struct cor_error *error) {
    const char *word;
    *value = (struct cor_aut_value){.name = json->key, .kind = COR_AUT_NULL};
    if (cor_json_is_null(json))
        return COR_OK;
    if (cor_json_is_integer(json)) {
        value->kind = COR_AUT_INTEGER;
        return cor_json_integer(json, INT64_MIN, INT64_MAX, &value->as.integer, error);
    }
    if (cor_json_is_number(json)) {
        value->kind = COR_AUT_REAL;
        return cor_json_real(json, -1.7976931348623157e308, 1.7976931348623157e308, &value->as.real, error);
    }
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &word, error));
        *value = cor_aut_word(json->key, word);
        return COR_OK;
    }
    bool truth = false;
    COR_TRY(cor_json_bool(json, &truth, error));
    *value = cor_aut_integer(json->key, truth);
    return COR_OK;
}

/* One member of a line, as text; NULL when it is not there or null. */
static enum cor_status take_text(const struct cor_json *line, const char *key, const char **text,
                                 struct cor_error *error) {
    struct cor_json json;
    *text = NULL;
    if (!cor_json_find(line, key, &json) || cor_json_is_null(&json))
        return COR_OK;
    return cor_json_string(&json, text, error);
}

static enum cor_status take_truth(const struct cor_json *line, const char *key, bool *truth,
                                  struct cor_error *error) {
    struct cor_json json;
    COR_TRY(cor_json_need(line, key, &json, error));
    return cor_json_bool(&json, truth, error);
}

/* What a line can say: each reads the members of its line and reports them. */

static enum cor_status say_context(struct agents__program *program, const struct cor_json *line,
                                   const char *name, struct cor_error *error) {
    bool holds = false;
    COR_TRY(take_truth(line, "holds", &holds, error));
    agents__report_context(&program->reporter, name, holds);
    return COR_OK;
}

static enum cor_status say_started(struct agents__program *program, const struct cor_json *line,
                                   const char *name, struct cor_error *error) {
    (void)line;
    (void)error;
    agents__report_started(&program->reporter, name);
    return COR_OK;
}

static enum cor_status say_ended(struct agents__program *program, const struct cor_json *line,
                                 const char *name, struct cor_error *error) {
    bool ok = false;
    COR_TRY(take_truth(line, "ok", &ok, error));
    agents__report_ended(&program->reporter, name, ok);
    return COR_OK;
}

static enum cor_status say_did(struct agents__program *program, const struct cor_json *line, const char *name,
                               struct cor_error *error) {
    const char *by;
    COR_TRY(take_text(line, "by", &by, error));
    agents__report_did(&program->reporter, by, name);
    return COR_OK;
}

/* The arguments of a post, or the values of a row, in program->values. */
static enum cor_status take_arguments(struct agents__program *program, const struct cor_json *line,
                                      const char *key, uint32_t *taken, struct cor_error *error) {
    struct cor_json arguments = {0};
    size_t count = 0;
    if (cor_json_find(line, key, &arguments)) {
        COR_TRY(cor_json_expect_object(&arguments, NULL, error));
        count = cor_json_size(&arguments);
    }
    COR_TRY(COR_RESERVE(&program->values, &program->value_capacity, count, error));
    for (size_t i = 0; i < count; i++) {
        struct cor_json json = cor_json_at(&arguments, i);
        COR_TRY(take_value(&json, &program->values[i], error));
    }
    *taken = (uint32_t)count;
    return COR_OK;
}

static enum cor_status say_sent(struct agents__program *program, const struct cor_json *line,
                                const char *name, struct cor_error *error) {
    const char *by;
    uint32_t count = 0;
    COR_TRY(take_text(line, "by", &by, error));
    COR_TRY(take_arguments(program, line, "args", &count, error));
    agents__report_sent(&program->reporter, by, name, program->values, count);
    return COR_OK;
}

static enum cor_status say_posted(struct agents__program *program, const struct cor_json *line,
                                  const char *name, struct cor_error *error) {
    const char *by;
    uint32_t count = 0;
    COR_TRY(take_text(line, "by", &by, error));
    COR_TRY(take_arguments(program, line, "args", &count, error));
    agents__report_posted(&program->reporter, by, name, program->values, count);
    return COR_OK;
}

static enum cor_status say_aside(struct agents__program *program, const struct cor_json *line,
                                 const char *name, struct cor_error *error) {
    const char *by;
    uint32_t count = 0;
    COR_TRY(take_text(line, "by", &by, error));
    COR_TRY(take_arguments(program, line, "args", &count, error));
    agents__report_aside(&program->reporter, by, name, program->values, count);
    return COR_OK;
}

static enum cor_status say_row(struct agents__program *program, const struct cor_json *line, const char *name,
                               bool inserts, struct cor_error *error) {
    const char *by;
    uint32_t count = 0;
    COR_TRY(take_text(line, "by", &by, error));
    COR_TRY(take_arguments(program, line, inserts ? "values" : "key", &count, error));
    agents__report_row(&program->reporter, by, name, inserts, program->values, count);
    return COR_OK;
}

static enum cor_status say_inserted(struct agents__program *program, const struct cor_json *line,
                                    const char *name, struct cor_error *error) {
    return say_row(program, line, name, true, error);
}

static enum cor_status say_removed(struct agents__program *program, const struct cor_json *line,
                                   const char *name, struct cor_error *error) {
    return say_row(program, line, name, false, error);
}

static enum cor_status say_strand(struct agents__program *program, const struct cor_json *line,
                                  const char *name, struct cor_error *error) {
    (void)line;
    (void)error;
    agents__report_strand(&program->reporter, name);
    return COR_OK;
}

static enum cor_status say_done(struct agents__program *program, const struct cor_json *line,
                                const char *name, struct cor_error *error) {
    (void)line;
    (void)name;
    (void)error;
    agents__report_done(&program->reporter);
    return COR_OK;
}

/* A question in the midst of a case: the answer is a request of its own, and what follows answers that. The
 * time of the case goes on. */
static enum cor_status say_turn(struct agents__program *program, const struct cor_json *line,
                                const char *name, struct cor_error *error) {
    struct cor_conversation *talk = &program->talk;
    const uint32_t next = agents__report_turn(&program->reporter);
    const double deadline = talk->deadline;
    (void)line;
    (void)name;
    struct cor_bytes *request = cor_conversation_begin(talk, "turn");
    if (next == COR_AUT_NOBODY)
        cor_bytes_print(request, "null");
    else
        cor_bytes_print(request, "%" PRIu32, next);
    COR_TRY(cor_conversation_say(talk, error));
    talk->deadline = deadline;
    return COR_OK;
}

static enum cor_status say_wrote(struct agents__program *program, const struct cor_json *line,
                                 const char *name, struct cor_error *error) {
    const char *by;
    struct cor_json json;
    struct cor_aut_value value;
    COR_TRY(take_text(line, "by", &by, error));
    COR_TRY(cor_json_need(line, "value", &json, error));
    COR_TRY(take_value(&json, &value, error));
    agents__report_wrote(&program->reporter, by, name, &value);
    return COR_OK;
}

static enum cor_status say_finished(struct agents__program *program, const struct cor_json *line,
                                    const char *name, struct cor_error *error) {
    static const char *const words[] = {"quiet", "steps", "rounds", NULL};
    static const enum cor_trace_end ends[] = {COR_TRACE_END_QUIET, COR_TRACE_END_STEPS, COR_TRACE_END_ROUNDS};
    struct cor_json json;
    int64_t steps = program->reporter.trace->steps;
    int index = 0;
    (void)name;
    COR_TRY(cor_json_need(line, "finished", &json, error));
    COR_TRY(cor_json_one_of(&json, words, "end", &index, error));
    if (cor_json_find(line, "steps", &json))
        COR_TRY(cor_json_integer(&json, 0, UINT32_MAX, &steps, error));
    program->reporter.trace->steps = (uint32_t)steps;
    agents__report_end(&program->reporter, ends[index]);
    return COR_OK;
}

static const struct {
    const char *key;
    const char *keys[6];
    bool is_truth; /* there is nothing to name: the value is true */
    enum cor_status (*say)(struct agents__program *, const struct cor_json *, const char *,
                           struct cor_error *);
} lines[] = {
    {"context", {"id", "context", "holds"}, false, say_context},
    {"started", {"id", "started"}, false, say_started},
    {"ended", {"id", "ended", "ok"}, false, say_ended},
    {"posted", {"id", "posted", "by", "args"}, false, say_posted},
    {"sent", {"id", "sent", "by", "args"}, false, say_sent},
    {"did", {"id", "did", "by"}, false, say_did},
    {"wrote", {"id", "wrote", "by", "value"}, false, say_wrote},
    {"aside", {"id", "aside", "by", "args"}, false, say_aside},
    {"strand", {"id", "strand"}, false, say_strand},
    {"turn", {"id", "turn"}, true, say_turn},
    {"done", {"id", "done"}, true, say_done},
    {"inserted", {"id", "inserted", "by", "values"}, false, say_inserted},
    {"removed", {"id", "removed", "by", "key"}, false, say_removed},
    {"finished", {"id", "finished", "steps"}, false, say_finished},
};
#define FINISHED (sizeof lines / sizeof *lines - 1)

/* The row of what a line says, by the first of its members that has one; FINISHED + 1: none has. */
static size_t row_of(const struct cor_json *line, struct cor_json *json) {
    for (size_t i = 0; cor_json_is_object(line) && i < cor_json_size(line); i++) {
        *json = cor_json_at(line, i);
        for (size_t row = 0; row <= FINISHED; row++)
            if (strcmp(json->key, lines[row].key) == 0)
                return row;
    }
    return FINISHED + 1;
}

/* Reports what a line says, that has an id of its own or is one of several; *finished if it is the last of
 * its case. */
static enum cor_status read_line(struct agents__program *program, const struct cor_json *line, bool has_id,
                                 bool *finished, struct cor_error *error) {
    struct cor_json json;
    const size_t row = row_of(line, &json);
    if (row > FINISHED)
        return cor_json_fail(line, error, NULL,
                             "it says none of context, started, ended, posted, sent, did, wrote, aside, "
                             "strand, turn, done, inserted, removed, finished");
    const char *name = NULL;
    bool truth = true;
    COR_TRY(cor_json_expect_object(line, lines[row].keys + !has_id, error)); /* "id" is the first */
    COR_TRY(lines[row].is_truth ? cor_json_bool(&json, &truth, error) : cor_json_string(&json, &name, error));
    if (!truth)
        return cor_json_fail(&json, error, NULL, "%s is true, or not said", lines[row].key);
    COR_TRY(lines[row].say(program, line, name, error));
    *finished = row == FINISHED;
    return COR_OK;
}

/* The same of a line that says several at once: {"id":2,"lines":[..]}. */
static enum cor_status read_lines(struct agents__program *program, const struct cor_json *answer,
                                  bool *finished, struct cor_error *error) {
    static const char *const keys[] = {"id", "lines", NULL};
    struct cor_json list;
    if (!cor_json_find(answer, "lines", &list))
        return read_line(program, answer, true, finished, error);
    COR_TRY(cor_json_expect_object(answer, keys, error));
    COR_TRY(cor_json_expect_array(&list, 1, SIZE_MAX, error));
    const uint64_t asked = program->talk.id;
    COR_JSON_CHILDREN(line, &list) {
        if (*finished || program->talk.id != asked)
            return cor_json_fail(&line, error, NULL, "it is behind `finished` or `turn`, which are the last");
        COR_TRY(read_line(program, &line, false, finished, error));
        COR_TRY(program->reporter.status);
        if (program->reporter.is_over && program->reporter.trace->end == COR_TRACE_END_GARBLED)
            return COR_OK;
    }
    return COR_OK;
}

/* The members of the hello. */
static enum cor_status read_pairs(const struct cor_json *hello, const char *key,
                                  struct agents__program *program, struct cor_error *error) {
    struct cor_json pairs;
    if (!cor_json_find(hello, key, &pairs))
        return COR_OK;
    COR_TRY(cor_json_expect_object(&pairs, NULL, error));
    COR_JSON_CHILDREN(pair, &pairs) {
        const char *text = NULL;
        if (key[0] == 'f' || !cor_json_is_null(&pair)) /* {"Plan": null}: not yet */
            COR_TRY(cor_json_string(&pair, &text, error));
        if (key[0] == 'f')
            COR_TRY(agents__identity_add_fault(program->identity, pair.key, text, error));
        else
            agents__identity_wire(program->identity, program->design, pair.key, text);
    }
    return COR_OK;
}

static enum cor_status read_hello(struct agents__program *program, const struct cor_json *hello,
                                  struct cor_error *error) {
    static const char *const keys[] = {"id", "agent", "version", "handles", "faults", "forgets", NULL};
    struct agents__identity *identity = program->identity;
    COR_TRY(cor_json_expect_object(hello, keys, error));
    const char *name, *version;
    struct cor_json json;
    COR_TRY(cor_json_need(hello, "agent", &json, error));
    COR_TRY(cor_json_string(&json, &name, error));
    COR_TRY(take_text(hello, "version", &version, error));
    agents__identity_clear(identity, program->design->plan_count);
    COR_TRY(cor_made(identity->name = cor_strdup(name), error));
    COR_TRY(cor_made(identity->version = cor_strdup(version ? version : ""), error));
    if (cor_json_find(hello, "forgets", &json))
        COR_TRY(cor_json_bool(&json, &identity->forgets, error));
    COR_TRY(read_pairs(hello, "faults", program, error));
    return read_pairs(hello, "handles", program, error);
}

/* Hello to and fro with a process that has just begun. */
static enum cor_status greet(struct agents__program *program, struct cor_error *error) {
    static const char remedy[] = "a program answers {\"id\":1,\"hello\":..} with "
                                 "{\"id\":1,\"agent\":\"NAME\"}: see docs/learn/test-an-agent.md";
    struct cor_conversation *talk = &program->talk;
    struct cor_error said = COR_NO_ERROR;
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "protocol", 1);
    if (program->fault)
        cor_json_put_string(writer, "fault", program->fault);
    if (program->design_json)
        cor_json_put_text(writer, "design", program->design_json);
    cor_json_close(writer);
    (void)cor_conversation_begin(&program->talk, "hello");
    COR_TRY(cor_conversation_put_take(&program->talk, writer, error));
    COR_TRY(cor_conversation_ask(talk, 0, error));
    if (talk->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json hello = cor_json_root(talk->answer);
        const enum cor_status status = read_hello(program, &hello, &said);
        if (status != COR_OK)
            COR_TRY(cor_conversation_garble(talk, status, &said, error));
        cor_conversation_expect_silence(talk);
    }
    if (talk->exchange == COR_EXCHANGE_WELL)
        return agents__identity_has_fault(program->identity, program->fault, talk->lines.command, error);
    return cor_conversation_refuse(talk, remedy, error);
}

static enum cor_status start_process(struct agents__program *program, struct cor_error *error) {
    COR_TRY(cor_conversation_start(&program->talk, error));
    const enum cor_status status = greet(program, error);
    if (status != COR_OK)
        cor_lines_end(&program->talk.lines, 0);
    cor_conversation_again(&program->talk); /* also where the process is not the first of a suite */
    return status;
}

/* Lines until the case is finished, or cannot be. */
static enum cor_status converse(struct agents__program *program, struct cor_error *error) {
    struct agents__reporter *reporter = &program->reporter;
    struct cor_conversation *talk = &program->talk;
    bool finished = false;
    COR_TRY(cor_conversation_say(talk, error));
    while (talk->exchange == COR_EXCHANGE_WELL && !finished &&
           !(reporter->is_over && reporter->trace->end == COR_TRACE_END_GARBLED)) {
        /* One line of a case. What it says wrong is the agent's, and in the trace; memory is ours. */
        struct cor_error said = COR_NO_ERROR;
        COR_TRY(cor_conversation_hear(talk, 0, error));
        COR_TRY(cor_conversation_read(talk, error));
        if (talk->exchange != COR_EXCHANGE_WELL)
            continue;
        const struct cor_json line = cor_json_root(talk->answer);
        const enum cor_status status = read_lines(program, &line, &finished, &said);
        if (status == COR_OK)
            COR_TRY(program->reporter.status);
        else
            COR_TRY(cor_conversation_garble(talk, status, &said, error));
    }
    if (finished)
        cor_conversation_expect_silence(talk);
    if (finished && talk->exchange != COR_EXCHANGE_WELL)
        reporter->is_over = false; /* not yet, as it seems */
    /* The process cannot be used any more: why, as the end of a case. */
    static const enum cor_trace_end ends[COR_EXCHANGE_GARBLED + 1] = {
        [COR_EXCHANGE_LATE] = COR_TRACE_END_HUNG,
        [COR_EXCHANGE_CPU_TIME] = COR_TRACE_END_HUNG,
        [COR_EXCHANGE_CRASHED] = COR_TRACE_END_CRASHED,
        [COR_EXCHANGE_MEMORY] = COR_TRACE_END_CRASHED,
        [COR_EXCHANGE_EXITED] = COR_TRACE_END_EXITED};
    const enum cor_exchange exchange = program->talk.exchange;
    if (exchange != COR_EXCHANGE_WELL && ends[exchange] != 0)
        agents__report_end(&program->reporter, ends[exchange]);
    else if (exchange != COR_EXCHANGE_WELL)
        agents__report_garbled(&program->reporter, "%s", program->talk.what);
    if (reporter->trace->end == COR_TRACE_END_GARBLED)
        cor_lines_end(&talk->lines, 0);
    return COR_OK;
}

/* The rows of relations, set by set. */
static enum cor_status put_rows(struct agents__program *program, struct cor_json_writer *writer,
                                const struct cor_agent_case *asked, struct cor_error *error) {
    const struct cor_design *design = program->design;
    if (design->relation_count == 0)
        return COR_OK;
    COR_TRY(cor_rows_begin(&program->rows, asked->event, asked->beliefs, asked->arguments, error));
    cor_json_open_object(writer, "rows");
    for (uint32_t b = 0; b < design->belief_count; b++) {
        const struct cor_design_belief *belief = &design->beliefs[b];
        const struct cor_value *value = program->rows.sets[b].values;
        if (!belief->is_relation)
            continue;
        cor_json_open_array(writer, belief->name);
        for (uint32_t r = 0; r < program->rows.sets[b].count; r++) {
            cor_json_open_object(writer, NULL);
            for (uint32_t c = 0; c < belief->row_width; c++) {
                const struct cor_design_field *field = &design->fields[belief->first_field + c];
                put_value(writer, design, field->name, &design->domains[field->domain], *value++);
            }
            cor_json_close(writer);
        }
        cor_json_close(writer);
    }
    cor_json_close(writer);
    return COR_OK;
}

static enum cor_status program_run(struct agents__program *program, const struct cor_agent_case *asked,
                                   struct cor_trace *trace, struct cor_error *error) {
    if (!cor_lines_started(&program->talk.lines))
        COR_TRY(start_process(program, error));
    const struct cor_design *design = program->design;
    const struct cor_design_event *event = &design->events[asked->event];
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "event", event->name);
    cor_json_open_object(writer, "args");
    for (uint32_t i = 0; i < event->parameter_count; i++)
        put_value(writer, design, event->parameters[i].name, &design->domains[event->parameters[i].domain],
                  asked->arguments[i]);
    cor_json_close(writer);
    cor_json_open_object(writer, "beliefs");
    for (uint32_t i = 0; i < design->field_count; i++)
        put_value(writer, design, design->fields[i].full_name, &design->domains[design->fields[i].domain],
                  asked->beliefs[i]);
    cor_json_close(writer);
    const enum cor_status status = put_rows(program, writer, asked, error);
    if (status != COR_OK) {
        cor_json_writer_destroy(writer);
        return status;
    }
    cor_json_put_word(writer, "seed", asked->seed);
    cor_json_put_integer(writer, "steps", asked->steps);
    cor_json_put_integer(writer, "rounds", asked->rounds);
    cor_json_close(writer);
    (void)cor_conversation_begin(&program->talk, "case");
    COR_TRY(cor_conversation_put_take(&program->talk, writer, error));
    program->reporter.error = error;
    program->reporter.status = COR_OK;
    agents__reporter_begin(&program->reporter, asked, trace);
    COR_TRY(program->reporter.status);
    return converse(program, error);
}

/* The machine, or whoever else, ended it in its last case. */
static bool program_was_killed(const struct agents__program *program) {
    const struct cor_conversation *talk = &program->talk;
    return talk->exchange == COR_EXCHANGE_MEMORY ||
           (talk->exchange == COR_EXCHANGE_CRASHED && cor_lines_were_killed(&talk->lines));
}

/* The machine, or whoever else, ended it in its last case. */
static void program_stop(struct agents__program *program) {
    if (program->talk.has_asked)
        cor_lines_end(&program->talk.lines, 0);
}

static enum cor_status program_create(const struct cor_aut_definition *definition,
                                      struct agents__identity *identity, struct agents__program **created,
                                      struct cor_error *error) {
    struct agents__program *program = cor_calloc(1, sizeof *program);
    *created = program;
    COR_TRY(cor_made(program, error));
    program->design = definition->design;
    program->identity = identity;
    const struct cor_lines_definition lines_of =
        cor_lines_guest(definition->agent, LINE_MOST, definition->is_free, definition->is_full,
                        cor_address_space(definition->memory_bytes), definition->traffic);
    COR_TRY(cor_conversation_init(&program->talk, &lines_of, definition->answer_seconds, error));
    COR_TRY(cor_lines_check(&program->talk.lines, error));
    COR_TRY(agents__reporter_init(&program->reporter, definition->design, error));
    COR_TRY(cor_rows_init(&program->rows, definition->design, error));
    program->reporter.words = &definition->design->words;
    if (definition->fault && strcmp(definition->fault, "none") != 0)
        COR_TRY(cor_made(program->fault = cor_strdup(definition->fault), error));
    if (definition->design_json)
        COR_TRY(cor_made(program->design_json = cor_strdup(definition->design_json), error));
    return start_process(program, error);
}

static void program_destroy(struct agents__program *program) {
    if (!program)
        return;
    cor_conversation_part(&program->talk);
    cor_conversation_fini(&program->talk);
    agents__reporter_fini(&program->reporter);
    if (program->rows.design)
        cor_rows_fini(&program->rows);
    COR_FREE(program->fault, program->design_json, program->values, program);
}

/* ---- aut session */

/* ---- aut session */

#define VAIN_MOST 3 /* cases in a row for which no process would begin: then nothing more can come of it */

struct cor_aut_session {
    enum cor_aut_way way;
    const struct cor_design *design;   /* borrowed */
    const struct cor_agent_code *code; /* borrowed; INTERPRETER */
    struct agents__identity identity;
    struct cor_interpreter *interpreter; /* owned; of these three one */
    struct agents__module *module;       /* owned */
    struct agents__program *program;     /* owned */
    uint32_t vain;                       /* cases since one for which a process began */
};

struct cor_aut_definition cor_default_aut(struct cor_design *design) {
    return (struct cor_aut_definition){.design = design,
                                       .way = COR_AUT_INTERPRETER,
                                       .memory_bytes = COR_GUEST_MEMORY,
                                       .cpu_seconds = 1,
                                       .answer_seconds = 10};
}

enum cor_aut_way cor_aut_way_of(const char *agent) {
    size_t length = strlen(agent);
    return length > 3 && strcmp(agent + length - 3, ".so") == 0 ? COR_AUT_MODULE : COR_AUT_PROGRAM;
}

static enum cor_status open_session(struct cor_aut_session *session,
                                    const struct cor_aut_definition *definition, struct cor_error *error) {
    session->way = definition->way;
    session->design = definition->design;
    session->code = definition->code;
    session->identity.triggers = cor_calloc(session->design->plan_count, sizeof *session->identity.triggers);
    COR_TRY(cor_made(session->identity.triggers, error));
    agents__identity_clear(&session->identity, session->design->plan_count);
    switch (definition->way) {
    case COR_AUT_MODULE:
        return agents__module_create(definition, &session->identity, &session->module, error);
    case COR_AUT_PROGRAM:
        return program_create(definition, &session->identity, &session->program, error);
    case COR_AUT_INTERPRETER:
        break;
    }
    /* The interpreter says of itself what its code says. */
    struct agents__identity *identity = &session->identity;
    COR_TRY(cor_made(identity->name = cor_strdup(session->design->name), error));
    COR_TRY(cor_made(identity->version = cor_strdup(""), error));
    for (uint32_t i = 0; i < session->design->plan_count; i++)
        if (!session->code->plans[i]->absent)
            identity->triggers[i] = session->code->plans[i]->trigger;
    session->interpreter = cor_interpreter_create(session->code);
    return cor_made(session->interpreter, error);
}

enum cor_status cor_aut_open(const struct cor_aut_definition *definition, struct cor_aut_session **session,
                             struct cor_error *error) {
    COR_ASSERT(definition->design && definition->cpu_seconds > 0 && definition->answer_seconds > 0);
    COR_ASSERT(definition->way == COR_AUT_INTERPRETER ? definition->code != NULL : definition->agent != NULL);
    COR_TRY(cor_made(*session = cor_calloc(1, sizeof **session), error));
    enum cor_status status = open_session(*session, definition, error);
    if (status != COR_OK) {
        cor_aut_close(*session);
        *session = NULL;
    }
    return status;
}

void cor_aut_close(struct cor_aut_session *session) {
    if (!session)
        return;
    cor_interpreter_destroy(session->interpreter);
    agents__module_destroy(session->module);
    program_destroy(session->program);
    struct agents__identity *identity = &session->identity;
    agents__identity_clear(identity, 0);
    COR_FREE(identity->faults, identity->triggers);
    *identity = (struct agents__identity){0};
    free(session);
}

enum cor_status cor_aut_run(struct cor_aut_session *session, const struct cor_agent_case *unit_case,
                            struct cor_trace *trace, struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    cor_trace_clear(trace);
    if (session->way == COR_AUT_INTERPRETER)
        return cor_interpreter_run(session->interpreter, unit_case, trace, error);
    enum cor_status status = session->way == COR_AUT_MODULE
                                 ? agents__module_run(session->module, unit_case, trace, &said)
                                 : program_run(session->program, unit_case, trace, &said);
    if (status == COR_OK && session->program && program_was_killed(session->program)) {
        cor_trace_clear(trace); /* what comes when nobody ends it is what it does */
        status = program_run(session->program, unit_case, trace, &said);
    }
    session->vain = status == COR_OK ? 0 : session->vain + 1;
    const bool is_ours = session->program && session->program->talk.exchange == COR_EXCHANGE_TROUBLE;
    if ((status == COR_STATUS_PLUGIN || status == COR_STATUS_INPUT) && !is_ours &&
        session->vain <= VAIN_MOST) {
        /* A process that had to be begun again, and would not: that, too, is what the agent does in the
         * case. */
        cor_trace_clear(trace);
        trace->end = COR_TRACE_END_GARBLED;
        snprintf(trace->garbled, sizeof trace->garbled, "it does not begin again: %.200s", said.cause);
        agents__make_printable(trace->garbled);
        return cor_trace_posted(trace, unit_case->event, unit_case->arguments,
                                session->design->events[unit_case->event].parameter_count, COR_POSTER_CASE,
                                error);
    }
    return status == COR_OK ? COR_OK : cor_fail(error, status, said.place, said.remedy, "%s", said.cause);
}

enum cor_status cor_aut_ahead(struct cor_aut_session *session, const struct cor_agent_case *cases,
                              uint32_t count, struct cor_error *error) {
    if (session->way == COR_AUT_MODULE)
        return agents__module_ahead(session->module, cases, count, error);
    return COR_OK;
}

enum cor_status cor_aut_begin_suite(struct cor_aut_session *session, struct cor_error *error) {
    if (!session->identity.forgets)
        return cor_aut_restart(session, error);
    if (session->program)
        cor_conversation_again(&session->program->talk);
    return COR_OK;
}

enum cor_status cor_aut_restart(struct cor_aut_session *session, struct cor_error *error) {
    (void)error; /* the next case starts it */
    if (session->module)
        agents__module_stop(session->module);
    if (session->program)
        program_stop(session->program);
    return COR_OK;
}

const char *cor_aut_name(const struct cor_aut_session *session) {
    return session->identity.name;
}

const char *cor_aut_version(const struct cor_aut_session *session) {
    return session->identity.version;
}

uint32_t cor_aut_fault_count(const struct cor_aut_session *session) {
    return session->identity.fault_count;
}

const char *cor_aut_fault_name(const struct cor_aut_session *session, uint32_t fault) {
    COR_ASSERT(fault < session->identity.fault_count);
    return session->identity.faults[fault].name;
}

const char *cor_aut_fault_meaning(const struct cor_aut_session *session, uint32_t fault) {
    COR_ASSERT(fault < session->identity.fault_count);
    return session->identity.faults[fault].meaning;
}

uint32_t cor_aut_trigger(const struct cor_aut_session *session, uint32_t plan) {
    COR_ASSERT(plan < session->design->plan_count);
    return session->identity.triggers[plan];
}

const char *cor_aut_last_words(const struct cor_aut_session *session) {
    return session->module    ? agents__module_last_words(session->module)
           : session->program ? session->program->talk.lines.last_words
                              : "";
}

struct cor_interpreter *cor_aut_interpreter(struct cor_aut_session *session) {
    return session->interpreter;
}
