/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Features against a count by hand, changes against laws and profiles, and islands against themselves. */
#include "corpus.h"

#include "../../../engines/sequence/tests/scene.h"

#include <corridor/array.h>
#include <corridor/search_layer.h>
#include <corridor/search_schema.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Slow and simple: a flag for each feature. */
static bool expected[COR_FEATURES];

static uint32_t class_of(uint64_t count) {
    return count >= 128  ? 8
           : count >= 32 ? 7
           : count >= 16 ? 6
           : count >= 8  ? 5
           : count >= 4  ? 4
                         : (uint32_t)count;
}

static void expect(enum cor_feature_kind kind, uint32_t about, uint32_t which, uint32_t class) {
    if (class > 0)
        expected[cor_feature(kind, about, which, class)] = true;
}

static void expect_slack(uint32_t limit, int64_t slack) {
    expect(COR_FEATURE_SLACK, limit, slack < 0, 1 + class_of((uint64_t)(slack < 0 ? -slack : slack)));
}

static void expect_probes(const struct cor_feature_source *source) {
    for (uint32_t c = 0; c < source->counter_count; c++)
        for (uint32_t b = 0; source->probe_start[c] + b < source->probe_start[c + 1]; b++)
            expect(COR_FEATURE_PROBE, c, b, class_of(source->probes[source->probe_start[c] + b]));
}

static void expect_transitions(const struct cor_feature_source *source) {
    const struct cor_configuration *c = source->suite->configuration;
    const struct cor_walk *walk = &source->suite->recorded[0];
    for (uint32_t p = 0; p < c->profile_count; p++) {
        const uint32_t states = source->suite->profiles[p]->state_count;
        for (uint32_t arc = 0; arc < states * states; arc++) {
            uint64_t count = 0;
            for (uint32_t chain = 0; chain < c->chain_count; chain++)
                for (uint32_t i = 1; i <= source->cases; i++)
                    count += c->profile_of_chain[chain] == p &&
                             cor_walk_at(walk, i - 1)[chain] == arc / states &&
                             cor_walk_at(walk, i)[chain] == arc % states;
            expect(COR_FEATURE_TRANSITION, p, arc, class_of(count));
        }
    }
}

static void expect_rows(const struct cor_feature_source *source) {
    const struct cor_configuration *c = source->suite->configuration;
    const struct cor_limits *limits = &c->limits;
    const int64_t n = c->agent_count;
    double most = 0;
    for (size_t i = 0; i < cor_record_size(source->record, COR_TABLE_REORGANIZATIONS); i++) {
        const struct cor_reorganization_row *row =
            cor_record_at(source->record, COR_TABLE_REORGANIZATIONS, i);
        const int64_t after = row->partitions_after;
        expect(COR_FEATURE_PARTITIONS, 0, 0, class_of(row->partitions_after));
        expect_slack(5, limits->count_max - after);
        expect_slack(6, after - limits->count_min);
        expect_slack(7, n - after * limits->size_min);
        expect_slack(8, after * limits->size_max - n);
        expect(COR_FEATURE_SEAM, 0, 0, class_of(row->fault_reached));
        expect(COR_FEATURE_SEAM, 1, 0, class_of(row->fault_held));
        expect(COR_FEATURE_SEAM, 2, 0, class_of(row->fault_activated));
        expect(COR_FEATURE_END, row->stop, row->smoke, 1);
    }
    for (size_t i = 0; i < cor_record_size(source->record, COR_TABLE_CASES); i++) {
        const struct cor_case_row *row = cor_record_at(source->record, COR_TABLE_CASES, i);
        most = row->dissimilarity > most ? row->dissimilarity : most;
    }
    uint32_t step = 0;
    while (step < 64 && c->threshold > 0 && (step + 1) * c->threshold <= 16 * most)
        step++;
    expect(COR_FEATURE_DISTANCE, 0, 0, 1 + step);
}

static void expect_room(const struct cor_configuration *c) {
    int64_t least = 1, most = 0; /* numbers of partitions that the sizes leave */
    while (least * c->limits.size_max < c->agent_count)
        least++;
    while ((most + 1) * c->limits.size_min <= c->agent_count)
        most++;
    expect_slack(0, most - c->limits.count_min);
    expect_slack(1, c->limits.count_max - least);
    expect_slack(2, most - least);
    expect_slack(3, (int64_t)c->limits.count_max - c->limits.count_min);
    expect_slack(4, (int64_t)c->limits.size_max - c->limits.size_min);
}

