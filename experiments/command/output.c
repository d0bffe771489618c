/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE     /* program_invocation_name */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */

#include "output.h"
#include "command.h"
#include "layer_commands.h"
#include "replay.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/child.h>
#include <corridor/hash.h>
#include <corridor/report.h>
#include <corridor/result.h>
#include <corridor/work_folder.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What COLUMNS may say. */
#define TERMINAL_MIN 20
#define TERMINAL_MAX 10000

#define OWN_FILES "/proc/self/fd"

#define TEXT_MAX 100  /* columns of text that is no table */
#define TEXT_USUAL 80 /* where there is no terminal */

static enum cor_status fail(const char *path, struct cor_error *error) {
    return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
}

/* Can files be made in the folder of `path`? */
static enum cor_status check_folder(const char *path, struct cor_error *error) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? cor_format("%.*s/", (int)(slash - path), path) : cor_strdup(".");
    COR_TRY(cor_made(folder, error));
    const enum cor_status status = access(folder, W_OK | X_OK) == 0 ? COR_OK : fail(path, error);
    free(folder);
    return status;
}

enum cor_status cor_output_check(const char *path, bool overwrite, struct cor_error *error) {
    struct stat there;
    if (overwrite || stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return COR_OK;
    return cor_fail(error, COR_STATUS_EXISTS, path, "name another file, or say --force to replace it",
                    "exists already");
}

enum cor_status cor_output_check_before(const char *path, bool overwrite, struct cor_error *error) {
    struct stat there;
    COR_TRY(cor_output_check(path, overwrite, error));
    const bool as_it_is = strcmp(path, "-") == 0 || (stat(path, &there) == 0 && !S_ISREG(there.st_mode));
    return as_it_is ? COR_OK : check_folder(path, error);
}

/* Gives it the name of the draft, which then takes that of the file. */
static bool name_draft(const struct cor_output *output) {
    char itself[64];
    snprintf(itself, sizeof itself, OWN_FILES "/%d", fileno(output->file));
    return linkat(AT_FDCWD, itself, AT_FDCWD, output->draft, AT_SYMLINK_FOLLOW) == 0;
}

enum cor_status cor_output_open(const char *path, bool overwrite, struct cor_output *output,
                                struct cor_error *error) {
    struct stat there;
    *output = (struct cor_output){.file = stdout};
    if (!path || strcmp(path, "-") == 0)
        return COR_OK;
    COR_TRY(cor_output_check(path, overwrite, error));
    output->path = path;
    output->replaces = overwrite;
    bool as_it_is = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    if (!as_it_is) {
        COR_TRY(cor_made(output->draft = cor_format("%s.part-%ld", path, (long)getpid()), error));
    }
    if (!as_it_is) {
        /* A file without a name in the folder of `path`; NULL where there are none. */
        const char *slash = strrchr(path, '/');
        char *folder = slash ? cor_format("%.*s/", (int)(slash - path), path) : cor_strdup(".");
        const int file = folder && access(OWN_FILES, X_OK) == 0
                             ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
                             : -1;
        FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
        if (file >= 0 && !stream)
            close(file);
        free(folder);
        output->file = stream;
    }
    output->is_nameless = !as_it_is && output->file;
    if (!output->is_nameless) /* a draft of that name is none of this process */
        output->file = fopen(as_it_is ? path : output->draft, as_it_is ? "we" : "wxe");
    if (output->file)
        return COR_OK;
    enum cor_status status = fail(path, error);
    free(output->draft);
    *output = (struct cor_output){0};
    return status;
}

enum cor_status cor_output_close(struct cor_output *output, enum cor_status status, struct cor_error *error) {
    COR_ASSERT(output->path || !output->draft);
    if (output->file && fflush(output->file) != 0 && status == COR_OK)
        status = fail(output->path, error);
    if (output->file && ferror(output->file) && status == COR_OK)
        status = cor_fail(error, COR_STATUS_FILE, output->path, NULL, "cannot write");
    bool is_named = output->draft && !output->is_nameless;
    if (output->is_nameless && status == COR_OK && !(is_named = name_draft(output)))
        status = fail(output->path, error);
    if (output->file && output->path && fclose(output->file) != 0 && status == COR_OK)
        status = fail(output->path, error);
    if (output->draft && status == COR_OK && cor_rename(output->draft, output->path, output->replaces) != 0)
        status = fail(output->path, error);
    if (is_named && status != COR_OK)
        unlink(output->draft);
    free(output->draft);
    *output = (struct cor_output){0};
    return status;
}

enum cor_status cor_output_text(const char *path, const char *text, bool overwrite, struct cor_error *error) {
    struct cor_output output;
    COR_TRY(cor_output_open(path, overwrite, &output, error));
    enum cor_status status = fputs(text, output.file) == EOF ? fail(path, error) : COR_OK;
    return cor_output_close(&output, status, error);
}

static const char left_by[] = "an interrupt left it unfinished, and this goes on: corridor";

/* What stands in FILE.unfinished; NULL: memory is out. */
static char *note_of(const char *text, const struct cor_arguments *arguments) {
    char *note = cor_strdup(left_by);
    for (int i = 0; i < arguments->typed_count; i++) {
        const char *word = arguments->typed[i];
        if (strcmp(word, "-f") != 0 && strcmp(word, "--force") != 0)
            note = cor_join_take(note, " ", cor_shell_quoted(word));
    }
    return cor_join_take(
        note, "\n",
        cor_format("%016llx\n", (unsigned long long)cor_hash_bytes(COR_HASH_SEED, text, strlen(text))));
}

bool cor_output_is_left(const char *path, const struct cor_arguments *arguments) {
    char *beside = cor_format("%s.unfinished", path), *said = beside ? cor_file_text(beside) : NULL,
         *text = said ? cor_file_text(path) : NULL, *note = text ? note_of(text, arguments) : NULL;
    const bool is_left = note && strcmp(said, note) == 0;
    COR_FREE(note, text, said, beside);
    return is_left;
}

/* The note comes before what it is of, and goes behind what is whole: a kill in between leaves no file that
 * is taken for another. */
enum cor_status cor_output_leave(const char *path, const char *text, bool overwrite,
                                 const struct cor_arguments *arguments, bool is_unfinished,
                                 struct cor_error *error) {
    struct stat there;
    char *beside = NULL, *said = NULL, *note = NULL;
    enum cor_status status = COR_OK;
    if (!path || strcmp(path, "-") == 0 || (stat(path, &there) == 0 && !S_ISREG(there.st_mode)))
        return cor_output_text(path, text, overwrite, error);
    COR_TRY_OUT(cor_made(beside = cor_format("%s.unfinished", path), error));
    said = cor_file_text(beside);
    const bool is_note = said && strncmp(said, left_by, strlen(left_by)) == 0;
    if (is_unfinished) {
        COR_TRY_OUT(cor_made(note = note_of(text, arguments), error));
        COR_TRY_OUT(cor_output_text(beside, note, is_note, error));
    }
    COR_TRY_OUT(cor_output_text(path, text, overwrite, error));
    if (!is_unfinished && is_note)
        unlink(beside);
out:
    COR_FREE(note, said, beside);
    return status;
}

/* The name of a kind of picture that graphviz makes, from the ending of a path; NULL if it is none. */
static const char *picture_format(const char *path) {
    static const char *const formats[] = {"svg", "pdf", "png", "dot", NULL};
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending && formats[i]; i++)
        if (strcmp(ending + 1, formats[i]) == 0)
            return formats[i];
    return NULL;
}

