/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models as ACTS (NIST) keeps them in XML: elements, attributes and the five entities, nothing more of XML.
 */
#include "reader.h"

#include <corridor/array.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAG_MAX 63

/* "<Name attribute="..">", "</Name>" or "<Name/>". */
struct tag {
    const char *at;
    char name[TAG_MAX + 1];
    const char *attributes, *end; /* between name and ">" or "/>" */
    bool closes, is_empty;
};

/* A text with its entities put in place, and where each byte came from. */
struct decoded {
    char *text;      /* owned */
    size_t *origins; /* owned; into the file, the end's last */
};

static void decoded_fini(struct decoded *decoded) {
    free(decoded->text);
    free(decoded->origins);
    *decoded = (struct decoded){0};
}

static enum cor_status decode(const struct combine__reader *reader, const char *from, const char *to,
                              struct decoded *decoded) {
    static const char *const entities[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&apos;", "'"}};
    size_t length = 0;
    decoded->text = cor_calloc((size_t)(to - from) + 1, 1);
    decoded->origins = cor_calloc((size_t)(to - from) + 1, sizeof *decoded->origins);
    if (!decoded->text || !decoded->origins)
        return cor_fail_memory(reader->error);
    while (from < to) {
        size_t used = 1, i = 0;
        decoded->origins[length] = (size_t)(from - reader->start);
        decoded->text[length] = *from;
        if (*from == '&') {
            while (i < 5 && strncmp(from, entities[i][0], strlen(entities[i][0])) != 0)
                i++;
            if (i == 5)
                return combine__fail_at(reader, from, "write &lt; &gt; &amp; &quot; or &apos;",
                                        "an entity that is not read");
            decoded->text[length] = *entities[i][1];
            used = strlen(entities[i][0]);
        }
        length++;
        from += used;
    }
    decoded->origins[length] = (size_t)(to - reader->start);
    return COR_OK;
}

/* A reader of what was decoded, whose places are those of the file: a pointer into it is none into the file's
 * text. */
static struct combine__reader reader_within(const struct combine__reader *reader,
                                            const struct decoded *decoded) {
    struct combine__reader inner = *reader;
    inner.start = inner.at = decoded->text;
    inner.file = reader->start;
    inner.origins = decoded->origins;
    return inner;
}

static enum cor_status copy_decoded(const struct combine__reader *reader, const struct decoded *decoded,
                                    char *text) {
    const struct combine__reader inner = reader_within(reader, decoded);
    return combine__copy_trimmed(&inner, inner.start, inner.start + strlen(inner.start), text);
}

/* The next tag; nothing else may stand before it. */
static enum cor_status next_tag(struct combine__reader *reader, struct tag *tag) {
    for (;;) {
        reader->at += strspn(reader->at, " \t\r\n");
        const char *end = strncmp(reader->at, "<!--", 4) == 0 ? strstr(reader->at, "-->")
                          : strncmp(reader->at, "<?", 2) == 0 ? strstr(reader->at, "?>")
                                                              : NULL;
        if (!end)
            break;
        reader->at = strchr(end, '>') + 1;
    }
    if (*reader->at != '<')
        return combine__fail_expected(reader, "an element of XML");
    *tag = (struct tag){.at = reader->at};
    const char *at = reader->at + 1;
    tag->closes = *at == '/';
    at += tag->closes;
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    if (length == 0 || length > TAG_MAX)
        return combine__fail_at(reader, reader->at, "write elements and attributes alone",
                                "this part of XML is not read");
    memcpy(tag->name, at, length);
    tag->attributes = at + length;
    char quote = '\0';
    for (at = tag->attributes; *at && (quote || *at != '>'); at++)
        quote = quote == *at ? '\0' : !quote && (*at == '"' || *at == '\'') ? *at : quote;
    if (*at != '>')
        return combine__fail_at(reader, tag->at, "close it with \">\"", "a tag that is not closed");
    tag->end = at;
    tag->is_empty = at > tag->attributes && at[-1] == '/';
    if (tag->is_empty)
        tag->end--;
    reader->at = at + 1;
    return COR_OK;
}

/* The attribute's text, empty where there is none and it need not be. */
static enum cor_status read_attribute(const struct combine__reader *reader, const struct tag *tag,
                                      const char *name, bool needed, struct decoded *decoded) {
    const char *at = tag->attributes;
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (at >= tag->end)
            break;
        size_t length = strcspn(at, "= \t\r\n>");
        const char *value = at + length + strspn(at + length, "= \t\r\n"), *close;
        if ((*value != '"' && *value != '\'') || !(close = strchr(value + 1, *value)) ||
            close >= tag->end + 1)
            return combine__fail_at(reader, at, "write name=\"value\"",
                                    "an attribute without a value in quotes");
        if (strlen(name) == length && strncmp(at, name, length) == 0)
            return decode(reader, value + 1, close, decoded);
        at = close + 1;
    }
    if (needed)
        return combine__fail_at(reader, tag->at, NULL, "<%s> has no attribute \"%s\"", tag->name, name);
    return decode(reader, tag->end, tag->end, decoded);
}

