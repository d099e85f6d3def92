extension UnsupportedKind {
    /// Logs, exports and databases of chat programs, each by what only that program writes.
    static let programs = clientLogs + exports

    /// The advice for a log that no program converts.
    private static let convert = "convert it to CSV with the columns time, sender and text, and import that"

    /// The text logs of clients, in the form of the versions that are named.
    private static let clientLogs = [
        // tiny 0.13: libtiny_logger. Its actions, events and messages have no marks.
        UnsupportedKind("a log of tiny", convert, .head("*** Logging started at 9999-99-99 99:99:99")),
        // The bot clog, whose logs tunes.org publishes: 00:00:00 --- log: started example/26.11.21
        UnsupportedKind(
            "a log of the bot clog", convert,
            .head("99:99:99 --- log: started …/…"),
            Sign(
                lines: ["99:99:99 <…> …", "99:99:99 --- …: …", "99:99:99 * …"],
                mark: ["99:99:99 --- join: … (…@…) joined #…", "99:99:99 --- quit: … (…)"])),
        UnsupportedKind("a log of KVIrc 3", convert, .head("### Log session started at … ###")),
        // psyBNC 2.3: 2026-11-21-06-23-11:#example::alice!~alice@host PRIVMSG #example :hi
        UnsupportedKind(
            "a log of psyBNC", convert, .lines("9999-99-99-99-99-99:…:…", "??? ??? ?9 99:99:99 :…!…@… PRIVMSG … :…")),
        UnsupportedKind(
            "a log of dircproxy", convert,
            .lines("@9999999999 <…!…@…> …", "@9999999999 […!…@…] …", "<…!…@…> [99:99] …", "[…!…@…] [99:99] …")),
        UnsupportedKind("a log of Colloquy", convert, .name(".colloquytranscript")),
        UnsupportedKind(
            "a list of Trillian's pictures, without messages", "import the folder logs of Trillian",
            .markup("<asset medium=\"")),
        UnsupportedKind(
            "a log of Adium from before version 1.0", convert, .name(".adiumhtmllog", ".adiumlog")),
        // Times are of the clock or since the recording began. A newer version has the text on a line of its own.
        UnsupportedKind(
            "a chat of a Zoom meeting, which has no dates",
            "import the folder of the meeting, whose name has the day, such as '2026-11-21 15.23.11 Plans'",
            .lines("99:99:99?From  … : …", "99:99:99? From  … : …", "99:99:99?From … to …:…", "99:99:99? From … to …:…")
        ),
        UnsupportedKind("a chat of a Zoom recording in the cloud", convert, .lines("99:99:99\t…:\t…")),
    ]

    /// The advice for the texts and pages of Element, which lack ids and zones.
    private static let element = "in Element, export the chat again, choose JSON as the format, and import that file"

    /// The exports and downloads of services, by their keys.
    private static let exports = [
        // element-web: src/utils/exportUtils/Exporter.ts, PlainTextExport.ts and HtmlExport.tsx. The times are in the
        // browser's language and zone.
        UnsupportedKind(
            "a text export of Element", element, Sign(name: "… - chat export - ….txt"),
            Sign(name: "export.txt", lines: ["9…:99:99… - …"])),
        UnsupportedKind("a page of an Element export", element, .markup("id=\"matrixchat\"", "mx_RoomView")),
        UnsupportedKind(
            "a file of Google Chat (Takeout) without messages", "import the folder Google Chat, or messages.json",
            .json("members", "user_type"), .json("user", "user_type", "membership_info")),
        UnsupportedKind(
            "a WeChat export of WeFlow as arkme JSON", "in WeFlow, export the chat again as JSON, and import that file",
            .json("weflow", "arkme-json")),
        UnsupportedKind(
            "a list of the chunks of qq-chat-exporter", "import its folder, with the chunks",
            Sign(name: "manifest.json", opening: "{", words: ["QQChatExporter"])),
        UnsupportedKind(
            "a file without messages of your X (Twitter) archive", "import the folder data of the archive",
            .head(
                "window.YTD.a…", "window.YTD.b…", "window.YTD.c…", "window.YTD.e…", "window.YTD.f…", "window.YTD.g…",
                "window.YTD.i…", "window.YTD.k…", "window.YTD.l…", "window.YTD.m…", "window.YTD.n…", "window.YTD.p…",
                "window.YTD.r…", "window.YTD.s…", "window.YTD.t…", "window.YTD.u…", "window.YTD.v…")),
        UnsupportedKind(
            "a page of a Messenger or Instagram download",
            "request the download again, choose JSON as its format, and import that folder",
            Sign(name: "message_9….html", opening: "<")),
    ]
}
