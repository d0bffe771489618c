/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units and faults of agents as tests. */
#include "findings.h"
#include "summary.h"
#include "test_formats.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME 1024

/* One test: a unit of an arm without a fault, a fault, or something found of the design. */
struct point {
    const struct cor_agent_design_finding *design; /* NULL: not of the design */
    uint16_t arm;
    uint32_t suite; /* of a unit */
    bool is_fault, failed, undecided;
    uint64_t first, count; /* its findings */
    uint64_t cases;
};

struct points {
    const struct cor_layer_tables *agent;
    struct point *items; /* owned */
    size_t count, capacity;
};

/* Units of an arm, or faults. */
static struct views__test test(const void *with, size_t index) {
    const struct points *points = with;
    const struct point *point = &points->items[index];
    return (struct views__test){point->design     ? "design"
                                : point->is_fault ? "faults"
                                                  : cor_agent_arm_name(points->agent, point->arm),
                                point->failed      ? VIEWS__TEST_FAILED
                                : point->undecided ? VIEWS__TEST_SKIPPED
                                                   : VIEWS__TEST_PASSED};
}

static enum cor_status add(struct points *points, const struct point *point, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&points->items, &points->capacity, points->count + 1, error));
    points->items[points->count++] = *point;
    return COR_OK;
}

static const struct cor_agent_finding_row *finding_at(const struct cor_layer_tables *agent, uint64_t index) {
    return cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, index);
}

static enum cor_status list_units(const struct cor_layer_tables *agent, uint16_t arm, struct points *points,
                                  struct cor_error *error) {
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
        struct point point = {.arm = arm, .suite = row->suite, .cases = row->cases};
        if (row->arm != arm)
            continue;
        point.first = cor_layer_rows_of(agent, COR_AGENT_TABLE_FINDINGS, arm, row->suite, &point.count);
        for (uint64_t f = point.first; f < point.first + point.count; f++)
            point.failed = point.failed || finding_at(agent, f)->severity > COR_SEVERITY_NOTE;
        point.undecided = views__is_not_built(agent, row);
        COR_TRY(add(points, &point, error));
    }
    return COR_OK;
}

/* Of a unit that is run more than once with the number of the time. */
static void name_of(const struct cor_layer_tables *agent, const struct point *point, char name[NAME]) {
    const struct cor_agent_unit_row *row = cor_agent_unit_of(agent, point->arm, point->suite);
    if (point->design)
        snprintf(name, NAME, "%s %s", cor_term_word(COR_FAMILY_AUT_CHECK, point->design->check),
                 point->design->about);
    else if (point->is_fault)
        snprintf(name, NAME, "%s", cor_agent_arm_name(agent, point->arm));
    else if (row && row->repetition > 0)
        snprintf(name, NAME, "%s #%" PRIu32, cor_agent_unit_name(agent, row->unit), row->repetition + 1);
    else
        snprintf(name, NAME, "%s", cor_agent_unit_name(agent, row ? row->unit : 0));
}

/* What there is to say: for a fault what found it, for a unit each finding, with the case that shows it. */
static void say(const struct cor_layer_tables *agent, uint64_t finding, char *text, size_t size) {
    char sentence[COR_AGENT_TEXT], values[COR_AGENT_TEXT];
    const struct cor_agent_finding_row *row = finding_at(agent, finding);
    cor_agent_sentence(agent, row, sentence);
    cor_agent_case_text(agent, row->arm, row->suite, row->smallest, values);
    snprintf(text, size, "%s: %s%s Smallest case %s:%" PRIu32 "%s%s",
             cor_term_word(COR_FAMILY_AUT_CHECK, row->check),
             row->cause == COR_CAUSE_ROOT ? "" : "(a consequence) ", sentence,
             views__finding_unit(agent, row), row->smallest, values[0] ? " " : "", values);
}

#define SAID (3 * COR_AGENT_TEXT)
#define NOT_FOUND "the fault was not found: no check failed that passes without it"

/* Why there is no verdict. */
static const char *why_undecided(const struct point *point) {
    return point->design     ? point->design->text
           : point->is_fault ? "the fault was not found in the units that were run, and not all were"
                             : "the plan is not built: a stub stood in for it";
}

