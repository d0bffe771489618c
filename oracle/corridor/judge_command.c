/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a constraint is violated, for judge: a minimal set of facts. */
#include "commands.h"
#include "judge_states.h"
#include "output.h"
#include "replay.h"
#include "running.h"
#include "text_time.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cells.h>
#include <corridor/json.h>
#include <corridor/kinds.h>
#include <corridor/prove.h>
#include <corridor/reason.h>
#include <corridor/value.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FACTS_SHOWN 12 /* in a sentence; JSON has all */

static char *sentence_of(const struct cor_reason *reason, const struct cor_corridor *corridor,
                         const struct cor_snapshot *state) {
    if (reason->count == 0)
        return cor_strdup("No structure of so many agents and organizations holds it with these parameters.");
    char *made = cor_strdup("Whatever else changes, it is violated as long as ");
    for (size_t i = 0; i < reason->count && i < FACTS_SHOWN && made; i++) {
        char text[400];
        cor_fact_text(&reason->facts[i], corridor, state, text, sizeof text);
        made = cor_join_take(made, i == 0 ? "" : i + 1 == reason->count ? " and " : ", ", cor_strdup(text));
    }
    if (reason->count <= FACTS_SHOWN)
        return cor_join_take(made, "", cor_strdup("."));
    return cor_join_take(made, ", and ",
                         cor_format("%zu more: --json has all.", reason->count - FACTS_SHOWN));
}

/* Finds the reason, writes it where `writer` is not NULL, and gives a sentence, NULL where there is none;
 * freed with free(). The state is of its kind. */
static enum cor_status judge_reason(const struct cor_corridor *corridor, const struct cor_snapshot *state,
                                    uint32_t constraint, struct cor_reason *reason,
                                    struct cor_json_writer *writer, char **sentence,
                                    struct cor_error *error) {
    *sentence = NULL;
    COR_TRY(cor_corridor_reason(corridor, state, constraint, reason, error));
    COR_TRY(cor_reason_sharpen(corridor, state, constraint, reason, error));
    if (!reason->is_there) {
        if (writer)
            cor_json_put_string(writer, "reason", NULL);
        return COR_OK;
    }
    if (writer) {
        cor_json_open_array(writer, "reason");
        for (size_t i = 0; i < reason->count; i++) {
            const struct cor_fact *fact = &reason->facts[i];
            cor_json_open_object(writer, NULL);
            if (fact->kind == COR_FACT_ATTRIBUTE) {
                cor_json_put_integer(writer, "agent", fact->agent);
                cor_json_put_string(writer, "attribute", corridor->attributes[fact->attribute].name);
            } else if (fact->kind == COR_FACT_ORGANIZATION_ATTRIBUTE) {
                cor_json_put_integer(writer, "organization", fact->organization);
                cor_json_put_string(writer, "attribute",
                                    corridor->organization_attributes[fact->attribute].name);
            } else if (fact->kind == COR_FACT_PARENT) {
                cor_json_put_integer(writer, "organization", fact->organization);
                if (state->parents[fact->organization] == COR_NOBODY)
                    cor_json_put_string(writer, "parent", NULL);
                else
                    cor_json_put_integer(writer, "parent", state->parents[fact->organization]);
            } else {
                cor_json_put_integer(writer, "agent", fact->agent);
                cor_json_put_integer(writer, "organization", fact->organization);
                cor_json_put_bool(writer, "member", fact->kind == COR_FACT_MEMBER);
            }
            cor_json_close(writer);
        }
        cor_json_close(writer);
        cor_json_put_bool(writer, "reason_is_minimal", reason->is_minimal);
    }
    *sentence = sentence_of(reason, corridor, state);
    return cor_made(*sentence, error);
}

/* ---- judge trace */

struct trace {
    const char *path;   /* as it is said */
    char *text;         /* owned; cells are cut out of it */
    char *at;           /* what was not read yet */
    uint64_t line;      /* from 1 */
    const char **names; /* owned; ended by NULL */
    size_t column_count, name_capacity;
    /* Conditions are columns, and behind them comparisons as they stand in the formula, whose names are in
     * `names`, too. */
    bool *is_used;       /* owned; [condition] the formula names it */
    uint8_t *conditions; /* owned; [condition] enum cor_temporal_value */
    struct cor_expression comparisons[COR_TEMPORAL_CONDITIONS_MAX];
    char *texts[COR_TEMPORAL_CONDITIONS_MAX]; /* owned; of the comparisons */
    size_t comparison_count;
    struct cor_symbol
        *symbols; /* owned, as what follows; [column]: as comparisons see it; NULL: there is none */
    struct cor_domain *domains;
    struct cor_value *values; /* of the line that was read last, where a comparison reads the column: */
    bool *is_read;
    struct cor_words words; /* first those of the formula; */
    bool *is_met;           /* owned; [word of the formula] a cell that is compared is it */
    uint32_t asked;         /* how many these are */
    uint8_t *states;        /* owned; [state * used + column among those that are used] */
    size_t state_capacity, used_count;
};

static enum cor_status complain(const struct trace *trace, struct cor_error *error, const char *remedy,
                                const char *cause) {
    char place[600];
    snprintf(place, sizeof place, "%.500s, line %llu", trace->path, (unsigned long long)trace->line);
    return cor_fail(error, COR_STATUS_INPUT, place, remedy, "%s", cause);
}

/* The next cell of the line, cut out; *is_last: it ends the line. */
static enum cor_status take_cell(struct trace *trace, char **cell, bool *is_last, struct cor_error *error) {
    char *from = trace->at, *to;
    *cell = from;
    if (*from == '"') {
        for (to = from++; *from && (*from != '"' || from[1] == '"'); from++) {
            from += *from == '"';
            *to++ = *from;
        }
        if (!*from)
            return complain(trace, error, NULL, "a cell begins with a quote, and none ends it");
        from++;
        from += *from == '\r' && from[1] == '\n';
        if (*from && *from != ',' && *from != '\n')
            return complain(trace, error, NULL, "behind the quote that ends a cell stands no comma");
    } else {
        from += strcspn(from, ",\n");
        to = from;
        while (to > *cell && strchr(" \t\r", to[-1]))
            to--;
        *cell += strspn(*cell, " \t");
        to = to < *cell ? *cell : to;
    }
    *is_last = *from != ',';
    trace->at = *from ? from + 1 : from;
    *to = '\0';
    return COR_OK;
}

