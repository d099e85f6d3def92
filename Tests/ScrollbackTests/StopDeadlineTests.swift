import Foundation
import TestSupport
import Testing

@testable import Settings

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(5))))
struct StopDeadlineTests {
    private let ends = Watched<[Int32]>([])

    private func deadline(
        after limit: Duration = .milliseconds(1), status: Int32? = nil,
        unfinished: @escaping @Sendable () -> String = { "" }
    ) -> StopDeadline {
        StopDeadline(limit: limit, status: status, unfinished: unfinished) { [ends] status in
            ends.change { $0.append(status) }
        }
    }

    @Test(
        arguments: [(nil, SIGTERM, 143), (nil, SIGINT, 130), (1, SIGTERM, 1), (1, SIGHUP, 1)]
            as [(Int32?, Int32, Int32)])
    func `a stopping process ends when its time is over`(status: Int32?, signal: Int32, ended: Int32) async {
        deadline(status: status).received(signal)
        await ends.wait { $0 == [ended] }
    }

    @Test func `a second signal ends the process at once, and a hang-up does not count`() {
        let deadline = deadline(after: .seconds(3600))
        deadline.received(SIGHUP)
        deadline.received(SIGHUP)
        deadline.received(SIGTERM)
        #expect(ends.value.isEmpty)
        deadline.received(SIGINT)
        #expect(ends.value == [130])
    }

    @Test func `a blocked report of the rest is not waited for`() async {
        let forever = DispatchSemaphore(value: 0)
        deadline {
            forever.wait()
            return ""
        }
        .received(SIGTERM)
        await ends.wait { $0 == [143] }
        forever.signal()
    }
}
