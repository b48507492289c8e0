import Foundation
import Larder

extension Everything {
    /// An item with the smallest values, and nil in optional attributes.
    static func smallest(_ id: Int64) -> Everything {
        Everything(
            id: .init(rawValue: id), bool: false, int8: .min, int16: .min, int32: .min, int64: .min,
            int: .min,
            uint8: .min, uint16: .min, uint32: .min, uint64: .min, uint: .min, float: -.infinity,
            double: -.infinity, text: "", data: Data(), date: .distantPast, uuid: Samples.uuid[0],
            url: Samples.url[0], decimal: Samples.decimal[0], course: .dessert, level: .easy,
            nutrition: Nutrition(energy: .min, protein: -0.5), tags: Tags(words: [], weights: [:]),
            friend: .init(rawValue: .min))
    }

    /// An item with the greatest values in all attributes.
    static func greatest(_ id: Int64) -> Everything {
        let text = Samples.text.joined()
        let data = Data((0...255).map { UInt8($0) })
        let nutrition = Nutrition(energy: .max, protein: 1e300, source: text)
        let tags = Tags(words: ["sweet", "\u{E9}", "e\u{301}x", ""], weights: ["b": 2, "a": 1, "c": -3])
        let uuid = Samples.uuid[Samples.uuid.count - 1]
        let url = Samples.url[4]
        let decimal = Samples.decimal[Samples.decimal.count - 1]
        return Everything(
            id: .init(rawValue: id), bool: true, int8: .max, int16: .max, int32: .max, int64: .max, int: .max,
            uint8: .max, uint16: .max, uint32: .max, uint64: .max, uint: .max, float: .infinity,
            double: .infinity, text: text, data: data, date: .distantFuture, uuid: uuid, url: url,
            decimal: decimal, course: .starter, level: .hard, nutrition: nutrition, tags: tags,
            friend: .init(rawValue: .max), maybeBool: true, maybeInt8: .max, maybeInt16: .max,
            maybeInt32: .max, maybeInt64: .max, maybeInt: .max, maybeUint8: .max, maybeUint16: .max,
            maybeUint32: .max, maybeUint64: .max, maybeUint: .max, maybeFloat: .greatestFiniteMagnitude,
            maybeDouble: .greatestFiniteMagnitude, maybeText: text, maybeData: data,
            maybeDate: Date(timeIntervalSinceReferenceDate: 752_000_000.123456), maybeUuid: uuid,
            maybeUrl: url, maybeDecimal: decimal, maybeCourse: .main, maybeLevel: .medium,
            maybeNutrition: nutrition, maybeTags: tags, maybeFriend: .init(rawValue: 0))
    }

    /// An item whose optional values are empty or zero, which is not nil.
    static func emptyButThere(_ id: Int64) -> Everything {
        var item = smallest(id)
        item.maybeBool = false
        item.maybeInt8 = 0
        item.maybeInt16 = 0
        item.maybeInt32 = 0
        item.maybeInt64 = 0
        item.maybeInt = 0
        item.maybeUint8 = 0
        item.maybeUint16 = 0
        item.maybeUint32 = 0
        item.maybeUint64 = 0
        item.maybeUint = 0
        item.maybeFloat = 0
        item.maybeDouble = 0
        item.maybeText = ""
        item.maybeData = Data()
        item.maybeDate = Date(timeIntervalSinceReferenceDate: 0)
        item.maybeUuid = Samples.uuid[0]
        item.maybeDecimal = 0
        item.maybeTags = Tags(words: [], weights: [:])
        item.maybeFriend = .init(rawValue: 0)
        return item
    }
}
