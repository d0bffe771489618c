/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What identities, orderings, intervals and metrics are called. */
#include <corridor/tables.h>

struct named {
    const char *id, *sentence;
};

#define NAMED(NAME, id, sentence) {id, sentence},
static const struct named identities[] = {COR_IDENTITIES(NAMED)};
static const struct named orderings[] = {COR_ORDERINGS(NAMED)};
static const struct named intervals[] = {COR_INTERVALS(NAMED)};
#undef NAMED

const char *cor_identity_id(enum cor_identity identity) {
    return identities[identity].id;
}

const char *cor_identity_sentence(enum cor_identity identity) {
    return identities[identity].sentence;
}

const char *cor_ordering_id(enum cor_ordering ordering) {
    return orderings[ordering].id;
}

const char *cor_ordering_sentence(enum cor_ordering ordering) {
    return orderings[ordering].sentence;
}

const char *cor_interval_word(enum cor_interval interval) {
    return intervals[interval].id;
}

const char *cor_interval_meaning(enum cor_interval interval) {
    return intervals[interval].sentence;
}

const struct cor_metric_schema *cor_metric_schema(enum cor_metric metric) {
    static const struct cor_metric_schema schemas[] = {
#define COR_METRIC(NAME, id, published, table, kind, label) {id, published, label, table, COR_KIND_##kind},
        COR_METRICS(COR_METRIC)
#undef COR_METRIC
    };
    return &schemas[metric];
}
