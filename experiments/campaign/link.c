/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hosts that execute suites for a campaign: their list, the near end of a link, and the far end. */
#define _DEFAULT_SOURCE /* setrlimit of cores */

#include "link.h"
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/child.h>
#include <corridor/record.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static enum cor_status no_host(const char *text, struct cor_error *error) {
    return cor_fail(
        error, COR_STATUS_INPUT, NULL,
        "name them as a:8,b:4, or a file with a line for each; all slots together are at most 256",
        "\"%s\" is no host with a number of slots", text);
}

static enum cor_status add(const char *text, struct cor_hosts *hosts, struct cor_error *error) {
    size_t length = strcspn(text, ": \t");
    const char *number = text + length + strspn(text + length, ": \t");
    number += strncmp(number, "slots=", 6) == 0 ? 6 : 0;
    char *end = NULL;
    unsigned long slots = *number >= '1' && *number <= '9' ? strtoul(number, &end, 10) : 1;
    /* Names go into a command line: none may look like an option, or hold what a shell would take apart. */
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@%[]";
    if (!(length > 0 && text[0] != '-' && strspn(text, allowed) >= length) ||
        (end ? *end != '\0' : *number != '\0' || text[length] == ':') ||
        slots > COR_WORKERS_MAX - hosts->slots)
        return no_host(text, error);
    COR_TRY(COR_RESERVE(&hosts->host, &hosts->capacity, hosts->count + 1, error));
    struct cor_remote_host *host = &hosts->host[hosts->count];
    *host = (struct cor_remote_host){cor_strdup(text), (uint32_t)slots};
    COR_TRY(cor_made(host->name, error));
    host->name[length] = '\0';
    hosts->count++;
    hosts->slots += host->slots;
    return COR_OK;
}

enum cor_status cor_hosts_read(const char *text, struct cor_hosts *hosts, struct cor_error *error) {
    struct stat there;
    size_t length;
    bool is_file = stat(text, &there) == 0 && !S_ISDIR(there.st_mode);
    char *copy = is_file ? NULL : cor_strdup(text);
    enum cor_status status = COR_OK;
    COR_TRY_OUT(is_file ? cor_json_read_text(text, &copy, &length, error) : cor_made(copy, error));
    /* Splits in place; blanks around an entry and what follows # are nothing. */
    const char *separators = is_file ? "\n" : ",";
    char *rest = copy;
    while (rest) {
        char *entry = rest;
        rest = strpbrk(rest, separators);
        if (rest)
            *rest++ = '\0';
        entry += strspn(entry, " \t\r");
        entry[strcspn(entry, "#")] = '\0';
        for (size_t i = strlen(entry); i > 0 && strchr(" \t\r", entry[i - 1]); i--)
            entry[i - 1] = '\0';
        if (*entry != '\0')
            COR_TRY_OUT(add(entry, hosts, error));
    }
    if (hosts->count == 0)
        COR_TRY_OUT(no_host(text, error));
out:
    free(copy);
    return status;
}

void cor_hosts_fini(struct cor_hosts *hosts) {
    for (size_t i = 0; i < hosts->count; i++)
        free(hosts->host[i].name);
    free(hosts->host);
    hosts->host = NULL;
    hosts->count = hosts->capacity = 0;
    hosts->slots = 0;
}

const char *campaign__host_of(const struct cor_campaign *campaign, uint32_t worker) {
    const struct cor_hosts *hosts = campaign->definition.hosts;
    for (size_t i = 0; hosts && i < hosts->count; i++) {
        if (worker < hosts->host[i].slots)
            return strcmp(hosts->host[i].name, COR_HOST_HERE) == 0 ? NULL : hosts->host[i].name;
        worker -= hosts->host[i].slots;
    }
    return NULL;
}

/* ---- wire */

#define MAGIC "CORM"
enum { HEAD_SIZE = 16 };
#define SUITE_MAX ((uint64_t)1 << 32)
#define TEXT_MAX ((uint64_t)1 << 30) /* of all else: a length is an int to those who read it */
#define READ_BYTES ((size_t)1 << 16)

