#if PostgreSQL
    import CPostgreSQLRaw

    /// An error that libpq or the server returned.
    struct LibpqFailure: Error, CustomStringConvertible {
        let message: String

        init(message: String) {
            self.message = message
        }

        init(of connection: OpaquePointer) {
            message = String(cString: PQerrorMessage(connection))
        }

        init(result: OpaquePointer) {
            message = String(cString: PQresultErrorMessage(result))
        }

        var description: String { "PostgreSQL: \(message)" }
    }
#endif
