/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of mail as data: what was recorded, in whatever mode, comes again bit by bit; and what is taken
 * away from a record comes in sending order. Which orders the modes give is the affair of mail_orders.py. */
#include "local.h"
#include "tests/trees.h"

#include <corridor/json.h>

#include <stdio.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

#define MODES (COR_MAIL_CODES - 1)

static const struct cor_algorithm trees = TREES;
static struct test_task task; /* big */
static struct cor_error error;

static struct cor_mail_schedule schedule_of(enum cor_mail mode, uint64_t seed) {
    return (struct cor_mail_schedule){.mode = mode,
                                      .delay_max = 1 + (uint32_t)seed % 5,
                                      .loss_ratio = 0.1,
                                      .duplicate_ratio = 0.1,
                                      .depth = 1 + (uint32_t)seed % 4,
                                      .bound = (uint32_t)seed % 5,
                                      .messages = 200,
                                      .index = seed % 2 ? -1 : (int64_t)seed * 1001};
}

static struct cor_session *opened(const struct cor_session_definition *definition) {
    struct cor_session *session;
    error = COR_NO_ERROR;
    if (cor_session_create(definition, &session, &error) != COR_OK)
        fail_msg("%s", error.cause);
    return session;
}

static struct cor_mail_record *record_of(enum cor_mail mode) {
    struct cor_mail_record *record;
    assert_int_equal(cor_mail_record_create(mode, &record, &error), COR_OK);
    return record;
}

/* A fingerprint of what came of the task, faults and all. */
static uint64_t outcome_of(struct cor_session *session) {
    struct cor_outcome outcome;
    cor_outcome_init(&outcome);
    assert_int_equal(cor_session_reorganize(session, &task.task, &task.name, &outcome, &error), COR_OK);
    uint64_t digest = cor_outcome_digest(&outcome);
    digest = cor_hash_bytes(digest, &outcome.fault, sizeof outcome.fault);
    cor_outcome_fini(&outcome);
    return digest;
}

static void random_tree(uint64_t seed, uint32_t size) {
    struct cor_rng rng = test_rng(seed + 1000);
    tree.size = size;
    for (uint32_t i = 0; i < size; i++)
        tree.parent[i] = (int)cor_rng_below(&rng, i + 2 > 6 ? 6 : i + 1) - 1 + (i > 5 ? (int)i - 6 : 0);
}

/* Outcome and counters of the task in a fresh session of that kind. */
static const struct cor_algorithm *spada_of(struct cor_registry *registry) {
    const struct cor_algorithm *spada;
    assert_int_equal(cor_registry_find(registry, "spada", &spada, &error), COR_OK);
    return spada;
}

/* Records in one session and repeats in another. */
static void comes_again(const struct cor_session_definition *definition,
                        const struct cor_session_definition *other) {
    enum cor_mail mode = definition->mail.mode;
    struct cor_session *one = opened(definition), *two = opened(other);
    struct cor_mail_record *record = record_of(mode), *again = record_of(mode);
    uint64_t plain = outcome_of(one);
    cor_session_record(one, record);
    assert_true(outcome_of(one) == plain);
    if (mode == COR_MAIL_IN_ORDER || mode == COR_MAIL_RECORDED)
        assert_int_equal(record->count, 0);
    cor_session_schedule(two, record);
    cor_session_record(two, again);
    assert_true(outcome_of(two) == plain);
    assert_true(cor_mail_record_equal(record, again));
    assert_true(cor_mail_record_hash(record) == cor_mail_record_hash(again));
    cor_mail_record_destroy(record);
    cor_mail_record_destroy(again);
    cor_session_destroy(one);
    cor_session_destroy(two);
}

static void what_was_recorded_comes_again(void **state) {
    (void)state;
    struct cor_registry *registry;
    assert_int_equal(cor_registry_create(NULL, &registry, &error), COR_OK);
    struct cor_session_definition definition = cor_default_session(spada_of(registry)), other;
    for (uint64_t seed = 0; seed < MODES * 14; seed++) {
        definition.mail = schedule_of((enum cor_mail)(COR_MAIL_IN_ORDER + seed % MODES), seed);
        definition.agents = (struct cor_crash_definition){COR_CRASH_FAULT_NONE, 0.01, 3};
        if (seed % 3 == 0)
            definition.agents.fault = COR_CRASH_FAULT_CRASHED;
        test_make(&task, definition.algorithm, 5 + (uint32_t)seed % 40, 2 + (uint32_t)seed % 4, seed);
        task.rules.budget = seed % 4 == 0 ? 7 : 2000; /* the budget may end with mail under way */
        other = definition;
        other.mail = schedule_of(COR_MAIL_IN_ORDER, 0);
        other.strict = seed % 7 == 3;
        if (seed % 13 == 0)
            other.place = COR_SESSION_IN_CELL;
        comes_again(&definition, &other);
        if (seed % 13 == 0)
            comes_again(&other, &definition);
    }
    cor_registry_destroy(registry);
}

