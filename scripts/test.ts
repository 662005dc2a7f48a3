/**
 * Runs the tests: `test.ts [--cluster KUBECONFIG] [AREA …]`. An area is a package, `static`, `unit`, `fuzz`, `conformance`, `machine`, `e2e`,
 * `faults`, `network`, `storage` or `migration`; without one, all. Unit tests run first and side by side; tests of the
 * machine, end-to-end tests and faults by two, those that need its time alone. A file that fails on a real machine (QEMU, namespaces, time-outs under
 * load) is run once more, alone: what passes then is counted as passed, and told as flaky with its name in the last
 * lines. A file that was flaky three runs in a row (flaky-history.ts) fails. With `--cluster` the end-to-end tests that
 * any home can run are run there (foreign-run.ts), and the others are named. After a whole run the rights of components
 * are compared with what they asked for (unused-rights.ts). The last line is
 * `N passed, N failed, N skipped`.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import pc from 'picocolors';
import { prepareCluster, readTest, splitFiles, wordsOf } from './foreign-run.ts';
import { nextHistory, readHistory, tooFlaky, writeHistory } from './flaky-history.ts';
import { batchesOf, writeBatches } from './test-batches.ts';
import { LIMIT_VARIABLE, LIMIT_WORDS } from './test-limit.ts';

const root = join(import.meta.dirname, '..');

interface Ring {
  readonly name: string;
  readonly concurrency: number;
  /** For one test, and for one program of tests. */
  readonly timeoutMs: number;
  /** Whether a file that failed gets a second chance. */
  readonly secondTry: boolean;
  /** Whether files of a package share a process (test-batches.ts). */
  readonly batches?: boolean;
  /** Its tests start what is built: that is done before, once, where two of them would build into each other. */
  readonly usesPrograms?: boolean;
  readonly owns: (file: string) => boolean;
  /** Files of it that run alone, after the others: what they prove depends on time. */
  readonly alone?: (file: string) => boolean;
}

const isSystem = (file: string): boolean => /^test\/(e2e|faults)\//.test(file);
const isFuzz = (file: string): boolean => file.startsWith('test/fuzz/');
const isConformance = (file: string): boolean => /(^test|\/src)\/(.*\/)?conformance\//.test(file);
const isMachine = (file: string): boolean => file.endsWith('.machine.test.ts');
/** Checks of what is written down, by the tools that read it; promtool takes its time with rules. */
const isStatic = (file: string): boolean => /^(test\/static|scripts\/monitoring)\//.test(file);

const RINGS: readonly Ring[] = [
  {
    name: 'static',
    concurrency: 1,
    timeoutMs: 300_000,
    secondTry: false,
    owns: isStatic,
  },
  {
    name: 'unit',
    concurrency: 2,
    timeoutMs: 300_000,
    secondTry: false,
    batches: true,
    owns: (f) => !isMachine(f) && !isSystem(f) && !isFuzz(f) && !isConformance(f) && !isStatic(f),
  },
  { name: 'fuzz', concurrency: 1, timeoutMs: 600_000, secondTry: false, owns: isFuzz },
  { name: 'conformance', concurrency: 2, timeoutMs: 900_000, secondTry: false, owns: isConformance },
  {
    name: 'machine',
    // Each file has names and addresses of its own; guests and programs that start are waited for half of the time.
    concurrency: 2,
    timeoutMs: 600_000,
    secondTry: true,
    usesPrograms: true,
    owns: isMachine,
  },
  {
    name: 'e2e',
    // Each file has a home of its own, and half of its time it waits for guests.
    concurrency: 2,
    timeoutMs: 900_000,
    secondTry: true,
    usesPrograms: true,
    owns: (f) => f.startsWith('test/e2e/'),
  },
  {
    name: 'faults',
    // As e2e: a home for each file. Half of the time they wait for what they broke to come back.
    concurrency: 2,
    alone: (f) => f.endsWith('/stand-still.test.ts'),
    timeoutMs: 900_000,
    secondTry: true,
    usesPrograms: true,
    owns: (f) => f.startsWith('test/faults/'),
  },
];

interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  /** A line for each test that failed. */
  readonly failures: string[];
}

