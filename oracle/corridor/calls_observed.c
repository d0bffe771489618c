/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calls_observed.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static enum cor_status begin(struct corridor__history *history, const struct cor_channel *channel,
                             struct cor_error *error) {
    history->possible = COR_POSSIBLE;
    history->has_returned = history->has_told = false;
    return cor_history_init(&history->record, (enum cor_object)channel->object, channel->is_keyed, error);
}

enum cor_status corridor__calls_init(struct corridor__calls *calls, const struct cor_corridor *corridor,
                                     struct cor_error *error) {
    bool is_there = false;
    for (uint32_t c = 0; c < corridor->channel_count; c++)
        is_there = is_there || corridor->channels[c].is_history;
    if (!is_there)
        return COR_OK;
    calls->corridor = corridor;
    calls->histories = cor_calloc(corridor->channel_count, sizeof *calls->histories);
    COR_TRY(cor_made(calls->histories, error));
    for (uint32_t c = 0; c < corridor->channel_count; c++) {
        struct corridor__history *history = &calls->histories[c];
        if (!corridor->channels[c].is_history)
            continue;
        COR_TRY(begin(history, &corridor->channels[c], error));
        COR_TRY(cor_linear_create(history->record.object, &history->record.values, COR_HISTORY_STEPS,
                                  &history->linear, error));
    }
    return COR_OK;
}

void corridor__calls_fini(struct corridor__calls *calls) {
    for (uint32_t c = 0; calls->histories && c < calls->corridor->channel_count; c++) {
        cor_linear_destroy(calls->histories[c].linear);
        cor_history_fini(&calls->histories[c].record);
    }
    COR_FREE(calls->histories, calls->open);
    *calls = (struct corridor__calls){0};
}

enum cor_status corridor__calls_restart(struct corridor__calls *calls, struct cor_error *error) {
    calls->open_count = 0;
    calls->events = 0;
    for (uint32_t c = 0; calls->corridor && c < calls->corridor->channel_count; c++) {
        struct corridor__history *history = &calls->histories[c];
        if (history->record.count == 0)
            continue;
        cor_linear_restart(history->linear);
        cor_history_fini(&history->record);
        COR_TRY(begin(history, &calls->corridor->channels[c], error));
    }
    return COR_OK;
}

/* A value as EDN or JSON, all of the text; NULL: nil. */
static enum cor_status read_value(struct corridor__history *history, const char *text, uint32_t *value,
                                  struct cor_error *error) {
    *value = COR_CALL_NIL;
    if (!text)
        return COR_OK;
    COR_TRY(cor_call_values_read(&history->record.values, &text, NULL, value, error));
    return text[strspn(text, " \t\r\n")]
               ? cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "something stands behind a value")
               : COR_OK;
}

/* The open call of that ticket, or open_count. */
static size_t find_open(const struct corridor__calls *calls, uint32_t agent, uint64_t ticket) {
    size_t at = 0;
    while (at < calls->open_count && (calls->open[at].agent != agent || calls->open[at].ticket != ticket))
        at++;
    return at;
}

enum cor_status corridor__calls_call(struct corridor__calls *calls, uint32_t agent, uint32_t channel,
                                     uint64_t ticket, const char *const texts[3], struct cor_error *error) {
    struct corridor__history *history = channel == COR_NONE ? NULL : &calls->histories[channel];
    struct corridor__open made = {.agent = agent, .channel = channel, .ticket = ticket};
    uint32_t key, value;
    if (find_open(calls, agent, ticket) < calls->open_count)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL,
                        "agent %" PRIu32 " calls with number %" PRIu64 ", and a call of that number is open",
                        agent, ticket);
    COR_TRY(COR_RESERVE(&calls->open, &calls->open_capacity, calls->open_count + 1, error));
    if (history) {
        COR_TRY(read_value(history, texts[1], &key, error));
        COR_TRY(read_value(history, texts[2], &value, error));
        COR_TRY(cor_history_call(&history->record, agent, texts[0], key, value, NULL, &made.number, error));
        COR_TRY(cor_linear_call(history->linear, &history->record.calls[made.number], &made.open, error));
    }
    calls->open[calls->open_count++] = made;
    calls->events++;
    return COR_OK;
}

