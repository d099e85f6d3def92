import ChatModel
import Rendering

/// Writes a month of a room into one file, or into several when the format has a limit.
struct MonthWriter {
    private struct Part {
        let file: ExportFile
        let path: String
        var messages = 0
        var first: MessageID?
        var last: MessageID?
    }

    private struct Written {
        let part: Part
        let bytes: Int64
        let sha256: String
    }

    private let month: ExportPlan.Month
    private let context: String
    private let format: any ExportFormat.Type
    private let folder: ExportFolder
    private var renderer: any ExportFormat
    private var part: Part
    /// The text of the present item.
    private var text: [UInt8] = []
    private var written: [Written] = []

    /// - Parameter context: The month's context for the manifest.
    init(
        _ month: ExportPlan.Month, context: String, as format: any ExportFormat.Type, settings: ExportSettings,
        in folder: ExportFolder
    ) throws {
        (self.month, self.context, self.format, self.folder) = (month, context, format, folder)
        renderer = format.init(month.unit, of: settings)
        part = try Self.create(1, of: month.unit, format, folder)
        try part.file.write(renderer.begin(part: 1))
    }

    private static func create(
        _ number: Int, of unit: ExportUnit, _ format: any ExportFormat.Type, _ folder: ExportFolder
    ) throws -> Part {
        let path =
            unit.folder + "/"
            + ExportUnit.fileName(unit.month, part: number, fileExtension: format.fileExtension)
        return Part(file: try folder.create(path), path: path)
    }

    /// Adds an item.
    mutating func add(_ item: ExportItem) throws {
        try write(item)
        guard case .message(let message, _) = item else { return }
        part.messages += 1
        if part.first == nil { part.first = message.id }
        part.last = message.id
    }

    /// The assumed length of an end, in bytes. An end has a few links. It is rendered for its length only if an end of
    /// this length might not fit.
    private static let longestEnd: Int64 = 64 * 1024

    /// Writes an item, to the next file if it does not fit in this one.
    private mutating func write(_ item: ExportItem) throws {
        // Copied only where an item may be rendered again.
        let before = format.partLimit.map { _ in renderer }
        text.removeAll(keepingCapacity: true)
        renderer.write(item, to: &text)
        let size = part.file.bytes + Int64(text.count)
        guard let limit = format.partLimit, let before, part.messages > 0, size + Self.longestEnd > limit,
            size + Int64(end().utf8.count) > limit
        else { return try part.file.write(text) }
        renderer = before
        try part.file.write(renderer.end(part: written.count + 1, hasMore: true))
        try close()
        part = try Self.create(written.count + 1, of: month.unit, format, folder)
        try part.file.write(renderer.begin(part: written.count + 1))
        try part.file.write(renderer.render(item))
    }

    /// Returns the end of this part, if another part followed here.
    private func end() -> String {
        var renderer = renderer
        return renderer.end(part: written.count + 1, hasMore: true)
    }

    private mutating func close() throws {
        let (bytes, sha256) = try part.file.finish()
        written.append(Written(part: part, bytes: bytes, sha256: sha256))
    }

    /// Ends the month.
    ///
    /// - Parameter seq: The change up to which the messages were read.
    mutating func finish(seq: Int64) throws -> [ManifestLine.File] {
        try part.file.write(renderer.end(part: written.count + 1, hasMore: false))
        try close()
        return written.enumerated().map { index, file in
            ManifestLine.File(
                path: file.part.path, bytes: file.bytes, sha256: file.sha256,
                month: ManifestLine.Month(
                    room: month.unit.roomID, name: month.unit.room, month: month.unit.month.description,
                    part: index + 1, parts: written.count, messages: file.part.messages, first: file.part.first,
                    last: file.part.last, context: context, seq: seq))
        }
    }
}
