/// The fields of one object below each other, as `get` and `info` show them.
struct FieldOutput {
    let fields: [OutputValue.Field]

    /// A line for each field, with the names in a column of their own.
    func text(paint: Paint) -> String {
        let width = fields.map { DisplayWidth.of($0.name.visible) }.max() ?? 0
        return fields.reduce(into: "") { text, field in
            let name = field.name.visible
            let spaces = String(repeating: " ", count: width - DisplayWidth.of(name) + 2)
            let isNil = field.value == .null
            text += paint(name, .bold) + spaces
            text += (isNil ? paint("nil", .dim) : field.value.tableText) + "\n"
        }
    }
}
