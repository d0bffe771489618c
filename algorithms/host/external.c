/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "external.h"
#include "local.h"

#include <corridor/array.h>
#include <corridor/guarantees.h>
#include <corridor/loader.h>

#include <elf.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static enum cor_progress ask_solution(const struct cor_host *host);
static int ask_refuse(struct host__external_session *session, enum cor_status status,
                      const struct cor_error *said);
static int host__ask(const struct cor_host *host, const struct cor_field *fields, void *answer);
static struct cor_bytes *ask_begin(const struct cor_host *host, const char *called);

/* external.c: what a request is written with. */
static void line_put(struct cor_bytes *text, const char *more) {
    cor_bytes_put(text, more, strlen(more));
}

static void line_integer(struct cor_bytes *text, uint64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    cor_bytes_put(text, digits + at, sizeof digits - at);
}

void host__line_real(struct cor_bytes *text, double value) {
    char digits[40];
    if (!isfinite(value)) {
        line_put(text, "null");
        return;
    }
    for (int count = 15; count <= 17; count++) {
        snprintf(digits, sizeof digits, "%.*g", count, value);
        double again = strtod(digits, NULL);
        if (!(again < value || again > value))
            break;
    }
    line_put(text, digits);
    if (!strpbrk(digits, ".e"))
        line_put(text, ".0");
}

/* "0x%016x", with the quotation marks. */
static void line_word(struct cor_bytes *text, uint64_t value) {
    char word[24];
    snprintf(word, sizeof word, "\"0x%016" PRIx64 "\"", value);
    line_put(text, word);
}

static void put_count(struct cor_bytes *text, const char *before, uint32_t count) {
    line_put(text, before);
    line_integer(text, count);
}

static void put_limit(struct cor_bytes *text, const char *key, uint32_t limit) {
    line_put(text, key);
    if (limit == COR_NO_LIMIT)
        line_put(text, "null");
    else
        line_integer(text, limit);
}

/* As a string of JSON: names, units and words have no control characters. */
static void put_string(struct cor_bytes *text, const char *before, const char *string) {
    line_put(text, before);
    line_put(text, "\"");
    for (; *string; string++) {
        if (*string == '"' || *string == '\\')
            line_put(text, "\\");
        cor_bytes_put(text, string, 1);
    }
    line_put(text, "\"");
}

/* What the columns of values are, where there are more than the value. */
static void put_columns(struct cor_bytes *text, const struct cor_rules *rules) {
    static const char *const types[] = {[COR_COLUMN_REAL] = "real",
                                        [COR_COLUMN_INTEGER] = "integer",
                                        [COR_COLUMN_BOOLEAN] = "boolean",
                                        [COR_COLUMN_WORDS] = "words"};
    line_put(text, ",\"columns\":[");
    for (uint32_t c = 0; c < rules->value_count; c++) {
        const struct cor_value_column *column = &rules->columns[c];
        put_string(text, c > 0 ? ",{\"name\":" : "{\"name\":", column->name);
        put_string(text, ",\"type\":", types[column->type]);
        if (column->unit[0])
            put_string(text, ",\"unit\":", column->unit);
        for (uint32_t w = 0; w < column->word_count; w++)
            put_string(text, w > 0 ? "," : ",\"words\":[", column->words[w]);
        if (column->word_count > 0)
            line_put(text, "]");
        if (column->type <= COR_COLUMN_INTEGER) {
            line_put(text, ",\"min\":");
            host__line_real(text, column->min);
            line_put(text, ",\"max\":");
            host__line_real(text, column->max);
        }
        line_put(text, "}");
    }
    line_put(text, "]");
}

/* "rules":{..},"parameters":{..},"fault":..: what every agent may know. */
static void request_rules(struct cor_bytes *text, const struct cor_rules *rules,
                          const struct cor_algorithm *algorithm) {
    put_limit(text, "\"rules\":{\"size_min\":", rules->size_min);
    put_limit(text, ",\"size_max\":", rules->size_max);
    put_limit(text, ",\"count_min\":", rules->count_min);
    put_limit(text, ",\"count_max\":", rules->count_max);
    line_put(text, ",\"threshold\":");
    host__line_real(text, rules->threshold);
    if (rules->organized != COR_PARTITIONING) {
        line_put(text, ",\"kind\":\"");
        line_put(text, cor_structure_words[rules->organized]);
        line_put(text, "\"");
    }
    if (rules->columns && rules->value_count > 1)
        put_columns(text, rules);
    line_put(text, "},\"parameters\":{");
    for (uint32_t i = 0; i < rules->parameter_count; i++) {
        const struct cor_parameter *parameter = &algorithm->parameters[i];
        line_put(text, i > 0 ? ",\"" : "\"");
        line_put(text, parameter->name);
        line_put(text, "\":");
        if (parameter->is_integer) {
            char digits[40];
            snprintf(digits, sizeof digits, "%.0f", rules->parameters[i]);
            line_put(text, digits);
        } else {
            host__line_real(text, rules->parameters[i]);
        }
    }
    line_put(text, "},\"fault\":");
    if (rules->fault == 0) {
        line_put(text, "null");
        return;
    }
    line_put(text, "\"");
    line_put(text, algorithm->faults[rules->fault - 1].name);
    line_put(text, "\"");
}

