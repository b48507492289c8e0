import Foundation
import LarderKernel

/// An item that a predicate speaks of: a variable's, or one that its references lead to.
struct PredicateItem {
    let type: any DataStoreItem.Type
    /// The number of the variable's scope.
    let scope: Int
    /// The references that lead to it from the variable's item.
    let path: [RelationshipReference]

    func through(_ reference: RelationshipReference, to type: any DataStoreItem.Type) -> PredicateItem {
        PredicateItem(type: type, scope: scope, path: path + [reference])
    }
}

/// The meaning of a part of a predicate.
indirect enum PredicateTerm {
    /// An item; nil if a reference on the way to it is nil.
    case item(PredicateItem)
    case attribute(PredicateItem, column: Int)
    /// The property of a relationship without a column.
    case window(PredicateItem, number: Int)
    /// The items of a relationship that pass a filter.
    case many(PredicateItem, number: Int, target: any DataStoreItem.Type, FilterNode?)
    /// Their number.
    case count(PredicateItem, number: Int)
    case calculation(ValueNode)
    case truth(FilterNode)
    case choice(FilterNode, PredicateTerm, PredicateTerm)
    case range(lower: PredicateTerm?, upper: PredicateTerm?, includesUpper: Bool)
    /// A value that the predicate has captured; never nil.
    case captured(Any)
    case null
}

extension PredicateTerm {
    /// The captured value, or nil, as a term.
    init(captured value: Any) {
        if let optional = value as? any CapturedOptional {
            self = optional.captured
        } else {
            self = .captured(value)
        }
    }

    /// The captured value if it can be compared with stored ones.
    var storable: (any AttributeStorable)? {
        guard case .captured(let value) = self, let storable = value as? any AttributeStorable else {
            return nil
        }
        return type(of: storable).attributeType == .json ? nil : storable
    }

    /// True for a captured value that cannot be compared with stored ones.
    var isUnstorable: Bool {
        if case .captured = self { storable == nil } else { false }
    }

    /// True if it says the same for every item.
    var isCaptured: Bool {
        switch self {
        case .captured, .null: true
        case .item, .attribute, .window, .many, .count, .calculation, .truth, .choice: false
        case .range(let lower, let upper, _):
            lower?.isCaptured ?? true && upper?.isCaptured ?? true
        }
    }
}

private protocol CapturedOptional {
    var captured: PredicateTerm { get }
}

extension Optional: CapturedOptional {
    fileprivate var captured: PredicateTerm { map { PredicateTerm(captured: $0) } ?? .null }
}

/// A captured range.
protocol CapturedRange {
    var term: PredicateTerm { get }
}

extension Range: CapturedRange {
    var term: PredicateTerm {
        .range(lower: .captured(lowerBound), upper: .captured(upperBound), includesUpper: false)
    }
}

extension ClosedRange: CapturedRange {
    var term: PredicateTerm {
        .range(lower: .captured(lowerBound), upper: .captured(upperBound), includesUpper: true)
    }
}

extension PartialRangeFrom: CapturedRange {
    var term: PredicateTerm { .range(lower: .captured(lowerBound), upper: nil, includesUpper: true) }
}

extension PartialRangeUpTo: CapturedRange {
    var term: PredicateTerm { .range(lower: nil, upper: .captured(upperBound), includesUpper: false) }
}

extension PartialRangeThrough: CapturedRange {
    var term: PredicateTerm { .range(lower: nil, upper: .captured(upperBound), includesUpper: true) }
}
