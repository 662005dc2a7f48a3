/**
 * virt-probe: what the kubelet runs in the compute container for exec and guest-agent probes. Asks the
 * launcher on its socket; exits with the guest command's code, or 1 with a sentence.
 *
 *   virt-probe --domainName NS_NAME --timeoutSeconds N (--guestAgentPing | --command CMD [-- ARGS…])
 */
import { parseArgs } from 'node:util';
import { launcherMessages as messages } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { callLauncher } from './launcher-client.ts';

/** A probe's message is a line in an event, not a transcript. */
const MAX_OUTPUT_BYTES = 4096;
/** The guest has all the time that the probe allows; its answer needs a little more. */
const ANSWER_MS = 500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    domainName: { type: 'string' },
    timeoutSeconds: { type: 'string', default: '1' },
    guestAgentPing: { type: 'boolean', default: false },
    command: { type: 'string' },
    socket: { type: 'string' },
  },
});
const timeoutSeconds = Math.max(1, Number(values.timeoutSeconds) || 1);
const to = { socket: values.socket, timeoutMs: timeoutSeconds * 1000 + ANSWER_MS };

const { code, text } = await probe().catch((error: unknown) => ({ code: 1, text: messageOf(error) }));
if (text !== '') (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
process.exit(code);

async function probe(): Promise<{ readonly code: number; readonly text: string }> {
  if (values.guestAgentPing) {
    const ping = { name: 'GuestPing', request: messages.GuestPingRequest, reply: messages.Response };
    const { success, message } = await callLauncher(ping, { timeoutSeconds }, to);
    return { code: success ? 0 : 1, text: message };
  }
  if (values.command === undefined)
    return { code: 2, text: 'virt-probe needs --guestAgentPing or --command' };
  const exec = { name: 'Exec', request: messages.ExecRequest, reply: messages.ExecResponse };
  const { response, exitCode, stdout } = await callLauncher(
    exec,
    { command: values.command, args: positionals, timeoutSeconds },
    to,
  );
  if (response?.success === false) return { code: 1, text: response.message };
  const said = Buffer.from(stdout).subarray(0, MAX_OUTPUT_BYTES).toString('utf8').trimEnd();
  return { code: exitCode, text: said };
}
