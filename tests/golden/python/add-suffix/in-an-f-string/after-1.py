def line(job, table):
    name = table.get("name")
    return f"{table.get('name')}: {job}"  # here
