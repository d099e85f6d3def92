import FoundationEssentials

/// An event of the state of a room that the account is not in, without id and time (client-server API v1.11, 11.42).
package struct MatrixStrippedEvent: Decodable, Sendable, Hashable {
    package struct Content: Decodable, Sendable, Hashable {
        package var name: String?
        package var alias: String?
        package var displayname: String?
        package var membership: String?
        package var is_direct: Bool?
    }

    package var type: String
    package var state_key: String
    package var sender: String
    package var content: Content

    /// Nil for bytes of another form.
    package init?(_ bytes: [UInt8]) {
        guard let event = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = event
        content.name = Self.cut(content.name)
        content.alias = Self.cut(content.alias)
        content.displayname = Self.cut(content.displayname)
    }

    /// Homeservers allow names of 256 characters.
    private static let maximumName = 256

    private static func cut(_ name: String?) -> String? {
        name.map { String($0.unicodeScalars.filter { $0 != "\0" }.prefix(maximumName).map(Character.init)) }
    }
}
