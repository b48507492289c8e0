#if PostgreSQL
    import LarderKernel
    import LarderSQL

    /// The columns of a table on the server.
    ///
    ///     "id" bigint, "larder_text_1" text[], "larder_bigint_1" bigint[]
    ///
    /// A row of the server must fit a page of 8 kB, in which a long value takes 18 bytes and a short one up to 24. If the
    /// attributes of an item type could take more, all but the identifier are elements of arrays, each for 32 attributes of
    /// one type: an array as a whole takes 18 bytes. SQL reads and assigns an element as if it were a column.
    struct TableLayout {
        /// A column as the server has it.
        struct Column: Hashable {
            let name: UTF8Key
            /// The type as the server names it, with the collation of texts.
            let type: String
            let isRequired: Bool

            /// The collation of all texts, which orders them by their bytes, as SQL after a type.
            static let collation = #" COLLATE "C""#
        }

        /// The columns of the table.
        let columns: [Column]
        /// The place of each attribute as SQL: `"name"` or `"larder_text_1"[5]`.
        let places: [String]
        /// True if values are elements of arrays.
        let isPacked: Bool

        /// The bytes that a row has for values in a page: 8,160 less its head, and a bit for each of 1,000 columns.
        private static let maximumBytes = 8160 - 152
        private static let elementsOfArray = 32

        init(_ entity: StoredSchema.Entity) {
            let attributes = entity.attributes
            let bytes = attributes.reduce(0) { $0 + $1.type.storage.maximumRowBytes }
            isPacked = bytes > Self.maximumBytes
            guard isPacked, let identifier = attributes.first else {
                columns = attributes.map(Column.init)
                places = columns.map(\.name.text.asSQLName)
                return
            }
            var columns = [Column(identifier)]
            var places = [columns[0].name.text.asSQLName]
            var counts: [String: Int] = [:]
            for attribute in attributes.dropFirst() {
                let type = attribute.type.storage.serverType.name
                let count = counts[type, default: 0]
                counts[type] = count + 1
                let word = type.split(separator: " ").first.map(String.init) ?? type
                let name = "larder_\(word)_\(count / Self.elementsOfArray + 1)"
                if count % Self.elementsOfArray == 0 {
                    columns.append(Column(UTF8Key(name), type + "[]", isRequired: false))
                }
                places.append("\(name.asSQLName)[\(count % Self.elementsOfArray + 1)]")
            }
            self.columns = columns
            self.places = places
        }
    }

    extension TableLayout {
        /// The columns of an INSERT and their values, for values by place.
        ///
        /// Arrays are made whole: the server copies an array for each element that it assigns.
        static func row(_ values: [String], at places: [String]) -> (columns: String, values: String) {
            var columns: [String] = []
            var elements: [[String]] = []
            for (place, value) in zip(places, values) {
                let bracket = place.hasSuffix("]") ? place.lastIndex(of: "[") : nil
                let column = bracket.map { String(place[..<$0]) } ?? place
                if bracket != nil, let known = columns.firstIndex(of: column) {
                    elements[known].append(value)
                } else {
                    columns.append(column)
                    elements.append(bracket == nil ? [value] : ["", value])
                }
            }
            let written = elements.map { list in
                list.first == "" ? "ARRAY[\(list.dropFirst().joined(separator: ", "))]" : list[0]
            }
            return (columns.joined(separator: ", "), written.joined(separator: ", "))
        }
    }

    extension TableLayout.Column {
        /// The column of an attribute that has one of its own.
        init(_ attribute: StoredSchema.Attribute) {
            self.init(
                UTF8Key(StoreNames.column(attribute)), attribute.type.storage.serverType.name,
                isRequired: !attribute.isOptional)
        }

        fileprivate init(_ name: UTF8Key, _ type: String, isRequired: Bool) {
            let collation = type.hasPrefix("text") ? Self.collation : ""
            self.init(name: name, type: type + collation, isRequired: isRequired)
        }

        /// The column in a CREATE TABLE or an ADD COLUMN.
        var declaration: String { name.text.asSQLName + " " + type + (isRequired ? " NOT NULL" : "") }
    }

    extension AttributeType.Storage {
        var isText: Bool {
            switch self {
            case .text, .json: true
            case .integer, .unsigned, .real, .blob, .decimal: false
            }
        }

        /// The most bytes that a value takes in its row: a longer one is stored elsewhere.
        fileprivate var maximumRowBytes: Int {
            switch self {
            case .integer, .unsigned, .real: 8
            case .text, .json, .blob, .decimal: 24
            }
        }
    }
#endif
