/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sequence that is put back to any of its cases goes on as it did: state, walk and its source, late alarms,
 * reorganizations under way, what an algorithm keeps, its counters, and every row. And a sequence that
 * continues another one shares with it all that happened up to there. */
#include "scene.h"

#include <corridor/array.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define OK(call)                                                    \
    do {                                                            \
        if ((call) != COR_OK)                                       \
            fail_msg("%s: %s %s", #call, error.place, error.cause); \
    } while (0)

/* All rows and items of a record, and the session's counters, as bytes. */
struct copy {
    unsigned char *bytes;
    size_t size, capacity;
};

static void add(struct copy *copy, const void *bytes, size_t size) {
    struct cor_error error = COR_NO_ERROR;
    OK(COR_RESERVE(&copy->bytes, &copy->capacity, copy->size + size + 1, &error));
    if (size > 0)
        memcpy(copy->bytes + copy->size, bytes, size);
    copy->size += size;
}

static void take_copy(struct cor_record *record, const struct cor_session *session,
                      const struct cor_algorithm *algorithm, struct copy *copy) {
    copy->size = 0;
    for (int t = 0; t < COR_TABLE_COUNT; t++)
        for (size_t i = 0; i < cor_record_size(record, (enum cor_table)t); i++)
            add(copy, cor_record_at(record, (enum cor_table)t, i), cor_interaction_schema.tables[t].row_size);
    for (int v = 0; v < COR_VECTOR_COUNT; v++) {
        size_t count;
        const void *items = cor_record_items(record, (enum cor_vector)v, &count);
        add(copy, items, count * cor_type_size(cor_interaction_schema.vectors[v].type));
    }
    const uint32_t *start;
    const uint64_t *cells = cor_session_counters(session, &start);
    add(copy, cells, start[cor_algorithm_counter_count(algorithm)] * sizeof *cells);
}

/* Runs the sequence that has begun; from every case of it once more to the end. Returns its cases. */
static uint32_t run_from_every_case(struct cor_runner *runner, struct cor_record *record,
                                    const struct cor_session *session,
                                    const struct cor_algorithm *algorithm) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_saved_sequence *snapshot;
    struct copy first = {0}, again = {0};
    uint32_t executed = 0;
    OK(cor_saved_sequence_create(runner, &snapshot, &error));
    for (bool over = false; !over;) {
        OK(cor_sequence_save(runner, snapshot, &error));
        over = cor_sequence_is_over(runner);
        while (!cor_sequence_is_over(runner))
            OK(cor_sequence_case(runner, &error));
        uint32_t failure = cor_sequence_first_failure(runner);
        OK(cor_sequence_end(runner, &error));
        take_copy(record, session, algorithm, executed == 0 ? &first : &again);
        if (executed > 0) {
            assert_int_equal(again.size, first.size);
            assert_memory_equal(again.bytes, first.bytes, first.size);
        }
        if (over)
            break;
        OK(cor_sequence_restore(runner, snapshot, &error));
        OK(cor_sequence_case(runner, &error));
        assert_true(cor_sequence_first_failure(runner) == 0 || cor_sequence_first_failure(runner) == failure);
        executed++;
    }
    cor_saved_sequence_destroy(snapshot);
    free(first.bytes);
    free(again.bytes);
    return executed;
}

#define SPADA                                                                                          \
    "\"algorithm\": \"spada\", \"parameters\": {\"acquaintances\": [1, 20], \"candidates\": [1, 10], " \
    "\"integrations\": [1, 10], \"budget\": 2000, \"agents\": [10, 30]}"
#define PSOPP                                                                                      \
    "\"algorithm\": \"psopp\", \"parameters\": {\"particles\": [1, 4], \"start_at_current\": [0, " \
    "\"particles\"], \"c_random + c_own + c_best\": 1, \"budget\": [100, 400], \"agents\": [10, 30]}"

/* What of the experiment stands before a corridor as a text may, and behind it. */
static const char experiment_head[] =
    "{\"corridor_experiment\": 1, \"name\": \"restore\", \"seed\": \"0x5\",\n"
    " \"suites\": 10, \"sequences\": 10, \"cases\": [20, 40],\n"
    " \"branching\": {\"continuations\": 2, \"back\": [1, 5], \"cases\": 12},\n"
    " \"model\": \"" TEST_SOURCE_DIR "/experiments/library/models/paper.json\",\n";
