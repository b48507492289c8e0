import LarderKernel
import Testing

struct ChunksTests {
    @Test func `chunks are slices in order, the last of which may be shorter`() {
        let numbers = Array(1...7)
        func lengths(_ count: Int) -> [Int] { numbers.chunks(ofCount: count).map(\.count) }

        #expect(numbers.chunks(ofCount: 3).map { Array($0) } == [[1, 2, 3], [4, 5, 6], [7]])
        #expect(numbers.dropFirst().chunks(ofCount: 3).map(\.indices) == [1..<4, 4..<7])
        #expect([lengths(6), lengths(7), lengths(.max)] == [[6, 1], [7], [7]])
        #expect([Int]().chunks(ofCount: 3).map(\.count) == [])
    }
}
