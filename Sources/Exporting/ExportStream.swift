import ChatModel
package import Reading
import Rendering

/// Writes an account, or some of its rooms, as one stream: the months' files one after the other, without a manifest.
///
/// CSV has one header. JSON lines of all rooms begin with the account's records that aren't messages, so that an import
/// restores rooms, people and coverage as well; those of some rooms have messages only.
package struct ExportStream {
    private let source: AccountExport
    private let request: ExportRequest

    /// The size of the parts that are written.
    private static let bufferSize = 256 * 1024

    /// - Throws: ``ExportError`` for a format whose files only work in a folder.
    package init(source: AccountExport, request: ExportRequest) throws {
        guard request.format.partLimit == nil else {
            throw ExportError(
                .export, "\(request.format.name) can't be written to stdout, because its pages link to each other",
                hint:
                    "for one document: --single-file; else name a folder with -o, or use --format text, jsonl, csv or markdown"
            )
        }
        (self.source, self.request) = (source, request)
    }

    /// Writes the stream.
    ///
    /// - Parameter write: Receives parts of about 256 KiB.
    package func perform(_ write: (ArraySlice<UInt8>) throws -> Void) throws {
        var buffer: [UInt8] = []
        func add(_ text: String) throws {
            buffer += text.utf8
            try pass()
        }
        func pass() throws {
            guard buffer.count >= Self.bufferSize else { return }
            try write(buffer[...])
            buffer.removeAll(keepingCapacity: true)
        }
        if request.format.isExact, request.rooms == nil {
            try source.records { records in
                for record in records { try add(String(decoding: JSONLine.bytes(record), as: UTF8.self)) }
            }
        }
        let settings = ExportSettings(
            account: source.account.name, network: source.account.network, zone: request.zone)
        var header: String?
        let months = try ExportPlan(request, of: source, folders: [:]).months
        let pages = ExportPages(of: months, from: source, isExact: request.format.isExact)
        for month in months {
            var renderer = request.format.init(month.unit, of: settings)
            let begin = renderer.begin(part: 1)
            // A header that every file repeats is that of the stream.
            if begin != header { try add(begin) }
            header = header ?? begin
            let items = MonthItems(month: month, pages: pages, isStopped: { false })
            try items.each { item in
                renderer.write(item, to: &buffer)
                try pass()
            }
            try add(renderer.end(part: 1, hasMore: false))
        }
        if !buffer.isEmpty { try write(buffer[...]) }
    }
}
