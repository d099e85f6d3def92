import FoundationEssentials

extension SLPChat {
    private struct Moment: Decodable {
        var time: SLPTime?

        private enum CodingKeys: String, CodingKey { case createdAt }

        init(from decoder: any Decoder) throws {
            time = try decoder.container(keyedBy: CodingKeys.self).lenientTime(.createdAt)
        }
    }

    /// Returns the time of an element that can't be read as a message; nil if it has none.
    package static func time(ofUnreadable json: [UInt8]) -> SLPTime? {
        (try? JSONDecoder().decode(Moment.self, from: Data(json)))?.time
    }
}
