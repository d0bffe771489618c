/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every code that is stored or compared, once: name, number, word and meaning. The word is what files, tables
 * and JSON show; the number is what the result file stores (with CF flag_values / flag_meanings). Numbers
 * never change; 0 always means "not said", so that a forgotten assignment cannot pass for a verdict. */
#ifndef CORRIDOR_TERMS_H
#define CORRIDOR_TERMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows: X(P, NAME, number, word, meaning), in ascending order of number; P is the prefix of the family's
 * names. */

#define COR_VERDICTS(X, P)                                                                                \
    X(P, PASSED, 1, "passed", "all checks hold")                                                          \
    X(P, FAILED, 2, "failed", "at least one check is violated")                                           \
    X(P, NOT_JUDGED, 3, "not_judged", "nothing to judge: no reorganization, or the sequence had stopped") \
    X(P, SMOKE, 4, "smoke", "the algorithm ended without a result: see the smoke code")                   \
    X(P, UNDECIDED, 5, "undecided", "no check is violated, but a constraint is unknown: this is no pass")

/* The box an observation was made through (003, 3 and 4.3). */
#define COR_BOXES(X, P)                                                                      \
    X(P, GRAY, 1, "gray", "R-Solution: the solution the algorithm proposes")                 \
    X(P, BLACK, 2, "black", "R-Distribution: the system structure after adoption")           \
    X(P, DETECT, 3, "detect", "R-Detect: the monitor's alarm against the oracle's own look") \
    X(P, INTERIM, 4, "interim", "an interim solution of an anytime algorithm")               \
    X(P, MOVE, 5, "move", "the structure between two moves of an adoption")                  \
    X(P, TIME, 6, "time", "the cases of a sequence, one after another")

/* What a violation violates. These rows go on: rule of 003, and the violation as a sentence. In it {agent},
 * {partition}, {expected} and {found} are those of the violation; {found member} is "1 member" or "2
 * members", {found is} agrees too. */
#define COR_CHECKS(X, P)                                                                                 \
    X(P, MISSING, 1, "agent_missing", "every agent occurs: this one does not", "C1",                     \
      "Agent {agent} is in no partition, expected in exactly one.")                                      \
    X(P, DOUBLE, 2, "agent_repeated", "every agent occurs once: this one occurs more often", "C1",       \
      "Agent {agent} occurs {found} times (last in partition {partition}), expected once.")              \
    X(P, UNKNOWN, 3, "agent_unknown", "only agents of the system occur", "C2",                           \
      "Partition {partition} lists agent {agent}, but the system has only {expected agent}.")            \
    X(P, EMPTY, 4, "partition_empty", "no partition is empty", "C3",                                     \
      "Partition {partition} has no members.")                                                           \
    X(P, SIZE_LOW, 5, "size_below_minimum", "a partition has at least size_min members", "C4",           \
      "Partition {partition} has {found member}, expected at least {expected}.")                         \
    X(P, SIZE_HIGH, 6, "size_above_maximum", "a partition has at most size_max members", "C4",           \
      "Partition {partition} has {found member}, expected at most {expected}.")                          \
    X(P, COUNT_LOW, 7, "count_below_minimum", "there are at least count_min partitions", "C5",           \
      "There {found is} {found partition}, expected at least {expected}.")                               \
    X(P, COUNT_HIGH, 8, "count_above_maximum", "there are at most count_max partitions", "C5",           \
      "There {found is} {found partition}, expected at most {expected}.")                                \
    X(P, NOT_ADOPTED, 9, "structure_differs", "the structure is the accepted solution", "C7",            \
      "Agent {agent} is in partition {found} of the structure, but the solution puts it in {expected}.") \
    X(P, ALARM_MISSED, 10, "alarm_missed", "the monitor raises an alarm when the invariant is violated", \
      "R-Detect", "No alarm, but the dissimilarity {found} exceeds the threshold {expected}.")           \
    X(P, ALARM_FALSE, 11, "alarm_false", "the monitor raises no alarm while the invariant holds",        \
      "R-Detect", "Alarm, but the dissimilarity {found} is within the threshold {expected}.")            \
    X(P, PARENT_UNKNOWN, 12, "parent_unknown", "the parent of an organization exists", "kind",           \
      "The parent of organization {partition} is {found}, but there are only {expected}.")               \
    X(P, PARENT_CYCLE, 13, "parent_cycle", "no organization stands above itself", "kind",                \
      "Organization {partition} stands above itself: a cycle of {found organization}.")                  \
    X(P, SEVERAL_ROOTS, 14, "several_roots", "one organization of a tree has no parent", "kind",         \
      "{found} organizations have no parent, expected one.")                                             \
    X(P, CONSTRAINT, 15, "constraint_violated", "the corridor's constraint holds", "corridor",           \
      "Constraint {expected} of the corridor is violated.")                                              \
    X(P, FORMULA, 16, "formula_violated", "what the corridor says of time holds", "corridor",            \
      "Constraint {expected} of the corridor, about time, is violated.")                                 \
    X(P, MONITOR_SMOKE, 17, "monitor_smoke", "the monitor under test answers", "R-Detect",               \
      "The monitor under test did not answer, or not as it should: the table of smokes says how.")       \
    X(P, MECHANISM_SMOKE, 18, "mechanism_smoke", "a mechanism beside the algorithm does its work",       \
      "mechanism",                                                                                       \
      "Mechanism {found} of the arm failed, not the algorithm: the table of smokes says how it ended.")

