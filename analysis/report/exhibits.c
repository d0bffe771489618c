/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A choice of failures: for each arm a number that all arms share alike; the first failure of a sequence, and
 * of the sequences as many, spread evenly in the order of the file, so that they come from different suites;
 * most of them seen, some of them masked. */
#include "evidence.h"

#include "cursor.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

struct key {
    uint16_t arm, sequence;
    uint32_t suite, case_;
};

/* Goes through the failures of an arm and says which to take. */
struct chooser {
    uint64_t count, quota; /* failures of the arm; how many of them are wanted */
    uint64_t next, taken;
};

static bool choose(struct chooser *chooser) {
    bool wanted =
        chooser->taken < chooser->quota && chooser->next == chooser->taken * chooser->count / chooser->quota;
    chooser->next++;
    chooser->taken += wanted;
    return wanted;
}

/* What going through the tables needs. */
struct choice {
    struct cor__evidence *evidence;
    struct cor_result *result;
    const struct cor_tables *tables;
    struct chooser *seen, *masked; /* owned; [arm] */
    size_t capacity;
};

static int compare(const void *one, const void *other) {
    const struct cor__exhibit *a = one, *b = other;
    if (a->arm != b->arm)
        return a->arm < b->arm ? -1 : 1;
    if (a->suite != b->suite)
        return a->suite < b->suite ? -1 : 1;
    if (a->sequence != b->sequence)
        return a->sequence < b->sequence ? -1 : 1;
    return a->case_ < b->case_ ? -1 : a->case_ > b->case_;
}

static struct cor__exhibit *add(struct choice *choice, size_t arm, struct key key, bool masked,
                                struct cor_error *error) {
    struct cor__evidence *evidence = choice->evidence;
    if (COR_RESERVE(&evidence->exhibit, &choice->capacity, evidence->exhibit_count + 1, error) != COR_OK)
        return NULL;
    struct cor__exhibit *exhibit = &evidence->exhibit[evidence->exhibit_count++];
    *exhibit = (struct cor__exhibit){
        .arm = key.arm, .suite = key.suite, .sequence = key.sequence, .case_ = key.case_, .masked = masked};
    evidence->arm[arm].exhibits++;
    return exhibit;
}

static void add_violation(struct cor__exhibit *exhibit, const struct cor_violation_row *row) {
    if (exhibit->violations < COR__SENTENCES)
        exhibit->first[exhibit->violations] = *row;
    exhibit->violations++;
    exhibit->boxes |= row->box < 32 ? 1u << row->box : 0;
    exhibit->checks |= row->check < 32 ? 1u << row->check : 0;
}

/* Violations of one case lie side by side and are one failure. First only counts, then takes. */
static enum cor_status go_through_violations(struct choice *choice, bool take, struct cor_error *error) {
    static const char *const columns[] = {"sequence",  "case",     "box",   "check", "agent",
                                          "partition", "expected", "found", NULL};
    struct cor__cursor cursor;
    const void *next = NULL;
    struct key now = {0};
    bool any = false;
    struct cor__exhibit *open = NULL;
    enum cor_status status = cor__cursor_init(&cursor, choice->result, COR_TABLE_VIOLATIONS, columns, error);
    while (status == COR_OK && (status = cor__cursor_any(&cursor, &next, error)) == COR_OK && next) {
        const struct cor_violation_row *row = next;
        size_t arm = cor__shown_arm(choice->tables, row->arm);
        if (arm == choice->tables->arm_count || row->box == COR_BOX_INTERIM)
            continue;
        struct key key = {row->arm, row->sequence, row->suite, row->case_};
        if (!any || memcmp(&key, &now, sizeof key) != 0) {
            bool first = !any || key.arm != now.arm || key.suite != now.suite || key.sequence != now.sequence;
            any = true;
            now = key;
            open = NULL;
            choice->evidence->arm[arm].failures += !take;
            choice->evidence->arm[arm].failing += !take && first;
            if (take && first && choose(&choice->seen[arm]) && !(open = add(choice, arm, key, false, error)))
                status = COR_STATUS_MEMORY;
        }
        if (open)
            add_violation(open, row);
    }
    cor__cursor_fini(&cursor);
    return status;
}

