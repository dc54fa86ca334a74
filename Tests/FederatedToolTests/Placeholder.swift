// Tests of FederatedTool begin here.
