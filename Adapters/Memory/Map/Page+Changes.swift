import LarderKernel

extension Page {
    /// The size of an entry with these lengths.
    static func bytesNeeded(key: MapKey, valueLength: Int) -> Int {
        MemoryLayout<Entry>.stride + key.bytes.count + valueLength
    }

    /// True if an entry fits, at least after ``compact()``.
    func hasRoom(for needed: Int) -> Bool {
        freeBytes + Int(header.pointee.unused) >= needed
    }

    /// Adds an entry before the one that is at this place now.
    ///
    /// *Rule:* there must be room for it.
    func insert(_ key: MapKey, _ value: UnsafeRawBufferPointer, isLarge: Bool, at index: Int) {
        if freeBytes < Self.bytesNeeded(key: key, valueLength: value.count) { compact() }
        let tail = entries + index
        (tail + 1).update(from: tail, count: count - index)
        let offset = place(key.bytes, value)
        tail.pointee = Entry(
            head: key.head, offset: offset, keyLength: UInt16(key.bytes.count),
            valueLength: UInt16(value.count), isLarge: isLarge)
        header.pointee.count += 1
    }

    /// Replaces the value of an entry, unless there is no room for the new one.
    func replaceValue(at index: Int, by value: UnsafeRawBufferPointer, isLarge: Bool) -> Bool {
        let entry = entries[index]
        if value.count == Int(entry.valueLength) {
            (base + Int(entry.offset) + Int(entry.keyLength)).copyMemory(from: value)
            entries[index].isLarge = isLarge
            return true
        }
        let (key, length) = (key(at: index), Int(entry.keyLength) + value.count)
        guard freeBytes + Int(header.pointee.unused) + entry.length >= length else { return false }
        if freeBytes >= length {
            entries[index].offset = place(key.bytes, value)
            header.pointee.unused += UInt16(entry.length)
        } else {
            withCopy(of: key.bytes) { bytes in
                remove(at: index)
                insert(MapKey(head: key.head, bytes: bytes), value, isLarge: isLarge, at: index)
            }
        }
        entries[index].valueLength = UInt16(value.count)
        entries[index].isLarge = isLarge
        return true
    }

    func setChild(_ child: Page, at index: Int) {
        let entry = entries[index]
        (base + Int(entry.offset) + Int(entry.keyLength)).storeBytes(
            of: child.base, as: UnsafeMutableRawPointer.self)
    }

    func remove(at index: Int) {
        header.pointee.unused += UInt16(entries[index].length)
        let place = entries + index
        place.update(from: place + 1, count: count - index - 1)
        header.pointee.count -= 1
    }

    /// Removes all entries from this one on.
    func truncate(to count: Int) {
        for index in count..<self.count { header.pointee.unused += UInt16(entries[index].length) }
        header.pointee.count = UInt16(count)
    }

    /// Becomes a copy of another page.
    func copyContents(of other: Page) {
        let start = Int(other.header.pointee.bytesStart)
        base.copyMemory(from: other.base, byteCount: start - other.freeBytes)
        (base + start).copyMemory(from: other.base + start, byteCount: Self.size - start)
    }

    /// Adds copies of another page's entries after the last.
    func append(_ range: Range<Int>, of other: Page) {
        for index in range {
            insert(
                other.key(at: index), other.storedValue(at: index), isLarge: other.entries[index].isLarge,
                at: count)
        }
    }

    /// Brings the bytes together, so that all that is free is in one piece.
    func compact() {
        withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 16) { copy in
            copy.copyMemory(from: UnsafeRawBufferPointer(start: base, count: Self.size))
            var start = Self.size
            for index in 0..<count {
                let entry = entries[index]
                start -= entry.length
                let bytes = UnsafeRawBufferPointer(rebasing: copy[Int(entry.offset)...].prefix(entry.length))
                (base + start).copyMemory(from: bytes)
                entries[index].offset = UInt16(start)
            }
            header.pointee.bytesStart = UInt16(start)
            header.pointee.unused = 0
        }
    }

    /// Copies key and value to the free bytes and returns where they are.
    private func place(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> UInt16 {
        let start = Int(header.pointee.bytesStart) - key.count - value.count
        (base + start).copyMemory(from: key)
        (base + start + key.count).copyMemory(from: value)
        header.pointee.bytesStart = UInt16(start)
        return UInt16(start)
    }

    /// Calls the body with the bytes in memory of their own.
    private func withCopy(of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: max(1, bytes.count), alignment: 1) { copy in
            copy.copyMemory(from: bytes)
            body(UnsafeRawBufferPointer(rebasing: copy[..<bytes.count]))
        }
    }
}

extension UnsafeMutableRawPointer {
    fileprivate func copyMemory(from bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { copyMemory(from: start, byteCount: bytes.count) }
    }
}
