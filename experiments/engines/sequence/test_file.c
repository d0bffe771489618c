/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shrinker.h"
#include "test_parts.h"

#include <corridor/arm_components.h>
#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/mechanism_host.h>
#include <corridor/property.h>
#include <corridor/suite_alone.h>
#include <corridor/test.h>

#include <stdlib.h>
#include <string.h>

enum cor_status cor_test_of_sequence(const struct cor_suite *suite, uint32_t sequence,
                                     const struct cor_branch *branch, struct cor_walk *walk,
                                     struct cor_test **test, struct cor_error *error) {
    struct cor_test *t = *test = cor_calloc(1, sizeof *t);
    COR_TRY(cor_made(t, error));
    t->arm = *suite->arm;
    t->arm.traps = NULL;
    t->arm.source = &cor_source_recorded;
    t->sequence = sequence;
    t->expected.class.smoke = COR_SMOKE_NONE;
    t->continues = branch != NULL;
    if (branch)
        t->branch = *branch;
    enum cor_status status = cor_suite_of_walk(suite, &t->arm, walk, &t->suite, error);
    if (status != COR_OK) {
        cor_test_destroy(t);
        *test = NULL;
    }
    return status;
}

enum cor_status cor_test_ask_take(struct cor_test *test, char *text, const char *place,
                                  struct cor_error *error) {
    struct cor_property *property;
    free(test->property);
    test->property = text;
    COR_TRY(cor_made(text, error));
    const enum cor_status status = cor_property_parse(text, place, &property, error);
    if (status != COR_OK)
        cor_experiment_name_constraints(test->suite->experiment, error);
    COR_TRY(status);
    const bool is_formula = cor_property_formula(property) != NULL;
    cor_property_destroy(property);
    return is_formula ? COR_OK
                      : cor_fail(error, COR_STATUS_INPUT, place, "ask for a formula: P [ always inside ]",
                                 "no sequence by itself violates \"%.200s\"", text);
}

static enum cor_status copy_walk(const struct cor_walk *from, struct cor_walk *copy,
                                 struct cor_error *error) {
    COR_TRY(cor_walk_resize(copy, from->chain_count, from->case_count, error));
    if (from->chain_count > 0)
        memcpy(copy->states, from->states, ((size_t)from->case_count + 1) * from->chain_count);
    return COR_OK;
}

static enum cor_status copy_rest(const struct cor_test *from, struct cor_test *to, struct cor_error *error) {
    const uint32_t cases = cor_test_cases(from);
    if (from->case_identity) {
        to->case_identity = cor_calloc(cases, sizeof *to->case_identity);
        COR_TRY(cor_made(to->case_identity, error));
        memcpy(to->case_identity, from->case_identity, cases * sizeof *to->case_identity);
    }
    if (from->schedule)
        COR_TRY(cor_mail_record_copy(from->schedule, &to->schedule, error));
    to->expected = from->expected;
    to->said = cor_strdup(from->said);
    to->bounds = cor_strdup(from->bounds);
    to->property = cor_strdup(from->property);
    return (from->said && !to->said) || (from->bounds && !to->bounds) || (from->property && !to->property)
               ? cor_fail_memory(error)
               : COR_OK;
}

enum cor_status cor_test_copy(const struct cor_test *test, struct cor_test **copy, struct cor_error *error) {
    struct cor_walk walk;
    cor_walk_init(&walk);
    *copy = NULL;
    enum cor_status status = copy_walk(&test->suite->recorded[0], &walk, error);
    if (status == COR_OK)
        status = cor_test_of_sequence(test->suite, test->sequence, test->continues ? &test->branch : NULL,
                                      &walk, copy, error);
    cor_walk_fini(&walk);
    if (status == COR_OK)
        status = copy_rest(test, *copy, error);
    if (status != COR_OK) {
        cor_test_destroy(*copy);
        *copy = NULL;
    }
    return status;
}

void cor_test_destroy(struct cor_test *test) {
    if (!test)
        return;
    cor_suite_destroy(test->suite);
    cor_experiment_destroy(test->own);
    free(test->case_identity);
    cor_mail_record_destroy(test->schedule);
    free(test->property);
    free(test->bounds);
    free(test->said);
    free(test);
}

