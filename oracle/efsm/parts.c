/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models in parts: several models that hand each other messages, put together as one. What a part says and
 * another takes is a message: it is taken at once, within the same move, in the order in which messages were
 * said; whoever takes it must be able to (a handshake), else that move is not there. What no part takes is an
 * output, what no part says an input; an input of several parts is taken by all of them.
 *
 * The model is written as the text of a file, and read. Of the product only those locations are made that can
 * be come to, and only those moves whose guards can hold. A course is followed with texts for values: what a
 * part assigned is put in place of its variables where it is read later in the same move. */

#include "reader.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/pool.h>

#include <stdlib.h>
#include <string.h>

/* ---- A model being put together of its parts */

#define EFSM__PARTS_MAX 16
#define EFSM__MESSAGES_MAX 32  /* of one move */
#define EFSM__ARGUMENTS_MAX 16 /* of a label */

struct efsm__part {
    const char *name;
    struct cor_efsm *model; /* owned */
};

/* An output, or a message on its way, of the label of a part. */
struct efsm__saying {
    uint32_t part, label;
    const char *arguments[EFSM__ARGUMENTS_MAX];
};

/* A move of the whole under way; texts belong to the composition. */
struct efsm__course {
    uint32_t source, at[EFSM__PARTS_MAX];
    uint32_t input_part, input; /* label, of the part that says what it is like */
    const char *values[COR_EFSM_VARIABLES_MAX], *id, *guard; /* values: by whole variable */
    bool assigned[COR_EFSM_VARIABLES_MAX], may_leave[COR_EFSM_VARIABLES_MAX];
    struct efsm__saying outputs[EFSM__MESSAGES_MAX], messages[EFSM__MESSAGES_MAX];
    uint32_t output_count, message_count, next_message, target;
    const char *taken[EFSM__PARTS_MAX * (EFSM__MESSAGES_MAX + 1)]; /* transitions, PART.ID */
    uint32_t taken_count;
};

struct efsm__parts {
    const struct cor_json *json; /* the list of parts */
    struct efsm__part parts[EFSM__PARTS_MAX];
    uint32_t part_count, first[EFSM__PARTS_MAX + 1]; /* first: of its variables among all */
    struct cor_pool places;                          /* what is come to: a location of each part */
    struct efsm__course *courses;                    /* owned; complete moves */
    uint32_t course_count;
    size_t course_capacity;
    char **texts; /* owned */
    size_t text_count, text_capacity;
    struct cor_efsm whole; /* its variables alone; [variable] owned */
    struct cor_error *error;
    enum cor_status status; /* the first failure */
};

static enum cor_status parts_write(struct efsm__parts *c, const struct cor_json *root, char **text,
                                   struct cor_error *error) COR_MUST_USE;

#define TRIED_MAX 100000 /* values for which a guard is tried */

/* Keeps a text until the end; "" once something failed. */
static const char *parts_keep_take(struct efsm__parts *c, char *text) {
    enum cor_status status = text ? COR_RESERVE(&c->texts, &c->text_capacity, c->text_count + 1, c->error)
                                  : cor_fail_memory(c->error);
    if (status == COR_OK) {
        c->texts[c->text_count++] = text;
        return text;
    }
    free(text);
    c->status = c->status != COR_OK ? c->status : status;
    return "";
}

static void fail(struct efsm__parts *c, enum cor_status status) {
    c->status = c->status != COR_OK ? c->status : status;
}

