/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure.h"
#include "report_data.h"

#include <corridor/json.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------- machine */

/* What stands behind the first line of /proc/cpuinfo that begins with "model name". */
static void processor(char *text, size_t size) {
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
}

static void put_machine(struct cor_json_writer *json) {
    char text[256];
    processor(text, sizeof text);
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    cor_json_open_object(json, "machine");
    cor_json_put_string(json, "processor", text);
    cor_json_put_integer(json, "cores", sysconf(_SC_NPROCESSORS_ONLN));
    cor_json_put_real(json, "memory_gb", floor(bytes / 1e8 + 0.5) / 10);
    cor_json_close(json);
    cor_json_put_string(json, "compiler", CORRIDOR_COMPILER);
    cor_json_put_string(json, "build_type", CORRIDOR_BUILD_TYPE);
    cor_json_put_string(json, "version", CORRIDOR_VERSION);
    time_t now = time(NULL);
    strftime(text, sizeof text, "%Y-%m-%d", gmtime(&now));
    cor_json_put_string(json, "date", text);
}

/* --------------------------------------------------------------------------------------- write */

static void put_row(struct cor_json_writer *json, const struct bench_row *row) {
    cor_json_open_object(json, NULL);
    cor_json_put_string(json, "name", row->name);
    cor_json_put_real(json, "value", row->value);
    cor_json_put_string(json, "unit", row->unit);
    cor_json_put_real(json, "reference", row->reference);
    cor_json_put_string(json, "yardstick", row->yardstick);
    cor_json_put_real(json, "ratio", row->value / row->reference);
    cor_json_put_real(json, "must", row->must);
    cor_json_put_real(json, "aim", row->aim);
    cor_json_put_string(json, "limits_on", row->on_ratio ? "ratio" : "value");
    cor_json_put_string(json, "better", row->better == BENCH_LESS ? "less" : "more");
    cor_json_put_string(json, "holds", cor__bench_holds(row));
    cor_json_put_string(json, "note", row->note);
    cor_json_close(json);
}

static void put_curve(struct cor_json_writer *json, const struct bench_curve *curve) {
    double exponent = cor__bench_exponent(curve);
    cor_json_open_object(json, NULL);
    cor_json_put_string(json, "name", curve->name);
    cor_json_put_string(json, "size", curve->size_name);
    cor_json_put_string(json, "unit", curve->cost_unit);
    cor_json_put_real(json, "exponent", exponent);
    cor_json_put_bool(json, "worse_than_linear", exponent > BENCH_LINEAR);
    cor_json_put_string(json, "reason", curve->reason);
    cor_json_open_array(json, "points");
    for (size_t i = 0; i < curve->count; i++) {
        cor_json_open_array(json, NULL);
        cor_json_put_real(json, NULL, curve->size[i]);
        cor_json_put_real(json, NULL, curve->cost[i]);
        cor_json_close(json);
    }
    cor_json_close(json);
    cor_json_close(json);
}

void bench_report_write(const struct bench_report *report, const char *path) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_writer *json;
    bench_must(cor_json_writer_create(&json, &error), &error);
    cor_json_open_object(json, NULL);
    put_machine(json);
    cor_json_open_array(json, "rows");
    for (size_t i = 0; i < report->row_count; i++)
        put_row(json, &report->row[i]);
    cor_json_close(json);
    cor_json_open_array(json, "curves");
    for (size_t i = 0; i < report->curve_count; i++)
        put_curve(json, &report->curve[i]);
    cor_json_close(json);
    cor_json_close(json);
    char *text = cor_json_writer_text(json, 1, &error);
    if (!text)
        bench_must(error.status, &error);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) == EOF || fclose(file) != 0)
        bench_fail(path);
    free(text);
    cor_json_writer_destroy(json);
}

/* ------------------------------------------------------------------------------------ markdown */

/* A number of an object, NaN for null. */
static double number(const struct cor_json *object, const char *key) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json json;
    double value = NAN;
    bench_must(cor_json_need(object, key, &json, &error), &error);
    if (!cor_json_is_null(&json))
        bench_must(cor_json_real(&json, -1e300, 1e300, &value, &error), &error);
    return value;
}

