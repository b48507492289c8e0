// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// The arrows run one way: adapters -> LarderKeyValue -> Larder. LarderTransfer -> LarderText -> Larder.
// LarderTesting -> LarderMemory: an app's tests name the other engines themselves, and link no more than these.
// Nothing in Sources/Larder names an engine.
let package = Package(
    name: "Larder",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    products: [
        .library(name: "Larder", targets: ["Larder"]),
        .library(name: "LarderMemory", targets: ["LarderMemory"]),
        .library(name: "LarderSQLite", targets: ["LarderSQLite"]),
        .library(name: "LarderLMDB", targets: ["LarderLMDB"]),
        .library(name: "LarderKeyValue", targets: ["LarderKeyValue"]),
        .library(name: "LarderFiles", targets: ["LarderFiles"]),
        .library(name: "LarderEngine", targets: ["LarderEngine"]),
        .library(name: "LarderText", targets: ["LarderText"]),
        .library(name: "LarderTransfer", targets: ["LarderTransfer"]),
        .library(name: "LarderTesting", targets: ["LarderTesting"]),
        .library(name: "LarderConformance", targets: ["LarderConformance"]),
    ],
    traits: [
        .default(enabledTraits: ["Macros"]),
        .trait(
            name: "Macros",
            description: "The @StoredItem macro. Without it, nothing of swift-syntax is resolved or built."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .macro(
            name: "LarderMacros",
            dependencies: [
                .product(
                    name: "SwiftSyntaxMacros", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
                .product(
                    name: "SwiftCompilerPlugin", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
            ]
        ),
        .target(name: "LarderPlatform"),
        .target(
            name: "Larder",
            dependencies: [
                "LarderMacros", "LarderPlatform", .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(name: "LarderEngine", dependencies: ["Larder"]),
        .target(name: "LarderFiles", dependencies: ["Larder", "LarderEngine", "LarderPlatform"]),
        .target(name: "LarderKeyValue", dependencies: ["Larder", "LarderEngine"]),
        .target(name: "LarderText", dependencies: ["Larder"]),
        .target(
            name: "LarderTransfer",
            dependencies: ["Larder", "LarderEngine", "LarderFiles", "LarderPlatform", "LarderText"]
        ),
        .target(
            name: "LarderMemory",
            dependencies: ["Larder", "LarderEngine", "LarderKeyValue"],
            path: "Adapters/Memory"
        ),
        .systemLibrary(
            name: "CSQLite",
            path: "Adapters/SQLite/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
        ),
        .target(
            name: "LarderSQLite",
            dependencies: [
                "Larder", "LarderEngine", "LarderFiles", "LarderMemory", "LarderPlatform", "CSQLite",
            ],
            path: "Adapters/SQLite",
            exclude: ["CSQLite"]
        ),
        .systemLibrary(
            name: "CLMDB",
            path: "Adapters/LMDB/CLMDB",
            pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]
        ),
        .target(
            name: "LarderLMDB",
            dependencies: [
                "Larder", "LarderEngine", "LarderFiles", "LarderKeyValue", "LarderMemory", "LarderPlatform",
                "CLMDB",
            ],
            path: "Adapters/LMDB",
            exclude: ["CLMDB"]
        ),
        .target(name: "LarderTesting", dependencies: ["Larder", "LarderMemory"]),
        .target(name: "LarderConformance", dependencies: ["Larder", "LarderText"]),
        .target(name: "ProcessFixtures", dependencies: ["Larder"], path: "Tests/ProcessFixtures"),
        .executableTarget(
            name: "StoreProcess",
            dependencies: ["Larder", "LarderLMDB", "LarderSQLite", "LarderTransfer", "ProcessFixtures"],
            path: "Tests/StoreProcess"
        ),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "LarderFiles", "AdapterTestSupport", "Larder", "LarderLMDB", "LarderSQLite", "LarderTransfer",
                "ProcessFixtures", "StoreProcess",
            ]
        ),
        .testTarget(
            name: "LarderTests",
            dependencies: [
                "AdapterTestSupport", "Larder", "LarderEngine", "LarderFiles", "LarderKeyValue",
                "LarderMemory", "LarderTesting",
            ]
        ),
        .testTarget(
            name: "LarderTextTests", dependencies: ["AdapterTestSupport", "Larder", "LarderText"]),
        .testTarget(
            name: "LarderMacrosTests",
            dependencies: [
                "LarderMacros",
                .product(
                    name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
            ]
        ),
        .testTarget(
            name: "LarderKeyValueTests",
            dependencies: ["AdapterTestSupport", "LarderKeyValue", "LarderMemory"]
        ),
        .testTarget(name: "LarderMemoryTests", dependencies: ["AdapterTestSupport", "LarderMemory"]),
        .target(
            name: "AdapterTestSupport", dependencies: ["Larder", "LarderText"],
            path: "Tests/AdapterTestSupport"
        ),
        .testTarget(
            name: "LarderSQLiteTests",
            dependencies: ["AdapterTestSupport", "LarderFiles", "LarderSQLite", "CSQLite"]),
        .executableTarget(
            name: "VerificationProcess",
            dependencies: ["CLMDB"],
            path: "Tests/VerificationProcess"
        ),
        .testTarget(
            name: "LarderLMDBTests",
            dependencies: [
                "AdapterTestSupport", "LarderFiles", "LarderLMDB", "LarderKeyValue", "CLMDB",
                "VerificationProcess",
            ]
        ),
        .testTarget(
            name: "TransferTests",
            dependencies: [
                "LarderEngine", "LarderFiles", "AdapterTestSupport", "LarderConformance", "LarderKeyValue",
                "LarderMemory",
                "LarderSQLite",
                "LarderLMDB", "LarderTransfer",
            ]
        ),
        .testTarget(
            name: "LarderTestingTests",
            dependencies: [
                "AdapterTestSupport", "CSQLite", "Larder", "LarderLMDB", "LarderMemory", "LarderSQLite",
                "LarderTesting",
            ]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "LarderEngine", "AdapterTestSupport", "LarderConformance", "LarderMemory", "LarderSQLite",
                "LarderLMDB", "LarderTesting",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The examples and the guides' code need the macro; a build without the trait leaves them out by this variable.
if Context.environment["LARDER_WITHOUT_EXAMPLES"] == nil {
    package.targets += [
        .executableTarget(
            name: "larder-demo",
            dependencies: ["Larder", "LarderLMDB", "LarderMemory", "LarderSQLite", "LarderTransfer"],
            path: "Examples/Demo"
        ),
        .executableTarget(
            name: "QuickStart",
            dependencies: ["Larder", "LarderSQLite"],
            path: "Examples/QuickStart"
        ),
        .executableTarget(
            name: "OrderBasket",
            dependencies: ["Larder", "LarderMemory", "LarderSQLite"],
            path: "Examples/OrderBasket"
        ),
        .executableTarget(
            name: "TwoPanes", dependencies: ["Larder", "LarderMemory"], path: "Examples/TwoPanes"),
        .executableTarget(
            name: "FourVersions",
            dependencies: ["Larder", "LarderLMDB", "LarderSQLite", "LarderTransfer"],
            path: "Examples/FourVersions"
        ),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "AdapterTestSupport", "FourVersions", "Larder", "LarderTesting", "OrderBasket", "TwoPanes",
            ]),
        // The compiler's own words, for code that is wrong on purpose; and the examples in doc comments.
        .testTarget(
            name: "CompilerTests",
            dependencies: [
                "AdapterTestSupport", "Larder", "LarderConformance", "LarderEngine", "LarderKeyValue",
                "LarderLMDB",
                "LarderMemory", "LarderSQLite", "LarderTesting", "LarderText", "LarderTransfer",
            ],
            exclude: ["DocWorld"]),
        // Item types that refer to each other, made by the macro.
        .testTarget(name: "GraphTests", dependencies: ["Larder", "LarderMemory"]),
        // The code in MigrationGuide.md, Testing.md, Transfer.md and FAQ.md, compiled and run.
        .testTarget(
            name: "GuideTests",
            dependencies: [
                "AdapterTestSupport", "Larder", "LarderLMDB", "LarderMemory", "LarderSQLite", "LarderTesting",
                "LarderText", "LarderTransfer",
            ]),
    ]
}

// Warnings are errors in `make`; never for users, as packages with unsafe flags cannot be depended upon.
let isStrict = Context.environment["LARDER_STRICT"] != nil

for target in package.targets where target.type != .system {
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ] + (isStrict ? [.unsafeFlags(["-warnings-as-errors"])] : [])
}
