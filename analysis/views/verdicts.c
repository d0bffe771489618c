/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdicts of a result file, whatever layer it is of. */
#include "layer_verdicts.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/failing.h>
#include <corridor/identities.h>
#include <corridor/letters.h>
#include <corridor/test_points.h>
#include <corridor/verdicts.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- JUnit XML and TAP 13 (https://testanything.org/tap-version-13-specification.html): their frames, and
 * their letters, where what readers would take amiss is escaped or replaced */

/* Characters that XML 1.0 allows (section 2.2). */
static bool is_xml(uint32_t code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code != 0xfffe && code != 0xffff);
}

/* Text for an attribute or for between tags. Line ends and tabs are written as references: a reader turns
 * those of an attribute into blanks. */
void views__put_xml(const char *text, FILE *file) {
    for (size_t size; *text; text += size > 0 ? size : 1) {
        uint32_t code = 0;
        size = cor_utf8_code(text, &code);
        if (size == 0 || !is_xml(code) || (code >= 0x7f && cor_is_control(code)))
            fputs(COR_UNSAYABLE, file);
        else if (code < 0x20 || (code < 0x80 && code > 0 && strchr("&<>\"'", (int)code)))
            fprintf(file, "&#%" PRIu32 ";", code);
        else
            fwrite(text, 1, size, file);
    }
}

void views__put_attribute(const char *name, const char *text, FILE *file) {
    fprintf(file, " %s=\"", name);
    views__put_xml(text, file);
    fputc('"', file);
}

void views__put_property(const char *name, const char *value, FILE *file) {
    fprintf(file, "        <property name=\"%s\"", name);
    views__put_attribute("value", value, file);
    fputs("/>\n", file);
}

/* Characters that some reader takes for the end of a line, or a terminal for an order. */
static bool is_control(uint32_t code) {
    return cor_is_control(code) || code == 0xfeff || code == 0xfffe || code == 0xffff;
}

/* The description of a test point: what stands behind a bare # would be a directive. */
void views__put_description(const char *text, FILE *file) {
    for (size_t size; *text; text += size > 0 ? size : 1) {
        uint32_t code = 0;
        size = cor_utf8_code(text, &code);
        if (size == 0 || is_control(code))
            fputs(COR_UNSAYABLE, file);
        else {
            fputs(code == '#' || code == '\\' ? "\\" : "", file);
            fwrite(text, 1, size, file);
        }
    }
}

/* A double-quoted scalar of YAML. */
void views__put_scalar(const char *text, FILE *file) {
    for (size_t size; *text; text += size > 0 ? size : 1) {
        uint32_t code = 0;
        size = cor_utf8_code(text, &code);
        if (size == 0)
            fputs(COR_UNSAYABLE, file);
        else if (code == '"' || code == '\\')
            fprintf(file, "\\%c", (char)code);
        else if (code == '\n')
            fputs("\\n", file);
        else if (is_control(code))
            fprintf(file, code < 0x100 ? "\\x%02" PRIx32 : "\\u%04" PRIx32, code);
        else
            fwrite(text, 1, size, file);
    }
}

void views__put_scalar_text(const char *indent, const char *key, const char *text, FILE *file) {
    fprintf(file, "%s%s: \"", indent, key);
    views__put_scalar(text, file);
    fputs("\"\n", file);
}

static struct views__test test_at(const struct views__test_list *list, size_t index) {
    return list->test(list->with, index);
}

/* Of `tests` tests from `first` on. */
static void put_counts(const struct views__test_list *list, size_t first, size_t tests, FILE *file) {
    size_t count[VIEWS__TEST_RESULTS] = {0};
    for (size_t t = first; t < first + tests; t++)
        count[test_at(list, t).result]++;
    fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", tests,
            count[VIEWS__TEST_FAILED], count[VIEWS__TEST_ERROR], count[VIEWS__TEST_SKIPPED]);
}

static enum cor_status write_junit(const struct views__test_list *list, FILE *file, struct cor_error *error) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"corridor\"", file);
    put_counts(list, 0, list->tests, file);
    fputs(">\n", file);
    for (size_t first = 0, length; first < list->tests; first += length) {
        const char *suite = test_at(list, first).suite;
        size_t end = first + 1;
        while (end < list->tests && strcmp(test_at(list, end).suite, suite) == 0)
            end++;
        length = end - first;
        fputs("  <testsuite", file);
        views__put_attribute("name", test_at(list, first).suite, file);
        put_counts(list, first, length, file);
        fputs(">\n", file);
        if (list->put_suite)
            list->put_suite(list->with, file);
        for (size_t t = first; t < first + length; t++) {
            fputs("    <testcase", file);
            list->put_case(list->with, t, file);
            fputs("    </testcase>\n", file);
        }
        fputs("  </testsuite>\n", file);
    }
    fputs("</testsuites>\n", file);
    return cor_stream_status(file, error);
}

static enum cor_status write_tap(const struct views__test_list *list, FILE *file, struct cor_error *error) {
    fprintf(file, "TAP version 13\n1..%zu%s%s\n", list->tests, list->tests == 0 ? " # SKIP " : "",
            list->tests == 0 ? list->none : "");
    for (size_t t = 0; t < list->tests; t++) {
        const enum views__test_result result = test_at(list, t).result;
        fprintf(file, "%s %zu - ",
                result == VIEWS__TEST_PASSED || result == VIEWS__TEST_SKIPPED ? "ok" : "not ok", t + 1);
        list->put_point(list->with, t, file);
    }
    return cor_stream_status(file, error);
}

/* ---- verdicts that a layer says in SQL */

/* Columns of an answer of tests. */
enum { SUITE, NAME, RESULT, TYPE, SKIP, MESSAGE, POINT, PROPERTIES };

static const struct cor_query_value *told_at(const struct cor_query_answer *told, size_t index) {
    return &told->values[index * told->columns];
}

static struct views__test told_test(const void *with, size_t index) {
    static const char *const results[] = {[VIEWS__TEST_PASSED] = "passed",
                                          [VIEWS__TEST_FAILED] = "failed",
                                          [VIEWS__TEST_ERROR] = "error",
                                          [VIEWS__TEST_SKIPPED] = "skipped"};
    const struct cor_query_value *row = told_at(with, index);
    struct views__test test = {row[SUITE].text, VIEWS__TEST_PASSED};
    while (strcmp(results[test.result], row[RESULT].text) != 0)
        test.result++;
    return test;
}

static void put_told_case(const void *with, size_t index, FILE *file) {
    static const char *const elements[] = {
        [VIEWS__TEST_FAILED] = "failure", [VIEWS__TEST_ERROR] = "error", [VIEWS__TEST_SKIPPED] = "skipped"};
    const struct cor_query_answer *told = with;
    const struct cor_query_value *row = told_at(told, index);
    const enum views__test_result result = told_test(with, index).result;
    views__put_attribute("classname", row[SUITE].text, file);
    views__put_attribute("name", row[NAME].text, file);
    fputs(">\n      <properties>\n", file);
    for (uint32_t c = PROPERTIES; c < told->columns; c++) {
        char number[COR_CELL];
        cor_integer_text((uint64_t)row[c].integer, number);
        views__put_property(told->names[c], row[c].kind == COR_QUERY_TEXT ? row[c].text : number, file);
    }
    fputs("      </properties>\n", file);
    if (result == VIEWS__TEST_PASSED)
        return;
    fprintf(file, "      <%s", elements[result]);
    if (result != VIEWS__TEST_SKIPPED && row[TYPE].text)
        views__put_attribute("type", row[TYPE].text, file);
    views__put_attribute("message", row[MESSAGE].text, file);
    fputs("/>\n", file);
}

