/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of a corridor, statement by statement. Comments become blanks and the end of each statement a zero
 * byte, in a copy of the text: so conditions are parsed where they stand, and places in messages are right.
 */
#include <corridor/corridor.h>

#include <corridor/array.h>
#include <corridor/history.h>
#include <corridor/kinds.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARAMETERS_OF_DEFINITION_MAX 8
#define BUILT_IN 4 /* attributes */

/* What a corridor is made of, beside what readers need to see. */
struct corridor__read {
    char *source; /* owned; as long as the text */
    char **texts; /* owned, and each: names, units */
    size_t text_count, text_capacity;
    uint32_t **words; /* owned, and each: of enumerations */
    size_t word_count, word_capacity;
    size_t attribute_capacity, parameter_capacity, constraint_capacity, organization_capacity;
    size_t channel_capacity;
    struct cor_definition *definitions;                                 /* owned */
    const char *(*definition_parameters)[PARAMETERS_OF_DEFINITION_MAX]; /* owned; of each */
    size_t definition_capacity, definition_parameter_capacity;
    uint32_t definition_count;

    /* The scope, made when all that it names has been read. */
    struct cor_symbol *symbols;
    const char **units;
    struct cor_attribute *agent_attributes, *organization_attributes;
    struct cor_relation *agent_sets;
    struct cor_element_type types[2];
    struct cor_shape shape;
};

/* One reading. */
struct reader {
    struct cor_corridor *corridor;
    struct corridor__read *read;
    const char *name; /* of the file */
    char *at;         /* in the source: what is not read yet of the statement, which ends with 0 */
    bool has_kind, is_said[BUILT_IN]; /* more of an attribute that all agents have */
    const char *set_at;               /* of the first attribute that is a set; NULL: none is */
    char **constraints;               /* owned; where these begin: they are read last */
    size_t constraint_count, constraint_capacity;
    bool waits[COR_CORRIDOR_ROWS_MAX]; /* [constraint] "trigger NAME for N" was said of it */
    struct cor_error *error;
};

void cor_corridor_place(const struct cor_corridor *corridor, const char *at, size_t *line, size_t *column) {
    *line = *column = 1;
    for (const char *c = corridor->read->source; c < at; c++) {
        const bool ends = *c == '\n' || *c == '\0';
        *line += ends;
        *column = ends ? 1 : *column + ((*c & 0xC0) != 0x80);
    }
}

bool cor_corridor_is_plain(const struct cor_corridor *corridor, uint32_t constraint) {
    const struct cor_constraint *asked = &corridor->constraints[constraint];
    if (asked->kind == COR_CONSTRAINT_TEMPORAL || asked->channel != COR_NONE)
        return false;
    for (uint32_t i = 0; i < asked->condition.node_count; i++) {
        const struct cor_node *node = &asked->condition.nodes[i];
        const enum cor_operator kind = node->operator;
        const bool is_of_set =
            node->variable != COR_NONE &&
            (kind == COR_OPERATOR_BIND || kind == COR_OPERATOR_SIZE || kind == COR_OPERATOR_IN);
        if (corridor->kind == COR_STRUCTURE_OBSERVED && (is_of_set || kind == COR_OPERATOR_BEFORE))
            return false;
    }
    return true;
}

static enum cor_status complain(const struct reader *r, const char *at, const char *remedy,
                                const char *format, ...) COR_PRINTF(4, 5);

static enum cor_status complain(const struct reader *r, const char *at, const char *remedy,
                                const char *format, ...) {
    char what[600], place[512];
    size_t line, column;
    cor_corridor_place(r->corridor, at, &line, &column);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(place, sizeof place, "%.400s:%zu:%zu", r->name, line, column);
    return cor_fail(r->error, COR_STATUS_INPUT, place, remedy, "%s", what);
}

/* ---- words of a statement */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void skip_blanks(struct reader *r) {
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
        r->at++;
}

/* What stands there, for a message: a word, or a sign. */
static const char *found_text(const char *at, char text[64]) {
    size_t length = 0;
    while (length < 40 && (is_letter(at[length]) || is_digit(at[length])))
        length++;
    if (!*at)
        snprintf(text, 64, "the end of the statement");
    else if (length > 0 || ((unsigned char)*at > ' ' && (unsigned char)*at < 0x7F))
        snprintf(text, 64, "\"%.*s\"", length > 0 ? (int)length : 1, at);
    else
        snprintf(text, 64, "the byte 0x%02X", (unsigned char)*at);
    return text;
}

static enum cor_status complain_expected(const struct reader *r, const char *expected, const char *remedy) {
    char found[64];
    return complain(r, r->at, remedy, "expected %s, found %s", expected, found_text(r->at, found));
}

