/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Designs are filled part by part. Every part is found by its name through the words of the design's names,
 * so that a design of many plans is read as fast as it is long. */
#include "internal.h"

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *agent__append(void **items, uint32_t *count, size_t size) {
    if ((*count & (*count - 1)) == 0) {
        size_t capacity = *count > 0 ? 2 * (size_t)*count : 1;
        void *grown = capacity <= SIZE_MAX / size ? realloc(*items, capacity * size) : NULL;
        if (!grown)
            return NULL;
        *items = grown;
    }
    void *item = (char *)*items + (size_t)(*count)++ * size;
    memset(item, 0, size);
    return item;
}

enum cor_status agent__indices_add(struct cor_indices *indices, uint32_t item, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&indices->items, &indices->capacity, (size_t)indices->count + 1, error));
    indices->items[indices->count++] = item;
    return COR_OK;
}

void agent__indices_fini(struct cor_indices *indices) {
    free(indices->items);
    *indices = (struct cor_indices){0};
}

struct cor_test_settings cor_default_test_settings(void) {
    return (struct cor_test_settings){.strength = 2,
                                      .policy = COR_POLICY_VALID_ALL,
                                      .exhaustive_limit = 200,
                                      .cycle_limit = 10,
                                      .step_limit = 1000,
                                      .interleavings = 16,
                                      .solve = true,
                                      .seed = 1};
}

static const struct cor_domain built_in[COR_DOMAIN_BUILT_IN] = {
    [COR_DOMAIN_INTEGER] = {.type = COR_VALUE_TYPE_INTEGER, .name = "int"},
    [COR_DOMAIN_REAL] = {.type = COR_VALUE_TYPE_REAL, .name = "float"},
    [COR_DOMAIN_BOOLEAN] = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "bool"},
    [COR_DOMAIN_STRING] = {.type = COR_VALUE_TYPE_STRING, .name = "string"},
};

/* Notes that the part `index` is called `name`. */
static enum cor_status note_name(struct cor_design *design, enum cor_design_name what, const char *name,
                                 uint32_t index, struct cor_error *error) {
    struct agent__design_index *names = design->index;
    uint32_t word;
    COR_TRY(cor_words_intern(&design->names, name, &word, error));
    size_t before = names->capacity;
    COR_TRY(COR_RESERVE(&names->of, &names->capacity, (size_t)word + 1, error));
    for (size_t i = before; i < names->capacity; i++)
        memset(names->of[i], 0xff, sizeof names->of[i]);
    names->of[word][what] = index;
    return COR_OK;
}

struct cor_design *cor_design_create(const char *name) {
    struct cor_design *design = cor_calloc(1, sizeof *design);
    if (!design)
        return NULL;
    design->settings = cor_default_test_settings();
    design->name = cor_strdup(name);
    design->index = cor_calloc(1, sizeof *design->index);
    bool made = design->name && design->index;
    for (uint32_t d = 0; made && d < COR_DOMAIN_BUILT_IN; d++) {
        struct cor_domain *domain = AGENT__APPEND(&design->domains, &design->domain_count);
        char *copy = domain ? cor_strdup(built_in[d].name) : NULL;
        made = copy != NULL;
        if (domain)
            *domain = (struct cor_domain){.type = built_in[d].type, .name = copy};
        made = made && note_name(design, COR_NAME_TYPE, built_in[d].name, d, NULL) == COR_OK;
    }
    if (!made) {
        cor_design_destroy(design);
        return NULL;
    }
    return design;
}

static void free_event(struct cor_design_event *event) {
    free(event->name);
    for (uint32_t p = 0; p < event->parameter_count; p++) {
        free(event->parameters[p].name);
        free(event->parameters[p].conditions);
    }
    free(event->parameters);
    agent__indices_fini(&event->handlers);
    agent__indices_fini(&event->keys);
}

static void free_plan(struct cor_design_plan *plan) {
    free(plan->name);
    free(plan->place);
    for (uint32_t v = 0; v < plan->variable_count; v++) {
        free(plan->variables[v].conditions);
        free(plan->variables[v].bounds);
    }
    free(plan->variables);
    agent__indices_fini(&plan->posts);
    agent__indices_fini(&plan->sends);
    agent__indices_fini(&plan->does);
    agent__indices_fini(&plan->writes);
    free(plan->context);
    cor_body_fini(&plan->body);
    agent__plan_code_fini(&plan->code);
}

