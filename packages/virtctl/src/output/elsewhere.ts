/**
 * Words that people type here because another program has them: what does it instead. Without it the parser offers the
 * nearest word that it knows, and `virtctl delete web` is answered with `reset`. Pure.
 */

const KUBECTL = ['get', 'describe', 'apply', 'edit', 'delete', 'patch', 'wait', 'exec'];
const LISTS = ['ls', 'list', 'ps'];

/** Commands of virtctl that a new user looks for in podvisor; those with their own words below are not among them. */
const VIRTCTL = [
  ...[
    'start',
    'console',
    'ssh',
    'scp',
    'vnc',
    'why',
    'migrate',
    'pause',
    'unpause',
    'hibernate',
    'top',
    'net',
  ],
  ...['port-forward', 'expose', 'create', 'import', 'export', 'image-upload', 'addvolume', 'removevolume'],
];

const PODVISOR = [
  'up',
  'down',
  'status',
  'logs',
  'doctor',
  'run',
  'image',
  'user',
  'node',
  'backup',
  'service',
];

const FROM_PODVISOR: ReadonlyMap<string, string> = new Map([
  ...VIRTCTL.map((word) => [word, `it is a command of virtctl: virtctl ${word} --help`] as const),
  ...KUBECTL.map(
    (word) => [word, `kubectl does that: kubectl ${word} … (KUBECONFIG: podvisor status)`] as const,
  ),
  ...LISTS.map((word) => [word, 'podvisor status shows the home, kubectl get vm -A its VMs'] as const),
  ['stop', 'podvisor down ends the home with all its VMs, virtctl stop VM ends one'],
  ['restart', 'podvisor up brings back what has ended, virtctl restart VM starts one anew'],
  ['reset', 'virtctl reset VMI presses the reset button of a guest, podvisor down --purge removes the home'],
  ['init', 'podvisor up makes the home and starts it'],
  [
    'install',
    'podvisor up makes the home and starts it; podvisor service install keeps it running from boot on',
  ],
  ['uninstall', 'podvisor down --purge ends the home and removes it'],
  ['upgrade', 'git pull, then podvisor up: programs are replaced, VMs keep running'],
  ['update', 'git pull, then podvisor up: programs are replaced, VMs keep running'],
  ['node add', 'podvisor up --nodes N gives the home N nodes'],
  ['node remove', 'podvisor up --nodes N gives the home N nodes'],
  ['service status', 'systemctl status podvisor shows the unit, podvisor status the home'],
]);

const FROM_VIRTCTL: ReadonlyMap<string, string> = new Map([
  ...PODVISOR.map((word) => [word, `it is a command of podvisor: podvisor ${word} --help`] as const),
  ...KUBECTL.map((word) => [word, `kubectl does that: kubectl ${word} vm …`] as const),
  ...LISTS.map((word) => [word, 'kubectl get vm,vmi -A shows them'] as const),
  ['snapshot', 'kubectl apply of a VirtualMachineSnapshot takes one (docs/storage.md)'],
  ['clone', 'virtctl create clone prints the object that makes one'],
]);

/** `text`: the parser's error; `path`: the command that was given the word (`podvisor node`). */
export function withElsewhere(text: string, path: string): string {
  const word = /^error: unknown command '([^']*)'/.exec(text)?.[1];
  if (word === undefined) return text;
  const [program = '', ...above] = path.split(' ');
  const known = program === 'podvisor' ? FROM_PODVISOR : FROM_VIRTCTL;
  const hint = known.get([...above, word].join(' '));
  return hint === undefined ? text : `error: unknown command '${word}': ${hint}\n`;
}
