#if Macros

    /// The attributes of Larder that a stored property may have.
    enum PropertyMark: String, CaseIterable {
        case indexed = "Indexed"
        case unique = "Unique"
        case attribute = "Attribute"
        case transient = "Transient"
        case relationship = "Relationship"
    }

#endif
