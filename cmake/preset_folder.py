"""preset_folder.py PRESET: prints the configure preset of a build preset, and its build folder relative to the source folder."""
import json
import pathlib
import sys

presets = json.loads((pathlib.Path(__file__).parent.parent / 'CMakePresets.json').read_text())
configured_by = {entry['name']: entry['configurePreset'] for entry in presets['buildPresets']}[sys.argv[1]]
configure_presets = {entry['name']: entry for entry in presets['configurePresets']}


def folder_of(name):
    entry = configure_presets[name]
    return entry.get('binaryDir') or folder_of(entry['inherits'])


print(configured_by, folder_of(configured_by).replace('${sourceDir}/', '').replace('${presetName}', configured_by))
