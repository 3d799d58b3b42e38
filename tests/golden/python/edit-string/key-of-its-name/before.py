def defaults(options):
    return dict(
        learning_rate=options["learning_rate"],
        # Not the decay.
        warmup_steps=options["decay_steps"],  # here
        max_length=options.get("max_length", 10),
    )
