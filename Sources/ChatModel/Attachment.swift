import Foundation

/// A file that came with a message.
package struct Attachment: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case image, video, audio, file
    }

    /// What became of fetching it.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// It was not tried yet.
        case missing
        /// Its bytes are in the archive.
        case here
        /// It was tried, and may be again.
        case failed
        case tooLarge = "too_large"
        /// The network has it no more.
        case gone
        /// It is not on the network's own server, so it is never asked for.
        case elsewhere
    }

    /// Where the network has it, as it says.
    package var path: String
    /// Of its bytes, in hexadecimal; nil while they are not archived.
    package var sha256: String?
    /// How many bytes it has; nil while that is not known.
    package var size: Int64?
    package var state: State

    package init(path: String, sha256: String? = nil, size: Int64? = nil, state: State? = nil) {
        self.path = path
        self.sha256 = sha256
        self.size = size
        self.state = state ?? (sha256 == nil ? .missing : .here)
    }

    /// The last part of the path, percent signs decoded; the path where there is none.
    package var name: String {
        let last = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? path
        return last.removingPercentEncoding ?? last
    }

    /// By the name's ending.
    package var kind: Kind {
        let ending = name.split(separator: ".").dropFirst().last?.lowercased() ?? ""
        return Self.endings.first { $0.value.contains(ending) }?.key ?? .file
    }

    private static let endings: [Kind: Set<String>] = [
        .image: ["png", "jpg", "jpeg", "gif", "webp", "heic", "heif", "bmp", "svg", "avif", "tiff"],
        .video: ["mp4", "mov", "m4v", "webm", "mkv", "avi", "3gp"],
        .audio: ["mp3", "m4a", "aac", "wav", "ogg", "opus", "flac"],
    ]
}
