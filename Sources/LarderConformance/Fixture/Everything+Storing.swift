import struct Foundation.Data
import struct Foundation.Date
import struct Foundation.Decimal
import struct Foundation.URL
import struct Foundation.UUID
import Larder

extension Everything {
    static let schema = EntitySchema(
        "Everything", attributes: [.attribute("id", ItemID<Everything>.self)] + required + optional)

    private static let required: [AttributeSchema] = [
        .attribute("bool", Bool.self),
        .attribute("int8", Int8.self),
        .attribute("int16", Int16.self),
        .attribute("int32", Int32.self),
        .attribute("int64", Int64.self),
        .attribute("int", Int.self),
        .attribute("uint8", UInt8.self),
        .attribute("uint16", UInt16.self),
        .attribute("uint32", UInt32.self),
        .attribute("uint64", UInt64.self),
        .attribute("uint", UInt.self),
        .attribute("float", Float.self),
        .attribute("double", Double.self),
        .attribute("text", String.self),
        .attribute("data", Data.self),
        .attribute("date", Date.self),
        .attribute("uuid", UUID.self),
        .attribute("url", URL.self),
        .attribute("decimal", Decimal.self),
        .attribute("course", Course.self),
        .attribute("level", Level.self),
        .attribute("nutrition", Nutrition.self),
        .attribute("tags", Tags.self),
        .attribute("friend", ItemID<Restaurant>.self),
    ]

    private static let optional: [AttributeSchema] = [
        .attribute("maybeBool", Bool?.self),
        .attribute("maybeInt8", Int8?.self),
        .attribute("maybeInt16", Int16?.self),
        .attribute("maybeInt32", Int32?.self),
        .attribute("maybeInt64", Int64?.self),
        .attribute("maybeInt", Int?.self),
        .attribute("maybeUint8", UInt8?.self),
        .attribute("maybeUint16", UInt16?.self),
        .attribute("maybeUint32", UInt32?.self),
        .attribute("maybeUint64", UInt64?.self),
        .attribute("maybeUint", UInt?.self),
        .attribute("maybeFloat", Float?.self),
        .attribute("maybeDouble", Double?.self),
        .attribute("maybeText", String?.self),
        .attribute("maybeData", Data?.self),
        .attribute("maybeDate", Date?.self),
        .attribute("maybeUuid", UUID?.self),
        .attribute("maybeUrl", URL?.self),
        .attribute("maybeDecimal", Decimal?.self),
        .attribute("maybeCourse", Course?.self),
        .attribute("maybeLevel", Level?.self),
        .attribute("maybeNutrition", Nutrition?.self),
        .attribute("maybeTags", Tags?.self),
        .attribute("maybeFriend", ItemID<Restaurant>?.self),
    ]

    init(row: borrowing RowReader) throws(DataStoreError) {
        id = try row.value(at: 0)
        bool = try row.value(at: 1)
        int8 = try row.value(at: 2)
        int16 = try row.value(at: 3)
        int32 = try row.value(at: 4)
        int64 = try row.value(at: 5)
        int = try row.value(at: 6)
        uint8 = try row.value(at: 7)
        uint16 = try row.value(at: 8)
        uint32 = try row.value(at: 9)
        uint64 = try row.value(at: 10)
        uint = try row.value(at: 11)
        float = try row.value(at: 12)
        double = try row.value(at: 13)
        text = try row.value(at: 14)
        data = try row.value(at: 15)
        date = try row.value(at: 16)
        uuid = try row.value(at: 17)
        url = try row.value(at: 18)
        decimal = try row.value(at: 19)
        course = try row.value(at: 20)
        level = try row.value(at: 21)
        nutrition = try row.value(at: 22)
        tags = try row.value(at: 23)
        friend = try row.value(at: 24)
        maybeBool = try row.value(at: 25)
        maybeInt8 = try row.value(at: 26)
        maybeInt16 = try row.value(at: 27)
        maybeInt32 = try row.value(at: 28)
        maybeInt64 = try row.value(at: 29)
        maybeInt = try row.value(at: 30)
        maybeUint8 = try row.value(at: 31)
        maybeUint16 = try row.value(at: 32)
        maybeUint32 = try row.value(at: 33)
        maybeUint64 = try row.value(at: 34)
        maybeUint = try row.value(at: 35)
        maybeFloat = try row.value(at: 36)
        maybeDouble = try row.value(at: 37)
        maybeText = try row.value(at: 38)
        maybeData = try row.value(at: 39)
        maybeDate = try row.value(at: 40)
        maybeUuid = try row.value(at: 41)
        maybeUrl = try row.value(at: 42)
        maybeDecimal = try row.value(at: 43)
        maybeCourse = try row.value(at: 44)
        maybeLevel = try row.value(at: 45)
        maybeNutrition = try row.value(at: 46)
        maybeTags = try row.value(at: 47)
        maybeFriend = try row.value(at: 48)
    }

    func encode(to row: inout RowWriter) throws(DataStoreError) {
        try row.set(id, at: 0)
        try row.set(bool, at: 1)
        try row.set(int8, at: 2)
        try row.set(int16, at: 3)
        try row.set(int32, at: 4)
        try row.set(int64, at: 5)
        try row.set(int, at: 6)
        try row.set(uint8, at: 7)
        try row.set(uint16, at: 8)
        try row.set(uint32, at: 9)
        try row.set(uint64, at: 10)
        try row.set(uint, at: 11)
        try row.set(float, at: 12)
        try row.set(double, at: 13)
        try row.set(text, at: 14)
        try row.set(data, at: 15)
        try row.set(date, at: 16)
        try row.set(uuid, at: 17)
        try row.set(url, at: 18)
        try row.set(decimal, at: 19)
        try row.set(course, at: 20)
        try row.set(level, at: 21)
        try row.set(nutrition, at: 22)
        try row.set(tags, at: 23)
        try row.set(friend, at: 24)
        try row.set(maybeBool, at: 25)
        try row.set(maybeInt8, at: 26)
        try row.set(maybeInt16, at: 27)
        try row.set(maybeInt32, at: 28)
        try row.set(maybeInt64, at: 29)
        try row.set(maybeInt, at: 30)
        try row.set(maybeUint8, at: 31)
        try row.set(maybeUint16, at: 32)
        try row.set(maybeUint32, at: 33)
        try row.set(maybeUint64, at: 34)
        try row.set(maybeUint, at: 35)
        try row.set(maybeFloat, at: 36)
        try row.set(maybeDouble, at: 37)
        try row.set(maybeText, at: 38)
        try row.set(maybeData, at: 39)
        try row.set(maybeDate, at: 40)
        try row.set(maybeUuid, at: 41)
        try row.set(maybeUrl, at: 42)
        try row.set(maybeDecimal, at: 43)
        try row.set(maybeCourse, at: 44)
        try row.set(maybeLevel, at: 45)
        try row.set(maybeNutrition, at: 46)
        try row.set(maybeTags, at: 47)
        try row.set(maybeFriend, at: 48)
    }
}
