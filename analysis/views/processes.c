/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is found of distributed programs. */
#include "layer_verdicts.h"
#include "views.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/descriptive.h>
#include <corridor/process_result.h>

#include <stdlib.h>
#include <string.h>

/* "fault": whether arm `a` of the catalog has one; "low", "high": ends in % of the interval of Clopper and
 * Pearson, of `a` schedules that failed of `b`. */
static enum cor_status make(const void *data, const char *what, uint64_t a, uint64_t b,
                            struct cor_query_value *value, struct cor_error *error) {
    const struct views__asking *asking = data;
    if (strcmp(what, "fault") == 0) {
        bool has;
        COR_TRY(cor_arm_has_fault(cor_arm_entry(asking->tables.head, (size_t)a), &has, error));
        *value = (struct cor_query_value){COR_QUERY_INTEGER, .integer = has};
        return COR_OK;
    }
    const struct cor_bounds bounds = cor_proportion_clopper_pearson(a, b, asking->level);
    *value = (struct cor_query_value){COR_QUERY_REAL,
                                      .real = 100 * (strcmp(what, "low") == 0 ? bounds.low : bounds.high)};
    return COR_OK;
}

/* What questions share. Arms: is_search: suites end with their first failure, so that schedules are no
 * sample; a generator may learn from one schedule for the next: they are not independent; tried: schedules to
 * the first that failed, suite after suite; untested: constraints that no schedule could have violated: of
 * these nothing was found out. What came of an arm is never that a program is correct. Failed: by what a
 * schedule did: a constraint, or how a process ended by itself. Traps: schedules that met one, and to the
 * first that did, suite after suite. */
