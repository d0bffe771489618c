/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does a mechanism beside the algorithm mask failures (003)? An arm is there in up to three forms: bare,
 * without mechanisms; integrated, with them; isolated, with chains in their places. Forms of one arm have
 * suites with the same configuration and walks, so their sequences are compared one by one. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/json.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum form { BARE, INTEGRATED, ISOLATED, FORMS };
static const char *const form_words[] = {"bare", "integrated", "isolated"};

/* What is counted of a suite, and divided by what. */
enum figure { SEEN, FAILED, ALARMS, OUTSIDE, UNNOTICED, MOVED, FIGURES };

struct suite {
    uint32_t arm, suite, sequences;
    uint64_t hash;
    double part[FIGURES], whole[FIGURES];
    uint64_t cases, reorganizations, failed, units;
    unsigned char *seen; /* owned; [sequence] 1: a box saw a failure, 2: none did; 0: no sample */
};

struct arm {
    const char *name;
    char *family;  /* owned; its description but for mechanisms */
    uint64_t hash; /* of that */
    enum form form;
    bool is_mixed;             /* some of its mechanisms are mocked, others not */
    size_t suites, suites_end; /* those of `suites` that are its own */
};

#define NO_ARM UINT32_MAX

/* Forms of one arm: [form] index of the arm, NO_ARM: it is not there. */
struct group {
    uint32_t first, arm[FORMS];
};

struct work {
    const struct cor_result_header *head;
    double level;
    struct arm *arms; /* owned */
    uint32_t arm_count, group_count, draws;
    struct group *groups; /* owned */
    struct suite *suites; /* owned, and each one's `seen`; by arm, then by suite */
    size_t suite_count, suite_capacity;
    double *y, *x; /* owned; [number of a suite] what is divided by what: arms that are paired share suites */
    size_t numbers; /* of suites, from 0 */
};

#define COUNT(key, heading, unit, meaning) \
    { key, heading, unit, meaning, COR_CELL_COUNT, 0, 0 }
#define SHARE(key, heading, meaning, digits) \
    { key, heading, "%", meaning, COR_CELL_ESTIMATE, digits, 0 }

static const struct cor_column_definition masking_columns[] = {
    {"arm", "arm", "",
     "name of the arm in its first form; all: of all that are there isolated and integrated, each suite with "
     "all of them",
     COR_CELL_WORD, 0, COR_COLUMN_KEY},
    SHARE("isolated_pct", "isolated", "sequences in which a box saw a failure, mechanisms mocked by chains",
          1),
    SHARE("integrated_pct", "integrated", "the same with the mechanisms themselves", 1),
    SHARE("bare_pct", "bare", "the same without them", 1),
    COUNT("pairs", "pairs", "sequences", "sequences that are there isolated and integrated, on one walk"),
    COUNT("both", "both", "sequences", "thereof with a failure seen in both forms"),
    COUNT("masked", "masked", "sequences", "with one seen isolated alone"),
    COUNT("revealed", "revealed", "sequences", "with one seen integrated alone"),
    COUNT("suites", "in suites", "suites", "with a failure seen isolated: what is independent"),
    COUNT("suites_masked", "masked", "suites", "thereof with none seen integrated"),
    SHARE("masked_pct", "masked", "masked, of sequences with a failure seen isolated", 1),
    SHARE("masked_bare_pct", "of bare",
          "of those with one seen without mechanisms, in how many none is seen integrated", 1),
};
COR_SHEET_DEFINITION(masking, "masking", "Failures that a mechanism masks", "an arm in its forms", 0, 0);

static const struct cor_column_definition forms_columns[] = {
    {"arm", "arm", "", "name of the arm in its first form", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"form", "form", "",
     "bare: without mechanisms, integrated: with them, isolated: with chains in their places", COR_CELL_WORD,
     0, COR_COLUMN_KEY},
    COUNT("sequences", "sequences", "sequences", "executed"),
    COUNT("cases", "cases", "cases", "executed"),
    COUNT("reorganizations", "asked", "reorganizations", "the algorithm was asked"),
    COUNT("units", "units", "units", "budget it used, in its own unit"),
    COUNT("failed", "failed", "reorganizations", "thereof failed through a box"),
    SHARE("failed_pct", "of asked", "reorganizations that failed through a box", 2),
    SHARE("alarm_pct", "alarms", "cases in which the monitor raised an alarm", 1),
    SHARE("outside_pct", "outside",
          "cases in which the oracle saw the system outside of its corridor, of those it looked at", 1),
    SHARE("unnoticed_pct", "unnoticed",
          "of failed reorganizations after which the sequence went on, those after which the system was "
          "inside of its "
          "corridor in the next case",
          1),
    {"moved_per_case", "moved", "1",
     "by how much mechanisms, or chains in their places, changed numbers in a case", COR_CELL_ESTIMATE,
     COR_DIGITS_FOUR, 0},
};
COR_SHEET_DEFINITION(forms, "forms", "What each form costs and shows", "a form of an arm", 0, 0);

