#include "templates/python/known_keywords.h"

#include <map>

namespace tenline::templates {

namespace {

using Texts = std::vector<std::string_view>;

const Texts& find_or_none(const std::map<std::string_view, const Texts*>& table,
                          std::string_view key) {
  static const Texts k_none;
  const auto it = table.find(key);
  return it == table.end() ? k_none : *it->second;
}

}  // namespace

const std::vector<std::string_view>& known_keywords(std::string_view function) {
  static const Texts k_factory = {"device", "dtype", "requires_grad", "pin_memory"};
  static const Texts k_collective = {"group", "async_op"};
  static const Texts k_rooted = {"group", "src", "dst", "async_op"};
  static const Texts k_reduce = {"group", "op", "async_op"};
  static const Texts k_ranks = {"group"};
  static const Texts k_new_group = {"ranks", "backend", "timeout", "pg_options"};
  static const Texts k_init = {"backend", "init_method", "world_size",
                               "rank",    "timeout",     "device_id"};
  static const Texts k_to = {"device", "dtype", "non_blocking", "copy"};
  static const Texts k_dim = {"dim", "keepdim", "dtype"};
  static const Texts k_load = {"map_location", "weights_only", "mmap"};
  static const Texts k_layer = {"bias", "device", "dtype"};
  static const Texts k_norm = {"eps", "device", "dtype", "elementwise_affine"};
  static const Texts k_buffer = {"persistent"};
  static const Texts k_state = {"strict", "assign"};
  static const Texts k_state_dict = {"destination", "prefix", "keep_vars"};
  static const Texts k_parameters = {"recurse"};
  static const Texts k_ddp = {"device_ids", "process_group", "broadcast_buffers",
                              "find_unused_parameters"};
  static const Texts k_data = {"shuffle", "drop_last", "pin_memory", "num_workers", "collate_fn"};
  static const Texts k_gradient = {"set_to_none"};
  static const Texts k_backward = {"retain_graph", "create_graph", "gradient"};
  static const Texts k_grad = {"allow_unused", "retain_graph", "create_graph"};
  static const Texts k_cast = {"enabled", "dtype", "device_type"};
  static const Texts k_checkpoint = {"use_reentrant"};
  static const Texts k_process = {"env",      "cwd",    "shell", "check",
                                  "stdout",   "stderr", "text",  "universal_newlines",
                                  "close_fds"};
  static const Texts k_split = {"maxsplit"};
  static const Texts k_folders = {"exist_ok"};
  static const Texts k_open = {"encoding", "newline"};
  static const Texts k_tree = {"ignore_errors", "dirs_exist_ok"};
  static const Texts k_print = {"flush", "file"};
  static const Texts k_warn = {"stacklevel"};
  static const Texts k_option = {"type",    "default", "required", "help",
                                 "choices", "action",  "dest",     "nargs"};
  static const Texts k_sort = {"key", "reverse"};
  static const Texts k_round = {"rounding_mode"};
  static const Texts k_pretrained = {"trust_remote_code", "torch_dtype", "padding_side",
                                     "use_fast",          "revision",    "pad_token_id"};
  static const Texts k_decode = {"skip_special_tokens"};
  static const Texts k_zip = {"strict"};
  static const Texts k_field = {"default", "default_factory", "init", "repr"};
  static const std::map<std::string_view, const Texts*> k_table = {
      {"zeros", &k_factory},
      {"ones", &k_factory},
      {"empty", &k_factory},
      {"full", &k_factory},
      {"tensor", &k_factory},
      {"as_tensor", &k_factory},
      {"arange", &k_factory},
      {"linspace", &k_factory},
      {"eye", &k_factory},
      {"rand", &k_factory},
      {"randn", &k_factory},
      {"randint", &k_factory},
      {"randperm", &k_factory},
      {"zeros_like", &k_factory},
      {"ones_like", &k_factory},
      {"empty_like", &k_factory},
      {"full_like", &k_factory},
      {"rand_like", &k_factory},
      {"randn_like", &k_factory},
      {"all_reduce", &k_reduce},
      {"reduce_scatter_tensor", &k_reduce},
      {"reduce_scatter", &k_reduce},
      {"all_gather", &k_collective},
      {"all_gather_into_tensor", &k_collective},
      {"all_gather_object", &k_ranks},
      {"all_to_all_single", &k_collective},
      {"all_to_all", &k_collective},
      {"broadcast", &k_rooted},
      {"broadcast_object_list", &k_rooted},
      {"reduce", &k_rooted},
      {"gather", &k_rooted},
      {"scatter", &k_rooted},
      {"gather_object", &k_rooted},
      {"send", &k_rooted},
      {"recv", &k_rooted},
      {"isend", &k_rooted},
      {"irecv", &k_rooted},
      {"barrier", &k_collective},
      {"get_rank", &k_ranks},
      {"get_world_size", &k_ranks},
      {"get_backend", &k_ranks},
      {"new_group", &k_new_group},
      {"init_process_group", &k_init},
      {"to", &k_to},
      {"cuda", &k_to},
      {"sum", &k_dim},
      {"mean", &k_dim},
      {"max", &k_dim},
      {"min", &k_dim},
      {"softmax", &k_dim},
      {"log_softmax", &k_dim},
      {"norm", &k_dim},
      {"cat", &k_dim},
      {"stack", &k_dim},
      {"chunk", &k_dim},
      {"argmax", &k_dim},
      {"squeeze", &k_dim},
      {"unsqueeze", &k_dim},
      {"cumsum", &k_dim},
      {"topk", &k_dim},
      {"load", &k_load},
      {"Linear", &k_layer},
      {"Embedding", &k_layer},
      {"LayerNorm", &k_norm},
      {"register_buffer", &k_buffer},
      {"load_state_dict", &k_state},
      {"state_dict", &k_state_dict},
      {"parameters", &k_parameters},
      {"named_parameters", &k_parameters},
      {"buffers", &k_parameters},
      {"DistributedDataParallel", &k_ddp},
      {"DDP", &k_ddp},
      {"DataLoader", &k_data},
      {"DistributedSampler", &k_data},
      {"zero_grad", &k_gradient},
      {"backward", &k_backward},
      {"grad", &k_grad},
      {"autocast", &k_cast},
      {"checkpoint", &k_checkpoint},
      {"Popen", &k_process},
      {"run", &k_process},
      {"check_output", &k_process},
      {"check_call", &k_process},
      {"split", &k_split},
      {"rsplit", &k_split},
      {"makedirs", &k_folders},
      {"mkdir", &k_folders},
      {"open", &k_open},
      {"rmtree", &k_tree},
      {"copytree", &k_tree},
      {"print", &k_print},
      {"warn", &k_warn},
      {"add_argument", &k_option},
      {"sort", &k_sort},
      {"sorted", &k_sort},
      {"div", &k_round},
      {"from_pretrained", &k_pretrained},
      {"decode", &k_decode},
      {"batch_decode", &k_decode},
      {"zip", &k_zip},
      {"field", &k_field},
      {"Field", &k_field},
  };
  return find_or_none(k_table, function);
}

const std::vector<std::string_view>& known_values(std::string_view keyword) {
  static const Texts k_true = {"True", "False"};
  static const Texts k_false = {"False", "True"};
  static const Texts k_dim = {"-1", "0", "1"};
  static const Texts k_zero = {"0", "1"};
  static const Texts k_one = {"1", "0"};
  static const Texts k_type = {"int", "str", "float"};
  static const Texts k_none = {"None"};
  static const Texts k_factory = {"list", "dict", "set"};
  static const Texts k_cpu = {"\"cpu\"", "'cpu'"};
  static const Texts k_device = {
      "torch.cuda.current_device()", "\"cuda\"", "'cuda'", "\"cpu\"", "'cpu'",
      "get_current_device()",        "None"};
  static const Texts k_devices = {"[torch.cuda.current_device()]", "None"};
  static const Texts k_dtype = {"torch.float32", "torch.float", "torch.int64",    "torch.long",
                                "torch.bool",    "torch.int32", "torch.bfloat16", "torch.float16",
                                "torch.uint8",   "None"};
  static const Texts k_mode = {"\"floor\"", "'floor'", "\"trunc\"", "'trunc'"};
  static const Texts k_side = {"\"left\"", "'left'"};
  static const Texts k_encoding = {"\"utf-8\"", "'utf-8'"};
  static const Texts k_action = {"\"store_true\"", "'store_true'"};
  static const Texts k_backend = {"\"gloo\"", "'gloo'", "\"nccl\"", "'nccl'"};
  static const std::map<std::string_view, const Texts*> k_table = {
      {"requires_grad", &k_false},
      {"pin_memory", &k_true},
      {"async_op", &k_true},
      {"non_blocking", &k_true},
      {"keepdim", &k_true},
      {"weights_only", &k_false},
      {"persistent", &k_false},
      {"strict", &k_false},
      {"recurse", &k_false},
      {"set_to_none", &k_true},
      {"retain_graph", &k_true},
      {"create_graph", &k_true},
      {"allow_unused", &k_true},
      {"use_reentrant", &k_false},
      {"shell", &k_true},
      {"check", &k_true},
      {"text", &k_true},
      {"universal_newlines", &k_true},
      {"close_fds", &k_false},
      {"exist_ok", &k_true},
      {"ignore_errors", &k_true},
      {"dirs_exist_ok", &k_true},
      {"flush", &k_true},
      {"drop_last", &k_true},
      {"shuffle", &k_false},
      {"find_unused_parameters", &k_true},
      {"broadcast_buffers", &k_false},
      {"trust_remote_code", &k_true},
      {"skip_special_tokens", &k_true},
      {"reverse", &k_true},
      {"required", &k_true},
      {"init", &k_false},
      {"bias", &k_false},
      {"dim", &k_dim},
      {"axis", &k_dim},
      {"src", &k_zero},
      {"dst", &k_zero},
      {"maxsplit", &k_one},
      {"num_workers", &k_zero},
      {"type", &k_type},
      {"default", &k_none},
      {"group", &k_none},
      {"default_factory", &k_factory},
      {"map_location", &k_cpu},
      {"device", &k_device},
      {"device_ids", &k_devices},
      {"dtype", &k_dtype},
      {"torch_dtype", &k_dtype},
      {"rounding_mode", &k_mode},
      {"padding_side", &k_side},
      {"encoding", &k_encoding},
      {"action", &k_action},
      {"backend", &k_backend},
  };
  return find_or_none(k_table, keyword);
}

}  // namespace tenline::templates
