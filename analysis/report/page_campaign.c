/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of a campaign of algorithms: which failures are shown, and how; sheets that are read best as a
 * matrix - Tables 1 and 2, a line a metric and a column an arm, as in the paper; which check caught what;
 * which arms differ -; its sections. */
#include "page.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/identities.h>
#include <corridor/ranking.h>
#include <corridor/schema.h>
#include <corridor/view.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- failures: which are shown, and how */

/* Goes through failures and says which to take, evenly. */
struct chooser {
    uint64_t count, quota; /* failures there are; how many of them are wanted */
    uint64_t next, taken;
};

static bool choose(struct chooser *chooser) {
    COR_ASSERT(chooser->next < chooser->count && chooser->quota <= chooser->count);
    bool wanted =
        chooser->taken < chooser->quota && chooser->next == chooser->taken * chooser->count / chooser->quota;
    chooser->next++;
    chooser->taken += wanted;
    return wanted;
}

/* Where the first failure of a class is. */
struct first {
    size_t arm;
    struct report__failure_place place;
};

/* The choice under way. */
struct choice {
    struct report__failures *failures;
    struct cor_result *result;
    struct chooser *seen, *masked; /* owned; [arm] */
    struct first *first;           /* owned; of each class */
    size_t first_count;
};

/* What the tables say of one case. */
struct one_case {
    const struct cor_suite_rows *suite;
    struct report__failure_place place;
    bool first;                     /* of its sequence that violated a check */
    uint64_t by_box[COR_BOX_CODES]; /* bits by code of the check; of no box smoke */
    uint32_t violations;            /* but those of interim solutions */
    const struct cor_violation_row *violation;
    size_t row_count;                         /* at `violation`, with those of interim solutions */
    const struct cor_reorganization_row *run; /* NULL: none */
};

typedef enum cor_status visit(struct choice *choice, const struct one_case *one, struct cor_error *error);

/* Visits the cases of a sequence in which something was violated or masked. */
static enum cor_status visit_sequence(struct choice *choice, const struct cor_suite_rows *suite, size_t s,
                                      visit *visit_case, struct cor_error *error) {
    const struct cor_sequence_rows *rows = &suite->sequence[s];
    size_t v = 0, r = 0;
    bool first = true;
    COR_ASSERT(s < suite->row.sequences);
    while (v < rows->violation_count || r < rows->reorganization_count) {
        uint32_t violated = v < rows->violation_count ? rows->violations[v].case_ : UINT32_MAX,
                 ran = r < rows->reorganization_count ? rows->reorganizations[r].case_ : UINT32_MAX;
        struct one_case one = {.suite = suite, .first = first, .place = {.suite = suite->row.suite}};
        one.place.sequence = (uint16_t)s;
        one.place.case_ = violated < ran ? violated : ran;
        if (v < rows->violation_count && violated <= ran) {
            /* Violations of one case lie side by side; box and check are known codes. */
            const struct cor_violation_row *row = &rows->violations[v];
            const size_t count = rows->violation_count - v;
            /* What is said of time is a class of its own, behind that of the case. */
            const bool is_time = ran != violated && row->box == COR_BOX_TIME;
            one.violation = row;
            while (one.row_count < count && row[one.row_count].case_ == row->case_ &&
                   (row[one.row_count].box == COR_BOX_TIME) == is_time) {
                const struct cor_violation_row *violation = &row[one.row_count++];
                one.violations += violation->box != COR_BOX_INTERIM;
                one.by_box[cor_known_code(violation->box, COR_BOX_CODES)] |=
                    UINT64_C(1) << cor_known_code(violation->check, COR_CHECK_CODES);
            }
        }
        if (r < rows->reorganization_count && ran <= violated)
            one.run = &rows->reorganizations[r++];
        one.by_box[0] |= one.run && cor_is_smoke(one.run);
        v += one.row_count;
        first = first && one.violations == 0;
        if (one.violations > 0 || (one.run && cor_is_masked(one.run)))
            COR_TRY(visit_case(choice, &one, error));
    }
    return COR_OK;
}

