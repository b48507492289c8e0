package import LarderKernel

/// A value in JSON; numbers are kept as they were written, so that none loses digits.
package indirect enum JSONValue: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list([JSONValue])
    case object([(key: String, value: JSONValue)])

    /// The value under a key of an object; nil when there is none.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { UTF8Text.areEqual($0.key, key) }?.value
    }

    package var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    package var list: [JSONValue]? {
        if case .list(let list) = self { list } else { nil }
    }

    /// A whole number.
    package var integer: Int? {
        if case .number(let digits) = self { Int(digits) } else { nil }
    }
}

extension JSONValue {
    /// The value in a line.
    ///
    /// - Throws: `.invalidText`, naming the line.
    package init(line: ArraySlice<UInt8>, number: Int) throws(DataStoreError) {
        do {
            self = try line.withUnsafeBufferPointer { bytes throws(JSONReader.Failure) in
                try JSONReader.value(in: UnsafeRawBufferPointer(bytes))
            }
        } catch {
            throw DataStoreError(
                .invalidText, "Line \(number) \(error).", advice: "Correct the line, or export again.")
        }
    }
}
