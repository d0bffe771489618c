/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Failing sequences, one a row, each with its class and the key by which replay finds it. And what schedules
 * promise beside what failed. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/coverage.h>
#include <corridor/descriptive.h>
#include <corridor/layer_tables.h>
#include <corridor/schema.h>

#include <stdlib.h>

#define LIST(member) COR_CELL_OF(struct cor_failing_list, member)
static const struct cor_column_definition summary_sheet_columns[] = {
    {"failing", "failing", "sequences", "something was seen to be wrong in them", LIST(failing)},
    {"sequences", "all", "sequences", "looked at", LIST(sequences)},
    {"masked", "masked", "cases", "a fault was active in them, and neither box saw it", LIST(masked)},
    {"ordinary", "in environments that the profile makes often", "sequences",
     "thereof listed, found in an environment as ordinary as nine in ten", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(summary_sheet, "summary", "Failures", "the file, or the arm", COR_SHEET_RECORD, 0);

static const struct cor_column_definition classes_sheet_columns[] = {
    {"count", "count", "1", "failing sequences, or masked cases, of the class", COR_CELL_COUNT, 0,
     COR_COLUMN_KEY},
    {"class", "class", "",
     "what was seen first: box and check, smoke by its kind; \"fault\": the arm's fault was at work, alone: "
     "masked",
     COR_CELL_WORD, 0, 0},
    {"first", "first", "", "key of the first of them", COR_CELL_WORD, 0, COR_COLUMN_KEY}};
COR_SHEET_DEFINITION(classes_sheet, "classes", "Classes", "a class of failures, the most frequent first", 0,
                     40);

#define FAILING(member) COR_CELL_OF(struct cor_failing, member)
#define LIKELIHOOD(member) COR_CELL_OF(struct cor_likelihood, member)
static const struct cor_column_definition failures_sheet_columns[] = {
    {"key", "key", "", "ARM/SUITE/SEQUENCE/CASE, the first failing case: for corridor replay --failure",
     COR_CELL_WORD, 0, 0},
    {"class", "class", "",
     "of that case: box and check, smoke by its kind, and \"fault\" if the arm's was at work", COR_CELL_WORD,
     0, 0},
    {"cases", "cases", "cases", "executed of the sequence", FAILING(executed)},
    {"agents", "agents", "agents", "of the suite", FAILING(agents)},
    {"environment", "environment", "",
     "up to that case: ordinary, or how few walks from the same first states are no likelier by the profiles",
     COR_CELL_TEXT, 0, 0},
    {"bits", "bits", "bits", "-log2 of the probability of the environment's steps up to that case",
     LIKELIHOOD(bits), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"usual_bits", "usual bits", "bits",
     "the mean of that over all walks from there: in the long run the entropy rate a case",
     LIKELIHOOD(usual_bits), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"rarer", "rarer", "1", "share of walks from there that are no likelier, of 999 drawn", LIKELIHOOD(rarer),
     COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"suite", "suite", "1", "within the arm, from 0", FAILING(key.suite), 0, COR_COLUMN_DATA},
    {"sequence", "sequence", "1", "within the suite, from 0", FAILING(key.sequence), 0, COR_COLUMN_DATA},
    {"case", "case", "1", "within the sequence, from 1", FAILING(key.case_), 0, COR_COLUMN_DATA},
    {"masked", "masked", "", "a fault was active, and neither box saw it", COR_CELL_FLAG, 0, COR_COLUMN_DATA},
    {"constraint", "constraint", "",
     "of a corridor as a text, the first that is violated in it; nothing: none is", COR_CELL_WORD, 0,
     COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(failures_sheet, "failures", "Failing sequences",
                     "a failing sequence; with --masked also a masked case", COR_SHEET_TOP | COR_SHEET_MORE,
                     40);

struct class_count {
    struct cor_failure_class class;
    uint64_t count;
    const struct cor_failing *first;
};

struct classes {
    struct class_count *items; /* owned */
    size_t count, capacity;
};

static enum cor_status count_class(struct classes *classes, const struct cor_failing *failing,
                                   struct cor_error *error) {
    for (size_t i = 0; i < classes->count; i++)
        if (cor_failure_class_equal(&classes->items[i].class, &failing->class)) {
            classes->items[i].count++;
            return COR_OK;
        }
    COR_TRY(COR_RESERVE(&classes->items, &classes->capacity, classes->count + 1, error));
    classes->items[classes->count++] = (struct class_count){failing->class, 1, failing};
    return COR_OK;
}

/* The most frequent first, then by the place of the first one. */
static int compare_classes(const void *one, const void *other) {
    const struct class_count *a = one, *b = other;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

/* What is asked for, as codes. */
struct wanted {
    size_t arm;                     /* COR_ANY_ARM */
    struct cor_failure_class class; /* if has_class */
    bool has_class;
};

#define CONSTRAINTS_TOLD 4 /* classes of which the first failure's constraint is named */

/* NULL: none is violated, or the corridor is no text. */
static const char *constraint_name(const struct cor_result *result, const struct cor_failing *failing) {
    return failing->constraint == COR_NOBODY
               ? NULL
               : cor_result_name(result, COR_CATALOG_CONSTRAINT, (uint16_t)failing->constraint);
}

static enum cor_status fill_failures(const struct cor_view_request *request, const struct wanted *wanted,
                                     const struct cor_failing_list *list,
                                     const struct cor_likelihood *likelihood, struct cor_sheets *sheets,
                                     struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    struct cor_sheet *summary = cor_sheets_add(sheets, &summary_sheet),
                     *of_classes = cor_sheets_add(sheets, &classes_sheet),
                     *failures = cor_sheets_add(sheets, &failures_sheet);
    struct classes classes = {0};
    uint64_t ordinary = 0;
    enum cor_status status = COR_OK;
    if (request->masked)
        cor_sheet_title(failures, "Failing sequences and masked cases");
    for (size_t i = 0; i < list->count; i++) {
        const struct cor_failing *failing = &list->items[i];
        if (wanted->has_class && !cor_failure_class_equal(&failing->class, &wanted->class))
            continue;
        char class[COR_FAILURE_CLASS_TEXT], rarity[COR_RARITY_TEXT];
        const struct cor_failure_key *key = &failing->key;
        cor_sheet_row(failures);
        cor_sheet_text_take(failures, cor_failure_key_text(head, key));
        cor_sheet_word(failures, cor_failure_class_text(&failing->class, class));
        COR_SHEET_PUT(failures, struct cor_failing, failing);
        cor_sheet_text(failures, "%s", cor_rarity_text(&likelihood[i], rarity));
        COR_SHEET_PUT(failures, struct cor_likelihood, &likelihood[i]);
        cor_sheet_word(failures, cor_arm_entry(head, key->arm)->name);
        COR_SHEET_PUT(failures, struct cor_failing, failing);
        cor_sheet_flag(failures, failing->masked);
        cor_sheet_word(failures, constraint_name(request->result, failing));
        ordinary += !failing->masked && likelihood[i].rarer >= COR_ORDINARY_SHARE;
        COR_TRY_OUT(count_class(&classes, failing, error));
    }
    char class[COR_FAILURE_CLASS_TEXT];
    if (classes.count > 0)
        qsort(classes.items, classes.count, sizeof *classes.items, compare_classes);
    for (size_t i = 0; i < classes.count; i++) {
        cor_sheet_row(of_classes);
        cor_sheet_count(of_classes, classes.items[i].count);
        cor_sheet_word(of_classes, cor_failure_class_text(&classes.items[i].class, class));
        char *first = cor_failure_key_text(head, &classes.items[i].first->key);
        const char *constraint = constraint_name(request->result, classes.items[i].first);
        if (first && constraint && i < CONSTRAINTS_TOLD)
            cor_sheet_remark(of_classes, "%s violates \"%s\"", first, constraint);
        cor_sheet_text_take(of_classes, first);
    }
    COR_SHEET_PUT(summary, struct cor_failing_list, list);
    cor_sheet_count(summary, ordinary);
    cor_sheet_limit(failures, request->rows > 0 ? request->rows : failures_sheet.text_rows);
    if (cor_sheet_size(failures) == 0)
        cor_sheet_remark(of_classes, list->count > 0 ? "none is of that class" : "nothing failed");
out:
    free(classes.items);
    return status;
}

static enum cor_status make_failures(const struct cor_view_request *request, struct cor_sheets *sheets,
                                     struct cor_view_findings *findings, struct cor_error *error) {
    struct wanted wanted;
    COR_FINISHED(cor_failing) struct cor_failing_list list = {0};
    COR_FREED struct cor_likelihood *likelihood = NULL;
    (void)findings;
    wanted = (struct wanted){.arm = COR_ANY_ARM, .has_class = request->failure_class != NULL};
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &wanted.arm, error));
    if (wanted.has_class)
        COR_TRY(cor_failure_class_parse(request->failure_class, "--class", &wanted.class, error));
    COR_TRY(cor_failing_read(request->result, wanted.arm, request->masked, &list, error));
    COR_TRY(cor_made(likelihood = cor_calloc(list.count + 1, sizeof *likelihood), error));
    COR_TRY(cor_failing_environment(request->result, &list, likelihood, error));
    COR_TRY(fill_failures(request, &wanted, &list, likelihood, sheets, error));
    if (wanted.arm == COR_ANY_ARM && !wanted.has_class)
        COR_TRY(views__put_smokes(request->result, sheets, error));
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_made[] = {&failures_sheet, &summary_sheet,
                                                                 &classes_sheet, &views__smokes_sheet, NULL};

const struct cor_view views__view_failures = {
    .name = "failures",
    .command = "failures",
    .summary = "list the sequences that failed, by class",
    .schema = "corridor-failures",
    .version = 1,
    .sheets = sheets_made,
    .make = make_failures,
};

/* ---- what led to reorganizations without a result: how processes ended, where, and in which words */

static const struct cor_column_definition smokes_columns[] = {
    {"arm", "", "", "name of the arm: algorithm, fault and preset", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"smoke", "smoke", "", "how it failed without a result", COR_CELL_WORD, 0, 0},
    {"times", "times", "1", "reorganizations that ended so, at the same place", COR_CELL_COUNT, 0, 0},
    {"first", "first", "", "suite/sequence/case of the first", COR_CELL_TEXT, 0, 0},
    {"suite", "", "1", "suite of the first", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"sequence", "", "1", "sequence of the first", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"case", "", "1", "test case of the first", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"late", "", "", "noticed when the reorganization was over, whose verdict stands", COR_CELL_FLAG, 0,
     COR_COLUMN_DATA},
    {"signal", "", "1", "signal that ended the process; 0: none", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"exit_code", "", "1", "exit code of the process, where it exited", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"place", "place", "",
     "where in the module the signal was raised, for addr2line -e MODULE; nothing: not known", COR_CELL_TEXT,
     0, 0},
    {"words", "in words", "", "what led to the first: its own words, or those of the cell", COR_CELL_TEXT, 0,
     0},
};
static const struct cor_column_definition failing_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"class", "failed by", "", "what failures alike have in common", COR_CELL_WORD, 0, COR_COLUMN_KEY},
    {"tests", "tests", "1", "that failed by it first", COR_CELL_COUNT, 0, 0},
    {"first", "first", "", "key of the first of them: ARM/SUITE", COR_CELL_WORD, 0, 0},
    {"why", "why", "", "of the first", COR_CELL_TEXT, 0, 0},
};
const struct cor_sheet_definition views__failing_sheet = COR_SHEET_OVER(
    failing_sheet_columns, "classes", "What tests failed by",
    "a row a class of failures, the first one first", COR_SHEET_MORE | COR_SHEET_LISTED | COR_SHEET_SOME, 40);

const struct cor_sheet_definition views__smokes_sheet =
    COR_SHEET_OVER(smokes_columns, "smokes", "Reorganizations without a result",
                   "reorganizations of an arm that ended in the same way, at the same place", 0, 0);

static const char smokes[] =
    "with alike as (select min(rowid) as first, count(*) as times from smokes"
    " group by arm, smoke, late, signal, exit_code, place)"
    "select arm, smoke, times, suite || '/' || sequence || '/' || \"case\", suite, sequence, \"case\", late,"
    " signal, exit_code, iif(place = 0, '', printf('0x%llx', place)), substr(sentence, 1, 255)"
    " from alike join smokes on smokes.rowid = first order by first;"
    "select 'all of them, each in words: corridor export FILE --table smokes' as remark";

/* ---- arms whose mail goes by pct: the probability that is promised for a fault of order, beside the share
 * of reorganizations that failed */

static const struct cor_column_definition schedules_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"depth", "depth d", "1", "of the faults of order that are looked for", COR_CELL_COUNT, 0, 0},
    {"drawn", "drawn n", "messages", "among so many deliveries change points are drawn", COR_CELL_COUNT, 0,
     0},
    {"messages", "most sent", "messages", "most that were sent in a reorganization", COR_CELL_COUNT, 0, 0},
    {"chains", "chains w", "1", "most causal chains of messages in a reorganization", COR_CELL_COUNT, 0, 0},
    {"promised", "1/(w^2 n^(d-1))", "1",
     "at least so probable is it that a reorganization meets a fault of order of that depth (Ozkan et al., "
     "OOPSLA "
     "2018); nothing where more was sent than change points were drawn among",
     COR_CELL_REAL, COR_DIGITS_FOUR, 0},
    {"promised_by_chains", "1/(w n^(d-1))", "1",
     "the same where each message has one cause, as here: docs/look-up/schedules.md", COR_CELL_REAL,
     COR_DIGITS_FOUR, 0},
    {"reorganizations", "n", "1", "reorganizations", COR_CELL_COUNT, 0, 0},
    {"failed", "failed", "1", "thereof failed through a box, whatever the reason", COR_CELL_COUNT, 0, 0},
    {"share", "share", "1", "failed of all", COR_CELL_REAL, COR_DIGITS_FOUR, 0},
};
const struct cor_sheet_definition views__schedules_sheet = COR_SHEET_OVER(
    schedules_columns, "schedules", "Mail by random priorities (pct)", "an arm whose mail goes so", 0, 0);

