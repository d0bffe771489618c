/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/cells.h>
#include <corridor/contrasts.h>
#include <corridor/json.h>

static void put_side(struct cor_json_writer *writer, const struct cor_contrast_side *side) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "arm", side->arm);
    cor_json_put_string(writer, "box", cor_contrast_box_word(side->box));
    cor_put_count(writer, "suites", side->suites);
    cor_put_count(writer, "sequences", side->sequences);
    cor_put_count(writer, "suites_detecting", side->suites_detecting);
    cor_put_count(writer, "sequences_detecting", side->sequences_detecting);
    cor_json_open_object(writer, "share_pct");
    cor_json_put_real(writer, "mean", side->share.mean);
    cor_json_put_real(writer, "low", side->share.low);
    cor_json_put_real(writer, "high", side->share.high);
    cor_json_put_string(writer, "interval", cor_interval_word(side->share.interval));
    cor_json_close(writer);
    cor_json_put_real(writer, "cases_median", side->median);
    cor_json_put_real(writer, "cases_restricted_mean", side->cases);
    cor_json_close(writer);
}

/* `better` is the sign that speaks for the first side. */
static void put_difference(struct cor_json_writer *writer, const char *key,
                           const struct cor_difference *difference, int better) {
    static const char *const verdicts[] = {"second", "no_difference_claimed", "first"};
    cor_json_open_object(writer, key);
    cor_json_put_real(writer, "mean", difference->mean);
    cor_json_put_real(writer, "low", difference->low);
    cor_json_put_real(writer, "high", difference->high);
    cor_json_put_string(writer, "interval", cor_interval_word(difference->method));
    cor_put_count(writer, "suites_above", difference->above);
    cor_put_count(writer, "suites_below", difference->below);
    cor_json_put_real(writer, "p", difference->p);
    cor_json_put_string(writer, "verdict", verdicts[better * difference->sign + 1]);
    cor_json_close(writer);
}

static void put_differences(struct cor_json_writer *writer, const struct cor_difference *share,
                            const struct cor_difference *cases) {
    put_difference(writer, "share_difference", share, 1);
    put_difference(writer, "cases_difference", cases, -1);
}

static void put_contrast(struct cor_json_writer *writer, const struct cor_contrast *contrast) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", contrast->name);
    cor_json_open_array(writer, "found");
    cor_put_count(writer, NULL, contrast->found[0]);
    cor_put_count(writer, NULL, contrast->found[1]);
    cor_json_close(writer);
    put_differences(writer, &contrast->share, &contrast->cases);
    cor_json_open_array(writer, "pairs");
    for (size_t p = 0; p < contrast->pair_count; p++) {
        cor_json_open_object(writer, NULL);
        cor_json_open_array(writer, "sides");
        put_side(writer, &contrast->pair[p].side[0]);
        put_side(writer, &contrast->pair[p].side[1]);
        cor_json_close(writer);
        put_differences(writer, &contrast->pair[p].share, &contrast->pair[p].cases);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
}

enum cor_status cor_contrasts_json(const struct cor_contrasts *contrasts, FILE *file,
                                   struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-contrasts");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_string(writer, "experiment", contrasts->experiment);
    cor_json_put_real(writer, "level", contrasts->level);
    cor_json_put_bool(writer, "paired", contrasts->paired);
    cor_put_count(writer, "left_out", contrasts->left_out);
    cor_json_put_real(writer, "horizon", contrasts->horizon);
    cor_json_open_array(writer, "contrasts");
    for (size_t c = 0; c < contrasts->count; c++)
        put_contrast(writer, &contrasts->contrast[c]);
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_write_json(writer, 2, file, error);
}
