/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * search: a campaign of what the command line says; regions that searches have learned, handed back as arms
 * of an experiment. */
#include "commands.h"
#include "isolation.h"
#include "output.h"
#include "running.h"
#include "searched_program.h"
#include "show_view.h"

#include <corridor/arms.h>
#include <corridor/array.h>
#include <corridor/built.h>
#include <corridor/cells.h>
#include <corridor/experiment.h>
#include <corridor/generator.h>
#include <corridor/host.h>
#include <corridor/json.h>
#include <corridor/search_layer.h>
#include <corridor/search_result.h>
#include <corridor/search_schema.h>
#include <corridor/view.h>

#include <stdlib.h>
#include <string.h>

static enum cor_status cor_region_experiment(const struct cor_layer_tables *search, char **text,
                                             struct cor_error *error) COR_MUST_USE;

enum cor_status cor_print_of_searches(struct cor_result *result, const char *test, struct cor_error *error) {
    COR_FINISHED(cor_layer_tables) struct cor_layer_tables search = {0};
    COR_FREED char *text = NULL;
    COR_TRY(cor_search_result_init(result, &search, error));
    const enum cor_status status = test ? cor_search_test_text(&search, test, &text, error)
                                        : cor_region_experiment(&search, &text, error);
    if (status == COR_OK)
        cor_print("%s", text);
    return status;
}

/* ---- region experiment */

/* What is written, and the names that its arms have. */
struct regions {
    const struct cor_layer_tables *search;
    struct cor_json_writer *writer;
    const struct cor_json *arms; /* of the experiment */
    char **names;                /* owned, as each of them; of the arms of regions so far */
    size_t count, capacity;
};

static const struct cor_search_region_row *region_at(const struct cor_layer_tables *search, uint64_t index) {
    return cor_layer_row(search, COR_SEARCH_TABLE_REGIONS, index);
}

/* The arm of the experiment that an island searched. */
static uint16_t target_of(const struct cor_layer_tables *search, const struct cor_search_region_row *row) {
    uint64_t count;
    const uint64_t first = cor_layer_rows_of(search, COR_SEARCH_TABLE_ISLANDS, row->arm, row->suite, &count);
    const struct cor_search_island_row *island = cor_layer_row(search, COR_SEARCH_TABLE_ISLANDS, first);
    return count > 0 ? island->target : UINT16_MAX;
}

static bool is_taken(const struct regions *r, const char *name) {
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->names[i], name) == 0)
            return true;
    COR_JSON_CHILDREN(arm, r->arms) {
        struct cor_json json;
        const char *of;
        if (cor_json_find(&arm, "name", &json) && cor_json_string(&json, &of, NULL) == COR_OK &&
            strcmp(of, name) == 0)
            return true;
    }
    return false;
}

/* ARM-region, with what tells it from others: -SEARCH, -ISLAND. Owned by the caller; NULL: memory is out. */
static char *name_of(const struct regions *r, const struct cor_search_region_row *row, const char *arm) {
    const struct cor_result_header *head = r->search->head;
    const char *search = cor_arm_entry(head, cor_arm_of_code(head, row->arm))->name; /* SEARCH/ARM */
    char *name = cor_format("%s-region", arm);
    /* Another search of the same arm may have settled on a region, too. */
    bool are_searches = false, are_islands = false;
    for (uint64_t i = 0; i < r->search->count[COR_SEARCH_TABLE_REGIONS]; i++) {
        const struct cor_search_region_row *other = region_at(r->search, i);
        are_searches = are_searches || (other->settled && other->arm != row->arm &&
                                        target_of(r->search, other) == target_of(r->search, row));
    }
    for (uint64_t i = 0; i < r->search->count[COR_SEARCH_TABLE_ISLANDS]; i++) {
        const struct cor_search_island_row *island = cor_layer_row(r->search, COR_SEARCH_TABLE_ISLANDS, i);
        are_islands = are_islands || (island->arm == row->arm && island->suite > 0);
    }
    if (are_searches && strlen(search) > strlen(arm))
        name = cor_join_take(name, "-", cor_format("%.*s", (int)(strlen(search) - strlen(arm) - 1), search));
    return are_islands ? cor_join_take(name, "-", cor_format("%u", row->suite)) : name;
}

