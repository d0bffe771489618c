/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * random_world SEED RESULT.h5 COVERAGE.json TABLE.csv...: writes a result file with random profiles and walks
 * that keep to them, and its coverage, for naive_coverage.py to compute again. Tables are named by their
 * files: covered.csv and so on. */
#include <corridor/record.h>
#include <corridor/result.h>
#include <corridor/rng.h>
#include <corridor/view.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)           \
    do {                      \
        if ((call) != COR_OK) \
            die(&error);      \
    } while (0)

static struct cor_error error;

static _Noreturn void die(const struct cor_error *what) {
    char text[2048];
    cor_error_text(what, text, sizeof text);
    fprintf(stderr, "random_world: %s\n", text);
    exit(1);
}

enum { STATES_MAX = 12, PROFILES_MAX = 3, CHAINS_MAX = 18 };

/* How an arm's suites come about. */
static const struct way {
    const char *name, *description;
    uint32_t suites;
    bool fixed;   /* the same profiles in all suites */
    bool uniform; /* walks anywhere */
    bool odd;     /* rows that do not sum to 1 */
} ways[] = {
    {"fixed", "{\"environment\":\"profile\"}", 7, true, false, false},
    {"drawn, \"anew\"", "{\"environment\":\"profile\"}", 11, false, false, false},
    {"never run", "{}", 0, false, false, false},
    {"uniform", "{\"environment\":\"uniform\"}", 4, false, true, false},
    {"odd", "not even JSON", 2, false, false, true},
};
enum { ARMS = sizeof ways / sizeof *ways };

struct profile {
    uint32_t states;
    double arc[STATES_MAX][STATES_MAX];
    uint64_t taken[STATES_MAX][STATES_MAX], visits[STATES_MAX];
};

struct world {
    uint32_t profiles, chains;
    struct profile profile[PROFILES_MAX];
    uint16_t of_chain[CHAINS_MAX];
};

static void *row(struct cor_record *record, enum cor_table table) {
    void *made = cor_record_row(record, table, &error);
    if (!made)
        die(&error);
    return made;
}

static double power(double base, uint32_t exponent) {
    double product = 1;
    while (exponent-- > 0)
        product *= base;
    return product;
}

/* Skewed weights on some transitions; at times states that one only leaves, or (of an even number) a second
 * closed class. */
static void make_profile(struct cor_rng *rng, struct profile *profile, bool odd) {
    uint32_t n = 1 + cor_rng_below(rng, STATES_MAX), density = 20 + cor_rng_below(rng, 70);
    uint32_t skew = 1 + cor_rng_below(rng, 7), wall = cor_rng_below(rng, 4) == 0 ? n / 2 : 0;
    memset(profile, 0, sizeof *profile);
    profile->states = n;
    for (uint32_t i = 0; i < n; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < n; j++) {
            bool ring = j == (i + 1) % n || j == i;
            bool behind = i >= wall && j < wall; /* from behind the wall nothing leads back */
            bool across = n % 2 == 0 && i < wall && j >= wall;
            if (!behind && !across && (ring || cor_rng_below(rng, 100) < density))
                profile->arc[i][j] = power(cor_rng_unit(rng) * 0.99 + 0.01, skew);
            sum += profile->arc[i][j];
        }
        for (uint32_t j = 0; j < n; j++)
            profile->arc[i][j] /= odd ? 2 * sum : sum;
    }
}

static void forget_counts(struct world *world) {
    for (uint32_t p = 0; p < world->profiles; p++) {
        memset(world->profile[p].taken, 0, sizeof world->profile[p].taken);
        memset(world->profile[p].visits, 0, sizeof world->profile[p].visits);
    }
}

static void make_world(struct cor_rng *rng, const struct way *way, struct world *world, bool profiles) {
    if (profiles) {
        world->profiles = 1 + cor_rng_below(rng, PROFILES_MAX);
        for (uint32_t p = 0; p < world->profiles; p++)
            make_profile(rng, &world->profile[p], way->odd);
    }
    forget_counts(world);
    world->chains = cor_rng_below(rng, CHAINS_MAX + 1);
    for (uint32_t c = 0; c < world->chains; c++)
        world->of_chain[c] = (uint16_t)cor_rng_below(rng, world->profiles);
}

static uint32_t step(struct cor_rng *rng, const struct way *way, const struct profile *profile,
                     uint32_t from) {
    if (way->uniform)
        return cor_rng_below(rng, profile->states);
    double sum = 0, draw;
    for (uint32_t j = 0; j < profile->states; j++)
        sum += profile->arc[from][j];
    draw = cor_rng_unit(rng) * sum;
    for (uint32_t j = 0; j < profile->states; j++) {
        if (draw < profile->arc[from][j])
            return j;
        draw -= profile->arc[from][j];
    }
    return from; /* rounding; each state has an arc to itself */
}

