import Rendering

/// The paths of copies of stored files in an export for people: `files/사진-0f3a9c1d5e7b2468.png`.
///
/// A path depends only on the file's content and name, so that an export that was continued has the same paths as a new
/// one. A content that messages give two names is there twice.
enum CopyName {
    /// The folder of the copies in the export's folder.
    static let folder = "files"

    /// Returns a path, relative to the export's folder.
    ///
    /// - Parameters:
    ///   - name: The name that a message gives the file: an untrusted text.
    ///   - type: The kind of picture that the content shows; nil for everything else.
    static func path(sha256: String, name: String, type: PictureType?) -> String {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let own = parts.count > 1 ? parts.last.map { $0.lowercased() } ?? "" : ""
        let isKnown = endings.contains(own)
        // A dot within the name could make an ending for the reader, or the name of a device for Windows.
        let stem = SafeName.part((isKnown ? parts.dropLast() : parts[...]).joined(separator: "_"), bytes: longestStem)
        // An unknown ending might be one that a browser runs, such as `html`, `svg` or `mht`.
        let ending = isKnown ? own : type?.ending ?? "bin"
        return "\(folder)/\(stem.isEmpty ? "file" : stem)-\(sha256.prefix(hashDigits)).\(ending)"
    }

    /// 80 bytes: with the hash and the ending a name stays below ``SafeName/longest``.
    private static let longestStem = 80
    /// 64 bits of the hash: no two files of an archive share them by chance.
    private static let hashDigits = 16

    /// The endings that a copy keeps. A browser that opens such a file from disk shows or saves it, and never runs it.
    private static let endings: Set<String> = [
        "png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "heic", "heif", "tif", "tiff",
        "mp4", "m4v", "webm", "mov", "mkv", "avi", "3gp",
        "mp3", "ogg", "opus", "oga", "m4a", "wav", "flac", "aac", "amr",
        "txt", "log", "md", "csv", "json", "pdf", "rtf", "epub", "ics", "vcf",
        "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "hwp", "hwpx", "pages", "numbers", "key",
        "zip", "7z", "rar", "tar", "gz", "tgz", "xz", "zst", "bz2",
    ]
}