/* What an agent under test does otherwise than its design (000, 2.1 to 2.3, and what a trace shows beyond).
 * These rows go on: severity, the finding as a sentence, and what to look at. In a sentence {about} is what
 * the finding is about, {plan} the plan that did or did not, {hit} and {run} are numbers of cases; {run case}
 * is "1 case" or "2 cases". */
#define COR_AUT_CHECKS(X, P)                                                                                 \
    X(P, PLAN_NOT_WIRED, 1, "plan_not_wired", "a plan is a handler of its triggering event", "error",        \
      "Plan {about} does not handle its triggering event: it was considered in none of {run case}.",         \
      "the trigger of the plan in the agent, and whether the plan is there")                                 \
    X(P, PLAN_NEVER_CHOSEN, 2, "plan_never_chosen", "an applicable plan is started at least once",           \
      "warning",                                                                                             \
      "Plan {about} was applicable in {run case} and never started: another plan handled its event each time.", \
      "the contexts and the order of the plans with the same trigger")                                       \
    X(P, CONTEXT_NEVER_TRUE, 3, "context_never_true", "a context holds at least once", "error",              \
      "The context of plan {about} held in none of {run case}.", "the context in the agent")                 \
    X(P, CONTEXT_NEVER_FALSE, 4, "context_never_false", "a context does not hold always", "error",           \
      "The context of plan {about} held in all of {run case}: it decides nothing.",                          \
      "whether the context says less than it should, or is not needed")                                      \
    X(P, CONTEXT_DIFFERS, 5, "context_differs", "a context holds exactly where the design says", "error",    \
      "The context of plan {about} is not that of the design in {hit} of {run case}.",                       \
      "the context in the agent beside that in the design")                                                  \
    X(P, EVENT_NEVER_POSTED, 6, "event_never_posted", "a plan posts each of its events at least once",       \
      "warning", "Plan {plan} never posts event {about}, though {run case} asked for it.",                   \
      "the branch of the plan that posts the event, and the condition before it")                            \
    X(P, POST_NOT_IN_DESIGN, 7, "post_not_in_design", "a plan posts what the design lists", "error",         \
      "Plan {plan} posts event {about}, which the design does not list for it, in {hit} of {run case}.",     \
      "the body of the plan, or what the design lists as posted")                                            \
    X(P, MESSAGE_NEVER_SENT, 8, "message_never_sent", "a plan sends each of its messages at least once",     \
      "warning", "Plan {plan} never sends message {about}, though {run case} asked for it.",                 \
      "the branch of the plan that sends the message")                                                       \
    X(P, MESSAGE_NOT_IN_DESIGN, 9, "message_not_in_design", "a plan sends what the design lists", "error",   \
      "Plan {plan} sends message {about}, which the design does not list for it, in {hit} of {run case}.",   \
      "the body of the plan, or what the design lists as sent")                                              \
    X(P, ACTION_NEVER_DONE, 10, "action_never_done", "a plan does each of its actions at least once",        \
      "warning", "Plan {plan} never does action {about}, though {run case} asked for it.",                   \
      "the branch of the plan that does the action")                                                         \
    X(P, ACTION_NOT_IN_DESIGN, 11, "action_not_in_design", "a plan does what the design lists", "error",     \
      "Plan {plan} does action {about}, which the design does not list for it, in {hit} of {run case}.",     \
      "the body of the plan, or what the design lists as done")                                              \
    X(P, BELIEF_NEVER_WRITTEN, 12, "belief_never_written",                                                   \
      "a plan writes each of its belief sets at least once", "warning",                                      \
      "Plan {plan} never writes belief set {about}, though {run case} asked for it.",                        \
      "the branch of the plan that writes the belief set")                                                   \
    X(P, WRITE_NOT_IN_DESIGN, 13, "write_not_in_design",                                                     \
      "a plan writes the belief sets that the design lists", "warning",                                      \
      "Plan {plan} writes belief set {about}, which the design does not list for it, in {hit} of {run "      \
      "case}.",                                                                                              \
      "the body of the plan, or what the design lists as written")                                           \
    X(P, ARGUMENT_OUTSIDE, 14, "argument_outside", "an event is posted with valid arguments", "error",       \
      "Plan {plan} posts event {about} with an argument that the event does not allow, in {hit} of {run "    \
      "case}.",                                                                                              \
      "how the plan comes by the arguments, beside the conditions of the event's parameters")                \
    X(P, PLAN_NOT_COMPLETED, 15, "plan_not_completed", "a plan that starts comes to an end", "error",        \
      "Plan {about} did not come to an end within the limits in {hit} of {run case}.",                       \
      "the loops of the plan, or a larger limit of steps")                                                   \
    X(P, PLAN_FAILED, 16, "plan_failed", "a plan that starts on valid values completes", "error",            \
      "Plan {about} failed in {hit} of {run case} on valid values.",                                         \
      "the step at which it fails; what is posted must find a plan that completes")                          \
    X(P, CYCLE_NEVER_OCCURS, 17, "cycle_never_occurs", "plans that can call each other in a ring do",        \
      "note", "No plan of the ring came round to itself in {run case}.", "whether the ring is meant")        \
    X(P, CYCLE_ENDLESS, 18, "cycle_endless", "a ring ends", "warning",                                       \
      "The ring went on until the limit of rounds in {hit} of {run case}.",                                  \
      "what is to end the ring: a context, or a belief that is used up")                                     \
    X(P, CYCLE_ARC_UNUSED, 19, "cycle_arc_unused", "every way round a ring is taken", "note",                \
      "Event {about} was never handled by plan {plan} after a plan of the ring had posted it, in {run "      \
      "case}.",                                                                                              \
      "whether that way round the ring is meant")                                                            \
    X(P, EVENT_NOT_COVERED, 20, "event_not_covered", "an event finds an applicable plan", "warning",         \
      "Event {about} found no applicable plan in {hit} of {run case} on valid values.",                      \
      "the contexts of its plans: where none holds, or whether the design should say \"sometimes\"")         \
    X(P, EVENT_OVERLAP, 21, "event_overlap", "an event finds one applicable plan at most", "warning",        \
      "Event {about} found more than one applicable plan in {hit} of {run case} on valid values.",           \
      "the contexts of its plans: where several hold, or whether the design should allow it")                \
    X(P, EVENT_NEVER_RAISED, 22, "event_never_raised", "an event reaches its plans", "warning",              \
      "Event {about} reached none of its plans in {run case}.", "whether the agent knows the event")         \
    X(P, DECLARATION_TOO_WEAK, 23, "declaration_too_weak",                                                   \
      "coverage and overlap of an event are declared as they are", "note",                                   \
      "Event {about} was always covered, or never found two plans, in {run case}: the design could say so.", \
      "coverage and overlap of the event in the design")                                                     \
    X(P, BELIEF_RULE_SILENT, 24, "belief_rule_silent", "a rule of a belief set posts its event", "error",    \
      "Event {about} was not posted after an update that should have, in {hit} of {run case}.",              \
      "the rule of the belief set in the agent")                                                             \
    X(P, BELIEF_OUTSIDE, 25, "belief_outside", "a field holds values of its domain", "error",                \
      "Plan {plan} writes a value into {about} that its domain does not have, in {hit} of {run case}.",      \
      "what the plan writes, beside the type of the field")                                                  \
    X(P, BELIEF_START_DIFFERS, 26, "belief_start_differs", "beliefs begin as the design says", "error",      \
      "The agent begins with another value of {about} than it was given, in {hit} of {run case}.",           \
      "where the agent sets the field before the event comes")                                               \
    X(P, AGENT_CRASHED, 27, "agent_crashed", "the agent survives each case", "error",                        \
      "The agent crashed in {hit} of {run case}.", "the smallest case, under a debugger")                    \
    X(P, AGENT_HUNG, 28, "agent_hung", "the agent answers in time", "error",                                 \
      "The agent said nothing any more in {hit} of {run case}.", "the smallest case, under a debugger")      \
    X(P, AGENT_EXITED, 29, "agent_exited", "the agent stays", "error",                                       \
      "The agent's process ended by itself in {hit} of {run case}.",                                         \
      "calls of exit in the agent; a program answers each case")                                             \
    X(P, AGENT_GARBLED, 30, "agent_garbled", "the agent says what the design knows, in turn", "error",       \
      "The agent's answer could not be understood in {hit} of {run case}.",                                  \
      "the last line of the trace of the smallest case")                                                     \
    X(P, AGENT_NOT_REPEATABLE, 31, "agent_not_repeatable", "the same case gives the same trace", "error",    \
      "The agent behaved differently in {hit} of {run case} that were run twice.",                           \
      "clocks, addresses, global variables and random numbers that the seed does not name")                  \
    X(P, EVENT_UNHANDLED, 32, "event_unhandled", "an event that is raised has a plan", "error",              \
      "No plan handles event {about}.", "which plan is to handle the event, or what still raises it")        \
    X(P, NOT_BUILT, 33, "not_built", "a plan is there to be tested", "note",                                 \
      "Plan {about} is not built: a stub stood in for it in {hit} of {run case}.",                           \
      "the plan, when it is written")                                                                        \
    X(P, RING_NOT_MEANT, 34, "ring_not_meant", "plans call each other in a ring where that is meant",        \
      "error", "Plans called each other in a ring that the design does not mean, in {hit} of {run case}.",   \
      "the posts that close the ring")                                                                       \
    X(P, BRANCH_DEAD, 35, "branch_dead", "a branch can go both ways", "warning",                             \
      "A condition in plan {about} comes out one way alone.",                                                \
      "the condition, and what has to hold before it")                                                       \
    X(P, RACE_OVER_BELIEF, 36, "race_over_belief",                                                           \
      "beliefs at the end do not depend on who takes turns with whom", "warning",                            \
      "{about} ends with another value when intentions take turns in another order, in {hit} of {run "       \
      "case}.",                                                                                              \
      "the traces of both cases: who reads the field before the other has written it")                       \
    X(P, RACE_IN_OUTCOME, 37, "race_in_outcome",                                                             \
      "what a plan comes to does not depend on who takes turns with whom", "warning",                        \
      "Plan {about} starts, ends, sends or acts differently when intentions take turns in another order, "   \
      "in "                                                                                                  \
      "{hit} of {run case}.",                                                                                \
      "the traces of both cases: what the plan reads that another writes")                                   \
    X(P, RACE_OVER_RULE, 38, "race_over_rule",                                                               \
      "what rules post does not depend on who takes turns with whom", "warning",                             \
      "Rules post event {about} more or less often when intentions take turns in another order, in {hit} "   \
      "of {run "                                                                                             \
      "case}.",                                                                                              \
      "the traces of both cases: what is written when the rule is looked at")                                \
    X(P, ROWS_DIFFER, 39, "rows_differ", "a case leaves the rows that the design leaves", "error",           \
      "Relation {about} is left with other rows than the design leaves, in {hit} of {run case}.",            \
      "which row is updated, inserted or removed, beside the body in the design")