/* The description but for mechanisms, and which form that makes it. */
static enum cor_status read_description(const char *description, struct arm *arm, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_json_writer *writer = NULL;
    enum cor_status status = cor_json_parse(description, "catalog/arm", &document, error);
    if (status == COR_OK)
        status = cor_json_writer_create(&writer, error);
    if (status != COR_OK) {
        cor_json_destroy(document);
        return status;
    }
    const struct cor_json root = cor_json_root(document);
    uint32_t mocked = 0, working = 0;
    cor_json_open_object(writer, NULL);
    for (size_t i = 0; i < cor_json_size(&root); i++) {
        const struct cor_json member = cor_json_at(&root, i);
        if (strcmp(member.key, "mechanisms") != 0) {
            cor_json_put_value(writer, member.key, &member);
            continue;
        }
        for (size_t m = 0; m < cor_json_size(&member); m++) {
            const struct cor_json mechanism = cor_json_at(&member, m);
            struct cor_json is_mocked;
            bool is = false;
            if (cor_json_find(&mechanism, "mocked", &is_mocked) &&
                cor_json_bool(&is_mocked, &is, NULL) != COR_OK)
                is = false;
            mocked += is;
            working += !is;
        }
    }
    cor_json_close(writer);
    arm->form = working > 0 ? INTEGRATED : mocked > 0 ? ISOLATED : BARE;
    arm->is_mixed = working > 0 && mocked > 0;
    cor_json_destroy(document);
    return cor_json_text_take(writer, 0, &arm->family, error);
}

static enum cor_status read_arms(struct work *work, struct cor_error *error) {
    work->arms = cor_calloc(cor_arm_count(work->head), sizeof *work->arms);
    work->groups = cor_calloc(cor_arm_count(work->head), sizeof *work->groups);
    COR_TRY(cor_made(work->arms, error));
    COR_TRY(cor_made(work->groups, error));
    for (uint32_t a = 0; a < cor_arm_count(work->head); a++) {
        const struct cor_catalog_entry *entry = cor_arm_entry(work->head, a);
        work->arms[a].name = entry->name;
        work->arm_count++;
        COR_TRY(read_description(entry->description, &work->arms[a], error));
        work->arms[a].hash =
            cor_hash_bytes(COR_HASH_SEED, work->arms[a].family, strlen(work->arms[a].family));
        /* Arms of one description are forms of one; where there are several of a form, in their order. */
        const struct arm *it = &work->arms[a];
        uint32_t g = 0;
        while (g < work->group_count) {
            const struct arm *first = &work->arms[work->groups[g].first];
            if (work->groups[g].arm[it->form] == NO_ARM && first->hash == it->hash &&
                strcmp(first->family, it->family) == 0)
                break;
            g++;
        }
        if (g == work->group_count)
            work->groups[work->group_count++] = (struct group){a, {NO_ARM, NO_ARM, NO_ARM}};
        work->groups[g].arm[it->form] = a;
    }
    return COR_OK;
}

static void count_sequence(const struct cor_sequence_rows *rows, uint32_t index, struct suite *suite) {
    bool is_seen = false;
    size_t at = 0;
    for (size_t r = 0; r < rows->reorganization_count; r++) {
        const struct cor_reorganization_row *run = &rows->reorganizations[r];
        suite->units += run->spent;
        suite->failed += cor_is_detected(run);
        is_seen = is_seen || cor_is_detected(run);
        while (at < rows->case_count && rows->cases[at].case_ <= run->case_)
            at++;
        if (!cor_is_detected(run) || at == rows->case_count ||
            rows->cases[at].inside == COR_INSIDE_NOT_LOOKED)
            continue;
        suite->whole[UNNOTICED]++;
        suite->part[UNNOTICED] += rows->cases[at].inside == COR_INSIDE_INSIDE;
    }
    for (size_t c = 0; c < rows->case_count; c++) {
        suite->part[ALARMS] += rows->cases[c].alarm;
        suite->whole[OUTSIDE] += rows->cases[c].inside != COR_INSIDE_NOT_LOOKED;
        suite->part[OUTSIDE] += rows->cases[c].inside == COR_INSIDE_OUTSIDE;
    }
    suite->seen[index] = is_seen ? 1 : 2;
    suite->sequences++;
    suite->part[SEEN] += is_seen;
    suite->whole[SEEN]++;
    suite->whole[ALARMS] += (double)rows->case_count;
    suite->whole[MOVED] += (double)rows->case_count;
    suite->cases += rows->case_count;
    suite->reorganizations += rows->reorganization_count;
    suite->part[FAILED] = (double)suite->failed;
    suite->whole[FAILED] = (double)suite->reorganizations;
}

