/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result file of the interaction layer, said once: every table, its columns, their types, units and
 * meanings. From these lists come the C row structs, the journal's frames, the HDF5 datasets with their
 * attributes, the exports, and the test that holds docs/look-up/result-file.md against them.
 *
 * A row is identified by its keys (arm, suite, sequence, case, ...), never by its position. Nothing derived
 * is stored. Row data holds numbers only; words stand in the catalogs. */
#ifndef CORRIDOR_SCHEMA_H
#define CORRIDOR_SCHEMA_H

#include <corridor/layer_schema.h>

#define COR_FORMAT_NAME "corridor-campaign"
#define COR_FORMAT_MAJOR 1

/* X(R, C type, column, unit, family of its codes, meaning[, since[, missing]]), see struct cor_column. Unit
 * "1" = a pure number or a key; "code" = see the family or, with family NONE, the catalog named in the
 * meaning. */

/* What the rows of a test case begin with. */
#define COR_CASE_KEYS(X, R)                                          \
    COR_SUITE_KEYS(X, R)                                             \
    X(R, uint16_t, sequence, "1", NONE, "sequence within its suite") \
    X(R, uint32_t, case_, "1", NONE, "test case within its sequence")

#define COR_SUITE_COLUMNS(X, R)                                                                           \
    X(R, uint16_t, arm, "1", NONE, "arm, code in catalog/arm")                                            \
    X(R, uint32_t, suite, "1", NONE, "suite within its arm, from 0")                                      \
    X(R, uint32_t, agents, "agents", NONE, "number of agents")                                            \
    X(R, uint32_t, groups, "groups", NONE, "number of agent groups")                                      \
    X(R, uint32_t, chains, "chains", NONE, "number of chains, the instances of environment profiles")     \
    X(R, uint32_t, sequences, "sequences", NONE, "test sequences generated")                              \
    X(R, uint32_t, size_min, "agents", NONE, "least size of a partition")                                 \
    X(R, uint32_t, size_max, "agents", NONE, "greatest size of a partition")                              \
    X(R, uint32_t, count_min, "partitions", NONE, "least number of partitions")                           \
    X(R, uint32_t, count_max, "partitions", NONE, "greatest number of partitions")                        \
    X(R, uint8_t, limits_judged, "1", NONE, "1 if the oracle holds the algorithm to sizes and number")    \
    X(R, uint8_t, measure, "code", MEASURE, "measure of dissimilarity")                                   \
    X(R, double, threshold, "value", NONE, "the invariant holds while the dissimilarity is at most this") \
    X(R, double, pilot_rate, "1", NONE,                                                                   \
      "share of pilot cases with an alarm at that threshold; NaN if given")                               \
    X(R, uint32_t, attempts, "draws", NONE, "draws of the parameters until one met all constraints")      \
    X(R, uint8_t, fallback, "1", NONE, "1 if the parameters follow the stated fallback law")              \
    X(R, uint64_t, configuration_hash, "1", NONE, "fingerprint of configuration and walks")

#define COR_PARAMETER_COLUMNS(X, R)                                      \
    COR_SUITE_KEYS(X, R)                                                 \
    X(R, uint16_t, parameter, "code", NONE, "code in catalog/parameter") \
    X(R, double, value, "parameter", NONE, "value drawn; unit as in catalog/parameter")

#define COR_AGENT_COLUMNS(X, R)                                                                       \
    COR_SUITE_KEYS(X, R)                                                                              \
    X(R, uint32_t, agent, "1", NONE, "agent, from 0")                                                 \
    X(R, uint32_t, group, "1", NONE, "its agent group")                                               \
    X(R, uint16_t, type, "code", NONE, "agent type, code in catalog/agent_type")                      \
    X(R, uint8_t, state, "1", NONE, "initial agent state")                                            \
    X(R, uint32_t, partition, "1", NONE,                                                              \
      "partition or first organization in the initial structure; 4294967295 = in none")               \
    X(R, double, inertia, "1", NONE, "share of the way to the state's level made in a case; 1 = all") \
    X(R, double, value, "value", NONE, "initial value, column 0: what the invariant measures")

