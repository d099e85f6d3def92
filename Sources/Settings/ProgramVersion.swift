/// The version of the program, as in `CHANGELOG.md`.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
