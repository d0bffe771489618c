/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Influences from logs: counts, and what is to be said of them. */
#include "../internal.h"

#include <corridor/array.h>
#include <corridor/influence_fit.h>

#include <math.h>
#include <stdlib.h>

enum { MOST = COR_PROFILE_STATES_MAX, FEW_TRANSITIONS = 10, ENVIRONMENT = 0, AGENT = 1, VALUE = 2 };

#define BETTER 5.0 /* what a log-likelihood is worth a sentence */

void cor_influence_fit_destroy(struct cor_influence_fit *fit) {
    if (!fit)
        return;
    for (uint32_t i = 0; fit->files && i < fit->file_count; i++)
        free(fit->files[i]);
    free(fit->files);
    free(fit->file);
    free(fit->environment);
    free(fit->command);
    free(fit->columns[ENVIRONMENT]);
    free(fit->columns[AGENT]);
    free(fit->counts);
    free(fit->notes);
    free(fit->remarks);
    free(fit);
}

/* Divides one of the two columns as if it were alone; what is said of all columns is for the other one, where
 * that can be: words have no levels, numbers are not rare. */
static enum cor_status divide(struct cor_influence_fit *fit, const struct cor_series *series, uint32_t column,
                              const struct cor_influence_fit_def *def, uint8_t *sequence,
                              struct cor_error *error) {
    const struct cor_series_column *other = &series->columns[1 - column];
    const struct cor_levels_def *own = def->fit.own;
    struct cor_series alone = *series;
    struct cor_fit_def of = def->fit;
    struct cor_fit *divided = NULL;
    alone.columns += column;
    alone.column_count = 1;
    of.own = own ? own + column : NULL;
    const bool has_own = own && (own[column].states > 0 || own[column].cut_count > 0),
               other_has_own = own && (own[1 - column].states > 0 || own[1 - column].cut_count > 0);
    if ((alone.columns->words || has_own) && !other->words && !other_has_own)
        of.levels = (struct cor_levels_def){0};
    if (!alone.columns->words && other->words)
        of.rare = 0;
    enum cor_status status = profiles__fit_divide(&alone, &of, sequence, &divided, error);
    if (status == COR_OK) {
        fit->of[column].count = divided->state_count;
        status = profiles__fit_state_names(divided, fit->of[column].name, error);
    }
    cor_fit_destroy(divided);
    return status;
}

static uint64_t *row_of(const struct cor_influence_fit *fit, uint64_t *counts, uint32_t environment,
                        uint32_t from) {
    const uint32_t states = fit->of[AGENT].count;
    return counts + ((size_t)environment * states + from) * states;
}

/* How often each state was followed by each, and the log-likelihood of what followed. */
static double count(const struct cor_influence_fit *fit, const struct cor_series *series,
                    const uint8_t *environment, const uint8_t *agent, bool before, uint64_t *counts) {
    const uint32_t states = fit->of[AGENT].count;
    double sum = 0;
    for (size_t s = 0; s < series->segment_count; s++)
        for (size_t i = series->starts[s] + 1; i < series->starts[s + 1]; i++)
            row_of(fit, counts, environment[before ? i - 1 : i], agent[i - 1])[agent[i]]++;
    for (uint32_t row = 0; row < fit->of[ENVIRONMENT].count * states; row++) {
        uint64_t all = 0;
        for (uint32_t to = 0; to < states; to++)
            all += counts[row * states + to];
        for (uint32_t to = 0; to < states; to++)
            if (counts[row * states + to] > 0)
                sum += (double)counts[row * states + to] *
                       profiles__fit_log((double)counts[row * states + to] / (double)all);
    }
    return sum;
}

