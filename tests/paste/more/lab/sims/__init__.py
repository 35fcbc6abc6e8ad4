from .models import ising, lif
