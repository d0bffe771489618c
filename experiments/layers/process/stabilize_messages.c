/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is under way on a link is a digit: of contents without a message, then of those with one, with two ..;
 * among contents of so many the first message goes fastest. */
#include "stabilize_messages.h"

#include <corridor/array.h>
#include <corridor/process_stabilize.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MOST 4000000u /* of a process, in all of its local states */

/* ---- contents of links */

/* How many contents there are of fewer messages than `length`. */
static uint64_t contents_below(uint64_t messages, uint32_t length) {
    uint64_t sum = 0, of_length = 1;
    for (uint32_t k = 0; k < length && sum <= UINT32_MAX; k++, of_length *= messages)
        sum += of_length;
    return sum;
}

static uint32_t length_of(const struct process_layer__mail *mail, uint32_t link, uint32_t content) {
    uint32_t length = 0;
    while (length < mail->capacity && content >= mail->below[link][length + 1])
        length++;
    return length;
}

static uint32_t first_of(const struct process_layer__mail *mail, uint32_t link, uint32_t content) {
    return (content - mail->below[link][length_of(mail, link, content)]) %
           mail->acts->links[link].message_count;
}

static uint32_t without_first(const struct process_layer__mail *mail, uint32_t link, uint32_t content) {
    const uint32_t length = length_of(mail, link, content), *below = mail->below[link];
    return below[length - 1] + (content - below[length]) / mail->acts->links[link].message_count;
}

/* With one more behind; what does not fit is lost. */
static uint32_t with_last(const struct process_layer__mail *mail, uint32_t link, uint32_t content,
                          uint32_t message) {
    const uint32_t length = length_of(mail, link, content), *below = mail->below[link];
    if (length == mail->capacity)
        return content;
    return below[length + 1] + message * (below[length + 1] - below[length]) + (content - below[length]);
}

uint32_t process_layer__mail_on(const struct process_layer__mail *mail, const uint32_t *digits, uint32_t link,
                                uint32_t messages[PROCESS_LAYER__MAIL_MOST]) {
    uint32_t content = digits[mail->acts->process_count + link];
    const uint32_t length = length_of(mail, link, content);
    for (uint32_t k = 0; k < length; k++, content = without_first(mail, link, content))
        messages[k] = first_of(mail, link, content);
    return length;
}

void process_layer__mail_put_on(const struct process_layer__mail *mail, uint32_t *digits, uint32_t link,
                                const uint32_t *messages, uint32_t count) {
    uint32_t *content = &digits[mail->acts->process_count + link];
    *content = 0;
    for (uint32_t k = 0; k < count; k++)
        *content = with_last(mail, link, *content, messages[k]);
}

/* ---- moves */

uint32_t process_layer__mail_number(const struct process_layer__mail *mail, const uint32_t *digits) {
    uint32_t state = 0;
    for (uint32_t d = 0; d < mail->digit_count; d++)
        state += digits[d] * mail->strides[d];
    return state;
}

void process_layer__mail_digits(const struct process_layer__mail *mail, uint32_t state, uint32_t *digits) {
    for (uint32_t d = 0; d < mail->digit_count; d++)
        digits[d] = state / mail->strides[d] % mail->sizes[d];
}

struct moving {
    const struct process_layer__mail *mail;
    const uint32_t *digits;
    struct cor_space_moves *moves;
    uint32_t used; /* of moves->own */
};

/* What an outcome adds to the number of the state, where `link` has lost its first message; COR_NONE: no
 * link. */
