/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* sched_getaffinity */
#include "running.h"

#include "output.h"

#include "layer_commands.h"

#include "../layers/layers.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/child.h>
#include <corridor/kinds.h>
#include <corridor/schema.h>
#include <corridor/view.h>
#include <corridor/work_folder.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PLAIN_EVERY_SECONDS 10.0
#define BAR_WIDTH 24
#define BAR_MIN 6 /* a shorter one says nothing */

static const struct cor_layer *const layers[] = {
#define COR_LAYER_ADDRESS(word) &cor_##word##_layer,
    COR_LAYERS(COR_LAYER_ADDRESS)
#undef COR_LAYER_ADDRESS
};

enum cor_status cor_layer_of(const struct cor_json_document *document, const char *path,
                             const struct cor_layer **layer, struct cor_error *error) {
    struct cor_json root = cor_json_root(document), child;
    *layer = layers[0];
    if (!cor_json_is_object(&root))
        return COR_OK;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (cor_json_find(&root, layers[i]->key, &child)) {
            *layer = layers[i];
            return COR_OK;
        }
    for (int k = 0; k < COR_KIND_COUNT; k++) {
        const char *absent = cor_layer_absent(cor_kind_layer((enum cor_kind)k));
        if (absent && !cor_kind_word((enum cor_kind)k)[0] &&
            cor_json_find(&root, cor_kind_key((enum cor_kind)k), &child))
            return cor_fail(error, COR_STATUS_INPUT, path, absent, "is %s", cor_kind_what((enum cor_kind)k));
    }
    return COR_OK;
}

const struct cor_layer *cor_layer_find(const char *name) {
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (strcmp(layers[i]->schema->name, name) == 0)
            return layers[i];
    return NULL;
}

#define COR_COMMANDS_OF(word) extern const struct cor_layer_commands cor_commands_of_##word;
COR_WITH_AGENT(COR_COMMANDS_OF(agent))
COR_WITH_EFSM(COR_COMMANDS_OF(efsm))
COR_WITH_SYSTEM(COR_COMMANDS_OF(system))
COR_WITH_PROCESS(COR_COMMANDS_OF(process))
#undef COR_COMMANDS_OF

const struct cor_layer_commands *cor_commands_of(const struct cor_layer_schema *layer) {
    static const struct cor_layer_commands none;
    static const char *const not_of_structures[] = {"daemon", "count", "fair",     "mail",
                                                    "tell",   "svg",   "pictures", NULL};
    static const struct cor_layer_commands of_interaction = {&cor_interaction_schema,
                                                             .failures = "failures",
                                                             .has_classes = true,
                                                             .stabilize = cor_stabilize_structures,
                                                             .not_of_stabilize = not_of_structures,
                                                             .stabilized = "algorithms for structures"};
    /* clang-format off */
    static const struct cor_layer_commands *const rows[] = {
        &of_interaction,
        COR_WITH_AGENT(&cor_commands_of_agent,)
        COR_WITH_EFSM(&cor_commands_of_efsm,)
        COR_WITH_SYSTEM(&cor_commands_of_system,)
        COR_WITH_PROCESS(&cor_commands_of_process,)
        &none};
    /* clang-format on */
    size_t i = 0;
    while (rows[i]->layer && rows[i]->layer != layer)
        i++;
    return rows[i];
}

const struct cor_layer_commands *cor_commands_of_file(const char *path) {
    struct cor_result *result = NULL;
    enum cor_kind kind;
    if (cor_kind_of_file(path, &kind)) {
        const struct cor_layer *layer = cor_layer_find(cor_kind_layer(kind));
        return cor_commands_of(layer ? layer->schema : NULL);
    }
    const bool is_result = cor_is_result_file(path) && cor_result_open(path, &result, NULL) == COR_OK;
    const struct cor_layer_commands *own = cor_commands_of(is_result ? cor_result_head(result)->layer : NULL);
    cor_result_close(result);
    return own;
}

static const struct cor_lack *find_lack(const struct cor_layer_commands *row, const char *command) {
    const struct cor_lack *lack = row->lacks;
    while (lack && lack->command && strcmp(lack->command, command) != 0)
        lack++;
    return lack && lack->command ? lack : NULL;
}

enum cor_exit cor_run_with_meaning(const struct cor_arguments *arguments) {
    const struct cor_command *command = arguments->command;
    const char *path = arguments->word_count > 0 ? arguments->words[0] : NULL;
    struct cor_error error = COR_NO_ERROR;
    bool may_lack = false; /* else the file need not be looked at */
    for (size_t i = 0; path && i < sizeof layers / sizeof *layers; i++)
        may_lack = may_lack || find_lack(cor_commands_of(layers[i]->schema), command->name);
    const struct cor_layer_commands *own = NULL;
    if (may_lack && (command->reads || !cor_is_result_file(path))) /* HDF5 may end a process */
        own = cor_commands_of_file(path);
    const struct cor_lack *lack = own ? find_lack(own, command->name) : NULL;
    if (!lack)
        return command->run(arguments);
    (void)cor_fail(&error, COR_STATUS_INPUT, path, lack->nearest, "%s",
                   lack->why ? lack->why : own->layer->unasked);
    return cor_report(&error);
}

