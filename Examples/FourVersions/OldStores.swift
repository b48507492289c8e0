import Larder

/// Fills a store as the app did when a version was the current one.
func fill(_ store: any DataStore, as version: String) throws {
    try store.writeSync { accessor in
        try accessor.insert(V1.Note(id: 1, text: "Best warm."))
        try accessor.insert(V1.Draft(id: 1, text: "Something with leek"))
        switch version {
        case "1":
            try accessor.insert(contentsOf: [
                V1.Recipe(id: 1, name: "Pie", minutes: 90, author: "Ada", ingredients: "apple,flour"),
                V1.Recipe(id: 2, name: "Bread", minutes: 150, author: "Bo", ingredients: "flour"),
                V1.Recipe(id: 3, name: "Pie", minutes: 60, author: "Ada", ingredients: "flour,plum"),
            ])
        case "2":
            try accessor.insert(contentsOf: [
                V2.Recipe(id: 1, title: "Pie", minutes: 90, author: "Ada", ingredients: "apple,flour"),
                V2.Recipe(id: 2, title: "Bread", minutes: 150, author: "Bo", ingredients: "flour", rating: 5),
                V2.Recipe(id: 3, title: "Pie", minutes: 60, author: "Ada", ingredients: "flour,plum"),
            ])
        default:
            let (ada, bo) = (V3.Author(id: "Ada"), V3.Author(id: "Bo"))
            try accessor.insert(contentsOf: [ada, bo])
            try accessor.insert(contentsOf: [
                V3.Recipe(id: 1, title: "Pie", hours: 1.5, author: ToOne(ada), ingredients: "apple,flour"),
                V3.Recipe(
                    id: 2, title: "Bread", hours: 2.5, author: ToOne(bo), ingredients: "flour", rating: 5),
                V3.Recipe(id: 3, title: "Pie", hours: 1, author: ToOne(ada), ingredients: "flour,plum"),
            ])
        }
    }
}
