/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All causes of a failure: boxes of what a sequence is given - parameters, and how often each state of an
 * environment comes - in which it fails. Boxes are learned one after the other from suites of even number,
 * without the sequences that lie in those before (sequential covering by bumping, region.h), and counted in
 * suites of odd number, which they never saw. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/failing.h>
#include <corridor/inquiries.h>
#include <corridor/region.h>
#include <corridor/state_names.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REGIONS_MAX 20
#define CHANCE 0.01  /* a box has to be better than this much chance, in the suites that it never saw */
#define STEPS 100000 /* of the range of a parameter that is real */

/* What is known of a sequence: a parameter, or visits to a state. */
struct quantity {
    char *name;       /* owned */
    double low, step; /* of a parameter that is real; whole numbers: 0, 1 */
};

struct origins {
    struct quantity *quantities; /* owned */
    uint32_t count, parameters;
    size_t capacity;
    double *values;  /* owned; [row][quantity] */
    bool *struck;    /* owned; [row] */
    uint32_t *suite; /* owned; [row] */
    size_t rows;
    bool is_cut; /* there are more sequences than are looked at */
};

/* A box, in words, and what it is worth. */
struct shown {
    const char *arm;
    uint32_t origin;
    uint64_t learned, learned_failing, fresh, fresh_failing;
    struct cor_estimate share;
    double chance;
    const char *example;
    char *text;
};
#define SHOWN(member) COR_CELL_OF(struct shown, member)
static const struct cor_column_definition origins_sheet_columns[] = {
    {"arm", "", "", "of which arm", SHOWN(arm), 0, COR_COLUMN_GROUP},
    {"origin", "origin", "1", "number, in the order of being learned; others follow behind the last",
     COR_SOME_OF(struct shown, origin)},
    {"learned", "learned from", "1", "sequences in it from which it was learned", SHOWN(learned), 0,
     COR_COLUMN_DATA},
    {"learned_failing", "failing", "1", "thereof failing: they chose it, so their share is flattered",
     SHOWN(learned_failing), 0, COR_COLUMN_DATA},
    {"fresh", "sequences", "1", "in it, thereof unseen before, without the boxes before", SHOWN(fresh)},
    {"fresh_failing", "failing", "1", "thereof failing", SHOWN(fresh_failing)},
    {"share", "share", "1", "thereof failing, as a share", SHOWN(share), 3},
    {"chance", "chance", "1",
     "probability of so many failing in it, or more, were it no better than what is left (Fisher)",
     SHOWN(chance), COR_DIGITS_FOUR},
    {"example", "example", "", "key of a failing sequence in it", SHOWN(example)},
    {"box", "box", "", "conditions, all of which hold in it", COR_TEXT_OF(struct shown, text)},
};
COR_SHEET_DEFINITION(origins_sheet, "origins", "Where failures come from", "a box of inputs", 0, 0);

static enum cor_status quantity_of(struct origins *it, char *name_take, uint32_t *index,
                                   struct cor_error *error) {
    COR_TRY(cor_made(name_take, error));
    for (*index = 0; *index < it->count; ++*index)
        if (strcmp(it->quantities[*index].name, name_take) == 0) {
            free(name_take);
            return COR_OK;
        }
    const enum cor_status status = COR_RESERVE(&it->quantities, &it->capacity, it->count + 1, error);
    if (status != COR_OK) {
        free(name_take);
        return status;
    }
    it->quantities[it->count++] = (struct quantity){name_take, 0, 1};
    return COR_OK;
}

