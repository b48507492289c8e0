/// The number of listeners to the commits of a store.
///
/// It is counted where every block passes anyway, in the ``StoreGate``, so a block learns without a lock of its own
/// what it has to record.
struct CommitAudience {
    /// The streams that take each change set.
    var streams = 0
    /// The observations that are marked if a commit touches what they have read.
    var observations = 0
    /// The ones among them that have looked up single rows.
    var rowObservations = 0
}
