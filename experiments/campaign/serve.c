/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The far end of a link: a process that keeps the link, and a child that reads the experiment and executes
 * suites. A suite may take long, or end its process: the one that keeps the link says so. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "internal.h"
#include "wire.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/record.h>
#include <corridor/work.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALIVE_SECONDS 1.0

/* The child's. */
struct served {
    struct campaign__wire wire;   /* to the process that keeps the link */
    struct cor_campaign campaign; /* a layer with its experiment, and nothing else */
    struct cor_record *record;
    void *executor;
    unsigned char *frame; /* owned */
    size_t frame_capacity;
    struct cor_watch watch;
};

/* A message that is one number of `size` bytes. */
static void send_number(struct campaign__wire *wire, enum campaign__kind kind, uint64_t number, size_t size) {
    unsigned char bytes[8];
    struct cor_bytes text = cor_bytes_into(bytes, sizeof bytes);
    cor_bytes_put_number(&text, number, size);
    (void)campaign__wire_send(wire, kind, &(struct campaign__part){bytes, size}, 1);
}

static bool never_stopped(void *with) {
    (void)with;
    return false; /* it is killed */
}

static void show_cases(void *with, uint64_t cases) {
    atomic_store((_Atomic uint64_t *)with, cases);
}

static enum cor_status closed(struct cor_error *error) {
    return cor_fail(error, COR_STATUS_FILE, NULL, NULL, "the link is closed");
}

static struct campaign__message next_request(struct served *served) {
    for (;;) {
        struct campaign__message message = campaign__wire_receive(&served->wire, 10000);
        if (message.kind != CAMPAIGN__NOTHING)
            return message;
    }
}

static enum cor_status read_experiment(struct served *served, cor_served_read *read,
                                       struct cor_error *error) {
    struct cor_served there = {0};
    struct campaign__message message = next_request(served);
    struct cor_bytes_reader reader = cor_bytes_reader(message.bytes, message.size);
    const char *numbers = cor_bytes_take_text(&reader), *name = cor_bytes_take_text(&reader);
    if (message.kind != CAMPAIGN__EXPERIMENT || !name)
        return closed(error);
    char *at;
    struct cor_layer_options options = {.log_solutions = strtol(numbers, &at, 10) != 0};
    options.isolation = (int)strtol(at, &at, 10);
    options.fresh_processes = strtol(at, &at, 10) != 0;
    options.isolation_required = strtol(at, &at, 10) != 0;
    char *path = cor_strdup(name),
         *text = cor_format("%.*s", (int)(message.size - reader.at), (const char *)message.bytes + reader.at);
    enum cor_status status = COR_OK;
    if (!path || !text)
        COR_TRY_OUT(cor_fail_memory(error));
    COR_TRY_OUT(read(path, text, &options, &there, error));
    served->campaign.definition.layer = there.layer;
    served->campaign.definition.experiment = there.experiment;
out:
    free(text); /* the path lives as long as the experiment, which names it */
    if (status != COR_OK)
        free(path);
    return status;
}

static enum cor_status serve_all(struct served *served, cor_served_read *read, struct cor_error *error) {
    COR_TRY(read_experiment(served, read, error));
    COR_TRY(campaign__manifest_origins(&served->campaign, error));
    const struct cor_layer *layer = served->campaign.definition.layer;
    COR_TRY(cor_record_create(layer->schema, &served->record, error));
    cor_record_only_write(served->record);
    COR_TRY(layer->open(served->campaign.definition.experiment, &served->executor, error));
    char *manifest;
    COR_TRY(campaign__manifest_make(&served->campaign, &manifest, error));
    bool sent = campaign__wire_send(&served->wire, CAMPAIGN__HELLO,
                                    &(struct campaign__part){manifest, strlen(manifest)}, 1);
    free(manifest);
    if (!sent)
        return closed(error);
    for (;;) {
        struct campaign__message message = next_request(served);
        if (message.kind != CAMPAIGN__RUN || message.size != 8)
            return COR_OK;
        struct cor_bytes_reader reader = cor_bytes_reader(message.bytes, message.size);
        const uint32_t arm = (uint32_t)cor_bytes_take_number(&reader, 4);
        const uint32_t suite = (uint32_t)cor_bytes_take_number(&reader, 4);
        double wall = cor_wall_seconds(), cpu = cor_cpu_seconds();
        struct cor_suite_counts tally = {0};
        size_t size;
        const struct cor_experiment_head *experiment = served->campaign.definition.experiment;
        const uint32_t suites = experiment->suite_count;
        if (arm >= experiment->arm_count || (suites > 0 && suite >= suites))
            return closed(error);
        COR_TRY(layer->execute(served->executor, arm, suite, &served->watch, served->record, &tally, error));
        cor_record_count(served->record, &tally);
        cor_record_origin(served->record, served->campaign.origins[arm]);
        COR_TRY(cor_record_frame(served->record, &served->frame, &served->frame_capacity, &size, error));
        unsigned char bytes[16];
        struct cor_bytes times = cor_bytes_into(bytes, sizeof bytes);
        cor_bytes_put_real(&times, cor_wall_seconds() - wall);
        cor_bytes_put_real(&times, cor_cpu_seconds() - cpu);
        const struct campaign__part parts[] = {{bytes, sizeof bytes}, {served->frame, size}};
        show_cases(served->watch.with, 0);
        if (!campaign__wire_send(&served->wire, CAMPAIGN__SUITE, parts, 2))
            return closed(error);
    }
}

