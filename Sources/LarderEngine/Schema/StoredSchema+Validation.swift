package import LarderKernel
import LarderPattern

/// A stored schema is validated as a whole before anything uses it: bytes that are JSON may still describe
/// impossible tables.
extension StoredSchema {
    /// The greatest number that a schema may hold; engines keep numbers in 4 bytes, and each can still grow
    /// by one.
    private static let maximumNumber = Int(Int32.max) - 1

    /// Refuses an inconsistent schema.
    ///
    /// *Cost:* one comparison per name. - Throws: `.damaged`, naming the place and the fault.
    func requireSound() throws(DataStoreError) {
        if let problem = problem ?? linkProblem {
            throw DataStoreError(.damaged, "The schema kept in the store is wrong: \(problem).")
        }
    }

    /// The first problem, as the end of a sentence, or nil.
    package var problem: String? {
        guard (0...Self.maximumNumber).contains(generation) else { return "its generation is \(generation)" }
        guard (1...Self.maximumNumber).contains(nextEntityNumber) else {
            return "its next number for an item type is \(nextEntityNumber)"
        }
        var (names, storageNames) = (DistinctNames(), DistinctNames())
        var numbers: Set<Int> = []
        for entity in entities {
            let limit = entity.isLink ? EntitySchema.maximumLinkNameBytes : EntitySchema.maximumNameBytes
            if let problem = Self.problem(inName: entity.name, limit: limit) {
                return "the name of an item type \(problem)"
            }
            if !names.insert(entity.name) { return "two item types are called \"\(entity.name)\"" }
            guard (1..<nextEntityNumber).contains(entity.number) else {
                return
                    "\(entity.name) has the number \(entity.number), and the next one is \(nextEntityNumber)"
            }
            if !numbers.insert(entity.number).inserted {
                return "two item types have the number \(entity.number)"
            }
            if !storageNames.insert(CaseFolding.folded(entity.storageName)) {
                return "two item types are stored as \"\(entity.storageName)\""
            }
            if let problem = entity.problem { return "\(entity.name) \(problem)" }
        }
        return relationshipProblem ?? transfer?.problem
    }

    /// The problem of a name, if any; a stored name may have a number after it.
    static func problem(inName name: String, limit: Int) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.contains(0) { return "holds a NUL" }
        return name.utf8.count > limit
            ? "has \(name.utf8.count) bytes, and at most \(limit) are allowed" : nil
    }

    /// The extra length of a stored name: `~2`, if another name differs from it only in case.
    fileprivate static let storageNameExtra = 20
}

extension StoredSchema.Entity {
    fileprivate var problem: String? {
        let limit =
            (isLink ? EntitySchema.maximumLinkNameBytes : EntitySchema.maximumNameBytes)
            + StoredSchema.storageNameExtra
        if let problem = StoredSchema.problem(inName: storageName, limit: limit) {
            return "has a stored name that \(problem)"
        }
        guard let identifier = attributes.first else { return "has no attributes" }
        if !UTF8Text.areEqual(identifier.name, "id") {
            return "begins with the attribute \"\(identifier.name)\" and not with \"id\""
        }
        if identifier.isOptional { return "has an optional identifier" }
        if !identifier.type.canIdentify { return "has an identifier of the type \(identifier.type.rawValue)" }
        // The rows that a child keeps of its parent have one more.
        if attributes.count > EntitySchema.maximumAttributes + 1 {
            return "has more than \(EntitySchema.maximumAttributes) attributes"
        }
        return attributeProblem ?? indexProblem
    }

    private var attributeProblem: String? {
        var names = DistinctNames(capacity: attributes.count)
        var storageNames = names
        let limit = AttributeSchema.maximumNameBytes
        var hasFolded = false
        for attribute in attributes {
            // The name of a folded text is its text's name and at most four bytes.
            let limit = attribute.folding == nil ? limit : limit + 4
            if let problem = StoredSchema.problem(inName: attribute.name, limit: limit) {
                return "has an attribute whose name \(problem)"
            }
            if attribute.folding == nil, hasFolded {
                return "has the attribute \"\(attribute.name)\" after its folded texts"
            }
            hasFolded = attribute.folding != nil
            if hasFolded, !foldsText(attribute) {
                return "has the folded text \"\(attribute.name)\" of an attribute that is not such a text"
            }
            if !names.insert(attribute.name) { return "has two attributes called \"\(attribute.name)\"" }
            let storageName = attribute.storageName
            let storageLimit = limit + StoredSchema.storageNameExtra
            if let problem = StoredSchema.problem(inName: storageName, limit: storageLimit) {
                return "has an attribute \"\(attribute.name)\" whose stored name \(problem)"
            }
            if !storageNames.insert(CaseFolding.folded(storageName)) {
                return "has two attributes that are stored as \"\(storageName)\""
            }
        }
        return nil
    }

    private func foldsText(_ attribute: StoredSchema.Attribute) -> Bool {
        guard let folding = attribute.folding, !folding.matching.isEmpty else { return false }
        return attributes.dropFirst().contains { text in
            UTF8Text.areEqual(text.name, folding.text) && text.folding == nil && text.type == .string
                && attribute.type == .string && text.isOptional == attribute.isOptional
        }
    }

    private var indexProblem: String? {
        if indexes.isEmpty { return nil }
        var types: [UTF8Key: AttributeType] = [:]
        for attribute in attributes { types[UTF8Key(attribute.name)] = attribute.type }
        var seen: Set<[UTF8Key]> = []
        for index in indexes {
            if index.attributes.isEmpty { return "has an index on nothing" }
            for name in index.attributes {
                guard let type = types[UTF8Key(name)] else {
                    return "has an index on \"\(name)\", which is not one of its attributes"
                }
                if !type.isIndexable {
                    return "has an index on \"\(name)\", whose type is \(type.rawValue)"
                }
            }
            if !seen.insert(index.attributes.map { UTF8Key($0) }).inserted {
                return "has two indexes on \(index.attributes.joined(separator: ", "))"
            }
        }
        return nil
    }
}

extension StoredSchema.Transfer {
    /// The first problem; a type that was copied may have been renamed or deleted since.
    fileprivate var problem: String? {
        var seen = DistinctNames()
        for digest in digests {
            if let problem = StoredSchema.problem(
                inName: digest.entity, limit: EntitySchema.maximumLinkNameBytes)
            {
                return "it counts copied items of a type whose name \(problem)"
            }
            if !seen.insert(digest.entity) { return "it counts the copied items of \(digest.entity) twice" }
            if digest.count < 0 { return "it counts \(digest.count) copied items of \(digest.entity)" }
        }
        return nil
    }
}

extension AttributeType {
    /// True if values can be identifiers: all engines have to sort them as keys.
    fileprivate var canIdentify: Bool {
        switch storage {
        case .integer, .unsigned, .text: true
        case .blob: self == .uuid
        case .real, .decimal, .json: false
        }
    }
}

/// Names that differ in their bytes.
private struct DistinctNames {
    private var names: Set<UTF8Key>

    init(capacity: Int = 0) { names = Set(minimumCapacity: capacity) }

    /// False for a name that is there already.
    mutating func insert(_ name: String) -> Bool { names.insert(UTF8Key(name)).inserted }
}
