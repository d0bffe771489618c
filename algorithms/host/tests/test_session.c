/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sessions with small algorithms that try out what the host allows, refuses and records. */
#include "local.h"
#include "tests/tasks.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct test_task task; /* big */

static struct cor_session *open_session(const struct cor_session_definition *definition) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_session *session;
    assert_int_equal(cor_session_create(definition, &session, &error), COR_OK);
    return session;
}

static void run(struct cor_session *session, struct cor_outcome *outcome) {
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, outcome, &error), COR_OK);
}

/* One reorganization of `algorithm` on 12 agents in 3 blocks. */
static void run_once(const struct cor_algorithm *algorithm, struct cor_outcome *outcome) {
    struct cor_session_definition definition = cor_default_session(algorithm);
    struct cor_session *session = open_session(&definition);
    test_make(&task, algorithm, 12, 3, 5);
    cor_outcome_init(outcome);
    run(session, outcome);
    cor_session_destroy(session);
}

#define SAMPLE .version = "1", .summary = "a sample", .budget_unit = "units", COR_ALGORITHM

static enum cor_progress put_present(void *state, const struct cor_task *present,
                                     const struct cor_host *host) {
    (void)state;
    for (uint32_t b = 0; b < present->block_count; b++)
        host->put_block(host, present->members + present->block_start[b],
                        present->block_start[b + 1] - present->block_start[b]);
    return COR_DONE;
}

static enum cor_progress begin_nothing(void *state, const struct cor_task *present,
                                       const struct cor_host *host) {
    (void)state;
    (void)present;
    (void)host;
    return COR_DONE;
}

static enum cor_progress put_nonsense(void *state, const struct cor_task *present,
                                      const struct cor_host *host) {
    (void)state;
    (void)present;
    static const uint32_t odd[] = {3, 3, 99};
    assert_int_equal(host->put_block(host, odd, 3), 1);
    assert_int_equal(host->put_block(host, NULL, 0), 1);
    return COR_DONE;
}

static void raw_solutions_are_kept_as_they_are(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "nonsense", .result = put_nonsense};
    struct cor_outcome outcome;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.stop, COR_STOP_DONE);
    assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
    assert_int_equal(outcome.solution.block_count, 2);
    assert_int_equal(cor_lists_size(&outcome.solution, 0), 3);
    assert_int_equal(cor_lists_block(&outcome.solution, 0)[2], 99);
    assert_int_equal(cor_lists_size(&outcome.solution, 1), 0);
    assert_false(outcome.has_moves);
    cor_outcome_fini(&outcome);
}

static enum cor_progress put_for_ever(void *state, const struct cor_task *present,
                                      const struct cor_host *host) {
    (void)state;
    while (host->put_block(host, present->members, present->agent_count)) {
    }
    return COR_DONE;
}

static enum cor_progress put_huge(void *state, const struct cor_task *present, const struct cor_host *host) {
    (void)state;
    assert_int_equal(host->put_block(host, present->members, SIZE_MAX), 0);
    return COR_DONE;
}

/* One member less than what is absurd, and then the one. */
static enum cor_progress put_to_the_edge(void *state, const struct cor_task *present,
                                         const struct cor_host *host) {
    (void)state;
    (void)present;
    static uint32_t members[HOST__ABSURD];
    assert_int_equal(host->put_block(host, members, HOST__ABSURD - 3), 1);
    assert_int_equal(host->put_block(host, members, 2), 1);
    assert_int_equal(host->put_block(host, members, 1), 0);
    return COR_DONE;
}

static void absurd_solutions_are_smoke(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "many", .result = put_for_ever};
    struct cor_outcome outcome;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_OVERFLOW);
    assert_int_equal(outcome.stop, COR_STOP_FAILED);
    cor_outcome_fini(&outcome);
    sample.result = put_huge;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_OVERFLOW);
    cor_outcome_fini(&outcome);
    sample.result = put_to_the_edge;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_OVERFLOW);
    assert_int_equal(outcome.solution.member_count, HOST__ABSURD - 1);
    cor_outcome_fini(&outcome);
}