bool cor_test_leave_faults_out(struct cor_test *test) {
    struct cor_arm *arm = &test->arm;
    struct cor_configuration *c = test->suite->configuration;
    const bool had = arm->fault != 0 || c->monitor.fault != COR_MONITOR_FAULT_NONE ||
                     c->adoption.fault != COR_ADOPTION_FAULT_NONE ||
                     arm->result.fault != COR_RESULT_FAULT_NONE ||
                     arm->session.agents.fault != COR_CRASH_FAULT_NONE ||
                     (arm->monitors.algorithm && strcmp(arm->monitors.fault, "none") != 0);
    arm->fault = 0;
    arm->monitors.fault = "none";
    arm->result.fault = COR_RESULT_FAULT_NONE;
    arm->session.agents.fault = COR_CRASH_FAULT_NONE;
    arm->monitor.fault = c->monitor.fault = COR_MONITOR_FAULT_NONE;
    arm->adoption.fault = c->adoption.fault = COR_ADOPTION_FAULT_NONE;
    return had;
}

/* How the session goes about it. Limits of time are a safety net, and no part of the test. */
static uint64_t hash_session(uint64_t hash, const struct cor_session_definition *s) {
    const uint64_t words[] = {s->agents.fault, s->agents.down_rounds, s->memory_limit, s->interim_units,
                              s->strict};
    hash = cor_hash_bytes(hash, words, sizeof words);
    hash = cor_hash_bytes(hash, &s->agents.probability, sizeof s->agents.probability);
    /* What has a meaning with that mode alone. */
    hash = cor_hash_word(hash, s->mail.mode);
    switch (s->mail.mode) {
    case COR_MAIL_DELAYED:
        return cor_hash_word(hash, s->mail.delay_max);
    case COR_MAIL_LOSSY:
        return cor_hash_bytes(hash, &s->mail.loss_ratio, sizeof s->mail.loss_ratio);
    case COR_MAIL_DUPLICATED:
        return cor_hash_bytes(hash, &s->mail.duplicate_ratio, sizeof s->mail.duplicate_ratio);
    case COR_MAIL_PCT:
        return cor_hash_word(cor_hash_word(hash, s->mail.depth), s->mail.messages);
    case COR_MAIL_BOUNDED:
        hash = cor_hash_word(cor_hash_word(hash, s->mail.bound), s->mail.messages);
        return cor_hash_word(hash, (uint64_t)s->mail.index);
    default:
        return hash;
    }
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text, strlen(text));
}

/* Mechanisms, in the order in which they work. */
static uint64_t hash_mechanisms(uint64_t hash, const struct cor_test *test) {
    const struct cor_arm *arm = &test->arm;
    const struct cor_experiment *experiment = test->suite->experiment;
    const uint32_t before = cor_arm_component_count(arm) - arm->mechanism_count;
    for (uint32_t s = 0; s < arm->mechanism_count; s++) {
        const struct cor_mechanism_slot *slot = &arm->mechanisms[s];
        hash = hash_text(hash, cor_arm_component_at(experiment, arm, before + s).name);
        hash = cor_hash_bytes(hash, slot->parameters,
                              cor_parameter_count(slot->mechanism->parameters) * sizeof *slot->parameters);
        for (uint32_t t = 0; slot->types && t < experiment->model->type_count; t++)
            hash = cor_hash_word(hash, slot->types[t]);
        if (slot->mock)
            hash = hash_text(hash, slot->mock->text);
    }
    return hash;
}

/* Where execution is continuous, and what a corridor as a text asks: of other tests there is nothing. */
static uint64_t hash_settings(uint64_t hash, const struct cor_arm *arm, bool has_text) {
    const struct cor_clocks *c = &arm->clocks;
    const uint64_t ticks[] = {c->case_ticks, c->agent_least,   c->agent_most, c->monitor_ticks,
                              c->unit_ticks, c->message_ticks, c->move_ticks};
    if (c->case_ticks > 0)
        hash = cor_hash_bytes(hash, ticks, sizeof ticks);
    return has_text ? cor_hash_word(cor_hash_word(hash, arm->return_cases), arm->judge_moves) : hash;
}

static uint64_t hash_arm(uint64_t hash, const struct cor_arm *arm) {
    const uint64_t words[] = {arm->fault, arm->result.fault, arm->activation_delay, arm->look_every};
    hash = cor_hash_bytes(hash, arm->algorithm->name, strlen(arm->algorithm->name));
    hash = cor_hash_bytes(hash, words, sizeof words);
    hash = cor_hash_bytes(hash, &arm->result.probability, sizeof arm->result.probability);
    const struct cor_arm_monitors *m = &arm->monitors;
    if (m->algorithm) {
        const uint64_t said[] = {m->subject, m->clock, m->rest};
        hash = cor_hash_bytes(hash, said, sizeof said);
        hash = hash_text(hash_text(hash, m->algorithm), m->fault);
    }
    return hash_session(hash, &arm->session);
}

