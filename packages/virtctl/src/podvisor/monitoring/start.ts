/**
 * `podvisor up --monitoring`: Debian's Prometheus beside the home, with the rules of monitoring/, as a user of its own
 * with no privilege, on the loopback address, for who has its password. It runs until `podvisor down`.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  componentUser,
  defaultHome,
  type InstanceConfig,
  type InstancePaths,
  instancePaths,
  readInstanceConfig,
  readPidFile,
  startProcess,
  writePidFile,
} from '@podvisor/sys';
import { unprivileged } from '../confinements.ts';
import { endProcess } from '../end-process.ts';
import { bcrypt } from './bcrypt.ts';
import { monitoringPort, prometheusArgs, prometheusConfig, ruleFile, VIEWER, webConfig } from './plan.ts';
import { passwordFile, prometheusApi } from './prometheus-api.ts';
import { readerToken } from './reader.ts';

const PROMETHEUS = '/usr/bin/prometheus';
/** `up --monitoring` makes a new one each time. */
const TOKEN_SECONDS = 366 * 86_400;
const START_MS = 30_000;

/** `root`: the checkout, for the pages of the alerts. Resolves when Prometheus answers. */
export async function startMonitoring(root: string): Promise<void> {
  if (!existsSync(PROMETHEUS))
    throw new Error(
      `--monitoring needs ${PROMETHEUS}: apt-get install prometheus, or start with ./podvisor, which installs it`,
    );
  const paths = instancePaths(defaultHome());
  const config = readInstanceConfig(paths.home);
  const pidFile = `${paths.run}/prometheus.pid`;
  const former = readPidFile(pidFile);
  if (former !== undefined) await endProcess(former, 10_000);
  await writeFiles(root, config, paths);
  const child = await startProcess(
    `${paths.lib}/node`,
    [
      `${paths.lib}/component-exec.mjs`,
      JSON.stringify(unprivileged('prometheus', config, paths)),
      PROMETHEUS,
      ...prometheusArgs(config, paths),
    ],
    { detached: true, logFile: `${paths.logs}/prometheus.log`, cwd: '/' },
  );
  writePidFile(pidFile, child.pid);
  const ended = child.exited.then(() => {
    throw new Error(`Prometheus ended at once; its log: ${paths.logs}/prometheus.log`);
  });
  await Promise.race([prometheusApi(paths, config).ready(AbortSignal.timeout(START_MS)), ended]);
  console.log(
    `Prometheus: http://127.0.0.1:${monitoringPort(config)} (user ${VIEWER}, password in ${passwordFile(paths)}); dashboards for Grafana: ${join(root, 'monitoring/dashboards')}`,
  );
}

async function writeFiles(root: string, config: InstanceConfig, paths: InstancePaths): Promise<void> {
  const user = componentUser(config.name, 'prometheus');
  const data = `${paths.monitoring}/data`;
  mkdirSync(data, { recursive: true });
  chmodSync(paths.monitoring, 0o750);
  chownSync(paths.monitoring, 0, user);
  chmodSync(data, 0o700);
  chownSync(data, user, user);
  if (!existsSync(passwordFile(paths)))
    writeFileSync(passwordFile(paths), randomBytes(18).toString('base64url'), { mode: 0o600 });
  const files = {
    'prometheus.yml': prometheusConfig(config, paths),
    'rules.yaml': ruleFile(`file://${join(root, 'docs/runbooks')}`),
    'web.yml': webConfig(await bcrypt(readFileSync(passwordFile(paths), 'utf8'))),
    token: await readerToken(paths, TOKEN_SECONDS),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = `${paths.monitoring}/${name}`;
    writeFileSync(path, text, { mode: 0o640 });
    chownSync(path, 0, user);
  }
}