static enum cor_status take_suite(struct cor_result *result, const struct cor_suite_rows *suite,
                                  const struct cor_state_names *names, struct origins *it,
                                  struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(result);
    double *row = it->values + it->rows * it->count;
    const struct cor_parameter_row *parameters = suite->table[COR_TABLE_PARAMETERS].row;
    for (uint32_t p = 0; p < it->parameters; p++)
        for (size_t i = 0; i < suite->table[COR_TABLE_PARAMETERS].count; i++)
            if (parameters[i].parameter == head->catalog[COR_CATALOG_PARAMETER][p].code)
                row[p] = parameters[i].value;
    const struct cor_visit_row *visits = suite->table[COR_TABLE_VISITS].row;
    const struct cor_profile_row *profiles = suite->table[COR_TABLE_PROFILES].row;
    for (size_t i = 0; i < suite->table[COR_TABLE_VISITS].count; i++)
        for (size_t p = 0; p < suite->table[COR_TABLE_PROFILES].count; p++) {
            char state[COR_STATE_NAME];
            uint32_t index;
            if (profiles[p].profile != visits[i].profile ||
                !cor_is_profile_given(names, profiles[p].environment))
                continue;
            cor_state_name(names, profiles[p].environment, visits[i].state, state);
            const uint32_t known = it->count;
            COR_TRY(quantity_of(
                it, cor_format("visits(%s.%s)", cor_environment_name(names, profiles[p].environment), state),
                &index, error));
            if (it->count > known)
                return cor_damaged(error, COR_TABLE_VISITS, "suite %u has states that the first has not",
                                   suite->row.suite);
            row[index] += (double)visits[i].count;
        }
    it->suite[it->rows++] = suite->row.suite;
    return COR_OK;
}

/* The first sequences of the suites of an arm. */
static enum cor_status take_suites(struct cor_result *result, uint16_t code, struct origins *it,
                                   struct cor_error *error) {
    static const struct cor_reading readings[] = {
        {COR_TABLE_PARAMETERS, NULL}, {COR_TABLE_PROFILES, NULL}, {COR_TABLE_VISITS, NULL}};
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    COR_FINISHED(cor_state_names) struct cor_state_names names = {0};
    const struct cor_suite_rows *suite;
    cor_state_names_init(&names, result);
    COR_TRY(cor_suite_reader_create(result, readings, 3, &reader, error));
    COR_TRY(cor_suite_reader_choose(reader, code, COR_ANY_SUITE, NULL, error));
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        it->is_cut = suite && it->rows == COR_REGION_ROWS_MAX;
        if (!suite || it->is_cut)
            break;
        if (suite->row.sequences != 1) /* visits are those of a suite: of one sequence */
            return cor_fail(error, COR_STATUS_INPUT, NULL,
                            "run it with \"sequences\": 1, as corridor explore --method origins does",
                            "suites have several sequences: what each was given is not told apart");
        if (it->rows == 0) {
            /* Names what the suites of the arm are given, by the catalog and the first suite. */
            const struct cor_result_header *head = cor_result_head(result);
            uint32_t index;
            for (size_t p = 0; p < head->catalog_size[COR_CATALOG_PARAMETER]; p++)
                COR_TRY(
                    quantity_of(it, cor_strdup(head->catalog[COR_CATALOG_PARAMETER][p].name), &index, error));
            it->parameters = it->count;
            const struct cor_profile_row *profiles = suite->table[COR_TABLE_PROFILES].row;
            for (size_t p = 0; p < suite->table[COR_TABLE_PROFILES].count; p++)
                for (uint32_t s = 0; s < profiles[p].states; s++) {
                    char state[COR_STATE_NAME];
                    if (!cor_is_profile_given(&names, profiles[p].environment))
                        continue; /* a state of a profile that is drawn means nothing in another suite */
                    cor_state_name(&names, profiles[p].environment, s, state);
                    COR_TRY(
                        quantity_of(it,
                                    cor_format("visits(%s.%s)",
                                               cor_environment_name(&names, profiles[p].environment), state),
                                    &index, error));
                }
            it->values = cor_calloc((size_t)COR_REGION_ROWS_MAX * it->count, sizeof *it->values);
            it->struck = cor_calloc(COR_REGION_ROWS_MAX, sizeof *it->struck);
            it->suite = cor_calloc(COR_REGION_ROWS_MAX, sizeof *it->suite);
            COR_TRY(it->values && it->struck && it->suite ? COR_OK : cor_fail_memory(error));
        }
        COR_TRY(take_suite(result, suite, &names, it, error));
    }
    return COR_OK;
}