/* A bucket that was counted came to its class in the case behind which the count had it, and had another one
 * before. */
static void check_origins(const struct cor_feature_source *source, const uint32_t *features,
                          const struct cor_feature_origin *origins, uint32_t count) {
    for (uint32_t c = 0; c < source->counter_count; c++)
        for (uint32_t i = source->probe_start[c]; i < source->probe_start[c + 1]; i++) {
            uint64_t so_far = 0;
            uint32_t since = 0, f = 0;
            const uint32_t feature =
                cor_feature(COR_FEATURE_PROBE, c, i - source->probe_start[c], class_of(source->probes[i]));
            while (f < count && features[f] != feature)
                f++;
            if (source->probes[i] == 0 || origins[f].kind != COR_FEATURE_PROBE)
                continue;
            for (uint32_t number = source->cases; number > 0 && since == 0; number--) {
                so_far += cor_tester_reaction(source->observed, number).counted[i];
                if (class_of(source->probes[i] - so_far) != class_of(source->probes[i]))
                    since = number;
            }
            assert_int_equal(origins[f].since, since);
        }
}

static void check_features(struct cor_feature_collector *collector, const struct cor_feature_source *source) {
    struct cor_error error = COR_NO_ERROR;
    const uint32_t *features;
    const struct cor_feature_origin *origins;
    uint32_t count, wanted = 0;
    static bool found[COR_FEATURES];
    memset(expected, 0, sizeof expected);
    memset(found, 0, sizeof found);
    expect_probes(source);
    expect_transitions(source);
    expect_room(source->suite->configuration);
    expect_rows(source);
    OK(cor_features_collect(collector, source, &features, &origins, &count, &error));
    check_origins(source, features, origins, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_false(found[features[i]]);
        found[features[i]] = true;
    }
    for (uint32_t f = 0; f < COR_FEATURES; f++) {
        wanted += expected[f];
        assert_int_equal(found[f], expected[f]);
    }
    assert_int_equal(count, wanted);
    assert_in_range(count, 10, 5000);
}

static struct cor_feature_source source_of(struct cor_tester *tester, const struct cor_test *test,
                                           const struct cor_test_result *result) {
    struct cor_feature_source source = {
        .suite = test->suite,
        .record = cor_tester_record(tester),
        .counter_count = cor_algorithm_counter_count(test->arm.algorithm),
        .cases = result->cases,
        .observed = tester,
    };
    source.probes = cor_tester_probes(tester, &source.probe_start);
    return source;
}

static const char arms[] =
    "{\"name\": \"spada\", \"algorithm\": \"spada\", \"fault\": \"f1\"},\n"
    "{\"name\": \"psopp\", \"algorithm\": \"psopp\", \"fault\": \"f3\", \"parameters\": {\"budget\": [100, "
    "400]}},\n"
    "{\"name\": \"random\", \"algorithm\": \"random\"}";

static void features_are_those_of_a_count_by_hand(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_tester *tester;
    struct cor_feature_collector *collector;
    scene_open(&scene, arms, false);
    OK(cor_tester_create(&tester, &error));
    OK(cor_feature_collector_create(&collector, &error));
    cor_tester_observe(tester, true);
    for (uint32_t i = 0; i < 12; i++) {
        struct cor_suite *suite;
        struct cor_test *test;
        struct cor_test_result result;
        OK(cor_suite_generate(scene.experiment, i % 3, i / 3, &suite, &error));
        OK(cor_suite_test(suite, i % 2, &test, &error));
        cor_suite_destroy(suite);
        OK(cor_tester_execute(tester, test, i == 5 ? 3 : 0, &result, &error));
        const struct cor_feature_source source = source_of(tester, test, &result);
        check_features(collector, &source);
        cor_test_destroy(test);
    }
    cor_feature_collector_destroy(collector);
    cor_tester_destroy(tester);
    scene_close(&scene);
}

static void counts_have_the_classes_of_afl(void **state) {
    (void)state;
    for (uint64_t count = 0; count < 2000; count++)
        assert_int_equal(cor_count_class(count), class_of(count));
    assert_int_equal(cor_count_class(UINT64_MAX), 8);
}

