/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a result file says besides rows. */
#include "layout.h"

#include "schema_json.h"

#include <corridor/array.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static enum cor_status put_attributes(const struct cor__layout *layout,
                                      const struct cor_result_header *header, struct cor_error *error) {
    char version[32], seed[32];
    snprintf(version, sizeof version, "%d.%d.0", COR_FORMAT_MAJOR, COR_FORMAT_MINOR);
    snprintf(seed, sizeof seed, "0x%016" PRIx64, header->seed);
    if (cor__layout_put_text_attribute(layout, layout->file, "format", COR_FORMAT_NAME) < 0 ||
        cor__layout_put_text_attribute(layout, layout->file, "format_version", version) < 0 ||
        cor__layout_put_text_attribute(layout, layout->file, "creator", "corridor") < 0 ||
        cor__layout_put_text_attribute(layout, layout->file, "creator_version", CORRIDOR_VERSION) < 0 ||
        cor__layout_put_text_attribute(layout, layout->file, "default", "/cases") < 0 ||
        cor__layout_put_text_attribute(layout, layout->file, "seed", seed) < 0 ||
        cor__layout_put_number_attribute(layout->file, "complete", COR_TYPE_U8,
                                         &(uint8_t){header->complete != 0}) < 0 ||
        cor__layout_put_number_attribute(layout->file, "planned_suites", COR_TYPE_U64,
                                         &header->planned_suites) < 0)
        return cor__layout_failed(layout, error);
    return COR_OK;
}

static enum cor_status put_texts(const struct cor__layout *layout, const struct cor_result_header *header,
                                 struct cor_error *error) {
    enum cor_status status = COR_OK;
    char *schema = cor__schema_json();
    if (!schema)
        return cor_fail_memory(error);
    if (cor__layout_put_text(layout, "experiment", header->experiment,
                             "the experiment, JSON with all files it names") < 0 ||
        cor__layout_put_text(layout, "provenance", header->provenance, "what it was run with, JSON") < 0 ||
        cor__layout_put_text(layout, "schema", schema, "tables, vectors and catalogs of this file, JSON") < 0)
        status = cor__layout_failed(layout, error);
    free(schema);
    return status;
}

static herr_t put_items(hid_t group, const char *name, hid_t type, hid_t memory_type, size_t count,
                        const void *items) {
    hid_t dataset = cor__layout_create_dataset(group, name, type, 0, count, 0);
    herr_t result = dataset >= 0 ? 0 : -1;
    if (result >= 0 && count > 0)
        result = H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, items);
    if (dataset >= 0 && H5Dclose(dataset) < 0)
        result = -1;
    return result;
}

static enum cor_status put_catalog(const struct cor__layout *layout, hid_t parent,
                                   const struct cor_result_header *header, enum cor_catalog catalog,
                                   struct cor_error *error) {
    enum cor_status status = COR_OK;
    const struct cor_catalog_entry *entries = header->catalog[catalog];
    size_t count = header->catalog_size[catalog];
    uint16_t *codes = cor_calloc(count, sizeof *codes);
    const char **names = cor_calloc(count, sizeof *names),
               **descriptions = cor_calloc(count, sizeof *descriptions);
    hid_t group = cor__layout_create_group(layout, parent, cor_catalog_group(catalog), "corridor-catalog",
                                           cor_catalog_meaning(catalog));
    if (!codes || !names || !descriptions) {
        status = cor_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        codes[i] = entries[i].code;
        names[i] = entries[i].name;
        descriptions[i] = entries[i].description;
    }
    if (group < 0 || put_items(group, "code", H5T_STD_U16LE, H5T_NATIVE_UINT16, count, codes) < 0 ||
        put_items(group, "name", layout->text, layout->text, count, names) < 0 ||
        put_items(group, "description", layout->text, layout->text, count, descriptions) < 0)
        status = cor__layout_failed(layout, error);
out:
    if (group >= 0)
        H5Gclose(group);
    free(codes);
    free(names);
    free(descriptions);
    return status;
}

static enum cor_status put_catalogs(const struct cor__layout *layout, const struct cor_result_header *header,
                                    struct cor_error *error) {
    hid_t parent =
        cor__layout_create_group(layout, layout->file, "catalog", "corridor-catalogs", "words of codes");
    if (parent < 0)
        return cor__layout_failed(layout, error);
    enum cor_status status = COR_OK;
    for (enum cor_catalog c = 0; c < COR_CATALOG_COUNT && status == COR_OK; c++)
        status = put_catalog(layout, parent, header, c, error);
    H5Gclose(parent);
    return status;
}

enum cor_status cor__layout_put_head(const struct cor__layout *layout, const struct cor_result_header *header,
                                     struct cor_error *error) {
    enum cor_status status = put_attributes(layout, header, error);
    if (status == COR_OK)
        status = put_texts(layout, header, error);
    return status == COR_OK ? put_catalogs(layout, header, error) : status;
}
