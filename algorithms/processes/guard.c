/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs under test run in this process, at millions of calls a second. What would end it - a signal, an
 * abort, exit, an endless loop - is caught here and leaves the call by force: their memory is thrown away
 * anyway. Whatever happens while no process is called meets whom it would have met without us. */
#define _GNU_SOURCE /* RTLD_NEXT, registers */

#include "internal.h"

#include <corridor/pages.h>

#include <assert.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define NEAR 65536        /* bytes around 0, */
#define STACK_NEAR 262144 /* and around the top of the stack */
#define TICKS_MOST 2      /* of the timer in one call; the first may come early */
#define PATIENT_TICKS 4   /* in one that was interrupted */
#define TIMER_SIGNAL SIGVTALRM

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT, TIMER_SIGNAL};
enum { CAUGHT = sizeof caught / sizeof *caught };

/* Signal handlers get no argument of ours. */
static struct processes__guard *volatile watched;
static struct sigaction before[CAUGHT];
static stack_t stack_before;
static unsigned char handler_stack[128 << 10]; /* one that overflowed has no room for a handler */
static uint32_t holders;
static timer_t timer;
static pid_t timer_owner; /* timers are not inherited */
static double timer_seconds;

static _Noreturn void leave(struct processes__guard *guard, enum cor_process_end end, int number) {
    watched = NULL;
    guard->end = (int)end;
    guard->number = number;
    guard->in_host = guard->is_late = 0;
    siglongjmp(guard->landing, 1);
}

static uintptr_t stack_pointer(const void *context) {
    const ucontext_t *machine = context;
#if defined __x86_64__
    return (uintptr_t)machine->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
    return (uintptr_t)machine->uc_mcontext.sp;
#else
    (void)machine;
    return 0;
#endif
}

static void install(size_t which);

/* It is not ours: whoever was there before gets it. What this process met by itself it meets again; what was
 * sent is sent again. */
static void pass_on(int number, bool was_sent) {
    for (size_t i = 0; i < CAUGHT; i++) {
        if (caught[i] != number)
            continue;
        sigaction(number, &before[i], NULL);
        if (was_sent) {
            raise(number);
            install(i);
        }
    }
}

static void on_signal(int number, siginfo_t *info, void *context) {
    struct processes__guard *guard = watched;
    if (number == SIGSEGV && info->si_code == SEGV_ACCERR && cor_pages_written(info->si_addr))
        return;
    if (!guard) {
        pass_on(number, info->si_code <= 0);
        return;
    }
    uintptr_t at = (uintptr_t)info->si_addr, top = stack_pointer(context);
    bool has_place = info->si_code > 0 && (number == SIGSEGV || number == SIGBUS);
    guard->is_near_null = has_place && info->si_code != SI_KERNEL && at < NEAR;
    guard->is_stack = has_place && top != 0 && at + STACK_NEAR > top && at < top + STACK_NEAR;
    leave(guard, number == SIGABRT ? COR_PROCESS_END_ABORT : COR_PROCESS_END_SIGNAL, number);
}

static void on_tick(int number) {
    struct processes__guard *guard = watched;
    (void)number;
    if (!guard)
        return;
    if (guard->calls != guard->calls_seen) {
        guard->calls_seen = guard->calls;
        guard->ticks = 0;
        return;
    }
    if (++guard->ticks < TICKS_MOST)
        return;
    if (guard->in_host) {
        guard->is_late = 1;
    } else if (guard->interrupt && guard->ticks < PATIENT_TICKS) {
        /* An interpreter that is left by force is left in pieces, so first it is asked to come back. */
        if (!guard->is_interrupted)
            guard->interrupt();
        guard->is_interrupted = 1;
    } else {
        guard->is_certain = guard->interrupt != NULL; /* what is left of it cannot try again */
        leave(guard, COR_PROCESS_END_HANG, 0);
    }
}

_Noreturn void processes__guard_leave_late(struct processes__guard *guard) {
    leave(guard, COR_PROCESS_END_HANG, 0);
}

static void install(size_t which) {
    /* Handlers are left by force, so nothing may stay blocked. */
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    if (caught[which] == TIMER_SIGNAL) {
        action.sa_handler = on_tick;
        action.sa_flags &= ~SA_SIGINFO;
    }
    sigemptyset(&action.sa_mask);
    sigaction(caught[which], &action, NULL);
}

void processes__guard_renew(void) {
    sigaltstack(&(stack_t){.ss_sp = handler_stack, .ss_size = sizeof handler_stack}, NULL);
    for (size_t i = 0; i < CAUGHT; i++) {
        install(i);
        before[i] = (struct sigaction){.sa_handler = SIG_DFL};
    }
}