static void put_case(const void *with, size_t index, FILE *file) {
    const struct points *points = with;
    const struct cor_layer_tables *agent = points->agent;
    const struct point *point = &points->items[index];
    char text[SAID], number[COR_CELL], name[NAME];
    views__put_attribute("classname", test(with, index).suite, file);
    name_of(agent, point, name);
    views__put_attribute("name", name, file);
    fputs(">\n      <properties>\n", file);
    cor_integer_text(point->cases, number);
    views__put_property("cases", number, file);
    fputs("      </properties>\n", file);
    if (point->design) {
        fputs("      <failure", file);
        views__put_attribute("type", cor_term_word(COR_FAMILY_AUT_CHECK, point->design->check), file);
        views__put_attribute("message", point->design->text, file);
        fputs("/>\n", file);
    }
    if (point->undecided) {
        fputs("      <skipped", file);
        views__put_attribute("message", why_undecided(point), file);
        fputs("/>\n", file);
    }
    if (point->is_fault && point->failed)
        fputs("      <failure type=\"not_found\" message=\"" NOT_FOUND "\"/>\n", file);
    for (uint64_t f = point->first; f < point->first + point->count; f++) {
        bool failure = !point->is_fault && finding_at(agent, f)->severity > COR_SEVERITY_NOTE;
        say(agent, f, text, sizeof text);
        fputs(failure ? "      <failure" : "      <system-out>", file);
        if (failure) {
            views__put_attribute("type", cor_term_word(COR_FAMILY_AUT_CHECK, finding_at(agent, f)->check),
                                 file);
            views__put_attribute("message", text, file);
            fputs("/>\n", file);
            continue;
        }
        views__put_xml(text, file);
        fputs("</system-out>\n", file);
    }
}

static void put_point(const void *with, size_t index, FILE *file) {
    const struct points *points = with;
    const struct cor_layer_tables *agent = points->agent;
    const struct point *point = &points->items[index];
    char text[SAID], name[NAME];
    views__put_description(point->design ? "design" : cor_agent_arm_name(agent, point->arm), file);
    if (!point->is_fault) {
        fputc(' ', file);
        name_of(agent, point, name);
        views__put_description(name, file);
    }
    if (point->undecided)
        fprintf(file, " # SKIP %s", why_undecided(point));
    fprintf(file, "\n  ---\n  cases: %" PRIu64 "\n", point->cases);
    if (point->design)
        views__put_scalar_text("  ", "message", point->design->text, file);
    if (point->is_fault && point->failed)
        views__put_scalar_text("  ", "message", NOT_FOUND, file);
    fputs(point->count > 0 ? "  findings:\n" : "", file);
    for (uint64_t f = point->first; f < point->first + point->count; f++) {
        say(agent, f, text, sizeof text);
        fputs("    - \"", file);
        views__put_scalar(text, file);
        fputs("\"\n", file);
    }
    fputs("  ...\n", file);
}

static enum cor_status write_points(struct cor_result *result, views__write_list *write, FILE *file,
                                    struct cor_error *error) {
    struct cor_layer_tables agent;
    struct points points = {.agent = &agent};
    struct cor_agent_design design = {.count = 0};
    enum cor_status status = COR_OK;
    COR_TRY(cor_agent_result_init(result, &agent, error));
    COR_TRY_OUT(cor_agent_design_init(agent.head, &design, error));
    for (size_t f = 0; f < design.count; f++)
        if (design.items[f].severity >= COR_SEVERITY_WARNING || views__is_open(&design.items[f])) {
            const struct point point = {.design = &design.items[f],
                                        .failed = design.items[f].severity >= COR_SEVERITY_WARNING,
                                        .undecided = views__is_open(&design.items[f])};
            COR_TRY_OUT(add(&points, &point, error));
        }
    for (size_t a = 0; a < cor_arm_count(agent.head); a++) {
        struct views__arm_tally tally;
        COR_TRY_OUT(views__arm_tally(&agent, (uint16_t)a, &tally, error));
        struct point point = {.arm = (uint16_t)a,
                              .is_fault = true,
                              .failed = tally.own == 0 && views__were_all_run(&agent, (uint16_t)a),
                              .undecided = tally.own == 0 && !views__were_all_run(&agent, (uint16_t)a),
                              .first = tally.first_root,
                              .count = tally.own > 0,
                              .cases = tally.cases};
        if (!tally.is_faulty)
            COR_TRY_OUT(list_units(&agent, (uint16_t)a, &points, error));
        else if (tally.suites > 0)
            COR_TRY_OUT(add(&points, &point, error));
    }
    const struct views__test_list list = {.with = &points,
                                          .tests = points.count,
                                          .test = test,
                                          .put_case = put_case,
                                          .put_point = put_point,
                                          .none = "the file has no units"};
    status = write(&list, file, error);
out:
    free(points.items);
    cor_agent_design_fini(&design);
    cor_layer_tables_fini(&agent);
    return status;
}

