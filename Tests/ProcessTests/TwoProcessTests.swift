import Foundation
import Larder
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// Several processes on one file store.
struct TwoProcessTests {
    @Test(arguments: Engine.all, [false, true])
    func `processes counting in one store lose no count`(_ engine: Engine, afterCrash: Bool) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("store")
        if afterCrash {
            let killed = try ChildProcess([engine.rawValue, "append", file.path])
            while let line = killed.nextLine(), line != "done 1" {}
            killed.kill()
        }
        let (count, times) = afterCrash ? (8, 50) : (2, 200)
        // After a crash, all of them find the store as the killed process left it, and one of them recovers it.
        let children = try (0..<count).map { _ in
            try ChildProcess([engine.rawValue, "increment", file.path, "\(times)"])
        }

        #expect(children.map { $0.waitUntilExit() } == Array(repeating: 0, count: count))

        let store = engine.makeStore(at: file)
        try store.setup()
        #expect(try store.read { try $0.item(id: 0, of: Entry.self)?.block } == 400)
        let first = Entry.entries(ofBlock: 1)[0]
        #expect(try store.read { try $0.item(id: first.id, of: Entry.self) } == (afterCrash ? first : nil))
        try store.tearDown()
    }

    @Test(arguments: Engine.all)
    func `processes that insert into one store at once make no identifier twice`(_ engine: Engine) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("store")
        let children = try (0..<64).map { _ in
            try ChildProcess([engine.rawValue, "identify", file.path, "20"])
        }

        // All are open now.
        let numbers = children.map { $0.nextLine() }
        #expect(Set(numbers).count == 64)
        #expect(!numbers.contains(nil))
        for child in children { child.answer() }

        #expect(children.map { $0.waitUntilExit() } == Array(repeating: 0, count: 64))
        let store = engine.makeStore(at: file)
        try store.setup()
        #expect(try store.read { try $0.countItems(for: Entry.all) } == 64 * 20)
        try store.tearDown()
    }

    @Test(arguments: Engine.all)
    func `another process's commits are read`(_ engine: Engine) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("store")
        let store = engine.makeStore(at: file)
        try store.setup()
        let child = try ChildProcess([engine.rawValue, "increment", file.path, "3"])

        #expect(child.waitUntilExit() == 0)

        #expect(try store.read { try $0.item(id: 0, of: Entry.self)?.block } == 3)
        try store.tearDown()
    }

    @Test(arguments: Engine.all)
    func `waiting for another process's writer ends in busy`(_ engine: Engine) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("store")
        let store = engine.makeStore(at: file, busyTimeout: .milliseconds(50))
        try store.setup()
        let child = try ChildProcess([engine.rawValue, "hold", file.path])
        #expect(child.nextLine() == "inside")

        let error = #expect(throws: DataStoreError.self) {
            try store.writeSync { try $0.insert(Entry(id: 1, block: 1, text: "")) }
        }
        #expect(error?.code == .busy)
        #expect(try store.read { try $0.countItems(for: Entry.all) } == 0)

        child.kill()
        try store.writeSync { try $0.insert(Entry(id: 1, block: 1, text: "")) }
        #expect(try store.read { try $0.countItems(for: Entry.all) } == 1)
        try store.tearDown()
    }
}