/* The label of that name, COR_NONE. */
static uint32_t label_named(const char *const *names, const char *name) {
    for (uint32_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return COR_NONE;
}

static uint32_t input_named(const struct efsm__parts *c, uint32_t part, const char *name) {
    return label_named(c->parts[part].model->input_names, name);
}

static uint32_t output_named(const struct efsm__parts *c, uint32_t part, const char *name) {
    return label_named(c->parts[part].model->output_names, name);
}

/* Some part takes, or says, what is called so; the first that does. */
static uint32_t parts_find_taker(const struct efsm__parts *c, const char *name) {
    for (uint32_t p = 0; p < c->part_count; p++)
        if (input_named(c, p, name) != COR_NONE)
            return p;
    return COR_NONE;
}

static uint32_t parts_find_sayer(const struct efsm__parts *c, const char *name) {
    for (uint32_t p = 0; p < c->part_count; p++)
        if (output_named(c, p, name) != COR_NONE)
            return p;
    return COR_NONE;
}

static bool is_name_part(char letter, bool first) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_' ||
           (!first && letter >= '0' && letter <= '9');
}

/* The text with what the part's variables are now in their places; words within quotes stay. */
static const char *substitute(struct efsm__parts *c, const struct efsm__course *course, uint32_t part,
                              const char *const *arguments, uint32_t label, const char *text) {
    const struct cor_efsm *model = c->parts[part].model;
    const struct cor_efsm_label *input = &model->inputs[label];
    struct cor_bytes made = {0};
    bool quoted = false;
    for (const char *at = text; *at;) {
        size_t length = 1;
        quoted = quoted != (*at == '\'');
        while (!quoted && is_name_part(*at, true) && is_name_part(at[length], false))
            length++;
        const char *put = NULL;
        for (uint32_t v = 0; !quoted && v < model->variable_count && !put; v++)
            if (strlen(model->variable_names[v]) == length &&
                strncmp(model->variable_names[v], at, length) == 0)
                put = course->values[c->first[part] + v];
        for (uint32_t p = 0; !quoted && p < input->parameter_count; p++)
            if (strlen(model->variable_names[input->parameters[p]]) == length &&
                strncmp(model->variable_names[input->parameters[p]], at, length) == 0)
                put = arguments[p];
        if (put)
            cor_bytes_put(&made, put, strlen(put));
        else
            cor_bytes_put(&made, at, length);
        at += length;
    }
    return parts_keep_take(c, cor_bytes_text_take(&made, c->error));
}

/* As part of another text: in parentheses, but for a name or a number. */
static const char *as_operand(struct efsm__parts *c, const char *text) {
    for (const char *at = text; *at; at++)
        if (!is_name_part(*at, false))
            return parts_keep_take(c, cor_format("(%s)", text));
    return text;
}

static const char *as_both(struct efsm__parts *c, const char *left, const char *right) {
    if (strcmp(left, "true") == 0)
        return right;
    return strcmp(right, "true") == 0 ? left : parts_keep_take(c, cor_format("%s && %s", left, right));
}

/* Whether a value of the part can be outside these bounds. */
static bool may_leave(const struct cor_efsm *model, const struct cor_expression *value, int64_t low,
                      int64_t high) {
    int64_t lows[COR_EFSM_VARIABLES_MAX], highs[COR_EFSM_VARIABLES_MAX];
    for (uint32_t v = 0; v < model->variable_count; v++) {
        lows[v] = model->variables[v].low;
        highs[v] = model->variables[v].high;
    }
    const struct cor_value_range range = cor_expression_interval(value, lows, highs);
    return range.low < low || range.high > high;
}

static const char *within(struct efsm__parts *c, const char *value, const struct cor_efsm *model,
                          uint32_t variable) {
    COR_FREED char *low = cor_efsm_literal(model, variable, model->variables[variable].low),
                   *high = cor_efsm_literal(model, variable, model->variables[variable].high);
    value = as_operand(c, value);
    return parts_keep_take(c,
                           low && high ? cor_format("%s >= %s && %s <= %s", value, low, value, high) : NULL);
}