static enum cor_status read_stop(const struct cor_json_document *document, struct cor_stop_conditions *stop,
                                 struct cor_error *error) {
    struct cor_json root = cor_json_root(document), child;
    bool stated = cor_json_is_object(&root) && cor_json_find(&root, "stop", &child);
    return stated ? cor_stop_read(&child, stop, error) : COR_OK;
}

/* "trigger fuse: .." has the name "fuse"; what is declared is no constraint. */
static char *constraint_in(const char *line) {
    const char *blank = strchr(line, ' '), *colon = strchr(line, ':');
    if (!blank || !colon || colon < blank || strncmp(line, "attribute ", 10) == 0 ||
        strncmp(line, "parameter ", 10) == 0)
        return NULL;
    return cor_format("%.*s", (int)(colon - blank - 1), blank + 1);
}

/* A property of a name that is a constraint of the corridor, as the experiment has it in lines. */
static void name_constraints(const struct cor_json *root, struct cor_error *error) {
    struct cor_json lines;
    if (!cor_json_find(root, "corridor", &lines) || !cor_json_is_array(&lines))
        return;
    COR_JSON_CHILDREN(line, &lines) {
        const char *text;
        COR_FREED char *name = cor_json_is_string(&line) && cor_json_string(&line, &text, NULL) == COR_OK
                                   ? constraint_in(text)
                                   : NULL;
        if (name)
            cor_property_name_constraints((const char *const[]){name, NULL}, error);
    }
}

static enum cor_status read_inquiries(const struct cor_json *root, struct cor_inquiries *inquiries,
                                      struct cor_error *error) {
    struct cor_json child;
    bool stated = cor_json_is_object(root) && cor_json_find(root, "properties", &child);
    const enum cor_status status = stated ? cor_inquiries_read(&child, inquiries, error) : COR_OK;
    if (status != COR_OK)
        name_constraints(root, error);
    COR_TRY(status);
    cor_inquiries_give(inquiries, cor_json_is_object(root) && cor_json_find(root, "given", &child));
    return COR_OK;
}

/* The inquiries are those of arms of the experiment. */
static enum cor_status find_arms(struct cor_opened *opened, struct cor_error *error) {
    const struct cor_experiment_head *head = opened->experiment;
    COR_FREED const char **names = cor_calloc(head->arm_count + (size_t)1, sizeof *names);
    COR_TRY(cor_made(names, error));
    for (uint32_t a = 0; a < head->arm_count; a++)
        names[a] = head->arms[a].name;
    return cor_inquiries_find_arms(&opened->inquiries, names, head->text, head->path, error);
}

/* What was run already is asked nothing more by being opened: its tests are replayed, whatever its properties
 * may be worth. */
enum use { TO_RUN, WAS_RUN };

/* What a result file of the experiment would say: its text and catalogs, which the caller frees. */
static enum cor_status make_header(const struct cor_opened *opened, struct cor_catalogs *catalogs,
                                   struct cor_result_header *head, struct cor_error *error) {
    const struct cor_experiment_head *experiment = opened->experiment;
    *head = (struct cor_result_header){.layer = opened->layer->schema, .experiment = experiment->text};
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        COR_TRY(
            cor_catalogs_add(catalogs, 0, experiment->arms[a].name, experiment->arms[a].description, error));
    COR_TRY(opened->layer->list(experiment, catalogs, error));
    for (size_t c = 0; c < COR_CATALOGS_MAX; c++) {
        head->catalog[c] = catalogs->of[c].entries;
        head->catalog_size[c] = catalogs->of[c].size;
    }
    return COR_OK;
}

/* Whether sequences of its arms are such that what is asked of them has a law. */
static enum cor_status can_ask(const struct cor_opened *opened, const struct cor_result_header *head,
                               struct cor_error *error) {
    return cor_inquiries_can_ask(&opened->inquiries, cor_stop_asks(&opened->stop, COR_STOP_AT_HALF_WIDTH),
                                 head, cor_commands_of(head->layer)->no_law, opened->experiment->path, error);
}

enum cor_status cor_opened_can_stop(const struct cor_opened *opened, struct cor_error *error) {
    struct cor_result_header head;
    COR_FINISHED(cor_catalogs) struct cor_catalogs catalogs = {0};
    if (!cor_stop_asks(&opened->stop, COR_STOP_AT_HALF_WIDTH))
        return COR_OK;
    COR_TRY(make_header(opened, &catalogs, &head, error));
    return can_ask(opened, &head, error);
}

/* Where words and names of columns are those of catalogs: the experiment lists these once it is read, and its
 * text has what it asks. */
static enum cor_status read_inquiries_listed(struct cor_opened *opened, enum use use,
                                             struct cor_error *error) {
    struct cor_result_header head;
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    COR_FINISHED(cor_catalogs) struct cor_catalogs catalogs = {0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_json_parse(opened->experiment->text, opened->experiment->path, &document, error));
    COR_TRY_OUT(make_header(opened, &catalogs, &head, error));
    const struct cor_json root = cor_json_root(document);
    opened->inquiries.head = &head;
    COR_TRY_OUT(read_inquiries(&root, &opened->inquiries, error));
    COR_TRY_OUT(find_arms(opened, error));
    if (use == TO_RUN)
        status = can_ask(opened, &head, error);
out:
    opened->inquiries.head = NULL;
    return status;
}

