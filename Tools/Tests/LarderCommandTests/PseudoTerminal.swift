#if os(Linux)
    import Foundation

    /// A terminal that a test looks at.
    final class PseudoTerminal {
        private let master: FileHandle
        let slave: FileHandle

        /// What `<asm-generic/ioctls.h>` has and Swift does not see: unlock the terminal, tell which it is.
        private static let unlock: UInt = 0x4004_5431
        private static let number: UInt = 0x8004_5430

        init(columns: UInt16) throws {
            let file = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var (isLocked, number): (Int32, UInt32) = (0, 0)
            guard file >= 0, ioctl(file, Self.unlock, &isLocked) == 0, ioctl(file, Self.number, &number) == 0
            else {
                throw POSIXError(.ENXIO)
            }
            let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            guard other >= 0 else { throw POSIXError(.ENXIO) }
            var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
            guard ioctl(other, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.ENOTTY) }
            master = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            slave = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        }

        /// Runs the command with answers and messages on the terminal; what could be read there.
        func run(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
            let process = Process()
            process.executableURL = CommandRun.executable
            process.arguments = arguments
            process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm"].merging(environment) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = slave
            process.standardError = slave
            try process.run()
            process.waitUntilExit()
            // The terminal keeps a few thousand bytes; what the tests put out is less.
            try slave.close()
            var text = Data()
            var piece = [UInt8](repeating: 0, count: 4096)
            while true {
                // At its end a terminal whose other side is closed fails instead of giving nothing.
                let count = read(master.fileDescriptor, &piece, piece.count)
                if count <= 0 { return String(decoding: text, as: UTF8.self) }
                text += piece[..<count]
            }
        }
    }
#endif
