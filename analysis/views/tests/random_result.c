/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * random_result SEED RESULT.h5 TABLES.csv TABLES.json TABLES.txt: writes a result file with random content
 * that keeps the rules of the loop, and its tables, for naive_tables.py to compute again. */
#include "shown_tables.h"
#include <corridor/record.h>
#include <corridor/result.h>
#include <corridor/rng.h>
#include <corridor/tables.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)           \
    do {                      \
        if ((call) != COR_OK) \
            die(&error);      \
    } while (0)

static _Noreturn void die(const struct cor_error *error) {
    char text[2048];
    cor_error_text(error, text, sizeof text);
    fprintf(stderr, "random_result: %s\n", text);
    exit(1);
}

static struct cor_error error;

/* An arm's ways; shares are per cent. */
struct habits {
    const char *name;
    uint32_t suites, activation, gray, black, adoption, smoke, own_moves;
};

static const struct habits habits[] = {
    {"PSOPP-F1", 12, 10, 60, 90, 0, 0, 0},    {"PSOPP-F4", 9, 30, 4, 80, 0, 0, 0},
    {"PSOPP-F5", 8, 2, 50, 60, 0, 0, 0},      {"PSOPP-F5d", 8, 40, 55, 60, 0, 5, 0},
    {"SPADA-F1", 10, 6, 100, 0, 0, 0, 0},     {"SPADA-F3", 1, 50, 5, 0, 0, 0, 0},
    {"own, \"odd\"", 6, 0, 0, 0, 20, 0, 0},   {"never run", 0, 0, 0, 0, 0, 0, 0},
    {"distributes", 7, 30, 20, 50, 5, 0, 30},
};
enum { ARMS = sizeof habits / sizeof *habits };

static bool chance(struct cor_rng *rng, uint32_t per_cent) {
    return cor_rng_below(rng, 100) < per_cent;
}

static void *row(struct cor_record *record, enum cor_table table) {
    void *made = cor_record_row(record, table, &error);
    if (!made)
        die(&error);
    return made;
}

/* Profiles of a suite: which transitions they have, and how often all walks took each. */
struct world {
    uint32_t profiles, chains;
    uint16_t states[4], of_chain[16];
    bool arc[4][16][16];
    uint64_t taken[4][16][16], visits[4][16];
};

static void make_world(struct cor_rng *rng, struct world *world) {
    memset(world, 0, sizeof *world);
    world->profiles = 1 + cor_rng_below(rng, 4);
    world->chains = 1 + cor_rng_below(rng, 16);
    for (uint32_t p = 0; p < world->profiles; p++) {
        world->states[p] = (uint16_t)(2 + cor_rng_below(rng, 14));
        uint32_t density = cor_rng_below(rng, 100);
        for (uint32_t from = 0; from < world->states[p]; from++)
            for (uint32_t to = 0; to < world->states[p]; to++)
                world->arc[p][from][to] = to == (from + 1) % world->states[p] || chance(rng, density);
    }
    for (uint32_t c = 0; c < world->chains; c++)
        world->of_chain[c] = (uint16_t)cor_rng_below(rng, world->profiles);
}

/* A step along an arc, now and then one that the profile does not have. */
static uint8_t step(struct cor_rng *rng, const struct world *world, uint32_t p, uint8_t from) {
    for (;;) {
        uint8_t to = (uint8_t)cor_rng_below(rng, world->states[p]);
        if (world->arc[p][from][to] || chance(rng, 3))
            return to;
    }
}

static uint64_t put_walks(struct cor_rng *rng, struct cor_record *record, struct world *world,
                          uint32_t cases) {
    uint64_t start = 0;
    CHECK(cor_record_put(record, COR_VECTOR_WALK, NULL, 0, &start, &error));
    for (uint32_t c = 0; c < world->chains; c++) {
        uint32_t p = world->of_chain[c];
        uint8_t here = (uint8_t)cor_rng_below(rng, world->states[p]);
        for (uint32_t i = 0; i <= cases; i++) {
            CHECK(cor_record_put(record, COR_VECTOR_WALK, &here, 1, NULL, &error));
            world->visits[p][here]++;
            if (i == cases)
                break;
            uint8_t next = step(rng, world, p, here);
            world->taken[p][here][next]++;
            here = next;
        }
    }
    return start;
}

static void put_world(struct cor_record *record, const struct world *world) {
    for (uint32_t c = 0; c < world->chains; c++) {
        struct cor_chain_row *chain = row(record, COR_TABLE_CHAINS);
        chain->chain = c;
        chain->profile = world->of_chain[c];
    }
    for (uint32_t p = 0; p < world->profiles; p++) {
        struct cor_profile_row *profile = row(record, COR_TABLE_PROFILES);
        profile->profile = (uint16_t)p;
        profile->states = world->states[p];
        for (uint16_t from = 0; from < world->states[p]; from++) {
            struct cor_visit_row *visit = row(record, COR_TABLE_VISITS);
            visit->profile = (uint16_t)p;
            visit->state = from;
            visit->count = world->visits[p][from];
            for (uint16_t to = 0; to < world->states[p]; to++) {
                if (!world->arc[p][from][to] && world->taken[p][from][to] == 0)
                    continue;
                struct cor_transition_row *arc = row(record, COR_TABLE_TRANSITIONS);
                arc->profile = (uint16_t)p;
                arc->from = from;
                arc->to = to;
                arc->probability = world->arc[p][from][to] ? 0.5 : 0;
                arc->count = world->taken[p][from][to];
                profile->arcs += world->arc[p][from][to];
            }
        }
    }
}

