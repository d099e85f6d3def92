import Glibc
import Importing
import LogFormats
import Options
import Rendering

/// The arguments of an import: `[FORMAT] PATH…`.
struct ImportWords {
    /// The given format; nil to recognise the format.
    let format: (any LogFormat.Type)?
    let paths: [String]

    /// Takes the first word as a format if it is the name of one, and either a path follows or no file has that name.
    ///
    /// - Throws: `ValidationError` when no path is left, or when the first word resembles a format and no such file
    ///   exists.
    init(_ words: [String], exists: (String) -> Bool = ImportWords.exists) throws {
        guard let first = words.first else { throw Self.noFile }
        let rest = Array(words.dropFirst())
        if let known = KnownLogFormats.all.first(where: { $0.name == first }), !rest.isEmpty || !exists(first) {
            guard !rest.isEmpty else { throw Self.noFile }
            (format, paths) = (known, rest)
            return
        }
        let nearest = rest.isEmpty ? nil : Nearest.to(first, among: KnownLogFormats.all.map { $0.name })
        if let nearest, first != "-", !exists(first) {
            throw ValidationError(
                """
                no file and no format "\(Sanitizer.line(first))"; did you mean "\(nearest)"? \
                Formats: \(KnownLogFormats.names)
                """)
        }
        (format, paths) = (nil, words)
    }

    private static let noFile = ValidationError("no file given; - reads standard input")

    private static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
