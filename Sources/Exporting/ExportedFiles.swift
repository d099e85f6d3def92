import ChatModel
import Rendering

/// The stored files that an export for people has copies of.
package struct ExportedFiles: Sendable, Hashable {
    /// The kinds of the copied files by SHA-256; nil for a content that is not a picture.
    var copied: [String: PictureType?] = [:]

    /// Returns the path of a file's copy from a document in a room's folder; nil for a file without a copy.
    func path(of file: Attachment, from folder: String) -> String? {
        guard file.state == .fetched, let hash = file.sha256, let type = copied[hash] else { return nil }
        return HTMLPage.pathToRoot(from: folder) + CopyName.path(sha256: hash, name: file.name, type: type)
    }

    /// Returns the copies of a message's files for a page in a room's folder.
    func copies(of files: [Attachment], from folder: String) -> [Attachment: FileCopy] {
        var copies: [Attachment: FileCopy] = [:]
        for file in files {
            copies[file] =
                path(of: file, from: folder).map { .beside(address: HTMLText.address($0)) }
                ?? .leftOut(reason: Self.reason(file))
        }
        return copies
    }

    /// Returns the reason why an export has no copy of a file, in words.
    static func reason(_ file: Attachment) -> String {
        file.state == .fetched ? "missing or damaged" : AttachmentText.state(file)
    }
}
