/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample keeps what it promises in drawn schedules, and each of its faults breaks it: in drawn schedules,
 * and in a few events by hand. */
#include <corridor/cluster.h>
#include <corridor/process_program.h>

#include <stdlib.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

enum { PREPARE, VOTE, DECISION, ASK };
enum { EARLY_VOTE = 1, FORGOTTEN_DECISION, LONE_DECISION };
enum { OUTCOMES = 512, PROCESSES = 3 };

static uint32_t schedules = 300;
static struct cor_error error;
static struct cor_process_program *program;

static struct cor_cluster *made(uint32_t fault) {
    struct cor_cluster *cluster;
    struct cor_cluster_definition definition = {
        .program = program, .process_count = PROCESSES, .fault = fault};
    assert_int_equal(cor_cluster_create(&definition, &cluster, &error), COR_OK);
    return cluster;
}

/* Outcomes told so far; false: two of one transaction differ. */
static bool agree(const struct cor_cluster *cluster, uint64_t outcomes[OUTCOMES]) {
    size_t count;
    const struct cor_told *told = cor_cluster_told(cluster, &count);
    for (size_t t = 0; t < count; t++) {
        assert_true(told[t].index < OUTCOMES);
        if (outcomes[told[t].index] != 0 && outcomes[told[t].index] != told[t].digest)
            return false;
        outcomes[told[t].index] = told[t].digest;
    }
    return true;
}

/* The oldest message of a link, or whatever else may happen. */
static struct cor_process_event drawn(struct cor_rng *rng, const struct cor_cluster *cluster) {
    static const uint8_t others[] = {COR_PROCESS_EVENT_INPUT,    COR_PROCESS_EVENT_DISK,
                                     COR_PROCESS_EVENT_DISK,     COR_PROCESS_EVENT_DISK,
                                     COR_PROCESS_EVENT_TIME_OUT, COR_PROCESS_EVENT_RESTART};
    struct cor_process_event event = {.process = (uint8_t)cor_rng_below(rng, PROCESSES)};
    uint32_t draw = cor_rng_below(rng, 40), count;
    event.peer = (uint8_t)cor_rng_below(rng, PROCESSES);
    event.what = (uint8_t)cor_rng_below(rng, 2);
    const struct cor_flight *flight = NULL;
    for (uint32_t links = 0; links < PROCESSES * PROCESSES && !flight;
         links++) { /* the next that is not empty */
        event.peer = (uint8_t)((event.peer + 1) % PROCESSES);
        event.process = (uint8_t)((event.process + (event.peer == 0)) % PROCESSES);
        flight = cor_cluster_flight(cluster, event.peer, event.process, &count);
    }
    if (draw == 0) {
        event.kind = COR_PROCESS_EVENT_CRASH;
        event.ordinal = cor_rng_below(rng, 3);
    } else if (flight && draw < 28) {
        event.kind = draw == 1 ? COR_PROCESS_EVENT_LOSE : COR_PROCESS_EVENT_DELIVER;
        event.what = flight->kind;
    } else {
        uint32_t other = cor_rng_below(rng, sizeof others);
        event.process = (uint8_t)cor_rng_below(rng, PROCESSES);
        event.kind = others[other];
        event.ordinal = event.kind == COR_PROCESS_EVENT_INPUT ? cor_rng_below(rng, 1000) : 0;
        if (event.kind == COR_PROCESS_EVENT_INPUT)
            event.process = event.what = 0;
    }
    return event;
}

/* Schedules of those drawn in which processes do not agree. */
static uint32_t broken(uint32_t fault, uint64_t *committed, uint64_t *digest) {
    struct cor_cluster *cluster = made(fault);
    uint32_t found = 0;
    for (uint32_t s = 0; s < schedules; s++) {
        struct cor_stream_name name = {.seed = 11, .sequence = s};
        uint64_t outcomes[OUTCOMES] = {0};
        bool agreed = true, happened;
        assert_int_equal(cor_cluster_reset(cluster, &name, &error), COR_OK);
        name.purpose = COR_PURPOSE_TEST;
        struct cor_rng rng = cor_rng_named(&name);
        for (uint32_t e = 0; e < 300; e++) {
            struct cor_process_event event = drawn(&rng, cluster);
            assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
            if (happened && !agree(cluster, outcomes))
                agreed = false;
        }
        assert_int_equal(cor_cluster_end(cluster, NULL, NULL), COR_PROCESS_END_NONE);
        *committed += cor_cluster_values(cluster, 0, NULL)[2].count;
        if (s == 0)
            *digest = cor_cluster_digest(cluster);
        found += !agreed;
    }
    cor_cluster_destroy(cluster);
    return found;
}

