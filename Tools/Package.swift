// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of Larder never resolve what only its command line needs.
let package = Package(
    name: "LarderTools",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "larder", targets: ["LarderCommand"])
    ],
    dependencies: [
        .package(name: "larder", path: "..", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        // Not called larder: on file systems that ignore case its module would be the library's.
        .executableTarget(
            name: "LarderCommand",
            dependencies: [
                "LarderCommandLine",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .target(
            name: "LarderCommandLine",
            dependencies: [
                .product(name: "Larder", package: "larder"),
                .product(name: "LarderLMDB", package: "larder"),
                .product(name: "LarderSQLite", package: "larder"),
                .product(name: "LarderFiles", package: "larder"),
                .product(name: "LarderRecords", package: "larder"),
                .product(name: "LarderTransfer", package: "larder"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "LarderCommandLineTests",
            dependencies: ["LarderCommandLine", .product(name: "Larder", package: "larder")]
        ),
        .testTarget(
            name: "LarderCommandTests",
            dependencies: [
                "LarderCommand",
                .product(name: "Larder", package: "larder"),
                .product(name: "LarderLMDB", package: "larder"),
                .product(name: "LarderSQLite", package: "larder"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// As in the main package: warnings are errors in `make`.
let isStrict = Context.environment["LARDER_STRICT"] != nil

for target in package.targets {
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ] + (isStrict ? [.unsafeFlags(["-warnings-as-errors"])] : [])
}
