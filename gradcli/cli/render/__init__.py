"""What a person sees: diagnostics, values and gradients, trees."""
