/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* realpath */
#include <corridor/needs.h>

#include <corridor/array.h>

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOKED_MOST 256 /* programs and libraries; what goes on beyond is no program */

void cor_needs_fini(struct cor_needs *needs) {
    for (size_t i = 0; i < needs->count; i++)
        free(needs->paths[i]);
    for (size_t i = 0; i < needs->looked_count; i++)
        free(needs->looked_at[i]);
    COR_FREE(needs->paths, needs->looked_at);
    *needs = (struct cor_needs){0};
}

/* Every guest can read these (walls.c). */
static bool is_system(const char *path) {
    static const char *const folders[] = {"/usr",   "/bin",    "/sbin", "/lib",  "/lib32",
                                          "/lib64", "/libx32", "/dev",  "/proc", "/sys"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 && (path[length] == '/' || path[length] == '\0'))
            return true;
    }
    return false;
}

/* Does far more lie there than a guest: the root, a folder in it, a home or what homes are in? */
static bool is_wide(const char *folder) {
    static const char *const others[] = {"/var/tmp", "/var/log", "/var/lib", "/etc"};
    const char *home = getenv("HOME"), *second = folder[0] ? strchr(folder + 1, '/') : NULL;
    const size_t length = strlen(folder);
    if (!second || (strncmp(folder, "/home/", 6) == 0 && !strchr(folder + 6, '/')))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(folder, others[i]) == 0)
            return true;
    return home && strncmp(home, folder, length) == 0 && (home[length] == '\0' || home[length] == '/');
}

static enum cor_status keep(char ***items, size_t *count, size_t *capacity, char *item_take,
                            struct cor_error *error) {
    enum cor_status status = cor_made(item_take, error);
    if (status == COR_OK)
        status = COR_RESERVE(items, capacity, *count + 2, error);
    if (status != COR_OK) {
        free(item_take);
        return status;
    }
    (*items)[(*count)++] = item_take;
    (*items)[*count] = NULL;
    return COR_OK;
}

/* In order, so that a folder stands before what is in it. */
static enum cor_status add(struct cor_needs *needs, const char *path, struct cor_error *error) {
    size_t at = 0;
    while (at < needs->count && strcmp(needs->paths[at], path) < 0)
        at++;
    if (is_system(path) || (at < needs->count && strcmp(needs->paths[at], path) == 0))
        return COR_OK;
    COR_TRY(keep(&needs->paths, &needs->count, &needs->capacity, cor_strdup(path), error));
    char *added = needs->paths[needs->count - 1];
    memmove(needs->paths + at + 1, needs->paths + at, (needs->count - 1 - at) * sizeof *needs->paths);
    needs->paths[at] = added;
    return COR_OK;
}

static enum cor_status add_real(struct cor_needs *needs, const char *path, struct cor_error *error) {
    COR_FREED char *real = realpath(path, NULL);
    return real ? add(needs, real, error) : COR_OK;
}

/* A folder that a path goes through on its way to somewhere else, and the links that lead there. */
static enum cor_status add_way(struct cor_needs *needs, const char *path, char real[PATH_MAX],
                               struct cor_error *error) {
    char part[PATH_MAX + 4];
    struct stat there;
    for (const char *end = path; *end;) {
        end += 1 + strcspn(end + 1, "/");
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        if (lstat(part, &there) != 0 || !S_ISLNK(there.st_mode))
            continue;
        strcat(part, COR_NEEDS_WAY);
        COR_TRY(add(needs, part, error));
    }
    if (!realpath(path, real)) {
        real[0] = '\0';
        return COR_OK;
    }
    snprintf(part, sizeof part, "%s" COR_NEEDS_WAY, real);
    return add(needs, part, error);
}

/* Absolute, without ".", ".." and empty words, each as the system goes it; links that lead on stay. "": it is
 * too long, or leads nowhere. Folders that it goes through only to leave them again are needed as such. */
