/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the findings of an arm amount to: counts, words, verdicts. */
#include "summary.h"
#include "test_formats.h"
#include "views.h"

#include <corridor/agent_graph.h>
#include <corridor/agent_result.h>
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/sheet.h>
#include <corridor/view.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What was found of an arm; of one with a fault, what the same agent without it does not show is its own. */
struct views__arm_tally {
    uint64_t suites, cases, findings, roots, own;
    uint64_t
        first_root; /* row of the findings; of its own a root, or any, if there are any; UINT64_MAX: none */
    int worst;      /* enum cor_severity, of its own; 0: nothing */
    bool is_faulty;
};
enum cor_status views__arm_tally(const struct cor_layer_tables *agent, uint16_t arm,
                                 struct views__arm_tally *tally, struct cor_error *error) COR_MUST_USE;

extern const struct cor_sheet_definition views__mutants, views__operators, views__killers;

static enum cor_status put_mutants(const struct cor_layer_tables *agent, struct cor_sheets *sheets,
                                   struct cor_error *error) COR_MUST_USE;

/* The arm of the same agent without a fault; the number of arms if there is none. */
static enum cor_status find_original(const struct cor_layer_tables *agent, uint16_t arm, size_t *original,
                                     struct cor_error *error) {
    char *is = NULL;
    bool is_same = false;
    enum cor_status status =
        cor_text_under(cor_arm_entry(agent->head, arm)->description, "agent", &is, error);
    for (*original = 0; status == COR_OK && *original < cor_arm_count(agent->head); ++*original) {
        const struct cor_catalog_entry *entry = cor_arm_entry(agent->head, *original);
        bool faulty;
        status = cor_arm_has_fault(entry, &faulty, error);
        if (status != COR_OK || faulty)
            continue;
        if (is)
            status = cor_says(entry->description, "agent", is, &is_same, error);
        if (is_same || !is)
            break;
    }
    free(is);
    return status;
}

/* Is the same found of the agent without the fault, as severely? Then it says nothing of the fault. */
static bool is_of_original(const struct cor_layer_tables *agent, size_t original,
                           const struct cor_agent_finding_row *row) {
    uint64_t count = 0, first = 0;
    if (original < cor_arm_count(agent->head) && original != row->arm)
        first = cor_layer_rows_of(agent, COR_AGENT_TABLE_FINDINGS, (uint16_t)original, row->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_agent_finding_row *other = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (other->check == row->check && other->plan == row->plan && other->about == row->about &&
            other->severity >= row->severity)
            return true;
    }
    return false;
}

enum cor_status views__arm_tally(const struct cor_layer_tables *agent, uint16_t arm,
                                 struct views__arm_tally *tally, struct cor_error *error) {
    size_t original = cor_arm_count(agent->head);
    uint64_t first_own = UINT64_MAX, first_root = UINT64_MAX;
    *tally = (struct views__arm_tally){.first_root = UINT64_MAX};
    COR_TRY(cor_arm_has_fault(cor_arm_entry(agent->head, arm), &tally->is_faulty, error));
    if (tally->is_faulty)
        COR_TRY(find_original(agent, arm, &original, error));
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
        tally->suites += row->arm == arm;
        tally->cases += row->arm == arm ? row->cases : 0;
    }
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (row->arm != arm)
            continue;
        const bool is_root = row->cause == COR_CAUSE_ROOT;
        const bool is_own = !is_of_original(agent, original, row);
        tally->findings++;
        tally->roots += is_root;
        tally->own += is_own;
        tally->worst = is_own && row->severity > tally->worst ? row->severity : tally->worst;
        if (is_root && is_own && tally->first_root == UINT64_MAX)
            tally->first_root = i;
        first_own = is_own && first_own == UINT64_MAX ? i : first_own;
        first_root = is_root && first_root == UINT64_MAX ? i : first_root;
    }
    if (tally->first_root == UINT64_MAX)
        tally->first_root = first_own == UINT64_MAX ? first_root : first_own;
    return COR_OK;
}

/* "root", or the name of the unit that explains the finding. */
static const char *cause_word(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row) {
    return row->cause == COR_CAUSE_ROOT ? cor_term_word(COR_FAMILY_CAUSE, COR_CAUSE_ROOT)
                                        : cor_agent_unit_name(agent, row->cause_unit);
}

/* The name of the unit in which it was found. */
static const char *finding_unit(const struct cor_layer_tables *agent,
                                const struct cor_agent_finding_row *row) {
    const struct cor_agent_unit_row *unit = cor_agent_unit_of(agent, row->arm, row->suite);
    return unit ? cor_agent_unit_name(agent, unit->unit) : "?";
}

/* Is it that something never happened, so that another value might yet show it? */
static bool is_never(const struct cor_agent_finding_row *row) {
    switch (row->check) {
    case COR_AUT_CHECK_EVENT_NEVER_POSTED:
    case COR_AUT_CHECK_MESSAGE_NEVER_SENT:
    case COR_AUT_CHECK_ACTION_NEVER_DONE:
    case COR_AUT_CHECK_BELIEF_NEVER_WRITTEN:
    case COR_AUT_CHECK_PLAN_NEVER_CHOSEN:
    case COR_AUT_CHECK_CONTEXT_NEVER_TRUE:
        return true;
    default:
        return false;
    }
}

/* Is it the unit of a plan that is not built, so that there is no verdict of it? */
static bool is_not_built(const struct cor_layer_tables *agent, const struct cor_agent_unit_row *unit) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(agent, COR_AGENT_TABLE_FINDINGS, unit->arm, unit->suite, &count);
    const char *name = cor_agent_unit_name(agent, unit->unit);
    for (uint64_t f = first; f < first + count; f++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, f);
        const char *plan = cor_agent_name(agent, row->about);
        const size_t length = strlen(plan);
        if (row->check == COR_AUT_CHECK_NOT_BUILT && strncmp(name, "PT(", 3) == 0 &&
            strncmp(name + 3, plan, length) == 0 && strcmp(name + 3 + length, ")") == 0)
            return true;
    }
    return false;
}

/* Was the unit run in the arm; were all? Where some were not, a fault that was not found may be in them. */
static bool was_run(const struct cor_layer_tables *agent, uint16_t arm, uint32_t unit) {
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
        if (row->arm == arm && row->unit == unit)
            return true;
    }
    return false;
}

