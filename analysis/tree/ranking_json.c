/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tree_json.h"

#include <corridor/cells.h>
static void put_feature(struct cor_json_writer *writer, const struct cor_feature *feature) {
    static const char *const comparisons[] = {
        [COR_AT_LEAST] = ">=", [COR_AT_MOST] = "<=", [COR_PRESENT] = "present"};
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "aspect", cor_aspect_words[feature->aspect]);
    cor_json_put_string(writer, "feature", feature->name);
    cor_json_put_string(writer, "comparison", comparisons[feature->comparison]);
    cor_json_put_real(writer, "bound", feature->bound);
    cor_json_put_real(writer, "next", feature->next);
    cor_json_put_bool(writer, "once", feature->once);
    cor_put_count(writer, "failing_with", feature->failing_with);
    cor_put_count(writer, "failing_without", feature->failing_without);
    cor_put_count(writer, "passing_with", feature->passing_with);
    cor_put_count(writer, "passing_without", feature->passing_without);
    for (enum cor_score s = 0; s < COR_SCORE_COUNT; s++)
        cor_json_put_real(writer, cor_score_words[s], feature->score[s]);
    cor_put_count(writer, "rank_best", feature->rank_best);
    cor_json_put_real(writer, "rank", cor_feature_rank(feature));
    cor_put_count(writer, "rank_worst", feature->rank_worst);
    cor_json_close(writer);
}

static void put_list(struct cor_json_writer *writer, const char *key, const struct cor_feature_list *list) {
    cor_json_open_array(writer, key);
    for (size_t i = 0; i < list->count; i++)
        put_feature(writer, &list->feature[i]);
    cor_json_close(writer);
}

static void put_scores(struct cor_json_writer *writer) {
    cor_json_open_object(writer, "scores");
    for (enum cor_score s = 0; s < COR_SCORE_COUNT; s++) {
        cor_json_open_object(writer, cor_score_words[s]);
        cor_json_put_string(writer, "formula", cor_score_formulas[s]);
        cor_json_put_string(writer, "source", cor_score_sources[s]);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

void cor__put_ranking(struct cor_json_writer *writer, const struct cor_ranking *ranking) {
    cor_json_open_object(writer, "ranking");
    cor_json_put_string(writer, "unit", cor_unit_words[ranking->unit]);
    cor_json_put_string(writer, "score", cor_score_words[ranking->score]);
    if (ranking->suite != COR_ANY_SUITE)
        cor_put_count(writer, "suite", ranking->suite);
    cor_put_count(writer, "failing", ranking->failing);
    cor_put_count(writer, "passing", ranking->passing);
    cor_put_count(writer, "suites", ranking->suites);
    cor_put_count(writer, "suites_failing", ranking->suites_failing);
    put_scores(writer);
    cor_json_put_real(writer, "p", ranking->p);
    cor_put_count(writer, "permutations", ranking->permutations);
    put_list(writer, "causes", &ranking->causes);
    put_list(writer, "symptoms", &ranking->symptoms);
    cor_json_put_string(writer, "note", ranking->note);
    cor_json_close(writer);
}
