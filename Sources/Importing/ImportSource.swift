package import ChatModel
package import Foundation
package import LogFormats
import Rendering

/// What one value of a format reads: a file, or an export of several.
package struct ImportSource: Sendable {
    package let format: any LogFormat.Type
    /// In the format's order; one at least.
    let files: ImportFiles
    /// Of an export, the folder in its container that it is in, with the `/` at its end; nil for a file by itself.
    let folder: String?

    init(_ file: ImportFile, as format: any LogFormat.Type) {
        (self.format, files, folder) = (format, ImportFiles(file), nil)
    }

    init(export files: ImportFiles, in folder: String, as format: any LogFormat.Type) {
        (self.format, self.files, self.folder) = (format, files, folder)
    }

    var size: Int64 { files.reduce(0) { $0 + min($1.size, .max / Int64(files.count) / 2) } }

    /// For people: the file, or where the export is.
    var shown: String {
        guard let folder, let first = files.first else { return files.first?.shown ?? "" }
        let path = folder.isEmpty ? first.container : ImportFile.join(first.container, String(folder.dropLast()))
        return Sanitizer.line(path)
    }

    /// What its format knows a file of an export by; nil where there is one file.
    func name(of file: ImportFile) -> String? {
        folder.map { file.name.below($0) }
    }
}

/// What to read sources as.
package struct ImportOptions: Sendable {
    /// Nil where each source's is to be recognised.
    package var format: (any LogFormat.Type)?
    /// Nil where the source tells it.
    package var room: String?
    package var zone: TimeZone
    /// Of the account that it goes to.
    var folding = NameFolding.irc

    package init(
        format: (any LogFormat.Type)? = nil, room: String? = nil, zone: TimeZone, folding: NameFolding = NameFolding.irc
    ) {
        self.format = format
        self.room = room
        self.zone = zone
        self.folding = folding
    }
}

extension String {
    /// A path without the folder that it begins with, by bytes: a mark may follow a `/`.
    func below(_ folder: String) -> String {
        String(decoding: utf8.dropFirst(folder.utf8.count), as: UTF8.self)
    }
}
