/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of distributed programs that look on at each call: what a process does beside what it asks of its
 * host, and whether a life of it needs what was before. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "schedules.h"
#include "watch.h"

#include <corridor/child.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint32_t sizes[] = {1, 2, 3, 5, 0};

static struct cor_stream_name name_of(uint32_t processes, uint64_t seed) {
    return (struct cor_stream_name){.seed = seed, .suite = processes, .identity = seed + 1};
}

/* Draws a schedule of the program that looks on. */
static void run(struct conformance__probe *probe, uint32_t processes, uint64_t seed,
                struct conformance__watch *watch, struct conformance__journal *journal,
                size_t journal_bytes) {
    static struct conformance__course course;
    struct cor_process_program *program;
    const struct cor_stream_name name = name_of(processes, seed);
    conformance__probe_trouble(
        probe, conformance__watch_begin(probe, watch, journal, journal_bytes, &program, &probe->error));
    struct cor_cluster *cluster = conformance__cluster_create(probe, program, processes);
    conformance__course_draw(probe, cluster, &name, CONFORMANCE__STORM, &course);
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
    for (const uint32_t *n = sizes; *n > 0; n++)
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

void conformance__check_variables(struct conformance__probe *probe) {
    struct conformance__watch watch = {0};
    if (!is_built_in(probe))
        look_on(probe, &watch, watch.variables);
}

void conformance__check_looks(struct conformance__probe *probe) {
    struct conformance__watch watch = {0};
    look_on(probe, &watch, watch.looks);
}

void conformance__check_alone(struct conformance__probe *probe) {
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
                conformance__journal_relive(program, journal, answer.process, answer.life);
                _exit(0);
            }
            answer.is_by_force = child > 0 && (waitpid(child, &how, 0) != child || how != 0);
            answer.is_different = journal->different[0] != '\0';
            if (answer.is_different || answer.is_by_force)
                return answer;
        }
    return answer;
}

static _Noreturn void be_twin(const struct cor_process *program, struct conformance__journal *journal,
                              int questions, int answers) {
    uint32_t processes;
    while (read(questions, &processes, sizeof processes) == (ssize_t)sizeof processes) {
        const struct answer answer = tell_again(program, journal, processes);
        if (write(answers, &answer, sizeof answer) != (ssize_t)sizeof answer)
            break;
    }
    _exit(0);
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
        be_twin(cor_process_description(probe->program), twin->journal, questions[0], answers[1]);
    }
    close(questions[0]);
    close(answers[1]);
    twin->questions = questions[1];
    twin->answers = answers[0];
    return true;
}

/* The module ended it, which no guard sees. */
static void bury_twin(struct conformance__probe *probe, struct twin *twin, uint32_t processes) {
    char text[COR_ENDED_SIZE];
    int how = 0;
    close(twin->questions);
    close(twin->answers);
    waitpid(twin->process, &how, 0);
    twin->process = 0;
    conformance__probe_broken(probe, "told again alone, one of %u processes ends what called it: %s",
                              processes, WIFSIGNALED(how) ? cor_ended_by(WTERMSIG(how), text) : "it is gone");
}

static void ask_twin(struct conformance__probe *probe, struct twin *twin, uint32_t processes) {
    struct answer answer;
    if (write(twin->questions, &processes, sizeof processes) != (ssize_t)sizeof processes ||
        read(twin->answers, &answer, sizeof answer) != (ssize_t)sizeof answer) {
        bury_twin(probe, twin, processes);
        return;
    }
    if (answer.is_different)
        conformance__probe_broken(probe, "%s", twin->journal->different);
    else if (answer.is_by_force)
        conformance__probe_broken(probe, "life %u of process %u, told again alone, ends by force",
                                  answer.life, answer.process);
}

void conformance__check_lives(struct conformance__probe *probe) {
    const size_t bytes = (size_t)64 << 20;
    struct twin twin = {0};
    if (is_apart(probe))
        return;
    twin.journal =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (twin.journal == MAP_FAILED || !make_twin(probe, &twin))
        conformance__probe_trouble(probe, cor_fail_memory(&probe->error));
    probe->has_twin = true;
    for (const uint32_t *n = sizes; *n > 0; n++)
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
