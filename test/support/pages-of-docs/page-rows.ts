/**
 * Who types the rows of docs/cookbook.md and docs/coming-from.md. A test types its rows by asking for them here
 * (`rowsOf`), so a row cannot be said to be typed by a test that does not; `page.test.ts` compares with the pages, so a
 * row that nobody thought of fails. What no test types says why.
 */

export type Typist = 'first-light' | 'nodes' | 'migration' | 'data-volumes';
type Row = { readonly typedBy: Typist } | { readonly notTyped: string };

const typedBy = (typist: Typist): Row => ({ typedBy: typist });
const noCommand: Row = { notTyped: 'names a page or a thing, not a whole command' };
const notTyped = (why: string): Row => ({ notTyped: why });

export const PAGE_ROWS: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'cookbook.md': {
    'a distribution with a shell': notTyped('docs/first-hour.md types it'),
    'a VM from my own disk image': typedBy('first-light'),
    'a VM from an OVA, VMDK or libvirt': typedBy('data-volumes'),
    'a VM back to VMware or VirtualBox': typedBy('data-volumes'),
    SSH: notTyped('docs/first-hour.md types it; day-to-day has keys that come later'),
    'copy files': notTyped(
      "needs a guest with an SSH server and the user's key: ssh-identity.test.ts has its words",
    ),
    'a port on this machine': typedBy('first-light'),
    'a port for others': typedBy('first-light'),
    'another size': typedBy('first-light'),
    'a second disk, live': notTyped('wants a disk that the reader chose; test/e2e/storage.test.ts plugs one'),
    'snapshot and restore': noCommand,
    'go back to a running state, not to a boot': noCommand,
    'put a VM to sleep with all that it has in memory': notTyped(
      'test/e2e/hibernation.test.ts does it, and waits between the two',
    ),
    'back a running VM up': noCommand,
    'back the home up': typedBy('first-light'),
    'a colleague': typedBy('first-light'),
    'more nodes': typedBy('nodes'),
    'move a VM': typedBy('migration'),
    'start at boot, come back after a crash': notTyped(
      "would change the machine's systemd; service.machine.test.ts",
    ),
    'why does it not run': typedBy('first-light'),
    logs: typedBy('first-light'),
    'alerts and dashboards': notTyped('test/e2e/alerts.test.ts starts the home so'),
    'names with the Tab key': notTyped('typed at real shells by packages/virtctl/src/completion'),
    'in a browser': typedBy('first-light'),
    'on a Kubernetes of your own': notTyped('test/e2e/cluster-install.test.ts'),
    upgrade: notTyped('pulls'),
    uninstall: notTyped('docs/first-hour.md types it'),
  },
  'coming-from.md': {
    'minikube or kind, operator, CR, wait': notTyped('docs/first-hour.md types it'),
    'common-instancetypes': noCommand,
    '`kubectl describe`, logs of five Pods': typedBy('first-light'),
    'containerDisk on quay.io': noCommand,
    'CDI operator': noCommand,
    'what is not there': noCommand,
    '`qm create`, `qm set`': typedBy('first-light'),
    '`qm start`, `stop`, `shutdown`, `reset`': typedBy('first-light'),
    '`qm importdisk`, `qm importovf`': notTyped('wants a file; the cookbook has it'),
    '`qm terminal`, noVNC': notTyped('wants a terminal and a viewer'),
    'cloud-init drive': noCommand,
    '`qm snapshot`, `rollback`': noCommand,
    '`vzdump`': noCommand,
    '`qm migrate --online`': notTyped('the cookbook has it'),
    'storage: LVM, ZFS, Ceph': noCommand,
    'bridges `vmbr0`, VLANs': noCommand,
    'users, pools': noCommand,
    '`limactl start template://debian`': notTyped('docs/first-hour.md types it'),
    '`limactl shell NAME`': notTyped('docs/first-hour.md types it'),
    '`limactl list`, `stop`, `delete`': typedBy('first-light'),
    '`--cpus`, `--memory`, `--disk`': noCommand,
    'port forwards to localhost': typedBy('first-light'),
    "mounts of the host's home": noCommand,
    macOS: noCommand,
  },
};

/** Rows that a test types, in the order of the page. */
export function rowsOf(typist: Typist, page: string): readonly string[] {
  return Object.entries(PAGE_ROWS[page] ?? {})
    .filter(([, row]) => 'typedBy' in row && row.typedBy === typist)
    .map(([task]) => task);
}
