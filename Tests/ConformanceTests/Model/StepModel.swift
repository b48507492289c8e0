import Larder

@testable import AdapterTestSupport

/// Rows of a version in plain Swift, by type and identifier.
struct StepRows: Equatable {
    /// For each type its rows, by the identifier: the values of its attributes by their names.
    var rows: [String: [Int64: [String: Constant]]] = [:]
    /// For each relationship, such as `A.links`, the targets of each owner.
    var links: [String: [Int64: Set<Int64>]] = [:]
}

/// A type of a version.
struct StepType {
    var name: String
    /// The attributes without the identifier.
    var attributes: [StoredSchema.Attribute]
    /// The type that `link` leads to, if there is one, and the one that `ref` leads to.
    var linked: String?
    var referred: String?
    var isUnique = false
}

extension StoredSchema {
    /// A schema of these types, as a store would describe it.
    init(_ types: [StepType]) {
        var entities: [Entity] = []
        func attribute(_ name: String, _ type: AttributeType, _ isOptional: Bool = false) -> Attribute {
            Attribute(name: name, storageName: name, type: type, isOptional: isOptional)
        }
        for type in types {
            var attributes = [attribute("id", .int64)] + type.attributes
            var relationships: [Relationship] = []
            var indexes: [Index] = []
            if let linked = type.linked {
                relationships.append(
                    Relationship(name: "links", kind: .toMany, target: linked, deleteRule: .nullify))
            }
            if let referred = type.referred {
                attributes.append(attribute("ref", .int64, true))
                indexes.append(Index(attributes: ["ref"], isUnique: false))
                relationships.append(
                    Relationship(name: "ref", kind: .toOne, target: referred, deleteRule: .nullify))
            }
            if type.isUnique { indexes.append(Index(attributes: ["key"], isUnique: true)) }
            entities.append(
                Entity(
                    number: entities.count + 1, name: type.name, storageName: type.name,
                    attributes: attributes, indexes: indexes, relationships: relationships))
        }
        for type in types where type.linked != nil {
            entities.append(
                Entity(
                    number: entities.count + 1, name: "\(type.name).links", storageName: "\(type.name).links",
                    attributes: [
                        attribute("id", .itemID), attribute("source", .int64), attribute("target", .int64),
                    ],
                    indexes: [
                        Index(attributes: ["source", "target"], isUnique: true),
                        Index(attributes: ["target", "source"], isUnique: false),
                    ], isLink: true))
        }
        self.init(generation: 1, entities: entities, nextEntityNumber: entities.count + 1)
    }
}

/// Random types, rows and steps, and what becomes of the rows in plain Swift.
struct StepModel {
    private var random: Seed
    private(set) var types: [StepType] = []
    private(set) var state = StepRows()

    init(_ random: Seed) {
        self.random = random
        makeTypes()
        makeRows()
    }

    private mutating func makeTypes() {
        let names = ["A", "B", "C", "D"].prefix(random.number(below: 3) + 2)
        for name in names {
            var attributes = [
                StoredSchema.Attribute(name: "key", storageName: "key", type: .string, isOptional: false)
            ]
            let kinds: [(AttributeType, Bool)] = [
                (.int64, false), (.double, true), (.string, true), (.bool, false), (.int16, true),
            ]
            for number in 0..<random.number(below: 4) {
                let (type, isOptional) = random.pick(kinds)
                attributes.append(
                    StoredSchema.Attribute(
                        name: "a\(number)", storageName: "a\(number)", type: type, isOptional: isOptional))
            }
            types.append(
                StepType(
                    name: name, attributes: attributes,
                    linked: random.oneIn(2) ? random.pick(Array(names)) : nil,
                    referred: random.oneIn(2) ? random.pick(Array(names)) : nil,
                    isUnique: random.oneIn(2)))
        }
    }

