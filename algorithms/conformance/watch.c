/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of a program and of a host get no argument of ours: what looks on is one of a process. */
#include "watch.h"

#include <corridor/array.h>
#include <corridor/hash.h>
#include <corridor/loader.h>

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECES = 8, KEPT = 1024 };
enum entry { CALL, ANSWER, DONE };
enum verb { START, RECEIVE, ALARM, COMPLETED, INPUT };
static const char *const verbs[] = {"start", "receive", "alarm", "completed", "input"};

/* One entry of a journal; `size` bytes follow, filled up to 16. */
struct record {
    uint32_t entry, process, life, size;
    uint64_t word, ticket; /* an answer; of a call that is done what it asked for; a ticket */
    uint32_t verb, from, which, bytes;
    uint32_t count, fault, cells, writes;
};

static struct {
    const struct cor_process *real;
    struct conformance__watch *seen;
    struct conformance__journal *journal;
    size_t journal_bytes;
    struct cor_module_piece pieces[PIECES];
    unsigned char *copies[PIECES]; /* owned, for good */
    uint32_t piece_count;
    uintptr_t origin;
    const struct cor_process_host *hosts[COR_PROCESSES_MAX];
    struct cor_process_host ours[COR_PROCESSES_MAX]; /* that processes see */
    uint32_t process;                                /* that is called, */
    const char *verb;                                /* NULL: none is */
    uint64_t asked;                                  /* in this call */
    void *kept[KEPT];                                /* memory of the C library, got in this call */
    uint32_t kept_count;
} eye;

static void note(char *text, size_t size, const char *format, ...) COR_PRINTF(3, 4);
static void note(char *text, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (!text[0])
        vsnprintf(text, size, format, list);
    va_end(list);
}

/* ---- the journal */

static void put(struct record record, const void *bytes) {
    struct conformance__journal *journal = eye.journal;
    if (!journal)
        return;
    const size_t needed = sizeof record + (record.size + (size_t)15) / 16 * 16;
    record.process = eye.process;
    record.life = journal->lives[eye.process];
    if (journal->is_full || needed > eye.journal_bytes - sizeof *journal - journal->used) {
        journal->is_full = true;
        return;
    }
    memcpy(journal->bytes + journal->used, &record, sizeof record);
    if (record.size > 0)
        memcpy(journal->bytes + journal->used + sizeof record, bytes, record.size);
    journal->used += needed;
}

static void ask(uint64_t what, uint64_t a, uint64_t b) {
    eye.asked = cor_hash_word(cor_hash_word(cor_hash_word(eye.asked, what), a), b);
}

static void ask_bytes(const void *bytes, uint32_t size) {
    if (bytes)
        eye.asked = cor_hash_bytes(eye.asked, bytes, size);
}

static uint64_t answered(uint64_t word) {
    put((struct record){.entry = ANSWER, .word = word}, NULL);
    return word;
}

/* ---- the host, as a process sees it */

static const struct cor_process_host *real(const struct cor_process_host *host) {
    return eye.hosts[host->self];
}

