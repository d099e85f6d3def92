/// Notes for an empty result, which name the folder that was read. Each ends with a line feed.
package enum EmptyResult {
    static let advice = """
        "scrollback listen" or "scrollback import" fills an archive, --data chooses another folder
        """

    package static func noAccounts(folder: String) -> String {
        "no accounts in \(Sanitizer.line(folder)); \(advice)\n"
    }

    package static func noRooms(folder: String) -> String {
        "no rooms in \(Sanitizer.line(folder)); \(advice)\n"
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
