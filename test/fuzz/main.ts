/** `./podvisor fuzz [NAME …] [--inputs N] [--seed S] [--seconds S] [--list]`: the long form of the fuzzing ring. */
import { parseArgs } from 'node:util';
import { casesOf, keepCase } from './frame/cases.ts';
import { runTarget } from './frame/run.ts';
import { inputsFor, targets } from './targets/index.ts';

const USAGE = `Feeds hostile input to the parsers and keeps what breaks one (docs/fuzzing.md).

Usage: podvisor fuzz [NAME …] [--inputs N] [--seed S] [--seconds S]

  NAME         parsers; all without one. --list names them
  --inputs N   inputs of each (1000000)
  --seed S     where the random numbers begin (the time)
  --seconds S  longest time for each (no limit)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string' },
    seconds: { type: 'string', default: 'Infinity' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const known = Object.keys(targets);
const names = positionals.length === 0 ? known : positionals;
const strange = names.filter((name) => !known.includes(name));
const numbers = {
  inputs: Number(values.inputs),
  seconds: Number(values.seconds),
  seed: Number(values.seed ?? Date.now() % 2 ** 31),
};

if (values.help) console.log(USAGE);
else if (values.list) console.log(known.join('\n'));
else if (strange.length > 0 || Object.values(numbers).some(Number.isNaN)) {
  console.error(strange.length > 0 ? `there is no parser ${strange.join(', ')}; --list names them` : USAGE);
  process.exitCode = 2;
} else {
  const cut = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => cut.abort());
  for (const target of names) if (!cut.signal.aborted) await one(target, cut.signal);
}

async function one(target: string, signal: AbortSignal): Promise<void> {
  const again = await runTarget({ target, ...numbers, replay: casesOf(target).map(({ input }) => input) });
  const { inputs, kept, functions, growthBytes, found, tookMs } = await runTarget({
    target,
    ...numbers,
    inputs: inputsFor(target, numbers.inputs),
    signal,
  });
  const seconds = (tookMs / 1000).toFixed(0);
  console.log(
    `${target}: ${inputs} inputs in ${seconds} s, seed ${numbers.seed}, ${kept} kept, ${functions} functions, ${growthBytes} bytes more, ${found.length} faults`,
  );
  for (const { fault, input } of [...again.found, ...found]) {
    process.exitCode = 1;
    const path = input.length === 0 ? '' : `\n  kept in ${keepCase(target, input)}`;
    console.log(`  ${fault.kind}: ${fault.words}${path}\n${fault.stack ?? ''}`);
  }
}
