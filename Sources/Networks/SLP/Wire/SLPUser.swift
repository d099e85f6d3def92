/// A user, as others see them.
package struct SLPUser: Sendable, Hashable {
    package var id: String
    package var email: String?
    package var nickname: String?
    /// The path of the picture below the base, as given.
    package var imagePath: String?
}

extension SLPUser: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id = "user_id"
        case email, nickname, profileImage
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        (email, nickname) = (fields.lenient(.email), fields.lenient(.nickname))
        imagePath = fields.lenient(.profileImage)
    }
}

/// The account's own identity.
package struct SLPProfile: Sendable, Hashable {
    package var user: SLPUser
    /// The way of logging in, such as `email`: `vendor` or `provider`.
    package var loginKind: String?
}

extension SLPProfile: Decodable {
    private enum CodingKeys: CodingKey { case vendor, provider }

    package init(from decoder: any Decoder) throws {
        user = try SLPUser(from: decoder)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        loginKind = fields.lenient(.provider) ?? fields.lenient(.vendor)
    }
}
