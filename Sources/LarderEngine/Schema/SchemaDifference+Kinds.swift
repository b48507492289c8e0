package import LarderKernel

extension SchemaDifference {
    /// A stored attribute that the declared one cannot take the values of.
    package init?(_ attribute: AttributeSchema, of entity: String, storedAs stored: StoredSchema.Attribute) {
        let name = "\(entity).\(attribute.propertyName)"
        let isIdentifier = attribute.name == "id"
        if !stored.type.widens(to: attribute.type) || (isIdentifier && stored.type != attribute.type) {
            self.init(
                kind: isIdentifier ? .identifierType : .attributeType, itemType: entity,
                attribute: attribute.propertyName,
                message: "\(name) is stored as \(stored.type.rawValue), not \(attribute.type.rawValue)",
                advice: "Declare \(name) as \(stored.type.swiftName) again"
                    + (isIdentifier
                        ? ", or store the items under a new item type."
                        : ", and give the new type to a property of another name."))
        } else if stored.isOptional && !attribute.isOptional {
            self.init(
                kind: .storedAsOptional, itemType: entity, attribute: attribute.propertyName,
                message: "\(name) may be nil in the store and not in the app",
                advice: "Make \(name) optional.")
        } else {
            return nil
        }
    }

    /// A required attribute without default that the store does not have yet.
    ///
    /// - Parameter old: The entity as it is stored.
    package init(new attribute: AttributeSchema, of entity: EntitySchema, in old: StoredSchema.Entity) {
        let name = "\(entity.name).\(attribute.propertyName)"
        let declared = Set(
            entity.attributes.flatMap { [$0.name, $0.originalName ?? $0.name].map(UTF8Key.init) })
        let candidates = old.attributes.filter { stored in
            stored.folding == nil && !declared.contains(UTF8Key(stored.name))
                && stored.type.widens(to: attribute.type)
                && !stored.isOptional
        }
        let renaming = candidates.map { stored in
            "if \(name) was called \(stored.name) before, mark it @Attribute(originalName: \"\(stored.name)\")"
        }
        let advice = "Give \(name) a default value or make it optional"
        self.init(
            kind: .missingDefault, itemType: entity.name, attribute: attribute.propertyName,
            message: "\(name) is new and has neither a default nor may be nil",
            advice: ([advice] + renaming).joined(separator: "; ") + ".")
    }
}

extension SchemaDifference {
    /// The first point in which a stored relationship does not fit the declared one.
    ///
    /// - Parameters:
    ///   - property: The name of the relationship in the app.
    ///   - owner: The stored name of the item type that has it.
    ///   - stored: A relationship that is stored by its owner, or was at its other end, which has given it up.
    ///   - advice: The remedy if it leads to another type; nil for the usual one.
    package init?(
        _ relationship: StoredSchema.Relationship, _ property: String, of owner: String,
        storedAs stored: StoredSchema.Relationship, advice: String? = nil
    ) {
        let name = "\(owner).\(property)"
        if let inverse = stored.inverse {
            self.init(
                kind: .relationshipType, itemType: owner, attribute: property,
                message: """
                    \(name) is stored as the inverse of \(stored.target).\(inverse), not as \
                    \(relationship.kind.swiftName) of its own
                    """,
                advice: """
                    Declare \(stored.target).\(inverse) and its inverse \(name) again, and give the new relationship another \
                    name.
                    """)
        } else if let inverse = relationship.inverse {
            let form = stored.kind.swiftName + (stored.kind == .toOne ? "" : " without an inverse")
            self.init(
                kind: .relationshipType, itemType: owner, attribute: property,
                message: """
                    \(name) is stored as \(stored.kind.swiftName) of its own, not as the inverse of \
                    \(relationship.target).\(inverse)
                    """,
                advice: "Declare \(name) as \(form) again, and give the new relationship another name.")
        } else if relationship.kind.isToMany != stored.kind.isToMany {
            self.init(
                kind: .relationshipType, itemType: owner, attribute: property,
                message:
                    "\(name) is stored as \(stored.kind.swiftName), not as \(relationship.kind.swiftName)",
                advice: """
                    Declare \(name) as \(stored.kind.swiftName) again, and give the new relationship another name.
                    """)
        } else if !UTF8Text.areEqual(relationship.target, stored.target) {
            let form = stored.kind == .toOne ? "a reference" : "links"
            self.init(
                kind: .relationshipType, itemType: owner, attribute: property,
                message: "\(name) is stored as \(form) to \(stored.target), not to \(relationship.target)",
                advice: advice
                    ?? """
                    Let \(name) refer to \(stored.target) again, and give the new relationship another name.
                    """)
        } else if relationship.kind == .orderedToMany && stored.kind == .toMany {
            self.init(
                kind: .relationshipType, itemType: owner, attribute: property,
                message: "\(name) is stored without an order",
                advice: "Declare \(name) as a ToMany again, and give the ordered relationship another name.")
        } else {
            return nil
        }
    }

    /// A relationship of a stored item type that the app does not declare, to one that it declares.
    ///
    /// - Parameter owner: The stored name of the item type.
    package init(undeclared owner: String, _ relationship: StoredSchema.Relationship) {
        self.init(
            kind: .undeclaredType, itemType: owner, attribute: relationship.name,
            message: """
                \(owner).\(relationship.name) leads to \(relationship.target), and \(owner) is not among the \
                store's types
                """,
            advice: """
                Add the type that is stored as \(owner). To give it up, open the store once with \(owner) \
                declared without \(relationship.name).
                """)
    }

    /// An item type under the name that the links of a relationship need.
    package init(linksStoredAsItems name: String) {
        self.init(
            kind: .relationshipType, itemType: name, attribute: "id",
            message: "\(name) is the name of a stored item type, and of the links of a relationship",
            advice: "Give the relationship another name.")
    }
}

extension RelationshipSchema.Kind {
    /// The kind as an app declares it, after its article.
    fileprivate var swiftName: String {
        switch self {
        case .toOne: "a ToOne"
        case .toOneInverse: "a ToOneInverse"
        case .toMany: "a ToMany"
        case .orderedToMany: "an OrderedToMany"
        }
    }
}

extension AttributeType {
    /// The type as an app declares it.
    fileprivate var swiftName: String {
        switch self {
        case .bool: "Bool"
        case .int8: "Int8"
        case .int16: "Int16"
        case .int32: "Int32"
        case .int64: "Int"
        case .uint8: "UInt8"
        case .uint16: "UInt16"
        case .uint32: "UInt32"
        case .uint64: "UInt"
        case .float: "Float"
        case .double: "Double"
        case .string: "String"
        case .data: "Data"
        case .date: "Date"
        case .uuid: "UUID"
        case .url: "URL"
        case .decimal: "Decimal"
        case .itemID: "an ItemID"
        case .json: "its CodableAttribute"
        }
    }
}
