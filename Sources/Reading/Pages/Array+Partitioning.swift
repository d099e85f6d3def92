extension Array {
    /// Returns the first index whose element fulfils a condition that all later elements fulfil as well.
    package func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