static const char corridor[] =
    " \"corridor\": [\"structure partitioning\", \"parameter threshold, size_max\",\n"
    "  \"invariant sizes: all(o in organizations: count(o.members) <= size_max)\",\n"
    "  \"trigger balance: max(o in organizations: mean(a in o.members: a.value)) - \",\n"
    "  \"  min(o in organizations: mean(a in o.members: a.value)) <= threshold\",\n"
    "  \"trigger balance for 2\",\n"
    "  \"trigger mixed: count(o in organizations where all(a in o.members: a.type == 'wind')) <= 1\",\n"
    "  \"trigger high: all(o in organizations: mean(a in o.members: a.value) <= 0.7)\",\n"
    "  \"trigger high for 3 each\",\n"
    "  \"attribute most of organizations: real 0.4 .. 1\",\n"
    "  \"trigger own: all(o in organizations: mean(a in o.members: a.value) <= o.most)\",\n"
    "  \"temporal soon: always (mixed implies (eventually[0, 2] not alarm or not next[2, 2] true))\"],\n";
static const char mechanism[] = " \"mechanisms\": [\"balance\"],\n";
static const char mock[] =
    " \"mechanisms\": [{\"mechanism\": \"balance\", \"mock\": {\"states\": [\"down\", \"up\"],\n"
    "  \"transitions\": {\"down\": {\"down\": 0.5, \"up\": 0.5}, \"up\": {\"down\": 0.2, \"up\": 0.8}},\n"
    "  \"fit\": {\"states\": {\"down\": {\"mean\": -0.1}, \"up\": {\"mean\": 0.1}}}}}],\n";
static const char experiment_arms[] =
    " \"arms\": [\n"
    "{\"name\": \"late\", " SPADA ", \"mail\": {\"mode\": \"lossy\", \"loss_ratio\": 0.1},\n"
    "  \"monitor\": {\"fault\": \"late\", \"delay\": 2}},\n"
    "{\"name\": \"slow\", " SPADA ", \"mail\": {\"mode\": \"delayed\"}, \"activation_delay\": 3},\n"
    "{\"name\": \"doubled\", " SPADA ", \"fault\": \"f2\", \"look_every\": 3,\n"
    "  \"adoption\": {\"fault\": \"doubled\", \"probability\": 0.02}, \"environment\": \"uniform\"},\n"
    "{\"name\": \"chance\", " PSOPP ", \"monitor\": {\"fault\": \"missed\", \"probability\": 0.3}},\n"
    "{\"name\": \"stale\", " PSOPP ", \"result\": {\"fault\": \"stale\", \"probability\": 0.5}},\n"
    "{\"name\": \"held-back\", " PSOPP ", \"result\": {\"fault\": \"late\", \"probability\": 0.5}},\n"
    "{\"name\": \"dropped\", " PSOPP ",\n"
    "  \"result\": {\"fault\": \"agent_dropped\", \"probability\": 0.1}, \"activation_delay\": 1},\n"
    "{\"name\": \"crashed\", " SPADA ", \"agents\": {\"fault\": \"crashed\"},\n"
    "  \"mail\": {\"mode\": \"duplicated\"}},\n"
    "{\"name\": \"faulty\", " PSOPP ", \"fault\": \"f4\"}]}\n";

static struct cor_experiment *read_experiment_by(const char *by) {
    struct cor_error error = COR_NO_ERROR;
    char *experiment_text = cor_format("%s%s%s", experiment_head, by, experiment_arms);
    assert_non_null(experiment_text);
    struct cor_experiment *experiment;
    char path[] = "/tmp/corridor-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, experiment_text, strlen(experiment_text)), strlen(experiment_text));
    close(file);
    enum cor_status status = cor_experiment_read(path, &experiment, &error);
    unlink(path);
    free(experiment_text);
    OK(status);
    return experiment;
}

static struct cor_experiment *read_experiment(void) {
    return read_experiment_by("");
}

/* What sequences of all arms went through, each put back to each of its cases. */
struct went {
    uint32_t sequences, cases, reorganizations, activated, constraints, returns;
};

