import Foundation

extension ProcessInfo {
    /// The value of a variable of the environment; nil if it is not set, or empty.
    static func variable(_ name: String) -> String? {
        processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
