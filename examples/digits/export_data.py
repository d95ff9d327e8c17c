#!/usr/bin/env python3
"""Writes digits.npz: the handwritten digits that scikit-learn contains, shuffled once.

usage: pip install scikit-learn; export_data.py digits.npz

Members are `images`, Byte [1797, 1, 8, 8] with values from 0 to 16, and `labels`, Byte [1797]. The data are the test set
of E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits (UCI Machine Learning Repository, 1998, CC BY 4.0).
"""
import sys

import numpy
from sklearn.datasets import load_digits

digits = load_digits()
order = numpy.random.RandomState(0).permutation(len(digits.target))
numpy.savez(sys.argv[1], images=digits.images[order].astype(numpy.uint8)[:, None], labels=digits.target[order].astype(numpy.uint8))
