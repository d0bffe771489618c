/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Designs are filled part by part. Every part is found by its name through the words of the design's names,
 * so that a design of many plans is read as fast as it is long. */
#include <corridor/array.h>
#include <corridor/rows.h>
#include <corridor/unit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void plan_code_fini(struct cor_plan_code *code);
static enum cor_status compile(struct cor_design *design, uint32_t event, const char *context,
                               const char *place, const struct cor_body *body, struct cor_plan_code *code,
                               struct cor_error *error) COR_MUST_USE;
static enum cor_status parse_condition(struct cor_design *design, const char *text,
                                       const struct cor_design_parameter *parameters,
                                       uint32_t parameter_count, uint32_t slot, const char *place,
                                       struct cor_condition *condition, struct cor_error *error);
static enum cor_status scope_make(struct cor_design *design, uint32_t event, const char *home,
                                  struct cor_scope *scope, struct cor_symbol **symbols,
                                  struct cor_error *error) COR_MUST_USE;

/* A zeroed item more at the end of an array that is grown by nothing else: its capacity is the least power of
 * two that holds it. NULL when memory is out; then the array is as it was. */
static void *append_item(void **items, uint32_t *count, size_t size) {
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
#define APPEND(items, count) append_item((void **)(items), (count), sizeof **(items))

/* Which part has which name: [word of the design's names][what]. */
struct agent__design_index {
    uint32_t (*of)[COR_NAME_COUNT]; /* owned; COR_NONE: nothing */
    size_t capacity;
};

/* A number more. */
static enum cor_status indices_add(struct cor_indices *indices, uint32_t item, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&indices->items, &indices->capacity, (size_t)indices->count + 1, error));
    indices->items[indices->count++] = item;
    return COR_OK;
}

static void indices_fini(struct cor_indices *indices) {
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
    COR_DESTROYED(cor_design) struct cor_design *design = cor_calloc(1, sizeof *design);
    if (!design)
        return NULL;
    design->settings = cor_default_test_settings();
    design->name = cor_strdup(name);
    design->index = cor_calloc(1, sizeof *design->index);
    bool made = design->name && design->index;
    for (uint32_t d = 0; made && d < COR_DOMAIN_BUILT_IN; d++) {
        struct cor_domain *domain = APPEND(&design->domains, &design->domain_count);
        char *copy = domain ? cor_strdup(built_in[d].name) : NULL;
        made = copy != NULL;
        if (domain)
            *domain = (struct cor_domain){.type = built_in[d].type, .name = copy};
        made = made && note_name(design, COR_NAME_TYPE, built_in[d].name, d, NULL) == COR_OK;
    }
    if (!made)
        return NULL;
    return cor_taken(&design);
}

static void free_parameters(struct cor_design_parameter *parameters, uint32_t count) {
    for (uint32_t p = 0; p < count; p++) {
        COR_FREE(parameters[p].name, parameters[p].conditions);
    }
    free(parameters);
}

static void free_outputs(struct cor_design_output *outputs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        free(outputs[i].name);
        free_parameters(outputs[i].parameters, outputs[i].parameter_count);
    }
    free(outputs);
}

