/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* mkdtemp, nftw, flock, renameat2 */
#include <corridor/work_folder.h>

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* *folder ends with XXXXXX; freed and NULL where there can be none, or is NULL as memory is out. */
static enum cor_status make_folder(char **folder, const char *place, const char *trouble,
                                   struct cor_error *error) {
    COR_TRY(cor_made(*folder, error));
    if (mkdtemp(*folder))
        return COR_OK;
    free(*folder);
    *folder = NULL;
    return cor_fail_errno(error, COR_STATUS_FILE, place, "check that the folder exists and may be written",
                          trouble);
}

enum cor_status cor_make_folder_beside(const char *path, char **folder, struct cor_error *error) {
    *folder = cor_format("%s.parts-XXXXXX", path);
    return make_folder(folder, path, "cannot make a folder for work under way beside it", error);
}

const char *cor_temporary_place(void) {
    const char *said = getenv("TMPDIR");
    return said && *said ? said : "/tmp";
}

static const char cannot_make[] = "cannot make a folder for work under way in it";

/* The mark is made behind the lock: who finds a mark finds it locked as long as its maker lives. */
static enum cor_status make_marked(const char *above, const char *begins, const char *place,
                                   const char *trouble, char **folder, int *lock, struct cor_error *error) {
    *lock = -1;
    *folder = cor_format("%s/%sXXXXXX", above, begins);
    COR_TRY(make_folder(folder, place, trouble, error));
    *lock = open(*folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (*lock < 0 || flock(*lock, LOCK_SH) != 0)
        return COR_OK;
    const int mark = openat(*lock, COR_WORK_MARK, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (mark >= 0) {
        (void)!cor_write_all(mark, COR_WORK_MARK_TEXT, strlen(COR_WORK_MARK_TEXT), 0); /* else it is kept */
        close(mark);
    }
    return COR_OK;
}

enum cor_status cor_make_marked_folder(const char *above, const char *begins, char **folder, int *lock,
                                       struct cor_error *error) {
    return make_marked(above, begins, above, cannot_make, folder, lock, error);
}

/* Whether the folder is this user's, has the mark, and nobody works in it. */
static bool is_left(int folder) {
    char text[sizeof COR_WORK_MARK_TEXT];
    struct stat there;
    if (fstat(folder, &there) != 0 || there.st_uid != geteuid() || flock(folder, LOCK_EX | LOCK_NB) != 0)
        return false;
    const int mark = openat(folder, COR_WORK_MARK, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const size_t size = strlen(COR_WORK_MARK_TEXT);
    const bool is_marked = mark >= 0 && fstat(mark, &there) == 0 && S_ISREG(there.st_mode) &&
                           there.st_uid == geteuid() && read(mark, text, sizeof text) == (ssize_t)size &&
                           memcmp(text, COR_WORK_MARK_TEXT, size) == 0;
    if (mark >= 0)
        close(mark);
    return is_marked;
}

void cor_remove_left_folders(const char *above, const char *begins) {
    DIR *entries = opendir(above);
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        if (strncmp(entry->d_name, begins, strlen(begins)) != 0)
            continue;
        const int folder =
            openat(dirfd(entries), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        char *path = folder >= 0 && is_left(folder) ? cor_format("%s/%s", above, entry->d_name) : NULL;
        if (path)
            cor_remove_folder(path);
        free(path);
        if (folder >= 0)
            close(folder);
    }
    if (entries)
        closedir(entries);
}

static int remove_entry(const char *path, const struct stat *what, int kind, struct FTW *where) {
    (void)what;
    (void)kind;
    (void)where;
    return remove(path);
}

void cor_remove_folder(const char *folder) {
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

enum cor_status cor_moment_open(const char *what, struct cor_moment *moment, struct cor_error *error) {
    char *begins = cor_format("corridor-%s-", what);
    *moment = (struct cor_moment){.lock = -1};
    COR_TRY(cor_made(begins, error));
    cor_remove_left_folders(cor_temporary_place(), begins);
    const enum cor_status status =
        cor_make_marked_folder(cor_temporary_place(), begins, &moment->folder, &moment->lock, error);
    free(begins);
    return status;
}

void cor_moment_close(struct cor_moment *moment) {
    if (!moment->folder)
        return;
    cor_remove_folder(moment->folder);
    if (moment->lock >= 0)
        close(moment->lock);
    free(moment->folder);
    *moment = (struct cor_moment){.lock = -1};
}

int cor_rename(const char *from, const char *to, bool replace) {
    struct stat there;
    if (replace)
        return rename(from, to);
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (lstat(to, &there) != 0) /* a file system that knows no such renaming */
        return rename(from, to);
    errno = EEXIST;
    return -1;
}

#define PART ".corridor-part-"

/* Where the draft of a set is made: in its folder if that is there, else beside it; NULL: memory is out. */
static char *draft_place(const char *folder) {
    struct stat there;
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') /* as a shell completes it */
        length--;
    const size_t named = length;
    while (length > 0 && folder[length - 1] != '/')
        length--;
    if (stat(folder, &there) == 0)
        return cor_format("%.*s", (int)named, folder);
    return length == 0 ? cor_strdup(".") : cor_format("%.*s", (int)length, folder);
}

void cor_file_set_remove_left(const char *folder) {
    char *above = draft_place(folder);
    if (above)
        cor_remove_left_folders(above, PART);
    free(above);
}

enum cor_status cor_file_set_open(const char *folder, struct cor_file_set *set, struct cor_error *error) {
    struct stat there;
    *set = (struct cor_file_set){.folder = folder, .lock = -1};
    if (stat(folder, &there) == 0 && !S_ISDIR(there.st_mode))
        return cor_fail(error, COR_STATUS_FILE, folder, "name another folder", "is not a folder");
    char *above = draft_place(folder);
    COR_TRY(cor_made(above, error));
    cor_remove_left_folders(above, PART);
    enum cor_status status = make_marked(above, PART, folder, "cannot make a folder for its files",
                                         &set->draft, &set->lock, error);
    free(above);
    return status;
}

/* The files under `draft` by their paths in it. */
struct paths {
    char **path;
    bool *is_folder, *is_new; /* of those that were put: nothing was there before */
    size_t count, capacity[3];
};

static enum cor_status list_files(const char *draft, const char *below, struct paths *paths,
                                  struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *folder = cor_format("%s/%s", draft, below);
    DIR *entries = folder ? opendir(folder) : NULL;
    if (!folder || !entries)
        COR_TRY_OUT(folder ? cor_fail_errno(error, COR_STATUS_FILE, folder, NULL, "cannot read the folder")
                           : cor_fail_memory(error));
    for (const struct dirent *entry; (entry = readdir(entries));) {
        struct stat what;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            strcmp(entry->d_name, COR_WORK_MARK) == 0)
            continue;
        COR_TRY_OUT(COR_RESERVE(&paths->path, &paths->capacity[0], paths->count + 1, error));
        COR_TRY_OUT(COR_RESERVE(&paths->is_folder, &paths->capacity[1], paths->count + 1, error));
        COR_TRY_OUT(COR_RESERVE(&paths->is_new, &paths->capacity[2], paths->count + 1, error));
        char *path = cor_format("%s%s%s", below, *below ? "/" : "", entry->d_name);
        COR_TRY_OUT(cor_made(path, error));
        const bool is_folder =
            fstatat(dirfd(entries), entry->d_name, &what, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(what.st_mode);
        paths->path[paths->count] = path;
        paths->is_new[paths->count] = false;
        paths->is_folder[paths->count++] = is_folder;
        if (is_folder)
            COR_TRY_OUT(list_files(draft, path, paths, error));
    }
out:
    if (entries)
        closedir(entries);
    free(folder);
    return status;
}

static bool are_equal(const char *one, const char *other) {
    char a[4096], b[4096];
    size_t got = 0;
    FILE *first = fopen(one, "re"), *second = first ? fopen(other, "re") : NULL;
    bool equal = second;
    while (equal && (got = fread(a, 1, sizeof a, first)) > 0)
        equal = fread(b, 1, sizeof b, second) == got && memcmp(a, b, got) == 0;
    equal = equal && fread(b, 1, 1, second) == 0 && !ferror(first) && !ferror(second);
    if (second)
        fclose(second);
    if (first)
        fclose(first);
    return equal;
}

/* What is done with each path, in the draft and in the folder. */
typedef enum cor_status visit(const char *made, const char *kept, bool is_folder, bool *is_new, bool replace,
                              struct cor_error *error);

static enum cor_status may_be_put(const char *made, const char *kept, bool is_folder, bool *is_new,
                                  bool replace, struct cor_error *error) {
    struct stat there;
    (void)is_new;
    if (lstat(kept, &there) != 0 ||
        (is_folder ? S_ISDIR(there.st_mode) : S_ISREG(there.st_mode) && (replace || are_equal(made, kept))))
        return COR_OK;
    if (replace || is_folder)
        return cor_fail(error, COR_STATUS_FILE, kept, "name another folder",
                        is_folder ? "is not a folder" : "is not a regular file");
    return cor_fail(error, COR_STATUS_EXISTS, kept, "name another folder, or say --force to replace it",
                    "exists already");
}

static enum cor_status put(const char *made, const char *kept, bool is_folder, bool *is_new, bool replace,
                           struct cor_error *error) {
    if (is_folder) {
        if (mkdir(kept, 0777) != 0 && errno != EEXIST)
            return cor_fail_errno(error, COR_STATUS_FILE, kept, NULL, "cannot make the folder");
        return COR_OK;
    }
    *is_new = cor_rename(made, kept, false) == 0;
    if (!*is_new && errno == EEXIST && (replace || are_equal(made, kept)) && rename(made, kept) == 0)
        return COR_OK;
    return *is_new ? COR_OK : cor_fail_errno(error, COR_STATUS_FILE, kept, NULL, "cannot write");
}

static enum cor_status take_back(const char *made, const char *kept, bool is_folder, bool *is_new,
                                 bool replace, struct cor_error *error) {
    (void)made, (void)is_folder, (void)replace, (void)error;
    if (*is_new)
        unlink(kept);
    return COR_OK;
}

static enum cor_status visit_all(const struct cor_file_set *set, struct paths *paths, visit *what,
                                 bool replace, struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (size_t i = 0; i < paths->count && status == COR_OK; i++) {
        char *made = cor_format("%s/%s", set->draft, paths->path[i]),
             *kept = cor_format("%s/%s", set->folder, paths->path[i]);
        status = made && kept ? what(made, kept, paths->is_folder[i], &paths->is_new[i], replace, error)
                              : cor_fail_memory(error);
        COR_FREE(made, kept);
    }
    return status;
}

static enum cor_status publish_set(struct cor_file_set *set, bool replace, struct cor_error *error) {
    struct stat there;
    struct paths paths = {0};
    enum cor_status status = COR_OK;
    if (lstat(set->folder, &there) != 0) {
        const mode_t mask = umask(0); /* what mkdir would take off; mkdtemp takes off more */
        umask(mask);
        if (set->lock >= 0)
            unlinkat(set->lock, COR_WORK_MARK, 0);
        return fchmodat(AT_FDCWD, set->draft, 0777 & ~mask, 0) == 0 && rename(set->draft, set->folder) == 0
                   ? COR_OK
                   : cor_fail_errno(error, COR_STATUS_FILE, set->folder, NULL, "cannot make the folder");
    }
    COR_TRY_OUT(list_files(set->draft, "", &paths, error));
    COR_TRY_OUT(visit_all(set, &paths, may_be_put, replace, error));
    status = visit_all(set, &paths, put, replace, error);
    if (status != COR_OK)
        status = visit_all(set, &paths, take_back, replace, error) == COR_OK ? status : COR_STATUS_MEMORY;
out:
    for (size_t i = 0; i < paths.count; i++)
        free(paths.path[i]);
    COR_FREE(paths.path, paths.is_folder, paths.is_new);
    return status;
}

enum cor_status cor_file_set_close(struct cor_file_set *set, enum cor_status status, bool replace,
                                   struct cor_error *error) {
    const size_t length = strlen(set->draft);
    if (status == COR_OK)
        status = publish_set(set, replace, error);
    else if (strncmp(error->place, set->draft, length) == 0) { /* said of the file that it is to be */
        char *behind = cor_strdup(error->place + length);
        snprintf(error->place, sizeof error->place, "%s%s", set->folder, behind ? behind : "");
        free(behind);
    }
    cor_remove_folder(set->draft);
    if (set->lock >= 0)
        close(set->lock);
    free(set->draft);
    *set = (struct cor_file_set){.lock = -1};
    return status;
}