static void put_told_point(const void *with, size_t index, FILE *file) {
    const struct cor_query_answer *told = with;
    const struct cor_query_value *row = told_at(told, index);
    views__put_description(row[POINT].text, file);
    if (told_test(with, index).result == VIEWS__TEST_SKIPPED) {
        fputs(" # SKIP ", file);
        views__put_description(row[SKIP].text, file);
    }
    fputs("\n  ---\n", file);
    for (uint32_t c = PROPERTIES; c < told->columns; c++)
        if (row[c].kind == COR_QUERY_TEXT)
            views__put_scalar_text("  ", told->names[c], row[c].text, file);
        else
            fprintf(file, "  %s: %" PRId64 "\n", told->names[c], row[c].integer);
    views__put_scalar_text("  ", "message", row[MESSAGE].text, file);
    fputs("  ...\n", file);
}

static enum cor_status write_asked(const struct views__asked_verdicts *asked, struct cor_result *result,
                                   views__write_list *write, FILE *file, struct cor_error *error) {
    const struct cor_view_request request = {.result = result, .suite = COR_ANY_SUITE};
    struct cor_query_answer told = {0};
    struct views__asking asking;
    COR_TRY(views__asking_init(asked->source, &request, &asking, error));
    enum cor_status status = cor_query_collect(asking.query, asked->tests, asking.given, &told, error);
    const struct views__test_list list = {.with = &told,
                                          .tests = told.rows,
                                          .test = told_test,
                                          .put_case = put_told_case,
                                          .put_point = put_told_point,
                                          .none = asked->none};
    if (status == COR_OK)
        status = write(&list, file, error);
    cor_query_answer_fini(&told);
    views__asking_fini(&asking);
    return status;
}

enum cor_status views__ask_findings(const struct views__asking *asking, const char *text,
                                    struct cor_view_findings *findings, struct cor_error *error) {
    const struct {
        const char *name;
        size_t *count;
    } counts[] = {{"undetected", &findings->undetected},
                  {"unexpected", &findings->unexpected},
                  {"failed", &findings->failed},
                  {"undecided", &findings->undecided}};
    struct cor_query_answer answer;
    const enum cor_status status = cor_query_collect(asking->query, text, asking->given, &answer, error);
    for (uint32_t c = 0; status == COR_OK && c < answer.columns; c++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            if (strcmp(counts[i].name, answer.names[c]) == 0)
                *counts[i].count += (size_t)answer.values[c].integer;
    cor_query_answer_fini(&answer);
    return status;
}

static enum cor_status count_asked(const struct views__asked_verdicts *asked, struct cor_result *result,
                                   struct cor_view_findings *findings, struct cor_error *error) {
    const struct cor_view_request request = {.result = result, .suite = COR_ANY_SUITE};
    struct views__asking asking;
    COR_TRY(views__asking_init(asked->source, &request, &asking, error));
    const enum cor_status status = views__ask_findings(&asking, asked->findings, findings, error);
    views__asking_fini(&asking);
    return status;
}

static enum cor_status sum_asked(const struct views__asked_verdicts *asked,
                                 const struct cor_view_request *request, struct views__summary *summary,
                                 struct cor_view_findings *findings, struct cor_error *error) {
    COR_FINISHED(views__asking) struct views__asking asking = {0};
    COR_TRY(views__asking_init(asked->source, request, &asking, error));
    COR_TRY(cor_query_collect(asking.query, asked->arms, asking.given, &summary->of_arms, error));
    for (size_t a = 0; a < summary->of_arms.rows; a++) {
        const struct cor_query_value *row = told_at(&summary->of_arms, a);
        views__summary_arm(summary, &(struct views__summary_arm){.name = row[0].text,
                                                                 .verdict = row[1].text,
                                                                 .is_good = row[2].integer,
                                                                 .is_found = row[3].integer,
                                                                 .hits = (uint64_t)row[4].integer,
                                                                 .tries = (uint64_t)row[5].integer});
        summary->suites += (uint64_t)row[6].integer;
        summary->cases += (uint64_t)row[7].integer;
        summary->counted = row[8].text;
    }
    const size_t worst = views__summary_worst(summary);
    const char *arm = worst == SIZE_MAX ? "" : summary->arms[worst].name; /* no arm is called "" */
    views__give(&asking, ":arm", (struct cor_query_value){COR_QUERY_TEXT, .text = arm});
    COR_TRY(cor_query_collect(asking.query, asked->leads, asking.given, &summary->leads, error));
    for (size_t l = 0; l < summary->leads.rows; l++) {
        const struct cor_query_value *row = told_at(&summary->leads, l);
        if (row[1].text)
            views__summary_say(summary, row[0].text, COR_TONE_PLAIN, "%s", row[1].text);
        else if (row[4].text)
            views__summary_next(summary, row[0].text, row[2].text, row[3].text, row[4].text, row[5].text);
        else
            views__summary_next_of(summary, row[0].text, row[2].text, row[3].text);
    }
    return views__ask_findings(&asking, asked->findings, findings, error);
}

/* ---- a result file of any layer */

static const struct views__layer_verdicts *verdicts_of(const struct cor_result *result) {
    static const struct views__layer_verdicts *const layers[] = {
#define VIEWS__VERDICTS(word) &views__verdicts_of_##word,
        COR_LAYERS(VIEWS__VERDICTS)
#undef VIEWS__VERDICTS
    };
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (layers[i]->layer == cor_result_head(result)->layer)
            return layers[i];
    return NULL;
}

enum cor_status cor_result_findings(struct cor_result *result, struct cor_view_findings *findings,
                                    struct cor_error *error) {
    const struct views__layer_verdicts *verdicts = verdicts_of(result);
    *findings = (struct cor_view_findings){0};
    return verdicts && verdicts->asked   ? count_asked(verdicts->asked, result, findings, error)
           : verdicts && verdicts->count ? verdicts->count(result, findings, error)
                                         : COR_OK;
}

static enum cor_status write_verdicts(struct cor_result *result, views__write_list *write, FILE *file,
                                      struct cor_error *error) {
    const struct views__layer_verdicts *verdicts = verdicts_of(result);
    if (verdicts && verdicts->asked && verdicts->asked->tests)
        return write_asked(verdicts->asked, result, write, file, error);
    if (verdicts && verdicts->write)
        return verdicts->write(result, write, file, error);
    return cor_fail(error, COR_STATUS_INPUT, "--format", "show it with corridor show",
                    "the file holds %s, which give no verdicts", cor_result_head(result)->layer->holds);
}

enum cor_status cor_result_junit(struct cor_result *result, FILE *file, struct cor_error *error) {
    return write_verdicts(result, write_junit, file, error);
}

enum cor_status cor_result_tap(struct cor_result *result, FILE *file, struct cor_error *error) {
    return write_verdicts(result, write_tap, file, error);
}

enum cor_status cor_result_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    const struct views__layer_verdicts *verdicts = verdicts_of(result);
    const struct cor_view_request request = {.result = result, .suite = COR_ANY_SUITE};
    struct views__asking asking;
    COR_ASSERT(verdicts->mutants);
    COR_TRY(views__asking_init(verdicts->asked->source, &request, &asking, error));
    const enum cor_status status = verdicts->mutants(&asking, sheets, error);
    views__asking_fini(&asking);
    return status == COR_OK ? cor_sheets_status(sheets, error) : status;
}

