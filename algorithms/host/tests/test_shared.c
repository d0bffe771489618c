/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that a session shares with a guest: an answer comes back as it was written, and whatever else
 * lies there is refused before anything believes it. */
#include "session.h"
#include "shared.h"
#include "tasks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { AGENTS = 12, ANSWER_BYTES = 16384, MUTATIONS = 200000 };

static struct test_task task;
static struct cor_error error;
static struct cor_registry *registry;
static struct cor_session *session;
static struct host__shared shared;
static struct cor_outcome said, taken;
static struct cor_interim interims[2];
static unsigned char whole[ANSWER_BYTES];
static struct cor_course course; /* that was taken */

static void put_lists(struct cor_lists *lists, uint32_t blocks) {
    cor_lists_clear(lists);
    for (uint32_t b = 0, m = 0; b < blocks; b++) {
        uint32_t members[AGENTS], size = 0;
        for (; m < (b + 1) * AGENTS / blocks; m++)
            members[size++] = m;
        assert_int_equal(cor_lists_put(lists, members, size, &error), COR_OK);
    }
    for (uint32_t b = 1; blocks % 2 == 0 && b < blocks; b++)
        assert_int_equal(cor_lists_hang(lists, b, b / 2, &error), COR_OK);
}

/* In no round, as this algorithm has none. */
static struct cor_course_message messages[] = {
    {.from = 1, .to = 2, .kind = 3, .size = 12, .cause = COR_COURSE_NONE},
    {.from = 2, .to = 1, .size = 8, .payload = 2, .cause = 0, .effect = {1, {0}, {4}, true}}};

static struct cor_course_edge edges[] = {{1, 2, 1}, {2, 11, 0}, {2, 2, 1}};

/* A session of an anytime algorithm in this process, and an answer with something of everything. */
static int set_up(void **state) {
    (void)state;
    static struct cor_move moves[] = {{0, 1}, {5, 0}, {11, 3}};
    static unsigned char kept[] = {1, 2, 3, 4, 5};
    const struct cor_algorithm *algorithm;
    assert_int_equal(cor_registry_create(NULL, &registry, &error), COR_OK);
    assert_int_equal(cor_registry_find(registry, "psopp", &algorithm, &error), COR_OK);
    const struct cor_session_definition definition = cor_default_session(algorithm);
    assert_int_equal(cor_session_create(&definition, &session, &error), COR_OK);
    test_make(&task, algorithm, AGENTS, 3, 1);
    assert_int_equal(host__shared_create(&shared, sizeof(struct host__request), ANSWER_BYTES, &error),
                     COR_OK);
    cor_outcome_init(&said);
    cor_outcome_init(&taken);
    put_lists(&said.solution, 4);
    put_lists(&interims[0].solution, 2);
    put_lists(&interims[1].solution, 3);
    interims[1].spent = 7;
    said.moves = moves;
    said.move_count = 3;
    said.interims = interims;
    said.interim_count = 2;
    said.stop = COR_STOP_DONE;
    said.smoke = COR_SMOKE_NONE;
    said.spent = 9;
    shared.answer->outcome = said;
    uint64_t *cells = (void *)shared.answer->data;
    for (uint32_t i = 0; i < host__counter_cells(session); i++)
        cells[i] = i;
    static struct cor_mail_entry entries[] = {{0, COR_MAIL_DEED_WAITS, 3, 17},
                                              {0, COR_MAIL_DEED_TURN, 4, 18}};
    const struct cor_mail_record log = {.entries = entries, .count = 2};
    const struct host__kept keeps = {.bytes = kept, .size = sizeof kept, .capacity = sizeof kept};
    static uint32_t order[] = {0};
    static uint64_t words[] = {5, 6, 7};
    const struct cor_course went = {.is_there = true,
                                    .messages = messages,
                                    .order = order,
                                    .words = words,
                                    .edges = edges,
                                    .edge_count = 3,
                                    .message_count = 2,
                                    .order_count = 1,
                                    .word_count = 3};
    host__reply_put(shared.answer, shared.answer_size - sizeof *shared.answer, host__counted_cells(session),
                    &keeps, &log, &went);
    shared.request->is_watched = true;
    session->watched = &course;
    session->plan.is_logged = true;
    memcpy(whole, shared.answer, shared.answer_size);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    cor_course_fini(&course);
    cor_outcome_fini(&taken);
    cor_lists_fini(&said.solution);
    cor_lists_fini(&interims[0].solution);
    cor_lists_fini(&interims[1].solution);
    cor_session_destroy(session);
    cor_registry_destroy(registry);
    host__shared_fini(&shared);
    return 0;
}

