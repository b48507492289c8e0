import LarderKernel
import Testing

struct DataStoreProgressTests {
    @Test func `the fraction is of all phases`() {
        let fractions = [
            DataStoreProgress("copying", step: 1, of: 2, done: 0, total: 8),
            DataStoreProgress("copying", step: 1, of: 2, done: 4, total: 8),
            DataStoreProgress("verifying", step: 2, of: 2, done: 2, total: 8),
            DataStoreProgress("verifying", step: 2, of: 2, done: 8, total: 8),
        ].map(\.fraction)

        #expect(fractions == [0, 0.25, 0.625, 1])
    }

    @Test func `a phase without items is done, and one with more than were expected is too`() {
        #expect(DataStoreProgress("1 → 2", step: 1, of: 2, done: 0, total: 0).fraction == 0.5)
        #expect(DataStoreProgress("importing", done: 9, total: 8).fraction == 1)
        #expect(DataStoreProgress("importing", done: 9, total: nil).fraction == nil)
    }

    @Test func `the text has what is known`() {
        #expect(
            DataStoreProgress("1 → 2", step: 1, of: 3, done: 4, total: 7).description
                == "step 1 of 3, 1 → 2: 4 of 7")
        #expect(DataStoreProgress("importing", done: 4, total: nil).description == "importing: 4")
    }
}