static enum cor_status put_arm(struct regions *r, const struct cor_search_region_row *row,
                               struct cor_error *error) {
    const uint16_t target = target_of(r->search, row);
    if (target >= cor_json_size(r->arms))
        return cor_json_fail(r->arms, error, NULL, "has no arm %u, which was searched", target);
    const struct cor_json arm = cor_json_at(r->arms, target);
    cor_json_open_object(r->writer, NULL);
    struct cor_json json;
    const char *of;
    COR_TRY(cor_json_need(&arm, "name", &json, error));
    COR_TRY(cor_json_string(&json, &of, error));
    /* A name that no arm has: the experiment may have one of this name, as that of an earlier region has. */
    COR_TRY(COR_RESERVE(&r->names, &r->capacity, r->count + 1, error));
    char *plain = name_of(r, row, of), *name = cor_strdup(plain);
    for (unsigned again = 2; name && is_taken(r, name); again++) {
        free(name);
        name = cor_format("%s-%u", plain, again);
    }
    free(plain);
    COR_TRY(cor_made(name, error));
    r->names[r->count++] = name;
    cor_json_put_string(r->writer, "name", name);
    COR_JSON_CHILDREN(child, &arm) {
        if (strcmp(child.key, "name") != 0 && strcmp(child.key, "constraints") != 0)
            cor_json_put_value(r->writer, child.key, &child);
    }
    struct cor_json own;
    COR_FREED char *lines = NULL;
    COR_TRY(cor_search_text(r->search, row->text_start, row->text, &lines, error));
    cor_json_open_array(r->writer, "constraints");
    if (cor_json_find(&arm, "constraints", &own))
        COR_JSON_CHILDREN(item, &own)
            cor_json_put_value(r->writer, NULL, &item);
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
        cor_json_put_string(r->writer, NULL, line);
    cor_json_close(r->writer);
    cor_json_close(r->writer);
    return COR_OK;
}

static enum cor_status put_arms(struct cor_json_writer *writer, const struct cor_layer_tables *search,
                                const struct cor_json *arms, struct cor_error *error) {
    struct regions r = {.search = search, .writer = writer, .arms = arms};
    cor_json_open_array(writer, "arms");
    COR_JSON_CHILDREN(arm, arms)
        cor_json_put_value(writer, NULL, &arm);
    enum cor_status status = COR_OK;
    for (uint64_t i = 0; i < r.search->count[COR_SEARCH_TABLE_REGIONS]; i++)
        if (region_at(r.search, i)->settled)
            COR_TRY_OUT(put_arm(&r, region_at(r.search, i), error));
    if (r.count == 0)
        COR_TRY_OUT(
            cor_fail(error, COR_STATUS_INPUT, NULL,
                     "search by the generator \"directed\" with a greater budget, or for another seam",
                     "no search of the file has settled on a region"));
out:
    cor_json_close(writer);
    for (size_t i = 0; i < r.count; i++)
        free(r.names[i]);
    free(r.names);
    return status;
}

static enum cor_status put_experiment(struct cor_json_writer *writer, const struct cor_layer_tables *search,
                                      const struct cor_json *root, struct cor_error *error) {
    struct cor_json experiment;
    COR_TRY(cor_json_need(root, "experiment", &experiment, error));
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(child, &experiment) {
        if (strcmp(child.key, "arms") == 0)
            COR_TRY(put_arms(writer, search, &child, error));
        else
            cor_json_put_value(writer, child.key, &child);
    }
    cor_json_close(writer);
    return COR_OK;
}

/* The experiment that was searched with one more arm for each region that was settled: the arm searched,
 * named ARM-region - with -SEARCH where several searches of it settled, with -ISLAND where there are several
 * islands, with a number where an arm has that name already - with the region among its constraints. *text is
 * freed with free(). COR_STATUS_INPUT: there is no such region. */
