/**
 * `podvisor test --kubevirt-suite BINARY`: KubeVirt's own functional suite, built elsewhere from its sources, against
 * a fresh home with two nodes and both families of addresses. Guests and helpers are ours (images/kubevirt-suite).
 * The last line is `N passed, N failed, N skipped`.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { command, Instance, root } from '../support/instance.ts';
import { type Spec, type SuiteReport, specsOf, totalLine } from './report.ts';
import { untilEnded } from './until-ended.ts';

const USAGE = `usage: podvisor test --kubevirt-suite BINARY [options]
  --label FILTER     Ginkgo's label filter (default without --focus: conformance)
  --focus REGEXP     only specs with this in their name; may be given more than once
  --skip REGEXP      not these; may be given more than once
  --virtctl FILE     KubeVirt's virtctl (default: the one beside BINARY, else ours)
  --timeout MINUTES  for all specs together (default: 120)
  --artifacts DIR    where log and report go (default: a new directory below /var/tmp)`;

/** Registry and tag that the suite is told; images of these names are in the home's own store. */
const PREFIX = 'podvisor.local/kubevirt';
const TAG = 'devel';
const MINUTE_MS = 60_000;
/** How long a suite that was told to end may clean up. */
const END_MS = 5 * MINUTE_MS;
const node = process.execPath;

const values = options();
const binary = values['kubevirt-suite'];
const artifacts = values.artifacts ?? mkdtempSync('/var/tmp/kubevirt-suite-');
mkdirSync(artifacts, { recursive: true });

const images = await guestImages();
const instance = await Instance.prepare();
let specs: readonly Spec[] = [];
try {
  await startHome(instance);
  await runSuite(instance, resolve(binary));
  specs = readReport();
} finally {
  await instance.purge();
}
for (const { name, verdict, seconds, why } of specs)
  console.log(
    `${verdict.padEnd(7)} ${seconds.toFixed(0).padStart(4)} s  ${name}${why === '' ? '' : `\n    ${why}`}`,
  );
console.log(`log and report: ${artifacts}`);
console.log(totalLine(specs));
process.exit(specs.length > 0 && specs.every(({ verdict }) => verdict !== 'failed') ? 0 : 1);

function options() {
  try {
    const { values } = parseArgs({
      options: {
        'kubevirt-suite': { type: 'string' },
        label: { type: 'string' },
        focus: { type: 'string', multiple: true, default: [] },
        skip: { type: 'string', multiple: true, default: [] },
        virtctl: { type: 'string' },
        timeout: { type: 'string', default: '120' },
        artifacts: { type: 'string' },
      },
    });
    const file = values['kubevirt-suite'] ?? '';
    if (!existsSync(file)) throw new Error(`there is no file ${file}`);
    return { ...values, 'kubevirt-suite': file };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}

/** Images of our guests; made once for each state of their sources. */
async function guestImages(): Promise<readonly string[]> {
  const hash = createHash('sha256');
  for (const directory of ['images/kubevirt-suite', 'images/hello/rootfs'])
    for (const entry of readdirSync(join(root, directory), { recursive: true, withFileTypes: true }).toSorted(
      (a, b) => join(a.parentPath, a.name).localeCompare(join(b.parentPath, b.name)),
    ))
      if (entry.isFile())
        hash.update(`${entry.name}\0`).update(readFileSync(join(entry.parentPath, entry.name)));
  const directory = join(root, 'build/images', `kubevirt-suite-${hash.digest('hex').slice(0, 12)}`);
  if (!existsSync(directory)) {
    console.log("building the suite's guests from Debian's packages (once, some minutes)");
    // Suites side by side build for themselves; the first that is ready is kept.
    mkdirSync(dirname(directory), { recursive: true });
    const own = mkdtempSync(`${directory}.`);
    try {
      const args = [join(root, 'images/kubevirt-suite/build.ts'), own];
      must(await command(node, args, process.env, 30 * MINUTE_MS), 'building the guests');
      if (!existsSync(directory)) renameSync(own, directory);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }
  return readdirSync(directory).map((name) => join(directory, name));
}

async function startHome(home: Instance): Promise<void> {
  const second = `fd00:${home.podCidr.split('.')[1] ?? '0'}::/64`;
  const flags = [
    '--nodes',
    '2',
    '--api-port',
    String(home.apiPort),
    '--pod-cidr',
    `${home.podCidr},${second}`,
  ];
  must(await home.podvisor(['up', ...flags]), 'up');
  for (const image of images) {
    const reference = `${PREFIX}/${basename(image)}:${TAG}`;
    must(await home.podvisor(['image', 'import', image, reference]), `image import ${reference}`);
  }
}

/** Its exit code says less than its report, which is written whatever happens but for a crash. */
async function runSuite(home: Instance, suite: string): Promise<void> {
  const beside = join(suite, '../virtctl');
  const virtctl = values.virtctl ?? (existsSync(beside) ? beside : join(root, 'bin/virtctl'));
  const { stdout: kubectl } = await command('sh', ['-c', 'command -v kubectl'], process.env);
  const label = values.label ?? (values.focus.length === 0 ? 'conformance' : '');
  const args = [
    ...['-kubeconfig', `${home.home}/kubeconfig`],
    ...['-config', join(import.meta.dirname, 'config.json')],
    ...['-container-prefix', PREFIX, '-container-tag', TAG],
    ...['-installed-namespace', 'kubevirt', '-cdi-namespace', 'kubevirt'],
    ...['-kubectl-path', kubectl.trim(), '-virtctl-path', resolve(virtctl)],
    ...['-artifacts', artifacts],
    ...['-ginkgo.json-report', join(artifacts, 'report.json')],
    ...['-ginkgo.timeout', `${values.timeout}m`, '-ginkgo.v', '-ginkgo.no-color'],
    ...(label === '' ? [] : ['-ginkgo.label-filter', label]),
    ...values.focus.flatMap((expression) => ['-ginkgo.focus', expression]),
    ...values.skip.flatMap((expression) => ['-ginkgo.skip', expression]),
  ];
  const log = createWriteStream(join(artifacts, 'suite.log'));
  console.log(`the suite runs; its words go to ${log.path}`);
  // What the suite's own reporter collects after a failure (logs of all Pods, by exec on nodes) is the home's anyway.
  const env = { ...home.env, REPORTER_MAX_FAILS: '0' };
  const child = spawn(suite, args, { cwd: artifacts, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // The suite ends first, then the home: one that went before would be the suite's last failure.
  home.leaveSignals();
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  await untilEnded(child, END_MS);
  log.end();
}

function readReport(): readonly Spec[] {
  const file = join(artifacts, 'report.json');
  if (!existsSync(file)) {
    const tail = readFileSync(join(artifacts, 'suite.log'), 'utf8').split('\n').slice(-20).join('\n');
    throw new Error(`the suite left no report:\n${tail}`);
  }
  return specsOf(JSON.parse(readFileSync(file, 'utf8')) as readonly SuiteReport[]);
}

function must({ code, stdout, stderr }: Awaited<ReturnType<typeof command>>, what: string): void {
  if (code !== 0) throw new Error(`${what}: ${(stderr || stdout).trim().split('\n').slice(-5).join('\n')}`);
}
