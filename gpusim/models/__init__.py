"""The models: how blocks and warps are scheduled, what limits a launch, and how long it may take."""
