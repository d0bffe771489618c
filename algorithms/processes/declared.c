/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs with messages that declare what they keep. A process is put into a local state, its variables and
 * the alarms that are set, and given an event; what comes of it depends on nothing else, or something is
 * hidden. So each local state is given each event once, and once more of another child, in another order; and
 * of ordinary runs each step is the same as what was found so. Below, first, what is asked. */

#include "internal.h"

#include <corridor/acts.h>
#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/fields.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A process is put somewhere (RESTORE), starts as ever (START), or goes on from where it is (lives); then
 * something happens to it. */
struct processes__event_asked {
    enum { LOOK, ALARM, RECEIVE } what;
    bool lives;
    uint32_t process, values, alarms; /* alarms: bits, set before */
    uint32_t number, from;            /* the alarm; the message, and who sent it */
};

/* An event that was asked for: the table in the order of questions. */
struct processes__event_known {
    struct processes__event_asked question;
    uint32_t local;
    struct cor_acts_outcome comes; /* of it */
};

struct processes__declared {
    struct cor_process_rules *rules;
    const struct cor_process *program;
    struct cor_acts *acts;
    struct cor_bytes said;
    struct processes__event_asked *questions; /* owned */
    size_t question_count, question_capacity;
    struct processes__event_known *events; /* owned */
    size_t event_count, event_capacity;
    struct {
        uint32_t *next;  /* owned; [local] another local state with the same values, + 1 */
        uint32_t *first; /* owned; [values] a local state, + 1 */
        size_t capacity, values_capacity, set_capacity;
        struct processes__event_known start;
    } of[COR_ACTS_PROCESSES_MAX];
};

/* ---- A process is put somewhere, or goes on, and is given an event: questions in rows, to a child by lines
 * or to a module in a cell; what is said comes as numbers, the same from both */

#define DEEDS_MOST 4096u /* of one event */

/* ---- answers as bytes: 1, values, alarms, ticks of those that were set, sends, what is shown; or 0 and what
 * is wrong */

/* What a process did in an event. */
struct deeds {
    uint32_t alarms, set, send_count; /* set: bits of alarms that were set in it */
    uint64_t ticks[COR_PROCESS_ALARMS_MAX];
    struct cor_bytes sends;
    const char *wrong;
};

static void begin_deeds(struct deeds *deeds, uint32_t alarms) {
    cor_bytes_clear(&deeds->sends);
    deeds->alarms = alarms;
    deeds->set = deeds->send_count = 0;
    deeds->wrong = NULL;
}

/* Which alarms are set when an event begins. */
static uint32_t alarms_at(const struct processes__event_asked *question) {
    return question->alarms & ~(question->what == ALARM ? 1u << question->number : 0);
}

static void put_alarm(struct deeds *deeds, uint32_t which, uint64_t ticks) {
    const uint32_t bit = 1u << which, is_set = ticks == COR_PROCESS_NEVER ? 0 : bit;
    deeds->alarms = (deeds->alarms & ~bit) | is_set;
    deeds->set = (deeds->set & ~bit) | is_set;
    deeds->ticks[which] = ticks;
}

static void put_wrong(struct cor_bytes *said, const char *what) {
    cor_bytes_put_number(said, 0, 1);
    cor_bytes_put_text(said, what);
}

static void put_send(struct cor_bytes *sends, uint32_t to, uint32_t kind, const void *bytes, uint32_t size) {
    cor_bytes_put_number(sends, to, 4);
    cor_bytes_put_number(sends, kind, 4);
    cor_bytes_put_number(sends, size, 4);
    cor_bytes_put(sends, bytes, size);
}

static void put_answer(struct cor_bytes *said, uint32_t values, const struct deeds *deeds,
                       const union cor_process_value *shown, uint32_t attributes) {
    cor_bytes_put_number(said, 1, 1);
    cor_bytes_put_number(said, values, 4);
    cor_bytes_put_number(said, deeds->alarms, 4);
    cor_bytes_put_number(said, deeds->set, 4);
    for (uint32_t left = deeds->set; left != 0; left &= left - 1)
        cor_bytes_put_number(said, deeds->ticks[__builtin_ctz(left)], 8);
    cor_bytes_put_number(said, deeds->send_count, 4);
    if (deeds->sends.size > 0)
        cor_bytes_put(said, deeds->sends.bytes, deeds->sends.size);
    cor_bytes_put(said, shown, attributes * sizeof *shown);
}

/* ---- a program in another language */

struct taking {
    struct processes__declared *declared;
    const struct processes__event_asked *question;
    struct deeds deeds;
};

static enum cor_status take_deed(const struct cor_json *deed, struct taking *taking, struct cor_error *said) {
    static const char *const refused[] = {"cell", "write", "complain"};
    static const char *const what[] = {"writes to a cell", "begins a write", "complains"};
    const struct cor_process *program = taking->declared->program;
    struct cor_json member, other;
    int64_t number;
    for (size_t r = 0; r < sizeof refused / sizeof *refused; r++)
        if (cor_json_find(deed, refused[r], &member))
            taking->deeds.wrong = what[r];
    if (cor_json_find(deed, "alarm", &member)) {
        COR_TRY(cor_json_integer(&member, 0, COR_PROCESS_ALARMS_MAX - 1, &number, said));
        COR_TRY(cor_json_need(deed, "in", &other, said));
        int64_t ticks = 0;
        if (!cor_json_is_null(&other))
            COR_TRY(cor_json_integer(&other, 0, INT64_MAX, &ticks, said));
        put_alarm(&taking->deeds, (uint32_t)number,
                  cor_json_is_null(&other) ? COR_PROCESS_NEVER : (uint64_t)ticks);
    }
    if (!cor_json_find(deed, "send", &member))
        return COR_OK;
    const char *kinds[COR_PROCESS_ATTRIBUTES_MAX + 1] = {NULL};
    int kind;
    for (uint32_t k = 0; k < program->message_count; k++)
        kinds[k] = program->messages[k].name;
    COR_TRY(
        cor_json_integer(&member, 0, taking->declared->rules->definition.process_count - 1, &number, said));
    COR_TRY(cor_json_need(deed, "kind", &other, said));
    COR_TRY(cor_json_one_of(&other, kinds, "kind of message", &kind, said));
    const bool has_value = cor_json_find(deed, "value", &other) && !cor_json_is_null(&other);
    COR_FREED char *text = has_value ? cor_json_text(&other) : cor_strdup("");
    COR_TRY(cor_made(text, said));
    put_send(&taking->deeds.sends, (uint32_t)number, (uint32_t)kind, text, (uint32_t)strlen(text));
    taking->deeds.send_count++;
    return COR_OK;
}

