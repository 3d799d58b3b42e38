def forward(layer, outputs, mask=None):
    if isinstance(outputs, list):
        outputs.reverse()
    return attend(outputs[0] if isinstance(outputs, list) else None,  # here
                  mask)
