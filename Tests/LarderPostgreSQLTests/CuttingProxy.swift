#if PostgreSQL
    import Foundation
    import LarderKernel
    import LarderPlatform

    /// A socket between a client and the server that ends the connection at a word.
    ///
    /// *Rule:* the threads end with their connections; `close()` removes the socket.
    final class CuttingProxy: Sendable {
        /// The moment at which a connection is cut.
        enum Cut: Sendable {
            /// The message with the word is not delivered.
            case before
            /// The message is delivered, and the answer is lost.
            case after
        }

        let folder: String
        private let serverPath: String
        private let listener: Int32
        private let order = Locked<(cut: Cut, word: [UInt8])?>(nil)

        /// - Parameter server: The folder with the server's socket.
        init(to server: String) throws {
            folder = "/tmp/larder-proxy-\(UInt32.random(in: 0 ... .max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            serverPath = server + "/.s.PGSQL.5432"
            listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let path = folder + "/.s.PGSQL.5432"
            let isBound = LocalSocket.withAddress(path) { bind(listener, $0, $1) == 0 }
            guard isBound, listen(listener, 20) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
            _ = OSThread.start { [self] in accept() }
        }

        /// Cuts the next connection on which a word is sent.
        func cut(_ cut: Cut, at word: String) { order.withLock { $0 = (cut, Array(word.utf8)) } }

        /// True if no cut is to come any more.
        var hasCut: Bool { order.withLock { $0 == nil } }

        func close() throws {
            shutdown(listener, Int32(SHUT_RDWR))
            closeFile(listener)
            try FileManager.default.removeItem(atPath: folder)
        }

        private func accept() {
            while true {
                let client = acceptConnection(listener)
                if client < 0 { return }
                let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                let isConnected = LocalSocket.withAddress(serverPath) { connect(server, $0, $1) == 0 }
                guard isConnected else {
                    closeFile(client)
                    continue
                }
                let pair = Pair(client: client, server: server)
                _ = OSThread.start { [self] in
                    pump(from: pair.client, to: pair.server, pair, looksForWord: true)
                }
                _ = OSThread.start { [self] in
                    pump(from: pair.server, to: pair.client, pair, looksForWord: false)
                }
            }
        }

        /// The two sockets of a connection, closed when both threads have ended.
        private final class Pair: Sendable {
            let client: Int32
            let server: Int32
            /// True once no answer is to reach the client any more.
            let isMuted = Locked(false)
            private let running = Locked(2)

            init(client: Int32, server: Int32) {
                (self.client, self.server) = (client, server)
            }

            func end() {
                shutdown(client, Int32(SHUT_RDWR))
                shutdown(server, Int32(SHUT_RDWR))
                let isLast = running.withLock { running in
                    running -= 1
                    return running == 0
                }
                if isLast {
                    closeFile(client)
                    closeFile(server)
                }
            }
        }

        private func pump(from source: Int32, to target: Int32, _ pair: Pair, looksForWord: Bool) {
            defer { pair.end() }
            var bytes = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(source, &bytes, bytes.count)
                if count <= 0 { return }
                let cut = looksForWord ? cut(for: bytes[..<count]) : nil
                if cut == .before { return }
                if cut == .after { pair.isMuted.withLock { $0 = true } }
                // The client loses the connection once the server has answered.
                if !looksForWord, pair.isMuted.withLock({ $0 }) { return }
                var sent = 0
                while sent < count {
                    let written = bytes.withUnsafeBytes {
                        send(target, $0.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                    }
                    if written <= 0 { return }
                    sent += written
                }
            }
        }

        private func cut(for bytes: ArraySlice<UInt8>) -> Cut? {
            order.withLock { order in
                guard let (cut, word) = order, bytes.count >= word.count else { return nil }
                let isFound = (bytes.startIndex...bytes.endIndex - word.count).contains { start in
                    bytes[start..<start + word.count].elementsEqual(word)
                }
                if isFound { order = nil }
                return isFound ? cut : nil
            }
        }
    }

    // The names of the system's functions, which methods of the same name hide.
    private func closeFile(_ file: Int32) { close(file) }

    private func acceptConnection(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }
#endif
