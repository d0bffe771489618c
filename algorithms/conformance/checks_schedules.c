/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to conformance: schedules of a distributed program, drawn event by event from what is possible. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "internal.h"

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/child.h>
#include <corridor/cluster.h>
#include <corridor/guarantees.h>
#include <corridor/hash.h>
#include <corridor/loader.h>
#include <corridor/process_program.h>
#include <corridor/walls.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Private to conformance: a program that calls another and looks on. Between host and process it sees
 * all that passes; around each call it looks at the variables of the module and at what observe() does */

/* What was seen first of each, in words; empty: nothing. */
struct conformance__watch {
    char variables[160], looks[160], alone[160];
};

/* All that passed between host and processes in a run, one entry after another; in memory that processes of
 * ours share. */
struct conformance__journal {
    bool is_full; /* the rest is missing */
    uint64_t used;
    uint32_t lives[COR_PROCESSES_MAX]; /* starts of each process */
    char different[256];               /* of a life that was told again; empty: it was the same */
    _Alignas(16) unsigned char bytes[];
};

static void journal_relive(const struct cor_process *program, struct conformance__journal *journal,
                           uint32_t process, uint32_t life);
static enum cor_status watch_begin(struct conformance__probe *probe, struct conformance__watch *watch,
                                   struct conformance__journal *journal, size_t journal_bytes,
                                   struct cor_process_program **program,
                                   struct cor_error *error) COR_MUST_USE;

#define CONFORMANCE__EVENTS 300u /* of a schedule at most */

#define CONFORMANCE__EVENTS_OF_PROGRAM 100u

/* What may happen beside deliveries, alarms, writes and inputs. */
enum conformance__weather {
    CONFORMANCE__CALM,
    CONFORMANCE__STORM,  /* loss, doubles, crashes, pauses, cuts */
    CONFORMANCE__EXTREME /* these, torn writes, lost cells, disks in error, clocks that are set */
};

/* A schedule as it happened, with the digest of the cluster behind each event. */
struct conformance__course {
    struct cor_process_event events[CONFORMANCE__EVENTS];
    uint64_t digests[CONFORMANCE__EVENTS + 1]; /* [0]: behind the reset */
    uint32_t count;
};

#define HANG_SECONDS 0.25 /* CPU time, at the same place three times over */

/* A cluster of so many processes; the process ends where the kit itself is in trouble. */
static struct cor_cluster *cluster_create(struct conformance__probe *probe,
                                          struct cor_process_program *program, uint32_t processes) {
    const struct cor_cluster_definition definition = {
        .program = program, .process_count = processes, .hang_seconds = HANG_SECONDS};
    struct cor_cluster *cluster;
    conformance__probe_trouble(probe, cor_cluster_create(&definition, &cluster, &probe->error));
    return cluster;
}

/* One of the bits that are set, at least one. */
static uint8_t draw_bit(struct cor_rng *rng, uint32_t bits) {
    const uint32_t which = cor_rng_below(rng, (uint32_t)__builtin_popcount(bits));
    for (uint32_t i = 0; i < which; i++)
        bits &= bits - 1;
    return (uint8_t)__builtin_ctz(bits);
}

/* A message that is under way to a process, whichever. */
static void draw_message(const struct cor_cluster *cluster, struct cor_rng *rng,
                         struct cor_process_event *event) {
    const struct cor_process_set *from = &cor_cluster_overview(cluster)->senders[event->process];
    const uint32_t senders = cor_set_size(from);
    uint32_t count = 0;
    if (senders == 0)
        return;
    event->peer = (uint8_t)cor_set_member(from, cor_rng_below(rng, senders));
    const struct cor_flight *flights = cor_cluster_flight(cluster, event->peer, event->process, &count);
    const uint32_t which = cor_rng_below(rng, count);
    event->what = flights[which].kind;
    event->ordinal = 0;
    for (uint32_t i = 0; i < which; i++)
        event->ordinal += flights[i].kind == event->what;
}