static enum cor_status visit_all(struct choice *choice, const struct cor_reading *readings, size_t count,
                                 visit *visit_case, struct cor_error *error) {
    COR_DESTROYED(cor_suite_reader) struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    COR_TRY(cor_suite_reader_create(choice->result, readings, count, &reader, error));
    for (;;) {
        COR_TRY(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        for (size_t s = 0; s < suite->row.sequences; s++)
            COR_TRY(visit_sequence(choice, suite, s, visit_case, error));
    }
    return COR_OK;
}

static enum cor_status count_case(struct choice *choice, const struct one_case *one,
                                  struct cor_error *error) {
    struct report__arm_failures *arm = &choice->failures->arm[one->suite->arm];
    (void)error;
    arm->masked += one->run && cor_is_masked(one->run);
    arm->failures += one->violations > 0;
    arm->failing += one->violations > 0 && one->first;
    return COR_OK;
}

/* Arms share alike; one in four of an arm's is masked, if there are any. */
static void set_quotas(struct choice *choice) {
    const struct report__failures *failures = choice->failures;
    uint64_t arms = 0;
    for (size_t a = 0; a < failures->arm_count; a++)
        arms += failures->arm[a].failures + failures->arm[a].masked > 0;
    uint64_t each = arms > 0 && arms < REPORT__FAILURES_SHOWN ? REPORT__FAILURES_SHOWN / arms : 1;
    for (size_t a = 0; a < failures->arm_count; a++) {
        uint64_t seen = failures->arm[a].failing, masked = failures->arm[a].masked;
        uint64_t some = masked > 0 ? (each + 3) / 4 : 0;
        some = seen + some < each ? each - seen : some;
        some = some < masked ? some : masked;
        if (seen > 0 && some >= each)
            some = each - 1;
        choice->masked[a] = (struct chooser){.count = masked, .quota = some};
        choice->seen[a] = (struct chooser){.count = seen, .quota = each - some < seen ? each - some : seen};
    }
}

/* The class of which it is the first, the number of classes if of none. */
static size_t class_begun(const struct choice *choice, const struct one_case *one) {
    size_t f = 0;
    for (; f < choice->first_count; f++) {
        const struct first *first = &choice->first[f];
        if (first->arm == one->suite->arm && first->place.suite == one->place.suite &&
            first->place.sequence == one->place.sequence && first->place.case_ == one->place.case_)
            break;
    }
    return f;
}

static enum cor_status take_case(struct choice *choice, const struct one_case *one, struct cor_error *error) {
    struct report__failures *failures = choice->failures;
    size_t arm = one->suite->arm;
    const struct cor_sequence_rows *rows = &one->suite->sequence[one->place.sequence];
    bool masked = one->run && cor_is_masked(one->run) && choose(&choice->masked[arm]);
    bool seen = one->first && one->violations > 0 && choose(&choice->seen[arm]);
    size_t class = class_begun(choice, one);
    bool first = class < choice->first_count, silent = one->violations == 0;
    if (!masked && !seen && !first)
        return COR_OK;
    COR_TRY(COR_RESERVE(&failures->shown, &failures->shown_capacity, failures->shown_count + 1, error));
    struct report__shown_failure *shown = &failures->shown[failures->shown_count++];
    *shown = (struct report__shown_failure){.arm = arm,
                                            .place = one->place,
                                            .first_of_class = first,
                                            .class = class,
                                            .masked = masked || (first && silent),
                                            .configuration = one->suite->row};
    failures->arm[arm].shown++;
    memcpy(shown->by_box, one->by_box, sizeof shown->by_box);
    for (size_t v = 0; v < one->row_count; v++)
        if (one->violation[v].box != COR_BOX_INTERIM) {
            const struct cor_violation_row *row = &one->violation[v];
            if (shown->said < REPORT__SENTENCES)
                shown->first[shown->said++] = *row;
            shown->violations += !cor_is_counted(row);
            shown->boxes |= UINT64_C(1) << cor_known_code(row->box, COR_BOX_CODES);
            shown->checks |= UINT64_C(1) << cor_known_code(row->check, COR_CHECK_CODES);
        }
    shown->run = one->run != NULL;
    if (one->run) {
        shown->reorganization = *one->run;
        shown->violations += cor_counted_violations(one->run);
    }
    for (size_t f = 0; f < rows->failure_count; f++)
        if (rows->failures[f].case_ == one->place.case_) {
            uint64_t held = cor_result_vector_size(choice->result, COR_VECTOR_SOLUTION_BLOCK_SIZE);
            uint32_t wanted =
                rows->failures[f].blocks < REPORT__BLOCKS ? rows->failures[f].blocks : REPORT__BLOCKS;
            if (rows->failures[f].block_start > held ||
                rows->failures[f].blocks > held - rows->failures[f].block_start)
                return cor_damaged(error, COR_TABLE_FAILURES, "a solution lies behind the end of its vector");
            shown->solved = true;
            shown->blocks = rows->failures[f].blocks;
            if (wanted > 0)
                COR_TRY(cor_result_read_vector(choice->result, COR_VECTOR_SOLUTION_BLOCK_SIZE,
                                               rows->failures[f].block_start, wanted, shown->block, error));
        }
    return COR_OK;
}

enum cor_status report__failures_init(struct report__failures *failures, struct cor_result *result,
                                      const struct cor_sheet *classes, struct cor_error *error) {
    static const char *const verdicts[] = {"sequence", "case", "gray", "black", "fault_activated", NULL},
                             *const violations[] = {"sequence", "case", "box", "check", NULL},
                             *const runs[] = {"sequence",
                                              "case",
                                              "gray",
                                              "black",
                                              "stop",
                                              "smoke",
                                              "partitions_before",
                                              "partitions_after",
                                              "moved",
                                              "fault_activated",
                                              "fault_in_result",
                                              "gray_violations",
                                              "black_violations",
                                              "dissimilarity_before",
                                              "dissimilarity_after",
                                              NULL},
                             *const solutions[] = {"sequence", "case", "block_start", "blocks", NULL};
    static const struct cor_reading few[] = {{COR_TABLE_REORGANIZATIONS, verdicts},
                                             {COR_TABLE_VIOLATIONS, violations}},
                                    all[] = {{COR_TABLE_REORGANIZATIONS, runs},
                                             {COR_TABLE_VIOLATIONS, NULL},
                                             {COR_TABLE_FAILURES, solutions}};
    size_t arms = cor_arm_count(cor_result_head(result));
    struct choice choice = {.failures = failures, .result = result};
    enum cor_status status = COR_OK;
    *failures = (struct report__failures){.arm_count = arms, .arm = cor_calloc(arms, sizeof *failures->arm)};
    choice.seen = cor_calloc(arms, sizeof *choice.seen);
    choice.masked = cor_calloc(arms, sizeof *choice.masked);
    if (!failures->arm || !choice.seen || !choice.masked)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(visit_all(&choice, few, sizeof few / sizeof *few, count_case, error));
    const struct cor_result_header *head = cor_result_head(choice.result);
    choice.first = cor_calloc(cor_sheet_size(classes), sizeof *choice.first);
    if (!choice.first)
        COR_TRY_OUT(cor_fail_memory(error));
    for (size_t row = 0; row < cor_sheet_size(classes); row++) {
        const char *arm = report__sheet_word(classes, row, "arm");
        choice.first[choice.first_count++] =
            (struct first){.arm = cor_arm_of_name(head, arm, strlen(arm)),
                           .place = {.suite = (uint32_t)report__sheet_count(classes, row, "suite"),
                                     .sequence = (uint16_t)report__sheet_count(classes, row, "sequence"),
                                     .case_ = (uint32_t)report__sheet_count(classes, row, "case")}};
    }
    set_quotas(&choice);
    COR_TRY_OUT(visit_all(&choice, all, sizeof all / sizeof *all, take_case, error));
    /* A failure is of the class of the first of its arm that the same boxes and checks saw. */
    for (size_t f = 0; f < failures->shown_count; f++)
        for (size_t g = 0; g < failures->shown_count && !failures->shown[f].first_of_class; g++) {
            const struct report__shown_failure *first = &failures->shown[g];
            if (first->first_of_class && first->arm == failures->shown[f].arm &&
                memcmp(first->by_box, failures->shown[f].by_box, sizeof first->by_box) == 0)
                failures->shown[f].class = first->class;
        }
out:
    COR_FREE(choice.seen, choice.masked, choice.first);
    return status;
}

void report__failures_fini(struct report__failures *failures) {
    COR_FREE(failures->arm, failures->shown);
    *failures = (struct report__failures){0};
}

/* ---- the failure explorer: which classes of failures there are, and a choice of failures, each in words */

/* What the filter of boxes offers: bits as in boxes, or masked. */
static const char *box_word(const struct report__shown_failure *shown) {
    bool gray = shown->boxes >> COR_BOX_GRAY & 1, black = shown->boxes >> COR_BOX_BLACK & 1;
    if (shown->masked)
        return "masked";
    if (gray && black)
        return "gray black";
    return gray ? "gray" : black ? "black" : shown->boxes >> COR_BOX_DETECT & 1 ? "detect" : "other";
}

static void put_run(const struct report__shown_failure *shown, FILE *file) {
    const struct cor_reorganization_row *run = &shown->reorganization;
    if (!shown->run) {
        fputs("<td class=\"t na\">the algorithm did not run</td>", file);
        return;
    }
    fprintf(file,
            "<td class=t data-v=%" PRIu32 ">%" PRIu32 " \xe2\x86\x92 %" PRIu32 " partitions, %" PRIu32
            " agents moved",
            run->moved, run->partitions_before, run->partitions_after, run->moved);
    fputs("<br>dissimilarity ", file);
    report__html_brief(file, run->dissimilarity_before);
    if (!isnan(run->dissimilarity_after)) {
        fputs(" \xe2\x86\x92 ", file);
        report__html_brief(file, run->dissimilarity_after);
    }
    fprintf(file, "<br>stop: %s", cor_term_word(COR_FAMILY_STOP, run->stop));
    if (run->smoke > COR_SMOKE_NONE)
        fprintf(file, "; smoke: %s", cor_term_word(COR_FAMILY_SMOKE, run->smoke));
    if (run->fault_activated > 0)
        fprintf(file, "; fault activated %" PRIu32 "\xc3\x97%s", run->fault_activated,
                run->fault_in_result ? "" : ", not in the result");
    if (shown->solved) {
        fprintf(file, "<br>solution: %" PRIu32 " partitions", shown->blocks);
        if (shown->blocks != 0 && shown->blocks <= REPORT__BLOCKS) {
            fputs(" of ", file);
            for (uint32_t b = 0; b < shown->blocks; b++)
                fprintf(file, "%s%" PRIu32, b > 0 ? " " : "", shown->block[b]);
        }
    }
    fputs("</td>", file);
}

static void put_shown(const struct cor_result_header *head, const struct report__shown_failure *shown,
                      FILE *file) {
    fprintf(file, "<tr%s data-box=\"%s\" data-checks=\"", shown->first_of_class ? "" : " class=further",
            box_word(shown));
    for (int check = 1; check < COR_CHECK_CODES; check++)
        if (shown->checks >> check & 1)
            fprintf(file, "%d ", check);
    fputs("\">", file);
    const struct report__failure_place *place = &shown->place;
    fprintf(file, "<td class=\"t where\" data-v=%.0f>%" PRIu32 "/%u/%" PRIu32 "</td>",
            place->suite * 1e12 + place->sequence * 1e7 + place->case_, place->suite, place->sequence,
            place->case_);
    fputs("<td class=t>", file);
    if (shown->masked)
        fputs("The fault was activated, and no box saw it.", file);
    for (uint32_t v = 0; v < shown->said; v++) {
        char sentence[COR_SENTENCE];
        const char *box = cor_term_word(COR_FAMILY_BOX, shown->first[v].box);
        cor_violation_sentence(cor_arm_kind(cor_arm_entry(head, shown->arm)), &shown->first[v], head,
                               sentence);
        fputs("<div class=said>", file);
        if (v == 0 || shown->first[v].box != shown->first[v - 1].box)
            fprintf(file, "<span class=\"box %s\">%s</span>", box, box);
        cor_html_short(file, sentence, 200);
        fputs("</div>", file);
    }
    if (shown->violations > shown->said)
        fprintf(file, "<div class=\"said dim\">and %" PRIu64 " more</div>", shown->violations - shown->said);
    fputs("</td>", file);
    const struct cor_suite_row *suite = &shown->configuration;
    fprintf(file, "<td class=\"t lines\" data-v=%" PRIu32 ">%" PRIu32 " agents in %" PRIu32 " groups",
            suite->agents, suite->agents, suite->groups);
    if (suite->limits_judged)
        fprintf(file,
                "<br>sizes %" PRIu32 "\xe2\x80\x93%" PRIu32 ", partitions %" PRIu32 "\xe2\x80\x93%" PRIu32 "",
                suite->size_min, suite->size_max, suite->count_min, suite->count_max);
    fputs("<br>threshold ", file);
    report__html_brief(file, suite->threshold);
    fputs("</td>", file);
    put_run(shown, file);
    fputs("</tr>\n", file);
}

static void put_amount(uint64_t amount, const char *before, const char *behind, FILE *file) {
    fprintf(file, "</span><span class=n data-v=%" PRIu64 ">%s", amount, before);
    report__html_count(file, amount);
    fprintf(file, "%.*s", (int)strlen(behind) - (amount == 1), behind);
}

/* A class of an arm: one line until it is opened; then how to see its first again, and those that were chosen
 * in words. */
static void put_class(const struct cor_report *report, const struct cor_sheet *classes, size_t row,
                      FILE *file) {
    const struct report__failures *failures = &report->failures;
    const char *name = report__sheet_word(classes, row, "arm");
    const size_t arm = cor_arm_of_name(report->head, name, strlen(name));
    char *key = cor_format("%s/%s", name, report__sheet_word(classes, row, "first")),
         *quoted = cor_shell_quoted(key ? key : "");
    COR_ASSERT(arm < report->arm_count);
    fprintf(file, "<details class=failing data-arm=%zu><summary><span class=line><b title=\"", arm);
    cor_html_short(file, report->arm[arm].what ? report->arm[arm].what : name, 200);
    fputs("\">", file);
    cor_html_short(file, name, 48);
    fputs("</b><span class=class>", file);
    cor_html_short(file, report__sheet_word(classes, row, "class"), 400);
    put_amount(report__sheet_count(classes, row, "cases"), "", " cases", file);
    put_amount(report__sheet_count(classes, row, "sequences"), "in ", " sequences", file);
    fputs("</span><code>", file);
    cor_html_short(file, key ? key : "", 120);
    fputs("</code></span></summary>\n<p>The first of them again: <code>corridor replay RESULTS.h5 --failure ",
          file);
    cor_html_text(file, quoted ? quoted : "");
    fprintf(file, " --trace%s", cor_names_programs(report->head) ? " --trust" : "");
    fputs("</code></p>\n<div class=wide><table class=\"sorts failures\" "
          "data-table=failures>\n<thead><tr>",
          file);
    report__head(file, "Suite/&#8203;sequence/&#8203;case");
    report__head(file, "What is wrong");
    report__head(file, "Configuration");
    report__head(file, "What the algorithm did");
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t f = 0; f < failures->shown_count; f++)
        if (failures->shown[f].class == row)
            put_shown(report->head, &failures->shown[f], file);
    fputs("</tbody></table></div></details>\n", file);
    COR_FREE(key, quoted);
}

