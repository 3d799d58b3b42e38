class Split:
    def middle(self, rows):
        return rows[len(rows) / 2]  # here
