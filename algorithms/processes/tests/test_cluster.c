/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cluster is held against a naive one, event by event, over drawn schedules that contain much that is not
 * possible. The program is one that tells hosts apart. */
#include "internal.h"
#include "tests/toy.h"

#include "tests/naive.h"

#include <stdio.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

static struct cor_process_program toy = {.description = TOY};
static struct cor_error error;
static uint32_t schedules = 300;

static struct cor_cluster *made(const struct cor_cluster_definition *definition) {
    struct cor_cluster *cluster;
    error = COR_NO_ERROR;
    assert_int_equal(cor_cluster_create(definition, &cluster, &error), COR_OK);
    return cluster;
}

/* Half of what is drawn is about something that is there. */
static struct cor_process_event drawn(struct cor_rng *rng, const struct cor_cluster *cluster) {
    static const uint8_t often[] = {
        COR_PROCESS_EVENT_DELIVER,  COR_PROCESS_EVENT_DELIVER, COR_PROCESS_EVENT_DELIVER,
        COR_PROCESS_EVENT_TIME_OUT, COR_PROCESS_EVENT_DISK,    COR_PROCESS_EVENT_RESTART,
        COR_PROCESS_EVENT_RESUME,   COR_PROCESS_EVENT_HEAL,    COR_PROCESS_EVENT_DUPLICATE,
        COR_PROCESS_EVENT_UNITE,    COR_PROCESS_EVENT_JOIN,    COR_PROCESS_EVENT_LOSE_ALL,
    };
    uint32_t count = cor_cluster_process_count(cluster), flights;
    struct cor_process_event event = {.tick = cor_cluster_now(cluster)};
    uint32_t draw = cor_rng_below(rng, 3);
    event.tick += draw == 0 ? cor_rng_below(rng, 30) : 0;
    draw = cor_rng_below(rng, 2);
    uint32_t kind = cor_rng_below(rng, COR_PROCESS_EVENT_KIND_COUNT - 1),
             usual = cor_rng_below(rng, sizeof often);
    kind += kind >= COR_PROCESS_EVENT_DEFAULT; /* which is none of a cluster */
    event.kind = draw ? often[usual] : (uint8_t)kind;
    event.process = (uint8_t)cor_rng_below(rng, count + (draw == 0));
    event.peer = (uint8_t)cor_rng_below(rng, count + (draw == 0));
    event.what = (uint8_t)cor_rng_below(rng, 4);
    event.ordinal = cor_rng_below(rng, 3) * (event.kind == COR_PROCESS_EVENT_LOSE_ALL ? 40 : 1);
    if (event.process < count && event.peer < count) {
        const struct cor_flight *flight = cor_cluster_flight(cluster, event.peer, event.process, &flights);
        uint32_t at = flights > 0 ? cor_rng_below(rng, flights) : 0;
        if (flights > 0 && draw && event.kind <= COR_PROCESS_EVENT_DUPLICATE) {
            event.what = flight[at].kind;
            event.ordinal = 0;
            for (uint32_t i = 0; i < at; i++)
                event.ordinal += flight[i].kind == event.what;
        }
    }
    if (event.kind == COR_PROCESS_EVENT_CRASH_LOST || event.kind == COR_PROCESS_EVENT_TIME_OUT)
        event.what = (uint8_t)(cor_rng_below(rng, COR_PROCESS_CELLS_MAX + 1) / (draw ? 4 : 1));
    if (event.kind == COR_PROCESS_EVENT_DRIFT)
        event.ordinal = cor_rng_below(rng, 3000);
    if (event.kind == COR_PROCESS_EVENT_PART && (count > 16 || cor_rng_below(rng, 4) == 0)) {
        event.what = (uint8_t)cor_rng_below(rng, COR_PARTITION_COUNT + 1);
        event.ordinal = event.what == COR_PARTITION_ALONE ? cor_rng_below(rng, count + 1) : (uint32_t)cor_rng_word(rng);
    } else if (event.kind == COR_PROCESS_EVENT_PART) { /* mostly of two groups, sometimes what is none */
        const uint32_t one = cor_rng_below(rng, (1u << count) + (draw == 0)), all = (1u << count) - 1;
        const uint32_t both = cor_rng_below(rng, 3);
        event.what = (uint8_t)cor_rng_below(rng, 2 + (draw == 0));
        event.ordinal = one << 16 | (all & ~one) | (both == 0 ? 1u << cor_rng_below(rng, count) : 0);
        event.ordinal &= draw == 0 ? ~(1u << cor_rng_below(rng, count)) : UINT32_MAX; /* in no group */
        if (event.what == COR_PARTITION_RING)
            event.ordinal = (uint32_t)cor_rng_word(rng);
    }
    if (event.kind == COR_PROCESS_EVENT_JUMP)
        event.ordinal = cor_rng_below(rng, 200);
    return event;
}

