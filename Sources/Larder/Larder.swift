// The module that an app imports: the rooms of the house by one name. Each has a page of its own, `README.md`
// in its folder.
@_exported public import LarderAggregates
@_exported public import LarderBlocks
@_exported public import LarderCalculations
@_exported public import LarderChildren
@_exported public import LarderDiagnostics
@_exported public import LarderForeignNames
@_exported public import LarderHooks
@_exported public import LarderImport
@_exported public import LarderKernel
@_exported public import LarderNames
@_exported public import LarderObservation
@_exported public import LarderPages
@_exported public import LarderPattern
@_exported public import LarderPredicate
@_exported public import LarderUnions
@_exported public import LarderVersions
