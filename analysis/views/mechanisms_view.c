/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does a mechanism beside the algorithm mask failures (003)? An arm is there in up to three forms: bare,
 * without mechanisms; integrated, with them; isolated, with chains in their places. Forms of one arm have
 * suites with the same configuration and walks, so their sequences are compared one by one.
 *
 * Suites are what is independent: of one file, and of files of one experiment with other seeds, which are
 * joined. Arms share suites, so their sequences are never added up: of several arms a walk counts once. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/json.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form { BARE, INTEGRATED, ISOLATED, FORMS };
static const char *const form_words[] = {"bare", "integrated", "isolated"};

/* What is counted of a suite, and divided by what. */
enum figure { FAILED, ALARMS, OUTSIDE, UNNOTICED, MOVED, FIGURES };

/* What a sequence is known to have had. */
enum { SAMPLED = 1, SEEN = 2, ASKED = 4, ACTIVE = 8 };

struct suite {
    uint32_t arm, suite, sequences; /* suites are counted over all files */
    uint64_t hash;
    double part[FIGURES], whole[FIGURES];
    uint64_t cases, reorganizations, failed, units;
    uint32_t room;       /* for so many: */
    unsigned char *seen; /* owned; [sequence] a set of the above */
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
    uint64_t walks; /* a fingerprint of which of them failed in which form: arms that are alike have one */
};

/* What is known of a walk over several arms; bits above FORMS are of what is masked. */
enum {
    PAIRED = 1, /* there isolated and integrated */
    KEPT = 2,   /* an arm shows a failure in both of these forms */
    MASKED = 8, /* an arm shows one isolated alone; integrated it was */
    MASKED_ASKED = 16,
    MASKED_ACTIVE = 32
};
struct walk {
    unsigned char sampled, seen, of; /* sets of forms, 1 << form, and of the above */
};

struct work {
    const struct cor_result_header *head; /* of the first file */
    double level;
    struct arm *arms; /* owned */
    uint32_t arm_count, group_count, draws;
    struct group *groups; /* owned */
    struct suite *suites; /* owned, and each one's `seen`; by arm, then by suite */
    size_t suite_count, suite_capacity;
    double *y, *x; /* owned; [number of a suite] what is divided by what: arms that are paired share suites */
    size_t numbers;      /* of suites, from 0, over all files */
    struct walk *walks;  /* owned; [number of a suite][sequence] of the row that is being made */
    uint32_t longest;    /* sequences of a suite */
    size_t *file_begins; /* owned; [file] number of its first suite; behind the last: numbers */
};

#define COUNT(key, heading, unit, meaning) \
    { key, heading, unit, meaning, COR_CELL_COUNT, 0, 0 }
#define SHARE(key, heading, meaning, digits) \
    { key, heading, "%", meaning, COR_CELL_ESTIMATE, digits, 0 }

static const struct cor_column_definition masking_columns[] = {
    {"arm", "arm", "",
     "name of the arm in its first form; any: of all that are there isolated and integrated. A walk counts "
     "once: as masked if each arm that shows a failure on it isolated shows none integrated. Of several "
     "files also any with a seed: of that file alone",
     COR_CELL_WORD, 0, COR_COLUMN_KEY},
    SHARE("isolated_pct", "isolated", "sequences in which a box saw a failure, mechanisms mocked by chains",
          1),
    SHARE("integrated_pct", "integrated", "the same with the mechanisms themselves", 1),
    SHARE("bare_pct", "bare", "the same without them", 1),
    COUNT("pairs", "pairs", "sequences", "sequences that are there isolated and integrated, on one walk"),
    {"both", "both", "sequences", "thereof with a failure seen in both forms", COR_CELL_COUNT, 0,
     COR_COLUMN_DATA},
    COUNT("masked", "masked", "sequences", "with one seen isolated alone"),
    COUNT("revealed", "revealed", "sequences", "with one seen integrated alone"),
    COUNT("suites", "in suites", "suites", "with a failure seen isolated: what is independent"),
    COUNT("suites_masked", "masked", "suites", "thereof with none seen integrated"),
    SHARE("suites_masked_pct", "masked", "suites masked, of those with a failure seen isolated", 1),
    SHARE("masked_pct", "masked", "masked, of sequences with a failure seen isolated", 1),
    COUNT("masked_unasked", "never asked", "sequences",
          "of the masked, those in which the algorithm was never asked integrated: nothing was hidden"),
    COUNT("masked_inactive", "not struck", "sequences",
          "... in which it was asked, and its fault was never activated, or it has none that is counted"),
    COUNT("masked_active", "struck", "sequences", "... in which its fault was activated, and no box saw it"),
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

/* The object but for two of its members, as text. */
static enum cor_status text_without(const struct cor_json *object, const char *one, const char *other,
                                    char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(member, object) {
        if (strcmp(member.key, one) != 0 && strcmp(member.key, other) != 0)
            cor_json_put_value(writer, member.key, &member);
    }
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, text, error);
}