/* Takes the sign if it comes next. */
static bool take_text(struct reader *r, const char *sign) {
    skip_blanks(r);
    const size_t length = strlen(sign);
    if (strncmp(r->at, sign, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* The length of the name that comes next, 0 if none does. */
static size_t name_length(struct reader *r) {
    size_t length = 0;
    skip_blanks(r);
    if (is_letter(*r->at))
        while (is_letter(r->at[length]) || is_digit(r->at[length]))
            length++;
    return length;
}

static bool take_word(struct reader *r, const char *word) {
    const size_t length = name_length(r);
    if (length != strlen(word) || strncmp(r->at, word, length) != 0)
        return false;
    r->at += length;
    return true;
}

static enum cor_status expect_end(struct reader *r) {
    skip_blanks(r);
    return *r->at ? complain_expected(r, "the end of the statement",
                                      "a statement begins in the first column of a line")
                  : COR_OK;
}

/* A copy of what begins there, which lives as long as the corridor. */
static enum cor_status keep(const struct reader *r, const char *at, size_t length, const char **kept) {
    struct corridor__read *read = r->read;
    COR_TRY(COR_RESERVE(&read->texts, &read->text_capacity, read->text_count + 1, r->error));
    char *copy = cor_format("%.*s", (int)length, at);
    COR_TRY(cor_made(copy, r->error));
    read->texts[read->text_count++] = copy;
    *kept = copy;
    return COR_OK;
}

/* A name of the user's; *at is where it stands. `taken` are names that it may not have. */
static enum cor_status read_name(struct reader *r, const char *what, const char **name, const char **at) {
    static const char *const reserved[] = {
        "and",   "or",   "not", "implies", "in",     "where",         "true",    "false", "True",
        "False", "null", "all", "any",     "one",    "sum",           "min",     "max",   "mean",
        "count", "abs",  "for", "words",   "agents", "organizations", "ceil_div"};
    const size_t length = name_length(r);
    if (length == 0)
        return complain_expected(r, what, "a name has letters, digits and \"_\", and begins with a letter");
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strlen(reserved[i]) == length && strncmp(reserved[i], r->at, length) == 0)
            return complain(r, r->at, "choose another name", "\"%s\" is a word of the language", reserved[i]);
    if (length > 60)
        return complain(r, r->at, "at most 60 letters", "the name is too long");
    *at = r->at;
    COR_TRY(keep(r, r->at, length, name));
    r->at += length;
    return COR_OK;
}

static enum cor_status expect_new(const struct reader *r, const char *at, bool is_taken, const char *name) {
    return is_taken ? complain(r, at, "give each a name of its own", "there is another \"%s\"", name)
                    : COR_OK;
}

static enum cor_status expect_room(const struct reader *r, uint32_t count) {
    return count < COR_CORRIDOR_ROWS_MAX
               ? COR_OK
               : complain(r, r->at, NULL, "there are more than %d of these", COR_CORRIDOR_ROWS_MAX);
}

/* ---- types */

static enum cor_status read_bound(struct reader *r, bool is_integer, double *bound) {
    char *end;
    skip_blanks(r);
    const char *digits = r->at + (*r->at == '-');
    if (!is_digit(*digits))
        return complain_expected(r, "a number", "a range is written LOW .. HIGH");
    /* "0 .. 5" and "0..5": the points are no fraction. */
    const char *stop = digits + strspn(digits, "0123456789");
    *bound = strtod(r->at, &end);
    if (strncmp(stop, "..", 2) == 0) {
        char number[64];
        snprintf(number, sizeof number, "%.*s", (int)(stop - r->at < 60 ? stop - r->at : 60), r->at);
        *bound = strtod(number, NULL);
        end = r->at + (stop - r->at);
    }
    if (!isfinite(*bound))
        return complain(r, r->at, NULL, "the number is too large");
    if (is_integer && (*bound != floor(*bound) || fabs(*bound) > 9e15))
        return complain(r, r->at, "bounds of integers are integers within 9e15",
                        "this is no bound of integers");
    r->at = end;
    return COR_OK;
}

static bool has_word(const uint32_t *words, uint32_t count, uint32_t word) {
    for (uint32_t i = 0; i < count; i++)
        if (words[i] == word)
            return true;
    return false;
}

/* crane, 'two words', .. */
static enum cor_status read_words(struct reader *r, struct cor_quantity *quantity) {
    COR_FREED uint32_t *words = NULL;
    size_t capacity = 0, count = 0;
    do {
        size_t length = name_length(r);
        const char *at = r->at;
        uint32_t word;
        if (*at == '\'') {
            const char *close = strchr(at + 1, '\'');
            if (!close || close == at + 1)
                COR_TRY(complain_expected(r, "a word and \"'\"", NULL));
            length = (size_t)(close - at) - 1;
            r->at += length + 2;
            at++;
        } else {
            if (length == 0)
                COR_TRY(complain_expected(r, "a word", "words are written: words crane, truck, 'two words'"));
            r->at += length;
        }
        COR_TRY(cor_words_intern_part(&r->corridor->words, at, length, &word, r->error));
        if (has_word(words, (uint32_t)count, word))
            COR_TRY(complain(r, at, "name each once", "\"%.60s\" is named twice",
                             cor_words_text(&r->corridor->words, word)));
        COR_TRY(COR_RESERVE(&words, &capacity, count + 1, r->error));
        words[count++] = word;
    } while (take_text(r, ","));
    COR_TRY(COR_RESERVE(&r->read->words, &r->read->word_capacity, r->read->word_count + 1, r->error));
    r->read->words[r->read->word_count++] = words;
    quantity->domain.words = cor_taken(&words);
    quantity->domain.word_count = (uint32_t)count;
    return COR_OK;
}

/* The type behind the colon; where it may be one of what is observed alone, "agents" is offered, too. */
static enum cor_status read_type(struct reader *r, bool may_be_set, struct cor_quantity *quantity) {
    static const char *const types[] = {"real", "integer", "words", "boolean", NULL};
    static const char *const types_observed[] = {"real", "integer", "words", "boolean", "agents", NULL};
    const bool can_be_set = may_be_set && (!r->has_kind || r->corridor->kind == COR_STRUCTURE_OBSERVED);
    const size_t length = name_length(r);
    char word[64], remedy[256];
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), r->at);
    if (take_word(r, "real") || take_word(r, "integer")) {
        quantity->domain =
            (struct cor_domain){.type = *word == 'r' ? COR_VALUE_TYPE_REAL : COR_VALUE_TYPE_INTEGER,
                                .name = *word == 'r' ? "real" : "integer"};
        const bool is_integer = quantity->domain.type == COR_VALUE_TYPE_INTEGER;
        skip_blanks(r);
        if (*r->at && *r->at != '[') {
            const char *at = r->at;
            COR_TRY(read_bound(r, is_integer, &quantity->low));
            if (!take_text(r, ".."))
                return complain_expected(r, "\"..\"", "a range is written LOW .. HIGH");
            COR_TRY(read_bound(r, is_integer, &quantity->high));
            if (quantity->low > quantity->high)
                return complain(r, at, "write the lower bound first", "the range is empty");
        }
        if (take_text(r, "[")) {
            const char *close = strchr(r->at, ']');
            if (!close || close == r->at)
                return complain_expected(r, "a unit and \"]\"", "a unit is written [kW]");
            COR_TRY(keep(r, r->at, (size_t)(close - r->at), &quantity->unit));
            r->at += close - r->at + 1;
        }
        return COR_OK;
    }
    if (take_word(r, "boolean")) {
        quantity->domain = (struct cor_domain){.type = COR_VALUE_TYPE_BOOLEAN, .name = "boolean"};
        return COR_OK;
    }
    if (take_word(r, "words")) {
        quantity->domain = (struct cor_domain){.type = COR_VALUE_TYPE_ENUMERATION, .name = "words"};
        return read_words(r, quantity);
    }
    cor_known_names(word, can_be_set ? types_observed : types, remedy, sizeof remedy);
    return complain_expected(r, "a type", remedy);
}