static void run_tree(struct cor_session *session, uint64_t seed, uint32_t *arrived) {
    tree_task(&task, &trees, 3, seed);
    (void)outcome_of(session);
    assert_int_equal(tree.count, tree.size);
    memcpy(arrived, tree.arrived, tree.size * sizeof *arrived);
}

/* Without entries mail comes as it was sent; with any part of them, all of it comes, once; and there are no
 * more entries than the longest ascending part leaves. */
static void what_is_taken_away_comes_in_sending_order(void **state) {
    (void)state;
    struct cor_session_definition definition = cor_default_session(&trees);
    for (uint64_t seed = 0; seed < 300; seed++) {
        static uint32_t in_order[TREE_MOST], drawn[TREE_MOST], got[TREE_MOST];
        struct cor_rng rng = test_rng(seed);
        random_tree(seed, 2 + (uint32_t)seed % 60);
        definition.mail = schedule_of(COR_MAIL_RECORDED, 0);
        struct cor_session *plain = opened(&definition);
        run_tree(plain, seed, in_order);
        definition.mail = schedule_of(COR_MAIL_PCT, seed);
        struct cor_session *session = opened(&definition);
        struct cor_mail_record *record = record_of(COR_MAIL_PCT);
        cor_session_record(session, record);
        run_tree(session, seed, drawn);
        cor_session_record(session, NULL);
        cor_session_schedule(plain, record);
        run_tree(plain, seed, got);
        assert_memory_equal(got, drawn, tree.size * sizeof *got);
        while (record->count > 0) {
            cor_mail_record_drop(record, cor_rng_below(&rng, (uint32_t)record->count), 1);
            run_tree(plain, seed, got);
        }
        assert_memory_equal(got, in_order, tree.size * sizeof *got);
        cor_mail_record_destroy(record);
        cor_session_destroy(session);
        cor_session_destroy(plain);
    }
}

/* Any entry whatever is borne, in every mode. */
static void entries_that_do_not_fit_are_passed_over(void **state) {
    (void)state;
    static uint32_t got[TREE_MOST];
    struct cor_session_definition definition = cor_default_session(&trees);
    struct cor_session *session = opened(&definition);
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct cor_rng rng = test_rng(seed);
        enum cor_mail mode = (enum cor_mail)(COR_MAIL_IN_ORDER + seed % MODES);
        struct cor_mail_record *record = record_of(mode);
        random_tree(seed, 30);
        for (uint32_t i = 0; i < 20; i++) {
            struct cor_mail_entry entry = {.identity = seed + 1};
            entry.deed = (enum cor_mail_deed)(1 + cor_rng_below(&rng, COR_MAIL_DEEDS - 1));
            entry.of = cor_rng_below(&rng, 40);
            entry.value = cor_rng_below(&rng, 2) ? cor_rng_below(&rng, 50) : cor_rng_word(&rng);
            if (entry.deed == COR_MAIL_DEED_LOST) /* that fits in every mode */
                continue;
            assert_int_equal(cor_mail_record_put(record, &entry, &error), COR_OK);
        }
        cor_session_schedule(session, record);
        tree_task(&task, &trees, 3, seed);
        (void)outcome_of(session);
        assert_in_range(tree.count, tree.size, 2 * TREE_MOST);
        cor_session_schedule(session, NULL);
        cor_mail_record_destroy(record);
    }
    random_tree(1, 30);
    run_tree(session, 1, got);
    cor_session_destroy(session);
}

