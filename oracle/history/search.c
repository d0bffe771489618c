/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is there an order of all calls that keeps each process' own order? Real time does not count, so a call may
 * see what is written later, and nothing can be said before the end; nor key by key. All that is reached by
 * taking one call after the other: how far each process is, and the states of all keys. A call that never
 * returns comes at any time behind those that its process made before, or never. The same search, with real
 * time, finds the longest order of the few calls that are told. */
#include "calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls in the order in which they have to be taken. */
struct lane {
    size_t *calls; /* owned */
    size_t count, capacity;
    uint32_t process;
    uint32_t behind, least; /* of what never returns: that lane has to be so far; else itself, 0 */
};

/* What is reached is kept as words: [lane] how many were taken, then of each key the count of its words and
 * these. */
struct search {
    struct cor_history *history;
    struct lane *lanes; /* owned, and each */
    size_t lane_count, lane_capacity;
    struct cor_pool processes; /* number: its place in lane_numbers */
    size_t *lane_numbers;      /* owned */
    size_t number_capacity;
    size_t wanted;           /* calls that returned */
    bool is_real_time;       /* a call comes behind those that ended before it began; each has a lane */
    uint32_t key;            /* in real time: the one that is looked at */
    struct cor_pool keys;    /* number: its place among the states */
    struct cor_pool reached; /* what was */
    struct came {            /* [number of what was reached] */
        uint32_t from, lane;
    } * came; /* owned; where an order is told, else NULL */
    size_t came_capacity;
    bool is_told;
    struct history__words node, next, state;
    uint64_t steps, steps_most;
};

static enum cor_status lane_of(struct search *search, uint32_t process, size_t *lane,
                               struct cor_error *error) {
    const uint32_t count = search->processes.count;
    uint32_t number = count;
    *lane = search->lane_count;
    if (!search->is_real_time) {
        COR_TRY(COR_RESERVE(&search->lane_numbers, &search->number_capacity, (size_t)count + 1, error));
        COR_TRY(cor_pool_add(&search->processes, &process, sizeof process, &number, error));
        *lane = number < count ? search->lane_numbers[number] : search->lane_count;
        search->lane_numbers[number] = *lane;
    }
    if (*lane < search->lane_count)
        return COR_OK;
    COR_TRY(COR_RESERVE(&search->lanes, &search->lane_capacity, search->lane_count + 1, error));
    search->lanes[search->lane_count++] = (struct lane){.process = process, .behind = (uint32_t)*lane};
    return COR_OK;
}

static enum cor_status make_lanes(struct search *search, const bool *relaxed, struct cor_error *error) {
    const struct cor_history *history = search->history;
    uint32_t key;
    for (size_t c = 0; c < history->count; c++) {
        const struct cor_call *call = &history->calls[c];
        const bool is_unknown = call->end == COR_CALL_UNKNOWN || (relaxed && relaxed[c]);
        size_t at;
        if (search->is_real_time && call->key != search->key)
            continue;
        if ((call->end == COR_CALL_FAILED && !is_unknown) ||
            (is_unknown && history__only_reads(call->operation)))
            continue;
        COR_TRY(cor_pool_add(&search->keys, &call->key, sizeof call->key, &key, error));
        COR_TRY(lane_of(search, call->process, &at, error));
        if (is_unknown) {
            const struct lane alone = {
                .process = call->process, .behind = (uint32_t)at, .least = (uint32_t)search->lanes[at].count};
            at = search->lane_count;
            COR_TRY(COR_RESERVE(&search->lanes, &search->lane_capacity, at + 1, error));
            search->lanes[search->lane_count++] = alone;
        } else {
            search->wanted++;
        }
        struct lane *lane = &search->lanes[at];
        COR_TRY(COR_RESERVE(&lane->calls, &lane->capacity, lane->count + 1, error));
        lane->calls[lane->count++] = c;
    }
    return COR_OK;
}

/* The state of a key in what was reached: *at is the place of its count. */
static const uint32_t *state_of(const struct search *search, const struct history__words *node, uint32_t key,
                                size_t *at) {
    *at = search->lane_count;
    for (uint32_t k = 0; k < key; k++)
        *at += 1 + (size_t)node->words[*at];
    return node->words + *at + 1;
}

/* Takes the next call of a lane, from `node` into `next`; *is_taken: it may come next, and returns what it
 * returned; of what never returns: it changes something. */
