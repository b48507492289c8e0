import Foundation

/// The three files every process expects to be open.
enum StandardFiles {
    /// Opens those that the parent process has closed.
    ///
    /// Otherwise a store's file would get the number of one of them, and messages would be written into it.
    /// *Rule:* call it before any other file is opened.
    static func ensureOpen() {
        for file in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(file, F_GETFD) == -1 {
            // The file gets the lowest free number. The output is not opened for writing, so that writing to
            // it fails.
            _ = open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
