/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Monitors over drawn structures whose sizes grow and shrink as they like - nobody anywhere, one agent, a
 * thousand, each in an organization of its own, all in several - beside a second implementation of who goes
 * on with which organization and of what "lagging" and "exact" tell. Kept and set again now and then. */
#include <corridor/monitors.h>
#include <corridor/objective.h>
#include <corridor/rng.h>

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */

enum { AGENTS_MOST = 1000, BLOCKS_MOST = 1000, LATE = 2 };

static struct cor_error error;

/* At most 20 kW for each organization. */
static const struct cor_objective_step steps[] = {
    {.what = COR_OBJECTIVE_SUM, .by_block = 1, .column = 0, .filter = COR_OBJECTIVE_NO_FILTER},
    {.what = COR_OBJECTIVE_CONSTANT, .constant = 20, .filter = COR_OBJECTIVE_NO_FILTER},
    {.what = COR_OBJECTIVE_LESS_EQUAL, .by_block = 1, .left = 0, .right = 1},
    {.what = COR_OBJECTIVE_ALL_OF, .left = COR_NO_BLOCK, .right = 2}};
static const struct cor_objective condition = {4, 0, steps, NULL};
static const struct cor_monitor_column column = {"load", "kW"};

/* What an instance remembers: whom it saw first, and bit i: violated i looks ago. */
struct instance {
    bool has_looked, knows[AGENTS_MOST];
    unsigned seen;
};

struct model {
    bool has_before;
    struct cor_lists before;
    struct instance instance[BLOCKS_MOST];
};

static bool is_member(const struct cor_lists *lists, uint32_t block, uint32_t agent) {
    for (uint32_t i = lists->start[block]; i < lists->start[block + 1]; i++)
        if (lists->members[i] == agent)
            return true;
    return false;
}

/* The organization before with most members of this one, of those that are free; else COR_NOBODY. */
static uint32_t owner_of(const struct model *model, const struct cor_lists *now, uint32_t block,
                         const bool *is_taken) {
    uint32_t most = 0, owner = COR_NOBODY;
    for (uint32_t o = 0; o < model->before.block_count; o++) {
        uint32_t shared = 0;
        for (uint32_t i = now->start[block]; i < now->start[block + 1] && !is_taken[o]; i++)
            shared += is_member(&model->before, o, now->members[i]);
        if (shared > most) {
            most = shared;
            owner = o;
        }
    }
    return owner;
}

static bool is_equal(const struct cor_lists *a, const struct cor_lists *b) {
    bool is_equal = a->block_count == b->block_count && a->member_count == b->member_count;
    for (uint32_t k = 0; k < a->block_count && is_equal; k++)
        is_equal = cor_lists_size(a, k) == cor_lists_size(b, k);
    for (uint32_t i = 0; i < a->member_count && is_equal; i++)
        is_equal = a->members[i] == b->members[i];
    return is_equal;
}

static void succeed(struct model *model, const struct cor_lists *now) {
    static struct instance old[BLOCKS_MOST];
    bool is_taken[BLOCKS_MOST] = {false};
    memcpy(old, model->instance, sizeof old);
    memset(model->instance, 0, sizeof model->instance);
    for (uint32_t b = 0; b < now->block_count; b++) {
        const uint32_t owner = model->has_before ? owner_of(model, now, b, is_taken) : COR_NOBODY;
        if (owner == COR_NOBODY)
            continue;
        is_taken[owner] = true;
        model->instance[b] = old[owner];
        model->instance[b].seen = 0; /* what was seen of organizations that are no more is not told */
    }
    assert_int_equal(cor_lists_copy(&model->before, now, &error), COR_OK);
    model->has_before = true;
}

/* Is there an alarm, and of which organization: of "lagging", or of "exact" that forgets who joined. */
static bool look(struct model *model, bool is_time, const struct cor_lists *now, const double *load,
                 bool lags, uint32_t *organization) {
    if (!model->has_before || !is_equal(&model->before, now))
        succeed(model, now);
    *organization = COR_NOBODY;
    for (uint32_t b = 0; b < now->block_count && is_time; b++) {
        struct instance *instance = &model->instance[b];
        double sum = 0;
        for (uint32_t i = now->start[b]; i < now->start[b + 1]; i++) {
            const uint32_t agent = now->members[i];
            instance->knows[agent] = instance->knows[agent] || !instance->has_looked;
            sum += lags || instance->knows[agent] ? load[agent] : 0;
        }
        instance->has_looked = true;
        instance->seen = instance->seen << 1 | (sum > 20);
        if (*organization == COR_NOBODY && (instance->seen >> (lags ? LATE : 0) & 1))
            *organization = b;
    }
    return *organization != COR_NOBODY;
}

