// The places among the things that a thread holds, each from `StoreGate.enter` to `StoreGate.leave`.
extension ThreadBlocks {
    // Not `some`: Swift 6.3 crashes on the conformance of such a type in builds that are not optimized.
    /// The places, innermost last.
    private var places: Places { held.lazy.compactMap(Self.place) }
    private typealias Places = LazyMapSequence<
        LazyFilterSequence<LazyMapSequence<UnsafeBufferPointer<Held>, BlockContext?>>, BlockContext
    >

    /// Lists a place right around the block that it is for, with which it ends: the innermost one of a store
    /// whose snapshot has not begun.
    func push(_ place: BlockContext, around store: ObjectIdentifier) {
        let position = held.lastIndex { thing in
            Self.place(thing).map { ObjectIdentifier($0.store) == store && !$0.hasBegun } ?? false
        }
        push(place, at: position ?? held.count)
    }

    /// The number of places among the readers of a store that the thread has taken.
    func readerPlaces(in gate: StoreGate) -> Int {
        places.count { $0.isReading && $0.store.gate === gate }
    }

    /// True if the thread has any place in the store.
    func isInside(_ store: StoreCoordinator) -> Bool {
        places.contains { $0.store === store }
    }

    /// True if the thread has any place in the store, in an ancestor, or in another child of one.
    func isInsideFamily(of store: StoreCoordinator) -> Bool {
        places.contains { $0.store.top === store.top }
    }

    /// True if the thread is in a block of the store, and not only in a tool or merge of it.
    func isInBlock(of store: StoreCoordinator) -> Bool {
        places.contains { $0.store === store && ($0.isReading || $0.hasBegun) }
    }

    /// True if the thread is in any block of a child of the store, or of a child's child.
    func isInsideDescendant(of store: StoreCoordinator) -> Bool {
        places.contains { $0.store.isDescendant(of: store) }
    }

    /// The innermost place among the readers of the store, whose snapshot a nested read shares.
    func readBlock(of store: StoreCoordinator) -> BlockContext? {
        places.last { $0.store === store && $0.isReading }
    }

    /// The same for a read of the app; in a block of a child, the snapshot of that block begins now at the
    /// latest.
    ///
    /// So a block of a child never has two snapshots of one ancestor, nor two of its places.
    func blockToJoin(of store: StoreCoordinator) throws(DataStoreError) -> BlockContext? {
        // Looked for again each time, as a snapshot that begins may list a place of its own.
        while let child = places.last(where: {
            $0.isReading && !$0.hasBegun && $0.store.isDescendant(of: store)
        }) {
            _ = try child.beginSnapshot()
        }
        return readBlock(of: store)
    }

    /// The context of a place; nil for a turn or a life cycle.
    private static func place(_ held: Held) -> BlockContext? {
        held.refusal == nil ? Unmanaged.fromOpaque(held.thing).takeUnretainedValue() : nil
    }
}
