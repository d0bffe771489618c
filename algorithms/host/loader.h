/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: algorithms in modules of their own. */
#ifndef COR__LOADER_H
#define COR__LOADER_H

#include <corridor/host.h>

struct cor__module {
    void *handle; /* owned */
    struct cor_algorithm algorithm;
};

/* Opens the module at `path`, checks what it exports and copies it. COR_STATUS_PLUGIN says why it cannot be
 * used; then nothing stays open. Of the module's code, only what the dynamic linker runs by itself has run.
 */
enum cor_status cor__module_open(struct cor__module *module, const char *path,
                                 struct cor_error *error) COR_MUST_USE;
void cor__module_close(struct cor__module *module);

#endif
