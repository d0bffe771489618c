/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies as they are written, and compiled: one pass over the statements, with those that hold others on a
 * stack of their own while they are open. */
#include "internal.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

void cor_body_init(struct cor_body *body) {
    *body = (struct cor_body){0};
}

void cor_body_fini(struct cor_body *body) {
    for (uint32_t s = 0; s < body->count; s++) {
        struct cor_statement *statement = &body->statements[s];
        for (uint32_t a = 0; a < statement->argument_count; a++) {
            free(statement->arguments[a].name);
            free(statement->arguments[a].text);
        }
        free(statement->arguments);
        free(statement->place);
        free(statement->subject);
        free(statement->text);
    }
    free(body->statements);
    agent__indices_fini(&body->open);
    cor_body_init(body);
}

/* A copy of the text, NULL if there is none. */
static enum cor_status copy_text(const char *text, char **copy, struct cor_error *error) {
    *copy = cor_strdup(text);
    return text ? cor_made(*copy, error) : COR_OK;
}

enum cor_status cor_body_add(struct cor_body *body, enum cor_statement_kind kind, const char *place,
                             const char *subject, const char *text, bool optional, struct cor_error *error) {
    COR_ASSERT((subject != NULL) == (kind <= COR_STATEMENT_POST || kind >= COR_STATEMENT_INSERT));
    COR_ASSERT((text != NULL) ==
               (kind == COR_STATEMENT_SET || kind == COR_STATEMENT_IF || kind == COR_STATEMENT_WHILE));
    COR_TRY(COR_RESERVE(&body->statements, &body->capacity, (size_t)body->count + 1, error));
    uint32_t at = body->count++;
    struct cor_statement *statement = &body->statements[at];
    *statement =
        (struct cor_statement){.kind = kind, .optional = optional, .otherwise = at + 1, .end = at + 1};
    COR_TRY(copy_text(place, &statement->place, error));
    COR_TRY(copy_text(subject, &statement->subject, error));
    COR_TRY(copy_text(text, &statement->text, error));
    if (!cor_statement_holds(kind))
        return COR_OK;
    statement->otherwise = COR_NONE;
    return agent__indices_add(&body->open, at, error);
}

enum cor_status cor_body_add_argument(struct cor_body *body, const char *name, const char *text,
                                      struct cor_error *error) {
    COR_ASSERT(body->count > 0 && (body->statements[body->count - 1].kind == COR_STATEMENT_POST ||
                                   body->statements[body->count - 1].kind >= COR_STATEMENT_INSERT));
    struct cor_statement *statement = &body->statements[body->count - 1];
    COR_TRY(COR_RESERVE(&statement->arguments, &statement->argument_capacity,
                        (size_t)statement->argument_count + 1, error));
    struct cor_statement_argument *argument = &statement->arguments[statement->argument_count++];
    *argument = (struct cor_statement_argument){0};
    COR_TRY(copy_text(name, &argument->name, error));
    return copy_text(text, &argument->text, error);
}

void cor_body_set_aside(struct cor_body *body) {
    COR_ASSERT(body->count > 0 && body->statements[body->count - 1].kind == COR_STATEMENT_POST);
    body->statements[body->count - 1].aside = true;
}

void cor_body_else(struct cor_body *body) {
    COR_ASSERT(body->open.count > 0);
    struct cor_statement *statement = &body->statements[body->open.items[body->open.count - 1]];
    COR_ASSERT(statement->kind == COR_STATEMENT_IF && statement->otherwise == COR_NONE);
    statement->otherwise = body->count;
}

void cor_body_close(struct cor_body *body) {
    COR_ASSERT(body->open.count > 0);
    struct cor_statement *statement = &body->statements[body->open.items[--body->open.count]];
    statement->end = body->count;
    if (statement->otherwise == COR_NONE)
        statement->otherwise = body->count;
}

void agent__plan_code_fini(struct cor_plan_code *code) {
    cor_expression_fini(&code->context);
    for (uint32_t e = 0; e < code->expression_count; e++)
        cor_expression_fini(&code->expressions[e]);
    free(code->expressions);
    free(code->instructions);
    free(code->branch_statements);
    *code = (struct cor_plan_code){.trigger = COR_NONE};
}

