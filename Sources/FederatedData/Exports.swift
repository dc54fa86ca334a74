@_exported public import FederatedModel
@_exported public import FederatedStore
