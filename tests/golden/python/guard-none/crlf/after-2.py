async def close(client):
    if client.session is None:
        return client
    await client.session.close()  # here
    return client