static enum cor_status count_suite(struct work *work, const struct cor_suite_rows *rows,
                                   struct cor_error *error) {
    COR_TRY(COR_RESERVE(&work->suites, &work->suite_capacity, work->suite_count + 1, error));
    struct suite *suite = &work->suites[work->suite_count];
    *suite = (struct suite){
        .arm = (uint32_t)rows->arm, .suite = rows->row.suite, .hash = rows->row.configuration_hash};
    suite->seen = cor_calloc(rows->row.sequences + (size_t)1, 1);
    COR_TRY(cor_made(suite->seen, error));
    work->suite_count++;
    for (uint32_t s = 0; s < rows->row.sequences; s++)
        if (cor_is_sample(&rows->sequence[s]))
            count_sequence(&rows->sequence[s], s, suite);
    const struct cor_mechanism_row *row = rows->table[COR_TABLE_MECHANISMS].row;
    for (size_t i = 0; i < rows->table[COR_TABLE_MECHANISMS].count; i++)
        if (row[i].sequence < rows->row.sequences && suite->seen[row[i].sequence])
            suite->part[MOVED] += row[i].moved;
    return COR_OK;
}

static int compare_suites(const void *one, const void *other) {
    const struct suite *a = one, *b = other;
    return a->arm != b->arm ? (a->arm > b->arm) - (a->arm < b->arm)
                            : (a->suite > b->suite) - (a->suite < b->suite);
}

static enum cor_status read_suites(struct work *work, struct cor_result *result, struct cor_error *error) {
    const struct cor_reading readings[] = {
        {COR_TABLE_CASES, NULL}, {COR_TABLE_REORGANIZATIONS, NULL}, {COR_TABLE_MECHANISMS, NULL}};
    struct cor_suite_reader *reader;
    const struct cor_suite_rows *rows;
    COR_TRY(cor_suite_reader_create(result, readings, sizeof readings / sizeof *readings, &reader, error));
    enum cor_status status = cor_suite_reader_next(reader, &rows, error);
    while (status == COR_OK && rows) {
        status = count_suite(work, rows, error);
        if (status == COR_OK)
            status = cor_suite_reader_next(reader, &rows, error);
    }
    cor_suite_reader_destroy(reader);
    if (status != COR_OK)
        return status;
    /* Each arm's, one behind the other. */
    if (work->suite_count > 0)
        qsort(work->suites, work->suite_count, sizeof *work->suites, compare_suites);
    size_t at = 0;
    for (uint32_t a = 0; a < work->arm_count; a++) {
        work->arms[a].suites = at;
        while (at < work->suite_count && work->suites[at].arm == a)
            at++;
        work->arms[a].suites_end = at;
    }
    for (size_t i = 0; i < work->suite_count; i++)
        if (work->suites[i].suite >= work->numbers)
            work->numbers = work->suites[i].suite + (size_t)1;
    work->y = cor_calloc(work->numbers, sizeof *work->y);
    work->x = cor_calloc(work->numbers, sizeof *work->x);
    COR_TRY(cor_made(work->y, error));
    return cor_made(work->x, error);
}

