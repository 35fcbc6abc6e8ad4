from . import elementwise, reduce
