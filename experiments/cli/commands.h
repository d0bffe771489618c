/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The subcommands, one file each. */
#ifndef CORRIDOR_CLI_COMMANDS_H
#define CORRIDOR_CLI_COMMANDS_H

#include "command.h"

extern const struct cor_command cor_command_run;            /* run_command.c */
extern const struct cor_command cor_command_plan;           /* plan_command.c */
extern const struct cor_command cor_command_tables;         /* tables_command.c */
extern const struct cor_command cor_command_survival;       /* survival_command.c */
extern const struct cor_command cor_command_performance;    /* performance_command.c */
extern const struct cor_command cor_command_compare;        /* compare_command.c */
extern const struct cor_command cor_command_coverage;       /* coverage_command.c */
extern const struct cor_command cor_command_contrasts;      /* contrasts_command.c */
extern const struct cor_command cor_command_tree;           /* tree_command.c */
extern const struct cor_command cor_command_report;         /* report_command.c */
extern const struct cor_command cor_command_export;         /* export_command.c */
extern const struct cor_command cor_command_list;           /* list_command.c */
extern const struct cor_command cor_command_profile_fit;    /* profile_command.c */
extern const struct cor_command cor_command_profile_show;   /* profile_command.c */
extern const struct cor_command cor_command_profile_export; /* profile_command.c */

/* Versions of result format and plug-in interface as text; list_command.c. */
extern const char cor_text_format[], cor_text_abi[];

#endif
