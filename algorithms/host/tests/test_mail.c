/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mail and waking, seen by a small decentralised algorithm that notes what happens to it. */
#include "local.h"
#include "tests/tasks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define AGENTS 40u
#define LOG_MAX 100000u

static struct test_task task; /* big */

/* What happened, in the order in which it happened. */
static struct event { uint32_t round, to, from, kind, number; /* kind UINT32_MAX: woken */ } events[LOG_MAX];
static uint32_t event_count, round_now;

struct agent_state {
    uint32_t wakes;
};

static enum cor_progress begin(void *state, const struct cor_task *present, const struct cor_host *host) {
    (void)state;
    for (uint32_t i = 0; i < present->agent_count; i++)
        assert_non_null(host->agent(host, i));
    assert_null(host->agent(host, present->agent_count));
    assert_int_equal(host->send(host, 0, 1, NULL, 0), 0); /* not in begin */
    event_count = round_now = 0;
    return COR_DONE;
}

static enum cor_progress result(void *state, const struct cor_task *present, const struct cor_host *host) {
    (void)state;
    host->put_block(host, present->members, present->agent_count);
    return COR_DONE;
}

static void record(const struct cor_host *host, uint32_t to, uint32_t from, uint32_t kind, uint32_t number) {
    assert_true(event_count < LOG_MAX);
    assert_null(host->agent(host, to));
    assert_int_equal(host->put_block(host, &to, 1), 0);
    assert_true(isnan(host->cost(host, 1, &to, &to)));
    events[event_count++] = (struct event){round_now, to, from, kind, number};
}

/* Agent 0 is woken in every round and so knows the round; every agent sends ten messages in each of five
 * rounds. */
static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    struct agent_state *own = me->state;
    (void)rules;
    record(host, me->id, me->id, UINT32_MAX, own->wakes);
    assert_int_equal(host->send(host, AGENTS, 1, NULL, 0), 0);
    for (uint32_t i = 0; own->wakes < 5 && i < 10; i++) {
        uint32_t payload[3] = {own->wakes, i, me->id}; /* 12 bytes: not a multiple of 8 */
        assert_int_equal(host->send(host, (me->id + i) % AGENTS, i, payload, sizeof payload), 1);
    }
    return ++own->wakes < 5 ? COR_CONTINUE : COR_DONE;
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    (void)rules;
    const uint32_t *payload = message->payload;
    assert_int_equal(message->size, 12);
    assert_int_equal((uintptr_t)payload % 8, 0);
    assert_int_equal(payload[1], message->kind);
    assert_int_equal(payload[2], message->from);
    assert_int_equal((message->from + message->kind) % AGENTS, me->id);
    record(host, me->id, message->from, message->kind, payload[0]);
    return COR_DONE;
}

static const struct cor_algorithm talkers = {
    COR_ALGORITHM,           .name = "talkers",
    .version = "1",          .summary = "a sample",
    .budget_unit = "rounds", .agent_size = sizeof(struct agent_state),
    .begin = begin,          .wake = wake,
    .receive = receive,      .result = result};

static void run(const struct cor_algorithm *algorithm, const struct cor_mail_schedule *mail, uint64_t seed,
                struct cor_outcome *outcome) {
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_session *session;
    struct cor_error error = COR_NO_ERROR;
    definition.mail = *mail;
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_OK);
    test_make(&task, algorithm, AGENTS, 4, seed);
    cor_outcome_init(outcome);
    assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, outcome, &error), COR_OK);
    cor_session_destroy(session);
}

/* Woken agents of round r come after the mail of round r, in ascending order; a message sent in round r
 * arrives in round r + 1, in the order sent. */
static void in_order_is_the_order_sent(void **state) {
    (void)state;
    struct cor_outcome outcome;
    run(&talkers, &(struct cor_mail_schedule){.mode = COR_MAIL_IN_ORDER}, 1, &outcome);
    assert_int_equal(outcome.stop, COR_STOP_QUIET);
    assert_int_equal(outcome.rounds, 6);
    assert_int_equal(outcome.spent, 6);
    assert_int_equal(outcome.messages, AGENTS * 50);
    assert_int_equal(event_count, AGENTS * 55);
    uint32_t at = 0;
    for (uint32_t round = 0; round < 6; round++) {
        for (uint32_t i = 0; round > 0 && i < AGENTS * 10; i++, at++) {
            assert_int_equal(events[at].from, i / 10);
            assert_int_equal(events[at].kind, i % 10);
            assert_int_equal(events[at].number, round - 1);
        }
        for (uint32_t i = 0; round < 5 && i < AGENTS; i++, at++) {
            assert_int_equal(events[at].to, i);
            assert_int_equal(events[at].kind, UINT32_MAX);
        }
    }
    cor_outcome_fini(&outcome);
}