/* What is to be small: steps by name, and filters as lists of the agents that pass. */
static void put_objective(struct cor_bytes *text, const struct cor_task *task) {
    static const char *const words[] = {
        "constant", "blocks",     "count",    "sum",       "unknowns", "least",       "greatest", "negate",
        "absolute", "add",        "subtract", "multiply",  "divide",   "divide_down", "lower",    "higher",
        "less",     "less_equal", "equal",    "not_equal", "and",      "or",          "not",      "all_of",
        "any_of",   "one_of",     "count_of", "sum_of",    "least_of", "greatest_of", "mean_of"};
    const struct cor_objective *objective = task->objective;
    line_put(text, ",\"objective\":{\"steps\":[");
    for (uint32_t i = 0; i < objective->step_count; i++) {
        const struct cor_objective_step *step = &objective->steps[i];
        const bool is_leaf = step->what <= COR_OBJECTIVE_GREATEST;
        put_string(text, i > 0 ? ",{\"what\":" : "{\"what\":", words[step->what]);
        if (step->by_block)
            line_put(text, ",\"by_block\":true");
        if (step->what == COR_OBJECTIVE_CONSTANT) {
            line_put(text, ",\"constant\":");
            host__line_real(text, step->constant);
        }
        if (is_leaf && step->what >= COR_OBJECTIVE_SUM)
            put_count(text, ",\"column\":", step->column);
        if (is_leaf && step->filter != COR_OBJECTIVE_NO_FILTER)
            put_count(text, ",\"filter\":", step->filter);
        if (!is_leaf && step->left != COR_NO_BLOCK)
            put_count(text, ",\"left\":", step->left);
        if (!is_leaf && step->right != COR_NO_BLOCK)
            put_count(text, ",\"right\":", step->right);
        line_put(text, "}");
    }
    line_put(text, "],\"filters\":[");
    for (uint32_t f = 0; f < objective->filter_count; f++) {
        const char *before = "";
        line_put(text, f > 0 ? ",[" : "[");
        for (uint32_t i = 0; i < task->agent_count; i++)
            if (objective->filters[(size_t)f * task->agent_count + i]) {
                put_count(text, before, i);
                before = ",";
            }
        line_put(text, "]");
    }
    line_put(text, "]}");
}

/* {"structure":..}}: the task, and the end of the request. The seeds are drawn from the host's streams. */
static void request_task(struct cor_bytes *text, const struct cor_task *task,
                         const struct cor_algorithm *algorithm, const struct cor_host *host) {
    line_put(text, "{");
    line_put(text, "\"structure\":[");
    for (uint32_t b = 0; b < task->block_count; b++) {
        line_put(text, b > 0 ? ",[" : "[");
        for (uint32_t m = task->block_start[b]; m < task->block_start[b + 1]; m++) {
            if (m > task->block_start[b])
                line_put(text, ",");
            line_integer(text, task->members[m]);
        }
        line_put(text, "]");
    }
    line_put(text, "]");
    for (uint32_t b = 0; task->block_parent && b < task->block_count; b++) {
        line_put(text, b > 0 ? "," : ",\"parents\":[");
        if (task->block_parent[b] == COR_NO_BLOCK)
            line_put(text, "null");
        else
            line_integer(text, task->block_parent[b]);
    }
    if (task->block_parent && task->block_count > 0)
        line_put(text, "]");
    line_put(text, ",\"values\":[");
    for (uint32_t column = 0; column < task->rules->value_count; column++) {
        line_put(text, column > 0 ? ",[" : "[");
        for (uint32_t i = 0; i < task->agent_count; i++) {
            if (i > 0)
                line_put(text, ",");
            host__line_real(text, task->values[column][i]);
        }
        line_put(text, "]");
    }
    line_put(text, "]");
    if (task->objective)
        put_objective(text, task);
    line_put(text, ",");
    request_rules(text, task->rules, algorithm);
    line_put(text, ",\"seed\":");
    line_word(text, cor_random_word(host->random[COR_STREAM_ALGORITHM]));
    if (task->rules->fault != 0) {
        line_put(text, ",\"fault_seed\":");
        line_word(text, cor_random_word(host->random[COR_STREAM_FAULT]));
    }
    line_put(text, ",\"budget\":");
    line_integer(text, task->rules->budget);
    line_put(text, ",\"kept\":");
    if (task->kept_size > 0)
        cor_bytes_put(text, task->kept, task->kept_size);
    else
        line_put(text, "null");
    line_put(text, "}");
}

/* ---- external hello */

#define LIST_LONGEST 1000 /* as of a module */

/* Reading goes in two steps: scalars into this, then lists, which are allocated. */
struct declared {
    struct host__external *external;
    const char *name, *version, *summary, *budget_unit;
    int64_t protocol;
    int shape;
    uint32_t capabilities;
    bool moves, restart;
};

static const char *const shapes[] = {"one_shot", "centralised", "decentralised", NULL};
static const char *const capabilities[] = {"anytime",        "keeps",         "limits", "moves",
                                           "restart",        "covers",        "nests",  "aims",
                                           "comes_and_goes", "aims_by_block", NULL};

static enum cor_status read_capability(const struct cor_json *json, void *into, struct cor_error *error) {
    static const uint32_t bits[] = {
        COR_ANYTIME, COR_KEEPS,          COR_LIMITS,       0, 0, COR_COVERS, COR_NESTS,
        COR_AIMS,    COR_COMES_AND_GOES, COR_AIMS_BY_BLOCK};
    struct declared *declared = into;
    int which = 0;
    COR_TRY(cor_json_one_of(json, capabilities, "capability", &which, error));
    declared->capabilities |= bits[which];
    declared->moves |= which == 3;
    declared->restart |= which == 4;
    return COR_OK;
}

#define REAL_MOST 1.7976931348623157e308
struct parameter {
    const char *name, *unit, *meaning;
    double value, min, max;
    bool is_integer;
};

static const struct cor_field parameter_fields[] = {
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct parameter, name)},
    {"unit", COR_OPTIONAL, COR_STRING_FIELD(struct parameter, unit)},
    {"meaning", COR_REQUIRED, COR_STRING_FIELD(struct parameter, meaning)},
    {"default", COR_REQUIRED, COR_REAL_FIELD(struct parameter, value, -REAL_MOST, REAL_MOST)},
    {"min", COR_REQUIRED, COR_REAL_FIELD(struct parameter, min, -REAL_MOST, REAL_MOST)},
    {"max", COR_REQUIRED, COR_REAL_FIELD(struct parameter, max, -REAL_MOST, REAL_MOST)},
    {"integer", COR_OPTIONAL, COR_BOOL_FIELD(struct parameter, is_integer)},
    {0}};

/* Room for a list and the entry that ends it. */
static enum cor_status make_list(const struct cor_json *json, size_t size, void *list,
                                 struct cor_error *error) {
    void *made = cor_calloc(cor_json_size(json) + 1, size);
    *(void **)list = made;
    return cor_made(made, error);
}

