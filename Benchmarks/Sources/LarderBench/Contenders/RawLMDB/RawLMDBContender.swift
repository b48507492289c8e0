import Foundation

/// LMDB's C API by hand: what any library over it with this durability can at best reach.
final class RawLMDBContender: Contender {
    typealias Record = Restaurant

    private let folder: URL
    private let options: StoreOptions
    private let insertsPerCommit: Int
    private let renewsReader: Bool
    /// Whether the file belongs to another contender, which closes it.
    private let isBorrowed: Bool
    private var file: LMDBRestaurantFile
    private var reader: LMDBRestaurantReader

    /// - Parameters:
    ///   - insertsPerCommit: How many inserts that are given at once share a commit.
    ///   - renewsReader: Whether a read transaction for a single row is the last one, renewed; else it is a new one.
    convenience init(
        in folder: URL, options: StoreOptions, insertsPerCommit: Int = 64, renewsReader: Bool = true
    ) throws {
        let file = try LMDBRestaurantFile(in: folder, options: options, isNew: true)
        try self.init(
            file, folder, options, insertsPerCommit: insertsPerCommit, renewsReader: renewsReader,
            isBorrowed: false)
    }

    private init(
        _ file: LMDBRestaurantFile, _ folder: URL, _ options: StoreOptions, insertsPerCommit: Int,
        renewsReader: Bool, isBorrowed: Bool
    ) throws {
        self.file = file
        self.folder = folder
        self.options = options
        self.insertsPerCommit = insertsPerCommit
        self.renewsReader = renewsReader
        self.isBorrowed = isBorrowed
        reader = try LMDBRestaurantReader(file)
    }

    /// A file may be opened once in a process; a reader belongs to one thread at a time.
    func forAnotherThread() throws -> RawLMDBContender {
        try RawLMDBContender(
            file, folder, options, insertsPerCommit: insertsPerCommit, renewsReader: renewsReader,
            isBorrowed: true)
    }

    func close() {
        reader.close()
        if !isBorrowed { file.close() }
    }

    func reopen() throws {
        file = try LMDBRestaurantFile(in: folder, options: options, isNew: false)
        reader = try LMDBRestaurantReader(file)
    }

    // MARK: Writing

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

    func mirror(ids: [Int64]) throws {
        try file.write { writer in
            for id in ids { try writer.mirror(id: id) }
        }
    }

    func delete(_ records: [Restaurant]) throws {
        try file.write { writer in
            for record in records { try writer.delete(id: record.id) }
        }
    }

    private func insertTogether(_ records: ArraySlice<Restaurant>) throws {
        try file.write { writer in
            for record in records { try writer.insert(record) }
        }
    }
}

extension RawLMDBContender {
    func readInOneTransaction(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        try reading { reader in
            for id in ids { visit(try reader.restaurant(id: id)) }
        }
    }

    func readOneByOne(ids: [Int64], visit: (Restaurant?) -> Void) throws {
        for id in ids {
            visit(
                try renewsReader
                    ? reading { try $0.restaurant(id: id) }
                    : LMDBRestaurantReader.restaurant(id: id, inNewTransactionOf: file))
        }
    }

    func scan() throws -> [Restaurant] {
        try reading { try $0.restaurants() }
    }

    func stream(_ visit: (Restaurant) -> Void) throws {
        try reading { try $0.forEachRow { visit(RestaurantRow.restaurant(id: $0, in: $1)) } }
    }

    func lookUp(names: [String], visit: ([Restaurant]) -> Void) throws {
        try reading { reader in
            for name in names { visit(try reader.restaurants(named: name)) }
        }
    }

    func find(ratedAbove bounds: [Double], visit: ([Restaurant]) -> Void) throws {
        try reading { reader in
            for bound in bounds { visit(try reader.restaurants(ratedAbove: bound)) }
        }
    }

    func count(ratedAbove bounds: [Double], visit: (Int) -> Void) throws {
        try reading { reader in
            for bound in bounds { visit(try reader.count(ratedAbove: bound)) }
        }
    }

    func aggregate(_ question: AggregateQuestion) throws -> AggregateAnswer {
        try reading { try $0.aggregate(question) }
    }

    func show(_ pages: [Page], visit: ([Restaurant]) -> Void) throws {
        try reading { reader in
            for page in pages { visit(try reader.restaurants(on: page)) }
        }
    }

    private func reading<Result>(_ work: (LMDBRestaurantReader) throws -> Result) throws -> Result {
        try reader.begin()
        defer { reader.end() }
        return try work(reader)
    }
}
