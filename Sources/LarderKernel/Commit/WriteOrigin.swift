/// A label for the source of a commit: a part of the app, or another process.
///
///     extension WriteOrigin { static let sync: WriteOrigin = "sync" }
///
///     try await store.writeAsync(origin: .sync) { try $0.insert(recipe) }
///     for await changes in store.changes.ignoring(.sync) { upload(changes) }
///
/// Observers see it in ``ChangeSet/origin`` and ``StoreValues/withOrigins``, and can leave commits of an origin out.
/// It is not stored.
///
/// *Rule:* a value; two of the same name are equal.
public struct WriteOrigin: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private enum Party: Sendable, Hashable {
        case named(UTF8Key)
        case otherProcess
    }

    private let party: Party

    private init(_ party: Party) { self.party = party }

    /// An origin with a name that the app chooses; for an instance, such as one of several windows, a name of its
    /// own: `WriteOrigin("window \(number)")`.
    public init(_ name: String) { party = .named(UTF8Key(name)) }

    public init(stringLiteral name: String) { self.init(name) }

    /// Another process that has committed to the same file; differs from every name.
    public static let otherProcess = WriteOrigin(.otherProcess)

    public var description: String {
        switch party {
        case .named(let name): name.text
        case .otherProcess: "another process"
        }
    }
}

/// The terms of a call that writes, besides its block.
@usableFromInline
package struct WriteTerms: Sendable {
    let origin: WriteOrigin?
    /// Receives the changes of the block; nil if the caller does not ask for them.
    let report: ChangeReport?

    @usableFromInline
    package init(origin: WriteOrigin? = nil, report: ChangeReport? = nil) {
        self.origin = origin
        self.report = report
    }
}

/// The changes of a block, on their way to the caller.
@usableFromInline
package final class ChangeReport: @unchecked Sendable {
    // reason: written by the block's thread, and read after the call has returned or was answered, which comes
    // after it.
    package internal(set) var changes: ChangeSet

    package init(origin: WriteOrigin?) {
        changes = ChangeSet(changes: [], origin: origin)
    }
}
