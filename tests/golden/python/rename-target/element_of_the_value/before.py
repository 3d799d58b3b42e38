def relax(weights, best):
    for u, v in weights:
        weights[u, v] = min(best[u] + weights[u, v], best[v])  # here
