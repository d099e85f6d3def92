package import ChatModel
package import Crypto
import Foundation
import LogFormats
import Rendering

/// What an export's folder says of itself, in `manifest.jsonl`: what was asked for, each file when it is whole and on the
/// disk, the gaps, and at the end a trailer, without which the export is not finished.
///
/// Each line is one JSON object with one key, which says what the line is.
package enum ManifestLine: Sendable, Hashable {
    case export(Header)
    case file(File)
    case gap(MissingTime)
    case trailer(Trailer)

    /// What the export is of. Nothing of when or where it was made, so that the same export again is the same to the byte.
    package struct Header: Sendable, Hashable, Codable {
        /// Of this layout: ``ManifestLine/version``.
        package var version: Int
        package var format: String
        package var account: String
        package var network: String
        /// The life of the account's file that `seq` counts in.
        package var epoch: String
        /// Of months and times of day: a name such as `Europe/Berlin`.
        package var zone: String
        /// Numbers of the rooms that were asked for; null for all, those that come later too.
        package var rooms: [Int64]?
        /// Only what is later, and only what is earlier, both left out; null for no limit.
        package var after: Timestamp?
        package var before: Timestamp?
        /// Every change up to this one was in when the export was finished last; 0 while it never was.
        var seq: Int64
    }

    /// A file, its path in the folder. A month of a room has one or more, any other has none of the optional keys.
    package struct File: Sendable, Hashable, Codable {
        package var path: String
        package var bytes: Int64
        /// In hexadecimal.
        var sha256: String
        package var month: Month?
    }

    /// What a month's file is a part of.
    package struct Month: Sendable, Hashable, Codable {
        var room: Int64
        var name: String
        var month: String
        /// From 1, of `parts`.
        var part: Int
        var parts: Int
        /// In this part.
        var messages: Int
        /// Null where it has none, as all are null.
        var first: MessageID?
        var last: MessageID?
        /// What else it was made of: the room's name, the months beside it, its gaps. SHA-256, its first 16 digits.
        var context: String
        /// Every change up to this one is in.
        var seq: Int64
    }

    /// A time of a room that the export knows to be incomplete.
    package struct MissingTime: Sendable, Hashable, Codable {
        package var room: Int64
        package var name: String
        package var from: Timestamp
        /// Null while it lasts.
        package var to: Timestamp?
        package var state: String
        package var reason: String?
        var unfilled: String?
    }

    package struct Trailer: Sendable, Hashable, Codable {
        package var files: Int
        package var bytes: Int64
        package var messages: Int
        package var first: MessageID?
        package var last: MessageID?
        package var gaps: Int
        /// Every change of the account up to this one is in.
        var seq: Int64
        /// Of all bytes of the manifest before this line, and this line as it is with an empty checksum.
        var sha256: String

        /// - Parameter hash: Of all lines before it.
        package func checksum(after hash: SHA256) throws -> String {
            var (hash, bare) = (hash, self)
            bare.sha256 = ""
            hash.update(data: try ManifestLine.trailer(bare).bytes())
            return hash.finalize().hexadecimal
        }
    }

    /// Another one when a format writes the same messages otherwise, too: months that are kept would be of two kinds.
    package static let version = 1
    package static let fileName = JSONLinesFormat.manifestFile
}

extension ManifestLine: Codable {
    private enum CodingKeys: String, CodingKey {
        case export, file, gap, trailer
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let header = try container.decodeIfPresent(Header.self, forKey: .export) {
            self = .export(header)
        } else if let file = try container.decodeIfPresent(File.self, forKey: .file) {
            self = .file(file)
        } else if let gap = try container.decodeIfPresent(MissingTime.self, forKey: .gap) {
            self = .gap(gap)
        } else {
            self = .trailer(try container.decode(Trailer.self, forKey: .trailer))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .export(let header): try container.encode(header, forKey: .export)
        case .file(let file): try container.encode(file, forKey: .file)
        case .gap(let gap): try container.encode(gap, forKey: .gap)
        case .trailer(let trailer): try container.encode(trailer, forKey: .trailer)
        }
    }

    /// With its line feed.
    package func bytes() throws -> [UInt8] { try JSONLine.bytes(self) }
}
