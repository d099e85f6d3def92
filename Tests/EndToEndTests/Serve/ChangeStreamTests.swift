import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ChangeStreamTests {
    private let archive: ServedArchive
    private var scrollback: Program { archive.scrollback }

    init() throws {
        archive = try ServedArchive()
    }

    private func add(_ texts: [String], room: String = "#live") async throws {
        let lines = texts.enumerated().map { number, text in
            "{\"id\": \"2024-11-29T00:00:\(10 + number).000000Z\", \"room\": \"\(room)\", \"kind\": \"message\", \"body\": \"\(text)\", \"remote_id\": \"\(text)\"}\n"
        }
        try scrollback.write(lines.joined(), to: "more.jsonl")
        let result = try await scrollback("import", "jsonl", "more.jsonl", "-a", "demo")
        #expect(result.status == 0, "\(result.errors)")
    }

    private func bodies(_ reader: inout EventReader, count: Int) async throws -> [String] {
        var bodies: [String] = []
        while bodies.count < count, let event = try await reader.nextEvent() {
            if let body = event.data?.firstMatch(of: /"body": "([^"]*)"/)?.1 { bodies.append(String(body)) }
        }
        return bodies
    }

    @Test func `every follower gets stored messages in order, and continues where it left off`() async throws {
        try await archive.fill(20)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let events = ["Accept": "text/event-stream"]
        var first = EventReader(try await client.start("/api/v1/changes?account=demo", events))
        var second = EventReader(try await client.start("/api/v1/changes?account=demo", events))
        let start = try await first.next()?.id
        _ = try await second.next()
        try await add(["one", "two", "three"])
        #expect(try await bodies(&first, count: 3) == ["one", "two", "three"])
        #expect(try await bodies(&second, count: 3) == ["one", "two", "three"])
        let later = ["Accept": "text/event-stream", "Last-Event-ID": start ?? ""]
        var third = EventReader(try await client.start("/api/v1/changes?account=demo", later))
        #expect(try await bodies(&third, count: 3) == ["one", "two", "three"])
    }

    @Test func `a browser that was offline for a night gets everything it missed`() async throws {
        try await archive.fill(2000)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let lines = try await client.get("/api/v1/changes?account=demo").body.split(separator: "\n")
        let positions = lines.compactMap { $0.firstMatch(of: /"position": "([^"]*)"/).map { String($0.1) } }
        let headers = ["Accept": "text/event-stream", "Last-Event-ID": positions[3]]
        var reader = EventReader(try await client.start("/api/v1/changes?account=demo", headers))
        var seen: [String] = []
        while seen.count < positions.count - 4, let event = try await reader.nextEvent() {
            seen += event.id.map { [$0] } ?? []
        }
        #expect(seen == Array(positions[4...]))
    }

    @Test func `a position of another archive starts over with a reset`() async throws {
        try await archive.fill(10)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let headers = ["Accept": "text/event-stream", "Last-Event-ID": "00000000-0000-0000-0000-000000000000:5"]
        var reader = EventReader(try await client.start("/api/v1/changes?account=demo", headers))
        #expect(try await reader.nextEvent()?.name == "reset")
        #expect(try await reader.nextEvent()?.id?.hasSuffix(":1") == true)
    }

    @Test func `followers of a room get only that room`() async throws {
        try await archive.fill(20)
        let served = try await scrollback.serve()
        let client = served.program(try await scrollback.token("all"))
        let headers = ["Accept": "text/event-stream"]
        var reader = EventReader(
            try await client.start("/api/v1/changes?account=demo&room=%23example", headers))
        _ = try await reader.next()
        try await add(["elsewhere"], room: "a/b")
        try await add(["here"], room: "#example")
        #expect(try await bodies(&reader, count: 1) == ["here"])
    }

    @Test func `removing a token ends its stream, and stopping the server ends every stream`() async throws {
        try await archive.fill(20)
        let served = try await scrollback.serve()
        let headers = ["Accept": "text/event-stream"]
        let gone = served.program(try await scrollback.token("gone"))
        let kept = served.program(try await scrollback.token("kept"))
        var ending = EventReader(try await gone.start("/api/v1/changes?account=demo", headers))
        var staying = EventReader(try await kept.start("/api/v1/changes?account=demo", headers))
        _ = try await (ending.next(), staying.next())
        #expect(try await scrollback("serve", "token", "remove", "gone").status == 0)
        try await add(["after"])
        #expect(try await bodies(&staying, count: 1) == ["after"])
        #expect(try await ending.nextEvent() == nil)
        let stopped = try await served.run.stop()
        #expect(stopped.status == 0, "\(stopped.errors)")
        while try await staying.nextEvent() != nil {}
    }
}
