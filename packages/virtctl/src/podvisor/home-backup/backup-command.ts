/**
 * `podvisor backup FILE` and `restore FILE`: the state of a home (its objects, keys and settings) in one archive, with
 * the store as it was at one moment. Disks go along with `--disks`, while no VM runs. The archive holds all keys of
 * the home: only root can read it.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { KubeClient, resources } from '@podvisor/kube';
import { defaultHome, type InstancePaths, instancePaths, readPidFile, run } from '@podvisor/sys';
import { VERSION } from '../../version.ts';
import {
  type BackupLabel,
  COPIED,
  DISKS,
  isExpected,
  LABEL,
  notWritten,
  readLabel,
  restoreRefusal,
  STATE,
} from './backup-plan.ts';
import { accessibleHome } from '../home/home-access.ts';
import { strangeEntry, writeBeside } from './private-file.ts';

const TAR_MS = 12 * 3_600_000;
const TAR = ['--sparse', '--numeric-owner', '--xattrs'];

const isRunning = (paths: InstancePaths): boolean => readPidFile(`${paths.run}/supervisor.pid`) !== undefined;

export async function backupHome(file: string, flags: { readonly disks: boolean }): Promise<void> {
  const paths = instancePaths(defaultHome());
  if (accessibleHome(paths.home) === 'absent') throw new Error(`nothing is set up in ${paths.home}`);
  if (existsSync(file)) throw new Error(`${file} exists: choose another name, or remove it`);
  const directory = dirname(resolve(file));
  if (!existsSync(directory)) throw new Error(`there is no directory ${directory} for the backup`);
  if (flags.disks) await refuseRunningVms(paths);
  const startedAt = Date.now();
  const stage = mkdtempSync(join(paths.home, 'backup.'));
  try {
    mkdirSync(join(stage, 'control-plane'));
    const copy = join(stage, ...COPIED);
    await run(`${paths.lib}/node`, [
      '--no-warnings',
      `${paths.lib}/node-agent.mjs`,
      'copy-store',
      '--home',
      paths.home,
      copy,
    ]);
    const { uid, gid } = statSync(paths.store);
    await run('chown', [`${uid}:${gid}`, copy]);
    chmodSync(copy, 0o600);
    const label: BackupLabel = {
      kind: 'podvisor-home',
      version: 1,
      takenAt: new Date(startedAt).toISOString(),
      podvisor: VERSION,
      hasDisks: flags.disks,
    };
    writeFileSync(join(stage, LABEL), JSON.stringify(label));
    const parts = [...STATE, ...(flags.disks ? DISKS : [])].filter((name) =>
      existsSync(join(paths.home, name)),
    );
    const members = ['-C', stage, LABEL, ...COPIED, '-C', paths.home, ...parts];
    await writeBeside(file, (path) =>
      run('tar', [...TAR, '-czf', path, ...members], { timeoutMs: TAR_MS }).catch((cause: unknown) => {
        throw notWritten(file, cause);
      }),
    );
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  const mib = (statSync(file).size / 1048576).toFixed(1);
  console.log(
    `${file}: ${mib} MiB in ${((Date.now() - startedAt) / 1000).toFixed(1)} s, with all keys of the home: keep it as safe as the home.`,
  );
  if (!flags.disks)
    console.log('Disks are not in it: --disks while no VM runs, or docs/backup.md for running VMs.');
}

/** A disk that is written to while it is copied is no disk. */
async function refuseRunningVms(paths: InstancePaths): Promise<void> {
  if (!isRunning(paths)) return;
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const { items } = await client.list(resources.virtualMachineInstances, {}, AbortSignal.timeout(10_000));
  const names = items.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);
  if (names.length > 0)
    throw new Error(
      `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''} would write while their disks are copied: stop them (virtctl stop, or podvisor down), or leave --disks out`,
    );
}

export async function restoreHome(file: string, flags: { readonly replace: boolean }): Promise<void> {
  const paths = instancePaths(defaultHome());
  const isThere = accessibleHome(paths.home) !== 'absent' && existsSync(paths.config);
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const refusal = restoreRefusal(
    { isRunning: isRunning(paths), isThere, replace: flags.replace },
    paths.home,
  );
  if (refusal !== undefined) throw new Error(refusal);
  const { stdout } = await run('tar', ['-tzf', file], { timeoutMs: TAR_MS }).catch((cause: unknown) => {
    throw new Error(`${file} is no backup of a home: it cannot be unpacked`, { cause });
  });
  const strange = stdout.split('\n').find((name) => name !== '' && !isExpected(name));
  if (strange !== undefined) throw new Error(`${file} is no backup of a home: it holds ${strange}`);
  mkdirSync(dirname(paths.home), { recursive: true });
  const stage = mkdtempSync(`${paths.home}.restore.`);
  try {
    await run('tar', [...TAR, '-xzpf', file, '-C', stage], { timeoutMs: TAR_MS });
    const link = strangeEntry(stage);
    if (link !== undefined)
      throw new Error(`${file} is no backup of a home: ${link} is neither a file nor a directory`);
    const label = readLabel(readFileSync(join(stage, LABEL), 'utf8'));
    rmSync(join(stage, LABEL));
    const kept = isThere ? setAside(paths, label) : undefined;
    mkdirSync(paths.home, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(stage)) put(join(stage, name), join(paths.home, name));
    console.log(
      `${paths.home} has the state of ${label.takenAt}${label.hasDisks ? ', with disks' : ''}. Start it with: podvisor up`,
    );
    if (kept !== undefined) console.log(`What was there before is in ${kept}.`);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Moves what will be replaced; disks stay where they are unless the backup brings its own. */
function setAside({ home }: InstancePaths, { hasDisks, takenAt }: BackupLabel): string {
  const kept = mkdtempSync(join(home, `before-restore-${takenAt.slice(0, 10)}.`));
  for (const name of [...STATE, 'control-plane', ...(hasDisks ? DISKS : [])])
    if (existsSync(join(home, name))) renameSync(join(home, name), join(kept, name));
  return kept;
}

/** Into its place; a folder that is there is filled. */
function put(from: string, to: string): void {
  if (existsSync(to) && lstatSync(from).isDirectory())
    for (const name of readdirSync(from)) put(join(from, name), join(to, name));
  else renameSync(from, to);
}