static enum cor_status count(struct cor_result *result, struct cor_view_findings *findings,
                             struct cor_error *error) {
    struct cor_layer_tables agent;
    COR_TRY(cor_agent_result_init(result, &agent, error));
    enum cor_status status = views__count_verdicts(&agent, findings, error);
    cor_layer_tables_fini(&agent);
    return status;
}

static enum cor_status put_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    struct cor_layer_tables agent;
    COR_TRY(cor_agent_result_init(result, &agent, error));
    enum cor_status status = views__put_mutants(&agent, sheets, error);
    cor_layer_tables_fini(&agent);
    return status;
}

/* The unit in which the first root of an arm was found. */
static enum cor_status lead_to_unit(const struct cor_layer_tables *agent, size_t arm,
                                    struct views__summary *summary, struct cor_error *error) {
    struct views__arm_tally tally;
    COR_TRY(views__arm_tally(agent, (uint16_t)arm, &tally, error));
    if (tally.first_root == UINT64_MAX)
        return COR_OK;
    const struct cor_agent_finding_row *row = finding_at(agent, tally.first_root);
    char sentence[COR_AGENT_TEXT],
        *key = cor_format("%s/%" PRIu32, cor_agent_arm_name(agent, row->arm), row->suite);
    cor_agent_sentence(agent, row, sentence);
    views__summary_say(summary, "example", COR_TONE_PLAIN, "%.60s%s", sentence,
                       strlen(sentence) > 60 ? "..." : "");
    if (key)
        views__summary_next(summary, "repeat", "replay", "--failure", key, NULL);
    else
        summary->status = COR_STATUS_MEMORY;
    free(key);
    return COR_OK;
}

static enum cor_status sum(const struct cor_view_request *request, struct views__summary *summary,
                           struct cor_view_findings *findings, struct cor_error *error) {
    struct cor_layer_tables agent;
    enum cor_status status = COR_OK;
    COR_TRY(cor_agent_result_init(request->result, &agent, error));
    summary->counted = "cases";
    for (size_t a = 0; a < cor_arm_count(agent.head); a++) {
        /* An agent or a fault, by the root that most of the cases show that could. */
        const uint16_t arm = (uint16_t)a;
        struct views__arm_tally tally;
        size_t original = cor_arm_count(agent.head);
        COR_TRY_OUT(views__arm_tally(&agent, arm, &tally, error));
        const bool faulty = tally.is_faulty;
        if (faulty)
            COR_TRY_OUT(views__original(&agent, arm, &original, error));
        const bool is_found = faulty && tally.own > 0, fails = !faulty && tally.worst >= COR_SEVERITY_WARNING;
        struct views__summary_arm it = {.name = cor_agent_arm_name(&agent, arm), .is_found = is_found};
        it.verdict = tally.suites == 0 ? "no units"
                     : is_found        ? "found"
                     : faulty          ? "not found"
                     : fails           ? "FAILS"
                                       : "passes";
        it.is_good = tally.suites > 0 && !fails && faulty == is_found;
        for (uint64_t i = 0; i < agent.count[COR_AGENT_TABLE_FINDINGS]; i++) {
            const struct cor_agent_finding_row *row = finding_at(&agent, i);
            if (row->arm == arm && row->cause == COR_CAUSE_ROOT && row->hit > it.hits &&
                !views__is_of_original(&agent, original, row)) {
                it.hits = row->hit;
                it.tries = row->run;
            }
        }
        summary->suites += tally.suites;
        summary->cases += tally.cases;
        views__summary_arm(summary, &it);
    }
    if (views__summary_worst(summary) != SIZE_MAX)
        COR_TRY_OUT(lead_to_unit(&agent, views__summary_worst(summary), summary, error));
    status = views__count_verdicts(&agent, findings, error);
out:
    cor_layer_tables_fini(&agent);
    return status;
}

const struct views__layer_verdicts views__verdicts_of_agent = {&cor_agent_schema, sum, count, write_points,
                                                               put_mutants};
