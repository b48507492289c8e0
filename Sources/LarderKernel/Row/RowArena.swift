/// Memory for the text and bytes of rows: only ever grows at its end, never moves, is emptied at once.
///
/// *Rule:* used by one thread at a time. Addresses stay valid until ``reset()``.
public final class RowArena {
    // Chunks never move, so cells may point into them; only the first is kept by a reset. reason for
    // unchecked: used by one thread at a time and never while another access to it runs; the checks cost as
    // much as copying a short text.
    @exclusivity(unchecked) @usableFromInline var cursor: UnsafeMutableRawPointer
    @exclusivity(unchecked) @usableFromInline var end: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var chunks: [UnsafeMutableRawBufferPointer] = []
    /// The size of its memory.
    @exclusivity(unchecked) @usableFromInline package private(set) var byteCount = 0
    private let chunkBytes: Int

    /// The size of a chunk that is kept for a later request.
    private static let mostKeptBytes = 64 << 10
    /// The largest value that can be stored: 512 MiB.
    @usableFromInline static let maximumValueBytes = 512 * 1024 * 1024

    /// - Parameter chunkBytes: The size of each allocation, beginning with the first value that needs memory.
    public init(chunkBytes: Int = 64 * 1024) {
        self.chunkBytes = chunkBytes
        (cursor, end) = (Self.nowhere, Self.nowhere)
    }

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }

    /// Forgets everything that was copied; cells that point here become invalid.
    public func reset() {
        guard let first = chunks.first, let start = first.baseAddress else { return }
        while chunks.count > 1, let last = chunks.popLast() { last.deallocate() }
        (cursor, end, byteCount) = (start, start + first.count, first.count)
    }

    /// Forgets everything, and frees memory that only a large value has needed.
    ///
    /// For an arena that stays with a plan: a reset alone keeps the first chunk, whatever its size.
    package func forget() {
        reset()
        guard let first = chunks.first, first.count > max(chunkBytes, Self.mostKeptBytes) else { return }
        first.deallocate()
        (chunks, byteCount, cursor, end) = ([], 0, Self.nowhere, Self.nowhere)
    }

    // reason: an address that is never read or written, as there is no room at it; 16 is not nil.
    private static var nowhere: UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
    }

    /// Copies bytes and returns where they are now.
    @inlinable
    public func copy(_ bytes: UnsafeRawBufferPointer) throws(DataStoreError) -> UnsafeRawBufferPointer {
        try reserve(bytes.count)
        return append(bytes)
    }

    /// Sees to it that bytes of this number can be appended.
    @inlinable
    func reserve(_ count: Int) throws(DataStoreError) {
        if count > end - cursor { try makeRoom(for: count) }  // even if aligning went past the end
    }

    /// Copies bytes for which room was reserved.
    @inlinable
    func append(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let start = cursor
        if let source = bytes.baseAddress { start.copyMemory(from: source, byteCount: bytes.count) }
        cursor = start + bytes.count
        return UnsafeRawBufferPointer(start: start, count: bytes.count)
    }

    @usableFromInline
    func makeRoom(for count: Int) throws(DataStoreError) {
        guard count <= Self.maximumValueBytes else {
            throw DataStoreError(
                .valueTooLarge,
                "A value of \(count) bytes is larger than the \(Self.maximumValueBytes) bytes that fit.")
        }
        let chunk = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(chunkBytes, count), alignment: 16)
        chunks.append(chunk)
        byteCount += chunk.count
        cursor = chunk.baseAddress.unsafelyUnwrapped
        end = cursor + chunk.count
    }
}

extension RowArena {
    /// Room for the cells of one row, empty.
    @usableFromInline
    package func makeCells(_ count: Int) throws(DataStoreError) -> UnsafeMutablePointer<Cell> {
        let bytes = count * MemoryLayout<Cell>.stride
        cursor = cursor.alignedUp(for: Cell.self)
        if bytes > end - cursor { try makeRoom(for: bytes) }
        let cells = cursor.bindMemory(to: Cell.self, capacity: count)
        cells.initialize(repeating: .null, count: count)
        cursor += bytes
        return cells
    }
}

extension RowArena {
    /// The same value, with its text or bytes here.
    package func copy(_ cell: Cell) throws(DataStoreError) -> Cell {
        switch cell.kind {
        case .null, .integer, .real: cell
        case .text: .text(try copy(cell.bytes))
        case .blob: .blob(try copy(cell.bytes))
        }
    }

    /// Copies the cells of a row, with their text and bytes, to cells of the arena.
    package func copy(
        _ cells: UnsafePointer<Cell>, to copy: UnsafeMutablePointer<Cell>, _ width: Int
    ) throws(DataStoreError) {
        for column in 0..<width { copy[column] = try self.copy(cells[column]) }
    }

    /// A copy of a row, with its text and bytes, here.
    package func copy(
        row cells: UnsafePointer<Cell>, _ width: Int
    ) throws(DataStoreError) -> UnsafeMutablePointer<Cell> {
        let copy = try makeCells(width)
        try self.copy(cells, to: copy, width)
        return copy
    }

    /// The constant as a cell, with its text or bytes here.
    package func cell(of constant: Constant) throws(DataStoreError) -> Cell {
        try constant.withCell { cell throws(DataStoreError) in try copy(cell) }
    }
}