static enum cor_status read_parameters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct host__external *external = ((struct declared *)into)->external;
    COR_TRY(cor_json_expect_array(json, 0, LIST_LONGEST, error));
    COR_TRY(make_list(json, sizeof *external->parameters, &external->parameters, error));
    COR_JSON_CHILDREN(item, json) {
        struct parameter p = {.unit = ""};
        COR_TRY(cor_json_fields(&item, parameter_fields, &p, error));
        external->parameters[item.index] =
            (struct cor_parameter){p.name, p.unit, p.meaning, p.value, p.min, p.max, p.is_integer};
    }
    return COR_OK;
}

struct counter {
    const char *name, *meaning;
    uint32_t buckets;
};

static const struct cor_field counter_fields[] = {
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct counter, name)},
    {"meaning", COR_REQUIRED, COR_STRING_FIELD(struct counter, meaning)},
    {"buckets", COR_OPTIONAL, COR_INTEGER_FIELD(struct counter, buckets, 1, 65536)},
    {0}};

static enum cor_status read_counters(const struct cor_json *json, void *into, struct cor_error *error) {
    struct host__external *external = ((struct declared *)into)->external;
    COR_TRY(cor_json_expect_array(json, 0, LIST_LONGEST, error));
    COR_TRY(make_list(json, sizeof *external->counters, &external->counters, error));
    COR_JSON_CHILDREN(item, json) {
        struct counter c = {.buckets = 1};
        COR_TRY(cor_json_fields(&item, counter_fields, &c, error));
        external->counters[item.index] = (struct cor_counter){c.name, c.meaning, c.buckets};
    }
    return COR_OK;
}

/* {NAME: MEANING}, as agents under test declare theirs. */
static enum cor_status read_faults(const struct cor_json *json, void *into, struct cor_error *error) {
    struct host__external *external = ((struct declared *)into)->external;
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_TRY(make_list(json, sizeof *external->faults, &external->faults, error));
    COR_JSON_CHILDREN(item, json) {
        external->faults[item.index].name = item.key;
        COR_TRY(cor_json_string(&item, &external->faults[item.index].meaning, error));
    }
    return COR_OK;
}

static enum cor_status read_texts(const struct cor_json *json, const char ***texts, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, LIST_LONGEST, error));
    COR_TRY(make_list(json, sizeof **texts, texts, error));
    COR_JSON_CHILDREN(item, json)
        COR_TRY(cor_json_string(&item, &(*texts)[item.index], error));
    return COR_OK;
}

static enum cor_status read_constraints(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_texts(json, &((struct declared *)into)->external->constraints, error);
}

static enum cor_status read_needs(const struct cor_json *json, void *into, struct cor_error *error) {
    return read_texts(json, &((struct declared *)into)->external->needs, error);
}

/* The version is read before anything else is believed. */
static enum cor_status read_protocol(const struct cor_json *json, void *into, struct cor_error *error) {
    struct declared *declared = into;
    COR_TRY(cor_json_integer(json, 0, INT64_MAX, &declared->protocol, error));
    if (declared->protocol >= 1 && declared->protocol <= HOST__PROTOCOL)
        return COR_OK;
    return cor_json_fail(json, error, "see corridor-protocol(7) of this version",
                         "the program speaks protocol %lld, but this is protocol %d",
                         (long long)declared->protocol, HOST__PROTOCOL);
}

static enum cor_status read_failed(const struct cor_json *json, void *into, struct cor_error *error) {
    const char *why;
    (void)into;
    COR_TRY(cor_json_string(json, &why, error));
    return cor_json_fail(json, error, NULL, "the program says that it cannot go on: %s", why);
}

static const struct cor_field version_fields[] = {{"failed", COR_OPTIONAL, COR_READ_FIELD(read_failed)},
                                                  {"protocol", COR_REQUIRED, COR_READ_FIELD(read_protocol)},
                                                  {0}};

static const struct cor_field hello_fields[] = {
    {"id", COR_REQUIRED, COR_KNOWN_FIELD},
    {"protocol", COR_REQUIRED, COR_KNOWN_FIELD},
    {"name", COR_REQUIRED, COR_STRING_FIELD(struct declared, name)},
    {"version", COR_REQUIRED, COR_STRING_FIELD(struct declared, version)},
    {"summary", COR_REQUIRED, COR_STRING_FIELD(struct declared, summary)},
    {"shape", COR_OPTIONAL, COR_ONE_OF_FIELD(struct declared, shape, shapes, 0, "shape")},
    {"budget_unit", COR_OPTIONAL, COR_STRING_FIELD(struct declared, budget_unit)},
    {"capabilities", COR_OPTIONAL,
     COR_EACH_FIELD(read_capability, 0, sizeof capabilities / sizeof *capabilities - 1)},
    {"parameters", COR_OPTIONAL, COR_READ_FIELD(read_parameters)},
    {"constraints", COR_OPTIONAL, COR_READ_FIELD(read_constraints)},
    {"counters", COR_OPTIONAL, COR_READ_FIELD(read_counters)},
    {"faults", COR_OPTIONAL, COR_READ_FIELD(read_faults)},
    {"needs", COR_OPTIONAL, COR_READ_FIELD(read_needs)},
    {0}};

static void external_shape(struct cor_algorithm *algorithm, enum host__external_shape shape, bool has_moves,
                           bool restarts);

/* external.c: fills external->algorithm but for its functions, from the line in external->hello. */
static enum cor_status external_declare(struct host__external *external, struct cor_error *error) {
    struct declared declared = {.external = external, .budget_unit = "calls"};
    COR_TRY(cor_json_parse(external->hello, external->command, &external->document, error));
    struct cor_json root = cor_json_root(external->document), id;
    COR_TRY(cor_json_expect_object(&root, NULL, error));
    COR_TRY(cor_json_members(&root, version_fields, &declared, error));
    COR_TRY(cor_json_fields(&root, hello_fields, &declared, error));
    int64_t answered = 0;
    COR_TRY(cor_json_need(&root, "id", &id, error));
    COR_TRY(cor_json_integer(&id, 1, 1, &answered, error));
    external->algorithm = (struct cor_algorithm){COR_ALGORITHM,
                                                 .name = declared.name,
                                                 .version = declared.version,
                                                 .summary = declared.summary,
                                                 .budget_unit = declared.budget_unit,
                                                 .capabilities = declared.capabilities,
                                                 .parameters = external->parameters,
                                                 .constraints = external->constraints,
                                                 .counters = external->counters,
                                                 .faults = external->faults,
                                                 .needs = external->needs};
    external_shape(&external->algorithm, (enum host__external_shape)declared.shape, declared.moves,
                   declared.restart);
    return host__algorithm_check(&external->algorithm, external->command, error);
}

