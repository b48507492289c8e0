import Larder
import Testing

@testable import LarderKernel
@testable import LarderVersions

/// What a step of a schema keeps in memory while one call of a closure runs.
struct StepMemoryTests {
    @Test func `a walk notes only the new rows that it would come to`() {
        let walks = RowWalks()
        let numbers = walks.begin(over: 1, to: .integer(10))
        let texts = walks.begin(over: 2, to: .text("m"))

        for number in [-11, 9, 11] as [Int64] { walks.noteInsert(of: 1, .integer(number), .integer) }
        for text in ["a", "lz", "ma", "z"] { walks.noteInsert(of: 2, .string(text), .text) }

        let notedNumbers = ([-11, 9, 11] as [Int64]).map {
            walks.isInserted(.integer($0), during: numbers, type: .int64)
        }
        let notedTexts = ["a", "lz", "ma", "z"].map { text in
            Constant.text(text).withCell { walks.isInserted($0, during: texts, type: .string) }
        }
        #expect(notedNumbers == [true, true, false])
        #expect(notedTexts == [true, true, false, false])
    }
}
