import ArgumentParser
import Larder
import LarderTransfer

struct VerifyCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Compares two stores by counts and digests of their items.",
        discussion: """
            Exits with 1 if they differ; diff lists the differences. Exits with 65 if one of them is an \
            unfinished copy, which no app can open, even if their items are equal.
            """)

    @OptionGroup var stores: PairArguments
    @OptionGroup var form: FormatOptions
    @OptionGroup var reading: ReadingOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        let (left, right) = try session.showingActivity { activity in
            (try content(of: stores.source, activity), try content(of: stores.destination, activity))
        }
        let pairs = Self.pairs(left.digests, right.digests)
        var records = session.records(
            ["type", "items", "itemsOfCopy", "isEqual", "digest", "digestOfCopy"], form.format)
        for (left, right) in pairs {
            try records.write([
                .text(left?.entity ?? right?.entity ?? ""), Self.count(left), Self.count(right),
                .bool(left == right), Self.text(left), Self.text(right),
            ])
        }
        try records.finish()
        if let unfinished = left.unfinished ?? right.unfinished { throw unfinished }
        return pairs.allSatisfy { $0 == $1 } ? .success : .negative
    }

    /// The items of a store, and the reason why no app can open it.
    private struct Content {
        let digests: [EntityDigest]
        let unfinished: DataStoreError?
    }

    private func content(of path: String, _ activity: Activity) throws -> Content {
        activity.begin("opening")
        return try UntypedStore.reading(path, reading, acceptsIncomplete: true, isQuick: speed.quick) {
            store, reader in
            activity.begin("verifying", total: try reader.countAll())
            let digests = try reader.digests { activity.report($0) }
            return Content(digests: digests, unfinished: store.unfinishedTransfer)
        }
    }

    /// Pairs the digests by the names of the types, those of the left store first.
    private static func pairs(
        _ left: [EntityDigest], _ right: [EntityDigest]
    ) -> [(EntityDigest?, EntityDigest?)] {
        let both = left.map { left in (left, right.first { $0.hasName(of: left) }) }
        let rest = right.filter { right in !left.contains { $0.hasName(of: right) } }
        return both + rest.map { (nil, $0) }
    }

    private static func count(_ digest: EntityDigest?) -> OutputValue {
        digest.map { .count($0.count) } ?? .null
    }

    private static func text(_ digest: EntityDigest?) -> OutputValue {
        digest.map { .text($0.digest.description) } ?? .null
    }
}

extension EntityDigest {
    fileprivate func hasName(of other: EntityDigest) -> Bool {
        entity.utf8.elementsEqual(other.entity.utf8)
    }
}
