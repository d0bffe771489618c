/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was found of agents: sheets, counts, words, verdicts; mutants that were killed; units as a graph. */
#include "layer_verdicts.h"
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

/* Whether arm `a` of the catalog has a fault; of the design: how many questions were too much, whether it
 * fails; of finding `a`: its sentence, values of its smallest case, its key if one case fails by it, where to
 * look, the code of its check; values of trial `a`. */
static enum cor_status make(const void *data, const char *what, uint64_t a, uint64_t b,
                            struct cor_query_value *value, struct cor_error *error);

#define SAID(key) "iif(json_type(said, '$." key "') = 'text', said ->> '$." key "', null) as " key

/* What questions share. Found: what is own was not found, as severely, of the same agent without a fault, if
 * there is one. Arms: first: of its own a root, or any, if there are any, else any root; worst: of its own.
 * Mutants: those of arms that an operator made, by roots of their own, or by all if there is none. */
static const char *const statements[] = {
    "create temp table agents as"
    " with described as materialized (select rowid as number, name, made('fault', rowid, 0) as is_faulty,"
    "  iif(json_valid(description), description, '{}') as said from catalog_arm),"
    " known as materialized (select number, name, is_faulty, " SAID("agent") ", " SAID("meaning") ", " SAID(
        "operator") ", " SAID("equivalent") " from described)"
                                            " select *, iif(is_faulty, (select o.name from known o where not "
                                            "o.is_faulty and (k.agent is null"
                                            "  or o.agent = k.agent) order by o.number limit 1), null) as "
                                            "original from known k",
    "create temp table found as"
    " with ranked as (select rowid as number, arm, suite, \"check\", plan, about, hit, run, cause = 'root' "
    "as is_root,"
    "  instr('note warning error', severity) as rank from findings)"
    " select ranked.*, original is null or not exists (select 1 from findings o where o.arm = original"
    "  and o.suite = ranked.suite and o.\"check\" = ranked.\"check\" and o.plan = ranked.plan"
    "  and o.about = ranked.about and instr('note warning error', o.severity) >= rank) as is_own"
    "  from ranked join agents on name = arm order by ranked.number",
    "create temp table arms as"
    " with sums as materialized (select arm, count(*) as suites, sum(cases) as cases from units group by "
    "arm),"
    " tallies as materialized (select arm, count(*) as findings, sum(is_root) as roots, sum(is_own) as own,"
    "  max(iif(is_own, rank, 0)) as worst, ifnull(ifnull(min(number) filter (where is_own and is_root),"
    "  min(number) filter (where is_own)), min(number) filter (where is_root)) as first from found group by "
    "arm)"
    " select agents.*, ifnull(suites, 0) as suites, ifnull(cases, 0) as cases, ifnull(findings, 0) as "
    "findings,"
    "  ifnull(roots, 0) as roots, ifnull(own, 0) as own, ifnull(worst, 0) as worst, first,"
    "  not exists (select 1 from catalog_unit where name not in (select unit from units where arm = "
    "agents.name))"
    "   as all_run from agents left join sums on sums.arm = agents.name left join tallies t on t.arm = "
    "agents.name",
    "create temp view not_built as select u.rowid as number, u.arm from units u where exists (select 1 from "
    "findings f"
    "  where f.arm = u.arm and f.suite = u.suite and f.\"check\" = 'not_built' and u.unit = 'PT(' || f.about "
    "|| ')')",
    "create temp view in_units as select f.rowid as number, f.*, ifnull(u.unit, '?') as unit, repetition,"
    "  nullif(f.about, (select name from catalog_name where code = 0)) as of,"
    "  nullif(f.plan, (select name from catalog_name where code = 0)) as by"
    "  from findings f left join units u on u.arm = f.arm and u.suite = f.suite",
    "create temp table killings as"
    " with own as (select arm, \"check\", number, is_root, max(is_root) over (partition by arm) as has_root"
    "  from found where is_own)"
    " select a.number as place, a.name, operator, own.number, own.\"check\", case when own.number is not null"
    "  then 'killed' when equivalent is not null then 'equivalent' else 'alive' end as outcome"
    "  from agents a left join own on own.arm = a.name and (is_root or not has_root) where operator is not "
    "null",
    "create temp view mutants as select place, name, operator, outcome, min(number) as first,"
    "  count(distinct \"check\") as checks from killings group by place",
    NULL};

