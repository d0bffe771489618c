/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* unshare, O_PATH */
#include <corridor/array.h>
#include <corridor/needs.h>
#include <corridor/walls.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What every guest can read: programs, libraries, and what the dynamic linker asks. */
static const char *const of_all[] = {"/usr",
                                     "/bin",
                                     "/sbin",
                                     "/lib",
                                     "/lib32",
                                     "/lib64",
                                     "/libx32",
                                     "/etc/ld.so.cache",
                                     "/etc/alternatives",
                                     "/dev/null",
                                     "/dev/zero",
                                     "/dev/random",
                                     "/dev/urandom"};
#define OF_ALL (sizeof of_all / sizeof *of_all)

/* As of Landlock 7; the headers of a system may be older than its kernel. */
struct ruleset {
    uint64_t files, network, scope;
};
#define SCOPE_ABSTRACT_SOCKETS UINT64_C(1)
#define SCOPE_SIGNALS UINT64_C(2)
#define FILES_1                                                                                       \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
     LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |       \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |    \
     LANDLOCK_ACCESS_FS_MAKE_SYM)
#define FILES_REFER (UINT64_C(1) << 13)    /* from version 2 */
#define FILES_TRUNCATE (UINT64_C(1) << 14) /* from version 3 */

#define FILES_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

