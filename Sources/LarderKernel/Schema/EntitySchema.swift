public import LarderPattern

/// The description of one item type for a store: its name, attributes and indexes.
///
///     static let schema = EntitySchema(
///         "Recipe",
///         attributes: [
///             .attribute("id", ItemID<Recipe>.self),
///             .attribute("name", String.self),
///             .attribute("rating", Double.self, default: 0),
///         ],
///         indexes: [.index("rating")])
///
/// `@StoredItem` writes it; a type that conforms to ``DataStoreItem`` by hand declares it itself. The first
/// attribute is the identifier. *Rule:* immutable. `setup()` throws the errors of a declaration.
public final class EntitySchema: Sendable {
    /// The name under which the items are stored.
    public let name: String
    /// The attributes in column order; column 0 is `id`.
    ///
    /// Folded texts that the library keeps for indexes come last; ``declaredAttributes`` leaves them out.
    public let attributes: [AttributeSchema]
    /// The number of the attributes that keep folded texts.
    package let foldedCount: Int
    /// The indexes, each with the numbers of its columns; each ``ToOne`` has one.
    public let indexes: [IndexSchema]
    /// The relationships without a column in the order of their declaration, then each ``ToOne``.
    public let relationships: [RelationshipSchema]
    /// True if the library has added it, to hold the links of a many-to-many relationship.
    public let isLink: Bool
    /// The relationship whose links it holds, by its property; nil if it holds items, or only the store's names are known.
    package let linkNames: (itemType: String, relationship: String)?
    /// The name in earlier versions of the app: of the type, or of links whose relationship had another name.
    package let originalName: String?
    /// The columns of each unique index.
    package let uniqueColumns: [[Int]]
    /// True if any relationship has no column, so that values may be given items for it.
    @usableFromInline package let hasWindows: Bool
    /// The columns whose stored forms may differ for one and the same value.
    private let jsonColumns: ColumnSet
    /// The problems of the declaration; empty if there are none.
    public let problems: [String]

    /// The description of an item type.
    ///
    /// - Parameter originalName: The name under which earlier versions of the app stored the type; its rows
    ///   stay, with their references and links. Without effect if a type of the new name is stored, or the
    ///   app has a type of the old one. Two types of a store cannot have the same one.
    public convenience init(
        _ name: String, originalName: String? = nil, attributes: [AttributeSchema],
        indexes: [IndexDeclaration] = [], relationships: [RelationshipDeclaration] = []
    ) {
        var problems: [String] = []
        // The attributes of another schema may have its folded texts among them.
        let attributes = attributes.filter { $0.folded == nil }
        let relationships = RelationshipSchema.relationships(
            declared: relationships, attributes: attributes, problems: &problems)
        self.init(
            name, attributes: attributes, indexes: indexes, relationships: relationships, isLink: false,
            originalName: originalName, problems: problems)
    }

    /// The links of a many-to-many relationship: a row for each pair, found from both ends.
    convenience init(
        links name: String, of names: (itemType: String, relationship: String), originalName: String?,
        source: AttributeType, target: AttributeType, isOrdered: Bool
    ) {
        var attributes = [
            AttributeSchema.attribute("id", ItemID<Never>.self),
            AttributeSchema(link: "source", source), AttributeSchema(link: "target", target),
        ]
        if isOrdered { attributes.append(AttributeSchema(link: "rank", .string)) }
        self.init(
            name, attributes: attributes,
            indexes: [.unique("source", "target"), .index("target", "source")]
                + (isOrdered ? [.index("source", "rank")] : []),
            relationships: [], isLink: true, linkNames: names, originalName: originalName, problems: [])
    }

