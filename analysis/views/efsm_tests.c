/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tests beside a model found: verdicts, what was covered and why not, moves; mutants that were killed; a
 * graph. */
#include "layer_verdicts.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/efsm_graph.h>
#include <corridor/efsm_result.h>
#include <corridor/efsm_terms.h>
#include <corridor/json.h>
#include <corridor/survival.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* "end": what the end of a trap means, by its code; of row `a`: "test" is what happened, of a test, "state",
 * "input" and "observed" are of a move. */
static enum cor_status make(const void *data, const char *what, uint64_t a, uint64_t b,
                            struct cor_query_value *value, struct cor_error *error) {
    const struct cor_layer_tables *model = &((const struct views__asking *)data)->tables;
    char text[4 * COR_EFSM_TEXT], told[COR_EFSM_TEXT];
    (void)b;
    value->kind = COR_QUERY_TEXT;
    if (strcmp(what, "end") == 0)
        return cor_made((value->text = cor_strdup(cor_term(COR_FAMILY_TRAP_END, (int)a)->meaning)), error);
    if (strcmp(what, "test") == 0) {
        cor_efsm_test_text(model, cor_layer_row(model, COR_EFSM_TABLE_TESTS, a), text);
        return cor_made((value->text = cor_strdup(text)), error);
    }
    const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, a);
    if (strcmp(what, "state") == 0)
        cor_efsm_stored_state(model, row, text);
    else if (strcmp(what, "input") == 0)
        cor_efsm_stored_input(model, row, text);
    else {
        cor_efsm_outputs_text(model, row->output_start, row->outputs, row->value_start, row->values, text);
        cor_efsm_told_text(model, row, told);
        value->text =
            cor_format("%s%s%s", row->trouble ? cor_term_word(COR_FAMILY_SYSTEM, row->trouble) : text,
                       row->timeout ? " (time-out)" : "", told);
        return cor_made(value->text, error);
    }
    return cor_made((value->text = cor_strdup(text)), error);
}

#define SAID(key) "iif(json_type(said, '$." key "') = 'text', said ->> '$." key "', null) as " key

/* What questions share. Needed: which transition a trap needs: it is called so, or A-B (a pair), 1-T (a place
 * of a sequence), T-1 (a boundary of a guard), or the experiment says so. Entries: an arm with a mutant, of
 * which tests were made; how the mutant differs stands with the first arm of it. */
static const char *const statements[] = {
    "create temp table arms as"
    " with described as materialized (select rowid as number, name,"
    "  iif(json_valid(description), description, '{}') as said from catalog_arm),"
    " sums as materialized (select arm, count(*) as tests, sum(verdict = 'pass') as pass,"
    "  sum(verdict = 'fail') as fail, sum(verdict = 'inconclusive') as inconclusive, sum(verdict = 'lost') "
    "as lost,"
    "  sum(verdict = 'unreachable') as unreachable, sum(verdict = 'trouble') as trouble, sum(moves) as moves,"
    "  sum(resets) as resets, sum(timeouts) as timeouts, sum(iif(verdict = 'fail', failed, 0)) as to_failure"
    "  from tests group by arm)"
    " select number, name, " SAID("planner") ", " SAID("reading") ", " SAID("system") ", " SAID(
        "mutant") ", ifnull(tests, 0) as tests, ifnull(pass, 0) as pass, ifnull(fail, 0) as fail,"
                  " ifnull(inconclusive, 0) as inconclusive, ifnull(lost, 0) as lost, ifnull(unreachable, 0) "
                  "as unreachable,"
                  " ifnull(trouble, 0) as trouble, ifnull(moves, 0) as moves, ifnull(resets, 0) as resets,"
                  " ifnull(timeouts, 0) as timeouts, ifnull(to_failure, 0) as to_failure"
                  " from described left join sums on arm = name",
    "create temp view needed as"
    " with named as materialized (select t.value ->> '$.id' as trap, t.value ->> '$.transition' as transition"
    "  from head, json_each(text, '$.efsm.goals') g, json_each(g.value, '$.traps') t"
    "  where head.name = 'experiment' and g.value ->> '$.name' = text ->> '$.goal'),"
    " pairs as materialized (select t.name as trap, c.name as transition, n.transition as named,"
    "  iif(substr(t.name, 1, length(c.name) + 1) = c.name || '-', substr(t.name, length(c.name) + 2), '') as "
    "behind,"
    "  iif(substr(t.name, -length(c.name) - 1) = '-' || c.name,"
    "   substr(t.name, 1, length(t.name) - length(c.name) - 1), '') as ahead"
    "  from catalog_trap t join catalog_transition c left join named n on n.trap = t.name where c.rowid > 0)"
    " select trap, transition from pairs where trap = transition or named = transition or (named is null and"
    "  (behind in (select name from catalog_transition where rowid > 0) or"
    "   (behind <> '' and behind not glob '*[^0-9]*') or"
    "   ahead in (select name from catalog_transition where rowid > 0) or"
    "   (ahead <> '' and ahead not glob '*[^0-9]*')))",
    "create temp table entries as"
    " with compared as materialized (select arm, min(rowid) as row from mutants where suite = 0 group by "
    "arm),"
    " first as materialized (select mutant, min(number) as number from arms where mutant is not null and "
    "tests > 0"
    "  group by mutant)"
    " select arms.*, arms.planner || ' (' || arms.reading || ')' as chooser, m.difference, nullif(m.length, "
    "0) as "
    "shortest,"
    "  m.moves as compared from arms join first using (mutant) join arms as f on f.number = first.number"
    "  left join compared own on own.arm = arms.name left join compared other on other.arm = f.name"
    "  left join mutants m on m.rowid = ifnull(own.row, other.row) where arms.tests > 0 order by arms.number",
    "create temp view killings as select *, ifnull(difference, 'undecided') as differs,"
    " case when fail > 0 then 'killed' when difference = 'equivalent' then 'equivalent'"
    "  when ifnull(difference, 'undecided') = 'undecided' then 'undecided' else 'alive' end as state from "
    "entries",
    NULL};

