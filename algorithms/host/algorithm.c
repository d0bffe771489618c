/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An algorithm as data: what it declares, and whether that can be used, which runs none of its code; and
 * those that are built in. */
#define COR_COVERAGE_DECLARED_ONLY /* it is the module that has it */
#include "algorithm.h"
#include "session.h"

#include <corridor/array.h>
#include <corridor/code_coverage.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LONGEST 63u
#define LIST_LONGEST 1000u /* parameters, faults, counters */
#define BUCKETS_MOST (UINT32_C(1) << 16)

/* The name of entry `index` of a list whose entries are `stride` bytes and begin with their name. */
static const char *listed(const void *list, size_t stride, uint32_t index) {
    const char *name;
    memcpy(&name, (const char *)list + stride * index, sizeof name);
    return name;
}

static uint32_t length_of(const void *list, size_t stride) {
    uint32_t count = 0;
    while (list && listed(list, stride, count))
        count++;
    return count;
}

uint32_t cor_parameter_count(const struct cor_parameter *list) {
    return length_of(list, sizeof *list);
}

uint32_t cor_algorithm_parameter_count(const struct cor_algorithm *algorithm) {
    return cor_parameter_count(algorithm->parameters);
}

uint32_t cor_algorithm_fault_count(const struct cor_algorithm *algorithm) {
    return length_of(algorithm->faults, sizeof *algorithm->faults);
}

uint32_t cor_algorithm_counter_count(const struct cor_algorithm *algorithm) {
    return length_of(algorithm->counters, sizeof *algorithm->counters);
}

int cor_algorithm_parameter(const struct cor_algorithm *algorithm, const char *name) {
    for (int i = 0; algorithm->parameters && algorithm->parameters[i].name; i++)
        if (strcmp(algorithm->parameters[i].name, name) == 0)
            return i;
    return -1;
}

bool cor_algorithm_makes(const struct cor_algorithm *algorithm, enum cor_organized kind) {
    return kind == COR_PARTITIONING ||
           algorithm->capabilities & (kind >= COR_HIERARCHY ? COR_NESTS : COR_COVERS);
}

const char *cor_algorithm_fault_name(const struct cor_algorithm *algorithm, uint32_t fault) {
    if (fault == 0)
        return "none";
    COR_ASSERT(fault <= cor_algorithm_fault_count(algorithm));
    return algorithm->faults[fault - 1].name;
}

enum cor_status cor_algorithm_fault(const struct cor_algorithm *algorithm, const char *name, uint32_t *fault,
                                    struct cor_error *error) {
    *fault = 0;
    if (!name || strcmp(name, "none") == 0)
        return COR_OK;
    for (uint32_t i = 0; algorithm->faults && algorithm->faults[i].name; i++)
        if (strcmp(algorithm->faults[i].name, name) == 0) {
            *fault = i + 1;
            return COR_OK;
        }
    uint32_t count = cor_algorithm_fault_count(algorithm);
    const char **names = cor_calloc((size_t)count + 2, sizeof *names);
    COR_TRY(cor_made(names, error));
    names[0] = "none";
    for (uint32_t i = 0; i < count; i++)
        names[i + 1] = algorithm->faults[i].name;
    char known[1024];
    cor_known_names(name, names, known, sizeof known);
    free(names);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "algorithm \"%s\" has no fault \"%s\"",
                    algorithm->name, name);
}

bool cor_algorithm_is_name(const char *name) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && length <= NAME_LONGEST && name[length] == '\0' && name[0] >= 'a' && name[0] <= 'z';
}

/* What the checks below share. */
struct check {
    const char *origin;
    struct cor_error *error;
};

static enum cor_status unusable(const struct check *check, const char *what, const char *name,
                                const char *remedy) {
    return cor_fail(check->error, COR_STATUS_PLUGIN, check->origin, remedy, "%s \"%s\" cannot be used", what,
                    name ? name : "(none)");
}

static enum cor_status check_names(const struct check *check, const char *what, const void *list,
                                   size_t stride) {
    for (uint32_t i = 0; list && listed(list, stride, i); i++) {
        const char *name = listed(list, stride, i);
        if (i >= LIST_LONGEST)
            return unusable(check, what, name, "end the list with an entry whose name is NULL");
        if (!cor_algorithm_is_name(name))
            return unusable(check, what, name, "names are [a-z][a-z0-9_]*, at most 63 characters");
        for (uint32_t before = 0; before < i; before++)
            if (strcmp(listed(list, stride, before), name) == 0)
                return unusable(check, what, name, "give each a name of its own");
    }
    return COR_OK;
}

