import Foundation
import Larder

/// The ISO tables of Debian's `iso-codes` package: one JSON file per table.
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
        countries = try Self.rows("3166-1", in: folder).map { (row: CountryRow) in row.item }
        subdivisions = try Self.rows("3166-2", in: folder).map { (row: SubdivisionRow) in row.item }
        languages = try Self.rows("639-3", in: folder).map { (row: LanguageRow) in try row.item }
        currencies = try Self.rows("4217", in: folder).map { (row: CurrencyRow) in row.item }
        scripts = try Self.rows("15924", in: folder).map { (row: ScriptRow) in row.item }
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

    var item: Country {
        Country(
            code: alpha_2, name: name, officialName: official_name, numeric: Int(numeric) ?? 0, flag: flag)
    }
}

private struct SubdivisionRow: Decodable {
    let code: String
    let name: String
    let type: String
    let parent: String?

    var item: Subdivision {
        Subdivision(code: code, country: String(code.prefix(2)), name: name, kind: type, parent: parent)
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
