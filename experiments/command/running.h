/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands share that work for a while: opening an experiment, workers, interrupts, and progress on
 * stderr - a line that renews itself on a terminal, else a plain line now and then, or JSON lines. What
 * scripts read (stdout) is never touched. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_RUNNING_H
#define CORRIDOR_EXPERIMENTS_COMMAND_RUNNING_H

#include "command.h"

#include <corridor/campaign.h>
#include <corridor/inquiries.h>
#include <corridor/result.h>

/* An experiment with the layer that it is of. */
struct cor_opened {
    const struct cor_layer *layer;
    struct cor_experiment_head *experiment; /* owned */
    char *notes;                            /* owned; what the analysis has to say, a line each */
    struct cor_stop_conditions stop;        /* that the file states */
    struct cor_inquiries inquiries;         /* owned; likewise, of the arms that they are asked of */
};

/* Says on stderr what stands in it, a warning a line, and frees it; NULL: nothing. */
void cor_say_warnings(char *warnings_take);

/* Reads the experiment at `path`, asks whether it can be executed at all, and warns on stderr of what is odd
 * in it. */
enum cor_status cor_open_experiment(const char *path, const struct cor_layer_options *options,
                                    struct cor_opened *opened, struct cor_error *error) COR_MUST_USE;

/* Whether amounts, ended by NULL, are such of sequences of its layer (cor_measure_parse_of). */
enum cor_status cor_opened_can_measure(const struct cor_opened *opened, const char *const *measures,
                                       struct cor_error *error) COR_MUST_USE;

/* Whether its arms are such that it can stop as said, by the command line, too: at the width of an interval
 * only where sequences have a law. */
enum cor_status cor_opened_can_stop(const struct cor_opened *opened, struct cor_error *error) COR_MUST_USE;

/* The same of a text that was made from the file at `path`. */
enum cor_status cor_open_text(const char *path, const char *text, const struct cor_layer_options *options,
                              struct cor_opened *opened, struct cor_error *error) COR_MUST_USE;

/* The same for the experiment that a result file has: `path` is its own. COR_STATUS_INPUT if its
 * suites were read from a folder, which it does not have, or if it names programs and the user does not
 * `trust` it. Suites larger than those of the file are refused when they are generated. Of `asked` isolation,
 * what is required of it, fresh processes and the traffic to replay are taken. */
enum cor_status cor_open_stored(struct cor_result *result, const char *path, bool trust,
                                const struct cor_layer_options *asked, struct cor_opened *opened,
                                struct cor_error *error) COR_MUST_USE;

/* What the file at `path`, which may be a stranger's, may start, if the user trusts it: it is said before. */
struct cor_trust cor_trust_in_file(const char *path, bool trust);

/* "corridor serve SECONDS": the far end of --hosts, over standard input and output. */
enum cor_exit cor_serve(int count, char **words);

/* The layer of an experiment, by the keys of the file; the first if none fits. COR_STATUS_INPUT: it is of a
 * layer that this program has not. */
enum cor_status cor_layer_of(const struct cor_json_document *document, const char *path,
                             const struct cor_layer **layer, struct cor_error *error) COR_MUST_USE;

/* The layer of that name; NULL if there is none. */
const struct cor_layer *cor_layer_find(const char *name);

/* Frees what it holds. Idempotent. */
void cor_opened_fini(struct cor_opened *opened);

/* The processors this process may use, which on a shared machine are fewer than it has. */
uint32_t cor_default_workers(void);

/* Catches interrupts, from the keyboard or otherwise; cor_interrupts counts wishes: signals that come
 * together are one, and after the first only Ctrl-C is another. The first is to ask the workers to stop, the
 * second to kill them, and the third ends us wherever we are. */
void cor_catch_interrupts(void);

/* The same for a command whose steps may take any time: it ends with COR_EXIT_INCOMPLETE, wherever it is, if
 * it does not within 1.5 s of the first, and so many seconds more, which are said. Its files get their names
 * when they are whole. */
void cor_catch_interrupts_briefly(int seconds);
#define COR_ANSWER_PARTING 30 /* of who waits for programs: 10 s for an answer, if nobody says otherwise */

/* They end this process again, wherever it is: for what comes behind, and asks cor_interrupts no more. */
void cor_leave_interrupts(void);
int cor_interrupts(void);

enum cor_progress_style {
    COR_PROGRESS_AUTO, /* a bar on a terminal, unless CI is set, and plain elsewhere */
    COR_PROGRESS_BAR,
    COR_PROGRESS_PLAIN,
    COR_PROGRESS_JSON,
    COR_PROGRESS_NONE,
    COR_PROGRESS_SLOW /* as auto, but plain lines each ten seconds alone, and none where it ends before */
};