static enum cor_status take_answer(const struct cor_json *answer, void *into, struct cor_error *said) {
    static const char *const keys[] = {"id", "did", "values", "shows", "asks", NULL};
    struct taking *taking = into;
    struct processes__declared *d = taking->declared;
    const struct processes__event_asked *question = taking->question;
    union cor_process_value shown[COR_PROCESS_ATTRIBUTES_MAX] = {{0}};
    struct cor_json member, list;
    uint32_t values = 0;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    begin_deeds(&taking->deeds, alarms_at(question));
    if (cor_json_find(answer, "asks", &member))
        COR_TRY(cor_json_string(&member, &taking->deeds.wrong, said));
    if (cor_json_find(answer, "did", &list)) {
        COR_TRY(cor_json_expect_array(&list, 0, DEEDS_MOST, said));
        COR_JSON_CHILDREN(item, &list)
            COR_TRY(take_deed(&item, taking, said));
    }
    COR_TRY(cor_json_need(answer, "values", &member, said));
    if (taking->deeds.wrong) {
        put_wrong(&d->said, taking->deeds.wrong);
        return COR_OK;
    }
    struct cor_error why = COR_NO_ERROR;
    const enum cor_status status =
        processes__take_values(d->rules, question->process, &member, &values, &why);
    if (status ==
        COR_STATUS_INPUT) { /* a variable has left its range: that is said of the program, not of the line */
        COR_FREED char *text = cor_format("has left what it declares: %s", why.cause);
        put_wrong(&d->said, text ? text : "");
        return COR_OK;
    }
    COR_TRY(status);
    COR_TRY(cor_json_need(answer, "shows", &list, said));
    for (uint32_t a = 0; a < d->program->attribute_count; a++) {
        COR_TRY(cor_json_need(&list, d->program->attributes[a].name, &member, said));
        COR_TRY(processes__show_value(&d->program->attributes[a], &member, &shown[a], said));
    }
    put_answer(&d->said, values, &taking->deeds, shown, d->program->attribute_count);
    return d->said.status == COR_OK && taking->deeds.sends.status == COR_OK ? COR_OK : cor_fail_memory(said);
}

static enum cor_status ask_lines(struct processes__declared *d, struct cor_error *error) {
    struct processes__talk *talk = d->rules->talk;
    struct taking taking = {.declared = d};
    /* Each row of questions has a child of its own; that of the first was asked what it declares. */
    enum cor_status status =
        processes__talk_lives(talk) ? COR_OK : processes__ask_declared(d->rules, talk, false, error);
    for (size_t i = 0; i < d->question_count && status == COR_OK; i++) {
        const struct processes__event_asked *question = taking.question = &d->questions[i];
        struct cor_bytes *line = processes__talk_begin(talk, question->lives ? "live" : "restore");
        cor_bytes_print(line, "%" PRIu32, question->process);
        if (!question->lives) {
            cor_bytes_print(line, ",\"values\":");
            processes__put_values(line, d->rules, question->process, question->values);
        }
        if (question->what == ALARM)
            cor_bytes_print(line, ",\"event\":{\"alarm\":%" PRIu32 "}", question->number);
        if (question->what == RECEIVE) {
            const struct cor_rules_message *message = &d->acts->messages[question->number];
            cor_bytes_print(line, ",\"event\":{\"from\":%" PRIu32 ",\"kind\":", question->from);
            cor_json_print_string(line, d->program->messages[message->kind].name);
            cor_bytes_print(line, ",\"value\":%s}", message->size > 0 ? message->bytes : "null");
        }
        status = processes__talk_ask(talk, take_answer, &taking, error);
    }
    processes__talk_forget(talk);
    cor_bytes_fini(&taking.deeds.sends);
    return status;
}

/* ---- a module: in a cell. A process is its state, and what it has asked memory for. */

struct block {
    struct block *next;
    size_t size;
    max_align_t bytes[];
};

struct living {
    struct cor_process_host host;
    void *me;
    struct block *blocks;
    struct deeds deeds;
    uint32_t kind_count;
};

static struct living *living_of(const struct cor_process_host *host) {
    return host->data;
}

static void do_wrong(const struct cor_process_host *host, const char *what) {
    living_of(host)->deeds.wrong = what;
}

static uint64_t look_at_clock(const struct cor_process_host *host) {
    do_wrong(host, "looks at the clock");
    return 0;
}

static uint64_t draw(const struct cor_process_host *host) {
    do_wrong(host, "draws random numbers");
    return 0;
}

static void send(const struct cor_process_host *host, uint32_t to, uint32_t kind, const void *bytes,
                 uint32_t size) {
    struct living *living = living_of(host);
    if (to >= host->count || kind >= living->kind_count || size > COR_PROCESS_MESSAGE_BYTES_MAX)
        do_wrong(host, "sends to nobody, or what is no message");
    else
        put_send(&living->deeds.sends, to, kind, bytes, size);
    living->deeds.send_count++;
}

static void set_alarm(const struct cor_process_host *host, uint32_t which, uint64_t ticks) {
    if (which >= COR_PROCESS_ALARMS_MAX)
        do_wrong(host, "sets an alarm that there is not");
    else
        put_alarm(&living_of(host)->deeds, which, ticks);
}

