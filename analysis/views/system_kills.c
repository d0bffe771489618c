/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutants of a running system, and which choosers of actions told them from it: a test, a policy. */
#include "goals.h"

#include <corridor/array.h>
#include <corridor/interval.h>

#include <stdlib.h>
#include <string.h>

/* A mutant beside a chooser. */
struct entry {
    const struct views__system_arm *arm;
    char *chooser; /* owned */
    uint64_t tests, killed, cycles_to_kill, spent;
    uint64_t carried_out; /* tests that were, whatever they found: without trouble of the world */
};

/* Whoever looked and killed nothing left it alive; a world in trouble tells nothing of it. */
static const char *state_of(const struct entry *entry) {
    return entry->killed > 0           ? "killed"
           : entry->arm->is_equivalent ? "equivalent"
           : entry->carried_out > 0    ? "alive"
                                       : "no verdict";
}

struct score {
    const char *chooser;
    uint64_t mutants, equivalent, killed, alive, open, spent;
};
#define SCORE(member) COR_CELL_OF(struct score, member)
static const struct cor_column_definition scores_columns[] = {
    {"chooser", "chooser", "", "what chose the actions: the test, its policy", SCORE(chooser)},
    {"mutants", "mutants", "1", "tested", SCORE(mutants)},
    {"equivalent", "equiv.", "1", "proven: they do what the system does", SCORE(equivalent)},
    {"killed", "killed", "1", "of which a test failed that passes without the mutant", SCORE(killed)},
    {"alive", "alive", "1", "survived: tests were carried out, and none killed it", SCORE(alive)},
    {"no_verdict", "no verdict", "1", "of which the world was in trouble in every test", SCORE(open)},
    {"score_pct", "score", "%", "killed, of the mutants that are not equivalent", COR_CELL_ESTIMATE, 1, 0},
    {"spent", "spent", "cycles", "of all these tests together", SCORE(spent)},
};
const struct cor_sheet_definition views__system_scores = COR_SHEET_OVER(
    scores_columns, "scores", "Mutation scores", "a row a chooser; intervals over mutants", 0, 0);

#define ENTRY(member) COR_CELL_OF(struct entry, member)
static const struct cor_column_definition kills_columns[] = {
    {"mutant", "mutant", "", "what is changed in the system", COR_CELL_WORD, 0, 0},
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"chooser", "chooser", "", "what chose the actions: the test, its policy", ENTRY(chooser)},
    {"state", "is", "", "killed, alive, equivalent, no verdict", COR_CELL_WORD, 0, 0},
    {"killed", "killed by", "1", "tests that failed, and pass without the mutant", ENTRY(killed)},
    {"tests", "of", "1", "tests made", ENTRY(tests)},
    {"cycles", "cycles", "cycles", "to the verdict, mean of the tests that killed it", COR_CELL_REAL, 1, 0},
    {"spent", "spent", "cycles", "of all these tests together", ENTRY(spent)},
};
const struct cor_sheet_definition views__system_kill_matrix =
    COR_SHEET_OVER(kills_columns, "kills", "Kill matrix", "a row a mutant and chooser", 0, 60);

/* The name of a test without its examples: "key item [view = 4]". */
static size_t base_length(const char *name) {
    const char *examples = strstr(name, " [");
    return examples ? (size_t)(examples - name) : strlen(name);
}

static bool is_of_base(const struct cor_layer_tables *system, uint16_t test, const char *base) {
    const char *name = cor_system_name(system, COR_SYSTEM_CATALOG_TEST, test);
    return base_length(name) == base_length(base) && strncmp(name, base, base_length(base)) == 0;
}

/* Whether no test before `test` of the catalog has the same name without examples. */
static bool is_first_of_base(const struct cor_layer_tables *system, size_t test) {
    const struct cor_catalog_entry *tests = system->head->catalog[COR_SYSTEM_CATALOG_TEST];
    for (size_t t = 0; t < test; t++)
        if (is_of_base(system, tests[t].code, tests[test].name))
            return false;
    return true;
}

static enum cor_status add_entry(const struct cor_layer_tables *system, const struct views__system_arms *arms,
                                 size_t a, const char *base, bool is_only, struct entry *entry,
                                 struct cor_error *error) {
    const struct views__system_arm *arm = &arms->items[a];
    *entry = (struct entry){.arm = arm};
    entry->chooser = is_only       ? cor_strdup(arm->policy ? arm->policy : "goals")
                     : arm->policy ? cor_format("%.*s, %s", (int)base_length(base), base, arm->policy)
                                   : cor_format("%.*s", (int)base_length(base), base);
    COR_TRY(cor_made(entry->chooser, error));
    const struct views__system_range range = views__system_rows(system, COR_SYSTEM_TABLE_TESTS, a);
    for (uint64_t i = range.first; i < range.end; i++) {
        const struct cor_system_test_row *row = cor_layer_row(system, COR_SYSTEM_TABLE_TESTS, i);
        if (!is_of_base(system, row->test, base))
            continue;
        entry->tests++;
        entry->carried_out += row->verdict != COR_TEST_TROUBLE;
        entry->spent += row->cycles;
        if (!views__system_kills(arms, row))
            continue;
        entry->killed++;
        entry->cycles_to_kill += row->decided > 0 ? row->decided : row->cycles;
    }
    return COR_OK;
}