static enum cor_status resolve(struct cor_needs *needs, const char *path, char text[PATH_MAX],
                               struct cor_error *error) {
    char real[PATH_MAX];
    size_t length = 0;
    text[0] = '\0';
    if (path[0] != '/') {
        if (!getcwd(text, PATH_MAX) || text[0] != '/') {
            text[0] = '\0';
            return COR_OK;
        }
        length = text[1] ? strlen(text) : 0;
    }
    for (const char *at = path; *at;) {
        const size_t word = strcspn(at, "/");
        text[length] = '\0';
        if (word == 2 && strncmp(at, "..", 2) == 0 && length > 0) {
            COR_TRY(add_way(needs, text, real, error));
            const char *slash = strrchr(real, '/');
            length = slash ? (size_t)(slash - real) : 0;
            memcpy(text, real, length);
            if (!slash)
                break;
        } else if (word > 0 && !(word <= 2 && strncmp(at, "..", word) == 0)) {
            if (length + word + 2 > PATH_MAX) {
                length = 0;
                break;
            }
            text[length++] = '/';
            memcpy(text + length, at, word);
            length += word;
        }
        at += word + (at[word] == '/');
    }
    text[length] = '\0';
    return COR_OK;
}

static bool is_file(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && S_ISREG(there.st_mode);
}

static bool is_folder(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

/* Of what lies in PREFIX/bin, beside PREFIX/lib, or in PREFIX/shims, where there are scripts that start one
 * of several versions: it is the prefix that it reads, unless more lies there. */
static bool is_prefix(const char *folder, char prefix[PATH_MAX]) {
    const char *slash = strrchr(folder, '/');
    char inside[PATH_MAX + 16];
    if (!slash || (strcmp(slash, "/bin") != 0 && strcmp(slash, "/shims") != 0))
        return false;
    snprintf(prefix, PATH_MAX, "%.*s", (int)(slash - folder), folder);
    const char *last = strrchr(prefix, '/');
    if (is_wide(prefix) || !last || strcmp(last, "/.local") == 0)
        return false;
    snprintf(inside, sizeof inside, "%s/pyvenv.cfg", prefix);
    if (is_file(inside) || strcmp(slash, "/shims") == 0)
        return true;
    snprintf(inside, sizeof inside, "%s/lib", prefix);
    return is_folder(inside);
}

/* How much of what lies around a file is needed. */
enum extent {
    FILE_ALONE,
    TOOL, /* the prefix that it was installed into, else the file */
    GUEST /* the prefix, else the folder */
};

/* By the path as it is given; its folder if that is of the guest alone. */
static enum cor_status add_place(struct cor_needs *needs, const char *path, enum extent extent,
                                 struct cor_error *error) {
    char folder[PATH_MAX], prefix[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    if (extent != FILE_ALONE && is_prefix(folder, prefix))
        return add(needs, prefix, error);
    return add(needs, extent != GUEST || is_wide(folder) ? path : folder, error);
}

/* By the path as it is given, and by that of the file which links lead to. */
static enum cor_status add_both(struct cor_needs *needs, const char *path, enum extent extent,
                                struct cor_error *error) {
    char given[PATH_MAX];
    COR_TRY(resolve(needs, path, given, error));
    if (given[0])
        COR_TRY(add_place(needs, given, extent, error));
    COR_FREED char *real = realpath(path, NULL);
    return real ? add_place(needs, real, extent, error) : COR_OK;
}

/* Libraries: an ELF file names them, and folders where they are looked for first. */

struct object {
    int file;
    Elf64_Ehdr head;
    Elf64_Phdr segments[64];
    Elf64_Dyn dynamic[512];
    size_t dynamic_count;
    uint64_t strings; /* place in the file */
};

static bool read_at(const struct object *object, void *into, size_t size, uint64_t place) {
    return place <= INT64_MAX && pread(object->file, into, size, (off_t)place) == (ssize_t)size;
}

static bool read_object(struct object *object) {
    const Elf64_Ehdr *head = &object->head;
    uint64_t address = 0;
    object->dynamic_count = 0;
    if (!read_at(object, &object->head, sizeof object->head, 0) ||
        memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_phentsize != sizeof *object->segments || head->e_phnum > 64 ||
        !read_at(object, object->segments, head->e_phnum * sizeof *object->segments, head->e_phoff))
        return false;
    for (int i = 0; i < head->e_phnum; i++) {
        const Elf64_Phdr *segment = &object->segments[i];
        const uint64_t most = sizeof object->dynamic;
        if (segment->p_type != PT_DYNAMIC)
            continue;
        const size_t size = (size_t)(segment->p_filesz < most ? segment->p_filesz : most);
        if (!read_at(object, object->dynamic, size, segment->p_offset))
            return false;
        object->dynamic_count = 0;
        while (object->dynamic_count < size / sizeof *object->dynamic &&
               object->dynamic[object->dynamic_count].d_tag != DT_NULL) /* what is behind it nobody loads */
            object->dynamic_count++;
    }
    for (size_t i = 0; i < object->dynamic_count; i++)
        if (object->dynamic[i].d_tag == DT_STRTAB)
            address = object->dynamic[i].d_un.d_ptr;
    for (int i = 0; i < head->e_phnum; i++) {
        const Elf64_Phdr *segment = &object->segments[i];
        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr < segment->p_filesz) {
            object->strings = address - segment->p_vaddr + segment->p_offset;
            return true;
        }
    }
    return false;
}

static bool read_string(const struct object *object, const Elf64_Dyn *entry, char text[PATH_MAX]) {
    const ssize_t got =
        object->strings + entry->d_un.d_val <= INT64_MAX
            ? pread(object->file, text, PATH_MAX - 1, (off_t)(object->strings + entry->d_un.d_val))
            : -1;
    text[got > 0 ? got : 0] = '\0';
    return got > 0 && strlen(text) < (size_t)got;
}

/* Folders with colons between them, in which "$ORIGIN" is the folder of the file; freed by the caller. */
static char *expand(const char *folders, const char *path) {
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash - path) : 0;
    char *text = cor_strdup("");
    while (*folders && text) {
        const char *origin = strstr(folders, "$ORIGIN"), *braced = strstr(folders, "${ORIGIN}");
        const char *at = origin && (!braced || origin < braced) ? origin : braced;
        const int before = at ? (int)(at - folders) : (int)strlen(folders);
        text = cor_join_take(text, "", cor_format("%.*s%.*s", before, folders, at ? length : 0, path));
        folders += at ? before + (at == braced ? 9 : 7) : before;
    }
    return text;
}

