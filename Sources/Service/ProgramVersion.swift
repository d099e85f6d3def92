/// As in `CHANGELOG.md`.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
