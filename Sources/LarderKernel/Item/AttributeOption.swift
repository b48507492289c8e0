/// An option of `@Attribute`, spelled as in SwiftData.
///
///     @StoredItem
///     struct Recipe {
///         @Attribute(.unique) var slug: String       // the same as @Unique
///     }
public struct AttributeOption: Sendable {
    /// Refuses a second item with the same value, as `@Unique` does.
    public static let unique = AttributeOption()

    @available(
        *, unavailable,
        message: "Larder stores values in the row. Keep large data in a file and store its path"
    )
    public static var externalStorage: AttributeOption { unique }

    @available(*, unavailable, message: "Mark the property @Transient instead")
    public static var ephemeral: AttributeOption { unique }

    @available(*, unavailable, message: "Conform the type of the property to CodableAttribute instead")
    public static var transformable: AttributeOption { unique }
}
