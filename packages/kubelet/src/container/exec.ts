/** A further process inside a running container, with the rights of the container's own. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type InteractiveProcess, runcExec, runcExecTerminal } from '@podvisor/sys';
import type { KubeletContext } from '../context.ts';
import { bundleOf } from '../pod/records.ts';
import type { ContainerRecord } from '../pod/types.ts';
import type { OciProcess, OciSpec } from './oci-types.ts';

export interface ExecRequest {
  readonly command: readonly string[];
  readonly terminal: boolean;
}

/** Starts the process; its streams are the caller's. */
export async function execInContainer(
  context: KubeletContext,
  record: ContainerRecord,
  { command, terminal }: ExecRequest,
  signal?: AbortSignal,
): Promise<InteractiveProcess> {
  const bundle = bundleOf(context, record);
  const spec = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')) as OciSpec;
  const { oomScoreAdj: _, ...inherited } = spec.process;
  const process: OciProcess = {
    ...inherited,
    args: command,
    terminal,
    env:
      terminal && !inherited.env.some((line) => line.startsWith('TERM='))
        ? [...inherited.env, 'TERM=xterm']
        : inherited.env,
  };
  const file = join(bundle, `exec-${randomBytes(8).toString('hex')}.json`);
  await writeFile(file, JSON.stringify(process), { mode: 0o600 });
  const start = terminal ? runcExecTerminal : runcExec;
  const started = await start(context.runcRoot, record.id, file, signal);
  void started.exited.then(() => rm(file, { force: true }));
  return started;
}

export interface ExecResult {
  readonly code: number;
  /** The first kilobytes of both outputs. */
  readonly output: string;
}

const OUTPUT_LIMIT = 10 * 1024;

/** Runs a command to its end, for probes and hooks. Aborting kills it and gives code 137. */
export async function execToEnd(
  context: KubeletContext,
  record: ContainerRecord,
  command: readonly string[],
  signal?: AbortSignal,
): Promise<ExecResult> {
  const process = await execInContainer(context, record, { command, terminal: false }, signal);
  process.stdin.end();
  let output = '';
  const keep = (chunk: Buffer): void => {
    if (output.length < OUTPUT_LIMIT) output += chunk.toString('utf8');
  };
  process.stdout.on('data', keep);
  process.stderr.on('data', keep);
  return { code: await process.exited, output: output.slice(0, OUTPUT_LIMIT) };
}
