import FoundationEssentials

/// A configuration file, and the reason why it is used.
package struct FoundConfiguration: Sendable, Hashable {
    package enum Source: String, Sendable {
        case option, variable, workingFolder, standardFolder

        /// The reason for people.
        package var reason: String {
            switch self {
            case .option: "named by --config"
            case .variable: "named by SCROLLBACK_CONFIG"
            case .workingFolder: "found in the current folder"
            case .standardFolder: "found in the user's configuration folder"
            }
        }
    }

    /// The path, relative if it was found so.
    package var path: String
    package var source: Source

    package var absolutePath: String { URL(fileURLWithPath: path).path }
}
