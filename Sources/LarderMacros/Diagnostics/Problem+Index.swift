#if Macros

    import SwiftSyntax

    extension Problem {
        static func indexedAndUnique(_ name: String) -> Problem {
            Problem("indexedAndUnique", "@Unique already keeps an index on '\(name)'; remove @Indexed")
        }

        static func repeatedMark(_ mark: PropertyMark, _ name: String) -> Problem {
            Problem("repeatedMark", "'\(name)' has @\(mark.rawValue) twice; remove one")
        }

        static func uniqueTwice(_ name: String) -> Problem {
            Problem("uniqueTwice", "@Unique already makes '\(name)' unique; remove '.unique'")
        }

        static let optionIsNotLiteral = Problem(
            "optionIsNotLiteral", "the option is read from the source; write .unique")

        static func markOnIdentifier(_ mark: AttributeSyntax) -> Problem {
            let name = mark.isUniqueOption ? "'.unique'" : "@\(mark.attributeName.trimmedDescription)"
            return Problem(
                "markOnIdentifier", "'id' is the key of the store, ordered and unique; remove \(name)")
        }

        static func markOnTransient(_ mark: PropertyMark, _ name: String) -> Problem {
            Problem(
                "markOnTransient",
                "'\(name)' is @Transient and so not stored; remove @\(mark.rawValue), or @Transient")
        }

        static func notIndexable(_ name: String, type: String) -> Problem {
            Problem(
                "notIndexable",
                "'\(name)' is of type \(type), which no index can hold; remove it from the index, "
                    + "or store the value to search for in a property of its own")
        }

        static func notText(_ name: String, type: String) -> Problem {
            Problem(
                "notText",
                "'\(name)' is of type \(type), and only texts are compared without regard to case or diacritics; "
                    + "remove the comparison")
        }

        static func unknownName(_ name: String, in item: String, suggestion: String?) -> Problem {
            let advice = suggestion.map { "did you mean '\($0)'?" } ?? "name a stored property or remove it"
            return Problem("unknownName", "'\(item)' has no stored property '\(name)'; \(advice)")
        }

        static let emptyList = Problem("emptyList", "this list names no property; name some or remove it")

        static func repeatedName(_ name: String) -> Problem {
            Problem("repeatedName", "'\(name)' is in this list already; remove it here")
        }

        static let repeatedList = Problem("repeatedList", "this list repeats an earlier one; remove it")

        static let listIsAlsoUnique = Problem(
            "listIsAlsoUnique", "the same list in 'uniques' already keeps this index; remove this one")

        static func listRepeatsMark(_ mark: PropertyMark, _ name: String) -> Problem {
            Problem(
                "listRepeatsMark", "@\(mark.rawValue) already keeps an index on '\(name)'; remove this list")
        }

        static func markRepeatsList(_ name: String) -> Problem {
            Problem("markRepeatsList", "'uniques' already keeps an index on '\(name)'; remove @Indexed")
        }

        static let listRepeatsKey = Problem(
            "listRepeatsKey", "'id' is the key of the store, ordered and unique; remove this list")

        static let listIsNotLiteral = Problem(
            "listIsNotLiteral",
            "the names are read from the source; write lists of string literals, "
                + "as in [[\"city\", \"rating\"]]"
        )

        static func markOnOther(_ mark: PropertyMark, what: String) -> Problem {
            Problem(
                "markOnOther",
                "@\(mark.rawValue) belongs on a stored property, and this is \(what); remove it here")
        }

        static func markOutside(_ mark: PropertyMark) -> Problem {
            Problem(
                "markOutside",
                "@\(mark.rawValue) only has a meaning in a struct with @StoredItem; "
                    + "put @StoredItem on the struct around it, or remove @\(mark.rawValue)")
        }
    }

#endif
