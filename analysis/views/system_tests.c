/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of running systems: what they found, and what became of mutants; where test agents were. */
#include "layer_verdicts.h"
#include "views.h"

#include <corridor/array.h>
#include <corridor/system_result.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static enum cor_status make_states(const void *data, const char *what, uint64_t a, uint64_t b,
                                   struct cor_query_value *value, struct cor_error *error) {
    char states[COR_SYSTEM_WORDS]; /* "states" is all that there is */
    (void)what;
    cor_system_states_text(&((const struct views__asking *)data)->tables, a, b, states);
    if (!states[0])
        return COR_OK;
    value->kind = COR_QUERY_TEXT;
    return cor_made((value->text = cor_strdup(states)), error);
}

/* What questions share. Worlds are arms: of a policy, which is a word, or an object and known by its first
 * key, those with a mutant are held against the first without one. A failure says something of a mutant,
 * kills it, only if the same test does not fail without it. Entries: a mutant beside a chooser, a policy, and
 * where there are several tests, which one, without its examples. */
static const char *const statements[] = {
    "create temp table worlds as"
    " with said as materialized (select rowid as number, name,"
    "  iif(json_valid(description), description, '{}') as said from catalog_arm),"
    " known as materialized (select number, name,"
    "  iif(json_type(said, '$.mutant') = 'text', said ->> '$.mutant', null) as mutant,"
    "  case json_type(said, '$.policy') when 'text' then said ->> '$.policy'"
    "   when 'object' then (select key from json_each(said, '$.policy') limit 1) end as policy,"
    "  ifnull(json_type(said, '$.equivalent'), '') = 'text' as equivalent from said)"
    " select *, (select o.name from known o where o.mutant is null and o.policy is known.policy"
    "  order by o.number limit 1) as original from known",
    "create temp table kills as"
    " with failed as materialized (select rowid as number, arm, test, iif(decided > 0, decided, cycles) as "
    "cycles"
    "  from tests where verdict = 'fail')"
    " select failed.* from failed join worlds on name = arm where mutant is not null"
    "  and not exists (select 1 from failed o where o.arm = original and o.test = failed.test)",
    "create temp table arms as"
    " with sums as materialized (select arm, count(*) as tests, sum(verdict = 'pass') as passed,"
    "  sum(verdict = 'fail') as failed, sum(verdict = 'trouble') as trouble, sum(cycles) as cycles,"
    "  sum(entities) as entities, sum(cells) as cells from tests group by arm),"
    " killed as materialized (select arm, count(*) as kills from kills group by arm)"
    " select worlds.*, ifnull(tests, 0) as tests, ifnull(passed, 0) as passed, ifnull(failed, 0) as failed,"
    "  ifnull(trouble, 0) as trouble, ifnull(cycles, 0) as cycles, entities, cells, ifnull(kills, 0) as kills"
    "  from worlds left join sums on sums.arm = name left join killed on killed.arm = name",
    "create temp view entries as"
    " with bases as materialized (select iif(instr(name, ' [') > 0,"
    "  substr(name, 1, instr(name, ' [') - 1), name) as base, min(rowid) as place from catalog_test group by "
    "1),"
    " tried as (select tests.rowid as number, arm, iif(instr(test, ' [') > 0,"
    "  substr(test, 1, instr(test, ' [') - 1), test) as base, verdict, cycles from tests)"
    " select w.number, place, mutant, w.name as arm, equivalent,"
    "  iif((select count(*) from bases) = 1, ifnull(policy, 'goals'),"
    "   bases.base || ifnull(', ' || policy, '')) as chooser, count(*) as tests,"
    "  sum(verdict <> 'trouble') as carried_out, sum(tried.cycles) as spent,"
    "  count(kills.number) as killed, sum(kills.cycles) as to_kill"
    "  from worlds w join tried on tried.arm = w.name join bases on bases.base = tried.base"
    "  left join kills on kills.number = tried.number where mutant is not null group by w.number, place",
    NULL};

static const struct views__source source = {cor_system_result_init, make_states, statements};

/* The test that is looked at: of :arm and :suite, the first that failed without a mutant, else that failed,
 * else that was in trouble, else that did not pass, else the first. */
#define SHOWN                                                                                             \
    "with shown as materialized (select arm, suite, verdict, test || iif(run > 0, ' #' || (run + 1), '')" \
    "  as test, iif(decided > 0, decided, cycles) as last, why from tests join worlds on name = arm"      \
    "  where (:arm is null or arm = :arm) and (:suite is null or suite = :suite)"                         \
    "  order by case verdict when 'fail' then iif(mutant is null, 4, 3) when 'trouble' then 2"            \
    "  when 'pass' then 0 else 1 end desc, tests.rowid limit 1)"

#define HERE " where (:arm is null or arm = :arm) and (:suite is null or suite = :suite)"

static const char findings[] =
    "select sum(mutant is not null and kills = 0 and not equivalent) as undetected,"
    " sum(mutant is null and failed > 0) as unexpected, sum(failed) as failed,"
    " sum(tests - passed - failed) as undecided from arms";

/* ---- what tests found: verdicts, goals, what judges said, and the cycles of one test */

