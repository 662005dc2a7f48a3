/** CNI plugins, executed as the specification says: environment in, configuration on stdin, JSON out. */
import { existsSync } from 'node:fs';
import { runInNetns } from './netns.ts';
import { ToolError } from '../processes/run.ts';

const PLUGIN_DIRECTORIES = ['/usr/lib/cni', '/opt/cni/bin', '/usr/libexec/cni'];

export interface CniCall {
  readonly command: 'ADD' | 'DEL' | 'CHECK';
  readonly containerId: string;
  /** Path of the Pod's network namespace. */
  readonly netns: string;
  readonly ifname: string;
  /** Network configuration; `type` names the plugin. */
  readonly config: Readonly<Record<string, unknown>> & { readonly type: string };
  /** `K8S_POD_NAME` and the like. */
  readonly args?: Readonly<Record<string, string>>;
}

/** The part of a CNI result that we read. */
export interface CniResult {
  readonly ips?: readonly { readonly address: string; readonly gateway?: string }[];
  readonly interfaces?: readonly {
    readonly name: string;
    readonly mac?: string;
    readonly sandbox?: string;
  }[];
}

/** Runs a plugin in the node's network namespace (`nodeNetns`; absent: the machine's own). */
export async function cniInvoke(nodeNetns: string | undefined, call: CniCall): Promise<CniResult> {
  const directory = PLUGIN_DIRECTORIES.find((dir) => existsSync(`${dir}/${call.config.type}`));
  if (directory === undefined) {
    throw new ToolError('missing', call.config.type, `CNI plugin ${call.config.type} is not installed`);
  }
  const { stdout, code } = await runInNetns(nodeNetns, `${directory}/${call.config.type}`, [], {
    input: JSON.stringify(call.config),
    env: {
      CNI_COMMAND: call.command,
      CNI_CONTAINERID: call.containerId,
      CNI_NETNS: call.netns,
      CNI_IFNAME: call.ifname,
      CNI_PATH: PLUGIN_DIRECTORIES.join(':'),
      CNI_ARGS: Object.entries({ IgnoreUnknown: '1', ...call.args })
        .map(([key, value]) => `${key}=${value}`)
        .join(';'),
    },
    okCodes: [0, 1, 2],
  });
  const answer = parseAnswer(stdout);
  if (code === 0) return answer;
  const text = [answer.msg, answer.details].filter(Boolean).join(': ') || stdout.trim();
  throw new ToolError('failed', call.config.type, `CNI ${call.command} by ${call.config.type}: ${text}`);
}

function parseAnswer(stdout: string): CniResult & { readonly msg?: string; readonly details?: string } {
  try {
    return stdout.trim() === '' ? {} : (JSON.parse(stdout) as CniResult);
  } catch {
    return {};
  }
}