#define COR_GROUP_COLUMNS(X, R)                                  \
    COR_SUITE_KEYS(X, R)                                         \
    X(R, uint32_t, group, "1", NONE, "agent group, from 0")      \
    X(R, uint32_t, size, "agents", NONE, "number of its agents") \
    X(R, uint32_t, chain, "1", NONE,                             \
      "the chain its agents perceive; where types live in several environments, one of them")

#define COR_CHAIN_COLUMNS(X, R)                                                    \
    COR_SUITE_KEYS(X, R)                                                           \
    X(R, uint32_t, chain, "1", NONE, "chain, from 0")                              \
    X(R, uint16_t, profile, "1", NONE, "environment profile it is an instance of") \
    X(R, uint32_t, location, "1", NONE, "place, from 0")

#define COR_PROFILE_COLUMNS(X, R)                                                      \
    COR_SUITE_KEYS(X, R)                                                               \
    X(R, uint16_t, profile, "1", NONE, "environment profile within the suite, from 0") \
    X(R, uint16_t, environment, "code", NONE, "code in catalog/environment")           \
    X(R, uint16_t, states, "states", NONE, "number of states")                         \
    X(R, uint32_t, arcs, "transitions", NONE, "transitions of positive probability")

#define COR_VISIT_COLUMNS(X, R)                                                \
    COR_SUITE_KEYS(X, R)                                                       \
    X(R, uint16_t, profile, "1", NONE, "environment profile within the suite") \
    X(R, uint16_t, state, "1", NONE, "state of the profile")                   \
    X(R, uint64_t, count, "visits", NONE,                                      \
      "visits in all generated walks of the suite, initial states included")

#define COR_TRANSITION_COLUMNS(X, R)                                                     \
    COR_SUITE_KEYS(X, R)                                                                 \
    X(R, uint16_t, profile, "1", NONE, "environment profile within the suite")           \
    X(R, uint16_t, from, "1", NONE, "state left")                                        \
    X(R, uint16_t, to, "1", NONE, "state entered")                                       \
    X(R, double, probability, "1", NONE, "probability of the transition in the profile") \
    X(R, uint64_t, count, "transitions", NONE, "times taken in all generated walks of the suite")

#define COR_SEQUENCE_COLUMNS(X, R)                                                                       \
    COR_SUITE_KEYS(X, R)                                                                                 \
    X(R, uint16_t, sequence, "1", NONE, "sequence within its suite, from 0")                             \
    X(R, uint32_t, cases, "cases", NONE, "test cases generated")                                         \
    X(R, uint32_t, executed, "cases", NONE, "test cases executed: fewer if the black box failed")        \
    X(R, uint64_t, walk_start, "bytes", NONE,                                                            \
      "first byte in vectors/walk: chain after chain, each its initial state and then one state a case") \
    X(R, uint64_t, state_hash, "1", NONE, "fingerprint of the system's state at the end")

#define COR_CASE_COLUMNS(X, R)                                                                           \
    COR_SUITE_KEYS(X, R)                                                                                 \
    X(R, uint16_t, sequence, "1", NONE, "sequence within its suite")                                     \
    X(R, uint32_t, case_, "1", NONE, "test case within its sequence, from 1")                            \
    X(R, uint8_t, alarm, "1", NONE, "1 if the monitor raised an alarm")                                  \
    X(R, uint8_t, inside, "code", INSIDE, "the oracle's own look at the invariant, before reorganizing") \
    X(R, uint8_t, reorganized, "1", NONE, "1 if the algorithm under test ran")                           \
    X(R, uint8_t, detect, "code", VERDICT, "R-Detect: does the alarm agree with the oracle?")            \
    X(R, uint8_t, gray, "code", VERDICT, "R-Solution: verdict on the solution")                          \
    X(R, uint8_t, black, "code", VERDICT, "R-Distribution: verdict on the structure after adoption")     \
    X(R, float, dissimilarity, "value", NONE, "the monitor's measure, before reorganizing")

