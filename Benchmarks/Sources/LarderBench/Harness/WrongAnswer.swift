/// A contender answered something else than what was stored.
struct WrongAnswer: Error, CustomStringConvertible {
    let description: String

    init<Answer>(asked: String, expected: Answer, found: Answer) {
        description = "asked for \(asked): expected \(expected), found \(found)"
    }
}
