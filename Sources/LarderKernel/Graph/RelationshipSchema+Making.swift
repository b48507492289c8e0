extension RelationshipSchema {
    /// A relationship as a store describes it.
    init(_ stored: StoredSchema.Relationship, of entity: StoredSchema.Entity) {
        name = stored.name
        propertyName = name
        kind = stored.kind
        deleteRule = stored.deleteRule
        column =
            stored.kind == .toOne
            ? entity.attributes.firstIndex { UTF8Text.areEqual($0.name, stored.name) } : nil
        originalName = nil
        target = .named(stored.target)
        inverse = stored.inverse.map { .named($0) } ?? .none
    }

    /// A relationship whose other end and inverse are named, so that it is found again in another schema.
    init(_ resolved: StoreRelationship, in schema: StoreSchema) {
        let declared = schema.entities[resolved.owner].relationships[resolved.number]
        let derivedFrom = resolved.isDerived ? resolved.inverse(in: schema)?.name : nil
        self.init(
            name: declared.name, propertyName: declared.propertyName, kind: declared.kind,
            deleteRule: declared.deleteRule, column: declared.column, originalName: declared.originalName,
            target: .named(resolved.targetSchema.name),
            inverse: derivedFrom.map { .named($0) } ?? Inverse.none)
    }

    /// The relationships of an item type: those declared, and one for each ``ToOne``.
    ///
    /// - Parameter problems: The problems of the declaration, to which this adds.
    static func relationships(
        declared: [RelationshipDeclaration], attributes: [AttributeSchema], problems: inout [String]
    ) -> [RelationshipSchema] {
        var rules: [UTF8Key: DeleteRule] = [:]
        var relationships: [RelationshipSchema] = []
        var names = Set(attributes.map { UTF8Key($0.name) })
        for declaration in declared {
            if let kind = declaration.kind, let target = declaration.target {
                if !names.insert(UTF8Key(declaration.name)).inserted {
                    problems.append("the relationship \"\(declaration.name)\" is declared twice")
                }
                relationships.append(
                    RelationshipSchema(
                        name: declaration.name, propertyName: declaration.propertyName, kind: kind,
                        deleteRule: declaration.deleteRule, column: nil,
                        originalName: declaration.originalName, target: .type(target),
                        inverse: declaration.inverse))
            } else {
                rules[UTF8Key(declaration.name)] = declaration.deleteRule
            }
        }
        for (column, attribute) in attributes.enumerated() {
            let rule = rules.removeValue(forKey: UTF8Key(attribute.name))
            guard let type = attribute.referencedType else {
                if rule != nil {
                    problems.append("\"\(attribute.name)\" has a delete rule but is not a ToOne")
                }
                continue
            }
            relationships.append(
                RelationshipSchema(
                    name: attribute.name, propertyName: attribute.propertyName, kind: .toOne,
                    deleteRule: rule ?? .nullify, column: column,
                    originalName: attribute.originalName, target: .type(type), inverse: .unnamed))
        }
        problems += rules.keys.map { "a delete rule is given for an unknown attribute (\($0))" }
        return relationships
    }
}
