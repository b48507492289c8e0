import ArgumentParser
import Larder

/// The options for opening a store that a command only reads.
struct ReadingOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Read a store in a folder that you cannot write to. You promise that no process writes to the store.",
            discussion: "Not needed on a read-only disk, or in a folder to which no user may write."))
    var assumeNoWriter = false

    /// Opens a store; if the library asks for a promise, the error names the option for it.
    static func opening<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DataStoreError where error.advice.contains("assumesNoWriter") {
            var failure = CommandFailure(error)
            failure.advice =
                "If no process writes to the store, use --assume-no-writer; otherwise get permission to write there."
            throw failure
        }
    }
}
