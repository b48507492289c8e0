import Larder

/// Every attribute type keeps its values, compares them and sorts them, with and without an index.
enum ValueTypeCases {
    @CaseList static var all: [ConformanceCase] {
        ConformanceCase("Truth values come back, compare and sort", proves: 9) {
            try ValueCheck([false, true]).run(in: $0)
        }
        ConformanceCase("Int8 comes back, compares and sorts", proves: 9) {
            try ValueCheck<Int8>([.min, -2, -1, 0, 1, 100, .max]).run(in: $0)
        }
        ConformanceCase("Int16 comes back, compares and sorts", proves: 9) {
            try ValueCheck<Int16>([.min, -256, -1, 0, 1, 255, 256, .max]).run(in: $0)
        }
        ConformanceCase("Int32 comes back, compares and sorts", proves: 9) {
            try ValueCheck<Int32>([.min, -65_536, -256, -1, 0, 1, 255, 65_536, .max]).run(in: $0)
        }
        ConformanceCase("Int64 comes back, compares and sorts", proves: 9) {
            try ValueCheck(Samples.int64).run(in: $0)
        }
        ConformanceCase("Int comes back, compares and sorts", proves: 9) {
            try ValueCheck(Samples.int64.map { Int($0) }).run(in: $0)
        }
        ConformanceCase("UInt8 comes back, compares and sorts", proves: 9) {
            try ValueCheck<UInt8>([0, 1, 127, 128, 254, .max]).run(in: $0)
        }
        ConformanceCase("UInt16 comes back, compares and sorts", proves: 9) {
            try ValueCheck<UInt16>([0, 1, 255, 256, 32_767, 32_768, .max]).run(in: $0)
        }
        ConformanceCase("UInt32 comes back, compares and sorts", proves: 9) {
            try ValueCheck<UInt32>([0, 1, 65_535, 65_536, 2_147_483_647, 2_147_483_648, .max]).run(in: $0)
        }
        ConformanceCase("UInt64 comes back, compares and sorts, beyond the greatest Int64 too", proves: 9) {
            try ValueCheck(Samples.uint64).run(in: $0)
        }
        ConformanceCase("UInt comes back, compares and sorts", proves: 9) {
            try ValueCheck(Samples.uint64.map { UInt($0) }).run(in: $0)
        }
        ConformanceCase("Float comes back, compares and sorts, infinities too", proves: 9) {
            try ValueCheck(Samples.float).run(in: $0)
        }
        ConformanceCase("Double comes back, compares and sorts, infinities too", proves: 9) {
            try ValueCheck(Samples.double).run(in: $0)
        }
        ConformanceCase("Text comes back, compares and sorts by its bytes", proves: 7, 9) {
            try ValueCheck(Samples.text).run(in: $0)
        }
        ConformanceCase("Bytes come back, compare and sort", proves: 9) {
            try ValueCheck(Samples.data).run(in: $0)
        }
        ConformanceCase("Dates come back to the last bit, compare and sort", proves: 9) {
            try ValueCheck(Samples.date).run(in: $0)
        }
        ConformanceCase("UUIDs come back, compare and sort by their bytes", proves: 9) {
            try ValueCheck(Samples.uuid).run(in: $0)
        }
        ConformanceCase("URLs come back, compare and sort by their text", proves: 9) {
            try ValueCheck(Samples.url).run(in: $0)
        }
        ConformanceCase("Decimal numbers come back, compare and sort by their value", proves: 9) {
            try ValueCheck(Samples.decimal).run(in: $0)
        }
        ConformanceCase("Enums of text come back, compare and sort by their raw value", proves: 9) {
            try ValueCheck<Course>([.dessert, .main, .starter]).run(in: $0)
        }
        ConformanceCase("Enums of numbers come back, compare and sort by their raw value", proves: 9) {
            try ValueCheck<Level>([.easy, .medium, .hard]).run(in: $0)
        }
        ConformanceCase("Identifiers of other items come back, compare and sort", proves: 9) {
            try ValueCheck(Samples.int64.map { ItemID<Restaurant>(rawValue: $0) }).run(in: $0)
        }
    }
}
