class Finder:
    def total(self, parts):
        total = 0
        for part in parts:
            total += part
        return total  # here
