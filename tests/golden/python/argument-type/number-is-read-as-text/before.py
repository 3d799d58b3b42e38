def add(parser):
    parser.add_argument("--workers", type=str, default=4, help="how many")  # here
