/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of subcommands, in the order of the help. A subcommand is a line here and a file NAME_command.c
 * with its `cor_command_NAME`; of a view the line is in corridor/view.h; the actions of a group (profile)
 * share one. */
#ifndef CORRIDOR_CLI_COMMANDS_H
#define CORRIDOR_CLI_COMMANDS_H

#include "command.h"

#include <corridor/view.h>

#define COR_COMMANDS(X) \
    X(run)              \
    X(search)           \
    X(compare_search)   \
    X(submit)           \
    X(plan)             \
    X(status)           \
    X(verify)           \
    X(merge)            \
    COR_VIEWS(X)        \
    X(report)           \
    X(replay)           \
    X(shrink)           \
    X(export)           \
    X(list)             \
    X(check_algorithm)  \
    X(doctor)           \
    X(new_algorithm)    \
    X(combine)          \
    X(profile_fit)      \
    X(profile_show)     \
    X(profile_export)   \
    X(profile_walk)     \
    X(units_order)      \
    X(units_cases)      \
    X(units_test)       \
    X(units_mutate)     \
    X(efsm_show)        \
    X(efsm_check)       \
    X(efsm_reach)       \
    X(efsm_plan)        \
    X(efsm_tables)      \
    X(efsm_test)        \
    X(efsm_mutants)

#define COR_COMMAND_DECLARATION(name) extern const struct cor_command cor_command_##name;
COR_COMMANDS(COR_COMMAND_DECLARATION)
#undef COR_COMMAND_DECLARATION

#endif
