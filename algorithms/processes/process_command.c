/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program in another language says of itself in its hello (docs/look-up/process-programs.md), as the
 * description that a module has. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/conversation.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/guest_files.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST COR_PROCESS_ATTRIBUTES_MAX

/* All that it named; texts are those of the hello. */
struct processes__declared {
    struct cor_json_document *hello; /* owned */
    struct cor_process_attribute attributes[MOST];
    struct cor_process_name channels[MOST], faults[MOST], alarms[MOST];
    struct cor_process_message messages[MOST];
    struct cor_process_input inputs[MOST];
    const char *values[MOST][MOST + 1]; /* [attribute]: the words of it */
};

static enum cor_status take_text(const struct cor_json *json, const char *key, const char **text,
                                 struct cor_error *said) {
    struct cor_json member;
    return cor_json_find(json, key, &member) ? cor_json_string(&member, text, said) : COR_OK;
}

static enum cor_status take_type(struct processes__declared *declared, const struct cor_json *json,
                                 uint32_t a, struct cor_error *said) {
    static const char *const types[] = {"integer", "real", "agents", NULL};
    static const enum cor_process_attribute_type numbers[] = {COR_PROCESS_COUNT, COR_PROCESS_REAL,
                                                              COR_PROCESS_SET};
    int index;
    if (cor_json_is_array(json)) {
        struct cor_process_attribute *attribute = &declared->attributes[a];
        COR_TRY(cor_json_expect_array(json, 1, MOST, said));
        attribute->type = COR_PROCESS_WORD;
        attribute->words = declared->values[a];
        COR_JSON_CHILDREN(item, json)
            COR_TRY(cor_json_string(&item, &declared->values[a][attribute->word_count++], said));
        return COR_OK;
    }
    COR_TRY(cor_json_one_of(json, types, "type of an attribute", &index, said));
    declared->attributes[a].type = numbers[index];
    return COR_OK;
}

/* "integer", a list of words, or {"type": of these, "unit": .., "meaning": ..}. */
static enum cor_status take_attribute(struct processes__declared *declared, const struct cor_json *json,
                                      uint32_t a, struct cor_error *said) {
    static const char *const keys[] = {"type", "unit", "meaning", NULL};
    struct cor_process_attribute *attribute = &declared->attributes[a];
    struct cor_json type;
    attribute->name = json->key;
    if (!cor_json_is_object(json))
        return take_type(declared, json, a, said);
    COR_TRY(cor_json_expect_object(json, keys, said));
    COR_TRY(cor_json_need(json, "type", &type, said));
    COR_TRY(take_text(json, "unit", &attribute->unit, said));
    COR_TRY(take_text(json, "meaning", &attribute->meaning, said));
    return take_type(declared, &type, a, said);
}

/* A meaning, or an object with it and more. */
static enum cor_status take_meaning(const struct cor_json *json, const char *const *keys, const char **name,
                                    const char **meaning, struct cor_error *said) {
    *name = json->key;
    if (!keys || !cor_json_is_object(json))
        return cor_json_string(json, meaning, said);
    COR_TRY(cor_json_expect_object(json, keys, said));
    return take_text(json, "meaning", meaning, said);
}

static enum cor_status take_channel(struct processes__declared *declared, const struct cor_json *json,
                                    uint32_t c, struct cor_error *said) {
    struct cor_process_name *channel = &declared->channels[c];
    return take_meaning(json, NULL, &channel->name, &channel->meaning, said);
}

static enum cor_status take_fault(struct processes__declared *declared, const struct cor_json *json,
                                  uint32_t f, struct cor_error *said) {
    struct cor_process_name *fault = &declared->faults[f];
    return take_meaning(json, NULL, &fault->name, &fault->meaning, said);
}

static enum cor_status take_alarm(struct processes__declared *declared, const struct cor_json *json,
                                  uint32_t a, struct cor_error *said) {
    struct cor_process_name *alarm = &declared->alarms[a];
    return take_meaning(json, NULL, &alarm->name, &alarm->meaning, said);
}

static enum cor_status take_message(struct processes__declared *declared, const struct cor_json *json,
                                    uint32_t m, struct cor_error *said) {
    static const char *const keys[] = {"meaning", "ballot", NULL};
    struct cor_process_message *message = &declared->messages[m];
    struct cor_json member;
    bool is_ballot = false;
    COR_TRY(take_meaning(json, keys, &message->name, &message->meaning, said));
    if (cor_json_find(json, "ballot", &member))
        COR_TRY(cor_json_bool(&member, &is_ballot, said));
    message->ballot = is_ballot;
    return COR_OK;
}

static enum cor_status take_input(struct processes__declared *declared, const struct cor_json *json,
                                  uint32_t i, struct cor_error *said) {
    static const char *const keys[] = {"meaning", "weight", "bytes", NULL};
    struct cor_process_input *input = &declared->inputs[i];
    struct cor_json member;
    int64_t weight = 1, bytes = 0;
    COR_TRY(take_meaning(json, keys, &input->name, &input->meaning, said));
    if (cor_json_find(json, "weight", &member))
        COR_TRY(cor_json_integer(&member, 0, 1000000, &weight, said));
    if (cor_json_find(json, "bytes", &member))
        COR_TRY(cor_json_integer(&member, 0, PROCESSES__INPUT_BYTES, &bytes, said));
    input->weight = (uint32_t)weight;
    input->bytes = (uint32_t)bytes;
    return COR_OK;
}