static enum cor_status read_names(struct trace *trace, struct cor_error *error) {
    COR_FINISHED(cor_words) struct cor_words known = {0};
    bool is_last = false;
    uint32_t word;
    cor_words_init(&known);
    trace->line = 1;
    while (!is_last) {
        char *name, text[300];
        COR_TRY(take_cell(trace, &name, &is_last, error));
        if (trace->column_count == JUDGE_TRACE_COLUMNS_MAX) {
            snprintf(text, sizeof text, "names more than %d columns", JUDGE_TRACE_COLUMNS_MAX);
            COR_TRY(complain(trace, error, "leave out what the formula does not name", text));
        }
        if (*name && cor_words_find(&known, name) != COR_NONE) {
            snprintf(text, sizeof text, "names two columns \"%.200s\"", name);
            COR_TRY(complain(trace, error, NULL, text));
        }
        COR_TRY(cor_words_intern(&known, name, &word, error));
        COR_TRY(COR_RESERVE(&trace->names, &trace->name_capacity, trace->column_count + 2, error));
        trace->names[trace->column_count++] = name;
        trace->names[trace->column_count] = NULL;
    }
    if (trace->column_count == 1 && !trace->names[0][0])
        COR_TRY(complain(trace, error, "the first line names the conditions", "has no columns"));
    const size_t most = trace->column_count + COR_TEMPORAL_CONDITIONS_MAX;
    COR_TRY(COR_RESERVE(&trace->names, &trace->name_capacity, most + 1, error));
    trace->is_used = cor_calloc(most, sizeof *trace->is_used);
    trace->conditions = cor_calloc(most, sizeof *trace->conditions);
    if (!trace->is_used || !trace->conditions)
        return cor_fail_memory(error);
    return COR_OK;
}

/* ---- comparisons: numbers and words of columns */

enum { CELL_UNKNOWN, CELL_NUMBER, CELL_WORD };

/* What a cell says, as `value`: a number, a word, or nothing that is known. */
static int cell_of(const char *cell, double *value) {
    static const char *const none[] = {"", "?", "n/a", "nan", "NaN", NULL};
    char *end;
    if (cor_is_among(none, cell))
        return CELL_UNKNOWN;
    *value = strtod(cell, &end);
    return *end == '\0' && isfinite(*value) && !strpbrk(cell, "xX") ? CELL_NUMBER : CELL_WORD;
}

/* Columns of which a cell is no number are words, the others numbers. Cells are cut out of a copy. */
static enum cor_status find_domains(struct trace *trace, struct cor_error *error) {
    struct trace look = {.path = trace->path, .line = 2, .text = cor_strdup(trace->at)};
    enum cor_status status = cor_made(look.text, error);
    trace->symbols = cor_calloc(trace->column_count, sizeof *trace->symbols);
    trace->domains = cor_calloc(trace->column_count, sizeof *trace->domains);
    trace->values = cor_calloc(trace->column_count, sizeof *trace->values);
    trace->is_read = cor_calloc(trace->column_count, sizeof *trace->is_read);
    if (!trace->symbols || !trace->domains || !trace->values || !trace->is_read)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t c = 0; c < trace->column_count; c++) {
        trace->domains[c] = (struct cor_domain){.type = COR_VALUE_TYPE_REAL, .name = "float"};
        trace->symbols[c] = (struct cor_symbol){trace->names[c], &trace->domains[c]};
    }
    for (look.at = look.text; status == COR_OK && *look.at; look.line++) {
        bool is_last = false;
        for (size_t c = 0; !is_last; c++) {
            char *cell;
            double number;
            COR_TRY_OUT(take_cell(&look, &cell, &is_last, error));
            if (c < trace->column_count && cell_of(cell, &number) == CELL_WORD)
                trace->domains[c] = (struct cor_domain){.type = COR_VALUE_TYPE_STRING, .name = "string"};
        }
    }
out:
    free(look.text);
    return status;
}

/* A comparison becomes a condition that is called as it is written. */
static enum cor_status add_comparison(struct trace *trace, const char *at, size_t length,
                                      struct cor_error *error) {
    static const struct cor_shape nothing_but_columns = {0};
    char place[200];
    if (!trace->symbols)
        COR_TRY(find_domains(trace, error));
    char *text = cor_format("%.*s", (int)length, at);
    COR_TRY(cor_made(text, error));
    for (size_t i = 0; i < trace->comparison_count; i++)
        if (strcmp(trace->texts[i], text) == 0) {
            free(text);
            return COR_OK;
        }
    if (trace->comparison_count == COR_TEMPORAL_CONDITIONS_MAX) {
        free(text);
        return cor_fail(error, COR_STATUS_INPUT, "--formula", "split the formula", "more than %d comparisons",
                        COR_TEMPORAL_CONDITIONS_MAX);
    }
    const size_t number = trace->comparison_count++;
    const size_t condition = trace->column_count + number;
    trace->texts[number] = text;
    trace->names[condition] = text;
    trace->names[condition + 1] = NULL;
    trace->is_used[condition] = true;
    const struct cor_scope scope = {.symbols = trace->symbols,
                                    .symbol_count = (uint32_t)trace->column_count,
                                    .words = &trace->words,
                                    .shape = &nothing_but_columns};
    snprintf(place, sizeof place, "--formula: \"%.100s\"", text);
    COR_TRY(cor_expression_parse_condition(text, &scope, place, &trace->comparisons[number], error));
    for (uint32_t c = 0; c < trace->column_count; c++)
        trace->is_read[c] = trace->is_read[c] || cor_expression_reads(&trace->comparisons[number], c);
    return COR_OK;
}

static enum cor_status read_value(struct trace *trace, size_t column, const char *cell,
                                  struct cor_error *error) {
    double number;
    uint32_t word;
    trace->values[column] = cor_null();
    const int is = cell_of(cell, &number);
    if (is == CELL_UNKNOWN)
        return COR_OK;
    if (trace->domains[column].type == COR_VALUE_TYPE_REAL) {
        trace->values[column] = cor_real(number);
        return COR_OK;
    }
    COR_TRY(cor_words_intern(&trace->words, cell, &word, error));
    if (word < trace->asked)
        trace->is_met[word] = true;
    trace->values[column] = cor_word(word);
    return COR_OK;
}