enum cor_status host__parameters_check(const struct cor_parameter *list, const char *origin,
                                       struct cor_error *error) {
    const struct check *check = &(struct check){origin, error};
    COR_TRY(check_names(check, "parameter", list, sizeof *list));
    for (; list && list->name; list++) {
        int finite = isfinite(list->min) && isfinite(list->max) && isfinite(list->value);
        if (!finite || list->value < list->min || list->value > list->max)
            return unusable(check, "parameter", list->name, "its default lies within min .. max, all finite");
        if (list->is_integer && (floor(list->value) != list->value || floor(list->min) != list->min))
            return unusable(check, "parameter", list->name, "default and min of an integer are integers");
        if (!list->unit || !list->meaning)
            return unusable(check, "parameter", list->name, "say its unit and meaning");
    }
    return COR_OK;
}

static enum cor_status check_counters(const struct check *check, const struct cor_counter *list) {
    COR_TRY(check_names(check, "counter", list, sizeof *list));
    for (; list && list->name; list++) {
        if (list->bucket_count < 1 || list->bucket_count > BUCKETS_MOST)
            return unusable(check, "counter", list->name, "it has 1 .. 65536 buckets");
        if (!list->meaning)
            return unusable(check, "counter", list->name, "say its meaning");
    }
    return COR_OK;
}

/* One of the three shapes of plugin.h, whole; NULL if it is, else what is wrong. */
static const char *shape_trouble(const struct cor_algorithm *a) {
    if (!a->result)
        return "it has no result()";
    if (a->step && (a->wake || a->receive))
        return "it has both step() and wake() or receive()";
    if (!a->wake != !a->receive)
        return "wake() and receive() go together";
    if ((a->step || a->wake) && !a->begin)
        return "it has no begin()";
    if (a->begin && !a->step && !a->wake)
        return "it has begin(), but neither step() nor wake()";
    if (a->restart && !a->wake)
        return "restart() is for algorithms that have wake()";
    if (a->garble && !(a->capabilities & COR_KEEPS))
        return "garble() is for algorithms that are COR_KEEPS";
    if (a->agent_size > 0 && !a->wake)
        return "agent_size is for algorithms that have wake()";
    if ((a->capabilities & COR_ANYTIME) && !a->step && !a->wake)
        return "COR_ANYTIME is for algorithms that have step() or wake()";
    if (a->capabilities & ~(uint32_t)(COR_ANYTIME | COR_KEEPS | COR_LIMITS | COR_COVERS | COR_NESTS |
                                      COR_AIMS | COR_COMES_AND_GOES | COR_AIMS_BY_BLOCK))
        return "it claims a capability of a newer version";
    return NULL;
}

/* What plugin.h asks of an algorithm beyond its version: names, ranges, shape. */
enum cor_status host__algorithm_check(const struct cor_algorithm *algorithm, const char *origin,
                                      struct cor_error *error) {
    struct check check = {origin, error};
    if (!algorithm->name || !cor_algorithm_is_name(algorithm->name))
        return unusable(&check, "algorithm", algorithm->name,
                        "names are [a-z][a-z0-9_]*, at most 63 characters");
    if (!algorithm->version || !algorithm->summary || !algorithm->budget_unit)
        return unusable(&check, "algorithm", algorithm->name, "say its version, summary and budget_unit");
    const char *trouble = shape_trouble(algorithm);
    if (trouble)
        return cor_fail(error, COR_STATUS_PLUGIN, origin,
                        "fill in one of the three shapes of <corridor/plugin.h>",
                        "algorithm \"%s\" has no usable shape: %s", algorithm->name, trouble);
    COR_TRY(host__parameters_check(algorithm->parameters, origin, error));
    COR_TRY(check_counters(&check, algorithm->counters));
    const struct cor_fault *list = algorithm->faults;
    COR_TRY(check_names(&check, "fault", list, sizeof *list));
    for (; list && list->name; list++)
        if (strcmp(list->name, "none") == 0 || !list->meaning)
            return unusable(&check, "fault", list->name, "say its meaning; \"none\" is taken");
    COR_TRY(check_names(&check, "message", algorithm->messages, sizeof *algorithm->messages));
    for (uint32_t i = 0; algorithm->needs && algorithm->needs[i]; i++) {
        char name[COR_NEED_SIZE], unit[COR_NEED_SIZE];
        if (i >= LIST_LONGEST || !cor_algorithm_need(algorithm->needs[i], name, unit))
            return unusable(&check, "need", algorithm->needs[i],
                            "\"name\" or \"name [unit]\" of a column; end the list with NULL");
    }
    return COR_OK;
}