/* y / x over suites, in percent of a share; then both are 0 again. */
static enum cor_status put_estimate(struct work *work, bool is_share, struct cor_sheet *sheet,
                                    struct cor_error *error) {
    struct cor_estimate estimate;
    uint32_t count = 0;
    for (size_t i = 0; i < work->numbers; i++)
        if (work->x[i] > 0) {
            work->y[count] = (is_share ? 100 : 1) * work->y[i];
            work->x[count++] = work->x[i];
        }
    const struct cor_suite_sample sample = {
        .y = work->y,
        .x = work->x,
        .suites = count,
        .whole = is_share ? 100 : 0,
        .level = work->level,
        .stream = {.seed = work->head->seed, .entity = work->draws++, .purpose = COR_PURPOSE_BOOTSTRAP}};
    COR_TRY(cor_estimate_ratio(COR_INTERVAL_BCA, &sample, &estimate, error));
    cor_sheet_estimate(sheet, &estimate);
    memset(work->y, 0, work->numbers * sizeof *work->y);
    memset(work->x, 0, work->numbers * sizeof *work->x);
    return COR_OK;
}

static void add_figure(struct work *work, uint32_t arm, enum figure figure) {
    for (size_t i = work->arms[arm].suites; i < work->arms[arm].suites_end; i++) {
        work->y[work->suites[i].suite] += work->suites[i].part[figure];
        work->x[work->suites[i].suite] += work->suites[i].whole[figure];
    }
}

/* Sequences of two forms, by what was seen in the first and in the second. */
struct pairs {
    uint64_t sequences, both, first, second;
};

/* Adds to y and x those seen in the first form alone, of those seen in it. Suites of both in their order,
 * those of one number and configuration with each other. */
static void compare_forms(struct work *work, uint32_t first, uint32_t second, struct pairs *pairs) {
    if (first == NO_ARM || second == NO_ARM)
        return;
    size_t at = work->arms[second].suites;
    for (size_t i = work->arms[first].suites; i < work->arms[first].suites_end; i++) {
        const struct suite *one = &work->suites[i];
        while (at < work->arms[second].suites_end && work->suites[at].suite < one->suite)
            at++;
        const struct suite *other = &work->suites[at];
        if (at == work->arms[second].suites_end || other->suite != one->suite || other->hash != one->hash)
            continue;
        const uint32_t sequences = one->sequences < other->sequences ? one->sequences : other->sequences;
        for (uint32_t s = 0; s < sequences; s++) {
            const bool here = one->seen[s] == 1, there = other->seen[s] == 1;
            if (!one->seen[s] || !other->seen[s])
                continue;
            pairs->sequences++;
            pairs->both += here && there;
            pairs->first += here && !there;
            pairs->second += !here && there;
            work->y[one->suite] += here && !there;
            work->x[one->suite] += here;
        }
    }
}

static const char *name_of(const struct work *work, const struct group *group) {
    return work->arms[group->first].name;
}

/* The row of so many groups, suite by suite. */
static enum cor_status fill_masking(struct work *work, const char *name, const struct group *groups,
                                    uint32_t count, struct cor_sheet *sheet, struct cor_error *error) {
    static const enum form order[] = {ISOLATED, INTEGRATED, BARE};
    struct pairs pairs = {0}, of_bare = {0};
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name);
    for (size_t f = 0; f < FORMS; f++) {
        bool is_there = false;
        for (uint32_t g = 0; g < count; g++)
            if (groups[g].arm[order[f]] != NO_ARM) {
                add_figure(work, groups[g].arm[order[f]], SEEN);
                is_there = true;
            }
        if (is_there)
            COR_TRY(put_estimate(work, true, sheet, error));
        else
            cor_sheet_nothing(sheet);
    }
    for (uint32_t g = 0; g < count; g++)
        compare_forms(work, groups[g].arm[ISOLATED], groups[g].arm[INTEGRATED], &pairs);
    cor_sheet_counts(sheet, 4, (uint64_t[]){pairs.sequences, pairs.both, pairs.first, pairs.second});
    /* The suites with some of x, and those of them that are of y throughout. */
    uint64_t counts[2] = {0};
    for (size_t i = 0; i < work->numbers; i++) {
        counts[0] += work->x[i] > 0;
        counts[1] += work->x[i] > 0 && work->y[i] == work->x[i];
    }
    cor_sheet_counts(sheet, 2, counts);
    COR_TRY(put_estimate(work, true, sheet, error));
    for (uint32_t g = 0; g < count; g++)
        compare_forms(work, groups[g].arm[BARE], groups[g].arm[INTEGRATED], &of_bare);
    return put_estimate(work, true, sheet, error);
}