static void say(struct efsm__parts *c, struct efsm__course *course, uint32_t part,
                const struct cor_efsm_output *output, const char *const *arguments, uint32_t label) {
    const struct cor_efsm *model = c->parts[part].model;
    const struct cor_efsm_label *said = &model->outputs[output->label];
    const bool is_message = parts_find_taker(c, said->name) != COR_NONE;
    uint32_t *count = is_message ? &course->message_count : &course->output_count;
    if (*count == EFSM__MESSAGES_MAX) {
        fail(c, cor_json_fail(c->json, c->error, "let a part wait for an input of its own",
                              "parts answer each other without end: \"%s\" in the move \"%.200s\"",
                              said->name, course->id));
        return;
    }
    struct efsm__saying *saying = is_message ? &course->messages[*count] : &course->outputs[*count];
    *saying = (struct efsm__saying){.part = part, .label = output->label};
    for (uint32_t a = 0; a < said->parameter_count; a++) {
        const struct cor_expression *value = &output->arguments[a];
        const struct cor_efsm_variable *parameter = &model->variables[said->parameters[a]];
        saying->arguments[a] = as_operand(c, substitute(c, course, part, arguments, label, value->text));
        if (is_message && may_leave(model, value, parameter->low, parameter->high))
            course->guard =
                as_both(c, course->guard, within(c, saying->arguments[a], model, said->parameters[a]));
    }
    ++*count;
}

/* The part takes what it is given by this transition. All is read before anything is assigned. */
static void take(struct efsm__parts *c, struct efsm__course *course, uint32_t part, uint32_t transition,
                 const char *const *arguments) {
    const struct cor_efsm *model = c->parts[part].model;
    const struct cor_efsm_transition *t = &model->transitions[transition];
    const char *values[COR_EFSM_VARIABLES_MAX];
    const char *name = parts_keep_take(c, cor_format("%s.%s", c->parts[part].name, t->id));
    course->taken[course->taken_count++] = name;
    course->id = *course->id ? parts_keep_take(c, cor_format("%s+%s", course->id, name)) : name;
    course->guard =
        as_both(c, course->guard,
                strcmp(t->guard.text, "true") == 0
                    ? "true"
                    : as_operand(c, substitute(c, course, part, arguments, t->input, t->guard.text)));
    for (uint32_t u = 0; u < t->update_count; u++)
        values[u] = substitute(c, course, part, arguments, t->input, t->updates[u].value.text);
    for (uint32_t o = 0; o < t->output_count && c->status == COR_OK; o++)
        say(c, course, part, &t->outputs[o], arguments, t->input);
    for (uint32_t u = 0; u < t->update_count; u++) {
        const uint32_t own = t->updates[u].variable, v = c->first[part] + own;
        if (course->may_leave[v])
            course->guard = as_both(c, course->guard, within(c, course->values[v], model, own));
        course->values[v] = as_operand(c, values[u]);
        course->assigned[v] = true;
        course->may_leave[v] =
            may_leave(model, &t->updates[u].value, model->variables[own].low, model->variables[own].high);
    }
    course->at[part] = t->target;
}

/* Whether the guard holds for any values; asked of all of them, where these are few enough. */
static bool can_hold(struct efsm__parts *c, const char *guard) {
    const struct cor_efsm *whole = &c->whole;
    int64_t values[COR_EFSM_VARIABLES_MAX];
    uint32_t read[COR_EFSM_VARIABLES_MAX], count = 0;
    struct cor_expression x;
    fail(c, whole->is_typed
                ? efsm__parse_typed(guard, whole, whole->variable_names, EFSM__CONDITION, NULL, &x, c->error)
                : cor_expression_parse(guard, whole->variable_names, true, NULL, &x, c->error));
    if (c->status != COR_OK)
        return false;
    for (uint32_t v = 0; v < whole->variable_count; v++)
        if (cor_expression_reads(&x, v))
            read[count++] = v;
    cor_efsm_first_values(whole, read, count, values);
    bool holds = cor_efsm_domain_size(whole, read, count) > TRIED_MAX;
    do
        holds = holds || cor_expression_holds(&x, values);
    while (!holds && cor_efsm_next_values(whole, read, count, values));
    cor_expression_fini(&x);
    return holds;
}

static void go_on(struct efsm__parts *c, const struct efsm__course *course);