static void free_outputs(struct cor_design_output *outputs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        free(outputs[i].name);
    free(outputs);
}

void cor_design_destroy(struct cor_design *design) {
    if (!design)
        return;
    for (uint32_t d = 0; d < design->domain_count; d++) {
        /* What was given to a domain of the design's own: its texts are the design's, though others only
         * borrow them. */
        void *name, *words;
        memcpy(&name, &design->domains[d].name, sizeof name);
        memcpy(&words, &design->domains[d].words, sizeof words);
        free(name);
        free(words);
    }
    for (uint32_t b = 0; b < design->belief_count; b++)
        free(design->beliefs[b].name);
    for (uint32_t f = 0; f < design->field_count; f++) {
        free(design->fields[f].name);
        free(design->fields[f].full_name);
    }
    agent__indices_fini(&design->entries);
    for (uint32_t r = 0; r < design->rule_count; r++) {
        cor_expression_fini(&design->rules[r].when);
        agent__indices_fini(&design->rules[r].fields);
    }
    for (uint32_t e = 0; e < design->event_count; e++)
        free_event(&design->events[e]);
    for (uint32_t p = 0; p < design->plan_count; p++)
        free_plan(&design->plans[p]);
    for (uint32_t r = 0; r < design->ring_count; r++)
        agent__indices_fini(&design->rings[r].plans);
    free(design->rings);
    free_outputs(design->messages, design->message_count);
    free_outputs(design->actions, design->action_count);
    free(design->domains);
    free(design->beliefs);
    free(design->fields);
    free(design->rules);
    free(design->events);
    free(design->plans);
    cor_words_fini(&design->words);
    cor_words_fini(&design->names);
    if (design->index)
        free(design->index->of);
    free(design->index);
    free(design->name);
    free(design);
}

uint32_t cor_design_find(const struct cor_design *design, enum cor_design_name what, const char *name) {
    uint32_t word = cor_words_find(&design->names, name);
    return word == COR_NONE ? COR_NONE : design->index->of[word][what];
}

static const char *const nouns[COR_NAME_COUNT] = {"type", "belief set", "event", "message", "action", "plan"};

static const char *name_of(const struct cor_design *design, enum cor_design_name what, uint32_t index) {
    switch (what) {
    case COR_NAME_TYPE:
        return index < design->domain_count ? design->domains[index].name : NULL;
    case COR_NAME_BELIEF:
        return index < design->belief_count ? design->beliefs[index].name : NULL;
    case COR_NAME_EVENT:
        return index < design->event_count ? design->events[index].name : NULL;
    case COR_NAME_MESSAGE:
        return index < design->message_count ? design->messages[index].name : NULL;
    case COR_NAME_ACTION:
        return index < design->action_count ? design->actions[index].name : NULL;
    case COR_NAME_PLAN:
        return index < design->plan_count ? design->plans[index].name : NULL;
    case COR_NAME_COUNT:
        break;
    }
    return NULL;
}

/* An error: there is no such name. Those that are near come first in what is known, which may be long. */
static enum cor_status fail_unknown(const char *noun, const char *name, const char *const *known,
                                    const char *place, struct cor_error *error) {
    char remedy[1024] = "";
    if (known[0])
        cor_known_names(name, known, remedy, sizeof remedy);
    else
        snprintf(remedy, sizeof remedy, "the design has none");
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "there is no %s \"%s\"", noun, name);
}

enum cor_status cor_design_look_up(const struct cor_design *design, enum cor_design_name what,
                                   const char *name, const char *place, uint32_t *index,
                                   struct cor_error *error) {
    *index = cor_design_find(design, what, name);
    if (*index != COR_NONE)
        return COR_OK;
    uint32_t count = 0;
    while (name_of(design, what, count))
        count++;
    const char **known = cor_calloc((size_t)count + 1, sizeof *known);
    COR_TRY(cor_made(known, error));
    for (uint32_t i = 0; i < count; i++)
        known[i] = name_of(design, what, i);
    enum cor_status status = fail_unknown(nouns[what], name, known, place, error);
    free(known);
    return status;
}

