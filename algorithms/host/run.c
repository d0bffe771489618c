/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An algorithm at work: steps, or, if it is decentralised, rounds. In each round agents that were down long
 * enough are restarted, the mail that is due is delivered, then the agents that asked for it are woken. What
 * they send is due in a later round; what they ask for is granted in the next one. */
#include "local.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

/* A blank interim at the end of the outcome's list; NULL when memory is out. */
static struct cor_interim *new_interim(struct host__local *session) {
    struct cor_outcome *outcome = session->outcome;
    size_t before = outcome->interim_capacity;
    enum cor_status status = COR_RESERVE(&outcome->interims, &outcome->interim_capacity,
                                         outcome->interim_count + 1, session->error);
    if (status != COR_OK) {
        host__session_trouble(session, status);
        return NULL;
    }
    for (size_t i = before; i < outcome->interim_capacity; i++)
        cor_lists_init(&outcome->interims[i].solution);
    struct cor_interim *interim = &outcome->interims[outcome->interim_count++];
    interim->spent = outcome->spent;
    cor_lists_clear(&interim->solution);
    return interim;
}

/* A look must not change what follows, so draws, budget and fault counts are put back. */
static int look(struct host__local *session) {
    struct cor_outcome *outcome = session->outcome;
    struct cor_interim *interim = new_interim(session);
    if (!interim)
        return 0;
    struct cor_fault_counts fault = outcome->fault;
    uint64_t spent = outcome->spent;
    struct cor_course *course = session->watch.course;
    const size_t draw_count = course ? course->draw_count : 0;
    struct host__stream_mark marks[COR_STREAM_COUNT];
    for (int i = 0; i < COR_STREAM_COUNT; i++)
        marks[i] = host__stream_mark(&session->streams[i]);
    session->solution = &interim->solution;
    session->phase = HOST__INTERIM;
    if (session->strict && session->base.algorithm->wake)
        host__strict_open(session->strict);
    enum cor_progress progress =
        session->base.algorithm->result(session->state, session->lent_task, session->lent_host);
    if (session->strict && session->base.algorithm->wake)
        host__strict_close(session->strict);
    session->solution = &outcome->solution;
    for (int i = 0; i < COR_STREAM_COUNT; i++)
        host__stream_return(&session->streams[i], &marks[i]);
    outcome->spent = spent;
    outcome->fault = fault;
    if (course)
        course->draw_count = draw_count;
    return host__session_alive(session, progress);
}

static enum cor_status reserve_agents(struct host__population *population, size_t n,
                                      struct cor_error *error) {
    if (n <= population->capacity)
        return COR_OK;
    host__population_fini(population);
    population->agents = cor_calloc(n, sizeof *population->agents);
    population->streams = cor_calloc(n, sizeof *population->streams);
    population->waking = cor_calloc(n, sizeof *population->waking);
    population->asking = cor_calloc(n / 64 + 1, sizeof *population->asking);
    population->crashes.back = cor_calloc(n, sizeof *population->crashes.back);
    if (!population->agents || !population->streams || !population->waking || !population->asking ||
        !population->crashes.back)
        return cor_fail_memory(error);
    population->capacity = n;
    return COR_OK;
}

void host__population_fini(struct host__population *population) {
    free(population->agents);
    free(population->streams);
    free(population->values);
    free(population->waking);
    free(population->asking);
    free(population->crashes.down);
    free(population->crashes.back);
    *population = (struct host__population){0};
}

/* Columns into rows: an agent sees its own values side by side. */
static void copy_values(struct host__population *population, const struct cor_task *task) {
    uint32_t columns = task->rules->value_count;
    for (uint32_t c = 0; c < columns; c++)
        for (uint32_t i = 0; i < task->agent_count; i++)
            population->values[(size_t)i * columns + c] = task->values[c][i];
}