/* One message waits while another goes round and round: what was delivered needs no memory. */
static void memory_is_that_of_mail_under_way(void **state) {
    (void)state;
    static uint32_t got[TREE_MOST];
    struct cor_session_definition definition = cor_default_session(&trees);
    definition.mail = (struct cor_mail_schedule){.mode = COR_MAIL_BOUNDED, .bound = 1, .index = 1};
    definition.memory_limit = 1000;
    struct cor_session *session = opened(&definition);
    tree.size = TREE_MOST;
    tree.parent[0] = tree.parent[1] = TREE_ROOT;
    for (int i = 2; i < TREE_MOST; i++)
        tree.parent[i] = i - 1;
    run_tree(session, 0, got);
    assert_int_equal(got[0], 1);
    assert_int_equal(got[TREE_MOST - 1], 0);
    assert_true(((struct host__local *)session)->mail.queue.letters.capacity < 5000);
    assert_true(((struct host__local *)session)->mail.queue.spare.capacity < 5000);
    cor_session_destroy(session);
}

static uint32_t longest_ascending(const uint64_t *order, uint32_t count) {
    uint32_t best[64], longest = 0;
    for (uint32_t i = 0; i < count; i++) {
        best[i] = 1;
        for (uint32_t j = 0; j < i; j++)
            if (order[j] < order[i] && best[j] + 1 > best[i])
                best[i] = best[j] + 1;
        longest = best[i] > longest ? best[i] : longest;
    }
    return longest;
}

static void no_entry_is_idle(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct cor_rng rng = test_rng(seed);
        uint32_t count = 1 + cor_rng_below(&rng, 60), items[64];
        uint64_t order[64];
        for (uint32_t i = 0; i < count; i++)
            items[i] = i;
        cor_rng_shuffle(&rng, items, count);
        for (uint32_t i = 0; i < count; i++)
            order[i] = items[i];
        struct cor_mail_record *log = record_of(COR_MAIL_PCT);
        assert_int_equal(host__mail_log_order(log, COR_MAIL_DEED_WAITS, 7, order, count, &error), COR_OK);
        assert_int_equal(log->count, count - longest_ascending(order, count));
        for (size_t i = 0; i < log->count; i++)
            assert_int_equal(log->entries[i].of, 7 + order[log->entries[i].value]);
        cor_mail_record_destroy(log);
    }
}

static void records_are_kept_in_order(void **state) {
    (void)state;
    struct cor_rng rng = test_rng(3);
    struct cor_mail_record *record = record_of(COR_MAIL_PCT), *copy;
    for (uint32_t i = 0; i < 500; i++) {
        struct cor_mail_entry entry = {cor_rng_below(&rng, 9), COR_MAIL_DEED_WAITS, 0, i};
        entry.of = cor_rng_below(&rng, 20);
        assert_int_equal(cor_mail_record_put(record, &entry, &error), COR_OK);
        size_t count;
        const struct cor_mail_entry *of = cor_mail_record_of(record, entry.identity, &count);
        bool found = false;
        for (size_t k = 0; k < count; k++)
            found = found || (of[k].of == entry.of && of[k].value == i);
        assert_true(found);
    }
    for (size_t i = 1; i < record->count; i++) {
        const struct cor_mail_entry *a = &record->entries[i - 1], *b = &record->entries[i];
        assert_true(a->identity < b->identity || (a->identity == b->identity && a->of < b->of));
    }
    assert_int_equal(cor_mail_record_copy(record, &copy, &error), COR_OK);
    assert_true(cor_mail_record_equal(record, copy));
    cor_mail_record_drop(copy, 3, 2);
    assert_int_equal(copy->count + 2, record->count);
    assert_false(cor_mail_record_equal(record, copy));
    assert_true(cor_mail_record_hash(record) != cor_mail_record_hash(copy));
    cor_mail_record_destroy(copy);
    cor_mail_record_destroy(record);
}

static char *text_of(const struct cor_mail_record *record) {
    struct cor_json_writer *writer;
    char *text;
    assert_int_equal(cor_json_writer_create(&writer, &error), COR_OK);
    cor_json_open_object(writer, NULL);
    cor_mail_record_write(record, writer, "schedule");
    cor_json_close(writer);
    assert_int_equal(cor_json_text_take(writer, 0, &text, &error), COR_OK);
    return text;
}

static enum cor_status read_text(const char *text, struct cor_mail_record **record) {
    struct cor_json_document *document;
    struct cor_json schedule;
    error = COR_NO_ERROR;
    *record = NULL;
    assert_int_equal(cor_json_parse(text, "test", &document, &error), COR_OK);
    struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_need(&root, "schedule", &schedule, &error);
    if (status == COR_OK)
        status = cor_mail_record_read(&schedule, record, &error);
    cor_json_destroy(document);
    return status;
}