static void write_cell(const struct cor_process_host *host, uint32_t which, const void *bytes,
                       uint32_t size) {
    (void)which, (void)bytes, (void)size;
    do_wrong(host, "writes to a cell");
}

static void begin_write(const struct cor_process_host *host, uint64_t ticket, uint32_t operation,
                        const void *bytes, uint32_t size) {
    (void)ticket, (void)operation, (void)bytes, (void)size;
    do_wrong(host, "begins a write");
}

static void tell(const struct cor_process_host *host, uint32_t channel, uint64_t index, uint64_t digest) {
    (void)host, (void)channel, (void)index, (void)digest; /* what is told is no part of a state */
}

static void call_history(const struct cor_process_host *host, uint32_t channel, uint64_t ticket,
                         const char *operation, const char *key, const char *value) {
    (void)host, (void)channel, (void)ticket, (void)operation, (void)key, (void)value;
}

static void answer_history(const struct cor_process_host *host, uint64_t ticket, uint32_t status,
                           const char *value) {
    (void)host, (void)ticket, (void)status, (void)value;
}

static void say_nothing(const struct cor_process_host *host, const char *sentence) {
    (void)host, (void)sentence;
}

static void complain(const struct cor_process_host *host, const char *sentence) {
    (void)sentence;
    do_wrong(host, "complains");
}

static uint32_t choose(const struct cor_process_host *host, uint32_t count) {
    (void)count;
    do_wrong(host, "chooses outside of a rule");
    return 0;
}

static void *take_memory(const struct cor_process_host *host, size_t size) {
    struct living *living = living_of(host);
    struct block *block = size < SIZE_MAX / 2 ? cor_calloc(1, sizeof *block + size) : NULL;
    if (!block)
        return NULL;
    *block = (struct block){living->blocks, size};
    living->blocks = block;
    return block->bytes;
}

static void *resize(const struct cor_process_host *host, void *memory, size_t size) {
    void *moved = take_memory(host, size); /* what it has is given back when it is put elsewhere */
    if (moved && memory) {
        const struct block *before = (const void *)((const char *)memory - offsetof(struct block, bytes));
        memcpy(moved, memory, before->size < size ? before->size : size);
    }
    return moved;
}

static void release(const struct cor_process_host *host, void *memory) {
    (void)host, (void)memory;
}

static void forget(struct living *living) {
    while (living->blocks) {
        struct block *next = living->blocks->next;
        free(living->blocks);
        living->blocks = next;
    }
    free(living->me);
    living->me = NULL;
}

/* Puts its values as digits; false: one is none. */
static bool save(const struct processes__declared *d, const struct living *living, uint32_t p,
                 uint32_t *local, char *text, size_t size) {
    uint32_t values[COR_PROCESS_ATTRIBUTES_MAX] = {0};
    d->program->save(living->me, values);
    const uint32_t v = processes__local_of(d->rules, p, values, local);
    if (v < d->rules->variable_count)
        snprintf(text, size,
                 "has left what it declares: %" PRIu32 " is no value of %s of process %" PRIu32
                 ", which has 0 .. %" PRIu32,
                 values[v], d->rules->variables[v], p, d->rules->processes[p].domains[v].count - 1);
    return v == d->rules->variable_count;
}

static void call(const struct processes__declared *d, struct living *living,
                 const struct processes__event_asked *question, struct cor_bytes *said) {
    const struct cor_process *program = d->program;
    const struct cor_process_host *host = &living->host;
    const uint32_t p = question->process;
    union cor_process_value shown[COR_PROCESS_ATTRIBUTES_MAX] = {{0}};
    char text[300];
    begin_deeds(&living->deeds, 0);
    if (!question->lives || question->what == LOOK) {
        forget(living);
        living->me = cor_calloc(1, program->state_size + 1);
        if (!living->me) {
            put_wrong(said, "has no memory");
            return;
        }
        program->start(living->me, host, &(struct cor_process_stored){0});
    }
    if (!question->lives) {
        uint32_t values[COR_PROCESS_ATTRIBUTES_MAX];
        for (uint32_t v = 0; v < d->rules->variable_count; v++)
            values[v] = cor_rules_value(&d->rules->processes[p], question->values, v);
        program->restore(living->me, host, values);
    }
    if (question->what != LOOK) {
        const char *wrong = living->deeds.wrong;
        begin_deeds(&living->deeds, alarms_at(question)); /* those of its start are no part of this */
        living->deeds.wrong = wrong;
        if (question->what == ALARM && program->alarm)
            program->alarm(living->me, host, question->number);
        if (question->what == RECEIVE) {
            const struct cor_rules_message *message = &d->acts->messages[question->number];
            program->receive(living->me, host, question->from, message->kind, message->bytes, message->size);
        }
    }
    uint32_t local = 0;
    if (living->deeds.wrong || !save(d, living, p, &local, text, sizeof text)) {
        put_wrong(said, living->deeds.wrong ? living->deeds.wrong : text);
        return;
    }
    program->observe(living->me, shown);
    for (uint32_t a = 0; a < program->attribute_count; a++)
        if (program->attributes[a].type == COR_PROCESS_WORD &&
            shown[a].count >= program->attributes[a].word_count) {
            put_wrong(said, "shows a word that there is not");
            return;
        }
    put_answer(said, local, &living->deeds, shown, program->attribute_count);
}

