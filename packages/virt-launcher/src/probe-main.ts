/**
 * virt-probe: what the kubelet runs in the compute container for exec and guest-agent probes. Asks the
 * launcher on its socket; exits with the guest command's code, or 1 with a sentence.
 *
 *   virt-probe --domainName NS_NAME --timeoutSeconds N (--guestAgentPing | --command CMD [-- ARGS…])
 */
import { parseArgs } from 'node:util';
import { ChannelCredentials } from '@grpc/grpc-js';
import { launcherProto } from '@podvisor/api';

const SOCKET = '/var/run/kubevirt/sockets/launcher-sock';
/** A probe's message is a line in an event, not a transcript. */
const MAX_OUTPUT_BYTES = 4096;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    domainName: { type: 'string' },
    timeoutSeconds: { type: 'string', default: '1' },
    guestAgentPing: { type: 'boolean', default: false },
    command: { type: 'string' },
    socket: { type: 'string', default: SOCKET },
  },
});
const timeoutSeconds = Math.max(1, Number(values.timeoutSeconds) || 1);
const client = new launcherProto.LauncherClient(
  `unix:${values.socket}`,
  ChannelCredentials.createInsecure(),
  {
    'grpc.enable_channelz': 0,
    'grpc.default_authority': 'localhost',
  },
);
const deadline = { deadline: Date.now() + timeoutSeconds * 1000 + 500 };

function end(code: number, text: string): never {
  if (text !== '') (code === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  process.exit(code);
}

if (values.guestAgentPing) {
  client.guestPing(
    { timeoutSeconds },
    deadline as never,
    (error: Error | null, answer: launcherProto.Response) => {
      if (error !== null) end(1, `the launcher did not answer: ${error.message}`);
      end(answer.success ? 0 : 1, answer.message);
    },
  );
} else if (values.command !== undefined) {
  const request = { command: values.command, args: positionals, timeoutSeconds };
  client.exec(request, deadline as never, (error: Error | null, answer: launcherProto.ExecResponse) => {
    if (error !== null) end(1, `the launcher did not answer: ${error.message}`);
    if (answer.response?.success === false) end(1, answer.response.message);
    end(answer.exitCode, Buffer.from(answer.stdout).subarray(0, MAX_OUTPUT_BYTES).toString('utf8').trimEnd());
  });
} else end(2, 'virt-probe needs --guestAgentPing or --command');