static const struct cor_column_definition tested_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, 0, .asked = "name"},
    {"tests", "tests", "1", "made", COR_CELL_COUNT, 0, 0},
    {"pass", "pass", "1", "all goals were reached, and no judge found a violation", COR_CELL_COUNT, 0, 0,
     .asked = "passed"},
    {"fail", "fail", "1", "a goal failed, or a judge found a violation", COR_CELL_COUNT, 0, 0,
     .asked = "failed"},
    {"no_verdict", "no verdict", "1", "neither passed nor failed, without trouble of the world",
     COR_CELL_COUNT, 0, 0, .asked = "tests - passed - failed - trouble"},
    {"trouble", "trouble", "1", "the world died, hung or spoke nonsense", COR_CELL_COUNT, 0, 0},
    {"kills", "kills", "tests", "failures of a mutant that the arm without one does not have", COR_CELL_COUNT,
     0, COR_COLUMN_DATA},
    {"cycles", "cycles", "cycles", "of a test, mean", COR_CELL_REAL, 1, 0, .asked = "1.0 * cycles / tests"},
    {"entities", "entities", "entities", "seen in a test, mean", COR_CELL_REAL, 1, COR_COLUMN_DATA,
     .asked = "1.0 * entities / tests"},
    {"cells", "cells", "cells", "free cells seen in a test, mean", COR_CELL_REAL, 1, COR_COLUMN_DATA,
     .asked = "1.0 * cells / tests"},
    {"policy", "policy", "", "that chose among actions, instead of the test agents' own", COR_CELL_WORD, 0,
     0},
    {"mutant", "mutant", "", "what is changed in the system on purpose", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(tested_sheet, "arms", "Verdicts by arm", "a row an arm", 0, 60);

static const struct cor_column_definition tests_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"suite", "suite", "1", "number of the test, from 0", COR_CELL_COUNT, 0, 0},
    {"test", "test", "", "its name, with its examples", COR_CELL_WORD, 0, 0},
    {"run", "run", "1", "repetition, from 0", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"verdict", "verdict", "", "how it ended", COR_CELL_WORD, 0, 0,
     .asked = "verdict, case verdict when 'pass' then 'good' when 'fail' then 'bad' else 'strong' end as"
              " tone"},
    {"cycles", "cycles", "cycles", "of the test", COR_CELL_COUNT, 0, 0},
    {"decided", "decided", "1", "cycle that fixed the verdict; nothing: the end of the test", COR_CELL_COUNT,
     0, 0, .asked = "nullif(decided, 0)"},
    {"judged", "judged", "1", "verdicts of judges", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"violated", "violated", "1", "verdicts of judges that something is violated", COR_CELL_COUNT, 0,
     COR_COLUMN_DATA},
    {"unknown", "unknown", "1", "verdicts of judges that could not be told", COR_CELL_COUNT, 0,
     COR_COLUMN_DATA},
    {"trouble", "trouble", "", "of the world: died, hung, garbled", COR_CELL_WORD, 0, COR_COLUMN_DATA,
     .asked = "nullif(trouble, 0)"},
    {"ticks", "ticks", "ticks", "of the world at the end", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"entities", "entities", "entities", "seen", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"cells", "cells", "cells", "free cells seen", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"why", "why", "", "reason", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(tests_sheet, "tests", "Tests", "a row a test", 0, 10);

static const struct cor_column_definition agents_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"suite", "suite", "1", "number of the test, from 0", COR_CELL_COUNT, 0, 0},
    {"agent", "test agent", "", "its name", COR_CELL_WORD, 0, 0, .asked = "test_agent"},
    {"end", "its goal", "", "success, failed, open, stalled", COR_CELL_WORD, 0, 0,
     .asked = "\"end\", case \"end\" when 'success' then 'good' when 'failed' then 'bad' else 'strong' end"
              " as tone"},
    {"cycles", "cycles", "cycles", "until then", COR_CELL_COUNT, 0, 0},
    {"actions", "actions", "actions", "carried out", COR_CELL_COUNT, 0, 0},
    {"waited", "waited", "1", "cycles in which it was stalled", COR_CELL_COUNT, 0, 0},
    {"budget_left", "left", "1", "actions of its budget; nothing: it has no limit", COR_CELL_COUNT, 0, 0,
     .asked = "nullif(budget_left, '18446744073709551615')"},
    {"reward", "reward", "1", "that it got", COR_CELL_REAL, 3, COR_COLUMN_DATA},
    {"why", "why", "", "its goal failed, or which guard it waits for", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(agents_sheet, "agents", "Test agents", "a row a test agent of a test", 0, 10);

static const struct cor_column_definition goals_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"goal", "goal", "", "its name, or its kind", COR_CELL_WORD, 0, 0},
    {"begun", "begun", "1", "times it became current", COR_CELL_COUNT, 0, 0},
    {"success", "success", "1", "times it was reached", COR_CELL_COUNT, 0, 0},
    {"failed", "failed", "1", "times its budget was used up, it gave up, or an assert broke", COR_CELL_COUNT,
     0, 0},
    {"open", "open", "1", "times the test ended before", COR_CELL_COUNT, 0, 0},
    {"stalled", "stalled", "1", "times the test ended while it waited for a guard", COR_CELL_COUNT, 0, 0},
    {"actions", "actions", "actions", "of one time, mean", COR_CELL_REAL, 1, 0,
     .asked = "1.0 * actions / begun"},
    {"cycles", "cycles", "cycles", "of one time, mean", COR_CELL_REAL, 1, 0, .asked = "1.0 * cycles / begun"},
};
COR_SHEET_DEFINITION(goals_sheet, "goals", "Goals", "a row a goal", 0, 30);