static void say(void *argument, struct processes__desk *desk) {
    const struct processes__declared *d = argument;
    const struct cor_rules_definition *definition = &d->rules->definition;
    struct cor_bytes said = cor_bytes_into(desk->bytes, desk->capacity);
    desk->status = cor_process_load(definition->program, &desk->error);
    COR_FREED struct living *livings = cor_calloc(definition->process_count, sizeof *livings);
    if (desk->status == COR_OK && !livings)
        desk->status = cor_fail_memory(&desk->error);
    for (uint32_t p = 0; p < definition->process_count && desk->status == COR_OK; p++) {
        livings[p].kind_count = d->program->message_count;
        livings[p].host =
            (struct cor_process_host){.struct_size = sizeof livings[p].host,
                                      .minor = COR_PROCESS_MINOR,
                                      .self = p,
                                      .count = definition->process_count,
                                      .fault = definition->fault,
                                      .data = &livings[p],
                                      .now = look_at_clock,
                                      .random = draw,
                                      .send = send,
                                      .set_alarm = set_alarm,
                                      .cell = write_cell,
                                      .write = begin_write,
                                      .alloc = take_memory,
                                      .resize = resize,
                                      .release = release,
                                      .tell = tell,
                                      .complain = complain,
                                      .choose = choose,
                                      .call = call_history,
                                      .answered = answer_history,
                                      .say = say_nothing,
                                      .there = {(UINT64_C(1) << definition->process_count) - 1}};
    }
    for (size_t i = 0; i < d->question_count && desk->status == COR_OK; i++)
        call(d, &livings[d->questions[i].process], &d->questions[i], &said);
    if (desk->status == COR_OK && said.status != COR_OK)
        desk->status = cor_fail(&desk->error, COR_STATUS_MEMORY, d->program->name, NULL,
                                "its processes say more than %zu MiB", desk->capacity >> 20);
    desk->size = said.size;
    for (uint32_t p = 0; p < definition->process_count && livings; p++) {
        forget(&livings[p]);
        cor_bytes_fini(&livings[p].deeds.sends);
    }
}

/* Asks all questions, and puts on d->said what comes of each: 1, values, alarms, those that were set with
 * their ticks, sends, what is shown; or 0 and what is wrong, as a text. */
static enum cor_status processes__ask_events(struct processes__declared *d, struct cor_error *error) {
    cor_bytes_clear(&d->said);
    return d->rules->definition.program->command
               ? ask_lines(d, error)
               : processes__ask_of_rules(d->rules, "being given events", say, d, &d->said, error);
}

#define QUESTIONS_MOST 1000000u
#define MESSAGES_MOST 4096u
#define WALK_STEPS 1000u
#define WALK_LINK 4u /* messages on a link in an ordinary run */

/* What was said of a question. */
struct answer {
    uint32_t values, alarms;
    struct cor_acts_outcome did; /* without the local state; links may be new */
    const char *wrong;           /* in bytes that were said; NULL: nothing is */
    const unsigned char *shown;  /* likewise; of each attribute 8 bytes */
};

static enum cor_status be_hidden(struct processes__declared *d, char *text, struct cor_error *error) {
    if (d->rules->hidden) {
        free(text);
        return COR_OK;
    }
    return cor_made(d->rules->hidden = text, error);
}

/* ---- what both said */

static enum cor_status find_message(struct processes__declared *d, uint32_t kind, const void *bytes,
                                    uint32_t size, uint32_t *number, struct cor_error *error) {
    struct cor_acts *acts = d->acts;
    for (*number = 0; *number < acts->message_count; ++*number) {
        const struct cor_rules_message *message = &acts->messages[*number];
        if (message->kind == kind && message->size == size &&
            (size == 0 || memcmp(message->bytes, bytes, size) == 0))
            return COR_OK;
    }
    if (acts->message_count == MESSAGES_MOST)
        return be_hidden(d, cor_format("more than %u different messages are sent", MESSAGES_MOST), error);
    COR_TRY(COR_RESERVE(&acts->messages, &acts->message_capacity, (size_t)acts->message_count + 1, error));
    struct cor_rules_message *message = &acts->messages[acts->message_count];
    *message = (struct cor_rules_message){.kind = kind, .size = size};
    COR_TRY(cor_made(message->bytes = cor_calloc((size_t)size + 1, 1), error));
    if (size > 0)
        memcpy(message->bytes, bytes, size);
    acts->message_count++;
    return COR_OK;
}

static enum cor_status find_link(struct processes__declared *d, uint32_t from, uint32_t to, uint32_t *link,
                                 struct cor_error *error) {
    struct cor_acts *acts = d->acts;
    for (*link = 0; *link < acts->link_count; ++*link)
        if (acts->links[*link].from == from && acts->links[*link].to == to)
            return COR_OK;
    if (acts->link_count == COR_ACTS_LINKS_MAX) {
        --*link;
        return be_hidden(d, cor_format("messages are sent on more than %u links", COR_ACTS_LINKS_MAX), error);
    }
    acts->links[acts->link_count++] = (struct cor_acts_link){.from = from, .to = to};
    return COR_OK;
}

/* The next answer that was said; what is wrong makes all of it undecided. */
static enum cor_status read_answer(struct processes__declared *d, struct cor_bytes_reader *reader, uint32_t p,
                                   struct answer *answer, struct cor_error *error) {
    *answer = (struct answer){0};
    if (cor_bytes_take_number(reader, 1) == 0) {
        answer->wrong = cor_bytes_take_text(reader);
        if (reader->failed)
            return processes__fail_ruined(d->rules, error);
        return be_hidden(d, cor_format("process %" PRIu32 " %s", p, answer->wrong), error);
    }
    answer->values = (uint32_t)cor_bytes_take_number(reader, 4);
    answer->alarms = (uint32_t)cor_bytes_take_number(reader, 4);
    answer->did.set = (uint32_t)cor_bytes_take_number(reader, 4);
    answer->did.first_tick = (uint32_t)d->acts->tick_count;
    for (uint32_t left = answer->did.set; left != 0 && !reader->failed; left &= left - 1) {
        COR_TRY(COR_RESERVE(&d->acts->ticks, &d->acts->tick_capacity, d->acts->tick_count + 1, error));
        d->acts->ticks[d->acts->tick_count++] = cor_bytes_take_number(reader, 8);
    }
    answer->did.send_count = (uint32_t)cor_bytes_take_number(reader, 4);
    answer->did.first_send = (uint32_t)d->acts->send_count;
    for (uint32_t s = 0; s < answer->did.send_count && !reader->failed; s++) {
        const uint32_t to = (uint32_t)cor_bytes_take_number(reader, 4);
        const uint32_t kind = (uint32_t)cor_bytes_take_number(reader, 4);
        const uint32_t size = (uint32_t)cor_bytes_take_number(reader, 4);
        const void *bytes = cor_bytes_take(reader, size);
        struct cor_acts_send send;
        if (reader->failed || to >= d->rules->definition.process_count || kind >= d->program->message_count)
            return processes__fail_ruined(d->rules, error);
        COR_TRY(find_link(d, p, to, &send.link, error));
        COR_TRY(find_message(d, kind, bytes, size, &send.message, error));
        COR_TRY(COR_RESERVE(&d->acts->sends, &d->acts->send_capacity, d->acts->send_count + 1, error));
        d->acts->sends[d->acts->send_count++] = send;
    }
    answer->shown = cor_bytes_take(reader, d->program->attribute_count * sizeof(union cor_process_value));
    if (reader->failed || answer->values >= d->rules->processes[p].local_count ||
        (answer->alarms | answer->did.set) >> COR_PROCESS_ALARMS_MAX)
        return processes__fail_ruined(d->rules, error);
    return COR_OK;
}

