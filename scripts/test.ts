/**
 * Runs the tests: `test.ts [AREA …]`. An area is a package, `static`, `unit`, `conformance`, `machine`, `e2e`, `faults`,
 * `network`, `storage` or `migration`; without one, all. Unit tests run first and side by side, those that
 * need the machine one after the other. The last line is `N passed, N failed, N skipped`.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import pc from 'picocolors';

const root = join(import.meta.dirname, '..');

interface Ring {
  readonly name: string;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly owns: (file: string) => boolean;
}

const isSystem = (file: string): boolean => /^test\/(e2e|faults)\//.test(file);
const isConformance = (file: string): boolean => /(^test|\/src)\/(.*\/)?conformance\//.test(file);
const isMachine = (file: string): boolean => file.endsWith('.machine.test.ts');

const RINGS: readonly Ring[] = [
  { name: 'static', concurrency: 1, timeoutMs: 300_000, owns: (f) => f.startsWith('test/static/') },
  {
    name: 'unit',
    concurrency: 2,
    timeoutMs: 300_000,
    owns: (f) => !isMachine(f) && !isSystem(f) && !isConformance(f) && !f.startsWith('test/static/'),
  },
  { name: 'conformance', concurrency: 2, timeoutMs: 900_000, owns: isConformance },
  { name: 'machine', concurrency: 1, timeoutMs: 600_000, owns: isMachine },
  { name: 'e2e', concurrency: 1, timeoutMs: 900_000, owns: (f) => f.startsWith('test/e2e/') },
  { name: 'faults', concurrency: 1, timeoutMs: 900_000, owns: (f) => f.startsWith('test/faults/') },
];

const areas = process.argv.slice(2);
const files = testFiles().filter((file) => areas.length === 0 || areas.some((area) => isIn(area, file)));
if (files.length === 0) {
  console.error(
    `no tests in area ${areas.join(', ')}; areas: ${RINGS.map((r) => r.name).join(', ')}, or a package`,
  );
  process.exit(2);
}
const total = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
/** Milliseconds spent in tests, by file. */
const spent = new Map<string, number>();
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
for (const ring of RINGS) {
  const own = files.filter(ring.owns);
  if (own.length > 0 && !stop.signal.aborted) await runRing(ring, own);
}
if (failures.length > 0) console.log(`\n${pc.red('Failed:')}\n${failures.join('\n')}\n`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 && !stop.signal.aborted ? 0 : 1);

function testFiles(): string[] {
  return ['packages', 'test', 'scripts', 'bench']
    .filter((dir) => existsSync(join(root, dir)))
    .flatMap((dir) => readdirSync(join(root, dir), { recursive: true, withFileTypes: true }))
    .filter(
      (entry) =>
        entry.isFile() && entry.name.endsWith('.test.ts') && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** An area is a ring, a package, or a word that a system test carries in its path. */
function isIn(area: string, file: string): boolean {
  const ring = RINGS.find((r) => r.name === area);
  if (ring !== undefined) return ring.owns(file);
  return file.startsWith(`packages/${area}/`) || (isSystem(file) && file.includes(area));
}

async function runRing(ring: Ring, own: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  const before = { ...total };
  const stream = run({
    files: own.map((file) => join(root, file)),
    concurrency: ring.concurrency,
    timeout: ring.timeoutMs,
    signal: stop.signal,
    cwd: root,
  });
  const files = new Set(own.map((file) => join(root, file)));
  // A file is reported as a test of its own; only what is inside it counts, unless the file itself broke.
  stream.on('test:pass', (event) => {
    if (event.file !== undefined && event.nesting === 0 && !files.has(event.name))
      spent.set(event.file, (spent.get(event.file) ?? 0) + event.details.duration_ms);
    if (event.details.type === 'suite' || files.has(event.name)) return;
    if (event.skip !== undefined) {
      total.skipped += 1;
      if (typeof event.skip === 'string') console.log(pc.dim(`skipped: ${event.name}: ${event.skip}`));
    } else total.passed += 1;
    if (ring.name !== 'unit')
      console.log(
        `${pc.green('ok')}  ${event.name} ${pc.dim(`(${(event.details.duration_ms / 1000).toFixed(1)} s)`)}`,
      );
  });
  stream.on('test:fail', (event) => {
    if (event.details.type === 'suite') return;
    total.failed += 1;
    const where = event.file === undefined ? event.name : `${relative(root, event.file)}: ${event.name}`;
    failures.push(`  ${where}`);
    const error = event.details.error;
    const cause: unknown = error.cause ?? error;
    console.log(
      `${pc.red('FAIL')} ${where}\n${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`,
    );
  });
  stream.on('test:stderr', (event) => ring.name === 'unit' || process.stderr.write(pc.dim(event.message)));
  for await (const _ of stream);
  const took = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    pc.dim(
      `${ring.name}: ${total.passed - before.passed} passed, ${total.failed - before.failed} failed in ${took} s`,
    ),
  );
  for (const [file, ms] of [...spent].toSorted((a, b) => b[1] - a[1]).slice(0, 5))
    if (ms > 5_000) console.log(pc.dim(`  slow: ${relative(root, file)} ${(ms / 1000).toFixed(0)} s`));
  spent.clear();
}