/* Folders with colons between them, as the dynamic linker looks for libraries. */
struct search {
    const char *inherited; /* DT_RPATH of the objects that led here, the last one first */
    const char *said;      /* LD_LIBRARY_PATH */
    const char *system;    /* as its settings say */
};

static enum cor_status add_libraries(struct cor_needs *needs, const char *path, const struct search *search,
                                     struct cor_error *error);

/* Whatever else stands where a library should be is not loaded, and no need. */
static bool is_library(const char *path) {
    Elf64_Ehdr head;
    const int file = is_file(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    const bool is_one = file >= 0 && read(file, &head, sizeof head) == (ssize_t)sizeof head &&
                        memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64 &&
                        head.e_type == ET_DYN;
    if (file >= 0)
        close(file);
    return is_one;
}

/* The first of that name in the folders: the file alone, as an object can name any. */
static enum cor_status add_library(struct cor_needs *needs, const char *name, const char *folders,
                                   const struct search *search, struct cor_error *error) {
    for (const char *at = folders; *at;) {
        const size_t length = strcspn(at, ":");
        COR_FREED char *path =
            strchr(name, '/') ? cor_strdup(name) : cor_format("%.*s/%s", (int)length, at, name);
        enum cor_status status = cor_made(path, error);
        const bool is_there = status == COR_OK && length > 0 && is_library(path);
        if (is_there && !is_system(path))
            status = add_both(needs, path, FILE_ALONE, error);
        if (is_there && !is_system(path) && status == COR_OK)
            status = add_libraries(needs, path, search, error);
        if (status != COR_OK || is_there)
            return status;
        at += length + (at[length] == ':');
    }
    return COR_OK;
}

/* What an object says of folders, expanded; "" for nothing. */
static char *said_folders(const struct object *object, Elf64_Sxword tag, const char *path) {
    char text[PATH_MAX], *folders = cor_strdup("");
    for (size_t i = 0; i < object->dynamic_count; i++)
        if (object->dynamic[i].d_tag == tag && read_string(object, &object->dynamic[i], text))
            folders = cor_join_take(folders, ":", expand(text, path));
    return folders;
}

static char *join(const char *first, const char *second) {
    return cor_join_take(cor_strdup(first), ":", cor_strdup(second));
}

/* All that ld.so(8) would load for it from elsewhere than where the system's libraries are, looked for in its
 * order: who has a DT_RUNPATH looks there behind LD_LIBRARY_PATH, and asks for no DT_RPATH, his own or those
 * of who needs him; who has none looks in all of these first. What is no ELF file names none. */
static enum cor_status add_libraries(struct cor_needs *needs, const char *path, const struct search *search,
                                     struct cor_error *error) {
    char text[PATH_MAX];
    for (size_t i = 0; i < needs->looked_count; i++)
        if (strcmp(needs->looked_at[i], path) == 0)
            return COR_OK;
    if (needs->looked_count == LOOKED_MOST)
        return COR_OK;
    COR_TRY(keep(&needs->looked_at, &needs->looked_count, &needs->looked_capacity, cor_strdup(path), error));
    COR_FREED struct object *object = cor_calloc(1, sizeof *object);
    COR_TRY(cor_made(object, error));
    enum cor_status status = COR_OK;
    object->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (object->file >= 0 && read_object(object)) {
        char *own = said_folders(object, DT_RUNPATH, path), *before = NULL, *behind = NULL, *folders = NULL;
        const bool has_own = own && own[0];
        if (has_own) {
            before = cor_strdup(search->said);
            behind = join(own, search->system);
        } else {
            free(own);
            own = cor_join_take(said_folders(object, DT_RPATH, path), ":", cor_strdup(search->inherited));
            before = own ? join(own, search->said) : NULL;
            behind = cor_strdup(search->system);
        }
        folders = cor_join_take(before, ":", behind);
        const struct search next = {has_own ? search->inherited : own, search->said, search->system};
        status = own ? cor_made(folders, error) : cor_fail_memory(error);
        for (size_t i = 0; i < object->dynamic_count && status == COR_OK; i++)
            if (object->dynamic[i].d_tag == DT_NEEDED && read_string(object, &object->dynamic[i], text))
                status = add_library(needs, text, folders, &next, error);
        COR_FREE(folders, own);
    }
    if (object->file >= 0)
        close(object->file);
    return status;
}

static char *system_folders(void) {
    char *folders = cor_strdup(""), line[PATH_MAX];
    glob_t files;
    if (glob("/etc/ld.so.conf.d/*.conf", 0, NULL, &files) != 0)
        return folders;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        FILE *file = fopen(files.gl_pathv[i], "re");
        while (file && fgets(line, sizeof line, file))
            if (line[0] == '/')
                folders = cor_join_take(folders, ":", cor_format("%.*s", (int)strcspn(line, " \t\n"), line));
        if (file)
            fclose(file);
    }
    globfree(&files);
    return folders;
}