/* The local state with these values and alarms, which may be new. */
static enum cor_status find_local(struct processes__declared *d, uint32_t p, uint32_t values, uint32_t alarms,
                                  uint32_t *local, struct cor_error *error) {
    struct cor_acts_process *process = &d->acts->processes[p];
    uint32_t *at = &d->of[p].first[values];
    for (; *at > 0; at = &d->of[p].next[*at - 1])
        if (process->set[*at - 1] == alarms) {
            *local = *at - 1;
            return COR_OK;
        }
    *local = process->local_count;
    *at = *local + 1; /* before its place may move */
    COR_TRY(COR_RESERVE(&process->values, &d->of[p].values_capacity, (size_t)*local + 1, error));
    COR_TRY(COR_RESERVE(&process->set, &d->of[p].set_capacity, (size_t)*local + 1, error));
    COR_TRY(COR_RESERVE(&d->of[p].next, &d->of[p].capacity, (size_t)*local + 1, error));
    process->values[*local] = values;
    process->set[*local] = alarms;
    d->of[p].next[*local] = 0;
    process->local_count++;
    return COR_OK;
}

static const char *message_text(const struct processes__declared *d, uint32_t number, char text[120]) {
    const struct cor_rules_message *message = &d->acts->messages[number];
    const bool is_text = d->rules->definition.program->command != NULL && message->size > 0;
    snprintf(text, 120, "%s%s%.60s", d->program->messages[message->kind].name, is_text ? " " : "",
             is_text ? message->bytes : "");
    return text;
}

/* What was found of an event before, and what comes of it now. */
static enum cor_status compare(struct processes__declared *d, const struct processes__event_asked *question,
                               const struct processes__event_known *known, const struct answer *now,
                               const char *where, struct cor_error *error) {
    const struct cor_acts *acts = d->acts;
    const struct cor_rules_process *process = &d->rules->processes[question->process];
    const uint32_t values = acts->processes[question->process].values[known->comes.local];
    const uint32_t alarms = acts->processes[question->process].set[known->comes.local];
    char event[160], is[200], was[200], text[120];
    is[0] = '\0';
    for (uint32_t v = 0; v < d->rules->variable_count && !is[0]; v++) {
        const uint32_t one = cor_rules_value(process, now->values, v),
                       other = cor_rules_value(process, values, v);
        char its[64], others[64];
        cor_rules_text(&process->domains[v], one, its, sizeof its);
        cor_rules_text(&process->domains[v], other, others, sizeof others);
        if (one != other) {
            snprintf(is, sizeof is, "%s is %s", d->rules->variables[v], its);
            snprintf(was, sizeof was, "%s", others);
        }
    }
    for (uint32_t s = 0; !is[0] && (s < now->did.send_count || s < known->comes.send_count); s++) {
        const struct cor_acts_send *sends[] = {&acts->sends[now->did.first_send + s],
                                               &acts->sends[known->comes.first_send + s]};
        const bool has[] = {s < now->did.send_count, s < known->comes.send_count};
        if (has[0] && has[1] && memcmp(sends[0], sends[1], sizeof *sends[0]) == 0)
            continue;
        snprintf(is, sizeof is, "it sends %s",
                 has[0] ? message_text(d, sends[0]->message, text) : "nothing more");
        snprintf(was, sizeof was, "%s", has[1] ? message_text(d, sends[1]->message, text) : "nothing more");
    }
    if (!is[0] && now->alarms != alarms) {
        const int which = __builtin_ctz(now->alarms ^ alarms);
        snprintf(is, sizeof is, "alarm %d is %s", which, now->alarms >> which & 1 ? "set" : "not set");
        snprintf(was, sizeof was, "%s", alarms >> which & 1 ? "set" : "not set");
    }
    for (uint32_t t = 0;
         t < (uint32_t)__builtin_popcount(now->did.set) && now->did.set == known->comes.set && !is[0]; t++)
        if (acts->ticks[now->did.first_tick + t] != acts->ticks[known->comes.first_tick + t]) {
            snprintf(is, sizeof is, "its alarm is due in %" PRIu64 " ticks",
                     acts->ticks[now->did.first_tick + t]);
            snprintf(was, sizeof was, "%" PRIu64, acts->ticks[known->comes.first_tick + t]);
        }
    if (!is[0] &&
        memcmp(now->shown,
               acts->processes[question->process].shown + (size_t)values * d->program->attribute_count,
               d->program->attribute_count * sizeof(union cor_process_value)) != 0) {
        snprintf(is, sizeof is, "it shows something else");
        snprintf(was, sizeof was, "not");
    }
    if (!is[0])
        return COR_OK;
    if (question->what == RECEIVE)
        snprintf(event, sizeof event, "receive %s", message_text(d, question->number, text));
    else if (question->what == ALARM)
        snprintf(event, sizeof event, "alarm %" PRIu32, question->number);
    else
        snprintf(event, sizeof event, "start");
    return be_hidden(d,
                     cor_format("process %" PRIu32
                                " keeps something that it does not declare: after `%s` %s, %s %s",
                                question->process, event, is, where, was),
                     error);
}

