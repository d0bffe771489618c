/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A test as a file (docs/do/test-files.md): written such that a person can read it, read with as much
 * distrust as anything that people may have edited. */
#include "test_parts.h"
#include "text_bounds.h"

#include <corridor/arm_components.h>
#include <corridor/array.h>
#include <corridor/suite_alone.h>
#include <corridor/test.h>

#include <stdlib.h>
#include <string.h>

static void put_identities(struct cor_json_writer *writer, const struct cor_test *test) {
    const struct cor_configuration *c = test->suite->configuration;
    if (c->agent_identity) {
        cor_json_put_integer(writer, "agent_identities", c->identity_count);
        cor_json_open_array(writer, "agent_identity");
        for (uint32_t i = 0; i < c->agent_count; i++)
            cor_json_put_integer(writer, NULL, c->agent_identity[i]);
        cor_json_close(writer);
    }
    if (test->case_identity) {
        cor_json_open_array(writer, "case_identity");
        for (uint32_t i = 0; i < cor_test_cases(test); i++)
            cor_json_put_integer(writer, NULL, (int64_t)test->case_identity[i]);
        cor_json_close(writer);
    }
}

static void put_expected(struct cor_json_writer *writer, const struct cor_test_result *expected) {
    char text[COR_FAILURE_CLASS_TEXT];
    cor_json_open_object(writer, "expected");
    cor_json_put_string(writer, "class", cor_failure_class_text(&expected->class, text));
    cor_json_put_integer(writer, "case", expected->case_);
    cor_json_put_word(writer, "hash", expected->hash);
    cor_json_close(writer);
}