/* Something whose statements are being compiled. */
struct open_statement {
    uint32_t statement, branch; /* its statement, and its BRANCH or FORK */
    uint32_t jump;              /* the JUMP over its else-part, COR_NONE: none yet */
};

struct compiler {
    struct cor_design *design;
    const struct cor_body *body;
    struct cor_scope scope;
    struct cor_plan_code *code;
    struct open_statement *open; /* owned */
    uint32_t open_count;
    struct cor_error *error;
};

static struct cor_instruction *emit(struct compiler *compiler, enum cor_instruction_kind kind) {
    struct cor_instruction *instruction = &compiler->code->instructions[compiler->code->instruction_count++];
    *instruction = (struct cor_instruction){.kind = (uint8_t)kind};
    return instruction;
}

static enum cor_status compile_value(struct compiler *compiler, const char *text,
                                     const struct cor_domain *domain, const char *place, uint32_t *index) {
    *index = compiler->code->expression_count++;
    return cor_expression_parse_value(text, &compiler->scope, domain, place,
                                      &compiler->code->expressions[*index], compiler->error);
}

/* The argument of that name; `*count` counts those that were found. */
static const struct cor_statement_argument *find_argument(const struct cor_statement *statement,
                                                          const char *name) {
    for (uint32_t a = 0; a < statement->argument_count; a++)
        if (strcmp(statement->arguments[a].name, name) == 0)
            return &statement->arguments[a];
    return NULL;
}

static enum cor_status compile_post(struct compiler *compiler, const struct cor_statement *statement) {
    uint32_t index, expression;
    COR_TRY(cor_design_look_up(compiler->design, COR_NAME_EVENT, statement->subject, statement->place, &index,
                               compiler->error));
    const struct cor_design_event *event = &compiler->design->events[index];
    /* Arguments that the event has no parameter for, or that are given twice. */
    for (uint32_t a = 0; a < statement->argument_count; a++) {
        const char *name = statement->arguments[a].name, *known[257];
        uint32_t count = 0;
        bool there = false;
        for (uint32_t p = 0; p < event->parameter_count; p++) {
            there = there || strcmp(event->parameters[p].name, name) == 0;
            if (count < 256)
                known[count++] = event->parameters[p].name;
        }
        known[count] = NULL;
        char remedy[1024] = "it has no parameters";
        if (count > 0)
            cor_known_names(name, known, remedy, sizeof remedy);
        if (!there)
            return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place, remedy,
                            "the event \"%s\" has no parameter \"%s\"", event->name, name);
        if (find_argument(statement, name) != &statement->arguments[a])
            return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place, "leave one of them out",
                            "\"%s\" is given twice", name);
    }
    struct cor_instruction *post = emit(compiler, COR_INSTRUCTION_POST);
    post->subject = index;
    post->optional = statement->optional;
    post->aside = statement->aside;
    post->expression = compiler->code->expression_count;
    for (uint32_t p = 0; p < event->parameter_count; p++) {
        const struct cor_statement_argument *argument = find_argument(statement, event->parameters[p].name);
        if (!argument)
            return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place, "give it a value",
                            "the event \"%s\" is posted without its parameter \"%s\"", event->name,
                            event->parameters[p].name);
        COR_TRY(compile_value(compiler, argument->text,
                              &compiler->design->domains[event->parameters[p].domain], statement->place,
                              &expression));
    }
    return COR_OK;
}

static enum cor_status compile_set(struct compiler *compiler, const struct cor_statement *statement) {
    uint32_t field, expression;
    COR_TRY(cor_design_look_up_field(compiler->design, statement->subject, statement->place, &field,
                                     compiler->error));
    const struct cor_design_field *of = &compiler->design->fields[field];
    const struct cor_design_belief *belief = &compiler->design->beliefs[of->belief];
    if (belief->is_relation && (of->is_key || field >= belief->first_field + belief->row_width))
        return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place, "insert a row, or remove one",
                        of->is_key ? "\"%s\" is the key of a row, and cannot be set"
                                   : "\"%s\" follows from the rows, and cannot be set",
                        of->full_name);
    COR_TRY(compile_value(compiler, statement->text,
                          &compiler->design->domains[compiler->design->fields[field].domain],
                          statement->place, &expression));
    struct cor_instruction *set = emit(compiler, COR_INSTRUCTION_SET);
    set->subject = field;
    set->expression = expression;
    return COR_OK;
}