#define COR_REORGANIZATION_COLUMNS(X, R)                                                                  \
    COR_CASE_KEYS(X, R)                                                                                   \
    X(R, uint8_t, gray, "code", VERDICT, "R-Solution: verdict on the solution")                           \
    X(R, uint8_t, black, "code", VERDICT, "R-Distribution: verdict on the structure after adoption")      \
    X(R, uint8_t, agreement, "code", VERDICT, "is the structure the accepted solution? (C7)")             \
    X(R, uint8_t, stop, "code", STOP, "why the algorithm stopped")                                        \
    X(R, uint8_t, smoke, "code", SMOKE, "how it failed without a result")                                 \
    X(R, uint32_t, gray_violations, "violations", NONE, "constraints violated by the solution")           \
    X(R, uint32_t, black_violations, "violations", NONE, "constraints violated by the structure")         \
    X(R, uint32_t, interim_looks, "solutions", NONE, "interim solutions looked at")                       \
    X(R, uint32_t, interim_failed, "solutions", NONE, "interim solutions that violate a constraint")      \
    X(R, uint64_t, spent, "units", NONE, "budget used, in the algorithm's unit")                          \
    X(R, uint32_t, rounds, "rounds", NONE, "rounds of mail; 0 for centralised algorithms")                \
    X(R, uint32_t, messages, "messages", NONE, "messages sent")                                           \
    X(R, uint32_t, messages_lost, "messages", NONE, "messages the schedule lost")                         \
    X(R, uint32_t, partitions_before, "partitions", NONE, "partitions before")                            \
    X(R, uint32_t, partitions_after, "partitions", NONE, "partitions after adoption")                     \
    X(R, uint32_t, moved, "agents", NONE,                                                                 \
      "agents whose companions changed: moved to another partition, names aside")                         \
    X(R, uint32_t, fault_reached, "times", NONE, "the fault's seam was executed")                         \
    X(R, uint32_t, fault_held, "times", NONE, "the fault's condition held there")                         \
    X(R, uint32_t, fault_activated, "times", NONE,                                                        \
      "the fault corrupted something; > 0 is one failure (003, Table 2)")                                 \
    X(R, uint8_t, fault_in_result, "1", NONE, "1 if the solution descends from a corrupted state")        \
    X(R, uint8_t, adoption_fault, "times", NONE, "moves corrupted by the fault of adoption, at most 255") \
    X(R, uint8_t, own_moves, "1", NONE,                                                                   \
      "1 if the algorithm distributed the solution itself (its own moves)")                               \
    X(R, uint8_t, inside_after, "code", INSIDE, "does the invariant hold after adoption?")                \
    X(R, double, dissimilarity_before, "value", NONE, "the oracle's measure before")                      \
    X(R, double, dissimilarity_after, "value", NONE, "the oracle's measure after adoption; NaN if not judged")

#define COR_FAILURE_COLUMNS(X, R)                                                                        \
    COR_CASE_KEYS(X, R)                                                                                  \
    X(R, uint8_t, gray, "code", VERDICT, "R-Solution: verdict on the solution")                          \
    X(R, uint8_t, black, "code", VERDICT, "R-Distribution: verdict on the structure")                    \
    X(R, uint64_t, block_start, "1", NONE, "first block of the solution in vectors/solution_block_size") \
    X(R, uint32_t, blocks, "1", NONE, "blocks of the solution")                                          \
    X(R, uint64_t, member_start, "1", NONE, "first member of the solution in vectors/solution_member")   \
    X(R, uint32_t, members, "1", NONE, "members of the solution")                                        \
    X(R, uint64_t, structure_start, "1", NONE,                                                           \
      "first label in vectors/structure: partition or first organization of each agent before")          \
    X(R, uint32_t, labels, "agents", NONE, "labels of that structure")

