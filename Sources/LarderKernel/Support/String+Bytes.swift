extension String {
    /// Calls a body with the text's bytes, and throws what the body throws.
    ///
    /// The standard library's `withUTF8` loses the type of the error, and needs a copy of the string.
    @inlinable
    package func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = utf8.withContiguousStorageIfAvailable { bytes in
            Result { () throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
        }
        if let result { return try result.get() }
        // Only a string made of an `NSString` on Apple platforms has no such storage.
        var copy = self
        return try copy.withUTF8 { bytes in
            Result { () throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
        }.get()
    }
}