/* A kind of event, by weights. What cannot be now is passed over. */
static enum cor_process_event_kind draw_kind(struct cor_rng *rng, enum conformance__weather weather) {
    static const struct {
        unsigned char weight, kind, weather;
    } kinds[] = {{50, COR_PROCESS_EVENT_DELIVER, CONFORMANCE__CALM},
                 {12, COR_PROCESS_EVENT_DISK, CONFORMANCE__CALM},
                 {10, COR_PROCESS_EVENT_TIME_OUT, CONFORMANCE__CALM},
                 {10, COR_PROCESS_EVENT_INPUT, CONFORMANCE__CALM},
                 {4, COR_PROCESS_EVENT_LOSE, CONFORMANCE__STORM},
                 {4, COR_PROCESS_EVENT_DUPLICATE, CONFORMANCE__STORM},
                 {3, COR_PROCESS_EVENT_CRASH, CONFORMANCE__STORM},
                 {9, COR_PROCESS_EVENT_RESTART, CONFORMANCE__STORM},
                 {1, COR_PROCESS_EVENT_PAUSE, CONFORMANCE__STORM},
                 {3, COR_PROCESS_EVENT_RESUME, CONFORMANCE__STORM},
                 {1, COR_PROCESS_EVENT_CUT, CONFORMANCE__STORM},
                 {3, COR_PROCESS_EVENT_HEAL, CONFORMANCE__STORM},
                 {4, COR_PROCESS_EVENT_DISK_ERROR, CONFORMANCE__EXTREME},
                 {4, COR_PROCESS_EVENT_CRASH_TORN, CONFORMANCE__EXTREME},
                 {4, COR_PROCESS_EVENT_CRASH_LOST, CONFORMANCE__EXTREME},
                 {2, COR_PROCESS_EVENT_JUMP, CONFORMANCE__EXTREME},
                 {2, COR_PROCESS_EVENT_DRIFT, CONFORMANCE__EXTREME}};
    uint32_t all = 0, i = 0;
    for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        all += kinds[k].weather <= weather ? kinds[k].weight : 0;
    for (uint32_t left = cor_rng_below(rng, all);; i++) {
        const uint32_t weight = kinds[i].weather <= weather ? kinds[i].weight : 0;
        if (left < weight)
            return (enum cor_process_event_kind)kinds[i].kind;
        left -= weight;
    }
}

/* Processes that a module leaves behind could go on beside the kit: they end with this one. Whether a thread
 * is still there is a matter of time; that it was begun is found by `alone`. */
static void expect_nobody(struct conformance__probe *probe, const struct cor_process_event *event) {
    if (probe->is_program || probe->has_twin || cor_cell_left() != COR_LEFT_PROCESSES)
        return;
    conformance__probe_broken(probe, "behind %s at process %u it leaves processes behind",
                              cor_process_event_kind_word((enum cor_process_event_kind)event->kind),
                              event->process);
    conformance__probe_end(probe);
}