/* Parts from `part` on take the label, in each way in which they can. */
static void give(struct efsm__parts *c, const struct efsm__course *course, const char *name,
                 const char *const *arguments, uint32_t part) {
    while (part < c->part_count && input_named(c, part, name) == COR_NONE)
        part++;
    if (part == c->part_count) {
        go_on(c, course);
        return;
    }
    struct efsm__course *next = cor_calloc(1, sizeof *next);
    if (!next) {
        fail(c, cor_fail_memory(c->error));
        return;
    }
    const struct cor_efsm *model = c->parts[part].model;
    for (uint32_t t = 0; t < model->transition_count && c->status == COR_OK; t++) {
        if (model->transitions[t].source != course->at[part] ||
            model->transitions[t].input != input_named(c, part, name))
            continue;
        *next = *course;
        take(c, next, part, t, arguments);
        if (c->status == COR_OK && can_hold(c, next->guard))
            give(c, next, name, arguments, part + 1);
    }
    free(next);
}

/* The next message, or the end of the move. */
static void go_on(struct efsm__parts *c, const struct efsm__course *course) {
    if (c->status != COR_OK)
        return;
    if (course->next_message < course->message_count) {
        struct efsm__course *next = cor_calloc(1, sizeof *next);
        if (!next) {
            fail(c, cor_fail_memory(c->error));
            return;
        }
        *next = *course;
        const struct efsm__saying *message = &course->messages[next->next_message++];
        give(c, next, c->parts[message->part].model->output_names[message->label], message->arguments, 0);
        free(next);
        return;
    }
    if (c->course_count == COR_EFSM_ITEMS_MAX) {
        fail(c, cor_json_fail(c->json, c->error, "leave parts, or choices of theirs, away",
                              "together they have more than %d transitions", COR_EFSM_ITEMS_MAX));
        return;
    }
    fail(c, COR_RESERVE(&c->courses, &c->course_capacity, c->course_count + 1, c->error));
    if (c->status != COR_OK)
        return;
    struct efsm__course *done = &c->courses[c->course_count++];
    *done = *course;
    fail(c, cor_pool_add(&c->places, done->at, c->part_count * sizeof *done->at, &done->target, c->error));
}

/* All moves from a place: each input that no part says. */
static void follow(struct efsm__parts *c, uint32_t place) {
    for (uint32_t p = 0; p < c->part_count; p++) {
        const struct cor_efsm *model = c->parts[p].model;
        for (uint32_t i = 0; i < model->input_count && c->status == COR_OK; i++) {
            COR_FREED struct efsm__course *start = cor_calloc(1, sizeof *start);
            const char *arguments[EFSM__ARGUMENTS_MAX];
            if (parts_find_taker(c, model->input_names[i]) == p &&
                parts_find_sayer(c, model->input_names[i]) == COR_NONE && start) {
                *start = (struct efsm__course){
                    .source = place, .input_part = p, .input = i, .id = "", .guard = "true"};
                memcpy(start->at, cor_pool_item(&c->places, place), c->part_count * sizeof *start->at);
                for (uint32_t q = 0; q < c->part_count; q++)
                    for (uint32_t v = 0; v < c->parts[q].model->variable_count; v++)
                        start->values[c->first[q] + v] = c->whole.variable_names[c->first[q] + v];
                for (uint32_t a = 0; a < model->inputs[i].parameter_count; a++)
                    arguments[a] = start->values[c->first[p] + model->inputs[i].parameters[a]];
                give(c, start, model->input_names[i], arguments, 0);
            }
            if (!start)
                fail(c, cor_fail_memory(c->error));
        }
    }
}

