/// The formats that a file may have, judged by its name and beginning.
package enum Recognition: Sendable {
    /// The only format that claims the file.
    case sure(any LogFormat.Type)
    /// The formats that claim the file, in the order of the known formats. They are several, or one of them has a
    /// doubt, which is the second value.
    case unsure([any LogFormat.Type], doubt: String?)
    case unknown

    package init(_ source: LogSource, among formats: [any LogFormat.Type] = KnownLogFormats.all) {
        let claims = formats.filter { $0.recognises(source) }
        let doubt = claims.lazy.compactMap { $0.doubt(about: source) }.first
        self =
            switch claims.first {
            case nil: .unknown
            case let only? where claims.count == 1 && doubt == nil: .sure(only)
            default: .unsure(claims, doubt: doubt)
            }
    }
}
