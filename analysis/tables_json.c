/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/cells.h>
#include <corridor/json.h>
#include <corridor/tables.h>

static void put_figure(struct cor_json_writer *writer, const char *key, const struct cor_figure *figure) {
    cor_json_open_object(writer, key);
    cor_json_put_real(writer, "mean", figure->mean);
    cor_json_put_real(writer, "sd", figure->sd);
    cor_json_put_real(writer, "low", figure->low);
    cor_json_put_real(writer, "high", figure->high);
    cor_json_put_string(writer, "interval", cor_interval_word(figure->interval));
    cor_put_count(writer, "n", figure->n);
    cor_put_count(writer, "suites", figure->suites);
    cor_json_put_real(writer, "paper_mean", figure->paper_mean);
    cor_json_put_real(writer, "paper_sd", figure->paper_sd);
    cor_json_put_bool(writer, "paper_derived", figure->paper_derived);
    cor_json_put_string(writer, "paper_note", figure->paper_note);
    cor_json_close(writer);
}

/* Counts by code, under the words of their family; a number the family lacks counts as not said. */
static void put_codes(struct cor_json_writer *writer, const char *key, enum cor_family family,
                      const uint64_t counts[COR_ENDING_CODES]) {
    uint64_t other = 0;
    cor_json_open_object(writer, key);
    for (int code = 0; code < COR_ENDING_CODES; code++) {
        const struct cor_term *term = cor_terms(family);
        while (term->word && term->number != code)
            term++;
        if (term->word)
            cor_put_count(writer, term->word, counts[code]);
        else
            other += counts[code];
    }
    cor_put_count(writer, "not_said", other);
    cor_json_close(writer);
}

static void put_caught(struct cor_json_writer *writer, const struct cor_catch *caught) {
#define PUT(field) cor_put_count(writer, #field, caught->field)
    cor_json_open_object(writer, "caught");
    PUT(reorganizations);
    PUT(reached);
    PUT(held);
    PUT(activated);
    PUT(in_result);
    PUT(in_result_passed);
    PUT(gray);
    PUT(black);
    PUT(activated_gray);
    PUT(activated_black);
    PUT(masked);
    PUT(gray_unprovoked);
    PUT(black_unprovoked);
    PUT(black_only);
    PUT(black_only_adoption);
    PUT(black_only_own_moves);
    PUT(adoption_faults);
    PUT(agreement_judged);
    PUT(agreement_failed);
    PUT(inside_after);
    PUT(outside_after);
    PUT(reached_times);
    PUT(held_times);
    PUT(activated_times);
    PUT(alarms);
    PUT(detect_judged);
    PUT(alarms_missed);
    PUT(alarms_false);
#undef PUT
    put_codes(writer, "smoke", COR_FAMILY_SMOKE, caught->smoke);
    put_codes(writer, "stop", COR_FAMILY_STOP, caught->stop);
    cor_json_close(writer);
}

static void put_found(struct cor_json_writer *writer, const struct cor_arm_tables *arm) {
    const char *words[2];
    size_t count = cor_tables_found_by(arm, words);
    cor_json_put_bool(writer, "found", count > 0);
    cor_json_open_array(writer, "found_by");
    for (size_t i = 0; i < count; i++)
        cor_json_put_string(writer, NULL, words[i]);
    cor_json_close(writer);
}