static uint64_t see_now(const struct cor_process_host *host) {
    return answered(real(host)->now(real(host)));
}
static uint64_t see_random(const struct cor_process_host *host) {
    return answered(real(host)->random(real(host)));
}
static void see_send(const struct cor_process_host *host, uint32_t to, uint32_t kind, const void *bytes,
                     uint32_t size) {
    ask(1, (uint64_t)to << 32 | kind, size);
    real(host)->send(real(host), to, kind, bytes, size);
    ask_bytes(bytes, size);
}
static void see_alarm(const struct cor_process_host *host, uint32_t which, uint64_t ticks) {
    ask(2, which, ticks);
    real(host)->set_alarm(real(host), which, ticks);
}
static void see_cell(const struct cor_process_host *host, uint32_t which, const void *bytes, uint32_t size) {
    ask(3, which, size);
    real(host)->cell(real(host), which, bytes, size);
    ask_bytes(bytes, size);
}
static void see_write(const struct cor_process_host *host, uint64_t ticket, uint32_t operation,
                      const void *bytes, uint32_t size) {
    ask(4, ticket, (uint64_t)operation << 32 | size);
    real(host)->write(real(host), ticket, operation, bytes, size);
    ask_bytes(bytes, size);
}
static void *see_alloc(const struct cor_process_host *host, size_t size) {
    ask(5, size, 0);
    return real(host)->alloc(real(host), size);
}
static void *see_resize(const struct cor_process_host *host, void *memory, size_t size) {
    ask(6, size, memory != NULL);
    return real(host)->resize(real(host), memory, size);
}
static void see_release(const struct cor_process_host *host, void *memory) {
    ask(7, memory != NULL, 0);
    real(host)->release(real(host), memory);
}
static void see_tell(const struct cor_process_host *host, uint32_t channel, uint64_t index, uint64_t digest) {
    ask(8, (uint64_t)channel << 32, index);
    ask(8, digest, 0);
    real(host)->tell(real(host), channel, index, digest);
}
static void see_complaint(const struct cor_process_host *host, const char *sentence) {
    ask(9, 0, 0);
    real(host)->complain(real(host), sentence);
}

/* ---- around a call */

static const struct cor_process_host *begin(const struct cor_process_host *host, struct record call,
                                            const void *bytes) {
    struct cor_process_host *ours = &eye.ours[host->self];
    eye.process = host->self;
    eye.verb = verbs[call.verb];
    eye.kept_count = 0;
    eye.asked = COR_HASH_SEED;
    if (call.verb == START) {
        eye.hosts[host->self] = host;
        *ours = *host;
        ours->now = see_now;
        ours->random = see_random;
        ours->send = see_send;
        ours->set_alarm = see_alarm;
        ours->cell = see_cell;
        ours->write = see_write;
        ours->alloc = see_alloc;
        ours->resize = see_resize;
        ours->release = see_release;
        ours->tell = see_tell;
        ours->complain = see_complaint;
        if (eye.journal)
            eye.journal->lives[host->self]++;
    }
    call.entry = CALL;
    call.size = call.bytes;
    put(call, bytes);
    return ours;
}

static void look_at_variables(void) {
    for (uint32_t i = 0; i < eye.piece_count; i++) {
        const unsigned char *now = eye.pieces[i].start;
        size_t at = 0;
        if (memcmp(now, eye.copies[i], eye.pieces[i].bytes) == 0)
            continue;
        while (now[at] == eye.copies[i][at])
            at++;
        note(eye.seen->variables, sizeof eye.seen->variables,
             "in %s process %u wrote a variable of the module, at offset 0x%llx", eye.verb, eye.process,
             (unsigned long long)((uintptr_t)now + at - eye.origin));
        memcpy(eye.copies[i], now, eye.pieces[i].bytes);
    }
}

static void end(void) {
    for (uint32_t i = 0; i < eye.kept_count && eye.seen; i++)
        if (eye.kept[i])
            note(eye.seen->alone, sizeof eye.seen->alone,
                 "in %s process %u got memory from the C library and kept it: a crash does not forget it",
                 eye.verb, eye.process);
    if (eye.seen)
        look_at_variables();
    eye.verb = NULL;
}

/* Lists of records as bytes: number, size, bytes of each. */
static uint32_t pack(const struct cor_process_stored *stored, unsigned char **bytes) {
    uint32_t size = 0;
    for (uint32_t i = 0; i < stored->cell_count + stored->write_count; i++) {
        const struct cor_process_record *record =
            i < stored->cell_count ? &stored->cells[i] : &stored->writes[i - stored->cell_count];
        size += 16 + (record->size + 15) / 16 * 16;
    }
    *bytes = cor_calloc(size + (size_t)1, 1);
    COR_ASSERT(*bytes);
    unsigned char *at = *bytes;
    for (uint32_t i = 0; i < stored->cell_count + stored->write_count; i++) {
        const struct cor_process_record *record =
            i < stored->cell_count ? &stored->cells[i] : &stored->writes[i - stored->cell_count];
        memcpy(at, &record->operation, 4);
        memcpy(at + 4, &record->size, 4);
        if (record->size > 0)
            memcpy(at + 16, record->bytes, record->size);
        at += 16 + (record->size + 15) / 16 * 16;
    }
    return size;
}

