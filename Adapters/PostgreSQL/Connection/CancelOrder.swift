#if PostgreSQL
    import CPostgreSQL
    import LarderKernel

    /// The order to the server to stop the statement that a connection runs.
    ///
    /// libpq makes another connection for it, and waits for its end without a limit. So it does on a thread of its own, which
    /// is not waited for if the server is silent.
    final class CancelOrder: @unchecked Sendable {
        // reason: `isDelivered` is only touched with the lock of `condition` held; the order belongs to the thread.
        private let order: OpaquePointer
        private let condition = Condition()
        private var isDelivered = false

        /// An order for the statement that runs now; nil if libpq has no memory for it.
        init?(_ handle: OpaquePointer) {
            guard let order = PQgetCancel(handle) else { return nil }
            self.order = order
        }

        deinit {
            PQfreeCancel(order)
        }

        /// Sends the order; false if the server has not taken it in time, so that it may come at any moment.
        func deliver(within time: Duration) -> Bool {
            let isRunning = OSThread.start { [self] in
                var message = [CChar](repeating: 0, count: 256)
                _ = PQcancel(order, &message, 256)
                condition.withLock {
                    isDelivered = true
                    condition.signalAll()
                }
            }
            guard isRunning else { return false }
            let end = ContinuousClock.now + time
            return condition.withLock {
                while !isDelivered, condition.wait(until: end) {}
                return isDelivered
            }
        }
    }
#endif