/* Every message arrives once, in the round after it was sent; positions are uniform (chi-square over tenths).
 */
static void shuffled_is_a_uniform_permutation(void **state) {
    (void)state;
    struct cor_outcome outcome;
    double tenths[10] = {0}, wake_first[AGENTS] = {0};
    enum { RUNS = 200 };
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        run(&talkers, &(struct cor_mail_schedule){.mode = COR_MAIL_SHUFFLED}, seed, &outcome);
        assert_int_equal(outcome.rounds, 6);
        assert_int_equal(event_count, AGENTS * 55);
        uint8_t seen[5][AGENTS][10] = {{{0}}};
        wake_first[events[0].to]++;
        for (uint32_t at = 0; at < event_count; at++) {
            const struct event *event = &events[at];
            if (event->kind == UINT32_MAX)
                continue;
            uint32_t place = (at - AGENTS) % (AGENTS * 11);
            assert_int_equal(event->number, (at - AGENTS) / (AGENTS * 11));
            assert_int_equal(seen[event->number][event->from][event->kind]++, 0);
            if (event->from == 0 && event->kind == 0)
                tenths[place / (AGENTS)]++;
        }
        cor_outcome_fini(&outcome);
    }
    double chi = 0, first = 0;
    for (int i = 0; i < 10; i++)
        chi += (tenths[i] - RUNS * 5 / 10) * (tenths[i] - RUNS * 5 / 10) / (RUNS * 5 / 10);
    for (uint32_t i = 0; i < AGENTS; i++)
        first +=
            (wake_first[i] - RUNS / (double)AGENTS) * (wake_first[i] - RUNS / (double)AGENTS) * AGENTS / RUNS;
    assert_true(chi < 27.9);   /* 9 degrees of freedom, 0.1 % */
    assert_true(first < 72.1); /* 39 degrees of freedom, 0.1 % */
}

/* Agents that are woken in every round up to the 20th, so that delays can be read off; they send in the
 * first. */
static enum cor_progress wake_long(const struct cor_agent *me, const struct cor_rules *rules,
                                   const struct cor_host *host) {
    struct agent_state *own = me->state;
    (void)rules;
    if (me->id == 0)
        round_now = own->wakes + 1;
    for (uint32_t i = 0; own->wakes == 0 && i < 10; i++) {
        uint32_t payload[3] = {0, i, me->id};
        assert_int_equal(host->send(host, (me->id + i) % AGENTS, i, payload, sizeof payload), 1);
    }
    return ++own->wakes < 20 ? COR_CONTINUE : COR_DONE;
}

static void delays_are_uniform(void **state) {
    (void)state;
    struct cor_algorithm sample = talkers;
    sample.wake = wake_long;
    struct cor_outcome outcome;
    double delays[5] = {0}, chi = 0;
    enum { RUNS = 20 };
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        run(&sample, &(struct cor_mail_schedule){.mode = COR_MAIL_DELAYED, .delay_max = 4}, seed, &outcome);
        assert_int_equal(event_count, AGENTS * 10);
        for (uint32_t at = 0; at < event_count; at++) {
            assert_in_range(events[at].round, 1,
                            4); /* the last round that agent 0 has seen before the delivery */
            delays[events[at].round]++;
        }
        cor_outcome_fini(&outcome);
    }
    for (int i = 1; i <= 4; i++)
        chi += (delays[i] - RUNS * AGENTS * 10 / 4.0) * (delays[i] - RUNS * AGENTS * 10 / 4.0) * 4 /
               (RUNS * AGENTS * 10);
    assert_true(chi < 16.3); /* 3 degrees of freedom, 0.1 % */
}