static enum cor_status cor_region_experiment(const struct cor_layer_tables *search, char **text,
                                             struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_json_writer *writer;
    *text = NULL;
    COR_TRY(cor_json_parse(search->head->experiment, "the experiment in the result file", &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_writer_create(&writer, error);
    if (status == COR_OK) {
        status = put_experiment(writer, search, &root, error);
        if (status == COR_OK)
            status = cor_json_text_take(writer, 2, text, error);
        else
            cor_json_writer_destroy(writer);
    }
    return status;
}

/* ---- search: a search is made of what the command line says, run as any campaign, and shown as any result
 * file */

#define LIST_MAX 512            /* bytes of --generator */
#define COMPARED_REPETITIONS 20 /* islands, where generators are compared and no number is given */

struct request {
    struct cor_sheet_options sheets;
    struct cor_made_options made;
    struct cor_layer_options options;
    int64_t budget, islands; /* islands: 0 if no number is given */
    const char *generators;  /* names with commas between them */
    const char *arm;
    struct cor_generator_options of_generators;
    const struct cor_arguments *arguments;
    bool compares;   /* several */
    char *uncovered; /* owned; a module that is searched without code coverage, NULL: none */
    bool show_config;
};

/* Programs that a layer of their own searches; NULL behind the last. */
static const struct cor_searched_programs *const searched[] = {COR_WITH_PROCESS(&cor_searched_schedules, )
                                                                   NULL};

/* Names of generators: of tests, then those of programs that are no names of the former. */
static const char *word_of_generator(size_t index) {
    size_t tests = 0, beyond;
    while (cor_generator_word(tests))
        tests++;
    if (index < tests)
        return cor_generator_word(index);
    beyond = index - tests;
    for (size_t p = 0, s = 0; searched[p]; searched[p]->generator_word(s) ? s++ : (p++, s = 0)) {
        const char *word = searched[p]->generator_word(s);
        size_t t = 0;
        while (word && t < tests && strcmp(cor_generator_word(t), word) != 0)
            t++;
        if (word && t == tests && beyond-- == 0)
            return word;
    }
    return NULL;
}

/* A list of names, of which some generator takes each option that is given. */
static bool understand_list(const struct request *request) {
    const char *list = request->generators;
    const struct cor_command *command = request->arguments->command;
    if (strlen(list) >= LIST_MAX) {
        cor_misuse(command, "--generator is too long");
        return false;
    }
    /* The options that generators of the list take. */
    const struct cor_generator *generator;
    char copy[LIST_MAX];
    unsigned taken = 0;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ","))
        if (cor_generator_find(word, "--generator", &generator, NULL) == COR_OK)
            taken |= generator->takes;
    for (size_t i = 0; request->compares && cor_generator_option_key(i); i++)
        if (cor_generator_option_text(&request->of_generators, i) && !(taken >> i & 1)) {
            cor_misuse(command, "none of these generators takes --%s", cor_generator_option_key(i));
            return false;
        }
    return true;
}

static void put_option(struct cor_json_writer *writer, const char *name, const char *value) {
    if (value)
        cor_json_put_string(writer, name, value);
}

/* The search as a file would have it. */
static enum cor_status make_text(const struct request *request, const char *experiment, char **text,
                                 struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_put_integer(writer, "corridor_search", 1);
    cor_json_put_integer(writer, "budget", request->budget);
    cor_json_put_integer(writer, "islands",
                         request->islands > 0 ? request->islands
                         : request->compares  ? COMPARED_REPETITIONS
                                              : 1);
    char copy[LIST_MAX];
    snprintf(copy, sizeof copy, "%s", request->generators);
    cor_json_open_array(writer, "generators");
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
        /* Of several generators each gets the options that it takes; one alone has to take all of them. */
        const struct cor_generator *generator;
        const bool known = cor_generator_find(word, "--generator", &generator, NULL) == COR_OK;
        cor_json_open_object(writer, NULL);
        cor_json_put_string(writer, "generator", word);
        put_option(writer, "arm", request->arm);
        for (size_t i = 0; cor_generator_option_key(i); i++)
            if (!request->compares || (known && generator->takes >> i & 1))
                put_option(writer, cor_generator_option_key(i),
                           cor_generator_option_text(&request->of_generators, i));
        if (request->of_generators.minimize)
            cor_json_put_bool(writer, "minimize", true);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_put_text(writer, "experiment", experiment);
    cor_json_close(writer);
    return cor_json_text_take(writer, 0, text, error);
}