#define COR_VIOLATION_COLUMNS(X, R)                                                         \
    COR_CASE_KEYS(X, R)                                                                     \
    X(R, uint8_t, box, "code", BOX, "through which box it was seen")                        \
    X(R, uint8_t, check, "code", CHECK, "what is violated")                                 \
    X(R, uint32_t, agent, "1", NONE, "agent; 4294967295 = not about one agent")             \
    X(R, uint32_t, partition, "1", NONE, "partition; 4294967295 = not about one partition") \
    X(R, double, expected, "1", NONE, "bound, number or threshold expected")                \
    X(R, double, found, "1", NONE, "what was found")

#define COR_COUNTER_COLUMNS(X, R)                                                     \
    COR_SUITE_KEYS(X, R)                                                              \
    X(R, uint16_t, counter, "code", NONE, "white-box probe, code in catalog/counter") \
    X(R, uint16_t, bucket, "1", NONE, "bucket of the probe")                          \
    X(R, uint64_t, count, "times", NONE, "times counted in the suite")

#define COR_BRANCH_COLUMNS(X, R)                                           \
    COR_SUITE_KEYS(X, R)                                                   \
    X(R, uint16_t, sequence, "1", NONE, "sequence that continues another") \
    X(R, uint16_t, parent, "1", NONE, "the sequence that it continues")    \
    X(R, uint32_t, prefix, "cases", NONE, "test cases at the beginning that both share")

#define COR_SMOKE_COLUMNS(X, R)                                                                            \
    COR_CASE_KEYS(X, R)                                                                                    \
    X(R, uint8_t, smoke, "code", SMOKE, "what it was: of the reorganization, or of what it said too late") \
    X(R, uint8_t, late, "1", NONE,                                                                         \
      "1: noticed when the reorganization was over, whose verdict stands (a second answer of a program)")  \
    X(R, uint8_t, signal, "1", NONE, "signal that ended the process; 0: none")                             \
    X(R, uint8_t, exit_code, "1", NONE, "exit code of the process, where it exited")                       \
    X(R, uint64_t, place, "bytes", NONE,                                                                   \
      "where in the module's file as it is loaded the signal was raised; 0: not known")                    \
    X(R, uint64_t, words_start, "bytes", NONE, "first byte in vectors/words: a sentence, UTF-8 as a rule") \
    X(R, uint32_t, words, "bytes", NONE, "bytes of the sentence")

#define COR_STEERED_COLUMNS(X, R)                                                            \
    COR_SUITE_KEYS(X, R)                                                                     \
    X(R, uint16_t, sequence, "1", NONE, "sequence of an arm with traps")                     \
    X(R, uint8_t, by_profile, "1", NONE, "1 if it was drawn to follow the profiles")         \
    X(R, double, weight_mantissa, "1", NONE,                                                 \
      "8 to 16, or 0: the weight is weight_mantissa * 2^-weight_halvings; NaN: it has none") \
    X(R, uint32_t, weight_halvings, "1", NONE, "see weight_mantissa")

#define COR_TRAP_COLUMNS(X, R)                                                                               \
    COR_SUITE_KEYS(X, R)                                                                                     \
    X(R, uint16_t, sequence, "1", NONE, "sequence within its suite")                                         \
    X(R, uint16_t, trap, "1", NONE, "trap of the arm, in the order of the experiment, from 0")               \
    X(R, uint32_t, case_, "cases", NONE, "test case in which it was covered; 0 = in none")                   \
    X(R, uint32_t, moves, "cases", NONE,                                                                     \
      "test cases that it takes at least from the initial state; 4294967295 = it cannot be met here")        \
    X(R, double, probability, "1", NONE,                                                                     \
      "that a walk by the profiles meets it in the sequence's cases; NaN where that is not known in closed " \
      "form")