static void losses_are_counted_and_of_the_right_size(void **state) {
    (void)state;
    struct cor_outcome outcome;
    double lost = 0, sent = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        run(&talkers, &(struct cor_mail_schedule){.mode = COR_MAIL_LOSSY, .loss_ratio = 0.2}, seed, &outcome);
        assert_int_equal(outcome.messages, AGENTS * 50);
        assert_int_equal(event_count, AGENTS * 55 - outcome.messages_lost);
        lost += (double)outcome.messages_lost;
        sent += (double)outcome.messages;
        cor_outcome_fini(&outcome);
    }
    assert_true(fabs(lost / sent - 0.2) < 4 * sqrt(0.16 / sent));
    run(&talkers, &(struct cor_mail_schedule){.mode = COR_MAIL_LOSSY, .loss_ratio = 1}, 1, &outcome);
    assert_int_equal(outcome.messages_lost, outcome.messages);
    assert_int_equal(outcome.fault.reached, outcome.messages);
    assert_int_equal(outcome.fault.activated, outcome.messages_lost);
    assert_int_equal(outcome.fault.in_result, 1);
    cor_outcome_fini(&outcome);
}

/* Copies come side by side, in the round in which the message comes. */
static void duplicates_are_counted_and_of_the_right_size(void **state) {
    (void)state;
    struct cor_outcome outcome;
    double twice = 0, sent = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        run(&talkers, &(struct cor_mail_schedule){.mode = COR_MAIL_DUPLICATED, .duplicate_ratio = 0.2}, seed,
            &outcome);
        uint32_t found = 0;
        for (uint32_t at = 1; at < event_count; at++)
            found += memcmp(&events[at], &events[at - 1], sizeof *events) == 0;
        assert_int_equal(outcome.messages, AGENTS * 50);
        assert_int_equal(event_count, AGENTS * 55 + found);
        assert_int_equal(outcome.fault.reached, AGENTS * 50);
        assert_int_equal(outcome.fault.held, AGENTS * 50);
        assert_int_equal(outcome.fault.activated, found);
        assert_int_equal(outcome.fault.in_result, 1);
        twice += found;
        sent += (double)outcome.messages;
        cor_outcome_fini(&outcome);
    }
    assert_true(fabs(twice / sent - 0.2) < 4 * sqrt(0.16 / sent));
}

/* The events, in their order, of a run with mail in order. */
static void ratios_of_0_are_mail_in_order(void **state) {
    (void)state;
    static const enum cor_mail modes[] = {COR_MAIL_LOSSY, COR_MAIL_DUPLICATED};
    static struct event expected[LOG_MAX];
    struct cor_outcome outcome;
    run(&talkers, &(struct cor_mail_schedule){.mode = COR_MAIL_IN_ORDER}, 3, &outcome);
    uint32_t count = event_count;
    memcpy(expected, events, sizeof expected);
    cor_outcome_fini(&outcome);
    for (int m = 0; m < 2; m++) {
        run(&talkers, &(struct cor_mail_schedule){.mode = modes[m]}, 3, &outcome);
        assert_int_equal(event_count, count);
        assert_memory_equal(events, expected, count * sizeof *events);
        assert_int_equal(outcome.fault.activated + outcome.fault.in_result, 0);
        cor_outcome_fini(&outcome);
    }
}

static void impossible_schedules_are_refused(void **state) {
    (void)state;
    struct cor_session_definition definition = cor_default_session(&talkers);
    struct cor_session *session;
    static const struct cor_mail_schedule bad[] = {{.mode = COR_MAIL_LOSSY, .loss_ratio = 1.5},
                                                   {.mode = COR_MAIL_LOSSY, .loss_ratio = -0.1},
                                                   {.mode = COR_MAIL_DUPLICATED, .duplicate_ratio = 1.5},
                                                   {.mode = COR_MAIL_DELAYED, .delay_max = 0},
                                                   {.mode = COR_MAIL_DELAYED, .delay_max = 100000}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cor_error error = COR_NO_ERROR;
        definition.mail = bad[i];
        assert_int_equal(cor_session_create(&definition, &session, &error), COR_STATUS_INPUT);
        assert_null(session);
    }
}

