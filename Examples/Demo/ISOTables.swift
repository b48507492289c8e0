import Foundation
import Larder

/// The ISO tables of Debian's `iso-codes` package: one JSON file per table.
///
/// What links a country with its currency and its languages comes from Foundation's locales.
struct ISOTables {
    let countries: [Country]
    let subdivisions: [Subdivision]
    let languages: [Language]
    let currencies: [Currency]
    let scripts: [Script]

    var count: Int {
        countries.count + subdivisions.count + languages.count + currencies.count + scripts.count
    }

    /// Reads the tables from a folder.
    init(folder: URL) throws {
        let locales = Locales()
        languages = try Self.rows("639-3", in: folder).map { (row: LanguageRow) in try row.item }
        currencies = try Self.rows("4217", in: folder).map { (row: CurrencyRow) in row.item }
        scripts = try Self.rows("15924", in: folder).map { (row: ScriptRow) in row.item }
        let languagesByCode = Self.byCode(languages, \.code).merging(Self.byCode(languages, \.shortCode)) {
            $1
        }
        let currenciesByCode = Self.byCode(currencies, \.code)
        countries = try Self.rows("3166-1", in: folder).map { (row: CountryRow) in
            row.item(
                currency: locales.currencies[row.alpha_2].flatMap { currenciesByCode[$0] },
                languages: (locales.languages[row.alpha_2] ?? []).sorted().compactMap { languagesByCode[$0] })
        }
        subdivisions = try Self.subdivisions(
            try Self.rows("3166-2", in: folder), of: Self.byCode(countries, \.code))
    }

    /// The parts of countries; each comes after the part that it lies in.
    private static func subdivisions(
        _ rows: [SubdivisionRow], of countries: [String: Country]
    ) throws -> [Subdivision] {
        var made: [String: Subdivision] = [:]
        var waiting = rows
        var items: [Subdivision] = []
        while !waiting.isEmpty {
            var left: [SubdivisionRow] = []
            for row in waiting {
                guard let country = countries[row.countryCode] else {
                    throw DemoError("\(row.code) lies in an unknown country.")
                }
                if let code = row.parentCode, made[code] == nil {
                    left.append(row)
                    continue
                }
                let item = row.item(of: country, in: row.parentCode.flatMap { made[$0] })
                made[item.code] = item
                items.append(item)
            }
            guard left.count < waiting.count else { throw DemoError("\(left[0].code) lies in itself.") }
            waiting = left
        }
        return items
    }

    private static func byCode<Item>(_ items: [Item], _ code: (Item) -> String?) -> [String: Item] {
        Dictionary(items.compactMap { item in code(item).map { ($0, item) } }) { first, _ in first }
    }

    private static func rows<Row: Decodable>(_ table: String, in folder: URL) throws -> [Row] {
        let file = folder.appendingPathComponent("iso_\(table).json")
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw DemoError(
                "\(file.path) does not exist. Install iso-codes, or name a folder that contains the tables.")
        }
        do {
            let tables = try JSONDecoder().decode([String: [Row]].self, from: try Data(contentsOf: file))
            guard let rows = tables[table] else { throw DemoError("\(file.path) has no table \"\(table)\".") }
            return rows
        } catch let error as DecodingError {
            throw DemoError("\(file.path) is not the expected table: \(error)")
        }
    }
}

/// An error of the demo itself.
struct DemoError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

private struct CountryRow: Decodable {
    let alpha_2: String
    let name: String
    let official_name: String?
    let numeric: String
    let flag: String

    func item(currency: Currency?, languages: [Language]) -> Country {
        Country(
            code: alpha_2, name: name, officialName: official_name, numeric: Int(numeric) ?? 0, flag: flag,
            currency: currency.map { ToOne($0) }, languages: ToMany(languages))
    }
}

private struct SubdivisionRow: Decodable {
    let code: String
    let name: String
    let type: String
    let parent: String?

    var countryCode: String { String(code.prefix(2)) }

    /// The table leaves out the country's code in some places, and not in others.
    var parentCode: String? {
        parent.map { $0.contains("-") ? $0 : "\(countryCode)-\($0)" }
    }

    func item(of country: Country, in parent: Subdivision?) -> Subdivision {
        Subdivision(
            code: code, name: name, kind: type, country: ToOne(country), parent: parent.map { ToOne($0) })
    }
}

private struct LanguageRow: Decodable {
    let alpha_3: String
    let alpha_2: String?
    let name: String
    let type: String
    let scope: String

    var item: Language {
        get throws {
            guard let kind = Language.Kind(rawValue: type), let scope = Language.Scope(rawValue: scope) else {
                throw DemoError("The language \(alpha_3) has the unknown type \(type) or scope \(scope).")
            }
            return Language(code: alpha_3, shortCode: alpha_2, name: name, kind: kind, scope: scope)
        }
    }
}

private struct CurrencyRow: Decodable {
    let alpha_3: String
    let name: String
    let numeric: String?

    var item: Currency {
        Currency(code: alpha_3, name: name, numeric: numeric.flatMap { Int($0) })
    }
}

private struct ScriptRow: Decodable {
    let alpha_4: String
    let name: String
    let numeric: String

    var item: Script {
        Script(code: alpha_4, name: name, numeric: Int(numeric) ?? 0)
    }
}

/// The currency and the languages of each country, as Foundation's locales have them.
private struct Locales {
    private(set) var currencies: [String: String] = [:]
    private(set) var languages: [String: Set<String>] = [:]

    init() {
        for identifier in Locale.availableIdentifiers {
            let locale = Locale(identifier: identifier)
            guard let country = locale.region?.identifier else { continue }
            if let currency = locale.currency?.identifier { currencies[country] = currency }
            if let language = locale.language.languageCode?.identifier {
                languages[country, default: []].insert(language)
            }
        }
    }
}