static void same_links(const struct cor_cluster *cluster, const struct naive *naive) {
    uint32_t in_flight = 0, severed = 0;
    const struct cor_cluster_overview *overview = cor_cluster_overview(cluster);
    for (uint32_t to = 0; to < naive->count; to++)
        for (uint32_t from = 0; from < naive->count; from++) {
            uint32_t count, at = 0;
            const struct cor_flight *flight = cor_cluster_flight(cluster, from, to, &count);
            for (size_t i = 0; i < naive->flight_count; i++) {
                const struct naive_item *item = &naive->flights[i];
                if (item->from != from || item->to != to)
                    continue;
                assert_true(at < count);
                assert_int_equal(flight[at].number, item->number);
                assert_int_equal(flight[at].sent, item->sent);
                assert_int_equal(flight[at].kind, item->kind);
                assert_int_equal(flight[at].size, item->size);
                assert_memory_equal(flight[at].bytes, item->bytes, item->size);
                at++;
            }
            assert_int_equal(at, count);
            assert_int_equal(cor_set_has(&overview->senders[to], from), count > 0);
            assert_int_equal(cor_cluster_is_cut(cluster, from, to), naive->cut[from][to]);
            in_flight += count;
            severed += naive->severed[from][to];
        }
    assert_int_equal(overview->in_flight, in_flight);
    assert_int_equal(overview->severed_count, severed);
    assert_int_equal(overview->lost, naive->lost);
}

static void same_process(const struct cor_cluster *cluster, const struct naive *naive, uint32_t p) {
    const struct cor_process_standing *standing = cor_cluster_standing(cluster, p);
    const struct naive_process *other = &naive->processes[p];
    const struct cor_cluster_overview *overview = cor_cluster_overview(cluster);
    uint32_t changed, alarms = 0;
    assert_int_equal(standing->is_up, other->is_up);
    assert_int_equal(standing->is_paused, other->is_paused);
    assert_int_equal(standing->pending_writes, other->pending_count);
    assert_int_equal(standing->durable_writes, other->durable_count);
    assert_int_equal(cor_set_has(&overview->up, p), other->is_up);
    assert_int_equal(cor_set_has(&overview->absent, p), other->is_absent);
    assert_int_equal(cor_set_has(&overview->paused, p), other->is_paused);
    assert_int_equal(cor_set_has(&overview->writing, p), other->pending_count > 0);
    for (uint32_t a = 0; a < COR_PROCESS_ALARMS_MAX; a++) {
        bool is_set = other->alarms[a] != COR_PROCESS_NEVER;
        assert_int_equal(standing->due[a], is_set ? naive_due(other, a) : COR_PROCESS_NEVER);
        alarms |= (uint32_t)is_set << a;
    }
    assert_int_equal(overview->alarms[p], alarms);
    assert_int_equal(cor_set_has(&overview->with_alarm, p), alarms != 0);
    const union cor_process_value *values = cor_cluster_values(cluster, p, &changed);
    assert_memory_equal(values, other->values, sizeof other->values);
    for (uint32_t a = 0; a < 4; a++)
        assert_int_equal(changed >> a & 1,
                         memcmp(&other->values[a], &other->values_before[a], sizeof *values) != 0);
}

static void same(const struct cor_cluster *cluster, const struct naive *naive) {
    size_t told_count;
    const struct cor_told *told = cor_cluster_told(cluster, &told_count);
    assert_int_equal(cor_cluster_now(cluster), naive->now);
    assert_int_equal(told_count, naive->told_count);
    for (size_t t = 0; t < told_count; t++) {
        assert_int_equal(told[t].process, naive->told[t].process);
        assert_int_equal(told[t].channel, naive->told[t].channel);
        assert_int_equal(told[t].index, naive->told[t].index);
        assert_int_equal(told[t].digest, naive->told[t].digest);
    }
    assert_int_equal(cor_cluster_overview(cluster)->has_news, told_count > 0);
    same_links(cluster, naive);
    for (uint32_t p = 0; p < naive->count; p++)
        same_process(cluster, naive, p);
    assert_int_equal(cor_cluster_end(cluster, NULL, NULL), COR_PROCESS_END_NONE);
}