/* How much a finding matters. */
#define COR_SEVERITIES(X, P)                                                     \
    X(P, NOTE, 1, "note", "may be meant so")                                     \
    X(P, WARNING, 2, "warning", "likely a fault, or values that were not tried") \
    X(P, ERROR, 3, "error", "the agent is not as designed")

/* Where a finding comes from. */
#define COR_CAUSES(X, P)                                                                               \
    X(P, ROOT, 1, "root", "nothing that was found explains it")                                        \
    X(P, UNIT_BELOW, 2, "unit_below", "a consequence of what was found in a unit that this one needs") \
    X(P, SAME_UNIT, 3, "same_unit", "a consequence of another finding of this unit")                   \
    X(P, EVENT_UNIT, 4, "event_unit", "a consequence of what was found in the unit of the plan's event")

/* What the cases of a unit can reach of an agent, as far as its design or its body shows it (000, 2). */
#define COR_USES(X, P)                                                                \
    X(P, CONTEXT_TRUE, 1, "context_true", "the context of the plan held")             \
    X(P, CONTEXT_FALSE, 2, "context_false", "the context of the plan did not hold")   \
    X(P, STARTED, 3, "started", "the plan was started for its triggering event")      \
    X(P, POSTED, 4, "posted", "the plan posted the event")                            \
    X(P, SENT, 5, "sent", "the plan sent the message")                                \
    X(P, DID, 6, "did", "the plan did the action")                                    \
    X(P, WROTE, 7, "wrote", "the plan wrote the belief set")                          \
    X(P, BRANCH_TRUE, 8, "branch_true", "the condition of a branch of the body held") \
    X(P, BRANCH_FALSE, 9, "branch_false", "the condition of a branch did not hold")

