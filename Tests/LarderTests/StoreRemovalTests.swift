import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderFiles

/// Stores that are set aside where the file system has no hard links.
struct StoreRemovalTests {
    private static let engine = FileEngine(
        "Test", companionSuffixes: ["-log", "-index"], recognizesDamaged: false
    ) { _ throws(DataStoreError) in }

    /// What is in a folder, by the names of the files.
    private static func contents(of folder: URL) throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            contents[name] = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        }
        return contents
    }

    private let folder: TemporaryFolder
    private let files = ["store": "rows", "store-log": "commits"]

    init() throws {
        folder = try TemporaryFolder()
        for (name, text) in files { try Data(text.utf8).write(to: folder.file(name)) }
    }

    private func removal(
        addLink: @escaping (String, String) throws(DataStoreError) -> Bool?
    ) -> StoreRemoval {
        StoreRemoval(
            of: Self.engine, at: StorePlace(folder.file("store").path), FileStoreOptions(), addLink: addLink)
    }

    @Test func `no file goes from its place before all are in the folder`() throws {
        let place = folder.file("store").deletingLastPathComponent()
        let seen = Locked<[[String: String]]>([])
        let removal = removal { (_, _) throws(DataStoreError) in
            let contents = (try? Self.contents(of: place)) ?? [:]
            seen.withLock { $0.append(contents) }
            return nil
        }

        let location = try #require(try removal.setAside { () throws(DataStoreError) in true })

        #expect(seen.withLock { $0 } == [files, files])
        #expect(try Self.contents(of: place) == [:])
        let aside = URL(fileURLWithPath: location).deletingLastPathComponent()
        #expect(aside.lastPathComponent == "store.set-aside-1")
        #expect(try Self.contents(of: aside) == files)
    }

    @Test func `a store whose files cannot all be copied stays whole, and no folder is left`() throws {
        let place = folder.file("store").deletingLastPathComponent()
        let removal = removal { (newPath, _) throws(DataStoreError) in
            if newPath.hasSuffix("store") { throw DataStoreError(.storeFull, "The disk is full.") }
            return nil
        }

        let error = #expect(throws: DataStoreError.self) {
            _ = try removal.setAside { () throws(DataStoreError) in true }
        }

        #expect(error?.code == .storeFull)
        #expect(try Self.contents(of: place) == files)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == 2)
    }

    #if os(Linux)
        @Test func `a process that is forked under the lock of a folder does not keep it`() async throws {
            await #expect(processExitsWith: .success) { [path = folder.path as String] in
                var pipeEnds: [Int32] = [-1, -1]
                guard pipe(&pipeEnds) == 0 else { exit(2) }
                let (readEnd, writeEnd) = (pipeEnds[0], pipeEnds[1])
                var children: [pid_t] = []
                func forkChild() {
                    let child = fork()
                    if child == 0 {
                        // Lives as long as the other process has the pipe open.
                        close(writeEnd)
                        var byte: UInt8 = 0
                        _ = read(readEnd, &byte, 1)
                        _exit(0)
                    }
                    children.append(child)
                }
                func isUnlocked() throws -> Bool {
                    var hasRun = false
                    try FileAccess.ifUnlocked(path) { () throws(DataStoreError) in hasRun = true }
                    return hasRun
                }

                try FileAccess.whileLocked(path) { () throws(DataStoreError) in forkChild() }
                guard try isUnlocked() else { exit(3) }
                try FileAccess.ifUnlocked(path) { () throws(DataStoreError) in forkChild() }
                guard try isUnlocked() else { exit(4) }

                guard children.count == 2 else { exit(5) }
                close(writeEnd)
                for child in children { waitpid(child, nil, 0) }
            }
        }
    #endif
}