/* ---- test points */

static struct views__test point_of(const void *with, size_t index) {
    static const enum views__test_result results[] = {[COR_POINT_PASSED] = VIEWS__TEST_PASSED,
                                                      [COR_POINT_FAILED] = VIEWS__TEST_FAILED,
                                                      [COR_POINT_SKIPPED] = VIEWS__TEST_SKIPPED};
    const struct cor_test_point *point = (const struct cor_test_point *)with + index;
    return (struct views__test){point->suite, results[point->result]};
}

static void put_point_case(const void *with, size_t index, FILE *file) {
    const struct cor_test_point *point = (const struct cor_test_point *)with + index;
    static const char *const elements[] = {
        [COR_POINT_PASSED] = "system-out", [COR_POINT_FAILED] = "failure", [COR_POINT_SKIPPED] = "skipped"};
    views__put_attribute("classname", point->suite, file);
    views__put_attribute("name", point->name, file);
    fprintf(file, " time=\"%.3f\">\n      <properties>\n", point->seconds);
    views__put_property("meaning", point->meaning, file);
    if (point->again)
        views__put_property("again", point->again, file);
    fputs("      </properties>\n", file);
    if (point->message && point->result == COR_POINT_PASSED) {
        fputs("      <system-out>", file);
        views__put_xml(point->message, file);
        fputs("</system-out>\n", file);
    } else if (point->result != COR_POINT_PASSED) {
        fprintf(file, "      <%s", elements[point->result]);
        views__put_attribute("message", point->message ? point->message : "", file);
        fputs("/>\n", file);
    }
}

static void put_point_line(const void *with, size_t index, FILE *file) {
    const struct cor_test_point *point = (const struct cor_test_point *)with + index;
    views__put_description(point->suite, file);
    fputs(": ", file);
    views__put_description(point->name, file);
    if (point->result == COR_POINT_SKIPPED) {
        fputs(" # SKIP ", file);
        views__put_description(point->message ? point->message : "", file);
    }
    fputs("\n  ---\n", file);
    views__put_scalar_text("  ", "meaning", point->meaning, file);
    if (point->message)
        views__put_scalar_text("  ", "message", point->message, file);
    if (point->result == COR_POINT_FAILED)
        views__put_scalar_text("  ", "severity", "fail", file);
    if (point->again)
        views__put_scalar_text("  ", "again", point->again, file);
    fprintf(file, "  duration_ms: %.0f\n  ...\n", point->seconds * 1000);
}

static struct views__test_list list_of(const struct cor_test_point *points, size_t count) {
    return (struct views__test_list){
        points, count, point_of, NULL, put_point_case, put_point_line, "nothing was tested"};
}

enum cor_status cor_points_junit(const struct cor_test_point *points, size_t count, FILE *file,
                                 struct cor_error *error) {
    const struct views__test_list list = list_of(points, count);
    return write_junit(&list, file, error);
}

enum cor_status cor_points_tap(const struct cor_test_point *points, size_t count, FILE *file,
                               struct cor_error *error) {
    const struct views__test_list list = list_of(points, count);
    return write_tap(&list, file, error);
}

/* ---- what the verdict on an arm is, and why; as JUnit XML and as TAP */

static const struct {
    const char *word;
    enum views__test_result result;
    const char *kind;
} outcomes[] = {
#define COR_ARM_OUTCOME(NAME, word, result, kind) {word, VIEWS__TEST_##result, kind},
    COR_ARM_OUTCOMES(COR_ARM_OUTCOME)
#undef COR_ARM_OUTCOME
};

const char *cor_arm_outcome_word(enum cor_arm_outcome outcome) {
    COR_ASSERT(outcome < COR_ARM_OUTCOME_COUNT);
    return outcomes[outcome].word;
}

bool cor_arm_outcome_is_good(enum cor_arm_outcome outcome) {
    COR_ASSERT(outcome < COR_ARM_OUTCOME_COUNT);
    return outcomes[outcome].result == VIEWS__TEST_PASSED;
}

static const struct cor_identity_tally *broken_identity(const struct cor_arm_measurement *arm) {
    for (int i = 0; i < COR_IDENTITY_COUNT; i++)
        if (arm->identity[i].broken > 0)
            return &arm->identity[i];
    return NULL;
}

/* The constraint that is violated most often though no box saw anything: what is said of time, or between two
 * moves of an adoption; UINT32_MAX: none. */
static uint32_t violated_beside(const struct cor_arm_measurement *arm) {
    uint32_t most = UINT32_MAX;
    uint64_t times = 0;
    for (uint32_t c = 0; c < arm->constraint_count; c++)
        if (arm->constraint[c].sequences + arm->constraint[c].move > times) {
            times = arm->constraint[c].sequences + arm->constraint[c].move;
            most = c;
        }
    return most;
}

/* How often a constraint was unknown where that is no pass: in solutions, structures and time; in what the
 * oracle looked at only if that left a case without a verdict: one in which another is violated has one. */
static uint64_t times_unknown(const struct cor_arm_measurement *arm, uint32_t constraint) {
    const struct cor_constraint_tally *it = &arm->constraint[constraint];
    return arm->tally.detect_undecided > 0 ? it->unknown : it->undecided;
}

/* The constraint that was so most often; UINT32_MAX: none was. */
static uint32_t most_unknown(const struct cor_arm_measurement *arm) {
    uint32_t most = UINT32_MAX;
    for (uint32_t c = 0; c < arm->constraint_count; c++)
        if (times_unknown(arm, c) > (most == UINT32_MAX ? 0 : times_unknown(arm, most)))
            most = c;
    return most;
}

/* Whether nothing was asked of the algorithm: no check could fail. */
static bool was_never_called(const struct cor_arm_measurement *arm) {
    return arm->tally.reorganizations == 0;
}

static enum cor_arm_outcome judge(const struct cor_arm_measurement *arm) {
    const char *words[COR_FOUND_BY];
    bool found = cor_found_by(&arm->tally, words) > 0;
    if (arm->suites == 0)
        return COR_ARM_NO_SUITES;
    if (broken_identity(arm))
        return COR_ARM_CONTRADICTION;
    /* A mechanism that fails is no finding about the algorithm, and its sequences ended there. */
    if (arm->tally.mechanism_smoke > 0 || (!arm->has_fault && (found || violated_beside(arm) != UINT32_MAX)))
        return COR_ARM_FAILS;
    if (found)
        return COR_ARM_FOUND;
    /* What held in some cases is no verdict on the others. */
    if (most_unknown(arm) != UINT32_MAX || arm->tally.detect_undecided > 0)
        return COR_ARM_UNDECIDED;
    if (!arm->has_fault)
        return was_never_called(arm) ? COR_ARM_UNDECIDED : COR_ARM_PASSES;
    return arm->tally.activated > 0 ? COR_ARM_NOT_FOUND : COR_ARM_NOT_REACHED;
}