static const char *const statements[] = {
    "create temp table judged as select arm, \"constraint\", min(rowid) as place, sum(tested) as tested,"
    "  sum(violated) as violated, sum(undecided) as undecided from constraints group by arm, \"constraint\"",
    "create temp table sums as"
    " with run as materialized (select ifnull(text ->> '$.until', '') = 'failure' as is_search"
    "  from head where name = 'experiment'),"
    " in_suites as materialized (select arm, count(*) as suites, sum(sequences) as sequences,"
    "  sum(failed) as failed, sum(undecided) as undecided, sum(cases) as cases, sum(events) as events,"
    "  sum(messages) as messages, sum(ticks) as ticks, sum(seen) as seen from suites group by arm),"
    " in_sequences as materialized (select arm, sum(cut) as cut,"
    "  max(iif((select max(name = 'search') from catalog_generator), generator = 'search', 0)) as is_learnt,"
    "  min(rowid) as first, min(rowid) filter (where verdict = 'failed') as first_failed"
    "  from sequences group by arm),"
    " in_judged as materialized (select arm, count(*) as constraints, sum(tested = 0) as untested,"
    "  min(place) filter (where tested = 0) as first_untested from judged group by arm)"
    " select a.rowid as number, a.name, made('fault', a.rowid, 0) as has_fault,"
    "  is_search, ifnull(suites, 0) as suites, ifnull(cases, 0) as cases, ifnull(events, 0) as events,"
    "  ifnull(messages, 0) as messages, ifnull(ticks, 0) as ticks, seen, ifnull(sequences, 0) as sequences,"
    "  ifnull(failed, 0) as failed, ifnull(undecided, 0) as undecided, ifnull(cut, 0) as cut, first,"
    "  first_failed - first + 1 as tried, constraints, ifnull(untested, 0) as untested, first_untested,"
    "  is_search or is_learnt as is_no_sample from catalog_arm a join run"
    "  left join in_suites s on s.arm = a.name left join in_sequences q on q.arm = a.name"
    "  left join in_judged j on j.arm = a.name",
    "create temp table arms as select *, case when failed > 0 then iif(has_fault, 'found', 'FAILS')"
    "  when undecided > 0 or untested > 0 or sequences = 0 then 'no verdict'"
    "  when has_fault then 'not found' else 'no violation' end as verdict,"
    "  case when sequences = 0 then 'no verdict: nothing was run'"
    "  when failed > 0 then format('%d of %d schedules failed, the first after %d', failed, sequences, tried)"
    "  when undecided > 0 then format('%d of %d schedules have no verdict (%d cut short by the limit of "
    "events);'"
    "   || ' none failed', undecided, sequences, cut)"
    "  when untested > 0 then format('%d of %d constraints were put to no test in %d schedules: nothing'"
    "   || ' happened that could have violated %.60s', untested, constraints, sequences,"
    "   (select \"constraint\" from judged where place = first_untested))"
    "  else format('no violation in %d schedules of this profile', sequences) end as says from sums",
    /* Faults that the file names, or a state of the environment makes. */
    "create temp view asked_faults as with text as (select text from head where name = 'experiment'),"
    " rates(member, kind) as (values ('lose', 'lose'), ('duplicate', 'duplicate'), ('crash', 'crash'),"
    "  ('pause', 'pause'), ('cut', 'cut'), ('part', 'part'), ('jump', 'jump'), ('drift', 'drift'),"
    "  ('join', 'join'), ('leave', 'leave'), ('torn', 'crash-torn'), ('lost_cell', 'crash-lost'),"
    "  ('disk_error', 'disk-error')),"
    " of_arm as (select name, ifnull(a.value -> '$.faults', text -> '$.faults') as faults,"
    "  ifnull(a.value -> '$.environment', text -> '$.environment') as environment"
    "  from arms join text left join json_each(text, '$.arms') a on a.key = arms.name)"
    " select name as arm, f.value as kind from of_arm, json_each(faults) f"
    " union select name, kind from of_arm, json_each(environment, '$.states') s, json_each(s.value) m"
    "  join rates on m.key = member where m.value > 0",
    "create temp view never as select number, name as arm, format('%s: allowed, none in %d schedules',"
    "  group_concat(kind, ', '), sequences) as says from arms join asked_faults on arm = name"
    "  where failed = 0 and sequences > 0 and not exists (select 1 from happened h where h.arm = name"
    "   and h.count > 0 and (h.event = kind or (kind = 'crash' and h.event like 'crash-%')))"
    "  group by number, name, sequences",
    "create temp view failed as select rowid as number, arm, suite, sequence, arm || '/' || suite || '/' || "
    "sequence"
    "  as key, violated = (select name from catalog_constraint where code = 0) as is_end,"
    "  iif(violated = (select name from catalog_constraint where code = 0), \"end\", violated) as what,"
    "  violated_case, violated_event, messages, ticks, generator, kept, why"
    "  from sequences where verdict = 'failed'",
    "create temp table traps_of as"
    " with came as materialized (select arm, trap, count(*) as met, sum(event) as event, min(rowid) as row "
    "from met"
    "  group by arm, trap),"
    " firsts as materialized (select c.*, m.sequence + (select min(s.rowid) from sequences s where s.arm = "
    "m.arm"
    "  and s.suite = m.suite) as first from came c join met m on m.rowid = c.row)"
    " select number, arms.name as arm, trap, place, ifnull(met, 0) as met, sequences,"
    "  f.first - arms.first + 1 as first, 1.0 * event / met as event"
    "  from (select arm, trap, min(rowid) as place from traps group by arm, trap) of_arm"
    "  join arms on arms.name = of_arm.arm left join firsts f using (arm, trap)",
    NULL};

static const struct views__source source = {cor_process_result_init, make, statements};

/* The schedule that is looked at: of :arm and :suite the first that failed, one that is kept if there is one.
 */
#define SHOWN                                                                                              \
    "with first as materialized (select min(rowid + iif(kept = 0, 1 << 40, 0)) & ((1 << 40) - 1) as first" \
    "  from sequences where verdict = 'failed' and (:arm is null or arm = :arm)"                           \
    "  and (:suite is null or suite = :suite)),"                                                           \
    " shown as materialized (select failed.* from first join failed on number = first)"

#define SAY_TRAPS                                                                                  \
    "sum(met > 0) || ' of ' || count(*) || ' traps met' || ifnull('; not reached: ' ||"            \
    " (select group_concat(name, ', ') from (select substr(o.trap, 1, 60) as name from traps_of o" \
    "  where o.arm = t.arm and o.met = 0 order by o.place)), '')"

static const char findings[] =
    "select sum(verdict = 'not found') as undetected, sum(not has_fault and failed > 0) as unexpected,"
    " sum(verdict in ('FAILS', 'not found')) as failed, sum(verdict = 'no verdict') as undecided from arms";

/* ---- what schedules of distributed programs found: verdicts by arm, what was violated, how much was seen,
 * and one failing schedule */

