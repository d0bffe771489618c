/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit as JSON: the report, and the profile file. */
#include "fit_parts.h"

#include <corridor/array.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tail probability comes from a library whose last digits depend on the machine; three of them are
 * plenty. */
static double rounded(double p) {
    char text[40];
    snprintf(text, sizeof text, "%.2e", p);
    return isnan(p) ? p : strtod(text, NULL);
}

static void put_stays(const struct cor_fit_stays *stays, struct cor_json_writer *writer) {
    cor_json_open_object(writer, "stays");
    cor_json_put_integer(writer, "count", (int64_t)stays->count);
    cor_json_put_real(writer, "mean", stays->mean);
    cor_json_put_real(writer, "chain_mean", stays->chain_mean);
    cor_json_open_array(writer, "observed");
    for (uint32_t k = 0; k < COR_FIT_STAYS; k++)
        cor_json_put_integer(writer, NULL, (int64_t)stays->observed[k]);
    cor_json_close(writer);
    cor_json_open_array(writer, "expected");
    for (uint32_t k = 0; k < COR_FIT_STAYS; k++)
        cor_json_put_real(writer, NULL, stays->expected[k]);
    cor_json_close(writer);
    cor_json_put_real(writer, "chi_square", stays->chi_square);
    cor_json_put_integer(writer, "degrees", stays->degrees);
    cor_json_put_real(writer, "p", rounded(stays->p));
    cor_json_close(writer);
}

static void put_states(const struct cor_fit *fit, struct cor_json_writer *writer) {
    cor_json_open_object(writer, "states");
    for (uint32_t i = 0; i < fit->state_count; i++) {
        const struct cor_fit_state *state = &fit->states[i];
        cor_json_open_object(writer, fit->profile->states[i]);
        cor_json_put_integer(writer, "part_of_day", state->block);
        cor_json_put_integer(writer, "level", state->level);
        cor_json_put_real(writer, "low", state->low);
        cor_json_put_real(writer, "high", state->high);
        cor_json_put_integer(writer, "count", (int64_t)state->count);
        cor_json_put_integer(writer, "left_count", (int64_t)state->left_count);
        cor_json_put_real(writer, "mean", state->mean);
        cor_json_put_real(writer, "share", state->share);
        cor_json_put_real(writer, "stationary", state->stationary);
        put_stays(&state->stays, writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_counts(const struct cor_fit *fit, struct cor_json_writer *writer) {
    cor_json_open_object(writer, "transition_counts");
    for (uint32_t from = 0; from < fit->state_count; from++) {
        cor_json_open_object(writer, fit->profile->states[from]);
        for (uint32_t to = 0; to < fit->state_count; to++) {
            uint64_t count = fit->transitions[from * fit->state_count + to];
            if (count > 0)
                cor_json_put_integer(writer, fit->profile->states[to], (int64_t)count);
        }
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_orders(const struct cor_fit *fit, struct cor_json_writer *writer) {
    cor_json_put_integer(writer, "order_transitions", (int64_t)fit->order_transition_count);
    cor_json_open_array(writer, "orders");
    for (uint32_t k = 0; k < COR_FIT_ORDERS; k++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "order", k);
        cor_json_put_integer(writer, "parameters", (int64_t)fit->orders[k].parameters);
        cor_json_put_real(writer, "log_likelihood", fit->orders[k].log_likelihood);
        cor_json_put_real(writer, "bic", fit->orders[k].bic);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_lags(const struct cor_fit *fit, struct cor_json_writer *writer) {
    cor_json_open_array(writer, "autocorrelation");
    for (uint32_t k = 0; k < COR_FIT_LAGS; k++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "lag", fit->lags[k].lag);
        cor_json_put_real(writer, "observed", fit->lags[k].observed);
        cor_json_put_real(writer, "chain", fit->lags[k].chain);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

/* The remarks, one string each. */
static void put_remarks(const struct cor_fit *fit, struct cor_json_writer *writer) {
    cor_json_open_array(writer, "not_described");
    for (const char *at = fit->remarks; *at;) {
        size_t length = strcspn(at, "\n");
        char *sentence = cor_format("%.*s", (int)length, at);
        cor_json_put_string(writer, NULL, sentence ? sentence : "");
        free(sentence);
        at += length + (at[length] == '\n');
    }
    cor_json_close(writer);
}

void cor_fit_json(const struct cor_fit *fit, struct cor_json_writer *writer, const char *key) {
    cor_json_open_object(writer, key);
    cor_json_put_integer(writer, "values", (int64_t)fit->value_count);
    cor_json_put_integer(writer, "segments", (int64_t)fit->segment_count);
    cor_json_put_integer(writer, "gaps", (int64_t)fit->gap_count);
    cor_json_put_integer(writer, "irregular_steps", (int64_t)fit->irregular_count);
    cor_json_put_integer(writer, "transitions", (int64_t)fit->transition_count);
    cor_json_put_integer(writer, "parts_of_day", fit->block_count);
    cor_json_put_string(writer, "levels_by", fit->by_quantiles ? "quantiles" : "cuts");
    cor_json_open_array(writer, "cuts");
    for (uint32_t i = 0; i < fit->cut_count; i++)
        cor_json_put_real(writer, NULL, fit->cuts[i]);
    cor_json_close(writer);
    put_states(fit, writer);
    put_counts(fit, writer);
    put_orders(fit, writer);
    put_lags(fit, writer);
    cor_json_put_real(writer, "variance_within_states", fit->within_share);
    cor_json_put_real(writer, "share_distance", fit->share_distance);
    put_remarks(fit, writer);
    cor_json_close(writer);
}

static void put_transitions(const struct cor_profile *profile, struct cor_json_writer *writer) {
    cor_json_open_object(writer, "transitions");
    for (uint32_t from = 0; from < profile->state_count; from++) {
        cor_json_open_object(writer, profile->states[from]);
        for (uint32_t to = 0; to < profile->state_count; to++) {
            double probability = profile->probability[from * profile->state_count + to];
            if (probability > 0.0)
                cor_json_put_real(writer, profile->states[to], probability);
        }
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_profile(const struct cor_fit *fit, struct cor_json_writer *writer) {
    const struct cor_profile *profile = fit->profile;
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_profile", COR_PROFILE_VERSION);
    cor_json_put_string(writer, "name", profile->name);
    cor_json_open_object(writer, "source");
    cor_json_put_string(writer, "file", fit->file);
    cor_json_put_string(writer, "column", fit->column);
    if (fit->command)
        cor_json_put_string(writer, "command", fit->command);
    cor_json_close(writer);
    cor_json_open_array(writer, "states");
    for (uint32_t i = 0; i < profile->state_count; i++)
        cor_json_put_string(writer, NULL, profile->states[i]);
    cor_json_close(writer);
    put_transitions(profile, writer);
    cor_json_put_string(writer, "start", COR_PROFILE_STATIONARY);
    cor_fit_json(fit, writer, "fit");
    cor_json_close(writer);
}

char *cor_fit_profile_text(const struct cor_fit *fit, struct cor_error *error) {
    struct cor_json_writer *writer;
    if (cor_json_writer_create(&writer, error) != COR_OK)
        return NULL;
    put_profile(fit, writer);
    char *bare = cor_json_writer_text(writer, 1, error);
    char *text = bare ? cor_format("%s\n", bare) : NULL;
    if (bare && !text)
        (void)cor_fail_memory(error);
    free(bare);
    cor_json_writer_destroy(writer);
    return text;
}