const { areas, kubeconfig } = wordsOf(process.argv.slice(2));
const inAreas = testFiles().filter((file) => areas.length === 0 || areas.some((area) => isIn(area, file)));
const files = kubeconfig === undefined ? inAreas : await filesFor(kubeconfig, inAreas);
if (files.length === 0) {
  console.error(
    `no tests in area ${areas.join(', ')}; areas: ${RINGS.map((r) => r.name).join(', ')}, or a package`,
  );
  process.exit(2);
}
/** Everything runs, in homes of its own. */
const isWhole = areas.length === 0 && kubeconfig === undefined;
// What homes of runs before have noted (record-rights.ts).
if (isWhole) rmSync(join(root, 'build/rbac-recording'), { recursive: true, force: true });
const total: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [] };
/** Tests that passed on the second try only, by file. */
const flaky = new Map<string, readonly string[]>();
const HISTORY = join(root, 'build/flaky.json');
/** Where tests make their files: it goes with the run, however that ends. Short, because sockets lie in it, too. */
const scratch = mkdtempSync(join(tmpdir(), 't-'));
chmodSync(scratch, 0o1777);
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
/** A whole run ends within the hour, whatever hangs, and tells what it has seen. */
const WHOLE_RUN_MS = 57 * 60_000;
if (isWhole)
  setTimeout(() => {
    total.failed += 1;
    total.failures.push(`  the whole run took more than ${WHOLE_RUN_MS / 60_000} minutes and was stopped`);
    stop.abort();
  }, WHOLE_RUN_MS).unref();
for (const ring of RINGS) {
  const own = files.filter(ring.owns);
  if (own.length === 0 || stop.signal.aborted) continue;
  if (ring.usesPrograms === true) buildPrograms();
  await runRing(ring, own);
}
if (!stop.signal.aborted) judgeFlaky();
if (isWhole && !stop.signal.aborted) await judgeRecordedRights();
if (total.failures.length > 0) console.log(`\n${pc.red('Failed:')}\n${total.failures.join('\n')}\n`);
const flakyTests = [...flaky.values()].flat();
if (flakyTests.length > 0)
  console.log(
    `${pc.yellow(`${flakyTests.length} flaky, passed on the second try:`)}\n${flakyTests.join('\n')}`,
  );
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 && !stop.signal.aborted ? 0 : 1);

async function filesFor(cluster: string, among: readonly string[]): Promise<readonly string[]> {
  const { onCluster, embedded } = splitFiles(among, readTest(root));
  console.log(`cluster: ${await prepareCluster(cluster)}`);
  for (const file of embedded) console.log(pc.dim(`not run, needs the embedded home: ${file}`));
  return onCluster;
}

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

function buildPrograms(): void {
  const words = [join(root, 'scripts/build.ts'), '--if-stale'];
  const { status } = spawnSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status === 0) return;
  total.failed += 1;
  total.failures.push('  the programs cannot be built: node scripts/build.ts');
}

/** An area is a ring, a package, or a word that a system test carries in its path. */
function isIn(area: string, file: string): boolean {
  const ring = RINGS.find((r) => r.name === area);
  if (ring !== undefined) return ring.owns(file);
  return file.startsWith(`packages/${area}/`) || (isSystem(file) && file.includes(area));
}

/** Counts flaky files with those of the runs before; too often is a failure. */
function judgeFlaky(): void {
  const retried = files.filter((file) => RINGS.some((ring) => ring.secondTry && ring.owns(file)));
  if (retried.length === 0) return;
  const history = nextHistory(readHistory(HISTORY), retried, new Set(flaky.keys()));
  writeHistory(HISTORY, history);
  for (const [file, runs] of tooFlaky(history, retried)) {
    total.failed += 1;
    total.failures.push(`  ${file}: flaky ${runs} runs in a row (build/flaky.json)`);
  }
}

/** Rights of components that nothing used, or that nobody granted (unused-rights.ts). */
async function judgeRecordedRights(): Promise<void> {
  // Not before: it loads what the components are made of.
  const { judgeRights } = await import('./unused-rights.ts');
  const { failures, hints } = judgeRights(total.failed === 0);
  for (const hint of hints) console.log(pc.yellow(hint));
  total.failed += failures.length;
  total.failures.push(...failures.map((failure) => `  ${failure}`));
}

async function runRing(ring: Ring, own: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  const isAlone = (file: string): boolean => ring.alone?.(file) === true;
  const { outcomes, spentMs } = await runFiles(
    ring,
    own.filter((file) => !isAlone(file)),
  );
  for (const file of own.filter(isAlone)) {
    if (stop.signal.aborted) break;
    const alone = await runFiles(ring, [file]);
    for (const [name, outcome] of alone.outcomes) outcomes.set(name, outcome);
    for (const [name, ms] of alone.spentMs) spentMs.set(name, ms);
  }
  for (const [file, first] of outcomes) {
    let outcome = first;
    if (first.failed > 0 && ring.secondTry && !stop.signal.aborted) {
      console.log(pc.yellow(`once more: ${file}`));
      const again = (await runFiles(ring, [file])).outcomes.get(file) ?? first;
      if (again.failed === 0) flaky.set(file, first.failures);
      outcome = again;
    }
    outcomes.set(file, outcome);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    total.skipped += outcome.skipped;
    total.failures.push(...outcome.failures);
  }
  const sum = (of: 'passed' | 'failed'): number => [...outcomes.values()].reduce((n, o) => n + o[of], 0);
  const took = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(pc.dim(`${ring.name}: ${sum('passed')} passed, ${sum('failed')} failed in ${took} s`));
  for (const [file, ms] of [...spentMs].toSorted((a, b) => b[1] - a[1]).slice(0, 5))
    if (ms > 5_000) console.log(pc.dim(`  slow: ${file} ${(ms / 1000).toFixed(0)} s`));
}

