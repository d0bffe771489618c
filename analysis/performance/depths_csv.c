/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "writing.h"

#include <corridor/cells.h>
#include <corridor/depths.h>

static void put_step(const struct cor_depth_arm *arm, const struct cor_survival_step *step, FILE *file) {
    cor_csv_word(arm->name, file);
    cor__csv_real(step->time, file);
    cor__csv_count(step->at_risk, file);
    cor__csv_count(step->events, file);
    cor__csv_count(step->censored, file);
    cor__csv_real(step->survival, file);
    cor__csv_real(step->bounds.low, file);
    cor__csv_real(step->bounds.high, file);
    fputc('\n', file);
}

enum cor_status cor_depths_csv(const struct cor_depths *depths, FILE *file, struct cor_error *error) {
    fputs("arm,cases,at_risk,detected,censored,survival,low,high\n", file);
    for (size_t a = 0; a < depths->arm_count; a++)
        for (size_t i = 0; i < depths->arm[a].curve.step_count; i++)
            put_step(&depths->arm[a], &depths->arm[a].curve.step[i], file);
    return cor_stream_status(file, error);
}

enum cor_status cor_kills_csv(const struct cor_depths *depths, FILE *file, struct cor_error *error) {
    char word[64];
    fputs("arm,oracle,cases,failures,alone,sequences,suites\n", file);
    for (size_t a = 0; a < depths->arm_count; a++)
        for (size_t k = 0; k < COR_KILLERS; k++) {
            const struct cor_kill *kill = &depths->arm[a].kill[k];
            if (kill->cases == 0)
                continue;
            cor_csv_word(depths->arm[a].name, file);
            fprintf(file, ",%s", cor_old_killer_word(k, word));
            cor__csv_count(kill->cases, file);
            cor__csv_count(kill->failures, file);
            cor__csv_count(kill->alone, file);
            cor__csv_count(kill->sequences, file);
            cor__csv_count(kill->suites, file);
            fputc('\n', file);
        }
    return cor_stream_status(file, error);
}