static bool allow(int rules, int folder, const char *path, uint64_t access) {
    struct landlock_path_beneath_attr rule = {.allowed_access = access};
    struct stat there;
    rule.parent_fd = openat(folder, path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return errno == ENOENT; /* then there is nothing to be read */
    if (fstat(rule.parent_fd, &there) == 0 && !S_ISDIR(there.st_mode))
        rule.allowed_access &= ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR;
    const bool is_done = rule.allowed_access == 0 ||
                         syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    close(rule.parent_fd);
    return is_done;
}

/* What guests may read: the paths that are needed, and of what lies in these, the paths that are withheld. */
struct sight {
    const char *const *needs, *const *withheld;
};

static bool is_below(const char *path, const char *folder) {
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

static bool has_below(const char *const *paths, const char *folder) {
    while (*paths && !is_below(*paths, folder))
        paths++;
    return *paths != NULL;
}

/* A rule holds for all that is in a folder: where that is too much, each entry has one. */
static bool allow_need(int rules, const char *path, const struct sight *sight) {
    if (!has_below(sight->withheld, path) && !has_below(sight->needs, path))
        return allow(rules, AT_FDCWD, path, FILES_READ);
    DIR *folder = opendir(path);
    bool is_done = true;
    if (!folder)
        return allow(rules, AT_FDCWD, path, FILES_READ);
    const struct dirent *entry;
    while (is_done && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *inside = cor_format("%s/%s", path, entry->d_name);
        is_done = inside && (cor_is_among(sight->withheld, inside) || cor_is_among(sight->needs, inside) ||
                             allow_need(rules, inside, sight));
        free(inside);
    }
    closedir(folder);
    return is_done && allow(rules, AT_FDCWD, path, LANDLOCK_ACCESS_FS_READ_DIR);
}

/* The second way to keep files out of sight. What runtimes and the warden of guests (guest.c) look up of
 * themselves is theirs; those that they fork have no way to it. */
static bool allow_sight(int rules, const struct sight *sight) {
    static const char *const own[] = {"/proc/self/maps",    "/proc/self/statm",
                                      "/proc/self/stat",    "/proc/self/status",
                                      "/proc/self/cmdline", "/proc/thread-self/children"};
    bool is_done = true;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        is_done = allow(rules, AT_FDCWD, own[i], LANDLOCK_ACCESS_FS_READ_FILE) && is_done;
    for (size_t i = 0; i < OF_ALL; i++)
        is_done = allow(rules, AT_FDCWD, of_all[i], FILES_READ) && is_done;
    for (size_t i = 0; sight->needs[i]; i++) /* whoever may read nothing of a folder may go through it */
        is_done = (cor_needs_is_way(sight->needs[i]) || allow_need(rules, sight->needs[i], sight)) && is_done;
    return is_done;
}

/* What those of the set that are Landlock's allow; -1 where it is not. *standing: those that stand once a
 * process is restricted by it. */
static int make_rules(int walls, const struct sight *sight, int *standing) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    *standing = 0;
    if (version < 1)
        return -1;
    struct ruleset set = {.files = FILES_1};
    set.files |= version >= 2 ? FILES_REFER : 0;
    set.files |= version >= 3 ? FILES_TRUNCATE : 0;
    set.files |= walls & COR_WALL_SIGHT ? FILES_READ : 0;
    if (version >= 6 && walls & COR_WALL_SIGNALS)
        set.scope = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
    size_t size = version >= 6 ? sizeof set : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
    if (rules < 0)
        return -1;
    /* What there is no right to name is forbidden. */
    allow(rules, AT_FDCWD, "/dev/null", set.files & (LANDLOCK_ACCESS_FS_WRITE_FILE | FILES_TRUNCATE));
    const bool is_sight = walls & COR_WALL_SIGHT && sight->withheld && allow_sight(rules, sight);
    *standing = COR_WALL_TRACES | (version >= 3 ? COR_WALL_FILES : 0) | (set.scope ? COR_WALL_SIGNALS : 0) |
                (is_sight ? COR_WALL_SIGHT : 0);
    return rules;
}

static int lock_land(int walls, const struct sight *sight) {
    int standing, rules = make_rules(walls, sight, &standing);
    if (rules < 0)
        return 0;
    const bool is_done = cor_walls_close(rules);
    return is_done ? standing : 0;
}

int cor_walls_prepare(void) {
    int standing;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return make_rules(COR_WALL_SIGNALS | COR_WALL_TRACES, NULL, &standing);
}

bool cor_walls_close(int prepared) {
    const bool is_done = prepared >= 0 && syscall(SYS_landlock_restrict_self, prepared, 0) == 0;
    if (prepared >= 0)
        close(prepared);
    return is_done;
}

/* Modes and times of files, too, which Landlock does not look at. A copy of all mounts becomes the root: the
 * root that is there need not be a mount, and then could not be changed as one. */
static int freeze_files(void) {
    const struct mount_attr frozen = {.attr_set = MOUNT_ATTR_RDONLY};
    if (unshare(CLONE_NEWNS) != 0)
        return 0;
    char *folder = getcwd(NULL, 0);
    int tree = (int)syscall(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    int is_done =
        tree >= 0 &&
        syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &frozen, sizeof frozen) == 0 &&
        fchdir(tree) == 0 && chroot(".") == 0 && folder && chdir(folder) == 0;
    if (tree >= 0)
        close(tree);
    free(folder);
    return is_done ? COR_WALL_MODES : 0;
}

/* A root of its own: an empty file system in memory, in which there is what is needed, and nothing else. */

/* The folders of a path in it, and a place for what is mounted there. */
static bool make_place(int root, const char *path, bool is_folder) {
    char part[PATH_MAX];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path - 1), path + 1);
        if (mkdirat(root, part, 0755) != 0 && errno != EEXIST)
            return false;
    }
    if (is_folder)
        return mkdirat(root, path + 1, 0755) == 0 || errno == EEXIST;
    int file = faccessat(root, path + 1, F_OK, AT_SYMLINK_NOFOLLOW) != 0
                   ? openat(root, path + 1, O_CREAT | O_WRONLY | O_CLOEXEC, 0644)
                   : root;
    if (file >= 0 && file != root)
        close(file);
    return file >= 0;
}

