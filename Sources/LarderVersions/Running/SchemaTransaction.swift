public import LarderEngine
public import LarderKernel

/// The write transaction of an opening, as a ``SchemaMigration`` uses it.
///
/// An adapter makes one, runs the migration, stores its ``SchemaMigration/target``, and commits. *Rule:* the
/// migration neither commits nor ends it.
public protocol SchemaTransaction: AnyObject {
    /// Makes all changes of an evolution: first it removes the entities that go, then it makes, renames and
    /// rewrites the others, in their order, and builds and checks their new indexes.
    ///
    /// The stored schema is not written.
    ///
    /// - Parameter schema: The schema that the numbers of the evolution's entities are about.
    /// - Throws: `.uniqueViolation` when values clash that must be unique from now on; errors of the engine.
    func apply(_ evolution: SchemaEvolution, of schema: StoreSchema) throws(DataStoreError)

    /// Calls a body with the rows of some stored entities, to read and to write.
    ///
    /// *Rule:* the body does not end its transaction, and nothing of it is used afterwards.
    ///
    /// - Parameters:
    ///   - schema: The types of the entities, one for each.
    ///   - entities: The stored entities, in the order of the schema's numbers.
    func withRows(
        of schema: StoreSchema, as entities: [StoredSchema.Entity],
        _ body: (any StorageWriting) throws(DataStoreError) -> Void
    ) throws(DataStoreError)
}