enum cor_status corridor__calls_answer(struct corridor__calls *calls, uint32_t agent, uint64_t ticket,
                                       const char *value, bool failed, struct cor_error *error) {
    const size_t at = find_open(calls, agent, ticket);
    enum cor_possible possible;
    uint32_t result;
    if (at == calls->open_count)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL,
                        "agent %" PRIu32 " returns from call %" PRIu64 ", and none of that number is open",
                        agent, ticket);
    const struct corridor__open open = calls->open[at];
    if (open.channel == COR_NONE) {
        calls->open[at] = calls->open[--calls->open_count];
        return COR_OK;
    }
    struct corridor__history *history = &calls->histories[open.channel];
    if (failed) {
        COR_TRY(cor_history_failed(&history->record, open.number, NULL, error));
        COR_TRY(cor_linear_failed(history->linear, open.open, &possible, error));
    } else {
        COR_TRY(read_value(history, value, &result, error));
        COR_TRY(cor_history_return(&history->record, open.number, result, NULL, error));
        result = history->record.calls[open.number].result;
        COR_TRY(cor_linear_return(history->linear, open.open, result, &possible, error));
        history->has_returned = true;
        history->has_told =
            history->has_told || cor_call_tells(&history->record, &history->record.calls[open.number]);
    }
    if (possible == COR_IMPOSSIBLE && history->possible != COR_IMPOSSIBLE)
        history->call = open.number;
    if (possible == COR_IMPOSSIBLE || history->possible == COR_POSSIBLE)
        history->possible = possible;
    calls->open[at] = calls->open[--calls->open_count];
    calls->events++;
    return COR_OK;
}

enum cor_status corridor__calls_lost(struct corridor__calls *calls, uint32_t agent, struct cor_error *error) {
    for (size_t at = calls->open_count; at > 0; at--) {
        const struct corridor__open open = calls->open[at - 1];
        if (open.agent != agent)
            continue;
        if (open.channel != COR_NONE)
            COR_TRY(cor_linear_lost(calls->histories[open.channel].linear, open.open, error));
        calls->open[at - 1] = calls->open[--calls->open_count];
        calls->events++;
    }
    return COR_OK;
}

static enum cor_truth truth_of(enum cor_possible possible) {
    return possible == COR_POSSIBLE     ? COR_TRUTH_TRUE
           : possible == COR_IMPOSSIBLE ? COR_TRUTH_FALSE
                                        : COR_TRUTH_UNKNOWN;
}

enum cor_truth corridor__calls_ask(const struct corridor__calls *calls, const struct cor_constraint *asked) {
    return asked->asks == COR_SEQUENTIAL ? COR_TRUTH_UNKNOWN
                                         : truth_of(calls->histories[asked->channel].possible);
}

enum cor_truth corridor__calls_verdict(const struct corridor__calls *calls,
                                       const struct cor_constraint *asked) {
    struct corridor__history *history = &calls->histories[asked->channel];
    struct cor_history_verdict verdict;
    if (asked->asks != COR_SEQUENTIAL)
        return truth_of(history->possible);
    return cor_history_sequential(&history->record, NULL, COR_HISTORY_STEPS, &verdict, NULL) == COR_OK
               ? truth_of(verdict.possible)
               : COR_TRUTH_UNKNOWN;
}

void corridor__calls_text(const struct corridor__calls *calls, const struct cor_constraint *asked, char *text,
                          size_t size) {
    const struct corridor__history *history = &calls->histories[asked->channel];
    const char *name = calls->corridor->channels[asked->channel].name;
    if (asked->asks == COR_SEQUENTIAL) {
        snprintf(text, size, "The calls on %s have no order that keeps the order of each agent.", name);
        return;
    }
    const struct cor_call *call = &history->record.calls[history->call];
    COR_FINISHED(cor_bytes) struct cor_bytes said = {0};
    cor_call_text(&history->record, call, &said);
    snprintf(text, size, "The calls on %s have no order any more after agent %" PRIu32 " returned from %s.",
             name, call->process, cor_bytes_text(&said));
}
