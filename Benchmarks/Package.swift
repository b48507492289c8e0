// swift-tools-version: 6.1
import PackageDescription

// Stores on a PostgreSQL server take part if this is set. Larder's manifest reads it too, and then compiles the
// engine without its trait, so that nothing else of Larder is compiled again.
let isWithPostgreSQL = Context.environment["LARDER_POSTGRESQL"].map { !$0.isEmpty } ?? false

// A package of its own, so that users of Larder never resolve what only the benchmarks need.
let package = Package(
    name: "LarderBenchmarks",
    platforms: [.macOS(.v13)],
    products: [
        .executable(name: "larder-bench", targets: ["LarderBench"])
    ],
    dependencies: [
        .package(name: "larder", path: "..", traits: []),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CSQLiteRaw",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .systemLibrary(
            name: "CLMDBRaw",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]
        ),
        .target(name: "CAllocationCount"),
        .executableTarget(
            name: "LarderBench",
            dependencies: [
                "CAllocationCount",
                "CLMDBRaw",
                "CSQLiteRaw",
                .product(name: "Larder", package: "larder"),
                .product(name: "LarderLMDB", package: "larder"),
                .product(name: "LarderMemory", package: "larder"),
                .product(name: "LarderSQLite", package: "larder"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

if isWithPostgreSQL {
    package.targets.append(
        .systemLibrary(
            name: "CPostgreSQLRaw",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ))
    for target in package.targets where target.name == "LarderBench" {
        target.dependencies += ["CPostgreSQLRaw", .product(name: "LarderPostgreSQL", package: "larder")]
        target.swiftSettings = (target.swiftSettings ?? []) + [.define("PostgreSQL")]
    }
}
