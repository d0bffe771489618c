/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells: how a life ends is told, nothing of it is left, and a layer that is said to hold holds. */
#define _GNU_SOURCE /* unshare */
#include <corridor/cell.h>
#include <corridor/child.h>
#include <corridor/guarantees.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static struct cor_error error;

/* Starts a life and waits for its end. */
static struct cor_grave lived(const struct cor_cell_definition *definition) {
    struct cor_cell cell;
    error = COR_NO_ERROR;
    assert_int_equal(cor_cell_init(&cell, &error), COR_OK);
    assert_int_equal(cor_cell_start(&cell, definition, &error), COR_OK);
    while (!cor_cell_is_over(&cell))
        cor_cell_wait(&cell, 0, 60);
    cor_cell_end(&cell, 60);
    struct cor_grave grave = *cell.grave;
    cor_cell_fini(&cell);
    return grave;
}

static void exits(void *code) {
    _exit(*(int *)code);
}

static void crashes(void *nothing) {
    (void)nothing;
    ssize_t written = write(STDERR_FILENO, "last words", 10);
    (void)written;
    raise(SIGSEGV);
}

static void each_end_is_told(void **state) {
    (void)state;
    int code = 7;
    struct cor_grave grave = lived(&(struct cor_cell_definition){.life = exits, .argument = &code});
    assert_int_equal(grave.death, COR_DEATH_EXIT);
    assert_int_equal(grave.code, 7);
    grave = lived(&(struct cor_cell_definition){.life = crashes});
    assert_int_equal(grave.death, COR_DEATH_SIGNAL);
    assert_int_equal(grave.code, SIGSEGV);
    assert_memory_equal(grave.words, "last words", 10);
}

/* Numbers, one after the other, so that each place in the words is known. */
static void speaks_at_length(void *nothing) {
    (void)nothing;
    char words[16];
    for (int i = 0; i < 3000; i++) {
        snprintf(words, sizeof words, "%07d", i);
        if (write(STDERR_FILENO, words, 7) != 7)
            _exit(1);
    }
    _exit(0);
}

static void of_long_words_the_end_is_kept(void **state) {
    (void)state;
    struct cor_grave grave = lived(&(struct cor_cell_definition){.life = speaks_at_length});
    assert_int_equal(grave.code, 0);
    assert_int_equal(grave.size, COR_LAST_WORDS);
    char words[16];
    for (int i = 3000 - COR_LAST_WORDS / 7; i < 3000; i++) {
        snprintf(words, sizeof words, "%07d", i);
        assert_memory_equal(grave.words + COR_LAST_WORDS - 7 * (3000 - i), words, 7);
    }
}

/* Of CPU time, in one case or in several. */
struct work {
    _Atomic uint32_t *place;
    int cases;
    double seconds;
};

static void works(void *argument) {
    const struct work *work = argument;
    double since = 0;
    for (int i = 0; i < work->cases; i++) {
        while (cor_cpu_seconds_of(getpid()) - since < work->seconds)
            ;
        since = cor_cpu_seconds_of(getpid());
        atomic_fetch_add(work->place, 2);
    }
    _exit(0);
}

static void cpu_time_is_that_of_one_case(void **state) {
    (void)state;
    void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    struct work work = {shared, 6, 0.1};
    struct cor_cell_definition definition = {
        .life = works, .argument = &work, .place = shared, .cpu_seconds = 0.3};
    struct cor_grave grave = lived(&definition);
    assert_int_equal(grave.death, COR_DEATH_EXIT);
    work = (struct work){shared, 1, 60};
    grave = lived(&definition);
    assert_int_equal(grave.death, COR_DEATH_CPU_TIME);
    munmap(shared, 4096);
}

/* 0: what a process inherits of signals is what a fresh one has. */
static void sees_its_signals(void *nothing) {
    (void)nothing;
    sigset_t blocked;
    struct sigaction action;
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&blocked, number) == 1 ||
            (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL))
            _exit(number);
    _exit(0);
}

static void a_life_begins_with_the_signals_of_a_fresh_process(void **state) {
    (void)state;
    signal(SIGUSR1, SIG_IGN);
    struct cor_grave grave = lived(&(struct cor_cell_definition){.life = sees_its_signals});
    signal(SIGUSR1, SIG_DFL);
    assert_int_equal(grave.code, 0);
}

static void closes_its_input(void *nothing) {
    (void)nothing;
    close(STDIN_FILENO);
    close(STDOUT_FILENO); /* that can be waited for */
    for (;;)
        pause();
}