static enum cor_status take(struct search *search, size_t lane, bool *is_taken, struct cor_error *error) {
    struct cor_history *history = search->history;
    const struct history__words *node = &search->node;
    const struct lane *from = &search->lanes[lane];
    const bool is_unknown = from->behind != lane;
    uint32_t key, result;
    size_t at;
    *is_taken = false;
    if (node->words[lane] == from->count || (is_unknown && node->words[from->behind] < from->least))
        return COR_OK;
    const struct cor_call *call = &history->calls[from->calls[node->words[lane]]];
    for (size_t l = 0; search->is_real_time && l < search->lane_count; l++)
        if (search->lanes[l].behind == l && node->words[l] < search->lanes[l].count &&
            history->calls[search->lanes[l].calls[0]].ended < call->called)
            return COR_OK;
    key = cor_pool_find(&search->keys, &call->key, sizeof call->key);
    const uint32_t *state = state_of(search, node, key, &at);
    const size_t count = node->words[at];
    COR_TRY(history__apply(history->object, &history->values, call, state, count, &search->state, &result,
                           error));
    const bool is_same = search->state.count == count &&
                         (count == 0 || memcmp(search->state.words, state, count * sizeof *state) == 0);
    *is_taken = is_unknown ? !is_same : history__accepts(call->operation, result, call->result);
    if (!*is_taken)
        return COR_OK;
    struct history__words *next = &search->next;
    const size_t behind = at + 1 + count, rest = node->count - behind;
    next->count = at + 1 + search->state.count + rest;
    COR_TRY(COR_RESERVE(&next->words, &next->capacity, next->count, error));
    memcpy(next->words, node->words, at * sizeof *next->words);
    next->words[lane]++;
    next->words[at] = (uint32_t)search->state.count;
    if (search->state.count > 0)
        memcpy(next->words + at + 1, search->state.words, search->state.count * sizeof *next->words);
    if (rest > 0)
        memcpy(next->words + at + 1 + search->state.count, node->words + behind, rest * sizeof *next->words);
    return COR_OK;
}

static void swap_nodes(struct search *search) {
    const struct history__words node = search->node;
    search->node = search->next;
    search->next = node;
}

/* What only reads and returns as it did can be taken at once: whatever comes before it in an order could come
 * behind it, too. */
static enum cor_status take_reads(struct search *search, struct cor_error *error) {
    for (size_t l = 0; l < search->lane_count && !search->is_told;) {
        const struct lane *lane = &search->lanes[l];
        bool is_taken =
            search->node.words[l] < lane->count &&
            history__only_reads(search->history->calls[lane->calls[search->node.words[l]]].operation);
        if (is_taken)
            COR_TRY(take(search, l, &is_taken, error));
        if (is_taken)
            swap_nodes(search);
        else
            l++;
    }
    return COR_OK;
}

static bool is_whole(const struct search *search) {
    size_t taken = 0;
    for (size_t l = 0; l < search->lane_count; l++)
        taken += search->lanes[l].behind == l ? search->node.words[l] : 0;
    return taken == search->wanted;
}

/* Keeps the node, if it is new to be gone on from; it came by a call of that lane. */
static enum cor_status reach(struct search *search, struct history__words *waiting, uint32_t from,
                             size_t lane, struct cor_error *error) {
    const uint32_t count = search->reached.count;
    uint32_t number;
    search->steps += 1 + search->node.count / 16;
    COR_TRY(cor_pool_add(&search->reached, search->node.words, search->node.count * sizeof(uint32_t), &number,
                         error));
    if (number < count)
        return COR_OK;
    if (search->is_told) {
        COR_TRY(COR_RESERVE(&search->came, &search->came_capacity, (size_t)number + 1, error));
        search->came[number] = (struct came){from, (uint32_t)lane};
    }
    COR_TRY(COR_RESERVE(&waiting->words, &waiting->capacity, waiting->count + 1, error));
    waiting->words[waiting->count++] = number;
    return COR_OK;
}

static enum cor_status begin(struct search *search, struct cor_error *error) {
    struct history__words *node = &search->node;
    uint32_t first[2];
    const uint32_t count = history__first_state(search->history->object, first);
    node->count = search->lane_count + (size_t)search->keys.count * (1 + count);
    COR_TRY(COR_RESERVE(&node->words, &node->capacity, node->count + 1, error));
    memset(node->words, 0, search->lane_count * sizeof *node->words);
    for (uint32_t k = 0; k < search->keys.count; k++) {
        uint32_t *at = node->words + search->lane_count + (size_t)k * (1 + count);
        at[0] = count;
        memcpy(at + 1, first, count * sizeof *at);
    }
    return take_reads(search, error);
}

