/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures: graphs through graphviz, a process a graph in a folder of their own, and all that is drawn as
 * files and as parts of a page. */
#define _GNU_SOURCE /* open_memstream, mkdtemp, names of setrlimit */
#include "figure.h"

#include "page_html.h"

#include <corridor/array.h>
#include <corridor/cells.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOLDER ".corridor-report-"
#define LOG "drawing.log"
#define SECONDS 300 /* of processor time: a drawing takes fewer than ten */

/* What belongs to a figure, as it is made and as it is kept. Graphviz names what it makes NAME.dot.svg. */
struct ending {
    const char *made, *kept;
};
static const struct ending chart_endings[] = {{"svg", "svg"}, {"csv", "csv"}, {NULL, NULL}};
static const struct ending graph_endings[] = {
    {"dot.svg", "svg"}, {"dot", "dot"}, {"dot.pdf", "pdf"}, {NULL, NULL}};

const char *report__colour(enum report__colour colour) {
    static const char *const colours[] = {
#define REPORT__COLOUR(NAME, file, page) file,
        REPORT__COLOURS(REPORT__COLOUR)
#undef REPORT__COLOUR
    };
    COR_ASSERT((unsigned)colour < REPORT__COLOUR_COUNT);
    return colours[colour];
}

void report__figure_name(char name[REPORT__FIGURE_NAME], const char *what, size_t index) {
    snprintf(name, REPORT__FIGURE_NAME, "%s-%02zu", what, index + 1);
}

struct report__figure *report__figure_add(struct report__figures *figures, const char *name,
                                          struct cor_error *error) {
    COR_ASSERT(strlen(name) < REPORT__FIGURE_NAME);
    if (COR_RESERVE(&figures->figure, &figures->capacity, figures->count + 1, error) != COR_OK)
        return NULL;
    struct report__figure *figure = &figures->figure[figures->count++];
    *figure = (struct report__figure){0};
    snprintf(figure->name, sizeof figure->name, "%s", name);
    return figure;
}

struct report__figure *report__figure_add_graph(struct report__figures *figures, const char *name,
                                                char *graph, struct cor_error *error) {
    struct report__figure *figure = report__figure_add(figures, name, error);
    if (!figure) {
        free(graph);
        return NULL;
    }
    figure->graph = graph;
    return figure;
}

enum cor_status report__figure_status(const struct report__figure *figure, struct cor_error *error) {
    bool whole = figure->title && figure->description && (figure->graph || (figure->drawing && figure->data));
    return whole ? COR_OK : cor_fail_memory(error);
}

static const struct report__figure *find(const struct report__figures *figures, const char *name) {
    for (size_t i = 0; i < figures->count; i++)
        if (strcmp(figures->figure[i].name, name) == 0)
            return &figures->figure[i];
    return NULL;
}

void report__figure_html(const struct report__figures *figures, FILE *file, const char *name,
                         const char *caption) {
    const struct report__figure *figure = find(figures, name);
    if (!figure)
        return;
    fprintf(file, "<figure id=fig-%s><figcaption>", name);
    cor_html_short(file, caption, 80);
    fputs("</figcaption>", file);
    if (figure->svg) {
        fputs(figure->svg, file);
    } else {
        fputs("<p class=undrawn>Not drawn: ", file);
        cor_html_short(file, figures->trouble ? figures->trouble : "no picture", 200);
        fputs(". ", file);
        cor_html_text(file, figure->description);
        fputs("</p>", file);
    }
    fputs("</figure>\n", file);
}

void report__figures_fini(struct report__figures *figures) {
    for (size_t i = 0; i < figures->count; i++) {
        struct report__figure *figure = &figures->figure[i];
        free(figure->title);
        free(figure->description);
        free(figure->graph);
        free(figure->drawing);
        free(figure->data);
        free(figure->svg);
    }
    free(figures->figure);
    free(figures->trouble);
    *figures = (struct report__figures){0};
}

static char *join(const char *folder, const char *name, const char *behind) {
    return cor_format("%s/%s%s%s", folder, name, behind[0] ? "." : "", behind);
}

static enum cor_status write_file(const char *path, const char *text, struct cor_error *error) {
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!path)
        return cor_fail_memory(error);
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    bool failed = fputs(text, file) == EOF;
    if (fclose(file) != 0 || failed)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    return COR_OK;
}

/* The whole file; NULL if it cannot be read. */
static char *read_file(const char *path) {
    struct report__text text;
    char buffer[16384];
    size_t size;
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file)
        return NULL;
    report__text_begin(&text);
    while (text.file && (size = fread(buffer, 1, sizeof buffer, file)) > 0)
        fwrite(buffer, 1, size, text.file);
    fclose(file);
    return report__text_end(&text);
}