enum cor_status cor_opened_can_measure(const struct cor_opened *opened, const char *const *measures,
                                       struct cor_error *error) {
    struct cor_result_header head;
    COR_FINISHED(cor_catalogs) struct cor_catalogs catalogs = {0};
    struct cor_property *measure = NULL;
    enum cor_status status = make_header(opened, &catalogs, &head, error);
    for (size_t m = 0; status == COR_OK && measures[m]; m++) {
        status = cor_measure_parse_of(&head, measures[m], "--measure", &measure, error);
        cor_property_destroy(measure);
        measure = NULL;
    }
    return status;
}

void cor_say_warnings(char *warnings_take) {
    for (char *line = warnings_take ? strtok(warnings_take, "\n") : NULL; line; line = strtok(NULL, "\n"))
        cor_say("warning: %s", line);
    free(warnings_take);
}

static enum cor_status open_document(const char *path, struct cor_json_document *document_take,
                                     const struct cor_layer_options *options, enum use use,
                                     struct cor_opened *opened, struct cor_error *error) {
    char *warnings = NULL;
    const struct cor_json root = cor_json_root(document_take);
    enum cor_status status = cor_layer_of(document_take, path, &opened->layer, error);
    if (status == COR_OK)
        status = read_stop(document_take, &opened->stop, error);
    const bool is_listed =
        status == COR_OK && opened->layer->schema->asked && opened->layer->schema->asked->ending;
    if (status == COR_OK && !is_listed)
        status = read_inquiries(&root, &opened->inquiries, error);
    if (status == COR_OK && use == TO_RUN)
        status = cor_inquiries_check_drawn(&opened->inquiries, &root, path, error);
    if (status == COR_OK && options->origins)
        status = cor_json_record(document_take, options->origins, error);
    if (status != COR_OK) {
        cor_json_destroy(document_take);
        return status;
    }
    status = opened->layer->read(path, document_take, options, &opened->experiment, &opened->notes, &warnings,
                                 error);
    cor_say_warnings(warnings);
    COR_TRY(status);
    return is_listed ? read_inquiries_listed(opened, use, error) : find_arms(opened, error);
}

enum cor_status cor_open_experiment(const char *path, const struct cor_layer_options *options,
                                    struct cor_opened *opened, struct cor_error *error) {
    struct cor_json_document *document;
    *opened = (struct cor_opened){0};
    COR_TRY(cor_json_read(path, &document, error)); /* once: it may be standard input */
    return open_document(path, document, options, TO_RUN, opened, error);
}

enum cor_status cor_open_text(const char *path, const char *text, const struct cor_layer_options *options,
                              struct cor_opened *opened, struct cor_error *error) {
    struct cor_json_document *document;
    *opened = (struct cor_opened){0};
    COR_TRY(cor_json_parse(text, path, &document, error));
    return open_document(path, document, options, TO_RUN, opened, error);
}

/* What the provenance says of how the experiment was taken. */
static enum cor_status read_options(const struct cor_result *result, const char *path,
                                    struct cor_layer_options *options, struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_json member;
    bool read = false;
    COR_TRY(cor_json_parse(cor_result_head(result)->provenance, path, &document, error));
    const struct cor_json root = cor_json_root(document);
    if (cor_json_find(&root, "solutions_logged", &member))
        COR_TRY(cor_json_bool(&member, &options->log_solutions, error));
    if (cor_json_find(&root, "suites_read", &member))
        COR_TRY(cor_json_bool(&member, &read, error));
    if (read)
        return cor_fail(error, COR_STATUS_INPUT, path, "run the experiment with --suites again",
                        "has suites that were read from a folder, and not the folder");
    return COR_OK;
}

/* The largest budget of the file's suites; 0: there is none in it, as in files of before. */
static enum cor_status read_budget(struct cor_result *result, uint64_t *most, struct cor_error *error) {
    enum { ROWS = 512 };
    struct cor_parameter_row rows[ROWS];
    const struct cor_result_header *head = cor_result_head(result);
    const struct cor_catalog_entry *names = head->catalog[COR_CATALOG_PARAMETER];
    size_t entry = 0;
    while (entry < head->catalog_size[COR_CATALOG_PARAMETER] && strcmp(names[entry].name, "budget") != 0)
        entry++;
    *most = 0;
    if (entry == head->catalog_size[COR_CATALOG_PARAMETER])
        return COR_OK;
    uint64_t count;
    for (uint64_t first = 0, all = cor_result_size(result, COR_TABLE_PARAMETERS); first < all;
         first += count) {
        count = all - first < ROWS ? all - first : ROWS;
        COR_TRY(cor_result_read(result, COR_TABLE_PARAMETERS, first, count, rows, error));
        for (uint64_t i = 0; i < count; i++)
            if (rows[i].parameter == names[entry].code && rows[i].value > (double)*most &&
                rows[i].value < 0x1p53)
                *most = (uint64_t)rows[i].value;
    }
    return COR_OK;
}

