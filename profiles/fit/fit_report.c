/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a fit in words and as JSON, and the profile file. */
#include "../internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_TRANSITIONS = 10, WARNINGS_SIZE = 1 << 14 };

/* From where on a figure is worth a sentence. */
#define STAY_P 0.01
#define CORRELATION_DIFFERENCE 0.1
#define WITHIN_SHARE 0.05
#define SHARE_DISTANCE 0.02

/* Names the states for which `is` holds, after `lead`; nothing if there are none. */
static void name_states(struct cor_bytes *text, const struct cor_fit *fit,
                        bool (*is)(const struct cor_fit_state *), const char *lead, const char *tail) {
    uint32_t named = 0;
    for (uint32_t i = 0; i < fit->state_count; i++)
        if (is(&fit->states[i]))
            cor_bytes_print(text, "%s%s", named++ == 0 ? lead : ", ", fit->profile->states[i]);
    if (named > 0)
        cor_bytes_print(text, "%s\n", tail);
}

static bool stays_differ(const struct cor_fit_state *state) {
    return state->stays.p < STAY_P; /* false for NaN */
}

static bool has_long_stays(const struct cor_fit_state *state) {
    return stays_differ(state) &&
           (double)state->stays.observed[COR_FIT_STAYS - 1] > state->stays.expected[COR_FIT_STAYS - 1];
}

static bool has_even_stays(const struct cor_fit_state *state) {
    return stays_differ(state) && !has_long_stays(state);
}

static bool is_never_left(const struct cor_fit_state *state) {
    return state->left_count == 0 && !state->has_prior;
}

static bool is_left_by_prior(const struct cor_fit_state *state) {
    return state->left_count == 0 && state->has_prior;
}

static bool is_rarely_left(const struct cor_fit_state *state) {
    return state->left_count > 0 && state->left_count < FEW_TRANSITIONS;
}

/* " of column "speed"", where there are several. */
struct column_name {
    char text[128];
};

static struct column_name of_column(const struct cor_fit *fit, const struct cor_fit_column *column) {
    struct column_name name = {""};
    if (fit->column_count > 1)
        snprintf(name.text, sizeof name.text, " of column \"%.100s\"", column->name);
    return name;
}

static void remark_lag(struct cor_bytes *text, const struct cor_fit *fit, const struct cor_fit_column *column,
                       uint32_t which, const char *hint) {
    const struct cor_fit_lag *lag = &column->lags[which];
    if (fabs(lag->observed - lag->chain) > CORRELATION_DIFFERENCE)
        cor_bytes_print(text, "Cycle: %s%s %u %s apart %s by %.2f, in the chain by %.2f: %s.%s\n",
                        column->words ? "words" : "states", of_column(fit, column).text, lag->lag,
                        lag->lag == 1 ? "step" : "steps",
                        column->words ? "are the same beyond chance" : "correlate", lag->observed, lag->chain,
                        lag->observed > lag->chain ? "a cycle or a trend is not described"
                                                   : "the chain remembers longer than the series",
                        hint);
}

/* What could be done about a daily cycle. A part of the day of several hours is stayed in
 * for a random time, so only with 24 parts does the chain know what time it is. */
static const char *daily_hint(const struct cor_fit *fit, bool has_hours) {
    bool is_day = fit->season_from == COR_SEASON_TIMES || fit->season == 24;
    if (!has_hours || !is_day || fit->block_count == 24)
        return "";
    return fit->block_count == 1
               ? " Parts of the day can be made part of the state (--hours)."
               : " Parts of the day of several hours lose the time of day; 24 parts (--hours 24) keep it.";
}