/* Which of them failed, so: those that did stand in the order of the file, as the rows do. */
static enum cor_status mark(const struct cor_view_request *request, size_t arm, struct origins *it,
                            struct cor_error *error) {
    COR_FINISHED(cor_failing) struct cor_failing_list list = {0};
    struct cor_failure_class wanted;
    if (request->failure_class)
        COR_TRY(cor_failure_class_parse(request->failure_class, "--class", &wanted, error));
    COR_TRY(cor_failing_read(request->result, arm, false, &list, error));
    for (size_t i = 0, r = 0; i < list.count && r < it->rows; i++) {
        while (r < it->rows && it->suite[r] != list.items[i].key.suite)
            r++;
        if (r < it->rows)
            it->struck[r] = it->struck[r] || !request->failure_class ||
                            cor_failure_class_equal(&wanted, &list.items[i].class);
    }
    return COR_OK;
}

static char *box_text(const struct origins *it, const struct cor_region *region) {
    char *text = cor_strdup("");
    for (uint32_t q = 0; q < it->count; q++) {
        const struct quantity *quantity = &it->quantities[q];
        const double low = quantity->low + (double)region->low[q] * quantity->step,
                     high = quantity->low + (double)region->high[q] * quantity->step;
        if (region->low[q] != COR_REGION_LOWEST)
            text = cor_join_take(text, " and ", cor_format("%s >= %.6g", quantity->name, low));
        if (region->high[q] != COR_REGION_HIGHEST)
            text = cor_join_take(text, " and ", cor_format("%s <= %.6g", quantity->name, high));
    }
    return text;
}

/* Rows that are left: those to learn from first, of even number, then the others. */
struct left {
    int64_t *rows;
    bool *struck;
    size_t *number; /* of the row in the file */
    uint32_t learned, fresh;
};

/* The next box. *found: there is one that is better than chance. */
static enum cor_status learn(const struct origins *it, const struct left *left, struct cor_region *region,
                             struct shown *shown, size_t *example, bool *found, struct cor_error *error) {
    const struct cor_region_data data = {.quantity_count = it->count,
                                         .row_count = left->learned,
                                         .rows = left->rows,
                                         .struck = left->struck},
                                 fresh = {.quantity_count = it->count,
                                          .row_count = left->fresh,
                                          .rows = left->rows + (size_t)left->learned * it->count,
                                          .struck = left->struck + left->learned};
    const struct cor_region_definition definition = cor_default_region();
    COR_TRY(cor_region_learn(&data, &definition, region, error));
    const struct cor_region_count from = cor_region_count(region, &data),
                                  in = cor_region_count(region, &fresh);
    struct cor_region_count out = {fresh.row_count - in.rows, 0};
    *example = SIZE_MAX;
    for (uint32_t r = 0; r < fresh.row_count; r++) {
        const bool is_in = cor_region_has(region, fresh.rows + (size_t)r * it->count);
        out.struck += fresh.struck[r] && !is_in;
        if (fresh.struck[r] && is_in && *example == SIZE_MAX)
            *example = left->number[left->learned + r];
    }
    shown->learned = from.rows;
    shown->learned_failing = from.struck;
    shown->fresh = in.rows;
    shown->fresh_failing = in.struck;
    shown->chance = cor_region_chance(in, out);
    *found = cor_region_sides(region) > 0 && in.struck > 0 && shown->chance < CHANCE;
    return COR_OK;
}

static enum cor_status put_origins(const struct origins *it, double level, struct shown *shown,
                                   size_t example, struct cor_sheet *sheet, struct cor_error *error) {
    char *key = example == SIZE_MAX ? NULL : cor_format("%s/%u/0", shown->arm, it->suite[example]);
    COR_TRY(example == SIZE_MAX ? COR_OK : cor_made(key, error));
    shown->example = key;
    shown->share = cor_estimate_suites(level, shown->fresh_failing, shown->fresh);
    COR_SHEET_PUT(sheet, struct shown, shown);
    free(key);
    return COR_OK;
}

