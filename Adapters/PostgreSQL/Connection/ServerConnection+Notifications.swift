#if PostgreSQL
    import CPostgreSQL
    import LarderPlatform

    extension ServerConnection {
        /// Waits until a notification has come, and takes all that have, or until a file can be read.
        ///
        /// With TLS, one that OpenSSL holds is found by the next question.
        ///
        /// - Returns: False if neither happened in time, or the connection has ended.
        func waitForNotification(orReading file: Int32, until end: ContinuousClock.Instant) -> Bool {
            while let handle {
                var hasCome = false
                while let notification = PQnotifies(handle) {
                    PQfreemem(notification)
                    hasCome = true
                }
                if hasCome { return true }
                let left = end - .now
                if left <= .zero { return false }
                var files = [PQsocket(handle), file].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                let count = poll(&files, 2, Int32(clamping: left.milliseconds + 1))
                if count < 0, errno != EINTR { return false }
                if files[1].revents != 0 { return true }
                if files[0].revents != 0, PQconsumeInput(handle) != 1 { return false }
            }
            return false
        }
    }
#endif