/* ---- all events of all local states */

static enum cor_status have_too_many(struct processes__declared *d, struct cor_error *error) {
    return be_hidden(d,
                     cor_strdup("its processes can have more than 1,000,000 different events, and are not "
                                "given so many"),
                     error);
}

static enum cor_status add_question(struct processes__declared *d, struct processes__event_asked question,
                                    struct cor_error *error) {
    if (d->question_count + d->event_count >= QUESTIONS_MOST)
        return have_too_many(d, error);
    COR_TRY(COR_RESERVE(&d->questions, &d->question_capacity, d->question_count + 1, error));
    d->questions[d->question_count++] = question;
    return COR_OK;
}

/* Puts each process into each of its values, and starts each: where it is then, and what it shows. */
static enum cor_status look_at_all(struct processes__declared *d, struct cor_error *error) {
    const uint32_t attributes = d->program->attribute_count, count = d->rules->definition.process_count;
    uint64_t all = 0;
    for (uint32_t p = 0; p < count; p++) {
        const uint32_t locals = d->rules->processes[p].local_count;
        if ((all += locals) > QUESTIONS_MOST)
            return have_too_many(d, error);
        d->of[p].first = cor_calloc(locals, sizeof *d->of[p].first);
        d->acts->processes[p].shown =
            cor_calloc((size_t)locals * attributes + 1, sizeof *d->acts->processes[p].shown);
        COR_TRY(d->of[p].first && d->acts->processes[p].shown ? COR_OK : cor_fail_memory(error));
        for (uint32_t values = 0; values < locals; values++)
            COR_TRY(add_question(
                d, (struct processes__event_asked){.what = LOOK, .process = p, .values = values}, error));
        COR_TRY(add_question(d, (struct processes__event_asked){.what = LOOK, .lives = true, .process = p},
                             error));
    }
    COR_TRY(processes__ask_events(d, error));
    struct cor_bytes_reader reader = cor_bytes_reader(d->said.bytes, d->said.size);
    for (size_t i = 0; i < d->question_count && !d->rules->hidden; i++) {
        const struct processes__event_asked *question = &d->questions[i];
        struct answer answer;
        uint32_t local;
        COR_TRY(read_answer(d, &reader, question->process, &answer, error));
        if (answer.wrong)
            break;
        if (!question->lives && answer.values != question->values)
            return be_hidden(
                d, cor_format("process %" PRIu32 " is not as it was restored", question->process), error);
        if (!question->lives)
            memcpy(d->acts->processes[question->process].shown + (size_t)answer.values * attributes,
                   answer.shown, attributes * sizeof(union cor_process_value));
        COR_TRY(find_local(d, question->process, answer.values, answer.alarms, &local, error));
        if (question->lives) {
            d->of[question->process].start =
                (struct processes__event_known){.question = *question, .comes = answer.did};
            d->of[question->process].start.comes.local = local;
        }
    }
    for (size_t m = 0; m < d->rules->mail_count && !d->rules->hidden; m++) {
        const struct cor_rules_message *message = &d->rules->mail[m];
        uint32_t number;
        COR_TRY(find_message(d, message->kind, message->bytes, message->size, &number, error));
    }
    return COR_OK;
}

/* Asks for each event of which the local state, the link or the message is new, until none is. */
static enum cor_status explore(struct processes__declared *d, struct cor_error *error) {
    struct cor_acts *acts = d->acts;
    uint32_t locals[COR_ACTS_PROCESSES_MAX] = {0}, links = 0, messages = 0;
    do {
        const uint32_t link_count = acts->link_count, message_count = acts->message_count;
        uint32_t local_count[COR_ACTS_PROCESSES_MAX];
        d->question_count = 0;
        for (uint32_t p = 0; p < acts->process_count; p++) {
            local_count[p] = acts->processes[p].local_count;
            for (uint32_t local = 0; local < local_count[p]; local++) {
                const struct processes__event_asked at = {.process = p,
                                                          .values = acts->processes[p].values[local],
                                                          .alarms = acts->processes[p].set[local]};
                struct processes__event_asked question = at;
                question.what = ALARM;
                for (uint32_t a = 0; a < COR_PROCESS_ALARMS_MAX && local >= locals[p]; a++)
                    if (at.alarms >> (question.number = a) & 1)
                        COR_TRY(add_question(d, question, error));
                question.what = RECEIVE;
                for (uint32_t l = 0; l < link_count; l++)
                    for (uint32_t m = local < locals[p] && l < links ? messages : 0;
                         acts->links[l].to == p && m < message_count && !d->rules->hidden; m++) {
                        question.from = acts->links[l].from;
                        question.number = m;
                        COR_TRY(add_question(d, question, error));
                    }
            }
        }
        if (d->rules->hidden)
            return COR_OK;
        memcpy(locals, local_count, sizeof locals);
        links = link_count;
        messages = message_count;
        COR_TRY(processes__ask_events(d, error));
        struct cor_bytes_reader reader = cor_bytes_reader(d->said.bytes, d->said.size);
        for (size_t i = 0; i < d->question_count && !d->rules->hidden; i++) {
            struct processes__event_known event = {.question = d->questions[i]};
            struct answer answer;
            COR_TRY(read_answer(d, &reader, event.question.process, &answer, error));
            if (d->rules->hidden)
                return COR_OK;
            event.comes = answer.did;
            COR_TRY(find_local(d, event.question.process, event.question.values, event.question.alarms,
                               &event.local, error));
            COR_TRY(find_local(d, event.question.process, answer.values, answer.alarms, &event.comes.local,
                               error));
            COR_TRY(COR_RESERVE(&d->events, &d->event_capacity, d->event_count + 1, error));
            d->events[d->event_count++] = event;
            COR_TRY(compare(d, &event.question, &event, &answer, "restored", error));
        }
    } while (d->question_count > 0 && !d->rules->hidden);
    return COR_OK;
}