static int32_t by_outcome(const struct moving *m, uint32_t p, uint32_t link,
                          const struct cor_acts_outcome *outcome) {
    const struct process_layer__mail *mail = m->mail;
    const struct cor_acts *acts = mail->acts;
    int64_t by = ((int64_t)outcome->local - m->digits[p]) * mail->strides[p];
    uint64_t done = 0;
    for (uint32_t s = 0; s <= outcome->send_count; s++) { /* the link itself, and those that are sent on */
        const struct cor_acts_send *sends = &acts->sends[outcome->first_send];
        const uint32_t on = s == outcome->send_count ? link : sends[s].link;
        if (on == UINT32_MAX || done >> on & 1)
            continue;
        done |= UINT64_C(1) << on;
        const uint32_t digit = acts->process_count + on, before = m->digits[digit];
        uint32_t content = on == link ? without_first(mail, on, before) : before;
        for (uint32_t other = s; other < outcome->send_count; other++)
            if (sends[other].link == on)
                content = with_last(mail, on, content, sends[other].message);
        by += ((int64_t)content - before) * mail->strides[digit];
    }
    return (int32_t)by;
}

/* A move of these outcomes, unless it changes nothing, or the actor has it. */
static void add_move(struct moving *m, uint32_t actor, uint32_t count) {
    struct cor_space_moves *moves = m->moves;
    const int32_t *by = moves->own + m->used;
    bool changes = false;
    for (uint32_t o = 0; o < count; o++)
        changes = changes || by[o] != 0;
    if (!changes)
        return;
    for (uint32_t before = moves->count; before-- > 0 && moves->items[before].actor == actor;)
        if (moves->items[before].outcome_count == count &&
            memcmp(moves->items[before].by, by, count * sizeof *by) == 0)
            return;
    moves->items[moves->count++] = (struct cor_space_move){actor, count, by};
    m->used += count;
}

static void add_event(struct moving *m, uint32_t actor, uint32_t p, uint32_t event, uint32_t link) {
    const struct cor_acts_process *process = &m->mail->acts->processes[p];
    const uint32_t *first = &process->first[(size_t)m->digits[p] * process->event_count + event];
    for (uint32_t c = first[0]; c < first[1]; c++) {
        const struct cor_rules_choice choice = process->choices[c];
        for (uint32_t o = 0; o < choice.count; o++)
            m->moves->own[m->used + o] = by_outcome(m, p, link, &process->outcomes[choice.first + o]);
        add_move(m, actor, choice.count);
    }
}

void process_layer__mail_moves(const struct process_layer__mail *mail, uint32_t state,
                               struct cor_space_moves *moves) {
    const struct cor_acts *acts = mail->acts;
    uint32_t digits[COR_RULES_PROCESSES_MAX];
    struct moving m = {.mail = mail, .digits = digits, .moves = moves};
    process_layer__mail_digits(mail, state, digits);
    for (uint32_t p = 0; p < acts->process_count; p++)
        for (uint32_t a = 0; a < acts->processes[p].alarm_count; a++)
            add_event(&m, mail->actor[p] + a, p, a, UINT32_MAX);
    const uint32_t first = mail->actor_count - 1 - acts->link_count;
    for (uint32_t l = 0; l < acts->link_count; l++)
        if (digits[acts->process_count + l] > 0)
            add_event(&m, first + l, acts->links[l].to,
                      acts->links[l].first_event + first_of(mail, l, digits[acts->process_count + l]), l);
    for (uint32_t l = 0; l < acts->link_count; l++) {
        const uint32_t digit = acts->process_count + l;
        if (digits[digit] == 0)
            continue;
        moves->own[m.used] = (int32_t)(((int64_t)without_first(mail, l, digits[digit]) - digits[digit]) *
                                       mail->strides[digit]);
        add_move(&m, mail->actor_count - 1, 1);
    }
}

uint64_t process_layer__mail_movers(const struct process_layer__mail *mail, uint64_t actors) {
    const struct cor_acts *acts = mail->acts;
    const uint32_t first = mail->actor_count - 1 - acts->link_count;
    uint64_t movers = 0;
    for (uint32_t p = 0; p < acts->process_count; p++)
        for (uint32_t a = 0; a < acts->processes[p].alarm_count; a++)
            movers |= (actors >> (mail->actor[p] + a) & 1) << p;
    for (uint32_t l = 0; l < acts->link_count; l++)
        movers |= (actors >> (first + l) & 1) << acts->links[l].to;
    return movers;
}