/* Draws and does a schedule from the beginning, until it is long enough or the processes are at an end. */
static void course_draw(struct conformance__probe *probe, struct cor_cluster *cluster,
                        const struct cor_stream_name *name, enum conformance__weather weather,
                        struct conformance__course *course) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_TEST;
    struct cor_rng rng = cor_rng_named(&own);
    const uint32_t most = probe->is_program ? CONFORMANCE__EVENTS_OF_PROGRAM : CONFORMANCE__EVENTS;
    course->count = 0;
    conformance__probe_trouble(probe, cor_cluster_reset(cluster, name, &probe->error));
    course->digests[0] = cor_cluster_digest(cluster);
    for (uint32_t i = 0; i < 2 * most && course->count < most; i++) {
        struct cor_process_event *event = &course->events[course->count];
        bool happened;
        const uint32_t processes = cor_cluster_process_count(cluster);
        const struct cor_cluster_overview *overview = cor_cluster_overview(cluster);
        *event = (struct cor_process_event){.kind = (uint8_t)draw_kind(&rng, weather)};
        event->process = (uint8_t)cor_rng_below(&rng, processes);
        event->tick = cor_cluster_now(cluster);
        event->tick += cor_rng_below(&rng, 10);
        switch ((enum cor_process_event_kind)event->kind) {
        case COR_PROCESS_EVENT_DELIVER:
        case COR_PROCESS_EVENT_LOSE:
        case COR_PROCESS_EVENT_DUPLICATE:
            draw_message(cluster, &rng, event);
            break;
        case COR_PROCESS_EVENT_TIME_OUT:
            event->what =
                overview->alarms[event->process] ? draw_bit(&rng, overview->alarms[event->process]) : 0;
            break;
        case COR_PROCESS_EVENT_INPUT: {
            const uint32_t inputs = cor_cluster_program(cluster)->input_count;
            event->what = inputs > 0 ? (uint8_t)cor_rng_below(&rng, inputs) : 0;
            event->ordinal = cor_rng_below(&rng, UINT32_MAX);
            break;
        }
        case COR_PROCESS_EVENT_CRASH:
        case COR_PROCESS_EVENT_CRASH_TORN:
            event->ordinal = cor_rng_below(&rng, 3);
            break;
        case COR_PROCESS_EVENT_CRASH_LOST:
            event->what = (uint8_t)cor_rng_below(&rng, COR_PROCESS_CELLS_MAX);
            break;
        case COR_PROCESS_EVENT_CUT:
        case COR_PROCESS_EVENT_HEAL:
            event->peer = (uint8_t)cor_rng_below(&rng, processes);
            break;
        case COR_PROCESS_EVENT_JUMP:
            event->what = (uint8_t)cor_rng_below(&rng, 2);
            event->ordinal = cor_rng_below(&rng, 5000);
            break;
        case COR_PROCESS_EVENT_DRIFT:
            event->ordinal = 500 + cor_rng_below(&rng, 1000);
            break;
        default:
            break;
        }
        conformance__probe_trouble(probe, cor_cluster_happen(cluster, event, &happened, &probe->error));
        if (happened)
            course->digests[++course->count] = cor_cluster_digest(cluster);
        expect_nobody(probe, event);
        if (cor_cluster_end(cluster, NULL, NULL) != COR_PROCESS_END_NONE)
            break;
    }
    probe->is_hung |= cor_cluster_end(cluster, NULL, NULL) == COR_PROCESS_END_HANG;
}

/* Does it again, from the beginning; the first event after which it goes another way (0: the reset), or
 * UINT32_MAX. */
static uint32_t course_repeat(struct conformance__probe *probe, struct cor_cluster *cluster,
                              const struct cor_stream_name *name, const struct conformance__course *course) {
    conformance__probe_trouble(probe, cor_cluster_reset(cluster, name, &probe->error));
    if (cor_cluster_digest(cluster) != course->digests[0])
        return 0;
    for (uint32_t i = 0; i < course->count; i++) {
        bool happened;
        conformance__probe_trouble(probe,
                                   cor_cluster_happen(cluster, &course->events[i], &happened, &probe->error));
        if (!happened || cor_cluster_digest(cluster) != course->digests[i + 1])
            return i + 1;
    }
    return UINT32_MAX;
}

/* ---- checks of distributed programs that drawn schedules show: that one schedule goes one way, and that
 * processes live through what may happen to them */

static const uint32_t sizes[] = {1, 2, 3, 5, COR_PROCESSES_ONCE, 0};

static bool is_process(const char *text, bool is_said) {
    if (is_said || cor_process_builtin(text))
        return true;
    const bool is_module = cor_process_way_of(text) == COR_PROCESS_MODULE;
    void *handle = is_module ? dlopen(text, RTLD_NOW | RTLD_LOCAL) : NULL;
    const bool exports = handle && dlsym(handle, COR_PROCESS_SYMBOL);
    if (handle)
        dlclose(handle);
    return exports;
}

static enum cor_status open_process(struct conformance__probe *probe, const char *text,
                                    struct cor_error *error) {
    const struct cor_process_definition definition = {
        .program = text, .memory_bytes = (uint64_t)1 << 30, .answer_seconds = 10};
    probe->is_program = cor_process_way_of(text) == COR_PROCESS_COMMAND;
    COR_TRY(cor_process_open(&definition, &probe->program, error));
    if (cor_process_description(probe->program)->rule)
        return cor_fail(error, COR_STATUS_INPUT, text, "corridor stabilize asks each of its rules twice",
                        "has rules in the place of messages, and the kit checks what sends messages");
    if (cor_process_way_of(text) == COR_PROCESS_MODULE) {
        /* What a module would do to others - to whoever runs the kit first of all - is not done, and is the
         * finding; what it prints is nobody's. */
        const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (nothing < 0)
            return cor_fail(error, COR_STATUS_FILE, "/dev/null", NULL, "cannot be opened");
        for (int file = 0; file <= 2; file++)
            dup2(nothing, file);
        close(nothing);
        (void)cor_walls_raise(COR_WALL_FILES | COR_WALL_SIGNALS | COR_WALL_TRACES, NULL, NULL);
        (void)cor_forbid_calls_of_program(); /* the kit's own timers are not among them */
        probe->is_limited = cor_limit_memory(cor_address_space(COR_GUEST_MEMORY), true);
        prctl(PR_SET_CHILD_SUBREAPER, 1); /* whoever it leaves behind is a child, then */
    }
    return cor_process_load(probe->program, error); /* whoever watches calls it */
}

