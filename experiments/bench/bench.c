/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Benchmarks: each row measures something and, where there is a yardstick, the yardstick in the same run. CPU
 * time of this process, medians of interleaved repeats: machines are shared and noisy. Prints a table and
 * writes JSON.
 *
 *   bench [SOURCE_DIRECTORY [JSON_FILE]] */
#include <corridor/array.h>
#include <corridor/campaign.h>
#include <corridor/run.h>
#include <corridor/suite.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define REPEATS 7

/* --------------------------------------------------------------------------------------- clock */

static double cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

/* What is measured: does some work and says how much of it; the unit of work is the row's. */
typedef double measured(void *context);

/* Median seconds for a unit of work of `one` and, interleaved with it, of `other` (may be NULL). */
static void measure(measured *one, measured *other, void *context, double *seconds, double *reference) {
    double times[REPEATS], others[REPEATS];
    for (size_t i = 0; i < REPEATS; i++) {
        double begin = cpu_seconds();
        double work = one(context);
        double middle = cpu_seconds();
        times[i] = (middle - begin) / work;
        if (!other)
            continue;
        work = other(context);
        others[i] = (cpu_seconds() - middle) / work;
    }
    *seconds = median(times, REPEATS);
    *reference = other ? median(others, REPEATS) : 0;
}

/* ---------------------------------------------------------------------------------------- rows */

struct report {
    struct cor_json_writer *json;
};

/* A row: `value` in `unit`; `reference` 0 = none. */
static void put_row(struct report *report, const char *name, double value, const char *unit, double reference,
                    const char *yardstick) {
    char ratio[64] = "";
    if (reference > 0)
        snprintf(ratio, sizeof ratio, "%10.4g  x%.2f %s", reference, reference / value, yardstick);
    printf("%-52s %10.4g %-14s %s\n", name, value, unit, ratio);
    cor_json_open_object(report->json, NULL);
    cor_json_put_string(report->json, "name", name);
    cor_json_put_real(report->json, "value", value);
    cor_json_put_string(report->json, "unit", unit);
    if (reference > 0) {
        cor_json_put_real(report->json, "reference", reference);
        cor_json_put_real(report->json, "ratio", reference / value);
        cor_json_put_string(report->json, "yardstick", yardstick);
    }
    cor_json_close(report->json);
}

/* Ends the benchmark on an error of the testbed. */
static void must(enum cor_status status, const struct cor_error *error) {
    if (status == COR_OK)
        return;
    char text[sizeof *error + 8];
    cor_error_text(error, text, sizeof text);
    fprintf(stderr, "bench: %s\n", text);
    exit(1);
}

/* --------------------------------------------------------------------------------------- walks */

#define WALK_CHAINS 32
#define WALK_CASES 20000

struct walks {
    struct cor_profile *profile;
    const struct cor_profile *profiles[1];
    uint16_t profile_of_chain[WALK_CHAINS];
    struct cor_walk walk;
    gsl_rng *rng;
    gsl_ran_discrete_t *rows[COR_PROFILE_STATES_MAX];
    uint32_t sink;
};

static double walk_ours(void *context) {
    struct walks *w = context;
    struct cor_error error = COR_NO_ERROR;
    struct cor_stream_name name = {.seed = 1, .purpose = COR_PURPOSE_TEST};
    must(cor_walk_generate(w->profiles, w->profile_of_chain, WALK_CHAINS, WALK_CASES, COR_SOURCE_PROFILE,
                           &name, &w->walk, &error),
         &error);
    return (double)WALK_CHAINS * WALK_CASES;
}

static double walk_gsl(void *context) {
    struct walks *w = context;
    size_t state = 0;
    for (uint32_t i = 0; i < WALK_CHAINS * WALK_CASES; i++)
        state = gsl_ran_discrete(w->rng, w->rows[state]);
    w->sink += (uint32_t)state;
    return (double)WALK_CHAINS * WALK_CASES;
}