/* All of it once more, by leaps of about two fifths of their number. */
static enum cor_status ask_again(struct processes__declared *d, struct cor_error *error) {
    const uint64_t count = d->event_count;
    uint64_t leap = count * 2 / 5 + 1;
    for (uint64_t a = count, b = leap; b > 1;) { /* until they have no divisor in common */
        const uint64_t rest = a % b;
        a = rest == 0 ? count : b;
        b = rest == 0 ? ++leap : rest;
    }
    d->question_count = 0;
    COR_TRY(COR_RESERVE(&d->questions, &d->question_capacity, count + 1, error));
    for (uint64_t i = 0; i < count; i++)
        d->questions[d->question_count++] = d->events[(count - 1 + i * leap) % count].question;
    COR_TRY(processes__ask_events(d, error));
    struct cor_bytes_reader reader = cor_bytes_reader(d->said.bytes, d->said.size);
    for (uint64_t i = 0; i < count && !d->rules->hidden; i++) {
        struct answer answer;
        COR_TRY(read_answer(d, &reader, d->questions[i].process, &answer, error));
        if (!d->rules->hidden)
            COR_TRY(compare(d, &d->questions[i], &d->events[(count - 1 + i * leap) % count], &answer,
                            "asked before it was", error));
    }
    return COR_OK;
}

/* Where the choice of an event stands in the table of its process. */
static size_t place_of(const struct processes__declared *d, const struct processes__event_known *event) {
    const struct processes__event_asked *question = &event->question;
    const struct cor_acts_process *process = &d->acts->processes[question->process];
    uint32_t number = 0;
    if (question->what == ALARM)
        while (process->alarms[number] != question->number)
            number++;
    for (uint32_t l = 0; l < process->link_count && question->what == RECEIVE; l++)
        if (d->acts->links[process->links[l]].from == question->from)
            number = d->acts->links[process->links[l]].first_event + question->number;
    return (size_t)event->local * process->event_count + number;
}

static enum cor_status tabulate(struct processes__declared *d, struct cor_error *error) {
    struct cor_acts *acts = d->acts;
    for (uint32_t l = 0; l < acts->link_count; l++) {
        struct cor_acts_process *to = &acts->processes[acts->links[l].to];
        acts->links[l].message_count = acts->message_count;
        to->links[to->link_count++] = l;
    }
    for (uint32_t p = 0; p < acts->process_count; p++) {
        struct cor_acts_process *process = &acts->processes[p];
        uint32_t alarms = 0;
        for (uint32_t local = 0; local < process->local_count; local++)
            alarms |= process->set[local];
        for (uint32_t a = 0; a < COR_PROCESS_ALARMS_MAX; a++)
            if (alarms >> a & 1)
                process->alarms[process->alarm_count++] = a;
        processes__number_events(acts, p, process->alarm_count);
        const size_t all = (size_t)process->local_count * process->event_count;
        process->first = cor_calloc(all + 1, sizeof *process->first);
        process->choices = cor_calloc(all + 1, sizeof *process->choices);
        process->outcomes = cor_calloc(all + 1, sizeof *process->outcomes);
        COR_TRY(process->first && process->choices && process->outcomes ? COR_OK : cor_fail_memory(error));
    }
    for (size_t i = 0; i < d->event_count; i++)
        acts->processes[d->events[i].question.process].first[place_of(d, &d->events[i]) + 1] = 1;
    for (uint32_t p = 0; p < acts->process_count; p++) {
        struct cor_acts_process *process = &acts->processes[p];
        for (size_t at = 0; at < (size_t)process->local_count * process->event_count; at++)
            process->first[at + 1] += process->first[at];
    }
    for (size_t i = 0; i < d->event_count; i++) {
        const struct processes__event_known *event = &d->events[i];
        struct cor_acts_process *process = &acts->processes[event->question.process];
        const uint32_t place = process->first[place_of(d, event)];
        process->choices[place] = (struct cor_rules_choice){place, 1};
        process->outcomes[place] = event->comes;
    }
    return COR_OK;
}

/* ---- ordinary runs */

/* Where all processes are, and what is under way. */
struct walk {
    uint32_t locals[COR_ACTS_PROCESSES_MAX];
    uint32_t mail[COR_ACTS_LINKS_MAX][WALK_LINK], count[COR_ACTS_LINKS_MAX];
    struct processes__event_known *known; /* owned; [question] what is to come of it */
    size_t capacity;
};

static enum cor_status take_step(struct processes__declared *d, struct walk *walk,
                                 const struct processes__event_known *event, struct cor_error *error) {
    const struct cor_acts_send *sends = d->acts->sends + event->comes.first_send;
    COR_TRY(add_question(d, event->question, error));
    COR_TRY(COR_RESERVE(&walk->known, &walk->capacity, d->question_count + 1, error));
    if (d->question_count > 0)
        walk->known[d->question_count - 1] = *event;
    walk->locals[event->question.process] = event->comes.local;
    for (uint32_t s = 0; s < event->comes.send_count; s++)
        if (walk->count[sends[s].link] < WALK_LINK)
            walk->mail[sends[s].link][walk->count[sends[s].link]++] = sends[s].message;
    return COR_OK;
}

/* One of the alarms that are set and of the messages that are first of their links, the number-th; false:
 * there are not so many. The message is taken from its link. */