static struct cor_stream_name name_of(uint32_t processes, uint64_t seed) {
    return (struct cor_stream_name){.seed = seed, .suite = processes, .identity = seed + 1};
}

/* What happened, in words. */
static void describe(const struct conformance__course *course, uint32_t event, char *text, size_t size) {
    if (event == 0 || event > course->count) {
        snprintf(text, size, "the start");
        return;
    }
    const struct cor_process_event *at = &course->events[event - 1];
    snprintf(text, size, "event %u, %s at process %u,", event,
             cor_process_event_kind_word((enum cor_process_event_kind)at->kind), at->process);
}

static bool repeats(struct conformance__probe *probe, struct cor_cluster *cluster,
                    const struct cor_stream_name *name, const struct conformance__course *course,
                    const char *where) {
    const uint32_t event = course_repeat(probe, cluster, name, course);
    char text[96];
    if (event == UINT32_MAX)
        return true;
    describe(course, event, text, sizeof text);
    conformance__probe_broken(probe, "the same schedule goes another way %s: %s has another outcome", where,
                              text);
    return false;
}

static void check_schedules(struct conformance__probe *probe) {
    static struct conformance__course course, other;
    for (const uint32_t *n = sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++) {
            if (!conformance__probe_try_schedule(probe, *n, seed))
                continue;
            const struct cor_stream_name name = name_of(*n, seed), second = name_of(*n, seed + 1000);
            struct cor_cluster *cluster = cluster_create(probe, probe->program, *n);
            course_draw(probe, cluster, &name, CONFORMANCE__STORM, &course);
            if (repeats(probe, cluster, &name, &course, "the second time")) {
                course_draw(probe, cluster, &second, CONFORMANCE__EXTREME, &other);
                repeats(probe, cluster, &name, &course, "after another schedule");
            }
            cor_cluster_destroy(cluster);
            cluster = cluster_create(probe, probe->program, *n);
            repeats(probe, cluster, &name, &course, "in a fresh cluster");
            cor_cluster_destroy(cluster);
        }
}

static void check_schedule_digests(struct conformance__probe *probe) {
    static struct conformance__course course;
    for (const uint32_t *n = sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++) {
            if (!conformance__probe_try_schedule(probe, *n, seed))
                continue;
            const struct cor_stream_name name = name_of(*n, seed);
            COR_DESTROYED(cor_cluster)
            struct cor_cluster *cluster = cluster_create(probe, probe->program, *n);
            course_draw(probe, cluster, &name, CONFORMANCE__STORM, &course);
            uint64_t digest = COR_HASH_SEED;
            for (uint32_t i = 0; i <= course.count; i++)
                digest = cor_hash_word(digest, course.digests[i]);
            fprintf(probe->out, "D%llx\n", (unsigned long long)digest);
            fflush(probe->out);
        }
}

/* A complaint is an answer: whoever finds itself broken says so. */
static void live_through(struct conformance__probe *probe, enum conformance__weather weather) {
    static struct conformance__course course;
    for (const uint32_t *n = sizes; *n > 0; n++)
        for (uint64_t seed = 0; seed < 2 * CONFORMANCE__SEEDS; seed++) {
            if (!conformance__probe_try_schedule(probe, *n, seed))
                continue;
            const struct cor_stream_name name = name_of(*n, seed);
            COR_DESTROYED(cor_cluster)
            struct cor_cluster *cluster = cluster_create(probe, probe->program, *n);
            uint32_t process;
            const char *sentence;
            char text[96];
            course_draw(probe, cluster, &name, weather, &course);
            const enum cor_process_end end = cor_cluster_end(cluster, &process, &sentence);
            describe(&course, course.count, text, sizeof text);
            if (end != COR_PROCESS_END_NONE && end != COR_PROCESS_END_COMPLAINT)
                conformance__probe_broken(probe, "behind %s process %u ends the run (%s): %s", text, process,
                                          cor_process_end_word(end), sentence);
        }
}