static const char *take(void) {
    const char *garbled;
    host__outcome_clear(session, &taken);
    cor_course_fini(&course);
    error = COR_NO_ERROR;
    if (host__reply_take(&shared, session, &task.task, &taken, &garbled, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return garbled;
}

static void an_answer_comes_back_as_it_was_written(void **state) {
    (void)state;
    const uint32_t *start;
    memcpy(shared.answer, whole, shared.answer_size);
    assert_null(take());
    assert_int_equal(cor_outcome_digest(&taken), cor_outcome_digest(&said));
    assert_int_equal(taken.interim_count, 2);
    assert_int_equal(taken.interims[1].spent, 7);
    assert_int_equal(taken.interims[1].solution.block_count, 3);
    assert_true(taken.solution.nests && taken.interims[0].solution.nests);
    assert_false(taken.interims[1].solution.nests);
    assert_int_equal(taken.interims[0].solution.parent[1], 0);
    assert_int_equal(session->log.count, 2);
    assert_int_equal(session->log.entries[1].deed, COR_MAIL_DEED_TURN);
    assert_int_equal(session->log.entries[1].value, 18);
    assert_true(course.is_there);
    assert_int_equal(course.rounds, said.rounds);
    assert_int_equal(course.message_count, 2);
    assert_int_equal(course.messages[1].from, 2);
    assert_int_equal(course.messages[1].effect.bucket[0], 4);
    assert_true(course.messages[1].effect.fault);
    assert_int_equal(course.words[course.messages[1].payload], 7);
    assert_int_equal(course.edge_count, 3);
    assert_memory_equal(course.edges, edges, sizeof edges);
    assert_int_equal(session->kept.size, 5);
    assert_memory_equal(session->kept.bytes, ((unsigned char[]){1, 2, 3, 4, 5}), 5);
    const uint64_t *cells = cor_session_counters(session, &start);
    for (uint32_t i = 0; i < host__counter_cells(session); i++)
        assert_int_equal(cells[i], i);
}

static void expect_sound(const struct cor_lists *lists) {
    if (lists->block_count == 0) {
        assert_int_equal(lists->member_count, 0);
        return;
    }
    assert_int_equal(lists->start[0], 0);
    for (uint32_t b = 0; b < lists->block_count; b++)
        assert_true(lists->start[b] <= lists->start[b + 1]);
    assert_int_equal(lists->start[lists->block_count], lists->member_count);
    uint32_t sum = 0;
    for (uint32_t m = 0; m < lists->member_count; m++)
        sum += lists->members[m]; /* they can be read */
    for (uint32_t b = 0; lists->nests && b < lists->block_count; b++)
        sum += lists->parent[b];
    (void)sum;
}

/* What was taken can be read by whoever judges it. */
static void expect_readable(void) {
    assert_true(taken.stop > 0 && taken.stop < (enum cor_stop)COR_STOP_CODES);
    assert_true(taken.smoke > 0 && taken.smoke < (enum cor_smoke)COR_SMOKE_CODES);
    assert_true(memchr(taken.complaint, '\0', sizeof taken.complaint) != NULL);
    expect_sound(&taken.solution);
    for (size_t i = 0; i < taken.move_count; i++)
        assert_true(taken.moves[i].agent < AGENTS && taken.moves[i].block < taken.solution.block_count);
    for (size_t i = 0; i < taken.interim_count; i++)
        expect_sound(&taken.interims[i].solution);
    assert_true(session->kept.size <= HOST__KEPT_MOST);
    uint64_t sum = 0;
    for (size_t i = 0; i < course.message_count; i++) {
        const struct cor_course_message *it = &course.messages[i];
        assert_true(it->from < AGENTS && it->to < AGENTS && it->sent <= course.rounds);
        assert_true(it->cause == COR_COURSE_NONE || it->cause < i);
        for (uint32_t at = 0; at < it->size; at += 8)
            sum += course.words[it->payload + at / 8]; /* it can be read */
        for (uint32_t e = 0; e < it->effect.cell_count; e++)
            assert_non_null(session->algorithm->counters[it->effect.counter[e]].name);
    }
    for (size_t i = 0; i < course.order_count; i++)
        assert_true(course.order[i] < course.message_count);
    for (size_t i = 0; i < course.edge_count; i++)
        assert_true(course.edges[i].from < AGENTS && course.edges[i].to < AGENTS &&
                    course.edges[i].is_marked <= 1);
    (void)sum;
}

/* A word or a byte of it is another one: mostly such as are near a limit. */
static void mutate(struct cor_rng *rng) {
    static const uint64_t near[] = {0, 1, 2, AGENTS, AGENTS + 1, 255, UINT32_MAX, UINT64_MAX, INT64_MAX};
    unsigned char *bytes = (unsigned char *)shared.answer;
    const size_t used = sizeof *shared.answer + shared.answer->used;
    for (uint32_t i = 0, count = 1 + cor_rng_below(rng, 3); i < count; i++) {
        size_t at = cor_rng_below(rng, (uint32_t)(used < ANSWER_BYTES ? used : ANSWER_BYTES) - 8);
        uint64_t word = near[cor_rng_below(rng, sizeof near / sizeof *near)];
        uint32_t what = cor_rng_below(rng, 3);
        if (what == 0)
            bytes[at] = (unsigned char)cor_rng_below(rng, 256);
        else
            memcpy(bytes + at / 4 * 4, &word, what == 1 ? 4 : 8);
    }
}

static void whatever_lies_there_is_refused_or_can_be_read(void **state) {
    (void)state;
    struct cor_rng rng = test_rng(4);
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
        memcpy(shared.answer, whole, shared.answer_size);
        mutate(&rng);
        if (take())
            refused++;
        else
            expect_readable();
    }
    print_message("%d of %d mutated answers refused\n", refused, MUTATIONS);
    assert_true(refused > MUTATIONS / 50 && refused < MUTATIONS);
}

static void each_limit_is_looked_at(void **state) {
    (void)state;
    struct host__reply *answer = shared.answer;
    /* The sizes of the solution: 8 bytes of an interim's, blocks, members, whether there are parents; then
     * borders. */
    uint32_t *word = (void *)(answer->data + (8 * host__counted_cells(session) + 15) / 16 * 16);
    struct cor_course_message *message = NULL; /* the second, from agent 2 */
    memcpy(shared.answer, whole, shared.answer_size);
    for (unsigned char *at = answer->data; !message; at += 16)
        if (memcmp(at, &messages[0], sizeof messages[0]) == 0)
            message = (struct cor_course_message *)(void *)at + 1;
    struct cor_course_edge *edge = NULL; /* the second, to agent 11 */
    for (unsigned char *at = answer->data; !edge; at += 16)
        if (memcmp(at, edges, sizeof edges) == 0)
            edge = (struct cor_course_edge *)(void *)at + 1;
    const struct {
        const char *what;
        void *at;
        size_t size;
        uint64_t value;
    } flaws[] = {
        {"stop", &answer->outcome.stop, 4, COR_STOP_CODES},
        {"smoke", &answer->outcome.smoke, 4, COR_SMOKE_CODES},
        {"no stop", &answer->outcome.stop, 4, 0},
        {"used", &answer->used, 8, 8},
        {"used beyond the memory", &answer->used, 8, UINT64_MAX},
        {"blocks", &word[2], 4, UINT32_MAX},
        {"members", &word[3], 4, UINT32_MAX},
        {"members less", &word[3], 4, AGENTS - 1},
        {"first border", &word[8], 4, 1},
        {"a border", &word[9], 4, UINT32_MAX},
        {"moves", &answer->outcome.move_count, 8, UINT64_MAX / 8 + 2},
        {"many moves", &answer->outcome.move_count, 8, 2000000},
        {"interims", &answer->outcome.interim_count, 8, UINT64_MAX / 64 + 3},
        {"what a reorganization spent", &answer->outcome.spent, 8, HOST__COUNT_MOST + 1},
        {"rounds of who has none", &answer->outcome.rounds, 8, 1},
        {"messages of who has none", &answer->outcome.messages, 8, 1},
        {"lost ones", &answer->outcome.messages_lost, 8, 1},
        {"chains", &answer->outcome.chains, 4, 1},
        {"held, not reached", &answer->outcome.fault.held, 8, 1},
        {"activated, not held", &answer->outcome.fault.activated, 8, 1},
        {"in the result, not activated", &answer->outcome.fault.in_result, 8, 1},
        {"a counter", answer->data, 8, HOST__COUNT_MOST + 1},
        {"kept", &answer->kept_size, 4, HOST__KEPT_MOST + 1},
        {"kept more than was written", &answer->kept_size, 4, 4096},
        {"more messages than were written", &answer->told.messages, 8, 3},
        {"messages beyond all numbers", &answer->told.messages, 8, UINT64_MAX / 64},
        {"an order beyond the memory", &answer->told.order, 8, UINT64_MAX / 4},
        {"words less", &answer->told.words, 8, 2},
        {"words beyond the memory", &answer->told.words, 8, UINT64_MAX / 8},
        {"from whom there is not", &message->from, 4, AGENTS},
        {"to whom there is not", &message->to, 4, AGENTS},
        {"sent behind the last round", &message->sent, 8, 4},
        {"received behind the last round", &message->received, 8, UINT64_MAX},
        {"answering itself", &message->cause, 4, 1},
        {"a counter that there is not", &message->effect.counter[0], 4, UINT32_MAX},
        {"more effects than there is room for", &message->effect.cell_count, 4, 3},
        {"neither true nor false", &message->effect.fault, 1, 2},
        {"more edges than were written", &answer->told.edges, 8, 64},
        {"edges beyond all numbers", &answer->told.edges, 8, UINT64_MAX / 8},
        {"an edge from whom there is not", &edge->from, 4, AGENTS},
        {"an edge to whom there is not", &edge->to, 4, UINT32_MAX},
        {"an edge that is twice marked", &edge->is_marked, 4, 2},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof *flaws; i++) {
        memcpy(shared.answer, whole, shared.answer_size);
        assert_null(take());
        session->kept.size = 5;
        memcpy(flaws[i].at, &flaws[i].value, flaws[i].size);
        const char *garbled = take();
        /* More bytes than there are may still be said to be used: what is read lies within the memory. */
        if (!garbled && flaws[i].value != UINT64_MAX)
            fail_msg("%s", flaws[i].what);
        assert_int_equal(session->kept.size, 5);
    }
}

static void who_moves_an_agent_that_there_is_not_is_refused(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        memcpy(shared.answer, whole, shared.answer_size);
        unsigned char *bytes = shared.answer->data;
        size_t at = 0;
        while (memcmp(bytes + at, &(struct cor_move){11, 3}, sizeof(struct cor_move)) != 0)
            assert_true(++at < ANSWER_BYTES - sizeof *shared.answer);
        struct cor_move wrong = i == 0 ? (struct cor_move){AGENTS, 3} : (struct cor_move){11, 4};
        memcpy(bytes + at, &wrong, sizeof wrong);
        assert_string_equal(take(), "it moves an agent or into a block that there is not");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_comes_back_as_it_was_written),
        cmocka_unit_test(each_limit_is_looked_at),
        cmocka_unit_test(who_moves_an_agent_that_there_is_not_is_refused),
        cmocka_unit_test(whatever_lies_there_is_refused_or_can_be_read),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
