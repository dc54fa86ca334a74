// Tests of FederatedRuntime begin here.
