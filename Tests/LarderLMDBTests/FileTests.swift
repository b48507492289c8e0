import Foundation
import Larder
import LarderFiles
import LarderKeyValue
import LarderLMDB
import Testing
@testable import AdapterTestSupport

@Suite struct `The file of an open store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
    }

    @Test func `the name that a killed upgrade has made is removed before the first change`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1)])
        try store.close()
        #expect(link(url.path, folder.file("store.mdb.backup-1").path) == 0)
        #expect(link(url.path, folder.file("other").path) == 0)

        try store.open()
        #expect(try store.all(Recipe.self) == [Recipe(1)])
        #expect(try folder.names.contains("store.mdb.backup-1"))
        try store.insert([Recipe(2)])

        #expect(try !folder.names.contains("store.mdb.backup-1"))
        #expect(try folder.names.contains("other"))
    }

    @Test func `destroying leaves a foreign file alone`() throws {
        try RawEnvironment(url).write { try RawEnvironment.put([1], at: "a", in: "b", $0) }
        let before = try folder.contents

        #expect(code { try LMDBEngine(at: StorePlace(url)).destroy() } == .foreignStore)

        #expect(try folder.contents == before)
    }

    /// Another process that opened the store would make new lock files, and write beside this one.
    @Test(arguments: ["-lock", "-writer"])
    func `a write notices that a lock file is no longer in its place`(_ suffix: String) throws {
        let store = LMDBDataStore(at: url, storing: [Recipe.self], options: .forTests)
        try store.setup()
        try store.writeSync { _ = try $0.insert(Recipe(1)) }
        let (name, elsewhere) = ("store.mdb" + suffix, folder.file("elsewhere"))
        try FileManager.default.moveItem(at: url.adding(suffix), to: elsewhere)

        for isReplaced in [false, true] {
            if isReplaced { try Data().write(to: url.adding(suffix)) }
            let refused = thrown { try store.writeSync { _ = try $0.insert(Recipe(2)) } }

            #expect(refused?.code == .storeFileMoved)
            #expect(
                refused?.message
                    == "The lock file \(name) was moved, replaced or deleted while the store was open.")
            #expect(refused?.advice == "Tear the store down in all processes, then set it up again.")
            #expect(refused?.path?.hasSuffix("/store.mdb") == true)
        }

        // Back in its place, it is the one that other processes find.
        #expect(rename(elsewhere.path, url.path + suffix) == 0)
        try store.writeSync { _ = try $0.insert(Recipe(3)) }
        #expect(unlink(url.path + suffix) == 0)
        #expect(code { try store.writeSync { _ = try $0.insert(Recipe(4)) } } == .storeFileMoved)
        try store.tearDown()
        try store.setup()
        try store.writeSync { _ = try $0.insert(Recipe(5)) }
        #expect(try store.read { try $0.items(for: Recipe.all) } == [Recipe(1), Recipe(3), Recipe(5)])
        try store.tearDown()
    }

    @Test func `closing is refused while a transaction is open`() throws {
        let store = try TestStore(at: url)
        let reading = try store.beginReading()

        #expect(code { try store.engine.close() } == .nestedTransaction)
        reading.transaction.end()
        let writing = try store.beginWriting()
        #expect(code { try store.engine.close() } == .nestedTransaction)
        writing.transaction.end()

        #expect(code { try store.engine.close() } == nil)
    }

    #if os(Linux)
        @Test func `closing a store that was only read leaves the locks of the one in its place`()
            async throws
        {
            try TestStore(at: url).close()
            // The reading makes one of its own, which it removes again.
            try FileManager.default.removeItem(at: url.adding("-lock"))
            let old = try TestStore(at: url, options: LMDBOptions(isReadOnly: true))
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                let url = URL(fileURLWithPath: path)
                try LMDBEngine(at: StorePlace(url)).destroy()
                try TestStore(at: url).close()
            }
            let new = try TestStore(at: url)

            try old.close()

            await #expect(processExitsWith: .success) { [path = url.path as String] in
                if !URL(fileURLWithPath: path + "-lock").isLockedElsewhere { exit(2) }
            }
            try new.insert([Recipe(2)])
            #expect(try new.all(Recipe.self) == [Recipe(2)])
        }

        @Test func `a process that is forked inside transactions does not end those of the other one`()
            async throws
        {
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                let store = try TestStore(at: URL(fileURLWithPath: path))
                let first = (1...4).map { Recipe(Int64($0)) }
                try store.insert(first)
                let reading = try store.beginReading()
                let cursor = try reading.reading.rows(for: reading.plan(Recipe.self))
                let ahead = try reading.reading.rows(for: reading.plan(Recipe.self))
                // With the second row it reads those after it.
                for _ in 0..<2 { _ = try ahead.next(Recipe.self) }
                let writing = try store.beginWriting()
                try writing.insert([Recipe(5)])
                try writing.transaction.setSavepoint()
                // It stands at a key of a page that the other process may use again.
                let written = try writing.reading.rows(for: writing.plan(Recipe.self))
                _ = try written.next(Recipe.self)
                let status = statusOfForkedProcess {
                    let refusals = [
                        code { try reading.items(Recipe.self) }, code { try reading.item(Recipe.self, 1) },
                        code { try cursor.next(Recipe.self) }, code { try ahead.next(Recipe.self) },
                        code { try writing.items(Recipe.self) }, code { try writing.insert([Recipe(6)]) },
                        code { try writing.transaction.rollBackToSavepoint() },
                        code { try writing.transaction.commit() },
                    ]
                    withExtendedLifetime((cursor, ahead, written)) {
                        writing.transaction.end()
                        reading.transaction.end()
                    }
                    return refusals == Array(repeating: .usedAfterFork, count: 8) ? 0 : 1
                }
                guard status == 0 else { exit(2) }
                written.close()
                try writing.transaction.releaseSavepoint()
                try writing.transaction.commit()
                for number in 6...60 { try store.insert([Recipe(Int64(number))]) }
                // Its pages were not used again.
                guard try reading.items(Recipe.self) == first else { exit(3) }
                reading.transaction.end()
                guard try store.all(Recipe.self).count == 60 else { exit(4) }
            }
        }

        @Test func `a forked process is told and does not touch the file`() async throws {
            await #expect(processExitsWith: .success) { [path = url.path as String] in
                let url = URL(fileURLWithPath: path)
                let store = try TestStore(at: url)
                try store.insert([Recipe(1)])
                let status = statusOfForkedProcess {
                    let refusals = [
                        code { try store.beginReading() }, code { try store.beginWriting() },
                        code { try TestStore(at: url) }, code { try store.adapter.checkIntegrity() },
                    ]
                    let isClosed = code { try store.close() } == nil
                    return refusals == Array(repeating: .usedAfterFork, count: 4) && isClosed ? 0 : 1
                }
                guard status == 0 else { exit(2) }
                try store.insert([Recipe(2)])
                guard try store.all(Recipe.self).count == 2 else { exit(3) }
            }
        }
    #endif
}