static bool were_all_run(const struct cor_layer_tables *agent, uint16_t arm) {
    for (size_t u = 0; u < agent->head->catalog_size[COR_AGENT_CATALOG_UNIT]; u++)
        if (!was_run(agent, arm, (uint32_t)agent->head->catalog[COR_AGENT_CATALOG_UNIT][u].code))
            return false;
    return true;
}

/* Is it a question of the design that was too much, so that there is no verdict of it? */
static bool is_open(const struct cor_agent_design_finding *finding) {
    return strcmp(finding->ground, "open") == 0;
}

/* Adds what a caller may take amiss: something found of an agent without a fault, nothing of one with a
 * fault; and tests without a verdict. */
static enum cor_status count_verdicts(const struct cor_layer_tables *agent,
                                      struct cor_view_findings *verdicts, struct cor_error *error) {
    struct cor_agent_design design;
    COR_TRY(cor_agent_design_init(agent->head, &design, error));
    const bool design_fails = design.worst >= COR_SEVERITY_WARNING;
    for (size_t f = 0; f < design.count; f++)
        verdicts->undecided += is_open(&design.items[f]);
    cor_agent_design_fini(&design);
    verdicts->unexpected += design_fails;
    verdicts->failed += design_fails;
    for (size_t a = 0; a < cor_arm_count(agent->head); a++) {
        struct views__arm_tally tally;
        COR_TRY(views__arm_tally(agent, (uint16_t)a, &tally, error));
        const bool faulty = tally.is_faulty, unfound = faulty && tally.suites > 0 && tally.own == 0;
        const bool missed = unfound && were_all_run(agent, (uint16_t)a);
        const bool fails = !faulty && tally.worst >= COR_SEVERITY_WARNING;
        verdicts->undecided += unfound && !missed;
        for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS] && !faulty; i++) {
            const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
            verdicts->undecided += row->arm == a && is_not_built(agent, row);
        }
        verdicts->undetected += missed;
        verdicts->unexpected += fails;
        verdicts->failed += missed || fails;
    }
    return COR_OK;
}

/* ---- what the agents of a file do otherwise than their design: unit by unit, then finding by finding, with
 * the smallest case that shows it and what explains it; what the cases reached, and what no unit tests */

#define TRIED_SHOWN 12 /* valid cases that a text lists below a finding */

