import LarderKernel

/// The tables of a store, with the dialect in which statements about them are written.
package struct SQLCatalog: Sendable {
    /// All tables, by the number of their entity.
    package let tables: [EntityTable]
    package let dialect: any SQLDialect
    /// True if the engine can call the core's own filter, so that no part of a plan is left to the core.
    package let callsCore: Bool

    package init(_ tables: [EntityTable], _ dialect: any SQLDialect) {
        self.tables = tables
        self.dialect = dialect
        callsCore = dialect.coreFilter != nil
    }

    package subscript(entity: Int) -> EntityTable { tables[entity] }
}