/* One sentence. */
static void explain(const struct cor_arm_measurement *arm, enum cor_arm_outcome outcome, char *text,
                    size_t size) {
    const struct cor_tally *tally = &arm->tally;
    const struct cor_identity_tally *broken = broken_identity(arm);
    const char *by[COR_FOUND_BY];
    size_t count = cor_found_by(tally, by);
    switch (outcome) {
    case COR_ARM_FOUND:
        for (size_t i = 0, length = 0; i < count; i++)
            length += (size_t)snprintf(text + length, size - length, "%s%s",
                                       i == 0          ? "fault found by "
                                       : i + 1 < count ? ", "
                                                       : " and ",
                                       by[i]);
        break;
    case COR_ARM_NOT_FOUND:
        snprintf(text, size,
                 "fault not found: activated in %" PRIu64 " of %" PRIu64
                 " reorganizations, and no check failed",
                 tally->activated, tally->reorganizations);
        break;
    case COR_ARM_NOT_REACHED:
        snprintf(text, size,
                 "fault not reached: never activated in %" PRIu64 " reorganizations; its seam ran %" PRIu64
                 " times, its condition held %" PRIu64,
                 tally->reorganizations, tally->reached_times, tally->held_times);
        break;
    case COR_ARM_PASSES:
        snprintf(text, size, "no fault, and no check failed in %" PRIu64 " reorganizations",
                 tally->reorganizations);
        break;
    case COR_ARM_FAILS:
        if (tally->mechanism_smoke > 0) {
            const bool is_alone = tally->gray + tally->black + tally->agreement_failed == 0;
            snprintf(text, size,
                     "a mechanism failed, %s: it ended %" PRIu64 " of %" PRIu64
                     " sequences; the table of smokes says how",
                     is_alone ? "not the algorithm" : "beside what the algorithm did wrong",
                     tally->mechanism_smoke, arm->sequences);
            break;
        }
        if (violated_beside(arm) != UINT32_MAX && tally->gray + tally->black + tally->agreement_failed +
                                                          tally->alarms_missed + tally->alarms_false ==
                                                      0) {
            const struct cor_constraint_tally *it = &arm->constraint[violated_beside(arm)];
            const char *name = arm->head->catalog[COR_CATALOG_CONSTRAINT][violated_beside(arm)].name;
            if (it->is_of_time)
                snprintf(text, size, "%s: \"%.80s\" is violated in %" PRIu64 " of %" PRIu64 " sequences",
                         strcmp(name, "returns") == 0 ? "does not return" : "breaks rules of time alone",
                         name, it->sequences, arm->sequences);
            else
                snprintf(text, size, "\"%.80s\" is violated between two moves of %" PRIu64 " adoptions", name,
                         it->move);
            break;
        }
        snprintf(text, size,
                 "a check failed without a fault: gray %" PRIu64 ", black %" PRIu64 " (smoke %" PRIu64
                 "), agreement %" PRIu64 ", alarms missed %" PRIu64 ", false %" PRIu64,
                 tally->gray, tally->black, cor_tally_smoke(tally), tally->agreement_failed,
                 tally->alarms_missed, tally->alarms_false);
        if (tally->time_failed > 0)
            snprintf(text + strlen(text), size - strlen(text), ", rules of time %" PRIu64,
                     tally->time_failed);
        if (tally->moves_failed > 0)
            snprintf(text + strlen(text), size - strlen(text), ", moves %" PRIu64, tally->moves_failed);
        break;
    case COR_ARM_UNDECIDED:
        if (tally->detect_undecided > 0) {
            const uint32_t unknown = most_unknown(arm);
            const char *name =
                unknown == UINT32_MAX ? "" : arm->head->catalog[COR_CATALOG_CONSTRAINT][unknown].name;
            snprintf(text, size,
                     "no check failed, and %" PRIu64 " cases were judged, but %" PRIu64
                     " were not, which is no pass: %s%.80s%s",
                     tally->detect_judged, tally->detect_undecided,
                     unknown == UINT32_MAX ? "nobody could be asked there" : "\"", name,
                     unknown == UINT32_MAX
                         ? ""
                         : "\" was unknown there, since something that it reads has no value");
            break;
        }
        if (most_unknown(arm) == UINT32_MAX) {
            snprintf(text, size,
                     "the algorithm was never called: no reorganization in %" PRIu64
                     " cases, so no check of it could fail",
                     arm->executed);
            break;
        }
        snprintf(text, size,
                 "no check failed, but \"%.80s\" was unknown %" PRIu64
                 " times, which is no pass: something that it reads has no value",
                 arm->head->catalog[COR_CATALOG_CONSTRAINT][most_unknown(arm)].name,
                 times_unknown(arm, most_unknown(arm)));
        break;
    case COR_ARM_CONTRADICTION:
        snprintf(text, size,
                 "the rows of this arm contradict each other: %s; broken %" PRIu64 " of %" PRIu64
                 " times (%s)",
                 cor_identity_sentence((enum cor_identity)(broken - arm->identity)), broken->broken,
                 broken->checked, broken->values);
        break;
    default:
        snprintf(text, size, "the file has no suite of this arm");
    }
}

struct cor_arm_verdict cor_arm_verdict(const struct cor_arm_measurement *arm) {
    struct cor_arm_verdict verdict = {.outcome = judge(arm)};
    explain(arm, verdict.outcome, verdict.message, sizeof verdict.message);
    return verdict;
}

struct cor_view_findings cor_verdict_findings(const struct cor_measurement *measurement) {
    struct cor_view_findings findings = {.broken = cor_measurement_broken(measurement)};
    for (size_t a = 0; a < measurement->arm_count; a++) {
        enum cor_arm_outcome outcome = judge(&measurement->arm[a]);
        findings.undetected += outcome == COR_ARM_NOT_FOUND;
        findings.unreached += outcome == COR_ARM_NOT_REACHED;
        findings.unexpected += outcome == COR_ARM_FAILS;
        findings.undecided += outcome == COR_ARM_UNDECIDED || outcome == COR_ARM_NO_SUITES;
    }
    return findings;
}

/* What both ways of writing say of an arm beside its verdict. */
static const char *const settings[] = {"algorithm", "fault",  "monitor", "adoption",
                                       "result",    "agents", "mail",    NULL};

#define FIGURES 15
struct figure {
    const char *name;
    uint64_t value;
};

static void list_figures(const struct cor_arm_measurement *arm, struct figure figure[FIGURES]) {
    const struct cor_tally *tally = &arm->tally;
    const struct figure figures[FIGURES] = {
        {"suites", arm->suites},
        {"sequences", arm->sequences},
        {"sequences_detecting", arm->sequences_detected},
        {"cases", arm->executed},
        {"reorganizations", tally->reorganizations},
        {"fault_reached", tally->reached},
        {"fault_activated", tally->activated},
        {"gray", tally->gray},
        {"black", tally->black},
        {"masked", tally->masked},
        {"unprovoked", tally->unprovoked},
        {"agreement_failed", tally->agreement_failed},
        {"alarms_missed", tally->alarms_missed},
        {"alarms_false", tally->alarms_false},
        {"smoke", cor_tally_smoke(tally)},
    };
    memcpy(figure, figures, sizeof figures);
}

#define FIRST (COR_SENTENCE + 128)

/* The first violation through the first box that saw one, with its place; "" if there is none. */
static void first_violation(const struct cor_arm_measurement *arm, char text[FIRST]) {
    text[0] = 0;
    for (int box = 0; box < COR_BOX_CODES; box++) {
        const struct cor_violation_row *row = &arm->first_violation[box];
        char sentence[COR_SENTENCE];
        if (row->box == 0 || row->box == COR_BOX_INTERIM)
            continue;
        cor_violation_sentence(cor_arm_kind(arm->entry), row, arm->head, sentence);
        snprintf(text, FIRST, "box %s, suite %" PRIu32 ", sequence %u, case %" PRIu32 ": %s",
                 cor_term_word(COR_FAMILY_BOX, box), row->suite, row->sequence, row->case_, sentence);
        return;
    }
}