void processes__guard_hold(void) {
    if (holders++ > 0)
        return;
    sigaltstack(&(stack_t){.ss_sp = handler_stack, .ss_size = sizeof handler_stack}, &stack_before);
    for (size_t i = 0; i < CAUGHT; i++) {
        sigaction(caught[i], NULL, &before[i]);
        install(i);
    }
}

void processes__guard_release(void) {
    if (--holders > 0)
        return;
    if (timer_owner == getpid())
        timer_delete(timer);
    timer_owner = 0;
    for (size_t i = 0; i < CAUGHT; i++)
        sigaction(caught[i], &before[i], NULL);
    sigaltstack(&stack_before, NULL);
}

/* The clock is that of CPU time: a machine that is busy with others makes no hang, and whoever waits is not
 * woken. */
void processes__guard_begin(double hang_seconds) {
    pid_t self = getpid();
    if (timer_owner == self && timer_seconds == hang_seconds)
        return;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = TIMER_SIGNAL};
    if (timer_owner != self && timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0)
        return; /* where there are no timers, only calls of the host are counted */
    timer_owner = self;
    timer_seconds = hang_seconds;
    double interval = hang_seconds / TICKS_MOST;
    struct timespec every = {.tv_sec = (time_t)interval};
    every.tv_nsec = (long)((interval - (double)every.tv_sec) * 1e9);
    timer_settime(timer, 0, &(struct itimerspec){every, every}, NULL);
}

void processes__guard_next(struct processes__guard *guard) {
    guard->calls++;
    guard->in_host = guard->is_late = guard->is_certain = guard->is_interrupted = 0;
}

bool processes__guard_run(struct processes__guard *guard, void (*action)(void *data), void *data) {
    processes__guard_next(guard);
    guard->text[0] = '\0';
    if (sigsetjmp(guard->landing, 0) != 0)
        return false;
    watched = guard;
    atomic_signal_fence(memory_order_seq_cst);
    action(data);
    atomic_signal_fence(memory_order_seq_cst);
    watched = NULL;
    if (guard->is_interrupted)
        guard->end = COR_PROCESS_END_HANG;
    return !guard->is_interrupted;
}

static const char *signal_words(int number) {
    switch (number) {
    case SIGSEGV:
        return "segmentation fault";
    case SIGBUS:
        return "bus error";
    case SIGFPE:
        return "arithmetic error, such as a division by 0";
    case SIGILL:
        return "illegal instruction";
    case SIGTRAP:
        return "trap";
    default:
        return "forbidden call of the system";
    }
}

/* No address is said: it differs from one process of ours to the next. */
void processes__guard_sentence(const struct processes__guard *guard, char *text, size_t size) {
    if (guard->end == COR_PROCESS_END_HANG && guard->is_interrupted)
        snprintf(text, size, "it did not come back, though it was interrupted");
    else if (guard->end == COR_PROCESS_END_HANG)
        snprintf(text, size, "it called the host %u times and did not come back", PROCESSES__CALLS_MOST);
    else if (guard->end == COR_PROCESS_END_EXIT)
        snprintf(text, size, "it called exit with %d", guard->number);
    else if (guard->end == COR_PROCESS_END_ABORT)
        snprintf(text, size, "%s%s", guard->text[0] ? "assertion failed: " : "it called abort", guard->text);
    else if (guard->is_stack)
        snprintf(text, size, "its stack overflowed");
    else
        snprintf(text, size, "%s%s", signal_words(guard->number),
                 guard->is_near_null ? ", at an address near 0" : "");
}

/* The C library's ways to end a process, in its place: modules and what they load get these. */
#define IN_PLACE __attribute__((visibility("default")))

/* The C library's own function of that name. */
static void *own(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    COR_ASSERT(function);
    return function;
}

IN_PLACE _Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line,
                                      const char *function);
IN_PLACE _Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line,
                                      const char *function) {
    struct processes__guard *guard = watched;
    if (guard) {
        const char *name = strrchr(file, '/');
        snprintf(guard->text, sizeof guard->text, "%s (%s:%u)", assertion, name ? name + 1 : file, line);
        leave(guard, COR_PROCESS_END_ABORT, SIGABRT);
    }
    void (*call)(const char *, const char *, unsigned, const char *);
    *(void **)&call = own("__assert_fail");
    call(assertion, file, line, function);
    __builtin_unreachable();
}

IN_PLACE _Noreturn void exit(int code) {
    struct processes__guard *guard = watched;
    if (guard)
        leave(guard, COR_PROCESS_END_EXIT, code);
    void (*call)(int);
    *(void **)&call = own("exit");
    call(code);
    __builtin_unreachable();
}

