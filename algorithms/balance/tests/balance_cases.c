/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random cases of balance, one a line: parameters, values, power (- : there is none), who is dispatchable (-
 * : nobody said), blocks, what it wrote, what it cost,
 * its fault and how often that was reached, held and struck; for tests/reckoning.py. usage: balance_cases
 * SEED COUNT */
#include <corridor/mechanism.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

extern const struct cor_mechanism cor_mechanism_balance;

static double now[MOST];

static int write(const struct cor_mechanism_host *host, uint32_t column, uint32_t agent, double value) {
    (void)host;
    if (column != 0)
        abort();
    now[agent] = value;
    return 1;
}

static void *alloc(const struct cor_mechanism_host *host, size_t bytes) {
    static unsigned char room[4096];
    (void)host;
    memset(room, 0, sizeof room);
    return bytes <= sizeof room ? room : NULL;
}

static uint64_t word(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Coarse, so that limits coincide; in tenths of the odd cases, so that they do so but for rounding. */
static int is_tenths;

static double coarse(uint64_t *state) {
    return is_tenths ? (double)(word(state) % 11) / 10 : (double)(word(state) % 17) / 16;
}

static void print(const char *before, const double *numbers, uint32_t count) {
    printf("%s", before);
    for (uint32_t i = 0; i < count; i++)
        printf(" %.17g", numbers[i]);
}

int main(int argc, char **argv) {
    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    static const struct cor_value_column columns[] = {
        {.name = "value", .unit = "", .max = 1},
        {.name = "dispatchable", .unit = "", .type = COR_COLUMN_BOOLEAN, .max = 1},
        {.name = "power", .unit = "", .max = 1}};
    for (long left = argc > 2 ? strtol(argv[2], NULL, 10) : 1; left > 0; left--) {
        is_tenths = left % 2 != 0;
        const uint32_t agents = 1 + (uint32_t)(word(&state) % MOST),
                       blocks = 1 + (uint32_t)(word(&state) % 4);
        const int is_power = word(&state) % 3 == 0, is_said = is_power || word(&state) % 3 > 0,
                  overlaps = word(&state) % 4 == 0;
        double values[MOST], dispatchable[MOST], power[MOST], cost = 0;
        uint32_t start[5] = {0}, members[4 * MOST], home[MOST];
        double parameters[] = {coarse(&state), coarse(&state), coarse(&state), coarse(&state)};
        if (word(&state) % 2)
            parameters[0] = -1;
        for (uint32_t i = 0; i < agents; i++) {
            now[i] = values[i] = coarse(&state);
            power[i] = coarse(&state);
            dispatchable[i] = (double)(word(&state) % 2);
            home[i] = (uint32_t)(word(&state) % blocks);
        }
        for (uint32_t b = 0; b < blocks; b++) {
            start[b + 1] = start[b];
            for (uint32_t i = 0; i < agents; i++)
                if (home[i] == b || (overlaps && word(&state) % 3 == 0))
                    members[start[b + 1]++] = i;
        }
        const double *shown[] = {values, dispatchable, power};
        const struct cor_rules rules = {.struct_size = sizeof rules,
                                        .value_count = is_power  ? 3
                                                       : is_said ? 2
                                                                 : 1,
                                        .columns = columns,
                                        .fault = (uint32_t)(word(&state) % 8 < 4 ? 0 : 1 + word(&state) % 3),
                                        .parameter_count = 4,
                                        .parameters = parameters};
        const struct cor_task task = {.struct_size = sizeof task,
                                      .agent_count = agents,
                                      .rules = &rules,
                                      .values = shown,
                                      .block_count = blocks,
                                      .block_start = start,
                                      .members = members};
        struct cor_fault_counts fault = {0};
        const struct cor_mechanism_host host = {
            .struct_size = sizeof host, .alloc = alloc, .write = write, .cost = &cost, .fault = &fault};
        if (cor_mechanism_balance.work(&task, &host) != COR_DONE)
            return 1;
        print("", parameters, 4);
        print(" |", values, agents);
        print(is_power ? " |" : " | -", power, is_power ? agents : 0);
        print(is_said ? " |" : " | -", dispatchable, is_said ? agents : 0);
        for (uint32_t b = 0; b < blocks; b++) {
            printf("%s", b == 0 ? " |" : " ;");
            for (uint32_t m = start[b]; m < start[b + 1]; m++)
                printf(" %u", members[m]);
        }
        print(" |", now, agents);
        print(" |", &cost, 1);
        printf(" | %u %u %u %u\n", rules.fault, (unsigned)fault.reached, (unsigned)fault.held,
               (unsigned)fault.activated);
    }
    return 0;
}
