class Names:
    weight_name = "weight"
    bias_name = "bias"  # here
