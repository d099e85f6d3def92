extension FoundFiles {
    /// Finds the files in a ZIP archive, except hidden ones.
    ///
    /// - Throws: ``UnreadableBytes`` for too many files, and for files that share bytes of the archive
    ///   (``ZipOverlap``).
    mutating func add(archive: String) throws(UnreadableBytes) {
        try ZipOverlap.refuse(archive, limit: limit.files)
        try add(container: archive, isArchive: true)
        let start = count
        try ZipDirectory.read(archive, limit: limit.files) { item throws(UnreadableBytes) in
            guard item.name.last != UInt8(ascii: "/") else { return }
            let path = ZipEntry.path(item.name)
            guard !ZipEntry.isHidden(path) else { return }
            let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
            let folder = try add(folder: String(path[..<name]))
            try add(file: path.utf8[name...], in: folder, at: item.place)
        }
        sort(from: start)
    }
}
