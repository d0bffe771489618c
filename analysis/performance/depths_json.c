/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writing.h"

#include <corridor/cells.h>
#include <corridor/depths.h>
#include <corridor/terms.h>

#include <math.h>

static void put_curve(struct cor_json_writer *writer, const struct cor_survival *curve) {
    cor_json_open_array(writer, "curve");
    for (size_t i = 0; i < curve->step_count; i++) {
        const struct cor_survival_step *step = &curve->step[i];
        cor_json_open_object(writer, NULL);
        cor_json_put_real(writer, "cases", step->time);
        cor_put_count(writer, "at_risk", step->at_risk);
        cor_put_count(writer, "detected", step->events);
        cor_put_count(writer, "censored", step->censored);
        cor_json_put_real(writer, "survival", step->survival);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_masking(struct cor_json_writer *writer, const struct cor_depth_arm *arm) {
    cor_json_open_object(writer, "masking");
    cor_put_count(writer, "entered", arm->entered);
    cor_put_count(writer, "gray", arm->gray);
    cor_put_count(writer, "black", arm->black);
    cor_put_count(writer, "masked", arm->masked);
    cor__put_estimate(writer, "gray_share", &arm->gray_share);
    cor__put_estimate(writer, "black_share", &arm->black_share);
    cor__put_estimate(writer, "masked_share", &arm->masked_share);
    cor_put_count(writer, "suites_entered", arm->suites_entered);
    cor_put_count(writer, "suites_detecting", arm->suites_detecting);
    cor__put_estimate(writer, "suite_share", &arm->suite_share);
    cor_json_close(writer);
}

static void put_kills(struct cor_json_writer *writer, const struct cor_depth_arm *arm) {
    char word[64];
    cor_json_open_object(writer, "kills");
    for (size_t k = 0; k < COR_KILLERS; k++) {
        const struct cor_kill *kill = &arm->kill[k];
        if (kill->cases == 0)
            continue;
        cor_json_open_object(writer, cor_old_killer_word(k, word));
        cor_json_put_string(writer, "rule", cor_old_killer_rule(k));
        cor_put_count(writer, "cases", kill->cases);
        cor_put_count(writer, "failures", kill->failures);
        cor_put_count(writer, "alone", kill->alone);
        cor_put_count(writer, "sequences", kill->sequences);
        cor_put_count(writer, "suites", kill->suites);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_arm(struct cor_json_writer *writer, const struct cor_depth_arm *arm) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", arm->name);
    cor_put_count(writer, "suites", arm->suites);
    cor_put_count(writer, "sequences", arm->sequences);
    cor_put_count(writer, "detected", arm->detected);
    cor_put_count(writer, "censored", arm->censored);
    cor_json_open_object(writer, "median");
    cor_json_put_real(writer, "cases", arm->median.cases);
    cor_json_put_real(writer, "low", arm->median.low);
    cor_json_put_real(writer, "high", arm->median.high);
    cor_json_put_string(writer, "interval", arm->median.method);
    cor_json_close(writer);
    cor_json_open_array(writer, "survival");
    for (int p = 0; p < COR_DEPTH_POINTS; p++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "cases", cor_depth_point[p]);
        cor__put_estimate(writer, "share", &arm->survival[p]);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor__put_estimate(writer, "restricted_mean", &arm->restricted_mean);
    cor_json_put_integer(writer, "replicates_without", arm->without);
    put_masking(writer, arm);
    put_kills(writer, arm);
    put_curve(writer, &arm->curve);
    cor_json_close(writer);
}

static void put_test(struct cor_json_writer *writer, const struct cor_log_rank *test) {
    cor_json_put_real(writer, "chi_square", test->chi_square);
    cor_json_put_integer(writer, "df", test->df);
    cor_json_put_real(writer, "p", test->p);
}

static void put_tests(struct cor_json_writer *writer, const struct cor_depths *depths) {
    size_t at = 0;
    cor_json_open_object(writer, "log_rank");
    cor_json_put_string(writer, "assumes", "sequences are independent; those of a suite are not");
    cor_json_open_object(writer, "all");
    put_test(writer, &depths->all);
    cor_json_close(writer);
    cor_json_open_array(writer, "pairs");
    for (size_t b = 1; depths->pair && b < depths->arm_count; b++)
        for (size_t a = 0; a < b; a++, at++) {
            cor_json_open_object(writer, NULL);
            cor_json_put_string(writer, "first", depths->arm[a].name);
            cor_json_put_string(writer, "second", depths->arm[b].name);
            put_test(writer, &depths->pair[at]);
            cor_json_put_real(writer, "p_holm", depths->p_holm[at]);
            cor_json_close(writer);
        }
    cor_json_close(writer);
    cor_json_close(writer);
}

enum cor_status cor_depths_json(const struct cor_depths *depths, FILE *file, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-survival");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_string(writer, "box", depths->box ? cor_term_word(COR_FAMILY_BOX, depths->box) : "any");
    cor_json_put_real(writer, "level", depths->level);
    cor_json_put_real(writer, "horizon", depths->horizon);
    cor_put_count(writer, "continuations_left_out", depths->left_out);
    cor_json_open_array(writer, "arms");
    for (size_t a = 0; a < depths->arm_count; a++)
        put_arm(writer, &depths->arm[a]);
    cor_json_close(writer);
    put_tests(writer, depths);
    cor_json_close(writer);
    return cor_write_json(writer, 2, file, error);
}
