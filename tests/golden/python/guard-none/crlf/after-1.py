async def close(client):
    if client.session is not None:
        await client.session.close()  # here
    return client
