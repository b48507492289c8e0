import Larder

/// The handling of rows that cannot be decoded.
public enum UndecodableRowPolicy: Sendable, Hashable {
    /// The work ends with an error that names the item.
    case abort
    /// The row is left out, and reported at the end.
    case skip
}

/// The rows that could not be decoded in one piece of work.
///
/// *Rule:* used by one thread at a time.
final class UndecodableRows {
    private let policy: UndecodableRowPolicy
    /// The number of rows left out.
    private(set) var count = 0
    /// The errors of the first ones.
    private(set) var errors: [DataStoreError] = []

    /// A store may be broken from end to end, and memory has to stay bounded.
    private static let maximumErrors = 1000

    init(_ policy: UndecodableRowPolicy) {
        self.policy = policy
    }

    /// Leaves a row out, or ends the work.
    func refuse(_ error: DataStoreError) throws(DataStoreError) {
        if policy == .abort { throw error }
        count += 1
        if errors.count < Self.maximumErrors { errors.append(error) }
    }

    /// The errors since the last call.
    func takeErrors() -> [DataStoreError] {
        defer { errors.removeAll() }
        return errors
    }
}
