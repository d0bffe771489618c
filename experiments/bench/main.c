/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmark: rows with limits and yardsticks, and curves of how cost grows. docs/benchmarks.md keeps the
 * figures. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */
#include "measure.h"
#include "setting.h"

#include <corridor/array.h>

#include <ftw.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MOST = 16 };

static const char help[] =
    "bench - measures Corridor\n"
    "\n"
    "Usage: bench [options]\n"
    "\n"
    "Prints rows with what they must keep and what they aim at, and curves of how cost grows, as the "
    "Markdown\n"
    "of docs/benchmarks.md, which says what the rows mean; writes both as JSON. Run on a machine that does\n"
    "nothing else.\n"
    "\n"
    "Options:\n"
    "      --only NAME     only this part; may be repeated (--list)\n"
    "      --list          the parts\n"
    "      --quick         without the campaign of the paper\n"
    "      --source DIR    source directory (default: .)\n"
    "      --output FILE   the JSON (default: build/bench.json)\n"
    "  -h, --help          this text\n"
    "\n"
    "Exit code: 0, also if rows do not hold; 1 if something went wrong.\n";

struct options {
    struct bench_places places;
    const char *output;
    bool quick, chosen[PARTS_MOST], any_chosen;
};

static void list_parts(void) {
    for (const struct bench_part *part = bench_parts; part->name; part++)
        printf("%-12s %s\n", part->name, part->what);
}

static void choose(struct options *options, const char *name) {
    for (size_t i = 0; bench_parts[i].name; i++)
        if (strcmp(bench_parts[i].name, name) == 0) {
            options->chosen[i] = options->any_chosen = true;
            return;
        }
    fprintf(stderr, "bench: there is no part %s; there are:\n", name);
    list_parts();
    exit(1);
}

static void read_options(int argc, char **argv, struct options *options) {
    static const struct option known[] = {{"only", required_argument, NULL, 'p'},
                                          {"list", no_argument, NULL, 'l'},
                                          {"quick", no_argument, NULL, 'q'},
                                          {"source", required_argument, NULL, 's'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
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

static void open_places(struct options *options) {
    struct bench_places *places = &options->places;
    places->corridor = CORRIDOR_PROGRAM;
    places->folder = cor_format("%s.parts-XXXXXX", options->output);
    if (!places->folder || !mkdtemp(places->folder))
        bench_fail(options->output);
}

static int remove_one(const char *path, const struct stat *what, int kind, struct FTW *where) {
    (void)what;
    (void)kind;
    (void)where;
    return remove(path);
}

static void close_places(struct bench_places *places) {
    (void)nftw(places->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(places->folder);
}

int main(int argc, char **argv) {
    struct options options = {.places = {.source = "."}, .output = "build/bench.json"};
    const struct bench_part *wanted[PARTS_MOST + 1] = {NULL};
    size_t count = 0;
    read_options(argc, argv, &options);
    for (size_t i = 0; bench_parts[i].name; i++) {
        COR_ASSERT(i < PARTS_MOST);
        if (options.any_chosen ? options.chosen[i] : !(options.quick && bench_parts[i].slow))
            wanted[count++] = &bench_parts[i];
    }
    open_places(&options);
    struct bench_report *report = bench_report_create();
    bench_report_rows(report, wanted, &options.places);
    bench_report_curves(report, wanted, &options.places);
    bench_report_end(report);
    bench_report_write(report, options.output);
    bench_report_destroy(report);
    close_places(&options.places);
    return 0;
}
