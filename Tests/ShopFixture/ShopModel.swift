/// The shop's model as Xcode would write it, with the order of one fetched property in an attribute of our own.
enum ShopModel {
  static let current = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    	<key>_XCCurrentVersionName</key>
    	<string>Shop.xcdatamodel</string>
    </dict>
    </plist>

    """

  static let contents = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" \
    userDefinedModelVersionIdentifier="Shop 1">
        <entity name="Customer" representedClassName="Customer">
            <attribute name="city" optional="YES" attributeType="String"/>
            <attribute name="code" attributeType="UUID"/>
            <attribute name="creditLimit" optional="YES" attributeType="Decimal"/>
            <attribute name="homepage" optional="YES" attributeType="URI"/>
            <attribute name="isActive" attributeType="Boolean" defaultValueString="YES"/>
            <attribute name="logo" optional="YES" attributeType="Binary"/>
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
            <attribute name="rating" optional="YES" attributeType="Double"/>
            <attribute name="since" optional="YES" attributeType="Date"/>
            <fetchedProperty name="largeInvoices" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Invoice" \
    predicateString="customerNumber == $FETCH_SOURCE.number AND total &gt; 1000" federated.sort="-total,code"/>
            </fetchedProperty>
            <fetchedProperty name="recentInvoices" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Invoice" \
    predicateString="customerNumber == $FETCH_SOURCE.number" fetchLimit="10" federated.sort="-date"/>
            </fetchedProperty>
        </entity>
        <entity name="Invoice" representedClassName="Invoice">
            <attribute name="code" attributeType="String"/>
            <attribute name="customerNumber" optional="YES" attributeType="Integer 64"/>
            <attribute name="date" attributeType="Date"/>
            <attribute name="isPaid" attributeType="Boolean" defaultValueString="NO"/>
            <attribute name="note" optional="YES" attributeType="String"/>
            <attribute name="total" attributeType="Decimal" defaultValueString="0"/>
            <relationship name="lines" optional="YES" toMany="YES" deletionRule="Cascade" \
    destinationEntity="Line" inverseName="invoice" inverseEntity="Line"/>
            <fetchedProperty name="customer" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Customer" \
    predicateString="number == $FETCH_SOURCE.customerNumber"/>
            </fetchedProperty>
        </entity>
        <entity name="Line" representedClassName="Line">
            <attribute name="price" attributeType="Decimal" defaultValueString="0"/>
            <attribute name="quantity" attributeType="Integer 32" defaultValueString="1"/>
            <attribute name="text" attributeType="String"/>
            <relationship name="invoice" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Invoice" inverseName="lines" inverseEntity="Invoice"/>
        </entity>
        <configuration name="CRM">
            <memberEntity name="Customer"/>
        </configuration>
        <configuration name="Ledger">
            <memberEntity name="Invoice"/>
            <memberEntity name="Line"/>
        </configuration>
    </model>

    """

  static let federation = """
    {
      "model": "Shop.xcdatamodeld",
      "stores": [
        {"name": "crm", "type": "xml", "path": "customers.xml", "configuration": "CRM", "readOnly": false},
        {"name": "ledger", "type": "sqlite", "path": "ledger.sqlite", "configuration": "Ledger", "readOnly": false}
      ]
    }

    """
}
