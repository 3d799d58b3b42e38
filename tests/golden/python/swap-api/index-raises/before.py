class Parser:
    async def find(self, text):
        start = text.index("<tool>")  # here
        # the end
        return start
