/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result file of the agent layer (paper 000), said once, as schema.h says that of the interaction layer:
 * an arm is an agent with or without a fault, a suite a unit of it, a case a combination of values.
 *
 * A value is a number with its kind: integers and reals as they are (integers beyond 2^53 rounded), words as
 * codes of catalog/word, null as 0. */
#ifndef CORRIDOR_AGENT_SCHEMA_H
#define CORRIDOR_AGENT_SCHEMA_H

#include <corridor/layer_schema.h>

#define COR_AGENT_FORMAT_MAJOR 1

/* The code of catalog/word for a word that only the agent said. */
#define COR_AGENT_OTHER_WORD 65535

#define COR_AGENT_UNIT_COLUMNS(X, R)                                                                       \
    COR_SUITE_KEYS(X, R)                                                                                   \
    X(R, uint16_t, unit, "code", NONE, "the unit, code in catalog/unit")                                   \
    X(R, uint32_t, repetition, "1", NONE, "which time the unit is run, from 0")                            \
    X(R, uint8_t, kind, "code", UNIT_KIND, "what is tested")                                               \
    X(R, uint16_t, event, "code", NONE, "the event of an event's unit, code in catalog/name; 0 = none")    \
    X(R, uint32_t, depth, "units", NONE, "length of the longest way down to a unit that needs no other")   \
    X(R, uint32_t, members, "plans", NONE, "number of plans")                                              \
    X(R, uint64_t, combinations, "combinations", NONE, "combinations of all classes")                      \
    X(R, uint64_t, valid, "combinations", NONE, "combinations of valid classes")                           \
    X(R, uint64_t, invalid_single, "combinations", NONE, "rows with one invalid class each")               \
    X(R, uint64_t, cases, "cases", NONE, "cases executed")                                                 \
    X(R, uint64_t, cases_valid, "cases", NONE, "cases executed in which all classes are valid")            \
    X(R, uint64_t, cases_applicable, "cases", NONE, "cases in which a context of the design holds")        \
    X(R, uint64_t, cases_quiet, "cases", NONE, "cases that the agent brought to an end")                   \
    X(R, uint64_t, trace_hash, "1", NONE, "fingerprint of what was reported in all cases, in their order") \
    X(R, uint64_t, seed, "1", NONE, "what samples and agents draw from")

#define COR_AGENT_MEMBER_COLUMNS(X, R) \
    COR_SUITE_KEYS(X, R)               \
    X(R, uint16_t, plan, "code", NONE, "a plan of the unit, code in catalog/name")

#define COR_AGENT_NEED_COLUMNS(X, R) \
    COR_SUITE_KEYS(X, R)             \
    X(R, uint16_t, unit, "code", NONE, "a unit that this one needs, code in catalog/unit")

#define COR_AGENT_CLASS_COLUMNS(X, R)                                                     \
    COR_SUITE_KEYS(X, R)                                                                  \
    X(R, uint16_t, event, "code", NONE, "the event that is posted, code in catalog/name") \
    X(R, uint16_t, variable, "code", NONE, "parameter or field, code in catalog/name")    \
    X(R, uint32_t, class_, "1", NONE, "class of the unit, from 0")                        \
    X(R, uint8_t, valid, "1", NONE, "1 if the design allows its values")                  \
    X(R, uint8_t, kind, "code", VALUE_KIND, "what the sample is")                         \
    X(R, double, sample, "value", NONE, "the value that stands for the class")            \
    X(R, uint64_t, cases, "cases", NONE, "cases executed with a value of the class")

#define COR_AGENT_TRIAL_COLUMNS(X, R)                                                      \
    COR_SUITE_KEYS(X, R)                                                                   \
    X(R, uint32_t, case_, "1", NONE, "case of the unit, from 0")                           \
    X(R, uint16_t, event, "code", NONE, "the event that was posted, code in catalog/name") \
    X(R, uint8_t, valid, "1", NONE, "1 if all classes are valid")                          \
    X(R, uint8_t, applicable, "1", NONE, "1 if a context of the design holds")             \
    X(R, uint8_t, own, "1", NONE, "1 if the user wrote the case")                          \
    X(R, uint8_t, end, "code", TRACE_END, "how it ended")                                  \
    X(R, uint32_t, steps, "steps", NONE, "steps taken, as the agent counts them")          \
    X(R, uint32_t, events, "events", NONE, "events reported")                              \
    X(R, uint64_t, trace_hash, "1", NONE, "fingerprint of what was reported")

