import Larder
import LarderTesting
import Testing

@testable import AdapterTestSupport

/// Imports and upserts of random sources, beside a dictionary that takes one source after the other.
@Suite(.smallBatches) struct ImportModelTests {
    private struct Source: Sendable {
        var id: Int64
        var code: String??
        var value: Int?
    }

    private static let map = ImportMap<Coded, Source>(by: \.id, from: \.id) {
        Import(\.code, ifPresent: \.code)
        Import(\.value, ifPresent: \.value)
    }

    @Test func `an import is what its sources are one after the other, or nothing`() throws {
        var seed = Seed.ofProcess()
        var (accepted, refused) = (0, 0)
        for round in Repetitions.rounds(150, long: 10_000) {
            let store = try TemporaryStore(storing: [Coded.self])
            var model: [Int64: Coded] = [:]
            for _ in 0..<3 {
                let sources = Self.sources(&seed)
                var after = model
                for source in sources {
                    var item = after[source.id] ?? Coded(source.id)
                    if let code = source.code { item.code = code }
                    if let value = source.value { item.value = value }
                    after[source.id] = item
                }
                let isUnique = Self.isUnique(after)
                let isUpsert = Bool.random(using: &seed)
                let result = Result {
                    try store.writeSync { accessor in
                        if isUpsert {
                            // The whole items of the model, in the order of the sources.
                            try accessor.upsert(contentsOf: sources.compactMap { after[$0.id] })
                        } else {
                            try accessor.importItems(from: sources, using: Self.map)
                        }
                    }
                }
                let stored = try store.read { try $0.items(for: Coded.all) }
                switch result {
                case .success(let counts):
                    #expect(isUnique, "round \(round), \(seed)")
                    #expect(counts.total == sources.count)
                    #expect(counts.inserted == after.count - model.count)
                    model = after
                    accepted += 1
                case .failure(let error):
                    #expect(DataStoreError.Code.uniqueViolation ~= error, "\(error)")
                    #expect(!isUnique, "round \(round), \(seed): \(error)")
                    refused += 1
                }
                try #require(
                    stored == model.values.sorted { $0.id < $1.id }, "round \(round), \(seed)")
            }
        }
        #expect(accepted > 20 && refused > 20, "\(accepted) accepted, \(refused) refused, \(seed)")
    }

    /// Sources for few items, most of whose codes are turned among them, so that nearly all clash for a while.
    private static func sources(_ seed: inout Seed) -> [Source] {
        let ids = Int64.random(in: 1...600, using: &seed)
        var codes = (0..<ids).map { "c\($0)" }.shuffled(using: &seed)
        if Bool.random(using: &seed) { codes[Int.random(in: 0..<codes.count, using: &seed)] = "c0" }
        var sources = zip((1...ids).shuffled(using: &seed), codes).map { id, code in
            Source(id: id, code: code, value: Int.random(in: 0...3, using: &seed))
        }
        for _ in 0..<Int.random(in: 0...300, using: &seed) {
            let code: String?? = Int.random(in: 0...9, using: &seed) == 0 ? .some(nil) : nil
            let value = Bool.random(using: &seed) ? Int.random(in: 4...9, using: &seed) : nil
            let source = Source(id: Int64.random(in: 1...ids, using: &seed), code: code, value: value)
            sources.insert(source, at: Int.random(in: 0...sources.count, using: &seed))
        }
        return sources
    }

    private static func isUnique(_ items: [Int64: Coded]) -> Bool {
        let codes = items.values.compactMap(\.code)
        return Set(codes).count == codes.count
    }
}

private struct Coded: DataStoreItem, Equatable {
    let id: Int64
    var code: String?
    var value: Int

    init(_ id: Int64) {
        self.id = id
        value = 0
    }

    struct Attributes: Sendable {
        let id = Attribute<Coded, Int64>(column: 0)
        let code = Attribute<Coded, String?>(column: 1)
        let value = Attribute<Coded, Int>(column: 2)
    }

    static let attributes = Attributes()
    static let schema = EntitySchema(
        "Coded",
        attributes: [
            .attribute("id", Int64.self), .attribute("code", String?.self),
            .attribute("value", Int.self, default: 0),
        ], indexes: [.unique("code")])

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        code = try row.value(at: 1)
        value = try row.value(at: 2)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(code, at: 1)
        try row.set(value, at: 2)
    }
}
