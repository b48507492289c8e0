import Foundation

/// A workload that writes to a store of entries.
protocol EntryWorkload: StoreTask where AnyStore == any EntryContender {}

extension EntryWorkload {
    var contenders: Set<ContenderName> { .server }

    func makeStore(of contender: ContenderName, in folder: URL) throws -> any EntryContender {
        try contender.makeEntryContender(in: folder)
    }

    func close(_ store: any EntryContender) throws {
        try store.close()
    }
}
