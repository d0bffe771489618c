/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/cells.h>
#include <corridor/coverage.h>
#include <corridor/json.h>

static void put_covered(struct cor_json_writer *writer, const char *key, const struct cor_covered *covered) {
    cor_json_open_object(writer, key);
    cor_json_put_real(writer, "percent", cor_covered_percent(covered));
    cor_put_count(writer, "n", covered->n);
    cor_json_put_real(writer, "covered", covered->covered);
    cor_json_put_real(writer, "possible", covered->possible);
    cor_json_close(writer);
}

static void put_levels(struct cor_json_writer *writer, const struct cor_ep_coverage *ep) {
    cor_json_open_object(writer, "covered");
    for (int level = 0; level < COR_COVERAGE_LEVEL_COUNT; level++) {
        cor_json_open_object(writer, cor_coverage_level_id((enum cor_coverage_level)level));
        for (int m = 0; m < COR_COVERED_COUNT; m++)
            put_covered(writer, cor_covered_id((enum cor_covered_measure)m), &ep->covered[level][m]);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_unseen(struct cor_json_writer *writer, const char *key, const struct cor_unseen *unseen) {
    cor_json_open_object(writer, key);
    cor_put_count(writer, "n", unseen->n);
    cor_json_put_real(writer, "law", unseen->law);
    cor_json_put_real(writer, "good_turing", unseen->good_turing);
    cor_json_put_real(writer, "cases_law", unseen->cases_law);
    cor_json_put_real(writer, "cases_good_turing", unseen->cases_good_turing);
    cor_put_count(writer, "transitions_unseen", unseen->unseen);
    cor_put_count(writer, "likely_unseen", unseen->unseen_likely);
    cor_put_count(writer, "transitions_once", unseen->once);
    cor_json_put_real(writer, "transitions_unseen_chao", unseen->chao);
    cor_json_close(writer);
}

static void put_curve(struct cor_json_writer *writer, const char *key,
                      const struct cor_coverage_curve *curve) {
    cor_json_open_array(writer, key);
    for (size_t k = 0; k < curve->count; k++) {
        const struct cor_coverage_point *point = &curve->point[k];
        cor_json_open_object(writer, NULL);
        cor_put_count(writer, "at", point->at);
        cor_put_count(writer, "n", point->n);
        cor_json_put_real(writer, "states", point->states);
        cor_json_put_real(writer, "transitions", point->arcs);
        cor_json_put_real(writer, "transition_mass", point->arc_mass);
        cor_json_put_real(writer, "distinct", point->distinct);
        cor_put_count(writer, "expected_n", point->expected_n);
        cor_json_put_real(writer, "expected_states", point->expected_states);
        cor_json_put_real(writer, "expected_transitions", point->expected_arcs);
        cor_json_put_real(writer, "observed_states", point->observed_states);
        cor_json_put_real(writer, "observed_transitions", point->observed_arcs);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_missed(struct cor_json_writer *writer, const struct cor_ep_coverage *ep) {
    cor_json_open_array(writer, "missed");
    for (size_t m = 0; m < ep->missed_count; m++) {
        const struct cor_missed *missed = &ep->missed[m];
        cor_json_open_object(writer, NULL);
        cor_put_count(writer, "arm", missed->arm);
        cor_put_count(writer, "environment", missed->environment);
        if (missed->suite >= 0) {
            cor_json_put_integer(writer, "suite", missed->suite);
            cor_put_count(writer, "profile", missed->profile);
        }
        cor_put_count(writer, "from", missed->from);
        cor_put_count(writer, "to", missed->to);
        cor_json_put_real(writer, "probability", missed->probability);
        cor_json_put_real(writer, "expected", missed->expected);
        cor_json_put_real(writer, "chance", missed->chance);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_counts(struct cor_json_writer *writer, const uint64_t *counts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        cor_put_count(writer, NULL, counts[i]);
}

static void put_reals(struct cor_json_writer *writer, const double *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        cor_json_put_real(writer, NULL, values[i]);
}

/* By number of state, row by row from each state. */
static void put_matrix(struct cor_json_writer *writer, const struct cor_ep_coverage *ep) {
    uint32_t n = ep->states;
    if (ep->state_name) {
        cor_json_open_array(writer, "states");
        for (uint32_t i = 0; i < n; i++)
            cor_json_put_string(writer, NULL, ep->state_name[i]);
        cor_json_close(writer);
    }
    cor_json_open_array(writer, "visits");
    put_counts(writer, ep->visits, n);
    cor_json_close(writer);
    cor_json_open_array(writer, "taken");
    for (uint32_t i = 0; i < n; i++) {
        cor_json_open_array(writer, NULL);
        put_counts(writer, ep->taken + (size_t)i * n, n);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    if (!ep->probability)
        return;
    cor_json_open_array(writer, "probability");
    for (uint32_t i = 0; i < n; i++) {
        cor_json_open_array(writer, NULL);
        put_reals(writer, ep->probability + (size_t)i * n, n);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    if (!ep->lawful) {
        cor_json_put_string(writer, "stationary", NULL);
        return;
    }
    cor_json_open_array(writer, "stationary");
    put_reals(writer, ep->share, n);
    cor_json_close(writer);
}

static void put_ep(struct cor_json_writer *writer, const struct cor_ep_coverage *ep, bool all) {
    cor_json_open_object(writer, all ? "all" : NULL);
    if (!all) {
        cor_json_put_string(writer, "name", ep->name);
        cor_put_count(writer, "code", ep->code);
    }
    cor_json_put_bool(writer, "same_in_all_suites", ep->fixed);
    cor_json_put_bool(writer, "lawful", ep->lawful);
    cor_put_count(writer, "profiles", ep->profiles);
    cor_put_count(writer, "walks", ep->walks);
    cor_put_count(writer, "steps", ep->steps);
    cor_put_count(writer, "steps_outside", ep->steps_outside);
    put_levels(writer, ep);
    cor_json_open_object(writer, "unseen");
    put_unseen(writer, "suite", &ep->suite);
    put_unseen(writer, "campaign", &ep->campaign);
    cor_json_close(writer);
    cor_json_open_object(writer, "growth");
    put_curve(writer, "cases", &ep->cases);
    put_curve(writer, "sequences", &ep->sequences);
    put_curve(writer, "suites", &ep->suites);
    cor_json_close(writer);
    put_missed(writer, ep);
    if (!all)
        put_matrix(writer, ep);
    cor_json_close(writer);
}

static void put_pairs(struct cor_json_writer *writer, const struct cor_pair_coverage *pairs) {
    cor_json_open_object(writer, "pairs");
    cor_put_count(writer, "pairs", pairs->pairs);
    cor_put_count(writer, "pairs_looked_at", pairs->pairs_looked_at);
    put_covered(writer, "sequence", &pairs->sequence);
    put_covered(writer, "suite", &pairs->suite);
    put_covered(writer, "sequence_mass", &pairs->sequence_mass);
    put_covered(writer, "suite_mass", &pairs->suite_mass);
    cor_json_close(writer);
}

static void put_parameters(struct cor_json_writer *writer, const struct cor_arm_coverage *arm) {
    cor_json_open_array(writer, "parameters");
    for (size_t i = 0; i < arm->parameter_count; i++) {
        const struct cor_parameter_coverage *parameter = &arm->parameter[i];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", parameter->name);
        if (!parameter->of_suite)
            cor_put_count(writer, "code", parameter->code);
        cor_put_count(writer, "n", parameter->n);
        cor_put_count(writer, "undefined", parameter->undefined);
        cor_json_put_bool(writer, "whole", parameter->whole);
        cor_json_put_bool(writer, "main", parameter->main);
        cor_json_put_real(writer, "min", parameter->min);
        cor_json_put_real(writer, "median", parameter->median);
        cor_json_put_real(writer, "max", parameter->max);
        cor_json_open_array(writer, "bins");
        put_counts(writer, parameter->bin, parameter->bins);
        cor_json_close(writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_open_object(writer, "parameter_pairs");
    cor_put_count(writer, "pairs", arm->parameter_pairs);
    cor_put_count(writer, "cells", arm->cells);
    cor_put_count(writer, "cells_drawn", arm->cells_drawn);
    cor_json_close(writer);
}

static void put_probes(struct cor_json_writer *writer, const struct cor_arm_coverage *arm) {
    size_t i = 0;
    cor_json_open_array(writer, "probes");
    while (i < arm->probe_count) {
        uint16_t code = arm->probe[i].code;
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "name", arm->probe[i].name);
        cor_json_put_string(writer, "description", arm->probe[i].description);
        cor_json_open_array(writer, "buckets");
        for (; i < arm->probe_count && arm->probe[i].code == code; i++) {
            cor_json_open_object(writer, NULL);
            cor_put_count(writer, "bucket", arm->probe[i].bucket);
            cor_put_count(writer, "count", arm->probe[i].count);
            cor_put_count(writer, "suites", arm->probe[i].suites);
            cor_json_close(writer);
        }
        cor_json_close(writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_arm(struct cor_json_writer *writer, const char *key, const struct cor_arm_coverage *arm) {
    cor_json_open_object(writer, key);
    cor_json_put_string(writer, "name", arm->name);
    if (!key)
        cor_put_count(writer, "code", arm->code);
    cor_json_put_bool(writer, "by_profile", arm->by_profile);
    cor_put_count(writer, "suites", arm->suites);
    cor_put_count(writer, "sequences", arm->sequences);
    cor_put_count(writer, "cases", arm->cases);
    cor_put_count(writer, "chains", arm->chains);
    if (arm->ep_count > 0)
        put_ep(writer, arm->ep[0], true);
    else
        cor_json_put_string(writer, "all", NULL);
    cor_json_open_array(writer, "environments");
    for (size_t i = 1; i < arm->ep_count; i++)
        put_ep(writer, arm->ep[i], false);
    cor_json_close(writer);
    put_pairs(writer, &arm->pairs);
    put_parameters(writer, arm);
    put_probes(writer, arm);
    cor_json_close(writer);
}

static void put_meanings(struct cor_json_writer *writer) {
    cor_json_open_object(writer, "measures");
    for (int m = 0; m < COR_COVERED_COUNT; m++)
        cor_json_put_string(writer, cor_covered_id((enum cor_covered_measure)m),
                            cor_covered_meaning((enum cor_covered_measure)m));
    cor_json_close(writer);
    cor_json_open_object(writer, "levels");
    for (int level = 0; level < COR_COVERAGE_LEVEL_COUNT; level++)
        cor_json_put_string(writer, cor_coverage_level_id((enum cor_coverage_level)level),
                            cor_coverage_level_meaning((enum cor_coverage_level)level));
    cor_json_close(writer);
}

enum cor_status cor_coverage_json(const struct cor_coverage *coverage, FILE *file, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-coverage");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_word(writer, "seed", coverage->head->seed);
    cor_json_put_bool(writer, "complete", coverage->head->complete);
    if (coverage->suite >= 0)
        cor_json_put_integer(writer, "suite", coverage->suite);
    put_meanings(writer);
    put_arm(writer, "all", &coverage->arm[0]);
    cor_json_open_array(writer, "arms");
    for (size_t a = 1; a < coverage->arm_count; a++)
        put_arm(writer, NULL, &coverage->arm[a]);
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_write_json(writer, 1, file, error);
}
