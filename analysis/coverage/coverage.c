/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The main flow: suite after suite, rows of six tables and the walks, added up into arms. */
#include "walks.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/coverage.h>
#include <corridor/descriptive.h>
#include <corridor/state_names.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums behind a point of a curve; shares are 0 .. 1. */
struct point_sum {
    uint64_t n, n_arcs, n_mass, n_expected;
    double states, arcs, mass;
    double expected_states, expected_arcs, observed_states, observed_arcs;
};

/* An environment of an arm while suites are added. */
struct sums {
    struct cor_environment_coverage shown; /* first, so that a pointer to it is one to this */
    struct coverage__law law;              /* the one profile, as long as shown.fixed */
    uint32_t *length;    /* owned, as in struct coverage__walked, while fixed; NULL = not available */
    uint64_t suites;     /* that have it */
    uint32_t last_suite; /* number of the last suite that had it, from 1 */
    double law_sum, good_turing_sum; /* of sites */
    uint64_t law_n, good_turing_n;
    double rate_law, rate_good_turing, chains; /* sums over suites */
    double distinct_drawn;                     /* different transitions, summed over suites */
    struct point_sum cases[COVERAGE__POINTS], sequences[COVERAGE__POINTS];
    double drawn[COR_COVERAGE_POINTS_MAX]; /* distinct_drawn at each point of shown.suites */
};

/* What is behind an environment of an arm. */
static struct sums *behind(struct cor_environment_coverage *shown) {
    return (struct sums *)shown;
}

/* The arm with that code, NULL if it is not looked at. arm[0] is all of them. */
static struct cor_arm_coverage *find_arm(const struct cor_coverage *coverage, uint16_t code) {
    for (size_t a = 1; a < coverage->arm_count; a++)
        if (coverage->arm[a].code == code)
            return &coverage->arm[a];
    return NULL;
}

/* Whether a suite is looked at. */
static bool is_wanted(const struct cor_coverage *coverage, const struct cor_suite_row *suite) {
    return (coverage->suite < 0 || coverage->suite == (int64_t)suite->suite) &&
           find_arm(coverage, suite->arm);
}

/* ---- suites added up into arms and environments */

static bool missed_matters(const struct cor_environment_coverage *environment, double expected);
static void missed_put(struct cor_environment_coverage *environment, const struct cor_missed *missed);

#define BUCKETS_MAX 65536 /* of an arm, over all probes */

static enum cor_status count(struct cor_arm_coverage *arm, const struct cor_result_header *head,
                             const struct cor_counter_row *row, struct cor_error *error) {
    /* The place of a bucket of a probe in the list, in ascending order: where it is or would be. */
    size_t i = 0, high = arm->probe_count;
    while (i < high) {
        size_t middle = (i + high) / 2;
        const struct cor_probe_coverage *probe = &arm->probe[middle];
        if (probe->code < row->counter || (probe->code == row->counter && probe->bucket < row->bucket))
            i = middle + 1;
        else
            high = middle;
    }
    if (i == arm->probe_count || arm->probe[i].code != row->counter || arm->probe[i].bucket != row->bucket) {
        const struct cor_catalog_entry *entry = NULL;
        for (size_t j = 0; j < head->catalog_size[COR_CATALOG_COUNTER] && !entry; j++)
            if (head->catalog[COR_CATALOG_COUNTER][j].code == row->counter)
                entry = &head->catalog[COR_CATALOG_COUNTER][j];
        COR_ASSERT(entry); /* whoever reads rows holds their codes against the catalogs */
        if (arm->probe_count == BUCKETS_MAX)
            return cor_damaged(error, COR_TABLE_COUNTERS,
                               "arm %u, suite %" PRIu32 ": probe %u: more buckets than a program has",
                               row->arm, row->suite, row->counter);
        /* Makes room for a bucket at place `i`. */
        COR_TRY(COR_RESERVE(&arm->probe, &arm->probe_capacity, arm->probe_count + 1, error));
        memmove(&arm->probe[i + 1], &arm->probe[i], (arm->probe_count - i) * sizeof *arm->probe);
        arm->probe_count++;
        arm->probe[i] = (struct cor_probe_coverage){.name = entry->name,
                                                    .description = entry->description,
                                                    .code = row->counter,
                                                    .bucket = row->bucket};
    }
    arm->probe[i].count += row->count;
    arm->probe[i].suites += row->count > 0;
    return COR_OK;
}

static const struct cor_reading probes_reading = {COR_TABLE_COUNTERS,
                                                  (const char *const[]){"counter", "bucket", "count", NULL}};

static enum cor_status add_probes(struct cor_coverage *coverage, const struct cor_suite_rows *suite,
                                  struct cor_error *error) {
    const struct cor_counter_row *row = suite->table[COR_TABLE_COUNTERS].row;
    struct cor_arm_coverage *arm = find_arm(coverage, suite->row.arm);
    for (size_t i = 0; i < suite->table[COR_TABLE_COUNTERS].count; i++) {
        COR_TRY(count(&coverage->arm[0], coverage->head, &row[i], error));
        COR_TRY(count(arm, coverage->head, &row[i], error));
    }
    return COR_OK;
}

/* ---- drawn parameters */

#define KEPT 4096 /* values of a parameter, for its median: a power of two */

/* Columns of table suites that are part of a configuration and no parameter. */
#define SUITE_COLUMNS(X) X(groups) X(chains) X(sequences) X(threshold)
enum suite_column {
#define COLUMN(name) COLUMN_##name,
    SUITE_COLUMNS(COLUMN)
#undef COLUMN
        COLUMN_COUNT
};
static const char *const suite_columns[] = {
#define COLUMN(name) #name,
    SUITE_COLUMNS(COLUMN)
#undef COLUMN
        NULL,
};

/* A parameter while values are added. */
struct parameter {
    struct cor_parameter_coverage shown;
    double *kept; /* owned; every `stride`-th value */
    size_t kept_count;
    uint64_t stride;
    int32_t main; /* number among the main ones, -1 = none */
    double value; /* in the present suite; NaN if it has none */
    bool given;   /* it has one */
};

/* The parameters of an arm. */
struct space {
    struct parameter *parameter; /* owned */
    size_t count;                /* suite columns, then the catalog */
    uint32_t main_count;
    uint32_t drawn[COR_COVERAGE_MAIN_MAX][COR_COVERAGE_MAIN_MAX]; /* a bit a cell */
};

static void space_fini(struct space *space) {
    for (size_t i = 0; i < space->count && space->parameter; i++)
        free(space->parameter[i].kept);
    free(space->parameter);
}

static void put(struct parameter *parameter, double value) {
    parameter->value = value;
    parameter->given = true;
}

/* Equal parts of the range seen; one a whole number if there are fewer. */
static uint32_t parts(const struct cor_parameter_coverage *shown, uint32_t most) {
    double range = shown->max - shown->min;
    if (shown->n == 0)
        return 0;
    return shown->whole && range < most ? (uint32_t)range + 1 : range > 0 ? most : 1;
}

