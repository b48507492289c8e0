/// The handles of a write block, by the items they stand for.
///
/// A block has one handle, or a few, or thousands: the first is kept in place, which allocates nothing, and
/// the next few are found by looking through them, which costs a fraction of what a dictionary costs to make.
struct HandleTable {
    private var first: (any TrackedHandle)?
    private var few: [any TrackedHandle] = []
    private var many = [ItemKey: any TrackedHandle]()

    private static let fewCount = 8

    var isEmpty: Bool { first == nil && few.isEmpty && many.isEmpty }

    subscript(key: ItemKey) -> (any TrackedHandle)? {
        if !many.isEmpty { return many[key] }
        if let first, first.stands(for: key) { return first }
        for handle in few where handle.stands(for: key) { return handle }
        return nil
    }

    /// Adds the handle of an item that has none.
    mutating func insert(_ handle: any TrackedHandle, for key: ItemKey) {
        if many.isEmpty {
            if first == nil {
                first = handle
                return
            }
            if few.count < Self.fewCount {
                few.append(handle)
                return
            }
            forEach { many[$0.key] = $0 }
            first = nil
            few.removeAll()
        }
        many[key] = handle
    }

    @discardableResult
    mutating func remove(_ key: ItemKey) -> (any TrackedHandle)? {
        if !many.isEmpty { return many.removeValue(forKey: key) }
        if let first, first.stands(for: key) { return self.first.take() }
        guard let position = few.firstIndex(where: { $0.stands(for: key) }) else { return nil }
        return few.remove(at: position)
    }

    /// Forgets the handles that the app has released: a new handle of the same item is as good.
    mutating func forgetReleased() {
        var known: [KnownHandle] = []
        forEach { known.append(KnownHandle(handle: $0)) }
        self = HandleTable()
        for known in known {
            if let handle = known.handle { insert(handle, for: handle.key) }
        }
    }

    /// Runs a body for each handle.
    func forEach<Failure: Error>(_ body: (any TrackedHandle) throws(Failure) -> Void) throws(Failure) {
        if let first { try body(first) }
        for handle in few { try body(handle) }
        for handle in many.values { try body(handle) }
    }
}

/// A handle that the app may have released.
private struct KnownHandle {
    weak var handle: (any TrackedHandle)?
}

extension TrackedHandle {
    var key: ItemKey { ItemKey(entity: entity, identifier: identifier) }

    fileprivate func stands(for key: ItemKey) -> Bool {
        entity == key.entity && identifier == key.identifier
    }
}
