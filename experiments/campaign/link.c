/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The near end of a link to another host: a child process, such as ssh, with a wire through it. */
#define _DEFAULT_SOURCE /* setrlimit of cores */
#include "link.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/work.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Adds the words of a text to a command; changes the text. Quotes and backslashes are those of a shell. */
static void add_words(char *text, char **words, size_t *count) {
    char *put = text, quote = '\0';
    for (bool in_word = false;; text++) {
        bool ends = *text == '\0' || (*text == ' ' && !quote);
        if (!ends && !in_word && *count + 1 < WORDS_MAX)
            words[(*count)++] = put;
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
    words[*count] = NULL;
}

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
        add_words(reach, words, &count);
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

/* The other end's error is ours, with the host's name. */
static enum cor_status pass_on(const struct cor_link *link, const struct campaign__message *message,
                               struct cor_error *error) {
    struct cor_bytes_reader reader = reader_of(message);
    uint64_t status = cor_bytes_take_number(&reader, 4);
    const char *place = cor_bytes_take_text(&reader), *cause = cor_bytes_take_text(&reader),
               *remedy = cor_bytes_take_text(&reader);
    if (status == COR_STATUS_OK || status > COR_STATUS_INTERNAL)
        status = COR_STATUS_INTERNAL;
    return cor_fail(error, (enum cor_status)status, link->host, remedy, "%s%s%s", place ? place : "",
                    place && *place ? ": " : "", cause ? cause : "");
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
        if (message->kind == CAMPAIGN__FAILED)
            return pass_on(link, message, error);
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
        if (now - link->pinged >= PING_SECONDS && !campaign__wire_send(&link->wire, CAMPAIGN__PING, NULL, 0))
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
    bool sent = campaign__wire_send(&link->wire, CAMPAIGN__EXPERIMENT, parts, 3);
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
    free(here);
    free(there);
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
    if (!campaign__wire_send(&link->wire, CAMPAIGN__RUN, &(struct campaign__part){numbers, sizeof numbers},
                             1))
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
