/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <corridor/work.h>

#include <corridor/array.h>

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

/* *folder ends with XXXXXX; freed and NULL where there can be none, or is NULL as memory is out. */
static enum cor_status make_folder(char **folder, const char *place, const char *trouble,
                                   struct cor_error *error) {
    COR_TRY(cor_made(*folder, error));
    if (mkdtemp(*folder))
        return COR_OK;
    free(*folder);
    *folder = NULL;
    return cor_fail_errno(error, COR_STATUS_FILE, place, "check that the folder exists and may be written",
                          trouble);
}

enum cor_status cor_make_folder_beside(const char *path, char **folder, struct cor_error *error) {
    *folder = cor_format("%s.parts-XXXXXX", path);
    return make_folder(folder, path, "cannot make a folder for work under way beside it", error);
}

enum cor_status cor_make_temporary_folder(const char *what, char **folder, struct cor_error *error) {
    const char *said = getenv("TMPDIR"), *above = said && *said ? said : "/tmp";
    *folder = cor_format("%s/corridor-%s-XXXXXX", above, what);
    return make_folder(folder, above, "cannot make a folder for work under way in it", error);
}

static int remove_entry(const char *path, const struct stat *what, int kind, struct FTW *where) {
    (void)what;
    (void)kind;
    (void)where;
    return remove(path);
}

void cor_remove_folder(const char *folder) {
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
