import Foundation
import TestSupport
import Testing

@testable import Service

struct SystemdTests {
    @Test func `notifications arrive at a path and at an abstract name`() throws {
        let folder = try TemporaryFolder()
        for name in [folder.path + "/n", "@scrollback-test-" + UUID().uuidString] {
            let systemd = try DatagramSocket(name)
            let socket = try #require(SystemdSocket(environment: ["NOTIFY_SOCKET": name]))
            socket.notify("READY=1")
            socket.notify("WATCHDOG=1\nSTATUS=1 of 1 account connected")
            #expect(systemd.messages == ["READY=1", "WATCHDOG=1\nSTATUS=1 of 1 account connected"])
            #expect(socket.watchdog == nil)
        }
    }

    @Test(arguments: ["", "@", "relative", "vsock:2:1234", "/" + String(repeating: "x", count: 200)])
    func `an address that is not a local socket is ignored`(name: String) {
        #expect(SystemdSocket(environment: ["NOTIFY_SOCKET": name]) == nil)
        #expect(SystemdSocket(environment: [:]) == nil)
    }

    @Test func `a systemd that reads nothing delays nothing`() throws {
        let folder = try TemporaryFolder()
        let systemd = try DatagramSocket(folder.path + "/n")
        let socket = try #require(SystemdSocket(environment: ["NOTIFY_SOCKET": folder.path + "/n"]))
        var sent = 0
        while socket.notify("WATCHDOG=1"), sent < 1_000_000 { sent += 1 }
        #expect(systemd.messages.count == sent)
        #expect(socket.notify("WATCHDOG=1"))
    }

    @Test func `a missing socket is not an error`() throws {
        let folder = try TemporaryFolder()
        try #require(SystemdSocket(environment: ["NOTIFY_SOCKET": folder.path + "/none"])).notify("READY=1")
    }

    @Test func `the watchdog applies only to its own process`() {
        func watchdog(_ more: [String: String]) -> Duration? {
            SystemdSocket(environment: ["NOTIFY_SOCKET": "/n"].merging(more) { $1 })?.watchdog
        }
        #expect(watchdog(["WATCHDOG_USEC": "60000000"]) == .seconds(60))
        #expect(watchdog(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": String(getpid())]) == .seconds(60))
        #expect(watchdog(["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "1"]) == nil)
        for nonsense in ["", "0", "-5", "x", "99999999999999999999"] {
            #expect(watchdog(["WATCHDOG_USEC": nonsense]) == nil)
        }
    }

    @Test(.timeLimit(.minutes(MachineSpeed.minutes(5))))
    func `the listener is ready when its control socket answers, and alive while every store answers`() async {
        let clock = ManualClock()
        let told = Watched<[String]>([])
        let isReady = Watched(false)
        let asked = Watched(0)
        let answers = Watched(0)
        let service = SystemdService(
            notify: { text in
                told.change { $0.append(text) }
                return true
            }, watchdog: .seconds(60), isReady: { isReady.value },
            storesAnswer: {
                let number = asked.change { asked in
                    asked += 1
                    return asked
                }
                await answers.wait { $0 >= number }
            }, summary: { "fine" }, clock: clock)
        await withTaskGroup { group in
            group.addTask { await service.run() }
            await clock.sleeper(at: .milliseconds(100))
            #expect(told.value.isEmpty)
            isReady.change { $0 = true }
            clock.advance(by: .milliseconds(100))
            await asked.wait { $0 == 1 }
            #expect(told.value == ["READY=1"])
            answers.change { $0 = 1 }
            await told.wait { $0.count == 2 }
            #expect(told.value.last == "WATCHDOG=1\nSTATUS=fine")
            await clock.sleeper(at: .milliseconds(30_100))
            clock.advance(by: .seconds(30))
            await asked.wait { $0 == 2 }
            #expect(told.value.count == 2)
            answers.change { $0 = 2 }
            await told.wait { $0.count == 3 }
            group.cancelAll()
        }
    }
}
