#if PostgreSQL
    import Foundation

    // Rows in the order of `RestaurantTable.columns`.

    extension LibpqParameters {
        /// Appends a value for each column.
        mutating func append(_ restaurant: Restaurant) {
            append(restaurant.id)
            append(restaurant.name)
            append(restaurant.city)
            append(restaurant.rating)
            append(restaurant.reviews)
            append(restaurant.isOpen)
            append(restaurant.openedAt.timeIntervalSinceReferenceDate)
            if let note = restaurant.note {
                append(note)
            } else {
                appendNil()
            }
        }

        /// Appends a list for each column.
        mutating func append(lists restaurants: ArraySlice<Restaurant>) {
            appendList(restaurants.indices) { restaurants[$0].id }
            appendList(restaurants.indices) { restaurants[$0].name }
            appendList(restaurants.indices) { restaurants[$0].city }
            appendList(restaurants.indices) { restaurants[$0].rating }
            appendList(restaurants.indices) { restaurants[$0].reviews }
            appendList(restaurants.indices) { restaurants[$0].isOpen }
            appendList(restaurants.indices) { restaurants[$0].openedAt.timeIntervalSinceReferenceDate }
            appendList(restaurants.indices) { restaurants[$0].note }
        }

        /// Appends the lists that an update takes.
        mutating func append(changes restaurants: ArraySlice<Restaurant>) {
            appendList(restaurants.indices) { restaurants[$0].id }
            appendList(restaurants.indices) { restaurants[$0].rating }
            appendList(restaurants.indices) { restaurants[$0].reviews }
        }
    }

    extension LibpqAnswer {
        func restaurant(_ row: Int32) -> Restaurant {
            Restaurant(
                id: integer(row, 0),
                name: text(row, 1),
                city: text(row, 2),
                rating: real(row, 3),
                reviews: integer(row, 4),
                isOpen: bool(row, 5),
                openedAt: Date(timeIntervalSinceReferenceDate: real(row, 6)),
                note: optionalText(row, 7))
        }

        var restaurants: [Restaurant] {
            rows { (answer: LibpqAnswer, row: Int32) -> Restaurant in answer.restaurant(row) }
        }

        /// The restaurant in the only row, if there is one.
        var firstRestaurant: Restaurant? { rowCount > 0 ? restaurant(0) : nil }
    }
#endif
