/// The changes of every block that begins after the subscription: one ``ChangeSet`` per commit, in order.
///
/// Blocks that run or wait for their commit at the subscription may be missing. Commits of other processes
/// are not included, as their change sets are unknown; ``StoreValues`` follow such commits too.
///
/// *Rule:* ends when the store is torn down. It serves one consumer; get another sequence from the store for
/// each further one. *Cost:* change sets wait in memory until they are consumed.
public struct DataStoreChanges: AsyncSequence, Sendable {
    public typealias Element = ChangeSet
    public typealias Failure = Never

    private let stream: AsyncStream<ChangeSet>
    private var ignored: Set<WriteOrigin> = []

    init(stream: AsyncStream<ChangeSet>) { self.stream = stream }

    /// The same changes without the commits of an origin.
    ///
    ///     for await changes in store.changes.ignoring("editor") { … }
    ///
    /// Several origins are left out by several calls.
    public func ignoring(_ origin: WriteOrigin) -> DataStoreChanges {
        var changes = self
        changes.ignored.insert(origin)
        return changes
    }

    public func makeAsyncIterator() -> Iterator { Iterator(stream.makeAsyncIterator(), ignored) }

    /// Gives one change set after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<ChangeSet>.Iterator
        private let ignored: Set<WriteOrigin>

        fileprivate init(_ iterator: AsyncStream<ChangeSet>.Iterator, _ ignored: Set<WriteOrigin>) {
            self.iterator = iterator
            self.ignored = ignored
        }

        public mutating func next() async -> ChangeSet? {
            while let changes = await iterator.next() {
                if let origin = changes.origin, ignored.contains(origin) { continue }
                return changes
            }
            return nil
        }
    }
}