static const struct views__source source = {cor_agent_result_init, make, statements};

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

/* Is it a question of the design that was too much, so that there is no verdict of it? */
static bool is_open(const struct cor_agent_design_finding *finding) {
    return strcmp(finding->ground, "open") == 0;
}

/* Adds what a caller may take amiss: something found of an agent without a fault, nothing of one with a
 * fault; and tests without a verdict. */
static const char ask_findings[] =
    "select sum(is_faulty and suites > 0 and own = 0 and all_run) as undetected,"
    " sum(not is_faulty and worst > 1) + made('fails', 0, 0) as unexpected,"
    " sum((is_faulty and suites > 0 and own = 0 and all_run) or (not is_faulty and worst > 1))"
    "  + made('fails', 0, 0) as failed, sum(is_faulty and suites > 0 and own = 0 and not all_run)"
    "  + (select count(*) from not_built join agents on name = arm where not is_faulty) + made('open', 0, 0)"
    "  as undecided from arms";

/* ---- what the agents of a file do otherwise than their design: unit by unit, then finding by finding, with
 * the smallest case that shows it and what explains it; what the cases reached, and what no unit tests */

#define TRIED_SHOWN 12 /* valid cases that a text lists below a finding */

static const struct cor_column_definition findings_columns[] = {
    {"agent", "", "", "the agent without a fault, or with that of the arm", COR_CELL_TEXT, 0,
     COR_COLUMN_GROUP, .asked = "iif(arm = 'none', 'the agent without a fault', arm)"},
    {"arm", "", "", "name of the arm: the agent with its fault, or none", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"unit", "unit", "", "the unit in which it was found", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "what was looked at", COR_CELL_WORD, 0, 0},
    {"about", "about", "", "plan, event, message, action, belief set or field; nothing: the unit",
     COR_CELL_WORD, 0, 0, .asked = "of"},
    {"plan", "plan", "", "the plan that did or did not", COR_CELL_WORD, 0, COR_COLUMN_DATA, .asked = "by"},
    {"severity", "severity", "", "error, warning or note", COR_CELL_WORD, 0, 0,
     .asked = "severity, iif(severity = 'error', 'bad', null) as tone"},
    {"hit", "hit", "cases", "cases that show it; of what never happens all that could", COR_CELL_COUNT, 0, 0},
    {"run", "of", "cases", "cases that could show it", COR_CELL_COUNT, 0, 0},
    {"smallest", "smallest", "",
     "the case with the shortest trace that shows it: UNIT:N for corridor agent test --case", COR_CELL_COUNT,
     0, 0},
    {"key", "key", "",
     "ARM/UNIT/CASE, for corridor shrink and corridor replay; of what no single case shows nothing",
     COR_CELL_TEXT, 0, COR_COLUMN_DATA, .asked = "made('key', number, 0)"},
    {"beside", "beside", "", "of a race: the same case, in the interleaving that ends otherwise: UNIT:N",
     COR_CELL_COUNT, 0, COR_COLUMN_DATA,
     .asked = "(select first from races r where r.arm = f.arm and r.suite = f.suite and r.\"check\" ="
              " f.\"check\"  and r.about = f.about limit 1)"},
    {"cause", "cause", "", "root, or the unit whose finding explains it", COR_CELL_WORD, 0, 0,
     .asked = "iif(cause = 'root', 'root', cause_unit)"},
    {"repetition", "repetition", "", "which time the unit was run", COR_CELL_COUNT, 0, COR_COLUMN_DATA,
     .asked = "ifnull(repetition, 0)"},
    {"sentence", "sentence", "", "the finding in words", COR_CELL_TEXT, 0, COR_COLUMN_DATA,
     .asked = "made('sentence', number, 0)"},
    {"values", "values", "", "values of the smallest case", COR_CELL_TEXT, 0, COR_COLUMN_DATA,
     .asked = "made('smallest', number, 0)"},
    {"look", "look at", "", "where to look first", COR_CELL_TEXT, 0, COR_COLUMN_DATA,
     .asked = "made('look', number, 0)"},
};
COR_SHEET_DEFINITION(findings, "findings", "Findings", "something an agent does otherwise than its design", 0,
                     0);

