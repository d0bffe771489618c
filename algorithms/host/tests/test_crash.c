/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Agents that crash, held against a second account of the same draws; and every algorithm whose agents can.
 */
#include "local.h"
#include "tests/tasks.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#define AGENTS 25u
#define ROUNDS 60u

static struct test_task task; /* big */

/* What agents of `frail` see. */
static struct account { uint32_t wakes, receipts, restarts, lost, at_risk, crashes; } seen;

static enum cor_progress begin(void *state, const struct cor_task *present, const struct cor_host *host) {
    (void)state;
    (void)present;
    (void)host;
    seen = (struct account){0};
    return COR_DONE;
}

/* In every round a message to the next agent. */
static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    (void)rules;
    ++*(uint32_t *)me->state;
    seen.wakes++;
    assert_int_equal(host->send(host, (me->id + 1) % AGENTS, 1, NULL, 0), 1);
    return COR_CONTINUE;
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    (void)rules;
    (void)host;
    assert_int_equal((message->from + 1) % AGENTS, me->id);
    seen.receipts++;
    return COR_DONE;
}

static enum cor_progress restart(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host) {
    assert_int_equal(*(uint32_t *)me->state, 0); /* it has forgotten */
    assert_true(*me->values == task.values[me->id]);
    assert_int_equal(rules->budget, ROUNDS);
    assert_null(host->agent(host, me->id));
    seen.restarts++;
    return COR_CONTINUE;
}

static enum cor_progress result(void *state, const struct cor_task *present, const struct cor_host *host) {
    (void)state;
    host->put_block(host, present->members, present->agent_count);
    return COR_DONE;
}

#define FRAIL                                                                                        \
    COR_ALGORITHM, .name = "frail", .version = "1", .summary = "a sample", .budget_unit = "rounds",  \
                   .agent_size = sizeof(uint32_t), .begin = begin, .wake = wake, .receive = receive, \
                   .result = result
static const struct cor_algorithm frail = {FRAIL, .restart = restart};
static const struct cor_algorithm sturdy = {FRAIL};

static void run(const struct cor_algorithm *algorithm, const struct cor_crash_definition *fault,
                uint32_t agents, uint64_t seed, struct cor_outcome *outcome) {
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_session *session;
    struct cor_error error = COR_NO_ERROR;
    definition.agents = *fault;
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_OK);
    test_make(&task, algorithm, agents, 5, seed);
    task.rules.budget = ROUNDS;
    assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, outcome, &error), COR_OK);
    cor_session_destroy(session);
}

/* The same, agent by agent and round by round, by the words of the manual. */
static struct account account_of(double probability, uint32_t rounds_down, uint64_t seed) {
    struct account a = {0};
    uint32_t up_again[AGENTS] = {0}; /* round in which it is restarted; 0: it runs */
    uint32_t mail[AGENTS] = {0}, asks[AGENTS];
    struct cor_rng rng = cor_rng_named(
        &(struct cor_stream_name){.seed = seed, .identity = seed + 1, .purpose = COR_PURPOSE_CRASH_FAULT});
    for (uint32_t i = 0; i < AGENTS; i++)
        asks[i] = 1;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        uint32_t next_mail[AGENTS] = {0}, asks_next[AGENTS] = {0};
        for (uint32_t i = 0; i < AGENTS; i++) {
            if (up_again[i] == round) {
                up_again[i] = 0;
                a.restarts++;
                asks_next[i] = 1;
            } else if (up_again[i] == 0) {
                a.at_risk++;
                if (cor_rng_unit(&rng) < probability) {
                    a.crashes++;
                    up_again[i] = round + rounds_down;
                    asks[i] = 0;
                }
            }
        }
        for (uint32_t i = 0; i < AGENTS; i++) {
            *(up_again[i] > 0 ? &a.lost : &a.receipts) += mail[i];
            a.wakes += asks[i];
            next_mail[(i + 1) % AGENTS] += asks[i];
            asks_next[i] |= asks[i];
        }
        memcpy(mail, next_mail, sizeof mail);
        memcpy(asks, asks_next, sizeof asks);
    }
    for (uint32_t i = 0; i < AGENTS; i++)
        a.restarts += up_again[i] > 0;
    return a;
}

