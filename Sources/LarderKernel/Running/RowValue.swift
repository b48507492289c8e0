import Foundation
import LarderValues

/// A value while a filter calculates with it; a calculation without a result is nil.
enum RowValue {
    case null
    case integer(Int64)
    case unsigned(UInt64)
    case float(Float)
    case real(Double)
    case decimal(Decimal)
    /// Text and bytes in memory that outlives the test.
    case bytes(UnsafeRawBufferPointer)
    case text(String)
    case blob([UInt8])

    init(_ cell: Cell, _ kind: ValueKind) {
        if cell.isNull {
            self = .null
            return
        }
        switch kind {
        case .integer, .bool, .itemID: self = .integer(cell.integer)
        case .unsigned: self = .unsigned(cell.bits)
        case .float: self = .float(Float(cell.real))
        case .real, .date: self = .real(cell.real)
        case .decimal: self = DecimalText.decimal(cell.string).map { .decimal($0) } ?? .null
        case .text, .json, .uuid, .data: self = .bytes(cell.bytes)
        }
    }

    init(_ constant: Constant, _ kind: ValueKind) {
        switch constant {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .unsigned(let value): self = .unsigned(value)
        case .real(let value): self = kind == .float ? .float(Float(value)) : .real(value)
        case .decimal(let text): self = DecimalText.decimal(text).map { .decimal($0) } ?? .null
        case .text(let text): self = .text(text)
        case .blob(let bytes): self = .blob(bytes)
        }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

// MARK: Comparing

extension RowValue {
    /// Negative, zero or positive as this value comes before, with or after the other; neither is nil.
    func order(to other: RowValue) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): return Self.order(left, right)
        case (.unsigned(let left), .unsigned(let right)): return Self.order(left, right)
        case (.integer(let left), .unsigned(let right)): return Self.orderOfIntegers(left, right)
        case (.unsigned(let left), .integer(let right)): return Self.orderOfIntegers(left, right)
        case (.decimal, _), (_, .decimal):
            guard let left = asDecimal, let right = other.asDecimal else { return 0 }
            return Self.order(left, right)
        case (.float, _), (.real, _), (_, .float), (_, .real):
            guard let left = asReal, let right = other.asReal else { return 0 }
            return Self.order(left, right)
        case (_, _):
            return withBytes { left in other.withBytes { left.order(to: $0) } }
        }
    }

    private static func orderOfIntegers(_ left: some BinaryInteger, _ right: some BinaryInteger) -> Int {
        left < right ? -1 : (left == right ? 0 : 1)
    }

    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int {
        left < right ? -1 : (left == right ? 0 : 1)
    }

    private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .bytes(let bytes): body(bytes)
        case .text(let text): text.withBytes(body)
        case .blob(let bytes): bytes.withUnsafeBytes(body)
        case .null, .integer, .unsigned, .float, .real, .decimal:
            body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    private var asReal: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .float(let value): Double(value)
        case .real(let value): value
        case .null, .decimal, .bytes, .text, .blob: nil
        }
    }

    private var asDecimal: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .decimal(let value): value
        case .null, .float, .real, .bytes, .text, .blob: nil
        }
    }
}

// MARK: Calculating

extension RowValue {
    /// The number with the other sign; nil if it does not fit.
    var negative: RowValue {
        switch self {
        case .integer(let value): Self.integer(Int64(0).subtractingReportingOverflow(value))
        case .unsigned(let value): value == 0 ? self : .null
        case .float(let value): .float(-value)
        case .real(let value): .real(-value)
        case .decimal(let value): .decimal(-value)
        case .null, .bytes, .text, .blob: .null
        }
    }

    /// The result of an operator; nil if it does not fit or is not a number.
    static func calculate(_ left: RowValue, _ sign: ArithmeticOperator, _ right: RowValue) -> RowValue {
        switch (left, right) {
        case (.integer(let left), .integer(let right)):
            return calculate(left, sign, right).map { .integer($0) } ?? .null
        case (.unsigned(let left), .unsigned(let right)):
            return calculate(left, sign, right).map { .unsigned($0) } ?? .null
        case (.integer(let left), .unsigned(let right)):
            return Int64(exactly: right).flatMap { calculate(left, sign, $0) }.map { .integer($0) } ?? .null
        case (.unsigned(let left), .integer(let right)):
            return Int64(exactly: left).flatMap { calculate($0, sign, right) }.map { .integer($0) } ?? .null
        case (.float(let left), .float(let right)): return number(calculate(left, sign, right))
        case (.decimal, _), (_, .decimal):
            guard let left = left.asDecimal, let right = right.asDecimal else { return .null }
            return calculate(left, sign, right)
        case (_, _):
            guard let left = left.asReal, let right = right.asReal else { return .null }
            return number(calculate(left, sign, right))
        }
    }

    private static func integer(_ result: (partialValue: Int64, overflow: Bool)) -> RowValue {
        result.overflow ? .null : .integer(result.partialValue)
    }

    private static func number(_ value: Float) -> RowValue { value.isNaN ? .null : .float(value) }

    private static func number(_ value: Double) -> RowValue { value.isNaN ? .null : .real(value) }

    private static func calculate<Number: FixedWidthInteger>(
        _ left: Number, _ sign: ArithmeticOperator, _ right: Number
    ) -> Number? {
        let result =
            switch sign {
            case .plus: left.addingReportingOverflow(right)
            case .minus: left.subtractingReportingOverflow(right)
            case .times: left.multipliedReportingOverflow(by: right)
            case .divided: left.dividedReportingOverflow(by: right)
            // The remainder of the least number by -1 is 0, though the quotient does not fit.
            case .remainder where Number.isSigned && right == 0 &- 1:
                (partialValue: Number.zero, overflow: false)
            case .remainder: left.remainderReportingOverflow(dividingBy: right)
            }
        return result.overflow ? nil : result.partialValue
    }

    private static func calculate<Number: BinaryFloatingPoint>(
        _ left: Number, _ sign: ArithmeticOperator, _ right: Number
    ) -> Number {
        switch sign {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .divided: left / right
        case .remainder: left.truncatingRemainder(dividingBy: right)
        }
    }

    private static func calculate(
        _ left: Decimal, _ sign: ArithmeticOperator, _ right: Decimal
    ) -> RowValue {
        let result: Decimal
        switch sign {
        case .plus: result = left + right
        case .minus: result = left - right
        case .times: result = left * right
        case .divided:
            if right.isZero { return .null }
            result = left / right
        case .remainder: return .null
        }
        return result.isNaN ? .null : .decimal(result)
    }
}