static const struct views__source source = {cor_efsm_result_init, make, statements};

static const struct cor_column_definition arms_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, 0, .asked = "name"},
    {"planner", "planner", "", "that chose the inputs", COR_CELL_WORD, 0, 0},
    {"reading", "reading", "", "how it reads a choice of the system: hope, forced, expected", COR_CELL_WORD,
     0, 0},
    {"system", "system", "", "how a simulator chooses among rivals, or a program's command", COR_CELL_TEXT, 0,
     0},
    {"mutant", "mutant", "", "what is wrong with the system on purpose", COR_CELL_WORD, 0, 0},
    {"tests", "tests", "1", "made", COR_CELL_COUNT, 0, 0},
    {"pass", "pass", "tests", "the goal is covered, and all that was observed is allowed", COR_CELL_COUNT, 0,
     0},
    {"fail", "fail", "tests", "the model does not allow what was observed", COR_CELL_COUNT, 0, 0},
    {"inconclusive", "inconcl.", "tests", "not covered within the budget", COR_CELL_COUNT, 0, 0},
    {"lost", "lost", "tests", "proven: what is left cannot be covered any more", COR_CELL_COUNT, 0, 0},
    {"unreachable", "unreach.", "tests", "proven: what is left cannot be covered from the start",
     COR_CELL_COUNT, 0, 0},
    {"trouble", "trouble", "tests", "the system died, hung or spoke nonsense", COR_CELL_COUNT, 0, 0},
    {"moves", "moves", "moves", "of a test, mean", COR_CELL_REAL, 1, 0, .asked = "1.0 * moves / tests"},
    {"resets", "resets", "resets", "of a test besides the first, mean", COR_CELL_REAL, 1, COR_COLUMN_DATA,
     .asked = "1.0 * resets / tests"},
    {"timeouts", "time-outs", "times", "silence was taken for an answer: these tests may not repeat",
     COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "Planners and systems", "a row an arm", 0, 0);

static const struct cor_column_definition tests_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"test", "test", "1", "number, from 0", COR_CELL_COUNT, 0, 0, .asked = "suite"},
    {"verdict", "verdict", "", "pass, fail, inconclusive, lost, unreachable, trouble", COR_CELL_WORD, 0, 0,
     .asked = "verdict, case verdict when 'pass' then 'good' when 'fail' then 'bad' else 'strong' end  as"
              " tone"},
    {"moves", "moves", "moves", "made", COR_CELL_COUNT, 0, 0},
    {"resets", "resets", "resets", "besides the first", COR_CELL_COUNT, 0, 0},
    {"planned", "planned", "moves", "length of the first plan", COR_CELL_COUNT, 0, 0,
     .asked = "nullif(planned, 4294967295)"},
    {"proven", "proven", "", "what is planned, lost or unreachable is proven", COR_CELL_FLAG, 0, 0},
    {"covered", "covered", "traps", "of the goal", COR_CELL_COUNT, 0, 0},
    {"possible", "possible", "states", "in which the system could be, at most", COR_CELL_COUNT, 0,
     COR_COLUMN_DATA},
    {"failed", "failed at", "1", "the move that the model does not allow", COR_CELL_COUNT, 0, COR_COLUMN_DATA,
     .asked = "nullif(failed, 0)"},
    {"trouble", "trouble", "", "died, hung, garbled", COR_CELL_WORD, 0, COR_COLUMN_DATA,
     .asked = "nullif(trouble, 0)"},
    {"timeouts", "time-outs", "times", "silence was taken for an answer", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"why", "what happened", "", "for a reader", COR_CELL_TEXT, 0, 0, .asked = "made('test', rowid, 0)"},
};
COR_SHEET_DEFINITION(tests_sheet, "tests", "Tests", "a row a test", 0, 10);