static enum cor_status add_linked(struct cor_needs *needs, const char *path, struct cor_error *error) {
    const char *said = getenv("LD_LIBRARY_PATH");
    COR_FREED char *folders = cor_join_take(system_folders(), ":", cor_strdup("/lib:/usr/lib"));
    const struct search search = {"", said ? said : "", folders};
    COR_TRY(cor_made(folders, error));
    return add_libraries(needs, path, &search, error);
}

enum cor_status cor_needs_add_file(struct cor_needs *needs, const char *path, struct cor_error *error) {
    COR_TRY(add_both(needs, path, FILE_ALONE, error));
    return add_linked(needs, path, error);
}

/* Programs. */

bool cor_find_on_path(const char *word, char *path, size_t size) {
    const char *folders = getenv("PATH");
    for (const char *at = folders ? folders : "/usr/bin:/bin"; *at;) {
        const size_t length = strcspn(at, ":");
        const int written = snprintf(path, size, "%.*s%s%s", (int)length, at, length > 0 ? "/" : "./", word);
        if (written > 0 && (size_t)written < size && access(path, X_OK) == 0 && is_file(path))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static enum cor_status add_program(struct cor_needs *needs, const char *path, enum extent extent,
                                   struct cor_error *error);

static enum cor_status add_program(struct cor_needs *needs, const char *path, enum extent extent,
                                   struct cor_error *error) {
    for (size_t i = 0; i < needs->looked_count; i++) /* who names himself, names nobody else */
        if (strcmp(needs->looked_at[i], path) == 0)
            return COR_OK;
    /* Of interpreters that read settings. */
    static const struct {
        const char *program, *pattern;
    } rows[] = {{"java", "/etc/java*"}, {"R", "/etc/R"}, {"perl", "/etc/perl"}, {"python", "/etc/python3*"}};
    const char *last = strrchr(path, '/'), *name = last ? last + 1 : path;
    enum cor_status status = COR_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        glob_t found;
        if (strncmp(name, rows[i].program, strlen(rows[i].program)) != 0 ||
            glob(rows[i].pattern, 0, NULL, &found) != 0)
            continue;
        for (size_t f = 0; f < found.gl_pathc && status == COR_OK; f++)
            status = add(needs, found.gl_pathv[f], error);
        globfree(&found);
    }
    COR_TRY(status);
    COR_TRY(add_both(needs, path, extent, error));
    COR_TRY(add_linked(needs, path, error));
    /* Of a file that begins with "#!": the program that is started, of "env" also the one that it starts.
     * What else stands there is the guest's to say, and nothing that it says may be read. */
    char line[512] = "", found[PATH_MAX], *rest = NULL;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t got = file >= 0 ? read(file, line, sizeof line - 1) : 0;
    if (file >= 0)
        close(file);
    line[got > 0 ? got : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "#!", 2) != 0)
        return COR_OK;
    const char *word = strtok_r(line + 2, " \t", &rest), *slash = word ? strrchr(word, '/') : NULL;
    if (!word || word[0] != '/')
        return COR_OK;
    COR_TRY(add_program(needs, word, TOOL, error));
    if (strcmp(slash, "/env") != 0)
        return COR_OK;
    do
        word = strtok_r(NULL, " \t", &rest);
    while (word && (word[0] == '-' || strchr(word, '=')));
    if (word && word[0] == '/')
        return add_program(needs, word, TOOL, error);
    return word && cor_find_on_path(word, found, sizeof found) ? add_program(needs, found, TOOL, error)
                                                               : COR_OK;
}

