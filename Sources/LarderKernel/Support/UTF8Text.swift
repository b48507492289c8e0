/// Equality, order and hash of text by its UTF-8 bytes, the only ones Larder knows (contract rule 7).
///
/// Swift's own `==` takes canonically equivalent strings for equal and no engine does, so it is never used on
/// stored text.
package enum UTF8Text {
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                UnsafeRawBufferPointer(left).isEqual(to: UnsafeRawBufferPointer(right))
            }
        }
    }

    package static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    package static func hash(_ text: String, into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

/// A string that is compared and hashed by its UTF-8 bytes; for dictionary keys.
package struct UTF8Key: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: UTF8Key, right: UTF8Key) -> Bool {
        UTF8Text.areEqual(left.text, right.text)
    }

    package func hash(into hasher: inout Hasher) {
        UTF8Text.hash(text, into: &hasher)
    }
}
