"""The faces: they translate between lith's operations and whoever is asking, and decide nothing."""
