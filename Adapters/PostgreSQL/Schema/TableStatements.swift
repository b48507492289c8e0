#if PostgreSQL
    import LarderKernel
    import LarderSQL

    extension StoredSchema.Entity {
        /// The statement that makes the table, with a key of its own name: names of keys are unique in a schema.
        func creation(in place: ServerPlace) -> String {
            let layout = TableLayout(self)
            return """
                CREATE TABLE \(place.table(of: self)) (\(layout.columns.map(\.declaration).joined(separator: ", ")), \
                CONSTRAINT \(StoreNames.key(of: self)) PRIMARY KEY (\(layout.places.first ?? "")))
                """
        }

        /// The statement that makes the table of an index.
        func creation(of index: StoredSchema.Index, in place: ServerPlace) -> String {
            """
            CREATE UNIQUE INDEX IF NOT EXISTS \(StoreNames.index(index, of: self)) \
            ON \(place.table(of: self)) (\(keys(of: index).joined(separator: ", ")))
            """
        }

        /// The parts of an index, in which nil comes first.
        func keys(of index: StoredSchema.Index) -> [String] {
            let length = shortLength
            let layout = TableLayout(self)
            let columns = index.attributes.compactMap { name in
                attributes.firstIndex { UTF8Text.areEqual($0.name, name) }
            }.map { position in
                let place = layout.places[position]
                let whole = layout.isPacked ? "(\(place))" : place
                let key = mayBeLong(attributes[position]) ? "left(\(place), \(length))" : whole
                return key + (attributes[position].isOptional ? " NULLS FIRST" : "")
            }
            return columns + layout.places.prefix(1)
        }
    }

    // An index refuses keys of more than 2,704 bytes, so it has the beginnings of texts.
    extension StoredSchema.Entity {
        /// True if a column in an index may have values of any length: a text that is not the identifier of an item.
        private func mayBeLong(_ attribute: StoredSchema.Attribute) -> Bool {
            let isReference = isLink || relationships.contains { UTF8Text.areEqual($0.name, attribute.name) }
            return attribute.type.storage.isText && !isReference
        }

        private func longColumns(of index: StoredSchema.Index) -> [Int] {
            attributes.indices.filter { position in
                mayBeLong(attributes[position])
                    && index.attributes.contains { UTF8Text.areEqual($0, attributes[position].name) }
            }
        }

        /// The characters of a text that an index has: of four bytes each, for all texts of the largest index together.
        private var shortLength: Int {
            450 / max(1, indexes.map { longColumns(of: $0).count }.max() ?? 1)
        }

        /// The columns of which indexes have the beginning; nil if there are none.
        var shortened: ShortenedColumns? {
            let columns = Set(indexes.flatMap { longColumns(of: $0) })
            return columns.isEmpty ? nil : ShortenedColumns(columns, length: shortLength)
        }
    }

    extension Constant {
        /// The constant as SQL, for the places that take no parameters; nil for nil.
        func literal(as storage: AttributeType.Storage) -> String? {
            switch (self, storage) {
            case (.null, _): return nil
            case (.integer(let value), .unsigned): return "'\(value ^ .min)'::bigint"
            case (.integer(let value), _): return "'\(value)'::bigint"
            case (.unsigned(let value), _): return "'\(Int64(bitPattern: value) ^ .min)'::bigint"
            case (.real(let value), _): return "'\(value)'::double precision"
            case (.decimal(let text), _): return "'\(text)'::numeric"
            case (.blob(let bytes), _):
                let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                return "'\\x\(digits)'::bytea"
            case (.text(let text), _):
                var bytes: [UInt8] = []
                text.withBytes { ServerText.append($0, to: &bytes) }
                return "'" + String(decoding: bytes, as: UTF8.self).putting("'", before: "'") + "'::text"
            }
        }
    }
#endif