static uint32_t place(const struct cor_parameter_coverage *shown, double value, uint32_t count) {
    bool each = shown->whole && shown->max - shown->min < count;
    /* Halves, as the difference of two finite numbers need not be finite. */
    double part =
        each ? value - shown->min : (value / 2 - shown->min / 2) / (shown->max / 2 - shown->min / 2) * count;
    return part >= count ? count - 1 : part > 0 ? (uint32_t)part : 0;
}

/* The parameters that take part in pairs. */
static void list_main(const struct space *space, const struct parameter *main[COR_COVERAGE_MAIN_MAX]) {
    for (size_t i = 0; i < space->count; i++)
        if (space->parameter[i].main >= 0)
            main[space->parameter[i].main] = &space->parameter[i];
}

/* Hands the parameters that the arm has over to it. */
static enum cor_status give(struct space *space, struct cor_arm_coverage *arm, struct cor_error *error) {
    const struct parameter *main[COR_COVERAGE_MAIN_MAX];
    COR_TRY(cor_made(arm->parameter = cor_calloc(space->count, sizeof *arm->parameter), error));
    list_main(space, main);
    for (size_t i = 0; i < space->count; i++) {
        const struct cor_parameter_coverage *shown = &space->parameter[i].shown;
        if (shown->n + shown->undefined > 0)
            arm->parameter[arm->parameter_count++] = *shown;
    }
    for (uint32_t a = 0; a < space->main_count; a++)
        for (uint32_t b = a + 1; b < space->main_count; b++) {
            arm->parameter_pairs++;
            arm->cells += (uint64_t)main[a]->shown.grid * main[b]->shown.grid;
            uint32_t word = space->drawn[a][b];
            uint32_t count = 0;
            for (; word; word &= word - 1)
                count++;
            arm->cells_drawn += count;
        }
    return COR_OK;
}

/* The number of a parameter by its code, `count` if the catalog lacks it. */
static size_t index_of(const struct space *space, uint16_t code) {
    size_t i = COLUMN_COUNT;
    while (i < space->count && space->parameter[i].shown.code != code)
        i++;
    return i;
}

/* The values of a suite. */
static void take(struct space *space, const struct cor_suite_rows *suite) {
    const struct cor_parameter_row *row = suite->table[COR_TABLE_PARAMETERS].row;
    for (size_t i = 0; i < space->count; i++) {
        space->parameter[i].value = NAN;
        space->parameter[i].given = false;
    }
#define COLUMN(name) put(&space->parameter[COLUMN_##name], (double)suite->row.name);
    SUITE_COLUMNS(COLUMN)
#undef COLUMN
    for (size_t i = 0; i < suite->table[COR_TABLE_PARAMETERS].count; i++) {
        size_t index = index_of(space, row[i].parameter);
        COR_ASSERT(index < space->count); /* whoever reads rows holds their codes against the catalogs */
        put(&space->parameter[index], row[i].value);
    }
}

/* What is done with each suite of an arm: ranges first, then what lies where in them. */
typedef enum cor_status take_suite(struct space *space, const struct cor_suite_rows *suite,
                                   struct cor_error *error);

static enum cor_status see_all(struct space *space, const struct cor_suite_rows *suite,
                               struct cor_error *error) {
    take(space, suite);
    for (size_t i = 0; i < space->count; i++)
        if (space->parameter[i].given) {
            const double value = space->parameter[i].value;
            struct cor_parameter_coverage *shown = &space->parameter[i].shown;
            if (!isfinite(value)) {
                shown->undefined++;
                continue;
            }
            shown->n++;
            shown->min = shown->n == 1 || value < shown->min ? value : shown->min;
            shown->max = shown->n == 1 || value > shown->max ? value : shown->max;
            shown->whole = shown->whole && value == floor(value);
            /* Every value up to KEPT, then every second, every fourth, ... */
            struct parameter *parameter = &space->parameter[i];
            if (!parameter->kept)
                COR_TRY(cor_made(parameter->kept = cor_calloc(KEPT, sizeof *parameter->kept), error));
            if ((parameter->shown.n - 1) % parameter->stride != 0)
                continue;
            if (parameter->kept_count == KEPT) {
                for (size_t j = 0; j < KEPT / 2; j++)
                    parameter->kept[j] = parameter->kept[2 * j];
                parameter->kept_count = KEPT / 2;
                parameter->stride *= 2;
            }
            parameter->kept[parameter->kept_count++] = value;
        }
    return COR_OK;
}

static enum cor_status place_all(struct space *space, const struct cor_suite_rows *suite,
                                 struct cor_error *error) {
    (void)error;
    take(space, suite);
    const struct parameter *main[COR_COVERAGE_MAIN_MAX];
    list_main(space, main);
    for (size_t i = 0; i < space->count; i++) {
        struct parameter *parameter = &space->parameter[i];
        struct cor_parameter_coverage *shown = &parameter->shown;
        if (isfinite(parameter->value))
            shown->bin[shown->bins > 1 ? place(shown, parameter->value, shown->bins) : 0]++;
    }
    for (uint32_t a = 0; a < space->main_count; a++)
        for (uint32_t b = a + 1; b < space->main_count; b++) {
            /* The cell of the grid in which two parameters lie in this suite. */
            const struct parameter *one = main[a];
            const struct parameter *other = main[b];
            uint32_t *drawn = &space->drawn[a][b];
            if (isfinite(one->value) && isfinite(other->value))
                *drawn |= 1u << (place(&one->shown, one->value, one->shown.grid) * COR_COVERAGE_GRID +
                                 place(&other->shown, other->value, other->shown.grid));
        }
    return COR_OK;
}

static enum cor_status go_through(struct cor_coverage *coverage, struct cor_result *result,
                                  struct space *space, take_suite *take_one, struct cor_error *error) {
    static const char *const columns[] = {"parameter", "value", NULL};
    const struct cor_reading reading = {COR_TABLE_PARAMETERS, columns};
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    COR_TRY(cor_suite_reader_create(result, &reading, 1, &reader, error));
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        if (!is_wanted(coverage, &suite->row))
            continue;
        COR_TRY(take_one(&space[0], suite, error));
        COR_TRY(take_one(&space[find_arm(coverage, suite->row.arm) - coverage->arm], suite, error));
    }
    return COR_OK;
}

/* Fills the parameters of all arms of `coverage`: goes through the suites twice, for ranges and then for what
 * lies where in them. */