#define FINDING(member) COR_CELL_OF(struct cor_agent_finding_row, member)
static const struct cor_column_definition findings_columns[] = {
    {"agent", "", "", "the agent without a fault, or with that of the arm", COR_CELL_TEXT, 0,
     COR_COLUMN_GROUP},
    {"arm", "", "", "name of the arm: the agent with its fault, or none", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"unit", "unit", "", "the unit in which it was found", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "what was looked at",
     COR_TERM_OF(struct cor_agent_finding_row, check, COR_FAMILY_AUT_CHECK)},
    {"about", "about", "", "plan, event, message, action, belief set or field; nothing: the unit",
     COR_CELL_WORD, 0, 0},
    {"plan", "plan", "", "the plan that did or did not", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"severity", "severity", "", "error, warning or note", COR_CELL_WORD, 0, 0},
    {"hit", "hit", "cases", "cases that show it; of what never happens all that could", FINDING(hit)},
    {"run", "of", "cases", "cases that could show it", FINDING(run)},
    {"smallest", "smallest", "",
     "the case with the shortest trace that shows it: UNIT:N for corridor agent test --case",
     FINDING(smallest)},
    {"key", "key", "",
     "ARM/UNIT/CASE, for corridor shrink and corridor replay; of what no single case shows nothing",
     COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"beside", "beside", "", "of a race: the same case, in the interleaving that ends otherwise: UNIT:N",
     COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"cause", "cause", "", "root, or the unit whose finding explains it", COR_CELL_WORD, 0, 0},
    {"repetition", "repetition", "", "which time the unit was run", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"sentence", "sentence", "", "the finding in words", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"values", "values", "", "values of the smallest case", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
    {"look", "look at", "", "where to look first", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(findings, "findings", "Findings", "something an agent does otherwise than its design", 0,
                     0);

#define UNIT(member) COR_CELL_OF(struct cor_agent_unit_row, member)
static const struct cor_column_definition units_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"unit", "unit", "", "PT: a plan; ET: an event with all its handlers; CT: plans in a ring", COR_CELL_WORD,
     0, COR_COLUMN_KEY},
    {"cases", "cases", "", "cases executed", UNIT(cases)},
    {"valid", "valid", "cases", "thereof with values that the design allows", UNIT(cases_valid)},
    {"applicable", "applicable", "cases", "thereof with a context of the design that holds",
     UNIT(cases_applicable)},
    {"errors", "errors", "", "findings that are errors", COR_CELL_COUNT, 0, 0},
    {"warnings", "warnings", "", "findings that are warnings", COR_CELL_COUNT, 0, 0},
    {"notes", "notes", "", "findings that are notes", COR_CELL_COUNT, 0, 0},
    {"outcome", "outcome", "",
     "ok, or nothing but notes; faulty (here): with a finding that nothing explains; faulty (follows): only "
     "with "
     "others",
     COR_CELL_WORD, 0, COR_COLUMN_KEY},
    {"repetition", "repetition", "", "which time the unit was run", UNIT(repetition), 0, COR_COLUMN_DATA},
    {"combinations", "combinations", "", "combinations of all classes", UNIT(combinations), 0,
     COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(units, "units", "Units, in the order of testing", "a unit of an arm", COR_SHEET_FIRST,
                     0);

#define TALLY(member) COR_CELL_OF(struct views__arm_tally, member)
static const struct cor_column_definition arms_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"agent", "agent", "", "interpreter, a module or a program", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"cases", "cases", "", "cases executed", TALLY(cases)},
    {"findings", "findings", "", "all that was found", TALLY(findings)},
    {"roots", "roots", "", "thereof explained by no other finding", TALLY(roots)},
    {"own", "own", "", "of all, what the same agent does not show without the fault", TALLY(own), 0,
     COR_COLUMN_DATA},
    {"first", "first root", "", "check, unit and what it is about", COR_CELL_TEXT, 0, 0},
    {"outcome", "outcome", "",
     "ok, or the worst of its findings: with a fault, of those that the same agent without it does not show",
     COR_CELL_WORD, 0, 0},
    {"meaning", "meaning", "", "what the fault is", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(arms, "arms", "Agents and faults", "an arm", 0, 0);

static const struct cor_column_definition tried_values_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"unit", "unit", "", "the unit", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "what was never seen",
     COR_TERM_OF(struct cor_agent_finding_row, check, COR_FAMILY_AUT_CHECK)},
    {"about", "about", "", "what it is about", COR_CELL_WORD, 0, 0},
    {"case", "case", "", "case of the unit", COR_CELL_COUNT, 0, 0},
    {"values", "values", "", "its values, all valid", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(tried_values, "tried", "Valid values tried",
                     "a valid case of a unit in which something was never seen", COR_SHEET_DATA, 0);

static const struct cor_column_definition reaches_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"what", "", "", "what there is to reach", COR_CELL_TEXT, 0, 0},
    {"reached", "reached", "", "reached by at least one case", COR_CELL_COUNT, 0, 0},
    {"total", "of", "", "there are", COR_CELL_COUNT, 0, 0},
    {"missing", "not reached", "", "the first one that no case reached", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(reaches, "adequacy", "What the cases reached",
                     "a kind of thing that cases can reach, of an arm", COR_SHEET_FIRST, 0);

#define ENTRY(member) COR_CELL_OF(struct cor_catalog_entry, member)
static const struct cor_column_definition unreached_columns[] = {
    {"name", "name", "", "part of the design", ENTRY(name)},
    {"kind", "kind", "", "plan or event, which no entry of the agent reaches; unit, which was not asked for",
     ENTRY(description)},
};
COR_SHEET_DEFINITION(unreached, "not_run", "Not run", "a part that was not tested", 0, 0);

static const struct cor_column_definition design_itself_columns[] = {
    {"check", "check", "", "what was looked at", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"severity", "severity", "", "error, warning or note", COR_CELL_WORD, 0, 0},
    {"ground", "ground", "",
     "structure: it is written so; proof: no values are otherwise; open: it may be so", COR_CELL_WORD, 0, 0},
    {"about", "about", "", "plan, event or ring", COR_CELL_WORD, 0, 0},
    {"plan", "plan", "", "the plan that has it", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"text", "in words", "", "the finding in words", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(design_itself, "design", "The design itself, before any case",
                     "something found of the design, whatever agent is tested", 0, 0);

static const struct cor_column_definition about_columns[] = {
    {"agent", "agent", "", "name of the agent, or of the experiment", COR_CELL_TEXT, 0, 0},
    {"arms", "arms", "", "agents and faults", COR_CELL_COUNT, 0, 0},
    {"suites", "suites", "", "units run", COR_CELL_COUNT, 0, 0},
    {"cases", "cases", "", "cases executed", COR_CELL_COUNT, 0, 0},
    {"findings", "findings", "", "findings of all arms", COR_CELL_COUNT, 0, 0},
    {"complete", "complete", "", "all units of all arms are in the file", COR_CELL_FLAG, 0, 0},
};
COR_SHEET_DEFINITION(about, "about", "About", "the file", COR_SHEET_RECORD | COR_SHEET_DATA, 0);

static bool is_wanted(const struct cor_view_request *request, const struct cor_layer_tables *agent,
                      uint16_t arm) {
    return !request->arm || strcmp(cor_agent_arm_name(agent, arm), request->arm) == 0;
}

/* A sheet of which readers see the first arm alone: it says which, where there are others. */
static struct cor_sheet *add_of_first(struct cor_sheets *sheets,
                                      const struct cor_sheet_definition *definition,
                                      const struct cor_view_request *request,
                                      const struct cor_layer_tables *agent) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, definition);
    if (!request->arm && cor_arm_count(agent->head) > 1)
        cor_sheet_title(sheet, "%s (arm %s; another: --arm NAME)", definition->title,
                        cor_agent_arm_name(agent, 0));
    return sheet;
}

static void put_word(struct cor_sheet *sheet, const char *word) {
    cor_sheet_word(sheet, word[0] ? word : NULL);
}

/* Of a race: the first interleaving of the case that is the smallest. False: it is none. */
static bool find_beside(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row,
                        uint32_t *beside) {
    uint64_t count, first = cor_layer_rows_of(agent, COR_AGENT_TABLE_RACES, row->arm, row->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_agent_race_row *race = cor_layer_row(agent, COR_AGENT_TABLE_RACES, i);
        *beside = race->first;
        if (race->check == row->check && race->about == row->about)
            return true;
    }
    return false;
}

static void put_finding(const struct cor_layer_tables *agent, uint64_t index, struct cor_sheet *sheet) {
    const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, index);
    const struct cor_agent_unit_row *unit = cor_agent_unit_of(agent, row->arm, row->suite);
    const char *arm = cor_agent_arm_name(agent, row->arm);
    char text[COR_AGENT_TEXT];
    cor_sheet_row(sheet);
    cor_sheet_text(sheet, "%s", strcmp(arm, "none") == 0 ? "the agent without a fault" : arm);
    cor_sheet_word(sheet, arm);
    cor_sheet_word(sheet, finding_unit(agent, row));
    COR_SHEET_PUT(sheet, struct cor_agent_finding_row, row);
    put_word(sheet, cor_agent_name(agent, row->about));
    put_word(sheet, cor_agent_name(agent, row->plan));
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_SEVERITY, row->severity));
    cor_sheet_tone(sheet, row->severity == COR_SEVERITY_ERROR ? COR_TONE_BAD : COR_TONE_PLAIN);
    COR_SHEET_PUT(sheet, struct cor_agent_finding_row, row);
    char *key = cor_agent_is_failure(row) ? cor_agent_key(agent, index) : NULL;
    if (key)
        cor_sheet_text(sheet, "%s", key);
    else
        cor_sheet_nothing(sheet);
    free(key);
    uint32_t beside;
    if (find_beside(agent, row, &beside))
        cor_sheet_count(sheet, beside);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_word(sheet, cause_word(agent, row));
    cor_sheet_count(sheet, unit ? unit->repetition : 0);
    cor_agent_sentence(agent, row, text);
    cor_sheet_text(sheet, "%s", text);
    cor_agent_case_text(agent, row->arm, row->suite, row->smallest, text);
    cor_sheet_text(sheet, "%s", text);
    const struct cor_term *term = cor_term(COR_FAMILY_AUT_CHECK, row->check);
    cor_sheet_text(sheet, "%s", term ? term->look : "");
}

