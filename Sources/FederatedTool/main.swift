print("federate")
