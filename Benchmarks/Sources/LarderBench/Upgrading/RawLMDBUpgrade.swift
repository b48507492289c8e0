import CLMDBRaw
import Foundation
import Larder

/// A loop over the old rows that puts new ones at the end of a new table, and their entries into new indexes, in
/// one transaction.
struct RawLMDBUpgrade: UpgradeContender {
    let original: URL

    /// Makes the file of the first version.
    func fill(from recipes: RecipesBeforeUpgrade) throws {
        try write(to: original) { transaction in
            let tables = try RawRecipeTables(Self.firstVersion, in: transaction)
            try recipes.forEachPiece { piece in
                for recipe in piece {
                    try RawRecipeRow.withBytes(of: recipe) { try tables.append($0, for: recipe.id) }
                }
            }
            tables.close()
        }
    }

    func upgrade(_ file: URL, by work: UpgradeWork) throws {
        try write(to: file) { transaction in
            let old = try RawRecipeTables(Self.firstVersion, in: transaction)
            let new = try RawRecipeTables(Self.secondVersion, in: transaction)
            let row = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
            defer { row.deallocate() }
            var (key, value) = (MDB_val(), MDB_val())
            while try LMDBFailure.isFound(mdb_cursor_get(old.rows, &key, &value, MDB_NEXT)) {
                let changed = RawRecipeRow.upgrade(value.bytes, by: work, into: row)
                try new.append(changed, for: key.integer)
            }
            new.close()
            try old.drop(in: transaction)
        }
    }

    func answer(in file: URL, after work: UpgradeWork) throws -> UpgradeAnswer {
        var answer = UpgradeAnswer()
        try write(to: file) { transaction in
            let tables = try RawRecipeTables(Self.secondVersion, in: transaction)
            var (key, value) = (MDB_val(), MDB_val())
            while try LMDBFailure.isFound(mdb_cursor_get(tables.rows, &key, &value, MDB_NEXT)) {
                let bytes = value.bytes
                answer.rows += 1
                answer.sum += RawRecipeRow.checkedNumber(in: bytes, after: work)
                answer.titleBytes += RawRecipeRow.title(in: bytes).count
            }
            tables.close()
        }
        return answer
    }

    private static let firstVersion = 1
    private static let secondVersion = 2

    private func write(to file: URL, _ body: (OpaquePointer) throws -> Void) throws {
        let environment = try OpaquePointer.environment(at: file.path, durability: .normal, tableCount: 6)
        defer { mdb_env_close(environment) }
        let transaction = try OpaquePointer.beginning(in: environment, flags: 0)
        do {
            try body(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try LMDBFailure.check(mdb_txn_commit(transaction))
    }
}

/// The rows of a version and their indexes, with a cursor for each.
private struct RawRecipeTables {
    private let tables: [MDB_dbi]
    let rows: OpaquePointer
    private let byTitle: OpaquePointer
    private let byKind: OpaquePointer

    init(_ version: Int, in transaction: OpaquePointer) throws {
        let idList = MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP
        tables = [
            try .table("recipe\(version)", flags: MDB_CREATE | MDB_INTEGERKEY, in: transaction),
            try .table("byTitle\(version)", flags: MDB_CREATE, in: transaction),
            try .table("byKind\(version)", flags: MDB_CREATE | MDB_INTEGERKEY | idList, in: transaction),
        ]
        rows = try .cursor(of: tables[0], in: transaction)
        byTitle = try .cursor(of: tables[1], in: transaction)
        byKind = try .cursor(of: tables[2], in: transaction)
    }

    /// Puts a row after all others, and its entries into the indexes; refuses a title that is there already.
    func append(_ row: UnsafeRawBufferPointer, for id: Int64) throws {
        try withUnsafeBytes(of: id) { idBytes in
            var (key, value) = (MDB_val(idBytes), MDB_val(row))
            try LMDBFailure.check(mdb_cursor_put(rows, &key, &value, UInt32(MDB_APPEND)))
            var title = MDB_val(RawRecipeRow.title(in: row))
            var found = MDB_val(idBytes)
            try LMDBFailure.check(mdb_cursor_put(byTitle, &title, &found, UInt32(MDB_NOOVERWRITE)))
        }
        try byKind.add(id, under: RawRecipeRow.kind(in: row))
    }

    func close() {
        for cursor in [rows, byTitle, byKind] { mdb_cursor_close(cursor) }
    }

    func drop(in transaction: OpaquePointer) throws {
        close()
        for table in tables { try LMDBFailure.check(mdb_drop(transaction, table, 1)) }
    }
}

/// A recipe in bytes, without its id: numbers at fixed places, then the title and the note.
private enum RawRecipeRow {
    private static let minutes = 0
    private static let rating = 8
    private static let kind = 16
    private static let titleLength = 24
    private static let hasRating = 28
    private static let texts = 32
    /// The size of a number that is added, which goes to the end so that all others stay where they are.
    private static let added = 8

    // reason: the bytes are LMDB's page, or a row that is made; they are valid until the next change.

    static func withBytes(
        of recipe: RecipeBeforeUpgrade, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let count = texts + recipe.title.utf8.count + (recipe.note?.utf8.count ?? 0)
        try withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { row in
            row.storeBytes(of: Int64(recipe.minutes), toByteOffset: minutes, as: Int64.self)
            row.storeBytes(of: recipe.rating ?? 0, toByteOffset: rating, as: Double.self)
            row.storeBytes(of: recipe.kind.id, toByteOffset: kind, as: Int64.self)
            let length = UInt32(recipe.title.utf8.count)
            row.storeBytes(of: length, toByteOffset: titleLength, as: UInt32.self)
            let flags: UInt32 = (recipe.rating == nil ? 0 : 1) | (recipe.note == nil ? 0 : 2)
            row.storeBytes(of: flags, toByteOffset: hasRating, as: UInt32.self)
            let place = UnsafeMutableRawBufferPointer(rebasing: row[texts...])
            _ = place.bindMemory(to: UInt8.self).initialize(
                from: Array((recipe.title + (recipe.note ?? "")).utf8))
            try body(UnsafeRawBufferPointer(row))
        }
    }

    /// Makes a row of the second version.
    static func upgrade(
        _ old: UnsafeRawBufferPointer, by work: UpgradeWork, into row: UnsafeMutableRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        let number = old.loadUnaligned(fromByteOffset: minutes, as: Int64.self)
        switch work {
        case .widened: row.copyMemory(from: old)
        case .transformed:
            row.copyMemory(from: old)
            row.storeBytes(of: number * UpgradeWork.factor, toByteOffset: minutes, as: Int64.self)
        case .added, .filled:
            row.copyMemory(from: old)
            let value = work == .filled ? number * UpgradeWork.factor : 0
            row.storeBytes(of: value, toByteOffset: old.count, as: Int64.self)
            return UnsafeRawBufferPointer(rebasing: row[..<(old.count + added)])
        }
        return UnsafeRawBufferPointer(rebasing: row[..<old.count])
    }

    static func checkedNumber(in row: UnsafeRawBufferPointer, after work: UpgradeWork) -> Int64 {
        let place = work == .filled ? row.count - added : minutes
        return row.loadUnaligned(fromByteOffset: place, as: Int64.self)
    }

    static func title(in row: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let length = Int(row.loadUnaligned(fromByteOffset: titleLength, as: UInt32.self))
        return UnsafeRawBufferPointer(rebasing: row[texts..<(texts + length)])
    }

    static func kind(in row: UnsafeRawBufferPointer) -> Int64 {
        row.loadUnaligned(fromByteOffset: kind, as: Int64.self)
    }
}