static void equals_naive(void **state) {
    (void)state;
    uint64_t possible[COR_PROCESS_EVENT_KIND_COUNT + 1] = {0};
    for (uint32_t setting = 0; setting < 6; setting++) {
        struct cor_cluster_definition definition = {.program = &toy,
                                                    .process_count = setting == 5   ? NAIVE_PROCESSES
                                                                     : setting == 4 ? 65
                                                                                    : 1 + setting + (setting == 3),
                                                    .cut_loses = setting >= 2,
                                                    .first_count = setting == 3 ? 3 : setting == 5 ? 90 : 0,
                                                    .is_fifo = setting % 2 == 1,
                                                    .memory_bytes = 1 << 20,
                                                    .flight_most = setting < 2 ? 4 : 9};
        struct cor_cluster *cluster = made(&definition);
        struct naive *naive = calloc(1, sizeof *naive);
        naive->program = &toy.description;
        naive->count = definition.process_count;
        naive->first_count = definition.first_count ? definition.first_count : naive->count;
        naive->is_fifo = definition.is_fifo;
        naive->cut_loses = definition.cut_loses;
        naive->flight_most = definition.flight_most;
        naive->flights = calloc(NAIVE_FLIGHTS, sizeof *naive->flights);
        for (uint32_t s = 0; s < (setting < 4 ? schedules / 4 : schedules / 100); s++) {
            struct cor_stream_name name = {.seed = setting, .sequence = s};
            struct cor_rng rng = cor_rng_named(
                &(struct cor_stream_name){.seed = setting, .sequence = s, .purpose = COR_PURPOSE_TEST});
            assert_int_equal(cor_cluster_reset(cluster, &name, &error), COR_OK);
            naive_begin(naive, &name);
            bool has_begun = false;
            for (uint32_t e = 0; e < 200; e++) {
                struct cor_process_event event = drawn(&rng, cluster);
                uint64_t digest = cor_cluster_digest(cluster);
                bool happened;
                assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
                assert_int_equal(happened, naive_happen(naive, &event));
                assert_int_equal(digest == cor_cluster_digest(cluster), !happened);
                possible[event.kind] += happened;
                has_begun |= happened;
                if (has_begun) /* `changed` is another thing at a reset */
                    same(cluster, naive);
            }
        }
        naive_end(naive);
        free(naive);
        cor_cluster_destroy(cluster);
    }
    for (uint32_t kind = 0; kind < COR_PROCESS_EVENT_KIND_COUNT; kind++)
        if (kind != COR_PROCESS_EVENT_DEFAULT && possible[kind] < schedules / 50)
            fail_msg("%s happened %u times", cor_process_event_kind_word(kind), (unsigned)possible[kind]);
}

/* Runs a schedule, or draws it; what was possible goes into `executed`. */
static uint64_t digest_of(struct cor_cluster *cluster, uint32_t number,
                          const struct cor_process_schedule *given, struct cor_process_schedule *executed) {
    struct cor_stream_name name = {.seed = 5, .sequence = number};
    struct cor_rng rng =
        cor_rng_named(&(struct cor_stream_name){.seed = 77, .sequence = number, .purpose = COR_PURPOSE_TEST});
    assert_int_equal(cor_cluster_reset(cluster, &name, &error), COR_OK);
    for (size_t e = 0; e < (given ? given->count : 400); e++) {
        struct cor_process_event event = given ? given->events[e] : drawn(&rng, cluster);
        bool happened;
        assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
        event.tick = cor_cluster_now(cluster);
        if (happened && executed)
            assert_int_equal(cor_process_schedule_add(executed, &event, &error), COR_OK);
    }
    return cor_cluster_digest(cluster);
}

