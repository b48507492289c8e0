import ArgumentParser
import Larder
import LarderTransfer

struct VerifyCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Compares two stores by counts and digests of their items and links.",
        discussion: """
            The links of a relationship have a row of their own, after the items that they start from. \
            Exits with 1 if they differ, or if an item cannot be decoded; diff lists the differences. Exits \
            with 65 if one of them is an unfinished copy, which no app can open, even if their items are equal.
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
        let pairs = Self.pairs(left.counts, right.counts)
        let hasLinks = pairs.contains { ($0 ?? $1)?.relationship != nil }
        let names = ["items", "itemsOfCopy", "isEqual", "digest", "digestOfCopy"]
        var records = session.records(
            (hasLinks ? ["type", "relationship"] : ["type"]) + names, form.format)
        for (left, right) in pairs {
            guard let either = left ?? right else { continue }
            let relationship = hasLinks ? [Self.value(either.relationship)] : []
            try records.write(
                [.text(either.type)] + relationship + [
                    Self.count(left), Self.count(right), .bool(Self.areEqual(left, right)),
                    Self.digest(left), Self.digest(right),
                ])
        }
        try records.finish()
        for content in [left, right] {
            for count in content.counts where count.undecodable > 0 {
                let rows = FigureText.count(count.undecodable, "row")
                try session.note(
                    "larder: \(content.location): \(rows) of \(count.digest.entity) cannot be decoded")
            }
        }
        if let unfinished = left.unfinished ?? right.unfinished { throw unfinished }
        return pairs.allSatisfy({ Self.areEqual($0, $1) }) ? .success : .negative
    }

    /// The items of a type, or the links of one of its relationships.
    private struct Count: Equatable {
        let type: String
        let relationship: String?
        let digest: EntityDigest
        /// The number of rows that cannot be decoded, and that the digest leaves out.
        let undecodable: Int

        func hasName(of other: Count) -> Bool {
            digest.entity.utf8.elementsEqual(other.digest.entity.utf8)
        }
    }

    /// False also if rows of both cannot be decoded, as the digests do not compare these.
    private static func areEqual(_ left: Count?, _ right: Count?) -> Bool {
        left == right && left?.undecodable == 0
    }

    /// The items and links of a store, and the reason why no app can open it.
    private struct Content {
        let location: String
        let counts: [Count]
        let unfinished: DataStoreError?
    }

    private func content(of path: String, _ activity: Activity) throws -> Content {
        activity.begin("opening")
        return try UntypedStore.reading(path, reading, acceptsIncomplete: true, isQuick: speed.quick) {
            store, reader in
            let rows = try reader.entities.map { try reader.count(for: UntypedRequest($0.name)) }
            activity.begin("verifying", total: rows.reduce(0, +))
            let digests = try reader.digests { activity.report($0) }
            return Content(
                location: store.address.location,
                counts: Self.counts(digests, rows, links: reader.links(in: digests)),
                unfinished: store.unfinishedTransfer)
        }
    }

    /// Puts the links of each relationship after the items that they start from.
    ///
    /// - Parameter rows: The numbers of all rows, in the order of the digests.
    private static func counts(
        _ digests: [EntityDigest], _ rows: [Int], links: [RelationshipDigest]
    ) -> [Count] {
        func count(_ digest: EntityDigest, _ type: String, _ relationship: String?) -> Count {
            let all = digests.firstIndex(of: digest).map { rows[$0] } ?? digest.count
            return Count(
                type: type, relationship: relationship, digest: digest, undecodable: all - digest.count)
        }
        return digests.filter { digest in !links.contains { $0.digest == digest } }.flatMap { items in
            [count(items, items.entity, nil)]
                + links.filter { $0.entity.utf8.elementsEqual(items.entity.utf8) }.map {
                    count($0.digest, $0.entity, $0.relationship)
                }
        }
    }

    /// Pairs the counts by their names, the left store's first.
    private static func pairs(_ left: [Count], _ right: [Count]) -> [(Count?, Count?)] {
        let both = left.map { left in (left, right.first { $0.hasName(of: left) }) }
        let rest = right.filter { right in !left.contains { $0.hasName(of: right) } }
        return both + rest.map { (nil, $0) }
    }

    private static func count(_ count: Count?) -> OutputValue {
        count.map { .count($0.digest.count) } ?? .null
    }

    private static func digest(_ count: Count?) -> OutputValue {
        value(count?.digest.digest.description)
    }

    private static func value(_ text: String?) -> OutputValue { text.map { .text($0) } ?? .null }
}
