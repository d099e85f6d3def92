/// A workspace of the service.
package struct SLPWorkspace: Sendable, Hashable {
    package var id: String
    package var name: String?
    package var description: String?
    /// The path of the picture below the base, as given: `thumbnail` or `coverImage`.
    package var imagePath: String?
    package var ownerID: String?
    package var createdAt: SLPTime?
}

extension SLPWorkspace: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id = "workspace_id"
        case ownerID = "owner_id"
        case name, description, thumbnail, coverImage, createdAt
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.id(.id)
        (name, description) = (fields.lenient(.name), fields.lenient(.description))
        imagePath = fields.lenient(.coverImage) ?? fields.lenient(.thumbnail)
        (ownerID, createdAt) = (fields.lenientID(.ownerID), fields.lenientTime(.createdAt))
    }
}