static enum cor_progress try_memory(void *state, const struct cor_task *present,
                                    const struct cor_host *host) {
    unsigned char *own = state;
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(own[i], 0);
    memset(own, 0xAB, 100);
    for (size_t bytes = 0; bytes < 5000; bytes += 37) {
        unsigned char *memory = host->alloc(host, bytes);
        assert_int_equal((uintptr_t)memory % 16, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xCD, bytes);
        memory = host->resize(host, memory, bytes, bytes + 100); /* the newest: grows in place */
        for (size_t i = 0; i < bytes + 100; i++)
            assert_int_equal(memory[i], i < bytes ? 0xCD : 0);
        host->alloc(host, 1);
        unsigned char *moved = host->resize(host, memory, bytes + 100, 2 * bytes + 100);
        assert_ptr_not_equal(moved, memory);
        for (size_t i = 0; i < 2 * bytes + 100; i++)
            assert_int_equal(moved[i], i < bytes ? 0xCD : 0);
        memset(moved, 0xEF, 2 * bytes + 100);
    }
    unsigned char *newest = host->alloc(host, 60000);
    memset(newest, 0xCD, 60000);
    newest = host->resize(host, newest, 60000, 120000); /* more than the first session has in one piece */
    for (size_t i = 0; i < 120000; i++)
        assert_int_equal(newest[i], i < 60000 ? 0xCD : 0);
    return put_present(state, present, host);
}

static void memory_is_zeroed_and_aligned_again_and_again(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "memory", .state_size = 100, .result = try_memory};
    struct cor_session_definition definition = cor_default_session(&sample);
    struct cor_session *session = open_session(&definition);
    struct cor_outcome outcome;
    test_make(&task, &sample, 12, 3, 5);
    cor_outcome_init(&outcome);
    for (int i = 0; i < 3; i++)
        run(session, &outcome);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

static uint32_t granted; /* allocations before the limit */

static enum cor_progress eat_memory(void *state, const struct cor_task *present,
                                    const struct cor_host *host) {
    (void)state;
    (void)present;
    void *memory = NULL;
    size_t bytes = 0;
    for (granted = 0;; granted++) {
        void *more =
            granted % 3 == 0 ? host->alloc(host, 100) : host->resize(host, memory, bytes, bytes + 1000);
        if (!more)
            return COR_FAILED;
        bytes = granted % 3 == 0 ? 100 : bytes + 1000;
        memory = more;
    }
}

/* The limit is met at the same request in a fresh session and in a warm one, whose memory lies otherwise. */
static void memory_limit_is_smoke_and_does_not_depend_on_history(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "eater", .result = eat_memory};
    struct cor_session_definition definition = cor_default_session(&sample);
    definition.memory_limit = 1000000;
    struct cor_session *session = open_session(&definition);
    struct cor_outcome outcome;
    test_make(&task, &sample, 12, 3, 5);
    cor_outcome_init(&outcome);
    uint32_t first = 0;
    for (int i = 0; i < 4; i++) {
        run(session, &outcome);
        assert_int_equal(outcome.smoke, COR_SMOKE_MEMORY);
        assert_int_equal(outcome.stop, COR_STOP_FAILED);
        first = i == 0 ? granted : first;
        assert_int_equal(granted, first);
    }
    /* rounds of three requests are charged 112 + 1008 - 112 + 2112 - 1008, so about 1000000 / 704 of each */
    assert_in_range(first, 1300, 1500);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

struct counter_state {
    uint64_t steps;
};

static uint64_t largest_request;

static enum cor_progress step_counting(void *state, const struct cor_task *present,
                                       const struct cor_host *host, uint64_t units) {
    struct counter_state *own = state;
    (void)present;
    largest_request = units > largest_request ? units : largest_request;
    own->steps++;
    *host->spent += units;
    return COR_CONTINUE;
}

static enum cor_progress step_until_7(void *state, const struct cor_task *present,
                                      const struct cor_host *host, uint64_t units) {
    (void)state;
    (void)present;
    for (; units > 0; units--)
        if (++*host->spent == 7)
            return COR_STAGNATED;
    return COR_CONTINUE;
}

static enum cor_progress step_idly(void *state, const struct cor_task *present, const struct cor_host *host,
                                   uint64_t units) {
    (void)state;
    (void)present;
    (void)host;
    (void)units;
    return COR_CONTINUE;
}