static const struct cor_column_definition verdicts_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP, .asked = "said.arm"},
    {"judge", "judge", "", "what judges", COR_CELL_WORD, 0, 0, .asked = "said.judge"},
    {"check", "check", "", "what is judged", COR_CELL_WORD, 0, 0, .asked = "said.\"check\""},
    {"passed", "holds", "1", "tests in which it was said to hold", COR_CELL_COUNT, 0, 0},
    {"failed", "violated", "1", "cycles of all tests in which it was violated", COR_CELL_COUNT, 0, 0,
     .asked = "failed, iif(failed > 0, 'bad', null) as tone"},
    {"unknown", "unknown", "1", "cycles of all tests in which it could not be told", COR_CELL_COUNT, 0, 0},
    {"suite", "first in", "1", "number of the first test in which it did not hold", COR_CELL_COUNT, 0, 0},
    {"cycle", "at cycle", "1", "of that test; nothing: at its end", COR_CELL_COUNT, 0, 0,
     .asked = "nullif(cycle, 0)"},
    {"why", "why", "", "it does not hold there, with the values", COR_CELL_TEXT, 0, 0,
     .asked = "ifnull(why, '')"},
};
COR_SHEET_DEFINITION(verdicts_sheet, "verdicts", "What judges said", "a row a thing that is judged", 0, 30);

static const struct cor_column_definition judged_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"suite", "suite", "1", "number of the test, from 0", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"cycle", "cycle", "1", "that fixed it; nothing: the end of the test", COR_CELL_COUNT, 0, COR_COLUMN_KEY,
     .asked = "nullif(cycle, 0)"},
    {"judge", "judge", "", "what judges", COR_CELL_WORD, 0, 0},
    {"check", "check", "", "what is judged", COR_CELL_WORD, 0, 0},
    {"agent", "test agent", "", "by whose beliefs; nothing: of nobody", COR_CELL_WORD, 0, 0,
     .asked = "nullif(test_agent, (select name from  catalog_test_agent where code = 0))"},
    {"verdict", "verdict", "", "passed, failed, or undecided: unknown", COR_CELL_WORD, 0, 0,
     .asked = "verdict, case verdict when 'passed' then 'good' when 'failed' then 'bad' else 'strong' end"
              " as tone"},
    {"why", "why", "", "it does not hold, with the values", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(judged_sheet, "judged", "What judges said of a test",
                     "a row a verdict on the test that is shown", 0, 20);

static const struct cor_column_definition reached_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"suite", "suite", "1", "number of the test, from 0", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"begun", "from", "cycle", "in which it became current", COR_CELL_COUNT, 0, COR_COLUMN_KEY},
    {"ended", "to", "cycle", "in which it ended", COR_CELL_COUNT, 0, 0},
    {"agent", "test agent", "", "whose goal it is", COR_CELL_WORD, 0, 0, .asked = "test_agent"},
    {"depth", "depth", "1", "goals above it", COR_CELL_COUNT, 0, 0},
    {"goal", "goal", "", "its name, or its kind", COR_CELL_WORD, 0, 0},
    {"actions", "actions", "actions", "that it cost", COR_CELL_COUNT, 0, 0},
    {"end", "end", "", "success, failed, open, stalled", COR_CELL_WORD, 0, 0,
     .asked = "\"end\", case \"end\" when 'success' then 'good' when 'failed' then 'bad' else 'strong' end"
              " as tone"},
    {"why", "why", "", "it failed", COR_CELL_TEXT, 0, 0},
};
COR_SHEET_DEFINITION(reached_sheet, "reached", "Goals of a test", "a row a goal that became current", 0, 20);

