extension NetworkTraits {
    package static let slp = NetworkTraits("slp")
}