static enum cor_status take_all(struct processes__declared *declared, const struct cor_json *hello,
                                const char *key,
                                enum cor_status (*take)(struct processes__declared *, const struct cor_json *,
                                                        uint32_t, struct cor_error *),
                                uint32_t *count, struct cor_error *said) {
    struct cor_json list;
    if (!cor_json_find(hello, key, &list))
        return COR_OK;
    COR_TRY(cor_json_expect_object(&list, NULL, said));
    if (cor_json_size(&list) > MOST)
        return cor_json_fail(&list, said, NULL, "has %zu %s, and can have %u", cor_json_size(&list), key,
                             MOST);
    for (; *count < cor_json_size(&list); ++*count) {
        const struct cor_json item = cor_json_at(&list, *count);
        COR_TRY(take(declared, &item, *count, said));
    }
    return COR_OK;
}

/* {"role": "leader"}: an attribute of words, and one of these. */
static enum cor_status take_leader(const struct processes__declared *declared, const struct cor_json *hello,
                                   struct cor_process *description, struct cor_error *said) {
    const char *names[MOST + 1] = {NULL};
    struct cor_json leader;
    int index;
    description->leader_attribute = description->attribute_count;
    if (!cor_json_find(hello, "leader", &leader))
        return COR_OK;
    COR_TRY(cor_json_expect_object(&leader, NULL, said));
    if (cor_json_size(&leader) != 1)
        return cor_json_fail(&leader, said, NULL, "has %zu members, expected one: an attribute and its word",
                             cor_json_size(&leader));
    for (uint32_t a = 0; a < description->attribute_count; a++)
        names[a] = declared->attributes[a].word_count > 0 ? declared->attributes[a].name : "";
    const struct cor_json word = cor_json_at(&leader, 0);
    for (uint32_t a = 0; a < description->attribute_count; a++)
        if (strcmp(names[a], word.key) == 0)
            description->leader_attribute = a;
    if (description->leader_attribute == description->attribute_count)
        return cor_json_fail(&word, said, NULL, "\"%.40s\" is no attribute of words", word.key);
    COR_TRY(cor_json_one_of(&word, declared->values[description->leader_attribute], "word", &index, said));
    description->leader_value = (uint32_t)index;
    return COR_OK;
}

/* A program in another language is asked by lines alone. */
static uint32_t no_domain(const struct cor_process_host *host, uint32_t variable) {
    (void)host, (void)variable;
    return 0;
}

static uint32_t no_reads(const struct cor_process_host *host, uint32_t *processes) {
    (void)host, (void)processes;
    return 0;
}

static uint32_t no_rule(const struct cor_process_host *host, const uint32_t *const *views, uint32_t *next) {
    (void)host, (void)views, (void)next;
    return 0;
}

static void no_save(const void *me, uint32_t *values) {
    (void)me, (void)values;
}

static void no_restore(void *me, const struct cor_process_host *host, const uint32_t *values) {
    (void)me, (void)host, (void)values;
}

/* "rules": true: it has rules in the place of messages; "variables": true: beside them. What variables it has
 * is asked of each process. */
static enum cor_status take_rules(const struct cor_json *hello, struct cor_process *description,
                                  struct cor_error *said) {
    struct cor_json member;
    bool are_there = false, declares = false;
    if (cor_json_find(hello, "rules", &member))
        COR_TRY(cor_json_bool(&member, &are_there, said));
    if (cor_json_find(hello, "variables", &member))
        COR_TRY(cor_json_bool(&member, &declares, said));
    if (declares) {
        description->domain = no_domain;
        description->save = no_save;
        description->restore = no_restore;
    }
    if (!are_there)
        return COR_OK;
    description->start = NULL;
    description->receive = NULL;
    description->alarm = NULL;
    description->completed = NULL;
    description->input = NULL;
    description->observe = NULL;
    description->domain = no_domain;
    description->reads = no_reads;
    description->rule = no_rule;
    return COR_OK;
}

static enum cor_status declared_read(const char *line, const char *name, struct processes__declared **made,
                                     struct cor_process *description, struct cor_error *said) {
    static const char *const keys[] = {"id",       "process",  "version",   "meaning", "attributes",
                                       "channels", "messages", "inputs",    "faults",  "leader",
                                       "alarms",   "rules",    "variables", NULL};
    struct processes__declared *declared = cor_calloc(1, sizeof *declared);
    struct cor_json process;
    *made = declared;
    COR_TRY(cor_made(declared, said));
    COR_TRY(cor_json_parse(line, name, &declared->hello, said));
    const struct cor_json hello = cor_json_root(declared->hello);
    COR_TRY(cor_json_expect_object(&hello, keys, said));
    COR_TRY(cor_json_need(&hello, "process", &process, said));
    COR_TRY(cor_json_string(&process, &description->name, said));
    description->version = "";
    COR_TRY(take_text(&hello, "version", &description->version, said));
    COR_TRY(take_text(&hello, "meaning", &description->meaning, said));
    COR_TRY(take_all(declared, &hello, "attributes", take_attribute, &description->attribute_count, said));
    COR_TRY(take_all(declared, &hello, "channels", take_channel, &description->channel_count, said));
    COR_TRY(take_all(declared, &hello, "messages", take_message, &description->message_count, said));
    COR_TRY(take_all(declared, &hello, "inputs", take_input, &description->input_count, said));
    COR_TRY(take_all(declared, &hello, "faults", take_fault, &description->fault_count, said));
    COR_TRY(take_all(declared, &hello, "alarms", take_alarm, &description->alarm_count, said));
    description->attributes = declared->attributes;
    description->channels = declared->channels;
    description->messages = declared->messages;
    description->inputs = declared->inputs;
    description->faults = declared->faults;
    description->alarms = declared->alarms;
    COR_TRY(take_rules(&hello, description, said));
    return take_leader(declared, &hello, description, said);
}