#define COR_AGENT_INPUT_COLUMNS(X, R)                                                  \
    COR_SUITE_KEYS(X, R)                                                               \
    X(R, uint32_t, case_, "1", NONE, "case of the unit")                               \
    X(R, uint16_t, variable, "code", NONE, "parameter or field, code in catalog/name") \
    X(R, uint8_t, kind, "code", VALUE_KIND, "what the value is")                       \
    X(R, double, value, "value", NONE, "what the case has for it")

#define COR_AGENT_TRACE_COLUMNS(X, R)                                                                 \
    COR_SUITE_KEYS(X, R)                                                                              \
    X(R, uint32_t, case_, "1", NONE, "case of the unit")                                              \
    X(R, uint32_t, event, "1", NONE, "event of the trace, from 0")                                    \
    X(R, uint8_t, kind, "code", TRACE, "what was reported")                                           \
    X(R, uint8_t, flag, "1", NONE, "of a context: it held; of an end: the plan completed")            \
    X(R, uint16_t, plan, "code", NONE, "the plan that did it, code in catalog/name; 0 = none")        \
    X(R, uint16_t, subject, "code", NONE, "event, message, action or field, code in catalog/name")    \
    X(R, uint32_t, parent, "1", NONE, "event by which the plan around it started; 4294967295 = none") \
    X(R, uint64_t, value_start, "1", NONE, "first of its values in vectors/trace_value")              \
    X(R, uint32_t, values, "1", NONE, "arguments of a post, or what was written")

#define COR_AGENT_FINDING_COLUMNS(X, R)                                                                \
    COR_SUITE_KEYS(X, R)                                                                               \
    X(R, uint8_t, check, "code", AUT_CHECK, "what was found")                                          \
    X(R, uint8_t, severity, "code", SEVERITY, "how much it matters")                                   \
    X(R, uint16_t, plan, "code", NONE, "the plan that did or did not, code in catalog/name; 0 = none") \
    X(R, uint16_t, about, "code", NONE, "what it is about, code in catalog/name; 0 = the unit")        \
    X(R, uint32_t, hit, "cases", NONE, "cases that show it")                                           \
    X(R, uint32_t, run, "cases", NONE, "cases that could show it")                                     \
    X(R, uint32_t, smallest, "1", NONE, "the case with the shortest trace that shows it")              \
    X(R, uint8_t, cause, "code", CAUSE, "where it comes from")                                         \
    X(R, uint16_t, cause_unit, "code", NONE,                                                           \
      "the unit that explains it, code in catalog/unit; its own for a root")

#define COR_AGENT_USE_COLUMNS(X, R)                                                  \
    COR_SUITE_KEYS(X, R)                                                             \
    X(R, uint8_t, use, "code", USE, "what there is to be seen")                      \
    X(R, uint16_t, plan, "code", NONE, "of this plan, code in catalog/name")         \
    X(R, uint16_t, subject, "code", NONE,                                            \
      "event, message, action, belief set or the plan itself, code in catalog/name") \
    X(R, uint32_t, branch, "1", NONE, "which branch of the body, from 0; else 0")    \
    X(R, uint64_t, cases, "cases", NONE, "cases in which it was seen; of branches 1 if it was")

#define COR_AGENT_INTENTION_COLUMNS(X, R)                          \
    COR_SUITE_KEYS(X, R)                                           \
    X(R, uint32_t, case_, "1", NONE, "case of the unit")           \
    X(R, uint32_t, event, "1", NONE, "event of the trace, from 0") \
    X(R, uint32_t, intention, "1", NONE, "in which it happened, from 1: those of a case as they begin")

