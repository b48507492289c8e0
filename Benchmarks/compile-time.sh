#!/bin/sh
# Measures how long a module with 50 @StoredItem types and 200 filter expressions takes to compile.
#
#     Benchmarks/compile-time.sh [folder]
#
# Prints the seconds of a debug build of that module alone: what it depends on is built before.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/Benchmarks/.build/compile-time}
swift=${SWIFT:-swift}
types=50
filters=4  # for each type
mkdir -p "$folder/Sources/Items"

cat >"$folder/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "CompileTime",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "larder", path: "$root")],
    targets: [.target(name: "Items", dependencies: [.product(name: "Larder", package: "larder")])]
)
EOF

items() {
    echo "import Foundation"
    echo "import Larder"
    for number in $(seq 1 "$1"); do
        cat <<EOF

@StoredItem
struct Item$number {
    @Indexed var name: String
    @Unique var code: String
    var rating: Double = 0
    var reviews: Int = 0
    var isOpen: Bool = true
    var openedAt: Date?
    var note: String?
}

func requests$number(bound: Double, name: String) -> [DataStoreRequest<Item$number>] {
    [
        Item$number.where(\\.rating > bound && \\.reviews >= 10),
        Item$number.where(\\.name == name || \\.code != "x$number").sorted(by: \\.name).limit(20),
        Item$number.where(!(\\.isOpen == true) && \\.note == nil && \\.rating <= 4.5),
        Item$number.where(\\.openedAt != nil && (\\.reviews < 3 || \\.rating > 4 || \\.name > "m")),
    ]
}
EOF
    done
}

build() {
    "$swift" build --package-path "$folder" --target Items >"$folder/build.log" 2>&1 || {
        cat "$folder/build.log" >&2
        exit 1
    }
}

items 1 >"$folder/Sources/Items/Items.swift"
build
items "$types" >"$folder/Sources/Items/Items.swift"
start=$(date +%s.%N)
build
end=$(date +%s.%N)
echo "$types item types, $((types * filters)) filter expressions:" \
    "$(echo "$end $start" | awk '{ printf "%.1f", $1 - $2 }') s to compile (debug, macros expanded)"
