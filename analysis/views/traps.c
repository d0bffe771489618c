/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What became of the traps that walks were steered to, and what weighted means say of walks of the profiles.
 * A weight is 2^-halvings of a mantissa: as a double it may be 0, where it counts for nothing beside others.
 */
#include "views.h"

#include <corridor/array.h>
#include <corridor/json.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t points[] = {1, 3, 10, 30, 100, 300, 1000, 3000, 10000};
#define POINTS (sizeof points / sizeof *points)

/* A weighted mean: its sum in the present suite, and of the suites' means. */
struct mean {
    double here, sum, squares;
};

struct trap {
    uint64_t sequences, impossible, covered, cases;
    double probability; /* sum */
    struct mean weighted;
};

struct arm {
    struct trap *traps; /* owned */
    size_t trap_count, capacity;
    uint64_t suites, sequences, by_profile, failed, unweighted, covered[POINTS], all;
    double weight, squares, largest;
    struct mean fails;
};

#define ARM(member) COR_CELL_OF(struct arm, member)
static const struct cor_column_definition arms_sheet_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"suites", "suites", "1", "suites", ARM(suites)},
    {"sequences", "sequences", "1", "test sequences, without continuations of failed ones", ARM(sequences)},
    {"by_profile", "by\nprofile", "1", "thereof sequences that follow the profiles", ARM(by_profile)},
    {"covered", "covered", "1", "traps that a sequence covers, on average", COR_CELL_REAL, COR_DIGITS_FOUR,
     0},
    {"failed", "failed", "1", "sequences in which the gray or the black box failed", ARM(failed)},
    {"failed_weighted", "rate", "1", "weighted: share of the sequences of the profiles that fail",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"failed_error", "+-", "1", "its standard error, over suites", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"effective", "effective", "1", "so many sequences of equal weight would say as much", COR_CELL_REAL, 1,
     0},
    {"largest_share", "largest", "1", "share of the largest weight in the sum of all", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "Arms with traps", "an arm", 0, 0);

#define TRAP(member) COR_CELL_OF(struct trap, member)
static const struct cor_column_definition traps_sheet_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"number", "trap", "1", "in the order of the experiment, from 0", COR_CELL_COUNT, 0, 0},
    {"sequences", "sequences", "1", "test sequences", TRAP(sequences)},
    {"impossible", "impossible", "1", "thereof in suites whose environments cannot meet it",
     TRAP(impossible)},
    {"covered", "covered", "1", "sequences that cover it", TRAP(covered)},
    {"case", "at case", "1", "mean case in which they do", COR_CELL_REAL, 1, 0},
    {"probability", "exact", "1",
     "probability that a sequence of the profiles covers it, in closed form; not available where the system "
     "has its say",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"weighted", "weighted", "1", "the same from what was executed, by weights", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"error", "+-", "1", "standard error of weighted, over suites", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"name", "", "", "the trap", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(traps_sheet, "traps", "Traps", "a trap of an arm", 0, 40);

static const struct cor_column_definition growth_sheet_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"cases", "cases", "1", "from the beginning of a sequence", COR_CELL_COUNT, 0, 0},
    {"covered", "traps covered", "1", "in so many cases, on average over sequences", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0}};
COR_SHEET_DEFINITION(growth_sheet, "growth", "Traps covered by cases", "an arm and a number of cases", 0, 0);

static double weight_of(const struct cor_sequence_rows *sequence) {
    const struct cor_steered_row *row = sequence->steered;
    return !row ? 1
                : ldexp(row->weight_mantissa,
                        row->weight_halvings < 5000 ? -(int)row->weight_halvings : -5000);
}

