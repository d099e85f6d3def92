import Archive
import ChatModel
import Foundation
import Logging
import Reading
import Rendering
import Sessions
import Synchronization
import TestSupport
import Testing
import Writing

@testable import Scrollback
@testable import Service
@testable import Settings

struct ListeningTests {
    private struct FixedSink: EventSink {
        let outcomes: [EventOutcome]

        func append(_ batch: [ChatEvent]) async throws -> [EventOutcome] { outcomes }
    }

    private static let event = ChatEvent.message(
        IncomingMessage(
            session: SessionID(rawValue: 1), room: RoomReference(key: "", name: "lobby", kind: .server), kind: .message,
            sender: nil, body: "hi", receivedAt: sampleTime))
    private static let unheard = ChatEvent.message(
        IncomingMessage(
            session: nil, room: RoomReference(key: "", name: "lobby", kind: .server), kind: .message,
            sender: nil, body: "hi", receivedAt: sampleTime))
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func `only new messages are acknowledged, after they are stored`() async throws {
        let pipe = Pipe()
        let sink = AcknowledgingSink(
            base: FixedSink(outcomes: [
                .done, .new(sampleTime.microseconds), .known(5), .failed(6), .new(sampleTime.microseconds + 1), .new(9),
            ]),
            acknowledgements: try AcknowledgementWriter(
                descriptor: pipe.fileHandleForWriting.fileDescriptor, logger: Self.quiet))
        let events = [ChatEvent.waiting(attempts: 1, nextTry: sampleTime)] + Array(repeating: Self.event, count: 4)
        let outcomes = try await sink.append(events + [.sessionOpened(at: sampleTime)])
        #expect(outcomes.count == 6)
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text == "2026-11-21T06:23:11.123456Z\n2026-11-21T06:23:11.123457Z\n")
    }

    @Test func `storing continues when the reader of acknowledgements leaves`() async throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let warnings = Mutex(0)
        let logger = Logger(label: "test") { label in
            SafeLogHandler(label: label, level: .info, format: .text, write: { _ in warnings.withLock { $0 += 1 } })
        }
        let sink = AcknowledgingSink(
            base: FixedSink(outcomes: [.new(1)]),
            acknowledgements: try AcknowledgementWriter(
                descriptor: pipe.fileHandleForWriting.fileDescriptor, logger: logger))
        try pipe.fileHandleForReading.close()
        for _ in 1...3 {
            let outcomes = try await sink.append([Self.event])
            #expect(outcomes == [.new(1)])
        }
        #expect(warnings.withLock(\.self) == 1)
    }

    @Test func `an unwritable descriptor is refused at the start`() throws {
        #expect(throws: ServiceError.self) { try AcknowledgementWriter(descriptor: 9999, logger: Self.quiet) }
        let pipe = Pipe()
        #expect(throws: ServiceError.self) {
            try AcknowledgementWriter(descriptor: pipe.fileHandleForReading.fileDescriptor, logger: Self.quiet)
        }
    }

    @Test func `a data folder has one listener, whose process the error names`() async throws {
        try await withTemporaryFolder { folder in
            var lock: DataFolderLock? = try DataFolderLock(folder: folder)
            let error = try #require(throws: ServiceError.self) { try DataFolderLock(folder: folder) }
            #expect(error.description.contains("a running listener (process \(getpid())) uses data folder"))
            _ = lock
            lock = nil
            #expect(throws: Never.self) { try DataFolderLock(folder: folder) }
        }
    }

    @Test func `a data folder is accessible to its owner only`() async throws {
        try await withTemporaryFolder { folder in
            try DataFolderAccess.create(folder + "/a/b")
            #expect(!DataFolderAccess.isOpenToOthers(folder + "/a/b"))
            chmod(folder, 0o755)
            #expect(DataFolderAccess.isOpenToOthers(folder))
            try Data().write(to: URL(fileURLWithPath: folder + "/file"))
            #expect(throws: ServiceError.self) { try DataFolderAccess.create(folder + "/file/x") }
        }
    }

    /// Hears something, and is told to stop while the store can't take it.
    private struct LateListener: Listener {
        func run(
            inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
            report: @escaping @Sendable (ListenerReport) -> Void
        ) async {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try? await sink.append([.sessionOpened(at: sampleTime)])
        }
    }

    @Test(arguments: [false, true])
    func `stopping fails when received messages could not be stored`(isDamaged: Bool) async throws {
        try await withTemporaryFolder { folder in
            let demo = AccountIdentity(name: "demo", network: "streamchat")
            let writer = try await Archive(folder: folder, logger: Self.quiet).openWriter(demo)
            if isDamaged { try damageFiles(folder + "/accounts") }
            let registry = StatusRegistry(accounts: [demo])
            registry.opened(demo, stored: .init(status: { try await writer.status() }, trouble: { writer.trouble }))
            await AccountService(
                account: demo, listener: LateListener(), writer: writer, sink: writer, registry: registry,
                plan: { _ in RetentionPlan() }, logger: Self.quiet
            ).run()
            if isDamaged {
                let error = #expect(throws: ServiceError.self) { try registry.requireAllStored() }
                #expect(
                    error?.description.contains("account \"demo\": the last received events are not stored") == true)
            } else {
                #expect(throws: Never.self) { try registry.requireAllStored() }
            }
        }
    }

    /// Hears nothing, until it is told to stop.
    private struct SilentListener: Listener {
        func run(
            inputs: AsyncStream<ListenerInput>, into sink: any EventSink, state: any ListenerState,
            report: @escaping @Sendable (ListenerReport) -> Void
        ) async {
            for await _ in inputs {}
        }
    }

    @Test(.disabled(if: QuickCheck.isRunning))
    func `status reports an error while the index is filled, and filling continues afterwards`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let demo = AccountIdentity(name: "demo", network: "streamchat")
            let writer = try await Archive(folder: folder, logger: Self.quiet).openWriter(demo)
            // Two batches, of which the second is left.
            _ = try await writer.append(Array(repeating: Self.unheard, count: 2001))
            #expect(try await writer.indexStep(rebuild: true).from != nil)
            let stored = try await writer.status()
            let registry = StatusRegistry(accounts: [demo])
            registry.opened(
                demo,
                stored: .init(
                    status: { stored }, trouble: { writer.trouble },
                    indexTrouble: { writer.indexTrouble }))
            let accounts = folder + "/accounts"
            try FileManager.default.moveItem(atPath: accounts, toPath: accounts + ".away")
            let service = AccountService(
                account: demo, listener: SilentListener(), writer: writer, sink: writer, registry: registry,
                plan: { _ in RetentionPlan() }, logger: Self.quiet, indexInterval: .milliseconds(1))
            let running = Task { await service.run() }
            while writer.indexTrouble == nil { await Task.yield() }
            let told = await registry.statuses()[0].lastError
            #expect(told?.hasPrefix("the search index is incomplete: ") == true, "\(told ?? "nothing")")
            #expect(throws: Never.self) { try registry.requireAllStored() }
            try FileManager.default.moveItem(atPath: accounts + ".away", toPath: accounts)
            while writer.indexTrouble != nil { await Task.yield() }
            #expect(await registry.statuses()[0].lastError == nil)
            running.cancel()
            await running.value
            let again = try await Archive(folder: folder, logger: Self.quiet).openWriter(demo)
            #expect(try await again.indexStep().added == 0)
            try await again.close()
        }
    }

    @Test func `a change for an account that has left is refused without a trap`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let demo = AccountIdentity(name: "demo", network: "streamchat")
            let writer = try await Archive(folder: folder, logger: Self.quiet).openWriter(demo)
            let registry = StatusRegistry(accounts: [demo])
            let service = AccountService(
                account: demo, listener: SilentListener(), writer: writer, sink: writer, registry: registry,
                plan: { _ in RetentionPlan() }, logger: Self.quiet)
            let answers = ControlAnswers(registry: registry, accounts: OpenAccounts([service]))
            let change = ControlRequest.change(.indexStep(account: "demo", rebuild: false))
            let before = await answers.answer(change)
            #expect(before.done == true)
            try await writer.close()
            let after = await answers.answer(change)
            #expect(after == ControlReply(done: false))
            let backfill = await answers.answer(.backfill(account: "demo", room: 1, after: nil))
            #expect(backfill == ControlReply(done: false), "not that there is no such room")
        }
    }

    private func damageFiles(_ folder: String) throws {
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder))
        where name.contains(".sqlite") {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder + "/" + name))
            let size = try file.seekToEnd()
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size)))
            try file.close()
        }
    }

    @Test func `an account that has left is not in status, and its unstored messages are remembered`() async {
        let accounts = ["one", "two", "three"].map { AccountIdentity(name: $0, network: "irc") }
        let registry = StatusRegistry(accounts: Array(accounts.prefix(2)))
        func opened(_ account: AccountIdentity, trouble: String? = nil) {
            registry.opened(account, stored: .init(status: { throw CancellationError() }, trouble: { trouble }))
        }
        opened(accounts[0], trouble: "disk full")
        registry.report(accounts[1], ListenerReport(state: .connected, since: sampleTime))
        registry.arrange([accounts[2], accounts[1]])
        registry.report(accounts[0], ListenerReport(state: .offline, since: sampleTime))
        let statuses = await registry.statuses()
        #expect(statuses.map(\.account) == ["three", "two"])
        #expect(statuses.map(\.state) == [.connecting, .connected])
        #expect(registry.summary == "1 of 2 accounts connected")
        registry.note(configurationTrouble: "the configuration is no use")
        #expect(registry.summary == "1 of 2 accounts connected; the configuration is no use")
        // One that comes back has another file.
        opened(accounts[1], trouble: "disk full")
        opened(accounts[1])
        let error = #expect(throws: ServiceError.self) { try registry.requireAllStored() }
        #expect(
            error?.description.contains("accounts \"one\", \"two\": the last received events are not stored") == true)
    }

    @Test func `a snapshot message is acknowledged like any other`()
        async throws
    {
        guard case .message(let message, _) = Self.event else { return }
        let pipe = Pipe()
        let sink = AcknowledgingSink(
            base: FixedSink(outcomes: [.new(1), .known(1), .version(1), .new(2)]),
            acknowledgements: try AcknowledgementWriter(
                descriptor: pipe.fileHandleForWriting.fileDescriptor, logger: Self.quiet))
        let replayed = ChatEvent.message(message, .replay(Occurrence(), .second))
        _ = try await sink.append([
            .message(message, .snapshot), .message(message, .snapshot), .message(message, .snapshot), replayed,
        ])
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(text == "1970-01-01T00:00:00.000001Z\n1970-01-01T00:00:00.000002Z\n")
    }
}
