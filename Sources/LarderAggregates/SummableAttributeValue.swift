public import struct Foundation.Decimal
public import LarderKernel
import LarderValues

/// An attribute value that has a sum and an average: a number or a `Duration`.
///
/// Text, dates and Booleans have neither, so that asking for one does not compile. A type of the app's with a
/// raw value that is a number may conform:
///
///     struct Kilometers: RawRepresentable, SummableAttributeValue { var rawValue: Double }
///
/// The sum and the average of the raw values are taken.
public protocol SummableAttributeValue: AttributeValue {
    /// The type of sums: `Int64` for integers, `Double` for floating-point numbers.
    associatedtype Sum: AttributeValue
    /// The type of averages: `Double` for integers and floating-point numbers.
    associatedtype Average: AttributeValue

    /// The places after the point to which averages are rounded, if these are decimal numbers.
    static var averagePlaces: Int { get }
}

extension SummableAttributeValue {
    public static var averagePlaces: Int { DecimalTotal.maximumPlaces }
}

extension FixedWidthInteger where Self: SummableAttributeValue {
    public typealias Sum = Int64
    public typealias Average = Double
}

extension Int: SummableAttributeValue {}
extension Int8: SummableAttributeValue {}
extension Int16: SummableAttributeValue {}
extension Int32: SummableAttributeValue {}
extension Int64: SummableAttributeValue {}
extension UInt: SummableAttributeValue {}
extension UInt8: SummableAttributeValue {}
extension UInt16: SummableAttributeValue {}
extension UInt32: SummableAttributeValue {}
extension UInt64: SummableAttributeValue {}

extension Double: SummableAttributeValue {
    public typealias Sum = Double
    public typealias Average = Double
}

extension Float: SummableAttributeValue {
    public typealias Sum = Double
    public typealias Average = Double
}

extension Decimal: SummableAttributeValue {
    public typealias Sum = Decimal
    public typealias Average = Decimal
}

extension Duration: SummableAttributeValue {
    public typealias Sum = Duration
    public typealias Average = Duration

    /// An attosecond.
    public static var averagePlaces: Int { 18 }
}

extension Optional: SummableAttributeValue where Wrapped: SummableAttributeValue {
    public typealias Sum = Wrapped.Sum
    public typealias Average = Wrapped.Average

    public static var averagePlaces: Int { Wrapped.averagePlaces }
}

extension RawRepresentable where Self: SummableAttributeValue, RawValue: SummableAttributeValue {
    public typealias Sum = RawValue.Sum
    public typealias Average = RawValue.Average

    public static var averagePlaces: Int { RawValue.averagePlaces }
}
