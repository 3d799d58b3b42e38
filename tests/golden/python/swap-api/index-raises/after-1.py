class Parser:
    async def find(self, text):
        start = text.find("<tool>")  # here
        # the end
        return start
