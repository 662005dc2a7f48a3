/** Starts tools that read bytes of strangers: limited in memory, time and size, without network or privileges. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../processes/process.ts';
import { ToolError } from '../processes/run.ts';

export interface ConfinementLimits {
  /** Largest file that may be written. */
  readonly fileSizeBytes: number;
  readonly processorSeconds: number;
  readonly addressSpaceBytes: number;
}

export interface ConfinedOptions {
  readonly limits?: Partial<ConfinementLimits>;
  /** Milliseconds until the tool is ended. Default 30 s. */
  readonly timeoutMs?: number;
  /** Hears what the tool prints, as it prints it. */
  onOutput?(text: string): void;
}

const DEFAULTS: ConfinementLimits = {
  fileSizeBytes: 0,
  processorSeconds: 60,
  addressSpaceBytes: 2 * 1024 ** 3,
};
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Runs `tool` (a path) to its end and gives what it printed. Throws ToolError. */
export async function runConfined(
  tool: string,
  args: readonly string[],
  { limits, timeoutMs = 30_000, onOutput }: ConfinedOptions = {},
  signal?: AbortSignal,
): Promise<string> {
  signal?.throwIfAborted();
  const all = JSON.stringify({ ...DEFAULTS, ...limits });
  const started = await startProcess(process.execPath, [program(), all, tool, ...args], { pipe: true });
  let out = '';
  let err = '';
  let failure: ToolError | undefined;
  const give = (error: ToolError): void => {
    failure ??= error;
    started.kill('SIGKILL');
  };
  const timer = setTimeout(
    () => give(new ToolError('timeout', tool, `${tool} did not end within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const end = (): void => started.kill('SIGKILL');
  signal?.addEventListener('abort', end, { once: true });
  started.child.stdout?.on('data', (chunk: Buffer) => {
    // Progress is told in one long line: only its end is of interest.
    out = `${out}${chunk.toString('utf8')}`.slice(-MAX_OUTPUT_BYTES);
    onOutput?.(chunk.toString('utf8'));
  });
  started.child.stderr?.on('data', (chunk: Buffer) => {
    err = `${err}${chunk.toString('utf8')}`.slice(-4096);
  });
  const closed = new Promise<void>((resolve) => started.child.once('close', () => resolve()));
  const [{ code, signal: by }] = await Promise.all([started.exited, closed]);
  clearTimeout(timer);
  signal?.removeEventListener('abort', end);
  signal?.throwIfAborted();
  if (failure !== undefined) throw failure;
  if (code === 0) return out;
  const how = code === null ? `was ended by ${by}${meaningOf(by)}` : `failed with exit code ${code}`;
  throw new ToolError(
    'failed',
    tool,
    `${tool} ${how}: ${err.trim() || 'it said nothing'}`,
    err,
    code ?? undefined,
  );
}

function meaningOf(signal: NodeJS.Signals | null): string {
  if (signal === 'SIGXFSZ') return ' (the file grew beyond its limit)';
  return signal === 'SIGXCPU' ? ' (it took more processor time than it may)' : '';
}

/** Beside the bundle when installed; the source itself in a checkout. */
function program(): string {
  const bundle = join(import.meta.dirname, 'confined-exec.mjs');
  return existsSync(bundle) ? bundle : join(import.meta.dirname, 'confined-exec-main.ts');
}
