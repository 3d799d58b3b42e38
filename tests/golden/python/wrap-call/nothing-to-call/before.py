import os

value = 3
path = os  # here