static void check_survives(struct conformance__probe *probe) {
    live_through(probe, CONFORMANCE__STORM);
}

static void check_extremes(struct conformance__probe *probe) {
    live_through(probe, CONFORMANCE__EXTREME);
}

/* ---- checks of distributed programs that look on at each call: what a process does beside what it asks of
 * its host, and whether a life of it needs what was before */

static const uint32_t sizes_watched[] = {1, 2, 3, 5, 0};

/* Draws a schedule of the program that looks on. */
static void run(struct conformance__probe *probe, uint32_t processes, uint64_t seed,
                struct conformance__watch *watch, struct conformance__journal *journal,
                size_t journal_bytes) {
    static struct conformance__course course;
    struct cor_process_program *program;
    const struct cor_stream_name name = name_of(processes, seed);
    conformance__probe_trouble(probe,
                               watch_begin(probe, watch, journal, journal_bytes, &program, &probe->error));
    struct cor_cluster *cluster = cluster_create(probe, program, processes);
    course_draw(probe, cluster, &name, CONFORMANCE__STORM, &course);
    cor_cluster_destroy(cluster);
    cor_process_close(program);
}

static bool is_apart(struct conformance__probe *probe) {
    if (probe->is_program)
        conformance__probe_skip(probe, "a program in another language runs in a process of its own");
    return probe->is_program;
}

/* `said`: where the watch says it. */
static void look_on(struct conformance__probe *probe, struct conformance__watch *watch, const char *said) {
    if (is_apart(probe))
        return;
    for (const uint32_t *n = sizes_watched; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS; seed++)
            if (conformance__probe_try_schedule(probe, *n, seed)) {
                run(probe, *n, seed, watch, NULL, 0);
                if (said[0])
                    conformance__probe_broken(probe, "%s", said);
            }
}

static bool is_built_in(struct conformance__probe *probe) {
    struct cor_module_piece piece;
    uintptr_t origin;
    const uintptr_t function = (uintptr_t)cor_process_description(probe->program)->start;
    const bool is = !probe->is_program && cor_module_variables(function, &piece, 1, &origin) == 0;
    if (is)
        conformance__probe_skip(probe,
                                "built in, or without variables: nothing of a module can be looked at");
    return is;
}

static void check_variables(struct conformance__probe *probe) {
    struct conformance__watch watch = {0};
    if (!is_built_in(probe))
        look_on(probe, &watch, watch.variables);
}

static void check_looks(struct conformance__probe *probe) {
    struct conformance__watch watch = {0};
    look_on(probe, &watch, watch.looks);
}

static void check_alone(struct conformance__probe *probe) {
    struct conformance__watch watch = {0};
    if (!is_built_in(probe))
        look_on(probe, &watch, watch.alone);
}

/* A process of its own in which nothing of the program has run: made before anything runs here, it makes one
 * of its own for each life that it is to tell again. */
struct twin {
    pid_t process;
    int questions, answers; /* how many processes there are; below, of the first life that is different */
    struct conformance__journal *journal;
};
struct answer {
    bool is_different, is_by_force;
    uint32_t process, life;
};

static struct answer tell_again(const struct cor_process *program, struct conformance__journal *journal,
                                uint32_t processes) {
    struct answer answer = {0};
    for (answer.process = 0; answer.process < processes; answer.process++)
        for (answer.life = 1; answer.life <= journal->lives[answer.process]; answer.life++) {
            int how = 0;
            const pid_t child = fork();
            if (child == 0) {
                journal_relive(program, journal, answer.process, answer.life);
                _exit(0);
            }
            answer.is_by_force = child > 0 && (waitpid(child, &how, 0) != child || how != 0);
            answer.is_different = journal->different[0] != '\0';
            if (answer.is_different || answer.is_by_force)
                return answer;
        }
    return answer;
}