/* Where the valid cases of a suite go. */
struct tried {
    struct cor_sheet *sheet; /* a row each; or */
    FILE *file;              /* a line each */
    uint64_t count;
};

static void list_tried(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row,
                       struct tried *tried) {
    uint64_t count, first = cor_layer_rows_of(agent, COR_AGENT_TABLE_TRIALS, row->arm, row->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_agent_trial_row *trial = cor_layer_row(agent, COR_AGENT_TABLE_TRIALS, i);
        char text[COR_AGENT_TEXT];
        if (!trial->valid || !trial->applicable)
            continue;
        tried->count++;
        if (tried->file && tried->count > TRIED_SHOWN)
            continue;
        cor_agent_case_text(agent, row->arm, row->suite, trial->case_, text);
        if (tried->file) {
            fprintf(tried->file, "%s      %s\n", tried->count == 1 ? "    Valid values tried:\n" : "", text);
            continue;
        }
        cor_sheet_row(tried->sheet);
        cor_sheet_word(tried->sheet, cor_agent_arm_name(agent, row->arm));
        cor_sheet_word(tried->sheet, finding_unit(agent, row));
        COR_SHEET_PUT(tried->sheet, struct cor_agent_finding_row, row);
        put_word(tried->sheet, cor_agent_name(agent, row->about));
        cor_sheet_count(tried->sheet, trial->case_);
        cor_sheet_text(tried->sheet, "%s", text);
    }
}

enum adequate { ARCS, CONTEXTS_TRUE, CONTEXTS_FALSE, LISTED, BRANCHES, CLASSES, ADEQUATE };

static enum adequate kind_of_use(uint8_t use) {
    switch (use) {
    case COR_USE_STARTED:
        return ARCS;
    case COR_USE_CONTEXT_TRUE:
        return CONTEXTS_TRUE;
    case COR_USE_CONTEXT_FALSE:
        return CONTEXTS_FALSE;
    case COR_USE_BRANCH_TRUE:
    case COR_USE_BRANCH_FALSE:
        return BRANCHES;
    default:
        return LISTED;
    }
}

struct adequacy {
    uint64_t reached[ADEQUATE], total[ADEQUATE];
    char missing[ADEQUATE][COR_AGENT_TEXT];
};

static void count_one(struct adequacy *adequacy, enum adequate kind, bool reached, const char *what) {
    adequacy->total[kind]++;
    adequacy->reached[kind] += reached;
    if (!reached && adequacy->missing[kind][0] == '\0')
        snprintf(adequacy->missing[kind], COR_AGENT_TEXT, "%s", what);
}

static void put_adequacy(const struct cor_layer_tables *agent, uint16_t arm, struct cor_sheet *sheet) {
    static const char *const words[ADEQUATE] = {
        [ARCS] = "plans started for their event",  [CONTEXTS_TRUE] = "contexts seen true",
        [CONTEXTS_FALSE] = "contexts seen false",  [LISTED] = "posts, messages, actions and writes seen",
        [BRANCHES] = "ways of branches in bodies", [CLASSES] = "equivalence classes hit"};
    struct adequacy adequacy = {{0}, {0}, {{0}}};
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_USES]; i++) {
        const struct cor_agent_use_row *row = cor_layer_row(agent, COR_AGENT_TABLE_USES, i);
        char what[COR_AGENT_TEXT];
        if (row->arm != arm)
            continue;
        bool branch = kind_of_use(row->use) == BRANCHES;
        snprintf(what, sizeof what, branch ? "%s: %s %" PRIu32 : "%s: %s", cor_agent_name(agent, row->plan),
                 branch ? cor_term_word(COR_FAMILY_USE, row->use) : cor_agent_name(agent, row->subject),
                 row->branch);
        count_one(&adequacy, kind_of_use(row->use), row->cases > 0, what);
    }
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_CLASSES]; i++) {
        const struct cor_agent_class_row *row = cor_layer_row(agent, COR_AGENT_TABLE_CLASSES, i);
        if (row->arm == arm)
            count_one(&adequacy, CLASSES, row->cases > 0, cor_agent_name(agent, row->variable));
    }
    for (int k = 0; k < ADEQUATE; k++) {
        if (adequacy.total[k] == 0)
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_agent_arm_name(agent, arm));
        cor_sheet_text(sheet, "%s", words[k]);
        cor_sheet_count(sheet, adequacy.reached[k]);
        cor_sheet_count(sheet, adequacy.total[k]);
        if (adequacy.missing[k][0])
            cor_sheet_text(sheet, "%s", adequacy.missing[k]);
        else
            cor_sheet_nothing(sheet);
    }
}

/* A finding as a paragraph: what, where, how often, the smallest case, valid values tried, what to look at.
 */
static void write_finding(const struct cor_layer_tables *agent, uint64_t index, FILE *file) {
    const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, index);
    const struct cor_term *term = cor_term(COR_FAMILY_AUT_CHECK, row->check);
    const char *unit = finding_unit(agent, row);
    char text[COR_AGENT_TEXT];
    cor_agent_sentence(agent, row, text);
    fprintf(file, "  %s %s%s%s in %s", cor_term_word(COR_FAMILY_SEVERITY, row->severity),
            cor_term_word(COR_FAMILY_AUT_CHECK, row->check), row->about > 0 ? " " : "",
            cor_agent_name(agent, row->about), unit);
    if (row->cause != COR_CAUSE_ROOT)
        fprintf(file, ", a consequence of %s",
                row->cause == COR_CAUSE_SAME_UNIT ? "what else was found there" : cause_word(agent, row));
    fprintf(file, "\n    %s\n", text);
    if (is_never(row) && row->cause == COR_CAUSE_ROOT) {
        struct tried tried = {.file = file};
        list_tried(agent, row, &tried);
        if (tried.count > TRIED_SHOWN)
            fprintf(file, "      and %" PRIu64 " more (--sheet tried)\n", tried.count - TRIED_SHOWN);
        fputs("    If other values would show it, give them to the design as cases of its own.\n", file);
    } else {
        uint32_t beside;
        cor_agent_case_text(agent, row->arm, row->suite, row->smallest, text);
        fprintf(file, "    Smallest case: %s:%" PRIu32 "%s%s\n", unit, row->smallest, text[0] ? "  " : "",
                text);
        if (find_beside(agent, row, &beside))
            fprintf(file, "    It ends otherwise in: %s:%" PRIu32 ", the same with other turns\n", unit,
                    beside);
    }
    char *key = cor_agent_is_failure(row) ? cor_agent_key(agent, index) : NULL;
    if (key)
        fprintf(file, "    Key: %s\n", key);
    free(key);
    if (row->cause == COR_CAUSE_ROOT && term)
        fprintf(file, "    Look at %s.\n", term->look);
}

