"""The log-likelihood of a mixture of Gaussians (1,000 points of 10 dimensions, 25 components) and its gradient."""

from __future__ import annotations

from common import compare, options, report, take_turns, torch_peers

SETUP = """
n, d, K = 1000, 10, 25
def numbers(*shape):
    size = 1
    for k in shape:
        size *= k
    return torch.sin(torch.arange(size, dtype=torch.float64) * 12.9898).reshape(shape)
x = numbers(n, d)
alphas = numbers(K).requires_grad_(True)
means = numbers(K, d).requires_grad_(True)
icf = numbers(K, d * (d + 1) // 2).requires_grad_(True)
rows, columns = torch.tril_indices(d, d, -1)
"""
BODY = """
for _ in range(5):
    alphas.grad = means.grad = icf.grad = None
    logs = icf[:, :d]
    L = torch.zeros(K, d, d, dtype=torch.float64)
    L[:, rows, columns] = icf[:, d:]
    L = L + torch.diag_embed(torch.exp(logs))
    centred = x[:, None, :] - means
    main = torch.einsum("kij,nkj->nki", L, centred)
    inner = alphas + logs.sum(1) - 0.5 * (main ** 2).sum(2)
    loss = torch.logsumexp(inner, 1).sum() - n * torch.logsumexp(alphas, 0)
    loss.backward()
"""
ANSWER = "[loss.item(), *alphas.grad.tolist(), *means.grad.reshape(-1).tolist(), *icf.grad.reshape(-1).tolist()]"


def main() -> None:
    chosen = options(__doc__ or "")
    print(" ".join((__doc__ or "").split()), "5 times")
    peers = torch_peers(chosen.python, SETUP, BODY)
    compare(peers, ANSWER)
    report(take_turns(dict(peers), chosen.repeats), wanted={"PyTorch": 0.45})


if __name__ == "__main__":
    main()