/* Copies what graphviz writes, and says whether there was anything. */
static bool copy(FILE *from, FILE *to) {
    char bytes[65536];
    size_t count, total = 0;
    while ((count = fread(bytes, 1, sizeof bytes, from)) > 0) {
        fwrite(bytes, 1, count, to); /* an error sticks to the stream */
        total += count;
    }
    return total > 0 && !ferror(from);
}

/* Draws through graphviz' dot. Its picture comes back through a pipe, since dot does not say when its last
 * bytes found no room. */
static enum cor_status render(const char *dot, const char *format, FILE *picture, struct cor_error *error) {
    char command[64];
    FILE *graph = tmpfile();
    if (!graph || fputs(dot, graph) == EOF || fflush(graph) != 0) {
        enum cor_status status =
            cor_fail_errno(error, COR_STATUS_FILE, NULL, NULL, "cannot write a temporary file");
        if (graph)
            fclose(graph);
        return status;
    }
    snprintf(command, sizeof command, "dot -T%s /dev/fd/%d", format, fileno(graph));
    FILE *pipe = popen(command, "r");
    bool copied = pipe && copy(pipe, picture);
    bool drawn = pipe && pclose(pipe) == 0 && copied;
    fclose(graph);
    return drawn ? COR_OK
                 : cor_fail(error, COR_STATUS_FILE, NULL, "install graphviz, or write a .dot file",
                            "cannot draw with dot");
}

enum cor_status cor_output_drawing(const char *path, const char *dot, bool overwrite,
                                   struct cor_error *error) {
    struct cor_output output;
    const char *format = picture_format(path);
    if (!format)
        return cor_fail(error, COR_STATUS_INPUT, path, "end it in .svg, .pdf, .png or .dot",
                        "is no kind of picture");
    if (strcmp(format, "dot") == 0)
        return cor_output_text(path, dot, overwrite, error);
    COR_TRY(cor_output_open(path, overwrite, &output, error));
    return cor_output_close(&output, render(dot, format, output.file, error), error);
}

