from lab.sims import models
from lab.settings import *
