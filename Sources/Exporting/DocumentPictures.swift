import ChatModel
import Crypto
import Reading
import Rendering

/// The limits of the pictures in a document that contains its pictures.
package struct PictureLimits: Sendable, Hashable {
    /// The most bytes of one picture. A picture has a third more bytes in the document, as Base64.
    package var each: Int64
    /// The most bytes of all pictures together.
    package var total: Int64

    /// 5 MB: most photos of a phone.
    package static let usualEach: Int64 = 5_000_000
    /// 15 MB: 20 MB in the document, which fits in a mail with 5 MB of text. Gmail and others take 25 MB.
    package static let usualTotal: Int64 = 15_000_000

    package init(each: Int64 = usualEach, total: Int64 = usualTotal) {
        (self.each, self.total) = (each, total)
    }
}

/// A number of files and their bytes.
package struct FileTally: Sendable, Hashable {
    package private(set) var count = 0
    package private(set) var bytes: Int64 = 0

    mutating func add(_ size: Int64?) {
        count += 1
        bytes = bytes.adding(size ?? 0)
    }

    /// Returns a text such as `2 pictures (1.2 MB)`.
    ///
    /// - Parameter more: The words between the number and the size.
    func text(_ thing: String, _ more: String = "") -> String { "\(count.of(thing))\(more) (\(ByteCount(bytes)))" }
}

/// The files of messages that a document does not contain, by reason.
package struct LeftOutFiles: Sendable, Hashable {
    /// Pictures over the limit of one picture.
    package internal(set) var tooLarge = FileTally()
    /// Pictures for which the limit of all pictures leaves no room.
    package internal(set) var overTotal = FileTally()
    /// Pictures of a message that has more files than a page shows.
    package internal(set) var notShown = FileTally()
    /// Stored files that are not pictures of a known kind.
    package internal(set) var others = FileTally()
    /// Files that are missing or damaged in the account's folder.
    package internal(set) var lost = FileTally()
    /// Files that the archive does not have.
    package internal(set) var absent = FileTally()

    /// Returns a line for each reason, such as `2 pictures larger than 5.0 MB (14.2 MB)`; none if nothing is left out.
    package func lines(_ limits: PictureLimits) -> [String] {
        let lines = [
            (tooLarge, tooLarge.text("picture", " larger than \(ByteCount(limits.each))")),
            (overTotal, overTotal.text("picture", " beyond \(ByteCount(limits.total)) in all")),
            (notShown, notShown.text("picture", " of messages with too many files")),
            (others, others.text("file", " of other kinds than pictures")),
            (lost, lost.text("file", ", missing or damaged in the archive")),
            (absent, absent.count.of("file") + " that the archive does not have"),
        ]
        return lines.filter { $0.0.count > 0 }.map(\.1)
    }
}

/// Decides which pictures a document contains: the earliest ones, as far as the limits allow.
struct DocumentPictures {
    /// A stored picture, whose bytes had the right hash when they were read for the decision.
    struct Picture {
        let path: String
        let size: Int64
    }

    /// The decision about the files of one message.
    struct Choice {
        var copies: [Attachment: FileCopy] = [:]
        /// The pictures by SHA-256.
        var pictures: [String: Picture] = [:]
    }

    let source: AccountExport
    let limits: PictureLimits
    /// The bytes of the chosen pictures.
    private var chosen: Int64 = 0
    var leftOut = LeftOutFiles()

    init(source: AccountExport, limits: PictureLimits) {
        (self.source, self.limits) = (source, limits)
    }

    /// Stands before and after a picture's hash where its bytes belong. No text of a page has this byte, because control
    /// characters are written out.
    static let mark = UInt8(0)

    mutating func choose(_ files: [Attachment]) -> Choice {
        var choice = Choice()
        for file in files { choice.copies[file] = choose(file, &choice.pictures) }
        return choice
    }

    private mutating func choose(_ file: Attachment, _ pictures: inout [String: Picture]) -> FileCopy {
        guard file.state == .fetched, let hash = file.sha256 else {
            return leave(file.size, \.absent, ExportedFiles.reason(file))
        }
        // A shared archive has no files.
        guard let path = source.path(ofFile: hash) else { return leave(file.size, \.absent, "left out") }
        guard let stored = StoredBytes(path: path),
            let beginning = try? stored.read(PictureType.beginning)
        else { return leave(file.size, \.lost, ExportedFiles.reason(file)) }
        let size = stored.size
        guard let type = PictureType(beginning: beginning) else { return leave(size, \.others, "left out") }
        guard size <= limits.each else {
            return leave(size, \.tooLarge, "left out: larger than \(ByteCount(limits.each))")
        }
        guard size <= limits.total - chosen else {
            return leave(size, \.overTotal, "left out: beyond \(ByteCount(limits.total)) in all")
        }
        guard Self.has(stored, beginning, hash) else { return leave(size, \.lost, ExportedFiles.reason(file)) }
        chosen += size
        pictures[hash] = Picture(path: path, size: size)
        let mark = String(Unicode.Scalar(Self.mark))
        return .inside(source: "data:\(type.mediaType);base64,\(mark)\(hash)\(mark)")
    }

    private mutating func leave(
        _ size: Int64?, _ reason: WritableKeyPath<LeftOutFiles, FileTally>, _ words: String
    ) -> FileCopy {
        leftOut[keyPath: reason].add(size)
        return .leftOut(reason: words)
    }

    /// Returns true if the bytes of a file have the hash.
    ///
    /// - Parameter beginning: The bytes that are already read.
    private static func has(_ file: StoredBytes, _ beginning: [UInt8], _ hash: String) -> Bool {
        var digest = SHA256()
        digest.update(data: beginning)
        guard (try? file.each(SingleDocument.chunk) { digest.update(data: $0) }) != nil else { return false }
        return digest.finalize().hexadecimal == hash
    }
}
