/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The side file with the times of a run: a line of names, then a line a suite. */
#include "measure.h"

#include <corridor/array.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS 32

/* The columns that are wanted. */
enum column { ARM, SUITE, CPU, COLUMNS };
static const char *const column_name[COLUMNS] = {"arm", "suite", "cpu_s"};

struct reading {
    const char *path;
    size_t line;
    size_t at[COLUMNS]; /* field of each column */
    double *cpu;        /* [suite of the measurement]; NaN = not said */
};

static enum cor_status wrong(const struct reading *reading, const char *what, struct cor_error *error) {
    char place[512];
    snprintf(place, sizeof place, "%.400s:%zu", reading->path, reading->line);
    return cor_fail(error, COR_STATUS_INPUT, place,
                    "the file is written by corridor run; remove it to go without times", "%s", what);
}

/* Cuts a line of CSV (RFC 4180) into fields, in place; returns how many, 0 for a line that is none. */
static size_t cut(char *line, char *field[FIELDS]) {
    size_t count = 0;
    char *from = line;
    for (;;) {
        char *to = from;
        if (count == FIELDS)
            return 0;
        field[count++] = to;
        if (*from == '"') {
            for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
                from += *from == '"';
                *to++ = *from;
            }
            if (*from++ != '"')
                return 0;
        }
        while (*from && *from != ',')
            *to++ = *from++;
        bool last = *from == '\0';
        *to = '\0';
        if (last)
            return count;
        from++;
    }
}

static enum cor_status take_names(struct reading *reading, char *line, struct cor_error *error) {
    char *field[FIELDS];
    size_t count = cut(line, field);
    for (int c = 0; c < COLUMNS; c++) {
        size_t f = 0;
        while (f < count && strcmp(field[f], column_name[c]) != 0)
            f++;
        if (f == count)
            return wrong(reading, "the first line has to name arm, suite and cpu_s", error);
        reading->at[c] = f;
    }
    return COR_OK;
}

/* -1, 0 or 1: suite s of the measurement before, at or behind that one, in the order of the file. */
static int order(const struct cor_measurement *measurement, size_t s, uint16_t code, uint32_t suite) {
    uint16_t own = measurement->arm[measurement->suite[s].arm].entry->code;
    if (own != code)
        return own < code ? -1 : 1;
    return measurement->suite[s].suite < suite ? -1 : measurement->suite[s].suite > suite;
}

/* Suites of a file that was cut to a prefix have lines, too: those are passed over. */
static void put_time(struct reading *reading, const struct cor_measurement *measurement, const char *arm,
                     uint32_t suite, double seconds) {
    size_t a = cor_arm_of_name(measurement->head, arm, strlen(arm)), low = 0, high = measurement->suite_count;
    if (a == measurement->arm_count)
        return;
    uint16_t code = measurement->arm[a].entry->code;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order(measurement, middle, code, suite) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < measurement->suite_count && order(measurement, low, code, suite) == 0)
        reading->cpu[low] = seconds;
}

static enum cor_status take_line(struct reading *reading, const struct cor_measurement *measurement,
                                 char *line, struct cor_error *error) {
    char *field[FIELDS], *end_suite, *end_cpu;
    size_t count = cut(line, field);
    for (int c = 0; c < COLUMNS; c++)
        if (reading->at[c] >= count)
            return wrong(reading, "fewer fields than the first line names", error);
    unsigned long long suite = strtoull(field[reading->at[SUITE]], &end_suite, 10);
    double seconds = strtod(field[reading->at[CPU]], &end_cpu);
    if (*field[reading->at[SUITE]] < '0' || *field[reading->at[SUITE]] > '9' || *end_suite ||
        suite > UINT32_MAX)
        return wrong(reading, "suite is not a whole number", error);
    if (end_cpu == field[reading->at[CPU]] || *end_cpu || !isfinite(seconds) || seconds < 0)
        return wrong(reading, "cpu_s is not a number of seconds", error);
    put_time(reading, measurement, field[reading->at[ARM]], (uint32_t)suite, seconds);
    return COR_OK;
}

static enum cor_status read_lines(struct reading *reading, const struct cor_measurement *measurement,
                                  FILE *file, struct cor_error *error) {
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    enum cor_status status = COR_OK;
    while (status == COR_OK && (length = getline(&line, &size, file)) >= 0) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = '\0';
        if (++reading->line == 1)
            status = take_names(reading, line, error);
        else if (length > 0)
            status = take_line(reading, measurement, line, error);
    }
    if (status == COR_OK && reading->line == 0)
        status = wrong(reading, "the file is empty", error);
    if (status == COR_OK && ferror(file))
        status = cor_fail_errno(error, COR_STATUS_FILE, reading->path, NULL, "cannot read");
    free(line);
    return status;
}

enum cor_status cor_measurement_read_times(struct cor_measurement *measurement, const char *path,
                                           struct cor_error *error) {
    char *beside = cor_format("%s.times.csv", path);
    struct reading reading = {.path = beside,
                              .cpu = cor_calloc(measurement->suite_count, sizeof *reading.cpu)};
    enum cor_status status = beside && reading.cpu ? COR_OK : cor_fail_memory(error);
    FILE *file = status == COR_OK ? fopen(beside, "r") : NULL;
    for (size_t s = 0; s < measurement->suite_count && reading.cpu; s++)
        reading.cpu[s] = NAN;
    if (status == COR_OK && !file && errno != ENOENT)
        status = cor_fail_errno(error, COR_STATUS_FILE, beside, NULL, "cannot open");
    if (file) {
        status = read_lines(&reading, measurement, file, error);
        fclose(file);
        if (status == COR_OK) {
            measurement->times = true;
            for (size_t s = 0; s < measurement->suite_count; s++) {
                struct cor_suite_sums *suite = &measurement->suite[s];
                measurement->times_missing += isnan(reading.cpu[s]) ? 1 : 0;
                if (isnan(reading.cpu[s]))
                    continue;
                if (suite->reorganizations > 0) {
                    suite->y[COR_METRIC_CPU_REORGANIZATION] = reading.cpu[s];
                    suite->x[COR_METRIC_CPU_REORGANIZATION] = (double)suite->reorganizations;
                }
                suite->y[COR_METRIC_CPU_CASE] = reading.cpu[s];
                suite->x[COR_METRIC_CPU_CASE] = (double)suite->executed;
            }
        }
    }
    COR_FREE(reading.cpu, beside);
    return status;
}
