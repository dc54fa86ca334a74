internal import FederatedModel
internal import FederatedStore
internal import Foundation

/// Identifier, type, version hashes and entries of a store.
enum MetadataChecks {
  static var all: [CheckBody] {
    [
      CheckBody("a new store has a type and the hash of every entity") { test in
        let open = try test.open()
        let metadata = open.store.metadata
        try requireEqual(metadata.type, test.type.name, "type")
        for entity in open.model.entities {
          try requireEqual(metadata.versionHashes[entity.name], entity.versionHash, "hash of \(entity.name)")
        }
      },
      CheckBody("a store of a configuration has the hashes of its entities, and holds their rows") { test in
        let open = try test.open(configuration: "Things")
        try requireEqual(
          open.store.metadata.versionHashes.keys.sorted(), ["Cup", "Pen", "Thing"], "entities")
        let editor = open.edit()
        try editor.insert("Pen", ["size": .int(1)])
        try open.save(editor)
        try requireEqual(try open.rows(open.query("Thing")).count, 1, "rows")
        try requireRefusal(.cannotOpen, "an unknown configuration") {
          _ = try test.open(configuration: "Nope")
        }
      },
      CheckBody("two stores have two identifiers") { test in
        let other = try StoreUnderTest(test.type, isPersistent: test.url != nil, model: test.model)
        let (a, b) = (try test.open().store, try other.open().store)
        try require(a.metadata.uuid != b.metadata.uuid, "both are \(a.metadata.uuid)")
        try require(a.id != b.id, "both have the number \(a.id)")
      },
      CheckBody("staged metadata cannot change identifier or type (PS-27)") { test in
        let open = try test.open()
        var metadata = open.store.metadata
        metadata.uuid = UUID()
        try requireRefusal(.unsupported, "another identifier") { try open.store.stageMetadata(metadata) }
        metadata = open.store.metadata
        metadata.type = "another"
        try requireRefusal(.unsupported, "another type") { try open.store.stageMetadata(metadata) }
      },
      CheckBody("staged metadata is the store's own at once") { test in
        let open = try test.open()
        var metadata = open.store.metadata
        metadata.entries["colour"] = .string("blue")
        try open.store.stageMetadata(metadata)
        try requireEqual(open.store.metadata.entries["colour"], .string("blue"), "entry")
        try requireEqual(open.store.metadata.type, test.type.name, "type")
      },
      CheckBody("a closed store refuses to be read or saved") { test in
        let open = try test.open()
        let scope = try open.store.beginRead()
        let editor = open.edit()
        try editor.insert("Tag")
        scope.end()
        open.store.close()
        try requireRefusal(.closed, "a read") { _ = try open.store.beginRead() }
        try requireRefusal(.closed, "a save") { try open.save(editor) }
        try requireRefusal(.closed, "an ended scope") { _ = try scope.run(open.query("Tag")) }
      },
    ]
  }

  /// Checks that open a store again.
  static var persistent: [CheckBody] {
    [
      CheckBody("metadata is read without opening the store (PS-23)") { test in
        let metadata = try test.open().store.metadata
        let readMetadata = try unwrap(test.type.readMetadata, "a way to read metadata")
        let read = try readMetadata(try unwrap(test.url, "a file"))
        try requireEqual(read.uuid, metadata.uuid, "identifier")
        try requireEqual(read.type, test.type.name, "type")
        try requireEqual(read.versionHashes, metadata.versionHashes, "hashes")
      },
      CheckBody("identifier and hashes are the same after opening again") { test in
        let first = try test.open()
        let metadata = first.store.metadata
        first.store.close()
        let second = try test.open()
        try requireEqual(second.store.metadata.uuid, metadata.uuid, "identifier")
        try requireEqual(second.store.metadata.versionHashes, metadata.versionHashes, "hashes")
        try require(second.store.id != first.store.id, "an open store's number is its own")
      },
      CheckBody("staged metadata is written by the next save, even an empty one (PS-25)") { test in
        let open = try test.open()
        let read = try unwrap(test.type.readMetadata, "a way to read metadata")
        let url = try unwrap(test.url, "a file")
        var metadata = open.store.metadata
        let entries: [String: MetadataValue] = [
          "colour": .string("blue & <green>"), "count": .int(-7), "flag": .bool(true),
          "bytes": .data(Data([0, 255])),
          "list": .array([.int(1), .string("x")]), "nested": .dictionary(["inside": .double(1.5)]),
        ]
        metadata.entries.merge(entries) { $1 }
        try open.store.stageMetadata(metadata)
        try requireEqual(try read(url).entries["colour"], nil, "entry before the save")
        try open.save(open.edit())
        let after = try read(url)
        for (key, value) in entries { try requireEqual(after.entries[key], value, "entry \(key)") }
        try requireEqual(after.uuid, metadata.uuid, "identifier")
        open.store.close()
        try requireEqual(
          try test.open().store.metadata.entries["count"], .int(-7), "entry after opening again")
      },
      CheckBody("an empty file is a new store (PS-29)") { test in
        let url = try unwrap(test.url, "a file")
        try Data().write(to: url)
        let open = try test.open()
        try requireEqual(try open.rows(open.query("Tag")).count, 0, "rows")
        let editor = open.edit()
        try editor.insert("Tag", ["label": .string("first")])
        try open.save(editor)
        open.store.close()
        try requireEqual(try test.open().rows(open.query("Tag")).count, 1, "rows after opening again")
      },
      CheckBody("a read-only store without a file is refused, and no file is made (PS-17)") { test in
        try requireRefusal(.missingFile, "a missing file") { _ = try test.open(readOnly: true) }
        try requireEqual(try test.files().keys.sorted(), [], "files")
      },
      CheckBody("a read-only store refuses a save and leaves its file alone") { test in
        let first = try test.open()
        let editor = first.edit()
        try editor.insert("Tag", ["label": .string("kept")])
        try first.save(editor)
        first.store.close()
        let before = try test.files()
        let open = try test.open(readOnly: true)
        try require(open.store.capabilities.contains(.readOnly), "the capability is missing")
        try requireEqual(try open.rows(open.query("Tag")).count, 1, "rows")
        let edit = open.edit()
        edit.delete(try unwrap(try open.rows(open.query("Tag")).first, "the row"))
        try requireRefusal(.readOnly, "a save") { try open.save(edit) }
        open.store.close()
        try requireEqual(try test.files(), before, "files")
      },
      CheckBody("another version of the model is refused, unless the description says otherwise (PS-22)") {
        test in
        try test.open().store.close()
        let next = try ConformanceModel.makeNext()
        try requireRefusal(.incompatibleModel, "the next model") { _ = try test.open(model: next) }
      },
      CheckBody("the store's files can be destroyed") { test in
        try test.open().store.close()
        let destroy = try unwrap(test.type.destroy, "a way to destroy a store")
        let url = try unwrap(test.url, "a file")
        try destroy(url)
        try requireEqual(try test.files().keys.sorted(), [], "files")
        try requireRefusal(.missingFile, "a second time") { try destroy(url) }
      },
    ]
  }
}
