import FederatedModel
import FederatedStore
import Foundation
import TestSupport
import Testing

@testable import FederatedXMLStore

/// A save over several stores that a mapped document lacks: it has no place for the save's identifier.
struct MappedRecoveryTests {
  @Test("a sealed save is brought into a document once, whoever opens it, and never over what others wrote")
  func recovering() throws {
    let document = try Library.document()
    let model = document.model
    let store = try document.open()
    let b2 = try MappedWritingTests.row("b2", "Book", store, model)
    var changes = ChangeSet()
    try changes.update(b2, ["title": .string("Two")])
    let cy = try MappedAddingTests.reference("cy", "Author", store, model)
    try changes.insert("Author", cy, ["code": .string("cy"), "name": .string("")], in: model)
    let sealed = SealedChanges(save: SaveIdentifier(isJoint: true), changes: changes)
    store.close()

    let later = try document.open()
    try later.recover(sealed)
    let text = try document.text
    #expect(text.contains("<title>Two</title>") && text.contains("<author code=\"cy\"/>"))
    try later.recover(sealed)
    #expect(try document.text == text)
    // The recovered record can be changed in the same store and in the next.
    try MappedWritingTests.change(document, later, "cy", "Author", ["name": .string("C")])
    try document.open().recover(SealedChanges(save: SaveIdentifier(isJoint: true), changes: ChangeSet()))
    #expect(
      try document.text == text.replacing("<author code=\"cy\"/>", with: "<author code=\"cy\">C</author>"))

    try Data(Library.text.replacing("<![CDATA[<y>]]>", with: "other").utf8).write(to: document.url)
    let before = try document.text
    let error = #expect(throws: StoreError.self) { try document.open().recover(sealed) }
    #expect(error?.code == .conflict)
    #expect(try document.text == before)
  }
}
