/// Documents of these tests.
enum XMLStoreDocument {
  static let uuid = "7A1C0F52-3D6E-4B7A-9E55-0C1D2E3F4A5B"

  /// A store in the layout of the original framework around the objects given.
  static func store(_ objects: String, highest: Int = 110, info: Bool = true) -> String {
    let databaseInfo = """
          <databaseInfo>
              <version>134481920</version>
              <UUID>\(uuid)</UUID>
              <nextObjectID>\(highest)</nextObjectID>
              <metadata>
                  <plist version="1.0">
                      <dict>
                          <key>Greeting</key>
                          <string>hello</string>
                          <key>NSPersistenceFrameworkVersion</key>
                          <integer>1327</integer>
                      </dict>
                  </plist>
              </metadata>
          </databaseInfo>

      """
    return """
      <?xml version="1.0" standalone="yes"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
      \(info ? databaseInfo : "")\(objects)</database>

      """
  }

  /// A folder with two notes, a tag on both of them.
  static let notes = store(
    """
        <object type="NOTE" id="z103">
            <attribute name="title" type="string">first</attribute>
            <relationship name="folder" type="0/1" destination="FOLDER" idrefs="z102"></relationship>
            <relationship name="pinnedin" type="0/1" destination="FOLDER" idrefs="z102"></relationship>
            <relationship name="tags" type="0/0" destination="TAG" idrefs="z105"></relationship>
        </object>
        <object type="FOLDER" id="z102">
            <attribute name="name" type="string">folder</attribute>
            <relationship name="notes" type="0/0" destination="NOTE" idrefs="z103 z104"></relationship>
            <relationship name="pinned" type="0/0" destination="NOTE" idrefs="z104 z103"></relationship>
        </object>
        <object type="TASK" id="z104">
            <attribute name="title" type="string">second</attribute>
            <relationship name="folder" type="0/1" destination="FOLDER" idrefs="z102"></relationship>
            <relationship name="pinnedin" type="0/1" destination="FOLDER" idrefs="z102"></relationship>
            <relationship name="tags" type="0/0" destination="TAG" idrefs="z105"></relationship>
        </object>
        <object type="TAG" id="z105">
            <attribute name="name" type="string">tag</attribute>
            <relationship name="notes" type="0/0" destination="NOTE" idrefs="z104 z103"></relationship>
        </object>

    """)
}
