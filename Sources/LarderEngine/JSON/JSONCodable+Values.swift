package import struct Foundation.UUID

extension String: JSONCodable {
    package func write(to writer: inout JSONWriter) { writer.append(text: self) }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        self = try reader.text()
    }
}

extension Bool: JSONCodable {
    package func write(to writer: inout JSONWriter) { writer.append(literal: self ? "true" : "false") }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        self = try reader.flag()
    }
}

extension Int: JSONCodable {
    package func write(to writer: inout JSONWriter) { writer.append(String(self)) }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        self = try reader.integer()
    }
}

extension UUID: JSONCodable {
    package func write(to writer: inout JSONWriter) { writer.append(text: uuidString) }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        guard let value = UUID(uuidString: try reader.text()) else {
            throw JSONReader.Failure(message: "is not a UUID")
        }
        self = value
    }
}

extension Array: JSONCodable where Element: JSONCodable {
    package func write(to writer: inout JSONWriter) {
        writer.append("[")
        for (position, element) in enumerated() {
            if position > 0 { writer.append(",") }
            element.write(to: &writer)
        }
        writer.append("]")
    }

    package init(from reader: inout JSONReader) throws(JSONReader.Failure) {
        self = []
        var isFirst = true
        while try reader.nextElement(isFirst: isFirst) {
            isFirst = false
            append(try Element(from: &reader))
        }
    }
}
