/// What is read: a data folder or a shared archive.
package enum ArchiveSource: Sendable {
    case folder(Archive)
    case shared(SharedArchive)

    /// The data folder; nil for a shared archive.
    package var folder: Archive? { if case .folder(let archive) = self { archive } else { nil } }

    /// Returns a value that reads it, with accounts of its own.
    ///
    /// - Parameter cold: True to read compressed accounts too. A shared archive has none.
    package func reading(cold: Bool = false) -> ArchiveReading {
        switch self {
        case .folder(let archive): (cold ? Archive(folder: archive.folder, cold: .several) : archive).reading()
        case .shared(let archive): archive.reading()
        }
    }
}
