public import LarderVersions
import LarderKernel

/// Expects that no version of a schema has changed since it was locked; throws if one has.
///
///     @Test func `the schema is locked`() throws {
///         try expectSchema(AppStore.history, matchesLock: """
///             1: 4f0c6a31b0f5de0a7c2ef8d25a3b9e71
///             2: 91ab02c7d6e84f3390b1c5de7f2a4480
///             """)
///     }
///
/// A property that is added to a type of a released version is a change of that version: stores of it are in the
/// field without the property. The failure names the version, says what has changed, and prints the new lock to
/// copy. With the text of `history.lock(withShapes: true)` as the lock, it names each attribute. Facts that
/// only the app's code has are not locked: defaults, and the form of the JSON of a `CodableAttribute`.
///
/// *Rule:* for swift-testing and XCTest; both print the error. *Cost:* no store is made.
///
/// - Throws: ``SchemaLockFailure``; `.invalidSchema` when the history has a mistake, or the lock cannot be read.
public func expectSchema(_ history: SchemaHistory, matchesLock lock: String) throws {
    let differences = try SchemaLock(text: lock).differences(from: history)
    if differences.isEmpty { return }
    let present = try SchemaLock(history)
    let hasShapes = lock.split(separator: "\n").contains { $0.hasPrefix("  ") }
    throw SchemaLockFailure(differences: differences, lock: present.text(withShapes: hasShapes))
}

/// The failure of ``expectSchema(_:matchesLock:)``.
public struct SchemaLockFailure: Error, Sendable {
    /// The points in which the history differs from the lock, a sentence each.
    public let differences: [String]
    /// The lock of the current history.
    public let lock: String
}

extension SchemaLockFailure: CustomStringConvertible {
    public var description: String {
        """
        The schema differs from its lock.
        \(differences.joined(separator: "\n"))
        Stores of a version that was released keep its shape, so make a new version for the change. If the version \
        was not released yet, this is the new lock:

        \(lock)
        """
    }
}