static enum cor_status see_trap(struct arm *arm, const struct cor_trap_row *row, double weight,
                                struct cor_error *error) {
    const size_t before = arm->trap_count;
    if (row->trap >= before) {
        COR_TRY(COR_RESERVE(&arm->traps, &arm->capacity, row->trap + 1u, error));
        memset(arm->traps + before, 0, (row->trap + 1u - before) * sizeof *arm->traps);
        arm->trap_count = row->trap + 1u;
    }
    struct trap *trap = &arm->traps[row->trap];
    trap->sequences++;
    trap->impossible += row->moves == UINT32_MAX;
    trap->covered += row->case_ > 0;
    trap->cases += row->case_;
    trap->probability += row->probability;
    trap->weighted.here += row->case_ > 0 ? weight : 0;
    arm->all += row->case_ > 0;
    for (size_t p = 0; p < POINTS; p++)
        arm->covered[p] += row->case_ > 0 && row->case_ <= points[p];
    return COR_OK;
}

static bool fails(const struct cor_sequence_rows *sequence) {
    for (size_t i = 0; i < sequence->reorganization_count; i++)
        if (cor_is_detected(&sequence->reorganizations[i]))
            return true;
    return false;
}

static void end_suite(struct mean *mean, size_t sequences) {
    const double value = mean->here / (double)sequences;
    mean->sum += value;
    mean->squares += value * value;
    mean->here = 0;
}

/* The mean over suites, and its standard error; nothing where a sequence has no weight. */
static void put_mean(struct cor_sheet *sheet, const struct arm *arm, const struct mean *mean) {
    const double n = (double)arm->suites, value = mean->sum / n;
    const double spread = fmax(mean->squares - n * value * value, 0) / (n - 1);
    cor_sheet_real(sheet, arm->unweighted ? NAN : value);
    cor_sheet_real(sheet, arm->unweighted || arm->suites < 2 ? NAN : sqrt(spread / n));
}

static void put_arm(struct cor_sheet *sheet, const char *name, const struct arm *arm) {
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name);
    COR_SHEET_PUT(sheet, struct arm, arm);
    cor_sheet_real(sheet, (double)arm->all / (double)arm->sequences);
    COR_SHEET_PUT(sheet, struct arm, arm);
    put_mean(sheet, arm, &arm->fails);
    cor_sheet_real(sheet, arm->unweighted ? NAN : arm->weight * arm->weight / arm->squares);
    cor_sheet_real(sheet, arm->unweighted ? NAN : arm->largest / arm->weight);
    if (arm->unweighted)
        cor_sheet_remark(sheet, "%s: walks are chosen, not drawn: tests, and no estimate", name);
}

/* The names of an arm's traps stand in its description. */
static enum cor_status put_traps(struct cor_sheet *sheet, const struct cor_catalog_entry *entry,
                                 const struct arm *arm, struct cor_error *error) {
    struct cor_json_document *document;
    struct cor_json list = {0};
    COR_TRY(cor_json_parse(entry->description, entry->name, &document, error));
    const struct cor_json root = cor_json_root(document);
    const bool named = cor_json_find(&root, "traps", &list);
    for (size_t t = 0; t < arm->trap_count; t++) {
        const struct trap *trap = &arm->traps[t];
        const struct cor_json item = named && t < cor_json_size(&list) ? cor_json_at(&list, t) : root;
        const char *name = NULL;
        if (cor_json_is_string(&item) && cor_json_string(&item, &name, NULL) != COR_OK)
            name = NULL;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, entry->name);
        cor_sheet_count(sheet, t);
        COR_SHEET_PUT(sheet, struct trap, trap);
        cor_sheet_real(sheet, trap->covered ? (double)trap->cases / (double)trap->covered : NAN);
        cor_sheet_real(sheet, trap->probability / (double)trap->sequences);
        put_mean(sheet, arm, &trap->weighted);
        cor_sheet_word(sheet, name);
    }
    cor_json_destroy(document);
    return COR_OK;
}