static const struct cor_column_definition trace_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"suite", "suite", "1", "number of the test, from 0", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"cycle", "cycle", "1", "of the test, from 1", COR_CELL_COUNT, 0, COR_COLUMN_KEY},
    {"agent", "test agent", "", "whose turn it is", COR_CELL_WORD, 0, 0},
    {"turn", "turn", "", "what it did", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"goal", "goal", "", "that it works on", COR_CELL_WORD, 0, 0},
    {"action", "action", "", "carried out", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"command", "command", "", "as JSON; of a cycle without one what the test agent did", COR_CELL_TEXT, 0,
     0},
    {"states", "states", "", "named ones that hold behind it; with a ? such as are unknown", COR_CELL_TEXT, 0,
     0},
    {"place", "place", "", "where it stands behind it: column and row", COR_CELL_TEXT, 0, 0},
    {"column", "column", "cells", "of that place", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"row", "row", "cells", "of that place", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"floor", "floor", "1", "of that place", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"tick", "tick", "ticks", "of the world behind it", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"shown", "shown", "entities", "that the view names", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"reward", "reward", "1", "of the cycle", COR_CELL_REAL, COR_DIGITS_FOUR, COR_COLUMN_DATA},
    {"trouble", "trouble", "", "of the world: died, hung, garbled", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"picture", "picture", "", "that the world sent", COR_CELL_WORD, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(trace_sheet, "trace", "Trace of a test", "a row a turn in the test that is shown",
                     COR_SHEET_DATA, 0);
static const struct cor_sheet_definition ending_sheet =
    COR_SHEET_OVER(trace_sheet_columns, "ending", "Last turns of a test",
                   "a row a turn, up to the cycle that fixed the verdict of the test that is shown", 0, 0);

static const struct cor_column_definition scores_columns[] = {
    {"chooser", "chooser", "", "what chose the actions: the test, its policy", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "1", "tested", COR_CELL_COUNT, 0, 0, .asked = "count(*)"},
    {"equivalent", "equiv.", "1", "proven: they do what the system does", COR_CELL_COUNT, 0, 0,
     .asked = "sum(killed = 0 and equivalent)"},
    {"killed", "killed", "1", "of which a test failed that passes without the mutant", COR_CELL_COUNT, 0, 0,
     .asked = "sum(killed > 0)"},
    {"alive", "alive", "1", "survived: tests were carried out, and none killed it", COR_CELL_COUNT, 0, 0,
     .asked = "sum(killed = 0 and not equivalent and carried_out > 0)"},
    {"no_verdict", "no verdict", "1", "of which the world was in trouble in every test", COR_CELL_COUNT, 0, 0,
     .asked = "sum(killed = 0 and not equivalent and carried_out = 0)"},
    {"score_pct", "score", "%", "killed, of the mutants that are not equivalent", COR_CELL_ESTIMATE, 1, 0,
     .asked = "sum(killed > 0), sum(killed > 0 or not equivalent)"},
    {"spent", "spent", "cycles", "of all these tests together", COR_CELL_COUNT, 0, 0, .asked = "sum(spent)"},
};
COR_SHEET_DEFINITION(scores, "scores", "Mutation scores", "a row a chooser; intervals over mutants", 0, 0);

static const struct cor_column_definition kills_columns[] = {
    {"mutant", "mutant", "", "what is changed in the system", COR_CELL_WORD, 0, 0},
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"chooser", "chooser", "", "what chose the actions: the test, its policy", COR_CELL_WORD, 0, 0},
    {"state", "is", "", "killed, alive, equivalent, no verdict", COR_CELL_WORD, 0, 0,
     .asked = "case when killed > 0 then 'killed' when equivalent then 'equivalent'  when carried_out > 0"
              " then 'alive' else 'no verdict' end, case when killed > 0 then 'good' when equivalent then"
              " 'faint' else 'bad' end as tone"},
    {"killed", "killed by", "1", "tests that failed, and pass without the mutant", COR_CELL_COUNT, 0, 0},
    {"tests", "of", "1", "tests made", COR_CELL_COUNT, 0, 0},
    {"cycles", "cycles", "cycles", "to the verdict, mean of the tests that killed it", COR_CELL_REAL, 1, 0,
     .asked = "1.0 * to_kill / killed"},
    {"spent", "spent", "cycles", "of all these tests together", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(kills, "kills", "Kill matrix", "a row a mutant and chooser", 0, 60);

static const char put_tested[] =
    "select {columns} from arms where :arm is null or name = :arm order by number";

static const char put_scores[] =
    "select {columns} from entries group by chooser order by min(number * 65536 + place)";

/* Whoever looked and killed nothing left it alive; a world in trouble tells nothing of it. */
static const char put_kills[] = "select {columns} from entries order by number, place";

static const char put_tests[] = "select {columns} from tests where :arm is null or arm = :arm";

/* A condition behind an action is an assert behind it. */
static const char put_failing[] =
    "with said as materialized (select arm, suite, min(rowid) as first from verdicts where verdict = 'failed'"
    "  group by arm, suite), failed as materialized (select t.rowid as number, t.arm, t.suite, t.why,"
    "  ifnull(iif(judge = 'after', 'assert', judge) || ' ' || \"check\", 'a goal') as what from tests t"
    "  left join said on said.arm = t.arm and said.suite = t.suite left join verdicts v on v.rowid = first"
    "  where t.verdict = 'fail')" VIEWS__FAILING;

static const char put_agents[] = "select {columns} from test_agents where :arm is null or arm = :arm";

static const char put_goals[] =
    "with ends as materialized (select arm, goal, count(*) as begun, sum(\"end\" = 'success') as"
    " success,  sum(\"end\" = 'failed') as failed, sum(\"end\" = 'open') as open, sum(\"end\" ="
    " 'stalled') as stalled,  sum(actions) as actions, sum(iif(ended >= begun, ended - begun +"
    " 1, 0)) as cycles  from goals where :arm is null or arm = :arm group by arm, goal)select"
    " {columns} from ends join catalog_goal g on g.name = goal join catalog_arm a on a.name ="
    " arm where g.code <> 0 order by a.rowid, g.rowid";

static const char put_verdicts[] =
    "with said as materialized (select arm, judge, \"check\", sum(verdict = 'passed') as passed,"
    "  sum(verdict = 'failed') as failed, sum(verdict = 'undecided') as unknown, "
    " ifnull(min(rowid) filter (where verdict = 'failed'), min(rowid) filter (where verdict <>"
    " 'passed'))   as first from verdicts where :arm is null or arm = :arm group by arm, judge,"
    " \"check\")select {columns} from said left join verdicts v on v.rowid = first join"
    " catalog_check c on c.name = said.\"check\" join catalog_arm a on a.name = said.arm order"
    " by a.rowid, instr('assert after invariant formula model agreement', said.judge), c.rowid";

/* Of the test that is shown: its arm and suite are given, its name, and the cycle that fixed its verdict. */
#define OF_TEST " where arm = :arm and suite = :suite"
#define TITLE(what) "select '" what " ' || :suite || ' of ' || :arm || ': ' || :test as title;"

static const char put_judged[] = TITLE("What judges said of test") "select {columns} from verdicts" OF_TEST;

static const char put_reached[] = TITLE("Goals of test") "select {columns} from goals" OF_TEST;

#define TURNS                                                                                               \
    "select arm, suite, cycle, test_agent, turn, nullif(goal, (select name from catalog_goal where code = " \
    "0)),"                                                                                                  \
    " action, iif(command <> '', command || iif(trouble <> 0, ': ' || trouble, ''), turn),"                 \
    " made('states', state, state_unknown), iif(\"column\" = 4294967295, null, '[' || \"column\" || ', '"   \
    "  || \"row\" || ']' || iif(floor > 0, ' floor ' || floor, '')), nullif(\"column\", 4294967295),"       \
    " iif(\"column\" = 4294967295, null, \"row\"), iif(\"column\" = 4294967295, null, floor), tick, shown," \
    " reward, nullif(trouble, 0), nullif(picture, '') from cycles" OF_TEST

static const char put_ending[] = TITLE("Last turns of test") TURNS
    " and cycle <= :last and rowid >= ifnull((select rowid from cycles" OF_TEST
    "  and cycle <= :last order by rowid desc limit 1 offset 19), 0);"
    "select shown || ' of ' || turns || ' turns are shown; --sheet trace has all as CSV.' as remark"
    " from (select count(*) as turns, min(20, sum(cycle <= :last)) as shown from cycles" OF_TEST
    ") where shown < turns";

static const char put_trace[] = TITLE("Trace of test") TURNS;

/* Whether any arm is of a mutant. */
static enum cor_status has_mutants(const struct views__asking *asking, bool *has, struct cor_error *error) {
    struct cor_query_answer answer;
    const enum cor_status status = cor_query_collect(
        asking->query, "select 1 from worlds where mutant is not null limit 1", NULL, &answer, error);
    *has = answer.rows > 0;
    cor_query_answer_fini(&answer);
    return status;
}

/* Scores and the kill matrix, if there are mutants. */
static enum cor_status put_mutants(struct views__asking *asking, struct cor_sheets *sheets,
                                   struct cor_error *error) {
    bool has;
    COR_TRY(has_mutants(asking, &has, error));
    if (!has)
        return COR_OK;
    COR_TRY(views__ask(asking, put_scores, cor_sheets_more(sheets, &scores), error));
    return views__ask(asking, put_kills, cor_sheets_more(sheets, &kills), error);
}

static enum cor_status open_tests(const struct cor_view_request *request, struct views__asking *asking,
                                  struct cor_query_answer *shown, struct cor_error *error) {
    size_t arm = SIZE_MAX;
    *shown = (struct cor_query_answer){0};
    COR_TRY(views__asking_init(&source, request, asking, error));
    if (request->arm)
        COR_TRY(cor_arm_find(asking->tables.head, "--arm", request->arm, &arm, error));
    if (request->suite != COR_ANY_SUITE)
        COR_TRY(cor_layer_suite_find(&asking->tables, COR_SYSTEM_TABLE_TESTS, arm, request->suite, error));
    return cor_query_collect(asking->query, SHOWN "select arm, suite, test, last from shown", asking->given,
                             shown, error);
}

static enum cor_status make_goals(const struct cor_view_request *request, struct cor_sheets *sheets,
                                  struct cor_view_findings *found, struct cor_error *error) {
    static const struct {
        const struct cor_sheet_definition *sheet;
        const char *text;
    } lists[] = {{&tests_sheet, put_tests},       {&agents_sheet, put_agents}, {&goals_sheet, put_goals},
                 {&verdicts_sheet, put_verdicts}, {&judged_sheet, put_judged}, {&reached_sheet, put_reached},
                 {&ending_sheet, put_ending},     {&trace_sheet, put_trace}};
    enum { ALL = 4 }; /* lists of all tests, in front of those of one */
    COR_FINISHED(views__asking) struct views__asking asking = {.query = NULL};
    COR_FINISHED(cor_query_answer) struct cor_query_answer shown = {0};
    enum cor_status status = open_tests(request, &asking, &shown, error);
    COR_TRY(status);
    COR_TRY(views__ask_findings(&asking, findings, found, error));
    COR_TRY(views__ask(&asking, put_tested, cor_sheets_add(sheets, &tested_sheet), error));
    COR_TRY(put_mutants(&asking, sheets, error));
    COR_TRY(views__ask(&asking, put_failing, cor_sheets_add(sheets, &views__failing_sheet), error));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct cor_sheet *sheet = cor_sheets_add(sheets, lists[i].sheet);
        if (i == 0 && request->rows > 0)
            cor_sheet_limit(sheet, request->rows);
        if (i == ALL && shown.rows > 0) {
            views__give(&asking, ":arm", shown.values[0]);
            views__give(&asking, ":suite", shown.values[1]);
            views__give(&asking, ":test", shown.values[2]);
            views__give(&asking, ":last", shown.values[3]);
        }
        if (i < ALL || shown.rows > 0)
            COR_TRY(views__ask(&asking, lists[i].text, sheet, error));
    }
    return status;
}

static const struct cor_sheet_definition *const sheets_of_goals[] = {
    &tested_sheet, &scores,         &kills,        &views__failing_sheet, &tests_sheet,  &agents_sheet,
    &goals_sheet,  &verdicts_sheet, &judged_sheet, &reached_sheet,        &ending_sheet, &trace_sheet,
    NULL};

const struct cor_view views__view_goals = {
    .name = "goals",
    .command = "show",
    .summary = "show tests of running systems",
    .manual =
        "Prints what test agents found in running systems: verdicts by arm, each test with why it ended "
        "so, goals with the cycles and actions that they took, what judges said with the values, and "
        "the last turns of one test - that of --arm and --suite, else the first that failed (of an arm "
        "without a mutant, if one did), else the first. Of mutants, scores and the kill matrix. --sheet "
        "trace has each turn of that test.",
    .options = "level arm suite",
    .schema = "corridor-goals",
    .version = 1,
    .layer = &cor_system_schema,
    .sheets = sheets_of_goals,
    .make = make_goals,
};

/* ---- where test agents were: visits of cells, entities seen and touched, steps between named states, what
 * the world says was executed of it */

#define MAP_COLUMNS 100 /* of a drawing without a width */
#define MAP_ROWS 60     /* of a drawing */
#define MAP_NAME 60     /* characters of an arm's name above it */

static const struct cor_column_definition cells_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"floor", "floor", "1", "from 0", COR_CELL_COUNT, 0, 0},
    {"row", "row", "1", "from 0 at the top", COR_CELL_COUNT, 0, 0},
    {"column", "column", "1", "from 0 at the left", COR_CELL_COUNT, 0, 0},
    {"free", "free", "", "one can stand in it", COR_CELL_FLAG, 0, 0},
    {"tests", "tests", "tests", "in which it was seen", COR_CELL_COUNT, 0, 0},
    {"first", "first", "cycle", "in which it was seen, at the earliest", COR_CELL_COUNT, 0, 0},
    {"visits", "visits", "cycles", "that a test agent stood in it, of all tests", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(cells_sheet, "cells", "Cells", "a row a cell that was seen", COR_SHEET_DATA, 0);

static const struct cor_column_definition entities_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"entity", "entity", "", "its identity", COR_CELL_TEXT, 0, COR_COLUMN_KEY, .asked = "identity"},
    {"type", "type", "", "its type", COR_CELL_WORD, 0, 0},
    {"tests", "tests", "tests", "in which it was seen", COR_CELL_COUNT, 0, 0},
    {"first", "first", "cycle", "in which it was seen, at the earliest", COR_CELL_COUNT, 0, 0},
    {"seen", "seen", "cycles", "in which it was seen, or changed, of all tests", COR_CELL_COUNT, 0, 0},
    {"touched", "touched", "actions", "on it, of all tests", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(entities_sheet, "entities", "Entities", "a row an entity that was seen", 0, 30);

static const struct cor_column_definition steps_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"from", "from", "", "named states that hold before", COR_CELL_TEXT, 0, 0,
     .asked = "made('states', \"from\", 0)"},
    {"action", "action", "", "carried out", COR_CELL_WORD, 0, 0},
    {"to", "to", "", "named states that hold behind it", COR_CELL_TEXT, 0, 0,
     .asked = "made('states', \"to\", 0)"},
    {"tests", "tests", "tests", "in which that was seen", COR_CELL_COUNT, 0, 0},
    {"count", "times", "cycles", "in which that was seen, of all tests", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(steps_sheet, "steps", "Steps learnt", "a row an action between named states", 0, 30);

static const struct cor_column_definition covered_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"number", "number", "1", "of what the world says was executed of it", COR_CELL_COUNT, 0, 0},
    {"tests", "tests", "tests", "in which it was", COR_CELL_COUNT, 0, 0},
    {"first", "first", "cycle", "in which it was, at the earliest", COR_CELL_COUNT, 0, 0},
    {"count", "times", "cycles", "in which it was, of all tests", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(covered_sheet, "covered", "Executed of the world", "a row a number that the world gives",
                     0, 10);

static const struct cor_column_definition reach_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, 0, .asked = "name"},
    {"tests", "tests", "1", "that are counted", COR_CELL_COUNT, 0, 0,
     .asked = "(select count(*) from tests where arm = name and (:suite is null or suite = :suite))"},
    {"entities", "entities", "entities", "seen in any test", COR_CELL_COUNT, 0, 0,
     .asked = "(select count(*) from of_entities where arm = name)"},
    {"touched", "touched", "1", "entities on which an action was carried out", COR_CELL_COUNT, 0, 0,
     .asked = "(select count(*) from of_entities where arm = name and touched > 0)"},
    {"cells", "cells", "cells", "free ones, seen in any test", COR_CELL_COUNT, 0, 0, .asked = "free"},
    {"visited", "visited", "1", "cells in which a test agent stood", COR_CELL_COUNT, 0, 0},
    {"visited_pct", "share", "%", "visited, of the free cells that were seen", COR_CELL_REAL, 1, 0,
     .asked = "100.0 * visited / free"},
    {"steps", "steps", "1", "different actions between named states", COR_CELL_COUNT, 0, 0,
     .asked = "(select count(*) from of_steps where arm = name)"},
    {"covered", "executed", "1", "different numbers that the world says were executed", COR_CELL_COUNT, 0, 0,
     .asked = "(select count(*) from of_world where arm = name)"},
};
COR_SHEET_DEFINITION(reach_sheet, "arms", "Where test agents were", "a row an arm", 0, 60);

