extension String {
    /// The last name of a path, without a `/` at its end: `/` for the root.
    package var lastName: String {
        let path = self[...].utf8.withoutSlashesAtEnd
        if path.isEmpty, !isEmpty { return "/" }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map(path.index(after:)) ?? path.startIndex
        return String(Substring(path[start...]))
    }

    /// The folder of a path, without a `/` at its end: `/` for the root, and empty for a name alone.
    ///
    /// Foundation's `deletingLastPathComponent` traps on a path of one character (Swift 6.3.1).
    package var parentFolder: String {
        let path = self[...].utf8.withoutSlashesAtEnd
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path.isEmpty && !isEmpty ? "/" : "" }
        let parent = path[..<slash].withoutSlashesAtEnd
        return parent.isEmpty ? "/" : String(Substring(parent))
    }
}

extension Substring.UTF8View {
    fileprivate var withoutSlashesAtEnd: Substring.UTF8View {
        var path = self
        while path.last == UInt8(ascii: "/") { path = path.dropLast() }
        return path
    }
}
