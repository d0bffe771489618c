/* SPDX-License-Identifier: CC0-1.0
 *
 * my_process: a token goes round. Who holds it may do what only one may do. It has a number, which grows with
 * each hop; it is passed on until the next process says that it has it, and what a process knows of it is in
 * a cell. So it is neither lost nor doubled, whatever messages and processes do: make it yours from here. */
#include <corridor/process.h>

#include <string.h>

enum { IDLE, HOLDING, PASSING };
enum { TOKEN, GOT };       /* kinds of messages */
enum { WORK_DONE, AGAIN }; /* alarms, and after how many ticks they are due: */
enum { WORK = 30, PATIENCE = 40 };
enum { FAULT_NONE, FORGETS }; /* below, in `faults` */

/* What one process knows. All of it is lost at a crash, but for what is in a cell. */
struct my_process {
    int64_t number; /* of the token, as it was here last; -1: never */
    uint64_t state;
};

static void keep(const struct my_process *me, const struct cor_process_host *host) {
    if (host->fault != FORGETS)
        host->cell(host, 0, me, sizeof *me);
}

static void hold(struct my_process *me, const struct cor_process_host *host) {
    me->state = HOLDING;
    keep(me, host);
    host->tell(host, 0, (uint64_t)me->number, host->self); /* this turn was mine */
    host->set_alarm(host, WORK_DONE, WORK);
    host->set_alarm(host, AGAIN, COR_PROCESS_NEVER);
}

static void pass_on(struct my_process *me, const struct cor_process_host *host) {
    int64_t next = me->number + 1;
    me->state = PASSING;
    keep(me, host);
    host->send(host, (host->self + 1) % host->count, TOKEN, &next, sizeof next);
    host->set_alarm(host, AGAIN, PATIENCE);
}

/* First, and after each crash: what was kept is in `stored`. */
static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    struct my_process *me = memory;
    me->state = host->self == 0 ? HOLDING : IDLE;
    me->number = host->self == 0 ? 0 : -1;
    if (stored->cell_count > 0 && stored->cells[0].size == sizeof *me)
        memcpy(me, stored->cells[0].bytes, sizeof *me);
    if (me->state == HOLDING)
        hold(me, host);
    else if (me->state == PASSING)
        pass_on(me, host);
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    struct my_process *me = memory;
    int64_t number;
    if (size != sizeof number)
        return;
    memcpy(&number, bytes, sizeof number);
    if (kind == TOKEN) {
        host->send(host, from, GOT, &number, sizeof number);
        if (number > me->number) {
            me->number = number;
            hold(me, host);
        }
    } else if (me->state == PASSING && number == me->number + 1) {
        me->state = IDLE;
        keep(me, host);
        host->set_alarm(host, AGAIN, COR_PROCESS_NEVER);
    }
}

/* The work is done, or nobody has said that the token has come. */
static void alarm_is_due(void *memory, const struct cor_process_host *host, uint32_t which) {
    (void)which;
    pass_on(memory, host);
}

/* What the corridor sees of a process. */
static void observe(const void *memory, union cor_process_value *values) {
    const struct my_process *me = memory;
    values[0].count = me->state;
    values[1].count = me->number > 0 ? (uint64_t)me->number : 0;
}

static const char *const states[] = {"idle", "holding", "passing"};
static const struct cor_process_attribute attributes[] = {
    {.name = "state", .type = COR_PROCESS_WORD, .words = states, .word_count = 3},
    {.name = "number", .type = COR_PROCESS_COUNT}};
static const struct cor_process_name channels[] = {{"turns", "who held the token of that number"}};
static const struct cor_process_message messages[] = {
    {.name = "token", .meaning = "the receiver is to hold it"}, {.name = "got", .meaning = "it does"}};
static const struct cor_process_name alarms[] = {[WORK_DONE] = {"work_done", "the token goes on"},
                                                 [AGAIN] = {"again", "nobody says that he has it"}};
static const struct cor_process_name faults[] = {{"forgets", "what it knows of the token is in no cell"}};

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "my_process",
    .version = "1",
    .meaning = "mutual exclusion by a token that goes round",
    .state_size = sizeof(struct my_process),
    .attributes = attributes,
    .attribute_count = 2,
    .leader_attribute = 2, /* none */
    .channels = channels,
    .channel_count = 1,
    .messages = messages,
    .message_count = 2,
    .faults = faults,
    .fault_count = 1,
    .start = start,
    .receive = receive,
    .alarm = alarm_is_due,
    .observe = observe,
    .alarms = alarms,
    .alarm_count = 2,
};
