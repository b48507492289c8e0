import Foundation
import Larder
import ProcessFixtures
import Testing

@testable import AdapterTestSupport

/// A store beside a dictionary of what must be in it, as blocks are stored or refused.
final class ModelledStore {
    enum Change: Sendable {
        case put(Entry)
        case delete(Int64)
    }

    /// The changes of one write block.
    typealias Block = [Change]

    let store: any DataStore
    private(set) var model: [Int64: Entry] = [:]
    /// How many blocks were refused for want of room.
    private(set) var refused = 0

    init(_ store: any DataStore) throws {
        self.store = store
        try store.setup()
    }

    /// Writes one block and waits for it.
    func write(_ block: Block, _ comment: Comment) {
        let result = Result { try store.writeSync { try Self.apply(block, $0) } }
        note(result, of: block, comment)
    }

    /// Gives several blocks at once, which share commits, and waits for all of them.
    func write(atOnce blocks: [Block], _ comment: Comment) {
        let results = Locked<[Int: Result<Void, any Error>]>([:])
        let group = DispatchGroup()
        for (number, block) in blocks.enumerated() {
            group.enter()
            store.writeAsync { accessor in
                try Self.apply(block, accessor)
            } completion: { result in
                results.withLock { $0[number] = result }
                group.leave()
            }
        }
        group.wait()
        for (number, block) in blocks.enumerated() {
            guard let result = results.withLock({ $0[number] }) else { continue }
            note(result, of: block, comment)
        }
    }

    /// Compares everything that is stored with the model.
    func expectAgreement(_ comment: Comment) throws {
        let stored = try store.read { try $0.items(for: Entry.all.sorted(by: \.id)) }
        #expect(stored == model.values.sorted { $0.id < $1.id }, comment)
    }

    private func note(_ result: Result<Void, any Error>, of block: Block, _ comment: Comment) {
        switch result {
        case .success:
            for change in block {
                switch change {
                case .put(let entry): model[entry.id] = entry
                case .delete(let id): model[id] = nil
                }
            }
        case .failure(let error):
            refused += 1
            #expect((error as? DataStoreError)?.code == .storeFull, "\(comment): \(error)")
        }
    }

    private static func apply(_ block: Block, _ accessor: DataStoreReadWriteAccessor) throws {
        for change in block {
            switch change {
            case .put(let entry):
                if let stored = try accessor.mutableItem(id: entry.id, of: Entry.self) {
                    (stored.block, stored.text) = (entry.block, entry.text)
                } else {
                    try accessor.insert(entry)
                }
            case .delete(let id): try accessor.delete(id: id, of: Entry.self)
            }
        }
    }
}

extension ModelledStore {
    /// A block that inserts, updates or deletes some entries, of small and large texts.
    static func randomBlock(_ number: Int64, _ random: inout Seed) -> Block {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let id = Int64.random(in: 0..<80, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 { return .delete(id) }
            let count = Int.random(in: 0...3000, using: &random)
            return .put(Entry(id: id, block: number, text: String(repeating: "x", count: count)))
        }
    }
}
