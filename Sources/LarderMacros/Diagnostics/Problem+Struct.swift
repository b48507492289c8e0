#if Macros

    extension Problem {
        static func notAStruct(kind: String, name: String) -> Problem {
            Problem(
                "notAStruct",
                "@StoredItem belongs on a struct, and \(name) is \(kind); make it a struct, "
                    + "whose values can be kept outside of the store")
        }

        static func genericStruct(_ name: String) -> Problem {
            Problem(
                "genericStruct",
                "a generic struct does not have a single schema to store; remove the generic parameters of '\(name)', "
                    + "or write one struct for each use of it")
        }

        static func genericSurroundings(_ name: String) -> Problem {
            Problem(
                "genericSurroundings",
                "'\(name)' is inside a generic type, so it does not have a single schema to store; move it out"
            )
        }

        static func privateInType(_ name: String) -> Problem {
            Problem(
                "privateInType",
                "'\(name)' is private to the type around it, so its conformance to DataStoreItem "
                    + "cannot see it; make it fileprivate")
        }

        static func privateSurroundings(_ name: String, type: String) -> Problem {
            Problem(
                "privateSurroundings",
                "'\(name)' is inside '\(type)', which is private to the type around it, so the conformance of "
                    + "'\(name)' to DataStoreItem cannot see it; make '\(type)' fileprivate")
        }

        static func privateType(_ type: String, of property: String, in item: String) -> Problem {
            Problem(
                "privateType",
                "'\(type)' is private to '\(item)', so the attribute of '\(property)' cannot name it; "
                    + "make it fileprivate")
        }

        static func reservedMember(_ name: String) -> Problem {
            Problem("reservedMember", "@StoredItem adds '\(name)' itself; rename this one")
        }

        static let entityName = Problem(
            "entityName",
            "the name of the entity is read from the source; write it as a string literal that is not empty")
    }

#endif
