/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs with messages that declare what they keep. A process is put into a local state, its variables and
 * the alarms that are set, and given an event; what comes of it depends on nothing else, or something is
 * hidden. So each local state is given each event once, and once more of another child, in another order; and
 * of ordinary runs each step is the same as what was found so. declared_ask.c asks. */
#include "declared.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum cor_status cor_acts_ask(struct cor_process_rules *rules, struct cor_acts **acts,
                             struct cor_error *error) {
    struct processes__declared *d = cor_calloc(1, sizeof *d);
    enum cor_status status = cor_made(d, error);
    *acts = NULL;
    COR_TRY(status);
    d->rules = rules;
    d->program = cor_process_description(rules->definition.program);
    if (rules->definition.process_count > COR_ACTS_PROCESSES_MAX) {
        status = cor_fail(error, COR_STATUS_INPUT, d->program->name, NULL,
                          "has %" PRIu32 " processes, and of such that send messages %u may be",
                          rules->definition.process_count, COR_ACTS_PROCESSES_MAX);
        free(d);
        return status;
    }
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