static void records_are_read_as_they_were_written(void **state) {
    (void)state;
    struct cor_mail_record *record = record_of(COR_MAIL_DELAYED), *read;
    const struct cor_mail_entry entries[] = {{3, COR_MAIL_DEED_TRAVELS, 2, 4},
                                             {3, COR_MAIL_DEED_TURN, 5, 1},
                                             {4, COR_MAIL_DEED_LOST, 0, 0},
                                             {INT64_MAX, COR_MAIL_DEED_PLACE, 12, 1}};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        assert_int_equal(cor_mail_record_put(record, &entries[i], &error), COR_OK);
    char *text = text_of(record);
    assert_string_equal(text,
                        "{\"schedule\":{\"mode\":\"delayed\",\"entries\":[[3,\"travels\",2,4],[3,\"turn\","
                        "5,1],[4,\"lost\",0,0],[9223372036854775807,\"place\",12,1]]}}");
    assert_int_equal(read_text(text, &read), COR_OK);
    assert_true(cor_mail_record_equal(record, read));
    cor_mail_record_destroy(read);
    cor_mail_record_destroy(record);
    free(text);
}

static void bad_records_are_refused(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"{\"mode\":\"pct\"}", "entries"},
        {"{\"entries\":[]}", "mode"},
        {"{\"mode\":\"post\",\"entries\":[]}", "post"},
        {"{\"mode\":\"pct\",\"entries\":[[1,\"waits\",2]]}", "items"},
        {"{\"mode\":\"pct\",\"entries\":[[1,\"sleeps\",2,3]]}", "sleeps"},
        {"{\"mode\":\"pct\",\"entries\":[[1,\"lost\",2,0]]}", "one by one"},
        {"{\"mode\":\"lossy\",\"entries\":[[1,\"waits\",2,0]]}", "in rounds"},
        {"{\"mode\":\"lossy\",\"entries\":[[1,\"lost\",2,1]]}", ""},
        {"{\"mode\":\"delayed\",\"entries\":[[1,\"travels\",2,0]]}", ""},
        {"{\"mode\":\"delayed\",\"entries\":[[1,\"travels\",2,65537]]}", ""},
        {"{\"mode\":\"pct\",\"entries\":[[-1,\"waits\",2,0]]}", ""},
        {"{\"mode\":\"pct\",\"entries\":[[1,\"waits\",2,0],[1,\"waits\",2,1]]}", "behind"},
        {"{\"mode\":\"pct\",\"entries\":[[2,\"waits\",2,0],[1,\"waits\",3,1]]}", "behind"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[200];
        struct cor_mail_record *record;
        snprintf(text, sizeof text, "{\"schedule\":%s}", bad[i][0]);
        assert_int_equal(read_text(text, &record), COR_STATUS_INPUT);
        assert_null(record);
        if (!strstr(error.cause, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], error.cause);
    }
}

static void impossible_schedulers_are_refused(void **state) {
    (void)state;
    static const struct cor_mail_schedule bad[] = {
        {.mode = COR_MAIL_PCT, .depth = 0, .messages = 1},
        {.mode = COR_MAIL_PCT, .depth = 65, .messages = 1},
        {.mode = COR_MAIL_PCT, .depth = 1, .messages = 0},
        {.mode = COR_MAIL_BOUNDED, .bound = 9},
        {.mode = COR_MAIL_BOUNDED, .bound = 1, .index = -1},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cor_session_definition definition = cor_default_session(&trees);
        struct cor_session *session;
        definition.mail = bad[i];
        error = COR_NO_ERROR;
        assert_int_equal(cor_session_create(&definition, &session, &error), COR_STATUS_INPUT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_recorded_comes_again),
        cmocka_unit_test(what_is_taken_away_comes_in_sending_order),
        cmocka_unit_test(entries_that_do_not_fit_are_passed_over),
        cmocka_unit_test(memory_is_that_of_mail_under_way),
        cmocka_unit_test(no_entry_is_idle),
        cmocka_unit_test(records_are_kept_in_order),
        cmocka_unit_test(records_are_read_as_they_were_written),
        cmocka_unit_test(bad_records_are_refused),
        cmocka_unit_test(impossible_schedulers_are_refused),
    };
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