/* JUnit XML. */

/* The message holds the first violation, too: most programs show nothing else. */
static void put_outcome(const struct cor_arm_verdict *verdict, const char *first, FILE *file) {
    static const char *const element[VIEWS__TEST_RESULTS] = {
        [VIEWS__TEST_FAILED] = "failure", [VIEWS__TEST_ERROR] = "error", [VIEWS__TEST_SKIPPED] = "skipped"};
    fprintf(file, "      <%s", element[outcomes[verdict->outcome].result]);
    if (outcomes[verdict->outcome].kind)
        views__put_attribute("type", outcomes[verdict->outcome].kind, file);
    fputs(" message=\"", file);
    views__put_xml(verdict->message, file);
    if (first[0]) {
        fputs("; ", file);
        views__put_xml(first, file);
    }
    fputs("\"/>\n", file);
}

static void put_output(const struct cor_arm_verdict *verdict, const char *first, FILE *file) {
    fputs("      <system-out>", file);
    views__put_xml(verdict->message, file);
    if (first[0]) {
        fputs("\n", file);
        views__put_xml(first, file);
    }
    fputs("</system-out>\n", file);
}

/* What is written of. */
struct written {
    const struct cor_measurement *measurement;
    const char *experiment; /* its name */
};

static const struct cor_arm_measurement *arm_at(const void *with, size_t index) {
    return &((const struct written *)with)->measurement->arm[index];
}

/* All arms are of one suite, the experiment. */
static struct views__test test(const void *with, size_t index) {
    return (struct views__test){((const struct written *)with)->experiment,
                                outcomes[judge(arm_at(with, index))].result};
}

static void put_suite(const void *with, FILE *file) {
    const struct cor_result_header *head = ((const struct written *)with)->measurement->head;
    fprintf(file,
            "    <properties>\n      <property name=\"seed\" value=\"0x%016" PRIx64 "\"/>\n"
            "      <property name=\"complete\" value=\"%d\"/>\n    </properties>\n",
            head->seed, head->complete);
}

static void put_case(const void *with, size_t index, FILE *file) {
    const struct cor_arm_measurement *arm = arm_at(with, index);
    struct cor_arm_verdict verdict = cor_arm_verdict(arm);
    char first[FIRST];
    first_violation(arm, first);
    views__put_attribute("classname", ((const struct written *)with)->experiment, file);
    views__put_attribute("name", arm->entry->name, file);
    fputs(">\n", file);
    struct figure figures[FIGURES];
    list_figures(arm, figures);
    fputs("      <properties>\n", file);
    for (const char *const *name = settings; *name; name++) {
        char *text;
        if (cor_text_under(arm->entry->description, *name, &text, NULL) == COR_OK && text)
            views__put_property(*name, text, file);
        free(text);
    }
    for (size_t i = 0; i < FIGURES; i++) {
        char number[COR_CELL];
        cor_integer_text(figures[i].value, number);
        views__put_property(figures[i].name, number, file);
    }
    fputs("      </properties>\n", file);
    (outcomes[verdict.outcome].result == VIEWS__TEST_PASSED ? put_output : put_outcome)(&verdict, first,
                                                                                        file);
}

/* TAP. */

static void put_point(const void *with, size_t index, FILE *file) {
    const struct cor_arm_measurement *arm = arm_at(with, index);
    struct cor_arm_verdict verdict = cor_arm_verdict(arm);
    views__put_description(arm->entry->name, file);
    if (outcomes[verdict.outcome].result == VIEWS__TEST_SKIPPED)
        fprintf(file, " # SKIP %s", verdict.message);
    fputc('\n', file);
    const char *experiment = ((const struct written *)with)->experiment;
    struct figure figures[FIGURES];
    const enum views__test_result result = outcomes[verdict.outcome].result;
    char first[FIRST];
    list_figures(arm, figures);
    first_violation(arm, first);
    fputs("  ---\n", file);
    views__put_scalar_text("  ", "message", verdict.message, file);
    if (result == VIEWS__TEST_FAILED || result == VIEWS__TEST_ERROR)
        views__put_scalar_text("  ", "severity", result == VIEWS__TEST_FAILED ? "fail" : "error", file);
    if (first[0])
        views__put_scalar_text("  ", "first", first, file);
    views__put_scalar_text("  ", "experiment", experiment, file);
    views__put_scalar_text("  ", "arm", arm->entry->name, file);
    for (const char *const *name = settings; *name; name++) {
        char *text;
        if (cor_text_under(arm->entry->description, *name, &text, NULL) == COR_OK && text)
            views__put_scalar_text("  ", *name, text, file);
        free(text);
    }
    fputs("  data:\n", file);
    for (size_t i = 0; i < FIGURES; i++)
        fprintf(file, "    %s: %" PRIu64 "\n", figures[i].name, figures[i].value);
    fputs("  ...\n", file);
}

static enum cor_status write_arms(const struct cor_measurement *measurement, views__write_list *write,
                                  FILE *file, struct cor_error *error) {
    char *named;
    COR_TRY(cor_text_under(measurement->head->experiment, "name", &named, error));
    const struct written written = {measurement, named ? named : "corridor"};
    const struct views__test_list list = {.with = &written,
                                          .tests = measurement->arm_count,
                                          .test = test,
                                          .put_suite = put_suite,
                                          .put_case = put_case,
                                          .put_point = put_point,
                                          .none = "the file has no arms"};
    enum cor_status status = write(&list, file, error);
    free(named);
    return status;
}

enum cor_status cor_verdicts_junit(const struct cor_measurement *measurement, FILE *file,
                                   struct cor_error *error) {
    return write_arms(measurement, write_junit, file, error);
}

enum cor_status cor_verdicts_tap(const struct cor_measurement *measurement, FILE *file,
                                 struct cor_error *error) {
    return write_arms(measurement, write_tap, file, error);
}

static enum cor_status count_verdicts(struct cor_result *result, struct cor_view_findings *findings,
                                      struct cor_error *error) {
    struct cor_measurement *measurement;
    COR_TRY(cor_measurement_create(result, COR_MEASURE_TABLES, &measurement, error));
    *findings = cor_verdict_findings(measurement);
    cor_measurement_destroy(measurement);
    return COR_OK;
}

static enum cor_status write_campaign(struct cor_result *result, views__write_list *write, FILE *file,
                                      struct cor_error *error) {
    struct cor_measurement *measurement;
    COR_TRY(cor_measurement_create(result, COR_MEASURE_TABLES, &measurement, error));
    enum cor_status status = write_arms(measurement, write, file, error);
    cor_measurement_destroy(measurement);
    return status;
}