static void budget_ends_steps(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE,
                                   .name = "stepper",
                                   .state_size = sizeof(struct counter_state),
                                   .begin = begin_nothing,
                                   .step = step_counting,
                                   .result = put_present};
    struct cor_outcome outcome;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.stop, COR_STOP_BUDGET);
    assert_int_equal(outcome.spent, 2000);
    cor_outcome_fini(&outcome);
    sample.step = step_until_7;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.stop, COR_STOP_STAGNATED);
    assert_int_equal(outcome.spent, 7);
    assert_true(test_is_partitioning(&outcome.solution, 12));
    cor_outcome_fini(&outcome);
    sample.step = step_idly;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_COMPLAINED);
    assert_non_null(strstr(outcome.complaint, "used nothing"));
    cor_outcome_fini(&outcome);
}

/* A result that draws, spends and counts: a look at it must leave no trace. */
static enum cor_progress result_with_traces(void *state, const struct cor_task *present,
                                            const struct cor_host *host) {
    uint32_t drawn = 0;
    for (int i = 0; i < 20; i++) /* more than a stream holds ready */
        drawn = cor_random_below(host->random[COR_STREAM_ALGORITHM], present->agent_count);
    uint32_t other = cor_random_below(host->random[COR_STREAM_FAULT], present->agent_count);
    uint32_t both[] = {drawn, other};
    host->put_block(host, both, 2);
    ++*host->spent;
    host->fault->reached++, host->fault->held++, host->fault->activated++;
    return put_present(state, present, host);
}

static enum cor_progress step_drawing(void *state, const struct cor_task *present,
                                      const struct cor_host *host, uint64_t units) {
    (void)state;
    (void)present;
    for (; units > 0; units--, ++*host->spent)
        (void)cor_random_word(host->random[COR_STREAM_ALGORITHM]);
    return COR_CONTINUE;
}

/* What the next one says of its counts. */
static struct cor_fault_counts told;
static uint64_t told_spent;

static enum cor_progress result_counting(void *state, const struct cor_task *present,
                                         const struct cor_host *host) {
    *host->fault = told;
    *host->spent = told_spent;
    fesetround(FE_UPWARD);
    return put_present(state, present, host);
}

static void counts_that_cannot_be_are_smoke(void **state) {
    (void)state;
    const struct cor_algorithm sample = {SAMPLE, .name = "counting",
                                         .faults = (const struct cor_fault[]){{"slip", "a slip"}, {0}},
                                         .result = result_counting};
    const uint64_t most = (uint64_t)1 << 53;
    const struct {
        uint32_t fault;
        struct cor_fault_counts counts;
        uint64_t spent;
        const char *said; /* NULL: that can be */
    } cases[] = {
        {1, {0, 0, 0, 0}, 0, NULL},
        {1, {5, 3, 3, 1}, most, NULL},
        {1, {most, most, most, 1}, 0, NULL},
        {0, {0, 0, 0, 0}, 7, NULL},
        {1,
         {0, 0, 1, 0},
         0,
         "of its fault it counts: reached 0 times, its condition held 0 times, activated 1"},
        {1, {1, 2, 1, 0}, 0, "each can be at most the one before, the last 1"},
        {1, {3, 2, 3, 0}, 0, "each can be at most the one before, the last 1"},
        {1, {1, 1, 0, 1}, 0, "activated 0, in the result 1"},
        {1, {2, 2, 2, 2}, 0, "activated 2, in the result 2"},
        {1, {UINT64_MAX, 1, 1, 0}, 0, "reached 18446744073709551615 times"},
        {1, {most + 1, 1, 1, 0}, 0, "reached 9007199254740993 times"},
        {0, {1, 0, 0, 0}, 0, "it counts a fault (reached 1 times, "},
        {1, {1, 1, 1, 1}, most + 1, "it says that it used 9007199254740993 units of its budget"},
    };
    struct cor_session_definition definition = cor_default_session(&sample);
    definition.origin = "./counting.so"; /* as a module */
    struct cor_session *session = open_session(&definition);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    test_make(&task, &sample, 12, 3, 5);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        told = cases[i].counts;
        told_spent = cases[i].spent;
        task.rules.fault = cases[i].fault;
        run(session, &outcome);
        assert_int_equal(fegetround(), FE_TONEAREST); /* whatever it left behind */
        assert_int_equal(outcome.smoke, cases[i].said ? COR_SMOKE_GARBLED : COR_SMOKE_NONE);
        assert_int_equal(outcome.stop, cases[i].said ? COR_STOP_FAILED : COR_STOP_DONE);
        if (cases[i].said && !strstr(outcome.complaint, cases[i].said))
            fail_msg("\"%s\" is not \"%s\"", outcome.complaint, cases[i].said);
        /* What is stored can be. */
        const struct cor_fault_counts *fault = &outcome.fault;
        assert_true(fault->held <= fault->reached && fault->activated <= fault->held &&
                    fault->in_result <= 1);
        assert_true(outcome.spent <= most);
        if (!cases[i].said)
            assert_memory_equal(fault, &cases[i].counts, sizeof *fault);
    }
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