/* ---- statements */

static enum cor_status read_structure(struct reader *r) {
    const size_t length = name_length(r);
    char word[64], remedy[256];
    uint32_t kind = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), r->at);
    while (kind < COR_STRUCTURE_KINDS && strcmp(cor_structure_words[kind], word) != 0)
        kind++;
    if (kind == COR_STRUCTURE_KINDS) {
        cor_known_names(word, cor_structure_words, remedy, sizeof remedy);
        return complain_expected(r, "a kind of structure", remedy);
    }
    if (r->has_kind)
        return complain(r, r->at, "keep one of the statements", "the structure is given twice");
    r->corridor->kind = (enum cor_structure_kind)kind;
    r->corridor->kind_at = r->at;
    r->has_kind = true;
    r->at += length;
    return expect_end(r);
}

static struct cor_quantity unbounded(void) {
    return (struct cor_quantity){.low = -INFINITY, .high = INFINITY};
}

static enum cor_status add_attribute(const struct reader *r, const struct cor_quantity *quantity) {
    struct cor_corridor *corridor = r->corridor;
    COR_TRY(COR_RESERVE(&corridor->attributes, &r->read->attribute_capacity, corridor->attribute_count + 1,
                        r->error));
    corridor->attributes[corridor->attribute_count++] = *quantity;
    return COR_OK;
}

/* attribute NAME of organizations: TYPE, up to "organizations". */
static enum cor_status read_organization_attribute(struct reader *r, struct cor_quantity *made) {
    static const char *const taken[] = {"members", "children", "parent", "level", "is_root"};
    struct cor_corridor *corridor = r->corridor;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(made->name, taken[i]) == 0)
            return complain(r, made->at, "choose another name",
                            "organizations have something called \"%s\" already", made->name);
    if (!take_text(r, ":"))
        return complain_expected(r, "\":\" and a type",
                                 "for example: attribute demand of organizations: real 0 .. 500");
    COR_TRY(read_type(r, false, made));
    COR_TRY(expect_end(r));
    for (uint32_t i = 0; i < corridor->organization_attribute_count; i++)
        COR_TRY(expect_new(r, made->at, strcmp(corridor->organization_attributes[i].name, made->name) == 0,
                           made->name));
    COR_TRY(expect_room(r, corridor->organization_attribute_count));
    COR_TRY(COR_RESERVE(&corridor->organization_attributes, &r->read->organization_capacity,
                        corridor->organization_attribute_count + 1, r->error));
    corridor->organization_attributes[corridor->organization_attribute_count++] = *made;
    return COR_OK;
}

static enum cor_status read_attribute(struct reader *r) {
    struct cor_corridor *corridor = r->corridor;
    struct cor_quantity made = unbounded();
    const char *at;
    COR_TRY(read_name(r, "the name of an attribute", &made.name, &at));
    made.at = at;
    if (take_word(r, "of"))
        return take_word(r, "organizations")
                   ? read_organization_attribute(r, &made)
                   : complain_expected(r, "\"organizations\"",
                                       "attributes are of agents, or \"of organizations\"");
    if (strcmp(made.name, "organizations") == 0 || strcmp(made.name, "channels") == 0)
        return complain(r, at, "choose another name", "agents have something called \"%s\" already",
                        made.name);
    if (!take_text(r, ":"))
        return complain_expected(r, "\":\" and a type", "for example: attribute capacity: real 0 .. 500");
    if (take_word(r, "agents")) {
        made.is_set = true;
        made.domain.name = "agents";
        made.set = corridor->set_count++;
        r->set_at = r->set_at ? r->set_at : at;
    } else {
        COR_TRY(read_type(r, true, &made));
    }
    COR_TRY(expect_end(r));
    for (uint32_t i = 0; i < corridor->attribute_count; i++) {
        if (strcmp(corridor->attributes[i].name, made.name) != 0)
            continue;
        /* One that all agents have may be said more of, once. */
        COR_TRY(expect_new(r, at, i >= BUILT_IN || r->is_said[i], made.name));
        r->is_said[i] = true;
        corridor->attributes[i] = made;
        return COR_OK;
    }
    COR_TRY(expect_room(r, corridor->attribute_count));
    return add_attribute(r, &made);
}

/* Whether a parameter or a definition is called so. */
static bool is_named(const struct reader *r, const char *name) {
    for (uint32_t i = 0; i < r->corridor->parameter_count; i++)
        if (strcmp(r->corridor->parameters[i].name, name) == 0)
            return true;
    for (uint32_t i = 0; i < r->read->definition_count; i++)
        if (strcmp(r->read->definitions[i].name, name) == 0)
            return true;
    return false;
}

