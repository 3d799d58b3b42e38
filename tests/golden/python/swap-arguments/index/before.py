def paths(best, n):
    for k in range(n):
        best[0, k] = best[0, k] + best[n, k]  # here
