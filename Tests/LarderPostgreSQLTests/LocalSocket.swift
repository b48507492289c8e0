#if PostgreSQL
    import Foundation
    import LarderPlatform

    /// The calls for sockets of this machine that a proxy makes.
    enum LocalSocket {
        /// A socket at a path that takes connections.
        static func listener(at path: String) throws -> Int32 {
            let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let isBound = withAddress(path) { bind(file, $0, $1) == 0 }
            guard isBound, listen(file, 50) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
            return file
        }

        /// A connection to the socket at a path; nil if none is taken there.
        static func connection(to path: String) -> Int32? {
            let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            if withAddress(path, { connect(file, $0, $1) == 0 }) { return file }
            closeFile(file)
            return nil
        }

        /// The next connection to a listener; negative if the listener has ended.
        static func nextClient(of listener: Int32) -> Int32 { accept(listener, nil, nil) }

        /// Sends all bytes; false if the other side takes no more.
        static func deliver(_ bytes: [UInt8], to file: Int32) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes {
                    // Without the flag, a connection that has ended would end the process.
                    send(file, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                sent += count
            }
            return true
        }

        /// Ends one direction: the other side reads to the end of what was sent, and may still send.
        static func endSending(to file: Int32) { _ = shutdown(file, Int32(SHUT_WR)) }

        /// Ends both directions.
        static func endBoth(_ file: Int32) { _ = shutdown(file, Int32(SHUT_RDWR)) }

        /// True if the other side has ended both directions.
        static func hasEnded(_ file: Int32) -> Bool {
            var state = pollfd(fd: file, events: 0, revents: 0)
            return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLHUP) != 0
        }

        static func closeFile(_ file: Int32) { _ = close(file) }

        /// Calls a body with the address of the socket at a path.
        static func withAddress(
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
#endif
