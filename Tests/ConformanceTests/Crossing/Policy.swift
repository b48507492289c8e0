import Larder

@testable import AdapterTestSupport

/// The ways to settle conflicts.
enum Policy: Hashable {
    case fail, childWins, parentWins
    /// By the child if the number of the item is even, else by the parent.
    case resolve
    /// Gives what both sides have set, and a unique value that is taken, a value that a number chooses.
    case values(Int64)

    static func any(_ generator: inout Seed) -> Policy {
        switch generator.number(below: 6) {
        case 0: .fail
        case 1: .childWins
        case 2: .parentWins
        case 3: .resolve
        default: .values(Int64(generator.number(below: 1_000)))
        }
    }

    /// What settles a conflict.
    enum Choice: Equatable {
        case child, parent
        case value(Int64?)
    }

    /// What settles a conflict about some columns of an item, or about the whole of it.
    func choice(_ kind: Kind, _ id: Int64, _ columns: [Int] = []) -> Choice {
        switch self {
        // Also what is not settled is merged in the model, which then says what the conflicts are.
        case .fail, .childWins: .child
        case .parentWins: .parent
        case .resolve: Self.side(id)
        case .values(let number): Self.value(number, kind, id, columns)
        }
    }

    private static func side(_ id: Int64) -> Choice { id % 2 == 0 ? .child : .parent }

    private static func value(_ number: Int64, _ kind: Kind, _ id: Int64, _ columns: [Int]) -> Choice {
        guard let column = columns.first else { return side(id) }
        // No value of one attribute can settle it; and the item may have lost or won by another conflict.
        if columns.count > 1 { return number % 2 == 0 ? .value(0) : number % 4 == 1 ? .parent : side(id) }
        let chosen = (number + id * 7 + Int64(column) * 3) % 16
        if kind.optionals.contains(column), chosen % 3 == 0 { return .value(nil) }
        if Reference.at(kind, column) != nil { return side(id) }
        return .value(kind.hasLetters(column) ? chosen : chosen % 4)
    }

    func takesChild(_ kind: Kind, _ id: Int64) -> Bool { choice(kind, id) == .child }

    /// True if it gives values.
    var givesValues: Bool { if case .values = self { true } else { false } }
}

extension Policy {
    var policy: MergePolicy {
        switch self {
        case .fail: .fail
        case .childWins: .childWins
        case .parentWins: .parentWins
        case .resolve, .values: .resolve { conflict in resolution(of: conflict) }
        }
    }

    private func resolution(of conflict: MergeConflict) -> MergeResolution {
        guard let kind = Kind.allCases.first(where: { "\($0)" == conflict.itemType.lowercased() }),
            let id = Int64(conflict.identifier.description)
        else { return .unsettled }
        let names: String
        switch conflict.kind {
        case .changedOnBothSides(let attribute): names = attribute
        case .notUnique(let attribute, _): names = attribute
        case .deletedInParent, .deletedInChild, .targetNotFound, .deletionDenied: names = ""
        }
        let columns = kind.columns(named: names)
        switch choice(kind, id, columns) {
        case .child: return .child
        case .parent: return .parent
        case .value(let value):
            let hasLetters = columns.contains(where: kind.hasLetters)
            return hasLetters ? .value(value.map(Letter.text)) : .value(value)
        }
    }
}

extension Kind {
    /// The columns of attributes that are named together; none for the name of a relationship.
    fileprivate func columns(named names: String) -> [Int] {
        let names = names.split { $0 == "," || $0 == " " }.map(String.init)
        let attributes = type.schema.attributes
        return attributes.indices.filter { names.contains(attributes[$0].name) }
    }
}
