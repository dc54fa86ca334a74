// One import for users: whatever the libraries below say is said here too.
@_exported public import FederatedModel
@_exported public import FederatedModelFiles
@_exported public import FederatedRuntime
@_exported public import FederatedSQLiteStore
@_exported public import FederatedStore
@_exported public import FederatedXMLStore
