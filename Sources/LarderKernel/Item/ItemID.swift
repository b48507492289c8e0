import LarderPlatform
import struct Foundation.Date

/// The identifier of an item, made by the app itself and final from the start.
///
///     let id = ItemID<Recipe>()
///     print(id)                  // 01HZX8K2M0Q4T
///
/// 63 bits: 41 of milliseconds since 2025, 10 of the process, 12 of a counter. *Rule:* unique within a process, and
/// among the processes that have one store open for writing at the same time, which never share a number. A later
/// process may get the number of one that has closed the store. If that one's clock was ahead, or if the clock was set
/// back since, both may make the same identifier, whose second insert is refused (`.duplicateIdentifier`). Likely but
/// not certain to be unique are those made on two devices, while no store is open, or on a disk without file locks;
/// so stores which will be joined declare `let id: UUID` instead. *Cost:* about 40 ns.
public struct ItemID<Item>: Sendable {
    /// The identifier as a number; greater than any made before it in this process.
    public let rawValue: Int64

    /// Makes a new identifier.
    public init() {
        rawValue = ItemIDGenerator.shared.next()
    }

    /// Makes a new identifier from a custom generator, for tests that need the same ones in every run.
    public init(from generator: ItemIDGenerator) {
        rawValue = generator.next()
    }

    /// The identifier with this number.
    @inlinable
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The identifier with this text form, or nil if the text is not valid.
    public init?(_ text: String) {
        guard let value = ItemIDText.value(of: text) else { return nil }
        self.init(rawValue: value)
    }
}

extension ItemID: Hashable, Comparable {
    @inlinable
    public static func < (left: ItemID, right: ItemID) -> Bool { left.rawValue < right.rawValue }
}

extension ItemID: CustomStringConvertible {
    /// 13 characters of base 32.
    public var description: String { ItemIDText.text(of: rawValue) }
}

extension ItemID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = ItemIDText.value(of: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(text) is not an ItemID")
        }
        self.init(rawValue: value)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ItemID: ItemIdentifier {
    @inlinable
    public static var attributeType: AttributeType { .itemID }

    @inlinable
    public static func decode(_ cell: Cell) -> ItemID? {
        cell.kind == .integer ? ItemID(rawValue: cell.integer) : nil
    }

    @inlinable
    public func encode(in arena: RowArena) throws(DataStoreError) -> Cell { .integer(rawValue) }

    @inlinable public var anyItemID: AnyItemID { .itemID(rawValue) }

    public init?(_ identifier: AnyItemID) {
        guard let value = identifier.number else { return nil }
        self.init(rawValue: value)
    }
}

/// The text form of an ``ItemID``: 13 characters of Crockford's base 32, which sort like the numbers.
@usableFromInline
package enum ItemIDText {
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    package static func text(of value: Int64) -> String {
        let bits = UInt64(bitPattern: value)
        return String(unsafeUninitializedCapacity: 13) { buffer in
            for position in 0..<13 {
                buffer[position] = digits[Int(truncatingIfNeeded: (bits >> (5 * (12 - position))) & 31)]
            }
            return 13
        }
    }

    package static func value(of text: String) -> Int64? {
        guard text.utf8.count == 13 else { return nil }
        var value: UInt64 = 0
        for (position, byte) in text.utf8.enumerated() {
            let upper = byte >= UInt8(ascii: "a") ? byte - 32 : byte
            guard let digit = digits.firstIndex(of: upper), position > 0 || digit < 16 else { return nil }
            value = value << 5 | UInt64(digit)
        }
        return Int64(bitPattern: value)
    }
}

/// Makes the numbers of ``ItemID``s, each greater than the one before.
///
///     let generator = ItemIDGenerator(process: 7) { 1_000 }
///     ItemID<Recipe>(from: generator)        // the same in every run
///
/// *Rule:* may be used from any thread.
public final class ItemIDGenerator: Sendable {
    private struct State {
        var last: UInt64 = 0
        var process: UInt64
    }

    private let state: Locked<State>
    private let milliseconds: @Sendable () -> UInt64

    /// A generator with a custom process number (10 bits) and clock (milliseconds since 2025).
    ///
    /// *Rule:* no other process is kept from the number.
    public init(process: UInt16, milliseconds: @escaping @Sendable () -> UInt64) {
        state = Locked(State(process: UInt64(process & 0x3FF)))
        self.milliseconds = milliseconds
    }

    /// The process-wide generator.
    public static let shared: ItemIDGenerator = {
        // A forked child would otherwise continue with the same numbers as its parent. The lock is taken
        // around the fork, as another thread may hold it, which the child does not have. The handlers name
        // the generator that is made before them, and not this one, whose making the child might wait for.
        pthread_atfork(
            { ItemIDGenerator.processWide.state.lockBeforeFork() },
            { ItemIDGenerator.processWide.state.unlockAfterFork() },
            { ItemIDGenerator.processWide.becomeAnotherProcess() })
        return processWide
    }()

    private static let processWide = ItemIDGenerator(
        process: .random(in: 0...0x3FF), milliseconds: millisecondsSince2025)

    /// The next number: the clock if it has advanced, otherwise one more than the last number.
    public func next() -> Int64 {
        let now = milliseconds()
        return state.withLock { state in
            state.last = max(state.last + 1, now << 12)
            let (time, counter) = (state.last >> 12, state.last & 0xFFF)
            return Int64((time << 22 | state.process << 12 | counter) & 0x7FFF_FFFF_FFFF_FFFF)
        }
    }

    /// The number of the process in the identifiers.
    package var process: UInt16 { state.withLock { UInt16($0.process) } }

    /// Continues with a number that this process has taken, from the next millisecond on: another process may
    /// have used it until now.
    package func take(process: UInt16) {
        let next = milliseconds() + 1
        state.withLock { state in
            state.process = UInt64(process & 0x3FF)
            // With a smaller number, only identifiers of a later millisecond are greater.
            state.last = max(state.last | 0xFFF, (next << 12) - 1)
        }
    }

    /// *Rule:* in a process that was just forked, with the lock held.
    ///
    /// Nothing here may ask Swift's runtime for the metadata of a generic type, as `random(in:)` does: another thread may
    /// have held the runtime's lock at the fork, and the child would wait for it for ever.
    private func becomeAnotherProcess() {
        var generator = SystemRandomNumberGenerator()
        let step: UInt64 = 1 + generator.next() % 0x3FF
        state.unlockInForkedProcess { $0.process = ($0.process + step) & 0x3FF }
    }

    private static func millisecondsSince2025() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let seconds = Int64(now.tv_sec) - 1_735_689_600  // 2025-01-01T00:00:00Z
        return UInt64(max(0, seconds * 1000 + Int64(now.tv_nsec) / 1_000_000))
    }
}