static void start(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored) {
    unsigned char *bytes = NULL;
    const uint32_t size = eye.journal ? pack(stored, &bytes) : 0;
    const struct cor_process_host *ours = begin(host,
                                                (struct record){.verb = START,
                                                                .bytes = size,
                                                                .count = host->count,
                                                                .fault = host->fault,
                                                                .cells = stored->cell_count,
                                                                .writes = stored->write_count},
                                                bytes);
    free(bytes);
    eye.real->start(me, ours, stored);
    end();
}

static void receive(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    const struct record call = {.verb = RECEIVE, .from = from, .which = kind, .bytes = size};
    eye.real->receive(me, begin(host, call, bytes), from, kind, bytes, size);
    end();
}

static void see_due_alarm(void *me, const struct cor_process_host *host, uint32_t which) {
    eye.real->alarm(me, begin(host, (struct record){.verb = ALARM, .which = which}, NULL), which);
    end();
}

static void completed(void *me, const struct cor_process_host *host, uint64_t ticket, uint32_t status) {
    const struct record call = {.verb = COMPLETED, .which = status, .ticket = ticket};
    eye.real->completed(me, begin(host, call, NULL), ticket, status);
    end();
}

static void input(void *me, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    const struct record call = {.verb = INPUT, .which = which, .bytes = size};
    eye.real->input(me, begin(host, call, bytes), which, bytes, size);
    end();
}

/* What it does not fill in shows in both: once it was 0, once not. */
static void look_again(const void *me, const union cor_process_value *values, uint64_t state,
                       uint64_t asked) {
    union cor_process_value again[2 * COR_PROCESS_ATTRIBUTES_MAX]; /* with room for what is too much */
    char *said = eye.seen->looks;
    const size_t size = sizeof eye.seen->looks;
    if (cor_hash_bytes(COR_HASH_SEED, me, eye.real->state_size) != state)
        note(said, size, "observe() of process %u changes its state", eye.process);
    if (eye.asked != asked)
        note(said, size, "observe() of process %u calls the host", eye.process);
    memset(again, 255, sizeof again);
    eye.real->observe(me, again);
    for (uint32_t a = 0; a < eye.real->attribute_count; a++)
        if (memcmp(&again[a], &values[a], sizeof again[a]) != 0)
            note(said, size, "observe() of process %u, called twice, shows two values of %s, or none",
                 eye.process, eye.real->attributes[a].name);
    for (const unsigned char *byte = (const unsigned char *)&again[eye.real->attribute_count];
         byte < (const unsigned char *)again + sizeof again; byte++)
        if (*byte != 255) {
            note(said, size, "observe() of process %u writes behind its %u attributes", eye.process,
                 eye.real->attribute_count);
            break;
        }
}

static void observe(const void *me, union cor_process_value *values) {
    const size_t bytes = eye.real->attribute_count * sizeof *values;
    const uint64_t asked = eye.asked,
                   state = eye.seen ? cor_hash_bytes(COR_HASH_SEED, me, eye.real->state_size) : 0;
    eye.verb = "observe";
    eye.kept_count = 0;
    memset(values, 0, bytes);
    eye.real->observe(me, values);
    if (eye.seen)
        look_again(me, values, state, asked);
    end();
    put((struct record){.entry = DONE, .word = cor_hash_bytes(asked, values, bytes)}, NULL);
}

/* ---- calls of the C library */

static void asked_for(const char *function) {
    if (eye.verb && eye.seen)
        note(eye.seen->alone, sizeof eye.seen->alone, "in %s process %u called %s() of the C library",
             eye.verb, eye.process, function);
}

