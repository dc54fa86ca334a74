package import FederatedModel
package import Foundation

extension ModelFile {
  /// The most bytes that the copy of a model may have when it is unpacked.
  private static let cacheLimit = KeyedArchive.sizeLimit

  /// Reads the copy of its model that a store keeps: the archive of a compiled model, as a raw DEFLATE stream.
  /// - Parameters:
  ///   - packed: the bytes of the copy; nil for a store that has none.
  ///   - store: the file that holds it, for messages.
  ///   - entities: what the store was saved with; a copy that lacks one of them is of another model.
  package static func load(
    cache packed: Data?, in store: URL, holding entities: [String], codecs: [TransformableCodec] = [],
    limits: ReadingLimits = .standard
  ) throws(ModelFileError) -> ManagedObjectModel {
    guard let packed else {
      throw ModelFileError(
        .noModelCache, file: store,
        "The store keeps no copy of its model (it holds \(entities.joined(separator: ", "))). Name its model."
      )
    }
    let archive: Data
    do { archive = try Inflation.inflate(packed, limit: min(Self.cacheLimit, limits.descriptionBytes)) } catch
    {
      throw ModelFileError(
        .malformedArchive, file: store,
        "The copy of the model in the store cannot be unpacked: \(error). Name its model.")
    }
    let model = try ReadModel(try CompiledModelReader.read(archive, from: store)).frozen(codecs)
    let missing = entities.filter { model.entity(named: $0) == nil }
    guard missing.isEmpty else {
      throw ModelFileError(
        .foreignModelCache, file: store,
        "The store holds \(missing.joined(separator: ", ")), which the copy of the model in it does not have. "
          + "Name the model that the store was saved with.")
    }
    return model
  }
}
