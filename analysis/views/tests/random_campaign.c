/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * random_campaign SEED RESULT.h5 KIND: writes a result file with random content, and RESULT.h5.times.csv, for
 * naive_performance.py, naive_compare.py and naive_survival.py to compute again. KIND is
 *   plain     the content that belongs to SEED
 *   worse     the same suites, but an algorithm that moves more agents and is detected more often
 *   other     the content of `worse` in suites whose configurations are others
 *   renamed   plain, with arms of other names
 *   empty     arms, but no suites */
#include <corridor/hash.h>
#include <corridor/record.h>
#include <corridor/result.h>
#include <corridor/rng.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)           \
    do {                      \
        if ((call) != COR_OK) \
            die();            \
    } while (0)

static struct cor_error error;

static _Noreturn void die(void) {
    char text[2048];
    cor_error_text(&error, text, sizeof text);
    fprintf(stderr, "random_campaign: %s\n", text);
    exit(1);
}

/* An arm's ways; shares are per cent. */
struct habits {
    const char *name, *description;
    uint32_t suites, activation, gray, black, smoke;
};

static const struct habits habits[] = {
    {"PSOPP-F1", "{\"algorithm\":\"psopp\"}", 24, 10, 60, 40, 0},
    {"PSOPP-F2", "{\"algorithm\":\"psopp\"}", 12, 30, 90, 90, 4},
    {"SPADA-F1", "{\"algorithm\":\"spada\"}", 13, 6, 100, 0, 0},
    {"never run", "{}", 0, 0, 0, 0, 0},
    {"a=b, \"odd\"", "{\"algorithm\":\"spada\"}", 1, 50, 5, 0, 0},
    {"without fault", "{\"algorithm\":\"psopp\"}", 8, 0, 0, 0, 0},
    {"all at once", "{\"algorithm\":\"psopp\"}", 9, 100, 100, 100, 0},
};
enum { ARMS = sizeof habits / sizeof *habits };

static bool worse, other;

static bool chance(struct cor_rng *rng, uint32_t per_cent) {
    return cor_rng_below(rng, 100) < per_cent;
}

static void *row(struct cor_record *record, enum cor_table table) {
    void *made = cor_record_row(record, table, &error);
    if (!made)
        die();
    return made;
}

static uint8_t verdict(bool failed, bool smoke) {
    return smoke ? COR_VERDICT_SMOKE : failed ? COR_VERDICT_FAILED : COR_VERDICT_PASSED;
}

/* Some violations of a box; now and then one check twice. Returns how many. */
static uint32_t put_violations(struct cor_rng *rng, struct cor_record *record,
                               const struct cor_case_row *here, enum cor_box box, uint32_t checks) {
    uint32_t count = 1 + cor_rng_below(rng, 3);
    for (uint32_t i = 0; i < count; i++) {
        struct cor_violation_row *violation = row(record, COR_TABLE_VIOLATIONS);
        violation->sequence = here->sequence;
        violation->case_ = here->case_;
        violation->box = (uint8_t)box;
        violation->check = (uint8_t)(1 + cor_rng_below(rng, checks));
        if (box == COR_BOX_DETECT)
            violation->check = here->alarm ? COR_CHECK_ALARM_FALSE : COR_CHECK_ALARM_MISSED;
    }
    return count;
}

/* Where the system is afterwards, and how far; some of it is not known. */
static void put_quality(struct cor_rng *rng, const struct cor_suite_row *suite, bool smoke,
                        struct cor_reorganization_row *r) {
    static const uint8_t looks[] = {COR_INSIDE_INSIDE, COR_INSIDE_INSIDE, COR_INSIDE_OUTSIDE,
                                    COR_INSIDE_EDGE};
    uint32_t look = cor_rng_below(rng, 4);
    double before = cor_rng_unit(rng), after = cor_rng_unit(rng);
    r->inside_after = looks[look];
    r->dissimilarity_before = suite->threshold * (1 + 3 * before);
    r->dissimilarity_after = suite->threshold * 2 * after + (worse ? 0.02 : 0);
    bool lost = chance(rng, 3);
    if (smoke || lost)
        r->dissimilarity_after = NAN;
    if (smoke)
        r->inside_after = COR_INSIDE_NOT_LOOKED;
}