/* The end of the string that begins at this quotation mark: one past the other. */
static const char *string_end(const char *at) {
    for (at++; *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at + 1;
}

/* What is put behind a character of compact text, as many levels deep as it leads to or leaves; NULL:
 * nothing. `lines` is whether an item takes a line in the list that a member holds. */
static const char *spacing(char c, int depth, bool lines) {
    if (depth == 1)
        return c == '{' ? "\n " : c == ',' ? "\n " : c == ':' ? " " : NULL;
    return depth == 2 && lines && (c == '[' || c == ',') ? "\n  " : NULL;
}

enum cor_status sequence__lay_out(const char *compact, char **text, struct cor_error *error) {
    /* No character takes more than three others along. */
    char *to = *text = cor_calloc(4 * strlen(compact) + 4, 1);
    COR_TRY(cor_made(*text, error));
    const char *key = compact;
    bool lines = false;
    int depth = 0;
    for (const char *at = compact, *end; *at != '\0'; at = end) {
        end = *at == '"' ? string_end(at) : at + 1;
        if (*at == '"' && depth == 1 && (at[-1] == '{' || at[-1] == ','))
            key = at;
        if (*at == '{' || *at == '[') {
            depth++;
            /* The walk, and lists of objects. */
            if (depth == 2)
                lines = *at == '[' && (at[1] == '{' || (at[1] != ']' && strncmp(key, "\"walk\"", 6) == 0));
        } else if (*at == '}' || *at == ']') {
            if (depth == 1)
                *to++ = '\n';
            else if (depth == 2 && lines)
                to = stpcpy(to, "\n ");
            depth--;
        }
        memcpy(to, at, (size_t)(end - at));
        to += end - at;
        const char *space = spacing(*at, depth, lines);
        if (space)
            to = stpcpy(to, space);
    }
    *to = '\n';
    return COR_OK;
}

/* The modules that work beside the algorithm: monitors, then mechanisms; of what is built in nothing is said.
 */
static void put_beside(struct cor_json_writer *writer, const struct cor_test *test) {
    bool is_open = false;
    for (uint32_t i = 1; i < cor_arm_component_count(&test->arm); i++) {
        const struct cor_arm_component component =
            cor_arm_component_at(test->suite->experiment, &test->arm, i);
        if (!component.digest)
            continue;
        if (!is_open)
            cor_json_open_array(writer, "beside");
        is_open = true;
        cor_arm_component_put(&component, writer);
    }
    if (is_open)
        cor_json_close(writer);
}

enum cor_status cor_test_text(const struct cor_test *test, char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    char *compact = NULL;
    *text = NULL;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_test", 1);
    if (test->said)
        cor_json_put_string(writer, "said", test->said);
    if (test->property)
        cor_json_put_string(writer, "property", test->property);
    put_expected(writer, &test->expected);
    const struct cor_algorithm *algorithm = test->arm.algorithm;
    const char *digest = cor_registry_digest(test->suite->experiment->registry, algorithm);
    cor_json_open_object(writer, "module");
    cor_json_put_string(writer, "name", algorithm->name);
    cor_json_put_string(writer, "version", algorithm->version);
    if (digest)
        cor_json_put_string(writer, "sha256", digest);
    cor_json_close(writer);
    put_beside(writer, test);
    const struct cor_stream_name *name = &test->suite->name;
    cor_json_open_object(writer, "stream");
    cor_json_put_word(writer, "seed", name->seed);
    cor_json_put_integer(writer, "arm", name->arm);
    cor_json_put_integer(writer, "suite", name->suite);
    cor_json_put_integer(writer, "sequence", test->sequence);
    if (test->continues) {
        cor_json_open_object(writer, "branch");
        cor_json_put_integer(writer, "parent", test->branch.parent);
        cor_json_put_integer(writer, "prefix", test->branch.prefix);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    enum cor_status status = cor_suite_put_alone(test->suite, writer, error);
    put_identities(writer, test);
    if (test->schedule)
        cor_mail_record_write(test->schedule, writer, "schedule");
    if (test->bounds)
        cor_json_put_text(writer, "bounds", test->bounds);
    cor_json_close(writer);
    if (status != COR_OK) {
        cor_json_writer_destroy(writer);
        return status;
    }
    COR_TRY(cor_json_text_take(writer, 0, &compact, error));
    cor_json_shorten(compact);
    status = sequence__lay_out(compact, text, error);
    free(compact);
    return status;
}

/* What is read besides the suite. */
struct rest {
    struct cor_stream_name name;
    struct cor_branch branch;
    struct cor_test_result expected;
    const char *module, *version, *digest, *said;
    uint32_t sequence, identity_count;
    bool continues;
};

static enum cor_status check_version(const struct cor_json *json, void *into, struct cor_error *error) {
    int64_t version;
    (void)into;
    COR_TRY(cor_json_integer(json, INT64_MIN, INT64_MAX, &version, error));
    return version == 1 ? COR_OK
                        : cor_json_fail(json, error, "this program reads version 1", "is of version %lld",
                                        (long long)version);
}

static enum cor_status read_class(const struct cor_json *json, void *into, struct cor_error *error) {
    const char *text;
    char place[512];
    COR_TRY(cor_json_string(json, &text, error));
    cor_json_place(json, place, sizeof place);
    return cor_failure_class_parse(text, place, &((struct rest *)into)->expected.class, error);
}

static const struct cor_field expected_fields[] = {
    {"class", COR_REQUIRED, COR_READ_FIELD(read_class)},
    {"case", COR_REQUIRED, COR_INTEGER_FIELD(struct rest, expected.case_, 0, UINT32_MAX)},
    {"hash", COR_REQUIRED, COR_SEED_FIELD(struct rest, expected.hash)},
    {0}};

static enum cor_status read_expected(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_fields(json, expected_fields, into, error);
}

static const struct cor_field module_fields[] = {
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct rest, module)},
    {"version", COR_REQUIRED, COR_STRING_FIELD(struct rest, version)},
    {"sha256", COR_OPTIONAL, COR_STRING_FIELD(struct rest, digest)},
    {0}};

static enum cor_status read_module(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_fields(json, module_fields, into, error);
}

static const struct cor_field branch_fields[] = {
    {"parent", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_branch, parent, 0, UINT16_MAX)},
    {"prefix", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_branch, prefix, 0, UINT32_MAX)},
    {0}};

