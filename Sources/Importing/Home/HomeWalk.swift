import Glibc
import LogFormats

/// The rules of a walk through a home: which folders it enters, and which files it opens.
struct HomeWalk {
    /// True for a place of a program, whose files are opened whatever their names are.
    let isPlace: Bool
    /// The paths below the home that are not entered: the places of programs, which have walks of their own.
    var visited: Set<String> = []
    /// Returns true if the time for the walk is over.
    let isOver: () -> Bool

    /// The limit of folder levels, as in other folders.
    private static let maximumDepth = 32

    /// - Parameters:
    ///   - name: The name of a folder.
    ///   - folder: The path of the folder around it, with a `/` at its end, or empty.
    ///   - root: The path of the home or of the place.
    func enters(_ name: String, in folder: String, of root: String) -> Bool {
        guard !name.hasPrefix("."), folder.utf8.count(where: { $0 == UInt8(ascii: "/") }) < Self.maximumDepth else {
            return false
        }
        if isPlace { return true }
        guard !Self.skipped.contains(name), !visited.contains(folder + name) else { return false }
        let path = ImportFile.join(root, folder + name)
        return !Self.marks.contains { access(path + "/" + $0, F_OK) == 0 } && !OwnFolder.contains(path)
    }

    /// Returns true for a file that may be opened.
    func wants(_ name: String, in folder: String) -> Bool {
        if name.hasPrefix(".") { return false }
        return isPlace || (HomeName(name, in: folder) != .other && !visited.contains(folder + name))
    }

    /// Folders of packages for programmers, which have many files.
    private static let skipped: Set = ["node_modules", "site-packages", "__pycache__", "lost+found"]
    /// Files and folders that mark a folder as one of sources in version control, or as a cache
    /// (bford.info/cachedir).
    private static let marks = [".git", ".hg", ".svn", "CACHEDIR.TAG"]
}

/// The folders that Scrollback writes: archives, which backups are too, and exports.
enum OwnFolder {
    static func contains(_ path: String) -> Bool { isArchive(path) || isExport(path) }

    private static func isArchive(_ path: String) -> Bool {
        // A data folder, and the folder of an account.
        ["catalog.sqlite", "accounts"].allSatisfy { access(path + "/" + $0, F_OK) == 0 }
            || ["writer", "lock"].allSatisfy { access(path + "/" + $0, F_OK) == 0 }
    }

    private static func isExport(_ path: String) -> Bool {
        let manifest = path + "/" + OwnExport.manifestFile
        guard FolderEntry.kind(at: manifest) == .file else { return false }
        return (try? SQLiteFile.bytes(of: manifest, count: 10)) == Array("{\"export\":".utf8)
    }
}
