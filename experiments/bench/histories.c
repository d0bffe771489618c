/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histories of calls: published ones, long ones of many keys, and clients that are all busy. */
#include "timing.h"

#include <corridor/array.h>
#include <corridor/history.h>

#include <stdio.h>
#include <stdlib.h>

enum { CLIENTS = 5, KEYS = 100, CALLS = 1000000, NUMBERS = 10, BUSY = 8, ROUNDS = 20 };

/* All of one register that are published: how many. */
static double published(void *context) {
    const struct bench_places *places = context;
    double count = 0;
    for (int number = 0; number <= 102; number += 2) {
        struct cor_history history;
        struct cor_history_verdict verdict;
        struct cor_error error = COR_NO_ERROR;
        COR_FREED char *path =
            bench_kept(cor_format("%s/oracle/history/tests/published/etcd_%03d.log", places->source, number));
        bench_must(cor_history_init(&history, COR_OBJECT_CAS_REGISTER, false, &error), &error);
        bench_must(cor_history_read(path, &history, &error), &error);
        bench_must(cor_history_linearizable(&history, NULL, COR_HISTORY_STEPS, &verdict, &error), &error);
        if (verdict.possible == COR_NOT_DECIDED)
            bench_fail("a published history is not decided");
        cor_history_fini(&history);
        count++;
    }
    return count;
}

/* Calls as numbers; who writes and reads which. */
struct calls {
    struct cor_call_values values;
    struct cor_call read, write;
    uint32_t numbers[NUMBERS + BUSY + 1];
};

static void make_calls(struct calls *calls) {
    struct cor_history history; /* which knows what words mean */
    struct cor_error error = COR_NO_ERROR;
    size_t number;
    bench_must(cor_history_init(&history, COR_OBJECT_REGISTER, false, &error), &error);
    bench_must(cor_history_call(&history, 0, "read", COR_CALL_NIL, COR_CALL_NIL, "", &number, &error),
               &error);
    for (int v = 0; v < NUMBERS + BUSY + 1; v++)
        bench_must(cor_call_values_integer(&history.values, v, &calls->numbers[v], &error), &error);
    bench_must(cor_history_call(&history, 0, "write", COR_CALL_NIL, calls->numbers[0], "", &number, &error),
               &error);
    calls->read = history.calls[0];
    calls->write = history.calls[1];
    calls->values = history.values;
    free(history.calls);
}

/* Calls take effect at some instant between call and return, on one of the keys. *memory: at the end. */
static double many_keys(struct calls *calls, double *memory) {
    COR_DESTROYED(cor_linear) struct cor_linear *linear = NULL;
    struct cor_error error = COR_NO_ERROR;
    uint64_t random = 1;
    uint32_t held[KEYS] = {COR_CALL_NIL}, count = 0;
    struct client {
        struct cor_call call;
        uint32_t open, result;
        enum { IDLE, CALLED, DONE } stage;
    } clients[CLIENTS] = {{.stage = IDLE}};
    bench_must(cor_linear_create(COR_OBJECT_REGISTER, &calls->values, COR_HISTORY_STEPS, &linear, &error),
               &error);
    while (count < CALLS) {
        enum cor_possible possible;
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        struct client *client = &clients[(random >> 33) % CLIENTS];
        const uint32_t key = (uint32_t)(random >> 40) % KEYS;
        if (client->stage == IDLE) {
            client->call = random >> 62 & 1 ? calls->read : calls->write;
            client->call.key = 1 + key;
            if (client->call.argument != COR_CALL_NIL)
                client->call.argument = calls->numbers[(random >> 50) % NUMBERS];
            bench_must(cor_linear_call(linear, &client->call, &client->open, &error), &error);
            client->stage = CALLED;
            count++;
        } else if (client->stage == CALLED) {
            uint32_t *place = &held[client->call.key - 1];
            client->result = client->call.argument == COR_CALL_NIL ? *place : COR_CALL_NIL;
            if (client->call.argument != COR_CALL_NIL)
                *place = client->call.argument;
            client->stage = DONE;
        } else {
            bench_must(cor_linear_return(linear, client->open, client->result, &possible, &error), &error);
            if (possible != COR_POSSIBLE)
                bench_fail("a history that is linearizable was found not to be");
            client->stage = IDLE;
        }
    }
    *memory = (double)cor_linear_memory(linear);
    return count;
}

/* So many write and one reads, again and again, all at once: seconds a round. */
static double busy(struct calls *calls, uint32_t writers) {
    COR_DESTROYED(cor_linear) struct cor_linear *linear = NULL;
    struct cor_error error = COR_NO_ERROR;
    uint32_t open[BUSY + 2];
    const double begun = bench_user_seconds();
    bench_must(cor_linear_create(COR_OBJECT_REGISTER, &calls->values, UINT64_MAX, &linear, &error), &error);
    for (int round = 0; round < ROUNDS; round++) {
        enum cor_possible possible;
        for (uint32_t w = 0; w <= writers; w++) {
            struct cor_call call = w < writers ? calls->write : calls->read;
            if (w < writers)
                call.argument = calls->numbers[w];
            bench_must(cor_linear_call(linear, &call, &open[w], &error), &error);
        }
        for (uint32_t w = 0; w <= writers; w++) {
            bench_must(cor_linear_return(linear, open[w], w < writers ? COR_CALL_NIL : calls->numbers[0],
                                         &possible, &error),
                       &error);
            if (possible != COR_POSSIBLE)
                bench_fail("a history that is linearizable was found not to be");
        }
    }
    return (bench_user_seconds() - begun) / ROUNDS;
}

void bench_histories(const struct bench_places *places, struct bench_figure *figures) {
    struct calls calls;
    struct bench_places own = *places;
    figures[0].value = 52e3 * bench_measure(published, NULL, &own, bench_careful).seconds;
    make_calls(&calls);
    const double begun = bench_user_seconds();
    many_keys(&calls, &figures[2].value);
    figures[1].value = bench_user_seconds() - begun;
    figures[2].value /= 1e3;
    figures[3].value = 1e3 * busy(&calls, BUSY + 1);
    figures[3].reference = 1e3 * busy(&calls, BUSY);
    cor_call_values_fini(&calls.values);
}
