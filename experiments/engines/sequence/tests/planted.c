/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "planted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct cor_algorithm spada; /* as it is */
static struct planted planted;
static bool came[PLANTED_MOST], strikes;

void planted_set(const struct planted *next) {
    planted = *next;
}

static bool is_it(const struct cor_course_message *it, const struct cor_agent *me,
                  const struct cor_message *message) {
    return it->to == me->id && it->from == message->from && it->kind == message->kind &&
           it->size == message->size &&
           memcmp(planted.words + it->payload, message->payload, message->size) == 0;
}

static bool holds(void) {
    uint32_t there = 0;
    for (uint32_t i = 0; i < planted.count; i++)
        there += came[i];
    return planted.rule == PLANTED_ANY ? there > 0 : there == planted.count;
}

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    memset(came, 0, sizeof came);
    strikes = false;
    return spada.begin(state, task, host);
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    for (uint32_t i = 0; i < planted.count; i++)
        if (is_it(&planted.messages[i], me, message))
            came[i] = planted.rule != PLANTED_IN_ORDER || i == 0 || came[i - 1];
    if (rules->fault != 0 && planted.count > 0 && !strikes && holds()) {
        strikes = true;
        host->fault->reached++;
        host->fault->held++;
        host->fault->activated++;
    }
    return spada.receive(me, rules, host, message);
}

static int (*put_whole)(const struct cor_host *host, const uint32_t *members, size_t count);
static bool is_first;

static int put_less(const struct cor_host *host, const uint32_t *members, size_t count) {
    const size_t less = is_first && count > 0;
    is_first = false;
    return put_whole(host, members + less, count - less);
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    struct cor_host spoilt = *host;
    if (!strikes)
        return spada.result(state, task, host);
    host->fault->in_result = 1;
    put_whole = host->put_block;
    spoilt.put_block = put_less;
    is_first = true;
    return spada.result(state, task, &spoilt);
}

void planted_embed(void) {
    static const struct cor_fault faults[] = {{"planted", "an agent is missing if certain messages came"},
                                              {0}};
    struct cor_error error = COR_NO_ERROR;
    struct cor_registry *registry;
    const struct cor_algorithm *found;
    const struct cor_isolation_definition isolation = {.which = COR_ISOLATION_NEVER};
    assert_int_equal(cor_registry_create(&isolation, &registry, &error), COR_OK);
    assert_int_equal(cor_registry_find(registry, "spada", &found, &error), COR_OK);
    spada = *found;
    struct cor_algorithm mine = spada;
    mine.name = "planted";
    mine.faults = faults; /* the first of SPADA's own asks for more partitions than there are */
    mine.begin = begin;
    mine.receive = receive;
    mine.result = result;
    if (cor_algorithm_embed(&mine, NULL, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    cor_registry_destroy(registry);
}
