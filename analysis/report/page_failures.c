/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page.h"
#include "page_html.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/identities.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    struct cor_suite_reader *reader = NULL;
    const struct cor_suite_rows *suite;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_suite_reader_create(choice->result, readings, count, &reader, error));
    for (;;) {
        COR_TRY_OUT(cor_suite_reader_next(reader, &suite, error));
        if (!suite)
            break;
        for (size_t s = 0; s < suite->row.sequences; s++)
            COR_TRY_OUT(visit_sequence(choice, suite, s, visit_case, error));
    }
out:
    cor_suite_reader_destroy(reader);
    return status;
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

static enum cor_status add_solution(struct choice *choice, const struct cor_failure_row *row,
                                    struct report__shown_failure *shown, struct cor_error *error) {
    uint64_t held = cor_result_vector_size(choice->result, COR_VECTOR_SOLUTION_BLOCK_SIZE);
    uint32_t wanted = row->blocks < REPORT__BLOCKS ? row->blocks : REPORT__BLOCKS;
    if (row->block_start > held || row->blocks > held - row->block_start)
        return cor_damaged(error, COR_TABLE_FAILURES, "a solution lies behind the end of its vector");
    shown->solved = true;
    shown->blocks = row->blocks;
    return wanted == 0 ? COR_OK
                       : cor_result_read_vector(choice->result, COR_VECTOR_SOLUTION_BLOCK_SIZE,
                                                row->block_start, wanted, shown->block, error);
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
        if (rows->failures[f].case_ == one->place.case_)
            COR_TRY(add_solution(choice, &rows->failures[f], shown, error));
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
    free(choice.seen);
    free(choice.masked);
    free(choice.first);
    return status;
}

void report__failures_fini(struct report__failures *failures) {
    free(failures->arm);
    free(failures->shown);
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
    free(key);
    free(quoted);
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

void report__page_failures(const struct cor_report *report, FILE *file) {
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
