/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A failing test of a running system as a smaller one: the commands of its test agents, without their goals,
 * as few as the same judge needs to object, in a world with as few things as that; where no judge objected,
 * behind as few commands the goal that failed, for the same reason. */
#ifndef CORRIDOR_SYSTEM_SHRINK_H
#define CORRIDOR_SYSTEM_SHRINK_H

#include <corridor/result.h>

struct cor_system_shrink_definition {
    uint16_t arm; /* code */
    uint32_t suite;
    bool trust;      /* programs that the file names may be started */
    int isolation;   /* of these; enum cor_isolation */
    uint64_t budget; /* tests executed; 0: as many as it takes */
    bool (*go_on)(void *self, uint64_t executions, uint32_t commands); /* asked before each; NULL: always */
    void *self;
};

struct cor_system_shrink_report {
    char *test;   /* owned; a file for corridor system test; NULL: its commands do not fail alike */
    char *said;   /* owned; for people */
    char *needed; /* owned; what must be there: commands, the goal that fails, things of the world */
    char *check;  /* owned; whose verdict it is, the trouble of the world, or whose goal failed */
    uint32_t commands, commands_before, things,
        things_before; /* things: of the world, that can be left out */
    uint64_t executions;
    bool is_minimal; /* no command and no thing can be left out, nor two commands where these are few */
};

/* Shrinks the test of a result file, which `path` names. COR_STATUS_INPUT: no judge objected in it, the world
 * was in no trouble, and no goal failed or was stalled in the end. */
enum cor_status cor_system_shrink(struct cor_result *result, const char *path,
                                  const struct cor_system_shrink_definition *definition,
                                  struct cor_system_shrink_report *report,
                                  struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_system_shrink_report_fini(struct cor_system_shrink_report *report);

#endif
