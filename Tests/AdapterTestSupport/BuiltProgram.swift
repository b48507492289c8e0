import Foundation

/// The programs of this package, which are built with the tests, beside them.
enum BuiltProgram {
    static func url(of name: String) -> URL {
        let tests = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
        let folders = tests.flatMap { [$0.deletingLastPathComponent(), $0] }
        return folders.map { $0.appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? URL(fileURLWithPath: name)
    }
}
