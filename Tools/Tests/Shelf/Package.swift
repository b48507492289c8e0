// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Shelf",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(name: "larder", path: "../../..")
    ],
    targets: [
        .executableTarget(
            name: "Shelf",
            dependencies: [
                .product(name: "Larder", package: "larder"),
                .product(name: "LarderSQLite", package: "larder"),
            ]),
        .testTarget(
            name: "ShelfTests",
            dependencies: [
                "Shelf",
                .product(name: "Larder", package: "larder"),
                .product(name: "LarderTesting", package: "larder"),
            ]),
    ]
)