static enum cor_status find_parameters(struct cor_result *result, struct cor_coverage *coverage,
                                       struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct space *space = cor_calloc(coverage->arm_count, sizeof *space);
    COR_TRY(cor_made(space, error));
    for (size_t a = 0; a < coverage->arm_count; a++) {
        size_t listed = coverage->head->catalog_size[COR_CATALOG_PARAMETER];
        space[a].count = COLUMN_COUNT + listed;
        space[a].parameter = cor_calloc(space[a].count, sizeof *space[a].parameter);
        if (!space[a].parameter)
            COR_TRY_OUT(cor_fail_memory(error));
        for (size_t i = 0; i < space[a].count; i++) {
            struct parameter *parameter = &space[a].parameter[i];
            bool of_suite = i < COLUMN_COUNT;
            const struct cor_catalog_entry *entry =
                of_suite ? NULL : &coverage->head->catalog[COR_CATALOG_PARAMETER][i - COLUMN_COUNT];
            parameter->stride = 1;
            parameter->main = -1;
            parameter->value = NAN;
            parameter->shown =
                (struct cor_parameter_coverage){.name = of_suite ? suite_columns[i] : entry->name,
                                                .of_suite = of_suite,
                                                .code = of_suite ? 0 : entry->code,
                                                .whole = true,
                                                .min = NAN,
                                                .median = NAN,
                                                .max = NAN};
        }
    }
    COR_TRY_OUT(go_through(coverage, result, space, see_all, error));
    for (size_t a = 0; a < coverage->arm_count; a++) {
        for (size_t i = 0; i < space[a].count; i++) {
            struct parameter *parameter = &space[a].parameter[i];
            struct cor_parameter_coverage *shown = &parameter->shown;
            /* NaN if nothing was kept, which is given back. */
            size_t n = parameter->kept_count;
            double median = NAN;
            if (n > 0) {
                cor_sort(parameter->kept, n);
                median = parameter->kept[n / 2];
                if (n % 2 == 0)
                    median = median / 2 + parameter->kept[n / 2 - 1] / 2;
            }
            free(parameter->kept);
            parameter->kept = NULL;
            shown->median = median;
            shown->bins = parts(shown, COR_COVERAGE_BINS);
            shown->grid = parts(shown, COR_COVERAGE_GRID);
            shown->main = shown->bins > 1 && space[a].main_count < COR_COVERAGE_MAIN_MAX;
            if (shown->main)
                parameter->main = (int32_t)space[a].main_count++;
        }
    }
    COR_TRY_OUT(go_through(coverage, result, space, place_all, error));
    for (size_t a = 0; a < coverage->arm_count; a++)
        COR_TRY_OUT(give(&space[a], &coverage->arm[a], error));
out:
    for (size_t a = 0; a < coverage->arm_count; a++)
        space_fini(&space[a]);
    free(space);
    return status;
}

/* ---- sums */

/* The environment `code` of an arm, NULL if no suite had it. */
static struct sums *find_sums(const struct cor_arm_coverage *arm, uint16_t code) {
    for (size_t i = 1; i < arm->environment_count; i++)
        if (arm->environment[i]->code == code)
            return behind(arm->environment[i]);
    return NULL;
}

static void forget_law(struct sums *sums) {
    coverage__law_fini(&sums->law);
    free(sums->length);
    sums->length = NULL;
}

static const char *name_of(const struct cor_result_header *head, uint16_t code) {
    for (size_t i = 0; i < head->catalog_size[COR_CATALOG_ENVIRONMENT]; i++)
        if (head->catalog[COR_CATALOG_ENVIRONMENT][i].code == code)
            return head->catalog[COR_CATALOG_ENVIRONMENT][i].name;
    return "?";
}

/* A new environment, in its place by code; the first one is that of all. */
static enum cor_status add_environment(struct cor_arm_coverage *arm, const char *name, uint16_t code,
                                       struct sums **made, struct cor_error *error) {
    struct cor_environment_coverage **list =
        cor_calloc(arm->environment_count + 1, sizeof(struct cor_environment_coverage *));
    struct sums *sums = *made = cor_calloc(1, sizeof *sums);
    if (!sums || !list) {
        COR_FREE(list, sums);
        return cor_fail_memory(error);
    }
    sums->shown.name = name;
    sums->shown.code = code;
    sums->shown.fixed = sums->shown.lawful = true;
    size_t place = arm->environment_count > 0 ? 1 : 0;
    while (place < arm->environment_count && arm->environment[place]->code < code)
        place++;
    for (size_t i = 0; i <= arm->environment_count; i++)
        list[i] = i < place ? arm->environment[i] : i == place ? &sums->shown : arm->environment[i - 1];
    free(arm->environment);
    arm->environment = list;
    arm->environment_count++;
    return COR_OK;
}

/* `count` units that saw `seen` in sum. What was visited can be reached, so reachable ones seen are all seen.
 */
static void add_level(struct cor_covered *covered, const struct coverage__law *law,
                      const struct coverage__tally *seen, uint64_t count, double reachable_states,
                      double reachable_arcs) {
    struct {
        double seen, possible;
    } measure[COR_COVERED_COUNT] = {
        [COR_COVERED_STATES] = {seen->states, law->states},
        [COR_COVERED_ARCS] = {seen->arcs, law->arcs},
        [COR_COVERED_REACHABLE_STATES] = {seen->states, reachable_states},
        [COR_COVERED_REACHABLE_ARCS] = {seen->arcs, reachable_arcs},
        [COR_COVERED_LIKELY_STATES] = {seen->likely_states, law->likely_states},
        [COR_COVERED_LIKELY_ARCS] = {seen->likely_arcs, law->likely_arcs},
        [COR_COVERED_STATE_MASS] = {seen->state_mass, law->sound},
        [COR_COVERED_ARC_MASS] = {seen->arc_mass, law->sound},
    };
    for (int m = 0; m < COR_COVERED_COUNT; m++)
        coverage__covered_add(&covered[m], measure[m].seen, measure[m].possible, count);
}

static double share(double seen, double possible) {
    return possible > 0 ? seen / possible : 0;
}

static void add_points(struct sums *sums, const struct coverage__walked *walked,
                       const struct coverage__expectation *expectation) {
    const struct coverage__law *law = &walked->law;
    for (size_t k = 0; k < COVERAGE__POINTS && walked->point_count[k] > 0; k++) {
        const struct coverage__tally *seen = &walked->point_sum[k];
        struct point_sum *sum = &sums->cases[k];
        uint64_t n = walked->point_count[k];
        sum->n += n;
        sum->n_arcs += law->arcs > 0 ? n : 0;
        sum->n_mass += law->sound ? n : 0;
        sum->states += share(seen->states, law->states);
        sum->arcs += share(seen->arcs, law->arcs);
        sum->mass += seen->arc_mass;
        if (k >= expectation->done)
            continue;
        sum->n_expected += n;
        sum->observed_states += share(seen->states, law->states);
        sum->observed_arcs += share(seen->arcs, law->arcs);
        for (size_t i = k * law->states; i < (k + 1) * law->states; i++) {
            sum->expected_states +=
                (double)walked->point_first[i] * share(expectation->states[i], law->states);
            sum->expected_arcs += (double)walked->point_first[i] * share(expectation->arcs[i], law->arcs);
        }
    }
}