static enum cor_status read_parameters(struct reader *r) {
    struct cor_corridor *corridor = r->corridor;
    const uint32_t first = corridor->parameter_count;
    struct cor_quantity type = unbounded();
    type.domain = (struct cor_domain){.type = COR_VALUE_TYPE_REAL, .name = "real"};
    do {
        const char *name, *at;
        COR_TRY(read_name(r, "the name of a parameter", &name, &at));
        COR_TRY(expect_new(r, at, is_named(r, name), name));
        COR_TRY(expect_room(r, corridor->parameter_count));
        COR_TRY(COR_RESERVE(&corridor->parameters, &r->read->parameter_capacity,
                            corridor->parameter_count + 1, r->error));
        type.at = at;
        corridor->parameters[corridor->parameter_count] = type;
        corridor->parameters[corridor->parameter_count++].name = name;
    } while (take_text(r, ","));
    if (take_text(r, ":")) {
        COR_TRY(read_type(r, false, &type));
        for (uint32_t i = first; i < corridor->parameter_count; i++) {
            type.name = corridor->parameters[i].name;
            type.at = corridor->parameters[i].at;
            corridor->parameters[i] = type;
        }
    }
    return expect_end(r);
}

static enum cor_status read_definition(struct reader *r) {
    struct corridor__read *read = r->read;
    const char *at;
    COR_TRY(expect_room(r, read->definition_count));
    COR_TRY(
        COR_RESERVE(&read->definitions, &read->definition_capacity, read->definition_count + 1, r->error));
    struct cor_definition *made = &read->definitions[read->definition_count];
    *made = (struct cor_definition){0};
    COR_TRY(read_name(r, "the name of a definition", &made->name, &at));
    COR_TRY(expect_new(r, at, is_named(r, made->name), made->name));
    COR_TRY(COR_RESERVE(&read->definition_parameters, &read->definition_parameter_capacity,
                        read->definition_count + 1, r->error));
    const char **parameters = read->definition_parameters[read->definition_count++];
    if (take_text(r, "(")) {
        do {
            const char *name;
            if (made->parameter_count == PARAMETERS_OF_DEFINITION_MAX)
                return complain(r, r->at, NULL, "a definition has at most %d parameters",
                                PARAMETERS_OF_DEFINITION_MAX);
            COR_TRY(read_name(r, "the name of a parameter", &name, &at));
            bool is_taken = is_named(r, name);
            for (uint32_t p = 0; p < made->parameter_count; p++)
                is_taken |= strcmp(parameters[p], name) == 0;
            COR_TRY(expect_new(r, at, is_taken, name));
            parameters[made->parameter_count++] = name;
        } while (take_text(r, ","));
        if (!take_text(r, ")"))
            return complain_expected(r, "\")\"", NULL);
    }
    if (!take_text(r, ":"))
        return complain_expected(r, "\":\" and an expression", NULL);
    skip_blanks(r);
    if (!*r->at)
        return complain_expected(r, "an expression", NULL);
    made->text = r->at;
    return COR_OK;
}

/* ---- the scope */

static const struct cor_relation of_agents[] = {{"organizations", COR_ORGANIZATION}};
static const struct cor_relation of_organizations[] = {{"members", COR_AGENT},
                                                       {"children", COR_ORGANIZATION}};
static const struct cor_relation of_nodes[] = {{"parent", COR_ORGANIZATION}};
static const struct cor_domain levels = {.type = COR_VALUE_TYPE_INTEGER, .name = "integer"};
static const struct cor_domain numbers = {.type = COR_VALUE_TYPE_REAL, .name = "real"};
static const struct cor_domain truths = {.type = COR_VALUE_TYPE_BOOLEAN, .name = "boolean"};
static const struct cor_attribute of_places[] = {
    [COR_LEVEL] = {"level", &levels, NULL}, [COR_IS_ROOT] = {"is_root", &truths, NULL}};
static const struct cor_attribute nowhere[] = {
    [COR_LEVEL] = {"", &levels, NULL}, [COR_IS_ROOT] = {"", &truths, NULL}};

static struct cor_attribute attribute_made(const struct cor_quantity *quantity) {
    return (struct cor_attribute){quantity->name, &quantity->domain, quantity->unit};
}

/* Whether it is up is known of each agent that is observed, by whoever observes it. A text that declares an
 * attribute of that name means its own. */
static enum cor_status add_up(const struct reader *r) {
    struct cor_corridor *corridor = r->corridor;
    struct cor_quantity up = {.name = "up", .domain = truths, .low = -INFINITY, .high = INFINITY};
    for (uint32_t a = 0; a < corridor->attribute_count; a++)
        if (strcmp(corridor->attributes[a].name, up.name) == 0)
            return COR_OK;
    corridor->up = corridor->attribute_count;
    return add_attribute(r, &up);
}

