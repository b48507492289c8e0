import LarderKernel

/// The handling of rows that cannot be decoded.
public enum UndecodableRowPolicy: Sendable, Hashable {
    /// The work ends with an error that names the item.
    case abort
    /// The row is left out, and reported at the end.
    ///
    /// References to it become nil, links with it are left out, and so are items that require it.
    case skip
}

/// The rows that are left out in one piece of work, and what other rows lose with them.
///
/// *Rule:* used by one thread at a time.
final class UndecodableRows {
    /// The items that are known to be left out, if that was looked for.
    var skippedItems: SkippedItems?
    private(set) var skipped = Losses()
    /// The references and links that led to items left out.
    private(set) var lost = Losses()
    /// True if the work has ended at a row that it could leave out.
    private(set) var hasEndedWork = false
    private let policy: UndecodableRowPolicy
    private let note: ((DataStoreError) -> Void)?

    /// The number of rows or references left out, and the errors of the first ones.
    struct Losses {
        private(set) var count = 0
        private(set) var errors: [DataStoreError] = []

        /// A store may be broken from end to end, and memory has to stay bounded.
        private static let maximumErrors = 1000

        fileprivate mutating func add(_ error: DataStoreError) {
            count += 1
            if errors.count < Self.maximumErrors { errors.append(error) }
        }

        fileprivate mutating func takeErrors() -> [DataStoreError] {
            defer { errors.removeAll() }
            return errors
        }
    }

    /// - Parameter note: Takes the error of every row that is left out.
    init(
        _ policy: UndecodableRowPolicy, skipping skippedItems: SkippedItems? = nil,
        noting note: ((DataStoreError) -> Void)? = nil
    ) {
        self.policy = policy
        self.skippedItems = skippedItems
        self.note = note
    }

    /// Leaves a row out, or ends the work.
    func refuse(_ error: DataStoreError) throws(DataStoreError) {
        if policy == .abort {
            hasEndedWork = true
            throw error
        }
        skipped.add(error)
        note?(error)
    }

    /// Notes a reference or a link that led to an item left out.
    func lose(_ error: DataStoreError) {
        lost.add(error)
    }

    /// The errors since the last call.
    func takeErrors() -> [DataStoreError] { skipped.takeErrors() }
}