/* The field that the name means, COR_NONE if none or several: then these are two of them. */
static uint32_t find_field(const struct cor_design *design, const char *name, uint32_t several[2]) {
    uint32_t count = 0;
    several[0] = several[1] = COR_NONE;
    for (uint32_t f = 0; f < design->field_count; f++) {
        if (strcmp(design->fields[f].full_name, name) == 0)
            return f;
        if (strcmp(design->fields[f].name, name) == 0) {
            several[count > 0] = f;
            count++;
        }
    }
    return count == 1 ? several[0] : COR_NONE;
}

enum cor_status cor_design_look_up_field(const struct cor_design *design, const char *name, const char *place,
                                         uint32_t *field, struct cor_error *error) {
    uint32_t several[2];
    *field = find_field(design, name, several);
    if (*field != COR_NONE)
        return COR_OK;
    if (several[1] != COR_NONE) {
        const char *first = design->fields[several[0]].full_name,
                   *second = design->fields[several[1]].full_name;
        char remedy[1024];
        snprintf(remedy, sizeof remedy, "write %s or %s", first, second);
        return cor_fail(error, COR_STATUS_INPUT, place, remedy, "\"%s\" could be %s or %s", name, first,
                        second);
    }
    const char **known = cor_calloc((size_t)design->field_count + 1, sizeof *known);
    COR_TRY(cor_made(known, error));
    for (uint32_t f = 0; f < design->field_count; f++)
        known[f] = strchr(name, '.') ? design->fields[f].full_name : design->fields[f].name;
    enum cor_status status = fail_unknown("field", name, known, place, error);
    free(known);
    return status;
}

static bool is_identifier(const char *name) {
    const char *at = name;
    for (; (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' ||
           (at > name && *at >= '0' && *at <= '9');
         at++)
        continue;
    static const char *const reserved[] = {"and",   "or",   "not",   "implies", "true",
                                           "false", "True", "False", "null"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(name, reserved[i]) == 0)
            return false;
    return at > name && *at == '\0';
}

static const char *article(const char *noun) {
    return strchr("aeio", *noun) ? "an" : "a";
}

/* Names that expressions read are identifiers; others are anything that can be read. */
static enum cor_status check_name(const char *noun, const char *name, bool identifier, const char *place,
                                  struct cor_error *error) {
    if (identifier && !is_identifier(name))
        return cor_fail(error, COR_STATUS_INPUT, place,
                        "letters, digits and _, not a digit first, and none of the words of expressions",
                        "\"%s\" cannot be the name of %s %s", name, article(noun), noun);
    if (!*name || !cor_is_printable(name))
        return cor_fail(error, COR_STATUS_INPUT, place, "write text without control characters",
                        "\"%s\" cannot be the name of %s %s", name, article(noun), noun);
    return COR_OK;
}

static enum cor_status fail_twice(const char *noun, const char *name, const char *place,
                                  struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, place, "give one of them another name",
                    "there is %s %s \"%s\" already", article(noun), noun, name);
}

/* What every part goes through: its name is possible, new, and copied into *owned; the part is `index`. */
static enum cor_status claim_name(struct cor_design *design, enum cor_design_name what, const char *name,
                                  bool identifier, uint32_t index, const char *place, char **owned,
                                  struct cor_error *error) {
    COR_TRY(check_name(nouns[what], name, identifier, place, error));
    if (cor_design_find(design, what, name) != COR_NONE)
        return fail_twice(nouns[what], name, place, error);
    COR_TRY(note_name(design, what, name, index, error));
    *owned = cor_strdup(name);
    return cor_made(*owned, error);
}

