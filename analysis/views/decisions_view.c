/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties of arms, decided from the suites of a file in their order: what a campaign that asks for them
 * comes to, reckoned again. */
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/identities.h>
#include <corridor/inquiries.h>
#include <corridor/layer_tables.h>
#include <corridor/steady.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* An inquiry, and what the suites said beside the decision. */
struct shown {
    const char *property, *arm, *minus, *verdict, *method, *curve;
    double value, low, high, level, expected;
    double least, most;                 /* what it can be; not finite: nothing says it */
    double at;                          /* NaN: of no curve */
    uint64_t used, unknown, taken, cut; /* cut: unknown, for something beside the algorithm ended them */
    char *example;   /* owned; key of the first sequence that speaks against it; NULL: none */
    bool has_failed; /* the example's row says that it failed (struct cor_ending_source) */
};

#define SHOWN(member) COR_CELL_OF(struct shown, member)
static const struct cor_column_definition decisions_sheet_columns[] = {
    {"property", "", "", "what is asked", SHOWN(property), 0, COR_COLUMN_GROUP},
    {"arm", "arm", "", "of which arm", SHOWN(arm)},
    {"minus", "less", "", "less what is true of this arm; none: of one arm alone", SHOWN(minus), 0,
     COR_COLUMN_DATA},
    {"curve", "curve", "", "the property over cases of which this is a point; none: of none", SHOWN(curve), 0,
     COR_COLUMN_DATA},
    {"case", "in case", "1", "which point it is", SHOWN(at), 0, COR_COLUMN_DATA},
    {"verdict", "verdict", "", "holds, does_not_hold, undecided, estimated", SHOWN(verdict)},
    {"value", "value", "", "of the sequences used: share, mean or quantile", SHOWN(value), COR_DIGITS_FOUR},
    {"low", "low", "", "lower end of its interval", SHOWN(low), COR_DIGITS_FOUR},
    {"high", "high", "", "upper end of its interval", SHOWN(high), COR_DIGITS_FOUR},
    {"used", "used", "1", "sequences: the first of each suite, up to the decision", SHOWN(used)},
    {"expected", "Wald", "1",
     "sequences that Wald expects the sequential test to use if the share is the value", SHOWN(expected), 0},
    {"unknown", "unknown", "1", "sequences that do not say it, up to the decision", SHOWN(unknown)},
    {"method", "by", "", "sequential, width, bayes", SHOWN(method), 0, COR_COLUMN_DATA},
    {"level", "level", "1", "of the interval", SHOWN(level), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"least", "can be from", "", "the least that a sequence can say, null: nothing bounds it", SHOWN(least),
     COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"most", "to", "", "the most, likewise", SHOWN(most), COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"taken", "in the file", "1", "sequences that say it, those behind the decision included", SHOWN(taken),
     0, COR_COLUMN_DATA},
    {"counterexample", "violated by", "",
     "key of the first sequence that violates the formula, with the case that fixed it, or its last",
     SHOWN(example)},
};
COR_SHEET_DEFINITION(decisions_sheet, "decisions", "Decisions", "a property of an arm", COR_SHEET_TOP, 0);

bool cor_has_properties(const struct cor_result_header *head) {
    struct cor_json_document *document = NULL;
    struct cor_json properties;
    bool has = false;
    if (cor_json_parse(head->experiment, "", &document, NULL) == COR_OK) {
        const struct cor_json root = cor_json_root(document);
        has = cor_json_is_object(&root) && cor_json_find(&root, "properties", &properties);
    }
    cor_json_destroy(document);
    return has;
}

/* The number that the file's experiment gives its suites the configuration of; false: to each its own. */
static bool find_given(const struct cor_view_request *request, int64_t *given) {
    struct cor_json_document *document = NULL;
    struct cor_json json;
    bool is_there = false;
    if (cor_json_parse(cor_result_head(request->result)->experiment, "", &document, NULL) == COR_OK) {
        const struct cor_json root = cor_json_root(document);
        is_there = cor_json_is_object(&root) && cor_json_find(&root, "given", &json) &&
                   cor_json_integer(&json, 0, UINT32_MAX, given, NULL) == COR_OK;
    }
    cor_json_destroy(document);
    return is_there;
}

/* A constraint that was taken for a column is called by its name. */
static void name_constraints(const struct cor_result_header *head, struct cor_error *error) {
    const size_t count = head->catalog_size[COR_CATALOG_CONSTRAINT];
    const char **names = cor_calloc(count + 1, sizeof *names);
    for (size_t i = 0; names && i < count; i++)
        names[i] = head->catalog[COR_CATALOG_CONSTRAINT][i].name;
    if (names)
        cor_property_name_constraints(names, error);
    free(names);
}