/* The first failure of an arm that a check saw, and what one does with it. */
static void lead_to_failure(const struct cor_measurement *measurement, size_t a,
                            struct views__summary *summary) {
    const struct cor_arm_measurement *arm = &measurement->arm[a];
    static const struct cor_killer_set nobody; /* of what is masked */
    size_t c = 0;
    while (c < arm->failure_class_count && cor_killer_set_equal(&arm->failure_class[c].killers, &nobody))
        c++;
    if (c == arm->failure_class_count)
        return;
    const struct cor_violation_row *first = &arm->failure_class[c].first;
    const struct cor_failure_key failure = {a, first->suite, first->sequence, first->case_};
    char *key = cor_failure_key_text(summary->head, &failure);
    if (!key) {
        summary->status = COR_STATUS_MEMORY;
        return;
    }
    views__summary_next(summary, "list", "failures", NULL, NULL, NULL);
    views__summary_next(summary, "trace", "replay", "--failure", key, "--trace");
    views__summary_next(summary, "shrink", "shrink", "--failure", key, "-o t.json");
    free(key);
}

/* Algorithms that ended in smoke, the arm with most of it; it is what failed there, whatever else did. */
static void say_smoke(const struct cor_measurement *measurement, struct views__summary *summary) {
    const struct cor_arm_measurement *most = NULL;
    uint64_t all = 0;
    for (size_t a = 0; a < measurement->arm_count; a++) {
        const struct cor_arm_measurement *arm = &measurement->arm[a];
        const uint64_t smoke = cor_tally_smoke(&arm->tally);
        all += smoke;
        if (smoke > 0 && (!most || smoke > cor_tally_smoke(&most->tally)))
            most = arm;
    }
    if (!most)
        return;
    int kind = COR_SMOKE_NONE + 1;
    for (int code = kind; code < COR_ENDING_CODES; code++)
        kind = most->tally.smoke[code] > most->tally.smoke[kind] ? code : kind;
    views__summary_say(
        summary, "smoke", COR_TONE_BAD, "%" PRIu64 " reorganizations, %" PRIu64 " of %.24s: %s", all,
        cor_tally_smoke(&most->tally), most->entry->name, cor_term_word(COR_FAMILY_SMOKE, kind));
}

/* Cases that are no pass, though no check failed: where agents come and go, those in which no structure of
 * those who were there keeps the limits. Constraints are violated in these, and none is unknown. */
static void say_undecided(const struct cor_measurement *measurement, struct views__summary *summary) {
    uint64_t undecided = 0, unknown = 0;
    for (size_t a = 0; a < measurement->arm_count; a++) {
        const struct cor_arm_measurement *arm = &measurement->arm[a];
        undecided += arm->tally.detect_undecided;
        for (uint32_t c = 0; c < arm->constraint_count; c++)
            unknown += arm->constraint[c].unknown - arm->constraint[c].undecided; /* where it was looked at */
    }
    if (undecided > 0)
        views__summary_say(summary, "undecided cases", COR_TONE_STRONG, "%" PRIu64 " of %" PRIu64 "%s",
                           undecided, summary->cases,
                           unknown > 0 ? ": what was due is unknown" : ": nobody could be asked");
}

/* What the first arm that fails broke most often: a constraint of the corridor, else a check. */
static void say_broken(const struct cor_measurement *measurement, struct views__summary *summary) {
    size_t a = 0, most = 0;
    while (a < measurement->arm_count && judge(&measurement->arm[a]) != COR_ARM_FAILS)
        a++;
    if (a == measurement->arm_count)
        return;
    const struct cor_arm_measurement *arm = &measurement->arm[a];
    if (arm->tally.mechanism_smoke > 0) {
        views__summary_say(summary, "smoke", COR_TONE_BAD,
                           "a mechanism failed in %" PRIu64 " of %" PRIu64 " sequences of %.20s",
                           arm->tally.mechanism_smoke, (uint64_t)arm->sequences, arm->entry->name);
        return;
    }
    uint64_t times = 0;
    const char *name = NULL;
    for (uint32_t c = 0; c < arm->constraint_count; c++) {
        const struct cor_constraint_tally *it = &arm->constraint[c];
        const uint64_t seen = it->gray > it->black ? it->gray : it->black;
        if (seen > times) {
            times = seen;
            name = arm->head->catalog[COR_CATALOG_CONSTRAINT][c].name;
        }
    }
    for (size_t k = 1; !name && k < COR_KILLERS; k++)
        most = most == 0 || arm->kill[k].cases > arm->kill[most].cases ? k : most;
    char word[64];
    if (name)
        views__summary_say(summary, "check", COR_TONE_BAD, "\"%.20s\" violated %" PRIu64 " times in %.20s",
                           name, times, arm->entry->name);
    else if (most > 0 && arm->kill[most].cases > 0) /* 0: smoke, which is said */
        views__summary_say(summary, "check", COR_TONE_BAD, "%.30s %" PRIu64 " times in %.20s",
                           cor_killer_word(most, word), arm->kill[most].cases, arm->entry->name);
}

/* A fault that is said to be found, though nothing was counted of it: something else may have been seen. */
static enum cor_status say_doubt(const struct cor_measurement *measurement, struct views__summary *summary,
                                 struct cor_error *error) {
    for (size_t a = 0; a < measurement->arm_count; a++) {
        const struct cor_arm_measurement *arm = &measurement->arm[a];
        char *fault;
        if (judge(arm) != COR_ARM_FOUND || arm->tally.activated_times > 0)
            continue;
        COR_TRY(cor_text_under(arm->entry->description, "fault", &fault, error));
        const bool counts = fault && strcmp(fault, "none") != 0;
        free(fault);
        if (!counts)
            continue;
        views__summary_say(summary, "doubt", COR_TONE_BAD,
                           "%.24s: failed, but never said that its fault acted", arm->entry->name);
        return COR_OK;
    }
    return COR_OK;
}

static enum cor_status sum_verdicts(const struct cor_view_request *request, struct views__summary *summary,
                                    struct cor_view_findings *findings, struct cor_error *error) {
    COR_DESTROYED(cor_tables) struct cor_tables *tables = NULL;
    COR_TRY(cor_tables_create(request->result, views__view_level(request), COR_INTERVAL_LINEARISED, &tables,
                              error));
    *findings = cor_verdict_findings(tables->measurement);
    summary->counted = "sequences";
    for (size_t a = 0; a < tables->arm_count; a++) {
        const struct cor_arm_measurement *arm = tables->arm[a].measured;
        const char *words[COR_FOUND_BY];
        const enum cor_arm_outcome outcome = judge(arm);
        /* What no box saw is counted by the checks that did. */
        const uint64_t seen = arm->sequences_detected > 0 ? arm->sequences_detected : arm->sequences_seen;
        summary->suites += arm->suites;
        summary->cases += arm->executed;
        views__summary_arm(
            summary, &(struct views__summary_arm){.name = arm->entry->name,
                                                  .verdict = outcomes[outcome].word,
                                                  .is_good = cor_arm_outcome_is_good(outcome),
                                                  .is_found = outcome == COR_ARM_FOUND,
                                                  .hits = cor_found_by(&arm->tally, words) > 0 ? seen : 0,
                                                  .tries = arm->sequences,
                                                  .activated = arm->failures,
                                                  .masked = arm->tally.masked});
    }
    /* Arms whose algorithm was never called, the first by name: nothing is known of it. */
    const struct cor_measurement *measurement = tables->measurement;
    const struct cor_arm_measurement *first = NULL;
    size_t count = 0;
    char more[40] = "";
    for (size_t a = 0; a < measurement->arm_count; a++) {
        const struct cor_arm_measurement *arm = &measurement->arm[a];
        if (arm->suites == 0 || !was_never_called(arm))
            continue;
        count++;
        first = first ? first : arm;
    }
    if (count > 1)
        snprintf(more, sizeof more, " and %zu more", count - 1);
    if (first)
        views__summary_say(summary, "never called", COR_TONE_BAD,
                           "the algorithm of %.24s%s: no reorganization in %" PRIu64 " cases",
                           first->entry->name, more, first->executed);
    say_undecided(tables->measurement, summary);
    say_smoke(tables->measurement, summary);
    say_broken(tables->measurement, summary);
    COR_TRY(say_doubt(tables->measurement, summary, error));
    if (tables->repeats) {
        struct cor_agreement all = {0};
        size_t holds = 0, judged = 0;
        for (size_t a = 0; a < tables->arm_count; a++) {
            const struct cor_agreement agreement = cor_tables_agreement(&tables->arm[a]);
            all.compared += agreement.compared;
            all.inside += agreement.inside;
        }
        for (int c = 0; c < COR_CLAIM_COUNT; c++) {
            judged += tables->claim[c].verdict != COR_CLAIM_NOT_AVAILABLE;
            holds += tables->claim[c].verdict == COR_CLAIM_HOLDS;
        }
        views__summary_say(summary, "paper", COR_TONE_PLAIN,
                           "%zu of %zu claims hold, %" PRIu64 " of %" PRIu64 " figures in our interval",
                           holds, judged, all.inside, all.compared);
    }
    if (views__summary_worst(summary) != SIZE_MAX)
        lead_to_failure(tables->measurement, views__summary_worst(summary), summary);
    return COR_OK;
}