/* The levels of the agent's states; false: nothing in the log tells them. */
static bool find_levels(struct cor_influence_fit *fit, const struct cor_series *series,
                        const uint8_t *agent) {
    const uint32_t states = fit->of[AGENT].count;
    const struct cor_series_column *from = series->column_count > VALUE    ? &series->columns[VALUE]
                                           : !series->columns[AGENT].words ? &series->columns[AGENT]
                                                                           : NULL;
    uint64_t seen[MOST] = {0};
    for (size_t i = 0; i < series->value_count; i++)
        seen[agent[i]]++;
    for (size_t i = 0; from && i < series->value_count; i++)
        fit->level[agent[i]] += from->values[i] / (double)seen[agent[i]];
    for (uint32_t s = 0; !from && s < states; s++)
        fit->level[s] = (double)s / (double)(states - 1);
    return from != NULL;
}

static uint64_t sum_of(const struct cor_influence_fit *fit, uint32_t environment, uint32_t from) {
    uint64_t all = 0;
    for (uint32_t to = 0; to < fit->of[AGENT].count; to++)
        all += row_of(fit, fit->counts, environment, from)[to];
    return all;
}

/* Names the rows that were seen never, or few times. */
static void remark_rows(const struct cor_influence_fit *fit, struct cor_bytes *text, bool never,
                        const char *lead, const char *tail) {
    uint32_t named = 0;
    for (uint32_t e = 0; e < fit->of[ENVIRONMENT].count; e++)
        for (uint32_t from = 0; from < fit->of[AGENT].count; from++) {
            const uint64_t all = sum_of(fit, e, from);
            if (never ? all > 0 : all == 0 || all >= FEW_TRANSITIONS)
                continue;
            cor_bytes_print(text, "%s%s in %s", named++ == 0 ? lead : ", ", fit->of[AGENT].name[from],
                            fit->of[ENVIRONMENT].name[e]);
            if (!never)
                cor_bytes_print(text, " (%llu)", (unsigned long long)all);
        }
    if (named > 0)
        cor_bytes_print(text, "%s\n", tail);
}

static enum cor_status remark(struct cor_influence_fit *fit, bool has_levels, bool before,
                              struct cor_error *error) {
    struct cor_bytes text = {0};
    bool is_outside = false;
    for (uint32_t s = 0; s < fit->of[AGENT].count; s++)
        is_outside = is_outside || fit->level[s] < 0 || fit->level[s] > 1;
    if (!has_levels)
        cor_bytes_print(&text,
                        "Levels: the log does not tell them (--value); they are evenly spaced from 0 to "
                        "1, in the order of the states.\n");
    if (is_outside)
        cor_bytes_print(&text,
                        "Levels: some lie outside of 0 to 1, where those of an experiment have to be.\n");
    remark_rows(fit, &text, true, "Data: never seen, so agents stay as they are: ", ".");
    remark_rows(fit, &text, false, "Data: fewer than 10 times seen: ", ".");
    if (fit->other - fit->log_likelihood > BETTER)
        cor_bytes_print(
            &text,
            "Order: the log is likelier by %.1f (log-likelihood) if the agent's state in a row is "
            "that %s it perceives the environment of the row (%s --before).\n",
            fit->other - fit->log_likelihood, before ? "after" : "before", before ? "without" : "say");
    if (text.size > 0)
        text.bytes[--text.size] = 0; /* the last line end */
    fit->remarks = cor_bytes_text_take(&text, error);
    return fit->remarks ? COR_OK : COR_STATUS_MEMORY;
}