static enum cor_status read_branch(const struct cor_json *json, void *into, struct cor_error *error) {
    struct rest *rest = into;
    rest->continues = true;
    return cor_json_fields(json, branch_fields, &rest->branch, error);
}

static const struct cor_field stream_fields[] = {
    {"seed", COR_REQUIRED, COR_SEED_FIELD(struct rest, name.seed)},
    {"arm", COR_REQUIRED, COR_INTEGER_FIELD(struct rest, name.arm, 0, UINT16_MAX)},
    {"suite", COR_REQUIRED, COR_INTEGER_FIELD(struct rest, name.suite, 0, UINT32_MAX)},
    {"sequence", COR_REQUIRED, COR_INTEGER_FIELD(struct rest, sequence, 0, UINT32_MAX)},
    {"branch", COR_OPTIONAL, COR_READ_FIELD(read_branch)},
    {0}};

static enum cor_status read_stream(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_fields(json, stream_fields, into, error);
}

static const struct cor_field test_fields[] = {
    {"corridor_test", COR_REQUIRED, COR_READ_FIELD(check_version)},
    {"said", COR_OPTIONAL, COR_STRING_FIELD(struct rest, said)},
    {"property", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"expected", COR_REQUIRED, COR_READ_FIELD(read_expected)},
    {"module", COR_REQUIRED, COR_READ_FIELD(read_module)},
    {"beside", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"stream", COR_REQUIRED, COR_READ_FIELD(read_stream)},
    COR_ROWS_OF(cor_suite_alone_fields),
    {"agent_identities", COR_OPTIONAL, COR_INTEGER_FIELD(struct rest, identity_count, 1, COR_AGENTS_MAX)},
    {"agent_identity", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"case_identity", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"schedule", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"bounds", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

enum cor_status sequence__read_ascending(const struct cor_json *json, size_t count, int64_t low, int64_t high,
                                         void (*put)(void *into, size_t index, int64_t number), void *into,
                                         struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, count, count, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json item = cor_json_at(json, i);
        int64_t number;
        COR_TRY(cor_json_integer(&item, low, high, &number, error));
        put(into, i, number);
        low = number + 1;
    }
    return COR_OK;
}

static void put_agent(void *into, size_t index, int64_t number) {
    ((uint32_t *)into)[index] = (uint32_t)number;
}

static void put_case(void *into, size_t index, int64_t number) {
    ((uint64_t *)into)[index] = (uint64_t)number;
}

static enum cor_status read_agent_identity(const struct cor_json *root, uint32_t identity_count,
                                           struct cor_configuration *c, struct cor_error *error) {
    struct cor_json json;
    if (!cor_json_find(root, "agent_identity", &json))
        return cor_json_find(root, "agent_identities", &json)
                   ? cor_json_fail(&json, error, "leave it out", "there is no \"agent_identity\"")
                   : COR_OK;
    if (identity_count == 0)
        return cor_json_need(root, "agent_identities", &json, error);
    c->agent_identity = cor_calloc(c->agent_count, sizeof *c->agent_identity);
    COR_TRY(cor_made(c->agent_identity, error));
    c->identity_count = identity_count;
    return sequence__read_ascending(&json, c->agent_count, 0, (int64_t)identity_count - 1, put_agent,
                                    c->agent_identity, error);
}

/* What the model allows is understood here, too, so that who shrinks later is not surprised. */
static enum cor_status read_bounds(const struct cor_json *root, struct cor_test *test,
                                   struct cor_error *error) {
    struct cor_bounds *bounds;
    struct cor_json json;
    if (!cor_json_find(root, "bounds", &json))
        return COR_OK;
    COR_TRY(sequence__bounds_read(&json, test, &bounds, error));
    sequence__bounds_destroy(bounds);
    test->bounds = cor_json_text(&json);
    return cor_made(test->bounds, error);
}

/* What is expected of a test is told by its property where it asks one, and by the boxes else. */
static enum cor_status read_property(const struct cor_json *root, struct cor_test *test,
                                     struct cor_error *error) {
    const struct cor_failure_class *class = &test->expected.class;
    struct cor_failure_class other = {.smoke = COR_SMOKE_NONE, .unmet = class->unmet};
    struct cor_json json, expected;
    const char *text;
    char place[600];
    COR_TRY(cor_json_need(root, "expected", &expected, error));
    if (!cor_json_find(root, "property", &json))
        return class->unmet == COR_UNMET_NONE
                   ? COR_OK
                   : cor_json_fail(&expected, error, "say which: \"property\": \"P [ always inside ]\"",
                                   "says that a property is violated, and there is no \"property\"");
    COR_TRY(cor_json_string(&json, &text, error));
    cor_json_place(&json, place, sizeof place);
    COR_TRY(cor_test_ask_take(test, cor_strdup(text), place, error));
    if (!cor_failure_class_equal(class, &other))
        return cor_json_fail(&expected, error, "\"property\", or \"none\"",
                             "is of another class than that the property is violated");
    return COR_OK;
}

static enum cor_status note(char **warnings, char *line, struct cor_error *error) {
    if (warnings)
        *warnings = cor_join_take(*warnings, "\n", line);
    else
        free(line);
    return warnings ? cor_made(*warnings, error) : COR_OK;
}

/* A module beside the algorithm, as the file has it. */
struct beside {
    const char *name, *digest;
};

static const struct cor_field beside_fields[] = {
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct beside, name)},
    {"sha256", COR_REQUIRED, COR_STRING_FIELD(struct beside, digest)},
    {0}};

