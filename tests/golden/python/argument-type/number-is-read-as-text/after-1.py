def add(parser):
    parser.add_argument("--workers", type=int, default=4, help="how many")  # here