/* A file of a search says all of this itself. */
static enum cor_status check_file_alone(const struct request *request, const char *path,
                                        struct cor_error *error) {
    static const char *const said[] = {"generator", "budget", "arm",  "islands",
                                       "minimize",  "seam",   "trap", "level"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (cor_given(request->arguments, said[i]))
            return cor_fail(error, COR_STATUS_INPUT, path, "leave it out, or change the file",
                            "is a search, and run as it says: --%s has no say", said[i]);
    return COR_OK;
}

/* A distributed program is searched by a campaign of its own layer. */
static enum cor_status make_program_search(const struct cor_searched_programs *programs,
                                           const struct request *request, const char *path,
                                           const struct cor_json *root, char **text,
                                           struct cor_error *error) {
    static const char *const others[] = {"seam", "trap", "level", "minimize"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (cor_given(request->arguments, others[i]))
            return cor_fail(
                error, COR_STATUS_INPUT, path, "leave it out",
                "is an experiment with a distributed program: generators of schedules take no --%s",
                others[i]);
    const struct cor_program_search search = {
        .generators = cor_given(request->arguments, "generator") ? request->generators : NULL,
        .arm = request->arm,
        .budget = request->budget,
        .islands = request->islands > 0 ? request->islands
                   : request->compares  ? COMPARED_REPETITIONS
                                        : 1};
    return programs->text(root, &search, text, error);
}

/* Notes a module that is searched by what tests do, and does not say which of its code they run. */
static enum cor_status find_uncovered(struct request *request, const struct cor_experiment *experiment,
                                      struct cor_error *error) {
    const struct cor_registry *registry = experiment->registry;
    if (request->uncovered || !strstr(request->generators, "coverage"))
        return COR_OK;
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        const struct cor_algorithm *algorithm = experiment->arms[a].algorithm;
        const uint32_t counters = cor_algorithm_counter_count(algorithm);
        uint32_t i = 0;
        while (i < cor_registry_size(registry) && cor_registry_at(registry, i) != algorithm)
            i++;
        const bool is_module = i < cor_registry_size(registry) && cor_registry_is_module(registry, i);
        const bool is_covered =
            counters > 0 && strcmp(algorithm->counters[counters - 1].name, "coverage") == 0;
        if (!is_module || is_covered || (request->arm && strcmp(request->arm, experiment->arms[a].name) != 0))
            continue;
        request->uncovered = cor_strdup(cor_registry_origin(registry, i));
        return cor_made(request->uncovered, error);
    }
    return COR_OK;
}

/* An experiment becomes a search; what is one already stays as it is. */
static enum cor_status make_search(struct request *request, const char *path, char **text,
                                   struct cor_error *error) {
    struct cor_json_document *document;
    COR_DESTROYED(cor_experiment) struct cor_experiment *experiment = NULL;
    struct cor_json member;
    COR_TRY(cor_json_read(path, &document, error));
    const struct cor_json root = cor_json_root(document);
    if (cor_json_find(&root, "corridor_search", &member)) {
        const enum cor_status status = check_file_alone(request, path, error);
        *text = cor_json_text(&root);
        cor_json_destroy(document);
        return status == COR_OK ? cor_made(*text, error) : status;
    }
    for (size_t p = 0; searched[p] && cor_json_is_object(&root); p++)
        if (cor_json_find(&root, searched[p]->layer, &member)) {
            const enum cor_status status =
                make_program_search(searched[p], request, path, &root, text, error);
            cor_json_destroy(document);
            return status;
        }
    const struct cor_experiment_options options = {
        .isolation = {(enum cor_isolation)request->options.isolation, request->options.fresh_processes,
                      request->options.trust, request->options.isolation_required}};
    COR_TRY(cor_experiment_take(path, document, &options, &experiment, error));
    COR_TRY(make_text(request, experiment->text, text, error));
    return find_uncovered(request, experiment, error);
}

static enum cor_status open_search(void *context, const char *path, struct cor_opened *opened,
                                   struct cor_error *error) {
    struct request *request = context;
    COR_FREED char *text = NULL;
    COR_TRY(make_search(request, path, &text, error));
    return cor_open_text(path, text, &request->options, opened, error);
}

static enum cor_status show(void *context, struct cor_result *result, const char *path, enum cor_exit *code,
                            struct cor_error *error) {
    const struct request *request = context;
    struct cor_view_findings findings = {0};
    const char *view = "searches", *top = request->compares ? "shares" : "islands";
    for (size_t p = 0; searched[p]; p++)
        if (strcmp(cor_result_head(result)->layer->name, searched[p]->layer) == 0) {
            view = searched[p]->view;
            top = "shares";
        }
    if (strcmp(view, "searches") == 0 && cor_search_layer.is_cut(result))
        *code = COR_EXIT_INCOMPLETE;
    COR_TRY(cor_show_made(view, result, path, &request->sheets, top, &findings, error));
    /* Below a text: where one goes on from here. */
    const struct cor_sheet_options *sheets = &request->sheets;
    if (sheets->json || sheets->csv || sheets->sheet)
        return COR_OK;
    if (request->uncovered)
        cor_print(
            "\n%s is searched without code coverage, which leads to rare branches. Its files compiled with\n"
            "  -fsanitize-coverage=trace-pc -include corridor/code_coverage.h\nhave it.\n",
            request->uncovered);
    if (!request->made.output) {
        cor_print(
            "\nNo result file was kept. Search with -o FILE to replay, shrink and report what was found.\n");
        return COR_OK;
    }
    COR_FREED char *quoted = cor_shell_quoted(request->made.output);
    COR_TRY(cor_made(quoted, error));
    cor_print("\n  next  %s show %s\n", cor_program(), quoted);
    return COR_OK;
}

static enum cor_exit run_search(const struct cor_arguments *arguments) {
    struct request *request = arguments->request;
    const struct cor_made_up search = {&request->made, request, open_search, show};
    request->arguments = arguments;
    request->compares = strchr(request->generators, ',') != NULL;
    if (!understand_list(request))
        return COR_EXIT_USAGE;
    const struct cor_config config = {.json = request->sheets.json,
                                      .options = &request->options,
                                      .under = "/experiment",
                                      .context = request,
                                      .open = open_search};
    const enum cor_exit code = request->show_config ? cor_show_config(arguments, arguments->words[0], &config)
                                                    : cor_run_made_up(&search, arguments->words[0]);
    free(request->uncovered);
    return code;
}

#define OF_PROGRAMS                                                                                          \
    COR_WITH_PROCESS("Of an experiment with a distributed program it tries schedules until one fails, with " \
                     "the generators of docs/look-up/process.md (\"search\" without --generator). ")

const struct cor_command cor_command_search = {
    .name = "search",
    .summary = "look for rare failures",
    .operands = "EXPERIMENT.json",
    .takes = {1, 1, "needs one experiment"},
    .request_size = sizeof(struct request),
    .manual =
        "Executes tests that a generator makes until the budget of test cases is used up. \"random\" draws "
        "suites and walks as corridor run does. \"coverage\" keeps tests that did something new - in "
        "probes, transitions of profiles, how near limits are, places where faults act - and changes "
        "them, the rarer the more often. \"directed\" learns in which region of the parameters a seam is "
        "provoked, and draws there; it prints the region as constraints (corridor show FILE searches "
        "--regions), and steers walks to a trap (--trap). \"splitting\" branches off from where tests came "
        "highest on a level function (--level). \"tree\" goes on from where the system first did something "
        "new, where nothing was tried yet first. Each island is a search of its own, so the result depends "
        "on the number of islands and never on that of workers. Each class of failures is kept with the "
        "first test that failed so (corridor show FILE searches --test). An interrupt keeps what was "
        "found. A search is no sample, so it tells no failure rates: corridor run and corridor estimate "
        "do. " OF_PROGRAMS "A file with \"corridor_search\" is run as it says.\n"
        "Several generators are compared on equal budgets and equal seeds, with 20 islands each if no "
        "number is given: the share of islands that found a failure with Wilson's interval, cases to the "
        "first one as survival times (searches without one are censored), classes of failures, and for "
        "each pair a log-rank test and A12 with its interval, p after Holm's correction for all pairs. "
        "With fewer than 20 islands the table says so. What a sound algorithm shows here is what is to be "
        "expected of chance: nothing.",
    .options =
        {
            {"generator", 0, "NAME,...", "make tests by this generator; several are compared",
             COR_WORD_LIST(generators, "coverage"), .words = word_of_generator},
            {"budget", 0, "CASES", "execute so many test cases in each search, whatever its generator does",
             COR_INTEGER(budget, 1, COR_SEARCH_BUDGET_MAX, 100000)},
            {"arm", 0, "NAME", "search only this arm of the experiment", COR_TEXT(arm), .otherwise = "each"},
            {"seam", 0, "NAME", "provoke this: the arm's fault, or \"probe[bucket]\"",
             COR_TEXT(of_generators.seam), .otherwise = "the arm's fault"},
            {"trap", 0, "CONDITION",
             "steer walks to this: states of environments; several in order, with semicolons between them",
             COR_TEXT(of_generators.trap)},
            {"level", 0, "LEVEL",
             "say how near to failing a case has come: a number over reactions and probes, or conditions "
             "with semicolons between them",
             COR_TEXT(of_generators.level)},
            {"islands", 0, "N", "run N searches that know nothing of each other, each with the budget",
             COR_INTEGER(islands, 1, COR_ISLANDS_MAX, 0), .otherwise = "1; 20 of each of several generators"},
            {"minimize", 0, NULL, "keep of the corpus only what covers all its features",
             COR_FLAG(of_generators.minimize)},
            COR_ISOLATION_OPTIONS(options),
            COR_SHOW_CONFIG_OPTION(show_config),
            COR_SHEET_OPTIONS(sheets, "print the searches, or the generators that are compared, as CSV"),
            COR_MADE_OPTIONS(made),
        },
    .examples = {"corridor search experiments/library/demo.json --arm PSOPP-F5 -o camp.h5",
                 "corridor search experiments/library/demo.json --arm PSOPP-F5 --generator random --budget "
                 "20000 --json",
                 "corridor search experiments/library/demo.json --arm PSOPP-F5 --generator random,coverage "
                 "-o both.h5",
                 "corridor search experiments/library/demo.json --arm PSOPP-F5 --generator splitting --level "
                 "'reached > 0; held > 0'"},
    .run = run_search,
};
