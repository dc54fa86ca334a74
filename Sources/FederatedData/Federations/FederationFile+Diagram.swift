public import FederatedModel
import Foundation

extension FederationFile {
  /// A drawing of the model with the federation's stores as frames. The model is read, no store is opened.
  ///
  /// A store that names no configuration holds every entity.
  /// - Throws: whatever reading the model throws, and ``FederationFileError`` for a configuration that it lacks.
  public func diagram() throws -> ModelDiagram {
    let model = try self.loadModel()
    let clusters = try self.stores.map { store in
      try self.checkConfiguration(of: store, in: model)
      return ModelDiagram.Cluster(
        store.name ?? store.configuration ?? store.url.deletingPathExtension().lastPathComponent,
        entities: (model.entities(forConfiguration: store.configuration) ?? []).map(\.name))
    }
    return ModelDiagram(of: model, clusters: clusters)
  }
}
