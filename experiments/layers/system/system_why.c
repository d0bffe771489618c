/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Why a condition or a formula does not hold. A formula's reasons are conditions in cycles (oracle/temporal);
 * what these read there is asked of beliefs that are made anew, view by view, up to that cycle. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_BYTES ((size_t)32 << 20)
#define FACTS 500         /* bytes of what one condition rests on */
#define REASONS_SAID 16   /* of a formula */
#define SENTENCE_MAX 3000 /* bytes of all of them */

/* ---- conditions */

/* What the condition, which is not unknown, rests on: "b1.on is true, t.x is 3"; "" if its text says it. */
static void system_layer__facts(const struct cor_expression *expression, const struct cor_beliefs *beliefs,
                                char *text, size_t size) {
    struct cor_breaches breaches;
    const struct cor_scope scope = cor_beliefs_scope(beliefs);
    char facts[COR_BREACHES_KEPT][FACTS], whole[FACTS];
    size_t length = 0;
    text[0] = '\0';
    cor_expression_explain_fully(expression, cor_beliefs_values(beliefs), cor_beliefs_world(beliefs),
                                 &breaches);
    cor_span_text(&(struct cor_span){expression->text, (uint32_t)strlen(expression->text)}, whole,
                  sizeof whole);
    for (uint32_t b = 0; b < breaches.kept_count && length < size; b++) {
        const struct cor_breach *breach = &breaches.kept[b];
        char part[FACTS];
        cor_breach_facts_text(breach, &scope, facts[b], sizeof facts[b]);
        /* Line ends and other signs that are no letters are shown, so that a sentence is one line. */
        char shown[FACTS];
        size_t width = 0;
        for (const char *at = facts[b]; *at && width + 3 < sizeof shown; at++) {
            const bool is_sign = (unsigned char)*at < ' ' || *at == 127;
            if (is_sign)
                shown[width++] = '\\';
            shown[width++] = *at == '\n' ? 'n' : *at == '\t' ? 't' : is_sign ? '?' : *at;
        }
        shown[width] = '\0';
        memcpy(facts[b], shown, width + 1);
        cor_span_text(&breach->part, part, sizeof part);
        bool is_said = breach->value_count == 0 && breach->binding_count == 0 && strcmp(part, whole) == 0;
        for (uint32_t other = 0; other < b && !is_said; other++)
            is_said = strcmp(facts[other], facts[b]) == 0;
        if (!is_said)
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       length == 0                 ? ""
                                       : breach->binding_count > 0 ? "; "
                                                                   : ", ",
                                       facts[b]);
    }
    if (breaches.count > breaches.kept_count && length < size)
        snprintf(text + length, size - length, "; and %" PRIu64 " more",
                 breaches.count - breaches.kept_count);
}

void system_layer__breach(const struct cor_expression *expression, const struct cor_beliefs *beliefs,
                          char *text, size_t size) {
    char facts[2 * FACTS], whole[FACTS];
    system_layer__facts(expression, beliefs, facts, sizeof facts);
    cor_span_text(&(struct cor_span){expression->text, (uint32_t)strlen(expression->text)}, whole,
                  sizeof whole);
    snprintf(text, size, "%s does not hold%s%s.", whole, facts[0] ? ": " : "", facts);
}

/* ---- what was shown */

enum event_kind { EVENT_VIEW, EVENT_TRIED, EVENT_CYCLE };

/* In front of what it says. */
struct event {
    size_t size; /* of both, a multiple of 16 */
    enum event_kind kind;
    uint32_t identity; /* TRIED */
};

struct system_layer__past {
    const struct system_layer__rig *rig; /* borrowed */
    struct cor_beliefs *beliefs;         /* owned; behind all events that were forgotten, or walked through */
    unsigned char *events;               /* owned */
    size_t begin, size, capacity;
    uint8_t *conditions; /* owned; [cycle * claims + claim] */
    size_t condition_capacity;
    uint64_t cycles, passed; /* that are over, and those of which the beliefs are behind the end */
};

enum cor_status system_layer__past_create(const struct system_layer__rig *rig,
                                          struct system_layer__past **past, struct cor_error *error) {
    struct system_layer__past *made = *past = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->rig = rig;
    return cor_beliefs_create(rig->vocabulary, &made->beliefs, error);
}

void system_layer__past_destroy(struct system_layer__past *past) {
    if (!past)
        return;
    cor_beliefs_destroy(past->beliefs);
    COR_FREE(past->events, past->conditions, past);
}

void system_layer__past_clear(struct system_layer__past *past) {
    cor_beliefs_clear(past->beliefs);
    past->begin = past->size = 0;
    past->cycles = past->passed = 0;
}

static size_t padded(size_t size) {
    return (size + 15) / 16 * 16;
}

/* The parts of a view that beliefs are made of. */
struct view_part {
    const void *from;
    size_t size;
};
enum { VIEW_PARTS = 4 };

