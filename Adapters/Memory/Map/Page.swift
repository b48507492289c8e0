import LarderKernel

/// The memory of one node: entries in the order of their keys, followed by the bytes of keys and values.
///
/// | part | content |
/// |---|---|
/// | header, 16 bytes | number of entries, start of the bytes, number of bytes no longer used |
/// | entries, 16 bytes each | the key's head, the position of its bytes, lengths of key and value |
/// | free | |
/// | bytes | of each entry its key, then its value; filled from the end |
///
/// The value of an entry in a branch is the address of the child's page, so that reading goes from page to
/// page and touches no object. *Rule:* a page that others can see is never changed. Valid as long as its
/// ``Node``.
struct Page {
    // reason: one block of `size` bytes, owned by a `Node`, which frees it; every offset in it is written by
    // the code of this folder only and checked by `OrderedMap.checkInvariants`.
    let base: UnsafeMutableRawPointer

    /// The bytes of every page.
    static let size = 8192
    /// The space of a page for entries and bytes.
    static let room = size - headerSize
    private static let headerSize = MemoryLayout<Header>.stride

    struct Header {
        var count: UInt16 = 0
        /// The offset of the first byte of keys and values.
        var bytesStart: UInt16
        /// The number of bytes that no longer belong to an entry.
        var unused: UInt16 = 0
        // Makes the header as large as an entry.
        private var reserved: UInt64 = 0

        init(bytesStart: UInt16) {
            self.bytesStart = bytesStart
        }
    }

    struct Entry {
        var head: UInt64
        var offset: UInt16
        var keyLength: UInt16
        var valueLength: UInt16
        /// True if the value is an address and a length, of a ``LargeValue``.
        var isLarge: Bool

        /// The bytes it takes, without the entry itself.
        var length: Int { Int(keyLength) + Int(valueLength) }
    }

    static func allocate() -> Page {
        let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        base.bindMemory(to: Header.self, capacity: 1).initialize(
            to: Header(bytesStart: UInt16(size)))
        (base + headerSize).bindMemory(to: Entry.self, capacity: room / MemoryLayout<Entry>.stride)
        return Page(base: base)
    }

    func deallocate() {
        base.deallocate()
    }

    var header: UnsafeMutablePointer<Header> { base.assumingMemoryBound(to: Header.self) }

    var entries: UnsafeMutablePointer<Entry> {
        (base + Self.headerSize).assumingMemoryBound(to: Entry.self)
    }

    var count: Int { Int(header.pointee.count) }

    /// The bytes that entries, keys and values take.
    var usedBytes: Int {
        count * MemoryLayout<Entry>.stride + Self.size - Int(header.pointee.bytesStart)
            - Int(header.pointee.unused)
    }

    /// The bytes between the entries and what they point to.
    var freeBytes: Int {
        Int(header.pointee.bytesStart) - Self.headerSize - count * MemoryLayout<Entry>.stride
    }

    /// The key of an entry.
    func key(at index: Int) -> MapKey {
        let entry = entries[index]
        return MapKey(
            head: entry.head,
            bytes: UnsafeRawBufferPointer(start: base + Int(entry.offset), count: Int(entry.keyLength)))
    }

    /// The bytes of an entry's value, in the page.
    func storedValue(at index: Int) -> UnsafeRawBufferPointer {
        let entry = entries[index]
        return UnsafeRawBufferPointer(
            start: base + Int(entry.offset) + Int(entry.keyLength), count: Int(entry.valueLength))
    }

    /// The value of an entry, wherever it is.
    func value(at index: Int) -> UnsafeRawBufferPointer {
        let stored = storedValue(at: index)
        return entries[index].isLarge ? LargeValue.bytes(at: stored) : stored
    }

    /// The page of a child.
    func child(at index: Int) -> Page {
        let entry = entries[index]
        let address = base + Int(entry.offset) + Int(entry.keyLength)
        return Page(base: address.loadUnaligned(as: UnsafeMutableRawPointer.self))
    }

    /// The position of the key among the entries from a first one on, or the position at which it would be.
    func position(of key: MapKey, from first: Int = 0) -> (index: Int, isFound: Bool) {
        var (low, high) = (first, count)
        let entries = entries
        var middle = max(first, guess(for: key.head))
        while low < high {
            let head = entries[middle].head
            if head == key.head {
                let order = key.bytes.isEmpty ? 0 : self.key(at: middle).bytes.order(to: key.bytes)
                if order == 0 { return (middle, true) }
                if order < 0 { low = middle + 1 } else { high = middle }
            } else if head < key.head {
                low = middle + 1
            } else {
                high = middle
            }
            middle = (low + high) / 2
        }
        return (low, false)
    }

    /// The position of a key if the keys of the page are evenly spread, as identifiers often are.
    private func guess(for head: UInt64) -> Int {
        let last = count - 1
        guard last > 0 else { return 0 }
        let (lowest, highest) = (entries[0].head, entries[last].head)
        guard lowest < head, head < highest else { return head <= lowest ? 0 : last }
        return Int(Double(head - lowest) / Double(highest - lowest) * Double(last))
    }

    /// The child of a branch that may contain the key.
    ///
    /// The first child holds all that comes before the second, whatever its own entry says: that may be
    /// greater once the children before it have gone.
    func childIndex(for key: MapKey) -> Int {
        let (index, isFound) = position(of: key, from: 1)
        return isFound ? index : index - 1
    }
}