/* The properties: those that are asked for, else the experiment's. */
static enum cor_status read_inquiries(const struct cor_view_request *request, struct cor_inquiries *inquiries,
                                      struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    COR_FREED const char **names = NULL;
    COR_DESTROYED(cor_json) struct cor_json_document *experiment = NULL, *asked = NULL;
    struct cor_json properties;
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_parse(head->experiment, "the file's experiment", &experiment, error));
    const struct cor_json root = cor_json_root(experiment);
    if (request->inquiries) {
        COR_TRY(cor_json_parse(request->inquiries, "PROPERTY", &asked, error));
        properties = cor_json_root(asked);
    } else if (!cor_json_find(&root, "properties", &properties)) {
        return cor_fail(error, COR_STATUS_INPUT, NULL, "ask for one: corridor decide FILE 'P [ .. ]'",
                        "its experiment has no properties to be decided");
    }
    inquiries->head = head;
    status = cor_inquiries_read(&properties, inquiries, error);
    if (status != COR_OK)
        name_constraints(head, error);
    COR_TRY(status);
    /* Is it asked of one configuration: of one suite's sequences, or of suites that all have it? */
    cor_inquiries_give(inquiries, request->suite != COR_ANY_SUITE || find_given(request, &(int64_t){0}));
    COR_TRY(cor_inquiries_check_drawn(inquiries, &root, NULL, error));
    COR_TRY(cor_made(names = cor_calloc(cor_arm_count(head) + 1, sizeof *names), error));
    for (size_t a = 0; a < cor_arm_count(head); a++)
        names[a] = cor_arm_entry(head, a)->name;
    COR_TRY(cor_inquiries_find_arms(inquiries, names, head->experiment, NULL, error));
    return cor_inquiries_can_ask(inquiries, false, head, request->no_law, request->path, error);
}

/* Takes what a sequence says of an inquiry. */
static enum cor_status take_value(const struct cor_property_source *source, struct cor_inquiry *inquiry,
                                  uint32_t arm, uint32_t suite, uint32_t sequence,
                                  const struct cor_property_value *value, uint32_t number,
                                  struct shown *shown, struct cor_error *error) {
    shown->cut += isnan(value->value) && value->is_cut;
    if (cor_property_formula(inquiry->property) && value->value == 0 && !shown->example && !inquiry->minus) {
        /* The key of a sequence that violates a formula, with the case that fixed it: where only the end did,
         * the last. Of a suite that is one sequence its own. */
        const bool is_suite = source->ending && !source->ending->sequence;
        shown->example = is_suite ? cor_format("%s/%u", inquiry->arm, suite)
                                  : cor_format("%s/%u/%u/%u", inquiry->arm, suite, sequence,
                                               value->decided > 0 ? value->decided : value->cases);
        COR_TRY(cor_made(shown->example, error));
        shown->has_failed = value->has_failed;
    }
    return cor_inquiry_take(inquiry, arm, number, value, error);
}

/* What a sequence of the suite says of an inquiry; of two arms those with the same number belong together. */
static enum cor_status ask(struct cor_inquiry *inquiry, const struct cor_suite_rows *suite, uint32_t index,
                           uint32_t number, struct shown *shown, struct cor_error *error) {
    const struct cor_sequence_rows *sequence = &suite->sequence[index];
    const struct cor_case_tables rows = cor_sequence_case_tables(sequence);
    struct cor_property_value value;
    COR_TRY(cor_property_ask(inquiry->property, &rows, &value, error));
    return take_value(cor_interaction_schema.asked, inquiry, (uint32_t)suite->arm, suite->row.suite, index,
                      &value, number, shown, error);
}

/* The sequences of one suite, each of all arms that are asked. */
static enum cor_status take_sequences(struct cor_suite_reader *const *readers, size_t arm_count,
                                      struct cor_inquiry *inquiry, struct shown *shown,
                                      struct cor_error *error) {
    const struct cor_suite_rows *suites[2] = {NULL, NULL};
    for (size_t a = 0; a < arm_count; a++)
        COR_TRY(cor_suite_reader_next(readers[a], &suites[a], error));
    for (uint32_t i = 0; suites[0] && (arm_count == 1 || suites[1]); i++)
        for (size_t a = 0; a < arm_count; a++) {
            if (i >= suites[a]->row.sequences)
                return COR_OK;
            if (cor_is_sample(&suites[a]->sequence[i]))
                COR_TRY(ask(inquiry, suites[a], i, i, shown, error));
        }
    return COR_OK;
}

