import ast


def show(node, *rest):
    print(ast.dump(node))


@ast.register  # here
class Visitor(ast.NodeVisitor):  # here
    pass