static enum cor_status write_beside(const char *folder, const struct report__figure *figure,
                                    const char *ending, const char *text, struct cor_error *error) {
    char *path = join(folder, figure->name, ending);
    enum cor_status status = write_file(path, text, error);
    free(path);
    return status;
}

static bool redirect(const char *path, int flags, int descriptor) {
    int file = open(path, flags, 0600);
    return file >= 0 && dup2(file, descriptor) >= 0;
}

enum cor_status report__run_program(const char *program, char *const *arguments, const char *folder,
                                    int *code, struct cor_error *error) {
    int how;
    fflush(NULL); /* what waits in our buffers is not the child's */
    pid_t pid = fork();
    if (pid == 0) {
        /* In the child: what the program sees does not depend on who started us, and the same drawing gives
         * the same bytes. */
        const struct rlimit limit = {SECONDS, SECONDS};
        setrlimit(RLIMIT_CPU, &limit);
        if (chdir(folder) != 0 || !redirect("/dev/null", O_RDONLY, STDIN_FILENO) ||
            !redirect(LOG, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) ||
            dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
            _exit(126);
        setenv("LC_ALL", "C.UTF-8", 1);
        setenv("SOURCE_DATE_EPOCH", "0", 1);
        unsetenv("GNUTERM");
        unsetenv("DISPLAY");
        execvp(program, arguments);
        _exit(127);
    }
    if (pid < 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot fork");
    while (waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            return cor_fail_errno(error, COR_STATUS_INTERNAL, NULL, NULL, "lost a child process");
    *code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return COR_OK;
}

/* Why a program did not draw, in a line. */
static char *explain(const char *program, int code, const char *folder) {
    if (code == 127)
        return cor_format("%s is not installed (Debian package graphviz)", program);
    char *path = join(folder, LOG, ""), *log = read_file(path), *line = log;
    while (line && (*line == '\n' || *line == ' ' || *line == '^' || *line == '\t'))
        line++;
    char *said = cor_format("%s ended with code %d: %.*s", program, code, line ? (int)strcspn(line, "\n") : 0,
                            line ? line : "");
    free(path);
    free(log);
    return said;
}

static enum cor_status draw_graph(struct report__figures *figures, struct report__figure *figure,
                                  const struct cor_report_options *options, const char *folder,
                                  struct cor_error *error) {
    char script[REPORT__FIGURE_NAME + 8], name[256], svg[] = "-Tsvg", pdf[] = "-Tpdf", beside[] = "-O";
    char *const graph[] = {name, svg, beside, script, NULL}, *const both[] = {name,   svg,    pdf,
                                                                              beside, script, NULL};
    int code = 0;
    COR_TRY(write_beside(folder, figure, "dot", figure->graph, error));
    if (figures->trouble) /* it would fail alike */
        return COR_OK;
    snprintf(name, sizeof name, "%s", options->dot);
    snprintf(script, sizeof script, "%s.dot", figure->name);
    COR_TRY(report__run_program(options->dot, options->figures ? both : graph, folder, &code, error));
    if (code != 0) {
        figures->trouble = explain(options->dot, code, folder);
        return figures->trouble ? COR_OK : cor_fail_memory(error);
    }
    char *path = join(folder, figure->name, graph_endings[0].made), *drawn = read_file(path);
    figure->svg = drawn ? report__svg_inline(drawn, figure) : NULL;
    const enum cor_status status =
        figure->svg
            ? COR_OK
            : cor_fail(error, COR_STATUS_FILE, path,
                       "make room where figures are drawn: TMPDIR, else /tmp, or the folder of --figures",
                       "graphviz drew no picture");
    free(path);
    free(drawn);
    return status;
}

/* What is done with each file of a figure. */
typedef enum cor_status visit(const char *made, const char *kept, struct cor_error *error);

static enum cor_status must_be_new(const char *made, const char *kept, struct cor_error *error) {
    struct stat there;
    (void)made;
    return lstat(kept, &there) != 0
               ? COR_OK
               : cor_fail(error, COR_STATUS_EXISTS, kept, "name another folder, or say --force to replace it",
                          "exists already");
}

/* Without graphviz there is the source of graphs alone. */
static enum cor_status keep(const char *made, const char *kept, struct cor_error *error) {
    return rename(made, kept) == 0 || errno == ENOENT
               ? COR_OK
               : cor_fail_errno(error, COR_STATUS_FILE, kept, NULL, "cannot write");
}

static enum cor_status discard(const char *made, const char *kept, struct cor_error *error) {
    (void)kept;
    (void)error;
    remove(made);
    return COR_OK;
}

static enum cor_status visit_files(const struct report__figures *figures, const char *folder, const char *to,
                                   visit *visit_file, struct cor_error *error) {
    for (size_t i = 0; i < figures->count; i++)
        for (const struct ending *ending = figures->figure[i].graph ? graph_endings : chart_endings;
             ending->made; ending++) {
            char *made = join(folder, figures->figure[i].name, ending->made),
                 *kept = join(to, figures->figure[i].name, ending->kept);
            enum cor_status status = made && kept ? visit_file(made, kept, error) : cor_fail_memory(error);
            free(made);
            free(kept);
            COR_TRY(status);
        }
    return COR_OK;
}

static void remove_folder(const struct report__figures *figures, const char *folder) {
    char *log = join(folder, LOG, "");
    if (visit_files(figures, folder, folder, discard, NULL) == COR_OK && log)
        remove(log);
    free(log);
    rmdir(folder);
}

/* What folders are made in. */
static const char *folder_above(const char *figures) {
    const char *above = figures ? figures : getenv("TMPDIR");
    return above && *above ? above : "/tmp";
}

/* Removes a folder that nobody draws in any more: who does holds its lock. One that is empty may have been
 * made in this moment. */
static void remove_left(int above, const char *name) {
    const int folder = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat there;
    const bool is_ours = folder >= 0 && fstat(folder, &there) == 0 && there.st_uid == geteuid() &&
                         flock(folder, LOCK_EX | LOCK_NB) == 0;
    DIR *files = is_ours ? fdopendir(folder) : NULL;
    bool any = false;
    for (const struct dirent *file; files && (file = readdir(files));)
        any = unlinkat(folder, file->d_name, 0) == 0 || any;
    if (any)
        unlinkat(above, name, AT_REMOVEDIR);
    if (files)
        closedir(files);
    else if (folder >= 0)
        close(folder);
}

void cor_report_remove_left(const char *figures) {
    DIR *above = opendir(folder_above(figures));
    for (const struct dirent *entry; above && (entry = readdir(above));)
        if (strncmp(entry->d_name, FOLDER, strlen(FOLDER)) == 0)
            remove_left(dirfd(above), entry->d_name);
    if (above)
        closedir(above);
}

/* Its lock is held as long as it is drawn in: *lock, to be closed. */
static enum cor_status make_folder(const struct cor_report_options *options, char **folder, int *lock,
                                   struct cor_error *error) {
    const char *above = folder_above(options->figures);
    *lock = -1;
    if (options->figures && mkdir(above, 0777) != 0 && errno != EEXIST)
        return cor_fail_errno(error, COR_STATUS_FILE, above, NULL, "cannot make the folder");
    cor_report_remove_left(options->figures);
    *folder = cor_format("%s/" FOLDER "XXXXXX", above);
    if (!*folder)
        return cor_fail_memory(error);
    if (mkdtemp(*folder)) {
        *lock = open(*folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (*lock >= 0)
            flock(*lock, LOCK_SH); /* without locks nothing is removed but by who has made it */
        return COR_OK;
    }
    enum cor_status status =
        cor_fail_errno(error, COR_STATUS_FILE, above, NULL, "cannot make a folder in it");
    free(*folder);
    *folder = NULL;
    return status;
}

enum cor_status report__draw(struct report__figures *figures, const struct cor_report_options *options,
                             struct cor_error *error) {
    char *folder = NULL;
    if (figures->count == 0)
        return COR_OK;
    int lock;
    COR_TRY(make_folder(options, &folder, &lock, error));
    enum cor_status status = COR_OK;
    if (options->figures && !options->replace)
        COR_TRY_OUT(visit_files(figures, folder, options->figures, must_be_new, error));
    for (size_t i = 0; i < figures->count; i++) {
        struct report__figure *figure = &figures->figure[i];
        if (figure->graph) {
            COR_TRY_OUT(draw_graph(figures, figure, options, folder, error));
            continue;
        }
        COR_TRY_OUT(write_beside(folder, figure, "svg", figure->drawing, error));
        COR_TRY_OUT(write_beside(folder, figure, "csv", figure->data, error));
        figure->svg = report__svg_inline(figure->drawing, figure);
        COR_TRY_OUT(cor_made(figure->svg, error));
    }
    if (options->figures)
        COR_TRY_OUT(visit_files(figures, folder, options->figures, keep, error));
out:
    remove_folder(figures, folder);
    if (lock >= 0)
        close(lock);
    free(folder);
    return status;
}
