import struct Foundation.Data
import struct Foundation.Date
import struct Foundation.Decimal
import struct Foundation.URL
import struct Foundation.UUID
import Larder

/// The difficulty of a recipe; an enum stored as a number.
enum Level: Int16, AttributeValue {
    case easy = -1
    case medium = 0
    case hard = 300
}

/// A value stored as JSON.
struct Nutrition: CodableAttribute, Hashable {
    var energy: Int
    var protein: Double
    var source: String?
}

/// Collections stored as JSON, which encode their members in any order.
struct Tags: CodableAttribute {
    var words: Set<String>
    var weights: [String: Int]
}

/// An item with an attribute of every type, each required and optional.
struct Everything: DataStoreItem, Equatable {
    let id: ItemID<Everything>
    var bool: Bool
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var int: Int
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var uint: UInt
    var float: Float
    var double: Double
    var text: String
    var data: Data
    var date: Date
    var uuid: UUID
    var url: URL
    var decimal: Decimal
    var course: Course
    var level: Level
    var nutrition: Nutrition
    var tags: Tags
    var friend: ItemID<Restaurant>
    var maybeBool: Bool?
    var maybeInt8: Int8?
    var maybeInt16: Int16?
    var maybeInt32: Int32?
    var maybeInt64: Int64?
    var maybeInt: Int?
    var maybeUint8: UInt8?
    var maybeUint16: UInt16?
    var maybeUint32: UInt32?
    var maybeUint64: UInt64?
    var maybeUint: UInt?
    var maybeFloat: Float?
    var maybeDouble: Double?
    var maybeText: String?
    var maybeData: Data?
    var maybeDate: Date?
    var maybeUuid: UUID?
    var maybeUrl: URL?
    var maybeDecimal: Decimal?
    var maybeCourse: Course?
    var maybeLevel: Level?
    var maybeNutrition: Nutrition?
    var maybeTags: Tags?
    var maybeFriend: ItemID<Restaurant>?

    struct Attributes: Sendable {
        let id = Attribute<Everything, ItemID<Everything>>(column: 0)
        let bool = Attribute<Everything, Bool>(column: 1)
        let int8 = Attribute<Everything, Int8>(column: 2)
        let int16 = Attribute<Everything, Int16>(column: 3)
        let int32 = Attribute<Everything, Int32>(column: 4)
        let int64 = Attribute<Everything, Int64>(column: 5)
        let int = Attribute<Everything, Int>(column: 6)
        let uint8 = Attribute<Everything, UInt8>(column: 7)
        let uint16 = Attribute<Everything, UInt16>(column: 8)
        let uint32 = Attribute<Everything, UInt32>(column: 9)
        let uint64 = Attribute<Everything, UInt64>(column: 10)
        let uint = Attribute<Everything, UInt>(column: 11)
        let float = Attribute<Everything, Float>(column: 12)
        let double = Attribute<Everything, Double>(column: 13)
        let text = Attribute<Everything, String>(column: 14)
        let data = Attribute<Everything, Data>(column: 15)
        let date = Attribute<Everything, Date>(column: 16)
        let uuid = Attribute<Everything, UUID>(column: 17)
        let url = Attribute<Everything, URL>(column: 18)
        let decimal = Attribute<Everything, Decimal>(column: 19)
        let course = Attribute<Everything, Course>(column: 20)
        let level = Attribute<Everything, Level>(column: 21)
        let nutrition = Attribute<Everything, Nutrition>(column: 22)
        let tags = Attribute<Everything, Tags>(column: 23)
        let friend = Attribute<Everything, ItemID<Restaurant>>(column: 24)
        let maybeBool = Attribute<Everything, Bool?>(column: 25)
        let maybeInt8 = Attribute<Everything, Int8?>(column: 26)
        let maybeInt16 = Attribute<Everything, Int16?>(column: 27)
        let maybeInt32 = Attribute<Everything, Int32?>(column: 28)
        let maybeInt64 = Attribute<Everything, Int64?>(column: 29)
        let maybeInt = Attribute<Everything, Int?>(column: 30)
        let maybeUint8 = Attribute<Everything, UInt8?>(column: 31)
        let maybeUint16 = Attribute<Everything, UInt16?>(column: 32)
        let maybeUint32 = Attribute<Everything, UInt32?>(column: 33)
        let maybeUint64 = Attribute<Everything, UInt64?>(column: 34)
        let maybeUint = Attribute<Everything, UInt?>(column: 35)
        let maybeFloat = Attribute<Everything, Float?>(column: 36)
        let maybeDouble = Attribute<Everything, Double?>(column: 37)
        let maybeText = Attribute<Everything, String?>(column: 38)
        let maybeData = Attribute<Everything, Data?>(column: 39)
        let maybeDate = Attribute<Everything, Date?>(column: 40)
        let maybeUuid = Attribute<Everything, UUID?>(column: 41)
        let maybeUrl = Attribute<Everything, URL?>(column: 42)
        let maybeDecimal = Attribute<Everything, Decimal?>(column: 43)
        let maybeCourse = Attribute<Everything, Course?>(column: 44)
        let maybeLevel = Attribute<Everything, Level?>(column: 45)
        let maybeNutrition = Attribute<Everything, Nutrition?>(column: 46)
        let maybeTags = Attribute<Everything, Tags?>(column: 47)
        let maybeFriend = Attribute<Everything, ItemID<Restaurant>?>(column: 48)
    }

    static let attributes = Attributes()
}
