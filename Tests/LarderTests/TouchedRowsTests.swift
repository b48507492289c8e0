import Larder
import Testing

@Suite struct `The rows that mutations touch` {
    @Test func `are one for each unless it is said otherwise`() {
        var touched = TouchedRows()
        touched.addOne(forEachOf: 3)
        touched.add(1)

        #expect(touched.count == 4)
        #expect((0..<4).map { touched[$0] } == [1, 1, 1, 1])
    }

    @Test func `are told by position where some touch none or several`() {
        var touched = TouchedRows()
        let rows = [1, 0, 1, 1, 7, 0, 0, 1, 2]
        for count in rows { touched.add(count) }

        #expect(touched.count == 13)
        #expect(rows.indices.map { touched[$0] } == rows)
    }
}
