async def close(client):
    await client.session.close()  # here
    return client