/* NULL is allowed */
static void declared_destroy(struct processes__declared *declared) {
    if (!declared)
        return;
    cor_json_destroy(declared->hello);
    free(declared);
}

/* ---- programs under test in any language (docs/look-up/process-programs.md): a conversation, as with
 * systems, agents and algorithms that are programs. One child is the host of all processes of a cluster; each
 * call is a line, its answer says what the process asked of the host and what it shows now. What it says
 * wrong, that it is gone or does not come back is the end of the run, like all else that a process does wrong
 */

#define PROTOCOL 1
#define REMEDY \
    "a program answers its hello with {\"id\":1,\"process\":\"NAME\",..}: docs/look-up/process-programs.md"
#define DEEDS_MOST 100000u /* in one answer */
#define TICKETS_MOST (INT64_C(1) << 53)

/* What is said of it holds for all of its children. */
struct processes__command {
    struct cor_process_definition asked; /* but for its texts: */
    char *line;                          /* owned; as it is started, */
    char *digest, *hello;                /* of its files, NULL: not known; what it answered first */
    struct processes__declared *declared;
    const char *messages[COR_PROCESS_ATTRIBUTES_MAX + 1], *channels[COR_PROCESS_ATTRIBUTES_MAX + 1];
};

struct processes__talk {
    const struct processes__command *command; /* borrowed */
    const char *fault;                        /* its word; NULL: none */
    uint32_t process_count;
    pid_t starter; /* process of ours that it was started in */
    struct cor_conversation conversation;
    struct cor_bytes bytes; /* of what is written at the moment */
};

/* `me`: what a process showed last. */
struct shown {
    union cor_process_value values[COR_PROCESS_ATTRIBUTES_MAX];
};

/* What is wrong with an answer, and where in it. */
static enum cor_status garble(struct cor_conversation *conversation, enum cor_status status,
                              const struct cor_error *said, struct cor_error *error) {
    const char *pointer = strstr(said->place, ": /");
    struct cor_error placed = *said;
    if (pointer && pointer[3])
        snprintf(placed.cause, sizeof placed.cause, "%.60s %.900s", pointer + 2, said->cause);
    return cor_conversation_garble(conversation, status, &placed, error);
}

/* ---- hello */

static enum cor_status ask_hello(struct cor_conversation *conversation, uint32_t process_count,
                                 const char *fault, struct cor_error *error) {
    struct cor_bytes *request = cor_conversation_begin(conversation, "hello");
    cor_bytes_print(request, "{\"protocol\":%d", PROTOCOL);
    if (process_count > 0)
        cor_bytes_print(request, ",\"count\":%" PRIu32, process_count);
    if (fault)
        cor_bytes_print(request, ",\"fault\":\"%s\"", fault);
    cor_bytes_print(request, "}");
    return cor_conversation_ask(conversation, 0, error);
}

static enum cor_status init_conversation(const struct processes__command *command,
                                         struct cor_conversation *conversation, struct cor_error *error) {
    const struct cor_process_definition *asked = &command->asked;
    struct cor_lines_definition lines = cor_lines_guest(
        command->line, COR_LINE_MOST, asked->is_free, asked->is_full,
        cor_address_space(asked->memory_bytes ? asked->memory_bytes : COR_GUEST_MEMORY), asked->traffic);
    lines.digest = command->digest;
    return cor_conversation_init(conversation, &lines, asked->answer_seconds, error);
}

static enum cor_status declare(struct processes__command *command, struct cor_conversation *conversation,
                               struct cor_process *description, struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    COR_TRY(cor_lines_check(&conversation->lines, error));
    COR_TRY(cor_conversation_start(conversation, error));
    COR_TRY(ask_hello(conversation, 0, NULL, error));
    if (conversation->exchange == COR_EXCHANGE_WELL) {
        COR_TRY(cor_made(command->hello = cor_strdup(conversation->line), error));
        const enum cor_status status =
            declared_read(command->hello, "answer", &command->declared, description, &said);
        if (status != COR_OK)
            COR_TRY(garble(conversation, status, &said, error));
        cor_conversation_expect_silence(conversation);
    }
    if (conversation->exchange != COR_EXCHANGE_WELL)
        return cor_conversation_refuse(conversation, REMEDY, error);
    cor_conversation_part(conversation);
    return COR_OK;
}