static void list_parts(const struct cor_world_view *view, struct view_part parts[VIEW_PARTS]) {
    parts[0] = (struct view_part){view->entities, view->entity_count * sizeof *view->entities};
    parts[1] = (struct view_part){view->values, view->value_count * sizeof *view->values};
    parts[2] = (struct view_part){view->gone, view->gone_count * sizeof *view->gone};
    parts[3] = (struct view_part){view->lost, view->lost_count * sizeof *view->lost};
}

/* The beliefs behind the next event. */
static enum cor_status pass_event(struct system_layer__past *past, struct cor_error *error) {
    const unsigned char *at = past->events + past->begin;
    struct event event;
    memcpy(&event, at, sizeof event);
    past->begin += event.size;
    past->passed += event.kind == EVENT_CYCLE;
    if (event.kind == EVENT_TRIED)
        cor_beliefs_note_tried(past->beliefs, event.identity);
    if (event.kind != EVENT_VIEW)
        return COR_OK;
    struct cor_world_view view;
    struct view_part parts[VIEW_PARTS];
    at += padded(sizeof event);
    memcpy(&view, at, sizeof view);
    at += padded(sizeof view);
    list_parts(&view, parts);
    const unsigned char *place[VIEW_PARTS];
    for (int p = 0; p < VIEW_PARTS; at += padded(parts[p++].size))
        place[p] = at;
    view.entities = (const void *)place[0];
    view.values = (const void *)place[1];
    view.gone = (const void *)place[2];
    view.lost = (const void *)place[3];
    return cor_beliefs_merge(past->beliefs, &view, error);
}

/* Room for an event; the oldest are forgotten where there is none, and what is left moves to the front. */
static enum cor_status reserve(struct system_layer__past *past, size_t size, struct cor_error *error) {
    while (past->begin < past->size && past->size - past->begin + size > KEPT_BYTES)
        COR_TRY(pass_event(past, error));
    if (past->begin > past->size / 2) {
        memmove(past->events, past->events + past->begin, past->size - past->begin);
        past->size -= past->begin;
        past->begin = 0;
    }
    return COR_RESERVE(&past->events, &past->capacity, past->size + size, error);
}

static void put(struct system_layer__past *past, const void *from, size_t size) {
    if (size > 0)
        memcpy(past->events + past->size, from, size);
    past->size += padded(size);
}

enum cor_status system_layer__past_view(struct system_layer__past *past, const struct cor_world_view *view,
                                        struct cor_error *error) {
    struct view_part parts[VIEW_PARTS];
    struct event event = {.kind = EVENT_VIEW};
    list_parts(view, parts);
    event.size = padded(sizeof event) + padded(sizeof *view);
    for (int p = 0; p < VIEW_PARTS; p++)
        event.size += padded(parts[p].size);
    COR_TRY(reserve(past, event.size, error));
    put(past, &event, sizeof event);
    put(past, view, sizeof *view);
    for (int p = 0; p < VIEW_PARTS; p++)
        put(past, parts[p].from, parts[p].size);
    return COR_OK;
}

static enum cor_status put_event(struct system_layer__past *past, struct event event,
                                 struct cor_error *error) {
    event.size = padded(sizeof event);
    COR_TRY(reserve(past, event.size, error));
    put(past, &event, sizeof event);
    return COR_OK;
}

enum cor_status system_layer__past_tried(struct system_layer__past *past, uint32_t identity,
                                         struct cor_error *error) {
    return put_event(past, (struct event){.kind = EVENT_TRIED, .identity = identity}, error);
}

enum cor_status system_layer__past_judged(struct system_layer__past *past, const uint8_t *conditions,
                                          struct cor_error *error) {
    const size_t width = past->rig->claim_count;
    COR_TRY(COR_RESERVE(&past->conditions, &past->condition_capacity, (past->cycles + 1) * width, error));
    if (width > 0)
        memcpy(past->conditions + past->cycles * width, conditions, width);
    past->cycles++;
    return put_event(past, (struct event){.kind = EVENT_CYCLE}, error);
}

/* ---- formulas */

/* What a condition read in the first and in the last cycle of a fact. */
struct account {
    struct cor_temporal_reason reason;
    char facts[2][FACTS];
    bool is_kept[2];
};

struct accounts {
    struct account *items; /* owned */
    size_t count, all;     /* those that are said */
    bool is_enough;
};

