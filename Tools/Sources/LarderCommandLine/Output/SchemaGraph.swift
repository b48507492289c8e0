import Larder

/// The item types of a store with their attributes, and an edge for each relationship, as a drawing.
struct SchemaGraph {
    private let types: [StoredSchema.Entity]
    private let edges: [Edge]

    /// One relationship with its inverse, if it has one.
    private struct Edge {
        let owner: String
        let target: String
        /// The number of items of the owner's type that one of the target's may have.
        let ownerCount: Count
        /// The number of items of the target's type that one of the owner's may have.
        let targetCount: Count
        /// The names of both relationships, each with its delete rule.
        let label: String
    }

    private enum Count {
        case one, atMostOne, many
    }

    init(_ schema: StoredSchema) {
        types = schema.entities.filter { !$0.isLink }.map { type in
            var type = type
            type.attributes.removeAll { $0.folding != nil }
            return type
        }
        edges = types.flatMap { owner in
            owner.relationships.filter { $0.inverse == nil }.map { relationship in
                Self.edge(relationship, of: owner, in: schema)
            }
        }
    }

    private static func edge(
        _ relationship: StoredSchema.Relationship, of owner: StoredSchema.Entity, in schema: StoredSchema
    ) -> Edge {
        let inverse = schema.entity(named: relationship.target)?.relationships.first { other in
            isEqual(other.inverse, relationship.name) && isEqual(other.target, owner.name)
        }
        let isRequired = owner.attributes.contains {
            isEqual($0.name, relationship.name) && !$0.isOptional
        }
        let targetCount: Count = relationship.kind.isToMany ? .many : isRequired ? .one : .atMostOne
        let names = [relationship, inverse].compactMap(\.self).map { relationship in
            let order = relationship.kind == .orderedToMany ? "ordered, " : ""
            return "\(relationship.name) (\(order)\(relationship.deleteRule.rawValue))"
        }
        return Edge(
            owner: owner.name, target: relationship.target,
            ownerCount: inverse?.kind == .toOneInverse ? .atMostOne : .many, targetCount: targetCount,
            label: names.joined(separator: ", "))
    }

    private static func isEqual(_ left: String?, _ right: String) -> Bool {
        left?.utf8.elementsEqual(right.utf8) ?? false
    }
}

// MARK: Mermaid

extension SchemaGraph {
    /// An entity relationship diagram of Mermaid.
    var mermaid: String {
        var lines = ["erDiagram"]
        for type in types {
            lines.append("    \(Self.mermaidName(type.name)) {")
            lines += type.attributes.map { "        " + mermaidAttribute($0, of: type) }
            lines.append("    }")
        }
        for edge in edges {
            let left = ["||", "|o", "}o"][Self.position(edge.ownerCount)]
            let right = ["||", "o|", "o{"][Self.position(edge.targetCount)]
            lines.append(
                "    \(Self.mermaidName(edge.owner)) \(left)--\(right) \(Self.mermaidName(edge.target)) : "
                    + Self.mermaidText(edge.label))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func mermaidAttribute(_ attribute: StoredSchema.Attribute, of type: StoredSchema.Entity) -> String
    {
        let isKey = Self.isEqual(type.attributes.first?.name, attribute.name)
        let isReference = type.relationships.contains {
            $0.kind == .toOne && Self.isEqual($0.name, attribute.name)
        }
        // Names of attributes stand without quotes there.
        let plain = String(
            attribute.name.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                    ? Character(scalar) : "_"
            })
        let notes = [attribute.isOptional ? "optional" : nil, plain == attribute.name ? nil : attribute.name]
        let note = notes.compactMap(\.self).joined(separator: ", ")
        let parts = [
            attribute.type.rawValue, plain, isKey ? "PK" : isReference ? "FK" : nil,
            note.isEmpty ? nil : Self.mermaidText(note),
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    /// A name in quotes, unless it is a word.
    private static func mermaidName(_ name: String) -> String {
        let isWord = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return isWord && !name.isEmpty ? name : mermaidText(name)
    }

    /// A text in quotes, which may hold anything but quotes and the end of the line.
    private static func mermaidText(_ text: String) -> String {
        "\"" + text.visible.replacing("\"", with: "'") + "\""
    }

    private static func position(_ count: Count) -> Int {
        switch count {
        case .one: 0
        case .atMostOne: 1
        case .many: 2
        }
    }
}

// MARK: DOT

extension SchemaGraph {
    /// A graph in the language of dot.
    var dot: String {
        var lines = ["digraph {", "    rankdir=LR", "    node [shape=box]"]
        for type in types {
            let attributes = type.attributes.map { attribute in
                "\(attribute.name): \(attribute.type.rawValue)\(attribute.isOptional ? "?" : "")"
            }
            let label =
                Self.dotText(type.name) + "\\n\\n" + attributes.map { Self.dotText($0) + "\\l" }.joined()
            lines.append("    \"\(Self.dotText(type.name))\" [label=\"\(label)\"]")
        }
        for edge in edges {
            let (tail, head) = (Self.dotCount(edge.ownerCount), Self.dotCount(edge.targetCount))
            lines.append(
                "    \"\(Self.dotText(edge.owner))\" -> \"\(Self.dotText(edge.target))\" "
                    + "[label=\"\(Self.dotText(edge.label))\", taillabel=\"\(tail)\", headlabel=\"\(head)\"]")
        }
        return lines.joined(separator: "\n") + "\n}\n"
    }

    private static func dotCount(_ count: Count) -> String {
        switch count {
        case .one: "1"
        case .atMostOne: "0..1"
        case .many: "*"
        }
    }

    /// A text for a place between quotes.
    private static func dotText(_ text: String) -> String {
        text.visible.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