enum cor_status host__population_prepare(struct host__local *session) {
    struct host__population *population = &session->population;
    const struct cor_task *task = &session->task;
    uint32_t n = task->agent_count, columns = task->rules->value_count;
    COR_TRY(reserve_agents(population, n, session->error));
    COR_TRY(host__crashes_reset(session));
    if (session->strict)
        return host__strict_seat(session);
    COR_TRY(
        COR_RESERVE(&population->values, &population->value_capacity, (size_t)n * columns, session->error));
    copy_values(population, task);
    for (uint32_t i = 0; i < n; i++) {
        host__stream_init(&population->streams[i], &session->name, COR_PURPOSE_AGENT,
                          host__session_identity(session, i));
        population->streams[i].watch = session->mail.watch;
        population->agents[i] = (struct cor_agent){.id = i,
                                                   .values = population->values + (size_t)i * columns,
                                                   .random = &population->streams[i].view};
    }
    return COR_OK;
}

static int charge_states(struct host__local *session, size_t bytes) {
    session->arena.last = NULL;
    if (host__arena_charge(&session->arena, bytes))
        return 1;
    host__session_smoke(session, COR_SMOKE_MEMORY, NULL);
    return 0;
}

int host__population_states(struct host__local *session) {
    size_t stride = (session->base.algorithm->agent_size + 15) / 16 * 16;
    if (stride == 0)
        return 1;
    uint32_t n = session->task.agent_count;
    if (session->strict) /* they lie with the agents already */
        return stride <= SIZE_MAX / n && charge_states(session, stride * n);
    unsigned char *states = stride <= SIZE_MAX / n ? session->host.alloc(&session->host, stride * n) : NULL;
    for (uint32_t i = 0; states && i < n; i++)
        session->population.agents[i].state = states + stride * i;
    return states != NULL;
}

/* CONTINUE asks for a turn in the next round. A later DONE does not take that back: it says that this call
 * has left nothing more to do. */
static inline int note(struct host__local *session, uint32_t agent, enum cor_progress progress) {
    if (progress == COR_CONTINUE) {
        session->population.asking[agent / 64] |= UINT64_C(1) << agent % 64;
        session->population.asking_count++;
    } else if (progress != COR_DONE) {
        return host__session_alive(session, progress);
    }
    return !session->is_over;
}

/* A handler of `agent` begins: what it may see. */
static inline const struct cor_agent *enter(struct host__local *session, uint32_t agent) {
    session->sender = agent;
    if (session->strict)
        host__strict_enter(session->strict, agent);
    return host__session_agent(session, agent);
}

static inline void leave(struct host__local *session) {
    if (session->strict)
        host__strict_leave(session->strict);
}

/* Other mail lies beside the payload: the handler gets a copy. */
static int lend_payload(struct host__local *session, struct cor_message *message) {
    message->payload = host__strict_message(session->strict, message->payload, message->size);
    if (!message->payload)
        host__session_trouble(session, cor_fail_memory(session->error));
    return message->payload != NULL;
}

/* Hands the message over, unless its agent is down. */
static inline int deliver_message(struct host__local *session, uint32_t to, struct cor_message *message) {
    if (host__crashes_down(session, to)) {
        session->mail.lost++;
        return 1;
    }
    const struct cor_agent *me = enter(session, to);
    if (session->strict && !lend_payload(session, message))
        return 0;
    enum cor_progress progress =
        session->base.algorithm->receive(me, session->task.rules, session->lent_host, message);
    leave(session);
    return note(session, to, progress);
}

/* The same of message `number`, where the reorganization is watched. */
static int deliver_watched(struct host__local *session, uint32_t number, uint32_t to,
                           struct cor_message *message) {
    if (!host__watch_receive(session, number)) {
        host__session_trouble(session, COR_STATUS_MEMORY);
        return 0;
    }
    int alive = deliver_message(session, to, message);
    host__watch_received(session);
    return alive;
}

/* Hands the letter at `words` over; its length goes to *length. `numbers`: [0] of its message, where mail is
 * watched, else NULL. */
