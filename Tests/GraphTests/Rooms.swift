package import Foundation
public import Larder

/// As visible as a module allows, with an identifier that the app gives.
@StoredItem
public struct Room {
    public let id: Int
    public var name: String
    @Relationship(deleteRule: .cascade, inverse: \Door.room) public var doors: ToMany<Door>
    @Relationship(inverse: \Door.other) var others: ToMany<Door>
}

@StoredItem
public struct Door: Equatable {
    public var room: ToOne<Room>
    public var other: ToOne<Room>?
    public var keys: OrderedToMany<Door>
}

/// An item type whose identifier is made, and declared first.
@StoredItem
package struct Shelf {
    package let id: UUID
    package var room: ToOne<Room>?
    var title: String
    @Relationship(deleteRule: .deny, inverse: \Box.shelf) package var boxes: ToMany<Box>
}

@StoredItem
package struct Box {
    var size: Int
    package var shelf: ToOne<Shelf>
}