/* Returns whether the black box failed. */
static bool put_reorganization(struct cor_rng *rng, struct cor_record *record, const struct habits *habit,
                               const struct cor_suite_row *suite, struct cor_case_row *here) {
    struct cor_reorganization_row *r = row(record, COR_TABLE_REORGANIZATIONS);
    bool activated = chance(rng, habit->activation), gray = chance(rng, habit->gray);
    bool black = chance(rng, habit->black), smoke = chance(rng, habit->smoke), more = chance(rng, 30);
    bool distributed_badly = chance(rng, 20);
    gray = (activated && gray) || (worse && more);
    black = activated && black && (gray || distributed_badly);
    r->sequence = here->sequence;
    r->case_ = here->case_;
    r->fault_activated = activated ? 1 + cor_rng_below(rng, 3) : 0;
    r->fault_held = r->fault_reached = r->fault_activated;
    r->own_moves = black && !gray;
    r->gray = here->gray = verdict(gray, smoke);
    r->black = here->black = verdict(black, smoke);
    r->smoke = smoke ? COR_SMOKE_MEMORY : COR_SMOKE_NONE;
    r->agreement = COR_VERDICT_NOT_JUDGED;
    r->stop = (uint8_t)(1 + cor_rng_below(rng, 5));
    r->spent = cor_rng_word(rng) >> (34 + cor_rng_below(rng, 30));
    r->rounds = cor_rng_below(rng, 40);
    r->messages = cor_rng_below(rng, 1000);
    r->moved = cor_rng_below(rng, suite->agents / 2 + 1) + (worse ? 1 + suite->agents / 4 : 0);
    put_quality(rng, suite, smoke, r);
    here->reorganized = 1;
    if (gray && !smoke)
        r->gray_violations = put_violations(rng, record, here, COR_BOX_GRAY, 8);
    if (black && !smoke)
        r->black_violations = put_violations(rng, record, here, COR_BOX_BLACK, 9);
    if (activated || gray || black || smoke) {
        struct cor_failure_row *failure = row(record, COR_TABLE_FAILURES);
        failure->sequence = here->sequence;
        failure->case_ = here->case_;
        failure->gray = r->gray;
        failure->black = r->black;
    }
    return black || smoke;
}

/* Returns whether the sequence ends. */
static bool put_case(struct cor_rng *rng, struct cor_record *record, const struct habits *habit,
                     const struct cor_suite_row *suite, uint16_t sequence, uint32_t number) {
    static const uint8_t looks[] = {COR_INSIDE_INSIDE,  COR_INSIDE_INSIDE, COR_INSIDE_OUTSIDE,
                                    COR_INSIDE_OUTSIDE, COR_INSIDE_EDGE,   COR_INSIDE_NOT_LOOKED};
    struct cor_case_row *here = row(record, COR_TABLE_CASES);
    here->sequence = sequence;
    here->case_ = number;
    here->alarm = chance(rng, 25);
    here->inside = looks[cor_rng_below(rng, chance(rng, 50) ? 2 : 6)];
    here->gray = here->black = COR_VERDICT_NOT_JUDGED;
    if (here->alarm && here->inside != COR_INSIDE_EDGE)
        here->inside = chance(rng, 3) ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE;
    if (here->inside == COR_INSIDE_NOT_LOOKED)
        here->detect = COR_VERDICT_NOT_JUDGED;
    else
        here->detect = verdict(here->inside == (here->alarm ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE), false);
    if (here->detect == COR_VERDICT_FAILED)
        put_violations(rng, record, here, COR_BOX_DETECT, 1);
    return here->alarm && put_reorganization(rng, record, habit, suite, here);
}

static void put_sequence(struct cor_rng *rng, struct cor_record *record, const struct habits *habit,
                         const struct cor_suite_row *suite, uint16_t number) {
    uint32_t cases = chance(rng, 30) ? 400 + cor_rng_below(rng, 300) : cor_rng_below(rng, 120), executed = 0;
    bool stopped = false;
    while (executed < cases && !stopped)
        stopped = put_case(rng, record, habit, suite, number, ++executed);
    struct cor_sequence_row *sequence = row(record, COR_TABLE_SEQUENCES);
    sequence->sequence = number;
    sequence->cases = cases;
    sequence->executed = executed;
    if (number > 0 && chance(rng, 10)) {
        struct cor_branch_row *branch = row(record, COR_TABLE_BRANCHES);
        branch->sequence = number;
        branch->parent = 0;
    }
}

