/**
 * virt-freezer: what a backup tool runs in the compute container around its snapshots. Asks the launcher to freeze or
 * thaw the guest's file systems. A guest without an agent cannot be frozen; it is backed up as it is, so that is said
 * and is no failure.
 *
 *   virt-freezer (--freeze [--unfreezeTimeoutSeconds N] | --unfreeze) --name NAME --namespace NAMESPACE
 */
import { parseArgs } from 'node:util';
import { type DomainState, launcherMessages as messages } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { callLauncher } from './launcher-client.ts';

/** A frozen guest whose backup never ends thaws by itself. */
const DEFAULT_THAW_SECONDS = '300';
const TIMEOUT_MS = 60_000;

const { values } = parseArgs({
  options: {
    freeze: { type: 'boolean', default: false },
    unfreeze: { type: 'boolean', default: false },
    name: { type: 'string' },
    namespace: { type: 'string' },
    unfreezeTimeoutSeconds: { type: 'string', default: DEFAULT_THAW_SECONDS },
    socket: { type: 'string' },
  },
});
if (values.freeze === values.unfreeze) {
  console.error('virt-freezer needs --freeze or --unfreeze');
  process.exit(2);
}
const to = { socket: values.socket, timeoutMs: TIMEOUT_MS };
const freeze = {
  name: 'FreezeVirtualMachine',
  request: messages.FreezeRequest,
  reply: messages.Response,
};
const unfreeze = {
  name: 'UnfreezeVirtualMachine',
  request: messages.VMIRequest,
  reply: messages.Response,
};
const getDomain = { name: 'GetDomain', request: messages.Empty, reply: messages.DomainResponse };
try {
  const { domain } = await callLauncher(getDomain, {}, to);
  if (domain.length === 0) throw new Error('the virtual machine does not run');
  // A call names the VMI that it is meant for; who runs here is the launcher's to say.
  const { vmiUid } = JSON.parse(Buffer.from(domain).toString('utf8')) as DomainState;
  const vmi = Buffer.from(JSON.stringify({ metadata: { uid: vmiUid } }));
  const { success, message } = values.freeze
    ? await callLauncher(
        freeze,
        { vmi, unfreezeTimeoutSeconds: Number(values.unfreezeTimeoutSeconds) || 0 },
        to,
      )
    : await callLauncher(unfreeze, { vmi, options: Buffer.alloc(0) }, to);
  if (!success && !/agent/i.test(message)) throw new Error(message);
  if (!success) console.log(`backed up as it is: ${message}`);
  process.exit(0);
} catch (error) {
  console.error(messageOf(error));
  process.exit(1);
}