static void put_filters(const struct cor_report *report, FILE *file) {
    const struct report__failures *failures = &report->failures;
    uint64_t checks = 0;
    for (size_t f = 0; f < failures->shown_count; f++)
        checks |= failures->shown[f].checks;
    fputs("<form class=filters hidden data-for=failures>\n<label>Arm <select name=arm><option "
          "value=\"\">all</option>",
          file);
    for (size_t a = 0; a < failures->arm_count; a++) {
        if (failures->arm[a].shown == 0)
            continue;
        fprintf(file, "<option value=%zu>", a);
        cor_html_short(file, report->arm[a].name, 48);
        fputs("</option>", file);
    }
    fputs("</select></label>\n<label>Seen by <select name=box><option value=\"\">any</option><option "
          "value=gray>gray box</option><option value=black>black box</option><option "
          "value=detect>R-Detect</option><option value=masked>nothing (masked)</option></select></label>\n"
          "<label>Check <select name=check><option value=\"\">any</option>",
          file);
    for (int check = 1; check < COR_CHECK_CODES; check++)
        if (checks >> check & 1) {
            fprintf(file, "<option value=%d>", check);
            /* Rule and name of a check: "C1 agent missing". */
            const struct cor_term *term = cor_term(COR_FAMILY_CHECK, check);
            fprintf(file, "%s ", term ? term->rule : "");
            for (const char *c = term ? term->word : "?"; *c; c++)
                fputc(*c == '_' ? ' ' : *c, file);
            fputs("</option>", file);
        }
    fputs(
        "</select></label>\n<label>Text <input type=search name=text placeholder=\"e.g. Agent 17\"></label>\n"
        "<output aria-live=polite></output></form>\n",
        file);
}