static enum cor_status load(struct search *search, uint32_t number, struct cor_error *error) {
    const size_t size = cor_pool_item_size(&search->reached, number);
    search->node.count = size / sizeof(uint32_t);
    COR_TRY(COR_RESERVE(&search->node.words, &search->node.capacity, search->node.count, error));
    memcpy(search->node.words, cor_pool_item(&search->reached, number), size);
    return COR_OK;
}

/* Looks for an order of all that returned. */
static enum cor_status look(struct search *search, const bool *relaxed, enum cor_possible *possible,
                            struct cor_error *error) {
    struct history__words waiting = {0};
    enum cor_status status = COR_OK;
    *possible = COR_IMPOSSIBLE;
    COR_TRY_OUT(make_lanes(search, relaxed, error));
    COR_TRY_OUT(begin(search, error));
    if (is_whole(search))
        *possible = COR_POSSIBLE;
    else
        COR_TRY_OUT(reach(search, &waiting, 0, 0, error));
    while (waiting.count > 0 && *possible == COR_IMPOSSIBLE) {
        const uint32_t from = waiting.words[--waiting.count];
        bool is_taken = true;
        for (size_t l = 0; l < search->lane_count && *possible == COR_IMPOSSIBLE; l++) {
            if (is_taken)
                COR_TRY_OUT(load(search, from, error));
            COR_TRY_OUT(take(search, l, &is_taken, error));
            if (!is_taken)
                continue;
            swap_nodes(search);
            COR_TRY_OUT(take_reads(search, error));
            if (is_whole(search))
                *possible = COR_POSSIBLE;
            else
                COR_TRY_OUT(reach(search, &waiting, from, l, error));
            if (search->steps > search->steps_most && *possible == COR_IMPOSSIBLE)
                *possible = COR_NOT_DECIDED;
        }
    }
out:
    free(waiting.words);
    return status;
}

static void free_search(struct search *search) {
    for (size_t l = 0; l < search->lane_count; l++)
        free(search->lanes[l].calls);
    free(search->lanes);
    cor_pool_fini(&search->processes);
    free(search->lane_numbers);
    cor_pool_fini(&search->keys);
    cor_pool_fini(&search->reached);
    free(search->came);
    free(search->node.words);
    free(search->next.words);
    free(search->state.words);
}

enum cor_status cor_history_sequential(struct cor_history *history, const bool *relaxed, uint64_t steps_most,
                                       struct cor_history_verdict *verdict, struct cor_error *error) {
    struct search search = {.history = history,
                            .keys = {.size = sizeof(uint32_t)},
                            .processes = {.size = sizeof(uint32_t)},
                            .steps_most = steps_most};
    *verdict = (struct cor_history_verdict){0};
    const enum cor_status status = look(&search, relaxed, &verdict->possible, error);
    verdict->steps = search.steps;
    verdict->all = search.steps * (1 + search.lane_count);
    free_search(&search);
    return status;
}

/* ---- told */

#define STEPS_TOLD 100000u
#define CALLS_DRAWN 16u /* in 80 columns */
#define CALLS_TOLD 200u

/* What is told: calls of the longest order, then those that do not fit. */
struct told {
    size_t *calls; /* owned */
    size_t capacity, count, fitting;
    unsigned from[CALLS_DRAWN], to[CALLS_DRAWN], width; /* in columns; `to` WIDTH: it never returned */
};

static enum cor_status tell(struct told *told, size_t call, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&told->calls, &told->capacity, told->count + 1, error));
    told->calls[told->count++] = call;
    return COR_OK;
}

/* The longest order that was reached, with the fewest that never returned; its end is the node. */
static enum cor_status tell_longest(struct search *search, struct told *told, struct cor_error *error) {
    uint32_t longest = 0;
    size_t most = 0, least = 0;
    for (uint32_t n = 0; n < search->reached.count; n++) {
        size_t taken = 0, unknown = 0;
        COR_TRY(load(search, n, error));
        for (size_t l = 0; l < search->lane_count; l++)
            *(search->lanes[l].behind == l ? &taken : &unknown) += search->node.words[l];
        if (taken > most || (taken == most && unknown < least)) {
            longest = n;
            most = taken;
            least = unknown;
        }
    }
    for (uint32_t n = longest; n > 0; n = search->came[n].from) {
        const uint32_t lane = search->came[n].lane;
        COR_TRY(load(search, search->came[n].from, error));
        COR_TRY(tell(told, search->lanes[lane].calls[search->node.words[lane]], error));
    }
    for (size_t c = 0; c < told->count / 2; c++) {
        const size_t call = told->calls[c];
        told->calls[c] = told->calls[told->count - 1 - c];
        told->calls[told->count - 1 - c] = call;
    }
    told->fitting = told->count;
    COR_TRY(load(search, longest, error));
    for (size_t l = 0; l < search->lane_count; l++)
        for (size_t c = search->node.words[l]; search->lanes[l].behind == l && c < search->lanes[l].count;
             c++)
            COR_TRY(tell(told, search->lanes[l].calls[c], error));
    return COR_OK;
}

