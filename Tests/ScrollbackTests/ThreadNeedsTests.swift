import Foundation
import Rendering
import Testing

@testable import Service
@testable import Settings

/// The threads that a listener may have.
struct ThreadNeedsTests {
    private func needs(accounts: Int) throws -> ThreadNeeds {
        let account = "[[account]]\nnetwork = \"streamchat\"\nserver = \"tcp://127.0.0.1:1\"\nnick = \"archiver\"\n"
        let text = (1...accounts).map { account + "name = \"a\($0)\"\n" }.joined()
        let file = try ConfigurationFile.parse(text, path: "/home/alice/scrollback.toml")
        return ThreadNeeds(try Configuration(file, home: "/home/alice"), cores: 2)
    }

    private func limit(_ maximum: Int, used: Int) -> ThreadNeeds.Limit {
        ThreadNeeds.Limit(holder: "this user", maximum: maximum, used: used, hint: "raise it")
    }

    /// Measured with 2 cores: 11 threads, 81, and 83.
    @Test(arguments: [(1, 11), (50, 81), (350, 83)])
    func `the computed threads suffice for a listener of 1, 50 and 350 accounts`(accounts: Int, taken: Int)
        throws
    {
        #expect(try needs(accounts: accounts).count >= taken)
    }

    @Test func `a listener with too few threads refuses to start, with the numbers and advice`() throws {
        let needs = try needs(accounts: 50)
        let error = #expect(throws: ServiceError.self) { try needs.require([limit(80, used: 10)], own: 6) }
        #expect(
            error?.description
                == "50 accounts may need 87 threads, but this user has only 76 left of 80; raise it")
        try needs.require([limit(91, used: 10)], own: 6)
        #expect(throws: ServiceError.self) { try needs.require([limit(1000, used: 0), limit(10, used: 50)], own: 6) }
    }

    @Test func `a process's status gives its user, threads and privilege`() {
        let text = "Name:\tx\nUid:\t65534\t65534\t65534\t65534\nThreads:\t7\nCapEff:\t"
        let plain = ProcessThreads(text + "0000000000000000\n")
        #expect(plain?.user == 65534 && plain?.threads == 7 && plain?.isUnlimited == false)
        #expect(ProcessThreads(text + "0000000001000000\n")?.isUnlimited == true)
        #expect(ProcessThreads("Threads:\t7\n") == nil)
        #expect(ProcessThreads("") == nil)
    }

    @Test func `the limits of all surrounding control groups count`() {
        #expect(
            ProcessThreads.groups("0::/system.slice/scrollback.service\n") == [
                "/sys/fs/cgroup/system.slice/scrollback.service", "/sys/fs/cgroup/system.slice", "/sys/fs/cgroup",
            ])
        #expect(
            ProcessThreads.groups("8:pids:/a\n4:memory:/b\n") == ["/sys/fs/cgroup/pids/a", "/sys/fs/cgroup/pids"])
        #expect(ProcessThreads.groups("") == [])
    }
}
