import quickstart_py
import structured as st

a = st.tensor([-2.0, 0.0, 3.0], dtype=st.float64)
print(quickstart_py.smooth_abs(a, eps=0))
print(quickstart_py.smooth_abs_(a) is a)