static enum cor_status digest_files(struct processes__command *command, struct cor_error *error) {
    if (cor_traffic_replays(command->asked.traffic)) {
        const char *recorded = cor_traffic_digest(command->asked.traffic, command->line);
        return recorded && strcmp(recorded, "-") != 0
                   ? cor_made(command->digest = cor_strdup(recorded), error)
                   : COR_OK;
    }
    COR_FINISHED(cor_guest_files) struct cor_guest_files files = {0};
    enum cor_status status = cor_guest_files(&files, command->line, false, error);
    if (status == COR_OK && files.digest)
        status = cor_made(command->digest = cor_strdup(files.digest), error);
    return status;
}

/* ---- calls */

static const char *const deeds[] = {"send",   "alarm",  "cell",     "write", "tell", "call",
                                    "return", "failed", "complain", "said",  NULL};

/* A value, as the bytes that the host keeps of it: its text. */
static enum cor_status take_value(struct processes__talk *talk, const struct cor_json *json,
                                  const void **bytes, uint32_t *size, struct cor_error *said) {
    struct cor_json value;
    *bytes = NULL;
    *size = 0;
    if (!cor_json_find(json, "value", &value))
        return COR_OK;
    COR_FREED char *text = cor_json_text(&value);
    COR_TRY(cor_made(text, said));
    cor_bytes_clear(&talk->bytes);
    cor_bytes_print(&talk->bytes, "%s", text);
    *bytes = cor_bytes_text(&talk->bytes);
    *size = (uint32_t)talk->bytes.size;
    return talk->bytes.status == COR_OK ? COR_OK : cor_fail_memory(said);
}

static enum cor_status need_number(const struct cor_json *json, const char *key, int64_t most,
                                   int64_t *number, struct cor_error *said) {
    struct cor_json member;
    COR_TRY(cor_json_need(json, key, &member, said));
    return cor_json_integer(&member, 0, most, number, said);
}

static enum cor_status need_word(const struct cor_json *json, const char *key, const char *const *words,
                                 const char *what, int *index, struct cor_error *said) {
    struct cor_json member;
    COR_TRY(cor_json_need(json, key, &member, said));
    return cor_json_one_of(&member, words, what, index, said);
}

static enum cor_status do_send(struct processes__talk *talk, const struct cor_process_host *host,
                               const struct cor_json *json, struct cor_error *said) {
    const void *bytes;
    uint32_t size;
    int64_t to;
    int kind;
    COR_TRY(need_number(json, "send", UINT32_MAX, &to, said));
    COR_TRY(need_word(json, "kind", talk->command->messages, "kind of message", &kind, said));
    COR_TRY(take_value(talk, json, &bytes, &size, said));
    host->send(host, (uint32_t)to, (uint32_t)kind, bytes, size);
    return COR_OK;
}

static enum cor_status do_alarm(struct processes__talk *talk, const struct cor_process_host *host,
                                const struct cor_json *json, struct cor_error *said) {
    struct cor_json ticks;
    int64_t which, in = 0;
    (void)talk;
    COR_TRY(need_number(json, "alarm", UINT32_MAX, &which, said));
    COR_TRY(cor_json_need(json, "in", &ticks, said));
    if (!cor_json_is_null(&ticks))
        COR_TRY(cor_json_integer(&ticks, 0, INT64_MAX, &in, said));
    host->set_alarm(host, (uint32_t)which, cor_json_is_null(&ticks) ? COR_PROCESS_NEVER : (uint64_t)in);
    return COR_OK;
}

static enum cor_status do_cell(struct processes__talk *talk, const struct cor_process_host *host,
                               const struct cor_json *json, struct cor_error *said) {
    const void *bytes;
    uint32_t size;
    int64_t which;
    COR_TRY(need_number(json, "cell", UINT32_MAX, &which, said));
    COR_TRY(take_value(talk, json, &bytes, &size, said));
    host->cell(host, (uint32_t)which, bytes, size);
    return COR_OK;
}

/* What is written ends with a newline, so that a torn one is known as such. */
static enum cor_status do_write(struct processes__talk *talk, const struct cor_process_host *host,
                                const struct cor_json *json, struct cor_error *said) {
    struct cor_json member;
    const void *bytes;
    uint32_t size;
    int64_t ticket, operation = 0;
    bool forgets = false;
    COR_TRY(need_number(json, "write", TICKETS_MOST, &ticket, said));
    if (cor_json_find(json, "operation", &member))
        COR_TRY(cor_json_integer(&member, 0, COR_PROCESS_FORGETS - 1, &operation, said));
    if (cor_json_find(json, "forgets", &member))
        COR_TRY(cor_json_bool(&member, &forgets, said));
    COR_TRY(take_value(talk, json, &bytes, &size, said));
    if (size == 0)
        cor_bytes_clear(&talk->bytes);
    cor_bytes_print(&talk->bytes, "\n");
    if (talk->bytes.status != COR_OK)
        return cor_fail_memory(said);
    host->write(host, (uint64_t)ticket, (uint32_t)operation | (forgets ? COR_PROCESS_FORGETS : 0),
                cor_bytes_text(&talk->bytes), size + 1);
    return COR_OK;
}

