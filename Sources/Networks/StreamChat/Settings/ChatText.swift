import Rendering
import StreamChatWire

/// Checks texts and names against the protocol's rules and the limits of a line.
package enum ChatText {
    /// The longest frame that Scrollback's room server accepts, in bytes; 300 family emoji have 7,500.
    package static let maximumBytes = 16 * 1024

    /// Returns the reason why a text can't be sent; nil if it can.
    package static func problem(_ text: String) -> String? {
        do {
            try Outgoing.validate(text: text)
        } catch {
            return error.detail
        }
        if let control = firstControl(text, except: "\t") { return "the message contains \(control)" }
        guard text.utf8.count <= maximumBytes else {
            return "the message has \(text.utf8.count) bytes, more than the limit of \(maximumBytes)"
        }
        return nil
    }

    /// Returns the reason why a name can't be used to join; nil if it can.
    package static func problem(name: String) -> String? {
        do {
            try Outgoing.validate(name: name)
        } catch {
            return error.detail
        }
        return firstControl(name).map { "the name contains \($0)" }
    }

    /// Returns a description of the first control character, which would break lines or act upon other people's
    /// terminals.
    private static func firstControl(_ text: String, except allowed: Unicode.Scalar? = nil) -> String? {
        text.unicodeScalars.first { $0.properties.generalCategory == .control && $0 != allowed }
            .map { "a control character, \(Sanitizer.line(String($0)))" }
    }
}