void host__external_close(struct host__external *external) {
    if (!external)
        return;
    cor_json_destroy(external->document);
    COR_FREE(external->command, external->hello, external->parameters, external->counters, external->faults,
             external->constraints, external->needs, external);
}

/* ---- decentralised algorithms that are programs: a handler is a request that names one agent, with its
 * values and its state, and the answer brings the state that it has then. The state of an agent is JSON text,
 * which the host keeps in the arena: the program need not remember whom it was asked about */

/* What lies in cor_agent.state. */
struct agent_text {
    char *bytes; /* in the arena; NULL: null */
    size_t size, capacity;
};

static enum cor_status store(const struct cor_host *host, const struct cor_agent *agent,
                             const struct cor_json *json, struct cor_error *error) {
    struct agent_text *kept = agent->state;
    COR_FREED char *text = cor_json_text(json);
    COR_TRY(cor_made(text, error));
    size_t size = strlen(text);
    if (size > kept->capacity) {
        size_t capacity = 2 * size;
        char *bytes = host->alloc(host, capacity);
        kept->capacity = bytes ? capacity : 0;
        kept->bytes = bytes;
    }
    if (kept->bytes)
        memcpy(kept->bytes, text, size);
    kept->size = size;
    return kept->bytes ? COR_OK : COR_STATUS_INPUT; /* the limit: the outcome says so */
}

static void put_state(struct cor_bytes *request, const struct cor_agent *agent) {
    const struct agent_text *kept = agent->state;
    if (kept->bytes)
        cor_bytes_put(request, kept->bytes, kept->size);
    else
        line_put(request, "null");
}

/* {"id":7,"wake":{..: what an agent may know. The caller closes both. */
static struct cor_bytes *begin_handler(const struct cor_agent *me, const struct cor_rules *rules,
                                       const struct cor_host *host, const char *called) {
    struct cor_bytes *request = ask_begin(host, called);
    line_put(request, "{\"agent\":");
    line_integer(request, me->id);
    line_put(request, ",\"values\":[");
    for (uint32_t column = 0; column < rules->value_count; column++) {
        if (column > 0)
            line_put(request, ",");
        host__line_real(request, me->values[column]);
    }
    line_put(request, "],");
    request_rules(request, rules, host__ask_algorithm(host));
    line_put(request, ",\"seed\":");
    line_word(request, cor_random_word(me->random));
    line_put(request, ",\"state\":");
    put_state(request, me);
    return request;
}

struct handled {
    struct host__answer answer; /* first */
    const struct cor_agent *me;
    int progress;
};

static enum cor_status read_state(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct handled *handled = into;
    return store(handled->answer.host, handled->me, json, error);
}

struct letter {
    const struct cor_host *host;
    int64_t to, kind;
    char *data; /* owned */
};

static enum cor_status read_data(const struct cor_json *json, void *into, struct cor_error *error) {
    struct letter *letter = into;
    return cor_made(letter->data = cor_json_text(json), error);
}

static const struct cor_field letter_fields[] = {
    {"to", COR_REQUIRED, COR_INTEGER_FIELD(struct letter, to, 0, UINT32_MAX)},
    {"kind", COR_OPTIONAL, COR_INTEGER_FIELD(struct letter, kind, 0, UINT32_MAX)},
    {"data", COR_OPTIONAL, COR_READ_FIELD(read_data)},
    {0}};

/* Mail that is refused, because there is no such agent, is lost, as it is for a module that does not look. */
static enum cor_status read_send(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_host *host = ((const struct handled *)into)->answer.host;
    COR_TRY(cor_json_expect_array(json, 0, SIZE_MAX, error));
    COR_JSON_CHILDREN(item, json) {
        struct letter letter = {.host = host};
        enum cor_status status = cor_json_fields(&item, letter_fields, &letter, error);
        const char *data = letter.data ? letter.data : "null";
        if (status == COR_OK)
            (void)host->send(host, (uint32_t)letter.to, (uint32_t)letter.kind, data, (uint32_t)strlen(data));
        free(letter.data);
        COR_TRY(status);
    }
    return COR_OK;
}

static const char *const progresses[] = {"continue", "done", NULL};

static const struct cor_field handled_fields[] = {
    COR_ROWS_OF(host__answer_fields),
    {"state", COR_OPTIONAL, COR_READ_FIELD(read_state)},
    {"send", COR_OPTIONAL, COR_READ_FIELD(read_send)},
    {"progress", COR_OPTIONAL, COR_ONE_OF_FIELD(struct handled, progress, progresses, 0, "progress")},
    {0}};

static enum cor_progress ask_handler(const struct cor_agent *me, const struct cor_host *host,
                                     struct cor_bytes *request) {
    struct handled handled = {.me = me, .progress = COR_DONE};
    line_put(request, "}");
    return host__ask(host, handled_fields, &handled) ? (enum cor_progress)handled.progress : COR_FAILED;
}

static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    return ask_handler(me, host, begin_handler(me, rules, host, "wake"));
}

static enum cor_progress restart(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host) {
    return ask_handler(me, host, begin_handler(me, rules, host, "restart"));
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    struct cor_bytes *request = begin_handler(me, rules, host, "receive");
    line_put(request, ",\"message\":{\"from\":");
    line_integer(request, message->from);
    line_put(request, ",\"kind\":");
    line_integer(request, message->kind);
    line_put(request, ",\"data\":");
    cor_bytes_put(request, message->payload, message->size);
    line_put(request, "}");
    return ask_handler(me, host, request);
}

