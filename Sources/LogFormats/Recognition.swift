/// The formats that a file may have, judged by its name and beginning.
package enum Recognition: Sendable {
    /// The only format that claims the file.
    case sure(any LogFormat.Type)
    /// The formats that claim the file, in the order of the known formats. They are several, or one of them has a
    /// doubt, which is the second value.
    case unsure([any LogFormat.Type], doubt: String?)
    case unknown

    package init(_ source: LogSource, among formats: [any LogFormat.Type] = KnownLogFormats.all) {
        let claims = Self.claims(on: source, among: formats)
        let doubt = claims.lazy.compactMap { $0.doubt(about: source) }.first
        self =
            switch claims.first {
            case nil: .unknown
            case let only? where claims.count == 1 && doubt == nil: .sure(only)
            default: .unsure(claims, doubt: doubt)
            }
    }

    /// Returns the formats that claim a file. Of several, those whose program gave the file its name have it alone;
    /// of others, those with the highest precedence.
    package static func claims(
        on source: LogSource, among formats: [any LogFormat.Type] = KnownLogFormats.all
    ) -> [any LogFormat.Type] {
        let claims = formats.filter { $0.recognises(source) }
        guard claims.count > 1 else { return claims }
        let name = source.name
        let owners = claims.filter { $0.isOwnName(name) }
        if !owners.isEmpty { return owners }
        let highest = claims.map { $0.precedence }.max()
        return claims.filter { $0.precedence == highest }
    }
}

/// Which format has a file that several claim, because programs write lines of the same form.
package enum Precedence: Int, Sendable, Comparable {
    /// Lines of a form that many programs write.
    case common
    /// Lines of a form that some programs write.
    case narrow
    /// Lines, or a name, that only the format's programs write.
    case own

    package static func < (a: Precedence, b: Precedence) -> Bool { a.rawValue < b.rawValue }
}