    private init(
        _ name: String, attributes: [AttributeSchema], indexes: [IndexDeclaration],
        relationships: [RelationshipSchema], isLink: Bool,
        linkNames: (itemType: String, relationship: String)? = nil, originalName: String?,
        problems earlier: [String]
    ) {
        self.name = name
        self.relationships = relationships
        self.isLink = isLink
        self.linkNames = linkNames
        self.originalName = originalName
        let limit = isLink ? Self.maximumLinkNameBytes : Self.maximumNameBytes
        var problems = EntitySchema.problems(inName: name, limit, attributes: attributes) + earlier
        var properties: Set<UTF8Key> = []
        let windows = relationships.filter { $0.column == nil }.map(\.propertyName)
        for property in attributes.map(\.propertyName) + windows
        where !properties.insert(UTF8Key(property)).inserted {
            problems.append("two attributes or relationships are of the property \"\(property)\"")
        }
        let (attributes, indexedNames) = EntitySchema.folding(attributes, for: indexes, problems: &problems)
        self.attributes = attributes
        foldedCount = attributes.reversed().prefix { $0.folded != nil }.count
        if attributes.count > Self.maximumAttributes {
            let reason = foldedCount == 0 ? "" : ", with the folded texts of its indexes"
            problems.append("it has more than \(Self.maximumAttributes) attributes" + reason)
        }
        var indexSchemas: [IndexSchema] = zip(indexes, indexedNames).compactMap { declaration, names in
            let columns = names.map { name in attributes.firstIndex { UTF8Text.areEqual($0.name, name) } }
            for (name, column) in zip(names, columns) {
                guard let column else {
                    problems.append("an index names the unknown attribute \"\(name)\"")
                    continue
                }
                if !attributes[column].type.isIndexable {
                    problems.append(
                        "\"\(name)\" cannot be indexed, as its type is \(attributes[column].type.rawValue)")
                }
            }
            let known = columns.compactMap { $0 }
            guard !known.isEmpty, known.count == columns.count else { return nil }
            return IndexSchema(columns: known, isUnique: declaration.isUnique)
        }
        var indexed: Set<[Int]> = []
        for columns in indexSchemas.map(\.columns) where !indexed.insert(columns).inserted {
            let names = columns.map { "\"\(attributes[$0].name)\"" }.joined(separator: ", ")
            problems.append("two indexes have the same attributes (\(names))")
        }
        let textReferences = attributes.indices.filter { attributes[$0].textReference != nil }
        for attribute in textReferences.map({ attributes[$0] })
        where attribute.textReference?.deleteRule == .nullify && !attribute.isOptional {
            problems.append(
                "\"\(attribute.name)\" is required, and the delete rule of its union would make it nil")
        }
        for column in relationships.compactMap(\.column) + textReferences
        where !indexSchemas.contains(where: { $0.columns == [column] }) {
            indexSchemas.append(IndexSchema(columns: [column], isUnique: false))
        }
        self.indexes = indexSchemas
        uniqueColumns = self.indexes.filter(\.isUnique).map(\.columns)
        hasWindows = relationships.contains { $0.column == nil }
        jsonColumns = ColumnSet(attributes.indices.filter { attributes[$0].type == .json })
        self.problems = problems
    }

    /// An item type as a store describes it, which the app need not have.
    package convenience init(_ stored: StoredSchema.Entity) {
        let attributes = stored.attributes.map { attribute in
            let source = attribute.folding.flatMap { folding in
                stored.attributes.firstIndex { UTF8Text.areEqual($0.name, folding.text) }
            }
            guard let source, let folding = attribute.folding else { return AttributeSchema(attribute) }
            return AttributeSchema(
                folding: AttributeSchema(stored.attributes[source]), at: source, folding.matching,
                by: folding.tables)
        }
        self.init(
            stored.name, attributes: attributes,
            indexes: stored.indexes.map { index in
                IndexDeclaration(attributes: index.attributes, isUnique: index.isUnique)
            },
            relationships: stored.relationships.map { RelationshipSchema($0, of: stored) },
            isLink: stored.isLink, originalName: nil, problems: [])
    }

    /// The same item type with other relationships.
    convenience init(_ entity: EntitySchema, relationships: [RelationshipSchema]) {
        self.init(
            entity.name, attributes: entity.attributes,
            indexes: entity.indexes.map { index in
                IndexDeclaration(
                    attributes: index.columns.map { entity.attributes[$0].name }, isUnique: index.isUnique)
            },
            relationships: relationships, isLink: entity.isLink, linkNames: entity.linkNames,
            originalName: entity.originalName, problems: [])
    }

    /// The attributes with those for folded texts that indexes need, and for each index the names of its attributes.
    private static func folding(
        _ attributes: [AttributeSchema], for indexes: [IndexDeclaration], problems: inout [String]
    ) -> (attributes: [AttributeSchema], names: [[String]]) {
        var all = attributes
        let names = indexes.map { index in
            index.attributes.map { name in
                guard
                    let (column, matching) = TextMatching.folded(name, by: index.matching, among: attributes)
                else { return name }
                let text = attributes[column]
                if text.type != .string || text.referencedType != nil || column == 0 {
                    problems.append(
                        "\"\(text.name)\" cannot have an index without regard to case or diacritics, as it is "
                            + (column == 0 ? "the identifier" : "no text"))
                    return text.name
                }
                let folded = AttributeSchema(folding: text, at: column, matching)
                if attributes.contains(where: { $0.folded == nil && UTF8Text.areEqual($0.name, folded.name) })
                {
                    problems.append(
                        "the name \"\(folded.name)\" is kept for the folded text of \"\(text.name)\"")
                    return text.name
                }
                if !all.contains(where: { UTF8Text.areEqual($0.name, folded.name) }) { all.append(folded) }
                return folded.name
            }
        }
        return (all, names)
    }

