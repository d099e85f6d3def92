import ChatModel
import Rendering

/// The links of a message, of which one is chosen by its number.
struct LinkChoice: Sendable, Hashable {
    /// At most nine safe links.
    let links: [String]

    init(_ message: Message) {
        let links = BodyLink.pieces(of: message.body ?? "").compactMap { piece -> String? in
            if case .link(let link) = piece { link } else { nil }
        }
        self.links = Array(links.prefix(9))
    }

    /// Returns the link whose number a key is; nil for another key.
    func link(of key: ReaderKey) -> String? {
        guard case .character(let digit) = key, let index = Self.index(of: digit), links.indices.contains(index) else {
            return nil
        }
        return links[index]
    }

    /// Returns the index that a digit from 1 to 9 stands for; nil for another character.
    static func index(of digit: Unicode.Scalar) -> Int? {
        ("1"..."9").contains(digit) ? Int(digit.value) - 49 : nil
    }
}
