import ArgumentParser
import Rendering
import Service

extension OutputFormat: ExpressibleByArgument {}
extension ColorChoice: ExpressibleByArgument {}
extension LogRecordFormat: ExpressibleByArgument {}
