package import Larder
import Foundation

/// Entries that several processes change together, so that a snapshot which is not whole does not add up.
///
/// A block moves an amount from one entry of a pair to the other, counts itself in the counter, and inserts
/// an entry that lists it.
package enum EntryPairs {
    private static let pairs: Int64 = 8
    private static let counter: Int64 = 1000
    /// The first identifier of the entries that list blocks.
    private static let firstListed: Int64 = 1_000_000

    /// The entries with which a store begins.
    package static func entries() -> [Entry] {
        var entries: [Entry] = []
        for id in 0..<pairs * 2 { entries.append(Entry(id: id, block: 0, text: "pair")) }
        entries.append(Entry(id: counter, block: 0, text: "counter"))
        return entries
    }

    /// The identifier of the entry that lists a block.
    package static func identifier(of number: Int64, by writer: Int64) -> Int64 {
        firstListed * (writer + 1) + number
    }

    /// Makes the changes of a block.
    package static func move(
        _ number: Int64, of writer: Int64, in accessor: DataStoreReadWriteAccessor
    ) throws {
        let pair = (number + writer) % pairs
        guard let one = try accessor.mutableItem(id: pair * 2, of: Entry.self),
            let other = try accessor.mutableItem(id: pair * 2 + 1, of: Entry.self),
            let count = try accessor.mutableItem(id: counter, of: Entry.self)
        else { throw CocoaError(.fileReadCorruptFile) }
        let amount = number % 7 + 1
        one.block -= amount
        other.block += amount
        count.block += 1
        try accessor.insert(Entry(id: identifier(of: number, by: writer), block: amount, text: "listed"))
    }

    /// The first thing that does not add up in a snapshot; nil if all does.
    package static func problem(in accessor: DataStoreReadAccessor) throws -> String? {
        let listed = try accessor.countItems(for: Entry.where(\.id >= firstListed))
        let entries = try accessor.items(for: Entry.where(\.id < firstListed))
        guard entries.count == Int(pairs) * 2 + 1 else { return "\(entries.count) entries are there" }
        for pair in 0..<Int(pairs) {
            let sum = entries[pair * 2].block + entries[pair * 2 + 1].block
            if sum != 0 { return "pair \(pair) has the sum \(sum)" }
        }
        let counted = entries[entries.count - 1].block
        return counted == Int64(listed) ? nil : "\(counted) blocks are counted, and \(listed) listed"
    }

    /// The blocks that are listed.
    package static func listed(in accessor: DataStoreReadAccessor) throws -> Set<Int64> {
        Set(try accessor.ids(for: Entry.where(\.id >= firstListed)))
    }
}
