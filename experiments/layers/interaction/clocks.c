/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How execution is written: stepwise, or continuous with its clocks and durations. */
#include "internal.h"

#include <stdio.h>
#include <string.h>

#define TICKS_MAX 1000000000

/* "agent_clock": a number of ticks, or [least, most]. */
static enum cor_status read_agent_clock(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_clocks *clocks = into;
    struct cor_json least = *json, most = *json;
    int64_t low, high;
    if (!cor_json_is_array(json) && !cor_json_is_integer(json))
        return cor_json_fail(json, error, "a number of ticks, or [least, most]", "is no period of a clock");
    if (cor_json_is_array(json)) {
        COR_TRY(cor_json_expect_array(json, 2, 2, error));
        least = cor_json_at(json, 0);
        most = cor_json_at(json, 1);
    }
    COR_TRY(cor_json_integer(&least, 1, TICKS_MAX, &low, error));
    COR_TRY(cor_json_integer(&most, low, TICKS_MAX, &high, error));
    clocks->agent_least = (uint64_t)low;
    clocks->agent_most = (uint64_t)high;
    return COR_OK;
}

static const struct cor_field continuous_fields[] = {
    {"case", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_clocks, case_ticks, 1, TICKS_MAX)},
    {"agent_clock", COR_OPTIONAL, COR_READ_FIELD(read_agent_clock)},
    {"monitor_clock", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_clocks, monitor_ticks, 1, TICKS_MAX)},
    {"unit", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_clocks, unit_ticks, 0, TICKS_MAX)},
    {"message", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_clocks, message_ticks, 0, TICKS_MAX)},
    {"move", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_clocks, move_ticks, 0, TICKS_MAX)},
    {0}};

/* Refuses a clock that ticks too often in a case. */
static enum cor_status check_pace(const struct cor_json *json, const char *key, uint64_t ticks,
                                  uint64_t case_ticks, struct cor_error *error) {
    enum { OFTEN = 1000 };
    const uint64_t least = (case_ticks + OFTEN - 1) / OFTEN;
    struct cor_json at = *json;
    char remedy[64];
    if (ticks >= least)
        return COR_OK;
    snprintf(remedy, sizeof remedy, "at least %llu, or a shorter \"case\"", (unsigned long long)least);
    cor_json_find(json, key, &at);
    return cor_json_fail(&at, error, remedy,
                         "a clock of %llu ticks goes more than %d times in a case of %llu",
                         (unsigned long long)ticks, OFTEN, (unsigned long long)case_ticks);
}

enum cor_status interaction__clocks_read(const struct cor_json *json, struct cor_clocks *clocks,
                                         struct cor_error *error) {
    static const char remedy[] = "\"stepwise\", or {\"continuous\": {\"case\": ticks, ..}}";
    static const char *const keys[] = {"continuous", NULL};
    struct cor_json child;
    const char *word;
    *clocks = (struct cor_clocks){0};
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &word, error));
        return strcmp(word, "stepwise") == 0
                   ? COR_OK
                   : cor_json_fail(json, error, remedy, "unknown execution \"%s\"", word);
    }
    if (!cor_json_is_object(json))
        return cor_json_fail(json, error, remedy, "says no way of execution");
    COR_TRY(cor_json_expect_object(json, keys, error));
    COR_TRY(cor_json_need(json, "continuous", &child, error));
    COR_TRY(cor_json_fields(&child, continuous_fields, clocks, error));
    if (clocks->agent_most == 0)
        clocks->agent_least = clocks->agent_most = clocks->case_ticks;
    if (clocks->monitor_ticks == 0)
        clocks->monitor_ticks = clocks->case_ticks;
    COR_TRY(check_pace(&child, "agent_clock", clocks->agent_least, clocks->case_ticks, error));
    return check_pace(&child, "monitor_clock", clocks->monitor_ticks, clocks->case_ticks, error);
}

void interaction__clocks_put(struct cor_json_writer *writer, const struct cor_clocks *clocks) {
    if (clocks->case_ticks == 0)
        return;
    cor_json_open_object(writer, "execution");
    cor_json_open_object(writer, "continuous");
    cor_json_put_fields(writer, continuous_fields, clocks);
    cor_json_open_array(writer, "agent_clock");
    cor_json_put_integer(writer, NULL, (int64_t)clocks->agent_least);
    cor_json_put_integer(writer, NULL, (int64_t)clocks->agent_most);
    cor_json_close(writer);
    cor_json_close(writer);
    cor_json_close(writer);
}