static enum cor_status note_beside(const struct beside *then, const struct cor_arm_component *now,
                                   char **warnings, struct cor_error *error) {
    if (!then)
        return note(warnings,
                    cor_format("the test does not say which file %s was: now its SHA-256 is %s", now->name,
                               now->digest),
                    error);
    if (!now)
        return note(warnings,
                    cor_format("the test was made with %s, and its arm does not name it", then->name), error);
    if (strcmp(then->name, now->name) != 0)
        COR_TRY(note(warnings,
                     cor_format("the test was made with %s, and here it is %s", then->name, now->name),
                     error));
    return strcmp(then->digest, now->digest) == 0
               ? COR_OK
               : note(warnings,
                      cor_format("%s is not the module that the test was made with: its SHA-256 is %s",
                                 now->name, now->digest),
                      error);
}

/* Modules beside the algorithm by their order, in the file and here. */
static enum cor_status check_beside(const struct cor_test *test, char **warnings, struct cor_error *error) {
    const struct cor_json *root = &test->own->root;
    struct cor_json list;
    const bool is_said = cor_json_find(root, "beside", &list);
    if (is_said)
        COR_TRY(cor_json_expect_array(&list, 1, cor_arm_component_count(&test->arm) + (size_t)8, error));
    const size_t said = is_said ? cor_json_size(&list) : 0;
    uint32_t component = 1;
    for (size_t i = 0; i < said || component < cor_arm_component_count(&test->arm); i++) {
        struct cor_arm_component now = {0};
        struct beside then = {0};
        while (!now.digest && component < cor_arm_component_count(&test->arm))
            now = cor_arm_component_at(test->own, &test->arm, component++);
        if (i < said) {
            const struct cor_json item = cor_json_at(&list, i);
            COR_TRY(cor_json_fields(&item, beside_fields, &then, error));
        }
        if (then.digest || now.digest)
            COR_TRY(note_beside(then.digest ? &then : NULL, now.digest ? &now : NULL, warnings, error));
    }
    return COR_OK;
}

