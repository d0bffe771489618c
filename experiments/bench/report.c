/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include "measure.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report_data.h"

/* ------------------------------------------------------------------------------------- judging */

const char *cor__bench_holds(const struct bench_row *row) {
    double value = row->on_ratio ? row->value / row->reference : row->value;
    double sign = row->better == BENCH_LESS ? 1 : -1;
    if (isnan(row->must) && isnan(row->aim))
        return "-";
    if (isnan(value))
        return "not measured";
    if (sign * value <= sign * row->aim)
        return "aim";
    return sign * value <= sign * row->must ? "must" : "no";
}

double cor__bench_exponent(const struct bench_curve *curve) {
    return bench_slope(curve->size, curve->cost, curve->count);
}

void cor__bench_number(double value, const char *suffix, char *text, size_t size) {
    if (isnan(value))
        snprintf(text, size, "-");
    else if (fabs(value) >= 1000 && fabs(value) < 1e9)
        snprintf(text, size, "%.0f%s", value, suffix);
    else
        snprintf(text, size, "%.3g%s", value, suffix);
}

/* ---------------------------------------------------------------------------------- collecting */

static void *kept(void *memory) {
    if (!memory)
        bench_fail("cannot keep a row");
    return memory;
}

struct bench_report *bench_report_create(void) {
    struct bench_report *report = kept(cor_calloc(1, sizeof *report));
    report->colour = isatty(STDOUT_FILENO) != 0;
    return report;
}

void bench_report_destroy(struct bench_report *report) {
    for (size_t i = 0; i < report->row_count; i++)
        free(report->note[i]);
    free(report);
}

void bench_report_heading(struct bench_report *report, const char *text) {
    const char *strong = report->colour ? "\033[1m" : "", *plain = report->colour ? "\033[0m" : "";
    printf("\n%s%-58s %10s %-7s %10s %8s %8s %8s  %s%s\n", strong, text, "value", "unit", "reference",
           "ratio", "must", "aim", "holds", plain);
}

static const char *colour_of(const struct bench_report *report, const char *holds) {
    if (!report->colour)
        return "";
    if (strcmp(holds, "aim") == 0)
        return "\033[32m";
    if (strcmp(holds, "must") == 0)
        return "\033[33m";
    return strcmp(holds, "no") == 0 ? "\033[31m" : "";
}

void bench_report_row(struct bench_report *report, const struct bench_row *row) {
    COR_ASSERT(report->row_count < BENCH_ROWS);
    char *note = row->note ? kept(cor_strdup(row->note)) : NULL;
    report->note[report->row_count] = note;
    report->row[report->row_count] = *row;
    report->row[report->row_count++].note = note;
    const char *holds = cor__bench_holds(row), *suffix = row->on_ratio ? "x" : "";
    char value[32], reference[32], ratio[32], must[32], aim[32];
    cor__bench_number(row->value, "", value, sizeof value);
    cor__bench_number(row->reference, "", reference, sizeof reference);
    cor__bench_number(row->value / row->reference, "x", ratio, sizeof ratio);
    cor__bench_number(row->must, suffix, must, sizeof must);
    cor__bench_number(row->aim, suffix, aim, sizeof aim);
    printf("%-58s %10s %-7s %10s %8s %8s %8s  %s%s%s\n", row->name, value, row->unit, reference, ratio, must,
           aim, colour_of(report, holds), holds, report->colour ? "\033[0m" : "");
    if (row->yardstick || row->note)
        printf("    %s%s%s%s\n", row->yardstick ? "reference: " : "", row->yardstick ? row->yardstick : "",
               row->yardstick && row->note ? "; " : "", row->note ? row->note : "");
    fflush(stdout);
}

void bench_curve_add(struct bench_curve *curve, double size, double cost) {
    COR_ASSERT(curve->count < BENCH_POINTS);
    curve->size[curve->count] = size;
    curve->cost[curve->count++] = cost;
}

void bench_report_curve(struct bench_report *report, const struct bench_curve *curve) {
    COR_ASSERT(report->curve_count < BENCH_CURVES);
    report->curve[report->curve_count++] = *curve;
    double exponent = cor__bench_exponent(curve);
    bool steep = exponent > BENCH_LINEAR;
    printf("\n%s, over %s: grows with the power %.2f%s%s\n", curve->name, curve->size_name, exponent,
           steep ? ", WORSE THAN LINEAR" : "", curve->reason ? "" : ".");
    if (curve->reason)
        printf("  %s.\n", curve->reason);
    printf("  %12s %14s %18s\n", curve->size_name, curve->cost_unit, "cost / size");
    for (size_t i = 0; i < curve->count; i++)
        printf("  %12.0f %14.4g %18.4g\n", curve->size[i], curve->cost[i], curve->cost[i] / curve->size[i]);
    fflush(stdout);
}

void bench_report_end(const struct bench_report *report) {
    size_t aims = 0, musts = 0, misses = 0, steep = 0;
    for (size_t i = 0; i < report->row_count; i++) {
        const char *holds = cor__bench_holds(&report->row[i]);
        aims += strcmp(holds, "aim") == 0;
        musts += strcmp(holds, "must") == 0;
        misses += strcmp(holds, "no") == 0;
    }
    for (size_t i = 0; i < report->curve_count; i++)
        steep += cor__bench_exponent(&report->curve[i]) > BENCH_LINEAR;
    printf("\n%zu rows: %zu keep their aim, %zu more what they must, %zu do not; %zu curves, %zu worse than "
           "linear\n",
           report->row_count, aims, musts, misses, report->curve_count, steep);
}
