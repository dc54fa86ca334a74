import FederatedData
import FederatedStore
import Foundation
import TestSupport

@testable import FederatedSQLiteStore

/// A SQLite store as the original framework leaves one, made by our own statements: a derived attribute with its
/// triggers, a copy of the model, history, and metadata of an application.
struct ShelfFile {
  let folder: TemporaryFolder
  var url: URL { self.folder.file("Shelf.storedata") }

  static let draft = ModelDraft {
    EntityDescription("Shelf") {
      AttributeDescription("label", .string, optional: true)
      ShelfFile.derived
      RelationshipDescription("volumes", to: "Volume", .many, inverse: "shelf", deleteRule: .cascade)
      FetchedPropertyDescription(
        "remarks", of: "Remark",
        where: "label == $FETCH_SOURCE.label AND text CONTAINS[c] $FETCHED_PROPERTY.userInfo.word",
        order: .descending("text"), userInfo: ["word": "good"])
    }
    EntityDescription("Volume") {
      AttributeDescription("title", .string, optional: true)
      RelationshipDescription("shelf", to: "Shelf", inverse: "volumes")
    }
    EntityDescription("Atlas", parent: "Volume") { AttributeDescription("maps", .integer16, default: 0) }
    EntityDescription("Remark") {
      AttributeDescription("label", .string, optional: true)
      AttributeDescription("text", .string, optional: true)
    }
  }

  private static var derived: AttributeDescription {
    var attribute = AttributeDescription("volumesCount", .integer32, optional: true)
    attribute.derivationExpression = "volumes.@count"
    return attribute
  }

