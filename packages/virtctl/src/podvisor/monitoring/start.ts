/**
 * `podvisor up --monitoring`: Debian's Prometheus and Alertmanager beside the home, with the rules of monitoring/, each
 * as a user of its own with no privilege, on the loopback address, for who has their password. The supervisor keeps
 * them running until `podvisor down`.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import {
  componentUser,
  defaultHome,
  type InstanceConfig,
  type InstancePaths,
  instancePaths,
  readInstanceConfig,
  readPidFile,
} from '@podvisor/sys';
import { endProcess } from '../supervisor/end-process.ts';
import { bcrypt } from './bcrypt.ts';
import {
  alertmanagerConfig,
  alertmanagerPort,
  monitoringPort,
  prometheusConfig,
  ruleFile,
  SENDER,
  VIEWER,
  webConfig,
} from './plan.ts';
import { PROGRAMS, tokenFile } from './processes.ts';
import { passwordFile, untilReady } from './prometheus-api.ts';
import { readerToken } from './reader.ts';
import { RUNBOOK_PATH, runbookHtml } from './runbooks.ts';

/** `up --monitoring` makes a new one each time. */
const TOKEN_SECONDS = 366 * 86_400;
const START_MS = 30_000;

/** `root`: the checkout, for the pages of the alerts. Resolves when both answer. */
export async function startMonitoring(root: string): Promise<void> {
  for (const program of Object.values(PROGRAMS))
    if (!existsSync(program))
      throw new Error(
        `--monitoring needs ${program}: apt-get install ${basename(program)}, or start with ./podvisor, which installs it`,
      );
  const paths = instancePaths(defaultHome());
  const config = readInstanceConfig(paths.home);
  await writeFiles(root, config, paths);
  // Those that run have read other files: the supervisor starts them again.
  for (const name of Object.keys(PROGRAMS)) {
    const former = readPidFile(`${paths.run}/${name}.pid`);
    if (former !== undefined) await endProcess(former, 10_000);
  }
  const signal = AbortSignal.timeout(START_MS);
  const pages = { prometheus: monitoringPort(config), alertmanager: alertmanagerPort(config) };
  for (const name of ['prometheus', 'alertmanager'] as const)
    await untilReady(paths, config, name, signal).catch((error: unknown) => {
      throw new Error(`${name} does not answer; its log: ${paths.logs}/${name}.log`, { cause: error });
    });
  console.log(
    `Prometheus: http://127.0.0.1:${pages.prometheus}, Alertmanager: http://127.0.0.1:${pages.alertmanager} (user ${VIEWER}, password in ${passwordFile(paths)}); dashboards for Grafana: ${join(root, 'monitoring/dashboards')}`,
  );
}

async function writeFiles(root: string, config: InstanceConfig, paths: InstancePaths): Promise<void> {
  const { monitoring } = paths;
  const users = {
    prometheus: componentUser(config.name, 'prometheus'),
    alertmanager: componentUser(config.name, 'alertmanager'),
  };
  mkdirSync(monitoring, { recursive: true });
  // Each of the two finds its own files, and can list none.
  chmodSync(monitoring, 0o711);
  chownSync(monitoring, 0, 0);
  for (const [name, user] of [
    ['data', users.prometheus],
    ['alerts', users.alertmanager],
  ] as const) {
    mkdirSync(`${monitoring}/${name}`, { recursive: true });
    chmodSync(`${monitoring}/${name}`, 0o700);
    chownSync(`${monitoring}/${name}`, user, user);
  }
  const write = (name: string, text: string, user: number): void => {
    writeFileSync(`${monitoring}/${name}`, text, { mode: 0o640 });
    chownSync(`${monitoring}/${name}`, 0, user);
  };
  if (!existsSync(passwordFile(paths))) writeFileSync(passwordFile(paths), newPassword(), { mode: 0o600 });
  const viewer = await bcrypt(readFileSync(passwordFile(paths), 'utf8'));
  const sender = newPassword();
  write('sender-password', sender, users.prometheus);
  write('prometheus.yml', prometheusConfig(config, paths), users.prometheus);
  write('web.yml', webConfig({ [VIEWER]: viewer }), users.prometheus);
  write(
    'rules.yaml',
    ruleFile(`http://127.0.0.1:${monitoringPort(config)}${RUNBOOK_PATH}`),
    users.prometheus,
  );
  writeRunbooks(root, monitoring, users.prometheus);
  const both = { [VIEWER]: viewer, [SENDER]: await bcrypt(sender) };
  write('alertmanager-web.yml', webConfig(both), users.alertmanager);
  // Where alerts go is for who runs the home to say: what stands there stays.
  if (!existsSync(`${monitoring}/alertmanager.yml`))
    write('alertmanager.yml', alertmanagerConfig(), users.alertmanager);
  // Last: the supervisor starts them when it is there.
  const token = await readerToken(paths, TOKEN_SECONDS);
  write(basename(tokenFile(paths)), token, users.prometheus);
}

function writeRunbooks(root: string, monitoring: string, user: number): void {
  const [from, to] = [join(root, 'docs/runbooks'), `${monitoring}/runbooks`];
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o750);
  chownSync(to, 0, user);
  for (const file of readdirSync(from)) {
    const name = basename(file, '.md');
    writeFileSync(`${to}/${name}.html`, runbookHtml(name, readFileSync(join(from, file), 'utf8')), {
      mode: 0o640,
    });
    chownSync(`${to}/${name}.html`, 0, user);
  }
}

function newPassword(): string {
  return randomBytes(18).toString('base64url');
}