/* Products only: as exact as a double is. */
static const char promises[] =
    "with arms as materialized (select arm, max(depth) as depth, max(drawn) as drawn, max(messages) as "
    "messages,"
    "  max(chains) as chains, sum(reorganizations) as n, sum(failed) as failed from schedules group by arm),"
    " divided(arm, i, value) as (select arm, 1, 1.0 from arms union all select arm, i + 1, value / drawn"
    "  from divided join arms using (arm) where i < depth),"
    " promised as (select arm, value / nullif(chains, 0) as by_chains, depth > 1 and messages > drawn as "
    "is_none"
    "  from divided join arms using (arm) where i = max(depth, 1))"
    "select arms.arm, depth, drawn, messages, chains, iif(is_none, null, by_chains / chains),"
    " iif(is_none, null, by_chains), n, failed, 1.0 * failed / n, iif(is_none, format('%s: nothing is "
    "promised:'"
    "  || ' up to %d messages were sent, and change points are drawn among %d; set \"messages\"', arms.arm,"
    "  messages, drawn), null) as remark"
    " from arms join promised using (arm) join catalog_arm on name = arms.arm where depth > 0"
    " order by catalog_arm.rowid";

static enum cor_status read_smokes(struct cor_result *result, struct cor_layer_tables *tables,
                                   struct cor_error *error) {
    return cor_layer_tables_init(result, UINT64_C(1) << COR_TABLE_SMOKES, 0, tables, error);
}