enum cor_status cor_design_add_type(struct cor_design *design, const char *name, const char *const *words,
                                    uint32_t count, const char *place, uint32_t *index,
                                    struct cor_error *error) {
    if (count == 0)
        return cor_fail(error, COR_STATUS_INPUT, place, "list the words it consists of",
                        "the type \"%s\" has no words", name);
    uint32_t at = design->domain_count;
    char *owned;
    COR_TRY(check_name(nouns[COR_NAME_TYPE], name, true, place, error));
    if (cor_design_find(design, COR_NAME_TYPE, name) != COR_NONE)
        return fail_twice("type", name, place, error);
    uint32_t *numbers = cor_calloc(count, sizeof *numbers);
    COR_TRY(cor_made(numbers, error));
    struct cor_domain *domain = AGENT__APPEND(&design->domains, &design->domain_count);
    if (!domain) {
        free(numbers);
        return cor_fail_memory(error);
    }
    *domain = (struct cor_domain){.type = COR_VALUE_TYPE_ENUMERATION, .words = numbers, .word_count = count};
    for (uint32_t i = 0; i < count; i++) {
        if (!cor_is_printable(words[i]))
            return cor_fail(error, COR_STATUS_INPUT, place, "write words without control characters",
                            "word %u of the type \"%s\" has control characters", i + 1, name);
        COR_TRY(cor_words_intern(&design->words, words[i], &numbers[i], error));
        for (uint32_t j = 0; j < i; j++)
            if (numbers[j] == numbers[i])
                return cor_fail(error, COR_STATUS_INPUT, place, "leave one of them out",
                                "the type \"%s\" has \"%s\" twice", name, words[i]);
    }
    COR_TRY(claim_name(design, COR_NAME_TYPE, name, true, at, place, &owned, error));
    domain->name = owned;
    if (index)
        *index = at;
    return COR_OK;
}

enum cor_status cor_design_add_belief(struct cor_design *design, const char *name, const char *place,
                                      uint32_t *index, struct cor_error *error) {
    uint32_t at = design->belief_count;
    struct cor_design_belief *belief = AGENT__APPEND(&design->beliefs, &design->belief_count);
    COR_TRY(cor_made(belief, error));
    belief->first_field = design->field_count;
    COR_TRY(claim_name(design, COR_NAME_BELIEF, name, true, at, place, &belief->name, error));
    if (index)
        *index = at;
    return COR_OK;
}

/* What a field of the domain is at first unless said otherwise. */
static struct cor_value first_value(const struct cor_domain *domain) {
    switch (domain->type) {
    case COR_VALUE_TYPE_INTEGER:
    case COR_VALUE_TYPE_BOOLEAN:
        return cor_integer(0);
    case COR_VALUE_TYPE_REAL:
        return cor_real(0);
    case COR_VALUE_TYPE_STRING:
        return cor_null();
    case COR_VALUE_TYPE_ENUMERATION:
        break;
    }
    return cor_word(domain->words[0]);
}

enum cor_status cor_design_add_field(struct cor_design *design, const char *name, uint32_t domain,
                                     bool is_key, const char *place, uint32_t *index,
                                     struct cor_error *error) {
    COR_ASSERT(design->belief_count > 0 && domain < design->domain_count && design->event_count == 0);
    uint32_t at = design->field_count;
    struct cor_design_belief *belief = &design->beliefs[design->belief_count - 1];
    COR_TRY(check_name("field", name, true, place, error));
    for (uint32_t f = belief->first_field; f < design->field_count; f++)
        if (strcmp(design->fields[f].name, name) == 0)
            return fail_twice("field", name, place, error);
    struct cor_design_field *field = AGENT__APPEND(&design->fields, &design->field_count);
    COR_TRY(cor_made(field, error));
    belief->field_count++;
    *field = (struct cor_design_field){.name = cor_strdup(name),
                                       .full_name = cor_format("%s.%s", belief->name, name),
                                       .belief = design->belief_count - 1,
                                       .domain = domain,
                                       .is_key = is_key,
                                       .start = first_value(&design->domains[domain])};
    COR_TRY(cor_made(field->name, error));
    COR_TRY(cor_made(field->full_name, error));
    if (index)
        *index = at;
    return COR_OK;
}

