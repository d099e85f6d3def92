/// Parameters that several commands share, as a type of their own.
///
///     @OptionGroup(title: "Where") var folder: FolderOptions
@propertyWrapper
package struct OptionGroup<Value> {
    package var wrappedValue: Value

    /// - Parameter title: The title of their section in the help; empty for the usual section.
    package init(title: String = "") where Value: ParsableArguments {
        wrappedValue = CommandAssembly.current?.group(title, Value.init) ?? Value()
    }
}

extension OptionGroup: Sendable where Value: Sendable {}
