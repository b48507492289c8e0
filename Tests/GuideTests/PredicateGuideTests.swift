import Foundation
import Larder
import LarderText
import Testing

/// The code of the section on predicates and orders in the migration guide.
struct PredicateGuideTests {
    @Test func `a predicate and sort descriptors of Foundation`() throws {
        let store = try Pantry.makeStore()

        let least = 2.0
        let good = try Filter<Recipe>(#Predicate { $0.rating > least && !$0.name.contains("Burnt") })
        let best = Recipe.where(good).sorted(by: [SortDescriptor(\.rating, order: .reverse)])

        #expect(try store.read { try $0.items(for: best) }.map(\.rating) == [4.5, 3])
    }

    @Test func `a format string with arguments`() throws {
        let store = try Pantry.makeStore()

        let wanted = ["cake", "toast"]
        let request = try Recipe.all.filter(
            text: "slug IN %@ AND rating * 2 > %@ AND name LIKE[cd] %@", arguments: [wanted, 3, "*e"])

        #expect(try store.read { try $0.items(for: request) }.map(\.slug) == ["cake"])
    }

    @Test func `filters and orders of parts`() throws {
        let store = try Pantry.makeStore()
        let chosenSlug: String? = nil

        let chosen: Filter<Recipe>? = chosenSlug.map { \.slug == $0 }
        let words: [Filter<Recipe>] = ["cake", "pie"].map { .contains(\.name, $0, .caseInsensitive) }
        let filter = words.combinedByOr() &&? chosen
        let order: ItemOrder<Recipe> = .by(\.rating, .descending) + .by(\.name)
        let request = Recipe.where(filter).or(.like(\.slug, "t?ast*")).sorted(by: order)

        #expect(try store.read { try $0.items(for: request) }.map(\.slug) == ["cake", "toast"])
        #expect(try store.read { try $0.items(for: request.replacingOrder(by: .none)) }.count == 2)
    }
}
