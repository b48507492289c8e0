import ArgumentParser

/// The exit status of a command; 64 to 77 are defined in `sysexits.h`.
enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done; for questions, the answer is yes.
    case success = 0
    /// The answer is negative: not found, different, or more than can be inferred.
    case negative = 1
    /// The command line, or a filter in it, cannot be understood.
    case usage = 64
    /// The store or the data is not what it should be.
    case badData = 65
    /// The input does not exist or cannot be opened.
    case noInput = 66
    /// A fault inside Larder or its engine.
    case software = 70
    /// The output already exists or cannot be created.
    case cannotCreate = 73
    /// The disk is full or fails.
    case inputOutput = 74
    /// Another process uses the store; a later attempt may succeed.
    case tryAgain = 75
    /// The system does not allow it.
    case noPermission = 77
    /// Ctrl-C.
    case interrupted = 130
    /// The reader of the output has closed it, as `head` does; the number that shells use for SIGPIPE.
    case unread = 141

    /// The meaning, for help and documentation.
    var meaning: String {
        switch self {
        case .success: "success; two stores are equal"
        case .negative: "the answer is negative: not found, different, or not without the app"
        case .usage: "the command line, or a filter in it, cannot be understood"
        case .badData: "the store or the data is damaged, foreign, newer or incomplete"
        case .noInput: "the input does not exist"
        case .software: "a fault inside Larder or its engine; please report it"
        case .cannotCreate: "the output already exists or cannot be created"
        case .inputOutput: "the disk is full or fails"
        case .tryAgain: "another process uses the store; try again later"
        case .noPermission: "permission denied"
        case .interrupted: "Ctrl-C"
        case .unread: "the reader of the output has closed it, as head does"
        }
    }

    var exitCode: ExitCode { ExitCode(rawValue) }
}