static void add_walked(struct sums *sums, const struct coverage__walks *walks,
                       const struct coverage__walked *walked,
                       const struct coverage__expectation *expectation) {
    struct cor_environment_coverage *shown = &sums->shown;
    const struct coverage__law *law = &walked->law;
    const struct coverage__open *open = &walked->open;
    shown->lawful = shown->lawful && law->sound;
    shown->profiles++;
    shown->walks += walked->walks;
    shown->steps += walked->steps;
    shown->steps_outside += walked->steps_outside;
    add_level(shown->covered[COR_COVERAGE_CHAIN], law, &walked->chain_sum, walked->chain_count, open->states,
              open->arcs);
    add_level(shown->covered[COR_COVERAGE_SEQUENCE], law, &walked->sequence_sum, walked->sequence_count,
              open->states, open->arcs);
    add_level(shown->covered[COR_COVERAGE_SUITE], law, &open->seen, 1, open->states, open->arcs);
    add_points(sums, walked, expectation);
    const uint32_t sequences = walks->sequences;
    for (size_t k = 0; k < COVERAGE__POINTS && coverage__points[k] <= sequences; k++) {
        struct point_sum *sum = &sums->sequences[k];
        sum->n++;
        sum->n_arcs += law->arcs > 0;
        sum->n_mass += law->sound;
        sum->states += share(walked->after[k].states, law->states);
        sum->arcs += share(walked->after[k].arcs, law->arcs);
        sum->mass += walked->after[k].arc_mass;
    }
    double chains = (double)walked->chains, estimate = open->good_turing;
    sums->chains += chains;
    if (walked->law.sound) {
        sums->law_n++;
        sums->law_sum += open->mass;
        sums->rate_law += chains * open->mass;
    }
    if (!isnan(estimate)) {
        sums->good_turing_n++;
        sums->good_turing_sum += estimate;
        sums->rate_good_turing += chains * estimate;
        sums->shown.suite.chao += open->chao;
    }
    sums->shown.suite.n++;
    sums->shown.suite.unseen += open->unseen;
    sums->shown.suite.unseen_likely += open->unseen_likely;
    sums->shown.suite.once += open->once;
    sums->distinct_drawn += open->seen.arcs;
}

/* What the suite did not take of a profile that may be its own. */
static enum cor_status miss_in_suite(struct sums *sums, const struct coverage__walked *walked,
                                     const struct cor_suite_row *suite, uint16_t profile,
                                     struct cor_error *error) {
    const struct coverage__law *law = &walked->law;
    for (uint32_t i = 0; i < law->states; i++)
        for (uint32_t j = 0; j < law->states; j++) {
            double expected = (double)walked->steps * coverage__law_mass(law, i, j);
            if (walked->taken[(size_t)i * law->states + j] > 0 || !missed_matters(&sums->shown, expected))
                continue;
            struct cor_missed missed = {.arm = suite->arm,
                                        .environment = walked->environment,
                                        .profile = profile,
                                        .suite = suite->suite,
                                        .from = (uint16_t)i,
                                        .to = (uint16_t)j,
                                        .probability = law->arc[(size_t)i * law->states + j],
                                        .expected = expected};
            /* The chance to miss a transition, worked out once for its arm and for all of them. */
            double *known = &walked->missed[(size_t)i * walked->law.states + j];
            if (isnan(*known))
                COR_TRY(coverage__missed_chance(&walked->law, walked->length, i, j, known, error));
            missed.chance = *known;
            missed_put(&sums->shown, &missed);
        }
    return COR_OK;
}

/* A point of the curve over the campaign, as if the profile stays the same in all suites; taken back at the
 * end if it does not. */
static void note_suites(struct sums *sums, uint64_t suites) {
    struct cor_coverage_curve *curve = &sums->shown.suites;
    if (curve->count > 0 && curve->point[curve->count - 1].at == suites)
        return;
    if (curve->count == COR_COVERAGE_POINTS_MAX)
        return;
    struct cor_coverage_point *point = &curve->point[curve->count];
    *point = (struct cor_coverage_point){.at = suites, .n = 1};
    point->states = point->arcs = point->arc_mass = point->distinct = NAN;
    sums->drawn[curve->count++] = sums->distinct_drawn;
    if (!sums->law.arc)
        return;
    const struct coverage__law *law = &sums->law;
    size_t n = law->states;
    double states = 0, arcs = 0, mass = 0;
    for (size_t i = 0; i < n; i++)
        states += sums->shown.visits[i] > 0;
    for (size_t c = 0; c < n * n; c++)
        if (sums->shown.taken[c] > 0 && law->arc[c] > 0) {
            arcs++;
            mass += law->share[c / n] * law->arc[c];
        }
    point->states = 100 * states / (double)n;
    point->arcs = law->arcs > 0 ? 100 * arcs / law->arcs : NAN;
    point->arc_mass = law->sound ? 100 * mass : NAN;
    point->distinct = arcs;
}

static bool is_point(uint64_t number) {
    for (size_t k = 0; k < COVERAGE__POINTS; k++)
        if (coverage__points[k] == number)
            return true;
    return false;
}

/* A profile of the suite is added to its environment and to all of them. */
static enum cor_status add_profile(struct cor_arm_coverage *arm, const struct coverage__walks *walks,
                                   uint16_t profile, const struct cor_suite_row *suite,
                                   const struct coverage__expectation *expectation,
                                   const struct cor_result_header *head, struct cor_error *error) {
    const struct coverage__walked *walked = &walks->profile[profile];
    struct sums *sums = find_sums(arm, walked->environment);
    if (!sums)
        COR_TRY(add_environment(arm, name_of(head, walked->environment), walked->environment, &sums, error));
    /* Is it still the same profile in all suites? Its walks' lengths count for the whole campaign then. */
    if (sums->shown.fixed) {
        if (!sums->law.arc) {
            const struct coverage__law *law = &walked->law;
            size_t k = law->states;
            COR_TRY(coverage__law_init(&sums->law, law->states, error));
            memcpy(sums->law.arc, law->arc, k * k * sizeof *law->arc);
            memcpy(sums->law.start, law->start, k * sizeof *law->start);
            if (walked->length) {
                sums->length = cor_calloc(k * COVERAGE__LENGTHS, sizeof *sums->length);
                COR_TRY(cor_made(sums->length, error));
            }
            COR_TRY(coverage__law_solve(&sums->law, error));
        }
        if (!coverage__law_equal(&sums->law, &walked->law)) {
            sums->shown.fixed = false;
            forget_law(sums);
        } else if (sums->length && walked->length) {
            for (size_t i = 0; i < (size_t)sums->law.states * COVERAGE__LENGTHS; i++)
                sums->length[i] += walked->length[i];
        }
    }
    uint32_t n = walked->law.states;
    /* Makes the counts by number of state as large as the largest profile needs. */
    if (n > sums->shown.states) {
        uint64_t *visits = cor_calloc(n, sizeof *visits);
        uint64_t *taken = cor_calloc((size_t)n * n, sizeof *taken);
        if (!visits || !taken) {
            COR_FREE(visits, taken);
            return cor_fail_memory(error);
        }
        for (uint32_t k = 0; k < sums->shown.states; k++) {
            visits[k] = sums->shown.visits[k];
            memcpy(taken + (size_t)k * n, sums->shown.taken + (size_t)k * sums->shown.states,
                   sums->shown.states * sizeof *taken);
        }
        COR_FREE(sums->shown.visits, sums->shown.taken);
        sums->shown.visits = visits;
        sums->shown.taken = taken;
        sums->shown.states = n;
    }
    for (uint32_t i = 0; i < n; i++) {
        sums->shown.visits[i] += walked->visits[i];
        for (uint32_t j = 0; j < n; j++)
            sums->shown.taken[(size_t)i * sums->shown.states + j] += walked->taken[(size_t)i * n + j];
    }
    if (arm->by_profile)
        COR_TRY(miss_in_suite(sums, walked, suite, profile, error));
    struct sums *const both[] = {sums, behind(arm->environment[0])};
    for (int i = 0; i < 2; i++) {
        add_walked(both[i], walks, walked, expectation);
        const uint64_t number = arm->suites;
        if (both[i]->last_suite == (uint32_t)number)
            continue;
        both[i]->last_suite = (uint32_t)number;
        both[i]->suites++;
    }
    return COR_OK;
}

