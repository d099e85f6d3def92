import ChatModel
import FoundationEssentials
package import Reading
import Rendering

/// The size and duration of a large export, estimated from some of its messages.
package struct ExportEstimate {
    /// The number of messages, as if each room's were spread evenly over time.
    package let messages: Int
    /// The size of the messages in bytes, without the other parts of the files.
    package let bytes: Int64
    /// The time to read and render all messages, without writing them.
    package let time: Duration

    /// The shortest export that is announced beforehand.
    private static let least = Duration.seconds(10)
    /// The number of the largest rooms, which are sampled; they have most of an archive's messages.
    private static let rooms = 4

    /// Reads a page of each of the largest rooms. Nil if the export takes less than 10 s.
    package init?(_ request: ExportRequest, of source: AccountExport) throws {
        let rooms = try source.rooms().filter { request.rooms?.contains($0.id) ?? true }
        let (after, before) = (
            request.after ?? MessageID(microseconds: .min), request.before ?? MessageID(microseconds: .max)
        )
        let settings = ExportSettings(
            account: source.account.name, network: source.account.network, zone: request.zone)
        var (count, size) = (0, 0)
        var (reading, rendering) = (Duration.zero, Duration.zero)
        for room in rooms.sorted(by: { $0.messages > $1.messages }).prefix(Self.rooms) {
            let unit = ExportUnit(
                roomID: room.id, room: room.name, folder: "room", month: CalendarMonth(year: 2026, month: 1),
                previous: nil,
                next: nil)
            var renderer = request.format.init(unit, of: settings)
            _ = renderer.begin(part: 1)
            let start = ContinuousClock.now
            let page = try source.messages(room: room.id, after: after, before: before, count: ExportRun.page)
            let exact = request.format.isExact ? try source.exactDetails(of: page) : [:]
            let read = ContinuousClock.now
            var bytes: [UInt8] = []
            for message in page { renderer.write(.message(message, exact: exact[message.id]), to: &bytes) }
            (reading, rendering) = (reading + (read - start), rendering + (ContinuousClock.now - read))
            size += bytes.count
            count += page.count
        }
        // Each page is read while the one before it is rendered.
        let each = max(reading, rendering) / max(count, 1)
        messages = rooms.reduce(0) { $0.adding(Self.share(of: $1, after, before)) }
        // Limits the number, which may be anything in a damaged file. The limit is about a year of messages.
        time = each * min(messages, 1 << 40)
        bytes = Int64(saturating: Double(size) / Double(max(count, 1)) * Double(messages))
        guard time >= Self.least else { return nil }
    }

    /// Returns the share of a room's messages within the time, as if they were spread evenly.
    private static func share(of room: Room, _ after: MessageID, _ before: MessageID) -> Int {
        guard let first = room.firstMessage?.microseconds, let last = room.lastMessage?.microseconds else { return 0 }
        let (lower, upper) = (max(first, after.microseconds), min(last, before.microseconds))
        guard lower <= upper else { return 0 }
        return Int(
            saturating: Double(room.messages) * (Double(upper) - Double(lower) + 1) / (Double(last) - Double(first) + 1)
        )
    }

    /// A line for people: `about 2,000,000 messages (600 MB), about 40 s`.
    package var text: String {
        "about \(messages.of(.message)) (\(ByteCount(bytes))), about \(RoughDuration(time))\n"
    }
}