static uint64_t put_walks(struct cor_rng *rng, struct cor_record *record, const struct way *way,
                          struct world *world, uint32_t cases) {
    uint64_t start = 0;
    CHECK(cor_record_put(record, COR_VECTOR_WALK, NULL, 0, &start, &error));
    for (uint32_t c = 0; c < world->chains; c++) {
        struct profile *profile = &world->profile[world->of_chain[c]];
        uint32_t here = cor_rng_below(rng, profile->states);
        for (uint32_t i = 0; i <= cases; i++) {
            uint8_t byte = (uint8_t)here;
            CHECK(cor_record_put(record, COR_VECTOR_WALK, &byte, 1, NULL, &error));
            profile->visits[here]++;
            if (i == cases)
                break;
            uint32_t next = step(rng, way, profile, here);
            profile->taken[here][next]++;
            here = next;
        }
    }
    return start;
}

static void put_profile(struct cor_record *record, const struct profile *profile, uint16_t p) {
    struct cor_profile_row *head = row(record, COR_TABLE_PROFILES);
    head->profile = p;
    head->environment = (uint16_t)(p == 2 ? 1 : p); /* the third is of the second environment, too */
    head->states = (uint16_t)profile->states;
    for (uint32_t i = 0; i < profile->states; i++) {
        struct cor_visit_row *visit = row(record, COR_TABLE_VISITS);
        visit->profile = p;
        visit->state = (uint16_t)i;
        visit->count = profile->visits[i];
        for (uint32_t j = 0; j < profile->states; j++) {
            if (!(profile->arc[i][j] > 0) && profile->taken[i][j] == 0)
                continue;
            struct cor_transition_row *arc = row(record, COR_TABLE_TRANSITIONS);
            arc->profile = p;
            arc->from = (uint16_t)i;
            arc->to = (uint16_t)j;
            arc->probability = profile->arc[i][j];
            arc->count = profile->taken[i][j];
            head->arcs += profile->arc[i][j] > 0;
        }
    }
}

static void put_parameters(struct cor_rng *rng, struct cor_record *record, uint16_t arm) {
    for (uint16_t code = 0; code < 5; code++) {
        if (code == 3 && arm == 1)
            continue;
        struct cor_parameter_row *parameter = row(record, COR_TABLE_PARAMETERS);
        parameter->parameter = (uint16_t)(10 + code);
        parameter->value = code == 0   ? 7
                           : code == 1 ? cor_rng_below(rng, 3)
                           : code == 2 ? cor_rng_below(rng, 1000)
                                       : cor_rng_unit(rng) * power(10, code);
        if (code == 4 && cor_rng_below(rng, 5) == 0)
            parameter->value = NAN;
    }
}

static void put_counters(struct cor_rng *rng, struct cor_record *record, uint16_t arm) {
    for (uint16_t code = 0; code < 2; code++)
        for (uint16_t bucket = 0; bucket < 4 + code; bucket++) {
            struct cor_counter_row *counter = row(record, COR_TABLE_COUNTERS);
            counter->counter = (uint16_t)(code + (arm == 1));
            counter->bucket = bucket;
            counter->count = bucket == 2 ? 0 : cor_rng_below(rng, 4);
        }
}

static void put_quiet_case(struct cor_record *record, uint16_t sequence, uint32_t number) {
    struct cor_case_row *quiet = row(record, COR_TABLE_CASES);
    quiet->sequence = sequence;
    quiet->case_ = number;
    quiet->inside = COR_INSIDE_NOT_LOOKED;
    quiet->detect = quiet->gray = quiet->black = COR_VERDICT_NOT_JUDGED;
}

static void put_suite(struct cor_rng *rng, struct cor_record *record, const struct way *way, uint16_t arm,
                      struct world *world, bool profiles) {
    struct cor_suite_row *suite = row(record, COR_TABLE_SUITES);
    uint32_t sequences = cor_rng_below(rng, 8);
    make_world(rng, way, world, profiles);
    suite->sequences = sequences;
    suite->measure = COR_MEASURE_RANGE;
    suite->agents = suite->groups = 1 + cor_rng_below(rng, 40);
    for (uint32_t g = 0; g < suite->groups; g++) {
        struct cor_group_row *group = row(record, COR_TABLE_GROUPS);
        group->group = g;
        group->size = 1;
        ((struct cor_agent_row *)row(record, COR_TABLE_AGENTS))->agent = g;
    }
    suite->chains = world->chains;
    suite->threshold = cor_rng_unit(rng);
    for (uint32_t s = 0; s < sequences; s++) {
        uint32_t cases = cor_rng_below(rng, 5) == 0 ? cor_rng_below(rng, 4) : cor_rng_below(rng, 300);
        uint64_t start = put_walks(rng, record, way, world, cases);
        struct cor_sequence_row *sequence = row(record, COR_TABLE_SEQUENCES);
        sequence->sequence = (uint16_t)s;
        sequence->cases = sequence->executed = cases;
        sequence->walk_start = start;
        for (uint32_t i = 1; i <= cases; i++)
            put_quiet_case(record, (uint16_t)s, i);
    }
    for (uint32_t c = 0; c < world->chains; c++) {
        struct cor_chain_row *chain = row(record, COR_TABLE_CHAINS);
        chain->chain = c;
        chain->profile = world->of_chain[c];
    }
    for (uint32_t p = 0; p < world->profiles; p++)
        put_profile(record, &world->profile[p], (uint16_t)p);
    put_parameters(rng, record, arm);
    put_counters(rng, record, arm);
}