struct begun {
    struct host__answer answer; /* first */
    uint32_t agent_count;
};

static enum cor_status read_states(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct begun *begun = into;
    const struct cor_host *host = begun->answer.host;
    COR_TRY(cor_json_expect_array(json, begun->agent_count, begun->agent_count, error));
    for (uint32_t i = 0; i < begun->agent_count; i++) {
        struct cor_json state = cor_json_at(json, i);
        COR_TRY(store(host, host->agent(host, i), &state, error));
    }
    return COR_OK;
}

static const struct cor_field begun_fields[] = {
    COR_ROWS_OF(host__answer_fields), {"states", COR_OPTIONAL, COR_READ_FIELD(read_states)}, {0}};

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct begun begun = {.agent_count = task->agent_count};
    (void)state;
    struct cor_bytes *request = ask_begin(host, "begin");
    request_task(request, task, host__ask_algorithm(host), host);
    return host__ask(host, begun_fields, &begun) ? COR_CONTINUE : COR_FAILED;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    struct cor_bytes *request = ask_begin(host, "result");
    line_put(request, "{\"states\":[");
    for (uint32_t i = 0; i < task->agent_count; i++) {
        if (i > 0)
            line_put(request, ",");
        put_state(request, host->agent(host, i));
    }
    line_put(request, "]}");
    return ask_solution(host);
}

/* ---- the functions of an algorithm that is a program: each is a request, and reads the members of its
 * answer */

/* The members of answers. What a program says that it must not is an error of the line; what the testbed
 * refuses ends the reorganization, and then nothing else of the line is read. */

static enum cor_status over(void) {
    return COR_STATUS_INPUT; /* the outcome says why */
}

static enum cor_status read_failed_functions(const struct cor_json *json, void *into,
                                             struct cor_error *error) {
    const struct host__answer *answer = into;
    const char *why;
    COR_TRY(cor_json_string(json, &why, error));
    host__session_smoke(&host__external_session(answer->host)->local, COR_SMOKE_COMPLAINED, why);
    return over();
}

static enum cor_status read_spent(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct host__answer *answer = into;
    int64_t units = 0;
    COR_TRY(cor_json_integer(json, 0, INT64_MAX, &units, error));
    host__count_add(answer->host->spent, (uint64_t)units);
    return COR_OK;
}

static enum cor_status read_kept(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct host__answer *answer = into;
    struct host__external_session *session = host__external_session(answer->host);
    if (!(session->local.base.algorithm->capabilities & COR_KEEPS))
        return cor_json_fail(json, error, NULL, "its hello does not declare that it keeps anything");
    COR_FREED char *text = cor_json_text(json);
    COR_TRY(cor_made(text, error));
    size_t size = strlen(text);
    int kept = size <= HOST__KEPT_MOST && answer->host->keep(answer->host, text, (uint32_t)size);
    if (kept || session->local.is_over)
        return kept ? COR_OK : over();
    return cor_json_fail(json, error, NULL, "it keeps more than %u bytes", HOST__KEPT_MOST);
}

static enum cor_status add_to(const struct cor_json *json, uint64_t *cell, struct cor_error *error) {
    int64_t count = 0;
    COR_TRY(cor_json_integer(json, 0, INT64_MAX, &count, error));
    host__count_add(cell, (uint64_t)count);
    return COR_OK;
}

/* {NAME: count}, or an array with the count of each bucket. */
static enum cor_status read_counters_functions(const struct cor_json *json, void *into,
                                               struct cor_error *error) {
    const struct cor_host *host = ((const struct host__answer *)into)->host;
    const struct cor_algorithm *algorithm = host__ask_algorithm(host);
    COR_TRY(cor_json_expect_object(json, NULL, error));
    COR_JSON_CHILDREN(item, json) {
        uint32_t counter = 0;
        while (algorithm->counters && algorithm->counters[counter].name &&
               strcmp(algorithm->counters[counter].name, item.key) != 0)
            counter++;
        if (!algorithm->counters || !algorithm->counters[counter].name)
            return cor_json_fail(&item, error, NULL, "its hello declares no counter \"%s\"", item.key);
        uint64_t *cells = host->counters + host->counter_start[counter];
        if (cor_json_is_integer(&item)) {
            COR_TRY(add_to(&item, cells, error));
            continue;
        }
        uint32_t buckets = algorithm->counters[counter].bucket_count;
        COR_TRY(cor_json_expect_array(&item, buckets, buckets, error));
        for (uint32_t b = 0; b < buckets; b++) {
            struct cor_json bucket = cor_json_at(&item, b);
            COR_TRY(add_to(&bucket, cells + b, error));
        }
    }
    return COR_OK;
}

struct fault {
    uint64_t reached, held, activated;
    bool in_result;
};

static const struct cor_field fault_fields[] = {
    {"reached", COR_OPTIONAL, COR_INTEGER_FIELD(struct fault, reached, 0, INT64_MAX)},
    {"held", COR_OPTIONAL, COR_INTEGER_FIELD(struct fault, held, 0, INT64_MAX)},
    {"activated", COR_OPTIONAL, COR_INTEGER_FIELD(struct fault, activated, 0, INT64_MAX)},
    {"in_result", COR_OPTIONAL, COR_BOOL_FIELD(struct fault, in_result)},
    {0}};

static enum cor_status read_fault(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_host *host = ((const struct host__answer *)into)->host;
    struct fault fault = {0};
    COR_TRY(cor_json_fields(json, fault_fields, &fault, error));
    host__count_add(&host->fault->reached, fault.reached);
    host__count_add(&host->fault->held, fault.held);
    host__count_add(&host->fault->activated, fault.activated);
    host->fault->in_result |= fault.in_result;
    return COR_OK;
}

const struct cor_field host__answer_fields[] = {
    {"id", COR_REQUIRED, COR_KNOWN_FIELD},
    {"failed", COR_OPTIONAL, COR_READ_FIELD(read_failed_functions)},
    {"spent", COR_OPTIONAL, COR_READ_FIELD(read_spent)},
    {"kept", COR_OPTIONAL, COR_READ_FIELD(read_kept)},
    {"counters", COR_OPTIONAL, COR_READ_FIELD(read_counters_functions)},
    {"fault", COR_OPTIONAL, COR_READ_FIELD(read_fault)},
    {0}};

