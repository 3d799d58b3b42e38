def f(x):
    x.add_option("--n", type=str)
    x.add_argument()