/* Which columns the formula names as conditions, and what it compares. */
static enum cor_status find_used(struct trace *trace, const char *formula, struct cor_error *error) {
    for (const char *at = formula; *at;) {
        size_t other, length = cor_temporal_operand(at, &other);
        if (length > 0 && strcspn(at, "<>=") < length)
            COR_TRY(add_comparison(trace, at, length, error));
        for (size_t c = 0; length > 0 && c < trace->column_count; c++)
            if (strlen(trace->names[c]) == length && strncmp(trace->names[c], at, length) == 0)
                trace->is_used[c] = true;
        at += length + other;
    }
    for (size_t c = 0; c < trace->column_count + trace->comparison_count; c++)
        trace->used_count += trace->is_used[c];
    trace->asked = trace->words.count;
    trace->is_met = cor_calloc(trace->asked + 1, sizeof *trace->is_met);
    return cor_made(trace->is_met, error);
}

/* Words of the formula that no cell is: what differs from them all the time may be misspelt. */
static enum cor_status find_absent(const struct trace *trace, char **absent, struct cor_error *error) {
    struct cor_bytes list = {0};
    for (uint32_t w = 0; w < trace->asked; w++)
        if (!trace->is_met[w])
            cor_bytes_print(&list, "%s'%s'", list.size > 0 ? ", " : "", cor_words_text(&trace->words, w));
    if (list.size == 0 && list.status == COR_OK)
        return COR_OK;
    *absent = cor_bytes_text_take(&list, error);
    return cor_made(*absent, error);
}

/* A comparison of what is not known is not known. */
static enum cor_temporal_value compare(const struct trace *trace, const struct cor_expression *comparison) {
    static const struct cor_world nothing = {0};
    for (uint32_t c = 0; c < trace->column_count; c++)
        if (trace->is_read[c] && trace->values[c].kind == COR_VALUE_NULL &&
            cor_expression_reads(comparison, c))
            return COR_TEMPORAL_UNKNOWN;
    return cor_temporal_of(cor_expression_ask(comparison, trace->values, &nothing, NULL));
}

/* Why the formula is violated: it is read once more, over the columns that it names. */
static enum cor_status find_reasons(const struct trace *trace, const char *formula,
                                    struct judge_trace_verdict *verdict, struct cor_error *error) {
    COR_DESTROYED(cor_temporal) struct cor_temporal *temporal = NULL;
    const bool is_open = verdict->decided == COR_TEMPORAL_OPEN;
    size_t count = 0;
    COR_TRY(cor_made(verdict->names = cor_calloc(trace->used_count + 1, sizeof *verdict->names), error));
    for (size_t c = 0; c < trace->column_count + trace->comparison_count; c++)
        if (trace->is_used[c])
            COR_TRY(cor_made(verdict->names[count++] = cor_strdup(trace->names[c]), error));
    COR_TRY(cor_temporal_parse(formula, (const char *const *)verdict->names, "--formula", &temporal, error));
    return cor_temporal_reasons(temporal, trace->states, trace->used_count,
                                is_open ? verdict->states : verdict->decided + 1, !is_open, &verdict->reasons,
                                &verdict->reason_count, &verdict->is_enough, error);
}

static enum cor_status read_condition(struct trace *trace, size_t column, const char *cell,
                                      struct cor_error *error) {
    static const struct {
        const char *word;
        enum cor_temporal_value value;
    } words[] = {{"true", COR_TEMPORAL_HOLDS},     {"1", COR_TEMPORAL_HOLDS},    {"+", COR_TEMPORAL_HOLDS},
                 {"false", COR_TEMPORAL_VIOLATED}, {"0", COR_TEMPORAL_VIOLATED}, {"-", COR_TEMPORAL_VIOLATED},
                 {"?", COR_TEMPORAL_UNKNOWN}};
    char text[500];
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (strcmp(cell, words[w].word) == 0) {
            trace->conditions[column] = (uint8_t)words[w].value;
            return COR_OK;
        }
    if (*cell)
        snprintf(text, sizeof text, "\"%.200s\" is \"%.200s\", which is no truth value", trace->names[column],
                 cell);
    else
        snprintf(text, sizeof text, "nothing says whether \"%.200s\" holds", trace->names[column]);
    return complain(
        trace, error,
        *cell ? "true, 1, +; false, 0, -; ? where it is unknown; or compare it: level > 2, gray == 'failed'"
              : "true, 1, +; false, 0, -; or ? where it is unknown",
        text);
}

static enum cor_status read_state(struct trace *trace, struct cor_error *error) {
    bool is_last = false;
    size_t count = 0;
    char text[200];
    while (!is_last) {
        char *cell;
        COR_TRY(take_cell(trace, &cell, &is_last, error));
        if (count < trace->column_count && trace->is_used[count])
            COR_TRY(read_condition(trace, count, cell, error));
        if (count < trace->column_count && trace->is_read && trace->is_read[count])
            COR_TRY(read_value(trace, count, cell, error));
        count++;
    }
    if (count == trace->column_count) {
        for (size_t i = 0; i < trace->comparison_count; i++)
            trace->conditions[count + i] = compare(trace, &trace->comparisons[i]);
        return COR_OK;
    }
    snprintf(text, sizeof text, "has %zu cell%s, and the first line names %zu column%s", count,
             count == 1 ? "" : "s", trace->column_count, trace->column_count == 1 ? "" : "s");
    return complain(trace, error, NULL, text);
}

