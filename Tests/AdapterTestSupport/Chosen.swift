import Foundation

/// The part of a list of tests that a variable of the environment asks for.
enum Chosen {
    /// Those whose description contains the value of a variable; all if it is not set.
    static func elements<Element: CustomStringConvertible>(
        of all: [Element], by variable: String
    ) -> [Element] {
        guard let part = ProcessInfo.variable(variable) else { return all }
        return all.filter { $0.description.contains(part) }
    }

    static func isSet(_ variable: String) -> Bool { ProcessInfo.variable(variable) != nil }
}