static const struct cor_column_definition arms_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, 0, .asked = "name"},
    {"verdict", "verdict", "", "what came of it: never that a program is correct", COR_CELL_WORD, 0, 0,
     .asked = "verdict, case when verdict in ('no violation', 'found') then 'good'"
              "  when verdict = 'no verdict' then 'strong' else 'bad' end as tone"},
    {"sequences", "schedules", "1", "executed", COR_CELL_COUNT, 0, 0},
    {"failed", "failed", "1", "schedules with a violation, or in which a process ended by itself",
     COR_CELL_COUNT, 0, 0},
    {"share_pct", "share", "%", "of schedules that failed", COR_CELL_REAL, 2, 0,
     .asked = "iif(is_search, null, 100.0 * failed / sequences)"},
    {"low_pct", "from", "%", "least share by the interval of Clopper and Pearson", COR_CELL_REAL, 2, 0,
     .asked = "iif(is_no_sample or sequences = 0, null, made('low', failed, sequences))"},
    {"high_pct", "to", "%", "greatest share by it", COR_CELL_REAL, 2, 0,
     .asked = "iif(is_no_sample or sequences = 0, null, made('high', failed, sequences))"},
    {"undecided", "no verdict", "1", "schedules cut short, or with a constraint that was not decided",
     COR_CELL_COUNT, 0, 0},
    {"cut", "cut short", "1", "schedules that had as many events as they may before their last case",
     COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"first", "first after", "1", "schedules to the first that failed, suite after suite", COR_CELL_COUNT, 0,
     0, .asked = "tried"},
    {"cases", "cases", "cases", "whole ones", COR_CELL_COUNT, 0, 0},
    {"messages", "messages", "1", "delivered", COR_CELL_COUNT, 0, 0},
    {"events", "events", "1", "that happened", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"ticks", "ticks", "ticks", "of virtual time", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"states", "states", "1", "that processes showed together, of a suite, mean", COR_CELL_REAL, 0, 0,
     .asked = "1.0 * seen / suites"},
};
COR_SHEET_DEFINITION(arms_sheet, "arms", "Schedules by arm", "a row an arm", 0, 60);

static const struct cor_column_definition classes_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP, .asked = "c.arm"},
    {"class", "violated", "", "constraint; or how a process ended by itself", COR_CELL_WORD, 0, 0,
     .asked = "c.what"},
    {"sequences", "schedules", "1", "that failed by it first", COR_CELL_COUNT, 0, 0},
    {"first", "first", "", "key of the first of them", COR_CELL_WORD, 0, COR_COLUMN_DATA, .asked = "f.key"},
    {"fewest", "with fewest", "", "key of that with fewest messages: ARM/SUITE/SEQUENCE", COR_CELL_WORD, 0, 0,
     .asked = "g.key"},
    {"messages", "messages", "1", "of that", COR_CELL_COUNT, 0, 0, .asked = "g.messages"},
    {"why", "why", "", "of that, with the values", COR_CELL_TEXT, 0, 0, .asked = "g.why"},
};
COR_SHEET_DEFINITION(classes_sheet, "classes", "What was violated", "a row a constraint, or end of a process",
                     COR_SHEET_LISTED, 40);

static const struct cor_column_definition constraints_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"constraint", "constraint", "", "that is judged", COR_CELL_WORD, 0, COR_COLUMN_KEY},
    {"tested", "put to the test", "1",
     "schedules that could have violated it: something that it reads changed", COR_CELL_COUNT, 0, 0},
    {"violated", "violated", "1", "schedules that violated it first", COR_CELL_COUNT, 0, 0},
    {"undecided", "no verdict", "1", "schedules in which it had none", COR_CELL_COUNT, 0, 0,
     .asked = "judged.undecided, iif(tested = 0, 'strong', null) as tone"},
};
COR_SHEET_DEFINITION(constraints_sheet, "constraints", "What was judged", "a row a constraint", 0, 40);

static const struct cor_column_definition traps_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"trap", "trap", "", "that was looked for", COR_CELL_WORD, 0, 0},
    {"verdict", "verdict", "", "met, or not reached", COR_CELL_WORD, 0, 0,
     .asked = "iif(met > 0, 'met', 'not reached'), iif(met > 0, 'good', 'strong') as tone"},
    {"met", "met", "1", "schedules that met it", COR_CELL_COUNT, 0, 0},
    {"share_pct", "share", "%", "of schedules that met it", COR_CELL_REAL, 2, 0,
     .asked = "100.0 * met / sequences"},
    {"first", "first after", "1", "schedules to the first that met it, suite after suite", COR_CELL_COUNT, 0,
     0},
    {"event", "at event", "1", "after which it was met first in a schedule, mean", COR_CELL_REAL, 1, 0},
};
COR_SHEET_DEFINITION(traps_sheet, "traps", "Traps", "a row a trap of an arm", 0, 40);