enum cor_status cor_document_open(const char *schema, int version, struct cor_json_writer **writer,
                                  struct cor_error *error) {
    COR_TRY(cor_json_writer_create(writer, error));
    cor_json_open_object(*writer, NULL);
    cor_json_put_string(*writer, "schema", schema);
    cor_json_put_integer(*writer, "version", version);
    return COR_OK;
}

/* Whether to colour `file`: a terminal, NO_COLOR unset, TERM not dumb; CLICOLOR_FORCE overrules. */
static bool has_colours(FILE *file) {
    const char *forced = getenv("CLICOLOR_FORCE"), *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (none && none[0] != '\0')
        return false;
    if (forced && forced[0] != '\0' && strcmp(forced, "0") != 0)
        return true;
    return isatty(fileno(file)) && terminal && strcmp(terminal, "dumb") != 0;
}

struct cor_terminal cor_terminal(FILE *file) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return (struct cor_terminal){size.ws_col, size.ws_row};
    const long said = columns ? strtol(columns, NULL, 10) : 0;
    return (struct cor_terminal){said >= TERMINAL_MIN && said <= TERMINAL_MAX ? (size_t)said : 0, 0};
}

size_t cor_text_columns(FILE *file) {
    const size_t columns = cor_terminal(file).columns;
    return columns == 0 ? TEXT_USUAL : columns < TEXT_MAX ? columns : TEXT_MAX;
}

static void put_paragraphs(FILE *file, const char *text, size_t at, size_t indent, size_t width) {
    while (*text) {
        const size_t length = strcspn(text, "\n"), blanks = strspn(text, " ");
        char *line = cor_format("%.*s", (int)length, text);
        if (line)
            cor_put_wrapped(file, line, at, indent + blanks, width);
        free(line);
        text += length + (text[length] == '\n');
        at = 0;
    }
}

void cor_print_text(FILE *file, const char *text, size_t at, size_t indent) {
    put_paragraphs(file, text, at, indent, cor_text_columns(file));
}

const char *cor_program(void) {
    return strchr(program_invocation_name, '/') ? program_invocation_name : "corridor";
}

int cor_print(const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return 0;
    cor_make_printable(text);
    fputs(text, stdout);
    free(text);
    return length;
}

void cor_say(const char *format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cor_make_printable(text);
    cor_say_text("corridor:", text);
}

void cor_say_text(const char *head, const char *text) {
    const bool colour = has_colours(stderr) && head[strlen("corridor:")];
    fprintf(stderr, "%s%s%s", colour ? "\033[1;31m" : "", head, colour ? "\033[0m" : "");
    if (cor_terminal(stderr).columns == 0)
        fprintf(stderr, " %s\n", text);
    else
        put_paragraphs(stderr, text, strlen(head), 0, cor_text_columns(stderr));
}

/* Does the locale of the environment not promise UTF-8? The locale that counts is the first that is set; the
 * program itself runs in the locale C. */
static bool is_ascii(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return !strstr(locale, "UTF-8") && !strstr(locale, "utf8") && !strstr(locale, "UTF8");
    }
    return true;
}

struct cor_style cor_show_style(void) {
    static const struct cor_style coloured = {"\033[1m", "\033[32m", "\033[31m", "\033[2m",
                                              "\033[0m", false,      false,      0};
    struct cor_style style = has_colours(stdout) ? coloured : COR_STYLE_PLAIN;
    style.ascii = is_ascii();
    style.width = cor_terminal(stdout).columns;
    return style;
}

void cor_show_path(const char *path, struct cor_error *error) {
    char place[sizeof error->place];
    COR_ASSERT(path && error->status != COR_OK);
    if (strncmp(error->place, path, strlen(path)) == 0) /* said of the file, not of a table */
        return;
    snprintf(place, sizeof place, "%.255s%s%.200s", path, error->place[0] ? ": " : "", error->place);
    memcpy(error->place, place, sizeof place);
}

/* ---- guard */

/* Bytes: more than all readers take of files of a hundred megabytes. */
#define MEMORY_LEAST (UINT64_C(1) << 30)
enum { MEMORY_OF_A_BYTE = 64 };
/* Bytes of address space without which HDF5 dies of a signal while it begins, before it can say why. */
#define MEMORY_TO_BEGIN ((size_t)8 << 20)

static const int handed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
#define HANDED_ON (sizeof handed_on / sizeof *handed_on)

static volatile sig_atomic_t child; /* for the handler alone */

static void hand_on(int number) {
    const int before = errno;
    kill((pid_t)child, number);
    errno = before;
}

/* Bytes of the files among the operands. */
static uint64_t operand_bytes(const struct cor_arguments *arguments) {
    uint64_t bytes = 0;
    struct stat file;
    for (int w = 0; w < arguments->word_count; w++)
        if (stat(arguments->words[w], &file) == 0 && S_ISREG(file.st_mode))
            bytes += (uint64_t)file.st_size;
    return bytes;
}