void process_layer__mail_put_actors(const struct process_layer__mail *mail, uint64_t actors, char *text,
                                    size_t size) {
    const struct cor_acts *acts = mail->acts;
    const uint32_t first = mail->actor_count - 1 - acts->link_count;
    text[0] = '\0';
    for (uint64_t left = actors; left != 0; left &= left - 1) {
        const uint32_t actor = (uint32_t)__builtin_ctzll(left);
        const size_t at = strlen(text);
        const char *between = at > 0 ? ", " : "";
        uint32_t p = acts->process_count - 1;
        while (p > 0 && mail->actor[p] > actor)
            p--;
        if (actor == mail->actor_count - 1)
            snprintf(text + at, size - at, "%sa message is lost", between);
        else if (actor >= first)
            snprintf(text + at, size - at, "%s%" PRIu32 " hears %" PRIu32, between,
                     acts->links[actor - first].to, acts->links[actor - first].from);
        else
            snprintf(text + at, size - at, "%s%" PRIu32 "'s alarm", between, p);
    }
}

void process_layer__mail_name(const struct process_layer__mail *mail, uint32_t actor, const uint32_t *before,
                              const uint32_t *after, struct cor_choice *choice) {
    const struct cor_acts *acts = mail->acts;
    const uint32_t first = mail->actor_count - 1 - acts->link_count;
    uint32_t p = acts->process_count - 1, link = actor - first;
    choice->kind = PROCESS_LAYER__HEARS;
    if (actor < first) {
        while (mail->actor[p] > actor)
            p--;
        choice->kind = PROCESS_LAYER__ALARM;
        choice->who = (uint16_t)p;
        choice->of = (uint16_t)acts->processes[p].alarms[actor - mail->actor[p]];
        return;
    }
    if (actor == mail->actor_count - 1) {
        choice->kind = PROCESS_LAYER__LOSES;
        for (link = 0; before[acts->process_count + link] == after[acts->process_count + link];)
            link++;
    }
    choice->who = (uint16_t)acts->links[link].to;
    choice->of = (uint16_t)acts->links[link].from;
}

uint32_t process_layer__mail_actor_of(const struct process_layer__mail *mail, const struct cor_choice *choice,
                                      uint32_t *link) {
    const struct cor_acts *acts = mail->acts;
    const struct cor_acts_process *process = &acts->processes[choice->who];
    if (choice->kind == PROCESS_LAYER__ALARM) {
        for (uint32_t a = 0; a < process->alarm_count; a++)
            if (process->alarms[a] == choice->of)
                return mail->actor[choice->who] + a;
        return COR_NONE;
    }
    for (*link = 0; *link < acts->link_count; ++*link)
        if (acts->links[*link].to == choice->who && acts->links[*link].from == choice->of)
            return choice->kind == PROCESS_LAYER__LOSES ? mail->actor_count - 1
                                                        : mail->actor_count - 1 - acts->link_count + *link;
    return COR_NONE;
}

/* ---- rules over messages, as the corridor sees them */

/* The answer for the copies of a process, with another state of the r-th whom it reads; read_count: as they
 * are. */
static uint32_t answer_with(const struct process_layer__mail *mail, const uint32_t *digits, uint32_t p,
                            uint32_t r, uint32_t state) {
    const struct cor_rules_process *process = &mail->rules->processes[p];
    uint64_t stride = process->local_count, view = mail->acts->processes[p].values[digits[p]];
    for (uint32_t i = 0; i < process->read_count; i++) {
        const uint32_t copy = cor_acts_copy(mail->rules, p, digits[p], i);
        view += stride * (i == r ? state : copy);
        stride *= mail->rules->processes[process->reads[i]].local_count;
    }
    return mail->answers[p][view];
}