/* Adds the suite that was walked to an arm. `expectation` has one for each profile. */
static enum cor_status add_suite(struct cor_arm_coverage *arm, const struct coverage__walks *walks,
                                 const struct cor_suite_row *suite,
                                 const struct coverage__expectation *expectation,
                                 const struct cor_result_header *head, struct cor_error *error) {
    struct sums *all;
    if (arm->environment_count == 0)
        COR_TRY(add_environment(arm, "all", 0, &all, error));
    arm->suites++;
    arm->chains += walks->chain_count;
    arm->cases += walks->cases;
    arm->sequences += walks->sequences;
    coverage__pairs_merge(&arm->pairs, &walks->pairs.found);
    for (size_t p = 0; p < walks->profile_count; p++)
        if (walks->profile[p].walks > 0)
            COR_TRY(add_profile(arm, walks, (uint16_t)p, suite, &expectation[p], head, error));
    for (size_t i = 1; i < arm->environment_count && is_point(arm->suites); i++)
        note_suites(behind(arm->environment[i]), arm->suites);
    return COR_OK;
}

/* ---- figures of the sums over suites */

struct named {
    const char *id, *meaning;
};

#define NAMED(NAME, id, meaning) {id, meaning},
static const struct named measures[] = {COR_COVERED(NAMED)};
static const struct named levels[] = {COR_COVERAGE_LEVELS(NAMED)};
#undef NAMED

const char *cor_covered_id(enum cor_covered_measure measure) {
    COR_ASSERT(measure < COR_COVERED_COUNT);
    return measures[measure].id;
}

const char *cor_covered_meaning(enum cor_covered_measure measure) {
    COR_ASSERT(measure < COR_COVERED_COUNT);
    return measures[measure].meaning;
}

const char *cor_coverage_level_id(enum cor_coverage_level level) {
    COR_ASSERT(level < COR_COVERAGE_LEVEL_COUNT);
    return levels[level].id;
}

double cor_covered_percent(const struct cor_covered *covered) {
    return covered->n > 0 ? 100 * covered->share_sum / (double)covered->n : NAN;
}

static double mean(double sum, uint64_t n) {
    return n > 0 ? sum / (double)n : NAN;
}

static double wait(double rate) {
    return rate > 0 ? 1 / rate : NAN;
}

static void make_curve(struct cor_coverage_curve *curve, const struct point_sum *sums) {
    for (size_t k = 0; k < COVERAGE__POINTS && sums[k].n > 0; k++) {
        const struct point_sum *sum = &sums[k];
        curve->point[curve->count++] = (struct cor_coverage_point){
            .at = coverage__points[k],
            .n = sum->n,
            .states = 100 * mean(sum->states, sum->n),
            .arcs = 100 * mean(sum->arcs, sum->n_arcs),
            .arc_mass = 100 * mean(sum->mass, sum->n_mass),
            .distinct = NAN,
            .expected_n = sum->n_expected,
            .expected_states = 100 * mean(sum->expected_states, sum->n_expected),
            .expected_arcs = 100 * mean(sum->expected_arcs, sum->n_expected),
            .observed_states = 100 * mean(sum->observed_states, sum->n_expected),
            .observed_arcs = 100 * mean(sum->observed_arcs, sum->n_expected),
        };
    }
}

/* A profile that was the same in all suites, and its walks as one. */
static enum cor_status end_fixed(struct sums *sums, const struct cor_arm_coverage *arm,
                                 struct cor_error *error) {
    const struct coverage__law *law = &sums->law;
    struct cor_environment_coverage *shown = &sums->shown;
    struct cor_unseen *unseen = &shown->campaign;
    struct coverage__open open;
    COR_TRY(coverage__find_open(law, shown->visits, shown->taken, &open, error));
    add_level(shown->covered[COR_COVERAGE_CAMPAIGN], law, &open.seen, 1, open.states, open.arcs);
    double chains = mean(sums->chains, sums->suites);
    unseen->n = 1;
    unseen->law = law->sound ? open.mass : NAN;
    unseen->good_turing = open.good_turing;
    unseen->chao = open.chao;
    unseen->rate_law = arm->by_profile ? chains * unseen->law : NAN;
    unseen->rate_good_turing = chains * unseen->good_turing;
    unseen->cases_law = wait(unseen->rate_law);
    unseen->cases_good_turing = wait(unseen->rate_good_turing);
    unseen->unseen = open.unseen;
    unseen->unseen_likely = open.unseen_likely;
    unseen->once = open.once;
    shown->missed_count = 0; /* those of single suites */
    for (uint32_t i = 0; i < law->states && arm->by_profile; i++)
        for (uint32_t j = 0; j < law->states; j++) {
            struct cor_missed missed = {.arm = arm->code,
                                        .environment = shown->code,
                                        .suite = -1,
                                        .from = (uint16_t)i,
                                        .to = (uint16_t)j,
                                        .probability = law->arc[(size_t)i * law->states + j],
                                        .expected = (double)shown->steps * coverage__law_mass(law, i, j),
                                        .chance = NAN};
            if (shown->taken[(size_t)i * law->states + j] == 0)
                missed_put(shown, &missed);
        }
    for (size_t m = 0; m < shown->missed_count; m++)
        COR_TRY(coverage__missed_chance(law, sums->length, shown->missed[m].from, shown->missed[m].to,
                                        &shown->missed[m].chance, error));
    shown->probability = law->arc; /* given away */
    shown->share = law->share;
    sums->law.arc = sums->law.share = NULL;
    return COR_OK;
}

static void no_campaign(struct cor_unseen *unseen) {
    *unseen = (struct cor_unseen){0};
    unseen->law = unseen->good_turing = unseen->chao = NAN;
    unseen->rate_law = unseen->rate_good_turing = NAN;
    unseen->cases_law = unseen->cases_good_turing = NAN;
}