static enum cor_status read_schedules(struct cor_result *result, struct cor_layer_tables *tables,
                                      struct cor_error *error) {
    return cor_layer_tables_init(result, UINT64_C(1) << COR_TABLE_SCHEDULES, 0, tables, error);
}

/* The answer to a question about one table. */
static enum cor_status put_answer(struct cor_result *result, const struct views__source *source,
                                  const char *text, const struct cor_sheet_definition *definition,
                                  struct cor_sheets *sheets, struct cor_error *error) {
    const struct cor_view_request request = {.result = result, .suite = COR_ANY_SUITE};
    struct views__asking asking;
    COR_TRY(views__asking_init(source, &request, &asking, error));
    const enum cor_status status = views__ask(&asking, text, cor_sheets_add(sheets, definition), error);
    views__asking_fini(&asking);
    return status;
}

enum cor_status views__put_smokes(struct cor_result *result, struct cor_sheets *sheets,
                                  struct cor_error *error) {
    static const struct views__source source = {.init = read_smokes};
    return cor_result_size(result, COR_TABLE_SMOKES) == 0
               ? COR_OK
               : put_answer(result, &source, smokes, &views__smokes_sheet, sheets, error);
}

enum cor_status views__put_schedules(struct cor_result *result, struct cor_sheets *sheets,
                                     struct cor_error *error) {
    static const struct views__source source = {.init = read_schedules};
    return cor_result_size(result, COR_TABLE_SCHEDULES) == 0
               ? COR_OK
               : put_answer(result, &source, promises, &views__schedules_sheet, sheets, error);
}