    private mutating func makeRows() {
        for type in types {
            // Now and then more than a batch.
            let count = random.oneIn(6) ? 257 + random.number(below: 20) : random.number(below: 20)
            var rows: [Int64: [String: Constant]] = [:]
            for position in 0..<count {
                var row: [String: Constant] = [:]
                for attribute in type.attributes { row[attribute.name] = value(of: attribute, position) }
                rows[Int64(position * 7 - 5)] = row
            }
            state.rows[type.name] = rows
        }
        for type in types {
            for id in (state.rows[type.name] ?? [:]).keys.sorted() {
                if let target = type.referred {
                    let targets = (state.rows[target] ?? [:]).keys.sorted()
                    state.rows[type.name]?[id]?["ref"] =
                        targets.isEmpty || random.oneIn(3) ? .null : .integer(random.pick(targets))
                }
                guard let target = type.linked else { continue }
                let targets = (state.rows[target] ?? [:]).keys.sorted()
                var chosen: Set<Int64> = []
                for _ in 0..<random.number(below: 4) where !targets.isEmpty {
                    chosen.insert(random.pick(targets))
                }
                if !chosen.isEmpty { state.links["\(type.name).links", default: [:]][id] = chosen }
            }
        }
    }

    private mutating func value(of attribute: StoredSchema.Attribute, _ position: Int) -> Constant {
        if attribute.isOptional, random.oneIn(3) { return .null }
        if attribute.name == "key" { return .text("k\(position)") }
        return switch attribute.type {
        case .double: .real(Double(random.number(below: 100)) / 4)
        case .string: .text("t\(random.number(below: 50))")
        case .bool: .integer(Int64(random.number(below: 2)))
        default: .integer(Int64(random.number(below: 30_000)))
        }
    }
}

// MARK: Steps

extension StepModel {
    /// True for the rows that a random mapping treats differently.
    static func isChosen(_ id: Int64, _ modulus: Int64) -> Bool { (id &+ 300) % modulus == 0 }

    /// Makes a random step, and changes the model as the step should change the store.
    mutating func step(from: String, to: String) -> SchemaStep {
        var mappings: [EntityMapping] = []
        for position in types.indices.reversed() {
            if let mapping = mapping(at: position) { mappings.append(mapping) }
        }
        return SchemaStep(from: from, to: to) {
            for mapping in mappings { mapping }
        }
    }

    private mutating func mapping(at position: Int) -> EntityMapping? {
        let name = types[position].name
        let isReferredTo = types.contains { $0.referred == name }
        let isLinkedTo = types.contains { $0.linked == name }
        switch random.number(below: 7) {
        case 0:
            changeLightly(position)
            return nil
        case 1 where !isReferredTo && !isLinkedTo && types.count > 1:
            types.remove(at: position)
            state.rows[name] = nil
            state.links["\(name).links"] = nil
            return Delete(name).entityMapping
        case 2:
            changeLightly(position)
            let new = name + "R"
            rename(position, to: new)
            return Rename(name, to: new).entityMapping
        case 3: return fill(position)
        case 4: return split(position)
        case 5, 6: return transform(position, dropsRows: !isReferredTo)
        default: return nil
        }
    }

    /// Drops an attribute, and adds an optional one.
    private mutating func changeLightly(_ position: Int) {
        let name = types[position].name
        if types[position].attributes.count > 1, random.oneIn(2) {
            let dropped = types[position].attributes.removeLast().name
            for id in (state.rows[name] ?? [:]).keys { state.rows[name]?[id]?[dropped] = nil }
        }
        add("n\(random.number(below: 1000))", .string, isOptional: true, at: position) { _, _ in .null }
    }

    /// Gives each row a value of an attribute, which an earlier step may have added under the same name.
    private mutating func add(
        _ attribute: String, _ type: AttributeType, isOptional: Bool, at position: Int,
        value: (Int64, [String: Constant]) -> Constant
    ) {
        let name = types[position].name
        if !types[position].attributes.contains(where: { $0.name == attribute }) {
            types[position].attributes.append(
                StoredSchema.Attribute(
                    name: attribute, storageName: attribute, type: type, isOptional: isOptional))
        }
        for (id, row) in state.rows[name] ?? [:] { state.rows[name]?[id]?[attribute] = value(id, row) }
    }

    private mutating func rename(_ position: Int, to new: String) {
        let old = types[position].name
        types[position].name = new
        for other in types.indices {
            if types[other].linked == old { types[other].linked = new }
            if types[other].referred == old { types[other].referred = new }
        }
        state.rows[new] = state.rows.removeValue(forKey: old)
        state.links["\(new).links"] = state.links.removeValue(forKey: "\(old).links")
    }

