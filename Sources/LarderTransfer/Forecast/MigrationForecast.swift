/// The steps that the opening of a store with a ``SchemaHistory`` will run, found without opening it for
/// writing.
///
///     let forecast = try history.forecast(for: .sqlite(at: url))
///     if !forecast.isEmpty { show("Updating \(forecast.rows) recipes …") }
///     print(forecast)  // 1 → 3: 1 → 2 inferred, 0 rows; 2 → 3 mapped, 1200 rows; about 3 MB of space
///
/// *Rule:* a value. Another process may change the store after it was read.
public struct MigrationForecast: Sendable, Hashable {
    /// The version of the store; nil if no store exists, or it holds nothing yet.
    public let from: String?
    /// The current version.
    public let to: String
    /// The steps that will run, in their order; empty if there is nothing to do.
    public let steps: [Step]
    /// True if the steps run in a copy that then takes the store's place, unless another process has the store open
    /// then; see ``SchemaUpgradeMode``.
    public let isCopied: Bool
    /// The size of the store's files; 0 for a store that is not in files.
    public let storeBytes: Int
    /// An estimate, rather high, of the space that the steps need in addition to the store.
    ///
    /// In place, old and new rows of all steps are both there until the one transaction is committed, and an engine
    /// may write them to a log first. A copy needs the size of the store, and the same for its largest step. `setup()`
    /// refuses to begin with less (`.storeFull`).
    public let neededBytes: Int
    /// The free space on the disk of the store; nil if it is not known.
    public let availableBytes: Int?

    /// One step of a forecast.
    public struct Step: Sendable, Hashable {
        /// The version that the step leads from.
        public let from: String
        /// The version that the step leads to; the same for small changes within a version.
        public let to: String
        /// True if no closure of the app runs: only small changes, new names, and deletions of types.
        public let isInferred: Bool
        /// The number of rows that are given to closures, or written again.
        ///
        /// 0 if types and indexes come and go as a whole.
        public let rows: Int
    }

    /// True if there is nothing to do: no store exists, or it is up to date.
    public var isEmpty: Bool { steps.isEmpty }

    /// The number of rows of all steps.
    public var rows: Int { steps.reduce(0) { $0 + $1.rows } }

    /// True if the disk is known to have less free space than the steps need.
    public var lacksSpace: Bool { availableBytes.map { $0 < neededBytes } ?? false }
}

extension MigrationForecast.Step: CustomStringConvertible {
    /// Such as `1 → 2 inferred, 0 rows`.
    public var description: String {
        "\(from) → \(to) \(isInferred ? "inferred" : "mapped"), \(rows) \(rows == 1 ? "row" : "rows")"
    }
}

extension MigrationForecast: CustomStringConvertible {
    public var description: String {
        guard let from, !isEmpty else { return "\(to): nothing to do" }
        let steps = steps.map(\.description).joined(separator: "; ")
        return
            "\(from) → \(to): \(steps); about \(neededBytes) bytes of space\(isCopied ? " for a copy" : "")"
    }
}
