def line(job, table):
    name = table.get("name")
    return f"{table}: {job}"  # here