static enum cor_status write_all(const struct cor_layer_tables *agent, const struct cor_view_request *request,
                                 int design_worst, char **text, struct cor_error *error) {
    size_t size;
    FILE *file = open_memstream(text, &size);
    uint32_t last = UINT32_MAX;
    COR_TRY(cor_made(file, error));
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (!is_wanted(request, agent, row->arm))
            continue;
        if (row->arm != last)
            fprintf(file, "%s%s\n", last == UINT32_MAX ? "" : "\n", cor_agent_arm_name(agent, row->arm));
        last = row->arm;
        write_finding(agent, i, file);
    }
    if (last == UINT32_MAX)
        fputs(design_worst > 0 ? "Nothing was found of the agent; of its design see above.\n"
                               : "Nothing was found.\n",
              file);
    int failed = ferror(file);
    if (fclose(file) == 0 && !failed)
        return COR_OK;
    free(*text);
    *text = NULL;
    return cor_fail_memory(error);
}

static void draw_finding(const void *context, const struct cor_style *style, FILE *file) {
    fprintf(file, "%sFindings in words%s\n%s", style->strong, style->plain, (const char *)context);
}

static enum cor_status put_about(const struct cor_layer_tables *agent, struct cor_sheet *sheet,
                                 struct cor_error *error) {
    uint64_t cases = 0;
    char *name;
    COR_TRY(cor_text_under(agent->head->experiment, "name", &name, error));
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++)
        cases += ((const struct cor_agent_unit_row *)cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i))->cases;
    cor_sheet_row(sheet);
    cor_sheet_text(sheet, "%s", name ? name : "");
    cor_sheet_count(sheet, cor_arm_count(agent->head));
    cor_sheet_count(sheet, agent->count[COR_AGENT_TABLE_UNITS]);
    cor_sheet_count(sheet, cases);
    cor_sheet_count(sheet, agent->count[COR_AGENT_TABLE_FINDINGS]);
    cor_sheet_flag(sheet, agent->head->complete != 0);
    free(name);
    return COR_OK;
}

/* Sheets that have a row for each row of a table. */
static void put_rows(const struct cor_layer_tables *agent, const struct cor_view_request *request,
                     struct cor_sheets *sheets) {
    struct cor_sheet *of_units = add_of_first(sheets, &units, request, agent);
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
        if (is_wanted(request, agent, row->arm)) {
            uint64_t count,
                first = cor_layer_rows_of(agent, COR_AGENT_TABLE_FINDINGS, row->arm, row->suite, &count);
            uint64_t of[COR_SEVERITY_CODES] = {0}, roots = 0;
            for (uint64_t j = first; j < first + count; j++) {
                const struct cor_agent_finding_row *finding =
                    cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, j);
                of[finding->severity < COR_SEVERITY_CODES ? finding->severity : 0]++;
                roots += finding->cause == COR_CAUSE_ROOT && finding->severity != COR_SEVERITY_NOTE;
            }
            const bool is_well = count == of[COR_SEVERITY_NOTE];
            cor_sheet_row(of_units);
            cor_sheet_word(of_units, cor_agent_arm_name(agent, row->arm));
            cor_sheet_word(of_units, cor_agent_unit_name(agent, row->unit));
            COR_SHEET_PUT(of_units, struct cor_agent_unit_row, row);
            cor_sheet_counts(
                of_units, 3,
                (uint64_t[]){of[COR_SEVERITY_ERROR], of[COR_SEVERITY_WARNING], of[COR_SEVERITY_NOTE]});
            cor_sheet_word(of_units, is_well ? "ok" : roots > 0 ? "faulty (here)" : "faulty (follows)");
            cor_sheet_tone(of_units, is_well ? COR_TONE_GOOD : roots > 0 ? COR_TONE_BAD : COR_TONE_PLAIN);
            COR_SHEET_PUT(of_units, struct cor_agent_unit_row, row);
        }
    }
    struct cor_sheet *of_findings = cor_sheets_add(sheets, &findings);
    struct tried tried = {.sheet = cor_sheets_add(sheets, &tried_values)};
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (!is_wanted(request, agent, row->arm))
            continue;
        put_finding(agent, i, of_findings);
        if (is_never(row))
            list_tried(agent, row, &tried);
    }
}

static enum cor_status put_arms(const struct cor_layer_tables *agent, const struct cor_view_request *request,
                                struct cor_sheets *sheets, struct cor_error *error) {
    size_t count = cor_arm_count(agent->head);
    struct cor_sheet *of_arms = count > 1 ? cor_sheets_add(sheets, &arms) : NULL;
    for (size_t a = 0; a < count && of_arms; a++)
        if (is_wanted(request, agent, (uint16_t)a)) {
            const uint16_t arm = (uint16_t)a;
            const struct cor_catalog_entry *entry = cor_arm_entry(agent->head, arm);
            struct views__arm_tally tally;
            char *is, *meaning;
            COR_TRY(views__arm_tally(agent, arm, &tally, error));
            COR_TRY(cor_text_under(entry->description, "agent", &is, error));
            cor_sheet_row(of_arms);
            cor_sheet_word(of_arms, entry->name);
            cor_sheet_word(of_arms, is);
            free(is);
            COR_TRY(cor_text_under(entry->description, "meaning", &meaning, error));
            COR_SHEET_PUT(of_arms, struct views__arm_tally, &tally);
            if (tally.first_root != UINT64_MAX) {
                const struct cor_agent_finding_row *row =
                    cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, tally.first_root);
                cor_sheet_text(of_arms, "%s %s %s", cor_term_word(COR_FAMILY_AUT_CHECK, row->check),
                               finding_unit(agent, row),
                               row->about == 0 ? "" : cor_agent_name(agent, row->about));
            } else {
                cor_sheet_nothing(of_arms);
            }
            cor_sheet_word(of_arms, tally.own == 0 ? "ok" : cor_term_word(COR_FAMILY_SEVERITY, tally.worst));
            cor_sheet_text(of_arms, "%s", meaning ? meaning : "");
            free(meaning);
        }
    return COR_OK;
}

