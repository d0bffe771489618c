/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strict reorganizations: the same outcome for who keeps to plugin.h, and a sentence for who does not. */
#include "session.h"
#include "tests/tasks.h"

#include <corridor/course.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct test_task task; /* big */

static uint64_t run(const struct cor_session_definition *definition, struct cor_outcome *outcome,
                    uint64_t *counted) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    const uint32_t *start;
    struct cor_course course = {.identity = task.name.identity}; /* watched, as in a trace, with its graph */
    assert_int_equal(cor_session_create(definition, &session, &error), COR_OK);
    cor_session_watch(session, definition->strict ? &course : NULL);
    assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, outcome, &error), COR_OK);
    const uint64_t *counters = cor_session_counters(session, &start);
    uint32_t count = cor_algorithm_counter_count(definition->algorithm);
    *counted = cor_hash_bytes(COR_HASH_SEED, counters, start[count] * sizeof *counters);
    cor_session_destroy(session);
    cor_course_fini(&course);
    return cor_outcome_digest(outcome);
}

/* Plain and strict, with every fault, under every schedule, within every limit. */
static void compare(const struct cor_algorithm *algorithm, struct cor_session_definition *definition,
                    uint64_t seed) {
    struct cor_outcome outcome;
    uint64_t counted, counted_plain;
    cor_outcome_init(&outcome);
    const uint32_t most =
        strcmp(algorithm->name, "exact") == 0 ? 12 : 18; /* with each agent it takes longer */
    test_make(&task, algorithm, 1 + (uint32_t)(seed * 7 % most), 1 + (uint32_t)(seed % 3), seed);
    if (task.task.block_count > task.task.agent_count)
        task.task.block_count = 1, task.start[1] = task.task.agent_count;
    task.rules.budget = 60;
    task.rules.fault = (uint32_t)(seed % (cor_algorithm_fault_count(algorithm) + 1));
    definition->strict = 0;
    uint64_t plain = run(definition, &outcome, &counted_plain);
    struct cor_fault_counts fault = outcome.fault;
    definition->strict = 1;
    uint64_t strict = run(definition, &outcome, &counted);
    if (strict != plain)
        fail_msg("%s, seed %u: %s", algorithm->name, (unsigned)seed, outcome.complaint);
    assert_true(counted == counted_plain);
    assert_memory_equal(&outcome.fault, &fault, sizeof fault);
    cor_outcome_fini(&outcome);
}

static void honest_algorithms_give_the_same_strict_or_not(void **state) {
    (void)state;
    static const struct cor_mail_schedule schedules[] = {
        {.mode = COR_MAIL_IN_ORDER},
        {.mode = COR_MAIL_SHUFFLED},
        {.mode = COR_MAIL_DELAYED, .delay_max = 5},
        {.mode = COR_MAIL_LOSSY, .loss_ratio = 0.05},
        {.mode = COR_MAIL_DUPLICATED, .duplicate_ratio = 0.05},
        {.mode = COR_MAIL_PCT, .depth = 3, .messages = 100},
        {.mode = COR_MAIL_BOUNDED, .bound = 3, .messages = 100, .index = -1}};
    struct cor_error error = COR_NO_ERROR;
    struct cor_registry *registry;
    assert_int_equal(cor_registry_create(NULL, &registry, &error), COR_OK);
    for (uint32_t i = 0; i < cor_registry_size(registry); i++) {
        const struct cor_algorithm *algorithm = cor_registry_at(registry, i);
        struct cor_session_definition definition = cor_default_session(algorithm);
        for (uint64_t seed = 0; seed < 40; seed++) {
            definition.mail = schedules[algorithm->wake ? seed % (sizeof schedules / sizeof *schedules) : 0];
            definition.interim_units = algorithm->capabilities & COR_ANYTIME && seed % 4 == 0 ? 20 : 0;
            definition.agents.fault =
                algorithm->restart && seed % 3 == 0 ? COR_CRASH_FAULT_CRASHED : COR_CRASH_FAULT_NONE;
            definition.agents.probability = 0.02;
            definition.agents.down_rounds = 3;
            definition.memory_limit = seed % 8 == 7 ? 3000 : cor_default_session(algorithm).memory_limit;
            compare(algorithm, &definition, seed);
        }
    }
    cor_registry_destroy(registry);
}

/* An algorithm that cheats as it is told: agents greet a neighbour once, and that is all. */
enum cheat {
    HONEST,
    VALUES_BEFORE,
    VALUES_BEHIND,
    RECORD_BEFORE,
    STATE_OF_ANOTHER,
    WRITE_STATE_OF_ANOTHER,
    TASK_POINTER,
    WRITE_TASK,
    WRITE_RULES,
    WRITE_HOST,
    SHARED_TABLE,
    PAYLOAD_BEHIND,
    OLD_PAYLOAD,
    COUNTER_BLACKBOARD,
    FAULT_BLACKBOARD,
    BUCKET_BEHIND,
    PAST_THE_COUNTERS,
    PAST_THE_VALUES,
    OWN_LIST
};
static enum cheat cheat;

