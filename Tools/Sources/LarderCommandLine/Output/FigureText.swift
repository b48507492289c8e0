/// Figures for people.
enum FigureText {
    /// A count as `1,234,567`.
    static func count(_ number: Int) -> String {
        var text = ""
        for (place, digit) in String(number.magnitude).reversed().enumerated() {
            if place > 0 && place % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + String(text.reversed())
    }

    /// A count with its noun: `1 item`, `2 items`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// A size as `812 bytes` or `12.3 MB`; a MB is a million bytes.
    static func bytes(_ count: Int) -> String {
        if count < 1000 { return self.count(count, "byte") }
        var tenths = (count + 50) / 100
        for unit in ["kB", "MB", "GB", "TB"] {
            if tenths < 10_000 || unit == "TB" { return "\(tenths / 10).\(tenths % 10) \(unit)" }
            tenths = (tenths + 500) / 1000
        }
        return self.count(count, "byte")
    }

    /// A duration as `8 s`, `2 min 5 s` or `3 h 20 min`.
    static func duration(_ duration: Duration) -> String {
        let seconds = Int(duration.components.seconds)
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        default: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }
}
