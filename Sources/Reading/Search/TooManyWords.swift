/// The index can't answer a query with parts of words, because too many words have them, or because the vocabulary lacks
/// words. A ``RegexSearch`` can.
package struct TooManyWords: Error {
    /// The limit of words for a page: looking a word up takes 0.08 ms *(measured)*, and what more words have is usually in so
    /// many messages that a page is soon full without the index.
    package static let pageLimit = 64
    /// The limit for the most relevant hits: each hit is compared with each word.
    static let relevanceLimit = 256
    /// The limit for a count, which needs every message that has the words, and for a page of rare hits: 0.3 s.
    package static let countLimit = 4096
    /// The limit of a shared archive, which compares each hit with each word: 64 words take 20 ms *(measured)*.
    static let sharedLimit = 1024
}
