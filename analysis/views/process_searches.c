/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites of distributed programs that end with their first failure are searches: what each found, and which
 * generator finds more, and sooner. */
#include "processes.h"
#include "searches.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A suite, up to its first failure. */
struct island {
    uint32_t suite;
    uint64_t schedules, cases, first, first_cases; /* to the first that failed, it included; 0: none did */
};
#define ISLAND(member) COR_CELL_OF(struct island, member)
static const struct cor_column_definition islands_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"island", "island", "1", "number, from 0: its suite", ISLAND(suite)},
    {"schedules", "schedules", "1", "executed", ISLAND(schedules)},
    {"cases", "cases", "cases", "begun", ISLAND(cases)},
    {"first", "found after", "1", "schedules, that which failed included; nothing: not found",
     COR_SOME_OF(struct island, first)},
    {"class", "violated", "", "constraint; or how a process ended by itself", COR_CELL_WORD, 0, 0},
    {"key", "key", "", "of the schedule that failed: ARM/SUITE/SEQUENCE", COR_CELL_WORD, 0, 0},
};
const struct cor_sheet_definition views__process_islands =
    COR_SHEET_OVER(islands_columns, "islands", "Searches", "an island of a search", 0, 24);

enum cor_status views__process_is_search(const struct cor_layer_tables *process, bool *is_it,
                                         struct cor_error *error) {
    struct cor_json_document *document;
    struct cor_json until;
    const char *word;
    *is_it = false;
    COR_TRY(cor_json_parse(process->head->experiment, "experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    if (cor_json_is_object(&root) && cor_json_find(&root, "until", &until) && cor_json_is_string(&until))
        *is_it = cor_json_string(&until, &word, NULL) == COR_OK && strcmp(word, "failure") == 0;
    cor_json_destroy(document);
    return COR_OK;
}

/* What is behind the generator in the name of an arm. */
static const char *target_of(const char *arm) {
    const char *stroke = strchr(arm, '/');
    return stroke ? stroke + 1 : arm;
}

static uint16_t code_of(const struct cor_layer_tables *process, const char *target) {
    uint16_t a = 0;
    while (strcmp(target_of(cor_arm_entry(process->head, a)->name), target) != 0)
        a++;
    return a;
}

/* A suite as an island; *failure: the schedule that failed, NULL: none did. */
static struct island look(const struct cor_layer_tables *process, const struct cor_process_suite_row *suite,
                          const struct cor_process_sequence_row **failure) {
    struct island island = {.suite = suite->suite};
    uint64_t count;
    const uint64_t from =
        cor_layer_rows_of(process, COR_PROCESS_TABLE_SEQUENCES, suite->arm, suite->suite, &count);
    *failure = NULL;
    for (uint64_t i = from; i < from + count; i++) {
        const struct cor_process_sequence_row *row = cor_layer_row(process, COR_PROCESS_TABLE_SEQUENCES, i);
        const bool has_failed = row->verdict == COR_VERDICT_FAILED;
        island.schedules++;
        island.cases += row->cases + (has_failed || row->cases == 0 ? 1u : 0u);
        if (!has_failed || *failure)
            continue;
        *failure = row;
        island.first = island.schedules;
        island.first_cases = island.cases;
    }
    return island;
}

static void fill_island(const struct cor_layer_tables *process, const char *arm, const struct island *island,
                        const struct cor_process_sequence_row *failure, struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, arm);
    COR_SHEET_PUT(sheet, struct island, island);
    if (!failure) {
        cor_sheet_nothing(sheet);
        cor_sheet_nothing(sheet);
        return;
    }
    cor_sheet_word(sheet, cor_process_failure(process, failure));
    cor_sheet_text(sheet, "%s/%" PRIu32 "/%" PRIu32, arm, failure->suite, failure->sequence);
}

enum cor_status views__put_process_searches(const struct cor_layer_tables *process, double level,
                                            struct cor_sheets *sheets, struct cor_error *error) {
    const uint64_t suites = process->count[COR_PROCESS_TABLE_SUITES];
    enum cor_status status = COR_OK;
    bool is_it;
    size_t count = 0;
    uint64_t most = 0; /* cases of a search: one that has found something might have gone on as long */
    COR_TRY(views__process_is_search(process, &is_it, error));
    if (!is_it)
        return COR_OK;
    struct views__repetition *repetitions = cor_calloc(suites + 1, sizeof *repetitions);
    COR_TRY(cor_made(repetitions, error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &views__process_islands);
    for (size_t a = 0; a < cor_arm_count(process->head); a++)
        for (uint64_t i = 0; i < suites; i++) {
            const struct cor_process_suite_row *suite = cor_layer_row(process, COR_PROCESS_TABLE_SUITES, i);
            const struct cor_process_sequence_row *failure;
            const char *name = cor_arm_entry(process->head, a)->name;
            if (suite->arm != a)
                continue;
            const struct island island = look(process, suite, &failure);
            fill_island(process, name, &island, failure, sheet);
            most = island.cases > most ? island.cases : most;
            repetitions[count++] =
                (struct views__repetition){.name = name,
                                           .target = target_of(name),
                                           .target_code = code_of(process, target_of(name)),
                                           .arm = (uint16_t)a,
                                           .first = island.first_cases,
                                           .cases = island.cases,
                                           .classes = failure != NULL};
        }
    for (size_t i = 0; i < count; i++)
        if (repetitions[i].first > 0)
            repetitions[i].cases = most;
    COR_TRY_OUT(views__compare_repetitions(repetitions, count, level, sheets, error));
out:
    free(repetitions);
    return status;
}