static const struct cor_column_definition failures_sheet_columns[] = {
    {"key", "key", "", "ARM/SUITE/SEQUENCE", COR_CELL_WORD, 0, 0},
    {"class", "violated", "", "constraint; or how a process ended by itself", COR_CELL_WORD, 0, 0,
     .asked = "what"},
    {"case", "case", "1", "of the violation", COR_CELL_COUNT, 0, 0, .asked = "nullif(violated_case, 0)"},
    {"event", "event", "1", "of the violation", COR_CELL_COUNT, 0, 0, .asked = "nullif(violated_event, 0)"},
    {"messages", "messages", "1", "delivered", COR_CELL_COUNT, 0, 0},
    {"ticks", "ticks", "ticks", "of virtual time", COR_CELL_COUNT, 0, COR_COLUMN_DATA},
    {"generator", "generator", "", "that made the schedule", COR_CELL_WORD, 0, 0},
    {"kept", "kept", "events", "of the schedule in the file; nothing: its seed makes it again",
     COR_CELL_COUNT, 0, 0, .asked = "nullif(kept, 0)"},
    {"why", "why", "", "it failed, with the values", COR_CELL_TEXT, 0, COR_COLUMN_DATA},
};
COR_SHEET_DEFINITION(failures_sheet, "failures", "Failing schedules", "a row a schedule that failed",
                     COR_SHEET_MORE | COR_SHEET_LISTED, 10);

static const struct cor_column_definition growth_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"sequences", "schedules", "1", "of a suite, up to there", COR_CELL_COUNT, 0, COR_COLUMN_KEY},
    {"states", "states", "1", "different ones that processes showed together up to there, mean over suites",
     COR_CELL_REAL, 1, 0, .asked = "mean"},
    {"fresh", "new", "1", "thereof new with each schedule since the row before", COR_CELL_REAL, 2, 0,
     .asked = "(mean - before) / nullif(max(sequences - behind, 0), 0)"},
};
COR_SHEET_DEFINITION(growth_sheet, "growth", "States that were seen", "a row 1, 2, 4 .. schedules",
                     COR_SHEET_MORE, 30);

static const struct cor_column_definition happened_sheet_columns[] = {
    {"arm", "arm", "", "its name", COR_CELL_WORD, 0, COR_COLUMN_GROUP},
    {"event", "event", "", "its kind", COR_CELL_WORD, 0, COR_COLUMN_KEY},
    {"count", "times", "1", "that it happened", COR_CELL_COUNT, 0, 0},
    {"per_sequence", "a schedule", "1", "times in a schedule, mean", COR_CELL_REAL, 2, 0,
     .asked = "1.0 * count / sequences"},
};
COR_SHEET_DEFINITION(happened_sheet, "happened", "What happened", "a row a kind of event", COR_SHEET_MORE,
                     40);

/* Who is in a group of a partition: bits of ordinal from there on. */
#define GROUP(first)                                                                             \
    "(select group_concat(value, ' ') from json_each('[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]')" \
    " where ordinal >> (value + " first ") & 1)"