/* A module, or a program by its path: its folder, its libraries, its interpreter. Of a folder in which far
 * more lies than a guest - the root, a folder in it, a home - it is the file alone. */
static enum cor_status add_guest(struct cor_needs *needs, const char *path, struct cor_error *error) {
    return is_file(path) ? add_program(needs, path, GUEST, error) : COR_OK;
}

static enum cor_status add_word(struct cor_needs *needs, const char *word, bool *has_file,
                                struct cor_error *error) {
    char path[PATH_MAX];
    if (is_folder(word)) {
        COR_FREED char *real = realpath(word, NULL);
        const bool fits = real && !is_wide(real);
        if (!fits)
            return COR_OK;
        COR_TRY(resolve(needs, word, path, error));
        if (path[0])
            COR_TRY(add(needs, path, error));
        return add_real(needs, word, error);
    }
    if (is_file(word) && (strchr(word, '/') || !cor_find_on_path(word, path, sizeof path))) {
        const enum extent extent = *has_file && access(word, X_OK) != 0 ? FILE_ALONE : GUEST;
        *has_file = *has_file || !is_system(word);
        return add_program(needs, word, extent, error);
    }
    if (strchr(word, '/') || !cor_find_on_path(word, path, sizeof path))
        return COR_OK;
    return add_program(needs, path, TOOL, error);
}

