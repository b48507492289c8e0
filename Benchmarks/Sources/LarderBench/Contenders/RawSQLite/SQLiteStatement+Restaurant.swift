import CSQLiteRaw
import Foundation

/// Rows in the order of `RestaurantTable.columns`.
extension SQLiteStatement {
    func bind(_ restaurant: borrowing Restaurant, through arena: inout TextArena) throws {
        let noteLength = restaurant.note?.utf8.count ?? 0
        arena.beginRow(byteCount: restaurant.name.utf8.count + restaurant.city.utf8.count + noteLength)
        try bind(restaurant.id, at: 1)
        try bind(arena.store(restaurant.name), at: 2)
        try bind(arena.store(restaurant.city), at: 3)
        try bind(restaurant.rating, at: 4)
        try bind(restaurant.reviews, at: 5)
        try bind(Int64(restaurant.isOpen ? 1 : 0), at: 6)
        try bind(restaurant.openedAt.timeIntervalSinceReferenceDate, at: 7)
        if let note = restaurant.note {
            try bind(arena.store(note), at: 8)
        } else {
            try bindNull(at: 8)
        }
    }

    func restaurant() -> Restaurant {
        Restaurant(
            id: sqlite3_column_int64(handle, 0),
            name: text(at: 1) ?? "",
            city: text(at: 2) ?? "",
            rating: sqlite3_column_double(handle, 3),
            reviews: sqlite3_column_int64(handle, 4),
            isOpen: sqlite3_column_int64(handle, 5) != 0,
            openedAt: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(handle, 6)),
            note: text(at: 7)
        )
    }

    func restaurant(id: Int64) throws -> Restaurant? {
        defer { reset() }
        try bind(id, at: 1)
        return try step() ? restaurant() : nil
    }

    /// All rows that are left.
    func restaurants() throws -> [Restaurant] {
        try rows { $0.restaurant() }
    }

    /// The number in the only row.
    func integer() throws -> Int {
        defer { reset() }
        return try step() ? Int(sqlite3_column_int64(handle, 0)) : 0
    }

    /// The numbers in the only row.
    func numbers(count: Int32) throws -> [Double] {
        defer { reset() }
        return try step() ? (0..<count).map { sqlite3_column_double(handle, $0) } : []
    }

    /// A text and a number in each row.
    func counts() throws -> [(String, Int)] {
        defer { reset() }
        var counts: [(String, Int)] = []
        while try step() { counts.append((text(at: 0) ?? "", Int(sqlite3_column_int64(handle, 1)))) }
        return counts
    }

    func text(at column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