    private static func problems(
        inName name: String, _ limit: Int, attributes: [AttributeSchema]
    ) -> [String] {
        var problems: [String] = []
        if name.isEmpty || name.utf8.count > limit {
            problems.append("its name is empty or over \(limit) bytes")
        }
        if name.utf8.contains(0) { problems.append("its name holds a NUL") }
        guard let first = attributes.first else { return problems + ["it has no attributes"] }
        if first.name != "id" { problems.append("its first attribute is \"\(first.name)\" and not \"id\"") }
        if first.isOptional { problems.append("its identifier is optional") }
        var seen: Set<UTF8Key> = []
        for attribute in attributes {
            problems += [attribute.problem].compactMap(\.self)
            if !seen.insert(UTF8Key(attribute.name)).inserted {
                problems.append("the attribute \"\(attribute.name)\" is declared twice")
            }
            let bytes = attribute.name.utf8
            if attribute.folded != nil { continue }
            if bytes.isEmpty || bytes.contains(0) || bytes.count > AttributeSchema.maximumNameBytes {
                problems.append("the attribute name \"\(attribute.name)\" is empty, too long or holds a NUL")
            }
        }
        return problems
    }

    /// The longest name of an item type, in bytes.
    package static let maximumNameBytes = 100
    /// The longest name of the links of a relationship: the name of its item type, a dot and its own.
    package static let maximumLinkNameBytes = maximumNameBytes + 1 + AttributeSchema.maximumNameBytes
    /// The most attributes an item type may have, with the folded texts of its indexes.
    package static let maximumAttributes = 1000

    /// - Throws: `.invalidSchema` when the declaration is inconsistent.
    func requireNoProblem() throws(DataStoreError) {
        if let problem = problems.first {
            throw DataStoreError(
                .invalidSchema, "The declaration of \(name) is wrong: \(problem).", itemType: name)
        }
    }

    /// The place among ``relationships`` of the one with this number among those without a column.
    package func position(ofRelationship number: Int) -> Int? {
        relationships.indices.contains(number) && relationships[number].column == nil ? number : nil
    }

    /// The place among ``relationships`` of the one that a reference names; nil if there is none.
    func position(of reference: RelationshipReference) -> Int? {
        switch reference {
        case .column(let column): relationships.firstIndex { $0.column == column }
        case .number(let number): position(ofRelationship: number)
        }
    }

    /// The column of the attribute with this name in the store, which the app declares.
    public func column(named name: String) -> Int? {
        declaredAttributes.firstIndex { UTF8Text.areEqual($0.name, name) }
    }

    /// The column of the attribute that the app knows by this name.
    package func column(ofProperty name: String) -> Int? {
        declaredAttributes.firstIndex { UTF8Text.areEqual($0.propertyName, name) }
    }

    /// The storage form of the values of a column.
    public func storage(ofColumn column: Int) -> AttributeType.Storage {
        attributes[column].type.storage
    }

    /// True if two stored forms of a column stand for the same value, so that the stored one can stay.
    package func isUnchanged(at column: Int, from old: Cell, to new: Cell) -> Bool {
        // The attribute is asked last: asking copies it, with a retain for each of its parts.
        old.hasSameBytes(as: new)
            || jsonColumns.contains(column) && attributes[column].valueType?.isSame(old, new) ?? false
    }

    /// The columns whose values differ between two rows of the same item.
    package func changedColumns(from old: UnsafePointer<Cell>, to new: UnsafePointer<Cell>) -> ColumnSet {
        var columns = ColumnSet()
        for column in declaredAttributes.indices.dropFirst()
        where !isUnchanged(at: column, from: old[column], to: new[column]) {
            columns.insert(column)
        }
        return columns
    }
}

