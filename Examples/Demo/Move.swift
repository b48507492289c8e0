import Foundation
import Larder
import LarderLMDB
import LarderMemory
import LarderSQLite
import LarderTransfer

/// The move of a store from SQLite to LMDB and to memory: a copy that is killed halfway and continues, the
/// cut-over, and the way back.
struct Move {
    let sqlite: URL
    let lmdb: URL

    /// The argument with which the demo starts itself to get a copy that it can kill.
    static let argument = "--copy-slowly"

    private var toLMDB: StoreTransfer { StoreTransfer(from: .sqlite(at: sqlite), to: .lmdb(at: lmdb)) }

    /// Copies in small batches and reports each; runs until it is done or killed.
    func copySlowly() throws {
        var transfer = toLMDB
        transfer.options.itemsPerBatch = 50
        transfer.options.progress = { progress in
            FileHandle.standardOutput.write(Data("\(progress.done)\n".utf8))
        }
        _ = try transfer.run()
    }

    /// Copies in another process, which is killed after some thousand items; returns the number that it
    /// reported.
    func copyAndKill() throws -> Int {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [Self.argument, sqlite.path, lmdb.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var told = 0
        var text = ""
        while told < 3000 {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            told = lines.dropLast().last.flatMap { Int($0) } ?? told
            text = lines.last.map(String.init) ?? ""
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return told
    }

    /// The error code for an app that opens the unfinished copy.
    func openHalfCopy() throws -> DataStoreError.Code {
        let half = LMDBDataStore(at: lmdb, storing: itemTypes)
        do {
            try half.setup()
        } catch {
            return error.code
        }
        try half.tearDown()
        throw DemoError("An unfinished copy was opened like a complete store.")
    }

    /// Continues the killed copy to its end.
    func resume() throws -> StoreTransferReport {
        let report = try toLMDB.run()
        guard report.isResumed else { throw DemoError("The killed copy started from the beginning.") }
        return report
    }

    /// Copies to memory, and compares the digests of all three.
    func copyToMemory(_ storage: MemoryStorage, like report: StoreTransferReport) throws
        -> StoreTransferReport
    {
        let second = try StoreTransfer(from: .lmdb(at: lmdb), to: .memory(storage)).run()
        guard second.digests == report.digests else {
            throw DemoError("The copies have different digests.")
        }
        return second
    }

    /// Sets the old store aside once the new one has been opened as the app does, and restores it.
    func changeOverAndBack() throws {
        let cutOver = StoreCutOver(from: .sqlite(at: sqlite), to: .lmdb(at: lmdb))
        try cutOver.probe(LMDBDataStore(at: lmdb, storing: itemTypes), storing: itemTypes)
        try cutOver.finalize()
        guard try !SQLiteDataStore.isStore(at: sqlite) else {
            throw DemoError("The old store is still in its place.")
        }
        try cutOver.rollBack()
        guard try SQLiteDataStore.isStore(at: sqlite) else {
            throw DemoError("The old store was not restored.")
        }
    }
}