enum cor_status profiles__fit_remarks(struct cor_fit *fit, bool has_hours, struct cor_error *error) {
    struct cor_bytes text = {0};
    double of_two = fit->orders[1].bic - fit->orders[2].bic,
           of_none = fit->orders[1].bic - fit->orders[0].bic;
    if (of_two > 0.0 && of_two >= of_none)
        cor_bytes_print(&text,
                        "Memory: BIC prefers a chain of order 2 by %.1f: the next state depends on the state "
                        "before the present one, too.\n",
                        of_two);
    else if (of_none > 0.0)
        cor_bytes_print(&text,
                        "Memory: BIC prefers independent draws by %.1f: the present state says too little "
                        "about the next one to pay for the transition probabilities.\n",
                        of_none);
    name_states(&text, fit, has_long_stays,
                "Stays: long ones, of 8 steps and more, are more frequent than in the chain (p < 0.01) in ",
                ".");
    name_states(
        &text, fit, has_even_stays,
        "Stays: they are not geometric (p < 0.01), long ones being no more frequent than in the chain, in ",
        ".");
    for (uint32_t k = 0; k < fit->column_count; k++) {
        remark_lag(&text, fit, &fit->columns[k], 0, "");
        if (fit->season != 1)
            remark_lag(&text, fit, &fit->columns[k], 1, daily_hint(fit, has_hours));
    }
    for (uint32_t k = 0; k < fit->column_count; k++)
        if (fit->columns[k].within_share > WITHIN_SHARE)
            cor_bytes_print(&text,
                            "Levels: %.1f %% of the variance of the values%s lies within the states and is "
                            "not described.\n",
                            100.0 * fit->columns[k].within_share, of_column(fit, &fit->columns[k]).text);
    if (fit->share_distance > SHARE_DISTANCE)
        cor_bytes_print(
            &text, "Shares: those of the chain in the long run differ from those of the data by %.1f %%.\n",
            100.0 * fit->share_distance);
    if (fit->irregular_count > 0)
        cor_bytes_print(
            &text,
            "Time: %llu of %llu steps do not advance by the usual number of %s; they were counted "
            "as transitions like the others.\n",
            (unsigned long long)fit->irregular_count, (unsigned long long)fit->transition_count,
            fit->step_months > 0                  ? "months"
            : fmod(fit->step_seconds, 86400) <= 0 ? "days"
            : fmod(fit->step_seconds, 3600) <= 0  ? "hours"
            : fmod(fit->step_seconds, 60) <= 0    ? "minutes"
                                                  : "seconds");
    if (fit->gap_count > 0)
        cor_bytes_print(&text, "Gaps: %llu cells without a value split the series into %llu segments.\n",
                        (unsigned long long)fit->gap_count, (unsigned long long)fit->segment_count);
    name_states(&text, fit, is_never_left, "Data: nothing ever follows ",
                "; from there the chain goes on to any state, by its share of all values.");
    name_states(&text, fit, is_left_by_prior, "Data: nothing ever follows ",
                "; where the chain goes on to from there, the prior alone says.");
    name_states(&text, fit, is_rarely_left, "Data: fewer than 10 transitions lead out of ", ".");
    if (text.size > 0)
        text.bytes[--text.size] = 0; /* the last line end */
    fit->remarks = cor_bytes_text_take(&text, error);
    return fit->remarks ? COR_OK : COR_STATUS_MEMORY;
}

/* A number, or a dash where there is none. */
static void put_number(struct cor_bytes *text, const char *format_width, double number) {
    char shown[40];
    if (isfinite(number))
        snprintf(shown, sizeof shown, "%.4g", number);
    else
        snprintf(shown, sizeof shown, isnan(number) ? "-" : "for ever");
    cor_bytes_print(text, "%*s", (int)strlen(format_width), shown);
}

/* Is a state of the written profile one that the prior alone has, or, not `added`, one that it lacks? */
static bool is_of_one(const struct cor_fit *fit, uint32_t state, bool added) {
    return added ? state >= fit->state_count : state < fit->state_count && !fit->states[state].has_prior;
}

static void name_prior_states(struct cor_bytes *text, const struct cor_fit *fit, bool added, const char *lead,
                              const char *tail) {
    uint32_t named = 0;
    for (uint32_t i = 0; i < fit->joined->state_count; i++)
        if (is_of_one(fit, i, added))
            cor_bytes_print(text, "%s%s", named++ == 0 ? lead : ", ", fit->joined->states[i]);
    if (named > 0)
        cor_bytes_print(text, "%s\n", tail);
}

/* How many bytes a column of means is wide. */
static int mean_width(const struct cor_fit *fit, const struct cor_fit_column *column) {
    const int name = (int)strlen(column->name);
    return fit->column_count == 1 || name < 10 ? 10 : name > 20 ? 20 : name;
}