IN_PLACE _Noreturn void _exit(int code) {
    struct processes__guard *guard = watched;
    if (guard)
        leave(guard, COR_PROCESS_END_EXIT, code);
    void (*call)(int);
    *(void **)&call = own("_exit");
    call(code);
    __builtin_unreachable();
}

IN_PLACE _Noreturn void _Exit(int code) {
    _exit(code);
}

/* ---- modules that call exit, _exit or assert get those of guard.c. In the program corridor the dynamic
 * linker sees to it, which looks there first. In an interpreter that has loaded libcorridor.so it looks in
 * the C library first: there the places in which it has put what it found are written anew */

/* A place that holds the address of a function and nothing else. */
static bool is_place(uint64_t info) {
#if defined __x86_64__
    const uint64_t kinds[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_64};
#elif defined __aarch64__
    const uint64_t kinds[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_ABS64};
#else
    const uint64_t kinds[] = {UINT64_MAX};
#endif
    bool is = false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        is = is || ELF64_R_TYPE(info) == kinds[k];
    return is;
}

/* Ours of that name; NULL: it is left as it is. */
static void *function_in_place(const char *name) {
    void *function = NULL;
    if (strcmp(name, "exit") == 0)
        *(void (**)(int)) & function = exit;
    else if (strcmp(name, "_exit") == 0)
        *(void (**)(int)) & function = _exit;
    else if (strcmp(name, "_Exit") == 0)
        *(void (**)(int)) & function = _Exit;
    else if (strcmp(name, "__assert_fail") == 0)
        *(void (**)(const char *, const char *, unsigned, const char *)) & function = __assert_fail;
    return function;
}

/* What becomes read-only after loading stays so. */
static void put_function(const struct dl_phdr_info *object, void **place, void *function) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)place / page * page;
    bool is_fixed = false;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const Elf64_Phdr *header = &object->dlpi_phdr[i];
        const uintptr_t start = object->dlpi_addr + header->p_vaddr;
        is_fixed = is_fixed || (header->p_type == PT_GNU_RELRO && (uintptr_t)place >= start &&
                                (uintptr_t)place < (start + header->p_memsz + page - 1) / page * page);
    }
    if (*place == function || mprotect((void *)at, page, PROT_READ | PROT_WRITE) != 0)
        return;
    *place = function;
    if (is_fixed)
        mprotect((void *)at, page, PROT_READ);
}

/* Entries of the dynamic section that are addresses. The linker has added where the object lies. */
static const void *address(const struct dl_phdr_info *object, const Elf64_Dyn *dynamic, Elf64_Sxword tag) {
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == tag)
            return (const void *)(dynamic->d_un.d_ptr >= object->dlpi_addr
                                      ? dynamic->d_un.d_ptr
                                      : object->dlpi_addr + dynamic->d_un.d_ptr);
    return NULL;
}

static size_t number(const Elf64_Dyn *dynamic, Elf64_Sxword tag) {
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == tag)
            return dynamic->d_un.d_val;
    return 0;
}

static void go_through(const struct dl_phdr_info *object) {
    const Elf64_Dyn *dynamic = NULL;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const Elf64_Dyn *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    const Elf64_Sym *symbols = address(object, dynamic, DT_SYMTAB);
    const char *names = address(object, dynamic, DT_STRTAB);
    const struct {
        const Elf64_Rela *first;
        size_t size;
    } lists[] = {{address(object, dynamic, DT_JMPREL), number(dynamic, DT_PLTRELSZ)},
                 {address(object, dynamic, DT_RELA), number(dynamic, DT_RELASZ)}};
    for (size_t l = 0; symbols && names && l < sizeof lists / sizeof *lists; l++)
        for (size_t r = 0; lists[l].first && r < lists[l].size / sizeof(Elf64_Rela); r++) {
            const Elf64_Rela *entry = &lists[l].first[r];
            void *function = is_place(entry->r_info) && entry->r_addend == 0
                                 ? function_in_place(names + symbols[ELF64_R_SYM(entry->r_info)].st_name)
                                 : NULL;
            if (function)
                put_function(object, (void **)(object->dlpi_addr + entry->r_offset), function);
        }
}

/* Objects are listed in the order in which they were loaded. */
struct walk {
    size_t known, seen;
};

static int look_at(struct dl_phdr_info *object, size_t size, void *subject) {
    struct walk *walk = subject;
    (void)size;
    if (walk->seen++ >= walk->known)
        go_through(object);
    return 0;
}

size_t processes__objects_loaded(void) {
    struct walk walk = {.known = SIZE_MAX};
    dl_iterate_phdr(look_at, &walk);
    return walk.seen;
}

void processes__catch_ways_out(size_t known) {
    struct walk walk = {.known = known};
    dl_iterate_phdr(look_at, &walk);
}
