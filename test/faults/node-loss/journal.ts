/** Linux guests with a journal: they report each entry to the outside when it is on their disk. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { resources } from '@podvisor/kube';
import { readInstanceConfig } from '@podvisor/sys';
import { eventually } from '../../support/eventually.ts';
import { JournalReports } from '../../support/guests/journal-reports.ts';
import { ENTRY_BYTES, journalVm } from '../../support/guests/journal-vm.ts';
import type { Instance } from '../../support/instance.ts';
import { FIRST_NODE, type Witness } from './witness.ts';

/** Makes the claim and the VM, which starts. */
export async function journalOf({ home, client }: Instance, name: string): Promise<Witness> {
  const key = { namespace: 'default', name };
  const address = readInstanceConfig(home).nodeNetwork?.address ?? '';
  const reports = await JournalReports.listen(address);
  await client.create(resources.persistentVolumeClaims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: key,
    spec: { accessModes: ['ReadWriteMany'], resources: { requests: { storage: '8Mi' } } },
  });
  const reportTo = { address, port: reports.port };
  await client.create(
    resources.virtualMachines,
    journalVm({ name, reportTo, claim: name, preferredNode: FIRST_NODE }),
  );
  const volume = await eventually('the claim is bound', 60_000, async () => {
    const claim = await client.get(resources.persistentVolumeClaims, key);
    return claim.spec.volumeName;
  });
  return new JournalWitness(reports, join(home, 'volumes', volume, 'disk.img'));
}

class JournalWitness implements Witness {
  readonly #reports: JournalReports;
  readonly #disk: string;

  constructor(reports: JournalReports, disk: string) {
    this.#reports = reports;
    this.#disk = disk;
  }

  writesSince(atMs: number): number {
    return this.#reports.since(atMs).length;
  }

  close(): void {
    this.#reports.close();
  }

  problems(): readonly string[] {
    const reports = this.#reports.since(0);
    const entries = this.#entries();
    const boots = [...new Set(reports.map(({ boot }) => boot))];
    const lost = reports.flatMap(({ boot, entry }) => {
      const found = entries[entry];
      // A later run begins again at the first place.
      const isThere = found !== undefined && boots.indexOf(found) >= boots.indexOf(boot);
      return isThere ? [] : [`entry ${entry} of run ${boot} was acknowledged and is not on the disk`];
    });
    let newest = -1;
    const overlaps = reports.flatMap(({ boot, entry }) => {
      const run = boots.indexOf(boot);
      newest = Math.max(newest, run);
      return run < newest ? [`run ${boot} wrote entry ${entry} after run ${boots[newest]} had begun`] : [];
    });
    const twice = this.#reports
      .contradictions()
      .map(({ boot, entry }) => `entry ${entry} of ${boot} came twice`);
    return [...lost, ...overlaps, ...twice];
  }

  /** Which run wrote each entry. */
  #entries(): readonly (string | undefined)[] {
    const bytes = Buffer.alloc(Math.min(statSync(this.#disk).size, 1024 * 1024));
    const file = openSync(this.#disk, 'r');
    try {
      readSync(file, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(file);
    }
    return Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, index) => {
      const text = bytes.toString('latin1', index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
      const match = /^([0-9a-f]{8}) (\d{8})\n$/.exec(text);
      return match !== null && Number(match[2]) === index ? match[1] : undefined;
    });
  }
}