enum cor_status judge_trace(const char *formula, const char *path, struct judge_trace_verdict *verdict,
                            struct cor_error *error) {
    struct trace trace = {.path = cor_json_path_name(path)};
    COR_DESTROYED(cor_temporal) struct cor_temporal *temporal = NULL;
    struct cor_temporal_watch *watch = NULL;
    size_t length;
    enum cor_status status = COR_OK;
    *verdict = (struct judge_trace_verdict){0};
    COR_TRY_OUT(cor_json_read_text(path, &trace.text, &length, error));
    if (strlen(trace.text) != length)
        COR_TRY_OUT(cor_fail(error, COR_STATUS_INPUT, trace.path, "a trace is lines of text",
                             "there is a zero byte in it"));
    trace.at = trace.text;
    cor_words_init(&trace.words);
    COR_TRY_OUT(read_names(&trace, error));
    COR_TRY_OUT(find_used(&trace, formula, error));
    COR_TRY_OUT(cor_temporal_parse(formula, trace.names, "--formula", &temporal, error));
    COR_TRY_OUT(cor_temporal_watch_create(temporal, &watch, error));
    for (trace.line = 2; *trace.at; trace.line++) {
        COR_TRY_OUT(read_state(&trace, error));
        COR_TRY_OUT(cor_temporal_step(watch, trace.conditions, error));
        if (cor_temporal_decided_at(watch) == COR_TEMPORAL_OPEN ||
            cor_temporal_decided_at(watch) == verdict->states) {
            size_t at = verdict->states * trace.used_count;
            COR_TRY_OUT(COR_RESERVE(&trace.states, &trace.state_capacity, at + trace.used_count, error));
            for (size_t c = 0; c < trace.column_count + trace.comparison_count; c++)
                if (trace.is_used[c])
                    trace.states[at++] = trace.conditions[c];
        }
        verdict->states++;
    }
    if (verdict->states == 0) {
        trace.line = 1;
        COR_TRY_OUT(
            complain(&trace, error, "each line behind it is a state", "names columns, and no state follows"));
    }
    verdict->value = cor_temporal_verdict(watch);
    verdict->decided = cor_temporal_decided_at(watch);
    COR_TRY_OUT(find_absent(&trace, &verdict->absent, error));
    if (verdict->value == COR_TEMPORAL_VIOLATED)
        COR_TRY_OUT(find_reasons(&trace, formula, verdict, error));
out:
    cor_temporal_watch_destroy(watch);
    for (size_t i = 0; i < trace.comparison_count; i++) {
        cor_expression_fini(&trace.comparisons[i]);
        free(trace.texts[i]);
    }
    cor_words_fini(&trace.words);
    COR_FREE((void *)trace.names, trace.is_used, trace.conditions, trace.states, trace.symbols, trace.domains,
             trace.values, trace.is_read, trace.is_met, trace.text);
    if (status != COR_OK)
        judge_trace_fini(verdict);
    return status;
}

void judge_trace_fini(struct judge_trace_verdict *verdict) {
    for (size_t n = 0; verdict->names && verdict->names[n]; n++)
        free(verdict->names[n]);
    COR_FREE(verdict->reasons, verdict->names, verdict->absent);
    *verdict = (struct judge_trace_verdict){0};
}

/* ---- judge: a corridor as text against states of a system */

#define SENTENCES_SHOWN 10
#define TRACE_REASONS_SAID 16

struct request {
    struct cor_judge_options options;
    bool reasons;
    const char *formula;
    struct cor_judge_history history; /* .object: asked for */
};

/* From good to bad, as they are joined. */
enum verdict { HOLDS, EDGE, UNKNOWN, VIOLATED };

/* How often a constraint, or the kind, was found so. */
struct tally {
    size_t of[VIOLATED + 1]; /* [enum verdict] */
    size_t first;            /* state in which it does not hold */
};

/* What comes of judging all states. */
struct judging {
    struct cor_corridor *corridor;
    struct cor_corridor_judge *judge;
    struct judge_states states;
    struct corridor__time time;
    struct cor_json_writer *writer;               /* NULL: for readers */
    struct tally kind, all;                       /* all: states in which all holds */
    struct tally tallies[COR_CORRIDOR_ROWS_MAX];  /* [constraint] */
    enum cor_truth truths[COR_CORRIDOR_ROWS_MAX]; /* [constraint] in the state; at the edge unknown */
    struct formula {
        enum verdict verdict;
        uint64_t decided;              /* COR_TEMPORAL_OPEN: by the end */
    } formulas[COR_CORRIDOR_ROWS_MAX]; /* [constraint] of those of time */
    bool has_broken, has_open;         /* a formula is violated, is unknown */
    struct {
        size_t unknown, known; /* states */
        double least, greatest;
        size_t least_state, greatest_state; /* the first of them */
    } objective;
    char *sentences[SENTENCES_SHOWN]; /* owned */
    size_t sentence_count, sentence_total;
    bool is_cut; /* there may be more sentences: there was too much to look at */
    struct cor_judgement judgement;
    struct cor_breaches breaches;
    const struct cor_snapshot *state; /* whose reasons are sought; NULL: none are */
    struct cor_reason reason;
};

static const char *const verdict_words[] = {
    [HOLDS] = "holds", [EDGE] = "edge", [UNKNOWN] = "unknown", [VIOLATED] = "violated"};

static enum verdict verdict_of(enum cor_truth truth) {
    return truth == COR_TRUTH_TRUE ? HOLDS : truth == COR_TRUTH_FALSE ? VIOLATED : UNKNOWN;
}

static enum cor_truth truth_of(enum verdict verdict) {
    return verdict == HOLDS ? COR_TRUTH_TRUE : verdict == VIOLATED ? COR_TRUTH_FALSE : COR_TRUTH_UNKNOWN;
}

static void count_verdict(struct tally *tally, enum verdict verdict, size_t state) {
    if (verdict != HOLDS && tally->of[EDGE] + tally->of[UNKNOWN] + tally->of[VIOLATED] == 0)
        tally->first = state;
    tally->of[verdict]++;
}

/* Keeps a sentence for readers, in front of it the state, where there are several, and what it is about. */
static enum cor_status keep_sentence(struct judging *judging, size_t state, const char *about,
                                     const char *text, uint64_t more, struct cor_error *error) {
    judging->sentence_total += 1 + (size_t)more;
    if (judging->sentence_count == SENTENCES_SHOWN)
        return COR_OK;
    char *front =
        judging->states.count > 1 ? cor_format("state %zu, %s: ", state, about) : cor_format("%s: ", about);
    char *sentence = cor_join_take(front, "", cor_strdup(text));
    COR_TRY(cor_made(sentence, error));
    judging->sentences[judging->sentence_count++] = sentence;
    return COR_OK;
}

static void put_breach(struct cor_json_writer *w, const struct cor_breach *breach,
                       const struct cor_scope *scope, const char *sentence) {
    char text[400];
    cor_json_open_object(w, NULL);
    cor_json_open_object(w, "bindings");
    for (uint32_t i = 0; i < breach->binding_count; i++) {
        cor_span_text(&breach->bindings[i].name, text, sizeof text);
        cor_json_put_integer(w, text, breach->bindings[i].element);
    }
    cor_json_close(w);
    if (breach->counted_count > 0) {
        cor_json_open_array(w, "counted");
        for (uint32_t i = 0; i < breach->counted_count; i++)
            cor_json_put_integer(w, NULL, breach->counted[i].element);
        cor_json_close(w);
    }
    cor_json_open_object(w, "values");
    for (uint32_t i = 0; i < breach->value_count; i++) {
        const struct cor_breach_value *value = &breach->values[i];
        cor_span_text(&value->text, text, sizeof text);
        if (value->type == COR_NODE_REAL)
            cor_json_put_real(w, text, value->value.as.real);
        else if (value->type == COR_NODE_WORD)
            cor_json_put_string(w, text, cor_words_text(scope->words, value->value.as.word));
        else
            cor_json_put_integer(w, text, value->value.as.integer);
    }
    cor_json_close(w);
    cor_json_put_string(w, "sentence", sentence);
    cor_json_close(w);
}