/* Boxes until none is better than chance, then what fails outside of all. */
static enum cor_status cover(const struct origins *it, const char *arm, double level, struct left *left,
                             struct cor_sheet *sheet, struct cor_view_findings *findings,
                             struct cor_error *error) {
    COR_FINISHED(cor_region) struct cor_region region = {0};
    uint64_t failing = 0, outside = 0;
    size_t example = SIZE_MAX;
    uint32_t origins = 0;
    enum cor_status status = COR_OK;
    for (uint32_t r = left->learned; r < left->learned + left->fresh; r++)
        failing += left->struck[r];
    for (bool found = true; found && origins < REGIONS_MAX && left->learned > 0;) {
        struct shown shown = {.arm = arm, .origin = origins + 1};
        cor_region_fini(&region);
        COR_TRY(cor_region_init(&region, it->count, error));
        COR_TRY(learn(it, left, &region, &shown, &example, &found, error));
        if (!found)
            break;
        origins++;
        COR_TRY(cor_made(shown.text = box_text(it, &region), error));
        status = put_origins(it, level, &shown, example, sheet, error);
        free(shown.text);
        COR_TRY(status);
        /* Takes out what lies in the region. */
        uint32_t kept[2] = {0, 0};
        const uint32_t learned = left->learned, count = left->learned + left->fresh;
        for (uint32_t r = 0; r < count; r++) {
            if (cor_region_has(&region, left->rows + (size_t)r * it->count))
                continue;
            const uint32_t to = kept[0] + kept[1];
            memmove(left->rows + (size_t)to * it->count, left->rows + (size_t)r * it->count,
                    it->count * sizeof *left->rows);
            left->struck[to] = left->struck[r];
            left->number[to] = left->number[r];
            kept[r >= learned]++;
        }
        left->learned = kept[0];
        left->fresh = kept[1];
    }
    example = SIZE_MAX;
    for (uint32_t r = left->learned; r < left->learned + left->fresh; r++)
        if (left->struck[r]) {
            outside++;
            example = example == SIZE_MAX ? left->number[r] : example;
        }
    struct shown rest = {.arm = arm, .fresh = left->fresh, .fresh_failing = outside, .chance = NAN};
    rest.text = (char *)(uintptr_t) "outside of all boxes";
    COR_TRY(put_origins(it, level, &rest, example, sheet, error));
    if (failing == 0)
        cor_sheet_remark(sheet, "Nothing failed of %u sequences of %s that boxes are counted in.",
                         left->fresh, arm);
    else
        cor_sheet_remark(sheet,
                         "%" PRIu64 " of %" PRIu64 " failing sequences of %s lie outside of all boxes. "
                         "%s",
                         outside, failing, arm,
                         outside == 0 ? "No new origin is to be expected soon."
                                      : "Those may have origins that are too rare to be "
                                        "learned: a greater --budget tells.");
    findings->open += failing == 0;
    return status;
}