/* Suites of a file lie by arm; those of two arms that are compared are taken suite after suite. */
static enum cor_status take_suites(const struct cor_view_request *request, struct cor_inquiry *inquiry,
                                   struct shown *shown, struct cor_error *error) {
    static const struct cor_reading readings[] = {
        {COR_TABLE_CASES, NULL},       {COR_TABLE_REORGANIZATIONS, NULL}, {COR_TABLE_VIOLATIONS, NULL},
        {COR_TABLE_CONSTRAINTS, NULL}, {COR_TABLE_TICKS, NULL},           {COR_TABLE_SNAPSHOTS, NULL}};
    const struct cor_result_header *head = cor_result_head(request->result);
    const uint32_t arms[] = {inquiry->arm_index, inquiry->minus_index};
    const size_t arm_count = inquiry->minus ? 2 : 1;
    struct cor_suite_reader *readers[2] = {NULL, NULL};
    int64_t given;
    enum cor_status status = COR_OK;
    const bool gives = find_given(request, &given), is_one = request->suite != COR_ANY_SUITE && !gives;
    if (gives && request->suite != COR_ANY_SUITE && request->suite != given)
        return cor_fail(error, COR_STATUS_INPUT, "--given", "leave it out",
                        "all suites of the file have the configuration of suite %" PRId64, given);
    for (size_t a = 0; a < arm_count; a++) {
        const uint16_t code = (uint16_t)cor_arm_entry(head, arms[a])->code;
        COR_TRY_OUT(cor_suite_reader_create(request->result, readings, sizeof readings / sizeof *readings,
                                            &readers[a], error));
        COR_TRY_OUT(cor_suite_reader_choose(readers[a], code, is_one ? request->suite : COR_ANY_SUITE,
                                            "--given", error));
    }
    if (is_one)
        COR_TRY_OUT(take_sequences(readers, arm_count, inquiry, shown, error));
    else
        for (bool is_over = false; !is_over;)
            for (size_t a = 0; a < arm_count && !is_over; a++) {
                const struct cor_suite_rows *suite;
                COR_TRY_OUT(cor_suite_reader_next(readers[a], &suite, error));
                is_over = !suite;
                if (suite && suite->row.sequences > 0)
                    COR_TRY_OUT(ask(inquiry, suite, 0, suite->row.suite, shown, error));
            }
out:
    cor_suite_reader_destroy(readers[0]);
    cor_suite_reader_destroy(readers[1]);
    return status;
}

enum cor_status views__asked_tables(struct cor_result *result, struct cor_layer_tables *tables,
                                    struct cor_error *error) {
    const struct cor_property_source *source = cor_result_head(result)->layer->asked;
    uint64_t asked = 1; /* tables, by their bits: of suites, and what is asked */
    for (size_t t = 0; t < COR_ASKED_COUNT; t++)
        asked |= UINT64_C(1) << source->tables[t];
    return cor_layer_tables_init(result, asked, 0, tables, error);
}

bool views__asked_rows(const struct cor_layer_tables *tables, uint16_t arm, uint32_t number,
                       struct cor_asked_rows suite[COR_ASKED_COUNT]) {
    const struct cor_property_source *source = tables->head->layer->asked;
    for (size_t t = 0; t < COR_ASKED_COUNT; t++) {
        uint64_t count;
        const uint64_t first = cor_layer_rows_of(tables, source->tables[t], arm, number, &count);
        suite[t] = (struct cor_asked_rows){count > 0 ? cor_layer_row(tables, source->tables[t], first) : NULL,
                                           (size_t)count};
    }
    return suite[COR_ASKED_BESIDE].count > 0;
}

