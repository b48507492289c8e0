import ArgumentParser

/// How the command ends, as a number for scripts; 64 to 77 are those of `sysexits.h`.
enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done; for questions, the answer is yes.
    case success = 0
    /// The answer is no: not found, different, not sound.
    case negative = 1
    /// The command line, or a filter in it, cannot be understood.
    case usage = 64
    /// The store or the data is not what it should be.
    case badData = 65
    /// What is to be read does not exist or cannot be opened.
    case noInput = 66
    /// A mistake inside of Larder or its engine.
    case software = 70
    /// What is to be made exists already or cannot be made.
    case cannotCreate = 73
    /// The disk is full or fails.
    case inputOutput = 74
    /// Somebody else has the store; later it may work.
    case tryAgain = 75
    /// The system does not allow it.
    case noPermission = 77
    /// Ctrl-C.
    case interrupted = 130
    /// Who read the answer has gone, as `head` does; the number that shells give for SIGPIPE.
    case unread = 141

    /// What it means, for help and documentation.
    var meaning: String {
        switch self {
        case .success: "fine; of two stores, equal"
        case .negative: "the answer is no: not found, or different"
        case .usage: "the command line, or a filter in it, cannot be understood"
        case .badData: "the store or the data is damaged, foreign, newer or incomplete"
        case .noInput: "what is to be read does not exist"
        case .software: "a mistake inside of Larder or its engine; please report it"
        case .cannotCreate: "what is to be made exists already or cannot be made"
        case .inputOutput: "the disk is full or fails"
        case .tryAgain: "another process has the store; later it may work"
        case .noPermission: "the system does not allow it"
        case .interrupted: "Ctrl-C"
        case .unread: "whoever read the answer has gone, as head does"
        }
    }

    var exitCode: ExitCode { ExitCode(rawValue) }
}