/* Why the call cannot come next: what it would return, and whose doing that is; behind others: because of
 * its place. */
static enum cor_status put_why(struct search *search, const struct told *told, size_t c,
                               struct cor_bytes *text, struct cor_error *error) {
    struct cor_history *history = search->history;
    const struct cor_call *call = &history->calls[c];
    uint32_t result;
    size_t at;
    for (size_t o = told->fitting; o < told->count; o++) {
        const struct cor_call *other = &history->calls[told->calls[o]];
        if (search->is_real_time ? other->ended < call->called
                                 : other->process == call->process && told->calls[o] < c) {
            cor_bytes_print(text, "comes behind %zu", o + 1);
            return COR_OK;
        }
    }
    const uint32_t key = cor_pool_find(&search->keys, &call->key, sizeof call->key);
    const uint32_t *state = state_of(search, &search->node, key, &at);
    COR_TRY(history__apply(history->object, &history->values, call, state, search->node.words[at],
                           &search->state, &result, error));
    history__print_state(history, state, search->node.words[at], text);
    for (size_t o = told->fitting; o > 0; o--) {
        const struct cor_call *other = &history->calls[told->calls[o - 1]];
        if (other->key != call->key || history__only_reads(other->operation))
            continue;
        cor_bytes_print(text, " since %zu", o);
        break;
    }
    return COR_OK;
}

enum { WIDTH = 66 };

/* A row a process, a bar a call, as wide as its number is long at least. */
static enum cor_status lay_out(const struct cor_history *history, struct told *told,
                               struct cor_error *error) {
    unsigned *from = told->from, *to = told->to, column = 0;
    struct history__event *events;
    COR_TRY(history__events(history, &events, error));
    for (size_t c = 0; c < told->count; c++)
        to[c] = WIDTH;
    for (uint64_t e = 0; e < history->events; e++)
        for (size_t c = 0; c < told->count; c++) {
            if (events[e].call != told->calls[c])
                continue;
            if (!events[e].is_end)
                from[c] = column++;
            else
                to[c] = column = column > from[c] + 3 ? column : from[c] + 3;
            column += events[e].is_end;
        }
    free(events);
    told->width = column + 2 < WIDTH ? column + 2 : WIDTH - 1;
    return COR_OK;
}

/* Is it the first call told of its process, which has a row then? */
static bool is_first(const struct cor_history *history, const struct told *told, size_t c) {
    for (size_t o = 0; o < c; o++)
        if (history->calls[told->calls[o]].process == history->calls[told->calls[c]].process)
            return false;
    return true;
}

static void draw(const struct cor_history *history, const struct told *told, struct cor_bytes *text) {
    for (size_t c = 0; c < told->count; c++) {
        const uint32_t process = history->calls[told->calls[c]].process;
        if (!is_first(history, told, c))
            continue;
        char row[WIDTH + 1];
        memset(row, ' ', WIDTH);
        unsigned end = 0;
        for (size_t o = 0; o < told->count; o++) {
            if (history->calls[told->calls[o]].process != process)
                continue;
            char number[8];
            const int length = snprintf(number, sizeof number, "%zu", o + 1);
            const bool is_open = told->to[o] == WIDTH;
            const unsigned first = told->from[o], last = is_open ? told->width : told->to[o];
            memset(row + first, is_open ? '.' : '-', last - first);
            row[first] = '|';
            if (!is_open)
                row[last] = '|';
            memcpy(row + first + 1, number, (size_t)length);
            end = last + 1 > end ? last + 1 : end;
        }
        cor_bytes_print(text, "process %-4" PRIu32 " %.*s\n", process, (int)end, row);
    }
    cor_bytes_print(text, "\n");
}

#define FITS "#1f5fa8"
#define FITS_NOT "#b00020"

static void put_svg_line(struct cor_bytes *svg, const char *text, unsigned line, const char *colour) {
    cor_bytes_print(svg, "<text x=\"10\" y=\"%u\" fill=\"%s\" xml:space=\"preserve\">", 24 + 20 * line,
                    colour);
    for (; *text && *text != '\n'; text++) {
        if (*text == '<' || *text == '>' || *text == '&')
            cor_bytes_print(svg, "&#%d;", *text);
        else
            cor_bytes_put(svg, text, 1);
    }
    cor_bytes_print(svg, "</text>\n");
}