static void crashes_are_as_the_manual_says(void **state) {
    (void)state;
    static const double probabilities[] = {0, 0.01, 0.2, 1};
    static const uint32_t lengths[] = {1, 2, 7, 1000};
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (uint64_t seed = 0; seed < 160; seed++) {
        const struct cor_crash_definition fault = {COR_CRASH_FAULT_CRASHED, probabilities[seed % 4],
                                                   lengths[seed / 4 % 4]};
        run(&frail, &fault, AGENTS, seed, &outcome);
        struct account told = account_of(fault.probability, fault.down_rounds, seed);
        assert_int_equal(outcome.rounds, ROUNDS);
        assert_int_equal(seen.wakes, told.wakes);
        assert_int_equal(seen.receipts, told.receipts);
        assert_int_equal(seen.restarts, told.restarts);
        assert_int_equal(outcome.messages_lost, told.lost);
        assert_int_equal(outcome.fault.reached, told.at_risk);
        assert_int_equal(outcome.fault.held, told.at_risk);
        assert_int_equal(outcome.fault.activated, told.crashes);
        assert_int_equal(outcome.fault.in_result, told.crashes > 0);
    }
    cor_outcome_fini(&outcome);
}

static void who_cannot_restart_is_not_crashed(void **state) {
    (void)state;
    struct cor_session_definition definition = cor_default_session(&sturdy);
    struct cor_session *session;
    const struct cor_crash_definition bad[] = {{COR_CRASH_FAULT_CRASHED, 1.5, 1},
                                               {COR_CRASH_FAULT_CRASHED, -1, 1},
                                               {COR_CRASH_FAULT_CRASHED, 0.5, 0}};
    struct cor_error error = COR_NO_ERROR;
    definition.agents = (struct cor_crash_definition){COR_CRASH_FAULT_CRASHED, 0.5, 1};
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_STATUS_INPUT);
    assert_non_null(strstr(error.cause, "no restart()"));
    definition.algorithm = &frail;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        definition.agents = bad[i];
        error = COR_NO_ERROR;
        assert_int_equal(cor_session_create(&definition, &session, &error), COR_STATUS_INPUT);
        assert_null(session);
    }
}

/* Every algorithm of the registry that can: nothing is read that is not there, only agents of the system
 * occur, and probability 0 is no fault. */
static void algorithms_survive_crashes(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_registry *registry;
    struct cor_outcome outcome;
    uint32_t restarted = 0;
    cor_outcome_init(&outcome);
    assert_int_equal(cor_registry_create(NULL, &registry, &error), COR_OK);
    for (uint32_t a = 0; a < cor_registry_size(registry); a++) {
        const struct cor_algorithm *algorithm = cor_registry_at(registry, a);
        for (uint64_t seed = 0; algorithm->restart && seed < 200; seed++) {
            static const double probabilities[] = {0.001, 0.01, 0.1, 1};
            const struct cor_crash_definition fault = {COR_CRASH_FAULT_CRASHED, probabilities[seed % 4],
                                                       1 + (uint32_t)seed % 9};
            run(algorithm, &(struct cor_crash_definition){COR_CRASH_FAULT_NONE, 0, 1}, 40, seed, &outcome);
            uint64_t sound = cor_outcome_digest(&outcome);
            run(algorithm, &(struct cor_crash_definition){COR_CRASH_FAULT_CRASHED, 0, 3}, 40, seed, &outcome);
            assert_true(cor_outcome_digest(&outcome) == sound);
            run(algorithm, &fault, 40, seed, &outcome);
            assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
            assert_int_equal(test_count(&outcome.solution, 40).unknown, 0);
            restarted += outcome.fault.activated > 0;
        }
    }
    assert_true(restarted > 100);
    cor_outcome_fini(&outcome);
    cor_registry_destroy(registry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crashes_are_as_the_manual_says),
        cmocka_unit_test(who_cannot_restart_is_not_crashed),
        cmocka_unit_test(algorithms_survive_crashes),
    };
    return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}