static void looks_are_counted_and_leave_no_trace(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE,
                                   .name = "anytime",
                                   .capabilities = COR_ANYTIME,
                                   .faults = (const struct cor_fault[]){{"traces", "leaves them"}, {0}},
                                   .begin = begin_nothing,
                                   .step = step_drawing,
                                   .result = result_with_traces};
    struct cor_session_definition definition = cor_default_session(&sample);
    struct cor_outcome blind, seeing;
    cor_outcome_init(&seeing);
    cor_outcome_init(&blind);
    test_make(&task, &sample, 12, 3, 5);
    task.rules.fault = 1;
    struct cor_session *session = open_session(&definition);
    run(session, &blind);
    cor_session_destroy(session);
    definition.interim_units = 300;
    session = open_session(&definition);
    for (int again = 0; again < 2; again++) {
        run(session, &seeing);
        assert_int_equal(seeing.interim_count, 6);
        for (uint32_t i = 0; i < 6; i++) {
            assert_int_equal(seeing.interims[i].spent, 300 * (i + 1));
            assert_int_equal(seeing.interims[i].solution.block_count, 4);
        }
        assert_int_equal(seeing.spent, 2001);
        assert_int_equal(seeing.fault.activated, 1);
        assert_int_equal(cor_outcome_digest(&seeing), cor_outcome_digest(&blind));
    }
    cor_session_destroy(session);
    cor_outcome_fini(&blind);
    cor_outcome_fini(&seeing);
    sample.capabilities = 0;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_STATUS_INPUT);
    assert_null(session);
}

static enum cor_progress complain_and_fail(void *state, const struct cor_task *present,
                                           const struct cor_host *host) {
    (void)state;
    (void)present;
    host->complain(host, "no way");
    return COR_FAILED;
}

static enum cor_progress return_nonsense(void *state, const struct cor_task *present,
                                         const struct cor_host *host) {
    (void)state;
    (void)present;
    (void)host;
    return (enum cor_progress)77;
}

static int ended;

static void count_end(void *state, const struct cor_host *host) {
    (void)state;
    (void)host;
    ended++;
}

static void failures_are_smoke_and_end_is_called(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "fails", .result = complain_and_fail, .end = count_end};
    struct cor_outcome outcome;
    ended = 0;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_COMPLAINED);
    assert_string_equal(outcome.complaint, "no way");
    assert_int_equal(ended, 1);
    cor_outcome_fini(&outcome);
    sample.result = return_nonsense;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_COMPLAINED);
    assert_int_equal(ended, 2);
    cor_outcome_fini(&outcome);
}

static enum cor_progress adopt_backwards(void *state, const struct cor_task *present,
                                         const struct cor_host *host) {
    (void)state;
    assert_int_equal(host->move(host, present->agent_count, 0), 0);
    assert_int_equal(host->move(host, 0, present->block_count), 0);
    assert_int_equal(host->put_block(host, present->members, 1), 0);
    for (uint32_t i = present->agent_count; i > 0; i--)
        assert_int_equal(host->move(host, i - 1, i % present->block_count), 1);
    return COR_DONE;
}

static void moves_are_recorded_in_their_order(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "mover", .result = put_present, .adopt = adopt_backwards};
    struct cor_outcome outcome;
    run_once(&sample, &outcome);
    assert_true(outcome.has_moves);
    assert_int_equal(outcome.move_count, 12);
    for (uint32_t m = 0; m < 12; m++) {
        assert_int_equal(outcome.moves[m].agent, 11 - m);
        assert_int_equal(outcome.moves[m].block, (12 - m) % 3);
    }
    cor_outcome_fini(&outcome);
}

static uint32_t remembered; /* what the reorganization before had kept */

