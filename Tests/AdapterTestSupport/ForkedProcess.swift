import Foundation

#if os(Linux)
    /// Runs a body in a process that is forked from this one, and waits for its end.
    ///
    /// - Parameter body: Gives the status with which the process exits. It takes no lock that another thread may have at
    ///   the fork, as it would wait for ever.
    /// - Returns: The status; if a signal has ended the process, its number, negated.
    func statusOfForkedProcess(_ body: () -> Int32) -> Int32 {
        let process = fork()
        precondition(process >= 0, "The process was not forked: \(errno).")
        if process == 0 { _exit(body()) }
        var status: Int32 = -1
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 : -signal
    }
#endif
