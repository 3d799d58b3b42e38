def copy(source, target):
    return source, target


class Job:
    async def run(self, source, target):
        return copy(
            source,  # here
            target,
        )