/* What a label of one part must have in common with one of the same name of another. */
static enum cor_status check_alike(const struct efsm__parts *c, uint32_t p,
                                   const struct cor_efsm_label *label, uint32_t q,
                                   const struct cor_efsm_label *other, struct cor_error *error) {
    if (label->parameter_count != other->parameter_count)
        return cor_json_fail(c->json, error, "give it as many in each part",
                             "\"%s\" has %u parameters in \"%s\" and %u in \"%s\"", label->name,
                             label->parameter_count, c->parts[p].name, other->parameter_count,
                             c->parts[q].name);
    for (uint32_t a = 0; a < label->parameter_count; a++) {
        const struct cor_efsm_variable *one = &c->parts[p].model->variables[label->parameters[a]],
                                       *two = &c->parts[q].model->variables[other->parameters[a]];
        if (strcmp(one->type_text, two->type_text) != 0)
            return cor_json_fail(c->json, error, "give it the same type in each part",
                                 "parameter %u of \"%s\" is of type %s in \"%s\" and %s in \"%s\"", a + 1,
                                 label->name, one->type_text, c->parts[p].name, two->type_text,
                                 c->parts[q].name);
        if (one->low != two->low || one->high != two->high) {
            char *lows[2] = {cor_decimal_text(one->low, one->decimals),
                             cor_decimal_text(two->low, two->decimals)},
                 *highs[2] = {cor_decimal_text(one->high, one->decimals),
                              cor_decimal_text(two->high, two->decimals)};
            enum cor_status status =
                lows[0] && lows[1] && highs[0] && highs[1]
                    ? cor_json_fail(c->json, error, "give it the same domain in each part",
                                    "parameter %u of \"%s\" is %s .. %s in \"%s\" and %s .. %s in \"%s\"",
                                    a + 1, label->name, lows[0], highs[0], c->parts[p].name, lows[1],
                                    highs[1], c->parts[q].name)
                    : cor_fail_memory(error);
            for (int i = 0; i < 2; i++) {
                COR_FREE(lows[i], highs[i]);
            }
            return status;
        }
    }
    return COR_OK;
}

/* Labels of the same name, in whatever parts, say the same. */
static enum cor_status check_labels(const struct efsm__parts *c, struct cor_error *error) {
    for (uint32_t p = 0; p < c->part_count; p++) {
        const struct cor_efsm *model = c->parts[p].model;
        for (uint32_t i = 0; i < model->input_count + model->output_count; i++) {
            const bool is_input = i < model->input_count;
            const struct cor_efsm_label *label =
                is_input ? &model->inputs[i] : &model->outputs[i - model->input_count];
            if (label->parameter_count > EFSM__ARGUMENTS_MAX)
                return cor_json_fail(c->json, error, NULL, "\"%s\" has more than %d parameters", label->name,
                                     EFSM__ARGUMENTS_MAX);
            if (is_input && output_named(c, p, label->name) != COR_NONE)
                return cor_json_fail(c->json, error, "give what goes out another name",
                                     "\"%s\" both takes and says \"%s\"", c->parts[p].name, label->name);
            for (uint32_t q = 0; q < c->part_count; q++) {
                const uint32_t in = input_named(c, q, label->name), out = output_named(c, q, label->name);
                if (q != p && in != COR_NONE)
                    COR_TRY(check_alike(c, p, label, q, &c->parts[q].model->inputs[in], error));
                if (q != p && out != COR_NONE)
                    COR_TRY(check_alike(c, p, label, q, &c->parts[q].model->outputs[out], error));
            }
        }
    }
    return COR_OK;
}