static void forget_expected(struct cor_coverage_curve *curve) {
    for (size_t k = 0; k < curve->count; k++) {
        struct cor_coverage_point *point = &curve->point[k];
        point->expected_n = 0;
        point->expected_states = point->expected_arcs = NAN;
        point->observed_states = point->observed_arcs = NAN;
    }
}

/* The curve over the campaign of all environments: sums of what is different, means of shares. An environment
 * that came later counts from then on. */
static void end_all_suites(const struct cor_arm_coverage *arm, struct cor_environment_coverage *all) {
    struct cor_coverage_curve *curve = &all->suites;
    for (size_t i = 1; i < arm->environment_count; i++)
        for (size_t k = 0; k < arm->environment[i]->suites.count; k++) {
            const struct cor_coverage_point *point = &arm->environment[i]->suites.point[k];
            size_t place = 0;
            while (place < curve->count && curve->point[place].at < point->at)
                place++;
            if (place == curve->count || curve->point[place].at != point->at) {
                memmove(&curve->point[place + 1], &curve->point[place],
                        (curve->count - place) * sizeof *curve->point);
                curve->point[place] = (struct cor_coverage_point){.at = point->at};
                curve->count++;
            }
            struct cor_coverage_point *sum = &curve->point[place];
            sum->n++;
            sum->states += point->states;
            sum->arcs += point->arcs;
            sum->arc_mass += point->arc_mass;
            sum->distinct += point->distinct;
        }
    for (size_t k = 0; k < curve->count; k++) {
        struct cor_coverage_point *point = &curve->point[k];
        point->states = mean(point->states, point->n);
        point->arcs = mean(point->arcs, point->n);
        point->arc_mass = mean(point->arc_mass, point->n);
    }
}

/* Makes figures of sums, once all suites are in. */
static enum cor_status make_figures(struct cor_arm_coverage *arm, struct cor_error *error) {
    if (arm->environment_count == 0)
        return COR_OK;
    struct cor_environment_coverage *all = arm->environment[0];
    for (size_t i = 0; i < arm->environment_count; i++) {
        struct sums *sums = behind(arm->environment[i]);
        make_curve(&sums->shown.cases, sums->cases);
        make_curve(&sums->shown.sequences, sums->sequences);
        forget_expected(&sums->shown.sequences);
        struct cor_unseen *unseen = &sums->shown.suite;
        unseen->law = mean(sums->law_sum, sums->law_n);
        unseen->good_turing = mean(sums->good_turing_sum, sums->good_turing_n);
        unseen->rate_law = sums->law_n > 0 && sums->shown.lawful && arm->by_profile
                               ? mean(sums->rate_law, sums->suites)
                               : NAN;
        unseen->chao = sums->good_turing_n > 0 ? unseen->chao : NAN;
        unseen->rate_good_turing = sums->good_turing_n > 0 ? mean(sums->rate_good_turing, sums->suites) : NAN;
        unseen->cases_law = wait(unseen->rate_law);
        unseen->cases_good_turing = wait(unseen->rate_good_turing);
        if (i == 0)
            continue;
        note_suites(sums, arm->suites);
        forget_expected(&sums->shown.suites);
        if (sums->shown.fixed) {
            COR_TRY(end_fixed(sums, arm, error));
        } else {
            /* Profiles drawn for each suite have nothing in common but their environment. */
            no_campaign(&sums->shown.campaign);
            for (size_t k = 0; k < sums->shown.suites.count; k++) {
                struct cor_coverage_point *point = &sums->shown.suites.point[k];
                point->states = point->arcs = point->arc_mass = NAN;
                point->distinct = sums->drawn[k];
            }
        }
        all->fixed = all->fixed && sums->shown.fixed;
        for (size_t m = 0; m < sums->shown.missed_count; m++)
            missed_put(all, &sums->shown.missed[m]);
    }
    end_all_suites(arm, all);
    forget_expected(&all->suites);
    if (all->fixed && arm->environment_count > 1) {
        /* Environments that are the same in all suites as one: means over them. */
        struct cor_unseen *sum = &all->campaign;
        sum->rate_law = sum->rate_good_turing = sum->law = sum->good_turing = sum->chao = 0;
        for (size_t i = 1; i < arm->environment_count; i++) {
            const struct cor_environment_coverage *environment = arm->environment[i];
            double of_suites = (double)behind(arm->environment[i])->suites / (double)behind(all)->suites;
            for (int m = 0; m < COR_COVERED_COUNT; m++)
                coverage__covered_merge(&all->covered[COR_COVERAGE_CAMPAIGN][m],
                                        &environment->covered[COR_COVERAGE_CAMPAIGN][m]);
            sum->n++;
            sum->law += environment->campaign.law;
            sum->good_turing += environment->campaign.good_turing;
            sum->rate_law += of_suites * environment->campaign.rate_law;
            sum->rate_good_turing += of_suites * environment->campaign.rate_good_turing;
            sum->chao += environment->campaign.chao;
            sum->unseen += environment->campaign.unseen;
            sum->unseen_likely += environment->campaign.unseen_likely;
            sum->once += environment->campaign.once;
        }
        sum->law = mean(sum->law, sum->n);
        sum->good_turing = mean(sum->good_turing, sum->n);
        sum->cases_law = wait(sum->rate_law);
        sum->cases_good_turing = wait(sum->rate_good_turing);
    } else
        no_campaign(&all->campaign);
    return COR_OK;
}

/* ---- what was never taken: how much of it, and what was to be expected of it */

enum cor_status coverage__find_open(const struct coverage__law *law, const uint64_t *visits,
                                    const uint64_t *taken, struct coverage__open *open,
                                    struct cor_error *error) {
    uint32_t n = law->states;
    uint8_t *reached = cor_calloc(n, 1);
    *open = (struct coverage__open){0};
    COR_TRY(cor_made(reached, error));
    for (uint32_t i = 0; i < n; i++)
        reached[i] = visits[i] > 0;
    enum cor_status status = coverage__law_reach(law, reached, error);
    for (uint32_t i = 0; i < n; i++) {
        open->states += reached[i];
        open->seen.states += visits[i] > 0;
        open->seen.likely_states += visits[i] > 0 && law->likely_state[i];
        open->seen.state_mass += visits[i] > 0 ? law->share[i] : 0;
        for (uint32_t j = 0; j < n; j++) {
            size_t cell = (size_t)i * n + j;
            if (!(law->arc[cell] > 0))
                continue;
            open->arcs += reached[i];
            if (taken[cell] > 0) {
                open->seen.arcs++;
                open->seen.likely_arcs += law->likely_arc[cell];
                open->seen.arc_mass += coverage__law_mass(law, i, j);
            } else {
                open->mass += coverage__law_mass(law, i, j);
                open->unseen += reached[i];
                open->unseen_likely += law->likely_arc[cell];
            }
        }
    }
    free(reached);
    struct cor_unseen_counts counts = cor_unseen_count(taken, (size_t)n * n);
    open->once = counts.once;
    open->good_turing = cor_missing_mass(&counts);
    open->chao = cor_chao(&counts) - (double)counts.classes;
    return status;
}