static enum cor_progress keep_a_count(void *state, const struct cor_task *present,
                                      const struct cor_host *host) {
    remembered = 0;
    if (present->kept_size == sizeof remembered)
        memcpy(&remembered, present->kept, sizeof remembered);
    uint32_t next = remembered + 1;
    assert_int_equal(host->keep(host, &next, sizeof next), 1);
    if (next == 4)
        return COR_FAILED;
    return put_present(state, present, host);
}

static enum cor_progress keep_as_much_as_allowed(void *state, const struct cor_task *present,
                                                 const struct cor_host *host) {
    unsigned char *bytes = calloc(HOST__KEPT_MOST, 1);
    assert_int_equal(host->keep(host, bytes, HOST__KEPT_MOST), 1);
    assert_int_equal(host->keep(host, bytes, HOST__KEPT_MOST + 1), 0);
    free(bytes);
    return put_present(state, present, host);
}

static void as_much_is_kept_as_is_allowed(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "keeper", .capabilities = COR_KEEPS,
                                   .result = keep_as_much_as_allowed};
    struct cor_outcome outcome;
    run_once(&sample, &outcome);
    assert_int_equal(outcome.smoke, COR_SMOKE_NONE);
    cor_outcome_fini(&outcome);
}

static void bytes_are_kept_until_restart(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "keeper", .capabilities = COR_KEEPS,
                                   .result = keep_a_count};
    struct cor_session_definition definition = cor_default_session(&sample);
    struct cor_session *session = open_session(&definition);
    struct cor_outcome outcome;
    test_make(&task, &sample, 12, 3, 5);
    cor_outcome_init(&outcome);
    static const uint32_t expected[] = {0, 1, 2, 3, 3};
    for (size_t i = 0; i < 5; i++) { /* from the fourth on it fails, and what a failed one kept is dropped */
        run(session, &outcome);
        assert_int_equal(remembered, expected[i]);
        assert_int_equal(outcome.stop, i < 3 ? COR_STOP_DONE : COR_STOP_FAILED);
    }
    cor_session_restart(session);
    run(session, &outcome);
    assert_int_equal(remembered, 0);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

static struct {
    uint32_t agents, blocks, start[13], members[12], objective_filter;
    double values[12];
} shown;

/* Looks, puts what is there, and two agents that there are not, in a block of their own. */
static enum cor_progress look_and_invent(void *state, const struct cor_task *present,
                                         const struct cor_host *host) {
    const uint32_t invented[] = {present->agent_count, UINT32_MAX};
    shown.agents = present->agent_count;
    shown.blocks = present->block_count;
    memcpy(shown.start, present->block_start, (present->block_count + 1) * sizeof *shown.start);
    memcpy(shown.members, present->members, present->agent_count * sizeof *shown.members);
    memcpy(shown.values, present->values[0], present->agent_count * sizeof *shown.values);
    shown.objective_filter = 0;
    for (uint32_t i = 0; i < present->agent_count; i++)
        shown.objective_filter |= (uint32_t)present->objective->filters[i] << i;
    (void)keep_a_count(state, present, host);
    host->put_block(host, invented, 2);
    return COR_DONE;
}

