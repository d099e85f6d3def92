import Foundation

extension SLPChat {
    private struct Moment: Decodable {
        var time: SLPTime?

        private enum CodingKeys: String, CodingKey { case createdAt }

        init(from decoder: any Decoder) throws {
            time = try decoder.container(keyedBy: CodingKeys.self).lenientTime(.createdAt)
        }
    }

    /// When something was sent that is no message as we know them; nil where that can't be told either.
    package static func time(ofUnreadable json: [UInt8]) -> SLPTime? {
        (try? JSONDecoder().decode(Moment.self, from: Data(json)))?.time
    }
}
