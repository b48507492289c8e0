import Foundation
import Larder
import LarderMemory
import Testing

@StoredItem
struct Meal: Equatable {
    var name: String
    var slug: String = ""
    var price: Double = 1
    var isVegan: Bool = false
    var createdAt: Date = .distantPast
    var updatedAt: Date = .distantPast
    var deletedAt: Date?
}

extension Meal: SoftDeletable {
    static var deletionDate: AttributePath<Meal, Date?> { \.deletedAt }
}

/// The code of `Documentation/Hooks.md`.
struct HooksGuideTests {
    @Test func `hooks change, check and date items`() throws {
        let hooks = ItemHooks(Meal.self)
            .beforeInsert { $0.slug = $0.name.lowercased() }
            .validating(\.name, "is empty") { !$0.isEmpty }
            .validating { meal, findings in
                if meal.isVegan, meal.price > 10 { findings.add("is expensive", at: \.price) }
            }
            .timestamps(created: \.createdAt, updated: \.updatedAt)
        var options = DataStoreOptions()
        options.setHooks(hooks)
        let store = MemoryDataStore(storing: [Meal.self], storeOptions: options)
        try store.setup()
        var shown: [String] = []
        func show(_ attribute: String, _ message: String) { shown.append("\(attribute) \(message)") }

        do {
            try store.writeSync { accessor in
                try accessor.insert(contentsOf: [
                    Meal(name: ""), Meal(name: "Truffles", price: 30, isVegan: true),
                ])
            }
        } catch let error as DataStoreError where error.code == .invalidItems {
            for finding in error.findings { show(finding.attribute ?? "", finding.message) }
        }
        let findings = try hooks.findings(in: Meal(name: ""))
        try store.writeSync { try $0.insert(contentsOf: [Meal(name: "Stew")]) }
        let stored = try store.read { try $0.items(for: Meal.all) }

        #expect(shown == ["name is empty", "price is expensive"])
        #expect(findings.map(\.message) == ["is empty"])
        #expect(stored.map(\.slug) == ["stew"])
        #expect(stored.map { $0.createdAt == $0.updatedAt } == [true])
        #expect(stored.map { $0.createdAt > .distantPast } == [true])
    }

    @Test func `items that are marked as deleted`() throws {
        let store = MemoryDataStore(storing: [Meal.self])
        try store.setup()
        let lastMonth = Date(timeIntervalSinceReferenceDate: 1)
        let long = Date(timeIntervalSinceReferenceDate: 0)
        try store.writeSync { accessor in
            try accessor.insert(contentsOf: [
                Meal(name: "Cake"), Meal(name: "Soup", deletedAt: long), Meal(name: "Stew"),
            ])
        }

        try store.writeSync { accessor in
            try accessor.softDeleteItems(for: Meal.where(\.name == "Stew"))
            try accessor.purgeItems(of: Meal.self, deletedBefore: lastMonth)
        }
        let meals = try store.read { try $0.items(for: Meal.all.withoutDeleted) }

        #expect(meals.map(\.name) == ["Cake"])
        #expect(try store.read { try $0.items(for: Meal.all.onlyDeleted) }.map(\.name) == ["Stew"])
    }
}