/* What there is to ask about. */
static enum cor_status make_scope(struct reader *r) {
    struct cor_corridor *corridor = r->corridor;
    struct corridor__read *read = r->read;
    const uint32_t nests = cor_structure_nests(corridor->kind);
    const bool is_observed = corridor->kind == COR_STRUCTURE_OBSERVED;
    for (uint32_t i = 0; i < read->definition_count; i++)
        read->definitions[i].parameters = read->definition_parameters[i];
    read->symbols = cor_calloc(corridor->parameter_count, sizeof *read->symbols);
    read->units = cor_calloc(corridor->parameter_count, sizeof *read->units);
    read->agent_attributes = cor_calloc(corridor->attribute_count, sizeof *read->agent_attributes);
    read->organization_attributes =
        cor_calloc((size_t)COR_ORGANIZATION_DECLARED + corridor->organization_attribute_count,
                   sizeof *read->organization_attributes);
    read->agent_sets = cor_calloc(corridor->set_count, sizeof *read->agent_sets);
    if (!read->symbols || !read->units || !read->agent_attributes || !read->organization_attributes ||
        !read->agent_sets)
        return cor_fail_memory(r->error);
    for (uint32_t i = 0; i < corridor->parameter_count; i++) {
        const struct cor_quantity *parameter = &corridor->parameters[i];
        read->symbols[i] = (struct cor_symbol){parameter->name, &parameter->domain};
        read->units[i] = parameter->unit;
    }
    for (uint32_t i = 0; i < corridor->attribute_count; i++) {
        const struct cor_quantity *attribute = &corridor->attributes[i];
        read->agent_attributes[i] = attribute_made(attribute);
        if (attribute->is_set)
            read->agent_sets[attribute->set] = (struct cor_relation){attribute->name, COR_AGENT};
        if (attribute->is_set || (is_observed && !attribute->at && i != corridor->up))
            read->agent_attributes[i] = (struct cor_attribute){"", &truths, NULL};
    }
    memcpy(read->organization_attributes, nests ? of_places : nowhere, sizeof of_places);
    for (uint32_t i = 0; i < corridor->organization_attribute_count; i++)
        read->organization_attributes[COR_ORGANIZATION_DECLARED + i] =
            attribute_made(&corridor->organization_attributes[i]);
    read->types[COR_AGENT] = (struct cor_element_type){
        "agent", "agents", read->agent_attributes, corridor->attribute_count, of_agents, NULL, 1, 0};
    if (is_observed) {
        read->types[COR_AGENT].collections = read->agent_sets;
        read->types[COR_AGENT].collection_count = corridor->set_count;
    }
    read->types[COR_ORGANIZATION] =
        (struct cor_element_type){"organization",
                                  "organizations",
                                  read->organization_attributes,
                                  COR_ORGANIZATION_DECLARED + corridor->organization_attribute_count,
                                  of_organizations,
                                  of_nodes,
                                  1 + nests,
                                  nests};
    read->shape = (struct cor_shape){read->types, is_observed ? 1 : 2, read->definitions,
                                     read->definition_count, read->units};
    corridor->scope = (struct cor_scope){.symbols = read->symbols,
                                         .symbol_count = corridor->parameter_count,
                                         .words = &corridor->words,
                                         .shape = &read->shape,
                                         .source = read->source};
    return COR_OK;
}

static struct cor_constraint *find_constraint(const struct cor_corridor *corridor, const char *name) {
    for (uint32_t i = 0; i < corridor->constraint_count; i++)
        if (strcmp(corridor->constraints[i].name, name) == 0)
            return &corridor->constraints[i];
    return NULL;
}

/* Whether the text has the word. */
static bool says_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        const bool begins = at == text || !(is_letter(at[-1]) || is_digit(at[-1]) || at[-1] == '.');
        if (begins && !is_letter(at[length]) && !is_digit(at[length]))
            return true;
    }
    return false;
}

/* A condition, or a number, is of one state: what is wrong with one that speaks of time is said first. */
static enum cor_status read_condition(const struct reader *r, enum cor_constraint_kind kind,
                                      struct cor_expression *condition) {
    static const char *const words[] = {"always",       "eventually", "until",    "next", "once",
                                        "historically", "since",      "previous", NULL};
    struct cor_error said = COR_NO_ERROR;
    const bool is_number = kind == COR_CONSTRAINT_OBJECTIVE;
    const enum cor_status status = cor_expression_parse_value(
        r->at, &r->corridor->scope, is_number ? &numbers : &truths, r->name, condition, &said);
    for (size_t w = 0; status == COR_STATUS_INPUT && words[w]; w++)
        if (says_word(r->at, words[w]))
            return complain(r, r->at,
                            is_number ? "what is to be small is a number of one state, such as a sum over "
                                        "organizations"
                                      : "write temporal NAME: FORMULA",
                            "%s is of one state, and \"%s\" speaks of time",
                            is_number ? "an objective" : "a condition", words[w]);
    if (status == COR_STATUS_INPUT && r->corridor->channel_count > 0 && says_word(r->at, "agree"))
        return complain(r, r->at, "write invariant NAME: agree(CHANNEL)", "agree(CHANNEL) stands by itself");
    if (status == COR_STATUS_INPUT && r->corridor->channel_count > 0 &&
        (says_word(r->at, "linearizable") || says_word(r->at, "sequential")))
        return complain(r, r->at, "write invariant NAME: linearizable(HISTORY)",
                        "what is asked of a history stands by itself");
    if (status != COR_OK && r->error)
        *r->error = said;
    struct cor_span span;
    char part[200];
    if (status == COR_OK && cor_expression_constant_edge(condition, &span)) {
        cor_span_text(&span, part, sizeof part);
        cor_expression_fini(condition); /* nobody else will: it is of no constraint yet */
        return complain(r, span.at, "write the number that is meant, not how it is reckoned",
                        "\"%s\" compares constants that are within 1e-9 of each other: rounding decides",
                        part);
    }
    return status;
}

static const char *const question_words[] = {"agree", "linearizable", "sequential"};

/* agree(CHANNEL), linearizable(HISTORY) or sequential(HISTORY), the word having been taken; it is the whole
 * of an invariant. */
static enum cor_status read_question(struct reader *r, enum cor_channel_question asks, uint32_t *channel) {
    const struct cor_corridor *corridor = r->corridor;
    const char *names[COR_CORRIDOR_ROWS_MAX + 1], *const what = asks == COR_AGREE ? "channel" : "history";
    char remedy[1024], expected[64], word[64], written[64];
    uint32_t count = 0;
    snprintf(written, sizeof written, "it is written %s(%s)", question_words[asks],
             asks == COR_AGREE ? "CHANNEL" : "HISTORY");
    snprintf(expected, sizeof expected, "the name of a %s", what);
    snprintf(remedy, sizeof remedy,
             asks == COR_AGREE ? "write channel NAME above" : "write history NAME: OBJECT above");
    if (!take_text(r, "("))
        return complain_expected(r, "\"(\"", written);
    const size_t length = name_length(r);
    const char *at = r->at;
    if (length == 0)
        return complain_expected(r, expected, written);
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), at);
    for (*channel = 0; *channel < corridor->channel_count; ++*channel) {
        if (corridor->channels[*channel].is_history != (asks != COR_AGREE))
            continue;
        names[count++] = corridor->channels[*channel].name;
        if (take_word(r, names[count - 1]))
            break;
    }
    if (*channel == corridor->channel_count) {
        names[count] = NULL;
        if (count > 0)
            cor_known_names(word, names, remedy, sizeof remedy);
        return complain(r, at, remedy, "there is no %s \"%s\"", what, word);
    }
    if (!take_text(r, ")"))
        return complain_expected(r, "\")\"", written);
    skip_blanks(r);
    return *r->at ? complain(r, r->at, "write two invariants", "%s(%s) stands by itself",
                             question_words[asks], asks == COR_AGREE ? "CHANNEL" : "HISTORY")
                  : COR_OK;
}

