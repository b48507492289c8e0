import LarderKernel

/// The old and the new place of an item or a section that is in the list before and after a change.
public struct ListMove<Place: Sendable & Hashable>: Sendable, Hashable {
    /// The place in the list before.
    public let from: Place
    /// The place in the list after.
    public let to: Place
    /// True if what is shown of it differs too: of an item any attribute, of a section its name.
    public let isUpdated: Bool

    init(from: Place, to: Place, isUpdated: Bool) {
        self.from = from
        self.to = to
        self.isUpdated = isUpdated
    }
}

extension ListMove: CustomStringConvertible {
    public var description: String { "\(from)→\(to)\(isUpdated ? " updated" : "")" }
}