#define COR_SCHEDULE_COLUMNS(X, R)                                                               \
    COR_SUITE_KEYS(X, R)                                                                         \
    X(R, uint16_t, sequence, "1", NONE, "sequence of an arm whose mail goes by pct")             \
    X(R, uint8_t, depth, "1", NONE, "depth of the faults of order that are looked for")          \
    X(R, uint32_t, drawn, "messages", NONE, "among so many deliveries change points are drawn")  \
    X(R, uint32_t, reorganizations, "reorganizations", NONE, "runs of the algorithm under test") \
    X(R, uint32_t, failed, "reorganizations", NONE, "thereof failed through a box")              \
    X(R, uint32_t, messages, "messages", NONE, "most that were sent in one of them")             \
    X(R, uint32_t, chains, "1", NONE, "most causal chains of messages in one of them")

#define COR_CONSTRAINT_COLUMNS(X, R)                                                                       \
    COR_CASE_KEYS(X, R)                                                                                    \
    X(R, uint8_t, box, "code", BOX,                                                                        \
      "through which box it was seen; detect: the look at a case; black of case 0: the initial structure") \
    X(R, uint16_t, constraint, "code", NONE, "code in catalog/constraint")                                 \
    X(R, uint8_t, verdict, "code", VERDICT, "failed: it is violated; undecided: it is unknown")            \
    X(R, uint32_t, violations, "violations", NONE,                                                         \
      "in how many ways it is violated; 0: it is unknown, or a look of the sequence said it before")       \
    X(R, uint32_t, agent, "1", NONE, "the first of them is of this agent; 4294967295 = of none")           \
    X(R, uint32_t, organization, "1", NONE, "and of this organization; 4294967295 = of none")              \
    X(R, uint64_t, sentence_start, "bytes", NONE,                                                          \
      "first byte in vectors/sentences: the first of them, UTF-8")                                         \
    X(R, uint32_t, sentence, "bytes", NONE, "bytes of the sentence; 0: none was kept")

#define COR_FORMULA_COLUMNS(X, R)                                                                \
    COR_SUITE_KEYS(X, R)                                                                         \
    X(R, uint16_t, sequence, "1", NONE, "sequence within its suite")                             \
    X(R, uint16_t, constraint, "code", NONE, "what is said of time: code in catalog/constraint") \
    X(R, uint8_t, verdict, "code", VERDICT, "passed, failed, or undecided: unknown")             \
    X(R, uint32_t, decided, "cases", NONE,                                                       \
      "test case with which the verdict was fixed; 0 = by the end of the sequence")

#define COR_RETURN_COLUMNS(X, R)                                                                             \
    COR_CASE_KEYS(X, R)                                                                                      \
    X(R, uint32_t, back, "cases", NONE, "test case at whose end the system was inside again; 0 = in none")   \
    X(R, uint32_t, outside, "cases", NONE, "test cases, the first included, at whose end it was not inside") \
    X(R, uint16_t, constraint, "1", NONE,                                                                    \
      "what was not met in most of them: its number in the catalog of constraints; 65535 = none: it was "    \
      "inside at once, or not of its kind")

#define COR_MEMBERSHIP_COLUMNS(X, R)                                                                       \
    COR_SUITE_KEYS(X, R)                                                                                   \
    X(R, uint32_t, agent, "1", NONE, "an agent in several organizations; agents/partition says the first") \
    X(R, uint32_t, organization, "1", NONE, "another one that it is in at the beginning")

#define COR_ORGANIZATION_COLUMNS(X, R)                                                       \
    COR_SUITE_KEYS(X, R)                                                                     \
    X(R, uint32_t, organization, "1", NONE, "organization of the initial structure, from 0") \
    X(R, uint32_t, parent, "1", NONE, "the one that it stands below; 4294967295 = none")     \
    X(R, uint32_t, members, "agents", NONE, "agents in it")

#define COR_FAILED_MEMBERSHIP_COLUMNS(X, R)                                                                 \
    COR_CASE_KEYS(X, R)                                                                                     \
    X(R, uint32_t, agent, "1", NONE, "an agent in several organizations; vectors/structure says the first") \
    X(R, uint32_t, organization, "1", NONE, "another one that it was in before")