/* Rows of a design share their inputs and their chance with others: no half of them never saw the other. */
static enum cor_status refuse_design(const struct cor_result_header *head, size_t index,
                                     struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json arms, configurations, design;
    COR_TRY(cor_json_parse(head->experiment, "the file's experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = COR_OK;
    if (cor_json_find(&root, "arms", &arms) && index < cor_json_size(&arms)) {
        const struct cor_json arm = cor_json_at(&arms, index);
        if (cor_json_is_object(&arm) && cor_configurations_find(&root, &arm, &configurations) &&
            cor_json_is_object(&configurations) && cor_json_find(&configurations, "design", &design))
            status = cor_fail(error, COR_STATUS_INPUT, NULL,
                              "draw them: corridor explore --method origins of the experiment",
                              "configurations of arm %s are rows of a design, which hang together: boxes "
                              "cannot be held against chance",
                              cor_arm_entry(head, index)->name);
    }
    cor_json_destroy(document);
    return status;
}

static enum cor_status explore_origins(const struct cor_view_request *request, size_t arm,
                                       struct cor_sheet *sheet, struct cor_view_findings *findings,
                                       struct cor_error *error) {
    const struct cor_catalog_entry *entry = cor_arm_entry(cor_result_head(request->result), arm);
    struct origins it = {0};
    struct left left = {0};
    int64_t *rows = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(refuse_design(cor_result_head(request->result), arm, error));
    COR_TRY_OUT(take_suites(request->result, (uint16_t)entry->code, &it, error));
    COR_TRY_OUT(mark(request, arm, &it, error));
    const size_t size = (it.rows + 1) * (it.count + 1);
    rows = cor_calloc(size, sizeof *rows);
    left = (struct left){.rows = cor_calloc(size, sizeof *left.rows),
                         .struck = cor_calloc(it.rows + 1, sizeof *left.struck),
                         .number = cor_calloc(it.rows + 1, sizeof *left.number)};
    COR_TRY_OUT(rows && left.rows && left.struck && left.number ? COR_OK : cor_fail_memory(error));
    /* Reals become whole numbers of steps. */
    for (uint32_t i = 0; i < it.count; i++) {
        double low = INFINITY, high = -INFINITY;
        bool is_whole = true;
        for (size_t j = 0; j < it.rows; j++) {
            const double value = it.values[j * it.count + i];
            low = fmin(low, value);
            high = fmax(high, value);
            is_whole = is_whole && floor(value) == value && fabs(value) < 1e15;
        }
        if (!is_whole)
            it.quantities[i] = (struct quantity){it.quantities[i].name, low, (high - low) / STEPS};
        for (size_t j = 0; j < it.rows; j++)
            rows[j * it.count + i] = (int64_t)llround((it.values[j * it.count + i] - it.quantities[i].low) /
                                                      it.quantities[i].step);
    }
    for (unsigned odd = 0; odd < 2; odd++)
        for (size_t r = 0; r < it.rows; r++) {
            if ((it.suite[r] & 1) != odd)
                continue;
            const uint32_t to = left.learned + left.fresh;
            memcpy(left.rows + (size_t)to * it.count, rows + r * it.count, it.count * sizeof *rows);
            left.struck[to] = it.struck[r];
            left.number[to] = r;
            *(odd ? &left.fresh : &left.learned) += 1;
        }
    if (it.is_cut)
        cor_sheet_remark(sheet, "Of %s the first %d sequences are looked at.", entry->name,
                         COR_REGION_ROWS_MAX);
    COR_TRY_OUT(cover(&it, entry->name, views__view_level(request), &left, sheet, findings, error));
out:
    COR_FREE(rows, left.rows, left.struck, left.number);
    for (uint32_t q = 0; q < it.count; q++)
        free(it.quantities[q].name);
    COR_FREE(it.quantities, it.values, it.struck, it.suite);
    return status;
}

static enum cor_status make_origins(const struct cor_view_request *request, struct cor_sheets *sheets,
                                    struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    struct cor_sheet *sheet = cor_sheets_add(sheets, &origins_sheet);
    for (size_t a = 0; a < cor_arm_count(head); a++)
        if (!request->arm || strcmp(request->arm, cor_arm_entry(head, a)->name) == 0)
            COR_TRY(explore_origins(request, a, sheet, findings, error));
    cor_sheet_remark(sheet,
                     "Boxes are learned from suites of even number until none is better than chance at 1 %%, "
                     "and counted in the others.");
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_made[] = {&origins_sheet, NULL};

const struct cor_view views__view_origins = {
    .name = "origins",
    .command = "show",
    .summary = "tell where failures come from",
    .manual =
        "Boxes of parameters and of visits to states of environments in which sequences fail: learned one "
        "after the other from half of the suites, counted in the other half, and what fails outside of "
        "all. Suites have to have one sequence (corridor explore --method origins).",
    .schema = "corridor-origins",
    .version = 1,
    .sheets = sheets_made,
    .make = make_origins,
};