static const struct cor_column_definition traps_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP, .asked = "a.name"},
    {"trap", "trap", "", "its id", COR_CELL_WORD, 0, 0, .asked = "t.name"},
    {"covered", "covered", "tests", "that covered it", COR_CELL_COUNT, 0, 0, .asked = "ifnull(covered, 0)"},
    {"open", "open", "tests", "that did not reach it within their moves", COR_CELL_COUNT, 0, 0,
     .asked = "ifnull(open, 0)"},
    {"waits", "waits", "tests", "in which a trap that it waits for was not covered", COR_CELL_COUNT, 0, 0,
     .asked = "ifnull(waits, 0)"},
    {"lost", "lost", "tests", "in which it is proven that it could not be covered any more", COR_CELL_COUNT,
     0, 0, .asked = "ifnull(e.lost, 0)"},
    {"unreachable", "unreach.", "tests", "in which it is proven out of reach from the start", COR_CELL_COUNT,
     0, 0, .asked = "ifnull(e.unreachable, 0)"},
    {"moves", "moves", "moves", "to cover it, at best", COR_CELL_COUNT, 0, 0, .asked = "best"},
};
COR_SHEET_DEFINITION(traps_sheet, "traps", "Coverage of the goal", "a row a trap", 0, 60);

static const struct cor_column_definition coverage_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP, .asked = "a.name"},
    {"transition", "transition", "", "of the model", COR_CELL_WORD, 0, 0, .asked = "c.name"},
    {"tests", "tests", "tests", "in which it was taken", COR_CELL_COUNT, 0, 0, .asked = "ifnull(k.tests, 0)"},
    {"moves", "moves", "moves", "that took it", COR_CELL_COUNT, 0, 0, .asked = "ifnull(k.moves, 0)"},
    {"why_not", "why not", "", "of one that was never taken", COR_CELL_TEXT, 0, 0,
     .asked = "iif(k.moves > 0, null,  iif(place is null, 'the goal does not ask for it', made('end', case"
              " place when 1 then 1 when 9 then 2   when 14 then 3 when 19 then 4 else 5 end, 0)))"},
};
COR_SHEET_DEFINITION(coverage_sheet, "transitions", "Coverage of the model", "a row a transition", 0, 60);

static const struct cor_column_definition moves_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_DATA},
    {"test", "test", "1", "number, from 0", COR_CELL_COUNT, 0, COR_COLUMN_DATA, .asked = "suite"},
    {"move", "move", "1", "from 1", COR_CELL_COUNT, 0, 0},
    {"attempt", "attempt", "1", "resets before", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"location", "location", "", "where the system was", COR_CELL_WORD, 0, 0},
    {"state", "state", "", "values of the state variables", COR_CELL_TEXT, 0, 0,
     .asked = "made('state', m.rowid, 0)"},
    {"possible", "possible", "states", "in which the system could be", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"input", "input", "", "given, with its arguments", COR_CELL_TEXT, 0, 0,
     .asked = "made('input', m.rowid, 0)"},
    {"observed", "observed", "",
     "outputs in order, with their arguments; goals that the system adds or drops", COR_CELL_TEXT, 0, 0,
     .asked = "made('observed', m.rowid, 0)"},
    {"transition", "transition", "", "taken", COR_CELL_WORD, 0, 0,
     .asked = "nullif(transition, (select name from catalog_transition where code = 0))"},
    {"allowed", "allowed", "", "by the model", COR_CELL_FLAG, 0, 0},
    {"left", "left", "moves", "of the plan, this one included", COR_CELL_COUNT, 0, 0,
     .asked = "nullif(\"left\", 4294967295)"},
    {"candidates", "candidates", "1", "weighed by the planner", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"degree", "degree", "1", "violation degree of the one chosen", COR_CELL_COUNT, 0, COR_COLUMN_DATA,
     .asked = "nullif(degree, '18446744073709551615')"},
    {"gained", "gained", "traps", "covered by it", COR_CELL_COUNT, 0, 0},
};
COR_SHEET_DEFINITION(moves_sheet, "moves", "Moves", "a row a move of the test that is shown", 0, 60);