/* What a value of an agent is. */
#define COR_VALUE_KINDS(X, P)                     \
    X(P, NULL, 1, "null", "no value")             \
    X(P, INTEGER, 2, "integer", "a whole number") \
    X(P, REAL, 3, "real", "a real number")        \
    X(P, WORD, 4, "word", "a word, as its code")  \
    X(P, TRUTH, 5, "truth", "a truth value, as 0 or 1")

/* Why a reorganization ended. */
#define COR_STOPS(X, P)                                                         \
    X(P, DONE, 1, "done", "the algorithm says it has finished")                 \
    X(P, BUDGET, 2, "budget", "the budget was used up")                         \
    X(P, STAGNATED, 3, "stagnated", "the algorithm gave up improving")          \
    X(P, QUIET, 4, "quiet", "no mail under way and no agent wants to be woken") \
    X(P, FAILED, 5, "failed", "the algorithm cannot go on: see the smoke code")

/* How an algorithm failed without giving a result (003, 4.4: smoke tests). */
#define COR_SMOKES(X, P)                                                                          \
    X(P, NONE, 1, "none", "no smoke")                                                             \
    X(P, COMPLAINED, 2, "complained", "the algorithm returned that it cannot go on")              \
    X(P, MEMORY, 3, "memory", "the memory limit of a reorganization was reached")                 \
    X(P, OVERFLOW, 4, "overflow", "absurdly large solution or mail")                              \
    X(P, CRASHED, 5, "crashed", "a signal ended the algorithm's process")                         \
    X(P, EXITED, 6, "exited", "the algorithm ended its process")                                  \
    X(P, HUNG, 7, "hung", "the algorithm used up its CPU time, or waited for ever")               \
    X(P, OVERDUE, 8, "overdue", "the algorithm gave no result in a time far beyond its CPU time") \
    X(P, GARBLED, 9, "garbled", "what the algorithm gave cannot be read as a result")             \
    X(P, FLAKY, 10, "flaky", "fresh processes gave different results for the same request")       \
    X(P, LEAKED, 11, "leaked",                                                                    \
      "threads or processes outlive the call, or the result depends on what was done before it")  \
    X(P, PEEKED, 12, "peeked", "a handler of one agent touched what is not its own")

/* The oracle's own look at the invariant, recomputed from raw values. */
#define COR_INSIDES(X, P)                                                                     \
    X(P, INSIDE, 1, "inside", "the dissimilarity is at most the threshold")                   \
    X(P, OUTSIDE, 2, "outside", "the dissimilarity exceeds the threshold")                    \
    X(P, EDGE, 3, "edge",                                                                     \
      "the dissimilarity equals the threshold up to rounding (1e-9): either answer is right") \
    X(P, NOT_LOOKED, 4, "not_looked", "the oracle did not look at this case")                 \
    X(P, UNKNOWN, 5, "unknown", "a constraint of the corridor is unknown, none is violated")  \
    X(P, TOLERATED, 6, "tolerated",                                                           \
      "an alarm, or none, that is as late as the monitor under test says it may be")

