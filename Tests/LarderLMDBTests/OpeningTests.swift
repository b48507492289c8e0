import CLMDB
import Foundation
import Larder
import LarderFiles
import Testing
@testable import AdapterTestSupport
@testable import LarderLMDB

@Suite struct `Opening a store` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
    }

    private func openingError(options: LMDBOptions = .forTests) -> DataStoreError? {
        thrown { try TestStore(at: url, options: options) }
    }

    /// The code with which opening fails, after which the folder is as it was.
    private func refusal(options: LMDBOptions = .forTests) throws -> DataStoreError.Code? {
        let before = try folder.contents
        let refused = openingError(options: options)
        #expect(try folder.contents == before)
        #expect(refused?.path == url.path)
        return refused?.code
    }

    /// A store with enough rows for some hundred pages, closed.
    private func makeStore() throws {
        let store = try TestStore(at: url)
        try store.insert((1...2000).map { Recipe(Int64($0)) })
        try store.close()
    }

    /// Changes bytes of the file.
    private func damage(_ change: (inout Data) -> Void) throws {
        var bytes = try Data(contentsOf: url)
        change(&bytes)
        try bytes.write(to: url)
    }

    @Test func `a file of another program is refused and stays as it was`() throws {
        try RawEnvironment(url).write { try RawEnvironment.put([1], at: "a", in: "b", $0) }

        #expect(try refusal() == .foreignStore)
    }

    @Test func `a new file of another program is refused and stays as it was`() throws {
        try RawEnvironment(url).write { try RawEnvironment.put([1], at: "a", in: nil, $0) }

        #expect(try refusal() == .foreignStore)
    }

    @Test func `a table that only has the name of our mark does not make a store`() throws {
        try RawEnvironment(url).write {
            try RawEnvironment.put(Array("something else".utf8), at: "mark", in: "larder-file", $0)
        }

        #expect(try refusal() == .foreignStore)
    }

    @Test func `our mark is found among many tables`() throws {
        try makeStore()
        try RawEnvironment(url).write { transaction in
            for number in 0..<60 { try RawEnvironment.put([1], at: "key", in: "x\(number)", transaction) }
        }

        #expect(openingError() == nil)
        #expect(openingError(options: LMDBOptions(isReadOnly: true)) == nil)
    }

    @Test func `a store of a newer format is refused`() throws {
        try makeStore()
        try RawEnvironment(url).write {
            try RawEnvironment.put(Array("LarderKV".utf8) + [2, 0, 0, 0], at: "mark", in: "larder-file", $0)
        }

        #expect(try refusal() == .newerFormat)
    }

    @Test func `a file of a newer LMDB is refused`() throws {
        try makeStore()
        try damage { $0[20] = 2 }

        #expect(try refusal() == .newerFormat)
    }

    @Test(arguments: [100, 4096, 4200, 8192, 40960, 65536])
    func `a store that has lost its end is refused as damaged and does not kill`(_ length: Int) throws {
        try makeStore()
        try damage { $0 = $0.prefix(length) }

        #expect(try refusal() == (length < 16 ? .notADatabase : .damaged))
    }

    @Test func `a store that is said to have more tables than it has room for is refused`() throws {
        try makeStore()
        var image = try VerificationImage(url.path)
        let entries = image.tableList + VerificationImage.RecordPlace.entries
        let most = (image.lastPage + 1) * 4096 / 12

        image[entries, as: UInt64.self] = most
        try image.write(to: url.path)
        #expect(try StoreFileHead.read(at: url.path).tableCount == Int(most))

        for count in [most + 1, 1 << 40, .max] {
            image[entries, as: UInt64.self] = count
            try image.write(to: url.path)
            let error = thrown { try StoreFileHead.read(at: url.path) }

            #expect(error?.code == .damaged)
            #expect(
                error?.message == "The file is damaged: The list of tables is said to have \(count) entries.")
        }
    }

    /// Makes the file longer, as another process may at any moment.
    private static func grow(_ url: URL, _ round: Int) throws {
        try RawEnvironment(url).write { transaction in
            for number in 0..<300 {
                let value = [UInt8](repeating: 1, count: 1500)
                try RawEnvironment.put(value, at: "\(round) \(number)", in: "other", transaction)
            }
        }
    }

    @Test func `a file that another process makes longer while it is being read is sound`() throws {
        try TestStore(at: url).close()
        var rounds = 0

        let head = try StoreFileHead.read(at: url.path) {
            rounds += 1
            #expect(throws: Never.self) { try Self.grow(url, rounds) }
        }

        #expect(rounds == 1)
        #expect(!head.isShort)
        #expect(head.usedBytes > 300 * 1500)
    }

    @Test func `a store that another process makes longer while it is being opened is not set aside`() throws
    {
        try makeStore()
        let before = try url.fileBytes
        let rounds = Locked(0)
        var options = LMDBOptions.forTests
        options.headProbe = { [url] in
            let round = rounds.withLock { rounds in
                rounds += 1
                return rounds
            }
            #expect(throws: Never.self) { try Self.grow(url, round) }
        }
        var storeOptions = DataStoreOptions()
        storeOptions.recovery = .recreate(keepingBackup: { _ in Issue.record("The store was set aside.") })
        let store = LMDBDataStore(
            at: url, storing: [Recipe.self], options: options, storeOptions: storeOptions)

        try store.setup()

        #expect(rounds.withLock { $0 } > 0)
        #expect(try url.fileBytes > before)
        #expect(try store.read { try $0.countItems(for: Recipe.all) } == 2000)
        try store.tearDown()
        #expect(try folder.names == ["store.mdb", "store.mdb-lock", "store.mdb-writer"])
    }

    @Test func `a new store is not made over the lock file of one that is open and was moved away`() throws {
        let store = try TestStore(at: url)
        try FileManager.default.moveItem(at: url, to: folder.file("elsewhere.mdb"))

        #expect(openingError()?.code == .alreadyOpen)

        #expect(!url.fileExists)
        try store.close()
        #expect(openingError() == nil)
    }

    @Test func `a store can be opened again after it was closed and keeps its rows`() throws {
        let store = try TestStore(at: url)
        try store.insert([Recipe(1), Recipe(2)])

        try store.close()
        #expect(try folder.names == ["store.mdb", "store.mdb-lock", "store.mdb-writer"])
        #expect(code { try store.all(Recipe.self) } == .notSetUp)

        try store.open()
        #expect(try store.all(Recipe.self) == [Recipe(1), Recipe(2)])
    }

    @Test func `a limit that no store fits into is refused`() throws {
        var options = LMDBOptions.forTests
        options.sizeLimit = 1000
        #expect(openingError(options: options)?.code == .unsupported)
    }

    #if os(Linux)
        @Test func `the error names a process of another container that has the same number`() throws {
            try makeStore()
            let file = open(url.path + "-lock", O_RDWR | O_CLOEXEC)
            defer { close(file) }
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_start = off_t(getpid())
            lock.l_len = 1
            // F_OFD_SETLK: in this process it is as good as in another.
            #expect(fcntl(file, 37, &lock) == 0)

            let error = openingError()

            #expect(error?.code == .busy)
            #expect(
                error?.message
                    == "A process of another container, which has the number of this one, has the store open."
            )
            lock.l_type = Int16(F_UNLCK)
            #expect(fcntl(file, 37, &lock) == 0)
            #expect(openingError() == nil)
        }
    #endif
}
