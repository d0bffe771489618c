/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/cells.h>
#include <corridor/tables.h>

#include <math.h>

/* A number, or nothing. */
static void put_number(double value, FILE *file) {
    char text[COR_CELL] = "";
    if (!isnan(value))
        cor_real_text(value, text);
    fprintf(file, "%s,", text);
}

static void put_figure(const struct cor_arm_tables *arm, enum cor_metric metric, FILE *file) {
    const struct cor_figure *figure = &arm->figure[metric];
    char text[COR_CELL] = "";
    fprintf(file, "%s,", cor_old_metric_schema(metric)->id);
    cor_csv_word(arm->name, file);
    fputc(',', file);
    put_number(figure->mean, file);
    put_number(figure->sd, file);
    put_number(figure->low, file);
    put_number(figure->high, file);
    fprintf(file, "%llu,%llu,", (unsigned long long)figure->n, (unsigned long long)figure->suites);
    put_number(figure->paper_mean, file);
    if (!isnan(figure->paper_sd))
        cor_real_text(figure->paper_sd, text);
    fprintf(file, "%s,%s\n", text, cor_interval_word(figure->interval));
}

enum cor_status cor_tables_csv(const struct cor_tables *tables, FILE *file, struct cor_error *error) {
    fputs("metric,arm,mean,sd,low,high,n,suites,paper_mean,paper_sd,interval\n", file);
    for (int m = 0; m < COR_METRIC_COUNT; m++)
        for (size_t a = 0; a < tables->arm_count; a++)
            put_figure(&tables->arm[a], (enum cor_metric)m, file);
    return cor_stream_status(file, error);
}
