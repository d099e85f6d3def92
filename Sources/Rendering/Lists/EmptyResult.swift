/// Notes for an empty result, which name the folder that was read. Each ends with a line feed.
package enum EmptyResult {
    static let advice = """
        "scrollback listen" or "scrollback import" fills an archive, --data chooses another folder
        """

    package static func noAccounts(folder: String) -> String {
        "no accounts in \(Sanitizer.line(folder)); \(advice)\n"
    }

    /// - Parameter hasSkipped: True if there are accounts that were not read.
    package static func noRooms(folder: String, hasSkipped: Bool = false) -> String {
        let place = "no rooms in \(Sanitizer.line(folder))"
        return hasSkipped ? "\(place) without the skipped accounts\n" : "\(place); \(advice)\n"
    }

    package static func nothingFound(folder: String) -> String {
        "nothing found in \(Sanitizer.line(folder))\n"
    }

    package static func nothingUnread(folder: String) -> String {
        "no unread messages in \(Sanitizer.line(folder))\n"
    }

    package static func noMessages(folder: String) -> String {
        "no messages found in \(Sanitizer.line(folder))\n"
    }
}