/* How the dissimilarity of partition means mu_b around the mean M of all agents is measured. */
#define COR_MEASURES(X, P)                                        \
    X(P, RANGE, 1, "range", "largest mu_b minus smallest mu_b")   \
    X(P, MAX_DEVIATION, 2, "max_deviation", "largest |mu_b - M|") \
    X(P, RMS, 3, "rms", "root of the mean of (mu_b - M)^2")

/* Faults of the system's own monitor, offered by the testbed (R-Detect). */
#define COR_MONITOR_FAULTS(X, P)                                \
    X(P, NONE, 1, "none", "the monitor works")                  \
    X(P, MISSED, 2, "missed", "an alarm is swallowed")          \
    X(P, FALSE, 3, "false", "an alarm is raised without cause") \
    X(P, LATE, 4, "late", "an alarm comes some cases late")

/* Faults of adoption, offered by the testbed (R-Distribution). */
#define COR_ADOPTION_FAULTS(X, P)                                                                \
    X(P, NONE, 1, "none", "every move is carried out")                                           \
    X(P, LOST, 2, "lost", "an agent leaves its partition and arrives nowhere")                   \
    X(P, DOUBLED, 3, "doubled", "an agent arrives without having left its old partition")        \
    X(P, MISDIRECTED, 4, "misdirected", "an agent is moved into another partition than its own") \
    X(P, HALFWAY, 5, "halfway", "the moves stop half-way")

/* Faults of the result, offered by the testbed at the adapter: what becomes of a solution on its way from the
 * algorithm to adoption. */
#define COR_RESULT_FAULTS(X, P)                                                                        \
    X(P, NONE, 1, "none", "the solution is what the algorithm gave")                                   \
    X(P, AGENT_DROPPED, 2, "agent_dropped", "an agent is missing from its partition")                  \
    X(P, AGENT_DUPLICATED, 3, "agent_duplicated", "an agent is in a second partition as well")         \
    X(P, AGENT_MOVED, 4, "agent_moved", "an agent is in another partition")                            \
    X(P, AGENTS_SWAPPED, 5, "agents_swapped", "two agents are in each other's partition")              \
    X(P, PARTITION_DROPPED, 6, "partition_dropped", "a partition is missing")                          \
    X(P, PARTITIONS_MERGED, 7, "partitions_merged", "two partitions are one")                          \
    X(P, PARTITION_SPLIT, 8, "partition_split", "a partition is in two parts")                         \
    X(P, STALE, 9, "stale", "the solution is that of the reorganization before, of the same sequence") \
    X(P, LATE, 10, "late", "the solution is of the case before: it was asked for then, and came only now")

/* Faults of the agents of a decentralised algorithm, offered by the testbed. */
#define COR_CRASH_FAULTS(X, P)                \
    X(P, NONE, 1, "none", "every agent runs") \
    X(P, CRASHED, 2, "crashed", "an agent loses its state and its mail, and is restarted some rounds later")

/* What a random stream is for; part of its name (rng.h). */
#define COR_PURPOSES(X, P)                                                                        \
    X(P, CONFIGURATION, 1, "configuration", "parameters of a suite")                              \
    X(P, GROUPS, 2, "groups", "agent groups, types, places, inertia, first states")               \
    X(P, PROFILE, 3, "profile", "random environment profiles")                                    \
    X(P, LEVELS, 4, "levels", "random influence levels")                                          \
    X(P, WALK, 7, "walk", "one chain of one sequence")                                            \
    X(P, LENGTH, 8, "length", "number of cases of a sequence")                                    \
    X(P, INFLUENCE, 9, "influence", "probabilistic influence rows")                               \
    X(P, IDLE, 10, "idle", "agents that idle in a case")                                          \
    X(P, ALGORITHM, 11, "algorithm", "the algorithm under test")                                  \
    X(P, FAULT, 12, "fault", "its injected fault")                                                \
    X(P, SCHEDULE, 13, "schedule", "order, delay and loss of mail")                               \
    X(P, AGENT, 14, "agent", "one agent of a decentralised algorithm")                            \
    X(P, MONITOR_FAULT, 15, "monitor_fault", "fault of the monitor")                              \
    X(P, ADOPTION_FAULT, 16, "adoption_fault", "fault of adoption")                               \
    X(P, TEST, 18, "test", "tests and benchmarks")                                                \
    X(P, BOOTSTRAP, 19, "bootstrap", "resampling of suites when a result is analysed")            \
    X(P, PERMUTATION, 20, "permutation", "exchanging verdicts when a result is analysed")         \
    X(P, SAMPLE, 21, "sample", "a value of an equivalence class of a variable of a unit")         \
    X(P, COMBINE, 22, "combine", "searching a covering array")                                    \
    X(P, RESULT_FAULT, 23, "result_fault", "fault of the result")                                 \
    X(P, CRASH_FAULT, 24, "crash_fault", "agents that crash")                                     \
    X(P, LAYOUT, 25, "layout", "where agents lie in memory; shows in no result")                  \
    X(P, RIVAL, 26, "rival", "what a simulated system chooses among rivals")                      \
    X(P, PLANNER, 27, "planner", "what a planner draws")                                          \
    X(P, CONFIRMATION, 28, "confirmation", "which sound answers are asked for again")             \
    X(P, SEARCH, 29, "search", "what a generator of a search draws")                              \
    X(P, ESTIMATION, 30, "estimation", "which law a sequence follows, and where it is restarted") \
    X(P, INTERLEAVING, 31, "interleaving", "which intention of an agent goes on")                 \
    X(P, LIKELIHOOD, 32, "likelihood", "walks beside which one is rare or not")                   \
    X(P, ATTRIBUTE, 33, "attribute", "attributes of agents, and levels of these")                 \
    X(P, TURN_ORDER, 34, "turn_order", "in which order test agents act in a cycle")               \
    X(P, POLICY, 35, "policy", "which of the actions on offer a test agent takes")                \
    X(P, AGENT_CLOCK, 36, "agent_clock", "after how many ticks an agent perceives again")         \
    X(P, REDRAW, 37, "redraw", "a draw or a move of an algorithm, made another way")              \
    X(P, MECHANISM, 40, "mechanism", "a mechanism beside the algorithm")                          \
    X(P, MOCK, 41, "mock", "what stands in for a mechanism, and whom it is sampled of")

