import Glibc

/// Watches folders for files that change, by inotify. It costs nothing until one does.
final class FolderWatch {
    /// The descriptor to wait for; -1 if the kernel gives none.
    let descriptor: Int32
    private var folders: Set<String> = []

    init() { descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches further folders. Ignores those that can't be watched: the user's limit of watches, usually 8,192, is reached.
    func add(_ paths: [String]) {
        guard descriptor >= 0 else { return }
        for path in paths where folders.insert(path).inserted {
            // Files that another process writes, adds and renames. Reading changes none of the files.
            if inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) < 0 {
                folders.remove(path)
            }
        }
    }

    /// Reads what happened since the last call.
    ///
    /// - Returns: True if a file of an account changed, or an account was added.
    func hasChanged() -> Bool {
        var (isChanged, buffer) = (false, [UInt8](repeating: 0, count: 16 << 10))
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return isChanged }
            isChanged = isChanged || Self.names(in: buffer[..<count]).contains { !$0.hasSuffix("-shm") }
        }
    }

    /// Returns the names of files in events (inotify(7)): 16 bytes, of which the last four are the length of the name.
    private static func names(in events: ArraySlice<UInt8>) -> [String] {
        var (names, rest) = ([String](), events)
        while rest.count >= 16 {
            let length = rest.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            names.append(String(decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self))
            rest = rest.dropFirst(16 + length)
        }
        return names
    }
}
