"""What a reader sees: plots, explorers with sliders, questions. Drawing libraries are imported when used."""