struct own {
    const struct cor_task *task;
    struct own *other;
    uint32_t *list;
    const uint32_t *heard;
    uint32_t woken, sum;
};

static enum cor_progress begin(void *state, const struct cor_task *asked, const struct cor_host *host) {
    uint32_t n = asked->agent_count;
    uint32_t *table = host->alloc(host, n * sizeof *table);
    *(uint32_t *)state = n;
    if (cheat == PAST_THE_VALUES && asked->values[0][n] > 0)
        return COR_STAGNATED;
    if (cheat == WRITE_TASK)
        ((double *)(uintptr_t)asked->values[0])[1] = 7;
    for (uint32_t i = 0; i < n; i++) {
        struct own *own = host->agent(host, i)->state;
        own->task = asked;
        own->other = host->agent(host, (i + 1) % n)->state;
        own->list = cheat == OWN_LIST ? host->alloc(host, 64) : table;
    }
    return COR_DONE;
}

/* The one way to keep the compiler from knowing better. */
static double read_at(const volatile double *place) {
    return *place;
}

static enum cor_progress do_it(const struct cor_agent *me, const struct cor_rules *rules,
                               const struct cor_host *host) {
    struct own *self = me->state;
    volatile double got = 0;
    switch (cheat) {
    case VALUES_BEFORE:
        got = read_at(me->values - 1);
        break;
    case VALUES_BEHIND:
        got = read_at(me->values + rules->value_count);
        break;
    case RECORD_BEFORE:
        got = (me + 1)->id + (double)(me - 1)->id;
        break;
    case STATE_OF_ANOTHER:
        got = self->other->sum;
        break;
    case WRITE_STATE_OF_ANOTHER:
        self->other->sum = 1;
        break;
    case TASK_POINTER:
        got = self->task->agent_count;
        break;
    case WRITE_RULES:
        ((struct cor_rules *)(uintptr_t)rules)->budget = 1;
        break;
    case WRITE_HOST:
        ((struct cor_host *)(uintptr_t)host)->minor = 9;
        break;
    case SHARED_TABLE: /* a store: ++ is said to read first, or to write, as the compiler likes it */
        self->list[0] = 1;
        break;
    case OWN_LIST:
        self->list[1] = ++self->list[0];
        self->sum += 2 * self->list[1];
        break;
    case OLD_PAYLOAD:
        got = self->heard ? *self->heard : 0;
        break;
    case BUCKET_BEHIND:
        cor_count(host, 0, 2);
        break;
    case PAST_THE_COUNTERS:
        host->counters[host->counter_start[0] + 2 + 32] = 1;
        break;
    default:
        break;
    }
    self->sum += (uint32_t)got;
    return COR_DONE;
}

static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    struct own *self = me->state;
    const uint64_t words[2] = {me->id, me->id};
    if (self->woken++ > 0)
        return do_it(me, rules, host);
    if (cheat == COUNTER_BLACKBOARD)
        self->sum += (uint32_t)host->counters[host->counter_start[0]];
    if (cheat == FAULT_BLACKBOARD)
        self->sum += (uint32_t)host->fault->reached++;
    cor_count(host, 0, 0);
    host->send(host, me->id > 0 ? me->id - 1 : 0, 0, words, sizeof words);
    return COR_CONTINUE;
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    struct own *self = me->state;
    const uint32_t *words = message->payload;
    (void)rules;
    (void)host;
    if (cheat == PAYLOAD_BEHIND)
        self->sum += words[message->size / sizeof *words];
    self->heard = words;
    return COR_DONE;
}

/* Every agent alone; those that were told something together. */
static enum cor_progress result(void *state, const struct cor_task *asked, const struct cor_host *host) {
    (void)state;
    for (uint32_t i = 0; i < asked->agent_count; i++) {
        const struct own *own = host->agent(host, i)->state;
        if (own->sum % 2 == 0)
            host->put_block(host, &i, 1);
    }
    return COR_DONE;
}

static const struct cor_counter counters[] = {{"turns", "turns", 2}, {0}};
static const struct cor_algorithm cheater = {COR_ALGORITHM,
                                             .name = "cheater",
                                             .version = "1",
                                             .summary = "cheats",
                                             .budget_unit = "rounds",
                                             .state_size = 64,
                                             .agent_size = sizeof(struct own),
                                             .counters = counters,
                                             .begin = begin,
                                             .wake = wake,
                                             .receive = receive,
                                             .result = result};

/* What is said of a cheat; "" if nothing is. */
static const char *said_of(enum cheat chosen, uint32_t n) {
    static struct cor_outcome outcome;
    static char text[256];
    struct cor_session_definition definition = cor_default_session(&cheater);
    uint64_t counted;
    definition.strict = 1;
    cheat = chosen;
    test_make(&task, &cheater, n, 1, 5);
    run(&definition, &outcome, &counted);
    snprintf(text, sizeof text, "%s", outcome.complaint);
    assert_int_equal(outcome.smoke == COR_SMOKE_NONE, text[0] == '\0');
    assert_int_equal(outcome.stop == COR_STOP_FAILED, text[0] != '\0');
    if (outcome.smoke == COR_SMOKE_NONE)
        assert_int_equal(outcome.solution.block_count, n);
    cor_outcome_fini(&outcome);
    return text;
}

