import ArgumentParser
import Foundation
import Importing
import LogFormats
import Rendering

/// What an import is told to read: `[FORMAT] PATH…`.
struct ImportWords {
    /// Nil where it is to be recognised.
    let format: (any LogFormat.Type)?
    let paths: [String]

    /// The first word is a format where it is the name of one and a path follows, or nothing is there that is called so.
    ///
    /// - Throws: `ValidationError` where no path is left, and for a first word that is nearly a format and no file.
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
                there is no file and no format "\(Sanitizer.line(first))"; did you mean "\(nearest)"? \
                There is: \(KnownLogFormats.names)
                """)
        }
        (format, paths) = (nil, words)
    }

    private static let noFile = ValidationError("no file given; - is stdin")

    private static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }
}