enum cor_status cor_influence_fit_create(const struct cor_series *series,
                                         const struct cor_influence_fit_def *def,
                                         struct cor_influence_fit **fit, struct cor_error *error) {
    COR_ASSERT(series->column_count == VALUE || series->column_count == VALUE + 1);
    COR_DESTROYED(cor_influence_fit) struct cor_influence_fit *made = cor_calloc(1, sizeof *made);
    COR_FREED uint8_t *environment = cor_calloc(series->value_count, 1),
                      *agent = cor_calloc(series->value_count, 1);
    COR_FREED uint64_t *others = NULL;
    *fit = NULL;
    if (!made || !environment || !agent)
        return cor_fail_memory(error);
    made->file = cor_strdup(series->file);
    made->files = cor_calloc(series->file_count, sizeof *made->files);
    made->environment = cor_strdup(def->environment ? def->environment : series->columns[ENVIRONMENT].name);
    made->command = cor_strdup(def->command);
    made->notes = cor_strdup(series->notes);
    bool is_made =
        made->file && made->files && made->environment && made->notes && (made->command || !def->command);
    for (uint32_t k = ENVIRONMENT; k <= AGENT && is_made; k++)
        is_made = (made->columns[k] = cor_strdup(series->columns[k].name));
    for (; is_made && made->file_count < series->file_count; made->file_count++)
        is_made = (made->files[made->file_count] = cor_strdup(series->files[made->file_count]));
    COR_TRY(is_made ? COR_OK : cor_fail_memory(error));
    if (series->column_count > VALUE && series->columns[VALUE].words)
        return cor_fail(error, COR_STATUS_INPUT, series->file, "name a column of numbers from 0 to 1",
                        "column \"%s\" holds no values", series->columns[VALUE].name);
    COR_TRY(divide(made, series, ENVIRONMENT, def, environment, error));
    COR_TRY(divide(made, series, AGENT, def, agent, error));
    const size_t cells = (size_t)made->of[ENVIRONMENT].count * made->of[AGENT].count * made->of[AGENT].count;
    made->counts = cor_calloc(cells, sizeof *made->counts);
    others = cor_calloc(cells, sizeof *others);
    if (!made->counts || !others)
        return cor_fail_memory(error);
    made->log_likelihood = count(made, series, environment, agent, def->before, made->counts);
    made->other = count(made, series, environment, agent, !def->before, others);
    made->segment_count = series->segment_count;
    made->transition_count = series->value_count - series->segment_count;
    /* The agent state that most segments begin in. */
    uint64_t begun[MOST] = {0};
    uint32_t most = 0;
    for (size_t s = 0; s < series->segment_count; s++)
        begun[agent[series->starts[s]]]++;
    for (uint32_t s = 0; s < made->of[AGENT].count; s++)
        most = begun[s] > begun[most] ? s : most;
    made->initial = most;
    COR_TRY(remark(made, find_levels(made, series, agent), def->before, error));
    *fit = cor_taken(&made);
    return COR_OK;
}

char *cor_influence_fit_text(const struct cor_influence_fit *fit, struct cor_error *error) {
    struct cor_bytes text = {0};
    const struct cor_influence_states *outer = &fit->of[ENVIRONMENT], *inner = &fit->of[AGENT];
    cor_bytes_print(&text,
                    "influence of column \"%s\" on column \"%s\" of %s\n%llu segments, %llu transitions; %u "
                    "states of the environment, %u of the agent\n\n",
                    fit->columns[ENVIRONMENT], fit->columns[AGENT], fit->file,
                    (unsigned long long)fit->segment_count, (unsigned long long)fit->transition_count,
                    outer->count, inner->count);
    if (fit->notes[0])
        cor_bytes_print(&text, "how the file was read\n%s\n\n", fit->notes);
    cor_bytes_print(&text, "agent state: level\n");
    for (uint32_t s = 0; s < inner->count; s++)
        cor_bytes_print(&text, "%s: %.4g%s\n", inner->name[s], fit->level[s],
                        s == fit->initial ? ", where most segments begin" : "");
    cor_bytes_print(&text, "\nenvironment, agent: next agent state (count, probability)\n");
    for (uint32_t e = 0; e < outer->count; e++)
        for (uint32_t from = 0; from < inner->count; from++) {
            const uint64_t all = sum_of(fit, e, from), *row = row_of(fit, fit->counts, e, from);
            const char *between = "";
            cor_bytes_print(&text, "%s, %s: %s", outer->name[e], inner->name[from], all == 0 ? "none" : "");
            for (uint32_t to = 0; to < inner->count; to++) {
                if (row[to] == 0)
                    continue;
                cor_bytes_print(&text, "%s%s %llu %.3f", between, inner->name[to],
                                (unsigned long long)row[to], (double)row[to] / (double)all);
                between = ", ";
            }
            cor_bytes_print(&text, "\n");
        }
    cor_bytes_print(&text, "\nwhat to know of it\n%s\n",
                    fit->remarks[0] ? fit->remarks : "Nothing stands out in the figures above.");
    return cor_bytes_text_take(&text, error);
}

