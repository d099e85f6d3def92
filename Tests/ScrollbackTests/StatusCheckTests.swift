import ChatModel
import Foundation
import Testing

@testable import Rendering

struct StatusCheckTests {
    private func status(
        _ state: AccountStatus.State, since seconds: Int = 60, error: String? = nil, network: String = "irc",
        account: String = "libera"
    ) -> AccountStatus {
        var status = AccountStatus(
            account: account, network: network, state: state, since: sampleTime.advanced(by: .seconds(-seconds)),
            lastSignOfLife: sampleTime, lastError: error)
        status.gapSeconds = 0
        return status
    }

    private func check(
        _ reported: [AccountStatus]?, expected: Set<String> = ["libera"], unreadable: [SkippedAccount] = [],
        free: Int64 = 5_000_000_000
    ) -> StatusCheck {
        StatusCheck(
            reported: reported, expected: expected, unreadable: unreadable,
            disk: StatusCheck.Disk(free: free, total: 100_000_000_000), now: sampleTime, time: LocalTime(zone: .gmt))
    }

    @Test func `a connected account is fine`() {
        #expect(check([status(.connected)]).troubles == [])
        #expect(check([status(.connected)]).fine == "OK: 1 account connected\n")
        #expect(check([status(.connected), status(.connecting)]).fine == "OK: 1 account connected, 1 connecting\n")
        #expect(
            check(nil, expected: []).troubles == ["CRITICAL: no listener runs and no account is configured\n"])
    }

    @Test func `a disconnected account has a line with the time and the reason`() {
        #expect(
            check([status(.waiting, error: "connection refused")]).troubles == [
                "CRITICAL: libera: not connected since 2026-11-21 06:22:11 (connection refused)\n"
            ])
        #expect(
            check([status(.needsLogin, error: "bad password")]).troubles == [
                "CRITICAL: libera: login refused since 2026-11-21 06:22:11 (bad password)\n"
            ])
        #expect(check([status(.connecting, since: 119)]).troubles == [])
        #expect(check([status(.connecting, since: 121)]).troubles.count == 1)
        #expect(check([status(.connecting, since: 121, network: "streamchat")]).troubles == [])
        #expect(check([status(.failed, error: "\u{1B}[2J")]).troubles.first?.contains("\u{1B}") == false)
    }

    @Test func `without a listener, there is one line for all accounts`() {
        #expect(
            check(nil, expected: ["a", "b"]).troubles == ["CRITICAL: no listener runs for 2 configured accounts\n"])
        #expect(
            check([status(.connected)], expected: ["libera", "새것"]).troubles == [
                "CRITICAL: 새것: the listener does not have this account; reload its configuration\n"
            ])
    }

    @Test func `silence, a long fetch of history and a slow store are troubles`() {
        var silent = status(.connected, since: 900)
        silent.lastSignOfLife = sampleTime.advanced(by: .seconds(-301))
        #expect(check([silent]).troubles == ["CRITICAL: libera: nothing received since 2026-11-21 06:18:10\n"])
        silent.network = "streamchat"
        #expect(check([silent]).troubles == [])
        var behind = status(.connected, since: 3601)
        behind.backfill = BackfillProgress(rooms: 3)
        #expect(
            check([behind]).troubles == [
                "CRITICAL: libera: behind: still fetching the history of 3 rooms since 2026-11-21 05:23:10\n"
            ])
        var unstored = status(.connected, error: "disk full")
        unstored.countedSince = sampleTime.advanced(by: .seconds(-500))
        unstored.lastCommit = sampleTime.advanced(by: .seconds(-100))
        unstored.lastByte = sampleTime
        #expect(check([unstored]).troubles == ["CRITICAL: libera: not stored since 2026-11-21 06:21:31 (disk full)\n"])
        unstored.gapSeconds = nil
        #expect(check([unstored]).troubles == ["CRITICAL: libera: disk full\n"])
    }

    @Test func `an unreadable account is a trouble, with its name if known`() {
        let unreadable = [
            SkippedAccount(account: "new\u{1B}", reason: "corrupt", detail: "accounts/new-1/1.sqlite is damaged"),
            SkippedAccount(
                account: nil, reason: "corrupt", detail: "accounts/old-2/1.sqlite is not a Scrollback account file"),
        ]
        let troubles = check([status(.connected)], unreadable: unreadable).troubles
        #expect(troubles.count == 2)
        #expect(troubles.first?.hasPrefix("CRITICAL: new") == true && troubles.first?.contains("\u{1B}") == false)
        #expect(troubles.first?.hasSuffix(": accounts/new-1/1.sqlite is damaged\n") == true)
        #expect(troubles.last == "CRITICAL: accounts/old-2/1.sqlite is not a Scrollback account file\n")
    }

    @Test func `a retention rule that waits for a decision is a trouble`() {
        var waiting = status(.connected)
        waiting.retention = RetentionStatus(waiting: ["max_age = \"90d\""])
        #expect(
            check([waiting]).troubles == [
                "CRITICAL: libera: a retention rule waits (max_age = \"90d\"): scrollback retention plan\n"
            ])
    }

    @Test func `a nearly full disk is a trouble`() {
        #expect(
            check([status(.connected)], free: 900_000_000).troubles == [
                "CRITICAL: the disk of the data folder is nearly full: 900.0 MB free\n"
            ])
    }
}
