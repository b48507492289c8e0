import Larder

/// A filter twice: as the store is asked, and as plain Swift.
struct Condition<ID: SpecimenID>: CustomStringConvertible {
    let description: String
    let filter: Filter<Specimen<ID>>
    let passes: (Specimen<ID>) -> Bool

    init(_ description: String, _ filter: Filter<Specimen<ID>>, _ passes: @escaping (Specimen<ID>) -> Bool) {
        self.description = description
        self.filter = filter
        self.passes = passes
    }

    static func && (left: Condition, right: Condition) -> Condition {
        Condition("(\(left) && \(right))", left.filter && right.filter) {
            left.passes($0) && right.passes($0)
        }
    }

    static func || (left: Condition, right: Condition) -> Condition {
        Condition("(\(left) || \(right))", left.filter || right.filter) {
            left.passes($0) || right.passes($0)
        }
    }

    static prefix func ! (condition: Condition) -> Condition {
        Condition("!\(condition)", !condition.filter) { !condition.passes($0) }
    }
}
