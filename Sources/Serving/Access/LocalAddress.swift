/// An address of this server, without its host, to which a browser may be sent.
///
/// Browsers read `\` as `/`, leave out tabs and line feeds, and read an address that begins with `//` as another host
/// (the URL standard, "special" schemes). So no such character is a part of the address, also not percent-encoded in
/// its path, and no part of the path is empty, `.` or `..`.
struct LocalAddress {
    /// A path, with its query and fragment: printable ASCII.
    let text: String

    /// Nil for a text that may lead elsewhere.
    init?(_ text: String) {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        guard path.hasPrefix("/"), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") }) else {
            return nil
        }
        var parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true { parts.removeLast() }
        guard parts.allSatisfy(Self.isHarmless) else { return nil }
        self.text = text
    }

    private static func isHarmless(_ part: Substring) -> Bool {
        guard let decoded = try? Query.decode(part.utf8, plusIsSpace: false), !["", ".", ".."].contains(decoded)
        else { return false }
        return decoded.unicodeScalars.allSatisfy { $0 != "/" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7F }
    }
}