/* Whether it would be kept. */
static bool missed_matters(const struct cor_environment_coverage *environment, double expected) {
    return expected > 0 && (environment->missed_count < COR_COVERAGE_MISSED_MAX ||
                            expected > environment->missed[environment->missed_count - 1].expected);
}

/* Keeps what was missed in `from` if it belongs to the most that is kept: descending by what was expected. */
static void missed_put(struct cor_environment_coverage *environment, const struct cor_missed *missed) {
    if (!missed_matters(environment, missed->expected))
        return;
    size_t i = environment->missed_count < COR_COVERAGE_MISSED_MAX ? environment->missed_count++
                                                                   : environment->missed_count - 1;
    for (; i > 0 && environment->missed[i - 1].expected < missed->expected; i--)
        environment->missed[i] = environment->missed[i - 1];
    environment->missed[i] = *missed;
}

/* The longest walk, as a bucket; and whether there is one. */
static bool longest(const struct coverage__law *law, const uint32_t *length, uint32_t *bucket) {
    for (uint32_t b = COVERAGE__LENGTHS; b-- > 0;)
        for (uint32_t s = 0; s < law->states; s++)
            if (length[s * COVERAGE__LENGTHS + b] > 0) {
                *bucket = b;
                return true;
            }
    return false;
}

#define STEPS_MAX (1u << 20) /* of the longest walk for which the chance is computed */

enum cor_status coverage__missed_chance(const struct coverage__law *law, const uint32_t *length,
                                        uint32_t from, uint32_t to, double *chance, struct cor_error *error) {
    uint32_t last = 0;
    *chance = NAN;
    if (!length || !longest(law, length, &last) || coverage__bucket_length(last) > STEPS_MAX)
        return COR_OK;
    struct coverage__miss miss;
    COR_TRY(coverage__miss_init(&miss, law, error));
    coverage__miss_begin(&miss, from, to);
    /* The sum over walks of the logarithm of the chance that one misses it. */
    double sum = 0;
    uint32_t steps = 0;
    for (uint32_t b = 0; b <= last; b++) {
        for (; steps < coverage__bucket_length(b); steps++)
            coverage__miss_step(&miss);
        for (uint32_t s = 0; s < miss.law->states; s++)
            if (length[s * COVERAGE__LENGTHS + b] > 0)
                sum += length[s * COVERAGE__LENGTHS + b] * log(miss.now[s]);
    }
    *chance = exp(sum);
    coverage__miss_fini(&miss);
    return COR_OK;
}

uint32_t coverage__bucket_length(uint32_t bucket) {
    return bucket < 128 ? bucket : (32 + (bucket - 128) % 32) << ((bucket - 128) / 32 + 2);
}

/* ---- the main flow */

/* The walks of all suites, and how often probes were reached. */
static enum cor_status read_walks(struct cor_coverage *coverage, struct cor_suite_reader *reader,
                                  struct coverage__walks *walks, struct coverage__expectations *expectations,
                                  struct cor_error *error) {
    const struct cor_suite_rows *suite;
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            return COR_OK;
        if (!is_wanted(coverage, &suite->row))
            continue;
        struct cor_arm_coverage *arm = find_arm(coverage, suite->row.arm);
        COR_TRY(coverage__walks_read(walks, suite, error));
        COR_TRY(coverage__expect(expectations, walks, arm->by_profile, arm->suites, error));
        COR_TRY(add_suite(&coverage->arm[0], walks, &suite->row, expectations->of_profile, coverage->head,
                          error));
        COR_TRY(add_suite(arm, walks, &suite->row, expectations->of_profile, coverage->head, error));
        COR_TRY(add_probes(coverage, suite, error));
    }
}

static enum cor_status read_all(struct cor_coverage *coverage, struct cor_result *result,
                                struct cor_error *error) {
    struct cor_reading readings[COVERAGE__WALKS_READINGS + 1];
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    COR_FINISHED(coverage__walks) struct coverage__walks walks = {0};
    COR_FINISHED(coverage__expectations)
    struct coverage__expectations expectations = {
        .stride = coverage__expectation_stride(
            coverage->suite >= 0 ? 0 : cor_result_size(result, COR_TABLE_PROFILES))};
    memcpy(readings, coverage__walks_readings, sizeof coverage__walks_readings);
    readings[COVERAGE__WALKS_READINGS] = probes_reading;
    COR_TRY(cor_suite_reader_create(result, readings, COVERAGE__WALKS_READINGS + 1, &reader, error));
    COR_TRY(coverage__walks_init(&walks, result, error));
    return read_walks(coverage, reader, &walks, &expectations, error);
}

static enum cor_status name_states(struct cor_environment_coverage *environment,
                                   const struct cor_state_names *words, struct cor_error *error) {
    if (!environment->fixed || !cor_is_profile_given(words, environment->code))
        return COR_OK;
    COR_TRY(cor_made(environment->state_name = cor_calloc(environment->states, sizeof(char *)), error));
    for (uint32_t i = 0; i < environment->states; i++) {
        char word[COR_STATE_NAME];
        cor_state_name(words, environment->code, i, word);
        COR_TRY(cor_made(environment->state_name[i] = cor_strdup(word), error));
    }
    return COR_OK;
}

enum cor_status cor_coverage_create(struct cor_result *result, const struct cor_coverage_options *options,
                                    struct cor_coverage **coverage, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_coverage *made = *coverage = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->head = cor_result_head(result);
    made->suite = options->suite;
    const struct cor_result_header *head = made->head;
    size_t listed = cor_arm_count(head), chosen = 0;
    if (options->arm)
        COR_TRY_OUT(cor_arm_find(head, "--arm", options->arm, &chosen, error));
    made->arm = cor_calloc(listed + 1, sizeof *made->arm);
    if (!made->arm)
        COR_TRY_OUT(cor_fail_memory(error));
    struct cor_arm_coverage *all = &made->arm[made->arm_count++];
    *all = (struct cor_arm_coverage){.name = "all", .code = UINT16_MAX, .by_profile = true};
    for (size_t i = options->arm ? chosen : 0; i < (options->arm ? chosen + 1 : listed); i++) {
        const struct cor_catalog_entry *entry = cor_arm_entry(head, i);
        struct cor_arm_coverage *arm = &made->arm[made->arm_count++];
        char *source; /* of walks; NULL: a file of old, whose walks follow profiles */
        COR_TRY_OUT(cor_text_under(entry->description, "environment", &source, error));
        *arm = (struct cor_arm_coverage){.name = entry->name,
                                         .code = entry->code,
                                         .by_profile = !source || strcmp(source, "profile") == 0};
        free(source);
        all->by_profile = all->by_profile && arm->by_profile;
    }
    COR_TRY_OUT(read_all(made, result, error));
    char place[64];
    if (made->suite >= 0 && made->arm[0].suites == 0) {
        snprintf(place, sizeof place, "suite %" PRId64, made->suite);
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, place, "suites are numbered from 0 within each arm",
                             "no arm that is looked at has such a suite"));
    }
    for (size_t a = 0; a < made->arm_count; a++)
        COR_TRY_OUT(make_figures(&made->arm[a], error));
    struct cor_state_names words;
    cor_state_names_init(&words, result);
    for (size_t a = 0; a < made->arm_count; a++)
        for (size_t i = 1; i < made->arm[a].environment_count && status == COR_OK; i++)
            status = name_states(made->arm[a].environment[i], &words, error);
    cor_state_names_fini(&words);
    if (status != COR_OK)
        goto out;
    COR_TRY_OUT(find_parameters(result, made, error));
