#if PostgreSQL
    import Foundation

    /// A socket between clients and the server on which everything arrives later, in both directions.
    ///
    /// The delay does not make the wire narrow: many parts may be on their way at once.
    ///
    /// *Rule:* the threads end with their connections; `end()` removes the socket.
    final class DelayProxy: Sendable {
        /// The folder with the socket.
        let folder: String
        private let serverSocket: String
        private let listener: Int32
        private let delay = SharedValue<Duration>(.zero)

        init(to server: BenchServer) throws {
            folder = "/tmp/larder-bench-proxy-\(UInt32.random(in: 0 ... .max))"
            serverSocket = BenchServer.socket(inFolder: server.folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let path: String = BenchServer.socket(inFolder: folder)
            let isBound: Bool = Self.withAddress(path) { bind(listener, $0, $1) == 0 }
            guard isBound, listen(listener, 20) == 0 else {
                try? FileManager.default.removeItem(atPath: folder)
                throw POSIXError(.EADDRNOTAVAIL)
            }
            Self.start { [self] in serve() }
        }

        var address: String { BenchServer.address(inFolder: folder) }

        /// Delays everything that comes from now on, in each direction.
        func setDelay(_ time: Duration) { delay.value = time }

        func end() {
            shutdown(listener, Int32(SHUT_RDWR))
            close(listener)
            try? FileManager.default.removeItem(atPath: folder)
        }

        private func serve() {
            while true {
                let client: Int32 = accept(listener, nil, nil)
                if client < 0 { return }
                let server: Int32 = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                let isConnected: Bool = Self.withAddress(serverSocket) { connect(server, $0, $1) == 0 }
                guard isConnected else {
                    close(client)
                    close(server)
                    continue
                }
                let pair = Pair(client: client, server: server)
                carry(from: client, to: server, pair)
                carry(from: server, to: client, pair)
            }
        }

        /// Begins to carry one direction of a connection, by two threads.
        private func carry(from source: Int32, to target: Int32, _ pair: Pair) {
            let lane = Lane()
            Self.start { [self] in
                var bytes = [UInt8](repeating: 0, count: 65536)
                while true {
                    let count: Int = read(source, &bytes, bytes.count)
                    if count <= 0 { break }
                    lane.add(Array(bytes[..<count]), due: ContinuousClock.now + delay.value)
                }
                lane.close()
                pair.leave()
            }
            Self.start {
                while let part = lane.next() {
                    Self.sleep(until: part.due)
                    if !Self.write(part.bytes, to: target) { break }
                }
                pair.shutDown()
                pair.leave()
            }
        }

        private static func sleep(until due: ContinuousClock.Instant) {
            let left: Duration = due - ContinuousClock.now
            let microseconds: Double = left / .microseconds(1)
            if microseconds >= 1 { usleep(UInt32(microseconds)) }
        }

        /// - Returns: False if the connection has ended, which may not end the process by a signal.
        private static func write(_ bytes: [UInt8], to target: Int32) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let rest: [UInt8] = sent == 0 ? bytes : Array(bytes[sent...])
                let count: Int = send(target, rest, rest.count, Int32(MSG_NOSIGNAL))
                if count <= 0 { return false }
                sent += count
            }
            return true
        }

        private static func start(_ work: @escaping @Sendable () -> Void) {
            let thread = Thread(block: work)
            thread.start()
        }

        private static func withAddress(
            _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
        ) -> Bool {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }

    extension DelayProxy {
        /// The two sockets of a connection, closed when all four threads have left.
        private final class Pair: Sendable {
            private let client: Int32
            private let server: Int32
            private let threads = SharedValue<Int>(4)

            init(client: Int32, server: Int32) {
                self.client = client
                self.server = server
            }

            /// Ends both directions.
            func shutDown() {
                shutdown(client, Int32(SHUT_RDWR))
                shutdown(server, Int32(SHUT_RDWR))
            }

            func leave() {
                var isLast = false
                threads.change { count in
                    count -= 1
                    isLast = count == 0
                }
                if !isLast { return }
                close(client)
                close(server)
            }
        }

        /// One direction of a connection: the parts that were read wait here until they are due.
        private final class Lane: @unchecked Sendable {
            // reason: `parts` and `isClosed` are only touched with `condition` locked.
            private let condition = NSCondition()
            private var parts: [Part] = []
            private var isClosed = false

            func add(_ bytes: [UInt8], due: ContinuousClock.Instant) {
                condition.lock()
                parts.append(Part(bytes: bytes, due: due))
                condition.signal()
                condition.unlock()
            }

            /// Says that nothing more will be added.
            func close() {
                condition.lock()
                isClosed = true
                condition.signal()
                condition.unlock()
            }

            /// The next part, if need be after a wait; nil after the last one.
            func next() -> Part? {
                condition.lock()
                defer { condition.unlock() }
                while parts.isEmpty && !isClosed { condition.wait() }
                return parts.isEmpty ? nil : parts.removeFirst()
            }
        }

        /// Bytes that arrived together, and the moment at which they are passed on.
        private struct Part {
            let bytes: [UInt8]
            let due: ContinuousClock.Instant
        }
    }
#endif
