/// A function that makes one value of many.
public enum AggregateFunction: Sendable, Hashable {
    /// The number of rows.
    case count
    /// The number of values that are not nil.
    case countValues
    case countDistinct
    case sum
    /// - Parameter places: The places after the point, if the average is a decimal number.
    case average(places: Int)
    case minimum
    case maximum
}

extension AggregateFunction: CustomStringConvertible {
    public var description: String {
        switch self {
        case .count: "count"
        case .countValues: "countValues"
        case .countDistinct: "countDistinct"
        case .sum: "sum"
        case .average: "average"
        case .minimum: "minimum"
        case .maximum: "maximum"
        }
    }
}
