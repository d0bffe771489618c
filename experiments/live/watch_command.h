/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corridor watch: what its files share. The process that serves reads the status of the campaign and the ends
 * of its journals; result files are made and read by children, which leave what they have to say in files of
 * a folder of its own under TMPDIR. Nothing is done unless a page is asked for. */
#ifndef CORRIDOR_EXPERIMENTS_LIVE_WATCH_COMMAND_H
#define CORRIDOR_EXPERIMENTS_LIVE_WATCH_COMMAND_H

#include "../campaign/place.h"

#include <corridor/campaign.h>
#include <corridor/page_server.h>

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#define COR_WATCH_PARTS 24        /* of a page, at most */
#define COR_WATCH_TRACES 16       /* that are kept */
#define COR_WATCH_KEY 256         /* bytes of the key of a failure, its end included */
#define COR_WATCH_PAGE 100000     /* bytes of a page, at most: */
#define COR_WATCH_FRONT_MOST 8000 /* title and facts, */
#define COR_WATCH_PART_MOST 60000 /* a part on a page of its own, and what a command has printed */

/* The tables: parts of a report, of what was stored when they were made. */
struct cor_watch_tables {
    uint32_t number; /* of the folder they are in, from 1; 0: there are none yet */
    struct {
        char id[32], shorter[64];
    } part[COR_WATCH_PARTS];
    size_t part_count;
    char *said;             /* owned; which suites they hold; NULL: nothing is to be said */
    double made;            /* of the monotonic clock: when they were begun */
    char *trouble;          /* owned; why there are none, or none that are newer; NULL: nothing is wrong */
    uint64_t suites, stamp; /* stored when they were begun; what tells the file from others */
    pid_t child;            /* that makes the next ones; 0: none does */
    uint32_t child_number;
    uint64_t child_suites, child_stamp;
    bool child_merges; /* what is stored; else it reads the result file */
    bool child_rests;  /* it is stopped until `turn`; else it works since then */
    bool hurries;      /* somebody waits for what it makes */
    /* Of the monotonic clock: when the child was started; its turn; when the next one may be started. */
    double child_begun, turn, next;
    double worked; /* seconds, of the child's turns */
};

/* What a command has printed of one failure. */
struct cor_watch_trace {
    char key[COR_WATCH_KEY]; /* "": this place is free */
    char *path;              /* owned; what it has printed */
    pid_t child;             /* at work on it; 0: it has ended */
    int how;                 /* it has ended, as waitpid says */
    double begun;
};

/* The share of the processors of this machine that the campaign has. */
struct cor_watch_share {
    double processors; /* that its workers have when they want one, in all; begins as 1 */
    double next;       /* of the monotonic clock: when it is looked at again */
    /* The workers, and of these in seconds: on a processor, and waiting for one. */
    double workers, has, waits;
};

struct cor_watch_folder {
    const char *operand; /* as it was typed */
    bool trust;          /* programs that a file names may be started */
    struct cor_place place;
    char *folder; /* owned: TMPDIR/corridor-watch-XXXXXX */
    struct cor_page_server *server;
    /* How far the campaign is; looked at again when `next` has come. */
    struct {
        bool is_there; /* a campaign is; else a result file, or nothing */
        struct cor_campaign_report report;
        struct cor_failing_news news;
        struct cor_error trouble;
        double next;
    } now;
    double page_seconds; /* of a processor, that a page takes: the largest of the last ones */
    struct cor_watch_share share;
    struct cor_watch_tables tables;
    struct cor_watch_trace traces[COR_WATCH_TRACES];
    size_t trace_next; /* place of the next one */
};

/* Seconds a child may take before it is killed. */
#define COR_WATCH_PATIENCE 600.0

/* Looks at it, if it is time. Rests below are `times` what was taken for a campaign that has one processor.
 */
void cor_watch_share_look(struct cor_watch_folder *watch, double now);

/* Tables: starts to make them where something new is stored (`soon`: with ten times the share of time, as
 * somebody waits for them); lets the child work or rest, as the share of time that is its own says, and gives
 * the seconds until it is to be called again; looks whether they are made; ends it. */
void cor_watch_tables_begin(struct cor_watch_folder *watch, bool soon);
double cor_watch_tables_turn(struct cor_watch_folder *watch);
void cor_watch_tables_look(struct cor_watch_folder *watch);
void cor_watch_tables_fini(struct cor_watch_folder *watch);

/* The text of a file of the tables ("front", "part-0", "labels-0"), freed with free(); NULL: there is none.
 */
char *cor_watch_tables_text(const struct cor_watch_folder *watch, const char *name);

/* The newest list of failures, which comes before its tables. */
struct cor_watch_failing {
    char *text;        /* owned; of the two below */
    const char *layer; /* name of the layer */
    char *keys;        /* lines: KEY, a tab, its class; none of layers whose failures have no keys */
    char *result;      /* owned; path of the file that they are of */
};

/* False: there is none yet; else it is freed with cor_watch_failing_fini. */
bool cor_watch_failing(const struct cor_watch_folder *watch, struct cor_watch_failing *failing);
void cor_watch_failing_fini(struct cor_watch_failing *failing);

/* The trace of a failure, which is begun where there is none; NULL: it cannot be begun now, and *why says
 * why. */
struct cor_watch_trace *cor_watch_trace_of(struct cor_watch_folder *watch, const char *key, const char **why);
bool cor_watch_traces_run(const struct cor_watch_folder *watch); /* is one under way? */
void cor_watch_traces_look(struct cor_watch_folder *watch);
void cor_watch_traces_fini(struct cor_watch_folder *watch);

/* Makes pages. */
cor_page_answer cor_watch_answer;

#endif