#define COR_AGENT_RACE_COLUMNS(X, R)                                                                \
    COR_SUITE_KEYS(X, R)                                                                            \
    X(R, uint8_t, check, "code", AUT_CHECK, "of the finding")                                       \
    X(R, uint16_t, about, "code", NONE, "what it is about, code in catalog/name")                   \
    X(R, uint32_t, case_, "1", NONE, "its smallest case: an interleaving that ends otherwise than") \
    X(R, uint32_t, first, "1", NONE, "the first of the same case")

/* X(L, TABLE, group, row struct, columns, meaning[, since]) */
#define COR_AGENT_TABLES(X, L)                                                                             \
    X(L, UNITS, "units", agent_unit, COR_AGENT_UNIT_COLUMNS, "units run, each a suite of its arm")         \
    X(L, MEMBERS, "members", agent_member, COR_AGENT_MEMBER_COLUMNS, "plans of the units")                 \
    X(L, NEEDS, "needs", agent_need, COR_AGENT_NEED_COLUMNS, "units that a unit depends on")               \
    X(L, CLASSES, "classes", agent_class, COR_AGENT_CLASS_COLUMNS,                                         \
      "equivalence classes of the units' variables")                                                       \
    X(L, TRIALS, "trials", agent_trial, COR_AGENT_TRIAL_COLUMNS,                                           \
      "executed cases: the first 2048 of a suite, and all that a finding names")                           \
    X(L, INPUTS, "inputs", agent_input, COR_AGENT_INPUT_COLUMNS, "values of the variables in these cases") \
    X(L, TRACES, "traces", agent_trace, COR_AGENT_TRACE_COLUMNS,                                           \
      "what the agent reported in the smallest case of each finding; any other case can be run again")     \
    X(L, FINDINGS, "findings", agent_finding, COR_AGENT_FINDING_COLUMNS,                                   \
      "what the agent does otherwise than its design")                                                     \
    X(L, USES, "uses", agent_use, COR_AGENT_USE_COLUMNS,                                                   \
      "what of the design and of the bodies the cases reached")                                            \
    X(L, INTENTIONS, "intentions", agent_intention, COR_AGENT_INTENTION_COLUMNS,                           \
      "events of traces that are not of the first intention", 1)                                           \
    X(L, RACES, "races", agent_race, COR_AGENT_RACE_COLUMNS,                                               \
      "of findings that are races: two cases that differ in who takes turns", 1)

/* X(L, VECTOR, dataset under /vectors, C type, meaning) */
#define COR_AGENT_VECTORS(X, L)                                              \
    X(L, TRACE_VALUE, "trace_value", double, "values of traces, see traces") \
    X(L, TRACE_VALUE_KIND, "trace_value_kind", uint8_t, "their kinds, one for each")

/* X(L, CATALOG, group under /catalog, meaning) */
#define COR_AGENT_CATALOGS(X, L)                                                                        \
    X(L, ARM, "arm", "arms of the campaign: the agent, and its fault")                                  \
    X(L, UNIT, "unit", "units of the design, in the order in which they are tested")                    \
    X(L, NAME, "name",                                                                                  \
      "what the design names: plans, events, messages, actions, belief sets, fields, parameters; 0 is " \
      "nothing")                                                                                        \
    X(L, WORD, "word", "words that values can be")                                                      \
    X(L, UNREACHED, "unreached", "what no entry of the agent reaches, and so no unit tests")

/* Numbers of the tables, vectors and catalogs of this layer: their indices in cor_agent_schema, by which
 * record and result take them. */
COR_NUMBERS(agent_table, COR_AGENT_TABLES, COR_AGENT_TABLE_)
COR_NUMBERS(agent_vector, COR_AGENT_VECTORS, COR_AGENT_VECTOR_)
COR_NUMBERS(agent_catalog, COR_AGENT_CATALOGS, COR_AGENT_CATALOG_)

/* The row structs: struct cor_agent_unit_row and so on. */
COR_AGENT_TABLES(COR_EACH_STRUCT, )

extern const struct cor_layer_schema cor_agent_schema;

#endif