/* Why a constraint does not hold, or is not known to. */
static enum cor_status say_constraint(struct judging *judging, size_t state, uint32_t constraint,
                                      enum verdict verdict, const struct cor_unknown *unknown,
                                      struct cor_error *error) {
    const char *name = judging->corridor->constraints[constraint].name;
    struct cor_json_writer *w = judging->writer;
    struct cor_breaches *breaches = &judging->breaches;
    char text[2000];
    breaches->count = breaches->kept_count = 0;
    breaches->is_cut = false;
    if (verdict == VIOLATED)
        cor_corridor_explain(judging->judge, constraint, breaches);
    judging->is_cut = judging->is_cut || breaches->is_cut;
    if (w)
        cor_json_open_array(w, "violations");
    for (uint32_t b = 0; b < breaches->kept_count; b++) {
        cor_corridor_breach_text(judging->judge, constraint, &breaches->kept[b], text, sizeof text);
        const bool is_last = b + 1 == breaches->kept_count;
        COR_TRY(keep_sentence(judging, state, name, text,
                              is_last ? breaches->count - breaches->kept_count : 0, error));
        if (w)
            put_breach(w, &breaches->kept[b], &judging->corridor->scope, text);
    }
    if (w)
        cor_json_close(w);
    if (w && verdict == VIOLATED)
        cor_json_put_integer(w, "violation_count", (int64_t)breaches->count);
    if (w && breaches->is_cut)
        cor_json_put_bool(w, "more_possible", true);
    if (verdict == VIOLATED && judging->state) {
        COR_FREED char *sentence = NULL;
        enum cor_status status = judge_reason(judging->corridor, judging->state, constraint, &judging->reason,
                                              judging->writer, &sentence, error);
        if (status == COR_OK && sentence)
            status = keep_sentence(judging, state, name, sentence, 0, error);
        return status;
    }
    if (verdict == HOLDS || verdict == VIOLATED)
        return COR_OK;
    if (verdict == EDGE)
        cor_corridor_edge_text(judging->corridor, constraint, unknown, text, sizeof text);
    else
        cor_corridor_unknown_text(judging->corridor, constraint, unknown, text, sizeof text);
    if (w)
        cor_json_put_string(w, verdict_words[verdict], text);
    return keep_sentence(judging, state, name, text, 0, error);
}

/* The verdict of a constraint on the state that is looked at; *unknown: why it is none. */
static enum verdict ask_constraint(const struct judging *judging, uint32_t constraint,
                                   struct cor_unknown *unknown) {
    const enum cor_truth truth = cor_corridor_ask(judging->judge, constraint, unknown);
    if (truth == COR_TRUTH_UNKNOWN || !unknown->is_close)
        return verdict_of(truth);
    return cor_corridor_ask_with_edge(judging->judge, constraint, unknown) == truth ? verdict_of(truth)
                                                                                    : EDGE;
}

/* The objective of the state that is looked at, which nobody judges. */
static void say_objective(struct judging *judging, size_t index) {
    const char *name = judging->corridor->objective.name;
    struct cor_json_writer *w = judging->writer;
    double number;
    if (!name)
        return;
    const bool is_known = cor_corridor_reckon(judging->judge, &number) && isfinite(number);
    if (!is_known)
        judging->objective.unknown++;
    else {
        if (judging->objective.known == 0 || number < judging->objective.least) {
            judging->objective.least = number;
            judging->objective.least_state = index;
        }
        if (judging->objective.known == 0 || number > judging->objective.greatest) {
            judging->objective.greatest = number;
            judging->objective.greatest_state = index;
        }
        judging->objective.known++;
    }
    if (!w)
        return;
    cor_json_open_object(w, "objective");
    cor_json_put_string(w, "name", name);
    cor_json_put_real(w, "value", is_known ? number : NAN);
    cor_json_close(w);
}

static enum cor_status judge_state(struct judging *judging, size_t index, bool with_reasons,
                                   struct cor_error *error) {
    const struct cor_corridor *corridor = judging->corridor;
    struct cor_json_writer *w = judging->writer;
    struct cor_snapshot state;
    COR_TRY(judge_states_at(&judging->states, index, judging->corridor, &state, error));
    COR_TRY(cor_corridor_judge_look(judging->judge, &state, &judging->judgement, error));
    const enum verdict kind = judging->judgement.violation_count > 0 ? VIOLATED : HOLDS;
    enum verdict whole = kind;
    judging->state = with_reasons && kind == HOLDS ? &state : NULL;
    count_verdict(&judging->kind, kind, index);
    if (w) {
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "kind", verdict_words[kind]);
    }
    const struct cor_judgement *judgement = &judging->judgement;
    if (w)
        cor_json_open_array(w, "violations");
    for (uint32_t v = 0; v < judgement->kept_count; v++) {
        const struct cor_violation *violation = &judgement->kept[v];
        const bool is_last = v + 1 == judgement->kept_count;
        char text[512];
        cor_corridor_kind_text(judging->corridor, violation, text, sizeof text);
        COR_TRY(keep_sentence(judging, index, cor_structure_words[judging->corridor->kind], text,
                              is_last ? judgement->violation_count - judgement->kept_count : 0, error));
        if (!w)
            continue;
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "check", cor_term_word(COR_FAMILY_CHECK, (int)violation->check));
        cor_json_open_object(w, "bindings");
        if (violation->agent != COR_NOBODY)
            cor_json_put_integer(w, "agent", violation->agent);
        if (violation->partition != COR_NOBODY)
            cor_json_put_integer(w, "organization", violation->partition);
        cor_json_close(w);
        cor_json_put_string(w, "sentence", text);
        cor_json_close(w);
    }
    if (w) {
        cor_json_close(w);
        cor_json_put_integer(w, "violation_count", judgement->violation_count);
        cor_json_open_array(w, "constraints");
    }
    for (uint32_t c = 0; c < corridor->constraint_count; c++) {
        struct cor_unknown unknown;
        if (corridor->constraints[c].kind == COR_CONSTRAINT_TEMPORAL)
            continue;
        const enum verdict verdict = ask_constraint(judging, c, &unknown);
        count_verdict(&judging->tallies[c], verdict, index);
        judging->truths[c] = truth_of(verdict);
        whole = verdict > whole ? verdict : whole;
        if (w) {
            cor_json_open_object(w, NULL);
            cor_json_put_string(w, "name", corridor->constraints[c].name);
            cor_json_put_string(w, "verdict", verdict_words[verdict]);
        }
        COR_TRY(say_constraint(judging, index, c, verdict, &unknown, error));
        if (w)
            cor_json_close(w);
    }
    count_verdict(&judging->all, whole, index);
    if (w)
        cor_json_close(w);
    say_objective(judging, index);
    if (w)
        cor_json_close(w);
    COR_TRY(corridor__time_organizations(&judging->time, judging->judge, &state, error));
    return corridor__time_step(&judging->time, judging->truths, truth_of(whole), judging->states.stable,
                               error);
}

