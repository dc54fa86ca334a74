internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// What explanations tell, whatever the stores are: who was asked, what was read, and what memory did.
public enum ExplainingCases {
  public static let all: [StackCase<AuthorStack>] = [
    StackCase("a fetch names the store that was asked, and the one that was not") { stack in
      let context = stack.makeContext()
      let request = try FetchRequest("Note", where: "rating > %@", 4, order: [.ascending("rating")], limit: 2)
      let explanation = try context.explain(request)
      #expect(explanation.entity == "Note")
      #expect(explanation.predicate == "rating > 4")
      #expect(explanation.order == ["rating ascending"])
      #expect(explanation.limit == 2)
      #expect(explanation.results == 2)
      #expect(explanation.results == (try context.fetch(request)).count)
      let question = try #require(explanation.question)
      #expect(question.purpose == .rows)
      #expect(question.merging == .none)
      #expect(question.stores.map(\.name) == ["X"])
      #expect(question.leftOut == [StoreLeftOut(name: "S", reason: "Main has no Note")])
      let store = question.stores[0].explanation
      #expect(store.pushed + store.inMemory == ["rating > 4"])
      #expect(store.order != nil && store.window != nil)
      let work = try #require(store.work)
      #expect(work.rowsReturned == 2)
      #expect(work.rowsRead >= 2)
      #expect(explanation.pending == nil && explanation.link == nil)
      #expect(explanation.before == [] && explanation.after == [])
    },
    StackCase("counts and identifiers are told as such") { stack in
      let context = stack.makeContext()
      var request = try FetchRequest("Note", where: "authorAlias == %@", "ann")
      request.resultType = .count
      let count = try context.explain(request)
      #expect(count.results == 3)
      #expect(count.question?.purpose == .count)
      #expect(count.question?.rows == 3)
      #expect(count.question?.stores.first?.explanation.work?.rowsReturned == 0)
      request.resultType = .identifiers
      let identifiers = try context.explain(request)
      #expect(identifiers.results == 3)
      #expect(identifiers.question?.purpose == .identifiers)
    },
    StackCase(
      "several stores of an entity: merged by the order, or one behind the other until the window is full"
    ) {
      stack in
      _ = try stack.addSecondSide()
      let context = stack.makeContext()
      let far = try stack.insertNote("ann", "far", 4.25, in: context)
      try context.assign(far, to: try #require(context.coordinator.store(named: "X2")))
      try context.save()
      let ordered = FetchRequest("Note", order: [.ascending("rating")], limit: 3)
      let merged = try #require(try context.explain(ordered).question)
      #expect(merged.merging == .byOrder)
      #expect(merged.stores.map(\.name) == ["X", "X2"])
      #expect(merged.stores.map { $0.explanation.work?.rowsReturned } == [3, 1])
      #expect(merged.rows == 3)
      let first = try #require(try context.explain(FetchRequest("Note", limit: 3)).question)
      #expect(first.merging == .oneAfterAnother)
      #expect(first.stores.map(\.name) == ["X"])
      #expect(
        first.leftOut == [
          StoreLeftOut(name: "S", reason: "Main has no Note"),
          StoreLeftOut(name: "X2", reason: "the stores before it filled the window"),
        ])
      var chosen = FetchRequest("Note")
      chosen.affectedStores = ["X2"]
      let one = try #require(try context.explain(chosen).question)
      #expect(one.stores.map(\.name) == ["X2"])
      #expect(one.leftOut.last == StoreLeftOut(name: "X", reason: "the request names other stores"))
      chosen.affectedStores = nil
      chosen.resultType = .count
      let counted = try #require(try context.explain(chosen).question)
      #expect(counted.merging == .summed)
      #expect(counted.rows == 7)
    },
    StackCase("unsaved changes: how many objects were judged, entered and left") { stack in
      let context = stack.makeContext()
      try stack.note("dull", in: context).set("rating", to: 5.0)
      try stack.note("so-so", in: context).set("rating", to: 1.0)
      context.delete(try stack.note("Great end", in: context))
      try stack.insertNote("cy", "new", 4.5, in: context)
      let request = try FetchRequest("Note", where: "rating > %@", 4)
      let explanation = try context.explain(request)
      #expect(explanation.pending == PendingShare(judged: 3, added: 2, removed: 2))
      #expect(explanation.results == (try context.fetch(request)).count)
      var saved = request
      saved.includesPendingChanges = false
      #expect(try context.explain(saved).pending == nil)
    },
    StackCase(
      "a fetched property: the condition with the owner's values, the keys, and whether it was at hand"
    ) {
      stack in
      let context = stack.makeContext()
      let ann = try stack.author("Ann", in: context)
      let asked = try ann.explain("highNotes")
      #expect(asked.predicate == "authorAlias == \"ann\" AND rating > 4")
      #expect(asked.results == 2)
      #expect(asked.question?.stores.map(\.name) == ["X"])
      let link = try #require(asked.link)
      #expect(link.property == "Author.highNotes")
      #expect(link.owner == context.coordinator.uriString(for: ann.objectID))
      #expect(link.condition == "authorAlias == $FETCH_SOURCE.alias AND rating > 4")
      #expect(link.keys == ["authorAlias == $FETCH_SOURCE.alias"])
      #expect(link.rest == "rating > 4")
      #expect(link.unplannedReason == nil)
      #expect(!link.wasKept)
      #expect(try ann.explain("highNotes").link?.wasKept == false, "explaining keeps nothing")
      _ = try ann.fetched("highNotes")
      stack.forgetCalls()
      let kept = try ann.explain("highNotes")
      #expect(kept.link?.wasKept == true)
      #expect(kept.question == nil)
      #expect(kept.results == 2)
      #expect(stack.reads == 0)
    },
    StackCase(
      "a property without a key says why it is read owner by owner; what is no fetched property throws"
    ) {
      stack in
      let context = stack.makeContext()
      let ann = try stack.author("Ann", in: context)
      let link = try #require(try ann.explain("byTitle").link)
      #expect(link.keys == [])
      #expect(link.unplannedReason?.isEmpty == false)
      #expect(throws: ManagedObjectError.self) { try ann.explain("name") }
      #expect(throws: ManagedObjectError.self) { try ann.explain("nots") }
      #expect(throws: (any Error).self) { try context.explain(FetchRequest("Nobody")) }
    },
    StackCase(
      "a prefetch: one question for all owners, with the keys that it moved and the stores that it asked"
    ) {
      stack in
      let context = stack.makeContext()
      let authors = try context.fetch(FetchRequest("Author"))
      let report = try context.explainPrefetch("notes", for: authors)
      #expect(report.owners == 4)
      #expect(report.requests == 1)
      // Ann, Bob, Dee, and nil for Cy.
      #expect(report.keys == 4)
      let step = try #require(report.steps.first)
      #expect(step.requestsByStore == ["X": 1])
      let question = try #require(step.questions.first { $0.keys != nil })
      #expect(question.keys == 4)
      #expect(question.keyColumns == ["authorAlias"])
      #expect(question.rows == 6)
      #expect(question.stores.first?.explanation.pushed == ["authorAlias among 4 keys"])
      let again = try context.explainPrefetch("notes", for: authors)
      #expect(again.requests == 0)
      #expect(again.steps.first?.questions == [])
      #expect(try context.prefetch("highNotes", for: authors).steps.first?.questions == [])
    },
    StackCase("values and links that a fetch needs besides are told behind it") { stack in
      let context = stack.makeContext()
      var request = FetchRequest("Author", order: [.ascending("name")])
      request.relationshipKeyPathsForPrefetching = ["books"]
      let explanation = try context.explain(request)
      #expect(explanation.question?.entity == "Author")
      #expect(explanation.after.map(\.title) == ["links to Book", "values of Book that were not at hand"])
      #expect(explanation.after.first?.questions.first?.rows == 3)
      #expect(explanation.after.last?.questions.first?.stores.map(\.name) == ["S"])
    },
  ]
}
