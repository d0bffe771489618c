/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the CSV files. */
enum { METRIC, ALGORITHM, FAULT, FAULT_ID, MEAN, STD };

/* Start of a field in a line of plain CSV, and its length. */
static const char *field(const char *line, int number, size_t *length) {
    for (; number > 0; number--) {
        line = strchr(line, ',');
        if (!line) {
            *length = 0;
            return "";
        }
        line++;
    }
    *length = strcspn(line, ",");
    return line;
}

static bool field_is(const char *line, int number, const char *word) {
    size_t length;
    const char *text = field(line, number, &length);
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

static double field_number(const char *line, int number) {
    size_t length;
    const char *text = field(line, number, &length);
    return length > 0 ? strtod(text, NULL) : (double)NAN;
}

/* The line of a metric (NULL = any) in a column of the paper, NULL if there is none. */
static const char *find_line(const char *metric, const char *fault_id) {
    const char *const *const tables[] = {views__paper_table1, views__paper_table2};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const char *const *line = tables[t] + 1; *line; line++) /* + 1: the header */
            if (field_is(*line, FAULT_ID, fault_id) && (!metric || field_is(*line, METRIC, metric)))
                return *line;
    return NULL;
}

bool views__paper_figure(const char *metric, const char *fault_id, double *mean, double *sd) {
    const char *line = find_line(metric, fault_id);
    *mean = line ? field_number(line, MEAN) : (double)NAN;
    *sd = line ? field_number(line, STD) : (double)NAN;
    return line != NULL;
}

static double mean_of(const char *metric, const char *fault_id) {
    double mean, sd;
    views__paper_figure(metric, fault_id, &mean, &sd);
    return mean;
}

bool views__paper_derive(const char *metric, const char *fault_id, double *mean) {
    *mean = NAN;
    if (strcmp(metric, "reorganizing_cases_pct") == 0) /* a product of means for a mean of products: ~ 1 % */
        *mean = 1e4 * mean_of("reorganizations_per_sequence", fault_id) /
                (mean_of("test_cases_per_sequence", fault_id) *
                 mean_of("applied_test_cases_per_sequence_pct", fault_id));
    else if (strcmp(metric, "failures_detected_gray_only_pct") == 0) /* all the black box sees is gray */
        *mean = mean_of("detected_failures_gray_pct", fault_id) -
                mean_of("detected_failures_black_pct", fault_id);
    return !isnan(*mean);
}

bool views__paper_has(const char *fault_id) {
    return find_line(NULL, fault_id) != NULL;
}

#define A5 "A5: equals the number of reorganizations; the paper's counter fired on each of them"
#define A5_SHARE "A5: share of a count that fired on every reorganization"
#define A7 "A7: 2.25 % of 1603 are 36 black box detections; 26 failing sequences can have 26"

static const struct {
    const char *metric, *fault_id, *note;
} notes[] = {
    {"failures_per_sequence", "SPADA-F3", A5},
    {"faulty_states_per_sequence", "SPADA-F3", A5},
    {"failures_total", "SPADA-F3", A5},
    {"undetected_failures_pct", "SPADA-F3", A5_SHARE},
    {"detected_failures_gray_pct", "SPADA-F3", A5_SHARE},
    {"detected_failures_gray_pct", "PSOPP-F4", A7},
    {"detected_failures_black_pct", "PSOPP-F4", A7},
    {"undetected_failures_pct", "PSOPP-F4", A7},
    {"failures_detected_gray_only_pct", "PSOPP-F4", A7},
    {"failures_detected_gray_only_pct", "SPADA-F3", A5_SHARE},
    {"test_sequences_without_failure_pct", "PSOPP-F5",
     "A6: 97.86 % are 15 failing sequences, but 8 detected failures: counts activations"},
    {"sequences_detected_black_only_pct", "PSOPP-F2",
     "A8: the text says that the gray box sees every failure the black box sees"},
    {"sequences_detected_gray_only_pct", "PSOPP-F5",
     "45.63 is no standard deviation of a share of sequences: 0/1 values would give 47.5 or more"},
    {"sequences_detected_gray_only_pct", "PSOPP-F5d",
     "27.63 is no standard deviation of a share of sequences: 0/1 values would give 29.7"},
};

const char *views__paper_note(const char *metric, const char *fault_id) {
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
        if (strcmp(notes[i].metric, metric) == 0 && strcmp(notes[i].fault_id, fault_id) == 0)
            return notes[i].note;
    return NULL;
}
