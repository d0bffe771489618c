/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells: how a life ends is told, nothing of it is left, and a layer that is said to hold holds. */
#define _GNU_SOURCE /* unshare */
#include <corridor/cell.h>
#include <corridor/guarantees.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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

/* One attempt for each layer: 0 if it was prevented. The folder is one that all can write in. */

static int try_processes(void) {
    return getppid() == 1 ? 0 : 1;
}

static int try_network(void) {
    struct sockaddr any = {.sa_family = AF_INET};
    int made = socket(AF_INET, SOCK_DGRAM, 0);
    memcpy(any.sa_data, (const unsigned char[]){0, 9, 127, 0, 0, 1}, 6);
    return made >= 0 && connect(made, &any, sizeof any) == 0;
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
    return chmod("/tmp", 01777) == 0;
}

static int try_rights(void) {
    return sethostname("elsewhere", 9) == 0 || chroot("/") == 0;
}

static int try_files(void) {
    int made = open("/tmp/corridor-test-cell", O_CREAT | O_WRONLY, 0600);
    if (made >= 0)
        unlink("/tmp/corridor-test-cell");
    return made >= 0 || open("/dev/null", O_WRONLY) < 0 || open("/", O_RDONLY) < 0;
}

static int try_calls(void) {
    if (!cor_forbid_calls())
        return 2;
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM;
}

static int try_memory(void) {
    if (!cor_limit_memory((uint64_t)1 << 30))
        return 2;
    void *much = mmap(NULL, (size_t)1 << 31, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return much != MAP_FAILED;
}

static void tries(void *layer) {
    static int (*const attempts[COR_GUARANTEE_COUNT])(void) = {try_processes, try_signals, try_traces,
                                                               try_network,   try_rights,  try_files,
                                                               try_modes,     try_calls,   try_memory};
    _exit(attempts[*(int *)layer]());
}

static void a_layer_that_is_said_to_hold_holds(void **state) {
    (void)state;
    unsigned layers;
    assert_int_equal(cor_guarantees_held(&layers, &error), COR_OK);
    for (int layer = 0; layer < COR_GUARANTEE_COUNT; layer++) {
        if (!(layers >> layer & 1)) {
            print_message("%s does not hold here\n", cor_guarantees[layer].name);
            continue;
        }
        struct cor_grave grave =
            lived(&(struct cor_cell_definition){.life = tries, .argument = &layer, .walls = COR_WALLS});
        if (grave.death != COR_DEATH_EXIT || grave.code != 0)
            fail_msg("%s: %d %d", cor_guarantees[layer].name, grave.death, grave.code);
    }
}

static void execs(void *nothing) {
    (void)nothing;
    if (!cor_forbid_calls())
        _exit(77);
    char *const none[] = {NULL};
    execve("/bin/true", none, none);
    _exit(0);
}

static void a_call_that_can_only_do_harm_ends_the_process(void **state) {
    (void)state;
    struct cor_grave grave = lived(&(struct cor_cell_definition){.life = execs, .walls = COR_WALLS});
    if (grave.death == COR_DEATH_EXIT && grave.code == 77)
        skip();
    assert_int_equal(grave.death, COR_DEATH_SIGNAL);
    assert_int_equal(grave.code, SIGSYS);
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
    struct cor_grave grave =
        lived(&(struct cor_cell_definition){.life = is_a_program, .walls = COR_WALLS, .is_program = true});
    assert_int_equal(grave.death, COR_DEATH_EXIT);
    assert_int_equal(grave.code, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_end_is_told),
        cmocka_unit_test(the_bell_rings_at_the_end),
        cmocka_unit_test(only_lent_descriptors_are_open),
        cmocka_unit_test(a_layer_that_is_said_to_hold_holds),
        cmocka_unit_test(a_call_that_can_only_do_harm_ends_the_process),
        cmocka_unit_test(a_program_may_start_programs_and_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