/* channel NAME, or history NAME: OBJECT [by key] */
static enum cor_status read_channel(struct reader *r, bool is_history) {
    struct cor_corridor *corridor = r->corridor;
    struct cor_channel made = {.is_history = is_history};
    COR_TRY(
        read_name(r, is_history ? "the name of a history" : "the name of a channel", &made.name, &made.at));
    if (is_history) {
        enum cor_object object;
        char word[64], place[600];
        size_t line, column;
        if (!take_text(r, ":"))
            return complain_expected(r, "\":\"", "it is written history NAME: OBJECT");
        skip_blanks(r);
        const char *at = r->at;
        size_t length = strlen(at);
        while (length > 0 && strchr(" \t\r\n", at[length - 1]))
            length--;
        snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), at);
        cor_corridor_place(corridor, at, &line, &column);
        snprintf(place, sizeof place, "%.500s:%zu:%zu", corridor->name, line, column);
        COR_TRY(cor_history_object(word, place, &object, &made.is_keyed, r->error));
        made.object = object;
        r->at += strlen(at);
    }
    COR_TRY(expect_end(r));
    for (uint32_t i = 0; i < corridor->channel_count; i++)
        COR_TRY(expect_new(r, made.at, strcmp(corridor->channels[i].name, made.name) == 0, made.name));
    COR_TRY(expect_room(r, corridor->channel_count));
    COR_TRY(
        COR_RESERVE(&corridor->channels, &r->read->channel_capacity, corridor->channel_count + 1, r->error));
    corridor->channels[corridor->channel_count++] = made;
    return COR_OK;
}

/* The constraint above of that name, which stands at `at`, and is none of time. */
static enum cor_status find_above(struct reader *r, const char *name, const char *at, const char *why_not,
                                  struct cor_constraint **constraint) {
    const char *names[COR_CORRIDOR_ROWS_MAX + 1];
    char remedy[1024] = "";
    uint32_t count = 0;
    *constraint = find_constraint(r->corridor, name);
    for (uint32_t i = 0; i < r->corridor->constraint_count; i++)
        names[count++] = r->corridor->constraints[i].name;
    names[count] = NULL;
    if (!*constraint && count > 0)
        cor_known_names(name, names, remedy, sizeof remedy);
    if (!*constraint)
        return complain(r, at, remedy, "there is no constraint \"%s\" above", name);
    return (*constraint)->kind == COR_CONSTRAINT_TEMPORAL
               ? complain(r, at, "name an invariant", "\"%s\" is a formula of time; %s", name, why_not)
               : COR_OK;
}

/* What puts an invariant to the test. */
static enum cor_status read_tested(struct reader *r) {
    const struct cor_corridor *corridor = r->corridor;
    const char *names[COR_CORRIDOR_ROWS_MAX + 1] = {0}, *name, *at;
    struct cor_constraint *constraint;
    char remedy[1024] = "", word[64];
    uint32_t a = 0, count = 0;
    if (corridor->kind != COR_STRUCTURE_OBSERVED)
        return complain(r, r->at, "leave it out", "a structure is judged whenever there is one");
    COR_TRY(read_name(r, "the name of an invariant", &name, &at));
    COR_TRY(find_above(r, name, at, "each case puts it to the test", &constraint));
    if (constraint->tested.node_count > 0 || constraint->tested_by != COR_NONE)
        return complain(r, at, "join both by \"or\"", "what puts \"%s\" to the test is said above", name);
    if (take_text(r, ":")) {
        skip_blanks(r);
        return *r->at ? read_condition(r, COR_CONSTRAINT_INVARIANT, &constraint->tested)
                      : complain_expected(r, "a condition", NULL);
    }
    if (!take_word(r, "by"))
        return complain_expected(r, "\":\" or \"by\"", "it is written tested NAME: CONDITION");
    const size_t length = name_length(r);
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), r->at);
    for (a = 0; a < corridor->attribute_count; a++)
        if (corridor->attributes[a].at)
            names[count++] = corridor->attributes[a].name;
    for (a = 0; a < corridor->attribute_count; a++)
        if (corridor->attributes[a].at && strcmp(corridor->attributes[a].name, word) == 0) {
            constraint->tested_by = a;
            r->at += length;
            return expect_end(r);
        }
    if (count > 0)
        cor_known_names(word, names, remedy, sizeof remedy);
    return complain(r, r->at, remedy, "there is no attribute \"%s\"", word);
}

