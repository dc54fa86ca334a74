// Tests of FederatedData begin here.
