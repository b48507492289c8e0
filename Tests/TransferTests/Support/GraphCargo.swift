import Foundation
import Larder
import LarderText

@testable import LarderConformance
@testable import LarderTransfer

/// A store whose items refer to each other in every way, with its links written below the rules.
enum GraphCargo {
    /// The number of items, without links.
    static let count = 12
    static let labels: [(Int64, String)] = [(1, "new"), (1, "fresh"), (2, "fresh")]
    /// In their order.
    static let chapters: [(Int64, [UInt8])] = [(1, [3, 1]), (2, [1])]

    static func fill(
        _ place: Place, labels: [(Int64, String)] = labels, chapters: [(Int64, [UInt8])] = chapters
    ) throws {
        try place.withStore(storing: Library.types) { store in
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [Person(1, "Ada"), Person(2, "Bo", mentor: 1)])
                try accessor.insert(contentsOf: [Passport("P1", number: 7, holder: 1)])
                try accessor.insert(contentsOf: [Label("fresh"), Label("new"), Label("old")])
                try accessor.insert(contentsOf: [Shelf(1)])
                try accessor.insert(contentsOf: [Chapter(1), Chapter(2), Chapter(3)])
                try accessor.insert(contentsOf: [
                    Book(1, "Cakes", by: 1, shelf: 1), Book(2, "Soups", by: 2, editedBy: 1),
                ])
            }
        }
        try place.insert(
            into: "Book.labels",
            labels.enumerated().map { number, link in
                [.integer(Int64(number + 1)), .integer(link.0), .text(link.1)]
            })
        var rows: [[Constant]] = []
        for (book, chapters) in chapters {
            for (position, chapter) in chapters.enumerated() {
                // Their own identifiers say nothing about the order.
                rows.append([
                    .integer(Int64(100 - rows.count)), .integer(book), .blob(uuid(chapter)),
                    .text(LinkEntity.initialRank(position)),
                ])
            }
        }
        try place.insert(into: "Book.chapters", rows)
    }

    static func uuid(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 15) + [number] }
}

extension Place {
    /// Writes rows that no rule has seen.
    func insert(into entity: String, _ rows: [[Constant]]) throws {
        try withAdapter { adapter, schema in
            let number = try schema.number(ofEntityNamed: entity)
            let batch = RowBatch(of: number, schema.entities[number], limit: 1000)
            let arena = RowArena()
            for row in rows {
                let cells = try arena.makeCells(row.count)
                for (column, value) in row.enumerated() { cells[column] = try arena.cell(of: value) }
                try batch.insert(cells)
            }
            try batch.commit(to: adapter)
        }
    }

    /// The first differences to another store.
    func differences(to other: Place, _ count: Int = 20) throws -> [StoreDifference] {
        let (left, right) = (
            try UntypedStore(reading: address), try UntypedStore(reading: other.address)
        )
        defer {
            try? left.close()
            try? right.close()
        }
        return try left.read { left in
            try right.read { right in try StoreComparison(left, right).first(count) }
        }
    }
}
