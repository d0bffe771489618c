/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ending.h"

#include <corridor/child.h>

#include <signal.h>
#include <stdio.h>

/* Addresses differ from run to run, but for those near nothing. */
#define NEAR_NOTHING 65536

static bool is_out_of_memory(const struct host__ending *ending) {
    return ending->death == COR_DEATH_MEMORY || ending->is_starved;
}

enum cor_smoke host__ending_smoke(const struct host__ending *ending) {
    if (ending->is_overdue)
        return COR_SMOKE_OVERDUE;
    if (ending->death == COR_DEATH_CPU_TIME)
        return COR_SMOKE_HUNG;
    if (is_out_of_memory(ending))
        return COR_SMOKE_MEMORY;
    if (ending->death != COR_DEATH_EXIT)
        return COR_SMOKE_CRASHED;
    return ending->left != COR_LEFT_NOTHING ? COR_SMOKE_LEAKED : COR_SMOKE_EXITED;
}

struct cor_fate host__ending_fate(const struct host__ending *ending) {
    if (ending->is_overdue)
        return (struct cor_fate){0};
    if (ending->death == COR_DEATH_EXIT)
        return (struct cor_fate){.exit_code = ending->code};
    if (ending->death == COR_DEATH_SIGNAL)
        return (struct cor_fate){.signal = ending->code, .place = ending->place};
    return (struct cor_fate){0};
}

static void put_signal(const struct host__ending *ending, const char *was, char *text, size_t size) {
    char ended[COR_ENDED_SIZE], touched[64] = "", place[128] = "";
    if (ending->address < NEAR_NOTHING && (ending->code == SIGSEGV || ending->code == SIGBUS))
        snprintf(touched, sizeof touched, ", of address 0x%llx", (unsigned long long)ending->address);
    if (ending->place != 0)
        snprintf(place, sizeof place, " at 0x%llx of the module%s", (unsigned long long)ending->place,
                 touched);
    snprintf(text, size, "%s%s%s", was, cor_ended_by(ending->code, ended), place);
}

void host__ending_text(const struct host__ending *ending, const char *who, char *text, size_t size) {
    const int subject = who ? snprintf(text, size, "%s ", who) : 0;
    if (subject < 0 || (size_t)subject >= size)
        return;
    text += subject;
    size -= (size_t)subject;
    if (ending->is_overdue)
        snprintf(text, size, "gave nothing for %g s", ending->cpu_seconds * HOST__WALL_FACTOR);
    else if (ending->death == COR_DEATH_CPU_TIME)
        snprintf(text, size, "used %g s of CPU time, or waited for ever", ending->cpu_seconds);
    else if (is_out_of_memory(ending))
        snprintf(text, size, "used up its memory");
    else if (ending->death == COR_DEATH_SIGNAL)
        put_signal(ending, who ? "was " : "", text, size);
    else if (ending->death != COR_DEATH_EXIT)
        snprintf(text, size, "ended with the whole cell");
    else if (ending->left != COR_LEFT_NOTHING)
        snprintf(text, size, "leaves %s behind", cor_left_word(ending->left));
    else
        snprintf(text, size, "exited with code %d", ending->code);
}

enum cor_status host__ending_of_loading(const struct host__ending *ending, const char *path,
                                        struct cor_error *error) {
    char how[256];
    host__ending_text(ending, "it", how, sizeof how);
    return cor_fail(error, COR_STATUS_PLUGIN, path, "run it under a debugger",
                    "the module did not get through being loaded: %s", how);
}