static inline int deliver_letter(struct host__local *session, const uint64_t *words, size_t *length,
                                 const uint32_t *numbers) {
    struct host__letter letter;
    memcpy(&letter, words, sizeof letter);
    *length = host__letter_words(letter.size);
    struct cor_message message = {
        .from = letter.from, .kind = letter.kind, .size = letter.size, .payload = words + sizeof letter / 8};
    return numbers ? deliver_watched(session, *numbers, letter.to, &message)
                   : deliver_message(session, letter.to, &message);
}

static int deliver_in_order(struct host__local *session, const struct host__bag *bag) {
    const uint32_t *numbers = session->mail.watch ? bag->numbers : NULL;
    size_t length;
    for (size_t at = 0, i = 0; at < bag->used; at += length, i++)
        if (!deliver_letter(session, bag->words + at, &length, numbers ? numbers + i : NULL))
            return 0;
    return 1;
}

static int deliver_arranged(struct host__local *session, const struct host__bag *bag) {
    size_t length;
    enum cor_status status = host__mail_arrange(&session->mail, bag, session->error);
    if (status != COR_OK) {
        host__session_trouble(session, status);
        return 0;
    }
    const uint32_t *numbers = session->mail.watch ? bag->numbers : NULL;
    for (uint32_t i = 0; i < bag->count; i++) {
        const uint32_t *number = numbers ? numbers + session->mail.rank[i] : NULL;
        if (!deliver_letter(session, bag->words + session->mail.order[i], &length, number))
            return 0;
    }
    return 1;
}

/* The letters of this round of the course that is held. */
static int deliver_held(struct host__local *session) {
    struct host__watch *watch = &session->watch;
    const struct cor_course *held = watch->change->held;
    for (; watch->held_next < watch->held_count && watch->held[watch->held_next].round == watch->round;
         watch->held_next++) {
        const uint32_t number = watch->held[watch->held_next].message;
        const struct cor_course_message *it = &held->messages[number];
        struct cor_message message = {
            .from = it->from, .kind = it->kind, .size = it->size, .payload = held->words + it->payload};
        if (it->to < session->task.agent_count && !deliver_watched(session, number, it->to, &message))
            return 0;
    }
    return 1;
}

static int deliver(struct host__local *session) {
    if (host__watch_holds(&session->watch))
        return deliver_held(session);
    struct host__bag *bag = host__mail_due(&session->mail);
    int arranged = host__mail_is_arranged(&session->mail);
    int alive = arranged ? deliver_arranged(session, bag) : deliver_in_order(session, bag);
    host__mail_empty(&session->mail, bag);
    return alive;
}

/* As many letters as were under way when the round began, one by one: what is sent meanwhile may come first.
 */
static int deliver_one_by_one(struct host__local *session) {
    struct host__mail *mail = &session->mail;
    size_t length;
    for (uint64_t left = mail->under_way; left > 0; left--) {
        enum cor_status status = host__queue_take(mail, session->error);
        if (status != COR_OK) {
            host__session_trouble(session, status);
            return 0;
        }
        const uint32_t number = (uint32_t)mail->queue.number;
        if (!deliver_letter(session, mail->queue.hand, &length, mail->watch ? &number : NULL))
            return 0;
        host__queue_settle(mail);
    }
    return 1;
}

/* The agents that asked for a turn up to now, in the order of their turns; none asks any more. */
static uint32_t take_asking(struct host__local *session) {
    struct host__population *population = &session->population;
    uint32_t count = 0;
    if (population->asking_count == 0)
        return 0;
    for (uint32_t word = 0; word <= session->task.agent_count / 64; word++) {
        for (uint64_t bits = population->asking[word]; bits != 0; bits &= bits - 1)
            population->waking[count++] = word * 64 + (uint32_t)__builtin_ctzll(bits);
        population->asking[word] = 0;
    }
    population->asking_count = 0;
    enum cor_status status =
        host__mail_arrange_turns(&session->mail, population->waking, count, session->error);
    if (status != COR_OK)
        host__session_trouble(session, status);
    return count;
}