#define COR_FAILED_ORGANIZATION_COLUMNS(X, R)                                            \
    COR_CASE_KEYS(X, R)                                                                  \
    X(R, uint8_t, solution, "1", NONE, "1: of the solution, 0: of the structure before") \
    X(R, uint32_t, organization, "1", NONE, "organization, from 0")                      \
    X(R, uint32_t, parent, "1", NONE,                                                    \
      "the one that it stands below, which a solution need not have; 4294967295 = none") \
    X(R, uint32_t, members, "agents", NONE, "agents in it, as they are listed")

#define COR_ATTRIBUTE_COLUMNS(X, R)                                                 \
    COR_SUITE_KEYS(X, R)                                                            \
    X(R, uint32_t, agent, "1", NONE, "agent, from 0")                               \
    X(R, uint16_t, attribute, "code", NONE, "attribute, code in catalog/attribute") \
    X(R, double, value, "attribute", NONE,                                          \
      "at the beginning: a number, 0 or 1, the index of a word in catalog/attribute; NaN: none")

#define COR_OBJECTIVE_COLUMNS(X, R)                                                                        \
    COR_CASE_KEYS(X, R)                                                                                    \
    X(R, double, before, "1", NONE,                                                                        \
      "the objective before reorganizing; NaN: it is not known, as below, or who came is in no partition") \
    X(R, double, after, "1", NONE, "the objective after adoption; NaN also where there was no result")

#define COR_TICK_COLUMNS(X, R)                                                                          \
    COR_CASE_KEYS(X, R)                                                                                 \
    X(R, uint64_t, alarm, "ticks", NONE,                                                                \
      "when the monitor raised the alarm that led to it, from the "                                     \
      "beginning of the sequence, as below")                                                            \
    X(R, uint64_t, asked, "ticks", NONE, "when the algorithm was asked")                                \
    X(R, uint64_t, solution, "ticks", NONE, "when its solution was there, and R-Solution judged it")    \
    X(R, uint64_t, adopted, "ticks", NONE,                                                              \
      "when adoption was complete, and R-Distribution judged the structure; without a result as above") \
    X(R, uint32_t, moves, "moves", NONE, "moves of agents that adoption took")

#define COR_SNAPSHOT_COLUMNS(X, R)                                                                   \
    COR_CASE_KEYS(X, R)                                                                              \
    X(R, uint64_t, tick, "ticks", NONE, "from the beginning of the sequence")                        \
    X(R, uint32_t, perceptions, "times", NONE, "agents perceived in this case, each time counted")   \
    X(R, uint32_t, looks, "times", NONE, "the monitor looked in this case")                          \
    X(R, uint8_t, under_way, "1", NONE, "1 if a reorganization was under way")                       \
    X(R, uint8_t, inside, "code", INSIDE, "does the invariant hold of the structure as it is then?") \
    X(R, double, dissimilarity, "value", NONE, "the oracle's measure; NaN if it did not look")

#define COR_MECHANISM_COLUMNS(X, R)                                                                      \
    COR_CASE_KEYS(X, R)                                                                                  \
    X(R, uint8_t, mechanism, "1", NONE, "mechanism of the arm, from 0, in the order in which they work") \
    X(R, uint8_t, mocked, "1", NONE, "1 if a chain stood in for it")                                     \
    X(R, uint32_t, written, "writes", NONE, "numbers that it wrote, of agents and columns")              \
    X(R, double, moved, "1", NONE, "sum of how far real numbers were changed by what it wrote")          \
    X(R, double, cost, "1", NONE, "what it says that it cost, in its own unit; of a mock as above")      \
    X(R, uint32_t, sample, "1", NONE, "an agent drawn for the sequence; 4294967295 = none")              \
    X(R, double, change, "1", NONE,                                                                      \
      "by how much the first column that it writes was changed of this agent; NaN without one")

