// Names are equal by their bytes (contract rule 7). The hashes are derived: they are equal for equal bytes.

extension StoredSchema {
    public static func == (left: StoredSchema, right: StoredSchema) -> Bool {
        left.generation == right.generation && left.entities == right.entities
            && left.nextEntityNumber == right.nextEntityNumber && left.identity == right.identity
            && left.version.map { UTF8Key($0) } == right.version.map { UTF8Key($0) }
            && left.transfer == right.transfer
    }
}

extension StoredSchema.Entity {
    public static func == (left: StoredSchema.Entity, right: StoredSchema.Entity) -> Bool {
        left.number == right.number && UTF8Text.areEqual(left.name, right.name)
            && UTF8Text.areEqual(left.storageName, right.storageName)
            && left.attributes == right.attributes && left.indexes == right.indexes
            && left.relationships == right.relationships && left.isLink == right.isLink
    }
}

extension StoredSchema.Relationship {
    public static func == (left: StoredSchema.Relationship, right: StoredSchema.Relationship) -> Bool {
        UTF8Text.areEqual(left.name, right.name) && left.kind == right.kind
            && UTF8Text.areEqual(left.target, right.target)
            && left.inverse.map { UTF8Key($0) } == right.inverse.map { UTF8Key($0) }
            && left.deleteRule == right.deleteRule
    }
}

extension StoredSchema.Attribute {
    public static func == (left: StoredSchema.Attribute, right: StoredSchema.Attribute) -> Bool {
        UTF8Text.areEqual(left.name, right.name)
            && UTF8Text.areEqual(left.storageName, right.storageName) && left.type == right.type
            && left.isOptional == right.isOptional && left.folding == right.folding
    }
}

extension StoredSchema.Folding {
    public static func == (left: StoredSchema.Folding, right: StoredSchema.Folding) -> Bool {
        UTF8Text.areEqual(left.text, right.text) && left.matching == right.matching
            && UTF8Text.areEqual(left.tables, right.tables)
    }
}

extension StoredSchema.Index {
    public static func == (left: StoredSchema.Index, right: StoredSchema.Index) -> Bool {
        left.attributes.elementsEqual(right.attributes, by: UTF8Text.areEqual)
            && left.isUnique == right.isUnique
    }
}