/* Every transition is one of the profile; the first `same` cases are those of `before`. */
static void check_walk(const struct cor_test *test, const struct cor_test *before, uint32_t same) {
    const struct cor_walk *walk = &test->suite->recorded[0], *old = &before->suite->recorded[0];
    assert_int_equal(walk->case_count, old->case_count);
    for (uint32_t i = 0; i <= walk->case_count; i++)
        for (uint32_t chain = 0; chain < walk->chain_count; chain++) {
            const struct cor_profile *profile =
                test->suite->profiles[test->suite->configuration->profile_of_chain[chain]];
            const uint8_t to = cor_walk_at(walk, i)[chain];
            assert_in_range(to, 0, profile->state_count - 1);
            if (i > 0) {
                const uint8_t from = cor_walk_at(walk, i - 1)[chain];
                assert_true(profile->probability[from * profile->state_count + to] > 0);
            }
            if (i <= same)
                assert_int_equal(to, cor_walk_at(old, i)[chain]);
        }
}

static bool differs(const struct cor_test *a, const struct cor_test *b) {
    const struct cor_walk *one = &a->suite->recorded[0], *other = &b->suite->recorded[0];
    return memcmp(one->states, other->states, ((size_t)one->case_count + 1) * one->chain_count) != 0;
}

static bool change(struct cor_test *test, const struct cor_test *other, int kind, uint32_t from,
                   struct cor_rng *rng) {
    switch (kind) {
    case 0:
        search_layer__walk_branch(test, from, rng);
        return true;
    case 1:
        return search_layer__walk_hold(test, from, rng);
    case 2:
        return search_layer__walk_rare_arc(test, from, rng);
    default:
        return search_layer__walk_splice(test, other, from, rng);
    }
}

static void walks_that_are_changed_take_transitions_that_there_are(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    uint32_t made[4] = {0}, changed[4] = {0};
    scene_open(&scene, arms, false);
    for (uint32_t i = 0; i < 120; i++) {
        struct cor_suite *suite;
        struct cor_test *test, *other, *copy;
        struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = i, .purpose = COR_PURPOSE_TEST});
        OK(cor_suite_generate(scene.experiment, 0, i % 5, &suite, &error));
        OK(cor_suite_test(suite, 0, &test, &error));
        OK(cor_suite_test(suite, 1, &other, &error));
        cor_suite_destroy(suite);
        OK(cor_test_copy(test, &copy, &error));
        const uint32_t from = i % 3 == 0 ? 0 : cor_rng_below(&rng, cor_test_cases(test));
        const bool done = change(copy, other, (int)(i % 4), from, &rng);
        check_walk(copy, test, from);
        made[i % 4] += done;
        changed[i % 4] += differs(copy, test);
        if (!done)
            assert_false(differs(copy, test));
        cor_test_destroy(copy);
        cor_test_destroy(other);
        cor_test_destroy(test);
    }
    for (int kind = 0; kind < 4; kind++)
        assert_true(made[kind] >= 12 && changed[kind] >= 9);
    scene_close(&scene);
}

static void put_wait(struct cor_mail_record *mail, uint64_t identity, uint64_t of, uint64_t value) {
    struct cor_error error = COR_NO_ERROR;
    const struct cor_mail_entry entry = {identity, COR_MAIL_DEED_WAITS, of, value};
    OK(cor_mail_record_put(mail, &entry, &error));
}

/* Every entry is of a message there is and says something else than sending order; other cases are as before;
 * how many messages of the case wait. */
static size_t check_schedule(const struct cor_mail_record *made, const struct cor_mail_record *before,
                             const struct search_layer__mail_case *changed) {
    size_t in = 0, old = 0;
    for (size_t i = 0; i < made->count; i++) {
        const struct cor_mail_entry *entry = &made->entries[i];
        if (i > 0)
            assert_true(
                made->entries[i - 1].identity < entry->identity ||
                (made->entries[i - 1].identity == entry->identity && made->entries[i - 1].of < entry->of));
        assert_int_equal(entry->deed, COR_MAIL_DEED_WAITS);
        if (entry->identity == changed->identity) {
            in++;
            assert_true(entry->of < changed->messages);
            assert_true(entry->value >= entry->of && entry->value <= changed->messages + 1);
            continue;
        }
        while (before->entries[old].identity == changed->identity)
            old++;
        assert_int_equal(entry->identity, before->entries[old].identity);
        assert_int_equal(entry->of, before->entries[old].of);
        assert_int_equal(entry->value, before->entries[old++].value);
    }
    return in;
}

