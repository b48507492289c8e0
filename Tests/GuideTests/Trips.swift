import Foundation
import Larder

/// A parent entity and two subentities as one item type.
enum OneTypeOfTrip {
    enum Kind: String, AttributeValue {
        case business, personal
    }

    @StoredItem
    struct Trip {
        var name: String
        @Indexed var kind: Kind
        var budget: Double?  // of a business trip
        var reason: String?  // of a personal trip
    }
}

/// The same as a common item with a detail for each subentity.
enum TripWithDetails {
    @StoredItem
    struct Trip {
        @Unique var name: String
        @Relationship(deleteRule: .cascade, inverse: \BusinessDetails.trip)
        var business: ToOneInverse<BusinessDetails>
        @Relationship(deleteRule: .cascade, inverse: \PersonalDetails.trip)
        var personal: ToOneInverse<PersonalDetails>
    }

    @StoredItem
    struct BusinessDetails {
        var budget: Double
        var trip: ToOne<Trip>
    }

    @StoredItem
    struct PersonalDetails {
        var reason: String
        var trip: ToOne<Trip>
    }

    /// Refers to a trip of either kind.
    @StoredItem
    struct Ticket {
        var seat: String
        var trip: ToOne<Trip>?
    }
}

/// The same as two item types with a union.
enum TripUnion {
    @StoredItem
    struct BusinessTrip {
        @Indexed var name: String
        var budget: Double
    }

    @StoredItem
    struct PersonalTrip {
        @Indexed var name: String
        var reason: String
    }

    enum Trip: ItemUnion {
        case business(BusinessTrip), personal(PersonalTrip)

        static let members: [UnionMember<Trip>] = [
            .type(BusinessTrip.self, Trip.business), .type(PersonalTrip.self, Trip.personal),
        ]

        struct Attributes: Sendable {
            let name = UnionAttribute<Trip, String>(
                BusinessTrip.attributes.name, PersonalTrip.attributes.name)
        }
        static let attributes = Attributes()
        static let deleteRule = DeleteRule.nullify  // a ticket stays without its trip

        var item: any DataStoreItem {
            switch self {
            case .business(let trip): trip
            case .personal(let trip): trip
            }
        }
    }

    /// Refers to a trip of either kind.
    @StoredItem
    struct Ticket {
        var seat: String
        @Indexed var trip: ToAny<Trip>?
    }
}

/// The same as two item types with a protocol.
enum TripsByProtocol {
    protocol Trip {
        var name: String { get }
    }

    @StoredItem
    struct BusinessTrip: Trip {
        var name: String
        var budget: Double
    }

    @StoredItem
    struct PersonalTrip: Trip {
        var name: String
        var reason: String
    }
}
