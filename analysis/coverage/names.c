/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What measures, levels and tables are called. */
#include <corridor/coverage.h>

#include <math.h>

struct named {
    const char *id, *meaning;
};

#define NAMED(NAME, id, meaning) {id, meaning},
static const struct named measures[] = {COR_COVERED(NAMED)};
static const struct named levels[] = {COR_COVERAGE_LEVELS(NAMED)};
static const struct named tables[] = {COR_COVERAGE_TABLES(NAMED)};
#undef NAMED

const char *cor_covered_id(enum cor_covered_measure measure) {
    return measures[measure].id;
}

const char *cor_covered_meaning(enum cor_covered_measure measure) {
    return measures[measure].meaning;
}

const char *cor_coverage_level_id(enum cor_coverage_level level) {
    return levels[level].id;
}

const char *cor_coverage_level_meaning(enum cor_coverage_level level) {
    return levels[level].meaning;
}

const char *cor_coverage_table_id(enum cor_coverage_table table) {
    return tables[table].id;
}

double cor_covered_percent(const struct cor_covered *covered) {
    return covered->n > 0 ? 100 * covered->share_sum / (double)covered->n : NAN;
}