static const char put_arms[] = "select {columns} from arms where :arm is null or name = :arm order by number";

static const char put_tests[] = "select {columns} from tests where :arm is null or arm = :arm";

static const char put_failing[] =
    "with failed as materialized (select t.rowid as number, t.arm, t.suite, made('test', t.rowid, 0) as why,"
    "  location || ' ' || input || ' ' || ifnull((select group_concat(transition, '|') from (select"
    "   distinct transition from allowed a join catalog_transition c on c.name = transition"
    "   where a.arm = t.arm and a.suite = t.suite order by c.rowid = 0, c.rowid)), '') as what"
    "  from tests t join moves m on m.arm = t.arm and m.suite = t.suite and move = failed"
    "  where verdict = 'fail')" VIEWS__FAILING;

static const char put_traps[] =
    "with ends as materialized (select arm, trap, sum(\"end\" = 'covered') as covered, "
    " sum(\"end\" = 'open') as open, sum(\"end\" = 'waits') as waits, sum(\"end\" = 'lost') as"
    " lost,  sum(\"end\" = 'unreachable') as unreachable, min(move) filter (where move > 0) as"
    " best  from traps where :arm is null or arm = :arm group by arm, trap)select {columns} from"
    " arms a join catalog_trap t left join ends e on e.arm = a.name  and e.trap = t.name where"
    " :arm is null or a.name = :arm order by a.number, t.rowid";

/* A transition that no move took: what became of the trap that needs it, of several the most hopeful. */
static const char put_coverage[] =
    "with took as materialized (select arm, transition, sum(count > 0) as tests, sum(count) as"
    " moves from taken  where :arm is null or arm = :arm group by arm, transition), ends as"
    " materialized (select arm, transition, min((instr('covered open lost unreachable waits',  "
    " \"end\"))) as place from traps join needed using (trap) where :arm is null or arm = :arm "
    " group by arm, transition)select {columns} from arms a join catalog_transition c left join"
    " took k on k.arm = a.name and k.transition = c.name left join ends e on e.arm = a.name and"
    " e.transition = c.name where c.rowid > 0 and a.name in (select arm from took) order by"
    " a.number, c.rowid";

/* Of the test that is asked for; else of the first that failed, else of the first. */
static const char put_moves[] =
    "with shown as materialized (select arm, suite from tests where (:arm is null or arm = :arm)"
    "  and (:suite is null or suite = :suite) order by verdict <> 'fail', rowid limit 1)select"
    " {columns} from shown join moves m using (arm, suite) order by m.rowid;with shown as"
    " materialized (select arm, suite from tests where (:arm is null or arm = :arm)  and (:suite"
    " is null or suite = :suite) order by verdict <> 'fail', rowid limit 1)select"
    " 'Moves of test ' || suite || ' of ' || arm as title from shown";

/* What a caller may turn into an exit code: mutants that no test killed; arms without a mutant of which a
 * test failed. */
static const char findings[] = "select sum(mutant is not null and fail = 0) as undetected, sum(mutant is "
                               "null and fail > 0) as unexpected,"
                               " sum(fail) as failed, sum(tests - pass - fail) as undecided from arms";

/* ---- mutants of a model, and which tests told them from it */

