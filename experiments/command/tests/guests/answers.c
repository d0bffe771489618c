/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a guest says: no partitioning, no sense, or not the same twice. */
#define _GNU_SOURCE
#include "guest.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static enum cor_progress put_all_but(const struct call *call, uint32_t missing, uint32_t added) {
    uint32_t n = call->task->agent_count, count = 0;
    uint32_t *members = call->host->alloc(call->host, (n + 1) * sizeof *members);
    for (uint32_t i = 0; members && i < n; i++)
        if (i != missing)
            members[count++] = i;
    if (members && added != UINT32_MAX)
        members[count++] = added;
    if (members)
        call->host->put_block(call->host, members, count);
    return COR_DONE;
}

static enum cor_progress misses_an_agent(const struct call *call) {
    return put_all_but(call, 0, UINT32_MAX);
}
static enum cor_progress repeats_an_agent(const struct call *call) {
    return put_all_but(call, UINT32_MAX, 0);
}
static enum cor_progress invents_an_agent(const struct call *call) {
    return put_all_but(call, UINT32_MAX, call->task->agent_count);
}
static enum cor_progress invents_agent_2_to_the_32(const struct call *call) {
    return put_all_but(call, 0, UINT32_MAX - 1);
}
static enum cor_progress puts_an_empty_block(const struct call *call) {
    call->host->put_block(call->host, NULL, 0);
    return guest_deal(call, 0);
}
static enum cor_progress puts_nothing(const struct call *call) {
    (void)call;
    return COR_DONE;
}
static enum cor_progress puts_a_null_block(const struct call *call) {
    call->host->put_block(call->host, NULL, 3);
    return COR_DONE;
}
static enum cor_progress puts_2_to_the_60(const struct call *call) {
    call->host->put_block(call->host, call->task->members, (size_t)1 << 60);
    return COR_DONE;
}
static enum cor_progress puts_minus_1(const struct call *call) {
    call->host->put_block(call->host, call->task->members, SIZE_MAX);
    return COR_DONE;
}
static enum cor_progress puts_a_million(const struct call *call) {
    while (call->host->put_block(call->host, call->task->members, call->task->agent_count))
        ;
    return COR_DONE;
}
static enum cor_progress puts_without_a_look(const struct call *call) {
    for (int i = 0; i < 3000000; i++)
        call->host->put_block(call->host, call->task->members, 1);
    return COR_DONE;
}
static enum cor_progress puts_half(const struct call *call) {
    put_all_but(call, 1, UINT32_MAX);
    abort();
}

static enum cor_progress returns_77(const struct call *call) {
    guest_deal(call, 0);
    return (enum cor_progress)77;
}
static enum cor_progress returns_minus_77(const struct call *call) {
    guest_deal(call, 0);
    return (enum cor_progress) - 77;
}
static enum cor_progress returns_continue(const struct call *call) {
    guest_deal(call, 0);
    return COR_CONTINUE;
}
static enum cor_progress complains(const struct call *call) {
    call->host->complain(call->host, "no");
    return COR_FAILED;
}
static enum cor_progress complains_of_nothing(const struct call *call) {
    (void)call;
    return COR_FAILED;
}
static enum cor_progress complains_at_length(const struct call *call) {
    char *text = malloc((size_t)1 << 20);
    if (text) {
        memset(text, 'x', ((size_t)1 << 20) - 1);
        text[((size_t)1 << 20) - 1] = '\0';
        call->host->complain(call->host, text);
    }
    free(text);
    return COR_FAILED;
}
static enum cor_progress complains_in_bytes(const struct call *call) {
    call->host->complain(call->host, "\xff\xfe\x1b[31m\n\r\t\"<b>%s%n");
    return COR_FAILED;
}
static enum cor_progress complains_by_null(const struct call *call) {
    call->host->complain(call->host, NULL);
    return COR_FAILED;
}

