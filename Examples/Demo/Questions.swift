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
            let kinds = try store.values(for: Subdivision.where(\.country == "ES"), \.kind)
            return Set(kinds).sorted()
        },
        Question(text: "Which parts lie inside ES-CT?") { store in
            let request = Subdivision.where(\.parent == "CT" && \.country == "ES").sorted(by: \.name)
            return try store.items(for: request).map(\.name)
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
