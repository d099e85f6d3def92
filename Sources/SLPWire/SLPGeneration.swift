/// Which of the service's two generations a server is; they differ in paths and shapes.
package enum SLPGeneration: Int, Sendable, Hashable, CaseIterable {
    /// Ids are integers; a channel's path is by name, a direct room's by the partner.
    case one = 1
    /// Ids are UUIDs, paths are by id.
    case two
}