static const struct cor_column_definition units_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP, .asked = "u.arm"},
    {"unit", "unit", "", "PT: a plan; ET: an event with all its handlers; CT: plans in a ring", COR_CELL_WORD,
     0, COR_COLUMN_KEY},
    {"cases", "cases", "", "cases executed", COR_CELL_COUNT, 0, 0},
    {"valid", "valid", "cases", "thereof with values that the design allows", COR_CELL_COUNT, 0, 0,
     .asked = "cases_valid"},
    {"applicable", "applicable", "cases", "thereof with a context of the design that holds", COR_CELL_COUNT,
     0, 0, .asked = "cases_applicable"},
    {"errors", "errors", "", "findings that are errors", COR_CELL_COUNT, 0, 0, .asked = "ifnull(errors, 0)"},
    {"warnings", "warnings", "", "findings that are warnings", COR_CELL_COUNT, 0, 0,
     .asked = "ifnull(warnings, 0)"},
    {"notes", "notes", "", "findings that are notes", COR_CELL_COUNT, 0, 0, .asked = "ifnull(notes, 0)"},
    {"outcome", "outcome", "",
     "ok, or nothing but notes; faulty (here): with a finding that nothing explains; faulty (follows): only "
     "with "
     "others",
     COR_CELL_WORD, 0, COR_COLUMN_KEY,
     .asked = "case when all_of is null or all_of = notes then 'ok' when roots > 0 then 'faulty (here)'"
              " else 'faulty (follows)'  end, case when all_of is null or all_of = notes then 'good' when"
              " roots > 0 then 'bad' end as tone"},
    {"repetition", "repetition", "", "which time the unit was run", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"combinations", "combinations", "", "combinations of all classes", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(units, "units", "Units, in the order of testing", "a unit of an arm", COR_SHEET_FIRST,
                     0);

static const struct cor_column_definition arms_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0, .asked = "name"},
    {"agent", "agent", "", "interpreter, a module or a program", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"cases", "cases", "", "cases executed", COR_CELL_COUNT, 0, 0},
    {"findings", "findings", "", "all that was found", COR_CELL_COUNT, 0, 0},
    {"roots", "roots", "", "thereof explained by no other finding", COR_CELL_COUNT, 0, 0},
    {"own", "own", "", "of all, what the same agent does not show without the fault", COR_CELL_COUNT, 0,
     COR_COLUMN_DATA},
    {"first", "first root", "", "check, unit and what it is about", COR_CELL_TEXT, 0, 0,
     .asked = "(select \"check\" || ' ' || unit || ' ' || ifnull(of, '')  from in_units where"
              " in_units.number = first)"},
    {"outcome", "outcome", "",
     "ok, or the worst of its findings: with a fault, of those that the same agent without it does not show",
     COR_CELL_WORD, 0, 0,
     .asked = "case when own = 0 then 'ok' when worst = 1 then 'note'  when worst = 6 then 'warning' else"
              " 'error' end"},
    {"meaning", "meaning", "", "what the fault is", COR_CELL_TEXT, 0, COR_COLUMN_DATA,
     .asked = "ifnull(meaning, '')"},
};
COR_SHEET_DEFINITION(arms, "arms", "Agents and faults", "an arm", 0, 0);

static const struct cor_column_definition tried_values_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, 0, .asked = "f.arm"},
    {"unit", "unit", "", "the unit", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "what was never seen", COR_CELL_WORD, 0, 0},
    {"about", "about", "", "what it is about", COR_CELL_WORD, 0, 0, .asked = "of"},
    {"case", "case", "", "case of the unit", COR_CELL_COUNT, 0, 0, .asked = "t.\"case\""},
    {"values", "values", "", "its values, all valid", COR_CELL_TEXT, 0, 0,
     .asked = "made('trial', t.rowid, 0)"},
};
COR_SHEET_DEFINITION(tried_values, "tried", "Valid values tried",
                     "a valid case of a unit in which something was never seen", COR_SHEET_DATA, 0);

