/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/agent_verdicts.h>

#include "findings.h"
#include "test_formats.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME 1024

/* One test: a unit of an arm without a fault, or a fault. */
struct point {
    uint16_t arm;
    uint32_t suite; /* of a unit */
    bool is_fault, failed;
    uint64_t first, count; /* its findings */
    uint64_t cases;
};

struct points {
    struct point *items; /* owned */
    size_t count, capacity;
};

static enum cor_status add(struct points *points, const struct point *point, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&points->items, &points->capacity, points->count + 1, error));
    points->items[points->count++] = *point;
    return COR_OK;
}

static const struct cor_agent_finding_row *finding_at(const struct cor_agent_result *agent, uint64_t index) {
    return cor_agent_row(agent, COR_AGENT_TABLE_FINDINGS, index);
}

static enum cor_status list_units(const struct cor_agent_result *agent, uint16_t arm, struct points *points,
                                  struct cor_error *error) {
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_agent_row(agent, COR_AGENT_TABLE_UNITS, i);
        struct point point = {.arm = arm, .suite = row->suite, .cases = row->cases};
        if (row->arm != arm)
            continue;
        point.first = cor_agent_rows_of(agent, COR_AGENT_TABLE_FINDINGS, arm, row->suite, &point.count);
        for (uint64_t f = point.first; f < point.first + point.count; f++)
            point.failed = point.failed || finding_at(agent, f)->severity > COR_SEVERITY_NOTE;
        COR_TRY(add(points, &point, error));
    }
    return COR_OK;
}

static enum cor_status list_points(const struct cor_agent_result *agent, struct points *points,
                                   struct cor_error *error) {
    for (size_t a = 0; a < cor_arm_count(agent->head); a++) {
        struct cor__arm_tally tally = cor__arm_tally(agent, (uint16_t)a);
        struct point point = {.arm = (uint16_t)a,
                              .is_fault = true,
                              .failed = tally.findings == 0,
                              .first = tally.first_root,
                              .count = tally.roots > 0,
                              .cases = tally.cases};
        if (!cor_arm_has_fault(cor_arm_entry(agent->head, a)))
            COR_TRY(list_units(agent, (uint16_t)a, points, error));
        else if (tally.suites > 0)
            COR_TRY(add(points, &point, error));
    }
    return COR_OK;
}

/* Of a unit that is run more than once with the number of the time. */
static void name_of(const struct cor_agent_result *agent, const struct point *point, char name[NAME]) {
    const struct cor_agent_unit_row *row = cor_agent_unit_of(agent, point->arm, point->suite);
    if (point->is_fault)
        snprintf(name, NAME, "%s", cor_agent_arm_name(agent, point->arm));
    else if (row && row->repetition > 0)
        snprintf(name, NAME, "%s #%" PRIu32, cor_agent_unit_name(agent, row->unit), row->repetition + 1);
    else
        snprintf(name, NAME, "%s", cor_agent_unit_name(agent, row ? row->unit : 0));
}

/* What there is to say: for a fault what found it, for a unit each finding, with the case that shows it. */
static void say(const struct cor_agent_result *agent, uint64_t finding, char *text, size_t size) {
    char sentence[COR_AGENT_TEXT], values[COR_AGENT_TEXT];
    const struct cor_agent_finding_row *row = finding_at(agent, finding);
    cor_agent_sentence(agent, row, sentence);
    cor_agent_case_text(agent, row->arm, row->suite, row->smallest, values);
    snprintf(text, size, "%s: %s%s Smallest case %s:%" PRIu32 "%s%s",
             cor_term_word(COR_FAMILY_AUT_CHECK, row->check),
             row->cause == COR_CAUSE_ROOT ? "" : "(a consequence) ", sentence, cor__finding_unit(agent, row),
             row->smallest, values[0] ? " " : "", values);
}

#define SAID (3 * COR_AGENT_TEXT)
#define NOT_FOUND "the fault was not found: no check failed in any unit"

static void put_case(const struct cor_agent_result *agent, const struct point *point, FILE *file) {
    char text[SAID], number[COR_CELL], name[NAME];
    fputs("    <testcase", file);
    cor__put_attribute("classname", point->is_fault ? "faults" : cor_agent_arm_name(agent, point->arm), file);
    name_of(agent, point, name);
    cor__put_attribute("name", name, file);
    fputs(">\n      <properties>\n", file);
    cor_integer_text(point->cases, number);
    cor__put_property("cases", number, file);
    fputs("      </properties>\n", file);
    if (point->is_fault && point->failed)
        fputs("      <failure type=\"not_found\" message=\"" NOT_FOUND "\"/>\n", file);
    for (uint64_t f = point->first; f < point->first + point->count; f++) {
        bool failure = !point->is_fault && finding_at(agent, f)->severity > COR_SEVERITY_NOTE;
        say(agent, f, text, sizeof text);
        fputs(failure ? "      <failure" : "      <system-out>", file);
        if (failure) {
            cor__put_attribute("type", cor_term_word(COR_FAMILY_AUT_CHECK, finding_at(agent, f)->check),
                               file);
            cor__put_attribute("message", text, file);
            fputs("/>\n", file);
            continue;
        }
        cor__put_xml(text, file);
        fputs("</system-out>\n", file);
    }
    fputs("    </testcase>\n", file);
}

