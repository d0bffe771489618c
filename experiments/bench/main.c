/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmark: rows with limits and yardsticks, and curves of how cost grows. docs/benchmarks.md keeps the
 * figures. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "measure.h"
#include "report.h"
#include "rows.h"

#include <corridor/array.h>

#include <dirent.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct part {
    const char *name, *what;
    bench_part *measure;
    bool slow; /* left out by --quick */
} parts[] = {
    {"environment", "transitions of environment chains", bench_environment, false},
    {"framework", "a case with an algorithm that costs next to nothing", bench_framework, false},
    {"algorithms", "PSOPP's moves, SPADA's reorganizations and messages", bench_algorithms, false},
    {"log", "bytes and time of what is written down", bench_log, false},
    {"planning", "configurations from the constraints", bench_planning, false},
    {"commands", "two workers over one, cold start", bench_commands, false},
    {"campaign", "the paper's campaign, its tables, its memory: minutes", bench_campaign, true},
    {"growth", "curves over agents, groups, chains, states, partitions, suites, workers", bench_growth,
     false},
};
enum { PARTS = sizeof parts / sizeof *parts };

static const char help[] =
    "bench - measures Corridor\n"
    "\n"
    "Usage: bench [options]\n"
    "\n"
    "Prints rows with what they must keep and what they aim at, and curves of how cost grows; writes both "
    "as\n"
    "JSON. Run on a machine that does nothing else. docs/benchmarks.md says what the rows mean.\n"
    "\n"
    "Options:\n"
    "      --only NAME     only this part; may be repeated (--list)\n"
    "      --list          the parts\n"
    "      --quick         without the campaign of the paper\n"
    "      --source DIR    source directory (default: .)\n"
    "      --output FILE   the JSON (default: build/bench.json)\n"
    "      --markdown      measure nothing; print the JSON's tables as docs/benchmarks.md has them\n"
    "  -h, --help          this text\n"
    "\n"
    "Exit code: 0, also if rows do not hold; 1 if something went wrong.\n";

struct options {
    struct bench_places places;
    const char *output;
    bool quick, markdown, chosen[PARTS], any_chosen;
};

static void list_parts(void) {
    for (size_t i = 0; i < PARTS; i++)
        printf("%-12s %s\n", parts[i].name, parts[i].what);
}

static void choose(struct options *options, const char *name) {
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0) {
            options->chosen[i] = options->any_chosen = true;
            return;
        }
    fprintf(stderr, "bench: there is no part %s; there are:\n", name);
    list_parts();
    exit(1);
}

static void read_options(int argc, char **argv, struct options *options) {
    static const struct option known[] = {
        {"only", required_argument, NULL, 'p'},   {"list", no_argument, NULL, 'l'},
        {"quick", no_argument, NULL, 'q'},        {"source", required_argument, NULL, 's'},
        {"output", required_argument, NULL, 'o'}, {"markdown", no_argument, NULL, 'm'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "h", known, NULL)) != -1;)
        switch (option) {
        case 'p':
            choose(options, optarg);
            break;
        case 'l':
            list_parts();
            exit(0);
        case 'q':
            options->quick = true;
            break;
        case 's':
            options->places.source = optarg;
            break;
        case 'o':
            options->output = optarg;
            break;
        case 'm':
            options->markdown = true;
            break;
        case 'h':
            fputs(help, stdout);
            exit(0);
        default:
            exit(1);
        }
    if (optind < argc) {
        fprintf(stderr, "bench: %s: takes options only; bench --help\n", argv[optind]);
        exit(1);
    }
}

/* -------------------------------------------------------------------------------------- places */

/* The program beside this one. */
static const char *find_corridor(void) {
    static char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
    if (length < 0)
        bench_fail("cannot find myself");
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    memcpy(slash, "/corridor", sizeof "/corridor");
    if (access(path, X_OK) != 0)
        bench_fail(path);
    return path;
}

static void open_places(struct options *options) {
    struct bench_places *places = &options->places;
    places->corridor = find_corridor();
    places->folder = cor_format("%s.parts-XXXXXX", options->output);
    if (!places->folder || !mkdtemp(places->folder))
        bench_fail(options->output);
    places->campaign = bench_path(places, "campaign.h5");
}

static void close_places(struct bench_places *places) {
    DIR *dir = opendir(places->folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        char *path = bench_path(places, entry->d_name);
        unlink(path);
        free(path);
    }
    if (dir)
        closedir(dir);
    rmdir(places->folder);
    free(places->folder);
    free(places->campaign);
}

int main(int argc, char **argv) {
    struct options options = {.places = {.source = "."}, .output = "build/bench.json"};
    read_options(argc, argv, &options);
    if (options.markdown) {
        bench_report_markdown(options.output);
        return 0;
    }
    open_places(&options);
    struct bench_report *report = bench_report_create();
    for (size_t i = 0; i < PARTS; i++) {
        bool wanted = options.any_chosen ? options.chosen[i] : !(options.quick && parts[i].slow);
        if (!wanted)
            continue;
        bench_report_heading(report, parts[i].what);
        parts[i].measure(report, &options.places);
    }
    bench_report_end(report);
    bench_report_write(report, options.output);
    bench_report_destroy(report);
    close_places(&options.places);
    return 0;
}
