/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "corridor.h"

#include <corridor/heap.h>

int main(int argc, char **argv) {
    cor_heap_begin();
    return command__run(argc, argv);
}
