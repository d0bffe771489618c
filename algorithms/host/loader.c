/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/loader.h>

#include <dlfcn.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* The version words come first in every version, so they can be read before anything else is believed. */
enum cor_status cor_module_copy(const struct cor_module_kind *kind, const void *exported, const char *origin,
                                void *copy, struct cor_error *error) {
    uint32_t head[4];
    memcpy(head, exported, sizeof head);
    uint32_t magic = head[0], major = head[1], minor = head[2], size = head[3];
    char remedy[256];
    snprintf(remedy, sizeof remedy, "its first fields are %s of %s", kind->first_fields, kind->header);
    if (magic != kind->magic)
        return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy,
                        "\"%s\" is not %s: it begins with 0x%08X, not with 0x%08X", kind->symbol, kind->what,
                        magic, kind->magic);
    if (major == kind->major && minor <= kind->minor && (size < kind->size_least || size > kind->size))
        return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy,
                        "struct_size is %u, but version %u.%u has %zu bytes", size, major, minor, kind->size);
    snprintf(remedy, sizeof remedy, "rebuild it against the %s of this version", kind->header);
    if (major != kind->major || minor > kind->minor)
        return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy,
                        "built for plug-in version %u.%u, but this is %u.%u", major, minor, kind->major,
                        kind->minor);
    memset(copy, 0, kind->size);
    memcpy(copy, exported, size);
    return kind->check(copy, origin, error);
}

static enum cor_status no_symbol(const struct cor_module_kind *kind, const char *path,
                                 struct cor_error *error) {
    char remedy[128];
    snprintf(remedy, sizeof remedy, "see %s", kind->header);
    return cor_fail(error, COR_STATUS_PLUGIN, path, remedy, "the module exports no constant \"%s\"",
                    kind->symbol);
}

enum cor_status cor_module_open(const struct cor_module_kind *kind, const char *path, void **handle,
                                void *copy, struct cor_error *error) {
    *handle = NULL;
    if (strchr(path, '/') && access(path, F_OK) != 0)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot open");
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle)
        return cor_fail(error, COR_STATUS_PLUGIN, path, NULL, "cannot load the module: %s", dlerror());
    const void *exported = dlsym(*handle, kind->symbol);
    enum cor_status status =
        exported ? cor_module_copy(kind, exported, path, copy, error) : no_symbol(kind, path, error);
    if (status != COR_OK) {
        cor_module_close(*handle);
        *handle = NULL;
    }
    return status;
}

void cor_module_settle(void) {
    const struct itimerval never = {{0, 0}, {0, 0}};
    sigset_t none;
    setitimer(ITIMER_REAL, &never, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    fesetenv(FE_DFL_ENV);
    setlocale(LC_ALL, "C");
    umask(077);
}

void cor_module_close(void *handle) {
    if (handle)
        dlclose(handle);
}