static struct went go_on_from_each_case(struct cor_experiment *experiment, uint32_t sequence_count) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_record *record;
    struct went went = {0};
    OK(cor_record_create(&cor_interaction_schema, &record, &error));
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_session *session;
        struct cor_suite *suite;
        struct cor_runner *runner;
        OK(cor_session_create(&experiment->arms[a].session, &session, &error));
        OK(cor_suite_generate(experiment, a, 1, &suite, &error));
        OK(cor_runner_create(&(struct cor_execution){suite, session, true}, record, &runner, &error));
        for (uint32_t s = 0; s < sequence_count; s++, went.sequences++) {
            const struct cor_walk_definition walk = cor_suite_walk_definition(suite, s, NULL);
            OK(cor_sequence_begin(runner, &walk, &error));
            went.cases += run_from_every_case(runner, record, session, experiment->arms[a].algorithm);
        }
        for (size_t i = 0; i < cor_record_size(record, COR_TABLE_REORGANIZATIONS);
             i++, went.reorganizations++) {
            const struct cor_reorganization_row *row = cor_record_at(record, COR_TABLE_REORGANIZATIONS, i);
            went.activated += row->fault_activated > 0;
        }
        went.constraints += (uint32_t)cor_record_size(record, COR_TABLE_CONSTRAINTS);
        went.returns += (uint32_t)cor_record_size(record, COR_TABLE_RETURNS);
        cor_runner_destroy(runner);
        cor_suite_destroy(suite);
        cor_session_destroy(session);
    }
    cor_record_destroy(record);
    cor_experiment_destroy(experiment);
    return went;
}

static void ninety_sequences_go_on_from_each_of_their_cases(void **state) {
    (void)state;
    const struct went went = go_on_from_each_case(read_experiment(), 10);
    assert_int_equal(went.sequences, 90);
    if (went.cases < 500 || went.reorganizations < 100 || went.activated == 0)
        fail_msg("%u cases, %u reorganizations, %u with the fault", went.cases, went.reorganizations,
                 went.activated);
    assert_int_equal(went.constraints + went.returns, 0);
}

static void they_do_so_by_a_corridor_as_a_text(void **state) {
    (void)state;
    const struct went went = go_on_from_each_case(read_experiment_by(corridor), 3);
    assert_int_equal(went.sequences, 27);
    if (went.cases < 150 || went.constraints < 30 || went.returns < 20)
        fail_msg("%u cases, %u constraints, %u alarms", went.cases, went.constraints, went.returns);
}

/* A mock has a chain an agent, which goes back, too. */
static void they_do_so_beside_a_mechanism_and_its_mock(void **state) {
    (void)state;
    const struct went worked = go_on_from_each_case(read_experiment_by(mechanism), 1),
                      mocked = go_on_from_each_case(read_experiment_by(mock), 1);
    assert_true(worked.cases > 100 && mocked.cases > 100 && mocked.reorganizations > worked.reorganizations);
}

/* Runs to the end; what it counted of this sequence alone, [cell]. */
static void finish_and_count(struct cor_runner *runner, struct copy *copy, size_t cells) {
    struct cor_error error = COR_NO_ERROR;
    const uint32_t *start;
    while (!cor_sequence_is_over(runner))
        OK(cor_sequence_case(runner, &error));
    OK(cor_sequence_end(runner, &error));
    copy->size = 0;
    add(copy, cor_runner_counters(runner, &start), cells * sizeof(uint64_t));
}

/* Behind another sequence, of the same suite: what was counted before the one that goes on is not this one's.
 */