/* What a suite of the file has at most: none that is generated of its experiment is larger. */
static enum cor_status read_sizes(struct cor_result *result, struct cor_layer_options *options,
                                  struct cor_error *error) {
    enum { ROWS = 512 };
    struct cor_suite_row suites[ROWS];
    struct cor_sequence_row sequences[ROWS];
    uint64_t count;
    if (cor_result_head(result)->layer != &cor_interaction_schema)
        return COR_OK;
    options->agents_most = options->cases_most = 1;
    COR_TRY(read_budget(result, &options->budget_most, error));
    for (uint64_t first = 0, all = cor_result_size(result, COR_TABLE_SUITES); first < all; first += count) {
        count = all - first < ROWS ? all - first : ROWS;
        COR_TRY(cor_result_read(result, COR_TABLE_SUITES, first, count, suites, error));
        for (uint64_t i = 0; i < count; i++)
            if (suites[i].agents > options->agents_most)
                options->agents_most = suites[i].agents;
    }
    for (uint64_t first = 0, all = cor_result_size(result, COR_TABLE_SEQUENCES); first < all;
         first += count) {
        count = all - first < ROWS ? all - first : ROWS;
        COR_TRY(cor_result_read(result, COR_TABLE_SEQUENCES, first, count, sequences, error));
        for (uint64_t i = 0; i < count; i++)
            if (sequences[i].cases > options->cases_most)
                options->cases_most = sequences[i].cases;
    }
    return COR_OK;
}

static void say_named(const char *file, const char *program) {
    struct cor_error line = {.status = COR_STATUS_INPUT};
    char text[1600];
    snprintf(line.place, sizeof line.place, "%s", file);
    snprintf(line.cause, sizeof line.cause, "names a program, which is started: %s", program);
    cor_error_text(&line, text, sizeof text);
    cor_say("note: %s", text);
}

struct cor_trust cor_trust_in_file(const char *path, bool trust) {
    return (struct cor_trust){path, trust, say_named};
}

enum cor_status cor_open_stored(struct cor_result *result, const char *path, bool trust,
                                const struct cor_layer_options *asked, struct cor_opened *opened,
                                struct cor_error *error) {
    struct cor_layer_options options = {.trust = cor_trust_in_file(path, trust),
                                        .isolation = asked->isolation,
                                        .isolation_required = asked->isolation_required,
                                        .fresh_processes = asked->fresh_processes,
                                        .replay_traffic = asked->replay_traffic};
    struct cor_json_document *document;
    *opened = (struct cor_opened){0};
    COR_TRY(read_options(result, path, &options, error));
    COR_TRY(read_sizes(result, &options, error));
    COR_TRY(cor_json_parse(cor_result_head(result)->experiment, path, &document, error));
    return open_document(path, document, &options, WAS_RUN, opened, error);
}

/* The process that has sent it has seen the warnings already. */
static enum cor_status read_served(const char *path, const char *text,
                                   const struct cor_layer_options *options, struct cor_served *served,
                                   struct cor_error *error) {
    struct cor_json_document *document;
    COR_FREED char *notes = NULL, *warnings = NULL;
    COR_TRY(cor_json_parse(text, path, &document, error));
    enum cor_status status = cor_layer_of(document, path, &served->layer, error);
    if (status == COR_OK)
        status = served->layer->read(path, document, options, &served->experiment, &notes, &warnings, error);
    else
        cor_json_destroy(document);
    return status;
}

enum cor_exit cor_serve(int count, char **words) {
    struct cor_error error = COR_NO_ERROR;
    double patience = count == 1 ? strtod(words[0], NULL) : 0;
    if (!(patience >= 1) || isatty(STDIN_FILENO))
        return cor_misuse(NULL, "serve is what corridor run --hosts calls on another host");
    cor_catch_interrupts();
    int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    if (in < 0 || out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return COR_EXIT_ENVIRONMENT;
    return cor_campaign_serve(in, out, patience, read_served, &error) == COR_OK ? COR_EXIT_DONE
                                                                                : cor_report(&error);
}

void cor_opened_fini(struct cor_opened *opened) {
    COR_ASSERT(opened->layer || !opened->experiment);
    if (opened->layer)
        opened->layer->destroy(opened->experiment);
    free(opened->notes);
    cor_inquiries_fini(&opened->inquiries);
    *opened = (struct cor_opened){0};
}

uint32_t cor_default_workers(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : count > COR_WORKERS_MAX ? COR_WORKERS_MAX : (uint32_t)count;
}

#define MOMENT_SECONDS 0.3

static volatile sig_atomic_t interrupts;
static struct timespec interrupted; /* when the last one that counts came; the handler's alone */

/* Until a command that wraps up after an interrupt is ended, or says that a step of it takes longer. */
#define PARTING                      \
    {                                \
        .it_value = { 1, 500000000 } \
    }
static timer_t parting;
static bool has_parting;
static volatile sig_atomic_t parting_seconds; /* that it has from then on; 0: it is ended */

static void end_late(int number) {
    static const char said[] =
        "corridor: interrupted: what was under way is given up, and the same command begins anew\n";
    static const char waits[] =
        "corridor: interrupted: the execution under way comes to its end first; a second interrupt gives up "
        "what was found\n";
    (void)number;
    if (parting_seconds > 0) {
        const struct itimerspec last = {.it_value = {parting_seconds, 0}};
        parting_seconds = 0;
        (void)!write(STDERR_FILENO, waits, sizeof waits - 1);
        timer_settime(parting, 0, &last, NULL);
        return;
    }
    (void)!write(STDERR_FILENO, said, sizeof said - 1);
    _exit(COR_EXIT_INCOMPLETE);
}

/* Who stops a program often sends a signal to the process and to its group, or TERM again and again: that is
 * one wish. Another one is Ctrl-C, a moment later. */
static void count_interrupt(int number) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double since =
        (double)(now.tv_sec - interrupted.tv_sec) + 1e-9 * (double)(now.tv_nsec - interrupted.tv_nsec);
    if (interrupts > 0 && (number != SIGINT || since < MOMENT_SECONDS))
        return;
    interrupted = now;
    interrupts = interrupts + 1;
    if (interrupts == 1 && has_parting)
        timer_settime(parting, 0, &(struct itimerspec)PARTING, NULL);
    if (interrupts > 1)
        signal(number, SIG_DFL);
}

