// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// The arrows run one way: adapters -> LarderKeyValue -> LarderVersions -> LarderEngine -> LarderKernel, SQL adapters ->
// LarderSQL -> LarderKernel, and LarderTransfer and LarderRecords -> LarderText -> LarderKernel. A feature is a target
// over LarderKernel, which knows none of them; Larder re-exports what apps use. LarderDiagnostics, LarderPattern,
// LarderPlatform, LarderThreads and LarderValues are below the kernel and need nothing of it; LarderThreads has
// nothing public.
// LarderTesting -> LarderMemory: an app's tests name the other engines themselves, and link no more than these.
// Nothing in Sources/LarderKernel names an engine.

// The tests take PostgreSQL without the trait, which would build everything once more for its condition.
let testsPostgreSQL = Context.environment["LARDER_POSTGRESQL"].map { !$0.isEmpty } ?? false
let libpq: TargetDependencyCondition? = testsPostgreSQL ? nil : .when(traits: ["PostgreSQL"])
let usersOfPostgreSQL = [
    "LarderPostgreSQL", "PostgreSQLTestSupport", "LarderPostgreSQLTests", "ConformanceTests",
    "LarderCommandLine", "LarderCommandTests", "ProcessFixtures", "ProcessTests", "ManyTills", "ExampleTests",
    "CompilerTests",
]
// So do they take swift-metrics.
let testsMetrics = Context.environment["LARDER_METRICS"].map { !$0.isEmpty } ?? false
let metrics: TargetDependencyCondition? = testsMetrics ? nil : .when(traits: ["Metrics"])

// Apple's systems want a privacy manifest. Elsewhere it would make a bundle that every program has to carry.
#if os(macOS)
    let hasResources = true
#else
    let hasResources = false
#endif

