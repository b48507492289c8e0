import Foundation
import Larder
import Testing

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderEngine
@testable import LarderFiles

/// The numbers of processes in identifiers.
///
/// Two objects in one process exclude each other as two processes do.
struct ProcessNumberTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A process with a number, as it begins with a random one.
    private final class OneProcess: Sendable {
        let generator: ItemIDGenerator
        let numbers: ProcessNumbers

        init(_ number: UInt16) {
            generator = ItemIDGenerator(process: number) { 1000 }
            numbers = ProcessNumbers(of: generator)
        }

        var number: UInt16 { generator.process }
    }

    private func store(_ name: String) throws -> StoreFile {
        let path = folder.path(name)
        if !FileAccess.isTaken(path) { try FileAccess.makeFile(path) }
        return try StoreFile(at: path, try #require(try FileAccess.status(at: path)), of: .test)
    }

    @Test func `processes that share a store never share a number`() throws {
        let processes = (0..<20).map { _ in OneProcess(1020) }

        for process in processes { _ = try #require(try process.numbers.hold(in: store("a"))) }

        #expect(processes.map(\.number) == [1020, 1021, 1022, 1023] + Array(0..<16))
    }

    @Test func `processes that share no store may share a number`() throws {
        let (first, second) = (OneProcess(7), OneProcess(7))

        let held = [try first.numbers.hold(in: store("a")), try second.numbers.hold(in: store("b"))]

        #expect(held.count { $0 != nil } == 2)
        #expect([first.number, second.number] == [7, 7])
    }

    @Test func `a number that is taken in a newly opened store is exchanged in all`() throws {
        let (first, second, third) = (OneProcess(7), OneProcess(7), OneProcess(8))
        _ = try first.numbers.hold(in: store("a"))
        _ = try second.numbers.hold(in: store("b"))
        _ = try third.numbers.hold(in: store("b"))

        _ = try second.numbers.hold(in: store("a"))

        #expect([first.number, second.number, third.number] == [7, 9, 8])
        // The old one was given back where it was held.
        let (fourth, fifth) = (OneProcess(7), OneProcess(9))
        _ = try fourth.numbers.hold(in: store("b"))
        _ = try fifth.numbers.hold(in: store("b"))
        #expect([fourth.number, fifth.number] == [7, 10])
    }

    @Test func `a number is free again when its store is closed`() throws {
        let (first, second) = (OneProcess(7), OneProcess(7))
        let held = try first.numbers.hold(in: store("a"))
        held?.release()

        _ = try second.numbers.hold(in: store("a"))
        _ = try first.numbers.hold(in: store("a"))

        #expect([first.number, second.number] == [8, 7])
    }

    @Test func `a process beyond the last number is refused`() throws {
        let file = try store("a")
        let others = try #require(try LockedFile(at: file.path))
        for number in 0..<UInt16(ProcessNumbers.count) where number != 500 {
            #expect(others.lock(.number(number)) == .locked)
        }
        let (last, beyond) = (OneProcess(1), OneProcess(2))

        let held = try last.numbers.hold(in: file)

        #expect(last.number == 500)
        let error = thrown { try beyond.numbers.hold(in: file) }
        #expect(error?.code == .busy)
        #expect(error?.path == file.path)
        held?.release()
        #expect(try beyond.numbers.hold(in: file) != nil)
        #expect(beyond.number == 500)
        others.close()
    }

    @Test func `identifiers under another number are greater, and of a later millisecond`() {
        let generator = ItemIDGenerator(process: 500) { 7 }
        let before = (0..<3).map { _ in generator.next() }

        generator.take(process: 3)

        let start: Int64 = 8 << 22 | 3 << 12
        #expect(generator.next() == start)
        #expect(before.allSatisfy { $0 < start })
        // The time of the identifiers has run ahead of the clock.
        generator.take(process: 2)
        let later: Int64 = 9 << 22 | 2 << 12
        #expect(generator.next() == later)
    }

    @Test func `a file that was replaced meanwhile is refused`() throws {
        let file = try store("a")
        try FileAccess.makeFile(folder.path("b"))
        try FileAccess.move(folder.path("b"), to: folder.path("a"))

        #expect(thrown { try OneProcess(1).numbers.hold(in: file) }?.code == .storeFileMoved)
    }

    @Test func `locks on other bytes and another opening of the file change nothing`() throws {
        let file = try store("a")
        let first = OneProcess(7)
        _ = try first.numbers.hold(in: file)
        // Would drop the other locks of this process.
        _ = try FileAccess.firstBytes(1, of: file.path)

        let second = OneProcess(7)
        _ = try second.numbers.hold(in: file)

        #expect(second.number == 8)
    }

    #if os(Linux)
        @Test func `a forked process has another number in a store of its parent`() async throws {
            await #expect(processExitsWith: .success) { [path = folder.path("a") as String] in
                try FileAccess.makeFile(path)
                guard let found = try FileAccess.status(at: path) else { exit(2) }
                let file = try StoreFile(at: path, found, of: .test)
                guard try ProcessNumbers.shared.hold(in: file) != nil else { exit(3) }
                let parent = ItemIDGenerator.shared.process
                let status = statusOfForkedProcess {
                    // The random number of the child may be the parent's with no harm: it is taken.
                    ItemIDGenerator.shared.take(process: parent)
                    let held = try? ProcessNumbers.shared.hold(in: file)
                    return held != nil && ItemIDGenerator.shared.process != parent ? 0 : 1
                }
                guard status == 0, ItemIDGenerator.shared.process == parent else { exit(4) }
            }
        }
    #endif
}

extension FileEngine {
    fileprivate static let test = FileEngine("Test", companionSuffixes: [], recognizesDamaged: false) {
        _ throws(DataStoreError) in
    }
}