static void put_states(struct cor_bytes *text, const struct cor_fit *fit, int width) {
    cor_bytes_print(text, "%-*s    values", width, "state");
    for (uint32_t k = 0; k < fit->column_count; k++)
        if (!fit->columns[k].words)
            cor_bytes_print(text, " %*.*s", mean_width(fit, &fit->columns[k]),
                            mean_width(fit, &fit->columns[k]),
                            fit->column_count == 1 ? "mean" : fit->columns[k].name);
    cor_bytes_print(text, "     share  long run\n");
    for (uint32_t i = 0; i < fit->state_count; i++) {
        const struct cor_fit_state *state = &fit->states[i];
        cor_bytes_print(text, "%-*s  %8llu", width, fit->profile->states[i],
                        (unsigned long long)state->count);
        for (uint32_t k = 0; k < fit->column_count; k++)
            if (!fit->columns[k].words)
                cor_bytes_print(text, " %*.4g", mean_width(fit, &fit->columns[k]), state->levels[k].mean);
        cor_bytes_print(text, " %8.2f%% %8.2f%%\n", 100.0 * state->share, 100.0 * state->stationary);
    }
}

static void put_stays(struct cor_bytes *text, const struct cor_fit *fit, int width) {
    cor_bytes_print(
        text,
        "\n%-*s    stays      mean  of chain   observed (expected) stays of 1, 2, 3, 4-7, 8+ steps; p\n",
        width, "state");
    for (uint32_t i = 0; i < fit->state_count; i++) {
        const struct cor_fit_stays *stays = &fit->states[i].stays;
        cor_bytes_print(text, "%-*s  %7llu", width, fit->profile->states[i],
                        (unsigned long long)stays->count);
        put_number(text, "0123456789", stays->mean);
        put_number(text, "0123456789", stays->chain_mean);
        cor_bytes_print(text, "  ");
        for (uint32_t k = 0; k < COR_FIT_STAYS; k++)
            cor_bytes_print(text, " %llu (%.1f)", (unsigned long long)stays->observed[k], stays->expected[k]);
        cor_bytes_print(text, isnan(stays->p) ? "; -\n" : "; %.2g\n", stays->p);
    }
}

struct source {
    char text[160];
};

/* Where the season comes from, in words. */
static struct source season_source(const struct cor_fit *fit) {
    struct source source = {"is the default: how long a step is is not known (--season, --time-column)"};
    char step[48];
    if (fit->step_months == 0 && fit->step_seconds < 86400 && fmod(fit->step_seconds, 60) <= 0)
        snprintf(step, sizeof step, "%g minutes", fit->step_seconds / 60);
    else
        profiles__step_text(fit->step_seconds, fit->step_months, step, sizeof step);
    if (fit->season_from == COR_SEASON_ASKED)
        snprintf(source.text, sizeof source.text, "was asked for");
    else if (fit->season_from == COR_SEASON_TIMES)
        snprintf(source.text, sizeof source.text, "is a day: by the time column a step takes %s", step);
    else if (fit->step_seconds > 0)
        snprintf(source.text, sizeof source.text, "is the default: steps of %s do not divide a day", step);
    return source;
}

static void put_figures(struct cor_bytes *text, const struct cor_fit *fit) {
    cor_bytes_print(text, "\norder  parameters  log-likelihood           BIC   over %llu transitions\n",
                    (unsigned long long)fit->order_transition_count);
    for (uint32_t k = 0; k < COR_FIT_ORDERS; k++)
        cor_bytes_print(text, "%5u  %10llu  %14.1f  %12.1f\n", k,
                        (unsigned long long)fit->orders[k].parameters, fit->orders[k].log_likelihood,
                        fit->orders[k].bic);
    cor_bytes_print(text, "\nautocorrelation of states; the season of %u steps %s\n", fit->season,
                    season_source(fit).text);
    for (uint32_t c = 0; c < fit->column_count; c++) {
        const struct cor_fit_column *column = &fit->columns[c];
        if (column->words || fit->column_count > 1)
            cor_bytes_print(text, "column \"%s\"%s\n", column->name,
                            column->words ? ": the same word, 1 always, 0 as often as by chance" : "");
        for (uint32_t k = 0; k < COR_FIT_LAGS; k++) {
            char observed[16];
            snprintf(observed, sizeof observed, isnan(column->lags[k].observed) ? "-" : "%.3f",
                     column->lags[k].observed);
            cor_bytes_print(text, "lag %5u  observed %6s  chain %6.3f\n", column->lags[k].lag, observed,
                            column->lags[k].chain);
        }
    }
    const char *before = "\n";
    for (uint32_t c = 0; c < fit->column_count; c++) {
        const struct cor_fit_column *column = &fit->columns[c];
        if (column->words)
            continue;
        cor_bytes_print(text, "%svariance%s within states %.1f %%\n", before, of_column(fit, column).text,
                        100.0 * column->within_share);
        before = "";
    }
}