void cor_catch_interrupts(void) {
    static const int asking[] = {COR_ASKING_SIGNALS};
    struct sigaction action = {.sa_handler = count_interrupt}, before;
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        sigaddset(&action.sa_mask, asking[i]);
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        sigaction(asking[i], &action, NULL);
    if (sigaction(SIGHUP, &action, &before) == 0 && before.sa_handler == SIG_IGN)
        signal(SIGHUP, SIG_IGN); /* nohup: the campaign is to outlive its terminal */
    signal(SIGPIPE, SIG_IGN);    /* who stops reading our progress does not end the campaign */
}

void cor_catch_interrupts_briefly(int seconds) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGVTALRM};
    signal(SIGVTALRM, end_late);
    parting_seconds = seconds;
    has_parting = has_parting || timer_create(CLOCK_MONOTONIC, &event, &parting) == 0;
    cor_catch_interrupts();
}

void cor_leave_interrupts(void) {
    static const int asking[] = {SIGHUP, COR_ASKING_SIGNALS};
    struct sigaction before;
    for (size_t i = 0; i < sizeof asking / sizeof *asking; i++)
        if (sigaction(asking[i], NULL, &before) == 0 && before.sa_handler == count_interrupt)
            signal(asking[i], SIG_DFL);
}

int cor_interrupts(void) {
    return interrupts;
}

static bool can_draw(void) {
    const char *ci = getenv("CI"), *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(ci && ci[0]) && terminal && strcmp(terminal, "dumb") != 0;
}

static bool is_quiet; /* no line is for people */

struct progress_display {
    enum cor_progress_style style;
    double next;  /* seconds into the campaign at which the next plain line is due */
    bool is_slow; /* the end alone makes none due */
};

/* A display of that style; auto is decided here. */
static struct progress_display progress_display(enum cor_progress_style style) {
    const bool is_slow = style == COR_PROGRESS_SLOW;
    is_quiet = style == COR_PROGRESS_NONE || style == COR_PROGRESS_JSON;
    if (style == COR_PROGRESS_AUTO || is_slow)
        style = can_draw() ? COR_PROGRESS_BAR : COR_PROGRESS_PLAIN;
    return (struct progress_display){style, is_slow ? PLAIN_EVERY_SECONDS : 2, is_slow};
}

void cor_say_seconds(double left, char *text, size_t size) {
    if (left >= 90)
        snprintf(text, size, ", about %.0f min left", left / 60);
    else
        snprintf(text, size, ", about %.0f s left", left);
}

void cor_say_left(double seconds, uint64_t done, uint64_t count, char *text, size_t size) {
    text[0] = '\0';
    if (done == 0 || count == 0)
        return;
    cor_say_seconds(seconds * (double)count / (double)done - seconds, text, size);
}

static void say_left(const struct cor_campaign_status *status, char *text, size_t size) {
    text[0] = '\0';
    if (!status->ended && !isnan(status->seconds_left))
        cor_say_seconds(status->seconds_left, text, size);
}

/* Columns that a line which renews itself may fill: one that wraps does not. */
static size_t line_columns(void) {
    const size_t columns = cor_terminal(stderr).columns;
    return columns > 0 ? columns - 1 : 79;
}

/* The bar takes what the words leave of the line. */
static void show_bar(const struct cor_campaign_status *status) {
    char left[64], words[256], bar[BAR_WIDTH + 1] = "";
    const size_t columns = line_columns();
    say_left(status, left, sizeof left);
    size_t length = 0;
    if (status->suites_planned > 0)
        length = (size_t)snprintf(words, sizeof words, "%" PRIu64 "/%" PRIu64, status->suites_done,
                                  status->suites_planned);
    else
        length = (size_t)snprintf(words, sizeof words, "%" PRIu64, status->suites_done);
    length += (size_t)snprintf(words + length, sizeof words - length,
                               " suites, %" PRIu64 " cases, %" PRIu64 " failures%s", status->cases,
                               status->failures_seen, left);
    const size_t room = columns > length + 3 ? columns - length - 3 : 0,
                 width = room < BAR_WIDTH ? room : BAR_WIDTH;
    if (status->suites_planned > 0 && width >= BAR_MIN) {
        memset(bar, '.', width);
        const uint64_t done = status->suites_done;
        memset(bar, '#', done < status->suites_planned ? width * done / status->suites_planned : width);
    }
    fprintf(stderr, "\r%s%.*s%s%.*s\033[K", bar[0] ? "[" : "", (int)width, bar, bar[0] ? "] " : "",
            (int)columns, words);
    fflush(stderr);
}

