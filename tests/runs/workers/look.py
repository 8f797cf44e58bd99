"""What a worker process sees."""

import os
import time


def look():
    time.sleep(0.5)  # so that every worker gets its share
    return os.getpid(), os.environ["CUDA_VISIBLE_DEVICES"]