/* In which order mail is delivered to the agents of a decentralised algorithm. */
#define COR_MAILS(X, P)                                                                                   \
    X(P, IN_ORDER, 1, "in_order", "as it was sent")                                                       \
    X(P, SHUFFLED, 2, "shuffled", "in an order drawn anew each round")                                    \
    X(P, DELAYED, 3, "delayed", "each message after a delay of its own")                                  \
    X(P, LOSSY, 4, "lossy", "as it was sent, but some of it never")                                       \
    X(P, DUPLICATED, 5, "duplicated", "as it was sent, but some of it twice")                             \
    X(P, PCT, 6, "pct", "one by one, by random priorities of causal chains that change at random points") \
    X(P, BOUNDED, 7, "bounded", "one by one, as it was sent, but a few messages when nothing else moves") \
    X(P, RECORDED, 8, "recorded", "one by one, as a recorded schedule says, else as it was sent")

/* How a test of a system against its model ended (004). */
#define COR_TEST_VERDICTS(X, P)                                                                              \
    X(P, PASS, 1, "pass", "the goal is covered, and all that was observed is allowed")                       \
    X(P, FAIL, 2, "fail", "the model does not allow what was observed")                                      \
    X(P, INCONCLUSIVE, 3, "inconclusive", "the goal was not covered within the budget")                      \
    X(P, LOST, 4, "lost", "proven: what is left of the goal cannot be covered any more")                     \
    X(P, UNREACHABLE, 5, "unreachable", "proven: what is left of the goal cannot be covered from the start") \
    X(P, TROUBLE, 6, "trouble", "the system died, hung or spoke nonsense, which says nothing of conformance")

/* What became of a trap in a test. */
#define COR_TRAP_ENDS(X, P)                                                            \
    X(P, COVERED, 1, "covered", "by a move of the test")                               \
    X(P, OPEN, 2, "open", "not reached within the moves of the test")                  \
    X(P, LOST, 3, "lost", "proven: it cannot be covered any more")                     \
    X(P, UNREACHABLE, 4, "unreachable", "proven: it cannot be covered from the start") \
    X(P, WAITS, 5, "waits", "it waits for a trap that was not covered")

/* What is wrong with a system under test itself, which is never failed conformance. */
#define COR_SYSTEM_TROUBLES(X, P)                      \
    X(P, DIED, 1, "died", "its process ended")         \
    X(P, HUNG, 2, "hung", "it did not answer in time") \
    X(P, GARBLED, 3, "garbled", "it spoke out of turn, nonsense, or without an end")

/* Whether a mutant can be told from its model by what it answers. */
#define COR_EFSM_DIFFERENCES(X, P)                                                                \
    X(P, EQUIVALENT, 1, "equivalent", "proven: it answers nothing that the model does not allow") \
    X(P, DIFFERENT, 2, "different", "there are inputs that tell them apart")                      \
    X(P, UNDECIDED, 3, "undecided", "none was found within the budget")

/* What became of the goal of a test agent (001). */
#define COR_GOAL_ENDS(X, P)                                                             \
    X(P, SUCCESS, 1, "success", "what it wants was seen, and its asserts held")         \
    X(P, FAILED, 2, "failed", "its budget was used up, it gave up, or an assert broke") \
    X(P, OPEN, 3, "open", "the test ended before")                                      \
    X(P, STALLED, 4, "stalled", "the test ended while it waited for a guard to hold")

/* What judges a running system (001, 002). */
#define COR_SYSTEM_JUDGES(X, P)                                                     \
    X(P, ASSERT, 1, "assert", "an assert of a goal")                                \
    X(P, AFTER, 2, "after", "the post-condition of an action")                      \
    X(P, INVARIANT, 3, "invariant", "a condition that holds in each cycle")         \
    X(P, FORMULA, 4, "formula", "a formula of time over the cycles of the test")    \
    X(P, MODEL, 5, "model", "a model beside the run: what was observed is allowed") \
    X(P, AGREEMENT, 6, "agreement", "two test agents that look at the same entity see the same values")

/* What a test agent did in a cycle. */
#define COR_TURNS(X, P)                                               \
    X(P, ACTED, 1, "acted", "its tactic, or a plan, chose an action") \
    X(P, WAITED, 2, "waited", "no action was enabled: it is stalled") \
    X(P, LOOKED, 3, "looked", "it only looks")                        \
    X(P, SET_UP, 4, "set_up", "a command that sets the world up")

