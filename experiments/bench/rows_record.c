/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What writing down costs: bytes in the result file for each case, walks included and solutions not; and the
 * time of it all (rows and walk into the record, record into the journal, journals merged into the file and
 * read back), as a share of the framework's price. System time counts here, in all three. */
#include "measure.h"
#include "rows.h"

#include <corridor/array.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct bench_care in_all = {7, 0.1, bench_cpu_seconds};

enum { MERGES = 5 };

struct log {
    struct bench_logged logged; /* first: the framework */
    struct cor_record *copy;
    char *all, *file, *raw;                  /* owned; paths: journal of all suites, result file, raw bytes */
    double cases, journal_bytes, file_bytes; /* of all suites */
    unsigned char *block;                    /* as many bytes as in journal and file together */
    size_t block_bytes;
};

/* ----------------------------------------------------------------------------- record, journal */

static void copy_tables(struct log *log, struct cor_record *from) {
    struct cor_error error = COR_NO_ERROR;
    for (enum cor_table table = 0; table < COR_TABLE_COUNT; table++)
        for (size_t i = 0; i < cor_record_size(from, table); i++) {
            void *row = cor_record_row(log->copy, table, &error);
            if (!row)
                bench_must(error.status, &error);
            memcpy(row, cor_record_at(from, table, i), cor_schema(table)->row_size);
        }
}

/* Chain after chain, as the loop notes it. */
static void copy_walk(struct log *log, const struct cor_walk *walk) {
    struct cor_error error = COR_NO_ERROR;
    uint8_t states[1024];
    for (uint32_t chain = 0; chain < walk->chain_count; chain++)
        for (uint32_t at = 0, count; at <= walk->case_count; at += count) {
            uint32_t left = walk->case_count + 1 - at;
            count = left < sizeof states ? left : (uint32_t)sizeof states;
            for (uint32_t i = 0; i < count; i++)
                states[i] = cor_walk_at(walk, at + i)[chain];
            bench_must(cor_record_put(log->copy, COR_VECTOR_WALK, states, count, NULL, &error), &error);
        }
}

/* Everything that the framework has noted of its suites, noted again and appended. */
static double note_again(void *context) {
    struct log *log = context;
    struct cor_error error = COR_NO_ERROR;
    for (uint32_t i = 0; i < BENCH_LOGGED; i++) {
        struct bench_suite *suite = &log->logged.suite[i];
        cor_record_begin(log->copy, 0, i);
        copy_tables(log, suite->record);
        for (uint32_t s = 0; s < suite->execution.sequence_count; s++)
            copy_walk(log, &suite->walks[s]);
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

/* --------------------------------------------------------------------------------------- merge */

static double size_of(const char *path) {
    struct stat file;
    if (stat(path, &file) != 0)
        bench_fail(path);
    return (double)file.st_size;
}

/* All suites once, in a journal of their own. */
static void fill_journal(struct log *log) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_journal *journal;
    log->cases = bench_logged_run(&log->logged);
    bench_must(cor_journal_create(log->all, &journal, &error), &error);
    for (uint32_t i = 0; i < BENCH_LOGGED; i++)
        bench_must(cor_journal_append(journal, log->logged.suite[i].record, &error), &error);
    cor_journal_close(journal);
    log->journal_bytes = size_of(log->all);
}

static double merge(void *context) {
    struct log *log = context;
    struct cor_error error = COR_NO_ERROR;
    const struct cor_experiment *experiment = log->logged.experiment;
    const struct cor_catalog_entry arm = {0, "arm", "random"}, type = {0, "agent", ""},
                                   environment = {0, "weather", ""};
    struct cor_result_header header = {
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

/* ----------------------------------------------------------------------------------- measuring */

static void open_log(struct log *log, const struct bench_places *places) {
    struct cor_error error = COR_NO_ERROR;
    bench_logged_open(&log->logged, places);
    log->all = bench_path(places, "log.journal");
    log->file = bench_path(places, "log.h5");
    log->raw = bench_path(places, "log.raw");
    bench_must(cor_record_create(&log->copy, &error), &error);
    fill_journal(log);
}

static void close_log(struct log *log) {
    bench_logged_close(&log->logged);
    cor_record_destroy(log->copy);
    unlink(log->all);
    unlink(log->file);
    unlink(log->raw);
    free(log->all);
    free(log->file);
    free(log->raw);
    free(log->block);
}

struct found {
    double framework, note, merge, raw; /* seconds a case */
    double file_bytes, journal_bytes;   /* a case */
};

static void measure_log(const void *context, double *value) {
    static struct log log;
    struct found *found = (struct found *)value;
    _Static_assert(sizeof *found <= BENCH_ANSWERS * sizeof *value, "an answer holds it");
    open_log(&log, context);
    struct bench_care once = {MERGES, 0, bench_cpu_seconds};
    found->merge = bench_measure(merge, NULL, &log, once).seconds;
    log.file_bytes = size_of(log.file);
    found->file_bytes = log.file_bytes / log.cases;
    found->journal_bytes = log.journal_bytes / log.cases;
    log.block_bytes = (size_t)(log.journal_bytes + log.file_bytes);
    log.block = cor_calloc(log.block_bytes, 1);
    if (!log.block)
        bench_fail("cannot keep a block");
    struct bench_times times = bench_measure(bench_logged_run, note_again, &log, in_all);
    found->framework = times.seconds;
    found->note = times.reference;
    found->raw = bench_measure(write_raw, NULL, &log, in_all).seconds;
    close_log(&log);
}

void bench_log(struct bench_report *report, const struct bench_places *places) {
    struct bench_answer answer = bench_in_child(measure_log, places);
    const struct found *found = (const struct found *)answer.value;
    char note[192];
    snprintf(note, sizeof note, "in journals %.0f; 35 chains of 15 states", found->journal_bytes);
    bench_report_row(report, &(struct bench_row){
                                 .name = "log with walks, without solutions: bytes of a case",
                                 .unit = "B",
                                 .value = found->file_bytes,
                                 .reference = NAN,
                                 .must = 32,
                                 .aim = 26,
                                 .better = BENCH_LESS,
                                 .note = note,
                             });
    snprintf(note, sizeof note, "record and journal %.3f us, merging and reading back %.3f us, of %.2f us",
             1e6 * found->note, 1e6 * found->merge, 1e6 * found->framework);
    bench_report_row(report, &(struct bench_row){
                                 .name = "log: its CPU as a share of the framework's",
                                 .unit = "%",
                                 .value = 100 * (found->note + found->merge) / found->framework,
                                 .reference = 100 * found->raw / found->framework,
                                 .yardstick = "raw write and fdatasync of the same bytes, journal and file",
                                 .must = 25,
                                 .aim = 15,
                                 .better = BENCH_LESS,
                                 .note = note,
                             });
}