/* What was executed gives the same again, in a cluster that has done other things before, or nothing. */
static void same_bits(void **state) {
    (void)state;
    struct cor_cluster_definition definition = {.program = &toy, .process_count = 4};
    struct cor_cluster *one = made(&definition), *other = made(&definition);
    for (uint32_t s = 0; s < 40; s++) {
        struct cor_process_schedule executed = {0};
        uint64_t digest = digest_of(one, s, NULL, &executed);
        digest_of(one, s + 1000, NULL, NULL);
        assert_int_equal(digest_of(one, s, NULL, NULL), digest);
        assert_int_equal(digest_of(other, s, &executed, NULL), digest);
        executed.count--;
        assert_true(digest_of(other, s, &executed, NULL) != digest);
        cor_process_schedule_fini(&executed);
    }
    cor_cluster_destroy(one);
    cor_cluster_destroy(other);
}

/* Random numbers are those of a process, whatever happens to the others: leaving out what happened to process
 * 1 alone leaves process 0 with the numbers that it had. Input bytes are named by what and ordinal. */
static uint64_t drawn_numbers[64], drawn_inputs[64];
static uint32_t number_count, input_count;
static void record_input(void *me, const struct cor_process_host *host, uint32_t which, const void *bytes,
                         uint32_t size) {
    (void)me;
    (void)which;
    if (host->self == 0)
        drawn_numbers[number_count++] = host->random(host);
    else
        host->random(host);
    drawn_inputs[input_count++] = cor_hash_bytes(0, bytes, size);
}

static void numbers_of_processes(void **state) {
    (void)state;
    struct cor_process_program program = toy;
    program.description.input = record_input;
    struct cor_cluster *cluster =
        made(&(struct cor_cluster_definition){.program = &program, .process_count = 2});
    uint64_t first[8];
    for (int with_other = 0; with_other < 2; with_other++) {
        bool happened;
        number_count = input_count = 0;
        assert_int_equal(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = 3}, &error), COR_OK);
        for (uint32_t i = 0; i < 8; i++) {
            struct cor_process_event event = {.kind = COR_PROCESS_EVENT_INPUT, .what = 1, .ordinal = i};
            assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
            event.process = 1;
            if (with_other)
                assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
            if (with_other)
                assert_int_equal(drawn_inputs[input_count - 1], drawn_inputs[input_count - 2]);
            if (i > 0)
                assert_true(drawn_inputs[input_count - 1] != drawn_inputs[0]);
        }
        if (with_other)
            assert_memory_equal(first, drawn_numbers, sizeof first);
        memcpy(first, drawn_numbers, sizeof first);
    }
    cor_cluster_destroy(cluster);
}

/* Memory is at the same place in every run, and nothing of an earlier one is in it. */
static void *place[3];
static int soiled;
static void look_at_memory(void *me, const struct cor_process_host *host,
                           const struct cor_process_stored *stored) {
    (void)stored;
    unsigned char *large = host->alloc(host, 100000), *small = host->alloc(host, 40);
    place[0] = me;
    place[1] = large;
    place[2] = small;
    for (int i = 0; i < 100000; i++)
        soiled += large[i] != 0;
    memset(large, 0xAA, 100000);
    memset(small, 0xAA, 40);
    host->release(host, small);
    for (int i = 0; i < 40; i++)
        soiled += small[i] == 0xAA; /* what is freed is overwritten */
    soiled += host->alloc(host, 33) != (void *)small;
}

static void memory_is_as_new(void **state) {
    (void)state;
    struct cor_process_program program = toy;
    program.description.start = look_at_memory;
    struct cor_cluster *cluster = made(
        &(struct cor_cluster_definition){.program = &program, .process_count = 1, .memory_bytes = 200000});
    void *before[3];
    for (uint32_t run = 0; run < 5; run++) {
        bool happened;
        assert_int_equal(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = run}, &error), COR_OK);
        if (run > 0)
            assert_memory_equal(before, place, sizeof place);
        memcpy(before, place, sizeof place);
        struct cor_process_event event = {.kind = COR_PROCESS_EVENT_CRASH};
        assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
        event.kind = COR_PROCESS_EVENT_RESTART;
        assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
        assert_memory_equal(before, place, sizeof place);
        assert_int_equal(soiled, 0);
    }
    cor_cluster_destroy(cluster);
}

static uint32_t shown_bit, shown_count; /* of all attributes one behind the other; attributes */