static enum cor_status fill_forms(struct work *work, const struct group *group, struct cor_sheet *sheet,
                                  struct cor_error *error) {
    for (enum form form = BARE; form < FORMS; form++) {
        const uint32_t arm = group->arm[form];
        uint64_t counts[5] = {0};
        if (arm == NO_ARM)
            continue;
        for (size_t i = work->arms[arm].suites; i < work->arms[arm].suites_end; i++) {
            const struct suite *it = &work->suites[i];
            const uint64_t mine[] = {it->sequences, it->cases, it->reorganizations, it->units, it->failed};
            for (size_t c = 0; c < 5; c++)
                counts[c] += mine[c];
        }
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, name_of(work, group));
        cor_sheet_word(sheet, form_words[form]);
        cor_sheet_counts(sheet, 5, counts);
        for (enum figure figure = FAILED; figure < FIGURES; figure++) {
            if (figure == MOVED && form == BARE) {
                cor_sheet_nothing(sheet);
                continue;
            }
            add_figure(work, arm, figure);
            COR_TRY(put_estimate(work, figure != MOVED, sheet, error));
        }
    }
    return COR_OK;
}

static enum cor_status fill_mechanisms(struct work *work, struct cor_sheets *sheets,
                                       struct cor_error *error) {
    struct cor_sheet *masking_rows = cor_sheets_add(sheets, &masking),
                     *form_rows = cor_sheets_add(sheets, &forms);
    uint32_t both = 0; /* that are there isolated and integrated */
    for (uint32_t g = 0; g < work->group_count; g++) {
        const struct group *group = &work->groups[g];
        if (group->arm[INTEGRATED] == NO_ARM && group->arm[ISOLATED] == NO_ARM)
            continue;
        COR_TRY(fill_masking(work, name_of(work, group), group, 1, masking_rows, error));
        COR_TRY(fill_forms(work, group, form_rows, error));
        if (group->arm[INTEGRATED] != NO_ARM && group->arm[ISOLATED] != NO_ARM)
            work->groups[both++] = *group; /* at or before it */
    }
    if (both > 1)
        COR_TRY(fill_masking(work, "all", work->groups, both, masking_rows, error));
    cor_sheet_remark(
        masking_rows,
        "Sequences are compared where both forms have one configuration and one walk "
        "(\"mode\": \"paired\"). What is masked is no less a fault: its failure is "
        "seen where the algorithm works alone. Intervals are over suites; whether fewer failures "
        "are seen because the algorithm is asked less often, or fails less often when asked, "
        "the shares of reorganizations say.");
    for (uint32_t a = 0; a < work->arm_count; a++)
        if (work->arms[a].is_mixed)
            cor_sheet_remark(form_rows,
                             "%s: some of its mechanisms are mocked, others work; it counts as integrated",
                             work->arms[a].name);
    return COR_OK;
}

static enum cor_status make_mechanisms(const struct cor_view_request *request, struct cor_sheets *sheets,
                                       struct cor_view_findings *findings, struct cor_error *error) {
    struct work work = {.head = cor_result_head(request->result), .level = views__view_level(request)};
    (void)findings;
    if (cor_result_size(request->result, COR_TABLE_MECHANISMS) == 0)
        return strstr(work.head->experiment, "\"mechanisms\"")
                   ? cor_fail(error, COR_STATUS_INPUT, request->path,
                              "if one ended all sequences, the table of smokes says how: corridor show FILE "
                              "tables",
                              "no mechanism did its work in it once")
                   : cor_fail(error, COR_STATUS_INPUT, request->path,
                              "\"mechanisms\" of an experiment or arm", "no mechanism works in it");
    enum cor_status status = read_arms(&work, error);
    if (status == COR_OK)
        status = read_suites(&work, request->result, error);
    if (status == COR_OK)
        status = fill_mechanisms(&work, sheets, error);
    for (uint32_t a = 0; a < work.arm_count; a++)
        free(work.arms[a].family);
    for (size_t i = 0; i < work.suite_count; i++)
        free(work.suites[i].seen);
    free(work.groups);
    free(work.arms);
    free(work.suites);
    free(work.y);
    free(work.x);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&masking, &forms, NULL};

const struct cor_view views__view_mechanisms = {
    .name = "mechanisms",
    .command = "show",
    .summary = "show which failures mechanisms beside the algorithm mask",
    .manual =
        "An arm may be there bare, with mechanisms beside its algorithm (integrated), and with chains in "
        "their "
        "places (isolated): whether failures that are seen isolated are seen integrated, and at which cost.",
    .schema = "corridor-mechanisms",
    .version = 1,
    .sheets = sheets_made,
    .make = make_mechanisms,
};