/* The description but for mechanisms, and which form that makes it. */
static enum cor_status read_description(const char *description, struct arm *arm, struct cor_error *error) {
    struct cor_json_document *document;
    COR_TRY(cor_json_parse(description, "catalog/arm", &document, error));
    const struct cor_json root = cor_json_root(document);
    struct cor_json mechanisms, is_mocked;
    uint32_t mocked = 0, working = 0;
    for (size_t m = 0; cor_json_find(&root, "mechanisms", &mechanisms) && m < cor_json_size(&mechanisms);
         m++) {
        const struct cor_json mechanism = cor_json_at(&mechanisms, m);
        bool is = false;
        if (cor_json_find(&mechanism, "mocked", &is_mocked) && cor_json_bool(&is_mocked, &is, NULL) != COR_OK)
            is = false;
        mocked += is;
        working += !is;
    }
    arm->form = working > 0 ? INTEGRATED : mocked > 0 ? ISOLATED : BARE;
    arm->is_mixed = working > 0 && mocked > 0;
    const enum cor_status status = text_without(&root, "mechanisms", "", &arm->family, error);
    cor_json_destroy(document);
    return status;
}

/* Files that are joined are of one experiment, and of different seeds: else suites would not be of one law,
 * or be there twice. */
static enum cor_status read_law(const struct cor_result *result, char **law, struct cor_error *error) {
    struct cor_json_document *document;
    COR_TRY(cor_json_parse(cor_result_head(result)->experiment, "experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    const enum cor_status status = text_without(&root, "seed", "suites", law, error);
    cor_json_destroy(document);
    return status;
}

static struct cor_result *joined_file(const struct cor_view_request *request, size_t file) {
    return file == 0 ? request->result : request->joined[file - 1];
}

static enum cor_status check_joined(const struct cor_view_request *request, struct cor_error *error) {
    char *law = NULL, *other = NULL;
    enum cor_status status = read_law(request->result, &law, error);
    for (size_t f = 1; status == COR_OK && f <= request->joined_count; f++) {
        const char *path = request->joined_paths[f - 1];
        size_t same = 0;
        while (cor_result_head(joined_file(request, same))->seed !=
               cor_result_head(joined_file(request, f))->seed)
            same++;
        free(other);
        other = NULL;
        status = read_law(joined_file(request, f), &other, error);
        if (status == COR_OK && strcmp(law, other) != 0)
            status = cor_fail(error, COR_STATUS_INPUT, path,
                              "join results of one experiment that differ in \"seed\" and \"suites\" alone",
                              "is of another experiment than %s", request->path);
        else if (status == COR_OK && same < f)
            status = cor_fail(error, COR_STATUS_INPUT, path, "run it with another \"seed\", or leave it out",
                              "has the seed of %s: its suites are the same, and would count twice",
                              same == 0 ? request->path : request->joined_paths[same - 1]);
    }
    COR_FREE(law, other);
    return status;
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
            work->groups[work->group_count++] = (struct group){a, {NO_ARM, NO_ARM, NO_ARM}, COR_HASH_SEED};
        work->groups[g].arm[it->form] = a;
    }
    return COR_OK;
}

static void count_sequence(const struct cor_sequence_rows *rows, uint32_t index, struct suite *suite) {
    unsigned char seen = SAMPLED;
    size_t at = 0;
    for (size_t r = 0; r < rows->reorganization_count; r++) {
        const struct cor_reorganization_row *run = &rows->reorganizations[r];
        suite->units += run->spent;
        suite->failed += cor_is_detected(run);
        seen |=
            (unsigned char)(ASKED | (cor_is_detected(run) ? SEEN : 0) | (cor_is_activated(run) ? ACTIVE : 0));
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
    suite->seen[index] = seen;
    suite->sequences++;
    suite->whole[ALARMS] += (double)rows->case_count;
    suite->whole[MOVED] += (double)rows->case_count;
    suite->cases += rows->case_count;
    suite->reorganizations += rows->reorganization_count;
    suite->part[FAILED] = (double)suite->failed;
    suite->whole[FAILED] = (double)suite->reorganizations;
}

static enum cor_status count_suite(struct work *work, const struct cor_suite_rows *rows, size_t base,
                                   struct cor_error *error) {
    COR_TRY(COR_RESERVE(&work->suites, &work->suite_capacity, work->suite_count + 1, error));
    struct suite *suite = &work->suites[work->suite_count];
    *suite = (struct suite){.arm = (uint32_t)rows->arm,
                            .suite = (uint32_t)(base + rows->row.suite),
                            .hash = rows->row.configuration_hash,
                            .room = rows->row.sequences};
    COR_TRY(cor_made(suite->seen = cor_calloc(rows->row.sequences + (size_t)1, 1), error));
    work->suite_count++;
    work->longest = rows->row.sequences > work->longest ? rows->row.sequences : work->longest;
    work->numbers = suite->suite + (size_t)1 > work->numbers ? suite->suite + (size_t)1 : work->numbers;
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
    const size_t base = work->numbers;
    struct cor_suite_reader *reader;
    const struct cor_suite_rows *rows;
    COR_TRY(cor_suite_reader_create(result, readings, sizeof readings / sizeof *readings, &reader, error));
    enum cor_status status = cor_suite_reader_next(reader, &rows, error);
    while (status == COR_OK && rows) {
        status = count_suite(work, rows, base, error);
        if (status == COR_OK)
            status = cor_suite_reader_next(reader, &rows, error);
    }
    cor_suite_reader_destroy(reader);
    return status;
}

/* Those of all files, each arm's one behind the other. */
static enum cor_status read_files(struct work *work, const struct cor_view_request *request,
                                  struct cor_error *error) {
    COR_TRY(
        cor_made(work->file_begins = cor_calloc(request->joined_count + (size_t)2, sizeof(size_t)), error));
    for (size_t f = 0; f <= request->joined_count; f++) {
        COR_TRY(read_suites(work, joined_file(request, f), error));
        work->file_begins[f + 1] = work->numbers;
    }
    if (work->suite_count > 0)
        qsort(work->suites, work->suite_count, sizeof *work->suites, compare_suites);
    size_t at = 0;
    for (uint32_t a = 0; a < work->arm_count; a++) {
        work->arms[a].suites = at;
        while (at < work->suite_count && work->suites[at].arm == a)
            at++;
        work->arms[a].suites_end = at;
    }
    work->y = cor_calloc(work->numbers, sizeof *work->y);
    work->x = cor_calloc(work->numbers, sizeof *work->x);
    work->walks = cor_calloc(work->numbers * work->longest, sizeof *work->walks);
    COR_TRY(cor_made(work->y, error));
    COR_TRY(cor_made(work->x, error));
    return cor_made(work->walks, error);
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

/* What one arm says of its walks: first by each form, then by two that have one configuration. */
static void mark_form(struct work *work, uint32_t arm, enum form form) {
    for (size_t i = work->arms[arm].suites; i < work->arms[arm].suites_end; i++) {
        const struct suite *it = &work->suites[i];
        struct walk *walk = work->walks + (size_t)it->suite * work->longest;
        for (uint32_t s = 0; s < it->room; s++) {
            walk[s].sampled |= (unsigned char)(it->seen[s] & SAMPLED ? 1 << form : 0);
            walk[s].seen |= (unsigned char)(it->seen[s] & SEEN ? 1 << form : 0);
        }
    }
}

static void mark_pair(struct work *work, uint32_t first, uint32_t second) {
    size_t at = work->arms[second].suites;
    for (size_t i = work->arms[first].suites; i < work->arms[first].suites_end; i++) {
        const struct suite *one = &work->suites[i];
        while (at < work->arms[second].suites_end && work->suites[at].suite < one->suite)
            at++;
        const struct suite *other = &work->suites[at];
        if (at == work->arms[second].suites_end || other->suite != one->suite || other->hash != one->hash)
            continue;
        struct walk *walk = work->walks + (size_t)one->suite * work->longest;
        for (uint32_t s = 0; s < one->room && s < other->room; s++) {
            const unsigned here = one->seen[s], there = other->seen[s];
            unsigned of = PAIRED;
            if (!(here & SAMPLED) || !(there & SAMPLED))
                continue;
            if (here & there & SEEN)
                of |= KEPT;
            else if (here & SEEN)
                of |= MASKED | (there & ASKED ? MASKED_ASKED : 0) | (there & ACTIVE ? MASKED_ACTIVE : 0);
            walk[s].of |= (unsigned char)of;
        }
    }
}

static void mark_walks(struct work *work, const struct group *groups, uint32_t count) {
    memset(work->walks, 0, work->numbers * work->longest * sizeof *work->walks);
    for (uint32_t g = 0; g < count; g++) {
        const uint32_t *arm = groups[g].arm;
        for (enum form form = BARE; form < FORMS; form++)
            if (arm[form] != NO_ARM)
                mark_form(work, arm[form], form);
        if (arm[INTEGRATED] != NO_ARM && arm[ISOLATED] != NO_ARM)
            mark_pair(work, arm[ISOLATED], arm[INTEGRATED]);
    }
}

/* The marked walks of some suites, counted. */
struct pairs {
    uint64_t walks, both, masked, revealed, suites, suites_masked, unasked, inactive, active;
};

/* y and x: of the suites those masked, and those with a failure seen isolated. */
static void count_walks(struct work *work, size_t from, size_t to, struct pairs *pairs) {
    *pairs = (struct pairs){0};
    for (size_t n = from; n < to; n++) {
        for (uint32_t s = 0; s < work->longest; s++) {
            const struct walk *w = &work->walks[n * work->longest + s];
            const bool is_isolated = w->of & (KEPT | MASKED), is_masked = is_isolated && !(w->of & KEPT);
            if (!(w->of & PAIRED))
                continue;
            pairs->walks++;
            pairs->both += (w->of & KEPT) != 0;
            pairs->masked += is_masked;
            pairs->revealed += !is_isolated && w->seen & 1 << INTEGRATED;
            pairs->unasked += is_masked && !(w->of & MASKED_ASKED);
            pairs->inactive += is_masked && w->of & MASKED_ASKED && !(w->of & MASKED_ACTIVE);
            pairs->active += is_masked && w->of & MASKED_ACTIVE;
            work->x[n] += is_isolated;
            work->y[n] += is_masked;
        }
        pairs->suites += work->x[n] > 0;
        pairs->suites_masked += work->x[n] > 0 && work->y[n] == work->x[n];
    }
}

static void put_suites(const struct work *work, const struct pairs *pairs, struct cor_sheet *sheet) {
    struct cor_estimate e = cor_no_estimate();
    if (pairs->suites > 0)
        e = cor_estimate_suites(work->level, pairs->suites_masked, pairs->suites);
    double *const parts[] = {&e.mean, &e.low, &e.high, &e.error};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] *= 100;
    cor_sheet_estimate(sheet, &e);
}

static const char *name_of(const struct work *work, const struct group *group) {
    return work->arms[group->first].name;
}

/* The row of so many groups, walk by walk, of suites of these files. */
static enum cor_status fill_masking(struct work *work, const char *name, struct group *groups, uint32_t count,
                                    size_t file, size_t file_end, struct cor_sheet *sheet,
                                    struct cor_error *error) {
    static const enum form order[] = {ISOLATED, INTEGRATED, BARE};
    const size_t from = work->file_begins[file], to = work->file_begins[file_end];
    struct pairs pairs;
    mark_walks(work, groups, count);
    for (size_t i = from * work->longest; i < to * work->longest && count == 1; i++)
        groups->walks = cor_hash_word(groups->walks, work->walks[i].sampled * 256u + work->walks[i].seen);
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, name);
    for (size_t f = 0; f < FORMS; f++) {
        const int bit = 1 << order[f];
        bool is_there = false;
        for (uint32_t g = 0; g < count; g++)
            is_there = is_there || groups[g].arm[order[f]] != NO_ARM;
        for (size_t i = from * work->longest; i < to * work->longest; i++) {
            work->x[i / work->longest] += (work->walks[i].sampled & bit) != 0;
            work->y[i / work->longest] += (work->walks[i].seen & bit) != 0;
        }
        if (is_there)
            COR_TRY(put_estimate(work, true, sheet, error));
        else
            cor_sheet_nothing(sheet);
    }
    count_walks(work, from, to, &pairs);
    cor_sheet_counts(sheet, 6,
                     (uint64_t[]){pairs.walks, pairs.both, pairs.masked, pairs.revealed, pairs.suites,
                                  pairs.suites_masked});
    put_suites(work, &pairs, sheet);
    COR_TRY(put_estimate(work, true, sheet, error));
    cor_sheet_counts(sheet, 3, (uint64_t[]){pairs.unasked, pairs.inactive, pairs.active});
    return COR_OK;
}

static enum cor_status fill_mechanisms(struct work *work, const struct cor_view_request *request,
                                       struct cor_sheets *sheets, struct cor_error *error) {
    struct cor_sheet *masking_rows = cor_sheets_add(sheets, &masking),
                     *form_rows = cor_sheets_add(sheets, &forms);
    uint32_t both = 0; /* that are there isolated and integrated */
    for (uint32_t g = 0; g < work->group_count; g++) {
        struct group *group = &work->groups[g];
        if (group->arm[INTEGRATED] == NO_ARM && group->arm[ISOLATED] == NO_ARM)
            continue;
        COR_TRY(fill_masking(work, name_of(work, group), group, 1, 0, request->joined_count + 1, masking_rows,
                             error));
        for (enum form form = BARE; form < FORMS; form++) {
            const uint32_t arm = group->arm[form];
            uint64_t counts[5] = {0};
            if (arm == NO_ARM)
                continue;
            for (size_t i = work->arms[arm].suites; i < work->arms[arm].suites_end; i++) {
                const struct suite *it = &work->suites[i];
                const uint64_t mine[] = {it->sequences, it->cases, it->reorganizations, it->units,
                                         it->failed};
                for (size_t c = 0; c < 5; c++)
                    counts[c] += mine[c];
            }
            cor_sheet_row(form_rows);
            cor_sheet_word(form_rows, name_of(work, group));
            cor_sheet_word(form_rows, form_words[form]);
            cor_sheet_counts(form_rows, 5, counts);
            for (enum figure figure = FAILED; figure < FIGURES; figure++) {
                if (figure == MOVED && form == BARE) {
                    cor_sheet_nothing(form_rows);
                    continue;
                }
                add_figure(work, arm, figure);
                COR_TRY(put_estimate(work, figure != MOVED, form_rows, error));
            }
        }
        if (group->arm[INTEGRATED] != NO_ARM && group->arm[ISOLATED] != NO_ARM)
            work->groups[both++] = *group; /* at or before it */
    }
    if (both > 1)
        COR_TRY(
            fill_masking(work, "any", work->groups, both, 0, request->joined_count + 1, masking_rows, error));
    for (size_t f = 0; f <= request->joined_count && request->joined_count > 0 && both > 0; f++) {
        char name[32];
        snprintf(name, sizeof name, "any, 0x%03" PRIx64, cor_result_head(joined_file(request, f))->seed);
        COR_TRY(fill_masking(work, name, work->groups, both, f, f + 1, masking_rows, error));
    }
    for (uint32_t g = 1; g < both; g++)
        for (uint32_t other = 0; other < g; other++)
            if (work->groups[other].walks == work->groups[g].walks) {
                cor_sheet_remark(masking_rows,
                                 "%s and %s failed on the same walks in each form: they are one observation",
                                 name_of(work, &work->groups[other]), name_of(work, &work->groups[g]));
                break;
            }
    cor_sheet_remark(
        masking_rows,
        "Sequences are compared where both forms have one configuration and one walk "
        "(\"mode\": \"paired\"). What is masked is no less a fault: its failure is "
        "seen where the algorithm works alone. Intervals are over suites, of all files. Where the algorithm "
        "was never asked nothing was hidden: there was less to see. The shares of reorganizations say "
        "whether "
        "it fails less often when asked. Arms share suites: rows of them cannot be added up.");
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
    enum cor_status status = check_joined(request, error);
    if (status == COR_OK)
        status = read_arms(&work, error);
    if (status == COR_OK)
        status = read_files(&work, request, error);
    if (status == COR_OK)
        status = fill_mechanisms(&work, request, sheets, error);
    for (uint32_t a = 0; a < work.arm_count; a++)
        free(work.arms[a].family);
    for (size_t i = 0; i < work.suite_count; i++)
        free(work.suites[i].seen);
    COR_FREE(work.groups, work.walks, work.file_begins, work.arms, work.suites, work.y, work.x);
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
        "places (isolated): whether failures that are seen isolated are seen integrated, and at which cost. "
        "More files behind it, of the same experiment with other seeds, are joined: corridor show A.h5 "
        "mechanisms B.h5 C.h5.",
    .joins = true,
    .schema = "corridor-mechanisms",
    .version = 2,
    .sheets = sheets_made,
    .make = make_mechanisms,
};
