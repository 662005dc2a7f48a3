import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkExpression, checkingEnvironment, functionNames } from './cel.ts';
import { celProblem } from './cel-problem.ts';

const environment = checkingEnvironment()
  .registerType('Object1', { fields: { count: 'int', name: 'string' } })
  .registerVariable('self', 'Object1')
  .registerVariable('text', 'string')
  .registerVariable('items', 'list<string>')
  .registerVariable('entries', 'map<string, int>');

function problem(expression: string): string | undefined {
  const { valid, error } = checkExpression(environment, expression).result;
  return valid ? undefined : celProblem(error, expression, functionNames);
}

/** With the place: the line below the expression points at it. */
const refused: readonly [expression: string, place: string, message: string][] = [
  ['who == 1', '1:1', "undeclared reference to 'who' (in container '')"],
  ['who(text)', '1:4', "undeclared reference to 'who' (in container '')"],
  ['text.who()', '1:9', "undeclared reference to 'who' (in container '')"],
  ['self.missing == 1', '1:5', "undefined field 'missing'"],
  ['text.a == 1', '1:5', "type 'string' does not support field selection"],
  ['items["a"] == ""', '1:6', "found no matching overload for '_[_]' applied to '(list(string), string)'"],
  ['self.count == self.name', '1:12', "found no matching overload for '_==_' applied to '(int, string)'"],
  ['text + 1 == ""', '1:6', "found no matching overload for '_+_' applied to '(string, int)'"],
  ['text.size() > "a"', '1:13', "found no matching overload for '_>_' applied to '(int, string)'"],
  ['true && text', '1:6', "found no matching overload for '_&&_' applied to '(bool, string)'"],
  ['!text', '1:1', "found no matching overload for '!_' applied to '(string)'"],
  ['text in [1]', '1:6', "found no matching overload for '@in' applied to '(string, list(int))'"],
  ['true ? 1 : "a"', '1:6', "found no matching overload for '_?_:_' applied to '(bool, int, string)'"],
  ['text.startsWith(1)', '1:16', "found no matching overload for 'startsWith' applied to 'string.(int)'"],
  ['size(1) == 1', '1:5', "found no matching overload for 'size' applied to '(int)'"],
  [
    'entries.exists(k, entries[k] > "a")',
    '1:30',
    "found no matching overload for '_>_' applied to '(int, string)'",
  ],
  ['ip(text).family() == "4"', '1:19', "found no matching overload for '_==_' applied to '(int, string)'"],
  [
    'text.all(x, true)',
    '1:1',
    "expression of type 'string' cannot be range of a comprehension (must be list, map, or dynamic)",
  ],
  ['true &&\n  text', '1:6', "found no matching overload for '_&&_' applied to '(bool, string)'"],
];

for (const [expression, place, message] of refused)
  test(`CEL that does not fit its types: ${expression}`, () => {
    assert.equal(problem(expression)?.split('\n')[0], `ERROR: <input>:${place}: ${message}`);
  });

const OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** As the parser of cel-go words it. */
const unreadable: readonly [expression: string, place: string, message: string][] = [
  ['text ==', '1:8', `mismatched input '<EOF>' expecting ${OPERAND}`],
  ['text == // why', '1:15', `mismatched input '<EOF>' expecting ${OPERAND}`],
  ['', '1:1', `mismatched input '<EOF>' expecting ${OPERAND}`],
  ['f(', '1:3', `mismatched input '<EOF>' expecting ${OPERAND.replace("'(', ", "'(', ')', ")}`],
  ['f(1,', '1:5', `mismatched input '<EOF>' expecting ${OPERAND}`],
  ['* 1', '1:1', `extraneous input '*' expecting ${OPERAND}`],
  [')', '1:1', `mismatched input ')' expecting ${OPERAND}`],
  ['text items', '1:6', "extraneous input 'items' expecting <EOF>"],
  ['text!!! items', '1:5', "mismatched input '!' expecting <EOF>"],
  ['(text', '1:6', "missing ')' at '<EOF>'"],
  ['text = 1', '1:6', "token recognition error at: '= '"],
  ['text @ 1', '1:6', "token recognition error at: '@'"],
];

for (const [expression, place, message] of unreadable)
  test(`CEL that cannot be read: ${expression}`, () => {
    assert.equal(problem(expression)?.split('\n')[0], `ERROR: <input>:${place}: Syntax error: ${message}`);
  });

test('the line below points at the place', () => {
  assert.equal(
    problem('true &&\n  text.who()'),
    "ERROR: <input>:2:11: undeclared reference to 'who' (in container '')\n |   text.who()\n | ..........^",
  );
});

test('functions of extensions that are not ours are not judged', () => {
  assert.equal(problem('math.greatest(1, 2) == 2'), undefined);
  assert.match(problem('math == 1') ?? '', /undeclared reference to 'math'/);
});
