import Foundation

/// The three files every process expects to be open.
enum StandardFiles {
    /// Opens those that whoever started the process has closed.
    ///
    /// Otherwise a store's file would be given the number of one of them, and messages be written into it.
    /// *Rule:* before any other file is opened.
    static func ensureOpen() {
        for file in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(file, F_GETFD) == -1 {
            // It gets the lowest free number. An answer that goes nowhere is an error: not for writing.
            _ = open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
