package import LarderKernel
import LarderPattern
import LarderValues

extension EntitySchema {
    /// Refuses a row that no app could read: a value that does not have its attribute's type, or a missing
    /// value.
    ///
    /// - Throws: `.undecodable`, or `.damaged` for a missing value, naming the item and the attribute.
    package func requireDecodable(_ cells: UnsafePointer<Cell>) throws(DataStoreError) {
        for column in attributes.indices where !attributes[column].accepts(cells[column]) {
            throw undecodable(cells[column], at: column, in: cells)
        }
        let identifier = cells[0]
        if identifier.kind == .text, !(1...DataStoreLimits.identifierBytes).contains(Int(identifier.length)) {
            throw undecodable(identifier, at: 0)
        }
    }

    /// Refuses a row whose folded texts are not the ones of its texts; which ones other Unicode tables make is not known.
    ///
    /// - Throws: `.damaged`, naming the item and the attribute.
    func requireFolded(_ cells: UnsafePointer<Cell>) throws(DataStoreError) {
        for column in foldedColumns {
            guard let folded = attributes[column].folded else { continue }
            let (text, kept) = (cells[folded.source], cells[column])
            if text.isNull && kept.isNull { continue }
            if !text.isNull && !kept.isNull {
                let isKnown = attributes[column].isFoldedByOwnTables
                let isSame = { (folded: UnsafeRawBufferPointer) in folded.isEqual(to: kept.bytes) }
                if !isKnown || folded.matching.folding.withFolded(text.bytes, isSame) { continue }
            }
            throw DataStoreError(
                .damaged, "The text and the form of it that is kept for an index differ.",
                advice: """
                    Another tool may have changed the text alone. Give the item another text, and then this one again.
                    """, itemType: name, attribute: attributes[folded.source].propertyName,
                identifier: AnyItemID(cells[0], type: attributes[0].type))
        }
    }
}

extension AttributeSchema {
    /// True if a cell holds a value of the attribute.
    fileprivate func accepts(_ cell: Cell) -> Bool {
        if cell.isNull { return isOptional }
        switch type {
        case .bool: return Bool.decode(cell) != nil
        case .int8: return Int8.decode(cell) != nil
        case .int16: return Int16.decode(cell) != nil
        case .int32: return Int32.decode(cell) != nil
        case .uint8: return UInt8.decode(cell) != nil
        case .uint16: return UInt16.decode(cell) != nil
        case .uint32: return UInt32.decode(cell) != nil
        case .int64, .uint64, .itemID: return cell.kind == .integer
        case .float: return cell.kind == .real && Float(exactly: cell.real) != nil
        case .double, .date: return cell.kind == .real && !cell.real.isNaN
        case .string: return cell.kind == .text && cell.bytes.isUTF8
        case .json: return cell.kind == .text && cell.bytes.isUTF8 && JSONText.isValid(cell.bytes)
        case .url, .decimal: return cell.kind == .text && cell.bytes.isUTF8 && cell.value(of: type) != nil
        case .data: return cell.kind == .blob
        case .uuid: return cell.kind == .blob && cell.length == 16
        }
    }
}

extension UnsafeRawBufferPointer {
    /// True if the bytes are text.
    fileprivate var isUTF8: Bool {
        // Most texts are ASCII; only others are decoded.
        if allSatisfy({ $0 < 0x80 }) { return true }
        var decoder = UTF8()
        var iterator = makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue: continue
            case .emptyInput: return true
            case .error: return false
            }
        }
    }
}

extension AttributeSchema {
    /// True unless other Unicode tables than this process's have folded the stored texts.
    ///
    /// Others have if a tool inspects a store, or the app does not know the type: nothing is folded again then.
    fileprivate var isFoldedByOwnTables: Bool { foldingTables.isEmpty || foldingTables == TextFolding.tables }
}
