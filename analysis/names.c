/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What identities, claims, intervals and metrics are called. */
#include <corridor/tables.h>
#include <corridor/violation.h>

struct named {
    const char *id, *sentence;
};

#define NAMED(NAME, id, sentence) {id, sentence},
static const struct named identities[] = {COR_IDENTITIES(NAMED)};
#undef NAMED

const char *cor_tables_method_word(enum cor_tables_method method) {
    static const char *const words[COR_TABLES_METHOD_COUNT] = {"linearised", "bca"};
    return words[method];
}

const char *cor_old_identity_id(enum cor_identity identity) {
    return identities[identity].id;
}

const char *cor_old_identity_sentence(enum cor_identity identity) {
    return identities[identity].sentence;
}

const struct cor_claim_schema *cor_claim_schema(enum cor_claim claim) {
    static const struct cor_claim_schema schemas[] = {
#define COR_CLAIM(NAME, id, rule, low, high, unit, sentence) {id, unit, sentence, COR_RULE_##rule, low, high},
        COR_CLAIMS(COR_CLAIM)
#undef COR_CLAIM
    };
    return &schemas[claim];
}

const char *cor_claim_rule_word(enum cor_claim_rule rule) {
    static const char *const words[] = {"seen", "never", "order", "meets"};
    return words[rule];
}

const char *cor_claim_verdict_word(enum cor_claim_verdict verdict) {
    static const char *const words[] = {"not_available", "holds", "fails"};
    return words[verdict];
}

const struct cor_metric_schema *cor_old_metric_schema(enum cor_metric metric) {
    static const struct cor_metric_schema schemas[] = {
#define COR_METRIC(NAME, id, published, table, kind, label) {id, published, label, table, COR_KIND_##kind},
        COR_METRICS(COR_METRIC)
#undef COR_METRIC
    };
    return &schemas[metric];
}

void cor_violation_sentence(const struct cor_violation_row *row, char text[COR_SENTENCE]) {
    const struct cor_violation violation = {
        .check = (enum cor_check)row->check,
        .agent = row->agent,
        .partition = row->partition,
        .expected = row->expected,
        .found = row->found,
    };
    cor_violation_text(&violation, text, COR_SENTENCE);
}
