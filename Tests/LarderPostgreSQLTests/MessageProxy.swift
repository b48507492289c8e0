#if PostgreSQL
    import Foundation
    import LarderKernel
    import LarderPlatform

    /// A socket between a client and the server that passes on message by message, and does harm at one.
    ///
    /// What one side ends, ends for the other side too, one direction at a time. *Rule:* the threads end with
    /// their connections, and all of them with ``close()``.
    final class MessageProxy: @unchecked Sendable {
        // reason: all mutable state is only touched with the lock of `changes` held.

        /// The sender of a message.
        enum Side: String, Sendable, CaseIterable {
            case client, server
        }

        /// The harm that is done at a message.
        enum Harm: String, Sendable, CaseIterable {
            /// Both directions end before the message is delivered.
            case cutBefore
            /// Both directions end after the message was delivered.
            case cutAfter
            /// The direction of the message ends before it; the other one stays.
            case halfClose
            /// The message, and all that follows it in its direction, is delivered late.
            case delay
        }

        /// The one harm that a proxy does.
        struct Order: Sendable, CustomStringConvertible {
            let harm: Harm
            let side: Side
            /// The number of the message among all that the side sends, on all connections, from 0.
            let number: Int

            var description: String { "\(harm.rawValue) at message \(number) of the \(side.rawValue)" }
        }

        let folder: String
        private let serverPath: String
        private let listener: Int32
        private let delay: Duration
        private let replacement: ([UInt8], [UInt8])?
        private let changes = Condition()
        private var order: Order?
        private var counts: [Side: Int] = [:]
        private var pairs: [Pair] = []
        private var isSilent = false
        private var isClosed = false

        /// - Parameters:
        ///   - server: The folder with the server's socket.
        ///   - order: Nil for a proxy that only counts.
        ///   - delay: The time for which a message is held back.
        ///   - replacement: A text in messages of the server, and the one that is delivered in its place.
        init(
            to server: String, order: Order? = nil, delay: Duration = .zero,
            replacing replacement: (String, String)? = nil
        ) throws {
            folder = "/tmp/larder-proxy-\(UInt32.random(in: 0 ... .max))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            serverPath = server + "/.s.PGSQL.5432"
            listener = try LocalSocket.listener(at: folder + "/.s.PGSQL.5432")
            self.order = order
            self.delay = delay
            self.replacement = replacement.map { (Array($0.0.utf8), Array($0.1.utf8)) }
            _ = OSThread.start { [self] in run() }
        }

        /// The number of messages that a side has sent.
        func count(of side: Side) -> Int { changes.withLock { counts[side] ?? 0 } }

        /// True if the harm was done.
        var hasHarmed: Bool { changes.withLock { order == nil } }

        /// Holds everything back from now on, the ends of connections too, as a network that is cut does.
        func fallSilent() { changes.withLock { isSilent = true } }

        /// Delivers what was held back, and all that comes.
        func speakAgain() {
            changes.withLock {
                isSilent = false
                changes.signalAll()
            }
        }

        /// Ends all connections, and takes no more.
        func stop() {
            let (open, isFirst): ([Pair], Bool) = changes.withLock {
                let wasClosed = isClosed
                isClosed = true
                changes.signalAll()
                return (pairs, !wasClosed)
            }
            // The number of a listener that has ended may be another file's.
            if isFirst { LocalSocket.endBoth(listener) }
            for pair in open { pair.cut() }
        }

        /// Ends all connections, and removes the socket.
        func close() throws {
            stop()
            try FileManager.default.removeItem(atPath: folder)
        }

        private func run() {
            defer { LocalSocket.closeFile(listener) }
            while true {
                let client = LocalSocket.nextClient(of: listener)
                if client < 0 { return }
                guard let server = LocalSocket.connection(to: serverPath) else {
                    LocalSocket.closeFile(client)
                    continue
                }
                let pair = Pair(client: client, server: server)
                let isLate: Bool = changes.withLock {
                    pairs.append(pair)
                    return isClosed
                }
                if isLate { pair.cut() }
                for side in Side.allCases { _ = OSThread.start { [self] in pump(side, pair) } }
            }
        }
    }

    // MARK: Messages

    extension MessageProxy {
        /// Passes on what one side of a connection sends, until it ends.
        private func pump(_ side: Side, _ pair: Pair) {
            defer { pair.leave() }
            let source = side == .client ? pair.client : pair.server
            let target = side == .client ? pair.server : pair.client
            var messages = MessageSplitter(of: side)
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(source, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { break }
                messages.add(buffer[..<count])
                while let message = messages.next() {
                    if !pass(message, of: side, to: target, pair) { return }
                }
            }
            waitWhileSilent()
            LocalSocket.endSending(to: target)
        }

        /// Delivers a message, or does the harm; false if nothing more is passed on in its direction.
        private func pass(_ message: [UInt8], of side: Side, to target: Int32, _ pair: Pair) -> Bool {
            let harm = nextHarm(of: side)
            switch harm {
            case .some(.cutBefore):
                pair.cut()
                return false
            case .some(.cutAfter):
                _ = LocalSocket.deliver(message, to: target)
                pair.cut()
                return false
            case .some(.halfClose):
                LocalSocket.endSending(to: target)
                return false
            case .some(.delay): waitForDelay()
            case .none: waitWhileSilent()
            }
            return LocalSocket.deliver(side == .server ? replaced(message) : message, to: target)
        }

        /// A message of the server with the text that takes another one's place, and its length.
        private func replaced(_ message: [UInt8]) -> [UInt8] {
            guard let (old, new) = replacement,
                let start = message.indices.first(where: { message[$0...].starts(with: old) })
            else { return message }
            var made = message
            made.replaceSubrange(start..<start + old.count, with: new)
            let length = made.count - 1
            for place in 1...4 { made[place] = UInt8(truncatingIfNeeded: length >> (8 * (4 - place))) }
            return made
        }

        /// Counts a message, and returns the harm that is done at it.
        private func nextHarm(of side: Side) -> Harm? {
            changes.withLock { () -> Harm? in
                let number = counts[side] ?? 0
                counts[side] = number + 1
                guard let order, order.side == side, order.number == number else { return nil }
                self.order = nil
                return order.harm
            }
        }

        private func waitForDelay() {
            let end = ContinuousClock.now + delay
            changes.withLock {
                while !isClosed, changes.wait(until: end) {}
            }
        }

        private func waitWhileSilent() {
            changes.withLock {
                while isSilent, !isClosed { changes.wait() }
            }
        }
    }

    /// The two sockets of a connection, closed when both directions have ended.
    private final class Pair: Sendable {
        let client: Int32
        let server: Int32
        private let running = Locked(2)

        init(client: Int32, server: Int32) {
            (self.client, self.server) = (client, server)
        }

        /// Ends both directions, unless the sockets are closed and their numbers perhaps another file's.
        func cut() {
            running.withLock { running in
                if running == 0 { return }
                LocalSocket.endBoth(client)
                LocalSocket.endBoth(server)
            }
        }

        /// Called by each of the two threads at its end.
        func leave() {
            running.withLock { running in
                running -= 1
                if running > 0 { return }
                LocalSocket.closeFile(client)
                LocalSocket.closeFile(server)
            }
        }
    }

    /// Splits what one side of a connection sends into its messages.
    ///
    /// *Source:* the chapter "Frontend/Backend Protocol" of the manual. A message has a byte for its kind,
    /// and a length of four bytes that counts itself; the first message of a client has no kind.
    struct MessageSplitter {
        private var bytes: [UInt8] = []
        private var hasKind: Bool

        init(of side: MessageProxy.Side) { hasKind = side == .server }

        mutating func add(_ more: ArraySlice<UInt8>) { bytes += more }

        /// The next message; nil if not all of it has come.
        mutating func next() -> [UInt8]? {
            let start = hasKind ? 1 : 0
            guard bytes.count >= start + 4 else { return nil }
            let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = start + max(4, length)
            guard bytes.count >= end else { return nil }
            hasKind = true
            let message = Array(bytes[..<end])
            bytes.removeFirst(end)
            return message
        }
    }
#endif
