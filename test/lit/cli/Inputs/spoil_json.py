"""spoil_json.py FRAGMENT LIBRARY FOLDER: writes variants of both into FOLDER, each with one thing wrong."""
import json
import pathlib
import sys

fragment_text = pathlib.Path(sys.argv[1]).read_text()
library_text = pathlib.Path(sys.argv[2]).read_text()
folder = pathlib.Path(sys.argv[3])
folder.mkdir()


def write(name, text):
    (folder / (name + '.json')).write_bytes(text if isinstance(text, bytes) else text.encode())


def changed(text, change):
    document = json.loads(text)
    change(document)
    return json.dumps(document)


write('empty', '')
write('truncated', fragment_text[:len(fragment_text) // 2])
write('newer', changed(fragment_text, lambda d: d.update(version=d['version'] + 1)))
write('duplicate_key', fragment_text.replace('"dialect"', '"dialect": "native", "dialect"', 1))
write('nested', '[' * 100000 + ']' * 100000)
write('wrong_type', changed(fragment_text, lambda d: d['declarations'][0].update(name=[1])))
write('unknown_key', changed(fragment_text, lambda d: d.update(surprise=1)))
write('missing_key', changed(fragment_text, lambda d: d.pop('source')))
write('not_unicode', fragment_text.replace('twice', 'tw\xefce').encode('latin-1'))
write('foreign', '{}')
write('dialect', changed(fragment_text, lambda d: d.update(dialect='klingon')))
write('library_truncated', library_text[:len(library_text) // 2])
write('library_newer', changed(library_text, lambda d: d.update(version=d['version'] + 1)))
write('library_schema', changed(library_text, lambda d: d['operators'][0]['variants'][0].update(schema='twice(')))
