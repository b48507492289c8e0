import LarderEngine
public import LarderKernel

extension SchemaShape {
    /// The shape that a text describes, in the form of ``description``.
    ///
    ///     let first = try SchemaShape(text: """
    ///         Recipe
    ///           id: itemID
    ///           name: string
    ///         """)
    ///
    /// The order of types, and of the parts of a type, does not count. Empty lines are skipped.
    ///
    /// - Throws: `.invalidSchema` with the line that cannot be read, or if the description is inconsistent.
    public init(text: String) throws(DataStoreError) {
        try self.init(lines: ShapeLine.lines(of: text), firstLine: 1)
    }

    /// - Parameter firstLine: The number of the first line in a longer text, for errors.
    init(lines: [Substring], firstLine: Int) throws(DataStoreError) {
        var entities: [StoredSchema.Entity] = []
        for (position, line) in lines.enumerated() where !line.utf8.allSatisfy(ShapeLine.isSpace) {
            var words = ShapeLine(line, number: firstLine + position)
            if !words.isIndented {
                let name = try words.name()
                try words.end()
                entities.append(
                    StoredSchema.Entity(
                        number: entities.count + 1, name: name, storageName: name, attributes: [],
                        indexes: []))
            } else if entities.isEmpty {
                throw words.error("A part of an item type stands before the first type")
            } else {
                try words.read(into: &entities[entities.count - 1])
            }
        }
        for position in entities.indices { entities[position].completeFolded() }
        let schema = StoredSchema(shape: entities)
        if let problem = schema.shapeProblem {
            throw DataStoreError(
                .invalidSchema, "The description of a schema is wrong: \(problem).",
                advice: "Describe the schema as `larder schema` prints it.")
        }
        self.init(schema)
    }
}

extension StoredSchema.Entity {
    /// The text of a folded text; nil if the type has no such text.
    fileprivate func text(of folding: StoredSchema.Folding) -> StoredSchema.Attribute? {
        attributes.first {
            $0.folding == nil && $0.type == .string && UTF8Text.areEqual($0.name, folding.text)
        }
    }

    /// Lets folded texts be nil if their texts may, which lines below them may say.
    fileprivate mutating func completeFolded() {
        for position in attributes.indices {
            guard let folding = attributes[position].folding, let text = text(of: folding) else { continue }
            attributes[position].isOptional = text.isOptional
        }
    }
}

extension StoredSchema {
    /// The first reason why no store can have the schema, as the end of a sentence.
    fileprivate var shapeProblem: String? {
        var names: Set<UTF8Key> = []
        for entity in entities {
            if !names.insert(UTF8Key(entity.name)).inserted {
                return "two item types are called \(entity.name)"
            }
            for folding in entity.attributes.compactMap(\.folding) where entity.text(of: folding) == nil {
                return "\(entity.name) has an index on \(folding.name), and no text of this name"
            }
            for relationship in entity.relationships where relationship.kind == .toOne {
                let attribute = entity.attributes.first { UTF8Text.areEqual($0.name, relationship.name) }
                let target = self.entity(named: relationship.target)?.attributes.first
                if let target, attribute?.type != target.type {
                    return """
                        \(entity.name).\(relationship.name) is not an attribute that can refer to \
                        \(relationship.target)
                        """
                }
            }
        }
        do throws(DataStoreError) {
            _ = try StoreSchema(of: self)
            return nil
        } catch {
            return String(error.message.dropLast(error.message.hasSuffix(".") ? 1 : 0))
        }
    }
}

/// A line of the text of a shape, read word by word.
struct ShapeLine {
    private let line: Substring
    private let number: Int
    private var rest: Substring.UTF8View

