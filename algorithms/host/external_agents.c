/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decentralised algorithms that are programs: a handler is a request that names one agent, with its values
 * and its state, and the answer brings the state that it has then. The state of an agent is JSON text, which
 * the host keeps in the arena: the program need not remember whom it was asked about. */
#include "external.h"

#include <stdlib.h>
#include <string.h>

/* What lies in cor_agent.state. */
struct agent_text {
    char *bytes; /* in the arena; NULL: null */
    size_t size, capacity;
};

static enum cor_status store(const struct cor_host *host, const struct cor_agent *agent,
                             const struct cor_json *json, struct cor_error *error) {
    struct agent_text *kept = agent->state;
    char *text = cor_json_text(json);
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
    free(text);
    return kept->bytes ? COR_OK : COR_STATUS_INPUT; /* the limit: the outcome says so */
}

static void put_state(struct cor_bytes *request, const struct cor_agent *agent) {
    const struct agent_text *kept = agent->state;
    if (kept->bytes)
        cor_bytes_put(request, kept->bytes, kept->size);
    else
        host__line_put(request, "null");
}

/* {"id":7,"wake":{..: what an agent may know. The caller closes both. */
static struct cor_bytes *begin_handler(const struct cor_agent *me, const struct cor_rules *rules,
                                       const struct cor_host *host, const char *called) {
    struct cor_bytes *request = host__ask_begin(host, called);
    host__line_put(request, "{\"agent\":");
    host__line_integer(request, me->id);
    host__line_put(request, ",\"values\":[");
    for (uint32_t column = 0; column < rules->value_count; column++) {
        if (column > 0)
            host__line_put(request, ",");
        host__line_real(request, me->values[column]);
    }
    host__line_put(request, "],");
    host__request_rules(request, rules, host__ask_algorithm(host));
    host__line_put(request, ",\"seed\":");
    host__line_word(request, cor_random_word(me->random));
    host__line_put(request, ",\"state\":");
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
    for (size_t i = 0; i < cor_json_size(json); i++) {
        struct cor_json item = cor_json_at(json, i);
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
    host__line_put(request, "}");
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
    host__line_put(request, ",\"message\":{\"from\":");
    host__line_integer(request, message->from);
    host__line_put(request, ",\"kind\":");
    host__line_integer(request, message->kind);
    host__line_put(request, ",\"data\":");
    cor_bytes_put(request, message->payload, message->size);
    host__line_put(request, "}");
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
    struct cor_bytes *request = host__ask_begin(host, "begin");
    host__request_task(request, task, host__ask_algorithm(host), host);
    return host__ask(host, begun_fields, &begun) ? COR_CONTINUE : COR_FAILED;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state;
    struct cor_bytes *request = host__ask_begin(host, "result");
    host__line_put(request, "{\"states\":[");
    for (uint32_t i = 0; i < task->agent_count; i++) {
        if (i > 0)
            host__line_put(request, ",");
        put_state(request, host->agent(host, i));
    }
    host__line_put(request, "]}");
    return host__ask_solution(host);
}

void host__external_agents(struct cor_algorithm *algorithm, bool restarts) {
    algorithm->agent_size = sizeof(struct agent_text);
    algorithm->begin = begin;
    algorithm->wake = wake;
    algorithm->receive = receive;
    algorithm->restart = restarts ? restart : NULL;
    algorithm->result = result;
}

bool host__external_is_of_agents(const struct cor_algorithm *algorithm) {
    return algorithm->receive == receive;
}
