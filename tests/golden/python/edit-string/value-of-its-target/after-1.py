class Names:
    weight_name = "weight"
    bias_name = "bias_name"  # here
