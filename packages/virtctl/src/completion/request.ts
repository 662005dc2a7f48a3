/** What could stand where the cursor is. Pure: it reads only the tree of commands. */
import type { Command, Option } from 'commander';
import { NAMED_IMAGES } from '../run/catalogue.ts';

/** Words that are known, or names of objects that only the cluster knows. */
export type CompletionRequest =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'objects'; readonly of: ObjectKind }
  | { readonly kind: 'files' };

/** Things whose names can be asked for: of the cluster, or of an embedded home. */
export type ObjectKind =
  | 'vm'
  | 'vmi'
  | 'vmirs'
  | 'target'
  | 'namespace'
  | 'context'
  | 'claim'
  | 'node'
  | 'storageclass'
  | 'instancetype'
  | 'preference'
  | 'image'
  | 'user'
  | 'component';

const OPTION_OBJECTS: Readonly<Record<string, ObjectKind>> = {
  '--namespace': 'namespace',
  '--context': 'context',
  '--vm': 'vm',
  '--instancetype': 'instancetype',
  '--preference': 'preference',
  '--volume-name': 'claim',
  '--claim-name': 'claim',
  '--pvc': 'claim',
  '--storage-class': 'storageclass',
  '--volume-storage-class': 'storageclass',
};
const OPTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  '--output': ['json', 'yaml', 'wide', 'name'],
  '--run-strategy': ['Always', 'Manual', 'Halted', 'Once', 'RerunOnFailure'],
  '--type': ['ClusterIP', 'NodePort', 'LoadBalancer'],
  '--protocol': ['TCP', 'UDP'],
  '--bus': ['scsi', 'virtio'],
  '--disk-type': ['disk', 'lun'],
  '--vnc-type': ['tiger', 'chicken', 'real', 'remote-viewer'],
  '--format': ['gzip', 'raw'],
  '--progress': ['auto', 'json', 'none'],
  '--role': ['view', 'edit', 'admin'],
};

/** `words` are those after the program's name; the last one is being typed (maybe empty). */
export function completionRequest(program: Command, words: readonly string[]): CompletionRequest {
  const current = words.at(-1) ?? '';
  const { command, operands, pending } = walk(program, words.slice(0, -1));
  if (pending !== undefined) return valueOf(pending);
  const equals = /^(--[\w-]+)=/.exec(current);
  if (equals !== null) {
    const option = find(command, equals[1] ?? '');
    const value = option === undefined ? undefined : valueOf(option);
    return value?.kind === 'words'
      ? { kind: 'words', words: value.words.map((word) => `${equals[1]}=${word}`) }
      : { kind: 'files' };
  }
  if (current.startsWith('-'))
    return {
      kind: 'words',
      words: command.options.flatMap(({ long, hidden }) =>
        long === undefined || (hidden && !isGlobal(long)) ? [] : [long],
      ),
    };
  if (operands.length === 0 && command.commands.length > 0) {
    const names = command.commands.map((child) => child.name()).filter((name) => !name.startsWith('_'));
    // `vnc` takes a VMI itself as well as a command.
    if (command.registeredArguments.length === 0) return { kind: 'words', words: names };
  }
  return argumentOf(command, operands);
}

const isGlobal = (long: string): boolean =>
  ['--namespace', '--context', '--kubeconfig', '--as', '--server'].includes(long);

function walk(
  program: Command,
  words: readonly string[],
): { readonly command: Command; readonly operands: readonly string[]; readonly pending?: Option } {
  let command = program;
  let operands: string[] = [];
  let pending: Option | undefined;
  for (const word of words) {
    if (pending !== undefined) {
      pending = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const option = word.includes('=') ? undefined : find(command, word);
      if (option?.required === true) pending = option;
      continue;
    }
    const child = operands.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (child === undefined) operands = [...operands, word];
    else command = child;
  }
  return { command, operands, ...(pending === undefined ? {} : { pending }) };
}

function find(command: Command, flag: string): Option | undefined {
  return command.options.find((option) => option.long === flag || option.short === flag);
}

function valueOf(option: Option): CompletionRequest {
  const of = OPTION_OBJECTS[option.long ?? ''];
  if (of !== undefined) return { kind: 'objects', of };
  const words = option.argChoices ?? OPTION_WORDS[option.long ?? ''];
  return words === undefined ? { kind: 'files' } : { kind: 'words', words };
}

function argumentOf(command: Command, operands: readonly string[]): CompletionRequest {
  const argument = command.registeredArguments[operands.length];
  const kind = operands[operands.length - 1]?.toLowerCase();
  switch (argument?.name()) {
    case 'vm':
      return command.name() === 'why' || command.name() === 'render'
        ? { kind: 'objects', of: 'target' }
        : { kind: 'objects', of: 'vm' };
    case 'vmi':
      return { kind: 'objects', of: 'vmi' };
    case 'node':
      return { kind: 'objects', of: 'node' };
    case 'claim':
      return { kind: 'objects', of: 'claim' };
    case 'image':
      return command.name() === 'run'
        ? { kind: 'words', words: NAMED_IMAGES.map(({ name }) => name) }
        : { kind: 'objects', of: 'image' };
    case 'user':
      return { kind: 'objects', of: 'user' };
    case 'component':
      return { kind: 'objects', of: 'component' };
    case 'target':
    case 'source':
    case 'destination':
      return { kind: 'objects', of: 'target' };
    case 'kind':
      return { kind: 'words', words: ['vm', 'vmi'] };
    case 'type':
      return {
        kind: 'words',
        words: command.name() === 'image-upload' ? ['dv', 'pvc'] : ['vm', 'vmi', 'vmirs'],
      };
    case 'action':
      return { kind: 'words', words: ['get', 'download', 'remove'] };
    case 'function':
      return { kind: 'words', words: ['create', 'delete', 'download'] };
    case 'shell':
      return { kind: 'words', words: ['bash', 'zsh', 'fish'] };
    case 'name':
      if (kind === 'vm' || kind === 'vmi' || kind === 'vmirs') return { kind: 'objects', of: kind };
      if (kind === 'pvc') return { kind: 'objects', of: 'claim' };
      return command.name() === 'objectgraph' ? { kind: 'objects', of: 'vm' } : { kind: 'files' };
    default:
      return { kind: 'files' };
  }
}
