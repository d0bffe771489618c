/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The price of a case: everything around an algorithm that costs next to nothing. The yardstick is a loop in
 * plain C that does with the same columns what perceiving and watching the invariant cannot do without.
 *
 * And what writing down costs: bytes in the result file for each case, walks included and solutions not; and
 * the time of it all (rows and walk into the record, record into the journal, journals merged into the file
 * and read back), as a share of the framework's price. System time counts there, in all three. */
#include "setting.h"

#include <corridor/array.h>
#include <corridor/child.h>
#include <corridor/record.h>
#include <corridor/result.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUITES = 10, MERGES = 5 };

/* bench_usual with the algorithm `random`, ten sequences each; and the journal the suites go into. */
struct logged {
    struct cor_experiment *experiment;
    struct bench_suite suite[SUITES];
    struct cor_journal *journal;
};

static void open_scale(struct logged *logged, const struct bench_places *places, const char *journal,
                       struct bench_scale scale) {
    struct cor_error error = COR_NO_ERROR;
    char *path = bench_path(places, journal);
    scale.suites = SUITES;
    scale.sequences = 10;
    logged->experiment = bench_scale_read(places, &scale);
    bench_must(cor_journal_create(path, &logged->journal, &error), &error);
    for (uint32_t s = 0; s < SUITES; s++)
        bench_suite_open(&logged->suite[s], logged->experiment, 0, s);
    free(path);
}

static void open_logged(struct logged *logged, const struct bench_places *places, const char *journal,
                        const char *attributes, const char *corridor) {
    struct bench_scale scale = bench_usual(bench_random);
    scale.attributes = attributes;
    scale.corridor = corridor;
    open_scale(logged, places, journal, scale);
}

static void close_logged(struct logged *logged) {
    cor_journal_close(logged->journal);
    for (uint32_t s = 0; s < SUITES; s++)
        bench_suite_close(&logged->suite[s]);
    cor_experiment_destroy(logged->experiment);
}

/* Runs each suite, from its walks into the journal; returns the cases. */
static double run_logged(void *context) {
    struct logged *logged = context;
    struct cor_error error = COR_NO_ERROR;
    double cases = 0;
    for (uint32_t s = 0; s < SUITES; s++) {
        cases += bench_suite_run(&logged->suite[s]);
        bench_must(cor_journal_append(logged->journal, logged->suite[s].record, &error), &error);
    }
    return cases;
}

enum { AGENTS = 500 };

struct framework {
    struct logged logged; /* first: what is measured */
    uint8_t state[AGENTS];
    double value[AGENTS], sum[AGENTS]; /* sum, size: [partition] */
    uint32_t size[AGENTS];
    uint32_t alarms;
};

/* The same, and the change of the sum of all values: a chain of additions, each of which waits for the one
 * before. */
static double change(struct framework *f, const struct cor_configuration *c, const struct cor_effect *effect,
                     uint8_t environment, uint32_t first, uint32_t end) {
    const uint8_t *next = effect->next + (size_t)effect->relevant[environment] * effect->state_count;
    const double *level = effect->level, *inertia = c->inertia;
    const uint32_t *partition = c->initial_partition;
    uint8_t *state = f->state;
    double *value = f->value, *sum = f->sum, total = 0;
    for (uint32_t agent = first; agent < end; agent++) {
        state[agent] = next[state[agent]];
        double step = inertia[agent] * (level[state[agent]] - value[agent]);
        value[agent] += step;
        sum[partition[agent]] += step;
        total += step;
    }
    return total;
}

