import Bytes

/// The folder of a conversation in Meta's downloads, such as `your_facebook_activity/messages/inbox/alice_1234567890`, in which
/// the file with the newest messages is `message_1.json` or `message_1.html`.
enum MessengerFolder {
    /// Returns the positions of a conversation's files, the newest first; empty for other folders.
    static func files(among paths: some RandomAccessCollection<String>, ending: String) -> [Int] {
        var numbered: [(number: Int, index: Int)] = []
        for (index, path) in paths.enumerated() {
            guard !path.utf8.contains(UInt8(ascii: "/")) else { break }
            if let number = number(of: path, ending: ending) { numbered.append((number, index)) }
        }
        return numbered.sorted { $0 < $1 }.map(\.index)
    }

    /// Returns 12 for `message_12.json`, and 0 for the `message.json` of 2018.
    static func number(of name: String, ending: String) -> Int? {
        if name == "message" + ending { return 0 }
        guard name.hasPrefix("message_"), name.hasSuffix(ending) else { return nil }
        let digits = name.dropFirst("message_".count).dropLast(ending.count)
        return digits.utf8.allSatisfy(Byte.isDigit) ? Int(digits) : nil
    }

    /// Returns the conversation's number; nil if its folder has none. Folders from before 2020 end in letters, which differ in
    /// each download.
    static func roomKey(_ folder: String) -> String? {
        guard let id = folder.split(separator: "_").last, id.utf8.count > 4, id.utf8.allSatisfy(Byte.isDigit) else {
            return nil
        }
        return String(id)
    }

    /// Returns `instagram` for a file of Instagram's download.
    static func accountName(in source: LogSource) -> String? {
        source.folders.contains("your_instagram_activity") ? "instagram" : nil
    }
}
