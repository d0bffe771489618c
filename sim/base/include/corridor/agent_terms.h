/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Codes of the agent layer: rows as those of terms.h, which says what they are. */
#ifndef CORRIDOR_AGENT_TERMS_H
#define CORRIDOR_AGENT_TERMS_H

#include <corridor/terms.h>

#include <stdbool.h>

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
      "Plan {about} was applicable in {run case} and never started: another plan handled its event each "    \
      "time.",                                                                                               \
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
      "which row is updated, inserted or removed, beside the body in the design")                            \
    X(P, CONTENT_OUTSIDE, 40, "content_outside", "a message is sent with valid content", "error",            \
      "Plan {plan} sends message {about} with content that the message does not allow, in {hit} of {run "    \
      "case}.",                                                                                              \
      "how the plan comes by the arguments, beside the conditions of the message's parameters")

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

COR_AGENT_FAMILIES(COR_FAMILY_ENUM)

/* Is the check (enum cor_aut_check) about all cases of a unit together - what never happens, or always -, so
 * that no single case shows it? */
bool cor_aut_check_is_of_all(int check);

/* What it takes to show it, if one case does not: "all cases", "two runs of a case"; else NULL. */
const char *cor_aut_check_takes(int check);

/* What was found of an agent, in the names of its design. */
struct cor_aut_said {
    enum cor_aut_check check;
    const char *about, *plan; /* borrowed; "" where there is none */
    uint32_t hit, run;        /* cases that show it, of those that could */
};

/* The finding as a sentence with full stop, into `text`. */
void cor_aut_said_text(const struct cor_aut_said *said, char *text, size_t size);

#endif