/* The parts, each by its name and its file. */
static enum cor_status read_parts(struct efsm__parts *c, struct cor_error *error) {
    static const char *const keys[] = {"name", "model", NULL};
    COR_TRY(cor_json_expect_array(c->json, 1, EFSM__PARTS_MAX, error));
    COR_JSON_CHILDREN(item, c->json) {
        struct efsm__part *part = &c->parts[c->part_count];
        struct cor_json member;
        COR_TRY(cor_json_expect_object(&item, keys, error));
        COR_TRY(cor_json_need(&item, "name", &member, error));
        COR_TRY(cor_json_string(&member, &part->name, error));
        for (const char *at = part->name; *at || at == part->name; at++)
            if (!is_name_part(*at, at == part->name))
                return cor_json_fail(&member, error, "letters, digits and _, no digit first",
                                     "expressions cannot name \"%s\"", part->name);
        for (uint32_t p = 0; p < c->part_count; p++)
            if (strcmp(c->parts[p].name, part->name) == 0)
                return cor_json_fail(&member, error, "give each a name of its own",
                                     "there is another part \"%s\"", part->name);
        COR_TRY(cor_json_need(&item, "model", &member, error));
        COR_TRY(efsm__efsm_read_part(&member, &part->model, error));
        c->first[c->part_count + 1] = c->first[c->part_count] + part->model->variable_count;
        if (c->first[++c->part_count] > COR_EFSM_VARIABLES_MAX)
            return cor_json_fail(&item, error, "leave some away",
                                 "the parts have more than %d variables together", COR_EFSM_VARIABLES_MAX);
    }
    return check_labels(c, error);
}

enum cor_status efsm__efsm_compose(const struct cor_json *root, char **text, struct cor_error *error) {
    static const char *const keys[] = {"format", "name",  "title", "provenance",
                                       "resets", "parts", "goals", NULL};
    struct efsm__parts c = {.error = error};
    struct cor_json parts;
    uint32_t start[EFSM__PARTS_MAX], number;
    enum cor_status status = COR_OK;
    *text = NULL;
    COR_TRY(cor_json_expect_object(root, keys, error));
    COR_TRY(cor_json_need(root, "parts", &parts, error));
    c.json = &parts;
    COR_TRY_OUT(read_parts(&c, error));
    struct cor_efsm *whole = &c.whole;
    const uint32_t count = c.first[c.part_count];
    whole->variables = cor_calloc(count, sizeof *whole->variables);
    whole->variable_names = cor_calloc(count + 1, sizeof *whole->variable_names);
    if (!whole->variables || !whole->variable_names)
        COR_TRY_OUT(cor_fail_memory(error));
    for (uint32_t j = 0; j < c.part_count; j++)
        for (uint32_t v = 0; v < c.parts[j].model->variable_count; v++) {
            const uint32_t all = whole->variable_count++;
            whole->variables[all] = c.parts[j].model->variables[v];
            whole->variables[all].name = whole->variable_names[all] = parts_keep_take(
                &c, cor_format("%s_%s", c.parts[j].name, c.parts[j].model->variable_names[v]));
        }
    COR_TRY_OUT(c.status == COR_OK ? efsm__gather_types(whole, error) : c.status);
    for (uint32_t p = 0; p < c.part_count; p++)
        start[p] = c.parts[p].model->initial;
    COR_TRY_OUT(cor_pool_add(&c.places, start, c.part_count * sizeof *start, &number, error));
    for (uint32_t place = 0; place < c.places.count && c.status == COR_OK; place++)
        follow(&c, place);
    COR_TRY_OUT(c.status);
    if (c.course_count == 0)
        COR_TRY_OUT(cor_json_fail(&parts, error, "let some part take an input that no part says",
                                  "together they never do anything"));
    COR_TRY_OUT(parts_write(&c, root, text, error));
out:
    for (uint32_t p = 0; p < EFSM__PARTS_MAX; p++)
        cor_efsm_destroy(c.parts[p].model);
    for (size_t i = 0; i < c.text_count; i++)
        free(c.texts[i]);
    COR_FREE(c.texts, c.courses, c.whole.variables, c.whole.variable_names,
             (void *)(uintptr_t)c.whole.naming.truths, (void *)(uintptr_t)c.whole.naming.words);
    cor_pool_fini(&c.places);
    return status;
}

/* ---- parts that were put together, as the text of one model */

/* Whether the label, of the first part that has it, is one of the whole. */
static bool is_outside(const struct efsm__parts *c, uint32_t part, bool is_input, const char *name) {
    const uint32_t own = is_input ? parts_find_taker(c, name) : parts_find_sayer(c, name),
                   other = is_input ? parts_find_sayer(c, name) : parts_find_taker(c, name);
    return own == part && other == COR_NONE;
}