/* How the probability of a failure is estimated. */
#define COR_ESTIMATIONS(X, P)                                                                                \
    X(P, PLAIN, 1, "plain", "shares of what the law itself gives")                                           \
    X(P, LIKELIHOOD, 2, "likelihood", "by a changed law, each sequence weighted with the ratio of the laws") \
    X(P, SPLITTING, 3, "splitting", "sequences are restarted from where they came closer to failing")

/* What is tested of an agent as one (000, 2). */
#define COR_UNIT_KINDS(X, P)                                                            \
    X(P, PLAN, 1, "plan", "PT: a plan alone, started by its triggering event")          \
    X(P, EVENT, 2, "event", "ET: an event with all its handlers: coverage and overlap") \
    X(P, RING, 3, "ring", "CT: plans that call each other in a ring, or one that calls itself")

/* Where an event of an agent comes from. */
#define COR_EVENT_KINDS(X, P)                                                \
    X(P, PERCEPT, 1, "percept", "what the agent notices of its environment") \
    X(P, MESSAGE_IN, 2, "message_in", "a message from another agent")        \
    X(P, INTERNAL, 3, "internal", "posted by a plan of the agent")           \
    X(P, BELIEF, 4, "belief", "posted by a rule of a belief set")

/* What an agent under test reports. */
#define COR_TRACE_KINDS(X, P)                                                              \
    X(P, POSTED, 1, "posted", "an event was posted: by the case, by a plan, or by a rule") \
    X(P, CONTEXT, 2, "context", "the context of a handler was evaluated")                  \
    X(P, STARTED, 3, "started", "a plan was started")                                      \
    X(P, ENDED, 4, "ended", "a plan completed, or failed")                                 \
    X(P, SENT, 5, "sent", "a message was sent to another agent")                           \
    X(P, DID, 6, "did", "an action was carried out")                                       \
    X(P, WROTE, 7, "wrote", "a field of a belief set was written")                         \
    X(P, INSERTED, 8, "inserted", "a row was inserted into a belief set")                  \
    X(P, REMOVED, 9, "removed", "a row was removed from a belief set")

/* How a case of an agent under test ended. */
#define COR_TRACE_ENDS(X, P)                                                                 \
    X(P, QUIET, 1, "quiet", "nothing is left to do")                                         \
    X(P, STEPS, 2, "steps", "the step limit was reached")                                    \
    X(P, ROUNDS, 3, "rounds", "a plan was about to be started within itself once too often") \
    X(P, CRASHED, 4, "crashed", "the agent's process was ended by a signal")                 \
    X(P, HUNG, 5, "hung", "the agent said nothing in time")                                  \
    X(P, EXITED, 6, "exited", "the agent's process ended by itself")                         \
    X(P, GARBLED, 7, "garbled", "the agent said what is not allowed there")

/* How a test of a search came about. */
#define COR_MUTATIONS(X, P)                                                                             \
    X(P, FRESH, 1, "fresh", "drawn by the laws and profiles of the arm")                                \
    X(P, REGION, 2, "region", "drawn by them within a region")                                          \
    X(P, PARAMETER, 3, "parameter", "a line of the laws drawn anew, the rest kept as far as it agrees") \
    X(P, STAGE, 4, "stage", "a stage of the laws drawn anew")                                           \
    X(P, POPULATION, 5, "population", "the same parameters, everything else of the suite drawn anew")   \
    X(P, BRANCH, 6, "branch", "the walk from a test case on drawn anew")                                \
    X(P, HOLD, 7, "hold", "a chain stays in a state for a while")                                       \
    X(P, RARE_ARC, 8, "rare_arc", "a chain takes its least likely transition")                          \
    X(P, SPLICE, 9, "splice", "chains go on as in another test")                                        \
    X(P, STREAM, 10, "stream", "the same walk, the draws of algorithm, mail and faults anew")           \
    X(P, SPLIT, 11, "split", "restarted from a state on the way to a failure")                          \
    X(P, SCHEDULE, 12, "schedule", "the same walk, messages in another order")

/* Families: X(name of enum, PREFIX, list) */
#define COR_FAMILIES(X)                                    \
    X(verdict, VERDICT, COR_VERDICTS)                      \
    X(box, BOX, COR_BOXES)                                 \
    X(check, CHECK, COR_CHECKS)                            \
    X(aut_check, AUT_CHECK, COR_AUT_CHECKS)                \
    X(severity, SEVERITY, COR_SEVERITIES)                  \
    X(cause, CAUSE, COR_CAUSES)                            \
    X(use, USE, COR_USES)                                  \
    X(value_word, VALUE_KIND, COR_VALUE_KINDS)             \
    X(stop, STOP, COR_STOPS)                               \
    X(smoke, SMOKE, COR_SMOKES)                            \
    X(inside, INSIDE, COR_INSIDES)                         \
    X(measure, MEASURE, COR_MEASURES)                      \
    X(monitor_fault, MONITOR_FAULT, COR_MONITOR_FAULTS)    \
    X(adoption_fault, ADOPTION_FAULT, COR_ADOPTION_FAULTS) \
    X(result_fault, RESULT_FAULT, COR_RESULT_FAULTS)       \
    X(crash_fault, CRASH_FAULT, COR_CRASH_FAULTS)          \
    X(purpose, PURPOSE, COR_PURPOSES)                      \
    X(mail, MAIL, COR_MAILS)                               \
    X(unit_kind, UNIT_KIND, COR_UNIT_KINDS)                \
    X(event_kind, EVENT_KIND, COR_EVENT_KINDS)             \
    X(trace_kind, TRACE, COR_TRACE_KINDS)                  \
    X(trace_end, TRACE_END, COR_TRACE_ENDS)                \
    X(test_verdict, TEST, COR_TEST_VERDICTS)               \
    X(trap_end, TRAP_END, COR_TRAP_ENDS)                   \
    X(system_trouble, SYSTEM, COR_SYSTEM_TROUBLES)         \
    X(efsm_difference, EFSM, COR_EFSM_DIFFERENCES)         \
    X(mutation, MUTATION, COR_MUTATIONS)                   \
    X(goal_end, GOAL, COR_GOAL_ENDS)                       \
    X(system_judge, JUDGE, COR_SYSTEM_JUDGES)              \
    X(test_agent_turn, TURN, COR_TURNS)                    \
    X(estimation_method, ESTIMATION, COR_ESTIMATIONS)