static enum cor_exit wait_for_child(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    int how;
    while (waitpid((pid_t)child, &how, 0) < 0)
        if (errno != EINTR) {
            (void)cor_fail_errno(&error, COR_STATUS_INTERNAL, NULL, "run the same command again",
                                 "lost the process that reads");
            return cor_report(&error);
        }
    if (WIFEXITED(how))
        return (enum cor_exit)WEXITSTATUS(how);
    /* What a child that did not come to its end has begun to write: the files of a set, or figures of a page.
     */
    static const char *const of_set[] = {"figures", "all"};
    for (size_t i = 0; i < sizeof of_set / sizeof *of_set; i++) {
        const char *folder = cor_given(arguments, of_set[i]);
        if (folder && *folder)
            cor_file_set_remove_left(folder);
    }
    cor_report_remove_left(NULL);
    size_t i = 0;
    while (i < HANDED_ON && handed_on[i] != WTERMSIG(how))
        i++;
    /* A pipe that nobody reads any more ends this program as it ends others. */
    if (i < HANDED_ON || WTERMSIG(how) == SIGPIPE) {
        /* Ends this process as the child was ended, for the shell that looks at it. */
        const int signal_number = WTERMSIG(how);
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, signal_number);
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
    }
    /* What is said of a child that did not come to its end. A file that ends whoever reads it is damaged;
     * else it was this program. */
    const int number = WTERMSIG(how);
    struct cor_error said = COR_NO_ERROR;
    char place[sizeof said.place], ended[COR_ENDED_SIZE];
    /* The operands, as a place for an error. */
    const size_t size = sizeof place;
    size_t used = 0;
    place[0] = '\0';
    for (int w = 0; w < arguments->word_count && used < size; w++)
        used += (size_t)snprintf(place + used, size - used, "%s%s", w > 0 ? ", " : "", arguments->words[w]);
    if (number == SIGPROF) {
        (void)cor_fail(&said, COR_STATUS_INPUT, place, "take another copy, or merge the journals again",
                       "damaged: to read it takes more than %u s",
                       cor_result_seconds(operand_bytes(arguments)));
        return cor_report(&said);
    }
    if (number == SIGVTALRM) { /* query.h */
        (void)cor_fail(&said, COR_STATUS_INPUT, NULL, "ask for less, or for shorter texts",
                       "a single step of the query takes too long");
        return cor_report(&said);
    }
    for (int w = 0; w < arguments->word_count; w++)
        if (cor_is_result_file(arguments->words[w]) &&
            cor_result_try(arguments->words[w], &said) == COR_STATUS_INPUT)
            return cor_report(&said);
    said = COR_NO_ERROR;
    if (number == SIGKILL)
        (void)cor_fail(&said, COR_STATUS_MEMORY, place, "free memory, and run the same command again",
                       "the process that reads it was killed from outside");
    else
        (void)cor_fail(&said, COR_STATUS_INTERNAL, place, "please report it, with the file",
                       "the process that reads it was %s", cor_ended_by(number, ended));
    return cor_report(&said);
}

bool cor_run_guarded(const struct cor_arguments *arguments, enum cor_exit *code) {
    const pid_t parent = getpid();
    const struct sigaction action = {.sa_handler = hand_on, .sa_flags = SA_RESTART};
    struct sigaction before;
    sigset_t set, old;
    sigemptyset(&set);
    for (size_t i = 0; i < HANDED_ON; i++)
        sigaddset(&set, handed_on[i]);
    fflush(NULL); /* what waits in our buffers is not the child's */
    sigprocmask(SIG_BLOCK, &set, &old);
    const pid_t made = fork();
    if (made > 0) {
        child = made;
        for (size_t i = 0; i < HANDED_ON; i++)
            if (sigaction(handed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
                sigaction(handed_on[i], &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    if (made > 0) {
        *code = wait_for_child(arguments);
        return false;
    }
    if (made == 0)
        cor_die_with(parent);
    const uint64_t bytes = operand_bytes(arguments);
    if (bytes <
        UINT64_MAX / MEMORY_OF_A_BYTE / 2) /* what it starts that is not ours is freed of it (cell.c) */
        (void)cor_limit_memory(MEMORY_LEAST + MEMORY_OF_A_BYTE * bytes, false);
    struct cor_error error = COR_NO_ERROR;
    void *room = mmap(NULL, MEMORY_TO_BEGIN, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED || munmap(room, MEMORY_TO_BEGIN) != 0) {
        (void)cor_fail_memory(&error);
        *code = cor_report(&error);
        return true;
    }
    *code = cor_run_with_meaning(arguments);
    return true;
}