static enum cor_progress wake_for_ever(const struct cor_agent *me, const struct cor_rules *rules,
                                       const struct cor_host *host) {
    (void)me;
    (void)rules;
    (void)host;
    return COR_CONTINUE;
}

static enum cor_progress wake_flooding(const struct cor_agent *me, const struct cor_rules *rules,
                                       const struct cor_host *host) {
    (void)rules;
    static const unsigned char load[4096];
    while (host->send(host, me->id, 1, load, sizeof load)) {
    }
    return COR_DONE;
}

static enum cor_progress wake_drawing(const struct cor_agent *me, const struct cor_rules *rules,
                                      const struct cor_host *host) {
    (void)me;
    (void)rules;
    (void)cor_random_word(host->random[COR_STREAM_ALGORITHM]);
    return COR_DONE;
}

static enum cor_progress wake_failing(const struct cor_agent *me, const struct cor_rules *rules,
                                      const struct cor_host *host) {
    (void)rules;
    if (me->id != 3)
        return COR_DONE;
    host->complain(host, "three");
    return COR_FAILED;
}

static void every_ending_is_named(void **state) {
    (void)state;
    static const struct {
        enum cor_progress (*wake)(const struct cor_agent *, const struct cor_rules *,
                                  const struct cor_host *);
        enum cor_stop stop;
        enum cor_smoke smoke;
        const char *complaint;
    } endings[] = {{wake_for_ever, COR_STOP_BUDGET, COR_SMOKE_NONE, ""},
                   {wake_flooding, COR_STOP_FAILED, COR_SMOKE_MEMORY, ""},
                   {wake_drawing, COR_STOP_FAILED, COR_SMOKE_COMPLAINED,
                    "a handler drew from host->random instead of me->random"},
                   {wake_failing, COR_STOP_FAILED, COR_SMOKE_COMPLAINED, "three"}};
    struct cor_algorithm sample = talkers;
    struct cor_outcome outcome;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        sample.wake = endings[i].wake;
        run(&sample, &(struct cor_mail_schedule){.mode = COR_MAIL_IN_ORDER}, 1, &outcome);
        assert_int_equal(outcome.stop, endings[i].stop);
        assert_int_equal(outcome.smoke, endings[i].smoke);
        assert_string_equal(outcome.complaint, endings[i].complaint);
        cor_outcome_fini(&outcome);
    }
}

static uint64_t drawn[AGENTS];

static enum cor_progress wake_to_draw(const struct cor_agent *me, const struct cor_rules *rules,
                                      const struct cor_host *host) {
    (void)rules;
    (void)host;
    for (uint32_t i = 0; i <= me->id; i++)
        drawn[me->id] = cor_random_word(me->random);
    return COR_DONE;
}

/* Each agent draws from a stream of its own, whatever the others draw and in whatever order they are woken.
 */
static void agents_have_streams_of_their_own(void **state) {
    (void)state;
    struct cor_algorithm sample = talkers;
    struct cor_outcome outcome;
    sample.wake = wake_to_draw;
    static const enum cor_mail modes[] = {COR_MAIL_IN_ORDER, COR_MAIL_SHUFFLED};
    for (size_t m = 0; m < 2; m++) {
        run(&sample, &(struct cor_mail_schedule){.mode = modes[m]}, 9, &outcome);
        for (uint32_t i = 0; i < AGENTS; i++) {
            struct cor_stream_name name = task.name;
            name.purpose = COR_PURPOSE_AGENT;
            name.entity = i;
            struct cor_rng rng = cor_rng_named(&name);
            uint64_t word = 0;
            for (uint32_t w = 0; w <= i; w++)
                word = cor_rng_word(&rng);
            assert_true(drawn[i] == word);
        }
        cor_outcome_fini(&outcome);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_order_is_the_order_sent),
        cmocka_unit_test(shuffled_is_a_uniform_permutation),
        cmocka_unit_test(delays_are_uniform),
        cmocka_unit_test(losses_are_counted_and_of_the_right_size),
        cmocka_unit_test(duplicates_are_counted_and_of_the_right_size),
        cmocka_unit_test(ratios_of_0_are_mail_in_order),
        cmocka_unit_test(impossible_schedules_are_refused),
        cmocka_unit_test(every_ending_is_named),
        cmocka_unit_test(agents_have_streams_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
