#pragma once

#include "templates/context.h"
#include "templates/python/test_bag.h"

namespace tenline::templates {

/// Tests of the values that a piece of code works with: not None, of a type, a key that is there,
/// an attribute that it has.
void add_value_tests(const Context& context, const Node& code, TestBag& bag);

}  // namespace tenline::templates
