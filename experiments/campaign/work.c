/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/work.h>

#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

void cor_ignore_signals(void) {
    static const int asking[] = {COR_ASKING_SIGNALS};
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        signal(asking[i], SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

double cor_wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cor_cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}