/* Rows of odd suites lie the other way round. */
static void put_suite(struct cor_rng *rng, struct cor_record *record, const struct habits *habit,
                      uint64_t name, uint32_t s) {
    struct cor_suite_row suite = {.agents = 4 + cor_rng_below(rng, 500),
                                  .sequences = 1 + cor_rng_below(rng, 8)};
    suite.threshold = 0.1 + cor_rng_unit(rng);
    struct cor_suite_row *written = row(record, COR_TABLE_SUITES);
    written->agents = suite.agents;
    written->groups = 1;
    ((struct cor_group_row *)row(record, COR_TABLE_GROUPS))->size = suite.agents;
    for (uint32_t i = 0; i < suite.agents; i++)
        ((struct cor_agent_row *)row(record, COR_TABLE_AGENTS))->agent = i;
    written->sequences = suite.sequences;
    written->measure = COR_MEASURE_RANGE;
    written->threshold = suite.threshold;
    written->configuration_hash = cor_hash_word(name, s) + other;
    for (uint32_t i = 0; i < suite.sequences; i++)
        put_sequence(rng, record, habit, &suite, (uint16_t)(s % 2 ? suite.sequences - 1 - i : i));
}

/* Times of all suites but each seventh; the seconds are those of nobody's clock. */
static void write_times(const char *path, uint64_t seed) {
    char beside[4096];
    snprintf(beside, sizeof beside, "%s.times.csv", path);
    FILE *file = fopen(beside, "w");
    if (!file) {
        perror(beside);
        exit(1);
    }
    fputs("arm,suite,worker,cases,reorganizations,wall_s,cpu_s\n", file);
    for (uint16_t a = 0; a < ARMS; a++)
        for (uint32_t s = 0; s < habits[a].suites; s++)
            if (s % 7 != 6)
                fprintf(file, "%s,%u,0,1,1,9,%.9g\n", a == 4 ? "\"a=b, \"\"odd\"\"\"" : habits[a].name, s,
                        0.001 * (double)((seed + 31 * a + 17 * s) % 97) + (worse ? 0.5 : 0));
    fclose(file);
}

int main(int count, char **arguments) {
    if (count != 4)
        return 2;
    uint64_t seed = strtoull(arguments[1], NULL, 10);
    const char *path = arguments[2], *kind = arguments[3];
    bool empty = strcmp(kind, "empty") == 0, renamed = strcmp(kind, "renamed") == 0;
    other = strcmp(kind, "other") == 0;
    worse = other || strcmp(kind, "worse") == 0;
    char journal_path[4096];
    const char *journals[1] = {journal_path};
    struct cor_catalog_entry arms[ARMS];
    struct cor_journal *journal;
    struct cor_record *record;
    snprintf(journal_path, sizeof journal_path, "%s.journal", path);
    remove(journal_path);
    CHECK(cor_journal_create(journal_path, &journal, &error));
    CHECK(cor_record_create(&cor_interaction_schema, &record, &error));
    for (uint16_t a = 0; a < ARMS; a++) {
        arms[a] = (struct cor_catalog_entry){a, habits[a].name, habits[a].description};
        if (renamed)
            arms[a].name = (const char *const[]){"n1", "n2", "n3", "n4", "n5", "n6", "n7"}[a];
        for (uint32_t s = 0; s < habits[a].suites && !empty; s++) {
            struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
                .seed = seed, .arm = a + 1u, .suite = s, .purpose = COR_PURPOSE_TEST});
            cor_record_begin(record, a, s);
            put_suite(&rng, record, &habits[a], seed + a, s);
            CHECK(cor_journal_append(journal, record, &error));
        }
    }
    cor_record_destroy(record);
    cor_journal_close(journal);
    static const struct cor_catalog_entry only = {0, "one", ""};
    struct cor_result_header header = {.layer = &cor_interaction_schema,
                                       .experiment = "{}",
                                       .provenance = "{}",
                                       .seed = seed,
                                       .complete = 1};
    for (uint16_t a = 0; a < ARMS && !empty; a++)
        header.planned_suites += habits[a].suites;
    header.catalog[COR_CATALOG_ARM] = arms;
    header.catalog_size[COR_CATALOG_ARM] = ARMS;
    header.catalog[COR_CATALOG_AGENT_TYPE] = header.catalog[COR_CATALOG_ENVIRONMENT] = &only;
    header.catalog_size[COR_CATALOG_AGENT_TYPE] = header.catalog_size[COR_CATALOG_ENVIRONMENT] = 1;
    CHECK(cor_result_merge(journals, 1, &header, path, 1, &error));
    remove(journal_path);
    write_times(path, seed);
    return 0;
}