/* What no entry reaches, and units of the first arm that were left out; for scripts always, for readers if
 * there are any. */
static void put_not_run(const struct cor_layer_tables *agent, const struct cor_view_request *request,
                        struct cor_sheets *sheets) {
    struct cor_sheet *sheet = cor_sheets_add(sheets, &unreached);
    const size_t count = agent->head->catalog_size[COR_AGENT_CATALOG_UNREACHED];
    COR_SHEET_PUT_ALL(sheet, struct cor_catalog_entry, agent->head->catalog[COR_AGENT_CATALOG_UNREACHED],
                      count);
    size_t arm = 0;
    while (arm + 1 < cor_arm_count(agent->head) && !is_wanted(request, agent, (uint16_t)arm))
        arm++;
    for (size_t u = 0; u < agent->head->catalog_size[COR_AGENT_CATALOG_UNIT]; u++) {
        const struct cor_catalog_entry *unit = &agent->head->catalog[COR_AGENT_CATALOG_UNIT][u];
        if (was_run(agent, (uint16_t)arm, (uint32_t)unit->code))
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, unit->name);
        cor_sheet_word(sheet, "unit");
    }
}

static enum cor_status put_design(const struct cor_layer_tables *agent, struct cor_sheets *sheets, int *worst,
                                  struct cor_error *error) {
    struct cor_agent_design design;
    COR_TRY(cor_agent_design_init(agent->head, &design, error));
    *worst = design.worst;
    struct cor_sheet *sheet = design.count > 0 ? cor_sheets_add(sheets, &design_itself) : NULL;
    for (size_t f = 0; f < design.count; f++) {
        const struct cor_agent_design_finding *it = &design.items[f];
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_AUT_CHECK, it->check));
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_SEVERITY, it->severity));
        cor_sheet_tone(sheet, it->severity == COR_SEVERITY_ERROR ? COR_TONE_BAD : COR_TONE_PLAIN);
        cor_sheet_word(sheet, it->ground);
        put_word(sheet, it->about);
        put_word(sheet, it->plan);
        cor_sheet_text(sheet, "%s", it->text);
    }
    cor_agent_design_fini(&design);
    return COR_OK;
}

static enum cor_status fill_findings(const struct cor_layer_tables *agent,
                                     const struct cor_view_request *request, struct cor_sheets *sheets,
                                     struct cor_error *error) {
    char *text = NULL;
    int design_worst;
    COR_TRY(put_about(agent, cor_sheets_add(sheets, &about), error));
    COR_TRY(put_arms(agent, request, sheets, error));
    COR_TRY(put_design(agent, sheets, &design_worst, error));
    put_rows(agent, request, sheets);
    COR_TRY(write_all(agent, request, design_worst, &text, error));
    cor_sheets_draw(sheets, draw_finding, text, free);
    struct cor_sheet *sheet = add_of_first(sheets, &reaches, request, agent);
    for (size_t a = 0; a < cor_arm_count(agent->head); a++)
        if (is_wanted(request, agent, (uint16_t)a))
            put_adequacy(agent, (uint16_t)a, sheet);
    put_not_run(agent, request, sheets);
    return put_mutants(agent, sheets, error);
}

static enum cor_status make_findings(const struct cor_view_request *request, struct cor_sheets *sheets,
                                     struct cor_view_findings *verdicts, struct cor_error *error) {
    struct cor_layer_tables agent;
    size_t arm;
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
    COR_TRY(cor_agent_result_init(request->result, &agent, error));
    enum cor_status status = fill_findings(&agent, request, sheets, error);
    if (status == COR_OK)
        status = count_verdicts(&agent, verdicts, error);
    cor_layer_tables_fini(&agent);
    COR_TRY(status);
    return cor_sheets_status(sheets, error);
}

/* The graph of units, in the colours of their outcomes. */

static enum cor_status draw_designs(const struct cor_view_request *request, FILE *file,
                                    struct cor_error *error) {
    struct cor_layer_tables agent;
    size_t arm = 0;
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
    COR_TRY(cor_agent_result_init(request->result, &agent, error));
    cor_agent_graph(&agent, (uint16_t)arm, file);
    cor_layer_tables_fini(&agent);
    return cor_stream_status(file, error);
}

static const struct cor_sheet_definition *const sheets_of_findings[] = {
    &findings,       &about,     &arms,          &units,          &tried_values,
    &reaches,        &unreached, &design_itself, &views__mutants, &views__operators,
    &views__killers, NULL};

const struct cor_view views__view_findings = {
    .name = "findings",
    .command = "show",
    .summary = "show where agents break their design",
    .manual =
        "Prints where the agents break their design: units in the order of testing, then each finding "
        "with its sentence, how often, the smallest case, what explains it and what to look at; what the "
        "cases reached, and what no unit tests. Of mutants, the mutation score by operator and by check.",
    .options = "arm dot",
    .schema = "corridor-findings",
    .version = 1,
    .layer = &cor_agent_schema,
    .sheets = sheets_of_findings,
    .make = make_findings,
    .graph = draw_designs,
};