enum cor_status cor_design_make_relation(struct cor_design *design, const char *place,
                                         struct cor_error *error) {
    const uint32_t index = design->belief_count - 1;
    bool has_integer = false;
    uint32_t width = design->beliefs[index].field_count, keys = 0, field;
    for (uint32_t f = 0; f < width; f++) {
        const struct cor_design_field *it = &design->fields[design->beliefs[index].first_field + f];
        keys += it->is_key;
        has_integer = has_integer || (it->is_key && it->domain == COR_DOMAIN_INTEGER);
    }
    if (!has_integer)
        return cor_fail(error, COR_STATUS_INPUT, place, "name a field of type int as its key",
                        "rows of \"%s\" cannot be told apart: no integer is in the key",
                        design->beliefs[index].name);
    COR_TRY(cor_design_add_field(design, "exists", COR_DOMAIN_BOOLEAN, false, place, &field, error));
    design->fields[field].start = cor_integer(1);
    COR_TRY(cor_design_add_field(design, "count", COR_DOMAIN_INTEGER, false, place, &field, error));
    design->fields[field].start = cor_integer(1);
    design->beliefs[index].is_relation = true;
    design->beliefs[index].row_width = width;
    design->beliefs[index].key_count = keys;
    design->relation_count++;
    return COR_OK;
}

void cor_design_set_start(struct cor_design *design, uint32_t field, struct cor_value value) {
    COR_ASSERT(field < design->field_count &&
               cor_domain_has(&design->domains[design->fields[field].domain], value));
    design->fields[field].start = value;
}

enum cor_status cor_design_add_event(struct cor_design *design, const char *name, enum cor_event_kind kind,
                                     const char *place, uint32_t *index, struct cor_error *error) {
    uint32_t at = design->event_count;
    struct cor_design_event *event = AGENT__APPEND(&design->events, &design->event_count);
    COR_TRY(cor_made(event, error));
    event->kind = kind;
    COR_TRY(claim_name(design, COR_NAME_EVENT, name, false, at, place, &event->name, error));
    if (index)
        *index = at;
    return COR_OK;
}

enum cor_status cor_design_add_parameter(struct cor_design *design, const char *name, uint32_t domain,
                                         const char *place, uint32_t *index, struct cor_error *error) {
    COR_ASSERT(design->event_count > 0 && domain < design->domain_count);
    struct cor_design_event *event = &design->events[design->event_count - 1];
    uint32_t at = event->parameter_count;
    COR_TRY(check_name("parameter", name, true, place, error));
    for (uint32_t p = 0; p < event->parameter_count; p++)
        if (strcmp(event->parameters[p].name, name) == 0)
            return fail_twice("parameter", name, place, error);
    struct cor_design_parameter *parameter = AGENT__APPEND(&event->parameters, &event->parameter_count);
    COR_TRY(cor_made(parameter, error));
    *parameter = (struct cor_design_parameter){.name = cor_strdup(name), .domain = domain};
    COR_TRY(cor_made(parameter->name, error));
    if (index)
        *index = at;
    /* The parameter is the key of rows whose key field has its name and domain. */
    const struct cor_design_parameter *made = &event->parameters[at];
    for (uint32_t f = 0; f < design->field_count; f++) {
        const struct cor_design_field *field = &design->fields[f];
        if (!field->is_key || field->domain != made->domain || strcmp(field->name, made->name) != 0)
            continue;
        while (event->keys.count < design->field_count)
            COR_TRY(agent__indices_add(&event->keys, COR_NONE, error));
        event->keys.items[f] = at;
    }
    return COR_OK;
}

enum cor_status cor_design_add_parameter_condition(struct cor_design *design, uint32_t event,
                                                   uint32_t parameter, const char *text, const char *place,
                                                   struct cor_error *error) {
    COR_ASSERT(event < design->event_count && parameter < design->events[event].parameter_count);
    struct cor_condition condition;
    COR_TRY(cor_design_parse_condition(design, text, event, design->field_count + parameter, place,
                                       &condition, error));
    struct cor_design_parameter *made = &design->events[event].parameters[parameter];
    struct cor_condition *added = AGENT__APPEND(&made->conditions, &made->condition_count);
    COR_TRY(cor_made(added, error));
    *added = condition;
    return COR_OK;
}

