import Larder
@testable import AdapterTestSupport

extension Field {
    /// A comparison with a random value, or with a list of them.
    static func comparison<Value: ModelValue>(
        _ name: String, _ path: AttributePath<Item, Value>, _ property: KeyPath<Item, Value>,
        _ makeValue: (inout Seed) -> Value, _ generator: inout Seed
    ) -> Condition<ID> {
        let value = makeValue(&generator)
        func condition(
            _ sign: String, _ filter: Filter<Item>, isOrder: Bool, _ accepts: @escaping (Int) -> Bool
        ) -> Condition<ID> {
            Condition("\(name) \(sign) \(Values.text(value))", filter) { item in
                let own = item[keyPath: property]
                if isOrder && (own.isMissing || value.isMissing) { return false }
                return accepts(Value.order(own, value))
            }
        }
        switch generator.number(below: 8) {
        case 0, 1: return condition("==", path == value, isOrder: false) { $0 == 0 }
        case 2: return condition("!=", path != value, isOrder: false) { $0 != 0 }
        case 3: return condition("<", path < value, isOrder: true) { $0 < 0 }
        case 4: return condition("<=", path <= value, isOrder: true) { $0 <= 0 }
        case 5: return condition(">", path > value, isOrder: true) { $0 > 0 }
        case 6: return condition(">=", path >= value, isOrder: true) { $0 >= 0 }
        default:
            let values = (0..<generator.number(below: 5)).map { _ in makeValue(&generator) }
            let text = values.map { Values.text($0) }.joined(separator: ", ")
            return Condition("\(name) in [\(text)]", .isIn(path, values)) { item in
                values.contains { Value.order($0, item[keyPath: property]) == 0 }
            }
        }
    }

    /// A test of text with a part of a random value.
    static func textTest<Value: ModelText>(
        _ name: String, _ path: AttributePath<Item, Value>, _ property: KeyPath<Item, Value>,
        _ makeValue: (inout Seed) -> Value, _ generator: inout Seed
    ) -> Condition<ID> {
        let scalars = Array((makeValue(&generator).text ?? "").unicodeScalars)
        let start = generator.number(below: scalars.count + 1)
        let count = generator.number(below: 3)
        var part = ""
        part.unicodeScalars.append(contentsOf: scalars[start...].prefix(count))
        let matching: TextMatching = generator.oneIn(2) ? .exact : .caseInsensitive
        func condition(
            _ word: String, _ filter: Filter<Item>, _ accepts: @escaping ([UInt8], [UInt8]) -> Bool
        ) -> Condition<ID> {
            let needle = Array(Values.folded(part, matching).utf8)
            return Condition("\(name) \(word) \(part.debugDescription) \(matching)", filter) { item in
                guard let text = item[keyPath: property].text else { return false }
                return accepts(Array(Values.folded(text, matching).utf8), needle)
            }
        }
        switch generator.number(below: 4) {
        case 0: return condition("contains", .contains(path, part, matching), Values.contains)
        case 1: return condition("hasPrefix", .hasPrefix(path, part, matching)) { $0.starts(with: $1) }
        case 2:
            return condition("hasSuffix", .hasSuffix(path, part, matching)) {
                $0.reversed().starts(with: $1.reversed())
            }
        default: return condition("equals", .equals(path, part, matching)) { $0 == $1 }
        }
    }
}

/// How the model looks at values.
enum Values {
    /// Both steps of the rule, said once more: upper case between, lower case before it.
    static func folded(_ text: String, _ matching: TextMatching) -> String {
        matching == .exact ? text : text.lowercased().uppercased().lowercased()
    }

    static func contains(_ text: [UInt8], _ needle: [UInt8]) -> Bool {
        needle.isEmpty || text.indices.contains { text[$0...].starts(with: needle) }
    }

    /// The value for the log; long text is shortened.
    static func text(_ value: some ModelValue) -> String {
        let text = String(reflecting: value)
        return text.count > 60 ? text.prefix(50) + "… of \(text.count)" : text
    }
}
