#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the adapters that are programs, into build/registries, from the top folder: those whose packages are there.  sh build.sh [NAME]
from=experiments/library/registries into=build/registries
build() { # build NAME PACKAGE WORD...: what is missing is said, and is no failure of the others
    name=$1 package=$2
    shift 2
    "$@" 2> "$into/$name.log" || echo "$name is not built, which needs $package of Debian 12: $into/$name.log"
}
mkdir -p "$into"
build opendht libopendht-dev g++ -O2 -std=c++17 -rdynamic -I/usr/include/jsoncpp -o "$into/opendht" "$from/opendht.cpp" -lopendht -ljsoncpp -lgnutls
build etcd golang-etcd-server-dev env GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE="$PWD/$into/go" go build -ldflags=-w -o "$into/etcd" "$from/etcd.go"
