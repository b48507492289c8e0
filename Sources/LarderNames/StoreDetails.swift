public import LarderKernel

/// The description of an open store, for screens of settings, reports of errors and tools in an app.
///
///     let details = try store.details()
///     print(details)
///     for type in details.schema.entities { print(type.name, type.attributes.map(\.name)) }
///
/// *Rule:* a value; what it says was true when it was asked for.
public struct StoreDetails: Sendable {
    /// The name of the engine, as the store's class has it: `SQLite`; `Child` for a child store.
    public let engine: String
    /// The name that the store was given by ``DataStoreOptions/name``; nil if none.
    public let name: String?
    /// The path of the store's file, or what the engine calls its place otherwise; the place of the parent for a child.
    public let location: String
    /// The name of the version of the app's types; nil without a ``SchemaHistory``.
    public let version: String?
    /// True if the store takes no writes.
    public let isReadOnly: Bool
    /// The item types with their attributes, indexes and relationships, and the links of many-to-many relationships.
    public let schema: StoreSchema
}

extension StoreDetails: CustomStringConvertible {
    /// Such as `SQLite "pantry" at /data/pantry.sqlite, version 3: Ingredient, Recipe`.
    public var description: String {
        let types = schema.entities.filter { !$0.isLink }.map(\.name).sorted().joined(separator: ", ")
        return engine + (name.map { " \"\($0)\"" } ?? "") + " at \(location)"
            + (version.map { ", version \($0)" } ?? "") + ": \(types)"
    }
}

extension DataStore {
    /// The description of the store, which must be open.
    ///
    /// *Cost:* a `read` block; no row is read.
    ///
    /// - Throws: `.notSetUp`, `.closed`, and as ``read(_:)``.
    public func details() throws -> StoreDetails {
        let schema = try read { try $0.block().schema }
        let type = "\(Swift.type(of: self))"
        let suffix = "DataStore"
        return StoreDetails(
            engine: type.hasSuffix(suffix) && type != suffix ? String(type.dropLast(suffix.count)) : type,
            name: name, location: coordinator.adapter.location, version: schema.version,
            isReadOnly: coordinator.adapter.isReadOnly, schema: schema)
    }
}
