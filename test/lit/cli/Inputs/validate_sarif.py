"""validate_sarif.py LOG [RESULTS]: checks that LOG is a SARIF 2.1.0 log, as far as structured-gen uses the format.

Each object may have the properties below and no others, and must have those marked with `!`. Prints `RULE LINE:COLUMN`
of each result. Exits with 1 after saying what is wrong, also if there are not RESULTS results.
"""
import json
import re
import sys

LEVEL = ('none', 'note', 'warning', 'error')
MESSAGE = {'text!': str}
ARTIFACT = {'uri!': re.compile(r'(file:///)?([A-Za-z0-9._~+-]|%[0-9A-F]{2})([A-Za-z0-9/._~+-]|%[0-9A-F]{2})*'),
            'uriBaseId': str}
REGION = {'startLine!': int, 'startColumn!': int, 'endLine!': int, 'endColumn!': int}
LOCATION = {'id': int, 'message': MESSAGE, 'physicalLocation': {'artifactLocation!': ARTIFACT, 'region': REGION}}
FIX = {'description': MESSAGE,
       'artifactChanges!': [{'artifactLocation!': ARTIFACT,
                             'replacements!': [{'deletedRegion!': REGION, 'insertedContent': {'text!': str}}]}]}
RESULT = {'ruleId': str, 'ruleIndex': int, 'level': LEVEL, 'message!': MESSAGE, 'locations': [LOCATION],
          'relatedLocations': [LOCATION], 'fixes': [FIX]}
RULE = {'id!': str, 'shortDescription': MESSAGE, 'defaultConfiguration': {'level': LEVEL}}
LOG = {'$schema': str, 'version!': ('2.1.0',),
       'runs!': [{'tool!': {'driver!': {'name!': str, 'version': str, 'rules': [RULE]}},
                  'columnKind': ('unicodeCodePoints', 'utf16CodeUnits'),
                  'originalUriBaseIds': {'SRCROOT': {'uri': str, 'description': MESSAGE}}, 'results': [RESULT]}]}


def fail(where, what):
    sys.exit(f'{where or "the log"}: {what}')


def validate(value, form, where):
    if isinstance(form, type):
        if not isinstance(value, form) or isinstance(value, bool):
            fail(where, f'expected {form.__name__}, found {value!r}')
        if form is int and value < (0 if where.endswith(('.id', '.ruleIndex')) else 1):
            fail(where, f'{value} is too small')
    elif isinstance(form, tuple):
        if value not in form:
            fail(where, f'expected one of {form}, found {value!r}')
    elif isinstance(form, re.Pattern):
        if not isinstance(value, str) or not form.fullmatch(value):
            fail(where, f'{value!r} has the wrong form')
    elif isinstance(form, list):
        if not isinstance(value, list):
            fail(where, f'expected an array, found {value!r}')
        for index, element in enumerate(value):
            validate(element, form[0], f'{where}[{index}]')
    else:
        if not isinstance(value, dict):
            fail(where, f'expected an object, found {value!r}')
        known = {name.rstrip('!'): inner for name, inner in form.items()}
        for name in value.keys() - known.keys():
            fail(where, f'unknown property {name}')
        for name in form:
            if name.endswith('!') and name[:-1] not in value:
                fail(where, f'no property {name[:-1]}')
        for name, element in value.items():
            validate(element, known[name], f'{where}.{name}')


def main(path, count=None):
    with open(path, encoding='utf-8') as file:
        log = json.load(file)
    validate(log, LOG, '')
    run, = log['runs']
    rules = [rule['id'] for rule in run['tool']['driver']['rules']]
    if len(set(rules)) != len(rules):
        fail('rules', 'an id occurs twice')
    for result in run['results']:
        if rules[result['ruleIndex']] != result['ruleId']:
            fail('results', f'rule {result["ruleIndex"]} is {rules[result["ruleIndex"]]}, not {result["ruleId"]}')
        region = result['locations'][0]['physicalLocation']['region']
        print(f'{result["ruleId"]} {region["startLine"]}:{region["startColumn"]}')
    if count is not None and int(count) != len(run['results']):
        fail('results', f'expected {count}, found {len(run["results"])}')


main(*sys.argv[1:])
