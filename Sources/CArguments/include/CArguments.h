// Nothing to import: Swift's runtime calls the functions.