uint64_t cor_test_hash(const struct cor_test *test) {
    const struct cor_suite *suite = test->suite;
    const struct cor_walk *walk = &suite->recorded[0];
    /* Without the last ones that nobody has set: a test is the one it was before there were such options. */
    uint32_t parameters = cor_algorithm_parameter_count(test->arm.algorithm);
    while (parameters > 0 && test->arm.algorithm_parameters[parameters - 1] < 0)
        parameters--;
    /* Not in it are profiles: all that the chains do is known, and nothing else looks at them. */
    COR_ASSERT(test->arm.source == &cor_source_recorded && walk->known == walk->case_count &&
               !suite->steering);
    uint64_t hash = cor_hash_word(COR_HASH_SEED, cor_configuration_hash(suite->configuration));
    const bool has_text = cor_experiment_constraint(suite->experiment, 0, &(const char *){NULL});
    hash = hash_arm(hash, &test->arm);
    hash = hash_mechanisms(hash_settings(hash, &test->arm, has_text), test);
    const struct cor_stream_name *name = &suite->name;
    const uint64_t words[] = {name->seed,      name->arm,           name->suite,        test->sequence,
                              test->continues, test->branch.parent, test->branch.prefix};
    hash = cor_hash_bytes(hash, words, sizeof words);
    if (test->case_identity)
        hash = cor_hash_bytes(hash, test->case_identity, cor_test_cases(test) * sizeof *test->case_identity);
    hash = cor_hash_word(hash, suite->budget);
    hash = cor_hash_bytes(hash, suite->algorithm_parameters, parameters * sizeof(double));
    if (has_text) /* it reads all of them */
        hash = cor_hash_bytes(hash, suite->parameters,
                              cor_parameter_laws_size(test->arm.laws) * sizeof *suite->parameters);
    if (test->property)
        hash = cor_hash_bytes(hash, test->property, strlen(test->property));
    if (test->schedule)
        hash = cor_hash_word(hash, cor_mail_record_hash(test->schedule));
    return cor_hash_bytes(hash, walk->states, ((size_t)walk->case_count + 1) * walk->chain_count);
}

/* ---- A test of what a result file has: the suite is generated again from the experiment in the file, for
 * its levels and probabilities do not stand there; that it is the same is told by its fingerprint. The walk
 * is the file's own */

static enum cor_status refuse(const struct cor_suite *suite, const char *remedy, const char *what,
                              struct cor_error *error) {
    return cor_fail(error, COR_STATUS_INPUT, suite->experiment->path, remedy, "suite %u of arm %s: %s",
                    suite->index, suite->arm->name, what);
}

static enum cor_status check_suite(struct cor_result *result, const struct cor_suite *suite,
                                   struct cor_error *error) {
    const struct cor_row_key key = {(uint16_t)suite->arm_index, suite->index};
    struct cor_suite_row *row = NULL;
    uint64_t count = 0;
    void *rows = NULL;
    enum cor_status status = cor_result_read_suite(result, COR_TABLE_SUITES, key, &rows, &count, error);
    row = rows;
    if (status == COR_OK && count == 0)
        status = refuse(suite, "name one that is in it", "is not in the file", error);
    else if (status == COR_OK && row->configuration_hash != cor_configuration_hash(suite->configuration))
        status = refuse(suite, "generate it with the version that made the file",
                        "is generated as another configuration than the file's", error);
    free(rows);
    return status;
}

enum cor_status cor_suite_of_result(struct cor_result *result, const struct cor_experiment *experiment,
                                    uint32_t arm, uint32_t index, struct cor_suite **suite,
                                    struct cor_error *error) {
    COR_TRY(cor_suite_generate(experiment, arm, index, suite, error));
    enum cor_status status = check_suite(result, *suite, error);
    if (status != COR_OK) {
        cor_suite_destroy(*suite);
        *suite = NULL;
    }
    return status;
}

static enum cor_status find_sequence(struct cor_result *result, const struct cor_suite *suite,
                                     uint32_t sequence, struct cor_sequence_row *found,
                                     struct cor_error *error) {
    const struct cor_row_key key = {(uint16_t)suite->arm_index, suite->index};
    void *rows = NULL;
    uint64_t count = 0;
    bool is_there = false;
    enum cor_status status = cor_result_read_suite(result, COR_TABLE_SEQUENCES, key, &rows, &count, error);
    for (uint64_t i = 0; status == COR_OK && i < count; i++) {
        const struct cor_sequence_row *row = (const struct cor_sequence_row *)rows + i;
        if (row->sequence != sequence)
            continue;
        *found = *row;
        is_there = true;
    }
    free(rows);
    if (status != COR_OK || is_there)
        return status;
    return cor_fail(error, COR_STATUS_INPUT, suite->experiment->path, "name one that is in it",
                    "suite %u of arm %s has no sequence %u in the file", suite->index, suite->arm->name,
                    sequence);
}