static void put_failures(const struct cor_report *report, FILE *file) {
    const struct report__failures *failures = &report->failures;
    const struct cor_sheet *classes = cor_sheets_find(report->view[REPORT__OF_tables], "failures");
    uint64_t violated = 0, masked = 0;
    for (size_t a = 0; a < failures->arm_count; a++) {
        violated += failures->arm[a].failures;
        masked += failures->arm[a].masked;
    }
    fputs("<p>", file);
    report__html_count(file, violated);
    fputs(" test cases violated a check; in ", file);
    report__html_count(file, masked);
    fputs(" a fault was activated and no box saw it: masked.</p>\n", file);
    if (failures->shown_count == 0)
        return;
    fprintf(
        file,
        "<p>A line is a class: failures of an arm that the same checks saw, with the key of the first. "
        "Opened it has the command that executes that one again, and some in words, %zu in all: the first "
        "failure of a sequence, sequences spread evenly over arms and suites%s.<span class=paper-only> On "
        "paper: the first of each class.</span></p>\n",
        failures->shown_count, masked > 0 ? "; and some that were masked" : "");
    put_filters(report, file);
    report__page_insight(REPORT__OF_tables, classes, "p", file);
    fputs("<div class=classes>\n", file);
    for (size_t row = 0; row < cor_sheet_size(classes); row++)
        put_class(report, classes, row, file);
    fputs("</div>\n<p class=legend>All of them: <code>corridor failures RESULTS.h5</code>; as a table <code>"
          "corridor export RESULTS.h5 --table violations</code>, with solutions and structures <code>--table "
          "failures</code>, docs/look-up/result-file.md. Every draw is named by seed, arm, suite and "
          "sequence, so "
          "<code>corridor run</code> on the experiment below, with the same version, comes to the same cases "
          "with the same outcome (docs/evidence/determinism.md).</p>\n",
          file);
}

/* ---- the page */

static void put_short(const char *word, FILE *file) {
    cor_html_short(file, word, 32);
}

/* data-v and a hint, open for more. */
static void begin_cell(double value, FILE *file) {
    char exact[COR_CELL];
    cor_real_text(value, exact);
    fprintf(file, "<td data-v=\"%s\"", isnan(value) ? "" : exact);
}

static void put_paper(const struct cor_sheet *sheet, size_t row, int digits, FILE *file) {
    const char *relation = report__sheet_word(sheet, row, "relation"),
               *note = report__sheet_word(sheet, row, "paper_note");
    double mean = report__sheet_real(sheet, row, "paper_mean"),
           sd = report__sheet_real(sheet, row, "paper_sd");
    bool derived = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, "paper_derived"))->flag;
    if (isnan(mean))
        return;
    fprintf(file, "<br><span class=\"paper%s\"", *relation == '<' || *relation == '>' ? " off" : "");
    if (*note) {
        fputs(" title=\"", file);
        cor_html_text(file, note);
        fputc('"', file);
    }
    fputc('>', file);
    cor_html_text(file, relation);
    fprintf(file, " %.*f", digits, mean);
    if (!isnan(sd))
        fprintf(file, " (%.2f)", sd);
    fprintf(file, "%s%s</span>", derived ? " ~" : "", *note ? " !" : "");
}

