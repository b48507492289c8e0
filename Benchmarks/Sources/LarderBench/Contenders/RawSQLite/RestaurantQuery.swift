/// What raw SQLite runs for restaurants.
enum RestaurantQuery: SQLiteQuery {
    case begin
    case beginWriting
    case commit
    case insert
    case update
    case delete
    case selectByID
    case selectByName
    case selectAll
    case selectRatedAbove
    case countRatedAbove
    case sum
    case average
    case extremes
    case countNames
    case selectPage
    case selectPageDescending

    var sql: String {
        let columns = RestaurantTable.columns.joined(separator: ", ")
        let select = "SELECT \(columns) FROM \(RestaurantTable.name)"
        switch self {
        case .begin: return "BEGIN"
        case .beginWriting: return "BEGIN IMMEDIATE"
        case .commit: return "COMMIT"
        case .insert:
            let marks = RestaurantTable.columns.map { _ in "?" }.joined(separator: ", ")
            return "INSERT INTO \(RestaurantTable.name) (\(columns)) VALUES (\(marks))"
        case .update: return "UPDATE \(RestaurantTable.name) SET rating = ?, reviews = ? WHERE id = ?"
        case .delete: return "DELETE FROM \(RestaurantTable.name) WHERE id = ?"
        case .selectByID: return "\(select) WHERE id = ?"
        case .selectByName: return "\(select) WHERE name = ?"
        case .selectAll: return select
        case .selectRatedAbove: return "\(select) WHERE rating > ?"
        case .countRatedAbove: return "SELECT count(*) FROM \(RestaurantTable.name) WHERE rating > ?"
        case .sum: return "SELECT sum(rating) FROM \(RestaurantTable.name)"
        case .average: return "SELECT avg(rating) FROM \(RestaurantTable.name)"
        // Both in one query would read the whole index.
        case .extremes:
            let table = RestaurantTable.name
            return "SELECT (SELECT min(rating) FROM \(table)), (SELECT max(rating) FROM \(table))"
        case .countNames: return "SELECT name, count(*) FROM \(RestaurantTable.name) GROUP BY name"
        case .selectPage: return "\(select) ORDER BY rating, id LIMIT ? OFFSET ?"
        case .selectPageDescending: return "\(select) ORDER BY rating DESC, id DESC LIMIT ? OFFSET ?"
        }
    }
}
