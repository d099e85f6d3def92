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

/// The status that a listener reports.
extension ListeningTests {
    @Test func `the listener's report takes priority over the file, and an error over both`() async {
        let demo = AccountIdentity(name: "demo", network: "streamchat")
        let work = AccountIdentity(name: "work", network: "streamchat")
        let registry = StatusRegistry(accounts: [demo, work])
        let trouble = Mutex<String?>(nil)
        registry.opened(
            demo,
            stored: .init(
                status: {
                    AccountStatus(
                        account: "demo", network: "streamchat", state: .offline, since: nil, lastSignOfLife: sampleTime,
                        lastMessage: MessageID(sampleTime), messages: 3, openGaps: 1, failures: 2, lastError: "old",
                        nextTry: nil)
                }, trouble: { trouble.withLock(\.self) }))
        registry.report(demo, ListenerReport(state: .connecting, since: sampleTime))
        registry.report(
            demo, ListenerReport(state: .waiting, since: sampleTime, lastError: "refused", nextTry: sampleTime))
        registry.failed(work, error: "accounts/work has schema 9", at: sampleTime)
        let first = await registry.statuses()
        #expect(first.map(\.account) == ["demo", "work"])
        #expect(first[0].state == .waiting)
        #expect(first[0].lastError == "refused")
        #expect(first[0].messages == 3)
        #expect(first[0].lastSignOfLife == sampleTime)
        #expect(first[1].state == .failed)
        #expect(first[1].lastError == "accounts/work has schema 9")
        trouble.withLock { $0 = "disk full" }
        #expect(await registry.statuses()[0].lastError == "disk full")
    }

    @Test func `figures of an unreadable archive carry their time, and machines get none`() async {
        struct Unreadable: Error, CustomStringConvertible {
            var description: String { "disk I/O error" }
        }
        let demo = AccountIdentity(name: "demo", network: "streamchat")
        let registry = StatusRegistry(accounts: [demo])
        let isReadable = Mutex(true)
        registry.opened(
            demo,
            stored: .init(
                status: {
                    guard isReadable.withLock(\.self) else { throw Unreadable() }
                    var status = AccountStatus(
                        account: "demo", network: "streamchat", state: .connected, since: nil, lastSignOfLife: nil,
                        lastMessage: nil, messages: 3, openGaps: 1, failures: 0, lastError: nil, nextTry: nil)
                    status.gapSeconds = 5
                    return status
                }, trouble: { nil }))
        #expect(await registry.statuses().map(\.lastError) == [nil])
        isReadable.withLock { $0 = false }
        let status = await registry.statuses()[0]
        #expect(status.messages == 3)
        #expect(status.lastError?.hasPrefix("the archive can't be read (figures from 20") == true)
        #expect(status.lastError?.hasSuffix("Z): disk I/O error") == true)
        #expect(status.gapSeconds == nil)
        #expect(!MetricsText([status]).text.contains("scrollback_stored_messages{"))
    }
}