/* ---- units and faults of agents as tests */

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
        point.undecided = is_not_built(agent, row);
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
static void say_finding(const struct cor_layer_tables *agent, uint64_t finding, char *text, size_t size) {
    char sentence[COR_AGENT_TEXT], values[COR_AGENT_TEXT];
    const struct cor_agent_finding_row *row = finding_at(agent, finding);
    cor_agent_sentence(agent, row, sentence);
    cor_agent_case_text(agent, row->arm, row->suite, row->smallest, values);
    snprintf(text, size, "%s: %s%s Smallest case %s:%" PRIu32 "%s%s",
             cor_term_word(COR_FAMILY_AUT_CHECK, row->check),
             row->cause == COR_CAUSE_ROOT ? "" : "(a consequence) ", sentence, finding_unit(agent, row),
             row->smallest, values[0] ? " " : "", values);
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
        say_finding(agent, f, text, sizeof text);
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
        say_finding(agent, f, text, sizeof text);
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
        if (design.items[f].severity >= COR_SEVERITY_WARNING || is_open(&design.items[f])) {
            const struct point point = {.design = &design.items[f],
                                        .failed = design.items[f].severity >= COR_SEVERITY_WARNING,
                                        .undecided = is_open(&design.items[f])};
            COR_TRY_OUT(add(&points, &point, error));
        }
    for (size_t a = 0; a < cor_arm_count(agent.head); a++) {
        struct views__arm_tally tally;
        COR_TRY_OUT(views__arm_tally(&agent, (uint16_t)a, &tally, error));
        struct point point = {.arm = (uint16_t)a,
                              .is_fault = true,
                              .failed = tally.own == 0 && were_all_run(&agent, (uint16_t)a),
                              .undecided = tally.own == 0 && !were_all_run(&agent, (uint16_t)a),
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

static enum cor_status count_agents(struct cor_result *result, struct cor_view_findings *made,
                                    struct cor_error *error) {
    struct cor_layer_tables agent;
    COR_TRY(cor_agent_result_init(result, &agent, error));
    enum cor_status status = count_verdicts(&agent, made, error);
    cor_layer_tables_fini(&agent);
    return status;
}

static enum cor_status put_agent_mutants(struct cor_result *result, struct cor_sheets *sheets,
                                         struct cor_error *error) {
    struct cor_layer_tables agent;
    COR_TRY(cor_agent_result_init(result, &agent, error));
    enum cor_status status = put_mutants(&agent, sheets, error);
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

static enum cor_status sum_agents(const struct cor_view_request *request, struct views__summary *summary,
                                  struct cor_view_findings *made, struct cor_error *error) {
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
            COR_TRY_OUT(find_original(&agent, arm, &original, error));
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
                !is_of_original(&agent, original, row)) {
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
    status = count_verdicts(&agent, made, error);
out:
    cor_layer_tables_fini(&agent);
    return status;
}

const struct views__layer_verdicts views__verdicts_of_agent = {&cor_agent_schema, sum_agents, count_agents,
                                                               write_points, put_agent_mutants};

/* ---- the mutation score: of the faults that operators put wherever they fit, how many are found, and by
 * which check. Equivalent is what is proven to do as the agent without a fault does, whatever the values;
 * whatever else is not killed is alive */

static const struct cor_column_definition mutants_columns[] = {
    {"outcome", "", "",
     "killed: something was found that the agent without a fault does not show; alive: nothing; equivalent: "
     "it is proven to do the same for all values",
     COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"mutant", "mutant", "", "name of the arm", COR_CELL_WORD, 0, 0},
    {"operator", "operator", "", "what was changed", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "check of the first root", COR_CELL_WORD, 0, 0},
    {"unit", "unit", "", "where it was found", COR_CELL_WORD, 0, 0},
};
const struct cor_sheet_definition views__mutants =
    COR_SHEET_OVER(mutants_columns, "mutants", "Mutants", "a mutant", COR_SHEET_FIRST, 0);

static const struct cor_column_definition operators_columns[] = {
    {"operator", "operator", "", "what was changed; all: every mutant", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "", "of this operator", COR_CELL_COUNT, 0, 0},
    {"killed", "killed", "", "of which something was found", COR_CELL_COUNT, 0, 0},
    {"alive", "alive", "", "of which nothing was found", COR_CELL_COUNT, 0, 0},
    {"equivalent", "equivalent", "", "that are proven to do the same for all values", COR_CELL_COUNT, 0, 0},
    {"score_pct", "score", "%", "killed, of the mutants that are not equivalent", COR_CELL_REAL, 1, 0},
};
const struct cor_sheet_definition views__operators =
    COR_SHEET_OVER(operators_columns, "operators", "Mutation score by operator", "an operator", 0, 0);

static const struct cor_column_definition killers_columns[] = {
    {"check", "check", "", "what was looked at", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "", "mutants with this finding as a root", COR_CELL_COUNT, 0, 0},
    {"alone", "alone", "", "thereof found by no other check", COR_CELL_COUNT, 0, 0},
    {"share_pct", "share", "%", "of the mutants that are killed", COR_CELL_REAL, 1, 0},
};
const struct cor_sheet_definition views__killers =
    COR_SHEET_OVER(killers_columns, "killers", "Mutants by the check that finds them", "a check", 0, 0);

enum outcome { KILLED, ALIVE, EQUIVALENT, OUTCOMES };

struct mutant {
    uint16_t arm;
    char *operator; /* owned; NULL: no mutant */
    enum outcome outcome;
    uint64_t first;  /* root of the mutant alone; UINT64_MAX: none */
    uint64_t checks; /* bits of the checks of its roots, or of all if there is none */
};
_Static_assert(COR_AUT_CHECK_CODES <= 64, "checks are bits of a word");

/* Checks of what is found of the mutant alone: of roots, or of all. */
static void gather_mutants(const struct cor_layer_tables *agent, size_t original, bool roots,
                           struct mutant *mutant) {
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_FINDINGS]; i++) {
        const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        if (row->arm != mutant->arm || (roots && row->cause != COR_CAUSE_ROOT) ||
            is_of_original(agent, original, row))
            continue;
        mutant->checks |= UINT64_C(1) << row->check;
        if (mutant->first == UINT64_MAX)
            mutant->first = i;
    }
}

static enum cor_status look_at(const struct cor_layer_tables *agent, struct mutant *mutant,
                               struct cor_error *error) {
    char *equivalent;
    size_t original;
    COR_TRY(find_original(agent, mutant->arm, &original, error));
    COR_TRY(cor_text_under(cor_arm_entry(agent->head, mutant->arm)->description, "equivalent", &equivalent,
                           error));
    mutant->first = UINT64_MAX;
    gather_mutants(agent, original, true, mutant);
    if (mutant->checks == 0)
        gather_mutants(agent, original, false, mutant);
    mutant->outcome = mutant->checks != 0 ? KILLED : equivalent ? EQUIVALENT : ALIVE;
    free(equivalent);
    return COR_OK;
}

static void put_mutant(const struct cor_layer_tables *agent, const struct mutant *mutant,
                       struct cor_sheet *sheet) {
    cor_sheet_row(sheet);
    static const char *const words[OUTCOMES] = {"killed", "alive", "equivalent"};
    cor_sheet_word(sheet, words[mutant->outcome]);
    cor_sheet_word(sheet, cor_agent_arm_name(agent, mutant->arm));
    cor_sheet_word(sheet, mutant->operator);
    if (mutant->first != UINT64_MAX) {
        const struct cor_agent_finding_row *row =
            cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, mutant->first);
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_AUT_CHECK, row->check));
        cor_sheet_word(sheet, finding_unit(agent, row));
    } else {
        cor_sheet_nothing(sheet);
        cor_sheet_nothing(sheet);
    }
}