/* A state variable, or a parameter of what is seen from outside. */
static bool is_seen(const struct efsm__parts *c, uint32_t part, uint32_t variable) {
    const struct cor_efsm *model = c->parts[part].model;
    const bool is_input = model->variables[variable].kind == COR_EFSM_PARAMETER;
    bool seen = model->variables[variable].kind == COR_EFSM_STATE;
    for (uint32_t i = 0; !seen && i < (is_input ? model->input_count : model->output_count); i++) {
        const struct cor_efsm_label *label = is_input ? &model->inputs[i] : &model->outputs[i];
        for (uint32_t a = 0; a < label->parameter_count; a++)
            seen = seen || (label->parameters[a] == variable && is_outside(c, part, is_input, label->name));
    }
    return seen;
}

static void put_variables(struct efsm__parts *c, struct cor_json_writer *w) {
    cor_json_open_array(w, "vars");
    for (uint32_t p = 0; p < c->part_count; p++) {
        const struct cor_json root = cor_json_root(c->parts[p].model->document);
        struct cor_json all;
        if (!cor_json_find(&root, "vars", &all))
            continue;
        COR_JSON_CHILDREN(item, &all) {
            if (!is_seen(c, p, (uint32_t)item.index))
                continue;
            cor_json_open_object(w, NULL);
            cor_json_put_string(w, "name", c->whole.variable_names[c->first[p] + item.index]);
            COR_JSON_CHILDREN(member, &item) {
                if (strcmp(member.key, "name") != 0)
                    cor_json_put_value(w, member.key, &member);
            }
            cor_json_close(w);
        }
    }
    cor_json_close(w);
}

/* Inputs that no part says, or outputs that no part takes, each by the first part that has it. */
static void put_labels(struct efsm__parts *c, bool inputs, struct cor_json_writer *w) {
    cor_json_open_array(w, inputs ? "inputs" : "outputs");
    for (uint32_t p = 0; p < c->part_count; p++) {
        const struct cor_efsm *model = c->parts[p].model;
        for (uint32_t i = 0; i < (inputs ? model->input_count : model->output_count); i++) {
            const struct cor_efsm_label *label = inputs ? &model->inputs[i] : &model->outputs[i];
            if (!is_outside(c, p, inputs, label->name))
                continue;
            cor_json_open_object(w, NULL);
            cor_json_put_string(w, "label", label->name);
            cor_json_open_array(w, "params");
            for (uint32_t a = 0; a < label->parameter_count; a++)
                cor_json_put_string(w, NULL, c->whole.variable_names[c->first[p] + label->parameters[a]]);
            cor_json_close(w);
            cor_json_close(w);
        }
    }
    cor_json_close(w);
}

static const char *place_name(struct efsm__parts *c, uint32_t place) {
    const char *name = "";
    for (uint32_t p = 0; p < c->part_count; p++) {
        const uint32_t *at = cor_pool_item(&c->places, place);
        const char *one = c->parts[p].model->location_names[at[p]];
        name = parts_keep_take(c, cor_format("%s%s%s", name, p > 0 ? "|" : "", one));
    }
    return name;
}

static void put_transition(struct efsm__parts *c, const struct efsm__course *course, const char *id,
                           struct cor_json_writer *w) {
    cor_json_open_object(w, NULL);
    cor_json_put_string(w, "id", id);
    cor_json_put_string(w, "src", place_name(c, course->source));
    cor_json_put_string(w, "dst", place_name(c, course->target));
    cor_json_put_string(w, "input", c->parts[course->input_part].model->input_names[course->input]);
    cor_json_put_string(w, "guard", course->guard);
    cor_json_open_object(w, "update");
    for (uint32_t p = 0; p < c->part_count; p++)
        for (uint32_t v = 0; v < c->parts[p].model->variable_count; v++)
            if (course->assigned[c->first[p] + v])
                cor_json_put_string(w, c->whole.variable_names[c->first[p] + v],
                                    course->values[c->first[p] + v]);
    cor_json_close(w);
    cor_json_open_array(w, "outputs");
    for (uint32_t o = 0; o < course->output_count; o++) {
        const struct efsm__saying *said = &course->outputs[o];
        const struct cor_efsm_label *label = &c->parts[said->part].model->outputs[said->label];
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "label", label->name);
        cor_json_open_array(w, "args");
        for (uint32_t a = 0; a < label->parameter_count; a++)
            cor_json_put_string(w, NULL, said->arguments[a]);
        cor_json_close(w);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_close(w);
}

