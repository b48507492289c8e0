import Foundation
import Larder
import LarderLMDB
import Testing
@testable import AdapterTestSupport

@Suite struct `The schema in the file` {
    let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.file("store.mdb")
    }

    @Test func `tables come and go with the app's types however many there are`() throws {
        for round in 0..<6 {
            let types: [any DataStoreItem.Type] =
                round % 2 == 0 ? [Dish.First.self, Recipe.self, Sample.self] : [Dish.Bare.self, Tag.self]
            let store = try TestStore(at: url, storing: types)
            #expect(try store.adapter.checkIntegrity() == [])
            try store.close()
        }
    }

    @Test func `rows survive a change of their columns`() throws {
        let first = try TestStore(at: url, storing: [Dish.First.self])
        try first.insert((1...600).map { Dish.First($0, "Soup", $0) })
        try first.close()

        let second = try TestStore(at: url, storing: [WholeDish.self])

        let expected = (1...600).map {
            WholeDish(id: $0, price: $0, title: "Soup", course: "main", size: .max, note: nil)
        }
        #expect(try second.all(WholeDish.self) == expected)
        #expect(try second.adapter.checkIntegrity() == [])
    }

    /// The declaration beside it is enough for the opening.
    @Test func `a kept schema that is not the one of the opening is a problem that the check reports`() throws
    {
        let first = try TestStore(at: url)
        try first.insert([Recipe(1)])
        try first.close()
        // One bit of each copy of the text.
        var bytes = try Data(contentsOf: url)
        let (name, damaged) = (Data(#""name":"name""#.utf8), Data(#""name":"naMe""#.utf8))
        while let place = bytes.range(of: name) { bytes.replaceSubrange(place, with: damaged) }
        try bytes.write(to: url)

        let store = try TestStore(at: url)

        #expect(try store.all(Recipe.self).map(\.id) == [1])
        let problems = try store.adapter.checkIntegrity()
        #expect(problems.count == 1)
        let sentence = "The schema kept in the store is not the one it was opened with: Recipe.name is new"
        #expect(problems.first?.hasPrefix(sentence) == true, "\(problems)")
    }

    #if os(Linux) || os(macOS)
        @Test func `a newer version of the app in another process is noticed by the older one`() async throws
        {
            let old = try TestStore(at: url, storing: [Dish.First.self])
            try old.insert([Dish.First(1, "Soup", 5)])

            await #expect(processExitsWith: .success) { [path = url.path as String] in
                _ = try TestStore(at: URL(fileURLWithPath: path), storing: [Dish.Second.self])
            }

            #expect(code { try old.insert([Dish.First(2, "Cake", 7)]) } == .schemaChanged)
            #expect(code { try old.read { try $0.count(Dish.First.self) } } == .schemaChanged)
            #expect(code { try old.adapter.statistics() } == .schemaChanged)
            try old.close()
            #expect(code { try old.open() } == .schemaMismatch)
        }

        @Test func `two processes write at the same time and neither loses a row`() async throws {
            try TestStore(at: url, options: LMDBOptions(durability: .normal)).close()
            await withTaskGroup(of: Void.self) { group in
                for process in 0..<2 {
                    group.addTask { [path = url.path] in await Self.writeRows(path, process: process) }
                }
            }

            let store = try TestStore(at: url)
            #expect(try store.all(Recipe.self).map(\.id) == Array(0..<400))
            #expect(try store.adapter.checkIntegrity() == [])
        }

        private static func writeRows(_ path: String, process: Int) async {
            await #expect(processExitsWith: .success) { [path = path as String, process = process as Int] in
                do {
                    // Far longer than it takes: what is tried here is that nothing is lost, not who is
                    // faster.
                    let options = LMDBOptions(durability: .normal, busyTimeout: .seconds(600))
                    let store = try TestStore(at: URL(fileURLWithPath: path), options: options)
                    for number in 0..<200 { try store.insert([Recipe(Int64(number * 2 + process))]) }
                } catch {
                    // What a process says before it ends is heard by nobody.
                    try "\(error)".write(toFile: "\(path).error", atomically: true, encoding: .utf8)
                    throw error
                }
            }
            let failure = try? String(contentsOfFile: "\(path).error", encoding: .utf8)
            #expect(failure == nil)
        }

        @Test func `processes that make the same store at once all find it`() async throws {
            await withTaskGroup(of: Void.self) { group in
                for process in 0..<4 {
                    group.addTask { [path = url.path] in await Self.writeRows(path, process: process * 500) }
                }
            }

            let expected: [Int64] = (0..<4).flatMap { process in (0..<200).map { $0 * 2 + process * 500 } }
            #expect(try TestStore(at: url).all(Recipe.self).map(\.id) == expected)
        }
    #endif
}

/// ``Dish/Second`` with its values.
private struct WholeDish: Equatable {
    let id: Int64
    let price: Int64
    let title: String?
    let course: String
    let size: UInt64
    let note: String?
}

extension WholeDish: DataStoreItem {
    static let attributes = NoAttributes()
    static let schema = Dish.Second.schema

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        price = try row.value(at: 1)
        title = try row.value(at: 2)
        course = try row.value(at: 3)
        size = try row.value(at: 4)
        note = try row.value(at: 5)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(price, at: 1)
        try row.set(title, at: 2)
        try row.set(course, at: 3)
        try row.set(size, at: 4)
        try row.set(note, at: 5)
    }
}
