import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(MachineSpeed.minutes(10))))
struct ClosedStreamTests {
    @Test(arguments: ["init streamchat", "rooms --format json", "--help", "rooms -h", "--version"])
    func `closed output is a reported error`(arguments: String) throws {
        let (status, errors) = try run("exec \"$0\" \(arguments) >&-")
        #expect(status == 1)
        #expect(errors.contains("can't write the output: Bad file descriptor"))
    }

    @Test func `no opened file gets the number of a closed standard stream`() throws {
        // With the standard streams closed, the first file that is opened would be number 0.
        let (status, errors) = try run(
            """
            exec 3>&2
            "$0" room-server --port 0 <&- >&- 2>&- 3>&- &
            # The loader's own files have these numbers for a moment before, also when the server program starts.
            until [[ $(readlink /proc/$!/fd/{0,1,2}) == $'/dev/null\n/dev/null\n/dev/null' ]]; do
              kill -0 $! && sleep 0.02 || exit
            done
            kill $!
            """)
        #expect(status == 0 && errors == "")
    }

    private func run(_ script: String) throws -> (status: Int32, errors: String) {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", script, try Self.program()]
        process.environment = ["HOME": folder.path, "SCROLLBACK_DATA": folder.path, "PATH": "/usr/bin:/bin"]
        let errors = Pipe()
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// `swift test` builds it next to the tests.
    private static func program() throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return (tests as NSString).deletingLastPathComponent + "/scrollback"
    }
}