static enum cor_status do_tell(struct processes__talk *talk, const struct cor_process_host *host,
                               const struct cor_json *json, struct cor_error *said) {
    const void *bytes;
    uint32_t size;
    int64_t index;
    int channel;
    COR_TRY(need_word(json, "tell", talk->command->channels, "channel", &channel, said));
    COR_TRY(need_number(json, "index", TICKETS_MOST, &index, said));
    COR_TRY(take_value(talk, json, &bytes, &size, said));
    host->tell(host, (uint32_t)channel, (uint64_t)index, cor_hash_bytes(COR_HASH_SEED, bytes, size));
    return COR_OK;
}

/* What is called on the object of a history, and what comes back; values stay texts. */
static enum cor_status do_call(struct processes__talk *talk, const struct cor_process_host *host,
                               const struct cor_json *json, struct cor_error *said) {
    struct cor_json member;
    const void *bytes;
    const char *operation;
    char *key = NULL;
    uint32_t size;
    int64_t ticket;
    int channel;
    COR_TRY(need_word(json, "call", talk->command->channels, "channel", &channel, said));
    COR_TRY(need_number(json, "id", TICKETS_MOST, &ticket, said));
    COR_TRY(cor_json_need(json, "op", &member, said));
    COR_TRY(cor_json_string(&member, &operation, said));
    COR_TRY(take_value(talk, json, &bytes, &size, said));
    if (cor_json_find(json, "key", &member))
        COR_TRY(cor_made(key = cor_json_text(&member), said));
    host->call(host, (uint32_t)channel, (uint64_t)ticket, operation, key, bytes);
    free(key);
    return COR_OK;
}

static enum cor_status do_return(struct processes__talk *talk, const struct cor_process_host *host,
                                 const struct cor_json *json, struct cor_error *said) {
    const void *bytes;
    uint32_t size;
    int64_t ticket;
    COR_TRY(need_number(json, "return", TICKETS_MOST, &ticket, said));
    COR_TRY(take_value(talk, json, &bytes, &size, said));
    host->answered(host, (uint64_t)ticket, COR_PROCESS_DONE, bytes);
    return COR_OK;
}

static enum cor_status do_failed(struct processes__talk *talk, const struct cor_process_host *host,
                                 const struct cor_json *json, struct cor_error *said) {
    int64_t ticket;
    (void)talk;
    COR_TRY(need_number(json, "failed", TICKETS_MOST, &ticket, said));
    host->answered(host, (uint64_t)ticket, COR_PROCESS_FAILED, NULL);
    return COR_OK;
}

static enum cor_status need_sentence(const struct cor_json *json, const char *key, const char **sentence,
                                     struct cor_error *said) {
    struct cor_json member;
    COR_TRY(cor_json_need(json, key, &member, said));
    return cor_json_string(&member, sentence, said);
}

static enum cor_status do_complain(struct processes__talk *talk, const struct cor_process_host *host,
                                   const struct cor_json *json, struct cor_error *said) {
    const char *sentence;
    (void)talk;
    COR_TRY(need_sentence(json, "complain", &sentence, said));
    host->complain(host, sentence);
    return COR_OK;
}

static enum cor_status do_say(struct processes__talk *talk, const struct cor_process_host *host,
                              const struct cor_json *json, struct cor_error *said) {
    const char *sentence;
    (void)talk;
    COR_TRY(need_sentence(json, "said", &sentence, said));
    host->say(host, sentence);
    return COR_OK;
}

static const struct {
    const char *keys[6];
    enum cor_status (*make)(struct processes__talk *, const struct cor_process_host *,
                            const struct cor_json *, struct cor_error *);
} rows[] = {{{"send", "kind", "value"}, do_send},  {{"alarm", "in"}, do_alarm},
            {{"cell", "value"}, do_cell},          {{"write", "operation", "value", "forgets"}, do_write},
            {{"tell", "index", "value"}, do_tell}, {{"call", "op", "key", "value", "id"}, do_call},
            {{"return", "value"}, do_return},      {{"failed"}, do_failed},
            {{"complain"}, do_complain},           {{"said"}, do_say}};
_Static_assert(sizeof rows / sizeof *rows + 1 == sizeof deeds / sizeof *deeds, "a row for each deed");

static enum cor_status make_deed(struct processes__talk *talk, const struct cor_process_host *host,
                                 const struct cor_json *json, struct cor_error *said) {
    struct cor_json member;
    size_t row = 0;
    while (deeds[row] && !cor_json_find(json, deeds[row], &member))
        row++;
    if (!deeds[row])
        return cor_json_fail(
            json, said, NULL,
            "says none of send, alarm, cell, write, tell, call, return, failed, complain, said");
    COR_TRY(cor_json_expect_object(json, rows[row].keys, said));
    return rows[row].make(talk, host, json, said);
}

static enum cor_status show_set(const struct cor_json *json, uint64_t *set, struct cor_error *said) {
    *set = 0;
    COR_TRY(cor_json_expect_array(json, 0, COR_PROCESSES_MAX, said));
    COR_JSON_CHILDREN(item, json) {
        int64_t process;
        COR_TRY(cor_json_integer(&item, 0, 63, &process, said));
        *set |= UINT64_C(1) << process;
    }
    return COR_OK;
}