/* The first sequences of the suites of a file whose tables are read whole, of two arms suite after suite. */
static enum cor_status take_rows(const struct cor_layer_tables *tables, struct cor_inquiry *inquiry,
                                 struct shown *shown, struct cor_error *error) {
    const struct cor_property_source *source = tables->head->layer->asked;
    const uint32_t arms[] = {inquiry->arm_index, inquiry->minus_index};
    const size_t arm_count = inquiry->minus ? 2 : 1;
    uint64_t next[2] = {0, 0};
    for (;;)
        for (size_t a = 0; a < arm_count; a++) {
            const uint16_t code = (uint16_t)cor_arm_entry(tables->head, arms[a])->code;
            struct cor_asked_rows suite[COR_ASKED_COUNT];
            struct cor_property_value value;
            const void *row = NULL; /* of the first table, which has one a suite */
            for (; next[a] < tables->count[0] && !row; next[a]++) {
                row = cor_layer_row(tables, 0, next[a]);
                row = cor_row_key_of(row).arm == code ? row : NULL;
            }
            if (!row)
                return COR_OK;
            const uint32_t number = cor_row_key_of(row).suite;
            (void)views__asked_rows(tables, code, number, suite);
            COR_TRY(cor_property_ask_rows(inquiry->property, suite, 0, &value, error));
            COR_TRY(take_value(source, inquiry, arms[a], number, 0, &value, number, shown, error));
        }
}

static const char *verdict_of(const struct cor_ruling *ruling) {
    switch (ruling->end) {
    case COR_RULING_HOLDS:
        return "holds";
    case COR_RULING_FAILS:
        return "does_not_hold";
    case COR_RULING_ESTIMATED:
        return "estimated";
    default:
        return "undecided";
    }
}

static void sum_up(const struct cor_inquiry *inquiry, struct shown *shown,
                   struct cor_view_findings *findings) {
    const struct cor_ruling *ruling = &inquiry->ruling;
    struct cor_bounds bounds;
    cor_ruling_interval(ruling, &shown->value, &bounds);
    shown->property = cor_property_text(inquiry->property);
    shown->arm = inquiry->arm;
    shown->minus = inquiry->minus;
    shown->curve = inquiry->curve;
    shown->at = inquiry->curve ? (double)inquiry->at : (double)NAN;
    shown->verdict = verdict_of(ruling);
    shown->method = cor_ruling_word(inquiry->rule.method);
    shown->low = bounds.low;
    shown->high = bounds.high;
    shown->level = inquiry->rule.level;
    shown->least = isfinite(ruling->rule.low) ? ruling->rule.low : (double)NAN;
    shown->most = isfinite(ruling->rule.high) ? ruling->rule.high : (double)NAN;
    shown->used = ruling->used;
    shown->unknown = ruling->unknown;
    shown->taken = ruling->taken;
    shown->expected = inquiry->rule.method == COR_RULING_SEQUENTIAL && inquiry->rule.is_share
                          ? cor_ruling_expected(&inquiry->rule, shown->value)
                          : (double)NAN;
    findings->denied += ruling->end == COR_RULING_FAILS;
    findings->open += ruling->end == COR_RULING_UNDECIDED;
}

/* Why nothing is known of the long run. */
static bool say_no_steady_state(const struct cor_ruling *ruling, const struct shown *shown,
                                struct cor_sheet *sheet) {
    if (ruling->drifts)
        cor_sheet_remark(
            sheet,
            "%s of %s is undecided, for there is no steady state: behind the warm-up it is %g more "
            "in the second half of the cases than in the first.",
            shown->property, shown->arm, ruling->trend);
    else if (ruling->unknown > 0)
        cor_sheet_remark(sheet,
                         "%s of %s is undecided: %" PRIu64 " sequences have no long run, for they end with a "
                         "failure, have fewer than %d cases, or hang together for too many.",
                         shown->property, shown->arm, ruling->unknown, COR_STEADY_LEAST);
    return ruling->end == COR_RULING_UNDECIDED && (ruling->drifts || ruling->unknown > 0);
}

static void put_decision(const struct cor_property_source *source, const struct cor_inquiry *inquiry,
                         const struct shown *shown, struct cor_sheet *sheet) {
    COR_SHEET_PUT(sheet, struct shown, shown);
    if (shown->cut > 0)
        cor_sheet_remark(sheet, "%s of %s: %s %" PRIu64 " %s that do not say whether it is so%s.",
                         shown->property, shown->arm, source->cut_by, shown->cut, source->of,
                         source->cut_remedy);
    if (cor_property_kind(inquiry->property) == COR_PROPERTY_STEADY &&
        say_no_steady_state(&inquiry->ruling, shown, sheet))
        return;
    if (cor_ruling_is_boundless(&inquiry->ruling.rule))
        cor_sheet_remark(
            sheet,
            "%s of %s: nothing bounds the amount, so that it is taken to be in twice the range of what "
            "was seen, and nothing is said before %d pairs of values differ; %" PRIu64 " do.",
            shown->property, shown->arm, COR_RULING_PAIRS, inquiry->ruling.pairs);
    if (inquiry->ruling.end == COR_RULING_UNDECIDED && !inquiry->ruling.is_over)
        cor_sheet_remark(sheet, "%s of %s is undecided: %" PRIu64 " sequences do not suffice%s.",
                         shown->property, shown->arm, shown->used,
                         shown->unknown > 0 ? ", and some of them do not say whether it is so" : "");
    else if (inquiry->ruling.end == COR_RULING_UNDECIDED)
        cor_sheet_remark(sheet, "%s of %s is undecided: the bound lies within the interval.", shown->property,
                         shown->arm);
}

