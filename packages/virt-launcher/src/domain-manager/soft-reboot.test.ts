import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { ERROR_CODE, LibvirtError, POWER_FLAG } from '@podvisor/libvirt';
import { Mutex } from '../mutex.ts';
import { softReboot } from './soft-reboot.ts';

const vmi = (acpi: boolean): VirtualMachineInstance =>
  ({ spec: { domain: { devices: {}, features: { acpi: { enabled: acpi } } } } }) as VirtualMachineInstance;

/** The flags of every reboot that libvirt was asked for. */
async function asked(agentConnected: boolean, acpi: boolean, failure?: Error): Promise<readonly number[]> {
  const flags: number[] = [];
  const connection = {
    lookupByName: async () => ({ name: 'd' }),
    reboot: async (_domain: unknown, flag: number) => {
      flags.push(flag);
      if (failure !== undefined) throw failure;
    },
  };
  const context = {
    domainName: 'd',
    mutex: new Mutex(),
    observer: { known: { kind: 'present', state: { agentConnected } } },
    runState: { startedAs: vmi(acpi) },
    log: { info: () => undefined },
    session: { connection },
  };
  await softReboot(context as unknown as Parameters<typeof softReboot>[0]);
  return flags;
}

const silent = new LibvirtError(ERROR_CODE.agentUnresponsive, 0, 'not responding');

for (const [what, agent, acpi, failure, expected] of [
  ['the agent is connected', true, true, undefined, [POWER_FLAG.guestAgent]],
  ['the agent is connected, no ACPI', true, false, undefined, [POWER_FLAG.guestAgent]],
  [
    'the agent takes it and says nothing: nobody presses the button',
    true,
    true,
    silent,
    [POWER_FLAG.guestAgent],
  ],
  ['the same without ACPI', true, false, silent, [POWER_FLAG.guestAgent]],
  ['no agent', false, true, undefined, [POWER_FLAG.acpi]],
] as const)
  test(what, async () => {
    assert.deepEqual(await asked(agent, acpi, failure), expected);
  });

test('neither agent nor ACPI', async () => {
  await assert.rejects(asked(false, false), /neither have the agent connected nor the ACPI feature enabled/);
});