    /// The lines of a text, whether they end with a line feed or, as on Windows, with two signs.
    static func lines(of text: String) -> [Substring] {
        // By scalars: the two signs are one `Character`.
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            Substring(line.last == "\r" ? line.dropLast() : line)
        }
    }

    init(_ line: Substring, number: Int) {
        self.line = line
        self.number = number
        rest = line.utf8
    }

    var isIndented: Bool { line.utf8.first.map(Self.isSpace) ?? false }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    func error(_ message: String) -> DataStoreError {
        DataStoreError(
            .invalidSchema, "\(message) in line \(number) of the description of a schema.",
            excerpt: ["    " + line.trimmed], advice: "Describe the schema as `larder schema` prints it.")
    }

    /// Reads the part of an item type that the line describes.
    mutating func read(into entity: inout StoredSchema.Entity) throws(DataStoreError) {
        let name = try name()
        if take(":") {
            let attribute = try attribute(name)
            // Folded texts come last.
            let end = entity.attributes.firstIndex { $0.folding != nil } ?? entity.attributes.count
            entity.attributes.insert(attribute, at: name == "id" ? 0 : end)
        } else if name == "index" || name == "unique" {
            var names = [try indexedName(in: &entity)]
            while take(",") { names.append(try indexedName(in: &entity)) }
            entity.indexes.append(StoredSchema.Index(attributes: names, isUnique: name == "unique"))
        } else if let kind = RelationshipSchema.Kind(rawValue: name) {
            entity.relationships.append(try relationship(kind))
        } else {
            throw error("\"\(name)\" is followed by no type")
        }
        try end()
    }

    /// The name of an indexed attribute; one with flags, such as `name[c]`, is a folded text, which the entity gets.
    private mutating func indexedName(
        in entity: inout StoredSchema.Entity
    ) throws(DataStoreError) -> String {
        let text = try name()
        guard take("[") else { return text }
        let folding = StoredSchema.Folding(
            text: text, ignoringCase: take("c"), ignoringDiacritics: take("d"))
        guard take("]"), !folding.flags.isEmpty else { throw error("[c], [d] or [cd] is expected") }
        let name = folding.name
        if !entity.attributes.contains(where: { UTF8Text.areEqual($0.name, name) }) {
            entity.attributes.append(
                StoredSchema.Attribute(
                    name: name, storageName: name, type: .string, isOptional: false, folding: folding))
        }
        return name
    }

    private mutating func attribute(_ name: String) throws(DataStoreError) -> StoredSchema.Attribute {
        let word = try self.name()
        guard let type = AttributeType(rawValue: word) else {
            throw error("\"\(word)\" is not a type of attributes")
        }
        return StoredSchema.Attribute(name: name, storageName: name, type: type, isOptional: take("?"))
    }

    private mutating func relationship(
        _ kind: RelationshipSchema.Kind
    ) throws(DataStoreError) -> StoredSchema.Relationship {
        let name = try name()
        guard take("->") else { throw error("An arrow is missing") }
        let target = try self.name()
        let inverse = take(".") ? try self.name() : nil
        let word = try self.name()
        guard let rule = DeleteRule(rawValue: word) else {
            throw error("\"\(word)\" is not a delete rule")
        }
        return StoredSchema.Relationship(
            name: name, kind: kind, target: target, inverse: inverse, deleteRule: rule)
    }

    /// The next name, with or without quotes.
    mutating func name() throws(DataStoreError) -> String {
        skipSpaces()
        if rest.first == UInt8(ascii: "\"") { return try quotedName() }
        let word = rest.prefix(while: ShapeName.isPlain)
        guard !word.isEmpty else { throw error("A name is missing") }
        rest = rest.dropFirst(word.count)
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func quotedName() throws(DataStoreError) -> String {
        var name = ""
        var scalars = Substring(rest).unicodeScalars.dropFirst()
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"":
                rest = Substring(scalars).utf8
                return name
            case "\\":
                guard let escaped = Self.escaped(&scalars) else { throw error("A name has a wrong escape") }
                name.unicodeScalars.append(escaped)
            default: name.unicodeScalars.append(scalar)
            }
        }
        throw error("A quote is not closed")
    }

    /// The sign after a backslash: a quote, a backslash, or a scalar by its number.
    private static func escaped(_ scalars: inout Substring.UnicodeScalarView) -> Unicode.Scalar? {
        switch scalars.popFirst() {
        case "\""?: return "\""
        case "\\"?: return "\\"
        case "u"?:
            guard scalars.popFirst() == "{" else { return nil }
            let digits = scalars.prefix { $0 != "}" }
            scalars = scalars.dropFirst(digits.count)
            guard scalars.popFirst() == "}", digits.allSatisfy(\.properties.isASCIIHexDigit),
                let value = UInt32(String(digits), radix: 16)
            else { return nil }
            return Unicode.Scalar(value)
        default: return nil
        }
    }

    mutating func end() throws(DataStoreError) {
        skipSpaces()
        if !rest.isEmpty { throw error("\"\(String(Substring(rest)).trimmed)\" is too much") }
    }

    /// True if the text continues with some signs, which are then passed.
    private mutating func take(_ signs: String) -> Bool {
        skipSpaces()
        guard rest.starts(with: signs.utf8) else { return false }
        rest = rest.dropFirst(signs.utf8.count)
        return true
    }

    private mutating func skipSpaces() {
        rest = rest.drop(while: Self.isSpace)
    }
}

extension StringProtocol {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String {
        let front = utf8.drop(while: ShapeLine.isSpace)
        let back = front.reversed().drop(while: ShapeLine.isSpace)
        return String(decoding: Array(back.reversed()), as: UTF8.self)
    }
}
