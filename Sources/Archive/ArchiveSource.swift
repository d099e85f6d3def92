package import Reading

/// What is read: a data folder or a shared archive.
package enum ArchiveSource: Sendable {
    case folder(Archive)
    case shared(SharedArchive)

    /// The data folder; nil for a shared archive.
    package var folder: Archive? { if case .folder(let archive) = self { archive } else { nil } }

    /// The same source, in which reading several accounts includes compressed ones. A shared archive has none.
    package var withCold: ArchiveSource {
        switch self {
        case .folder(let archive): .folder(archive.withCold)
        case .shared: self
        }
    }

    /// Returns a value that reads it, with accounts of its own.
    package func reading() -> ArchiveReading {
        switch self {
        case .folder(let archive): archive.reading()
        case .shared(let archive): archive.reading()
        }
    }
}