static void a_sequence_put_back_behind_another_counts_its_own(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment = read_experiment();
    struct cor_record *record;
    struct cor_session *session;
    struct cor_suite *suite;
    struct cor_runner *runner;
    struct cor_saved_sequence *snapshot;
    struct copy whole = {0}, other = {0}, again = {0};
    const uint32_t *start;
    OK(cor_record_create(&cor_interaction_schema, &record, &error));
    OK(cor_session_create(&experiment->arms[0].session, &session, &error));
    OK(cor_suite_generate(experiment, 0, 1, &suite, &error));
    OK(cor_runner_create(&(struct cor_execution){suite, session, true}, record, &runner, &error));
    OK(cor_saved_sequence_create(runner, &snapshot, &error));
    cor_session_counters(session, &start);
    const size_t cells = start[cor_algorithm_counter_count(experiment->arms[0].algorithm)];
    for (uint32_t s = 0; s + 1 < 4; s++) {
        const struct cor_walk_definition walk = cor_suite_walk_definition(suite, s, NULL),
                                         next = cor_suite_walk_definition(suite, s + 1, NULL);
        OK(cor_sequence_begin(runner, &walk, &error));
        for (int i = 0; i < 5 && !cor_sequence_is_over(runner); i++)
            OK(cor_sequence_case(runner, &error));
        OK(cor_sequence_save(runner, snapshot, &error));
        finish_and_count(runner, &whole, cells);
        OK(cor_sequence_begin(runner, &next, &error));
        finish_and_count(runner, &other, cells);
        assert_memory_not_equal(whole.bytes, other.bytes, whole.size);
        OK(cor_sequence_restore(runner, snapshot, &error));
        finish_and_count(runner, &again, cells);
        assert_memory_equal(again.bytes, whole.bytes, whole.size);
    }
    free(whole.bytes);
    free(other.bytes);
    free(again.bytes);
    cor_saved_sequence_destroy(snapshot);
    cor_runner_destroy(runner);
    cor_suite_destroy(suite);
    cor_session_destroy(session);
    cor_record_destroy(record);
    cor_experiment_destroy(experiment);
}

static void what_an_algorithm_keeps_is_put_back(void **state) {
    (void)state;
    struct scene scene;
    scene_init(&scene, &scene_free);
    scene.configuration->threshold = 0.1;
    SCENE_SCRIPT(&scene, MISS, STAY, REPEAT, STAY, INVENT, FEW, GOOD);
    scene_begin(&scene, "02200222022", "00000000100");
    run_from_every_case(scene.runner, scene.record, scene.session, scene.arm.algorithm);
    assert_true(cor_record_size(scene.record, COR_TABLE_REORGANIZATIONS) >= 5);
    scene_fini(&scene);
}

/* Leaves the state only when the system reorganized in the case before. */
static enum cor_status begin_waiting(struct cor_walk *walk, struct cor_error *error) {
    (void)error;
    walk->known = 0;
    walk->states[0] = 2;
    walk->states[1] = 0;
    return COR_OK;
}

static enum cor_status next_waiting(struct cor_walk *walk, const struct cor_observation *observed,
                                    struct cor_error *error) {
    (void)error;
    uint32_t *steps = walk->memory;
    uint8_t *to = walk->states + 2 * (size_t)++walk->known;
    *steps += observed->reorganized;
    assert_int_equal(observed->agent_count, SCENE_AGENTS);
    assert_int_equal(observed->name.identity, walk->known);
    assert_true(!observed->reorganized || observed->alarm);
    to[0] = (uint8_t)(2 - *steps % 3);
    to[1] = observed->values[0] > 0.5 && observed->dissimilarity > 0.9 ? 1 : 0;
    return COR_OK;
}

static void a_source_that_observes_is_asked_by_the_loop_and_put_back_with_it(void **state) {
    (void)state;
    static const struct cor_source waiting = {
        .name = "waiting", .memory_size = sizeof(uint32_t), .begin = begin_waiting, .next = next_waiting};
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    scene_init(&scene, &scene_scripted);
    SCENE_SCRIPT(&scene, GOOD, GOOD, SMALL);
    scene_begin(&scene, "0", "0"); /* the suite begins with it */
    scene_end(&scene);
    struct cor_walk_definition walk = {
        .source = &waiting,
        .profiles = (const struct cor_profile *const *)scene.suite.profiles,
        .profile_of_chain = scene.configuration->profile_of_chain,
        .chain_count = 2,
        .case_count = 9,
        .name = scene.suite.name,
    };
    walk.name.sequence = 1;
    OK(cor_sequence_begin(scene.runner, &walk, &error));
    run_from_every_case(scene.runner, scene.record, scene.session, scene.arm.algorithm);
    const struct cor_sequence_row *row = scene_row(&scene, COR_TABLE_SEQUENCES, 1);
    size_t size;
    const uint8_t *states = scene_items(&scene, COR_VECTOR_WALK, &size);
    assert_int_equal(row->cases, row->executed); /* nobody asked for more */
    assert_int_equal(size, 2 + 2 * (row->cases + 1));
    assert_int_equal(states[2], 2);
    scene_fini(&scene);
}