let package = Package(
    name: "Larder",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9)],
    products: [
        .library(name: "Larder", targets: ["Larder"]),
        .library(name: "LarderDefaultStore", targets: ["LarderDefaultStore"]),
        .library(name: "LarderMemory", targets: ["LarderMemory"]),
        .library(name: "LarderSQLite", targets: ["LarderSQLite"]),
        .library(name: "LarderLMDB", targets: ["LarderLMDB"]),
        .library(name: "LarderPostgreSQL", targets: ["LarderPostgreSQL"]),
        .library(name: "LarderKeyValue", targets: ["LarderKeyValue"]),
        .library(name: "LarderFiles", targets: ["LarderFiles"]),
        .library(name: "LarderEngine", targets: ["LarderEngine"]),
        .library(name: "LarderVersions", targets: ["LarderVersions"]),
        .library(name: "LarderText", targets: ["LarderText"]),
        .library(name: "LarderRecords", targets: ["LarderRecords"]),
        .library(name: "LarderTransfer", targets: ["LarderTransfer"]),
        .library(name: "LarderMetrics", targets: ["LarderMetrics"]),
        .library(name: "LarderSwiftUI", targets: ["LarderSwiftUI"]),
        .library(name: "LarderRouting", targets: ["LarderRouting"]),
        .library(name: "LarderTesting", targets: ["LarderTesting"]),
        .library(name: "LarderConformance", targets: ["LarderConformance"]),
    ],
    traits: [
        .default(enabledTraits: ["Macros"]),
        .trait(
            name: "Macros",
            description: "The @StoredItem macro. Without it, nothing of swift-syntax is resolved or built."
        ),
        .trait(
            name: "PostgreSQL",
            description:
                "Stores on a PostgreSQL server. Without it, LarderPostgreSQL is empty and libpq is not needed."
        ),
        .trait(
            name: "Metrics",
            description:
                "Metrics of stores in LarderMetrics. Without it, nothing of swift-metrics is resolved or built."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
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
            ],
            exclude: ["README.md"]
        ),
        .target(name: "LarderPlatform", exclude: ["README.md"]),
        .target(
            name: "LarderDiagnostics",
            dependencies: [
                "LarderPlatform", "LarderThreads", .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["README.md"]),
        .target(name: "LarderPattern", exclude: ["README.md"]),
        .target(name: "LarderValues", exclude: ["README.md"]),
        .target(name: "LarderThreads", dependencies: ["LarderPlatform"], exclude: ["README.md"]),
        .target(
            name: "LarderKernel",
            dependencies: [
                "LarderDiagnostics", "LarderPattern", "LarderPlatform", "LarderThreads", "LarderValues",
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["README.md"]
        ),
        .target(
            name: "LarderAggregates", dependencies: ["LarderKernel", "LarderValues"], exclude: ["README.md"]),
        .target(name: "LarderCalculations", dependencies: ["LarderKernel"], exclude: ["README.md"]),
        // Stores over a store: staged changes and merges.
        .target(
            name: "LarderChildren", dependencies: ["LarderDiagnostics", "LarderKernel"],
            exclude: ["README.md"]),
        .target(name: "LarderObservation", dependencies: ["LarderKernel"], exclude: ["README.md"]),
        .target(name: "LarderBlocks", dependencies: ["LarderKernel"], exclude: ["README.md"]),
        .target(
            name: "LarderPages", dependencies: ["LarderKernel", "LarderPattern"], exclude: ["README.md"]),
        .target(
            name: "LarderPredicate", dependencies: ["LarderKernel", "LarderCalculations", "LarderPattern"],
            exclude: ["README.md"]),
        .target(name: "LarderForeignNames", dependencies: ["LarderKernel"], exclude: ["README.md"]),
        .target(name: "LarderHooks", dependencies: ["LarderKernel"], exclude: ["README.md"]),
        .target(name: "LarderImport", dependencies: ["LarderKernel"], exclude: ["README.md"]),
        .target(
            name: "LarderUnions",
            dependencies: ["LarderAggregates", "LarderKernel", "LarderPages", "LarderPattern"],
            exclude: ["README.md"]),
        .target(name: "LarderNames", dependencies: ["LarderKernel"], exclude: ["README.md"]),
        // What an app imports.
        .target(
            name: "Larder",
            dependencies: [
                "LarderKernel", "LarderAggregates", "LarderBlocks", "LarderCalculations", "LarderChildren",
                "LarderDiagnostics", "LarderForeignNames", "LarderHooks", "LarderImport", "LarderMacros",
                "LarderNames", "LarderObservation", "LarderPages", "LarderPattern", "LarderPredicate",
                "LarderUnions", "LarderVersions",
            ],
            exclude: ["README.md"]),
        // Property wrappers and edit sessions for SwiftUI; empty on other platforms.
        .target(name: "LarderSwiftUI", dependencies: ["Larder"], exclude: ["README.md"]),
        // Timers, counters and signposts of what a store does.
        .target(
            name: "LarderMetrics",
            dependencies: [
                "LarderDiagnostics", "LarderKernel",
                .product(name: "CoreMetrics", package: "swift-metrics", condition: metrics),
            ],
            exclude: ["README.md"]),
        // Calls without a store, for apps that want a default one.
        .target(name: "LarderDefaultStore", dependencies: ["Larder"], exclude: ["README.md"]),
        .target(
            name: "LarderEngine",
            dependencies: ["LarderKernel", "LarderPattern", "LarderPlatform", "LarderValues"],
            exclude: ["README.md"]),
        .target(
            name: "LarderVersions", dependencies: ["LarderKernel", "LarderEngine"], exclude: ["README.md"]),
        .target(
            name: "LarderFiles",
            dependencies: ["LarderKernel", "LarderVersions", "LarderEngine", "LarderPlatform"],
            exclude: ["README.md"] + (hasResources ? [] : ["PrivacyInfo.xcprivacy"]),
            resources: hasResources ? [.copy("PrivacyInfo.xcprivacy")] : []),
        .target(
            name: "LarderKeyValue", dependencies: ["LarderKernel", "LarderVersions", "LarderEngine"],
            exclude: ["README.md"]),
        // What SQL engines share. Not a product: adapters of this package use it, and pass its public part on to apps.
        .target(
            name: "LarderSQL", dependencies: ["LarderKernel", "LarderPattern"], exclude: ["README.md"]),
        .target(
            name: "LarderText", dependencies: ["LarderKernel", "LarderPattern", "LarderValues"],
            exclude: ["README.md"]),
        // Imports of CSV, JSON and other records.
        .target(
            name: "LarderRecords",
            dependencies: ["LarderKernel", "LarderImport", "LarderEngine", "LarderText"],
            exclude: ["README.md"]
        ),
        .target(
            name: "LarderTransfer",
            dependencies: [
                "LarderKernel", "LarderVersions", "LarderEngine", "LarderFiles", "LarderPlatform",
                "LarderText",
            ],
            exclude: ["README.md"]
        ),
        .target(
            name: "LarderMemory",
            dependencies: ["LarderKernel", "LarderVersions", "LarderEngine", "LarderKeyValue"],
            path: "Adapters/Memory",
            exclude: ["README.md"]
        ),
        .systemLibrary(
            name: "CSQLite",
            path: "Adapters/SQLite/CSQLite",
            // The system's, and without pkg-config: on a Mac that would find Homebrew's.
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .target(
            name: "LarderSQLite",
            dependencies: [
                "LarderKernel", "LarderVersions", "LarderEngine", "LarderFiles", "LarderMemory",
                "LarderPattern", "LarderPlatform", "LarderSQL", "LarderValues", "CSQLite",
            ],
            path: "Adapters/SQLite",
            exclude: ["CSQLite", "README.md"]
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
                "LarderKernel", "LarderVersions", "LarderEngine", "LarderFiles", "LarderKeyValue",
                "LarderMemory",
                "LarderPlatform", "CLMDB",
            ],
            path: "Adapters/LMDB",
            exclude: ["CLMDB", "README.md"]
        ),
        .systemLibrary(
            name: "CPostgreSQL",
            path: "Adapters/PostgreSQL/CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
        ),
        .target(
            name: "LarderPostgreSQL",
            dependencies: [
                "LarderKernel", "LarderVersions", "LarderEngine", "LarderMemory", "LarderPattern",
                "LarderPlatform", "LarderValues",
                "LarderSQL",
                .target(name: "CPostgreSQL", condition: libpq),
            ],
            path: "Adapters/PostgreSQL",
            exclude: ["CPostgreSQL", "README.md"]
        ),
        .target(
            name: "LarderTesting", dependencies: ["LarderKernel", "LarderVersions", "LarderMemory"],
            exclude: ["README.md"]),
        // One store over several.
        .target(
            name: "LarderRouting",
            dependencies: [
                "LarderKernel", "LarderVersions", "LarderEngine", "LarderMemory", "LarderPlatform",
            ],
            exclude: ["README.md"]),
        .target(
            name: "LarderConformance", dependencies: ["Larder", "LarderFiles", "LarderSQL", "LarderText"],
            exclude: ["README.md"]),
        .target(
            name: "ProcessFixtures",
            dependencies: ["Larder", "LarderLMDB", "LarderPostgreSQL", "LarderRouting", "LarderSQLite"],
            path: "Tests/ProcessFixtures"),
        .executableTarget(
            name: "StoreProcess",
            dependencies: [
                "CLMDB", "Larder", "LarderLMDB", "LarderSQLite", "LarderTransfer", "ProcessFixtures",
            ],
            path: "Tests/StoreProcess"
        ),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "LarderFiles", "AdapterTestSupport", "Larder", "LarderLMDB", "LarderPostgreSQL",
                "LarderSQLite", "LarderTransfer", "PostgreSQLTestSupport", "ProcessFixtures", "StoreProcess",
            ]
        ),
        .testTarget(
            name: "LarderTests",
            dependencies: [
                "LarderChildren", "LarderKernel", "LarderImport", "LarderObservation", "LarderValues",
                "LarderVersions", "AdapterTestSupport", "Larder", "LarderEngine", "LarderFiles",
                "LarderKeyValue", "LarderMemory", "LarderTesting",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "LarderTextTests", dependencies: ["AdapterTestSupport", "Larder", "LarderText"]),
        .testTarget(
            name: "LarderKeyValueTests",
            dependencies: ["AdapterTestSupport", "LarderKeyValue", "LarderMemory"]
        ),
        .testTarget(
            name: "LarderMemoryTests", dependencies: ["AdapterTestSupport", "LarderEngine", "LarderMemory"]),
        .target(
            name: "AdapterTestSupport", dependencies: ["Larder", "LarderText"],
            path: "Tests/AdapterTestSupport"
        ),
        .testTarget(
            name: "LarderSQLiteTests",
            dependencies: ["AdapterTestSupport", "LarderEngine", "LarderFiles", "LarderSQLite", "CSQLite"]),
        .target(
            name: "PostgreSQLTestSupport", dependencies: ["Larder", "LarderPostgreSQL"],
            path: "Tests/PostgreSQLTestSupport"),
        .testTarget(
            name: "LarderPostgreSQLTests",
            dependencies: [
                "AdapterTestSupport", "Larder", "LarderKernel", "LarderLMDB", "LarderMemory",
                "LarderPostgreSQL", "LarderRouting", "LarderSQLite", "LarderTransfer",
                "PostgreSQLTestSupport",
                .target(name: "CPostgreSQL", condition: libpq),
            ]),
        .testTarget(
            name: "LarderSQLTests",
            dependencies: [
                "AdapterTestSupport", "Larder", "LarderConformance", "LarderEngine", "LarderSQL",
                "LarderSQLite",
            ]),
        .testTarget(
            name: "LarderLMDBTests",
            dependencies: [
                "AdapterTestSupport", "LarderEngine", "LarderFiles", "LarderLMDB", "LarderKeyValue", "CLMDB",
                "StoreProcess",
            ]
        ),
        .testTarget(
            name: "TransferTests",
            dependencies: [
                "LarderText", "LarderVersions",
                "LarderRecords",
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
            name: "LarderMetricsTests",
            dependencies: [
                "AdapterTestSupport", "Larder", "LarderMemory", "LarderMetrics",
                .product(name: "CoreMetrics", package: "swift-metrics", condition: metrics),
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: metrics),
            ]
        ),
        .testTarget(
            name: "LarderRoutingTests",
            dependencies: [
                "AdapterTestSupport", "Larder", "LarderLMDB", "LarderMemory", "LarderRouting", "LarderSQLite",
                "LarderTransfer",
            ]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "LarderEngine", "AdapterTestSupport", "LarderConformance", "LarderMemory", "LarderSQLite",
                "LarderLMDB", "LarderRouting", "LarderTesting", "PostgreSQLTestSupport",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Warnings are errors in `make`; never for users, as packages with unsafe flags cannot be depended upon.
let isStrict = Context.environment["LARDER_STRICT"] != nil

// What stands in for SwiftUI on Linux is compiled in `make` alone: for apps, LarderSwiftUI is empty there.
let usersOfSwiftUI = ["LarderSwiftUI", "LarderSwiftUITests", "RecipeApp"]
let hasStandIns = isStrict && Context.environment["LARDER_WITHOUT_EXAMPLES"] == nil
#if os(macOS)
    let hasSwiftUI = true
#else
    let hasSwiftUI = hasStandIns
#endif

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
        // The package that `larder new` makes.
        .executableTarget(
            name: "Shelf", dependencies: ["Larder", "LarderSQLite"], path: "Tools/Tests/Shelf/Sources/Shelf"),
        .testTarget(
            name: "ShelfTests", dependencies: ["Shelf", "Larder", "LarderTesting"],
            path: "Tools/Tests/Shelf/Tests/ShelfTests"),
        .executableTarget(
            name: "TwoPanes", dependencies: ["Larder", "LarderMemory"], path: "Examples/TwoPanes"),
        .executableTarget(
            name: "ManyTills", dependencies: ["Larder", "LarderPostgreSQL"], path: "Examples/ManyTills"),
        .executableTarget(
            name: "FourVersions",
            dependencies: ["Larder", "LarderLMDB", "LarderSQLite", "LarderTransfer"],
            path: "Examples/FourVersions"
        ),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "AdapterTestSupport", "FourVersions", "Larder", "LarderMemory", "LarderTesting", "ManyTills",
                "OrderBasket", "PostgreSQLTestSupport", "TwoPanes",
            ]),
        // The compiler's own words, for code that is wrong on purpose; and the examples in doc comments.
        .testTarget(
            name: "CompilerTests",
            dependencies: [
                "AdapterTestSupport", "Larder", "LarderConformance", "LarderDefaultStore", "LarderEngine",
                "LarderKeyValue", "LarderLMDB", "LarderMemory", "LarderPostgreSQL", "LarderRecords",
                "LarderRouting", "LarderSQLite", "LarderTesting", "LarderText", "LarderTransfer",
            ],
            exclude: ["AppleStandIns", "DocWorld"]),
        // Item types that refer to each other, made by the macro.
        .testTarget(name: "GraphTests", dependencies: ["Larder", "LarderDefaultStore", "LarderMemory"]),
        // The code in MigrationGuide.md, Testing.md, Transfer.md and FAQ.md, compiled and run.
        .testTarget(
            name: "GuideTests",
            dependencies: [
                "LarderRecords",
                "AdapterTestSupport", "Larder", "LarderConformance", "LarderKeyValue", "LarderLMDB",
                "LarderMemory", "LarderRouting", "LarderSQLite", "LarderTesting", "LarderText",
                "LarderTransfer",
            ]),
    ]
}

