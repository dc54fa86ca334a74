// Tests of FederatedStore begin here.