/* X(function, what it answers: as good as nothing): what it would have done does not matter any more. */
#define REFUSED(X)                                                                                          \
    X(time, 0)                                                                                              \
    X(clock_gettime, 0)                                                                                     \
    X(gettimeofday, 0)                                                                                      \
    X(clock, 0)                                                                                             \
    X(timespec_get, 0)                                                                                      \
    X(nanosleep, 0)                                                                                         \
    X(clock_nanosleep, 0)                                                                                   \
    X(usleep, 0)                                                                                            \
    X(sleep, 0)                                                                                             \
    X(open, -1)                                                                                             \
    X(open64, -1) X(openat, -1) X(fopen, 0) X(fopen64, 0) X(opendir, 0) X(socket, -1) X(pipe, -1)           \
        X(fork, -1) X(vfork, -1) X(popen, 0) X(system, -1) X(pthread_create, EAGAIN) X(thrd_create, 2)      \
            X(rand, 4) X(random, 4) X(srand, 0) X(srandom, 0) X(rand_r, 4) X(drand48, 0) X(lrand48, 4)      \
                X(getrandom, -1) X(getentropy, -1) X(arc4random, 4) X(getpid, 1) X(gettid, 1) X(getppid, 1) \
                    X(mmap, -1) X(shm_open, -1) X(kill, 0) X(alarm, 0) X(setitimer, -1) X(timer_create, -1) \
                        X(signal, 0) X(sigaction, -1) X(read, -1) X(pread, -1) X(pread64, -1) X(pwrite, -1) \
                            X(pwrite64, -1) X(send, -1) X(sendto, -1) X(recv, -1) X(unlink, -1)             \
                                X(rename, -1)
#define REFUSE(function, answer)              \
    static intptr_t refuse_##function(void) { \
        asked_for(#function);                 \
        return answer;                        \
    }
REFUSED(REFUSE)
#undef REFUSE

/* What is said on standard output and error is nobody's concern, as with printf. */
static ssize_t refuse_write(int file, const void *bytes, size_t size) {
    (void)bytes;
    if (file != STDOUT_FILENO && file != STDERR_FILENO)
        asked_for("write");
    return (ssize_t)size;
}

static void *keep(void *memory) {
    if (eye.verb && memory && eye.kept_count < KEPT)
        eye.kept[eye.kept_count++] = memory;
    return memory;
}

static void forget(void *memory) {
    for (uint32_t i = 0; i < eye.kept_count; i++)
        if (eye.kept[i] == memory)
            eye.kept[i] = NULL;
}

static void *keep_malloc(size_t size) {
    return keep(malloc(size));
}
static void *keep_calloc(size_t count, size_t size) {
    return keep(calloc(count, size));
}
static void *keep_realloc(void *memory, size_t size) {
    forget(memory);
    return keep(realloc(memory, size));
}
static char *keep_strdup(const char *text) {
    return keep(strdup(text));
}
static void keep_free(void *memory) {
    forget(memory);
    free(memory);
}

static uintptr_t slot(const char *name) {
    static const struct {
        const char *name;
        void (*function)(void);
    } functions[] = {
#define LIST(function, answer) {#function, (void (*)(void))refuse_##function},
        REFUSED(LIST)
#undef LIST
            {"write", (void (*)(void))refuse_write},
        {"malloc", (void (*)(void))keep_malloc},
        {"calloc", (void (*)(void))keep_calloc},
        {"realloc", (void (*)(void))keep_realloc},
        {"strdup", (void (*)(void))keep_strdup},
        {"free", (void (*)(void))keep_free}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(name, functions[i].name) == 0)
            return (uintptr_t)functions[i].function;
    return 0;
}

