extension DataStoreError {
    /// The code and message of the engine or the operating system under a ``DataStoreError``.
    public struct Underlying: Sendable, Hashable {
        /// The origin of the error: `"SQLite"`, `"LMDB"`, `"PostgreSQL"`, `"errno"`; the type of an error that a step's
        /// closure has thrown.
        public let source: String
        /// The engine's own number.
        public let code: Int
        /// The engine's own message.
        public let message: String

        public init(source: String, code: Int, message: String) {
            self.source = source
            self.code = code
            self.message = message
        }
    }
}
