import Larder

/// A question to a store, and the code that answers it through the common interface.
struct Question {
    let text: String
    let answer: @Sendable (DataStoreReadAccessor) throws -> [String]

    static let all = [
        Question(text: "Which country has the code CH?") { store in
            try store.items(for: Country.where(\.code == "CH")).map { "\($0.flag) \($0.name)" }
        },
        Question(text: "Which countries have \"land\" in their name, in any case, backwards?") { store in
            let request = Country.where(.contains(\.name, "LAND", .caseInsensitive))
            return try store.items(for: request.sorted(by: \.name, .descending).limit(6)).map(\.name)
        },
        Question(text: "How many countries have an official name besides?") { store in
            [String(try store.countItems(for: Country.where(\.officialName != nil)))]
        },
        Question(text: "Which kinds of parts does Spain have?") { store in
            let kinds = try store.values(for: Subdivision.where(\.country.code == "ES"), \.kind)
            return Set(kinds).sorted()
        },
        Question(text: "Which parts lie inside Catalonia?") { store in
            let request = Subdivision.where(\.parent.code == "ES-CT").sorted(by: \.name)
            return try store.items(for: request).map(\.name)
        },
        Question(text: "Where is German spoken, and what do people pay with there?") { store in
            let request = Country.where(.any(\.languages, \.code == "deu")).sorted(by: \.name)
            return try store.items(for: request.prefetching(\.currency)).map { country in
                "\(country.name) (\(country.currency?.item?.code ?? "-"))"
            }
        },
        Question(text: "Which countries have over 100 parts, and pay with the euro?") { store in
            let request = Country.where(\.subdivisions.count > 100 && \.currency.code == "EUR")
            return try store.items(for: request.sorted(by: \.name)).map(\.name)
        },
        Question(text: "Which currencies do at least eight countries share?") { store in
            let request = Currency.where(\.countries.count >= 8).sorted(by: \.code)
            return try store.items(for: request).map(\.code)
        },
        Question(text: "Which languages are spoken where a part is called a canton?") { store in
            let cantons: Filter<Subdivision> = .equals(\.kind, "canton", .caseInsensitive)
            let request = Language.where(.any(\.countries, .any(\.subdivisions, cantons)))
            return try store.items(for: request.sorted(by: \.code).limit(8)).map(\.name)
        },
        Question(text: "Which federal districts are there, by their country's name?") { store in
            let request = Subdivision.where(.contains(\.kind, "federal district", .caseInsensitive))
            return try store.items(for: request.sorted(by: \.country.name).prefetching(\.country)).map {
                "\($0.name) (\($0.country.item?.name ?? "-"))"
            }
        },
        Question(text: "How many living languages have a two-letter code?") { store in
            [String(try store.countItems(for: Language.where(\.shortCode != nil && \.kind == .living)))]
        },
        Question(text: "Which constructed languages come 3rd to 6th by name?") { store in
            let request = Language.where(\.kind == .constructed).sorted(by: \.name).offset(2).limit(4)
            return try store.items(for: request).map(\.name)
        },
        Question(text: "Which currencies have a number from 950 to 980?") { store in
            let request = Currency.where(.between(\.numeric, 950...980)).sorted(by: \.numeric)
            return try store.items(for: request).map(\.code)
        },
        Question(text: "Which scripts are one of Latn, Cyrl, Arab, Hang?") { store in
            let request = Script.where(.isIn(\.code, ["Latn", "Cyrl", "Arab", "Hang"])).sorted(by: \.code)
            return try store.items(for: request).map(\.name)
        },
    ]

    /// The answers of a store, all from one snapshot.
    static func answers(of store: any DataStore) throws -> [[String]] {
        try store.read { accessor in try all.map { try $0.answer(accessor) } }
    }
}