static void schedules_that_are_changed_are_so_in_one_reorganization(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct search_layer__mail_case cases[] = {{3, 2}, {5, 12}};
    struct search_layer__mail_seen seen = {.cases = cases, .case_count = 2};
    bool last[12] = {false}, sooner = false, later = false, several = false, fewer = false;
    uint32_t waiting = 0, waiting_longest = 0;
    OK(cor_mail_record_create(COR_MAIL_PCT, &seen.record, &error));
    put_wait(seen.record, 3, 0, 1);
    put_wait(seen.record, 5, 4, 8);
    put_wait(seen.record, 5, 7, 9);
    put_wait(seen.record, 8, 1, 3);
    for (uint32_t i = 0; i < 4000; i++) {
        struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = i, .purpose = COR_PURPOSE_TEST});
        struct cor_mail_record *made;
        OK(search_layer__schedule_mutate(&seen, &rng, &made, &error));
        size_t count[2];
        const struct cor_mail_entry *of = cor_mail_record_of(made, 3, &count[0]);
        const bool first = count[0] != 1 || of->of != 0 || of->value != 1;
        const size_t in = check_schedule(made, seen.record, &cases[first ? 0 : 1]);
        of = cor_mail_record_of(made, 5, &count[1]);
        several = several || in > 2;
        fewer = fewer || (!first && in < 2);
        for (size_t e = 0; e < count[1]; e++) {
            waiting += of[e].of == 0;
            waiting_longest += of[e].of == 0 && of[e].value == 12;
            last[of[e].of] = last[of[e].of] || of[e].value == 12;
            sooner = sooner || (of[e].of == 4 && of[e].value == 7);
            later = later || (of[e].of == 4 && of[e].value == 9);
        }
        cor_mail_record_destroy(made);
    }
    for (int message = 0; message < 12; message++)
        assert_true(last[message]);
    assert_true(several && fewer && sooner && later);
    assert_true(waiting_longest * 4 > waiting); /* else one of twelve */
    struct cor_mail_record *none;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.purpose = COR_PURPOSE_TEST});
    seen.case_count = 0;
    OK(search_layer__schedule_mutate(&seen, &rng, &none, &error));
    assert_null(none);
    cor_mail_record_destroy(seen.record);
}

static const char laws_text[] =
    "{\"corridor_experiment\": 1, \"name\": \"laws\", \"seed\": 3, \"suites\": 1, \"sequences\": 1, "
    "\"cases\": [5, 9],\n"
    " \"model\": {\"corridor_model\": 1, \"name\": \"laws\",\n"
    "  \"parameters\": [{\"agents\": [4, 60]},\n"
    "   {\"s_min <= s_max\": [1, \"agents\"], \"n_min <= n_max\": [1, \"agents\"], \"twice\": \"2 * "
    "agents\", "
    "\"share\": [0.0, 0.5]}],\n"
    "  \"constraints\": [\"n_min * s_min <= agents\", \"n_max * s_max >= agents\", \"ceil_div(agents, s_max) "
    "<= agents / s_min\"],\n"
    "  \"agents\": \"agents\",\n"
    "  \"structure\": {\"size_min\": \"s_min\", \"size_max\": \"s_max\", \"count_min\": \"n_min\", "
    "\"count_max\": \"n_max\"},\n"
    "  \"environments\": {\"sky\": {\"profile\": {\"states\": [\"a\", \"b\"], \"transitions\": {\"a\": "
    "{\"b\": "
    "1}, \"b\": {\"a\": 1}}}}},\n"
    "  \"types\": {\"lamp\": {\"environment\": \"sky\", \"states\": {\"on\": 0.9, \"off\": 0.1}, "
    "\"influence\": {\"a\": \"on\", \"b\": \"off\"}}},\n"
    "  \"invariant\": {\"threshold\": 0.3}},\n"
    " \"arms\": [{\"name\": \"r\", \"algorithm\": \"random\"}]}";

static int64_t at(const struct cor_parameter_laws *laws, const int64_t *integers, const char *name) {
    const int index = cor_parameter_laws_find(laws, name);
    assert_true(index >= 0);
    return integers[index];
}

