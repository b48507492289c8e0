/// The sentences of one check, up to a limit.
struct Findings {
    static let limit = 20

    private(set) var sentences: [String] = []

    /// True if checking further is useless.
    var isFull: Bool { sentences.count >= Self.limit }

    mutating func note(_ sentence: @autoclosure () -> String) {
        if !isFull { sentences.append(sentence()) }
    }
}
