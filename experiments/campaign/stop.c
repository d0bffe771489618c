/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/stop.h>

#include <math.h>
#include <string.h>

static const struct {
    const char *key;
    double least, greatest;
    bool whole; /* a whole number */
} figures_known[] = {
#define COR_STOP_FIGURE_ROW(NAME, key, least, greatest, meaning) {key, least, greatest, (least) >= 1},
    COR_STOP_FIGURES(COR_STOP_FIGURE_ROW)
#undef COR_STOP_FIGURE_ROW
};

uint32_t cor_stop_add(struct cor_stop_conditions *stop, uint32_t parent, bool all) {
    if (stop->count == COR_STOP_GROUPS_MAX)
        return COR_STOP_GROUPS_MAX;
    COR_ASSERT(parent < stop->count || stop->count == 0);
    stop->group[stop->count] = (struct cor_stop_group){.all = all, .parent = parent};
    return stop->count++;
}

static enum cor_status read_group(const struct cor_json *json, struct cor_stop_conditions *stop,
                                  uint32_t parent, bool all, struct cor_error *error);

static enum cor_status read_condition(const struct cor_json *json, struct cor_stop_conditions *stop,
                                      uint32_t group, struct cor_error *error) {
    if (strcmp(json->key, "all") == 0 || strcmp(json->key, "any") == 0)
        return read_group(json, stop, group, strcmp(json->key, "all") == 0, error);
    size_t figure = 0;
    while (strcmp(figures_known[figure].key, json->key) != 0)
        figure++;
    double *bound = &stop->group[group].bound[figure];
    if (!figures_known[figure].whole)
        return cor_json_real(json, figures_known[figure].least, figures_known[figure].greatest, bound, error);
    int64_t count;
    COR_TRY(cor_json_integer(json, (int64_t)figures_known[figure].least,
                             (int64_t)figures_known[figure].greatest, &count, error));
    *bound = (double)count;
    return COR_OK;
}

static enum cor_status read_group(const struct cor_json *json, struct cor_stop_conditions *stop,
                                  uint32_t parent, bool all, struct cor_error *error) {
    static const char *const keys[] = {
#define COR_STOP_FIGURE_KEY(NAME, key, ...) key,
        COR_STOP_FIGURES(COR_STOP_FIGURE_KEY)
#undef COR_STOP_FIGURE_KEY
            "all",
        "any", NULL};
    COR_TRY(cor_json_expect_object(json, keys, error));
    if (cor_json_size(json) == 0)
        return cor_json_fail(json, error, "name a condition, such as \"failures\": 100",
                             "holds no condition");
    uint32_t group = cor_stop_add(stop, parent, all);
    if (group == COR_STOP_GROUPS_MAX)
        return cor_json_fail(json, error, "write them with fewer \"any\" and \"all\"",
                             "more than %d groups of conditions", COR_STOP_GROUPS_MAX - 1);
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json member = cor_json_at(json, i);
        COR_TRY(read_condition(&member, stop, group, error));
    }
    return COR_OK;
}

enum cor_status cor_stop_read(const struct cor_json *json, struct cor_stop_conditions *stop,
                              struct cor_error *error) {
    if (stop->count == 0)
        cor_stop_add(stop, 0, false);
    return read_group(json, stop, 0, false, error);
}

bool cor_stop_asks(const struct cor_stop_conditions *stop, enum cor_stop_figure figure) {
    for (uint32_t g = 0; g < stop->count; g++)
        if (stop->group[g].bound[figure] > 0)
            return true;
    return false;
}

static bool reached(enum cor_stop_figure figure, double now, double bound) {
    return figure == COR_STOP_AT_HALF_WIDTH ? now <= bound : now >= bound;
}

/* Groups stand behind those they are in: from the last on, each is known when that around it is asked. */
bool cor_stop_holds(const struct cor_stop_conditions *stop, const double figures[COR_STOP_FIGURE_COUNT]) {
    uint32_t holding[COR_STOP_GROUPS_MAX] = {0}, asked[COR_STOP_GROUPS_MAX] = {0};
    for (uint32_t g = stop->count; g-- > 0;) {
        const struct cor_stop_group *group = &stop->group[g];
        for (int f = 0; f < COR_STOP_FIGURE_COUNT; f++)
            if (group->bound[f] > 0) {
                asked[g]++;
                holding[g] += reached((enum cor_stop_figure)f, figures[f], group->bound[f]);
            }
        bool holds = group->all ? holding[g] == asked[g] : holding[g] > 0;
        if (g == 0)
            return holds && asked[g] > 0;
        asked[group->parent]++;
        holding[group->parent] += holds;
    }
    return false;
}

/* By trying: what is enough is the bound of some group. */
double cor_stop_decided(const struct cor_stop_conditions *stop) {
    double least = 0;
    for (uint32_t g = 0; g < stop->count; g++) {
        const double share = stop->group[g].bound[COR_STOP_AT_DECIDED];
        const double figures[COR_STOP_FIGURE_COUNT] = {
            [COR_STOP_AT_DECIDED] = share, [COR_STOP_AT_HALF_WIDTH] = NAN};
        if (share > 0 && (least == 0 || share < least) && cor_stop_holds(stop, figures))
            least = share;
    }
    return least;
}

/* By trying: with nothing else found, it is a bound of suites, or no number is. */
uint64_t cor_stop_suites(const struct cor_stop_conditions *stop) {
    uint64_t least = UINT64_MAX;
    for (uint32_t g = 0; g < stop->count; g++) {
        double figures[COR_STOP_FIGURE_COUNT] = {
            [COR_STOP_AT_SUITES] = stop->group[g].bound[COR_STOP_AT_SUITES], [COR_STOP_AT_HALF_WIDTH] = NAN};
        uint64_t suites = (uint64_t)figures[COR_STOP_AT_SUITES];
        if (suites > 0 && suites < least && cor_stop_holds(stop, figures))
            least = suites;
    }
    return least;
}