static double plain_suite(struct framework *f, const struct bench_suite *b, bool keep_total) {
    const struct cor_configuration *c = b->suite->configuration;
    double cases = 0, total = 0;
    for (uint32_t s = 0; s < b->suite->sequence_count; s++) {
        memcpy(f->state, c->initial_state, c->agent_count);
        memcpy(f->value, c->initial_value, c->agent_count * sizeof *f->value);
        memset(f->sum, 0, c->initial_partitions * sizeof *f->sum);
        memset(f->size, 0, c->initial_partitions * sizeof *f->size);
        for (uint32_t a = 0; a < c->agent_count; a++) {
            f->sum[c->initial_partition[a]] += c->initial_value[a];
            f->size[c->initial_partition[a]]++;
        }
        for (uint32_t i = 1; i <= b->walks[s].case_count; i++, cases++) {
            const uint8_t *environment = cor_walk_at(&b->walks[s], i);
            for (uint32_t g = 0; g < c->group_count; g++) {
                uint32_t first = c->group_start[g], chain = c->chain_of_group[g];
                const struct cor_effect *effect = cor_configuration_effect(c, c->type[first], chain);
                if (keep_total)
                    total += change(f, c, effect, environment[chain], first, c->group_start[g + 1]);
                else {
                    /* Agents of one group: state, value, and the sum of the agent's partition. */
                    const uint8_t *next =
                        effect->next + (size_t)effect->relevant[environment[chain]] * effect->state_count;
                    const double *level = effect->level, *inertia = c->inertia;
                    const uint32_t *partition = c->initial_partition;
                    uint8_t *state = f->state;
                    double *value = f->value, *sum = f->sum;
                    for (uint32_t agent = first; agent < c->group_start[g + 1]; agent++) {
                        state[agent] = next[state[agent]];
                        double step = inertia[agent] * (level[state[agent]] - value[agent]);
                        value[agent] += step;
                        sum[partition[agent]] += step;
                    }
                }
            }
            double low = INFINITY, high = -INFINITY;
            for (uint32_t p = 0; p < c->initial_partitions; p++) {
                double mean = f->sum[p] / f->size[p];
                low = mean < low ? mean : low;
                high = mean > high ? mean : high;
            }
            f->alarms += high - low > c->threshold;
        }
    }
    f->alarms += total > 1e300; /* the total is looked at, so nothing of the loop can be left out */
    return cases;
}

static double plain_loop(void *context) {
    struct framework *f = context;
    double cases = 0;
    for (uint32_t s = 0; s < SUITES; s++)
        cases += plain_suite(f, &f->logged.suite[s], true);
    return cases;
}

static double plain_loop_without_total(void *context) {
    struct framework *f = context;
    double cases = 0;
    for (uint32_t s = 0; s < SUITES; s++)
        cases += plain_suite(f, &f->logged.suite[s], false);
    return cases;
}

void bench_framework(const struct bench_places *places, struct bench_figure *figures) {
    static struct framework f;
    double cases = 0, reorganizations = 0;
    open_logged(&f.logged, places, "framework.journal", NULL, NULL);
    COR_ASSERT(f.logged.suite[0].suite->configuration->agent_count <= AGENTS);
    struct bench_times times = bench_measure(run_logged, plain_loop, &f, bench_careful);
    for (uint32_t s = 0; s < SUITES; s++) {
        cases += (double)cor_record_size(f.logged.suite[s].record, COR_TABLE_CASES);
        reorganizations += (double)cor_record_size(f.logged.suite[s].record, COR_TABLE_REORGANIZATIONS);
    }
    figures[0] = (struct bench_figure){1e6 * times.seconds, 1e6 * times.reference, ""};
    snprintf(figures[0].note, sizeof figures[0].note,
             "500 agents, ten suites, %.1f %% of the cases reorganize", 100 * reorganizations / cases);
    times = bench_measure(run_logged, plain_loop_without_total, &f, bench_careful);
    figures[1] = (struct bench_figure){1e6 * times.seconds, 1e6 * times.reference, ""};
    close_logged(&f.logged);
}

/* One attribute; and five, of which two are drawn once and the others go with states and each other. */
static const char one_attribute[] =
    "\"capacity\": {\"real\": [0, 500], \"unit\": \"kW\", \"draw\": [100, 300]}";
static const char five_attributes[] =
    "\"capacity\": {\"real\": [0, 500], \"unit\": \"kW\", \"draw\": [100, 300]}, "
    "\"tool\": {\"words\": [\"none\", \"crane\", \"drill\"], \"draw\": [\"none\", \"crane\"]}, "
    "\"load\": {\"real\": [0, 500], \"unit\": \"kW\", \"level\": [10, 90]}, "
    "\"spare\": {\"real\": true, \"unit\": \"kW\", \"is\": \"capacity - load\"}, "
    "\"lifts\": {\"boolean\": true, \"is\": \"tool = 'crane' and spare > 100\"}";

struct with_attributes {
    struct logged none, some;
};

static double run_none(void *context) {
    return run_logged(&((struct with_attributes *)context)->none);
}

static double run_some(void *context) {
    return run_logged(&((struct with_attributes *)context)->some);
}