/* A figure of the tables: mean (sd), [interval], the paper's. */
static void put_figure(const struct report__matrix *matrix, size_t row, FILE *file) {
    const struct cor_sheet *sheet = matrix->sheet;
    const struct cor_table_cell *cell = cor_sheet_cell(sheet, row, cor_sheet_column(sheet, "ours"));
    bool known = cell->kind == COR_CELL_ESTIMATE;
    double mean = report__sheet_real(sheet, row, "ours"), sd = report__sheet_real(sheet, row, "sd");
    int digits = strcmp(report__sheet_word(sheet, row, "metric"), "failures_total") == 0 ? 0 : 2;
    begin_cell(mean, file);
    fprintf(file, " title=\"n %.0f, suites %.0f\">", report__sheet_real(sheet, row, "n"),
            known ? (double)cell->estimate->suites : 0.0);
    fputs(isnan(mean) ? "<span>" : "<span class=v>", file);
    report__html_real(file, mean, digits);
    fputs("</span>", file);
    if (!isnan(sd))
        fprintf(file, " <span class=sd>(%.2f)</span>", sd);
    if (known && cell->estimate->interval == COR_INTERVAL_FEW_SUITES)
        fprintf(file, "<br><span class=ci>[?, ?]#</span>");
    else if (known && cell->estimate->interval != COR_INTERVAL_NONE)
        fprintf(file, "<br><span class=ci>[%.2f, %.2f]%s</span>", cell->estimate->low, cell->estimate->high,
                cell->estimate->interval == COR_INTERVAL_CLOPPER_PEARSON ? "*" : "");
    put_paper(sheet, row, digits, file);
    fputs("</td>", file);
}

/* How many published figures of a table lie in our intervals. */
static void put_published(const struct cor_sheet *figures, const char *table, FILE *file) {
    size_t published = 0, inside = 0, below = 0, above = 0;
    for (size_t row = 0; row < cor_sheet_size(figures); row++) {
        const char relation = *report__sheet_word(figures, row, "relation");
        if (strcmp(table, report__sheet_word(figures, row, "table")) != 0 ||
            isnan(report__sheet_real(figures, row, "paper_mean")))
            continue;
        published++;
        inside += relation == '=' || relation == '?';
        below += relation == '<';
        above += relation == '>';
    }
    fputs("<span class=insight data-of=figures>", file);
    if (published == 0)
        fputs("No figure of these arms was published.</span>", file);
    else
        fprintf(file,
                "Of %zu published figures %zu lie in our interval; ours lies below %zu and above %zu; %zu "
                "have no interval to compare with.</span>",
                published, inside, below, above, published - inside - below - above);
}

static void page_tables(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *figures = cor_sheets_find(report->view[REPORT__OF_tables], "figures");
    const char *table = "";
    for (size_t row = 0; row < cor_sheet_size(figures); row++) {
        if (strcmp(table, report__sheet_word(figures, row, "table")) == 0)
            continue;
        table = report__sheet_word(figures, row, "table");
        fputs("<details><summary><h3>", file);
        cor_html_text(file, table);
        fputs("</h3> ", file);
        put_published(figures, table, file);
        fputs("</summary>\n", file);
        report__matrix_html(&(struct report__matrix){.sheet = figures,
                                                     .line_key = "metric",
                                                     .line_shown = "label",
                                                     .column_key = "arm",
                                                     .group_key = "table",
                                                     .group = table,
                                                     .heading = "Metric",
                                                     .class = "figures",
                                                     .put_heading = put_short,
                                                     .put_cell = put_figure},
                            file);
        fputs("</details>\n", file);
    }
    fprintf(file,
            "<p class=legend>Mean over test sequences (standard deviation over the same), below it the "
            "interval at %g %% over suites; * all suites agree: exact binomial interval; # no interval: a "
            "few suites decide the figure. Depths are those of sequences with a "
            "detection only; the others are censored: see <a "
            "href=\"#survival\">time to detection</a>.",
            100 * report->options.level);
    if (cor_sheets_find(report->view[REPORT__OF_tables], "claims"))
        fputs(" Last line, where the arm is one of the paper's: its figure; = it lies in our interval, ? "
              "likewise, "
              "but that is too wide to mean something, &lt; ours lies below it, &gt; above; ! the published "
              "figure "
              "is doubtful (why: point at it); ~ it follows from figures that are printed.",
              file);
    if (report->arm_count > REPORT__ARMS_MAX)
        fprintf(file, " The first %d arms are shown; <code>corridor show FILE tables</code> has all.",
                REPORT__ARMS_MAX);
    fputs(" Definitions: docs/evidence/statistics.md.</p>\n", file);
}

enum { CONSTRAINTS_PUT = 12 };

/* "gray.agent_missing": the box, the rule and the check, in lines. */
static void put_oracle(const char *word, FILE *file) {
    const char *check = strchr(word, '.');
    const struct cor_term *term = NULL;
    if (check) {
        fprintf(file, "<span class=\"box %.*s\">%.*s</span><br>", (int)(check - word), word,
                (int)(check - word), word);
        term = cor_term(COR_FAMILY_CHECK, cor_term_number(COR_FAMILY_CHECK, check + 1));
    }
    fprintf(file, "%s%s<span class=after>", term ? term->rule : "C6", term ? "<br>" : " ");
    for (const char *c = check ? check + 1 : word; *c; c++)
        fputc(*c == '_' ? ' ' : *c, file);
    fputs("</span>", file);
}