void cor_design_destroy(struct cor_design *design) {
    if (!design)
        return;
    for (uint32_t d = 0; d < design->domain_count; d++) {
        /* What was given to a domain of the design's own: its texts are the design's, though others only
         * borrow them. */
        COR_FREED void *name = NULL, *words = NULL;
        memcpy(&name, &design->domains[d].name, sizeof name);
        memcpy(&words, &design->domains[d].words, sizeof words);
    }
    for (uint32_t b = 0; b < design->belief_count; b++)
        free(design->beliefs[b].name);
    for (uint32_t f = 0; f < design->field_count; f++) {
        COR_FREE(design->fields[f].name, design->fields[f].full_name);
    }
    indices_fini(&design->entries);
    for (uint32_t r = 0; r < design->rule_count; r++) {
        cor_expression_fini(&design->rules[r].when);
        indices_fini(&design->rules[r].fields);
    }
    for (uint32_t e = 0; e < design->event_count; e++) {
        struct cor_design_event *event = &design->events[e];
        free(event->name);
        free_parameters(event->parameters, event->parameter_count);
        indices_fini(&event->handlers);
        indices_fini(&event->keys);
    }
    for (uint32_t p = 0; p < design->plan_count; p++) {
        struct cor_design_plan *plan = &design->plans[p];
        COR_FREE(plan->name, plan->place);
        for (uint32_t v = 0; v < plan->variable_count; v++) {
            COR_FREE(plan->variables[v].conditions, plan->variables[v].bounds);
        }
        free(plan->variables);
        indices_fini(&plan->posts);
        indices_fini(&plan->sends);
        indices_fini(&plan->does);
        indices_fini(&plan->writes);
        free(plan->context);
        cor_body_fini(&plan->body);
        plan_code_fini(&plan->code);
    }
    for (uint32_t r = 0; r < design->ring_count; r++)
        indices_fini(&design->rings[r].plans);
    free(design->rings);
    free_outputs(design->messages, design->message_count);
    free_outputs(design->actions, design->action_count);
    COR_FREE(design->domains, design->beliefs, design->fields, design->rules, design->events, design->plans);
    cor_words_fini(&design->words);
    cor_words_fini(&design->names);
    if (design->index)
        free(design->index->of);
    COR_FREE(design->index, design->name, design);
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
    COR_FREED const char **known = cor_calloc((size_t)count + 1, sizeof *known);
    COR_TRY(cor_made(known, error));
    for (uint32_t i = 0; i < count; i++)
        known[i] = name_of(design, what, i);
    return fail_unknown(nouns[what], name, known, place, error);
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
    COR_FREED const char **known = cor_calloc((size_t)design->field_count + 1, sizeof *known);
    COR_TRY(cor_made(known, error));
    for (uint32_t f = 0; f < design->field_count; f++)
        known[f] = strchr(name, '.') ? design->fields[f].full_name : design->fields[f].name;
    return fail_unknown("field", name, known, place, error);
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
    struct cor_domain *domain = APPEND(&design->domains, &design->domain_count);
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
    struct cor_design_belief *belief = APPEND(&design->beliefs, &design->belief_count);
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
    struct cor_design_field *field = APPEND(&design->fields, &design->field_count);
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
    struct cor_design_event *event = APPEND(&design->events, &design->event_count);
    COR_TRY(cor_made(event, error));
    event->kind = kind;
    COR_TRY(claim_name(design, COR_NAME_EVENT, name, false, at, place, &event->name, error));
    if (index)
        *index = at;
    return COR_OK;
}

/* A parameter of an event or a message. */
static enum cor_status append_parameter(struct cor_design_parameter **parameters, uint32_t *count,
                                        const char *name, uint32_t domain, const char *place,
                                        struct cor_error *error) {
    COR_TRY(check_name("parameter", name, true, place, error));
    for (uint32_t p = 0; p < *count; p++)
        if (strcmp((*parameters)[p].name, name) == 0)
            return fail_twice("parameter", name, place, error);
    struct cor_design_parameter *parameter = APPEND(parameters, count);
    COR_TRY(cor_made(parameter, error));
    *parameter = (struct cor_design_parameter){.name = cor_strdup(name), .domain = domain};
    return cor_made(parameter->name, error);
}

enum cor_status cor_design_add_parameter(struct cor_design *design, const char *name, uint32_t domain,
                                         const char *place, uint32_t *index, struct cor_error *error) {
    COR_ASSERT(design->event_count > 0 && domain < design->domain_count);
    struct cor_design_event *event = &design->events[design->event_count - 1];
    uint32_t at = event->parameter_count;
    COR_TRY(append_parameter(&event->parameters, &event->parameter_count, name, domain, place, error));
    if (index)
        *index = at;
    /* The parameter is the key of rows whose key field has its name and domain. */
    const struct cor_design_parameter *made = &event->parameters[at];
    for (uint32_t f = 0; f < design->field_count; f++) {
        const struct cor_design_field *field = &design->fields[f];
        if (!field->is_key || field->domain != made->domain || strcmp(field->name, made->name) != 0)
            continue;
        while (event->keys.count < design->field_count)
            COR_TRY(indices_add(&event->keys, COR_NONE, error));
        event->keys.items[f] = at;
    }
    return COR_OK;
}

static enum cor_status add_condition(struct cor_design *design, struct cor_design_parameter *parameters,
                                     uint32_t count, uint32_t parameter, const char *text, const char *place,
                                     struct cor_error *error) {
    struct cor_condition condition;
    COR_TRY(parse_condition(design, text, parameters, count, design->field_count + parameter, place,
                            &condition, error));
    struct cor_design_parameter *made = &parameters[parameter];
    struct cor_condition *added = APPEND(&made->conditions, &made->condition_count);
    COR_TRY(cor_made(added, error));
    *added = condition;
    return COR_OK;
}