/* The same thing in several tests is one. */
#define THINGS                                                                                          \
    "with of_cells as materialized (select arm, floor, \"row\", \"column\", max(free) as free,"         \
    "  count(*) as tests, min(first) as first, sum(visits) as visits from cells" HERE                   \
    "  group by arm, floor, \"row\", \"column\"),"                                                      \
    " of_entities as materialized (select arm, identity, type, count(*) as tests, min(first) as first," \
    "  sum(seen) as seen, sum(touched) as touched from entities" HERE " group by arm, type, identity)," \
    " of_steps as materialized (select arm, \"from\", action, \"to\", count(*) as tests,"               \
    "  sum(count) as count from steps" HERE " group by arm, \"from\", action, \"to\"),"                 \
    " of_world as materialized (select arm, number, count(*) as tests, min(first) as first,"            \
    "  sum(count) as count from covered" HERE " group by arm, number)"
#define IN_ORDER " join catalog_arm a on a.name = arm order by a.rowid"

static const char put_reach[] =
    THINGS "select {columns}, iif(:suite is null, null, 'Where test agents were in test ' || :suite) as"
           " title from (select rowid as number, name, (select count(*) from of_cells where arm = name"
           " and free) as free,  (select count(*) from of_cells where arm = name and visits > 0) as"
           " visited from catalog_arm) where :arm is null or name = :arm order by number";
