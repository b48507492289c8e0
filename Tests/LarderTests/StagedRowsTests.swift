import Testing

@testable import LarderChildren

/// The filter of the items that a child has touched.
struct StagedRowsTests {
    @Test(arguments: [(0, 0), (1, 632), (-1, 391), (.max, 903), (.min, 512)] as [(Int64, Int)])
    func `a number has the same bit where an Int has 32 bits`(number: Int64, bit: Int) {
        #expect(StagedRows.bit(of: number, among: Int64(1024)) == bit)
        #expect(StagedRows.bit(of: number, among: Int32(1024)) == bit)
    }
}