const struct views__layer_verdicts views__verdicts_of_interaction = {
    &cor_interaction_schema, NULL, sum_verdicts, count_verdicts, write_campaign, NULL};

/* ---- what was found, in one screen, of a result file of any layer: arms by their verdicts, the one seen
 * least often, what was masked, and commands that lead on */

#define ROOM 63    /* characters of a line: 80 columns, less the words before it */
#define VERDICTS 4 /* lines of them at most */

#define LINE(member) COR_CELL_OF(struct views__summary_line, member)
static const struct cor_column_definition lines_columns[] = {
    {"what", "", "", "a verdict, rarest, masked, or what else there is to say", LINE(what),
     .tone = COR_TONE_OF(struct views__summary_line, tone)},
    {"says", "", "", "the answer in words", COR_TEXT_OF(struct views__summary_line, says)},
};
COR_SHEET_DEFINITION(lines, "summary", "What was found", "an answer", 0, 0);

static const struct cor_column_definition next_sheet_columns[] = {
    {"what", "", "", "what the command shows or does", LINE(what)},
    {"command", "", "", "to be copied", COR_TEXT_OF(struct views__summary_line, says), 0, COR_COLUMN_PASTED},
};
COR_SHEET_DEFINITION(next_sheet, "next", "", "a command that leads on", 0, 0);

#define ARM(member) COR_CELL_OF(struct views__summary_arm, member)
static const struct cor_column_definition arms_columns[] = {
    {"arm", "arm", "", "its name", ARM(name)},
    {"verdict", "verdict", "", "in a word", ARM(verdict)},
    {"good", "good", "", "this is what one wishes for", ARM(is_good)},
    {"found", "found", "", "its fault was seen", ARM(is_found)},
    {"hits", "hits", "1", "sequences, cases, tests or searches that saw it", ARM(hits)},
    {"tries", "of", "1", "in all", ARM(tries)},
    {"activated", "activated", "1", "reorganizations with an activated fault", ARM(activated)},
    {"masked", "masked", "1", "thereof seen by no box", ARM(masked)},
};
COR_SHEET_DEFINITION(arms, "arms", "Arms", "an arm", COR_SHEET_DATA, 0);

void views__summary_arm(struct views__summary *summary, const struct views__summary_arm *arm) {
    if (COR_RESERVE(&summary->arms, &summary->arm_capacity, summary->arm_count + 1, NULL) != COR_OK)
        summary->status = COR_STATUS_MEMORY;
    else
        summary->arms[summary->arm_count++] = *arm;
}

/* Takes `says`; NULL says that memory was out when it was made. */
static void put_line(struct views__summary *summary, struct views__summary_lines *lines_of, const char *what,
                     enum cor_tone tone, char *says) {
    if (says && COR_RESERVE(&lines_of->items, &lines_of->capacity, lines_of->count + 1, NULL) == COR_OK) {
        lines_of->items[lines_of->count++] = (struct views__summary_line){what, tone, says};
        return;
    }
    free(says);
    summary->status = COR_STATUS_MEMORY;
}

void views__summary_say(struct views__summary *summary, const char *what, enum cor_tone tone,
                        const char *format, ...) {
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    put_line(summary, &summary->lines, what, tone, cor_strdup(text));
}

/* A command on a file. */
static void put_command(struct views__summary *summary, const char *file, const char *what,
                        const char *command, const char *option, const char *key, const char *rest) {
    const bool executes = strncmp(command, "replay", strlen("replay")) == 0 || strcmp(command, "shrink") == 0;
    const char *trust = executes && cor_names_programs(summary->head) ? " --trust" : "";
    char *path = cor_shell_quoted(file), *word = key ? cor_shell_quoted(key) : NULL;
    char *text = path && (word || !key)
                     ? cor_format("%s %s %s%s%s%s%s%s%s%s", summary->program, command, path,
                                  option ? " " : "", option ? option : "", word ? " " : "", word ? word : "",
                                  rest ? " " : "", rest ? rest : "", trust)
                     : NULL;
    put_line(summary, &summary->next, what, COR_TONE_PLAIN, text);
    COR_FREE(word, path);
}

void views__summary_next(struct views__summary *summary, const char *what, const char *command,
                         const char *option, const char *key, const char *rest) {
    put_command(summary, summary->path, what, command, option, key, rest);
}

void views__summary_next_of(struct views__summary *summary, const char *what, const char *command,
                            const char *file) {
    put_command(summary, file, what, command, NULL, NULL, NULL);
}

/* The found arm that the least share of what was tried saw; SIZE_MAX: none was found. */
static size_t seen_least(const struct views__summary *summary) {
    size_t least = SIZE_MAX;
    double share = 2;
    for (size_t a = 0; a < summary->arm_count; a++) {
        const struct views__summary_arm *arm = &summary->arms[a];
        if (!arm->is_found || arm->tries == 0 || (double)arm->hits / (double)arm->tries >= share)
            continue;
        share = (double)arm->hits / (double)arm->tries;
        least = a;
    }
    return least;
}

size_t views__summary_worst(const struct views__summary *summary) {
    for (size_t a = 0; a < summary->arm_count; a++)
        if (!summary->arms[a].is_good && !summary->arms[a].is_found && summary->arms[a].hits > 0)
            return a;
    return seen_least(summary);
}

/* Appends a name, or that there are more; false when there is no room for another one. */
static bool add_name(char text[ROOM + 1], const char *name, size_t left) {
    char more[32];
    size_t at = strlen(text);
    snprintf(more, sizeof more, " and %zu more", left);
    if (at + strlen(name) + 2 + (left > 0 ? strlen(more) : 0) <= ROOM) {
        snprintf(text + at, ROOM + 1 - at, "%s%s", at > 0 && text[at - 1] != ' ' ? ", " : "", name);
        return true;
    }
    snprintf(more, sizeof more, "%s%zu more", at > 0 && text[at - 1] != ' ' ? " and " : "", left + 1);
    if (at + strlen(more) <= ROOM)
        strcpy(text + at, more);
    return false;
}