/* A command of the shell: the programs, files and folders that its words name; of the first file the folder,
 * as of a guest. Words as sh would cut them, as far as they can be known before: at blanks and what joins
 * commands, and, so that names in options are found, at "=" and ":". */
static enum cor_status add_command(struct cor_needs *needs, const char *command, struct cor_error *error) {
    const char *home = getenv("HOME");
    const size_t home_length = home ? strlen(home) : 0;
    COR_FREED char *word = cor_calloc((strlen(command) + 1) * (home_length + 1), 1);
    enum cor_status status = cor_made(word, error);
    bool has_file = false;
    size_t length = 0;
    char quote = 0;
    for (const char *at = command; status == COR_OK; at++) {
        if (!quote && (*at == '\0' || strchr(" \t\n;&|<>()=:", *at))) {
            word[length] = '\0';
            if (length > 0)
                status = add_word(needs, word, &has_file, error);
            length = 0;
        } else if (!quote && (*at == '\'' || *at == '"')) {
            quote = *at;
        } else if (quote && *at == quote) {
            quote = 0;
        } else if (*at == '\\' && quote != '\'' && at[1]) {
            word[length++] = *++at;
        } else if (*at == '~' && at[1] == '/' && length == 0 && !quote) {
            memcpy(word, home ? home : "~", length = home ? home_length : 1);
        } else if (*at) {
            word[length++] = *at;
        }
        if (*at == '\0')
            break;
    }
    return status;
}

enum cor_status cor_needs_add_said(struct cor_needs *needs, struct cor_error *error) {
    const char *said = getenv("CORRIDOR_READS");
    char path[PATH_MAX];
    for (const char *at = said ? said : ""; *at;) {
        const size_t length = strcspn(at, ":");
        COR_FREED char *folder = cor_format("%.*s", (int)length, at);
        enum cor_status status = cor_made(folder, error);
        if (status == COR_OK && length > 0)
            status = resolve(needs, folder, path, error);
        if (status == COR_OK && length > 0 && path[0])
            status = add(needs, path, error);
        if (status == COR_OK && length > 0)
            status = add_real(needs, folder, error);
        COR_TRY(status);
        at += length + (at[length] == ':');
    }
    return COR_OK;
}

enum cor_status cor_needs_of_module(struct cor_needs *needs, const char *path, struct cor_error *error) {
    COR_TRY(add_guest(needs, path, error));
    return cor_needs_add_said(needs, error);
}

enum cor_status cor_needs_of_program(struct cor_needs *needs, const char *command, bool is_path,
                                     struct cor_error *error) {
    COR_TRY(is_path ? add_guest(needs, command, error) : add_command(needs, command, error));
    /* Of what works there, unless far more lies in it. */
    char path[PATH_MAX];
    const bool fits = getcwd(path, sizeof path) && path[0] == '/' && !is_wide(path);
    COR_TRY(fits ? add(needs, path, error) : COR_OK);
    return cor_needs_add_said(needs, error);
}

bool cor_needs_is_way(const char *path) {
    const size_t length = strlen(path), ending = strlen(COR_NEEDS_WAY);
    return length > ending && strcmp(path + length - ending, COR_NEEDS_WAY) == 0;
}

/* What is withheld. */

#define DEEPEST 64u /* folders in each other */

struct walk {
    char **paths; /* owned, as they are found */
    size_t count, capacity;
    char path[PATH_MAX]; /* of the folder that the walk is in */
    size_t length;
};

