#if os(Linux)
    import CSQLite
    import LarderPlatform

    /// SQLite's calls for a file, with one of ours for the index of its log, which is in memory that processes share.
    ///
    /// SQLite makes the index longer by one byte in each 4096, and then writes to the memory. On a disk with smaller
    /// blocks that is full, the first write to a page whose other blocks lack space ends the process. So each
    /// part of the index gets its space as soon as it is in memory, or is refused. If the system does not
    /// know the call (Linux before 5.14), nothing changes.
    enum SecuredLogIndex {
        private static let originalOffset = MemoryLayout<sqlite3_io_methods>.stride

        /// Takes the place of the calls of a file that has such an index, until SQLite closes it.
        static func install(in file: UnsafeMutablePointer<sqlite3_file>) {
            guard let original = file.pointee.pMethods, original.pointee.iVersion >= 2,
                original.pointee.xShmMap != nil, original.pointee.xClose != nil
            else { return }
            // reason: SQLite keeps the address. First come the calls, and then the address of SQLite's own.
            let methods = UnsafeMutableRawPointer.allocate(
                byteCount: originalOffset + MemoryLayout<UnsafeRawPointer>.size,
                alignment: MemoryLayout<sqlite3_io_methods>.alignment)
            methods.storeBytes(
                of: UnsafeRawPointer(original), toByteOffset: originalOffset, as: UnsafeRawPointer.self)
            let calls = methods.bindMemory(to: sqlite3_io_methods.self, capacity: 1)
            calls.initialize(to: original.pointee)
            calls.pointee.xShmMap = { file, part, byteCount, extends, address in
                SecuredLogIndex.map(file, part, byteCount, extends, address)
            }
            calls.pointee.xClose = { SecuredLogIndex.close($0) }
            file.pointee.pMethods = UnsafePointer(calls)
        }

        private static func original(
            of methods: UnsafePointer<sqlite3_io_methods>
        ) -> UnsafePointer<sqlite3_io_methods> {
            UnsafeRawPointer(methods).load(
                fromByteOffset: originalOffset, as: UnsafePointer<sqlite3_io_methods>.self)
        }

        /// A connection is closed later than it was asked to be while a statement of it exists.
        private static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
            guard let methods = file?.pointee.pMethods, let close = original(of: methods).pointee.xClose
            else {
                return SQLITE_MISUSE
            }
            defer { UnsafeRawPointer(methods).deallocate() }
            return close(file)
        }

        private static func map(
            _ file: UnsafeMutablePointer<sqlite3_file>?, _ part: Int32, _ byteCount: Int32, _ extends: Int32,
            _ address: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Int32 {
            guard let address, let methods = file?.pointee.pMethods,
                let map = original(of: methods).pointee.xShmMap
            else { return SQLITE_MISUSE }
            let code = map(file, part, byteCount, extends, address)
            guard code == SQLITE_OK, let start = address.pointee else { return code }
            if hasSpace(start, Int(byteCount)) { return SQLITE_OK }
            // Asked for again, it is secured again.
            address.pointee = nil
            return SQLITE_FULL
        }

        /// Has the system prepare pages for writing, which changes nothing in them; false if space is missing.
        private static func hasSpace(_ start: UnsafeMutableRawPointer, _ byteCount: Int) -> Bool {
            let pageBytes = UInt(sysconf(Int32(_SC_PAGESIZE)))
            let lead = Int(UInt(bitPattern: start) % pageBytes)
            return madvise(start - lead, byteCount + lead, populateWrite) == 0 || errno != EFAULT
        }

        /// `MADV_POPULATE_WRITE`, which older headers lack.
        private static let populateWrite: Int32 = 23
    }
#endif