void campaign__wire_init(struct campaign__wire *wire, int in, int out, double patience) {
    *wire = (struct campaign__wire){in, out, patience, cor_wall_seconds(), NULL, 0, 0, 0};
    fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
    fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

static void close_both(struct campaign__wire *wire) {
    if (wire->in >= 0)
        close(wire->in);
    if (wire->out >= 0)
        close(wire->out);
    wire->in = wire->out = -1;
}

void campaign__wire_fini(struct campaign__wire *wire) {
    close_both(wire);
    free(wire->bytes);
    wire->bytes = NULL;
    wire->count = wire->capacity = wire->taken = 0;
}

/* Sends a message of those parts; false if the other end is gone or takes nothing. */
static bool wire_send(struct campaign__wire *wire, enum campaign__kind kind,
                      const struct campaign__part *parts, size_t count) {
    unsigned char bytes[HEAD_SIZE];
    struct cor_bytes head = cor_bytes_into(bytes, sizeof bytes);
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += parts[i].size;
    cor_bytes_put(&head, MAGIC, 4);
    cor_bytes_put_number(&head, kind, 4);
    cor_bytes_put_number(&head, size, 8);
    bool sent = wire->out >= 0 && cor_write_all(wire->out, bytes, sizeof bytes, wire->patience);
    for (size_t i = 0; sent && i < count; i++)
        sent = cor_write_all(wire->out, parts[i].bytes, parts[i].size, wire->patience);
    return sent;
}

/* The message at the beginning of what has come; CAMPAIGN__NOTHING: not all of it is there. */
static struct campaign__message first_message(const struct campaign__wire *wire, size_t *size) {
    struct cor_bytes_reader reader = cor_bytes_reader(wire->bytes, wire->count);
    reader.at = wire->taken;
    const void *magic = cor_bytes_take(&reader, 4);
    const uint64_t kind = cor_bytes_take_number(&reader, 4), length = cor_bytes_take_number(&reader, 8);
    if (reader.failed)
        return (struct campaign__message){CAMPAIGN__NOTHING, NULL, 0};
    if (memcmp(magic, MAGIC, 4) != 0 || kind <= CAMPAIGN__CLOSED || kind > CAMPAIGN__DIED ||
        length > (kind == CAMPAIGN__SUITE ? SUITE_MAX : TEXT_MAX))
        return (struct campaign__message){CAMPAIGN__CLOSED, NULL, 0};
    const void *bytes = cor_bytes_take(&reader, (size_t)length);
    if (!bytes)
        return (struct campaign__message){CAMPAIGN__NOTHING, NULL, 0};
    *size = HEAD_SIZE + (size_t)length;
    return (struct campaign__message){(enum campaign__kind)kind, bytes, (size_t)length};
}

/* False when nothing will come any more. */
static bool read_some(struct campaign__wire *wire, int milliseconds) {
    struct cor_error ignored = COR_NO_ERROR;
    struct pollfd file = {wire->in, POLLIN, 0};
    if (poll(&file, 1, milliseconds) <= 0)
        return true;
    if (COR_RESERVE(&wire->bytes, &wire->capacity, wire->count + READ_BYTES, &ignored) != COR_OK)
        return false;
    ssize_t got = read(wire->in, wire->bytes + wire->count, READ_BYTES);
    if (got > 0) {
        wire->count += (size_t)got;
        wire->heard = cor_wall_seconds();
        return true;
    }
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

struct campaign__message campaign__wire_receive(struct campaign__wire *wire, int milliseconds) {
    double end = cor_wall_seconds() + milliseconds / 1000.0;
    /* What was given is forgotten, and what has come is put at the beginning. */
    if (wire->taken > 0)
        memmove(wire->bytes, wire->bytes + wire->taken, wire->count - wire->taken);
    wire->count -= wire->taken;
    wire->taken = 0;
    for (bool looked = false;; looked = true) {
        size_t size = 0;
        struct campaign__message message = first_message(wire, &size);
        double left = end - cor_wall_seconds();
        wire->taken = size;
        if (message.kind == CAMPAIGN__CLOSED)
            close_both(wire);
        if (message.kind != CAMPAIGN__NOTHING || (looked && left <= 0))
            return message;
        if (wire->in < 0 || !read_some(wire, left > 0 ? (int)(left * 1000) + 1 : 0)) {
            close_both(wire);
            return (struct campaign__message){CAMPAIGN__CLOSED, NULL, 0};
        }
    }
}

/* ---- the near end of a link to another host: a child process, such as ssh, with a wire through it */

#define WORDS_MAX 64
#define LOOK_MILLISECONDS 200
#define PING_SECONDS 1.0
#define ATTEMPTS 4 /* sshd refuses some of many that come at once */

struct cor_link {
    const struct cor_campaign *campaign; /* borrowed */
    const char *host;                    /* borrowed */
    struct campaign__wire wire;
    pid_t pid; /* of the command; 0 = none */
    double pinged;
};

/* The program as the far end takes it: behind ssh a shell reads it, which shall know a home and nothing else.
 */
static char *far_program(const char *reach, const char *program) {
    const char *name = strrchr(reach, '/');
    if (strcmp(name ? name + 1 : reach, "ssh") != 0)
        return cor_strdup(program);
    bool at_home = strncmp(program, "~/", 2) == 0;
    char *quoted = cor_shell_quoted(program + (at_home ? 2 : 0));
    char *word = quoted ? cor_format("%s%s", at_home ? "~/" : "", quoted) : NULL;
    free(quoted);
    return word;
}

static enum cor_status start(struct cor_link *link, struct cor_error *error) {
    int there[2] = {-1, -1}, back[2] = {-1, -1};
    if (pipe(there) != 0 || pipe(back) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, NULL, "raise the limit of open files (ulimit -n)",
                              "cannot make a pipe");
    fcntl(there[1], F_SETFD, FD_CLOEXEC);
    fcntl(back[0], F_SETFD, FD_CLOEXEC);
    link->pid = fork();
    if (link->pid == 0) {
        /* In the child: becomes the command. Signals that are meant for the planner are ignored by it,
         * too. */
        const struct cor_hosts *hosts = link->campaign->definition.hosts;
        char *words[WORDS_MAX], seconds[32];
        char *reach = cor_strdup(hosts->reach), *host = cor_strdup(link->host);
        size_t count = 0;
        if (!reach || !host)
            _exit(127);
        snprintf(seconds, sizeof seconds, "%.0f", hosts->patience);
        /* Adds the words of a text to a command; changes the text. Quotes and backslashes are those of a
         * shell. */
        char *text = reach;
        char *put = text, quote = '\0';
        for (bool in_word = false;; text++) {
            bool ends = *text == '\0' || (*text == ' ' && !quote);
            if (!ends && !in_word && count + 1 < WORDS_MAX)
                words[count++] = put;
            in_word = !ends;
            if (ends) {
                bool is_last = *text == '\0'; /* asked before *put, which may be the same place */
                *put++ = '\0';
                if (is_last)
                    break;
            } else if (quote ? *text == quote : *text == '\'' || *text == '"') {
                quote = quote ? '\0' : *text;
            } else {
                if (*text == '\\' && quote != '\'' && text[1] != '\0')
                    text++;
                *put++ = *text;
            }
        }
        words[count] = NULL;
        if (count == 0 || count + 5 > WORDS_MAX)
            _exit(127);
        words[count++] = host;
        words[count++] = far_program(words[0], hosts->program);
        if (!words[count - 1])
            _exit(127);
        words[count++] = (char[]){"serve"};
        words[count++] = seconds;
        words[count] = NULL;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sigprocmask(SIG_SETMASK, &link->campaign->signals_before, NULL);
        if (dup2(there[0], STDIN_FILENO) < 0 || dup2(back[1], STDOUT_FILENO) < 0)
            _exit(127);
        execvp(words[0], words);
        _exit(127);
    }
    close(there[0]);
    close(back[1]);
    campaign__wire_init(&link->wire, back[0], there[1], link->campaign->definition.hosts->patience);
    if (link->pid > 0)
        return COR_OK;
    link->pid = 0;
    return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, "use fewer workers", "cannot start a process");
}

/* How the command has ended, which may tell why the wire is closed. */
static int end(struct cor_link *link) {
    int how = 0;
    campaign__wire_fini(&link->wire);
    if (link->pid > 0) {
        kill(link->pid, SIGTERM);
        for (int i = 0; i < 20 && waitpid(link->pid, &how, WNOHANG) == 0; i++)
            usleep(10000);
        if (waitpid(link->pid, &how, WNOHANG) == 0) {
            kill(link->pid, SIGKILL);
            waitpid(link->pid, &how, 0);
        }
    }
    link->pid = 0;
    return how;
}

static enum cor_status say_lost(const struct cor_link *link, const char *why, bool *lost,
                                struct cor_error *error) {
    *lost = true;
    return cor_fail(error, COR_STATUS_FILE, link->host, NULL, "%s", why);
}

static struct cor_bytes_reader reader_of(const struct campaign__message *message) {
    return cor_bytes_reader(message->bytes, message->size);
}

/* Waits for a message of that kind, and gives signs of life meanwhile. */
static enum cor_status wait_for(struct cor_link *link, enum campaign__kind wanted,
                                const struct cor_watch *watch, struct campaign__message *message, bool *lost,
                                struct cor_error *error) {
    for (;;) {
        *message = campaign__wire_receive(&link->wire, LOOK_MILLISECONDS);
        struct cor_bytes_reader reader = reader_of(message);
        double now = cor_wall_seconds();
        if (cor_watch_stopped(watch))
            return COR_STATUS_INTERRUPTED;
        if (message->kind == wanted)
            return COR_OK;
        if (message->kind == CAMPAIGN__FAILED) {
            /* The other end's error is ours, with the host's name. */
            struct cor_bytes_reader said = reader_of(message);
            uint64_t status = cor_bytes_take_number(&said, 4);
            const char *place = cor_bytes_take_text(&said), *cause = cor_bytes_take_text(&said),
                       *remedy = cor_bytes_take_text(&said);
            if (status == COR_STATUS_OK || status > COR_STATUS_INTERNAL)
                status = COR_STATUS_INTERNAL;
            return cor_fail(error, (enum cor_status)status, link->host, remedy, "%s%s%s", place ? place : "",
                            place && *place ? ": " : "", cause ? cause : "");
        }
        if (message->kind == CAMPAIGN__DIED && message->size == 4) {
            /* Ends this process as the one that executed did, for which it stands. */
            const int how = (int)cor_bytes_take_number(&reader, 4);
            if (WIFSIGNALED(how)) {
                setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
                signal(WTERMSIG(how), SIG_DFL);
                kill(getpid(), WTERMSIG(how));
            }
            _exit(WIFEXITED(how) ? WEXITSTATUS(how) : 1);
        }
        if (message->kind == CAMPAIGN__ALIVE && message->size == 8)
            cor_watch_show(watch, cor_bytes_take_number(&reader, 8));
        else if (message->kind != CAMPAIGN__NOTHING)
            return say_lost(link,
                            message->kind == CAMPAIGN__CLOSED ? "the link is closed"
                                                              : "it does not answer properly",
                            lost, error);
        if (now - link->wire.heard > link->wire.patience)
            return say_lost(link, "it does not answer", lost, error);
        if (now - link->pinged >= PING_SECONDS && !wire_send(&link->wire, CAMPAIGN__PING, NULL, 0))
            return say_lost(link, "the link is closed", lost, error);
        link->pinged = now - link->pinged >= PING_SECONDS ? now : link->pinged;
    }
}

static enum cor_status greet(struct cor_link *link, const struct cor_watch *watch, bool *lost,
                             struct cor_error *error) {
    struct campaign__message hello;
    COR_TRY(start(link, error));
    const struct cor_campaign *campaign = link->campaign;
    char *whole = realpath(campaign->definition.experiment->path, NULL);
    const char *path = whole ? whole : campaign->definition.experiment->path;
    const struct cor_layer_options *options = &campaign->definition.hosts->options;
    char numbers[64];
    int length = snprintf(numbers, sizeof numbers, "%d %d %d %d", options->log_solutions, options->isolation,
                          options->fresh_processes, options->isolation_required);
    const struct campaign__part parts[] = {
        {numbers, (size_t)length + 1},
        {path, strlen(path) + 1},
        {campaign->definition.experiment->text, strlen(campaign->definition.experiment->text)}};
    bool sent = wire_send(&link->wire, CAMPAIGN__EXPERIMENT, parts, 3);
    free(whole);
    if (!sent)
        return say_lost(link, "the link is closed", lost, error);
    COR_TRY(wait_for(link, CAMPAIGN__HELLO, watch, &hello, lost, error));
    /* What the process there would execute is what is executed here: build, modules, experiment. */
    enum cor_status status = COR_OK;
    char *here = NULL, *there = cor_format("%.*s", (int)hello.size, (const char *)hello.bytes);
    COR_TRY(cor_made(there, error));
    COR_TRY_OUT(campaign__manifest_make(link->campaign, &here, error));
    COR_TRY_OUT(campaign__manifest_compare_host(link->host, there, here, error));
out:
    COR_FREE(here, there);
    return status;
}

enum cor_status campaign__link_open(const struct cor_campaign *campaign, const char *host,
                                    const struct cor_watch *watch, struct cor_link **link, bool *lost,
                                    struct cor_error *error) {
    struct cor_link *made = *link = cor_calloc(1, sizeof *made);
    COR_TRY(cor_made(made, error));
    made->campaign = campaign;
    made->host = host;
    made->wire.in = made->wire.out = -1;
    for (int attempt = 1;; attempt++) {
        *lost = false;
        enum cor_status status = greet(made, watch, lost, error);
        if (!*lost || attempt == ATTEMPTS || cor_wall_seconds() - made->wire.heard > made->wire.patience)
            return status;
        end(made);
        *error = COR_NO_ERROR;
        usleep((useconds_t)attempt * 300000);
        if (cor_watch_stopped(watch))
            return COR_STATUS_INTERRUPTED;
    }
}

enum cor_status campaign__link_run(struct cor_link *link, uint32_t arm, uint32_t suite,
                                   const struct cor_watch *watch, struct campaign__answer *answer, bool *lost,
                                   struct cor_error *error) {
    unsigned char numbers[8];
    struct cor_bytes request = cor_bytes_into(numbers, sizeof numbers);
    struct campaign__message message;
    cor_bytes_put_number(&request, arm, 4);
    cor_bytes_put_number(&request, suite, 4);
    link->wire.heard = cor_wall_seconds(); /* nothing was waited for since */
    if (!wire_send(&link->wire, CAMPAIGN__RUN, &(struct campaign__part){numbers, sizeof numbers}, 1))
        return say_lost(link, "the link is closed", lost, error);
    COR_TRY(wait_for(link, CAMPAIGN__SUITE, watch, &message, lost, error));
    struct cor_bytes_reader reader = reader_of(&message);
    answer->wall_seconds = cor_bytes_take_real(&reader);
    answer->cpu_seconds = cor_bytes_take_real(&reader);
    answer->frame = message.bytes + reader.at;
    answer->size = message.size - reader.at;
    return reader.failed ? say_lost(link, "it does not answer properly", lost, error) : COR_OK;
}

void campaign__link_close(struct cor_link *link) {
    if (!link)
        return;
    end(link);
    free(link);
}

/* ---- the far end of a link: a process that keeps the link, and a child that reads the experiment and
 * executes suites. A suite may take long, or end its process: the one that keeps the link says so */

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
    (void)wire_send(wire, kind, &(struct campaign__part){bytes, size}, 1);
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
    bool sent =
        wire_send(&served->wire, CAMPAIGN__HELLO, &(struct campaign__part){manifest, strlen(manifest)}, 1);
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
        if (!wire_send(&served->wire, CAMPAIGN__SUITE, parts, 2))
            return closed(error);
    }
}

