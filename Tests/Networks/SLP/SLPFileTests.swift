import SLP
import SLPWire
import Sessions
import TestSupport
import Testing

@Suite(
    .enabled(if: SLPServer.isAvailable, "needs .venv, which .ci/make-venv makes"),
    .timeLimit(.minutes(MachineSpeed.minutes(5))))
struct SLPFileTests {
    private static let content = (0..<200_000).map { UInt8($0 % 251) }

    /// `then` is called when so many bytes are there.
    private func read(
        _ file: FetchedFile, _ count: Int = .max, then: () async throws -> Void = {}
    ) async -> (bytes: [UInt8], error: CallError?) {
        var bytes: [UInt8] = []
        do {
            for try await piece in file {
                bytes += piece
                if bytes.count == count { try await then() }
            }
            return (bytes, nil)
        } catch {
            return (bytes, error as? CallError)
        }
    }

    private func service() async throws -> SLPService {
        let service = try await SLPService.start()
        try await service.order("file", #"{"path":"/static/가 1.png","bytes":200000}"#)
        return service
    }

    @Test(arguments: ["/static/가 1.png", "static/%EA%B0%80%201.png", "URL"])
    func `a file is fetched completely by its given path`(path: String) async throws {
        let service = try await service()
        let path = path == "URL" ? "http://127.0.0.1:\(service.port)/v1/static/%EA%B0%80%201.png" : path
        try await service.call { client in
            let file = try await client.file(path)
            #expect(file.offset == 0 && file.total == 200_000)
            let (bytes, error) = await read(file)
            #expect(bytes == Self.content && error == nil)
        }
    }

    @Test(arguments: ["\"1\"", "\"2\""])
    func `an interrupted file continues where it stopped, unless it changed`(tag: String) async throws {
        let service = try await service()
        try await service.order("fault", #"{"path":"/static","cut":70000}"#)
        try await service.call { client in
            let (start, error) = await read(try await client.file("/static/가 1.png"), 70_000) {
                try await service.order("break_off")
            }
            #expect(error?.code == .cut && start == Array(Self.content.prefix(70_000)))
            let rest = try await client.file("/static/가 1.png", from: start.count, tag: tag)
            #expect(rest.offset == (tag == "\"1\"" ? 70_000 : 0) && rest.total == 200_000)
            #expect(await read(rest).bytes == Array(Self.content[rest.offset...]))
        }
    }

    @Test(arguments: [
        "http://evil.example/v1/a.png", "https://evil.example/a.png", "http://127.0.0.1:1/v1/a.png", "ftp://x/a",
        "http://127.0.0.1@evil.example/v1/a.png",
    ])
    func `a file on another server is not requested`(path: String) async throws {
        let service = try await service()
        try await service.call { client in
            let error = await #expect(throws: CallError.self) { try await client.file(path) }
            #expect(error?.code == .foreignOrigin)
        }
        #expect(try await service.state().calls == [])
    }

    @Test(arguments: [
        "//evil.example/a.png", "/../../a.png", "/workspaces/1/channels/2/chats",
        "/static/%2e%2e/users/me",
    ])
    func `a path can't lead to another server or to something other than a file`(path: String) async throws {
        let service = try await service()
        try await service.call { client in
            let error = await #expect(throws: CallError.self) { try await client.file(path) }
            #expect(error?.code == .foreignOrigin)
        }
        #expect(try await service.state().calls == [])
    }

    @Test(arguments: ["@evil.example/a.png", ":1/a.png"])
    func `a path that looks like another server is one on the own server`(path: String) async throws {
        let service = try await service()
        try await service.call { client in
            let error = await #expect(throws: CallError.self) { try await client.file(path) }
            #expect(error?.code == .gone)
        }
        #expect(try await service.state().calls.contains { $0.contains(path) })
    }

    @Test(arguments: [
        (#""status":404"#, CallError.Code.gone), (#""status":410"#, .gone), (#""code":"E13""#, .gone),
        (#""code":"E14""#, .noPermission), (#""code":"E11""#, .refused),
        (#""location":"http://evil.example/a.png""#, .foreignOrigin),
    ])
    func `each reason for a missing file has its own error`(fault: String, code: CallError.Code) async throws {
        let service = try await service()
        try await service.order("fault", #"{"path":"/static",\#(fault),"times":9}"#)
        try await service.call { client in
            let error = await #expect(throws: CallError.self) { try await client.file("/static/가 1.png") }
            #expect(error?.code == code)
        }
        #expect(try await service.state().calls.count { $0.contains("/static") } == 1)
    }

    @Test func `a file that is too large is refused`() async throws {
        let service = try await service()
        try await service.call({ $0.limits.fileBytes = 199_999 }) { client in
            let error = await #expect(throws: CallError.self) { try await client.file("/static/가 1.png") }
            #expect(error?.code == .tooLarge && error?.detail == "the file is larger than 199999 bytes")
        }
        try await service.call({ $0.limits.fileBytes = 200_000 }) { client in
            let file = try await client.file("/static/가 1.png")
            #expect(await read(file).error == nil)
        }
    }
}