/* Moves by the same transitions from several places are numbered. */
static const char *id_of(struct efsm__parts *c, uint32_t course) {
    uint32_t before = 0, all = 0;
    for (uint32_t i = 0; i < c->course_count; i++) {
        const bool same = strcmp(c->courses[i].id, c->courses[course].id) == 0;
        before += same && i < course;
        all += same;
    }
    return all == 1 ? c->courses[course].id
                    : parts_keep_take(c, cor_format("%s#%u", c->courses[course].id, before + 1));
}

/* A transition of a part, and what stands under one name, is a group. */
static void put_group(struct efsm__parts *c, const char *name, const char *const *ids,
                      struct cor_json_writer *w) {
    bool opened = false;
    for (uint32_t i = 0; i < c->course_count; i++) {
        const struct efsm__course *course = &c->courses[i];
        bool has = strcmp(course->id, name) == 0;
        for (uint32_t t = 0; t < course->taken_count; t++)
            has = has || strcmp(course->taken[t], name) == 0;
        if (has && strcmp(ids[i], name) == 0)
            return; /* the one transition is called so itself */
        if (has && !opened)
            cor_json_open_array(w, name);
        opened = opened || has;
        if (has)
            cor_json_put_string(w, NULL, ids[i]);
    }
    if (opened)
        cor_json_close(w);
}

/* The whole as the text of a file; `root` is that of the parts. */
static enum cor_status parts_write(struct efsm__parts *c, const struct cor_json *root, char **text,
                                   struct cor_error *error) {
    static const char *const kept[] = {"format", "name", "title", "provenance", "resets"};
    struct cor_json_writer *w = NULL;
    struct cor_json member;
    enum cor_status status = COR_OK;
    COR_FREED const char **ids = cor_calloc(c->course_count + 1, sizeof *ids);
    COR_TRY(cor_made(ids, error));
    COR_TRY(cor_json_writer_create(&w, error));
    cor_json_open_object(w, NULL);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (cor_json_find(root, kept[i], &member))
            cor_json_put_value(w, kept[i], &member);
    put_variables(c, w);
    cor_json_open_array(w, "locations");
    for (uint32_t place = 0; place < c->places.count; place++)
        cor_json_put_string(w, NULL, place_name(c, place));
    cor_json_close(w);
    cor_json_put_string(w, "initial", place_name(c, 0));
    put_labels(c, true, w);
    put_labels(c, false, w);
    cor_json_open_array(w, "transitions");
    for (uint32_t i = 0; i < c->course_count; i++)
        put_transition(c, &c->courses[i], ids[i] = id_of(c, i), w);
    cor_json_close(w);
    cor_json_open_object(w, "groups");
    for (uint32_t p = 0; p < c->part_count; p++)
        for (uint32_t t = 0; t < c->parts[p].model->transition_count; t++)
            put_group(c,
                      parts_keep_take(
                          c, cor_format("%s.%s", c->parts[p].name, c->parts[p].model->transition_names[t])),
                      ids, w);
    cor_json_close(w);
    if (cor_json_find(root, "goals", &member))
        cor_json_put_value(w, "goals", &member);
    cor_json_close(w);
    status = c->status;
    if (status == COR_OK)
        status = cor_json_text_take(w, 1, text, error);
    else
        cor_json_writer_destroy(w);
    return status;
}