/* Calls where they are not allowed: refused, and of no effect. */
static enum cor_progress speaks_out_of_turn(const struct call *call) {
    call->host->move(call->host, 0, 0);
    call->host->send(call->host, 0, 1, "x", 1);
    call->host->agent(call->host, 0);
    call->host->agent(call->host, UINT32_MAX);
    return guest_deal(call, 0);
}
static enum cor_progress relies_on_no_cost(const struct call *call) {
    const uint32_t start[] = {0, 3, 2, UINT32_MAX}, members[] = {0, UINT32_MAX, 0};
    double cost = call->host->cost(call->host, 3, start, members);
    return guest_deal(call, cost >= 0 ? 1 : 0); /* NaN is neither */
}
static enum cor_progress asks_a_null_cost(const struct call *call) {
    (void)call->host->cost(call->host, 1, NULL, NULL);
    return guest_deal(call, 0);
}
static enum cor_progress spends_all(const struct call *call) {
    *call->host->spent = UINT64_MAX;
    return guest_deal(call, 0);
}
/* What it counts; guest.c has counted the fault once already, as it should. */
static enum cor_progress activates_unheld(const struct call *call) {
    call->host->fault->activated++;
    return guest_deal(call, 0);
}
static enum cor_progress holds_unreached(const struct call *call) {
    call->host->fault->held++;
    return guest_deal(call, 0);
}
static enum cor_progress is_in_the_result_twice(const struct call *call) {
    call->host->fault->in_result = 2;
    return guest_deal(call, 0);
}
static enum cor_progress is_in_the_result_unactivated(const struct call *call) {
    call->host->fault->reached = call->host->fault->held = call->host->fault->activated = 0;
    return guest_deal(call, 0);
}
static enum cor_progress reaches_less_than_nothing(const struct call *call) {
    call->host->fault->reached -= 2;
    return guest_deal(call, 0);
}
static enum cor_progress counts_its_fault_below_0(const struct call *call) {
    call->host->fault->reached = call->host->fault->held = call->host->fault->activated -= 2;
    return guest_deal(call, 0);
}
static enum cor_progress forgets_its_fault(const struct call *call) {
    call->host->fault->reached = call->host->fault->held = call->host->fault->activated = 0;
    call->host->fault->in_result = 0;
    return guest_deal(call, 0);
}
static enum cor_progress counts_and_crashes(const struct call *call) {
    call->host->fault->activated = 7;
    call->host->counters[call->host->counter_start[0]] = UINT64_MAX;
    *call->host->spent = UINT64_MAX;
    abort();
}
static enum cor_progress counts_a_bucket_behind(const struct call *call) {
    cor_count(call->host, 0, 2);
    return guest_deal(call, 0);
}
static enum cor_progress counts_a_bucket_before(const struct call *call) {
    cor_count(call->host, 0, UINT32_MAX);
    return guest_deal(call, 0);
}
static enum cor_progress counts_a_counter_behind(const struct call *call) {
    cor_count(call->host, 1, 0);
    return guest_deal(call, 0);
}
static enum cor_progress counts_the_ninth_counter(const struct call *call) {
    cor_count(call->host, 8, 3);
    return guest_deal(call, 0);
}
static enum cor_progress counts_below_0(const struct call *call) {
    call->host->counters[call->host->counter_start[0]]--;
    return guest_deal(call, 0);
}
static enum cor_progress counts_to_the_end(const struct call *call) {
    call->host->counters[call->host->counter_start[0] + 1] = UINT64_MAX;
    cor_count(call->host, 0, 0);
    return guest_deal(call, 0);
}
static enum cor_progress counts_very_much(const struct call *call) {
    call->host->counters[call->host->counter_start[0]] = (uint64_t)1 << 53;
    return guest_deal(call, 0);
}
static enum cor_progress spends_less_than_nothing(const struct call *call) {
    *call->host->spent -= 2;
    return guest_deal(call, 0);
}
static enum cor_progress spends_nothing(const struct call *call) {
    *call->host->spent = 0;
    return guest_deal(call, 0);
}
static enum cor_progress returns_stagnated(const struct call *call) {
    guest_deal(call, 0);
    return COR_STAGNATED;
}
/* The sum of both counts is 0 again. */
static enum cor_progress wraps_around_behind_a_good_block(const struct call *call) {
    const uint32_t n = call->task->agent_count;
    guest_deal(call, 0);
    call->host->put_block(call->host, call->task->members, SIZE_MAX - n + 1);
    return COR_DONE;
}
static enum cor_progress wraps_a_little_further(const struct call *call) {
    const uint32_t n = call->task->agent_count;
    guest_deal(call, 0);
    call->host->put_block(call->host, call->task->members, SIZE_MAX - n + 3);
    return COR_DONE;
}
static enum cor_progress keeps_null(const struct call *call) {
    call->host->keep(call->host, NULL, 8);
    return guest_deal(call, 0);
}
static enum cor_progress keeps_again_and_again(const struct call *call) {
    const uint32_t told = 2;
    for (int i = 0; i < 100000; i++)
        call->host->keep(call->host, &told, sizeof told);
    return guest_deal(call, 0);
}
static enum cor_progress keeps_too_much(const struct call *call) {
    const uint32_t bytes = ((uint32_t)1 << 24) + 1;
    void *all = call->host->alloc(call->host, (size_t)1 << 20);
    if (call->host->keep(call->host, all, bytes))
        return COR_FAILED;
    return guest_deal(call, 0);
}
static enum cor_progress spoils_the_stream_of_faults(const struct call *call) {
    call->host->random[COR_STREAM_FAULT]->refill = NULL;
    call->host->random[COR_STREAM_FAULT]->next = call->host->random[COR_STREAM_FAULT]->end = NULL;
    return guest_deal(call, 0);
}
static enum cor_progress draws_from_nowhere(const struct call *call) {
    call->host->random[COR_STREAM_ALGORITHM]->refill = NULL;
    for (int i = 0; i < 100; i++)
        cor_random_word(call->host->random[COR_STREAM_ALGORITHM]);
    return guest_deal(call, 0);
}
static enum cor_progress pretends_faults(const struct call *call) {
    call->host->fault->reached = call->host->fault->in_result = UINT64_MAX;
    return guest_deal(call, 0);
}
static enum cor_progress draws_without_end(const struct call *call) {
    for (int i = 0; i < 1000000; i++)
        cor_random_word(call->host->random[COR_STREAM_ALGORITHM]);
    return guest_deal(call, 0);
}

