extension NetworkTraits {
    package static let slp = NetworkTraits("slp") { $0.hasPersonIDs = true }
}
