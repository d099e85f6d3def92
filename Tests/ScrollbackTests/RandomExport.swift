import ChatModel

/// A document of equal pieces, each with one message, for ``RandomSource``.
struct RandomExport: Sendable {
    let name: String
    var beginning = ""
    var separator = "\n"
    var end = "\n"
    /// Pieces that are not understood or can't be true.
    let bad: [String]
    /// A message at a time, by `alice` or `bob`, with its text and its number in the document.
    let part: @Sendable (_ time: Timestamp, _ sender: String, _ text: String, _ index: Int) -> String

    /// By the names of formats.
    static let all: [String: RandomExport] = [
        "discord-package": RandomExport(
            name: "messages/c100000000000000020/messages.json", beginning: "[", separator: ",\n", end: "]",
            bad: [discord(9999, "2036-11-21 06:23:11", "x"), #"{"ID": 1}"#]
        ) { time, _, text, index in discord(index, String(time.description.prefix(19)), text) },
        "sms-backup": RandomExport(
            name: "sms.xml", beginning: "<smses count=\"1\">\n", end: "\n</smses>",
            bad: [sms("2110861391000", "mallory", "x"), "<sms address=\"+1555\"/>", "<sms body=\"x<"]
        ) { time, sender, text, _ in sms("\(time.microseconds / 1000)", sender, text) },
        "sms-ie": RandomExport(
            name: "messages.ndjson",
            bad: [smsLine("2110861391000", "mallory", "x"), #"{"_id": "1"}"#, "words"]
        ) { time, sender, text, _ in smsLine("\(time.microseconds / 1000)", sender, text) },
        "twitter": RandomExport(
            name: "direct-messages.js",
            beginning:
                #"window.YTD.direct_messages.part0 = [{"dmConversation": {"conversationId": "7-8", "messages": ["#,
            separator: ",\n", end: "]}}]", bad: [tweet(9999, "2036-11-21T06:23:11.000Z", "9", "x"), #"{"new": 1}"#]
        ) { time, sender, text, index in tweet(index, time.description, sender, text) },
        "mattermost": RandomExport(
            name: "import.jsonl", beginning: #"{"type":"version","version":1}"# + "\n",
            bad: [post(2_110_861_391_000, "mallory", "x"), #"{"type":"post"}"#, "words"]
        ) { time, sender, text, index in
            post(time.microseconds / 1_000_000 * 1000 + Int64(index), sender, text)
        },
        "zulip": RandomExport(
            name: "messages-000001.json", beginning: #"{"zerver_message": ["#, separator: ",\n", end: "]}",
            bad: [zulip(9999, "2110861391.0", "9", "x"), #"{"id": 1}"#]
        ) { time, sender, text, index in
            zulip(index, "\(time.microseconds / 1_000_000).5", sender == "alice" ? "7" : "8", text)
        },
        "rocketchat": RandomExport(
            name: "general.json",
            bad: [rocketChat("2036-11-21T06:23:11.000Z", "mallory", "x"), #"{"msg": "x"}"#, "words"]
        ) { time, sender, text, _ in rocketChat(time.description, sender, text) },
        "signal-export": RandomExport(
            name: "export/bob/data.json",
            bad: [signalLine("2036-11-21T06:23:11", "mallory", "x"), #"{"date": 1}"#]
        ) { time, sender, text, _ in signalLine(String(time.description.dropLast()), sender, text) },
        "sigtop": RandomExport(
            name: "plans (group).json", beginning: "[", separator: ",\n", end: "]",
            bad: [sigtop(2_110_861_391_000, "mallory", "x"), #"{"type": "incoming"}"#]
        ) { time, sender, text, _ in sigtop(time.microseconds / 1000, sender, text) },
        "google-chat": RandomExport(
            name: "Groups/DM abc/messages.json", beginning: #"{"messages": ["#, separator: ",\n", end: "]}",
            bad: [googleChat("November 21, 2036 at 06:23:11 UTC", "mallory", "x", 9999), #"{"text": "x"}"#]
        ) { time, sender, text, index in
            googleChat("November 21, 2026 at \(time.description.dropFirst(11).prefix(8)) UTC", sender, text, index)
        },
        "hangouts": RandomExport(
            name: "Hangouts.json",
            beginning: """
                {"conversations": [{"conversation": {"conversation": {"id": {"id": "c1"}, "type": "GROUP", "name": "example",
                 "participant_data": [{"id": {"gaia_id": "7"}, "fallback_name": "alice"}]}}, "events": [
                """,
            separator: ",\n", end: "]}]}", bad: [hangout(2_110_861_391_000_000, "9", "x", 9999), #"{"event_id": "x"}"#]
        ) { time, sender, text, index in hangout(time.microseconds, sender == "alice" ? "7" : "8", text, index) },
        "skype": RandomExport(
            name: "messages.json",
            beginning: """
                {"userId": "8:alice", "exportDate": "2026-11-21T06:30", "conversations": [{"id": "19:x", "MessageList": [
                """,
            separator: ",\n", end: "]}]}", bad: [skype("2036-11-21T06:23:11Z", "mallory", "x", 9999), #"{"id": "x"}"#]
        ) { time, sender, text, index in skype(time.description, sender, text, index) },
        "imessage-exporter": RandomExport(
            name: "bob.txt", bad: ["Nov 21, 2036  6:23:11 AM\nmallory\nx", "Nov 31, 2026  6:23:11 AM"]
        ) { time, sender, text, _ in iMessage(time, sender, text) },
        "snapchat": RandomExport(
            name: "chat_history.json", beginning: #"{"bob": ["#, separator: ",\n", end: "]}",
            bad: [snap(2_110_861_391_000, "mallory", "x"), #"{"From": "x"}"#]
        ) { time, sender, text, _ in snap(time.microseconds / 1000, sender, text) },
        "whatsapp-exporter": RandomExport(
            name: "result.json", beginning: #"{"1@g.us": {"name": "plans", "messages": {"#, separator: ",\n",
            end: "}}}",
            bad: [exported(2_110_861_391_000_000, "mallory", "x", 9999), #""x": {"from_me": true}"#]
        ) { time, sender, text, index in exported(time.microseconds, sender, text, index) },
        "adium": RandomExport(
            name: "bob (2026-11-21T00.00.00+0000).xml",
            beginning: "<chat xmlns=\"http://purl.org/net/ulf/ns/0.4-02\" account=\"alice\">\n", end: "</chat>\n",
            bad: [adium("2036-11-21T06:23:11+00:00", "mallory", "x"), "<message sender=\"m\"/>"]
        ) { time, sender, text, _ in adium(time.description.prefix(19) + "+00:00", sender, text) },
        "msn": RandomExport(
            name: "bob3141592653.xml", beginning: "<Log FirstSessionID=\"1\">\n", end: "</Log>\n",
            bad: [msn("2036-11-21T06:23:11.000Z", "mallory", "x"), "<Message SessionID=\"1\"/>"]
        ) { time, sender, text, _ in msn(time.description, sender, text) },
        "discord-history": RandomExport(
            name: "dht.txt",
            beginning: """
                {"meta": {"users": {"7": {"name": "alice"}, "8": {"name": "bob"}}, "userindex": ["7", "8"]}, "data": {"20": {
                """,
            separator: ",\n", end: "}}}", bad: [tracked(9999, 2_110_861_391_000, 0, "x"), #""x": {"u": 0}"#]
        ) { time, sender, text, index in tracked(index, time.microseconds / 1000, sender == "alice" ? 0 : 1, text) },
        "linkedin": RandomExport(
            name: "messages.csv", beginning: "CONVERSATION ID,FROM,DATE,CONTENT\n",
            bad: ["c1,mallory,2036-11-21 06:23:11 UTC,x", "c1,mallory,soon,x"]
        ) { time, sender, text, _ in
            "c1,\(sender),\(time.description.prefix(19).replacing("T", with: " ")) UTC,\(text)"
        },
        "google-voice": RandomExport(
            name: "Calls/bob - Text - 2026-11-21T06_23_11Z.html",
            beginning: "<html><body><div class=\"hChatLog hfeed\">\n", end: "</div></body></html>\n",
            bad: [voice("2036-11-21T06:23:11.000Z", "mallory", "x"), "<div class=\"message\"><q>x</q></div>"]
        ) { time, sender, text, _ in voice(time.description, sender, text) },
        "qq-exporter": RandomExport(
            name: "a.json",
            beginning:
                #"{"metadata": {"name": "QQChatExporter"}, "chatInfo": {"name": "a", "type": "group"}, "messages": ["#,
            separator: ",\n", end: "]}", bad: [qq(2_110_861_391_000, "mallory", "x", 9999), #"{"id": "x"}"#]
        ) { time, sender, text, index in qq(time.microseconds / 1000, sender, text, index) },
        "weflow": RandomExport(
            name: "a.json",
            beginning:
                #"{"weflow": {"version": "1"}, "session": {"wxid": "1@chatroom", "displayName": "a"}, "messages": ["#,
            separator: ",\n", end: "]}", bad: [weFlow(2_110_861_391, "mallory", "x"), #"{"localId": 1}"#]
        ) { time, sender, text, _ in weFlow(time.microseconds / 1_000_000, sender, text) },
        "wechat-csv": RandomExport(
            name: "a.csv", beginning: "localId,TalkerId,Type,IsSender,CreateTime,StrContent,StrTime,NickName\n",
            bad: ["1,1,1,0,2110861391,x,,mallory", "1,1,1,0,soon,x,,mallory"]
        ) { time, sender, text, _ in "1,1,1,0,\(time.microseconds / 1_000_000),\(text),,\(sender)" },
        "chatlab": RandomExport(
            name: "a.jsonl",
            beginning: #"{"_type": "header", "chatlab": {"version": "1"}, "meta": {"name": "a", "type": "group"}}"#
                + "\n",
            bad: [chatLab(2_110_861_391, "mallory", "x"), #"{"_type": "message"}"#, "words"]
        ) { time, sender, text, _ in chatLab(time.microseconds / 1_000_000, sender, text) },
    ]

    private static func chatLab(_ time: Int64, _ sender: String, _ text: String) -> String {
        """
        {"_type": "message", "sender": "\(sender)", "accountName": "\(sender)", "timestamp": \(time), "type": 0, \
        "content": "\(text)"}
        """
    }

    private static func weFlow(_ time: Int64, _ sender: String, _ text: String) -> String {
        """
        {"createTime": \(time), "type": "文本消息", "content": "\(text)", "isSend": 0, "senderUsername": "\(sender)"}
        """
    }

    private static func qq(_ time: Int64, _ sender: String, _ text: String, _ id: Int) -> String {
        """
        {"id": "\(id)", "timestamp": \(time), "sender": {"uid": "\(sender)", "name": "\(sender)"}, \
        "content": {"text": "\(text)", "elements": []}}
        """
    }

    private static func voice(_ time: String, _ sender: String, _ text: String) -> String {
        """
        <div class="message"><abbr class="dt" title="\(time)">x</abbr>: <cite class="sender vcard"><a class="tel" href="tel:">\
        <span class="fn">\(sender)</span></a></cite>: <q>\(text)</q></div>
        """
    }

    private static func tracked(_ id: Int, _ time: Int64, _ user: Int, _ text: String) -> String {
        #""\#(id)": {"u": \#(user), "t": \#(time), "m": "\#(text)"}"#
    }

    private static func msn(_ time: String, _ sender: String, _ text: String) -> String {
        """
        <Message DateTime="\(time)"><From><User FriendlyName="\(sender)"/></From><Text>\(text)</Text></Message>
        """
    }

    private static func adium(_ time: String, _ sender: String, _ text: String) -> String {
        "<message sender=\"\(sender)\" time=\"\(time)\"><div>\(text)</div></message>"
    }

    private static func exported(_ time: Int64, _ sender: String, _ text: String, _ id: Int) -> String {
        """
        "\(id)": {"from_me": false, "timestamp": \(time / 1_000_000).5, "key_id": "K\(id)", "data": "\(text)", \
        "sender": "\(sender)"}
        """
    }

    private static func snap(_ time: Int64, _ sender: String, _ text: String) -> String {
        """
        {"From": "\(sender)", "Media Type": "TEXT", "Created": "x", "Content": "\(text)", "IsSender": false,
         "Created(microseconds)": \(time)}
        """
    }

    private static func iMessage(_ time: Timestamp, _ sender: String, _ text: String) -> String {
        let clock = time.description.dropFirst(11).prefix(8).split(separator: ":").compactMap { Int($0) }
        let shown = clock[0] % 12 == 0 ? 12 : clock[0] % 12
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let half = clock[0] < 12 ? "AM" : "PM"
        return "Nov 21, 2026 \(shown):\(padded(clock[1])):\(padded(clock[2])) \(half)\n\(sender)\n\(text)"
    }

    private static func skype(_ time: String, _ sender: String, _ text: String, _ id: Int) -> String {
        """
        {"id": "\(id)", "originalarrivaltime": "\(time)", "messagetype": "Text", "content": "\(text)", "from": "8:\(sender)"}
        """
    }

    private static func hangout(_ time: Int64, _ sender: String, _ text: String, _ id: Int) -> String {
        """
        {"sender_id": {"gaia_id": "\(sender)"}, "timestamp": "\(time)", "event_id": "\(id)",
         "chat_message": {"message_content": {"segment": [{"type": "TEXT", "text": "\(text)"}]}}}
        """
    }

    private static func googleChat(_ time: String, _ sender: String, _ text: String, _ id: Int) -> String {
        """
        {"creator": {"name": "\(sender)", "email": "\(sender)"}, "created_date": "\(time)", "text": "\(text)",
         "topic_id": "t", "message_id": "abc/\(id)/\(id)"}
        """
    }

    private static func sigtop(_ time: Int64, _ sender: String, _ text: String) -> String {
        """
        {"conversationId": "c", "type": "incoming", "sent_at": \(time), "source": "\(sender)", "body": "\(text)"}
        """
    }

    private static func signalLine(_ time: String, _ sender: String, _ text: String) -> String {
        """
        {"date": "\(time)", "sender": "\(sender)", "body": "\(text)", "quote": "", "reactions": [], "attachments": []}
        """
    }

    private static func rocketChat(_ time: String, _ sender: String, _ text: String) -> String {
        #"{"msg": "\#(text)", "username": "\#(sender)", "ts": "\#(time)"}"#
    }

    private static func zulip(_ id: Int, _ time: String, _ sender: String, _ text: String) -> String {
        #"{"id": \#(id), "sender": \#(sender), "recipient": 20, "content": "\#(text)", "date_sent": \#(time)}"#
    }

    private static func post(_ time: Int64, _ sender: String, _ text: String) -> String {
        """
        {"type":"post","post":{"team":"t","channel":"c","user":"\(sender)","message":"\(text)","create_at":\(time)}}
        """
    }

    private static func tweet(_ id: Int, _ time: String, _ sender: String, _ text: String) -> String {
        #"{"messageCreate": {"id": "\#(id)", "createdAt": "\#(time)", "senderId": "\#(sender)", "text": "\#(text)"}}"#
    }

    private static func discord(_ id: Int, _ time: String, _ text: String) -> String {
        #"{"ID": \#(id), "Timestamp": "\#(time.replacing("T", with: " "))", "Contents": "\#(text)", "Attachments": ""}"#
    }

    private static func sms(_ time: String, _ sender: String, _ text: String) -> String {
        #"<sms address="\#(sender)" date="\#(time)" type="1" body="\#(text)" contact_name="\#(sender)" />"#
    }

    private static func smsLine(_ time: String, _ sender: String, _ text: String) -> String {
        #"{"_id": "1", "thread_id": "1", "address": "\#(sender)", "date": "\#(time)", "type": "1", "body": "\#(text)"}"#
    }
}