enum cor_status cor_design_add_parameter_condition(struct cor_design *design, uint32_t event,
                                                   uint32_t parameter, const char *text, const char *place,
                                                   struct cor_error *error) {
    COR_ASSERT(event < design->event_count && parameter < design->events[event].parameter_count);
    return add_condition(design, design->events[event].parameters, design->events[event].parameter_count,
                         parameter, text, place, error);
}

enum cor_status cor_design_add_message_parameter(struct cor_design *design, const char *name, uint32_t domain,
                                                 const char *place, uint32_t *index,
                                                 struct cor_error *error) {
    COR_ASSERT(design->message_count > 0 && domain < design->domain_count);
    struct cor_design_output *message = &design->messages[design->message_count - 1];
    *index = message->parameter_count;
    return append_parameter(&message->parameters, &message->parameter_count, name, domain, place, error);
}

enum cor_status cor_design_add_message_condition(struct cor_design *design, uint32_t message,
                                                 uint32_t parameter, const char *text, const char *place,
                                                 struct cor_error *error) {
    COR_ASSERT(message < design->message_count && parameter < design->messages[message].parameter_count);
    return add_condition(design, design->messages[message].parameters,
                         design->messages[message].parameter_count, parameter, text, place, error);
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
        COR_TRY(indices_add(&rule->fields, found, error));
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
    COR_FREED struct cor_symbol *symbols = NULL;
    struct cor_design_rule *rule = APPEND(&design->rules, &design->rule_count);
    COR_TRY(cor_made(rule, error));
    rule->belief = belief;
    rule->event = event;
    COR_TRY(scope_make(design, COR_NONE, design->beliefs[belief].name, &scope, &symbols, error));
    enum cor_status status = cor_expression_parse_condition(when, &scope, place, &rule->when, error);
    return status == COR_OK ? match_fields(design, rule, place, error) : status;
}

static enum cor_status add_output(struct cor_design *design, enum cor_design_name what,
                                  struct cor_design_output **outputs, uint32_t *count, const char *name,
                                  const char *place, uint32_t *index, struct cor_error *error) {
    uint32_t at = *count;
    struct cor_design_output *output = APPEND(outputs, count);
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
    struct cor_design_plan *plan = APPEND(&design->plans, &design->plan_count);
    COR_TRY(cor_made(plan, error));
    plan->trigger = plan->code.trigger = trigger;
    plan->place = cor_strdup(place);
    COR_TRY(place ? cor_made(plan->place, error) : COR_OK);
    COR_TRY(claim_name(design, COR_NAME_PLAN, name, false, at, place, &plan->name, error));
    if (index)
        *index = at;
    return indices_add(&design->events[trigger].handlers, at, error);
}

enum cor_status cor_design_add_entry(struct cor_design *design, uint32_t event, const char *place,
                                     struct cor_error *error) {
    COR_ASSERT(event < design->event_count);
    if (design->events[event].is_entry)
        return cor_fail(error, COR_STATUS_INPUT, place, "leave one of them out", "it is listed twice");
    design->events[event].is_entry = true;
    return indices_add(&design->entries, event, error);
}

enum cor_status cor_design_add_use(struct cor_design *design, struct cor_indices *list, uint32_t index,
                                   const char *place, struct cor_error *error) {
    (void)design;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == index)
            return cor_fail(error, COR_STATUS_INPUT, place, "leave one of them out", "it is listed twice");
    return indices_add(list, index, error);
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
    struct cor_design_variable *variable = APPEND(&made->variables, &made->variable_count);
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
    struct cor_condition *added = APPEND(&made->conditions, &made->condition_count);
    COR_TRY(cor_made(added, error));
    *added = condition;
    return COR_OK;
}

enum cor_status cor_design_add_bound(struct cor_design *design, uint32_t plan, uint32_t variable,
                                     struct cor_value value, struct cor_error *error) {
    COR_ASSERT(plan < design->plan_count && variable < design->plans[plan].variable_count);
    struct cor_design_variable *made = &design->plans[plan].variables[variable];
    struct cor_value *added = APPEND(&made->bounds, &made->bound_count);
    COR_TRY(cor_made(added, error));
    *added = value;
    return COR_OK;
}