/* The drawing takes its cells from it, too. */
static const char put_cells[] =
    THINGS "select arm, floor, \"row\", \"column\", free, tests, first, visits from of_cells" IN_ORDER
           ", floor, \"row\", \"column\"";
static const char put_entities[] = THINGS
    "select {columns} from of_entities join catalog_type t on t.name = type" IN_ORDER ", t.rowid, identity";
static const char put_steps[] =
    THINGS "select {columns} from of_steps join catalog_action c on c.name = action" IN_ORDER
           ", length(\"from\"), \"from\", c.rowid, length(\"to\"), \"to\"";
static const char put_covered[] = THINGS "select {columns} from of_world" IN_ORDER ", number";

/* A cell over the tests of an arm. */
struct cell {
    uint32_t floor, row, column;
    bool is_free;
    uint64_t visits;
};

/* Cells of a floor as they are drawn. */
struct map {
    char *arm;          /* owned */
    struct cell *cells; /* owned; by floor, row and column */
    size_t count;
};

static void destroy_map(void *with) {
    struct map *map = with;
    if (!map)
        return;
    COR_FREE(map->cells, map->arm, map);
}

/* 1 to 9 visits as digits, from 10 on a letter a decade. */
static char letter_of(const struct cell *cell) {
    char letter = 'A';
    if (!cell->is_free)
        return '#';
    if (cell->visits < 10)
        return cell->visits == 0 ? '.' : (char)('0' + cell->visits);
    for (uint64_t visits = cell->visits; visits >= 100; visits /= 10)
        letter++;
    return letter;
}