/* Not a function of the task: what follows differs with nearly every value of `bits`. */
static enum cor_progress deal_by(const struct call *call, uint64_t bits) {
    uint32_t n = call->task->agent_count;
    uint32_t *members = call->host->alloc(call->host, n * sizeof *members);
    for (uint32_t i = 0; members && i < n; i++)
        members[i] = i;
    for (uint32_t i = n; members && i > 1; i--) {
        bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        uint32_t other = (uint32_t)(bits >> 33) % i, before = members[i - 1];
        members[i - 1] = members[other];
        members[other] = before;
    }
    if (members) {
        for (uint32_t i = 0; i < n; i++)
            call->block[members[i]] = i >= n / 2;
        call->host->put_block(call->host, members, n / 2);
        call->host->put_block(call->host, members + n / 2, n - n / 2);
    }
    return COR_DONE;
}
static enum cor_progress deals_by_the_clock(const struct call *call) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return deal_by(call, (uint64_t)now.tv_nsec);
}
static enum cor_progress deals_by_chance(const struct call *call) {
    uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) < 0)
        return guest_deal(call, 0);
    return deal_by(call, bits);
}
static enum cor_progress deals_by_an_address(const struct call *call) {
    int here;
    return deal_by(call, (uint64_t)(uintptr_t)&here);
}
static enum cor_progress deals_by_its_number(const struct call *call) {
    return deal_by(call, (uint64_t)getpid());
}
/* What it did before: same process, other answers. */
static enum cor_progress remembers(const struct call *call) {
    static uint64_t calls;
    return deal_by(call, calls++);
}
/* Each failure is another one, and the first is the same in a fresh process. */
static enum cor_progress misses_more_each_time(const struct call *call) {
    static uint32_t calls;
    uint32_t n = call->task->agent_count, half = n / 2, missing = ++calls < half ? calls : half - 1;
    uint32_t *members = call->host->alloc(call->host, n * sizeof *members);
    for (uint32_t i = 0; members && i < n; i++) {
        members[i] = i;
        call->block[i] = i >= half;
    }
    if (members) {
        call->host->put_block(call->host, members + missing, half - missing);
        call->host->put_block(call->host, members + half, n - half);
    }
    return COR_DONE;
}
static enum cor_progress moves_more_astray_each_time(const struct call *call) {
    static uint32_t calls;
    uint32_t n = call->task->agent_count, k = call->task->block_count;
    enum cor_progress progress = guest_deal(call, 0);
    calls++;
    for (uint32_t i = 0; i < n && i < calls; i++)
        call->block[i] = (call->block[i] + 1) % k;
    return progress;
}
static enum cor_progress crashes_the_third_time(const struct call *call) {
    static int calls;
    if (++calls == 3)
        abort();
    return guest_deal(call, 0);
}

