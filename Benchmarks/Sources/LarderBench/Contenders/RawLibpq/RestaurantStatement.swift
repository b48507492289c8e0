#if PostgreSQL
    /// The table of restaurants on a server, and the statements that raw libpq runs on it.
    enum RestaurantStatement: LibpqQuery {
        case begin
        case beginWriting
        case commit
        case insert
        case insertBatch
        case updateBatch
        case deleteBatch
        case selectByID
        case selectByIDs
        case selectByName
        case selectAll
        case selectRatedAbove
        case selectRatedAboveByID
        case countRatedAbove
        case sum
        case average
        case extremes
        case countNames
        case selectPage
        case selectPageDescending

        /// The statements that make an empty store, with the indexes that Larder has.
        static func creation(isIndexed: Bool) -> [String] {
            let table = """
                CREATE TABLE restaurant (
                    id bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, city text COLLATE "C" NOT NULL,
                    rating double precision NOT NULL, reviews bigint NOT NULL, isOpen boolean NOT NULL,
                    openedAt double precision NOT NULL, note text COLLATE "C"
                )
                """
            let byName = "CREATE INDEX restaurantByName ON restaurant (name, id)"
            let byRating = "CREATE INDEX restaurantByRating ON restaurant (rating, id)"
            return isIndexed ? [table, byName, byRating] : [table]
        }

        /// The names of all columns, which an opening compares.
        static let description = """
            SELECT a.attname::text FROM pg_catalog.pg_namespace AS n \
            JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid \
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid \
            WHERE n.nspname = current_schema() AND a.attnum > 0
            """

        var sql: String {
            let columns: String = RestaurantTable.columns.joined(separator: ", ")
            let select: String = "SELECT \(columns) FROM restaurant"
            switch self {
            case .begin: return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            case .beginWriting: return "BEGIN"
            case .commit: return "COMMIT"
            case .insert:
                return "INSERT INTO restaurant (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
            case .insertBatch:
                return """
                    INSERT INTO restaurant (\(columns)) \
                    SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
                    """
            case .updateBatch:
                return """
                    UPDATE restaurant SET rating = x.rating, reviews = x.reviews \
                    FROM unnest($1, $2, $3) AS x (id, rating, reviews) WHERE restaurant.id = x.id
                    """
            case .deleteBatch: return "DELETE FROM restaurant WHERE id = ANY($1)"
            case .selectByID: return "\(select) WHERE id = $1"
            case .selectByIDs: return "\(select) WHERE id = ANY($1)"
            case .selectByName: return "\(select) WHERE name = $1 ORDER BY id"
            case .selectAll: return "\(select) ORDER BY id"
            case .selectRatedAbove: return "\(select) WHERE rating > $1 ORDER BY rating, id"
            case .selectRatedAboveByID: return "\(select) WHERE rating > $1 ORDER BY id"
            case .countRatedAbove: return "SELECT count(*) FROM restaurant WHERE rating > $1"
            case .sum: return "SELECT sum(rating) FROM restaurant"
            case .average: return "SELECT avg(rating) FROM restaurant"
            case .extremes: return "SELECT min(rating), max(rating) FROM restaurant"
            case .countNames: return "SELECT name, count(*) FROM restaurant GROUP BY name"
            case .selectPage: return "\(select) ORDER BY rating, id LIMIT $1 OFFSET $2"
            case .selectPageDescending: return "\(select) ORDER BY rating DESC, id DESC LIMIT $1 OFFSET $2"
            }
        }

        var types: [UInt32] {
            switch self {
            case .begin, .beginWriting, .commit, .selectAll, .sum, .average, .extremes, .countNames:
                return []
            case .insert:
                return [
                    LibpqType.integer, LibpqType.text, LibpqType.text, LibpqType.real, LibpqType.integer,
                    LibpqType.bool, LibpqType.real, LibpqType.text,
                ]
            case .insertBatch:
                return [
                    LibpqType.integers, LibpqType.texts, LibpqType.texts, LibpqType.reals,
                    LibpqType.integers, LibpqType.bools, LibpqType.reals, LibpqType.texts,
                ]
            case .updateBatch: return [LibpqType.integers, LibpqType.reals, LibpqType.integers]
            case .deleteBatch, .selectByIDs: return [LibpqType.integers]
            case .selectByID: return [LibpqType.integer]
            case .selectByName: return [LibpqType.text]
            case .selectRatedAbove, .selectRatedAboveByID, .countRatedAbove: return [LibpqType.real]
            case .selectPage, .selectPageDescending: return [LibpqType.integer, LibpqType.integer]
            }
        }
    }
#endif