static bool make_twin(struct conformance__probe *probe, struct twin *twin) {
    int questions[2], answers[2];
    if (pipe(questions) != 0 || pipe(answers) != 0)
        return false;
    fflush(probe->out);
    twin->process = fork();
    if (twin->process < 0)
        return false;
    if (twin->process == 0) {
        close(questions[1]);
        close(answers[0]);
        uint32_t processes;
        while (read(questions[0], &processes, sizeof processes) == (ssize_t)sizeof processes) {
            const struct answer answer =
                tell_again(cor_process_description(probe->program), twin->journal, processes);
            if (write(answers[1], &answer, sizeof answer) != (ssize_t)sizeof answer)
                break;
        }
        _exit(0);
    }
    close(questions[0]);
    close(answers[1]);
    twin->questions = questions[1];
    twin->answers = answers[0];
    return true;
}

static void ask_twin(struct conformance__probe *probe, struct twin *twin, uint32_t processes) {
    struct answer answer;
    if (write(twin->questions, &processes, sizeof processes) != (ssize_t)sizeof processes ||
        read(twin->answers, &answer, sizeof answer) != (ssize_t)sizeof answer) {
        /* The module ended it, which no guard sees. */
        char text[COR_ENDED_SIZE];
        int how = 0;
        close(twin->questions);
        close(twin->answers);
        waitpid(twin->process, &how, 0);
        twin->process = 0;
        conformance__probe_broken(probe, "told again alone, one of %u processes ends what called it: %s",
                                  processes,
                                  WIFSIGNALED(how) ? cor_ended_by(WTERMSIG(how), text) : "it is gone");
        return;
    }
    if (answer.is_different)
        conformance__probe_broken(probe, "%s", twin->journal->different);
    else if (answer.is_by_force)
        conformance__probe_broken(probe, "life %u of process %u, told again alone, ends by force",
                                  answer.life, answer.process);
}

static void check_lives(struct conformance__probe *probe) {
    const size_t bytes = (size_t)64 << 20;
    struct twin twin = {0};
    if (is_apart(probe))
        return;
    twin.journal =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (twin.journal == MAP_FAILED || !make_twin(probe, &twin))
        conformance__probe_trouble(probe, cor_fail_memory(&probe->error));
    probe->has_twin = true;
    for (const uint32_t *n = sizes_watched; *n > 0; n++)
        for (uint64_t seed = 0; seed < CONFORMANCE__SEEDS && twin.process > 0; seed++) {
            if (!conformance__probe_try_schedule(probe, *n, seed))
                continue;
            *twin.journal = (struct conformance__journal){0};
            run(probe, *n, seed, NULL, twin.journal, bytes);
            if (twin.journal->is_full)
                conformance__probe_remark(probe, "%u processes, seed %llu: too much passes to tell it again",
                                          *n, (unsigned long long)seed);
            else
                ask_twin(probe, &twin, *n);
        }
    if (twin.process > 0) {
        close(twin.questions);
        close(twin.answers);
        waitpid(twin.process, NULL, 0);
    }
    probe->has_twin = false;
    munmap(twin.journal, bytes);
}

/* ---- functions of a program and of a host get no argument of ours: what looks on is one of a process */

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

