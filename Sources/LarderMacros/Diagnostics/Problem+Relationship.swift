#if Macros

    import SwiftDiagnostics

    extension Problem {
        static func relationshipOnOther(_ name: String, type: String, suggestion: String?) -> Problem {
            let advice = suggestion.map { "make it '\($0)'" } ?? "remove @Relationship"
            return Problem(
                "relationshipOnOther",
                "@Relationship belongs on a ToOne, ToMany, OrderedToMany or ToOneInverse, "
                    + "and '\(name)' is of type \(type); \(advice)")
        }

        static func containedRelationship(_ name: String, type: String, suggestion: String?) -> Problem {
            let advice = suggestion.map { "make it '\($0)'" } ?? "use a ToMany"
            return Problem(
                "containedRelationship",
                "'\(name)' is of type \(type), whose items no store would look after; \(advice)")
        }

        static func optionalRelationship(_ name: String, kind: RelationshipType.Kind) -> Problem {
            Problem(
                "optionalRelationship",
                "\(kind.title) is empty if there is no item, and never nil; "
                    + "make '\(name)' one that is not optional")
        }

        static func inverseOnReference(_ name: String, target: String) -> Problem {
            Problem(
                "inverseOnReference",
                "'\(name)' is a ToOne, which is stored and so names no inverse; name it as the inverse in "
                    + "\(target), or make it 'ToOneInverse<\(target)>' if \(target) has the ToOne")
        }

        static func inverseOnOrdered(_ name: String, target: String) -> Problem {
            Problem(
                "inverseOnOrdered",
                "'\(name)' keeps the order of its own links and so names no inverse; name it as the inverse in "
                    + "\(target), or make it a ToMany")
        }

        static func inverseMissing(_ name: String, target: String) -> Problem {
            Problem(
                "inverseMissing",
                "'\(name)' shows the item whose ToOne refers to this one, so it has to name that ToOne, as in "
                    + "'@Relationship(inverse: \\\(target).name)'")
        }

        static func inverseUnnamed(
            _ name: String, _ kind: RelationshipType.Kind, reference: String, type: String
        ) -> Problem {
            let mark = "'@Relationship(inverse: \\\(type).\(reference))'"
            let advice = kind == .orderedToMany ? "make it a ToMany and write \(mark)" : "write \(mark)"
            return Problem(
                "inverseUnnamed",
                "'\(name)' names no inverse, and '\(reference)' refers back to \(type); \(advice), or "
                    + "'@Relationship(inverse: nil)' if they are two relationships")
        }

        static func inverseIsNotPath(_ target: String) -> Problem {
            Problem(
                "inverseIsNotPath",
                "the inverse is read from the source; write a type and one of its properties, as in "
                    + "'\\\(target).name'")
        }

        static func ownInverse(_ name: String) -> Problem {
            Problem(
                "ownInverse",
                "'\(name)' cannot be its own inverse; remove 'inverse', or name another property, "
                    + "which then shows the items at the other end")
        }

        static let ruleIsNotLiteral = Problem(
            "ruleIsNotLiteral",
            "the delete rule is read from the source; write .nullify, .cascade, .deny or .noAction")

        static func markOnRelationship(_ mark: PropertyMark, _ name: String, _ kind: RelationshipType.Kind)
            -> Problem
        {
            Problem(
                "markOnRelationship",
                "'\(name)' is \(kind.title), which has no column; remove @\(mark.rawValue)")
        }

        static func nameOfAttribute(
            _ name: String, _ kind: RelationshipType.Kind, label: String
        ) -> Problem {
            let what = label == "storedAs" ? "name in the store" : "original name"
            return Problem(
                "\(label)OfAttribute",
                "'\(name)' is \(kind.title), whose links keep their \(what) in another mark; "
                    + "write @Relationship(\(label): …)")
        }

        static func indexedReference(_ name: String) -> Problem {
            Problem(
                "indexedReference", "'\(name)' is a ToOne, which has an index by itself; remove @Indexed",
                severity: .warning)
        }

        static func listRepeatsReference(_ name: String) -> Problem {
            Problem(
                "listRepeatsReference", "'\(name)' is a ToOne, which has an index by itself; remove this list"
            )
        }

        static func relationshipWithValue(_ name: String, value: String) -> Problem {
            Problem(
                "relationshipWithValue",
                "'\(name)' shows items of the store, and a list here would replace them in every new item; "
                    + "write '= \(value)' or no value, and pass items when an item is made")
        }

        static func relationshipInList(_ name: String, kind: RelationshipType.Kind) -> Problem {
            Problem(
                "relationshipInList",
                "'\(name)' is \(kind.title), which has no column for an index to hold; remove it here")
        }
    }

#endif
