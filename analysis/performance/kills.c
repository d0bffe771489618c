/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which check saw what. A killer is a pair of box and check, or smoke, as 16 box + check. */
#include "kills.h"

#include <corridor/terms.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CHECKS 16 /* greatest code of COR_CHECKS fits below */
#define SMOKE 0   /* neither box nor check has the code 0 */
_Static_assert((int)COR_CHECK_CODES <= CHECKS, "killers are numbered 16 box + check");

const char *cor_old_killer_word(size_t killer, char text[64]) {
    if (killer == SMOKE)
        snprintf(text, 64, "smoke");
    else
        snprintf(text, 64, "%s.%s", cor_term_word(COR_FAMILY_BOX, (int)(killer / CHECKS)),
                 cor_term_word(COR_FAMILY_CHECK, (int)(killer % CHECKS)));
    return text;
}

const char *cor_old_killer_rule(size_t killer) {
    const struct cor_term *check = cor_term(COR_FAMILY_CHECK, (int)(killer % CHECKS));
    return check ? check->rule : "";
}

/* What is known while the rows of a suite are gone through, in order of sequence and case. */
struct scene {
    struct cor_depth_arm *arm;
    bool in_suite[COR_OLD_KILLERS];
    uint32_t in_sequence[COR_OLD_KILLERS]; /* 1 + the last sequence in which it was violated */
};

/* The killers of one case, each once. */
struct kills {
    bool by[COR_OLD_KILLERS];
    size_t list[COR_OLD_KILLERS], count;
};

static void add(struct kills *kills, size_t killer) {
    if (killer >= COR_OLD_KILLERS || kills->by[killer])
        return;
    kills->by[killer] = true;
    kills->list[kills->count++] = killer;
}

static void settle(struct scene *scene, struct kills *kills, uint16_t sequence, bool activated) {
    for (size_t i = 0; i < kills->count; i++) {
        size_t killer = kills->list[i];
        struct cor_old_kill *kill = &scene->arm->kill[killer];
        kill->cases++;
        kill->failures += activated;
        kill->alone += kills->count == 1;
        kill->sequences += scene->in_sequence[killer] != sequence + 1u;
        kill->suites += !scene->in_suite[killer];
        scene->in_sequence[killer] = sequence + 1u;
        scene->in_suite[killer] = true;
        kills->by[killer] = false;
    }
    kills->count = 0;
}

static uint64_t key(uint16_t sequence, uint32_t number) {
    return (uint64_t)sequence << 32 | number;
}

static enum cor_status killer_of(const struct cor_violation_row *row, size_t *killer,
                                 struct cor_error *error) {
    *killer = (size_t)row->box * CHECKS + row->check;
    if (row->box > 0 && row->box <= COR_BOX_INTERIM && row->check > 0 && row->check < CHECKS)
        return COR_OK;
    return cor__damaged(error, COR_TABLE_VIOLATIONS,
                        "arm %u, suite %" PRIu32 ", sequence %u, case %" PRIu32
                        ": box %u and check %u are no codes",
                        row->arm, row->suite, row->sequence, row->case_, row->box, row->check);
}

/* Both tables lie by sequence and case: merged like two sorted lists. */
enum cor_status cor__kills_count(const struct cor__book *book, struct cor_depth_arm *arm,
                                 struct cor_error *error) {
    size_t violations, runs, v = 0, r = 0;
    const struct cor_violation_row *violation = cor__book_rows(book, COR_TABLE_VIOLATIONS, &violations);
    const struct cor_reorganization_row *run = cor__book_rows(book, COR_TABLE_REORGANIZATIONS, &runs);
    struct scene scene = {.arm = arm};
    struct kills kills = {.count = 0};
    while (v < violations || r < runs) {
        uint64_t next_violation =
            v < violations ? key(violation[v].sequence, violation[v].case_) : UINT64_MAX;
        uint64_t next_run = r < runs ? key(run[r].sequence, run[r].case_) : UINT64_MAX;
        uint64_t here = next_violation < next_run ? next_violation : next_run;
        bool activated = false;
        for (; v < violations && key(violation[v].sequence, violation[v].case_) == here; v++) {
            size_t killer;
            enum cor_status status = killer_of(&violation[v], &killer, error);
            if (status != COR_OK)
                return status;
            add(&kills, killer);
        }
        for (; r < runs && key(run[r].sequence, run[r].case_) == here; r++) {
            activated = activated || run[r].fault_activated > 0;
            if (run[r].gray == COR_VERDICT_SMOKE || run[r].black == COR_VERDICT_SMOKE)
                add(&kills, SMOKE);
        }
        settle(&scene, &kills, (uint16_t)(here >> 32), activated);
    }
    return COR_OK;
}