static void who_reads_no_more_does_not_end_the_session(void **state) {
    (void)state;
    struct cor_cell cell;
    assert_int_equal(cor_cell_init(&cell, &error), COR_OK);
    assert_int_equal(cor_cell_start(&cell, &(struct cor_cell_definition){.life = closes_its_input}, &error),
                     COR_OK);
    while (!(cor_cell_wait(&cell, 0, 60) & COR_SIGHT_READABLE))
        ;
    assert_int_equal(cor_cell_write(&cell, "x", 1), -1);
    cor_cell_end(&cell, 0);
    assert_int_equal(cell.grave->death, COR_DEATH_ENDED);
    cor_cell_fini(&cell);
}

static void the_bell_rings_at_the_end(void **state) {
    (void)state;
    int code = 0;
    void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    _Atomic uint32_t *bell = shared;
    lived(&(struct cor_cell_definition){.life = exits, .argument = &code, .bell = bell});
    assert_int_equal(*bell, 1);
    munmap(shared, 4096);
}

static void sees_what_it_was_lent(void *nothing) {
    (void)nothing;
    bool lent = fcntl(COR_CELL_FIRST_LENT, F_GETFD) >= 0 && fcntl(COR_CELL_FIRST_LENT + 1, F_GETFD) >= 0;
    _exit(lent && fcntl(COR_CELL_FIRST_LENT + 2, F_GETFD) < 0 ? 0 : 1);
}

static void only_lent_descriptors_are_open(void **state) {
    (void)state;
    int pair[2];
    assert_int_equal(pipe(pair), 0);
    struct cor_grave grave = lived(&(struct cor_cell_definition){
        .life = sees_what_it_was_lent, .lent = {pair[0], pair[1]}, .lent_count = 2});
    assert_int_equal(grave.death, COR_DEATH_EXIT);
    assert_int_equal(grave.code, 0);
    close(pair[0]);
    close(pair[1]);
}

/* One attempt for each layer: 0 if it was prevented. The folder is one that all can write in, and there are
 * a file in it and shared memory of everybody. */
static char canary[] = "/tmp/corridor-test-cell-XXXXXX", neighbour[] = "/tmp/corridor-test-cell-XXXXXX";
static int segment_key, segment;

static int set_up(void **state) {
    (void)state;
    int file = mkstemp(canary);
    assert_true(file >= 0);
    close(file);
    file = mkstemp(neighbour);
    assert_true(file >= 0);
    close(file);
    for (segment_key = 0x636f7272; (segment = shmget(segment_key, 1, IPC_CREAT | IPC_EXCL | 0666)) < 0;)
        segment_key++;
    return 0;
}

/* It is still there. */
static int tear_down(void **state) {
    (void)state;
    shmctl(segment, IPC_RMID, NULL);
    unlink(neighbour);
    return unlink(canary);
}

static int try_processes(void) {
    return getppid() == 1 ? 0 : 1;
}

static int try_network(void) {
    struct sockaddr any = {.sa_family = AF_INET};
    int made = socket(AF_INET, SOCK_DGRAM, 0);
    memcpy(any.sa_data, (const unsigned char[]){0, 9, 127, 0, 0, 1}, 6);
    return (made >= 0 && connect(made, &any, sizeof any) == 0) || shmget(segment_key, 1, 0) >= 0;
}

/* The session is outside; in a namespace of processes it cannot even be named. */
static int try_signals(void) {
    return kill(getppid(), 0) == 0;
}

static int try_traces(void) {
    char byte;
    struct iovec here = {&byte, 1}, there = {&error, 1};
    return process_vm_readv(getppid(), &here, 1, &there, 1, 0) == 1;
}

static int try_modes(void) {
    return chmod(canary, 0644) == 0 || utimensat(AT_FDCWD, canary, NULL, 0) == 0;
}

static int try_rights(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    syscall(SYS_capget, &head, data); /* what it may take back, it takes back */
    data[0].effective = data[0].permitted;
    data[1].effective = data[1].permitted;
    syscall(SYS_capset, &head, data);
    return sethostname("elsewhere", 9) == 0 || chroot("/") == 0;
}

static char here[4096]; /* the working folder: those on the way to it are there, and nothing else in them */

