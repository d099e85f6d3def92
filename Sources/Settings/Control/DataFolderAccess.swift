import Files
import Glibc
import Rendering

/// Creates and checks the data folder for a listener.
package enum DataFolderAccess {
    /// Creates the folder for its owner only, unless it exists.
    package static func create(_ folder: String) throws(ServiceError) {
        do {
            try FolderEntries.make(folder)
        } catch {
            throw ServiceError(
                .notPermitted, "can't create the data folder: \(Sanitizer.line(error.detail))",
                hint: "choose another with --data FOLDER")
        }
    }

    /// Returns true if other users can read the folder, which a person may have created by hand.
    package static func isOpenToOthers(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & 0o077 != 0
    }
}