static const char *const progresses_functions[] = {"continue", "done", "stagnated", NULL};

struct solution {
    struct host__answer answer; /* first */
    int progress;
    uint32_t *members; /* owned; of one block */
    size_t capacity;
};

static enum cor_status read_blocks(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 0, SIZE_MAX, error));
    COR_JSON_CHILDREN(block, json) {
        /* Agents that there are not are for the oracle to see; what is no number of an agent is no block. */
        struct solution *solution = into;
        const struct cor_host *host = solution->answer.host;
        COR_TRY(cor_json_expect_array(&block, 0, SIZE_MAX, error));
        size_t count = cor_json_size(&block);
        COR_TRY(COR_RESERVE(&solution->members, &solution->capacity, count, error));
        for (size_t j = 0; j < count; j++) {
            struct cor_json item = cor_json_at(&block, j);
            int64_t agent = 0;
            COR_TRY(cor_json_integer(&item, 0, UINT32_MAX, &agent, error));
            solution->members[j] = (uint32_t)agent;
        }
        COR_TRY(host->put_block(host, solution->members, count) ? COR_OK : over());
    }
    return COR_OK;
}

/* One for each block, null: none. */
static enum cor_status read_parents(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_host *host = ((const struct host__answer *)into)->host;
    const uint32_t count = host__external_session(host)->local.solution->block_count;
    COR_TRY(cor_json_expect_array(json, count, count, error));
    for (uint32_t b = 0; b < count; b++) {
        struct cor_json item = cor_json_at(json, b);
        int64_t parent = 0;
        if (cor_json_is_null(&item))
            continue;
        COR_TRY(cor_json_integer(&item, 0, UINT32_MAX - 1, &parent, error));
        if (!host->hang(host, b, (uint32_t)parent))
            return over();
    }
    return COR_OK;
}

static enum cor_status expect_moves(const struct cor_json *json, void *into, struct cor_error *error) {
    const struct cor_host *host = ((const struct host__answer *)into)->host;
    if (host__ask_algorithm(host)->adopt)
        return cor_json_expect_array(json, 0, SIZE_MAX, error);
    return cor_json_fail(json, error, NULL, "its hello does not declare moves");
}

static const struct cor_field solution_fields[] = {
    COR_ROWS_OF(host__answer_fields),
    {"progress", COR_OPTIONAL,
     COR_ONE_OF_FIELD(struct solution, progress, progresses_functions, 0, "progress")},
    {"blocks", COR_REQUIRED, COR_READ_FIELD(read_blocks)},
    {"parents", COR_OPTIONAL, COR_READ_FIELD(read_parents)},
    {"moves", COR_OPTIONAL, COR_READ_FIELD(expect_moves)}, /* they are read when it is time for them */
    {0}};

/* external.c: sends the request and puts the solution of its answer. */
static enum cor_progress ask_solution(const struct cor_host *host) {
    struct solution solution = {.progress = 1};
    int answered = host__ask(host, solution_fields, &solution);
    free(solution.members);
    return answered ? (enum cor_progress)solution.progress : COR_FAILED;
}

/* One-shot: the task in, the solution out. */
static enum cor_progress solve(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    struct cor_bytes *request = ask_begin(host, "task");
    request_task(request, task, host__ask_algorithm(host), host);
    return ask_solution(host);
}

static enum cor_progress begin_functions(void *state, const struct cor_task *task,
                                         const struct cor_host *host) {
    struct host__answer answer;
    (void)state;
    struct cor_bytes *request = ask_begin(host, "begin");
    request_task(request, task, host__ask_algorithm(host), host);
    return host__ask(host, host__answer_fields, &answer) ? COR_CONTINUE : COR_FAILED;
}

struct step {
    struct host__answer answer; /* first */
    int progress;
};

static const struct cor_field step_fields[] = {
    COR_ROWS_OF(host__answer_fields),
    {"progress", COR_REQUIRED, COR_ONE_OF_FIELD(struct step, progress, progresses_functions, 0, "progress")},
    {0}};

static enum cor_progress step(void *state, const struct cor_task *task, const struct cor_host *host,
                              uint64_t units) {
    struct step answer;
    (void)state;
    (void)task;
    struct cor_bytes *request = ask_begin(host, "step");
    line_put(request, "{\"units\":");
    line_integer(request, units);
    line_put(request, "}");
    return host__ask(host, step_fields, &answer) ? (enum cor_progress)answer.progress : COR_FAILED;
}

static enum cor_progress result_functions(void *state, const struct cor_task *task,
                                          const struct cor_host *host) {
    (void)state;
    (void)task;
    struct cor_bytes *request = ask_begin(host, "result");
    line_put(request, "{}");
    return ask_solution(host);
}

/* The moves of the answer that gave the solution; a move that is refused is none. */
static enum cor_status read_moves(const struct host__external_session *session, struct cor_error *error) {
    const struct cor_host *host = &session->local.host;
    struct cor_json root = cor_json_root(session->talk.answer), moves;
    if (!cor_json_find(&root, "moves", &moves))
        return COR_OK;
    for (size_t i = 0; i < cor_json_size(&moves) && !session->local.is_over; i++) {
        struct cor_json move = cor_json_at(&moves, i);
        int64_t pair[2] = {0};
        COR_TRY(cor_json_expect_array(&move, 2, 2, error));
        COR_JSON_CHILDREN(item, &move)
            COR_TRY(cor_json_integer(&item, 0, UINT32_MAX, &pair[item.index], error));
        (void)host->move(host, (uint32_t)pair[0], (uint32_t)pair[1]);
    }
    return COR_OK;
}

static enum cor_progress adopt(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct host__external_session *session = host__external_session(host);
    struct cor_error said = COR_NO_ERROR;
    (void)state;
    (void)task;
    enum cor_status status = read_moves(session, &said);
    if (status == COR_OK)
        return COR_DONE;
    (void)ask_refuse(session, status, &said);
    return COR_FAILED;
}

