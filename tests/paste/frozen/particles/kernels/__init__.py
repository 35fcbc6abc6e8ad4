from .push import push_particles
from .deposit import deposit_charge as deposit_kernel