/* Of all entries of a planner together. */
struct score {
    uint64_t mutants, equivalent, undecided, killed, alive;
    double *fails, *tests;  /* [differing] of mutants that are not equivalent: failed tests in per cent */
    double *moves, *failed; /* [killed]: moves to failures, and failures */
    size_t differing;
};
#define SCORE(member) COR_CELL_OF(struct score, member)
static const struct cor_column_definition scores_columns[] = {
    {"model", "model", "", "its name", COR_CELL_WORD, 0, 0},
    {"planner", "planner", "", "that chose the inputs, with its reading", COR_CELL_WORD, 0, 0},
    {"mutants", "mutants", "1", "tested", SCORE(mutants)},
    {"equivalent", "equivalent", "mutants", "proven: they answer nothing that the model does not allow",
     SCORE(equivalent)},
    {"undecided", "undecided", "mutants", "not known to differ, killed ones apart", SCORE(undecided)},
    {"killed", "killed", "mutants", "of which a test failed", SCORE(killed)},
    {"alive", "alive", "mutants", "of which no test failed, though they differ", SCORE(alive)},
    {"score_pct", "score", "%", "killed, of the mutants that are not equivalent", COR_CELL_ESTIMATE, 1, 0},
    {"tests_pct", "tests that kill", "%", "failed tests of mutants that are not equivalent",
     COR_CELL_ESTIMATE, 1, 0},
    {"moves", "moves to failure", "moves", "of the tests that failed", COR_CELL_ESTIMATE, 1, COR_COLUMN_DATA},
    {"median", "median", "moves",
     "to the failure, over the tests of mutants that are not equivalent; a test that did not fail took "
     "longer "
     "than any that did",
     COR_CELL_ESTIMATE, 0, 0},
};
COR_SHEET_DEFINITION(scores, "scores", "Mutation scores", "a row a model and planner; intervals over mutants",
                     0, 0);

static const struct cor_column_definition kills_columns[] = {
    {"model", "model", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"mutant", "mutant", "", "its name", COR_CELL_WORD, 0, 0},
    {"difference", "beside the model", "", "equivalent (proven), different, undecided", COR_CELL_WORD, 0, 0},
    {"shortest", "shortest", "inputs", "of a test that tells it from the model, a kind system given",
     COR_CELL_COUNT, 0, 0},
    {"compared", "compared", "moves", "tried to tell it from the model", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"planner", "planner", "", "that chose the inputs, with its reading", COR_CELL_WORD, 0, 0},
    {"state", "is", "", "killed, alive, equivalent, undecided", COR_CELL_WORD, 0, 0},
    {"killed", "killed by", "tests", "that failed", COR_CELL_COUNT, 0, 0},
    {"tests", "of", "tests", "made", COR_CELL_COUNT, 0, 0},
    {"moves", "moves", "moves", "to the failure, mean of the tests that failed", COR_CELL_REAL, 1, 0}};
COR_SHEET_DEFINITION(kills, "kills", "Kill matrix", "a row a mutant and planner", 0, 60);

static const char put_kill_matrix[] =
    "select (select ifnull(iif(json_type(text, '$.efsm.name') = 'text', text ->> '$.efsm.name', null), '?')"
    "  from head where name = 'experiment'), mutant, differs, shortest, compared, chooser, state, fail, "
    "tests,"
    " 1.0 * to_failure / nullif(fail, 0) from killings order by number";

/* A ratio over mutants, each a cluster of its tests. */
static enum cor_status put_ratio(struct cor_sheet *sheet, const double *y, const double *x, size_t n,
                                 double whole, double level, struct cor_error *error) {
    struct cor_estimate estimate = cor_no_estimate();
    const struct cor_suite_sample sample = {.y = y,
                                            .x = x,
                                            .suites = (uint32_t)n,
                                            .whole = whole,
                                            .level = level,
                                            .stream = {.purpose = COR_PURPOSE_BOOTSTRAP}};
    if (n > 0)
        COR_TRY(cor_estimate_ratio(COR_INTERVAL_BCA, &sample, &estimate, error));
    cor_sheet_estimate(sheet, &estimate);
    return COR_OK;
}

/* The median of moves to the failure, of the tests of a planner against mutants that are not equivalent, each
 * a cluster. `first` names the stream. */
