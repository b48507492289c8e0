#if PostgreSQL
    import LarderKernel

    // The server keeps the plan of a prepared statement. A plan for a small table may read all of it. The server still uses it
    // when the table has become large, until it analyzes the table, which never happens within a transaction.
    extension ServerSession {
        private static let plannedStep = 64

        /// Notes rows that were inserted, and lets the server make new plans if they are many.
        func noteInserted(_ count: Int) {
            connection.hosts.noteInserted(count)
            if hasBegun { pending += takeNewPlans() }
        }

        /// The request for new plans, once, if tables have become much larger since the last one.
        func takeNewPlans() -> [ServerRequest] {
            let count = connection.hosts.insertedCount
            // With a pooler for transactions, each run of a statement is planned.
            guard !connection.sharesSessions, count - plannedCount >= max(Self.plannedStep, plannedCount)
            else { return [] }
            plannedCount = count
            return [connection.passing("DISCARD PLANS")]
        }
    }
#endif
