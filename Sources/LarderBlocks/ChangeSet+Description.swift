public import LarderKernel

extension ChangeSet: CustomStringConvertible {
    /// A line for each change, and one for the origin if there is one.
    public var description: String {
        let lines = changes.isEmpty ? ["no changes"] : changes.map(\.description)
        return ((origin.map { ["from \($0)"] } ?? []) + lines).joined(separator: "\n")
    }
}

extension ChangeSet.Change: CustomStringConvertible {
    /// Such as `updated Recipe 0ABC: name, rating`.
    public var description: String {
        let title = "\(itemType) \(identifier)"
        switch kind {
        case .inserted: return "inserted \(title)"
        case .updated(let attributes):
            return "updated \(title): \(attributes.sorted().joined(separator: ", "))"
        case .deleted: return "deleted \(title)"
        }
    }
}