typedef enum cor_status read_child(struct combine__reader *reader, const struct tag *tag, void *into);

/* The elements within one, each handed to `read`, which reads it to its end. */
static enum cor_status read_children(struct combine__reader *reader, const struct tag *parent,
                                     read_child *read, void *into) {
    if (parent->is_empty)
        return COR_OK;
    if (++reader->nesting > 20)
        return combine__fail_at(reader, parent->at, NULL, "elements are nested deeper than 20");
    for (;;) {
        struct tag tag;
        COR_TRY(next_tag(reader, &tag));
        if (tag.closes && strcmp(tag.name, parent->name) != 0)
            return combine__fail_at(reader, tag.at, NULL, "expected </%s>, found </%s>", parent->name,
                                    tag.name);
        if (tag.closes)
            break;
        COR_TRY(read(reader, &tag, into));
    }
    reader->nesting--;
    return COR_OK;
}

static enum cor_status unknown(const struct combine__reader *reader, const struct tag *tag,
                               const char *known) {
    return combine__fail_at(reader, tag->at, known, "an element <%s> is not read here", tag->name);
}

/* An element that says nothing to us, and what is in it. */
static enum cor_status skip(struct combine__reader *reader, const struct tag *tag, void *into) {
    if (!tag->is_empty)
        reader->at += strcspn(reader->at, "<");
    return read_children(reader, tag, skip, into);
}

/* The text of an element that has no others in it. */
static enum cor_status read_content(struct combine__reader *reader, const struct tag *tag,
                                    struct decoded *decoded) {
    const char *from = reader->at, *to = tag->is_empty ? from : from + strcspn(from, "<");
    struct tag close;
    COR_TRY(decode(reader, from, to, decoded));
    reader->at = to;
    if (tag->is_empty)
        return COR_OK;
    COR_TRY(next_tag(reader, &close));
    return close.closes && strcmp(close.name, tag->name) == 0
               ? COR_OK
               : combine__fail_at(reader, close.at, NULL, "expected </%s>, found <%s>", tag->name,
                                  close.name);
}

struct parameter {
    char name[COMBINE__TEXT_MAX + 1];
    enum cor_value_type type;
    struct combine__values values;
    bool invalid; /* those that are read now */
};

static enum cor_status read_value(struct combine__reader *reader, const struct tag *tag, void *into) {
    struct parameter *parameter = into;
    struct decoded decoded = {0};
    char text[COMBINE__TEXT_MAX + 1];
    if (strcmp(tag->name, "value") != 0 && strcmp(tag->name, "invalidValue") != 0)
        return unknown(reader, tag, "write <value>");
    enum cor_status status = read_content(reader, tag, &decoded);
    if (status == COR_OK)
        status = copy_decoded(reader, &decoded, text);
    if (status == COR_OK)
        status = combine__acts_value(reader, tag->at, parameter->name, &parameter->values, text,
                                     parameter->invalid, parameter->type);
    decoded_fini(&decoded);
    return status;
}

static enum cor_status read_of_parameter(struct combine__reader *reader, const struct tag *tag, void *into) {
    struct parameter *parameter = into;
    if (strcmp(tag->name, "basechoices") == 0) /* for one of ACTS's algorithms alone */
        return skip(reader, tag, into);
    parameter->invalid = strcmp(tag->name, "invalidValues") == 0;
    if (strcmp(tag->name, "values") != 0 && !parameter->invalid)
        return unknown(reader, tag, "write <values>, <basechoices> or <invalidValues>");
    return read_children(reader, tag, read_value, into);
}

/* The text of an attribute that is a name, without blanks around it. */
static enum cor_status read_name(struct combine__reader *reader, const struct tag *tag, const char *attribute,
                                 char *name) {
    struct decoded decoded = {0};
    enum cor_status status = read_attribute(reader, tag, attribute, true, &decoded);
    if (status == COR_OK)
        status = copy_decoded(reader, &decoded, name);
    decoded_fini(&decoded);
    return status;
}

static enum cor_status read_parameter(struct combine__reader *reader, const struct tag *tag, void *into) {
    static const enum cor_value_type types[] = {COR_VALUE_TYPE_INTEGER, COR_VALUE_TYPE_ENUMERATION,
                                                COR_VALUE_TYPE_BOOLEAN};
    struct parameter parameter = {0};
    char type[COMBINE__TEXT_MAX + 1];
    (void)into;
    if (strcmp(tag->name, "Parameter") != 0)
        return unknown(reader, tag, "write <Parameter>");
    COR_TRY(read_name(reader, tag, "name", parameter.name));
    COR_TRY(read_name(reader, tag, "type", type));
    if (strlen(type) != 1 || *type < '0' || *type > '2')
        return combine__fail_at(reader, tag->at, "types are 0 (int), 1 (enum) and 2 (boolean)",
                                "unknown type \"%s\"", type);
    parameter.type = types[*type - '0'];
    enum cor_status status = read_children(reader, tag, read_of_parameter, &parameter);
    if (status == COR_OK)
        status = combine__values_keep(reader, tag->at, parameter.name, &parameter.values, parameter.type);
    combine__values_fini(&parameter.values);
    return status;
}