enum cor_status cor_design_add_ring(struct cor_design *design, bool meant, uint32_t *index,
                                    struct cor_error *error) {
    *index = design->ring_count;
    struct cor_design_ring *added = APPEND(&design->rings, &design->ring_count);
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
    plan_code_fini(&made->code);
    made->context = cor_strdup(context);
    made->body = *body;
    cor_body_init(body);
    COR_TRY(context ? cor_made(made->context, error) : COR_OK);
    return compile(design, made->trigger, context, place, &made->body, &made->code, error);
}

/* ---- bodies as they are written, and compiled: one pass over the statements, with those that hold others on
 * a stack of their own while they are open */

void cor_body_init(struct cor_body *body) {
    *body = (struct cor_body){0};
}

void cor_body_fini(struct cor_body *body) {
    for (uint32_t s = 0; s < body->count; s++) {
        struct cor_statement *statement = &body->statements[s];
        for (uint32_t a = 0; a < statement->argument_count; a++) {
            COR_FREE(statement->arguments[a].name, statement->arguments[a].text);
        }
        COR_FREE(statement->arguments, statement->place, statement->subject, statement->text);
    }
    free(body->statements);
    indices_fini(&body->open);
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
    return indices_add(&body->open, at, error);
}

enum cor_status cor_body_add_argument(struct cor_body *body, const char *name, const char *text,
                                      struct cor_error *error) {
    COR_ASSERT(body->count > 0 && cor_statement_has_arguments(body->statements[body->count - 1].kind));
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

/* Frees what the code holds. Idempotent. */
static void plan_code_fini(struct cor_plan_code *code) {
    cor_expression_fini(&code->context);
    for (uint32_t e = 0; e < code->expression_count; e++)
        cor_expression_fini(&code->expressions[e]);
    COR_FREE(code->expressions, code->instructions, code->branch_statements);
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

/* An expression for each parameter of what a statement posts or sends, a `noun`. */
static enum cor_status compile_arguments(struct compiler *compiler, const struct cor_statement *statement,
                                         const char *noun, const struct cor_design_parameter *parameters,
                                         uint32_t parameter_count) {
    uint32_t expression;
    /* Arguments that there is no parameter for, or that are given twice. */
    for (uint32_t a = 0; a < statement->argument_count; a++) {
        const char *name = statement->arguments[a].name, *known[257];
        uint32_t count = 0;
        bool there = false;
        for (uint32_t p = 0; p < parameter_count; p++) {
            there = there || strcmp(parameters[p].name, name) == 0;
            if (count < 256)
                known[count++] = parameters[p].name;
        }
        known[count] = NULL;
        char remedy[1024] = "it has no parameters";
        if (count > 0)
            cor_known_names(name, known, remedy, sizeof remedy);
        if (!there)
            return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place, remedy,
                            "the %s \"%s\" has no parameter \"%s\"", noun, statement->subject, name);
        if (find_argument(statement, name) != &statement->arguments[a])
            return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place, "leave one of them out",
                            "\"%s\" is given twice", name);
    }
    for (uint32_t p = 0; p < parameter_count; p++) {
        const struct cor_statement_argument *argument = find_argument(statement, parameters[p].name);
        if (!argument)
            return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place, "give it a value",
                            "the %s \"%s\" is %s without its parameter \"%s\"", noun, statement->subject,
                            statement->kind == COR_STATEMENT_SEND ? "sent" : "posted", parameters[p].name);
        COR_TRY(compile_value(compiler, argument->text, &compiler->design->domains[parameters[p].domain],
                              statement->place, &expression));
    }
    return COR_OK;
}

