import LarderConformance

/// What a random run has done, for the message of a failure.
final class Journal {
    private let title: String
    private(set) var count = 0
    private var last: [String] = []

    init(_ title: String) {
        self.title = title
    }

    func note(_ operation: String) {
        count += 1
        last.append("\(count). \(operation)")
        if last.count > 24 { last.removeFirst() }
    }

    /// A failure of the operation noted last.
    func mismatch(expected: String, actual: String) -> Mismatch {
        Mismatch(
            description: """
                \(title), operation \(count):
                  expected: \(expected)
                  but came: \(actual)
                The last operations:
                  \(last.joined(separator: "\n  "))
                """)
    }
}

/// The store has given another answer than the model.
struct Mismatch: Error, CustomStringConvertible {
    let description: String
}

/// The error of a block that fails on purpose.
struct OwnFailure: Error {}