extension EntitySchema {
    /// The error for a stored value that does not have the attribute's type: `.damaged` for nil in a required
    /// attribute, which no write stores (rule 9), and else `.undecodable`.
    @usableFromInline
    package func undecodable(
        _ cell: Cell, at column: Int, in cells: UnsafePointer<Cell>? = nil
    ) -> DataStoreError {
        let attribute = attributes[column]
        let isMissing = cell.isNull && !attribute.isOptional
        return DataStoreError(
            isMissing ? .damaged : .undecodable,
            isMissing
                ? "The stored value is nil, and the attribute is required."
                : "The stored value \(cell.rawDescription) cannot be read as \(attribute.type.rawValue).",
            itemType: name, attribute: attribute.propertyName,
            identifier: cells.flatMap { AnyItemID($0[0], type: attributes[0].type) })
    }

    /// The error for a second item with the same identifier; for adapters.
    public func duplicateIdentifier(_ identifier: Cell) -> DataStoreError {
        let identifier = AnyItemID(identifier, type: attributes[0].type)
        return DataStoreError(
            .duplicateIdentifier, "An item with this identifier already exists.", itemType: name,
            identifier: identifier)
    }
}

extension Cell {
    /// The value for an error message: numbers in full, text shortened, bytes only counted.
    package var rawDescription: String {
        switch kind {
        case .null: "nil"
        case .integer: String(integer)
        case .real: String(real)
        case .text: "\"" + string.prefix(40) + "\""
        case .blob: "of \(length) bytes"
        }
    }
}

/// An index of an entity: the numbers of its columns, most significant first.
public struct IndexSchema: Sendable, Hashable {
    public let columns: [Int]
    public let isUnique: Bool
}

/// An index as declared: the names of its attributes, most significant first.
public struct IndexDeclaration: Sendable {
    let attributes: [String]
    let isUnique: Bool
    /// The folding of the text in an index of one attribute; in others it follows the name.
    var matching = TextMatching.exact

    /// An index that lets requests find and order items without reading all of them.
    ///
    /// A text is kept without regard to case if `[c]` follows its name, without diacritics for `[d]`, and without both for
    /// `[cd]`, as in ``unique(_:)``.
    public static func index(_ attributes: String...) -> IndexDeclaration {
        IndexDeclaration(attributes: attributes, isUnique: false)
    }

    /// An index that also refuses a second item with the same values.
    ///
    ///     let oneOfEachName = IndexDeclaration.unique("owner", "name[c]")
    ///
    /// A `nil` among them never clashes.
    public static func unique(_ attributes: String...) -> IndexDeclaration {
        IndexDeclaration(attributes: attributes, isUnique: true)
    }

    /// An index on a text without regard to case, diacritics or both.
    ///
    ///     let schema = EntitySchema(
    ///         "Recipe",
    ///         attributes: [.attribute("id", ItemID<Recipe>.self), .attribute("name", String.self)],
    ///         indexes: [.index("name", .caseInsensitive)])
    ///
    /// *Cost:* the store keeps the folded text beside the text, in a column of its own.
    public static func index(_ attribute: String, _ matching: TextMatching) -> IndexDeclaration {
        IndexDeclaration(attributes: [attribute], isUnique: false, matching: matching.known)
    }

    /// An index as ``index(_:_:)`` that also refuses a second item whose text is equal so.
    ///
    /// A `nil` never clashes.
    public static func unique(_ attribute: String, _ matching: TextMatching) -> IndexDeclaration {
        IndexDeclaration(attributes: [attribute], isUnique: true, matching: matching.known)
    }
}

extension TextMatching {
    /// The matching without bits that have no meaning.
    fileprivate var known: TextMatching { intersection(.both) }

    private static let both: TextMatching = [.caseInsensitive, .diacriticInsensitive]

    /// The text that an index folds, and its folding; nil for an attribute that it does not fold.
    ///
    /// - Parameter matching: The folding of the attribute with the whole name; flags in the name fold another one.
    fileprivate static func folded(
        _ name: String, by matching: TextMatching, among attributes: [AttributeSchema]
    ) -> (column: Int, matching: TextMatching)? {
        func column(_ name: String) -> Int? { attributes.firstIndex { UTF8Text.areEqual($0.name, name) } }
        if let column = column(name) { return matching.isEmpty ? nil : (column, matching) }
        for matching in [.caseInsensitive, .diacriticInsensitive, both] {
            let flags = matching.flags.utf8
            guard name.utf8.suffix(flags.count).elementsEqual(flags) else { continue }
            let text = String(decoding: name.utf8.dropLast(flags.count), as: UTF8.self)
            return column(text).map { ($0, matching) }
        }
        return nil
    }
}
