/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of subcommands, by groups, in the order of the help. A subcommand is an X here and a file
 * NAME_command.c with its `cor_command_NAME`. GROUP(title) begins a group of the first screen. FAMILY(name,
 * summary) stands there for the actions behind it ("profile fit"), of which it is the first word. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_COMMANDS_H
#define CORRIDOR_EXPERIMENTS_COMMAND_COMMANDS_H

#include "command.h"

#include <corridor/built.h>

#define COR_COMMANDS(GROUP, FAMILY, X)                                                                       \
    GROUP("start")                                                                                           \
    X(new)                                                                                                   \
    X(list)                                                                                                  \
    X(plan)                                                                                                  \
    X(run)                                                                                                   \
    X(status)                                                                                                \
    GROUP("look")                                                                                            \
    X(show)                                                                                                  \
    X(report)                                                                                                \
    X(compare)                                                                                               \
    X(coverage)                                                                                              \
    X(export)                                                                                                \
    X(sql)                                                                                                   \
    GROUP("a failure")                                                                                       \
    X(failures)                                                                                              \
    X(replay)                                                                                                \
    X(shrink)                                                                                                \
    X(why)                                                                                                   \
    X(ask)                                                                                                   \
    X(tree)                                                                                                  \
    GROUP("more failures")                                                                                   \
    X(search)                                                                                                \
    X(estimate)                                                                                              \
    X(decide)                                                                                                \
    X(explore)                                                                                               \
    X(combine)                                                                                               \
    X(stabilize)                                                                                             \
    GROUP(COR_WITH_AGENT("agents, ") COR_WITH_EFSM("models, ") "environments")                               \
    COR_WITH_AGENT(FAMILY("agent", "test an agent by its design") X(agent_order) X(agent_cases)              \
                       X(agent_check) X(agent_test) X(agent_mutate))                                         \
    COR_WITH_EFSM(FAMILY("efsm", "test a system by its model") X(efsm_show) X(efsm_compare) X(efsm_check)    \
                      X(efsm_reach) X(efsm_plan) X(efsm_tables) X(efsm_test) X(efsm_mutants))                \
    COR_WITH_SYSTEM(FAMILY("system", "test a running system") X(system_check) X(system_model) \
                        X(system_mutants) X(system_test) X(system_train) X(system_world))                    \
    FAMILY("profile", "fit environment profiles")                                                            \
    X(profile_fit)                                                                                           \
    X(profile_influence)                                                                                     \
    X(profile_chain)                                                                                         \
    X(profile_show)                                                                                          \
    X(profile_export)                                                                                        \
    X(profile_walk)                                                                                          \
    GROUP("keep house")                                                                                      \
    X(watch)                                                                                                 \
    X(verify)                                                                                                \
    X(merge)                                                                                                 \
    X(doctor)                                                                                                \
    X(check)                                                                                                 \
    X(judge)                                                                                                 \
    X(prove)

#define COR_NOTHING(...)
#define COR_COMMAND_DECLARATION(name) extern const struct cor_command cor_command_##name;
COR_COMMANDS(COR_NOTHING, COR_NOTHING, COR_COMMAND_DECLARATION)
#undef COR_COMMAND_DECLARATION

#endif