static bool is_bad(const struct tally *tally) {
    return tally->of[VIOLATED] + tally->of[UNKNOWN] + tally->of[EDGE] > 0;
}

static void print_tally(const char *name, size_t width, const struct tally *tally) {
    printf("%-*.*s  %9zu  %9zu  %9zu  %9zu", (int)width, (int)width, name, tally->of[HOLDS],
           tally->of[VIOLATED], tally->of[UNKNOWN], tally->of[EDGE]);
    if (is_bad(tally))
        printf("  state %zu", tally->first);
    putchar('\n');
}

/* What the objective of the states is. */
static void print_objective(const struct judging *judging, size_t width) {
    const char *name = judging->corridor->objective.name;
    if (!name)
        return;
    if (judging->states.count == 1 || judging->objective.known == 0) {
        printf("\n%-*s  %9s\n%-*.*s  ", (int)width, "objective", "value", (int)width, (int)width, name);
        if (judging->objective.known > 0)
            printf("%9.6g\n", judging->objective.least);
        else
            printf("%9s\n", "unknown");
        return;
    }
    printf("\n%-*s  %9s  %9s  %9s  %9s  %9s\n", (int)width, "objective", "least", "state", "greatest",
           "state", "unknown");
    printf("%-*.*s  %9.6g  %9zu  %9.6g  %9zu  %9zu\n", (int)width, (int)width, name, judging->objective.least,
           judging->objective.least_state, judging->objective.greatest, judging->objective.greatest_state,
           judging->objective.unknown);
}

/* One screen: a line a constraint, those that hold everywhere together if they are many; then why. */
static void print_judging(const struct judging *judging) {
    const struct cor_corridor *corridor = judging->corridor;
    const size_t lines_most = 10;
    size_t width = strlen("constraint"), lines = 0, left_out = 0;
    for (uint32_t c = 0; c <= corridor->constraint_count; c++) {
        const size_t length = strlen(c < corridor->constraint_count ? corridor->constraints[c].name
                                                                    : cor_structure_words[corridor->kind]);
        width = length > width ? length : width;
    }
    if (corridor->objective.name && strlen(corridor->objective.name) > width)
        width = strlen(corridor->objective.name);
    width = width > 34 ? 34 : width;
    printf("%zu state%s: all holds in %zu, violated %zu, unknown %zu, edge %zu\n\n", judging->states.count,
           judging->states.count == 1 ? "" : "s", judging->all.of[HOLDS], judging->all.of[VIOLATED],
           judging->all.of[UNKNOWN], judging->all.of[EDGE]);
    printf("%-*s  %9s  %9s  %9s  %9s  first not\n", (int)width, "constraint", "holds", "violated", "unknown",
           "edge");
    print_tally(cor_structure_words[corridor->kind], width, &judging->kind);
    for (int bad_ones = 1; bad_ones >= 0; bad_ones--)
        for (uint32_t c = 0; c < corridor->constraint_count; c++) {
            const struct tally *tally = &judging->tallies[c];
            if (corridor->constraints[c].kind == COR_CONSTRAINT_TEMPORAL || is_bad(tally) != bad_ones)
                continue;
            if (lines++ < lines_most)
                print_tally(corridor->constraints[c].name, width, tally);
            else
                left_out++;
        }
    if (left_out > 0)
        printf("and %zu more: --json has all\n", left_out);
    /* The verdicts of formulas, and with which state they were fixed. */
    bool is_first = true;
    for (uint32_t c = 0; c < judging->corridor->constraint_count; c++) {
        const struct formula *formula = &judging->formulas[c];
        if (judging->corridor->constraints[c].kind != COR_CONSTRAINT_TEMPORAL)
            continue;
        if (is_first)
            printf("\n%-*s  %9s  decided\n", (int)width, "over time", "verdict");
        is_first = false;
        printf("%-*.*s  %9s  ", (int)width, (int)width, judging->corridor->constraints[c].name,
               verdict_words[formula->verdict]);
        if (formula->decided == COR_TEMPORAL_OPEN)
            printf("by the end\n");
        else
            printf("state %" PRIu64 "\n", formula->decided);
    }
    print_objective(judging, width);
    if (judging->sentence_count > 0)
        putchar('\n');
    for (size_t s = 0; s < judging->sentence_count; s++) {
        cor_print_text(stdout, judging->sentences[s], 0, 2);
        putchar('\n');
    }
    if (judging->sentence_total > judging->sentence_count)
        printf("and %zu more%s\n", judging->sentence_total - judging->sentence_count,
               judging->is_cut ? " at least: there was too much to look at" : "");
}

