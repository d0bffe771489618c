/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands write: files, whole or not at all, and never over another one unasked; colours and letters
 * for those who read. */
#ifndef CORRIDOR_EXPERIMENTS_COMMAND_OUTPUT_H
#define CORRIDOR_EXPERIMENTS_COMMAND_OUTPUT_H

#include "command.h"

#include <corridor/json.h>
#include <corridor/sheet.h>

#include <stdbool.h>
#include <stdio.h>

struct cor_output {
    FILE *file;       /* to write to */
    const char *path; /* borrowed; NULL = standard output */
    char *draft;      /* owned; what is written until it is whole; NULL if there is none */
    bool replaces;    /* a file of that name, also one that came while it was written */
    bool is_nameless; /* the draft has no name yet, so that none is left when we are killed */
};

/* COR_STATUS_EXISTS if a file is at `path` and may not be replaced. Devices and pipes may always be. */
enum cor_status cor_output_check(const char *path, bool overwrite, struct cor_error *error) COR_MUST_USE;

/* The same before what takes long; COR_STATUS_FILE also if no file can be made in its folder, which is there.
 */
enum cor_status cor_output_check_before(const char *path, bool overwrite,
                                        struct cor_error *error) COR_MUST_USE;

/* Opens a draft beside `path`, without a name where the file system knows such. NULL and "-" are standard
 * output; devices and pipes are written as they are.
 */
enum cor_status cor_output_open(const char *path, bool overwrite, struct cor_output *output,
                                struct cor_error *error) COR_MUST_USE;

/* Ends what was opened: the draft replaces the file if `status`, that of what was written, is COR_OK and
 * everything reached the disk; else it is removed. Returns `status` or its own trouble. */
enum cor_status cor_output_close(struct cor_output *output, enum cor_status status,
                                 struct cor_error *error) COR_MUST_USE;

/* Writes `text` by the three above. */
enum cor_status cor_output_text(const char *path, const char *text, bool overwrite,
                                struct cor_error *error) COR_MUST_USE;

/* What an interrupt leaves, the best so far, may be replaced by the same command line, with or without
 * --force: beside it stands FILE.unfinished, with that line and the hash of what is left. Is there such a
 * file, as it was left by the line of `arguments`? */
struct cor_arguments;
bool cor_output_is_left(const char *path, const struct cor_arguments *arguments);

/* Writes `text` as cor_output_text does, and leaves it so if it `is_unfinished`. */
enum cor_status cor_output_leave(const char *path, const char *text, bool overwrite,
                                 const struct cor_arguments *arguments, bool is_unfinished,
                                 struct cor_error *error) COR_MUST_USE;

/* Writes a graph in Graphviz' language as a picture, by the ending of the path: .svg, .pdf, .png, or .dot as
 * it is. Others are COR_STATUS_INPUT. */
enum cor_status cor_output_drawing(const char *path, const char *dot, bool overwrite,
                                   struct cor_error *error) COR_MUST_USE;

/* Begins a document of a command: an open object with "schema" and "version". What fills it closes it, and
 * ends it with cor_json_print_take. */
enum cor_status cor_document_open(const char *schema, int version, struct cor_json_writer **writer,
                                  struct cor_error *error) COR_MUST_USE;

/* Columns and rows of the terminal that `file` is; elsewhere the columns that COLUMNS says; 0 = not known. */
struct cor_terminal {
    size_t columns, rows;
};
struct cor_terminal cor_terminal(FILE *file);

/* Columns that text which is no table may fill: those of the terminal, a hundred at most; elsewhere what
 * COLUMNS says, or 80. */
size_t cor_text_columns(FILE *file);

/* Paragraphs, a line of the text each, wrapped at these columns; what a line begins with in blanks indents
 * it. `at` columns of the first line are filled. */
void cor_print_text(FILE *file, const char *text, size_t at, size_t indent);

/* How the program was called where that is a path, else its name: for commands that are to be pasted. */
const char *cor_program(void);

/* Prints to standard output, as printf does. What stands in it from outside - names, paths, words of guests -
 * gives a terminal no orders. Returns how many bytes. */
int cor_print(const char *format, ...) COR_PRINTF(1, 2);

/* Says "corridor: " and this on stderr, in lines that fit the terminal. Where stderr is none, and COLUMNS
 * says nothing, a message is one line, for those who search logs. */
void cor_say(const char *format, ...) COR_PRINTF(1, 2);
void cor_say_text(const char *head, const char *text); /* of another head, such as "corridor: file error:" */

/* Colours if standard output takes them, its letters and its width. */
struct cor_style cor_show_style(void);

/* Puts the path in front of the place of an error that was said of a table, which knows no path. */
void cor_show_path(const char *path, struct cor_error *error);

/* ---- reading a file of a stranger in a process of its own, which the file can make too large or end; who
 * started it is told by a sentence and an exit code in any case */

/* Runs the command in a child process that may take memory by the size of the files among the operands: a
 * gigabyte, and 64 times their size. Returns true in the child, with *code that of the command, and true
 * without a child where none can be made; false in the process that has waited, with *code the child's, or
 * what is said of its end. A signal that asks to stop is handed on, and ends both alike. */
bool cor_run_guarded(const struct cor_arguments *arguments, enum cor_exit *code);

#endif