/* Up to so many organizations, each with a share of the agents that is drawn for all; half of the time each
 * agent is in one at most. */
static void draw_structure(struct cor_rng *rng, uint32_t agents, struct cor_lists *lists) {
    static const uint32_t counts[] = {0, 1, 1, 2, 3, 5, 64, BLOCKS_MOST};
    uint32_t blocks = counts[cor_rng_below(rng, sizeof counts / sizeof *counts)];
    const bool is_shared = cor_rng_below(rng, 2) == 0;
    blocks = blocks > agents ? agents : blocks;
    uint32_t members[AGENTS_MOST], home[AGENTS_MOST];
    for (uint32_t a = 0; a < agents; a++)
        home[a] = blocks == agents ? a : cor_rng_below(rng, blocks + 1);
    cor_lists_clear(lists);
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t count = 0;
        for (uint32_t a = 0; a < agents; a++)
            if (home[a] == b || (is_shared && blocks < 8 && (home[a] + a) % 3 == b % 3))
                members[count++] = a;
        assert_int_equal(cor_lists_put(lists, members, count, &error), COR_OK);
    }
}

static void copy_model(struct model *copy, const struct model *model) {
    const struct cor_lists before = copy->before;
    *copy = *model;
    copy->before = before;
    assert_int_equal(cor_lists_copy(&copy->before, &model->before, &error), COR_OK);
}

/* Looks at drawn structures with drawn loads; how many alarms there were. */
static unsigned follow(const char *monitor, uint32_t agents, uint32_t seed) {
    const bool lags = strcmp(monitor, "lagging") == 0;
    const struct cor_monitors_definition definition = {.monitor = monitor,
                                                       .fault = lags ? "none" : "joined",
                                                       .subject = COR_MONITOR_ORGANIZATION,
                                                       .cpu_seconds = 1};
    const struct cor_monitors_system system = {.agent_count = agents,
                                               .column_count = 1,
                                               .condition_count = 1,
                                               .columns = &column,
                                               .conditions = &condition};
    struct cor_rng rng =
        cor_rng_named(&(struct cor_stream_name){.seed = seed, .entity = agents, .purpose = COR_PURPOSE_TEST});
    static struct model model, kept;
    struct cor_monitors *monitors;
    struct cor_monitors_saved *saved = NULL;
    struct cor_lists lists;
    double load[AGENTS_MOST];
    const double *const values[] = {load};
    unsigned alarms = 0;
    memset(&model, 0, sizeof model);
    memset(&kept, 0, sizeof kept);
    cor_lists_init(&lists);
    assert_int_equal(cor_monitors_create(&definition, &system, &monitors, &error), COR_OK);
    for (uint32_t c = 0; c < 60; c++) {
        struct cor_monitors_answer answer;
        uint32_t organization;
        if (c == 0 || cor_rng_below(&rng, 4) == 0)
            draw_structure(&rng, agents, &lists);
        for (uint32_t a = 0; a < agents; a++)
            load[a] = cor_rng_below(&rng, 30 + agents) < 30 ? cor_rng_below(&rng, 15) : 0;
        const bool is_time = cor_rng_below(&rng, 3) > 0,
                   is_due = look(&model, is_time, &lists, load, lags, &organization);
        assert_int_equal(cor_monitors_look(monitors, is_time, &lists, values, &answer, &error), COR_OK);
        assert_int_equal(answer.smoke, COR_SMOKE_NONE);
        assert_int_equal(answer.alarm, is_due);
        assert_int_equal(answer.organization, organization);
        alarms += is_due;
        if (cor_rng_below(&rng, 8) == 0) {
            assert_int_equal(cor_monitors_save(monitors, &saved, &error), COR_OK);
            copy_model(&kept, &model);
        } else if (saved && cor_rng_below(&rng, 8) == 0) {
            assert_int_equal(cor_monitors_restore(monitors, saved, &error), COR_OK);
            copy_model(&model, &kept);
        }
    }
    cor_monitors_saved_destroy(saved);
    cor_monitors_destroy(monitors);
    cor_lists_fini(&lists);
    cor_lists_fini(&model.before);
    cor_lists_fini(&kept.before);
    return alarms;
}

static void as_the_second_implementation(void **state) {
    static const uint32_t agents[] = {1, 2, 3, 7, 20, 70};
    (void)state;
    unsigned alarms[2] = {0, 0};
    for (size_t n = 0; n < sizeof agents / sizeof *agents; n++)
        for (uint32_t seed = 1; seed <= 12; seed++) {
            alarms[0] += follow("exact", agents[n], seed);
            alarms[1] += follow("lagging", agents[n], seed);
        }
    assert_true(alarms[0] > 100 && alarms[1] > 100);
    follow("exact", AGENTS_MOST, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_second_implementation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