static void bench_walks(struct report *report) {
    struct cor_error error = COR_NO_ERROR;
    struct walks w = {.rng = gsl_rng_alloc(gsl_rng_taus2)};
    struct cor_profile_law law = {.states = 15, .degree_min = 0.5, .power = 7, .ring = 0.15};
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    must(cor_profile_random(&law, "bench", &rng, &w.profile, &error), &error);
    w.profiles[0] = w.profile;
    for (uint32_t s = 0; s < law.states; s++)
        w.rows[s] = gsl_ran_discrete_preproc(law.states, w.profile->probability + (size_t)s * law.states);
    double ours, gsl;
    measure(walk_ours, walk_gsl, &w, &ours, &gsl);
    put_row(report, "transition of an environment chain", 1e9 * ours, "ns", 1e9 * gsl,
            "gsl_ran_discrete, taus2");
    for (uint32_t s = 0; s < law.states; s++)
        gsl_ran_discrete_free(w.rows[s]);
    gsl_rng_free(w.rng);
    cor_walk_fini(&w.walk);
    cor_profile_destroy(w.profile);
}

/* -------------------------------------------------------------------------------------------------- one
 * whole suite */

struct suite_bench {
    struct cor_suite *suite;
    struct cor_session *session;
    struct cor_record *record;
    struct cor_walk walk;
    double *value;
    uint64_t reorganizations, spent, messages;
};

static struct cor_execution execution_of(const struct suite_bench *b) {
    const struct cor_suite *suite = b->suite;
    return (struct cor_execution){
        .name = suite->name,
        .configuration = suite->configuration,
        .profiles = (const struct cor_profile *const *)suite->profiles,
        .environment_of_profile = suite->environment_of_profile,
        .sequence_count = suite->experiment->sequence_count,
        .session = b->session,
        .algorithm = suite->arm->algorithm,
        .parameters = suite->algorithm_parameters,
        .budget = suite->budget,
        .pilot_rate = suite->pilot_rate,
    };
}

static double run_suite(void *context) {
    struct suite_bench *b = context;
    struct cor_error error = COR_NO_ERROR;
    struct cor_execution execution = execution_of(b);
    struct cor_runner *runner;
    double cases = 0;
    must(cor_runner_create(&execution, b->record, &runner, &error), &error);
    for (uint32_t s = 0; s < b->suite->experiment->sequence_count; s++) {
        must(cor_suite_walk(b->suite, s, &b->walk, &error), &error);
        must(cor_run_sequence(runner, s, &b->walk, &error), &error);
        cases += b->walk.case_count;
    }
    must(cor_runner_finish(runner, &error), &error);
    cor_runner_destroy(runner);
    b->reorganizations = cor_record_size(b->record, COR_TABLE_REORGANIZATIONS);
    b->spent = b->messages = 0;
    for (size_t i = 0; i < b->reorganizations; i++) {
        const struct cor_reorganization_row *row = cor_record_at(b->record, COR_TABLE_REORGANIZATIONS, i);
        b->spent += row->spent;
        b->messages += row->messages;
    }
    return cases;
}

/* The least that a case can cost: every value goes a share of its way, and the sums of partitions follow. */
static double plain_loop(void *context) {
    struct suite_bench *b = context;
    const struct cor_configuration *c = b->suite->configuration;
    double cases = 0, sums[1024] = {0};
    for (uint32_t s = 0; s < b->suite->experiment->sequence_count; s++) {
        for (uint32_t i = 0; i < b->suite->case_counts[s]; i++) {
            for (uint32_t a = 0; a < c->agent_count; a++) {
                double change = c->inertia[a] * (0.5 + 0.001 * (i & 15) - b->value[a]);
                b->value[a] += change;
                sums[c->initial_partition[a] & 1023] += change;
            }
        }
        cases += b->suite->case_counts[s];
    }
    b->value[0] += 1e-300 * sums[0];
    return cases;
}

static void open_suite(struct suite_bench *b, const struct cor_experiment *experiment, uint32_t arm) {
    struct cor_error error = COR_NO_ERROR;
    *b = (struct suite_bench){0};
    must(cor_suite_generate(experiment, arm, 0, &b->suite, &error), &error);
    must(cor_session_create(&b->suite->arm->session, &b->session, &error), &error);
    must(cor_record_create(&b->record, &error), &error);
    b->value = cor_calloc(b->suite->configuration->agent_count, sizeof *b->value);
    if (!b->value)
        must(cor_fail_memory(&error), &error);
}