enum cor_status conformance__watch_begin(struct conformance__probe *probe, struct conformance__watch *watch,
                                         struct conformance__journal *journal, size_t journal_bytes,
                                         struct cor_process_program **program, struct cor_error *error) {
    const struct cor_process *real_program = cor_process_description(probe->program);
    struct cor_process proxy = *real_program;
    eye.real = real_program;
    eye.seen = watch;
    eye.journal = journal;
    eye.journal_bytes = journal_bytes;
    eye.piece_count =
        watch ? cor_module_variables((uintptr_t)real_program->start, eye.pieces, PIECES, &eye.origin) : 0;
    if (watch)
        conformance__slots_set((uintptr_t)real_program->start, slot);
    for (uint32_t i = 0; i < eye.piece_count; i++) {
        free(eye.copies[i]);
        COR_TRY(cor_made(eye.copies[i] = cor_calloc(eye.pieces[i].bytes, 1), error));
        memcpy(eye.copies[i], eye.pieces[i].start, eye.pieces[i].bytes);
    }
    proxy.start = start;
    proxy.receive = receive;
    proxy.alarm = proxy.alarm ? see_due_alarm : NULL;
    proxy.completed = proxy.completed ? completed : NULL;
    proxy.input = proxy.input ? input : NULL;
    proxy.observe = observe;
    return cor_process_adopt(&proxy, program, error);
}

/* ---- a life told again */

/* The host of a life that is told: it answers as it did. */
static struct {
    struct conformance__journal *journal;
    uint64_t at; /* of the next entry */
    uint32_t process, life;
    bool has_lost; /* it was asked more or less than then */
} tale;

/* The next entry of the life; NULL: that was all. */
static const struct record *next(void) {
    const struct conformance__journal *journal = tale.journal;
    while (tale.at < journal->used) {
        const struct record *record = (const void *)(journal->bytes + tale.at);
        tale.at += sizeof *record + (record->size + (size_t)15) / 16 * 16;
        if (record->process == tale.process && record->life == tale.life)
            return record;
    }
    return NULL;
}

static uint64_t tell_answer(const struct cor_process_host *host) {
    const uint64_t before = tale.at;
    const struct record *record = next();
    (void)host;
    if (record && record->entry == ANSWER)
        return record->word;
    tale.at = before;
    tale.has_lost = true;
    return 0;
}
static void tell_send(const struct cor_process_host *host, uint32_t to, uint32_t kind, const void *bytes,
                      uint32_t size) {
    (void)host;
    ask(1, (uint64_t)to << 32 | kind, size);
    ask_bytes(bytes, size);
}
static void tell_alarm(const struct cor_process_host *host, uint32_t which, uint64_t ticks) {
    (void)host;
    ask(2, which, ticks);
}
static void tell_cell(const struct cor_process_host *host, uint32_t which, const void *bytes, uint32_t size) {
    (void)host;
    ask(3, which, size);
    ask_bytes(bytes, size);
}
static void tell_write(const struct cor_process_host *host, uint64_t ticket, uint32_t operation,
                       const void *bytes, uint32_t size) {
    (void)host;
    ask(4, ticket, (uint64_t)operation << 32 | size);
    ask_bytes(bytes, size);
}

/* Before each block its size. */
static void *tell_alloc(const struct cor_process_host *host, size_t size) {
    size_t *block = cor_calloc(size + 16, 1);
    (void)host;
    ask(5, size, 0);
    if (!block)
        return NULL;
    *block = size;
    return (unsigned char *)block + 16;
}
static void tell_release(const struct cor_process_host *host, void *memory) {
    (void)host;
    ask(7, memory != NULL, 0);
    free(memory ? (unsigned char *)memory - 16 : NULL);
}
static void *tell_resize(const struct cor_process_host *host, void *memory, size_t size) {
    size_t *larger = cor_calloc(size + 16, 1);
    (void)host;
    ask(6, size, memory != NULL);
    if (!larger)
        return NULL;
    *larger = size;
    if (memory) {
        const size_t before = *(size_t *)(void *)((unsigned char *)memory - 16);
        memcpy((unsigned char *)larger + 16, memory, before < size ? before : size);
        free((unsigned char *)memory - 16);
    }
    return (unsigned char *)larger + 16;
}
static void tell_tell(const struct cor_process_host *host, uint32_t channel, uint64_t index,
                      uint64_t digest) {
    (void)host;
    ask(8, (uint64_t)channel << 32, index);
    ask(8, digest, 0);
}
static void tell_complaint(const struct cor_process_host *host, const char *sentence) {
    (void)host;
    (void)sentence;
    ask(9, 0, 0);
}