static bool put(int root, int from_folder, const char *from, const char *path, bool is_folder) {
    int tree = open_tree(from_folder, from, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    const bool is_done = tree >= 0 && make_place(root, path, is_folder) &&
                         move_mount(tree, "", root, path + 1, MOVE_MOUNT_F_EMPTY_PATH) == 0;
    if (tree >= 0)
        close(tree);
    return is_done;
}

/* The same place as outside; a link where there is one. What is not there is not missed. */
static bool put_own(int root, const char *path, bool may_be_link) {
    char target[PATH_MAX];
    struct stat there;
    if (may_be_link && lstat(path, &there) == 0 && S_ISLNK(there.st_mode)) {
        const ssize_t length = readlink(path, target, sizeof target - 1);
        target[length > 0 ? length : 0] = '\0';
        return length > 0 && symlinkat(target, root, path + 1) == 0;
    }
    return stat(path, &there) != 0 || put(root, AT_FDCWD, path, path, S_ISDIR(there.st_mode));
}

/* An empty folder, or a link, where there is nothing yet. */
static bool put_way(int root, const char *way) {
    char path[PATH_MAX], target[PATH_MAX];
    struct stat there;
    snprintf(path, sizeof path, "%.*s", (int)(strlen(way) - strlen(COR_NEEDS_WAY)), way);
    char *slash = strrchr(path, '/');
    if (lstat(path, &there) != 0 || !S_ISLNK(there.st_mode) || !realpath(path, target))
        return make_place(root, path, true);
    *slash = '\0';
    const bool has_folder = slash == path || make_place(root, path, true);
    *slash = '/';
    return has_folder && (symlinkat(target, root, path + 1) == 0 || errno == EEXIST);
}

#define VEIL ".veil" /* a folder that holds an empty folder and an empty file */

/* Puts nothing in the place of what is withheld in the folder. */
static bool veil(int root, const char *folder, const char *const *withheld) {
    struct stat there;
    bool is_done = true;
    for (; is_done && *withheld; withheld++)
        if (is_below(*withheld, folder) && lstat(*withheld, &there) == 0)
            is_done = put(root, root, S_ISDIR(there.st_mode) ? VEIL "/folder" : VEIL "/file", *withheld,
                          S_ISDIR(there.st_mode));
    return is_done;
}

static bool put_needs(int root, const struct sight *sight) {
    bool is_done = mkdirat(root, VEIL, 0700) == 0 && mkdirat(root, VEIL "/folder", 0) == 0 &&
                   mknodat(root, VEIL "/file", S_IFREG, 0) == 0;
    for (size_t i = 0; is_done && sight->needs[i]; i++)
        if (cor_needs_is_way(sight->needs[i]))
            is_done = put_way(root, sight->needs[i]);
        else if (put_own(root, sight->needs[i],
                         false)) /* not where a link of a folder leads, which then is there itself */
            is_done = veil(root, sight->needs[i], sight->withheld);
    return is_done;
}

/* Of its namespace of processes, with nothing but those of them that it may trace, as Landlock has it: itself
 * and its children. It cannot be had where others hide a part of theirs from us. */
static bool put_processes(int root) {
    int made = -1, kind = fsopen("proc", FSOPEN_CLOEXEC);
    if (kind >= 0 && fsconfig(kind, FSCONFIG_SET_STRING, "subset", "pid", 0) == 0 &&
        fsconfig(kind, FSCONFIG_SET_STRING, "hidepid", "ptraceable", 0) == 0 &&
        fsconfig(kind, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
        made = fsmount(kind, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    const bool is_done = made >= 0 && make_place(root, "/proc", true) && make_place(root, "/dev", true) &&
                         move_mount(made, "", root, "proc", MOVE_MOUNT_F_EMPTY_PATH) == 0 &&
                         symlinkat("/proc/self/fd", root, "dev/fd") == 0 &&
                         symlinkat("/proc/self/fd/0", root, "dev/stdin") == 0 &&
                         symlinkat("/proc/self/fd/1", root, "dev/stdout") == 0 &&
                         symlinkat("/proc/self/fd/2", root, "dev/stderr") == 0;
    if (made >= 0)
        close(made);
    if (kind >= 0)
        close(kind);
    return is_done;
}

/* Files can only be put into a file system that is mounted somewhere in the namespace: on a mount that no
 * other namespace shares, which the root that is there need not be. */
static int mount_empty(void) {
    static const char *const places[] = {"/", "/proc", "/sys", "/dev", "/run"};
    const struct mount_attr own = {.propagation = MS_PRIVATE};
    int root = -1, kind = fsopen("tmpfs", FSOPEN_CLOEXEC);
    if (kind >= 0 && fsconfig(kind, FSCONFIG_SET_STRING, "mode", "0755", 0) == 0 &&
        fsconfig(kind, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
        root = fsmount(kind, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
    if (kind >= 0)
        close(kind);
    for (size_t i = 0; root >= 0 && i < sizeof places / sizeof *places; i++)
        if (mount_setattr(AT_FDCWD, places[i], 0, (struct mount_attr *)(uintptr_t)&own, sizeof own) == 0 &&
            move_mount(root, "", AT_FDCWD, places[i], MOVE_MOUNT_F_EMPTY_PATH) == 0)
            return root;
    if (root >= 0)
        close(root);
    return -1;
}

/* Of what was built a copy becomes the root that is mounted nowhere: no way leads out of it, nor, as of
 * anything that is no root of a mount namespace, into a new namespace of users. */
static bool enter(int root, const char *folder) {
    const struct mount_attr frozen = {.attr_set = MOUNT_ATTR_RDONLY};
    int tree = -1;
    if ((strcmp(folder, "/") == 0 || make_place(root, folder, true)) && /* it may be empty */
        mount_setattr(root, "", AT_EMPTY_PATH | AT_RECURSIVE, (struct mount_attr *)(uintptr_t)&frozen,
                      sizeof frozen) == 0)
        tree = open_tree(root, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    const bool is_done = tree >= 0 && fchdir(tree) == 0 && chroot(".") == 0 && chdir(folder) == 0;
    if (tree >= 0)
        close(tree);
    return is_done;
}

/* Files out of sight, and the rest of them frozen. Where it fails, all is as it was. */
static int leave_root(const struct sight *sight) {
    if (!sight->withheld || unshare(CLONE_NEWNS) != 0)
        return 0;
    char *folder = getcwd(NULL, 0);
    int root = mount_empty();
    bool is_done = root >= 0;
    for (size_t i = 0; is_done && i < OF_ALL; i++)
        is_done = put_own(root, of_all[i], true);
    is_done = is_done && put_processes(root) && put_needs(root, sight) &&
              enter(root, folder && folder[0] == '/' ? folder : "/");
    if (!is_done && root >= 0 && fchdir(root) == 0) { /* it may cover what is needed now */
        umount2(".", MNT_DETACH);
        if (!folder || chdir(folder) != 0)
            (void)!chdir("/");
    }
    if (root >= 0)
        close(root);
    free(folder);
    return is_done ? COR_WALL_SIGHT | COR_WALL_ROOT | COR_WALL_MODES : 0;
}

/* Files of the module may be anybody's, and no wall is to hide them from root. */
static int drop_rights(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2];
    const uint32_t kept = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
    if (syscall(SYS_capget, &head, data) != 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        data[i].effective &= i == 0 ? kept : 0;
        data[i].permitted &= i == 0 ? kept : 0;
        data[i].inheritable = 0;
    }
    return syscall(SYS_capset, &head, data) == 0 ? COR_WALL_RIGHTS : 0;
}

#ifdef __SANITIZE_ADDRESS__
/* Who exits within walls has no leaks looked for: that takes calls which are forbidden there, and waits for
 * ever. */
static int is_walled;
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return is_walled;
}
#endif

int cor_walls_raise(int walls, const char *const *needs, const char *const *withheld) {
#ifdef __SANITIZE_ADDRESS__
    is_walled = 1;
#endif
    static const char *const nothing[] = {NULL};
    char **found = walls & COR_WALL_SIGHT && !withheld ? cor_needs_withheld(needs) : NULL;
    const struct sight sight = {needs ? needs : nothing, withheld ? withheld : (const char *const *)found};
    int standing = 0;
    if (walls & COR_WALL_NETWORK && unshare(CLONE_NEWNET | CLONE_NEWIPC) == 0)
        standing |= COR_WALL_NETWORK;
    if (walls & COR_WALL_SIGHT)
        standing |= leave_root(&sight) & (walls | COR_WALL_ROOT);
    if (walls & COR_WALL_MODES & ~standing)
        standing |= freeze_files();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        cor_needs_free(found);
        return standing;
    }
    if (walls & COR_WALL_RIGHTS)
        standing |= drop_rights();
    if (walls & (COR_WALL_FILES | COR_WALL_SIGNALS | COR_WALL_TRACES | COR_WALL_SIGHT))
        standing |= lock_land(walls & ~(standing & COR_WALL_SIGHT), &sight);
    if (walls & COR_WALL_FILES) /* for files that are in memory alone, too */
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    cor_needs_free(found);
    return standing;
}
