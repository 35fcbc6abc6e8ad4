from .starred import *
