import Glibc

/// Makes a system call, and makes it again when a signal interrupted it (EINTR), as file systems of other machines may
/// report.
package func uninterrupted(_ call: () -> Int32) -> Int32 {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