/* Of checks of the corridor's own constraints, which stand in one column each: the constraints' names. */
static void put_own_constraints(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *failures = cor_sheets_find(report->view[REPORT__OF_tables], "failures");
    const size_t rows = failures ? cor_sheet_size(failures) : 0;
    size_t put = 0;
    for (size_t row = 0; row < rows && put < CONSTRAINTS_PUT; row++) {
        const char *class = report__sheet_word(failures, row, "class"), *end;
        const char *sentence = report__sheet_word(failures, row, "sentence");
        if (*sentence != '"' || !(end = strchr(sentence + 1, '"')) ||
            (!strstr(class, "constraint_violated") && !strstr(class, "formula_violated")))
            continue;
        fputs(put++ == 0 ? "<p><b>Constraints of the corridor: " : "; ", file);
        char name[COR_CELL];
        snprintf(name, sizeof name, "%.*s", (int)(end + 1 - sentence), sentence);
        cor_html_short(file, name, 100);
        fputs(" in ", file);
        report__html_count(file, report__sheet_count(failures, row, "sequences"));
        fputs(" sequences of ", file);
        cor_html_short(file, report__sheet_word(failures, row, "arm"), 48);
    }
    fputs(put > 0 ? ".</b></p>\n" : "", file);
}

static void put_kill(const struct report__matrix *matrix, size_t row, FILE *file) {
    const struct cor_sheet *sheet = matrix->sheet, *arms = matrix->lines;
    double sequences = report__sheet_real(sheet, row, "sequences"), all = NAN;
    for (size_t a = 0; a < cor_sheet_size(arms); a++)
        if (strcmp(report__sheet_word(arms, a, "arm"), report__sheet_word(sheet, row, "arm")) == 0)
            all = report__sheet_real(arms, a, "sequences");
    begin_cell(sequences, file);
    fprintf(file,
            " class=heat style=\"--v:%.3f\" title=\"%.1f %% of the sequences; %.0f cases, in %.0f of them "
            "alone; %.0f suites\">",
            sequences / all, 100 * sequences / all, report__sheet_real(sheet, row, "cases"),
            report__sheet_real(sheet, row, "alone"), report__sheet_real(sheet, row, "suites"));
    report__html_count(file, report__sheet_count(sheet, row, "sequences"));
    fputs("</td>", file);
}

/* Sheets as matrices; the failure explorer. */
static void page_kills(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *kills = cor_sheets_find(report->view[REPORT__OF_survival], "kills");
    if (cor_sheet_size(kills) == 0) {
        fputs("<p>No check was violated.</p>\n", file);
        return;
    }
    if (report__sheet_rows_with(kills, "rule", "corridor") < cor_sheet_size(kills))
        report__page_insight(REPORT__OF_survival, kills, "p", file);
    put_own_constraints(report, file);
    report__matrix_html(
        &(struct report__matrix){.sheet = kills,
                                 .lines = cor_sheets_find(report->view[REPORT__OF_survival], "arms"),
                                 .line_key = "arm",
                                 .column_key = "oracle",
                                 .heading = "Arm",
                                 .class = "sorts kills",
                                 .put_heading = put_oracle,
                                 .put_cell = put_kill},
        file);
    fputs("<p class=legend>C1: each agent occurs exactly once; C2: only agents of the system; C3: no empty "
          "partition; C4: sizes within limits; C5: number of partitions within limits; C6: the algorithm "
          "ends with a result; C7: the structure is the accepted solution. <b>gray</b>: R-Solution, what the "
          "algorithm proposes; <b>black</b>: R-Distribution, the structure after adoption; <b>detect</b>: "
          "R-Detect, the alarms. Stronger colour: a larger share of the arm's sequences. Checks that nothing "
          "violated are left out.</p>\n",
          file);
}

static void put_p(const struct report__matrix *matrix, size_t row, FILE *file) {
    double p = report__sheet_real(matrix->sheet, row, "p_holm");
    begin_cell(p, file);
    if (isnan(p))
        fputs(" class=na>\xe2\x80\x93</td>", file);
    else if (p < 0.001)
        fputs(" class=\"heat strong\" style=\"--v:.35\">&lt; 0.001</td>", file);
    else
        fprintf(file, "%s>%.3f</td>", p < 0.05 ? " class=heat style=\"--v:.15\"" : "", p);
}

static void page_pairs(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *pairs = cor_sheets_find(report->view[REPORT__OF_survival], "log_rank_pairs");
    if (!pairs || cor_sheet_size(pairs) == 0)
        return;
    fputs("<details><summary><h3>Which arms differ? p of log-rank tests of pairs, after Holm</h3> ", file);
    report__page_insight(REPORT__OF_survival, pairs, "span", file);
    fputs("</summary>\n<p>Sequences of one suite are alike and the test takes them as independent, so small "
          "p are too "
          "small.</p>\n",
          file);
    report__matrix_html(&(struct report__matrix){.sheet = pairs,
                                                 .line_key = "second",
                                                 .column_key = "first",
                                                 .heading = "",
                                                 .class = "pairs",
                                                 .put_heading = put_short,
                                                 .put_cell = put_p},
                        file);
    fputs("</details>\n", file);
}

/* ---- the page of a result file of the interaction layer: which views it shows, and in which sections */

#define FEATURES 6 /* of a ranking that are shown */

