import FoundationEssentials
import Glibc
import Rendering
package import Settings

/// The largest number of threads that a listener needs.
///
/// Without a thread, NIO ends the process, and Dispatch waits for ever when storing needs one. So the listener does not
/// start if the limit is too low.
package struct ThreadNeeds: Sendable, Hashable {
    /// A limit that the system sets on threads.
    struct Limit: Sendable, Hashable {
        /// The owner of the limit, for people: `this user`.
        let holder: String
        let maximum: Int
        /// The number of threads that count against the limit, including this process's.
        let used: Int
        let hint: String
    }

    let accounts: Int
    let count: Int

    /// The threads of the process without accounts: 19 *(measured with 2 cores, of which event loops take 2)*.
    private static let ownCount = 17

    package init(_ configuration: Configuration, cores: Int = ProcessInfo.processInfo.activeProcessorCount) {
        accounts = configuration.accounts.count
        // Counts an event loop, a thread of Swift's tasks and one of Dispatch for each core, and a queue for each open
        // connection.
        count = Self.ownCount + 3 * cores + min(configuration.openConnections, 2 * accounts)
    }

    /// Raises the process's limit as far as the system allows.
    ///
    /// - Throws: ``ServiceError`` if that is too low.
    package func ensure() throws(ServiceError) {
        let own = ProcessThreads(ProcessThreads.file("/proc/self/status"))
        try require([Self.userLimit(own)].compactMap { $0 } + Self.groupLimits(), own: own?.threads ?? 1)
    }

    /// - Parameter own: The number of present threads of this process, which are part of the needed ones.
    func require(_ limits: [Limit], own: Int) throws(ServiceError) {
        for limit in limits where limit.maximum - limit.used + own < count {
            let free = max(0, limit.maximum - limit.used + own)
            throw ServiceError(
                .threads,
                "\(accounts.of("account")) may need \(count.grouped) threads, but \(limit.holder) has only "
                    + "\(free.grouped) left of \(limit.maximum.grouped)",
                hint: limit.hint)
        }
    }

    /// Returns the limit of this user's threads; nil if there is none, as for root.
    private static func userLimit(_ own: ProcessThreads?) -> Limit? {
        guard let own, own.user != 0, !own.isUnlimited else { return nil }
        var limit = rlimit()
        let resource = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return nil }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(Int32.max) else { return nil }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let used = processes.filter { Int($0) != nil }.reduce(0) { sum, process in
            let found = ProcessThreads(ProcessThreads.file("/proc/\(process)/status"))
            return sum + (found?.user == own.user ? found?.threads ?? 0 : 0)
        }
        return Limit(
            holder: "this user", maximum: Int(limit.rlim_cur), used: used,
            hint: "raise the limit (ulimit -Hu, LimitNPROC= in the service), or lower open_connections")
    }

    /// Returns the limits of the control groups that this process is in.
    private static func groupLimits() -> [Limit] {
        ProcessThreads.groups(ProcessThreads.file("/proc/self/cgroup")).compactMap { folder in
            guard let maximum = Int(ProcessThreads.file(folder + "/pids.max").prefix(while: \.isNumber)),
                let used = Int(ProcessThreads.file(folder + "/pids.current").prefix(while: \.isNumber))
            else { return nil }
            return Limit(
                holder: "its control group", maximum: maximum, used: used,
                hint: "raise the limit (TasksMax= in the service, pids.max in \(folder)), or lower open_connections")
        }
    }
}

/// A process's user and threads, from `/proc` (proc_pid_status(5)).
struct ProcessThreads: Sendable, Hashable {
    let user: Int
    let threads: Int
    /// True for holders of CAP_SYS_ADMIN or CAP_SYS_RESOURCE, whom RLIMIT_NPROC doesn't bind (getrlimit(2)).
    let isUnlimited: Bool

    private static let unlimiting: UInt64 = 1 << 21 | 1 << 24

    /// Nil if the text lacks a field.
    init?(_ status: String) {
        func value(_ name: String) -> Substring? {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.dropFirst(name.count + 1).split(whereSeparator: \.isWhitespace).first
        }
        guard let user = value("Uid").flatMap({ Int($0) }), let threads = value("Threads").flatMap({ Int($0) }) else {
            return nil
        }
        (self.user, self.threads) = (user, threads)
        isUnlimited = value("CapEff").flatMap { UInt64($0, radix: 16) }.map { $0 & Self.unlimiting != 0 } ?? false
    }

    /// Returns the folders of the control groups in `/proc/self/cgroup`, and of the groups around them.
    static func groups(_ text: String) -> [String] {
        text.split(separator: "\n").flatMap { line -> [String] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[1].isEmpty || fields[1] == "pids" else { return [] }
            let root = fields[1].isEmpty ? "/sys/fs/cgroup" : "/sys/fs/cgroup/pids"
            let parts = fields[2].split(separator: "/")
            return (0...parts.count).reversed().map { ([root[...]] + parts.prefix($0)).joined(separator: "/") }
        }
    }

    /// Returns a file's text; empty if there is none.
    static func file(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