/* Shows `status`. */
static void progress_show(struct progress_display *display, const struct cor_campaign_status *status) {
    bool due = status->seconds >= display->next || (status->ended && !display->is_slow);
    switch (display->style) {
    case COR_PROGRESS_AUTO:
    case COR_PROGRESS_NONE:
    case COR_PROGRESS_SLOW:
        return;
    case COR_PROGRESS_BAR:
        show_bar(status);
        return;
    case COR_PROGRESS_PLAIN:
        if (due) {
            char left[64];
            say_left(status, left, sizeof left);
            fprintf(stderr, "%5.0f s: %" PRIu64, status->seconds, status->suites_done);
            if (status->suites_planned > 0)
                fprintf(stderr, "/%" PRIu64, status->suites_planned);
            fprintf(stderr, " suites, %" PRIu64 " cases, %" PRIu64 " failures%s\n", status->cases,
                    status->failures_seen, left);
        }
        break;
    case COR_PROGRESS_JSON:
        if (due)
            fprintf(stderr,
                    "{\"seconds\":%.1f,\"suites\":%" PRIu64 ",\"planned\":%" PRIu64 ",\"cases\":%" PRIu64
                    ",\"reorganizations\":%" PRIu64 ",\"failures\":%" PRIu64 "}\n",
                    status->seconds, status->suites_done, status->suites_planned, status->cases,
                    status->reorganizations, status->failures_seen);
        break;
    }
    if (due)
        display->next = status->seconds + PLAIN_EVERY_SECONDS;
}

/* Says `text` to people: not in the styles json and none. */
static void progress_say(const struct progress_display *display, const char *text) {
    char said[1024];
    snprintf(said, sizeof said, "%s", text);
    cor_make_printable(said);
    if (display->style == COR_PROGRESS_BAR)
        fprintf(stderr, "\r\033[K%s\n", said);
    else if (display->style == COR_PROGRESS_PLAIN && !display->is_slow)
        fprintf(stderr, "%s\n", said);
}

/* Says on stderr, in every style, what is not as it should be. */
static void progress_warn(const struct progress_display *display, const char *text) {
    fputs(display->style == COR_PROGRESS_BAR ? "\r\033[K" : "", stderr);
    cor_say("warning: %s", text);
}

/* What is under way, for who sees no terminal: a timer says it each ten seconds, as it may be one call that
 * takes minutes. The line that counts is whole whenever the timer strikes. */
static struct {
    char lines[2][256];
    volatile sig_atomic_t line;
    struct timespec begun, ended; /* what follows at once goes on with what was before it */
    timer_t timer;
    pid_t owner; /* process whose timer runs; 0: none does */
} under_way;
#define SIGNAL_UNDER_WAY SIGRTMIN

static void say_under_way(int number) {
    static const char head[] = "corridor: ", tail[] = " s so far\n";
    const char *line = under_way.lines[under_way.line];
    char text[sizeof head + sizeof under_way.lines[0] + 24 + sizeof tail], digits[24];
    const int before = errno;
    struct timespec now;
    size_t size = sizeof head - 1, count = 0;
    (void)number;
    clock_gettime(CLOCK_MONOTONIC, &now);
    memcpy(text, head, size);
    memcpy(text + size, line, strlen(line));
    size += strlen(line);
    text[size++] = ',';
    text[size++] = ' ';
    for (time_t seconds = now.tv_sec - under_way.begun.tv_sec; seconds > 0 || count == 0; seconds /= 10)
        digits[count++] = (char)('0' + seconds % 10);
    while (count > 0)
        text[size++] = digits[--count];
    memcpy(text + size, tail, sizeof tail - 1);
    (void)!write(STDERR_FILENO, text, size + sizeof tail - 1);
    errno = before;
}

/* Calls that are interrupted by it go on. */
static void begin_saying(void) {
    const time_t every = (time_t)PLAIN_EVERY_SECONDS;
    struct timespec now;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGNAL_UNDER_WAY};
    const struct sigaction action = {.sa_handler = say_under_way, .sa_flags = SA_RESTART};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - under_way.ended.tv_sec > 1)
        under_way.begun = now;
    const struct itimerspec each = {{every, 0}, {every - (now.tv_sec - under_way.begun.tv_sec) % every, 0}};
    if (sigaction(SIGNAL_UNDER_WAY, &action, NULL) == 0 &&
        timer_create(CLOCK_MONOTONIC, &event, &under_way.timer) == 0) {
        under_way.owner = getpid();
        timer_settime(under_way.timer, 0, &each, NULL);
    }
}

