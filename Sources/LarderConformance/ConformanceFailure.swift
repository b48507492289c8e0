/// The expected and the actual result of a case.
public struct ConformanceFailure: Error, Sendable {
    /// The title of the case; empty until the suite has added it.
    public internal(set) var title = ""
    /// The name of the subject that failed.
    public internal(set) var subject = ""
    public let expected: String
    public let actual: String
    /// The place of the expectation: file and line.
    public let place: String

    init(expected: String, actual: String, at place: SourcePlace) {
        self.expected = expected
        self.actual = actual
        self.place = place.description
    }

    init(seed: UInt64, _ failure: ConformanceFailure) {
        expected = "\(failure.expected) (LARDER_SEED=\(seed))"
        actual = failure.actual
        place = failure.place
    }

    init(askedIn asked: AskedPlace, _ failure: ConformanceFailure) {
        expected = "\(failure.expected), in \(asked.rawValue)"
        actual = failure.actual
        place = failure.place
    }
}

extension ConformanceFailure: CustomStringConvertible {
    public var description: String {
        """
        \(subject): \(title)
          expected: \(expected)
          but came: \(actual)
          at \(place)
        """
    }
}

extension ConformanceCase {
    /// A failure of this case: an expectation that did not hold, or an unexpected error.
    func failure(_ error: any Error, on subject: ConformanceSubject) -> ConformanceFailure {
        var failure =
            error as? ConformanceFailure
            ?? ConformanceFailure(expected: "no error", actual: "\(error)", at: place)
        failure.title = title
        failure.subject = subject.name
        return failure
    }
}