uint32_t process_layer__mail_enabled(const struct process_layer__mail *mail, const uint32_t *digits,
                                     uint32_t p) {
    const struct cor_rules_process *process = &mail->rules->processes[p];
    const struct cor_acts_process *acts = &mail->acts->processes[p];
    uint32_t met[COR_ACTS_LINKS_MAX * (PROCESS_LAYER__MAIL_MOST + 1) + 1], count = 0;
    uint32_t seen[PROCESS_LAYER__MAIL_MOST + 1];
    for (uint32_t r = 0; r < process->read_count || r == 0; r++) {
        uint32_t states = 0;
        if (process->read_count != 1 && r == 0) /* by what it has */
            count += (met[count] = answer_with(mail, digits, p, process->read_count, 0)) > 0;
        if (process->read_count > 0) {
            states = process_layer__mail_on(mail, digits, acts->links[r], seen);
            seen[states++] = mail->acts->processes[process->reads[r]].values[digits[process->reads[r]]];
        }
        for (uint32_t s = 0; s < states; s++) {
            const uint32_t answer = answer_with(mail, digits, p, r, seen[s]);
            uint32_t before = 0;
            while (before < count && met[before] != answer)
                before++;
            if (answer > 0 && before == count)
                met[count++] = answer;
        }
    }
    return count;
}

uint32_t process_layer__mail_old(const struct process_layer__mail *mail, const uint32_t *digits, uint32_t p) {
    const struct cor_rules_process *process = &mail->rules->processes[p];
    uint32_t seen[PROCESS_LAYER__MAIL_MOST + 1], old = 0;
    for (uint32_t r = 0; r < process->read_count; r++) {
        const uint32_t is = mail->acts->processes[process->reads[r]].values[digits[process->reads[r]]];
        uint32_t states = process_layer__mail_on(mail, digits, mail->acts->processes[p].links[r], seen);
        seen[states] = cor_acts_copy(mail->rules, p, digits[p], r);
        states += seen[states] != COR_NO_COPY;
        for (uint32_t s = 0; s < states; s++)
            old += seen[s] != is;
    }
    return old;
}

/* ---- texts */

/* Values of a process, "2" or "2,a". */
static char *join_values(char *text, const struct cor_process_rules *rules, uint32_t p, uint32_t local) {
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        char value[64];
        cor_rules_text(&rules->processes[p].domains[v], cor_rules_value(&rules->processes[p], local, v),
                       value, sizeof value);
        text = cor_join_take(text, v > 0 ? "," : " ", cor_strdup(value));
    }
    return text;
}

/* A message, "token 3"; of a module its number of bytes stands for what it holds. */
static char *join_message(char *text, const struct cor_process_rules *rules,
                          const struct cor_rules_message *message) {
    const char *kind = cor_process_description(rules->definition.program)->messages[message->kind].name;
    const bool is_text = message->size > 0 && cor_is_printable(message->bytes);
    return cor_join_take(text, "",
                         is_text ? cor_format(" %s %.60s", kind, message->bytes) : cor_format(" %s", kind));
}

char *process_layer__mail_text(const struct process_layer__mail *mail, const uint32_t *digits) {
    const struct cor_process_rules *rules = mail->rules;
    const struct cor_acts *acts = mail->acts;
    const bool is_of_rules = !acts->messages;
    char *text = cor_strdup("");
    uint32_t messages[PROCESS_LAYER__MAIL_MOST];
    for (uint32_t p = 0; p < acts->process_count; p++)
        for (uint32_t r = 0; r < rules->processes[p].read_count; r++) {
            const uint32_t copy = cor_acts_copy(rules, p, digits[p], r), q = rules->processes[p].reads[r];
            if (copy == COR_NO_COPY)
                continue;
            text = cor_join_take(text, "", cor_format("; %" PRIu32 " has of %" PRIu32 ":", p, q));
            text = join_values(text, rules, q, copy);
        }
    for (uint32_t p = 0; p < acts->process_count && !is_of_rules; p++) {
        uint32_t before = 0; /* as long as each is set for ever, that is not said */
        for (uint32_t local = 0; local < acts->processes[p].local_count; local++)
            before |= acts->processes[p].set[local] ^ acts->processes[p].set[0];
        for (uint32_t left = before ? acts->processes[p].set[digits[p]] : 0; left != 0; left &= left - 1)
            text =
                cor_join_take(text, "", cor_format("; %" PRIu32 " has set alarm %d", p, __builtin_ctz(left)));
    }
    bool is_first = true;
    for (uint32_t l = 0; l < acts->link_count; l++) {
        const uint32_t count = process_layer__mail_on(mail, digits, l, messages);
        if (count == 0)
            continue;
        text = cor_join_take(text, "",
                             cor_format("%s%" PRIu32 ">%" PRIu32, is_first ? "; under way: " : ", ",
                                        acts->links[l].from, acts->links[l].to));
        is_first = false;
        for (uint32_t m = 0; m < count; m++)
            text = is_of_rules ? join_values(text, rules, acts->links[l].from, messages[m])
                               : join_message(text, rules, &acts->messages[messages[m]]);
    }
    return text;
}

