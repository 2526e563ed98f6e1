# Everything is done by cli/bootstrap.py and the commands it leads to; a target's own arguments go into ARGS.
PYTHON ?= python3

.PHONY: run demo test check lint format openapi migration history samples bench bench-cluster evaluate faults containers
run demo test check lint format openapi migration history samples bench bench-cluster evaluate faults containers:
	@$(PYTHON) cli/bootstrap.py $@ $(ARGS)
