extension String {
    /// Calls a body with the text's bytes, and throws what the body throws.
    ///
    /// The standard library's `withUTF8` loses the type of the error.
    @inlinable
    package mutating func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withUTF8 { bytes in
            Result { () throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
        }.get()
    }
}
