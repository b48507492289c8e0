import Larder

/// A country of ISO 3166-1.
@StoredItem
struct Country {
    @Unique var code: String
    @Indexed var name: String
    var officialName: String?
    var numeric: Int
    var flag: String
    var currency: ToOne<Currency>?
    var languages: ToMany<Language>
    @Relationship(deleteRule: .cascade, inverse: \Subdivision.country)
    var subdivisions: ToMany<Subdivision>
}

/// A part of a country, or of another part, of ISO 3166-2.
@StoredItem
struct Subdivision {
    @Unique var code: String
    var name: String
    @Indexed var kind: String
    var country: ToOne<Country>
    var parent: ToOne<Subdivision>?
    @Relationship(inverse: \Subdivision.parent)
    var parts: ToMany<Subdivision>
}

/// A language of ISO 639-3.
@StoredItem
struct Language {
    @Unique var code: String
    @Unique var shortCode: String?
    @Indexed var name: String
    var kind: Kind
    var scope: Scope
    @Relationship(inverse: \Country.languages)
    var countries: ToMany<Country>

    enum Kind: String, AttributeValue {
        case ancient = "A"
        case constructed = "C"
        case extinct = "E"
        case historical = "H"
        case living = "L"
        case special = "S"
    }

    enum Scope: String, AttributeValue {
        case individual = "I"
        case macrolanguage = "M"
        case special = "S"
    }
}

/// A currency of ISO 4217.
@StoredItem
struct Currency {
    @Unique var code: String
    var name: String
    var numeric: Int?
    @Relationship(deleteRule: .deny, inverse: \Country.currency)
    var countries: ToMany<Country>
}

/// A script of ISO 15924.
@StoredItem
struct Script {
    @Unique var code: String
    var name: String
    var numeric: Int
}

/// The item types of every store of the demo: named once for all engines.
let itemTypes: [any DataStoreItem.Type] = [
    Country.self, Subdivision.self, Language.self, Currency.self, Script.self,
]
