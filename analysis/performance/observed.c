/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From rows to observations, one a sequence. */
#include "observed.h"

#include "kills.h"

#include <corridor/array.h>

#include <stdlib.h>

static enum cor_status make_room(struct cor__observed *arm, size_t sequences, struct cor_error *error) {
    size_t n = arm->n + sequences, suites = arm->suites + 1u;
    enum cor_status status = COR_RESERVE(&arm->time, &arm->time_capacity, n, error);
    if (status == COR_OK)
        status = COR_RESERVE(&arm->event, &arm->event_capacity, n, error);
    if (status == COR_OK)
        status = COR_RESERVE(&arm->cluster, &arm->cluster_capacity, n, error);
    if (status == COR_OK)
        status = COR_RESERVE(&arm->entered, &arm->entered_capacity, suites, error);
    if (status == COR_OK)
        status = COR_RESERVE(&arm->gray, &arm->gray_capacity, suites, error);
    if (status == COR_OK)
        status = COR_RESERVE(&arm->black, &arm->black_capacity, suites, error);
    return status == COR_OK ? COR_RESERVE(&arm->masked, &arm->masked_capacity, suites, error) : status;
}

/* Does the reorganization count as a detection for the curves? */
static bool seen(const struct cor_reorganization_row *run, int box) {
    bool gray = cor__detection(run->gray), black = cor__detection(run->black);
    return (gray && box != COR_BOX_BLACK) || (black && box != COR_BOX_GRAY);
}

static void observe_sequences(struct cor__observed *arm, const struct cor__book *book, int box) {
    size_t sequences, runs, r = 0;
    const struct cor_sequence_row *sequence = cor__book_rows(book, COR_TABLE_SEQUENCES, &sequences);
    const struct cor_reorganization_row *run = cor__book_rows(book, COR_TABLE_REORGANIZATIONS, &runs);
    for (size_t s = 0; s < sequences; s++) {
        while (r < runs && run[r].sequence < sequence[s].sequence)
            r++;
        while (r < runs && run[r].sequence == sequence[s].sequence && !seen(&run[r], box))
            r++;
        bool event = r < runs && run[r].sequence == sequence[s].sequence;
        arm->time[arm->n] = event ? run[r].case_ : sequence[s].executed;
        arm->event[arm->n] = event;
        arm->cluster[arm->n++] = arm->suites;
    }
}

static void observe_failures(struct cor__observed *arm, const struct cor__book *book) {
    size_t runs, entered = 0, gray = 0, black = 0, masked = 0;
    const struct cor_reorganization_row *run = cor__book_rows(book, COR_TABLE_REORGANIZATIONS, &runs);
    for (size_t r = 0; r < runs; r++) {
        if (run[r].fault_activated == 0)
            continue;
        bool in_gray = cor__detection(run[r].gray), in_black = cor__detection(run[r].black);
        entered++;
        gray += in_gray;
        black += in_black;
        masked += !in_gray && !in_black;
    }
    arm->entered[arm->suites] = (double)entered;
    arm->gray[arm->suites] = (double)gray;
    arm->black[arm->suites] = (double)black;
    arm->masked[arm->suites] = (double)masked;
}

enum cor_status cor__depths_observe(struct cor_result *result, struct cor_depths *depths,
                                    struct cor__observed *arms, struct cor_error *error) {
    struct cor__book book;
    bool there = true;
    enum cor_status status = cor__book_init(&book, result, false, error);
    while (status == COR_OK && there) {
        size_t sequences;
        status = cor__book_next(&book, &there, error);
        if (status != COR_OK || !there)
            break;
        size_t a = cor__arm_index(depths->head, book.suite.arm);
        if (a == depths->arm_count) {
            status = cor__arm_missing(book.suite.arm, error);
            break;
        }
        cor__book_rows(&book, COR_TABLE_SEQUENCES, &sequences);
        status = make_room(&arms[a], sequences, error);
        if (status != COR_OK)
            break;
        observe_sequences(&arms[a], &book, depths->box);
        observe_failures(&arms[a], &book);
        arms[a].suites++;
        status = cor__kills_count(&book, &depths->arm[a], error);
    }
    depths->left_out = book.left_out;
    cor__book_fini(&book);
    return status;
}

void cor__observed_forget(struct cor__observed *arm) {
    free(arm->time);
    free(arm->event);
    free(arm->cluster);
    free(arm->entered);
    free(arm->gray);
    free(arm->black);
    free(arm->masked);
}
