/** The long form: `main.ts [--seconds N] [--seed N]`. Exit status 1 when the server broke a promise. */
import { parseArgs } from 'node:util';
import { run } from './run.ts';

for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);
const { problems, ...figures } = await run({
  seconds: Number(values.seconds ?? 300),
  seed,
  tell: (line) => console.log(line),
});
console.log(JSON.stringify(figures));
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? 'every promise was kept' : `${problems.length} promises were broken`);
process.exit(problems.length === 0 ? 0 : 1);