static uint8_t verdict(bool failed) {
    return failed ? COR_VERDICT_FAILED : COR_VERDICT_PASSED;
}

static void judge(struct cor_rng *rng, const struct habits *habit, struct cor_reorganization_row *r) {
    bool activated = chance(rng, habit->activation);
    bool gray = activated && chance(rng, habit->gray);
    bool adoption = chance(rng, habit->adoption);
    bool distributed_badly = habit->own_moves > 0 && chance(rng, habit->own_moves);
    bool black = (gray && chance(rng, habit->black)) || (adoption && chance(rng, 50)) || distributed_badly;
    bool smoke = chance(rng, habit->smoke);
    r->fault_reached = activated + cor_rng_below(rng, 3);
    r->fault_held = activated + (r->fault_reached > 1 ? cor_rng_below(rng, 2) : 0);
    r->fault_activated = activated;
    r->fault_in_result = gray;
    r->gray = smoke ? COR_VERDICT_SMOKE : verdict(gray);
    r->black = smoke ? COR_VERDICT_SMOKE : verdict(black);
    r->gray_violations = !smoke && gray;
    r->black_violations = !smoke && black;
    r->agreement = smoke || gray ? COR_VERDICT_NOT_JUDGED : verdict(adoption);
    r->adoption_fault = adoption;
    r->own_moves = habit->own_moves > 0;
    r->smoke = smoke ? COR_SMOKE_COMPLAINED : COR_SMOKE_NONE;
    r->stop = COR_STOP_DONE;
    r->inside_after = chance(rng, 70) ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE;
}

static void put_violation(struct cor_rng *rng, struct cor_record *record,
                          const struct cor_case_row *this_case, enum cor_box box) {
    struct cor_violation_row *violation = row(record, COR_TABLE_VIOLATIONS);
    violation->sequence = this_case->sequence;
    violation->case_ = this_case->case_;
    violation->box = (uint8_t)box;
    violation->check = COR_CHECK_MISSING;
    violation->agent = cor_rng_below(rng, 1000);
}

/* Returns whether the black box failed. */
static bool put_reorganization(struct cor_rng *rng, struct cor_record *record, const struct habits *habit,
                               struct cor_case_row *this_case) {
    struct cor_reorganization_row *r = row(record, COR_TABLE_REORGANIZATIONS);
    r->sequence = this_case->sequence;
    r->case_ = this_case->case_;
    judge(rng, habit, r);
    this_case->reorganized = 1;
    this_case->gray = r->gray;
    this_case->black = r->black;
    if (r->gray_violations > 0)
        put_violation(rng, record, this_case, COR_BOX_GRAY);
    if (r->black_violations > 0 || r->agreement == COR_VERDICT_FAILED)
        put_violation(rng, record, this_case, COR_BOX_BLACK);
    if (r->fault_activated || r->gray != COR_VERDICT_PASSED || r->black != COR_VERDICT_PASSED ||
        r->agreement == COR_VERDICT_FAILED) {
        struct cor_failure_row *failure = row(record, COR_TABLE_FAILURES);
        failure->sequence = this_case->sequence;
        failure->case_ = this_case->case_;
        failure->gray = r->gray;
        failure->black = r->black;
    }
    return r->black != COR_VERDICT_PASSED;
}

static bool put_case(struct cor_rng *rng, struct cor_record *record, const struct habits *habit,
                     uint16_t sequence, uint32_t number) {
    struct cor_case_row *c = row(record, COR_TABLE_CASES);
    c->sequence = sequence;
    c->case_ = number;
    c->alarm = chance(rng, 20);
    bool looked = chance(rng, 50) || c->alarm, contradicts = looked && chance(rng, 3);
    c->inside = !looked                        ? COR_INSIDE_NOT_LOOKED
                : c->alarm == (int)contradicts ? COR_INSIDE_INSIDE
                                               : COR_INSIDE_OUTSIDE;
    c->detect = looked ? verdict(contradicts) : COR_VERDICT_NOT_JUDGED;
    c->gray = c->black = COR_VERDICT_NOT_JUDGED;
    c->dissimilarity = (float)cor_rng_unit(rng);
    if (c->detect == COR_VERDICT_FAILED)
        put_violation(rng, record, c, COR_BOX_DETECT);
    return c->alarm && put_reorganization(rng, record, habit, c);
}

