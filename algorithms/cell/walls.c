/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* unshare, O_PATH */
#include <corridor/walls.h>

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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

static int lock_land(int walls) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return 0;
    struct ruleset set = {.files = FILES_1};
    set.files |= version >= 2 ? FILES_REFER : 0;
    set.files |= version >= 3 ? FILES_TRUNCATE : 0;
    if (version >= 6 && walls & COR_WALL_SIGNALS)
        set.scope = SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS;
    size_t size = version >= 6 ? sizeof set : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &set, size, 0);
    if (rules < 0)
        return 0;
    /* What there is no right to name is forbidden. */
    const uint64_t files = set.files & (LANDLOCK_ACCESS_FS_WRITE_FILE | FILES_TRUNCATE);
    struct landlock_path_beneath_attr rule = {.allowed_access = files};
    rule.parent_fd = open("/dev/null", O_PATH | O_CLOEXEC);
    if (rule.parent_fd >= 0) {
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        close(rule.parent_fd);
    }
    long failed = syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
    if (failed)
        return 0;
    return COR_WALL_TRACES | (version >= 3 ? COR_WALL_FILES : 0) | (set.scope ? COR_WALL_SIGNALS : 0);
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

int cor_walls_raise(int walls) {
    int standing = 0;
    if (walls & COR_WALL_NETWORK && unshare(CLONE_NEWNET | CLONE_NEWIPC) == 0)
        standing |= COR_WALL_NETWORK;
    if (walls & COR_WALL_MODES)
        standing |= freeze_files();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return standing;
    if (walls & COR_WALL_RIGHTS)
        standing |= drop_rights();
    if (walls & (COR_WALL_FILES | COR_WALL_SIGNALS | COR_WALL_TRACES))
        standing |= lock_land(walls);
    if (walls & COR_WALL_FILES) /* for files that are in memory alone, too */
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    return standing;
}
