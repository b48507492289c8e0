public import Logging

extension DataStoreDiagnostic: CustomStringConvertible {
    /// One line for people, without the store and the engine.
    public var description: String {
        switch event {
        case .opened(let duration): "opened in \(duration)"
        case .closed: "closed"
        case .upgradeStep(let step, let rows, let duration): "step \(step): \(rows) rows in \(duration)"
        case .upgraded(let steps, let duration):
            "upgraded by \(steps.isEmpty ? "small changes" : steps.joined(separator: ", ")) in \(duration)"
        case .lookUp(let itemType, let identifier?, _, let found, let duration):
            "look-up of \(itemType) \(identifier): \(found == 0 ? "not found" : "found") in \(duration)"
        case .lookUp(let itemType, nil, let asked, let found, let duration):
            "look-up of \(itemType): \(found) of \(asked) found in \(duration)"
        case .request(let plan, let rows, let duration): "request \(plan): \(rows) rows in \(duration)"
        case .slowRequest(let plan, let rows, let duration):
            "A request took \(duration) for \(rows) rows: \(plan)"
        case .wrote(let change, let itemType, let rows, let duration):
            "\(change) of \(rows) rows of \(itemType) in \(duration)"
        case .committed(let rows, let duration): "commit of \(rows) rows in \(duration)"
        case .rolledBack(let error, let duration):
            "roll-back after \(type(of: error)), open for \(duration)"
        case .merged(let inserted, let updated, let deleted, let duration):
            "merge of \(inserted) inserted, \(updated) updated, \(deleted) deleted items in \(duration)"
        case .longBlock(let duration): "A \(kind) has been open for \(duration), and still is."
        case .slowBlock(let duration):
            "A \(kind) was open for \(duration); old versions of items stay on disk for as long."
        case .failed(let failure):
            "\(failure.call) \(failure.hasCaller ? "threw" : "had no caller for") \(failure.text)"
        case .difficulty(let text): text
        }
    }

    private var kind: String { block.map { "\($0) block" } ?? "block" }

    /// The level at which the event is logged.
    ///
    /// Below `info`, at which loggers are by default, unless a person should act: an app that catches an error decides
    /// itself what is worth a line.
    public var level: Logger.Level {
        switch event {
        case .lookUp, .request: .trace
        case .opened, .closed, .upgradeStep, .upgraded, .wrote, .committed, .rolledBack, .merged: .debug
        case .slowRequest, .longBlock, .slowBlock, .difficulty: .warning
        case .failed(let failure): failure.hasCaller ? .debug : .error
        }
    }
}