static bool has(int folder, const char *name, const char *inside) {
    char path[PATH_MAX];
    const int written = snprintf(path, sizeof path, "%s/%s", name, inside);
    return written > 0 && (size_t)written < sizeof path &&
           faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool ends_with(const char *name, const char *ending) {
    const size_t length = strlen(name), size = strlen(ending);
    return length > size && strcmp(name + length - size, ending) == 0;
}

/* Who has one of these is withheld as a whole. */
static const char *const results[] = {"results.h5", "results.h5.parts"};

static bool is_withheld(int folder, const char *name, bool is_folder) {
    return ends_with(name, ".h5") || ends_with(name, ".parts") ||
           (is_folder && strcmp(name, "suites") == 0 && has(folder, ".", "experiment.json"));
}

static bool is_folder_at(int folder, const struct dirent *entry) {
    struct stat there;
    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return fstatat(folder, entry->d_name, &there, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(there.st_mode);
}

/* Through the folder at the walk's path, which is `name` in the one above; what cannot be opened no guest
 * opens, unless we are short of something. There can be ten thousands of them around an interpreter: each is
 * opened from the one above, and asked for results by what is read in it anyway. */
static bool walk_through(struct walk *walk, int above, const char *name, unsigned depth) {
    const int file = openat(above, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    DIR *folder = file >= 0 ? fdopendir(file) : NULL;
    const struct dirent *entry;
    bool is_done = folder || (errno != EMFILE && errno != ENFILE && errno != ENOMEM), has_results = false;
    const size_t length = walk->length, before = walk->count;
    if (!folder && file >= 0)
        close(file);
    /* Who may not read a folder may go through it all the same. */
    for (size_t i = 0; i < sizeof results / sizeof *results && !folder && depth > 0; i++)
        has_results = has_results || has(above, name, results[i]);
    while (folder && is_done && !has_results && (entry = readdir(folder))) {
        const size_t size = strlen(entry->d_name);
        for (size_t i = 0; i < sizeof results / sizeof *results && depth > 0; i++)
            has_results = has_results || strcmp(entry->d_name, results[i]) == 0;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || entry->d_type == DT_LNK)
            continue;
        const bool is_folder = is_folder_at(dirfd(folder), entry);
        is_done = length + size + 2 <= sizeof walk->path; /* what has no path cannot be withheld alone */
        if (!is_done)
            break;
        walk->path[length] = '/';
        memcpy(walk->path + length + 1, entry->d_name, size + 1);
        walk->length = length + 1 + size;
        if ((is_folder && depth == DEEPEST) || is_withheld(dirfd(folder), entry->d_name, is_folder))
            is_done =
                keep(&walk->paths, &walk->count, &walk->capacity, cor_strdup(walk->path), NULL) == COR_OK;
        else if (is_folder)
            is_done = walk_through(walk, dirfd(folder), entry->d_name, depth + 1);
        walk->path[walk->length = length] = '\0';
    }
    if (folder)
        closedir(folder);
    if (!is_done || !has_results)
        return is_done;
    while (walk->count > before)
        free(walk->paths[--walk->count]);
    return keep(&walk->paths, &walk->count, &walk->capacity, cor_strdup(walk->path), NULL) == COR_OK;
}

static int by_path(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **cor_needs_withheld(const char *const *needs) {
    COR_FREED struct walk *walk = cor_calloc(1, sizeof *walk);
    bool is_done = walk && COR_RESERVE(&walk->paths, &walk->capacity, 1, NULL) == COR_OK;
    for (; is_done && needs && *needs; needs++) {
        walk->length = strlen(*needs);
        is_done = walk->length < sizeof walk->path;
        if (is_done && !cor_needs_is_way(*needs)) {
            memcpy(walk->path, *needs, walk->length + 1);
            is_done = walk_through(walk, AT_FDCWD, walk->path, 0);
        }
    }
    char **paths = walk ? walk->paths : NULL;
    if (paths) {
        qsort(paths, walk->count, sizeof *paths, by_path);
        paths[walk->count] = NULL;
    }
    if (!is_done) {
        cor_needs_free(paths);
        return NULL;
    }
    return paths;
}

void cor_needs_free(char **paths) {
    for (size_t i = 0; paths && paths[i]; i++)
        free(paths[i]);
    free(paths);
}
