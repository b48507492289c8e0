import Testing

@testable import LarderKeyValue
@testable import AdapterTestSupport

@Suite struct RadixSortTests {
    @Test(arguments: [0, 1, 2, 255, 256, 257, 5000])
    func `numbers are sorted as by comparing them`(count: Int) {
        var random = Seed.ofProcess()
        for bits in [1, 8, 9, 20, 33, 63, 64] {
            var numbers = (0..<count).map { _ in
                UInt64.random(in: 0...(.max &>> UInt64(64 - bits)), using: &random)
            }
            let sorted = numbers.sorted()

            numbers.radixSort()

            #expect(numbers == sorted)
        }
    }

    @Test func `bytes in which all numbers agree do not matter`() {
        var numbers: [UInt64] = [0xAB00_0000_0000_12FF, 0xAB00_0000_0000_01FF, 0xAB00_0000_0000_00FF]

        numbers.radixSort()

        #expect(numbers == [0xAB00_0000_0000_00FF, 0xAB00_0000_0000_01FF, 0xAB00_0000_0000_12FF])
    }
}
