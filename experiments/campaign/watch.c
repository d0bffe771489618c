/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a layer calls while a suite is executed (layer.h). */
#include "internal.h"

bool cor_watch_stopped(const struct cor_watch *watch) {
    return watch && watch->stopped(watch->with);
}

void cor_watch_show(const struct cor_watch *watch, uint64_t cases) {
    if (watch)
        watch->show(watch->with, cases);
}

void cor_watch_share(const struct cor_watch *watch, double share) {
    if (watch && watch->share)
        watch->share(watch->with, share);
}

void cor_watch_starts(const struct cor_watch *watch, uint64_t starts, double seconds) {
    if (watch && watch->starts)
        watch->starts(watch->with, starts, seconds);
}
