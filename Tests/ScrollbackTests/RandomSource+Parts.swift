import ChatModel
import Foundation
import LogFormats
import TestSupport

@testable import Importing

/// The parts of each format.
extension RandomSource {
    static func part(_ kind: String, _ time: Timestamp, _ sender: String, _ text: String, _ index: Int)
        -> String
    {
        let whole = time.description
        let (date, clock) = (String(whole.prefix(10)), String(whole.dropFirst(11).prefix(8)))
        let seconds = time.microseconds / 1_000_000
        if let export = RandomExport.all[kind] { return export.part(time, sender, text, index) }
        switch kind {
        case "energymech": return "[\(clock.prefix(5))] <\(sender)> \(text)"
        case "znc": return "[\(clock)] <\(sender)> \(text)"
        case "znc-dated": return "[\(date) \(clock)] <\(sender)> \(text)"
        case "irssi": return "\(clock.prefix(5)) < \(sender)> \(text)"
        case "irssi-dated": return "\(date) \(clock) < \(sender)> \(text)"
        case "weechat": return "\(date) \(clock)\t\(sender)\t\(text)"
        case "weechat-us": return "\(date) \(whole.dropFirst(11))\t\(sender)\t\(text)"
        case "whatsapp": return "21/11/2026, \(clock.prefix(5)) - \(sender): \(text)"
        case "whatsapp-seconds": return "[21/11/2026, \(clock)] \(sender): \(text)"
        case "kakaotalk": return "2026년 11월 21일 \(clock.prefix(5)), \(sender) : \(text)"
        case "kakaotalk-windows": return "[\(sender)] [\(clock.prefix(5))] \(text)"
        case "kakaotalk-rows": return "\(date) \(clock),\"\(sender)\",\"\(text)\""
        case "line": return "2026/11/21(土) \(clock.prefix(5))\t\(sender)\t\(text)"
        case "discord":
            return """
                {"id": "\(index)", "type": "Default", "timestamp": "\(whole)", "content": "\(text)",
                "author": {"id": "\(sender)", "name": "\(sender)"}, "attachments": [], "embeds": [], "reactions": []}
                """
        case "telegram":
            return """
                {"id": \(index), "type": "message", "date": "\(date)T\(clock)", "date_unixtime": "\(seconds)",
                "from": "\(sender)", "from_id": "user\(sender)", "text": "\(text)"}
                """
        case "slack", "slackdump":
            // It is the message's id as well.
            let own = Timestamp(microseconds: time.microseconds - time.microseconds % 1000 + Int64(index))
            let fraction = own.description.dropFirst(20).prefix(6)
            let message = """
                {"type": "message", "user": "\(sender)", "ts": "\(seconds).\(fraction)", "text": "\(text)"}
                """
            return kind == "slack" ? message : #"{"table":"MESSAGE","channel":"C1","data":\#(message)}"#
        case "messenger", "signal", "element", "telegram-html": return message(kind, time, sender, text, index)
        case "mirc": return "[\(clock.prefix(5))] <\(sender)> \(text)"
        case "hexchat": return "Nov 21 \(clock) <\(sender)>\t\(text)"
        case "csv": return "\(date) \(clock),\(sender),\"\(text)\""
        case "thelounge", "quassel", "soju": return row(kind, time.microseconds / 1000, sender, text)
        case "gajim", "dino", "profanity-db", "imessage": return row(kind, time, sender, text, id: "\(index)")
        case "psi": return "|\(date)T\(clock)|1|\(sender == "alice" ? "from" : "to")|N---|\(text)"
        default:
            let flags = kind == "jsonl-second" ? #""to_the_second""# : kind == "jsonl-minute" ? #""to_the_minute""# : ""
            return """
                {"id": "\(whole)", "kind": "message", "room": "#example", "sender": {"name": "\(sender)"}, "body": "\(text)", \
                "flags": [\(flags)]}
                """
        }
    }

    /// A message of an export that has times to the millisecond, which are the message's id as well, or to the second.
    static func message(_ kind: String, _ time: Timestamp, _ sender: String, _ text: String, _ index: Int)
        -> String
    {
        let seconds = time.microseconds / 1_000_000
        let milliseconds = seconds * 1000 + Int64(index)
        switch kind {
        case "messenger":
            return #"{"sender_name": "\#(sender)", "timestamp_ms": \#(milliseconds), "content": "\#(text)"}"#
        case "signal":
            return """
                {"chatItem": {"chatId": "11", "authorId": "\(sender == "alice" ? 1 : 2)", "dateSent": "\(milliseconds)", \
                "incoming": {"read": true}, "standardMessage": {"text": {"body": "\(text)"}}}}
                """
        case "element":
            return """
                {"type": "m.room.message", "event_id": "$\(index)", "sender": "@\(sender):example.org",
                "origin_server_ts": \(milliseconds), "content": {"msgtype": "m.text", "body": "\(text)"}}
                """
        default:
            let written = time.description
            let date = "\(written.dropFirst(8).prefix(2)).\(written.dropFirst(5).prefix(2)).\(written.prefix(4))"
            return page(date + " " + written.dropFirst(11).prefix(8), id: "\(index)", sender, text)
        }
    }

    /// A message of Telegram's pages.
    static func page(_ date: String, id: String, _ sender: String, _ text: String) -> String {
        """
        <div class="message default clearfix" id="message\(id)">
        <div class="body">
        <div class="pull_right date details" title="\(date) UTC+00:00">
        15:23
        </div>
        <div class="from_name">
        \(sender)
        </div>
        <div class="text">
        \(text)
        </div>
        </div>
        </div>
        """
    }

    /// A row of a database, as JSON.
    static func row(_ kind: String, _ milliseconds: Int64, _ sender: String, _ text: String) -> String {
        let time = Timestamp(microseconds: milliseconds * 1000).description.prefix(23) + "Z"
        return switch kind {
        case "thelounge":
            #"{"network":"1","channel":"&a","time":"\#(milliseconds)","type":"message","msg":{"from":"\#(sender)","text":"\#(text)"}}"#
        case "quassel":
            #"{"network":"1","buffer":"&a","time":"\#(milliseconds)","type":"1","sender":"\#(sender)!a@b","message":"\#(text)"}"#
        default: #"{"network":"1","target":"&a","time":"\#(time)","raw":":\#(sender)!a@b PRIVMSG &a :\#(text)"}"#
        }
    }

    /// A row of a client's database with ids, as JSON.
    static func row(_ kind: String, _ time: Timestamp, _ sender: String, _ text: String, id: String) -> String {
        let seconds = time.microseconds / 1_000_000
        return switch kind {
        case "gajim":
            #"{"network":"1","jid":"a@b","nick":"\#(sender)","kind":"2","time":"\#(seconds).\#(time.description.dropFirst(20).prefix(6))","text":"\#(text)","id":"\#(id)"}"#
        case "dino":
            #"{"network":"1","table":"message","message":"\#(id)","id":"\#(id)","jid":"a@b","nick":"\#(sender)","direction":"0","type":"2","time":"\#(seconds)","text":"\#(text)"}"#
        case "profanity-db":
            #"{"from":"a@b","from_resource":"\#(sender)","to":"me@example.net","text":"\#(text)","time":"\#(time)","type":"muc","id":"\#(id)"}"#
        default:
            #"{"table":"message","chat":"1","chat_guid":"iMessage;+;c1","chat_identifier":"c1","number":"\#(id)","id":"\#(id)","time":"\#((time.microseconds - 978_307_200_000_000) * 1000)","person":"\#(sender)","text":"\#(text)"}"#
        }
    }
}