static void put_first_violations(struct cor_json_writer *writer, const struct cor_arm_tables *arm) {
    cor_json_open_array(writer, "first_violations");
    for (int box = 0; box < COR_TABLES_BOXES; box++) {
        const struct cor_violation_row *row = &arm->first_violation[box];
        char sentence[COR_SENTENCE];
        if (row->box == 0)
            continue;
        cor_violation_sentence(row, sentence);
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "box", cor_term_word(COR_FAMILY_BOX, box));
        cor_put_count(writer, "suite", row->suite);
        cor_put_count(writer, "sequence", row->sequence);
        cor_put_count(writer, "case", row->case_);
        cor_json_put_string(writer, "check", cor_term_word(COR_FAMILY_CHECK, row->check));
        cor_json_put_string(writer, "sentence", sentence);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_agreement(struct cor_json_writer *writer, const struct cor_arm_tables *arm) {
    struct cor_agreement agreement = cor_tables_agreement(arm);
    cor_json_open_object(writer, "agreement");
    cor_put_count(writer, "compared", agreement.compared);
    cor_put_count(writer, "inside", agreement.inside);
    cor_put_count(writer, "below", agreement.below);
    cor_put_count(writer, "above", agreement.above);
    cor_put_count(writer, "doubtful", agreement.doubtful);
    cor_json_close(writer);
}

static void put_arm(struct cor_json_writer *writer, const struct cor_arm_tables *arm) {
#define PUT(field) cor_put_count(writer, #field, arm->field)
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", arm->name);
    PUT(code);
    cor_json_put_string(writer, "description", arm->description);
    cor_json_put_bool(writer, "published", arm->published);
    PUT(suites);
    PUT(sequences);
    PUT(cases);
    PUT(executed);
    PUT(failures);
    PUT(sequences_activated);
    PUT(sequences_detected);
    PUT(sequences_gray_only);
    PUT(sequences_black_only);
    PUT(sequences_both);
    PUT(steps_outside);
    PUT(suites_fallback);
    PUT(continuations);
#undef PUT
    put_found(writer, arm);
    put_first_violations(writer, arm);
    cor_json_open_object(writer, "figures");
    for (int m = 0; m < COR_METRIC_COUNT; m++)
        put_figure(writer, cor_old_metric_schema((enum cor_metric)m)->id, &arm->figure[m]);
    cor_json_close(writer);
    put_agreement(writer, arm);
    put_caught(writer, &arm->caught);
    cor_json_open_object(writer, "identities");
    for (int i = 0; i < COR_IDENTITY_COUNT; i++) {
        cor_json_open_object(writer, cor_old_identity_id((enum cor_identity)i));
        cor_json_put_bool(writer, "holds", arm->identity[i].broken == 0);
        cor_put_count(writer, "checked", arm->identity[i].checked);
        cor_put_count(writer, "broken", arm->identity[i].broken);
        cor_json_put_string(writer, "values", arm->identity[i].values);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
}

static void put_metrics(struct cor_json_writer *writer) {
    cor_json_open_array(writer, "metrics");
    for (int m = 0; m < COR_METRIC_COUNT; m++) {
        const struct cor_metric_schema *schema = cor_old_metric_schema((enum cor_metric)m);
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "id", schema->id);
        cor_json_put_string(writer, "published_id", schema->published_id);
        cor_json_put_integer(writer, "table", schema->table);
        cor_json_put_string(writer, "label", schema->label);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_open_object(writer, "intervals");
    for (int i = 0; i < COR_INTERVAL_COUNT; i++)
        cor_json_put_string(writer, cor_interval_word((enum cor_interval)i),
                            cor_interval_meaning((enum cor_interval)i));
    cor_json_close(writer);
}

static void put_sentences(struct cor_json_writer *writer, const struct cor_tables *tables) {
    cor_json_open_object(writer, "identities");
    for (int i = 0; i < COR_IDENTITY_COUNT; i++)
        cor_json_put_string(writer, cor_old_identity_id((enum cor_identity)i),
                            cor_old_identity_sentence((enum cor_identity)i));
    cor_json_close(writer);
    cor_put_count(writer, "identities_broken", cor_tables_broken(tables));
}

static void put_claim_part(struct cor_json_writer *writer, const struct cor_claim_part *part) {
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "name", part->name);
    cor_json_put_string(writer, "verdict", cor_claim_verdict_word(part->verdict));
    cor_json_put_real(writer, "mean", part->mean);
    cor_json_put_real(writer, "low", part->low);
    cor_json_put_real(writer, "high", part->high);
    cor_json_put_string(writer, "interval", cor_interval_word(part->interval));
    cor_json_put_real(writer, "paper", part->paper);
    cor_json_put_real(writer, "distance", part->distance);
    cor_json_put_real(writer, "half_widths", part->half_widths);
    cor_json_put_string(writer, "note", part->note);
    cor_json_close(writer);
}

static void put_claims(struct cor_json_writer *writer, const struct cor_tables *tables) {
    cor_json_open_array(writer, "claims");
    for (int c = 0; c < COR_CLAIM_COUNT; c++) {
        const struct cor_claim_schema *schema = cor_claim_schema((enum cor_claim)c);
        const struct cor_claim_result *result = &tables->claim[c];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "id", schema->id);
        cor_json_put_string(writer, "sentence", schema->sentence);
        cor_json_put_string(writer, "unit", schema->unit);
        cor_json_put_string(writer, "rule", cor_claim_rule_word(schema->rule));
        cor_json_put_real(writer, "band_low", schema->band_low);
        cor_json_put_real(writer, "band_high", schema->band_high);
        cor_json_put_string(writer, "verdict", cor_claim_verdict_word(result->verdict));
        cor_put_count(writer, "holding", result->holding);
        cor_put_count(writer, "failing", result->failing);
        cor_json_open_array(writer, "parts");
        for (size_t p = 0; p < result->part_count; p++)
            put_claim_part(writer, &result->part[p]);
        cor_json_close(writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

enum cor_status cor_tables_json(const struct cor_tables *tables, FILE *file, struct cor_error *error) {
    struct cor_json_writer *writer;
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status != COR_OK)
        return status;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "schema", "corridor-tables");
    cor_json_put_integer(writer, "version", 1);
    cor_json_put_real(writer, "level", tables->level);
    cor_json_put_string(writer, "method", cor_tables_method_word(tables->method));
    cor_json_put_word(writer, "seed", tables->head->seed);
    cor_json_put_bool(writer, "paired", tables->paired);
    cor_json_put_bool(writer, "complete", tables->head->complete != 0);
    cor_put_count(writer, "planned_suites", tables->head->planned_suites);
    put_metrics(writer);
    cor_json_open_array(writer, "arms");
    for (size_t a = 0; a < tables->arm_count; a++)
        put_arm(writer, &tables->arm[a]);
    cor_json_close(writer);
    put_sentences(writer, tables);
    put_claims(writer, tables);
    cor_json_close(writer);
    return cor_write_json(writer, 2, file, error);
}
