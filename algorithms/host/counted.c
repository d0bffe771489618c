/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "counted.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint32_t host__cells_count(const struct cor_algorithm *algorithm) {
    uint32_t count = HOST__GAP;
    for (uint32_t c = 0; c < cor_algorithm_counter_count(algorithm); c++)
        count += algorithm->counters[c].bucket_count + HOST__GAP;
    return count;
}

void host__cells_lay(const struct cor_algorithm *algorithm, uint32_t *start, uint32_t entries) {
    const uint32_t count = cor_algorithm_counter_count(algorithm);
    uint32_t at = HOST__GAP;
    for (uint32_t c = 0; c < entries; c++) {
        start[c] = c < count ? at : at - HOST__GAP;
        at += c < count ? algorithm->counters[c].bucket_count + HOST__GAP : 0;
    }
}

/* What was counted in a cell of a gap. */
static void say_beside(const struct cor_algorithm *algorithm, uint32_t cell, char *text, size_t size) {
    const uint32_t count = cor_algorithm_counter_count(algorithm);
    uint32_t c = 0, at = HOST__GAP;
    while (c + 1 < count && at + algorithm->counters[c].bucket_count + HOST__GAP <= cell)
        at += algorithm->counters[c++].bucket_count + HOST__GAP;
    if (count == 0)
        snprintf(text, size, "it counts, but declares no counters");
    else
        snprintf(text, size, "it counted bucket %d of counter \"%s\", which has %u",
                 (int)((int64_t)cell - at), algorithm->counters[c].name, algorithm->counters[c].bucket_count);
}

bool host__cells_fold(struct cor_session *session, uint64_t *cells, char *text, size_t size) {
    const struct cor_algorithm *algorithm = session->algorithm;
    const uint32_t count = cor_algorithm_counter_count(algorithm), all = host__cells_count(algorithm);
    bool can_be = true;
    uint32_t at = HOST__GAP;
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t b = 0; b < algorithm->counters[c].bucket_count; b++) {
            uint64_t *from = &cells[at + b];
            if (*from <= HOST__COUNT_MOST)
                host__count_add(&session->counters[session->counter_start[c] + b], *from);
            else if (can_be)
                snprintf(text, size, "it counted %" PRIu64 " in bucket %u of counter \"%s\", which cannot be",
                         *from, b, algorithm->counters[c].name);
            can_be = can_be && *from <= HOST__COUNT_MOST;
            *from = 0;
        }
        at += algorithm->counters[c].bucket_count + HOST__GAP;
    }
    for (uint32_t cell = 0; cell < all; cell++) {
        if (cells[cell] != 0 && can_be) {
            say_beside(algorithm, cell, text, size);
            can_be = false;
        }
        cells[cell] = 0;
    }
    return can_be;
}

/* What is wrong with the counts of a fault, in words. */
static void say_counts(const struct cor_fault_counts *fault, bool is_asked, char *text, size_t size) {
    snprintf(text, size,
             "%sreached %" PRIu64 " times, its condition held %" PRIu64 " times, activated %" PRIu64
             ", in the result %" PRIu64 "%s",
             is_asked ? "of its fault it counts: " : "it counts a fault (", fault->reached, fault->held,
             fault->activated, fault->in_result,
             is_asked ? "; each can be at most the one before, the last 1" : "), but none was asked for");
}

bool host__counts_judge(const struct cor_task *task, const struct cor_fault_counts *own,
                        struct cor_outcome *outcome, char *text, size_t size) {
    struct cor_fault_counts *fault = &outcome->fault;
    /* What is kept may descend from a corrupted state of the reorganization before. */
    const bool is_result_of_this = task->kept_size > 0 || fault->in_result <= fault->activated;
    const bool is_nested = fault->held <= fault->reached && fault->activated <= fault->held &&
                           fault->in_result <= 1 && is_result_of_this && fault->reached <= HOST__COUNT_MOST;
    const bool is_asked = task->rules->fault != 0 || !own || memcmp(fault, own, sizeof *own) == 0;
    const bool is_spent = outcome->spent <= HOST__COUNT_MOST;
    if (is_asked && is_nested && is_spent)
        return true;
    if (!is_asked || !is_nested) {
        say_counts(fault, is_asked, text, size);
        *fault = own && task->rules->fault == 0 ? *own : (struct cor_fault_counts){0};
    } else {
        snprintf(text, size, "it says that it used %" PRIu64 " units of its budget, which cannot be",
                 outcome->spent);
    }
    outcome->spent = is_spent ? outcome->spent : 0;
    return false;
}