/* X(L, TABLE, group in the file, struct cor_<name>_row, columns, meaning[, since, aside]) in the order of the
 * file. What a minor version has added stands at the end. */
#define COR_TABLES(X, L)                                                                                     \
    X(L, SUITES, "suites", suite, COR_SUITE_COLUMNS, "one configuration each")                               \
    X(L, PARAMETERS, "parameters", parameter, COR_PARAMETER_COLUMNS, "parameters drawn for a suite")         \
    X(L, AGENTS, "agents", agent, COR_AGENT_COLUMNS, "agents of a suite")                                    \
    X(L, GROUPS, "groups", group, COR_GROUP_COLUMNS, "agent groups of a suite")                              \
    X(L, CHAINS, "chains", chain, COR_CHAIN_COLUMNS, "chains of a suite")                                    \
    X(L, PROFILES, "profiles", profile, COR_PROFILE_COLUMNS, "environment profiles of a suite")              \
    X(L, VISITS, "visits", visit, COR_VISIT_COLUMNS, "visits of profile states")                             \
    X(L, TRANSITIONS, "transitions", transition, COR_TRANSITION_COLUMNS,                                     \
      "transitions of profiles, taken or not")                                                               \
    X(L, SEQUENCES, "sequences", sequence, COR_SEQUENCE_COLUMNS, "test sequences")                           \
    X(L, CASES, "cases", case, COR_CASE_COLUMNS, "executed test cases")                                      \
    X(L, REORGANIZATIONS, "reorganizations", reorganization, COR_REORGANIZATION_COLUMNS,                     \
      "runs of the algorithm under test")                                                                    \
    X(L, FAILURES, "failures", failure, COR_FAILURE_COLUMNS,                                                 \
      "reorganizations that a box failed or in which a fault was activated, with structure and solution")    \
    X(L, VIOLATIONS, "violations", violation, COR_VIOLATION_COLUMNS,                                         \
      "violated constraints: of each check and box at most the first four of a test case")                   \
    X(L, COUNTERS, "counters", counter, COR_COUNTER_COLUMNS, "white-box probes")                             \
    X(L, BRANCHES, "branches", branch, COR_BRANCH_COLUMNS, "test sequences that continue another one", 1)    \
    X(L, SMOKES, "smokes", smoke, COR_SMOKE_COLUMNS,                                                         \
      "what became of an algorithm that gave no result, in words", 2, true)                                  \
    X(L, STEERED, "steered", steered, COR_STEERED_COLUMNS,                                                   \
      "test sequences whose walks are steered to traps", 3)                                                  \
    X(L, TRAPS, "traps", trap, COR_TRAP_COLUMNS, "traps of test sequences", 3)                               \
    X(L, SCHEDULES, "schedules", schedule, COR_SCHEDULE_COLUMNS, "test sequences whose mail goes by pct", 4) \
    X(L, CONSTRAINTS, "constraints", constraint, COR_CONSTRAINT_COLUMNS,                                     \
      "constraints of a corridor as text that were violated or unknown", 5)                                  \
    X(L, FORMULAS, "formulas", formula, COR_FORMULA_COLUMNS,                                                 \
      "what a corridor as text says of time, of each test sequence", 5)                                      \
    X(L, RETURNS, "returns", return, COR_RETURN_COLUMNS,                                                     \
      "alarms under a corridor as text, and when the system was back inside", 5)                             \
    X(L, MEMBERSHIPS, "memberships", membership, COR_MEMBERSHIP_COLUMNS,                                     \
      "agents in several organizations of the initial structure", 5)                                         \
    X(L, ORGANIZATIONS, "organizations", organization, COR_ORGANIZATION_COLUMNS,                             \
      "organizations of the initial structure, where they stand below others", 5)                            \
    X(L, FAILED_MEMBERSHIPS, "failed_memberships", failed_membership, COR_FAILED_MEMBERSHIP_COLUMNS,         \
      "agents that were in several organizations before what is in failures", 5)                             \
    X(L, FAILED_ORGANIZATIONS, "failed_organizations", failed_organization, COR_FAILED_ORGANIZATION_COLUMNS, \
      "organizations before what is in failures, and of its solution, where they stand below others", 5)     \
    X(L, ATTRIBUTES, "attributes", attribute, COR_ATTRIBUTE_COLUMNS, "attributes of agents", 5)              \
    X(L, OBJECTIVES, "objectives", objective, COR_OBJECTIVE_COLUMNS,                                         \
      "what algorithms were to make small, where a corridor as text says so", 5)                             \
    X(L, TICKS, "ticks", tick, COR_TICK_COLUMNS, "when what happened of reorganizations in continuous time", \
      6)                                                                                                     \
    X(L, SNAPSHOTS, "snapshots", snapshot, COR_SNAPSHOT_COLUMNS,                                             \
      "what the oracle saw at the ends of test cases in continuous time", 6)                                 \
    X(L, MECHANISMS, "mechanisms", mechanism, COR_MECHANISM_COLUMNS,                                         \
      "what mechanisms beside the algorithm did in test cases", 7)

