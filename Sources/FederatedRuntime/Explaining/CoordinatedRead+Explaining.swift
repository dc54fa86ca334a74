import FederatedModel
import FederatedStore

extension CoordinatedRead {
  /// Asks, and notes how the stores answer while somebody listens.
  func noting<Answer>(
    _ request: BoundRequest, _ purpose: QuestionExplanation.Purpose, rows: (Answer) -> Int,
    _ ask: () throws -> Answer
  ) throws -> Answer {
    guard let recorder = self.recorder, !recorder.isAsking else { return try ask() }
    return try recorder.ask(
      try self.explanation(of: request, purpose), rows: rows,
      leftOut: { self.leftOut(of: request, asked: $0.stores) }, ask)
  }

  private func explanation(
    of request: BoundRequest, _ purpose: QuestionExplanation.Purpose
  ) throws -> QuestionExplanation {
    var question = QuestionExplanation(purpose, entity: self.attached.model[request.entity].name)
    question.predicate = request.predicate.map { "\($0)" }
    if purpose != .count, purpose != .groups { question.order = request.order.map { "\($0)" } }
    if purpose != .groups {
      question.offset = request.offset
      question.limit = request.limit
    }
    question.keys = request.keys?.keys.count
    question.keyColumns = request.keys?.attributes.map(\.name) ?? []
    if try self.stores(for: request).count > 1 {
      question.merging =
        purpose == .count || purpose == .groups
        ? .summed : request.order.isEmpty ? .oneAfterAnother : .byOrder
    }
    return question
  }

  /// Why the other stores were not asked.
  private func leftOut(of request: BoundRequest, asked: [StoreShare]) -> [StoreLeftOut] {
    let names = Set(asked.map(\.name))
    let readers = self.attached.router.readers(
      of: request.entity, includingSubentities: request.includesSubentities)
    return self.attached.stores.compactMap { store in
      let name = store.description.name
      if names.contains(name) { return nil }
      let reason: String
      if !readers.contains(store.id) {
        let configuration = store.description.configuration ?? "the whole model"
        reason = "\(configuration) has no \(self.attached.model[request.entity].name)"
      } else if let wanted = request.stores, !wanted.contains(store.id) {
        reason = "the request names other stores"
      } else {
        reason = "the stores before it filled the window"
      }
      return StoreLeftOut(name: name, reason: reason)
    }
  }

  /// The destinations of a relationship, from one store.
  func related(
    _ relationship: RelationshipID, of owners: [Int64], from store: StoreID
  ) throws -> RelatedRows {
    let rows = try self.scope(of: store).related(relationship, of: owners)
    guard let recorder = self.recorder else { return rows }
    let found = self.attached.model.relationship(relationship)
    let entity = self.attached.model[found.declaringEntity].name
    var question = QuestionExplanation(.destinations, entity: self.attached.model[found.destination].name)
    let description = try self.attached.require(store).description
    let statement =
      "destinations of \(entity).\(found.name) for \(owners.count) owner\(owners.count == 1 ? "" : "s")"
    question.stores = [
      StoreShare(
        name: description.name, type: description.type.name,
        explanation: StoreExplanation(statement: statement))
    ]
    question.rows = rows.destinations.count
    recorder.add(question)
    return rows
  }
}
