import Foundation

/// A folder of its own for one test, removed with everything in it when the test lets go of it.
final class TemporaryFolder: Sendable {
    let url: URL

    /// The medium of a folder.
    enum Medium {
        case disk
        /// Memory if `make test` has found room there, as LARDER_MEMORY tells; else the disk. Small files are made,
        /// synchronized and removed in a part of the time: for tests that are not about disks.
        case inMemory

        fileprivate var folder: URL {
            guard self == .inMemory, let folder = ProcessInfo.variable("LARDER_MEMORY") else {
                return FileManager.default.temporaryDirectory
            }
            return URL(fileURLWithPath: folder, isDirectory: true)
        }
    }

    init(_ medium: Medium = .disk) throws {
        url = medium.folder
            .appendingPathComponent("larder-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var path: String { url.path }

    func file(_ name: String) -> URL { url.appendingPathComponent(name, isDirectory: false) }

    func path(_ name: String) -> String { file(name).path }

    /// The names of everything in the folder, in order.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Every file in the folder with its bytes.
    var contents: [String: Data] {
        get throws {
            var contents: [String: Data] = [:]
            for name in try names { contents[name] = try Data(contentsOf: file(name)) }
            return contents
        }
    }
}

extension URL {
    /// The same place with something behind its name, such as `-wal` or `-lock`.
    func adding(_ suffix: String) -> URL { URL(fileURLWithPath: path + suffix) }

    var fileExists: Bool { FileManager.default.fileExists(atPath: path) }

    var fileBytes: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (attributes[.size] as? NSNumber)?.intValue ?? -1
        }
    }

    /// The permission bits, such as `0o600`.
    var permissions: Int {
        get throws {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
        }
    }
}