static void external_shape(struct cor_algorithm *algorithm, enum host__external_shape shape, bool has_moves,
                           bool restarts) {
    algorithm->result = shape == HOST__ONE_SHOT ? solve : result_functions;
    algorithm->begin = shape == HOST__ONE_SHOT ? NULL : begin_functions;
    algorithm->step = shape == HOST__CENTRALISED ? step : NULL;
    algorithm->adopt = has_moves ? adopt : NULL;
    if (shape == HOST__DECENTRALISED) {
        algorithm->agent_size = sizeof(struct agent_text);
        algorithm->begin = begin;
        algorithm->wake = wake;
        algorithm->receive = receive;
        algorithm->restart = restarts ? restart : NULL;
        algorithm->result = result;
    }
}

const struct host__external *host__external_of(const struct cor_algorithm *algorithm) {
    bool is_program =
        algorithm->result == solve || algorithm->result == result_functions || algorithm->receive == receive;
    return is_program ? (const struct host__external *)algorithm : NULL;
}

/* ---- A session with a program: a session in this process, whose algorithm's functions ask the program. What
 * the program does wrong is in the outcome, and the next reorganization finds a fresh process */

/* What an exchange came to: 1, or 0 and why is in the outcome. */
static int take_exchange(struct host__external_session *session, enum cor_status status) {
    static const enum cor_smoke smokes[] = {
        [COR_EXCHANGE_LATE] = COR_SMOKE_OVERDUE,   [COR_EXCHANGE_FLOOD] = COR_SMOKE_GARBLED,
        [COR_EXCHANGE_HALF] = COR_SMOKE_GARBLED,   [COR_EXCHANGE_CLOSED] = COR_SMOKE_GARBLED,
        [COR_EXCHANGE_EXITED] = COR_SMOKE_EXITED,  [COR_EXCHANGE_CRASHED] = COR_SMOKE_CRASHED,
        [COR_EXCHANGE_CPU_TIME] = COR_SMOKE_HUNG,  [COR_EXCHANGE_MEMORY] = COR_SMOKE_MEMORY,
        [COR_EXCHANGE_GARBLED] = COR_SMOKE_GARBLED};
    const struct cor_conversation *talk = &session->talk;
    const enum cor_death death = cor_lines_death(&talk->lines);
    if (status != COR_OK)
        host__session_trouble(&session->local, status);
    if (status != COR_OK || talk->exchange == COR_EXCHANGE_WELL)
        return status == COR_OK;
    host__session_smoke(&session->local, smokes[talk->exchange], talk->words);
    if (talk->exchange != COR_EXCHANGE_GARBLED) { /* a shell in between says a signal by its exit code */
        const int code = talk->lines.code;
        session->local.outcome->fate = (struct cor_fate){.signal = death == COR_DEATH_SIGNAL ? code % 128 : 0,
                                                         .exit_code = death == COR_DEATH_EXIT ? code : 0};
    }
    return 0;
}

/* Says hello to a process that has just begun, and hears a line. */
static enum cor_status say_hello(struct cor_conversation *talk, struct cor_error *error) {
    COR_TRY(cor_conversation_start(talk, error));
    cor_bytes_print(cor_conversation_begin(talk, "hello"), "{\"protocol\":%d}", HOST__PROTOCOL);
    COR_TRY(cor_conversation_say(talk, error));
    return cor_conversation_hear(talk, 0, error);
}

/* external.c: begins a request, {"id":7,"CALLED": - the caller writes what is asked. Where no process could
 * be had, nothing will be asked, and the outcome says why. */
static struct cor_bytes *ask_begin(const struct cor_host *host, const char *called) {
    struct host__external_session *session = host__external_session(host);
    session->talk.answer_seconds = session->local.base.definition.answer_seconds;
    if (!cor_lines_started(&session->talk.lines)) {
        /* A process that says who it is, as it did the first time. */
        struct cor_conversation *talk = &session->talk;
        struct cor_error said = COR_NO_ERROR;
        const double begun = cor_now();
        session->first_id = 1;
        enum cor_status status = say_hello(talk, session->local.error);
        cor_conversation_expect_silence(talk);
        if (take_exchange(session, status)) {
            session->local.base.starts++;
            session->local.base.start_seconds += cor_now() - begun;
            if (strcmp(talk->line, session->external->hello) != 0) {
                status = cor_fail(&said, COR_STATUS_INPUT, NULL, NULL,
                                  "a fresh process says otherwise who it is than the first one");
                (void)ask_refuse(session, status, &said);
            }
        }
    }
    return cor_conversation_begin(&session->talk, called);
}

/* What the program said is of no use, or memory is out: the reorganization is over. Returns 0. */
static int ask_refuse(struct host__external_session *session, enum cor_status status,
                      const struct cor_error *said) {
    return take_exchange(session,
                         cor_conversation_garble(&session->talk, status, said, session->local.error));
}

static int host__ask(const struct cor_host *host, const struct cor_field *fields, void *answer) {
    struct host__external_session *session = host__external_session(host);
    struct cor_conversation *talk = &session->talk;
    struct cor_error said = COR_NO_ERROR;
    ((struct host__answer *)answer)->host = host;
    if (!cor_lines_started(&talk->lines))
        return 0;
    enum cor_status status = cor_conversation_ask(talk, 0, session->local.error);
    cor_conversation_expect_silence(talk);
    session->is_late = talk->answered > 0 && (uint64_t)talk->answered < session->first_id;
    if (!take_exchange(session, status))
        return 0;
    const uint64_t spent = *host->spent;
    const struct cor_fault_counts fault = *host->fault;
    const struct cor_json root = cor_json_root(talk->answer);
    status = cor_json_fields(&root, fields, answer, &said);
    if (status != COR_OK && !session->local.is_over) {
        *host->spent = spent; /* what cannot be read counts for nothing, however much of it came before */
        *host->fault = fault;
        return ask_refuse(session, status, &said);
    }
    return !session->local.is_over;
}