struct members {
    uint32_t parameters[COR_COMBINE_PARAMETERS_MAX], count;
};

static enum cor_status read_member(struct combine__reader *reader, const struct tag *tag, void *into) {
    struct members *members = into;
    char name[COMBINE__TEXT_MAX + 1];
    if (strcmp(tag->name, "Parameter") != 0)
        return unknown(reader, tag, "write <Parameter>");
    COR_TRY(read_name(reader, tag, "name", name));
    if (members->count == COR_COMBINE_PARAMETERS_MAX)
        return combine__fail_at(reader, tag->at, NULL, "names more than %d parameters",
                                COR_COMBINE_PARAMETERS_MAX);
    COR_TRY(combine__find_parameter(reader, tag->at, name, &members->parameters[members->count++]));
    return skip(reader, tag, NULL); /* its values, once more */
}

static enum cor_status read_relation(struct combine__reader *reader, const struct tag *tag, void *into) {
    struct members members = {.count = 0};
    char text[COMBINE__TEXT_MAX + 1], place[512];
    int64_t strength = 0;
    (void)into;
    if (strcmp(tag->name, "Relation") != 0)
        return unknown(reader, tag, "write <Relation>");
    COR_TRY(read_name(reader, tag, "Strength", text));
    if (!combine__read_integer(text, &strength) || strength < 1)
        return combine__fail_at(reader, tag->at, "write a number from 1", "\"%s\" is no strength", text);
    COR_TRY(read_children(reader, tag, read_member, &members));
    if (members.count == 0)
        return combine__fail_at(reader, tag->at, NULL, "a relation without parameters");
    combine__place_of(reader, tag->at, place, sizeof place);
    return cor_combine_add_part(reader->model, members.parameters, members.count,
                                strength > 1000 ? 1000 : (uint32_t)strength, place, reader->error);
}

static enum cor_status read_constraint(struct combine__reader *reader, const struct tag *tag, void *into) {
    struct decoded decoded = {0};
    enum cor_status status = COR_OK;
    (void)into;
    if (strcmp(tag->name, "Constraint") != 0)
        return unknown(reader, tag, "write <Constraint>");
    COR_TRY_OUT(read_attribute(reader, tag, "text", true, &decoded));
    struct combine__reader inner = reader_within(reader, &decoded);
    status = combine__read_formula(&inner, COMBINE__ACTS);
    if (status == COR_OK) {
        const char *end = inner.at;
        combine__skip_blanks(&inner, COMBINE__ACTS);
        status = *inner.at ? combine__fail_expected(&inner, "an operator or the end")
                           : combine__keep_constraint(&inner, decoded.text, end);
    }
    reader->made = inner.made;
    reader->made_capacity = inner.made_capacity;
    COR_TRY_OUT(status);
    status = skip(reader, tag, NULL);
out:
    decoded_fini(&decoded);
    return status;
}

/* Results of a system, which no test can choose. */
static enum cor_status read_output(struct combine__reader *reader, const struct tag *tag, void *into) {
    (void)into;
    return combine__fail_at(reader, tag->at, "leave output parameters out",
                            "an output parameter is not read");
}

static enum cor_status read_part(struct combine__reader *reader, const struct tag *tag, void *into) {
    static const struct {
        const char *name;
        read_child *read;
    } parts[] = {{"Parameters", read_parameter},
                 {"OutputParameters", read_output},
                 {"Relations", read_relation},
                 {"Constraints", read_constraint}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, tag->name) == 0) {
            if (i == 0 && (reader->model->constraint_count > 0 || reader->model->part_count > 0))
                return combine__fail_at(reader, tag->at, "put all parameters first",
                                        "parameters behind relations or constraints");
            return read_children(reader, tag, parts[i].read, into);
        }
    return unknown(reader, tag, "write <Parameters>, <Relations> or <Constraints>");
}

enum cor_status combine__read_acts_xml(struct combine__reader *reader) {
    struct tag root;
    COR_TRY(next_tag(reader, &root));
    if (root.closes || strcmp(root.name, "System") != 0)
        return unknown(reader, &root, "a model of ACTS is a <System>");
    COR_TRY(read_children(reader, &root, read_part, NULL));
    reader->at += strspn(reader->at, " \t\r\n");
    if (*reader->at)
        return combine__fail_expected(reader, "the end behind </System>");
    if (reader->model->parameter_count == 0)
        return cor_fail(reader->error, COR_STATUS_INPUT, reader->name, "write <Parameter> in <Parameters>",
                        "the model has no parameters");
    return COR_OK;
}