static enum cor_status read_constraint(struct reader *r, enum cor_constraint_kind kind) {
    struct cor_corridor *corridor = r->corridor;
    struct cor_constraint made = {.kind = kind,
                                  .is_invariant = kind == COR_CONSTRAINT_INVARIANT,
                                  .cases = kind == COR_CONSTRAINT_TRIGGER,
                                  .channel = COR_NONE,
                                  .tested_by = COR_NONE};
    const bool is_observed = corridor->kind == COR_STRUCTURE_OBSERVED;
    const char *at;
    if (is_observed && kind == COR_CONSTRAINT_TRIGGER)
        return complain(r, r->at, "write invariant",
                        "a trigger is what a system watches, and nobody acts on what is observed");
    COR_TRY(read_name(r, "the name of a constraint", &made.name, &at));
    if (kind == COR_CONSTRAINT_TRIGGER && take_word(r, "for")) {
        /* trigger NAME for N, the name having been read. */
        const char *name = made.name;
        struct cor_constraint *constraint;
        COR_TRY(find_above(r, name, at, "a trigger can only use the present state", &constraint));
        skip_blanks(r);
        const size_t digits = strspn(r->at, "0123456789");
        const unsigned long cases = digits > 0 && digits < 8 ? strtoul(r->at, NULL, 10) : 0;
        if (cases < 1 || cases > 1000000)
            return complain_expected(r, "a number of cases from 1 to 1000000", NULL);
        r->at += digits;
        skip_blanks(r);
        const char *each = r->at;
        const bool is_each = take_word(r, "each");
        bool *waits = &r->waits[constraint - r->corridor->constraints];
        if (*waits)
            return complain(
                r, at,
                is_each == constraint->is_each
                    ? "keep one of the two: the shorter time has the alarm first"
                    : "keep one of the two, or write the condition a second time, by another name",
                "there is \"trigger %s for %u%s\" above", name, constraint->cases,
                constraint->is_each ? " each" : "");
        if (is_each && !cor_expression_is_of_each(&constraint->condition, COR_ORGANIZATION))
            return complain(r, each,
                            "write it as all(o in organizations: ..), or leave \"each\" out: then it counts "
                            "for the system as a whole",
                            "\"each\" counts for each organization by itself, and \"%s\" is not about each "
                            "of them",
                            name);
        constraint->is_each = is_each;
        constraint->kind = COR_CONSTRAINT_TRIGGER;
        constraint->cases = (uint32_t)cases;
        *waits = true;
        return expect_end(r);
    }
    if (!take_text(r, ":"))
        return complain_expected(r, kind == COR_CONSTRAINT_TRIGGER ? "\":\" or \"for\"" : "\":\"",
                                 "a constraint is written NAME: CONDITION");
    COR_TRY(expect_new(r, at, find_constraint(corridor, made.name) != NULL, made.name));
    if (kind != COR_CONSTRAINT_TEMPORAL && strcmp(made.name, COR_CORRIDOR_RETURNS) == 0)
        return complain(r, at, "choose another name, or write temporal " COR_CORRIDOR_RETURNS ": FORMULA",
                        "\"%s\" is what the rule of time about alarms is called, and this is of one state",
                        made.name);
    COR_TRY(expect_room(r, corridor->constraint_count));
    COR_TRY(COR_RESERVE(&corridor->constraints, &r->read->constraint_capacity, corridor->constraint_count + 1,
                        r->error));
    skip_blanks(r);
    if (!*r->at)
        return complain_expected(r, kind == COR_CONSTRAINT_TEMPORAL ? "a formula" : "a condition", NULL);
    made.text = r->at;
    if (is_observed && kind != COR_CONSTRAINT_TEMPORAL)
        for (int q = COR_AGREE; q <= COR_SEQUENTIAL && made.channel == COR_NONE; q++)
            if (take_word(r, question_words[q])) {
                made.asks = (enum cor_channel_question)q;
                COR_TRY(read_question(r, made.asks, &made.channel));
            }
    if (made.channel == COR_NONE && kind != COR_CONSTRAINT_TEMPORAL)
        COR_TRY(read_condition(r, kind, &made.condition));
    corridor->constraints[corridor->constraint_count++] = made;
    return COR_OK;
}

static enum cor_status read_objective(struct reader *r) {
    struct cor_constraint made = {.kind = COR_CONSTRAINT_OBJECTIVE, .channel = COR_NONE};
    struct cor_constraint *objective = &r->corridor->objective;
    const char *at;
    if (r->corridor->kind == COR_STRUCTURE_OBSERVED)
        return complain(r, r->at, "leave it out", "nobody makes small what is only observed");
    COR_TRY(read_name(r, "the name of an objective", &made.name, &at));
    if (objective->name)
        return complain(r, at, "make one of the two, such as a sum with weights",
                        "there is an objective above, \"%s\"", objective->name);
    if (!take_text(r, ":"))
        return complain_expected(r, "\":\"", "an objective is written NAME: EXPRESSION");
    skip_blanks(r);
    if (!*r->at)
        return complain_expected(r, "an expression", NULL);
    made.text = r->at;
    COR_TRY(read_condition(r, made.kind, &made.condition));
    *objective = made;
    return COR_OK;
}

/* A statement; a constraint only once there is a scope, else it is put off. */
static enum cor_status read_statement(struct reader *r) {
    static const char *const words[] = {"structure", "attribute", "parameter", "define",
                                        "channel",   "history",   "invariant", "trigger",
                                        "temporal",  "objective", "tested",    NULL};
    const size_t first = 6; /* of those that are read last */
    char word[64], remedy[256];
    const size_t length = name_length(r);
    size_t w = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), r->at);
    while (words[w] && strcmp(words[w], word) != 0)
        w++;
    if (!words[w] && (*r->at == '{' || *r->at == '[')) {
        /* A file in JSON in the place of the text is called by its name. */
        enum cor_kind kind;
        if (cor_kind_of_text(r->at, &kind))
            return complain(r, r->at, cor_kind_reader(kind), "is %s, not a corridor as a text",
                            cor_kind_what(kind));
        return complain(r, r->at, "name the text: it begins with structure, and states come behind it",
                        "is JSON, not a corridor as a text");
    }
    if (!words[w]) {
        cor_known_names(word, words, remedy, sizeof remedy);
        return complain_expected(r, "a statement", remedy);
    }
    r->at += length;
    switch (w) {
    case 0:
        return read_structure(r);
    case 1:
        return read_attribute(r);
    case 2:
        return read_parameters(r);
    case 3:
        return read_definition(r);
    case 4:
    case 5:
        return read_channel(r, w == 5);
    default:
        if (r->corridor->scope.shape)
            return w > first + COR_CONSTRAINT_OBJECTIVE ? read_tested(r)
                   : w == first + COR_CONSTRAINT_OBJECTIVE
                       ? read_objective(r)
                       : read_constraint(r, (enum cor_constraint_kind)(w - first));
        COR_TRY(COR_RESERVE(&r->constraints, &r->constraint_capacity, r->constraint_count + 1, r->error));
        r->constraints[r->constraint_count++] = r->at - length;
        return COR_OK;
    }
}

