"""A Kalman filter for a point that moves, and what a smoother makes of it."""
import numpy as np

np.set_printoptions(precision=4, suppress=True)
dt = 0.5
F = np.array([[1, dt, 0, 0], [0, 1, 0, 0], [0, 0, 1, dt], [0, 0, 0, 1]])
H = np.zeros((2, 4))
H[0, 0] = H[1, 2] = 1
G = np.array([dt**2 / 2, dt])
Q = np.kron(np.eye(2), np.outer(G, G)) * 0.04
R = np.diag([0.25, 0.25])


def predict(x, P):
    return F @ x, F @ P @ F.T + Q


def update(x, P, z):
    y = z - H @ x
    S = H @ P @ H.T + R
    K = P @ H.T @ np.linalg.inv(S)
    return x + K @ y, (np.eye(4) - K @ H) @ P, float(y @ np.linalg.solve(S, y))


def simulate(steps, seed):
    rng = np.random.default_rng(seed)
    x = np.array([0.0, 1.0, 0.0, 0.5])
    truth, seen = [], []
    for _ in range(steps):
        x = F @ x + np.repeat(G, 1).tolist()[0] * np.array([1, 0, 1, 0]) * rng.normal(0, 0.2)
        truth.append(x)
        seen.append(H @ x + rng.normal(0, 0.5, size=2))
    return np.array(truth), np.stack(seen)


truth, seen = simulate(40, seed=7)
x, P = np.zeros(4), np.eye(4) * 10.0
track, covariances, distances = [], [], []
for z in seen:
    x, P = predict(x, P)
    x, P, d = update(x, P, z)
    track.append(x.copy())
    covariances.append(P)
    distances.append(d)
track = np.asarray(track)


def smooth(track, covariances):
    smoothed = track.copy()
    P_later = covariances[-1]
    for k in range(len(track) - 2, -1, -1):
        x_next, P_next = predict(track[k], covariances[k])
        C = covariances[k] @ F.T @ np.linalg.inv(P_next)
        smoothed[k] += C @ (smoothed[k + 1] - x_next)
        P_later = covariances[k] + C @ (P_later - P_next) @ C.T
    return smoothed, P_later


def rms(a, b):
    return np.sqrt(((a[:, ::2] - b[:, ::2]) ** 2).mean())


smoothed, P0 = smooth(track, covariances)
print(truth.shape, seen.shape, track.shape)
print(track[::10].round(3))
print("P", P.diagonal(), "det %.6f" % np.linalg.det(P), "trace", P.trace().round(4))
print("seen %.4f filtered %.4f smoothed %.4f" % (
    np.sqrt(((seen - truth[:, ::2]) ** 2).mean()), rms(track, truth), rms(smoothed, truth)))
print("symmetric:", np.allclose(P, P.T), np.allclose(P0, P0.T), (np.linalg.norm(P) < 1) and True)
print("distances", np.round(np.percentile(distances, [25, 50, 75]), 3), sum(d > 5.99 for d in distances))