/* Twelve agents: 2, 5, 8 and 11 are not there, 4 and 9 in no block. */
static void a_task_is_of_those_who_are_there(void **state) {
    (void)state;
    static const uint8_t absent[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, others[12] = {[3] = 1};
    static const uint32_t start[] = {0, 2, 6}, members[] = {10, 0, 7, 1, 6, 3};
    static const uint32_t there[] = {0, 1, 3, 4, 6, 7, 9, 10};
    static const unsigned char filter[12] = {1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1, 0}; /* of whom: */
    static const struct cor_objective_step step = {.what = COR_OBJECTIVE_COUNT, .filter = 0};
    const struct cor_objective objective = {1, 1, &step, filter};
    struct cor_algorithm sample = {SAMPLE, .name = "looks", .capabilities = COR_KEEPS | COR_AIMS,
                                   .result = look_and_invent};
    struct cor_session_definition definition = cor_default_session(&sample);
    struct cor_session *session = open_session(&definition);
    struct cor_outcome outcome;
    test_make(&task, &sample, 12, 3, 5);
    const struct cor_task whole = task.task;
    task.task.block_count = 2;
    task.task.block_start = start;
    task.task.members = members;
    task.task.objective = &objective;
    cor_outcome_init(&outcome);
    cor_session_attend(session, absent);
    run(session, &outcome);
    assert_int_equal(remembered, 0);
    assert_int_equal(shown.agents, 8);
    for (uint32_t i = 0; i < 8; i++)
        assert_true(shown.values[i] == whole.values[0][there[i]]);
    assert_int_equal(shown.objective_filter, 1 << 0 | 1 << 3 | 1 << 5 | 1 << 6 | 1 << 7); /* 0, 4, 7, 9, 10 */
    assert_int_equal(shown.blocks, 4);
    static const uint32_t starts[] = {0, 2, 6, 7, 8}, seen[] = {7, 0, 5, 1, 4, 2, 3, 6};
    assert_memory_equal(shown.start, starts, sizeof starts);
    assert_memory_equal(shown.members, seen, sizeof seen);
    static const uint32_t put[] = {10, 0, 7, 1, 6, 3, 4, 9, 12, UINT32_MAX};
    assert_int_equal(outcome.solution.member_count, 10);
    assert_memory_equal(outcome.solution.members, put, sizeof put);
    run(session, &outcome); /* what is kept is there as long as nobody came or went */
    assert_int_equal(remembered, 1);
    struct cor_session_memory memory = {0};
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_session_save(session, &memory, &error), COR_OK);
    cor_session_attend(session, others);
    task.task.block_start = (const uint32_t[]){0, 2, 5};
    run(session, &outcome);
    assert_int_equal(remembered, 0);
    assert_int_equal(shown.agents, 11);
    cor_session_attend(session, absent);
    assert_int_equal(cor_session_restore(session, &memory, &error), COR_OK);
    run(session, &outcome);
    assert_int_equal(remembered, 2);
    cor_session_attend(session, NULL);
    task.task = whole;
    task.task.objective = &objective;
    run(session, &outcome);
    assert_int_equal(remembered, 0);
    assert_int_equal(shown.agents, 12);
    cor_session_memory_fini(&memory);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

static double asked[3]; /* the present structure, one that misses an agent, one with an empty block */

static enum cor_progress ask_cost(void *state, const struct cor_task *present, const struct cor_host *host) {
    uint32_t spoilt[TEST_AGENTS_MAX], start[TEST_AGENTS_MAX + 1], n = present->agent_count;
    memcpy(spoilt, present->members, n * sizeof *spoilt);
    memcpy(start, present->block_start, (present->block_count + 1) * sizeof *start);
    asked[0] = host->cost(host, present->block_count, present->block_start, present->members);
    spoilt[0] = spoilt[1];
    asked[1] = host->cost(host, present->block_count, present->block_start, spoilt);
    start[1] = 0;
    asked[2] = host->cost(host, present->block_count, start, present->members);
    return put_present(state, present, host);
}

/* All of the limit can be had, and nothing beyond; what lies elsewhere counts. */
static void an_arena_gives_exactly_its_limit(void **state) {
    (void)state;
    struct host__arena arena;
    host__arena_init(&arena, 96);
    assert_non_null(host__arena_alloc(&arena, 48));
    assert_null(host__arena_alloc(&arena, 64));
    assert_non_null(host__arena_alloc(&arena, 48));
    assert_null(host__arena_alloc(&arena, 1));
    host__arena_reset(&arena);
    assert_true(host__arena_charge(&arena, 80));
    assert_false(host__arena_charge(&arena, 17));
    assert_non_null(host__arena_alloc(&arena, 16));
    assert_null(host__arena_alloc(&arena, 1));
    host__arena_fini(&arena);
}

static void cost_is_the_measure_of_the_definition(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "asker", .result = ask_cost};
    struct cor_session_definition definition = cor_default_session(&sample);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (int round = 0; round < 30; round++) { /* so that the farthest mean lies on either side */
        int measure = COR_MEASURE_RANGE + round % (COR_MEASURE_RMS - COR_MEASURE_RANGE + 1);
        definition.measure = (enum cor_measure)measure;
        struct cor_session *session = open_session(&definition);
        test_make(&task, &sample, 31, 4, (uint64_t)round);
        run(session, &outcome);
        double mean[4], all = 0, least = 9, most = -9, farthest = 0, squares = 0;
        for (uint32_t i = 0; i < 31; i++)
            all += task.values[i] / 31;
        for (uint32_t b = 0; b < 4; b++) {
            mean[b] = 0;
            for (uint32_t i = task.start[b]; i < task.start[b + 1]; i++)
                mean[b] += task.values[task.members[i]] / (task.start[b + 1] - task.start[b]);
            least = fmin(least, mean[b]);
            most = fmax(most, mean[b]);
            farthest = fmax(farthest, fabs(mean[b] - all));
            squares += (mean[b] - all) * (mean[b] - all) / 4;
        }
        double expected[] = {[COR_MEASURE_RANGE] = most - least,
                             [COR_MEASURE_MAX_DEVIATION] = farthest,
                             [COR_MEASURE_RMS] = sqrt(squares)};
        assert_true(fabs(asked[0] - expected[measure]) < 1e-12);
        assert_true(isnan(asked[1]));
        assert_true(isnan(asked[2]));
        cor_session_destroy(session);
    }
    cor_outcome_fini(&outcome);
}

