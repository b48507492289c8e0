public import struct Foundation.Date
public import struct Foundation.TimeZone
import LarderValues

/// A part of a date by which items are grouped: `\.date[.month, in: timeZone]`.
///
/// By the Gregorian calendar, even before it was introduced, in a time zone that is always stated. Dates more
/// than 10^13 seconds (some 300,000 years) from 2001 count as if they were that far.
public enum DatePart: Sendable, Hashable, CaseIterable {
    /// The year; the one before year 1 is 0.
    case year
    /// 1 to 12.
    case month
    /// The day of the month, from 1.
    case day
    /// From 1, which is Sunday, to 7, as in Foundation.
    case weekday
    /// 0 to 23.
    case hour
}

/// A part of a date attribute, as groups use it: `\.date[.month, in: timeZone]`.
public struct DatePartAttribute<Item: DataStoreItem, Key: AttributeValue>: Sendable {
    let place: AttributePlace
}

/// A value that items are grouped by: an attribute, one of a related item, or a part of a date.
public protocol GroupableAttribute<Item, Key>: Sendable {
    associatedtype Item: DataStoreItem
    /// The type of the groups' keys.
    associatedtype Key: AttributeValue

    /// The place of the value, seen from the item.
    var groupPlace: AttributePlace { get }
}

extension Attribute: GroupableAttribute where Value: AttributeValue {
    public typealias Key = Value

    public var groupPlace: AttributePlace { place }
}

extension RelatedAttribute: GroupableAttribute where Value: AttributeValue {
    /// Nil if a reference on the way is nil.
    public typealias Key = Value.Unwrapped?

    public var groupPlace: AttributePlace { place }
}

extension DatePartAttribute: GroupableAttribute {
    public var groupPlace: AttributePlace { place }
}

extension Attribute where Value == Date {
    /// A part of the date, in a time zone.
    public subscript(part: DatePart, in timeZone: TimeZone) -> DatePartAttribute<Item, Int> {
        DatePartAttribute(
            place: AttributePlace([], column: column, part: ZonedDatePart(part: part, timeZone: timeZone)))
    }
}

extension Attribute where Value == Date? {
    /// A part of the date, in a time zone; nil if the date is.
    public subscript(part: DatePart, in timeZone: TimeZone) -> DatePartAttribute<Item, Int?> {
        DatePartAttribute(
            place: AttributePlace([], column: column, part: ZonedDatePart(part: part, timeZone: timeZone)))
    }
}

extension RelatedAttribute where Value: AttributeValue, Value.Unwrapped == Date {
    /// A part of the date, in a time zone; nil if the date is, or a reference on the way.
    public subscript(part: DatePart, in timeZone: TimeZone) -> DatePartAttribute<Item, Int?> {
        DatePartAttribute(
            place: AttributePlace(path, column: column, part: ZonedDatePart(part: part, timeZone: timeZone)))
    }
}

/// A part of dates in a time zone.
// An object, so that the places of all other values carry only a nil: a time zone is costly to copy.
package final class ZonedDatePart: Sendable {
    package let part: DatePart
    let timeZone: TimeZone

    init(part: DatePart, timeZone: TimeZone) {
        self.part = part
        self.timeZone = timeZone
    }

    /// The part of a date that is stored as seconds since the reference date, which are not NaN.
    ///
    /// *Cost:* one look-up in the time zone. Foundation's `Calendar` would take several times as long, and
    /// switches to another calendar in 1582.
    package func value(of seconds: Double) -> Int64 {
        let seconds = min(max(seconds, -Self.furthest), Self.furthest)
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let local = Int64(seconds.rounded(.down)) + Int64(timeZone.secondsFromGMT(for: date))
        let day = local.flooredQuotient(86_400)
        switch part {
        case .hour: return (local - day * 86_400) / 3600
        // The reference date, 2001-01-01, was a Monday.
        case .weekday: return (day + 1).flooredRemainder(7) + 1
        case .year: return CivilDate(day: day).year
        case .month: return CivilDate(day: day).month
        case .day: return CivilDate(day: day).day
        }
    }

    private static let furthest = 1e13
}

extension ZonedDatePart: Hashable {
    package static func == (left: ZonedDatePart, right: ZonedDatePart) -> Bool {
        left.part == right.part && left.timeZone == right.timeZone
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(part)
        hasher.combine(timeZone)
    }
}