static enum cor_status find_branch(struct cor_result *result, const struct cor_suite *suite,
                                   uint32_t sequence, struct cor_branch *branch, bool *continues,
                                   struct cor_error *error) {
    const struct cor_row_key key = {(uint16_t)suite->arm_index, suite->index};
    void *rows = NULL;
    uint64_t count = 0;
    enum cor_status status = cor_result_read_suite(result, COR_TABLE_BRANCHES, key, &rows, &count, error);
    *continues = false;
    for (uint64_t i = 0; status == COR_OK && i < count; i++) {
        const struct cor_branch_row *row = (const struct cor_branch_row *)rows + i;
        if (row->sequence != sequence)
            continue;
        *branch = (struct cor_branch){row->parent, row->prefix};
        *continues = true;
    }
    free(rows);
    return status;
}

static enum cor_status read_walk(struct cor_result *result, const struct cor_suite *suite,
                                 const struct cor_sequence_row *row, struct cor_walk *walk,
                                 struct cor_error *error) {
    const uint32_t chains = suite->configuration->chain_count;
    const uint64_t size = ((uint64_t)row->cases + 1) * chains,
                   all = cor_result_vector_size(result, COR_VECTOR_WALK);
    if (row->walk_start > all || size > all - row->walk_start)
        return refuse(suite, "take a result file with /vectors/walk", "its walks are not in the file", error);
    uint8_t *states = cor_calloc((size_t)size, 1);
    COR_TRY(cor_made(states, error));
    enum cor_status status =
        cor_result_read_vector(result, COR_VECTOR_WALK, row->walk_start, size, states, error);
    if (status == COR_OK)
        status = cor_walk_of_chains(walk, chains, row->cases, states, error);
    free(states);
    /* Are all states such that the profiles have? */
    bool fits = true;
    for (uint32_t i = 0; status == COR_OK && i <= walk->case_count; i++)
        for (uint32_t chain = 0; chain < suite->configuration->chain_count; chain++)
            fits = fits && cor_walk_at(walk, i)[chain] <
                               suite->profiles[suite->configuration->profile_of_chain[chain]]->state_count;
    if (!fits)
        status =
            refuse(suite, "the file is damaged: corridor verify", "its walks are of other profiles", error);
    return status;
}

enum cor_status cor_test_of_result(struct cor_result *result, const struct cor_suite *suite,
                                   uint32_t sequence, struct cor_test **test, struct cor_error *error) {
    struct cor_sequence_row row = {0};
    struct cor_branch branch;
    bool continues;
    struct cor_walk walk;
    *test = NULL;
    COR_TRY(find_sequence(result, suite, sequence, &row, error));
    COR_TRY(find_branch(result, suite, sequence, &branch, &continues, error));
    cor_walk_init(&walk);
    enum cor_status status = read_walk(result, suite, &row, &walk, error);
    if (status == COR_OK)
        status = cor_test_of_sequence(suite, sequence, continues ? &branch : NULL, &walk, test, error);
    cor_walk_fini(&walk);
    return status;
}

/* ---- A test as a file (docs/do/test-files.md): written such that a person can read it, read with as much
 * distrust as anything that people may have edited */

/* The end of the string that begins at this quotation mark: one past the other. */
static const char *string_end(const char *at) {
    for (at++; *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at + 1;
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
        /* Behind a character, as many levels deep as it leads to or leaves; an item takes a line in a list
         * that has lines. */
        if (depth == 1)
            to = stpcpy(to, *at == '{' || *at == ',' ? "\n " : *at == ':' ? " " : "");
        else if (depth == 2 && lines && (*at == '[' || *at == ','))
            to = stpcpy(to, "\n  ");
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
    char class[COR_FAILURE_CLASS_TEXT];
    cor_json_open_object(writer, "expected");
    cor_json_put_string(writer, "class", cor_failure_class_text(&test->expected.class, class));
    cor_json_put_integer(writer, "case", test->expected.case_);
    cor_json_put_word(writer, "hash", test->expected.hash);
    cor_json_close(writer);
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
    {"corridor_test", COR_REQUIRED, COR_VERSION_FIELD},
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
    struct sequence__bounds *bounds;
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
    /* Modules beside the algorithm by their order, in the file and here. */
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
