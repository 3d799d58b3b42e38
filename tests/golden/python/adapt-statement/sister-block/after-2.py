class Engine:
    def dtype(self):
        if self.fp16_enabled():
            return lib.float16
        if self.fp16_enabled():
            return lib.float32
        return lib.float32  # here

    def fp16_enabled(self):
        return self.mode == lib.float16

    def bfloat16_enabled(self):
        return self.mode == lib.bfloat16
