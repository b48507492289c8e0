import Larder
import Testing

@testable import LarderConformance
@testable import LarderImport

/// Which imports look up hundreds of sources at once.
struct ImportBatchTests {
    @Test func `two lists of items by a key, of one type, are taken in batches`() {
        let map = ImportMap<Person, [Int64]>(by: \.id, from: { ItemID<Person>(rawValue: $0[0]) }) {
            Import(\.books, by: \.id, from: { [$0[1]] })
            Import(\.edited, by: \.id, from: { [$0[2]] })
        }

        #expect(!map.core.takesOneByOne)
    }
}
