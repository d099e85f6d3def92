/// A list of names and ids of an account's own person.
package enum OwnNameSource: Int64, Sendable, Hashable, Codable {
    /// The key `me` of the configuration.
    case configuration
    /// `import --me` and `archive me`.
    case command
}