static const struct cor_column_definition schedule_sheet_columns[] = {
    {"key", "key", "", "of the schedule: ARM/SUITE/SEQUENCE", COR_CELL_WORD, 0, COR_COLUMN_DATA,
     .asked = ":key"},
    {"number", "event", "1", "in the schedule, from 1", COR_CELL_COUNT, 0, COR_COLUMN_KEY},
    {"tick", "tick", "ticks", "virtual time of it", COR_CELL_COUNT, 0, 0},
    {"kind", "kind", "", "what happens", COR_CELL_WORD, 0, 0, .asked = "event"},
    {"process", "process", "1", "to which it happens", COR_CELL_COUNT, 0, 0,
     .asked = "iif(event in ('part', 'unite'), null, process)"},
    {"peer", "from", "1", "of a message or a link: the other process", COR_CELL_COUNT, 0, 0,
     .asked = "iif(event in ('deliver', 'lose', 'duplicate', 'cut', 'heal'), peer, null)"},
    {"what", "what", "", "kind of message, by name or number; number of an alarm, input or cell",
     COR_CELL_WORD, 0, 0,
     .asked = "case when event in ('deliver', 'lose', 'duplicate')"
              " then cast(ifnull((select name from catalog_message where code = what), what) as text)"
              " when event in ('time-out', 'input', 'crash-lost') then cast(what as text)"
              " when event = 'part' then iif(what = 1, 'ring ' || ordinal, " GROUP(
                  "16") " || ' | ' || " GROUP("0") ") end"},
    {"ordinal", "ordinal", "1", "which of those that are alike, from 0", COR_CELL_COUNT, 0, COR_COLUMN_DATA,
     .asked = "iif(event = 'part', null, ordinal)"},
};
COR_SHEET_DEFINITION(schedule_sheet, "schedule", "A schedule that failed",
                     "a row an event of the schedule that is shown", COR_SHEET_DATA, 0);
static const struct cor_sheet_definition ending_sheet =
    COR_SHEET_OVER(schedule_sheet_columns, "ending", "Last events of a schedule that failed",
                   "a row an event, up to the one that violates", COR_SHEET_MORE, 0);

static const struct cor_column_definition islands_columns[] = {
    {"arm", "search", "", "generator, and arm of the experiment", COR_CELL_WORD, 0, COR_COLUMN_GROUP,
     .asked = "i.arm"},
    {"island", "island", "1", "number, from 0: its suite", COR_CELL_COUNT, 0, 0, .asked = "i.suite"},
    {"schedules", "schedules", "1", "executed", COR_CELL_COUNT, 0, 0},
    {"cases", "cases", "cases", "begun", COR_CELL_COUNT, 0, 0, .asked = "i.cases"},
    {"first", "found after", "1", "schedules, that which failed included; nothing: not found", COR_CELL_COUNT,
     0, 0, .asked = "failure - start + 1"},
    {"class", "violated", "", "constraint; or how a process ended by itself", COR_CELL_WORD, 0, 0,
     .asked = "what"},
    {"key", "key", "", "of the schedule that failed: ARM/SUITE/SEQUENCE", COR_CELL_WORD, 0, 0},
};
COR_SHEET_DEFINITION(islands, "islands", "Searches", "an island of a search", 0, 24);

static const char put_arms[] =
    "select {columns}, iif(verdict in ('no violation', 'no verdict'), name || ': ' || says || '.', null) as "
    "remark"
    " from arms where :arm is null or name = :arm order by number;"
    " select substr(arm, 1, 60) || ': ' || says || '.' as remark from never where :arm is null or arm = :arm"
    " order by number";

static const char put_classes[] =
    "with classes as materialized (select arm, what, count(*) as sequences, min(number) as first,"
    "  min((messages << 31) + number) & 2147483647 as fewest from failed where :arm is null or arm = :arm"
    "  group by arm, is_end, what)"
    "select {columns} from classes c join failed f on f.number = first join failed g on g.number = fewest "
    "order by first";

static const char put_failures[] = "select {columns} from failed where :arm is null or arm = :arm";

static const char put_constraints[] = "select {columns} from judged join arms on name = arm where :arm is "
                                      "null or arm = :arm order by number, place";

static const char put_traps[] =
    "select {columns} from traps_of where :arm is null or arm = :arm order by number, place; select arm || "
    "': ' || substr(" SAY_TRAPS ", 1, 399) || '.' as remark"
    " from traps_of t where :arm is null or arm = :arm group by arm order by number";

/* Not of searches, whose suites are of different lengths. */
static const char put_growth[] =
    "with steps as (select arm, sequences, min(rowid) as place, 1.0 * sum(states) / count(*) as mean"
    "  from seen group by arm, sequences)"
    "select {columns} from (select number, place, arm, steps.sequences, mean, lag(mean, 1, 0) over of_arm as "
    "before,"
    "  lag(steps.sequences, 1, 0) over of_arm as behind from steps join arms on name = arm"
    "  where not is_search and (:arm is null or arm = :arm)"
    "  window of_arm as (partition by arm order by place)) order by number, place";

static const char put_happened[] = "select {columns} from (select arm, event, sum(count) as count"
                                   "  from happened where :arm is null or arm = :arm group by arm, event)"
                                   " join arms on arms.name = arm join catalog_event e on e.name = event"
                                   " where count > 0 order by number, e.rowid";