enum cor_status processes__show_value(const struct cor_process_attribute *attribute,
                                      const struct cor_json *json, union cor_process_value *value,
                                      struct cor_error *said) {
    int64_t number = 0;
    int word = 0;
    *value = (union cor_process_value){0};
    switch ((enum cor_process_attribute_type)attribute->type) {
    case COR_PROCESS_COUNT:
        COR_TRY(cor_json_integer(json, 0, INT64_C(1) << 53, &number, said));
        value->count = (uint64_t)number;
        return COR_OK;
    case COR_PROCESS_REAL:
        return cor_json_real(json, -1.7976931348623157e308, 1.7976931348623157e308, &value->real, said);
    case COR_PROCESS_WORD:
        COR_TRY(cor_json_one_of(json, attribute->words, "word", &word, said));
        value->count = (uint64_t)word;
        return COR_OK;
    case COR_PROCESS_SET:
        break;
    }
    return show_set(json, &value->count, said);
}

/* All attributes when it starts, later those that have changed. */
static enum cor_status show(struct shown *me, const struct cor_process *program, const struct cor_json *json,
                            bool starts, struct cor_error *said) {
    const char *names[COR_PROCESS_ATTRIBUTES_MAX + 1] = {NULL};
    uint32_t missing = (uint32_t)((UINT64_C(1) << program->attribute_count) - 1);
    for (uint32_t a = 0; a < program->attribute_count; a++)
        names[a] = program->attributes[a].name;
    COR_TRY(cor_json_expect_object(json, names, said));
    for (uint32_t a = 0; a < program->attribute_count; a++) {
        struct cor_json member;
        if (!cor_json_find(json, names[a], &member))
            continue;
        COR_TRY(processes__show_value(&program->attributes[a], &member, &me->values[a], said));
        missing &= ~(1u << a);
    }
    if (starts && missing)
        return cor_json_fail(json, said, NULL, "lacks \"%s\": a process that starts shows all attributes",
                             names[__builtin_ctz(missing)]);
    return COR_OK;
}

static enum cor_status read_answer(struct processes__talk *talk, struct processes__member *member,
                                   const struct cor_json *answer, bool starts, struct cor_error *said) {
    static const char *const keys[] = {"id", "did", "shows", "failed", NULL};
    const struct cor_cluster *cluster = member->cluster;
    struct cor_json list;
    const char *why;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    if (cor_json_find(answer, "failed", &list)) {
        COR_TRY(cor_json_string(&list, &why, said));
        processes__end(member, COR_PROCESS_END_ABORT, "%.400s", why);
        return COR_OK;
    }
    if (cor_json_find(answer, "did", &list)) {
        COR_TRY(cor_json_expect_array(&list, 0, DEEDS_MOST, said));
        for (size_t i = 0; i < cor_json_size(&list) && cluster->end == COR_PROCESS_END_NONE; i++) {
            const struct cor_json item = cor_json_at(&list, i);
            COR_TRY(make_deed(talk, &member->host, &item, said));
        }
    }
    if (cor_json_find(answer, "shows", &list))
        return show(member->me, cluster->program, &list, starts, said);
    if (starts && cluster->program->attribute_count > 0)
        return cor_json_fail(answer, said, NULL,
                             "lacks the key \"shows\": a process that starts shows all attributes");
    return COR_OK;
}

/* Why there is no answer, as the end of the run. */
static void end_by(struct processes__member *member, const struct cor_conversation *conversation) {
    switch (conversation->exchange) {
    case COR_EXCHANGE_WELL:
    case COR_EXCHANGE_QUIET:
    case COR_EXCHANGE_TROUBLE:
        break;
    case COR_EXCHANGE_LATE:
    case COR_EXCHANGE_CPU_TIME:
        member->cluster->suspect = member; /* the machine may have been slow: all is done again */
        break;
    case COR_EXCHANGE_MEMORY:
        processes__end(member, COR_PROCESS_END_MEMORY, "%s", conversation->words);
        break;
    case COR_EXCHANGE_FLOOD:
    case COR_EXCHANGE_HALF:
    case COR_EXCHANGE_GARBLED:
        processes__end(member, COR_PROCESS_END_GARBLED, "%s", conversation->what);
        break;
    case COR_EXCHANGE_CLOSED:
    case COR_EXCHANGE_EXITED:
    case COR_EXCHANGE_CRASHED:
        member->cluster->was_killed = cor_lines_were_killed(&conversation->lines);
        processes__end(member, COR_PROCESS_END_GONE, "%s", conversation->words);
        break;
    }
}

/* A child that has said hello, as it did first. */
static enum cor_status begin(struct processes__talk *talk, struct cor_error *error) {
    struct cor_conversation *conversation = &talk->conversation;
    talk->starter = getpid();
    COR_TRY(cor_conversation_start(conversation, error));
    COR_TRY(ask_hello(conversation, talk->process_count, talk->fault, error));
    if (conversation->exchange != COR_EXCHANGE_WELL)
        return COR_OK;
    if (strcmp(conversation->line, talk->command->hello) != 0) {
        const struct cor_error said = {.cause = "this is not what it declared when it was started first"};
        COR_TRY(cor_conversation_garble(conversation, COR_STATUS_INPUT, &said, error));
    }
    cor_conversation_expect_silence(conversation);
    cor_conversation_again(conversation);
    return COR_OK;
}

