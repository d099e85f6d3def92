import Foundation
import Rendering

/// The data folder as the listener makes and holds it.
package enum DataFolder {
    /// Makes it, for its owner only, where it is not there yet.
    package static func create(_ folder: String) throws(ServiceError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServiceError(
                .notPermitted, "data folder \(Sanitizer.line(folder)) can't be made: \(error.localizedDescription)",
                hint: "--data names another")
        }
    }

    /// Whether others than its owner may look into it: some folders were made by hand.
    package static func isOpenToOthers(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & 0o077 != 0
    }
}