static int wake(struct host__local *session, uint32_t count) {
    const struct host__population *population = &session->population;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t agent = population->waking[i];
        const struct cor_agent *me = enter(session, agent);
        enum cor_progress progress =
            session->base.algorithm->wake(me, session->task.rules, session->lent_host);
        leave(session);
        if (!note(session, agent, progress))
            return 0;
    }
    return 1;
}

/* Handlers must not draw from the streams of the whole: that would be talk without mail. */
static void lend_streams(struct host__local *session, int to_handlers) {
    for (int i = 0; i < COR_STREAM_COUNT; i++)
        session->host.random[i] = to_handlers ? &session->misuse.view : &session->streams[i].view;
}

/* Agents that were down run again, with nothing of what they knew. */
static int restart(struct host__local *session) {
    struct host__crashes *crashes = &session->population.crashes;
    for (uint32_t i = 0; i < crashes->back_count; i++) {
        uint32_t agent = crashes->back[i];
        const struct cor_agent *me = enter(session, agent);
        crashes->down[host__session_identity(session, agent)] = 0;
        crashes->down_count--;
        if (session->base.algorithm->agent_size > 0)
            memset(me->state, 0, session->base.algorithm->agent_size);
        enum cor_progress progress =
            session->base.algorithm->restart(me, session->task.rules, session->lent_host);
        leave(session);
        if (!note(session, agent, progress))
            return 0;
    }
    return 1;
}

/* One by one: either mail or, if none is under way, turns. */
static int do_one_by_one(struct host__local *session) {
    const struct host__watch *watch = &session->watch;
    if (host__watch_holds(watch) && watch->held_next < watch->held_count &&
        watch->held[watch->held_next].round == watch->round)
        return restart(session) && deliver_held(session);
    if (session->mail.under_way > 0)
        return restart(session) && deliver_one_by_one(session);
    host__queue_rest(&session->mail);
    uint32_t count = take_asking(session);
    return !session->is_over && restart(session) && wake(session, count);
}

static int do_round(struct host__local *session) {
    uint32_t count = take_asking(session);
    return !session->is_over && restart(session) && deliver(session) && wake(session, count);
}

/* All agents run when the result is taken; messages and requests made now come too late. */
static int end_crashes(struct host__local *session) {
    host__crashes_end(session);
    session->phase = HOST__HANDLER;
    lend_streams(session, 1);
    int alive = restart(session);
    lend_streams(session, 0);
    return alive;
}

/* What became of the testbed's own faults. An outcome tells of one fault: the algorithm's has precedence. */
static void count_faults(struct host__local *session) {
    const struct host__crashes *crashes = &session->population.crashes;
    const struct host__mail *mail = &session->mail;
    uint64_t reached = mail->sent, activated = 0;
    if (session->task.rules->fault != 0)
        return;
    if (session->base.definition.agents.fault == COR_CRASH_FAULT_CRASHED) {
        reached = crashes->at_risk;
        activated = crashes->crashed;
    } else if (mail->mode == COR_MAIL_LOSSY || mail->mode == COR_MAIL_DUPLICATED) {
        activated = mail->lost + mail->repeated;
    } else {
        return;
    }
    char text[sizeof session->outcome->complaint];
    if (!host__counts_judge(&session->task, &session->own, session->outcome, text, sizeof text))
        host__session_smoke(session, COR_SMOKE_GARBLED, text);
    session->own = (struct cor_fault_counts){reached, reached, activated, activated > 0};
    session->outcome->fault = session->own;
}

/* Whether the interim looks of the definition are due in this round. */
static int look_due(const struct host__local *session) {
    uint64_t interval = session->base.definition.interim_units;
    return interval > 0 && session->mail.round % interval == 0;
}

