extension JSONCutter {
    /// A value at a wanted place.
    package struct Piece {
        package var place: String
        /// The keys on the way to the value; elements of lists have no key. When repairing, only if wanted.
        package var path: [String] = []
        /// The number of the line in which the value begins, from 1.
        package var number: Int
        /// The bytes of the value, at most its limit.
        package var bytes: ArraySlice<UInt8>
        /// The length of the value in bytes.
        package var length = 0
        package var isCut: Bool { length > bytes.count }
    }

    /// The reason why the rest of a document is not read. Pieces before it are complete.
    package struct Fault: Error, Hashable {
        /// True if the document has too much around its pieces; false if it is not JSON of the expected form.
        package var isTooLong: Bool
        /// For people, without the document's words: "byte 17 of the answer is 0x7D, not a , or ]".
        package var detail: String
    }
}
