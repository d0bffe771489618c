/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the benchmark; main.c lists them. */
#ifndef COR_BENCH_ROWS_H
#define COR_BENCH_ROWS_H

#include "report.h"
#include "setting.h"

/* A part: measures, and puts rows or curves into the report. */
typedef void bench_part(struct bench_report *report, const struct bench_places *places);

bench_part bench_environment; /* rows_environment.c: transitions of chains */
bench_part bench_framework;   /* rows_framework.c: a case without a costly algorithm */
bench_part bench_algorithms;  /* rows_algorithms.c: PSOPP's moves, SPADA's reorganizations and messages */
bench_part bench_log;         /* rows_record.c: bytes and time of what is written down */
bench_part bench_planning;    /* rows_planning.c: configurations from the constraints */
bench_part bench_commands;    /* rows_campaign.c: workers, cold start */
bench_part bench_campaign;    /* rows_campaign.c: the whole campaign of the paper; minutes */
bench_part bench_growth;      /* growth.c and its neighbours: how cost grows */

/* The suites that the rows of the framework and of the log are about: bench_usual with the algorithm
 * `random`, ten sequences each; and the journal they go into. */
enum { BENCH_LOGGED = 10 };
struct bench_logged {
    struct cor_experiment *experiment;
    struct bench_suite suite[BENCH_LOGGED];
    struct cor_journal *journal;
    char *path; /* owned; of the journal */
};

void bench_logged_open(struct bench_logged *logged, const struct bench_places *places);
void bench_logged_close(struct bench_logged *logged);

/* Runs each suite, from its walks into the journal; returns the cases. */
double bench_logged_run(void *logged);

#endif