/* Of several cells in one letter: most visits, then free, then not, then unseen. */
static int rank_of(char letter) {
    return letter == ' ' ? 0 : letter == '#' ? 1 : letter == '.' ? 2 : letter;
}

static void draw_map(const void *context, const struct cor_style *style, FILE *file) {
    const struct map *map = context;
    const size_t room = style->width > 12 ? style->width - 2 : MAP_COLUMNS;
    for (size_t first = 0, end; first < map->count; first = end) {
        for (end = first; end < map->count && map->cells[end].floor == map->cells[first].floor;)
            end++;
        const struct cell *cells = &map->cells[first];
        const size_t count = end - first;
        const uint32_t most_columns = room < MAP_COLUMNS ? (uint32_t)room : MAP_COLUMNS;
        uint32_t left = UINT32_MAX, right = 0;
        const uint32_t top = cells[0].row, bottom = cells[count - 1].row;
        for (size_t i = 0; i < count; i++) {
            left = cells[i].column < left ? cells[i].column : left;
            right = cells[i].column > right ? cells[i].column : right;
        }
        const uint64_t wide = (uint64_t)right - left + 1, high = (uint64_t)bottom - top + 1;
        uint64_t step = (wide + most_columns - 1) / most_columns;
        step = (high + MAP_ROWS - 1) / MAP_ROWS > step ? (high + MAP_ROWS - 1) / MAP_ROWS : step;
        char line[MAP_COLUMNS + 1];
        const size_t columns = (size_t)((wide + step - 1) / step);
        fprintf(file,
                "%sVisits%s  %.*s, floor %" PRIu32 ", columns %" PRIu32 " to %" PRIu32 ", rows %" PRIu32
                " to %" PRIu32,
                style->strong, style->plain, MAP_NAME, map->arm, cells[0].floor, left, right, top, bottom);
        if (step > 1)
            fprintf(file, ", a letter %" PRIu64 " cells wide and high", step);
        fputc('\n', file);
        size_t next = 0;
        for (uint64_t row = top; row <= bottom; row += step) {
            memset(line, ' ', columns);
            for (; next < count && cells[next].row < row + step; next++) {
                char *at = &line[(cells[next].column - left) / step];
                const char letter = letter_of(&cells[next]);
                if (rank_of(letter) > rank_of(*at))
                    *at = letter;
            }
            size_t length = columns;
            while (length > 0 && line[length - 1] == ' ')
                length--;
            line[length] = '\0';
            fprintf(file, "  %s\n", line);
        }
    }
    fputs("  # no floor, . seen, 1 to 9 visits, A 10 and more, B 100, C 1000\n", file);
}