/* ---- the whole */

/* The end of the statement: the line behind which the next begins in its first column. */
static char *end_of_statement(char *at) {
    for (;;) {
        char *end = strchr(at, '\n');
        if (!end)
            return at + strlen(at);
        if (!strchr(" \t\r\n", end[1]) || !end[1])
            return end;
        at = end + 1;
    }
}

static enum cor_status read_all(struct reader *r) {
    char *at = r->read->source;
    /* Comments become blanks; a quote within a line keeps "--" from being one. */
    bool is_quoted = false;
    for (char *j = at; *j; j++) {
        if (*j == '\n')
            is_quoted = false;
        else if (*j == '\'')
            is_quoted = !is_quoted;
        else if (!is_quoted && j[0] == '-' && j[1] == '-')
            memset(j, ' ', strcspn(j, "\n"));
    }
    for (;;) {
        char *line = at;
        at += strspn(at, " \t\r\n");
        if (!*at)
            break;
        r->at = at;
        for (char *c = line; c < at; c++)
            if (*c == '\n')
                line = c + 1;
        if (line != at)
            return complain(r, at, "begin it in the first column",
                            "there is no statement above that goes on here");
        char *end = end_of_statement(at);
        const bool is_last = !*end;
        *end = '\0';
        COR_TRY(read_statement(r));
        at = is_last ? end : end + 1;
    }
    r->at = r->read->source;
    if (!r->has_kind)
        return complain(r, r->at, "write, for example, structure partitioning",
                        "nothing says which kind of structure the agents have");
    /* What only some kinds have, once it is known which kind it is. */
    const struct cor_corridor *corridor = r->corridor;
    const bool is_observed = corridor->kind == COR_STRUCTURE_OBSERVED;
    if (!is_observed && r->set_at)
        return complain(r, r->set_at, "write structure observed, or give the attribute another type",
                        "only agents that are observed have sets of agents");
    if (!is_observed && corridor->channel_count > 0)
        return complain(r, corridor->channels[0].at, "write structure observed, or leave it out",
                        "only agents that are observed tell channels");
    if (is_observed && corridor->organization_attribute_count > 0)
        return complain(r, corridor->organization_attributes[0].at, "make it an attribute of agents",
                        "what is observed has no organizations");
    if (is_observed)
        COR_TRY(add_up(r));
    COR_TRY(make_scope(r));
    for (size_t i = 0; i < r->constraint_count; i++) {
        r->at = r->constraints[i];
        COR_TRY(read_statement(r));
    }
    return COR_OK;
}

enum cor_status cor_corridor_parse(const char *text, const char *name, struct cor_corridor **corridor,
                                   struct cor_error *error) {
    const size_t length = strlen(text);
    enum cor_status status = COR_OK;
    struct reader r = {.name = name, .error = error};
    *corridor = NULL;
    if (length > COR_CORRIDOR_BYTES_MAX)
        return cor_fail(error, COR_STATUS_INPUT, name, "the largest has 1048576 bytes",
                        "the corridor is too long: it has %zu bytes", length);
    COR_TRY(cor_made(r.corridor = cor_calloc(1, sizeof *r.corridor), error));
    cor_words_init(&r.corridor->words);
    r.corridor->up = COR_NONE;
    r.corridor->read = r.read = cor_calloc(1, sizeof *r.read);
    COR_TRY_OUT(cor_made(r.read, error));
    COR_TRY_OUT(cor_made(r.read->source = cor_strdup(text), error));
    COR_TRY_OUT(keep(&r, name, strlen(name), &r.corridor->name));
    static const char *const words[] = {"type", "state", "group"};
    struct cor_quantity quantity = unbounded();
    for (int i = 0; i < 3; i++) {
        quantity.name = words[i];
        quantity.domain = (struct cor_domain){.type = COR_VALUE_TYPE_STRING, .name = "word"};
        COR_TRY_OUT(add_attribute(&r, &quantity));
    }
    quantity.name = "value";
    quantity.domain = (struct cor_domain){.type = COR_VALUE_TYPE_REAL, .name = "real"};
    COR_TRY_OUT(add_attribute(&r, &quantity));
    COR_TRY_OUT(read_all(&r));
    *corridor = r.corridor;
out:
    free(r.constraints);
    if (status != COR_OK)
        cor_corridor_destroy(r.corridor);
    return status;
}

void cor_corridor_destroy(struct cor_corridor *corridor) {
    if (!corridor)
        return;
    struct corridor__read *read = corridor->read;
    for (uint32_t i = 0; i < corridor->constraint_count; i++) {
        cor_expression_fini(&corridor->constraints[i].condition);
        cor_expression_fini(&corridor->constraints[i].tested);
    }
    cor_expression_fini(&corridor->objective.condition);
    if (read) {
        for (size_t i = 0; i < read->text_count; i++)
            free(read->texts[i]);
        for (size_t i = 0; i < read->word_count; i++)
            free(read->words[i]);
        COR_FREE(read->source, read->texts, read->words, read->definitions, read->definition_parameters,
                 read->symbols, read->units, read->agent_attributes, read->organization_attributes,
                 read->agent_sets, read);
    }
    COR_FREE(corridor->attributes, corridor->organization_attributes, corridor->parameters,
             corridor->channels, corridor->constraints);
    cor_words_fini(&corridor->words);
    free(corridor);
}
