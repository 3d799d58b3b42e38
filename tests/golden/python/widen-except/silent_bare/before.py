try:
    import a
except:
    a = None