static void put_counts(const struct point *points, size_t count, FILE *file) {
    size_t failed = 0;
    for (size_t i = 0; i < count; i++)
        failed += points[i].failed;
    fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\"", count, failed);
}

/* Points of one suite: units of an arm, or faults. */
static size_t suite_length(const struct points *points, size_t first) {
    size_t end = first + 1;
    while (end < points->count && points->items[end].is_fault == points->items[first].is_fault &&
           (points->items[first].is_fault || points->items[end].arm == points->items[first].arm))
        end++;
    return end - first;
}

static void write_junit(const struct cor_agent_result *agent, const struct points *points, FILE *file) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"corridor\"", file);
    put_counts(points->items, points->count, file);
    fputs(">\n", file);
    for (size_t first = 0, length; first < points->count; first += length) {
        const struct point *points_here = &points->items[first];
        length = suite_length(points, first);
        fputs("  <testsuite", file);
        cor__put_attribute(
            "name", points_here->is_fault ? "faults" : cor_agent_arm_name(agent, points_here->arm), file);
        put_counts(points_here, length, file);
        fputs(">\n", file);
        for (size_t i = 0; i < length; i++)
            put_case(agent, &points_here[i], file);
        fputs("  </testsuite>\n", file);
    }
    fputs("</testsuites>\n", file);
}

static void put_point(const struct cor_agent_result *agent, const struct point *point, size_t number,
                      FILE *file) {
    char text[SAID], name[NAME];
    fprintf(file, "%s %zu - ", point->failed ? "not ok" : "ok", number);
    cor__put_description(cor_agent_arm_name(agent, point->arm), file);
    if (!point->is_fault) {
        fputc(' ', file);
        name_of(agent, point, name);
        cor__put_description(name, file);
    }
    fprintf(file, "\n  ---\n  cases: %" PRIu64 "\n", point->cases);
    if (point->is_fault && point->failed)
        cor__put_scalar_text("  ", "message", NOT_FOUND, file);
    fputs(point->count > 0 ? "  findings:\n" : "", file);
    for (uint64_t f = point->first; f < point->first + point->count; f++) {
        say(agent, f, text, sizeof text);
        fputs("    - \"", file);
        cor__put_scalar(text, file);
        fputs("\"\n", file);
    }
    fputs("  ...\n", file);
}

static void write_tap(const struct cor_agent_result *agent, const struct points *points, FILE *file) {
    fprintf(file, "TAP version 13\n1..%zu%s\n", points->count,
            points->count == 0 ? " # SKIP the file has no units" : "");
    for (size_t i = 0; i < points->count; i++)
        put_point(agent, &points->items[i], i + 1, file);
}

static enum cor_status write_points(struct cor_result *result, FILE *file,
                                    void (*write)(const struct cor_agent_result *, const struct points *,
                                                  FILE *),
                                    struct cor_error *error) {
    struct cor_agent_result agent;
    struct points points = {0};
    COR_TRY(cor_agent_result_init(result, &agent, error));
    enum cor_status status = list_points(&agent, &points, error);
    if (status == COR_OK)
        write(&agent, &points, file);
    free(points.items);
    cor_agent_result_fini(&agent);
    COR_TRY(status);
    return cor_stream_status(file, error);
}

enum cor_status cor_agent_junit(struct cor_result *result, FILE *file, struct cor_error *error) {
    return write_points(result, file, write_junit, error);
}

enum cor_status cor_agent_tap(struct cor_result *result, FILE *file, struct cor_error *error) {
    return write_points(result, file, write_tap, error);
}

void cor__count_verdicts(const struct cor_agent_result *agent, struct cor_view_findings *verdicts) {
    for (size_t a = 0; a < cor_arm_count(agent->head); a++) {
        struct cor__arm_tally tally = cor__arm_tally(agent, (uint16_t)a);
        bool faulty = cor_arm_has_fault(cor_arm_entry(agent->head, a));
        verdicts->undetected += faulty && tally.suites > 0 && tally.findings == 0;
        verdicts->unexpected += !faulty && tally.worst >= COR_SEVERITY_WARNING;
    }
}

enum cor_status cor_agent_verdicts(struct cor_result *result, struct cor_view_findings *verdicts,
                                   struct cor_error *error) {
    struct cor_agent_result agent;
    COR_TRY(cor_agent_result_init(result, &agent, error));
    *verdicts = (struct cor_view_findings){0};
    cor__count_verdicts(&agent, verdicts);
    cor_agent_result_fini(&agent);
    return COR_OK;
}