static void show_bit(const void *me, union cor_process_value *values) {
    (void)me;
    memset(values, 0, shown_count * sizeof *values);
    values[shown_bit / 64].count = UINT64_C(1) << shown_bit % 64;
}

/* Whichever bit of whichever attribute another event changes, it is seen, and nothing else is. */
static void changes_of_each_attribute(void **state) {
    (void)state;
    struct cor_process_attribute reals[COR_PROCESS_ATTRIBUTES_MAX];
    for (uint32_t a = 0; a < COR_PROCESS_ATTRIBUTES_MAX; a++)
        reals[a] = (struct cor_process_attribute){.name = "real", .type = COR_PROCESS_REAL};
    for (uint32_t count = 1; count <= COR_PROCESS_ATTRIBUTES_MAX; count++) {
        struct cor_process_program wide = {.description = TOY};
        wide.description.attributes = reals;
        wide.description.attribute_count = shown_count = count;
        wide.description.observe = show_bit;
        struct cor_cluster *cluster =
            made(&(struct cor_cluster_definition){.program = &wide, .process_count = 1});
        for (uint32_t bit = 0; bit < 64 * count; bit++) {
            const struct cor_process_event input = {.kind = COR_PROCESS_EVENT_INPUT};
            bool happened;
            uint32_t changed;
            shown_bit = 64 * (count - 1) + 63 - bit % 64; /* another one than that of the event */
            assert_int_equal(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = bit}, &error), 0);
            const uint32_t before = shown_bit / 64;
            shown_bit = bit != shown_bit ? bit : bit ^ 1;
            assert_int_equal(cor_cluster_happen(cluster, &input, &happened, &error), COR_OK);
            assert_true(happened);
            cor_cluster_values(cluster, 0, &changed);
            assert_int_equal(changed, UINT32_C(1) << before | UINT32_C(1) << shown_bit / 64);
        }
        cor_cluster_destroy(cluster);
    }
}

/* Who is to start later is not any more once it has left, or started. */
static void who_leaves_is_not_to_start(void **state) {
    (void)state;
    static const struct {
        enum cor_process_event_kind kind;
        uint8_t process;
        bool unstarted[3];
    } steps[] = {{COR_PROCESS_EVENT_TICK, 0, {true, true, true}},
                 {COR_PROCESS_EVENT_LEAVE, 0, {false, true, true}},
                 {COR_PROCESS_EVENT_RESTART, 1, {false, false, true}},
                 {COR_PROCESS_EVENT_JOIN, 0, {false, false, true}},
                 {COR_PROCESS_EVENT_CRASH, 0, {false, false, true}}};
    struct cor_cluster *cluster =
        made(&(struct cor_cluster_definition){.program = &toy, .process_count = 3, .starts_later = true});
    const struct cor_process_set *unstarted = &cor_cluster_overview(cluster)->unstarted;
    assert_int_equal(cor_cluster_reset(cluster, &(struct cor_stream_name){.seed = 3}, &error), COR_OK);
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        const struct cor_process_event event = {.kind = (uint8_t)steps[s].kind, .process = steps[s].process};
        bool happened;
        assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
        assert_true(happened);
        for (uint32_t p = 0; p < 3; p++)
            assert_int_equal(cor_set_has(unstarted, p), steps[s].unstarted[p]);
    }
    cor_cluster_destroy(cluster);
}

static void words(void **state) {
    (void)state;
    uint32_t faults = 0;
    for (int kind = 0; kind < COR_PROCESS_EVENT_KIND_COUNT; kind++) {
        enum cor_process_event_kind own = (enum cor_process_event_kind)kind;
        assert_int_equal(cor_process_event_kind_of(cor_process_event_kind_word(own)), kind);
        assert_non_null(cor_process_event_kind_meaning(own));
        faults += cor_process_event_is_fault(own);
    }
    assert_int_equal(faults, 14);
    assert_int_equal(cor_process_event_kind_of("nothing"), COR_PROCESS_EVENT_KIND_COUNT);
    assert_string_equal(cor_process_end_word(COR_PROCESS_END_ABSURD), "absurd call");
}

int main(int argc, char **argv) {
    if (argc > 1)
        schedules = (uint32_t)strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_naive),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(numbers_of_processes),
        cmocka_unit_test(memory_is_as_new),
        cmocka_unit_test(changes_of_each_attribute),
        cmocka_unit_test(who_leaves_is_not_to_start),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
