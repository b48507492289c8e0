public import LarderKernel

/// One version of an app's schema, by its name.
///
///     enum V1 {
///         @StoredItem("Recipe")
///         struct Recipe {
///             var title: String
///         }
///     }
///     let first = SchemaVersion("1", storing: [V1.Recipe.self])
///     let today = SchemaVersion("2", storing: [Recipe.self])
///
/// An old version is kept as old item types, in a namespace and under the stored names of then. If no step
/// needs the old Swift types, the description that `larder schema` prints is enough, and nothing else has to be
/// kept:
///
///     let first = SchemaVersion("1", describedBy: """
///         Recipe
///           id: itemID
///           title: string
///         """)
///
/// *Rule:* a value. A mistake in the declaration is thrown by ``schema()``, and by every use of a
/// ``SchemaHistory`` with this version.
public struct SchemaVersion: Sendable {
    /// The longest name, in bytes.
    static let maximumNameBytes = 200

    /// The name of the version, which a store keeps.
    public let name: String
    private let result: Result<StoreSchema, DataStoreError>

    /// A version with Swift types.
    ///
    /// - Parameters:
    ///   - name: The name of the version, which no other has; 1 to 200 bytes without control characters.
    ///   - itemTypes: Everything that a store of this version keeps.
    public init(_ name: String, storing itemTypes: [any DataStoreItem.Type]) {
        self.init(name) { () throws(DataStoreError) in try StoreSchema(storing: itemTypes) }
    }

    /// A version by the description of its shape.
    ///
    /// - Parameter text: The description, in the form of ``SchemaShape/init(text:)``.
    public init(_ name: String, describedBy text: String) {
        self.init(name) { () throws(DataStoreError) in try SchemaShape(text: text).schema() }
    }

    /// A version by its shape.
    public init(_ name: String, shape: SchemaShape) {
        self.init(name) { () throws(DataStoreError) in try shape.schema() }
    }

    /// The version that a store has now, for tools and tests.
    public init(_ name: String, stored: StoredSchema) {
        self.init(name, shape: SchemaShape(stored))
    }

    private init(_ name: String, _ schema: () throws(DataStoreError) -> StoreSchema) {
        self.name = name
        result = Result { () throws(DataStoreError) in try schema() }
    }

    /// The schema of the version.
    ///
    /// - Throws: `.invalidSchema` when the declaration is inconsistent.
    public func schema() throws(DataStoreError) -> StoreSchema {
        do {
            return try result.get().named(name)
        } catch {
            throw DataStoreError(
                error.code, "Version \(name) of the schema is wrong. \(error.message)", advice: error.advice,
                itemType: error.itemType, attribute: error.attribute)
        }
    }

    /// The shape of the version.
    ///
    /// - Throws: `.invalidSchema` when the declaration is inconsistent.
    public func shape() throws(DataStoreError) -> SchemaShape {
        SchemaShape(try schema())
    }

    /// The reason why no version can have a name, as the end of a sentence.
    package static func problem(ofName name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.count > maximumNameBytes { return "has over \(maximumNameBytes) bytes" }
        if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "holds a control character" }
        return name.utf8.first == UInt8(ascii: " ") || name.utf8.last == UInt8(ascii: " ")
            ? "begins or ends with a space" : nil
    }
}