static const struct cor_column_definition reaches_columns[] = {
    {"arm", "arm", "", "name of the arm", COR_CELL_WORD, 0, COR_COLUMN_GROUP, .asked = "k.arm"},
    {"what", "", "", "what there is to reach", COR_CELL_TEXT, 0, 0,
     .asked = "case k.kind when 0 then 'plans started for their event' when 1 then 'contexts seen true' "
              " when 2 then 'contexts seen false' when 3 then 'posts, messages, actions and writes seen' "
              " when 4 then 'ways of branches in bodies' else 'equivalence classes hit' end"},
    {"reached", "reached", "", "reached by at least one case", COR_CELL_COUNT, 0, 0},
    {"total", "of", "", "there are", COR_CELL_COUNT, 0, 0},
    {"missing", "not reached", "", "the first one that no case reached", COR_CELL_TEXT, 0, 0,
     .asked = "what"},
};
COR_SHEET_DEFINITION(reaches, "adequacy", "What the cases reached",
                     "a kind of thing that cases can reach, of an arm", COR_SHEET_FIRST, 0);

static const struct cor_column_definition unreached_columns[] = {
    {"name", "name", "", "part of the design", COR_CELL_WORD, 0, 0},
    {"kind", "kind", "", "plan or event, which no entry of the agent reaches; unit, which was not asked for",
     COR_CELL_WORD, 0, 0},
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
    {"agent", "agent", "", "name of the agent, or of the experiment", COR_CELL_TEXT, 0, 0,
     .asked = "ifnull(iif(json_type(text, '$.name') = 'text', text ->> '$.name', null), '')"},
    {"arms", "arms", "", "agents and faults", COR_CELL_COUNT, 0, 0, .asked = "(select count(*) from agents)"},
    {"suites", "suites", "", "units run", COR_CELL_COUNT, 0, 0, .asked = "(select count(*) from units)"},
    {"cases", "cases", "", "cases executed", COR_CELL_COUNT, 0, 0,
     .asked = "(select ifnull(sum(cases), 0) from units)"},
    {"findings", "findings", "", "findings of all arms", COR_CELL_COUNT, 0, 0,
     .asked = "(select count(*) from findings)"},
    {"complete", "complete", "", "all units of all arms are in the file", COR_CELL_FLAG, 0, 0,
     .asked = "(select text <> '0' from head where name = 'complete')"},
};
COR_SHEET_DEFINITION(about, "about", "About", "the file", COR_SHEET_RECORD | COR_SHEET_DATA, 0);