static enum cor_status compile_post(struct compiler *compiler, const struct cor_statement *statement) {
    uint32_t index;
    COR_TRY(cor_design_look_up(compiler->design, COR_NAME_EVENT, statement->subject, statement->place, &index,
                               compiler->error));
    struct cor_instruction *post = emit(compiler, COR_INSTRUCTION_POST);
    post->subject = index;
    post->optional = statement->optional;
    post->aside = statement->aside;
    post->expression = compiler->code->expression_count;
    const struct cor_design_event *event = &compiler->design->events[index];
    return compile_arguments(compiler, statement, "event", event->parameters, event->parameter_count);
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
    struct cor_instruction *output = emit(compiler, sends ? COR_INSTRUCTION_SEND : COR_INSTRUCTION_DO);
    output->subject = index;
    output->expression = compiler->code->expression_count;
    if (!sends)
        return COR_OK;
    const struct cor_design_output *message = &compiler->design->messages[index];
    return compile_arguments(compiler, statement, "message", message->parameters, message->parameter_count);
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
    case COR_STATEMENT_SET: {
        uint32_t field, expression;
        COR_TRY(cor_design_look_up_field(compiler->design, statement->subject, statement->place, &field,
                                         compiler->error));
        const struct cor_design_field *of = &compiler->design->fields[field];
        const struct cor_design_belief *belief = &compiler->design->beliefs[of->belief];
        if (belief->is_relation && (of->is_key || field >= belief->first_field + belief->row_width))
            return cor_fail(compiler->error, COR_STATUS_INPUT, statement->place,
                            "insert a row, or remove one",
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
    case COR_STATEMENT_SEND:
    case COR_STATEMENT_DO:
        return compile_output(compiler, statement);
    case COR_STATEMENT_POST:
        return compile_post(compiler, statement);
    case COR_STATEMENT_IF:
    case COR_STATEMENT_WHILE: {
        /* The condition of an "if" or "while"; where it leads is known later. */
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
    case COR_STATEMENT_FAIL:
        emit(compiler, COR_INSTRUCTION_FAIL);
        return COR_OK;
    case COR_STATEMENT_INSERT:
    case COR_STATEMENT_REMOVE:
        return compile_row(compiler, statement);
    case COR_STATEMENT_PARALLEL:
    case COR_STATEMENT_STRAND:
        /* A strand begins with its FORK; the statement around it is its JOIN. */
        compiler->open[compiler->open_count++] =
            (struct open_statement){index, compiler->code->instruction_count, COR_NONE};
        if (compiler->body->statements[index].kind == COR_STATEMENT_STRAND)
            emit(compiler, COR_INSTRUCTION_FORK);
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

/* Compiles context and body for the scope of `event`. *code is zeroed before. On failure it holds nothing. */
static enum cor_status compile(struct cor_design *design, uint32_t event, const char *context,
                               const char *place, const struct cor_body *body, struct cor_plan_code *code,
                               struct cor_error *error) {
    COR_ASSERT(body->open.count == 0);
    struct compiler compiler = {.design = design, .body = body, .code = code, .error = error};
    COR_FREED struct cor_symbol *symbols = NULL;
    *code = (struct cor_plan_code){.trigger = event};
    enum cor_status status;
    COR_TRY_OUT(scope_make(design, event, NULL, &compiler.scope, &symbols, error));
    if (context) {
        code->has_context = true;
        COR_TRY_OUT(cor_expression_parse_condition(context, &compiler.scope, place, &code->context, error));
    }
    status = compile_body(&compiler);
out:
    if (status != COR_OK)
        plan_code_fini(code);
    free(compiler.open);
    return status;
}

/* ---- slots: what expressions of a plan read, by number and by name; and conditions over them */

uint32_t cor_design_slot_count(const struct cor_design *design, uint32_t event) {
    return design->field_count + (event == COR_NONE ? 0 : design->events[event].parameter_count);
}

static const struct cor_design_parameter *parameter_of(const struct cor_design *design, uint32_t event,
                                                       uint32_t slot) {
    COR_ASSERT(slot < cor_design_slot_count(design, event));
    return slot < design->field_count ? NULL : &design->events[event].parameters[slot - design->field_count];
}

const struct cor_domain *cor_design_slot_domain(const struct cor_design *design, uint32_t event,
                                                uint32_t slot) {
    const struct cor_design_parameter *parameter = parameter_of(design, event, slot);
    return &design->domains[parameter ? parameter->domain : design->fields[slot].domain];
}

const char *cor_design_slot_name(const struct cor_design *design, uint32_t event, uint32_t slot) {
    const struct cor_design_parameter *parameter = parameter_of(design, event, slot);
    return parameter ? parameter->name : design->fields[slot].full_name;
}

/* The scope of all fields and these parameters. Its symbols are the caller's to free. */
static enum cor_status scope_of(struct cor_design *design, const struct cor_design_parameter *parameters,
                                uint32_t count, const char *home, struct cor_scope *scope,
                                struct cor_symbol **symbols, struct cor_error *error) {
    const uint32_t fields = design->field_count;
    COR_TRY(cor_made(*symbols = cor_calloc((size_t)fields + count, sizeof **symbols), error));
    for (uint32_t f = 0; f < fields; f++)
        (*symbols)[f] =
            (struct cor_symbol){design->fields[f].full_name, &design->domains[design->fields[f].domain]};
    for (uint32_t p = 0; p < count; p++)
        (*symbols)[fields + p] =
            (struct cor_symbol){parameters[p].name, &design->domains[parameters[p].domain]};
    *scope = (struct cor_scope){
        .symbols = *symbols, .symbol_count = fields + count, .home = home, .words = &design->words};
    return COR_OK;
}

/* That of plans that the event triggers, of belief rules at home in `home` if event is COR_NONE. */
static enum cor_status scope_make(struct cor_design *design, uint32_t event, const char *home,
                                  struct cor_scope *scope, struct cor_symbol **symbols,
                                  struct cor_error *error) {
    const struct cor_design_event *of = event == COR_NONE ? NULL : &design->events[event];
    return scope_of(design, of ? of->parameters : NULL, of ? of->parameter_count : 0, home, scope, symbols,
                    error);
}

void cor_design_view(const struct cor_design *design, uint32_t event, const struct cor_value *fields,
                     const struct cor_value *arguments, struct cor_value *slots) {
    const struct cor_indices *keys = &design->events[event].keys;
    for (uint32_t f = 0; f < design->field_count; f++)
        slots[f] = f < keys->count && keys->items[f] != COR_NONE ? arguments[keys->items[f]] : fields[f];
    for (uint32_t p = 0; p < design->events[event].parameter_count; p++)
        slots[design->field_count + p] = arguments[p];
    for (uint32_t b = 0; design->relation_count > 0 && b < design->belief_count; b++) {
        const struct cor_design_belief *belief = &design->beliefs[b];
        if (!belief->is_relation)
            continue;
        struct cor_value *exists = &slots[belief->first_field + belief->row_width], *count = exists + 1;
        if (count->as.integer < 0 || count->as.integer > COR_ROWS_MOST)
            count->as.integer = count->as.integer < 0 ? 0 : COR_ROWS_MOST;
        if (count->as.integer == 0)
            exists->as.integer = 0;
        for (uint32_t f = belief->first_field; f < belief->first_field + belief->row_width; f++)
            if (exists->as.integer == 0 && !design->fields[f].is_key)
                slots[f] = design->fields[f].start;
    }
}

static const struct {
    const char *sign;
    enum cor_condition_relation relation;
} relations[] = {
    {"<=", COR_RELATION_LESS_EQUAL}, {"<", COR_RELATION_LESS},       {"==", COR_RELATION_EQUAL},
    {"=", COR_RELATION_EQUAL},       {"!=", COR_RELATION_NOT_EQUAL}, {">=", COR_RELATION_GREATER_EQUAL},
    {">", COR_RELATION_GREATER},
};

static const char *skip_blanks(const char *text) {
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

/* The text as an expression: in quotes where it is a bare word of the enumeration. NULL when memory is out.
 */
static char *quote_word(const struct cor_design *design, const struct cor_scope *scope,
                        const struct cor_domain *domain, const char *text) {
    uint32_t word = cor_words_find(&design->words, text);
    if (cor_scope_find(scope, text) != COR_NONE || domain->type != COR_VALUE_TYPE_ENUMERATION ||
        word == COR_NONE || !cor_domain_has(domain, cor_word(word)))
        return cor_strdup(text);
    size_t size = 2 * strlen(text) + 4; /* every letter could be a quote */
    char *quoted = cor_calloc(size, 1);
    if (quoted)
        cor_value_text(cor_word(word), domain, &design->words, quoted, size);
    return quoted;
}

/* What stands to the right of the relation: a constant of `domain`, or one name. */
static enum cor_status read_side(const char *text, const struct cor_scope *scope,
                                 const struct cor_domain *domain, const char *place,
                                 struct cor_condition *condition, struct cor_error *error) {
    static const struct cor_domain reals = {.type = COR_VALUE_TYPE_REAL, .name = "float"};
    static const struct cor_domain strings = {.type = COR_VALUE_TYPE_STRING, .name = "string"};
    struct cor_expression side;
    bool number = domain->type == COR_VALUE_TYPE_INTEGER || domain->type == COR_VALUE_TYPE_REAL;
    enum cor_status status = cor_expression_parse_value(text, scope, domain, NULL, &side, NULL);
    if (status == COR_STATUS_INPUT) /* 0.5 for an integer, the name of a string for an enumeration */
        status = cor_expression_parse_value(text, scope, number ? &reals : &strings, place, &side, error);
    if (status != COR_OK)
        return status == COR_STATUS_MEMORY ? cor_fail_memory(error) : status;
    const struct cor_node *first = &side.nodes[0];
    enum cor_operator kind = first->operator, last = side.nodes[side.node_count - 1].operator;
    bool alone = side.node_count == 1 || (side.node_count == 2 && last == COR_OPERATOR_TO_REAL);
    condition->other = COR_NONE;
    if (alone && kind == COR_OPERATOR_VARIABLE)
        condition->other = first->variable;
    else if (cor_expression_last_variable(&side) >= 0 ||
             !cor_expression_evaluate(&side, NULL, &condition->value))
        status = cor_fail(error, COR_STATUS_INPUT, place, "say more in the context",
                          "\"%s\" is neither a constant nor a name", text);
    cor_expression_fini(&side);
    return status;
}

static enum cor_status parse_condition(struct cor_design *design, const char *text,
                                       const struct cor_design_parameter *parameters,
                                       uint32_t parameter_count, uint32_t slot, const char *place,
                                       struct cor_condition *condition, struct cor_error *error) {
    size_t r = 0, count = sizeof relations / sizeof *relations;
    const char *at = skip_blanks(text);
    while (r < count && strncmp(at, relations[r].sign, strlen(relations[r].sign)) != 0)
        r++;
    if (r == count)
        return cor_fail(error, COR_STATUS_INPUT, place, "such as \">= 0\" or \"!= null\"",
                        "\"%s\" begins with none of < <= = == != >= >", text);
    const char *rest = skip_blanks(at + strlen(relations[r].sign));
    struct cor_scope scope;
    COR_FREED struct cor_symbol *symbols = NULL;
    COR_FINISHED(cor_expression) struct cor_expression whole = {0};
    COR_FREED char *side = NULL, *comparison = NULL;
    *condition = (struct cor_condition){.relation = relations[r].relation, .other = COR_NONE};
    COR_TRY(scope_of(design, parameters, parameter_count, NULL, &scope, &symbols, error));
    const char *name = symbols[slot].name;
    const struct cor_domain *domain = symbols[slot].domain;
    side = quote_word(design, &scope, domain, rest);
    comparison = side ? cor_format("%s %s %s", name, relations[r].sign, side) : NULL;
    COR_TRY(cor_made(comparison, error));
    /* Parsed whole, so that what cannot be compared is said as in any other expression. */
    COR_TRY(cor_expression_parse_condition(comparison, &scope, place, &whole, error));
    return read_side(side, &scope, domain, place, condition, error);
}

enum cor_status cor_design_parse_condition(struct cor_design *design, const char *text, uint32_t event,
                                           uint32_t slot, const char *place, struct cor_condition *condition,
                                           struct cor_error *error) {
    return parse_condition(design, text, design->events[event].parameters,
                           design->events[event].parameter_count, slot, place, condition, error);
}

/* -1, 0 or 1 for two numbers; an integer beside a real counts as the nearest real. */
static int order(struct cor_value a, struct cor_value b) {
    if (a.kind == COR_VALUE_INTEGER && b.kind == COR_VALUE_INTEGER)
        return (a.as.integer > b.as.integer) - (a.as.integer < b.as.integer);
    double x = a.kind == COR_VALUE_REAL ? a.as.real : (double)a.as.integer;
    double y = b.kind == COR_VALUE_REAL ? b.as.real : (double)b.as.integer;
    return (x > y) - (x < y);
}

bool cor_condition_holds(const struct cor_condition *condition, struct cor_value value,
                         const struct cor_value *slots) {
    struct cor_value other = condition->other == COR_NONE ? condition->value : slots[condition->other];
    bool numbers = (value.kind == COR_VALUE_INTEGER || value.kind == COR_VALUE_REAL) &&
                   (other.kind == COR_VALUE_INTEGER || other.kind == COR_VALUE_REAL);
    int side = numbers ? order(value, other) : cor_value_equal(value, other) ? 0 : 2;
    switch (condition->relation) {
    case COR_RELATION_LESS:
        return side < 0;
    case COR_RELATION_LESS_EQUAL:
        return numbers && side <= 0;
    case COR_RELATION_EQUAL:
        return side == 0;
    case COR_RELATION_NOT_EQUAL:
        return side != 0;
    case COR_RELATION_GREATER_EQUAL:
        return numbers && side >= 0;
    case COR_RELATION_GREATER:
        return numbers && side > 0;
    }
    return false;
}

bool cor_conditions_hold(const struct cor_condition *conditions, uint32_t count, struct cor_value value,
                         const struct cor_value *slots) {
    bool is_listed = false, is_one = false;
    for (uint32_t c = 0; c < count; c++) {
        const bool lists = conditions[c].relation == COR_RELATION_EQUAL && conditions[c].other == COR_NONE;
        if (conditions[c].other != COR_NONE && !slots)
            continue;
        const bool holds = cor_condition_holds(&conditions[c], value, slots);
        if (!lists && !holds)
            return false;
        is_listed = is_listed || lists;
        is_one = is_one || (lists && holds);
    }
    return is_one || !is_listed;
}

/* ---- the agent as it is executed: every plan points to the code of the design, or to its own */

struct cor_agent_code *cor_agent_code_create(struct cor_design *design) {
    COR_DESTROYED(cor_agent_code) struct cor_agent_code *code = cor_calloc(1, sizeof *code);
    if (!code)
        return NULL;
    code->design = design;
    code->plans = cor_calloc(design->plan_count, sizeof *code->plans);
    code->changed = cor_calloc(design->plan_count, sizeof *code->changed);
    code->silent = cor_calloc(design->rule_count, sizeof *code->silent);
    code->start = cor_calloc(design->field_count, sizeof *code->start);
    if (!code->plans || !code->changed || !code->silent || !code->start)
        return NULL;
    for (uint32_t p = 0; p < design->plan_count; p++)
        code->plans[p] = &design->plans[p].code;
    for (uint32_t f = 0; f < design->field_count; f++)
        code->start[f] = design->fields[f].start;
    return cor_taken(&code);
}

static void free_plan_code(struct cor_plan_code *code) {
    if (code)
        plan_code_fini(code);
    free(code);
}

void cor_agent_code_destroy(struct cor_agent_code *code) {
    if (!code)
        return;
    for (uint32_t p = 0; code->changed && p < code->design->plan_count; p++)
        free_plan_code(code->changed[p]);
    COR_FREE(code->plans, code->changed, code->silent, code->start, code);
}

enum cor_status cor_agent_code_change(struct cor_agent_code *code, const struct cor_plan_change *change,
                                      struct cor_error *error) {
    struct cor_design *design = code->design;
    COR_ASSERT(change->plan < design->plan_count);
    const struct cor_design_plan *plan = &design->plans[change->plan];
    uint32_t trigger =
        change->trigger ? cor_design_find(design, COR_NAME_EVENT, change->trigger) : plan->trigger;
    COR_FREED struct cor_plan_code *made = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    /* A plan that nothing triggers is still looked at: over the parameters that it was written for. */
    enum cor_status status = compile(design, trigger == COR_NONE ? plan->trigger : trigger,
                                     change->changes_context ? change->context : plan->context, change->place,
                                     change->body ? change->body : &plan->body, made, error);
    if (status != COR_OK)
        return status;
    made->trigger = trigger;
    made->absent = change->absent;
    free_plan_code(code->changed[change->plan]);
    code->changed[change->plan] = made;
    code->plans[change->plan] = cor_taken(&made);
    return COR_OK;
}

void cor_agent_code_silence(struct cor_agent_code *code, uint32_t belief) {
    for (uint32_t r = 0; r < code->design->rule_count; r++)
        if (code->design->rules[r].belief == belief)
            code->silent[r] = true;
}

/* ---- unit */

void cor_units_init(struct cor_units *units) {
    *units = (struct cor_units){0};
}

void cor_units_fini(struct cor_units *units) {
    free(units->units);
    indices_fini(&units->members);
    cor_units_init(units);
}

enum cor_status cor_units_add(struct cor_units *units, enum cor_unit_kind kind, uint32_t event,
                              const uint32_t *members, uint32_t member_count, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&units->units, &units->capacity, (size_t)units->count + 1, error));
    struct cor_unit unit = {
        .kind = kind, .event = event, .first_member = units->members.count, .member_count = member_count};
    for (uint32_t m = 0; m < member_count; m++)
        COR_TRY(indices_add(&units->members, members[m], error));
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
