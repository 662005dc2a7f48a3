import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { show } from '../commands/template.ts';
import { convertedTemplate } from './convert.ts';
import { expressionValue } from './expression.ts';
import { parametersOf, parameterValues, referenceProblems, withGivenValues } from './parameters.ts';
import { processTemplate } from './process.ts';

const first = (): number => 0;
const last = (limit: number): number => limit - 1;

const template = {
  spec: {
    message: 'ssh ${USER}@${NAME}',
    parameters: [
      { name: 'NAME', generate: 'expression', from: 'vm-[a-c]{3}' },
      { name: 'USER', value: 'me' },
      { name: 'CORES', value: '2' },
    ],
    virtualMachine: {
      metadata: { name: '${NAME}', namespace: 'elsewhere', labels: { '${USER}': '${USER}-${NAME}' } },
      spec: {
        runStrategy: 'Halted',
        template: { spec: { domain: { cpu: { cores: '${{CORES}}' }, devices: {} } } },
      },
    },
  },
};

test('text of chance has the length and the characters that the expression names', () => {
  assert.equal(expressionValue('0x[A-F0-9]{4}-[01]{2}', first), '0xAAAA-00');
  assert.equal(expressionValue('[\\d]{2}[x]{1}', last), '99x');
  assert.equal(expressionValue('plain', first), 'plain');
});

test('an expression that makes no sense is refused in words', () => {
  for (const [from, words] of [
    ['[z-a]{1}', /invalid range specified: z-a/],
    ['[a]{0}', /range must be within \[1-255\] characters: 0/],
    ['[a]{x}', /malformed length syntax/],
    ['[--a]{1}', /invalid start character in range: -/],
  ] as const)
    assert.throws(() => expressionValue(from, first), words);
});

test('a template becomes a machine: texts, keys, values that are no text, and no namespace of its own', () => {
  const { virtualMachine, message } = processTemplate(template, parametersOf(template), first);
  assert.deepEqual(virtualMachine, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm-aaa', labels: { me: 'me-vm-aaa' } },
    spec: {
      runStrategy: 'Halted',
      template: { spec: { domain: { cpu: { cores: 2 }, devices: {} } } },
    },
  });
  assert.equal(message, 'ssh me@vm-aaa');
});

test('a namespace that a parameter tells stays', () => {
  const own = { spec: { virtualMachine: { metadata: { namespace: '${NS}' } } } };
  const { virtualMachine } = processTemplate(own, [{ name: 'NS', value: 'mine' }], first);
  assert.deepEqual(virtualMachine, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { namespace: 'mine' },
  });
});

test('a machine with a field that machines do not have is refused', () => {
  const wrong = { spec: { virtualMachine: { spec: { runStrategi: 'Halted' } } } };
  assert.throws(() => processTemplate(wrong, [], first), /runStrategi is not a field of VirtualMachine/);
});

test('given values replace those of the template, and must be known to it', () => {
  const merged = withGivenValues(parametersOf(template), { NAME: 'web' });
  assert.equal(parameterValues(merged, first).get('NAME'), 'web');
  assert.throws(() => withGivenValues(merged, { OTHER: 'x' }), /parameter OTHER not found in template/);
});

test('what is not referred to is warned of, what is not there is an error', () => {
  const { warnings, errors } = referenceProblems(template, [{ name: 'NAME' }, { name: 'SPARE' }]);
  assert.deepEqual(warnings, ['spec.parameters[1].name: SPARE is defined but never referenced']);
  assert.deepEqual(
    errors.map((error) => error.split(': ').at(-1)),
    ['references undefined parameter CORES', 'references undefined parameter USER'],
  );
});

test('parameters have names of their own, and a value where one is required', () => {
  const values = (...parameters: Parameters<typeof parameterValues>[0]): unknown =>
    parameterValues(parameters, first);
  assert.throws(
    () => values({ name: '' }),
    /parameters\[0\]\.name: Invalid value: "": parameter name is empty/,
  );
  assert.throws(() => values({ name: 'A' }, { name: 'A' }), /parameters\[1\]\.name: Duplicate value: "A"/);
  assert.throws(() => values({ name: 'A', required: true }), /parameters\[0\]\.value: Required value/);
  assert.throws(() => values({ name: 'A', generate: 'dice' }), /unknown generator name 'dice'/);
  assert.throws(() => values({ name: 'A', generate: 'expression' }), /from cannot be empty/);
});

test("OpenShift's template of one object keeps its name, labels, parameters and message", () => {
  const openShift = {
    kind: 'Template',
    metadata: { name: 't', labels: { a: 'b' }, uid: 'u' },
    message: 'hello',
    parameters: [{ name: 'NAME', required: true, value: '' }],
    objects: [{ kind: 'VirtualMachine' }],
  };
  assert.deepEqual(convertedTemplate(openShift), {
    apiVersion: 'template.kubevirt.io/v1beta1',
    kind: 'VirtualMachineTemplate',
    metadata: { name: 't', labels: { a: 'b' } },
    spec: {
      virtualMachine: { kind: 'VirtualMachine' },
      parameters: [{ name: 'NAME', required: true }],
      message: 'hello',
    },
  });
  assert.throws(() => convertedTemplate({}), /template must contain exactly one object, found 0/);
});

test('the message of a template does not get at the terminal', () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  show({ stdout, stderr }, {}, 'hello\n\u001b]0;owned\u0007\u001b[2J\u009b1m', 'yaml');
  assert.equal(String(stderr.read()), 'hello\n ]0;owned  [2J 1m');
});