/* It is needed, and nothing beside it: a file of the same folder, those of the machine, the processes. */
static int try_sight(void) {
    static const char *const strange[] = {"/etc/passwd", "/etc/shadow",  "/root",         "/home",
                                          "/var/log",    "/proc/1/stat", "/proc/cpuinfo", "/proc/1/cmdline"};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        const size_t length = strlen(strange[i]);
        const bool is_on_the_way = strncmp(here, strange[i], length) == 0 && here[length] == '/';
        if (!is_on_the_way && open(strange[i], O_RDONLY) >= 0)
            return 2 + (int)i;
    }
    if (open(canary, O_RDONLY) < 0 || open("/usr/bin", O_RDONLY | O_DIRECTORY) < 0)
        return 1;
    return open(neighbour, O_RDONLY) >= 0;
}

static int try_files(void) {
    char other[sizeof canary + 8];
    snprintf(other, sizeof other, "%s-other", canary);
    if (open("/dev/null", O_WRONLY) < 0 || open("/", O_RDONLY) < 0 || open(canary, O_RDONLY) < 0)
        return 1;
    return open(other, O_CREAT | O_WRONLY, 0600) >= 0 || access(other, F_OK) == 0 ||
           open(canary, O_WRONLY) >= 0 || truncate(canary, 0) == 0 || mkdir(other, 0700) == 0 ||
           symlink(canary, other) == 0 || mkfifo(other, 0600) == 0 || rename(canary, other) == 0 ||
           link(canary, other) == 0 || unlink(canary) == 0;
}

static int try_calls(void) {
    if (!cor_forbid_calls())
        return 2;
    timer_t timer;
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM)
        return 1;
    errno = 0;
    if (setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {9, 0}}, NULL) == 0 || errno != EPERM)
        return 1;
    errno = 0;
    if (timer_create(CLOCK_REALTIME, NULL, &timer) == 0 || errno != EPERM)
        return 1;
    errno = 0;
    struct rlimit limit;
    if (syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, NULL, &limit) == 0 || errno != EPERM)
        return 1;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || setrlimit(RLIMIT_CPU, &limit) != 0)
        return 3;
    errno = 0;
    return alarm(9) == 0 && errno != EPERM; /* it cannot say that it failed */
}

static int try_memory(void) {
    if (!cor_limit_memory((uint64_t)1 << 30, true))
        return 2;
    void *much = mmap(NULL, (size_t)1 << 31, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return much != MAP_FAILED;
}

static void tries(void *layer) {
    static int (*const attempts[COR_GUARANTEE_COUNT])(void) = {
        try_processes, try_signals, try_traces, try_network, try_rights,
        try_files,     try_modes,   try_sight,  try_calls,   try_memory};
    _exit(attempts[*(int *)layer]());
}

static void expect_prevented(int layer, int walls) {
    assert_non_null(getcwd(here, sizeof here));
    const char *const needs[] = {canary, NULL};
    struct cor_grave grave = lived(
        &(struct cor_cell_definition){.life = tries, .argument = &layer, .walls = walls, .needs = needs});
    if (grave.death != COR_DEATH_EXIT || grave.code != 0)
        fail_msg("%s, walls %d: %d %d", cor_guarantees[layer].name, walls, grave.death, grave.code);
}

/* Each alone, too: it does not live on what others prevent. */
static void a_layer_that_is_said_to_hold_holds(void **state) {
    (void)state;
    static const int walls[COR_GUARANTEE_COUNT] = {
        [COR_GUARANTEE_SIGNALS] = COR_WALL_SIGNALS, [COR_GUARANTEE_TRACES] = COR_WALL_TRACES,
        [COR_GUARANTEE_NETWORK] = COR_WALL_NETWORK, [COR_GUARANTEE_RIGHTS] = COR_WALL_RIGHTS,
        [COR_GUARANTEE_FILES] = COR_WALL_FILES,     [COR_GUARANTEE_MODES] = COR_WALL_MODES,
        [COR_GUARANTEE_SIGHT] = COR_WALL_SIGHT};
    unsigned layers;
    assert_int_equal(cor_guarantees_held(&layers, &error), COR_OK);
    for (int layer = 0; layer < COR_GUARANTEE_COUNT; layer++) {
        if (!(layers >> layer & 1)) {
            print_message("%s does not hold here\n", cor_guarantees[layer].name);
            continue;
        }
        expect_prevented(layer, COR_WALLS);
        expect_prevented(layer, walls[layer]);
    }
}

static void execs(void *at) {
    if (!cor_forbid_calls())
        _exit(77);
    char *const none[] = {NULL};
    if (*(const bool *)at)
        syscall(SYS_execveat, AT_FDCWD, "/bin/true", none, none, 0);
    else
        execve("/bin/true", none, none);
    _exit(0);
}

static void a_call_that_can_only_do_harm_ends_the_process(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        bool at = i == 1;
        struct cor_grave grave =
            lived(&(struct cor_cell_definition){.life = execs, .argument = &at, .walls = COR_WALLS});
        if (grave.death == COR_DEATH_EXIT && grave.code == 77)
            skip();
        assert_int_equal(grave.death, COR_DEATH_SIGNAL);
        assert_int_equal(grave.code, SIGSYS);
    }
}

