import ArgumentParser
import Larder

struct VerifyCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Compares two stores by counts and digests of their items.",
        discussion: "Ends with 1 when they differ; diff tells in what.")

    @OptionGroup var stores: PairArguments
    @OptionGroup var form: FormatOptions
    @OptionGroup var speed: QuickOption
    @OptionGroup var common: CommonOptions

    func run(in session: Session) throws -> ExitStatus {
        let (left, right) = try session.showingActivity { activity in
            (try digests(of: stores.source, activity), try digests(of: stores.destination, activity))
        }
        var records = session.records(
            ["type", "items", "itemsOfCopy", "isEqual", "digest", "digestOfCopy"], form.format)
        for (left, right) in Self.pairs(left, right) {
            try records.write([
                .text(left?.entity ?? right?.entity ?? ""), Self.count(left), Self.count(right),
                .bool(left == right), Self.text(left), Self.text(right),
            ])
        }
        try records.finish()
        return Self.pairs(left, right).allSatisfy { $0 == $1 } ? .success : .negative
    }

    private func digests(of path: String, _ activity: Activity) throws -> [EntityDigest] {
        activity.begin("opening")
        return try UntypedStore.reading(path, acceptsIncomplete: true, isQuick: speed.quick) { _, reader in
            activity.begin("verifying", total: try reader.countAll())
            return try reader.digests { activity.report($0) }
        }
    }

    /// By the names of the types, those of the left store first.
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