static void end(void) {
    for (uint32_t i = 0; i < eye.kept_count && eye.seen; i++)
        if (eye.kept[i])
            note(eye.seen->alone, sizeof eye.seen->alone,
                 "in %s process %u got memory from the C library and kept it: a crash does not forget it",
                 eye.verb, eye.process);
    if (eye.seen) {
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
    COR_FREED unsigned char *bytes = NULL;
    const uint32_t size = eye.journal ? pack(stored, &bytes) : 0;
    const struct cor_process_host *ours = begin(host,
                                                (struct record){.verb = START,
                                                                .bytes = size,
                                                                .count = host->count,
                                                                .fault = host->fault,
                                                                .cells = stored->cell_count,
                                                                .writes = stored->write_count},
                                                bytes);
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

static void observe(const void *me, union cor_process_value *values) {
    const size_t bytes = eye.real->attribute_count * sizeof *values;
    const uint64_t asked = eye.asked,
                   state = eye.seen ? cor_hash_bytes(COR_HASH_SEED, me, eye.real->state_size) : 0;
    eye.verb = "observe";
    eye.kept_count = 0;
    memset(values, 0, bytes);
    eye.real->observe(me, values);
    if (eye.seen) {
        /* What it does not fill in shows in both: once it was 0, once not. */
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
#define REFUSED(X)                                                                                         \
    X(time, 0)                                                                                             \
    X(clock_gettime, 0)                                                                                    \
    X(gettimeofday, 0)                                                                                     \
    X(clock, 0)                                                                                            \
    X(timespec_get, 0)                                                                                     \
    X(nanosleep, 0)                                                                                        \
    X(clock_nanosleep, 0)                                                                                  \
    X(usleep, 0)                                                                                           \
    X(sleep, 0)                                                                                            \
    X(open, -1)                                                                                            \
    X(open64, -1)                                                                                          \
    X(openat, -1)                                                                                          \
    X(fopen, 0)                                                                                            \
    X(fopen64, 0)                                                                                          \
    X(opendir, 0)                                                                                          \
    X(socket, -1)                                                                                          \
    X(pipe, -1)                                                                                            \
    X(fork, -1)                                                                                            \
    X(vfork, -1)                                                                                           \
    X(popen, 0) X(system, -1) X(pthread_create, EAGAIN) X(thrd_create, 2) X(rand, 4) X(random, 4)          \
        X(srand, 0) X(srandom, 0) X(rand_r, 4) X(drand48, 0) X(lrand48, 4) X(getrandom, -1)                \
            X(getentropy, -1) X(arc4random, 4) X(getpid, 1) X(gettid, 1) X(getppid, 1) X(mmap, -1)         \
                X(shm_open, -1) X(kill, 0) X(alarm, 0) X(setitimer, -1) X(timer_create, -1) X(signal, 0)   \
                    X(sigaction, -1) X(read, -1) X(pread, -1) X(pread64, -1) X(pwrite, -1) X(pwrite64, -1) \
                        X(send, -1) X(sendto, -1) X(recv, -1) X(unlink, -1) X(rename, -1)
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

/* A program that calls that of the probe and looks on: `watch` is filled, `journal` written; each may be
 * NULL. One at a time. */
static enum cor_status watch_begin(struct conformance__probe *probe, struct conformance__watch *watch,
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
static void tell_history(const struct cor_process_host *host, uint32_t channel, uint64_t ticket,
                         const char *operation, const char *key, const char *value) {
    (void)host;
    ask(8, (uint64_t)channel << 32 | (key != NULL), ticket);
    ask(8, strlen(operation), value ? strlen(value) : 0);
}
static void tell_history_answer(const struct cor_process_host *host, uint64_t ticket, uint32_t status,
                                const char *value) {
    (void)host;
    ask(8, ticket, status);
    ask(8, value ? strlen(value) : 0, 0);
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

/* Calls the process as a life in the journal tells, with the answers that the host gave then: the first call
 * in which it asks or shows something else, in journal->different. */
static void journal_relive(const struct cor_process *program, struct conformance__journal *journal,
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
                                    .complain = tell_complaint,
                                    .call = tell_history,
                                    .answered = tell_history_answer};
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

static const char *builtin(size_t index) {
    size_t count = 0;
    while (cor_process_builtins()[count])
        count++;
    return index < count ? cor_process_builtins()[index]->name : NULL;
}

static const struct cor_process *description_of(const struct conformance__probe *probe) {
    return cor_process_description(probe->program);
}

static void close_process(struct conformance__probe *probe) {
    cor_process_close(probe->program);
}

const struct conformance__programs conformance__distributed = {
    builtin,
    is_process,
    open_process,
    description_of,
    close_process,
    {[COR_CHECK_OF_repeatable] = check_schedules,
     [COR_CHECK_OF_clock] = check_schedule_digests,
     [COR_CHECK_OF_addresses] = check_schedule_digests,
     [COR_CHECK_OF_environment] = check_schedule_digests,
     [COR_CHECK_OF_uninitialised] = check_schedule_digests,
     [COR_CHECK_OF_survives] = check_survives,
     [COR_CHECK_OF_extremes] = check_extremes,
     [COR_CHECK_OF_lives] = check_lives,
     [COR_CHECK_OF_variables] = check_variables,
     [COR_CHECK_OF_looks] = check_looks,
     [COR_CHECK_OF_alone] = check_alone}};
