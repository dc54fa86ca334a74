// Tests of FederatedModelFiles begin here.