/* Organizations that share agents, one of them empty, and one with an agent that there is not. */
static enum cor_progress ask_cost_of_covering(void *state, const struct cor_task *present,
                                              const struct cor_host *host) {
    static const uint32_t members[] = {0, 1, 2, 2, 3, 0}, start[] = {0, 3, 3, 6}, nobody[] = {0, 0};
    uint32_t spoilt[6];
    memcpy(spoilt, members, sizeof members);
    asked[0] = host->cost(host, 3, start, members);
    spoilt[4] = present->agent_count;
    asked[1] = host->cost(host, 3, start, spoilt);
    asked[2] = host->cost(host, 1, nobody, members);
    return put_present(state, present, host);
}

static void cost_of_other_kinds_is_over_organizations_with_members(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE, .name = "asker", .capabilities = COR_COVERS,
                                   .result = ask_cost_of_covering};
    struct cor_session_definition definition = cor_default_session(&sample);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    for (int measure = COR_MEASURE_RANGE; measure <= COR_MEASURE_RMS; measure++) {
        definition.measure = (enum cor_measure)measure;
        struct cor_session *session = open_session(&definition);
        test_make(&task, &sample, 8, 2, (uint64_t)measure);
        task.rules.organized = COR_COVERING;
        run(session, &outcome);
        const double *v = task.values, one = (v[0] + v[1] + v[2]) / 3, other = (v[2] + v[3] + v[0]) / 3;
        double all = 0;
        for (int i = 0; i < 8; i++)
            all += v[i] / 8;
        const double expected[] = {[COR_MEASURE_RANGE] = fabs(one - other),
                                   [COR_MEASURE_MAX_DEVIATION] = fmax(fabs(one - all), fabs(other - all)),
                                   [COR_MEASURE_RMS] =
                                       sqrt(((one - all) * (one - all) + (other - all) * (other - all)) / 2)};
        assert_true(fabs(asked[0] - expected[measure]) < 1e-12);
        assert_true(isnan(asked[1]));
        assert_true(isnan(asked[2]));
        cor_session_destroy(session);
    }
    task.rules.organized = COR_PARTITIONING;
    cor_outcome_fini(&outcome);
}

static int hung_early, hung_nowhere;

/* The present blocks, each below the one before; blocks that are not there yet cannot be hung. */
static enum cor_progress result_hanging(void *state, const struct cor_task *present,
                                        const struct cor_host *host) {
    hung_early = host->hang(host, 0, 1);
    const enum cor_progress progress = put_present(state, present, host);
    for (uint32_t b = 1; b < present->block_count; b++)
        if (!host->hang(host, b, b - 1))
            return COR_FAILED;
    hung_nowhere = host->hang(host, present->block_count, 0);
    return progress;
}