/* All that was written of the first cases of two sequences is equal but for the number of the sequence. */
static void assert_same_beginning(struct cor_record *record, uint32_t one, uint32_t other, uint32_t cases) {
    for (enum cor_table t = COR_TABLE_CASES; t <= COR_TABLE_VIOLATIONS; t++) {
        size_t size = cor_interaction_schema.tables[t].row_size, count = cor_record_size(record, t);
        size_t i = 0, j = 0, compared = 0;
        if (t == COR_TABLE_FAILURES) /* has offsets of its own */
            continue;
        for (;; i++, j++, compared++) {
            struct cor_case_row *a, *b; /* all these tables begin with the keys of a case */
            while (i < count && (a = cor_record_at(record, t, i), a->sequence != one || a->case_ > cases))
                i++;
            while (j < count && (b = cor_record_at(record, t, j), b->sequence != other || b->case_ > cases))
                j++;
            assert_int_equal(i == count, j == count);
            if (i == count)
                break;
            unsigned char row[512];
            memcpy(row, cor_record_at(record, t, j), size);
            ((struct cor_case_row *)(void *)row)->sequence = (uint16_t)one;
            assert_memory_equal(row, cor_record_at(record, t, i), size);
        }
        assert_true(t != COR_TABLE_CASES || compared == cases);
    }
}

static void a_branch_shares_all_that_happened_with_its_parent(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment = read_experiment();
    struct cor_record *record;
    uint32_t branches = 0, parted = 0;
    OK(cor_record_create(&cor_interaction_schema, &record, &error));
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_session *session;
        struct cor_suite *suite;
        struct cor_runner *runner;
        OK(cor_session_create(&experiment->arms[a].session, &session, &error));
        OK(cor_suite_generate(experiment, a, 2, &suite, &error));
        OK(cor_runner_create(&(struct cor_execution){suite, session, false}, record, &runner, &error));
        for (uint32_t s = 0; s < 5; s++) {
            struct cor_branch branch = {s, 7};
            const struct cor_walk_definition walks[] = {
                cor_suite_walk_definition(suite, s, NULL),
                cor_suite_walk_definition(suite, experiment->sequence_count + s, &branch)};
            for (int w = 0; w < 2; w++) {
                OK(cor_sequence_begin(runner, &walks[w], &error));
                while (!cor_sequence_is_over(runner))
                    OK(cor_sequence_case(runner, &error));
                OK(cor_sequence_end(runner, &error));
            }
            const struct cor_sequence_row *parent = cor_record_at(record, COR_TABLE_SEQUENCES, 2 * s),
                                          *child = cor_record_at(record, COR_TABLE_SEQUENCES, 2 * s + 1);
            uint32_t shared = parent->executed < 7 ? parent->executed : 7;
            assert_int_equal(child->cases, parent->cases < 7 + 12 ? parent->cases : 7 + 12);
            assert_same_beginning(record, s, experiment->sequence_count + s, shared);
            const struct cor_branch_row *row = cor_record_at(record, COR_TABLE_BRANCHES, s);
            assert_int_equal(row->sequence, experiment->sequence_count + s);
            assert_int_equal(row->parent, s);
            assert_int_equal(row->prefix, 7);
            branches++;
            parted += parent->state_hash != child->state_hash;
        }
        const struct cor_suite_row *row = cor_record_at(record, COR_TABLE_SUITES, 0);
        assert_int_equal(row->sequences, experiment->sequence_count + 5);
        OK(cor_runner_finish(runner, &error));
        cor_runner_destroy(runner);
        cor_suite_destroy(suite);
        cor_session_destroy(session);
    }
    assert_true(branches == 45 && parted > 20);
    cor_record_destroy(record);
    cor_experiment_destroy(experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ninety_sequences_go_on_from_each_of_their_cases),
        cmocka_unit_test(they_do_so_by_a_corridor_as_a_text),
        cmocka_unit_test(they_do_so_beside_a_mechanism_and_its_mock),
        cmocka_unit_test(a_sequence_put_back_behind_another_counts_its_own),
        cmocka_unit_test(what_an_algorithm_keeps_is_put_back),
        cmocka_unit_test(a_source_that_observes_is_asked_by_the_loop_and_put_back_with_it),
        cmocka_unit_test(a_branch_shares_all_that_happened_with_its_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
