import CSQLite
import Foundation

/// The day and the machine of a measurement, for the last line of a plot.
enum PlotMachine {
    /// - Parameter programs: The names and versions of other programs that were measured.
    static func note(_ programs: [String] = []) -> String {
        let (cores, cpu) = (ProcessInfo.processInfo.activeProcessorCount, cpu)
        let machine = cpu.isVirtual ? " of a virtual machine" : ""
        let date = Date.now.formatted(.iso8601.year().month().day())
        let sqlite = "SQLite \(String(cString: sqlite3_libversion()))"
        return (["Measured on \(date)", "\(cores) cores\(machine) (\(cpu.model))", sqlite] + programs)
            .joined(separator: ", ")
    }

    private static var cpu: (model: String, isVirtual: Bool) {
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let flags = lines.first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
        let name = model?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
        return (name, flags.contains("hypervisor"))
    }
}
