import time


def f(json):
    return json, time, [re for re in json]
