/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Needs columns beside the value, and says so where one is not what it was told: agents with a crane by their
 * load, then the others. As a one-shot algorithm, and (AGENTS) with agents that know no more than theirs. */
#include <corridor/plugin.h>

static int is_text(const char *a, const char *b) {
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static const char *trouble(const struct cor_rules *rules) {
    const uint32_t load = cor_column(rules, "load"), tool = cor_column(rules, "tool");
    if (rules->value_count != 4 || load != 1 || tool != 2 || cor_column(rules, "lo") != 4)
        return "columns are not where they should be";
    const struct cor_value_column *column = &rules->columns[load];
    if (!is_text(rules->columns[0].name, "value") || column->type != COR_COLUMN_REAL ||
        !is_text(column->unit, "kW") || column->min > 0 || column->max < 500 || column->max > 500)
        return "load is not what it should be";
    column = &rules->columns[tool];
    if (column->type != COR_COLUMN_WORDS || column->word_count != 3 || !is_text(column->words[1], "crane") ||
        !is_text(column->words[2], "a \"drill\"") || column->words[3])
        return "tool is not what it should be";
    column = &rules->columns[3];
    if (!is_text(column->name, "ready") || column->type != COR_COLUMN_BOOLEAN || column->words ||
        column->word_count != 0)
        return "ready is not what it should be";
    return 0;
}

static const uint32_t crane = 1;

/* Who has no load, NaN, comes before all that have one. */
static double key(double load) {
    return load >= 0 ? load : -1;
}

static enum cor_progress put(const struct cor_host *host, uint32_t count, const double *load,
                             const double *tool) {
    uint32_t *with = host->alloc(host, 2 * count * sizeof *with), *without = with + count;
    uint32_t with_count = 0, without_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if ((uint32_t)tool[i] != crane) {
            without[without_count++] = i;
            continue;
        }
        uint32_t at = with_count++;
        for (; at > 0 && key(load[with[at - 1]]) > key(load[i]); at--)
            with[at] = with[at - 1];
        with[at] = i;
    }
    if (with_count > 0)
        host->put_block(host, with, with_count);
    if (without_count > 0)
        host->put_block(host, without, without_count);
    *host->spent = 1;
    return COR_DONE;
}

#ifdef AGENTS
struct known {
    double load, tool;
    uint32_t is_wrong, reserved;
};

static enum cor_progress wake(const struct cor_agent *me, const struct cor_rules *rules,
                              const struct cor_host *host) {
    struct known *known = me->state;
    (void)host;
    known->is_wrong = trouble(rules) != 0;
    if (known->is_wrong)
        return COR_DONE;
    known->load = me->values[cor_column(rules, "load")];
    known->tool = me->values[cor_column(rules, "tool")];
    return COR_DONE;
}

static enum cor_progress receive(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message) {
    (void)me, (void)rules, (void)host, (void)message;
    return COR_DONE;
}

static enum cor_progress begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state, (void)task, (void)host;
    return COR_CONTINUE;
}

static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    double *load = host->alloc(host, 2 * task->agent_count * sizeof *load), *tool = load + task->agent_count;
    (void)state;
    for (uint32_t i = 0; i < task->agent_count; i++) {
        const struct known *known = host->agent(host, i)->state;
        if (known->is_wrong) {
            host->complain(host, "an agent was told something else");
            return COR_FAILED;
        }
        load[i] = known->load;
        tool[i] = known->tool;
    }
    return put(host, task->agent_count, load, tool);
}
#else
static enum cor_progress result(void *state, const struct cor_task *task, const struct cor_host *host) {
    const char *what = trouble(task->rules);
    (void)state;
    if (!what)
        return put(host, task->agent_count, task->values[1], task->values[2]);
    host->complain(host, what);
    return COR_FAILED;
}
#endif

static const char *const needs[] = {"load [kW]", "tool", 0};

COR_EXPORT extern const struct cor_algorithm corridor_algorithm_1;
const struct cor_algorithm corridor_algorithm_1 = {COR_ALGORITHM,
                                                   .name = "by_tool",
                                                   .version = "1.0",
                                                   .summary = "agents with a crane by their load",
                                                   .budget_unit = "calls",
#ifdef AGENTS
                                                   .agent_size = sizeof(struct known),
                                                   .begin = begin,
                                                   .wake = wake,
                                                   .receive = receive,
#endif
                                                   .result = result,
                                                   .needs = needs};
