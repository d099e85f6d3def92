/// Finds the names of IRC networks in the paths of logs.
enum NetworkName {
    /// The names of programs' folders, of years, and of folders that users make for their own order.
    private static let others: Set = [
        "", ".", "..", "irclogs", "log", "logs", "irc", "chat", "chats", "moddata", "networks", "users", "znc", ".znc",
        "irssi", "weechat", ".weechat", "downloads", "download", "desktop", "documents", "home", "tmp", "root",
    ]

    /// Returns a folder's name if it may be a network's.
    static func plausible(_ folder: String?) -> String? {
        guard let folder, !others.contains(folder.lowercased()), !RoomName.isChannel(folder),
            folder.contains(where: \.isLetter)
        else { return nil }
        return folder
    }

    /// Returns the folder after another one, such as `libera` in `irclogs/libera/#example.log`.
    static func folder(after name: String, in folders: [String]) -> String? {
        guard let index = folders.lastIndex(of: name), folders.indices.contains(index + 1) else { return nil }
        return plausible(folders[index + 1])
    }
}
