/// An item of a store, by the number of its type and its identifier.
@usableFromInline
package struct ItemKey: Hashable {
    @usableFromInline package let identifier: AnyItemID
    // This order and width keep the key small, as a block may hold thousands of them.
    @usableFromInline let number: UInt32

    var entity: Int { Int(number) }

    @inlinable
    package init(entity: Int, identifier: AnyItemID) {
        self.identifier = identifier
        number = UInt32(truncatingIfNeeded: entity)
    }
}