/* "3 of 10 arms: A, B and C"; of all of them no names. */
static void say_verdict(struct views__summary *summary, const char *verdict, bool is_good) {
    char text[ROOM + 1];
    size_t count = 0, seen = 0;
    for (size_t a = 0; a < summary->arm_count; a++)
        count += strcmp(summary->arms[a].verdict, verdict) == 0;
    snprintf(text, sizeof text, "%zu of %zu arm%s%s", count, summary->arm_count,
             summary->arm_count == 1 ? "" : "s", count < summary->arm_count || count == 1 ? ": " : "");
    for (size_t a = 0; a < summary->arm_count && (count < summary->arm_count || count == 1); a++)
        if (strcmp(summary->arms[a].verdict, verdict) == 0 &&
            !add_name(text, summary->arms[a].name, count - ++seen))
            break;
    views__summary_say(summary, verdict, is_good ? COR_TONE_GOOD : COR_TONE_BAD, "%s", text);
}

static bool is_first_of_verdict(const struct views__summary *summary, size_t arm) {
    for (size_t a = 0; a < arm; a++)
        if (strcmp(summary->arms[a].verdict, summary->arms[arm].verdict) == 0)
            return false;
    return true;
}

/* The arms with masked faults, those with most of them first. */
static void name_masked(const struct views__summary *summary, char text[ROOM + 1]) {
    size_t masking = 0, a = SIZE_MAX;
    uint64_t most = UINT64_MAX;
    for (size_t i = 0; i < summary->arm_count; i++)
        masking += summary->arms[i].masked > 0;
    while (masking-- > 0) {
        char name[ROOM];
        /* The arm with most masked faults of those that have fewer than `most`, or as many and stand
         * behind `behind`. */
        size_t next = SIZE_MAX;
        for (size_t j = 0; j < summary->arm_count; j++) {
            const uint64_t masked = summary->arms[j].masked;
            if ((masked < most || (masked == most && a != SIZE_MAX && j > a)) && masked > 0 &&
                (next == SIZE_MAX || masked > summary->arms[next].masked))
                next = j;
        }
        a = next;
        most = summary->arms[a].masked;
        snprintf(name, sizeof name, "%.36s %" PRIu64, summary->arms[a].name, most);
        if (!add_name(text, name, masking))
            return;
    }
}

static void put_sheets(const struct views__summary *summary, struct cor_sheets *sheets) {
    struct cor_sheet *said = cor_sheets_add(sheets, &lines), *leads = cor_sheets_add(sheets, &next_sheet),
                     *of_arms = cor_sheets_add(sheets, &arms);
    char planned[64] = "", cases[64] = "";
    if (summary->head->planned_suites > 0)
        snprintf(planned, sizeof planned, " of %" PRIu64, summary->head->planned_suites);
    if (summary->cases > 0)
        snprintf(cases, sizeof cases, ", %" PRIu64 " cases", summary->cases);
    cor_sheet_title(said, "What was found: %zu arm%s, %" PRIu64 "%s suites%s", cor_arm_count(summary->head),
                    cor_arm_count(summary->head) == 1 ? "" : "s", summary->suites, planned, cases);
    COR_SHEET_PUT_ALL(said, struct views__summary_line, summary->lines.items, summary->lines.count);
    COR_SHEET_PUT_ALL(leads, struct views__summary_line, summary->next.items, summary->next.count);
    COR_SHEET_PUT_ALL(of_arms, struct views__summary_arm, summary->arms, summary->arm_count);
}

static void fini(struct views__summary_lines *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].says);
    free(list->items);
}

static enum cor_status make_summary(const struct cor_view_request *request, struct cor_sheets *sheets,
                                    struct cor_view_findings *findings, struct cor_error *error) {
    const struct views__layer_verdicts *verdicts = verdicts_of(request->result);
    struct views__summary summary = {.head = cor_result_head(request->result),
                                     .path = request->path,
                                     .program = request->program ? request->program : "corridor"};
    enum cor_status status = COR_OK;
    if (verdicts && verdicts->asked)
        COR_TRY_OUT(sum_asked(verdicts->asked, request, &summary, findings, error));
    else if (verdicts)
        COR_TRY_OUT(verdicts->sum(request, &summary, findings, error));
    struct views__summary_lines own = summary.lines; /* behind what is said of every layer */
    summary.lines = (struct views__summary_lines){0};
    /* Bad ones first. */
    size_t said = 0;
    for (int good = 0; good < 2; good++)
        for (size_t a = 0; a < summary.arm_count; a++)
            if (summary.arms[a].is_good == (good == 1) && is_first_of_verdict(&summary, a) &&
                said++ < VERDICTS)
                say_verdict(&summary, summary.arms[a].verdict, summary.arms[a].is_good);
    size_t a = seen_least(&summary), found = 0;
    for (size_t i = 0; i < summary.arm_count; i++)
        found += summary.arms[i].is_found;
    if (a != SIZE_MAX && (found != 1 || summary.arms[a].hits != summary.arms[a].tries)) {
        const struct views__summary_arm *arm = &summary.arms[a];
        views__summary_say(&summary, "rarest", COR_TONE_PLAIN,
                           "%.40s: seen in %" PRIu64 " of %" PRIu64 " %s (%.3g %%)", arm->name, arm->hits,
                           arm->tries, summary.counted, 100.0 * (double)arm->hits / (double)arm->tries);
    }
    uint64_t activated = 0, masked = 0;
    char text[ROOM + 1];
    for (size_t k = 0; k < summary.arm_count; k++) {
        activated += summary.arms[k].activated;
        masked += summary.arms[k].masked;
    }
    if (activated != 0) {
        if (masked > 0)
            snprintf(text, sizeof text,
                     "%.1f %% of %" PRIu64 " faults: ", 100.0 * (double)masked / (double)activated,
                     activated);
        else
            snprintf(text, sizeof text, "none of %" PRIu64 " faults", activated);
        name_masked(&summary, text);
        views__summary_say(&summary, "masked", COR_TONE_PLAIN, "%s", text);
    }
    for (size_t i = 0; i < own.count; i++)
        put_line(&summary, &summary.lines, own.items[i].what, own.items[i].tone, own.items[i].says);
    free(own.items);
    /* The page: beside the file, called like it. */
    size_t length = strlen(summary.path);
    if (length > 3 && strcmp(summary.path + length - 3, ".h5") == 0)
        length -= 3;
    char *page = cor_format("%.*s.html", (int)length, summary.path);
    if (!page)
        summary.status = COR_STATUS_MEMORY;
    else
        views__summary_next(&summary, "page", "report", "-o", page, NULL);
    free(page);
    views__summary_next(&summary, "all", "show", "--all", NULL, NULL);
    status = summary.status == COR_OK ? COR_OK : cor_fail_memory(error);
    if (status == COR_OK)
        put_sheets(&summary, sheets);
out:
    fini(&summary.lines);
    fini(&summary.next);
    cor_query_answer_fini(&summary.of_arms);
    cor_query_answer_fini(&summary.leads);
    free(summary.arms);
    return status;
}

static const struct cor_sheet_definition *const sheets_made[] = {&lines, &next_sheet, &arms, NULL};

const struct cor_view views__view_summary = {
    .name = "summary",
    .summary = "what was found in one screen, of a result file of any layer",
    .schema = "corridor-summary",
    .version = 1,
    .sheets = sheets_made,
    .make = make_summary,
};