static enum cor_status fill(struct cor_test *test, const struct rest *rest, char **warnings,
                            struct cor_error *error) {
    const struct cor_json *root = &test->own->root;
    struct cor_json schedule;
    COR_TRY(cor_suite_read_alone(test->own, rest->name.suite, &test->suite, error));
    test->arm = test->own->arms[0];
    test->suite->arm = &test->arm;
    test->suite->name = rest->name;
    test->sequence = rest->sequence;
    test->continues = rest->continues;
    test->branch = rest->branch;
    test->expected = rest->expected;
    if (rest->said) {
        test->said = cor_strdup(rest->said);
        COR_TRY(cor_made(test->said, error));
    }
    COR_TRY(read_property(root, test, error));
    COR_TRY(read_agent_identity(root, rest->identity_count, test->suite->configuration, error));
    struct cor_json json;
    const uint32_t cases = cor_test_cases(test);
    if (cor_json_find(root, "case_identity", &json)) {
        test->case_identity = cor_calloc(cases, sizeof *test->case_identity);
        COR_TRY(cor_made(test->case_identity, error));
        COR_TRY(
            sequence__read_ascending(&json, cases, 1, INT64_MAX - 1, put_case, test->case_identity, error));
    }
    if (cor_json_find(root, "schedule", &schedule))
        COR_TRY(cor_mail_record_read(&schedule, &test->schedule, error));
    COR_TRY(read_bounds(root, test, error));
    /* Another version or another file under the same name may do something else; it is said, not refused. */
    const struct cor_algorithm *algorithm = test->arm.algorithm;
    const char *digest = cor_registry_digest(test->own->registry, algorithm);
    if (strcmp(rest->module, algorithm->name) != 0)
        COR_TRY(note(
            warnings,
            cor_format("the test is of the algorithm %s, and here it is %s", rest->module, algorithm->name),
            error));
    if (strcmp(rest->version, algorithm->version) != 0)
        COR_TRY(note(warnings,
                     cor_format("the test is of version %s of %s, and here it is version %s", rest->version,
                                algorithm->name, algorithm->version),
                     error));
    if ((rest->digest == NULL) != (digest == NULL) || (digest && strcmp(digest, rest->digest) != 0))
        COR_TRY(note(warnings,
                     cor_format("%s is not the module that the test was made with: its SHA-256 is %s",
                                algorithm->name, digest ? digest : "not known"),
                     error));
    return check_beside(test, warnings, error);
}

static enum cor_status read_test(const char *path, struct cor_json_document *document,
                                 const struct cor_isolation_definition *isolation, struct cor_test *test,
                                 char **warnings, struct cor_error *error) {
    const struct cor_json root = cor_json_root(document);
    struct rest rest = {.expected.class.smoke = COR_SMOKE_NONE};
    enum cor_status status = cor_json_expect_kind(&root, COR_KIND_TEST, error);
    if (status == COR_OK)
        status = cor_json_fields(&root, test_fields, &rest, error);
    if (status != COR_OK) {
        cor_json_destroy(document);
        return status;
    }
    struct cor_isolation_definition taken =
        isolation ? *isolation : (struct cor_isolation_definition){.which = COR_ISOLATION_NEVER};
    taken.trust.file = path;
    COR_TRY(cor_experiment_take_alone(path, document, &taken, &test->own, error));
    return fill(test, &rest, warnings, error);
}

enum cor_status cor_test_take(const char *path, struct cor_json_document *document,
                              const struct cor_isolation_definition *isolation, struct cor_test **test,
                              char **warnings, struct cor_error *error) {
    enum cor_status status = COR_OK;
    *test = cor_calloc(1, sizeof **test);
    if (warnings)
        *warnings = cor_strdup("");
    if (!*test || (warnings && !*warnings)) {
        cor_json_destroy(document);
        status = cor_fail_memory(error);
    } else {
        status = read_test(path, document, isolation, *test, warnings, error);
    }
    if (status == COR_OK)
        return COR_OK;
    if (warnings) {
        free(*warnings);
        *warnings = NULL;
    }
    cor_test_destroy(*test);
    *test = NULL;
    return status;
}

enum cor_status cor_test_read(const char *path, const struct cor_isolation_definition *isolation,
                              struct cor_test **test, char **warnings, struct cor_error *error) {
    struct cor_json_document *document;
    *test = NULL;
    if (warnings)
        *warnings = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    return cor_test_take(path, document, isolation, test, warnings, error);
}
