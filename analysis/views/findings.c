/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the agents of a file do otherwise than their design: unit by unit, then finding by finding, with the
 * smallest case that shows it and what explains it; what the cases reached, and what no unit tests. */
#include "findings.h"
#include "views.h"

#include <corridor/agent_graph.h>
#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static void put_finding(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row,
                        struct cor_sheet *sheet) {
    const struct cor_agent_unit_row *unit = cor_agent_unit_of(agent, row->arm, row->suite);
    const char *arm = cor_agent_arm_name(agent, row->arm);
    char text[COR_AGENT_TEXT];
    cor_sheet_row(sheet);
    cor_sheet_text(sheet, "%s", strcmp(arm, "none") == 0 ? "the agent without a fault" : arm);
    cor_sheet_word(sheet, arm);
    cor_sheet_word(sheet, views__finding_unit(agent, row));
    COR_SHEET_PUT(sheet, struct cor_agent_finding_row, row);
    put_word(sheet, cor_agent_name(agent, row->about));
    put_word(sheet, cor_agent_name(agent, row->plan));
    cor_sheet_word(sheet, cor_term_word(COR_FAMILY_SEVERITY, row->severity));
    cor_sheet_tone(sheet, row->severity == COR_SEVERITY_ERROR ? COR_TONE_BAD : COR_TONE_PLAIN);
    COR_SHEET_PUT(sheet, struct cor_agent_finding_row, row);
    uint32_t beside;
    if (find_beside(agent, row, &beside))
        cor_sheet_count(sheet, beside);
    else
        cor_sheet_nothing(sheet);
    cor_sheet_word(sheet, views__cause_word(agent, row));
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
        cor_sheet_word(tried->sheet, views__finding_unit(agent, row));
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
static void write_finding(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row,
                          FILE *file) {
    const struct cor_term *term = cor_term(COR_FAMILY_AUT_CHECK, row->check);
    const char *unit = views__finding_unit(agent, row);
    char text[COR_AGENT_TEXT];
    cor_agent_sentence(agent, row, text);
    fprintf(file, "  %s %s%s%s in %s", cor_term_word(COR_FAMILY_SEVERITY, row->severity),
            cor_term_word(COR_FAMILY_AUT_CHECK, row->check), row->about > 0 ? " " : "",
            cor_agent_name(agent, row->about), unit);
    if (row->cause != COR_CAUSE_ROOT)
        fprintf(file, ", a consequence of %s",
                row->cause == COR_CAUSE_SAME_UNIT ? "what else was found there"
                                                  : views__cause_word(agent, row));
    fprintf(file, "\n    %s\n", text);
    if (views__is_never(row) && row->cause == COR_CAUSE_ROOT) {
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
        write_finding(agent, row, file);
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

static void draw(const void *context, const struct cor_style *style, FILE *file) {
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
        put_finding(agent, row, of_findings);
        if (views__is_never(row))
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
                               views__finding_unit(agent, row),
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
        if (views__was_run(agent, (uint16_t)arm, (uint32_t)unit->code))
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

static enum cor_status fill(const struct cor_layer_tables *agent, const struct cor_view_request *request,
                            struct cor_sheets *sheets, struct cor_error *error) {
    char *text = NULL;
    int design_worst;
    COR_TRY(put_about(agent, cor_sheets_add(sheets, &about), error));
    COR_TRY(put_arms(agent, request, sheets, error));
    COR_TRY(put_design(agent, sheets, &design_worst, error));
    put_rows(agent, request, sheets);
    COR_TRY(write_all(agent, request, design_worst, &text, error));
    cor_sheets_draw(sheets, draw, text, free);
    struct cor_sheet *sheet = add_of_first(sheets, &reaches, request, agent);
    for (size_t a = 0; a < cor_arm_count(agent->head); a++)
        if (is_wanted(request, agent, (uint16_t)a))
            put_adequacy(agent, (uint16_t)a, sheet);
    put_not_run(agent, request, sheets);
    return views__put_mutants(agent, sheets, error);
}

static enum cor_status make(const struct cor_view_request *request, struct cor_sheets *sheets,
                            struct cor_view_findings *verdicts, struct cor_error *error) {
    struct cor_layer_tables agent;
    size_t arm;
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
    COR_TRY(cor_agent_result_init(request->result, &agent, error));
    enum cor_status status = fill(&agent, request, sheets, error);
    if (status == COR_OK)
        status = views__count_verdicts(&agent, verdicts, error);
    cor_layer_tables_fini(&agent);
    COR_TRY(status);
    return cor_sheets_status(sheets, error);
}

/* The graph of units, in the colours of their outcomes. */

static enum cor_status graph(const struct cor_view_request *request, FILE *file, struct cor_error *error) {
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
    .make = make,
    .graph = graph,
};
