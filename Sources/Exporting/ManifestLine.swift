package import ChatModel
package import Crypto
import LogFormats
import Rendering

/// A line of `manifest.jsonl`, which describes an export: the request, each file when it is written, the gaps, and at
/// the end a trailer. Without the trailer the export is not finished.
///
/// A line is a JSON object with one key, which names the line's kind.
package enum ManifestLine: Sendable, Hashable {
    case export(Header)
    case file(File)
    case gap(GapEntry)
    case trailer(Trailer)

    /// The request of the export. It has no time or place of the run, so that a repeated export has the same bytes.
    package struct Header: Sendable, Hashable, Codable {
        /// The version of the layout: ``ManifestLine/version``.
        package var version: Int
        /// The name of an ``ExportFormat``.
        package var format: String
        package var account: String
        package var network: String
        /// The epoch of the account's file; `seq` counts within it.
        package var epoch: String
        /// The zone of months and times of day, such as `Europe/Berlin`.
        package var zone: String
        /// The numbers of the rooms; null for all, including later ones.
        package var rooms: [Int64]?
        /// The time after which the export begins, excluded; null for no limit.
        package var after: Timestamp?
        /// The time before which the export ends, excluded; null for no limit.
        package var before: Timestamp?
        /// True if the export has the stored files; absent if not.
        package var files: Bool?
        /// The title of the documents; absent if none was given.
        package var title: String?
        /// The change up to which the last finished run was complete; 0 when there was none.
        var seq: Int64
    }

    /// A written file. A month of a room has one or more; for other files `month` is null.
    package struct File: Sendable, Hashable, Codable {
        /// The path in the export's folder, with `/` between folders.
        package var path: String
        package var bytes: Int64
        /// The SHA-256 of the file, in hexadecimal.
        var sha256: String
        /// The month that the file is a part of; null for other files.
        package var month: Month?
    }

    /// The month that a file is a part of.
    package struct Month: Sendable, Hashable, Codable {
        /// The room's number in the archive.
        var room: Int64
        var name: String
        /// The month, as `2026-11`.
        var month: String
        /// The number of this part, from 1 to `parts`.
        var part: Int
        var parts: Int
        /// The messages in this part.
        var messages: Int
        /// The first and last message of this part; null when it has none.
        var first: MessageID?
        var last: MessageID?
        /// A digest of everything else in the month: the room's name, the months beside it, and its gaps. The first 16
        /// digits of a SHA-256.
        var context: String
        /// The change up to which the month is complete.
        var seq: Int64
    }

    /// A time of a room that the archive knows to be incomplete.
    package struct GapEntry: Sendable, Hashable, Codable {
        /// The room's number in the archive.
        package var room: Int64
        package var name: String
        package var from: Timestamp
        /// The end; null while the gap lasts.
        package var to: Timestamp?
        /// The raw value of the gap's state.
        package var state: String
        /// The raw value of the gap's reason; null if unknown.
        package var reason: String?
        var unfilled: String?
        /// The removed messages, in place of a gap; nil for a gap.
        package var purged: Purged?

        package struct Purged: Sendable, Hashable, Codable {
            package var messages: Int64
            /// When the last of them was removed.
            package var at: Timestamp?
            package var rule: String
        }
    }

    /// The totals of a finished export.
    package struct Trailer: Sendable, Hashable, Codable {
        /// The number of files, the manifest excluded.
        package var files: Int
        /// The bytes of all files, the manifest excluded.
        package var bytes: Int64
        package var messages: Int
        /// The first message of the export; null when it has none.
        package var first: MessageID?
        /// The last message of the export; null when it has none.
        package var last: MessageID?
        /// The number of gaps, without removed messages.
        package var gaps: Int
        /// The change of the account up to which the export is complete.
        var seq: Int64
        /// The SHA-256 of the manifest's lines before this one, and of this line with an empty checksum.
        var sha256: String

        /// Returns the checksum for ``sha256``.
        ///
        /// - Parameter hash: The hash of all lines before this one.
        package func checksum(after hash: SHA256) throws -> String {
            var (hash, bare) = (hash, self)
            bare.sha256 = ""
            hash.update(data: try ManifestLine.trailer(bare).bytes())
            return hash.finalize().hexadecimal
        }
    }

    /// The version of the layout. It also changes if a format writes the same messages differently, because a continued
    /// export would mix both.
    package static let version = 1
    /// The name of the manifest in the export's folder.
    package static let fileName = OwnExport.manifestFile
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
        } else if let gap = try container.decodeIfPresent(GapEntry.self, forKey: .gap) {
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

    /// The line as JSON, with its line feed.
    package func bytes() throws -> [UInt8] { try JSONLine.bytes(self) }
}
