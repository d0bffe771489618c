/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Performance as one JSON document, and as CSV. */
#include "writing.h"

#include <corridor/cells.h>
#include <corridor/performance.h>
#include <corridor/terms.h>

static void put_metrics(struct cor_json_writer *writer, const struct cor_performance_arm *arm) {
    cor_json_open_object(writer, "metrics");
    for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT; m++)
        cor__put_estimate(writer, cor_sum_schema(m)->id, &arm->metric[m]);
    cor_json_close(writer);
}

static void put_lengths(struct cor_json_writer *writer, const char *key,
                        const struct cor_length_figures *figures) {
    cor_json_open_object(writer, key);
    cor_put_count(writer, "n", figures->n);
    cor_put_count(writer, "cut_off", figures->cut_off);
    cor_json_put_real(writer, "mean", figures->mean);
    cor_json_put_real(writer, "sd", figures->sd);
    cor_json_put_real(writer, "min", figures->min);
    cor_json_put_real(writer, "median", figures->median);
    cor_json_put_real(writer, "max", figures->max);
    cor_json_put_real(writer, "geometric_mean", figures->geometric_mean);
    cor_json_put_real(writer, "harmonic_mean", figures->harmonic_mean);
    cor_json_close(writer);
}

static void put_codes(struct cor_json_writer *writer, const char *key, enum cor_family family,
                      const struct cor_code_share share[COR_ENDING_CODES]) {
    cor_json_open_object(writer, key);
    for (int code = 0; code < COR_ENDING_CODES; code++) {
        if (share[code].count == 0)
            continue;
        cor_json_open_object(writer, code == 0 ? "not_said" : cor_term_word(family, code));
        cor_put_count(writer, "count", share[code].count);
        cor__put_estimate(writer, "share", &share[code].share);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_quality(struct cor_json_writer *writer, const struct cor_performance_arm *arm) {
    cor_json_open_array(writer, "quality");
    for (size_t q = 0; q < arm->quality_count; q++) {
        const struct cor_quality *quality = &arm->quality[q];
        cor_json_open_object(writer, NULL);
        cor_json_put_real(writer, "spent_from", quality->from);
        cor_json_put_real(writer, "spent_to", quality->to);
        cor_put_count(writer, "reorganizations", quality->n);
        cor__put_estimate(writer, "dissimilarity_before", &quality->before);
        cor__put_estimate(writer, "dissimilarity_after", &quality->after);
        cor__put_estimate(writer, "success", &quality->success);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_arm(struct cor_json_writer *writer, const struct cor_performance_arm *arm) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", arm->name);
    cor_put_count(writer, "suites", arm->suites);
    cor_put_count(writer, "sequences", arm->sequences);
    cor_put_count(writer, "executed", arm->executed);
    cor_put_count(writer, "reorganizations", arm->reorganizations);
    put_metrics(writer, arm);
    put_lengths(writer, "cases_between_reorganizations", &arm->gap);
    put_lengths(writer, "stays_outside", &arm->stay);
    put_codes(writer, "stop", COR_FAMILY_STOP, arm->stop);
    put_codes(writer, "smoke", COR_FAMILY_SMOKE, arm->smoke);
    put_quality(writer, arm);
    cor_json_close(writer);
}

static void put_schema(struct cor_json_writer *writer) {
    cor_json_open_array(writer, "metrics");
    for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT; m++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "id", cor_sum_schema(m)->id);
        cor_json_put_string(writer, "unit", cor_sum_schema(m)->unit);
        cor_json_put_string(writer, "better", cor_old_better_word(cor_sum_schema(m)->better));
        cor_json_put_string(writer, "meaning", cor_sum_schema(m)->meaning);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

enum cor_status cor_performance_json(const struct cor_performance *performance, FILE *file,
                                     struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-performance");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_real(writer, "level", performance->level);
    cor_put_count(writer, "continuations_left_out", performance->left_out);
    cor_put_count(writer, "not_numbers", performance->not_numbers);
    cor_json_put_bool(writer, "times", performance->times);
    cor_put_count(writer, "suites_without_times", performance->times_missing);
    put_schema(writer);
    cor_json_open_array(writer, "arms");
    for (size_t a = 0; a < performance->arm_count; a++)
        put_arm(writer, &performance->arm[a]);
    cor_json_close(writer);
    cor_json_open_object(writer, "not_available");
    cor_json_put_string(writer, "gap_to_optimum", cor_no_gap);
    cor_json_put_string(writer, "time_performance", cor_no_time_performance);
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_write_json(writer, 2, file, error);
}

enum cor_status cor_performance_csv(const struct cor_performance *performance, FILE *file,
                                    struct cor_error *error) {
    fputs("arm,metric,unit,better,mean,low,high,interval,suites,n\n", file);
    for (size_t a = 0; a < performance->arm_count; a++)
        for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT; m++) {
            const struct cor_old_estimate *estimate = &performance->arm[a].metric[m];
            const struct cor_sum_schema *schema = cor_sum_schema(m);
            cor_csv_word(performance->arm[a].name, file);
            fprintf(file, ",%s,%s,%s", schema->id, schema->unit, cor_old_better_word(schema->better));
            cor__csv_real(estimate->mean, file);
            cor__csv_real(estimate->low, file);
            cor__csv_real(estimate->high, file);
            fprintf(file, ",%s", estimate->method);
            cor__csv_count(estimate->suites, file);
            cor__csv_real(estimate->n, file);
            fputc('\n', file);
        }
    return cor_stream_status(file, error);
}