static void drawn_schedules(void **state) {
    (void)state;
    uint64_t committed = 0, digest = 0, other;
    assert_int_equal(broken(0, &committed, &digest), 0);
    assert_true(committed > schedules);
    assert_int_equal(digest, UINT64_C(0x9832F003A0E7DB89)); /* the same with every compiler */
    for (uint32_t fault = EARLY_VOTE; fault <= LONE_DECISION; fault++)
        if (broken(fault, &committed, &other) < schedules / 50)
            fail_msg("fault %u is hardly found", fault);
}

/* An input that all participants can carry out. */
static uint32_t willing(void) {
    struct cor_cluster *cluster = made(0);
    uint32_t ordinal = 0;
    for (uint64_t voted = 0; voted == 0; ordinal++) {
        bool happened;
        assert_int_equal(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = 1}, &error), COR_OK);
        const struct cor_process_event events[] = {
            {.kind = COR_PROCESS_EVENT_INPUT, .ordinal = ordinal},
            {.kind = COR_PROCESS_EVENT_DELIVER, .process = 1, .what = PREPARE},
            {.kind = COR_PROCESS_EVENT_DISK, .process = 1},
            {.kind = COR_PROCESS_EVENT_DELIVER, .process = 2, .what = PREPARE},
            {.kind = COR_PROCESS_EVENT_DISK, .process = 2}};
        for (size_t e = 0; e < sizeof events / sizeof *events; e++)
            assert_int_equal(cor_cluster_happen(cluster, &events[e], &happened, &error), COR_OK);
        voted = cor_cluster_values(cluster, 1, NULL)[4].count * cor_cluster_values(cluster, 2, NULL)[4].count;
    }
    cor_cluster_destroy(cluster);
    return ordinal - 1;
}

static bool breaks(uint32_t fault, const struct cor_process_event *events, size_t count) {
    struct cor_cluster *cluster = made(fault);
    uint64_t outcomes[OUTCOMES] = {0};
    bool agreed = true, happened;
    assert_int_equal(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = 1}, &error), COR_OK);
    for (size_t e = 0; e < count; e++) {
        assert_int_equal(cor_cluster_happen(cluster, &events[e], &happened, &error), COR_OK);
        if (happened && !agree(cluster, outcomes))
            agreed = false;
    }
    cor_cluster_destroy(cluster);
    return !agreed;
}

#define DELIVER(to, sender, kind_of_message) \
    { .kind = COR_PROCESS_EVENT_DELIVER, .process = to, .peer = sender, .what = kind_of_message }
#define AT(event, where) \
    { .kind = COR_PROCESS_EVENT_##event, .process = where }

static void by_hand(void **state) {
    (void)state;
    uint32_t ordinal = willing();
#define BEGIN \
    {.kind = COR_PROCESS_EVENT_INPUT, .ordinal = ordinal}, DELIVER(1, 0, PREPARE), DELIVER(2, 0, PREPARE)
    const struct cor_process_event early[] = {
        BEGIN,       DELIVER(0, 1, VOTE), AT(CRASH, 1), AT(RESTART, 1),
        AT(DISK, 2), DELIVER(0, 2, VOTE), AT(DISK, 0),  DELIVER(1, 0, DECISION)};
    const struct cor_process_event forgotten[] = {
        BEGIN,        AT(DISK, 1),   AT(DISK, 2), DELIVER(0, 1, VOTE), DELIVER(0, 2, VOTE),
        AT(CRASH, 0), AT(RESTART, 0)};
    const struct cor_process_event lone[] = {BEGIN,
                                             AT(DISK, 1),
                                             AT(DISK, 2),
                                             DELIVER(0, 1, VOTE),
                                             DELIVER(0, 2, VOTE),
                                             {.kind = COR_PROCESS_EVENT_TIME_OUT, .process = 1, .what = 1},
                                             AT(DISK, 0)};
    assert_true(breaks(EARLY_VOTE, early, sizeof early / sizeof *early));
    assert_true(breaks(FORGOTTEN_DECISION, forgotten, sizeof forgotten / sizeof *forgotten));
    assert_true(breaks(LONE_DECISION, lone, sizeof lone / sizeof *lone));
    assert_false(breaks(0, early, sizeof early / sizeof *early));
    assert_false(breaks(0, forgotten, sizeof forgotten / sizeof *forgotten));
    assert_false(breaks(0, lone, sizeof lone / sizeof *lone));
}

int main(int argc, char **argv) {
    if (argc > 1)
        schedules = (uint32_t)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(drawn_schedules), cmocka_unit_test(by_hand)};
    struct cor_process_definition definition = {.program = "two_phase"};
    if (cor_process_open(&definition, &program, &error) != COR_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    cor_process_close(program);
    return failed;
}
