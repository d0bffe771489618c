/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "timing.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CURVES_MOST = 64 };

#define LINEAR 1.15 /* a cost that grows faster than size to this power is marked */

struct measured_row {
    const struct bench_row *row;
    struct bench_figure figure;
};

struct measured_curve {
    const struct bench_curve *curve;
    const char *over; /* "agents" */
    size_t count;
    double size[BENCH_POINTS], cost[BENCH_POINTS];
    double exponent; /* the power of its size with which the cost grows */
};

struct bench_report {
    struct measured_row *rows; /* owned */
    size_t row_capacity;
    struct measured_curve curves[CURVES_MOST];
    size_t row_count, curve_count;
    char processor[128];
    double memory_gb;
    char date[16];
};

struct bench_report *bench_report_create(void) {
    struct bench_report *report = bench_kept(cor_calloc(1, sizeof *report));
    time_t now = time(NULL);
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    /* What stands behind the first line of /proc/cpuinfo that begins with "model name". */
    char *text = report->processor;
    const size_t size = sizeof report->processor;
    char line[256];
    snprintf(text, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
    report->memory_gb = floor(bytes / 1e8 + 0.5) / 10;
    strftime(report->date, sizeof report->date, "%Y-%m-%d", gmtime(&now));
    printf("Version %s, %s: %s, %ld cores, %.1f GB, %s.\n", CORRIDOR_VERSION, report->date, report->processor,
           sysconf(_SC_NPROCESSORS_ONLN), report->memory_gb, CORRIDOR_COMPILER);
    return report;
}

void bench_report_destroy(struct bench_report *report) {
    COR_FREE(report->rows, report);
}

static double ratio_of(const struct bench_figure *figure) {
    return figure->value / figure->reference;
}

const char *bench_holds(const struct bench_row *row, const struct bench_figure *figure) {
    double value = row->limits == BENCH_ON_RATIO ? ratio_of(figure) : figure->value;
    double sign = row->better == BENCH_LESS ? 1 : -1;
    if (isnan(row->must) && isnan(row->aim))
        return "-";
    if (isnan(value))
        return "not measured";
    if (sign * value <= sign * row->aim)
        return "aim";
    return sign * value <= sign * row->must ? "must" : "no";
}

struct shown {
    char text[32];
};

/* A figure for people, three digits; "-" for NaN. */
static struct shown shown(double value, const char *suffix) {
    struct shown shown = {"-"};
    if (!isnan(value))
        snprintf(shown.text, sizeof shown.text,
                 fabs(value) >= 1000 && fabs(value) < 1e9 ? "%.0f%s" : "%.3g%s", value, suffix);
    return shown;
}

struct call {
    bench_measurement *measure;
    const struct bench_places *places;
};

static void measure_rows(const void *context, void *figures) {
    const struct call *call = context;
    call->measure(call->places, figures);
}

/* The rows of one measurement, which begin at `row`. Returns the row behind them. */
static const struct bench_row *add_rows(struct bench_report *report, const struct bench_row *row,
                                        const struct bench_places *places) {
    const struct call call = {row->measure, places};
    struct bench_figure figures[BENCH_FIGURES];
    (void)bench_in_child(measure_rows, &call, figures, sizeof figures);
    for (size_t i = 0; row->name && row->measure == call.measure; i++, row++) {
        COR_ASSERT(i < BENCH_FIGURES);
        if (COR_RESERVE(&report->rows, &report->row_capacity, report->row_count + 1, NULL) != COR_OK)
            bench_fail("cannot keep what is measured");
        if (!row->yardstick)
            figures[i].reference = NAN;
        report->rows[report->row_count++] = (struct measured_row){row, figures[i]};
        const struct bench_figure *figure = &figures[i];
        const char *suffix = row->limits == BENCH_ON_RATIO ? "x" : "";
        printf("| %s | %s %s | %s | %s | %s | ", row->name, shown(figure->value, "").text, row->unit,
               shown(row->must, suffix).text, shown(row->aim, suffix).text, bench_holds(row, figure));
        if (row->yardstick)
            printf("%s: %s %s | %s |\n", row->yardstick, shown(figure->reference, "").text, row->unit,
                   shown(ratio_of(figure), "x").text);
        else
            printf("- | |\n");
        fflush(stdout);
    }
    return row;
}

void bench_report_rows(struct bench_report *report, const struct bench_part *const *parts,
                       const struct bench_places *places) {
    printf("\n| what | value | must | aim | holds | in the same run | ratio |\n"
           "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (; *parts; parts++)
        for (const struct bench_row *row = (*parts)->rows; row->name;)
            row = add_rows(report, row, places);
    printf("\n");
    for (const struct measured_row *m = report->rows; m < report->rows + report->row_count; m++)
        if (m->figure.note[0])
            printf("* %s: %s.\n", m->row->name, m->figure.note);
}

void bench_report_curves(struct bench_report *report, const struct bench_part *const *parts,
                         const struct bench_places *places) {
    printf("\n| cost of | over | unit | from | to | power |\n| --- | --- | --- | --- | --- | --- |\n");
    for (; *parts; parts++)
        for (const struct bench_sweep *sweep = (*parts)->sweeps; sweep && sweep->over; sweep++) {
            struct measured_curve *first = &report->curves[report->curve_count];
            size_t count = 0;
            for (; count < BENCH_CURVES && sweep->curves[count].name; count++) {
                COR_ASSERT(report->curve_count < CURVES_MOST);
                report->curves[report->curve_count++] =
                    (struct measured_curve){.curve = &sweep->curves[count], .over = sweep->over};
            }
            for (size_t i = 0; i < BENCH_POINTS && sweep->sizes[i] > 0; i++) {
                double cost[BENCH_CURVES];
                sweep->measure(places, sweep->sizes[i], cost);
                for (struct measured_curve *m = first; m < first + count; m++) {
                    if (isnan(cost[m - first]))
                        continue;
                    m->size[m->count] = sweep->sizes[i];
                    m->cost[m->count++] = cost[m - first];
                }
            }
            for (struct measured_curve *m = first; m < first + count; m++) {
                COR_ASSERT(m->count > 0);
                m->exponent = bench_slope(m->size, m->cost, m->count);
                size_t last = m->count - 1;
                printf("| %s | %s | %s | %.3g at %.0f | %.3g at %.0f | %.2f%s |\n", m->curve->name, m->over,
                       m->curve->unit, m->cost[0], m->size[0], m->cost[last], m->size[last], m->exponent,
                       m->exponent > LINEAR ? ", worse than linear" : "");
                fflush(stdout);
            }
        }
    printf("\n");
    for (const struct measured_curve *m = report->curves; m < report->curves + report->curve_count; m++)
        if (m->curve->reason)
            printf("* %s over %s: %s.\n", m->curve->name, m->over, m->curve->reason);
}

void bench_report_end(const struct bench_report *report) {
    size_t aims = 0, musts = 0, misses = 0, steep = 0;
    for (size_t i = 0; i < report->row_count; i++) {
        const char *holds = bench_holds(report->rows[i].row, &report->rows[i].figure);
        aims += strcmp(holds, "aim") == 0;
        musts += strcmp(holds, "must") == 0;
        misses += strcmp(holds, "no") == 0;
    }
    for (size_t i = 0; i < report->curve_count; i++)
        steep += report->curves[i].exponent > LINEAR;
    printf("\n%zu rows: %zu keep their aim, %zu more what they must, %zu do not; %zu curves, %zu worse than "
           "linear\n",
           report->row_count, aims, musts, misses, report->curve_count, steep);
}

void bench_report_write(const struct bench_report *report, const char *path) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_writer *json;
    char *text;
    bench_must(cor_json_writer_create(&json, &error), &error);
    cor_json_open_object(json, NULL);
    cor_json_open_object(json, "machine");
    cor_json_put_string(json, "processor", report->processor);
    cor_json_put_integer(json, "cores", sysconf(_SC_NPROCESSORS_ONLN));
    cor_json_put_real(json, "memory_gb", report->memory_gb);
    cor_json_close(json);
    cor_json_put_string(json, "compiler", CORRIDOR_COMPILER);
    cor_json_put_string(json, "build_type", CORRIDOR_BUILD_TYPE);
    cor_json_put_string(json, "version", CORRIDOR_VERSION);
    cor_json_put_string(json, "date", report->date);
    cor_json_open_array(json, "rows");
    for (size_t i = 0; i < report->row_count; i++) {
        const struct measured_row *m = &report->rows[i];
        const struct bench_row *row = m->row;
        cor_json_open_object(json, NULL);
        cor_json_put_string(json, "name", row->name);
        cor_json_put_real(json, "value", m->figure.value);
        cor_json_put_string(json, "unit", row->unit);
        cor_json_put_real(json, "reference", m->figure.reference);
        cor_json_put_string(json, "yardstick", row->yardstick);
        cor_json_put_real(json, "ratio", ratio_of(&m->figure));
        cor_json_put_real(json, "must", row->must);
        cor_json_put_real(json, "aim", row->aim);
        cor_json_put_string(json, "limits_on", row->limits == BENCH_ON_RATIO ? "ratio" : "value");
        cor_json_put_string(json, "better", row->better == BENCH_LESS ? "less" : "more");
        cor_json_put_string(json, "holds", bench_holds(row, &m->figure));
        cor_json_put_string(json, "note", m->figure.note[0] ? m->figure.note : NULL);
        cor_json_close(json);
    }
    cor_json_close(json);
    cor_json_open_array(json, "curves");
    for (size_t i = 0; i < report->curve_count; i++) {
        const struct measured_curve *m = &report->curves[i];
        cor_json_open_object(json, NULL);
        cor_json_put_string(json, "name", m->curve->name);
        cor_json_put_string(json, "size", m->over);
        cor_json_put_string(json, "unit", m->curve->unit);
        cor_json_put_real(json, "exponent", m->exponent);
        cor_json_put_bool(json, "worse_than_linear", m->exponent > LINEAR);
        cor_json_put_string(json, "reason", m->curve->reason);
        cor_json_open_array(json, "points");
        for (size_t p = 0; p < m->count; p++) {
            cor_json_open_array(json, NULL);
            cor_json_put_real(json, NULL, m->size[p]);
            cor_json_put_real(json, NULL, m->cost[p]);
            cor_json_close(json);
        }
        cor_json_close(json);
        cor_json_close(json);
    }
    cor_json_close(json);
    cor_json_close(json);
    bench_must(cor_json_text_take(json, 1, &text, &error), &error);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) == EOF || fclose(file) != 0)
        bench_fail(path);
    free(text);
}
