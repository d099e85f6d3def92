import TextEncodings

extension FoundFiles {
    /// Finds the files in a ZIP archive, except hidden ones. Returns the encoding of their names, if it was recognised.
    ///
    /// - Parameter encoding: The encoding of names that are not UTF-8; nil to recognise it.
    /// - Throws: ``UnreadableBytes`` for too many files, and for files that share bytes of the archive
    ///   (``ZipOverlap``).
    @discardableResult
    mutating func addFiles(
        inArchive archive: String, encoding: TextEncoding? = nil
    ) throws(UnreadableBytes) -> RecognisedEncoding? {
        try ZipOverlap.refuse(archive, limit: limit.files)
        try addContainer(archive, isArchive: true)
        let start = count
        var names = ZipNames(archive, limit: limit.files, given: encoding)
        try ZipDirectory.forEachItem(in: archive, limit: limit.files) { item throws(UnreadableBytes) in
            guard item.name.last != UInt8(ascii: "/") else { return }
            let path = ZipEntry.path(names.decoded(item.name))
            guard !ZipEntry.isHidden(path) else { return }
            let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
            let folder = try addFolder(String(path[..<name]))
            try addFile(path.utf8[name...], in: folder, at: item.place)
        }
        sort(from: start)
        return names.recognised
    }
}
