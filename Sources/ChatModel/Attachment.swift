import Bytes

/// A file that came with a message.
package struct Attachment: Sendable, Hashable {
    /// The kind of a file, by the extension of its name.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case image, video, audio, file
    }

    /// The state of fetching a file.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Not tried yet.
        case missing
        /// Archived.
        case fetched = "here"
        /// Failed; it may be tried again.
        case failed
        /// Larger than the limit.
        case tooLarge = "too_large"
        /// No longer available from the network.
        case gone
        /// Not on the network's own server, and never fetched.
        case otherServer = "elsewhere"
        /// Removed by a retention rule.
        case expired
    }

    /// The usual limit of a fetched file's bytes: enough for a long recording of speech or a hundred photos, but not for a
    /// film.
    package static let usualLimit: Int64 = 20_000_000

    /// The place of the file, as the network gives it: a URL or a path.
    package var path: String
    /// The SHA-256 of its bytes, in hexadecimal; nil while they aren't archived.
    package var sha256: String?
    /// The number of its bytes; nil if unknown.
    package var size: Int64?
    package var state: State

    package init(path: String, sha256: String? = nil, size: Int64? = nil, state: State? = nil) {
        (self.path, self.sha256, self.size) = (path, sha256, size)
        self.state = state ?? (sha256 == nil ? .missing : .fetched)
    }

    /// The last part of the path, without query and fragment and with percent signs decoded; the whole path if it has
    /// no parts.
    package var name: String {
        let last = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? path
        return PercentCode.decode(last)
    }

    /// The kind, by the extension of ``name``.
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