/** Runs files as tests of a ring; what came of each, by file. */
async function runFiles(
  ring: Ring,
  own: readonly string[],
): Promise<{ readonly outcomes: Map<string, Outcome>; readonly spentMs: Map<string, number> }> {
  const outcomes = new Map<string, Outcome>();
  const spentMs = new Map<string, number>();
  const outcomeOf = (file: string): Outcome => {
    const outcome = outcomes.get(file) ?? { passed: 0, failed: 0, skipped: 0, failures: [] };
    outcomes.set(file, outcome);
    return outcome;
  };
  if (own.length === 0) return { outcomes, spentMs };
  const programs = programsOf(ring, own);
  const stream = run({
    files: [...programs.keys()],
    concurrency: ring.concurrency,
    timeout: ring.timeoutMs,
    signal: stop.signal,
    cwd: root,
    execArgv: ['--import', join(root, 'scripts/test-limit.ts')],
    env: { ...process.env, TMPDIR: scratch, [LIMIT_VARIABLE]: String(ring.timeoutMs) },
  });
  // A program is reported as a test of its own; only what is inside it counts, unless the program itself broke.
  const fileOf = (event: { readonly file?: string; readonly name: string }): string =>
    relative(root, event.file ?? event.name);
  stream.on('test:pass', (event) => {
    const file = fileOf(event);
    if (programs.has(event.name)) return;
    if (event.nesting === (ring.batches === true ? 1 : 0))
      spentMs.set(file, (spentMs.get(file) ?? 0) + event.details.duration_ms);
    if (event.details.type === 'suite') return;
    if (event.skip !== undefined) {
      outcomeOf(file).skipped += 1;
      if (typeof event.skip === 'string') console.log(pc.dim(`skipped: ${event.name}: ${event.skip}`));
      return;
    }
    outcomeOf(file).passed += 1;
    if (ring.name !== 'unit')
      console.log(
        `${pc.green('ok')}  ${event.name} ${pc.dim(`(${(event.details.duration_ms / 1000).toFixed(1)} s)`)}`,
      );
  });
  stream.on('test:fail', (event) => {
    const file = fileOf(event);
    if (event.details.type === 'suite') {
      // Its tests are counted; only why none of them ran is told nowhere else.
      const { failureType, cause } = event.details.error as Error & { readonly failureType?: string };
      if (failureType === 'hookFailed')
        console.log(`${pc.red('hook failed')} ${file}: ${event.name}\n${messageOfCause(cause)}`);
      return;
    }
    const where = programs.has(event.name)
      ? (programs.get(event.name) ?? []).join(', ')
      : `${file}: ${event.name}`;
    const outcome = outcomeOf(file);
    outcome.failed += 1;
    outcome.failures.push(`  ${where}`);
    const error = event.details.error as Error & ProgramEnd;
    const cause: unknown = error.cause ?? error;
    console.log(`${pc.red('FAIL')} ${where}\n${messageOfCause(cause)}${endOf(error)}`);
  });
  stream.on('test:stderr', ({ message }) => {
    if (ring.name !== 'unit' || message.startsWith(LIMIT_WORDS)) process.stderr.write(pc.dim(message));
  });
  for await (const _ of stream);
  return { outcomes, spentMs };
}

/** The programs that run these files as tests, with the files that each runs: themselves, or batches of them. */
function programsOf(ring: Ring, own: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return ring.batches === true
    ? writeBatches(root, join(root, 'build/test-batches'), batchesOf(own))
    : new Map(own.map((file) => [join(root, file), [file]]));
}

/** How a program of tests ended that failed as a whole. */
interface ProgramEnd {
  readonly exitCode?: number | null;
  readonly signal?: string | null;
}

function endOf({ exitCode, signal }: ProgramEnd): string {
  if (typeof signal === 'string') return ` (ended by ${signal})`;
  return typeof exitCode === 'number' ? ` (exit code ${exitCode})` : '';
}

function messageOfCause(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
