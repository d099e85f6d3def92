import Bytes
import ChatModel
import FoundationEssentials

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

extension IrssiFormat {
    package static var isOfIRC: Bool { true }

    /// Returns `libera` for `irclogs/libera/#example.log` and `irclogs/2026/libera/#example.11-21.log`.
    package static func accountName(in source: LogSource) -> String? {
        NetworkName.folder(after: "irclogs", in: source.folders)
            ?? NetworkName.plausible(source.folders.last { !RoomName.isChannel($0) })
    }
}

extension WeeChatFormat {
    package static var isOfIRC: Bool { true }

    /// Returns `libera` for `irc.libera.#example.weechatlog`, `irc.libera.#example/2026-11-21.weechatlog` and
    /// `2026/irc/libera/#example-2026-11-21.weechatlog`.
    package static func accountName(in source: LogSource) -> String? {
        for name in [source.name, source.folders.last ?? ""] {
            let parts = name.split(separator: ".")
            guard parts.count > 2, parts[0] == "irc" else { continue }
            return NetworkName.plausible(String(parts[1] == "server" ? parts[2] : parts[1]))
        }
        return NetworkName.folder(after: "irc", in: source.folders)
    }
}

extension ZNCFormat {
    package static var isOfIRC: Bool { true }

    /// Returns `libera` for `libera/#example/2026-11-21.log`, `networks/libera/moddata/log/#example_20261121.log` and
    /// `user_libera_#example_20261121.log`.
    package static func accountName(in source: LogSource) -> String? {
        if let network = NetworkName.folder(after: "networks", in: source.folders) { return network }
        let before = source.name.prefix { !RoomName.isChannel(String($0)) }
        if before.count < source.name.count, before.split(separator: "_").count > 1 {
            return NetworkName.plausible(before.split(separator: "_").last.map(String.init))
        }
        let isFolderOfWindow = RoomName.stem(of: source.name).isEmpty
        let folders = isFolderOfWindow ? source.folders.dropLast() : source.folders[...]
        // Textual: `libera (A1B2C)/Channels/#example/2026-11-21.txt`.
        if let last = folders.last, ["Channels", "Queries"].contains(last) {
            let network = folders.dropLast().last?.prefix { $0 != "(" }.trimmed
            return NetworkName.plausible(network)
        }
        return NetworkName.plausible(folders.last)
    }
}

extension EnergymechFormat {
    package static var isOfIRC: Bool { true }
}

extension JSONLinesFormat {
    private struct AccountLine: Decodable {
        let account: String
    }

    /// Returns the account of a full export, or of the first line that `history` wrote.
    package static func accountName(in source: LogSource) -> String? {
        if let record = account(in: source) { return record.name }
        let line = source.beginning.prefix { $0 != UInt8(ascii: "\n") }
        return try? JSONDecoder().decode(AccountLine.self, from: Data(line)).account
    }
}