void cor_progress_doing(const char *what) {
    const bool is_saying =
        under_way.owner == getpid(); /* timers are not those of a process that was forked */
    if (can_draw()) {
        fprintf(stderr, "\r\033[K%.*s%s", (int)line_columns() - 4, what ? what : "", what ? " ..." : "");
        fflush(stderr);
    } else if (what && !is_quiet) {
        char *line = under_way.lines[!under_way.line];
        snprintf(line, sizeof under_way.lines[0], "%s", what);
        cor_make_printable(line);
        under_way.line = !under_way.line;
        if (!is_saying)
            begin_saying();
    } else if (is_saying) {
        timer_delete(under_way.timer);
        under_way.owner = 0;
        clock_gettime(CLOCK_MONOTONIC, &under_way.ended);
    }
}

bool cor_progress_goes_on(double *shown, const char *format, ...) {
    const double now = cor_wall_seconds();
    if (now - *shown > 0.2) {
        char line[256];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(line, sizeof line, format, arguments);
        va_end(arguments);
        cor_progress_doing(line);
        *shown = now;
    }
    return cor_interrupts() == 0;
}

void cor_progress_reading(void *self, const char *table, uint64_t first, uint64_t count) {
    static double shown;
    (void)self;
    (void)cor_progress_goes_on(&shown, "reading %s, %.0f %%", table, 100 * (double)first / (double)count);
}

static enum cor_status print_json(const struct cor_summary *summary, const char *schema,
                                  struct cor_error *error) {
    const struct cor_campaign_status *status = summary->status;
    struct cor_json_writer *w;
    COR_TRY(cor_document_open(schema, 1, &w, error));
    cor_json_put_string(w, "output", summary->output);
    cor_json_put_bool(w, "complete", summary->whole);
    cor_json_put_integer(w, "suites", (int64_t)status->suites_kept);
    cor_json_put_integer(w, "cases", (int64_t)status->kept_cases);
    cor_json_put_integer(w, "reorganizations", (int64_t)status->reorganizations);
    cor_json_put_integer(w, "failures", (int64_t)status->failures);
    cor_json_put_real(w, "wall_s", status->seconds);
    cor_json_close(w);
    return cor_json_print_take(w, 0, stdout, error);
}

/* What was found, in one screen. The file is stored: that it cannot be read here is told, and no reason to
 * call the campaign failed. */
static enum cor_status print_found(const char *path, struct cor_error *error) {
    struct cor_error trouble = COR_NO_ERROR;
    const struct cor_view *view = cor_view_find("summary");
    struct cor_view_request request = {.path = path, .program = cor_program(), .suite = COR_ANY_SUITE};
    struct cor_view_findings findings = {0};
    COR_DESTROYED(cor_sheets) struct cor_sheets *sheets = NULL;
    enum cor_status status = COR_OK;
    /* The child that merged it has read all of it back. */
    COR_TRY_OUT(cor_result_open_written(path, &request.result, &trouble));
    COR_TRY_OUT(cor_sheets_create(view->schema, view->version, &sheets, &trouble));
    cor_progress_doing("reading what was found");
    status = view->make(&request, sheets, &findings, &trouble);
    cor_progress_doing(NULL);
    COR_TRY_OUT(status);
    const struct cor_style style = cor_show_style();
    status = cor_sheets_text(sheets, &style, stdout, error);
out:
    cor_result_close(request.result);
    if (trouble.status == COR_OK)
        return status;
    if (trouble.status == COR_STATUS_MEMORY) {
        *error = trouble;
        return trouble.status;
    }
    cor_say("warning: %s is written, but what was found could not be read: %s", path, trouble.cause);
    return COR_OK;
}

enum cor_status cor_summary_print(const struct cor_summary *summary, const char *schema,
                                  struct cor_error *error) {
    const struct cor_campaign_status *status = summary->status;
    const struct cor_layer *layer = summary->layer;
    if (schema)
        return print_json(summary, schema, error);
    cor_print("%s: ", summary->output);
    if (layer->runs)
        cor_print("%" PRIu64 " %s, ", status->reorganizations, layer->runs);
    cor_print("%" PRIu64 " %s; %.1f s\n", status->failures, layer->failures, status->seconds);
    fflush(stdout); /* before what takes a moment */
    return print_found(summary->output, error);
}

#define LOOK_MIN 10 /* ms between two looks at the beginning, where conditions may hold soon */
#define LOOK_MAX 200