static void fill_entry(struct cor_sheet *sheet, const struct entry *entry) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, entry->arm->mutant);
    cor_sheet_word(sheet, entry->arm->entry->name);
    COR_SHEET_PUT(sheet, struct entry, entry);
    cor_sheet_word(sheet, state_of(entry));
    cor_sheet_tone(sheet, entry->killed > 0           ? COR_TONE_GOOD
                          : entry->arm->is_equivalent ? COR_TONE_FAINT
                                                      : COR_TONE_BAD);
    COR_SHEET_PUT(sheet, struct entry, entry);
    if (entry->killed > 0)
        cor_sheet_real(sheet, (double)entry->cycles_to_kill / (double)entry->killed);
    else
        cor_sheet_nothing(sheet);
    COR_SHEET_PUT(sheet, struct entry, entry);
}

/* Of all entries with the chooser of entry `first`, which is the first with it. */
static void fill_score(struct cor_sheet *sheet, const struct entry *entries, size_t count, size_t first,
                       double level) {
    struct score score = {.chooser = entries[first].chooser};
    for (size_t i = first; i < count; i++) {
        const struct entry *entry = &entries[i];
        if (strcmp(entry->chooser, score.chooser) != 0)
            continue;
        score.mutants++;
        score.killed += entry->killed > 0;
        score.equivalent += entry->killed == 0 && entry->arm->is_equivalent;
        score.alive += entry->killed == 0 && !entry->arm->is_equivalent && entry->carried_out > 0;
        score.open += entry->killed == 0 && !entry->arm->is_equivalent && entry->carried_out == 0;
        score.spent += entry->spent;
    }
    COR_SHEET_PUT(sheet, struct score, &score);
    const uint64_t whole = score.mutants - score.equivalent;
    struct cor_estimate estimate =
        whole > 0 ? cor_estimate_suites(level, score.killed, whole) : cor_no_estimate();
    estimate.mean *= 100;
    estimate.low *= 100;
    estimate.high *= 100;
    cor_sheet_estimate(sheet, &estimate);
    COR_SHEET_PUT(sheet, struct score, &score);
}

static bool is_first(const struct entry *entries, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (strcmp(entries[i].chooser, entries[index].chooser) == 0)
            return false;
    return true;
}

enum cor_status views__put_system_kills(const struct cor_layer_tables *system,
                                        const struct views__system_arms *arms, double level,
                                        struct cor_sheets *sheets, struct cor_error *error) {
    const struct cor_catalog_entry *tests = system->head->catalog[COR_SYSTEM_CATALOG_TEST];
    const size_t test_count = system->head->catalog_size[COR_SYSTEM_CATALOG_TEST];
    struct entry *entries = NULL;
    size_t count = 0, capacity = 0, bases = 0, mutants = 0;
    enum cor_status status = COR_OK;
    for (size_t t = 0; t < test_count; t++)
        bases += is_first_of_base(system, t);
    for (size_t a = 0; a < arms->count; a++)
        mutants += arms->items[a].mutant != NULL;
    if (mutants == 0)
        return COR_OK;
    struct cor_sheet *scores = cor_sheets_more(sheets, &views__system_scores),
                     *kills = cor_sheets_more(sheets, &views__system_kill_matrix);
    for (size_t a = 0; a < arms->count; a++)
        for (size_t t = 0; t < test_count && arms->items[a].mutant; t++) {
            if (!is_first_of_base(system, t))
                continue;
            COR_TRY_OUT(COR_RESERVE(&entries, &capacity, count + 1, error));
            COR_TRY_OUT(add_entry(system, arms, a, tests[t].name, bases == 1, &entries[count++], error));
            if (entries[count - 1].tests == 0)
                free(entries[--count].chooser);
        }
    for (size_t i = 0; i < count; i++)
        if (is_first(entries, i))
            fill_score(scores, entries, count, i, level);
    for (size_t i = 0; i < count; i++)
        fill_entry(kills, &entries[i]);
out:
    for (size_t i = 0; i < count; i++)
        free(entries[i].chooser);
    free(entries);
    return status;
}
