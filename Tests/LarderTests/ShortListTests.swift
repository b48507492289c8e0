import Larder
import Testing

@testable import LarderKernel

/// The list whose first element is kept inline, and columns that are taken out of a set again.
struct ShortListTests {
    @Test func `elements are kept in order, and the first that fits is changed`() {
        var list = ShortList<(key: Int, values: [String])>()
        func values() -> [[String]] {
            var values: [[String]] = []
            list.forEach { values.append($0.values) }
            return values
        }
        func change(_ key: Int, to value: String) -> Bool {
            list.change(where: { $0.key == key }, { $0.values.append(value) })
        }
        let changedNone = change(3, to: "none")
        #expect(list.isEmpty)
        #expect(!changedNone)

        for key in [3, 5, 7, 5] { list.append((key, ["\(key)"])) }
        #expect(!list.isEmpty)
        let changed = [change(3, to: "first"), change(5, to: "second"), change(4, to: "none")]

        #expect(changed == [true, true, false])
        #expect(values() == [["3", "first"], ["5", "second"], ["7"], ["5"]])
        #expect([3, 5, 7, 4].map { key in list.contains { $0.key == key } } == [true, true, true, false])
    }

    @Test func `a column that is taken out of a set is not in it`() {
        var columns = ColumnSet([0, 63, 64, 130])
        for column in [63, 130, 1, 129, 1000] { columns.remove(column) }
        #expect(Array(columns) == [0, 64])
        #expect(!columns.intersects(ColumnSet([63, 130])))
        columns.remove(64)
        #expect(columns.intersects(ColumnSet([0, 64])))
        columns.remove(0)
        #expect(columns.isEmpty)
    }
}