#define EVENTS "select {columns} from events where arm = :arm and suite = :suite and sequence = :sequence"
static const char put_schedule[] = EVENTS " order by rowid";
static const char put_ending[] = EVENTS
    " and number > :kept - 30 order by rowid; select iif(:kept > 30, '30 of ' || :kept ||"
    " ' events are shown; --sheet schedule has all as CSV.', null) as remark; select :key || ': ' || :why"
    " as remark";

/* Suites up to their first failure: cases begun, and schedules, that which failed included; 0: none did. */
#define ISLANDS                                                                                             \
    "with tried as (select rowid as number, arm, suite, verdict = 'failed' as has_failed,"                  \
    "  cases + (verdict = 'failed' or cases = 0) as cases from sequences),"                                 \
    " islands as materialized (select arm, suite, count(*) as schedules, sum(cases) as cases, min(number) " \
    "as start,"                                                                                             \
    "  min(number) filter (where has_failed) as failure from tried group by arm, suite)"
static const char put_islands[] = ISLANDS
    "select {columns} from suites join islands i using (arm, suite) left join failed on number = failure";
static const char ask_islands[] = ISLANDS
    "select a.name, iif(instr(a.name, '/') > 0, substr(a.name, instr(a.name, '/') + 1), a.name) as target,"
    " a.rowid, (select min(b.rowid) from catalog_arm b where iif(instr(b.name, '/') > 0,"
    "  substr(b.name, instr(b.name, '/') + 1), b.name) = iif(instr(a.name, '/') > 0,"
    "  substr(a.name, instr(a.name, '/') + 1), a.name)),"
    " ifnull((select sum(cases) from tried t where t.arm = i.arm and t.suite = i.suite"
    "  and t.number <= failure), 0), iif(failure is null, i.cases, max(i.cases) over ()), failure is not null"
    " from islands i join catalog_arm a on a.name = i.arm order by a.rowid, start";

static enum cor_status put_process_searches(const struct views__asking *asking, struct cor_sheets *sheets,
                                            struct cor_error *error) {
    COR_FINISHED(cor_query_answer) struct cor_query_answer answer = {0};
    enum cor_status status =
        cor_query_collect(asking->query, "select 1 from arms where is_search limit 1", NULL, &answer, error);
    const bool is_it = answer.rows > 0;
    cor_query_answer_fini(&answer);
    if (status != COR_OK || !is_it)
        return status;
    COR_TRY(views__ask(asking, put_islands, cor_sheets_add(sheets, &islands), error));
    COR_FREED struct views__repetition *repetitions = NULL;
    COR_TRY(cor_query_collect(asking->query, ask_islands, NULL, &answer, error));
    COR_TRY(cor_made(repetitions = cor_calloc(answer.rows + 1, sizeof *repetitions), error));
    for (size_t i = 0; i < answer.rows; i++) {
        const struct cor_query_value *row = &answer.values[i * answer.columns];
        repetitions[i] = (struct views__repetition){.name = row[0].text,
                                                    .target = row[1].text,
                                                    .target_code = (uint16_t)row[3].integer,
                                                    .arm = (uint16_t)row[2].integer,
                                                    .first = (uint64_t)row[4].integer,
                                                    .cases = (uint64_t)row[5].integer,
                                                    .classes = (uint64_t)row[6].integer};
    }
    return views__compare_repetitions(repetitions, answer.rows, asking->level, sheets, error);
}