/* A row over the mutants of an operator; NULL: of all. */
static void put_operator(const struct mutant *mutants, size_t count, const char *operator,
                         struct cor_sheet * sheet) {
    uint64_t of[OUTCOMES] = {0}, all = 0;
    for (size_t m = 0; m < count; m++) {
        if (!mutants[m].operator||(operator&& strcmp(mutants[m].operator, operator) != 0))
            continue;
        of[mutants[m].outcome]++;
        all++;
    }
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, operator ? operator : "all");
    cor_sheet_count(sheet, all);
    for (int o = 0; o < OUTCOMES; o++)
        cor_sheet_count(sheet, of[o]);
    if (all > of[EQUIVALENT])
        cor_sheet_real(sheet, 100.0 * (double)of[KILLED] / (double)(all - of[EQUIVALENT]));
    else
        cor_sheet_nothing(sheet);
}

static void put_killers(const struct mutant *mutants, size_t count, struct cor_sheet *sheet) {
    uint64_t killed = 0;
    for (size_t m = 0; m < count; m++)
        killed += mutants[m].operator&& mutants[m].outcome == KILLED;
    for (int check = 1; check < COR_AUT_CHECK_CODES; check++) {
        uint64_t bit = UINT64_C(1) << check, found = 0, alone = 0;
        for (size_t m = 0; m < count; m++) {
            found += mutants[m].operator&&(mutants[m].checks & bit);
            alone += mutants[m].operator&& mutants[m].checks == bit;
        }
        if (found == 0)
            continue;
        cor_sheet_row(sheet);
        cor_sheet_word(sheet, cor_term_word(COR_FAMILY_AUT_CHECK, check));
        cor_sheet_count(sheet, found);
        cor_sheet_count(sheet, alone);
        cor_sheet_real(sheet, 100.0 * (double)found / (double)killed);
    }
}

/* Mutants that are alive come first: they are what one wants to look at. */
static void put_all(const struct cor_layer_tables *agent, const struct mutant *mutants, size_t count,
                    struct cor_sheet *sheet) {
    static const enum outcome order[OUTCOMES] = {ALIVE, EQUIVALENT, KILLED};
    for (int o = 0; o < OUTCOMES; o++)
        for (size_t m = 0; m < count; m++)
            if (mutants[m].operator&& mutants[m].outcome == order[o])
                put_mutant(agent, &mutants[m], sheet);
}

/* Mutants: which are found, by what; nothing if the arms are none. */
static enum cor_status put_mutants(const struct cor_layer_tables *agent, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    size_t count = cor_arm_count(agent->head), found = 0;
    enum cor_status status = COR_OK;
    struct mutant *mutants = cor_calloc(count, sizeof *mutants);
    COR_TRY(cor_made(mutants, error));
    for (size_t a = 0; a < count; a++) {
        mutants[a].arm = (uint16_t)a;
        COR_TRY_OUT(cor_text_under(cor_arm_entry(agent->head, a)->description, "operator",
                                   &mutants[a].operator, error));
        if (!mutants[a].operator)
            continue;
        COR_TRY_OUT(look_at(agent, &mutants[a], error));
        found++;
    }
    if (found > 0) {
        struct cor_sheet *sheet = cor_sheets_add(sheets, &views__operators);
        for (size_t m = 0; m < count; m++) {
            bool first = mutants[m].operator!= NULL;
            for (size_t before = 0; before < m && first; before++)
                first =
                    !mutants[before].operator|| strcmp(mutants[before].operator, mutants[m].operator) != 0;
            if (first)
                put_operator(mutants, count, mutants[m].operator, sheet);
        }
        put_operator(mutants, count, NULL, sheet);
        put_killers(mutants, count, cor_sheets_add(sheets, &views__killers));
        put_all(agent, mutants, count, cor_sheets_add(sheets, &views__mutants));
    }
out:
    for (size_t a = 0; a < count; a++)
        free(mutants[a].operator);
    free(mutants);
    return status;
}

/* ---- the units of an agent as a graph for Graphviz */

static const char *colour_of(const struct cor_layer_tables *agent, const struct cor_agent_unit_row *row) {
    uint64_t count, first = cor_layer_rows_of(agent, COR_AGENT_TABLE_FINDINGS, row->arm, row->suite, &count);
    bool root = false;
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_agent_finding_row *finding = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, i);
        root = root || finding->cause == COR_CAUSE_ROOT;
    }
    return count == 0 ? VIEWS__DOT_PASSED : root ? VIEWS__DOT_FAILED : VIEWS__DOT_MIXED;
}

void cor_agent_graph(const struct cor_layer_tables *agent, uint16_t arm, FILE *file) {
    fputs("digraph units {\n  rankdir=TB;\n  node [shape=box, style=\"filled,rounded\", "
          "fontname=\"sans-serif\", "
          "fontsize=11];\n  edge [color=\"#888888\"];\n",
          file);
    for (uint64_t i = 0; i < agent->count[COR_AGENT_TABLE_UNITS]; i++) {
        const struct cor_agent_unit_row *row = cor_layer_row(agent, COR_AGENT_TABLE_UNITS, i);
        if (row->arm == arm && row->repetition == 0) {
            uint64_t count,
                first = cor_layer_rows_of(agent, COR_AGENT_TABLE_NEEDS, row->arm, row->suite, &count);
            fprintf(file, "  u%u [label=", row->unit);
            views__put_dot_name(cor_agent_unit_name(agent, row->unit), file);
            fprintf(file, ", fillcolor=\"%s\"];\n", colour_of(agent, row));
            for (uint64_t j = first; j < first + count; j++) {
                const struct cor_agent_need_row *need = cor_layer_row(agent, COR_AGENT_TABLE_NEEDS, j);
                fprintf(file, "  u%u -> u%u;\n", row->unit, need->unit);
            }
        }
    }
    fputs("}\n", file);
}