static void check_laws(const struct cor_parameter_laws *laws, const int64_t *n, const double *reals) {
    const int64_t agents = at(laws, n, "agents"), s_min = at(laws, n, "s_min"), s_max = at(laws, n, "s_max"),
                  n_min = at(laws, n, "n_min"), n_max = at(laws, n, "n_max");
    assert_in_range(agents, 4, 60);
    assert_true(1 <= s_min && s_min <= s_max && s_max <= agents);
    assert_true(1 <= n_min && n_min <= n_max && n_max <= agents);
    assert_true(n_min * s_min <= agents && n_max * s_max >= agents);
    assert_int_equal(at(laws, n, "twice"), 2 * agents);
    const double share = reals[cor_parameter_laws_find(laws, "share")];
    assert_true(share >= 0 && share <= 0.5);
    for (uint32_t p = 0; p < cor_parameter_laws_size(laws); p++)
        if (cor_parameter_laws_is_integer(laws, p))
            assert_true(reals[p] == (double)n[p]);
}

static void parameters_that_are_redrawn_obey_the_laws_and_keep_the_rest(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_experiment *experiment;
    uint32_t drawn = 0, kept = 0;
    OK(cor_json_parse(laws_text, "laws", &document, &error));
    OK(cor_experiment_take("laws", document, NULL, &experiment, &error));
    const struct cor_parameter_laws *laws = experiment->arms[0].laws;
    const uint32_t capacity = cor_parameter_laws_capacity(laws);
    int64_t *n = cor_calloc(capacity, sizeof *n), *before = cor_calloc(capacity, sizeof *n);
    double *reals = cor_calloc(capacity, sizeof *reals);
    for (uint32_t i = 0; i < 3000; i++) {
        struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = i, .purpose = COR_PURPOSE_TEST});
        struct cor_draw draw;
        OK(cor_parameter_laws_draw(laws, &rng, n, reals, &draw, &error));
        memcpy(before, n, capacity * sizeof *n);
        if (!cor_parameter_laws_redraw(laws, i % cor_parameter_laws_lines(laws), i % 7 == 0, &rng, n, reals))
            continue;
        check_laws(laws, n, reals);
        drawn++;
        uint32_t same = 0;
        for (uint32_t p = 0; p < cor_parameter_laws_size(laws); p++)
            same += n[p] == before[p];
        kept += same + 2 >= cor_parameter_laws_size(laws);
    }
    assert_true(drawn > 1500 && kept > drawn / 2);
    free(n);
    free(before);
    free(reals);
    cor_experiment_destroy(experiment);
}

static struct cor_search *open_search(const char *generator, const char *experiment) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_search *search;
    char *notes = NULL, *warnings = NULL;
    char *text = cor_format("{\"corridor_search\": 1, \"budget\": 1500, \"islands\": 2, \"generators\": "
                            "[{\"generator\": \"%s\"}], \"experiment\": %s}",
                            generator, experiment);
    OK(cor_json_parse(text, "search", &document, &error));
    OK(cor_search_take("search", document, &(struct cor_layer_options){0}, &search, &notes, &warnings,
                       &error));
    free(text);
    free(notes);
    free(warnings);
    return search;
}

/* A test of the tree as it is told here: its walk, identities of its cases, and where it parted. */
struct told {
    uint8_t *states;
    uint64_t *identities;
    uint32_t cases, parted[64], parted_count, tried;
};

static void tell(const struct cor_test *test, struct told *told) {
    const struct cor_walk *walk = &test->suite->recorded[0];
    const size_t size = ((size_t)walk->case_count + 1) * walk->chain_count;
    *told = (struct told){.states = cor_calloc(size, 1),
                          .identities = cor_calloc(walk->case_count, sizeof(uint64_t)),
                          .cases = walk->case_count};
    memcpy(told->states, walk->states, size);
    for (uint32_t i = 0; i < walk->case_count; i++)
        told->identities[i] = test->case_identity ? test->case_identity[i] : i + 1;
}

/* The case behind which it goes on from its parent: up to there walk and identities are the parent's. */
static uint32_t behind(const struct told *told, const struct told *parent, uint32_t chains) {
    uint32_t from = 0;
    assert_int_equal(told->cases, parent->cases);
    while (from < told->cases && told->identities[from] == parent->identities[from])
        from++;
    assert_memory_equal(told->states, parent->states, ((size_t)from + 1) * chains);
    return from;
}

/* Where the test parted: of the last eight cases with something new those that something was executed behind.
 */
