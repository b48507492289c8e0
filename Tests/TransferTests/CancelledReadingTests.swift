import Foundation
import Larder
import LarderTransfer
import Testing

@testable import AdapterTestSupport
@testable import LarderConformance

/// Reading in a cancelled task: tools stop, also in a walk that finds nothing; an app's block does not.
struct CancelledReadingTests {
    private let folder: TemporaryFolder
    private static let count = 5_000

    init() throws {
        folder = try TemporaryFolder()
    }

    /// What a tool asks, and how it stops.
    enum Request: CaseIterable {
        case rowsThatPass, noRow, sorted, count, countByIndex, digests, comparison

        func run(on reader: UntypedReader) throws {
            switch self {
            case .rowsThatPass: try reader.forEachRow(for: UntypedRequest(name)) { _ in }
            case .noRow:
                try reader.forEachRow(for: UntypedRequest(name, filter: "label CONTAINS 'none'")) { _ in
                    Issue.record("No item has this label")
                }
            case .sorted: _ = try reader.rows(for: UntypedRequest(name, sort: "rank DESC, label", limit: 1))
            case .count: _ = try reader.count(for: UntypedRequest(name, filter: "NOT label CONTAINS 'none'"))
            case .countByIndex: _ = try reader.count(for: UntypedRequest(name, filter: "rank >= 0"))
            case .digests: _ = try reader.digests()
            case .comparison: _ = try StoreComparison(reader, reader).first(1)
            }
        }
    }

    @Test(arguments: Engine.allCases, Request.allCases)
    func `a tool's request stops`(_ engine: Engine, _ request: Request) async throws {
        let store = try UntypedStore(reading: try makePlace(engine).address)
        defer { try? store.close() }

        let error = await thrownWhenCancelled { try store.read { try request.run(on: $0) } }

        #expect(error?.code == .cancelled, "\(error?.description ?? "nothing was thrown")")
        // The connection is as good as before for who reads next, in no cancelled task.
        try store.read { try request.run(on: $0) }
    }

    @Test(arguments: Engine.files)
    func `the look at the structure stops, and the store opens afterwards`(_ engine: Engine) async throws {
        let address = try makePlace(engine).address
        let names = try folder.names

        let error = await thrownWhenCancelled { try UntypedStore(reading: address).close() }

        #expect(error?.code == .cancelled, "\(error?.description ?? "nothing was thrown")")
        #expect(try folder.names == names)
        try UntypedStore(reading: address).close()
    }

    @Test(arguments: Engine.allCases)
    func `an app's block of reading runs to its end`(_ engine: Engine) async throws {
        let store = try makePlace(engine).makeStore(storing: [Keyed<Int64>.self])
        try store.setup()
        defer { try? store.tearDown() }

        let counts = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try store.read { accessor in
                let request = Keyed<Int64>.where(\.label != "none").sorted(by: \.label)
                return (try accessor.items(for: request).count, try accessor.countItems(for: request))
            }
        }.value

        #expect(counts == (Self.count, Self.count))
    }

    private func makePlace(_ engine: Engine) throws -> Place {
        let place = folder.place(engine, "store")
        try place.withStore(storing: [Keyed<Int64>.self]) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: (0..<Self.count).map { Keyed(Int64($0), label: "\($0)") })
            }
        }
        return place
    }
}

private let name = Keyed<Int64>.schema.name
