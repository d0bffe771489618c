/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/metric.h>

#include <corridor/error.h>

#include <stddef.h>

const char *cor_better_word(enum cor_better better) {
    static const char *const words[] = {"neither", "lower", "higher"};
    COR_ASSERT(better <= COR_BETTER_HIGHER);
    return words[better];
}

const struct cor_metric_schema *cor_metric_schema(enum cor_metric metric) {
    static const struct cor_metric_schema schemas[] = {
#define COR_METRIC(NAME, id, unit, kind, better, shown, published, stream, meaning) \
    {id, unit, published, meaning, COR_KIND_##kind, COR_BETTER_##better, shown, stream},
        COR_METRICS(COR_METRIC)
#undef COR_METRIC
    };
    COR_ASSERT(metric < COR_METRIC_COUNT);
    return &schemas[metric];
}

double cor_metric_whole(enum cor_metric metric) {
    switch (cor_metric_schema(metric)->kind) {
    case COR_KIND_PERCENT:
    case COR_KIND_SHARE:
        return 100;
    case COR_KIND_FRACTION:
        return 1;
    default:
        return 0;
    }
}

double cor_metric_least(enum cor_metric metric) {
    return cor_metric_schema(metric)->kind == COR_KIND_DEPTH ? 1 : 0;
}

bool cor_metric_is_time(enum cor_metric metric) {
    return metric == COR_METRIC_CPU_REORGANIZATION || metric == COR_METRIC_CPU_CASE;
}