char *cor_fit_text(const struct cor_fit *fit, struct cor_error *error) {
    struct cor_bytes text = {0};
    int width = profiles__widest_name(fit->profile);
    uint64_t possible = fit->block_count;
    cor_bytes_print(&text, "profile %s, fitted to column%s ", fit->profile->name,
                    fit->column_count == 1 ? "" : "s");
    for (uint32_t k = 0; k < fit->column_count; k++) {
        cor_bytes_print(&text, "%s\"%s\"", k == 0 ? "" : ", ", fit->columns[k].name);
        possible *= fit->columns[k].level_count;
    }
    cor_bytes_print(&text, " of %s\n%llu values in %llu %s, %llu transitions; ", fit->file,
                    (unsigned long long)fit->value_count, (unsigned long long)fit->segment_count,
                    fit->segment_count == 1 ? "segment" : "segments",
                    (unsigned long long)fit->transition_count);
    for (uint32_t k = 0; k < fit->column_count; k++) {
        if (fit->column_count > 1)
            cor_bytes_print(&text, "%s\"%s\" in ", k == 0 ? "" : ", ", fit->columns[k].name);
        /* "8 levels by quantiles"; of words how many, and how many are joined. */
        const struct cor_fit_column *column = &fit->columns[k];
        if (column->words)
            cor_bytes_print(&text, "%u words", column->level_count);
        else
            cor_bytes_print(&text, "%u levels by %s", column->level_count,
                            column->by_quantiles ? "quantiles" : "cut points");
        if (column->joined > 0)
            cor_bytes_print(&text, ", \"" COR_WORD_OTHER "\" joins %u", column->joined);
    }
    if (fit->block_count > 1)
        cor_bytes_print(&text, " in %u parts of the day", fit->block_count);
    cor_bytes_print(&text, "; %u of %llu states occur\n\n", fit->state_count, (unsigned long long)possible);
    if (fit->notes[0])
        cor_bytes_print(&text, "how the file was read\n%s\n\n", fit->notes);
    if (fit->joined) {
        /* The figures below are those of the data alone; the file has the prior's in it. */
        cor_bytes_print(&text, "what the prior adds to the profile, not to the figures below\n");
        cor_bytes_print(&text, "Prior: %.10g transition%s more out of each state, shared out ", fit->weight,
                        fit->weight > 1 || fit->weight < 1 ? "s" : "");
        if (fit->prior_name)
            cor_bytes_print(&text, "as profile %s of %s says.\n", fit->prior_name, fit->prior_file);
        else
            cor_bytes_print(&text, "evenly over all states.\n");
        name_prior_states(&text, fit, false, "Prior: it lacks ",
                          "; the rows of these are those of the data.");
        name_prior_states(&text, fit, true, "Prior: it alone has ", "; the rows of these are its own.");
        cor_bytes_print(&text, "\n");
    }
    put_states(&text, fit, width);
    cor_bytes_print(&text, "\n%-*s  transitions (count, probability)\n", width, "from");
    for (uint32_t from = 0; from < fit->state_count; from++) {
        cor_bytes_print(&text, "%-*s  ", width, fit->profile->states[from]);
        const char *between = "";
        for (uint32_t to = 0; to < fit->state_count; to++) {
            uint64_t count = fit->transitions[from * fit->state_count + to];
            if (count == 0)
                continue;
            cor_bytes_print(&text, "%s%s %llu %.3f", between, fit->profile->states[to],
                            (unsigned long long)count,
                            fit->profile->probability[from * fit->state_count + to]);
            between = ", ";
        }
        cor_bytes_print(&text, "%s\n", fit->states[from].left_count == 0 ? "none" : "");
    }
    put_stays(&text, fit, width);
    put_figures(&text, fit);
    cor_bytes_print(&text, "\nwhat the chain does not describe\n%s\n",
                    fit->remarks[0] ? fit->remarks : "Nothing stands out in the figures above.");
    char warnings[WARNINGS_SIZE];
    if (cor_profile_warnings(cor_fit_written(fit), warnings, sizeof warnings) > 0)
        cor_bytes_print(&text, "\nwarnings\n%s\n", warnings);
    return cor_bytes_text_take(&text, error);
}

static void put_reals(struct cor_json_writer *writer, const char *key, const double *values, uint32_t count) {
    cor_json_open_array(writer, key);
    for (uint32_t i = 0; i < count; i++)
        cor_json_put_real(writer, NULL, values[i]);
    cor_json_close(writer);
}