static enum cor_status read_views(struct cor_report *report, struct cor_error *error) {
    const struct cor_view_request all = {
        .result = report->result, .level = report->options.level, .suite = COR_ANY_SUITE};
    report__say_doing(report, "computing the tables");
    COR_TRY(report__look(report, "tables", &all, &report->view[REPORT__OF_tables], error));
    report__say_doing(report, "computing times to detection");
    COR_TRY(report__look(report, "survival", &all, &report->view[REPORT__OF_survival], error));
    report__say_doing(report, "computing coverage");
    COR_TRY(report__look(report, "coverage", &all, &report->view[REPORT__OF_coverage], error));
    /* The environments of all arms together, as far as they are drawn. */
    const struct cor_sheet *environments = cor_sheets_find(report->view[REPORT__OF_coverage], "environments"),
                           *states = cor_sheets_find(report->view[REPORT__OF_coverage], "states");
    report->environment = cor_calloc(REPORT__ENVIRONMENTS_MAX, sizeof *report->environment);
    COR_TRY(cor_made(report->environment, error));
    for (size_t row = 0; row < cor_sheet_size(environments); row++) {
        if (strcmp(report__sheet_word(environments, row, "arm"), "all") != 0 ||
            report->environment_count == REPORT__ENVIRONMENTS_MAX)
            continue;
        struct report__environment *it = &report->environment[report->environment_count++];
        it->name = report__sheet_word(environments, row, "environment");
        it->code = (uint16_t)report__sheet_count(environments, row, "code");
        it->fixed =
            cor_sheet_cell(environments, row, cor_sheet_column(environments, "same_in_all_suites"))->flag;
        for (size_t s = 0; s < cor_sheet_size(states); s++)
            it->states += strcmp(report__sheet_word(states, s, "arm"), "all") == 0 &&
                          strcmp(report__sheet_word(states, s, "environment"), it->name) == 0;
    }
    if (cor_result_size(report->result, COR_TABLE_TRAPS) > 0)
        COR_TRY(report__look(report, "traps", &all, &report->view[REPORT__OF_traps], error));
    if (cor_result_size(report->result, COR_TABLE_MECHANISMS) > 0) {
        report__say_doing(report, "comparing forms of arms");
        COR_TRY(report__look(report, "mechanisms", &all, &report->view[REPORT__OF_mechanisms], error));
    }
    if (cor_has_properties(report->head)) {
        report__say_doing(report, "deciding its properties");
        COR_TRY(report__look(report, "decisions", &all, &report->view[REPORT__OF_decisions], error));
    }
    report__say_doing(report, "choosing failures");
    COR_TRY(report__failures_init(&report->failures, report->result,
                                  cor_sheets_find(report->view[REPORT__OF_tables], "failures"), error));
    report__say_doing(report, "ranking what goes with failing");
    const struct cor_sheet *happened = cor_sheets_find(report->view[REPORT__OF_tables], "reorganizations");
    struct cor_view_request request = all;
    COR_TRY(cor_made(report->ranking = cor_calloc(report->arm_count, sizeof *report->ranking), error));
    request.rows = FEATURES;
    request.unit = COR_RANKED_UNIT_REORGANIZATION;
    request.score = COR_SCORE_OCHIAI;
    for (size_t a = 0; a < report->arm_count && a < REPORT__ARMS_MAX; a++) {
        if (report__sheet_count(happened, a, "gray") + report__sheet_count(happened, a, "black") == 0)
            continue;
        request.arm = report->arm[a].name;
        COR_TRY(report__look(report, "ranking", &request, &report->ranking[a], error));
    }
    return COR_OK;
}

static enum cor_status plot_all(struct cor_report *report, struct cor_error *error) {
    COR_TRY(report__plot_survival(report, error));
    COR_TRY(report__plot_decisions(report, error));
    COR_TRY(report__plot_growth(report, error));
    COR_TRY(report__plot_heat(report, error));
    return report__plot_trees(report, error);
}

static void write_claims_headline(const struct cor_report *report, FILE *file) {
    const struct cor_sheet *claims = cor_sheets_find(report->view[REPORT__OF_tables], "claims");
    size_t holding = report__sheet_rows_with(claims, "verdict", "holds"),
           failing = report__sheet_rows_with(claims, "verdict", "does_not_hold"),
           undecided = report__sheet_rows_with(claims, "verdict", "undecided");
    fprintf(file,
            "<p class=headline>Of the claims of the paper that can be judged here <strong>%zu</strong> hold, "
            "<strong>%zu</strong> do not, and %zu stay undecided: this file does not say enough.</p>\n",
            holding, failing, undecided);
}

static void write_curves(const struct cor_report *report, FILE *file) {
    fputs(
        "<p>A curve: share of the sequences of an arm still without a detection by either box after so many "
        "test cases (Kaplan\xe2\x80\x93Meier; intervals are below). An arm without a detection has no "
        "curve.</p>\n<div class=\"multiples one\">\n",
        file);
    report__figure_html(&report->figures, file, "survival-01", "Sequences without a detection");
    fputs("</div>\n", file);
}

static void write_maps(const struct cor_report *report, FILE *file) {
    char name[REPORT__FIGURE_NAME], caption[160];
    fputs(
        "<h3>How it grows</h3>\n<p>Mean share that a chain has seen after so many cases of its sequence; by "
        "mass: each transition weighted by how often it occurs in the long run.</p>\n<div class=multiples>\n",
        file);
    for (size_t e = 0; e < report->environment_count; e++) {
        if (e == 1)
            fputs("</div>\n<details><summary><h3>How it grows in each environment</h3></summary>\n<div "
                  "class=multiples>\n",
                  file);
        report__figure_name(name, "growth", e);
        report__figure_html(&report->figures, file, name,
                            e == 0 ? "all environments" : report->environment[e].name);
    }
    fputs("</div>\n", file);
    if (report->environment_count > 1)
        fputs("</details>\n", file);
    fputs("<details><summary><h3>Where the walks went</h3></summary>\n<p>How often each transition was "
          "taken, in decades; "
          "framed: possible but never taken; blank: not possible.</p>\n<div class=\"multiples large\">\n",
          file);
    for (size_t e = 1; e < report->environment_count; e++) {
        report__figure_name(name, "heat", e);
        snprintf(caption, sizeof caption, "%.100s%s", report->environment[e].name,
                 report->environment[e].fixed ? "" : ", one profile of many");
        report__figure_html(&report->figures, file, name, caption);
    }
    fputs("</div></details>\n", file);
}

static enum cor_status write_rankings(const struct cor_report *report, FILE *file, struct cor_error *error) {
    bool any = false;
    for (size_t a = 0; a < report->arm_count; a++)
        if (report->ranking[a]) {
            static const char *const ids[] = {"ranking", "causes", "symptoms"};
            char name[REPORT__FIGURE_NAME];
            COR_ASSERT(a < report->arm_count && report->ranking[a]);
            fputs("<details><summary><h3>", file);
            cor_html_short(file, report->arm[a].name, 48);
            fputs("</h3> ", file);
            report__page_insight(REPORT__OF_ranking, cor_sheets_find(report->ranking[a], "causes"), "span",
                                 file);
            fputs("</summary>\n", file);
            for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
                COR_TRY(report__page_sheet(REPORT__OF_ranking, cor_sheets_find(report->ranking[a], ids[i]),
                                           false, file, error));
            report__figure_name(name, "tree", a);
            report__figure_html(&report->figures, file, name, "Where the verdicts of a suite part");
            fputs("</details>\n", file);
            any = true;
        }
    if (!any)
        fputs("<p>No box failed a reorganization: there is nothing to explain.</p>\n", file);
    return COR_OK;
}

