// Tests of FederatedXMLStore begin here.