/* What to do with the first sequence that violates a formula. */
static enum cor_status lead_to_test(const struct cor_view_request *request, const struct shown *shown,
                                    uint32_t count, struct cor_sheet *sheet, struct cor_error *error) {
    const struct cor_result_header *head = cor_result_head(request->result);
    const bool is_kept = head->layer->asked->is_kept;
    for (uint32_t i = 0; i < count; i++) {
        if (!shown[i].example || (!is_kept && !shown[i].has_failed))
            continue;
        const char *program = request->program ? request->program : "corridor";
        char *property = cor_shell_quoted(shown[i].property), *key = cor_shell_quoted(shown[i].example),
             *file = cor_shell_quoted(request->path ? request->path : "kept.h5");
        const enum cor_status status = cor_made(property && key && file ? file : NULL, error);
        if (status == COR_OK)
            cor_sheet_remark(sheet, "As small as it can be%s%s: %s shrink %s --failure %s%s%s -o t.json%s",
                             is_kept ? ", with why" : "",
                             request->path ? "" : ", of a file that -o kept.h5 keeps", program, file, key,
                             is_kept ? " --property " : "", is_kept ? property : "",
                             cor_names_programs(head) ? " --trust" : "");
        COR_FREE(file, key, property);
        COR_TRY(status);
        break;
    }
    return COR_OK;
}

static enum cor_status make_decisions(const struct cor_view_request *request, struct cor_sheets *sheets,
                                      struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_property_source *source = cor_result_head(request->result)->layer->asked;
    struct cor_layer_tables tables = {0};
    struct cor_inquiries inquiries = {0};
    struct shown *shown = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(read_inquiries(request, &inquiries, error));
    COR_TRY_OUT(cor_made(shown = cor_calloc(inquiries.count, sizeof *shown), error));
    struct cor_sheet *sheet = cor_sheets_add(sheets, &decisions_sheet);
    if (source->ending)
        COR_TRY_OUT(views__asked_tables(request->result, &tables, error));
    for (uint32_t i = 0; i < inquiries.count; i++) {
        COR_TRY_OUT(source->ending ? take_rows(&tables, &inquiries.items[i], &shown[i], error)
                                   : take_suites(request, &inquiries.items[i], &shown[i], error));
        sum_up(&inquiries.items[i], &shown[i], findings);
        put_decision(source, &inquiries.items[i], &shown[i], sheet);
    }
    COR_TRY_OUT(lead_to_test(request, shown, inquiries.count, sheet, error));
    /* Which question was answered. */
    int64_t given;
    const bool gives = find_given(request, &given);
    if (source->ending || (!gives && request->suite == COR_ANY_SUITE))
        cor_sheet_remark(sheet, "Of the first %s of each suite, suites in their order: %s are both drawn.",
                         source->one, source->drawn);
    else if (gives)
        cor_sheet_remark(sheet,
                         "Given the configuration of suite %" PRId64 " of the arm: the environment alone "
                         "is drawn, one sequence in each suite, suites in their order.",
                         given);
    else
        cor_sheet_remark(sheet,
                         "Given the configuration of suite %u of the arm: the environment alone is drawn, "
                         "by the sequences of that suite in their order.",
                         request->suite);
    cor_sheet_remark(sheet, "Intervals of shares whose sequences a test has ended are biased by that.");
out:
    for (uint32_t i = 0; shown && i < inquiries.count; i++)
        free(shown[i].example);
    free(shown);
    cor_layer_tables_fini(&tables);
    cor_inquiries_fini(&inquiries);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&decisions_sheet, NULL};

const struct cor_view views__view_decisions = {
    .name = "decisions",
    .command = "show",
    .summary = "decide the properties of an experiment",
    .manual =
        "Of each property that the experiment states (\"properties\"), or that corridor decide asks for: "
        "whether it holds, by the first sequence of each suite in the order of suites, how many it took, "
        "and the first sequence that violates it.",
    .schema = "corridor-decisions",
    .version = 1,
    .sheets = sheets_made,
    .make = make_decisions,
};