#define COR_TERM_NUMBER(P, NAME, number, ...) COR_##P##_##NAME = number,
#define COR_FAMILY(family, P, list) enum cor_##family{list(COR_TERM_NUMBER, P)};
COR_FAMILIES(COR_FAMILY)
#undef COR_FAMILY

/* COR_CHECK_CODES and so on: one more than the greatest number, the length of an array by code. */
#define COR_TERM_COUNTED(P, NAME, number, ...) COR_##P##_##NAME##_COUNTED = number,
#define COR_FAMILY(family, P, list) enum { list(COR_TERM_COUNTED, P) COR_##P##_CODES };
COR_FAMILIES(COR_FAMILY)
#undef COR_FAMILY
#define COR_TERM_FITS(P, NAME, number, ...) \
    _Static_assert(number > 0 && number < COR_##P##_CODES, "numbers begin with 1 and ascend");
#define COR_FAMILY(family, P, list) list(COR_TERM_FITS, P)
COR_FAMILIES(COR_FAMILY)
#undef COR_FAMILY

/* Of the two families that say how a reorganization ended, whichever is longer: for arrays by either code. */
enum {
    COR_ENDING_CODES = (int)COR_STOP_CODES > (int)COR_SMOKE_CODES ? (int)COR_STOP_CODES : (int)COR_SMOKE_CODES
};

/* The families of codes, for the functions below: a number here stands for a list of COR_FAMILIES. */
enum cor_family {
    COR_FAMILY_NONE,
#define COR_FAMILY(family, PREFIX, list) COR_FAMILY_##PREFIX,
    COR_FAMILIES(COR_FAMILY)
#undef COR_FAMILY
        COR_FAMILY_COUNT
};

/* A row of a family, static. The sentence of a check has places to be filled in: see COR_CHECKS. */
struct cor_term {
    int number;
    const char *word, *meaning;
    const char *rule, *sentence; /* of checks, else NULL; the rule of a check on agents is its severity */
    const char *look;            /* of checks on agents: what to look at; else NULL */
};

/* The row of a code, NULL for a number that the family does not have. */
const struct cor_term *cor_term(enum cor_family family, int number);

/* The terms of a family in ascending order of number, ended by an entry whose word is NULL. */
const struct cor_term *cor_terms(enum cor_family family);

/* The word of a code, "?" for a number that the family does not have. */
const char *cor_term_word(enum cor_family family, int number);

/* The code of a word, 0 if the family does not have it. */
int cor_term_number(enum cor_family family, const char *word);

/* The words of a family, NULL-terminated, for cor_known_names. */
const char *const *cor_term_words(enum cor_family family);

/* Whether a verdict says that something was seen: failed, or smoke. */
static inline bool cor_is_detection(uint8_t verdict) {
    return verdict == COR_VERDICT_FAILED || verdict == COR_VERDICT_SMOKE;
}

/* Whether a violated check says that something beside the algorithm failed, and ended the sequence: a monitor
 * or a mechanism. */
static inline bool cor_is_foreign_smoke(uint8_t check) {
    return check == COR_CHECK_MONITOR_SMOKE || check == COR_CHECK_MECHANISM_SMOKE;
}

/* A violated constraint as data: made by the oracle, stored by the record, worded here. */

#define COR_NOBODY UINT32_MAX /* no agent, no partition */

/* One violation; owns nothing. `expected` and `found` count members, partitions or occurrences, or are
 * dissimilarities; of C2 the number of agents and the unknown one, of C7 blocks of solution and structure. */
struct cor_violation {
    enum cor_check check;
    uint32_t agent;     /* COR_NOBODY where the check is not about one agent */
    uint32_t partition; /* index of the block, COR_NOBODY where it is not about one */
    double expected;    /* the bound, the number of occurrences, or the threshold */
    double found;
};

/* The violation as a sentence with full stop, e.g. "Agent 17 is in no partition, expected in exactly one.",
 * into `text`. */
void cor_violation_text(const struct cor_violation *violation, char *text, size_t size);

/* What was found of an agent, in the names of its design. */
struct cor_aut_said {
    enum cor_aut_check check;
    const char *about, *plan; /* borrowed; "" where there is none */
    uint32_t hit, run;        /* cases that show it, of those that could */
};

/* The finding as a sentence with full stop, into `text`. */
void cor_aut_said_text(const struct cor_aut_said *said, char *text, size_t size);

#endif