/* A text of an object, "" for null. */
static const char *text_of(const struct cor_json *object, const char *key) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json json;
    const char *text = "";
    bench_must(cor_json_need(object, key, &json, &error), &error);
    if (!cor_json_is_null(&json))
        bench_must(cor_json_string(&json, &text, &error), &error);
    return text;
}

static void markdown_row(const struct cor_json *row) {
    bool on_ratio = strcmp(text_of(row, "limits_on"), "ratio") == 0;
    const char *unit = text_of(row, "unit"), *suffix = on_ratio ? "x" : "";
    char value[32], must[32], aim[32], reference[32], ratio[32];
    cor__bench_number(number(row, "value"), "", value, sizeof value);
    cor__bench_number(number(row, "must"), suffix, must, sizeof must);
    cor__bench_number(number(row, "aim"), suffix, aim, sizeof aim);
    cor__bench_number(number(row, "reference"), "", reference, sizeof reference);
    cor__bench_number(number(row, "ratio"), "x", ratio, sizeof ratio);
    printf("| %s | %s %s | %s | %s | %s | ", text_of(row, "name"), value, unit, must, aim,
           text_of(row, "holds"));
    if (isnan(number(row, "reference")))
        printf("- | |\n");
    else
        printf("%s: %s %s | %s |\n", text_of(row, "yardstick"), reference, unit, ratio);
}

static void markdown_curve(const struct cor_json *curve) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json points;
    char least[64] = "", most[64] = "";
    bench_must(cor_json_need(curve, "points", &points, &error), &error);
    size_t count = cor_json_size(&points);
    for (size_t end = 0; end < 2 && count > 0; end++) {
        struct cor_json point = cor_json_at(&points, end == 0 ? 0 : count - 1);
        struct cor_json size = cor_json_at(&point, 0), cost = cor_json_at(&point, 1);
        double x, y;
        bench_must(cor_json_real(&size, 0, 1e300, &x, &error), &error);
        bench_must(cor_json_real(&cost, -1e300, 1e300, &y, &error), &error);
        snprintf(end == 0 ? least : most, sizeof least, "%.3g at %.0f", y, x);
    }
    printf("| %s | %s | %s | %s | %s | %.2f |\n", text_of(curve, "name"), text_of(curve, "size"),
           text_of(curve, "unit"), least, most, number(curve, "exponent"));
}

static void markdown_notes(const struct cor_json *items, const char *key, const char *only_if) {
    for (size_t i = 0; i < cor_json_size(items); i++) {
        struct cor_json item = cor_json_at(items, i);
        if (text_of(&item, key)[0] != '\0')
            printf("* %s%s%s: %s.\n", text_of(&item, "name"), only_if ? " over " : "",
                   only_if ? text_of(&item, only_if) : "", text_of(&item, key));
    }
}

void bench_report_markdown(const char *path) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_json machine, rows, curves;
    bench_must(cor_json_read(path, &document, &error), &error);
    struct cor_json root = cor_json_root(document);
    bench_must(cor_json_need(&root, "machine", &machine, &error), &error);
    bench_must(cor_json_need(&root, "rows", &rows, &error), &error);
    bench_must(cor_json_need(&root, "curves", &curves, &error), &error);
    printf("Version %s, %s: %s, %.0f cores, %.1f GB, %s.\n\n", text_of(&root, "version"),
           text_of(&root, "date"), text_of(&machine, "processor"), number(&machine, "cores"),
           number(&machine, "memory_gb"), text_of(&root, "compiler"));
    printf("| what | value | must | aim | holds | in the same run | ratio |\n| --- | --- | --- | --- | --- | "
           "--- | --- |\n");
    for (size_t i = 0; i < cor_json_size(&rows); i++) {
        struct cor_json row = cor_json_at(&rows, i);
        markdown_row(&row);
    }
    printf("\n");
    markdown_notes(&rows, "note", NULL);
    printf("\n| cost of | over | unit | from | to | power |\n| --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < cor_json_size(&curves); i++) {
        struct cor_json curve = cor_json_at(&curves, i);
        markdown_curve(&curve);
    }
    printf("\n");
    markdown_notes(&curves, "reason", "size");
    cor_json_destroy(document);
}