static enum cor_status put_median(struct cor_sheet *sheet, struct views__asking *asking, size_t first,
                                  struct cor_error *error) {
    COR_FINISHED(cor_query_answer) struct cor_query_answer tests = {0};
    struct cor_estimate median = cor_no_estimate();
    enum cor_status status = cor_query_collect(
        asking->query,
        "select failed, verdict = 'fail', dense_rank() over (order by number) - 1 from killings"
        " join tests t on t.arm = name where chooser = :chooser and differs <> 'equivalent' order by number, "
        "t.rowid",
        asking->given, &tests, error);
    COR_FREED double *time = cor_calloc(tests.rows + 1, sizeof *time);
    double longest = 0;
    COR_FREED bool *event = cor_calloc(tests.rows + 1, sizeof *event);
    COR_FREED uint32_t *cluster = cor_calloc(tests.rows + 1, sizeof *cluster);
    COR_TRY(status);
    COR_TRY(time && event && cluster ? COR_OK : cor_fail_memory(error));
    for (size_t t = 0; t < tests.rows; t++) {
        const struct cor_query_value *row = &tests.values[t * tests.columns];
        time[t] = (double)row[0].integer;
        event[t] = row[1].integer;
        cluster[t] = (uint32_t)row[2].integer;
        longest = time[t] > longest ? time[t] : longest;
    }
    for (size_t t = 0; t < tests.rows; t++) /* whoever stopped for another reason did not fail by then */
        if (!event[t])
            time[t] = longest + 1;
    const struct cor_clustered_times times = {time, event, cluster, tests.rows,
                                              tests.rows > 0 ? cluster[tests.rows - 1] + 1 : 0};
    struct cor_rng rng =
        cor_rng_named(&(struct cor_stream_name){.entity = (uint32_t)first, .purpose = COR_PURPOSE_BOOTSTRAP});
    struct cor_bootstrap_plan plan = cor_default_bootstrap(&rng);
    plan.level = asking->level;
    if (tests.rows > 0)
        COR_TRY(cor_survival_estimate_median(&plan, &times, &median, error));
    cor_sheet_estimate(sheet, &median);
    return status;
}

enum { MODEL, PLANNER, STATE, DIFFERS, FAIL, TESTS, TO_FAILURE };

/* The score of the planner of entry `first`, over all entries with it. `room`: 4 * rows numbers. */
static enum cor_status put_score(struct cor_sheet *sheet, struct views__asking *asking,
                                 const struct cor_query_answer *entries, size_t first, double *room,
                                 struct cor_error *error) {
    const struct cor_query_value *of = &entries->values[first * entries->columns];
    struct score score = {.fails = room,
                          .tests = room + entries->rows,
                          .moves = room + 2 * entries->rows,
                          .failed = room + 3 * entries->rows};
    for (size_t i = first; i < entries->rows; i++) {
        const struct cor_query_value *entry = &entries->values[i * entries->columns];
        const bool is_equivalent = strcmp(entry[DIFFERS].text, "equivalent") == 0;
        const double kills_of = (double)entry[FAIL].integer;
        if (strcmp(entry[PLANNER].text, of[PLANNER].text) != 0)
            continue;
        score.mutants++;
        score.equivalent += is_equivalent;
        score.undecided += strcmp(entry[STATE].text, "undecided") == 0;
        if (!is_equivalent) {
            score.fails[score.differing] = 100 * kills_of;
            score.tests[score.differing++] = (double)entry[TESTS].integer;
        }
        if (kills_of > 0) {
            score.moves[score.killed] = (double)entry[TO_FAILURE].integer;
            score.failed[score.killed++] = kills_of;
        }
    }
    score.alive = score.mutants - score.equivalent - score.undecided - score.killed;
    cor_sheet_row(sheet);
    cor_sheet_word(sheet, of[MODEL].text);
    cor_sheet_word(sheet, of[PLANNER].text);
    COR_SHEET_PUT(sheet, struct score, &score);
    const uint64_t whole = score.mutants - score.equivalent;
    struct cor_estimate estimate =
        whole > 0 ? cor_estimate_suites(asking->level, score.killed, whole) : cor_no_estimate();
    estimate.mean *= 100;
    estimate.low *= 100;
    estimate.high *= 100;
    cor_sheet_estimate(sheet, &estimate);
    COR_TRY(put_ratio(sheet, score.fails, score.tests, score.differing, 100, asking->level, error));
    COR_TRY(put_ratio(sheet, score.moves, score.failed, (size_t)score.killed, 0, asking->level, error));
    views__give(asking, ":chooser", of[PLANNER]);
    return put_median(sheet, asking, first, error);
}

static enum cor_status put_kills(struct views__asking *asking, struct cor_sheets *sheets,
                                 struct cor_error *error) {
    COR_FINISHED(cor_query_answer) struct cor_query_answer entries = {0};
    COR_FREED double *room = NULL;
    struct cor_sheet *of_planners = cor_sheets_more(sheets, &scores);
    COR_TRY(cor_query_collect(
        asking->query,
        "select (select ifnull(iif(json_type(text, '$.efsm.name') = 'text', text ->> '$.efsm.name', null), "
        "'?')"
        "  from head where name = 'experiment'), chooser, state, differs, fail, tests, to_failure"
        " from killings order by number",
        NULL, &entries, error));
    COR_TRY(cor_made(room = cor_calloc(4 * entries.rows + 1, sizeof *room), error));
    for (size_t i = 0; i < entries.rows; i++) {
        bool is_first = true;
        for (size_t before = 0; before < i; before++)
            is_first = is_first && strcmp(entries.values[before * entries.columns + PLANNER].text,
                                          entries.values[i * entries.columns + PLANNER].text) != 0;
        if (is_first)
            COR_TRY(put_score(of_planners, asking, &entries, i, room, error));
    }
    return views__ask(asking, put_kill_matrix, cor_sheets_more(sheets, &kills), error);
}

