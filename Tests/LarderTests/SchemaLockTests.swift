import Larder
import LarderTesting
import Testing

@testable import AdapterTestSupport

/// The lock of a history, and the expectation that an app's test makes.
struct SchemaLockTests {
    private static func history(_ text: String) -> SchemaHistory {
        [SchemaVersion("1", describedBy: "A\n  id: uuid"), SchemaVersion("2: b", describedBy: text)]
    }

    private static let released = history("A\n  id: uuid\n  name: string")
    private static let changed = history("A\n  id: uuid\n  name: string\n  note: string?")

    private static func failure(_ history: SchemaHistory, _ lock: String) -> SchemaLockFailure? {
        do {
            try expectSchema(history, matchesLock: lock)
            return nil
        } catch {
            return error as? SchemaLockFailure
        }
    }

    @Test func `a lock is a line for each version, and holds while nothing changes`() throws {
        let lock = try Self.released.lock()

        #expect(
            lock == """
                1: \(try SchemaShape(text: "A\n  id: uuid").hash)
                2: b: \(try SchemaShape(text: "A\n  id: uuid\n  name: string").hash)
                """)
        try expectSchema(Self.released, matchesLock: lock)
        try expectSchema(Self.released, matchesLock: "\n\(lock)\n")
        try expectSchema(Self.released, matchesLock: lock.uppercased().replacing(": B", with: ": b"))
    }

    @Test func `a change without a new version fails with the new lock`() throws {
        let failure = try #require(Self.failure(Self.changed, try Self.released.lock()))

        #expect(
            failure.differences == [
                """
                Version 2: b has changed; its shape is now:
                    A
                      id: uuid
                      name: string
                      note: string?
                """
            ])
        #expect(failure.lock == (try Self.changed.lock()))
        #expect(failure.description.hasSuffix("\n\n" + failure.lock))
        try expectSchema(Self.changed, matchesLock: failure.lock)
    }

    @Test func `a lock with shapes names what has changed`() throws {
        let lock = try Self.released.lock(withShapes: true)
        let failure = try #require(Self.failure(Self.changed, lock))

        #expect(failure.differences == ["Version 2: b has changed: A.note: string? is new."])
        #expect(failure.lock == (try Self.changed.lock(withShapes: true)))
        try expectSchema(Self.released, matchesLock: lock)
        try expectSchema(Self.changed, matchesLock: failure.lock)
    }

    @Test func `a new version, and one that is gone, are named`() throws {
        let lock = try Self.released.lock()
        let first = SchemaHistory([Self.released.versions[0]])

        #expect(
            Self.failure(Self.released, try first.lock())?.differences
                == ["Version 2: b is not in the lock."])
        #expect(
            Self.failure(first, lock)?.differences
                == ["Version 2: b is in the lock, and the history does not have it any more."])
    }

    @Test func `a hash that is not that of its shape is named`() throws {
        let hash = try SchemaShape(text: "A\n  id: uuid").hash
        let lock = try Self.released.lock(withShapes: true)
            .replacing(hash, with: String(repeating: "0", count: 32))

        #expect(
            Self.failure(Self.released, lock)?.differences
                == ["The hash of version 1 in the lock does not match the shape below it."])
    }

    @Test(
        arguments: [
            ("1 4f0c", "Line 1 of the lock is not a version with its hash."),
            ("1: 4f0c", "Line 1 of the lock is not a version with its hash."),
            (": 00000000000000000000000000000000", "Line 1 of the lock is not a version with its hash."),
            ("\n  A", "Line 2 of the lock is not a version with its hash."),
            (
                "1: 00000000000000000000000000000000\n  A\n    id: what",
                "\"what\" is not a type of attributes in line 3 of the description of a schema."
            ),
        ])
    func `a lock that cannot be read is refused with its line`(lock: String, message: String) {
        let error = thrown { try expectSchema(Self.released, matchesLock: lock) }

        #expect(error?.code == .invalidSchema)
        #expect(error?.messageLines.first == message)
    }

    @Test func `a version without types is read back from a lock with shapes`() throws {
        let history = SchemaHistory([
            SchemaVersion("0", storing: []), SchemaVersion("1", describedBy: "A\n  id: uuid"),
        ])
        let lock = try history.lock(withShapes: true)
        #expect(
            lock == """
                0: \(SchemaShape(StoredSchema.empty).hash)
                1: \(try SchemaShape(text: "A\n  id: uuid").hash)
                  A
                    id: uuid
                """)

        let versions = try SchemaLock(text: lock).versions()

        #expect(versions.map(\.name) == ["0", "1"])
        #expect(try SchemaHistory(versions).lock(withShapes: true) == lock)
        let hashes = try history.lock()
        #expect(
            thrown { try SchemaLock(text: hashes).versions() }?.message
                == "The lock has only the hash of version 1, and not its shape.")
    }

    @Test func `lines may end as on Windows`() throws {
        for withShapes in [false, true] {
            let lock = try Self.released.lock(withShapes: withShapes)
            try expectSchema(Self.released, matchesLock: lock.replacing("\n", with: "\r\n") + "\r\n")
        }
        let text = "A\r\n  id: uuid\r\n\r\n  name: string\r\n"
        #expect(try SchemaShape(text: text) == SchemaShape(text: "A\n  id: uuid\n  name: string"))
        #expect(
            thrown { try SchemaShape(text: "A\r\n  id: what\r\n") }?.messageLines.first
                == "\"what\" is not a type of attributes in line 2 of the description of a schema.")
    }

    @Test func `an empty lock names every version`() {
        #expect(
            Self.failure(Self.released, "")?.differences
                == ["Version 1 is not in the lock.", "Version 2: b is not in the lock."])
    }
}