/* 0: it may start programs, and no more than a module. */
static void is_a_program(void *nothing) {
    (void)nothing;
    errno = 0;
    if (try_files() != 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM)
        _exit(1);
    if (unshare(CLONE_NEWNS) == 0 || errno != EPERM)
        _exit(2);
    char *const none[] = {NULL};
    execve("/bin/true", none, none);
    _exit(3);
}

static void a_program_may_start_programs_and_do_no_harm(void **state) {
    (void)state;
    unsigned layers;
    const unsigned needed = 1u << COR_GUARANTEE_CALLS | 1u << COR_GUARANTEE_FILES;
    assert_int_equal(cor_guarantees_held(&layers, &error), COR_OK);
    if ((layers & needed) != needed)
        skip();
    const char *const needs[] = {canary, NULL};
    struct cor_grave grave = lived(&(struct cor_cell_definition){
        .life = is_a_program, .walls = COR_WALLS, .needs = needs, .is_program = true});
    assert_int_equal(grave.death, COR_DEATH_EXIT);
    assert_int_equal(grave.code, 0);
}

/* Where no namespace of mounts may be made: 0, if it does not begin, but without the demand does. */
static int try_walls(struct cor_cell_definition *definition) {
    struct cor_cell cell;
    const int most = unshare(CLONE_NEWUSER) == 0 ? open("/proc/sys/user/max_mnt_namespaces", O_WRONLY) : -1;
    if (most < 0 || write(most, "0", 1) != 1)
        return 77;
    close(most);
    if (cor_cell_init(&cell, &error) != COR_OK ||
        cor_cell_start(&cell, definition, &error) != COR_STATUS_INPUT || cell.keeper != 0 ||
        strcmp(error.place, "the guest") != 0 || !strstr(error.cause, COR_SIGHT_BY_LANDLOCK))
        return 1;
    cor_cell_fini(&cell);
    error = COR_NO_ERROR;
    definition->is_full = false;
    const struct cor_grave grave = lived(definition);
    return grave.death == COR_DEATH_EXIT && grave.code == 0 ? 0 : 2;
}

static void a_life_that_is_to_have_all_walls_has_them_or_does_not_begin(void **state) {
    (void)state;
    unsigned layers;
    const unsigned needed = (COR_GUARANTEES_ALL | COR_GUARANTEES_ROOT) & ~(1u << COR_GUARANTEE_MEMORY);
    int code = 0, how;
    const char *const needs[] = {canary, NULL};
    struct cor_cell_definition definition = {.life = exits,
                                             .argument = &code,
                                             .walls = COR_WALLS,
                                             .needs = needs,
                                             .is_full = true,
                                             .guest = "the guest"};
    assert_int_equal(cor_guarantees_held(&layers, &error), COR_OK);
    if ((layers & needed) != needed)
        skip();
    const struct cor_grave grave = lived(&definition);
    assert_int_equal(grave.death, COR_DEATH_EXIT);
    assert_int_equal(grave.code, 0);
    const pid_t pid = fork();
    if (pid == 0)
        _exit(try_walls(&definition));
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFEXITED(how));
    if (WEXITSTATUS(how) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(how), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_life_that_is_to_have_all_walls_has_them_or_does_not_begin),
        cmocka_unit_test(each_end_is_told),
        cmocka_unit_test(of_long_words_the_end_is_kept),
        cmocka_unit_test(cpu_time_is_that_of_one_case),
        cmocka_unit_test(a_life_begins_with_the_signals_of_a_fresh_process),
        cmocka_unit_test(who_reads_no_more_does_not_end_the_session),
        cmocka_unit_test(the_bell_rings_at_the_end),
        cmocka_unit_test(only_lent_descriptors_are_open),
        cmocka_unit_test(a_layer_that_is_said_to_hold_holds),
        cmocka_unit_test(a_call_that_can_only_do_harm_ends_the_process),
        cmocka_unit_test(a_program_may_start_programs_and_do_no_harm),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
