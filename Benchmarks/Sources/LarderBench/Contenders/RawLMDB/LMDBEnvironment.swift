import CLMDBRaw

extension OpaquePointer {
    /// Address space only: as much as the largest run needs.
    private static let mapBytes = 64 << 30

    /// Opens a file, or makes it.
    static func environment(at path: String, durability: Durability, tableCount: UInt32) throws
        -> OpaquePointer
    {
        var created: OpaquePointer?
        try LMDBFailure.check(mdb_env_create(&created))
        guard let environment = created else { throw LMDBFailure(code: MDB_PANIC) }
        do {
            try LMDBFailure.check(mdb_env_set_mapsize(environment, mapBytes))
            try LMDBFailure.check(mdb_env_set_maxdbs(environment, tableCount))
            let flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | durability.flag)
            try LMDBFailure.check(mdb_env_open(environment, path, flags, 0o600))
        } catch {
            mdb_env_close(environment)
            throw error
        }
        return environment
    }
}

extension MDB_dbi {
    static func table(_ name: String, flags: Int32, in transaction: OpaquePointer) throws -> MDB_dbi {
        var table: MDB_dbi = 0
        try LMDBFailure.check(mdb_dbi_open(transaction, name, UInt32(flags), &table))
        return table
    }
}

extension Durability {
    /// The setting of Larder's adapter for the same durability.
    fileprivate var flag: Int32 {
        switch self {
        case .normal: MDB_NOSYNC
        case .full: 0
        }
    }
}
