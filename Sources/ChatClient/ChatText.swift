import Rendering
import StreamChatWire

/// What may be said in a room, and under which name: the protocol's own rules, and what a line can't carry.
package enum ChatText {
    /// A frame's greatest length in bytes that Scrollback's room server takes; 300 family emoji take 7,500.
    static let maximumBytes = 16 * 1024

    /// Why the text can't be sent; nil when it can.
    package static func problem(_ text: String) -> String? {
        do {
            try Outgoing.validate(text: text)
        } catch {
            return error.detail
        }
        if let control = firstControl(text, except: "\t") { return "the message contains \(control)" }
        guard text.utf8.count <= maximumBytes else {
            return "the message has \(text.utf8.count) bytes, \(maximumBytes) is the most"
        }
        return nil
    }

    /// Why nobody can join under the name; nil when one can.
    package static func problem(name: String) -> String? {
        do {
            try Outgoing.validate(name: name)
        } catch {
            return error.detail
        }
        return firstControl(name).map { "the name contains \($0)" }
    }

    /// It would break lines, or do things on other people's terminals.
    private static func firstControl(_ text: String, except allowed: Unicode.Scalar? = nil) -> String? {
        text.unicodeScalars.first { $0.properties.generalCategory == .control && $0 != allowed }
            .map { "a control character, \(Sanitizer.line(String($0)))" }
    }
}