static void part(const struct cor_seen *seen, bool *known, struct told *told) {
    const struct cor_test_result *result = seen->result;
    const uint32_t end = result->case_ > 0 ? result->case_ : result->cases;
    bool parts[64] = {false};
    for (uint32_t f = 0; f < seen->feature_count; f++) {
        const enum cor_feature_kind kind = seen->origins[f].kind;
        assert_true(seen->origins[f].since < 64);
        if (kind == COR_FEATURE_TRANSITION || kind == COR_FEATURE_SLACK || known[seen->features[f]])
            continue;
        known[seen->features[f]] = parts[seen->origins[f].since] = true;
    }
    uint32_t first = 64;
    for (uint32_t all = 0; first > 0 && all < 8;)
        all += parts[--first];
    for (uint32_t i = first; i < 64; i++)
        if (parts[i] && i > 0 && i < end)
            told->parted[told->parted_count++] = i;
}

static void the_tree_goes_on_from_where_the_system_did_something_new(void **state) {
    (void)state;
    enum { TESTS = 600 };
    static struct told told[TESTS + 1];
    static bool known[COR_FEATURES];
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_feature_collector *collector;
    uint32_t branches = 0, before = 0, of_leaves = 0, not_last = 0;
    void *self;
    scene_open(&scene, arms, false);
    struct cor_generator_definition definition = {.experiment = scene.experiment, .arm = 1, .budget = 100000};
    OK(cor_tester_create(&definition.tester, &error));
    cor_tester_observe(definition.tester, true);
    OK(cor_feature_collector_create(&collector, &error));
    OK(cor_generator_tree.create(&definition, &self, &error));
    for (uint32_t n = 1; n <= TESTS; n++) {
        struct cor_proposal proposal = {0};
        struct cor_test_result result = {0};
        bool keep = false;
        OK(cor_generator_tree.next(self, &proposal, &error));
        tell(proposal.test, &told[n]);
        if (proposal.parent > 0) {
            struct told *parent = &told[proposal.parent];
            const uint32_t from = behind(&told[n], parent, proposal.test->suite->recorded[0].chain_count);
            bool is_there = false;
            for (uint32_t i = 0; i < parent->parted_count; i++)
                is_there = is_there || from == parent->parted[i] || from + 1 == parent->parted[i];
            assert_true(is_there);
            before += from + 1 == parent->parted[0];
            not_last += from + 1 < parent->parted[parent->parted_count - 1];
            /* Leaves first, the newest of them. */
            for (uint32_t i = parent->tried > 0 ? 1 : proposal.parent + 1; i < n; i++)
                assert_true(told[i].parted_count == 0 || told[i].tried > 0);
            of_leaves += parent->tried++ == 0;
            branches++;
        }
        OK(cor_tester_execute(definition.tester, proposal.test, 0, &result, &error));
        const struct cor_feature_source source = source_of(definition.tester, proposal.test, &result);
        struct cor_seen seen = {.number = n, .test = proposal.test, .result = &result, .keep = &keep};
        OK(cor_features_collect(collector, &source, &seen.features, &seen.origins, &seen.feature_count,
                                &error));
        part(&seen, known, &told[n]);
        OK(cor_generator_tree.see(self, &seen, &error));
        assert_int_equal(keep, told[n].parted_count > 0);
        if (!keep)
            cor_test_destroy(proposal.test);
    }
    assert_in_range(branches, TESTS / 10, TESTS - 10);
    assert_true(before > 0 && of_leaves > 0 && of_leaves < branches && not_last > 0);
    cor_generator_tree.destroy(self);
    for (uint32_t n = 1; n <= TESTS; n++) {
        free(told[n].states);
        free(told[n].identities);
    }
    cor_feature_collector_destroy(collector);
    cor_tester_destroy(definition.tester);
    scene_close(&scene);
}

