/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program in another language says of itself in its hello (docs/look-up/process-programs.md), as the
 * description that a module has. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/json.h>

#include <stdlib.h>
#include <string.h>

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

static enum cor_status take_values(struct processes__declared *declared, const struct cor_json *list,
                                   uint32_t a, struct cor_error *said) {
    struct cor_process_attribute *attribute = &declared->attributes[a];
    COR_TRY(cor_json_expect_array(list, 1, MOST, said));
    attribute->type = COR_PROCESS_WORD;
    attribute->words = declared->values[a];
    for (size_t i = 0; i < cor_json_size(list); i++) {
        const struct cor_json item = cor_json_at(list, i);
        COR_TRY(cor_json_string(&item, &declared->values[a][attribute->word_count++], said));
    }
    return COR_OK;
}

static enum cor_status take_type(struct processes__declared *declared, const struct cor_json *json,
                                 uint32_t a, struct cor_error *said) {
    static const char *const types[] = {"integer", "real", "agents", NULL};
    static const enum cor_process_attribute_type numbers[] = {COR_PROCESS_COUNT, COR_PROCESS_REAL,
                                                              COR_PROCESS_SET};
    int index;
    if (cor_json_is_array(json))
        return take_values(declared, json, a, said);
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

enum cor_status processes__declared_read(const char *line, const char *name,
                                         struct processes__declared **made, struct cor_process *description,
                                         struct cor_error *said) {
    static const char *const keys[] = {"id",       "process", "version", "meaning", "attributes", "channels",
                                       "messages", "inputs",  "faults",  "leader",  "alarms",     NULL};
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
    return take_leader(declared, &hello, description, said);
}

void processes__declared_destroy(struct processes__declared *declared) {
    if (!declared)
        return;
    cor_json_destroy(declared->hello);
    free(declared);
}
