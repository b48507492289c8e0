import Larder
import LarderText

/// Uses a store whose file is damaged as an app would, and compares that with what its check says.
///
/// What reading or writing refuses, the check reports. *Rule:* the store is spent afterwards.
struct DamageTrial {
    /// What failed, step by step.
    struct Failure: CustomStringConvertible {
        let step: String
        let error: DataStoreError

        var description: String { "\(step): \(error)" }
    }

    /// The error that kept it from opening; nil for one that was used.
    private(set) var refusal: DataStoreError?
    /// What the check found before anything else was done.
    private(set) var problems: [String] = []
    private(set) var failures: [Failure] = []

    /// - Parameter check: The check of the store, which is open then.
    init(of store: any DataStore, check: () throws -> [String]) throws {
        do {
            try store.setup()
        } catch {
            refusal = try Self.typed(error)
            return
        }
        var found: [String] = []
        attempt("checkIntegrity") { found = try check() }
        problems = found
        read(store)
        write(store)
        attempt("tearDown") { try store.tearDown() }
    }

    /// Whether the check called clean what failed then.
    var isEscape: Bool { problems.isEmpty && !failures.isEmpty }

    private mutating func attempt(_ step: String, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            // Another item's identifier or slug may have become that of a new one; such an error is no
            // damage.
            guard let error = error as? DataStoreError else {
                failures.append(Failure(step: step, error: DataStoreError(.engine, "not typed: \(error)")))
                return
            }
            if error.code != .duplicateIdentifier && error.code != .uniqueViolation {
                failures.append(Failure(step: step, error: error))
            }
        }
    }

    private static func typed(_ error: any Error) throws -> DataStoreError {
        guard let error = error as? DataStoreError else { throw error }
        return error
    }

    private mutating func read(_ store: any DataStore) {
        for (filter, sort) in [
            (nil, nil), (nil, "rating"), ("rating > 0", nil), (nil, "slug DESC"),
            ("slug BEGINSWITH 'r'", nil),
            ("note != nil", "name"),
        ] as [(String?, String?)] {
            attempt("recipes, \(filter ?? "all") by \(sort ?? "id")") {
                let request = try DataStoreRequest<Recipe>(filter: filter, sort: sort)
                try store.read { accessor in
                    let items = try accessor.items(for: request)
                    guard try accessor.countItems(for: request) == items.count else {
                        throw DataStoreError(.damaged, "There are not as many items as are counted.")
                    }
                }
            }
        }
        attempt("tags by weight") {
            let request = try DataStoreRequest<Tag>(filter: "weight > 3", sort: "weight")
            try store.read { _ = try $0.items(for: request) }
        }
        attempt("every item by its identifier") {
            try store.read { accessor in
                for recipe in try accessor.items(for: Recipe.all) {
                    guard try accessor.item(id: recipe.id, of: Recipe.self) == recipe else {
                        throw DataStoreError(.damaged, "The recipe \(recipe.id) is not found.")
                    }
                }
                for tag in try accessor.items(for: Tag.all) {
                    guard try accessor.item(id: tag.id, of: Tag.self) == tag else {
                        throw DataStoreError(.damaged, "The tag \(tag.id) is not found.")
                    }
                }
            }
        }
    }

    private mutating func write(_ store: any DataStore) {
        attempt("insert") {
            try store.writeSync { try $0.insert(contentsOf: (1000...1040).map { Recipe($0) }) }
        }
        attempt("upsert tags") {
            try store.writeSync { accessor in
                for number in 1...150 { try accessor.upsert(Tag("tag \(number)", weight: number + 1000)) }
            }
        }
        attempt("change every recipe") {
            try store.writeSync { accessor in
                for var recipe in try accessor.items(for: Recipe.all) {
                    recipe.rating = recipe.rating.magnitude < 1e9 ? recipe.rating + 1 : 0
                    recipe.note = "changed"
                    try accessor.upsert(recipe)
                }
            }
        }
        attempt("delete every other tag") {
            try store.writeSync { accessor in
                for (position, tag) in try accessor.items(for: Tag.all).enumerated() where position % 2 == 0 {
                    try accessor.delete(id: tag.id, of: Tag.self)
                }
            }
        }
        attempt("delete all") {
            try store.writeSync { accessor in
                _ = try accessor.deleteAllItems(of: Recipe.self)
                _ = try accessor.deleteAllItems(of: Tag.self)
            }
        }
        attempt("fill again") {
            try store.writeSync { try $0.insert(contentsOf: (1...200).map { Recipe($0, note: "new") }) }
        }
    }
}

/// How a number of trials went.
struct DamageTally: CustomStringConvertible {
    /// A page swapped with one like it: no damage, and not counted as any.
    var unchanged = 0
    private(set) var refused = 0
    private(set) var used = 0
    private(set) var reported = 0
    private(set) var failed = 0
    private var codes: [String: Int] = [:]

    mutating func note(_ trial: DamageTrial) {
        if let refusal = trial.refusal {
            refused += 1
            codes[refusal.code.rawValue, default: 0] += 1
            return
        }
        used += 1
        if !trial.problems.isEmpty { reported += 1 }
        if !trial.failures.isEmpty { failed += 1 }
    }

    var description: String {
        let codes = codes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        return "copies: \(unchanged) unchanged, \(refused) refused (\(codes.joined(separator: ", "))), "
            + "\(used) used, of which the check found \(reported) damaged and \(failed) failed"
    }
}