static enum cor_status make_tests(const struct cor_view_request *request, struct cor_sheets *sheets,
                                  struct cor_view_findings *found, struct cor_error *error) {
    COR_FINISHED(views__asking) struct views__asking asking = {0};
    size_t arm = SIZE_MAX;
    COR_TRY(views__asking_init(&source, request, &asking, error));
    if (request->arm)
        COR_TRY(cor_arm_find(asking.tables.head, "--arm", request->arm, &arm, error));
    if (request->suite != COR_ANY_SUITE)
        COR_TRY(cor_layer_suite_find(&asking.tables, COR_EFSM_TABLE_TESTS, arm, request->suite, error));
    COR_TRY(views__ask(&asking, put_arms, cor_sheets_add(sheets, &arms_sheet), error));
    if (asking.tables.count[COR_EFSM_TABLE_MUTANTS] > 0)
        COR_TRY(put_kills(&asking, sheets, error));
    COR_TRY(views__ask(&asking, put_failing, cor_sheets_add(sheets, &views__failing_sheet), error));
    struct cor_sheet *tests = cor_sheets_add(sheets, &tests_sheet);
    cor_sheet_limit(tests, request->rows > 0 ? request->rows : tests_sheet.text_rows);
    COR_TRY(views__ask(&asking, put_tests, tests, error));
    COR_TRY(views__ask(&asking, put_traps, cor_sheets_add(sheets, &traps_sheet), error));
    COR_TRY(views__ask(&asking, put_coverage, cor_sheets_add(sheets, &coverage_sheet), error));
    COR_TRY(views__ask(&asking, put_moves, cor_sheets_add(sheets, &moves_sheet), error));
    return views__ask_findings(&asking, findings, found, error);
}

static enum cor_status draw_model(const struct cor_view_request *request, FILE *file,
                                  struct cor_error *error) {
    struct cor_layer_tables model;
    size_t arm = 0;
    if (request->arm)
        COR_TRY(cor_arm_find(cor_result_head(request->result), "--arm", request->arm, &arm, error));
    COR_TRY(cor_efsm_result_init(request->result, &model, error));
    enum cor_status status = cor_efsm_graph(&model, (uint16_t)arm, file, error);
    cor_layer_tables_fini(&model);
    COR_TRY(status);
    return cor_stream_status(file, error);
}

static const struct cor_sheet_definition *const sheets_of_tests[] = {
    &arms_sheet,     &scores,      &kills, &views__failing_sheet, &tests_sheet, &traps_sheet,
    &coverage_sheet, &moves_sheet, NULL};

const struct cor_view views__view_tests = {
    .name = "tests",
    .command = "show",
    .summary = "show model-based tests (of corridor efsm test)",
    .manual =
        "Prints what model-based tests found: verdicts by planner and system, each test with what "
        "happened, what of the goal and of the model was covered and why not, and the moves of one test - "
        "that of --arm and --suite, else the first that failed, else the first. Of mutants, scores and "
        "the kill matrix.",
    .options = "level arm suite dot",
    .schema = "corridor-tests",
    .version = 1,
    .layer = &cor_efsm_schema,
    .sheets = sheets_of_tests,
    .make = make_tests,
    .graph = draw_model,
};

/* ---- tests on line as tests */

static const struct views__asked_verdicts asked = {
    .source = &source,
    .arms = "select name, case when mutant is not null and fail > 0 then 'killed' when fail > 0 then 'FAILS'"
            "  when trouble > 0 then 'trouble' when mutant is not null then 'not killed' when pass > 0 then "
            "'passes'"
            "  else 'no verdict' end, iif(mutant is null, fail + trouble = 0 and pass > 0, fail > 0),"
            " mutant is not null and fail > 0, fail, tests, tests, 0, 'tests' from arms order by number",
    .leads = "with shown as materialized (select arm, suite from tests where arm = :arm and verdict = 'fail'"
             "  order by rowid limit 1)"
             "select 'moves', null, 'show', 'tests --arm', arm, '--suite ' || suite from shown union all"
             " select 'repeat', null, 'replay', '--failure', arm || '/' || suite, null from shown union all"
             " select 'shrink', null, 'shrink', '--failure', arm || '/' || suite, '-o t.json' from shown",
    .findings = findings,
    .tests =
        "select arm, cast(suite as text), case verdict when 'pass' then 'passed' when 'fail' then 'failed'"
        "  when 'trouble' then 'error' else 'skipped' end, verdict, verdict, made('test', rowid, 0),"
        " arm || ' test ' || suite, verdict, moves from tests",
    .none = "the file has no tests"};