static enum cor_stop run_rounds_of(struct host__local *session) {
    struct host__mail *mail = &session->mail;
    uint64_t budget = session->task.rules->budget;
    enum cor_stop stop = COR_STOP_QUIET;
    /* The first round wakes all agents. */
    struct host__population *population = &session->population;
    memset(population->asking, 0, (session->task.agent_count / 64 + 1) * sizeof *population->asking);
    for (uint32_t i = 0; i < session->task.agent_count; i++)
        population->asking[i / 64] |= UINT64_C(1) << i % 64;
    population->asking_count = 1;
    struct host__watch *watch = &session->watch;
    const uint64_t held_rounds = host__watch_holds(watch) ? watch->change->held->rounds : 0;
    while (mail->under_way > 0 || session->population.asking_count > 0 ||
           session->population.crashes.down_count > 0 || mail->round < held_rounds) {
        if (mail->round == (held_rounds > 0 ? held_rounds : budget)) {
            stop = COR_STOP_BUDGET;
            break;
        }
        host__mail_turn(&session->mail);
        watch->round = mail->round;
        host__crashes_strike(session);
        session->phase = HOST__HANDLER;
        lend_streams(session, 1);
        int alive = session->mail.queue.scheduler ? do_one_by_one(session) : do_round(session);
        lend_streams(session, 0);
        session->outcome->spent = mail->round;
        if (alive && look_due(session))
            alive = look(session);
        if (!alive) {
            stop = COR_STOP_FAILED;
            break;
        }
    }
    if (stop != COR_STOP_FAILED && !end_crashes(session))
        stop = COR_STOP_FAILED;
    if (host__watch_holds(watch)) {
        mail->lost += watch->held_lost;
        mail->repeated += watch->held_twice;
    }
    count_faults(session);
    stop = session->is_over ? COR_STOP_FAILED : stop;
    if (watch->course)
        watch->course->rounds = mail->round;
    session->outcome->rounds = mail->round;
    session->outcome->messages = mail->sent;
    session->outcome->messages_lost = mail->lost;
    session->outcome->chains = mail->queue.chain_count;
    return stop;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

enum cor_stop host__session_run(struct host__local *session) {
    if (session->base.algorithm->step) {
        /* Steps until the budget is used up or the algorithm has enough. How the budget is cut into steps
         * does not show. */
        uint64_t budget = session->task.rules->budget, interval = session->base.definition.interim_units;
        uint64_t next_look = interval > 0 ? interval : UINT64_MAX;
        uint64_t *spent = &session->outcome->spent;
        const bool is_watched = session->mail.watch != NULL;
        while (*spent < budget) {
            uint64_t before = *spent,
                     units = smaller(smaller(budget, next_look) - before, session->base.slice_units);
            if (is_watched && !host__watch_move(session)) {
                host__session_trouble(session, COR_STATUS_MEMORY);
                return COR_STOP_FAILED;
            }
            session->phase = HOST__STEP;
            enum cor_progress progress =
                session->base.algorithm->step(session->state, session->lent_task, session->lent_host,
                                              is_watched ? smaller(units, 1) : units);
            if (is_watched)
                host__watch_moved(session);
            if (!host__session_alive(session, progress))
                return COR_STOP_FAILED;
            if (progress != COR_CONTINUE)
                return progress == COR_DONE ? COR_STOP_DONE : COR_STOP_STAGNATED;
            if (*spent <= before) {
                host__session_smoke(session, COR_SMOKE_COMPLAINED,
                                    "a step that wants to go on used nothing of its budget");
                return COR_STOP_FAILED;
            }
            if (*spent < next_look)
                continue;
            if (!look(session))
                return COR_STOP_FAILED;
            next_look = *spent <= UINT64_MAX - interval ? *spent + interval : UINT64_MAX;
        }
        return COR_STOP_BUDGET;
    }
    if (session->base.algorithm->wake) {
        if (session->strict)
            host__strict_close(session->strict);
        enum cor_stop stop = run_rounds_of(session);
        if (session->strict)
            host__strict_open(session->strict);
        return stop;
    }
    return COR_STOP_DONE;
}
