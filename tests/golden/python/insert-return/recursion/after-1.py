def find(node, key):
    # depth first
    if node.key == key:
        return node
    for child in node.children:
        return find(child, key)  # here
