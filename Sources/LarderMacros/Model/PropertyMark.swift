#if Macros

    /// The attributes of Larder that a stored property may have.
    package enum PropertyMark: String, CaseIterable, Sendable {
        case indexed = "Indexed"
        case unique = "Unique"
        case attribute = "Attribute"
        case transient = "Transient"
        case relationship = "Relationship"
    }

#endif
