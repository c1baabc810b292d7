"""The rules: pure functions on the addresses and masks of warps, the definition that all else must equal."""