static void close_suite(struct suite_bench *b) {
    cor_walk_fini(&b->walk);
    cor_record_destroy(b->record);
    cor_session_destroy(b->session);
    cor_suite_destroy(b->suite);
    free(b->value);
}

static void bench_arm(struct report *report, const struct cor_experiment *experiment, uint32_t arm) {
    struct suite_bench b;
    double ours, plain;
    char name[128];
    open_suite(&b, experiment, arm);
    const char *algorithm = b.suite->arm->name;
    measure(run_suite, plain_loop, &b, &ours, &plain);
    double cases = 0;
    for (uint32_t s = 0; s < experiment->sequence_count; s++)
        cases += b.suite->case_counts[s];
    snprintf(name, sizeof name, "%s: CPU of a case, 500 agents, %.0f %% reorganize", algorithm,
             100 * (double)b.reorganizations / cases);
    put_row(report, name, 1e6 * ours, "us", 1e6 * plain, "plain loop over the columns");
    snprintf(name, sizeof name, "%s: cases a second", algorithm);
    put_row(report, name, 1 / ours, "1/s", 0, NULL);
    if (b.reorganizations > 0) {
        double seconds = (ours - plain) * cases;
        snprintf(name, sizeof name, "%s: reorganization, all around it included", algorithm);
        put_row(report, name, 1e6 * seconds / (double)b.reorganizations, "us", 0, NULL);
        if (b.messages > 0) {
            snprintf(name, sizeof name, "%s: message, the same", algorithm);
            put_row(report, name, 1e9 * seconds / (double)b.messages, "ns", 0, NULL);
        } else if (b.spent > b.reorganizations) {
            snprintf(name, sizeof name, "%s: moves a second, the same", algorithm);
            put_row(report, name, (double)b.spent / seconds / 1e6, "million/s", 0, NULL);
        }
    }
    close_suite(&b);
}

/* ---------------------------------------------------------------------------------- parameters */

static double draw_parameters(void *context) {
    const struct cor_experiment *experiment = context;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_parameter_laws *laws = experiment->arms[0].laws;
    int64_t integers[256];
    double reals[256];
    struct cor_draw draw;
    enum { DRAWS = 2000 };
    for (uint32_t i = 0; i < DRAWS; i++) {
        struct cor_rng rng = cor_rng_named(
            &(struct cor_stream_name){.seed = 1, .suite = i, .purpose = COR_PURPOSE_CONFIGURATION});
        must(cor_parameter_laws_draw(laws, &rng, integers, reals, &draw, &error), &error);
    }
    return DRAWS;
}

static struct cor_experiment *read_experiment(const char *folder, const char *file) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_experiment *experiment = NULL;
    char *path = cor_format("%s/%s", folder, file);
    must(path ? cor_experiment_read(path, &experiment, &error) : cor_fail_memory(&error), &error);
    free(path);
    return experiment;
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : ".";
    const char *output = argc > 2 ? argv[2] : "build/bench.json";
    struct cor_error error = COR_NO_ERROR;
    struct report report;
    must(cor_json_writer_create(&report.json, &error), &error);
    cor_json_open_object(report.json, NULL);
    cor_json_open_array(report.json, "rows");
    printf("%-52s %10s %-14s %10s\n", "what", "value", "unit", "yardstick, in the same run");
    bench_walks(&report);
    struct cor_experiment *experiment = read_experiment(folder, "experiments/bench/bench.json");
    for (uint32_t arm = 0; arm < experiment->arm_count; arm++)
        bench_arm(&report, experiment, arm);
    cor_experiment_destroy(experiment);
    experiment = read_experiment(folder, "experiments/paper.json");
    double draw, none;
    measure(draw_parameters, NULL, experiment, &draw, &none);
    put_row(&report, "parameters of a suite, the paper's law", 1e6 * draw, "us", 0, NULL);
    cor_experiment_destroy(experiment);
    cor_json_close(report.json);
    cor_json_close(report.json);
    char *text = cor_json_writer_text(report.json, 1, &error);
    FILE *file = text ? fopen(output, "w") : NULL;
    if (!file || fputs(text, file) == EOF || fclose(file) != 0)
        perror("bench: cannot write the JSON");
    free(text);
    cor_json_writer_destroy(report.json);
    return 0;
}
