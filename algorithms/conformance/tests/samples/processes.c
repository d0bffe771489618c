/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An honest distributed program - numbers are passed on, counted and stored - that does one thing it must
 * not, by what MISDEED says. */
#define _GNU_SOURCE
#include <corridor/process.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    HONEST,
    COUNTS_IN_A_VARIABLE,
    LISTENS_TO_A_VARIABLE,
    TALKS_BY_A_VARIABLE,
    KEEPS_MALLOC,
    ASKS_THE_TIME,
    STARTS_A_THREAD,
    OPENS_A_FILE,
    WRITES_SOMEWHERE,
    SLEEPS_A_LITTLE,
    DRAWS_RAND,
    SENDS_ITS_ADDRESS,
    SENDS_FRESH_MEMORY,
    SENDS_A_VARIABLE_OF_ITS_ENVIRONMENT,
    OBSERVES_AND_COUNTS,
    SHOWS_HALF,
    SHOWS_TOO_MUCH,
    TRUSTS_ITS_STORE,
    TRUSTS_ITS_CELL,
    SENDS_TO_NOBODY,
    CANNOT_BEAR_DOUBLES,
    CANNOT_BEAR_ERRORS,
    HANGS_ALONE
};
enum { HEARD, KEPT, ATTRIBUTES };

struct me {
    uint64_t heard, kept, asked;
    unsigned last[COR_PROCESSES_MAX];
};

static uint64_t all; /* of the module */

static void *rest(void *nothing) {
    return nothing;
}

/* The misdeeds of a call; what is added to the number that is sent. */
static uint64_t misbehave(struct me *me, const struct cor_process_host *host) {
    uint64_t word = 0;
    (void)host;
    switch (MISDEED) {
    case COUNTS_IN_A_VARIABLE:
        all++;
        break;
    case LISTENS_TO_A_VARIABLE:
        return ++all;
    case TALKS_BY_A_VARIABLE: /* it begins as new in each run */
        return host->self == 0 ? 0 : all;
    case KEEPS_MALLOC: {
        void *volatile lost = malloc(16);
        (void)lost;
        break;
    }
    case ASKS_THE_TIME:
        return (uint64_t)time(NULL);
    case STARTS_A_THREAD: {
        pthread_t thread;
        if (pthread_create(&thread, NULL, rest, NULL) == 0)
            pthread_join(thread, NULL);
        break;
    }
    case OPENS_A_FILE: {
        const int file = open("/dev/null", O_RDONLY);
        if (file >= 0)
            close(file);
        break;
    }
    case WRITES_SOMEWHERE: { /* where nothing is open */
        const ssize_t left = write(1000, "x", 1);
        (void)left;
        break;
    }
    case SLEEPS_A_LITTLE:
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
        break;
    case DRAWS_RAND:
        return (uint64_t)rand();
    case SENDS_ITS_ADDRESS:
        return (uint64_t)(uintptr_t)&all;
    case SENDS_FRESH_MEMORY: {
        uint64_t *volatile fresh = malloc(sizeof *fresh * 64);
        memcpy(&word, fresh + 33, fresh ? sizeof word : 0);
        free(fresh);
        return word;
    }
    case SENDS_A_VARIABLE_OF_ITS_ENVIRONMENT:
        return getenv("HOME") ? strlen(getenv("HOME")) : 0;
    case HANGS_ALONE:
        while (host->count == 1 && me->heard > 2)
            me->asked++;
        break;
    default:
        break;
    }
    return word;
}

