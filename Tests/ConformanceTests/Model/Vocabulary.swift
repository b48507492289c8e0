import Larder
@testable import AdapterTestSupport

/// The attributes of specimens, and everything random that is made of them.
struct Vocabulary<ID: SpecimenID> {
    /// In column order.
    let fields: [Field<ID>] = [
        Field(identifier: Self.identifier),
        Field(text: "name", \.name, \.name) { $0.pick(Domain.names) },
        Field(text: "note", \.note, \.note) { $0.pickOrNil(Domain.names) },
        Field(text: "code", \.code, \.code) {
            $0.oneIn(3) ? nil : Domain.code($0.number(below: $0.oneIn(2) ? 12 : 600))
        },
        Field("level", \.level, \.level) { $0.pick(Domain.levels) },
        Field("score", \.score, \.score) { $0.pickOrNil(Domain.scores) },
        Field("size", \.size, \.size) { $0.pick(Domain.sizes) },
        Field("mass", \.mass, \.mass) { $0.pickOrNil(Domain.sizes) },
        Field("shelf", \.shelf, \.shelf) { $0.oneIn(3) ? nil : $0.number(below: Domain.shelves) },
        Field("place", \.place, \.place) { $0.number(below: $0.oneIn(4) ? 4 : Domain.places) },
        Field("isOpen", \.isOpen, \.isOpen) { $0.oneIn(2) },
        Field("price", \.price, \.price) { $0.pickOrNil(Domain.prices) },
        Field("bytes", \.bytes, \.bytes) { $0.pickOrNil(Domain.bytes) },
    ]

    /// Half of them are taken from a few, so that identifiers meet in short runs too.
    static func identifier(_ generator: inout Seed) -> ID {
        ID.numbered(generator.number(below: generator.oneIn(2) ? 16 : 400))
    }

    func specimen(_ generator: inout Seed) -> Specimen<ID> {
        var specimen = Specimen(
            id: Self.identifier(&generator), name: "", level: 0, size: 0, place: 0, isOpen: false)
        for field in fields { field.makeChange?(&generator).apply(&specimen) }
        return specimen
    }

    /// New values for one to three attributes.
    func changes(_ generator: inout Seed) -> [Change<ID>] {
        let count = 1 + generator.number(below: 3)
        return fields.dropFirst().shuffled(using: &generator).prefix(count).compactMap {
            $0.makeChange?(&generator)
        }
    }

    /// A condition of random shape, not deeper than so many levels.
    func condition(depth: Int, _ generator: inout Seed) -> Condition<ID> {
        if depth == 0 || generator.oneIn(3) {
            if generator.oneIn(40) {
                let value = generator.oneIn(2)
                return Condition("\(value)", .always(value)) { _ in value }
            }
            return generator.pick(fields).makeTest(&generator)
        }
        let first = condition(depth: depth - 1, &generator)
        switch generator.number(below: 5) {
        case 0, 1: return first && condition(depth: depth - 1, &generator)
        case 2, 3: return first || condition(depth: depth - 1, &generator)
        default: return !first
        }
    }

    /// A request of any kind.
    func question(_ generator: inout Seed) -> Question<ID> {
        var question = Question<ID>()
        if !generator.oneIn(6) { question.condition = condition(depth: 3, &generator) }
        if generator.oneIn(2) {
            let count = 1 + generator.number(below: 3)
            for field in fields.shuffled(using: &generator).prefix(count) {
                question.terms.append((field, generator.oneIn(2) ? .ascending : .descending))
            }
        }
        if generator.oneIn(4) { question.offset = generator.number(below: 12) }
        if generator.oneIn(3) { question.limit = generator.number(below: 20) }
        return question
    }

    /// Whether every value is the same to the last byte.
    func areSame(_ left: Specimen<ID>, _ right: Specimen<ID>) -> Bool {
        fields.allSatisfy { $0.order(left, right) == 0 }
    }

    func areSame(_ left: [Specimen<ID>], _ right: [Specimen<ID>]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { areSame($0, $1) }
    }
}
