def add(parser):
    parser.add_argument("--workers", type=float, default=4, help="how many")  # here