/* ,"now":..: the request is begun. */
static struct cor_bytes *request(struct processes__talk *talk, const struct cor_process_host *host,
                                 const char *verb) {
    struct cor_bytes *line = cor_conversation_begin(&talk->conversation, verb);
    cor_bytes_print(line, "%" PRIu32 ",\"now\":%" PRIu64, host->self, host->now(host));
    return line;
}

static struct processes__member *member_of(const struct cor_process_host *host) {
    return host->data;
}

/* Asks what was begun, and does what the answer says. */
static void ask(struct processes__member *member, bool starts) {
    struct cor_cluster *cluster = member->cluster;
    struct processes__talk *talk = cluster->talk;
    struct cor_conversation *conversation = &talk->conversation;
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status = cor_conversation_ask(conversation, 0, cluster->error);
    if (status == COR_OK && conversation->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(conversation->answer);
        status = read_answer(talk, member, &answer, starts, &said);
        status = status == COR_OK ? COR_OK : garble(conversation, status, &said, cluster->error);
        if (status == COR_OK)
            cor_conversation_expect_silence(conversation);
    }
    processes__note(member, status);
    if (status == COR_OK)
        end_by(member, conversation);
}

static void put_records(struct cor_bytes *line, const char *key, const struct cor_process_record *records,
                        uint32_t count, bool are_cells) {
    cor_bytes_print(line, ",\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        cor_bytes_print(line, i > 0 ? "," : "");
        /* Bytes of a record as JSON; of a torn one what is left, as text. */
        const struct cor_process_record *record = &records[i];
        const char *bytes = record->bytes;
        uint32_t size = record->size;
        const bool is_whole = are_cells || (size > 0 && bytes[size - 1] == '\n');
        cor_bytes_print(line, "{\"%s\":%" PRIu32, are_cells ? "cell" : "operation",
                        record->operation & ~COR_PROCESS_FORGETS);
        if (!is_whole) {
            COR_FREED char *text = cor_format("%.*s", (int)size, bytes);
            while (text && size > 0 && !cor_is_printable(text)) /* half a character */
                text[--size] = '\0';
            cor_bytes_print(line, ",\"torn\":");
            cor_json_print_string(line, text ? text : "");
            line->status = text ? line->status : COR_STATUS_MEMORY;
        } else if (size > (are_cells ? 0 : 1)) {
            cor_bytes_print(line, ",\"value\":");
            cor_bytes_put(line, bytes, are_cells ? size : size - 1);
        }
        cor_bytes_print(line, "}");
    }
    cor_bytes_print(line, "]");
}

static void start(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored) {
    struct processes__member *member = member_of(host);
    struct processes__talk *talk = member->cluster->talk;
    (void)me;
    if (!cor_lines_started(&talk->conversation.lines)) {
        const enum cor_status status = begin(talk, member->cluster->error);
        processes__note(member, status);
        if (status == COR_OK)
            end_by(member, &talk->conversation);
        if (status != COR_OK || talk->conversation.exchange != COR_EXCHANGE_WELL)
            return;
    }
    COR_ASSERT(talk->starter == getpid()); /* else two processes of ours would talk to one child */
    struct cor_bytes *line = request(talk, host, "start");
    cor_bytes_print(line, ",\"seed\":\"0x%016" PRIx64 "\"", host->random(host));
    if (member->cluster->definition.first_count > 0) { /* processes come and go */
        cor_bytes_print(line, ",\"there\":[");
        const char *separator = "";
        for (uint32_t p = 0; p < host->count; p++)
            if (host->there[p / 64] >> p % 64 & 1) {
                cor_bytes_print(line, "%s%u", separator, p);
                separator = ",";
            }
        cor_bytes_print(line, "]");
    }
    put_records(line, "cells", stored->cells, stored->cell_count, true);
    put_records(line, "writes", stored->writes, stored->write_count, false);
    ask(member, true);
}

static void receive(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    struct processes__member *member = member_of(host);
    struct processes__talk *talk = member->cluster->talk;
    struct cor_bytes *line = request(talk, host, "receive");
    (void)me;
    cor_bytes_print(line, ",\"from\":%" PRIu32 ",\"kind\":\"%s\"", from, talk->command->messages[kind]);
    if (size > 0) {
        cor_bytes_print(line, ",\"value\":");
        cor_bytes_put(line, bytes, size);
    }
    ask(member, false);
}

static void alarm_is_due(void *me, const struct cor_process_host *host, uint32_t which) {
    struct processes__member *member = member_of(host);
    (void)me;
    cor_bytes_print(request(member->cluster->talk, host, "alarm"), ",\"which\":%" PRIu32, which);
    ask(member, false);
}

static void completed(void *me, const struct cor_process_host *host, uint64_t ticket, uint32_t status) {
    struct processes__member *member = member_of(host);
    (void)me;
    cor_bytes_print(request(member->cluster->talk, host, "completed"), ",\"ticket\":%" PRIu64 ",\"ok\":%s",
                    ticket, status == COR_PROCESS_DONE ? "true" : "false");
    ask(member, false);
}

static void input(void *me, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    struct processes__member *member = member_of(host);
    const unsigned char *byte = bytes;
    struct cor_bytes *line = request(member->cluster->talk, host, "input");
    (void)me;
    cor_bytes_print(line, ",\"which\":\"%s\"", member->cluster->program->inputs[which].name);
    if (size > 0)
        cor_bytes_print(line, ",\"bytes\":\"");
    for (uint32_t i = 0; i < size; i++)
        cor_bytes_print(line, "%02x", byte[i]);
    if (size > 0)
        cor_bytes_print(line, "\"");
    ask(member, false);
}

