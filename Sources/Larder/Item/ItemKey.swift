/// An item of a store, by the number of its type and its identifier.
@usableFromInline
struct ItemKey: Hashable {
    @usableFromInline let identifier: AnyItemID
    // In this order and of this width it fits beside the identifier, of which a block may keep thousands.
    @usableFromInline let number: UInt32

    var entity: Int { Int(number) }

    @inlinable
    init(entity: Int, identifier: AnyItemID) {
        self.identifier = identifier
        number = UInt32(truncatingIfNeeded: entity)
    }
}