enum cor_status cor_carry_out(const struct cor_campaign_definition *definition, enum cor_progress_style style,
                              struct cor_campaign_status *progress, struct cor_campaign **carried,
                              bool *whole, struct cor_error *error) {
    struct cor_campaign *campaign = NULL;
    struct progress_display display = progress_display(style);
    enum cor_status status = COR_OK;
    cor_catch_interrupts();
    COR_TRY_OUT(cor_campaign_start(definition, &campaign, error));
    /* The loop while workers run: look, show, and pass an interrupt on. Workers that do not listen, because
     * an algorithm hangs, are left to cor_campaign_destroy at the second one. */
    enum cor_status result = COR_OK;
    bool told = false;
    const int least = definition->stop.count > 0 ? LOOK_MIN : LOOK_MAX;
    int pause = least;
    do {
        enum cor_status looked = cor_campaign_look(campaign, pause, progress, error);
        pause = (int)fmin(fmax(least, 100 * progress->seconds), LOOK_MAX); /* a tenth of what it ran for */
        result = result == COR_OK ? looked : result;
        if (cor_interrupts() > 0 && !told) {
            cor_campaign_interrupt(campaign);
            progress_say(&display, "stopping: finishing the running tests; Ctrl-C again discards them");
            told = true;
        }
        if (cor_interrupts() > 1 && result == COR_OK)
            result = cor_fail(error, COR_STATUS_INTERRUPTED, NULL,
                              "the same command goes on from what was finished",
                              "interrupted twice: no result file was written");
        for (char *line = strtok(progress->news, "\n"); line; line = strtok(NULL, "\n"))
            progress_warn(&display, line);
        progress_show(&display, progress);
    } while (!progress->ended && cor_interrupts() < 2);
    /* Ends the line, if one is open. */
    if (display.style == COR_PROGRESS_BAR)
        fputc('\n', stderr);
    if (progress->start_seconds > progress->work_seconds / 2) {
        char text[192];
        snprintf(text, sizeof text,
                 "most of the time went into starting your program %" PRIu64
                 " times; a class or function by \"import corridor\" is not started: docs/do/python.md",
                 progress->starts);
        progress_say(&display, text);
    }
    COR_TRY_OUT(result);
    if (cor_interrupts() == 0)
        cor_leave_interrupts(); /* from here on nobody asks, and the same command goes on from what is stored
                                 */
    *whole = cor_interrupts() == 0;
    if (progress->partial)
        goto out;
    cor_progress_doing("merging what is stored");
    const enum cor_status merged = cor_campaign_merge(campaign, whole, error);
    cor_progress_doing(NULL);
    COR_TRY_OUT(merged);
    COR_TRY_OUT(cor_campaign_look(campaign, 0, progress, error));
out:
    *carried = status == COR_OK ? campaign : NULL;
    if (status != COR_OK)
        cor_campaign_destroy(campaign);
    return status;
}

static enum cor_status run_into(const struct cor_made_up *made_up, struct cor_opened *opened,
                                const char *output, bool *whole, enum cor_exit *code,
                                struct cor_error *error) {
    const struct cor_made_options *options = made_up->options;
    const struct cor_campaign_definition definition = {
        .layer = opened->layer,
        .experiment = opened->experiment,
        .output = output,
        .overwrite = options->force,
        .workers = options->jobs > 0 ? options->jobs : cor_default_workers(),
        .stop = opened->stop,
        .inquiries = &opened->inquiries,
    };
    struct cor_campaign_status progress;
    COR_DESTROYED(cor_campaign) struct cor_campaign *campaign = NULL;
    struct cor_result *result = NULL;
    enum cor_status status = COR_OK;
    COR_TRY(cor_carry_out(&definition, COR_PROGRESS_SLOW, &progress, &campaign, whole, error));
    COR_TRY_OUT(cor_result_open_written(output, &result, error));
    status = made_up->show(made_up->context, result, output, code, error);
out:
    cor_result_close(result);
    return status;
}

/* Without a file to keep into one for the moment: what is interrupted before there is something to show is
 * gone with it. */
static enum cor_status run_opened(const struct cor_made_up *made_up, struct cor_opened *opened, bool *whole,
                                  enum cor_exit *code, struct cor_error *error) {
    const char *output = made_up->options->output;
    COR_FREED char *path = NULL;
    COR_ENDED_BY(cor_moment_close) struct cor_moment moment = {0};
    if (output)
        return run_into(made_up, opened, output, whole, code, error);
    COR_TRY(cor_moment_open(opened->layer->schema->name, &moment, error));
    path = cor_format("%s/results.h5", moment.folder);
    enum cor_status status = cor_made(path, error);
    if (status == COR_OK)
        status = run_into(made_up, opened, path, whole, code, error);
    if (status == COR_STATUS_INTERRUPTED) {
        *error = COR_NO_ERROR;
        status = cor_fail(error, status, NULL,
                          "the same command begins anew; with -o FILE it goes on from what is stored",
                          "there is nothing to show yet");
    }
    return status;
}

enum cor_exit cor_run_made_up(const struct cor_made_up *made_up, const char *path) {
    struct cor_error error = COR_NO_ERROR;
    COR_FINISHED(cor_opened) struct cor_opened opened = {0};
    enum cor_exit code = COR_EXIT_DONE;
    bool whole = true;
    enum cor_status status = made_up->open(made_up->context, path, &opened, &error);
    if (status == COR_OK)
        status = run_opened(made_up, &opened, &whole, &code, &error);
    if (status == COR_OK && (!whole || code == COR_EXIT_INCOMPLETE))
        cor_say(made_up->options->output ? "interrupted: the same command goes on"
                                         : "interrupted: this is what was found until then");
    return status != COR_OK ? cor_report(&error) : whole ? code : COR_EXIT_INCOMPLETE;
}