/* The child: what an algorithm prints goes to standard error, not into the link. */
static int serve_child(int link, _Atomic uint64_t *cases, double patience, cor_served_read *read) {
    struct cor_error error = COR_NO_ERROR;
    struct served served = {.watch = {cases, never_stopped, show_cases, NULL, NULL}};
    int nothing = open("/dev/null", O_RDONLY);
    cor_ignore_signals();
    madvise(served.watch.with, sizeof *cases, MADV_DONTFORK); /* as a worker's (worker.c) */
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return 1;
    campaign__wire_init(&served.wire, dup(link), dup(link), patience);
    close(link);
    if (serve_all(&served, read, &error) != COR_OK) {
        unsigned char bytes[sizeof error];
        struct cor_bytes text = cor_bytes_into(bytes, sizeof bytes);
        cor_bytes_put_number(&text, error.status, 4);
        cor_bytes_put_text(&text, error.place);
        cor_bytes_put_text(&text, error.cause);
        cor_bytes_put_text(&text, error.remedy);
        (void)campaign__wire_send(&served.wire, CAMPAIGN__FAILED, &(struct campaign__part){bytes, text.size},
                                  1);
    }
    return 0;
}

/* The parent's. */
struct keeper {
    struct campaign__wire link, child;
    _Atomic uint64_t *cases;
    pid_t pid;
    double said;  /* when something was last sent */
    bool is_held; /* somebody has stopped the child: it gives no sign of life until it goes on */
};

/* Passes on all whole messages that are there; false when one end is closed. */
static bool pass_on(struct campaign__wire *from, struct campaign__wire *to, struct keeper *keeper) {
    struct campaign__message message = campaign__wire_receive(from, 0);
    for (; message.kind > CAMPAIGN__CLOSED; message = campaign__wire_receive(from, 0)) {
        if (message.kind == CAMPAIGN__PING)
            continue;
        if (!campaign__wire_send(to, message.kind, &(struct campaign__part){message.bytes, message.size}, 1))
            return false;
        keeper->said = cor_wall_seconds();
    }
    return message.kind != CAMPAIGN__CLOSED;
}

static void keep(struct keeper *keeper) {
    for (;;) {
        struct pollfd files[] = {{keeper->link.in, POLLIN, 0}, {keeper->child.in, POLLIN, 0}};
        poll(files, 2, (int)(1000 * ALIVE_SECONDS));
        if (files[1].revents && !pass_on(&keeper->child, &keeper->link, keeper)) {
            int how = 0;
            kill(keeper->pid, SIGKILL); /* it has ended, or closed its files */
            while (waitpid(keeper->pid, &how, 0) < 0 && errno == EINTR)
                continue;
            keeper->pid = 0;
            send_number(&keeper->link, CAMPAIGN__DIED, (uint32_t)how, 4);
            return;
        }
        if (files[0].revents && !pass_on(&keeper->link, &keeper->child, keeper))
            return;
        if (cor_wall_seconds() - keeper->link.heard > keeper->link.patience)
            return; /* the link was cut */
        siginfo_t news = {0};
        while (waitid(P_PID, (id_t)keeper->pid, &news, WSTOPPED | WCONTINUED | WNOHANG) == 0 &&
               news.si_pid != 0) {
            keeper->is_held = news.si_code == CLD_STOPPED;
            news = (siginfo_t){0};
        }
        double now = cor_wall_seconds();
        if (now - keeper->said < ALIVE_SECONDS || keeper->is_held)
            continue;
        send_number(&keeper->link, CAMPAIGN__ALIVE, atomic_load(keeper->cases), 8);
        keeper->said = now;
    }
}

enum cor_status cor_campaign_serve(int in, int out, double patience, cor_served_read *read,
                                   struct cor_error *error) {
    int pair[2];
    pid_t parent = getpid();
    void *memory =
        mmap(NULL, sizeof(_Atomic uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return cor_fail_memory(error);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot make a pair of sockets");
    struct keeper keeper = {.cases = memory, .pid = fork(), .said = cor_wall_seconds()};
    if (keeper.pid == 0) {
        cor_die_with(parent);
        close(pair[0]);
        close(in);
        close(out);
        _exit(serve_child(pair[1], memory, patience, read));
    }
    close(pair[1]);
    if (keeper.pid < 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot start a process");
    signal(SIGPIPE, SIG_IGN);
    campaign__wire_init(&keeper.link, in, out, patience);
    campaign__wire_init(&keeper.child, pair[0], dup(pair[0]), patience);
    keep(&keeper);
    if (keeper.pid > 0)
        kill(keeper.pid, SIGKILL);
    campaign__wire_fini(&keeper.link);
    campaign__wire_fini(&keeper.child);
    munmap(memory, sizeof(_Atomic uint64_t));
    return COR_OK;
}