static void write_journal(uint64_t seed, const char *path) {
    static struct world world;
    struct cor_journal *journal;
    struct cor_record *record;
    remove(path);
    CHECK(cor_journal_create(path, &journal, &error));
    CHECK(cor_record_create(&cor_interaction_schema, &record, &error));
    for (uint16_t arm = 0; arm < ARMS; arm++)
        for (uint32_t s = 0; s < ways[arm].suites; s++) {
            struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){
                .seed = seed, .arm = arm + 1u, .suite = s, .purpose = COR_PURPOSE_TEST});
            cor_record_begin(record, arm, s);
            put_suite(&rng, record, &ways[arm], arm, &world, s == 0 || !ways[arm].fixed);
            CHECK(cor_journal_append(journal, record, &error));
        }
    cor_record_destroy(record);
    cor_journal_close(journal);
}

static void write_result(uint64_t seed, const char *journal, const char *path) {
    static const struct cor_catalog_entry parameters[] = {{10, "constant", ""},
                                                          {11, "few", ""},
                                                          {12, "many", ""},
                                                          {13, "real", ""},
                                                          {14, "at times undefined", ""}};
    static const struct cor_catalog_entry environments[] = {{0, "sky", ""}, {1, "sea", ""}};
    static const struct cor_catalog_entry counters[] = {{0, "split", ""}, {1, "join", ""}, {2, "swap", ""}};
    struct cor_catalog_entry arms[ARMS];
    for (uint16_t arm = 0; arm < ARMS; arm++)
        arms[arm] = (struct cor_catalog_entry){arm, ways[arm].name, ways[arm].description};
    /* Names of states are those of the experiment, and sky begins in the first; the second environment has no
     * profile of its own. */
    static const char experiment[] = "{\"model\":{\"environments\":{\"sky\":{\"profile\":{\"states\":"
                                     "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\",\"k\","
                                     "\"l\"],\"start\":\"a\"}},\"sea\":{\"random\":{}}}}}";
    struct cor_result_header header = {.layer = &cor_interaction_schema,
                                       .experiment = experiment,
                                       .provenance = "{}",
                                       .seed = seed,
                                       .complete = 1};
#define CATALOG(NAME, entries)                    \
    header.catalog[COR_CATALOG_##NAME] = entries; \
    header.catalog_size[COR_CATALOG_##NAME] = sizeof entries / sizeof *entries
    CATALOG(ARM, arms);
    CATALOG(PARAMETER, parameters);
    CATALOG(AGENT_TYPE, environments);
    CATALOG(ENVIRONMENT, environments);
    CATALOG(COUNTER, counters);
#undef CATALOG
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

static void write_sheet(const struct cor_sheets *sheets, const char *path) {
    const struct cor_sheet *sheet;
    for (size_t i = 0; (sheet = cor_sheets_at(sheets, i)) != NULL; i++)
        if (strstr(path, cor_sheet_definition(sheet)->id)) {
            FILE *file = create(path);
            CHECK(cor_sheet_csv(sheet, file, &error));
            fclose(file);
            return;
        }
    fprintf(stderr, "random_world: %s names no sheet\n", path);
    exit(1);
}

int main(int count, char **arguments) {
    if (count < 4)
        return 2;
    uint64_t seed = strtoull(arguments[1], NULL, 10);
    char journal[4096];
    struct cor_result *result;
    struct cor_sheets *sheets;
    const struct cor_view *view = cor_view_find("coverage");
    struct cor_view_findings findings;
    snprintf(journal, sizeof journal, "%s.journal", arguments[2]);
    write_journal(seed, journal);
    write_result(seed, journal, arguments[2]);
    CHECK(cor_result_open(arguments[2], &result, &error));
    const struct cor_view_request request = {.result = result, .suite = COR_ANY_SUITE};
    CHECK(cor_sheets_create(view->schema, view->version, &sheets, &error));
    CHECK(view->make(&request, sheets, &findings, &error));
    FILE *json = create(arguments[3]), *text = tmpfile();
    CHECK(cor_sheets_json(sheets, json, &error));
    CHECK(cor_sheets_text(sheets, &COR_STYLE_PLAIN, text, &error));
    fclose(json);
    fclose(text);
    for (int i = 4; i < count; i++)
        write_sheet(sheets, arguments[i]);
    cor_sheets_destroy(sheets);
    cor_result_close(result);
    return 0;
}