/* Each parameter of the event that the rule posts is a field of its belief set. */
static enum cor_status match_fields(const struct cor_design *design, struct cor_design_rule *rule,
                                    const char *place, struct cor_error *error) {
    const struct cor_design_belief *belief = &design->beliefs[rule->belief];
    const struct cor_design_event *event = &design->events[rule->event];
    for (uint32_t p = 0; p < event->parameter_count; p++) {
        uint32_t found = COR_NONE;
        for (uint32_t f = belief->first_field; f < belief->first_field + belief->field_count; f++)
            if (strcmp(design->fields[f].name, event->parameters[p].name) == 0 &&
                design->fields[f].domain == event->parameters[p].domain)
                found = f;
        if (found == COR_NONE)
            return cor_fail(error, COR_STATUS_INPUT, place,
                            "the parameters of an event that a rule posts are fields of its belief set",
                            "\"%s\" posts \"%s\", but has no field \"%s\" of type %s", belief->name,
                            event->name, event->parameters[p].name,
                            design->domains[event->parameters[p].domain].name);
        COR_TRY(agent__indices_add(&rule->fields, found, error));
    }
    return COR_OK;
}

enum cor_status cor_design_add_rule(struct cor_design *design, uint32_t belief, const char *when,
                                    uint32_t event, const char *place, struct cor_error *error) {
    if (design->beliefs[belief].is_relation)
        return cor_fail(error, COR_STATUS_INPUT, place, "have the plan that changes a row post the event",
                        "\"%s\" is a relation, and relations have no rules", design->beliefs[belief].name);
    COR_ASSERT(belief < design->belief_count && event < design->event_count);
    struct cor_scope scope;
    struct cor_symbol *symbols = NULL;
    struct cor_design_rule *rule = AGENT__APPEND(&design->rules, &design->rule_count);
    COR_TRY(cor_made(rule, error));
    rule->belief = belief;
    rule->event = event;
    COR_TRY(agent__scope_make(design, COR_NONE, design->beliefs[belief].name, &scope, &symbols, error));
    enum cor_status status = cor_expression_parse_condition(when, &scope, place, &rule->when, error);
    free(symbols);
    return status == COR_OK ? match_fields(design, rule, place, error) : status;
}

static enum cor_status add_output(struct cor_design *design, enum cor_design_name what,
                                  struct cor_design_output **outputs, uint32_t *count, const char *name,
                                  const char *place, uint32_t *index, struct cor_error *error) {
    uint32_t at = *count;
    struct cor_design_output *output = AGENT__APPEND(outputs, count);
    COR_TRY(cor_made(output, error));
    COR_TRY(claim_name(design, what, name, false, at, place, &output->name, error));
    if (index)
        *index = at;
    return COR_OK;
}

enum cor_status cor_design_add_message(struct cor_design *design, const char *name, const char *place,
                                       uint32_t *index, struct cor_error *error) {
    return add_output(design, COR_NAME_MESSAGE, &design->messages, &design->message_count, name, place, index,
                      error);
}

enum cor_status cor_design_add_action(struct cor_design *design, const char *name, const char *place,
                                      uint32_t *index, struct cor_error *error) {
    return add_output(design, COR_NAME_ACTION, &design->actions, &design->action_count, name, place, index,
                      error);
}

enum cor_status cor_design_add_plan(struct cor_design *design, const char *name, uint32_t trigger,
                                    const char *place, uint32_t *index, struct cor_error *error) {
    COR_ASSERT(trigger < design->event_count);
    uint32_t at = design->plan_count;
    struct cor_design_plan *plan = AGENT__APPEND(&design->plans, &design->plan_count);
    COR_TRY(cor_made(plan, error));
    plan->trigger = plan->code.trigger = trigger;
    plan->place = cor_strdup(place);
    COR_TRY(place ? cor_made(plan->place, error) : COR_OK);
    COR_TRY(claim_name(design, COR_NAME_PLAN, name, false, at, place, &plan->name, error));
    if (index)
        *index = at;
    return agent__indices_add(&design->events[trigger].handlers, at, error);
}

enum cor_status cor_design_add_entry(struct cor_design *design, uint32_t event, const char *place,
                                     struct cor_error *error) {
    COR_ASSERT(event < design->event_count);
    if (design->events[event].is_entry)
        return cor_fail(error, COR_STATUS_INPUT, place, "leave one of them out", "it is listed twice");
    design->events[event].is_entry = true;
    return agent__indices_add(&design->entries, event, error);
}

