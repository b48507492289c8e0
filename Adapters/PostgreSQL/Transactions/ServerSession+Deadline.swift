#if PostgreSQL
    import LarderKernel

    extension ServerSession {
        /// The time after which the server would have stopped the requests itself, so that it is silent; nil for no limit.
        func time(for requests: [ServerRequest]) -> Duration? {
            let options = connection.hosts.options
            switch kind {
            case .reading, .writing:
                return options.statementTimeout.map {
                    .milliseconds($0.milliseconds * Int64(requests.count)) + options.connectTimeout
                }
            case .checking, .within: return nil
            }
        }
    }
#endif
