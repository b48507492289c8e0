import Larder

@testable import AdapterTestSupport
@testable import LarderKernel
@testable import LarderObservation

/// The items of a collection view, which throws where `UICollectionView` ends the app.
///
/// It takes places as they are for the data source before and after a batch, and a reload for a deletion and an
/// insertion at the same place. What a batch does not name stays, in its order.
struct CollectionModel {
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// The identifier and the shown rank of each item, by section; and the shown names.
    private(set) var sections: [Section]

    struct Section: Equatable {
        var name: String
        var items: [Item]
    }

    struct Item: Equatable {
        let id: Int64
        var rank: Int64
    }

    init(_ list: ItemList<RankedNote>) {
        sections = list.sections.map { section in
            Section(name: section.name, items: section.map { Item(id: $0.id, rank: $0.rank) })
        }
    }

    mutating func perform(_ batch: ListChange<RankedNote>, reading list: ItemList<RankedNote>) throws {
        let new = CollectionModel(list).sections
        let movedFrom = batch.movedSections.map(\.from)
        let movedTo = batch.movedSections.map(\.to)
        let reloaded = batch.updatedSections.map(\.to)
        let goneSections = batch.deletedSections + movedFrom + reloaded
        let comeSections = batch.insertedSections + movedTo + reloaded
        let reloadedItems = batch.updatedItems.map(\.to)
        let gone = batch.deletedItems + batch.movedItems.map(\.from) + reloadedItems
        let come = batch.insertedItems + batch.movedItems.map(\.to) + reloadedItems
        try Self.requireDistinct(goneSections, "sections that go")
        try Self.requireDistinct(comeSections, "sections that come")
        try Self.requireDistinct(gone, "items that go")
        try Self.requireDistinct(come, "items that come")
        for item in gone where goneSections.contains(item.section) {
            throw Refusal(description: "\(item) goes, and so does its section")
        }
        for item in come where comeSections.contains(item.section) {
            throw Refusal(description: "\(item) comes, and so does its section")
        }
        let old = sections
        let moves = Dictionary(uniqueKeysWithValues: batch.movedSections.map { ($0.to, $0.from) })
        var staying = old.indices.filter { !goneSections.contains($0) }[...]
        var made: [Section] = []
        for number in 0..<(old.count - goneSections.count + comeSections.count) {
            if let from = moves[number] {
                made.append(old[from])
            } else if comeSections.contains(number) {
                guard new.indices.contains(number) else { throw Refusal(description: "no section \(number)") }
                made.append(new[number])
            } else {
                guard let from = staying.popFirst() else { throw Refusal(description: "no section stays") }
                let gone = Set(gone.filter { $0.section == from }.map(\.item))
                var section = old[from]
                section.items = section.items.indices.filter { !gone.contains($0) }.map { section.items[$0] }
                made.append(section)
            }
        }
        let targets = Dictionary(uniqueKeysWithValues: batch.movedItems.map { ($0.to, $0.from) })
        for place in come.sorted() {
            guard made.indices.contains(place.section), place.item <= made[place.section].items.count else {
                throw Refusal(description: "\(place) is beyond its section")
            }
            let item =
                targets[place].map { old[$0.section].items[$0.item] } ?? new[place.section].items[place.item]
            made[place.section].items.insert(item, at: place.item)
        }
        guard made.map(\.items.count) == new.map(\.items.count) else {
            throw Refusal(
                description: "\(made.map(\.items.count)) items, and the list has \(new.map(\.items.count))")
        }
        sections = made
    }

    private static func requireDistinct<Place: Hashable>(_ places: [Place], _ what: String) throws {
        if Set(places).count != places.count { throw Refusal(description: "\(what) twice: \(places)") }
    }
}
