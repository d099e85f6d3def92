import Glibc

/// A place in a home at which a program keeps its logs or its database.
struct HomePlace: Sendable, Hashable {
    /// The program, for people; nil for a place that several programs use.
    let program: String?
    /// The path below the home. `*` stands for a folder of any name.
    let pattern: String

    private init(_ program: String?, _ pattern: String) {
        (self.program, self.pattern) = (program, pattern)
    }

    /// The places of programs by their documentation and the defaults of their packages in Debian 12. A file in a place
    /// is recognised by its content, as everywhere.
    static let all: [HomePlace] = [
        HomePlace("irssi", "irclogs"), HomePlace("irssi", ".irssi/logs"), HomePlace("irssi", ".irssi/irclogs"),
        HomePlace("WeeChat", ".weechat/logs"), HomePlace("WeeChat", ".local/share/weechat/logs"),
        HomePlace("ZNC", ".znc/moddata/log"), HomePlace("ZNC", ".znc/users/*/moddata/log"),
        HomePlace("ZNC", ".znc/users/*/networks/*/moddata/log"),
        HomePlace("HexChat", ".config/hexchat/logs"), HomePlace("HexChat", ".config/hexchat/scrollback"),
        HomePlace("XChat", ".xchat2/xchatlogs"),
        HomePlace("HexChat", ".var/app/io.github.Hexchat/config/hexchat/logs"),
        HomePlace("Pidgin", ".purple/logs"), HomePlace("Gaim", ".gaim/logs"),
        HomePlace(nil, "logs"), HomePlace(nil, "irc/"), HomePlace("Konversation", ".local/share/konversation/logs"),
        HomePlace("Konversation", ".kde/share/apps/konversation/logs"),
        HomePlace("KVIrc", ".config/KVIrc/log"), HomePlace("KVIrc", ".kvirc/log"), HomePlace("KVIrc", "KVIrc/log"),
        HomePlace("catgirl", ".local/share/catgirl/log"),
        HomePlace("srain", ".local/share/srain/logs"),
        HomePlace("eggdrop", "eggdrop/logs"), HomePlace("bip", ".bip/logs"),
        HomePlace("Circe", ".emacs.d/circe"), HomePlace("ERC", ".emacs.d/erc/logs"), HomePlace("ERC", ".erc/logs"),
        HomePlace(nil, "log"),
        HomePlace("rcirc", ".emacs.d/rcirc-log"), HomePlace("EPIC", "irc.log"), HomePlace("ircII", "IrcLog"),
        HomePlace("mcabber", ".mcabber/histories"), HomePlace("mcabber", ".config/mcabber/histories"),
        HomePlace("poezio", ".local/share/poezio/logs"),
        // A database has ids, so it comes before the texts, whose messages are recognised among those of the database.
        HomePlace("profanity", ".local/share/profanity/database/*/chatlog.db"),
        HomePlace("profanity", ".local/share/profanity/chatlogs"),
        HomePlace("Gajim", ".local/share/gajim/logs.db"),
        HomePlace("Gajim", ".var/app/org.gajim.Gajim/data/gajim/logs.db"),
        HomePlace("Dino", ".local/share/dino/dino.db"), HomePlace("Dino", ".var/app/im.dino.Dino/data/dino/dino.db"),
        HomePlace("Psi", ".local/share/psi/profiles/*/history"), HomePlace("Psi", ".psi/profiles/*/history"),
        HomePlace("Psi+", ".local/share/psi+/profiles/*/history"),
        HomePlace("Quassel", ".config/quassel-irc.org/quassel-storage.sqlite"),
        HomePlace("The Lounge", ".thelounge/logs"), HomePlace("The Lounge", ".lounge/logs"),
        HomePlace("Kopete", ".local/share/kopete/logs"), HomePlace("Kopete", ".kde/share/apps/kopete/logs"),
        HomePlace("Kopete", ".kde4/share/apps/kopete/logs"),
        HomePlace("Polari", ".local/share/TpLogger/logs"), HomePlace("Empathy", ".local/share/Empathy/logs"),
        HomePlace("Thunderbird", ".thunderbird/*/logs"),
        HomePlace("Viber", ".ViberPC/*/viber.db"),
        HomePlace("Viber", "Library/Application Support/ViberPC/*/viber.db"),
        HomePlace("Messages", "Library/Messages/chat.db"),
        HomePlace("Adium", "Library/Application Support/Adium 2.0/Users/*/Logs"),
        HomePlace("Textual", "Library/Group Containers/*/Logs"),
    ]

    /// The limit of folders that `*` stands for.
    private static let maximumMatches = 100

    /// Returns the paths of the place that exist below a home. Follows no links.
    func paths(below home: String) -> [String] {
        var paths = [""]
        for part in pattern.split(separator: "/") {
            paths = paths.flatMap { path -> [String] in
                let names = part == "*" ? Self.folders(in: home + path) : [String(part)]
                return names.map { path + "/" + $0 }.filter { Self.isPlain(home + $0) }
            }
        }
        return paths.map { String($0.dropFirst()) }
    }

    private static func folders(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < maximumMatches, let entry = FolderEntry(next: stream, in: path) {
            if entry.kind == .folder { names.append(entry.name) }
        }
        return names.sorted()
    }

    /// Returns true for a folder or a regular file, false for a link.
    private static func isPlain(_ path: String) -> Bool { [.folder, .file].contains(FolderEntry.kind(at: path)) }
}

/// An entry of a folder.
struct FolderEntry {
    enum Kind {
        case folder, file, link, other
        /// The entry can't be examined.
        case unknown
    }

    let name: String
    let kind: Kind

    /// Reads the next entry of a folder, without `.` and `..`; nil at the end.
    init?(next stream: OpaquePointer, in folder: String) {
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            self.name = name
            kind =
                switch Int(entry.pointee.d_type) {
                case DT_DIR: .folder
                case DT_REG: .file
                case DT_LNK: .link
                case DT_UNKNOWN: Self.kind(at: ImportFile.join(folder, name))
                default: .other
                }
            return
        }
        return nil
    }

    /// Returns the kind of a path, without following a link at its end.
    static func kind(at path: String) -> Kind {
        var status = stat()
        guard lstat(path, &status) == 0 else { return .unknown }
        return switch status.st_mode & S_IFMT {
        case S_IFDIR: .folder
        case S_IFREG: .file
        case S_IFLNK: .link
        default: .other
        }
    }
}
