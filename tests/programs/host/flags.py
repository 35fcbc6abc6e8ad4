"""How arrays lie, as their flags say."""
import numpy as np
a = np.zeros((3, 4))
views = [a, a.T, a[:, ::2], a[1:], a[:, 1], np.zeros(3), np.zeros((1, 4)), np.zeros((4, 1)).T, np.zeros((0, 3)), np.zeros((2, 3), order="F"), np.broadcast_to(np.ones(2), (2, 2)), np.zeros((2, 3, 4)).transpose(0, 2, 1), np.zeros((2,3,4))[:, :1]]
for v in views:
    f = v.flags
    print(f["C_CONTIGUOUS"], f.c_contiguous, f["F_CONTIGUOUS"], f.f_contiguous, f.contiguous, f["C"], f["F"], f.fnc, f.forc, f.writeable, f["W"], f["FNC"], f["FORC"])
if not a[:, ::2].flags["C_CONTIGUOUS"]:
    print("copied", np.ascontiguousarray(a[:, ::2]).flags.c_contiguous)
