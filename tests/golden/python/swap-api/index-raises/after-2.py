class Parser:
    async def find(self, text):
        start = text.rindex("<tool>")  # here
        # the end
        return start
