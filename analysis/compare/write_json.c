/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison as one JSON document, and as CSV. */
#include "writing.h"

#include <corridor/cells.h>
#include <corridor/compare.h>

#include <math.h>

static const char *test_word(const struct cor_compared_arms *arms) {
    return arms->paired ? "wilcoxon_signed_rank" : "mann_whitney";
}

static const char *better_word(int better) {
    return better > 0 ? "better" : better < 0 ? "worse" : NULL;
}

static void put_metric(struct cor_json_writer *writer, const struct cor_compared_arms *arms,
                       enum cor_sum_metric metric) {
    const struct cor_compared *it = &arms->metric[metric];
    cor_json_open_object(writer, cor_sum_schema(metric)->id);
    cor_json_put_string(writer, "unit", cor_sum_schema(metric)->unit);
    cor_json_put_string(writer, "better", cor_old_better_word(cor_sum_schema(metric)->better));
    cor__put_estimate(writer, "a", &it->value[0]);
    cor__put_estimate(writer, "b", &it->value[1]);
    cor__put_estimate(writer, "difference", &it->difference);
    cor_json_put_string(writer, "test", test_word(arms));
    cor_json_put_string(writer, "test_method", cor_test_method_word(it->test.method));
    cor_json_put_real(writer, "statistic", it->test.statistic);
    cor_json_put_real(writer, "p", it->test.p);
    cor_json_put_real(writer, "p_holm", it->p_holm);
    cor_json_put_real(writer, "a12", it->effect.a12);
    cor_json_put_real(writer, "a12_low", it->effect.bounds.low);
    cor_json_put_real(writer, "a12_high", it->effect.bounds.high);
    cor_json_put_string(writer, "magnitude", cor_magnitude_word(cor_magnitude_of(it->effect.a12)));
    cor_json_put_string(writer, "verdict", cor_compare_verdict_word(it->verdict));
    cor_json_put_string(writer, "b_is", better_word(it->better));
    cor_json_put_string(writer, "not_compared", it->not_compared);
    cor_json_close(writer);
}

static void put_arms(struct cor_json_writer *writer, const struct cor_compared_arms *arms) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "a", arms->name[0]);
    cor_json_put_string(writer, "b", arms->name[1]);
    cor_put_count(writer, "suites_a", arms->suites[0]);
    cor_put_count(writer, "suites_b", arms->suites[1]);
    cor_put_count(writer, "suites_common", arms->common);
    cor_put_count(writer, "suites_equal", arms->equal);
    cor_json_put_bool(writer, "paired", arms->paired);
    cor_json_open_object(writer, "metrics");
    for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT; m++)
        put_metric(writer, arms, m);
    cor_json_close(writer);
    cor_json_close(writer);
}

enum cor_status cor_comparison_json(const struct cor_comparison *comparison, FILE *file,
                                    struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-compare");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_bool(writer, "identical", comparison->identical);
    cor_json_put_real(writer, "level", comparison->level);
    cor_put_count(writer, "tests", comparison->tests);
    cor_put_count(writer, "worse", comparison->worse);
    cor_put_count(writer, "worse_times", comparison->worse_times);
    cor_put_count(writer, "arms_only_a", comparison->without[0]);
    cor_put_count(writer, "arms_only_b", comparison->without[1]);
    cor_json_open_array(writer, "arms");
    for (size_t a = 0; a < comparison->arm_count; a++)
        put_arms(writer, &comparison->arm[a]);
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_write_json(writer, 2, file, error);
}

static void put_line(const struct cor_compared_arms *arms, enum cor_sum_metric metric, FILE *file) {
    const struct cor_compared *it = &arms->metric[metric];
    const char *better = better_word(it->better);
    cor_csv_word(arms->name[0], file);
    fputc(',', file);
    cor_csv_word(arms->name[1], file);
    fprintf(file, ",%s", cor_sum_schema(metric)->id);
    cor__csv_count(it->n[0], file);
    cor__csv_count(it->n[1], file);
    cor__csv_real(it->value[0].mean, file);
    cor__csv_real(it->value[1].mean, file);
    cor__csv_real(it->difference.mean, file);
    cor__csv_real(it->difference.low, file);
    cor__csv_real(it->difference.high, file);
    fprintf(file, ",%s,%s", it->difference.method, test_word(arms));
    cor__csv_real(it->test.p, file);
    cor__csv_real(it->p_holm, file);
    cor__csv_real(it->effect.a12, file);
    fprintf(file, ",%s,%s,%s\n", cor_magnitude_word(cor_magnitude_of(it->effect.a12)),
            cor_compare_verdict_word(it->verdict), better ? better : "");
}

enum cor_status cor_comparison_csv(const struct cor_comparison *comparison, FILE *file,
                                   struct cor_error *error) {
    fputs("arm_a,arm_b,metric,n_a,n_b,a,b,difference,low,high,interval,test,p,p_holm,a12,magnitude,verdict,b_"
          "is\n",
          file);
    for (size_t a = 0; a < comparison->arm_count; a++)
        for (enum cor_sum_metric m = 0; m < COR_SUM_COUNT; m++)
            put_line(&comparison->arm[a], m, file);
    return cor_stream_status(file, error);
}