static enum cor_status check_copy(const void *copy, const char *origin, struct cor_error *error) {
    return host__algorithm_check(copy, origin, error);
}

/* What version 1.0 had; an algorithm that has less is cut off. */
#define SIZE_LEAST (offsetof(struct cor_algorithm, end) + sizeof(void (*)(void)))

const struct cor_module_kind host__algorithm_kind = {.symbol = COR_ALGORITHM_SYMBOL,
                                                     .what = "an algorithm",
                                                     .first_fields = "COR_ALGORITHM",
                                                     .header = "<corridor/plugin.h>",
                                                     .magic = COR_PLUGIN_MAGIC,
                                                     .major = COR_PLUGIN_MAJOR,
                                                     .minor = COR_PLUGIN_MINOR,
                                                     .size = sizeof(struct cor_algorithm),
                                                     .size_least = SIZE_LEAST,
                                                     .check = check_copy};

uint32_t host__cells_count(const struct cor_algorithm *algorithm) {
    uint32_t count = HOST__GAP;
    for (uint32_t c = 0; c < cor_algorithm_counter_count(algorithm); c++)
        count += algorithm->counters[c].bucket_count + HOST__GAP;
    return count;
}

void host__cells_lay(const struct cor_algorithm *algorithm, uint32_t *start, uint32_t entries) {
    const uint32_t count = cor_algorithm_counter_count(algorithm);
    uint32_t at = HOST__GAP;
    for (uint32_t c = 0; c < entries; c++) {
        start[c] = c < count ? at : at - HOST__GAP;
        at += c < count ? algorithm->counters[c].bucket_count + HOST__GAP : 0;
    }
}

struct cor_code_coverage *host__code_coverage(const struct cor_algorithm *algorithm) {
    uintptr_t function;
    memcpy(&function, &algorithm->result, sizeof function);
    struct cor_code_coverage *found = cor_module_symbol(function, COR_COVERAGE_SYMBOL);
    return found && found->magic == COR_COVERAGE_MAGIC && found->cell_count == COR_COVERAGE_CELLS ? found
                                                                                                  : NULL;
}

enum cor_status host__cover(struct cor_algorithm *algorithm, const char *origin, struct cor_counter **list,
                            struct cor_error *error) {
    const uint32_t count = cor_algorithm_counter_count(algorithm);
    *list = NULL;
    if (!host__code_coverage(algorithm))
        return COR_OK;
    for (uint32_t c = 0; c < count; c++)
        if (strcmp(algorithm->counters[c].name, COR_COVERAGE_COUNTER) == 0)
            return cor_fail(
                error, COR_STATUS_PLUGIN, origin,
                "give the counter another name, or build the module without <corridor/code_coverage.h>",
                "it declares a counter \"%s\", which is that of its code coverage", COR_COVERAGE_COUNTER);
    struct cor_counter *made = *list = cor_calloc(count + (size_t)2, sizeof *made);
    COR_TRY(cor_made(made, error));
    if (count > 0)
        memcpy(made, algorithm->counters, count * sizeof *made);
    made[count] = (struct cor_counter){COR_COVERAGE_COUNTER, "places of its code, " COR_HASHED_BUCKETS,
                                       COR_COVERAGE_CELLS};
    algorithm->counters = made;
    return COR_OK;
}

/* The built-in algorithms, in the order a user sees them; each is a library named in CMakeLists.txt. */
#define COR_BUILTINS(X) \
    X(psopp) X(spada) X(random) X(deal) X(exchange) X(exact) X(greedy_cover) X(balanced_tree)

#define COR_DECLARE(name) extern const struct cor_algorithm cor_algorithm_##name;
COR_BUILTINS(COR_DECLARE)
#undef COR_DECLARE

const struct cor_algorithm *host__builtin(uint32_t index) {
    static const struct cor_algorithm *const builtins[] = {
#define COR_LIST(name) &cor_algorithm_##name,
        COR_BUILTINS(COR_LIST)
#undef COR_LIST
    };
    return index < sizeof builtins / sizeof *builtins ? builtins[index] : NULL;
}