static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    struct me *me = memory;
    for (uint32_t c = 0; c < stored->cell_count; c++) {
        uint64_t word = 0;
        const struct cor_process_record *cell = &stored->cells[c];
        memcpy(&word, cell->bytes, cell->size < sizeof word ? cell->size : sizeof word);
        me->heard = word;
    }
    for (uint32_t w = 0; w < stored->write_count; w++) {
        const struct cor_process_record *record = &stored->writes[w];
        if (MISDEED == TRUSTS_ITS_STORE && record->size != sizeof me->kept)
            abort();
        uint64_t word = 0;
        memcpy(&word, record->bytes, record->size < sizeof word ? record->size : sizeof word);
        if (MISDEED == TRUSTS_ITS_CELL && record->size == sizeof word && word > me->heard)
            abort(); /* the cell was written first */
        me->kept += record->size == sizeof me->kept;
    }
    if (MISDEED == TALKS_BY_A_VARIABLE && host->self == 0 && stored->cell_count == 0 && host->now(host) == 0)
        all = 0;
    host->set_alarm(host, 0, 20 + host->random(host) % 50);
}

static void pass_on(struct me *me, const struct cor_process_host *host, uint64_t word) {
    uint64_t bytes[2] = {word, misbehave(me, host)};
    const uint32_t next = MISDEED == SENDS_TO_NOBODY ? host->self + 1 : (host->self + 1) % host->count;
    host->send(host, next, 0, bytes, sizeof bytes);
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    struct me *me = memory;
    uint64_t words[2];
    (void)kind;
    memcpy(words, bytes, size < sizeof words ? size : sizeof words);
    if (MISDEED == CANNOT_BEAR_DOUBLES && me->last[from] == (unsigned)words[0] + 1)
        abort();
    me->last[from] = (unsigned)words[0] + 1;
    me->heard++;
    if (MISDEED == TALKS_BY_A_VARIABLE && host->self == 0)
        all++;
    host->cell(host, 3, &me->heard, sizeof me->heard);
    if (me->heard % 4 == 0)
        host->write(host, me->heard, 1, &me->heard, sizeof me->heard);
    if (words[0] % 3 != 0)
        pass_on(me, host, words[0] - 1);
}

static void alarm_rings(void *memory, const struct cor_process_host *host, uint32_t which) {
    struct me *me = memory;
    (void)which;
    pass_on(me, host, host->random(host) % 100000);
    host->set_alarm(host, 0, 50);
}

static void completed(void *memory, const struct cor_process_host *host, uint64_t ticket, uint32_t status) {
    struct me *me = memory;
    (void)ticket;
    if (MISDEED == CANNOT_BEAR_ERRORS && status != COR_PROCESS_DONE)
        abort();
    me->kept += status == COR_PROCESS_DONE;
    host->tell(host, 0, me->kept, 1);
}

static void input(void *memory, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    uint32_t word = 0;
    (void)which;
    memcpy(&word, bytes, size < sizeof word ? size : sizeof word);
    pass_on(memory, host, word);
}

static void observe(const void *memory, union cor_process_value *values) {
    const struct me *me = memory;
    if (MISDEED == OBSERVES_AND_COUNTS)
        ((struct me *)(uintptr_t)memory)->asked++;
    values[HEARD].count = me->heard;
    if (MISDEED != SHOWS_HALF)
        values[KEPT].count = me->kept;
    if (MISDEED == SHOWS_TOO_MUCH)
        values[ATTRIBUTES].count = me->kept;
}

static const struct cor_process_attribute attributes[] = {{.name = "heard"}, {.name = "kept"}};
static const struct cor_process_name channels[] = {{"kept", NULL}};
static const struct cor_process_message messages[] = {{.name = "number"}};
static const struct cor_process_input inputs[] = {{.name = "begin", .weight = 1, .bytes = 4}};

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "numbers",
    .version = "1",
    .state_size = sizeof(struct me),
    .attributes = attributes,
    .attribute_count = ATTRIBUTES,
    .channels = channels,
    .channel_count = 1,
    .messages = messages,
    .message_count = 1,
    .inputs = inputs,
    .input_count = 1,
    .leader_attribute = ATTRIBUTES,
    .start = start,
    .receive = receive,
    .alarm = alarm_rings,
    .completed = completed,
    .input = input,
    .observe = observe,
};