static struct cor_lines_definition lines_of(const struct host__external *external,
                                            const struct cor_session_definition *session) {
    return (struct cor_lines_definition){.command = external->command,
                                         .is_path = external->is_path,
                                         .line_most = COR_LINE_MOST,
                                         .cpu_seconds = session->cpu_seconds,
                                         .is_greeted = true,
                                         .is_walled = true,
                                         .is_full = session->is_full,
                                         .memory_bytes = cor_address_space(session->memory_limit),
                                         .traffic = external->traffic,
                                         .digest = external->digest};
}

static enum cor_status open_session(struct cor_session *base, struct cor_error *error) {
    struct host__external_session *session = (struct host__external_session *)base;
    session->external = host__external_of(base->algorithm);
    session->first_id = 1;
    base->definition.strict = 0; /* there is nothing of its in this process */
    const struct cor_lines_definition lines = lines_of(session->external, &base->definition);
    COR_TRY(cor_conversation_init(&session->talk, &lines, base->definition.answer_seconds, error));
    return host__local_kind.open(base, error);
}

static void close_session(struct cor_session *base) {
    struct host__external_session *session = (struct host__external_session *)base;
    cor_conversation_part(&session->talk);
    cor_conversation_fini(&session->talk);
    cor_session_memory_fini(&session->before);
    host__local_kind.close(base);
}

/* In a process that was asked before, an answer to what it was asked then says nothing of this
 * reorganization: that one is asked for in a fresh process. */
static enum cor_status reorganize(struct cor_session *base, const struct cor_task *task,
                                  const struct cor_stream_name *name, struct cor_outcome *outcome,
                                  struct cor_error *error) {
    struct host__external_session *session = (struct host__external_session *)base;
    if (base->wants_fresh || base->definition.is_fresh)
        cor_conversation_part(&session->talk);
    base->wants_fresh = false;
    session->is_late = false;
    if (!cor_lines_started(&session->talk.lines))
        return host__local_kind.reorganize(base, task, name, outcome, error);
    session->first_id = session->talk.id + 1;
    COR_TRY(cor_session_save(base, &session->before, error));
    COR_TRY(host__local_kind.reorganize(base, task, name, outcome, error));
    if (!session->is_late)
        return COR_OK;
    COR_TRY(cor_session_restore(base, &session->before, error));
    host__outcome_clear(base, outcome);
    COR_TRY(host__local_kind.reorganize(base, task, name, outcome, error));
    outcome->has_late = true;
    return COR_OK;
}

const struct host__session_kind host__external_kind = {.size = sizeof(struct host__external_session),
                                                       .open = open_session,
                                                       .close = close_session,
                                                       .reorganize = reorganize};

/* A shared object is an ELF file that asks for no interpreter: without one, or with another format, the
 * kernel can start it. */
static bool is_shared_object(FILE *file) {
    Elf64_Ehdr head;
    if (fread(&head, sizeof head, 1, file) != 1 || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return false;
    if (head.e_type != ET_DYN || fseek(file, (long)head.e_phoff, SEEK_SET) != 0)
        return head.e_type != ET_EXEC;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr segment;
        if (fread(&segment, sizeof segment, 1, file) != 1 || segment.p_type == PT_INTERP)
            return false;
    }
    return true;
}

bool cor_is_program_file(const char *path) {
    FILE *file = access(path, X_OK) == 0 ? fopen(path, "rb") : NULL;
    bool is_program = file && !is_shared_object(file);
    if (file)
        fclose(file);
    return is_program;
}

enum cor_status host__external_check_module(const char *path, struct cor_error *error) {
    unsigned char begin[SELFMAG] = {0};
    struct stat there;
    const char *ending = strrchr(path, '.');
    if (ending && strcmp(ending, ".so") == 0)
        return COR_OK; /* meant as a module: loading it says what is wrong */
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode) || access(path, X_OK) == 0)
        return COR_OK;
    FILE *file = fopen(path, "rb");
    const size_t got = file ? fread(begin, 1, sizeof begin, file) : SELFMAG;
    if (file)
        fclose(file);
    return got == 0 || !file || memcmp(begin, ELFMAG, SELFMAG) == 0 ? COR_OK
                                                                    : cor_refuse_not_executable(path, error);
}

static enum cor_status introduce(struct host__external *external, struct cor_error *error) {
    static const char remedy[] = "a program answers {\"id\":1,\"hello\":{..}} as corridor-protocol(7) says";
    COR_FINISHED(cor_conversation) struct cor_conversation talk = {0};
    struct cor_error said = COR_NO_ERROR;
    struct cor_session_definition session = cor_default_session(NULL);
    session.is_full = external->is_full;
    const struct cor_lines_definition definition = lines_of(external, &session);
    enum cor_status status = cor_conversation_init(&talk, &definition, session.answer_seconds, error);
    if (status == COR_OK)
        status = cor_lines_check(&talk.lines, error);
    if (status == COR_OK)
        status = say_hello(&talk, error);
    if (status == COR_OK && talk.exchange == COR_EXCHANGE_WELL)
        status = cor_made(external->hello = cor_strdup(talk.line), error);
    if (status == COR_OK && talk.exchange == COR_EXCHANGE_WELL) {
        status = external_declare(external, &said);
        if (status == COR_STATUS_INPUT || status == COR_STATUS_MEMORY)
            status = cor_conversation_garble(&talk, status, &said, error);
        else if (status != COR_OK)
            *error = said;
    }
    if (status == COR_OK && talk.exchange != COR_EXCHANGE_WELL)
        status = cor_conversation_refuse(&talk, remedy, error);
    return status;
}

enum cor_status host__external_open(const struct host__external_definition *definition,
                                    struct host__external **external, struct cor_error *error) {
    struct host__external *made = *external = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->is_path = definition->is_path;
    made->is_full = definition->is_full;
    made->traffic = definition->traffic;
    made->digest = definition->digest;
    enum cor_status status = cor_made(made->command = cor_strdup(definition->command), error);
    if (status == COR_OK)
        status = introduce(made, error);
    if (status == COR_OK)
        return COR_OK;
    host__external_close(made);
    *external = NULL;
    return status;
}