/* A fault was activated, and nothing was seen. */
static bool is_masked(const struct cor_reorganization_row *row) {
    return row->fault_activated > 0 && row->gray != COR_VERDICT_FAILED && row->gray != COR_VERDICT_SMOKE &&
           row->black != COR_VERDICT_FAILED && row->black != COR_VERDICT_SMOKE &&
           row->agreement != COR_VERDICT_FAILED;
}

static enum cor_status go_through_masked(struct choice *choice, bool take, struct cor_error *error) {
    static const char *const columns[] = {"sequence",        "case", "gray", "black", "agreement",
                                          "fault_activated", NULL};
    struct cor__cursor cursor;
    const void *next = NULL;
    enum cor_status status =
        cor__cursor_init(&cursor, choice->result, COR_TABLE_REORGANIZATIONS, columns, error);
    while (status == COR_OK && (status = cor__cursor_any(&cursor, &next, error)) == COR_OK && next) {
        const struct cor_reorganization_row *row = next;
        size_t arm = cor__shown_arm(choice->tables, row->arm);
        if (arm == choice->tables->arm_count || !is_masked(row))
            continue;
        choice->evidence->arm[arm].masked += !take;
        struct key key = {row->arm, row->sequence, row->suite, row->case_};
        if (take && choose(&choice->masked[arm]) && !add(choice, arm, key, true, error))
            status = COR_STATUS_MEMORY;
    }
    cor__cursor_fini(&cursor);
    return status;
}

static void set_quotas(struct choice *choice) {
    const struct cor__evidence *evidence = choice->evidence;
    uint64_t arms = 0;
    for (size_t a = 0; a < evidence->arm_count; a++)
        arms += evidence->arm[a].failures + evidence->arm[a].masked > 0;
    uint64_t each = arms > 0 ? COR__EXHIBITS / arms : 0;
    if (each == 0)
        each = 1;
    for (size_t a = 0; a < evidence->arm_count; a++) {
        uint64_t seen = evidence->arm[a].failing, masked = evidence->arm[a].masked;
        uint64_t some = masked > 0 ? (each + 3) / 4 : 0; /* one in four is masked, if there are any */
        some = seen + some < each ? each - seen : some;
        some = some < masked ? some : masked;
        if (seen > 0 && some >= each)
            some = each - 1;
        choice->masked[a] = (struct chooser){.count = masked, .quota = some};
        choice->seen[a] = (struct chooser){.count = seen, .quota = each - some < seen ? each - some : seen};
    }
}

/* ---------------------------------------------------------------------------- what is known of each */

static struct cor__exhibit *find(struct cor__evidence *evidence, struct key key) {
    struct cor__exhibit wanted = {
        .arm = key.arm, .suite = key.suite, .sequence = key.sequence, .case_ = key.case_};
    return evidence->exhibit_count == 0 ? NULL
                                        : bsearch(&wanted, evidence->exhibit, evidence->exhibit_count,
                                                  sizeof *evidence->exhibit, compare);
}

static enum cor_status attach_reorganizations(struct choice *choice, struct cor_error *error) {
    static const char *const columns[] = {"sequence",
                                          "case",
                                          "gray",
                                          "black",
                                          "agreement",
                                          "stop",
                                          "smoke",
                                          "spent",
                                          "rounds",
                                          "messages",
                                          "partitions_before",
                                          "partitions_after",
                                          "moved",
                                          "fault_activated",
                                          "fault_in_result",
                                          "dissimilarity_before",
                                          "dissimilarity_after",
                                          "inside_after",
                                          NULL};
    struct cor__cursor cursor;
    const void *next = NULL;
    enum cor_status status =
        cor__cursor_init(&cursor, choice->result, COR_TABLE_REORGANIZATIONS, columns, error);
    while (status == COR_OK && (status = cor__cursor_any(&cursor, &next, error)) == COR_OK && next) {
        const struct cor_reorganization_row *row = next;
        struct cor__exhibit *exhibit =
            find(choice->evidence, (struct key){row->arm, row->sequence, row->suite, row->case_});
        if (!exhibit)
            continue;
        exhibit->run = true;
        exhibit->reorganization = *row;
    }
    cor__cursor_fini(&cursor);
    return status;
}

