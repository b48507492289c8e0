import LarderEngine
import LarderKernel

extension SchemaShape: CustomStringConvertible {
    /// The shape as text: a line for each item type, and below it an indented line for each of its parts.
    ///
    /// ```text
    /// Recipe
    ///   id: itemID
    ///   cookedAt: date?
    ///   kind: itemID?
    ///   slug: string
    ///   index cookedAt, slug
    ///   unique slug
    ///   unique slug[c]
    ///   toMany ingredients -> Ingredient.recipe cascade
    ///   toOne kind -> Kind nullify
    /// ```
    ///
    /// Types and parts come in the order of their names' bytes, the identifier first. A name with an ASCII
    /// sign that is neither a letter nor a digit nor `_` is in quotes. After the arrow is the type at the other end, with
    /// the relationship that this one shows from its other end. `[c]` and `[d]` after the name of an indexed text mean
    /// without regard to case, and to diacritics.
    public var description: String { text(.shown) }

    /// The text of which the hash is made.
    var hashedText: String { text(.hashed) }

    private func text(_ form: ShapeName.Form) -> String {
        entities.map { $0.shapeLines(form).joined(separator: "\n") }.joined(separator: "\n")
    }
}

extension StoredSchema.Entity {
    /// The name, and below it an indented line for each part.
    func shapeLines(_ form: ShapeName.Form) -> [String] {
        let parts =
            attributes.filter { $0.folding == nil }.map { $0.shapeText(form) }
            + indexes.map { $0.shapeText(form, in: self) }
            + relationships.map { $0.shapeText(form) }
        return [ShapeName.text(of: name, form)] + parts.map { "  " + $0 }
    }
}

extension StoredSchema.Attribute {
    func shapeText(_ form: ShapeName.Form = .shown) -> String {
        "\(ShapeName.text(of: name, form)): \(typeText)"
    }

    var typeText: String { type.rawValue + (isOptional ? "?" : "") }
}

extension StoredSchema.Index {
    func shapeText(_ form: ShapeName.Form = .shown, in entity: StoredSchema.Entity) -> String {
        (isUnique ? "unique " : "index ")
            + attributes.map { name in
                // A folded text is its text with the flags of the folding: `name[c]`.
                let folding = entity.attributes.lazy.filter { UTF8Text.areEqual($0.name, name) }.first?
                    .folding
                return ShapeName.text(of: folding?.text ?? name, form) + (folding?.flags ?? "")
            }.joined(separator: ", ")
    }
}

extension StoredSchema.Relationship {
    /// The name, the other end and the delete rule.
    func shapeText(_ form: ShapeName.Form = .shown) -> String {
        let end = [target, inverse].compactMap { $0 }.map { ShapeName.text(of: $0, form) }
        return
            "\(kind.rawValue) \(ShapeName.text(of: name, form)) -> \(end.joined(separator: ".")) \(deleteRule.rawValue)"
    }
}

/// A name in the text of a shape.
enum ShapeName {
    /// The purpose of a text.
    enum Form {
        /// For people: what a terminal does not show is escaped.
        case shown
        /// For the hash, which must be the same on every system: the tables of Unicode, which grow, do not count.
        case hashed
    }

    /// The plain name, or in quotes if it would not be read as one word.
    static func text(of name: String, _ form: Form = .shown) -> String {
        func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
            switch form {
            case .shown: Self.isInvisible(scalar)
            case .hashed: isControl(scalar)
            }
        }
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

    /// True for the control characters, which are the same in every version of Unicode.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
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