void bench_attributes(const struct bench_places *places, struct bench_figure *figures) {
    static struct with_attributes both;
    static const char *const attributes[] = {one_attribute, five_attributes};
    for (size_t i = 0; i < 2; i++) {
        open_logged(&both.none, places, "without.journal", NULL, NULL);
        open_logged(&both.some, places, "with.journal", attributes[i], NULL);
        const struct bench_times times = bench_measure(run_some, run_none, &both, bench_careful);
        figures[i] = (struct bench_figure){1e6 * times.seconds, 1e6 * times.reference, ""};
        close_logged(&both.some);
        close_logged(&both.none);
        for (size_t j = 0; j < 2; j++) {
            char *path = bench_path(places, j == 0 ? "without.journal" : "with.journal");
            remove(path);
            free(path);
        }
    }
    snprintf(figures[1].note, sizeof figures[1].note, "two drawn once, one by the state, two computed");
}

/* The built-in trigger, and the same as a text. */
struct by_text {
    struct logged text, built_in;
};

static double run_text(void *context) {
    return run_logged(&((struct by_text *)context)->text);
}

static double run_built_in(void *context) {
    return run_logged(&((struct by_text *)context)->built_in);
}

void bench_text(const struct bench_places *places, struct bench_figure *figures) {
    static struct by_text both;
    open_logged(&both.built_in, places, "built_in.journal", NULL, NULL);
    open_logged(
        &both.text, places, "text.journal", NULL,
        "[\"structure partitioning\", \"parameter threshold\",\n"
        "  \"define level(o): mean(a in o.members: a.value)\",\n"
        "  \"trigger balance: max(o in organizations: level(o)) - min(o in organizations: level(o)) <= "
        "threshold\"]");
    const struct bench_times times = bench_measure(run_text, run_built_in, &both, bench_careful);
    figures[0] = (struct bench_figure){times.seconds / times.reference, 1, ""};
    snprintf(figures[0].note, sizeof figures[0].note, "%.2f us by the text, %.2f built in",
             1e6 * times.seconds, 1e6 * times.reference);
    close_logged(&both.text);
    close_logged(&both.built_in);
}

/* Stepwise, and continuously with equal clocks and no durations: the same rows. */
struct in_time {
    struct logged continuous, stepwise;
};

static double run_continuous(void *context) {
    return run_logged(&((struct in_time *)context)->continuous);
}

static double run_stepwise(void *context) {
    return run_logged(&((struct in_time *)context)->stepwise);
}

void bench_continuous(const struct bench_places *places, struct bench_figure *figures) {
    static struct in_time both;
    open_logged(&both.stepwise, places, "stepwise.journal", NULL, NULL);
    open_scale(&both.continuous, places, "continuous.journal",
               bench_usual("\"algorithm\": \"random\", \"execution\": {\"continuous\": {\"case\": 1000}}"));
    const struct bench_times times = bench_measure(run_continuous, run_stepwise, &both, bench_careful);
    figures[0] = (struct bench_figure){times.seconds / times.reference, 1, ""};
    snprintf(figures[0].note, sizeof figures[0].note, "%.2f us in time, %.2f stepwise", 1e6 * times.seconds,
             1e6 * times.reference);
    close_logged(&both.continuous);
    close_logged(&both.stepwise);
}

struct log {
    struct logged logged; /* first: the framework */
    struct cor_record *copy;
    char *all, *file, *raw; /* owned; paths: journal of all suites, result file, raw bytes */
    double cases;           /* of all suites */
    unsigned char *block;   /* as many bytes as in journal and file together */
    size_t block_bytes;
};

/* Everything that the framework has noted of its suites, noted again and appended. */
static double note_again(void *context) {
    struct log *log = context;
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t i = 0; i < SUITES; i++) {
        struct bench_suite *suite = &log->logged.suite[i];
        cor_record_begin(log->copy, 0, i);
        for (enum cor_table table = 0; table < COR_TABLE_COUNT; table++)
            for (size_t t = 0; t < cor_record_size(suite->record, table); t++) {
                void *row = cor_record_row(log->copy, table, &error);
                if (!row)
                    bench_must(error.status, &error);
                memcpy(row, cor_record_at(suite->record, table, t), cor_schema(table)->row_size);
            }
        for (uint32_t s = 0; s < suite->suite->sequence_count; s++) {
            /* Chain after chain, as the loop notes it. */
            const struct cor_walk *walk = &suite->walks[s];
            uint8_t states[1024];
            for (uint32_t chain = 0; chain < walk->chain_count; chain++)
                for (uint32_t at = 0, count; at <= walk->case_count; at += count) {
                    uint32_t left = walk->case_count + 1 - at;
                    count = left < sizeof states ? left : (uint32_t)sizeof states;
                    for (uint32_t w = 0; w < count; w++)
                        states[w] = cor_walk_at(walk, at + w)[chain];
                    bench_must(cor_record_put(log->copy, COR_VECTOR_WALK, states, count, NULL, &error),
                               &error);
                }
        }
        bench_must(cor_journal_append(log->logged.journal, log->copy, &error), &error);
    }
    return log->cases;
}