static void tell_start(void *me, const struct cor_process_host *host, const struct record *call) {
    const uint32_t count = call->cells + call->writes;
    struct cor_process_record *records = cor_calloc(count + (size_t)1, sizeof *records);
    const unsigned char *at = (const unsigned char *)(call + 1);
    COR_ASSERT(records);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&records[i].operation, at, 4);
        memcpy(&records[i].size, at + 4, 4);
        records[i].bytes = at + 16;
        at += 16 + (records[i].size + (size_t)15) / 16 * 16;
    }
    /* They live as long as the process. */
    const struct cor_process_stored stored = {records, records + call->cells, call->cells, call->writes};
    eye.real->start(me, host, &stored);
}

static void tell_call(void *me, const struct cor_process_host *host, const struct record *call) {
    const void *bytes = call->bytes > 0 ? (const void *)(call + 1) : NULL;
    switch ((enum verb)call->verb) {
    case START:
        tell_start(me, host, call);
        break;
    case RECEIVE:
        eye.real->receive(me, host, call->from, call->which, bytes, call->bytes);
        break;
    case ALARM:
        eye.real->alarm(me, host, call->which);
        break;
    case COMPLETED:
        eye.real->completed(me, host, call->ticket, call->which);
        break;
    case INPUT:
        eye.real->input(me, host, call->which, bytes, call->bytes);
        break;
    }
}

void conformance__journal_relive(const struct cor_process *program, struct conformance__journal *journal,
                                 uint32_t process, uint32_t life) {
    struct cor_process_host host = {.struct_size = sizeof host,
                                    .minor = COR_PROCESS_MINOR,
                                    .self = process,
                                    .now = tell_answer,
                                    .random = tell_answer,
                                    .send = tell_send,
                                    .set_alarm = tell_alarm,
                                    .cell = tell_cell,
                                    .write = tell_write,
                                    .alloc = tell_alloc,
                                    .resize = tell_resize,
                                    .release = tell_release,
                                    .tell = tell_tell,
                                    .complain = tell_complaint};
    union cor_process_value values[COR_PROCESS_ATTRIBUTES_MAX] = {0};
    const struct record *record;
    uint32_t calls = 0;
    void *me = cor_calloc(program->state_size + 1, 1);
    COR_ASSERT(me);
    eye.real = program;
    tale.journal = journal;
    tale.at = 0;
    tale.process = process;
    tale.life = life;
    while ((record = next()) != NULL && record->entry == CALL) {
        const struct record *call = record;
        const uint64_t before = tale.at;
        if (call->verb == START) {
            host.count = call->count;
            host.fault = call->fault;
        }
        /* A call without an end was the last of the run. */
        do
            record = next();
        while (record && record->entry == ANSWER);
        if (!record || record->entry != DONE)
            break;
        tale.at = before;
        eye.asked = COR_HASH_SEED;
        tell_call(me, &host, call);
        const uint64_t asked = eye.asked;
        memset(values, 0, sizeof values);
        program->observe(me, values);
        const uint64_t said = cor_hash_bytes(asked, values, program->attribute_count * sizeof *values);
        record = next();
        if (tale.has_lost || !record || record->entry != DONE || record->word != said) {
            snprintf(journal->different, sizeof journal->different,
                     "told again alone, life %u of process %u goes another way in its call %u, %s()", life,
                     process, calls + 1, verbs[call->verb]);
            return;
        }
        calls++;
    }
}