static enum cor_status judge_all(const struct cor_arguments *arguments, struct judging *judging,
                                 struct cor_error *error) {
    const struct request *request = arguments->request;
    COR_TRY(corridor_file_read(arguments->words[0], &judging->corridor, error));
    COR_TRY(cor_corridor_judge_create(judging->corridor, &judging->judge, error));
    COR_TRY(corridor__time_init(&judging->time, judging->corridor, error));
    COR_TRY(judge_states_read(arguments->words[1], &judging->states, error));
    if (request->options.json) {
        COR_TRY(cor_document_open("corridor-judge", 1, &judging->writer, error));
        cor_json_open_array(judging->writer, "states");
    }
    cor_progress_doing("judging states");
    for (size_t i = 0; i < judging->states.count; i++)
        COR_TRY(judge_state(judging, i, request->reasons, error));
    cor_progress_doing(NULL);
    /* What the states, as a trace, say of the formulas. */
    for (uint32_t c = 0; c < judging->corridor->constraint_count; c++) {
        struct formula *formula = &judging->formulas[c];
        if (judging->corridor->constraints[c].kind != COR_CONSTRAINT_TEMPORAL)
            continue;
        formula->verdict = verdict_of(corridor__time_verdict(&judging->time, c, &formula->decided));
        judging->has_broken = judging->has_broken || formula->verdict == VIOLATED;
        judging->has_open = judging->has_open || formula->verdict == UNKNOWN;
    }
    if (!request->options.json) {
        print_judging(judging);
        return cor_stream_status(stdout, error);
    }
    struct cor_json_writer *w = judging->writer;
    cor_json_close(w);
    cor_json_open_array(w, "formulas");
    for (uint32_t c = 0; c < judging->corridor->constraint_count; c++) {
        const struct cor_constraint *constraint = &judging->corridor->constraints[c];
        const struct formula *formula = &judging->formulas[c];
        if (constraint->kind != COR_CONSTRAINT_TEMPORAL)
            continue;
        char text[2000];
        const size_t length = strlen(constraint->text);
        const struct cor_span span = {constraint->text, (uint32_t)length};
        cor_span_text(&span, text, sizeof text);
        for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--)
            text[end - 1] = '\0';
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "name", constraint->name);
        cor_json_put_string(w, "formula", text);
        cor_json_put_string(w, "verdict", verdict_words[formula->verdict]);
        if (formula->decided == COR_TEMPORAL_OPEN)
            cor_json_put_string(w, "decided_at", NULL);
        else
            cor_json_put_integer(w, "decided_at", (int64_t)formula->decided);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_close(w);
    judging->writer = NULL;
    return cor_json_print_take(w, 2, stdout, error);
}

static enum cor_status print_trace(const struct request *request, const struct judge_trace_verdict *verdict,
                                   struct cor_error *error) {
    struct cor_json_writer *writer;
    if (!request->options.json) {
        printf("%" PRIu64 " state%s: %s, decided ", verdict->states, verdict->states == 1 ? "" : "s",
               cor_temporal_word(verdict->value));
        if (verdict->decided == COR_TEMPORAL_OPEN)
            printf("by the end\n");
        else
            printf("with state %" PRIu64 "\n", verdict->decided);
        /* Why a trace violates a formula, in a sentence. */
        COR_FINISHED(cor_bytes) struct cor_bytes text = {0};
        char words[1000];
        for (size_t i = 0; i < verdict->reason_count && i < TRACE_REASONS_SAID; i++) {
            cor_temporal_reason_text(&verdict->reasons[i], request->formula,
                                     (const char *const *)verdict->names, "state", 0, words, sizeof words);
            cor_bytes_print(&text, "%s%s",
                            i == 0                           ? ""
                            : i + 1 == verdict->reason_count ? ", and "
                                                             : ", ",
                            words);
        }
        if (verdict->reason_count > TRACE_REASONS_SAID)
            cor_bytes_print(&text, ", and %zu more", verdict->reason_count - TRACE_REASONS_SAID);
        if (verdict->value == COR_TEMPORAL_VIOLATED && !verdict->is_enough)
            cor_bytes_print(&text, "%snothing that comes can change that", text.size > 0 ? ", and " : "");
        if (text.status == COR_OK && text.size > 0) {
            cor_bytes_print(&text, ".");
            cor_print_text(stdout, cor_bytes_text(&text), 0, 2);
        }
        if (verdict->absent)
            printf("  No cell that is compared is %s.\n", verdict->absent);
        return cor_stream_status(stdout, error);
    }
    COR_TRY(cor_document_open("corridor-judge-trace", 1, &writer, error));
    cor_json_put_string(writer, "formula", request->formula);
    cor_json_put_integer(writer, "states", (int64_t)verdict->states);
    cor_json_put_string(writer, "verdict", cor_temporal_word(verdict->value));
    if (verdict->decided == COR_TEMPORAL_OPEN)
        cor_json_put_string(writer, "decided_at", NULL);
    else
        cor_json_put_integer(writer, "decided_at", (int64_t)verdict->decided);
    cor_json_put_string(writer, "absent", verdict->absent);
    cor_json_open_array(writer, "reasons");
    for (size_t i = 0; i < verdict->reason_count; i++) {
        const struct cor_temporal_reason *reason = &verdict->reasons[i];
        char part[200];
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "kind", cor_temporal_reason_word(reason->kind));
        if (reason->kind == COR_TEMPORAL_FACT) {
            cor_json_put_string(writer, "condition", verdict->names[reason->condition]);
            cor_json_put_string(writer, "verdict", cor_temporal_word((enum cor_temporal_value)reason->value));
        } else {
            const struct cor_span span = {request->formula + reason->at, reason->length};
            cor_span_text(&span, part, sizeof part);
            cor_json_put_string(writer, "part", part);
        }
        cor_json_put_integer(writer, "first", (int64_t)reason->first);
        cor_json_put_integer(writer, "last", (int64_t)reason->last);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_close(writer);
    return cor_json_print_take(writer, 2, stdout, error);
}

/* --formula: a trace as CSV. */
static enum cor_exit run_trace(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    struct judge_trace_verdict verdict;
    if (arguments->word_count != 1)
        return cor_misuse(arguments->command, "needs one trace with --formula");
    if (judge_trace(request->formula, arguments->words[0], &verdict, &error) != COR_OK)
        return cor_report(&error);
    const enum cor_status status = print_trace(request, &verdict, &error);
    const enum cor_temporal_value value = verdict.value;
    judge_trace_fini(&verdict);
    if (status != COR_OK)
        return cor_report(&error);
    if (value == COR_TEMPORAL_UNKNOWN)
        return COR_EXIT_UNDECIDED;
    return value == COR_TEMPORAL_VIOLATED && !request->options.no_fail ? COR_EXIT_EXPECTATION : COR_EXIT_DONE;
}