static double write_raw(void *context) {
    struct log *log = context;
    int file = open(log->raw, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, log->block, log->block_bytes) != (ssize_t)log->block_bytes ||
        fdatasync(file) != 0 || close(file) != 0)
        bench_fail(log->raw);
    return log->cases;
}

static double size_of(const char *path) {
    struct stat file;
    if (stat(path, &file) != 0)
        bench_fail(path);
    return (double)file.st_size;
}

static double merge(void *context) {
    struct log *log = context;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_experiment *experiment = log->logged.experiment;
    const struct cor_catalog_entry arm = {0, "arm", "random"}, type = {0, "agent", ""};
    const struct cor_catalog_entry environment = {0, "weather", ""};
    struct cor_result_header header = {
        .layer = &cor_interaction_schema,
        .experiment = experiment->text,
        .provenance = "{}",
        .seed = experiment->seed,
        .complete = 1,
        .planned_suites = experiment->suite_count,
        .catalog = {[COR_CATALOG_ARM] = &arm,
                    [COR_CATALOG_AGENT_TYPE] = &type,
                    [COR_CATALOG_ENVIRONMENT] = &environment},
        .catalog_size = {[COR_CATALOG_ARM] = 1, [COR_CATALOG_AGENT_TYPE] = 1, [COR_CATALOG_ENVIRONMENT] = 1},
    };
    const char *journals[] = {log->all};
    bench_must(cor_result_merge(journals, 1, &header, log->file, 1, &error), &error);
    return log->cases;
}

void bench_log(const struct bench_places *places, struct bench_figure *figures) {
    static const struct bench_care once = {MERGES, 0, cor_cpu_seconds}, in_all = {7, 0.1, cor_cpu_seconds};
    static struct log log;
    struct cor_error error = COR_NO_ERROR;
    open_logged(&log.logged, places, "logged.journal", NULL, NULL);
    log.all = bench_path(places, "log.journal");
    log.file = bench_path(places, "log.h5");
    log.raw = bench_path(places, "log.raw");
    bench_must(cor_record_create(&cor_interaction_schema, &log.copy, &error), &error);
    /* All suites once, in a journal of their own. */
    struct cor_journal *journal;
    log.cases = run_logged(&log.logged);
    bench_must(cor_journal_create(log.all, &journal, &error), &error);
    for (uint32_t i = 0; i < SUITES; i++)
        bench_must(cor_journal_append(journal, log.logged.suite[i].record, &error), &error);
    cor_journal_close(journal);
    double merging = bench_measure(merge, NULL, &log, once).seconds;
    double journal_bytes = size_of(log.all), file_bytes = size_of(log.file);
    log.block_bytes = (size_t)(journal_bytes + file_bytes);
    log.block = bench_kept(cor_calloc(log.block_bytes, 1));
    struct bench_times times = bench_measure(run_logged, note_again, &log, in_all);
    double framework = times.seconds, noting = times.reference;
    figures[0].value = file_bytes / log.cases;
    snprintf(figures[0].note, sizeof figures[0].note, "in journals %.0f; 35 chains of 15 states",
             journal_bytes / log.cases);
    figures[1].value = 100 * (noting + merging) / framework;
    figures[1].reference = 100 * bench_measure(write_raw, NULL, &log, in_all).seconds / framework;
    snprintf(figures[1].note, sizeof figures[1].note,
             "record and journal %.3f us, merging and reading back the rest, of %.2f us", 1e6 * noting,
             1e6 * framework);
    figures[2].value = 1e6 * merging;
    close_logged(&log.logged);
    cor_record_destroy(log.copy);
    COR_FREE(log.all, log.file, log.raw, log.block);
}