out:
    if (status != COR_OK) {
        cor_coverage_destroy(made);
        *coverage = NULL;
    }
    return status;
}

void cor_coverage_destroy(struct cor_coverage *coverage) {
    if (!coverage)
        return;
    for (size_t a = 0; a < coverage->arm_count; a++) {
        struct cor_arm_coverage *arm = &coverage->arm[a];
        for (size_t i = 0; i < arm->environment_count; i++) {
            struct sums *sums = behind(arm->environment[i]);
            if (!sums)
                continue;
            forget_law(sums);
            COR_FREE(sums->shown.visits, sums->shown.taken, sums->shown.probability, sums->shown.share);
            for (uint32_t j = 0; j < sums->shown.states && sums->shown.state_name; j++)
                free(sums->shown.state_name[j]);
            COR_FREE(sums->shown.state_name, sums);
        }
        COR_FREE(arm->environment, coverage->arm[a].parameter, coverage->arm[a].probe);
    }
    COR_FREE(coverage->arm, coverage);
}

/* ---- failing environment */

/* The laws of the suite's profiles, and the walk of a sequence; memory serves one suite after the other. */
struct laws {
    struct cor_chain_walk *chain; /* owned; [chain of the suite] */
    double *arc;                  /* owned; profile after profile, states x states each */
    size_t *start;                /* owned; [profile] where it begins in `arc` */
    size_t chain_capacity, arc_capacity, start_capacity;
    struct cor_sequence_walk walk;
};

/* The first item of that arm and suite; the list is in the order of both. */
static size_t first_of(const struct cor_failing_list *list, const struct cor_suite_rows *suite) {
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct cor_failure_key *key = &list->items[middle].key;
        if (key->arm < suite->arm || (key->arm == suite->arm && key->suite < suite->row.suite))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum cor_status cor_failing_environment(struct cor_result *result, const struct cor_failing_list *list,
                                        struct cor_likelihood *likelihood, struct cor_error *error) {
    static const struct cor_reading readings[] = {{COR_TABLE_CHAINS, NULL},
                                                  {COR_TABLE_PROFILES, NULL},
                                                  {COR_TABLE_TRANSITIONS, NULL},
                                                  {COR_TABLE_SEQUENCES, NULL}};
    struct cor_suite_reader *reader = NULL;
    struct laws laws = {0};
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    COR_TRY(cor_suite_reader_create(result, readings, sizeof readings / sizeof *readings, &reader, error));
    for (size_t left = list->count; left > 0;) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        size_t i = first_of(list, suite);
        if (i == list->count || list->items[i].key.arm != suite->arm ||
            list->items[i].key.suite != suite->row.suite)
            continue;
        COR_TRY_OUT(cor_suite_check(suite, result, error));
        COR_TRY_OUT(cor_environment_check(suite, error));
        const struct cor_profile_row *profile = suite->table[COR_TABLE_PROFILES].row;
        const struct cor_transition_row *arc = suite->table[COR_TABLE_TRANSITIONS].row;
        const struct cor_chain_row *chain = suite->table[COR_TABLE_CHAINS].row;
        const size_t profiles = suite->table[COR_TABLE_PROFILES].count;
        size_t cells = 0;
        COR_TRY_OUT(COR_RESERVE(&laws.start, &laws.start_capacity, profiles + 1, error));
        for (size_t p = 0; p < profiles; p++) {
            laws.start[p] = cells;
            cells += (size_t)profile[p].states * profile[p].states;
        }
        COR_TRY_OUT(COR_RESERVE(&laws.arc, &laws.arc_capacity, cells + 1, error));
        for (size_t cell = 0; cell < cells; cell++)
            laws.arc[cell] = 0;
        for (size_t j = 0; j < suite->table[COR_TABLE_TRANSITIONS].count; j++)
            laws.arc[laws.start[arc[j].profile] + (size_t)arc[j].from * profile[arc[j].profile].states +
                     arc[j].to] = arc[j].probability;
        COR_TRY_OUT(COR_RESERVE(&laws.chain, &laws.chain_capacity, (size_t)suite->row.chains + 1, error));
        for (uint32_t c = 0; c < suite->row.chains; c++)
            laws.chain[c] = (struct cor_chain_walk){.states = profile[chain[c].profile].states,
                                                    .transition = laws.arc + laws.start[chain[c].profile]};
        for (; i < list->count && list->items[i].key.arm == suite->arm &&
               list->items[i].key.suite == suite->row.suite;
             i++, left--) {
            const struct cor_failing *failing = &list->items[i];
            COR_TRY_OUT(cor_sequence_walk_read(&laws.walk, suite, failing->key.sequence, result, error));
            for (uint32_t c = 0; c < suite->row.chains; c++)
                laws.chain[c].walk = laws.walk.states + c * laws.walk.length;
            const uint32_t steps =
                failing->key.case_ < laws.walk.length ? failing->key.case_ : (uint32_t)laws.walk.length - 1;
            const struct cor_stream_name name = {.seed = cor_result_head(result)->seed,
                                                 .identity = failing->key.case_,
                                                 .arm = 1 + (uint32_t)suite->arm,
                                                 .suite = suite->row.suite,
                                                 .sequence = failing->key.sequence,
                                                 .purpose = COR_PURPOSE_LIKELIHOOD};
            struct cor_rng rng = cor_rng_named(&name);
            COR_TRY_OUT(
                cor_walks_likelihood(laws.chain, suite->row.chains, steps, &rng, &likelihood[i], error));
        }
    }
out:
    cor_sequence_walk_fini(&laws.walk);
    COR_FREE(laws.chain, laws.arc, laws.start);
    cor_suite_reader_destroy(reader);
    return status;
}

const char *cor_rarity_text(const struct cor_likelihood *likelihood, char text[COR_RARITY_TEXT]) {
    if (!(likelihood->bits < INFINITY))
        snprintf(text, COR_RARITY_TEXT, "never");
    else if (likelihood->rarer >= COR_ORDINARY_SHARE)
        snprintf(text, COR_RARITY_TEXT, "ordinary");
    else
        snprintf(text, COR_RARITY_TEXT, "1 in %.0f", 1 / likelihood->rarer);
    return text;
}