/* X(L, VECTOR, dataset under /vectors, C type, meaning[, since, aside]) */
#define COR_VECTORS(X, L)                                                                             \
    X(L, WALK, "walk", uint8_t, "states of chains, see sequences/walk_start")                         \
    X(L, SOLUTION_BLOCK_SIZE, "solution_block_size", uint32_t, "members of each block, see failures") \
    X(L, SOLUTION_MEMBER, "solution_member", uint32_t, "agents, block after block, see failures")     \
    X(L, STRUCTURE, "structure", uint32_t,                                                            \
      "partition or first organization of each agent, see failures; 4294967295 = in none")            \
    X(L, WORDS, "words", uint8_t, "sentences, see smokes", 2, true)                                   \
    X(L, SENTENCES, "sentences", uint8_t, "sentences, see constraints", 5)

/* X(L, CATALOG, group under /catalog, meaning[, since]); each has code, name and description. */
#define COR_CATALOGS(X, L)                                                            \
    X(L, ARM, "arm", "arms of the campaign: algorithm, fault and preset")             \
    X(L, ALGORITHM, "algorithm", "algorithms under test")                             \
    X(L, FAULT, "fault", "faults selected by the arms")                               \
    X(L, PARAMETER, "parameter", "parameters of test model and algorithms")           \
    X(L, AGENT_TYPE, "agent_type", "types of agents")                                 \
    X(L, ENVIRONMENT, "environment", "environments whose profiles the chains follow") \
    X(L, COUNTER, "counter", "white-box probes")                                      \
    X(L, CONSTRAINT, "constraint", "constraints of a corridor as text", 5)            \
    X(L, ATTRIBUTE, "attribute", "attributes of agents", 5)

/* Numbers of the tables, vectors and catalogs of this layer: their indices in cor_interaction_schema, by
 * which record and result take them. */
COR_NUMBERS(table, COR_TABLES, COR_TABLE_)
COR_NUMBERS(vector, COR_VECTORS, COR_VECTOR_)
COR_NUMBERS(catalog, COR_CATALOGS, COR_CATALOG_)

/* The row structs: struct cor_case_row and so on, a field per column. */
COR_TABLES(COR_EACH_STRUCT, )

extern const struct cor_layer_schema cor_interaction_schema;

/* The schemas of a table and of a vector of it. */
static inline const struct cor_table_schema *cor_schema(enum cor_table table) {
    COR_ASSERT((int)table >= 0 && table < COR_TABLE_COUNT);
    return &cor_interaction_schema.tables[table];
}
static inline const struct cor_vector_schema *cor_vector(enum cor_vector vector) {
    COR_ASSERT((int)vector >= 0 && vector < COR_VECTOR_COUNT);
    return &cor_interaction_schema.vectors[vector];
}

#endif