/* `pattern` with %u for numbers of two agents. */
static void expect(enum cheat chosen, const char *pattern) {
    uint32_t who, whom = UINT32_MAX;
    const char *text = said_of(chosen, 20);
    char again[256];
    if (sscanf(text, pattern, &who, &whom) < 1)
        fail_msg("%s", text);
    snprintf(again, sizeof again, pattern, who, whom); /* NOLINT: the tests' own patterns */
    assert_string_equal(text, again);
    assert_in_range(who, 0, 19);
    assert_int_not_equal(who, whom);
}

static void handlers_reach_nothing_of_other_agents(void **state) {
    (void)state;
    assert_string_equal(said_of(HONEST, 20), "");
    assert_string_equal(said_of(OWN_LIST, 20), "");
    expect(VALUES_BEFORE, "agent %u read the values of agent %u");
    expect(VALUES_BEHIND, "agent %u read the values of agent %u");
    expect(RECORD_BEFORE, "agent %u read struct cor_agent of agent %u");
    expect(STATE_OF_ANOTHER, "agent %u read the state of agent %u");
    expect(WRITE_STATE_OF_ANOTHER, "agent %u wrote the state of agent %u");
}

static void what_is_everybodys_is_closed_to_handlers(void **state) {
    (void)state;
    expect(TASK_POINTER, "agent %u read the task, which is lent to begin() and result() alone");
    expect(SHARED_TABLE, "agent %u wrote memory of begin() that the states of several agents lead to");
    expect(WRITE_RULES, "agent %u wrote the rules");
    expect(WRITE_HOST, "agent %u wrote struct cor_host");
    expect(PAYLOAD_BEHIND, "agent %u read past the end of a message");
}

static void arrays_of_the_task_end_where_they_end(void **state) {
    (void)state;
    assert_string_equal(said_of(WRITE_TASK, 20), "begin() wrote the task's values[0][1]");
    assert_string_equal(said_of(PAST_THE_VALUES, 20),
                        "begin() read past the end of the task's values[0][20]");
}

static void messages_are_gone_when_they_are_read(void **state) {
    (void)state;
    expect(OLD_PAYLOAD, "agent %u read a message");
}

static void counters_stay_within_their_buckets(void **state) {
    (void)state;
    assert_string_equal(said_of(BUCKET_BEHIND, 20), "it counted bucket 2 of counter \"turns\", which has 2");
    expect(PAST_THE_COUNTERS, "agent %u wrote past the end of the counters");
}

/* What the others counted would be knowledge without mail: every handler finds 0. */
static void counters_tell_handlers_nothing(void **state) {
    (void)state;
    struct cor_session_definition definition = cor_default_session(&cheater);
    struct cor_outcome outcome;
    uint64_t strict, plain;
    cor_outcome_init(&outcome);
    for (cheat = COUNTER_BLACKBOARD; cheat <= FAULT_BLACKBOARD; cheat++) {
        test_make(&task, &cheater, 20, 1, 5);
        definition.strict = 0;
        run(&definition, &outcome, &plain);
        assert_int_equal(outcome.solution.block_count, 10);
        struct cor_fault_counts fault = outcome.fault;
        definition.strict = 1;
        run(&definition, &outcome, &strict);
        assert_int_equal(outcome.solution.block_count, 20);
        assert_true(strict == plain);
        assert_memory_equal(&fault, &outcome.fault, sizeof fault);
    }
    cor_outcome_fini(&outcome);
}

/* A session that was peeked in goes on with the next reorganization, and so does the process. */
static void sessions_go_on_after_a_peek(void **state) {
    (void)state;
    struct cor_session_definition definition = cor_default_session(&cheater);
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    definition.strict = 1;
    test_make(&task, &cheater, 20, 1, 5);
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_OK);
    for (int i = 0; i < 6; i++) {
        cheat = i % 2 == 0 ? STATE_OF_ANOTHER : HONEST;
        assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, &outcome, &error), COR_OK);
        assert_int_equal(outcome.smoke, i % 2 == 0 ? COR_SMOKE_PEEKED : COR_SMOKE_NONE);
        assert_int_equal(outcome.solution.block_count, i % 2 == 0 ? 0 : 20);
    }
    cor_session_destroy(session);
    cor_outcome_fini(&outcome);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_algorithms_give_the_same_strict_or_not),
        cmocka_unit_test(handlers_reach_nothing_of_other_agents),
        cmocka_unit_test(what_is_everybodys_is_closed_to_handlers),
        cmocka_unit_test(arrays_of_the_task_end_where_they_end),
        cmocka_unit_test(messages_are_gone_when_they_are_read),
        cmocka_unit_test(counters_stay_within_their_buckets),
        cmocka_unit_test(counters_tell_handlers_nothing),
        cmocka_unit_test(sessions_go_on_after_a_peek),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