static enum cor_exit run_judge(const struct cor_arguments *arguments) {
    const struct request *request = arguments->request;
    struct cor_error error = COR_NO_ERROR;
    const char *what, *reader;
    if (request->formula)
        return run_trace(arguments);
    if (request->history.object) {
        struct cor_judge_history asked = request->history;
        asked.json = request->options.json;
        asked.no_fail = request->options.no_fail;
        return arguments->word_count == 1
                   ? cor_judge_history(arguments->words[0], &asked)
                   : cor_misuse(arguments->command, "needs one file of calls with --history");
    }
    if (request->history.sequential || request->history.svg)
        return cor_misuse(arguments->command, "--%s is of calls: say of which object by --history",
                          request->history.sequential ? "sequential" : "svg");
    if (arguments->word_count != 2)
        return cor_misuse(arguments->command, "needs a corridor, and states or a result file");
    if (strcmp(arguments->words[1], "-") != 0 && (what = cor_what_file(arguments->words[1], &reader)) &&
        strncmp(what, "a result file", strlen("a result file")) == 0) {
        if (request->reasons)
            return cor_misuse(arguments->command, "--reasons is of states, not of a result file");
        return cor_judge_result(arguments->command, arguments->words[0], arguments->words[1],
                                &request->options);
    }
    struct judging *judging = cor_calloc(1, sizeof *judging);
    enum cor_status status = cor_made(judging, &error);
    enum cor_exit exit = COR_EXIT_DONE;
    if (status == COR_OK)
        status = judge_all(arguments, judging, &error);
    if (judging && judging->states.note[0])
        cor_say("note: %s: %s", cor_json_path_name(arguments->words[1]), judging->states.note);
    if (status != COR_OK)
        exit = cor_report(&error);
    else if ((judging->all.of[VIOLATED] > 0 || judging->has_broken) && !request->options.no_fail)
        exit = COR_EXIT_EXPECTATION;
    else if (judging->all.of[UNKNOWN] + judging->all.of[EDGE] > 0 || judging->has_open)
        exit = COR_EXIT_UNDECIDED;
    if (judging) {
        cor_json_writer_destroy(judging->writer);
        judge_states_fini(&judging->states);
        corridor__time_fini(&judging->time);
        cor_reason_fini(&judging->reason);
        cor_corridor_judge_destroy(judging->judge);
        cor_corridor_destroy(judging->corridor);
        for (size_t s = 0; s < judging->sentence_count; s++)
            free(judging->sentences[s]);
        free(judging);
    }
    return exit;
}

const struct cor_command cor_command_judge = {
    .name = "judge",
    .summary = "check states by a corridor",
    .operands =
        "FILE.corridor STATES.json|RESULTS.h5 | --formula TEXT TRACE.csv | --history OBJECT CALLS.edn",
    .takes = {1, 2, "needs a corridor, and states or a result file"},
    .request_size = sizeof(struct request),
    .manual =
        "Judges states by a corridor. For each state it says whether the structure is of its kind. For "
        "each constraint it says whether it holds, is violated, is unknown since something that it reads "
        "is not there, or is at the edge: the numbers that are compared are within 1e-9 of each other, "
        "and rounding decides. It names the agents and organizations for which a constraint is violated, "
        "and the values. docs/look-up/corridor-language.md has the language. States are JSON: one, an "
        "array, or one in each line; \"-\" is standard input: {\"agents\": [{\"type\": \"wind\", \"value\": "
        "0.3}], "
        "\"organizations\": [[0]], \"parents\": [null], \"parameters\": {\"s_min\": 1}}. If the text has an "
        "objective, its number is shown for each state, and judged by nobody. Several states are a trace, "
        "over which constraints about time are judged. With a result file all sequences are executed "
        "again as they were, also by a corridor that was written after them. Judged is the state that "
        "each case leaves behind; the initial structure of each suite is judged apart, by invariants; "
        "formulas of time are judged over the cases of each sequence, where \"returns\" without a rule of "
        "its own means within three cases (and the arm's delay). With --formula it judges a trace that is "
        "stored as CSV: the first line names conditions, each line behind it is a state, in which a "
        "condition is true, 1 or +, false, 0 or -, or ?, unknown; other columns are numbers or words, and "
        "can "
        "be compared, as in the CSV that corridor export writes. The lines are one trace: of a result file "
        "choose one sequence by --where. If the formula is violated, facts are named that suffice for it. "
        "With --history "
        "it judges calls of clients: could one copy of the object have answered so, one call at a time, each "
        "at an instant between call and return (linearizable)? A call without an end took effect at any time "
        "after it was made, or never. If not, the first return is named after which no order is left, and "
        "the "
        "smallest set of calls found that have none, whatever the others did (docs/look-up/histories.md). "
        "The "
        "exit code is 1 if something is violated, else 7 if something is unknown, at the edge, or not "
        "decided.",
    .options =
        {
            {"formula", 0, "TEXT", "judge a trace as CSV by this formula of time (docs/look-up/temporal.md)",
             COR_TEXT(formula)},
            {"history", 0, "OBJECT",
             "judge calls of clients on a register, cas_register, map, set, queue, stack, counter, lock or "
             "log",
             COR_TEXT(history.object)},
            {"sequential", 0, NULL, "calls: each process' order counts, real time does not",
             COR_FLAG(history.sequential)},
            {"svg", 0, "FILE", "calls: draw those that have no order", COR_TEXT(history.svg)},
            {"force", 'f', NULL, "replace that file if it is there", COR_FLAG(history.force), .needs = "svg"},
            {"steps", 0, "N", "calls: steps of a search, beyond which nothing is decided",
             COR_INTEGER(history.steps, 1, INT64_C(1) << 40, 1 << 20)},
            {"json", 0, NULL, "print verdicts and violations of each state as JSON", COR_FLAG(options.json)},
            {"reasons", 0, NULL, "say which facts suffice for each violation", COR_FLAG(reasons)},
            {"no-fail", 0, NULL, "exit with 0, not 1, if something is violated", COR_FLAG(options.no_fail)},
            {"trust", 0, NULL, "start programs and modules that a result file names, after showing them",
             COR_FLAG(options.trust)},
        },
    .examples =
        {"corridor judge teams.corridor states.json # verdicts, and why",
         "corridor judge teams.corridor - --json < states.json",
         "corridor judge teams.corridor states.json --reasons # which memberships and values are to blame",
         "corridor judge --formula \"always (b implies eventually[0, 3] d)\" trace.csv",
         "corridor judge ops.edn --history cas_register # was what the clients saw possible?",
         "corridor judge teams.corridor demo.h5 # what the campaign's states keep to"},
    .run = run_judge,
};