static enum cor_status write_why(const struct system_layer__past *past, uint32_t f,
                                 const struct accounts *accounts, char **why, struct cor_error *error) {
    struct cor_bytes text = {0};
    size_t i;
    for (i = 0; i < accounts->count && text.size < SENTENCE_MAX; i++) {
        cor_bytes_print(&text, "%s", i == 0 ? "" : i + 1 == accounts->all ? ", and " : ", ");
        /* "inside does not hold in cycles 4 to 7 (t.x > 4: in cycle 4 t.x is 2, in cycle 7 t.x is 3)". */
        const struct account *account = &accounts->items[i];
        const struct system_layer__rig *rig = past->rig;
        const struct cor_temporal_reason *reason = &account->reason;
        char words[600], whole[FACTS];
        cor_temporal_reason_text(reason, rig->formulas[f].text, rig->claim_names, "cycle", 0, words,
                                 sizeof words);
        cor_bytes_print(&text, "%s", words);
        if (reason->kind != COR_TEMPORAL_FACT)
            continue;
        const struct system_layer__claim *claim = &rig->claims[reason->condition];
        cor_span_text(&(struct cor_span){claim->expression.text, (uint32_t)strlen(claim->expression.text)},
                      whole, sizeof whole);
        const bool has_name = strcmp(whole, claim->name) != 0;
        const bool is_same = strcmp(account->facts[0], account->facts[1]) == 0;
        if (!account->is_kept[0]) { /* it is older than what is kept */
            cor_bytes_print(&text, " (%s", has_name ? whole : "");
            if (account->is_kept[1] && account->facts[1][0])
                cor_bytes_print(&text, "%sin cycle %" PRIu64 " %s", has_name ? ": " : "", reason->last,
                                account->facts[1]);
            const bool is_empty = !has_name && !(account->is_kept[1] && account->facts[1][0]);
            cor_bytes_print(&text, "%swhat was shown in cycle %" PRIu64 " is not kept)", is_empty ? "" : "; ",
                            reason->first);
            continue;
        }
        if (!has_name && is_same && !account->facts[1][0])
            continue;
        cor_bytes_print(&text, " (%s", has_name ? whole : "");
        if (account->facts[0][0] || account->facts[1][0])
            cor_bytes_print(&text, "%s", has_name ? ": " : "");
        if (is_same)
            cor_bytes_print(&text, "%s)", account->facts[1]);
        else
            cor_bytes_print(&text, "in cycle %" PRIu64 " %s, in cycle %" PRIu64 " %s)", reason->first,
                            account->facts[0], reason->last, account->facts[1]);
    }
    if (i < accounts->all)
        cor_bytes_print(&text, ", and %zu more", accounts->all - i);
    if (!accounts->is_enough)
        cor_bytes_print(&text, "%snothing that comes can change that", i == 0 ? "" : ", and ");
    if (text.size == 0)
        cor_bytes_print(&text, "it holds nowhere");
    free(*why);
    *why = cor_bytes_text_take(&text, error);
    return cor_made(*why, error);
}

enum cor_status system_layer__past_why(struct system_layer__past *past, const bool *is_asked, char **whys,
                                       struct cor_error *error) {
    const uint32_t count = past->rig->formula_count;
    struct accounts *accounts = cor_calloc(count, sizeof *accounts);
    enum cor_status status = cor_made(accounts, error);
    COR_TRY(status);
    for (uint32_t f = 0; f < count; f++)
        if (is_asked[f]) {
            const struct system_layer__rig *rig = past->rig;
            const struct system_layer__formula *formula = &rig->formulas[f];
            struct cor_temporal_reason *reasons;
            const uint64_t decided = cor_temporal_decided_at(formula->watch);
            const bool is_open = decided == COR_TEMPORAL_OPEN;
            COR_TRY_OUT(cor_temporal_reasons(formula->temporal, past->conditions, rig->claim_count,
                                             is_open ? past->cycles : decided + 1, !is_open, &reasons,
                                             &accounts[f].all, &accounts[f].is_enough, error));
            accounts[f].count = accounts[f].all < REASONS_SAID ? accounts[f].all : REASONS_SAID;
            accounts[f].items = cor_calloc(accounts[f].count, sizeof *accounts[f].items);
            for (size_t i = 0; i < accounts[f].count && accounts[f].items; i++)
                accounts[f].items[i].reason = reasons[i];
            free(reasons);
            COR_TRY_OUT(cor_made(accounts[f].items, error));
        }
    while (past->begin < past->size) {
        const uint64_t before = past->passed;
        COR_TRY_OUT(pass_event(past, error));
        for (uint32_t f = 0; f < count && past->passed > before; f++) {
            /* Asks what is to be said of the cycle that was passed last. */
            const uint64_t cycle = past->passed - 1;
            for (size_t i = 0; i < accounts[f].count; i++) {
                struct account *account = &accounts[f].items[i];
                for (int end = 0; end < 2; end++) {
                    if (account->reason.kind != COR_TEMPORAL_FACT ||
                        (end == 0 ? account->reason.first : account->reason.last) != cycle)
                        continue;
                    system_layer__facts(&past->rig->claims[account->reason.condition].expression,
                                        past->beliefs, account->facts[end], FACTS);
                    account->is_kept[end] = true;
                }
            }
        }
    }
    for (uint32_t f = 0; f < count; f++)
        if (is_asked[f])
            COR_TRY_OUT(write_why(past, f, &accounts[f], &whys[f], error));
out:
    for (uint32_t f = 0; f < count; f++)
        free(accounts[f].items);
    free(accounts);
    return status;
}
