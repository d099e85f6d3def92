import ChatModel
import FoundationEssentials
package import Glibc
package import Reading
import Rendering

/// Writes the rooms of an export as one HTML document that needs no other file: its styles and pictures are inside.
///
/// Holds a page of messages and a part of one picture in memory, and some hundred bytes for each month of a room.
package struct SingleDocument {
    /// The result of a written document.
    package struct Report: Sendable, Hashable {
        package internal(set) var messages = 0
        /// The size of the document in bytes.
        package internal(set) var bytes: Int64 = 0
        /// The pictures in the document, with the bytes that they have as files.
        package internal(set) var pictures = FileTally()
        package internal(set) var leftOut = LeftOutFiles()
        var first: MessageID?
        var last: MessageID?
    }

    package let source: AccountExport
    /// The selection and the title; its format does not count.
    package let request: ExportRequest
    package let limits: PictureLimits
    /// Returns true if the export should stop. Called between pages of messages.
    package let isStopped: () -> Bool
    /// Receives the number of messages so far after each page.
    package let progress: (Int) -> Void

    package init(
        source: AccountExport, request: ExportRequest, limits: PictureLimits, isStopped: @escaping () -> Bool,
        progress: @escaping (Int) -> Void
    ) {
        (self.source, self.request, self.limits) = (source, request, limits)
        (self.isStopped, self.progress) = (isStopped, progress)
    }

    /// A part of a picture: 192 KiB. A multiple of three, so that its Base64 has no padding.
    static let chunk = 3 * 64 * 1024
    /// Beyond this number of messages a document may be too large for the browser of a phone: about 10 MB of HTML, ten
    /// times the limit of a page of an export. An estimate, not a measurement.
    package static let manyMessages = 20_000

    /// Writes the document.
    ///
    /// - Parameter write: Receives parts of about 256 KiB.
    /// - Throws: ``ExportStopped`` if ``isStopped`` returns true; ``ExportError`` if a picture changes meanwhile.
    package func perform(_ write: @escaping (ArraySlice<UInt8>) throws -> Void) throws -> Report {
        let rooms = try ExportPlan(request, of: source, folders: [:]).rooms
            .filter { !$0.months.isEmpty || !$0.removals.isEmpty || request.rooms != nil }
        var writer = DocumentWriter(self, output: DocumentOutput(write: write))
        try writer.begin(rooms)
        for room in rooms { try writer.writeRoom(room, isAlone: rooms.count == 1) }
        return try writer.end()
    }
}

extension SingleDocument {
    /// Writes the document into a file, which it replaces when everything is on disk.
    ///
    /// - Parameter mode: The mode of a folder of which the file gets the part without `x`.
    /// - Throws: ``ExportError`` also for an existing file that is not such a document.
    package func write(to path: String, mode: mode_t) throws -> Report {
        try Self.refuseOther(path)
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let folder = ExportFolder(path: parent, mode: mode)
        let file = try folder.create(name)
        let report = try perform { try file.write($0) }
        try file.finishOnDisk()
        return report
    }

    /// - Throws: ``ExportError`` for an existing file that is neither empty nor a document of this program.
    private static func refuseOther(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        let start = Array((HTMLPage.beginning + HTMLPage.policyBeginning).text.utf8)
        guard let file = StoredBytes(path: path), file.size == 0 || (try? file.read(start.count)) == start else {
            throw ExportError(
                .export, "\(Sanitizer.line(path)) exists and is not a document of scrollback",
                hint: "choose another name with -o, or remove it")
        }
    }
}
