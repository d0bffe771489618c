/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process is put somewhere, or goes on, and is given an event: questions in rows, to a child by lines or to
 * a module in a cell; what is said comes as numbers, the same from both. */
#include "declared.h"

#include <corridor/fields.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
        for (size_t i = 0; i < cor_json_size(&list); i++) {
            const struct cor_json item = cor_json_at(&list, i);
            COR_TRY(take_deed(&item, taking, said));
        }
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
    const struct cor_rules_definition *definition = &d->rules->definition;
    struct processes__talk *talk = d->rules->talk;
    struct taking taking = {.declared = d};
    enum cor_status status = COR_OK;
    d->rules->talk = NULL; /* each row of questions has a child of its own, but for the first */
    if (!talk) {
        status = processes__talk_create(definition->program, definition->process_count, definition->fault,
                                        &talk, error);
        if (status == COR_OK)
            status = processes__ask_declared(d->rules, talk, false, error);
    }
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
    processes__talk_destroy(talk);
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
        livings[p].host = (struct cor_process_host){.struct_size = sizeof livings[p].host,
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

enum cor_status processes__ask_events(struct processes__declared *d, struct cor_error *error) {
    cor_bytes_clear(&d->said);
    return d->rules->definition.program->command
               ? ask_lines(d, error)
               : processes__ask_of_rules(d->rules, "being given events", say, d, &d->said, error);
}