static void observe(const void *me, union cor_process_value *values) {
    const struct shown *shown = me;
    memcpy(values, shown->values, sizeof shown->values);
}

/* ---- programs and clusters */

static enum cor_status make_command(const struct cor_process_definition *definition,
                                    struct processes__command *command, struct cor_process *description,
                                    struct cor_error *error) {
    struct cor_conversation conversation;
    COR_ASSERT(definition->answer_seconds > 0);
    command->asked = *definition;
    COR_TRY(cor_made(command->line = cor_strdup(definition->program), error));
    COR_TRY(digest_files(command, error));
    enum cor_status status = init_conversation(command, &conversation, error);
    if (status == COR_OK)
        status = declare(command, &conversation, description, error);
    cor_conversation_fini(&conversation);
    COR_TRY(status);
    for (uint32_t m = 0; m < description->message_count; m++)
        command->messages[m] = description->messages[m].name;
    for (uint32_t c = 0; c < description->channel_count; c++)
        command->channels[c] = description->channels[c].name;
    return COR_OK;
}

enum cor_status processes__command_open(const struct cor_process_definition *definition,
                                        struct cor_process_program *program, struct cor_error *error) {
    COR_TRY(cor_made(program->command = cor_calloc(1, sizeof *program->command), error));
    program->is_apart = true;
    program->description = (struct cor_process){COR_PROCESS,           .state_size = sizeof(struct shown),
                                                .start = start,        .receive = receive,
                                                .alarm = alarm_is_due, .completed = completed,
                                                .input = input,        .observe = observe};
    COR_TRY(make_command(definition, program->command, &program->description, error));
    if (program->command->digest)
        snprintf(program->digest, sizeof program->digest, "%s", program->command->digest);
    return COR_OK;
}

void processes__command_close(struct processes__command *command) {
    if (!command)
        return;
    declared_destroy(command->declared);
    free(command->line);
    free(command->digest);
    free(command->hello);
    free(command);
}

enum cor_status processes__talk_create(const struct cor_process_program *program, uint32_t process_count,
                                       uint32_t fault, struct processes__talk **talk,
                                       struct cor_error *error) {
    struct processes__talk *made = cor_calloc(1, sizeof *made);
    *talk = made;
    COR_TRY(cor_made(made, error));
    made->command = program->command;
    made->process_count = process_count;
    made->fault = fault > 0 ? program->description.faults[fault - 1].name : NULL;
    return init_conversation(made->command, &made->conversation, error);
}

struct cor_bytes *processes__talk_begin(struct processes__talk *talk, const char *verb) {
    return cor_conversation_begin(&talk->conversation, verb);
}

enum cor_status processes__talk_start(struct processes__talk *talk, struct cor_error *error) {
    COR_TRY(begin(talk, error));
    return talk->conversation.exchange == COR_EXCHANGE_WELL
               ? COR_OK
               : cor_conversation_refuse(&talk->conversation, REMEDY, error);
}

enum cor_status processes__talk_ask(struct processes__talk *talk, processes__take_answer *take, void *into,
                                    struct cor_error *error) {
    struct cor_conversation *conversation = &talk->conversation;
    struct cor_error said = COR_NO_ERROR;
    struct cor_json why;
    const char *sentence;
    COR_TRY(cor_conversation_ask(conversation, 0, error));
    if (conversation->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(conversation->answer);
        if (cor_json_find(&answer, "failed", &why) && cor_json_string(&why, &sentence, &said) == COR_OK)
            return cor_fail(error, COR_STATUS_PLUGIN, talk->command->line, NULL, "%.400s", sentence);
        const enum cor_status status = take(&answer, into, &said);
        if (status == COR_STATUS_MEMORY)
            return cor_fail_memory(error);
        if (status != COR_OK) {
            const char *pointer = strstr(said.place, ": /");
            return cor_fail(error, COR_STATUS_PLUGIN, talk->command->line,
                            said.remedy[0] ? said.remedy : NULL, "answered %.200s: %.60s%s%.400s",
                            conversation->line, pointer ? pointer + 2 : "", pointer ? " " : "", said.cause);
        }
        cor_conversation_expect_silence(conversation);
    }
    if (conversation->exchange == COR_EXCHANGE_WELL)
        return COR_OK;
    return cor_fail(error, COR_STATUS_PLUGIN, talk->command->line, NULL, "%s", conversation->words);
}

void processes__talk_again(struct processes__talk *talk) {
    if (talk)
        cor_conversation_again(&talk->conversation);
}

bool processes__talk_lives(const struct processes__talk *talk) {
    return cor_lines_started(&talk->conversation.lines);
}

void processes__talk_forget(struct processes__talk *talk) {
    if (talk && talk->conversation.has_asked)
        cor_conversation_part(&talk->conversation);
}

void processes__talk_destroy(struct processes__talk *talk) {
    if (!talk)
        return;
    cor_conversation_part(&talk->conversation);
    cor_conversation_fini(&talk->conversation);
    cor_bytes_fini(&talk->bytes);
    free(talk);
}