const struct views__layer_verdicts views__verdicts_of_efsm = {
    .layer = &cor_efsm_schema, .asked = &asked, .mutants = put_kills};

/* ---- what of a model was taken, as a graph for Graphviz */

#define TAKEN_GRAPH "#4a7c2c"
#define NEVER "#b3261e"
#define ASIDE "#8b949e"

/* The trap that is called like the transition. */
static bool is_asked_for(const struct cor_layer_tables *model, const char *transition) {
    for (uint32_t t = 0; t < model->head->catalog_size[COR_EFSM_CATALOG_TRAP]; t++)
        if (strcmp(cor_efsm_name(model, COR_EFSM_CATALOG_TRAP, (uint16_t)t), transition) == 0)
            return true;
    return false;
}

static const char *word_under(const struct cor_json *json, const char *key) {
    struct cor_json child;
    const char *word = "";
    if (!cor_json_find(json, key, &child) || !cor_json_is_string(&child) ||
        cor_json_string(&child, &word, NULL) != COR_OK)
        return "";
    return word;
}

enum cor_status cor_efsm_graph(const struct cor_layer_tables *model, uint16_t arm, FILE *file,
                               struct cor_error *error) {
    struct cor_json_document *document;
    struct cor_json efsm, transitions;
    COR_TRY(cor_json_parse(model->head->experiment, "experiment", &document, error));
    const struct cor_json root = cor_json_root(document);
    fputs("digraph model {\n  rankdir=TB;\n  node [shape=box, style=\"filled,rounded\", fillcolor=white, "
          "fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", fontsize=10];\n",
          file);
    for (uint32_t l = 0; l < model->head->catalog_size[COR_EFSM_CATALOG_LOCATION]; l++) {
        bool seen = false;
        for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_MOVES] && !seen; i++) {
            const struct cor_efsm_move_row *row = cor_layer_row(model, COR_EFSM_TABLE_MOVES, i);
            seen = row->arm == arm && row->location == l;
        }
        fputs("  ", file);
        views__put_dot_name(cor_efsm_name(model, COR_EFSM_CATALOG_LOCATION, (uint16_t)l), file);
        fprintf(file, "%s;\n", seen ? " [fillcolor=\"" VIEWS__DOT_PASSED "\"]" : "");
    }
    if (cor_json_find(&root, "efsm", &efsm) && cor_json_find(&efsm, "transitions", &transitions))
        for (size_t t = 0; t < cor_json_size(&transitions) &&
                           t + 1 < model->head->catalog_size[COR_EFSM_CATALOG_TRANSITION];
             t++) {
            const struct cor_json json = cor_json_at(&transitions, t);
            const size_t number = t + 1;
            const char *name = cor_efsm_name(model, COR_EFSM_CATALOG_TRANSITION, (uint16_t)number);
            /* Of an arm and a transition, over all tests. */
            uint64_t times = 0;
            for (uint64_t i = 0; i < model->count[COR_EFSM_TABLE_TAKEN]; i++) {
                const struct cor_efsm_taken_row *row = cor_layer_row(model, COR_EFSM_TABLE_TAKEN, i);
                if (row->arm == arm && row->transition == number)
                    times += row->count;
            }
            fputs("  ", file);
            views__put_dot_name(word_under(&json, "src"), file);
            fputs(" -> ", file);
            views__put_dot_name(word_under(&json, "dst"), file);
            fputs(" [label=\"", file);
            views__put_dot_text(name, file);
            if (times > 0)
                fprintf(file, " (%" PRIu64 ")\", color=\"" TAKEN_GRAPH "\"];\n", times);
            else
                fputs(is_asked_for(model, name) ? "\", color=\"" NEVER "\", style=bold];\n"
                                                : "\", color=\"" ASIDE "\", style=dashed];\n",
                      file);
        }
    fputs("}\n", file);
    cor_json_destroy(document);
    return COR_OK;
}
