/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loader.h"

#include "session.h"

#include <dlfcn.h>

enum cor_status cor__module_open(struct cor__module *module, const char *path, struct cor_error *error) {
    *module = (struct cor__module){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!module->handle)
        return cor_fail(error, COR_STATUS_PLUGIN, path, NULL, "cannot load the module: %s", dlerror());
    enum cor_status status;
    const void *exported = dlsym(module->handle, COR_ALGORITHM_SYMBOL);
    if (exported)
        status = cor__algorithm_copy(&module->algorithm, exported, path, error);
    else
        status = cor_fail(error, COR_STATUS_PLUGIN, path, "see <corridor/plugin.h>",
                          "the module exports no constant \"%s\"", COR_ALGORITHM_SYMBOL);
    if (status == COR_OK)
        status = cor__algorithm_check(&module->algorithm, path, error);
    if (status != COR_OK)
        cor__module_close(module);
    return status;
}

void cor__module_close(struct cor__module *module) {
    if (module->handle)
        dlclose(module->handle);
    *module = (struct cor__module){0};
}
