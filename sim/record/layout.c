/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layout.h"

#include "pack.h"

#define ENCODING_VERSION "1.0.0"
#define REMEDY "make room on the disk, then run the same command again"

enum cor_status cor__layout_failed(const struct cor__layout *layout, struct cor_error *error) {
    return cor__h5_fail(error, COR_STATUS_FILE, layout->place, REMEDY, "cannot write", &layout->cause);
}

herr_t cor__layout_put_attribute(hid_t object, const char *name, hid_t type, hid_t memory_type, size_t count,
                                 const void *values) {
    hsize_t size = count;
    hid_t space = count == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    hid_t attribute = space >= 0 ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    herr_t result = attribute >= 0 ? H5Awrite(attribute, memory_type, values) : -1;
    if (attribute >= 0 && H5Aclose(attribute) < 0)
        result = -1;
    if (space >= 0)
        H5Sclose(space);
    return result;
}

herr_t cor__layout_put_text_attribute(const struct cor__layout *layout, hid_t object, const char *name,
                                      const char *text) {
    return cor__layout_put_attribute(object, name, layout->text, layout->text, 0, &text);
}

herr_t cor__layout_put_number_attribute(hid_t object, const char *name, enum cor_type type,
                                        const void *number) {
    return cor__layout_put_attribute(object, name, cor__h5_file_type(type), cor__h5_memory_type(type), 0,
                                     number);
}

/* Without times of creation, so that equal content gives equal bytes, and with members in the order of
 * creation. */
static herr_t set_group_list(hid_t list) {
    if (H5Pset_obj_track_times(list, 0) < 0 || H5Pset_attr_phase_change(list, 32, 16) < 0)
        return -1;
    if (H5Pset_link_phase_change(list, 128, 64) < 0)
        return -1;
    return H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
}

/* A group that says what it is, in the manner of AnnData. */
hid_t cor__layout_create_group(const struct cor__layout *layout, hid_t parent, const char *name,
                               const char *encoding, const char *meaning) {
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, layout->group_list, H5P_DEFAULT);
    if (group >= 0 && cor__layout_put_text_attribute(layout, group, "encoding-type", encoding) >= 0 &&
        cor__layout_put_text_attribute(layout, group, "encoding-version", ENCODING_VERSION) >= 0 &&
        cor__layout_put_text_attribute(layout, group, "long_name", meaning) >= 0)
        return group;
    if (group >= 0)
        H5Gclose(group);
    return H5I_INVALID_HID;
}

/* How a dataset of `chunk_rows` items a chunk is stored; 0 = in one piece. */
static hid_t dataset_list(size_t chunk_rows, size_t item_size) {
    hsize_t chunk = chunk_rows;
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list < 0)
        return list;
    herr_t result = H5Pset_obj_track_times(list, 0);
    if (chunk_rows > 0 && result >= 0)
        result = H5Pset_chunk(list, 1, &chunk);
    if (chunk_rows > 0 && item_size > 1 && result >= 0)
        result = H5Pset_shuffle(list);
    if (chunk_rows > 0 && result >= 0)
        result = H5Pset_deflate(list, COR__DEFLATE_LEVEL);
    if (chunk_rows > 0 && result >= 0)
        result = H5Pset_fletcher32(list);
    if (result >= 0)
        return list;
    H5Pclose(list);
    return H5I_INVALID_HID;
}

/* Chunks are written whole and once: a cache would only copy them and hold memory. */
static hid_t uncached(void) {
    hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
    if (list >= 0 && H5Pset_chunk_cache(list, 1, 0, 1.0) >= 0)
        return list;
    if (list >= 0)
        H5Pclose(list);
    return H5I_INVALID_HID;
}

hid_t cor__layout_create_dataset(hid_t parent, const char *name, hid_t type, size_t item_size, uint64_t total,
                                 size_t chunk_rows) {
    hsize_t size = total;
    hid_t space = H5Screate_simple(1, &size, NULL), list = dataset_list(chunk_rows, item_size),
          access = uncached();
    hid_t dataset = H5I_INVALID_HID;
    if (space >= 0 && list >= 0 && access >= 0)
        dataset = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, list, access);
    if (space >= 0)
        H5Sclose(space);
    if (list >= 0)
        H5Pclose(list);
    if (access >= 0)
        H5Pclose(access);
    return dataset;
}

/* One text, for instance /experiment. Fixed-length strings would crash the netCDF4 engine of xarray
 * (libnetcdf 4.9.0). */
herr_t cor__layout_put_text(const struct cor__layout *layout, const char *name, const char *text,
                            const char *meaning) {
    hid_t space = H5Screate(H5S_SCALAR), list = dataset_list(0, 0), dataset = H5I_INVALID_HID;
    if (space >= 0 && list >= 0)
        dataset = H5Dcreate2(layout->file, name, layout->text, space, H5P_DEFAULT, list, H5P_DEFAULT);
    herr_t result = dataset >= 0 ? H5Dwrite(dataset, layout->text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) : -1;
    if (result >= 0)
        result = cor__layout_put_text_attribute(layout, dataset, "long_name", meaning);
    if (dataset >= 0 && H5Dclose(dataset) < 0)
        result = -1;
    if (list >= 0)
        H5Pclose(list);
    if (space >= 0)
        H5Sclose(space);
    return result;
}

enum cor_status cor__layout_create(struct cor__layout *layout, const char *path, const char *place,
                                   struct cor_error *error) {
    *layout = (struct cor__layout){.place = place, .file = H5I_INVALID_HID};
    cor__h5_listen(&layout->cause);
    hid_t access = cor__h5_access(), list = H5Pcreate(H5P_FILE_CREATE);
    layout->text = cor__h5_text_type();
    layout->group_list = H5Pcreate(H5P_GROUP_CREATE);
    if (access >= 0 && list >= 0 && layout->text >= 0 && layout->group_list >= 0 &&
        set_group_list(list) >= 0 && set_group_list(layout->group_list) >= 0)
        layout->file = H5Fcreate(path, H5F_ACC_EXCL, list, access);
    enum cor_status status = layout->file >= 0 ? COR_OK
                                               : cor__h5_fail(error, COR_STATUS_FILE, layout->place, NULL,
                                                              "cannot create the file", &layout->cause);
    if (list >= 0)
        H5Pclose(list);
    if (access >= 0)
        H5Pclose(access);
    return status;
}

enum cor_status cor__layout_close(struct cor__layout *layout, struct cor_error *error) {
    hid_t file = layout->file;
    layout->file = H5I_INVALID_HID;
    return H5Fclose(file) >= 0 ? COR_OK : cor__layout_failed(layout, error);
}

void cor__layout_fini(struct cor__layout *layout) {
    if (layout->group_list >= 0)
        H5Pclose(layout->group_list);
    if (layout->text >= 0)
        H5Tclose(layout->text);
    if (layout->file >= 0)
        H5Fclose(layout->file);
    cor__h5_listen(NULL);
}
