/// The handles of a write block, by the items they stand for.
///
/// A block has a handle or two, or thousands: the first few are found by looking through them, which costs a
/// fraction of what a dictionary costs to make.
struct HandleTable {
    private var few: [any TrackedHandle] = []
    private var many: [ItemKey: any TrackedHandle] = [:]

    private static let fewCount = 8

    subscript(key: ItemKey) -> (any TrackedHandle)? {
        if !many.isEmpty { return many[key] }
        for handle in few where handle.entity == key.entity && handle.identifier == key.identifier {
            return handle
        }
        return nil
    }

    /// Adds the handle of an item that has none.
    mutating func insert(_ handle: any TrackedHandle, for key: ItemKey) {
        if many.isEmpty, few.count < Self.fewCount {
            few.append(handle)
            return
        }
        for handle in few { many[handle.key] = handle }
        few.removeAll()
        many[key] = handle
    }

    @discardableResult
    mutating func remove(_ key: ItemKey) -> (any TrackedHandle)? {
        if !many.isEmpty { return many.removeValue(forKey: key) }
        guard let position = few.firstIndex(where: { $0.key == key }) else { return nil }
        return few.remove(at: position)
    }

    mutating func removeAll() {
        few.removeAll()
        many.removeAll()
    }

    /// Runs a body for each handle.
    func forEach<Failure: Error>(_ body: (any TrackedHandle) throws(Failure) -> Void) throws(Failure) {
        for handle in few { try body(handle) }
        for handle in many.values { try body(handle) }
    }
}

extension TrackedHandle {
    var key: ItemKey { ItemKey(entity: entity, identifier: identifier) }
}