/* ---- made */

double process_layer__mail_states(const struct process_layer__mail *mail) {
    double all = 1;
    for (uint32_t d = 0; d < mail->digit_count; d++)
        all *= mail->sizes[d];
    return all;
}

/* Digits, actors and strides; strides are right where all states have a number. */
static enum cor_status count_digits(struct process_layer__mail *mail, uint32_t capacity, const char *name,
                                    struct cor_error *error) {
    const struct cor_acts *acts = mail->acts;
    uint64_t stride = 1;
    mail->capacity = capacity;
    for (uint32_t p = 0; p < acts->process_count; p++) {
        mail->sizes[mail->digit_count++] = acts->processes[p].local_count;
        mail->actor[p] = mail->actor_count;
        mail->actor_count += acts->processes[p].alarm_count;
    }
    mail->actor_count += acts->link_count + 1;
    if (acts->process_count + acts->link_count > COR_RULES_PROCESSES_MAX ||
        mail->actor_count > COR_SPACE_ACTORS_MAX)
        return cor_fail(error, COR_STATUS_INPUT, name, "fewer processes, or links",
                        "%" PRIu32 " processes and %" PRIu32 " links are more than are gone through",
                        acts->process_count, acts->link_count);
    for (uint32_t l = 0; l < acts->link_count; l++) {
        for (uint32_t length = 0; length <= capacity + 1; length++) {
            const uint64_t below = contents_below(acts->links[l].message_count, length);
            mail->below[l][length] = below < UINT32_MAX ? (uint32_t)below : UINT32_MAX;
        }
        mail->sizes[mail->digit_count++] = mail->below[l][capacity + 1];
    }
    for (uint32_t d = mail->digit_count; d-- > 0; stride *= mail->sizes[d])
        mail->strides[d] = (uint32_t)stride;
    mail->owed = (UINT64_C(1) << (mail->actor_count - 1)) - 1;
    return COR_OK;
}

/* At most so many moves in a state. */
static enum cor_status check_moves(const struct process_layer__mail *mail, const char *name,
                                   struct cor_error *error) {
    const struct cor_acts *acts = mail->acts;
    uint64_t most = acts->link_count;
    for (uint32_t p = 0; p < acts->process_count; p++) {
        const struct cor_acts_process *process = &acts->processes[p];
        uint32_t of_event = 0;
        for (size_t e = 0; e < (size_t)process->local_count * process->event_count; e++) {
            uint32_t outcomes = 0;
            for (uint32_t c = process->first[e]; c < process->first[e + 1]; c++)
                outcomes += process->choices[c].count;
            of_event = outcomes > of_event ? outcomes : of_event;
        }
        most += (uint64_t)of_event * (process->alarm_count + process->link_count);
    }
    if (most <= COR_SPACE_MOVES_MAX)
        return COR_OK;
    return cor_fail(error, COR_STATUS_INPUT, name, NULL,
                    "%" PRIu64 " moves are possible at once, and %u may be", most, COR_SPACE_MOVES_MAX);
}