/* The child: what an algorithm prints goes to standard error, not into the link. */
static int serve_child(int link, _Atomic uint64_t *cases, double patience, cor_served_read *read) {
    struct cor_error error = COR_NO_ERROR;
    struct served served = {.watch = {cases, never_stopped, show_cases, NULL, NULL}};
    int nothing = open("/dev/null", O_RDONLY);
    cor_ignore_signals();
    madvise(served.watch.with, sizeof *cases, MADV_DONTFORK); /* as a worker's (campaign.c) */
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
        (void)wire_send(&served.wire, CAMPAIGN__FAILED, &(struct campaign__part){bytes, text.size}, 1);
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
static bool pass_on_serve(struct campaign__wire *from, struct campaign__wire *to, struct keeper *keeper) {
    struct campaign__message message = campaign__wire_receive(from, 0);
    for (; message.kind > CAMPAIGN__CLOSED; message = campaign__wire_receive(from, 0)) {
        if (message.kind == CAMPAIGN__PING)
            continue;
        if (!wire_send(to, message.kind, &(struct campaign__part){message.bytes, message.size}, 1))
            return false;
        keeper->said = cor_wall_seconds();
    }
    return message.kind != CAMPAIGN__CLOSED;
}

static void keep(struct keeper *keeper) {
    for (;;) {
        struct pollfd files[] = {{keeper->link.in, POLLIN, 0}, {keeper->child.in, POLLIN, 0}};
        poll(files, 2, (int)(1000 * ALIVE_SECONDS));
        if (files[1].revents && !pass_on_serve(&keeper->child, &keeper->link, keeper)) {
            int how = 0;
            kill(keeper->pid, SIGKILL); /* it has ended, or closed its files */
            while (waitpid(keeper->pid, &how, 0) < 0 && errno == EINTR)
                continue;
            keeper->pid = 0;
            send_number(&keeper->link, CAMPAIGN__DIED, (uint32_t)how, 4);
            return;
        }
        if (files[0].revents && !pass_on_serve(&keeper->link, &keeper->child, keeper))
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