static void put_suite(struct cor_rng *rng, struct cor_record *record, const struct habits *habit) {
    struct world world;
    make_world(rng, &world);
    struct cor_suite_row *suite = row(record, COR_TABLE_SUITES);
    uint32_t agents = 2 + cor_rng_below(rng, 999);
    uint32_t groups = 1 + cor_rng_below(rng, agents < 40 ? agents : 40);
    uint32_t sequences = 1 + cor_rng_below(rng, 6);
    suite->agents = agents;
    suite->groups = groups;
    suite->chains = world.chains;
    suite->sequences = sequences;
    suite->measure = COR_MEASURE_RANGE;
    suite->fallback = chance(rng, 20);
    for (uint32_t g = 0; g < groups; g++) {
        struct cor_group_row *group = row(record, COR_TABLE_GROUPS);
        group->group = g;
        group->size = g == 0 ? agents - (groups - 1) : 1;
    }
    for (uint32_t s = 0; s < sequences; s++) {
        uint32_t cases = 1 + cor_rng_below(rng, 80);
        uint32_t executed = 0;
        uint64_t start = put_walks(rng, record, &world, cases);
        bool stopped = false;
        while (executed < cases && !stopped)
            stopped = put_case(rng, record, habit, (uint16_t)s, ++executed);
        struct cor_sequence_row *sequence = row(record, COR_TABLE_SEQUENCES);
        sequence->sequence = (uint16_t)s;
        sequence->cases = cases;
        sequence->executed = executed;
        sequence->walk_start = start;
    }
    put_world(record, &world);
}

static void write_journal(uint64_t seed, const char *path) {
    struct cor_journal *journal;
    struct cor_record *record;
    remove(path);
    CHECK(cor_journal_create(path, &journal, &error));
    CHECK(cor_record_create(&cor_interaction_schema, &record, &error));
    for (uint16_t arm = 0; arm < ARMS; arm++)
        for (uint32_t s = 0; s < habits[arm].suites; s++) {
            struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
                .seed = seed, .arm = arm + 1u, .suite = s, .purpose = COR_PURPOSE_TEST});
            cor_record_begin(record, arm, s);
            put_suite(&rng, record, &habits[arm]);
            CHECK(cor_journal_append(journal, record, &error));
        }
    cor_record_destroy(record);
    cor_journal_close(journal);
}

static void write_result(uint64_t seed, const char *journal, const char *path) {
    struct cor_catalog_entry arms[ARMS];
    for (uint16_t arm = 0; arm < ARMS; arm++)
        arms[arm] = (struct cor_catalog_entry){arm, habits[arm].name, "{\"algorithm\":\"random\"}"};
    static const struct cor_catalog_entry only = {0, "one", ""};
    struct cor_result_header header = {.layer = &cor_interaction_schema,
                                       .experiment = "{\"repeats\": \"003\"}",
                                       .provenance = "{}",
                                       .seed = seed,
                                       .complete = 1};
    for (uint16_t arm = 0; arm < ARMS; arm++)
        header.planned_suites += habits[arm].suites;
    header.catalog[COR_CATALOG_ARM] = arms;
    header.catalog_size[COR_CATALOG_ARM] = ARMS;
    header.catalog[COR_CATALOG_AGENT_TYPE] = header.catalog[COR_CATALOG_ENVIRONMENT] = &only;
    header.catalog_size[COR_CATALOG_AGENT_TYPE] = header.catalog_size[COR_CATALOG_ENVIRONMENT] = 1;
    CHECK(cor_result_merge(&journal, 1, &header, path, 1, &error));
    remove(journal);
}

static FILE *create(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

/* The tables once more, with intervals by the bootstrap. */
static void write_resampled(struct cor_result *result, const char *path) {
    struct cor_tables *tables;
    CHECK(cor_tables_create(result, 0.95, COR_INTERVAL_BCA, &tables, &error));
    FILE *csv = create(path);
    CHECK(cor_tables_csv(tables, csv, &error));
    fclose(csv);
    cor_tables_destroy(tables);
}

int main(int count, char **arguments) {
    if (count != 7)
        return 2;
    uint64_t seed = strtoull(arguments[1], NULL, 10);
    char journal[4096];
    snprintf(journal, sizeof journal, "%s.journal", arguments[2]);
    write_journal(seed, journal);
    write_result(seed, journal, arguments[2]);
    struct cor_result *result;
    struct cor_tables *tables;
    CHECK(cor_result_open(arguments[2], &result, &error));
    CHECK(cor_tables_create(result, 0.95, COR_INTERVAL_LINEARISED, &tables, &error));
    FILE *csv = create(arguments[3]), *json = create(arguments[4]), *text = create(arguments[5]);
    CHECK(cor_tables_csv(tables, csv, &error));
    CHECK(cor_tables_json(tables, json, &error));
    CHECK(cor_tables_text(tables, &COR_STYLE_PLAIN, text, &error));
    size_t broken = cor_measurement_broken(tables->measurement);
    fclose(csv);
    fclose(json);
    fclose(text);
    cor_tables_destroy(tables);
    write_resampled(result, arguments[6]);
    cor_result_close(result);
    return broken == 0 ? 0 : 1;
}