static bool choose_event(const struct processes__declared *d, struct walk *walk, uint32_t number,
                         struct processes__event_known *event) {
    const struct cor_acts *acts = d->acts;
    for (uint32_t p = 0; p < acts->process_count; p++) {
        const struct cor_acts_process *process = &acts->processes[p];
        event->local = walk->locals[p];
        event->question = (struct processes__event_asked){.lives = true,
                                                          .what = ALARM,
                                                          .process = p,
                                                          .values = process->values[event->local],
                                                          .alarms = process->set[event->local]};
        for (uint32_t a = 0; a < COR_PROCESS_ALARMS_MAX; a++)
            if (event->question.alarms >> a & 1 && number-- == 0) {
                event->question.number = a;
                return true;
            }
        event->question.what = RECEIVE;
        for (uint32_t l = 0; l < acts->link_count; l++)
            if (acts->links[l].to == p && walk->count[l] > 0 && number-- == 0) {
                event->question.number = walk->mail[l][0];
                event->question.from = acts->links[l].from;
                memmove(walk->mail[l], walk->mail[l] + 1, --walk->count[l] * sizeof *walk->mail[l]);
                return true;
            }
    }
    return false;
}

/* A run begins: as ever, or (is_anywhere) with drawn values and messages. */
static enum cor_status begin_run(struct processes__declared *d, struct walk *walk, bool is_anywhere,
                                 uint64_t *word, struct cor_error *error) {
    const struct cor_acts *acts = d->acts;
    memset(walk->count, 0, sizeof walk->count);
    for (uint32_t p = 0; p < acts->process_count; p++) {
        struct processes__event_known event = d->of[p].start;
        *word = cor_hash_word(*word, p);
        if (is_anywhere) { /* the first local states are those that it was put into, by their values */
            const uint32_t values = (uint32_t)((*word >> 32) % d->rules->processes[p].local_count);
            event =
                (struct processes__event_known){.question = {.what = LOOK, .process = p, .values = values}};
            event.comes.local = values;
        }
        COR_TRY(take_step(d, walk, &event, error));
    }
    for (uint32_t l = 0; l < acts->link_count && is_anywhere && acts->message_count > 0; l++) {
        *word = cor_hash_word(*word, l);
        walk->count[l] = *word >> 63 ? 1 : 0;
        walk->mail[l][0] = (uint32_t)((*word >> 32) % acts->message_count);
    }
    return COR_OK;
}

/* Ordinary runs, a long one, then short ones that begin anywhere: each step is to be as it was found of the
 * process that was put there. */
static enum cor_status compare_runs(struct processes__declared *d, struct cor_error *error) {
    struct walk walk = {{0}};
    enum cor_status status = COR_OK;
    uint64_t word = COR_HASH_SEED;
    const size_t events = d->event_count;
    d->question_count = d->event_count = 0; /* these are no more of them */
    for (uint32_t step = 0; step < WALK_STEPS; step++) {
        struct processes__event_known event = {0};
        uint32_t possible = 0;
        struct walk trial = walk;
        while (choose_event(d, &trial, possible, &event)) {
            trial = walk;
            possible++;
        }
        const bool is_anywhere = step >= WALK_STEPS / 2;
        if (possible == 0 || step % (is_anywhere ? WALK_STEPS / 20 : WALK_STEPS / 2) == 0) {
            COR_TRY_OUT(begin_run(d, &walk, is_anywhere, &word, error));
            continue;
        }
        word = cor_hash_word(word, step);
        choose_event(d, &walk, (uint32_t)(word >> 32) % possible, &event);
        const struct cor_acts_process *process = &d->acts->processes[event.question.process];
        event.comes = process->outcomes[process->first[place_of(d, &event)]];
        COR_TRY_OUT(take_step(d, &walk, &event, error));
    }
    COR_TRY_OUT(processes__ask_events(d, error));
    struct cor_bytes_reader reader = cor_bytes_reader(d->said.bytes, d->said.size);
    for (size_t i = 0; i < d->question_count && !d->rules->hidden; i++) {
        struct answer answer;
        COR_TRY_OUT(read_answer(d, &reader, d->questions[i].process, &answer, error));
        if (!d->rules->hidden && (d->questions[i].lives || d->questions[i].what != LOOK))
            COR_TRY_OUT(compare(d, &d->questions[i], &walk.known[i], &answer, "restored", error));
    }
out:
    d->event_count = events;
    free(walk.known);
    return status;
}

static enum cor_status ask(struct processes__declared *d, struct cor_error *error) {
    COR_TRY(look_at_all(d, error));
    if (!d->rules->hidden)
        COR_TRY(explore(d, error));
    if (!d->rules->hidden)
        COR_TRY(ask_again(d, error));
    if (!d->rules->hidden)
        COR_TRY(tabulate(d, error));
    return d->rules->hidden ? COR_OK : compare_runs(d, error);
}

enum cor_status cor_acts_check_count(const char *place, uint32_t process_count, struct cor_error *error) {
    return process_count <= COR_ACTS_PROCESSES_MAX
               ? COR_OK
               : cor_fail(error, COR_STATUS_INPUT, place, NULL,
                          "has %" PRIu32 " processes, and at most %u may be asked where they send messages",
                          process_count, COR_ACTS_PROCESSES_MAX);
}

enum cor_status cor_acts_ask(struct cor_process_rules *rules, struct cor_acts **acts,
                             struct cor_error *error) {
    const struct cor_process *program = cor_process_description(rules->definition.program);
    *acts = NULL;
    COR_TRY(cor_acts_check_count(program->name, rules->definition.process_count, error));
    struct processes__declared *d = cor_calloc(1, sizeof *d);
    enum cor_status status = cor_made(d, error);
    COR_TRY(status);
    d->rules = rules;
    d->program = program;
    status = cor_made(d->acts = cor_calloc(1, sizeof *d->acts), error);
    if (status == COR_OK) {
        d->acts->process_count = rules->definition.process_count;
        d->acts->processes = cor_calloc(d->acts->process_count, sizeof *d->acts->processes);
        status = cor_made(d->acts->processes, error);
    }
    if (status == COR_OK)
        status = ask(d, error);
    for (uint32_t p = 0; p < COR_ACTS_PROCESSES_MAX; p++) {
        free(d->of[p].next);
        free(d->of[p].first);
    }
    if (status == COR_OK && !rules->hidden)
        *acts = d->acts;
    else
        cor_acts_destroy(d->acts);
    cor_bytes_fini(&d->said);
    free(d->questions);
    free(d->events);
    free(d);
    return status;
}