const struct guest_row guest_answers[] = {
    {"misses_an_agent", "leaves an agent out", NULL, misses_an_agent},
    {"repeats_an_agent", "puts an agent twice", NULL, repeats_an_agent},
    {"invents_an_agent", "puts an agent that there is not", NULL, invents_an_agent},
    {"invents_agent_2_to_the_32", "puts agent 2^32 - 2", NULL, invents_agent_2_to_the_32},
    {"puts_an_empty_block", "puts a block of nobody", NULL, puts_an_empty_block},
    {"puts_nothing", "puts no block at all", NULL, puts_nothing},
    {"puts_a_null_block", "puts three members at address 0", NULL, puts_a_null_block},
    {"puts_2_to_the_60", "puts a block of 2^60 members", NULL, puts_2_to_the_60},
    {"puts_minus_1", "puts a block of -1 members", NULL, puts_minus_1},
    {"puts_a_million", "puts blocks until the host says no", NULL, puts_a_million},
    {"puts_without_a_look", "puts three million blocks, whatever the host says", NULL, puts_without_a_look},
    {"puts_half", "aborts after half an answer", NULL, puts_half},
    {"returns_77", "returns 77", NULL, returns_77},
    {"returns_minus_77", "returns -77", NULL, returns_minus_77},
    {"returns_continue", "wants to go on after the result", NULL, returns_continue},
    {"complains", "complains and fails", NULL, complains},
    {"complains_of_nothing", "fails without a word", NULL, complains_of_nothing},
    {"complains_at_length", "complains with a megabyte", NULL, complains_at_length},
    {"complains_in_bytes", "complains in what is no text", NULL, complains_in_bytes},
    {"complains_by_null", "complains with a null pointer", NULL, complains_by_null},
    {"speaks_out_of_turn", "calls what it must not call there", NULL, speaks_out_of_turn},
    {"relies_on_no_cost", "asks for the cost of nonsense", NULL, relies_on_no_cost},
    {"asks_a_null_cost", "asks for the cost of null pointers", NULL, asks_a_null_cost},
    {"spends_all", "says it used 2^64 - 1 units", NULL, spends_all},
    {"pretends_faults", "counts faults that were not", NULL, pretends_faults},
    {"activates_unheld", "its fault corrupts where its condition did not hold", NULL, activates_unheld},
    {"holds_unreached", "its fault's condition holds where it was not reached", NULL, holds_unreached},
    {"is_in_the_result_twice", "says that its fault is in the result twice", NULL, is_in_the_result_twice},
    {"is_in_the_result_unactivated", "says that its fault is in the result, but never struck", NULL,
     is_in_the_result_unactivated},
    {"reaches_less_than_nothing", "counts its fault's seam down to -1", NULL, reaches_less_than_nothing},
    {"counts_its_fault_below_0", "counts all of its fault down to -1", NULL, counts_its_fault_below_0},
    {"forgets_its_fault", "takes back what it counted of its fault", NULL, forgets_its_fault},
    {"counts_and_crashes", "counts what cannot be, and aborts", NULL, counts_and_crashes},
    {"counts_a_bucket_behind", "counts behind its last bucket", NULL, counts_a_bucket_behind},
    {"counts_a_bucket_before", "counts in bucket -1", NULL, counts_a_bucket_before},
    {"counts_a_counter_behind", "counts in a counter that it does not declare", NULL,
     counts_a_counter_behind},
    {"counts_the_ninth_counter", "counts in a counter far from those it declares", NULL,
     counts_the_ninth_counter},
    {"counts_below_0", "counts down from 0", NULL, counts_below_0},
    {"counts_to_the_end", "counts to 2^64 - 1", NULL, counts_to_the_end},
    {"counts_very_much", "counts to 2^53, which can be", NULL, counts_very_much},
    {"spends_less_than_nothing", "says it used -1 units", NULL, spends_less_than_nothing},
    {"spends_nothing", "says it used nothing after all", NULL, spends_nothing},
    {"returns_stagnated", "gives up improving behind its result", NULL, returns_stagnated},
    {"wraps_around_behind_a_good_block", "puts a good block, then one of 2^64 less as many", NULL,
     wraps_around_behind_a_good_block},
    {"wraps_a_little_further", "puts a good block, then one of 2^64 less two fewer", NULL,
     wraps_a_little_further},
    {"keeps_null", "has 8 bytes kept of address 0", NULL, keeps_null},
    {"keeps_again_and_again", "has something kept a hundred thousand times", NULL, keeps_again_and_again},
    {"keeps_too_much", "has more kept than may be", NULL, keeps_too_much},
    {"spoils_the_stream_of_faults", "spoils a stream that it does not draw from", NULL,
     spoils_the_stream_of_faults},
    {"draws_from_nowhere", "draws from a stream that it has spoilt", NULL, draws_from_nowhere},
    {"draws_without_end", "draws a million words", NULL, draws_without_end},
    {"deals_by_the_clock", "its answer depends on the clock", NULL, deals_by_the_clock},
    {"deals_by_chance", "its answer depends on the kernel's random numbers", NULL, deals_by_chance},
    {"deals_by_an_address", "its answer depends on an address", NULL, deals_by_an_address},
    {"deals_by_its_number", "its answer depends on its process number", NULL, deals_by_its_number},
    {"remembers", "its answer depends on what it was asked before", NULL, remembers},
    {"misses_more_each_time", "leaves out one agent, then two, then three", NULL, misses_more_each_time},
    {"moves_more_astray_each_time", "its moves bring one agent elsewhere, then two", NULL,
     moves_more_astray_each_time},
    {"crashes_the_third_time", "aborts when it is asked the third time", NULL, crashes_the_third_time},
    {0}};