static enum cor_status see_all(const struct cor_view_request *request, struct arm *arms,
                               struct cor_error *error) {
    static const char *const columns[] = {"sequence", "case", "gray", "black", NULL};
    const struct cor_reading readings[] = {{COR_TABLE_TRAPS, NULL}, {COR_TABLE_REORGANIZATIONS, columns}};
    struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    COR_TRY(cor_suite_reader_create(request->result, readings, 2, &reader, error));
    for (;;) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        struct arm *arm = &arms[suite->arm];
        const struct cor_trap_row *rows = suite->table[COR_TABLE_TRAPS].row;
        size_t seen = 0;
        if (suite->table[COR_TABLE_TRAPS].count == 0)
            continue;
        for (size_t i = 0; i < suite->table[COR_TABLE_TRAPS].count; i++) {
            const struct cor_sequence_rows *sequence = &suite->sequence[rows[i].sequence];
            if (!sequence->branch)
                COR_TRY_OUT(see_trap(arm, &rows[i], weight_of(sequence), error));
        }
        for (uint32_t s = 0; s < suite->row.sequences; s++)
            if (suite->sequence[s].row && !suite->sequence[s].branch) {
                const struct cor_sequence_rows *sequence = &suite->sequence[s];
                const double weight = weight_of(sequence);
                const bool failed = fails(sequence);
                arm->sequences++;
                arm->by_profile += !sequence->steered || sequence->steered->by_profile;
                arm->failed += failed;
                arm->unweighted += isnan(weight) ? 1 : 0;
                arm->weight += weight;
                arm->squares += weight * weight;
                arm->largest = fmax(arm->largest, weight);
                arm->fails.here += failed ? weight : 0;
                seen++;
            }
        arm->suites++;
        for (size_t t = 0; t < arm->trap_count && seen > 0; t++)
            end_suite(&arm->traps[t].weighted, seen);
        if (seen > 0)
            end_suite(&arm->fails, seen);
    }
out:
    cor_suite_reader_destroy(reader);
    return status;
}

static enum cor_status make_traps(const struct cor_view_request *request, struct cor_sheets *sheets,
                                  struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    const size_t count = head->catalog_size[COR_CATALOG_ARM];
    struct arm *arms = cor_calloc(count, sizeof *arms);
    enum cor_status status = COR_OK;
    (void)findings;
    COR_TRY(cor_made(arms, error));
    COR_TRY_OUT(see_all(request, arms, error));
    struct cor_sheet *of_arms = cor_sheets_add(sheets, &arms_sheet),
                     *of_traps = cor_sheets_add(sheets, &traps_sheet),
                     *of_growth = cor_sheets_add(sheets, &growth_sheet);
    for (size_t a = 0; a < count; a++) {
        const struct cor_catalog_entry *entry = &head->catalog[COR_CATALOG_ARM][a];
        if (arms[a].sequences == 0)
            continue;
        put_arm(of_arms, entry->name, &arms[a]);
        COR_TRY_OUT(put_traps(of_traps, entry, &arms[a], error));
        const struct arm *arm = &arms[a];
        for (size_t p = 0; p < POINTS; p++) {
            cor_sheet_row(of_growth);
            cor_sheet_word(of_growth, entry->name);
            cor_sheet_count(of_growth, points[p]);
            cor_sheet_real(of_growth, (double)arm->covered[p] / (double)arm->sequences);
            if (arm->covered[p] == arm->all)
                break;
        }
    }
    if (cor_sheet_size(of_arms) == 0)
        cor_sheet_remark(of_arms, "no arm of this file has traps");
out:
    for (size_t a = 0; a < count; a++)
        free(arms[a].traps);
    free(arms);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&arms_sheet, &traps_sheet, &growth_sheet,
                                                                 NULL};

const struct cor_view views__view_traps = {
    .name = "traps",
    .command = "show",
    .summary = "show which target situations (traps) were reached",
    .manual =
        "For each arm with traps (\"environment\": {\"traps\": ..}): how many a sequence covers, how that "
        "grows with cases, and in which case; the exact probability that a sequence of the profiles "
        "covers a trap, where the environment alone decides, beside the weighted share of the sequences "
        "executed; the weighted rate of failing sequences; and how much the weights can carry. Of arms "
        "whose walks are chosen there are no rates.",
    .schema = "corridor-traps",
    .version = 1,
    .sheets = sheets_made,
    .make = make_traps,
};
