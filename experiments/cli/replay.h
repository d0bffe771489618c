/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How suites of a result file are executed again. */
#ifndef CORRIDOR_CLI_REPLAY_H
#define CORRIDOR_CLI_REPLAY_H

#include <corridor/record.h>
#include <corridor/result.h>

struct cor_replayer {
    /* For a file, which `path` names; both outlive what is made. */
    enum cor_status (*open)(struct cor_result *result, const char *path, void **self,
                            struct cor_error *error);
    enum cor_status (*execute)(void *self, uint16_t arm, uint32_t suite, struct cor_record *record,
                               struct cor_error *error);
    void (*close)(void *self); /* NULL is allowed */
    const char *first; /* group of the table whose differences are told before others; NULL: the main one's */
};

/* Suites of any layer, by the experiment that stands in the file. */
extern const struct cor_replayer cor_suite_replayer;

/* Tests on line: systems of ours by their names, programs by what they answered then. */
extern const struct cor_replayer cor_efsm_replayer;

#endif
