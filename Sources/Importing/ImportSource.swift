package import ChatModel
package import LogFormats
import Rendering
package import TextEncodings

/// The input of one ``LogFormat`` value: a file, or an export of several files.
package struct ImportSource: Sendable {
    package let format: any LogFormat.Type
    /// The files in the format's order; at least one.
    let files: ImportFiles
    /// The export's folder within its container, with a `/` at its end; nil for a single file.
    let folder: String?
    /// True if the files are numbered parts of a log.
    private var isParted = false

    init(_ file: ImportFile, as format: any LogFormat.Type) {
        (self.format, files, folder) = (format, ImportFiles([file]), nil)
    }

    /// - Parameter files: The parts of a log, in order.
    init(parts files: ImportFiles, as format: any LogFormat.Type) {
        (self.format, self.files, folder, isParted) = (format, files, nil, true)
    }

    init(export files: ImportFiles, in folder: String, as format: any LogFormat.Type) {
        (self.format, self.files, self.folder) = (format, files, folder)
    }

    /// True for the SQLite database of another program.
    var isDatabase: Bool { format is any DatabaseFormat.Type }

    var size: Int64 { files.reduce(0) { $0 + min($1.size, .max / Int64(files.count) / 2) } }

    /// The path of the file or of the export, for people.
    var shown: String {
        guard let folder, let first = files.first else { return files.first?.shown ?? "" }
        let path = folder.isEmpty ? first.container : ImportFile.join(first.container, String(folder.dropLast()))
        return Sanitizer.line(path)
    }

    /// The path with the number of parts: `Talk_2026.8.7 13:01-1.txt (2 parts)`.
    var title: String { isParted && files.count > 1 ? "\(shown) (\(files.count.of("part")))" : shown }

    /// Returns the file's path within an export, or the path of a part; nil for a single file.
    func name(of file: ImportFile) -> String? {
        folder.map { file.name.below($0) } ?? (isParted ? file.name : nil)
    }
}

/// Options for reading sources.
package struct ImportOptions: Sendable {
    /// The format; nil to recognise the format of each source.
    package var format: (any LogFormat.Type)?
    /// The room; nil to find it in the source.
    package var room: String?
    /// The zone of times that have none.
    package var zone: Zone
    /// The names of the account's own person that were given with this import.
    package var me: [String]
    /// The further names that are known of that person.
    package var ownNames: [String] = []
    /// The rooms that the account has.
    package var rooms = AccountRooms()
    /// The user's options for tables and databases.
    package var choices = SourceChoices()
    /// The encoding of lines that are not UTF-8; nil to recognise it.
    package var encoding: TextEncoding?
    /// The folding of names in the account into which the messages go.
    var folding = NameFolding.rfc1459
    /// True if that account knows messages by the ids of the network's server.
    var usesServerIDs = false

    package init(
        format: (any LogFormat.Type)? = nil, room: String? = nil, zone: Zone, me: [String] = [],
        encoding: TextEncoding? = nil, folding: NameFolding = NameFolding.rfc1459
    ) {
        (self.format, self.room, self.zone, self.me, self.folding) = (format, room, zone, me, folding)
        self.encoding = encoding
    }
}

extension String {
    /// Returns a path without the folder at its beginning. Compares bytes, because a combining mark may follow a `/`.
    func below(_ folder: String) -> String {
        String(decoding: utf8.dropFirst(folder.utf8.count), as: UTF8.self)
    }
}