/* A row, or its key: an expression for each field; a key that is not given is that in scope. */
static enum cor_status compile_row(struct compiler *compiler, const struct cor_statement *statement) {
    const bool inserts = statement->kind == COR_STATEMENT_INSERT;
    struct cor_design *design = compiler->design;
    uint32_t index, expression, taken = 0;
    COR_TRY(cor_design_look_up(design, COR_NAME_BELIEF, statement->subject, statement->place, &index,
                               compiler->error));
    const struct cor_design_belief *belief = &design->beliefs[index];
    if (!belief->is_relation)
        return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place, "say \"relation\": true of it",
                        "\"%s\" is no relation: it has no rows", belief->name);
    struct cor_instruction *row = emit(compiler, inserts ? COR_INSTRUCTION_INSERT : COR_INSTRUCTION_REMOVE);
    row->subject = index;
    row->expression = compiler->code->expression_count;
    for (uint32_t c = 0; c < belief->row_width; c++) {
        const struct cor_design_field *field = &design->fields[belief->first_field + c];
        const struct cor_statement_argument *argument = find_argument(statement, field->name);
        if (!field->is_key && !inserts)
            continue;
        if (!argument && !field->is_key)
            return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place, "give it a value",
                            "a row of \"%s\" is inserted without its \"%s\"", belief->name, field->name);
        taken += argument != NULL;
        COR_TRY(compile_value(compiler, argument ? argument->text : field->full_name,
                              &design->domains[field->domain], statement->place, &expression));
    }
    if (taken < statement->argument_count)
        return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place,
                        inserts ? "name fields of the set, each once" : "name fields of its key, each once",
                        "\"%s\" is given more than a row of it has", belief->name);
    return COR_OK;
}

static enum cor_status compile_output(struct compiler *compiler, const struct cor_statement *statement) {
    bool sends = statement->kind == COR_STATEMENT_SEND;
    uint32_t index;
    COR_TRY(cor_design_look_up(compiler->design, sends ? COR_NAME_MESSAGE : COR_NAME_ACTION,
                               statement->subject, statement->place, &index, compiler->error));
    emit(compiler, sends ? COR_INSTRUCTION_SEND : COR_INSTRUCTION_DO)->subject = index;
    return COR_OK;
}

/* The condition of an "if" or "while"; where it leads is known later. */
static enum cor_status compile_branch(struct compiler *compiler, uint32_t index) {
    const struct cor_statement *statement = &compiler->body->statements[index];
    uint32_t expression;
    COR_TRY(compile_value(compiler, statement->text, &compiler->design->domains[COR_DOMAIN_BOOLEAN],
                          statement->place, &expression));
    compiler->open[compiler->open_count++] =
        (struct open_statement){index, compiler->code->instruction_count, COR_NONE};
    struct cor_instruction *branch = emit(compiler, COR_INSTRUCTION_BRANCH);
    branch->expression = expression;
    branch->branch = compiler->code->branch_count;
    compiler->code->branch_statements[compiler->code->branch_count++] = index;
    return COR_OK;
}

/* A strand begins with its FORK; the statement around it is its JOIN. */
static void open_strands(struct compiler *compiler, uint32_t index) {
    compiler->open[compiler->open_count++] =
        (struct open_statement){index, compiler->code->instruction_count, COR_NONE};
    if (compiler->body->statements[index].kind == COR_STATEMENT_STRAND)
        emit(compiler, COR_INSTRUCTION_FORK);
}