static bool is_same_answer(const struct cor_rules_process *process, uint64_t one, uint64_t other) {
    const uint32_t count = process->first[one + 1] - process->first[one];
    bool is_same = process->first[other + 1] - process->first[other] == count;
    for (uint32_t c = 0; c < count && is_same; c++) {
        const struct cor_rules_choice a = process->choices[process->first[one] + c],
                                      b = process->choices[process->first[other] + c];
        is_same = a.count == b.count && memcmp(process->outcomes + a.first, process->outcomes + b.first,
                                               a.count * sizeof *process->outcomes) == 0;
    }
    return is_same;
}

/* Numbers what the rule says, the same by the same number. */
static enum cor_status number_answers(struct process_layer__mail *mail, uint32_t p, struct cor_error *error) {
    const struct cor_rules_process *process = &mail->rules->processes[p];
    uint64_t *examples = NULL;
    size_t count = 0, capacity = 0;
    enum cor_status status =
        cor_made(mail->answers[p] = cor_calloc(process->view_count, sizeof *mail->answers[p]), error);
    for (uint64_t view = 0; view < process->view_count && status == COR_OK; view++) {
        size_t same = 0;
        if (process->first[view] == process->first[view + 1])
            continue;
        while (same < count && !is_same_answer(process, examples[same], view))
            same++;
        if (same == count)
            status = COR_RESERVE(&examples, &capacity, count + 1, error);
        if (same == count && status == COR_OK)
            examples[count++] = view;
        mail->answers[p][view] = (uint32_t)same + 1;
    }
    free(examples);
    return status;
}

/* Are their events few enough? */
static enum cor_status check_events(const struct cor_process_rules *rules, char **undecided,
                                    struct cor_error *error) {
    for (uint32_t p = 0; p < rules->definition.process_count; p++) {
        const struct cor_rules_process *process = &rules->processes[p];
        uint64_t events = 1;
        for (uint32_t r = 0; r < process->read_count; r++)
            events += rules->processes[process->reads[r]].local_count;
        if (events * (process->read_count > 1 ? process->view_count : process->local_count) <= EVENTS_MOST)
            continue;
        char most[COR_COMMAS_SIZE];
        *undecided =
            cor_format("process %" PRIu32 " can have more than %s different events, and is not asked for "
                       "so many",
                       p, cor_with_commas(EVENTS_MOST, most));
        return cor_made(*undecided, error);
    }
    return COR_OK;
}

enum cor_status process_layer__mail_make(struct cor_process_rules *rules, uint32_t capacity,
                                         struct process_layer__mail *mail, char **undecided,
                                         struct cor_error *error) {
    const struct cor_process *program = cor_process_description(rules->definition.program);
    struct cor_acts *acts = NULL;
    *undecided = NULL;
    mail->rules = rules;
    if (program->rule) {
        COR_TRY(check_events(rules, undecided, error));
        if (*undecided)
            return COR_OK;
        COR_TRY(cor_acts_of_rules(rules, &acts, error));
        mail->acts = rules->acts = acts;
        for (uint32_t p = 0; p < rules->definition.process_count; p++)
            COR_TRY(number_answers(mail, p, error));
    } else {
        COR_TRY(cor_acts_ask(rules, &acts, error));
        mail->acts = rules->acts = acts;
        if (rules->hidden)
            return cor_made(*undecided = cor_strdup(rules->hidden), error);
    }
    COR_TRY(count_digits(mail, capacity, program->name, error));
    return check_moves(mail, program->name, error);
}

enum cor_status process_layer__mail_view(const struct cor_stabilize_system *system, uint32_t capacity,
                                         struct process_layer__mail *mail, struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    *mail = (struct process_layer__mail){.acts = rules->acts, .rules = rules};
    return count_digits(mail, capacity, "", error);
}

void process_layer__mail_fini(struct process_layer__mail *mail) {
    cor_acts_destroy((struct cor_acts *)(uintptr_t)mail->acts);
    for (uint32_t p = 0; p < COR_RULES_PROCESSES_MAX; p++)
        free(mail->answers[p]);
    *mail = (struct process_layer__mail){0};
}
