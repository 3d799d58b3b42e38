def f(x):
    return g(
        x,
<<<<<<< HEAD
=======
        mask=x.mask,
>>>>>>> main
    )


<<<<<<< HEAD
A = 1
=======
A = 2
>>>>>>> main
