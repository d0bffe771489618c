#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a result file with h5py, pandas and xarray (h5netcdf), as docs/look-up/result-file.md says, and compares what they see.

read_result.py FILE [TABLE_OF_SUMS]

Prints one line and exits with 0 if all agree. With a second argument it also writes, for the R script, a line
"table column rows sum" for each column; see column_sum."""
import json
import sys

import h5py
import numpy
import pandas
import xarray

# The tables of format 1.0
FIRST = ("suites", "parameters", "agents", "groups", "chains", "profiles", "visits", "transitions", "sequences", "cases",
         "reorganizations", "failures", "violations", "counters")


def column_sum(values):
    """A checksum that every language can compute: the sum modulo 2**31 - 1 of floor(|value|) modulo 65536, NaN as 1,
    each times its position modulo 1009 plus 1. Unsigned 64-bit numbers have no exact type in R: 0 for those columns."""
    values = numpy.asarray(values)
    if values.dtype == numpy.uint64:
        return 0
    numbers = values.astype(numpy.float64)
    whole = numpy.where(numpy.isnan(numbers), 1, numpy.floor(numpy.abs(numbers)) % 65536).astype(numpy.int64)
    weights = numpy.arange(len(whole), dtype=numpy.int64) % 1009 + 1
    return int((whole * weights).sum() % (2**31 - 1))


def same(left, right):
    left, right = numpy.asarray(left), numpy.asarray(right)
    floats = left.dtype.kind == "f"
    return left.dtype == right.dtype and numpy.array_equal(left, right, equal_nan=floats)


def check(condition, what):
    if not condition:
        sys.exit(f"read_result.py: {sys.argv[1]}: {what}")


def check_table(path, file, table):
    """The same columns from pandas and xarray as from h5py; their sums. Of a later table without rows nothing is there."""
    if table["name"] not in file:
        return check(table["name"] not in FIRST, f"/{table['name']} is missing")
    group = file[table["name"]]
    check(table["name"] in FIRST or len(group[table["columns"][0]["name"]]) > 0, f"{group.name} has no rows")
    names = [column["name"] for column in table["columns"]]
    check(list(group.attrs["column-order"]) == names, f"column-order of {group.name}")
    frame = pandas.DataFrame({name: values[()] for name, values in group.items()})
    with xarray.open_dataset(path, group=table["name"], engine="h5netcdf", phony_dims="sort") as dataset:
        check(set(frame.columns) == set(names) == set(dataset.data_vars), f"columns of {group.name}")
        for column in table["columns"]:
            name, values = column["name"], group[column["name"]][()]
            where = f"{group.name}/{name}"
            check(str(values.dtype) == column["type"], f"type of {where}")
            check(same(frame[name].to_numpy(), values), f"{where} in pandas")
            check(same(dataset[name].to_numpy(), values), f"{where} in xarray")
            check(dataset[name].attrs["units"] == group[name].attrs["units"] == column["unit"], f"unit of {where}")
            check(group[name].attrs["long_name"] == column["meaning"], f"meaning of {where}")
            if "codes" in column:
                check(numpy.isin(values, group[name].attrs["flag_values"]).all() or "--any-codes" in sys.argv,
                      f"a code in {where} has no word")
                check(group[name].attrs["flag_meanings"].split() == list(column["codes"].values()), f"words of {where}")
            yield table["name"], name, len(values), column_sum(values)


def main():
    path = sys.argv[1]
    with h5py.File(path, "r") as file:
        check(file.attrs["format"] == "corridor-campaign", "format")
        check(file.attrs["format_version"].split(".")[0] == "1", "format_version")
        schema = json.loads(file["schema"].asstr()[()])
        json.loads(file["experiment"].asstr()[()])
        json.loads(file["provenance"].asstr()[()])
        for catalog in file["catalog"].values():
            check(len(catalog["code"]) == len(catalog["name"]) == len(catalog["description"]), catalog.name)
        lines = [line for table in schema["tables"] for line in check_table(path, file, table)]
        for vector in schema["vectors"]:
            values = file["vectors"][vector["name"]][()]
            check(str(values.dtype) == vector["type"], f"type of {vector['name']}")
            lines.append(("vectors", vector["name"], len(values), column_sum(values)))
        cases = len(file["cases/case"])
    sums = [argument for argument in sys.argv[2:] if not argument.startswith("--")]
    if sums:
        with open(sums[0], "w", encoding="ascii") as out:
            out.writelines(f"{table} {name} {rows} {total}\n" for table, name, rows, total in lines)
    print(f"h5py {h5py.__version__}, pandas {pandas.__version__} and xarray agree: "
          f"{len(lines)} columns, {cases} cases")


main()