static const struct cor_column_definition mutants_columns[] = {
    {"outcome", "", "",
     "killed: something was found that the agent without a fault does not show; alive: nothing; equivalent: "
     "it is proven to do the same for all values",
     COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"mutant", "mutant", "", "name of the arm", COR_CELL_WORD, 0, 0, .asked = "m.name"},
    {"operator", "operator", "", "what was changed", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "check of the first root", COR_CELL_WORD, 0, 0},
    {"unit", "unit", "", "where it was found", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(mutants, "mutants", "Mutants", "a mutant", COR_SHEET_FIRST, 0);

static const struct cor_column_definition operators_columns[] = {
    {"operator", "operator", "", "what was changed; all: every mutant", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "", "of this operator", COR_CELL_COUNT, 0, 0},
    {"killed", "killed", "", "of which something was found", COR_CELL_COUNT, 0, 0},
    {"alive", "alive", "", "of which nothing was found", COR_CELL_COUNT, 0, 0},
    {"equivalent", "equivalent", "", "that are proven to do the same for all values", COR_CELL_COUNT, 0, 0},
    {"score_pct", "score", "%", "killed, of the mutants that are not equivalent", COR_CELL_REAL, 1, 0},
};
COR_SHEET_DEFINITION(operators, "operators", "Mutation score by operator", "an operator", 0, 0);

static const struct cor_column_definition killers_columns[] = {
    {"check", "check", "", "what was looked at", COR_CELL_WORD, 0, 0, .asked = "k.\"check\""},
    {"mutants", "mutants", "", "mutants with this finding as a root", COR_CELL_COUNT, 0, 0,
     .asked = "count(distinct k.place)"},
    {"alone", "alone", "", "thereof found by no other check", COR_CELL_COUNT, 0, 0,
     .asked = "count(distinct iif(checks = 1, k.place, null))"},
    {"share_pct", "share", "%", "of the mutants that are killed", COR_CELL_REAL, 1, 0,
     .asked = "100.0 * count(distinct k.place) / (select count(*) from mutants where outcome = 'killed')"},
};
COR_SHEET_DEFINITION(killers, "killers", "Mutants by the check that finds them", "a check", 0, 0);

static const char put_about[] = "select {columns} from head where name = 'experiment'";

static const char put_arms[] =
    "select {columns} from arms where :arm is null or name = :arm order by arms.number";

static const char put_units[] =
    "with of as materialized (select arm, suite, count(*) as all_of, sum(severity = 'error') as"
    " errors,  sum(severity = 'warning') as warnings, sum(severity = 'note') as notes, "
    " sum(cause = 'root' and severity <> 'note') as roots from findings group by arm,"
    " suite)select {columns} from units u left join of on of.arm = u.arm and of.suite = u.suite"
    " where :arm is null or u.arm = :arm order by u.rowid";

static const char put_findings[] =
    "select {columns} from in_units f where :arm is null or arm = :arm order by number";

static const char put_tried[] =
    "select {columns} from in_units f join trials t on t.arm = f.arm and t.suite = f.suite where"
    " t.valid and t.applicable and \"check\" in  ('event_never_posted', 'message_never_sent',"
    " 'action_never_done', 'belief_never_written',   'plan_never_chosen', 'context_never_true')"
    " and (:arm is null or f.arm = :arm) order by number, t.rowid";

static const char put_reached[] =
    "with seen as (select arm, rowid as number, case use when 'started' then 0 when"
    " 'context_true' then 1   when 'context_false' then 2 when 'branch_true' then 4 when"
    " 'branch_false' then 4 else 3 end as kind, cases,  plan || ': ' || iif(use like 'branch%',"
    " use || ' ' || branch, subject) as what from uses  union all select arm, rowid, 5, cases,"
    " variable from classes), kinds as (select arm, kind, sum(cases > 0) as reached, count(*) as"
    " total,  min(iif(cases > 0, null, number)) as missing from seen group by arm, kind)select"
    " {columns} from kinds k join agents a on a.name = k.arm left join seen s on s.kind = k.kind"
    " and s.number = missing  and s.arm = k.arm where :arm is null or k.arm = :arm order by"
    " a.number, k.kind";

/* What no entry reaches, and units of the first arm that were left out; for scripts always, for readers if
 * there are any. */
static const char put_unreached[] =
    "select name, description from catalog_unreached; select name, 'unit' from catalog_unit where name not in"
    " (select unit from units where arm = ifnull(:arm, (select name from catalog_arm limit 1)))";

/* ---- the mutation score: of the faults that operators put wherever they fit, how many are found, and by
 * which check. Equivalent is what is proven to do as the agent without a fault does, whatever the values;
 * whatever else is not killed is alive. Mutants that are alive come first: they are what one wants to look at
 */

#define SCORE(by)                                                                             \
    "count(*), sum(outcome = 'killed'), sum(outcome = 'alive'), sum(outcome = 'equivalent')," \
    " 100.0 * sum(outcome = 'killed') / nullif(sum(outcome <> 'equivalent'), 0) from mutants" by ";"
static const char put_operators[] =
    "select operator, " SCORE(" group by operator order by min(place)") "select 'all', " SCORE("");

static const char put_killers[] =
    "select {columns} from killings k join mutants m using (place) where k.number is not null"
    " group by k.\"check\" order by made('check', k.number, 0)";

static const char put_mutant_list[] =
    "select {columns} from mutants m left join in_units f on f.number = first order by"
    " instr('alive equivalent killed', outcome), place";

static enum cor_status put_mutants(struct views__asking *asking, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    struct cor_query_answer any;
    const enum cor_status status =
        cor_query_collect(asking->query, "select 1 from mutants limit 1", NULL, &any, error);
    const bool has_mutants = any.rows > 0;
    cor_query_answer_fini(&any);
    if (status != COR_OK || !has_mutants)
        return status;
    COR_TRY(views__ask(asking, put_operators, cor_sheets_add(sheets, &operators), error));
    COR_TRY(views__ask(asking, put_killers, cor_sheets_add(sheets, &killers), error));
    return views__ask(asking, put_mutant_list, cor_sheets_add(sheets, &mutants), error);
}

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

/* The valid cases of a suite, a line each. */
static void list_tried(const struct cor_layer_tables *agent, const struct cor_agent_finding_row *row,
                       FILE *file) {
    uint64_t count, tried = 0,
                    first = cor_layer_rows_of(agent, COR_AGENT_TABLE_TRIALS, row->arm, row->suite, &count);
    for (uint64_t i = first; i < first + count; i++) {
        const struct cor_agent_trial_row *trial = cor_layer_row(agent, COR_AGENT_TABLE_TRIALS, i);
        char text[COR_AGENT_TEXT];
        if (!trial->valid || !trial->applicable || ++tried > TRIED_SHOWN)
            continue;
        cor_agent_case_text(agent, row->arm, row->suite, trial->case_, text);
        fprintf(file, "%s      %s\n", tried == 1 ? "    Valid values tried:\n" : "", text);
    }
    if (tried > TRIED_SHOWN)
        fprintf(file, "      and %" PRIu64 " more (--sheet tried)\n", tried - TRIED_SHOWN);
}

static enum cor_status make(const void *data, const char *what, uint64_t a, uint64_t b,
                            struct cor_query_value *value, struct cor_error *error) {
    const struct cor_layer_tables *agent = &((const struct views__asking *)data)->tables;
    char text[COR_AGENT_TEXT];
    (void)b;
    if (strcmp(what, "fault") == 0) {
        bool has;
        COR_TRY(cor_arm_has_fault(cor_arm_entry(agent->head, (size_t)a), &has, error));
        *value = (struct cor_query_value){COR_QUERY_INTEGER, .integer = has};
        return COR_OK;
    }
    if (strcmp(what, "open") == 0 || strcmp(what, "fails") == 0) {
        struct cor_agent_design design;
        COR_TRY(cor_agent_design_init(agent->head, &design, error));
        value->kind = COR_QUERY_INTEGER;
        value->integer = what[0] == 'f' && design.worst >= COR_SEVERITY_WARNING;
        for (size_t f = 0; f < design.count && what[0] == 'o'; f++)
            value->integer += is_open(&design.items[f]);
        cor_agent_design_fini(&design);
        return COR_OK;
    }
    value->kind = COR_QUERY_TEXT;
    if (strcmp(what, "trial") == 0) {
        const struct cor_agent_trial_row *trial = cor_layer_row(agent, COR_AGENT_TABLE_TRIALS, a);
        cor_agent_case_text(agent, trial->arm, trial->suite, trial->case_, text);
        return cor_made((value->text = cor_strdup(text)), error);
    }
    const struct cor_agent_finding_row *row = cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, a);
    if (strcmp(what, "check") == 0) {
        *value = (struct cor_query_value){COR_QUERY_INTEGER, .integer = row->check};
        return COR_OK;
    }
    if (strcmp(what, "key") == 0) {
        if (!cor_agent_is_failure(row)) {
            value->kind = COR_QUERY_NULL;
            return COR_OK;
        }
        return cor_made((value->text = cor_agent_key(agent, a)), error);
    }
    const struct cor_term *term = cor_term(COR_FAMILY_AUT_CHECK, row->check);
    if (strcmp(what, "sentence") == 0)
        cor_agent_sentence(agent, row, text);
    else if (strcmp(what, "smallest") == 0)
        cor_agent_case_text(agent, row->arm, row->suite, row->smallest, text);
    return cor_made((value->text = cor_strdup(strcmp(what, "look") != 0 ? text
                                              : term                    ? term->look
                                                                        : "")),
                    error);
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
        list_tried(agent, row, file);
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

static enum cor_status make_findings(const struct cor_view_request *request, struct cor_sheets *sheets,
                                     struct cor_view_findings *verdicts, struct cor_error *error) {
    COR_FINISHED(views__asking) struct views__asking asking = {0};
    COR_FINISHED(cor_agent_design) struct cor_agent_design design = {.count = 0};
    char *text = NULL;
    COR_TRY(views__asking_init(&source, request, &asking, error));
    const struct cor_layer_tables *agent = &asking.tables;
    COR_TRY(views__ask(&asking, put_about, cor_sheets_add(sheets, &about), error));
    if (cor_arm_count(agent->head) > 1)
        COR_TRY(views__ask(&asking, put_arms, cor_sheets_add(sheets, &arms), error));
    COR_TRY(cor_agent_design_init(agent->head, &design, error));
    struct cor_sheet *design_sheet = design.count > 0 ? cor_sheets_add(sheets, &design_itself) : NULL;
    for (size_t f = 0; f < design.count; f++) {
        const struct cor_agent_design_finding *it = &design.items[f];
        cor_sheet_row(design_sheet);
        cor_sheet_word(design_sheet, cor_term_word(COR_FAMILY_AUT_CHECK, it->check));
        cor_sheet_word(design_sheet, cor_term_word(COR_FAMILY_SEVERITY, it->severity));
        cor_sheet_tone(design_sheet, it->severity == COR_SEVERITY_ERROR ? COR_TONE_BAD : COR_TONE_PLAIN);
        cor_sheet_word(design_sheet, it->ground);
        cor_sheet_word(design_sheet, it->about[0] ? it->about : NULL);
        cor_sheet_word(design_sheet, it->plan[0] ? it->plan : NULL);
        cor_sheet_text(design_sheet, "%s", it->text);
    }
    COR_TRY(views__ask(&asking, put_units, add_of_first(sheets, &units, request, agent), error));
    COR_TRY(views__ask(&asking, put_findings, cor_sheets_add(sheets, &findings), error));
    COR_TRY(views__ask(&asking, put_tried, cor_sheets_add(sheets, &tried_values), error));
    COR_TRY(write_all(agent, request, design.worst, &text, error));
    cor_sheets_draw(sheets, draw_finding, text, free);
    COR_TRY(views__ask(&asking, put_reached, add_of_first(sheets, &reaches, request, agent), error));
    COR_TRY(views__ask(&asking, put_unreached, cor_sheets_add(sheets, &unreached), error));
    COR_TRY(put_mutants(&asking, sheets, error));
    COR_TRY(views__ask_findings(&asking, ask_findings, verdicts, error));
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
    &findings,  &about,         &arms,    &units,     &tried_values, &reaches,
    &unreached, &design_itself, &mutants, &operators, &killers,      NULL};

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

/* One test: a unit of an arm without a fault, a fault, or something found of the design. */
struct point {
    const char *suite, *name, *arm;                /* borrowed, `arm` for TAP */
    const struct cor_agent_design_finding *design; /* NULL: not of the design */
    bool is_fault, failed, undecided;
    uint64_t first, count; /* its findings */
    uint64_t cases;
};

struct points {
    const struct cor_layer_tables *agent;
    struct point *items; /* owned */
    size_t count;
};

static struct views__test test(const void *with, size_t index) {
    const struct point *point = &((const struct points *)with)->items[index];
    return (struct views__test){point->suite, point->failed      ? VIEWS__TEST_FAILED
                                              : point->undecided ? VIEWS__TEST_SKIPPED
                                                                 : VIEWS__TEST_PASSED};
}

static const struct cor_agent_finding_row *finding_at(const struct cor_layer_tables *agent, uint64_t index) {
    return cor_layer_row(agent, COR_AGENT_TABLE_FINDINGS, index);
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

#define SAID_MOST (3 * COR_AGENT_TEXT)
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
    char text[SAID_MOST], number[COR_CELL];
    views__put_attribute("classname", point->suite, file);
    views__put_attribute("name", point->name, file);
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
    char text[SAID_MOST];
    views__put_description(point->arm, file);
    if (!point->is_fault) {
        fputc(' ', file);
        views__put_description(point->name, file);
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

/* Units of arms without a fault, of a unit that is run more than once with the number of the time; and
 * faults. */
static const char ask_points[] =
    "with of as materialized (select arm, suite, min(rowid) as first, count(*) as count, max(severity <> "
    "'note') as fails"
    "  from findings group by arm, suite)"
    "select a.number, u.rowid as place, 0, a.name as suite, unit || iif(repetition > 0, ' #' || (repetition "
    "+ 1), ''),"
    " ifnull(fails, 0), u.rowid in (select number from not_built), ifnull(first, 0), ifnull(count, 0), "
    "cases, a.name"
    " from units u join agents a on a.name = u.arm left join of on of.arm = u.arm and of.suite = u.suite"
    " where not is_faulty union all select number, 0, 1, 'faults', name, own = 0 and all_run, own = 0 and "
    "not all_run,"
    " ifnull(first, 0), own > 0, cases, name from arms where is_faulty and suites > 0 order by 1, 2";

static enum cor_status write_points(struct cor_result *result, views__write_list *write, FILE *file,
                                    struct cor_error *error) {
    const struct cor_view_request request = {.result = result, .suite = COR_ANY_SUITE};
    struct views__asking asking;
    struct cor_query_answer answer = {0};
    struct cor_agent_design design = {.count = 0};
    char **names = NULL; /* of what is found of the design */
    enum cor_status status = COR_OK;
    COR_TRY(views__asking_init(&source, &request, &asking, error));
    struct points points = {.agent = &asking.tables};
    COR_TRY_OUT(cor_agent_design_init(asking.tables.head, &design, error));
    COR_TRY_OUT(cor_query_collect(asking.query, ask_points, NULL, &answer, error));
    points.items = cor_calloc(answer.rows + design.count + 1, sizeof *points.items);
    names = cor_calloc(design.count + 1, sizeof *names);
    COR_TRY_OUT(points.items && names ? COR_OK : cor_fail_memory(error));
    for (size_t f = 0; f < design.count; f++) {
        const struct cor_agent_design_finding *it = &design.items[f];
        const bool failed = it->severity >= COR_SEVERITY_WARNING;
        if (!failed && !is_open(it))
            continue;
        names[f] = cor_format("%s %s", cor_term_word(COR_FAMILY_AUT_CHECK, it->check), it->about);
        COR_TRY_OUT(cor_made(names[f], error));
        points.items[points.count++] = (struct point){.suite = "design",
                                                      .name = names[f],
                                                      .arm = "design",
                                                      .design = it,
                                                      .failed = failed,
                                                      .undecided = is_open(it)};
    }
    for (size_t i = 0; i < answer.rows; i++) {
        const struct cor_query_value *row = &answer.values[i * answer.columns];
        points.items[points.count++] = (struct point){.is_fault = row[2].integer,
                                                      .suite = row[3].text,
                                                      .name = row[4].text,
                                                      .failed = row[5].integer,
                                                      .undecided = row[6].integer,
                                                      .first = (uint64_t)row[7].integer,
                                                      .count = (uint64_t)row[8].integer,
                                                      .cases = (uint64_t)row[9].integer,
                                                      .arm = row[10].text};
    }
    const struct views__test_list list = {.with = &points,
                                          .tests = points.count,
                                          .test = test,
                                          .put_case = put_case,
                                          .put_point = put_point,
                                          .none = "the file has no units"};
    status = write(&list, file, error);
out:
    for (size_t f = 0; f < design.count && names; f++)
        free(names[f]);
    COR_FREE(names, points.items);
    cor_query_answer_fini(&answer);
    cor_agent_design_fini(&design);
    views__asking_fini(&asking);
    return status;
}

/* An agent or a fault, by the root that most of the cases show that could; the unit in which the first root
 * of an arm was found. */
static const struct views__asked_verdicts asked = {
    .source = &source,
    .arms =
        "select name, case when suites = 0 then 'no units' when is_faulty then iif(own > 0, 'found', 'not "
        "found')"
        "  when worst > 1 then 'FAILS' else 'passes' end, suites > 0 and iif(is_faulty, own > 0, worst <= 1),"
        " is_faulty and own > 0, ifnull(f.hit, 0), ifnull(f.run, 0), suites, cases, 'cases' from arms"
        " left join found f on f.number = (select o.number from found o where o.arm = name and o.is_root"
        "  and o.is_own and o.hit > 0 order by o.hit desc, o.number limit 1) order by arms.number",
    .leads = "with shown as materialized (select in_units.arm, suite, made('sentence', in_units.number, 0) "
             "as sentence"
             "  from arms join in_units on in_units.number = first where name = :arm)"
             "select 'example', substr(sentence, 1, 60) || iif(length(sentence) > 60, '...', ''), null, "
             "null, null, null"
             " from shown union all select 'repeat', null, 'replay', '--failure', arm || '/' || suite, null "
             "from shown",
    .findings = ask_findings};

const struct views__layer_verdicts views__verdicts_of_agent = {
    .layer = &cor_agent_schema, .asked = &asked, .write = write_points, .mutants = put_mutants};

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
