import Foundation

/// LMDB's C API by hand: what any library over it with this durability can at best reach.
final class RawLMDBContender: Contender {
    typealias Record = Restaurant

    private let file: LMDBRestaurantFile
    private let reader: LMDBRestaurantReader
    private let insertsPerCommit: Int

    /// - Parameter insertsPerCommit: How many inserts that are given at once share a commit.
    init(in folder: URL, options: StoreOptions, insertsPerCommit: Int = 64) throws {
        file = try LMDBRestaurantFile(in: folder, options: options)
        reader = try LMDBRestaurantReader(file)
        self.insertsPerCommit = insertsPerCommit
    }

    func insertInOneTransaction(_ records: [Restaurant]) throws {
        try insertTogether(records[...])
    }

    func insertOneByOne(_ records: [Restaurant]) throws {
        for record in records {
            try file.write { try $0.insert(record) }
        }
    }

    func insertInGroups(_ records: [Restaurant]) throws {
        for start in stride(from: 0, to: records.count, by: insertsPerCommit) {
            try insertTogether(records[start...].prefix(insertsPerCommit))
        }
    }

    func readInOneTransaction(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        try reader.begin()
        defer { reader.end() }
        for id in ids {
            visit(try reader.restaurant(id: id))
        }
    }

    func readOneByOne(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        for id in ids {
            visit(try restaurantInOwnTransaction(id: id))
        }
    }

    func scan() throws -> [Restaurant] {
        try reader.begin()
        defer { reader.end() }
        return try reader.restaurants()
    }

    func lookUp(names: [String], visit: ([Restaurant]) -> Void) throws {
        try reader.begin()
        defer { reader.end() }
        for name in names {
            visit(try reader.restaurants(named: name))
        }
    }

    func close() throws {
        reader.close()
        file.close()
    }

    private func insertTogether(_ records: ArraySlice<Restaurant>) throws {
        try file.write { writer in
            for record in records {
                try writer.insert(record)
            }
        }
    }

    private func restaurantInOwnTransaction(id: Int64) throws -> Restaurant? {
        try reader.begin()
        defer { reader.end() }
        return try reader.restaurant(id: id)
    }
}
