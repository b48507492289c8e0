package import LarderKernel
import LarderPattern

extension StoredSchema.Folding {
    /// The name of the attribute that keeps the folded text.
    package var name: String { AttributeSchema.name(folding: text, matching) }

    /// The flags of the folding as texts write them: `[cd]`.
    package var flags: String { matching.flags }

    /// The folding of a text by the Unicode tables of no process.
    package init(text: String, ignoringCase ignoresCase: Bool, ignoringDiacritics ignoresDiacritics: Bool) {
        self.init(
            text: text,
            matching: TextMatching(ignoringCase: ignoresCase, ignoringDiacritics: ignoresDiacritics))
    }

    /// The number of the Unicode tables of this process.
    package static var ownTables: String { TextFolding.tables }
}

extension EntitySchema {
    /// The stored description of the folding of a column; nil for a column that the app declares.
    package func folding(at column: Int, by tables: String = "") -> StoredSchema.Folding? {
        attributes[column].folded.map {
            StoredSchema.Folding(text: attributes[$0.source].name, matching: $0.matching, tables: tables)
        }
    }
}