  /// Numbers of entities: Remark 1, Shelf 2, Volume 3, Atlas 4.
  private static let statements = """
    CREATE TABLE ZREMARK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLABEL VARCHAR, ZTEXT VARCHAR);
    CREATE TABLE ZSHELF (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZVOLUMESCOUNT INTEGER, ZLABEL VARCHAR);
    CREATE TABLE ZVOLUME (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZMAPS INTEGER, ZSHELF INTEGER, ZTITLE VARCHAR);
    CREATE INDEX ZVOLUME_ZSHELF_INDEX ON ZVOLUME (ZSHELF);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Remark', 0, 3), (2, 'Shelf', 0, 2), (3, 'Volume', 0, 3), (4, 'Atlas', 3, 0),
      (16001, 'CHANGE', 0, 2), (16002, 'TRANSACTION', 0, 1), (16003, 'TRANSACTIONSTRING', 0, 0);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER);
    INSERT INTO ACHANGE VALUES (1, 16001, 1, 0), (2, 16001, 1, 1);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT);
    INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 700000000.5);
    INSERT INTO ZREMARK VALUES (1, 1, 1, 'A', 'good paper'), (2, 1, 1, 'A', 'torn'), (3, 1, 1, 'B', 'Good print');
    INSERT INTO ZSHELF VALUES (1, 2, 1, 2, 'A'), (2, 2, 1, 1, 'B');
    INSERT INTO ZVOLUME VALUES (1, 3, 1, NULL, 1, 'One'), (2, 4, 1, 7, 1, 'Two'), (3, 3, 1, NULL, 2, 'Three');
    CREATE TRIGGER Z_DA_ZVOLUME_Shelf_volumesCount_PARAMETER_INSERT AFTER INSERT ON ZVOLUME FOR EACH ROW
      WHEN NEW.ZSHELF NOT NULL BEGIN
        UPDATE ZSHELF SET ZVOLUMESCOUNT = IFNULL(ZVOLUMESCOUNT, 0) + 1 WHERE Z_PK = NEW.ZSHELF;
        SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZSHELF', Z_ENT, Z_PK, 'volumesCount', ZVOLUMESCOUNT)
          FROM ZSHELF WHERE Z_PK = NEW.ZSHELF;
      END;
    CREATE TRIGGER Z_DA_ZVOLUME_Shelf_volumesCount_PARAMETER_UPDATE_INCREMENT AFTER UPDATE OF ZSHELF ON ZVOLUME
      FOR EACH ROW WHEN NEW.ZSHELF NOT NULL BEGIN
        UPDATE ZSHELF SET ZVOLUMESCOUNT = ZVOLUMESCOUNT + 1 WHERE Z_PK = NEW.ZSHELF;
        SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZSHELF', Z_ENT, Z_PK, 'volumesCount', ZVOLUMESCOUNT)
          FROM ZSHELF WHERE Z_PK = NEW.ZSHELF;
      END;
    CREATE TRIGGER Z_DA_ZVOLUME_Shelf_volumesCount_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF ZSHELF ON ZVOLUME
      FOR EACH ROW WHEN OLD.ZSHELF NOT NULL BEGIN
        UPDATE ZSHELF SET ZVOLUMESCOUNT = ZVOLUMESCOUNT - 1 WHERE Z_PK = OLD.ZSHELF;
        SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZSHELF', Z_ENT, Z_PK, 'volumesCount', ZVOLUMESCOUNT)
          FROM ZSHELF WHERE Z_PK = OLD.ZSHELF;
      END;
    CREATE TRIGGER Z_DA_ZVOLUME_Shelf_volumesCount_PARAMETER_DELETE AFTER DELETE ON ZVOLUME FOR EACH ROW
      WHEN OLD.ZSHELF NOT NULL BEGIN
        UPDATE ZSHELF SET ZVOLUMESCOUNT = ZVOLUMESCOUNT - 1 WHERE Z_PK = OLD.ZSHELF;
        SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZSHELF', Z_ENT, Z_PK, 'volumesCount', ZVOLUMESCOUNT)
          FROM ZSHELF WHERE Z_PK = OLD.ZSHELF;
      END;
    CREATE TRIGGER Z_DA_ZSHELF_Shelf_volumesCount_SOURCE_INSERT AFTER INSERT ON ZSHELF FOR EACH ROW BEGIN
      UPDATE ZSHELF SET ZVOLUMESCOUNT = (SELECT COUNT(*) FROM ZVOLUME WHERE ZSHELF = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK;
      SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZSHELF', Z_ENT, Z_PK, 'volumesCount', ZVOLUMESCOUNT)
        FROM ZSHELF WHERE Z_PK = NEW.Z_PK;
    END;
    """

  static let identifier = "6A0F5331-DE87-4D61-9947-8A976CCEB6AA"

  /// - Parameter cached: whose copy the store keeps; nil for none.
  init(cached: ModelDraft? = ShelfFile.draft) throws {
    self.folder = try TemporaryFolder()
    let connection = try self.raw(creating: true)
    try connection.execute(Self.statements)
    let hashes = Self.draft.entities.map { ($0.name, Data(repeating: 7, count: 32)) }
    let list: [String: Any] = [
      "NSStoreType": "SQLite", "NSStoreModelVersionHashes": Dictionary(uniqueKeysWithValues: hashes),
      "NSStoreModelVersionHashesVersion": 3, "NSPersistenceFrameworkVersion": 1344, "_NSAutoVacuumLevel": "2",
      "app": ["opened": 4, "names": ["a", "b"]],
    ]
    let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    try connection.run("INSERT INTO Z_METADATA VALUES (1, ?, ?)", [.text(Self.identifier), .blob(bytes)])
    if let cached {
      let copy = StoredDeflate.data(try CompiledModel.data(of: cached, .cached))
      try connection.run("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(copy)])
    }
  }

  /// A connection to the file for plain SQL.
  func raw(creating: Bool = false) throws -> Connection {
    try DatabaseFile(self.url, readOnly: false).writer(creating: creating)
  }

  func container(readOnly: Bool = false) throws -> PersistentContainer {
    try PersistentContainer(stores: [PersistentStoreDescription(.sqlite, at: self.url, readOnly: readOnly)])
  }
}
