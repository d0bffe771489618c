/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A storm of pings, the same for whoever executes it: each process has AT_A_TIME pings under way to the
 * others in turn, each ping is answered, and each answer brings the next ping, until every process has its
 * PINGS answers. Each process sends and gets as many as any other. */
#ifndef CORRIDOR_EXPERIMENTS_BENCH_PEERS_STORM_H
#define CORRIDOR_EXPERIMENTS_BENCH_PEERS_STORM_H

#include <stdint.h>

enum { STORM_PROCESSES = 16, STORM_AT_A_TIME = 4, STORM_PINGS = 200 * (STORM_PROCESSES - 1) };
enum { STORM_PING, STORM_ANSWER };

/* To whom a process sends the ping of that number. */
static inline uint32_t storm_receiver(uint32_t process, uint32_t ping) {
    return (process + 1 + ping % (STORM_PROCESSES - 1)) % STORM_PROCESSES;
}

#endif
