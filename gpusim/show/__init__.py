"""What a reader sees: plots, explorers with sliders, questions; nothing here is imported before it is drawn."""
