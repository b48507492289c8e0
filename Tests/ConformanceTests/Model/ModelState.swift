import Larder

/// What the store should hold, in a dictionary, with the rules in their plainest form.
struct ModelState<ID: SpecimenID> {
    typealias Item = Specimen<ID>

    private(set) var items: [ModelKey: Item] = [:]

    subscript(id: ID) -> Item? {
        get { items[id.modelKey] }
        set { items[id.modelKey] = newValue }
    }

    /// Another item that holds one of the unique values of this one, and the attributes concerned.
    func clash(of item: Item) -> (holder: Item, attribute: String)? {
        let others = items.values.filter { $0.id.modelKey != item.id.modelKey }
        if let holder = others.first(where: { Self.haveSameCode($0, item) }) { return (holder, "code") }
        if let holder = others.first(where: { Self.haveSamePlace($0, item) }) {
            return (holder, "shelf, place")
        }
        return nil
    }

    private static func haveSameValue(_ left: Item, _ right: Item) -> Bool {
        haveSameCode(left, right) || haveSamePlace(left, right)
    }

    private static func haveSameCode(_ left: Item, _ right: Item) -> Bool {
        guard let code = left.code, let other = right.code else { return false }
        return String.order(code, other) == 0
    }

    private static func haveSamePlace(_ left: Item, _ right: Item) -> Bool {
        left.shelf != nil && left.shelf == right.shelf && left.place == right.place
    }
}

// MARK: Changes

extension ModelState {
    /// Inserts an item, or says why not.
    mutating func insert(_ item: Item) throws(ModelRefusal) {
        try requireNoClash(of: item)
        if self[item.id] != nil {
            throw ModelRefusal([.duplicateIdentifier], holder: item.id.anyItemID)
        }
        self[item.id] = item
    }

    /// Inserts all items or none; which of several reasons is named is not part of the contract.
    mutating func insert(contentsOf items: [Item]) throws(ModelRefusal) {
        if items.count == 1 { return try insert(items[0]) }
        var codes: Set<DataStoreError.Code> = []
        var copy = self
        for (position, item) in items.enumerated() {
            let others = items[..<position].filter { $0.id.modelKey != item.id.modelKey }
            if clash(of: item) != nil || others.contains(where: { Self.haveSameValue($0, item) }) {
                codes.insert(.uniqueViolation)
            }
            if copy[item.id] != nil { codes.insert(.duplicateIdentifier) }
            copy[item.id] = item
        }
        if !codes.isEmpty { throw ModelRefusal(codes) }
        self = copy
    }

    /// Gives a stored item other values, or says why not.
    mutating func replace(by item: Item) throws(ModelRefusal) {
        try requireNoClash(of: item)
        self[item.id] = item
    }

    /// Gives stored items other values, judged when all of them have theirs.
    mutating func replace(byAll items: [Item]) throws(ModelRefusal) {
        var copy = self
        for item in items { copy[item.id] = item }
        if items.contains(where: { copy.clash(of: $0) != nil }) { throw ModelRefusal([.uniqueViolation]) }
        self = copy
    }

    mutating func delete(_ items: [Item]) {
        for item in items { self[item.id] = nil }
    }

    mutating func deleteAll() {
        items = [:]
    }

    private func requireNoClash(of item: Item) throws(ModelRefusal) {
        guard let (holder, attribute) = clash(of: item) else { return }
        throw ModelRefusal([.uniqueViolation], holder: holder.id.anyItemID, attribute: attribute)
    }
}

/// Why the model refuses a call.
struct ModelRefusal: Error {
    /// The codes an error may have.
    let codes: Set<DataStoreError.Code>
    /// What it must name, where that is certain.
    let holder: AnyItemID?
    let attribute: String?

    init(_ codes: Set<DataStoreError.Code>, holder: AnyItemID? = nil, attribute: String? = nil) {
        self.codes = codes
        self.holder = holder
        self.attribute = attribute
    }

    func accepts(_ error: any Error) -> Bool {
        guard let error = error as? DataStoreError, codes.contains(error.code) else { return false }
        return (holder == nil || error.identifier == holder)
            && (attribute == nil || error.attribute == attribute)
    }
}