/* What ends before statement `index`, innermost first: else-parts begin, jumps get their targets. */
static void close_before(struct compiler *compiler, uint32_t index) {
    while (compiler->open_count > 0) {
        struct open_statement *open = &compiler->open[compiler->open_count - 1];
        const struct cor_statement *statement = &compiler->body->statements[open->statement];
        struct cor_instruction *instructions = compiler->code->instructions;
        if (statement->kind == COR_STATEMENT_IF && statement->otherwise == index && index < statement->end) {
            open->jump = compiler->code->instruction_count;
            emit(compiler, COR_INSTRUCTION_JUMP);
            instructions[open->branch].target = compiler->code->instruction_count;
            return;
        }
        if (statement->end != index)
            return;
        if (statement->kind == COR_STATEMENT_WHILE)
            emit(compiler, COR_INSTRUCTION_JUMP)->target = open->branch;
        compiler->open_count--;
        if (statement->kind == COR_STATEMENT_PARALLEL) {
            emit(compiler, COR_INSTRUCTION_JOIN);
            continue;
        }
        if (statement->kind == COR_STATEMENT_STRAND)
            emit(compiler, COR_INSTRUCTION_LEAVE);
        instructions[open->jump == COR_NONE ? open->branch : open->jump].target =
            compiler->code->instruction_count;
    }
}

static enum cor_status compile_statement(struct compiler *compiler, uint32_t index) {
    const struct cor_statement *statement = &compiler->body->statements[index];
    switch (statement->kind) {
    case COR_STATEMENT_SET:
        return compile_set(compiler, statement);
    case COR_STATEMENT_SEND:
    case COR_STATEMENT_DO:
        return compile_output(compiler, statement);
    case COR_STATEMENT_POST:
        return compile_post(compiler, statement);
    case COR_STATEMENT_IF:
    case COR_STATEMENT_WHILE:
        return compile_branch(compiler, index);
    case COR_STATEMENT_FAIL:
        emit(compiler, COR_INSTRUCTION_FAIL);
        return COR_OK;
    case COR_STATEMENT_INSERT:
    case COR_STATEMENT_REMOVE:
        return compile_row(compiler, statement);
    case COR_STATEMENT_PARALLEL:
    case COR_STATEMENT_STRAND:
        open_strands(compiler, index);
        return COR_OK;
    }
    return COR_OK;
}

static enum cor_status compile_body(struct compiler *compiler) {
    uint32_t count = compiler->body->count;
    struct cor_plan_code *code = compiler->code;
    size_t expressions = count;
    for (uint32_t s = 0; s < count; s++) {
        const struct cor_statement *statement = &compiler->body->statements[s];
        const uint32_t belief = statement->kind >= COR_STATEMENT_INSERT
                                    ? cor_design_find(compiler->design, COR_NAME_BELIEF, statement->subject)
                                    : COR_NONE;
        expressions +=
            belief == COR_NONE ? statement->argument_count : compiler->design->beliefs[belief].row_width;
    }
    /* A statement becomes two instructions at most: itself and a jump. */
    code->instructions = cor_calloc(2 * (size_t)count, sizeof *code->instructions);
    code->expressions = cor_calloc(expressions, sizeof *code->expressions);
    code->branch_statements = cor_calloc(count, sizeof *code->branch_statements);
    compiler->open = cor_calloc(count, sizeof *compiler->open);
    if (!code->instructions || !code->expressions || !code->branch_statements || !compiler->open)
        return cor_fail_memory(compiler->error);
    for (uint32_t s = 0; s < count; s++) {
        close_before(compiler, s);
        COR_TRY(compile_statement(compiler, s));
    }
    close_before(compiler, count);
    return COR_OK;
}

enum cor_status agent__compile(struct cor_design *design, uint32_t event, const char *context,
                               const char *place, const struct cor_body *body, struct cor_plan_code *code,
                               struct cor_error *error) {
    COR_ASSERT(body->open.count == 0);
    struct compiler compiler = {.design = design, .body = body, .code = code, .error = error};
    struct cor_symbol *symbols = NULL;
    *code = (struct cor_plan_code){.trigger = event};
    enum cor_status status;
    COR_TRY_OUT(agent__scope_make(design, event, NULL, &compiler.scope, &symbols, error));
    if (context) {
        code->has_context = true;
        COR_TRY_OUT(cor_expression_parse_condition(context, &compiler.scope, place, &code->context, error));
    }
    status = compile_body(&compiler);
out:
    if (status != COR_OK)
        agent__plan_code_fini(code);
    free(compiler.open);
    free(symbols);
    return status;
}
