def relax(weights, best):
    for u, v in weights:
        best[v] = min(best[u] + weights[u, v], best[v])  # here