static void put_level_json(const struct cor_fit_level *level, struct cor_json_writer *writer, bool has_mean) {
    cor_json_put_integer(writer, "level", level->index);
    cor_json_put_real(writer, "low", level->low);
    cor_json_put_real(writer, "high", level->high);
    if (has_mean)
        cor_json_put_real(writer, "mean", level->mean);
}

static void put_states_json(const struct cor_fit *fit, struct cor_json_writer *writer) {
    cor_json_open_object(writer, "states");
    for (uint32_t i = 0; i < fit->state_count; i++) {
        const struct cor_fit_state *state = &fit->states[i];
        cor_json_open_object(writer, fit->profile->states[i]);
        cor_json_put_integer(writer, "part_of_day", state->block);
        if (fit->column_count == 1)
            put_level_json(&state->levels[0], writer, false);
        else {
            cor_json_open_array(writer, "columns");
            for (uint32_t k = 0; k < fit->column_count; k++) {
                cor_json_open_object(writer, NULL);
                put_level_json(&state->levels[k], writer, true);
                cor_json_close(writer);
            }
            cor_json_close(writer);
        }
        cor_json_put_integer(writer, "count", (int64_t)state->count);
        cor_json_put_integer(writer, "left_count", (int64_t)state->left_count);
        if (fit->column_count == 1)
            cor_json_put_real(writer, "mean", state->levels[0].mean);
        cor_json_put_real(writer, "share", state->share);
        cor_json_put_real(writer, "stationary", state->stationary);
        cor_json_open_object(writer, "stays");
        cor_json_put_integer(writer, "count", (int64_t)state->stays.count);
        cor_json_put_real(writer, "mean", state->stays.mean);
        cor_json_put_real(writer, "chain_mean", state->stays.chain_mean);
        cor_json_open_array(writer, "observed");
        for (uint32_t k = 0; k < COR_FIT_STAYS; k++)
            cor_json_put_integer(writer, NULL, (int64_t)state->stays.observed[k]);
        cor_json_close(writer);
        put_reals(writer, "expected", state->stays.expected, COR_FIT_STAYS);
        cor_json_put_real(writer, "chi_square", state->stays.chi_square);
        cor_json_put_integer(writer, "degrees", state->stays.degrees);
        /* The tail probability comes from a library whose last digits depend on the machine; three of them
         * are plenty. */
        char text[40];
        snprintf(text, sizeof text, "%.2e", state->stays.p);
        cor_json_put_real(writer, "p", isnan(state->stays.p) ? state->stays.p : strtod(text, NULL));
        cor_json_close(writer);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

/* {"from": {"to": count or probability, ..}, ..}; what is 0 is left out. */
static void put_matrix(const struct cor_fit *fit, struct cor_json_writer *writer, const char *key,
                       bool counts) {
    const struct cor_profile *profile = counts ? fit->profile : cor_fit_written(fit);
    cor_json_open_object(writer, key);
    for (uint32_t from = 0; from < profile->state_count; from++) {
        cor_json_open_object(writer, profile->states[from]);
        for (uint32_t to = 0; to < profile->state_count; to++) {
            size_t cell = (size_t)from * profile->state_count + to;
            if (counts && fit->transitions[cell] > 0)
                cor_json_put_integer(writer, profile->states[to], (int64_t)fit->transitions[cell]);
            else if (!counts && profile->probability[cell] > 0.0)
                cor_json_put_real(writer, profile->states[to], profile->probability[cell]);
        }
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_lags(const struct cor_fit_column *column, struct cor_json_writer *writer) {
    cor_json_open_array(writer, "autocorrelation");
    for (uint32_t k = 0; k < COR_FIT_LAGS; k++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "lag", column->lags[k].lag);
        cor_json_put_real(writer, "observed", column->lags[k].observed);
        cor_json_put_real(writer, "chain", column->lags[k].chain);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

static void put_division_json(const struct cor_fit_column *column, struct cor_json_writer *writer) {
    cor_json_put_string(writer, "levels_by",
                        column->words          ? "words"
                        : column->by_quantiles ? "quantiles"
                                               : "cuts");
    if (!column->words) {
        put_reals(writer, "cuts", column->cuts, column->cut_count);
        return;
    }
    cor_json_open_array(writer, "words");
    for (uint32_t i = 0; i < column->level_count; i++)
        cor_json_put_string(writer, NULL, column->words[i]);
    cor_json_close(writer);
    cor_json_put_integer(writer, "words_joined", column->joined);
}

static void put_prior_states(const struct cor_fit *fit, struct cor_json_writer *writer, const char *key,
                             bool added) {
    cor_json_open_array(writer, key);
    for (uint32_t i = 0; i < fit->joined->state_count; i++)
        if (is_of_one(fit, i, added))
            cor_json_put_string(writer, NULL, fit->joined->states[i]);
    cor_json_close(writer);
}

/* Sentences, one string each. */
void profiles__put_sentences(const char *sentences, const char *key, struct cor_json_writer *writer) {
    cor_json_open_array(writer, key);
    for (const char *at = sentences; *at;) {
        size_t length = strcspn(at, "\n");
        cor_json_put_part(writer, NULL, at, length);
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
    if (fit->column_count == 1)
        put_division_json(&fit->columns[0], writer);
    put_states_json(fit, writer);
    put_matrix(fit, writer, "transition_counts", true);
    cor_json_put_integer(writer, "order_transitions", (int64_t)fit->order_transition_count);
    cor_json_open_array(writer, "orders");
    for (uint32_t i = 0; i < COR_FIT_ORDERS; i++) {
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "order", i);
        cor_json_put_integer(writer, "parameters", (int64_t)fit->orders[i].parameters);
        cor_json_put_real(writer, "log_likelihood", fit->orders[i].log_likelihood);
        cor_json_put_real(writer, "bic", fit->orders[i].bic);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    if (fit->column_count == 1) {
        put_lags(&fit->columns[0], writer);
        cor_json_put_real(writer, "variance_within_states", fit->columns[0].within_share);
    } else {
        cor_json_open_array(writer, "columns");
        for (uint32_t k = 0; k < fit->column_count; k++) {
            cor_json_open_object(writer, NULL);
            cor_json_put_string(writer, "column", fit->columns[k].name);
            put_division_json(&fit->columns[k], writer);
            put_lags(&fit->columns[k], writer);
            cor_json_put_real(writer, "variance_within_states", fit->columns[k].within_share);
            cor_json_close(writer);
        }
        cor_json_close(writer);
    }
    cor_json_put_real(writer, "share_distance", fit->share_distance);
    profiles__put_sentences(fit->remarks, "not_described", writer);
    if (fit->notes[0])
        profiles__put_sentences(fit->notes, "reading", writer);
    if (fit->joined) {
        cor_json_open_object(writer, "prior");
        cor_json_put_string(writer, "profile", fit->prior_name ? fit->prior_name : COR_PRIOR_UNIFORM);
        if (fit->prior_file)
            cor_json_put_string(writer, "file", fit->prior_file);
        cor_json_put_real(writer, "weight", fit->weight);
        put_prior_states(fit, writer, "lacks", false);
        put_prior_states(fit, writer, "adds", true);
        cor_json_close(writer);
    }
    cor_json_close(writer);
}

/* One as text under `one`, several as a list under `several`. */
void profiles__put_names(struct cor_json_writer *writer, const char *one, const char *several,
                         const char *const *names, uint32_t count) {
    if (count == 1) {
        cor_json_put_string(writer, one, names[0]);
        return;
    }
    cor_json_open_array(writer, several);
    for (uint32_t i = 0; i < count; i++)
        cor_json_put_string(writer, NULL, names[i]);
    cor_json_close(writer);
}

char *cor_fit_profile_text(const struct cor_fit *fit, struct cor_error *error) {
    struct cor_json_writer *writer;
    if (cor_json_writer_create(&writer, error) != COR_OK)
        return NULL;
    const struct cor_profile *profile = cor_fit_written(fit);
    const char *columns[COR_SERIES_VALUES_MAX];
    for (uint32_t k = 0; k < fit->column_count; k++)
        columns[k] = fit->columns[k].name;
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_profile", COR_PROFILE_VERSION);
    cor_json_put_string(writer, "name", profile->name);
    cor_json_open_object(writer, "source");
    profiles__put_names(writer, "file", "files", (const char *const *)fit->files, fit->file_count);
    profiles__put_names(writer, "column", "columns", columns, fit->column_count);
    if (fit->command)
        cor_json_put_string(writer, "command", fit->command);
    cor_json_close(writer);
    profiles__put_states(profile, writer);
    put_matrix(fit, writer, "transitions", false);
    cor_json_put_string(writer, "start", COR_PROFILE_STATIONARY);
    cor_fit_json(fit, writer, "fit");
    cor_json_close(writer);
    return profiles__file_text_take(writer, error);
}
