import LarderKernel

extension SchemaShape {
    /// The changes that lead from an earlier shape to this one, a line each; empty if the two are equal.
    ///
    ///     print(shape.changes(since: SchemaShape(stored)))
    ///     // ["Recipe.note: string? is new", "Recipe.rating is double, and was int64"]
    ///
    /// A type or part under another name is one that is gone and one that is new.
    public func changes(since earlier: SchemaShape) -> [String] {
        let pairs = ShapePairs(earlier.entities, entities, name: \.name)
        return pairs.gone.map { "\(ShapeName.text(of: $0.name)) is gone" }
            + pairs.new.map { "\(ShapeName.text(of: $0.name)) is new" }
            + pairs.both.flatMap { $1.changes(since: $0) }
    }
}

extension StoredSchema.Entity {
    fileprivate func changes(since earlier: StoredSchema.Entity) -> [String] {
        let type = ShapeName.text(of: name)
        let attributes = ShapePairs(
            earlier.attributes.filter { $0.folding == nil }, attributes.filter { $0.folding == nil },
            name: \.name)
        let indexes = ShapePairs(
            earlier.indexes.map { $0.shapeText(in: earlier) }, indexes.map { $0.shapeText(in: self) },
            name: { $0 })
        let relationships = ShapePairs(earlier.relationships, relationships, name: \.name)
        return attributes.gone.map { "\(type).\(ShapeName.text(of: $0.name)) is gone" }
            + attributes.new.map { "\(type).\($0.shapeText()) is new" }
            + attributes.both.filter { !UTF8Text.areEqual($0.shapeText(), $1.shapeText()) }.map { old, new in
                "\(type).\(ShapeName.text(of: new.name)) is \(new.typeText), and was \(old.typeText)"
            }
            + indexes.gone.map { "\(type): \($0) is gone" }
            + indexes.new.map { "\(type): \($0) is new" }
            + relationships.gone.map { "\(type): \($0.shapeText()) is gone" }
            + relationships.new.map { "\(type): \($0.shapeText()) is new" }
            + relationships.both.filter { !UTF8Text.areEqual($0.shapeText(), $1.shapeText()) }
            .map { old, new in "\(type): \(new.shapeText()), and was \(old.shapeText())" }
    }
}

/// The parts of two shapes, paired by their names.
private struct ShapePairs<Part> {
    private(set) var gone: [Part] = []
    private(set) var new: [Part] = []
    private(set) var both: [(old: Part, new: Part)] = []

    init(_ old: [Part], _ parts: [Part], name: (Part) -> String) {
        var known: [UTF8Key: Part] = [:]
        for part in old { known[UTF8Key(name(part))] = part }
        for part in parts {
            if let old = known.removeValue(forKey: UTF8Key(name(part))) {
                both.append((old, part))
            } else {
                new.append(part)
            }
        }
        gone = old.filter { known[UTF8Key(name($0))] != nil }
    }
}