/* The same as a picture, its end without what is listed; lines: that were used. */
static void draw_svg(const struct cor_history *history, const struct told *told, struct cor_bytes *svg,
                     unsigned *lines) {
    enum { COLUMN = 12, LEFT = 120 };
    unsigned rows = 0;
    for (size_t c = 0; c < told->count; c++)
        rows += is_first(history, told, c);
    cor_bytes_print(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %zu\">\n<title>Calls that have no "
        "order</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<g "
        "font-family=\"monospace\" font-size=\"13\">\n",
        LEFT + WIDTH * COLUMN + 20, 40 + 20 * (rows + 1 + told->count));
    *lines = 0;
    for (size_t c = 0; c < told->count; c++) {
        const uint32_t process = history->calls[told->calls[c]].process;
        char label[24];
        if (!is_first(history, told, c))
            continue;
        snprintf(label, sizeof label, "process %" PRIu32, process);
        put_svg_line(svg, label, *lines, "#1f2328");
        for (size_t o = c; o < told->count; o++) {
            const bool is_open = told->to[o] == WIDTH;
            const unsigned x = LEFT + told->from[o] * COLUMN, y = 12 + 20 * *lines;
            const char *colour = o < told->fitting ? FITS : FITS_NOT;
            if (history->calls[told->calls[o]].process != process)
                continue;
            cor_bytes_print(
                svg,
                "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"16\" fill=\"white\" stroke=\"%s\"%s/>"
                "<text x=\"%u\" y=\"%u\" fill=\"%s\">%zu%s</text>\n",
                x, y, ((is_open ? told->width : told->to[o]) - told->from[o]) * COLUMN, colour,
                is_open ? " stroke-dasharray=\"3 3\"" : "", x + 4, y + 12, colour, o + 1,
                is_open ? " .." : "");
        }
        ++*lines;
    }
    ++*lines;
}

enum cor_status cor_history_explain(struct cor_history *history, const bool *relaxed, bool is_sequential,
                                    struct cor_bytes *text, struct cor_bytes *svg, struct cor_error *error) {
    struct search search = {.history = history,
                            .keys = {.size = sizeof(uint32_t)},
                            .processes = {.size = sizeof(uint32_t)},
                            .steps_most = STEPS_TOLD,
                            .is_real_time = !is_sequential,
                            .is_told = true};
    struct told told = {0};
    enum cor_possible possible;
    enum cor_status status = COR_OK;
    size_t kept = 0;
    unsigned lines = 0;
    for (size_t c = history->count; c > 0; c--)
        if (!relaxed[c - 1]) {
            search.key = history->calls[c - 1].key;
            kept++;
        }
    if (kept > CALLS_TOLD) {
        cor_bytes_print(text, "They are too many to be told one by one.\n");
        return text->status == COR_OK ? COR_OK : cor_fail_memory(error);
    }
    COR_TRY_OUT(look(&search, relaxed, &possible, error));
    COR_TRY_OUT(tell_longest(&search, &told, error));
    if (told.count <= CALLS_DRAWN) {
        COR_TRY_OUT(lay_out(history, &told, error));
        draw(history, &told, text);
        if (svg)
            draw_svg(history, &told, svg, &lines);
    }
    for (size_t c = 0; c < told.count; c++) {
        const struct cor_call *call = &history->calls[told.calls[c]];
        const size_t begun = text->size;
        cor_bytes_print(text, "%2zu  process %" PRIu32 " ", c + 1, call->process);
        if (call->line > 0)
            cor_bytes_print(text, "(line %" PRIu64 ") ", call->line);
        cor_call_text(history, call, text);
        if (relaxed[told.calls[c]] || call->end == COR_CALL_UNKNOWN)
            cor_bytes_print(text, call->end == COR_CALL_UNKNOWN ? " (never returned)" : " (at any time)");
        if (c >= told.fitting) {
            cor_bytes_print(text, " does not fit: ");
            COR_TRY_OUT(put_why(&search, &told, told.calls[c], text, error));
        }
        cor_bytes_print(text, "\n");
        if (svg && told.count <= CALLS_DRAWN && text->status == COR_OK)
            put_svg_line(svg, cor_bytes_text(text) + begun, lines++, c < told.fitting ? FITS : FITS_NOT);
    }
    if (svg && told.count <= CALLS_DRAWN)
        cor_bytes_print(svg, "</g>\n</svg>\n");
    if (svg && svg->status != COR_OK)
        text->status = svg->status;
    status = text->status == COR_OK ? COR_OK : cor_fail_memory(error);
out:
    free(told.calls);
    free_search(&search);
    return status;
}