/* A drawing of the cells of :arm, if there are any. */
static enum cor_status add_map(const struct views__asking *asking, const char *arm, struct cor_sheets *sheets,
                               struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_query_answer cells = {0};
    struct map *map = cor_calloc(1, sizeof *map);
    COR_TRY(cor_made(map, error));
    COR_TRY_OUT(cor_query_collect(asking->query, put_cells, asking->given, &cells, error));
    COR_TRY_OUT(cor_made(map->arm = cor_strdup(arm), error));
    COR_TRY_OUT(cor_made(map->cells = cor_calloc(cells.rows, sizeof *map->cells), error));
    for (; map->count < cells.rows; map->count++) {
        const struct cor_query_value *row = &cells.values[map->count * cells.columns];
        map->cells[map->count] =
            (struct cell){(uint32_t)row[1].integer, (uint32_t)row[2].integer, (uint32_t)row[3].integer,
                          row[4].integer != 0, (uint64_t)row[7].integer};
    }
    if (map->count > 0) {
        cor_sheets_draw(sheets, draw_map, map, destroy_map);
        map = NULL;
    }
out:
    cor_query_answer_fini(&cells);
    destroy_map(map);
    return status;
}

static enum cor_status make_places(const struct cor_view_request *request, struct cor_sheets *sheets,
                                   struct cor_view_findings *found, struct cor_error *error) {
    COR_FINISHED(views__asking) struct views__asking asking = {.query = NULL};
    COR_FINISHED(cor_query_answer) struct cor_query_answer shown = {0};
    const struct cor_query_value arm = {request->arm ? COR_QUERY_TEXT : COR_QUERY_NULL, .text = request->arm};
    COR_TRY(open_tests(request, &asking, &shown, error));
    COR_TRY(views__ask_findings(&asking, findings, found, error));
    COR_TRY(views__ask(&asking, put_reach, cor_sheets_add(sheets, &reach_sheet), error));
    if (shown.rows > 0) {
        views__give(&asking, ":arm", shown.values[0]);
        COR_TRY(add_map(&asking, shown.values[0].text, sheets, error));
        views__give(&asking, ":arm", arm);
    }
    COR_TRY(views__ask(&asking, put_cells, cor_sheets_add(sheets, &cells_sheet), error));
    COR_TRY(views__ask(&asking, put_entities, cor_sheets_add(sheets, &entities_sheet), error));
    COR_TRY(views__ask(&asking, put_steps, cor_sheets_add(sheets, &steps_sheet), error));
    return views__ask(&asking, put_covered, cor_sheets_add(sheets, &covered_sheet), error);
}

static const struct cor_sheet_definition *const sheets_of_places[] = {
    &reach_sheet, &cells_sheet, &entities_sheet, &steps_sheet, &covered_sheet, NULL};

const struct cor_view views__view_places = {
    .name = "places",
    .command = "show",
    .summary = "show where test agents were",
    .manual =
        "Prints where test agents were in running systems, of all tests of an arm, or of one by --suite: "
        "visits of cells and the area seen as a map (of --arm, else of the first arm with a test that "
        "failed), entities seen and touched, the steps between named states that were learnt, and what "
        "the world says was executed of it. --sheet cells has the map as CSV.",
    .options = "arm suite",
    .schema = "corridor-places",
    .version = 1,
    .layer = &cor_system_schema,
    .sheets = sheets_of_places,
    .make = make_places,
};

/* ---- tests of running systems as tests */

static const struct views__asked_verdicts asked = {
    .source = &source,
    .arms =
        "select name, case when mutant is not null and kills > 0 then 'killed'"
        "  when mutant is not null and equivalent then 'equivalent'"
        "  when mutant is not null and passed > 0 then 'not killed' when mutant is null and failed "
        "> 0 then 'FAILS'"
        "  when trouble > 0 then 'trouble' when tests > 0 and passed = tests then 'passes'"
        "  else 'no verdict' end as verdict,"
        " iif(mutant is null, tests > 0 and passed = tests, kills > 0 or equivalent), mutant is not "
        "null and kills > 0,"
        " case when mutant is not null then kills when failed > 0 then failed else trouble end, tests, tests,"
        " cycles, 'tests' from arms order by number",
    .leads =
        SHOWN "select 'example', substr(test, 1, 60) || ': ' || why, null, null, null, null from shown"
              " where verdict in ('fail', 'trouble') and why <> '' union all"
              " select 'cycles', null, 'show', 'goals --arm', arm, '--suite ' || suite from shown where "
              "verdict = 'fail'"
              " union all"
              " select 'places', null, 'show', 'places --arm', arm, '--suite ' || suite from shown "
              "where verdict = 'fail'"
              " union all"
              " select 'repeat', null, 'replay', '--failure', arm || '/' || suite, null from shown "
              "where verdict = 'fail'"
              " union all"
              " select 'shrink', null, 'shrink', '--failure', arm || '/' || suite, '-o t.json' from shown "
              "where verdict = 'fail'",
    .findings = findings,
    .tests = "select arm, test || iif(run > 0, ' #' || (run + 1), ''), case verdict when 'pass' then 'passed'"
             "  when 'fail' then 'failed' when 'trouble' then 'error' else 'skipped' end, verdict, verdict,"
             " iif(why = '' and verdict <> 'pass', verdict, why),"
             " arm || ' ' || test || iif(run > 0, ' #' || (run + 1), ''), verdict, suite, cycles from tests",
    .none = "the file has no tests"};

const struct views__layer_verdicts views__verdicts_of_system = {
    .layer = &cor_system_schema, .asked = &asked, .mutants = put_mutants};
