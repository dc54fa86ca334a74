import FederatedModel
import Foundation
import XMLStream

/// Descriptions that were read, and where in the file each of them stands.
struct ReadModel {
  let draft: ModelDraft
  let file: URL
  private let places: [String: Place]

  /// Where an entity or a property stands.
  enum Place: Equatable, CustomStringConvertible {
    /// In an XML file.
    case line(XMLPosition)
    /// In an archive.
    case object(Int)

    var description: String {
      switch self {
      case .line(let position): "\(position)"
      case .object(let number): "object \(number)"
      }
    }
  }

  init(_ reader: XcodeModelReader) {
    self.draft = reader.draft
    self.file = reader.file
    self.places = reader.positions.mapValues(Place.line)
  }

  init(_ reader: CompiledModelReader) {
    self.draft = reader.draft
    self.file = reader.archive.file
    self.places = reader.numbers.mapValues(Place.object)
  }

  /// The model, its questions deferred: a file may hold some that cannot be asked.
  func frozen(_ codecs: [TransformableCodec]) throws(ModelFileError) -> ManagedObjectModel {
    var draft = self.draft
    draft.codecs = codecs
    do { return try ManagedObjectModel(draft, deferringQuestions: true) } catch { throw self.error(error) }
  }

  /// One error with every breach at its place; the error's own place is the first breach's.
  private func error(_ error: ModelError) -> ModelFileError {
    var first: Place?
    let lines = error.breaches.map { breach -> String in
      let name = [breach.entity, breach.property].compactMap(\.self).joined(separator: ".")
      let place = self.places[name] ?? breach.entity.flatMap { self.places[$0] }
      if first == nil { first = place }
      return place.map { "\($0): \(breach)" } ?? "\(breach)"
    }
    var (position, object): (XMLPosition, Int?) = (.none, nil)
    switch first {
    case .line(let place): position = place
    case .object(let number): object = number
    case nil: break
    }
    let count = lines.count
    return ModelFileError(
      .invalidModel, file: self.file, line: position.line, column: position.column, object: object,
      "The model breaks \(count) rule\(count == 1 ? "" : "s"):\n"
        + lines.map { "  - \($0)" }.joined(separator: "\n"), modelError: error)
  }
}
