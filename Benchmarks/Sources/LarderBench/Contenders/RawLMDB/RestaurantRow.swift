import Foundation

/// A restaurant in bytes, without its id, which is the key: numbers at fixed places, then the texts.
enum RestaurantRow {
    private static let rating = 0
    private static let reviews = 8
    private static let openedAt = 16
    private static let nameLength = 24
    private static let cityLength = 28
    private static let noteLength = 32
    private static let isOpen = 36
    private static let hasNote = 37
    private static let texts = 38

    static func byteCount(of restaurant: borrowing Restaurant) -> Int {
        texts + restaurant.name.utf8.count + restaurant.city.utf8.count + (restaurant.note?.utf8.count ?? 0)
    }

    // reason: the bytes are LMDB's page; they are valid until the next call of LMDB.

    /// Writes a row into as many bytes as `byteCount(of:)` says.
    static func write(_ restaurant: borrowing Restaurant, to row: UnsafeMutableRawBufferPointer) {
        row.storeBytes(of: restaurant.rating, toByteOffset: rating, as: Double.self)
        row.storeBytes(of: restaurant.reviews, toByteOffset: reviews, as: Int64.self)
        let opened = restaurant.openedAt.timeIntervalSinceReferenceDate
        row.storeBytes(of: opened, toByteOffset: openedAt, as: Double.self)
        row[isOpen] = restaurant.isOpen ? 1 : 0
        row[hasNote] = restaurant.note == nil ? 0 : 1
        var end = texts
        write(restaurant.name, to: row, lengthAt: nameLength, end: &end)
        write(restaurant.city, to: row, lengthAt: cityLength, end: &end)
        write(restaurant.note ?? "", to: row, lengthAt: noteLength, end: &end)
    }

    static func rating(in row: UnsafeRawBufferPointer) -> Double {
        row.loadUnaligned(fromByteOffset: rating, as: Double.self)
    }

    static func restaurant(id: Int64, in row: UnsafeRawBufferPointer) -> Restaurant {
        var end = texts
        let opened = row.loadUnaligned(fromByteOffset: openedAt, as: Double.self)
        return Restaurant(
            id: id,
            name: text(in: row, lengthAt: nameLength, end: &end),
            city: text(in: row, lengthAt: cityLength, end: &end),
            rating: row.loadUnaligned(fromByteOffset: rating, as: Double.self),
            reviews: row.loadUnaligned(fromByteOffset: reviews, as: Int64.self),
            isOpen: row[isOpen] != 0,
            openedAt: Date(timeIntervalSinceReferenceDate: opened),
            note: row[hasNote] == 0 ? nil : text(in: row, lengthAt: noteLength, end: &end)
        )
    }

    private static func write(
        _ text: String, to row: UnsafeMutableRawBufferPointer, lengthAt offset: Int, end: inout Int
    ) {
        let length = text.utf8.count
        row.storeBytes(of: UInt32(clamping: length), toByteOffset: offset, as: UInt32.self)
        let place = UnsafeMutableRawBufferPointer(rebasing: row[end..<(end + length)])
        _ = place.bindMemory(to: UInt8.self).initialize(from: text.utf8)
        end += length
    }

    private static func text(in row: UnsafeRawBufferPointer, lengthAt offset: Int, end: inout Int) -> String {
        let start = end
        end += Int(row.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        return String(decoding: UnsafeRawBufferPointer(rebasing: row[start..<end]), as: UTF8.self)
    }
}
