/// An element `sms`, `mms` or `call` of a backup, without the bytes of its files.
struct SMSElement {
    private let tag: HTMLTag
    /// The texts of a multimedia message.
    private(set) var texts: [String?] = []
    /// The names of its files.
    private(set) var files: [String] = []
    /// The sender's address of a received multimedia message; nil if the message names none.
    private(set) var sender: String?

    /// The number of `PduHeaders.FROM` in Android's sources.
    private static let from = "137"
    /// Android's word for the phone's own address.
    private static let ownAddress = "insert-address-token"

    /// - Throws: ``UnreadablePiece`` for bytes that do not begin with a tag.
    init(_ bytes: ArraySlice<UInt8>) throws(UnreadablePiece) {
        var scanner = HTMLScanner(bytes)
        guard case .opening(let tag)? = scanner.next() else { throw UnreadablePiece("it is not an element") }
        self.tag = tag
        while let token = scanner.next() {
            guard case .opening(let inner) = token else { continue }
            if inner.isNamed("part") { read(part: inner) }
            if inner.isNamed("addr"), inner.attribute("type") == Self.from,
                let address = SMSPeople.text(inner.attribute("address")), address != Self.ownAddress
            {
                sender = address
            }
        }
    }

    private mutating func read(part: HTMLTag) {
        let type = part.attribute("ct") ?? ""
        // The layout of the other parts.
        guard type != "application/smil" else { return }
        guard type != "text/plain" else { return texts.append(part.attribute("text")) }
        let names = ["cl", "name", "fn", "cid"].lazy.compactMap { SMSPeople.text(part.attribute($0)) }
        files.append(ExportText.name(names.first, type) ?? "file")
    }

    func attribute(_ name: String) -> String? { tag.attribute(name) }

    func required(_ name: String) throws(UnreadablePiece) -> String {
        guard let value = tag.attribute(name) else { throw UnreadablePiece("it has no \"\(name)\"") }
        return value
    }
}