static void blocks_hang_in_solutions_and_looks_and_show_in_the_digest(void **state) {
    (void)state;
    struct cor_algorithm sample = {SAMPLE,
                                   .name = "hangs",
                                   .capabilities = COR_ANYTIME | COR_NESTS,
                                   .begin = begin_nothing,
                                   .step = step_drawing,
                                   .result = result_hanging};
    struct cor_session_definition definition = cor_default_session(&sample);
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    test_make(&task, &sample, 12, 3, 5);
    task.rules.organized = COR_TREE;
    definition.interim_units = 300;
    struct cor_session *session = open_session(&definition);
    for (int again = 0; again < 2; again++) {
        run(session, &outcome);
        assert_true(outcome.interim_count > 0);
        assert_int_equal(hung_early, 0);
        assert_int_equal(hung_nowhere, 0);
        for (size_t i = 0; i <= outcome.interim_count; i++) {
            const struct cor_lists *lists = i == 0 ? &outcome.solution : &outcome.interims[i - 1].solution;
            assert_true(lists->nests && lists->block_count == 3);
            for (uint32_t b = 0; b < 3; b++)
                assert_int_equal(lists->parent[b], b == 0 ? COR_NO_BLOCK : b - 1);
        }
    }
    const uint64_t digest = cor_outcome_digest(&outcome);
    assert_int_equal(cor_lists_hang(&outcome.solution, 2, 0, NULL), COR_OK);
    assert_true(cor_outcome_digest(&outcome) != digest);
    task.rules.organized = COR_PARTITIONING;
    cor_session_destroy(session);
    cor_outcome_fini(&outcome);
}

static uint64_t drawn[2];

static enum cor_progress draw_words(void *state, const struct cor_task *present,
                                    const struct cor_host *host) {
    for (int i = 0; i < 40; i++)
        drawn[0] = cor_random_word(host->random[COR_STREAM_ALGORITHM]);
    drawn[1] = cor_random_word(host->random[COR_STREAM_FAULT]);
    cor_count(host, 1, 2);
    cor_count(host, 0, 0);
    return put_present(state, present, host);
}

static uint64_t nth_word(enum cor_purpose purpose, uint32_t entity, int count) {
    struct cor_stream_name name = task.name;
    name.purpose = purpose;
    name.entity = entity;
    struct cor_rng rng = cor_rng_named(&name);
    uint64_t word = 0;
    for (int i = 0; i < count; i++)
        word = cor_rng_word(&rng);
    return word;
}

static void streams_are_the_named_ones_and_counters_add_up(void **state) {
    (void)state;
    static const struct cor_counter counters[] = {{"calls", "calls", 1}, {"sizes", "sizes", 3}, {0}};
    struct cor_algorithm sample = {SAMPLE, .name = "drawer", .counters = counters, .result = draw_words};
    struct cor_session_definition definition = cor_default_session(&sample);
    struct cor_session *session = open_session(&definition);
    struct cor_outcome outcome;
    test_make(&task, &sample, 12, 3, 5);
    cor_outcome_init(&outcome);
    run(session, &outcome);
    run(session, &outcome);
    assert_true(drawn[0] == nth_word(COR_PURPOSE_ALGORITHM, 0, 40));
    assert_true(drawn[1] == nth_word(COR_PURPOSE_FAULT, 0, 1));
    const uint32_t *start;
    const uint64_t *cells = cor_session_counters(session, &start);
    assert_int_equal(start[2], 4);
    assert_int_equal(cells[start[0]], 2);
    assert_int_equal(cells[start[1] + 2], 2);
    assert_int_equal(cells[start[1]], 0);
    cor_session_clear_counters(session);
    assert_int_equal(cells[start[0]], 0);
    cor_outcome_fini(&outcome);
    cor_session_destroy(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_solutions_are_kept_as_they_are),
        cmocka_unit_test(absurd_solutions_are_smoke),
        cmocka_unit_test(memory_is_zeroed_and_aligned_again_and_again),
        cmocka_unit_test(memory_limit_is_smoke_and_does_not_depend_on_history),
        cmocka_unit_test(budget_ends_steps),
        cmocka_unit_test(counts_that_cannot_be_are_smoke),
        cmocka_unit_test(looks_are_counted_and_leave_no_trace),
        cmocka_unit_test(failures_are_smoke_and_end_is_called),
        cmocka_unit_test(moves_are_recorded_in_their_order),
        cmocka_unit_test(as_much_is_kept_as_is_allowed),
        cmocka_unit_test(bytes_are_kept_until_restart),
        cmocka_unit_test(an_arena_gives_exactly_its_limit),
        cmocka_unit_test(a_task_is_of_those_who_are_there),
        cmocka_unit_test(cost_is_the_measure_of_the_definition),
        cmocka_unit_test(cost_of_other_kinds_is_over_organizations_with_members),
        cmocka_unit_test(blocks_hang_in_solutions_and_looks_and_show_in_the_digest),
        cmocka_unit_test(streams_are_the_named_ones_and_counters_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
