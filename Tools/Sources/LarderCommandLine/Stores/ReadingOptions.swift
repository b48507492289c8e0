import ArgumentParser
import Larder

/// How the stores are opened that a command only looks into.
struct ReadingOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Read a store beside which nothing can be made. You promise that no process writes to it.",
            discussion: "Not needed on a read-only disk, or in a folder to which no user may write."))
    var assumeNoWriter = false

    /// Opens a store; where the library asks for a promise, says how to give it here.
    static func opening<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DataStoreError where error.advice.contains("assumesNoWriter") {
            var failure = CommandFailure(error)
            failure.advice =
                "If no process writes to the store, give --assume-no-writer; else ask for the right to write there."
            throw failure
        }
    }
}