/* Claims are judged where an arm of the paper ran. */
static bool has_claims(const struct cor_report *report) {
    return cor_sheets_find(report->view[REPORT__OF_tables], "claims") != NULL;
}

static bool has_traps(const struct cor_report *report) {
    return report->view[REPORT__OF_traps] != NULL;
}

static bool has_monitors(const struct cor_report *report) {
    for (size_t a = 0; a < report->arm_count; a++)
        if (report->arm[a].has_monitors)
            return true;
    return false;
}

static bool has_mechanisms(const struct cor_report *report) {
    return report->view[REPORT__OF_mechanisms] != NULL;
}

static bool has_decisions(const struct cor_report *report) {
    return report->view[REPORT__OF_decisions] != NULL;
}

static const struct report__section sections[] = {
    {.id = "glance",
     .shorter = "At a glance",
     .heading = "At a glance",
     .before = report__page_headline,
     .sheet = {{REPORT__OF_tables, "found", false}}},
    {.id = "kills",
     .shorter = "What caught it",
     .heading = "What caught it",
     .sentence = "Sequences in which a check was violated, by the box through which it was seen. Checks are "
                 "the oracle's: it trusts neither the algorithm nor the monitor.",
     .after = page_kills},
    {.id = "claims",
     .shorter = "Claims",
     .is_shown = has_claims,
     .heading = "Claims of the paper",
     .sentence = "What paper 003 says of its faults in general and what its tables show, each a sentence "
                 "that the figures of this file can bear out or contradict. It holds where our figure, or "
                 "its interval over suites, is as the sentence says; the figures are below.",
     .before = write_claims_headline,
     .sheet = {{REPORT__OF_tables, "claims", false},
               {REPORT__OF_tables, "claim_parts", true},
               {REPORT__OF_tables, "agreement", true}}},
    {.id = "decisions",
     .shorter = "Decisions",
     .is_shown = has_decisions,
     .heading = "Decisions",
     .sentence =
         "Properties that the experiment states, decided by suites in their order. More: <code>corridor "
         "decide</code>, docs/do/decide.md.",
     .before = report__page_decisions,
     .sheet = {{REPORT__OF_decisions, "decisions", false}}},
    {.id = "monitors",
     .shorter = "Monitors",
     .is_shown = has_monitors,
     .heading = "Monitors under test",
     .sentence = "Alarms of each arm against the oracle (R-Detect): which it missed, which were false. More: "
                 "<code>corridor show FILE</code>, docs/do/monitors.md.",
     .sheet = {{REPORT__OF_tables, "checks", false}}},
    {.id = "mechanisms",
     .shorter = "Mechanisms",
     .is_shown = has_mechanisms,
     .heading = "Mechanisms beside the algorithm",
     .sentence = "Arms that are there bare, with mechanisms (integrated), and with chains in their places "
                 "(isolated): "
                 "which failures mechanisms mask, and at which cost. More: <code>corridor show FILE "
                 "mechanisms</code>, docs/evidence/mechanism.md.",
     .sheet = {{REPORT__OF_mechanisms, "masking", false}, {REPORT__OF_mechanisms, "forms", false}}},
    {.id = "survival",
     .shorter = "Time to detection",
     .heading = "Time to detection",
     .sentence = "Depth: the test case of the first detection by either box; a sequence without one only "
                 "says that its depth exceeds its length. More: <code>corridor show FILE survival</code>.",
     .before = write_curves,
     .sheet = {{REPORT__OF_survival, "arms", false},
               {REPORT__OF_survival, "points", false},
               {REPORT__OF_survival, "failures", true},
               {REPORT__OF_survival, "log_rank", true}},
     .after = page_pairs},
    {.id = "tables",
     .shorter = "Tables",
     .heading = "Tables",
     .before = page_tables,
     .sheet = {{REPORT__OF_tables, "identities", true}}},
    {.id = "coverage",
     .shorter = "Coverage",
     .heading = "Coverage of the environment",
     .sentence = "What the walks of the environment saw of its profiles. More: <code>corridor "
                 "coverage</code>, docs/evidence/statistics.md.",
     .sheet = {{REPORT__OF_coverage, "environments", false},
               {REPORT__OF_coverage, "covered", true},
               {REPORT__OF_coverage, "arms", true},
               {REPORT__OF_coverage, "missed", true}},
     .after = write_maps},
    {.id = "traps",
     .shorter = "Traps",
     .heading = "Traps",
     .sentence =
         "Conditions over test cases to which walks of the environment were steered, and how rare they are "
         "when walks follow the profiles. More: <code>corridor show FILE traps</code>.",
     .is_shown = has_traps,
     .sheet = {{REPORT__OF_traps, "arms", false},
               {REPORT__OF_traps, "traps", true},
               {REPORT__OF_traps, "growth", true}}},
    {.id = "features",
     .shorter = "What goes with failing",
     .heading = "What goes with failing",
     .sentence = "Properties of environment, structure and configuration that failing reorganizations share "
                 "and passing ones do not, the best of each arm; below them what the algorithm then did, a "
                 "symptom rather than a cause. All of them: <code>corridor tree</code>.",
     .within = write_rankings},
    {.id = "failures", .shorter = "Failures", .heading = "Failures", .after = put_failures},
    {.id = "provenance", .shorter = "Provenance", .heading = "Provenance", .after = report__page_provenance},
};

const struct report__page_kind report__page_of_interaction = {.layer = &cor_interaction_schema,
                                                              .read = read_views,
                                                              .plot = plot_all,
                                                              .put_facts = report__page_facts,
                                                              .sections = sections,
                                                              .section_count =
                                                                  sizeof sections / sizeof *sections};