enum cor_status cor_design_add_use(struct cor_design *design, struct cor_indices *list, uint32_t index,
                                   const char *place, struct cor_error *error) {
    (void)design;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == index)
            return cor_fail(error, COR_STATUS_INPUT, place, "leave one of them out", "it is listed twice");
    return agent__indices_add(list, index, error);
}

enum cor_status cor_design_add_variable(struct cor_design *design, uint32_t plan, uint32_t slot,
                                        const char *place, uint32_t *index, struct cor_error *error) {
    struct cor_design_plan *made = &design->plans[plan];
    COR_ASSERT(plan < design->plan_count && slot < cor_design_slot_count(design, made->trigger));
    uint32_t at = made->variable_count;
    for (uint32_t v = 0; v < made->variable_count; v++)
        if (made->variables[v].slot == slot)
            return cor_fail(error, COR_STATUS_INPUT, place, "say all of it in one place",
                            "the plan \"%s\" has a variable \"%s\" already", made->name,
                            cor_design_slot_name(design, made->trigger, slot));
    struct cor_design_variable *variable = AGENT__APPEND(&made->variables, &made->variable_count);
    COR_TRY(cor_made(variable, error));
    variable->slot = slot;
    if (index)
        *index = at;
    return COR_OK;
}

enum cor_status cor_design_add_variable_condition(struct cor_design *design, uint32_t plan, uint32_t variable,
                                                  const char *text, const char *place,
                                                  struct cor_error *error) {
    COR_ASSERT(plan < design->plan_count && variable < design->plans[plan].variable_count);
    struct cor_design_variable *made = &design->plans[plan].variables[variable];
    struct cor_condition condition;
    COR_TRY(cor_design_parse_condition(design, text, design->plans[plan].trigger, made->slot, place,
                                       &condition, error));
    struct cor_condition *added = AGENT__APPEND(&made->conditions, &made->condition_count);
    COR_TRY(cor_made(added, error));
    *added = condition;
    return COR_OK;
}

enum cor_status cor_design_add_bound(struct cor_design *design, uint32_t plan, uint32_t variable,
                                     struct cor_value value, struct cor_error *error) {
    COR_ASSERT(plan < design->plan_count && variable < design->plans[plan].variable_count);
    struct cor_design_variable *made = &design->plans[plan].variables[variable];
    struct cor_value *added = AGENT__APPEND(&made->bounds, &made->bound_count);
    COR_TRY(cor_made(added, error));
    *added = value;
    return COR_OK;
}

enum cor_status cor_design_add_ring(struct cor_design *design, bool meant, uint32_t *index,
                                    struct cor_error *error) {
    *index = design->ring_count;
    struct cor_design_ring *added = AGENT__APPEND(&design->rings, &design->ring_count);
    COR_TRY(cor_made(added, error));
    added->meant = meant;
    return COR_OK;
}

enum cor_ring_meaning cor_design_ring(const struct cor_design *design, const uint32_t *plans,
                                      uint32_t count) {
    enum cor_ring_meaning meaning = COR_RING_UNSAID;
    for (uint32_t r = 0; r < design->ring_count && meaning != COR_RING_NOT_MEANT; r++) {
        const struct cor_indices *named = &design->rings[r].plans;
        uint32_t found = 0;
        for (uint32_t n = 0; n < named->count; n++)
            for (uint32_t p = 0; p < count; p++)
                found += named->items[n] == plans[p];
        if (found == named->count)
            meaning = design->rings[r].meant ? COR_RING_MEANT : COR_RING_NOT_MEANT;
    }
    return meaning;
}

enum cor_status cor_design_set_code_take(struct cor_design *design, uint32_t plan, const char *context,
                                         const char *place, struct cor_body *body, struct cor_error *error) {
    COR_ASSERT(plan < design->plan_count);
    struct cor_design_plan *made = &design->plans[plan];
    free(made->context);
    cor_body_fini(&made->body);
    agent__plan_code_fini(&made->code);
    made->context = cor_strdup(context);
    made->body = *body;
    cor_body_init(body);
    COR_TRY(context ? cor_made(made->context, error) : COR_OK);
    return agent__compile(design, made->trigger, context, place, &made->body, &made->code, error);
}
