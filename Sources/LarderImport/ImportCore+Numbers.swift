import LarderKernel

// MARK: Sources by their numbers

extension ImportCore {
    /// The same map for the numbers of the sources in a list.
    ///
    /// So an import is compiled once, for numbers. For a type that only the caller knows, Swift asks in each step how its
    /// values are copied, which took half of the time that an import adds to the engine's.
    ///
    /// *Rule:* used by one call, on the thread of its block.
    func reading(_ sources: [Source]) -> ImportCore<Int> {
        // reason for unsafe: sources need not be Sendable; they stay on the thread of the block.
        nonisolated(unsafe) let sources = sources
        let source: @Sendable (Int) -> Source = { sources[$0] }
        var core = ImportCore<Int>(
            self, keys: keys.map { $0.reading(source) }, fields: fields.map { $0.reading(source) })
        if let make { core.make = { try make(source($0), $1) } }
        if let shouldInsert { core.shouldInsert = { try shouldInsert(source($0)) } }
        if let shouldUpdate { core.shouldUpdate = { try shouldUpdate($0, source($1)) } }
        if let didImport { core.didImport = { didImport(source($0)) } }
        return core
    }
}

extension ImportKeyColumn {
    fileprivate func reading(_ source: @escaping @Sendable (Int) -> Source) -> ImportKeyColumn<Int> {
        guard let value else { return ImportKeyColumn<Int>(column, nil) }
        return ImportKeyColumn<Int>(column) { try value(source($0), $1) }
    }
}

extension ImportField {
    fileprivate func reading(_ source: @escaping @Sendable (Int) -> Source) -> ImportField<Int> {
        let target: ImportField<Int>.Target =
            switch target {
            case .column(let column, let value): .column(column) { try value(source($0), $1) }
            case .reference(let column, let make):
                .reference(column) { number in make { source(number($0)) } }
            case .items(let number, let items, let make):
                .items(number, items) { number in make { source(number($0)) } }
            }
        return ImportField<Int>(
            target, name: name, reaching: reached, relinking: relinked, referringTo: referred,
            showsRows: showsRows)
    }
}
