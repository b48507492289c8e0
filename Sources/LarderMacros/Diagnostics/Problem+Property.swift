#if Macros

    extension Problem {
        static func missingType(_ name: String, example: String) -> Problem {
            Problem(
                "missingType",
                "a macro sees only what is written, and the type of '\(name)' is not; "
                    + "add it, as in '\(example)'")
        }

        static func constantProperty(_ name: String) -> Problem {
            Problem(
                "constantProperty",
                "'id' is the only constant among stored properties; make '\(name)' a 'var', "
                    + "or a static or computed property"
            )
        }

        static func transientWithoutValue(_ name: String, optional: String) -> Problem {
            Problem(
                "transientWithoutValue",
                "'\(name)' is not stored, so an item that is read needs a value for it; "
                    + "add a default value, or make it '\(optional)'")
        }

        static let tuplePattern = Problem(
            "tuplePattern", "a column holds one property; declare each of these properties on its own")

        static let selfProperty = Problem(
            "selfProperty",
            "'self' names the item itself in the code that reads and writes it; rename this property")

        static func tupleProperty(_ name: String) -> Problem {
            Problem(
                "tupleProperty",
                "'\(name)' is a tuple, which cannot be stored; use one property for each part, "
                    + "or a Codable struct that conforms to CodableAttribute")
        }

        static func functionProperty(_ name: String) -> Problem {
            Problem(
                "functionProperty",
                "'\(name)' holds a function, which cannot be stored; make it a method or a computed property")
        }

        static func branchingValue(_ name: String) -> Problem {
            Problem(
                "branchingValue",
                "the value of '\(name)' is repeated as a default argument, which cannot be an 'if' or a 'switch'; "
                    + "write it as a closure that is called, or a static constant")
        }

        static func implicitlyUnwrapped(_ name: String) -> Problem {
            Problem(
                "implicitlyUnwrapped",
                "'\(name)' is implicitly unwrapped, which would hide a stored nil; write '?' instead of '!'")
        }

        static func lazyProperty(_ name: String) -> Problem {
            Problem(
                "lazyProperty",
                "'\(name)' is lazy, so reading it would change the item; make it a computed property, "
                    + "or remove 'lazy' to store it")
        }

        static func conditionalProperty(_ name: String) -> Problem {
            Problem(
                "conditionalProperty",
                "a macro cannot tell whether '\(name)' is compiled; move the property out of '#if'")
        }

        static let conditionalMark = Problem(
            "conditionalMark",
            "a macro cannot tell whether this mark is compiled; move it out of '#if'")

        static func computedIdentifier(_ item: String) -> Problem {
            Problem(
                "computedIdentifier",
                "'id' has to be stored; write 'let id: ItemID<\(item)>', or leave it out "
                    + "and @StoredItem adds it"
            )
        }

        static let variableIdentifier = Problem(
            "variableIdentifier", "'id' is final from the moment an item is made; make it a 'let'")

        static func optionalIdentifier(type: String) -> Problem {
            Problem(
                "optionalIdentifier",
                "an item has its 'id' from the moment it is made; make it '\(type)'")
        }

        static let identifierWithValue = Problem(
            "identifierWithValue",
            "with an initial value, every item would have the same 'id'; "
                + "write only its type, as in 'let id: UUID', and pass the value when an item is made")

        static func hiddenIdentifier(_ level: AccessLevel) -> Problem {
            Problem(
                "hiddenIdentifier",
                "'id' has to be visible wherever the struct is; make it \(level.rawValue)")
        }

        static let storedNameIsNotLiteral = Problem(
            "storedNameIsNotLiteral",
            "'storedAs' is read from the source; write it as a string literal that is not empty")

        static let storedNameOfIdentifier = Problem(
            "storedNameOfIdentifier", "every store names the identifier 'id'; remove 'storedAs'")

        static func storedNameTwice(_ name: String) -> Problem {
            Problem("storedNameTwice", "'\(name)' has two names in the store; remove one")
        }

        static func storedNameOfInverse(_ name: String) -> Problem {
            Problem(
                "storedNameOfInverse",
                "'\(name)' shows what its inverse stores, and stores nothing to name; remove 'storedAs'")
        }

        static func storedNameIsTaken(_ name: String, other: String) -> Problem {
            Problem(
                "storedNameIsTaken",
                "'\(other)' is already stored as '\(name)'; give this property another name in the store")
        }

        static let originalNameIsNotLiteral = Problem(
            "originalNameIsNotLiteral",
            "'originalName' is read from the source; write it as a string literal that is not empty")

        static func originalNameTwice(_ name: String) -> Problem {
            Problem("originalNameTwice", "'\(name)' has two original names; remove one")
        }

        static func originalNameOfInverse(_ name: String) -> Problem {
            Problem(
                "originalNameOfInverse",
                "'\(name)' shows what its inverse stores, and stores nothing to take over; remove 'originalName'"
            )
        }

        static func originalNameIsTaken(_ name: String) -> Problem {
            Problem(
                "originalNameIsTaken",
                "'\(name)' is a property of this struct now, so its values cannot be taken over by another; "
                    + "remove this 'originalName' or rename that property")
        }

        static func originalNameIsRepeated(_ name: String, other: String) -> Problem {
            Problem(
                "originalNameIsRepeated",
                "'\(other)' already takes over the values of '\(name)'; remove one of the two")
        }
    }

#endif