static void an_island_repeats_in_any_executor_and_uses_its_budget_up(void **state) {
    (void)state;
    static const char *const of[] = {"random", "coverage", "tree"};
    for (size_t g = 0; g < sizeof of / sizeof *of; g++) {
        struct cor_error error = COR_NO_ERROR;
        struct cor_search *search = open_search(of[g], laws_text);
        struct cor_search_executor *executor, *other;
        struct cor_record *record[2];
        struct cor_suite_counts tally;
        unsigned char *frame[2] = {NULL, NULL};
        size_t capacity[2] = {0}, size[2];
        OK(cor_search_executor_create(search, &executor, &error));
        OK(cor_search_executor_create(search, &other, &error));
        for (int i = 0; i < 2; i++)
            OK(cor_record_create(&cor_search_schema, &record[i], &error));
        OK(cor_search_island(executor, 0, 0, NULL, record[0], &tally, &error));
        OK(cor_search_island(executor, 0, 1, NULL, record[0], &tally, &error)); /* after another one */
        OK(cor_search_island(other, 0, 1, NULL, record[1], &tally, &error));
        assert_int_equal(tally.cases, 1500);
        for (int i = 0; i < 2; i++)
            OK(cor_record_frame(record[i], &frame[i], &capacity[i], &size[i], &error));
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(frame[0], frame[1], size[0]);
        const struct cor_search_island_row *row = cor_record_at(record[0], COR_SEARCH_TABLE_ISLANDS, 0);
        assert_int_equal(row->cases, 1500);
        for (int i = 0; i < 2; i++) {
            cor_record_destroy(record[i]);
            free(frame[i]);
        }
        cor_search_executor_destroy(executor);
        cor_search_executor_destroy(other);
        cor_search_destroy(search);
    }
}

/* Reads the text of a finding or of an entry of the corpus, and executes it. */
static void execute_text(struct cor_tester *tester, struct cor_record *record, uint64_t start, uint32_t size,
                         struct cor_test_result *wanted, struct cor_test_result *result) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_test *test;
    const char *texts = cor_record_items(record, COR_SEARCH_VECTOR_TEXT, NULL);
    char *text = cor_format("%.*s", (int)size, texts + start);
    OK(cor_json_parse(text, "text", &document, &error));
    free(text);
    OK(cor_test_take("text", document, NULL, &test, NULL, &error));
    *wanted = test->expected;
    OK(cor_tester_execute(tester, test, 0, result, &error));
    cor_test_destroy(test);
}

static void what_is_kept_of_a_search_is_a_file_that_does_the_same_again(void **state) {
    (void)state;
    struct cor_error error = COR_NO_ERROR;
    struct scene scene;
    struct cor_search_executor *executor;
    struct cor_record *record;
    struct cor_tester *tester;
    struct cor_suite_counts tally;
    struct cor_test_result expected_result, result;
    scene_open(&scene, arms, false);
    struct cor_search *search = open_search("coverage", scene.experiment->text);
    OK(cor_search_executor_create(search, &executor, &error));
    OK(cor_record_create(&cor_search_schema, &record, &error));
    OK(cor_tester_create(&tester, &error));
    OK(cor_search_island(executor, 1, 0, NULL, record, &tally, &error));
    const size_t findings = cor_record_size(record, COR_SEARCH_TABLE_FINDINGS),
                 kept = cor_record_size(record, COR_SEARCH_TABLE_CORPUS);
    assert_true(findings > 0 && kept > 5);
    for (size_t i = 0; i < findings; i++) {
        const struct cor_search_finding_row *row = cor_record_at(record, COR_SEARCH_TABLE_FINDINGS, i);
        execute_text(tester, record, row->text_start, row->text, &expected_result, &result);
        assert_int_equal(result.case_, row->case_);
        const struct cor_failure_class stored = COR_SEARCH_CLASS(row);
        assert_true(cor_failure_class_equal(&result.class, &stored));
        assert_true(cor_failure_class_equal(&result.class, &expected_result.class));
    }
    for (size_t i = 0; i < kept; i++) {
        const struct cor_search_corpus_row *row = cor_record_at(record, COR_SEARCH_TABLE_CORPUS, i);
        execute_text(tester, record, row->text_start, row->text, &expected_result, &result);
        assert_int_equal(result.case_, expected_result.case_);
        assert_int_equal(result.hash, expected_result.hash);
    }
    cor_tester_destroy(tester);
    cor_record_destroy(record);
    cor_search_executor_destroy(executor);
    cor_search_destroy(search);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_have_the_classes_of_afl),
        cmocka_unit_test(features_are_those_of_a_count_by_hand),
        cmocka_unit_test(walks_that_are_changed_take_transitions_that_there_are),
        cmocka_unit_test(schedules_that_are_changed_are_so_in_one_reorganization),
        cmocka_unit_test(parameters_that_are_redrawn_obey_the_laws_and_keep_the_rest),
        cmocka_unit_test(what_is_kept_of_a_search_is_a_file_that_does_the_same_again),
        cmocka_unit_test(the_tree_goes_on_from_where_the_system_did_something_new),
        cmocka_unit_test(an_island_repeats_in_any_executor_and_uses_its_budget_up)};
    return cmocka_run_group_tests_name("generators", tests, NULL, NULL);
}
