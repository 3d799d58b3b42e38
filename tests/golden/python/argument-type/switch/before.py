def f(parser):
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--mode", choices=["a"])