static enum cor_status attach_solution(struct choice *choice, const struct cor_failure_row *row,
                                       struct cor__exhibit *exhibit, struct cor_error *error) {
    uint64_t held = cor_result_vector_size(choice->result, COR_VECTOR_SOLUTION_BLOCK_SIZE);
    uint32_t wanted = row->blocks < COR__BLOCKS ? row->blocks : COR__BLOCKS;
    if (row->block_start > held || row->blocks > held - row->block_start)
        return cor__damaged(error, COR_TABLE_FAILURES, "a solution lies behind the end of its vector");
    exhibit->solved = true;
    exhibit->blocks = row->blocks;
    return wanted == 0 ? COR_OK
                       : cor_result_read_vector(choice->result, COR_VECTOR_SOLUTION_BLOCK_SIZE,
                                                row->block_start, wanted, exhibit->block, error);
}

static enum cor_status attach_solutions(struct choice *choice, struct cor_error *error) {
    static const char *const columns[] = {"sequence", "case", "block_start", "blocks", NULL};
    struct cor__cursor cursor;
    const void *next = NULL;
    enum cor_status status = cor__cursor_init(&cursor, choice->result, COR_TABLE_FAILURES, columns, error);
    while (status == COR_OK && (status = cor__cursor_any(&cursor, &next, error)) == COR_OK && next) {
        const struct cor_failure_row *row = next;
        struct cor__exhibit *exhibit =
            find(choice->evidence, (struct key){row->arm, row->sequence, row->suite, row->case_});
        if (exhibit)
            status = attach_solution(choice, row, exhibit, error);
    }
    cor__cursor_fini(&cursor);
    return status;
}

/* Suites and exhibits lie in the same order. */
static enum cor_status attach_configurations(struct choice *choice, struct cor_error *error) {
    static const char *const columns[] = {"agents",    "groups",    "chains",        "size_min",  "size_max",
                                          "count_min", "count_max", "limits_judged", "threshold", NULL};
    struct cor__cursor cursor;
    const void *next = NULL;
    enum cor_status status = cor__cursor_init(&cursor, choice->result, COR_TABLE_SUITES, columns, error);
    size_t e = 0;
    while (status == COR_OK && (status = cor__cursor_any(&cursor, &next, error)) == COR_OK && next) {
        const struct cor_suite_row *row = next;
        for (; e < choice->evidence->exhibit_count; e++) {
            struct cor__exhibit *exhibit = &choice->evidence->exhibit[e];
            if (exhibit->arm > row->arm || (exhibit->arm == row->arm && exhibit->suite > row->suite))
                break;
            if (exhibit->arm == row->arm && exhibit->suite == row->suite)
                exhibit->configuration = *row;
        }
    }
    cor__cursor_fini(&cursor);
    return status;
}

enum cor_status cor__choose_exhibits(struct cor__evidence *evidence, struct cor_result *result,
                                     const struct cor_tables *tables, struct cor_error *error) {
    struct choice choice = {.evidence = evidence, .result = result, .tables = tables};
    choice.seen = cor_calloc(tables->arm_count, sizeof *choice.seen);
    choice.masked = cor_calloc(tables->arm_count, sizeof *choice.masked);
    enum cor_status status = choice.seen && choice.masked ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        status = go_through_violations(&choice, false, error);
    if (status == COR_OK)
        status = go_through_masked(&choice, false, error);
    if (status == COR_OK) {
        set_quotas(&choice);
        status = go_through_violations(&choice, true, error);
    }
    if (status == COR_OK)
        status = go_through_masked(&choice, true, error);
    if (status == COR_OK && evidence->exhibit_count > 1)
        qsort(evidence->exhibit, evidence->exhibit_count, sizeof *evidence->exhibit, compare);
    if (status == COR_OK)
        status = attach_reorganizations(&choice, error);
    if (status == COR_OK)
        status = attach_solutions(&choice, error);
    if (status == COR_OK)
        status = attach_configurations(&choice, error);
    free(choice.seen);
    free(choice.masked);
    return status;
}
