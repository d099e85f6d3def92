import FoundationEssentials
import Glibc

extension ExportFolder {
    /// Calls the body with the path of each file below the folder, in no order. Does not follow links.
    ///
    /// - Parameter enters: Returns false for a folder whose files are left out.
    func eachFile(enters: (_ folder: String) -> Bool, _ body: (String) -> Void) {
        var folders = [""]
        while let folder = folders.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: full(folder))) ?? []
            for name in names {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                var status = stat()
                if lstat(full(path), &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                    if enters(path) { folders.append(path) }
                } else {
                    body(path)
                }
            }
        }
    }
}