if hasSwiftUI {
    package.targets += [
        .executableTarget(
            name: "RecipeApp", dependencies: ["Larder", "LarderMemory", "LarderSQLite", "LarderSwiftUI"],
            path: "Examples/RecipeApp", exclude: ["README.md"]),
        .testTarget(
            name: "LarderSwiftUITests",
            dependencies: ["Larder", "LarderMemory", "LarderSwiftUI", "RecipeApp"]),
    ]
}
if hasStandIns {
    package.targets.append(.target(name: "SwiftUIStandIns", path: "Tests/SwiftUIStandIns"))
    for target in package.targets where usersOfSwiftUI.contains(target.name) {
        target.dependencies.append(.target(name: "SwiftUIStandIns", condition: .when(platforms: [.linux])))
    }
}

// The command line is left out unless the Makefile asks for it, so that apps never fetch what only it needs.
let isWithTools = Context.environment["LARDER_TOOLS"].map { !$0.isEmpty } ?? false
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
if isWithTools {
    package.dependencies.append(
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"))
    package.products.append(.executable(name: "larder", targets: ["LarderCommand"]))
    package.targets += [
        // Not called larder: on file systems that ignore case its module would be the library's.
        .executableTarget(
            name: "LarderCommand", dependencies: ["LarderCommandLine", argumentParser],
            path: "Tools/Sources/LarderCommand"),
        .target(
            name: "LarderCommandLine",
            dependencies: [
                "Larder", "LarderLMDB", "LarderPostgreSQL", "LarderSQLite", "LarderFiles", "LarderRecords",
                "LarderTransfer", argumentParser,
            ],
            path: "Tools/Sources/LarderCommandLine"),
        .testTarget(
            name: "LarderCommandLineTests", dependencies: ["LarderCommandLine", "Larder"],
            path: "Tools/Tests/LarderCommandLineTests"),
        .testTarget(
            name: "LarderCommandTests",
            dependencies: [
                "LarderCommand", "LarderCommandLine", "Larder", "LarderLMDB", "LarderPostgreSQL",
                "LarderSQLite",
                "PostgreSQLTestSupport",
            ],
            path: "Tools/Tests/LarderCommandTests"),
    ]
}

// The macro's tests link the macro, which is a tool of the compiler. In one bundle with them, all tests and all that
// they link would be built a second time, as tools. So they are a bundle of their own (`make test-macro`).
if Context.environment["LARDER_MACRO_TESTS"] != nil {
    package.name = "LarderMacro"
    // No other target, so that none is compiled once more because the environment of `make test` is another one.
    package.products.removeAll()
    package.targets.removeAll { $0.name != "LarderMacros" }
    package.targets.append(
        .testTarget(
            name: "LarderMacrosTests",
            dependencies: [
                "LarderMacros",
                .product(
                    name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax",
                    condition: .when(traits: ["Macros"])),
            ]
        )
    )
}

// The tests run optimized code of the library, with its assertions. It has no effect on release builds.
// These are the targets in which the tests spend their time: to optimize any other takes as long as it saves, or longer.
let isOptimized = Context.environment["LARDER_OPTIMIZED"].map { !$0.isEmpty } ?? false
let optimization = SwiftSetting.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
let optimized = [
    "LarderDiagnostics", "LarderEngine", "LarderKernel", "LarderKeyValue", "LarderLMDB", "LarderMemory",
    "LarderPattern", "LarderPlatform", "LarderSQL", "LarderSQLite", "LarderThreads", "LarderValues",
]

// The command line is a package to the compiler: it uses the public interface, and nothing that is `package`.
let asPackageOfItsOwn = SwiftSetting.unsafeFlags(["-package-name", "LarderTools"])

for target in package.targets where target.type != .system {
    target.swiftSettings =
        [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ] + (isStrict ? [.unsafeFlags(["-warnings-as-errors"])] : [])
        + (isOptimized && optimized.contains(target.name) ? [optimization] : [])
        + (target.name.hasPrefix("LarderCommand") && target.type != .test ? [asPackageOfItsOwn] : [])
        + (testsPostgreSQL && usersOfPostgreSQL.contains(target.name) ? [.define("PostgreSQL")] : [])
        + (testsMetrics && target.name.hasPrefix("LarderMetrics") ? [.define("Metrics")] : [])
        + (hasStandIns && usersOfSwiftUI.contains(target.name)
            ? [.define("SwiftUIStandIns", .when(platforms: [.linux]))] : [])
}