static enum cor_status make_processes(const struct cor_view_request *request, struct cor_sheets *sheets,
                                      struct cor_view_findings *found, struct cor_error *error) {
    static const char *const names[] = {":arm", ":suite", ":sequence", ":key", ":kept", ":why"};
    static const struct {
        const struct cor_sheet_definition *sheet;
        const char *text;
    } lists[] = {{&arms_sheet, put_arms},         {&classes_sheet, put_classes},
                 {&failures_sheet, put_failures}, {&constraints_sheet, put_constraints},
                 {&traps_sheet, put_traps},       {&growth_sheet, put_growth},
                 {&happened_sheet, put_happened}, {&ending_sheet, put_ending},
                 {&schedule_sheet, put_schedule}};
    enum { FAILURES = 2, ALL = 7 }; /* lists of all schedules, in front of those of one */
    COR_FINISHED(views__asking) struct views__asking asking = {0};
    COR_FINISHED(cor_query_answer) struct cor_query_answer shown = {0};
    COR_TRY(views__asking_init(&source, request, &asking, error));
    COR_TRY(views__ask_findings(&asking, findings, found, error));
    COR_TRY(put_process_searches(&asking, sheets, error));
    COR_TRY(cor_query_collect(asking.query,
                              SHOWN "select arm, suite, sequence, key, kept, why from shown"
                                    " where kept > 0",
                              asking.given, &shown, error));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct cor_sheet *sheet = cor_sheets_add(sheets, lists[i].sheet);
        if (i == FAILURES && request->rows > 0)
            cor_sheet_limit(sheet, request->rows);
        for (uint32_t c = 0; i == ALL && c < shown.columns * shown.rows; c++)
            views__give(&asking, names[c], shown.values[c]);
        if (i < ALL || shown.rows > 0)
            COR_TRY(views__ask(&asking, lists[i].text, sheet, error));
    }
    return COR_OK;
}

static const struct cor_sheet_definition *const sheets_of_processes[] = {
    &arms_sheet,           &classes_sheet,
    &failures_sheet,       &constraints_sheet,
    &traps_sheet,          &growth_sheet,
    &happened_sheet,       &ending_sheet,
    &schedule_sheet,       &islands,
    &views__search_shares, &views__search_curves,
    &views__search_pairs,  NULL};

const struct cor_view views__view_processes = {
    .name = "processes",
    .command = "show",
    .summary = "show schedules of distributed programs",
    .manual =
        "Prints what schedules of distributed programs found: verdicts by arm, with the share of schedules "
        "that "
        "fail; what was violated, with the values; which traps were met, and which were not reached; how "
        "many states were new schedule after schedule; what "
        "happened; and the last events of one failing schedule - that of --arm and --suite, else the first. "
        "--sheet schedule has each event of it. An arm in which nothing failed is never called correct: "
        "there "
        "was no violation in so many schedules of its profile.",
    .options = "level arm suite",
    .schema = "corridor-processes",
    .version = 1,
    .layer = &cor_process_schema,
    .sheets = sheets_of_processes,
    .make = make_processes,
};

/* ---- arms of distributed programs as tests: one with a fault passes if a schedule failed, one without if
 * all passed */

static const struct views__asked_verdicts asked = {
    .source = &source,
    .arms = "select name, verdict, verdict in ('no violation', 'found'), verdict = 'found', failed,"
            " iif(is_search, suites, sequences), suites, cases, iif(is_search, 'searches', 'schedules')"
            " from arms order by number",
    .leads = SHOWN
    " select * from (select iif(verdict = 'no violation', 'sound', 'why'), substr(name, 1, 60) || ': ' "
    "|| says,"
    "  null, null, null, null from arms where verdict in ('no violation', 'no verdict') order by number)"
    " union all select * from (select 'never', substr(arm, 1, 60) || ': ' || says, null, null, null, null"
    "  from never order by number)"
    " union all select * from (select 'traps', substr(arm, 1, 60) || ': ' || " SAY_TRAPS
    "  , null, null, null, null from traps_of t group by arm order by number)"
    " union all select 'example', substr(what, 1, 60) || ': ' || why, null, null, null, null from shown"
    " union all select 'schedule', null, 'show', 'processes --arm', arm, '--suite ' || suite from shown"
    " union all select 'repeat', null, 'replay', '--failure', key, null from shown"
    " union all select 'shrink', null, 'shrink', '--failure', key, '-o t.json' from shown"
    " union all select 'story', null, 'replay --trace', 't.json', null, null from shown",
    .findings = findings,
    .tests =
        "select 'processes', arms.name, case when arms.verdict in ('no violation', 'found') then 'passed'"
        "  when arms.verdict = 'no verdict' then 'skipped' else 'failed' end, null, arms.verdict,"
        " says || ifnull(': ' || f.what || ': ' || f.why, ''), arms.name, arms.verdict, arms.sequences as "
        "schedules,"
        " arms.failed as failed from arms left join failed f on f.number = (select o.number from failed o"
        "  where o.arm = arms.name order by o.kept = 0, o.number limit 1) order by arms.number",
    .none = "the file has no arms"};

const struct views__layer_verdicts views__verdicts_of_process = {.layer = &cor_process_schema,
                                                                 .asked = &asked};