    private mutating func fill(_ position: Int) -> EntityMapping {
        let attribute = "f\(random.number(below: 1000))"
        let name = types[position].name
        add(attribute, .string, isOptional: false, at: position) { id, row in
            .text("\(id)/\(row["key"].map { "\($0)" } ?? "")")
        }
        return Keep(name).fill(attribute) { row in "\(try row.id)/\(try row["key"])" }
    }

    /// The keys of the rows become rows of a type of their own.
    private mutating func split(_ position: Int) -> EntityMapping {
        let name = types[position].name
        let new = "S\(random.number(below: 1_000_000))"
        types.append(
            StepType(
                name: new,
                attributes: [
                    StoredSchema.Attribute(name: "key", storageName: "key", type: .string, isOptional: false)
                ]))
        state.rows[new] = (state.rows[name] ?? [:]).filter { Self.isChosen($0.key, 2) }
            .mapValues { ["key": $0["key"] ?? .null] }
        return Split(name, into: name, new) { old, maker in
            _ = try maker.make()
            guard case .integer(let id) = try old.id, Self.isChosen(id, 2) else { return }
            _ = try maker.make(new)
        }.entityMapping
    }

    /// Keeps the remainders by which rows are chosen.
    private static let shift: Int64 = 60 * 167

    private mutating func moveIdentifiers(of name: String) {
        func moved(_ id: Int64) -> Int64 { Self.isChosen(id, 5) ? id + Self.shift : id }
        func moved<Value>(_ values: [Int64: Value]) -> [Int64: Value] {
            Dictionary(uniqueKeysWithValues: values.map { (moved($0), $1) })
        }
        state.rows[name] = state.rows[name].map { moved($0) }
        state.links["\(name).links"] = state.links["\(name).links"].map { moved($0) }
        for type in types where type.referred == name {
            state.rows[type.name] = state.rows[type.name]?.mapValues { row in
                guard case .integer(let id)? = row["ref"] else { return row }
                var row = row
                row["ref"] = .integer(moved(id))
                return row
            }
        }
        for type in types where type.linked == name {
            let links = state.links["\(type.name).links"]
            state.links["\(type.name).links"] = links?.mapValues { Set($0.map { moved($0) }) }
        }
    }

    private mutating func transform(_ position: Int, dropsRows: Bool) -> EntityMapping {
        let old = types[position].name
        let new = random.oneIn(2) ? old + "T" : old
        let attribute = "m\(random.number(below: 1000))"
        let changesLinks = random.oneIn(2) && types[position].linked != nil
        let modulus: Int64 = dropsRows ? 4 : .max
        if dropsRows {
            for id in (state.rows[old] ?? [:]).keys where Self.isChosen(id, modulus) {
                state.rows[old]?[id] = nil
                state.links["\(old).links"]?[id] = nil
                for type in types where type.linked == old {
                    for owner in (state.links["\(type.name).links"] ?? [:]).keys {
                        state.links["\(type.name).links"]?[owner]?.remove(id)
                    }
                }
            }
        }
        add(attribute, .string, isOptional: false, at: position) { id, row in
            .text("\(row["key"].map { "\($0)" } ?? "")+\(id)")
        }
        if changesLinks {
            for id in (state.rows[old] ?? [:]).keys where Self.isChosen(id, 3) {
                // The targets that the old row has, without the least of those that stay.
                state.links["\(old).links"]?[id]?.removeAll { Self.isChosen($0, 2) }
            }
        }
        let moves = random.oneIn(2)
        if moves { moveIdentifiers(of: old) }
        if new != old { rename(position, to: new) }
        return Transform(old, to: new) { row, maker in
            guard case .integer(let id) = try row.id else { return }
            if dropsRows, Self.isChosen(id, modulus) { return }
            let made = try maker.make(id: moves && Self.isChosen(id, 5) ? .integer(id + Self.shift) : nil)
            made[attribute] = .value("\(try row["key"])+\(id)")
            guard changesLinks, Self.isChosen(id, 3) else { return }
            try made.setLinks(
                "links",
                to: row.identifiers("links").filter {
                    guard case .integer(let target) = $0 else { return false }
                    return !Self.isChosen(target, 2)
                })
        }.entityMapping
    }
}

extension Set {
    fileprivate mutating func removeAll(where isRemoved: (Element) -> Bool) {
        self = filter { !isRemoved($0) }
    }
}
