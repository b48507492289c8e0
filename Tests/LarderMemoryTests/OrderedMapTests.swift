import LarderKeyValue
import Testing

@testable import LarderMemory
@testable import AdapterTestSupport

@Suite struct OrderedMapTests {
    @Test(arguments: [KeyKind.integer, .bytes], [30, 1000, 20_000])
    func `after random changes the map is what a dictionary is`(keys: KeyKind, changes: Int) throws {
        var random = Seed.ofProcess()
        var model = MapModel(keys: keys)
        let keySpace = changes / 4 + 1
        for change in 0..<changes {
            let key = randomKey(keys, below: keySpace, using: &random)
            // Grows, then shrinks, so that nodes are split and joined.
            let removes = change < changes / 2 ? 0.25 : 0.75
            if Double.random(in: 0..<1, using: &random) < removes {
                let wasThere = model.expected[key] != nil
                let isRemoved = model.remove(key)
                #expect(isRemoved == wasThere)
            } else {
                let isNew = model.expected[key] == nil
                let overwrites = Bool.random(using: &random)
                let isKept = model.put(randomValue(using: &random), at: key, overwrites: overwrites)
                #expect(isKept == (isNew || overwrites))
            }
            if change % (changes / 10) == 0 { #expect(model.map.checkInvariants() == []) }
        }

        #expect(model.map.checkInvariants() == [])
        #expect(model.map.count == model.expected.count)
        let sorted = model.sorted
        #expect(try model.entries() == sorted)
        #expect(try model.entriesBackwards() == sorted.reversed())
        for key in model.expected.keys.prefix(500) { #expect(model.value(at: key) == model.expected[key]) }
        for _ in 0..<200 {
            let key = randomKey(keys, below: keySpace, using: &random)
            let probe = Entry(key: key, value: [])
            #expect(try model.entry(notBefore: key) == sorted.first { !$0.isBefore(probe, keys) })
        }
    }

    @Test func `a large value in place of a small one in a full page is kept once`() {
        var model = MapModel(keys: .integer)
        for number in 0..<2000 { _ = model.put([1], at: integerKey(UInt64(number))) }

        for number in 10..<20 {
            _ = model.put([UInt8](repeating: 2, count: 20_000), at: integerKey(UInt64(number)))
            #expect(model.map.checkInvariants() == [])
        }
    }

    @Test(arguments: [KeyKind.integer, .bytes])
    func `removing everything leaves nothing`(keys: KeyKind) throws {
        var random = Seed.ofProcess()
        var model = MapModel(keys: keys)
        for _ in 0..<5000 {
            _ = model.put(randomValue(using: &random), at: randomKey(keys, below: 4000, using: &random))
        }

        for (step, key) in model.expected.keys.shuffled(using: &random).enumerated() {
            let isRemoved = model.remove(key)
            #expect(isRemoved)
            if step % 500 == 0 { #expect(model.map.checkInvariants() == []) }
        }

        #expect(model.map.root == nil)
        #expect(model.map.count == 0)
        #expect(try model.entries() == [])
    }

    @Test func `copies do not see each other's changes`() throws {
        var random = Seed.ofProcess()
        var model = MapModel(keys: .integer)
        var copies: [MapModel] = []
        for step in 0..<4000 {
            let key = randomKey(.integer, below: 1500, using: &random)
            if Int.random(in: 0...3, using: &random) == 0 {
                _ = model.remove(key)
            } else {
                _ = model.put(randomValue(using: &random), at: key)
            }
            if step % 200 == 0 { copies.append(model) }
        }

        for copy in copies {
            #expect(copy.map.checkInvariants() == [])
            #expect(try copy.entries() == copy.sorted)
        }
    }

    @Test func `a cursor keeps seeing the map it was made over`() throws {
        var model = MapModel(keys: .integer)
        for number in 0..<1000 { _ = model.put([1], at: integerKey(UInt64(number))) }
        let cursor = MemoryCursor(over: model.map)
        var entry = KeyValueEntry()
        var seen = 0
        var isFound = try cursor.first(&entry)

        while isFound {
            #expect(Array(entry.value) == [1])
            _ = model.remove(integerKey(UInt64(999 - seen)))
            _ = model.put([2], at: integerKey(UInt64(seen + 2000)))
            seen += 1
            isFound = try cursor.next(&entry)
        }

        #expect(seen == 1000)
        #expect(model.map.count == 1000)
    }

    @Test(arguments: [true, false])
    func `a cursor gives several entries at once, over the ends of pages`(isAscending: Bool) throws {
        var model = MapModel(keys: .integer)
        for number in 0..<3000 {
            _ = model.put([UInt8](repeating: 1, count: number % 50), at: integerKey(UInt64(number)))
        }
        let cursor = MemoryCursor(over: model.map)
        var entries = [KeyValueEntry](repeating: KeyValueEntry(), count: 64)
        var random = Seed.ofProcess()

        #expect(try isAscending ? cursor.first(&entries[0]) : cursor.last(&entries[0]))
        var read = [Int(entries[0].key.loadUnaligned(as: UInt64.self))]
        var (wanted, count) = (1, 1)
        while count == wanted {
            wanted = Int.random(in: 1...64, using: &random)
            count = try entries.withUnsafeMutableBufferPointer {
                try cursor.next(.init(rebasing: $0[..<wanted]), isAscending: isAscending)
            }
            for entry in entries.prefix(count) {
                read.append(Int(entry.key.loadUnaligned(as: UInt64.self)))
                #expect(entry.value.count == read[read.count - 1] % 50)
            }
        }

        #expect(read == (isAscending ? Array(0..<3000) : Array((0..<3000).reversed())))
    }

    @Test func `keys loaded in order fill their pages`() {
        var model = MapModel(keys: .integer)
        let value = [UInt8](repeating: 7, count: 84)

        for number in 0..<10_000 { _ = model.put(value, at: integerKey(UInt64(number))) }

        // 100 bytes each, in pages that take 8176.
        #expect(model.map.checkInvariants() == [])
        #expect(leafCount(of: model.map) == 124)
        #expect(model.map.height == 3)
    }

    @Test func `a page is copied once for the changes between two snapshots`() {
        var map = OrderedMap(keys: .integer)
        for number in 0..<1000 { put(1, at: UInt64(number), in: &map) }
        let snapshot = map

        put(2, at: 500, in: &map)
        // Identifiers, as holding the node would make it shared.
        let copied = map.root.map(ObjectIdentifier.init)
        put(3, at: 501, in: &map)

        #expect(map.root.map(ObjectIdentifier.init) == copied)
        #expect(snapshot.root.map(ObjectIdentifier.init) != copied)
        #expect(integerKey(500).withUnsafeBytes { snapshot.value(at: $0)?.first } == 1)
        #expect(integerKey(501).withUnsafeBytes { map.value(at: $0)?.first } == 3)
    }

    @Test func `values of any size are kept, in the page and outside`() {
        var model = MapModel(keys: .bytes)
        let sizes = [0, 1, 1023, 1024, 1025, 8192, 1_000_000]

        for (number, size) in sizes.enumerated() {
            _ = model.put([UInt8](repeating: UInt8(number), count: size), at: Array("k\(number)".utf8))
        }
        let copy = model
        for number in sizes.indices {
            let size = sizes[sizes.count - 1 - number]
            _ = model.put([UInt8](repeating: 9, count: size), at: Array("k\(number)".utf8))
        }

        for number in sizes.indices {
            let key = Array("k\(number)".utf8)
            #expect(copy.value(at: key) == [UInt8](repeating: UInt8(number), count: sizes[number]))
            #expect(model.value(at: key)?.count == sizes[sizes.count - 1 - number])
        }
        #expect(model.map.checkInvariants() == [])
        #expect(copy.map.checkInvariants() == [])
    }

    @Test func `a tree of many levels grows and shrinks in the middle`() throws {
        // The longest keys and the largest values in pages: few to a page, so many levels.
        var random = Seed.ofProcess()
        var model = MapModel(keys: .bytes)
        let value = [UInt8](repeating: 1, count: 1024)
        for number in 0..<2500 { _ = model.put(value, at: longKey(number)) }
        #expect(model.map.height == 4)

        // Whole runs go, so that first children of branches go, and a few keys come back in their place.
        for step in 0..<150 {
            let start = Int.random(in: 0..<2500, using: &random)
            let run = start..<(start + Int.random(in: 5...120, using: &random))
            for number in run { _ = model.remove(longKey(number)) }
            for _ in 0..<5 {
                _ = model.put(value, at: longKey(Int.random(in: run, using: &random)))
            }
            if step % 5 == 0 { #expect(model.map.checkInvariants() == []) }
        }

        #expect(model.map.checkInvariants() == [])
        #expect(try model.entries() == model.sorted)
    }

    private func longKey(_ number: Int) -> [UInt8] {
        [UInt8](repeating: 0x61, count: 505) + Array("000000\(number)".utf8.suffix(6))
    }

    private func put(_ value: UInt8, at key: UInt64, in map: inout OrderedMap) {
        let key = integerKey(key)
        _ = [value].withUnsafeBytes { value in
            key.withUnsafeBytes { map.put(value, at: $0, overwrites: true) }
        }
    }

    private func leafCount(of map: OrderedMap) -> Int {
        func count(_ node: Node) -> Int { node.isLeaf ? 1 : node.children.reduce(0) { $0 + count($1) } }
        return map.root.map(count) ?? 0
    }

    private func randomKey(
        _ keys: KeyKind, below limit: Int, using random: inout Seed
    ) -> [UInt8] {
        let number = UInt64(Int.random(in: 0..<limit, using: &random))
        switch keys {
        // Some far apart, so that no guess at a position is right.
        case .integer: return integerKey(number % 3 == 0 ? number << 40 : number)
        // Prefixes of each other, zeros at the end, and tails behind the same 8 bytes.
        case .bytes:
            let text = String(number, radix: 3)
            switch number % 4 {
            case 0: return Array(text.utf8)
            case 1: return Array(text.utf8) + [0]
            case 2: return Array("aaaaaaaa\(text)".utf8)
            default: return Array("aaaaaaa".utf8) + [0] + Array(text.utf8)
            }
        }
    }

    private func randomValue(using random: inout Seed) -> [UInt8] {
        let isLarge = Int.random(in: 0..<60, using: &random) == 0
        let count = Int.random(in: isLarge ? 1000...3000 : 0...120, using: &random)
        return [UInt8](repeating: .random(in: 0...255, using: &random), count: count)
    }
}
