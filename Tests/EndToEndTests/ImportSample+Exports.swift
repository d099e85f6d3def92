import Foundation

/// The exports of Messenger, Telegram's pages, Signal and Element.
extension ImportSample {
    /// A file to whose messages one is added.
    ///
    /// - Parameters:
    ///   - path: What is imported: the file, or its folder.
    ///   - export: Returns the file's text with these messages.
    private static func sample(
        _ format: String, _ name: String, path: String, read: String = "2 messages", by alice: String = "alice",
        and minsu: String = "민수", at fraction: String = "123", _ earlier: [String], then last: String,
        _ export: ([String]) -> String
    ) -> ImportSample {
        ImportSample(
            format: format, path: path, room: "Example", files: [(name, export(earlier), export(earlier + [last]))],
            read: read,
            messages: [
                "21T06:23:11.\(fraction)000Z message \(alice): hi", "21T06:23:12.\(fraction)000Z message \(minsu): 안녕",
            ], last: "21T06:23:19.\(fraction)000Z message \(alice): bye")
    }

    static let messenger = {
        /// UTF-8 that was read as Latin-1, as the download writes it.
        func misread(_ text: String) -> String {
            String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
        }
        func message(_ second: Int, _ name: String, _ text: String) -> String {
            """
            {"sender_name": "\(misread(name))", "timestamp_ms": 17952421\(second + 80)123, "content": "\(misread(text))",
             "type": "Generic"}
            """
        }
        let people = ["alice", "bob", "민수"].map { #"{"name": "\#(misread($0))"}"# }.joined(separator: ", ")
        let folder = "your_facebook_activity/messages/inbox/example_1234567890123456"
        return sample(
            "messenger", folder + "/message_1.json", path: folder,
            [message(11, "alice", "hi"), message(12, "민수", "안녕")], then: message(19, "alice", "bye")
        ) { messages in
            """
            {"participants": [\(people)], "messages": [\(messages.reversed().joined(separator: ",\n"))],
             "title": "Example", "is_still_participant": true, "thread_path": "inbox/example_1234567890123456"}
            """
        }
    }()

    static let telegramPages = {
        func message(_ second: Int, _ name: String, _ text: String) -> String {
            """

                 <div class="message default clearfix" id="message\(second)">

                  <div class="body">

                   <div class="pull_right date details" title="21.11.2026 15:23:\(second) UTC+09:00">
            15:23
                   </div>

                   <div class="from_name">
            \(name)\("")
                   </div>

                   <div class="text">
            \(text)
                   </div>

                  </div>

                 </div>

            """
        }
        var export = sample(
            "telegram-html", "ChatExport_2026-11-22/messages.html", path: "ChatExport_2026-11-22", at: "000",
            [message(11, "alice", "hi"), message(12, "민수", "안녕")], then: message(19, "alice", "bye")
        ) { messages in
            """
            <!DOCTYPE html>
            <html>

             <head>
            <title>Exported Data</title>
             </head>

             <body onload="CheckLocation();">

              <div class="page_wrap">

               <div class="page_header">

                <div class="content">

                 <div class="text bold">
            Example
                 </div>

                </div>

               </div>

               <div class="page_body chat_page">

                <div class="history">
            \(messages.joined())
                </div>

               </div>

              </div>

             </body>

            </html>
            """
        }
        for name in ["css/style.css", "js/script.js", "images/back.png"] {
            export.files.append(("ChatExport_2026-11-22/" + name, "body {}", "body {}"))
        }
        return export
    }()

    static let signal = {
        func item(_ second: Int, _ author: Int, _ text: String) -> String {
            """
            {"chatItem": {"chatId": "11", "authorId": "\(author)", "dateSent": "17952421\(second + 80)123", \
            "incoming": {"read": true}, "standardMessage": {"text": {"body": "\(text)"}}}}
            """
        }
        let group = #"{"masterKey": "AAAA", "snapshot": {"title": {"title": "Example"}, "members": []}}"#
        let frames = [
            #"{"version": "1", "backupTimeMs": "1795242000000", "mediaRootBackupKey": "AAAA"}"#,
            #"{"account": {"profileKey": "AAAA", "givenName": "alice", "familyName": "", "accountSettings": {}}}"#,
            #"{"recipient": {"id": "1", "self": {}}}"#,
            #"{"recipient": {"id": "2", "contact": {"aci": "EREREREREREREREREREREQ==", "profileGivenName": "민수"}}}"#,
            #"{"recipient": {"id": "3", "group": \#(group)}}"#, #"{"chat": {"id": "11", "recipientId": "3"}}"#,
        ]
        let folder = "signal-export-2026-11-22"
        var export = sample(
            "signal", folder + "/main.jsonl", path: folder, read: "8 lines",
            [item(11, 1, "hi"), item(12, 2, "안녕")], then: item(19, 1, "bye")
        ) { (frames + $0).joined(separator: "\n") }
        export.files.append((folder + "/metadata.json", #"{"version": 1}"#, #"{"version": 1}"#))
        return export
    }()

    static let element = {
        func event(_ second: Int, _ sender: String, _ text: String) -> String {
            """
            {"type": "m.room.message", "event_id": "$\(second)", "sender": "\(sender)", "room_id": "!r:example.org",
             "origin_server_ts": 17952421\(second + 80)123, "content": {"msgtype": "m.text", "body": "\(text)"}}
            """
        }
        let (alice, minsu) = ("@alice:example.org", "@minsu:example.org")
        return sample(
            "element", "export.json", path: "export.json", by: alice, and: minsu,
            [event(11, alice, "hi"), event(12, minsu, "안녕")], then: event(19, alice, "bye")
        ) { events in
            """
            {"room_name": "Example", "room_creator": "\(alice)", "topic": "", "export_date": "November 22, 2026",
             "exported_by": "\(alice)", "messages": [\(events.joined(separator: ",\n"))]}
            """
        }
    }()
}
