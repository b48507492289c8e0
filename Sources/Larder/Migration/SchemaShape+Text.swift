extension SchemaShape: CustomStringConvertible {
    /// The shape as text: a line for each item type, and below it an indented line for each of its parts.
    ///
    ///     Recipe
    ///       id: itemID
    ///       cookedAt: date?
    ///       kind: itemID?
    ///       slug: string
    ///       index cookedAt, slug
    ///       unique slug
    ///       toMany ingredients -> Ingredient.recipe cascade
    ///       toOne kind -> Kind nullify
    ///
    /// Types and parts come in the order of their names' bytes, the identifier first. A name with an ASCII
    /// sign that is neither a letter nor a digit nor `_` is in quotes. After the arrow is the type at the other end, with
    /// the relationship that this one shows from its other end.
    public var description: String {
        entities.map { $0.shapeLines.joined(separator: "\n") }.joined(separator: "\n")
    }
}

extension StoredSchema.Entity {
    /// The name, and below it an indented line for each part.
    var shapeLines: [String] {
        [ShapeName.text(of: name)]
            + (attributes.map(\.shapeText) + indexes.map(\.shapeText) + relationships.map(\.shapeText))
            .map { "  " + $0 }
    }
}

extension StoredSchema.Attribute {
    var shapeText: String { "\(ShapeName.text(of: name)): \(typeText)" }

    var typeText: String { type.rawValue + (isOptional ? "?" : "") }
}

extension StoredSchema.Index {
    var shapeText: String {
        (isUnique ? "unique " : "index ")
            + attributes.map { ShapeName.text(of: $0) }.joined(separator: ", ")
    }
}

extension StoredSchema.Relationship {
    var shapeText: String { "\(kind.rawValue) \(ShapeName.text(of: name)) \(endText)" }

    /// The other end and the delete rule.
    var endText: String {
        let end = [target, inverse].compactMap { $0 }.map { ShapeName.text(of: $0) }.joined(separator: ".")
        return "-> \(end) \(deleteRule.rawValue)"
    }
}

/// A name in the text of a shape.
enum ShapeName {
    /// The name as it is, or in quotes where it would not be read as one word.
    static func text(of name: String) -> String {
        if !name.isEmpty, name.utf8.allSatisfy(isPlain), !name.unicodeScalars.contains(where: isInvisible) {
            return name
        }
        var text = "\""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where isInvisible(scalar):
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// True for what a terminal or a page does not show as a sign of its own.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }

    /// True for ASCII letters, digits and `_`, and for all bytes beyond ASCII.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }
}