/* {environment: {from: {to: count}}}, or with probabilities, where a certain state stands alone; what was not
 * seen is left out. */
static void put_rows(const struct cor_influence_fit *fit, struct cor_json_writer *writer, const char *key,
                     bool counts) {
    cor_json_open_object(writer, key);
    for (uint32_t e = 0; e < fit->of[ENVIRONMENT].count; e++) {
        bool is_open = false;
        for (uint32_t from = 0; from < fit->of[AGENT].count; from++) {
            const uint64_t all = sum_of(fit, e, from), *row = row_of(fit, fit->counts, e, from);
            uint32_t certain = 0;
            while (certain < fit->of[AGENT].count && row[certain] < all)
                certain++;
            if (all == 0)
                continue;
            if (!is_open)
                cor_json_open_object(writer, fit->of[ENVIRONMENT].name[e]);
            is_open = true;
            if (!counts && certain < fit->of[AGENT].count) {
                cor_json_put_string(writer, fit->of[AGENT].name[from], fit->of[AGENT].name[certain]);
                continue;
            }
            cor_json_open_object(writer, fit->of[AGENT].name[from]);
            for (uint32_t to = 0; to < fit->of[AGENT].count; to++) {
                if (counts && row[to] > 0)
                    cor_json_put_integer(writer, fit->of[AGENT].name[to], (int64_t)row[to]);
                else if (row[to] > 0)
                    cor_json_put_real(writer, fit->of[AGENT].name[to], (double)row[to] / (double)all);
            }
            cor_json_close(writer);
        }
        if (is_open)
            cor_json_close(writer);
    }
    cor_json_close(writer);
}

void cor_influence_fit_json(const struct cor_influence_fit *fit, struct cor_json_writer *writer,
                            const char *key) {
    cor_json_open_object(writer, key);
    cor_json_put_integer(writer, "segments", (int64_t)fit->segment_count);
    cor_json_put_integer(writer, "transitions", (int64_t)fit->transition_count);
    put_rows(fit, writer, "transition_counts", true);
    cor_json_put_real(writer, "log_likelihood", fit->log_likelihood);
    cor_json_put_real(writer, "log_likelihood_of_other_order", fit->other);
    profiles__put_sentences(fit->remarks, "remarks", writer);
    if (fit->notes[0])
        profiles__put_sentences(fit->notes, "reading", writer);
    cor_json_close(writer);
}

char *cor_influence_fit_file(const struct cor_influence_fit *fit, struct cor_error *error) {
    struct cor_json_writer *writer;
    if (cor_json_writer_create(&writer, error) != COR_OK)
        return NULL;
    cor_json_open_object(writer, NULL);
    cor_json_put_string(writer, "environment", fit->environment);
    cor_json_open_object(writer, "source");
    profiles__put_names(writer, "file", "files", (const char *const *)fit->files, fit->file_count);
    profiles__put_names(writer, "column", "columns", (const char *const *)fit->columns, 2);
    if (fit->command)
        cor_json_put_string(writer, "command", fit->command);
    cor_json_close(writer);
    cor_json_open_object(writer, "states");
    for (uint32_t s = 0; s < fit->of[AGENT].count; s++)
        cor_json_put_real(writer, fit->of[AGENT].name[s], fit->level[s]);
    cor_json_close(writer);
    cor_json_put_string(writer, "initial", fit->of[AGENT].name[fit->initial]);
    put_rows(fit, writer, "influence", false);
    cor_influence_fit_json(fit, writer, "fit");
    cor_json_close(writer);
    return profiles__file_text_take(writer, error);
}
