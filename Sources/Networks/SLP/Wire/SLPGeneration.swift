/// The generation of a server of the service. The two differ in paths and shapes.
package enum SLPGeneration: Int, Sendable, Hashable, CaseIterable {
    /// Ids are integers; a channel is addressed by name, a direct room by the partner.
    case one = 1
    /// Ids are UUIDs; everything is addressed by id.
    case two
}
