"""Neural networks: functions (`structured.nn.functional`), and modules that own their parameters."""
from structured.nn import functional as functional
from structured.nn import init as init
from structured.nn import utils as utils
from structured.nn._layers import (
    ELU, GELU, GLU, SELU, AdaptiveAvgPool2d, AvgPool2d, BatchNorm1d, BatchNorm2d, BatchNorm3d, BCELoss,
    BCEWithLogitsLoss, Conv1d, Conv2d, Conv3d, ConvTranspose2d, CrossEntropyLoss, Dropout, Embedding, Flatten, GroupNorm,
    Hardsigmoid, Hardswish, Hardtanh, HuberLoss, Identity, KLDivLoss, L1Loss, LayerNorm, LeakyReLU, Linear, LogSigmoid,
    LogSoftmax, MaxPool1d, MaxPool2d, Mish, MSELoss, NLLLoss, PReLU, ReLU, ReLU6, Sigmoid, SiLU, SmoothL1Loss, Softmax,
    Softplus, Tanh, Upsample)
from structured.nn._module import Module, ModuleDict, ModuleList, Parameter, Sequential

__all__ = [
    "AdaptiveAvgPool2d", "AvgPool2d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d",
    "Conv1d", "Conv2d", "Conv3d", "ConvTranspose2d", "CrossEntropyLoss", "Dropout", "ELU", "Embedding", "Flatten",
    "GELU", "GLU", "GroupNorm", "Hardsigmoid", "Hardswish", "Hardtanh", "HuberLoss", "Identity", "KLDivLoss", "L1Loss",
    "LayerNorm", "LeakyReLU", "Linear", "LogSigmoid", "LogSoftmax", "MSELoss", "MaxPool1d", "MaxPool2d", "Mish",
    "Module", "ModuleDict", "ModuleList", "NLLLoss", "PReLU", "Parameter", "ReLU", "ReLU6", "SELU", "Sequential",
    "SiLU", "Sigmoid", "SmoothL1Loss", "Softmax", "Softplus", "Tanh", "Upsample", "functional", "init", "utils"]

TYPE_CHECKING = False  # type checkers know the names
if not TYPE_CHECKING:
    from structured._missing import missing

    __getattr__ = missing(__name__)
