"""Rows looked up in a table, bags of them, and one-hot rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.autograd.errors import error
from gradcli.autograd.primitive import Primitive
from gradcli.autograd.tensor import Tensor
from gradcli.ops.common import is_batch, raw
from gradcli.ops.masks import total
from gradcli.ops.nn_common import floating, integers
from gradcli.ops.row import Lit, T, op, sample

Array = np.ndarray[Any, Any]


def _rows(table: Any, *, index: Any, counts: Any) -> Any:
    """Return table[index]; rows whose count is 0 are zeros, others are divided by it (no counts: as they are)."""
    found = table[index]
    return found if counts is None else _scaled(found, counts)


def _rows_back(g: Any, *, index: Any, counts: Any, rows: int) -> Any:
    """Return the sum of the rows of ``g`` by index: repeated indices add up."""
    flat = index.reshape(-1)
    g = (g if counts is None else _scaled(g, counts)).reshape(flat.size, *g.shape[index.ndim :])
    out = np.zeros((rows, *g.shape[1:]), g.dtype)
    if flat.size:
        order = np.argsort(flat, kind="stable")
        which, starts = np.unique(flat[order], return_index=True)
        out[which] = np.add.reduceat(g[order], starts, axis=0)
    return out


def _scaled(rows: Any, counts: Any) -> Any:
    counts = counts.reshape(*counts.shape, *(1,) * (rows.ndim - counts.ndim))
    return np.where(counts == 0, rows.dtype.type(0), rows / np.where(counts == 0, 1, counts).astype(rows.dtype))


rows_primitive = Primitive(
    "embedding",
    _rows,
    {"table": lambda g, table, index, counts: rows_back(g, index=index, counts=counts, rows=table.shape[0])},
    batch="indexing.rows",
)
rows_back: Primitive = Primitive(
    "embedding_dense_backward",
    _rows_back,
    {"g": lambda g, index, counts: rows_primitive(g, index=index, counts=counts)},
    batch="indexing.rows_back",
)


def _lookup(weight: Any, *, index: Any, counts: Any) -> Any:
    return weight[index]


embedding_primitive = Primitive(
    "embedding",
    _lookup,
    {"weight": lambda g, weight, index, counts: rows_back(g, index=index, counts=counts, rows=weight.shape[0])},
    # the padding row is a matter of reverse mode alone: a tangent of the table passes whole, as in PyTorch
    jvp=lambda values, params, out, tangents: rows_primitive(tangents[0], index=params["index"], counts=None),
    batch="indexing.lookup",
)


def _checked_index(name: str, input: Any, rows: int) -> Array:
    index = integers(name, "input", input)
    if index.size and (index.min() < 0 or index.max() >= rows):
        bad = index[(index < 0) | (index >= rows)].flat[0]
        raise error(IndexError, "index-out-of-range", f"{name}: {bad} is no row of a table of {rows} rows")
    return index


def _padding_row(name: str, padding_idx: int | None, rows: int) -> int | None:
    if padding_idx is None:
        return None
    if not -rows <= padding_idx < rows:
        raise error(
            RuntimeError, "index-out-of-range", f"{name}: padding_idx {padding_idx} is no row of a table of {rows} rows"
        )
    return padding_idx % rows


def _counts(index: Array, padding: int | None, by_frequency: bool) -> Array | None:
    """Return by what the cotangent of each looked-up row is divided, 0 for the padding row; None where nothing is."""
    if padding is None and not by_frequency:
        return None
    counts = np.ones(index.shape, np.int64)
    if by_frequency and index.size:
        _, place, often = np.unique(index, return_inverse=True, return_counts=True)
        counts = often[place].reshape(index.shape)
    if padding is not None:
        counts[index == padding] = 0
    return counts


def _shorten(weight: Any, index: Array, max_norm: float, norm_type: float) -> None:
    """Scale rows that are looked up and longer than ``max_norm`` down to it, in place, as PyTorch does."""
    if isinstance(weight, Tensor) and weight._rg and weight._fn is None:
        from gradcli.autograd.mode import mode

        if mode.enabled:
            raise error(
                RuntimeError,
                "leaf-inplace",
                "embedding with max_norm writes into the table, which is a leaf that requires grad",
                hint="pass a clone() of the table",
            )
    array, which = raw(weight), np.unique(index)
    length = np.linalg.norm(array[which], ord=norm_type, axis=1)
    factor = np.where(length > max_norm, max_norm / (length + 1e-7), 1).astype(array.dtype)
    array[which] *= factor[:, None]
    if isinstance(weight, Tensor):
        from gradcli.autograd.node import storage_of

        storage_of(weight).version += 1


def _own_rows(input: Any, weight: Any, padding: int | None) -> Any:
    """Return the rows where each sample of a vmap looks up its own: in steps of other operations."""
    rows = weight.index_select(0, input.reshape(-1).long()).reshape((*input.shape, weight.shape[1]))
    return rows if padding is None else rows.detach().where((input == padding).unsqueeze(-1), rows)


@op(
    "torch.nn.functional.embedding",
    "embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False)",
    category="nn layer: embedding",
    doc="The rows of weight (rows, width) at the integers input: shape input.shape + (width,).",
    formula="each row gets the sum of g where it was looked up",
    conventions="the row padding_idx gets no gradient; scale_grad_by_freq divides by how often a row is looked up; "
    "sparse is accepted, gradients stay dense",
    examples=("F.embedding(tensor([1, 0, 1]), tensor([[1., 2.], [3., 4.]]))  #> [[3., 4.], [1., 2.], [3., 4.]]",),
    samples=(
        sample(Lit([0, 2, 2]), T(4, 3)),
        sample(Lit([[0, 1], [3, 1]]), T(4, 2)),
        sample(Lit(1), T(2, 3)),
        sample(Lit([0, 1, 1]), T(3, 2), padding_idx=1, smooth=False),
    ),
)
def embedding(
    input: Any,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    weight = floating("embedding", weight)
    if weight.ndim != 2:
        raise error(
            RuntimeError,
            "shape-mismatch",
            f"embedding needs a table (rows, width) as weight, got shape {tuple(weight.shape)}",
            hint="the order is embedding(indices, table)",
        )
    padding = _padding_row("embedding", padding_idx, weight.shape[0])
    if is_batch(input) and max_norm is None and not scale_grad_by_freq:
        return _own_rows(input, weight, padding)
    index = _checked_index("embedding", input, weight.shape[0])
    if max_norm is not None:
        _shorten(weight, index, max_norm, norm_type)
    return embedding_primitive(weight, index=index, counts=_counts(index, padding, scale_grad_by_freq))


@op(
    "torch.embedding",
    "embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False)",
    category="nn layer: embedding",
    doc="F.embedding with the table first.",
    formula="each row gets the sum of g where it was looked up",
    conventions="padding_idx -1 means none",
    examples=("torch.embedding(tensor([[1., 2.], [3., 4.]]), tensor([1, 0]))  #> [[3., 4.], [1., 2.]]",),
    samples=(sample(T(4, 3), Lit([0, 2, 2])),),
)
def torch_embedding(
    weight: Any, indices: Any, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Any:
    return embedding(indices, weight, None if padding_idx == -1 else padding_idx, None, 2.0, scale_grad_by_freq, sparse)


def _bags(weight: Any, per_sample_weights: Any, *, index: Any, bag: Any, counts: Any, bags: int) -> Any:
    rows = weight[index]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[:, None]
    return _rows_back(rows, index=bag, counts=counts, rows=bags)


def _bags_rule(
    g: Any, needs: tuple[bool, bool], weight: Any, per_sample_weights: Any, index: Any, bag: Any, counts: Any
) -> Any:
    rows = rows_primitive(g, index=bag, counts=counts)
    to_weights = (
        total(rows * rows_primitive(weight, index=index, counts=None), 1).reshape(index.shape) if needs[1] else None
    )
    if needs[0] and per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1, 1)
    to_table = rows_back(rows, index=index, counts=None, rows=weight.shape[0]) if needs[0] else None
    return to_table, to_weights


bags_primitive = Primitive("embedding_bag", _bags, _bags_rule)


class _Bags:
    """The rows of each bag of one call, from rows of equal length or from a list with offsets."""

    def __init__(self, input: Array, offsets: Any, include_last_offset: bool) -> None:
        if input.ndim == 2:
            if offsets is not None:
                raise error(
                    ValueError,
                    "bad-offsets",
                    "embedding_bag: offsets belong to a 1-d input; rows of a 2-d input are bags already",
                )
            self.count, self.index = input.shape[0], input.reshape(-1)
            self.bag = np.repeat(np.arange(self.count), input.shape[1])
            return
        starts = self._starts(input, offsets)
        ends = np.append(starts[1:], len(input))
        if include_last_offset:
            starts, ends = starts[:-1], starts[1:]
        self.count, self.index = len(starts), input
        self.bag = np.repeat(np.arange(self.count), ends - starts)
        self.index = input[: ends[-1]] if include_last_offset and len(ends) else input

    @staticmethod
    def _starts(input: Array, offsets: Any) -> Array:
        if input.ndim != 1 or offsets is None:
            raise error(ValueError, "bad-offsets", "embedding_bag: a 1-d input needs offsets, where each bag starts")
        starts = integers("embedding_bag", "offsets", offsets)
        if starts.ndim != 1 or (
            len(starts) and (starts[0] != 0 or starts[-1] > len(input) or np.any(np.diff(starts) < 0))
        ):
            raise error(
                RuntimeError,
                "bad-offsets",
                f"embedding_bag: offsets must rise from 0 to at most {len(input)}, got {starts.tolist()}",
            )
        return starts

    def without(self, row: int | None, *others: Any) -> list[Any]:
        """Drop the padding row from all bags; ``others`` are cut in the same way."""
        if row is None:
            return list(others)
        keep = self.index != row
        self.index, self.bag = self.index[keep], self.bag[keep]
        return [None if o is None else o[keep] for o in others]


def _largest_rows(weight: Array, bags: _Bags) -> Array:
    """Return for each bag and column the flat place in the table of the first largest entry; -1 for an empty bag."""
    width = weight.shape[1]
    places = np.full((bags.count, width), -1, np.int64)
    for b in range(bags.count):
        rows = bags.index[bags.bag == b]
        if len(rows):
            places[b] = rows[np.argmax(weight[rows], axis=0)] * width + np.arange(width)
    return places


def _max_bags(weight: Any, *, places: Any) -> Any:
    return np.where(places >= 0, weight.reshape(-1)[np.maximum(places, 0)], weight.dtype.type(0))


def _max_rule(g: Any, weight: Any, places: Any) -> Any:
    from gradcli.ops.masks import keep
    from gradcli.ops.planes import drop_all

    return drop_all(keep(g, places >= 0), np.maximum(places, 0), tuple(weight.shape))


max_bags = Primitive("embedding_bag", _max_bags, {"weight": _max_rule})


@op(
    "torch.nn.functional.embedding_bag",
    "embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode='mean', "
    "sparse=False, "
    "per_sample_weights=None, include_last_offset=False, padding_idx=None)",
    category="nn layer: embedding",
    doc="The mean, sum or maximum of the rows of weight in each bag: the rows of a 2-d input, or the parts of a 1-d "
    "input that start at offsets.",
    formula="each row gets the sum of its bags' g (divided by the count for mean)",
    conventions="an empty bag gives zeros; rows padding_idx belong to no bag",
    examples=(
        "F.embedding_bag(tensor([0, 1, 1]), tensor([[1., 2.], [3., 4.]]), tensor([0, 2]))  #> [[2., 3.], [3., 4.]]",
    ),
    samples=(
        sample(Lit([0, 1, 2, 1]), T(3, 2), Lit([0, 2])),
        sample(Lit([[0, 1], [2, 2]]), T(3, 2), mode="sum", per_sample_weights=T(2, 2)),
        sample(Lit([[0, 1], [2, 0]]), T(3, 2), mode="max"),
    ),
)
def embedding_bag(
    input: Any,
    weight: Any,
    offsets: Any = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    name = "embedding_bag"
    weight = floating(name, weight)
    if mode not in ("sum", "mean", "max"):
        raise error(ValueError, "bad-choice", f"embedding_bag has no mode {mode!r}", hint="'sum', 'mean' or 'max'")
    index = _checked_index(name, input, weight.shape[0])
    each = _sample_weights(per_sample_weights, index, mode)
    bags = _Bags(index, offsets, include_last_offset)
    if max_norm is not None:
        _shorten(weight, index, max_norm, norm_type)
    (each,) = bags.without(_padding_row(name, padding_idx, weight.shape[0]), each)
    if mode == "max":
        return max_bags(weight, places=_largest_rows(raw(weight), bags))
    counts = np.bincount(bags.bag, minlength=bags.count)[bags.bag] if mode == "mean" else None
    return bags_primitive(weight, each, index=bags.index, bag=bags.bag, counts=counts, bags=bags.count)


def _sample_weights(value: Any, index: Array, mode: str) -> Any:
    if value is None:
        return None
    value = floating("embedding_bag", value)
    if mode != "sum":
        raise error(
            NotImplementedError,
            "bad-choice",
            f"embedding_bag: per_sample_weights belong to mode 'sum', not to {mode!r}",
        )
    if tuple(value.shape) != index.shape:
        raise error(
            ValueError,
            "shape-mismatch",
            f"embedding_bag: per_sample_weights need the input's shape {index.shape}, got {tuple(value.shape)}",
        )
    return value.reshape((index.size,)) if value.ndim != 1 else value


@op(
    "torch.nn.functional.one_hot",
    "one_hot(input, num_classes=-1)",
    category="nn layer: embedding",
    doc="For each integer a row of zeros with a one at its place; num_classes=-1 takes the largest plus one. The "
    "result is int64.",
    conventions="not differentiable: integers to integers",
    examples=("F.one_hot(tensor([1, 0, 2]))  #> [[0, 1, 0], [1, 0, 0], [0, 0, 1]]",),
    samples=(sample(Lit([1, 0, 2])), sample(Lit(1), num_classes=3)),
)
def one_hot(input: Any, num_classes: int = -1) -> Any:
    index = integers("one_hot", "input", input)
    if not index.size and num_classes <= 0:
        raise error(RuntimeError, "class-out-of-range", "one_hot of an empty tensor needs num_classes")
    largest = int(index.max()) if index.size else -1
    if index.size and index.min() < 0:
        raise error(RuntimeError, "class-out-of-range", f"one_hot needs classes of 0 or more, got {int(index.min())}")
    classes = largest + 1 if num_classes == -1 else int(num_classes)
    if classes < 1 or largest >= classes:
        raise error(RuntimeError, "class-out-of-range", f"one_hot: {largest} is no class of 0 to {classes - 1}")
    out = np.zeros((*index.shape, classes), np.int64)
    np.put_along_axis(out, index[..., None], 1, -1)
    return Tensor(out)
