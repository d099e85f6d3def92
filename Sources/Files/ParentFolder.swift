extension String {
    /// The last name of a path, without a `/` at its end: `/` for the root.
    package var lastName: String {
        let path = utf8.reversed().drop { $0 == UInt8(ascii: "/") }.prefix { $0 != UInt8(ascii: "/") }.reversed()
        return path.isEmpty && !isEmpty ? "/" : String(decoding: path, as: UTF8.self)
    }

    /// The folder of a path, without a `/` at its end: `/` for the root, and empty for a name alone.
    ///
    /// Foundation's `deletingLastPathComponent` traps on a path of one character (Swift 6.3.1).
    package var parentFolder: String {
        func trimmed(_ path: Substring.UTF8View) -> Substring.UTF8View {
            var path = path
            while path.last == UInt8(ascii: "/") { path = path.dropLast() }
            return path
        }
        let path = trimmed(self[...].utf8)
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return path.isEmpty && !isEmpty ? "/" : "" }
        let parent = trimmed(path[..<slash])
        return parent.isEmpty ? "/" : String(Substring(parent))
    }
}
