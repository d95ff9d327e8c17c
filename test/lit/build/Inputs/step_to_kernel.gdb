# Steps from the second line of main to the kernel `scale_cpu` and prints each function once when it is entered.
break main
run
next
python
shown = None
for _ in range(60):
    frame = gdb.selected_frame()
    name = frame.name()
    if name != shown:
        print("step: " + name)
        shown = name
    if name.startswith("scale_cpu"):
        break
    gdb.execute("step", to_string=True)
end