/* Time left in words: ", about 12 s left". */
void cor_say_seconds(double left, char *text, size_t size);

/* The same, from what is done of `count` after so many seconds; "" while nothing is. */
void cor_say_left(double seconds, uint64_t done, uint64_t count, char *text, size_t size);

/* Says what is being done: on a terminal in a line that the next one replaces, elsewhere each ten seconds,
 * with how long it takes so far, until it is done: NULL, which clears the line. What waits meanwhile goes on.
 */
void cor_progress_doing(const char *what);

/* The same, but not more often than five times a second; *shown: when it was last, begins with 0. Returns
 * whether to go on with it: until an interrupt. */
COR_PRINTF(2, 3) bool cor_progress_goes_on(double *shown, const char *format, ...);

/* A cor_result_told: which part of a table is read. */
void cor_progress_reading(void *self, const char *table, uint64_t first, uint64_t count);

/* What came of a campaign. */
struct cor_summary {
    const struct cor_layer *layer;
    const char *output;
    const struct cor_campaign_status *status;
    bool whole;
};

/* Prints it in a line, and what was found in one screen; as a JSON document of that schema, if one is named.
 */
enum cor_status cor_summary_print(const struct cor_summary *summary, const char *schema,
                                  struct cor_error *error) COR_MUST_USE;

/* Runs a campaign to its end, or to an interrupt, shows how far it is, and merges; *whole: everything that
 * was asked for is in. Workers that do not listen, because an algorithm hangs, are ended at the second
 * interrupt. A process with a share of the plan (progress->partial) merges nothing, and *whole says whether
 * it came to the end of its share. The caller ends *carried with cor_campaign_destroy once it has shown what
 * came of it: until then the same command goes on from what is stored, whatever ends this one. */
enum cor_status cor_carry_out(const struct cor_campaign_definition *definition, enum cor_progress_style style,
                              struct cor_campaign_status *progress, struct cor_campaign **carried,
                              bool *whole, struct cor_error *error) COR_MUST_USE;

/* How a command that has --show-config reads its experiment, telling the origins of `options`. */
struct cor_config {
    bool asked, json;
    struct cor_layer_options *options; /* borrowed */
    const char *under;     /* where the text that `open` makes has the file; NULL: it is the file */
    const char *not_shown; /* what this is in the pointer of follows from the rest; NULL: all is shown */
    void *context;
    enum cor_status (*open)(void *context, const char *path, struct cor_opened *opened,
                            struct cor_error *error); /* NULL: cor_open_experiment */
};

/* Shows what counts when the file at `path` is read, each value with where it comes from, and the options. */
enum cor_exit cor_show_config(const struct cor_arguments *arguments, const char *path,
                              const struct cor_config *config);

#define COR_SHOW_CONFIG_OPTION(member)                                                                      \
    {                                                                                                       \
        "show-config", 0, NULL,                                                                             \
            "print what counts and where it comes from - file, preset, default, option -, and run nothing", \
            COR_FLAG(member)                                                                                \
    }

/* Options of a command that makes up a campaign. */
struct cor_made_options {
    const char *output; /* NULL: the result file is one for the moment */
    bool force;
    uint32_t jobs; /* 0: as many as there are processors */
};

#define COR_FORCE_OPTION(member) \
    { "force", 'f', NULL, "replace the result file if it exists", COR_FLAG(member) }
#define COR_KEEP_OPTION(member) \
    { "output", 'o', "FILE", "keep the result file", COR_TEXT(member), .otherwise = "a temporary file" }
#define COR_JOBS_OPTION(member)                                                                 \
    {                                                                                           \
        "jobs", 'j', "N", "use N worker processes; they change no result",                      \
            COR_INTEGER(member, 1, COR_WORKERS_MAX, 0), .otherwise = "the processors there are" \
    }
#define COR_MADE_OPTIONS(member) \
    COR_KEEP_OPTION(member.output), COR_FORCE_OPTION(member.force), COR_JOBS_OPTION(member.jobs)

/* A campaign that a command line makes up; the functions get `context`. */
struct cor_made_up {
    const struct cor_made_options *options;
    void *context;

    /* Makes the experiment of the file at `path`; cor_opened_fini is the runner's, also on failure. */
    enum cor_status (*open)(void *context, const char *path, struct cor_opened *opened,
                            struct cor_error *error);

    /* Shows the result file, which is at `path` and open, and says by *code what was found. */
    enum cor_status (*show)(void *context, struct cor_result *result, const char *path, enum cor_exit *code,
                            struct cor_error *error);
};

/* The one runner of such commands: makes the experiment of the file at `path`, carries it out and shows what
 * came of it. Says what is wrong; the code is that of `show`, unless something was, or it was interrupted. */
enum cor_exit cor_run_made_up(const struct cor_made_up *made_up, const char *path);

#endif
