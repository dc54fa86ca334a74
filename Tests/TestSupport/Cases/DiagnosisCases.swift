internal import FederatedModel
internal import FederatedRuntime
internal import FederatedStore
internal import Testing

/// What a diagnosis tells of one object's property, whatever the stores are.
public enum DiagnosisCases {
  public static let all: [StackCase<AuthorStack>] = [
    StackCase("rows with the key, and what the other terms leave of them") { stack in
      let context = stack.makeContext()
      let bob = try stack.author("Bob", in: context)
      let diagnosis = try bob.diagnose("highNotes")
      #expect(diagnosis.property == "Author.highNotes")
      #expect(diagnosis.owner == context.coordinator.uriString(for: bob.objectID))
      #expect(diagnosis.destination == "Note")
      #expect(diagnosis.condition == "authorAlias == $FETCH_SOURCE.alias AND rating > 4")
      #expect(diagnosis.question == "authorAlias == \"bob\" AND rating > 4")
      #expect(diagnosis.keys.map(\.value) == ["\"bob\""])
      #expect(diagnosis.results == 0)
      #expect(diagnosis.rowsWithKey == 1 && diagnosis.rowsMatching == 0)
      #expect(diagnosis.terms.map(\.condition) == ["rating > 4"])
      #expect(diagnosis.terms.map(\.left) == [0])
      #expect(diagnosis.stores.map(\.name) == ["X"])
      #expect(diagnosis.stores.first?.rows == 6 && diagnosis.stores.first?.rowsWithKey == 1)
      #expect(diagnosis.leftOut == [StoreLeftOut(name: "S", reason: "Main has no Note")])
      #expect(diagnosis.reasons.map(\.code) == [.otherTerms])
      #expect(diagnosis.reasons.first?.detail == "1 row has the key; rating > 4 leaves 0")
      let full = try stack.author("Ann", in: context).diagnose("notes")
      #expect(full.reasons.map(\.code) == [.asAsked])
      #expect(full.results == 3 && full.rowsWithKey == 3 && full.rowsMatching == 3)
    },
    StackCase("one question and one pass, and nothing is kept of either") { stack in
      let context = stack.makeContext()
      let ann = try stack.author("Ann", in: context)
      stack.forgetCalls()
      _ = try ann.diagnose("highNotes")
      #expect(stack.reads == 2)
      _ = try ann.fetched("highNotes")
      #expect(stack.reads == 3, "the read asks as if nothing had been diagnosed")
    },
    StackCase("a key that no row has, and rows that nearly have it") { stack in
      let context = stack.makeContext()
      let nan = try context.insert("Author")
      try nan.set("name", to: "Nan")
      try nan.set("alias", to: " ANN")
      try context.save()
      let diagnosis = try nan.diagnose("notes")
      #expect(diagnosis.results == 0)
      #expect(diagnosis.reasons.map(\.code) == [.keyNotFound, .nearMisses])
      #expect(diagnosis.reasons.first?.detail == "none of the 6 rows of Note has authorAlias \" ANN\"")
      let miss = try #require(diagnosis.nearMisses.first)
      #expect(miss.differences == [.whitespace, .letterCase])
      #expect(miss.count == 3 && miss.examples.count == 3)
      #expect(miss.examples.first?.found == "\"ann\"")
      #expect(miss.examples.first?.row.contains("/Note/p") == true)
      #expect("\(diagnosis)".contains("because 3 rows nearly have the key: \"ann\" against \" ANN\""))
      try nan.set("alias", to: "nobody")
      #expect(try nan.diagnose("notes").nearMisses == [])
    },
    StackCase("a nil key is said loudly, and how many rows it links") { stack in
      let context = stack.makeContext()
      let cy = try stack.author("Cy", in: context)
      let diagnosis = try cy.diagnose("notes")
      #expect(diagnosis.results == 1)
      #expect(diagnosis.reasons.map(\.code) == [.nilKey])
      let detail = try #require(diagnosis.reasons.first?.detail)
      #expect(detail.hasPrefix("NIL KEY: alias of the object is nil, and nil equals nil in authorAlias"))
      #expect(detail.contains("$FETCH_SOURCE.alias != nil"))
      context.delete(try stack.note("orphan", in: context))
      let alone = try cy.diagnose("notes")
      #expect(alone.results == 0)
      #expect(alone.reasons.first?.detail.contains("no row of Note has nil there") == true)
    },
    StackCase("unsaved changes count as a read counts them") { stack in
      let context = stack.makeContext()
      let bob = try stack.author("Bob", in: context)
      try stack.insertNote("bob", "new", 5, in: context)
      try stack.insertNote("BOB", "loud", 5, in: context)
      context.delete(try stack.note("dull", in: context))
      try stack.note("so-so", in: context).set("authorAlias", to: "bob")
      let seen = try bob.diagnose("highNotes")
      #expect(seen.results == 2 && seen.rowsMatching == 2)
      #expect(seen.nearMisses.map(\.differences) == [[.letterCase]])
      #expect(seen.stores.first?.rows == 7)
      let saved = try bob.diagnose("savedNotes")
      #expect(saved.results == 1 && saved.rowsWithKey == 1)
      #expect(saved.nearMisses == [])
    },
    StackCase("an unsaved source, an unsaved key, a deleted source") { stack in
      let context = stack.makeContext()
      let new = try context.insert("Author")
      try new.set("alias", to: "ann")
      let unsaved = try new.diagnose("notes")
      #expect(unsaved.results == 3)
      #expect(unsaved.reasons.map(\.code) == [.sourceUnsaved])
      let ann = try stack.author("Ann", in: context)
      try ann.set("alias", to: "anna")
      let changed = try ann.diagnose("notes")
      #expect(changed.reasons.map(\.code) == [.keyUnsaved, .keyNotFound])
      #expect(
        changed.reasons.first?.detail == "alias of the object is changed and not saved; \"ann\" is stored")
      let bob = try stack.author("Bob", in: context)
      context.delete(bob)
      #expect(try bob.diagnose("notes").reasons.map(\.code) == [.sourceDeleted])
    },
    StackCase("an offset that cuts everything, and an answer that is kept") { stack in
      let context = stack.makeContext()
      let bob = try stack.author("Bob", in: context)
      let cut = try bob.diagnose("laterNotes")
      #expect(cut.results == 0 && cut.rowsMatching == 1)
      #expect(cut.reasons.map(\.code) == [.window])
      #expect(cut.reasons.first?.detail == "1 row matches, and of these offset 1 leaves 0")
      #expect(try bob.fetched("notes").count == 1)
      try stack.insertNote("bob", "new", 5, in: context)
      let kept = try bob.diagnose("notes")
      #expect(kept.keptResults == 1 && kept.results == 2)
      #expect(kept.reasons.map(\.code) == [.keptAnswer])
      #expect(try bob.fetched("notes").count == 1)
    },
    StackCase("stores that the property does not ask, and one that is not attached") { stack in
      let context = stack.makeContext()
      let ann = try stack.author("Ann", in: context)
      let refused = try ann.diagnose("farNotes")
      #expect(refused.reasons.first?.code == .cannotBeAsked)
      #expect(refused.reasons.first?.detail.contains("X2") == true)
      _ = try stack.addSecondSide()
      let far = try ann.diagnose("farNotes")
      #expect(far.results == 0)
      #expect(far.stores.map(\.isAsked) == [false, true])
      #expect(far.reasons.map(\.code) == [.noRows, .otherStores])
      #expect(far.reasons.last?.detail.contains("store X is not asked") == true)
      #expect(far.reasons.last?.detail.contains("3 rows that would match") == true)
    },
    StackCase("a property without a key: how many rows were judged, and what each term passes") { stack in
      let context = stack.makeContext()
      let ann = try stack.author("Ann", in: context)
      let rated = try ann.diagnose("rated")
      #expect(rated.keys == [])
      #expect(rated.reasons.map(\.code) == [.noKey])
      #expect(rated.results == 3 && rated.rowsMatching == 3)
      #expect(rated.terms.map(\.passing) == [3])
      #expect(rated.reasons.first?.detail.hasSuffix("6 rows judged, of which 3 match") == true)
      let titled = try ann.diagnose("byTitle")
      #expect(titled.reasons.first?.code == .noKey)
      #expect(titled.results == 0)
    },
    StackCase("a key behind a to-one, a term behind one, a subentity") { stack in
      let context = stack.makeContext()
      let alpha = try stack.book("Alpha", in: context)
      #expect(try alpha.diagnose("authorNotes").rowsWithKey == 3)
      let orphan = try stack.book("Émile", in: context).diagnose("authorNotes")
      #expect(orphan.reasons.map(\.code) == [.nilKey])
      let dee = try stack.author("Dee", in: context)
      #expect(try dee.diagnose("notes").results == 1)
      #expect(try dee.diagnose("plainNotes").reasons.map(\.code) == [.keyNotFound])
      let mine = try stack.author("Ann", in: context).diagnose("mine")
      #expect(mine.results == 2 && mine.rowsMatching == 2)
    },
    StackCase("what is no fetched property throws") { stack in
      let ann = try stack.author("Ann", in: stack.makeContext())
      #expect(throws: ManagedObjectError.self) { try ann.diagnose("name") }
      #expect(throws: ManagedObjectError.self) { try ann.diagnose("nots") }
    },
  ]
}
